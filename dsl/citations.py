"""Citations: every `see` is looked up in the digests, every section must be cited or excused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import attrs

from rulewright.dsl import library, nodes
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.digest import Digest, Heading, read_digest
from rulewright.dsl.scope import World
from rulewright.dsl.source import Source
from rulewright.dsl.suggest import nearest

Reader = Callable[[Path], Source | None]


def problems(
    world: World, folder: Path, read: Reader, files: Iterable[object]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the books, the citations and the coverage of a game."""
    items = [item for item in world.game.file.items if isinstance(item, nodes.Book)]
    books: dict[str, Digest] = {}
    for item in items:
        path = library.find_book(item.path.raw, folder)
        source = None if path is None else read(path)
        if source is None:
            yield diagnostic("RW020", item.path.span, name=item.path.raw)
            return
        books[item.word.text if item.word else ""] = read_digest(source)
    first = next(iter(books), None)
    covered: set[tuple[str, tuple[str, ...]]] = set()
    for file in files:
        for section in cited_sections(file):
            if first is None:
                continue
            word = section.book if section.book is not None else first
            digest = books.get(word)
            if digest is None:
                yield diagnostic("RW020", section.span, name=word)
                continue
            found = digest.find(section.path)
            yield from _judged(section, digest, found)
            if found:
                covered.add((word, found[0].path))
    for item in items:
        word = item.word.text if item.word else ""
        for heading in uncovered(books[word], {path for book, path in covered if book == word}):
            name = "/".join(heading.path)
            yield diagnostic(
                "RW213",
                item.path.span,
                name=name,
                help=f"cite it where it is implemented (see {heading.path[-1]}),"
                f" or excuse it: no rules in {heading.path[-1]}",
            )


def _judged(
    section: nodes.Section, digest: Digest, found: tuple[Heading, ...]
) -> Iterator[Diagnostic]:
    name = "/".join(section.path)
    if not found:
        near = nearest(section.path[-1], digest.names())
        help = f"did you mean `{near[0]}`?" if near else f"the book is {digest.path}"
        yield diagnostic("RW212", section.span, "no such heading", help=help, name=name)
    elif len(found) > 1 and not any(one.path == section.path for one in found):
        ways = " or ".join("/".join(one.path) for one in found[:2])
        yield diagnostic("RW214", section.span, help=f"write {ways}", name=name)


def uncovered(digest: Digest, cited: set[tuple[str, ...]]) -> Iterator[Heading]:
    """Yield the sections with text of which neither they nor anything inside them is cited."""
    for heading in digest.headings:
        inside = any(path[: len(heading.path)] == heading.path for path in cited)
        if heading.has_text and not inside:
            yield heading


def cited_sections(node: object) -> Iterator[nodes.Section]:
    """Yield every citation inside a syntax tree, in order; an excuse counts as one."""
    if isinstance(node, nodes.NoRules):
        yield from node.sections
        return
    if isinstance(node, nodes.Cited):
        yield from node.see
    if isinstance(node, nodes.Node):
        for field in attrs.fields(type(node)):
            if field.name in ("span", "see"):
                continue
            value = getattr(node, field.name)
            if isinstance(value, tuple):
                for one in value:
                    yield from cited_sections(one)
            elif isinstance(value, nodes.Node):
                yield from cited_sections(value)
