"""Several things chosen at once: a whole selection in, the elementary answers to it given.

A `choose` of several things is answered piece by piece, in an order in which no selection can be
picked in two ways. Front ends and worked examples name the whole; here it is taken apart. Of things
that the player cannot tell apart any may be named.

What is said about a selection that is not possible, and which pieces are of use at all, is found out
by trials, so that it tells nothing that the player does not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, combinations

from rulewright.dsl import model
from rulewright.interpreter.engine.actions import (
    Decision,
    Whole,
    amounts,
    items,
    listed_value,
    split_label,
)
from rulewright.interpreter.engine.executor import answer
from rulewright.interpreter.lookahead.lookahead import alive, explain_dead
from rulewright.interpreter.lookahead.reasons import Reason
from rulewright.interpreter.lookahead.search import Search, try_out
from rulewright.interpreter.program.decisions import current, option_labels, pending, targets
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion, fits, selection, whole
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_TRIED = 300
"""So many selections are tried to find out which pieces belong to one; with more, all do."""

MOST_LISTED = 20_000
"""So many selections are listed for that; those of pieces that are known to be useful are not tried."""

MOST_SPENT = 200_000
"""So many operations may run for that."""

WHOLE = ("several", "split")
"""The kinds of decisions that can be answered as a whole."""


def read_whole(
    program: Program, store: Store, waiting: Decision, given: Whole
) -> tuple[tuple[Value, ...], str, Callable[[Store], None]]:
    """Return an answer as a whole: its values, its label, and the function that gives it."""
    listed = items(program, store)
    if waiting.kind == "split":
        numbers = tuple(amounts(listed, given))
        label = split_label(program, store, numbers)
        return numbers, label, partial(answer_split, program, amounts=numbers)
    values = tuple(listed_value(listed, one) for one in given)
    label = ", ".join(option_labels(program, store, values)) or "nothing"
    return values, label, partial(answer_selection, program, wanted=values)


def can_select(asked: OpenQuestion, wanted: Iterable[Value]) -> bool:
    """Return whether all of a selection stands to choice at all."""
    if asked.question.kind != "several":
        return False
    left = list(asked.items)
    for value in wanted:
        if value not in left:
            return False
        left.remove(value)
    return True


def answer_selection(program: Program, store: Store, wanted: Iterable[Value]) -> None:
    """Answer the pending `choose` of several things with all that is wanted, and run on.

    Raises `IllegalActionError` if the selection is not possible; the store is then in the middle of
    it, so that the caller works on a copy.
    """
    asked = current(program, store)
    left = list(wanted)
    if not can_select(asked, left):
        raise IllegalActionError(f"this cannot be chosen as {asked.question.word}")
    if not asked.low <= len(left) <= asked.high:
        expected = f"{asked.low}" if asked.low == asked.high else f"{asked.low} to {asked.high}"
        text = "{name}: {expected} are wanted, not {number}"
        name = asked.question.word
        raise IllegalActionError(text, name=name, expected=expected, number=len(left))
    if not _fits(program, store, asked, selection(asked, left)):
        raise _unmet(asked)
    frame, site = store.frames[-1], asked.question.op
    alike = _groups(program, store, asked)
    decided = 0
    while True:
        value = _next_piece(asked, left, alike)
        if not alive(program, store, value):
            reasons = explain_dead(program, store, value)
            raise _refused("this selection is not possible: {why}", reasons)
        answer(program, store, value, trusted=True)
        decided += 1
        waiting = pending(program, store)
        goes_on = (
            waiting is not None
            and waiting.op is site
            and store.frames[-1] is frame
            and len(current(program, store).picked) == decided
        )
        if value is DONE or not goes_on:
            return
        asked = current(program, store)


def answer_split(program: Program, store: Store, amounts: Sequence[int]) -> None:
    """Answer the pending `choose split` as a whole: what each gets, in the order of the targets.

    Raises `IllegalActionError` if that is not possible; the store is then in the middle of it, so
    that the caller works on a copy.
    """
    asked = current(program, store)
    word, frame, site = asked.question.word, store.frames[-1], asked.question.op
    if len(amounts) != len(asked.items):
        text = "{name}: {number} amounts are wanted"
        raise IllegalActionError(text, name=word, number=len(asked.items))
    total = asked.left + sum(asked.picked)
    if sum(amounts) != total:
        text = "{name}: {number} are distributed, not {given}"
        raise IllegalActionError(text, name=word, number=total, given=sum(amounts))
    for name, amount, cap in zip(targets(program, store), amounts, asked.caps, strict=True):
        if not 0 <= amount <= max(cap, 0):
            text = "{name}: {whom} can get 0 to {high}, not {given}"
            raise IllegalActionError(text, name=word, whom=name, high=max(cap, 0), given=amount)
    if asked.question.such_that is not None:
        given = OpenQuestion(asked.question, frame)
        given.items, given.picked = asked.items, tuple(amounts)
        value = whole(store, given)
        if not try_out(Search(program, store), lambda _: fits(store, asked, value)):
            raise _unmet(asked)
    while True:
        value = amounts[len(asked.picked)]
        if not alive(program, store, value):
            reasons = explain_dead(program, store, value)
            raise _refused("this distribution is not possible: {why}", reasons)
        decided = len(asked.picked)
        answer(program, store, value, trusted=True)
        waiting = pending(program, store)
        if waiting is None or waiting.op is not site or store.frames[-1] is not frame:
            return
        asked = current(program, store)
        if len(asked.picked) <= decided or asked.question.partial not in frame.locals:
            return


def _fits(program: Program, store: Store, asked: OpenQuestion, chosen: tuple[Value, ...]) -> bool:
    """Return whether a selection meets its condition, as far as the player can know."""
    if asked.question.such_that is None:
        return True
    return try_out(Search(program, store), lambda _: fits(store, asked, chosen))


def _refused(text: str, reasons: Sequence[Reason]) -> IllegalActionError:
    """Return the error that says why an answer is not possible, as far as that is known."""
    why = "; ".join(reason.text for reason in reasons)
    return IllegalActionError(text if why else text.partition(":")[0], reasons, why=why)


def _unmet(asked: OpenQuestion) -> IllegalActionError:
    """Return the error that a selection does not meet its condition."""
    name, op = asked.question.word, asked.question.op
    assert isinstance(op.step, model.Choose | model.Split) and op.step.such_that is not None
    text = " ".join(op.step.such_that.span.text.split())
    reason = Reason(f"no selection for {name}", op, op.span, op.see, "choose")
    told = "this selection is not possible: {name} must be such that `{condition}`"
    return IllegalActionError(told, [reason], name=name, condition=text)


def useful(program: Program, store: Store) -> Sequence[Value]:
    """Return the things of a pending `choose` of several that belong to some selection that is
    possible; all of them, where it would take long to find that out."""
    asked = current(program, store)
    count, known = len(asked.items), set[int]()
    if asked.question.ordered or _is_vague(program, store, asked):
        return asked.items
    sizes = range(asked.low, asked.high + 1)
    listed = chain.from_iterable(combinations(range(count), size) for size in sizes)
    tried = spent = 0
    for looked_at, places in enumerate(listed):
        if known.issuperset(places):
            if looked_at > MOST_LISTED or len(known) == count:
                return asked.items
            continue
        tried += 1
        if tried > MOST_TRIED or spent > MOST_SPENT:
            return asked.items
        chosen = selection(asked, [asked.items[place] for place in places])
        search = Search(program, store)
        if try_out(search, partial(_goes_on, asked=asked, chosen=chosen)):
            known.update(places)
        spent += search.spent
    found = [item for place, item in enumerate(asked.items) if place in known]
    return found or asked.items


def _is_vague(program: Program, store: Store, asked: OpenQuestion) -> bool:
    """Return whether chance decides which of some alike things is taken."""
    groups = (asked.group(option) for option in asked.options if option is not DONE)
    return any(len(group) > 1 and program.alike.differ(store, group) for group in groups)


def _goes_on(search: Search, asked: OpenQuestion, chosen: tuple[Value, ...]) -> bool:
    """Return whether a whole selection can be carried on to the horizon."""
    store, question = search.store, asked.question
    if not fits(store, asked, chosen):
        return False
    store.frames = [frame.copy() for frame in store.frames]
    frame = store.frames[-1]
    frame.locals[question.name] = chosen
    frame.node = question.ways[0]
    return search.run_on()


def _groups(program: Program, store: Store, asked: OpenQuestion) -> Mapping[Value, int]:
    """Return for each thing that stands to choice the number of its group of alike things.

    The pieces stand for the first things of their groups that are left, whichever were named: what
    has been picked of a group is counted, and not looked for.
    """
    player = store.frames[-1].me
    assert player is not None, "nobody is asked"
    groups = program.alike.groups(store, player, asked.items)
    return {value: number for number, group in enumerate(groups) for value in group}


def _next_piece(asked: OpenQuestion, left: list[Value], alike: Mapping[Value, int]) -> Value:
    """Return the option that is the next piece of what is left, and take it out of there."""
    candidates = left[:1] if asked.question.ordered else left
    for option in asked.options:
        if option is DONE:
            continue
        for value in candidates:
            if alike[value] == alike[option]:
                left.remove(value)
                return option
    if not left and DONE in asked.options:
        return DONE
    raise IllegalActionError(f"no selection for {asked.question.word}")
