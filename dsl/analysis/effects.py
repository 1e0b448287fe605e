"""What rules read, write, ask and draw, as sets of ids of fields.

The sets are transitive (through defines with their amendments, verbs, steps, verb values) and err
on the safe side: a field stands for the field of every holder, a zone that a verb gets as a
parameter for every zone of that kind. They decide where watched conditions must be looked at, and
whether two variants get into each other's way.

Besides fields there are some names that no field can have: `@place:Card` (where cards lie: `owner`,
`lies_at`), `@kind:Card` (which cards there are), `@lasting:1` (the records of an `until`), `@ending`,
`@chance` and `@shown`.

A unit (a verb, or the block of an `as soon as`) *asks* if a decision can be reached in it, through
calls and verb values. What does not ask is *atomic*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.source import Span

ENDING = "@ending"
CHANCE = "@chance"
SHOWN = "@shown"
KINDS = "@kind:"
LASTING = "@lasting:"
NONE: frozenset[str] = frozenset()


def place_of(kind: str) -> str:
    """Return the name that stands for where the things of a kind lie."""
    return f"@place:{kind}"


def kind_of_place(name: str) -> str:
    """Return the kind of which a name of `place_of` says where its things lie."""
    return name.removeprefix("@place:")


def kind_of_things(kind: str) -> str:
    """Return the name that stands for which things of a kind there are."""
    return f"{KINDS}{kind}"


def lasting_of(number: int) -> str:
    """Return the name that stands for the records of the `until` of that number."""
    return f"{LASTING}{number}"


WATCH = "watch:"
"""What the id of the unit of an `as soon as` begins with."""


def watch_unit(watch: model.Watch) -> str:
    """Return the id of the unit of an `as soon as`."""
    return f"{WATCH}{watch.id}"


@attrs.frozen
class Touch:
    """What a piece of rule text reads and writes, and whether it asks."""

    looks_at: frozenset[str] = NONE
    sets: frozenset[str] = NONE
    adds_to: frozenset[str] = NONE
    """Numbers to which it adds, unordered zones into which it puts things: whoever else does the
    same may do it before or after."""

    asks: bool = False

    @property
    def reads(self) -> frozenset[str]:
        """All that it reads."""
        return self.looks_at | self.adds_to

    @property
    def writes(self) -> frozenset[str]:
        """All that it writes."""
        return self.sets | self.adds_to

    def __or__(self, other: Touch) -> Touch:
        return Touch(
            self.looks_at | other.looks_at,
            self.sets | other.sets,
            self.adds_to | other.adds_to,
            self.asks or other.asks,
        )


UNTOUCHED = Touch()

KEPT = 16
"""Of so many games what depends on the rules alone is kept: a game is checked, and loaded for several numbers of
players and options, one after the other. As many as there mostly are sets of variants of one, but no more, so that a
long run forgets those it has left."""


def counting(game: model.Game, unit: str, by: int, span: Span) -> tuple[model.Add, ...]:
    """Return the step with which a verb or step notes that it begins (1) or has ended (-1)."""
    counter = game.running.get(unit)
    if counter is None:
        return ()
    place = model.FieldPlace(type=types.NUMBER, span=span, field=counter, target=None)
    more = model.Constant(type=types.NUMBER, span=span, value=by)
    return (model.Add(span=span, place=place, value=more, append=False),)


class GameEffects:
    """What the verbs and expressions of a linked game read, write, ask and draw; answers are kept."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.amendments = {
            **{verb.id: verb.amendments for verb in game.verbs.values()},
            **game.step_amendments,
        }
        self.fresh: dict[str, tuple[model.Field, ...]] = {}
        for field in game.fields.values():
            for verb in field.fresh:
                self.fresh[verb] = (*self.fresh.get(verb, ()), field)
        self._zones: dict[str, frozenset[str]] = {}
        for field in game.fields.values():
            if isinstance(field.type, types.ZoneType):
                kind = _kind_of(field.type.kind)
                self._zones[kind] = self._zones.get(kind, NONE) | {field.id}
        self._defines: dict[str, frozenset[str]] = {}
        self._own: dict[str, Touch] = {}
        self._callees: dict[str, frozenset[str]] = {}
        self._units: dict[str, Touch] = {}

    # ------------------------------------------------------------------------------- verbs as values

    @cached_property
    def values(self) -> frozenset[str]:
        """The verbs that are used as values anywhere, and so may be done by any `do`."""
        found: set[str] = set()
        for part in visitor.walk(self._everything()):
            if isinstance(part, model.VerbOf):
                found.update(part.verbs)
        return frozenset(found)

    @cached_property
    def lasting(self) -> dict[str, tuple[int, ...]]:
        """For each verb that some `until` waits for, the numbers of these."""
        found: dict[str, tuple[int, ...]] = {}
        for block in visitor.all_blocks(self.game):
            for statement in visitor.statements_in(block):
                if isinstance(statement, model.Until):
                    for verb in statement.verbs:
                        found[verb] = (*found.get(verb, ()), statement.number)
        return found

    def _everything(self) -> tuple[Any, ...]:
        game = self.game
        return (
            tuple(game.fields.values()),
            game.tables,
            tuple(game.options.values()),
            tuple(game.option_changes.values()),
            tuple(game.defines.values()),
            tuple(game.verbs.values()),
            tuple(game.step_amendments.values()),
            game.watches,
            game.offers,
            tuple(
                line
                for example in game.examples
                for line in example.lines
                if not isinstance(line, model.DoLine)  # its verbs are begun, or are options already
            ),
        )

    def done_by(self, value: model.Expression) -> frozenset[str]:
        """Return the verbs that a `do` of this value may perform."""
        if isinstance(value, model.VerbOf):
            return frozenset(value.verbs)
        return self.values

    # ------------------------------------------------------------------------------------ expressions

    def reads(self, node: Any) -> frozenset[str]:
        """Return what an expression (or several) may read."""
        return self._collect(visitor.walk(node))

    def _collect(self, found_parts: Iterable[Any]) -> frozenset[str]:
        found: set[str] = set()
        for part in found_parts:
            match part:
                case model.Read(field=field):
                    found.add(field)
                case model.Contents(place=place):
                    found |= self.fields_at(place)
                case model.DefineCall(define=define):
                    found |= self._define(define)
                case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                    found.add(place_of(_kind_of(thing.type)))
                case model.Everything(kind=kind):
                    found.add(kind_of_things(kind))
                case model.Ending() | model.Won() | model.FinalOrder():
                    found.add(ENDING)
                case model.Chance():
                    found.add(CHANCE)
                case model.Lasting(number=number):
                    found.add(lasting_of(number))
                case model.Can(verb=verb):
                    for unit in self.done_by(verb):
                        found |= self.unit(unit).reads
        return frozenset(found)

    def _define(self, name: str) -> frozenset[str]:
        if name not in self._defines:
            # Defines are not circular, except in a game whose checks have failed.
            self._defines[name] = NONE
            define = self.game.defines[name]
            self._defines[name] = self.reads((define.body, define.lines, define.changes))
        return self._defines[name]

    def fields_at(self, place: model.Place | model.PlaceLambda) -> frozenset[str]:
        """Return the fields that a place may be."""
        match place:
            case model.FieldPlace(field=field) | model.EntryPlace(field=field):
                return frozenset({field})
            case model.PlaceLambda(place=inner):
                return self.fields_at(inner)
            case model.AppliedPlace(function=model.PlaceLambda(place=inner)):
                return self.fields_at(inner)
        wanted = place.type
        if isinstance(wanted, types.ZoneType):
            return self._zones.get(_kind_of(wanted.kind), NONE)
        if isinstance(wanted, types.PlaceType):
            wanted = wanted.inner
        return frozenset(
            field.id
            for field in self.game.fields.values()
            if not field.printed and types.fits(_entry(field.type), wanted)
        )

    def sources(self, things: model.Expression) -> frozenset[str]:
        """Return the zones in which the things of a list may lie."""
        match things:
            case model.Read(field=field) if isinstance(
                self.game.fields[field].type, types.ZoneType
            ):
                return frozenset({field})
            case model.Contents(place=place):
                return self.fields_at(place)
            case model.ListOf(items=()):
                return NONE
        handed = visitor.handed_on(things)
        if handed:
            return NONE.union(*map(self.sources, handed))
        return self._zones.get(_kind_of(things.type), NONE)

    # ------------------------------------------------------------------------------------------ steps

    def statement(self, statement: model.Statement) -> Touch:
        """Return what a step touches by itself; of a call or `do` what the verb touches, too."""
        return self.block((statement,))

    def block(self, block: Iterable[Any]) -> Touch:
        """Return what guards and steps touch, with all that they call."""
        block = tuple(block)
        own = self._touch(block)
        for verb in self.called(block):
            own |= self.unit(verb)
        return own

    def _touch(self, block: Iterable[Any]) -> Touch:
        sets: set[str] = set()
        adds: set[str] = set()
        reads: set[str] = set()
        asks = False
        running = tuple(self.running(tuple(block)))
        for part in running:
            match part:
                case model.Add(place=place, append=append):
                    if append or self._is_bounded(place):
                        reads |= self.fields_at(place)
                        sets |= self.fields_at(place)
                    else:
                        adds |= self.fields_at(place)
                case model.Swap(first=first, second=second):
                    both = self.fields_at(first) | self.fields_at(second)
                    reads |= both
                    sets |= both | self._moved(first.type)
                case model.Move(things=things, zone=zone, to=to):
                    held = NONE if things is None else self.sources(things)
                    held |= NONE if zone is None else self.fields_at(zone)
                    reads |= held
                    sets |= held
                    adds |= self._moved(to.type)
                    if isinstance(to.type, types.ZoneType) and not to.type.ordered:
                        adds |= self.fields_at(to)
                    else:
                        sets |= self.fields_at(to)
                case model.Shuffle(zone=zone):
                    sets |= self.fields_at(zone) | {CHANCE}
                case model.Create(kind=kind, to=to):
                    fields = self.game.kinds[kind].fields
                    starts = tuple(self.game.fields[field].default for field in fields)
                    reads |= self.reads(starts)
                    # In which order things are created, their list tells.
                    sets |= self.fields_at(to) | self._moved(to.type) | set(fields)
                    sets.add(kind_of_things(kind))
                case model.Destroy(things=things):
                    sets |= self.sources(things) | self._moved(things.type)
                    sets.add(kind_of_things(_kind_of(things.type)))
                case model.Show():
                    sets.add(SHOWN)
                case model.Until(number=number):
                    sets.add(lasting_of(number))
                case model.EndGame():
                    sets.add(ENDING)
                case model.Choose() | model.Split() | model.May() | model.Either():
                    asks = True
                case model.Chance():
                    sets.add(CHANCE)
                case _ if isinstance(part, model.Effect):
                    for place in visitor.places_in(part):
                        sets |= self.fields_at(place)
        return Touch(self._collect(running) | reads, frozenset(sets), frozenset(adds), asks)

    def _is_bounded(self, place: model.Place) -> bool:
        """Return whether a number must stay in a range: then it matters what is added first."""
        fields = [self.game.fields[name] for name in self.fields_at(place)]
        return any(field.low is not None or field.high is not None for field in fields)

    def _moved(self, kind: types.Type) -> frozenset[str]:
        held = kind.kind if isinstance(kind, types.ZoneType) else kind
        return frozenset({place_of(_kind_of(held))})

    def running(self, node: Any) -> Iterator[Any]:
        """Yield all parts as they run: with the amendments of named steps."""
        return visitor.walk(node, {model.NamedStep: self._amended})

    def _amended(self, step: model.NamedStep) -> tuple[Any, ...]:
        return (*counting(self.game, step.id, 1, step.span), *self.linked(step.id, step.block))

    def linked(self, target: str, block: model.Block) -> tuple[Any, ...]:
        """Return the guards and blocks that can run for a verb or step with its amendments."""
        amendments = self.amendments.get(target, ())
        running: tuple[Any, ...] = ()
        replaced = False
        for amendment in reversed(amendments):
            if amendment.timing == "instead" and replaced:
                continue
            running += (amendment.bearers, amendment.guard, amendment.block)
            if amendment.timing == "instead":
                replaced = not amendment.sometimes
        return running if replaced else (*running, block)

    def called(self, block: Iterable[Any]) -> frozenset[str]:
        """Return the verbs that a block may do itself."""
        found: set[str] = set()
        for part in self.running(tuple(block)):
            match part:
                case model.CallVerb(verb=verb):
                    found.add(verb)
                case model.Do(value=value):
                    found |= self.done_by(value)
        return frozenset(found)

    # ------------------------------------------------------------------------------------------ units

    def content(self, unit: str) -> tuple[Any, ...]:
        """Return the guards and blocks that can run for a verb or watch, with its amendments."""
        for watch in self.game.watches:
            if watch_unit(watch) == unit:
                return (watch.block,)
        verb = self.game.verbs[unit]
        return (*counting(self.game, unit, 1, verb.span), *self.linked(unit, verb.block))

    def own(self, unit: str) -> Touch:
        """Return what a verb or watch touches itself, with its amendments, without its calls."""
        if unit not in self._own:
            touch = self._touch(self.content(unit))
            for field in self.fresh.get(unit, ()):
                start = NONE if field.default is None else self.reads(field.default)
                touch |= Touch(looks_at=start, sets=frozenset({field.id}))
            touch |= Touch(sets=frozenset(map(lasting_of, self.lasting.get(unit, ()))))
            self._own[unit] = touch
        return self._own[unit]

    def leaves(self, block: Iterable[Any]) -> bool:
        """Return whether a block may end more than itself: the game, or a verb that it has not begun."""
        waiting = [tuple(block)]
        inside: set[str] = set()
        stopped: set[str] = set()
        while waiting:
            running = waiting.pop()
            for part in self.running(running):
                match part:
                    case model.EndGame():
                        return True
                    case model.Stop(target=target) if target is not None:
                        stopped.update(target)
            inside |= {one.id for one in visitor.walk(running) if isinstance(one, model.NamedStep)}
            for verb in self.called(running) - inside:
                inside.add(verb)
                waiting.append(self.content(verb))
        return not stopped <= inside

    def callees(self, unit: str) -> frozenset[str]:
        """Return the verbs that a verb or watch may call directly."""
        if unit not in self._callees:
            self._callees[unit] = self.called(self.content(unit))
        return self._callees[unit]

    def reached(self, unit: str) -> frozenset[str]:
        """Return the unit and all verbs that may run inside it."""
        found = {unit}
        waiting = [unit]
        while waiting:
            for verb in self.callees(waiting.pop()) - found:
                found.add(verb)
                waiting.append(verb)
        return frozenset(found)

    def unit(self, unit: str) -> Touch:
        """Return all that a verb or watch may touch, through everything it calls."""
        if unit not in self._units:
            # A `can` in a circle with its own verb is refused; without this it would never end.
            self._units[unit] = UNTOUCHED
            touch = UNTOUCHED
            for verb in sorted(self.reached(unit)):
                touch |= self.own(verb)
            self._units[unit] = touch
        return self._units[unit]

    def asks(self, unit: str) -> bool:
        """Return whether a decision can be reached in a unit: if not, it is atomic."""
        return self.unit(unit).asks


@lru_cache(maxsize=KEPT)
def effects_of(game: model.Game) -> GameEffects:
    """Return what the rules of a game read, write and ask; worked out once."""
    return GameEffects(game)


def _entry(kind: types.Type) -> types.Type:
    return kind.value if isinstance(kind, types.FamilyType) else kind


def _kind_of(kind: types.Type) -> str:
    """Return the name of the kind of the things of a type, "" if it is no thing."""
    match kind:
        case types.ThingType(name):
            return name
        case types.OptionalType(inner) | types.ListType(inner):
            return _kind_of(inner)
        case types.ZoneType(_, inner):
            return _kind_of(inner)
    return ""
