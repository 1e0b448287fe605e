"""The book and the rules side by side: which sections have no rule, which rules have no section.

    found = compared(world, folder)
    found.books      # each rule book with its sections and where they are cited
    found.uncited    # items of the game that cite nothing, inside or outside

A section counts as covered if it or a section inside it is cited, as for the checker (`citations`).
What a variant says on its own account is no rule of the book: it is listed apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from rulewright.dsl.checks import citations
from rulewright.dsl.files import library
from rulewright.dsl.files.rulebook_sections import Digest, read_digest
from rulewright.dsl.resolve.symbols import Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.source import Span

RULES = (
    nodes.Option,
    nodes.KindIs,
    nodes.KindHas,
    nodes.GameHas,
    nodes.Neutral,
    nodes.Table,
    nodes.TableProduct,
    nodes.Define,
    nodes.Tally,
    nodes.Verb,
    nodes.Change,
    nodes.Around,
    nodes.AsSoonAs,
    nodes.During,
    nodes.Ranking,
)
"""The items that say a rule; `use`, `check`, `example` and the like say none."""


@attrs.frozen
class SectionCited:
    """A section of a book that states something, and where the rules cite it."""

    name: str
    places: tuple[str, ...]
    """`file:line` of what cites it or a section inside it."""

    excused: bool = False
    """Whether `no rules in` names it."""


@attrs.frozen
class BookCited:
    """A rule book with its sections in order."""

    title: str
    file: str
    sections: tuple[SectionCited, ...]

    @property
    def open(self) -> tuple[SectionCited, ...]:
        """The sections that are neither cited nor excused."""
        return tuple(one for one in self.sections if not one.places and not one.excused)


@attrs.frozen
class Uncited:
    """A rule that cites no section."""

    text: str
    place: str


@attrs.frozen
class BookComparison:
    """The books of a game and its rules, side by side."""

    books: tuple[BookCited, ...]
    rules: int
    """How many rules the game has, its own modules included, those of variants not."""

    uncited: tuple[Uncited, ...]
    of_variants: tuple[Uncited, ...]
    """Rules of variants that cite nothing: house rules, as a rule."""

    @property
    def is_complete(self) -> bool:
        """Whether every section has a rule and every rule a section; so if there is no book."""
        return not self.books or not (self.uncited or any(book.open for book in self.books))


def compared(world: World, folder: Path, others: Iterable[nodes.File] = ()) -> BookComparison:
    """Return the books of a game in that folder and its rules, side by side.

    `others` are the variants that take no part: a book restates its variants, too, so what they cite
    has a rule.
    """
    own = [
        one
        for one in world.instances
        if not one.is_variant and not library.is_standard(one.file.span.source.name)
    ]
    rules = [rule for one in _once(own) for rule in _rules(one)]
    of_variants = [rule for one in world.variants for rule in _rules(one)]
    return BookComparison(
        tuple(_books(world, folder, tuple(others))),
        len(rules),
        tuple(_uncited(rules)),
        tuple(_uncited(of_variants)),
    )


def _once(instances: Iterable[Instance]) -> Iterator[Instance]:
    """Yield the instances of different files."""
    seen: set[int] = set()
    for one in instances:
        if id(one.file) not in seen:
            seen.add(id(one.file))
            yield one


# ------------------------------------------------------------------------------------------- rules


def _rules(instance: Instance) -> Iterator[nodes.Cited]:
    """Yield the rules of a file; of a block `each … has` that cites nothing as a whole its members."""
    for item in instance.file.items:
        if isinstance(item, nodes.KindHas | nodes.GameHas) and not item.see:
            yield from (one for one in item.members if isinstance(one, nodes.Cited))
        elif isinstance(item, RULES) and isinstance(item, nodes.Cited):
            yield item


def _uncited(rules: Iterable[nodes.Cited]) -> Iterator[Uncited]:
    for rule in rules:
        if next(citations.cited_sections(rule), None) is None:
            yield Uncited(first_line(rule.span), f"{rule.span.source.name}:{rule.span.line}")


def first_line(span: Span) -> str:
    """Return the first line of a rule without its comment, all white space alike."""
    line = span.text.strip().partition("\n")[0]
    return " ".join(line.partition("  #")[0].split())


# ------------------------------------------------------------------------------------------- books


def _books(world: World, folder: Path, others: tuple[nodes.File, ...]) -> Iterator[BookCited]:
    named: dict[str, nodes.Book] = {}
    for item in world.game.file.items:
        if isinstance(item, nodes.Book):
            named.setdefault(item.word.text if item.word else "", item)
    first = next(iter(named), "")
    cited = list(_cited(world, others))
    for word, item in named.items():
        path = library.find_book(item.path.raw, folder)
        source = None if path is None else library.read_source(path)[0]
        if source is None:
            continue
        digest = read_digest(source)
        here = [one for one in cited if (one[0].book or first) == word]
        yield BookCited(digest.title, source.name, tuple(_sections(digest, here)))


def _cited(world: World, others: tuple[nodes.File, ...]) -> Iterator[tuple[nodes.Section, bool]]:
    """Yield every citation, and whether it only excuses the section."""
    files = [one.file for one in _once((*world.instances, *world.examples))]
    files += others
    for file in files:
        for item in (file.header, *file.items):
            excuse = isinstance(item, nodes.NoRules)
            for section in citations.cited_sections(item):
                yield section, excuse


def _sections(
    digest: Digest, cited: Iterable[tuple[nodes.Section, bool]]
) -> Iterator[SectionCited]:
    found: dict[tuple[str, ...], list[str]] = {}
    excused: set[tuple[str, ...]] = set()
    for section, excuse in cited:
        for heading in digest.find(section.path)[:1]:
            if excuse:
                excused.add(heading.path)
            else:
                place = f"{section.span.source.name}:{section.span.line}"
                found.setdefault(heading.path, []).append(place)
    for heading in digest.headings:
        if not heading.has_text:
            continue
        length = len(heading.path)
        places = [
            place for path, at in found.items() if path[:length] == heading.path for place in at
        ]
        free = any(path[:length] == heading.path for path in excused)
        yield SectionCited("/".join(heading.path), tuple(dict.fromkeys(places)), free)
