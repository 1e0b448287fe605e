"""Games in other languages: tables that say what each text is called in each language.

Beside a game lie `texts/de.csv` and the like, named by their language, with the columns `text` and
`translation` (and `note`, if one likes). A column `name[de]` of a table of things says what they are
called. What is not translated, or has an empty cell, stays as the author wrote it.

A translation changes no rule: it is no part of the digest of a game, so saved games of one language
can be read in another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.files import disk
from rulewright.dsl.files.library import find_inside
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Diagnostic, Label, Report, diagnostic
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.typecheck.sheets import Cells, csv_rows
from rulewright.dsl.typecheck.tables import LANGUAGE

PLAIN = (nodes.Book, nodes.NoRules, nodes.Check, nodes.Example, nodes.Relation)
"""Items whose texts are for authors, or say again what stands elsewhere."""


@attrs.frozen
class ShownText:
    """A text or name that can be translated."""

    text: str
    is_shown: bool = True
    """Whether a player may read it; a text that is only compared with others is none."""


def in_words(name: str) -> str:
    """Return a name of the rules as it is shown."""
    return name.replace("_", " ")


def told_in(file: nodes.File) -> Iterator[ShownText]:
    """Yield what a rule file lets players read, in its order."""
    if isinstance(file.header, nodes.GameHeader | nodes.VariantHeader):
        yield ShownText(file.header.title.raw)
    for item in file.items:
        if not isinstance(item, PLAIN):
            yield from _inside(item)


def _inside(node: nodes.Node) -> Iterator[ShownText]:
    yield from _names(node)
    skipped: tuple[nodes.Node, ...] = ()
    match node:
        case nodes.Text(raw=raw):
            yield ShownText(raw)
        case nodes.Compare():
            # What a value is compared with is no text for players.
            skipped = tuple(one for one in visitor.children(node) if isinstance(one, nodes.Text))
        case nodes.KindHas(named=named):
            skipped = named
        case nodes.Table(path=nodes.Text() as path):
            skipped = (path,)
    for one in skipped:
        assert isinstance(one, nodes.Text), one
        yield ShownText(one.raw, is_shown=False)
    for one in visitor.children(node):
        if not any(one is other for other in skipped):
            yield from _inside(one)


def _names(node: nodes.Node) -> Iterator[ShownText]:
    """Yield the names that a node declares and that are shown as they are."""
    match node:
        case nodes.Field(names=names):
            # A name is not introduced by the word "name".
            yield from (ShownText(in_words(one.text), one.text != "name") for one in names)
        case nodes.Verb(name=name, label=None):
            # Most of them are never shown.
            yield ShownText(in_words(name.text), is_shown=False)
        case nodes.Tally(name=name) | nodes.TallyLine(name=name):
            yield ShownText(in_words(name.text))
        case nodes.KindHas(kind=kind):
            yield ShownText(kind.text)
        case nodes.Choose(name=name):
            yield ShownText(in_words(name.text))


def told_of(game: model.Game) -> Iterator[ShownText]:
    """Yield what a linked game shows besides the texts of its files: values of enumerations, and
    what stands in the tables."""
    for enumeration in game.enumerations.values():
        shown = enumeration.shown or tuple(map(in_words, enumeration.values))
        yield from (ShownText(value) for value in shown)
    for table in game.tables:
        for row in table.rows:
            for id, cell in row.cells:
                if isinstance(cell, model.Constant) and isinstance(cell.value, str):
                    yield ShownText(cell.value, is_shown=game.fields[id].name == "name")


def collected(files: Iterable[nodes.File], game: model.Game) -> dict[str, bool]:
    """Return all texts of a game in their order, and whether players read them."""
    found: dict[str, bool] = {}
    for file in files:
        for one in told_in(file):
            found[one.text] = found.get(one.text, False) or one.is_shown
    for one in told_of(game):
        found[one.text] = found.get(one.text, False) or one.is_shown
    return {text: shown for text, shown in found.items() if any(map(str.isalpha, text))}


# ------------------------------------------------------------------------------------- translations


FOLDER = "texts"
COLUMNS = ("text", "translation", "note")
NAMED = 4
"""So many of the texts without a translation are named."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

ReadSource = Callable[[Path], Source | None]
Words = dict[str, dict[str, str]]
"""For each language the texts and what they are in it."""


@attrs.frozen
class TranslationRow:
    """A row of a file of translations."""

    text: str
    translation: str
    place: Span
    """Where the text stands."""

    said: Span
    """Where the translation stands."""


def translation_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of translations of a game, each with its language."""
    for path in disk.matching(folder / FOLDER, "*.csv"):
        if find_inside(f"{FOLDER}/{path.name}", folder) is not None:
            yield path.stem, path


def placeholders(text: str) -> tuple[str, ...]:
    """Return what stands between the braces of a text, in order."""
    return tuple(" ".join(one.split()) for one in _PLACEHOLDER.findall(text))


def entries(source: Source, report: Report) -> tuple[TranslationRow, ...]:
    """Return the rows of a file of translations; a wrong row is reported and left out."""
    rows = list(csv_rows(source, report))
    if not rows:
        return ()
    head = [text for text, _ in rows[0]]
    for text, span in rows[0]:
        if text not in COLUMNS or head.count(text) > 1:
            help = f"the columns are {', '.join(COLUMNS)}"
            report.complain("RW406", span, help=help, kind="file of texts", name=text)
            return ()
    if "text" not in head or "translation" not in head:
        absent = "translation" if "text" in head else "text"
        place = rows[0][0][1]
        help = f"begin it with a row `{','.join(COLUMNS[:2])}`"
        report.complain("RW405", place, help=help, kind="the texts", name=absent)
        return ()
    return tuple(_rows(rows[1:], head, report))


def _rows(rows: Iterable[Cells], head: list[str], report: Report) -> Iterator[TranslationRow]:
    at, into = head.index("text"), head.index("translation")
    seen: dict[str, Span] = {}
    for cells in rows:
        if len(cells) != len(head):
            found, expected = counted(len(cells), "cell"), counted(len(head), "column")
            report.complain("RW419", cells[0][1], found=found, expected=expected)
            continue
        entry = TranslationRow(cells[at][0], cells[into][0], cells[at][1], cells[into][1])
        if entry.text in seen:
            before = (Label(seen[entry.text], "the first one"),)
            place = entry.place
            report.complain("RW202", place, secondary=before, kind="translation", name=entry.text)
            continue
        seen[entry.text] = entry.place
        yield entry


@attrs.frozen
class _Checker:
    """Judges the translations of a game against all texts that it has."""

    world: World
    known: Mapping[str, bool]
    report: Report

    def fitting(self, found: Iterable[TranslationRow]) -> Iterator[TranslationRow]:
        """Yield the entries that can be used."""
        for entry in found:
            if entry.text not in self.known:
                if not self.world.may_declare(entry.text, ()):
                    self.report.add(self._unknown(entry))
            elif entry.translation and not self._has_its_placeholders(entry):
                self.report.add(_placeholders_differ(entry))
            elif entry.translation:
                yield entry

    def _unknown(self, entry: TranslationRow) -> Diagnostic:
        near = self.world.nearest(entry.text, self.known)
        help = f"did you mean `{near[0]}`?" if near else "take the row out"
        return diagnostic("RW431", entry.place, help=help, name=entry.text)

    def _has_its_placeholders(self, entry: TranslationRow) -> bool:
        return set(placeholders(entry.text)) == set(placeholders(entry.translation))

    def left_out(self, language: str, words: Mapping[str, str], place: Span) -> None:
        """Note how many texts have no translation."""
        absent = [text for text, shown in self.known.items() if shown and text not in words]
        if not absent:
            return
        shown = ", ".join(f"`{text}`" for text in absent[:NAMED])
        more = f" and {len(absent) - NAMED} more" if len(absent) > NAMED else ""
        found = f"{len(absent)} of {sum(self.known.values())} texts"
        help = f"{shown}{more}"
        self.report.complain("RW433", place, help=help, name=language, found=found)


def _placeholders_differ(entry: TranslationRow) -> Diagnostic:
    wanted, given = placeholders(entry.text), placeholders(entry.translation)
    strange = next((one for one in given if one not in wanted), None)
    if strange is not None:
        name, expected = strange, "strange"
        help = f"the text has {_listed(wanted)}"
    else:
        name, expected = next(one for one in wanted if one not in given), "missing"
        help = f"write `{{{name}}}` where it belongs"
    return diagnostic(
        "RW432",
        entry.said,
        f"this one is {expected}",
        secondary=(Label(entry.place, "the text"),),
        help=help,
        name=name,
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{{{name}}}`" for name in names) or "no placeholder"


def rows(
    game: model.Game, world: World, others: Iterable[nodes.File], language: str
) -> tuple[tuple[str, str], ...]:
    """Return every text that players read, and what it is in a language as far as that is said in a
    file; what a table says is left out."""
    known = collected([*(one.file for one in world.instances), *others], game)
    told = {text for spoken, text, _ in _in_tables(game) if spoken == language}
    words = game.languages.get(language, {})
    # What is only compared, but is translated, is kept.
    return tuple(
        (text, words.get(text, ""))
        for text, shown in known.items()
        if text not in told and (shown or text in words)
    )


def _in_tables(game: model.Game) -> Iterator[tuple[str, str, str]]:
    """Yield what tables say in other languages: language, text and translation."""
    for table in game.tables:
        for row in table.rows:
            yield from row.words
    for enumeration in game.enumerations.values():
        yield from enumeration.words


def translated(
    game: model.Game,
    world: World,
    folder: Path,
    others: Iterable[nodes.File],
    read: ReadSource,
    report: Report,
) -> Words:
    """Return what the texts of a game are in other languages, and report what is wrong there.

    `others` are the variants that take no part: their texts are translated in the same files.
    """
    found: dict[str, dict[str, str]] = {}
    for language, text, translation in _in_tables(game):
        found.setdefault(language, {}).setdefault(text, translation)
    sources = [(language, read(path)) for language, path in translation_files(folder)]
    if not any(source is not None for _, source in sources):
        return found
    known = collected([*(one.file for one in world.instances), *others], game)
    checker = _Checker(world, known, report)
    for language, source in sources:
        if source is None:
            continue
        start = len(source.text) - len(source.text.lstrip())
        place = source.span(start, start)
        if not LANGUAGE.fullmatch(language):
            help = "call it by its language: `de.csv`, `pt_BR.csv`"
            report.complain("RW434", place, help=help, name=language)
            continue
        words = found.setdefault(language, {})
        for entry in checker.fitting(entries(source, report)):
            words[entry.text] = entry.translation
        checker.left_out(language, words, place)
    return found
