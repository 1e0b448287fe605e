"""The state of a game: columns of values and a stack of running verbs, nothing else.

All values are immutable, so a copy of a store copies its lists and no more. Writing goes through
`Store.write`; while a trial runs, each write notes the old value in the *trail* and `undo_to` takes
all of them back. A pile whose bottom part is a bag keeps that part sorted by the numbers of its
cards: two stores that differ only in what nobody has decided are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.dsl.text.source import Span
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError
from rulewright.interpreter.state.frames import FIRST_SETBACKS, Branch, Fork, Frame, bare
from rulewright.interpreter.state.layout import (
    ENDING,
    EVENTS,
    LASTING,
    OPENED,
    RANDOM,
    SCALARS,
    START_SCALARS,
    Layout,
)
from rulewright.interpreter.state.log import Event, Log, latest_first, length, longer
from rulewright.interpreter.state.position_key import (
    contents,
    key_without_numbers,
    keys,
    number_of,
    written,
)
from rulewright.interpreter.state.values import GONE, Thing, Value

Trail = list[tuple[list[Value], int, Value]]


class Store:
    """The state of one game; see the module."""

    __slots__ = (
        "asking",
        "budget",
        "columns",
        "counted",
        "dictated",
        "explicit_chance",
        "fork",
        "frames",
        "given",
        "layout",
        "log",
        "most_setbacks",
        "paid",
        "refuted",
        "setback",
        "setbacks",
        "strict",
        "trail",
        "transaction",
        "viewer",
    )

    def __init__(self, layout: Layout, columns: list[list[Value]]) -> None:
        self.layout = layout
        self.columns = columns
        self.frames: list[Frame] = []
        self.log: Log | None = None
        self.counted: Log | None = None
        """Up to where the events are counted."""

        self.trail: Trail | None = None
        """The old values of a trial; None while the game really runs."""

        self.transaction: tuple[Any, ...] | None = None
        """The running transaction, as the look-ahead describes it."""

        self.viewer: Thing | None = None
        """The player of the running transaction: what he does not see ends it."""

        self.asking: Span | None = None
        """The question that is being asked, if it must be watched: it may read nothing that its
        player does not see."""

        self.fork: Fork | None = None
        """Where several players act at once: then columns, frames, log and transaction are those
        of the branch in which the store stands."""

        self.budget: int = TICKS_PER_STEP
        """How many items the expressions of this step may still look at."""

        self.paid: set[Any] | None = None
        """The memoised values that have been paid for out of this budget (`memo`)."""

        self.dictated: tuple[Value, ...] = ()
        """Outcomes of chance that a driver has prescribed."""

        self.explicit_chance: bool = False
        """Whether the game stops at chance, so that a driver can say what comes."""

        self.given: Any = None
        self.refuted: tuple[Any, ...] = ()
        self.setback: Any = None
        self.setbacks: int = 0
        self.most_setbacks: int = FIRST_SETBACKS
        """What `setbacks` knows: answers since one that was not proved, options refused here, what was
        taken back at last, how often, and how often that goes back to the last menu."""

        self.strict: bool = False
        """Whether a search that grows too large is an error."""

    # ------------------------------------------------------------------------- reading and writing

    @property
    def random_state(self) -> int:
        """The state of the generator."""
        state: int = self.columns[SCALARS][RANDOM]
        return state

    @property
    def ending(self) -> str | None:
        """The reason of the end, or None."""
        reason: str | None = self.columns[SCALARS][ENDING]
        return reason

    @property
    def is_beginning(self) -> bool:
        """Whether nothing has been answered yet in the running transaction; for offers."""
        return bool(self.columns[SCALARS][OPENED])

    def write(self, slot: int, index: int, value: Value) -> None:
        """Change one entry; the only way to change any."""
        column = self.columns[slot]
        if self.trail is not None:
            self.trail.append((column, index, column[index]))
        column[index] = value

    def undo_to(self, mark: int) -> None:
        """Take back all writes since the trail had `mark` entries."""
        trail = self.trail
        assert trail is not None, "nothing was noted"
        for column, index, old in reversed(trail[mark:]):
            column[index] = old
        del trail[mark:]

    def forget_lasting(self) -> None:
        """Take away the records of what `until` says: nothing runs any more."""
        if self.columns[SCALARS][LASTING] is not None:
            self.write(SCALARS, LASTING, None)

    @property
    def running(self) -> Sequence[Frame]:
        """The running verbs."""
        return self.frames

    @property
    def allowance(self) -> tuple[int, set[Any] | None]:
        """What the expressions of this step may still look at, and what has been paid out of it."""
        return self.budget, self.paid

    @allowance.setter
    def allowance(self, given: tuple[int, set[Any] | None]) -> None:
        self.budget, self.paid = given

    def things(self, kind: str) -> Sequence[Thing]:
        """Return the things of a kind that are in the game, in the order of their creation."""
        slot = self.layout.living_slots.get(kind)
        if slot is None:
            return self.layout.things.get(kind, ())
        living: tuple[Thing, ...] = self.columns[slot][0]
        return living

    def counts(self, kind: str) -> int:
        """Return how many things of a kind there have been in this game."""
        return len(self.columns[self.layout.place_slots[kind]])

    def create(self, kind: str) -> Thing:
        """Let a new thing of a kind come into the game: with the values that say nothing, lying
        nowhere."""
        layout, columns = self.layout, self.columns
        thing = layout.thing(kind, self.counts(kind))
        for slot, value in layout.new_entries(kind):
            if self.trail is None:
                columns[slot].append(value)
            else:
                # Taken back by putting the shorter column in its place.
                self.trail.append((columns, slot, columns[slot]))
                columns[slot] = [*columns[slot], value]
        living = layout.living_slots[kind]
        self.write(living, 0, (*columns[living][0], thing))
        return thing

    def forget(self, thing: Thing) -> None:
        """Take back that a thing has come into the game, unless a trial takes it back anyway."""
        if self.trail is not None:
            return
        for slot in self.layout.columns_of(thing.kind):
            self.columns[slot].pop()
        living = self.layout.living_slots[thing.kind]
        self.columns[living][0] = self.columns[living][0][:-1]

    def is_gone(self, thing: Thing) -> bool:
        """Return whether a thing has left the game."""
        if thing.kind not in self.layout.living_slots:
            return False
        place = self.columns[self.layout.place_slots[thing.kind]][thing.number]
        return place is not None and bool(place.slot == GONE)

    def append_event(self, event: Event) -> None:
        """Note an event, unless this is a trial."""
        if self.trail is None:
            self.log = longer(self.log, event)

    def count_events(self) -> int:
        """Return how many events there have been; those that a copy has left out, too."""
        scalars = self.columns[SCALARS]
        if self.log is not self.counted:
            scalars[EVENTS] += length(self.log, self.counted)
            self.counted = self.log
        count: int = scalars[EVENTS]
        return count

    def events(self) -> Iterator[Event]:
        """Return the events in the order in which they happened."""
        return reversed(list(latest_first(self.log)))

    def meet_hidden(self) -> None:
        """Note that the player of the transaction has met what he does not see, or chance: it ends
        here."""
        if self.asking is not None:
            raise PlayError("RW735", self.asking)
        if self.trail is not None:
            raise Horizon
        self.viewer = None
        self.transaction = None
        if self.fork is not None:
            self.fork = self.fork.having(learned=self.fork.learned + 1)

    def end_pass(self) -> None:
        """Note that the pass of a loop is over which ends the transaction."""
        if self.trail is not None:
            raise Horizon
        self.transaction = None
        if self.fork is None:
            self.viewer = None
        # Somebody who acts while others do may still take back what he has done, as long as he has
        # learned nothing: so it is watched what he looks at.

    def nothing_runs(self) -> None:
        """Note that no verb is running any more: all frames are left at once."""
        for slot in self.layout.counters:
            self.write(slot, 0, 0)

    @property
    def dead_ends(self) -> tuple[Any, ...]:
        """What may be taken back, and what has been (see `setbacks`); each branch has its own."""
        return self.given, self.refuted, self.setbacks, self.most_setbacks

    @dead_ends.setter
    def dead_ends(self, noted: tuple[Any, ...]) -> None:
        self.given, self.refuted, self.setbacks, self.most_setbacks = noted

    # --------------------------------------------------------------------------- undecided in piles

    def undecided(self, slot: int, index: int) -> tuple[Thing, ...]:
        """Return the cards of a pile whose places are not decided, in table order."""
        bag: int = self.columns[self.layout.bag_slots[slot]][index]
        cards: tuple[Thing, ...] = self.columns[slot][index]
        return cards[:bag]

    def decide(self, slot: int, index: int, card: Thing) -> None:
        """Let the card be the topmost of the undecided ones of a pile."""
        bag_slot = self.layout.bag_slots[slot]
        bag: int = self.columns[bag_slot][index]
        cards: tuple[Thing, ...] = self.columns[slot][index]
        at = cards.index(card, 0, bag)
        self.write(slot, index, (*cards[:at], *cards[at + 1 : bag], card, *cards[bag:]))
        self.write(bag_slot, index, bag - 1)

    def to_bag(self, slot: int, index: int) -> None:
        """Make a whole pile undecided: it has been shuffled."""
        cards: tuple[Thing, ...] = self.columns[slot][index]
        self.write(slot, index, tuple(sorted(cards, key=number_of)))
        self.write(self.layout.bag_slots[slot], index, len(cards))

    # ------------------------------------------------------------------------------ copies and keys

    def clone(self) -> Store:
        """Return a store of its own with the same content; not inside a trial."""
        assert self.trail is None, "a trial has no copies"
        copy: Store = bare(Store)
        copy.layout = self.layout
        copy.columns = [*map(list.copy, self.columns)]
        copy.frames = [*map(Frame.copy, self.frames)]
        copy.log = self.log
        copy.counted = self.counted
        copy.trail = None
        copy.transaction = self.transaction
        copy.asking = None
        copy.viewer = self.viewer
        copy.fork = self.fork
        copy.budget = TICKS_PER_STEP
        copy.paid = None
        copy.dictated = self.dictated
        copy.explicit_chance = self.explicit_chance
        copy.given = self.given
        copy.refuted = self.refuted
        copy.setback = self.setback
        copy.setbacks = self.setbacks
        copy.most_setbacks = self.most_setbacks
        copy.strict = self.strict
        return copy

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Store)
            and self.count_events() == other.count_events()
            and self.columns == other.columns
            and self.frames == other.frames
            and self.transaction == other.transaction
            and self.fork == other.fork
        )

    __hash__ = None  # type: ignore[assignment]

    def key(self) -> tuple[Any, ...]:
        """Return the position as something hashable: without its history, and without the order in
        unordered zones."""
        fork = self.fork
        if fork is None and self.layout.living_slots:
            return key_without_numbers(self)
        columns, frames = contents(self.layout, self.columns), keys(self.frames)
        if fork is None:
            return *columns, frames, self.transaction, self.is_beginning
        branches = tuple([self._of_branch(branch) for branch in fork.branches])
        start = contents(self.layout, fork.columns), keys(fork.frames)
        own = self.transaction, self.is_beginning
        return *columns, frames, own, start, branches

    def _of_branch(self, branch: Branch) -> tuple[Any, ...]:
        cells = written(self.layout, branch.cells)
        going_on = branch.transaction, branch.opened, branch.ending
        return branch.player, branch.phase, cells, keys(branch.frames), going_on


def blank(layout: Layout) -> Store:
    """Return a store in which every field has the start value of its type and nothing lies
    anywhere; `setup.start_store` gives the start of a game."""
    columns: list[list[Value]] = [[] for _ in range(layout.size)]
    columns[SCALARS] = list(START_SCALARS)
    for slot, field in layout.fields.items():
        if slot < layout.size:
            given = layout.table_values.get(slot)
            start = layout.start_value(field.type)
            columns[slot] = [start] * layout.length(field) if given is None else list(given)
    for slot, bag in layout.bag_slots.items():
        columns[bag] = [0] * layout.length(layout.fields[slot])
    for kind, slot in layout.place_slots.items():
        columns[slot] = [None] * layout.count(kind)
        columns[layout.owner_slots[kind]] = columns[slot].copy()
    for kind, slot in layout.living_slots.items():
        columns[slot] = [tuple(layout.things.get(kind, ())[: layout.count(kind)])]
    for watch in layout.game.watches:
        count = len(layout.players) if watch.needs_me else 1
        columns[layout.watch_slots[watch.id]] = [False] * count
    return Store(layout, columns)
