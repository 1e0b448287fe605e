"""Where files lie: the folders of the package and of games in, paths and texts out.

A game is a folder; its modules come from the folder itself or from the standard library. A name in a
rule file can never leave these places. This needs nothing but the standard library of Python and is
quick to import, so that `rulewright list` can do with it; messages are made in `library`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rulewright.dsl import disk

LARGEST_FILE = 2_000_000
"""Bytes; the longest rule file of the shelf has 25,000."""


def packaged(part: str) -> Path:
    """Return a folder of the package: `games`, `stdlib` or `seeds`."""
    return Path(import_module(f"rulewright.{part}").__path__[0])


def shelf() -> tuple[str, ...]:
    """Return the names of the packaged games, sorted."""
    return tuple(path.parent.name for path in disk.matching(packaged("games"), "*/game.rules"))


def variant_files(folder: Path) -> tuple[Path, ...]:
    """Return the variant files of a game's folder, sorted."""
    return tuple(
        path for path in files_of_variants(folder) if find_inside(f"variants/{path.name}", folder)
    )


def files_of_variants(folder: Path) -> tuple[Path, ...]:
    """Return all that stands where the variants of a game do and is called like a rule file, also
    what cannot be read."""
    return disk.matching(folder / "variants", "*.rules")


def find_module(name: str, folder: Path) -> Path | None:
    """Return the file of a module: the game's own comes before the standard library's."""
    own = find_inside(f"{name}.rules", folder)
    for path in (own, packaged("stdlib") / f"{name}.rules"):
        if path is not None and disk.is_file(path):
            return path
    return None


def find_inside(named: str, folder: Path) -> Path | None:
    """Return the file that a rule file names, relative to the game's folder, if it is inside it."""
    base = disk.resolved(folder)
    try:
        path = disk.resolved(base / named)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_relative_to(base) else None


def text_of(path: Path) -> tuple[str | None, str]:
    """Return the text of a file, or the code of the message that says what is wrong with it."""
    try:
        if disk.is_folder(path):
            return None, "RW003"
        if not disk.is_file(path):
            return None, "RW001"
        if disk.size(path) > LARGEST_FILE:
            return None, "RW004"
        data = disk.contents(path)
    except (OSError, ValueError):
        return None, "RW001"
    if b"\0" in data:
        return None, "RW005"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None, "RW002"
    return text.replace("\r\n", "\n").replace("\r", "\n"), ""


def undecodable(path: Path) -> tuple[int, int] | None:
    """Return line and column, from 1, of the first character of a file that is not UTF-8."""
    try:
        disk.contents(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return len(lines), len(lines[-1]) + 1
    except (OSError, ValueError):
        pass
    return None
