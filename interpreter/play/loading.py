"""Loads the game that a user asks for, or says in one clear line what is wrong with the request.

The words of the command line and of the programming interface meet here: the name of a game, how
many play and what they are called, which variants and options. Mistakes of the user are
`PlayersError` and `OptionError`; mistakes in the rules are `RulesError` with its diagnostics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.frontend import checked_cache
from rulewright.dsl.model import types
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.values import Value

LONGEST_NAME = 60


class PlayersError(ValueError):
    """The number of players, or what they are called, is not possible.

    >>> load_game("kuhn_poker", players=3)
    Traceback (most recent call last):
    PlayersError: Kuhn poker is for 2 players, not for 3
    """


class OptionError(ValueError):
    """An option or ruling is not known, or cannot have that value.

    >>> load_game("jump_drive", options={"who_begins": "nobody"})
    Traceback (most recent call last):
    OptionError: `nobody` is no value of `who_begins`; it is one of first_seat, by_lot
    """


class NotPlayableError(OptionError):
    """The rules require something else of the number of players or of the options; `error` is the
    `PlayError` with the line that does.

    >>> issubclass(NotPlayableError, OptionError)
    True
    """

    def __init__(self, game: model.Game, error: PlayError) -> None:
        self.error = error
        super().__init__(f"{game.title}: {error.diagnostic().headline}")


@attrs.frozen
class Loaded:
    """A game with its program, for so many players and with these options."""

    model: model.Game
    program: Program
    names: tuple[str, ...]
    folder: Path | None


def load(
    named: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
) -> Loaded:
    """Read, check and load a game of the shelf, of a folder or of a file; one that was checked
    before and has not changed is not checked again."""
    found = checked_cache.checked(named, variants)
    return from_model(found.game, players, options, names, found.folder)


def from_model(
    game: model.Game,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
    folder: Path | None = None,
) -> Loaded:
    """Load a game that has been linked; `players` is as many as are named, or the least."""
    if players is None:
        players = game.least_players if names is None else len(names)
    seats = _names(game, players, names)
    chosen = dict(options or {})
    _check_options(game, chosen)
    try:
        program = load_program(game, players, chosen, seats)
    except PlayError as error:
        if error.code == "RW507" and error.arguments.get("name") in chosen:
            raise OptionError(error.diagnostic().headline) from None
        if error.code == "RW509":
            raise NotPlayableError(game, error) from None
        raise
    return Loaded(game, program, seats, folder)


# ------------------------------------------------------------------------------------------ players


def _names(game: model.Game, players: int, names: Sequence[str] | None) -> tuple[str, ...]:
    least, most = game.least_players, game.most_players
    if not least <= players <= most:
        wanted = counted(most, "player") if least == most else f"{least} to {most} players"
        taken = " and ".join(f"`{variant}`" for variant in game.variants)
        title = f"{game.title} with {taken}" if taken else game.title
        raise PlayersError(f"{title} is for {wanted}, not for {players}")
    if names is None:
        return tuple(f"P{number + 1}" for number in range(players))
    if len(names) != players:
        raise PlayersError(f"{len(names)} names are too many or too few for {players} players")
    seats = tuple(" ".join(name.split()) for name in names)
    for name in seats:
        if not name or not name.isprintable() or len(name) > LONGEST_NAME:
            raise PlayersError(f"{name[:LONGEST_NAME]!r} cannot be the name of a player")
        if any(name == neutral.title for neutral in game.neutrals):
            raise PlayersError(f"{name} has no seat: it is the name of a neutral player")
        if seats.count(name) > 1:
            raise PlayersError(f"two players are called {name}")
    return seats


# ------------------------------------------------------------------------------------------ options


def _check_options(game: model.Game, chosen: Mapping[str, Value]) -> None:
    for name, value in chosen.items():
        option = game.options.get(name)
        if option is None:
            near = nearest(name, game.options)
            known = f"there are {', '.join(game.options)}" if game.options else "it has none"
            hint = f"did you mean `{near[0]}`?" if near else known
            raise OptionError(f"{game.title} has no option or ruling `{name}`; {hint}")
        words = option_values(game, option)
        if words and str(_word(value)) not in words:
            # No number is a slip of another one: -1 is not meant for 1.
            numeric = isinstance(option.type, types.NumberType)
            near = () if numeric else nearest(str(_word(value)), words)
            hint = f"did you mean `{near[0]}`?" if near else f"it is one of {', '.join(words)}"
            raise OptionError(f"`{_word(value)}` is no value of `{name}`; {hint}")


def _word(value: Value) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return getattr(value, "value", value)


def option_values(game: model.Game, option: model.OptionItem) -> tuple[str, ...]:
    """Return the words that an option can have; none if they cannot be listed."""
    match option.type:
        case types.EnumType(name):
            return game.enumerations[name].values
        case types.FlagType():
            return ("yes", "no")
        case types.NumberType():
            match option.low, option.high:
                case model.Constant(value=int(low)), model.Constant(value=int(high)):
                    return tuple(str(number) for number in range(low, min(high, low + 99) + 1))
    return ()
