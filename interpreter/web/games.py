"""The games that a server serves: those of the shelf, and the one that was named when it began.

What a stranger sends is a name of a game, titles of variants and words of options, and never a path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from rulewright.dsl.files import disk
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.terminal.shelf import ShelfEntry, ShelfOption, entry
from rulewright.interpreter.web.pages import GameEntry, Question, Variant
from rulewright.interpreter.web.storage import Setup

_BOUNDS = re.compile(r"number in (-?\d+)\s*\.\.\s*(-?\d+)")
_LISTED = re.compile(r"one\s+of\s*\[([^\]]*)\]")


@attrs.frozen
class Served:
    """What is served, by the names under which it is; each with the folder of the game."""

    folders: Mapping[str, Path]
    files: Mapping[str, str] = attrs.field(factory=dict)
    """Where the rules are another file than `game.rules`: which."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all games."""
        return tuple(self.folders)

    def entry(self, name: str) -> ShelfEntry:
        """Return what the lobby says of a game. Raises `KeyError` if it is not served."""
        return entry(name, self.folders[name])

    def named(self, name: str) -> str:
        """Return by which path a game is found, wherever the server stands."""
        return self.files.get(name, str(self.folders[name]))

    def load(self, name: str, setup: Setup) -> Game:
        """Return a game as a table was set up.

        Raises `RecordError` with one clear line if it is not served, or has no such variant, and what
        `load_game` raises.
        """
        if name not in self.folders:
            raise RecordError(f"the game `{name}` is not served here")
        known = {one.title for one in self.entry(name).variants}
        for title in setup.variants:
            # A title that is none would be looked for among the files.
            if title not in known:
                raise RecordError(f"`{name}` has no variant `{title}`")
        return load_game(
            self.named(name),
            variants=setup.variants,
            options=setup.options,
            names=setup.names,
        )


def served(named: str | None = None) -> Served:
    """Return the shelf, and the game of a folder or file that is named."""
    packaged = disk.packaged("games")
    folders = {name: packaged / name for name in disk.shelf()}
    files: dict[str, str] = {}
    if named is not None and named not in folders:
        path = Path(named).resolve()
        folder = path if path.is_dir() else path.parent
        if folder.name == "variants":
            folder = folder.parent
        elif path.is_file() and path.name not in ("game.rules", "examples.rules"):
            files[folder.name] = str(path)
        # A game of one's own hides one of the shelf that is called the same.
        folders = {folder.name: folder, **{k: v for k, v in folders.items() if k != folder.name}}
    return Served(folders, files)


def game_entry(found: ShelfEntry) -> GameEntry:
    """Return what the lobby shows of a game."""
    variants = [Variant(one.title, one.file, one.relations) for one in found.variants]
    questions = [_question(one, None) for one in found.questions]
    questions += [
        _question(one, variant.title) for variant in found.variants for one in variant.questions
    ]
    return GameEntry(
        found.name, found.title, found.least_players, found.most_players, variants, questions
    )


def _question(one: ShelfOption, variant: str | None) -> Question:
    made: dict[str, Any] = {"kind": "number"}
    bounds, listed = _BOUNDS.fullmatch(one.type), _LISTED.fullmatch(one.type)
    if one.type == "flag":
        made = {"kind": "flag"}
    elif listed is not None:
        choices = [word.strip() for word in listed[1].split(",")]
        made = {"kind": "one", "choices": choices}
    elif bounds is not None:
        made |= {"low": int(bounds[1]), "high": int(bounds[2])}
    return Question(
        name=one.name,
        word=one.word,
        text=one.text,
        value=one.default,
        variant=variant,
        **made,
    )
