"""Messages that only follow from others, and so are left out.

A line that cannot be read may have declared what is missing elsewhere, and a name that nothing declares
explains what is odd about its uses: the author mends one mistake and should read one message. Two
mistakes are two messages, also in one item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.dsl.files import library
from rulewright.dsl.frontend.lost_names import lost_names
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Span
from rulewright.dsl.text.suggest import nearest

NAMES = frozenset(
    (
        *("RW107", "RW201", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210", "RW211", "RW216"),
        *("RW215", "RW219", "RW406", "RW407", "RW408"),
    )
)
"""Messages that something of a name is not there: the same name is the same mistake."""


CALLS = frozenset(("RW302",))
"""Messages about each use of what may itself be wrong: the same words are the same mistake."""


ABSENT = frozenset(("RW402", "RW405", "RW410", "RW413", "RW501"))
"""Messages that something is nowhere, which nobody knows while a line cannot be read."""


GAPS = frozenset(("RW201", "RW202", "RW217", "RW301", "RW303", "RW305", "RW419"))
"""What is missed in an item when one of its lines is gone: a name, a test, who acts."""


TWICE = frozenset(("RW209", "RW405", "RW406"))
"""What is missed of a thing that is declared twice: it is the first one, or neither."""


_GIVEN = "the module `"


_DECLARES = re.compile(r"(?:to|define|tally) ([A-Za-z_]\w*)")


_WORD = re.compile(r"[A-Za-z_]\w*")


_UNINDENTED = re.compile(r"[^\s#]")


_TABBED = re.compile(r"^ *\t[ \t]*[^\s#]", re.MULTILINE)


def without_consequences(found: Sequence[Diagnostic], world: World) -> Iterator[Diagnostic]:
    files = [one.file for one in (*world.instances, *world.examples)]
    examples = tuple(examples_of(world))
    torn = {word for file in files for word in file.broken}
    # Without a module its verbs are missing: what is done fits others, or none.
    incomplete = world.incomplete or not torn.isdisjoint(library.standard_modules())
    gaps = _Gaps(found, torn, examples, incomplete, _unseen(found, files))
    for item in found:
        if item.severity is not Severity.ERROR or not gaps.explain(item):
            yield item


def _unseen(found: Iterable[Diagnostic], files: Iterable[nodes.File]) -> frozenset[str]:
    """Return the words of the files that could not be read at all: their names are missing."""
    seen = {file.span.source.name for file in files}
    sources = {
        item.primary.span.source
        for item in found
        if item.code.code.startswith(("RW0", "RW1"))
        and item.primary.span.source.name.endswith(".rules")
        and item.primary.span.source.name not in seen
    }
    return frozenset(word for source in sources for word in _WORD.findall(source.text))


class _Gaps:
    """What is known to be missing, and what follows from that."""

    def __init__(
        self,
        found: Sequence[Diagnostic],
        torn: set[str],
        examples: Sequence[Span],
        incomplete: bool,
        unseen: frozenset[str],
    ) -> None:
        self.torn = torn
        """The words of the lines that could not be read."""
        self.examples = examples
        unread = [item.primary.span for item in found if _is_about_reading(item)]
        self.unread = {item_of(span) for span in unread}
        """The items with a line that could not be read, or whose indentation is in doubt."""
        self.tabbed = {
            item_of(source.span(*tabs.span()))
            for source in {one.primary.span.source for one in found if one.code.code == "RW103"}
            for tabs in _TABBED.finditer(source.text)
        }
        missing = [item.primary.span for item in found if item.code.code in NAMES]
        self.lost = lost_names(
            [item for item in found if _is_about_reading(item) or item.primary.text in TAKEN], found
        )
        """The names that a line that could not be read would have declared."""
        self.unread_lines = {_line(span) for span in unread}
        self.in_rules = any(example_around(span, examples) is None for span in (*unread, *missing))
        """Whether the rules themselves have a gap."""
        self.any = bool(self.unread or missing)
        self.unreadable = any(
            item.code.code.startswith("RW0") or item.code.code in ("RW503", "RW504")
            for item in found
        )
        """Whether there is a file of which nothing is known."""
        self.unseen = unseen
        """The words of such files."""
        self.undeclared = any(
            item.code.code in NAMES and "did you mean" not in (item.help or "") for item in found
        )
        """Whether a name is missing that is no slip of another: what declares it may be gone."""
        self.led = any(
            item.code.code == "RW207"
            and "did you mean" not in (item.help or "")
            and _starts(item.primary.span, "use")
            for item in found
        )
        """Whether a verb is missing that a module would do: its steps may stand where nobody acts."""
        self.twice = [
            (item.arguments.get("name", ""), item.primary.span)
            for item in found
            if item.code.code == "RW202"
        ]
        self.unused = any(item.code.code == "RW010" for item in found)
        """Whether it is not known which module a file uses."""
        self.strays = {
            item_of(item.primary.span): item.primary.span.start
            for item in found
            if item.code.code == "RW107" and item.arguments.get("name", "") in foreign_words.ITEMS
        }
        """Where items begin that were moved into others."""
        self.acting = {_head(span) for span in unread}
        """Verbs of which it is not known whether somebody acts in them."""
        self.in_define = any(_starts(span, "define") for span in (*unread, *missing)) or any(
            item.code.code == "RW112" for item in found
        )
        """Whether it is not known which things a define gives, so what `it` is in lists of them."""
        self.in_game = not all(library.is_standard(item.primary.span.source.name) for item in found)
        """Whether something is wrong outside of the library."""
        self.steps: dict[tuple[str, int], set[str]] = {}
        """The words of the lines whose first word is no step or verb, by the item."""
        for item in found:
            if item.code.code == "RW107":
                step = item.primary.span
                words = set(_WORD.findall(_text_of_line(step))[1:])
                self.steps.setdefault(item_of(step), set()).update(words)
        self.heads = {
            _head(item.primary.span)
            for item in found
            if item.severity is Severity.ERROR
            and _line(item.primary.span) == item_of(item.primary.span)
        }
        """What is declared by a line with an error: nobody knows how it is used."""
        self.spoilt = frozenset(_spoilt(found, incomplete, (*unread, *missing)))
        """Messages that say nothing because of another one, wherever they stand."""

    def explain(self, item: Diagnostic) -> bool:
        """Return whether a message may only follow from a gap."""
        code, span = item.code.code, item.primary.span
        start = item_of(span)
        if code in self.spoilt:
            return True
        if code in TWICE and self._is_twice(item):
            return True
        if self.unused and module_of(item):
            return True
        if code in CALLS and self._is_called(item):
            return True
        if code in NAMES and item.arguments.get("name", "") in self.unseen:
            return True
        if code == "RW218" and item.arguments.get("name", "") == "it" and self.in_define:
            return True
        if code == "RW201" and self._is_chosen(item):
            return True
        if self.in_game and library.is_standard(span.source.name):
            # The modules of the library are right: it is how they are used.
            return True
        if code == "RW213":
            # A section that is cited nowhere: the citation may have gone with a line.
            return self.unreadable or bool(self.unread) or self.undeclared
        if code == "RW103" or not self.any:
            return False
        if start in self.tabbed or self.strays.get(start, span.end) < span.start:
            return True
        if _is_about_reading(item):
            return False
        if _line(span) in self.unread_lines:
            return True
        if code in ABSENT and (self.torn or code not in ("RW402", "RW413", "RW501")):
            return True
        if code == "RW305" and not self.acting.isdisjoint(_WORD.findall(_text_of_line(span))):
            return True
        if code == "RW305" and self.led:
            return True
        if code in NAMES and self._may_declare(item):
            return True
        if example_around(span, self.examples) is None:
            return code in GAPS and start in self.unread
        return start in self.unread or (self.in_rules and code not in NAMES)

    def _is_called(self, item: Diagnostic) -> bool:
        """Whether what is called has a gap itself, or a line that could not be read declares it."""
        name = item.arguments.get("name", "")
        in_gap = name in self.torn and item_of(item.primary.span) in self.unread
        return name in self.heads or in_gap or self._is_chosen(item)

    def _is_chosen(self, item: Diagnostic) -> bool:
        """Whether a step that nobody knows, in the same item, may set what is used."""
        words = self.steps.get(item_of(item.primary.span), set())
        return item.arguments.get("name", "") in words

    def _is_twice(self, item: Diagnostic) -> bool:
        """Whether something is missing of what stands in the rules twice."""
        kind = item.arguments.get("kind", "")
        return any(
            item.arguments.get("name", "") == name
            and (item.code.code == "RW209" or _starts(span, "each", kind))
            for name, span in self.twice
        )

    def _may_declare(self, item: Diagnostic) -> bool:
        """Whether a line that could not be read may declare a name, or use its module."""
        name = item.arguments.get("name", "")
        if name.casefold() in self.lost:
            return True
        if item.code.code == "RW211":
            return item.arguments.get("kind", "") in self.torn
        return name in self.torn or module_of(item) in self.torn or bool(nearest(name, self.torn))


def _spoilt(found: Sequence[Diagnostic], incomplete: bool, gaps: Iterable[Span]) -> Iterator[str]:
    codes = {item.code.code for item in found}
    if incomplete:
        yield from ("RW301", "RW307")
    if any(_starts(span, "define") for span in gaps):
        yield "RW411"  # what a define reads is looked at wherever it is asked
    if any("seen by" in _text_of_line(span) for span in gaps):
        yield "RW411"  # who sees a field is not known
    if any(item.code.code == "RW202" and _starts(item.primary.span, "to") for item in found):
        yield "RW402"  # one of two verbs of a name may be the one to start with
    if codes & {"RW407", "RW419"}:
        yield "RW211"  # the row may be the one that gives the name


def _is_about_reading(item: Diagnostic) -> bool:
    """Whether it is a line that could not be read. (An unknown verb in one is a missing name.)"""
    return item.code.code.startswith("RW1") and item.primary.text != "no verb"


def item_of(span: Span) -> tuple[str, int]:
    """Return where the item begins in which a place stands: at an unindented line."""
    source = span.source
    # Upwards from the place, not down from the first line: a long file may have thousands of mistakes.
    for start in reversed(source.line_starts[: source.position(span.start)[0]]):
        if _UNINDENTED.match(source.text, start):
            return source.name, start
    return source.name, 0


def _line(span: Span) -> tuple[str, int]:
    """Return where the line begins in which a place stands."""
    return span.source.name, span.source.text.rfind("\n", 0, span.start) + 1


def _text_of_line(span: Span) -> str:
    text = span.source.text
    end = text.find("\n", span.start)
    return text[_line(span)[1] : len(text) if end < 0 else end]


def _starts(span: Span, *words: str) -> bool:
    """Return whether the item of a place begins with some words."""
    return _WORD.findall(span.source.text[item_of(span)[1] :][:LONGEST_HEAD])[: len(words)] == list(
        words
    )


def _head(span: Span) -> str:
    """Return the name that the item of a place declares, if it is a verb or a value."""
    found = _DECLARES.match(span.source.text, item_of(span)[1])
    return found.group(1) if found else ""


def module_of(item: Diagnostic) -> str:
    """Return the module that would give what is missing, if a message names one."""
    return item.help.split("`")[1] if item.help and item.help.startswith(_GIVEN) else ""


def examples_of(world: World) -> Iterator[Span]:
    for instance in (*world.instances, *world.examples):
        for item in instance.file.items:
            if isinstance(item, nodes.Example):
                yield item.span


def example_around(span: Span, examples: Iterable[Span]) -> Span | None:
    """Return the example in which a place stands, if it stands in one."""
    for one in examples:
        if one.source is span.source and one.start <= span.start < one.end:
            return one
    return None


LONGEST_HEAD = 80
"""Letters at the beginning of an item that tell what it declares."""


TAKEN = frozenset(("a core verb", "a built-in name"))
"""Labels of names that declare nothing, as the language has them."""
