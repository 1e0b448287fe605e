"""The games written by hand and the interpreter play the same games."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from handwritten import WRITTEN, Written, jump_gate_options as asks
from handwritten.jump_gate import JumpGate
from handwritten.jump_gate_components import BLACK_HOLE

from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Thing, Value, VerbValue

ACTIONS = ("fly", "jump", "scan", "land_and_claim", "harvest", "research", "end_turn")

Agent = Callable[[Written, Sequence[int], Generator], int]
"""Chooses one of the options of the hand-written game."""

loaded = cache(load_game)


def at_random(written: Written, legal: Sequence[int], generator: Generator) -> int:
    return generator.pick(legal)


def hoard(written: Written, legal: Sequence[int], generator: Generator) -> int:
    """Let the first seat mark and claim all it can, until it has no marker left."""
    assert isinstance(written, JumpGate)
    if written.asked == asks.ACTION:
        if written.current > 0:
            return asks.END_TURN
        first = [asks.SCAN]
        if written.markers[0] < 2 or generator.below(8) == 0:
            first.insert(0, asks.LAND)
        for action in first:
            if action in legal:
                return action
        return generator.pick([action for action in legal if action != asks.HARVEST])
    if written.asked in (asks.MAY_MARK, asks.MAY_TAKE_MARKED, asks.MAY_TAKE):
        return 1
    if written.asked == asks.TAKE:
        return max(legal, key=lambda card: BLACK_HOLE[card])
    return generator.pick(legal)


def as_number(state: State, value: Value) -> int:
    """Return the number that the hand-written games use for an answer."""
    match value:
        case _ if value is DONE:
            return -1
        case bool():
            return int(value)
        case Thing(kind="Planet"):
            layout = state.game.program.layout
            (slot,) = (slot for slot, field in layout.fields.items() if field.name == "circle")
            return int(state.store.columns[slot][0].index(value))
        case Thing():
            return int(value.number)
        case VerbValue():
            return ACTIONS.index(value.name)
    decision = state.decision()
    assert decision is not None
    return int(value) - 1 if decision.name == "column" else int(value)


def points(state: State) -> tuple[int, ...]:
    sheet = state.score_sheet()
    return sheet[-1].values if sheet else ()


def assert_same_game(game: Game, seed: int, agent: Agent) -> Counter[str]:
    """Play a game on both sides; return how often each decision came up."""
    generator = Generator(f"agents {seed}")
    state = game.new_initial_state(seed)
    written = WRITTEN[game.name](game.num_players, seed)
    sites: Counter[str] = Counter()

    while not state.is_terminal():
        decision = state.decision()
        assert decision is not None
        sites[decision.site] += 1
        asked = f"{game.num_players} players, seed {seed}, {sites.total()}. {decision.site}"
        assert not written.is_over, asked
        assert decision.player == written.player, asked
        options = [action.value for action in state.legal_actions()]
        legal = written.legal()
        assert [as_number(state, value) for value in options] == list(legal), asked
        answer = agent(written, legal, generator)
        state.apply_value(options[list(legal).index(answer)])
        written.apply(answer)
        if hasattr(written, "random"):
            assert written.random == state.store.random_state, f"{asked}: chance"

    assert written.is_over
    assert written.ending == state.ending
    assert written.scores() == points(state)
    assert written.returns() == state.returns()
    assert written.winners() == state.winners()
    return sites


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [
        *(("tic_tac_toe", 2, 40), ("connect_four", 2, 20), ("kuhn_poker", 2, 60)),
        *(("jump_gate_2e", players, 2) for players in (2, 3, 4, 5)),
    ],
)
def test_both_play_the_same_games(name: str, players: int, games: int) -> None:
    game = loaded(name, players)

    for seed in range(games):
        assert_same_game(game, seed, at_random)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_play_the_same_long_games(players: int) -> None:
    game = loaded("jump_gate_2e", players)

    for seed in range(100, 130):
        assert_same_game(game, seed, at_random)


def test_both_play_the_same_games_when_markers_run_out() -> None:
    game = loaded("jump_gate_2e", 5)

    sites = assert_same_game(game, 0, hoard)

    assert sites["free_a_marker.resource"] > 0, sites


def content(game: Written) -> dict[str, str]:
    names = [name for kind in type(game).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: repr(getattr(game, name)) for name in names}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_copy_shares_nothing_with_its_game(name: str) -> None:
    generator = Generator(name)
    game = WRITTEN[name](2, 1)

    while not game.is_over:
        copy, before = game.clone(), content(game)
        game.apply(generator.pick(game.legal()))
        assert content(copy) == before
