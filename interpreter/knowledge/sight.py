"""What a player does not see of a state: zones whose things are hidden from him, and fields; and for whom it waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.dsl.ir.nodes import Fork
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.renaming import PLAYER
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import DONE
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing


def unseen_zones(program: Program, store: Store, player: Thing) -> Iterator[PlaceValue]:
    """Yield the zones with something in it of which a player does not see what it is."""
    for place in unseen_places(program, store, player):
        if program.layout.zone(place.slot) is not None and _content(store, place):
            yield place


def unseen_fields(program: Program, store: Store, player: Thing) -> Iterator[PlaceValue]:
    """Yield the state fields whose value a player does not see."""
    for place in unseen_places(program, store, player):
        if program.layout.zone(place.slot) is None:
            yield place


def unseen_places(program: Program, store: Store, player: Thing) -> Iterator[PlaceValue]:
    """Yield the zones and state fields that a player does not see."""
    visibility, layout = program.evaluator.visibility, program.layout
    for slot, field in layout.fields.items():
        if slot >= layout.size or field.printed or field.internal:
            continue
        seer = visibility.seer(slot)
        if seer is None:
            continue
        for place in layout.places[slot][: len(store.columns[slot])]:
            if not seer(store, place.index, player):
                yield place


def hides_nothing(program: Program) -> bool:
    """Return whether everybody sees everything in every state, and nobody acts while others do: what is not
    known of the future is then chance alone."""
    visibility, layout = program.evaluator.visibility, program.layout
    if any(isinstance(node, Fork) for plan in program.plans.values() for node in plan.nodes):
        return False
    return all(
        visibility.seer(slot) is None and visibility.seer(slot, True) is None
        for slot, field in layout.fields.items()
        if slot < layout.size and not field.printed and not field.internal
    )


def _content(store: Store, place: PlaceValue) -> object:
    return store.columns[place.slot][place.index]


def waiting(program: Program, store: Store, viewer: Thing | None) -> Iterable[Thing]:
    """Yield the players for whom the game waits, but not for what.

    Of those who act at once nobody knows whether the others are done, or have had anything to decide.
    """
    fork = store.fork
    if fork is not None:
        done = any(one.player is viewer and one.phase == DONE for one in fork.branches)
        players = {one.player for one in fork.branches}
        # Who has no seat is nobody to wait for.
        yield from (
            seat
            for seat in program.layout.players
            if seat in players and not (done and seat is viewer)
        )
        return
    frame = store.frames[-1] if store.frames else None
    if frame is not None and frame.me is not None and program.op(frame).kind == "decide":
        yield frame.me


def hidden_kinds(layout: Layout) -> frozenset[str]:
    """Return the kinds whose things may lie where not everybody sees them."""
    found: set[str] = set()
    for field in layout.fields.values():
        if isinstance(field.type, types.ZoneType) and field.viewers.who != "everybody":
            kind = field.type.kind
            found |= {kind.kind} if isinstance(kind, types.ThingType) else set(layout.things)
    return frozenset(found - {PLAYER})


def tracked_kinds(layout: Layout) -> frozenset[str]:
    """Return these kinds, and those whose things may lie on such a thing."""
    found = set(hidden := hidden_kinds(layout))
    for field in layout.fields.values():
        if isinstance(field.type, types.ZoneType) and field.holder in hidden:
            kind = field.type.kind
            found |= {kind.kind} if isinstance(kind, types.ThingType) else set(layout.things)
    return frozenset(found - {PLAYER})


def always_sees(layout: Layout, slot: int, index: int, player: int) -> bool | None:
    """Return whether a player sees what lies in a zone, if that is always so; None if it is not."""
    field = layout.fields[slot]
    match field.viewers.who:
        case "everybody":
            return True
        case "nobody":
            return False
        case "owner" if field.holder == PLAYER:
            return index == player
    return None
