"""What a browser sends becomes an answer, or a mistake that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from rulewright.interpreter.engine.actions import Action, items
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.state.errors import (
    IllegalActionError,
    InvalidActionError,
    PlayError,
)
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.tableau.questions import menu_of
from rulewright.interpreter.tableau.tableau import can_take_back, looked_at
from rulewright.interpreter.terminal.menus import OpenMenu, open_menu
from rulewright.interpreter.terminal.replies import Unclear, how_many
from rulewright.interpreter.words.text import printable
from rulewright.interpreter.words.translation import Words

LARGEST = 10**15
"""No amount is larger."""


@attrs.frozen
class Given:
    """What somebody sends for the question with the number `n`: one of the members behind it."""

    n: int
    options: tuple[int, ...] = ()
    """Numbers of options (`OptionView.id`), in the order in which they were chosen."""

    amounts: Mapping[int, int] = attrs.field(factory=dict)
    """Of a distribution: what each target gets, by its `index`; others get nothing."""

    number: int | None = None
    """Out of a range that is not listed."""

    undo: bool = False


@attrs.frozen
class Mistake:
    """Why nothing has happened, in the words of the seat."""

    text: str
    stale: bool = False
    """Whether the question is another one by now: nothing is wrong, it was only too late."""

    picked: tuple[int, ...] = ()
    """The options that were chosen, to be shown again."""


@attrs.frozen
class Accepted:
    """An answer that the rules can carry out."""

    record: Mapping[str, Any]
    """The answer as plain data, in the words of the rules, for `play_record`."""

    after: State
    """The state when it has been given; the one before is as it was."""


class _Stale(Unclear):
    """The question is another one by now."""


def read_answer(
    state: State, seat: int, given: Given, handles: Handles, spoken: Game | None = None
) -> Accepted | Mistake:
    """Return what happens by what a seat sends. The state is not changed: a table writes down
    `Accepted.record` and goes on with `Accepted.after`.

    Raises `PlayError` where the rules themselves go wrong.
    """
    said = state.told_by(spoken or state.game)
    say = said.game.program.evaluator.words
    try:
        record, give = _read(state, said, seat, given, handles)
    except Unclear as unclear:
        return Mistake(printable(unclear.told(say)), isinstance(unclear, _Stale), given.options)
    after = state.clone()
    try:
        give(after)
    except IllegalActionError as error:
        text = _in_words(error, said, seat, give) if said is not state else _told(error, say)
        return Mistake(printable(text), picked=given.options)
    except InvalidActionError as error:
        return Mistake(printable(str(error)), picked=given.options)
    return Accepted(record, after)


Give = Callable[[State], None]


def _read(
    state: State, said: State, seat: int, given: Given, handles: Handles
) -> tuple[Mapping[str, Any], Give]:
    """Return an answer as plain data, and what gives it."""
    if given.n != notice(state, seat, handles):
        raise _Stale("The table has moved on: choose again.")
    if given.undo:
        if not can_take_back(state, seat):
            raise Unclear("This cannot be taken back: somebody has learned something since.")
        return {"undo": True}, lambda after: after.undo(seat)
    if seat not in state.current_players():
        raise _Stale("You are not asked anything now.")
    menu = menu_of(state, seat, looked_at(state, seat, handles))
    if given.number is not None:
        return _number(menu, seat, given.number)
    if given.amounts:
        if menu.decision.kind != "split":
            raise Unclear("Choose one of the answers.")
        return _amounts(state, menu, seat, given)
    return _options(said, menu, seat, given.options)


def _number(menu: OpenMenu, seat: int, number: int) -> tuple[Mapping[str, Any], Give]:
    numbers = menu.numbers
    if numbers is None:
        raise Unclear("Choose one of the answers.")
    if number not in numbers:
        text = "{number} is not one of {low} to {high}"
        raise Unclear(text, number=_short(number), low=numbers[0], high=numbers[-1])
    return {"number": number}, lambda after: after.apply_value(number, seat)


def _amounts(
    state: State, menu: OpenMenu, seat: int, given: Given
) -> tuple[Mapping[str, Any], Give]:
    asking = state.asking(seat)
    assert asking is not None, "nothing is asked"
    targets = items(state.game.program, asking)
    if not all(0 <= index < len(targets) for index in given.amounts):
        raise Unclear("Choose one of the answers.")
    amounts = [given.amounts.get(index, 0) for index in range(len(targets))]
    if not all(0 <= amount <= LARGEST for amount in amounts):
        raise Unclear("An amount is a number, 0 or more.")
    left = menu.decision.left + sum(map(int, menu.decision.picked))
    if sum(amounts) != left:
        text = "{number} are to be distributed, not {found}"
        raise Unclear(text, number=left, found=sum(amounts))
    return {"amounts": amounts}, lambda after: after.answer_whole(amounts, seat)


def _options(
    said: State, menu: OpenMenu, seat: int, chosen: Sequence[int]
) -> tuple[Mapping[str, Any], Give]:
    if not all(0 <= one < len(menu.actions) for one in chosen):
        raise Unclear("Choose one of the answers.")
    if len(set(chosen)) < len(chosen):
        raise Unclear("An answer was chosen twice.")
    actions = [menu.actions[one] for one in chosen]
    offers = [one for one in actions if one.kind == "offer"]
    if offers and len(actions) > 1:
        text = "{offer} is taken alone, instead of an answer"
        raise Unclear(text, offer=partial(_label_in, said, seat, offers[0]))
    if menu.menu.several and not offers:
        if not menu.menu.low <= len(actions) <= menu.menu.high:
            raise Unclear(
                "{expected} are wanted, not {found}",
                expected=partial(how_many, menu.menu),
                found=len(actions),
            )
        if not menu.menu.ordered:
            # As they are listed, in whatever order they were clicked.
            actions = [menu.actions[one] for one in sorted(chosen)]
        labels = [one.label for one in actions]
        return {"several": labels}, lambda after: after.answer_whole(actions, seat)
    if menu.decision.kind == "split" and not offers:
        raise Unclear("Say how many each of them gets.")
    if len(actions) != 1:
        raise Unclear("Choose one of the answers.")
    (action,) = actions
    return {"one": action.label}, lambda after: _apply(after, action, seat)


def _apply(after: State, action: Action, seat: int) -> None:
    after.apply_action(action, seat)


def _label_in(said: State, seat: int, action: Action, say: Words) -> str:
    """Return the label of an offer in the language of the seat."""
    return next((one.label for one in said.offers(seat) if one.value == action.value), action.label)


def _short(number: int) -> int | str:
    return number if abs(number) <= LARGEST else "…"


def _in_words(error: IllegalActionError, said: State, seat: int, give: Give) -> str:
    """Return why an answer is refused, in the language of the seat: it is tried once more there."""
    try:
        give(said.clone())
    except IllegalActionError as again:
        error = again
    except (InvalidActionError, PlayError):
        pass
    return _told(error, said.game.program.evaluator.words)


def _told(error: IllegalActionError, say: Words) -> str:
    return say(error.message, **error.values) if error.values else str(error)


# ------------------------------------------------------------------------------------ written down


def play_record(state: State, seat: int, record: Mapping[str, Any]) -> State:
    """Return the state after an answer that was written down. Raises `InvalidActionError` (or one of
    its kind) if it is no answer there."""
    after = state.clone()
    match dict(record):
        case {"undo": True}:
            after.undo(seat)
        case {"number": int(number)}:
            after.apply_value(number, seat)
        case {"amounts": list(amounts)}:
            after.answer_whole(amounts, seat)
        case {"several": list(labels)}:
            after.answer_whole(_named(after, seat, labels), seat)
        case {"one": str(label)}:
            found = [one for one in open_menu(after, seat).actions if one.label == label]
            after.apply_action(found[0] if found else label, seat)
        case _:
            raise InvalidActionError("this is no answer that was written down")
    return after


def _named(state: State, seat: int, labels: Sequence[object]) -> list[Action]:
    """Return the things with these labels; of alike ones another for each."""
    left = list(state.items(seat))
    found = []
    for label in labels:
        same = [one for one in left if one.label == label]
        if not same:
            raise InvalidActionError(f"{label!r} is none of these")
        left.remove(same[0])
        found.append(same[0])
    return found
