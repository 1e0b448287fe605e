"""What must hold in every state of every game, whatever its rules say; breaches out.

Things are conserved: each lies in at most one zone, and where it lies is written down rightly.
Every field holds a value of its type and range, and a pile has no more undecided cards than cards.
A breach is a mistake of the interpreter, not of the author.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import is_

from rulewright.dsl.model import types
from rulewright.interpreter.program.encoding import field_fits
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value


def breaches(store: Store, before: Sequence[Sequence[Value]] = ()) -> Iterator[str]:
    """Yield what is wrong with a state, in words; nothing if all is well.

    `before` are the columns of a state in which all was well: a value that has stayed is not looked
    at again.
    """
    layout = store.layout
    lying: dict[Thing, PlaceValue] = {}
    for slot, field in layout.fields.items():
        if slot >= layout.size:
            continue
        known = before[slot] if before else ()
        column = store.columns[slot]
        zone = field.type if isinstance(field.type, types.ZoneType) else None
        # Not `==`: a flag is equal to a number.
        if zone is None and len(column) == len(known) and all(map(is_, column, known)):
            continue
        for index, (place, value) in enumerate(zip(layout.places[slot], column, strict=False)):
            stays = index < len(known) and known[index] is value
            if not stays and not field_fits(layout, field, value):
                yield f"{field.id} of {place.holder!r} holds {value!r}"
            elif zone is not None:
                for thing in value:
                    if thing in lying:
                        other = store.layout.fields[lying[thing].slot]
                        yield f"{thing.key} lies in {other.id} and {field.id}"
                    lying[thing] = place
                if zone.shape == "slot" and len(value) > 1:
                    yield f"{field.id} of {place.holder!r} holds {len(value)} things"
    yield from _misplaced(store, lying)
    yield from _bags(store)


def _misplaced(store: Store, lying: dict[Thing, PlaceValue]) -> Iterator[str]:
    layout = store.layout
    for kind, slot in layout.place_slots.items():
        living = set(store.things(kind))
        for thing in layout.things.get(kind, ())[: store.counts(kind)]:
            noted = store.columns[slot][thing.number]
            if store.is_gone(thing):
                if thing in living or thing in lying:
                    yield f"{thing.key} has left the game and is still there"
                continue
            if thing not in living:
                yield f"{thing.key} is neither in the game nor out of it"
            if noted is not lying.get(thing):
                yield f"{thing.key} lies in another place than is written down"
            owner = store.columns[layout.owner_slots[kind]][thing.number]
            holder = None if noted is None else noted.holder
            if holder is not None and holder.kind == "Player" and owner is not holder:
                yield f"{thing.key} lies with {holder.key} and belongs to {owner!r}"


def _bags(store: Store) -> Iterator[str]:
    layout = store.layout
    for slot, bag in layout.bag_slots.items():
        for count, cards in zip(store.columns[bag], store.columns[slot], strict=True):
            bottom = cards[:count]
            if not 0 <= count <= len(cards):
                yield f"{layout.fields[slot].id} has {count} undecided cards of {len(cards)}"
            elif list(bottom) != sorted(bottom, key=lambda thing: thing.number):
                yield f"the undecided cards of {layout.fields[slot].id} are in some order"
