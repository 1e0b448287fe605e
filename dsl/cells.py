"""Reading cells: the text of a cell and the type of its field go in, a checked value comes out.

An empty cell is none, or `[]`; the items of a list are parted by blanks. What does not fit is
reported at the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulewright.dsl import kinds, model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import EnumType, ListType, OptionalType, ThingType, Type
from rulewright.dsl.scope import Instance
from rulewright.dsl.source import Span

EMPTY = "(empty)"
"""What a message calls a cell in which nothing stands."""


def read_cell(body: Body, text: str, span: Span, type_: Type, scope: Instance) -> model.Expression:
    """Return the value of a cell by the type of its field; an empty cell is none, or `[]`."""
    if isinstance(type_, ListType):
        items = tuple(
            read_cell(body, part, place, type_.inner, scope) for part, place in _parts(text, span)
        )
        return model.ListOf(type=type_, span=span, items=items)
    plain = kinds.without_none(type_)
    if not text and isinstance(type_, OptionalType):
        return model.Constant(type=kinds.NOTHING, span=span, value=None)
    if not text:
        # An empty text could mean that there is none, which `text?` says.
        help = (
            "a field that may have none is a `text?`" if isinstance(plain, kinds.TextType) else None
        )
        return _bad(body, text, span, plain, "this cell is empty", help)
    return _READERS[type(plain)](body, text, span, plain)


def _parts(text: str, span: Span) -> Iterator[tuple[str, Span]]:
    """Yield the items of a list cell, each with its place."""
    at = 0
    for part in text.split():
        at = text.index(part, at)
        yield part, span.slice(at, at + len(part))
        at += len(part)


def _bad(
    body: Body, text: str, span: Span, type_: Type, label: str = "", help: str | None = None
) -> model.Expression:
    expected = kinds.words(type_)
    body.complain(
        diagnostic("RW407", span, label, help=help, found=text or EMPTY, expected=expected)
    )
    return body.unknown(span)


def _number(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        return _bad(body, text, span, type_)
    return model.Constant(type=type_, span=span, value=int(text))


def _flag(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    if text not in ("yes", "no"):
        return _bad(body, text, span, type_, help="write `yes` or `no`")
    return model.Constant(type=type_, span=span, value=text == "yes")


def _text(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    return model.Constant(type=type_, span=span, value=text)


def _enum(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    assert isinstance(type_, EnumType)
    values = body.world.enumerations[type_.name]
    if text not in values:
        near = body.world.nearest(text, values)
        help = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(values[:8])}"
        if text.startswith("each of ") and not kinds.declared_in_place(type_.name):
            help = f"a row for every value: `each of {type_.name}`"
        return _bad(body, text, span, type_, help=help)
    return model.EnumConstant(type=type_, span=span, enum=type_.name, value=text)


def _thing(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    assert isinstance(type_, ThingType)
    known = body.world.thing_names.get(type_.kind)
    if known is not None and text not in known:
        near = body.world.nearest(text, known)
        help = f"did you mean `{near[0]}`?" if near else None
        if not known:
            # Where nothing has a name, that is said once.
            help = f"no table gives the things of {type_.kind} a name"
            body.world.thing_names.pop(type_.kind)
        if body.world.may_declare(text, near):
            return body.unknown(span)
        return _bad(body, text, span, type_, help=help)
    if known is not None and known[text] > 1:
        return _bad(body, text, span, type_, f"{known[text]} things are called that")
    return model.NamedThing(type=type_, span=span, kind=type_.kind, name=text)


def _verb(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    return body.typed(nodes.Name(span=span, text=text), kinds.VERB)


def _unreadable(body: Body, text: str, span: Span, type_: Type) -> model.Expression:
    if isinstance(type_, kinds.UnknownType):
        return body.unknown(span)
    return _bad(body, text, span, type_, "no cell can hold this")


_READERS: Mapping[type, Callable[[Body, str, Span, Type], model.Expression]] = {
    kinds.NumberType: _number,
    kinds.FlagType: _flag,
    kinds.TextType: _text,
    kinds.EnumType: _enum,
    kinds.ThingType: _thing,
    kinds.VerbType: _verb,
    **dict.fromkeys(
        (
            kinds.UnknownType,
            kinds.AnythingType,
            kinds.FamilyType,
            kinds.ZoneType,
            kinds.OptionalType,
            kinds.FunctionType,
            kinds.PlaceType,
            kinds.InstanceType,
            kinds.NothingType,
        ),
        _unreadable,
    ),
}
