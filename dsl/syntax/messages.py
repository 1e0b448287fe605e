"""The message about a line that cannot be read, in its author's words.

First we look at the line itself: characters that stand nowhere, and the word it begins with. Only
then the word at which the parser stopped is compared with the table in `common_slips`; what is in no row
gets a short list of what could have stood there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from rulewright.dsl.syntax import foreign_words
from rulewright.dsl.syntax.common_slips import SLIPS, Slip
from rulewright.dsl.syntax.logical_lines import LogicalLine, Piece, split, unmatched
from rulewright.dsl.syntax.parse_tree import RESERVED, Fault
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.text.suggest import nearest

_SIGNS = re.compile(r"[^\w\s\"()\[\],#]+")

_KINDS = {"number": "NUMBER", "text": "TEXT", "see": "END", "row": "ROW"}

# What the parser calls its terminals, in human words; other terminals are not worth a word.
_TERMINALS = {
    "NAME": "a name",
    "KIND": "a kind",
    "NUMBER": "a number",
    "STRING": 'a text `"…"`',
    "ROW": "a row `| … |`",
    "_NL": "the end of the line",
}
_UNSPOKEN = frozenset(
    (
        *("SEE", "NO_RULES", "_OWN", "_UP_TO", "_OR_STOP", "CALL", "KINDCALL", "_INDENT"),
        *("_DEDENT", "_COMMA_THEN", "_NO_ONE", "$END"),
    )
)
_VALUE = frozenset(
    (
        *("NAME", "KIND", "NUMBER", "STRING", "CALL", "KINDCALL", "me", "my", "it", "its", "yes"),
        *(
            "no",
            "none",
            "empty",
            "original",
            "[",
            "(",
            "-",
            "not",
            "every",
            "some",
            "_NO_ONE",
            "if",
        ),
    )
)
_OPERATORS = frozenset(
    (
        *("or", "and", "+", "-", "*", "/", "mod", "..", "is", "<", ">", "<=", ">=", "in", "not"),
        *("where", "each", "without", "having", "sorted", "as", ".", "[", "("),
    )
)

# What a name at fault would have named, by the word before it.
_NAMED = {
    "let": "value",
    "define": "value",
    "tally": "value",
    "to": "verb",
    "step": "step",
    "choose": "choice",
    "split": "choice",
    "option": "option",
    "ruling": "ruling",
    "neutral": "player",
    "unit": "unit",
    "module": "module",
    "use": "module",
    ".": "field",
}


@attrs.frozen
class Mistake:
    """A line, the place in it where reading stopped, and where the line stands."""

    source: Source
    line: LogicalLine
    place: str
    """`item`, `step`, `member`, …: what the lines of this block are."""
    fault: Fault
    offset: int
    """The place of the fault in the source."""

    @property
    def at(self) -> int:
        """The number of the piece at fault; behind the last one at the end of the line."""
        pieces = self.line.pieces
        return next((i for i, piece in enumerate(pieces) if piece.end > self.offset), len(pieces))

    def piece(self, at: int) -> Piece | None:
        """Return a piece of the line, if it has so many."""
        return self.line.pieces[at] if 0 <= at < len(self.line.pieces) else None

    def text(self, at: int) -> str:
        """Return a piece of the line as it is written."""
        piece = self.piece(at)
        return piece.text if piece else ""

    def names(self, at: int) -> tuple[str, str]:
        """Return what the rows of `common_slips` may call a piece: itself and its kind."""
        piece = self.piece(at)
        if piece is None:
            return "END", "END"
        if piece.kind == "word":
            return piece.text, "KIND" if piece.text[0].isupper() else "NAME"
        return piece.text, _KINDS.get(piece.kind, piece.text)

    @property
    def span(self) -> Span:
        """The piece at fault, or the place behind the last one."""
        piece = self.piece(self.at)
        if piece is not None:
            return self.source.span(piece.start, piece.end)
        end = self.line.pieces[-1].end if self.line.pieces else self.offset
        return self.source.span(end, end)

    @property
    def found(self) -> str:
        """The piece at fault in words for a headline."""
        kind = self.names(self.at)[1]
        words = {"END": "the end of the line", "TEXT": "this text", "ROW": "a row of a table"}
        return words.get(kind, f"`{self.text(self.at)}`")


def explain(mistake: Mistake) -> Diagnostic:
    """Return the message about a mistake."""
    for look in (_character, _sign, _first_word, _slip, _reserved, _near):
        message = look(mistake)
        if message is not None:
            return message
    return _unexpected(mistake, expected(mistake.fault.expected))


def explain_formula(source: Source, start: int, end: int, fault: Fault) -> Diagnostic:
    """Return the message about an expression that stands by itself."""
    pieces = [piece for line in split(source.text, start, end) for piece in line.pieces]
    line = LogicalLine(start, end, 0, tuple(pieces))
    offset = start + fault.offset
    return unclosed(source, [line], offset) or explain(
        Mistake(source, line, "value", fault, offset)
    )


def unclosed(source: Source, lines: Sequence[LogicalLine], offset: int) -> Diagnostic | None:
    """Look up to a place for a text or bracket without an end: all that follows it misleads."""
    for line in lines:
        for piece in line.pieces:
            if piece.kind == "open" and line.start <= offset <= line.end:
                span = source.span(piece.start, piece.end)
                return diagnostic("RW105", span, help='write `"` at the end of the text')
    for piece in unmatched(lines):
        if piece.start <= offset:
            return _lonely(source, piece)
    return None


def _lonely(source: Source, piece: Piece) -> Diagnostic:
    opens = piece.text in "(["
    partner = {"(": ")", "[": "]", ")": "(", "]": "["}[piece.text]
    label = f"no `{partner}` {'behind' if opens else 'before'} it"
    help = f"write `{partner}` where it ends" if opens else "take it out"
    span = source.span(piece.start, piece.end)
    return diagnostic("RW104", span, label, help=help, name=piece.text)


def _unexpected(mistake: Mistake, label: str, help: str | None = None) -> Diagnostic:
    return diagnostic("RW101", mistake.span, label, help=help, found=mistake.found)


# ---------------------------------------------------------------------------- characters and signs


def _character(mistake: Mistake) -> Diagnostic | None:
    piece = mistake.piece(mistake.at)
    if piece is None or piece.kind != "bad":
        return None
    label, help = foreign_words.CHARACTERS.get(piece.text, ("", ""))
    if not label and piece.text.isalpha():
        label, help = "no letter of a name", "names are written with the letters a to z"
    elif not label:
        if _signs_at(mistake)[0] in foreign_words.SIGNS:
            return None
        label, help = "only in texts and comments", "take it out"
    name = piece.text if piece.text.isprintable() else f"U+{ord(piece.text):04X}"
    return diagnostic("RW109", mistake.span, label, help=help, name=name)


def _sign(mistake: Mistake) -> Diagnostic | None:
    signs, span = _signs_at(mistake)
    if signs not in foreign_words.SIGNS:
        return None
    label, help = foreign_words.SIGNS[signs]
    if signs == "==" and span.start < mistake.offset:
        label, help = "one `=` is enough", "write `=`"
    return diagnostic("RW101", span, label, help=help, found=f"`{signs}`")


def _signs_at(mistake: Mistake) -> tuple[str, Span]:
    """Return the signs without blanks between them that the fault lies in."""
    for found in _SIGNS.finditer(mistake.source.text, mistake.line.start, mistake.line.end):
        if found.start() <= mistake.offset < found.end():
            return found.group(), mistake.source.span(*found.span())
    return "", mistake.span


# -------------------------------------------------------------------------------------- first words


def _first_word(mistake: Mistake) -> Diagnostic | None:
    if not mistake.line.first:
        return None
    if mistake.place == "step":
        return unknown_step(mistake.source, mistake.line)
    look = {"item": _first_of_item, "example": _first_of_example}.get(mistake.place)
    return look(mistake) if look else None


def _first_of_item(mistake: Mistake) -> Diagnostic | None:
    word = mistake.line.first
    if word in foreign_words.ITEMS or word in foreign_words.HEADERS or word == "language":
        return None
    help = instead_of(word, foreign_words.ITEMS, foreign_words.ITEM_WORDS)
    if (
        word in (*foreign_words.STEPS, *foreign_words.CORE_VERBS)
        and word not in foreign_words.ITEM_WORDS
    ):
        help = "steps stand in a verb: indent this line below `to …`"
    elif help is None:
        help = "indent this line if it belongs to the lines above"
    return _about_first("RW112", mistake.source, mistake.line, help)


def unknown_step(source: Source, line: LogicalLine) -> Diagnostic | None:
    """Return the message about a line whose first word seems to be a slip of a step."""
    word = line.first
    if word in foreign_words.STEPS or word in foreign_words.CORE_VERBS or _is_verb(source, word):
        return None
    help = instead_of(word, foreign_words.STEPS, foreign_words.STEP_WORDS)
    if word in foreign_words.ITEMS and word not in foreign_words.STEP_WORDS:
        help = "items begin without indentation"
    return None if help is None else _about_first("RW107", source, line, help)


def unknown_head(source: Source, line: LogicalLine) -> Diagnostic | None:
    """Return the message about a line with a block whose first word seems to be a slip."""
    message = unknown_step(source, line)
    word = line.first
    if message is not None or word in foreign_words.STEPS or not word or _is_verb(source, word):
        return message
    near = nearest(word, foreign_words.BLOCK_WORDS)
    return _about_first("RW107", source, line, did_you_mean(near)) if near else None


def _is_verb(source: Source, word: str) -> bool:
    return re.search(rf"^\s*to {word}\b", source.text, re.MULTILINE) is not None


def _first_of_example(mistake: Mistake) -> Diagnostic | None:
    word = mistake.line.first
    if word in foreign_words.EXAMPLE_LINES:
        return None
    help = instead_of(word, foreign_words.EXAMPLE_LINES, foreign_words.LINE_WORDS)
    help = help or "begin it with `given`, `do`, `expect`, `refuse` or `allow`"
    start = mistake.line.pieces[0].start
    span = mistake.source.span(start, start + len(word))
    return diagnostic("RW101", span, "no line of an example", help=help, found=f"`{word}`")


def instead_of(word: str, words: Sequence[str], others: Mapping[str, str]) -> str | None:
    """Return what to write instead of a word, if that can be guessed."""
    if word.lower() in others:
        return f"write `{others[word.lower()]}`"
    if word.lower() in words:
        return did_you_mean((word.lower(),))
    # A name of one or two letters is near to everything.
    return did_you_mean(nearest(word, words)) if len(word) > 2 else None


def did_you_mean(words: tuple[str, ...]) -> str | None:
    """Return the question, or nothing if there are no words."""
    if not words:
        return None
    return f"did you mean {' or '.join(f'`{word}`' for word in words)}?"


def _about_first(code: str, source: Source, line: LogicalLine, help: str | None) -> Diagnostic:
    first = line.pieces[0]
    return diagnostic(code, source.span(first.start, first.end), help=help, name=first.text)


# ---------------------------------------------------------------------------------------- the rows


def _slip(mistake: Mistake) -> Diagnostic | None:
    for slip in SLIPS:
        if _fits(slip, mistake):
            return _unexpected(mistake, _filled(slip.label, mistake), _filled(slip.help, mistake))
    return None


def _fits(slip: Slip, mistake: Mistake) -> bool:
    at = mistake.at
    wanted = mistake.fault.expected
    words = {piece.text for piece in mistake.line.content}
    return (
        (not slip.place or mistake.place in slip.place)
        and (not slip.first or mistake.line.first in slip.first)
        and (slip.at is None or slip.at == at)
        and (not slip.found or any(name in slip.found for name in mistake.names(at)))
        and (not slip.before or any(name in slip.before for name in mistake.names(at - 1)))
        and (not slip.last or at == len(mistake.line.content) - 1)
        and (not slip.wants or any(terminal in wanted for terminal in slip.wants))
        and (not slip.only or wanted <= set(slip.wants))
        and (not slip.having or slip.having in words)
        and (not slip.lacking or slip.lacking not in words)
    )


def _filled(template: str | None, mistake: Mistake) -> str:
    found = mistake.text(mistake.at)
    words = {
        "found": found,
        "Found": found[:1].upper() + found[1:],
        "small": found.lower() if found.isupper() else found[:1].lower() + found[1:],
        "before": mistake.text(mistake.at - 1),
        "after": mistake.text(mistake.at + 1),
        "first": mistake.line.first,
    }
    return (template or "").format(**words)


# --------------------------------------------------------------------------------- reserved, near


def _reserved(mistake: Mistake) -> Diagnostic | None:
    at = mistake.at
    wanted = mistake.fault.expected
    if "NAME" not in wanted or "NUMBER" in wanted or (mistake.place == "step" and at == 0):
        return None
    if mistake.text(at) == "from" and mistake.line.first == "choose":
        # Whatever stands before it was taken for the number of things.
        at -= 1
    piece = mistake.piece(at)
    if piece is None or piece.text not in RESERVED:
        return None
    span = mistake.source.span(piece.start, piece.end)
    kind = _named_thing(mistake, at)
    return diagnostic("RW108", span, "take another name", name=piece.text, kind=kind)


def _named_thing(mistake: Mistake, at: int) -> str:
    before = mistake.text(at - 1)
    if mistake.place in ("member", "tally") and (at == 0 or before == ","):
        return "field" if mistake.place == "member" else "line"
    if mistake.line.first in ("to", "define") and (before in ("(", ",") or at == 2):
        return "parameter"
    return _NAMED.get(before, "thing")


def _near(mistake: Mistake) -> Diagnostic | None:
    """Look for a misspelt keyword among those that could stand here."""
    word = mistake.text(mistake.at)
    if not word.isidentifier():
        return None
    wanted = [name for name in sorted(mistake.fault.expected) if name.isalpha() and name.islower()]
    phrases = {"_UP_TO": "up to", "_OR_STOP": "or stop", "_COMMA_THEN": ", then"}
    wanted += [words for name, words in phrases.items() if name in mistake.fault.expected]
    ours = foreign_words.OPERATORS.get(word.lower())
    if ours is not None and ours.split()[0] in mistake.fault.expected:
        return _unexpected(mistake, f"the word is `{ours}`", f"write `{ours}`")
    near = did_you_mean(nearest(word, wanted))
    return _unexpected(mistake, expected(mistake.fault.expected), near) if near else None


def expected(terminals: frozenset[str]) -> str:
    """Return what could have stood there in human words: the few things worth mentioning."""
    rest = set(terminals)
    words = []
    if {"NUMBER", "(", "["} <= rest:
        words.append("a value")
        rest -= _VALUE
    if len(rest & _OPERATORS) > 3:
        rest -= _OPERATORS
    for terminal in sorted(rest - _UNSPOKEN):
        words.append(_TERMINALS.get(terminal, f"`{terminal}`"))
    if not words or len(words) > 5:
        return "expected the end of the line" if "_NL" in terminals else ""
    *most, last = words
    return f"expected {', '.join(most)} or {last}" if most else f"expected {last}"
