"""Walking the model: what stands inside expressions, statements, blocks and whole games.

What the parts of a construct are is read from its class, so that a new one is looked into by every
pass without anybody having to remember it. What an expression does with each of them (hands it on,
counts it, binds a name in it) is said in the `register`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

import attrs

from rulewright.dsl import model
from rulewright.dsl.model.constructs import READ, Use
from rulewright.dsl.model.register import BINDING, construct
from rulewright.dsl.text.source import Span

_ASIDE = ("type", "span", "see")
_BLOCKS = ("Block", "Block | None")
"""How the fields of statements are annotated that hold blocks."""

_IS_OBJECT: dict[type, bool] = {}
_FIELD_NAMES: dict[type, tuple[str, ...]] = {}
_PART_NAMES: dict[type, tuple[str, ...]] = {}
_BLOCK_NAMES: dict[type, tuple[str, ...]] = {}
_PARTS_OF: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}


def is_object(kind: type) -> bool:
    """Return whether the objects of a class have parts: it is a class of the model, no plain value. To ask
    attrs itself takes longer than all the rest of a walk."""
    found = _IS_OBJECT.get(kind)
    if found is None:
        found = _IS_OBJECT[kind] = attrs.has(kind)
    return found


def part_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a class of the model that may hold parts, in order; () for other classes."""
    names = _PART_NAMES.get(kind)
    if names is None:
        fields = attrs.fields(kind) if attrs.has(kind) else ()
        names = tuple(field.name for field in fields if field.name not in _ASIDE)
        _PART_NAMES[kind] = names
    return names


def _block_names(kind: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """Return the fields of a class of statements that hold blocks."""
    names = _BLOCK_NAMES.get(kind)
    if names is None:
        names = tuple(field.name for field in attrs.fields(kind) if field.type in _BLOCKS)
        _BLOCK_NAMES[kind] = names
    return names


# ----------------------------------------------------------------------------------- expressions


def parts(node: model.Node | model.Step) -> Iterator[model.Node]:
    """Yield the expressions and places directly inside an expression, place or statement; of a
    statement with arms or branches also their labels and conditions, but nothing of its blocks."""
    kind = type(node)
    blocks = _block_names(kind) if isinstance(node, model.Step) else ()
    for name in part_names(kind):
        if name not in blocks:
            yield from _nodes_at(getattr(node, name))


def _nodes_at(value: object) -> Iterator[model.Node]:
    if isinstance(value, model.Node):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _nodes_at(one)
    elif isinstance(value, model.Criterion):
        yield value.value
    elif isinstance(value, model.Step):
        yield from parts(value)


def nodes_in(node: model.Node) -> Iterator[model.Node]:
    """Yield an expression or place and all those inside it, outer first."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(tuple(parts(one))))


def walk(
    value: Any, instead: Mapping[type, Callable[[Any], Any]] = MappingProxyType({})
) -> Iterator[Any]:
    """Yield all objects of the model inside an object or a tuple of them, with blocks and amendments;
    itself first, and not through names. `instead` says for some classes what is walked in their place."""
    # A whole game has ten thousand parts, and many analyses look at all of them: so there is one
    # generator, and not one inside the other.
    waiting = [value]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is tuple:
            waiting += part[::-1]
            continue
        if kind in instead:
            waiting.append(instead[kind](part))
            continue
        if kind not in _PARTS_OF:
            _PARTS_OF[kind] = _getter(kind)
        parts_of = _PARTS_OF[kind]
        if parts_of is not None:
            yield part
            waiting += parts_of(part)


def _getter(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """Return what gets the parts of an object of a class, the last one first; None for a plain value."""
    names = part_names(kind)[::-1]
    if len(names) > 1:
        return operator.attrgetter(*names)
    if names:
        return lambda part: (getattr(part, names[0]),)
    return (lambda part: ()) if is_object(kind) else None


def held(value: Any) -> tuple[Any, ...]:
    """Return what a value of the model holds directly: the items of a tuple, list, set or dictionary,
    of an object all fields, also its type. Nothing is inside a span."""
    if isinstance(value, tuple | list | frozenset):
        return tuple(value)
    if isinstance(value, dict):
        return tuple(value.values())
    kind = type(value)
    if not is_object(kind) or kind is Span:
        return ()
    names = _FIELD_NAMES.get(kind)
    if names is None:
        names = _FIELD_NAMES[kind] = tuple(field.name for field in attrs.fields(kind))
    return tuple([getattr(value, name) for name in names])


def with_parts(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return an object of the model with `change` applied to each object that it holds directly (in
    tuples as well); the same object if nothing has become another."""
    if isinstance(value, tuple):
        items = tuple(_changed(one, change) for one in value)
        return value if all(map(operator.is_, items, value)) else items
    changes = {}
    for name in part_names(type(value)):
        before = getattr(value, name)
        after = _changed(before, change)
        if after is not before:
            changes[name] = after
    return attrs.evolve(value, **changes) if changes else value


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple):
        return with_parts(value, change)
    return change(value) if is_object(type(value)) else value


def substituted(
    expression: model.Expression, values: Mapping[str, model.Expression]
) -> model.Expression:
    """Return an expression with other expressions in the place of some locals. Names that the
    expression binds itself are not looked at (see `binding`)."""

    def put(part: Any) -> Any:
        if isinstance(part, model.Local):
            return values.get(part.name, part)
        return with_parts(part, put)

    return cast(model.Expression, put(expression))


def binding(node: model.Node) -> tuple[str, model.Expression | None] | None:
    """Return the local that an expression binds for some of its parts, and to what: to the value of a
    `LetIn`, otherwise to each item of a list; None beside the parameter of what is handed on."""
    bound = BINDING.get(type(node))
    if bound is None:
        return None
    source = None if bound.source is None else getattr(node, bound.source)
    return getattr(node, bound.name), source


def bound_in(node: model.Node) -> tuple[model.Node, ...]:
    """Return the parts in which that local means it."""
    bound = BINDING.get(type(node))
    return () if bound is None else tuple(_nodes_at(getattr(node, bound.over)))


def used(node: model.Node) -> Iterator[tuple[Any, Use]]:
    """Yield the expressions and places directly inside an expression or place, each with what is done
    with it."""
    uses = construct(node).uses
    for name in part_names(type(node)):
        use, value = uses.get(name, READ), getattr(node, name)
        if isinstance(value, tuple) and use is not READ:
            for one in value:
                if isinstance(one, tuple):
                    yield one[0], READ
                    one = one[-1]
                yield one, use
        else:
            for one in _nodes_at(value):
                yield one, use


def handed(node: model.Node) -> Iterator[tuple[Any, Use]]:
    """Yield the parts whose things, or one of them, are what an expression gives, each with what is done
    with it.

    What is known of the things of all of these (who sees them, where they lie, whose they are, which of
    their fields are not none) is known of what the expression gives. None if it gives anything else.
    """
    for name, use in construct(node).handed:
        value = getattr(node, name)
        if not isinstance(value, tuple):
            if value is not None:
                yield value, use
        elif isinstance(node, model.Builtin):
            yield value[-1], use
        else:
            for one in value:
                yield one[-1] if isinstance(one, tuple) else one, use


def handed_on(node: model.Node) -> tuple[model.Expression, ...]:
    """Return these parts alone; of a list of lists whose items are handed on the lists in it, as far as
    they are written down."""
    if not construct(node).handed:
        return ()
    found: list[model.Expression] = []
    for part, use in handed(node):
        match part if use.hands_on == "inner" else None:
            case model.Each(value=value):
                found.append(value)
            case model.ListOf(items=items):
                found += items
            case _:
                found.append(part)
    return tuple(found)


def counted(node: model.Node) -> model.Expression | None:
    """Return the list of which an expression asks only how many items it has; None if it asks for
    anything else."""
    name = construct(node).counted
    if name is None:
        return None
    found = getattr(node, name)
    return cast(model.Expression, found[-1] if isinstance(found, tuple) else found)


def through_defines(game: model.Game, node: model.Node) -> Iterator[model.Node]:
    """Yield an expression and all that stands inside it or inside the defines that it asks."""
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        for one in nodes_in(waiting.pop()):
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


# ------------------------------------------------------------------------------------ statements


def places_in(statement: model.Step) -> Iterator[model.Place]:
    """Yield the places directly inside a statement: an effect writes to them."""
    return (part for part in parts(statement) if isinstance(part, model.Place))


def blocks_in(statement: model.Step) -> tuple[model.Block, ...]:
    """Return the blocks directly inside a statement, also those of its arms or branches, in order."""
    return tuple(_blocks_in(statement))


def _blocks_in(statement: model.Step) -> Iterator[model.Block]:
    blocks = _block_names(type(statement))
    for name in part_names(type(statement)):
        value = getattr(statement, name)
        if name in blocks:
            if value is not None:
                yield value
        elif isinstance(value, tuple):
            for one in value:
                if isinstance(one, model.Step):
                    yield from _blocks_in(one)


def statements_in(block: model.Block) -> Iterator[model.Statement]:
    """Yield every statement of a block and of the blocks inside it."""
    for statement in block:
        yield statement
        for inner in blocks_in(statement):
            yield from statements_in(inner)


def named_steps(blocks: Iterable[model.Block]) -> dict[str, model.NamedStep]:
    """Return the named steps of some blocks and of those inside them, by their ids."""
    statements = (one for block in blocks for one in statements_in(block))
    return {one.id: one for one in statements if isinstance(one, model.NamedStep)}


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
