"""What an example could answer: an open decision in, the answer as it is written in a line out.

What the example answers elsewhere to the same choice comes first, as long as it is possible; otherwise
it is the first possible answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.interpreter.decisions import current, option_labels, pending
from rulewright.interpreter.errors import IllegalActionError, PlayError
from rulewright.interpreter.execute import answer
from rulewright.interpreter.lookahead import living
from rulewright.interpreter.questions import DONE, Asked
from rulewright.interpreter.scripting import Misfit, NotPossible, Script
from rulewright.interpreter.selecting import answer_selection
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import EnumValue, Locals, PlaceValue, Thing, Value, VerbValue

MOST_PICKED = 20


def answer_to_open(
    misfit: Misfit, example: model.Example, line: model.ExampleLine
) -> tuple[str, str] | None:
    """Return who is asked, and an answer; None if nothing is asked or it cannot be written.

    `line` is the one at which the example stops.
    """
    script = misfit.script
    asked = pending(script.program, script.store)
    if asked is None:
        return None
    try:
        text = _said_before(script, asked.player, example, line) or _first(script)
    except (PlayError, NotPossible, IllegalActionError):
        return None
    return None if text is None else (script.words(asked.player), text)


def said_by(misfit: Misfit, line: model.DoLine) -> str:
    """Return whose line it is."""
    player = misfit.script.value(line.player, None)
    return misfit.script.words(player) if isinstance(player, Thing) else ""


def follows(misfit: Misfit, line: model.DoLine, number: int) -> bool:
    """Return whether a later answer of a line fits where the line stops."""
    player = misfit.script.value(line.player, None)
    return isinstance(player, Thing) and misfit.script.fits(line.answers[number], player)


def _said_before(
    script: Script, player: Thing, example: model.Example, line: model.ExampleLine
) -> str | None:
    """Return an answer to the same choice that the example gives up to a line, the last one first."""
    found: list[model.Answer] = []
    for other in example.lines:
        if isinstance(other, model.DoLine) and other.word == "do":
            found += [one for one in other.answers if one.name is not None and not one.declined]
        if other is line:
            break
    for said in reversed(found):
        if script.fits(said, player) and _is_possible(script, said, player):
            return said.span.text
    return None


def _is_possible(script: Script, answer: model.Answer, player: Thing) -> bool:
    copy = Script(script.program, script.store.clone(), script.players)
    try:
        copy.give(answer, player)
    except (NotPossible, Misfit, PlayError):
        return False
    return True


def _first(script: Script) -> str | None:
    """Return the first possible answer to the open decision."""
    program, store = script.program, script.store
    asked = current(program, store)
    word, kind = asked.question.word, asked.question.kind
    if kind == "several":
        picked = _selection(script, asked)
        texts = [written(one, store, script.players) for one in picked or ()]
        if picked is None or None in texts:
            return None
        return f"{word} = [{', '.join(text for text in texts if text)}]"
    option = next(iter(living(program, store)), None)
    if kind == "either":
        return f'"{option_labels(program, store, [option])[0]}"'
    if kind not in ("one", "numbers"):
        return None
    text = written(option, store, script.players)
    return None if text is None else f"{word} = {text}"


def _selection(script: Script, asked: Asked) -> tuple[Value, ...] | None:
    """Return a smallest selection that is possible, found piece by piece."""
    picked: list[Value] = []
    store = script.store.clone()
    frame = store.frames[-1]
    for _ in range(MOST_PICKED):
        options = list(living(script.program, store))
        if not options:
            return None
        if DONE in options:
            break
        picked.append(options[0])
        answer(script.program, store, options[0], trusted=True)
        waiting = pending(script.program, store)
        if waiting is None or waiting.op is not asked.question.op or store.frames[-1] is not frame:
            break
    copy = script.store.clone()
    answer_selection(script.program, copy, picked)
    return tuple(picked)


# ----------------------------------------------------------------------------------------- values


def written(value: Value, store: Store, players: Locals) -> str | None:
    """Return a value as it is written in an example; None if it has no words of its own."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case str() if '"' not in value:
            return f'"{value}"'
        case EnumValue():
            return value.value
        case Thing(kind="Player"):
            return _seat(value, players)
        case Thing():
            return next(_ways_to(value, store, players), None)
        case VerbValue() if not value.arguments:
            return value.name
        case tuple():
            items = [written(item, store, players) for item in value]
            return None if None in items else f"[{', '.join(item for item in items if item)}]"
    return None


def _seat(player: Thing, players: Locals) -> str | None:
    return next((name for name, one in players.items() if one is player), None)


def _ways_to(thing: Thing, store: Store, players: Locals) -> Iterator[str]:
    """Yield how a thing can be called: by its name if no other one has it, or by where it lies."""
    layout = store.layout
    alike = [one for one in store.things(thing.kind) if one.name == thing.name]
    if thing.name and '"' not in thing.name and len(alike) == 1:
        yield f'{thing.kind}("{thing.name}")'
    place = store.columns[layout.place_slots[thing.kind]][thing.number]
    zone = _zone(place, store, players)
    if zone is not None:
        items = store.columns[place.slot][place.index]
        at = items.index(thing)
        yield f"first({zone})" if at == 0 else f"{zone}[{at}]"


def _zone(place: object, store: Store, players: Locals) -> str | None:
    if not isinstance(place, PlaceValue) or place.slot not in store.layout.fields:
        return None
    field = store.layout.fields[place.slot]
    if place.holder is None:
        return field.id
    holder = written(place.holder, store, players)
    return None if holder is None else f"{holder}.{field.name}"
