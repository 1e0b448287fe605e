"""Reading offers: each `may` in a `during` becomes an offer, and a verb of its own for its block.

The verb begins when a player takes the offer, on top of whatever is running. It has no name that a
rule could use.
"""

from __future__ import annotations

import re

from rulewright.dsl import kinds, model, nodes, statements
from rulewright.dsl.body import Body, tested
from rulewright.dsl.durings import together
from rulewright.dsl.scope import During, MenuText

OFFER = "offer:"
"""So begins the id of the verb of an offer."""

LONGEST_NAME = 40


class Offers:
    """The offers of all files, with their verbs."""

    def __init__(self) -> None:
        self.read_so_far: list[model.Offer] = []
        self.verbs: dict[str, model.Verb] = {}

    def read(self, body: Body, node: nodes.Offer, during: During) -> None:
        """Read an offer; the body is that of its file."""
        body.amending, body.calls = True, []
        label = body.typed(node.label, kinds.TEXT)
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
