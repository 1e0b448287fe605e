"""Compiling calls: defines, expressions handed on, verbs as values, look-ahead, results.

A define is compiled when it is first needed and called with fresh locals. An expression handed on
(`A => B`) becomes data: an id of its code and the locals that it speaks of, by value. The id is made
of the expression itself and its place, so it is the same whenever the same rules are loaded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.semantics.closures import (
    ORIGINAL,
    Code,
    Compiler,
    FunctionCode,
    list_too_long,
    may_be_listed,
    names_in,
    nothing_there,
    number_too_large,
)
from rulewright.interpreter.state.errors import LARGEST_NUMBER, LONGEST_LIST, PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    EnumValue,
    Locals,
    PlaceClosure,
    Thing,
    Value,
    VerbValue,
)

NO_LOCALS: Locals = {}
"""The locals of a define without parameters; nobody writes into locals."""


def define_call(compiler: Compiler, expression: model.DefineCall, body: Code | None = None) -> Code:
    """`strength(fleet)`, `p.score`; `body` is the code of the define, if it is not the usual one."""
    define = compiler.game.defines[expression.define]
    body = body or compiler.define(expression.define)
    arguments = [
        _fitted(compiler, argument, wanted)
        for argument, wanted in zip(expression.arguments, define.parameter_types, strict=True)
    ]
    names = define.parameters
    player_node = expression.me
    if player_node is None or isinstance(player_node, model.Me):
        return _called(body, names, arguments)
    player_code = compiler.expression(player_node)
    inner = _called_about(body, names, arguments)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        player = player_code(store, me, locals)
        if player is None:
            raise nothing_there(player_node)
        return inner(store, me, locals, player)

    return code


def _called(body: Code, names: tuple[str, ...], arguments: list[Code]) -> Code:
    match names:
        case ():
            return lambda store, me, locals: body(store, me, NO_LOCALS)
        case (name,):
            argument = arguments[0]
            return lambda store, me, locals: body(store, me, {name: argument(store, me, locals)})
        case (first, second):
            one, two = arguments
            return lambda store, me, locals: body(
                store, me, {first: one(store, me, locals), second: two(store, me, locals)}
            )
    pairs = list(zip(names, arguments, strict=True))
    return lambda store, me, locals: body(
        store, me, {name: argument(store, me, locals) for name, argument in pairs}
    )


def _called_about(
    body: Code, names: tuple[str, ...], arguments: list[Code]
) -> Callable[[Store, Thing | None, Locals, Thing], Value]:
    pairs = list(zip(names, arguments, strict=True))

    def code(store: Store, me: Thing | None, locals: Locals, player: Thing) -> Value:
        # The arguments are the asker's: `p.cost(my.hand)`.
        given = {name: argument(store, me, locals) for name, argument in pairs}
        return body(store, player, given)

    return code


def _fitted(compiler: Compiler, argument: model.Argument, wanted: types.Type) -> Code:
    """Return the code of an argument; a single thing is a list where a list is wanted."""
    code = compiler.argument(argument)
    if not isinstance(wanted, types.ListType) or may_be_listed(argument):  # type: ignore[arg-type]
        return code
    if isinstance(types.without_none(argument.type), types.ThingType | types.EnumType):
        return lambda store, me, locals: (code(store, me, locals),)
    return code


# ------------------------------------------------------------------------------------- handed on


def code_id(node: model.Lambda | model.PlaceLambda) -> str:
    """Return the id of the code of an expression that is handed on."""
    # The name of the file alone: a state goes on wherever the folder of the rules lies.
    text = f"{node!r} {PurePath(node.span.source.name).name} {node.span.start}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def handed_on(compiler: Compiler, expression: model.Lambda) -> Code:
    """`its.mark is me`, where an expression about `it` is wanted"""
    id = code_id(expression)
    if id not in compiler.lambdas:
        compiler.lambdas[id] = expression.parameter, compiler.expression(expression.body)
    names = [name for name in names_in(expression.body) if name != expression.parameter]
    if not names:
        closure = Closure(id)
        return lambda store, me, locals: closure

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        # Names bound inside the expression are no locals of the one who hands it on.
        return Closure(id, tuple([(name, locals[name]) for name in names if name in locals]))

    return code


def handed_on_place(compiler: Compiler, place: model.PlaceLambda) -> Code:
    """`its.inside`, where a place about `it` is wanted"""
    id = code_id(place)
    if id not in compiler.place_lambdas:
        compiler.place_lambdas[id] = place.parameter, compiler.place(place.place)
    names = [name for name in names_in(place.place) if name != place.parameter]

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        return PlaceClosure(id, tuple([(name, locals[name]) for name in names if name in locals]))

    return code


def apply(compiler: Compiler, expression: model.Apply) -> Code:
    """A handed-on expression applied to a value"""
    argument = compiler.expression(expression.argument)
    function = expression.function
    if isinstance(function, model.Lambda):
        bind = bound_function(compiler, function)
        return lambda store, me, locals: bind(store, me, locals)(argument(store, me, locals))
    closure = compiler.expression(function)
    return lambda store, me, locals: compiler.apply(
        closure(store, me, locals), argument(store, me, locals), store, me
    )


def bound_function(compiler: Compiler, expression: model.Expression) -> FunctionCode:
    """Return code that makes a Python function of an expression about `it`.

    Written on the spot it runs in a copy of the locals; of a closure the captured ones are used.
    """
    if isinstance(expression, model.Lambda):
        name, body = expression.parameter, compiler.expression(expression.body)

        def on_the_spot(store: Store, me: Thing | None, locals: Locals) -> Callable[[Value], Value]:
            inner = locals.copy()

            def function(value: Value) -> Value:
                inner[name] = value
                return body(store, me, inner)

            return function

        return on_the_spot
    closure_code = compiler.expression(expression)

    def bind(store: Store, me: Thing | None, locals: Locals) -> Callable[[Value], Value]:
        closure = closure_code(store, me, locals)
        name, code = compiler.lambdas[closure.lambda_id]
        inner = dict(closure.locals)

        def function(value: Value) -> Value:
            inner[name] = value
            return code(store, me, inner)

        return function

    return bind


# --------------------------------------------------------------------------------- verbs, results


def verb_of(compiler: Compiler, expression: model.VerbOf) -> Code:
    """`way(card)`: a verb as a value"""
    name, verbs = expression.name, expression.verbs
    arguments = [compiler.argument(argument) for argument in given_to(compiler, expression)]
    if not arguments:
        value = VerbValue(name, verbs)
        return lambda store, me, locals: value

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        given = tuple([argument(store, me, locals) for argument in arguments])
        return VerbValue(name, verbs, given)

    return code


def given_to(compiler: Compiler, expression: model.VerbOf) -> tuple[model.Argument, ...]:
    """Return what a verb value carries; none is a mistake where none of its verbs takes it."""
    verbs = [
        compiler.game.verbs[verb].parameters
        for verb in expression.verbs
        if verb in compiler.game.verbs
    ]
    fitting = [one for one in verbs if len(one) == len(expression.arguments)]
    given = []
    for place, argument in enumerate(expression.arguments):
        wanted = [parameters[place].type for parameters in fitting]
        there = bool(wanted) and not any(isinstance(one, types.OptionalType) for one in wanted)
        given.append(compiler.needs.demanded(argument, wanted[0]) if there else argument)
    return tuple(given)


def can(compiler: Compiler, expression: model.Can) -> Code:
    """`can(verb(args))`, `can(it)`"""
    verb, verb_node = compiler.expression(expression.verb), expression.verb
    if isinstance(verb_node, model.VerbOf):
        return lambda store, me, locals: compiler.can(store, verb(store, me, locals), me)

    def code(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = verb(store, me, locals)
        if value is None:
            raise PlayError("RW715", verb_node.span, name=verb_node.span.text)
        return compiler.can(store, value, me)

    return code


def won(compiler: Compiler, expression: model.Won) -> Code:
    """`won` of a player"""
    player = compiler.expression(expression.player)
    return lambda store, me, locals: compiler.won(store, player(store, me, locals))


def final_order(compiler: Compiler, expression: model.FinalOrder) -> Code:
    """`ranking`: the players from first to last place"""
    return lambda store, me, locals: compiler.final_order(store)


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    model.DefineCall: define_call,
    model.Lambda: handed_on,
    model.Apply: apply,
    model.VerbOf: verb_of,
    model.Can: can,
    model.Won: won,
    model.FinalOrder: final_order,
}


# ----------------------------------------------------------------------------------- amended values


Applied: TypeAlias = Callable[[Value, Value], Value]
Step: TypeAlias = Callable[[Store, Thing | None, Locals, Value], Value]
"""What an amendment makes of a value."""


def changed(
    compiler: Compiler,
    code: Code,
    changes: tuple[model.Changed, ...],
    given: Callable[[model.Expression], Code] | None = None,
) -> Code:
    """Return the code of a value with its amendments; `given` compiles what they say, if that is not
    done as usual."""
    if not changes:
        return code
    given = given or compiler.expression
    in_order = sorted(changes, key=lambda change: (change.scope, change.order))
    scopes = []
    for scope in sorted({change.scope for change in changes}):
        here = [change for change in in_order if change.scope == scope]
        scopes.append((_steps(compiler, here, "to", given), _steps(compiler, here, "by", given)))
    limits = [_steps(compiler, in_order, how, given) for how in ("at most", "at least")]

    def amended(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = code(store, me, locals)
        inner = locals.copy()
        for replacements, additions in scopes:
            for step in replacements:
                value = step(store, me, inner, value)
            inner[ORIGINAL] = value
            for step in additions:
                value = step(store, me, inner, value)
        inner[ORIGINAL] = value
        for steps in limits:
            for step in steps:
                value = step(store, me, inner, value)
        return value

    return amended


def _steps(
    compiler: Compiler,
    changes: list[model.Changed],
    how: str,
    given: Callable[[model.Expression], Code],
) -> list[Step]:
    return [_step(compiler, change, given(change.value)) for change in changes if change.how == how]


def _step(compiler: Compiler, change: model.Changed, given: Code) -> Step:
    guard = None if change.guard is None else compiler.expression(change.guard)
    applied = _applied(change)
    replaces = change.how == "to"

    def step(store: Store, me: Thing | None, locals: Locals, value: Value) -> Value:
        if replaces:
            locals[ORIGINAL] = value
        if guard is None or guard(store, me, locals):
            return applied(value, given(store, me, locals))
        return value

    if change.bearers is None:
        return step
    name, those = change.bearers.name, compiler.expression(change.bearers.those)

    def for_each(store: Store, me: Thing | None, locals: Locals, value: Value) -> Value:
        for one in those(store, me, locals):
            locals[name] = one
            before, value = value, step(store, me, locals, value)
            if compiler.heard is not None and before != value:
                compiler.heard(change, one)
        return value

    return for_each


def _applied(change: model.Changed) -> Applied:
    match change.how:
        case "to":
            return lambda value, given: given
        case "by":
            return lambda value, given: _added(value, given, change)
    upper = change.how == "at most"
    return lambda value, given: _limited(value, given, change, upper=upper)


def _added(value: Value, more: Value, change: model.Changed) -> Value:
    if isinstance(value, tuple):
        plain = types.without_none(change.value.type)
        listed = may_be_listed(change.value) or not isinstance(plain, types.ThingType)
        result = value + (more if listed else (more,))
        if len(result) > LONGEST_LIST:
            raise list_too_long(change.span)
        return result
    try:
        number = value + more
    except TypeError:
        raise nothing_there(change.value) from None
    if -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
        return number
    raise number_too_large(change.span)


def _limited(value: Value, limit: Value, change: model.Changed, *, upper: bool) -> Value:
    if value is None or limit is None:
        raise nothing_there(change.value)
    one, other = ((item.order if isinstance(item, EnumValue) else item) for item in (value, limit))
    exceeds = one > other if upper else one < other
    return limit if exceeds else value
