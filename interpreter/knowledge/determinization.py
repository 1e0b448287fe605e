"""Determinization: another state that a player cannot tell from the real one.

    knowledge = Knowledge(program, store, player)      # once for each state in which he must answer
    other = knowledge.sample(generator)                # as often as is needed

Everything that the player sees, has noticed and has done is the same in a sample; what he does not see
is drawn anew: which cards lie where (`mixing`), and what others do who act at the same time, who begin
again. Numbers and choices that are hidden come from playing the game once more (`replays`); where that
does not lead here, or nobody has told what was answered, they are guessed (`guesses`), and a sample says
so. They are never the true ones but by chance. A sample can be played on. It shares nothing that changes with the real state, and has a stream of
chance of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.asked import asked
from rulewright.interpreter.knowledge.guessed_locals import GuessedLocals
from rulewright.interpreter.knowledge.guesses import Guesses, hidden_places
from rulewright.interpreter.knowledge.information_state import Answer, known_answers
from rulewright.interpreter.knowledge.locations import CannotBeSaid
from rulewright.interpreter.knowledge.mixing import Drawn
from rulewright.interpreter.knowledge.past import mixing_of
from rulewright.interpreter.knowledge.replays import Replays
from rulewright.interpreter.knowledge.rewriting import Rewriter
from rulewright.interpreter.knowledge.running import can_run
from rulewright.interpreter.knowledge.secret_locals import is_asked, secret_locals
from rulewright.interpreter.lookahead.lookahead import first_living
from rulewright.interpreter.program import branches
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.state.errors import KnowledgeError, PlayError
from rulewright.interpreter.state.frames import DONE, NEW, NO_DEAD_ENDS, Branch, Fork
from rulewright.interpreter.state.layout import DECISIONS, RANDOM, SCALARS
from rulewright.interpreter.state.log import Log, latest_first, length, longer
from rulewright.interpreter.state.random import MASK, Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

MOST_TRIES = 100
"""So many states are drawn until one of them can go on: others must have something to decide."""

MOST_TOGETHER = 50
"""In so many of them what running verbs hold is as in one other game; then each value is guessed apart."""

MOST_REPLAYS = 16
"""So many games are played once more for one state; from then on samples are taken from these."""

MOST_FAILURES = 2
"""After so many that led nowhere hidden numbers are guessed."""


@attrs.frozen
class Sample:
    """A state that was drawn."""

    store: Store
    guessed: tuple[str, ...] = ()
    """The fields in which values are guessed, and `running verbs`: they may not fit what the player has
    noticed."""

    answers: tuple[Answer, ...] = ()
    """What the player has answered in it, or heard, as far as that was told."""


def determinized(
    program: Program,
    store: Store,
    player: Thing,
    generator: Generator,
    log: bool = False,
    answers: Iterable[Answer] | None = None,
) -> Store:
    """Return a state that the player cannot tell from this one, drawn with a generator.

    Raises `KnowledgeError` if that cannot be said.
    """
    return Knowledge(program, store, player, answers).sample(generator, log)


class Knowledge:
    """What a player can know of a state; it is worked out once, for as many samples as are needed."""

    def __init__(
        self,
        program: Program,
        store: Store,
        player: Thing,
        answers: Iterable[Answer] | None = None,
    ) -> None:
        """`answers` are all that have been given since the game began, if that is known."""
        self.program = program
        self.player = player
        here = seen_by(store, player)
        if length(here.log) < here.count_events():
            raise KnowledgeError(
                "what has happened is not known: the state was packed without its log"
            )
        if here.explicit_chance and executor.chance_outcomes(program, here):
            raise KnowledgeError("the game waits for chance: nobody has to decide")
        begun = None if store.fork is None else length(store.fork.log)
        self.hidden = hidden_places(program, here, player)
        """The fields that he does not see and whose values are drawn: dice, roles, sealed bids, and what
        points at something."""

        is_last = store.fork is not None or is_asked(program, here, player)
        self.unknown = secret_locals(program).of(here.frames, here.log, player, is_last)
        """What he does not know of the running verbs."""

        self.mixing = mixing_of(program, here, player, begun, self.unknown, self.hidden)
        self.rewriter = Rewriter(program, here, player, self.mixing, self.unknown.shown)
        self.past = list(latest_first(here.log))[::-1]
        self.locals = GuessedLocals(program, here.frames, player, is_last, self.unknown)
        self.guesses = Guesses(program, self.hidden, here.frames, self.unknown.clouded)
        self.answers = tuple(known_answers(program, player, answers or ()))
        self.question = asked(program, here, player) if self.unknown else None
        self.replays = None
        if (self.hidden or self.unknown) and answers is not None:
            self.replays = Replays(program, store, player, answers, self.question)
        self.replayed: list[tuple[Store, tuple[Answer, ...]]] = []
        self.failures = 0
        self.at_once = None if store.fork is None else _AtOnce(program, store, player, self)

    def sample(self, generator: Generator, log: bool = False) -> Store:
        """Return a state that the player cannot tell from the real one. With `log` it knows what has
        happened, as it was in it; without, its log may begin now."""
        return self.draw(generator, log).store

    def draw(self, generator: Generator, log: bool = False) -> Sample:
        """Return the same with what is only guessed in it."""
        replayed = self._replayed(generator)
        if replayed is not None:
            return Sample(replayed[0], answers=replayed[1])
        for number in range(MOST_TRIES):
            apart = number >= MOST_TOGETHER
            drawn = self.mixing.draw(generator)
            if drawn is None:
                continue
            other = self.rewriter.write(drawn, generator.below(MASK))
            other.log = other.counted = self._log(drawn) if log else None
            if self.at_once is None:
                for place, value in self.guesses.draw(other, generator):
                    other.columns[place.slot][place.index] = value
                try:
                    self.locals.write(other, generator, apart)
                except CannotBeSaid:
                    continue
                found = other if self._goes_on(other) else None
            else:
                found = self.at_once.begun(other, drawn, generator, apart)
            if found is not None and self._can_run(found, generator):
                return Sample(found, self._names(), self.answers)
        raise KnowledgeError(f"none of {MOST_TRIES} states that were drawn can go on")

    def _names(self) -> tuple[str, ...]:
        fields = self.program.layout.fields
        names = dict.fromkeys(fields[place.slot].id for place in self.hidden)
        return (*names, *self.locals.names)

    def _replayed(self, generator: Generator) -> tuple[Store, tuple[Answer, ...]] | None:
        """Return a state to which the game came when it was played once more, and its answers."""
        if self.replays is None:
            return None
        if len(self.replayed) < MOST_REPLAYS and self.failures < MOST_FAILURES:
            drawn = self.mixing.draw(generator)
            if drawn is not None:
                events = list(drawn.events(self.program.layout, self.past))
                played = self.replays.play(drawn, events, generator)
                if played is not None:
                    self.replayed.append(played)
                    return played[0].clone(), played[1]
            self.failures += 1
        if not self.replayed:
            return None
        store, answers = generator.pick(self.replayed)
        found = store.clone()
        found.write(SCALARS, RANDOM, generator.below(MASK))
        return found, answers

    def _goes_on(self, other: Store) -> bool:
        """Return whether somebody else who has to decide can do so; whether the player is asked the same."""
        program = self.program
        program.decision_cache = None
        try:
            waiting = pending(program, other)
            if waiting is None or waiting.player is self.player:
                return not self.unknown or asked(program, other, self.player) == self.question
        except PlayError:
            return False
        try:
            _begin_selection_anew(other, waiting.op.question)
            program.decision_cache = None
            return bool(first_living(program, other.clone()))
        except PlayError:
            return False
        finally:
            program.decision_cache = None

    def _can_run(self, found: Store, generator: Generator) -> bool:
        """Return whether the rules could have come to what is guessed of running verbs, as far as is tried."""
        guessed = self.unknown.clouded | self.unknown.names.keys()
        return not guessed or can_run(self.program, found, min(guessed), generator)

    def _log(self, drawn: Drawn) -> Log | None:
        log: Log | None = None
        for event in drawn.events(self.program.layout, self.past):
            log = longer(log, event)
        return log


def _begin_selection_anew(other: Store, question: Question) -> None:
    """Let somebody who is in the middle of choosing several things begin with that anew if what he has
    picked so far does not stand to choice for him: the player has not heard what it was."""
    frame = other.frames[-1]
    picked = frame.locals.get(question.partial)
    if question.kind == "several" and picked and question.source is not None:
        items = question.source(other, frame.me, frame.locals)
        if not set(picked) <= set(items):
            del frame.locals[question.partial]


class _AtOnce:
    """Lets all others begin who act at once with the player, or while he looks on."""

    def __init__(self, program: Program, store: Store, player: Thing, known: Knowledge) -> None:
        fork = store.fork
        assert fork is not None, "nobody acts at once"
        self.program = program
        self.fork = fork
        self.own = branches.own_branch(store, player)
        start = Store(store.layout, list(fork.columns))
        start.frames = list(fork.frames)
        self.since = 0 if self.own is None else length(self.own.log, fork.log)
        """How many events there have been that are the player's own."""

        shared = secret_locals(program).of(fork.frames, fork.log, player, True)
        self.rewriter = Rewriter(program, start, player, known.mixing, shared.shown)
        self.locals = GuessedLocals(program, fork.frames, player, True, shared)
        self.guesses = Guesses(program, known.hidden, fork.frames, shared.clouded)
        self.own_locals = known.locals
        self.body = program.op(fork.frames[-1]).edges["body"]

    def begun(self, front: Store, drawn: Drawn, generator: Generator, apart: bool) -> Store | None:
        """Return the state in which all have come to what they decide first; `front` is as the player
        has it before him. None if that is not where the game waits for somebody."""
        program = self.program
        other = self.rewriter.write(drawn.before or drawn, front.random_state)
        try:
            self._guess_locals(front, other, generator, apart)
        except CannotBeSaid:
            return None
        for place, value in self.guesses.draw(other, generator):
            before = front.columns[place.slot][place.index]
            # What the player has changed himself was something else when all began.
            for store in (front, other):
                if store.columns[place.slot][place.index] == before:
                    store.columns[place.slot][place.index] = value
        log = front.log
        for _ in range(self.since if log is not None else 0):
            assert log is not None
            log = log[0]
        start = tuple([column.copy() for column in other.columns])
        fork = Fork(start, tuple(other.frames), self.fork.branches, log=log)
        other.fork = branches.begun_anew(fork, self.body, self._own(front, other))
        program.decision_cache = None
        try:
            if branches.go_on(other) == NEW:
                executor.advance(program, other)
        except PlayError:
            return None
        finally:
            program.decision_cache = None
        if other.fork is None or other.fork.columns is not start:
            return None
        branches.settle(other)
        other.columns[SCALARS][DECISIONS] = 0
        return other

    def _guess_locals(self, front: Store, start: Store, generator: Generator, apart: bool) -> None:
        """Let what the player does not know of running verbs be guessed: the same in what all share."""
        self.locals.write(start, generator, apart)
        self.own_locals.write(front, generator, apart)
        shared = len(start.frames) - 1
        front.frames[:shared] = [frame.copy() for frame in start.frames[:shared]]
        held = start.frames[shared].locals
        for name in self.own_locals.unknown.names.get(shared, ()):
            if name in held:
                front.frames[shared].locals[name] = held[name]

    def _own(self, front: Store, start: Store) -> Branch | None:
        """Return what the player has done himself."""
        own = self.own
        if own is None:
            return None
        done = own.phase == DONE
        return attrs.evolve(
            own,
            cells=tuple(branches.different(start.columns, front.columns)),
            frames=() if done else tuple(front.frames[len(self.fork.frames) - 1 :]),
            random=front.random_state ^ MASK,
            log=front.log,
            dead_ends=NO_DEAD_ENDS if done else (None, *own.dead_ends[1:]),
        )
