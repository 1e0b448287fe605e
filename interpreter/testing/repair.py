"""How a line of an example reads where it comes out otherwise: a failure in, what stands in place of what
out.

An `expect x is 4` that finds 5 becomes `expect x is 5`, also inside of an `and` or `every`; what is not
compared is turned round. What is refused or allowed otherwise says so. A `do` that is not possible any
more becomes a `refuse`; one that is asked something more gets an answer to it; an answer that nothing
asks for is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.source import Source, Span
from rulewright.interpreter.engine.executor import answer
from rulewright.interpreter.engine.whole_selections import answer_selection
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.lookahead.lookahead import living
from rulewright.interpreter.program.decisions import current, option_labels, pending
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.state.errors import IllegalActionError, PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    EnumValue,
    Locals,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.testing.examples import Failure
from rulewright.interpreter.testing.scripting import Misfit, NotPossible, Script

MOST_PICKED = 20


def answer_to_open(
    misfit: Misfit, example: model.Example, line: model.ExampleLine
) -> tuple[str, str] | None:
    """Return who is asked, and an answer; None if nothing is asked or it cannot be written.

    `line` is the one at which the example stops.
    """
    script = misfit.script
    waiting = pending(script.program, script.store)
    if waiting is None:
        return None
    try:
        text = _said_before(script, waiting.player, example, line) or _first(script)
    except (PlayError, NotPossible, IllegalActionError):
        return None
    return None if text is None else (script.words(waiting.player), text)


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


def _selection(script: Script, asked: OpenQuestion) -> tuple[Value, ...] | None:
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
            return next((name for name, one in players.items() if one is value), None)
        case Thing():
            return next(_ways_to(value, store, players), None)
        case VerbValue() if not value.arguments:
            return value.name
        case tuple():
            items = [written(item, store, players) for item in value]
            return None if None in items else f"[{', '.join(item for item in items if item)}]"
    return None


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


# ------------------------------------------------------------------------------------------- repair


MEND = "    # to be mended by hand: "
INDENT = "  "

Comparison = re.compile(r"([\s)]*?)\s*(is\s+not|not\s+in|is|in|<=|>=|<|>)\s*([\s(]*)")
PLAIN = re.compile(r"[\w.]+(\([\w., ]*\))?")


@attrs.frozen
class TextEdit:
    """A stretch of the text, and what stands in its place."""

    source: Source
    start: int
    end: int
    text: str

    @staticmethod
    def of(span: Span, text: str) -> TextEdit:
        """Return what replaces all of a stretch."""
        return TextEdit(span.source, span.start, span.end, text)


def with_edits(span: Span, edits: Sequence[TextEdit]) -> str:
    """Return the text of a stretch with its edits."""
    text, start = span.source.text, span.start
    pieces: list[str] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        pieces += [text[start : edit.start], edit.text]
        start = edit.end
    pieces.append(text[start : span.end])
    return "".join(pieces)


def by_hand(failure: Failure) -> TextEdit:
    """Return a line with a comment that says why nothing better can be written."""
    first = failure.span.text.partition("\n")[0].rstrip()
    label = failure.label if failure.code == "RW412" else ""
    said = "; ".join(filter(None, (label, *failure.notes))) or "does not come out"
    return TextEdit.of(failure.span.slice(0, len(first)), f"{first}{MEND}{said}")


def edits_of(failure: Failure, example: model.Example) -> Sequence[TextEdit] | None:
    """Return what makes a line come out, None if that cannot be said."""
    match failure.line:
        case model.ExpectLine(condition=condition) if failure.viewpoint is not None:
            return list(_condition(condition, failure.viewpoint))
        case model.SeesLine(values=(_,)) | model.ToldLine() as line:
            return _turned_round(line.span)
        case model.DoLine(word="refuse") as line:
            return _refused(failure, line)
        case model.DoLine(word="allow") as line:
            if failure.misfit is not None and line.answers[failure.misfit.given :]:
                found = _answered(line, failure.misfit, example)
                if found:
                    return found
            return _impossible(failure, line)
        case model.DoLine() as line:
            if failure.impossible:
                return _impossible(failure, line)
            if failure.misfit is not None:
                return _answered(line, failure.misfit, example) or _left_out(line, failure.misfit)
        case model.GivenField() | model.GivenZone() | model.GivenOption() as line:
            if failure.misfit is not None:
                return _before(line, failure.misfit, example)
    return None


TURNED_ROUND = (
    (re.compile(r"\bdoes\s+not\s+see\b"), "sees"),
    (re.compile(r"\bsees\b"), "does not see"),
    (re.compile(r"\bis\s+not\s+told\b"), "is told"),
    (re.compile(r"\bis\s+told\b"), "is not told"),
)


def _turned_round(span: Span) -> Sequence[TextEdit] | None:
    """Return what says the contrary of who sees something, or is told it."""
    for pattern, contrary in TURNED_ROUND:
        found = pattern.search(span.text)
        if found is not None:
            return [
                TextEdit(
                    span.source, span.start + found.start(), span.start + found.end(), contrary
                )
            ]
    return None


# -------------------------------------------------------------------------------------- conditions


def _condition(node: model.Expression, viewpoint: Viewpoint) -> Iterator[TextEdit]:
    """Yield what makes a condition hold that does not hold."""
    match node:
        case model.And(left=left, right=right):
            for side in (left, right):
                if not viewpoint.value(side)[1]:
                    yield from _condition(side, viewpoint)
            return
        case model.Compare(left=left, right=right):
            compared = _compared(node, left, right, viewpoint)
        case model.Builtin(name="same_items", arguments=(left, right)):
            compared = _compared(node, left, right, viewpoint)
        case model.IsEmpty(negated=negated):
            old, new = ("is not empty", "is empty") if negated else ("is empty", "is not empty")
            text = node.span.text
            compared = (
                TextEdit.of(node.span, text[: -len(old)] + new) if text.endswith(old) else None
            )
        case model.Not():
            text = node.span.text
            inner = _without_brackets(text.removeprefix("not").strip())
            compared = TextEdit.of(node.span, inner) if text.startswith("not") else None
        case model.Quantified():
            found = _quantified(node, viewpoint)
            if found is not None:
                yield from found
                return
            compared = None
        case _:
            compared = None
    yield compared or TextEdit.of(node.span, _negated(node.span.text))


def _negated(text: str) -> str:
    return f"not {text}" if PLAIN.fullmatch(text) else f"not ({text})"


def _without_brackets(text: str) -> str:
    """Return a text without a pair of brackets around all of it."""
    depth = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            whole = text.startswith("(") and place == len(text) - 1
            return text[1:-1] if whole else text
    return text


def _compared(
    node: model.Expression, left: model.Expression, right: model.Expression, viewpoint: Viewpoint
) -> TextEdit | None:
    """Return a comparison as it comes out: with the value that is there now."""
    source, span = node.span.source, node.span
    found = Comparison.fullmatch(source.text[left.span.end : right.span.start])
    if found is None:
        return None
    word = " ".join(found[2].split())
    first = source.text[span.start : left.span.end] + found[1]
    second = found[3] + source.text[right.span.start : span.end]
    told, value = viewpoint.value(left)
    other_told, other = viewpoint.value(right)
    new = written(value, viewpoint.store, viewpoint.locals) if told else None
    if word in ("is", "in", "<", ">", "<=", ">=") and _is_written_out(left):
        new = written(other, viewpoint.store, viewpoint.locals) if other_told else None
        return TextEdit.of(left.span, new) if word == "is" and new is not None else None
    match word:
        case "is" if new is not None:
            that = (
                None
                if _is_written_out(right)
                else written(other, viewpoint.store, viewpoint.locals)
            )
            if that is not None and PLAIN.fullmatch(second):
                return TextEdit.of(span, f"{first} is {new} and {second} is {that}")
            return TextEdit(source, right.span.start - len(found[3]), span.end, new)
        case "is" if isinstance(value, tuple) and isinstance(other, tuple):
            if len(value) != len(other):
                return TextEdit.of(span, f"count({first}) is {len(value)}")
            return TextEdit.of(span, f"{first} is not {second}")
        case "is":
            return TextEdit.of(span, f"{first} is not {second}")
        case "is not":
            return TextEdit.of(span, f"{first} is {second}")
        case "not in":
            return TextEdit.of(span, f"{first} in {second}")
        case "in" if new is None:
            return TextEdit.of(span, f"{first} not in {second}")
        case _:
            return None if new is None else TextEdit.of(span, f"{first} is {new}")


def _is_written_out(node: model.Expression) -> bool:
    """Return whether a value stands there itself, not where it comes from."""
    match node:
        case model.Constant() | model.EnumConstant() | model.NamedThing():
            return True
        case model.Local(name=name):
            return name == node.span.text
        case model.Negative(operand=operand):
            return _is_written_out(operand)
        case model.ListOf(items=items):
            return all(map(_is_written_out, items))
    return False


def _quantified(node: model.Quantified, viewpoint: Viewpoint) -> Sequence[TextEdit] | None:
    """Return what makes `every p in xs has c` hold, if the same is so of all of them."""
    told, items = viewpoint.value(node.source)
    if node.word != "every":
        new = "no" if node.word == "some" else "some"
        text = node.span.text
        if not text.startswith(node.word):
            return None
        return [TextEdit.of(node.span.slice(0, len(node.word)), new)]
    if not told or not isinstance(items, tuple):
        return None
    found: set[tuple[TextEdit, ...]] = set()
    for item in items:
        inner = viewpoint.with_name(node.name, item)
        if inner.value(node.condition)[1]:
            return None
        found.add(tuple(_condition(node.condition, inner)))
    return found.pop() if len(found) == 1 else None


# ------------------------------------------------------------------------------------------- lines


def _word(span: Span, old: str, new: str) -> Sequence[TextEdit] | None:
    return [TextEdit.of(span.slice(0, len(old)), new)] if span.text.startswith(old) else None


def _refused(failure: Failure, line: model.DoLine) -> Sequence[TextEdit] | None:
    if line.reason is None:
        return _word(line.span, "refuse", "allow")
    if failure.reasons:
        reason = failure.reasons[0]
        return None if '"' in reason else [TextEdit.of(line.reason.span, f'"{reason}"')]
    because = TextEdit(line.span.source, line.answers[-1].span.end, line.reason.span.end, "")
    if failure.misfit is not None:
        return [because]
    allowed = _word(line.span, "refuse", "allow")
    return None if allowed is None else [*allowed, because]


def _impossible(failure: Failure, line: model.DoLine) -> Sequence[TextEdit] | None:
    """Return what is not possible any more as what it is: refused, and why."""
    refused = _word(line.span, line.word, "refuse")
    if refused is None or not failure.reasons or '"' in failure.reasons[0]:
        return refused
    end = line.answers[-1].span.end
    because = TextEdit(line.span.source, end, end, f' because "{failure.reasons[0]}"')
    return [*refused, because]


def _answered(
    line: model.DoLine, misfit: Misfit, example: model.Example
) -> Sequence[TextEdit] | None:
    """Return a line with an answer to what is asked in between; nothing if nothing is asked."""
    given, answers, source = misfit.given, line.answers, line.span.source
    if given + 1 < len(answers) and follows(misfit, line, given + 1):
        # What one answer was for is not asked any more, and the next one fits.
        return [TextEdit(source, answers[given].span.start, answers[given + 1].span.start, "")]
    found = answer_to_open(misfit, example, line)
    if found is None:
        return None
    who, text = found
    mine = who == said_by(misfit, line)
    if given == 0:
        return _before(line, misfit, example)
    if mine:
        start = answers[given].span.start
        return [TextEdit(source, start, start, f"{text}, ")]
    start, end = answers[given - 1].span.end, answers[given].span.start
    between = f"\n{INDENT}do {who}: {text}\n{INDENT}{line.word} {said_by(misfit, line)}: "
    return [TextEdit(source, start, end, between)]


def _before(
    line: model.ExampleLine, misfit: Misfit, example: model.Example
) -> Sequence[TextEdit] | None:
    """Return a line with an answer before it to what is still asked: at the end of the line above, if
    that is a `do` of the same player."""
    found = answer_to_open(misfit, example, line)
    if found is None:
        return None
    who, text = found
    number = next(number for number, one in enumerate(example.lines) if one is line)
    above = example.lines[number - 1] if number else None
    source = line.span.source
    if isinstance(above, model.DoLine) and above.word == "do" and said_by(misfit, above) == who:
        end = above.answers[-1].span.end
        return [TextEdit(source, end, end, f", {text}")]
    start = line.span.start
    return [TextEdit(source, start, start, f"do {who}: {text}\n{INDENT}")]


def _left_out(line: model.DoLine, misfit: Misfit) -> Sequence[TextEdit]:
    """Return a line without the answers that nothing asks for any more."""
    answers, source = line.answers, line.span.source
    if misfit.given:
        return [TextEdit(source, answers[misfit.given - 1].span.end, answers[-1].span.end, "")]
    start = source.text.rfind("\n", 0, line.span.start)
    return [TextEdit(source, max(start, 0), line.span.shown().end, "")]
