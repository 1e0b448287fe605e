"""Type checking calls: core functions, defines with arguments, handed-on expressions, verbs as
values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME
from rulewright.dsl.model.constructs import parameters_of
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import DefineDeclaration, ExpressionBinding, VerbDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.typecheck import name_lookup
from rulewright.dsl.typecheck.context import Body, Handler
from rulewright.dsl.typecheck.names import (
    apply_binding,
    as_list,
    define_value,
    has_this,
    no_objects,
    verb_value,
)


def read_lookup(body: Body, node: nodes.Call, wanted: Type | None) -> model.Expression | None:
    """Return the checked form, or None if there is no value that is looked up."""
    pairs: list[tuple[model.Expression, model.Expression]] = []
    otherwise: model.Expression | None = None
    value: model.Expression | None = None
    type_: Type | None = None
    for one in node.arguments:
        if not isinstance(one, nodes.Pair):
            value = body.expression(one)
            continue
        result = body.expression(one.value, wanted or type_)
        both = result.type if type_ is None else types.common(type_, result.type)
        if both is None:
            body.mismatch(result, type_ or types.ANYTHING)
            both = types.UNKNOWN
        type_ = both
        if one.key is None:
            otherwise = result
        elif value is not None:
            key = body.typed(one.key, types.without_none(value.type))
            pairs.append((key, result))
    if value is None:
        return None
    if otherwise is None:
        _check_exhaustive(body, node, value, [key for key, _ in pairs])
    return model.Lookup(
        type=type_ or types.UNKNOWN,
        span=node.span,
        value=value,
        pairs=tuple(pairs),
        otherwise=otherwise,
    )


def _check_exhaustive(
    body: Body, node: nodes.Call, value: model.Expression, keys: Iterable[model.Expression]
) -> None:
    """Report a value that a `lookup` without `else` has no answer for, where all can be listed."""
    given = {key.value for key in keys if isinstance(key, model.EnumConstant | model.Constant)}
    type_ = types.without_none(value.type)
    missing: tuple[str, ...] = ()
    if isinstance(type_, types.EnumType):
        missing = tuple(one for one in body.world.enumerations[type_.name] if one not in given)
    elif isinstance(type_, types.FlagType):
        missing = tuple(word for word, one in (("yes", True), ("no", False)) if one not in given)
    if missing:
        help = f"add `{missing[0]}: …`, or `else: …` for all others"
        body.complain("RW317", node.span, help=help, found=f"`{missing[0]}`")


# -------------------------------------------------------------------------------------------- calls


Arguments = tuple[nodes.Argument, ...]
Plain = tuple[nodes.Expression, ...]
"""Arguments none of which has a name."""


def call(body: Body, node: nodes.Call, wanted: Type | None) -> model.Expression:
    """`f(x)`"""
    text = node.name.text
    type_ = body.locals.get(text)
    if isinstance(type_, types.FunctionType):
        return _apply_local(body, node, type_)
    binding = body.scope.arguments.get(text)
    if isinstance(binding, ExpressionBinding) and isinstance(binding.type, types.FunctionType):
        arguments = _plain(body, node.arguments)
        if len(arguments) != 1:
            return _wrong_count(body, node, "1 argument", len(arguments))
        argument = body.typed(arguments[0], binding.type.parameter)
        return apply_binding(body, binding, argument)
    found = name_lookup.find_named(body, node.name)
    if isinstance(found, DefineDeclaration):
        return define_call(body, found, node.arguments, node.span, (), None)
    if text in FUNCTION_BY_NAME:
        return core_function(body, node, wanted)
    verbs = name_lookup.find_verbs(body, text)
    if verbs:
        return verb_with_arguments(body, node, verbs)
    if type_ is not None or found is not None:
        value = body.expression(nodes.Name(span=node.name.span, text=text))
        return no_objects(body, node.name, len(node.arguments), node.span, value.type)
    names = [*FUNCTION_BY_NAME, *name_lookup.visible_names(body)]
    return body.unknown_name("RW201", node.name, names)


def verb_with_arguments(
    body: Body, node: nodes.Call | nodes.Method, verbs: tuple[VerbDeclaration, ...]
) -> model.Expression:
    """`way(card)`: a verb value that carries its objects."""
    arguments = _plain(body, node.arguments)
    counted = [verb for verb in verbs if len(verb.parameters) == len(arguments)]
    if not counted:
        read = tuple(body.expression(one) for one in arguments)
        return verb_value(body, node.name.text, verbs, read, node.span)
    verb = counted[0]
    # A trial takes the first one: the work would grow with every verb inside a verb.
    for other in counted if len(counted) > 1 and not body.silent else ():
        with body.quietly() as trial:
            _objects(body, other, arguments)
        if not trial.has_errors:
            verb = other
            break
    objects = _objects(body, verb, arguments)
    return verb_value(body, node.name.text, (verb,), objects, node.span)


def _objects(body: Body, verb: VerbDeclaration, arguments: Plain) -> tuple[model.Argument, ...]:
    wanted_types = [parameter.type for parameter in verb.parameters]
    return tuple(
        body.readers.argument(body, one, type_)
        for one, type_ in zip(arguments, wanted_types, strict=True)
    )


def _plain(body: Body, arguments: Arguments) -> Plain:
    """Return arguments that may not be pairs; pairs are reported."""
    read: list[nodes.Expression] = []
    for one in arguments:
        read.append(one.value if isinstance(one, nodes.Pair) else one)
    named = [one for one in arguments if isinstance(one, nodes.Pair)]
    if named:
        help = "leave out the names: the order says which is which"
        body.complain("RW101", named[0].span, help=help, found="a named argument")
    return tuple(read)


def _wrong_count(
    body: Body, node: nodes.Call, expected: str, found: int, help: str | None = None
) -> model.Expression:
    return body.no_value(
        "RW302", node.span, help=help, name=node.name.text, expected=expected, found=str(found)
    )


def _apply_local(body: Body, node: nodes.Call, type_: types.FunctionType) -> model.Expression:
    arguments = _plain(body, node.arguments)
    if len(arguments) != 1:
        return _wrong_count(body, node, "1 argument", len(arguments))
    argument = body.typed(arguments[0], type_.parameter)
    function = model.Local(type=type_, span=node.name.span, name=body.local_name(node.name.text))
    return model.Apply(type=type_.result, span=node.span, function=function, argument=argument)


def define_call(
    body: Body,
    found: DefineDeclaration,
    arguments: Arguments,
    span: nodes.Span,
    first: tuple[model.Expression, ...],
    me: model.Expression | None,
) -> model.Expression:
    """Return a call of a define; `first` are arguments that stand before the dot."""
    plain = _plain(body, arguments)
    wanted_types = list(found.parameter_types)
    if has_this(found):
        wanted_types.insert(0, found.about)
    rest = wanted_types[len(first) :]
    read = [
        adapt_argument(body, one, type_) for one, type_ in zip(first, wanted_types, strict=False)
    ]
    if len(plain) == len(rest):
        for one, type_ in zip(plain, rest, strict=True):
            read.append(argument(body, one, about_what(type_, wanted_types, read)))
    else:
        read += [body.expression(one) for one in plain]
    return define_value(body, found, tuple(read), me, span)


Wanted = TypeVar("Wanted", Type, "Type | None")


def about_what(
    type_: Wanted, wanted_types: Sequence[Type | None], read: Sequence[model.Argument]
) -> Wanted:
    """Return `T => B` for `anything => B`, where an argument before it is a list of T."""
    if not isinstance(type_, types.FunctionType):
        return type_
    if not isinstance(type_.parameter, types.AnythingType):
        return type_
    for wanted, given in zip(wanted_types, read, strict=False):
        held = types.element(given.type)
        if (
            isinstance(wanted, types.ListType)
            and isinstance(wanted.inner, types.AnythingType)
            and held
        ):
            return types.FunctionType(held, type_.result)
    return type_


def adapt_argument(body: Body, found: model.Expression, type_: Type | None) -> model.Expression:
    """Return a value as a parameter takes it: zones as lists, one thing as a list of one."""
    if type_ is None:
        return found
    if isinstance(type_, types.ZoneType):
        type_ = types.ListType(type_.kind)
    if isinstance(type_, types.ListType) and types.element(found.type) is None:
        if not isinstance(found.type, types.UnknownType) and types.fits(found.type, type_.inner):
            return as_list(body.adapt(found, type_.inner))
    return body.adapt(found, type_)


def argument(body: Body, node: nodes.Expression, type_: Type | None) -> model.Expression:
    """Return one argument of a define: a value, or an expression about `it` handed on."""
    if isinstance(type_, types.FunctionType):
        return handed_on(body, node, type_)
    return adapt_argument(body, body.expression(node, type_), type_)


def handed_on(body: Body, node: nodes.Expression, type_: types.FunctionType) -> model.Expression:
    """Return `its.mark is me` as a function; a function parameter by its bare name is itself."""
    if isinstance(node, nodes.Name) and isinstance(body.locals.get(node.text), types.FunctionType):
        own = body.locals[node.text]
        return model.Local(type=own, span=node.span, name=body.local_name(node.text))
    with body.binding(None, type_.parameter, frozenset(), handed_on=True) as local:
        value = body.expression(node, type_.result)
        if types.element(type_.result) is None:
            value = body.adapt(value, type_.result)
        elif not types.fits(value.type, type_.result):
            body.mismatch(value, type_.result)
    result = value.type
    if isinstance(result, types.ZoneType):
        result = types.ListType(result.kind)
    return model.Lambda(
        type=types.FunctionType(type_.parameter, result),
        span=node.span,
        parameter=local,
        body=value,
    )


# ---------------------------------------------------------------------------------- core functions

Typing = Callable[[Body, nodes.Call, Plain, "Type | None"], model.Expression]


def core_function(body: Body, node: nodes.Call, wanted: Type | None) -> model.Expression:
    """A function of the core, by the rules of its own."""
    name = node.name.text
    function = FUNCTION_BY_NAME[name]
    least, most = function.arguments
    if not least <= len(node.arguments) <= most:
        help = " or ".join(f"`{form}`" for form in function.forms)
        return _wrong_count(body, node, function.takes, len(node.arguments), f"write {help}")
    if function.chance:
        return body.no_value("RW310", node.span, name=name, help="first `let x = …`, then use x")
    if name == "lookup":
        help = "write `lookup(v, a: x, b: y, else: z)`"
        read = read_lookup(body, node, wanted)
        return read or _wrong_count(body, node, "a value and its pairs", len(node.arguments), help)
    typing = _TYPINGS.get(name, _regular)
    return typing(body, node, _plain(body, node.arguments), wanted)


def _built(node: nodes.Call, type_: Type, *arguments: model.Expression) -> model.Expression:
    return model.Builtin(type=type_, span=node.span, name=node.name.text, arguments=arguments)


def _listed(
    body: Body, node: nodes.Expression, wanted: Type | None = None
) -> tuple[model.Expression, Type]:
    found = body.expression(node, wanted)
    held = body.listed(found)
    return (body.unknown(node.span) if isinstance(held, types.UnknownType) else found), held


def _regular(
    body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None
) -> model.Expression:
    """A function whose forms and result say what its arguments are."""
    function = FUNCTION_BY_NAME[node.name.text]
    (names,) = (
        found for found in map(parameters_of, function.forms) if len(found) == len(arguments)
    )
    result = "xs" if function.result == "x" and "n" in names else function.result
    hint: Type | None = wanted if result == "xs" else None
    if result == "x" and wanted is not None:
        hint = types.ListType(wanted)
    held: Type | None = None
    read: list[model.Expression] = []
    for name, argument in zip(names, arguments, strict=True):
        if name == "n":
            read.append(body.typed(argument, types.NUMBER))
        elif name in ("xs", "pile"):
            found, held = _listed(body, argument, hint)
            read.append(found)
        elif held is None:
            read.append(body.expression(argument, hint and types.element(hint)))
            held = types.without_none(read[-1].type)
        elif name in _ABOUT:
            handed = types.FunctionType(held, _ABOUT[name](held))
            read.append(handed_on(body, argument, handed))
        else:
            read.append(body.typed(argument, held))
    assert held is not None, function.name
    if function.lists.drops_none:
        held = types.without_none(held)
    kinds: dict[str, Type] = {
        "number": types.NUMBER,
        "numbers": types.ListType(types.NUMBER),
        "x": held,
        "xs": types.ListType(held),
        "lists": types.ListType(types.ListType(held)),
    }
    return _built(node, kinds[result or ""], *read)


_ABOUT: Mapping[str, Callable[[Type], Type]] = {
    "next": types.OptionalType,
    "good": lambda held: types.FLAG,
    "neighbours": types.ListType,
}
"""What an argument about x is, by its name in the forms."""


def _numbers(
    body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None
) -> model.Expression:
    found, held = _listed(body, arguments[0], types.ListType(types.NUMBER))
    plain = types.without_none(held)
    if not isinstance(plain, types.NumberType | types.UnknownType | types.AnythingType):
        body.mismatch(found, types.ListType(types.NUMBER))
        plain = types.NUMBER
    return _built(node, plain if isinstance(plain, types.NumberType) else types.NUMBER, found)


def _total(body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None) -> model.Expression:
    found = body.expression(arguments[0])
    if not isinstance(found.type, types.FamilyType):
        body.mismatch(found, types.FamilyType(types.NUMBER, types.ANYTHING))
        return body.unknown(node.span)
    return _built(node, found.type.value, found)


def _join(body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None) -> model.Expression:
    found, held = _listed(body, arguments[0], types.ListType(wanted) if wanted else None)
    inner = types.element(held)
    if inner is None:
        body.mismatch(found, types.ListType(types.ListType(types.ANYTHING)))
        return body.unknown(node.span)
    return _built(node, types.ListType(inner), found)


def _same_items(
    body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None
) -> model.Expression:
    if isinstance(arguments[0], nodes.ListValue):
        # What is written down is explained by what is not.
        second, _ = _listed(body, arguments[1])
        first, _ = _listed(body, arguments[0], second.type)
    else:
        first, _ = _listed(body, arguments[0])
        second, _ = _listed(body, arguments[1], first.type)
    if not types.comparable(first.type, second.type):
        body.mismatch(second, first.type)
    return _built(node, types.FLAG, first, second)


def _position(
    body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None
) -> model.Expression:
    listed, held = _listed(body, arguments[1])
    item = body.expression(arguments[0], held)
    if not types.comparable(item.type, held):
        body.mismatch(item, held)
    return _built(node, types.NUMBER, item, listed)


def _can(body: Body, node: nodes.Call, arguments: Plain, wanted: Type | None) -> model.Expression:
    verb = body.typed(arguments[0], types.VERB)
    body.use_me(node.span, "can")
    return model.Can(type=types.FLAG, span=node.span, verb=verb)


_TYPINGS: Mapping[str, Typing] = {
    # Functions with a rule of their own; `_regular` reads the others off the register.
    "sum": _numbers,
    "min": _numbers,
    "max": _numbers,
    "total": _total,
    "join": _join,
    "same_items": _same_items,
    "position": _position,
    "can": _can,
}

HANDLERS: Mapping[type, Handler] = {nodes.Call: call}
