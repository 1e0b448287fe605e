"""Who plays: a loaded game in, a function that plays a random game of it out.

To add a candidate, write a function such as `walker` and give it a name in `CANDIDATES`. It prepares
whatever it needs and returns what plays the random game of a seed and counts its decisions, or None
if it cannot play this game. All pick uniformly by `Generator.below`, so that it costs all the same.
"""

from __future__ import annotations

from collections.abc import Callable

from handwritten import WRITTEN
from measuring import Work

from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine.executor import advance, answer, begin, is_over
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.native import building, native
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.state.random import Generator

LIMIT = 100_000
"""How many decisions a game may have."""

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
    """Let the executor walk the graphs; events are noted."""
    program = fresh(game)

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


def generated(game: Game) -> Work:
    """Let Python that is generated from the rules play, as `playout` does; events are noted."""
    program = fresh(game)
    generate(program)

    def play(seed: int) -> int:
        store = begin(program, seed)
        agents = Generator(f"agents {seed}")
        decisions: int = program.lane.play(store, agents, LIMIT, lambda: begin(program, seed))
        return decisions

    return play


def compiled(game: Game) -> Work | None:
    """Let the library play that `rulewright build` makes of a game; without mypyc and a compiler
    there is none."""
    try:
        building.require_tools()
    except building.CannotBuild:
        return None
    program = fresh(game)
    if not native.use(program):
        building.build(lambda: fresh(game))
        if not native.use(program):
            return None

    def play(seed: int) -> int:
        store = begin(program, seed)
        agents = Generator(f"agents {seed}")
        decisions: int = program.lane.play(store, agents, LIMIT, lambda: begin(program, seed))
        return decisions

    return play


def fresh(game: Game) -> Program:
    """Return the program of a game, loaded once more: one for each candidate."""
    return load_program(game.model, game.num_players, names=game.names)


BASE = "written"
"""What the others are compared with."""

CANDIDATES: dict[str, Candidate] = {
    BASE: written,
    "walker": walker,
    "generated": generated,
}

NATIVE: dict[str, Candidate] = {"native": compiled}
"""Who must be compiled first, for minutes."""


def prepared(game: Game) -> dict[str, Work]:
    """Return what plays a game, by the names of the candidates; those who cannot are left out."""
    works = {name: candidate(game) for name, candidate in CANDIDATES.items()}
    return {name: work for name, work in works.items() if work is not None}
