"""Type checking names: bare words, kinds, `me` and `it`.

A bare word means, in this order: a local; what is wanted at this place (a value of an enumeration, a
verb); a parameter of the module; a field, define or option seen from the file; an instance; a verb;
a value of the only enumeration that has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    ExpressionBinding,
    FieldDeclaration,
    Instance,
    KindBinding,
    NeutralDeclaration,
    OptionDeclaration,
    VerbDeclaration,
)
from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.typecheck import name_lookup
from rulewright.dsl.typecheck.context import Body, Handler


def name(body: Body, node: nodes.Name, wanted: Type | None) -> model.Expression:
    """A bare word."""
    text = node.text
    if text in body.locals or text in body.seen_names:
        return local(body, node, wanted)
    wish = _wished(body, node, wanted)
    if wish is not None:
        return wish
    if text in body.scope.arguments:
        return parameter(body, node, wanted)
    built_in = _built_in(body, node)
    if built_in is not None:
        return built_in
    found = name_lookup.find_named(body, node)
    if found is not None:
        return named(body, found, node.span)
    instance = body.scope.instance_named(text)
    if instance is not None:
        if isinstance(wanted, types.InstanceType):
            return instance_value(instance, node.span)
        expected = "value" if wanted is None else types.words(types.without_none(wanted))
        near = body.world.nearest(text, set(name_lookup.visible_names(body)) - {text})
        help = f"what it has is written `{text}.…`"
        if near:
            help = f"did you mean `{near[0]}`? What the module has is written `{text}.…`"
        found_words = "instance of a module"
        return body.no_value(
            "RW203", node.span, help=help, name=text, kind=expected, found=found_words
        )
    verbs = name_lookup.find_verbs(body, text)
    if verbs:
        return verb_value(body, text, verbs, (), node.span, wanted)
    return _last_resort(body, node, wanted)


def local(body: Body, node: nodes.Name, wanted: Type | None) -> model.Expression:
    """A local or parameter; one that holds a place is read."""
    text = node.text
    type_ = body.locals.get(text) or body.seen_names[text]
    if text in body.unset:
        return body.no_value(
            "RW217", node.span, name=text, help=f"set `{text}` before the branch or loop"
        )
    if isinstance(type_, types.ZoneType | types.PlaceType):
        place = model.LocalPlace(type=type_, span=node.span, name=body.local_name(text))
        read = type_.inner if isinstance(type_, types.PlaceType) else type_
        return model.Contents(type=read, span=node.span, place=place)
    return model.Local(type=type_, span=node.span, name=body.local_name(text))


def _wished(body: Body, node: nodes.Name, wanted: Type | None) -> model.Expression | None:
    plain = types.without_none(wanted) if wanted is not None else None
    if isinstance(plain, types.FamilyType):
        # A plain value is one for every entry.
        plain = types.without_none(plain.value)
    if isinstance(plain, types.EnumType) and node.text in body.world.enumerations[plain.name]:
        return model.EnumConstant(type=plain, span=node.span, enum=plain.name, value=node.text)
    if isinstance(plain, types.VerbType):
        verbs = name_lookup.find_verbs(body, node.text)
        if verbs:
            return verb_value(body, node.text, verbs, (), node.span)
    return None


def parameter(body: Body, node: nodes.Name, wanted: Type | None) -> model.Expression:
    """A parameter of the module: the expression given for it, read where it was written."""
    binding = body.scope.arguments[node.text]
    if isinstance(binding, KindBinding):
        return kind_values(body, binding.type, node.span)
    if isinstance(binding.type, types.FunctionType):
        if not body.its:
            return body.no_value("RW306", node.span, name=node.text, help=f"write `{node.text}(x)`")
        return apply_binding(body, binding, body.its[-1])
    return bound(body, binding, [])


MOST_EXPANSIONS = 20_000
"""How often arguments of modules are put in the place of parameters."""


def bound(body: Body, binding: ExpressionBinding, its: list[model.Expression]) -> model.Expression:
    """Read the expression bound to a module parameter, in the words of its file."""
    type_ = binding.type
    body.world.expansions += 1
    if body.world.expansions > MOST_EXPANSIONS:
        # Each module may hand on an argument twice, and so may the next one.
        what = "arguments of modules"
        body.world.too_deep(binding.node.span, binding.node.span.text, MOST_EXPANSIONS, what)
        return body.unknown(binding.node.span)
    wanted = type_.result if isinstance(type_, types.FunctionType) else type_
    if isinstance(wanted, types.PlaceType):
        wanted = wanted.inner
    with body.elsewhere(binding.scope, its, in_use=True):
        found = body.expression(binding.node, wanted)
        if isinstance(wanted, types.ZoneType):
            return found
        if isinstance(wanted, types.ListType) and types.fits(found.type, wanted.inner):
            if types.element(found.type) is None:
                return as_list(found)
        return body.adapt(found, wanted)


def check_argument(body: Body, binding: ExpressionBinding) -> None:
    """Read the argument of a module only for the mistakes in it."""
    type_ = binding.type
    its: list[model.Expression] = []
    if isinstance(type_, types.FunctionType):
        its.append(model.Local(type=type_.parameter, span=binding.node.span, name="it"))
    bound(body, binding, its)


def apply_binding(
    body: Body, binding: ExpressionBinding, argument: model.Expression
) -> model.Expression:
    """Apply a module parameter `A => B` to a value: the value stands for `it`."""
    return bound(body, binding, [argument])


def as_list(found: model.Expression) -> model.Expression:
    """Return a single value as a list of one."""
    return model.ListOf(type=types.ListType(found.type), span=found.span, items=(found,))


def _built_in(body: Body, node: nodes.Name) -> model.Expression | None:
    span = node.span
    match node.text:
        case "players":
            return model.Seats(type=types.ListType(types.PLAYER), span=span)
        case "this" if isinstance(body.this, model.Me):
            body.use_me(span, "this")
            return model.Me(type=types.PLAYER, span=span)
        case "this" if body.this is not None:
            return body.this
        case "this" if body.scope.is_module:
            return instance_value(body.scope, span)
        case "ending":
            return model.Ending(type=types.OptionalType(types.TEXT), span=span)
        case "won" if name_lookup.find_named(body, node) is None:
            body.use_me(span, "won")
            me = model.Me(type=types.PLAYER, span=span)
            return model.Won(type=types.FLAG, span=span, player=me)
        case "owner" if body.owner is not None:
            return attrs.evolve(body.owner, span=span)
        case "ranking" if body.example:
            return model.FinalOrder(type=types.ListType(types.PLAYER), span=span)
    return None


def instance_value(instance: Instance, span: nodes.Span) -> model.Expression:
    """Return an instance as a value: only its type matters."""
    return model.Constant(type=types.InstanceType(instance.name), span=span, value=None)


def named(body: Body, found: name_lookup.Found, span: nodes.Span) -> model.Expression:
    """Return the value of a field of the game, a define without arguments, or an option."""
    if isinstance(found, FieldDeclaration):
        return model.Read(type=found.type, span=span, field=found.id, target=None)
    if isinstance(found, OptionDeclaration):
        return model.OptionValue(type=found.type, span=span, name=found.node.name.text)
    if isinstance(found, NeutralDeclaration):
        return model.NamedThing(type=types.PLAYER, span=span, kind="Player", name=found.id)
    return define_value(body, found, (), None, span)


def define_value(
    body: Body,
    found: DefineDeclaration,
    arguments: tuple[model.Expression, ...],
    me: model.Expression | None,
    span: nodes.Span,
) -> model.Expression:
    """Return a call of a define with checked arguments; `me` is about whom it is asked."""
    wanted = len(found.node.parameters) + (1 if has_this(found) else 0)
    if len(arguments) != wanted:
        names = ", ".join(parameter.name.text for parameter in found.node.parameters)
        before = 1 if has_this(found) else 0
        return body.no_value(
            "RW302",
            span,
            help=f"write `{found.name}({names})`" if names else f"write `{found.name}`",
            secondary=(Label(found.node.name.span, "defined here"),),
            name=found.name,
            expected=counted(wanted - before, "argument"),
            found=str(len(arguments) - before),
        )
    found_types = tuple(one.type for one in arguments)
    form = body.readers.form(body.world, found, found_types, body.readers)
    if body.silent:
        body.report.extend(form.report.sorted())
    if form.open:
        _report_circle(body, found, span)
        return body.unknown(span)
    if not form.reported and not body.silent:
        form.reported = True
        body.report.extend(_with_call(found, form.report.sorted(), span))
    if form.needs_me and me is None:
        body.use_me(span, found.name)
    return model.DefineCall(type=form.type, span=span, define=form.id, arguments=arguments, me=me)


def _with_call(
    found: DefineDeclaration, problems: Iterable[Diagnostic], span: nodes.Span
) -> Iterable[Diagnostic]:
    """Return what is wrong in a define, with the call: where it has no types, that decides them."""
    if None not in found.parameter_types:
        return problems
    label = Label(span, "asked for here")
    return [attrs.evolve(item, secondary=(*item.secondary, label)) for item in problems]


def _report_circle(body: Body, found: DefineDeclaration, span: nodes.Span) -> None:
    reading = body.world.reading
    circle = reading[reading.index(found) :]
    notes = []
    help = "use `walk` or `reach` for what repeats"
    if body.original is not None:
        help = "in a change, the value so far is called `original`"
    if len(circle) > 1:
        asks = ", which asks for ".join(f"`{one.name}`" for one in (*circle[1:], found))
        notes.append(f"`{found.name}` asks for {asks}")
    body.complain(
        "RW313",
        span,
        name=found.name,
        secondary=(Label(found.node.name.span, "defined here"),),
        help=help,
        notes=notes,
    )


def no_objects(
    body: Body, word: nodes.Word | nodes.Name, count: int, span: nodes.Span, type_: Type
) -> model.Expression:
    """Report objects behind the name of a field, local or option: only verbs and defines take any."""
    help = f"write `{word.text}`"
    if isinstance(types.without_none(type_), types.VerbType):
        help += ": a verb that is a value has its objects with it, as in `[pay(3)]`"
    expected = counted(0, "argument")
    return body.no_value(
        "RW302", span, help=help, name=word.text, expected=expected, found=str(count)
    )


def has_this(found: DefineDeclaration) -> bool:
    """Whether a define is about a thing of its kind, which is then its first argument."""
    return found.about is not None


def verb_value(
    body: Body,
    text: str,
    verbs: tuple[VerbDeclaration, ...],
    arguments: tuple[model.Argument, ...],
    span: nodes.Span,
    wanted: Type | None = None,
) -> model.Expression:
    """Return a verb as a value; `wanted` is what is asked for at this place."""
    expected = None if wanted is None else types.without_none(wanted)
    if not isinstance(expected, types.VerbType | types.AnythingType | types.UnknownType | None):
        return body.no_value("RW203", span, name=text, kind=types.words(expected), found="verb")
    fitting = tuple(verb for verb in verbs if len(verb.parameters) == len(arguments))
    if not fitting:
        names = ", ".join(parameter.name for parameter in verbs[0].parameters)
        help = f"write `{text}({names})`" if names else f"write `{text}`"
        if body.in_use and not arguments:
            # Nothing that it could be about is known where a module is used.
            help = f"a module is given a verb without objects: name one that does `{text}`"
        return body.no_value(
            "RW302",
            span,
            help=help,
            secondary=tuple(Label(verb.node.name.span, "declared here") for verb in verbs[:3]),
            name=text,
            expected=counted(len(verbs[0].parameters), "object"),
            found=str(len(arguments)),
        )
    for verb in fitting:
        verb.used = verb.used or not body.silent
    return model.VerbOf(
        type=types.VERB,
        span=span,
        name=text,
        verbs=tuple(verb.id for verb in fitting),
        arguments=arguments,
    )


MOST_VALUES = 6
"""How many values of an enumeration a help lists."""


def _last_resort(body: Body, node: nodes.Name, wanted: Type | None) -> model.Expression:
    if node.text == body.coming:
        help = f"in its own list it is `it`; or give it a name there: `… as {node.text} where …`"
        return body.unknown_name("RW201", node, (), help=help)
    if node.text in body.hidden_names:
        seen = ", ".join(f"`{name}`" for name in body.seen_names)
        help = "it sees the parameters and earlier choices of its target, and there are none"
        if body.kind_of_place == "offer":
            help = "an offer stands beside the verb: what it needs of it must be in a field"
        elif seen:
            help = f"it sees the parameters and earlier choices of its target: {seen}"
        return body.no_value("RW210", node.span, name=node.text, help=help)
    plain = types.without_none(wanted) if wanted is not None else None
    if isinstance(plain, types.UnknownType):
        # What the word is compared with has been reported: it may be a value that only that knew.
        return body.unknown(node.span)
    if isinstance(plain, types.EnumType):
        values = body.world.enumerations[plain.name]
        return body.unknown_name(
            "RW215",
            node,
            [*values, *name_lookup.visible_names(body)],
            kind=types.words(plain).removeprefix("value of "),
            help=f"one of {', '.join(values[:MOST_VALUES])}",
        )
    having = [
        enum
        for enum, values in body.world.enumerations.items()
        if node.text in values and not types.declared_in_place(enum)
    ]
    if len(having) == 1:
        return model.EnumConstant(
            type=types.EnumType(having[0]), span=node.span, enum=having[0], value=node.text
        )
    if len(having) > 1:
        help = f"write `{having[0]}.{node.text}` or `{having[1]}.{node.text}`"
        return body.no_value("RW218", node.span, name=node.text, help=help)
    code = {types.ZoneType: "RW208", types.VerbType: "RW207"}.get(type(plain), "RW201")
    if node.text == "nothing":
        help = "a step is no value: write a verb that does nothing, `to pass`, and name it here"
        return body.unknown_name(code, node, (), help=help)
    if node.text in foreign_words.NUMBERS:
        figures = f"write `{foreign_words.NUMBERS[node.text]}`"
        return body.unknown_name(code, node, (), help=figures)
    whose = None if code == "RW207" else _of_a_player(body, node.text)
    if code == "RW207" and body.in_use:
        whose = f"declare it: `to {node.text}`"
    if whose is None and isinstance(plain, types.ZoneType):
        whose = _zones(body)
    names: Iterable[str] = name_lookup.visible_names(body)
    if code == "RW207":
        # What a module is called is no verb, however near it is.
        verbs = [name for _, one in body.scope.verb_scopes() for name in one.verbs]
        names = [*verbs, *(name for name in names if name not in body.scope.aliases)]
    return body.unknown_name(code, node, names, help=whose)


MOST_ZONES = 5
"""How many zones a help lists."""


def _zones(body: Body) -> str | None:
    """Return which zones of the game and of instances there are."""
    found = [
        f"{instance.name}.{name}" if instance.name else name
        for instance in body.world.instances
        for name, field in instance.fields.items()
        if isinstance(field.type, types.ZoneType)
    ]
    shown = ", ".join(f"`{name}`" for name in found[:MOST_ZONES])
    return f"zones of the game are {shown}" if shown else None


def _of_a_player(body: Body, text: str) -> str | None:
    """Return how to say whose it is, if the word is a field or define of the kind Player."""
    kind = body.world.kinds["Player"]
    if text not in kind.fields and text not in kind.defines:
        return None
    if body.example:
        return f"say whose: `{next(iter(body.locals), 'ann')}.{text}`"
    return f"of the acting player: `my.{text}`"


def kind_name(body: Body, node: nodes.KindName, wanted: Type | None) -> model.Expression:
    """`Planet`, `Sort`"""
    type_ = body.types.kind_type(nodes.Word(span=node.span, text=node.text), body.scope)
    return body.unknown(node.span) if type_ is None else kind_values(body, type_, node.span)


def kind_values(body: Body, type_: Type, span: nodes.Span) -> model.Expression:
    """Return all things of a kind, or all values of an enumeration."""
    listed = types.ListType(type_)
    if isinstance(type_, types.EnumType):
        return model.EnumValues(type=listed, span=span, enum=type_.name)
    if isinstance(type_, types.ThingType):
        return model.Everything(type=listed, span=span, kind=type_.kind)
    return body.unknown(span)


def me(body: Body, node: nodes.Me, wanted: Type | None) -> model.Expression:
    """`me`"""
    body.use_me(node.span)
    return model.Me(type=types.PLAYER, span=node.span)


def doubt(span: nodes.Span) -> Diagnostic:
    """Return the message that `it` may be that of an inner or of an outer list."""
    help = "give the things of the outer list a name: `… as x where …`"
    return diagnostic("RW218", span, "which of two lists?", help=help, name="it")


def it(body: Body, node: nodes.It, wanted: Type | None) -> model.Expression:
    """`it`"""
    if not body.its:
        help = "it is known in `where`, `each`, `having` and `sorted by`"
        if body.levels:
            help = f"the thing is called `{body.levels[-1]}` here"
        return body.no_value("RW306", node.span, help=help, name="it")
    innermost = body.its[-1]
    outer = body.outer_it()
    if outer is not None and types.without_none(outer.type) == types.without_none(innermost.type):
        body.report.add(doubt(node.span))
    if isinstance(innermost, model.Local):
        return model.Local(type=innermost.type, span=node.span, name=innermost.name)
    return innermost


HANDLERS: Mapping[type, Handler] = {
    nodes.Name: name,
    nodes.KindName: kind_name,
    nodes.Me: me,
    nodes.It: it,
}
