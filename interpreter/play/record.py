"""Saved games: writes a game that is going on as a TOML text, and reads it back.

A save is plain data: which game it is, what was answered, and what happened (`save_format`). It is read by
playing the answers once more (`replay`), some thousands in a second; so a save belongs to what the rules
mean, not to their text, and nothing in it is executed or believed. Whatever is wrong is a `RecordError`
of one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.dsl.analysis.meaning import definitions, digest_of
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.course import DRAWN
from rulewright.interpreter.play.replay import Replay, branches_of, replay
from rulewright.interpreter.play.save_format import (
    FORMAT,
    Saved,
    SavedAnswer,
    read,
    saved_answer,
    saved_event,
    text_of,
)
from rulewright.interpreter.program import branch_codec
from rulewright.interpreter.program.encoding import Plain, ValueCodec
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.state.log import length


def save(state: State, agents: Mapping[int, int] | None = None) -> str:
    """Return a game that is going on as a text, which tells all its secrets.

    `agents` says where the generators of random players stand, by seats counted from 0. Raises
    `RecordError` for a state that was unpacked without its log, or drawn: how it came about is not known.

    >>> text = save_state(state)
    >>> load_state(text).legal_actions() == state.legal_actions()
    True
    """
    game = state.game
    store, fork, _ = branch_codec.split(state.store)
    if length(store.log) != store.count_events():
        raise RecordError("this game was unpacked without its log and cannot be saved")
    if state.seed == DRAWN:
        raise RecordError("this state was drawn, not played: it cannot be saved")
    codec = ValueCodec(game.program.layout)
    answers = [saved_answer(answer, codec) for answer in state.history()]
    saved = Saved(
        format=FORMAT,
        game=game.name,
        title=game.model.title,
        variants=list(game.model.variants),
        players=list(game.names),
        seed=state.seed,
        digest=digest_of(game.model),
        options={name: codec.encode(value) for name, value in game.options.items()},
        explicit_chance=store.explicit_chance,
        answers=answers,
        events=[saved_event(event, codec) for event in store.events()],
        branches={} if fork is None else branches_of(fork, codec),
        agents={str(seat + 1): f"{place:#018x}" for seat, place in sorted((agents or {}).items())},
        rules={name: one.digest for name, one in definitions(game.model).items()},
    )
    return text_of(saved)


def load(text: str, game: Game | None = None) -> State:
    """Return the game that was saved, with its rules: the given ones, or those on the shelf.

    Raises `RecordError` if it is no saved game, or one that goes another way under these rules.

    >>> state.apply_action("bet")
    >>> [answer.label for answer in load_state(save_state(state)).history()]
    ['Bet']
    """
    return restore(read(text), game)


def restore(saved: Saved, game: Game | None = None) -> State:
    """Return the game that was read, as `load` does."""
    found = played(saved, game)
    if found.difference is not None:
        raise RecordError(otherwise(saved, found))
    return found.state


def otherwise(saved: Saved, found: Replay) -> str:
    """Say in one line where a game goes another way than it did."""
    difference = found.difference
    assert difference is not None, "it is the same"
    told = difference.text
    if difference.answer is not None:
        given = difference.answer
        who = who_gave(saved, given)
        told = (
            f"at answer {difference.number} of {len(saved.answers)} ({who}: {given.label}): {told}"
        )
    if found.same_rules:
        return f"it does not follow from its answers: {told}"
    return f"under these rules it goes another way: {told}"


def who_gave(saved: Saved, answer: SavedAnswer) -> str:
    """Return in a word whose answer it was."""
    if answer.player < 0:
        return "chance"
    return saved.players[answer.player] if answer.player < len(saved.players) else "somebody"


def played(saved: Saved, game: Game | None = None) -> Replay:
    """Return what comes of the answers of a save under the given rules, or those on the shelf: a
    `Replay` with the state, and where it goes another way than it did.

    Raises `RecordError` if the rules are not here, or those of another game.

    >>> came = replay(read_save(save_state(state)), game)
    >>> came.difference, came.changed, came.same_rules
    (None, (), True)
    """
    if game is None:
        words = {name: option_word(value) for name, value in saved.options.items()}
        try:
            game = load_game(
                saved.game,
                players=len(saved.players),
                variants=titles_in(saved, saved.game),
                options=words,
                names=saved.players,
            )
        except RulesError as error:
            raise RecordError(f"its rules are not here: {error.diagnostics[0].headline}") from None
        except ValueError as error:
            raise RecordError(f"its rules are not as they were: {error}") from None
    _check_same_game(saved, game)
    return replay(saved, game)


def titles_in(saved: Saved, named: str) -> list[str]:
    """Return the variants of a save, by which those of a game are found. Raises `RecordError` if a
    title would be taken for a file: none is read because a save says so."""
    files = [one for one in saved.variants if one.endswith(".rules") or Path(one).is_file()]
    if files:
        known = {one.title for one in compile_game(named).variants}
        for title in files:
            if title not in known:
                raise RecordError(f"it was saved with the variant `{title}`, which {named} has not")
    return saved.variants


def option_word(value: Plain) -> Plain:
    """Return the value of an option as `load_game` understands it."""
    match value:
        case {"text": text}:
            return text
        case str():
            return value.rpartition(".")[2]
    return value


def _check_same_game(saved: Saved, game: Game) -> None:
    """Raise `RecordError` for a save of another game, or of one that was begun in another way."""
    if saved.title != game.model.title:
        raise RecordError(f"this is a saved game of {saved.title}, not of {game.model.title}")
    if tuple(saved.variants) != tuple(game.model.variants):
        listed = f"with {', '.join(saved.variants)}" if saved.variants else "without variants"
        raise RecordError(f"it was saved {listed}")
    if tuple(saved.players) != game.names:
        raise RecordError(f"it was saved with the players {', '.join(saved.players)}")
    codec = ValueCodec(game.program.layout)
    for name, value in game.options.items():
        if name in saved.options and saved.options[name] != codec.encode(value):
            choice = option_word(saved.options[name])
            word = ("no", "yes")[choice] if isinstance(choice, bool) else choice
            raise RecordError(f"it was saved with {name}={word}")
