"""Our games in PettingZoo: one environment for whatever the rules say, in which players act one after the other.

    from rulewright.interpreter.bridges.pettingzoo import env

    table = env("connect_four", render_mode="ansi")
    table.reset(seed=7)
    for agent in table.agent_iter():
        observation, reward, terminated, truncated, info = table.last()
        legal = observation["action_mask"]
        done = terminated or truncated
        table.step(None if done else table.action_space(agent).sample(legal))

Actions are action numbers (`Game.action_numbers`), observations the numbers of
`Game.observation_vector`, both the same for a game in every process. It needs the extra `pettingzoo`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

try:
    import numpy as np
    from gymnasium import logger
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(
        f"PettingZoo is not here ({error}); it comes with `pip install 'rulewright[pettingzoo]'`"
    ) from error

from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.play.playout import LIMIT
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import FRESH, Generator, fresh_seed
from rulewright.interpreter.state.values import Thing, Value
from rulewright.interpreter.terminal.board import boards
from rulewright.interpreter.terminal.ending import GameResult
from rulewright.interpreter.terminal.maps import maps
from rulewright.interpreter.terminal.screen import WIDTH
from rulewright.interpreter.terminal.svg import picture
from rulewright.interpreter.terminal.table import state_lines

TEXTS = ("human", "ansi")
PIXELS = "rgb_array"


def env(
    name: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    render_mode: str | None = None,
    max_answers: int | None = LIMIT,
    seat: int | None = None,
) -> AECEnv[str, dict[str, Any], int]:
    """Return a game as an environment that also says what is called in the wrong order, and which actions
    are no action numbers. It takes and raises what `raw_env` does."""
    bare = raw_env(name, players, variants, options, render_mode, max_answers, seat)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(bare))


def raw_env(
    name: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    render_mode: str | None = None,
    max_answers: int | None = LIMIT,
    seat: int | None = None,
) -> GameEnv:
    """Return a game of the shelf (its name), or that of a folder or file (its path), as an environment.

    `players`, `variants` and `options` are those of `load_game`, which says what is raised if they are
    wrong. The other arguments are those of `GameEnv`.
    """
    game = load_game(name, players, variants, options)
    return GameEnv(game, render_mode, max_answers, seat)


class GameEnv(AECEnv[str, dict[str, Any], int]):
    """A loaded game as an environment of PettingZoo (AEC).

    The agents are `player_0`, `player_1` … in seat order. Where several act at once they do so in that order,
    and none sees what the others do before all are done. The reward is what the game pays, at its end. A game
    that is not over after `max_answers` (None: however long it takes) is truncated.

    `render_mode` is `ansi` (a text), `human` (the same, printed after each step) or, if the game has a map,
    `rgb_array`. What is shown is what a `seat` sees, or without one what every seat sees.

    Raises `ValueError`, with one clear line, if there is no such mode or seat.
    """

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        max_answers: int | None = LIMIT,
        seat: int | None = None,
    ) -> None:
        super().__init__()
        self.game = game
        self.max_answers = max_answers
        self.seat = seat
        self.possible_agents = [f"player_{number}" for number in range(game.num_players)]
        self._seats = {agent: number for number, agent in enumerate(self.possible_agents)}
        if seat is not None and not 0 <= seat < game.num_players:
            raise ValueError(f"there is no seat {seat}: they are 0 to {game.num_players - 1}")
        if max_answers is not None and max_answers < 1:
            raise ValueError(f"max_answers is {max_answers}, and must be at least 1")
        self.metadata: dict[str, Any] = {
            "name": game.name,
            "render_modes": [*TEXTS, *([PIXELS] if _has_map(game) else [])],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = self._checked(render_mode)

        self._size = game.action_numbers.size
        self._vectors = game.observation_vector
        low, high = (np.array(one, np.float32) for one in (self._vectors.low, self._vectors.high))
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(low, high, dtype=np.float32),
                    "action_mask": Box(0, 1, (self._size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self._size) for agent in self.possible_agents}
        self._seeds: Generator | None = None

    def _checked(self, mode: str | None) -> str | None:
        modes = self.metadata["render_modes"]
        if mode is None or mode in modes:
            if mode == PIXELS:
                # What draws them must be there before a game is played.
                import rulewright.interpreter.bridges.raster  # noqa: F401
            return mode
        if mode == PIXELS:
            raise ValueError(f"{self.game.name} has no map, so there is no {PIXELS} of it")
        raise ValueError(f"there is no render_mode {mode!r}: it is one of {', '.join(modes)}")

    # ------------------------------------------------------------------------------------- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the one that has this seed everywhere (`Game.new_initial_state`). Without one it is the
        next of those that follow the last seed, or a fresh one. With a `State` of the game as `state` among
        the `options` it goes on from a copy of it instead; other options are ignored.

        Raises `PlayError` if the rules go wrong, as `step` does.
        """
        if seed is None and self._seeds is not None:
            seed = self._seeds.below(FRESH)
        else:
            seed = fresh_seed() if seed is None else int(seed)
            self._seeds = Generator(seed)
        state = (options or {}).get("state")
        self.simulation = (
            Simulation.begin(self.game, seed) if state is None else Simulation.of(state)
        )
        self._answers = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: int | None) -> None:
        """Answer for the agent whose turn it is, with an action number; with None once its game is over.

        An answer that turns out to lead to a dead end does not happen: the agent is asked again, without it.
        Raises `InvalidActionError`, and changes nothing, if the action is not possible.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, (int, np.integer)):
            raise InvalidActionError(f"{action!r} is no action number, and {agent} has to act")
        self.simulation.apply(int(action), self._seats[agent])
        self._answers += 1
        self._go_on()

    def _go_on(self) -> None:
        """Give the turn to who acts next, and say how it stands."""
        self._waiting = self.simulation.players
        if not self._waiting:
            self.rewards = dict(zip(self.agents, self.simulation.result().returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        else:
            self.agent_selection = self.possible_agents[self._waiting[0]]
            if self._answers == self.max_answers:
                self.truncations = dict.fromkeys(self.agents, True)
        if self.render_mode == "human":
            self.render()

    # ------------------------------------------------------------------------------------- looking

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Return what an agent sees, as arrays of its own: `observation`, and the `action_mask` with 1 for each
        action that is possible.

        It is 0 everywhere for an agent for which the game does not wait, unless the game is over: then nothing is masked, as
        there is nothing to choose.
        """
        seat = self._seats[agent]
        if seat in self._waiting:
            mask = np.zeros(self._size, np.int8)
            mask[list(self.simulation.numbered_options(seat))] = 1
        else:
            mask = np.full(self._size, not self._waiting, np.int8)
        player = self.game.program.layout.players[seat]
        vector = self._vectors.vector(self.simulation.store, player)
        return {"observation": np.array(vector, np.float32), "action_mask": mask}

    def label(self, action: int) -> str:
        """Return what a possible action of the agent whose turn it is is called, as it would read it.

        Raises `InvalidActionError` if it is none."""
        return self.simulation.label(int(action), self._seats[self.agent_selection])

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the action numbers."""
        return self.action_spaces[agent]

    def render(self) -> str | np.ndarray[Any, Any] | None:
        """Return the table as a text or as pixels, or print it, as the `render_mode` says."""
        if self.render_mode is None:
            logger.warn(
                "there is nothing to render: the environment was made without a render_mode"
            )
            return None
        if self.render_mode == PIXELS:
            return self._pixels()
        text = self._text()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _looks(self) -> Thing | None:
        return None if self.seat is None else self.game.program.layout.players[self.seat]

    def _text(self) -> str:
        program, store, seat = self.game.program, self.simulation.store, self._looks()
        lines = state_lines(observation(program, store, seat), boards(program, store, seat), WIDTH)
        if not self._waiting:
            lines += GameResult(program, store).lines()
        return "\n".join(lines)

    def _pixels(self) -> np.ndarray[Any, Any]:
        from rulewright.interpreter.bridges.raster import pixels

        drawn = picture(self.game.program, self.simulation.store, self._looks())
        return pixels(drawn)

    def close(self) -> None:
        """Do nothing: it holds nothing that must be given back."""


def _has_map(game: Game) -> bool:
    return bool(maps(game.program, Simulation.begin(game).store, None))
