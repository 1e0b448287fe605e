"""The games that a server serves: those of the shelf, and the one that was named when it began.

What a stranger sends is a name of a game, titles of variants and words of options, and never a path.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import attrs

from rulewright.dsl.files import disk
from rulewright.dsl.frontend.checked_cache import CheckedGame, checked
from rulewright.interpreter.play.api import Game, game_of
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.terminal.shelf import ShelfEntry, ShelfOption, entry
from rulewright.interpreter.web.pages import GameEntry, Question, Variant
from rulewright.interpreter.web.storage import Setup
from rulewright.interpreter.words.translation import LanguageError

_BOUNDS = re.compile(r"number in (-?\d+)\s*\.\.\s*(-?\d+)")
_LISTED = re.compile(r"one\s+of\s*\[([^\]]*)\]")


RULES_KEPT = 16
GAMES_KEPT = 64
"""So many are at hand in each process; a game of the shelf takes about a megabyte, its rules two."""

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Recent(Generic[_Key, _Value]):
    """What was asked for last, up to a number.

    >>> recent = Recent(2)
    >>> for key in "abab": recent.put(key, key.upper())
    >>> recent.get("a"), recent.put("c", "C"), recent.get("b")
    ('A', None, None)
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[_Key, _Value] = OrderedDict()

    def get(self, key: _Key) -> _Value | None:
        """Return what is kept by a key."""
        found = self.kept.get(key)
        if found is not None:
            self.kept.move_to_end(key)
        return found

    def put(self, key: _Key, value: _Value) -> None:
        """Keep something, and drop what has not been asked for the longest time."""
        self.kept[key] = value
        self.kept.move_to_end(key)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)


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
        return loaded(self.checked(name, setup.variants), setup)

    def checked(self, name: str, variants: tuple[str, ...]) -> CheckedGame:
        """Return the rules of a game with variants; raises as `load`."""
        if name not in self.folders:
            raise RecordError(f"the game `{name}` is not served here")
        known = {one.title for one in self.entry(name).variants} if variants else ()
        for title in variants:
            # A title that is none would be looked for among the files.
            if title not in known:
                raise RecordError(f"`{name}` has no variant `{title}`")
        return checked(self.named(name), variants)


def loaded(found: CheckedGame, setup: Setup) -> Game:
    """Return checked rules as a table was set up with them."""
    return game_of(found.game, None, setup.options, setup.names, found.folder)


class LoadedGames:
    """Games of which each is loaded once for all tables that are set up alike, as long as its files stay as
    they are. Those that nobody has asked for the longest time are forgotten."""

    def __init__(self, served: Served, rules: int = RULES_KEPT, games: int = GAMES_KEPT) -> None:
        self.served = served
        self.rules: Recent[Any, CheckedGame] = Recent(rules)
        """By name and variants: tables with other names and options share their rules."""

        self.games: Recent[Any, tuple[CheckedGame, Game]] = Recent(games)
        self.spoken_games: Recent[Any, tuple[Game, Game]] = Recent(games)

    def load(self, name: str, setup: Setup) -> Game:
        """Return a game as a table was set up; raises as `Served.load`."""
        rules = self._rules(name, setup.variants)
        options = json.dumps(dict(setup.options), sort_keys=True)
        key = name, setup.variants, options, setup.names
        found = self.games.get(key)
        if found is None or found[0] is not rules:
            found = rules, loaded(rules, setup)
            self.games.put(key, found)
        return found[1]

    def _rules(self, name: str, variants: tuple[str, ...]) -> CheckedGame:
        found = self.rules.get((name, variants))
        if found is None or not disk.unchanged(found.questions):
            found = self.served.checked(name, variants)
            self.rules.put((name, variants), found)
        return found

    def spoken(self, game: Game, language: str) -> Game:
        """Return a game in a language; as it is written, if it is not translated."""
        # Two games are equal that have the same rules and names, whatever their options are.
        found = self.spoken_games.get((id(game), language))
        if found is None:
            found = game, _spoken(game, language)
            self.spoken_games.put((id(game), language), found)
        return found[1]


def _spoken(game: Game, language: str) -> Game:
    try:
        return game.spoken(language)
    except LanguageError:
        return game


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
