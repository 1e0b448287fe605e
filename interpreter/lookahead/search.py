"""The depth-first search of look-ahead: can something be carried on to the horizon, and how far does it come?

A *trial* runs the real code on the real store: every write is noted in the trail and taken back,
the frames are copies. At each further decision of the same player the trial goes on with one answer
after the other until one succeeds (depth first; answers that are most likely to succeed first).

Success is the horizon: chance, something that the player does not see (both raise `Horizon`), a
decision of another player, the end of the game, or the end of the pass of the innermost `as` or
`repeat` around the first decision of the transaction (`Store.transaction`). Failure is a `need`
that is not met, or a decision without an option.

Reasons: how far a trial came is counted in answers given, then in `need`s passed. Those who came
furthest tell why not.

How much may be tried out is counted in operations, never in time, so that replays agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.source import Span
from rulewright.interpreter.ir.machine import CHANCE, DEAD, DECIDE, LIMIT, SWITCH, run
from rulewright.interpreter.lookahead.completions import Completions
from rulewright.interpreter.lookahead.later_requirements import completions_of, numbers_fail
from rulewright.interpreter.lookahead.ordered_selections import order_fails
from rulewright.interpreter.lookahead.reachable_totals import NOTHING
from rulewright.interpreter.lookahead.reasons import (
    Reason,
    amended_values_at,
    in_source_order,
    nothing_fits,
    nothing_there,
    text_of_need,
    values_of,
)
from rulewright.interpreter.lookahead.safe_decisions import certain_key, is_certain, leads_safely
from rulewright.interpreter.program.decisions import (
    MOVED,
    STAYS,
    asked_openly,
    finish_with,
    give,
    question_of,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion, fits, likely_first
from rulewright.interpreter.semantics.closures import tick
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value, VerbValue

TRIAL_LIMIT = 20_000
"""How many operations the trials for one option may run, where nothing else is asked."""

MENU_LIMIT = 200_000
"""How many operations the trials for all options of one menu may run. Each has the same part of it,
so what is found out about an option does not depend on which others have been looked at before."""

LEAST_TRIAL = 1000
"""So many operations each option of a long menu may run all the same."""

QUESTION_LIMIT = 2_000_000
"""What may be tried out for one menu at all, in operations and items looked at: a menu may have a
billion options. What is left is unproved."""

SEARCH_COST = 20
"""What it costs to try out an option at all."""

LOOKS_PER_OPERATION = 40
"""How many items the expressions of a trial may look at for each operation that it may run."""

DEEPEST_CAN = 10
"""How many searches for `can` may run inside each other."""

DEEPEST_TRIAL = 120
"""How many decisions one trial may go through."""


def share(asked: OpenQuestion, spent: int) -> int:
    """Return how many operations the trial for one of the options of a menu may run, for which so
    much has been spent already."""
    if spent > QUESTION_LIMIT:
        return 0
    return min(TRIAL_LIMIT, max(MENU_LIMIT // max(len(asked.options), 1), LEAST_TRIAL))


class Overrun(Exception):
    """A search has used up its budget: what it looked for is unproved."""


class Stuck(PlayError):
    """A decision that must be made has no option; `reasons` say why."""

    def __init__(self, span: Span, name: str, reasons: tuple[Reason, ...]) -> None:
        super().__init__("RW701", span, name=name)
        self.reasons = reasons


class Search:
    """One search, which may consist of many trials: its budget, and what it has found."""

    def __init__(self, program: Program, store: Store, collects: bool = False) -> None:
        self.program = program
        self.store = store
        self.left = TRIAL_LIMIT
        self.depth = 0
        self.nested = 0
        """How many searches are running around this one."""

        self.spent = 0
        """When it is over: the operations it has run, and the items it has looked at."""

        self.unproved = False
        """Whether it has not come to an end."""

        self.collects = collects
        self.needs = 0
        """While reasons are collected: the `need`s passed on the way to here."""

        self.answers = 0

        self.furthest = (-1, -1)
        self.reasons: list[Reason] = []

    # ------------------------------------------------------------------------------------- the search

    def run_on(self) -> bool:
        """Run on from where the frames stand; return whether a success is reached."""
        program, store = self.program, self.store
        while True:
            if self.left <= 0:
                raise Overrun
            if self.collects:
                signal, used = self._run_counting()
            else:
                signal, used = run(program.runs, store, self.left)
            self.left -= used
            if signal == DECIDE:
                return self.decision()
            if signal == DEAD:
                if self.collects:
                    self._note(failed_need(program, store))
                return False
            if signal == LIMIT:
                raise Overrun
            return True

    def decision(self) -> bool:
        """Return whether some answer to the decision that has been reached succeeds."""
        store = self.store
        frame = store.frames[-1]
        if frame.me is not store.viewer:
            return True
        op = self.program.op(frame)
        question = question_of(op)
        asked = asked_openly(self.program, store, frame, question)
        if asked.options and not self.collects and is_certain(self.program, store, question):
            return True
        if asked.complete:
            if give(self.program, store, asked, frame, DONE) == MOVED:
                return self.run_on()
        elif self.depth >= DEEPEST_TRIAL:
            raise Overrun
        else:
            completions = completions_of(self.program, store, asked, ahead=not self.collects)
            if completions is not None:
                if self.try_selections(asked, completions):
                    return True
            else:
                for value in likely_first(asked):
                    if self.answer(asked, value):
                        return True
        if question.stop is not None and not asked.picked:
            frame.node = question.stop
            return self.run_on()
        if self.collects and (question.kind in ("several", "split") or not asked.options):
            self._note(nothing_there(self.program, asked))
        return False

    def try_selections(
        self, asked: OpenQuestion, completions: Completions, option: Value = NOTHING
    ) -> bool:
        """Return whether a selection that meets its condition succeeds (one that goes on with an
        option): they are given as a whole, one after the other."""
        safe = not self.collects and leads_safely(
            self.program, certain_key(self.store), asked.question
        )
        for chosen in completions.selections(option):
            self.pay(asked)
            if not fits(self.store, asked, chosen):
                if self.collects:
                    self._note(nothing_fits(self.program, asked))
            elif safe or self.answer(asked, chosen, whole=True):
                return True
        return False

    def pay(self, asked: OpenQuestion) -> None:
        """Pay for one more answer."""
        self.left -= 1
        if asked.question.kind in ("several", "split"):
            # Each time all that stands to choice is looked through.
            self.left -= len(asked.items)
        if self.left <= 0:
            raise Overrun

    def answer(self, asked: OpenQuestion, value: Value, whole: bool = False) -> bool:
        """Return whether an answer succeeds (a `whole` selection); if not, the store is as before."""
        store = self.store
        frames, trail = store.frames, store.trail
        assert trail is not None, "this is no trial"
        self.pay(asked)
        mark, needs, answers = len(trail), self.needs, self.answers
        store.frames = [frame.copy() for frame in frames]
        self.depth += 1
        if whole:
            finish_with(asked, store.frames[-1], value)
            result = MOVED
        else:
            result = give(self.program, store, asked, store.frames[-1], value)
        if result == DEAD or (not whole and self._fails_later(asked)):
            if self.collects:
                self._note(nothing_fits(self.program, asked))
        else:
            # The pieces of one selection are one answer.
            self.answers += result == MOVED
            if result == CHANCE or self.succeeds_after(result):
                return True
        self.depth -= 1
        self.needs, self.answers = needs, answers
        store.undo_to(mark)
        store.frames = frames
        return False

    def _fails_later(self, asked: OpenQuestion) -> bool:
        """Return whether what is required of answers of which this is the first is out of reach."""
        if asked.question.kind == "numbers":
            # Why a requirement is not met is found where it stands.
            return not self.collects and numbers_fail(self.program, self.store)
        return order_fails(self.program, self.store, asked)

    def succeeds_after(self, result: int) -> bool:
        """Return whether a success is reached after an answer or a piece of one."""
        return self.decision() if result == STAYS else self.run_on()

    # -------------------------------------------------------------------------------------- why not

    def _run_counting(self) -> tuple[int, int]:
        """Do the same as `run`, and count the requirements that are met."""
        store, code = self.store, self.program.code
        frame = store.frames[-1]
        node, used = frame.node, 0
        try:
            for used in range(1, self.left + 1):
                op = code[frame.unit][node]
                following = op.run(store, frame)
                if following >= 0:
                    node = following
                    if op.kind == "need":
                        self.needs += 1
                elif following == SWITCH:
                    frame = store.frames[-1]
                    node = frame.node
                else:
                    return following, used
        except (PlayError, Undecided):
            frame.node = node
            raise
        return LIMIT, used

    def _note(self, reason: Reason) -> None:
        distance = (self.answers, self.needs)
        if distance > self.furthest:
            self.furthest = distance
            self.reasons = []
        if distance == self.furthest and reason not in self.reasons:
            changes = amended_values_at(self.program.evaluator, self.store, reason.op.step)
            self.reasons.append(attrs.evolve(reason, changes=changes))


def failed_need(program: Program, store: Store) -> Reason:
    """Return the requirement at which the top frame stands, with its text and values."""
    frame = store.frames[-1]
    op = program.op(frame)
    step = op.step
    viewer = store.viewer
    if store.trail is None:
        store.viewer = None
    try:
        values = tuple(values_of(program, store, step.condition, frame.me, frame.locals))
    finally:
        store.viewer = viewer
    said = program.evaluator.words.name(text_of_need(program, store, op, frame))
    behind = tuple(_behind(program, store, step.condition, frame))
    return Reason(said, op, op.span, op.see, "need", values, behind)


def _behind(
    program: Program, store: Store, condition: model.Expression, frame: Frame
) -> Iterator[Reason]:
    """Yield why what a condition asks by `can` is not possible."""
    match condition:
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            yield from _behind(program, store, left, frame)
            yield from _behind(program, store, right, frame)
        case model.Can(verb=asked):
            value = program.evaluator.expression(asked)(store, frame.me, frame.locals)
            verb, given = program.calls.resolve(store, value)
            yield from can_begin(program, store, verb, given, frame.me)[1]


def attempt(
    program: Program, store: Store, begin: Callable[[Search], bool], collects: bool = False
) -> Search | None:
    """Try something out on the store and take it back; return the search if nothing succeeded."""
    search = Search(program, store, collects)
    return None if try_out(search, begin) else search


def try_out(search: Search, begin: Callable[[Search], bool]) -> bool:
    """Run a search on its store and take everything back; return whether it succeeded.

    What takes too long counts as a success, except where reasons are collected.
    """
    program, store, outer = search.program, search.store, search.program.search
    kept = store.frames, store.transaction, store.viewer, store.trail, store.allowance
    asking, store.asking = store.asking, None
    if outer is None:
        store.allowance = min(TICKS_PER_STEP, search.left * LOOKS_PER_OPERATION), None
    else:
        search.left, search.depth, search.nested = outer.left, outer.depth, outer.nested + 1
    left, budget = search.left, store.budget
    if store.trail is None:
        store.trail = []
    trail = store.trail
    mark = len(trail)
    program.search = search
    try:
        return begin(search)
    except (Horizon, Undecided):
        return True
    except Overrun:
        return _unproved(search, kept[0])
    except PlayError as error:
        if error.code == "RW702":
            return _unproved(search, kept[0])
        raise program.blame(error, store) from None
    finally:
        search.spent = left - search.left + budget - store.budget
        store.undo_to(mark)
        store.frames, store.transaction, store.viewer, store.trail, store.allowance = kept
        store.asking = asking
        if outer is not None:
            outer.left = search.left
            outer.unproved |= search.unproved
        program.search = outer


def _unproved(search: Search, frames: list[Frame]) -> bool:
    """Return whether what could not be proved counts as a success."""
    search.unproved = True
    if search.store.strict and frames and not search.collects:
        op = search.program.op(frames[-1])
        error = PlayError("RW703", op.span, name=op.site or op.label)
        raise search.program.blame(error, search.store) from None
    return not search.collects


def can_begin(
    program: Program,
    store: Store,
    verb: str,
    arguments: Sequence[Value] | Mapping[str, Value],
    me: Thing | None,
) -> tuple[bool, tuple[Reason, ...]]:
    """Return whether a verb could be begun now and carried to its end or the horizon; if not, why
    not."""
    given = _locals(program, verb, arguments)
    if attempt(program, store, _beginning(store, verb, given, me)) is None:
        return True, ()
    failed = attempt(program, store, _beginning(store, verb, given, me), collects=True)
    return False, () if failed is None else in_source_order(failed.reasons)


def look_ahead(program: Program) -> Callable[[Store, VerbValue, Thing | None], bool]:
    """Return the answer to `can(verb(arguments))` for the evaluator."""

    def can(store: Store, value: VerbValue, me: Thing | None) -> bool:
        verb, given = program.calls.resolve(store, value)
        outer: Search | None = program.search
        span = program.game.verbs[verb].span
        if outer is not None and outer.nested >= DEEPEST_CAN:
            raise PlayError("RW711", span, name=verb, expected=DEEPEST_CAN)
        search = Search(program, store)
        found = try_out(search, _beginning(store, verb, given, me))
        # It is a part of the step in which it is asked.
        tick(store, search.spent, span)
        return found

    return can


def _beginning(
    store: Store, verb: str, given: Locals, me: Thing | None
) -> Callable[[Search], bool]:
    def begin(search: Search) -> bool:
        store.frames = [Frame(verb, 0, given.copy(), me)]
        store.transaction = (me, 0, -1)
        store.viewer = me
        return search.run_on()

    return begin


def _locals(
    program: Program, verb: str, arguments: Sequence[Value] | Mapping[str, Value]
) -> Locals:
    if isinstance(arguments, Mapping):
        return dict(arguments)
    names = [parameter.name for parameter in program.game.verbs[verb].parameters]
    return dict(zip(names, arguments, strict=True))
