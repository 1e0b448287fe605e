"""Verbs as values: which verbs an expression may stand for.

`actions where can(it)` asks for each verb of a list, and which these are stands elsewhere: in the
list, in a define, behind a name that was set before. What cannot be followed (a field, a parameter
of a verb) may be any verb that is a value anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor

Verbs = frozenset[str]
"""Ids of verbs."""

NO_VERBS: Verbs = frozenset()

Binders = Mapping[str, tuple[model.Expression, ...]]
"""For each local of a body the values, or lists, it is set to."""


def carries_verbs(type_: types.Type) -> bool:
    """Return whether a value of this type is a verb, or holds some."""
    match type_:
        case types.VerbType() | types.AnythingType() | types.UnknownType():
            return True
        case types.OptionalType(inner) | types.ListType(inner):
            return carries_verbs(inner)
        case types.FamilyType(value, _):
            return carries_verbs(value)
        case types.FunctionType(_, result):
            return carries_verbs(result)
    return False


class VerbValues:
    """Answers for one game which verbs its values may be."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self._held: dict[str, Verbs] | None = None
        self._values: dict[tuple[str, tuple[Verbs, ...]], Verbs] = {}
        self._results: dict[tuple[str, tuple[Verbs, ...]], Verbs] = {}
        self._binders: dict[str, Binders] = {}

    def held(self, key: str) -> Verbs:
        """Return what a field, or the parameter `verb.name` of a verb, may hold."""
        if self._held is None:
            self._held = {}
            self._settle(self._held)
        return self._held.get(key, NO_VERBS)

    def _settle(self, held: dict[str, Verbs]) -> None:
        """Find out what is handed on and written, until nothing new comes."""
        changed = True
        while changed:
            changed = False
            # What a define gives may have grown with what it reads.
            self._values.clear()
            for key, found in self._handed():
                known = held.get(key, NO_VERBS)
                if not found <= known:
                    held[key] = known | found
                    changed = True
        self._values.clear()
        self._results.clear()

    def _handed(self) -> Iterator[tuple[str, Verbs]]:
        game = self.game
        nobody = _LocalVerbs(self, {}, {})
        for field in game.fields.values():
            if field.default is not None and carries_verbs(field.type):
                yield field.id, nobody.verbs(field.default)
        for table in game.tables:
            cells = [cell for row in table.rows for cell in row.cells]
            for id, value in (*cells, *((id, value) for _, id, value in table.ranges)):
                if carries_verbs(game.fields[id].type):
                    yield id, nobody.verbs(value)
        for define in game.defines.values():
            inside = _LocalVerbs(self, _binders_in(visitor.bodies_of(define)), {})
            for body in visitor.bodies_of(define):
                yield from self._carried(body, inside)
        for verb in game.verbs.values():
            yield from self._in_blocks(blocks_of(game, verb), verb.id)
        for watch in game.watches:
            yield from self._in_blocks((watch.block,), "")

    def _in_blocks(self, blocks: tuple[model.Block, ...], verb: str) -> Iterator[tuple[str, Verbs]]:
        inside = _LocalVerbs(self, binders_of(blocks), {}, verb)
        for block in blocks:
            for statement in visitor.statements_in(block):
                match statement:
                    case model.Set(place=place, value=value) | model.Add(place=place, value=value):
                        if carries_verbs(value.type):
                            for id in self._fields_at(place):
                                yield id, inside.verbs(value)
                    case model.Swap(first=first, second=second):
                        both = {*self._fields_at(first), *self._fields_at(second)}
                        for id in both:
                            yield id, NO_VERBS.union(*map(self.held, both))
                    case model.CallVerb(verb=called, arguments=arguments):
                        yield from self._given(called, arguments, inside)
                for head in visitor.parts(statement):
                    yield from self._carried(head, inside)

    def _carried(self, node: model.Node, inside: _LocalVerbs) -> Iterator[tuple[str, Verbs]]:
        for one in visitor.nodes_in(node):
            if isinstance(one, model.VerbOf) and one.arguments:
                for verb in one.verbs:
                    yield from self._given(verb, one.arguments, inside)

    def _given(
        self, verb: str, arguments: tuple[model.Argument, ...], inside: _LocalVerbs
    ) -> Iterator[tuple[str, Verbs]]:
        parameters = self.game.verbs[verb].parameters
        for parameter, argument in zip(parameters, arguments, strict=False):
            if carries_verbs(parameter.type) and not isinstance(argument, _PLACES):
                yield f"{verb}.{parameter.name}", inside.verbs(argument)

    def _fields_at(self, place: model.Place) -> tuple[str, ...]:
        if isinstance(place, model.FieldPlace | model.EntryPlace):
            return (place.field,) if carries_verbs(self.game.fields[place.field].type) else ()
        return tuple(
            field.id
            for field in self.game.fields.values()
            if not field.printed and carries_verbs(field.type)
        )

    # ---------------------------------------------------------------------------------- what runs

    def called(self, verb: model.Verb) -> Iterator[Verbs]:
        """Yield what each call and `do` of a verb may begin."""
        blocks = blocks_of(self.game, verb)
        inside = _LocalVerbs(self, binders_of(blocks), {}, verb.id)
        for block in blocks:
            for statement in visitor.statements_in(block):
                if isinstance(statement, model.CallVerb):
                    yield frozenset({statement.verb})
                elif isinstance(statement, model.Do):
                    yield inside.verbs(statement.value)

    def asked(self, verb: model.Verb) -> Iterator[tuple[model.Node, Verbs]]:
        """Yield the expressions of a verb that ask `can`, and for which verbs."""
        blocks = blocks_of(self.game, verb)
        inside = _LocalVerbs(self, binders_of(blocks), {}, verb.id)
        for head in heads_of(self.game, verb):
            found = inside.asked(head)
            if found:
                yield head, found

    def may_be(self, value: model.Expression) -> Verbs:
        """Return what a value may be of which only the expression itself is known."""
        return _LocalVerbs(self, {}, {}).verbs(value)

    def within(self, unit: str, value: model.Expression) -> Verbs:
        """Return what a value may be that stands in a verb; elsewhere any verb is possible."""
        verb = self.game.verbs.get(unit)
        if verb is None:
            return self.any_verb
        return _LocalVerbs(self, binders_of(blocks_of(self.game, verb)), {}, unit).verbs(value)

    @cached_property
    def any_verb(self) -> Verbs:
        """All verbs that are values somewhere."""
        return frozenset(verb for value in self.written for verb in value.verbs)

    @cached_property
    def written(self) -> tuple[model.VerbOf, ...]:
        """All places at which a verb stands as a value."""
        found: list[model.VerbOf] = []
        roots: list[model.Node] = [
            one.default for one in self.game.fields.values() if one.default is not None
        ]
        roots += [cell for table in self.game.tables for row in table.rows for _, cell in row.cells]
        for define in self.game.defines.values():
            roots += visitor.bodies_of(define)
        for block in visitor.all_blocks(self.game):
            for statement in visitor.statements_in(block):
                roots += visitor.parts(statement)
        for root in roots:
            for node in visitor.nodes_in(root):
                if isinstance(node, model.VerbOf):
                    found.append(node)
        return tuple(found)

    def _in_define(
        self, call: model.DefineCall, outside: _LocalVerbs
    ) -> tuple[_LocalVerbs, tuple[Verbs, ...]]:
        define = self.game.defines[call.define]
        given = tuple(
            outside.verbs(one)
            if carries_verbs(one.type) and not isinstance(one, _PLACES)
            else NO_VERBS
            for one in call.arguments
        )
        if define.id not in self._binders:
            self._binders[define.id] = _binders_in(visitor.bodies_of(define))
        known = dict(zip(define.parameters, given, strict=False))
        return _LocalVerbs(self, self._binders[define.id], known), given

    def value_of(self, call: model.DefineCall, outside: _LocalVerbs) -> Verbs:
        """Return which verbs a define gives."""
        inside, given = self._in_define(call, outside)
        key = call.define, given
        if key not in self._values:
            self._values[key] = NO_VERBS
            bodies = visitor.bodies_of(self.game.defines[call.define])
            self._values[key] = NO_VERBS.union(*(inside.verbs(body) for body in bodies))
        return self._values[key]

    def asked_by(self, call: model.DefineCall, outside: _LocalVerbs) -> Verbs:
        """Return for which verbs a define asks `can`."""
        inside, given = self._in_define(call, outside)
        key = call.define, given
        if key not in self._results:
            self._results[key] = NO_VERBS
            bodies = visitor.bodies_of(self.game.defines[call.define])
            self._results[key] = NO_VERBS.union(*(inside.asked(body) for body in bodies))
        return self._results[key]


class _LocalVerbs:
    """What the names of one body stand for."""

    def __init__(
        self, game_values: VerbValues, binders: Binders, known: Mapping[str, Verbs], verb: str = ""
    ) -> None:
        self.game_values = game_values
        self.binders = binders
        self.known = dict(known)
        found = game_values.game.verbs.get(verb)
        self.parameters = () if found is None else tuple(one.name for one in found.parameters)
        self.verb = verb

    def asked(self, expression: model.Node) -> Verbs:
        """Return for which verbs an expression asks `can`, itself or through defines."""
        found = NO_VERBS
        for node in visitor.nodes_in(expression):
            if isinstance(node, model.Can):
                found |= self.verbs(node.verb)
            elif (
                isinstance(node, model.DefineCall) and node.define in self.game_values.game.defines
            ):
                found |= self.game_values.asked_by(node, self)
        return found

    def verbs(self, value: model.Node) -> Verbs:
        """Return the verbs that a value is, or holds."""
        match value:
            case model.VerbOf(verbs=verbs):
                return frozenset(verbs)
            case model.Local(name=name):
                return self._name(name)
            case model.DefineCall(define=define) if define in self.game_values.game.defines:
                return self.game_values.value_of(value, self)
            case model.Each(value=inner) | model.Entry(family=inner):
                return self.verbs(inner)
            case model.Lambda(body=inner) | model.Apply(function=inner):
                return self.verbs(inner)
            case model.Builtin() | model.FamilyOf():
                held = [one for one in visitor.parts(value) if carries_verbs(one.type)]
                return NO_VERBS.union(*map(self.verbs, held))
            case model.Read(field=field):
                return self.game_values.held(field)
            case model.Constant() | model.OriginalValue():
                return NO_VERBS
            case model.ListOf(items=()):
                return NO_VERBS
        handed = visitor.handed_on(value)
        if handed:
            return NO_VERBS.union(*map(self.verbs, handed))
        return self.game_values.any_verb

    def _name(self, name: str) -> Verbs:
        if name not in self.known:
            if name not in self.binders:
                if name in self.parameters:
                    return self.game_values.held(f"{self.verb}.{name}")
                return self.game_values.any_verb
            # A name that is set to more of itself holds nothing else.
            self.known[name] = NO_VERBS
            self.known[name] = NO_VERBS.union(*map(self.verbs, self.binders[name]))
        return self.known[name]


_PLACES = (
    model.FieldPlace,
    model.EntryPlace,
    model.LocalPlace,
    model.AppliedPlace,
    model.PlaceLambda,
)


def blocks_of(game: model.Game, verb: model.Verb) -> tuple[model.Block, ...]:
    """Return the block of a verb and those of its amendments and of the amendments of its steps."""
    return (verb.block, *(one.block for one in _amendments(game, verb)))


def heads_of(game: model.Game, verb: model.Verb) -> Iterator[model.Node]:
    """Yield the expressions of a verb with its amendments."""
    for block in blocks_of(game, verb):
        for statement in visitor.statements_in(block):
            yield from visitor.parts(statement)
    for amendment in _amendments(game, verb):
        if amendment.bearers is not None:
            yield amendment.bearers.those
        if amendment.guard is not None:
            yield amendment.guard


def _amendments(game: model.Game, verb: model.Verb) -> Iterator[model.Amendment]:
    yield from verb.amendments
    for identity, found in game.step_amendments.items():
        if identity.rpartition(".")[0] == verb.id:
            yield from found


def binders_of(blocks: Iterable[model.Block]) -> Binders:
    """Return what the names of a verb are set to in its blocks."""
    found: dict[str, tuple[model.Expression, ...]] = {}
    heads: list[model.Node] = []
    for block in blocks:
        for statement in visitor.statements_in(block):
            heads += visitor.parts(statement)
            match statement:
                case model.Let(name=name, value=source) | model.Choose(name=name, source=source):
                    found[name] = (*found.get(name, ()), source)
                case model.ForEach(name=name, source=source):
                    found[name] = (*found.get(name, ()), source)
    return _binders_in(heads, found)


def _binders_in(
    roots: Iterable[model.Node], found: dict[str, tuple[model.Expression, ...]] | None = None
) -> Binders:
    found = {} if found is None else found
    for root in roots:
        for node in visitor.nodes_in(root):
            match visitor.binding(node):
                case str(name), model.Node() as source:
                    found[name] = (*found.get(name, ()), source)
    return found
