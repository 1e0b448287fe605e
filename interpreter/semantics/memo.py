"""Memoised defines: what a define of the position says is worked out once while what it reads stays.

The value of a define depends on its arguments, on `me`, and on the columns of the fields that it
reads. An *epoch* belongs to a set of columns: it holds a copy of what they contained, and the values
that were worked out then. Whoever asks compares the columns with the copy, so that nobody who writes
has to say so; a look-ahead that is taken back, a copy of a state or another branch finds the old
values again.

Not memoised is what not everybody sees (to read it ends a look-ahead), what lies in a shuffled pile
(to look there decides it), what takes an expression about `it`, and what is about as quick as asking.

**Budgets.** A step may look at so many items (RW702). Which games go beyond that must not depend on
what earlier steps, other games or a display have asked. So a value costs what it has cost to work it
out when a step asks for it first, with all memoised values that it is made of, and 1 from then on. What
has been paid for belongs to the budget: each trial, display or step begins with nothing paid
(`Store.allowance`). Generated code counts more than the walker does, so that it has a memo of its own (`separate`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME
from rulewright.dsl.model.register import BINDING, SOMETIMES, depending
from rulewright.dsl.text.source import Span
from rulewright.interpreter.semantics.closures import Code, tick
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value
from rulewright.interpreter.state.visibility import Visibility

MOST_CONTENTS = 64
"""For so many contents of a set of columns values are kept."""

MOST_VALUES = 2000
"""So many values are kept for each of them."""

EntryKey: TypeAlias = tuple["Memo", tuple[int, ...], int, tuple[Any, ...]]

Counter: TypeAlias = Callable[[Store, int, Span], None]
"""Takes from the budget of a store, and raises if nothing is left."""

OPAQUE = depending("more")
"""What depends on more than columns and arguments."""

USUAL_LENGTH = 6
"""How long a list is of which nothing is known."""

TRIED, MOST_MISSES = 200, 0.8
"""After so many questions it is known whether it pays to ask: it does unless a larger part of the values had to be
worked out."""

LEAST_COST = 100
"""So many parts must roughly be worked out for a value that is memoised."""


@attrs.frozen
class DefineReads:
    """What a define reads, with all that it calls."""

    slots: frozenset[int]
    asks_me: bool
    cost: int
    """How many parts are worked out for one value, roughly and on average."""

    takes_functions: bool
    """Whether it takes an expression about `it`: what that reads is known where it is handed on."""


class MemoEntry:
    """A memoised value: what it costs without the memoised values that it is made of, and those.

    `entry_key` says which value it is: of which define, about what, for which contents of the columns.
    """

    __slots__ = ("cost", "entry_key", "made_of", "value")

    def __init__(
        self, value: Value, cost: int, made_of: tuple[MemoEntry, ...], entry_key: EntryKey
    ) -> None:
        self.value = value
        self.cost = cost
        self.made_of = made_of
        self.entry_key = entry_key


class MemoContents:
    """What has been said while some columns contained the same."""

    __slots__ = ("entries", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.entries: dict[Any, MemoEntry] = {}


class Epoch:
    """The values of all defines that read the same columns, while these contain the same.

    What has not been asked for the longest time is forgotten first. So it makes no difference to a step
    what others have left here: what it has asked for itself is newer.
    """

    __slots__ = ("_kept", "contents", "seen", "slots")

    def __init__(self, slots: tuple[int, ...]) -> None:
        self.slots = slots
        self.seen: list[list[Value]] = [[] for _ in slots]
        self.contents = MemoContents(0)
        self._kept: dict[Any, MemoContents] = {}

    def current(self, store: Store) -> MemoContents:
        """Return the values for what the columns contain now."""
        columns = store.columns
        for slot, seen in zip(self.slots, self.seen, strict=True):
            if columns[slot] != seen:
                return self._turn(columns)
        return self.contents

    def _turn(self, columns: list[list[Value]]) -> MemoContents:
        self.seen = [columns[slot].copy() for slot in self.slots]
        key = tuple([tuple(column) for column in self.seen])
        found = self._kept.pop(key, None)
        if found is None:
            found = MemoContents(hash(key))
            if len(self._kept) >= MOST_CONTENTS:
                del self._kept[next(iter(self._kept))]
        self._kept[key] = self.contents = found
        return found


class Evaluation:
    """A value that is being worked out: the memoised values it has asked for, and their costs."""

    __slots__ = ("charged", "made_of")

    def __init__(self) -> None:
        self.made_of: dict[EntryKey, MemoEntry] = {}
        self.charged = 0


class Memo:
    """Says which defines of a loaded game are memoised, and keeps what they have said."""

    def __init__(
        self, game: model.Game, layout: Layout, visibility: Visibility, counter: Counter = tick
    ) -> None:
        self.on = True
        """Whether anything is memoised; tests compare games with and without."""

        self._game, self._layout, self._visibility = game, layout, visibility
        self._facts: dict[str, DefineReads | None] = {}
        self._epochs: dict[tuple[int, ...], Epoch] = {}
        self._working: list[Evaluation] = []
        self._counter = counter

    def separate(self, counter: Counter) -> Memo:
        """Return a memo of the same defines that remembers and counts for itself."""
        found = Memo(self._game, self._layout, self._visibility, counter)
        found._facts = self._facts
        return found

    # ------------------------------------------------------------------------------ which, and what

    def memoises(self, define: str, cost: int = LEAST_COST) -> bool:
        """Return whether the values of a define are memoised if that pays from some cost on."""
        facts = self.facts(define)
        if facts is None or facts.takes_functions:
            return False
        return bool(facts.slots) and facts.cost >= cost

    def facts(self, define: str) -> DefineReads | None:
        """Return what a define reads; None if that is not known, or more than it may be."""
        if define not in self._facts:
            # A define that calls itself is refused by the checker.
            self._facts[define] = None
            self._facts[define] = self._facts_of(self._game.defines[define])
        return self._facts[define]

    def _facts_of(self, define: model.Define) -> DefineReads | None:
        layout, guard = self._layout, self._visibility.guard
        slots: set[int] = set()
        asks_me = bool(define.changes)
        given = define.parameter_types
        if any(isinstance(one, types.ZoneType | types.PlaceType) for one in given):
            return None
        for part in visitor.walk((define.body, define.lines, define.changes)):
            if isinstance(part, OPAQUE):
                return None
            match part:
                case model.Me():
                    asks_me = True
                case model.Apply(function=function) if not isinstance(
                    function, model.Lambda | model.Local
                ):
                    return None
                case model.Read(field=field):
                    slot = layout.slots[field]
                    if slot in layout.printed:
                        continue
                    if slot in layout.bag_slots or guard(slot) or guard(slot, True):
                        return None
                    slots.add(slot)
                case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                    kind = types.without_none(thing.type)
                    if not isinstance(kind, types.ThingType) or not self._visibility.is_in_sight(
                        kind.kind
                    ):
                        return None
                    owned = isinstance(part, model.OwnerOf)
                    slots.add((layout.owner_slots if owned else layout.place_slots)[kind.kind])
                case model.Everything(kind=kind):
                    if kind in layout.living_slots:
                        slots.add(layout.living_slots[kind])
                case model.DefineCall(define=inner, me=me):
                    facts = self.facts(inner)
                    if facts is None:
                        return None
                    slots |= facts.slots
                    asks_me = asks_me or (facts.asks_me and me is None)
        takes_functions = any(isinstance(one, types.FunctionType) for one in given)
        # What never changes is looked up, whatever it costs.
        cost = (
            self._cost((define.body, define.lines, define.changes))
            if slots or takes_functions
            else 0
        )
        return DefineReads(frozenset(slots), asks_me, cost, takes_functions)

    def _cost(self, node: Any) -> int:
        """Return roughly how many parts are worked out for a value; what is needed sometimes, every second time."""
        if isinstance(node, tuple):
            return sum(map(self._cost, node))
        if not visitor.is_object(type(node)):
            return 0
        bound = BINDING.get(type(node))
        looped = bound.source if bound is not None and bound.each else None
        names = visitor.part_names(type(node))
        sometimes = SOMETIMES.get(type(node), ())
        costs = {name: self._cost(getattr(node, name)) for name in names if name != looped}
        inner = sum(cost // 2 if name in sometimes else cost for name, cost in costs.items())
        match node:
            case model.DefineCall(define=define):
                facts = self.facts(define)
                if facts is None or not (facts.slots or facts.takes_functions):
                    # What never changes is looked up.
                    return 2 + inner
                return 1 + inner + facts.cost
            case model.Builtin(name=name) if FUNCTION_BY_NAME[name].steps:
                return FUNCTION_BY_NAME[name].steps * (1 + inner)
        if looped is None:
            return 1 + inner
        source = getattr(node, looped)
        return self._cost(source) + self._length(source) * (1 + inner)

    def _length(self, node: Any) -> int:
        """Return roughly how long a list is."""
        match node:
            case model.Everything(kind=kind):
                return len(self._layout.things.get(kind, ())) or USUAL_LENGTH
            case model.Seats():
                return len(self._layout.players)
            case model.ListOf(items=items):
                return len(items)
        for part, use in visitor.used(node):
            if use.length != "unknown":
                length = self._length(part)
                return length if use.length == "same" else 1 + length // 2
        return USUAL_LENGTH

    # --------------------------------------------------------------------------------- while it runs

    def code(self, define: model.Define, code: Code) -> Code:
        """Return the code of a memoised define: it asks first what it has said."""
        names = define.parameters
        ask = self._asking(define)

        def memoised(store: Store, me: Thing | None, locals: Locals) -> Value:
            if not self.on:
                return code(store, me, locals)
            given = [locals[name] for name in names]
            return ask(store, me, given, lambda: code(store, me, locals))

        return memoised

    def function(
        self, define: model.Define, code: Callable[..., Value], name: str
    ) -> Callable[..., Value]:
        """Return a function of a store, `me` and arguments that asks first what it has said; `name` says of
        which arguments it is that are known already. If that is seldom of use it asks no more: it is for code
        that may count more than need be."""
        ask = self._asking(define, name)
        asked = worked = 0

        def memoised(store: Store, me: Thing | None, *given: Value) -> Value:
            nonlocal asked, worked
            if not self.on or (asked >= TRIED and worked > asked * MOST_MISSES):
                return code(store, me, *given)

            def work() -> Value:
                nonlocal worked
                worked += 1
                return code(store, me, *given)

            asked += 1
            return ask(store, me, given, work)

        return memoised

    def _asking(self, define: model.Define, name: str = "") -> Callable[..., Value]:
        """Return what looks up the value of a define for some arguments, and works it out if there is none."""
        facts = self.facts(define.id)
        assert facts is not None, define.id
        slots, asks_me = tuple(sorted(facts.slots)), facts.asks_me
        epoch = self._epochs.setdefault(slots, Epoch(slots))
        id, span = name or define.id, define.span

        def ask(
            store: Store, me: Thing | None, given: Sequence[Value], work: Callable[[], Value]
        ) -> Value:
            contents = epoch.current(store)
            key = (id, me if asks_me else None, *given)
            entry = contents.entries.pop(key, None)
            if entry is None:
                entry = self._worked_out(store, work, (self, slots, contents.number, key))
                # What it asked for may have turned the epoch, but never to other contents.
                entries = epoch.current(store).entries
                if len(entries) >= MOST_VALUES:
                    del entries[next(iter(entries))]
                entries[key] = entry
            else:
                contents.entries[key] = entry
                self._ask_again(store, entry, span)
            return entry.value

        return ask

    def _worked_out(
        self, store: Store, work: Callable[[], Value], entry_key: EntryKey
    ) -> MemoEntry:
        before, working = store.budget, Evaluation()
        self._working.append(working)
        try:
            value = work()
        finally:
            self._working.pop()
        spent = before - store.budget
        cost = spent - working.charged
        if cost == 0:
            # To ask is never free.
            cost, spent = 1, spent + 1
            store.budget -= 1
        entry = MemoEntry(value, cost, tuple(working.made_of.values()), entry_key)
        _paid(store).add(entry_key)
        self._charged(entry, spent)
        return entry

    def _ask_again(self, store: Store, entry: MemoEntry, span: Span) -> None:
        price = _price(entry, _paid(store))
        self._counter(store, price, span)
        self._charged(entry, price)

    def _charged(self, entry: MemoEntry, spent: int) -> None:
        if self._working:
            asking = self._working[-1]
            # What is asked for again costs 1, whenever all of it is asked for again.
            if entry.entry_key not in asking.made_of:
                asking.made_of[entry.entry_key] = entry
                asking.charged += spent


def _paid(store: Store) -> set[Any]:
    """Return what has been paid out of the budget of a store."""
    if store.paid is None:
        store.paid = set()
    return store.paid


def _price(entry: MemoEntry, paid: set[Any]) -> int:
    """Return what it costs to ask for a value: out of one budget first what it has cost, then 1."""
    if entry.entry_key in paid:
        return 1
    paid.add(entry.entry_key)
    return entry.cost + sum([_price(one, paid) for one in entry.made_of])
