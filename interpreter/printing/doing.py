"""What generated code calls: draws, notes and effects of the walker, prepared for one loaded game.

Each does what the handler of the walker does, with what follows from the layout worked out
beforehand: where everybody sees everything there is nothing to find out about who does.
"""

from __future__ import annotations

import attrs

from rulewright.interpreter.ir.machine import Run
from rulewright.interpreter.printing.moving import Moving
from rulewright.interpreter.semantics import events
from rulewright.interpreter.semantics.events import decide_cards
from rulewright.interpreter.state.errors import Undecided
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.log import SECRET, Seen
from rulewright.interpreter.state.random import below
from rulewright.interpreter.state.store import Frame, Store, blank
from rulewright.interpreter.state.values import Locals, PlaceValue, Thing, Value

MOST_WAYS = 1_000
"""For so many pairs of places it is known beforehand who sees a move from one to the other."""


@attrs.frozen(eq=False)
class Dealing:
    """What is known of moves from the top of a pile into a zone, before any is made."""

    bag: int
    """The column that says how many cards of the pile are undecided."""

    places: int
    """The column that says where the cards lie."""

    owners: int | None
    """The column that says whose they are, if the zone is somebody's."""

    ways: tuple[tuple[tuple[PlaceValue, PlaceValue, Thing | None, Seen], ...], ...]
    """From which place to which, whose the card is there and who sees that; by both indices."""


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
            store.log = (store.log, "chance", me, ("", card), SECRET)
        columns[slot][index] = cards
        bags[index] = bag

    def dealing(self, kind: str, source: int, slot: int) -> Dealing | None:
        """Return what is known of moves of the topmost thing of a pile of a column into a zone of
        another one; who may not see the pile must have been met. None if something of it must be
        found out each time."""
        layout = self.layout
        bag = layout.bag_slots.get(source)
        if bag is None or source == slot or slot in self.slots:
            return None
        for one in (source, slot):
            if layout.fields[one].holder in layout.living_slots:
                return None
            if not (self.is_fixed(one) and self._shown[one]):
                return None
        places, goals = layout.places[source], layout.places[slot]
        if len(places) * len(goals) > MOST_WAYS:
            return None
        start = blank(layout)
        ways = tuple(
            tuple((place, *self._way(start, place, goal)[-3:]) for goal in goals)
            for place in places
        )
        owners = layout.owner_slots[kind] if layout.fields[slot].holder == "Player" else None
        return Dealing(bag, layout.place_slots[kind], owners, ways)

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
            data = (value, viewers, *self.witnesses.whence(store, value))
            store.log = (store.log, "show", me, data, self.openly)
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
            store.log = (store.log, kind, me, (place, value), self.openly)
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
