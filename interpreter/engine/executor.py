"""The executor: begin a game or a verb, run to the next decision, take answers.

    store = begin(program, seed=7)
    advance(program, store)
    while (waiting := pending(program, store)) is not None:
        answer(program, store, pick_random(program, store, generator))

A decision that leaves no choice to make is passed over: a `may` of which only yes or no is possible,
a selection of nothing. Every other decision stops here, even if it has one option only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.dsl.ir.action_graph import PLAY, SET_UP
from rulewright.interpreter.engine.actions import Outcome, has_offer, place_of_label
from rulewright.interpreter.engine.load import ROOT
from rulewright.interpreter.engine.neutral import (
    decided_by_chance,
    outcomes_for_neutral,
    waits_for_neutral,
)
from rulewright.interpreter.engine.setbacks import (
    MOST_REDRAWN,
    redrawn,
    remember_answer,
    taken_back,
)
from rulewright.interpreter.engine.setup import start_store
from rulewright.interpreter.explain.viewpoint import openly
from rulewright.interpreter.ir.machine import CHANCE, DEAD, DECIDE, LIMIT, RESTS, STEP_LIMIT, me_of
from rulewright.interpreter.lookahead.lookahead import (
    alive,
    explain_dead,
    explain_stuck,
    first_living,
)
from rulewright.interpreter.lookahead.search import Stuck, failed_need
from rulewright.interpreter.program.branches import rests
from rulewright.interpreter.program.decisions import (
    cache_decision,
    current,
    finish,
    give,
    open_transaction,
    option_for,
    pending,
    question_of,
    take_alike,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import ask
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.events import ALIKE, BAG, ChanceStop, decide_cards
from rulewright.interpreter.state.errors import (
    TICKS_PER_STEP,
    IllegalActionError,
    PlayError,
    Undecided,
)
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import AWAKE, DECISIONS, OPENED, RANDOM, SCALARS
from rulewright.interpreter.state.random import seeded
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

TRIED_PER_STEP = 10
"""So much that is tried out for a decision which is passed over counts as one operation."""


Arguments = Sequence[Value] | Mapping[str, Value]


def begin(
    program: Program,
    seed: int | str = 0,
    verb: str = PLAY,
    arguments: Arguments = (),
    me: Thing | None = None,
) -> Store:
    """Return a new game that stands before the first step of a verb; `advance` runs it."""
    if verb != PLAY or arguments or me is not None:
        store = start_store(program.evaluator, seed)
        begin_verb(program, store, verb, arguments, me)
        return store
    if program.opening is None:
        program.opening = start_store(program.evaluator)
        begin_verb(program, program.opening, PLAY)
    store = program.opening.clone()
    program.decision_cache = None
    store.columns[SCALARS][RANDOM] = seeded(seed)
    return store


def begin_verb(
    program: Program,
    store: Store,
    verb: str,
    arguments: Arguments = (),
    me: Thing | None = None,
) -> None:
    """Let a verb begin as if it were called from nowhere; whatever ran before is dropped."""
    if not isinstance(arguments, Mapping):
        names = [parameter.name for parameter in program.game.verbs[verb].parameters]
        arguments = dict(zip(names, arguments, strict=True))
    program.decision_cache = None
    store.viewer = store.transaction = store.fork = None
    store.frames = []
    store.forget_lasting()
    store.nothing_runs()
    watches = bool(program.game.watches)
    if watches and not program.effects.asks(verb):
        # Conditions are looked at when an atomic verb has ended.
        store.frames.append(Frame(ROOT, 0, {}, me))
    store.frames.append(Frame(verb, 0, dict(arguments), me))
    if watches:
        if verb == PLAY and SET_UP in program.game.verbs:
            store.write(SCALARS, AWAKE, False)
        else:
            program.watching.set_flags(store)


def is_over(store: Store) -> bool:
    """Return whether nothing is left to run."""
    return not store.frames


# ----------------------------------------------------------------------------------------- running on


def advance(program: Program, store: Store) -> None:
    """Run to the next decision, to chance that a driver must tell, or to the end."""
    for drawn in range(MOST_REDRAWN + 1):
        try:
            _advance(program, store)
            return
        except Stuck as stuck:
            if drawn == MOST_REDRAWN or not redrawn(program, store, stuck.reasons):
                raise


def _advance(program: Program, store: Store) -> None:
    program.decision_cache = None
    store.allowance = TICKS_PER_STEP, None
    left = STEP_LIMIT
    while store.frames:
        try:
            signal, used = program.run(store, left)
            left -= used
            if signal == RESTS:
                return
            if signal == DECIDE:
                if passed_over(program, store):
                    # Another menu has dead ends of its own.
                    store.refuted = ()
                elif rests(store):
                    return
                if program.decision_cache is not None:
                    left -= program.decision_cache.spent // TRIED_PER_STEP
                # The same decision may come again before anybody has decided anything.
                program.decision_cache = None
        except Undecided as met:
            left -= met.used
            try:
                decide_cards(store, store.frames[-1], met.slot, met.index, met.how_many)
            except ChanceStop:
                return
            continue
        except PlayError as error:
            raise program.blame(error, store) from None
        if signal == DEAD:
            raise program.blame(_unmet(program, store), store)
        if signal == CHANCE:
            return
        if signal == LIMIT or left <= 0:
            op = program.op(store.frames[-1])
            endless = PlayError("RW702", op.span, expected=f"{STEP_LIMIT:,}")
            raise program.blame(endless, store)


def _unmet(program: Program, store: Store) -> Stuck:
    reason = failed_need(program, store)
    return Stuck(reason.span, reason.text, (reason,))


def passed_over(program: Program, store: Store) -> bool:
    """Return whether the decision on top needs no answer; then it is behind us."""
    frame = store.frames[-1]
    op = program.op(frame)
    me = me_of(frame)
    if program.layout.is_neutral(me):
        allowance = store.allowance
        try:
            decided = decided_by_chance(program, store)
        finally:
            store.allowance = allowance
        return _stop_or_stuck(program, store) if decided is None else decided
    open_transaction(program, store, me)
    question = question_of(op)
    if ALIKE in frame.locals:
        asked = ask(program.alike, store, frame, question)
        return went_on(program, store, take_alike(program, store, asked, frame))
    # What it reads may end the transaction; then a new one begins with this very decision.
    asked = ask(program.alike, store, frame, question)
    open_transaction(program, store, me)
    if asked.complete:
        if finish(store, asked, frame) == DEAD:
            return _stop_or_stuck(program, store)
        return True
    allowance = store.allowance
    try:
        if not question.peeks:
            cache_decision(program, store, asked)
        found = first_living(program, store)
        if not found:
            return _stop_or_stuck(program, store)
        if question.taken is not None:
            if not has_offer(program, store) and not store.refuted:
                give(program, store, current(program, store), frame, found[0])
                return True
        elif question.kind == "may" and not store.refuted:
            # What is asked does not depend on what has been taken back: a saved game knows nothing of it.
            for value in (True, False):
                if not alive(program, store, value) and not has_offer(program, store):
                    give(program, store, current(program, store), frame, not value)
                    return True
    finally:
        # What is tried out counts on its own.
        store.allowance = allowance
    return False


def _stop_or_stuck(program: Program, store: Store) -> bool:
    frame = store.frames[-1]
    op = program.op(frame)
    question = question_of(op)
    if question.stop is not None and question.partial not in frame.locals:
        frame.node = question.stop
        return True
    raise Stuck(op.span, op.site, explain_stuck(program, store))


def went_on(program: Program, store: Store, result: int) -> bool:
    """Return whether the run goes on after an answer."""
    if result == DEAD:
        op = program.op(store.frames[-1])
        raise Stuck(op.span, op.site, explain_stuck(program, store))
    return result != CHANCE


# --------------------------------------------------------------------------------------------- answers


def answer(program: Program, store: Store, value: Value, trusted: bool = False) -> None:
    """Give one elementary answer to the pending decision and run on.

    The answer must be an option that lives; with `trusted` the caller knows that it is.
    """
    if pending(program, store) is None:
        raise IllegalActionError("no decision is waiting")
    if not trusted:
        value = option_for(program, store, value)
        if not alive(program, store, value):
            reasons = explain_dead(program, store, value)
            told = "; ".join(reason.text for reason in reasons)
            raise IllegalActionError(f"this cannot be carried out: {told}", reasons)
    elif store.fork is not None:
        # Whoever found it out may have looked at a copy.
        alive(program, store, value)
    asked = current(program, store)
    remember_answer(program, store, value)
    store.write(SCALARS, DECISIONS, store.columns[SCALARS][DECISIONS] + 1)
    if program.offers:
        store.write(SCALARS, OPENED, False)
    program.decision_cache = None
    try:
        result = give(program, store, asked, store.frames[-1], value)
        if went_on(program, store, result):
            advance(program, store)
    except Stuck as stuck:
        _take_back(program, store, stuck)


def _take_back(program: Program, store: Store, stuck: Stuck) -> None:
    """Go back from a dead end to the menu of the transaction that led there, and on from there without
    that option; a menu of which all options are dead ends is one itself."""
    reasons, answers = stuck.reasons, 0
    while answers := taken_back(program, store, reasons, answers):
        try:
            advance(program, store)
            return
        except Stuck as again:
            # Whatever was left at that menu may fail for no reason of its own.
            reasons = again.reasons or reasons
    raise stuck


def chance_outcomes(program: Program, store: Store) -> tuple[Value, ...]:
    """Return what chance may bring, each with the same weight; nothing if no chance is pending."""
    if not store.frames:
        return ()
    frame = store.frames[-1]
    found: tuple[Value, ...]
    if BAG in frame.locals:
        found = store.undecided(*frame.locals[BAG])
    elif waits_for_neutral(program, store):
        found = outcomes_for_neutral(program, store)
    elif ALIKE in frame.locals:
        found = frame.locals[ALIKE]
    else:
        op = program.op(frame)
        found = () if op.outcomes is None else op.outcomes(store, frame)
    return found


def answer_chance(program: Program, store: Store, value: Value) -> None:
    """Say what chance brings and run on."""
    if not waits_for_neutral(program, store):
        store.given = None
    store.dictated = (value, *store.dictated)
    store.setback = None
    advance(program, store)


def outcomes(program: Program, store: Store) -> tuple[Outcome, ...]:
    """Return what chance may bring to a store that waits for it."""
    values = chance_outcomes(program, store)
    words = labels.distinct(
        [openly(value, store, program.evaluator) for value in values], program.evaluator.words
    )
    return tuple(
        Outcome(index, value, label, 1 / len(values))
        for index, (value, label) in enumerate(zip(values, words, strict=True))
    )


def outcome_of(program: Program, store: Store, given: Outcome | int | str) -> Outcome:
    """Return the outcome that is meant by one that was listed, its number or its label."""
    listed = outcomes(program, store)
    return listed[place_of_label(given, [one.label for one in listed])]
