"""Our games as environments of PettingZoo: its own tests, and that they are the games of `State`."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import brief
import pytest

import rulewright
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (extra `pettingzoo`)")

import numpy as np
from pettingzoo.test import api_test, render_test, seed_test

from rulewright.interpreter.bridges.pettingzoo import GameEnv, env, raw_env
from rulewright.interpreter.bridges.raster import SIDE

MAKERS = [raw_env, env]
Maker = Callable[..., Any]

KNOWN = (
    # Both come with every environment that has a mask, but for some of theirs that are named in the test.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)


@contextmanager
def no_other_warnings() -> Iterator[None]:
    """Raise what PettingZoo warns of, but for what is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for told in KNOWN:
            warnings.filterwarnings("ignore", told)
        yield


def made(make: Maker, name: str, most: bool = False) -> Callable[..., Any]:
    """Return what makes environments of a game for as few players as can play it, or as many; it is
    broken off if chance need not end it."""
    game = rulewright.load_game(name)
    players = game.model.most_players if most else None
    return partial(make, name, players, options=brief.options_of(game.model))


def random_action(agent: str, table: Any, generator: Generator) -> int | None:
    """Return one of the possible actions, or None if there is nothing to choose."""
    seen, _, terminated, truncated, _ = table.last()
    if terminated or truncated:
        return None
    return int(generator.pick(np.flatnonzero(seen["action_mask"]).tolist()))


# ------------------------------------------------------------------------------------- their tests


@pytest.mark.parametrize("name", rulewright.shelf())
def test_a_game_passes_their_tests(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make = made(env, name)

    with no_other_warnings():
        api_test(make(), num_cycles=30)
        seed_test(make, num_cycles=30)
        render_test(make)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("most", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("make", MAKERS, ids=["bare", "wrapped"])
@pytest.mark.parametrize("name", rulewright.shelf())
def test_a_game_passes_their_tests_at_full_length(
    name: str, make: Maker, most: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    make = made(make, name, most)

    with no_other_warnings():
        api_test(make(), num_cycles=1000)
        seed_test(make, num_cycles=500)
        render_test(make)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize("name", rulewright.shelf())
def test_a_game_that_goes_on_as_long_as_it_likes_passes_them(name: str) -> None:
    with no_other_warnings():
        api_test(env(name), num_cycles=1000)


# --------------------------------------------------------------------------------- the same games


@pytest.mark.parametrize("name", rulewright.shelf())
def test_it_is_the_game_that_states_play(name: str) -> None:
    table = made(raw_env, name)()
    game, generator = table.game, Generator("agents")
    table.reset(seed=5)
    state = game.new_initial_state(5)

    for agent in table.agent_iter():
        seat = table.possible_agents.index(agent)
        action = random_action(agent, table, generator)
        if action is None:
            break
        asking = state.asking(state.current_players()[0])
        assert seat == state.current_players()[0]
        assert np.flatnonzero(table.observe(agent)["action_mask"]).tolist() == sorted(
            game.action_numbers.legal(asking)
        )
        assert table.label(action) in {one.label for one in state.legal_actions(seat)}
        state.apply_value(game.action_numbers.value_of(asking, action), seat)
        table.step(action)

    assert state.is_terminal()
    assert tuple(table.rewards.values()) == state.returns()
    assert all(table.terminations.values()) and not any(table.truncations.values())


def test_the_same_seed_is_the_same_game_and_the_next_one_is_another() -> None:
    def hands(seeds: list[int | None]) -> list[str]:
        table, shown = raw_env("jump_drive", render_mode="ansi", seat=0), []
        for seed in seeds:
            table.reset(seed=seed)
            shown.append(table.render())
        return shown

    first, second, third = hands([3, None, None])

    assert hands([3, None, None]) == [first, second, third]
    assert len({first, second, third}) == 3
    assert hands([None]) != hands([None])


def test_who_acts_at_once_does_so_in_seat_order_and_sees_nothing_of_the_others() -> None:
    table = raw_env("jump_drive", players=3)
    table.reset(seed=1)
    begun = {agent: table.observe(agent) for agent in table.agents}
    order = []
    while len(order) < 6:
        agent = table.agent_selection
        order.append(agent)
        table.step(random_action(agent, table, Generator(1)))
        if len(order) == 2:
            later = table.observe("player_2")

    assert order == ["player_0"] * 2 + ["player_1"] * 2 + ["player_2"] * 2
    for part, seen in begun["player_2"].items():
        assert seen.any() and (seen == later[part]).all()


def test_the_mask_is_empty_for_whom_the_game_does_not_wait() -> None:
    table = raw_env("connect_four")
    table.reset(seed=1)

    assert table.observe("player_0")["action_mask"].tolist() == [1] * 7
    assert table.observe("player_1")["action_mask"].tolist() == [0] * 7


def test_what_is_observed_is_not_changed_later() -> None:
    table = raw_env("tic_tac_toe")
    table.reset(seed=1)
    seen = table.observe("player_0")
    before = {part: array.copy() for part, array in seen.items()}

    table.step(4)

    assert all((seen[part] == before[part]).all() for part in before)
    assert not (table.observe("player_0")["observation"] == before["observation"]).all()


def test_a_game_is_truncated_at_the_limit_of_answers() -> None:
    table = env("connect_four", max_answers=3)
    table.reset(seed=1)
    actions = []
    for _agent in table.agent_iter():
        _, reward, terminated, truncated, _ = table.last()
        assert (reward, terminated) == (0.0, False)
        actions.append(None if truncated else 3)
        table.step(actions[-1])

    assert actions == [3, 3, 3, None, None]


# ---------------------------------------------------------------------------------------- pictures


def test_a_text_shows_what_every_seat_sees_or_what_one_does() -> None:
    def shown(seat: int | None) -> list[str]:
        table = raw_env("kuhn_poker", render_mode="ansi", seat=seat)
        table.reset(seed=7)
        return [line for line in table.render().splitlines() if "hand" in line]

    assert [line.count("rank") for line in shown(None)] == [0, 0]
    assert [line.count("rank") for line in shown(1)] == [0, 1]


def test_at_the_end_a_text_says_who_has_won(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("kuhn_poker", render_mode="human")
    table.reset(seed=7)
    for number in (0, 0):
        labels = [int(one) for one in np.flatnonzero(table.last()[0]["action_mask"])]
        table.step(labels[number])

    assert "The game is over" in capsys.readouterr().out


def test_pixels_show_the_map() -> None:
    table = raw_env("tic_tac_toe", render_mode="rgb_array")
    table.reset(seed=1)
    before = table.render()

    table.step(0)

    changed = (table.render() != before).any(axis=2)
    assert before.shape == (SIDE, SIDE, 3) and before.dtype == np.uint8
    assert 0 < changed.mean() < 0.1


def test_what_a_game_can_show_is_in_its_metadata() -> None:
    def modes(name: str) -> list[str]:
        return list(raw_env(name).metadata["render_modes"])

    assert modes("kuhn_poker") == ["human", "ansi"]
    assert modes("connect_four") == ["human", "ansi", "rgb_array"]


# -------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"render_mode": "rgb_array"}, "kuhn_poker has no map, so there is no rgb_array of it"),
        ({"render_mode": "film"}, "there is no render_mode 'film': it is one of human, ansi"),
        ({"seat": 2}, "there is no seat 2: they are 0 to 1"),
        ({"max_answers": 0}, "max_answers is 0, and must be at least 1"),
        ({"players": 3}, "Kuhn poker is for 2 players, not for 3"),
    ],
)
def test_what_cannot_be_made_is_one_clear_line(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as raised:
        env("kuhn_poker", **arguments)

    assert str(raised.value) == said


@pytest.mark.parametrize("action", [None, 6, "bet", 1.0])
def test_an_action_that_is_not_possible_changes_nothing(action: Any) -> None:
    table = raw_env("kuhn_poker")
    table.reset(seed=7)
    before = table.last()[0]
    wrong = next(n for n in range(6) if not before["action_mask"][n]) if action == 6 else action

    with pytest.raises(InvalidActionError):
        table.step(wrong)

    after = table.last()[0]
    assert all((before[part] == after[part]).all() for part in before)


def test_rendering_without_a_mode_is_a_warning() -> None:
    table = raw_env("kuhn_poker")
    table.reset(seed=7)

    with pytest.warns(UserWarning, match="without a render_mode"):
        assert table.render() is None


def run(program: str) -> str:
    """Run a program in a process of its own; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("missing", ["pettingzoo", "resvg_py"])
def test_without_the_extra_it_says_what_to_install(missing: str) -> None:
    said = run(
        f"import sys; sys.modules['{missing}'] = None\n"
        "try:\n"
        "    from rulewright.interpreter.bridges.pettingzoo import env\n"
        "    env('tic_tac_toe', render_mode='rgb_array')\n"
        "except ImportError as error: print(error)"
    )

    assert said.endswith("it comes with `pip install 'rulewright[pettingzoo]'`")
    assert "\n" not in said


def test_the_rest_does_without_it() -> None:
    said = run(
        "import sys, rulewright, rulewright.interpreter.cli.main\n"
        "rulewright.load_game('kuhn_poker').new_initial_state(1).apply_action(0)\n"
        "print({'pettingzoo', 'gymnasium', 'numpy', 'PIL', 'resvg_py'} & set(sys.modules))"
    )

    assert said == "set()"


def test_a_loaded_game_can_be_an_environment() -> None:
    table = GameEnv(rulewright.load_game("kuhn_poker", names=["ann", "ben"]), "ansi")
    table.reset(seed=7)

    assert str(table) == "kuhn_poker"
    assert "ann" in table.render()
