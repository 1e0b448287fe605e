"""What somebody is asked, as the options among which a person chooses.

The engine asks for several things piece by piece; a person chooses among all of them at once. A long
range of numbers is not listed. Pages and the terminal show the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.engine.actions import Action, Decision
from rulewright.interpreter.engine.whole_selections import useful
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import current, option_labels
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, VerbValue
from rulewright.interpreter.terminal.replies import Menu

LONG_RANGE = 40
"""A longer range of numbers is not listed."""


@attrs.frozen
class OpenMenu:
    """What a person is asked: the options that can be carried out, and how many are wanted."""

    decision: Decision
    actions: tuple[Action, ...]
    menu: Menu
    """The labels of the actions; of a long range of numbers none are listed."""

    numbers: range | None = None

    @property
    def is_forced(self) -> bool:
        """Return whether there is nothing to choose."""
        if any(action.kind == "offer" for action in self.actions):
            return False
        if self.menu.several:
            return self.menu.low == self.menu.high == len(self.actions) and not self.menu.ordered
        return self.numbers is None and len(self.actions) == 1


def open_menu(state: State, seat: int | None = None) -> OpenMenu:
    """Return what a state waits for (of a seat), as who is asked sees it."""
    decision, store = state.decision(seat), state.asking(seat)
    assert decision is not None and store is not None, "nobody is asked"
    asked = current(state.game.program, store)
    if isinstance(asked.options, range) and len(asked.options) > LONG_RANGE:
        beside = state.offers(seat)
        labels = tuple(action.label for action in beside)
        return OpenMenu(decision, beside, Menu(labels), asked.options)
    actions = state.legal_actions(seat)
    beside = tuple(action for action in actions if action.kind == "offer")
    actions = actions[: len(actions) - len(beside)]
    if decision.kind == "several" and decision.high > 1 and not decision.picked:
        # The engine lists next pieces; a person chooses among all the things at once.
        # Those that belong to no selection would only be in the way.
        items = useful(state.game.program, store)
        labels = option_labels(state.game.program, store, items)
        actions = tuple(
            Action(index, value, label, "piece")
            for index, (value, label) in enumerate(zip(items, labels, strict=True))
        )
    elif decision.kind == "several" and not decision.picked:
        actions = tuple(action for action in actions if action.value is not DONE)
    if not decision.ordered and not decision.picked:
        actions = _as_printed(state, store, decision.player, actions)
    labels = tuple(action.label for action in actions)
    told = tuple(action.label for action in beside)
    if decision.kind != "several" or decision.picked:
        names = _names(actions)
        if decision.kind == "may":
            names = tuple(state.game.program.evaluator.words(action.kind) for action in actions)
        menu = Menu((*labels, *told), names=names)
        return OpenMenu(decision, (*actions, *beside), menu)
    high = min(decision.high, len(labels))
    menu = Menu(labels, decision.low, high, True, decision.ordered, beside=told)
    return OpenMenu(decision, (*actions, *beside), menu)


def _names(actions: Sequence[Action]) -> tuple[str, ...]:
    """Return the names of the verbs that can be chosen; none if something else can be."""
    values = [action.value for action in actions]
    if not all(isinstance(value, VerbValue) for value in values):
        return ()
    return tuple(value.name.rpartition(".")[2] for value in values)


def _as_printed(
    state: State, store: Store, seat: int, actions: tuple[Action, ...]
) -> tuple[Action, ...]:
    """Return options in the order in which the table shows them, if they are things of one zone: those
    of an unordered one stand there as in the tables (see `observation`)."""
    layout = state.game.program.layout
    things = [action.value for action in actions if isinstance(action.value, Thing)]
    if not things or len(things) < len(actions):
        return actions
    places = {store.columns[layout.place_slots[one.kind]][one.number] for one in things}
    place = places.pop()
    zone = None if places or place is None else layout.zone(place.slot)
    evaluator = state.game.program.evaluator
    if zone is None or zone.ordered or not evaluator.sees(store, place, state.seat(seat)):
        return actions
    pairs = sorted(zip(things, actions, strict=True), key=lambda pair: pair[0].number)
    return tuple(action for _, action in pairs)
