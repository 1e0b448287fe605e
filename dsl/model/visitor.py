"""Walking the model: the parts of expressions, the expressions and inner blocks of statements.

The walk is generic over the classes of `model`, so a new construct is looked into by every check
without anybody having to remember it.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME

_NAMES: dict[type, tuple[str, ...]] = {}
_ASIDE = ("type", "span", "see")


def _field_names(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    if kind not in _NAMES:
        _NAMES[kind] = tuple(one.name for one in attrs.fields(kind) if one.name not in _ASIDE)
    return _NAMES[kind]


def parts(node: model.Node | model.Step) -> Iterator[model.Node]:
    """Yield the expressions and places directly inside an expression, place or statement."""
    for name in _field_names(type(node)):
        yield from _expressions_in(getattr(node, name))


def _expressions_in(value: object) -> Iterator[model.Node]:
    if isinstance(value, model.Node):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _expressions_in(one)
    elif isinstance(value, model.Criterion):
        yield value.value


def handed_on(node: model.Node) -> tuple[model.Expression, ...]:
    """Return the parts whose things, or one of them, are what an expression gives.

    What is known of the things of all of these (who sees them, where they lie, whose they are, which of
    their fields are not none) is known of what the expression gives. Empty if it gives anything else.
    """
    match node:
        case model.Where() | model.Having() | model.Sorted() | model.Without() | model.Chance():
            return (node.source,)
        case model.Item(items=source) | model.SlotThing(slot=source):
            return (source,)
        case model.LetIn(body=body):
            return (body,)
        case model.Conditional(then=then, otherwise=otherwise):
            return (then, otherwise)
        case model.Lookup(pairs=pairs, otherwise=otherwise):
            values = tuple(value for _, value in pairs)
            return values if otherwise is None else (*values, otherwise)
        case model.Arithmetic(word="+", left=left, right=right) if listed(node):
            return (left, right)
        case model.Arithmetic(word="*", right=right) if listed(node):
            return (right,)
        case model.ListOf(items=items):
            return items
        case model.Builtin(name=name, arguments=arguments):
            match FUNCTION_BY_NAME[name].lists.hands_on:
                case "one" | "all" | "some":
                    return arguments[-1:]
                case "inner":
                    return tuple(_inner(arguments[-1]))
    return ()


def _inner(lists: model.Expression) -> Iterator[model.Expression]:
    """Yield the lists that a list of lists holds, as far as they are written down."""
    match lists:
        case model.Each(value=value):
            yield value
        case model.ListOf(items=items):
            yield from items
        case _:
            yield lists


def listed(node: model.Node) -> bool:
    """Return whether the value of an expression may be a list."""
    type_ = types.without_none(node.type)
    return isinstance(type_, types.UnknownType) or types.element(type_) is not None


def everything_in(node: model.Node) -> Iterator[model.Node]:
    """Yield an expression and all that stands inside it, outer first."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(tuple(parts(one))))


def through_defines(game: model.Game, node: model.Node) -> Iterator[model.Node]:
    """Yield an expression and all that stands inside it or inside the defines that it asks."""
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        for one in everything_in(waiting.pop()):
            yield one
            if isinstance(one, model.DefineCall) and one.define not in seen:
                seen.add(one.define)
                define = game.defines.get(one.define)
                if define is not None:
                    waiting += bodies_of(define)


def bodies_of(define: model.Define) -> list[model.Expression]:
    """Return all that decides the value of a define."""
    found: list[model.Expression] = [define.body]
    changes = list(define.changes)
    for line in define.lines:
        found.append(line.value)
        changes += line.changes
    for change in changes:
        if change.bearers is not None:
            found.append(change.bearers.those)
        if change.guard is not None:
            found.append(change.guard)
        found.append(change.value)
    return found


def blocks_in(statement: model.Statement) -> tuple[model.Block, ...]:
    """Return the blocks directly inside a statement."""
    match statement:
        case model.May() | model.ForEach() | model.Repeat() | model.As() | model.NamedStep():
            return (statement.block,)
        case model.Pause():
            return (statement.block,)
        case model.Either(arms=arms, taken=taken):
            return (*(arm.block for arm in arms), *(() if taken is None else (taken,)))
        case model.If():
            return (*(branch.block for branch in statement.branches), statement.otherwise)
    return ()


def heads_in(statement: model.Statement) -> Iterator[model.Node]:
    """Yield the expressions of a statement itself, not those of its blocks."""
    match statement:
        case model.Either(ask=ask):
            if ask is not None:
                yield ask
            for arm in statement.arms:
                yield arm.label
                if arm.guard is not None:
                    yield arm.guard
        case model.If():
            for branch in statement.branches:
                yield branch.condition
        case _:
            yield from parts(statement)


def statements_in(block: model.Block) -> Iterator[model.Statement]:
    """Yield every statement of a block and of the blocks inside it."""
    for statement in block:
        yield statement
        for inner in blocks_in(statement):
            yield from statements_in(inner)


def all_blocks(game: model.Game) -> Iterator[model.Block]:
    """Yield the blocks of all verbs, amendments and watches."""
    for verb in game.verbs.values():
        yield verb.block
        for amendment in verb.amendments:
            yield amendment.block
    for amendments in game.step_amendments.values():
        for amendment in amendments:
            yield amendment.block
    for watch in game.watches:
        yield watch.block


def leaves(block: model.Block) -> bool:
    """Return whether a block never comes to its end: it leaves the verb or the game."""
    return any(_leaves(statement) for statement in block)


def _leaves(statement: model.Statement) -> bool:
    match statement:
        case model.Stop() | model.EndGame():
            return True
        case model.If(otherwise=otherwise):
            return bool(otherwise) and all(leaves(inner) for inner in blocks_in(statement))
        case model.Either(arms=arms):
            return all(leaves(arm.block) for arm in arms)
        case model.NamedStep(id=identity, block=inner):
            return leaves(inner) and not any(
                isinstance(one, model.Stop) and identity in (one.target or ())
                for one in statements_in(inner)
            )
        case model.Repeat(word="for ever", block=inner):
            return not any(isinstance(one, model.Stop) for one in statements_in(inner))
    return False
