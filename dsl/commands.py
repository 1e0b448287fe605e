"""Reading commands: the core verbs, and the verbs of rule files with their objects and places."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.dsl import infer_calls, infer_names, kinds, model, nodes, places
from rulewright.dsl.body import Body, slot_thing, with_article
from rulewright.dsl.diagnostics import Label, diagnostic
from rulewright.dsl.kinds import ListType, Type
from rulewright.dsl.registry import VERB_BY_NAME
from rulewright.dsl.scope import Instance, VerbDeclaration
from rulewright.dsl.suggest import nearest

STEP_WORDS = (
    "let choose may either if for repeat as need step until do end stop".split()
)

Reader = Callable[[Body, nodes.Command], "model.Statement | None"]


def command(body: Body, node: nodes.Command) -> model.Statement | None:
    """Return the checked form of a command, or None after a report."""
    name = node.verb.text
    instance: Instance | None = None
    if node.instance is not None:
        instance = infer_names.instance_of(
            body, nodes.Name(span=node.instance.span, text=node.instance.text)
        )
        if instance is None:
            names = [alias for _, one in body.scope.near() for alias in one.aliases]
            body.unknown_name("RW203", node.instance, names, kind="instance", found="something else")
            return None
    verbs = infer_names.find_verbs(body, name, instance)
    if not verbs and instance is None and name in VERB_BY_NAME:
        return _core(body, node)
    if not verbs:
        return _unknown_verb(body, node)
    return _call(body, node, verbs)


def _unknown_verb(body: Body, node: nodes.Command) -> model.Statement | None:
    word = node.verb
    if word.text in body.world.broken:
        return None
    if word.text in body.scope.arguments:
        body.complain(
            diagnostic(
                "RW203",
                word.span,
                kind="verb",
                found="parameter",
                name=word.text,
                help=f"to carry it out write `do {word.text}`",
            )
        )
        return None
    known = [verb.name for verb in body.world.all_verbs()]
    near = nearest(word.text, [*STEP_WORDS, *VERB_BY_NAME, *known])
    help = f"did you mean `{near[0]}`?" if near else None
    body.complain(diagnostic("RW107", word.span, "no verb", help=help, name=word.text))
    return None


# -------------------------------------------------------------------------------------- own verbs


def _call(
    body: Body, node: nodes.Command, verbs: tuple[VerbDeclaration, ...]
) -> model.Statement | None:
    wanted = sorted(one.preposition for one in node.places)
    shaped = [
        verb
        for verb in verbs
        if verb.has_object == (node.object is not None) and sorted(verb.prepositions) == wanted
    ]
    if not shaped:
        return _misshapen(body, node, verbs)
    if len(shaped) > 1:
        shaped = _fitting(body, node, shaped) or shaped[:1]
    verb = shaped[0]
    arguments = _arguments(body, node, verb)
    called(body, verb, node.span)
    return model.CallVerb(span=node.span, see=node.see, verb=verb.id, arguments=arguments)


def _fitting(
    body: Body, node: nodes.Command, verbs: list[VerbDeclaration]
) -> list[VerbDeclaration]:
    """Return the overload that fits: the nearest file's first, of these the most special."""
    fitting: list[VerbDeclaration] = []
    for verb in verbs:
        with body.quietly() as trial:
            _arguments(body, node, verb)
        if not trial.has_errors:
            fitting.append(verb)
    if not fitting:
        types = sorted({_head(verb) for verb in verbs})
        body.complain(
            diagnostic(
                "RW307",
                node.span,
                name=node.verb.text,
                notes=tuple(f"known: {head}" for head in types),
            )
        )
        return []
    best = fitting[0]
    for verb in fitting[1:]:
        pairs = list(zip(verb.parameters, best.parameters, strict=True))
        if all(kinds.fits(one.type, other.type) for one, other in pairs) and any(
            one.type != other.type for one, other in pairs
        ):
            best = verb
    return [best]


def _head(verb: VerbDeclaration) -> str:
    words = [verb.name]
    parameters = list(verb.parameters)
    if verb.has_object:
        words.append(kinds.shown(parameters.pop(0).type))
    for preposition, parameter in zip(verb.prepositions, parameters, strict=True):
        words.append(f"{preposition} {kinds.shown(parameter.type)}")
    return " ".join(words)


def _misshapen(
    body: Body, node: nodes.Command, verbs: tuple[VerbDeclaration, ...]
) -> model.Statement | None:
    for part in (node.object, *(one.value for one in node.places)):
        if part is not None:
            body.expression(part)
    body.complain(
        diagnostic(
            "RW307",
            node.span,
            name=node.verb.text,
            secondary=tuple(Label(verb.node.name.span, "declared here") for verb in verbs[:3]),
            help=f"write `{_head(verbs[0])}`",
        )
    )
    return None


def _arguments(
    body: Body, node: nodes.Command, verb: VerbDeclaration
) -> tuple[model.Argument, ...]:
    types = [parameter.type for parameter in verb.parameters]
    given = [] if node.object is None else [node.object]
    rest = list(node.places)
    for preposition in verb.prepositions:
        found = next(one for one in rest if one.preposition == preposition)
        rest.remove(found)
        given.append(found.value)
    read: list[model.Argument] = []
    for value, type_ in zip(given, types, strict=True):
        read.append(places.argument(body, value, infer_calls.about_what(type_, types, read)))
    return tuple(read)


def called(body: Body, verb: VerbDeclaration, span: nodes.Span) -> None:
    """Note that a verb is done here by the acting player."""
    if body.silent:
        return
    verb.used = True
    if body.verb is not None:
        body.verb.calls.append((verb, span))
    elif body.calls is not None:
        body.calls.append((verb, span))


# ------------------------------------------------------------------------------------- core verbs


def _core(body: Body, node: nodes.Command) -> model.Statement | None:
    core = VERB_BY_NAME[node.verb.text]
    if not core.playable:
        body.complain(diagnostic("RW800", node.span, construct=core.name))
        return None
    given = tuple(one.preposition for one in node.places)
    if given != core.prepositions or (node.object is not None) != core.has_object:
        body.complain(
            diagnostic("RW307", node.span, name=core.name, help=f"write `{core.form}`")
        )
        return None
    return _READERS[core.name](body, node)


def _set(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.object)
    type_ = kinds.UNKNOWN if place is None else place.type
    value = places.with_chance(body, node.places[0].value, _value_type(type_))
    if place is None:
        return None
    if isinstance(type_, kinds.ZoneType):
        body.complain(
            diagnostic(
                "RW308",
                node.object.span,
                found=f"zone of {kinds.shown(type_.kind)}",
                help="things lie in a zone: `move … to …`",
            )
        )
        return None
    if isinstance(type_, kinds.FamilyType) and not isinstance(value.type, kinds.FamilyType):
        value = body.adapt(value, type_.value)
        return model.Set(
            span=node.span, see=node.see, place=place, value=value, whole_family=True
        )
    return model.Set(
        span=node.span, see=node.see, place=place, value=body.adapt(value, type_)
    )


def _value_type(type_: Type) -> Type | None:
    if isinstance(type_, kinds.FamilyType | kinds.UnknownType):
        return None if isinstance(type_, kinds.UnknownType) else type_
    return type_


def _add(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.places[0].value)
    if place is None:
        body.expression(node.object)
        return None
    type_ = kinds.without_none(place.type)
    if isinstance(place.type, kinds.OptionalType) and isinstance(place, model.FieldPlace):
        body.must_be_known(
            model.Read(type=place.type, span=place.span, field=place.field, target=place.target)
        )
    if isinstance(type_, ListType):
        value = places.with_chance(body, node.object, type_.inner)
        if isinstance(value.type, ListType) and kinds.fits(value.type, type_):
            pass
        else:
            value = infer_names.as_list(body.adapt(value, type_.inner))
        return model.Add(span=node.span, see=node.see, place=place, value=value, append=True)
    if not isinstance(type_, kinds.NumberType | kinds.UnknownType):
        body.complain(
            diagnostic(
                "RW301",
                node.places[0].value.span,
                f"this is {with_article(kinds.shown(type_))}",
                expected="number or list",
                found=kinds.shown(type_),
            )
        )
        return None
    value = body.adapt(places.with_chance(body, node.object, type_), type_)
    return model.Add(span=node.span, see=node.see, place=place, value=value, append=False)


def _remove(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.places[0].value)
    if place is None:
        return None
    held = kinds.element(place.type)
    if held is None or isinstance(place.type, kinds.ZoneType):
        found = model.Contents(type=place.type, span=node.places[0].span, place=place)
        body.mismatch(found, ListType(kinds.ANYTHING))
        return None
    value = body.typed(node.object, held)
    return model.Remove(span=node.span, see=node.see, place=place, value=value)


def _swap(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    first = places.place(body, node.object)
    second = places.place(body, node.places[0].value)
    if first is None or second is None:
        return None
    if not kinds.fits(first.type, second.type):
        found = model.Contents(type=first.type, span=node.object.span, place=first)
        body.mismatch(found, second.type)
    return model.Swap(span=node.span, see=node.see, first=first, second=second)


def _zone(body: Body, node: nodes.Expression) -> model.Place | None:
    place = places.place(body, node)
    if place is not None and not isinstance(place.type, kinds.ZoneType | kinds.UnknownType):
        body.complain(
            diagnostic(
                "RW203",
                node.span,
                "expected a zone",
                name=node.span.text,
                kind="zone",
                found=f"field ({kinds.shown(place.type)})",
            )
        )
        return None
    return place


def _move(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    to = _zone(body, node.places[0].value)
    if places.is_whole_zone(body, node.object):
        zone = places.place(body, node.object)
        if zone is None or to is None:
            return None
        if not kinds.fits(zone.type, to.type):
            found = model.Contents(type=zone.type, span=node.object.span, place=zone)
            body.mismatch(found, to.type)
        return model.Move(span=node.span, see=node.see, things=None, zone=zone, to=to)
    things = places.with_chance(body, node.object, None)
    if to is None:
        return None
    wanted = kinds.element(to.type) or kinds.UNKNOWN
    if kinds.element(things.type) is None:
        things = infer_names.as_list(body.adapt(things, wanted))
    elif not kinds.fits(things.type, ListType(wanted)):
        body.mismatch(things, ListType(wanted))
    return model.Move(span=node.span, see=node.see, things=things, zone=None, to=to)


def _shuffle(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    zone = _zone(body, node.object)
    return None if zone is None else model.Shuffle(span=node.span, see=node.see, zone=zone)


def _show(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    value = body.expression(node.object)
    viewers = body.expression(node.places[0].value, ListType(kinds.PLAYER))
    if kinds.element(viewers.type) is None:
        viewers = one_player(body, viewers)
    elif not kinds.fits(viewers.type, ListType(kinds.PLAYER)):
        body.mismatch(viewers, ListType(kinds.PLAYER))
    return model.Show(span=node.span, see=node.see, value=value, viewers=viewers)


def one_player(body: Body, found: model.Expression) -> model.Expression:
    """Return a single player as a list of one."""
    return infer_names.as_list(body.adapt(found, kinds.PLAYER))


def slot_value(found: model.Expression) -> model.Expression:
    """Return the thing of a slot."""
    return slot_thing(found)


def _nothing(body: Body, node: nodes.Command) -> model.Statement:
    return model.Nothing(span=node.span, see=node.see)


_READERS: Mapping[str, Reader] = {
    "set": _set,
    "add": _add,
    "remove": _remove,
    "swap": _swap,
    "move": _move,
    "shuffle": _shuffle,
    "show": _show,
    "nothing": _nothing,
}
