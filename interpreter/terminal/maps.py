"""Boards and rings of a game as a seat sees them: spaces with the symbols of what lies there.

No game is known here, and no module: a map is found from the model.

- *A board*: any kind whose things all lie nowhere and have printed numbers `x` and `y`. If the kind has
  defines `across` and `up`, they say where a thing is drawn, in halves of its width and in rows:
  that is how hexagons are told (`stdlib/directions.rules`).
- *A ring*: a define `around` without parameters that is a list of things (`stdlib/ring.rules`).

What is marked at a place is what the seat sees of its fields and zones, if they hold anything, and
which fields of the game and of players point there (`place` of a ship, `homeworld`). A mark has a
short symbol, which the legend explains, and what does not fit into a symbol is a note. Nothing is
read with other eyes than those of the seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.knowledge.observation import View
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.closures import THIS, constant_of
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value
from rulewright.interpreter.terminal.map_symbols import MapSymbol, PlaceContents, SymbolTable
from rulewright.interpreter.terminal.table import told
from rulewright.interpreter.words.text import printable

PLAYER = "Player"
AXES = ("x", "y")
DRAWN_AT = ("across", "up")
AROUND = "around"
MOST_PLACES = 2_500
"""A larger board is no help to anybody."""


@attrs.frozen
class MapPlace:
    """A space of a board or a place of a ring: its name, where it is drawn, what is there."""

    name: str
    across: int
    """On a board: halves of a width from the left edge of the world; on a ring: its number."""

    up: int
    symbols: tuple[MapSymbol, ...]
    thing: Thing
    """The thing that it is."""


@attrs.frozen
class Map:
    """A board or a ring with all that a seat sees there."""

    kind: str
    title: str
    is_ring: bool
    places: tuple[MapPlace, ...]
    legend: tuple[tuple[str, str, int | None], ...]
    """Symbols, what they stand for, and the number of the seat whose colour they have."""

    numbers: Mapping[int, str] = attrs.field(factory=dict)
    """The numbers of the columns, by where they are, if somebody may be asked for one."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said besides the symbols."""
        return tuple(
            f"{place.name}: {symbol.words}: {symbol.note}"
            for place in self.places
            for symbol in place.symbols
            if symbol.note
        )


def maps(program: Program, store: Store, seat: Thing | None) -> tuple[Map, ...]:
    """Return the boards and rings of a game as a seat sees them; None: what every seat sees."""
    builder = _MapBuilder(program, seen_by(store, seat), seat)
    return (*builder.boards(), *builder.rings())


def _asks_for(game: model.Game, layout: Layout, field: str, low: int, high: int) -> bool:
    """Return whether somebody may be asked for a number of a field that is printed on a board."""
    for block in visitor.all_blocks(game):
        choices = {
            step.name: step.source
            for step in visitor.statements_in(block)
            if isinstance(step, model.Choose)
            and isinstance(types.element(step.source.type), types.NumberType)
        }
        if not choices:
            continue
        for source in choices.values():
            while isinstance(source, model.Where):
                source = source.source
            if isinstance(source, model.Numbers):
                ends = [constant_of(end, layout) for end in (source.low, source.high)]
                if ends == [(True, low), (True, high)]:
                    return True
        for step in visitor.statements_in(block):
            for head in visitor.parts(step):
                for part in visitor.nodes_in(head):
                    if isinstance(part, model.Compare):
                        sides = part.left, part.right
                        names = {one.name for one in sides if isinstance(one, model.Local)}
                        read = any(
                            isinstance(one, model.Read) and one.field == field for one in sides
                        )
                        if read and names & choices.keys():
                            return True
    return False


class _MapBuilder:
    def __init__(self, program: Program, store: Store, seat: Thing | None) -> None:
        self.program, self.store, self.seat = program, store, seat
        self.layout, self.game = program.layout, program.game
        self.compiler = program.evaluator
        self.view = View(program, store, seat)
        self.say = self.compiler.words

    # ---------------------------------------------------------------------------- what is a map

    def boards(self) -> Iterator[Map]:
        """Yield the boards."""
        for kind in self.game.kinds.values():
            drawn = self._drawn(kind)
            if drawn:
                places = self._marked(kind, list(drawn), list(drawn.values()))
                if places is not None:
                    numbers = self._numbers(kind, drawn)
                    yield Map(kind.name, self._title(kind), False, *places, numbers)

    def _numbers(self, kind: model.Kind, drawn: Mapping[Thing, tuple[int, int]]) -> dict[int, str]:
        """Return the numbers of the columns, if the rules ask for one of them: for a number that is
        compared with the `x` of a space, or one from the first to the last column."""
        fields = {self.game.fields[id].name: id for id in kind.fields}
        slot = self.layout.slots[fields[AXES[0]]]
        column = {thing: self._on(slot, thing) for thing in drawn}
        numbers = [one for one in column.values() if isinstance(one, int)]
        if not _asks_for(self.game, self.layout, fields[AXES[0]], min(numbers), max(numbers)):
            return {}
        found: dict[int, str] = {}
        for thing, (across, _) in drawn.items():
            if found.setdefault(across, str(column[thing])) != str(column[thing]):
                return {}
        return found

    def rings(self) -> Iterator[Map]:
        """Yield the rings."""
        for define in self.game.defines.values():
            if define.name != AROUND or define.holder or define.parameters or define.needs_me:
                continue
            things = self._read(define, {})
            if not isinstance(things, tuple) or not 0 < len(things) <= MOST_PLACES:
                continue
            kind = self.game.kinds.get(getattr(things[0], "kind", ""))
            seen = all(
                isinstance(thing, Thing)
                and thing.kind == things[0].kind != PLAYER
                and self.compiler.sees_thing(self.store, thing, self.seat)
                for thing in things
            )
            if kind is None or not seen or len(set(things)) < len(things):
                continue
            places = self._marked(kind, things, [(number, 0) for number in range(len(things))])
            if places is not None:
                yield Map(kind.name, self._title(kind), True, *places)

    def _read(self, define: model.Define, names: dict[str, Value]) -> Value:
        """Return the value of a define, or None if the seat may not know it."""
        seats = self.layout.players if self.seat is None else (self.seat,)
        values = [self._read_by(seat, define, names) for seat in seats]
        return None if None in values else values[0]

    def _read_by(self, seat: Thing, define: model.Define, names: dict[str, Value]) -> Value:
        store = self.store
        before = store.viewer, store.trail, store.allowance
        store.viewer, store.trail, store.allowance = seat, store.trail or [], (TICKS_PER_STEP, None)
        try:
            return self.compiler.define(define.id)(store, None, names)
        except (Horizon, Undecided, PlayError):
            return None
        finally:
            store.viewer, store.trail, store.allowance = before

    def _drawn(self, kind: model.Kind) -> dict[Thing, tuple[int, int]]:
        """Return where the things of a kind are drawn; nothing if it is no board."""
        layout = self.layout
        things = layout.things.get(kind.name, ())
        printed = {
            field.name: layout.slots[field.id]
            for field in map(self.game.fields.__getitem__, kind.fields)
            if field.printed
        }
        if (
            kind.name == PLAYER
            or kind.name in layout.living_slots
            or not 0 < len(things) <= MOST_PLACES
        ):
            return {}
        if not all(axis in printed for axis in AXES):
            return {}
        lies = self.store.columns[layout.place_slots[kind.name]]
        if any(lies[thing.number] is not None for thing in things):
            return {}
        x, y = (layout.printed[printed[axis]] for axis in AXES)
        drawn = {thing: (2 * x[thing.number], y[thing.number]) for thing in things}
        found = [self._define(kind, name) for name in DRAWN_AT]
        if None not in found:
            across, up = (
                [self._read(one, {THIS: thing}) for thing in things] for one in found if one
            )
            drawn = dict(zip(things, zip(across, up, strict=True), strict=True))
        numbers = all(type(number) is int for at in drawn.values() for number in at)
        return drawn if numbers and len(set(drawn.values())) == len(drawn) else {}

    def _define(self, kind: model.Kind, name: str) -> model.Define | None:
        for define in self.game.defines.values():
            if define.name == name and define.holder == kind.name:
                plain = len(define.parameters) == 1 and not define.needs_me
                return define if plain else None
        return None

    # ------------------------------------------------------------------------- what is there

    def _marked(
        self, kind: model.Kind, things: Sequence[Thing], at: Sequence[tuple[int, int]]
    ) -> tuple[tuple[MapPlace, ...], tuple[tuple[str, str, int | None], ...]] | None:
        """Return the places with their symbols, and the legend."""
        pointing = self._pointing(kind)
        found = [PlaceContents(name=self._name(thing)) for thing in things]
        for contents, thing in zip(found, things, strict=True):
            self._printed(kind, thing, contents)
            self._held(kind, thing, contents)
            for words, owner, name in pointing.get(thing, ()):
                contents.add("reference", words, owner, short=name)
        everybody = self.layout.things.get(PLAYER, self.layout.players)
        symbols = SymbolTable([self.words(player) for player in everybody], found)
        places = tuple(
            MapPlace(contents.name, *where, symbols.of(contents), thing)
            for contents, where, thing in zip(found, at, things, strict=True)
        )
        return places, symbols.legend(self.say("unseen"))

    def words(self, value: Value) -> str:
        """Return a value as the seat would name it."""
        return printable(labels.show(value, self.seat, self.store, self.compiler))

    def named(self, field: model.Field) -> str:
        """Return the name of a field in the language of the table."""
        return printable(self.say.name(labels.in_words(field.name)))

    def _title(self, kind: model.Kind) -> str:
        return printable(self.say.name(kind.name))

    def _of(self, name: str, holder: Value) -> str:
        return printable(self.say("{place} of {holder}", place=name, holder=self.words(holder)))

    def _name(self, thing: Thing) -> str:
        kind = self.game.kinds[thing.kind]
        if not thing.name and kind.name_define is None:
            fields = {self.game.fields[id].name: id for id in kind.fields}
            at = [fields.get(axis) for axis in AXES]
            if "name" not in fields and None not in at:
                slots = [self.layout.slots[id] for id in at if id]
                return ",".join(str(self._on(slot, thing)) for slot in slots)
        return self.words(thing)

    def _on(self, slot: int, thing: Thing) -> Value:
        """Return what is printed on a thing; of created ones that is a part of the state."""
        return (self.layout.printed.get(slot) or self.store.columns[slot])[thing.number]

    def _seen(self, place: PlaceValue) -> Value:
        """Return what a field or zone holds, or None if the seat does not see it."""
        if self.compiler.visibility.sees(self.store, place, self.seat):
            return self.store.columns[place.slot][place.index]
        return None

    def _pointing(self, kind: model.Kind) -> dict[Thing, list[tuple[str, int | None, str]]]:
        """Return the fields of the game and of the players that point to things of a kind."""
        found: dict[Thing, list[tuple[str, int | None, str]]] = {}
        for slot, field in self.layout.fields.items():
            type_ = types.without_none(field.type)
            listed = types.element(type_) if isinstance(type_, types.ListType) else type_
            wanted = isinstance(listed, types.ThingType) and listed.kind == kind.name
            if not wanted or field.printed or field.holder not in (None, PLAYER):
                continue
            for place in self.layout.places[slot]:
                value = self._seen(place)
                name = words = self.named(field)
                owner = None if place.holder is None else place.holder.number
                if place.holder is not None:
                    words = self._of(name, place.holder)
                for thing in value if isinstance(value, tuple) else (value,):
                    if thing is not None:
                        found.setdefault(thing, []).append((words, owner, name))
        return found

    def _printed(self, kind: model.Kind, thing: Thing, contents: PlaceContents) -> None:
        for id in kind.fields:
            field = self.game.fields[id]
            if field.printed and field.name not in ("name", *AXES):
                value = self._on(self.layout.slots[id], thing)
                if labels.formula_of(thing, field, self.compiler) is not None:
                    value = labels.seen_value(thing, field, self.seat, self.store, self.compiler)[1]
                self._value(field, field.type, value, contents)

    def _held(self, kind: model.Kind, thing: Thing, contents: PlaceContents) -> None:
        """Mark what is in the fields and zones of a thing."""
        for id in kind.fields:
            field = self.game.fields[id]
            if field.printed:
                continue
            place = self.layout.places[self.layout.slots[id]][thing.number]
            if not isinstance(field.type, types.ZoneType):
                self._value(field, field.type, self._seen(place), contents)
                continue
            things = self._seen(place)
            if things is not None:
                order = things if field.type.ordered else sorted(things, key=lambda one: one.number)
                for one in order:
                    self._thing(one, contents)
            elif self.compiler.visibility.sees_count(self.store, place, self.seat):
                count = len(self.store.columns[place.slot][place.index])
                contents.unseen(count, self.named(field))

    def _thing(self, thing: Thing, contents: PlaceContents) -> None:
        plain = self.view.thing(thing)
        words, note = told(plain, self.say)
        shown = labels.printed(thing, self.seat, self.store, self.compiler)
        own = self.words(thing) if thing.name else shown
        fewer = labels.printed(thing, self.seat, self.store, self.compiler, numbers=False)
        contents.add(
            "thing",
            printable(words),
            self._owner(thing),
            short=printable(own),
            note=printable(note),
            plain=printable(f"{thing.kind} ({fewer})" if fewer else thing.kind),
            thing=thing,
        )

    def _owner(self, thing: Thing) -> int | None:
        """Return the seat that a thing belongs to: the first player whom its fields name."""
        kind = self.game.kinds.get(thing.kind)
        for id in kind.fields if kind is not None else ():
            field = self.game.fields[id]
            if types.without_none(field.type) != types.ThingType(PLAYER):
                continue
            slot = self.layout.slots[id]
            value = (
                self._on(slot, thing)
                if field.printed
                else self._seen(self.layout.places[slot][thing.number])
            )
            if value is not None:
                return int(value.number)
        return None

    def _value(
        self, field: model.Field, type_: types.Type, value: Value, contents: PlaceContents
    ) -> None:
        """Mark the value of a field, if it says anything."""
        name = self.named(field)
        if value in (None, False, 0, "", ()):
            return
        match types.without_none(type_):
            case types.FlagType():
                contents.add("flag", name)
            case types.NumberType() | types.TextType():
                contents.add("value", name, value=self.words(value))
            case types.FamilyType(inner, key):
                self._family(name, inner, key, value, contents)
            case types.ThingType(kind) if kind == PLAYER:
                contents.add("player", name, value.number, short=self.words(value))
            case types.ListType() if value:
                contents.add("value", name, value=self.words(value))
            case _:
                contents.add("choice", name, short=self.words(value))

    def _family(
        self, name: str, inner: types.Type, key: types.Type, entries: Value, contents: PlaceContents
    ) -> None:
        """Mark what a family holds; the entries of hidden things in no order."""
        start = self.layout.start_value(inner)
        hidden = []
        for one, entry in zip(self.layout.keys(key), entries, strict=True):
            if entry == start:
                continue
            if isinstance(one, Thing) and not self.compiler.sees_thing(self.store, one, self.seat):
                hidden.append(self.words(entry))
                continue
            owner = one.number if isinstance(one, Thing) and one.kind == PLAYER else None
            words = self._of(name, one)
            contents.add("family", words, owner, short=name, value=self.words(entry))
        for entry in sorted(hidden):
            contents.add("family", f"{name} ?", short=name, value=entry)
