"""What an agent gets instead of the state: what its player sees, may answer, and can imagine.

A seat has no way to the state. So that an agent does not cheat is a matter of types: what it does not
know it must draw (`sample`), as a person would.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from rulewright.interpreter.agents.evaluation import Evaluation, evaluation
from rulewright.interpreter.engine.actions import UNSEEN, Action, Decision, decision, legal
from rulewright.interpreter.knowledge.action_numbers import action_numbers
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.observation import Plain
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.knowledge.sight import hides_nothing
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.program.decisions import current, told
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Value


class Seat:
    """A player who is asked something, as an agent meets him.

    >>> seat.player, seat.name, seat.prompt, [action.label for action in seat.actions]
    (0, 'P1', 'Choose one', ['Bet', 'Check'])
    >>> simulation = seat.sample(Generator(1))
    >>> simulation.observe(0) == seat.observation()
    True
    """

    def __init__(self, state: State, player: int) -> None:
        """Sit down at a state that waits for the player (a number from 0, in seat order).

        Raises `InvalidActionError` if it does not.
        """
        store = state.asking(player) if player in state.current_players() else None
        if store is None:
            raise InvalidActionError(f"player {player} has nothing to decide now")
        self._state = state
        self._store = store
        self.player = player
        self.guessed: tuple[str, ...] = ()
        """The fields in which hidden numbers of the last sample are guessed: they may not fit what the
        player has noticed."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, in seat order."""
        return self._state.game.names

    @property
    def name(self) -> str:
        """What the player of this seat is called."""
        return self.names[self.player]

    @property
    def prompt(self) -> str:
        """The question that is asked."""
        return self._state.prompt(self.player)

    @property
    def decision(self) -> Decision:
        """What is asked."""
        found = decision(self._state.game.program, self._store)
        assert found is not None, "it waited for the player"
        return found

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The possible answers; one of them is what an agent returns. The `value` of what the player
        does not see is `UNSEEN`."""
        listed = legal(self._state.game.program, self._store)
        return tuple([attrs.evolve(one, value=self._seen(one.value)) for one in listed])

    @cached_property
    def options(self) -> tuple[int, ...]:
        """The action numbers of these answers, in the same order: the same in every state. Those that have none
        are counted on, as in `Simulation.options`."""
        program, store = self._state.game.program, self._store
        values = [one.value for one in legal(program, store)]
        return tuple(action_numbers(program).counted(store, current(program, store), values))

    def draw(self, generator: Generator) -> Action:
        """Return one of the possible answers, each with the same chance."""
        program, store = self._state.game.program, self._store
        value = pick_random(program, store, generator)
        if self._seen(value) is not UNSEEN:
            return Action(-1, value, told(program, store, value), "drawn")
        values = [one.value for one in legal(program, store)]
        return self.actions[values.index(value)]

    def _seen(self, value: Value) -> Value:
        visibility = self._state.game.program.evaluator.visibility
        player = self._state.seat(self.player)
        sees = all(visibility.sees_thing(self._store, one, player) for one in things_in(value))
        return value if sees else UNSEEN

    def observation(self) -> dict[str, Plain]:
        """Return what the player sees now, as `State.observation` does."""
        return self._state.observation(self.player)

    def information_state(self) -> list[Plain]:
        """Return all that the player has done and noticed so far, as `State.information_state` does."""
        return self._state.information_state(self.player)

    def sample(self, generator: Generator) -> Simulation:
        """Return a game that may be the real one as far as the player can tell; chance goes another way in
        it. Raises what `State.determinized` does."""
        found = self._knowledge.draw(generator)
        self.guessed = found.guessed
        return Simulation(self._state.game.program, found.store)

    @property
    def hides_nothing(self) -> bool:
        """Whether nothing of the game is ever hidden from anybody: what is not known is chance alone."""
        return hides_nothing(self._state.game.program)

    @property
    def evaluation(self) -> Evaluation:
        """What results of the game are worth; found out when somebody first asks."""
        return evaluation(self._state.game)

    @cached_property
    def _knowledge(self) -> Knowledge:
        state = self._state
        seat = state.seat(self.player)
        return Knowledge(state.game.program, state.store, seat, state.history())
