"""Who sees what: answers questions about the `seen by` of fields and zones, and makes guards of them.

A *guard* stands before the reading of what not everybody sees. If a transaction is running
(`store.viewer` is its player) and the player does not see it, the guard says so to the store: in a
trial that is the horizon, in the real run the end of the transaction. What everybody sees has no
guard at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.state.errors import Undecided
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, Locals, PlaceValue, Thing, Value

ViewersCode: TypeAlias = Callable[[Store, Thing | None, Locals], Value]
Seer: TypeAlias = Callable[[Store, int, Thing], bool]
"""Whether a player sees the entry of a column."""

Guard: TypeAlias = Callable[[Store, int], None]


class Visibility:
    """Answers who sees what in the games of one layout."""

    def __init__(
        self, layout: Layout, expression: Callable[[model.Expression], ViewersCode]
    ) -> None:
        self._layout = layout
        self._expression = expression
        self._seers: dict[tuple[int, bool], Seer | None] = {}
        self._guards: dict[tuple[int, bool], Guard | None] = {}
        self._in_sight: dict[str, bool] = {}
        self._told: Collection[Thing] = ()

    def seer(self, slot: int, count: bool = False) -> Seer | None:
        """Return the question who sees a column (or, with `count`, who knows how many things lie
        in the zone); None if everybody does."""
        if slot == GONE:
            return _by_bits
        key = slot, count
        if key not in self._seers:
            field = self._layout.fields.get(slot)
            viewers = model.EVERYBODY
            if field is not None and not field.printed:
                viewers = field.count_viewers if count else field.viewers
            self._seers[key] = None if field is None else self._seer_of(field, viewers)
        return self._seers[key]

    def guard(self, slot: int, count: bool = False) -> Guard | None:
        """Return the guard of a column, or None if everybody sees it."""
        key = slot, count
        if key not in self._guards:
            seer = self.seer(slot, count)
            self._guards[key] = None if seer is None else _guard(seer)
            field = self._layout.fields.get(slot)
            if field is not None and slot in self._layout.carried.get(field.holder or "", ()):
                self._guards[key] = self._carried(field)
        return self._guards[key]

    def sees(self, store: Store, place: PlaceValue, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) sees the content of a zone or field."""
        return self._answer(self.seer(place.slot), store, place.index, player)

    def sees_count(self, store: Store, place: PlaceValue, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) knows how many things lie in a zone."""
        return self._answer(self.seer(place.slot, True), store, place.index, player)

    def sees_thing(self, store: Store, thing: Thing, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) sees a thing where it lies; what lies nowhere
        is seen, and what he is `told` of."""
        if thing in self._told:
            return True
        place = store.columns[self._layout.place_slots[thing.kind]][thing.number]
        return place is None or self.sees(store, place, player)

    @contextmanager
    def told(self, things: Collection[Thing]) -> Iterator[None]:
        """Let things be named to somebody who has seen them at the time that is told of, wherever they lie now."""
        before, self._told = self._told, things
        try:
            yield
        finally:
            self._told = before

    def is_in_sight(self, kind: str) -> bool:
        """Return whether everybody sees the things of a kind wherever they lie, in no undecided order."""
        if kind not in self._in_sight:
            zones = [
                slot
                for slot, field in self._layout.fields.items()
                if isinstance(field.type, types.ZoneType)
                and field.type.kind == types.ThingType(kind)
            ]
            bags = self._layout.bag_slots
            self._in_sight[kind] = all(
                self.guard(slot) is None and slot not in bags for slot in zones
            )
        return self._in_sight[kind]

    def _answer(self, seer: Seer | None, store: Store, index: int, player: Thing | None) -> bool:
        if seer is None:
            return True
        if player is None:
            return all(seer(store, index, seat) for seat in self._layout.players)
        return seer(store, index, player)

    def guard_thing(self, store: Store, thing: Thing) -> None:
        """Guard the question where a thing lies and whose it is."""
        viewer = store.viewer
        if viewer is not None and not self.sees_thing(store, thing, viewer):
            store.meet_hidden()

    def _carried(self, field: model.Field) -> Guard | None:
        """Return the guard of what is printed on created things: it is seen with the thing, and no
        table says what there is."""
        hidden = any(
            isinstance(other.type, types.ZoneType)
            and other.type.kind == types.ThingType(field.holder or "")
            and other.viewers.who != "everybody"
            for other in self._layout.fields.values()
        )
        if not hidden:
            return None
        things = self._layout.holders(field)

        def guard(store: Store, index: int) -> None:
            self.guard_thing(store, things[index])

        return guard

    def _seer_of(self, field: model.Field, viewers: model.Viewers) -> Seer | None:
        match viewers.who:
            case "everybody":
                return None
            case "owner" if field.holder == "Player":
                return _by_holder
            case "owner" if field.holder is not None:
                return _by_owner(self._layout.owner_slots[field.holder])
            case "some":
                assert viewers.expression is not None, field.id
                things = self._layout.holders(field)
                owners = None if field.holder is None else self._layout.owner_slots[field.holder]
                listed = viewers.expression
                return _by_list(lambda: self._expression(listed), things, owners)
        return _by_nobody


def _guard(seer: Seer) -> Guard:
    def guard(store: Store, index: int) -> None:
        viewer = store.viewer
        if viewer is not None and not seer(store, index, viewer):
            store.meet_hidden()

    return guard


def _by_bits(store: Store, index: int, player: Thing) -> bool:
    return bool(index >> player.number & 1)


def _by_nobody(store: Store, index: int, player: Thing) -> bool:
    return False


def _by_holder(store: Store, index: int, player: Thing) -> bool:
    return player.number == index


def _by_owner(slot: int) -> Seer:
    def seer(store: Store, index: int, player: Thing) -> bool:
        return store.columns[slot][index] is player

    return seer


def _by_list(
    compile: Callable[[], ViewersCode], things: Sequence[Thing], owners: int | None
) -> Seer:
    # Compiled when somebody first asks: the list may read the very field whose viewers it names, or
    # others whose viewers read it.
    code: ViewersCode | None = None

    def seer(store: Store, index: int, player: Thing) -> bool:
        nonlocal code
        if code is None:
            code = compile()
        holder = None if owners is None else things[index]
        if holder is None or holder.kind == "Player" or owners is None:
            me = holder
        else:
            me = store.columns[owners][index]
        # The list itself may read what the player does not see: that is no look of his.
        viewer = store.viewer
        store.viewer = None
        try:
            return player in code(store, me, {"this": holder})
        except Undecided:
            # Nobody has looked into the shuffled pile on which it depends.
            return False
        finally:
            store.viewer = viewer

    return seer
