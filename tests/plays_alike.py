"""Does a changed game play as the original does? Two folders of rules in, the first difference out.

Both are played side by side with the same seeds, variants, options and answers. Compared is all that anybody at the table
gets to know: who is asked what, between which answers, what each player is told and sees, and how the
game comes out. What happens between two answers may come in another order.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import brief

from rulewright.dsl import model
from rulewright.dsl.analysis import meaning
from rulewright.interpreter.cli.variant_sets import linked_with_needed
from rulewright.interpreter.play.api import Game, State, game_of
from rulewright.interpreter.play.loading import option_values
from rulewright.interpreter.state.errors import PlayError

GAMES = 20
"""How many games are played with each number of players."""

ANSWERS = 600
"""How many answers a game may have."""

LOOKS = 5
"""What each player sees is compared once in so many answers, and at the end."""

MOST_SECONDS = 20
"""So much time of the processor is spent on a pair; the last game is played to its end."""


@attrs.frozen
class Likeness:
    """What is known about a changed game."""

    same_meaning: bool
    """Whether every definition means the same."""

    games: int
    """How many games went alike."""

    difference: str
    """The first difference; nothing if none was seen."""

    def __str__(self) -> str:
        if self.difference:
            return f"plays differently: {self.difference}"
        return (
            "means the same, " if self.same_meaning else ""
        ) + f"plays alike in {self.games} games"


def compare(original: Path, changed: Path, file: str) -> Likeness:
    """Return what is known about a game of which one file is changed."""
    found = sets(original, file)
    pairs = [(_linked(original, titles), _linked(changed, titles)) for titles in found]
    same = all(meaning.digest_of(one) == meaning.digest_of(other) for one, other in pairs)
    until = time.process_time() + MOST_SECONDS
    games = 0
    for one, other, players, seed in _settings(pairs):
        difference = _first_difference(one, other, players, seed)
        if difference:
            where = ", ".join((f"{players} players", *(f'"{title}"' for title in one.variants)))
            return Likeness(same, games, f"{difference} ({where}, seed {seed})")
        games += 1
        if time.process_time() > until:
            break
    return Likeness(same, games, "")


def sets(folder: Path, file: str) -> list[tuple[str, ...]]:
    """Return the sets of variants in which a file matters: none, and each variant alone."""
    named = linked_with_needed(str(folder), ())
    assert named is not None
    within = [one.title for one in named.variants if one.path == folder / file]
    return [(title,) for title in within] or [(), *((one.title,) for one in named.variants)]


def _linked(folder: Path, titles: Sequence[str]) -> model.Game:
    compilation = linked_with_needed(str(folder), titles)
    assert compilation is not None
    return compilation.model_or_raise()


def _settings(
    pairs: Sequence[tuple[model.Game, model.Game]],
) -> Iterator[tuple[model.Game, model.Game, int, int]]:
    """Yield pairs of games with numbers of players and seeds: each is tried before any is again."""
    for seed in range(GAMES):
        for one, other in pairs:
            for players in range(one.least_players, one.most_players + 1):
                yield one, other, players, seed


def _options(game: model.Game, seed: int) -> dict[str, Any]:
    """Return the options for a game: as they are in the first one, then any."""
    if not seed:
        return dict(brief.options_of(game, brief.MANY))
    generator = random.Random(seed)
    chosen: dict[str, Any] = {}
    for name, option in game.options.items():
        values = option_values(game, option)
        if values and name != brief.OPTION:
            chosen[name] = _value(generator.choice(values))
    return chosen | brief.options_of(game, generator.choice((brief.FEW, brief.MANY)))


def _value(word: str) -> Any:
    return {"yes": True, "no": False}.get(word, int(word) if word.isdigit() else word)


def _first_difference(one: model.Game, other: model.Game, players: int, seed: int) -> str:
    options = _options(one, seed)
    try:
        game = game_of(one, players, options)
        state = game.new_initial_state(seed)
    except ValueError:
        return ""
    try:
        twin = game_of(other, players, options).new_initial_state(seed)
    except (PlayError, ValueError) as error:
        return f"cannot begin: {error}"
    agents = random.Random(seed)
    for number in range(ANSWERS):
        found = _other_table(state, twin, number % LOOKS == 0)
        if found or state.is_terminal():
            return f"after {number} answers {found}" if found else _other_past(game, state, twin)
        player = agents.choice(state.current_players())
        action = agents.randrange(len(state.legal_actions(player)))
        wrong = _goes_wrong(state, action, player), _goes_wrong(twin, action, player)
        if any(wrong):
            told = wrong[1] or "nothing goes wrong"
            return "" if wrong[0] == wrong[1] else f"after {number} answers: {told}"
    return _other_past(game, state, twin)


def _goes_wrong(state: State, action: int, player: int) -> str:
    """Answer; return what goes wrong with the rules, if anything does."""
    try:
        state.apply_action(action, player)
    except PlayError as error:
        return error.diagnostic().headline
    return ""


def _other_table(one: State, other: State, looking: bool) -> str:
    """Return what is asked otherwise now, or seen otherwise if everybody is looking."""
    if one.current_players() != other.current_players():
        return f"{_asked(one)}, not {_asked(other)}"
    for player in one.current_players():
        if one.prompt(player) != other.prompt(player):
            return f"the question is {other.prompt(player)!r}, not {one.prompt(player)!r}"
        labels, others = (
            [action.label for action in state.legal_actions(player)] for state in (one, other)
        )
        if labels != others:
            missing = [label for label in labels if label not in others]
            more = [label for label in others if label not in labels]
            return f"the answers are others: {missing[:2]} missing, {more[:2]} more"
    for player in range(one.game.num_players if looking or one.is_terminal() else 0):
        found = _other_part(one.observation(player), other.observation(player), "")
        if found:
            return f"player {player + 1} sees {found}"
    if one.is_terminal():
        for word, said, otherwise in zip(
            ("result", "ranking", "winners", "score"), _end(one), _end(other), strict=True
        ):
            if said != otherwise:
                return f"the {word} is {otherwise}, not {said}"
    return ""


def _asked(state: State) -> str:
    names = " and ".join(state.game.names[player] for player in state.current_players())
    return f"{names} decides" if names else "the game is over"


def _end(state: State) -> tuple[Any, ...]:
    sheet = [(line.name, line.values) for line in state.score_sheet()]
    return state.returns(), state.ranking(), state.winners(), sheet


def _other_part(one: Any, other: Any, path: str) -> str:
    """Return the first part of two trees of plain data that is another one."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = ((_other_part(one[key], other[key], f"{path}/{key}")) for key in one)
        return next(filter(None, parts), "")
    return "" if one == other else f"{path}: {_short(other)}, not {_short(one)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _other_past(game: Game, one: State, other: State) -> str:
    """Return what anybody was told otherwise on the way."""
    for player in range(game.num_players):
        told, otherwise = _told(one, player), _told(other, player)
        for number, (these, those) in enumerate(zip(told, otherwise, strict=False)):
            if these != those:
                missing = [event for event in these if event not in those]
                more = [event for event in those if event not in these]
                return f"player {player + 1} is told after {number} answers {_short(more)}, not {_short(missing)}"
    return ""


def _told(state: State, player: int) -> list[list[str]]:
    """Return what a player was told, between the answers that he has heard."""
    told: list[list[str]] = [[]]
    for entry in state.information_state(player):
        if "answer" in entry:
            told.append([])
        else:
            told[-1].append(repr(sorted(entry.items())))
    return [sorted(events) for events in told]
