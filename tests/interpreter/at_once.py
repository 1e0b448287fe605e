"""Games in which several act at once: how they are begun, and how a field is looked at."""

from __future__ import annotations

from functools import cache

from written import linked

from rulewright.interpreter.play.api import Game, State, game_of

NAMES = ("ann", "ben", "cem")


def begun(*rules: str, players: int = 3, seed: int = 1) -> State:
    """Return a game at its first decision."""
    return loaded(rules, players).new_initial_state(seed)


@cache
def loaded(rules: tuple[str, ...], players: int) -> Game:
    """Return a game; states of the same one can be compared."""
    return game_of(linked(*rules), players, names=NAMES[:players])


def value(state: State, field: str, player: int | None = None) -> object:
    """Return what a field holds."""
    layout = state.game.program.layout
    return state.seen_by(None).columns[layout.slots[field]][player or 0]
