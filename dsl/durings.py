"""`during V`: its amendments are in force while V is running.

    during collection
      change price by 1 when my.licensed

Whether V is running is a matter of an internal field of the game: V counts it up where it begins and
down where it has ended, also when it is stopped. So each amendment in the block is an ordinary one
with one more guard.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import kinds, model, nodes
from rulewright.dsl.body import Body, tested
from rulewright.dsl.kinds import FLAG, NUMBER
from rulewright.dsl.scope import During, Speaker
from rulewright.dsl.source import Span


class Running:
    """The verbs and steps of which it matters whether they are running."""

    def __init__(self) -> None:
        self.counters: dict[str, str] = {}
        """For each of them the field that counts."""

        self._spans: dict[str, Span] = {}

    def condition(self, units: Sequence[str], span: Span) -> model.Expression:
        """Return whether one of some verbs and steps is running; what is unknown runs always."""
        found: model.Expression | None = None
        for unit in units:
            counter = self.counters.setdefault(unit, f"{model.RUNNING}{unit}")
            self._spans.setdefault(unit, span)
            count = model.Read(type=NUMBER, span=span, field=counter, target=None)
            none = model.Constant(type=NUMBER, span=span, value=0)
            runs = model.Compare(type=FLAG, span=span, word=">", left=count, right=none)
            found = (
                runs if found is None else model.Or(type=FLAG, span=span, left=found, right=runs)
            )
        return model.Constant(type=FLAG, span=span, value=True) if found is None else found

    def fields(self) -> dict[str, model.Field]:
        """Return the fields that count."""
        return {
            counter: model.Field(
                id=counter,
                name=counter,
                holder=None,
                type=NUMBER,
                printed=False,
                span=self._spans[unit],
                internal=True,
            )
            for unit, counter in self.counters.items()
        }


def within(outer: During | None, running: model.Expression, node: nodes.During) -> During:
    """Return what stands around the items of a `during` which may stand inside another one."""
    guards = () if node.guard is None else (node.guard,)
    if outer is None:
        return During(running, guards)
    both = model.And(type=FLAG, span=running.span, left=outer.running, right=running)
    return During(both, (*outer.guards, *guards))


def guarded(
    body: Body, speaker: Speaker | None, own: nodes.Expression | None
) -> model.Expression | None:
    """Return the whole guard of an amendment: its own behind what stands around it."""
    if not isinstance(speaker, During):
        return together(body, None, own)
    return together(body, speaker.running, *speaker.guards, own)


def together(
    body: Body, found: model.Expression | None, *written: nodes.Expression | None
) -> model.Expression | None:
    """Return what holds if all of some conditions do; each knows what those before it say."""
    for node in written:
        if node is None:
            continue
        with body.knowing(frozenset() if found is None else tested(found)):
            part = body.typed(node, kinds.FLAG)
        if found is None:
            found = part
        else:
            found = model.And(type=FLAG, span=part.span, left=found, right=part)
    return found
