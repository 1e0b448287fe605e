"""The commands of the table: what a person may ask for instead of answering.

Each takes the context and what stands behind its word, and prints; nothing that the seat may not know
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
from rulewright.interpreter.agents.agent import generators, go_on_from
from rulewright.interpreter.engine.actions import matching
from rulewright.interpreter.program.decisions import option_labels
from rulewright.interpreter.program.program import cited
from rulewright.interpreter.semantics.labels import in_words, looked_at
from rulewright.interpreter.state.errors import AmbiguousActionError, InvalidActionError, Unnamed
from rulewright.interpreter.state.values import Taken, VerbValue
from rulewright.interpreter.terminal.console import Dialog, Leave
from rulewright.interpreter.terminal.menus import OpenMenu
from rulewright.interpreter.terminal.screen import is_terminal
from rulewright.interpreter.terminal.session import TableSession
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

    def __init__(self, session: TableSession, dialog: Dialog) -> None:
        self.session = session
        self.dialog = dialog
        self.seat = -1
        """Who is looking at the screen; nobody yet."""

        self.viewed = -1
        """Who has seen the table since the last answer of anybody else."""

        self.shown: list[str] = []
        """The lines of the table that stand on the screen."""

        self.open_menu: OpenMenu | None = None
        self.hinted = (0, 0)
        """After how many answers a hint was given last, and how many were given there."""

        self.over = False
        self.saved = len(session.state.history())
        """How many answers had been given when the game was saved or loaded last."""

    @property
    def say(self) -> Words:
        """The language of those who sit there."""
        return self.session.words

    def complain(self, line: str) -> None:
        """Say what is wrong; in one line where nobody sits who reads it, but a program."""
        line = shortened(printable(line))
        for part in wrapped("", line) if is_terminal() else (line,):
            self.dialog.say(part, "wrong")

    def tell(self, line: str, style: str = "") -> None:
        """Say something in as many lines as it needs, all as far from the edge as it is."""
        text = line.lstrip()
        for part in wrapped("", printable(text), indent=line[: len(line) - len(text)]):
            self.dialog.say(part, style)


def show_help(context: CommandContext, rest: str) -> None:
    """Print what can be typed, or what is said of one command."""
    forms = {f"{word} {wants}".strip(): does for word, (wants, does) in context.help.items()}
    if rest:
        forms = {form: does for form, does in forms.items() if form.split()[0] == rest}
    else:
        for line in (
            "Answer with the number of an option or the beginning of its label.",
            "Where several are wanted, give numbers: 1 3 4, 2-5, all, none.",
            "Options that are numbers themselves have no places: 4 means the number 4.",
            "Besides:",
        ):
            context.tell(context.say(line))
    width = max(map(len, forms), default=0)
    for form, does in forms.items():
        line = f"{form:<{width}}  {context.say(does)}"
        for part in wrapped("", line, indent=STEP, step=" " * (width + 2)):
            context.dialog.say(part)
    if rest in ("why", "rules"):
        context.tell(f"{STEP}{what_can_be_asked(context)}")


def what_can_be_asked(context: CommandContext) -> str:
    """Return what stands behind `why` and `rules`."""
    game = context.session.state.game
    known = (one for one in game.model.verbs.values() if one.id not in game.program.offers)
    named = listed(dict.fromkeys(in_words(one.name) for one in known if one.label is not None))
    text = "X is the number or the label of an option, or a verb: {listed}"
    if not named:
        return context.say("X is the number or the label of an option, or a verb")
    return context.say(text, listed=named)


def show_state(context: CommandContext, rest: str) -> None:
    """Print the table as the seat sees it, or write its map to a file."""
    word, _, name = rest.partition(" ")
    if word == SVG and name.strip():
        _draw(context, name.strip())
        return
    if rest:
        text = "write `{form}` or `{other}`"
        context.complain(context.say(text, form="state", other=f"state {SVG} FILE"))
        return
    context.shown = context.session.view(context.seat, briefly=True)
    _say_table(context, context.session.view(context.seat))


def show_changes(context: CommandContext, whole: bool = True) -> None:
    """Print what the table has looked otherwise when it was printed last: nothing, the parts that have
    changed, or all of it. `whole`: the rest is still to be had."""
    before, lines = context.shown, context.session.view(context.seat, briefly=True)
    if lines == before:
        return
    context.shown = lines
    changed = list(_otherwise(before, lines))
    context.dialog.say()
    if not before or len(lines) <= SMALL_TABLE or not changed:
        _say_table(context, lines)
        return
    _say_table(context, changed)
    if whole and len(changed) < len(lines):
        context.tell(context.say("(the rest is as before: `state` shows the whole table)"), "note")


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


def _say_table(context: CommandContext, lines: list[str]) -> None:
    for line in lines:
        context.dialog.say(line, "" if line.startswith(" ") else "head")


def _draw(context: CommandContext, name: str) -> None:
    wrong = write_picture(name, context.session.picture(context.seat), context.say)
    if wrong is None:
        context.dialog.say(context.say("Drawn to {name}.", name=printable(name)), "note")
    else:
        context.complain(wrong)


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


def show_log(context: CommandContext, rest: str) -> None:
    """Print what the seat has noticed so far."""
    if rest not in ("", "all"):
        context.complain(context.say("write `{form}` or `{other}`", form="log", other="log all"))
        return
    lines = context.session.story(context.seat)
    left_out = 0 if rest else max(0, len(lines) - LOG_SHOWN)
    if left_out:
        text = context.say("... {number} earlier lines: `log all` shows them", number=left_out)
        context.dialog.say(text, "note")
    for line in lines[left_out:]:
        context.tell(line, "event")


def show_why(context: CommandContext, rest: str) -> None:
    """Print why something is possible or not."""
    state = context.session.told_state()
    try:
        explanation = state.why(_named(context, rest), context.seat)
    except Unnamed as error:
        _unknown(context, "nothing that can be done is called `{name}`", rest, error.near)
        return
    except (InvalidActionError, AmbiguousActionError) as error:
        context.complain(str(error))
        return
    for line in why_lines(explanation.text(context.say)):
        context.dialog.say(line)


def why_lines(text: str) -> Iterator[str]:
    """Yield the lines of an explanation, none of them too long."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        yield from wrapped("", printable(line.strip()), indent=indent)


def _named(context: CommandContext, text: str) -> str:
    """Return the label of an option that is given by its number, and a label without the quotes
    around it."""
    open_menu = context.open_menu
    if len(text) > 2 and text[0] + text[-1] in QUOTES:
        text = text[1:-1].strip()
    if open_menu is not None and text.isascii() and text.isdigit() and not open_menu.menu.numeric:
        place = int(text[:9]) - 1
        labels = (*open_menu.menu.labels, *open_menu.menu.beside)
        if 0 <= place < len(labels):
            return labels[place]
    return text


# ----------------------------------------------------------------------------------------- the rules


def show_rules(context: CommandContext, rest: str) -> None:
    """Print the rules of a verb or of an option, with what they cite."""
    verbs = _verbs(context, _named(context, rest))
    if not verbs:
        names = [in_words(verb.name) for verb in context.session.state.game.model.verbs.values()]
        _unknown(context, "no verb is called `{name}`", rest, nearest(rest, names)[:1])
        return
    for number, verb in enumerate(verbs):
        if number:
            context.dialog.say()
        for line in _rule_lines(context, verb):
            context.dialog.say(printable(line))


def _unknown(context: CommandContext, wrong: str, name: str, near: Sequence[str]) -> None:
    """Complain about a name that means nothing, with what could have been meant."""
    hint = (
        context.say("did you mean `{near}`?", near=near[0]) if near else what_can_be_asked(context)
    )
    context.complain(f"{context.say(wrong, name=name)}; {hint}")


def _verbs(context: CommandContext, text: str) -> list[model.Verb]:
    """Return the verbs that are meant by a name, a label, or the label of an option."""
    state = context.session.told_state()
    program, known = state.game.program, state.game.model.verbs
    open_menu = context.open_menu
    if open_menu is not None:
        found = None
        with contextlib.suppress(AmbiguousActionError):
            labels = (*open_menu.menu.labels, *open_menu.menu.beside)
            found = matching(labels, " ".join(text.split()))
        value = None if found is None else open_menu.actions[found].value
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
        label = _label(context, verb)
        if label is not None and label.casefold().startswith(words):
            labelled.append(verb)
    asking = None if open_menu is None else state.asking(context.seat)
    if not labelled and open_menu is not None and asking is not None:
        # An option that is no verb: what asks for it is what rules it.
        unit = asking.frames[-1].unit
        shown = option_labels(program, asking, [action.value for action in open_menu.actions])
        if unit in known and any(label.casefold().startswith(words) for label in shown):
            return [known[unit]]
    return labelled


def _label(context: CommandContext, verb: model.Verb) -> str | None:
    """Return the label of a verb if it is the same whatever its objects are."""
    if verb.label is None or verb.parameters:
        return None
    state = context.session.told_state()
    code, store = state.game.program.evaluator.verb_label(verb.id), state.seen_by(context.seat)
    label = looked_at(store, lambda: code(store, state.seat(context.seat), {}))
    return context.say.name(str(label))


def _rule_lines(context: CommandContext, verb: model.Verb) -> Iterator[str]:
    """Yield the text of a verb, of its amendments, and of the sections it cites."""
    game = context.session.state.game
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


def undo(context: CommandContext, rest: str) -> None:
    """Go back to the last question that the seat has answered; other people who have answered since are
    asked."""
    session = context.session
    if all(one.seat != context.seat for one in session.answered):
        context.complain(context.say("there is no answer of yours to take back"))
        return
    way = session.way_back(context.seat)
    if way is None:
        context.complain(
            context.say("nothing can be taken back: somebody has learned something since")
        )
        return
    for other in way.others:
        who, asker = (printable(session.name(one)) for one in (other, context.seat))
        text = "{who}, may {other} take that back (yes or no)? "
        answer = context.dialog.ask(context.say(text, who=who, other=asker)).strip().casefold()
        if answer not in ("y", "yes", context.say("yes").casefold()):
            context.dialog.say(context.say("Nothing is taken back."), "note")
            return
    session.go_back(way)
    # What everybody can see may look otherwise than on the screen.
    context.viewed = -1
    context.dialog.say(context.say("Taken back."), "note")


def save(context: CommandContext, rest: str) -> None:
    """Write the game to a file."""
    from rulewright.interpreter.play import record

    path = Path(rest).expanduser()
    try:
        if path.exists() and (no_file(path) or not _begins(path, SAVED_BEGINS)):
            text = context.say("`{name}` is there already, and is no saved game", name=rest)
            context.complain(text)
            return
        places = generators(context.session.agents)
        disk.write(path, record.save(context.session.state, places))
    except (OSError, ValueError) as error:
        text = context.say("`{name}` cannot be written: {reason}", name=rest, reason=reason(error))
        context.complain(text)
        return
    context.saved = len(context.session.state.history())
    context.dialog.say(context.say("Saved to {file}.", file=printable(rest)), "note")


def _begins(path: Path, text: str) -> bool:
    with path.open("rb") as file:
        wanted = text.encode()
        return file.read(len(BOM_UTF8) + len(wanted)).removeprefix(BOM_UTF8).startswith(wanted)


def load(context: CommandContext, rest: str) -> None:
    """Go on with a saved game of the same rules and players."""
    from rulewright.interpreter.play import record, save_format

    try:
        saved = save_format.read(read_saved(Path(rest).expanduser()))
        state = record.restore(saved, context.session.state.game)
    except (OSError, ValueError) as error:
        text = context.say("`{name}` cannot be loaded: {reason}", name=rest, reason=reason(error))
        context.complain(text)
        return
    context.session.continue_with(state)
    go_on_from(context.session.agents, save_format.agents_of(saved))
    context.viewed, context.shown, context.saved = -1, [], len(state.history())
    context.dialog.say(context.say("Loaded {file}.", file=printable(rest)), "note")


def read_saved(path: Path) -> str:
    """Return the text of a file that may be a saved game."""
    from rulewright.interpreter.play.save_format import LARGEST_TEXT
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


def leave(context: CommandContext, rest: str) -> None:
    """Leave the game; where somebody can be asked, not before he has been asked whether he wants to."""
    if context.dialog.is_live:
        raise Leave
    context.over = True
