"""What generated code calls: draws, notes and effects of the walker, prepared for one loaded game.

Each does what the handler of the walker does, with what follows from the layout worked out
beforehand: where everybody sees everything there is nothing to find out about who does.
"""

from __future__ import annotations

from rulewright.interpreter import events
from rulewright.interpreter.chance import below
from rulewright.interpreter.drawing import decide_cards
from rulewright.interpreter.errors import Undecided
from rulewright.interpreter.layout import EVENTS, RANDOM, SCALARS
from rulewright.interpreter.log import NOBODY
from rulewright.interpreter.machine import Run
from rulewright.interpreter.moving import Moving
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.values import Locals, PlaceValue, Thing, Value


class Doing(Moving):
    """The effects of one loaded game, for generated code."""

    def perform(self, store: Store, run: Run, me: Thing | None, locals: Locals) -> None:
        """Let the handler of the walker do an effect; not in a trial."""
        self.handled(store, run, Frame("", 0, locals, me))

    def handled(self, store: Store, run: Run, frame: Frame) -> int:
        """Return where the handler of the walker leads to; not in a trial."""
        while True:
            try:
                return run(store, frame)
            except Undecided as met:
                decide_cards(store, frame, met.slot, met.index, met.how_many)

    def decided(self, store: Store, me: Thing | None, slot: int, index: int, how_many: int) -> None:
        """Let chance decide the topmost undecided cards of a pile."""
        if store.trail is not None or store.dictated or store.explicit_chance:
            decide_cards(store, Frame("", 0, {}, me), slot, index, how_many)
            return
        store.meet_hidden()
        columns = store.columns
        scalars = columns[SCALARS]
        bags = columns[self.layout.bag_slots[slot]]
        bag, cards = bags[index], columns[slot][index]
        for _ in range(min(how_many, bag)):
            scalars[RANDOM], number = below(scalars[RANDOM], bag)
            card = cards[number]
            cards = (*cards[:number], *cards[number + 1 : bag], card, *cards[bag:])
            bag -= 1
            store.log = (store.log, "chance", me, ("", card), NOBODY, NOBODY, NOBODY)
            scalars[EVENTS] += 1
        columns[slot][index] = cards
        bags[index] = bag

    def changed(
        self, store: Store, kind: str, me: Thing | None, place: PlaceValue, value: Value
    ) -> None:
        """Note that a field was written; not in a trial."""
        events.changed(self.witnesses, store, kind, me, place, value)

    def shown(
        self, store: Store, me: Thing | None, value: Value, viewers: tuple[Thing, ...]
    ) -> None:
        """Note that something was shown; not in a trial."""
        if viewers == self.witnesses.players:
            seers = self.everybody
            data = value, viewers
            store.log = (store.log, "show", me, data, seers, seers, NOBODY)
            store.columns[SCALARS][EVENTS] += 1
        else:
            events.told(self.witnesses, store, me, value, viewers)

    def noted(
        self,
        store: Store,
        kind: str,
        me: Thing | None,
        place: PlaceValue,
        value: Value,
    ) -> None:
        """Note that an open field was written; not in a trial."""
        if self._is_known(store, place.holder) and self._is_known(store, value):
            everybody = self.everybody
            store.log = (store.log, kind, me, (place, value), everybody, everybody, NOBODY)
            store.columns[SCALARS][EVENTS] += 1
        else:
            self.changed(store, kind, me, place, value)

    def _is_known(self, store: Store, value: Value) -> bool:
        """Return whether everybody surely sees a value; a thing where it lies."""
        if not isinstance(value, Thing):
            return not isinstance(value, tuple | PlaceValue)
        if value.kind == "Player":
            return True
        lies = store.columns[self.layout.place_slots[value.kind]][value.number]
        return lies is None or lies.slot in self.open

    def begun(
        self, store: Store, kind: str, me: Thing | None, verb: str, given: tuple[Value, ...]
    ) -> None:
        """Note that a verb begins or is finished; not in a trial."""
        events.begun(self.witnesses, store, kind, me, verb, given)
