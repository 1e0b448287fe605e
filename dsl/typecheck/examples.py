"""Type checking examples, line by line.

The players of an example are locals. An answer is read as the choice of that name asks for it, or,
where nothing tells, as a verb, a value, or the text of an arm.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import MenuText, OptionDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.source import join
from rulewright.dsl.typecheck import creation, name_lookup, places
from rulewright.dsl.typecheck.calls import verb_with_arguments
from rulewright.dsl.typecheck.context import Body, mismatch
from rulewright.dsl.typecheck.names import as_list


def read_example(
    body: Body, node: nodes.Example, title: str, about: frozenset[str] = frozenset()
) -> model.Example:
    """Return a checked example; `title` is that of the variant that says it, or "", `about` are the
    variants of which it knows."""
    body.example, body.me = True, False
    players: tuple[str, ...] = ()
    lines: list[model.ExampleLine] = []
    plays = any(isinstance(line, nodes.ExamplePlayers) for line in node.lines)
    if not plays:
        body.complain(
            "RW413",
            node.title.span,
            "nobody plays",
            name=node.title.raw,
            help="begin with a line: players ann, ben",
        )
    # Without players no line means anything: that they are missing is said once.
    for number, line in enumerate(node.lines if plays else ()):
        if isinstance(line, nodes.ExamplePlayers):
            if number > 0:
                _out_of_place(body, node, line)
            players = _players(body, line)
            continue
        read = _line(body, line)
        if read is not None:
            lines.append(read)
    return model.Example(
        title=node.title.raw,
        players=players,
        lines=tuple(lines),
        source=title,
        about=about,
        absent=tuple(text.raw for text in node.absent),
        span=node.span,
        see=node.see,
    )


def _out_of_place(body: Body, node: nodes.Example, line: nodes.ExamplePlayers) -> None:
    body.complain(
        "RW413",
        line.span,
        "only as the first line",
        name=node.title.raw,
        help="say at the beginning, and once, who plays",
    )


def _players(body: Body, line: nodes.ExamplePlayers) -> tuple[str, ...]:
    names: list[str] = []
    for word in line.names:
        if word.text in names:
            body.complain("RW202", word.span, kind="player", name=word.text)
        names.append(word.text)
        body.locals[word.text] = types.PLAYER
    least, most = body.world.players
    if not least <= len(names) <= most:
        span = join(line.names[0].span, line.names[-1].span)
        game = f"{least}..{most}" if least < most else str(least)
        help = f"the game is for {game} players"
        body.complain("RW404", span, help=help, found=str(len(names)))
    return tuple(names)


def _line(body: Body, line: nodes.ExampleLine) -> model.ExampleLine | None:
    match line:
        case nodes.Given():
            return _given(body, line)
        case nodes.GivenHolds():
            return _given_zone(body, line)
        case nodes.ChanceLine():
            outcomes = tuple(body.expression(one) for one in line.outcomes)
            return model.ChanceLine(outcomes=outcomes, span=line.span)
        case nodes.Do():
            return _do(body, "do", line.player, line.answers, None, line.span)
        case nodes.Allow():
            return _do(body, "allow", line.player, line.answers, None, line.span)
        case nodes.Refuse():
            return _do(body, "refuse", line.player, line.answers, line.reason, line.span)
        case nodes.Expect():
            condition = body.typed(line.condition, types.FLAG)
            return model.ExpectLine(condition=condition, span=line.span)
        case nodes.ExpectSeen():
            return model.SeesLine(
                player=_player(body, line.player),
                values=tuple(_to_see(body, one) for one in line.values),
                seen=line.seen,
                span=line.span,
            )
        case nodes.ExpectTold():
            return model.ToldLine(
                player=_player(body, line.player),
                text=body.typed(line.text, types.TEXT),
                told=line.told,
                span=line.span,
            )
        case _:
            return None


def _given(body: Body, line: nodes.Given) -> model.ExampleLine | None:
    node = line.place
    if isinstance(node, nodes.Name) and node.text not in body.locals:
        found = name_lookup.find_named(body, node)
        if isinstance(found, OptionDeclaration):
            value = body.typed(line.value, found.type)
            return model.GivenOption(option=node.text, value=value, span=line.span)
    place = places.place(body, node)
    if place is None:
        return None
    wanted = place.type
    if isinstance(wanted, types.ZoneType):
        help = f"write `given {node.span.text} holds {line.value.span.text}`"
        body.complain(
            "RW203",
            node.span,
            "things lie in it",
            help=help,
            name=node.span.text,
            kind="field",
            found="zone",
        )
        return None
    value = body.expression(line.value, wanted)
    if isinstance(wanted, types.FamilyType) and not isinstance(value.type, types.FamilyType):
        wanted = wanted.value
    value = body.adapt(value, wanted)
    return model.GivenField(place=place, value=value, span=line.span)


def _given_zone(body: Body, line: nodes.GivenHolds) -> model.ExampleLine | None:
    place = places.zone(body, line.place)
    if place is None or not isinstance(place.type, types.ZoneType):
        return None
    held = place.type.kind
    holdings = tuple(_holding(body, one, held) for one in line.holdings)
    return model.GivenZone(place=place, holdings=holdings, span=line.span)


def _holding(
    body: Body, node: nodes.SomeOf | nodes.SomeNew | nodes.Expression, held: Type
) -> model.Holding:
    if isinstance(node, nodes.SomeOf | nodes.SomeNew) and node.number < 1:
        span = node.span.slice(0, len(str(node.number)))
        expected = "1 and more"
        body.complain("RW312", span, found=str(node.number), expected=expected)
    if isinstance(node, nodes.SomeNew):
        return _new_things(body, node.thing, node.number, held)
    if isinstance(node, nodes.New) and not any(
        isinstance(one, nodes.Text) for one in node.arguments
    ):
        return _new_things(body, node, 1, held)
    if isinstance(node, nodes.SomeOf):
        type_ = body.types.kind_type(node.kind, body.scope) or types.UNKNOWN
        if not types.fits(type_, held):
            body.report.add(mismatch(node.kind.span, type_, held))
        with body.binding(None, type_, frozenset()) as local:
            condition = None if node.condition is None else body.typed(node.condition, types.FLAG)
        return model.Holding(
            number=node.number,
            kind=types.shown(type_),
            name=local,
            condition=condition,
            span=node.span,
        )
    value = body.expression(node, held)
    item = types.element(value.type)
    if not types.fits(value.type if item is None else item, held):
        body.mismatch(value, held)
    return model.Holding(kind=types.shown(held), value=value, span=node.span)


def _new_things(body: Body, node: nodes.New, number: int, held: Type) -> model.Holding:
    made = creation.new_thing(body, node)
    if made is not None and not types.fits(types.ThingType(made[0]), held):
        body.report.add(mismatch(node.kind.span, types.ThingType(made[0]), held))
    kind, cells = made or (types.shown(held), ())
    return model.Holding(number=number, kind=kind, cells=cells, span=node.span)


def _to_see(body: Body, node: nodes.Expression) -> model.Expression:
    """Read what somebody sees or not: it must be a field, a zone, a thing, or made of these."""
    found = body.expression(node)
    looks = (
        model.Read | model.Contents | model.NamedThing | model.Everything | model.DefineCall
    ) | (model.OwnerOf | model.LiesAt)
    if not isinstance(found.type, types.UnknownType) and not any(
        isinstance(one, looks) for one in visitor.nodes_in(found)
    ):
        help = "name a field, a zone, `count(…)` of a zone, or a thing"
        body.complain("RW424", node.span, "everybody knows this", name=node.span.text, help=help)
    return found


def _player(body: Body, player: nodes.Word) -> model.Expression:
    """Return the player of the example who is named."""
    if player.text in body.locals:
        return model.Local(type=types.PLAYER, span=player.span, name=player.text)
    names = list(body.locals)
    help = f"there are {', '.join(names)}" if names else None
    return body.unknown_name("RW201", player, names, "no player of this example", help)


def _do(
    body: Body,
    word: str,
    player: nodes.Word,
    answers: tuple[nodes.Answer, ...],
    reason: nodes.Text | None,
    span: nodes.Span,
) -> model.DoLine:
    who = _player(body, player)
    saved = body.me
    body.me = True
    read: list[model.Answer] = []
    for one in answers:
        read.append(_answer(body, one))
        if read[-1].value is not None and isinstance(read[-1].value.type, types.UnknownType):
            break  # what it asks is not known, so what follows cannot be checked
    why = None if reason is None else body.typed(reason, types.TEXT)
    body.me = saved
    return model.DoLine(word=word, player=who, answers=tuple(read), reason=why, span=span)


def _answer(body: Body, node: nodes.Answer) -> model.Answer:
    match node:
        case nodes.Decline(label=label):
            _check_label(body, label, declined=True)
            return model.Answer(text=body.typed(label, types.TEXT), declined=True, span=node.span)
        case nodes.NamedAnswer(name=name, value=value):
            found = _value(body, value, _wanted(body, name))
            return model.Answer(name=name.text, value=found, span=node.span)
        case nodes.Text():
            _check_label(body, node, declined=False)
            return model.Answer(text=body.typed(node, types.TEXT), span=node.span)
    return model.Answer(value=_value(body, node, None), span=node.span)


def _check_label(body: Body, text: nodes.Text, *, declined: bool) -> None:
    """Report a text that no arm, `may` or offer has; a text that is chosen from a list is one, too."""
    choices = [type_ for verb in body.world.all_verbs() for type_ in verb.choices.values()]
    choices += [type_ for asked_types in body.world.other_choices.values() for type_ in asked_types]
    if not declined and any(types.TEXT in (type_, types.element(type_)) for type_ in choices):
        return
    known = [label for label in body.world.labels if declined <= label.optional]
    if body.world.broken:
        return  # one of the lines that cannot be read may have it
    if all(isinstance(part, str) for part in text.parts) and not any(
        label.fits(text.raw) for label in known
    ):
        near = body.world.nearest(text.raw, [label.text for label in known])
        named = [
            verb.name
            for verb in body.world.all_verbs()
            if verb.node.label is not None
            and MenuText.of(verb.node.label, optional=False).fits(text.raw)
        ]
        help = f'did you mean "{near[0]}"?' if near else None
        if named:
            help = f"a verb is named, not quoted: `{named[0]}`"
        body.complain(
            "RW201",
            text.span,
            "no `may` has this text" if declined else "no arm, `may` or offer has this text",
            help=help,
            name=text.raw,
        )


def _wanted(body: Body, name: nodes.Word) -> Type | None:
    """Return the type of the choices of that name; a name that no `choose` has is reported."""
    asked_types = {
        verb.choices[name.text] for verb in body.world.all_verbs() if name.text in verb.choices
    }
    asked_types |= body.world.other_choices.get(name.text, set())
    if not asked_types:
        names = [one for verb in body.world.all_verbs() for one in verb.choices]
        body.unknown_name("RW201", name, names, "no choice is called that")
    return next(iter(asked_types)) if len(asked_types) == 1 else None


def _value(body: Body, node: nodes.Expression, wanted: Type | None) -> model.Expression:
    """Read an answer: a verb with its objects, or a value."""
    if isinstance(node, nodes.Name) and node.text not in body.locals:
        is_value = wanted is not None and not isinstance(wanted, types.VerbType)
        if not is_value and name_lookup.find_verbs(body, node.text):
            return body.expression(node, types.VERB)
    if isinstance(node, nodes.Call):
        verbs = name_lookup.find_verbs(body, node.name.text)
        if verbs and name_lookup.find_named(body, node.name) is None:
            return verb_with_arguments(body, node, verbs)
    if wanted is None and isinstance(node, nodes.Name):
        wanted = _verb_if_unknown(body, node)
    found = body.expression(node, wanted)
    if wanted is None or types.fits(found.type, wanted):
        return found
    if isinstance(wanted, types.ListType) and types.fits(found.type, wanted.inner):
        return as_list(found)
    body.mismatch(found, wanted)
    return body.unknown(node.span)


def _verb_if_unknown(body: Body, node: nodes.Name) -> Type | None:
    """Return `verb` for a word that means nothing: what a player does is a verb first of all."""
    with body.quietly() as trial:
        body.expression(node)
    return types.VERB if trial.has_errors else None
