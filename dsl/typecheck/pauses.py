"""`pause`: a stop where only offers are open, written in steps that there are already.

Everybody is asked in seat order, beginning with the acting (or first) player, whether he takes an
offer or passes. A taken offer asks all again, so that it ends when all have passed one after the
other:

    let order = players from the acting one on
    let left = order
    repeat while left is not empty
      let asked = first(left)
      let left = left without [asked]
      as asked
        either "Pass"                  # the offers that are open stand beside it; without any, nobody
      taken                            # is asked
        let left = order
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model import Section, types
from rulewright.dsl.model.types import FLAG, NUMBER, PLAYER, TEXT
from rulewright.dsl.text.source import Span

PASS = "Pass"
LISTED = types.ListType(PLAYER)


def pause(span: Span, see: tuple[Section, ...]) -> model.Pause:
    """Return a `pause` that is written there."""
    steps = _Steps(span)
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
        taken=(steps.let(left, order),),
    )
    everybody = model.Repeat(
        span=span,
        word="while",
        value=model.IsEmpty(type=FLAG, span=span, source=left, negated=True),
        block=(
            steps.let(asked, first),
            steps.let(left, others),
            model.As(span=span, players=just_one, block=(ask,)),
        ),
    )
    block = (steps.let(order, steps.from_me()), steps.let(left, order), everybody)
    return model.Pause(span=span, see=see, block=block)


class _Steps:
    def __init__(self, span: Span) -> None:
        self.span = span

    def let(self, name: model.Local, value: model.Expression) -> model.Let:
        return model.Let(span=self.span, name=name.name, value=value)

    def from_me(self) -> model.Expression:
        """Return the players from the acting one on, once round the table."""
        span = self.span
        seats = model.Seats(type=LISTED, span=span)
        me = model.Me(type=PLAYER, span=span)
        one = model.Local(type=PLAYER, span=span, name="@pause.seat")
        before = model.Compare(
            type=FLAG, span=span, word="<", left=self._position(one), right=self._position(me)
        )
        keys = (model.Criterion(most=False, value=before),)
        return model.Conditional(
            type=LISTED,
            span=span,
            condition=model.Compare(type=FLAG, span=span, word="in", left=me, right=seats),
            then=model.Sorted(type=LISTED, span=span, source=seats, name=one.name, keys=keys),
            otherwise=seats,
        )

    def _position(self, player: model.Expression) -> model.Expression:
        seats = model.Seats(type=LISTED, span=self.span)
        arguments = (player, seats)
        return model.Builtin(type=NUMBER, span=self.span, name="position", arguments=arguments)
