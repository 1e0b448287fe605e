"""The course of a game: a state and an answer, an outcome or an undo in; what has happened by then out.

A store is changed in place. If something goes wrong it is left in the middle: whoever calls has a copy
of it, which is the state to go back to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulewright.interpreter.engine.actions import Outcome, Whole, decision
from rulewright.interpreter.engine.executor import answer, answer_chance
from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.engine.whole_selections import WHOLE, read_whole
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.play import undo
from rulewright.interpreter.play.undo import KnownPast, retakes, reveals, take_back
from rulewright.interpreter.program.branches import deciding, settle, turn_to
from rulewright.interpreter.program.decisions import pending, told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import InvalidActionError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

CHANCE_SITE = "chance"
DRAWN = "drawn, not played"
"""The seed of a state to which no seed leads."""

MANY_ANSWERS = 2000  # so many pay for the writing of code


def current_players(program: Program, store: Store) -> tuple[int, ...]:
    """Return the players for whom the game waits, in seat order."""
    found = pending(program, store)
    if found is None:
        return ()
    if store.fork is None:
        return (found.player.number,)
    return tuple([player.number for player in deciding(store)])


@attrs.frozen
class PreparedAnswer:
    """An answer that can be given: whose, what it does, and how it is noted."""

    player: Thing
    give: Callable[[Store], None]
    said: Answer


def one_answer(program: Program, asking: Store, value: Value) -> PreparedAnswer:
    """Return the answer with a value that is possible in the state of who is asked."""
    found = pending(program, asking)
    assert found is not None, "nothing is asked"
    label = told(program, asking, value)

    def give(store: Store) -> None:
        answer(program, store, value, trusted=True)

    return PreparedAnswer(
        found.player, give, Answer(0, found.player.number, found.site, value, label)
    )


def several_things(program: Program, asking: Store, given: Whole) -> PreparedAnswer:
    """Return the answer with several things at once, or with what each gets of a distribution.

    Raises `InvalidActionError` if it is no choice of several things, and what `read_whole` does.
    """
    waiting = decision(program, asking)
    if (
        waiting is None
        or waiting.kind not in WHOLE
        or (waiting.kind == "several" and waiting.picked)
    ):
        raise InvalidActionError("this is no choice of several things")
    whole, label, give = read_whole(program, asking, waiting, given)
    player = program.layout.players[waiting.player]
    return PreparedAnswer(
        player, give, Answer(0, waiting.player, waiting.site, whole, label, whole=True)
    )


def count_answer(program: Program) -> None:
    """Count an answer; when it was many, write the code that makes the next ones cheaper."""
    program.answered += 1
    if program.answered == MANY_ANSWERS:
        from rulewright.interpreter.codegen.generated import use_generated_code

        use_generated_code(program)


def after_answer(
    program: Program, before: Store, store: Store, past: KnownPast, given: PreparedAnswer
) -> KnownPast:
    """Let an answer of a player happen, and return what has happened then; `before` is a copy of the
    store."""
    turn_to(store, given.player)
    events = store.count_events()
    given.give(store)
    if pending(program, store) is not None:
        settle(store)
    left = undo.drop_dead_end(program, past, before, store, given.player)
    if left is not None:
        return left
    past = past._replace(retakes=retakes(past.retakes, before, store, given.player))
    said = attrs.evolve(given.said, events=events, made=decided(store) - decided(before))
    return _noted(program, before, store, past, said)


def after_chance(
    program: Program, before: Store, store: Store, past: KnownPast, chosen: Outcome
) -> KnownPast:
    """Let chance bring something, and return what has happened then; `before` is a copy of the store."""
    answer_chance(program, store, chosen.value)
    if pending(program, store) is not None:
        settle(store)
    said = Answer(before.count_events(), None, CHANCE_SITE, chosen.value, chosen.label)
    past = _noted(program, before, store, past._replace(retakes={}), said)
    return past._replace(answers=undo.drop_redrawn_outcomes(past.answers, store))


def _noted(
    program: Program, before: Store, store: Store, past: KnownPast, said: Answer
) -> KnownPast:
    states: tuple[Store, ...] = ()
    if (
        store.fork is None
        and current_players(program, store) == (said.player,)
        and not reveals(program, before, store)
    ):
        states = (*past.states, before)
    return past._replace(answers=(*past.answers, said), states=states)


def determinized(
    program: Program,
    store: Store,
    answers: Iterable[Answer],
    player: Thing,
    generator: Generator | int,
    log: bool,
) -> tuple[Store, str, tuple[Answer, ...]]:
    """Return a state that a player cannot tell from this one, with its seed and answers; with `log`
    he remembers as much."""
    if isinstance(generator, int):
        generator = Generator(generator)
    found = Knowledge(program, store, player, answers).draw(generator, log)
    return found.store, DRAWN, found.answers if log else ()


def taken_back(store: Store, past: KnownPast, player: int | None) -> tuple[Store, KnownPast]:
    """Return the state before the last answer (of a player who acts while others do), and what has
    happened by then."""
    if store.fork is not None and player is not None:
        store = store.clone()
        left = take_back(past.retakes, store, player)
        last = max(n for n, one in enumerate(past.answers) if one.player == player)
        answers = past.answers[:last] + past.answers[last + 1 :]
        return store, past._replace(answers=answers, retakes=left)
    *earlier, before = past.states
    store = before.clone()
    store.setback = None
    return store, past._replace(answers=past.answers[:-1], states=tuple(earlier))
