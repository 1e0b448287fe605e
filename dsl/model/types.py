"""The types of values, and when one fits where another is wanted.

`number` has no unit and fits everywhere a unit is wanted; two different units never meet. An
`Unknown` type stands for something already reported: it fits everywhere, so that one mistake gives
one message.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.text.source import Described


@attrs.frozen(repr=False)
class NumberType(Described):
    """`number`, or a number of a unit: `points`."""

    unit: str | None = None


@attrs.frozen(repr=False)
class FlagType(Described):
    """`flag`: yes or no."""


@attrs.frozen(repr=False)
class TextType(Described):
    """`text`."""


@attrs.frozen(repr=False)
class VerbType(Described):
    """`verb`: a verb as a value, with or without its arguments."""


@attrs.frozen(repr=False)
class NothingType(Described):
    """The type of `none`."""


@attrs.frozen(repr=False)
class AnythingType(Described):
    """`anything`: a value of the library whose type does not matter."""


@attrs.frozen(repr=False)
class UnknownType(Described):
    """The type of what has been reported already."""


@attrs.frozen(repr=False)
class EnumType(Described):
    """A value of an enumeration."""

    name: str


@attrs.frozen(repr=False)
class ThingType(Described):
    """A thing of a kind; `Player` is a kind."""

    kind: str


@attrs.frozen(repr=False)
class OptionalType(Described):
    """`T?`: a T or none."""

    inner: Type


@attrs.frozen(repr=False)
class ListType(Described):
    """`list of T`."""

    inner: Type


@attrs.frozen(repr=False)
class FamilyType(Described):
    """`T per K`: one T for every K."""

    value: Type
    key: Type


@attrs.frozen(repr=False)
class ZoneType(Described):
    """`pile of K`, `row of K`, `cards of K`, `slot of K`."""

    shape: str
    kind: Type

    @property
    def ordered(self) -> bool:
        """Whether the places of the zone can be told apart."""
        return self.shape != "cards"


@attrs.frozen(repr=False)
class FunctionType(Described):
    """`A => B`: an expression about `it`."""

    parameter: Type
    result: Type


@attrs.frozen(repr=False)
class PlaceType(Described):
    """`field of T`: a place to write to."""

    inner: Type


@attrs.frozen(repr=False)
class InstanceType(Described):
    """The type of `this` inside a module: that one instance."""

    name: str


Type = (
    NumberType
    | FlagType
    | TextType
    | VerbType
    | NothingType
    | AnythingType
    | UnknownType
    | EnumType
    | ThingType
    | OptionalType
    | ListType
    | FamilyType
    | ZoneType
    | FunctionType
    | PlaceType
    | InstanceType
)

NUMBER = NumberType()
POINTS = NumberType("points")
FLAG = FlagType()
TEXT = TextType()
VERB = VerbType()
NOTHING = NothingType()
ANYTHING = AnythingType()
UNKNOWN = UnknownType()
PLAYER = ThingType("Player")

IN_PLACE = "one of"
"""How the name of an enumeration begins that a field, option or parameter declares in place."""

ZONE_SHAPES = ("pile", "row", "cards", "slot")


def shown(kind: Type) -> str:
    """Return the type as an author writes it."""
    match kind:
        case NumberType(unit):
            return unit or "number"
        case FlagType():
            return "flag"
        case TextType():
            return "text"
        case VerbType():
            return "verb"
        case NothingType():
            return "none"
        case AnythingType():
            return "anything"
        case UnknownType():
            return "something unknown"
        case EnumType(name):
            return name.removeprefix(f"{IN_PLACE} ")
        case ThingType(name):
            return name
        case OptionalType(inner):
            return f"{shown(inner)}?"
        case ListType(inner):
            return f"list of {shown(inner)}"
        case FamilyType(value, key):
            return f"{shown(value)} per {shown(key)}"
        case ZoneType(shape, inner):
            return f"{shape} of {shown(inner)}"
        case FunctionType(parameter, result):
            return f"{shown(parameter)} => {shown(result)}"
        case PlaceType(inner):
            return f"field of {shown(inner)}"
        case InstanceType(name):
            return f"the instance {name}"


def declared_in_place(enumeration: str) -> bool:
    """Return whether an enumeration has no name of its own: a field or option declares it."""
    return enumeration.startswith(f"{IN_PLACE} ")


def words(kind: Type) -> str:
    """Return what a message calls a value of the type: `number of coins`, `zone of Card`."""
    match kind:
        case NumberType(str(unit)):
            return f"number of {unit}"
        case NothingType():
            return "nothing"
        case UnknownType():
            return "something"
        case EnumType(name) if name.startswith(f"{IN_PLACE} place "):
            return "one of these values"
        case EnumType(name) if declared_in_place(name):
            return f"value of {shown(kind)}"
        case OptionalType(inner):
            return f"{words(inner)} or none"
        case ListType(AnythingType() | UnknownType()):
            return "list"
        case ListType(ListType(AnythingType())):
            return "list of lists"
        case FamilyType(_, AnythingType()):
            return "family"
        case ZoneType("cards", inner):
            return f"zone of {shown(inner)}"
    return shown(kind)


def element(kind: Type) -> Type | None:
    """Return what a list or zone of this type holds, or None if it is neither."""
    match kind:
        case ListType(inner) | ZoneType(_, inner):
            return inner
        case UnknownType() | AnythingType():
            return kind
    return None


def without_none(kind: Type) -> Type:
    """Return T for `T?`, and any other type as it is."""
    return kind.inner if isinstance(kind, OptionalType) else kind


def fits(found: Type, wanted: Type) -> bool:
    """Return whether a value of type `found` may stand where `wanted` is asked for."""
    if isinstance(found, UnknownType) or isinstance(wanted, UnknownType | AnythingType):
        return True
    if isinstance(found, AnythingType):
        return True
    match wanted:
        case NumberType(unit):
            return isinstance(found, NumberType) and (
                found.unit is None or unit is None or found.unit == unit
            )
        case OptionalType(inner):
            if isinstance(found, NothingType):
                return True
            if isinstance(found, ZoneType) and found.shape == "slot":
                return fits(found.kind, inner)
            return fits(without_none(found), inner)
        case ListType(inner):
            held = element(found)
            return held is not None and fits(held, inner)
        case ZoneType(_, inner):
            return isinstance(found, ZoneType) and fits(found.kind, inner)
        case FamilyType(value, key):
            return (
                isinstance(found, FamilyType) and fits(found.value, value) and fits(found.key, key)
            )
        case FunctionType(_, result):
            return isinstance(found, FunctionType) and fits(found.result, result)
        case PlaceType(inner):
            return isinstance(found, PlaceType) and fits(found.inner, inner)
        case ThingType():
            if isinstance(found, ZoneType) and found.shape == "slot":
                return fits(found.kind, wanted)
    return found == wanted


def common(first: Type, second: Type) -> Type | None:
    """Return the narrowest type that both fit, or None if they have nothing in common."""
    if isinstance(first, UnknownType | AnythingType):
        return second
    if isinstance(first, NothingType):
        return second if isinstance(second, OptionalType | NothingType) else OptionalType(second)
    if isinstance(second, NothingType):
        return common(second, first)
    if isinstance(first, OptionalType) or isinstance(second, OptionalType):
        inner = common(without_none(first), without_none(second))
        return None if inner is None else OptionalType(inner)
    if isinstance(first, NumberType) and isinstance(second, NumberType):
        if first.unit == second.unit or second.unit is None:
            return first
        return second if first.unit is None else None
    held, other = element(first), element(second)
    if held is not None and other is not None and not isinstance(second, UnknownType):
        inner = common(held, other)
        return None if inner is None else ListType(inner)
    if fits(second, first):
        return first
    return second if fits(first, second) else None


def comparable(first: Type, second: Type) -> bool:
    """Return whether `is` between the two can ever make sense."""
    left, right = without_none(first), without_none(second)
    if isinstance(left, NothingType) or isinstance(right, NothingType):
        return True
    return common(left, right) is not None


def is_thing(kind: Type) -> bool:
    """Return whether values of a type are compared by identity."""
    return isinstance(without_none(kind), ThingType | EnumType)
