"""What stands on things that may lie hidden: whose they are, and their fields. It stays with the thing.

Where a line may be another thing, what was written on it belongs to what it was when that was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.mixing import Cell, Group, Mixing, Written, written
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.position_key import number_of
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

Start = Callable[[Store, Thing | None], Value]


def _own_fields(program: Program, kind: str) -> dict[int, Start]:
    """Return the columns of a kind of which the log tells all that was ever written there, and what
    stood there at first."""
    layout = program.layout
    if kind in layout.living_slots:
        return {}
    return {
        slot: _start(program, layout.fields[slot])
        for slot in layout.slots_of(kind)
        if not isinstance(layout.fields[slot].type, types.ZoneType | types.FamilyType)
        if not (layout.fields[slot].printed or layout.fields[slot].internal)
        if not layout.fields[slot].fresh
    }


def _start(program: Program, field: model.Field) -> Start:
    if field.default is None:
        value = program.layout.start_value(field.type)
        return lambda store, thing: value
    start: Start = program.evaluator.start(field.id)
    return start


class Attributes:
    """Follows what is written on things."""

    def __init__(self, program: Program, kinds: Iterable[str]) -> None:
        self.kinds = frozenset(kinds)
        self.owners = program.layout.owner_slots
        self.fields = {kind: _own_fields(program, kind) for kind in kinds}
        self.values: dict[tuple[int, Thing], Value] = {}
        self.writes: dict[Thing, list[tuple[int, int, str, Value]]] = {}
        """What was written to each line: at which event, in which column, and how."""

    def begin(self, store: Store, thing: Thing, owner: Thing | None) -> None:
        """Note what stands on a thing at the beginning."""
        self._write(-1, thing, self.owners[thing.kind], owner)
        for slot, start in self.fields[thing.kind].items():
            self._write(-1, thing, slot, start(store, thing))

    def times(self, line: Thing) -> Iterator[int]:
        """Yield when something was written to a line."""
        for number, _, _, _ in self.writes[line]:
            yield number

    def are_the_same(self, lines: Sequence[Thing], since: int) -> bool:
        """Return whether as much has been written on all of some things of one kind since an event; what it
        was must not count. Whose they were last tells nothing: it comes with every move."""
        owner = self.owners[lines[0].kind]
        first, *others = (
            [
                (slot, kind)
                for number, slot, kind, _ in self.writes[line]
                if number >= since and slot != owner
            ]
            for line in lines
        )
        return all(first == other for other in others)

    def own(self, number: int, things: Iterable[Thing], owner: Thing | None) -> None:
        """Note that things have become a player's."""
        if owner is not None:
            for thing in things:
                if thing.kind in self.kinds:
                    self._write(number, thing, self.owners[thing.kind], owner)

    def _write(self, number: int, thing: Thing, slot: int, value: Value, kind: str = "set") -> None:
        self.values[slot, thing] = written(self.values.get((slot, thing)), kind, value)
        self.writes.setdefault(thing, []).append((number, slot, kind, value))

    def change(self, number: int, kind: str, place: PlaceValue, value: Value) -> None:
        """Note what has been written on a thing that may lie hidden: it stays with the thing."""
        thing, slot = place.holder, place.slot
        if thing is None or slot not in self.fields.get(thing.kind, ()):
            return
        self._write(number, thing, slot, value, kind)

    def mixing(
        self,
        groups: Sequence[Group],
        mixed: set[Thing],
        end: int,
        referring: tuple[tuple[int, Cell, Thing], ...],
    ) -> Mixing:
        """Return groups with what was written to their lines since they were mixed last."""
        first = {
            (slot, line): value
            for line in mixed
            for number, slot, _, value in self.writes[line]
            if number < 0
        }
        since = dict.fromkeys(mixed, 0)
        found = []
        for group in groups:
            written = tuple(self._between(group.lines, since, group.time))
            since.update(dict.fromkeys(group.lines, group.time))
            found.append(attrs.evolve(group, written=written))
        last = tuple(self._between(sorted(mixed, key=number_of), since, end + 1))
        return Mixing(tuple(found), referring, last, first)

    def _between(
        self, lines: Iterable[Thing], since: Mapping[Thing, int], time: int
    ) -> Iterator[Written]:
        for line in lines:
            for number, slot, kind, value in self.writes[line]:
                if since[line] <= number < time:
                    yield slot, line, kind, value
