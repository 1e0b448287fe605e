"""Hidden values that are guessed: what stands in such fields and locals in games that are played at random.

Nothing of it hangs on the game that is going on but where its verbs stand: what nobody has written by then in
any of these games is as it was at the beginning. A guess is a value that can stand there at some time, not one
that fits everything that the player has noticed. Things that may lie hidden are guessed by where they lie
(`locations`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

import attrs

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.locations import CannotBeSaid, described, realized
from rulewright.interpreter.knowledge.sight import tracked_kinds, unseen_fields
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

GAMES = 16
"""So many random games are played, fewer if they are long."""

MOST_ANSWERS = 150
"""A game is left after so many answers."""

ENOUGH_ANSWERS = 450
"""After so many in all no further game begins."""

MOST_ROWS = 400

Rows = Mapping[str | None, Sequence[Mapping[int, Value]]]
"""For each kind of holder (None: the game) what stood together in the columns of its hidden fields."""


Places = tuple[tuple[str, int], ...]
"""Where running verbs stand: the unit and node of each frame."""

LEAST_GAMES = 2
"""What was as at the beginning in so many games is so at this place."""


@attrs.frozen
class Met:
    """What was met in random games."""

    rows: Rows
    stacks: Sequence[tuple[Frame, ...]]
    """The running verbs, with things that may lie hidden described in their locals."""

    changed: Mapping[Places, tuple[frozenset[int], frozenset[int]]]
    """For each place at which the running verbs stood: the columns of hidden fields in which not everything
    was as at the beginning, and the numbers of the games."""

    start: Mapping[int, Sequence[Value]]
    """What those columns hold at the beginning."""


_found: WeakKeyDictionary[Program, Met] = WeakKeyDictionary()


def met(program: Program) -> Met:
    """Return what was met in random games; found out once for each loaded game."""
    if program not in _found:
        before = program.decision_cache
        _found[program] = _met(program)
        program.decision_cache = before
    return _found[program]


def described_kinds(layout: Layout) -> frozenset[str]:
    """Return the kinds whose things may lie hidden, or come and go: of another game it says nothing which
    of them it was."""
    return tracked_kinds(layout) | layout.living_slots.keys()


def possible_rows(program: Program) -> Rows:
    """Return what stood in fields that not everybody sees in random games, for each holder together, if it
    was not always the same."""
    return met(program).rows


def _met(program: Program) -> Met:
    layout = program.layout
    slots: dict[str | None, list[int]] = {}
    for slot, field in layout.fields.items():
        if slot < layout.size and not (field.printed or field.internal):
            if program.evaluator.visibility.seer(slot) and layout.zone(slot) is None:
                slots.setdefault(field.holder, []).append(slot)
    rows: dict[str | None, dict[tuple[Value, ...], None]] = {holder: {} for holder in slots}
    stacks: list[tuple[Frame, ...]] = []
    known: set[object] = set()
    changed: dict[Places, tuple[frozenset[int], frozenset[int]]] = {}
    begun = executor.begin(program, 0).columns
    start = {slot: begun[slot].copy() for several in slots.values() for slot in several}
    count = 0
    for seed in range(GAMES):
        if count > ENOUGH_ANSWERS:
            break
        for store in _states(program, seed):
            count += 1
            _note_changed(changed, store, start, seed)
            for holder, found in rows.items():
                if len(found) < MOST_ROWS:
                    columns = [store.columns[slot] for slot in slots[holder]]
                    for number, row in enumerate(zip(*columns, strict=True)):
                        places = layout.places[slots[holder][0]]
                        said = _said(program, store, row, places[number].holder)
                        if said is not None:
                            found[said] = None
            if len(stacks) < MOST_ROWS:
                stack = _stack(program, store)
                key = None if stack is None else tuple([frame.key() for frame in stack])
                if stack and key not in known:
                    known.add(key)
                    stacks.append(stack)
    possible = {}
    for holder, found in rows.items():
        free = [
            place for place in range(len(slots[holder])) if len({row[place] for row in found}) > 1
        ]
        if free:
            possible[holder] = [
                {slots[holder][place]: row[place] for place in free} for row in found
            ]
    return Met(possible, stacks, changed, start)


def _note_changed(
    changed: dict[Places, tuple[frozenset[int], frozenset[int]]],
    store: Store,
    start: Mapping[int, Sequence[Value]],
    seed: int,
) -> None:
    if store.fork is not None:
        store = seen_by(store, None)
    place = tuple([(frame.unit, frame.node) for frame in store.frames])
    slots, games = changed.get(place, (frozenset(), frozenset()))
    more = [slot for slot, column in start.items() if store.columns[slot] != column]
    changed[place] = slots.union(more), games | {seed}


def unwritten(
    program: Program, frames: Sequence[Frame], clouded: Container[int]
) -> dict[int, Sequence[Value]]:
    """Return the columns of hidden fields that were as at the beginning whenever verbs stood where these do,
    with what they held; of the `clouded` frames it is not known where they stand."""
    found = met(program)
    written: set[int] = set()
    games: set[int] = set()
    for place, (slots, several) in found.changed.items():
        if len(place) == len(frames) and all(
            unit == frame.unit and (node == frame.node or depth in clouded)
            for depth, ((unit, node), frame) in enumerate(zip(place, frames, strict=True))
        ):
            written |= slots
            games |= several
    if len(games) < LEAST_GAMES:
        return {}
    return {slot: column for slot, column in found.start.items() if slot not in written}


def _said(
    program: Program,
    store: Store,
    value: tuple[Value, ...],
    me: Thing | None,
    numbers: dict[Thing, int] | None = None,
) -> tuple[Value, ...] | None:
    layout = program.layout
    try:
        said: tuple[Value, ...] = described(
            layout, store, value, me, described_kinds(layout), numbers
        )
        hash(said)
    except CannotBeSaid:
        return None
    return said


def _stack(program: Program, store: Store) -> tuple[Frame, ...] | None:
    if store.fork is not None:
        # Those who act at once begin anew: what they share is as it was then.
        store = seen_by(store, None)
    stack = []
    numbers: dict[Thing, int] = {}
    for frame in store.frames:
        said = _said(program, store, tuple(frame.locals.values()), frame.me, numbers)
        if said is None:
            return None
        locals = dict(zip(frame.locals, said, strict=True))
        stack.append(Frame(frame.unit, frame.node, locals, frame.me))
    return tuple(stack)


def _states(program: Program, seed: int) -> Iterator[Store]:
    generator = Generator(seed)
    store = executor.begin(program, seed)
    try:
        executor.advance(program, store)
        for _ in range(MOST_ANSWERS):
            yield store
            if pending(program, store) is None:
                return
            value = pick_random(program, store, generator)
            executor.answer(program, store, value, trusted=True)
    except PlayError:
        return


def hidden_places(program: Program, store: Store, player: Thing) -> list[PlaceValue]:
    """Return the fields that a player does not see in which anything may stand; not those of which he saw
    what was written there last."""
    possible = {slot for rows in possible_rows(program).values() for slot in rows[0]}
    if not possible:
        return []
    seen: dict[tuple[int, int], bool] = {}
    for event in store.events():
        if event.kind in ("set", "add", "remove", "swap"):
            for place in event.data:
                if isinstance(place, PlaceValue):
                    seen[place.slot, place.index] = player.number in event.seers
    return [
        place
        for place in unseen_fields(program, store, player)
        if place.slot in possible and not seen.get((place.slot, place.index), False)
    ]


class Guesses:
    """Guesses hidden fields of a state, as often as is needed."""

    def __init__(
        self,
        program: Program,
        places: Sequence[PlaceValue],
        frames: Sequence[Frame],
        clouded: Container[int],
    ) -> None:
        """`frames` are the verbs that run; of the `clouded` ones it is not known where they stand."""
        self.layout = program.layout
        self.kinds = described_kinds(program.layout)
        self.places = places
        self.rows: dict[tuple[str | None, int], Sequence[Mapping[int, Value]]] = {}
        """What may stand together, for each holder."""

        still = unwritten(program, frames, clouded) if places else {}
        for place in places:
            kind, index = self.layout.fields[place.slot].holder, place.index
            if (kind, index) not in self.rows:
                possible = possible_rows(program)[kind]
                fixed = {
                    slot: still[slot][index]
                    for slot in still.keys() & possible[0].keys()
                    if index < len(still[slot])
                }
                like = [row for row in possible if fixed.items() <= row.items()]
                self.rows[kind, index] = like or [{**row, **fixed} for row in possible]

    def draw(self, store: Store, generator: Generator) -> Iterator[tuple[PlaceValue, Value]]:
        """Yield something for each of the fields: what stood together for all those of one holder."""
        drawn: dict[tuple[str | None, int], Mapping[int, Value]] = {}
        for place in self.places:
            holder = self.layout.fields[place.slot].holder, place.index
            if holder not in drawn:
                drawn[holder] = generator.pick(self.rows[holder])
            wanted = drawn[holder][place.slot]
            try:
                value = realized(self.layout, store, wanted, place.holder, self.kinds, generator)
            except CannotBeSaid:
                # There is no such thing now.
                value = self.layout.start_value(self.layout.fields[place.slot].type)
            yield place, value
