"""Which fields steps may write, told from their words alone, before types are known.

    if my.friend is not none
      forget my.friend              # a verb that says `set my.friend to none`
      add 1 to my.friend.coins      # the test does not hold any more

A test for none holds until a step writes what it reads. Which field a step writes is known for
certain only after all verbs have been read; but that comes too late, so the question is answered
by names: `set x.friend to …` may write every field that is called `friend`. A verb writes what its
block, the verbs it does, its amendments and the fields that are fresh with it write.

Whether what is written may be none is a question of types, which are known when all has been read:
where a test has been forgotten too soon, `link` reads again with the places that certainly write
something (`filled`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.visitor import all_blocks, bodies_of, handed, statements_in
from rulewright.dsl.resolve.symbols import ExpressionBinding, Instance, VerbDeclaration, World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.source import Span

_TARGETS = {"set": (True, False), "swap": (True, True)}
"""Of a core verb: whether it may write none to its object, and to what stands in its place. `add`
and `remove` leave what is there."""


OFFERS = "@offers"
"""The name under which stands what offers write: they may be taken wherever somebody decides."""


@attrs.frozen
class WrittenNames:
    """Names of fields that are written, and of those among them that may be set to none."""

    names: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()

    def __or__(self, other: WrittenNames) -> WrittenNames:
        return WrittenNames(self.names | other.names, self.lacking | other.lacking)


NOTHING = WrittenNames()


@attrs.define
class _VerbWrites:
    """Names that are written, those that may be set to none, verbs that are done, and whether a verb
    is done that is a value."""

    names: set[str] = attrs.Factory(set)
    lacking: set[str] = attrs.Factory(set)
    verbs: set[str] = attrs.Factory(set)
    any_verb: bool = False


class Writes:
    """Answers what a block may write; what the verbs of the world write is worked out once."""

    def __init__(self, world: World, filled: frozenset[Span] = frozenset()) -> None:
        self._world = world
        self._filled = filled
        self._to_places = {verb.name for verb in world.all_verbs() if _takes_place(verb)}
        self._verbs: dict[str, _VerbWrites] = {}
        self._always = self._everything = NOTHING
        self._collect()

    def of(self, scope: Instance, steps: Iterable[nodes.Step]) -> WrittenNames:
        """Return the names of the fields that these steps, written in that file, may write."""
        effects = _VerbWrites()
        self._look(scope, steps, effects)
        acts = bool(effects.names or effects.verbs or effects.any_verb)
        return self._closed(effects) | (self._always if acts else NOTHING)

    @property
    def offered(self) -> WrittenNames:
        """The names of the fields that offers may write."""
        found = self._verbs.get(OFFERS)
        return NOTHING if found is None else self._closed(found) | self._always

    def _closed(self, effects: _VerbWrites) -> WrittenNames:
        names: set[str] = set()
        lacking: set[str] = set()
        seen: set[str] = set()
        waiting = [effects]
        while waiting:
            one = waiting.pop()
            if one.any_verb:
                return self._everything
            names |= one.names
            lacking |= one.lacking
            waiting.extend(self._verbs[name] for name in one.verbs - seen if name in self._verbs)
            seen |= one.verbs
        return WrittenNames(frozenset(names), frozenset(lacking))

    def _collect(self) -> None:
        if any(isinstance(item, nodes.Offer) for _, item in _items(self._world)):
            self._of_verb(OFFERS)
        for verb in self._world.all_verbs():
            self._look(verb.scope, verb.node.block, self._of_verb(verb.name))
        watched = _VerbWrites()
        for scope, item in _items(self._world):
            match item:
                case nodes.Around(targets=targets, block=block):
                    for target in targets:
                        self._look(scope, block, self._of_verb(target.words[-1].text))
                case nodes.AsSoonAs(block=block):
                    self._look(scope, block, watched)
                case nodes.Offer(block=block):
                    self._look(scope, block, self._of_verb(OFFERS))
                case nodes.Field(names=names, marks=marks, default=default):
                    for mark in marks:
                        if isinstance(mark, nodes.Fresh):
                            fresh = self._of_verb(mark.verb.text)
                            fresh.names.update(word.text for word in names)
                            if default is None or default.span not in self._filled:
                                fresh.lacking.update(word.text for word in names)
                case _:
                    pass
        everything = (*self._verbs.values(), watched)
        self._everything = WrittenNames(
            frozenset(name for one in everything for name in one.names),
            frozenset(name for one in everything for name in one.lacking),
        )
        self._always = self._closed(watched)

    def _of_verb(self, name: str) -> _VerbWrites:
        return self._verbs.setdefault(name, _VerbWrites())

    def _look(self, scope: Instance, steps: Iterable[nodes.Step], effects: _VerbWrites) -> None:
        for step in visitor.steps_in(tuple(steps)):
            match step:
                case nodes.Command():
                    self._command(scope, step, effects)
                case nodes.StepBlock(name=name):
                    # The amendments of a step are kept under its name, like those of a verb.
                    effects.verbs.add(name.text)
                case nodes.Choose() | nodes.ChooseSplit() | nodes.May() | nodes.Either():
                    if OFFERS in self._verbs:
                        effects.verbs.add(OFFERS)
                case nodes.DoValue():
                    effects.any_verb = True
                case nodes.Until(change=nodes.Around(targets=targets, block=block)):
                    for target in targets:
                        self._look(scope, block, self._of_verb(target.words[-1].text))
                case _:
                    pass

    def _command(self, scope: Instance, step: nodes.Command, effects: _VerbWrites) -> None:
        word = step.verb.text
        given = [] if step.object is None else [step.object]
        places = [place.value for place in step.places]
        objects, others = _TARGETS.get(word, (False, False))
        effects.verbs.add(OFFERS if word == "pause" else word)
        written = given * objects + places * others
        for node in given + places if word in self._to_places else written:
            names = set(_names(scope, node))
            effects.names |= names
            if step.span not in self._filled:
                effects.lacking |= names


def _takes_place(verb: VerbDeclaration) -> bool:
    """Return whether a verb is handed a field to write to."""
    return any(
        isinstance(
            type_.result if isinstance(type_, types.FunctionType) else type_, types.PlaceType
        )
        for type_ in (parameter.type for parameter in verb.parameters)
    )


def _names(scope: Instance, node: nodes.Expression) -> Iterator[str]:
    """Yield the names of the field that a place may be, in the words of the file that says it."""
    match node:
        case nodes.Name(text=text) | nodes.Call(name=nodes.Word(text=text)):
            binding = scope.arguments.get(text)
            if isinstance(binding, ExpressionBinding):
                yield from _names(binding.scope, binding.node)
            yield text
        case nodes.Attribute(name=name):
            yield name.text
        case nodes.Index(target=target):
            yield from _names(scope, target)
        case _:
            pass


_Item = nodes.Item | nodes.Member | nodes.Offer


def _items(world: World) -> Iterator[tuple[Instance, _Item]]:
    for instance in world.instances:
        for item in instance.file.items:
            members = item.members if isinstance(item, nodes.KindHas | nodes.GameHas) else ()
            for one in (item, *members):
                for inner in _flat(one):
                    yield instance, inner


def _flat(item: _Item) -> Iterator[_Item]:
    """Yield an item, or what stands inside a `during`."""
    if isinstance(item, nodes.During):
        for inner in item.items:
            yield from _flat(inner)
    else:
        yield item


def filled(game: model.Game) -> frozenset[Span]:
    """Return the places that certainly write something, whatever is written: statements, calls of
    verbs that are handed a field, and the start values of fields."""
    emptying = _emptying(game)
    sure: set[Span] = set()
    unsure: set[Span] = set()
    for block in all_blocks(game):
        for statement in statements_in(block):
            match statement:
                case model.Set(value=value):
                    (unsure if may_be_none(game, value) else sure).add(statement.span)
                case model.CallVerb(verb=verb):
                    (unsure if verb in emptying else sure).add(statement.span)
    for field in game.fields.values():
        if field.default is not None and not may_be_none(game, field.default):
            sure.add(field.default.span)
    return frozenset(sure - unsure)


def _emptying(game: model.Game) -> frozenset[str]:
    """Return the verbs that may set a field to none that they are handed."""
    found: set[str] = set()
    changed = True
    while changed:
        changed = False
        for verb in game.verbs.values():
            amended = (one.block for one in verb.amendments)
            if verb.id not in found and any(
                _empties(game, statement, found)
                for block in (verb.block, *amended)
                for statement in statements_in(block)
            ):
                found.add(verb.id)
                changed = True
    return frozenset(found)


def _empties(game: model.Game, statement: model.Statement, emptying: set[str]) -> bool:
    handed = (model.LocalPlace, model.AppliedPlace)
    match statement:
        case model.Set(place=place, value=value):
            return isinstance(place, handed) and may_be_none(game, value)
        case model.Swap(first=first, second=second):
            return isinstance(first, handed) or isinstance(second, handed)
        case model.CallVerb(verb=verb):
            return verb in emptying
    return False


def may_be_none(game: model.Game, value: model.Expression, depth: int = 5) -> bool:
    """Return whether a value may turn out to be none: by its type, or since an end of a list is asked
    for that may be empty."""
    if isinstance(value.type, types.OptionalType | types.NothingType | types.UnknownType):
        return True
    if isinstance(value, model.DefineCall):
        bodies = bodies_of(game.defines[value.define])
        return not depth or any(may_be_none(game, one, depth - 1) for one in bodies)
    return any(
        use.lacking or (use.hands_on == "value" and may_be_none(game, part, depth))
        for part, use in handed(value)
    )
