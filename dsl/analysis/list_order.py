"""Whether it matters in which order things stand in a list that a define gives.

    choose action from turn_actions       # no: all are offered
    if count(turn_actions) > 5            # no
    do first(turn_actions)                # yes
    for each action in turn_actions       # yes: what is done first may change what comes then

Two variants may both append to a list whose order matters to nobody. Where it cannot be seen, it matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.builtins import list_use
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
        match node:
            case model.DefineCall(define=define, arguments=arguments):
                if matters and define in self.carriers:
                    yield node.span
                yield from self._all(arguments, True)
            case model.Builtin(name=name, arguments=arguments):
                order = list_use(name).order
                yield from self._all(arguments, order == "read" or (order == "kept" and matters))
            case model.Where(source=source, condition=condition):
                yield from self.within(source, matters)
                yield from self.within(condition, True)
            case model.Each(source=source, value=value):
                yield from self.within(source, matters)
                yield from self.within(value, True)
            case model.Without(source=source, other=other):
                yield from self.within(source, matters)
                yield from self.within(other, False)
            case model.Having(source=source, keys=keys) | model.Sorted(source=source, keys=keys):
                yield from self.within(source, matters)
                for key in keys:
                    yield from self.within(key.value, True)
            case model.Quantified(source=source, condition=condition):
                yield from self.within(source, False)
                yield from self.within(condition, True)
            case model.IsEmpty(source=source) | model.Chance(source=source, count=None):
                yield from self.within(source, False)
            case model.Lookup(value=value, pairs=pairs, otherwise=otherwise):
                yield from self.within(value, True)
                for beside, answer in pairs:
                    yield from self.within(beside, True)
                    yield from self.within(answer, matters)
                yield from self._all(() if otherwise is None else (otherwise,), matters)
            case model.LetIn(value=value, body=body):
                yield from self.within(value, True)
                yield from self.within(body, matters)
            case model.Compare(word="in" | "not in", left=left, right=right):
                yield from self.within(left, True)
                yield from self.within(right, False)
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                yield from self.within(condition, True)
                yield from self.within(then, matters)
                yield from self.within(otherwise, matters)
            case model.Arithmetic(left=left, right=right):
                inner = matters if _may_be_list(node.type) else True
                yield from self.within(left, inner)
                yield from self.within(right, inner)
            case model.ListOf(items=items):
                yield from self._all(items, matters)
            case _:
                yield from self._all(visitor.parts(node), True)

    def _all(self, found: Iterable[model.Node], matters: bool) -> Iterator[Span]:
        for one in found:
            yield from self.within(one, matters)


def _may_be_list(kind: types.Type) -> bool:
    return isinstance(kind, types.ListType | types.UnknownType)
