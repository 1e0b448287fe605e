"""Finding and reading files: games, variants and modules by their names; what the disk says comes
from `disk`.

A game is a folder; its modules come from the folder itself or from the standard library, its rule
books from the folder or from the shipped digests. A name in a rule file can never leave these
places, and a file that is too large, binary or not UTF-8 is a message, not a traceback.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from rulewright.dsl.files import disk
from rulewright.dsl.files.disk import (
    files_of_variants,
    find_inside,
    find_module,
    shelf,
    variant_files,
)
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source
from rulewright.dsl.text.suggest import nearest

__all__ = [
    "GameTarget",
    "books",
    "examples_file",
    "files_of_variants",
    "find_book",
    "find_inside",
    "find_module",
    "find_target",
    "game_folder",
    "is_packaged",
    "is_standard",
    "modules_giving",
    "read_source",
    "shelf",
    "shown_name",
    "standard_modules",
    "variant_files",
]


_VERB = re.compile(r"to (\w+)")
_VALUE = re.compile(r"(?:define|tally) (\w+)")
_FIELDS = re.compile(r"  ((?:\w+, *)*\w+):")


def is_packaged(path: Path) -> bool:
    """Return whether a file came with the package: a game of the shelf or a module."""
    return any(
        disk.resolved(path).is_relative_to(disk.resolved(disk.packaged(part)))
        for part in ("games", "stdlib")
    )


def standard_modules() -> tuple[str, ...]:
    """Return the names of the modules of the standard library, sorted."""
    return tuple(path.stem for path in disk.matching(disk.packaged("stdlib"), "*.rules"))


def is_standard(name: str) -> bool:
    """Return whether messages show a module of the standard library under this name."""
    folder, _, file = name.partition("/")
    return folder == "stdlib" and file.removesuffix(".rules") in standard_modules()


def modules_giving(name: str, *, verb: bool) -> tuple[str, ...]:
    """Return the modules of the standard library that declare a verb, or else a value or zone, of the
    game: sorted."""
    return tuple(_given(verb).get(name, ()))


@functools.cache
def _given(verb: bool) -> dict[str, list[str]]:
    """Return the names that modules declare, with the modules that do.

    This reads their texts and not their trees: it is asked only for the words of a message.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(disk.packaged("stdlib").glob("*.rules")):
        for name in dict.fromkeys(_declared(path.read_text(encoding="utf-8"), verb)):
            found.setdefault(name, []).append(path.stem)
    return found


def _declared(text: str, verb: bool) -> Iterator[str]:
    item = ""
    for line in text.splitlines():
        if line[:1].strip():
            item = line
        named = (_VERB if verb else _VALUE).match(line)
        if named is not None:
            yield named[1]
        # What a kind has is found at its things only.
        fields = None if verb or not item.startswith("the game ") else _FIELDS.match(line)
        if fields is not None:
            yield from re.findall(r"\w+", fields[1])


@attrs.frozen
class GameTarget:
    """What a user named: the folder of a game, a variant of it, or a single module file."""

    name: str
    folder: Path
    game: Path | None
    variant: Path | None = None
    module: Path | None = None


def _trouble(code: str, shown: str, name: str, help: str | None = None) -> Diagnostic:
    return diagnostic(code, Source(shown, "").end(), help=help, name=name)


def shown_name(path: Path) -> str:
    """Return a path as messages show it: from the shelf or the current folder if it lies there."""
    for base, prefix in (
        (disk.packaged("games"), "games"),
        (disk.packaged("stdlib"), "stdlib"),
        (disk.packaged("seeds"), "seeds"),
        (None, ""),
    ):
        # What lies in the package is called the same from everywhere.
        base = disk.working_folder() if base is None else base
        try:
            return (Path(prefix) / disk.resolved(path).relative_to(disk.resolved(base))).as_posix()
        except (ValueError, OSError):
            continue
    return str(path)


def read_source(path: Path) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """Return the text of a file, or what is wrong with it."""
    shown = shown_name(path)
    text, code = disk.text_of(path)
    if text is None:
        place = disk.undecodable(path) if code == "RW002" else None
        help = None
        if place is not None:
            help = f"save it as UTF-8: line {place[0]}, column {place[1]} cannot be read"
        if code == "RW001" and path.is_symlink():
            help = "it is a link, and what it leads to cannot be read"
        return None, (_trouble(code, shown, shown, help),)
    return Source(shown, text), ()


def find_target(named: str) -> tuple[GameTarget | None, tuple[Diagnostic, ...]]:
    """Return what a user means by `named`: a game of the shelf, a folder, or a rule file.

    A file is taken by where it stands: `game.rules` and `examples.rules` mean their game, a file in
    a folder `variants` means its game with that variant, of any other file its header says what it is.
    """
    path = Path(named)
    is_path = (
        path.suffix == ".rules" or any(mark in named for mark in "/\\") or named in (".", "..")
    )
    if not is_path and named in shelf():
        folder = disk.packaged("games") / named
        return GameTarget(named, folder, folder / "game.rules"), ()
    if not is_path and not disk.exists(path):
        near = nearest(named, shelf())
        help = f"did you mean `{near[0]}`?" if near else "`rulewright list` shows the shelf"
        return None, (_trouble("RW012", "command line", named, help),)
    try:
        if not disk.exists(path):
            return None, (_trouble("RW001", named, named),)
        if disk.is_folder(path):
            return _folder_target(path, named)
    except (OSError, ValueError):
        return None, (_trouble("RW001", named, named),)
    return _file_target(path), ()


def _folder_target(path: Path, named: str) -> tuple[GameTarget | None, tuple[Diagnostic, ...]]:
    game = path / "game.rules"
    if not disk.is_file(game):
        help = "the folder of a game holds a file `game.rules`"
        return None, (_trouble("RW003", named, named, help),)
    return GameTarget(disk.resolved(path).name, path, game), ()


def _file_target(path: Path) -> GameTarget:
    folder = disk.resolved(path).parent
    if folder.name == "variants":
        return GameTarget(
            folder.parent.name, folder.parent, folder.parent / "game.rules", variant=path
        )
    if path.name == "examples.rules":
        return GameTarget(folder.name, folder, folder / "game.rules")
    return GameTarget(folder.name, folder, path)


def game_folder(name: str, near: Path) -> Path | None:
    """Return the folder of the game that a variant names: beside the variant, or on the shelf."""
    for folder in (near.parent, near.parent.parent, disk.packaged("games")):
        candidate = folder / name
        if disk.is_file(candidate / "game.rules"):
            return candidate
        if folder.name == name and disk.is_file(folder / "game.rules"):
            return folder
    return None


def find_book(named: str, folder: Path) -> Path | None:
    """Return the file of a rule book: in the game's folder, or among the shipped digests."""
    inside = find_inside(named, folder)
    if inside is not None and disk.is_file(inside):
        return inside
    path = Path(named)
    if path.parts[:1] == ("seeds",) and len(path.parts) == 2:
        shipped = disk.packaged("seeds") / path.name
        return shipped if disk.is_file(shipped) else None
    return None


def books(folder: Path) -> tuple[str, ...]:
    """Return the rule books that a game in that folder can name, for did-you-mean."""
    own = [path.name for path in disk.matching(folder, "*.md")]
    return (
        *own,
        *(f"seeds/{path.name}" for path in disk.matching(disk.packaged("seeds"), "*.md")),
    )


def examples_file(folder: Path) -> Path | None:
    """Return the file of further examples of a game, if there is one."""
    path = find_inside("examples.rules", folder)
    return path if path is not None and disk.is_file(path) else None
