"""Numbers and their ranges: a value that can be seen to lie outside of its range is reported here,
not only in play.

    level: number in 0..5 = 7        # 7 is outside of 0..5

Only numbers that are written out are judged; a range that depends on something is left to play.
"""

from __future__ import annotations

from rulewright.dsl import model, nodes
from rulewright.dsl.body import Body
from rulewright.dsl.diagnostics import Label, diagnostic


def number_of(node: nodes.Expression | None) -> int | None:
    """Return a number that is written out, or None."""
    match node:
        case nodes.Number(value=value):
            return value
        case nodes.Unary(word="-", operand=nodes.Number(value=value)):
            return -value
    return None


def check(
    body: Body,
    value: model.Expression,
    low: nodes.Expression | None,
    high: nodes.Expression | None,
    declared: nodes.Span | None = None,
    help: str | None = None,
) -> None:
    """Report a number that is outside of its range."""
    found = value.value if isinstance(value, model.Constant) else None
    least, most = number_of(low), number_of(high)
    if not isinstance(found, int) or isinstance(found, bool):
        return
    if least is not None and most is not None and least > most:
        return  # `check_order` has said so
    if (least is not None and found < least) or (most is not None and found > most):
        expected = f"{least} and more" if most is None else f"{least}..{most}"
        secondary = () if declared is None else (Label(declared, "declared here"),)
        body.complain(
            diagnostic(
                "RW312",
                value.span,
                help=help,
                secondary=secondary,
                found=str(found),
                expected=expected,
            )
        )


def check_order(body: Body, low: nodes.Expression | None, high: nodes.Expression | None) -> None:
    """Report a range that no number is in."""
    least, most = number_of(low), number_of(high)
    if low is not None and least is not None and most is not None and least > most:
        help = f"write `{most}..{least}`"
        expected = f"{least}..{most}"
        body.complain(
            diagnostic("RW312", low.span, help=help, found="every number", expected=expected)
        )


def check_place(
    body: Body, place: model.FieldPlace | model.EntryPlace, value: model.Expression
) -> None:
    """Report a number that a field is set to and that is outside of its range."""
    field = body.world.field_ids[place.field]
    check(body, value, field.low, field.high, field.word.span)
