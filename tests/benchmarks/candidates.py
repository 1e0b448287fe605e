"""Who plays: a loaded game in, a function that plays a random game of it out.

To add a candidate, write a function such as `walker` and give it a name in `CANDIDATES`. It prepares
whatever it needs and returns what plays the random game of a seed and counts its decisions, or None
if it cannot play this game. All pick uniformly by `Generator.below`, so that it costs all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from measuring import Work
from written import WRITTEN

from rulewright.interpreter.chance import Generator
from rulewright.interpreter.engine import Game
from rulewright.interpreter.execute import advance, answer, begin, is_over
from rulewright.interpreter.lookahead import pick_random

Candidate = Callable[[Game], Work | None]


def written(game: Game) -> Work | None:
    """Play the game that is written by hand."""
    start = WRITTEN.get(game.name)
    if start is None:
        return None
    players = game.num_players

    def play(seed: int) -> int:
        state = start(players, seed)
        below = Generator(f"agents {seed}").below
        decisions = 0
        while not state.is_over:
            legal = state.legal()
            state.apply(legal[below(len(legal))])
            decisions += 1
        return decisions

    return play


def walker(game: Game) -> Work:
    """Let the executor walk the graphs, as `playout` does; events are noted."""
    program = game.program

    def play(seed: int) -> int:
        store = begin(program, seed)
        agents = Generator(f"agents {seed}")
        advance(program, store)
        decisions = 0
        while not is_over(store):
            answer(program, store, pick_random(program, store, agents), trusted=True)
            decisions += 1
        return decisions

    return play


BASE = "written"
"""What the others are compared with."""

CANDIDATES: dict[str, Candidate] = {BASE: written, "walker": walker}


def prepared(game: Game) -> dict[str, Work]:
    """Return what plays a game, by the names of the candidates; those who cannot are left out."""
    works = {name: candidate(game) for name, candidate in CANDIDATES.items()}
    return {name: work for name, work in works.items() if work is not None}
