"""`during V`: its amendments are in force while V is running.

    during collection
      change price by 1 when my.licensed

Whether V is running is a matter of an internal field of the game: V counts it up where it begins and
down where it has ended, also when it is stopped. So each amendment in the block is an ordinary one
with one more guard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER
from rulewright.dsl.resolve.symbols import During, MenuText, Speaker
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck import statements
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.facts import tested


class RunningUnits:
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
            part = body.typed(node, types.FLAG)
        if found is None:
            found = part
        else:
            found = model.And(type=FLAG, span=part.span, left=found, right=part)
    return found


# ------------------------------------------------------------------------------------------- offers


OFFER = "offer:"
"""So begins the id of the verb of an offer."""

LONGEST_NAME = 40


class OfferReader:
    """The offers of all files, with their verbs."""

    def __init__(self) -> None:
        self.read_so_far: list[model.Offer] = []
        self.verbs: dict[str, model.Verb] = {}

    def read(self, body: Body, node: nodes.Offer, during: During) -> None:
        """Read an offer; the body is that of its file."""
        body.amending, body.calls = True, []
        label = body.typed(node.label, types.TEXT)
        body.world.labels.append(MenuText.of(node.label, optional=True))
        guard = together(body, None, *during.guards, node.guard)
        body.known = frozenset() if guard is None else tested(guard)
        block = statements.block(body, node.block)
        name = self._name(body.scope.name, node.label.raw)
        self.verbs[f"{OFFER}{name}"] = model.Verb(
            id=f"{OFFER}{name}",
            name=name.rpartition(".")[2],
            instance=body.scope.name,
            parameters=(),
            label=None,
            label_changes=(),
            block=block,
            needs_me=True,
            amendments=(),
            span=node.span,
            see=node.see,
        )
        self.read_so_far.append(
            model.Offer(
                id=f"{OFFER}{name}",
                label=label,
                running=during.running,
                targets=targets_of(during.running),
                guard=guard,
                title=body.scope.title,
                span=node.span,
                see=node.see,
            )
        )

    def _name(self, instance: str, label: str) -> str:
        """Return a name for an offer, from its text: saved games speak of it by that."""
        words = re.sub(r"\W+", "_", label.casefold()).strip("_")[:LONGEST_NAME].rstrip("_")
        name = f"{instance}.{words}" if instance else words
        known = sum(one.rpartition("/")[0] == f"{OFFER}{name}" for one in self.verbs)
        if f"{OFFER}{name}" in self.verbs:
            return f"{name}/{known + 2}"
        return name


def targets_of(running: model.Expression) -> tuple[str, ...]:
    """Return the verbs and steps of which a condition asks whether they are running."""
    match running:
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            return (*targets_of(left), *targets_of(right))
        case model.Compare(left=model.Read(field=field)):
            return (field.removeprefix(model.RUNNING),)
    return ()
