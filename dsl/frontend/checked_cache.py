"""Checked games, kept in the user's cache folder.

A game that was compiled without an error is kept in the cache folder, together with all that the
compiler asked the disk (`files/disk`). It is used again only if every answer is still the same, under the
same version of the front end and of Python. What is kept is the model with its action graphs, so that playing
need not make them: warnings and notes are the business of `rulewright check`, which compiles; who plays never sees them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulewright.dsl import model
from rulewright.dsl.files import cache, disk
from rulewright.dsl.ir.action_graph import keep_plans, plans_of

if TYPE_CHECKING:
    from rulewright.dsl.frontend.frontend import Compilation

MODULES = frozenset(
    {
        "text.source",
        "syntax.node",
        "model.types",
        "model.base",
        "model.expressions",
        "model.statements",
        "model.examples",
        "model.game",
        "ir.nodes",
        "ir.action_graph",
    }
)
"""Where the classes are defined of which a model and its graphs are made."""


@attrs.frozen
class CheckedGame:
    """A game without errors and the folder where it stands."""

    game: model.Game
    folder: Path
    questions: disk.Questions = attrs.field(factory=dict, repr=False)
    """What was asked of the disk to make it: it would be made again like this as long as all answers are
    the same (`disk.unchanged`)."""


def checked(named: str, variants: Sequence[str] = ()) -> CheckedGame:
    """Return a game with its variants, named as for `compile_game`: one that is known, or else compiled.
    Raises `RulesError` if there are errors."""
    found = known(named, variants)
    if found is None:
        with disk.recorded() as questions:
            compilation = compiled(named, variants)
        folder = compilation.target.folder
        found = CheckedGame(compilation.model_or_raise(), folder, questions)
    return found


def known(named: str, variants: Sequence[str] = ()) -> CheckedGame | None:
    """Return a game with its variants, named as for `compile_game`, if it was compiled before and
    nothing that it was made from has changed; otherwise none."""
    # A damaged file fails in any way it likes.
    with suppress(Exception):
        path, key = _place(named, variants)
        if path is not None:
            return _read(cache.kept(path, key))
    return None


def compiled(named: str, variants: Sequence[str] = ()) -> Compilation:
    """Return what `compile_game` says, and keep the model if there is no error."""
    from rulewright.dsl.frontend.frontend import compile_game

    with disk.recorded() as questions:
        compilation = compile_game(named, variants)
    if compilation.game is not None and disk.CHANGED not in questions.values():
        # A folder that is full, and a model that is too deep, are no reason not to play.
        with suppress(OSError, RecursionError):
            path, key = _place(named, variants)
            if path is not None:
                ready = CheckedGame(compilation.game, compilation.target.folder)
                cache.keep(path, key, _written(ready, questions))
    return compilation


def _place(named: str, variants: Sequence[str]) -> tuple[Path | None, bytes]:
    """Return where a game is kept, and its key."""
    folder = cache.cache_folder()
    # What is no name of the shelf may mean another file in each folder.
    here = os.getcwd() if any(map(os.path.exists, (named, *variants))) else ""
    key = cache.key_of("game", here, named, *variants)
    return None if folder is None else folder / f"game-{key.hex()[:20]}.pickle", key


def _written(ready: CheckedGame, questions: disk.Questions) -> bytes:
    """Return a game as bytes: the questions first, since they may save reading the rest."""
    head = cache.packed((tuple(questions.items()), str(ready.folder)))
    return len(head).to_bytes(8) + head + cache.packed((ready.game, plans_of(ready.game)))


def _read(data: bytes) -> CheckedGame | None:
    end = 8 + int.from_bytes(data[:8])
    listed, folder = cache.unpacked(data[8:end])
    questions = dict(listed)
    if not disk.unchanged(questions):
        return None
    game, plans = cache.unpacked(data[end:], MODULES)
    if not isinstance(game, model.Game):
        return None
    keep_plans(game, plans)
    return CheckedGame(game, Path(folder), questions)
