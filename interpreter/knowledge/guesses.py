"""Hidden values that are guessed: what stands in such fields and locals in games that are played at random.

Nothing of it hangs on the game that is going on. A guess is a value that can stand there at some time, not
one that fits everything that the player has noticed. Things that may lie hidden are guessed by where they lie
(`lying`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

import attrs

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.lying import CannotBeSaid, described, realized
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

GAMES = 4
MOST_ANSWERS = 150
MOST_ROWS = 400

Rows = Mapping[str | None, Sequence[Mapping[int, Value]]]
"""For each kind of holder (None: the game) what stood together in the columns of its hidden fields."""


@attrs.frozen
class Met:
    """What was met in random games."""

    rows: Rows
    stacks: Sequence[tuple[Frame, ...]]
    """The running verbs, with things that may lie hidden described in their locals."""


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
    for seed in range(GAMES):
        for store in _states(program, seed):
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
    return Met(possible, stacks)


def _said(
    program: Program, store: Store, value: tuple[Value, ...], me: Thing | None
) -> tuple[Value, ...] | None:
    layout = program.layout
    try:
        said: tuple[Value, ...] = described(layout, store, value, me, described_kinds(layout))
        hash(said)
    except CannotBeSaid:
        return None
    return said


def _stack(program: Program, store: Store) -> tuple[Frame, ...] | None:
    if store.fork is not None:
        # Those who act at once begin anew: what they share is as it was then.
        store = seen_by(store, None)
    stack = []
    for frame in store.frames:
        said = _said(program, store, tuple(frame.locals.values()), frame.me)
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


def guesses(
    program: Program, store: Store, places: Sequence[PlaceValue], generator: Generator
) -> Iterator[tuple[PlaceValue, Value]]:
    """Yield something for each of these fields of a state: what stood together for all those of one
    holder."""
    layout, possible = program.layout, possible_rows(program)
    kinds = described_kinds(layout)
    rows: dict[tuple[str | None, int], Mapping[int, Value]] = {}
    for place in places:
        kind = layout.fields[place.slot].holder
        if (kind, place.index) not in rows:
            rows[kind, place.index] = generator.pick(possible[kind])
        wanted = rows[kind, place.index][place.slot]
        try:
            yield place, realized(layout, store, wanted, place.holder, kinds, generator)
        except CannotBeSaid:
            # There is no such thing now.
            yield place, layout.start_value(layout.fields[place.slot].type)
