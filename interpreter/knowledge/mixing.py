"""What a player can take for what: the moments at which hidden things were mixed for him.

A *line* is what really moved: the thing of the real game. An *identity* is which thing the player may
take it for. Both are the same where he saw it. Things that lie together where he does not see which is
which (a hidden hand, the shuffled part of a pile) can be exchanged when one of them leaves, is marked,
or is pointed at: that is a *group*. Whoever goes through the groups in the order of time, and shuffles
the identities among the lines of each, has a way in which everything can have happened as far as the
player noticed (`Mixing.draw`).

What the player sees again later must be there then (`sightings`): on its way there it is put only where
it can still come from. What can only have gone one way is in no group on it.

Lines that bear different marks which he has noticed are in different groups.

What is drawn depends on nothing that he does not know: the identities that come into a group are taken
in the order of the table, and the lines of a group are numbered by what becomes of them later, as he
notices it, never by which things they really are.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import attrs

from rulewright.interpreter.knowledge.renaming import Renaming
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Thing, Value

FINE = 2**53
"""Chances are told apart as finely as this."""

MOST_BEGUN_ANEW = 20
"""So often all is drawn anew."""

MOST_FAILURES = 500
"""After so many in all a draw is given up."""

Cell = tuple[int, int]
"""An entry of a column."""

Entry = tuple[int, Thing]
"""The entry of a thing in a column."""

Written = tuple[int, Thing, str, Value]
"""Column, line, and what has been written there: a value (`set`), or what is added or removed."""


def written(before: Value, kind: str, value: Value) -> Value:
    """Return what stands in a field after it was written to."""
    if kind == "set":
        return value
    if kind == "add":
        if not isinstance(before, tuple):
            return before + value
        return (*before, *value) if isinstance(value, tuple) else (*before, value)
    if value not in before:
        # In the real game it was there; nobody who sees it is told.
        return before
    at = before.index(value)
    return (*before[:at], *before[at + 1 :])


@attrs.frozen
class Group:
    """Lines that the player could not tell apart when the event with this number happened."""

    time: int
    lines: tuple[Thing, ...]
    """In the order in which they are numbered."""

    written: tuple[Written, ...] = ()
    """What has been written to lines since they were mixed last: it belongs to what they were until now."""

    still: bool = False
    """Whether nothing is mixed: it is noted how everything is at this moment."""

    held: Mapping[Thing, Mapping[Thing, float]] = attrs.field(factory=dict)
    """For things that the player sees again later: what they may be from here on, and how likely it is
    that they come from there to where he sees them."""

    def shuffled(
        self, now: Mapping[Thing, Thing], generator: Generator
    ) -> dict[Thing, Thing] | None:
        """Return what the lines are from here on; None if things that are seen later are in each
        other's way."""
        found = sorted([now.get(line, line) for line in self.lines], key=_number)
        if not self.held:
            return dict(zip(self.lines, generator.shuffled(found), strict=True))
        step: dict[Thing, Thing] = {}
        for thing in sorted(found, key=lambda one: len(self.held.get(one, self.lines))):
            if thing in self.held:
                line = _picked(self.lines, self.held[thing], step, generator)
                if line is not None:
                    step[line] = thing
                elif not self._makes_way(thing, step, generator.shuffled(self.lines), set()):
                    return None
        left = [line for line in self.lines if line not in step]
        others = [thing for thing in found if thing not in self.held]
        step.update(zip(left, generator.shuffled(others), strict=True))
        return step

    def _makes_way(
        self, thing: Thing, step: dict[Thing, Thing], lines: Sequence[Thing], asked: set[Thing]
    ) -> bool:
        """Let things that have a line take other ones so that one is left for a further thing; return whether that
        was possible (an augmenting path of a bipartite matching)."""
        for line in lines:
            if line in self.held[thing] and line not in asked:
                asked.add(line)
                if line not in step or self._makes_way(step[line], step, lines, asked):
                    step[line] = thing
                    return True
        return False


def _write(
    entries: dict[Entry, Value], writings: Iterable[Written], now: Mapping[Thing, Thing]
) -> None:
    for slot, line, kind, value in writings:
        entry = slot, now.get(line, line)
        entries[entry] = written(entries.get(entry), kind, value)


def _others(now: Mapping[Thing, Thing]) -> dict[Thing, Thing]:
    return {line: thing for line, thing in now.items() if line is not thing}


def _picked(
    lines: Sequence[Thing],
    chances: Mapping[Thing, float],
    taken: Container[Thing],
    generator: Generator,
) -> Thing | None:
    free = [(line, chances[line]) for line in lines if line in chances and line not in taken]
    if not free:
        return None
    if len(free) > 1:
        point = generator.below(FINE) / FINE * sum([chance for _, chance in free])
        for line, chance in free:
            point -= chance
            if point < 0:
                return line
    return free[-1][0]


@attrs.frozen
class Mixing:
    """The groups of one state for one player."""

    groups: tuple[Group, ...]
    referring: tuple[tuple[int, Cell, Thing], ...]
    """Fields that have referred to a line since the event with this number: to what it was then."""

    written: tuple[Written, ...] = ()
    """What has been written to lines since they were mixed last."""

    first: Mapping[Entry, Value] = attrs.field(factory=dict)
    """What stood there at the beginning."""

    @property
    def lines(self) -> frozenset[Thing]:
        """All lines that may be something else."""
        return frozenset([line for group in self.groups for line in group.lines])

    def draw(self, generator: Generator) -> Drawn | None:
        """Return one of the ways in which everything can have happened; None if none was found."""
        drawn_steps = self._steps(generator)
        if drawn_steps is None:
            return None
        now: dict[Thing, Thing] = {}
        steps: list[tuple[int, dict[Thing, Thing]]] = []
        entries = dict(self.first)
        referred: dict[tuple[Cell, Thing], Thing] = {}
        before: Drawn | None = None
        waiting = iter(self.referring)
        noted = next(waiting, None)
        for group, step in zip(self.groups, drawn_steps, strict=True):
            while noted is not None and noted[0] < group.time:
                referred[noted[1], noted[2]] = now.get(noted[2], noted[2])
                noted = next(waiting, None)
            _write(entries, group.written, now)
            if group.still:
                before = Drawn(_others(now), list(steps), dict(referred), dict(entries))
                continue
            now.update(step)
            steps.append((group.time, step))
        while noted is not None:
            referred[noted[1], noted[2]] = now.get(noted[2], noted[2])
            noted = next(waiting, None)
        _write(entries, self.written, now)
        return Drawn(_others(now), steps, referred, entries, before)

    def _steps(self, generator: Generator) -> list[dict[Thing, Thing]] | None:
        """Return what the lines of each group are from there on. Where things that are seen later are in each
        other's way, all is drawn anew; after some such failures only what was drawn last, then ever more."""
        now: dict[Thing, Thing] = {}
        steps: list[dict[Thing, Thing]] = []
        before: list[dict[Thing, Thing]] = []
        failures, furthest, back = 0, -1, 1
        while len(steps) < len(self.groups):
            group = self.groups[len(steps)]
            step = {} if group.still else group.shuffled(now, generator)
            if step is not None:
                before.append({line: now.get(line, line) for line in step})
                now.update(step)
                steps.append(step)
                continue
            failures += 1
            if failures > MOST_FAILURES:
                return None
            if len(steps) > furthest:
                furthest, back = len(steps), 1
            for _ in range(len(steps) if failures <= MOST_BEGUN_ANEW else min(back, len(steps))):
                steps.pop()
                now.update(before.pop())
            if failures > MOST_BEGUN_ANEW:
                back *= 2
        return steps


@attrs.frozen
class Drawn:
    """One way in which everything can have happened."""

    identities: dict[Thing, Thing]
    """What lies now where each line lies."""

    steps: list[tuple[int, dict[Thing, Thing]]]
    """What the lines were from the event with a number on."""

    referred: dict[tuple[Cell, Thing], Thing]
    """What fields refer to, by the line that they name in the real game."""

    entries: dict[Entry, Value]
    """What stands in columns for the things: whose they are, and their fields."""

    before: Drawn | None = None
    """How it was at the moment that was asked for."""

    def events(self, layout: Layout, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the events as they were then."""
        now: dict[Thing, Thing] = {}
        renaming = Renaming(layout, now)
        steps = iter(self.steps)
        step = next(steps, None)
        for number, event in enumerate(events):
            while step is not None and step[0] <= number:
                now.update(step[1])
                step = next(steps, None)
            yield renaming.event(event)


def _number(thing: Thing) -> int:
    return thing.number
