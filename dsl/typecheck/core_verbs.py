"""Type checking commands: the core verbs, and the verbs of rule files with their objects and
places."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.builtins import VERB_BY_NAME
from rulewright.dsl.model.types import ListType, Type
from rulewright.dsl.resolve.symbols import Instance, VerbDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import with_article
from rulewright.dsl.text.diagnostics import Label, Report
from rulewright.dsl.text.suggest import nearest
from rulewright.dsl.typecheck import calls, constants, creation, name_lookup, pause, places
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.names import as_list

STEP_WORDS = "let choose may either if for repeat as need step until do end stop".split()

CommandReader = Callable[[Body, nodes.Command], "model.Statement | None"]


def command(body: Body, node: nodes.Command) -> model.Statement | None:
    """Return the checked form of a command, or None after a report."""
    name = node.verb.text
    instance: Instance | None = None
    if node.instance is not None:
        instance = name_lookup.instance_of(
            body, nodes.Name(span=node.instance.span, text=node.instance.text)
        )
        if instance is None:
            _no_instance(body, node.instance)
            return None
    verbs = name_lookup.find_verbs(body, name, instance)
    if not verbs and instance is None and name in VERB_BY_NAME:
        return _core(body, node)
    if not verbs:
        _unknown_verb(body, node.verb, instance)
        _name_of_choice(body, node)
        return None
    return _call(body, node, verbs)


def _no_instance(body: Body, word: nodes.Word) -> None:
    found = name_lookup.what_is(body, word)
    if found is not None:
        body.complain("RW203", word.span, name=word.text, kind="instance of a module", found=found)
        return
    names = [alias for _, one in body.scope.near() for alias in one.aliases]
    body.unknown_name("RW201", word, names, "no instance of a module")


def _unknown_verb(body: Body, word: nodes.Word, instance: Instance | None) -> None:
    if instance is not None:
        names = [verb for _, one in instance.near() for verb in one.verbs]
        body.unknown_name("RW207", word, names, f"not in `{instance.name}`")
        return
    found = "parameter" if word.text in body.scope.arguments else name_lookup.what_is(body, word)
    if found is not None:
        help = None
        if _holds_verb(body, word):
            help = f"to carry it out write `do {word.text}`"
        body.complain("RW203", word.span, help=help, kind="verb", found=found, name=word.text)
        return
    known = [verb.name for verb in body.world.all_verbs()]
    body.unknown_name("RW107", word, [*STEP_WORDS, *VERB_BY_NAME, *known], "no verb")


def _name_of_choice(body: Body, node: nodes.Command) -> None:
    """Keep the name that a misspelt `choose card from …` would have given, for the steps behind."""
    word = node.object
    if not isinstance(word, nodes.Name) or "choose" not in nearest(node.verb.text, ("choose",)):
        return
    source = next((one.value for one in node.places if one.preposition == "from"), None)
    if source is not None and name_lookup.what_is(body, word) is None:
        with body.quietly():
            held = types.element(body.expression(source).type)
        body.locals[word.text] = types.without_none(held or types.UNKNOWN)


def _holds_verb(body: Body, word: nodes.Word) -> bool:
    with body.quietly() as trial:
        value = body.expression(nodes.Name(span=word.span, text=word.text))
    return not trial.has_errors and isinstance(types.without_none(value.type), types.VerbType)


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
    verb = shaped[0] if len(shaped) == 1 else _fitting(body, node, shaped)
    if verb is None:
        return None
    arguments = _arguments(body, node, verb)
    called(body, verb, node.span)
    return model.CallVerb(span=node.span, see=node.see, verb=verb.id, arguments=arguments)


def _fitting(
    body: Body, node: nodes.Command, verbs: list[VerbDeclaration]
) -> VerbDeclaration | None:
    """Return the overload that fits: the nearest file's first, of these the most special."""
    fitting: list[VerbDeclaration] = []
    trials: list[Report] = []
    for verb in verbs:
        with body.quietly() as trial:
            _arguments(body, node, verb)
        trials.append(trial)
        if not trial.has_errors:
            fitting.append(verb)
    if not fitting:
        return _none_fits(body, node, verbs, trials)
    best = fitting[0]
    for verb in fitting[1:]:
        pairs = list(zip(verb.parameters, best.parameters, strict=True))
        if all(types.fits(one.type, other.type) for one, other in pairs) and any(
            one.type != other.type for one, other in pairs
        ):
            best = verb
    _check_doubt(body, node, best, [one for one in fitting if one.scope is best.scope])
    return best


def _check_doubt(
    body: Body, node: nodes.Command, best: VerbDeclaration, others: list[VerbDeclaration]
) -> None:
    """Report that of two overloads of one file none is more special than the other."""
    for other in others:
        pairs = zip(best.parameters, other.parameters, strict=True)
        if other is best or all(types.fits(one.type, two.type) for one, two in pairs):
            continue
        places = tuple(Label(one.node.name.span, "this one fits") for one in (best, other))
        help = "declare it for exactly these kinds, too, or take another name for one of them"
        body.complain("RW218", node.span, help=help, secondary=places, name=node.verb.text)
        return


def _none_fits(
    body: Body, node: nodes.Command, verbs: list[VerbDeclaration], trials: list[Report]
) -> VerbDeclaration | None:
    """Say why no overload fits: a mistake that all of them see, or the kinds of their objects.

    The overload that is named by an instance (`draw 1 from b …`) is the one that is meant.
    """
    named = [verb for verb in verbs if _names_instance(body, node, verb)]
    if len(named) == 1:
        return named[0]
    shared = [
        problem
        for problem in trials[0].sorted()
        if all(problem in trial.sorted() for trial in trials[1:])
    ]
    if shared:
        body.report.extend(shared)
        return None
    heads = sorted({_head(verb, with_types=True) for verb in verbs})
    body.complain(
        "RW307", node.span, name=node.verb.text, notes=tuple(f"there is: {head}" for head in heads)
    )
    return None


def _names_instance(body: Body, node: nodes.Command, verb: VerbDeclaration) -> bool:
    with body.quietly():
        read = _arguments(body, node, verb)
    return any(
        isinstance(parameter.type, types.InstanceType) and found.type == parameter.type
        for parameter, found in zip(verb.parameters, read, strict=True)
    )


def _head(verb: VerbDeclaration, *, with_types: bool) -> str:
    """Return how a verb is written, with the names of its objects or with their types."""

    def shown(parameter: model.Parameter) -> str:
        return types.shown(parameter.type) if with_types else parameter.name

    words = [verb.name]
    parameters = list(verb.parameters)
    if verb.has_object:
        words.append(shown(parameters.pop(0)))
    for preposition, parameter in zip(verb.prepositions, parameters, strict=True):
        words.append(f"{preposition} {shown(parameter)}")
    return " ".join(words)


def _misshapen(
    body: Body, node: nodes.Command, verbs: tuple[VerbDeclaration, ...]
) -> model.Statement | None:
    verb = verbs[0]
    body.complain(
        "RW307",
        node.span,
        _misfit(node, verb.has_object, verb.prepositions),
        name=node.verb.text,
        secondary=tuple(Label(verb.node.name.span, "declared here") for verb in verbs[:3]),
        help=f"write `{_head(verb, with_types=False)}`",
    )
    return None


def _misfit(node: nodes.Command, has_object: bool, prepositions: tuple[str, ...]) -> str:
    """Return what is missing in a command, or what does not belong there."""
    given = [place.preposition for place in node.places]
    missing = [word for word in prepositions if word not in given]
    needless = [word for word in given if word not in prepositions]
    if missing and needless:
        return f"`{missing[0]}`, not `{needless[0]}`"
    if missing:
        return f"`{missing[0]} …` is missing"
    if needless:
        return f"`{needless[0]} …` does not belong here"
    if has_object and node.object is None:
        return "the object is missing"
    return "" if has_object else "there is no object"


def _arguments(
    body: Body, node: nodes.Command, verb: VerbDeclaration
) -> tuple[model.Argument, ...]:
    wanted = [parameter.type for parameter in verb.parameters]
    given = [] if node.object is None else [node.object]
    rest = list(node.places)
    for preposition in verb.prepositions:
        found = next(one for one in rest if one.preposition == preposition)
        rest.remove(found)
        given.append(found.value)
    read: list[model.Argument] = []
    for value, type_ in zip(given, wanted, strict=True):
        read.append(places.argument(body, value, calls.about_what(type_, wanted, read)))
    return tuple(read)


def called(body: Body, verb: VerbDeclaration, span: nodes.Span) -> None:
    """Note that a verb is done here by the acting player."""
    if body.silent:
        return
    # A verb that is done only by itself is never begun.
    verb.used = verb.used or body.amending or verb is not body.verb
    if body.verb is not None:
        body.verb.calls.append((verb, span))
    elif body.calls is not None:
        body.calls.append((verb, span))


# ------------------------------------------------------------------------------------- core verbs


def _core(body: Body, node: nodes.Command) -> model.Statement | None:
    core = VERB_BY_NAME[node.verb.text]
    given = tuple(one.preposition for one in node.places)
    if given != core.prepositions or (node.object is not None) != core.has_object:
        label = _misfit(node, core.has_object, core.prepositions)
        help = f"write `{core.form}`"
        body.complain("RW307", node.span, label, help=help, name=core.name)
        return None
    return _READERS[core.name](body, node)


def _set(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.object)
    type_ = types.UNKNOWN if place is None else place.type
    value = places.with_chance(body, node.places[0].value, _value_type(type_))
    if place is None:
        return None
    if isinstance(type_, types.ZoneType):
        help = "things lie in a zone: `move … to …`"
        found = f"zone of {types.shown(type_.kind)}"
        body.complain("RW308", node.object.span, help=help, found=found)
        return None
    if isinstance(type_, types.FamilyType) and not isinstance(value.type, types.FamilyType):
        value = body.adapt(value, type_.value)
        return model.Set(span=node.span, see=node.see, place=place, value=value, whole_family=True)
    value = body.adapt(value, type_)
    if isinstance(place, model.FieldPlace | model.EntryPlace):
        constants.check_place(body, place, value)
    return model.Set(span=node.span, see=node.see, place=place, value=value)


def _value_type(type_: Type) -> Type | None:
    if isinstance(type_, types.FamilyType | types.UnknownType):
        return None if isinstance(type_, types.UnknownType) else type_
    return type_


def _add(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.places[0].value)
    if place is None:
        body.expression(node.object)
        return None
    type_ = types.without_none(place.type)
    if isinstance(place.type, types.OptionalType) and isinstance(place, model.FieldPlace):
        body.must_be_known(
            model.Read(type=place.type, span=place.span, field=place.field, target=place.target)
        )
    if isinstance(type_, ListType):
        value = places.with_chance(body, node.object, type_.inner)
        if isinstance(value.type, ListType) and types.fits(value.type, type_):
            pass
        else:
            value = as_list(body.adapt(value, type_.inner))
        return model.Add(span=node.span, see=node.see, place=place, value=value, append=True)
    if not isinstance(type_, types.NumberType | types.UnknownType):
        zone = isinstance(type_, types.ZoneType)
        body.complain(
            "RW301",
            node.places[0].value.span,
            f"this is {with_article(types.words(type_))}",
            help="things come into a zone by `move … to …`" if zone else None,
            expected="number or list",
            found=types.words(type_),
        )
        return None
    value = body.adapt(places.with_chance(body, node.object, type_), type_)
    return model.Add(span=node.span, see=node.see, place=place, value=value, append=False)


def _remove(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    place = places.place(body, node.places[0].value)
    if place is None:
        return None
    held = types.element(place.type)
    if held is None or isinstance(place.type, types.ZoneType):
        found = model.Contents(type=place.type, span=node.places[0].value.span, place=place)
        zone = isinstance(place.type, types.ZoneType)
        help = "things leave a zone by `move … to …`" if zone else None
        body.mismatch(found, ListType(types.ANYTHING), help=help)
        return None
    value = body.typed(node.object, held)
    return model.Remove(span=node.span, see=node.see, place=place, value=value)


def _swap(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    first = places.place(body, node.object)
    second = places.place(body, node.places[0].value)
    if first is None or second is None:
        return None
    if not types.fits(second.type, first.type):
        found = model.Contents(type=second.type, span=second.span, place=second)
        body.mismatch(found, first.type)
    return model.Swap(span=node.span, see=node.see, first=first, second=second)


def _move(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    to = places.zone(body, node.places[0].value)
    if places.is_whole_zone(body, node.object):
        zone = places.place(body, node.object)
        if zone is None or to is None:
            return None
        if not types.fits(zone.type, to.type):
            found = model.Contents(type=zone.type, span=node.object.span, place=zone)
            body.mismatch(found, ListType(types.element(to.type) or types.UNKNOWN))
        return model.Move(span=node.span, see=node.see, things=None, zone=zone, to=to)
    things = places.with_chance(body, node.object, None)
    if to is None:
        return None
    wanted = types.element(to.type) or types.UNKNOWN
    if types.element(things.type) is None:
        things = as_list(body.adapt(things, wanted))
    elif not types.fits(things.type, ListType(wanted)):
        body.mismatch(things, ListType(wanted))
    return model.Move(span=node.span, see=node.see, things=things, zone=None, to=to)


def _shuffle(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    zone = places.zone(body, node.object)
    return None if zone is None else model.Shuffle(span=node.span, see=node.see, zone=zone)


def _show(body: Body, node: nodes.Command) -> model.Statement | None:
    assert node.object is not None
    value = body.expression(node.object)
    viewers = players(body, node.places[0].value)
    return model.Show(span=node.span, see=node.see, value=value, viewers=viewers)


def players(body: Body, node: nodes.Expression) -> model.Expression:
    """Return a list of players; a single one is a list of one."""
    found = body.expression(node, ListType(types.PLAYER))
    if types.element(found.type) is None:
        return as_list(body.adapt(found, types.PLAYER))
    return body.adapt(found, ListType(types.PLAYER))


def _nothing(body: Body, node: nodes.Command) -> model.Statement:
    return model.Nothing(span=node.span, see=node.see)


_READERS: Mapping[str, CommandReader] = {
    "set": _set,
    "add": _add,
    "remove": _remove,
    "swap": _swap,
    "move": _move,
    "shuffle": _shuffle,
    "create": creation.create,
    "destroy": creation.destroy,
    "show": _show,
    "nothing": _nothing,
    "pause": pause.pause,
}
