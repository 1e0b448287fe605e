"""A state written anew, with other things where the player does not see what lies there."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.mixing import Drawn, Mixing
from rulewright.interpreter.knowledge.renaming import PLAYER, Renaming, things_in
from rulewright.interpreter.knowledge.sight import unseen_zones
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.layout import DECISIONS, RANDOM, SCALARS
from rulewright.interpreter.state.position_key import number_of
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value


class Rewriter:
    """Writes one state as often as is needed; what speaks of things that may be others is found once."""

    def __init__(
        self,
        program: Program,
        store: Store,
        player: Thing,
        mixing: Mixing,
        shown: Mapping[int, frozenset[str]],
    ) -> None:
        """`shown` are the locals, by the numbers of frames, in which he knows which things they are."""
        self.shown = shown
        self.layout = store.layout
        self.lines = mixing.lines
        self.kinds = sorted({line.kind for line in self.lines})
        self.base = base = Store(store.layout, [column.copy() for column in store.columns])
        base.frames = [frame.copy() for frame in store.frames]
        base.transaction, base.viewer = store.transaction, store.viewer
        base.refuted, base.setbacks = store.refuted, store.setbacks
        base.most_setbacks = store.most_setbacks
        # How often others have answered is nothing that the player knows.
        base.columns[SCALARS][DECISIONS] = 0
        unseen = unseen_zones(program, store, player)
        self.unsorted = {
            (zone.slot, zone.index) for zone in unseen if zone.slot in self.layout.unordered
        }
        for slot, index in self.unsorted:
            # The order does not count, and the player does not know it.
            base.columns[slot][index] = tuple(sorted(base.columns[slot][index], key=number_of))
        self.cells = self._referring()
        self.referring = {cell for _, cell, _ in mixing.referring}
        self.families = self._families()
        visibility = program.evaluator.visibility
        readable = [
            (slot, thing)
            for slot, thing in mixing.first
            if slot in self.layout.places
            and visibility.sees(store, self.layout.places[slot][thing.number], player)
        ]
        self.known = {
            (slot, thing) for slot, thing in readable if visibility.sees_thing(store, thing, player)
        }
        """What the player reads on things that he sees: whatever he took them for before, it stands there."""

        self.read = [entry for entry in readable if entry not in self.known]
        """What he reads on things that lie hidden: it stands on whatever lies there."""

        self.picked = [
            (depth, name)
            for depth, frame in enumerate(base.frames)
            for name, value in frame.locals.items()
            if name.startswith("@") and _are_unseen(program, store, player, value)
        ]
        """What others have picked so far: it stands in the order of the options."""

        self.moving_frames = any(
            not self.lines.isdisjoint(things_in(tuple(frame.locals.values())))
            for frame in base.frames
        )

    def _referring(self) -> list[tuple[int, int]]:
        """Return the entries of columns that speak of things that may be others."""
        found = []
        for slot, column in enumerate(self.base.columns):
            for index, value in enumerate(column):
                if isinstance(value, Thing | tuple | PlaceValue):
                    if not self.lines.isdisjoint(things_in(value)):
                        found.append((slot, index))
        return found

    def _families(self) -> list[tuple[int, str]]:
        """Return the columns of families that have an entry for each thing of such a kind."""
        found = []
        for slot, field in self.layout.fields.items():
            kind = field.type
            if slot < self.layout.size and isinstance(kind, types.FamilyType):
                if isinstance(kind.key, types.ThingType) and kind.key.kind in self.kinds:
                    found.append((slot, kind.key.kind))
        return found

    def write(self, drawn: Drawn, stream: int) -> Store:
        """Return the state with the things that were drawn, and a stream of chance of its own."""
        base, layout = self.base, self.layout
        other = base.clone()
        columns = other.columns
        columns[SCALARS][RANDOM] = stream
        if not drawn.identities and not drawn.referred and not drawn.entries:
            return other
        renaming = Renaming(layout, drawn.identities)
        for slot, index in self.cells:
            value = self._renamed(slot, index, renaming, drawn)
            if (slot, index) in self.unsorted:
                value = tuple(sorted(value, key=number_of))
            columns[slot][index] = value
        self._turn_rows(drawn, columns)
        for slot, bag in layout.bag_slots.items():
            for index, count in enumerate(columns[bag]):
                if count:
                    pile = columns[slot][index]
                    columns[slot][index] = (*sorted(pile[:count], key=number_of), *pile[count:])
        if self.moving_frames:
            other.frames = [
                renaming.frame(frame, self.shown.get(depth, frozenset()))
                for depth, frame in enumerate(base.frames)
            ]
            for depth, name in self.picked:
                held = other.frames[depth].locals
                held[name] = tuple(sorted(held[name], key=number_of))
        return other

    def _renamed(self, slot: int, index: int, renaming: Renaming, drawn: Drawn) -> Value:
        value = self.base.columns[slot][index]
        if (slot, index) not in self.referring:
            return renaming.value(value)
        then = {
            line: thing for (cell, line), thing in drawn.referred.items() if cell == (slot, index)
        }
        return Renaming(self.layout, {**drawn.identities, **then}).value(value)

    def _turn_rows(self, drawn: Drawn, columns: list[list[Value]]) -> None:
        """Give each thing what the one has that lies where it lies now."""
        layout, renaming = self.layout, Renaming(self.layout, drawn.identities)
        for kind in self.kinds:
            turned = [
                (line.number, thing.number)
                for line, thing in drawn.identities.items()
                if line.kind == kind
            ]
            if not turned:
                continue
            for slot in layout.columns_of(kind):
                # What is printed on created things stays with them, as in a table.
                if slot not in layout.carried.get(kind, ()):
                    columns[slot] = _turned(columns[slot], turned)
            for slot, key in self.families:
                if key == kind:
                    columns[slot] = [tuple(_turned(family, turned)) for family in columns[slot]]
            living = layout.living_slots.get(kind)
            if living is not None:
                columns[living][0] = tuple(sorted(columns[living][0], key=number_of))
        for (slot, thing), value in drawn.entries.items():
            if (slot, thing) not in self.known:
                columns[slot][thing.number] = renaming.value(value)
        for slot, line in self.read:
            thing = drawn.identities.get(line, line)
            columns[slot][thing.number] = renaming.value(self.base.columns[slot][line.number])


def _are_unseen(program: Program, store: Store, player: Thing, value: Value) -> bool:
    """Return whether these are things of which the player sees none."""
    sees = program.evaluator.visibility.sees_thing
    return isinstance(value, tuple) and all(
        isinstance(one, Thing) and one.kind != PLAYER and not sees(store, one, player)
        for one in value
    )


def _turned(entries: list[Value] | tuple[Value, ...], turned: list[tuple[int, int]]) -> list[Value]:
    found = [*entries]
    for here, there in turned:
        found[there] = entries[here]
    return found
