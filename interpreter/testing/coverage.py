"""Random games that are counted: how often each point of the rules was passed.

The walker plays, on handlers that note which operation runs and where it comes from; look-ahead is not
counted. The handlers are those of a program that is loaded for this alone, so whoever does not count
pays nothing. Things count as used if one lay elsewhere than at the beginning, one of its fields
changed, or somebody chose it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.engine.executor import advance, answer, begin, is_over
from rulewright.interpreter.ir.machine import Run
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.playout import LIMIT, NO_REASON, STOPPED
from rulewright.interpreter.program.decisions import current
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Thing, Value, VerbValue
from rulewright.interpreter.testing.coverage_points import (
    CoveragePoint,
    bearing,
    points_of,
    spoken_as,
)

PointKey = tuple[str, int, str, str, str]


@attrs.define(eq=False)
class CoverageCounts:
    """What happened in some random games, of one linked game or of several."""

    games: int = 0
    decisions: int = 0
    points: dict[PointKey, CoveragePoint] = attrs.Factory(dict)
    inside: dict[PointKey, tuple[tuple[str, int, int], ...]] = attrs.Factory(dict)
    """What stands inside a point: source, first and last offset."""

    passed: Counter[PointKey] = attrs.Factory(Counter)
    unknown: set[PointKey] = attrs.Factory(set)
    """Points that do nothing, so that nobody can tell whether they were passed."""

    offered: Counter[str] = attrs.Factory(Counter)
    """How often a verb was an option, possible or not, where a verb is chosen."""

    chosen: Counter[str] = attrs.Factory(Counter)
    things: dict[tuple[str, str], int] = attrs.Factory(dict)
    """By kind and name in words: in how many games a thing of a table was used."""

    only_read: set[str] = attrs.Factory(set)
    """Kinds of which nothing can be moved, written or chosen."""

    endings: Counter[str] = attrs.Factory(Counter)

    def of_kind(self, kind: str) -> list[PointKey]:
        """Return the points of a kind of which something can be known, as they are written."""
        found = [key for key, one in self.points.items() if one.kind == kind]
        return sorted(key for key in found if self.passed[key] or key not in self.unknown)

    def never(self) -> list[CoveragePoint]:
        """Return what never came up, without what stands inside something that never did."""
        keys = [key for key in sorted(self.points) if not self.passed[key]]
        keys = [key for key in keys if key not in self.unknown]
        return [self.points[key] for key in keys if not self._is_told(key, keys)]

    def _is_told(self, key: PointKey, never: list[PointKey]) -> bool:
        point = self.points[key]
        if point.kind == "end" or point.kind == "verb":
            return False
        for other in never:
            if other == key or self.points[other].unit != point.unit:
                continue
            if self.points[other].kind in ("verb", "watch", "offer"):
                return True
            for source, start, end in self.inside[other]:
                if source == point.span.source.name and start <= point.span.start < end:
                    return True
        return False


class _CoverageRecorder:
    """Counts which operations run, and which ways are taken between them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ran: Counter[tuple[str, int]] = Counter()
        self.went: Counter[tuple[str, int, int]] = Counter()
        self.begun: Counter[str] = Counter()
        self.spoken: Counter[tuple[str, int, str]] = Counter()
        self.last: tuple[Frame | None, int] = (None, -1)
        self.known: dict[int, Frame] = {}
        program.evaluator.heard = self._heard
        program.runs.clear()
        program.runs.make = self._unit

    def _unit(self, unit: str) -> list[Run]:
        ops = self.program.code[unit]
        plan = self.program.plans.get(unit)
        powers = {} if plan is None else dict(bearing(plan, ops))
        return [self._counted(unit, op.node, op.run, powers.get(op.node)) for op in ops]

    def _heard(self, power: model.Changed | model.Amendment, bearer: Value) -> None:
        self.spoken[spoken_as(power, getattr(bearer, "name", ""))] += 1

    def answered(self, store: Store, question: Question, value: Value) -> None:
        """Count the way of a `may` or `either`: where several act at once, others may run first."""
        if question.kind in ("may", "either") and not isinstance(value, Taken):
            frame = store.frames[-1]
            self.went[frame.unit, frame.node, question.ways[int(value)]] += 1
            self.last = (None, -1)

    def _counted(self, unit: str, node: int, run: Run, power: model.Amendment | None) -> Run:
        bearer = "" if power is None or power.bearers is None else power.bearers.name

        def counted(store: Store, frame: Frame) -> int:
            if store.trail is None:
                last_frame, last_node = self.last
                if last_frame is frame:
                    self.went[unit, last_node, node] += 1
                self.last = frame, node
                self.ran[unit, node] += 1
                if power is not None:
                    self._heard(power, frame.locals.get(bearer))
                if node == 0 and id(frame) not in self.known:
                    # A loop at the beginning comes by here again, in the same frame.
                    self.known = {id(one): one for one in store.frames}
                    self.begun[unit] += 1
            return run(store, frame)

        return counted


def count_games(
    game: Game,
    seeds: range,
    into: CoverageCounts,
    limit: int = LIMIT,
    told: Callable[[], object] = lambda: None,
) -> None:
    """Play a random game for each seed and add what happened; `told` is called after each.

    The game must have been loaded for this: its program counts from now on.
    """
    program = game.program
    recorder = _CoverageRecorder(program)
    names = _names(program)
    used: Counter[tuple[str, str]] = Counter()
    for seed in seeds:
        store = begin(program, seed)
        opening = store.clone()
        touched: set[Thing] = set()
        for value in _play(program, store, seed, limit, into, recorder):
            touched.update(_things(value))
            touched.update(_changed(store, opening))
        # Things that are alike count as one.
        used.update({names[thing] for thing in touched if thing in names})
        into.games += 1
        reason = STOPPED if store.frames else (store.ending or NO_REASON)
        into.endings[reason] += 1
        told()
    _add_points(program, recorder, into)
    _add_things(program, names, used, into)


def _play(
    program: Program,
    store: Store,
    seed: int,
    limit: int,
    into: CoverageCounts,
    recorder: _CoverageRecorder,
) -> Iterator[Value]:
    """Play a random game; yield each answer when it has been carried out, and None at the end."""
    agents = Generator(f"agents {seed}")
    advance(program, store)
    yield None
    for _ in range(limit):
        if is_over(store):
            return
        options = current(program, store).options
        if not isinstance(options, range):
            into.offered.update(_verbs(options))
        value = pick_random(program, store, agents)
        into.chosen.update(_verbs((value,)))
        into.decisions += 1
        recorder.answered(store, current(program, store).question, value)
        answer(program, store, value, trusted=True)
        if store.setback is not None:
            # What was taken back is no decision.
            into.decisions -= store.setback.answers
        yield value


def _verbs(values: Iterable[Value]) -> Iterator[str]:
    return (value.name for value in values if isinstance(value, VerbValue))


def _things(value: Value) -> Iterator[Thing]:
    if isinstance(value, Thing):
        yield value
    elif isinstance(value, VerbValue):
        yield from (one for one in value.arguments if isinstance(one, Thing))


def _changed(store: Store, opening: Store) -> Iterator[Thing]:
    """Yield the things that lie elsewhere than at the beginning, or that say something else."""
    layout = store.layout
    for kind, slot in layout.place_slots.items():
        if store.columns[slot] != opening.columns[slot]:
            pairs = zip(store.columns[slot], opening.columns[slot], strict=False)
            for thing, (now, then) in zip(layout.things.get(kind, ()), pairs, strict=False):
                if now is not then:
                    yield thing
    for slot, field in layout.fields.items():
        if field.holder is None or slot >= layout.size:
            continue
        if store.columns[slot] != opening.columns[slot]:
            pairs = zip(store.columns[slot], opening.columns[slot], strict=False)
            for thing, (now, then) in zip(layout.holders(field), pairs, strict=False):
                if now != then:
                    yield thing


def _add_points(program: Program, recorder: _CoverageRecorder, into: CoverageCounts) -> None:
    for watched in points_of(program):
        key = watched.point.key()
        into.points.setdefault(key, watched.point)
        into.inside.setdefault(
            key, tuple((one.source.name, one.start, one.end) for one in watched.region)
        )
        into.passed[key] += watched.passed(
            recorder.begun, recorder.ran, recorder.went, recorder.spoken
        )
        if not watched.is_known:
            into.unknown.add(key)


def _names(program: Program) -> dict[Thing, tuple[str, str]]:
    """Return kind and name in words of the things of all tables."""
    opening = begin(program)
    return {
        thing: (table.kind, labels.named(thing, None, opening, program.evaluator))
        for table in program.game.tables
        for thing in program.layout.things.get(table.kind, ())
    }


def _add_things(
    program: Program,
    names: dict[Thing, tuple[str, str]],
    used: Counter[tuple[str, str]],
    into: CoverageCounts,
) -> None:
    known = {kind for kind, name in names.values() if _can_be_used(program.game, kind)}
    known |= {kind for kind, _ in used}
    known |= {kind for kind, _ in into.things}
    for kind, name in dict.fromkeys(names.values()):
        if kind in known:
            into.things[kind, name] = into.things.get((kind, name), 0) + used[kind, name]
    into.only_read = (into.only_read | {kind for kind, _ in names.values()}) - known


def _can_be_used(game: model.Game, kind: str) -> bool:
    """Return whether a thing of a kind can lie somewhere, or has fields that can change."""
    for field in game.fields.values():
        if not field.printed and field.holder == kind:
            return True
        if isinstance(field.type, types.ZoneType) and field.type.kind == types.ThingType(kind):
            return True
    return False
