"""Things that the player sees again: whatever way they went, they must be there when he does.

Between two sightings a thing may have been any of the lines with which it was mixed, as long as it can
still come to be the line that he sees. How likely that is from each of them is worked out backwards from
the second sighting (`Group.held`). Most things can have gone one way only; they are taken out of the
groups on it.

Of one such thing the chances are exact. Where several are in one another's way, all is drawn anew; if that
happens often, only what was drawn last (`Mixing`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulewright.interpreter.knowledge.mixing import Group
from rulewright.interpreter.state.values import Thing

Sightings = Mapping[Thing, Sequence[int]]


def held_to(groups: Sequence[Group], sightings: Sightings) -> list[Group]:
    """Return the groups without the lines that can be nothing else there, with what is held in each."""
    found = list(groups)
    while True:
        ways = list(_ways(found, sightings))
        fixed = [(thing, one) for thing, way in ways if _is_fixed(thing, way) for one in way]
        if not fixed:
            return [
                attrs.evolve(group, held={thing: way[n] for thing, way in ways if n in way})
                for n, group in enumerate(found)
            ]
        gone: dict[int, set[Thing]] = {}
        for thing, number in fixed:
            gone.setdefault(number, set()).add(thing)
        found = [_without(group, gone.get(n, set())) for n, group in enumerate(found)]
        found = [group for group in found if len(group.lines) > 1]


def _without(group: Group, gone: set[Thing]) -> Group:
    return attrs.evolve(group, lines=tuple([line for line in group.lines if line not in gone]))


Way = dict[int, dict[Thing, float]]
"""For the numbers of groups: what the thing may be from there on, and how likely it arrives."""


def _ways(groups: Sequence[Group], sightings: Sightings) -> Iterator[tuple[Thing, Way]]:
    """Yield, for each thing and each time until it is seen again, the groups through which it may go."""
    times = [group.time for group in groups]
    lines = {line for group in groups for line in group.lines}
    ends = {
        line: sorted({bisect_right(times, one) for one in sightings.get(line, ())})
        for line in sorted(lines, key=lambda one: (one.kind, one.number))
    }
    seen: dict[int, list[Thing]] = {}
    for line, found in ends.items():
        for end in found:
            seen.setdefault(end, []).append(line)
    for thing, found in ends.items():
        first = 0
        for end in found:
            if end > first:
                way = _way(groups, first, end, thing, seen)
                if way:
                    yield thing, way
            first = end


def _way(
    groups: Sequence[Group], first: int, end: int, thing: Thing, seen: Mapping[int, Sequence[Thing]]
) -> Way:
    """Return the groups from the first one to the end through which a thing may go; `seen` are the lines that the player
    has seen before the group of a number, when nothing else can have been there."""
    chances: dict[Thing, float] = {thing: 1.0}
    arriving: Way = {}
    for number in range(end - 1, first - 1, -1):
        lines = groups[number].lines
        there = {line: chances[line] for line in lines if line in chances}
        if there:
            arriving[number] = there
            share = sum(there.values()) / len(lines)
            chances.update(dict.fromkeys(lines, share))
        for line in seen.get(number, ()):
            chances.pop(line, None)
    reached = {thing}
    way: Way = {}
    for number in range(first, end):
        lines = groups[number].lines
        if number > first:
            reached.difference_update(seen.get(number, ()))
        if number in arriving and not reached.isdisjoint(lines):
            way[number] = arriving[number]
            reached.update(arriving[number])
    return way


def _is_fixed(thing: Thing, way: Way) -> bool:
    return all(list(there) == [thing] for there in way.values())
