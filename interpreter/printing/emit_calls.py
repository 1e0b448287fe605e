"""Generating calls: defines, expressions about `it`, verbs as values, questions about the end.

A small define is written where it is called; a larger one becomes a function of its own, once for
each combination of arguments that are known when the game is loaded. One that takes an expression
about `it` is always written out. What reads only printed fields remembers its results."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.needs import UNWRITTEN
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.printing.emit import (
    CHEAP,
    Bound,
    Function,
    Handler,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_changes import amended
from rulewright.interpreter.printing.emit_tables import (
    Remembered,
    looked_up,
    tabulated,
    things_of,
)
from rulewright.interpreter.printing.emit_values import in_measure, length_of, most_of
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.semantics.calls import given_to
from rulewright.interpreter.semantics.closures import may_be_listed
from rulewright.interpreter.state.errors import LARGEST_NUMBER
from rulewright.interpreter.state.values import Value, VerbValue

SMALL = 30
"""A define with up to so many parts is written where it is called."""

LARGE = 20
"""What a define with so many parts has said last about a thing is kept as long as the zones on which it
depends are the same."""

MEMOISED = 1500
"""So many parts must roughly be worked out for a value that is memoised: to look it up is not free either."""

MOST_VARIANTS = 64
"""So many functions may be made of one define for different known arguments."""


@attrs.frozen(eq=False)
class Called:
    """A define that has become a function."""

    name: str
    known: Known | None
    """What it is always."""

    cost: int
    length: int | None
    most: int
    looks: bool = True
    """Whether it reads something that may end a transaction."""

    table: str | None = None
    """What it says about each thing it can be asked about."""

    remembered: str | None = None
    """What it has said so far."""

    memoised: str | None = None
    """What asks first what it has said for the position."""

    lately: str | None = None
    """What it has said last about each thing, behind the zones on which it depends (`slots`)."""

    slots: tuple[int, ...] = ()


def define_call(
    function: Function,
    node: model.DefineCall,
    scope: Scope,
    body: Callable[[Function, model.Define, Scope], Part] | None = None,
) -> Part:
    """`strength(fleet)`, `p.score`; `body` writes what the define says, if that is not done as
    usual, and always where it is called. What is remembered everybody sees, so it is as usual."""
    define = function.evaluator.game.defines[node.define]
    player = scope.me
    arguments: dict[str, Part] = {}
    functions: dict[str, Bound] = {}
    plain = []
    for name, wanted, argument in zip(
        define.parameters, define.parameter_types, node.arguments, strict=True
    ):
        if isinstance(wanted, types.FunctionType):
            functions[name] = about(argument, scope)
        elif isinstance(wanted, types.ZoneType | types.PlaceType):
            raise NotGenerated("a place as an argument")
        else:
            plain.append((name, wanted, argument))
    nodes: list[model.Expression] = [argument for _, _, argument in plain]
    asked = node.me is not None and not isinstance(node.me, model.Me)
    if asked:
        nodes.insert(0, node.me)  # type: ignore[arg-type]
    made = function.parts(nodes, scope)
    if asked:
        player = function.kept(made.pop(0))
        if isinstance(player, Made):
            function.slow_if(expression("player is None", player=player.tree))
        elif player.value is None:
            raise NotGenerated("nobody is asked")
    for (name, wanted, argument), part in zip(plain, made, strict=True):
        arguments[name] = _fitted(function, part, argument, wanted)
    asked_about = _asked_about(plain)
    small = _size(function, define) <= SMALL and not is_static(function, define.id)
    apart = _slots_behind(function, define, asked_about) or _is_memoised(function, define)
    if functions or ((body is not None or small) and not apart):
        inner = Scope(
            player, {name: function.kept(part) for name, part in arguments.items()}, functions
        )
        return (body or _body)(function, define, inner)
    return _called(function, define, player, arguments, asked_about)


def _asked_about(
    plain: Sequence[tuple[str, types.Type, model.Expression]],
) -> str | None:
    """Return the kind of things about one of which a define is asked, if it is asked about nothing
    else."""
    if len(plain) == 1:
        ((_, wanted, argument),) = plain
        # One thing that is given for a list is a list, and what may be none has no place in a table.
        if isinstance(wanted, types.ListType) or types.without_none(wanted) != wanted:
            return None
        for kind in (wanted, types.without_none(argument.type)):
            if isinstance(kind, types.ThingType):
                return kind.kind
    return None


def about(argument: object, scope: Scope) -> Bound:
    """Return the expression about `it` that is handed on, with its scope."""
    if isinstance(argument, model.Lambda):
        return Bound(argument, scope)
    if isinstance(argument, model.Local) and argument.name in scope.functions:
        return scope.functions[argument.name]
    raise NotGenerated("an expression that is handed on")


def _fitted(function: Function, part: Part, argument: object, wanted: types.Type) -> Part:
    """Return an argument; a single thing is a list where a list is wanted."""
    if not isinstance(wanted, types.ListType) or may_be_listed(argument):  # type: ignore[arg-type]
        return part
    kind = types.without_none(argument.type)  # type: ignore[attr-defined]
    if not isinstance(kind, types.ThingType | types.EnumType):
        return part
    if isinstance(part, Known):
        return Known((part.value,))
    return Made(ast.Tuple([part.tree], ast.Load()), length=1)


def _size(function: Function, define: model.Define) -> int:
    key = "size", define.id
    if key not in function.names.kept:
        function.names.kept[key] = sum(1 for _ in visitor.walk((define.body, define.lines)))
    size: int = function.names.kept[key]
    return size


def is_static(function: Function, define: str) -> bool:
    """Return whether a define depends on printed fields and its arguments only."""
    evaluator = function.evaluator
    return bool(evaluator.game.defines[define].parameters) and evaluator.fixed.define(define)


def _slots_behind(function: Function, define: model.Define, kind: str | None) -> tuple[int, ...]:
    """Return the columns of the zones on which a large define depends, if it depends on nothing else
    but a thing and everybody sees them as they lie; else none."""
    key = "behind", define.id, kind
    kept = function.names.kept
    if key not in kept:
        layout, zones = function.layout, function.evaluator.fixed.zones(define.id)
        slots = tuple(sorted(layout.slots[zone] for zone in zones or ()))
        guard = function.evaluator.visibility.guard
        fits = (
            kind is not None
            and things_of(layout, kind) is not None
            and _whole_size(function, define) >= LARGE
            and all(guard(slot) is None and slot not in layout.bag_slots for slot in slots)
        )
        kept[key] = slots if fits else ()
    found: tuple[int, ...] = kept[key]
    return found


def _is_memoised(function: Function, define: model.Define) -> bool:
    """Return whether what a define says is remembered as long as the position stays. A flag is written where
    it is asked: there it is left as soon as it is known."""
    return define.type != types.FLAG and function.names.memo.memoises(define.id, MEMOISED)


def _whole_size(function: Function, define: model.Define) -> int:
    """Return the number of parts of a define with those of the defines it calls, as far as it is not
    large already."""
    key = "whole size", define.id
    kept = function.names.kept
    if key not in kept:
        size = _size(function, define)
        for part in visitor.walk((define.body, define.lines)):
            if size < LARGE and isinstance(part, model.DefineCall):
                size += _whole_size(function, function.evaluator.game.defines[part.define])
        kept[key] = min(size, LARGE)
    found: int = kept[key]
    return found


def _body(function: Function, define: model.Define, scope: Scope) -> Part:
    """Write what a define says, in its own scope, with its amendments."""
    if not define.lines:
        part = function.part(define.body, scope)
        return amended(function, part, define.changes, scope) if define.changes else part
    part = _tally(function, define, scope)
    return amended(function, part, define.changes, scope) if define.changes else part


def _tally(function: Function, define: model.Define, scope: Scope) -> Part:
    """Write the sum of the lines of a tally."""
    lines: list[Part] = []
    for line in define.lines:
        part = function.part(line.value, scope)
        if line.changes:
            part = amended(function, part, line.changes, scope)
        # What comes later may have statements.
        lines.append(function.kept(part))
    tree = function.tree(lines[0])
    for other in lines[1:]:
        tree = expression("one + other", one=tree, other=function.tree(other))
    if all(isinstance(part, Known) for part in lines):
        return Known(sum(part.value for part in lines))  # type: ignore[union-attr]
    most = sum(most_of(part) for part in lines)
    made = Made(tree, most=most)
    return made if most <= LARGEST_NUMBER else in_measure(function, made)


def _called(
    function: Function,
    define: model.Define,
    player: Part,
    arguments: dict[str, Part],
    asked_about: str | None,
) -> Part:
    known = {name: part for name, part in arguments.items() if isinstance(part, Known)}
    slots = _slots_behind(function, define, asked_about)
    about = asked_about if slots else None
    key: tuple[object, ...] = (
        "define",
        define.id,
        about,
        tuple((name, type(part.value), part.value) for name, part in known.items()),
    )
    kept = function.names.kept
    counter = "variants", define.id
    if key not in kept:
        if kept.get(counter, 0) >= MOST_VARIANTS:
            known = {}
            key = "define", define.id, about, ()
    if key not in kept:
        kept[counter] = kept.get(counter, 0) + 1
        kept[key] = None
        kept[key] = _written(function, define, known, asked_about)
    called: Called | None = kept[key]
    if called is None:
        raise NotGenerated("a define that cannot be written")
    if called.known is not None:
        return called.known
    function.looks |= called.looks
    # What is memoised counts for itself.
    function.cost += 1 if called.memoised is not None else called.cost
    trees = [function.tree(part) for name, part in arguments.items() if name not in known]
    if called.table is not None:
        return Made(looked_up(called.table, trees[0]), length=called.length, most=called.most)
    if called.remembered is not None:
        asked = trees[0] if len(trees) == 1 else ast.Tuple(trees, ast.Load())
        tree = ast.Subscript(variable(called.remembered), asked, ast.Load())
        return Made(tree, length=called.length, most=called.most)
    if called.lately is not None:
        return Made(_lately(function, called, trees[0]), length=called.length, most=called.most)
    name = called.memoised or called.name
    call = ast.Call(variable(name), [variable("S"), function.tree(player), *trees], keywords=[])
    return Made(call, length=called.length, most=called.most)


def _lately(function: Function, called: Called, asked: ast.expr) -> ast.expr:
    """Write what a define says about a thing: if the zones are still the same, what it has said."""
    thing = function.tree(function.kept(Made(asked)))
    assert called.lately is not None
    last = function.keep(looked_up(called.lately, thing))
    zones = [expression("column[0]", column=function.column(slot)) for slot in called.slots]
    tests = [
        expression("last[place] is not zone", last=last, place=number(place), zone=zone)
        for place, zone in enumerate(zones)
    ]
    call = expression("call(S, None, thing)", call=called.name, thing=thing)
    function.write(
        "if changed:\n    last = table[thing.number] = said",
        changed=tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests),
        last=last,
        table=called.lately,
        thing=thing,
        said=ast.Tuple([*zones, call], ast.Load()),
    )
    return expression("last[place]", last=last, place=number(len(zones)))


def _written(
    function: Function, define: model.Define, known: Mapping[str, Part], asked_about: str | None
) -> Called:
    """Write a define as a function of its own."""
    names = function.names
    inner = Function(names, function.handlers)
    scope = Scope(Made(variable("me")), dict(known))
    parameters = []
    for name in define.parameters:
        if name not in known:
            parameters.append(names.fresh("a"))
            scope = scope.having(name, Made(variable(parameters[-1])))
    remembers = is_static(function, define.id) and bool(parameters)
    part = _body(inner, define, scope)
    if isinstance(part, Known) and not inner.block:
        return Called("", part, 0, None, 0, looks=False)
    result = inner.tree(part)
    name = names.fresh("define_")
    memoised = not remembers and _is_memoised(function, define)
    uncounted = 0 if memoised else CHEAP
    names.functions.append(inner.finished(name, ["S", "me", *parameters], result, uncounted))
    cost = 1 if remembers else inner.cost
    called = Called(name, None, cost, length_of(part), most_of(part), inner.looks)
    slots = _slots_behind(function, define, asked_about)
    if slots and parameters and asked_about is not None:
        things = things_of(function.layout, asked_about) or ()
        nothing = (None,) * (len(slots) + 1)
        last = names.helper("lately", [nothing] * len(things))
        return attrs.evolve(called, lately=last, slots=slots)
    if not remembers:
        if memoised:
            function_of = names.memo.function(define, partial(_run, names.space, name), name)
            return attrs.evolve(called, memoised=names.helper("memoised", function_of))
        return called
    kind = _only_kind(define, known)
    if kind is not None:
        column = tabulated(function, name, kind)
        if column is not None:
            return attrs.evolve(called, table=names.helper("said", column), looks=False)
    table = names.helper("known", Remembered(names.space, name, several=len(parameters) > 1))
    return attrs.evolve(called, remembered=table, looks=False)


def _run(space: Mapping[str, Any], name: str, *given: Value) -> Value:
    """Run a function that is compiled, or has become a native one, by now."""
    return space[name](*given)


def _only_kind(define: model.Define, known: Mapping[str, Part]) -> str | None:
    """Return the kind of things about which a define is asked, if that is all it depends on."""
    bearing = [
        wanted
        for name, wanted in zip(define.parameters, define.parameter_types, strict=True)
        if name not in known
    ]
    if len(bearing) == 1 and isinstance(bearing[0], types.ThingType):
        return bearing[0].kind
    return None


def apply(function: Function, node: model.Apply, scope: Scope) -> Part:
    """An expression about `it` applied to a value"""
    if isinstance(node.function, model.Lambda):
        bound = Bound(node.function, scope)
    elif isinstance(node.function, model.Local) and node.function.name in scope.functions:
        bound = scope.functions[node.function.name]
    else:
        raise NotGenerated("an expression that was handed on")
    return applied(function, bound, function.kept(function.part(node.argument, scope)), scope)


def applied(function: Function, bound: Bound, argument: Part, scope: Scope) -> Part:
    """Write an expression about `it` with a value for `it`; `me` is the one in force here."""
    inner = bound.scope.acting(scope.me).having(bound.expression.parameter, argument)
    return function.part(bound.expression.body, inner)


def verb_of(function: Function, node: model.VerbOf, scope: Scope) -> Part:
    """`way(card)`: a verb as a value"""
    if not node.arguments:
        return Known(VerbValue(node.name, node.verbs))
    if any(isinstance(one, UNWRITTEN) for one in node.arguments):
        raise NotGenerated("a place as an argument")
    given = given_to(function.evaluator, node)
    arguments = [function.tree(part) for part in function.parts(given, scope)]
    function.names.space.setdefault("VerbValue", VerbValue)
    return Made(
        expression(
            "VerbValue(name, verbs, arguments)",
            name=function.names.constant(node.name),
            verbs=function.names.constant(node.verbs),
            arguments=ast.Tuple(arguments, ast.Load()),
        )
    )


def won(function: Function, node: model.Won, scope: Scope) -> Part:
    """`won` of a player"""
    player = function.value(node.player, scope)
    function.looks = True
    function.names.space.setdefault("evaluator", function.evaluator)
    return Made(expression("evaluator.won(S, player)", player=player))


def final_order(function: Function, node: model.FinalOrder, scope: Scope) -> Part:
    """`ranking`: the players from first to last place"""
    function.looks = True
    function.names.space.setdefault("evaluator", function.evaluator)
    return Made(expression("evaluator.final_order(S)"), length=len(function.layout.players))


def can(function: Function, node: model.Can, scope: Scope) -> Part:
    """`can(verb(args))`, `can(it)`"""
    found = _asked(function, node.verb, scope)
    if found is not None:
        return found
    verb = function.value(node.verb, scope)
    function.names.space.setdefault("evaluator", function.evaluator)
    function.looks = True
    me = function.tree(scope.me)
    return Made(expression("evaluator.can(S, verb, me)", verb=verb, me=me))


def _asked(function: Function, asked: model.Expression, scope: Scope) -> Part | None:
    """Write the question whether a verb can be done as a call of its probe; None if it is not known
    which verb."""
    names = function.names
    if not isinstance(asked, model.VerbOf) or len(asked.verbs) != 1 or names.can is None:
        return None
    (id,) = asked.verbs
    parameters = function.evaluator.game.verbs[id].parameters
    for argument, parameter in zip(asked.arguments, parameters, strict=True):
        if isinstance(argument, UNWRITTEN):
            return None
        if isinstance(parameter.type, types.ListType) and types.element(argument.type) is None:
            return None
    given = [function.tree(part) for part in function.parts(asked.arguments, scope)]
    trees = [variable("S"), function.tree(scope.me), *given]
    function.looks = True
    return Made(ast.Call(variable(names.can(id)), trees, keywords=[]))


HANDLERS: Mapping[type, Handler] = {
    model.DefineCall: define_call,
    model.Apply: apply,
    model.VerbOf: verb_of,
    model.Can: can,
    model.Won: won,
    model.FinalOrder: final_order,
}
