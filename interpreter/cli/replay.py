"""Saved games on the command line: plays a file under some rules, as far as it goes.

Under the rules with which it was saved that is the whole game; under others the first difference is
told, with the lines of the rules that make it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.dsl.text.source import Span
from rulewright.interpreter.cli.arguments import (
    UNKNOWN_GAME,
    UsageError,
    add_options,
    add_variants,
    heading,
    loaded,
    playable,
)
from rulewright.interpreter.play import record, save_format
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.play.history import EventNarrator
from rulewright.interpreter.play.record import titles_in, who_gave
from rulewright.interpreter.play.replay import Replay, replay
from rulewright.interpreter.play.save_format import Saved
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.terminal.commands import read_saved, reason
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.terminal.table import wrapped
from rulewright.interpreter.words.text import listed, printable

HIDDEN = "something that not everybody sees"
NOTHING = "nothing"


def read(named: str) -> Saved:
    """Return what a file holds that is named as a saved game."""
    try:
        return save_format.read(read_saved(Path(named)))
    except (OSError, ValueError) as error:
        raise _unloadable(named, error) from None


def resumed(arguments: argparse.Namespace, named: str) -> tuple[Saved, Replay]:
    """Return a saved game played once more under the rules of the command line.

    What it says of players, variants and options needs not be said again, and must not be said
    otherwise.
    """
    saved = read(named)
    try:
        _compare(arguments, saved)
        if arguments.names is None:
            arguments.names = ",".join(saved.players)
        arguments.variant = arguments.variant or titles_in(saved, arguments.game)
        return saved, record.played(saved, game_of(arguments, saved))
    except (OSError, ValueError) as error:
        raise _unloadable(named, error) from None


def replayed(arguments: argparse.Namespace, named: str) -> tuple[Game, Saved, Replay]:
    """Return the same under any rules: those that are named, with the variants and options that are
    named, and for the rest as it was saved."""
    saved = read(named)
    arguments.game = arguments.rules or saved.game
    arguments.players, arguments.names = None, ",".join(saved.players)
    try:
        arguments.variant = arguments.variant or titles_in(saved, arguments.game)
        game = game_of(arguments, saved)
        if game.model.title != saved.title:
            text = f"this is a saved game of {saved.title}, not of {game.model.title}"
            raise RecordError(text)
        return game, saved, replay(saved, game)
    except UsageError as error:
        if arguments.rules is None and any(
            one.code.code == UNKNOWN_GAME for one in error.diagnostics
        ):
            help = "say where they are, as in --rules ./my_game"
            text = f"the rules of `{saved.game}` are not on the shelf: {help}"
            raise _unloadable(named, RecordError(text)) from None
        raise
    except (OSError, ValueError) as error:
        raise _unloadable(named, error) from None


def _unloadable(named: str, error: OSError | ValueError) -> UsageError:
    return UsageError(f"`{named}` cannot be loaded: {reason(error)}")


def game_of(arguments: argparse.Namespace, saved: Saved) -> Game:
    """Return the game of a saved one; a variant that lies elsewhere must be named once more."""
    try:
        known = playable(arguments.game, arguments.variant).game.options
        words = {name: record.option_word(value) for name, value in saved.options.items()}
        kept = (f"{name}={_written(value)}" for name, value in words.items() if name in known)
        arguments.option = [*kept, *arguments.option]
        return loaded(arguments)
    except UsageError as error:
        missing = [one for one in error.diagnostics if one.code.code == "RW503"]
        if not missing or arguments.variant != saved.variants:
            raise
        title = missing[0].arguments["name"]
        help = "it does not belong to the game, so name its file, as in --variant ./my.rules"
        raise RecordError(f"it was saved with the variant `{title}`: {help}") from None


def _compare(arguments: argparse.Namespace, saved: Saved) -> None:
    """Refuse what the command line says otherwise than a saved game, before it is asked for."""
    game = playable(arguments.game).game
    if game.title != saved.title:
        raise RecordError(f"this is a saved game of {saved.title}, not of {game.title}")
    if arguments.seed not in (None, saved.seed):
        raise RecordError(f"it was saved with seed {saved.seed}, not {arguments.seed}")
    if arguments.players not in (None, len(saved.players)):
        raise RecordError(f"it was saved with {len(saved.players)} players")


def _written(value: object) -> object:
    """Return the value of an option as it is written on the command line."""
    return ("no", "yes")[value] if isinstance(value, bool) else value


# --------------------------------------------------------------------------------- what is different


def told(saved: Saved, found: Replay) -> Iterator[str]:
    """Yield the lines that say how a game goes under other rules, or whether it does."""
    for line in _told(saved, found):
        indent = line[: len(line) - len(line.lstrip())]
        yield from wrapped("", printable(line.strip()), indent=indent)


def _told(saved: Saved, found: Replay) -> Iterator[str]:
    if found.changed:
        yield f"The rules have changed since it was saved: {listed(found.changed)}."
    count = len(saved.answers)
    answers = "1 answer" if count == 1 else f"{count} answers"
    difference = found.difference
    if difference is None:
        yield f"{answers}, the same to the end."
        return
    if difference.answer is None:
        yield "It begins in another way:"
    else:
        given = difference.answer
        who = who_gave(saved, given)
        if difference.number > 1:
            yield f"{difference.number - 1} of {answers}, the same so far. Then it goes another way:"
        yield f"Answer {difference.number}, {who}: {given.label}"
    if difference.then is None and difference.now is None:
        yield f"  {difference.text}"
    else:
        yield f"  then: {_event(found, difference.then)}"
        yield f"  now: {_event(found, difference.now)}"
    yield from _lines(found, difference.places)


def _event(found: Replay, event: Event | None) -> str:
    """Return what everybody was told of an event."""
    if event is None:
        return NOTHING
    state = found.state
    return EventNarrator(state.game.program, state.seen_by(None), None).line(event) or HIDDEN


def _lines(found: Replay, places: Sequence[Span]) -> Iterator[str]:
    titles = {one.span.source.name: one.title for one in found.state.game.model.titled}
    for span in places:
        title = titles.get(span.source.name)
        text = span.text.strip().partition("\n")[0]
        yield f"    {span.source.name}:{span.line}{f' ({title})' if title else ''}  {text}"


# ------------------------------------------------------------------------------------------- replay


DIFFERENT = 1


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `replay`."""
    parser.add_argument("file", metavar="SAVE", help="a saved game")
    parser.add_argument(
        "--rules",
        metavar="GAME",
        help="a game of the shelf, a folder or a file; without this the game that was played",
    )
    add_variants(parser)
    add_options(parser)


def run_replay(arguments: argparse.Namespace) -> int:
    """Play what was answered, and say where it goes another way."""
    game, saved, found = replayed(arguments, arguments.file)
    for line in heading(game, f": {', '.join(game.names)}"):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write("".join(f"{line}\n" for line in told(saved, found)))
    return FINE if found.difference is None else DIFFERENT
