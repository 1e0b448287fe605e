"""A saved game played once more: gives its answers again, and finds the first difference.

    replayed = replay(saved, game)
    replayed.state            # after all answers, or after those up to the first difference
    replayed.difference       # None, or where the game goes another way than it did
    replayed.changed          # the definitions that mean something else than when it was saved

The answers count, nothing else: each must be possible where it is given, and what happens is compared
with what happened then. So a state that comes from here is one of the game, whoever wrote the save.
Under other rules the same is done as far as it goes. Whether something has another label by now does not
matter, as long as it is clear what was meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, zip_longest

import attrs

from rulewright.dsl.analysis.meaning import Definition, definitions, digest_of
from rulewright.dsl.text.source import Span
from rulewright.interpreter.engine.actions import MOST_LISTED, Action
from rulewright.interpreter.engine.load import program_on
from rulewright.interpreter.ir.machine import Op, Run
from rulewright.interpreter.lookahead.reasons import Reason
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.save_format import (
    BY_MEANING,
    Saved,
    SavedAnswer,
    SavedEvent,
    saved_event,
    short,
    unplaced,
)
from rulewright.interpreter.program import branch_codec
from rulewright.interpreter.program.decisions import (
    current,
    offers,
    option_for,
    option_labels,
    pending,
)
from rulewright.interpreter.program.encoding import Plain, ValueCodec
from rulewright.interpreter.state.errors import (
    IllegalActionError,
    InvalidActionError,
    PlayError,
    RecordError,
)
from rulewright.interpreter.state.frames import Fork, Frame
from rulewright.interpreter.state.log import Event, Log, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_PLACES = 3


@attrs.frozen
class Difference:
    """Where a game goes another way than it did.

    >>> text = save_state(load_game("tic_tac_toe").new_initial_state(seed=1))
    >>> replay(read_save(text)).difference is None
    True
    """

    answer: SavedAnswer | None
    """The answer that is not possible, or makes something else happen; None before the first."""

    number: int
    """Its number, counted from 1; 0 before the first."""

    text: str
    """What is different, in one line."""

    then: Event | None = None
    now: Event | None = None
    """Of what happens: what happened when it was saved, and what happens now."""

    places: tuple[Span, ...] = ()
    """The lines of the rules that make it so."""


@attrs.frozen
class Replay:
    """What came of the answers of a save.

    >>> came = replay(read_save(save_state(state)))
    >>> came.state.prompt(), came.same_rules
    ('Choose one', True)
    """

    state: State
    difference: Difference | None
    changed: tuple[str, ...]
    """The definitions with another meaning; of saves that do not tell them none."""

    same_rules: bool | None
    """Whether the rules mean the same; None if the save does not tell."""


class _Divergence(Exception):
    """An answer cannot be given as it was."""

    def __init__(self, text: str, places: Sequence[Span] = ()) -> None:
        self.text = text
        self.places = tuple(places)
        super().__init__(text)


def replay(saved: Saved, game: Game) -> Replay:
    """Return what comes of the answers of a save under the rules of a game, which is for as many
    players. Raises `RecordError` if the game cannot even begin."""
    found = definitions(game.model)
    same = None
    if saved.format >= BY_MEANING:
        same = saved.digest == digest_of(game.model)
    names = () if same or not saved.rules else sorted({*saved.rules, *found})
    changed = tuple(
        name for name in names if name not in found or saved.rules.get(name) != found[name].digest
    )
    return _Replayer(saved, game, changed, found, same).run()


class AnswerGiver:
    """Gives answers that were written down, to states of a game."""

    def __init__(
        self, game: Game, form: int, changed: tuple[str, ...] = (), same: bool | None = True
    ) -> None:
        self.game = game
        self.form = form
        """The form in which they are written."""

        self.changed = changed
        """The definitions with another meaning than they had then."""

        self.same = same
        """Whether the rules mean the same; None if that is not known."""

        self.codec = ValueCodec(game.program.layout)

    def given(self, state: State, answer: SavedAnswer) -> State:
        """Return a state after an answer. Raises `RecordError` if it is none there."""
        after = state.clone()
        try:
            self.give(after, answer)
        except _Divergence as met:
            raise RecordError(met.text) from None
        return after

    def give(self, state: State, answer: SavedAnswer) -> None:
        """Give an answer as it was given. Raises `_Divergence` if that is not possible."""
        try:
            if answer.player < 0:
                self._let_chance_come(state, answer)
            else:
                self._answer(state, answer)
        except (IllegalActionError, InvalidActionError) as error:
            reasons = [one for one in getattr(error, "reasons", ()) if isinstance(one, Reason)]
            places = [one.span for one in reasons] or self._asked_at(state, answer)
            told = "; ".join(one.text for one in reasons) or str(error)
            raise _Divergence(f"this is not possible: {told}", places) from None
        except PlayError as error:
            raise _Divergence(
                f"the rules go wrong: {error.diagnostic().headline}", [error.span]
            ) from None

    def _let_chance_come(self, state: State, answer: SavedAnswer) -> None:
        outcomes = state.chance_outcomes()
        if not outcomes:
            raise _Divergence("the game does not wait for chance")
        plain = unplaced(answer.value)
        for outcome in outcomes:
            if unplaced(self.codec.encode(outcome.value)) == plain:
                state.apply_chance(outcome)
                return
        raise _Divergence("chance cannot bring this")

    def _answer(self, state: State, answer: SavedAnswer) -> None:
        store = state.asking(answer.player) if answer.player in state.current_players() else None
        if store is None:
            raise _Divergence(self._instead(state))
        value, whole = self._meant(store, answer)
        if not whole:
            state.apply_value(value, answer.player)
        elif current(self.game.program, store).question.kind == "split":
            state.answer_whole(value, answer.player)
        else:
            pieces = [Action(place, one, "", "piece") for place, one in enumerate(value)]
            state.answer_whole(pieces, answer.player)

    def _instead(self, state: State) -> str:
        if state.is_terminal():
            return "the game is over"
        if state.is_chance_node():
            return "the game waits for chance"
        asked = " and ".join(self.game.names[one] for one in state.current_players())
        return f"nobody asks this: {asked} decides"

    def _asked_at(self, state: State, answer: SavedAnswer) -> list[Span]:
        store = state.asking(answer.player) if answer.player in state.current_players() else None
        waiting = None if store is None else pending(self.game.program, store)
        return [] if waiting is None else [waiting.op.span]

    def _meant(self, store: Store, answer: SavedAnswer) -> tuple[Value, bool]:
        """Return what an answer means where it is asked for now, and whether it is given as a whole."""
        program, plain = self.game.program, answer.value
        asked = current(program, store)
        kind, op = asked.question.kind, asked.question.op
        if kind == "split" and type(plain) is list:
            return self._amounts(plain), True
        found = self._option(store, plain)
        # What is called what matters only if that is not clear.
        told = () if self.same else option_labels(program, store, found)
        if kind == "several" and type(plain) is list:
            # A list can also be one of the things that stand to choice; earlier forms do not tell.
            if answer.whole or (self.form < BY_MEANING and told != (answer.label,)):
                return tuple([self._item(store, one) for one in plain]), True
        if not self.same and told != (answer.label,):
            found = self._by_label(store, answer.label) or found
            if kind == "either" and told and self._is_changed(store.frames[-1].unit):
                # The arms may be others by now: that one stands at its place says nothing.
                found = self._by_label(store, answer.label)
        if not found:
            raise _Divergence("this cannot be chosen here", [op.span])
        return found[0], False

    def _amounts(self, plain: list[Plain]) -> tuple[int, ...]:
        if not all(type(one) is int for one in plain):
            raise _Divergence("a distribution is made of numbers")
        return tuple(plain)

    def _decoded(self, plain: Plain) -> tuple[Value, ...]:
        try:
            return (self.codec.decode(plain),)
        except (ValueError, KeyError, TypeError):
            return ()

    def _option(self, store: Store, plain: Plain) -> tuple[Value, ...]:
        """Return the option that an answer is; nothing if it is none."""
        program = self.game.program
        for value in self._decoded(plain):
            with suppress(IllegalActionError):
                return (option_for(program, store, value),)
        if type(plain) is not dict:
            return ()
        # What is handed on has another id if the rules stand elsewhere.
        options = current(program, store).options
        listed = () if isinstance(options, range) else options
        wanted = unplaced(plain)
        found = (
            option
            for option in (*listed, *offers(program, store))
            if unplaced(self.codec.encode(option)) == wanted
        )
        return tuple(islice(found, 1))

    def _item(self, store: Store, plain: Plain) -> Value:
        asked = current(self.game.program, store)
        for value in self._decoded(plain):
            if value in asked.items:
                return value
        told = plain if isinstance(plain, str) else "this"
        raise _Divergence(f"{short(told)} cannot be chosen here", [asked.question.op.span])

    def _by_label(self, store: Store, label: str) -> tuple[Value, ...]:
        """Return the only option with a label."""
        program = self.game.program
        options = current(program, store).options
        if isinstance(options, range):
            return ()
        every = (*islice(options, MOST_LISTED), *offers(program, store))
        labels = option_labels(program, store, every)
        found = tuple(one for one, told in zip(every, labels, strict=True) if told == label)
        return found if len(found) == 1 else ()

    def _is_changed(self, unit: str) -> bool:
        return any(name.partition(" (")[0].endswith(f" {unit}") for name in self.changed)


class _Replayer(AnswerGiver):
    """A replay that goes on."""

    def __init__(
        self,
        saved: Saved,
        game: Game,
        changed: tuple[str, ...],
        found: dict[str, Definition],
        same: bool | None,
    ) -> None:
        super().__init__(game, saved.format, changed, same)
        self.saved = saved
        self.found = found
        self.state = self._begin(game)
        self.log: Log | None = None
        """Up to where the events have been compared."""

        self.compared = 0
        """How many events that is."""

        self.sure = 0
        """After how many answers they were compared last."""

    def _begin(self, game: Game) -> State:
        try:
            return game.new_initial_state(self.saved.seed, self.saved.explicit_chance)
        except PlayError as error:
            told = error.diagnostic().headline
            raise RecordError(f"its rules go wrong when the game begins: {told}") from None

    def run(self) -> Replay:
        """Give all answers, or those up to the first difference."""
        answers = self.saved.answers
        difference: Difference | None = None
        for number, answer in enumerate(answers):
            difference = self.compare(number, answer.events)
            if difference is not None:
                break
            try:
                self.give(self.state, answer)
            except _Divergence as met:
                difference = Difference(answer, number + 1, met.text, places=met.places)
                break
        else:
            difference = self.compare(len(answers), len(self.saved.events))
        return Replay(self.state, difference, self.changed, self.same)

    # -------------------------------------------------------------------------------------- events

    def compare(self, number: int, upto: int) -> Difference | None:
        """Return the first event since the last look that is another one than it was, before an
        answer is given; `upto` is how many events there were by then."""
        store, saved = self.state.store, self.saved
        fork = store.fork
        if fork is not None and number < len(saved.answers):
            # What has happened for each of them is compared when they are joined.
            return None
        log = store.log if fork is None else fork.log
        now = [*latest_first(log, self.log)][::-1]
        found = self._first_other(saved.events[self.compared : upto], now)
        if found is not None:
            return self._other_event(number, self.compared + found[0], *found[1:])
        branches = {} if fork is None else self._branches(store)
        if (
            number == len(saved.answers)
            and saved.format >= BY_MEANING
            and branches != saved.branches
        ):
            return self._other_event(number, -1, None, None)
        self.log, self.sure = log, number
        self.compared += len(now)
        return None

    def _first_other(
        self, then: Sequence[SavedEvent], now: Sequence[Event]
    ) -> tuple[int, SavedEvent | None, Event | None] | None:
        for index, (one, other) in enumerate(zip_longest(then, now)):
            plain = None if other is None else saved_event(other, self.codec)
            if one is not None and plain is not None and one.kind == plain.kind == "show":
                # Earlier versions did not say from where.
                plain = attrs.evolve(plain, data=plain.data[: max(len(one.data), 2)])
            if one != plain:
                if one is None or attrs.evolve(one, data=unplaced(one.data)) != plain:
                    return index, one, other
        return None

    def _branches(self, store: Store) -> dict[str, list[SavedEvent]]:
        _, fork, _ = branch_codec.split(store)
        assert fork is not None, "nobody acts at once"
        return branches_of(fork, self.codec)

    def _other_event(
        self, number: int, index: int, then: SavedEvent | None, now: Event | None
    ) -> Difference:
        answer = self.saved.answers[number - 1] if number else None
        text = "something else happens" if number else "the game begins in another way"
        made = _DivergenceTrace(self, number, index).places()
        return Difference(answer, number, text, self._event(then), now, made)

    def _event(self, plain: SavedEvent | None) -> Event | None:
        """Return an event that was saved, as far as these rules know what it speaks of."""
        if plain is None:
            return None
        actor, data = self._decoded(plain.actor), self._decoded(plain.data)
        if not (actor and data):
            return None
        seen = map(frozenset, (plain.seers, plain.counters, plain.strangers))
        return Event(plain.kind, actor[0], data[0], *seen)


def branches_of(fork: Fork, codec: ValueCodec) -> dict[str, list[SavedEvent]]:
    """Return what has happened for each of several who act at once."""
    return {
        branch.player.key: [saved_event(event, codec) for event in fork.own_events(branch)]
        for branch in fork.branches
    }


class _DivergenceTrace:
    """Plays up to a difference once more, on handlers that note which rules run."""

    def __init__(self, replaying: _Replayer, number: int, index: int) -> None:
        self.replaying = replaying
        self.number = number
        self.index = index
        """Which event it is; -1 for none in particular."""

        self.maker: Op | None = None
        self.noting = False
        self.ran: dict[str, Span] = {}
        """The definitions with another meaning that have run since the last look."""

    def places(self) -> tuple[Span, ...]:
        """Return the lines that make the difference, as far as that can be told."""
        replaying = self.replaying
        game = replaying.game
        program = program_on(game.model, game.program.layout)
        program.runs.make = lambda unit: [self._noted(op) for op in program.code[unit]]
        self.changed = [
            one.span
            for name in replaying.changed
            if (one := replaying.found.get(name)) is not None and one.span is not None
        ]
        with suppress(_Divergence, RecordError):
            self.noting = replaying.sure == 0
            state = replaying._begin(attrs.evolve(game, program=program))
            for number, answer in enumerate(replaying.saved.answers[: self.number]):
                self.noting = number >= replaying.sure
                replaying.give(state, answer)
        made = [] if self.maker is None else [self.maker.span]
        return tuple(dict.fromkeys([*made, *self.ran.values()]))[:MOST_PLACES]

    def _noted(self, op: Op) -> Run:
        run = op.run

        def noted(store: Store, frame: Frame) -> int:
            if store.trail is not None or not self.noting:
                return run(store, frame)
            for span in self.changed:
                if _is_inside(op.span, span):
                    self.ran.setdefault(f"{span.source.name}:{span.start}", op.span)
            if store.fork is not None or self.index < 0:
                return run(store, frame)
            before = store.count_events()
            result = run(store, frame)
            if store.fork is None and before <= self.index < store.count_events():
                self.maker = op
            return result

        return noted


def _is_inside(one: Span, other: Span) -> bool:
    return one.source.name == other.source.name and other.start <= one.start < other.end
