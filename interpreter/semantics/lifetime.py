"""New things and things that leave: what `create` and `destroy` do to a store.

A new thing gets its values before it is laid anywhere: what it is given, then the start values of
its other fields, which may read what it was given. Who creates it owns it, unless it comes into a
zone of another player. What leaves keeps its values, so that it can still be named; it lies nowhere
any more, and nothing can be done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.semantics.closures import text_of, tick_bulk
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import MOST_CREATED, PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, Locals, PlaceValue, Thing, Value

Maker: TypeAlias = Callable[[Store, Thing | None, Locals], "Making"]
"""Works out what a new thing is given."""

Making: TypeAlias = Callable[[Thing | None], Thing]
"""Makes the thing, for an owner; it lies nowhere yet."""


def maker(
    evaluator: Evaluator, kind: str, cells: Sequence[tuple[str, model.Expression]], span: Span
) -> Maker:
    """Return what makes things of a kind that are given these fields."""
    layout = evaluator.layout
    given = []
    for id, value in cells:
        field = layout.game.fields[id]
        keys = 0
        if isinstance(field.type, types.FamilyType):
            if not isinstance(value.type, types.FamilyType):
                keys = len(layout.keys(field.type.key))
        check = evaluator.range_check(id)
        given.append((layout.slots[id], evaluator.needed(value, field.type), keys, check))
    named = {id for id, _ in cells}
    starts = [
        (layout.slots[field.id], evaluator.start(field.id), evaluator.range_check(field.id))
        for field in layout.game.fields.values()
        if field.holder == kind and field.default is not None and field.id not in named
        if not isinstance(field.type, types.ZoneType)
    ]
    owners = layout.owner_slots[kind]

    def work_out(store: Store, me: Thing | None, locals: Locals) -> Making:
        count = store.counts(kind)
        if count - layout.tabled[kind] >= MOST_CREATED:
            raise PlayError("RW722", span, expected=f"{MOST_CREATED:,} of {kind}")
        if store.trail is not None:
            # In a trial the columns are copied.
            tick_bulk(store, count, span)
        values = [code(store, me, locals) for _, code, _, _ in given]

        def make(owner: Thing | None) -> Thing:
            thing = store.create(kind)
            try:
                store.write(owners, thing.number, owner)
                for (slot, _, keys, check), value in zip(given, values, strict=True):
                    if check is not None:
                        check(store, thing, value, span)
                    store.write(slot, thing.number, (value,) * keys if keys else value)
                for slot, start, check in starts:
                    value = start(store, thing)
                    if check is not None:
                        check(store, thing, value, span)
                    store.write(slot, thing.number, value)
            except BaseException:
                # A start value may meet cards that are not decided: then all is done once more.
                store.forget(thing)
                raise
            return thing

        return make

    return work_out


def zones_of(evaluator: Evaluator, kind: str) -> tuple[int, ...]:
    """Return the columns of the zones that the things of a kind have."""
    layout = evaluator.layout
    return tuple(slot for slot in layout.slots_of(kind) if layout.zone(slot) is not None)


def check_there(store: Store, thing: Thing | None, span: Span) -> None:
    """Raise a rules error if a thing has left the game: nothing can be done with it."""
    if thing is not None and store.is_gone(thing):
        raise PlayError("RW721", span, name=text_of(span))


def by_place(
    store: Store, things: Sequence[Thing], span: Span
) -> dict[PlaceValue | None, list[Thing]]:
    """Return things by the places where they lie; what has left the game is a rules error."""
    layout = store.layout
    groups: dict[PlaceValue | None, list[Thing]] = {}
    for thing in dict.fromkeys(things):
        place = store.columns[layout.place_slots[thing.kind]][thing.number]
        if place is not None and place.slot == GONE:
            raise PlayError("RW721", span, name=text_of(span))
        groups.setdefault(place, []).append(thing)
    return groups


def leave(
    store: Store, things: Sequence[Thing], seers: int, zones: Sequence[int], span: Span
) -> None:
    """Let things of one kind, which lie in no zone any more, leave the game."""
    layout, kind = store.layout, things[0].kind
    for thing in things:
        for slot in zones:
            if store.columns[slot][thing.number]:
                raise PlayError("RW723", span, name=layout.fields[slot].name)
        store.write(layout.place_slots[kind], thing.number, layout.gone(seers))
    going = set(things)
    living: Value = store.things(kind)
    rest = tuple(thing for thing in living if thing not in going)
    tick_bulk(store, len(living), span)
    store.write(layout.living_slots[kind], 0, rest)
