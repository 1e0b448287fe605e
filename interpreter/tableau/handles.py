"""What a table keeps for a seat from one view to the next: names of things, and how far it has come.

A handle names a thing for one seat. It is allotted when the seat comes to see the thing, and
forgotten when it no longer does, or when nobody can have followed the thing: a card
that went through a shuffled pile gets a new one. Its number is the seat's own count. Of things
that cannot be told apart the one that is shown first has the smaller handle, whichever it is: so no
handle and no order tells which of several copies something is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rulewright.interpreter.state.values import Thing

NEW = 1 << 60
"""The rank of what has no handle yet: it comes last."""


@attrs.define
class Handles:
    """The memory of one seat, or of all watchers, of a table.

    Plain data: it can be pickled, and `attrs.asdict` gives what can be written as JSON.
    """

    n: int = 0
    """The seat's own count of what it has noticed and answered."""

    known: str = ""
    """What it had noticed when that was counted last, in short."""

    events: int = 0
    """How many events had happened then, as the seat has them before it."""

    noticed: int = 0
    """How many of them it had noticed."""

    next: int = 1
    """The number of the next handle."""

    numbers: dict[str, int] = attrs.field(factory=dict)
    """The handles of the things that are in sight, by keys of things that nobody is told."""

    groups: dict[str, int] = attrs.field(factory=dict)
    """Which of them could not be told apart when they were seen last, by the same keys."""

    def forget(self, things: Iterable[Thing]) -> None:
        """Forget things that were out of sight."""
        for thing in things:
            self.numbers.pop(thing_key(thing), None)
            self.groups.pop(thing_key(thing), None)


def thing_key(thing: Thing) -> str:
    """Return what a thing is remembered by."""
    return f"{thing.kind}:{thing.number}"


class Naming:
    """Allots the handles of one view."""

    def __init__(self, handles: Handles) -> None:
        self._handles = handles
        self._named: dict[Thing, int] = {}
        self._alike: list[Sequence[Thing]] = []
        self._group_of: dict[Thing, Sequence[Thing]] = {}
        self._pools: dict[int, list[int]] = {}
        """The handles of each group of alike things that are not taken yet, greatest first."""

        for key, group in handles.groups.items():
            if key in handles.numbers:
                self._pools.setdefault(group, []).append(handles.numbers[key])
        self._ranks = {group: min(pool) for group, pool in self._pools.items()}
        for pool in self._pools.values():
            pool.sort(reverse=True)

    def handle(self, thing: Thing) -> str:
        """Return the handle of a thing that is seen."""
        return f"t{self.number(thing)}"

    def number(self, thing: Thing) -> int:
        """Return the number of the handle of a thing that is seen."""
        number = self._named.get(thing)
        if number is None:
            number = self._named[thing] = self._allotted(thing)
        return number

    def _allotted(self, thing: Thing) -> int:
        key = thing_key(thing)
        group = self._handles.groups.get(key)
        if group is not None and self._pools.get(group):
            return self._pools[group].pop()
        if key in self._handles.numbers and group is None:
            return self._handles.numbers[key]
        number = self._handles.next
        self._handles.next += 1
        return number

    def is_named(self, thing: Thing) -> bool:
        """Return whether a thing is part of this view."""
        return thing in self._named

    def rank(self, thing: Thing) -> int:
        """Return since when a thing, or one that looked the same, has been in sight: the smaller, the
        longer."""
        key = thing_key(thing)
        group = self._handles.groups.get(key)
        if group in self._ranks:
            return self._ranks[group]
        return self._handles.numbers.get(key, NEW)

    def within(self, thing: Thing) -> int:
        """Return the place of a thing among those that look the same: of those that have been named in
        this view by their handles."""
        return self._named.get(thing, NEW)

    def note_alike(self, things: Sequence[Thing]) -> None:
        """Note that nobody can tell which of these things is which."""
        self._alike.append(things)
        self._group_of.update(dict.fromkeys(things, things))

    def alike(self, thing: Thing) -> list[str]:
        """Return the handles of all things in this view that nobody can tell from a thing (itself among
        them), in their order."""
        group = self._group_of.get(thing, (thing,))
        return [f"t{number}" for number in sorted(self.number(one) for one in group)]

    def of_some(self, things: Iterable[Thing]) -> list[str]:
        """Return the handles of some of the things of this view. Of things that nobody can tell apart only
        how many they are says anything: they are the last ones, so that what has been chosen before is
        the first."""
        counts: dict[Thing, int] = {}
        for thing in things:
            first = self._group_of.get(thing, (thing,))[0]
            counts[first] = counts.get(first, 0) + 1
        return [one for first, count in counts.items() for one in self.alike(first)[-count:]]

    def one_each(self, things: Sequence[Thing]) -> dict[Thing, str]:
        """Return a handle for each of some things of this view; of those that nobody can tell apart in the
        order in which they are given."""
        left: dict[Thing, list[str]] = {}
        found = {}
        for thing in things:
            first = self._group_of.get(thing, (thing,))[0]
            if first not in left:
                left[first] = self.alike(first)
            found[thing] = left[first].pop(0)
        return found

    def keep(self) -> None:
        """Remember the handles of this view, and no others."""
        handles = self._handles
        handles.numbers = {thing_key(thing): number for thing, number in self._named.items()}
        handles.groups = {
            thing_key(thing): group for group, things in enumerate(self._alike) for thing in things
        }
