"""`lookup(v, a: x, b: y, else: z)`: the value beside v, with an answer for whatever v may be."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.dsl import kinds, model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import EnumType, Type


def read_lookup(body: Body, node: nodes.Call, wanted: Type | None) -> model.Expression | None:
    """Return the checked form, or None if there is no value that is looked up."""
    pairs: list[tuple[model.Expression, model.Expression]] = []
    otherwise: model.Expression | None = None
    value: model.Expression | None = None
    type_: Type | None = None
    for one in node.arguments:
        if not isinstance(one, nodes.Pair):
            value = body.expression(one)
            continue
        result = body.expression(one.value, wanted or type_)
        both = result.type if type_ is None else kinds.common(type_, result.type)
        if both is None:
            body.mismatch(result, type_ or kinds.ANYTHING)
            both = kinds.UNKNOWN
        type_ = both
        if one.key is None:
            otherwise = result
        elif value is not None:
            key = body.typed(one.key, kinds.without_none(value.type))
            pairs.append((key, result))
    if value is None:
        return None
    if otherwise is None:
        _judge(body, node, value, [key for key, _ in pairs])
    return model.Lookup(
        type=type_ or kinds.UNKNOWN,
        span=node.span,
        value=value,
        pairs=tuple(pairs),
        otherwise=otherwise,
    )


def _judge(
    body: Body, node: nodes.Call, value: model.Expression, keys: Iterable[model.Expression]
) -> None:
    """Report a value that a `lookup` without `else` has no answer for, where all can be listed."""
    given = {key.value for key in keys if isinstance(key, model.EnumConstant | model.Constant)}
    type_ = kinds.without_none(value.type)
    missing: tuple[str, ...] = ()
    if isinstance(type_, EnumType):
        missing = tuple(one for one in body.world.enumerations[type_.name] if one not in given)
    elif isinstance(type_, kinds.FlagType):
        missing = tuple(word for word, one in (("yes", True), ("no", False)) if one not in given)
    if missing:
        help = f"add `{missing[0]}: …`, or `else: …` for all others"
        body.complain(diagnostic("RW317", node.span, help=help, found=f"`{missing[0]}`"))
