"""Determinization: another state that a player cannot tell from the real one.

    knowledge = Knowledge(program, store, player)      # once for each state in which he must answer
    other = knowledge.sample(generator)                # as often as is needed

Everything that the player sees, has noticed and has done is the same in a sample; what he does not see
is drawn anew: which cards lie where (`mixing`), and what others do who act at the same time, who begin
again. A sample can be played on. It shares nothing that changes with the real state, and has a stream of
chance of its own.
"""

from __future__ import annotations

import attrs

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.mixing import Drawn
from rulewright.interpreter.knowledge.past import mixing_of
from rulewright.interpreter.knowledge.rewriting import Rewriter
from rulewright.interpreter.knowledge.sight import unseen_fields
from rulewright.interpreter.lookahead.lookahead import first_living
from rulewright.interpreter.program import branches
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.state.errors import KnowledgeError, PlayError
from rulewright.interpreter.state.frames import DONE, NEW, NO_DEAD_ENDS, Branch, Fork
from rulewright.interpreter.state.layout import DECISIONS, SCALARS
from rulewright.interpreter.state.log import Log, latest_first, length, longer
from rulewright.interpreter.state.random import MASK, Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing

MOST_TRIES = 100
"""So many states are drawn until one of them can go on: others must have something to decide."""


def determinized(
    program: Program, store: Store, player: Thing, generator: Generator, log: bool = False
) -> Store:
    """Return a state that the player cannot tell from this one, drawn with a generator.

    Raises `KnowledgeError` if that cannot be said.
    """
    return Knowledge(program, store, player).sample(generator, log)


class Knowledge:
    """What a player can know of a state; it is worked out once, for as many samples as are needed."""

    def __init__(self, program: Program, store: Store, player: Thing) -> None:
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
        self.mixing = mixing_of(program, here, player, begun)
        self.rewriter = Rewriter(program, here, player, self.mixing)
        self.past = list(latest_first(here.log))[::-1]
        self.kept = kept_fields(program, here, player)
        """The fields in which hidden values stand that are not drawn: in samples they are the true ones.
        Empty where everything that the player does not see is drawn."""

        self.at_once = None if store.fork is None else _AtOnce(program, store, player, self)

    def sample(self, generator: Generator, log: bool = False) -> Store:
        """Return a state that the player cannot tell from the real one. With `log` it knows what has
        happened, as it was in it; without, its log begins now."""
        for _ in range(MOST_TRIES):
            drawn = self.mixing.draw(generator)
            if drawn is None:
                continue
            other = self.rewriter.write(drawn, generator.below(MASK))
            other.log = other.counted = self._log(drawn) if log else None
            found = other if self.at_once is None else self.at_once.begun(other, drawn)
            if found is not None and (self.at_once is not None or self._goes_on(found)):
                return found
        raise KnowledgeError(f"none of {MOST_TRIES} states that were drawn can go on")

    def _goes_on(self, other: Store) -> bool:
        """Return whether somebody else who has to decide can do so."""
        program = self.program
        waiting = pending(program, other)
        if waiting is None or waiting.player is self.player:
            return True
        _begin_selection_anew(other, waiting.op.question)
        program.decision_cache = None
        try:
            return bool(first_living(program, other.clone()))
        except PlayError:
            return False
        finally:
            program.decision_cache = None

    def _log(self, drawn: Drawn) -> Log | None:
        log: Log | None = None
        for event in drawn.events(self.program.layout, self.past):
            log = longer(log, event)
        return log


def kept_fields(program: Program, store: Store, player: Thing) -> tuple[str, ...]:
    """Return the fields with values that a player does not see, has not seen being written, and that are
    not drawn: dice, roles, sealed numbers."""
    written = {
        (place.slot, place.index)
        for event in store.events()
        if event.kind in ("set", "add", "remove", "swap") and player.number not in event.seers
        for place in event.data
        if isinstance(place, PlaceValue)
    }
    return tuple(
        dict.fromkeys(
            program.layout.fields[place.slot].id
            for place in unseen_fields(program, store, player)
            if (place.slot, place.index) in written
        )
    )


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
        self.rewriter = Rewriter(program, start, player, known.mixing)
        self.since = 0 if self.own is None else length(self.own.log, fork.log)
        """How many events there have been that are the player's own."""

        self.body = program.op(fork.frames[-1]).edges["body"]

    def begun(self, front: Store, drawn: Drawn) -> Store | None:
        """Return the state in which all have come to what they decide first; `front` is as the player
        has it before him. None if that is not where the game waits for somebody."""
        program = self.program
        other = self.rewriter.write(drawn.before or drawn, front.random_state)
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
