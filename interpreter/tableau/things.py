"""Things and zones as a seat sees them, with handles, in an order that tells nothing."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.observation import PLAYER, View
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, PlaceValue, Thing
from rulewright.interpreter.tableau.facts import NAME, NOTHING, Facts
from rulewright.interpreter.tableau.handles import Handles, Naming
from rulewright.interpreter.tableau.view_model import FactView, NoteView, ThingView, ZoneView

GAME = "g"


def seat_ref(player: Thing) -> str:
    """Return the reference to a seat."""
    return f"p{player.number}"


class Viewer:
    """Looks at one state as a seat sees it (None: as every seat does), and names what it sees."""

    def __init__(
        self, program: Program, store: Store, player: Thing | None, handles: Handles
    ) -> None:
        self.program, self.store, self.player = program, store, player
        self.layout, self.game = program.layout, program.game
        self.view = View(program, store, player)
        self.naming = Naming(handles)
        self.facts = Facts(self.view, self.naming.handle, self.shows)
        self.things: dict[Thing, ThingView] = {}
        """What has been shown, in its order."""

        self.drawn: frozenset[Thing] = frozenset()
        """What is on maps."""

        self._named: dict[str, bool] = {}
        self.undrawn: dict[str, tuple[str, ...]] = {}
        """Of kinds that are drawn on boards: the printed fields that say where."""

    def sees(self, place: PlaceValue) -> bool:
        """Return whether the seat sees what a field or zone holds."""
        return self.program.evaluator.visibility.sees(self.store, place, self.player)

    def shows(self, thing: Thing) -> bool:
        """Return whether a thing has a place in the view: what is seen of things on a face-down card, and of
        what is out of the game, are facts at most."""
        place = self.store.columns[self.layout.place_slots[thing.kind]][thing.number]
        if place is None:
            return thing.kind in self.view.fields or thing in self.drawn
        if place.slot == GONE or not self.sees(place):
            return False
        holder = place.holder
        return holder is None or holder.kind == PLAYER or self.shows(holder)

    # --------------------------------------------------------------------------------------- zones

    def holder(
        self, holder: Thing | None, terse: bool = False
    ) -> tuple[tuple[ZoneView, ...], tuple[FactView, ...]]:
        """Return the zones and facts of a thing, a seat, or of the game (None); `terse`: without facts
        that say nothing."""
        zones, facts = [], []
        kind = None if holder is None else holder.kind
        for slot, field in self.view.fields.get(kind, ()):
            place = self.layout.places[slot][0 if holder is None else holder.number]
            if isinstance(field.type, types.ZoneType):
                zone = self.zone(field, place)
                if zone is not None:
                    zones.append(zone)
            elif self.sees(place):
                value = self.store.columns[place.slot][place.index]
                if not terse or not self._says_nothing(field, value):
                    facts.append(self.facts.field(field, value))
        return tuple(zones), tuple(facts)

    def _says_nothing(self, field: model.Field, value: object) -> bool:
        if isinstance(field.type, types.FamilyType):
            return bool(value == self.layout.start_value(field.type))
        return value in NOTHING

    def zone_id(self, place: PlaceValue) -> str | None:
        """Return the reference to a zone; None if it belongs to a thing that is not seen."""
        holder = place.holder
        name = self.view.name(self.layout.fields[place.slot])
        if holder is None:
            return f"{GAME}.{name}"
        if holder.kind == PLAYER:
            return f"{seat_ref(holder)}.{name}"
        if not self.shows(holder):
            return None
        return f"{self.naming.handle(holder)}.{name}"

    def zone(self, field: model.Field, place: PlaceValue) -> ZoneView | None:
        """Return what the seat sees of a zone; None if not even how full it is."""
        kind = field.type
        assert isinstance(kind, types.ZoneType)
        things: tuple[Thing, ...] = self.store.columns[place.slot][place.index]
        name, id = self.facts.name(field), self.zone_id(place) or ""
        if self.sees(place):
            undecided = self.view.undecided(place) if kind.ordered else len(things)
            shown = [*self._in_no_order(things[:undecided]), *things[undecided:]]
            return ZoneView(
                id,
                name,
                kind.shape,
                kind.ordered,
                "all",
                len(things),
                tuple(self.thing(one) for one in shown),
                undecided if kind.ordered else 0,
            )
        if not self.program.evaluator.visibility.sees_count(self.store, place, self.player):
            return None
        notes = tuple(self._notes(place, kind, things))
        return ZoneView(id, name, kind.shape, kind.ordered, "count", len(things), notes=notes)

    def _in_no_order(self, things: Sequence[Thing]) -> Sequence[Thing]:
        """Return things that lie in no order: alike ones as they have come in sight."""
        if len(things) < 2:
            return things
        naming = self.naming
        looks = {one: self._look(one) for one in things}
        ordered: list[Thing] = []
        for _, run in groupby(sorted(things, key=looks.__getitem__), looks.__getitem__):
            same = list(run)
            if len(same) > 1:
                told = {one: (self._told(one), self._pointed_at(one)) for one in same}
                same.sort(key=lambda one: (naming.rank(one), told[one], naming.within(one)))
                for _, alike in groupby(sorted(same, key=told.__getitem__), told.__getitem__):
                    group = list(alike)
                    if len(group) > 1:
                        naming.note_alike(group)
            ordered += same
        return ordered

    def _pointed_at(self, thing: Thing) -> tuple[tuple[int, int], ...]:
        return self.program.alike.references_to(self.store, self.player, thing)

    def _look(self, thing: Thing) -> tuple[str, int, str]:
        """Return what is printed on a thing as something to sort by: the first one in the tables that
        looks so."""
        look: Hashable = self.program.alike.look(self.store, thing)
        if isinstance(look, int):
            return thing.kind, look, ""
        return thing.kind, 0, repr(look)

    def _told(self, thing: Thing) -> str:
        """Return what is to be said about a thing besides what is printed on it, without handles."""
        self.view.shown.clear()
        told = self.view.visible_fields(thing)
        return json.dumps(told, sort_keys=True) if told else ""

    def _notes(
        self, place: PlaceValue, kind: types.ZoneType, things: Sequence[Thing]
    ) -> Iterator[NoteView]:
        """Yield what is seen of things that lie hidden; where places cannot be told apart in no order."""
        undecided = self.view.undecided(place) if kind.ordered else len(things)
        loose, placed = [], []
        for position, thing in enumerate(things):
            facts = tuple(self._noted(thing))
            if facts and position < undecided:
                loose.append(NoteView(None, facts))
            elif facts:
                placed.append(NoteView(position, facts))
        loose.sort(key=lambda note: [(one.name, one.text) for one in note.facts])
        yield from placed
        yield from loose

    def _noted(self, thing: Thing) -> Iterator[FactView]:
        if thing.kind == PLAYER:
            return
        for slot, field in self.view.fields.get(thing.kind, ()):
            place = self.layout.places[slot][thing.number]
            value = self.store.columns[place.slot][place.index]
            if value == self.layout.start_value(field.type):
                continue
            if isinstance(field.type, types.ZoneType):
                yield from self._noted_zone(field, field.type, place, value)
            elif self.sees(place):
                yield self.facts.field(field, value)

    def _noted_zone(
        self, field: model.Field, kind: types.ZoneType, place: PlaceValue, things: Sequence[Thing]
    ) -> Iterator[FactView]:
        """Yield what is seen of the zone of a thing that lies hidden: the things, or how many."""
        name = self.facts.name(field)
        if self.sees(place):
            shown = things if kind.ordered else self._in_no_order(things)
            items = tuple(self.facts.fact("", types.ThingType(one.kind), one) for one in shown)
            yield FactView(name, "list", ", ".join(one.text for one in items), items=items)
        elif self.program.evaluator.visibility.sees_count(self.store, place, self.player):
            yield FactView(name, "number", str(len(things)), value=len(things))

    # -------------------------------------------------------------------------------------- things

    def thing(self, thing: Thing) -> ThingView:
        """Return a thing that is seen."""
        if thing in self.things:
            return self.things[thing]
        if thing.kind == PLAYER:
            name = self.facts.words(thing)
            return ThingView(seat_ref(thing), self.facts.named(PLAYER), name, True, name)
        kind = self.game.kinds[thing.kind]
        id, label = self.naming.handle(thing), self.facts.words(thing)
        named = self._has_name(kind, thing)
        kind_name = self.facts.named(labels.in_words(thing.kind))
        but_for = self.undrawn.get(thing.kind, ())
        printed = tuple(self.facts.printed(thing, label, but_for))
        zones, facts = self.holder(thing, terse=True)
        shown = self.things[thing] = ThingView(
            id,
            kind_name,
            label if named else kind_name,
            named,
            label,
            printed,
            facts,
            zones,
            self.facts.owner(thing),
        )
        return shown

    def _has_name(self, kind: model.Kind, thing: Thing) -> bool:
        if kind.name not in self._named:
            fields = (self.game.fields[id] for id in kind.fields)
            self._named[kind.name] = kind.name_define is not None or any(
                one.name == NAME and one.printed for one in fields
            )
        return bool(thing.name) or self._named[kind.name]

    def elsewhere(self) -> Iterator[tuple[str, Thing]]:
        """Yield the things that lie nowhere and have zones or state fields, with their kinds."""
        for kind in self.layout.things:
            if kind == PLAYER or kind not in self.view.fields:
                continue
            column = self.store.columns[self.layout.place_slots[kind]]
            for thing in self.store.things(kind):
                if column[thing.number] is None:
                    yield kind, thing
