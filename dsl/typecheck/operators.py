"""Type checking expressions: operators, numbers and texts, and the handlers of all expressions.

The operators are here; names, calls and list words have modules of their own. `HANDLERS` is the table
that a `Body` is given. Every mistake is reported once; what depends on it has the type `Unknown`,
which fits everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER, TEXT, Type
from rulewright.dsl.syntax import nodes
from rulewright.dsl.typecheck import calls, fields, lists, names
from rulewright.dsl.typecheck.constants import always_same
from rulewright.dsl.typecheck.context import Body, Handler, slot_thing
from rulewright.dsl.typecheck.facts import refuted, tested


def number(body: Body, node: nodes.Number, wanted: Type | None) -> model.Expression:
    """`5`"""
    return model.Constant(type=NUMBER, span=node.span, value=node.value)


def flag(body: Body, node: nodes.Flag, wanted: Type | None) -> model.Expression:
    """`yes`"""
    return model.Constant(type=FLAG, span=node.span, value=node.value)


def none_value(body: Body, node: nodes.NoneValue, wanted: Type | None) -> model.Expression:
    """`none`"""
    return model.Constant(type=types.NOTHING, span=node.span, value=None)


def empty(body: Body, node: nodes.Empty, wanted: Type | None) -> model.Expression:
    """`empty`, where no `is` stands before it: whoever built the tree has reported it."""
    return body.unknown(node.span)


def text(body: Body, node: nodes.Text, wanted: Type | None) -> model.Expression:
    """`"…{x}…"`"""
    if all(isinstance(part, str) for part in node.parts):
        value = "".join(part for part in node.parts if isinstance(part, str))
        return model.Constant(type=TEXT, span=node.span, value=value)
    parts = tuple(part if isinstance(part, str) else body.expression(part) for part in node.parts)
    return model.TextOf(type=TEXT, span=node.span, parts=parts)


def original(body: Body, node: nodes.Original, wanted: Type | None) -> model.Expression:
    """`original`"""
    if body.original is None:
        return body.no_value(
            "RW306",
            node.span,
            help="the value so far is known only in a `change … to original + 1`",
            name="original",
        )
    return model.OriginalValue(type=body.original, span=node.span)


def conditional(body: Body, node: nodes.Conditional, wanted: Type | None) -> model.Expression:
    """`if c then a else b`"""
    condition = body.typed(node.condition, FLAG)
    with body.knowing(tested(condition)):
        then = body.expression(node.then, wanted)
    with body.knowing(refuted(condition)):
        otherwise = body.expression(node.otherwise, wanted or then.type)
    type_ = types.common(then.type, otherwise.type)
    if type_ is None:
        body.mismatch(otherwise, then.type)
        type_ = types.UNKNOWN
    return model.Conditional(
        type=type_, span=node.span, condition=condition, then=then, otherwise=otherwise
    )


def binary(body: Body, node: nodes.Binary, wanted: Type | None) -> model.Expression:
    """`and or + - * / mod ..`"""
    match node.word:
        case "and" | "or" if _are_lists(body, node):
            return body.unknown(node.span)
        case "and":
            left = body.typed(node.left, FLAG)
            with body.knowing(tested(left)):
                right = body.typed(node.right, FLAG)
            return model.And(type=FLAG, span=node.span, left=left, right=right)
        case "or":
            left = body.typed(node.left, FLAG)
            with body.knowing(refuted(left)):
                right = body.typed(node.right, FLAG)
            return model.Or(type=FLAG, span=node.span, left=left, right=right)
        case "..":
            _check_brackets(body, node)
            low, high = body.typed(node.left, NUMBER), body.typed(node.right, NUMBER)
            type_ = types.common(low.type, high.type) or NUMBER
            return model.Numbers(type=types.ListType(type_), span=node.span, low=low, high=high)
    return _arithmetic(body, node, wanted)


def _are_lists(body: Body, node: nodes.Binary) -> bool:
    """Return whether `and` or `or` stands between lists, which is reported once."""
    if body.silent or not isinstance(node.left, nodes.Name | nodes.ListValue | nodes.Attribute):
        return False
    with body.quietly():
        left, right = body.expression(node.left), body.expression(node.right)
    if not (_is_list(left.type) and _is_list(right.type)):
        return False
    help = f"to put lists together: `{node.left.span.text} + {node.right.span.text}`"
    body.mismatch(left, FLAG, help=help)
    return True


def _check_brackets(body: Body, node: nodes.Binary) -> None:
    """Warn of `a + 2..n`: the sum is the first number, though it looks like `2..n`."""
    left = node.left
    sums = isinstance(left, nodes.Binary) and left.word in ("+", "-", "*", "/", "mod")
    if sums and node.span.start == left.span.start:
        help = f"write `({left.span.text})..{node.right.span.text}`"
        body.complain("RW314", node.span, help=help, name="..")


def _arithmetic(body: Body, node: nodes.Binary, wanted: Type | None) -> model.Expression:
    listed = node.word in ("+", "*") and wanted is not None and types.element(wanted) is not None
    hint = wanted if listed else None
    left = body.expression(node.left, hint if node.word == "+" else None)
    if hint is None and _is_list(left.type):
        hint = _as_list(left.type)
    right = body.expression(node.right, hint)
    if node.word == "+" and _is_list(left.type) and _is_list(right.type):
        type_ = types.common(_as_list(left.type), _as_list(right.type))
        if type_ is None:
            body.mismatch(right, left.type)
            return body.unknown(node.span)
        return model.Arithmetic(
            type=_as_list(type_), span=node.span, word="+", left=left, right=right
        )
    if node.word == "*" and _is_list(right.type) and isinstance(left.type, types.NumberType):
        return model.Arithmetic(
            type=_as_list(right.type), span=node.span, word="*", left=left, right=right
        )
    if any(isinstance(side.type, types.UnknownType) for side in (left, right)):
        # What the other side should be is not known: a list can be added to a list, too.
        return body.unknown(node.span)
    left, right = body.adapt(left, NUMBER), body.adapt(right, NUMBER)
    if any(isinstance(side.type, types.UnknownType) for side in (left, right)):
        return body.unknown(node.span)
    result = _units(body, node, left.type, right.type)
    return model.Arithmetic(type=result, span=node.span, word=node.word, left=left, right=right)


def _units(body: Body, node: nodes.Binary, left: Type, right: Type) -> Type:
    if not isinstance(left, types.NumberType) or not isinstance(right, types.NumberType):
        return NUMBER
    if node.word in ("+", "-", "mod"):
        if left.unit and right.unit and left.unit != right.unit:
            body.complain("RW304", node.span, expected=left.unit, found=right.unit)
        return left if left.unit else right
    if node.word == "*":
        if left.unit and right.unit:
            body.complain(
                "RW304",
                node.span,
                help=f"one of the two must be a plain number, without {right.unit}",
                expected=left.unit,
                found=right.unit,
            )
        return left if left.unit else right
    if left.unit and right.unit == left.unit:
        return NUMBER
    return left


def _is_list(type_: Type) -> bool:
    return isinstance(type_, types.ListType | types.ZoneType)


def _as_list(type_: Type) -> Type:
    return types.ListType(types.element(type_) or types.UNKNOWN)


def unary(body: Body, node: nodes.Unary, wanted: Type | None) -> model.Expression:
    """`not c`, `-n`"""
    if node.word == "not":
        return model.Not(type=FLAG, span=node.span, operand=body.typed(node.operand, FLAG))
    operand = body.typed(node.operand, NUMBER)
    if isinstance(operand, model.Constant) and isinstance(operand.value, int):
        return model.Constant(type=operand.type, span=node.span, value=-operand.value)
    return model.Negative(type=operand.type, span=node.span, operand=operand)


def compare(body: Body, node: nodes.Compare, wanted: Type | None) -> model.Expression:
    """`a is b`, `a < b`, `a in xs`"""
    if isinstance(node.right, nodes.Empty) and node.word in ("is", "is not"):
        return _is_empty(body, node)
    if node.word in ("in", "not in"):
        return _membership(body, node)
    if _right_first(body, node):
        right = body.expression(node.right)
        left = body.expression(node.left, types.without_none(right.type))
    else:
        left = body.expression(node.left)
        right = body.expression(node.right, types.without_none(left.type))
    left, right = _unslotted(left, right), _unslotted(right, left)
    same = always_same(left, right, node.span)
    if not types.comparable(left.type, right.type):
        _not_comparable(body, node, left.type, right.type, _as_number(left, right))
    elif same is not None:
        body.report.add(same)
    elif node.word not in ("is", "is not") and body.ordered(left):
        for side in (left, right):
            body.must_be_known(side)
    elif _is_list(left.type) and isinstance(right.type, types.NothingType):
        # A list may be empty, but it is always there.
        help = f"write `{node.left.span.text} {node.word} empty`"
        _not_comparable(body, node, left.type, right.type, help)
    _note_ending(body, left, right)
    return model.Compare(type=FLAG, span=node.span, word=node.word, left=left, right=right)


def _note_ending(body: Body, left: model.Expression, right: model.Expression) -> None:
    """Remember which reason `ending` is compared with, to find reasons that nothing gives."""
    if isinstance(left, model.Ending) and isinstance(right, model.Constant):
        if isinstance(right.value, str):
            body.world.reads_ending.append((right.value, right.span))


def _not_comparable(
    body: Body, node: nodes.Compare, left: Type, right: Type, help: str | None = None
) -> None:
    """Report that two values can never be the same; for numbers the units are to blame."""
    first, second = types.without_none(left), types.without_none(right)
    units = isinstance(first, types.NumberType) and isinstance(second, types.NumberType)
    words = types.shown if units else types.words
    body.complain(
        "RW304" if units else "RW311",
        node.span,
        help=help,
        expected=words(first),
        found=words(second),
    )


def _as_number(left: model.Expression, right: model.Expression) -> str | None:
    """Return what to write where a list or a family is compared with a number."""
    for several, other in ((left, right), (right, left)):
        if isinstance(types.without_none(other.type), types.NumberType):
            words = " ".join(several.span.text.split())
            if _is_list(several.type):
                return f"`count({words})` is how many there are"
            if isinstance(several.type, types.FamilyType):
                return f"`total({words})` is the sum of all"
    return None


_HANDING_DOWN = nodes.Name | nodes.Conditional | nodes.Call | nodes.ListValue | nodes.Index
"""What hands an expected type down to the words in it."""


def _right_first(body: Body, node: nodes.Compare) -> bool:
    """Return whether the left side has a bare word in it that only the right side can explain."""
    # In a trial it is enough to suppose so: the work would double with every level of brackets.
    if not isinstance(node.left, nodes.Name) and (
        body.silent or not isinstance(node.left, _HANDING_DOWN)
    ):
        return False
    if _readable(body, node.left):
        return False
    return body.silent or _readable(body, node.right)


def _readable(body: Body, node: nodes.Expression) -> bool:
    with body.quietly() as trial:
        body.expression(node)
    return len(trial) == 0


def _unslotted(side: model.Expression, other: model.Expression) -> model.Expression:
    """Read a slot as its thing where it is compared with a thing or none."""
    if isinstance(side.type, types.ZoneType) and side.type.shape == "slot":
        if not _is_list(other.type):
            return slot_thing(side)
    return side


def _is_empty(body: Body, node: nodes.Compare) -> model.Expression:
    source = body.expression(node.left)
    body.listed(source)
    return model.IsEmpty(type=FLAG, span=node.span, source=source, negated=node.word == "is not")


def _membership(body: Body, node: nodes.Compare) -> model.Expression:
    if _right_first(body, node):
        right = body.expression(node.right)
        left = body.expression(node.left, types.element(right.type))
    else:
        left = body.expression(node.left)
        right = body.expression(node.right, types.ListType(types.without_none(left.type)))
    held = types.element(right.type)
    if held is None:
        body.mismatch(right, types.ListType(left.type))
    elif not types.comparable(left.type, held):
        _not_comparable(body, node, left.type, held)
    return model.Compare(type=FLAG, span=node.span, word=node.word, left=left, right=right)


HANDLERS: Mapping[type, Handler] = {
    nodes.Number: number,
    nodes.Flag: flag,
    nodes.NoneValue: none_value,
    nodes.Empty: empty,
    nodes.Text: text,
    nodes.Original: original,
    nodes.Conditional: conditional,
    nodes.Binary: binary,
    nodes.Unary: unary,
    nodes.Compare: compare,
    **names.HANDLERS,
    **calls.HANDLERS,
    **fields.HANDLERS,
    **lists.HANDLERS,
}
