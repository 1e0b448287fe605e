"""`pause`: a stop where only offers are open, made of other steps.

Everybody is asked in seat order, beginning with the acting (or first) player, whether he takes an
offer or passes. A taken offer asks all again, so that it ends when all have passed one after the
other:

    let order = players from the acting one on
    let left = order
    repeat while left is not empty
      let asked = first(left)
      let left = left without [asked]
      as asked
        either "Pass"              # the offers that are open stand beside it; without any, nobody
      taken                        # is asked
        let left = order
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model.types import FLAG, NUMBER, PLAYER, TEXT, ListType
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck.context import Body

PASS = "Pass"
LISTED = ListType(PLAYER)


def pause(body: Body, node: nodes.Command) -> model.Statement:
    """Return the steps of a `pause`."""
    span = node.span
    order, left, asked = (
        model.Local(name=f"@pause.{name}", type=type_, span=span)
        for name, type_ in (("order", LISTED), ("left", LISTED), ("asked", PLAYER))
    )
    just_one = model.ListOf(type=LISTED, span=span, items=(asked,))
    first = model.Builtin(type=PLAYER, span=span, name="first", arguments=(left,))
    others = model.Without(type=LISTED, span=span, source=left, other=just_one)
    label = model.Constant(type=TEXT, span=span, value=PASS)
    ask = model.Either(
        span=span,
        arms=(model.Arm(span=span, label=label, guard=None, block=()),),
        taken=(_let(left, order),),
    )
    everybody = model.Repeat(
        span=span,
        word="while",
        value=model.IsEmpty(type=FLAG, span=span, source=left, negated=True),
        block=(
            _let(asked, first),
            _let(left, others),
            model.As(span=span, players=just_one, block=(ask,)),
        ),
    )
    block = (_let(order, _from_me(span)), _let(left, order), everybody)
    return model.Pause(span=span, see=node.see, block=block)


def _let(name: model.Local, value: model.Expression) -> model.Let:
    return model.Let(span=name.span, name=name.name, value=value)


def _from_me(span: Span) -> model.Expression:
    """Return the players from the acting one on, once round the table."""
    seats = model.Seats(type=LISTED, span=span)
    me = model.Me(type=PLAYER, span=span)
    one = model.Local(type=PLAYER, span=span, name="@pause.seat")
    places = [
        model.Builtin(type=NUMBER, span=span, name="position", arguments=(player, seats))
        for player in (one, me)
    ]
    before = model.Compare(type=FLAG, span=span, word="<", left=places[0], right=places[1])
    keys = (model.Criterion(most=False, value=before),)
    return model.Conditional(
        type=LISTED,
        span=span,
        condition=model.Compare(type=FLAG, span=span, word="in", left=me, right=seats),
        then=model.Sorted(type=LISTED, span=span, source=seats, name=one.name, keys=keys),
        otherwise=seats,
    )
