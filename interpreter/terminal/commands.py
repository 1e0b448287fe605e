"""The commands of the table: what a person may ask for instead of answering.

Each takes the desk and what stands behind its word, and prints; nothing that the seat may not know
gets here, because all of it is asked for that seat.
"""

from __future__ import annotations

import contextlib
import textwrap
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulewright.dsl import model
from rulewright.dsl.files import disk
from rulewright.dsl.files.disk import no_file
from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.engine.actions import matching
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play.agents import generators, go_on_from
from rulewright.interpreter.program.decisions import option_labels, told
from rulewright.interpreter.program.program import cited
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.semantics.labels import in_words, looked_at
from rulewright.interpreter.state.errors import AmbiguousActionError, InvalidActionError, Unnamed
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Taken, VerbValue
from rulewright.interpreter.terminal.console import Leave, Talk
from rulewright.interpreter.terminal.screen import is_terminal
from rulewright.interpreter.terminal.session import OpenMenu, TableSession
from rulewright.interpreter.terminal.svg import BEGINS
from rulewright.interpreter.terminal.table import STEP, StyledLine, wrapped
from rulewright.interpreter.words.text import listed, printable, shortened
from rulewright.interpreter.words.translation import ENGLISH, Words

LOG_SHOWN = 40
SMALL_TABLE = 24
"""A table of up to so many lines is always shown as a whole."""
SVG = "--svg"
QUOTES = ('""', "''", "``", "\u201c\u201d", "\u201e\u201c", "\u00bb\u00ab", "\u00ab\u00bb")
SAVED_BEGINS = "seal ="
"""How the text of a saved game begins; no other file is ever overwritten."""


class CommandContext:
    """What commands work on: the game, the one who looks at the screen, and what is asked."""

    help: Mapping[str, tuple[str, str]]
    """What can be typed besides an answer: what stands behind a word, and what it does."""

    def __init__(self, sitting: TableSession, talk: Talk) -> None:
        self.sitting = sitting
        self.talk = talk
        self.seat = -1
        """Who is looking at the screen; nobody yet."""

        self.viewed = -1
        """Who has seen the table since the last answer of anybody else."""

        self.shown: list[str] = []
        """The lines of the table that stand on the screen."""

        self.offer: OpenMenu | None = None
        self.hinted = (0, 0)
        """After how many answers a hint was given last, and how many were given there."""

        self.over = False
        self.saved = len(sitting.state.history())
        """How many answers had been given when the game was saved or loaded last."""

    @property
    def say(self) -> Words:
        """The language of those who sit there."""
        return self.sitting.words

    def complain(self, line: str) -> None:
        """Say what is wrong; in one line where nobody sits who reads it, but a program."""
        line = shortened(printable(line))
        for part in wrapped("", line) if is_terminal() else (line,):
            self.talk.say(part, "wrong")

    def tell(self, line: str, style: str = "") -> None:
        """Say something in as many lines as it needs, all as far from the edge as it is."""
        text = line.lstrip()
        for part in wrapped("", printable(text), indent=line[: len(line) - len(text)]):
            self.talk.say(part, style)


def show_help(desk: CommandContext, rest: str) -> None:
    """Print what can be typed, or what is said of one command."""
    forms = {f"{word} {wants}".strip(): does for word, (wants, does) in desk.help.items()}
    if rest:
        forms = {form: does for form, does in forms.items() if form.split()[0] == rest}
    else:
        for line in (
            "Answer with the number of an option or the beginning of its label.",
            "Where several are wanted, give numbers: 1 3 4, 2-5, all, none.",
            "Options that are numbers themselves have no places: 4 means the number 4.",
            "Besides:",
        ):
            desk.tell(desk.say(line))
    width = max(map(len, forms), default=0)
    for form, does in forms.items():
        line = f"{form:<{width}}  {desk.say(does)}"
        for part in wrapped("", line, indent=STEP, step=" " * (width + 2)):
            desk.talk.say(part)
    if rest in ("why", "rules"):
        desk.tell(f"{STEP}{what_can_be_asked(desk)}")


def what_can_be_asked(desk: CommandContext) -> str:
    """Return what stands behind `why` and `rules`."""
    game = desk.sitting.state.game
    known = (one for one in game.model.verbs.values() if one.id not in game.program.offers)
    named = listed(dict.fromkeys(in_words(one.name) for one in known if one.label is not None))
    text = "X is the number or the label of an option, or a verb: {listed}"
    if not named:
        return desk.say("X is the number or the label of an option, or a verb")
    return desk.say(text, listed=named)


def show_state(desk: CommandContext, rest: str) -> None:
    """Print the table as the seat sees it, or write its map to a file."""
    word, _, name = rest.partition(" ")
    if word == SVG and name.strip():
        _draw(desk, name.strip())
        return
    if rest:
        text = "write `{form}` or `{other}`"
        desk.complain(desk.say(text, form="state", other=f"state {SVG} FILE"))
        return
    desk.shown = desk.sitting.view(desk.seat, briefly=True)
    _say_table(desk, desk.sitting.view(desk.seat))


def show_changes(desk: CommandContext, whole: bool = True) -> None:
    """Print what the table has looked otherwise when it was printed last: nothing, the parts that have
    changed, or all of it. `whole`: the rest is still to be had."""
    before, lines = desk.shown, desk.sitting.view(desk.seat, briefly=True)
    if lines == before:
        return
    desk.shown = lines
    changed = list(_otherwise(before, lines))
    desk.talk.say()
    if not before or len(lines) <= SMALL_TABLE or not changed:
        _say_table(desk, lines)
        return
    _say_table(desk, changed)
    if whole and len(changed) < len(lines):
        desk.tell(desk.say("(the rest is as before: `state` shows the whole table)"), "note")


def _otherwise(before: list[str], lines: list[str]) -> Iterator[str]:
    """Yield the lines of a table that are not as they were, below their heads; of what is drawn all."""
    known = _parts(before, 0)
    for part in _parts(lines, 0):
        if part in known:
            continue
        if any(isinstance(line, StyledLine) for line in part):
            yield from part
            continue
        same = next((_parts(old[1:], len(STEP)) for old in known if old[0] == part[0]), [])
        yield part[0]
        for entry in _parts(part[1:], len(STEP)):
            if entry not in same:
                yield from entry


def _parts(lines: list[str], indent: int) -> list[list[str]]:
    """Return each line that is indented so far, with those below it that are indented further."""
    parts: list[list[str]] = []
    for line in lines:
        if parts and line.startswith(" " * (indent + 1)):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _say_table(desk: CommandContext, lines: list[str]) -> None:
    for line in lines:
        desk.talk.say(line, "" if line.startswith(" ") else "head")


def _draw(desk: CommandContext, name: str) -> None:
    wrong = write_picture(name, desk.sitting.picture(desk.seat), desk.say)
    if wrong is None:
        desk.talk.say(desk.say("Drawn to {name}.", name=printable(name)), "note")
    else:
        desk.complain(wrong)


def write_picture(name: str, text: str | None, say: Words = ENGLISH) -> str | None:
    """Write a picture to a new file, or over another picture; return what is wrong, if anything."""
    if text is None:
        return say("this game has no board and no ring to draw")
    path = Path(name).expanduser()
    try:
        if path.exists() and (no_file(path) or not _begins(path, BEGINS)):
            return say("`{name}` is there already, and is no picture of a game", name=name)
        disk.write(path, text)
    except (OSError, ValueError) as error:
        return say("`{name}` cannot be written: {reason}", name=name, reason=reason(error))
    return None


def show_log(desk: CommandContext, rest: str) -> None:
    """Print what the seat has noticed so far."""
    if rest not in ("", "all"):
        desk.complain(desk.say("write `{form}` or `{other}`", form="log", other="log all"))
        return
    lines = desk.sitting.story(desk.seat)
    left_out = 0 if rest else max(0, len(lines) - LOG_SHOWN)
    if left_out:
        text = desk.say("... {number} earlier lines: `log all` shows them", number=left_out)
        desk.talk.say(text, "note")
    for line in lines[left_out:]:
        desk.tell(line, "event")


def show_why(desk: CommandContext, rest: str) -> None:
    """Print why something is possible or not."""
    state = desk.sitting.told_state()
    try:
        explanation = state.why(_named(desk, rest), desk.seat)
    except Unnamed as error:
        _unknown(desk, "nothing that can be done is called `{name}`", rest, error.near)
        return
    except (InvalidActionError, AmbiguousActionError) as error:
        desk.complain(str(error))
        return
    for line in why_lines(explanation.text(desk.say)):
        desk.talk.say(line)


def why_lines(text: str) -> Iterator[str]:
    """Yield the lines of an explanation, none of them too long."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        yield from wrapped("", printable(line.strip()), indent=indent)


def _named(desk: CommandContext, text: str) -> str:
    """Return the label of an option that is given by its number, and a label without the quotes
    around it."""
    offer = desk.offer
    if len(text) > 2 and text[0] + text[-1] in QUOTES:
        text = text[1:-1].strip()
    if offer is not None and text.isascii() and text.isdigit() and not offer.menu.numeric:
        place = int(text[:9]) - 1
        labels = (*offer.menu.labels, *offer.menu.beside)
        if 0 <= place < len(labels):
            return labels[place]
    return text


# ----------------------------------------------------------------------------------------- the rules


def show_rules(desk: CommandContext, rest: str) -> None:
    """Print the rules of a verb or of an option, with what they cite."""
    verbs = _verbs(desk, _named(desk, rest))
    if not verbs:
        names = [in_words(verb.name) for verb in desk.sitting.state.game.model.verbs.values()]
        _unknown(desk, "no verb is called `{name}`", rest, nearest(rest, names)[:1])
        return
    for number, verb in enumerate(verbs):
        if number:
            desk.talk.say()
        for line in _rule_lines(desk, verb):
            desk.talk.say(printable(line))


def _unknown(desk: CommandContext, wrong: str, name: str, near: Sequence[str]) -> None:
    """Complain about a name that means nothing, with what could have been meant."""
    hint = desk.say("did you mean `{near}`?", near=near[0]) if near else what_can_be_asked(desk)
    desk.complain(f"{desk.say(wrong, name=name)}; {hint}")


def _verbs(desk: CommandContext, text: str) -> list[model.Verb]:
    """Return the verbs that are meant by a name, a label, or the label of an option."""
    state = desk.sitting.told_state()
    program, known = state.game.program, state.game.model.verbs
    offer = desk.offer
    if offer is not None:
        found = None
        with contextlib.suppress(AmbiguousActionError):
            labels = (*offer.menu.labels, *offer.menu.beside)
            found = matching(labels, " ".join(text.split()))
        value = None if found is None else offer.actions[found].value
        if isinstance(value, VerbValue):
            return [known[id] for id in value.verbs]
        if isinstance(value, Taken):
            return [known[value.offer]]
    words = text.replace("_", " ").casefold()
    named = [verb for verb in known.values() if in_words(verb.name).casefold() == words]
    if named:
        return named
    labelled = []
    for verb in known.values():
        label = _label(desk, verb)
        if label is not None and label.casefold().startswith(words):
            labelled.append(verb)
    asking = None if offer is None else state.asking(desk.seat)
    if not labelled and offer is not None and asking is not None:
        # An option that is no verb: what asks for it is what rules it.
        unit = asking.frames[-1].unit
        shown = option_labels(program, asking, [action.value for action in offer.actions])
        if unit in known and any(label.casefold().startswith(words) for label in shown):
            return [known[unit]]
    return labelled


def _label(desk: CommandContext, verb: model.Verb) -> str | None:
    """Return the label of a verb if it is the same whatever its objects are."""
    if verb.label is None or verb.parameters:
        return None
    state = desk.sitting.told_state()
    code, store = state.game.program.evaluator.verb_label(verb.id), state.seen_by(desk.seat)
    label = looked_at(store, lambda: code(store, state.seat(desk.seat), {}))
    return desk.say.name(str(label))


def _rule_lines(desk: CommandContext, verb: model.Verb) -> Iterator[str]:
    """Yield the text of a verb, of its amendments, and of the sections it cites."""
    game = desk.sitting.state.game
    yield from _passage(verb, "")
    amendments: list[model.Amendment] = [
        *verb.amendments,
        *(
            amendment
            for step, found in game.model.step_amendments.items()
            if step.startswith(f"{verb.id}.")
            for amendment in found
        ),
    ]
    for amendment in amendments:
        yield ""
        yield from _passage(amendment, amendment.title)
    sections = [*verb.see, *(section for amendment in amendments for section in amendment.see)]
    for quote in game.books.quotes(sections):
        yield ""
        yield f'{quote.book}, "{quote.section}"'
        for statement in quote.statements:
            yield from wrapped("", f"- {statement}", indent=STEP, step=STEP)
        if quote.more:
            yield f"    ({quote.more} more)"


def _passage(part: model.Verb | model.Amendment, title: str) -> Iterator[str]:
    """Yield where a rule stands, what it cites, and its text."""
    place = f"{part.span.source.name}:{part.span.line}"
    see = ", ".join(cited(part.see))
    yield f"{place}{f' ({title})' if title else ''}{f'  see {see}' if see else ''}"
    first = " " * (part.span.column - 1)
    for line in textwrap.dedent(first + part.span.text).rstrip().splitlines():
        yield f"  {line.rstrip()}"


# ------------------------------------------------------------------------------------------ answers


def show_hint(desk: CommandContext, rest: str) -> None:
    """Print a random answer that can be carried out."""
    state = desk.sitting.state.clone()
    asked = state.decision(desk.seat)
    assert asked is not None, "nobody is asked"
    answers = len(state.history())
    desk.hinted = (answers, desk.hinted[1] + 1 if desk.hinted[0] == answers else 1)
    # A game that was saved and loaded gives the same hints as one that simply goes on.
    generator = Generator("hints {} {}".format(*desk.hinted))
    chosen: list[str] = []
    while True:
        asking = state.asking(desk.seat)
        assert asking is not None, "nobody is asked"
        value = pick_random(state.game.program, asking, generator)
        if value is not DONE:
            chosen.append(told(desk.sitting.spoken.program, asking, value))
        state.apply_value(value, desk.seat)
        following = state.decision(desk.seat)
        if asked.kind not in ("several", "split") or following is None or not following.picked:
            break
    answer = printable(", ".join(chosen)) or desk.say("none")
    desk.tell(desk.say("You could answer: {answer}", answer=answer), "note")


def undo(desk: CommandContext, rest: str) -> None:
    """Go back to the last question that the seat has answered; other people who have answered since are
    asked."""
    sitting = desk.sitting
    if all(one.seat != desk.seat for one in sitting.asked):
        desk.complain(desk.say("there is no answer of yours to take back"))
        return
    way = sitting.way_back(desk.seat)
    if way is None:
        desk.complain(desk.say("nothing can be taken back: somebody has learned something since"))
        return
    for other in way.others:
        who, asker = (printable(sitting.name(one)) for one in (other, desk.seat))
        text = "{who}, may {other} take that back (yes or no)? "
        answer = desk.talk.ask(desk.say(text, who=who, other=asker)).strip().casefold()
        if answer not in ("y", "yes", desk.say("yes").casefold()):
            desk.talk.say(desk.say("Nothing is taken back."), "note")
            return
    sitting.go_back(way)
    # What everybody can see may look otherwise than on the screen.
    desk.viewed = -1
    desk.talk.say(desk.say("Taken back."), "note")


def save(desk: CommandContext, rest: str) -> None:
    """Write the game to a file."""
    from rulewright.interpreter.play import record

    path = Path(rest).expanduser()
    try:
        if path.exists() and (no_file(path) or not _begins(path, SAVED_BEGINS)):
            text = desk.say("`{name}` is there already, and is no saved game", name=rest)
            desk.complain(text)
            return
        places = generators(desk.sitting.agents)
        disk.write(path, record.save(desk.sitting.state, places))
    except (OSError, ValueError) as error:
        text = desk.say("`{name}` cannot be written: {reason}", name=rest, reason=reason(error))
        desk.complain(text)
        return
    desk.saved = len(desk.sitting.state.history())
    desk.talk.say(desk.say("Saved to {file}.", file=printable(rest)), "note")


def _begins(path: Path, text: str) -> bool:
    with path.open("rb") as file:
        wanted = text.encode()
        return file.read(len(BOM_UTF8) + len(wanted)).removeprefix(BOM_UTF8).startswith(wanted)


def load(desk: CommandContext, rest: str) -> None:
    """Go on with a saved game of the same rules and players."""
    from rulewright.interpreter.play import record

    try:
        saved = record.read(read_saved(Path(rest).expanduser()))
        state = record.restore(saved, desk.sitting.state.game)
    except (OSError, ValueError) as error:
        text = desk.say("`{name}` cannot be loaded: {reason}", name=rest, reason=reason(error))
        desk.complain(text)
        return
    desk.sitting.continue_with(state)
    go_on_from(desk.sitting.agents, record.agents_of(saved))
    desk.viewed, desk.shown, desk.saved = -1, [], len(state.history())
    desk.talk.say(desk.say("Loaded {file}.", file=printable(rest)), "note")


def read_saved(path: Path) -> str:
    """Return the text of a file that may be a saved game."""
    from rulewright.interpreter.play.record import LARGEST_TEXT
    from rulewright.interpreter.state.errors import RecordError

    kind = no_file(path)
    if kind is not None:
        raise RecordError(f"it is {kind}, not a file")
    if path.stat().st_size > LARGEST_TEXT:
        raise RecordError("it is too large for a saved game")
    return path.read_text(encoding="utf-8")


def reason(error: OSError | ValueError) -> str:
    """Return in a few words why a file cannot be read or written."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    if isinstance(error, UnicodeError):
        return "it does not hold text"
    return str(error)


def leave(desk: CommandContext, rest: str) -> None:
    """Leave the game; where somebody can be asked, not before he has been asked whether he wants to."""
    if desk.talk.is_live:
        raise Leave
    desk.over = True
