"""Playing a game from a program: in the words of OpenSpiel, a game in, states and actions out.

Players are numbers from 0, in seat order. A state is the only thing here that changes; `clone`
gives one that shares nothing with it. If an action fails, for whatever reason, the state is as
before. In the examples `game` is Kuhn poker, and `state` its first state with the seed 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulewright.dsl import model
from rulewright.interpreter.engine import actions, executor
from rulewright.interpreter.engine.actions import Action, Decision, Outcome, Whole
from rulewright.interpreter.engine.load import program_on
from rulewright.interpreter.explain.citations import Books
from rulewright.interpreter.knowledge.information_state import Answer, information_state
from rulewright.interpreter.knowledge.observation import Plain, observation
from rulewright.interpreter.play import course, loading
from rulewright.interpreter.play.encodings import Encodings
from rulewright.interpreter.play.snapshot import StatePast, snapshots_of
from rulewright.interpreter.play.undo import KnownPast, is_dead_end
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.scoring import SheetLine
from rulewright.interpreter.state.errors import IllegalActionError, InvalidActionError, note_answer
from rulewright.interpreter.state.log import length
from rulewright.interpreter.state.random import Generator, fresh_seed
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value
from rulewright.interpreter.words.translation import ENGLISH, words_of

if TYPE_CHECKING:
    from rulewright.interpreter.play.why import Explanation


@attrs.frozen
class Game(Encodings):
    """A game with its variants and options, loaded for a number of players (`load_game`).

    >>> game.name, game.title, game.num_players, game.names
    ('kuhn_poker', 'Kuhn poker', 2, ('P1', 'P2'))
    """

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
        """Return the same game in another language ("de"; None or "en" is as it was written), to tell
        states of this one (`State.told_by`).

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
    def title(self) -> str:
        """What the game is called."""
        return self.model.title

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages into which its author has translated it, besides the one it is written in."""
        return tuple(sorted(self.model.languages))

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def options(self) -> Mapping[str, Value]:
        """The values of all options and rulings; `str` of each is its word."""
        return self.program.layout.options

    def new_initial_state(
        self, seed: int | str | None = None, explicit_chance: bool = False
    ) -> State:
        """Return the first state in which something is to be decided.

        The same seed gives the same game on every machine; without one it is a fresh one, which
        `State.seed` tells. `explicit_chance`: it stops where chance decides, for `apply_chance`.
        Raises `PlayError` if the rules go wrong on the way.
        """
        seed = fresh_seed() if seed is None else seed
        store = executor.begin(self.program, seed)
        store.explicit_chance = explicit_chance
        executor.advance(self.program, store)
        return State(self, store, seed)

    def __reduce__(self) -> tuple[Any, ...]:
        # As rules, not as code: whoever unpickles it loads it.
        words = {k: v if isinstance(v, int) else str(v) for k, v in self.options.items()}
        return game_of, (self.model, self.num_players, words, self.names, self.folder)

    def __deepcopy__(self, memo: object) -> Game:
        return self

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
    """Load a game of the shelf (its name), or that of a folder or file (its path).

    `players` is how many play: as many as are named, or else the least that can. `variants` are
    named by title, file name or path. `options` are options and rulings by name, with flags,
    numbers or the words of their values. `names` are those of the players, in seat order.

    Raises `RulesError` with all diagnostics if its rules are wrong or there is no such game or
    variant, `PlayersError` or `OptionError` (both `ValueError`, with one clear line) if what is
    asked for is not possible.

    >>> load_game("tic_tac_toe", names=["ann", "ben"], variants=["Misère"]).names
    ('ann', 'ben')
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
    """A game that is going on, or over.

    >>> state.current_players(), state.prompt()
    ((0,), 'Choose one')
    >>> [action.label for action in state.legal_actions()]
    ['Bet', 'Check']
    >>> state.apply_action("bet")
    >>> state.current_players(), state.is_terminal()
    ((1,), False)
    >>> state.apply_action("call")
    >>> state.ending, state.returns(), state.winners(), state.ranking()
    ('won', (-2.0, 2.0), (1,), (2, 1))
    """

    __slots__ = ("_past", "_views", "game", "seed", "store")

    def __init__(
        self, game: Game, store: Store, seed: int | str = 0, answers: Iterable[Answer] = ()
    ) -> None:
        self.game = game
        self.store = store
        self.seed = seed
        self._past = KnownPast(tuple(answers), (), {})
        self._views: dict[int | None, Store] = {}
        """The states as players who act at once have them before them."""

    # ----------------------------------------------------------------------------- who, and what

    def current_players(self) -> tuple[int, ...]:
        """Return the players for whom the game waits, in seat order: nobody at chance and at the
        end, several where they decide at once."""
        return course.current_players(self.game.program, self.store)

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
        """Return what is asked (of a player), with its prompt; None at chance and at the end.

        This and what follows raise `InvalidActionError` if several decide at once and nobody is named.
        """
        store = self.asking(player)
        return None if store is None else actions.decision(self.game.program, store)

    def prompt(self, player: int | None = None) -> str:
        """Return the question that is asked, as who is asked sees it; "" if nothing is."""
        return "" if (found := self.decision(player)) is None else found.prompt

    def legal_actions(self, player: int | None = None) -> tuple[Action, ...]:
        """Return the possible answers of the player for whom the game waits, each of which can be
        carried out to its end, and the offers behind them; () if he has nothing to decide."""
        store = self.asking(player)
        return () if store is None else actions.legal(self.game.program, store)

    def offers(self, player: int | None = None) -> tuple[Action, ...]:
        """Return the offers that can be taken instead of an answer; `legal_actions` ends with them."""
        store = self.asking(player)
        return () if store is None else actions.beside(self.game.program, store)

    def items(self, player: int | None = None) -> tuple[Action, ...]:
        """Return all things of which several may be chosen; `legal_actions` lists next pieces."""
        store = self.asking(player)
        return () if store is None else actions.items(self.game.program, store)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return executor.is_over(self.store)

    # ------------------------------------------------------------------------------------ answers

    def apply_action(self, action: Action | int | str, player: int | None = None) -> None:
        """Answer: by an action that was listed, its number in `legal_actions`, or (the beginning of)
        its label. The player must be named where several decide at once.

        Raises `InvalidActionError` if it cannot be read, `AmbiguousActionError` if it fits several, or
        `IllegalActionError` (with `reasons`) if it is not possible now. The state is then as before.
        """
        store = self._to_answer(player)
        value = actions.read_answer(self.game.program, store, action)
        self._give(course.one_answer(self.game.program, store, value))

    def apply_actions(self, actions: Mapping[int, Action | int | str]) -> None:
        """Answer for several players who decide at once: all of it, or nothing if one of the answers
        is not possible. Raises what `apply_action` does."""
        for player in set(actions).difference(self.current_players()):
            raise IllegalActionError(f"player {player} has nothing to decide now")
        before = self.clone()
        try:
            for player in sorted(actions):
                self.apply_action(actions[player], player)
        except BaseException:
            self._past = before._past
            self._restore(before.store)
            raise

    def apply_value(self, value: Value, player: int | None = None) -> None:
        """Answer with a value of the rules: one of the options, or of the things for which it stands.
        Raises `IllegalActionError` if it is no answer here."""
        program, store = self.game.program, self._to_answer(player)
        self._give(course.one_answer(program, store, actions.proved(program, store, value)))

    def answer_whole(self, given: Whole, player: int | None = None) -> None:
        """Answer a choice of several things at once: with actions, numbers or labels, as `items`
        lists them. A `split` with what each gets: all amounts in the order of `items`, or some
        with their targets, where the others get nothing. Raises what `apply_action` does."""
        self._give(course.several_things(self.game.program, self._to_answer(player), given))

    def _to_answer(self, player: int | None) -> Store:
        """Return the state of a player who is about to answer."""
        store = self.asking(player)
        if store is None and player is not None and not self.is_terminal():
            raise IllegalActionError(f"player {player} has nothing to decide now")
        return self.store if store is None else store

    def _give(self, given: course.PreparedAnswer) -> None:
        """Let an answer of a player happen, and note it."""
        program = self.game.program
        course.count_answer(program)
        before = self.store.clone()
        self._views.clear()
        try:
            self._past = course.after_answer(program, before, self.store, self._past, given)
        except BaseException as error:
            self._restore(before)
            note_answer(error, f"{self.game.names[given.player.number]}: {given.said.label}")
            raise

    def _restore(self, before: Store) -> None:
        self.store = before
        self._views.clear()
        self.game.program.decision_cache = None

    @property
    def setback(self) -> tuple[str, ...]:
        """Why the last answer was taken back, if it led to a dead end that was not foreseen; for the
        player who gave it."""
        return self.store.setback.told if is_dead_end(self.store) else ()

    def is_chance_node(self) -> bool:
        """Return whether the game waits for `apply_chance`; never without `explicit_chance`."""
        return not self.is_terminal() and pending(self.game.program, self.store) is None

    def chance_outcomes(self) -> tuple[Outcome, ...]:
        """Return what chance may bring here, with probabilities whose sum is 1; nothing if the game
        does not wait for it."""
        return executor.outcomes(self.game.program, self.store) if self.is_chance_node() else ()

    def apply_chance(self, outcome: Outcome | int | str) -> None:
        """Say what chance brings: by an outcome, its number, or (the beginning of) its label.

        Raises `IllegalActionError` if the game does not wait for chance, `InvalidActionError` or
        `AmbiguousActionError` if it is not clear what is meant.

        >>> state = game.new_initial_state(explicit_chance=True)
        >>> [outcome.label for outcome in state.chance_outcomes()]
        ['Card (rank 1)', 'Card (rank 2)', 'Card (rank 3)']
        >>> state.apply_chance("Card (rank 2)")
        """
        if not self.is_chance_node():
            raise IllegalActionError("the game does not wait for chance")
        program = self.game.program
        chosen = executor.outcome_of(program, self.store, outcome)
        before = self.store.clone()
        self._views.clear()
        try:
            self._past = course.after_chance(program, before, self.store, self._past, chosen)
        except BaseException:
            self._restore(before)
            raise

    # ------------------------------------------------------------------------------------- the end

    @property
    def ending(self) -> str | None:
        """The reason of the end; None while the game goes on, or if it simply came to its end."""
        return self.store.ending

    def returns(self) -> tuple[float, ...]:
        """Return the result of each player as a number; 0 while the game goes on."""
        if not self.is_terminal():
            return (0.0,) * self.game.num_players
        return self.game.program.scoring.standing(self.store).payoff

    def ranking(self) -> tuple[int, ...]:
        """Return the place of each player as things stand: 1 is the first, equals share one."""
        return self.game.program.scoring.standing(self.seen_by(None)).places

    def winners(self) -> tuple[int, ...]:
        """Return who has won, if the game is over."""
        if not self.is_terminal():
            return ()
        return tuple(seat.number for seat in self.game.program.scoring.standing(self.store).winners)

    def score_sheet(self) -> tuple[SheetLine, ...]:
        """Return the lines of the score sheet, their sum last; it tells what is hidden, too."""
        return self.game.program.scoring.sheet(self.seen_by(None))

    # ------------------------------------------------------------------------------ what one knows

    def seat(self, player: int) -> Thing:
        """Return the player of a number as a thing of the rules; `ValueError` if there is none."""
        if not 0 <= player < self.game.num_players:
            raise ValueError(f"there is no player {player}")
        return self.game.program.layout.players[player]

    def observation(self, player: int) -> dict[str, Plain]:
        """Return what a player sees now, as plain data: lists and mappings of texts, numbers, flags and
        None. Raises `ValueError` if there is no such player.

        >>> [seen["hand"] for seen in state.observation(0)["players"].values()]
        [['Card (rank 1)'], {'count': 1}]
        """
        return observation(self.game.program, self.seen_by(player), self.seat(player))

    def information_state(self, player: int) -> list[Plain]:
        """Return all that a player has done and noticed so far, as plain data: a mapping for each
        answer and event, oldest first. Raises `ValueError` if there is no such player."""
        store = self.seen_by(player)
        return information_state(self.game.program, store, self.seat(player), self._past.answers)

    def determinized(self, player: int, generator: Generator | int, log: bool = False) -> State:
        """Return another state that a player cannot tell from this one; what he does not see is drawn,
        by a generator or a seed. With `log` he remembers the same (`information_state`). Raises
        `ValueError` if there is no such player, `KnowledgeError` if what he knows is not known.

        >>> state.determinized(0, 1).observation(1)["players"]["P2"]["hand"]
        ['Card (rank 3)']
        """
        asked = self.game.program, self.store, self._past.answers, self.seat(player)
        return State(self.game, *course.determinized(*asked, generator, log))

    def why(self, text: str, player: int | None = None) -> Explanation:
        """Return why an action (named by its label, or a verb) is possible or not.

        Raises `InvalidActionError` if nothing is called so, or several decide at once and nobody is
        named, `AmbiguousActionError` if several are.

        >>> print(state.why("bet").text())
        Bet: this is possible.
        """
        from rulewright.interpreter.play.why import explain

        if player is None:
            self.asking()
            player = next(iter(self.current_players()), 0)
        store = self.seen_by(player)
        return explain(self.game.program, store, self.seat(player), text, self.game.books)

    def told_by(self, game: Game) -> State:
        """Return this state in the words of the same game in another language: to be looked at, not
        played on. Its labels, prompts, names and reasons are those of that language, its values the
        same as here. A label of it is no answer here; its actions are."""
        if game is self.game:
            return self
        return State(game, self.store, self.seed, self._past.answers)

    # ------------------------------------------------------------------------------ past and future

    def history(self) -> tuple[Answer, ...]:
        """Return all answers so far, and what a driver said for chance."""
        return self._past.answers

    def clone(self) -> State:
        """Return a state of its own, at the same point of the game."""
        copy = State(self.game, self.store.clone(), self.seed)
        copy._past = self._past
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        whole = length(self.store.log) == self.store.count_events()
        return self.game.unpack, (self.pack(log=whole),)

    def pack(self, log: bool = False) -> bytes:
        """Return the state as bytes for `Game.unpack`: it goes on from there exactly as from here.

        With `log` the events and answers so far go along. Without it (some hundred bytes) they are
        only counted: `history` and the log of the unpacked state begin empty, `information_state`
        tells what comes from then on, and `save_state` refuses it. Nothing before can be taken back.
        """
        past = StatePast(self.seed, self._past.answers if log else ())
        return snapshots_of(self.game.program).pack(self.store, log, past)

    def can_undo(self, player: int | None = None) -> bool:
        """Return whether the last answer (of a player) can be taken back: nobody has learned anything
        since. Where several act at once each may take back his own, and must be named."""
        own = () if player is None else self._past.retakes.get(player)
        return bool(self._past.states if self.store.fork is None else own)

    def undo(self, player: int | None = None) -> None:
        """Take back the last answer of the running transaction; of several who act at once, that of
        the player. Raises `IllegalActionError` if that is not possible (`can_undo`),
        `InvalidActionError` if several act at once and nobody is named."""
        if not self.can_undo(player):
            if self.store.fork is not None and player is None:
                raise InvalidActionError("several players decide at once: say whose answer this is")
            raise IllegalActionError("nothing can be taken back: somebody has learned something")
        before, self._past = course.taken_back(self.store, self._past, player)
        self._restore(before)
