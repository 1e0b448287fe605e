"""Values as plain data: writes what a store holds in the form that a text file can hold, and reads it.

| value | plain |
| --- | --- |
| number, flag | itself |
| none | `"none"` |
| thing | its key: `"Planet:Cinder"` |
| value of an enumeration | `"Sort.fame"` |
| text | `{text = "…"}` |
| list, family | an array |
| place | `{place = "Planet.inside", of = "Planet:Cinder"}`; of a family also `entry = 2` |
| the place of what has left the game | `{gone = 3}`: a bit for each player who saw it |
| verb | `{verb = "scan", ids = ["scan"], with = []}` |
| the answer that no more is wanted | `{done = true}` |
| the answer that an offer is taken | `{offer = "offer:object"}` |
| expression handed on | `{closure = "…", locals = [["name", value]]}`; place: `place_closure` |

Reading trusts nothing: whatever is not exactly one of these, of this game, is a `ValueError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.program.questions import DONE, Done
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, LONGEST_TEXT
from rulewright.interpreter.state.layout import SCALARS, Layout
from rulewright.interpreter.state.store import Store, blank
from rulewright.interpreter.state.values import (
    Closure,
    EnumValue,
    GonePlace,
    PlaceClosure,
    PlaceValue,
    Taken,
    Thing,
    Value,
    VerbValue,
)

Plain: TypeAlias = Any

NONE = "none"
DEEPEST = 50
"""How deep lists may lie inside each other."""


class ValueCodec:
    """Writes and reads the values of one loaded game."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.counts: Mapping[str, int] | None = None
        """How many things of a kind there have been in the game that is read, if that matters."""

        self._words: dict[str, Value] = {NONE: None, **layout.by_key}
        self._words.update({seat.key: seat for seat in layout.things.get("Player", ())})
        for values in layout.enums.values():
            self._words.update({_word(value): value for value in values})

    # ---------------------------------------------------------------------------------------- write

    def encode(self, value: Value) -> Plain:
        """Return a value as plain data."""
        # What comes up most often is asked first, in the quickest way.
        kind = type(value)
        if kind is Thing:
            return value.key
        if kind is int or kind is bool:
            return value
        if kind is tuple:
            return [self.encode(item) for item in value]
        match value:
            case None:
                return NONE
            case str():
                return {"text": value}
            case EnumValue():
                return _word(value)
            case Done():
                return {"done": True}
            case Taken():
                return {"offer": value.offer}
            case GonePlace(seers=seers):
                return {"gone": seers}
            case PlaceValue():
                return self._place(value)
            case VerbValue():
                carried = [self.encode(item) for item in value.arguments]
                return {"verb": value.name, "ids": list(value.verbs), "with": carried}
            case Closure():
                return {"closure": value.lambda_id, "locals": self._locals(value.locals)}
            case PlaceClosure():
                return {"place_closure": value.lambda_id, "locals": self._locals(value.locals)}
        raise TypeError(f"{value!r} is no value")

    def _place(self, place: PlaceValue) -> Plain:
        plain = {"place": self.layout.fields[place.slot].id, "of": self.encode(place.holder)}
        return plain if place.key_index is None else {**plain, "entry": place.key_index}

    def _locals(self, locals: tuple[tuple[str, Value], ...]) -> Plain:
        return [[name, self.encode(value)] for name, value in locals]

    # ----------------------------------------------------------------------------------------- read

    def decode(self, plain: Plain, depth: int = 0) -> Value:
        """Return the value that plain data stand for."""
        if depth > DEEPEST:
            raise ValueError("lists lie too deep inside each other")
        kind = type(plain)
        if kind is str:
            if plain in self._words:
                return self._words[plain]
            created = self._created(plain)
            if created is not None:
                return created
        elif kind is list:
            if len(plain) <= LONGEST_LIST:
                return tuple([self.decode(item, depth + 1) for item in plain])
        elif kind is bool or (kind is int and abs(plain) <= LARGEST_NUMBER):
            return plain
        match plain:
            case {"text": str(text), **rest} if not rest and len(text) <= LONGEST_TEXT:
                return text
            case {"done": True, **rest} if not rest:
                return DONE
            case {"offer": str(offer), **rest} if not rest and any(
                offer == one.id for one in self.layout.game.offers
            ):
                return Taken(offer)
            case {"gone": int(seers), **rest} if not rest and self._are_seats(seers):
                return self.layout.gone(seers)
            case {"place": str(field), "of": holder, **rest}:
                return self._decode_place(field, self.decode(holder, depth + 1), rest)
            case {"verb": str(name), "ids": list(ids), "with": list(carried), **rest} if not rest:
                return self._decode_verb(name, ids, self.decode(carried, depth + 1))
            case {"closure": str(name), "locals": locals, **rest} if not rest:
                return Closure(name, self._decode_locals(locals, depth))
            case {"place_closure": str(name), "locals": locals, **rest} if not rest:
                return PlaceClosure(name, self._decode_locals(locals, depth))
        raise ValueError(f"{str(plain)[:60]!r} is nothing of this game")

    def _are_seats(self, bits: int) -> bool:
        return 0 <= bits < 1 << len(self.layout.players)

    def _created(self, key: str) -> Thing | None:
        kind = key.partition("#")[0]
        found = self.layout.created(key)
        if found is None or (self.counts is not None and found.number >= self.counts[kind]):
            return None
        return found

    def _decode_place(self, field: str, holder: Value, rest: Mapping[Any, Plain]) -> PlaceValue:
        slot = self.layout.slots.get(field)
        places = () if slot is None else self.layout.places.get(slot, ())
        place = next((place for place in places if place.holder is holder), None)
        if place is None:
            raise ValueError(f"there is no place {field!r} of {holder!r}")
        if not rest:
            return place
        kind = self.layout.fields[place.slot].type
        entry = rest.get("entry")
        if set(rest) == {"entry"} and isinstance(kind, types.FamilyType):
            if type(entry) is int and 0 <= entry < len(self.layout.keys(kind.key)):
                return PlaceValue(place.slot, place.holder, entry)
        raise ValueError(f"{field!r} has no entry {entry!r}")

    def _decode_verb(self, name: str, ids: list[Plain], carried: tuple[Value, ...]) -> VerbValue:
        verbs = self.layout.game.verbs
        if not ids or not all(isinstance(id, str) and id in verbs for id in ids):
            raise ValueError(f"there is no verb {name!r}")
        if all(len(verbs[str(id)].parameters) != len(carried) for id in ids):
            raise ValueError(f"no verb {name!r} takes {len(carried)} objects")
        return VerbValue(name, tuple(ids), carried)

    def _decode_locals(self, plain: Plain, depth: int) -> tuple[tuple[str, Value], ...]:
        if not isinstance(plain, list):
            raise ValueError("names and values are a list of pairs")
        found = []
        for pair in plain:
            match pair:
                case [str(name), value]:
                    found.append((name, self.decode(value, depth + 1)))
                case _:
                    raise ValueError("names and values are a list of pairs")
        return tuple(found)


def _word(value: EnumValue) -> str:
    return f"{value.enum}.{value.value}"


def carried_over(store: Store, layout: Layout) -> Store:
    """Return a store with the same content for another layout of the same game; nothing runs in it.

    Raises `ValueError` if the other one lacks things that this one has.
    """
    old, new = ValueCodec(store.layout), ValueCodec(layout)
    columns = [[new.decode(old.encode(value)) for value in store.columns[SCALARS]]]
    fresh = blank(layout).columns
    for number, column in enumerate(store.columns[1:], 1):
        columns.append([new.decode(old.encode(value)) for value in column])
        if len(column) != len(fresh[number]) and not store.layout.living_slots:
            raise ValueError("there are other things now")
    copy = Store(layout, columns)
    copy.dictated = tuple(new.decode(old.encode(value)) for value in store.dictated)
    copy.strict = store.strict
    return copy


def fits(layout: Layout, kind: types.Type, value: Value) -> bool:
    """Return whether a value is one of a type of the rules."""
    match kind:
        case types.NumberType():
            return isinstance(value, int) and not isinstance(value, bool)
        case types.FlagType():
            return isinstance(value, bool)
        case types.TextType():
            return isinstance(value, str)
        case types.EnumType(name):
            return isinstance(value, EnumValue) and value.enum == name
        case types.ThingType(name):
            # A field of a kind holds none until it is given a value.
            return value is None or (isinstance(value, Thing) and value.kind == name)
        case types.OptionalType(inner):
            return value is None or fits(layout, inner, value)
        case types.VerbType():
            return value is None or isinstance(value, VerbValue)
        case types.ListType(inner):
            return isinstance(value, tuple) and all(fits(layout, inner, one) for one in value)
        case types.ZoneType(_, inner):
            return isinstance(value, tuple) and all(
                one is not None and fits(layout, inner, one) for one in value
            )
        case types.FamilyType(inner, key):
            keys = layout.keys(key)
            return (
                isinstance(value, tuple)
                and len(value) == len(keys)
                and all(fits(layout, inner, one) for one in value)
            )
    return True


def field_fits(layout: Layout, field: model.Field, value: Value) -> bool:
    """Return whether a field may hold a value."""
    if isinstance(field.type, types.EnumType) and value is None:
        return field.default is None
    return fits(layout, field.type, value)
