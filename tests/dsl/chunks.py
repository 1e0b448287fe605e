"""Rule files that say themselves what the checker must report: chunks, marks and a runner.

A file `cases/<topic>.rules` holds chunks, parted by lines `---`. Each is a small game of its own:

    --- (a chunk begins)
    # A misspelt zone.
    to play
      move cards to discrad          #! RW208:16 "did you mean `discard`?"

- A line that must be reported ends in `#!`, the code, the column if it matters, and a piece of the
  message (of the headline, a label, the help or a note); several marks may follow one another.
  A diagnostic that no mark expects and a mark that nothing answers both fail. Notes (`RW414`,
  `RW604`, ...) are looked at only if the chunk says `#? notes`.
- A chunk that does not say `language 1` continues the first chunk of its file, the preamble, which
  is then no chunk of its own.
- `=== variants/toll.rules` begins another file of the same game.
- `#? verify` puts the game to the test as well: its tables, checks, examples and some random games.
- `#? with Toll, Maze` switches variants on; `#? reports RW503 "Mayz"` expects a message that has no
  line, because it is about what the user has typed.

Lines keep their numbers: what stands above a chunk or a further file is replaced by blank lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from rulewright.dsl.frontend.frontend import Compilation, compile_game
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.interpreter.testing.verify import verify

CASES = Path(__file__).resolve().parent / "cases"
PLAYOUTS = 2
GAME = "case"
"""The name of the folder in which a chunk is laid out, so the name of its game."""

_MARKS = re.compile(r"[ \t]*#!(.*)$")
_MARK = re.compile(r'\s*(RW\d{3})(?::(\d+))?(?:\s+"([^"]*)")?')
_DIRECTIVE = re.compile(r"#\? (\w+)(?: (.*))?$")


@attrs.frozen
class Mark:
    """What a chunk expects to be reported; `line` is 0 for a message without a place."""

    line: int
    code: str
    column: int | None
    fragment: str

    def answers(self, item: Diagnostic) -> bool:
        """Return whether this mark asks for that message."""
        place = item.primary.span.shown()
        line = place.line if place.source.text else 0
        return (
            (line, item.code.code) == (self.line, self.code)
            and self.column in (None, place.column)
            and self.fragment in words_of(item)
        )

    def __str__(self) -> str:
        column = "" if self.column is None else f":{self.column}"
        return f'line {self.line}: {self.code}{column} "{self.fragment}"'


@attrs.frozen
class Chunk:
    """A game in a file of cases: its files as they are laid out, and what must be reported."""

    path: Path
    line: int
    title: str
    files: tuple[tuple[str, str], ...]
    marks: tuple[Mark, ...]
    variants: tuple[str, ...] = ()
    notes: bool = False
    verify: bool = False

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.path.stem}:{self.line}"

    def compile(self, folder: Path) -> Compilation:
        """Lay the game out below a folder and compile it."""
        base = folder / GAME
        for name, text in self.files:
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        return compile_game(str(base), self.variants)

    def diagnostics(self, folder: Path) -> tuple[Diagnostic, ...]:
        """Return all that is said about the game: by the checker, and by the test of it."""
        return self.told(self.compile(folder))

    def told(self, compilation: Compilation) -> tuple[Diagnostic, ...]:
        """Return the same of what has been compiled."""
        if compilation.game is None or not self.verify:
            return compilation.diagnostics
        return (*compilation.diagnostics, *verify(compilation.game, playouts=PLAYOUTS))

    def judged(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Return the messages that this chunk is about."""
        return tuple(
            item for item in diagnostics if self.notes or item.severity is not Severity.NOTE
        )


def words_of(item: Diagnostic) -> str:
    """Return everything that a message says, one sentence a line."""
    labels = [item.primary.text, *(label.text for label in item.secondary)]
    return "\n".join([item.headline, *labels, item.help or "", *item.notes])


def compare(chunk: Chunk, diagnostics: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[Mark]]:
    """Return the messages that no mark asks for, and the marks that no message answers."""
    waiting = list(chunk.marks)
    unexpected: list[Diagnostic] = []
    for item in chunk.judged(diagnostics):
        mark = next((one for one in waiting if one.answers(item)), None)
        if mark is None:
            unexpected.append(item)
        else:
            waiting.remove(mark)
    return unexpected, waiting


def all_chunks() -> Iterator[Chunk]:
    """Yield the chunks of all files of cases."""
    for path in sorted(CASES.glob("*.rules")):
        yield from chunks_of(path)


def chunks_of(path: Path) -> Iterator[Chunk]:
    """Yield the chunks of one file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    starts = [0, *(number + 1 for number, line in enumerate(lines) if line == "---")]
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    parts = [(start, lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    continued = [start for start, own in parts[1:] if not _stands_alone(own)]
    for start, own in parts[1:] if continued else parts:
        yield _chunk(path, start, own, parts[0][1] if start in continued else [])


def _stands_alone(own: list[str]) -> bool:
    """Return whether the game of a chunk (not a further file in it) has a first line of its own."""
    game = itertools.takewhile(lambda line: not line.startswith("=== "), own)
    return any(line.startswith("language ") for line in game)


def _chunk(path: Path, start: int, own: list[str], preamble: list[str]) -> Chunk:
    name = "game.rules"
    files = {name: [*preamble, *[""] * (start - len(preamble))]}
    marks: list[Mark] = []
    variants: tuple[str, ...] = ()
    words: set[str] = set()
    title = next((line[2:] for line in own if line.startswith("# ")), "")
    for number, line in enumerate(own, start + 1):
        directive = _DIRECTIVE.match(line)
        if line.startswith("=== "):
            name = line[4:]
            files[name] = [""] * number
            continue
        marked = _MARKS.search(line)
        if marked is not None:
            marks += _marks(marked.group(1), number)
        if directive is not None:
            word, rest = directive.group(1), directive.group(2) or ""
            known = ("notes", "verify", "with", "reports")
            assert word in known, f"{path}:{number}: #? {word}"
            words.add(word)
            if word == "with":
                variants = tuple(part.strip() for part in rest.split(","))
            if word == "reports":
                marks += _marks(rest, 0)
        files[name].append("" if directive is not None else _MARKS.sub("", line))
    return Chunk(
        path=path,
        line=start + 1,
        title=title,
        files=tuple((name, "\n".join(lines)) for name, lines in files.items()),
        marks=tuple(marks),
        variants=variants,
        notes="notes" in words,
        verify="verify" in words,
    )


def _marks(text: str, line: int) -> Iterator[Mark]:
    at = 0
    while text[at:].strip():
        found = _MARK.match(text, at)
        assert found is not None, f"line {line}: {text[at:]!r} is no mark"
        code, column, fragment = found.groups()
        yield Mark(line, code, int(column) if column else None, fragment or "")
        at = found.end()
