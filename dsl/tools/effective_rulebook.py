"""The effective rule book: the text of the rules with every amendment at its place.

    book = rule_book(world, game, folder)
    for part in book.parts: ...

The lines are those of the files, in the order of the game's file; nothing is left out. What acts
elsewhere (`effective_text`) is shown there, and where it is written a line says so. Worked examples come last.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.checks import citations
from rulewright.dsl.files import library
from rulewright.dsl.resolve.symbols import Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.source import Source
from rulewright.dsl.tools.effective_text import (
    AnnotatedFile,
    Author,
    Splice,
    Splices,
    file_name,
    last_line,
    splices_of,
)

SAME, ADDED, CHANGED, REPLACED = "", "added", "changed", "replaced"
"""What became of a line."""

_HEADING = re.compile(r"#\s*[-=]{3,}\s*(.+?)\s*[-=]*\s*$")
_STEP = 2


@attrs.frozen
class RuleLine:
    """A line of the rules as it is written, without its end."""

    text: str
    mark: str = SAME
    author: Author | None = None
    """Who says, changes or replaces it, if it does not simply stand there."""

    cited: int = -1
    """The column where its citation begins; -1 if it has none."""

    elsewhere: tuple[str, ...] = ()
    """Where the rest of it is shown: what it amends."""

    place: str = ""
    """`file:line` where it is written; "" of what is put in, and of rows of tables."""

    @property
    def heading(self) -> str:
        """The title in a comment such as `# ------ setup`; "" if it is something else."""
        found = _HEADING.fullmatch(self.text)
        return found[1] if found and self.mark == SAME else ""


@attrs.frozen
class RuleFile:
    """A file of the rules: the game, what a variant adds, a module, or the examples of a file."""

    kind: str
    """`game`, `variant`, `module` or `examples`."""

    title: str
    place: str
    lines: tuple[RuleLine, ...]


@attrs.frozen
class RuleBook:
    """The rules of a game as they are with its variants."""

    game: model.Game
    parts: tuple[RuleFile, ...]
    variants: tuple[tuple[str, str], ...]
    """Title and file of each variant that is on."""


def rule_book(world: World, game: model.Game, folder: Path, *, modules: bool = False) -> RuleBook:
    """Return the rules of a linked game whose folder that is; with `modules`, also those of the
    library that nothing amends."""
    found = splices_of(world, game)
    writer = _Writer(found, folder)
    files = [world.game, *world.variants]
    parts = [
        RuleFile(
            "variant" if one.is_variant else "game",
            file_name(one, game),
            one.file.span.source.name,
            tuple(writer.rules(found.of(one))),
        )
        for one in files
    ]
    parts += _modules(world, game, found, writer, modules)
    for one in (*files, *world.examples):
        lines = tuple(writer.examples(found.of(one)))
        if lines:
            name = one.file.span.source.name
            parts.append(RuleFile("examples", file_name(one, game), name, lines))
    return RuleBook(
        game,
        tuple(parts),
        tuple((one.title, one.file.span.source.name) for one in world.variants),
    )


def _modules(
    world: World, game: model.Game, found: Splices, writer: _Writer, all_of_them: bool
) -> Iterator[RuleFile]:
    """Yield the modules; a file that several instances use and nobody amends is shown once."""
    alike: dict[Source, list[Instance]] = {}
    for one in world.instances:
        if one.is_module:
            alike.setdefault(one.file.span.source, []).append(one)
    for source, instances in alike.items():
        amended = [one for one in instances if found.of(one).is_amended]
        plain = [one for one in instances if one not in amended] if all_of_them else []
        for group in (*([one] for one in amended), *([plain] if plain else [])):
            title = ", ".join(dict.fromkeys(file_name(one, game) for one in group))
            sheet = found.of(group[0])
            lines = tuple(writer.rules(sheet, amended_only=not all_of_them))
            yield RuleFile("module", title, source.name, lines)


class _Writer:
    def __init__(self, found: Splices, folder: Path) -> None:
        self.found = found
        self.folder = folder
        self.cuts: dict[Source, dict[int, int]] = {}

    def rules(self, sheet: AnnotatedFile, *, amended_only: bool = False) -> Iterator[RuleLine]:
        """Yield the lines of a file without its examples."""
        for item, first, last in _stretches(sheet.instance.file):
            if isinstance(item, nodes.Example):
                continue
            if amended_only and not _is_amended(sheet, first, last):
                continue
            acts_on = self._acts_on(item)
            if item is not None and acts_on:
                # Comments above it stay here, and so does its head.
                for number in range(first, item.span.line):
                    yield self._line(sheet.source, number)
                yield self._line(item.span.source, item.span.line, elsewhere=acts_on)
                continue
            yield from self._amended(sheet, first, last)
            if isinstance(item, nodes.Table) and item.path is not None:
                yield from self._table(item.path.raw)

    def examples(self, sheet: AnnotatedFile) -> Iterator[RuleLine]:
        """Yield the lines of the examples of a file; all lines, if it holds nothing else."""
        whole = isinstance(sheet.instance.file.header, nodes.ExamplesHeader)
        for item, first, last in _stretches(sheet.instance.file):
            if whole or isinstance(item, nodes.Example):
                yield from self._amended(sheet, first, last)

    def _acts_on(self, item: nodes.Node | None) -> tuple[str, ...]:
        if item is None:
            return ()
        return tuple(self.found.acts_on.get((item.span.source, item.span.start), ()))

    # --------------------------------------------------------------------------------------- lines

    def _amended(self, sheet: AnnotatedFile, first: int, last: int) -> Iterator[RuleLine]:
        """Yield lines of a file with what is hung on them."""
        hung: dict[int, list[Splice]] = {}
        for splice in sheet.splices:
            hung.setdefault(splice.after, []).append(splice)
        own = ADDED if sheet.instance.is_variant else SAME
        for number in range(first, last + 1):
            gone = next((one for one in sheet.replaced if one.first <= number <= one.last), None)
            mark, author = (REPLACED, gone.author) if gone else (own, None)
            if mark == ADDED and not sheet.source.line_text(number).partition("#")[0].strip():
                mark = SAME
            yield self._line(sheet.source, number, mark, author)
            # What stands further in is done first.
            for splice in sorted(hung.get(number, ()), key=lambda one: -one.indent):
                yield from self._spliced(splice)

    def _spliced(self, splice: Splice) -> Iterator[RuleLine]:
        span, author = splice.span, splice.author
        mark = SAME
        if author.marked:
            mark = CHANGED if splice.changes else ADDED
        if splice.replaced_by is not None:
            mark, author = REPLACED, splice.replaced_by
        column = span.column - 1
        for head in splice.during:
            yield RuleLine(f"{' ' * splice.indent}# {head}:", mark, author)
        for number in range(span.line, last_line(span) + 1):
            yield self._moved(span.source, number, column, splice.indent, mark, author)
        if splice.otherwise:
            text = " " * splice.indent + "# otherwise:"
            yield RuleLine(text, mark, author)

    def _moved(
        self, source: Source, number: int, column: int, indent: int, mark: str, author: Author
    ) -> RuleLine:
        """Return a line as it looks where its block begins at another column."""
        line = self._line(source, number, mark, author)
        least = min(column, len(line.text) - len(line.text.lstrip()))
        cited = line.cited if line.cited < 0 else line.cited - least + indent
        return attrs.evolve(line, text=" " * indent + line.text[least:], cited=cited)

    def _line(
        self,
        source: Source,
        number: int,
        mark: str = SAME,
        author: Author | None = None,
        elsewhere: tuple[str, ...] = (),
    ) -> RuleLine:
        text = source.line_text(number).rstrip()
        cited = self._cut(source, number, text)
        return RuleLine(text, mark, author, cited, elsewhere, f"{source.name}:{number}")

    def _cut(self, source: Source, number: int, text: str) -> int:
        """Return the column where the citation of a line begins."""
        if source not in self.cuts:
            self.cuts[source] = {}
            sheets = (one for one in self.found.sheets.values() if one.source is source)
            for section in citations.cited_sections(next(sheets).instance.file):
                self.cuts[source].setdefault(section.span.line, section.span.column - 1)
        column = self.cuts[source].get(number)
        return -1 if column is None else text.rfind("see", 0, column)

    # -------------------------------------------------------------------------------------- tables

    def _table(self, named: str) -> Iterator[RuleLine]:
        """Yield the rows of a table that has a file of its own."""
        path = library.find_inside(named, self.folder)
        source = None if path is None else library.read_source(path)[0]
        if source is None:
            return
        rows = [row for row in csv.reader(source.text.split("\n")) if row]
        widths = [max(map(len, column)) for column in zip(*rows, strict=False)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
            yield RuleLine(f"{' ' * _STEP}| {' | '.join(cells)} |")


def _is_amended(sheet: AnnotatedFile, first: int, last: int) -> bool:
    hung = any(first <= one.after <= last for one in sheet.splices if one.author.marked)
    return hung or any(one.first <= last and first <= one.last for one in sheet.replaced)


def _stretches(file: nodes.File) -> Iterator[tuple[nodes.Node | None, int, int]]:
    """Yield every item with its first and last line, and the lines between items without one.

    Comments belong to the item directly below them.
    """
    source = file.span.source
    items: list[nodes.Node] = sorted((file.header, *file.items), key=lambda item: item.span.start)
    at = 1
    for item in items:
        first = item.span.line
        while first > at and source.line_text(first - 1).startswith("#"):
            first -= 1
        if first > at:
            yield None, at, first - 1
        last = max(last_line(item.span), item.span.line)
        if last >= max(first, at):
            yield item, max(first, at), last
        at = last + 1
    end = last_line(source.whole())
    if at <= end:
        yield None, at, end
