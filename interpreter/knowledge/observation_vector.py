"""What a player sees of a state as one flat vector of floats, for programs that learn.

It is made from `seen by` alone, as the observation is. Whoever looks comes first and the other seats follow in
their order, so that one network can play every seat. Each field of each holder is a part: first
whether it is seen, then its value; what is not seen is 0. Things that are shown have slots
(`seen_things`). `ObservationVector.layout` says where each part stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.engine.executor import is_over
from rulewright.interpreter.knowledge.action_numbers import action_numbers
from rulewright.interpreter.knowledge.bounds import Bounds
from rulewright.interpreter.knowledge.seen_things import PLAYER, Eyes, Kinds
from rulewright.interpreter.knowledge.sight import waiting
from rulewright.interpreter.knowledge.vector_values import (
    UNIT,
    WHOLE,
    Range,
    ValueFloats,
    Vector,
    floats_of,
)
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import current, pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import LONGEST_LIST, MOST_CREATED, TICKS_PER_STEP
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing

DEEPEST = 256.0
"""More verbs never run inside each other."""

PLACES = 4
"""A thing that is created or lies face down: whether it is there, zone, holder, place from 1."""


class VectorPart(NamedTuple):
    """A part of the vector: what it tells, where it begins, and its shape.

    >>> game.observation_vector.layout[-1]
    VectorPart(name='paid of seat 1', offset=48, shape=(2,))
    """

    name: str
    offset: int
    shape: tuple[int, ...]


class _FieldFloats:
    """A field or zone of one holder."""

    def __init__(self, kinds: Kinds, bounds: Bounds, slot: int, field: model.Field) -> None:
        self.kinds, self.slot, self.field = kinds, slot, field
        self.start = kinds.layout.start_value(field.type)
        self.zone = field.type if isinstance(field.type, types.ZoneType) else None
        self.inner: ValueFloats | None = None
        self.things = ""
        self.content = 0
        self.placed = False
        """Whether the content says where each copy lies, and not only how many of each row there are."""

        ranges: tuple[Range, ...]
        if self.zone is None:
            self.inner = floats_of(
                kinds, field.type, bounds.field(field), field.holder in kinds.layout.carried
            )
            ranges = (UNIT, *self.inner.ranges)
        else:
            assert isinstance(self.zone.kind, types.ThingType), field.id
            kind = self.things = self.zone.kind.kind
            most = float(MOST_CREATED if not kinds.rows[kind] else kinds.slots[kind])
            ranges = (UNIT, UNIT, (0.0, most))
            if kinds.rows[kind] and not _nobody(field):
                # Of things that are created the slots say where they lie.
                self.placed = self.zone.shape in ("pile", "row")
                self.content = kinds.slots[kind] if self.placed else kinds.rows[kind]
                ranges += ((-1.0, most),) * self.content
        self.ranges = ranges
        self.size = len(ranges)

    def put(self, vector: Vector, at: int, place: PlaceValue, eyes: Eyes) -> None:
        """Write what the player sees of it."""
        if self.inner is not None:
            if eyes.sees(place):
                vector[at] = 1.0
                held = eyes.store.columns[place.slot][place.index]
                self.inner.put(vector, at + 1, held, eyes)
            return
        things: Sequence[Thing] = eyes.store.columns[place.slot][place.index]
        if eyes.counts(place):
            vector[at + 1], vector[at + 2] = 1.0, float(len(things))
        if not eyes.sees(place):
            return
        vector[at] = 1.0
        if not self.content:
            return
        start = at + 3
        if not self.placed:
            for thing in things:
                vector[start + eyes.row(thing)] += 1.0
            return
        firsts, taken = self.kinds.firsts[self.things], dict[int, int]()
        bag = self.kinds.layout.bag_slots.get(place.slot)
        undecided = 0 if bag is None else eyes.store.columns[bag][place.index]
        for position, thing in enumerate(things):
            row = eyes.row(thing)
            copy = taken[row] = taken.get(row, -1) + 1
            # Of the undecided ones it is only known that they are there.
            vector[start + firsts[row] + copy] = position + 1.0 if position >= undecided else -1.0


def _nobody(field: model.Field) -> bool:
    """Return whether nobody ever sees what is in a field or zone."""
    shown = field.viewers.expression
    return field.viewers.who == "nobody" or (isinstance(shown, model.ListOf) and not shown.items)


Writer = Callable[[Vector, int, Eyes], None]


class ObservationVector:
    """What the players of a loaded game see, as vectors (`Game.observation_vector`).

    >>> vectors = game.observation_vector
    >>> vectors.size, len(vectors.vector(state.seen_by(0), state.seat(0)))
    (50, 50)
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds = Kinds(program)
        self._bounds = Bounds(program, "")
        self._parts: list[tuple[VectorPart, Writer]] = []
        self._ranges: list[Range] = []
        self._fields = {
            holder: [
                _FieldFloats(self.kinds, self._bounds, *one)
                for one in fields
                if isinstance(one[1].type, types.ZoneType) or not _nobody(one[1])
            ]
            for holder, fields in self.kinds.fields.items()
        }
        self._about_play()
        for part in self._fields.get(None, ()):
            self._add(f"{self._name(part)} of the game", part.ranges, _at(part))
        for kind in self.program.layout.things:
            if kind == PLAYER:
                self._players()
            elif kind in self._fields:
                self._things(kind)
        self.layout = tuple(part for part, _ in self._parts)
        """The parts of the vector, one behind the other."""

        self.size = len(self._ranges)
        """How many floats a vector has."""

        self.low = [low for low, _ in self._ranges]
        self.high = [high for _, high in self._ranges]
        """Between which numbers each float always lies."""

    def vector(self, store: Store, player: Thing) -> list[float]:
        """Return what a player sees of a state."""
        store = seen_by(store, player)
        # Who sees a field may have to be worked out.
        store.allowance = TICKS_PER_STEP, None
        eyes = Eyes(self.kinds, store, player)
        eyes.marks = self._marks
        vector = [0.0] * self.size
        for part, write in self._parts:
            write(vector, part.offset, eyes)
        return vector

    # --------------------------------------------------------------------------------- the parts

    def _add(self, name: str, ranges: Sequence[Range], write: Writer, rows: int = 0) -> None:
        """Add a part: so many floats, or so many for each of some rows."""
        shape = (rows, len(ranges) // rows) if rows else (len(ranges),)
        if ranges:
            self._parts.append((VectorPart(name, len(self._ranges), shape), write))
            self._ranges += ranges

    def _about_play(self) -> None:
        program, seats = self.program, len(self.program.layout.players)
        numbers = action_numbers(program)
        self._sites = {key: place for place, key in enumerate(numbers.decisions)}
        # Nobody is ever asked while another verb is running.
        asking = (verb for verb in program.game.verbs if not program.plans[verb].atomic)
        self._verbs = {verb: place for place, verb in enumerate(sorted(asking))}
        self._endings = {text: place for place, text in enumerate(program.game.end_reasons, 1)}
        picked = (0.0, float(LONGEST_LIST))
        self._add("seat", [UNIT] * seats, _seat)
        self._add("decision", [UNIT] * len(self._sites) + [picked, WHOLE], self._decision)
        self._add("waiting for", [UNIT] * seats, self._waiting)
        self._add("running", [(0.0, DEEPEST)] * (3 * len(self._verbs)), self._running)
        self._add("over", [UNIT] * (2 + len(self._endings)) + [UNIT], self._over)

    def _decision(self, vector: Vector, at: int, eyes: Eyes) -> None:
        asked_now = pending(self.program, eyes.store)
        if asked_now is None or asked_now.player is not eyes.player:
            return
        vector[at + self._sites[asked_now.op.unit, asked_now.op.node]] = 1.0
        asked = current(self.program, eyes.store)
        vector[at + len(self._sites)] = float(len(asked.picked))
        vector[at + len(self._sites) + 1] = float(asked.left)

    def _waiting(self, vector: Vector, at: int, eyes: Eyes) -> None:
        for player in waiting(self.program, eyes.store, eyes.player):
            if player.number < len(self.program.layout.players):
                vector[at + eyes.seat(player)] = 1.0

    def _running(self, vector: Vector, at: int, eyes: Eyes) -> None:
        for depth, frame in enumerate(eyes.store.frames, 1):
            place = self._verbs.get(frame.unit)
            if place is not None:
                start = at + 3 * place
                vector[start] += 1.0
                vector[start + 1] = vector[start + 1] or float(depth)
                vector[start + 2] = float(depth)

    def _over(self, vector: Vector, at: int, eyes: Eyes) -> None:
        ending = eyes.store.ending
        vector[at] = float(is_over(eyes.store))
        if ending is not None:
            vector[at + self._endings.get(ending, len(self._endings) + 1)] = 1.0
            vector[at + len(self._endings) + 2] = eyes.fingerprint(ending)

    def _players(self) -> None:
        layout = self.program.layout
        for seat, _ in enumerate(layout.things[PLAYER]):
            for part in self._fields.get(PLAYER, ()):
                name = f"{self._name(part)} of seat {seat}"
                self._add(name, part.ranges, _at(part, seat))

    def _name(self, part: _FieldFloats) -> str:
        # Two modules may give a kind fields of the same short name.
        names = [one.field.name for one in self._fields[part.field.holder]]
        return part.field.name if names.count(part.field.name) == 1 else part.field.id

    def _things(self, kind: str) -> None:
        parts = self._fields[kind]
        own = [one for part in parts for one in part.ranges]
        count, created = self.kinds.slots[kind], kind in self.program.layout.carried
        where = self._where()
        shown = [*(where if created else [UNIT]), *own]

        def write(vector: Vector, at: int, eyes: Eyes) -> None:
            for slot, thing in enumerate(eyes.slots(kind)):
                if thing is None:
                    continue
                start = at + slot * len(shown)
                vector[start] = 1.0
                if created:
                    vector[start + 1 : start + PLACES] = map(float, eyes.path(thing))
                self._put(vector, start + len(shown) - len(own), parts, thing, eyes)

        self._add(kind, shown * count, write, count)
        if kind not in self.kinds.hiding:
            return
        # What is printed on a created thing is seen with the thing only.
        parts = [part for part in parts if not part.field.printed]
        marked = [*where, *(one for part in parts for one in part.ranges)]

        if not parts:
            return

        def write_marks(vector: Vector, at: int, eyes: Eyes) -> None:
            marked_ones = {one for one in eyes.face_down(kind) if self._is_marked(one, parts, eyes)}
            if not marked_ones:
                # Then their order does not matter, and takes long to find.
                return
            found = []
            for path, thing in eyes.unseen(kind):
                if thing in marked_ones:
                    floats = [0.0] * len(marked)
                    floats[0] = 1.0
                    floats[1:PLACES] = map(float, path)
                    self._put(floats, PLACES, parts, thing, eyes)
                    found.append(floats)
            for number, floats in enumerate(found[:count]):
                vector[at + number * len(marked) : at + (number + 1) * len(marked)] = floats

        self._add(f"{kind}, face down", marked * count, write_marks, count)

    def _where(self) -> list[Range]:
        most = float(2 * max(self.kinds.slots.values(), default=0) + 2)
        return [
            UNIT,
            (0.0, float(self.program.layout.size)),
            (0.0, most),
            (0.0, float(MOST_CREATED)),
        ]

    def _put(
        self, vector: Vector, at: int, parts: Sequence[_FieldFloats], thing: Thing, eyes: Eyes
    ) -> None:
        for part in parts:
            part.put(vector, at, self.program.layout.places[part.slot][thing.number], eyes)
            at += part.size

    def _is_marked(self, thing: Thing, parts: Sequence[_FieldFloats], eyes: Eyes) -> bool:
        """Return whether a thing that lies face down shows anything."""
        layout = self.program.layout
        for part in parts:
            place = layout.places[part.slot][thing.number]
            held = eyes.store.columns[part.slot][thing.number]
            if held != part.start and (
                eyes.sees(place) or (part.zone is not None and eyes.counts(place))
            ):
                return True
        return False

    def _marks(self, eyes: Eyes, thing: Thing) -> Sequence[float]:
        """Return what is told of the values on a thing, to put copies in order."""
        found: Vector = []
        seen = eyes.is_seen(thing)
        for part in self._fields.get(thing.kind, ()):
            if part.field.printed and not seen:
                continue
            if part.inner is not None and not isinstance(part.field.type, types.FamilyType):
                own = [0.0] * part.size
                place = self.program.layout.places[part.slot][thing.number]
                part.put(own, 0, place, eyes)
                found += own
        return found


def _at(part: _FieldFloats, seat: int | None = None) -> Writer:
    """Return what writes a field of the game, or of the player at a seat."""

    def write(vector: Vector, at: int, eyes: Eyes) -> None:
        number = 0 if seat is None else eyes.at_seat(seat)
        part.put(vector, at, eyes.layout.places[part.slot][number], eyes)

    return write


def _seat(vector: Vector, at: int, eyes: Eyes) -> None:
    vector[at + eyes.player.number] = 1.0


def observation_vector(program: Program) -> ObservationVector:
    """Return what makes the vectors of a loaded game; made once."""
    found: ObservationVector | None = program.vectors
    if found is None:
        found = program.vectors = ObservationVector(program)
    return found
