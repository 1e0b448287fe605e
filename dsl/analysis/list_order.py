"""Whether it matters in which order things stand in a list that a define gives.

    choose action from turn_actions       # no: all are offered
    if count(turn_actions) > 5            # no
    do first(turn_actions)                # yes
    for each action in turn_actions       # yes: what is done first may change what comes then

Two variants may both append to a list whose order matters to nobody. Where it cannot be seen, it matters.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.source import Span


def where_order_matters(game: model.Game, name: str) -> Span | None:
    """Return the first place at which the order of the list that a define gives matters."""
    orders = _ListOrder(game, name)
    return next(orders.places(), None)


class _ListOrder:
    def __init__(self, game: model.Game, name: str) -> None:
        self.game = game
        self.carriers = {one.id for one in game.defines.values() if one.name == name}
        """The defines whose value has the order of the list in it."""
        changed = True
        while changed:
            changed = False
            for define in game.defines.values():
                if define.id in self.carriers or not _may_be_list(define.type):
                    continue
                values = (define.body, *(one.value for one in define.changes))
                if any(next(self.within(value, True), None) is not None for value in values):
                    self.carriers.add(define.id)
                    changed = True

    def places(self) -> Iterator[Span]:
        """Yield every place where the order matters."""
        game = self.game
        for define in game.defines.values():
            carries = define.id in self.carriers
            values = [define.body, *(line.value for line in define.lines)]
            for one in (*define.changes, *(two for line in define.lines for two in line.changes)):
                values += [one.value, *([one.guard] if one.guard is not None else [])]
            for value in values:
                yield from self.within(value, _may_be_list(value.type) and not carries)
        for block in visitor.all_blocks(game):
            for statement in visitor.statements_in(block):
                for head in visitor.parts(statement):
                    any_order = isinstance(statement, model.Choose) and statement.word == "one"
                    yield from self.within(head, not any_order)
        heads = [watch.condition for watch in game.watches]
        heads += [one.value for one in game.ranking]
        heads += [field.default for field in game.fields.values() if field.default is not None]
        for head in heads:
            yield from self.within(head, True)

    def within(self, node: model.Node, matters: bool) -> Iterator[Span]:
        """Yield where the list stands in an expression so that its order tells; `matters`: whether the
        order of the value itself does."""
        if isinstance(node, model.DefineCall) and matters and node.define in self.carriers:
            yield node.span
        for part, use in visitor.used(node):
            yield from self.within(part, use.order == "read" or (use.order == "kept" and matters))


def _may_be_list(kind: types.Type) -> bool:
    return isinstance(kind, types.ListType | types.UnknownType)
