"""Playing a game from a program: in the words of OpenSpiel, a game in, states and actions out, as in
the example of `interpreter/API.md`.

Players are numbers from 0, in seat order. A state is the only thing here that changes; `clone`
gives one that shares nothing with it. If an action fails, for whatever reason, the state is as
before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulewright.dsl import model
from rulewright.interpreter.engine.actions import (
    Action,
    Decision,
    Outcome,
    Whole,
    beside,
    decision,
    items,
    legal,
    proved,
    read_answer,
)
from rulewright.interpreter.engine.executor import (
    advance,
    answer,
    answer_chance,
    begin,
    is_over,
)
from rulewright.interpreter.engine.load import program_on
from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.engine.whole_selections import WHOLE, read_whole
from rulewright.interpreter.explain.citations import Books
from rulewright.interpreter.play import dead_ends, loading
from rulewright.interpreter.play.information_state import Answer, information_state, reveals
from rulewright.interpreter.play.observation import Plain, observation
from rulewright.interpreter.play.outcomes import outcome_of, outcomes
from rulewright.interpreter.play.snapshot import Past, snapshots_of
from rulewright.interpreter.play.undo import Retakes, retakes, take_back
from rulewright.interpreter.program.branches import deciding, seen_by, settle, turn_to
from rulewright.interpreter.program.decisions import pending, told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.scoring import SheetLine
from rulewright.interpreter.state.errors import IllegalActionError, InvalidActionError, note_answer
from rulewright.interpreter.state.random import fresh_seed
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value
from rulewright.interpreter.words.translation import ENGLISH, words_of

if TYPE_CHECKING:
    from rulewright.interpreter.play.why import Explanation

CHANCE_SITE = "chance"

MANY_ANSWERS = 2000  # so many pay for the writing of code


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

    def spoken(self, language: str | None) -> Game:
        """Return the same game in another language, to tell states of this one (`State.told_by`).

        Raises `LanguageError`, a `ValueError` with one clear line, if nothing is translated.
        """
        words = words_of(self.model, language)
        if words is ENGLISH:
            return self
        program = program_on(self.model, self.program.layout, words)
        return Game(self.model, program, self.names, self.folder)

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

    def new_initial_state(
        self, seed: int | str | None = None, explicit_chance: bool = False
    ) -> State:
        """Return the first state in which something is to be decided; without a seed with a fresh
        one, which `State.seed` tells. `explicit_chance`: it stops at chance, for `apply_chance`."""
        seed = fresh_seed() if seed is None else seed
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

    __slots__ = ("_answers", "_retakes", "_taken_back_to", "_views", "game", "seed", "store")

    def __init__(
        self, game: Game, store: Store, seed: int | str = 0, answers: Iterable[Answer] = ()
    ) -> None:
        self.game = game
        self.store = store
        self.seed = seed
        self._answers: tuple[Answer, ...] = tuple(answers)
        self._taken_back_to: tuple[Store, ...] = ()
        """The states since the last time that anybody learned anything, oldest first."""

        self._retakes: Retakes = {}
        """What each of several who act at once can take back."""

        self._views: dict[int | None, Store] = {}
        """The states as players who act at once have them before them."""

    # ----------------------------------------------------------------------------- who, and what

    def current_players(self) -> tuple[int, ...]:
        """Return the players for whom the game waits, in seat order: nobody at chance and at the
        end, several where they decide at once."""
        found = pending(self.game.program, self.store)
        if found is None:
            return ()
        if self.store.fork is None:
            return (found.player.number,)
        return tuple([player.number for player in deciding(self.store)])

    def asking(self, player: int | None = None) -> Store | None:
        """Return the state with the decision of a player, as he has it before him; None if he has
        none to make. He need not be named where the game waits for one player only.

        Raises `InvalidActionError` if several decide at once and nobody is named.
        """
        current = self.current_players()
        if player is None:
            if len(current) > 1:
                names = ", ".join(self.game.names[one] for one in current)
                text = f"several players decide at once ({names}): say for whom this is"
                raise InvalidActionError(text)
            return self.store if current else None
        return self.seen_by(player) if player in current else None

    def seen_by(self, player: int | None) -> Store:
        """Return the state as a player has it before him, for looking only: while several act at
        once, with what he has done, and nothing of the others (None: of nobody)."""
        if self.store.fork is None:
            return self.store
        if player not in self._views:
            seat = None if player is None else self.seat(player)
            self._views[player] = seen_by(self.store, seat)
        return self._views[player]

    def decision(self, player: int | None = None) -> Decision | None:
        """Return what is asked (of a player), with its prompt; None at chance and at the end."""
        store = self.asking(player)
        return None if store is None else decision(self.game.program, store)

    def prompt(self, player: int | None = None) -> str:
        """Return the question that is asked, with the eyes of who is asked; "" if nothing is."""
        found = self.decision(player)
        return "" if found is None else found.prompt

    def legal_actions(self, player: int | None = None) -> tuple[Action, ...]:
        """Return the possible answers of the player for whom the game waits."""
        store = self.asking(player)
        return () if store is None else legal(self.game.program, store)

    def offers(self, player: int | None = None) -> tuple[Action, ...]:
        """Return the offers that can be taken instead of an answer; `legal_actions` ends with them."""
        store = self.asking(player)
        return () if store is None else beside(self.game.program, store)

    def items(self, player: int | None = None) -> tuple[Action, ...]:
        """Return all things of which several may be chosen; `legal_actions` lists next pieces."""
        store = self.asking(player)
        return () if store is None else items(self.game.program, store)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return is_over(self.store)

    # ------------------------------------------------------------------------------------ answers

    def apply_action(self, action: Action | int | str, player: int | None = None) -> None:
        """Answer: by an action that was listed, its number, or (the beginning of) its label.

        The player must be named where several decide at once.
        """
        store = self._to_answer(player)
        self._answer(store, read_answer(self.game.program, store, action))

    def apply_actions(self, actions: Mapping[int, Action | int | str]) -> None:
        """Answer for several players who decide at once: all of it, or nothing if one of the answers
        is not possible."""
        missing = [player for player in actions if player not in self.current_players()]
        if missing:
            raise IllegalActionError(f"player {missing[0]} has nothing to decide now")
        before = self.clone()
        try:
            for player in sorted(actions):
                self.apply_action(actions[player], player)
        except BaseException:
            for name in State.__slots__:
                setattr(self, name, getattr(before, name))
            self.game.program.memory = None
            raise

    def apply_value(self, value: Value, player: int | None = None) -> None:
        """Answer with a value of the rules: one of the options, or of the things for which it stands."""
        program, store = self.game.program, self._to_answer(player)
        self._answer(store, proved(program, store, value))

    def answer_whole(self, given: Whole, player: int | None = None) -> None:
        """Answer a choice of several things at once: with actions, numbers or labels, as `items`
        lists them. A `split` with what each gets: all amounts in the order of `items`, or some
        with their targets, where the others get nothing."""
        program, asking = self.game.program, self._to_answer(player)
        asked = decision(program, asking)
        if asked is None or asked.kind not in WHOLE or (asked.kind == "several" and asked.picked):
            raise InvalidActionError("this is no choice of several things")
        whole, label, give = read_whole(program, asking, asked, given)
        self._give(give, Answer(0, asked.player, asked.site, whole, label, whole=True))

    def _to_answer(self, player: int | None) -> Store:
        """Return the state of a player who is about to answer."""
        store = self.asking(player)
        if store is None and player is not None and not self.is_terminal():
            raise IllegalActionError(f"player {player} has nothing to decide now")
        return self.store if store is None else store

    def _answer(self, asking: Store, value: Value) -> None:
        program = self.game.program
        found = pending(program, asking)
        assert found is not None, "nothing is asked"
        label = told(program, asking, value)

        def give(store: Store) -> None:
            answer(program, store, value, trusted=True)

        self._give(give, Answer(0, found.player.number, found.site, value, label))

    def _give(self, give: Callable[[Store], None], said: Answer) -> None:
        """Let an answer of a player happen, and note it."""
        program = self.game.program
        player = self.seat(said.player or 0)
        program.answered += 1
        if program.answered == MANY_ANSWERS and program.lane is None:
            from rulewright.interpreter.codegen.generated import generate

            generate(program)
        before = self.store.clone()
        try:
            turn_to(self.store, player)
            self._views.clear()
            events = self.store.count_events()
            give(self.store)
            if pending(program, self.store) is not None:
                settle(self.store)
            past = dead_ends.Happened(self._answers, self._taken_back_to, self._retakes)
            left = dead_ends.without(program, past, before, self.store, player)
        except BaseException as error:
            self._restore(before)
            note_answer(error, f"{self.game.names[player.number]}: {said.label}")
            raise
        if left is not None:
            self._answers, self._taken_back_to, self._retakes = left
            return
        self._retakes = retakes(self._retakes, before, self.store, player)
        made = decided(self.store) - decided(before)
        self._note(before, attrs.evolve(said, events=events, made=made))

    def _restore(self, before: Store) -> None:
        self.store = before
        self._views.clear()
        self.game.program.memory = None

    def _note(self, before: Store, said: Answer) -> None:
        self._answers += (said,)
        if (
            self.store.fork is None
            and self.current_players() == (said.player,)
            and not reveals(self.game.program, before, self.store)
        ):
            self._taken_back_to += (before,)
        else:
            self._taken_back_to = ()

    @property
    def setback(self) -> tuple[str, ...]:
        """Why the last answer was taken back, if it led to a dead end that was not foreseen; for the
        player who gave it."""
        return self.store.setback.told if dead_ends.is_dead_end(self.store) else ()

    def is_chance_node(self) -> bool:
        """Return whether the game waits for `apply_chance`."""
        return not self.is_terminal() and pending(self.game.program, self.store) is None

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        """Return what chance may bring here; nothing if the game does not wait for it."""
        if not self.is_chance_node():
            return ()
        return outcomes(self.game.program, self.store)

    def apply_chance(self, outcome: Outcome | int | str) -> None:
        """Say what chance brings: by an outcome, its number, or (the beginning of) its label."""
        if not self.is_chance_node():
            raise IllegalActionError("the game does not wait for chance")
        chosen = outcome_of(self.game.program, self.store, outcome)
        before = self.store.clone()
        events = before.count_events()
        self._views.clear()
        try:
            answer_chance(self.game.program, self.store, chosen.value)
            if pending(self.game.program, self.store) is not None:
                settle(self.store)
        except BaseException:
            self._restore(before)
            raise
        self._retakes = {}
        said = Answer(events, None, CHANCE_SITE, chosen.value, chosen.label)
        self._note(before, said)
        self._answers = dead_ends.without_outcomes(self._answers, self.store)

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
        return self.game.program.scoring.places(self.seen_by(None))

    def winners(self) -> tuple[int, ...]:
        """Return who has won, if the game is over."""
        if not self.is_terminal():
            return ()
        return tuple(seat.number for seat in self.game.program.scoring.winners(self.store))

    def score_sheet(self) -> tuple[SheetLine, ...]:
        """Return the lines of the score sheet, their sum last; it tells what is hidden, too."""
        return self.game.program.scoring.sheet(self.seen_by(None))

    # ------------------------------------------------------------------------------ what one knows

    def seat(self, player: int) -> Thing:
        """Return the player of a number as a thing of the rules."""
        if not 0 <= player < self.game.num_players:
            raise ValueError(f"there is no player {player}")
        return self.game.program.layout.players[player]

    def observation(self, player: int) -> dict[str, Plain]:
        """Return what a player sees now, as plain data."""
        return observation(self.game.program, self.seen_by(player), self.seat(player))

    def information_state(self, player: int) -> list[Plain]:
        """Return all that a player has done and noticed so far, as plain data."""
        store = self.seen_by(player)
        return information_state(self.game.program, store, self.seat(player), self._answers)

    def why(self, text: str, player: int | None = None) -> Explanation:
        """Return why an action (named by its label, or a verb) is possible or not."""
        from rulewright.interpreter.play.why import explain

        if player is None:
            self.asking()
            asked = self.current_players()
            player = asked[0] if asked else 0
        store = self.seen_by(player)
        return explain(self.game.program, store, self.seat(player), text, self.game.books)

    def told_by(self, game: Game) -> State:
        """Return this state in the words of the same game in another language.

        It is to be looked at, not played on: its labels, prompts, names and reasons are those of
        that language, its values the same as here. A label of it is no answer here; its actions are.
        """
        if game is self.game:
            return self
        return State(game, self.store, self.seed, self._answers)

    # ------------------------------------------------------------------------------ past and future

    def history(self) -> tuple[Answer, ...]:
        """Return all answers so far, and what a driver said for chance."""
        return self._answers

    def clone(self) -> State:
        """Return a state of its own, at the same point of the game."""
        copy = State(self.game, self.store.clone(), self.seed, self._answers)
        copy._taken_back_to = self._taken_back_to
        copy._retakes = self._retakes
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

    def can_undo(self, player: int | None = None) -> bool:
        """Return whether the last answer (of a player) can be taken back: nobody has learned anything
        since. Where several act at once each may take back his own, and must be named."""
        if self.store.fork is not None:
            return player is not None and bool(self._retakes.get(player))
        return bool(self._taken_back_to)

    def undo(self, player: int | None = None) -> None:
        """Take back the last answer of the running transaction; of several who act at once, that of
        the player."""
        if not self.can_undo(player):
            if self.store.fork is not None and player is None:
                raise InvalidActionError("several players decide at once: say whose answer this is")
            raise IllegalActionError("nothing can be taken back: somebody has learned something")
        if self.store.fork is not None and player is not None:
            self._restore(self.store.clone())
            self._retakes = take_back(self._retakes, self.store, player)
            last = max(n for n, one in enumerate(self._answers) if one.player == player)
            self._answers = self._answers[:last] + self._answers[last + 1 :]
            return
        *earlier, before = self._taken_back_to
        self._taken_back_to = tuple(earlier)
        self._restore(before.clone())
        self.store.setback = None
        self._answers = self._answers[:-1]
