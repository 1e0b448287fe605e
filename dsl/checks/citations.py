"""Citations: every `see` is looked up in the digests, every section must be cited or excused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import get_args

from rulewright.dsl.files import library
from rulewright.dsl.files.rulebook_sections import Digest, Heading, read_digest
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source
from rulewright.dsl.text.suggest import nearest

EXPRESSIONS = frozenset(get_args(nodes.Expression))

ReadSource = Callable[[Path], Source | None]


def problems(
    world: World, folder: Path, read: ReadSource, files: Iterable[object], others: Iterable[object]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the books, the citations and the coverage of a game.

    The citations of `files` are checked. `others` are the variants that take no part: what they cite
    is covered, and whether it is cited rightly is said where they do take part.
    """
    yield from _misplaced(world)
    items = [item for item in world.game.file.items if isinstance(item, nodes.Book)]
    books: dict[str, Digest | None] = {}
    for item in items:
        path = library.find_book(item.path.raw, folder)
        source = None if path is None else read(path)
        if source is None:
            yield _no_book(item.path, folder)
        books.setdefault(_word(item), None if source is None else read_digest(source))
    first = next(iter(books), None)
    covered: set[tuple[str, tuple[str, ...]]] = set()
    strange: set[str] = set()
    for section in (section for file in files for section in cited_sections(file)):
        word = section.book or first or ""
        if word not in books:
            if word not in strange:
                yield _unknown_word(section, word, books)
            strange.add(word)
            continue
        digest = books[word]
        if digest is not None:
            found = digest.find(section.path)
            yield from _wrong_citation(world, section, digest, found)
            # One that was meant has been reported: it is not uncovered as well.
            meant = found or digest.find(_near(world, section, digest))
            covered |= {(word, heading.path) for heading in meant[:1]}
    for section in (section for file in others for section in cited_sections(file)):
        word = section.book or first or ""
        digest = books.get(word)
        if digest is not None:
            covered |= {(word, heading.path) for heading in digest.find(section.path)[:1]}
    for item in items:
        digest = books[_word(item)]
        if digest is not None:
            cited = {path for book, path in covered if book == _word(item)}
            yield from _uncovered(item, digest, cited)


def _misplaced(world: World) -> Iterator[Diagnostic]:
    """Report books that no file but that of the game can name."""
    # Each file once; to compare what stands in them takes long.
    files = {id(one.file): one.file for one in (*world.instances, *world.examples)}
    for file in files.values():
        for item in file.items:
            if isinstance(item, nodes.Book) and file is not world.game.file:
                variant = isinstance(file.header, nodes.VariantHeader)
                who = "a variant cites" if variant else "a module cites"
                help = f"{who} the books of its game, which the file of the game names"
                yield diagnostic("RW101", item.path.span, help=help, found="a book")


def _word(item: nodes.Book) -> str:
    return item.word.text if item.word else ""


def _no_book(path: nodes.Text, folder: Path) -> Diagnostic:
    if library.find_inside(path.raw, folder) is None:
        advice = "put the file into the folder of the game"
        return diagnostic("RW013", path.span, help=advice, name=path.raw)
    near = nearest(path.raw, library.books(folder))
    help = f"did you mean `{near[0]}`?" if near else None
    return diagnostic("RW020", path.span, help=help, name=path.raw)


def _unknown_word(section: nodes.Section, word: str, books: Mapping[str, object]) -> Diagnostic:
    known = [f"`{one}`" for one in books if one]
    help = 'name it at the beginning of the game: book "seeds/….md"'
    if books:
        help = (
            f"the books are {', '.join(known)}"
            if known
            else "there is only one: leave out the word"
        )
        near = nearest(word, books)
        help = f"did you mean `{near[0]}`?" if near else help
    label = "" if word else "no rule book is named"
    return diagnostic("RW020", section.span, label, help=help, name=word or "/".join(section.path))


def _uncovered(
    item: nodes.Book, digest: Digest, cited: set[tuple[str, ...]]
) -> Iterator[Diagnostic]:
    for heading in uncovered(digest, cited):
        last = heading.path[-1]
        help = f"cite it where it is implemented (see {last}), or excuse it: no rules in {last}"
        yield diagnostic("RW213", item.path.span, help=help, name="/".join(heading.path))


def _wrong_citation(
    world: World, section: nodes.Section, digest: Digest, found: tuple[Heading, ...]
) -> Iterator[Diagnostic]:
    name = "/".join(section.path)
    if not found:
        near = _near(world, section, digest)
        help = f"did you mean `{near[0]}`?" if near else f"the book is {digest.path}"
        yield diagnostic("RW212", section.span, "no such heading", help=help, name=name)
    elif len(found) > 1 and not any(one.path == section.path for one in found):
        ways = " or ".join("/".join(one.path) for one in found[:2])
        yield diagnostic("RW214", section.span, help=f"write {ways}", name=name)


def _near(world: World, section: nodes.Section, digest: Digest) -> tuple[str, ...]:
    """Return the heading that a citation may be a slip of: its last part, or an outer one."""
    last = section.path[-1]
    if last in digest.names():
        return (last,)
    return world.nearest(last, digest.names())[:1]


def uncovered(digest: Digest, cited: set[tuple[str, ...]]) -> Iterator[Heading]:
    """Yield the sections with text of which neither they nor anything inside them is cited."""
    for heading in digest.headings:
        inside = any(path[: len(heading.path)] == heading.path for path in cited)
        if heading.has_text and not inside:
            yield heading


def cited_sections(node: object) -> Iterator[nodes.Section]:
    """Yield every citation inside a syntax tree, in order; an excuse counts as one."""
    # Nothing is cited inside an expression.
    for inner in visitor.nodes_in(node, EXPRESSIONS) if isinstance(node, nodes.Node) else ():
        if isinstance(inner, nodes.NoRules):
            yield from inner.sections
        elif isinstance(inner, nodes.Cited):
            yield from inner.see
