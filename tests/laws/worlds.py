"""Two worlds that a player must not be able to tell apart.

    other = another_world(program, store, player, generator)
    assert view(program, store, player) == view(program, other, player)

The other world is the same state under a permutation of the things that the player does not see
where they lie: wherever one of them lay, there now lies another of its kind, with the same marks on
it and pointed at by the same fields. Only what is printed on it is different, and that is what the
player must not learn. The order in unordered zones that he does not see is changed as well, and so
is what stands in fields that he does not see: dice, roles, sealed numbers, secret choices.

Who sees what is worked out here from the declarations, not by the module that the interpreter asks,
so that a mistake there is found.
"""

from __future__ import annotations

import difflib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.knowledge.information_state import Answer, information_state
from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.lookahead.reasons import Reason
from rulewright.interpreter.play import why as explain
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.events import BAG
from rulewright.interpreter.state.errors import InvalidActionError, PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import Event, longer
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    EnumValue,
    GonePlace,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.terminal.board import boards
from rulewright.interpreter.terminal.svg import picture

MOST_REASONS = 60
"""So many options that do not live are asked why."""

MOST_LINES = 40

Exchange = Mapping[Thing, Thing]
"""Which thing lies in the other world where this one lies here."""


# ---------------------------------------------------------------------------------- who sees what


def sees(program: Program, store: Store, place: PlaceValue, player: Thing) -> bool:
    """Return whether a player sees what is in a field or zone, as its declaration says."""
    field = program.layout.fields[place.slot]
    if field.printed:
        return True
    match field.viewers.who:
        case "everybody":
            return True
        case "owner":
            return player is _owner(program, store, place.holder)
        case "some":
            viewers = field.viewers.expression
            assert viewers is not None
            code = program.evaluator.expression(viewers)
            look = store.clone()
            look.viewer = look.transaction = None
            me = _owner(program, store, place.holder)
            return player in code(look, me, {"this": place.holder})
    return False


def _owner(program: Program, store: Store, holder: Thing | None) -> Thing | None:
    if holder is None or holder.kind == "Player":
        return holder
    owner: Thing | None = store.columns[program.layout.owner_slots[holder.kind]][holder.number]
    return owner


def zones(program: Program, store: Store) -> Iterator[tuple[PlaceValue, tuple[Thing, ...]]]:
    """Yield every zone with what lies in it."""
    layout = program.layout
    for slot, field in layout.fields.items():
        if slot < layout.size and isinstance(field.type, types.ZoneType):
            # Another game may have had more things that have zones.
            count = len(store.columns[slot])
            yield from zip(layout.places[slot][:count], store.columns[slot], strict=True)


def hidden(program: Program, store: Store, player: Thing) -> list[Thing]:
    """Return the things that lie where the player does not see them."""
    return [
        thing
        for place, things in zones(program, store)
        if things and not sees(program, store, place, player)
        for thing in things
    ]


def has_secrets(program: Program) -> bool:
    """Return whether there are zones or fields whose content is hidden from somebody."""
    return any(
        not (field.printed or field.internal) and field.viewers.who != "everybody"
        for field in program.game.fields.values()
    )


def told(program: Program, store: Store, player: Thing) -> set[Thing]:
    """Return the things that were moved before the eyes of a player, or shown to him."""
    found: set[Thing] = set()
    for event in store.events():
        match event.kind, event.data:
            case "move", (things, source, target):
                if _saw(program, source, event, player) or _saw(program, target, event, player):
                    found.update(things)
            case "create" | "destroy", (things, place):
                if _saw(program, place, event, player):
                    found.update(things)
            case "show", (value, viewers, *_):
                if player in viewers:
                    found.update(_things_in(value, store))
    return found


def known(program: Program, past: Sequence[Store], store: Store, player: Thing) -> set[Thing]:
    """Return the things that a player has seen up to a state, given the states before it."""
    found = told(program, store, player)
    if any(event.kind == "swap" for event in store.events()):
        # What lay in zones that were exchanged is not told: look at all the states.
        everything = set(itertools.chain.from_iterable(program.layout.things.values()))
        for state in past:
            found |= everything.difference(hidden(program, state, player))
    return found


def _saw(program: Program, place: PlaceValue | None, event: Event, player: Thing) -> bool:
    """Return whether a player saw a zone when something was moved from or to it."""
    if place is None:
        return True
    match program.layout.fields[place.slot].viewers.who:
        case "everybody":
            return True
        case "nobody":
            return False
        case "owner" if place.holder is not None and place.holder.kind == "Player":
            return place.holder is player
    # Who saw it then cannot be worked out any more; the event knows.
    return player.number in event.seers


def _things_in(value: Value, store: Store) -> Iterator[Thing]:
    match value:
        case Thing():
            yield value
        case tuple():
            for item in value:
                yield from _things_in(item, store)
        case PlaceValue():
            yield from _things_in(store.columns[value.slot][value.index], store)


# ------------------------------------------------------------------------------------- permutations


def exchanged(things: Iterable[Thing], generator: Generator, swaps: int | None = None) -> Exchange:
    """Return a random permutation of things within their kinds: any one, or so many swaps."""
    by_kind: dict[str, list[Thing]] = {}
    for thing in things:
        by_kind.setdefault(thing.kind, []).append(thing)
    exchange: dict[Thing, Thing] = {}
    for kind in sorted(by_kind):
        group = by_kind[kind]
        if swaps is None:
            exchange.update(zip(group, generator.shuffled(group), strict=True))
            continue
        for _ in range(swaps):
            one, other = generator.pick(group), generator.pick(group)
            exchange[one], exchange[other] = exchange.get(other, other), exchange.get(one, one)
    return {here: there for here, there in exchange.items() if here is not there}


@attrs.frozen
class Renaming:
    """Applies a permutation of things to everything that a store holds."""

    program: Program
    exchange: Exchange

    def value(self, value: Value) -> Value:
        """Return a value as it is in the other world."""
        match value:
            case Thing():
                return self.exchange.get(value, value)
            case tuple():
                return tuple(self.value(item) for item in value)
            case GonePlace():
                return value
            case PlaceValue():
                return self.place(value)
            case VerbValue():
                return attrs.evolve(value, arguments=self.value(value.arguments))
            case Closure() | PlaceClosure():
                names = tuple((name, self.value(held)) for name, held in value.locals)
                return attrs.evolve(value, locals=names)
        return value

    def place(self, place: PlaceValue) -> PlaceValue:
        """Return a field, zone or entry as it is in the other world."""
        layout = self.program.layout
        holder = self.value(place.holder)
        there = layout.places[place.slot][0 if holder is None else holder.number]
        if place.key_index is None:
            return there
        kind = layout.fields[place.slot].type
        assert isinstance(kind, types.FamilyType)
        key = self.value(layout.keys(kind.key)[place.key_index])
        return PlaceValue(there.slot, there.holder, key.number)

    def store(self, store: Store) -> Store:
        """Return the other world; what ran before, what waits and the log are changed with it."""
        layout = self.program.layout
        other = store.clone()
        for slot, field in layout.fields.items():
            if slot < layout.size:
                column = [self._field(field, held) for held in store.columns[slot]]
                # What is printed on created things stays with them, as in a table.
                other.columns[slot] = column if field.printed else self._rows(field.holder, column)
        for slot in layout.living_slots.values():
            other.columns[slot] = [self.value(held) for held in store.columns[slot]]
        for slots in (layout.place_slots, layout.owner_slots):
            for kind, slot in slots.items():
                column = [self.value(held) for held in store.columns[slot]]
                other.columns[slot] = self._rows(kind, column)
        for slot, bag in layout.bag_slots.items():
            other.columns[bag] = self._rows(layout.fields[slot].holder, store.columns[bag])
            for index, count in enumerate(other.columns[bag]):
                cards = other.columns[slot][index]
                below = sorted(cards[:count], key=lambda card: card.number)
                other.columns[slot][index] = (*below, *cards[count:])
        other.frames = [self._frame(frame) for frame in store.frames]
        other.dictated = self.value(store.dictated)
        other.log = None
        for event in store.events():
            other.log = longer(other.log, self.event(event))
        return other

    def _field(self, field: model.Field, held: Value) -> Value:
        if isinstance(field.type, types.FamilyType) and isinstance(field.type.key, types.ThingType):
            held = self._rows(field.type.key.kind, list(held))
        return self.value(tuple(held) if isinstance(held, list) else held)

    def _rows(self, kind: str | None, column: list[Value]) -> list[Value]:
        """Return a column in which each thing of a kind has what the other one had."""
        rows = column.copy()
        for here, there in self.exchange.items():
            if here.kind == kind:
                rows[there.number] = column[here.number]
        return rows

    def _frame(self, frame: Frame) -> Frame:
        names = {
            name: self._bag(held) if name == BAG else self.value(held)
            for name, held in frame.locals.items()
        }
        return Frame(frame.unit, frame.node, names, self.value(frame.me))

    def _bag(self, held: tuple[int, int]) -> tuple[int, int]:
        slot, index = held
        return slot, self.place(self.program.layout.places[slot][index]).index

    def event(self, event: Event) -> Event:
        """Return an event as it was in the other world."""
        return event._replace(actor=self.value(event.actor), data=self.value(event.data))


def another_world(
    program: Program,
    store: Store,
    player: Thing,
    generator: Generator,
    but_for: Iterable[Thing] = (),
) -> Store:
    """Return a state that differs in nothing but what the player does not see."""
    store = seen_by(store, player)
    kept = set(but_for)
    unseen = [thing for thing in hidden(program, store, player) if thing not in kept]
    other = Renaming(program, exchanged(unseen, generator)).store(store)
    for place, things in zones(program, other):
        if place.slot in program.layout.unordered and not sees(program, other, place, player):
            other.columns[place.slot][place.index] = generator.shuffled(things)
    _change_values(program, store, other, player, generator)
    if other.fork is not None and other.fork.player is not player:
        # He does nothing while others act: he sees what it was when they began.
        other.fork = attrs.evolve(other.fork, columns=tuple(other.columns), log=other.log)
    return other


def _change_values(
    program: Program, store: Store, other: Store, player: Thing, generator: Generator
) -> None:
    """Change what stands in fields that the player does not see, in half of them."""
    layout, effects = program.layout, program.effects
    decide = frozenset().union(
        *(
            effects.reads(viewers.expression)
            for field in layout.fields.values()
            for viewers in (field.viewers, field.count_viewers)
            if viewers.expression is not None
        )
    )
    for slot, field in layout.fields.items():
        if slot >= layout.size or field.printed or field.internal or field.id in decide:
            continue
        if isinstance(field.type, types.ZoneType) or field.viewers.who == "everybody":
            continue
        for place in layout.places[slot][: len(store.columns[slot])]:
            # What lay elsewhere may lie here in the other world, where he sees it.
            if not sees(program, other, place, player) and generator.pick((True, False)):
                index = place.index
                held = other.columns[slot][index]
                other.columns[slot][index] = _another(program, field, held, generator)


def _another(program: Program, field: model.Field, held: Value, generator: Generator) -> Value:
    """Return what could stand in a field as well."""
    match held:
        case bool():
            return not held
        case int():
            least = 0 if field.low is not None else held - 1
            most = held if field.high is not None else held + 1
            return generator.pick(range(max(least, min(0, held)), most + 1))
        case EnumValue():
            return generator.pick(program.layout.enums[held.enum])
        case Thing(kind="Player"):
            return generator.pick(program.layout.players)
        case tuple():
            return tuple(_another(program, field, one, generator) for one in held)
    return held


# -------------------------------------------------------------------------------------------- views


def view(program: Program, store: Store, player: Thing) -> dict[str, str]:
    """Return everything that a player is told about a state, part by part, as texts; and what everybody
    sees of it."""
    program.decision_cache = None
    parts = {
        "what everybody sees": _written(observation(program, store, None)),
        "map for everybody": _written(boards(program, store, None)),
    }
    store = seen_by(store, player)
    parts |= {
        "observation": _written(observation(program, store, player)),
        "possible verbs": _written(dict(_verbs(program, store, player))),
        "explanations": _written(dict(_explanations(program, store, player))),
        "map": _written(boards(program, store, player)),
        "picture": picture(program, store, player) or "",
    }
    waiting = decisions.pending(program, store)
    if waiting is not None and waiting.player is player:
        parts["decision"] = _written(_decision(program, store))
        parts["options"] = _written(list(_options(program, store)))
    program.decision_cache = None
    return parts


def recollection(
    program: Program, store: Store, player: Thing, answers: Iterable[Answer] = ()
) -> str:
    """Return what a player has done and noticed so far, as data and in words, as a text; and what
    everybody has noticed."""
    told = [information_state(program, store, player, answers)]
    for who in (player, None):
        seen = seen_by(store, who)
        told.append(list(EventNarrator(program, seen, who).lines(events_since(seen, 0, who))))
    return _written(told)


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the parts of two views that are not the same, with the lines in which they differ."""
    return {
        part: changed_lines(here.get(part, ""), there.get(part, ""))
        for part in sorted({*here, *there})
        if here.get(part) != there.get(part)
    }


def changed_lines(here: str, there: str) -> list[str]:
    """Return the lines in which two texts differ; nothing if they are the same."""
    lines = difflib.unified_diff(here.splitlines(), there.splitlines(), lineterm="", n=2)
    return list(lines)[2 : 2 + MOST_LINES]


def _written(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, indent=0, default=_no_plain_data)


def _no_plain_data(value: object) -> str:
    raise AssertionError(f"{value!r} is no plain data")


def _decision(program: Program, store: Store) -> dict[str, Any]:
    asked = decisions.current(program, store)
    waiting = decisions.pending(program, store)
    assert waiting is not None
    several = asked.question.kind == "several"
    return {
        "site": waiting.site,
        "kind": asked.question.kind,
        "prompt": decisions.prompt(program, store),
        "bounds": [asked.low, asked.high] if several else [],
        "picked": list(decisions.option_labels(program, store, asked.picked)),
    }


def _options(program: Program, store: Store) -> Iterator[tuple[str, bool, list[Any]]]:
    values = tuple(decisions.options(program, store))[:1000] + decisions.offers(program, store)
    shown = decisions.option_labels(program, store, values)
    asked_why = 0
    for value, label in zip(values, shown, strict=True):
        lives = lookahead.alive(program, store, value)
        why: list[Any] = []
        if not lives and asked_why < MOST_REASONS:
            asked_why += 1
            why = _reasons(program, store, lookahead.explain_dead(program, store, value))
        yield label, lives, why


def _reasons(program: Program, store: Store, reasons: Iterable[Reason]) -> list[Any]:
    waiting = decisions.pending(program, store)
    viewer = None if waiting is None else waiting.player
    return [
        (
            reason.text,
            reason.kind,
            f"{reason.op.unit}#{reason.op.node}",
            [
                (text, labels.show(value, viewer, store, program.evaluator))
                for text, value in reason.values
            ],
        )
        for reason in reasons
    ]


def _plain_verbs(program: Program) -> Iterator[model.Verb]:
    for verb in program.game.verbs.values():
        if verb.needs_me and not verb.parameters:
            yield verb


def _verbs(program: Program, store: Store, player: Thing) -> Iterator[tuple[str, Any]]:
    for verb in _plain_verbs(program):
        try:
            possible, reasons = search.can_begin(program, store, verb.id, (), player)
        except PlayError as error:
            yield verb.id, str(error)
        else:
            yield verb.id, (possible, [reason.text for reason in reasons])


def _explanations(program: Program, store: Store, player: Thing) -> Iterator[tuple[str, str]]:
    for verb in _plain_verbs(program):
        try:
            yield verb.id, explain.explain(program, store, player, verb.name).text()
        except (InvalidActionError, PlayError) as error:
            yield verb.id, str(error)
