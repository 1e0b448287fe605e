"""Hidden values that are guessed: what stands in such fields in games that are played at random.

Nothing of it hangs on the game that is going on. A guess is a value that can stand there at some time, not
one that fits everything that the player has noticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.knowledge.sight import unseen_fields
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

GAMES = 4
MOST_ANSWERS = 150
MOST_VALUES = 50

_found: WeakKeyDictionary[Program, Mapping[int, Sequence[Value]]] = WeakKeyDictionary()


def possible_values(program: Program) -> Mapping[int, Sequence[Value]]:
    """Return, for the columns of fields that not everybody sees, what stood in them in random games, if
    that was more than one value; found out once for each loaded game."""
    if program not in _found:
        _found[program] = _met(program)
    return _found[program]


def _met(program: Program) -> Mapping[int, Sequence[Value]]:
    layout = program.layout
    met: dict[int, dict[Value, None]] = {
        slot: {}
        for slot, field in layout.fields.items()
        if slot < layout.size
        and not (field.printed or field.internal)
        and program.evaluator.visibility.seer(slot) is not None
        and layout.zone(slot) is None
    }
    if not met:
        return {}
    before = program.decision_cache
    for seed in range(GAMES):
        for store in _states(program, seed):
            for slot, values in met.items():
                if len(values) < MOST_VALUES:
                    values.update(dict.fromkeys(store.columns[slot]))
    program.decision_cache = before
    return {slot: tuple(values) for slot, values in met.items() if len(values) > 1}


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
    what was written there last, nor those that speak of things."""
    possible = possible_values(program)
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
        if place.slot in possible
        and not seen.get((place.slot, place.index), False)
        and not things_in(store.columns[place.slot][place.index])
    ]


def guesses(
    program: Program, places: Sequence[PlaceValue], generator: Generator
) -> list[tuple[PlaceValue, Value]]:
    """Return something for each of these fields."""
    possible = possible_values(program)
    return [(place, generator.pick(possible[place.slot])) for place in places]
