"""A game as programs search it: answers are numbers, and nothing is noted, told or taken back.

    simulation = Simulation.begin(game, seed=7)
    while simulation.players:
        option = simulation.draw(generator)
        simulation.apply(option)
    simulation.result().returns

This is the one small interface on which agents, searches and the bridges to other libraries stand. It runs on
generated code from the first step. Labels are worked out when somebody asks for them. What an option
is called is an action number (`knowledge/action_numbers`): the same in every state and process.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import islice

import attrs

from rulewright.interpreter.engine.actions import MOST_LISTED, living_offers
from rulewright.interpreter.engine.executor import (
    advance,
    answer,
    answer_chance as tell_chance,
    begin,
    chance_outcomes,
    is_over,
)
from rulewright.interpreter.ir.answers_aloud import heard
from rulewright.interpreter.knowledge.action_numbers import action_numbers
from rulewright.interpreter.knowledge.information_state import noticed
from rulewright.interpreter.knowledge.observation import Plain, observation
from rulewright.interpreter.lookahead.lookahead import living, pick_random
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.course import current_players
from rulewright.interpreter.program.branches import seen_by, settle, turn_to
from rulewright.interpreter.program.decisions import current, pending, told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import ActionNumberError, InvalidActionError, PlayError
from rulewright.interpreter.state.log import latest_first
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value


@attrs.frozen
class Result:
    """How a game came out, or how it stands; a number for each seat, in seat order.

    >>> simulation.result().finished
    False
    """

    finished: bool
    returns: tuple[float, ...]
    """What it pays; all 0 while it goes on."""

    places: tuple[int, ...]
    """The places, 1 the first; while it goes on those by what is counted so far, () if nothing can be said."""

    points: tuple[int, ...]
    """The points so far; () if the game counts none."""


class Simulation:
    """A game that is going on, for programs that search it: small, quick to copy, without a past.

    Where several act at once, `player` says whose options or answer it is; unless it is given it is the
    first of them in seat order. Rules errors are raised as `PlayError`; the simulation is then of no
    more use.

    >>> simulation.players, simulation.options(), [simulation.label(one) for one in (2, 3)]
    ((0,), (2, 3), ['Bet', 'Check'])
    >>> copy = simulation.clone()
    >>> copy.apply(2), copy.apply(0)
    (True, True)
    >>> copy.players, copy.result().returns, simulation.players
    ((), (-2.0, 2.0), (0,))
    """

    __slots__ = ("_listed", "_numbers", "program", "store")

    def __init__(self, program: Program, store: Store) -> None:
        """Play on from a store, which is the simulation's own from now on."""
        self.program = program
        self.store = store
        self._numbers = action_numbers(program)
        self._listed: Mapping[int, Value] | None = None
        if program.lane is None:
            from rulewright.interpreter.codegen.generated import use_generated_code

            use_generated_code(program)

    @classmethod
    def begin(cls, game: Game, seed: int | str = 0, explicit_chance: bool = False) -> Simulation:
        """Return a new game at its first decision; with `explicit_chance` it stops where chance decides."""
        store = begin(game.program, seed)
        store.explicit_chance = explicit_chance
        advance(game.program, store)
        return cls(game.program, store)

    @classmethod
    def of(cls, state: State) -> Simulation:
        """Return a simulation of its own of a game that is going on."""
        return cls(state.game.program, state.store.clone())

    def clone(self) -> Simulation:
        """Return a simulation of its own at the same point."""
        copy = Simulation(self.program, self.store.clone())
        copy._listed = self._listed
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> Simulation:
        return self.clone()

    # ----------------------------------------------------------------------------- who, and what

    @property
    def players(self) -> tuple[int, ...]:
        """The seats for which the game waits, in order: nobody at chance and at the end, several where they
        act at once."""
        return current_players(self.program, self.store)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return is_over(self.store)

    @property
    def is_chance(self) -> bool:
        """Whether it waits for `apply_chance`; never without `explicit_chance`."""
        return bool(self.store.frames) and pending(self.program, self.store) is None

    @property
    def chance_so_far(self) -> int:
        """Where the stream of chance stands: the same as long as nothing has been drawn."""
        return self.store.random_state

    def transaction(self, player: int) -> object:
        """Return the same object as long as what a player decides is one transaction; None if he is not
        asked."""
        return self.store.transaction if self._turn_to(player) else None

    def options(self, player: int | None = None) -> tuple[int, ...]:
        """Return the action numbers of the answers that can be carried out to their end, in the order
        of the rules, offers last; of a range of numbers the first 10,000. () if nothing is asked. Where
        the rules bound nothing, answers that have no action number are counted on from the end of the
        table (`ActionNumbers.size`)."""
        if not self._turn_to(player):
            return ()
        return tuple(self._options())

    def numbered_options(self, player: int | None = None) -> tuple[int, ...]:
        """Return those of the options that have an action number. Raises `ActionNumberError` if none of
        them has one."""
        found = self.options(player)
        size = self._numbers.size
        if found and min(found) >= size:
            values = tuple(self._options().values())
            self._numbers.numbers(self.store, current(self.program, self.store), values)
        return tuple([one for one in found if one < size])

    def count(self, player: int | None = None) -> int:
        """Return how many options there are."""
        return len(self._options()) if self._turn_to(player) else 0

    def draw(self, generator: Generator, player: int | None = None) -> int:
        """Return one of the options, each with the same chance. Raises `InvalidActionError` if nothing is
        asked."""
        self._must_answer(player)
        if self._listed is not None:
            return generator.pick(tuple(self._listed))
        value = pick_random(self.program, self.store, generator)
        asked = current(self.program, self.store)
        try:
            return self._numbers.numbers(self.store, asked, (value,))[0]
        except ActionNumberError:
            return generator.pick(tuple(self._options()))

    def label(self, option: int, player: int | None = None) -> str:
        """Return what an option is called, as its player would read it. Raises `InvalidActionError` if it
        is none here."""
        self._must_answer(player)
        return told(self.program, self.store, self.value(option))

    def value(self, option: int, player: int | None = None) -> Value:
        """Return the value of the rules that an option is. Raises `InvalidActionError` if it is none here."""
        self._must_answer(player)
        found = self._options()
        if option not in found:
            raise InvalidActionError(f"{option} is no option here")
        return found[option]

    def apply(self, option: int, player: int | None = None) -> bool:
        """Give an answer and run to the next decision, to chance or to the end. Return whether it has
        happened: one of which the look-ahead could not prove that it can be carried out may turn out to be
        a dead end; then the game is back at the menu where it was taken, without it.

        Raises `InvalidActionError` if it is no option.
        """
        self._must_answer(player)
        value = self.value(option)
        program, store = self.program, self.store
        self._listed = None
        answer(program, store, value, trusted=True)
        if store.fork is not None and pending(program, store) is not None:
            settle(store)
        return store.setback is None

    def apply_seen_by(self, option: int, player: int, viewer: int) -> Hashable | None:
        """Give an answer, and return what a seat notices of it: the option if it is its own or is said
        aloud, otherwise what it notices of what comes of it. Answers of which it notices the same are the
        same to it. None if the answer turned out to be a dead end (`apply`)."""
        self._must_answer(player)
        program, store = self.program, self.store
        asked = pending(program, store)
        assert asked is not None
        aloud = player == viewer or heard(program.game, asked.site, self.value(option))
        fork, begun = store.fork, store.log
        if not self.apply(option, player):
            return None
        if aloud:
            return option
        start = begun if fork is None else fork.log
        end = store.log if store.fork is None else store.fork.log
        if start is end:
            return ""
        events = reversed(list(latest_first(end, start)))
        return str(noticed(program, store, program.layout.players[viewer], events))

    # ------------------------------------------------------------------------------------- chance

    def chance(self) -> tuple[float, ...]:
        """Return the probabilities of what chance may bring, by number; () if it does not wait for it."""
        values = self._brought()
        return (1 / len(values),) * len(values) if values else ()

    def apply_chance(self, outcome: int) -> None:
        """Let chance bring the outcome of a number. Raises `InvalidActionError` if there is none."""
        values = self._brought()
        if not 0 <= outcome < len(values):
            raise InvalidActionError(f"chance has no outcome {outcome} here")
        self._listed = None
        tell_chance(self.program, self.store, values[outcome])
        if self.store.fork is not None and pending(self.program, self.store) is not None:
            settle(self.store)

    def _brought(self) -> Sequence[Value]:
        """Return what chance may bring, without labels."""
        return chance_outcomes(self.program, self.store) if self.is_chance else ()

    # ------------------------------------------------------------------------------------ to the end

    def rollout(self, generator: Generator, limit: int) -> int:
        """Play on at random until the game is over or so many decisions have been made; return how many
        they were. Chance is drawn by the game, players by the generator."""
        self.program.decision_cache = None
        self._listed = None
        made: int = self.program.lane.play(self.store, generator, limit)
        return made

    def result(self) -> Result:
        """Return how the game came out, or how it stands."""
        store = self.store if self.store.fork is None else seen_by(self.store, None)
        standing = self.program.scoring.standing(store)
        if is_over(store):
            return Result(True, standing.payoff, standing.places, standing.points)
        nothing = (0.0,) * len(self.program.layout.players)
        try:
            return Result(False, nothing, standing.places, standing.points)
        except PlayError:
            # Before the end a rule need not be able to say it.
            return Result(False, nothing, (), ())

    def observe(self, seat: int) -> dict[str, Plain]:
        """Return what a seat sees, as `State.observation` does."""
        return observation(self.program, self.store, self.program.layout.players[seat])

    # ------------------------------------------------------------------------------------- inside

    def _turn_to(self, player: int | None) -> bool:
        """Let the store stand where a player is asked; return whether he is."""
        store = self.store
        asked = pending(self.program, store)
        if asked is None:
            return False
        if player is None or asked.player.number == player:
            return True
        if store.fork is None or player not in self.players:
            return False
        turn_to(store, self.program.layout.players[player])
        self._listed = None
        return True

    def _must_answer(self, player: int | None) -> None:
        if not self._turn_to(player):
            whom = "nobody" if player is None else f"player {player}"
            raise InvalidActionError(f"{whom} has nothing to decide now")

    def _options(self) -> Mapping[int, Value]:
        """Return the options by their numbers."""
        if self._listed is None:
            program, store = self.program, self.store
            values: tuple[Value, ...] = tuple(islice(living(program, store), MOST_LISTED))
            if program.offers:
                values += tuple(living_offers(program, store))
            self._listed = self._numbers.counted(store, current(program, store), values)
        return self._listed
