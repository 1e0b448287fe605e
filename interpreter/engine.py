"""Playing a game from a program: in the words of OpenSpiel, a game in, states and actions out.

    game = load_game("little_jump", players=2)
    state = game.new_initial_state(seed=7)
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[0])
    state.returns()

Players are numbers from 0, in seat order. A state is the only thing here that changes; `clone`
gives one that shares nothing with it. If an action fails, for whatever reason, the state is as
before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulewright.dsl import model
from rulewright.interpreter import labels, loading
from rulewright.interpreter.actions import (
    Action,
    Decision,
    Outcome,
    decision,
    items,
    legal,
    listed_value,
    place_of_label,
    proved,
    read_answer,
)
from rulewright.interpreter.decisions import option_labels, pending
from rulewright.interpreter.errors import IllegalActionError, InvalidActionError
from rulewright.interpreter.execute import (
    advance,
    answer,
    answer_chance,
    begin,
    chance_outcomes,
    is_over,
)
from rulewright.interpreter.findings import openly
from rulewright.interpreter.layout import EVENTS, SCALARS
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.observation import Plain, observation, waiting
from rulewright.interpreter.quoting import Books
from rulewright.interpreter.recollection import Answer, information_state, reveals
from rulewright.interpreter.scoring import SheetLine
from rulewright.interpreter.selecting import answer_selection
from rulewright.interpreter.snapshot import Past, snapshots_of
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Thing, Value

if TYPE_CHECKING:
    from rulewright.interpreter.explain import Explanation

CHANCE_SITE = "chance"


@attrs.frozen
class Game:
    """A game with its variants and options, loaded for a number of players."""

    model: model.Game = attrs.field(repr=False)
    program: Program = attrs.field(repr=False, eq=False)
    names: tuple[str, ...]
    """What the players are called, in seat order."""

    folder: Path | None = attrs.field(default=None, repr=False)
    books: Books = attrs.field(init=False, repr=False, eq=False)

    @books.default
    def _read_books(self) -> Books:
        return Books(self.model, self.folder)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.model.name

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def options(self) -> Mapping[str, Value]:
        """The values of all options and rulings."""
        return self.program.layout.options

    def new_initial_state(self, seed: int | str = 0, explicit_chance: bool = False) -> State:
        """Return the first state in which something is to be decided.

        With `explicit_chance` the game stops where chance comes in, for `apply_chance`.
        """
        store = begin(self.program, seed)
        store.explicit_chance = explicit_chance
        advance(self.program, store)
        return State(self, store, seed)

    def unpack(self, data: bytes) -> State:
        """Return the state that `State.pack` made into bytes, here or in another process.

        Raises `RecordError`, with one clear line, if the bytes are damaged or no snapshot, or of
        other rules, options or players than these.
        """
        store, past = snapshots_of(self.program).read(data)
        return State(self, store, past.seed, past.answers)


def load_game(
    name: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
) -> Game:
    """Load a game of the shelf, or that of a folder or file.

    Raises `RulesError` with all diagnostics if its rules are wrong, `PlayersError` or `OptionError`
    (both `ValueError`, with one clear line) if what is asked for is not possible.
    """
    loaded = loading.load(name, players, variants, options, names)
    return Game(loaded.model, loaded.program, loaded.names, loaded.folder)


def game_of(
    linked: model.Game,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
    folder: Path | None = None,
) -> Game:
    """Load a game that has been compiled already."""
    loaded = loading.from_model(linked, players, options, names, folder)
    return Game(loaded.model, loaded.program, loaded.names, loaded.folder)


class State:
    """A game that is going on, or over."""

    __slots__ = ("_answers", "_taken_back_to", "game", "seed", "store")

    def __init__(
        self, game: Game, store: Store, seed: int | str = 0, answers: Iterable[Answer] = ()
    ) -> None:
        self.game = game
        self.store = store
        self.seed = seed
        self._answers: tuple[Answer, ...] = tuple(answers)
        self._taken_back_to: tuple[Store, ...] = ()
        """The states since the last time that anybody learned anything, oldest first."""

    # ----------------------------------------------------------------------------- who, and what

    def current_players(self) -> tuple[int, ...]:
        """Return the players for whom the game waits: nobody at chance and at the end."""
        found = pending(self.game.program, self.store)
        return () if found is None else (found.player.number,)

    def decision(self) -> Decision | None:
        """Return what is asked, with its prompt; None at chance and at the end."""
        return decision(self.game.program, self.store)

    def prompt(self) -> str:
        """Return the question that is asked, with the eyes of who is asked; "" if nothing is."""
        found = self.decision()
        return "" if found is None else found.prompt

    def legal_actions(self, player: int | None = None) -> tuple[Action, ...]:
        """Return the possible answers of the player for whom the game waits."""
        current = self.current_players()
        if not current or (player is not None and player not in current):
            return ()
        return legal(self.game.program, self.store)

    def items(self) -> tuple[Action, ...]:
        """Return all things of which several may be chosen; `legal_actions` lists next pieces."""
        return items(self.game.program, self.store) if self.current_players() else ()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return is_over(self.store)

    # ------------------------------------------------------------------------------------ answers

    def apply_action(self, action: Action | int | str) -> None:
        """Answer: by an action that was listed, its number, or (the beginning of) its label."""
        self._answer(read_answer(self.game.program, self.store, action))

    def apply_value(self, value: Value) -> None:
        """Answer with a value of the rules, which must be one of the options."""
        self._answer(proved(self.game.program, self.store, value))

    def answer_whole(self, given: Iterable[Action | int | str]) -> None:
        """Answer a choice of several things at once: with actions, numbers or labels, as `items`
        lists them."""
        program, store = self.game.program, self.store
        asked = self.decision()
        if asked is None or asked.kind != "several" or asked.picked:
            raise InvalidActionError("this is no choice of several things")
        listed = self.items()
        values = [listed_value(listed, one) for one in given]
        before = store.clone()
        player, site = asked.player, asked.site
        try:
            named = option_labels(program, store, values)
            answer_selection(program, store, values)
        except BaseException:
            self._restore(before)
            raise
        self._note(before, player, site, tuple(values), ", ".join(named) or "nothing")

    def _answer(self, value: Value) -> None:
        program, store = self.game.program, self.store
        found = pending(program, store)
        assert found is not None, "nothing is asked"
        (label,) = option_labels(program, store, [value])
        before = store.clone()
        try:
            answer(program, store, value, trusted=True)
        except BaseException:
            self._restore(before)
            raise
        self._note(before, found.player.number, found.site, value, label)

    def _restore(self, before: Store) -> None:
        self.store = before
        self.game.program.memory = None

    def _note(self, before: Store, player: int | None, site: str, value: Value, label: str) -> None:
        events = before.columns[SCALARS][EVENTS]
        self._answers += (Answer(events, player, site, value, label),)
        if self.current_players() == (player,) and not reveals(
            self.game.program, before, self.store
        ):
            self._taken_back_to += (before,)
        else:
            self._taken_back_to = ()

    # -------------------------------------------------------------------------------------- chance

    def is_chance_node(self) -> bool:
        """Return whether the game waits for `apply_chance`."""
        return not self.is_terminal() and pending(self.game.program, self.store) is None

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        """Return what chance may bring here; nothing if the game does not wait for it."""
        if not self.is_chance_node():
            return ()
        values = chance_outcomes(self.game.program, self.store)
        evaluator = self.game.program.evaluator
        words = labels.distinct([openly(value, self.store, evaluator) for value in values])
        return tuple(
            Outcome(index, value, label, 1 / len(values))
            for index, (value, label) in enumerate(zip(values, words, strict=True))
        )

    def apply_chance(self, outcome: Outcome | int | str) -> None:
        """Say what chance brings: by an outcome, its number, or (the beginning of) its label."""
        if not self.is_chance_node():
            raise IllegalActionError("the game does not wait for chance")
        outcomes = self.chance_outcomes()
        chosen = outcomes[place_of_label(outcome, [one.label for one in outcomes])]
        before = self.store.clone()
        try:
            answer_chance(self.game.program, self.store, chosen.value)
        except BaseException:
            self._restore(before)
            raise
        self._note(before, None, CHANCE_SITE, chosen.value, chosen.label)

    # ------------------------------------------------------------------------------------- the end

    @property
    def ending(self) -> str | None:
        """The reason of the end; None while the game goes on, or if it simply came to its end."""
        return self.store.ending

    def returns(self) -> tuple[float, ...]:
        """Return the result of each player as a number; 0 while the game goes on."""
        if not self.is_terminal():
            return (0.0,) * self.game.num_players
        return self.game.program.scoring.payoff(self.store)

    def ranking(self) -> tuple[int, ...]:
        """Return the place of each player as things stand: 1 is the first, equals share one."""
        return self.game.program.scoring.places(self.store)

    def winners(self) -> tuple[int, ...]:
        """Return who has won, if the game is over."""
        if not self.is_terminal():
            return ()
        return tuple(seat.number for seat in self.game.program.scoring.winners(self.store))

    def score_sheet(self) -> tuple[SheetLine, ...]:
        """Return the lines of the score sheet, their sum last; it tells what is hidden, too."""
        return self.game.program.scoring.sheet(self.store)

    # ------------------------------------------------------------------------------ what one knows

    def seat(self, player: int) -> Thing:
        """Return the player of a number as a thing of the rules."""
        if not 0 <= player < self.game.num_players:
            raise ValueError(f"there is no player {player}")
        return self.game.program.layout.players[player]

    def observation(self, player: int) -> dict[str, Plain]:
        """Return what a player sees now, as plain data."""
        return observation(self.game.program, self.store, self.seat(player))

    def information_state(self, player: int) -> list[Plain]:
        """Return all that a player has done and noticed so far, as plain data."""
        return information_state(self.game.program, self.store, self.seat(player), self._answers)

    def why(self, text: str, player: int | None = None) -> Explanation:
        """Return why an action (named by its label, or a verb) is possible or not."""
        from rulewright.interpreter.explain import explain

        if player is None:
            asked = [one.number for one in waiting(self.game.program, self.store)]
            player = asked[0] if asked else 0
        return explain(self.game.program, self.store, self.seat(player), text, self.game.books)

    # ------------------------------------------------------------------------------ past and future

    def history(self) -> tuple[Answer, ...]:
        """Return all answers so far, and what a driver said for chance."""
        return self._answers

    def clone(self) -> State:
        """Return a state of its own, at the same point of the game."""
        copy = State(self.game, self.store.clone(), self.seed, self._answers)
        copy._taken_back_to = self._taken_back_to
        return copy

    def pack(self, log: bool = False) -> bytes:
        """Return the state as bytes for `Game.unpack`: it goes on from there exactly as from here.

        With `log` the events and answers so far go along. Without it (some hundred bytes) they are
        only counted: `history` and the log of the unpacked state begin empty, `information_state`
        tells what comes from then on, and `record.save` refuses it. What could be taken back can be
        taken back no more, either way.
        """
        past = Past(self.seed, self._answers if log else ())
        return snapshots_of(self.game.program).pack(self.store, log, past)

    def can_undo(self) -> bool:
        """Return whether the last answer can be taken back: nobody has learned anything since."""
        return bool(self._taken_back_to)

    def undo(self) -> None:
        """Take back the last answer of the running transaction."""
        if not self._taken_back_to:
            raise IllegalActionError("nothing can be taken back: somebody has learned something")
        *earlier, last = self._taken_back_to
        self._taken_back_to = tuple(earlier)
        self._restore(last.clone())
        self._answers = self._answers[:-1]
