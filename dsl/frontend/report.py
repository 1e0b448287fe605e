"""One mistake, one message: of all that the passes found, what the author has to read.

The passes know nothing of one another, so one mistake may be noticed in several places: a name
declared with a slip is missing wherever it is used, a line that cannot be read leaves a gap that
others fall into. What only follows from another message is left out (`consequences`):

- the same name missing in several places is said once, with the other places
- while a line cannot be read, nobody knows what is missing: not which columns, reasons or verbs
- an example follows from the rules, and the lines of an example from those before
- a warning that something is missing waits until all else is right

A message also says which rule of the book it is about, so that a designer who reads no code can look the
paragraph up (`with_rules`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set

import attrs

from rulewright.dsl.frontend.consequences import (
    CALLS,
    NAMES,
    example_around,
    examples_of,
    item_of,
    module_of,
    without_consequences,
)
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.codes import Severity, counted
from rulewright.dsl.text.diagnostics import Diagnostic, has_errors, in_order
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.typecheck.sheets import EMPTY

FEWEST = {"name": 2, "call": 2, "holder": 2, "players": 3, "each": 6}
"""From how many on messages of a sort that say the same of different places are made one."""


A_STEP = "a step"
"""The label of a step where none can stand."""

ORPHANS = frozenset(("no `if` above it", "no `either` above it"))
"""Labels of lines that go with one above them."""


MOST_PLACES = 4
"""How many of the places where a name is missing are listed."""


FIELDS = {"RW206": "kind", "RW406": "kind", "RW407": "expected"}
"""What a missing name belongs to: another may be meant to have none of that name."""


PARTS = {"RW301": "RW301", "RW404": "RW312"}
"""Messages about what may be wrong only because a part of it is, and those about the part."""


def condensed(found: Sequence[Diagnostic], world: World | None) -> tuple[Diagnostic, ...]:
    """Return the messages without those that only follow from others."""
    errors = _Errors(found)
    kept = [item for item in found if not _is_said(item, errors)]
    kept = list(_without_orphans(kept))
    if world is not None:
        kept = list(without_consequences(kept, world))
    unseen = {item.primary.span for item in kept if item.code.code == "RW401"}
    kept = [item for item in kept if item.code.code != "RW420" or item.primary.span not in unseen]
    if has_errors(kept):
        kept = [item for item in kept if item.severity is not Severity.WARNING]
    examples = () if world is None else tuple(examples_of(world))
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
        place = item_of(item.primary.span)
        if item.code.code == "RW102":
            indented.setdefault(place, item.primary.span.start)
        elif item.code.code == "RW101" and item.primary.text == A_STEP:
            steps.setdefault(place, item)
    for item in found:
        span = item.primary.span
        if item.code.code == "RW101":
            place = item_of(span)
            first = steps.get(place)
            # The step above the first may have been taken for something else that it is not.
            if first is not None and first is not item and span.line >= first.primary.span.line - 1:
                continue
            if item.primary.text in ORPHANS and indented.get(place, span.start) < span.start:
                continue
        yield item


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
        items.sort(key=lambda item: example_around(item.primary.span, examples) is not None)
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
        return ("name", (module_of(item) or name).casefold(), kind)
    if code == "RW217":
        return ("name", item.arguments.get("name", ""), item.help, item_of(item.primary.span))
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


MOST_SECTIONS = 3


def with_rules(
    found: Iterable[Diagnostic], files: Iterable[nodes.File], title: str
) -> tuple[Diagnostic, ...]:
    """Return errors and warnings with the nearest citation at their place."""
    by_source = {file.span.source: file for file in files}
    return tuple(_with_rule(item, by_source.get(item.primary.span.source), title) for item in found)


def _with_rule(item: Diagnostic, file: nodes.File | None, title: str) -> Diagnostic:
    if file is None or item.rule or item.severity is Severity.NOTE:
        return item
    span = item.primary.span
    sections: tuple[nodes.Section, ...] = ()
    node: nodes.Node | None = file
    while node is not None:
        if isinstance(node, nodes.Cited) and node.see:
            sections = node.see
        if any(_covers(section.span, span) for section in sections):
            return item  # it is about the citation itself
        node = next((inner for inner in visitor.children(node) if _covers(inner.span, span)), None)
    rule = tuple(f'{title}, "{citation(section)}"' for section in sections[:MOST_SECTIONS])
    return attrs.evolve(item, rule=rule)


def citation(section: nodes.Section) -> str:
    """Return a citation as a text: `Setup/Cards`, `english: Setup`."""
    return (f"{section.book}: " if section.book else "") + "/".join(section.path)


def _covers(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
