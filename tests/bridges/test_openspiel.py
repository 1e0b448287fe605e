"""Our games as games of OpenSpiel: its own tests and algorithms, and that they are the games of `State`."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import brief
import pytest

import rulewright
from rulewright.interpreter.bridges import nodes

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `openspiel`)")

import numpy as np
import pyspiel
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    ismcts,
    mcts,
)
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from rulewright.interpreter.bridges import openspiel

GAMES = {name: rulewright.load_game(name).model for name in rulewright.shelf()}
LEAST = [(name, game.least_players) for name, game in GAMES.items()]
"""Every game of the shelf with as few players as can be."""

SIZES = [
    (name, players)
    for name, game in GAMES.items()
    for players in range(game.least_players, game.most_players + 1)
]
"""Every game of the shelf with every number of players."""


A_FEW = 40
"""So many answers are enough for what is tried in every game."""


def longest(name: str) -> int | None:
    """Return after how many answers a game is broken off in a long run: those that chance need not end."""
    return 100 if brief.is_broken_off(GAMES[name]) else None


def states_of(game: Any, seed: int = 1) -> Iterator[Any]:
    """Yield the states of a random game, the last one, too."""
    generator = np.random.RandomState(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state = state.child(generator.choice(state.legal_actions()))
        yield state


# ---------------------------------------------------------------------------------- OpenSpiel's own tests


@pytest.mark.parametrize("chance", ["explicit", "sampled"])
@pytest.mark.parametrize(("name", "players"), LEAST)
def test_openspiels_own_test_passes_with_serialisation(
    name: str, players: int, chance: str
) -> None:
    game = openspiel.load_game(name, players, chance=chance, max_answers=A_FEW)

    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize(("name", "players"), SIZES)
def test_openspiels_own_test_passes_with_any_number_of_players(name: str, players: int) -> None:
    game = openspiel.load_game(name, players, max_answers=longest(name))

    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("chance", ["explicit", "sampled"])
@pytest.mark.parametrize(("name", "players"), SIZES)
def test_openspiels_own_test_passes_in_many_games(name: str, players: int, chance: str) -> None:
    game = openspiel.load_game(name, players, chance=chance, max_answers=longest(name))

    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)


# ------------------------------------------------------------------------------------------ algorithms


def test_the_uniform_policy_can_be_exploited_as_in_their_kuhn_poker() -> None:
    ours, theirs = openspiel.load_game("kuhn_poker"), pyspiel.load_game("kuhn_poker")

    found = [
        exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)
    ]

    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert pyspiel.nash_conv(ours, pyspiel.UniformRandomPolicy(ours)) == pytest.approx(11 / 12)


def test_cfr_finds_the_value_of_kuhn_poker() -> None:
    game = openspiel.load_game("kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(1000):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()

    values = expected_game_score.policy_value(game.new_initial_state(), [found] * 2)

    assert values[0] == pytest.approx(-1 / 18, abs=0.0005)
    assert exploitability.nash_conv(game, found) < 0.001


def test_a_best_response_to_the_uniform_policy_is_worth_as_much_as_in_their_kuhn_poker() -> None:
    ours, theirs = openspiel.load_game("kuhn_poker"), pyspiel.load_game("kuhn_poker")

    for player in (0, 1):
        found = [
            best_response.BestResponsePolicy(game, player, policy.UniformRandomPolicy(game)).value(
                game.new_initial_state()
            )
            for game in (ours, theirs)
        ]

        assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_their_solvers_in_c_plus_plus_walk_our_tree() -> None:
    game = openspiel.load_game("kuhn_poker")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()

    assert pyspiel.nash_conv(game, solver.average_policy()) < 0.01


def test_kuhn_poker_has_twelve_information_states() -> None:
    assert len(policy.TabularPolicy(openspiel.load_game("kuhn_poker")).state_lookup) == 12


def test_tic_tac_toe_goes_as_theirs_does() -> None:
    ours, theirs = openspiel.load_game("tic_tac_toe"), pyspiel.load_game("tic_tac_toe")
    generator = np.random.RandomState(1)
    # Their squares are counted in rows from 0, and ours in the order of the kind.
    squares = [ours.new_initial_state().action_to_string(0, number) for number in range(9)]
    row = {number: "123".index(name[1]) for number, name in enumerate(squares)}
    column = {number: "ABC".index(name[0]) for number, name in enumerate(squares)}

    for _ in range(100):
        one, other = ours.new_initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            legal = {row[number] * 3 + column[number]: number for number in one.legal_actions()}
            assert sorted(legal) == other.legal_actions()
            assert one.current_player() == other.current_player()
            action = generator.choice(other.legal_actions())
            one.apply_action(legal[action])
            other.apply_action(action)

        assert one.is_terminal()
        assert one.returns() == other.returns()


def test_their_tree_search_plays_ours() -> None:
    game = openspiel.load_game("tic_tac_toe")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, 100, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)

    # Either wins at once: three in a line.
    assert state.child(bot.step(state)).returns() == [1.0, -1.0]


@pytest.mark.parametrize(("name", "answers"), [("kuhn_poker", 3), ("jump_drive", 4)])
def test_their_search_for_hidden_information_plays_ours(name: str, answers: int) -> None:
    game = openspiel.load_game(name, max_answers=answers if name == "jump_drive" else None)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 10, random_state=np.random.RandomState(2))
    generator = np.random.RandomState(3)
    state = game.new_initial_state()

    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(generator.choice(state.legal_actions()))
        else:
            state.apply_action(bot.step(state))

    assert state.is_terminal()


def test_their_environment_for_learning_plays_ours() -> None:
    environment = rl_environment.Environment(
        openspiel.load_game("kuhn_poker"),
        observation_type=rl_environment.ObservationType.OBSERVATION,
    )
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][player][0]])

    assert sum(step.rewards) == 0


# ---------------------------------------------------------------------------- what players know of it


@pytest.mark.parametrize(("name", "players"), LEAST)
def test_what_a_player_remembers_is_short_and_tells_states_apart_as_the_information_state_does(
    name: str, players: int
) -> None:
    """The digest grows with each answer; one that is made at the end, of everything at once, is the same."""
    game = openspiel.load_game(name, players, max_answers=A_FEW)
    path = [*states_of(game)]

    for state in path:
        for player in range(players):
            assert len(state.information_state_string(player)) < 300

    fresh = nodes.Tree(game.tree.request, game.tree.game).root
    for action in path[-1].history():
        fresh = fresh.child(action)
    for player in range(players):
        asked = fresh.information_state(player)
        assert asked == path[-1].information_state_string(player)


@pytest.mark.parametrize(("name", "players"), LEAST)
def test_a_state_drawn_for_a_player_is_one_that_he_cannot_tell_from_the_real_one(
    name: str, players: int
) -> None:
    game = openspiel.load_game(name, players, max_answers=A_FEW)
    generator = np.random.RandomState(1)

    for number, state in enumerate(states_of(game)):
        if state.is_terminal() or state.is_chance_node() or number % 5:
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, generator.uniform)

        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        assert other.current_player() == player


def test_hidden_cards_are_drawn() -> None:
    state = openspiel.load_game("kuhn_poker").new_initial_state()
    for outcome in (0, 0):
        state.apply_action(outcome)
    generator = np.random.RandomState(1)

    drawn = {
        state.resample_from_infostate(0, generator.uniform).observation_string(1) for _ in range(40)
    }

    assert len(drawn) == 2


def test_an_observer_tells_what_is_seen_what_is_remembered_and_what_all_see() -> None:
    game = openspiel.load_game("kuhn_poker")
    state = game.new_initial_state()
    for outcome in (0, 0):
        state.apply_action(outcome)
    public = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )

    sees, remembers, all_see = (
        make_observation(game, kind) for kind in (None, INFO_STATE_OBS_TYPE, public)
    )
    sees.set_from(state, 0)

    assert sees.tensor.tolist() == state.observation_tensor(0)
    assert sum(part.size for part in sees.dict.values()) == sees.tensor.size
    assert remembers.tensor is None
    assert remembers.string_from(state, 0) == state.information_state_string(0)
    assert all_see.string_from(state, 0) == all_see.string_from(state, 1)
    assert "rank 1" in sees.string_from(state, 0)
    assert "rank 1" not in all_see.string_from(state, 0)


def test_who_acts_at_once_is_asked_in_seat_order_and_does_not_know_what_others_did() -> None:
    state = openspiel.load_game("jump_drive", 2).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    known = {state.information_state_string(1)}
    asked = []

    for first in (0, 1):
        other = state.clone()
        while other.current_player() == 0:
            asked.append(other.current_player())
            other.apply_action(other.legal_actions()[first % len(other.legal_actions())])
        known.add(other.information_state_string(1))
        assert other.current_player() == 1

    assert asked and len(known) == 1


# ------------------------------------------------------------------------------------------- the game


def test_outcomes_that_look_alike_are_one_with_their_weight() -> None:
    game = openspiel.load_game("jump_gate_2e")
    joined = 0
    for state in states_of(game):
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(weight for _, weight in outcomes) == pytest.approx(1)
            joined += len({weight for _, weight in outcomes}) > 1

    assert joined


def test_a_game_is_what_it_says_it_is() -> None:
    poker, noughts = openspiel.load_game("kuhn_poker"), openspiel.load_game("tic_tac_toe")
    kinds = pyspiel.GameType

    assert poker.get_type().chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert poker.get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert poker.get_type().utility == kinds.Utility.ZERO_SUM
    assert noughts.get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert noughts.get_type().information == kinds.Information.PERFECT_INFORMATION
    assert (poker.min_utility(), poker.max_utility(), poker.max_game_length()) == (-2.0, 2.0, 6)
    assert poker.measured == ("longest", "payoffs", "total")


def test_a_game_is_loaded_by_name_with_variants_options_and_names() -> None:
    text = "rulewright(game=tic_tac_toe,variants=misere,names=ann;ben)"

    loaded = pyspiel.load_game(text)
    ours = openspiel.load_game("tic_tac_toe", variants=["misere"], names=["ann", "ben"])

    assert loaded.get_parameters() == ours.get_parameters()
    assert str(loaded) == str(ours)
    assert loaded.new_initial_state().information_state_string(0).startswith("ann ")
    assert openspiel.load_game("jump_drive", 2, options={"who_begins": "by_lot"}).tree.game.options


def test_a_game_can_have_a_short_name_of_its_own() -> None:
    program = (
        "import pyspiel\n"
        "from rulewright.interpreter.bridges import openspiel\n"
        "openspiel.register('other_noughts', 'tic_tac_toe', variants=['misere'])\n"
        "print(pyspiel.load_game('other_noughts'), pyspiel.load_game('other_noughts(max_answers=4)'))\n"
        "(found,) = [one for one in pyspiel.registered_games() if one.short_name == 'other_noughts']\n"
        "print(found.information, found.default_loadable)\n"
        "openspiel.register('other_noughts', 'kuhn_poker')\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stdout.splitlines() == [
        "rulewright(game=tic_tac_toe,variants=misere)"
        " rulewright(game=tic_tac_toe,max_answers=4,variants=misere)",
        "Information.PERFECT_INFORMATION True",
    ]
    assert done.stderr.splitlines()[-1] == "ValueError: other_noughts is the name of another game"


def test_a_game_that_is_too_long_is_broken_off() -> None:
    game = openspiel.load_game("tic_tac_toe", max_answers=4)

    *_, last = states_of(game)

    assert len(last.history()) == 4
    assert last.is_terminal() and last.returns() == [0.0, 0.0]


def test_sampled_chance_is_a_seed_that_is_drawn_before_the_game() -> None:
    game = openspiel.load_game("kuhn_poker", chance="sampled")
    state = game.new_initial_state()
    drawn = 0
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[7])
        drawn += 1

    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)

    assert (drawn, again.observation_string(0)) == (2, state.observation_string(0))


def test_a_state_goes_into_another_process_and_on_from_there() -> None:
    game = openspiel.load_game("jump_drive", 2, max_answers=30)
    *_, state = (state for state in states_of(game) if len(state.history()) <= 25)
    program = (
        "import pickle, sys\n"
        "import rulewright.interpreter.bridges.openspiel\n"
        "state = pickle.load(sys.stdin.buffer)\n"
        "print(state.legal_actions(), state.information_state_string(0))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(state), capture_output=True, check=True
    )

    said = f"{state.legal_actions()} {state.information_state_string(0)}"
    assert done.stdout.decode().strip() == said


def test_an_action_is_called_as_at_the_table() -> None:
    state = openspiel.load_game("kuhn_poker").new_initial_state()
    chance = [state.action_to_string(-1, number) for number in state.legal_actions()]
    for outcome in (0, 0):
        state.apply_action(outcome)

    assert chance == ["Card (rank 1)", "Card (rank 2)", "Card (rank 3)"]
    assert [state.action_to_string(0, one) for one in state.legal_actions()] == ["Bet", "Check"]
    assert state.action_to_string(0, 0) == "bet.either: Call"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game=kuhn_poker,chance=fair", "chance is explicit or sampled, not 'fair'"),
        ("players=2", "which game? give its name or path as game="),
        ("game=kuhn_poker,players=3", "Kuhn poker is for 2 players, not for 3"),
        ("game=kuhn_poker,options=ante", "'ante' is no option: name, colon, value"),
        (
            "game=kuhn_poker,options=ante:2",
            "Kuhn poker has no option or ruling `ante`; it has none",
        ),
        ("game=kuhn_poker,utilities=much", "'much' are no utilities: the least; the greatest"),
        ("game=kuhn_poker,max_answers=-1", "a game cannot be -1 answers long"),
    ],
)
def test_what_cannot_be_is_one_clear_line(text: str, said: str) -> None:
    with pytest.raises(ValueError) as caught:
        pyspiel.load_game(f"rulewright({text})")

    assert str(caught.value) == said


def test_what_openspiel_cannot_write_down_is_refused() -> None:
    with pytest.raises(ValueError, match="leave out brackets, commas and ="):
        openspiel.load_game("kuhn_poker", names=["ann (first)", "ben"])


def test_an_answer_that_is_none_changes_nothing() -> None:
    state = openspiel.load_game("tic_tac_toe").new_initial_state()

    with pytest.raises(ValueError, match="is no answer here"):
        state.child(0).apply_action(0)
