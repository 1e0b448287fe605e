"""What a player sees of a state, as plain data.

Nothing is coded by hand: the `seen by` of each zone and field says everything. An observation is a
tree, because things lie in zones of things:

    {"you": "ann", "running": ["play", "turn"], "waiting for": ["ben"],
     "game": {"circle": [{"thing": "Cinder", "claim": "ann", "inside": {"count": 3}}, …], …},
     "players": {"ann": {"hand": […], "place": "Cinder"}, "ben": {"hand": {"count": 5}, …}},
     "things": {"Cell": [{"thing": "A1 (x 1, y 1)", "mark": none}, …]}}

A thing is its name, or a mapping if more is to be said about it than its printed fields. Of a zone
whose things he does not see a player knows how many there are, if that; and the state fields that
he may see although the thing lies hidden, at its place where places can be told apart. Hidden
things have no name, no number and no order here: two states that differ only in what a player
cannot see give the same observation. Things in unordered zones stand in table order, for the same
reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.sight import waiting
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

Plain: TypeAlias = Any
"""Numbers, flags, texts, none, and lists and mappings of them."""

PLAYER = "Player"


def observation(program: Program, store: Store, player: Thing | None) -> dict[str, Plain]:
    """Return what a player sees of a state; None: what every seat sees."""
    store = seen_by(store, player)
    view = View(program, store, player)
    layout = program.layout
    seats = {
        labels.show(seat, player, store, program.evaluator): view.of_holder(seat)
        for seat in layout.things.get(PLAYER, layout.players)
    }
    return {
        "you": None if player is None else view.words(player),
        "running": list(running(program, store)),
        "waiting for": [view.words(asked) for asked in waiting(program, store, player)],
        "game": view.of_holder(None),
        "players": seats,
        "things": view.elsewhere(),
        "ending": store.ending,
    }


def running(program: Program, store: Store) -> Iterable[str]:
    """Yield the names of the running verbs, outermost first: everybody knows them."""
    for frame in store.frames:
        verb = program.game.verbs.get(frame.unit)
        if verb is not None:
            yield labels.in_words(verb.name)


class View:
    """Looks at a state as a player sees it; None: as everybody does."""

    def __init__(self, program: Program, store: Store, player: Thing | None) -> None:
        self.compiler = program.evaluator
        self.layout = program.layout
        self.game = program.game
        self.store = store
        self.player = player
        self.fields: dict[str | None, list[tuple[int, model.Field]]] = {}
        for slot, field in self.layout.fields.items():
            if not field.printed and not field.internal:
                self.fields.setdefault(field.holder, []).append((slot, field))
        self.shown: set[Thing] = set()

    def words(self, value: Value) -> str:
        """Return a value as this player would name it."""
        return labels.show(value, self.player, self.store, self.compiler)

    # ------------------------------------------------------------------------------ what has fields

    def of_holder(self, holder: Thing | None) -> dict[str, Plain]:
        """Return the zones and the state fields of a thing, or of the game, by their names."""
        found: dict[str, Plain] = {}
        for slot, field in self.fields.get(None if holder is None else holder.kind, ()):
            place = self.layout.places[slot][0 if holder is None else holder.number]
            name = self.name(field)
            if isinstance(field.type, types.ZoneType):
                zone = self.zone(place, field.type)
                if zone is not None:
                    found[name] = zone
            elif self.compiler.visibility.sees(self.store, place, self.player):
                found[name] = self.plain(field.type, self._content(place))
        return found

    def name(self, field: model.Field) -> str:
        """Return what a field is called among those of its holder."""
        # Two modules may give a kind fields of the same short name; the id tells them apart.
        names = [other.name for _, other in self.fields[field.holder]]
        return field.name if names.count(field.name) == 1 else field.id

    def _content(self, place: PlaceValue) -> Value:
        return self.store.columns[place.slot][place.index]

    def elsewhere(self) -> dict[str, Plain]:
        """Return the things that lie nowhere and have zones or state fields, by kind."""
        found: dict[str, Plain] = {}
        for kind in self.layout.things:
            if kind == PLAYER or kind not in self.fields:
                continue
            things = self.store.things(kind)
            column = self.store.columns[self.layout.place_slots[kind]]
            loose = [self.thing(thing) for thing in things if column[thing.number] is None]
            if loose:
                found[kind] = loose
        return found

    # ---------------------------------------------------------------------------------------- zones

    def zone(self, place: PlaceValue, kind: types.ZoneType) -> Plain:
        """Return what a player sees of a zone; None if he does not even see how full it is."""
        things: tuple[Thing, ...] = self._content(place)
        visibility = self.compiler.visibility
        if visibility.sees(self.store, place, self.player):
            return self._open(place, kind, things)
        if not visibility.sees_count(self.store, place, self.player):
            return None
        notes = self._notes(place, kind, things)
        return {"count": len(things), **({"notes": notes} if notes else {})}

    def _open(self, place: PlaceValue, kind: types.ZoneType, things: tuple[Thing, ...]) -> Plain:
        if not kind.ordered:
            return [self.thing(thing) for thing in sorted(things, key=_number)]
        undecided = self.undecided(place)
        shown = [self.thing(thing) for thing in things[undecided:]]
        if undecided:
            # The cards are known, but their order is not even decided.
            below = [self.thing(thing) for thing in sorted(things[:undecided], key=_number)]
            return {"undecided": below, "above": shown}
        return shown

    def undecided(self, place: PlaceValue) -> int:
        """Return how many things at the bottom of a pile lie in an order that nobody knows."""
        bag = self.layout.bag_slots.get(place.slot)
        return 0 if bag is None else int(self.store.columns[bag][place.index])

    def _notes(self, place: PlaceValue, kind: types.ZoneType, things: tuple[Thing, ...]) -> Plain:
        """Return the fields that a player sees although the thing lies hidden: by place, or for
        the whole zone where its places cannot be told apart."""
        undecided = self.undecided(place) if kind.ordered else len(things)
        notes = [(position, self.visible_fields(thing)) for position, thing in enumerate(things)]
        loose = sorted(
            (fields for position, fields in notes if fields and position < undecided), key=repr
        )
        placed = {
            str(position): fields for position, fields in notes if fields and position >= undecided
        }
        return {**placed, **({"somewhere": loose} if loose else {})}

    # --------------------------------------------------------------------------------------- things

    def thing(self, thing: Thing) -> Plain:
        """Return a thing that is seen: its name, and what else can be said about it."""
        name = self.words(thing)
        kind = self.compiler.game.kinds.get(thing.kind)
        made_up = kind is not None and kind.name_define is not None
        printed = labels.printed(
            thing,
            self.player,
            self.store,
            self.compiler,
            worked_out=True,
            besides=name if made_up else "",
        )
        if printed and printed not in name:
            name = f"{name} ({printed})"
        if thing.kind not in self.fields or thing.kind == PLAYER or thing in self.shown:
            return name
        self.shown.add(thing)
        more = self.of_holder(thing)
        return {"thing": name, **more} if more else name

    def visible_fields(self, thing: Thing) -> dict[str, Plain]:
        """Return the fields of a hidden thing that a player sees and that say anything."""
        if thing.kind == PLAYER:
            return {}
        found: dict[str, Plain] = {}
        for slot, field in self.fields.get(thing.kind, ()):
            place = self.layout.places[slot][thing.number]
            content = self._content(place)
            if content == self.layout.start_value(field.type):
                continue
            if isinstance(field.type, types.ZoneType):
                zone = self.zone(place, field.type)
                if zone is not None:
                    found[self.name(field)] = zone
            elif self.compiler.visibility.sees(self.store, place, self.player):
                found[self.name(field)] = self.plain(field.type, content)
        return found

    def plain(self, kind: types.Type, value: Value) -> Plain:
        """Return the value of a field as plain data."""
        match value:
            case None | bool() | int() | str():
                return value
            case tuple() if isinstance(kind, types.FamilyType):
                return self._family(kind, value)
            case tuple():
                inner = types.element(kind) or types.UNKNOWN
                return [self.plain(inner, item) for item in value]
        return self.words(value)

    def _family(self, kind: types.FamilyType, entries: tuple[Value, ...]) -> dict[str, Plain]:
        """Return a family by the names of its keys; the entries of hidden things in no order."""
        known, unknown = [], []
        for key, entry in zip(self.layout.keys(kind.key), entries, strict=True):
            plain = self.plain(kind.value, entry)
            if isinstance(key, Thing) and not self.compiler.sees_thing(
                self.store, key, self.player
            ):
                unknown.append(plain)
            else:
                known.append((self.words(key), plain))
        names = labels.distinct([name for name, _ in known], self.compiler.words)
        found = dict(zip(names, (plain for _, plain in known), strict=True))
        return {**found, **({"unseen": sorted(unknown, key=repr)} if unknown else {})}


def _number(thing: Thing) -> int:
    return thing.number
