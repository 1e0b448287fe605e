"""One mistake, one message: all that the passes found goes in, what the author has to read comes out.

The passes know nothing of one another, so one mistake may be noticed in several places: a name
declared with a slip is missing wherever it is used, a line that cannot be read leaves a gap that
others fall into. What only follows from another message is left out here:

- the same name missing in several places is said once, with the other places
- while a line cannot be read, nobody knows what is missing: not which columns, reasons or verbs
- an example follows from the rules, and the lines of an example from those before
- a warning that something is missing waits until all else is right
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set

import attrs

from rulewright.dsl.files import library
from rulewright.dsl.frontend.lost_names import lost_names
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.text.codes import Severity, counted
from rulewright.dsl.text.diagnostics import Diagnostic, has_errors, in_order
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.text.suggest import nearest
from rulewright.dsl.typecheck.sheets import EMPTY

FEWEST = {"name": 2, "call": 2, "holder": 2, "players": 3, "each": 6}
"""From how many on messages of a sort that say the same of different places are made one."""

LONGEST_HEAD = 80
"""Letters at the beginning of an item that tell what it declares."""

A_STEP = "a step"
"""The label of a step where none can stand."""

ORPHANS = frozenset(("no `if` above it", "no `either` above it"))
"""Labels of lines that go with one above them."""

TAKEN = frozenset(("a core verb", "a built-in name"))
"""Labels of names that declare nothing, as the language has them."""

MOST_PLACES = 4
"""How many of the places where a name is missing are listed."""

NAMES = frozenset(
    (
        *("RW107", "RW201", "RW205", "RW206", "RW207", "RW208", "RW209", "RW210", "RW211", "RW216"),
        *("RW215", "RW219", "RW406", "RW407", "RW408"),
    )
)
"""Messages that something of a name is not there: the same name is the same mistake."""

FIELDS = {"RW206": "kind", "RW406": "kind", "RW407": "expected"}
"""What a missing name belongs to: another may be meant to have none of that name."""

CALLS = frozenset(("RW302",))
"""Messages about each use of what may itself be wrong: the same words are the same mistake."""

ABSENT = frozenset(("RW402", "RW405", "RW410", "RW413", "RW501"))
"""Messages that something is nowhere, which nobody knows while a line cannot be read."""

GAPS = frozenset(("RW201", "RW202", "RW217", "RW301", "RW303", "RW305", "RW419"))
"""What is missed in an item when one of its lines is gone: a name, a test, who acts."""

PARTS = {"RW301": "RW301", "RW404": "RW312"}
"""Messages about what may be wrong only because a part of it is, and those about the part."""

TWICE = frozenset(("RW209", "RW405", "RW406"))
"""What is missed of a thing that is declared twice: it is the first one, or neither."""

_GIVEN = "the module `"
_DECLARES = re.compile(r"(?:to|define|tally) ([A-Za-z_]\w*)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNINDENTED = re.compile(r"[^\s#]")
_TABBED = re.compile(r"^ *\t[ \t]*[^\s#]", re.MULTILINE)


def condensed(found: Sequence[Diagnostic], world: World | None) -> tuple[Diagnostic, ...]:
    """Return the messages without those that only follow from others."""
    errors = _Errors(found)
    kept = [item for item in found if not _is_said(item, errors)]
    kept = list(_without_orphans(kept))
    if world is not None:
        kept = list(_without_consequences(kept, world))
    unseen = {item.primary.span for item in kept if item.code.code == "RW401"}
    kept = [item for item in kept if item.code.code != "RW420" or item.primary.span not in unseen]
    if has_errors(kept):
        kept = [item for item in kept if item.severity is not Severity.WARNING]
    examples = () if world is None else tuple(_examples(world))
    return in_order(_once(kept, examples))


# --------------------------------------------------------------------------------- said by another


class _Errors:
    """The errors of each source by their places: thousands of them are not compared each with each."""

    def __init__(self, found: Iterable[Diagnostic]) -> None:
        self._of: dict[Source, list[Diagnostic]] = {}
        for item in found:
            if item.severity is Severity.ERROR:
                self._of.setdefault(item.primary.span.source, []).append(item)
        for errors in self._of.values():
            errors.sort(key=_start)

    def beginning_in(self, span: Span) -> Sequence[Diagnostic]:
        """Return those that begin in a place, or right behind it."""
        errors = self._of.get(span.source, [])
        first = bisect_left(errors, span.start, key=_start)
        return errors[first : bisect_right(errors, span.end, key=_start)]


def _start(item: Diagnostic) -> int:
    return item.primary.span.start


def _is_said(item: Diagnostic, errors: _Errors) -> bool:
    """Whether another message is about the very same words, or about those of them that are wrong."""
    if item.severity is not Severity.ERROR:
        return False
    span, code = item.primary.span, item.code.code
    for other in errors.beginning_in(span):
        place = other.primary.span
        within = place.end <= span.end
        smaller = within and place.end - place.start < span.end - span.start
        if smaller and other.code.code == PARTS.get(code):
            return True
        same = within and not smaller and span.start < span.end
        if same and (other.code.code < code or _is_same_name(other, item)):
            return True
        if same and other.code == item.code and other.help and not item.help:
            return True
    return False


def _is_same_name(other: Diagnostic, item: Diagnostic) -> bool:
    """Whether a name in the words of a module is missing for another use of it as well."""
    is_alike = other.code == item.code and item.code.code in NAMES and item.help is not None
    return is_alike and item.help == other.help and other.headline < item.headline


def _without_orphans(found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the messages without those about lines that only miss the one that belongs above them: an
    arm below a line whose indentation is wrong, further steps where the head of a verb is gone."""
    indented: dict[tuple[str, int], int] = {}
    steps: dict[tuple[str, int], Diagnostic] = {}
    for item in in_order(found):
        place = _item(item.primary.span)
        if item.code.code == "RW102":
            indented.setdefault(place, item.primary.span.start)
        elif item.code.code == "RW101" and item.primary.text == A_STEP:
            steps.setdefault(place, item)
    for item in found:
        span = item.primary.span
        if item.code.code == "RW101":
            place = _item(span)
            first = steps.get(place)
            # The step above the first may have been taken for something else that it is not.
            if first is not None and first is not item and span.line >= first.primary.span.line - 1:
                continue
            if item.primary.text in ORPHANS and indented.get(place, span.start) < span.start:
                continue
        yield item


# ------------------------------------------------------------------------------------ consequences


def _without_consequences(found: Sequence[Diagnostic], world: World) -> Iterator[Diagnostic]:
    files = [one.file for one in (*world.instances, *world.examples)]
    examples = tuple(_examples(world))
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
        self.unread = {_item(span) for span in unread}
        """The items with a line that could not be read, or whose indentation is in doubt."""
        self.tabbed = {
            start
            for item in found
            if item.code.code == "RW103"
            for start in _tabbed(item.primary.span.source)
        }
        missing = [item.primary.span for item in found if item.code.code in NAMES]
        self.lost = lost_names(
            [item for item in found if _is_about_reading(item) or item.primary.text in TAKEN], found
        )
        """The names that a line that could not be read would have declared."""
        self.unread_lines = {_line(span) for span in unread}
        self.in_rules = any(_around(span, examples) is None for span in (*unread, *missing))
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
            _item(item.primary.span): item.primary.span.start
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
                self.steps.setdefault(_item(step), set()).update(words)
        self.heads = {
            _head(item.primary.span)
            for item in found
            if item.severity is Severity.ERROR
            and _line(item.primary.span) == _item(item.primary.span)
        }
        """What is declared by a line with an error: nobody knows how it is used."""
        self.spoilt = frozenset(_spoilt(found, incomplete, (*unread, *missing)))
        """Messages that say nothing because of another one, wherever they stand."""

    def explain(self, item: Diagnostic) -> bool:
        """Return whether a message may only follow from a gap."""
        code, span = item.code.code, item.primary.span
        start = _item(span)
        if code in self.spoilt:
            return True
        if code in TWICE and self._is_twice(item):
            return True
        if self.unused and _module(item):
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
        if _around(span, self.examples) is None:
            return code in GAPS and start in self.unread
        return start in self.unread or (self.in_rules and code not in NAMES)

    def _is_called(self, item: Diagnostic) -> bool:
        """Whether what is called has a gap itself, or a line that could not be read declares it."""
        name = item.arguments.get("name", "")
        in_gap = name in self.torn and _item(item.primary.span) in self.unread
        return name in self.heads or in_gap or self._is_chosen(item)

    def _is_chosen(self, item: Diagnostic) -> bool:
        """Whether a step that nobody knows, in the same item, may set what is used."""
        words = self.steps.get(_item(item.primary.span), set())
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
        return name in self.torn or _module(item) in self.torn or bool(nearest(name, self.torn))


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


def _item(span: Span) -> tuple[str, int]:
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
    return _WORD.findall(span.source.text[_item(span)[1] :][:LONGEST_HEAD])[: len(words)] == list(
        words
    )


def _head(span: Span) -> str:
    """Return the name that the item of a place declares, if it is a verb or a value."""
    found = _DECLARES.match(span.source.text, _item(span)[1])
    return found.group(1) if found else ""


def _tabbed(source: Source) -> Iterator[tuple[str, int]]:
    for found in _TABBED.finditer(source.text):
        yield _item(source.span(found.start(), found.end()))


def _module(item: Diagnostic) -> str:
    """Return the module that would give what is missing, if a message names one."""
    return item.help.split("`")[1] if item.help and item.help.startswith(_GIVEN) else ""


def _examples(world: World) -> Iterator[Span]:
    for instance in (*world.instances, *world.examples):
        for item in instance.file.items:
            if isinstance(item, nodes.Example):
                yield item.span


def _around(span: Span, examples: Iterable[Span]) -> Span | None:
    """Return the example in which a place stands, if it stands in one."""
    for one in examples:
        if one.source is span.source and one.start <= span.start < one.end:
            return one
    return None


# -------------------------------------------------------------------------------------------- once


def _once(found: Iterable[Diagnostic], examples: Sequence[Span]) -> Iterator[Diagnostic]:
    found = tuple(found)
    nowhere = {
        item.arguments.get("name", "").casefold() for item in found if item.code.code == "RW201"
    }
    alike: dict[tuple[object, ...], list[Diagnostic]] = {}
    for item in found:
        alike.setdefault(_key(item, nowhere), []).append(item)
    for key, items in alike.items():
        if len(items) < FEWEST[str(key[0])]:
            yield from items
            continue
        # The rules are read before the examples, and who knows what is meant says it.
        items.sort(key=lambda item: _around(item.primary.span, examples) is not None)
        first = next((item for item in items if item.help), items[0])
        others = [item for item in items if item is not first]
        yield attrs.evolve(first, notes=(*first.notes, _elsewhere(first, others)))


def _key(item: Diagnostic, nowhere: Set[str]) -> tuple[object, ...]:
    code = item.code.code
    if code == "RW206" and item.help is not None and item.help.endswith(" has it"):
        # The fields of a kind stand in another one: its name is the slip.
        return ("holder", item.arguments.get("kind", ""), item.help)
    if code in NAMES and item.arguments.get("found") != EMPTY:
        kind = item.arguments.get(FIELDS.get(code, ""), "")
        name = item.arguments.get("name") or item.arguments.get("found", "")
        if code == "RW206" and name.casefold() in nowhere:
            kind = ""  # nothing at all has this name
        if code == "RW406":
            name = name.partition("[")[0]  # the columns of a family are of one field
        return ("name", (_module(item) or name).casefold(), kind)
    if code == "RW217":
        return ("name", item.arguments.get("name", ""), item.help, _item(item.primary.span))
    if code == "RW109" and item.help is not None:
        # Letters of a name stand wherever it is used, and another one is no other mistake.
        return ("name", item.primary.text, item.help)
    if code == "RW404":
        return ("players", item.help)
    if code in CALLS:
        return ("call", code, item.arguments, item.help)
    return ("each", code, item.arguments, item.primary.text, item.help)


def _elsewhere(first: Diagnostic, others: Sequence[Diagnostic]) -> str:
    """Return where else the same is said: `the same in line 12 and examples.rules:8`."""
    places: list[str] = []
    for item in others:
        span = item.primary.span
        line, name = span.shown().line, span.source.name.rpartition("/")[2]
        is_here = span.source is first.primary.span.source
        place = f"line {line}" if is_here else f"{name}:{line}"
        if place not in places:
            places.append(place)
    more = len(places) - MOST_PLACES
    if more > 0:
        places = [*places[:MOST_PLACES], counted(more, "more place")]
    *most, last = places
    return f"the same in {', '.join(most)} and {last}" if most else f"the same in {last}"
