"""Hidden values that are guessed: what stands in such fields in games that are played at random.

Nothing of it hangs on the game that is going on. A guess is a value that can stand there at some time, not
one that fits everything that the player has noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.knowledge.sight import tracked_kinds, unseen_fields
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

GAMES = 4
MOST_ANSWERS = 150
MOST_ROWS = 400

Rows = Mapping[str | None, Sequence[Mapping[int, Value]]]
"""For each kind of holder (None: the game) what stood together in the columns of its hidden fields."""

_found: WeakKeyDictionary[Program, Rows] = WeakKeyDictionary()


def possible_rows(program: Program) -> Rows:
    """Return what stood in fields that not everybody sees in random games, for each holder together, if it
    was not always the same; found out once for each loaded game. Fields that speak of things that may
    lie hidden are left out."""
    if program not in _found:
        before = program.decision_cache
        _found[program] = _met(program)
        program.decision_cache = before
    return _found[program]


def _met(program: Program) -> Rows:
    layout = program.layout
    slots: dict[str | None, list[int]] = {}
    for slot, field in layout.fields.items():
        if slot < layout.size and not (field.printed or field.internal):
            if program.evaluator.visibility.seer(slot) and layout.zone(slot) is None:
                slots.setdefault(field.holder, []).append(slot)
    if not slots:
        return {}
    kinds = tracked_kinds(layout)
    rows: dict[str | None, dict[tuple[Value, ...], None]] = {holder: {} for holder in slots}
    for seed in range(GAMES):
        for store in _states(program, seed):
            for holder, found in rows.items():
                if len(found) < MOST_ROWS:
                    columns = [store.columns[slot] for slot in slots[holder]]
                    found.update(dict.fromkeys(zip(*columns, strict=True)))
    possible = {}
    for holder, found in rows.items():
        free = [
            place
            for place in range(len(slots[holder]))
            if len({row[place] for row in found}) > 1
            and not any(thing.kind in kinds for row in found for thing in things_in(row[place]))
        ]
        if free:
            possible[holder] = [
                {slots[holder][place]: row[place] for place in free} for row in found
            ]
    return possible


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
    program: Program, places: Sequence[PlaceValue], generator: Generator
) -> Iterator[tuple[PlaceValue, Value]]:
    """Yield something for each of these fields: what stood together for all those of one holder."""
    possible = possible_rows(program)
    rows: dict[tuple[str | None, int], Mapping[int, Value]] = {}
    for place in places:
        kind = program.layout.fields[place.slot].holder
        if (kind, place.index) not in rows:
            rows[kind, place.index] = generator.pick(possible[kind])
        yield place, rows[kind, place.index][place.slot]
