"""What one of several players must not do in `as ps together` while the others act, too.

Each player begins in the same state, and nobody learns of the others before all are done. So what
they do is put together afterwards, and must not depend on an order: everybody changes what is his
own, adds to what is not, and reads nothing that the others add to.

Whose something is follows from where it comes from (`Ownership`). Of what cannot be told (a card that a
field names) the join finds out whether several have changed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, effects_of
from rulewright.dsl.files import library
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

MINE: Final = "mine"
SHARED: Final = "shared"
ME: Final = "me"
"""It is the acting player himself."""

Owner: TypeAlias = str | None
Owners: TypeAlias = Mapping[str, Owner]

PLAYER = "Player"


@attrs.frozen
class Ownership:
    """Tells whose things and places are."""

    game: model.Game
    effects: GameEffects

    def of_argument(self, argument: model.Argument, names: Owners) -> Owner:
        """Return whose the object of a verb is."""
        match argument:
            case model.FieldPlace() | model.EntryPlace() | model.LocalPlace():
                return self.of_place(argument, names)
            case model.AppliedPlace():
                return self.of_place(argument, names)
            case model.PlaceLambda():
                return None
        return self.of(argument, names)

    # -------------------------------------------------------------------------------------- places

    def of_place(self, place: model.Place | None, names: Owners) -> Owner:
        """Return whose a field, entry of a family or zone is."""
        match place:
            case model.EntryPlace(key=key) if self.of(key, names) == ME:
                # An entry for each player: this one is his.
                return MINE
            case (
                model.FieldPlace(field=field, target=target)
                | model.EntryPlace(field=field, target=target)
            ):
                return self._of_field(field, target, names)
            case model.LocalPlace(name=name):
                return names.get(name)
            case model.AppliedPlace(function=model.PlaceLambda() as function, argument=argument):
                inner = {**names, function.parameter: self.of(argument, names)}
                return self.of_place(function.place, inner)
        return None

    def _of_field(self, id: str, target: model.Expression | None, names: Owners) -> Owner:
        field = self.game.fields[id]
        if target is None:
            return SHARED if field.holder is None else None
        owner = self.of(target, names)
        if field.holder == PLAYER:
            return MINE if owner == ME else SHARED
        return owner

    # -------------------------------------------------------------------------------------- things

    def of(self, expression: model.Expression, names: Owners) -> Owner:
        """Return whose the things are that an expression gives, or the thing."""
        match expression:
            case model.Me():
                return ME
            case model.Local(name=name):
                return names.get(name)
            case model.Read(field=field, target=target):
                if not isinstance(self.game.fields[field].type, types.ZoneType):
                    return None
                return self._of_field(field, target, names)
            case model.Contents(place=place):
                return self.of_place(place, names)
            case model.Everything() | model.NamedThing() | model.Seats():
                return SHARED
            case model.Where(source=source, condition=condition, name=name):
                owner = self.of(source, names)
                return MINE if owner == SHARED and _says_mine(condition, name) else owner
            case model.Builtin(name="last", arguments=(model.Everything(kind=kind),)) if (
                kind in self.game.created
            ):
                # The one just created is the player's own.
                return None
            case model.Builtin(arguments=(model.Each() as each,)) if visitor.handed_on(expression):
                # `join`: of each the things in a zone of its own, say.
                return self.of(each.value, {**names, each.name: self.of(each.source, names)})
            case model.LetIn(name=name, value=value, body=body):
                return self.of(body, {**names, name: self.of(value, names)})
            case model.DefineCall():
                return self._of_define(expression, names)
        return _all_of(self.of(one, names) for one in visitor.handed_on(expression))

    def _of_define(self, call: model.DefineCall, names: Owners) -> Owner:
        define = self.game.defines[call.define]
        if define.changes or define.lines:
            return None
        if call.me is not None and self.of(call.me, names) != ME:
            # It speaks of another player.
            return None
        given = [self.of(one, names) for one in call.arguments]
        return self.of(define.body, dict(zip(define.parameters, given, strict=False)))


def _all_of(owners: Iterable[Owner]) -> Owner:
    """Return whose things are that come from several places."""
    found = set(owners)
    if SHARED in found:
        return SHARED
    return found.pop() if len(found) == 1 else None


def _says_mine(condition: model.Expression, name: str) -> bool:
    """Return whether only what is of the acting player meets a condition."""
    match condition:
        case model.And(left=left, right=right):
            return _says_mine(left, name) or _says_mine(right, name)
        case model.Compare(word="is", left=left, right=right):
            sides = (left, right)
            return any(isinstance(one, model.Me) for one in sides) and any(
                _is_about(one, name) for one in sides
            )
    return False


def _is_about(expression: model.Expression, name: str) -> bool:
    match expression:
        case (
            model.Read(target=model.Local(name=local))
            | model.OwnerOf(thing=model.Local(name=local))
        ):
            return local == name
    return False


# ------------------------------------------------------------------------------------- simultaneous


LEAVE = "make the block a verb of its own: what stops that is done, the others are not"
BEFORE = "do it before all act at once, or after"
OWN = "everybody may change what is his own, and `add` to what is not"
HIDDEN = "write it to a field or zone that only its owner sees, or do it before"


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what must not stand in a block that several players run at once."""
    effects = effects_of(game)
    told: set[tuple[str, int]] = set()
    for block in visitor.all_blocks(game):
        for statement in visitor.statements_in(block):
            if isinstance(statement, model.As) and statement.together:
                for problem in ParallelBlock(game, effects, statement).problems():
                    # Several blocks may come to the same verb, and a verb of the library may do
                    # several things that do not go: it is one mistake.
                    place = problem.primary.span
                    if (place.source.name, place.start) not in told:
                        told.add((place.source.name, place.start))
                        yield problem


@attrs.frozen
class _InnerRead:
    """An expression that is read inside, and the fields that it reads."""

    span: Span
    fields: frozenset[str]
    call: Span | None
    """Where a verb of the library is done that reads it."""


@attrs.define(eq=False)
class ParallelBlock:
    """The block of one `as ps together`, with all that it does."""

    game: model.Game
    effects: GameEffects
    fork: model.As
    ownership: Ownership = attrs.field(init=False)
    done: set[tuple[str, tuple[Owner, ...]]] = attrs.Factory(set)
    """The verbs that have been looked at, with whose their arguments were."""

    running: set[str] = attrs.Factory(set)
    """The verbs and steps that begin inside."""

    added: dict[str, Span] = attrs.Factory(dict)
    """The fields to which several may add, and where."""

    reads: list[_InnerRead] = attrs.Factory(list)
    stops: list[model.Stop] = attrs.Factory(list)
    call: Span | None = None
    """Where a verb of the library is done that is being looked at."""

    @ownership.default
    def _ownership(self) -> Ownership:
        return Ownership(self.game, self.effects)

    # ------------------------------------------------------------------------------------ the block

    def problems(self) -> Iterator[Diagnostic]:
        """Yield what is wrong with it."""
        for own in visitor.statements_in(self.fork.block):
            if isinstance(own, model.Stop) and own.target is None:
                yield self._message("RW622", own.span, "leaves the verb around it", LEAVE)
            elif isinstance(own, model.Choose | model.Split) and own.or_stop:
                label = "`or stop` would leave the verb around it"
                yield self._message("RW622", own.span, label, LEAVE)
        yield from self.walk()
        yield from self.leaves(self.running)
        yield from self.reads_what_is_added(self.added)

    def walk(self) -> Iterator[Diagnostic]:
        """Look at all that is done in it; yield what does not go, whatever else is done."""
        yield from self._block(self.fork.block, {})

    def walk_offer(self, offer: model.Offer) -> Iterator[Diagnostic]:
        """Look at an offer as if it were all that is done; yield what does not go."""
        for head in (offer.label, offer.guard):
            if head is not None:
                self._note_read(head)
        yield from self._verb(offer.id, (), offer.span)

    def leaves(self, running: Set[str]) -> Iterator[Diagnostic]:
        """Yield the stops that leave what is not among the verbs and steps which begin inside."""
        for stop in self.stops:
            if not running & set(stop.target or ()):
                yield self._message("RW622", stop.span, "has begun before", LEAVE)

    def reads_what_is_added(self, added: Mapping[str, Span]) -> Iterator[Diagnostic]:
        """Yield what is read of the fields to which others may add."""
        for read in self.reads:
            for field in sorted(read.fields & added.keys()):
                self.call = read.call
                label, help = "is not what it was", "read it before all act at once, or after"
                others = Label(added[field].first_line(), "here the others add to it")
                name = self.game.fields[field].name
                yield self._message("RW626", read.span, label, help, others, name=name)
                break

    @property
    def head(self) -> Label:
        """Where they begin to act at once."""
        return Label(self.fork.span.first_line(), "several act at once here")

    def _message(
        self, code: str, span: Span, label: str, help: str, *more: Label, **names: str
    ) -> Diagnostic:
        primary = Label(span.first_line(), label)
        if self.call is not None:
            # Nobody can do anything about it there.
            more = (primary, *more)
            primary = Label(self.call.first_line(), "does what does not go here")
        secondary = (self.head, *more)
        return diagnostic(code, primary.span, primary.text, help=help, secondary=secondary, **names)

    def _note_read(self, node: model.Node) -> None:
        self.reads.append(_InnerRead(node.span, self.effects.reads(node), self.call))

    def _block(self, block: model.Block, names: dict[str, Owner]) -> Iterator[Diagnostic]:
        """Walk a block; the names in it stand for things of the player, of all, or it is unknown."""
        for statement in block:
            yield from self._statement(statement, names)
            for inner in self._inside(statement):
                yield from self._block(inner, names)

    def _inside(self, statement: model.Statement) -> tuple[model.Block, ...]:
        if isinstance(statement, model.NamedStep):
            return tuple(self._content(self.effects.linked(statement.id, statement.block)))
        if isinstance(statement, model.As) and not _is_of_me(statement):
            return ()
        return visitor.blocks_in(statement)

    def _content(self, linked: tuple[object, ...]) -> Iterator[model.Block]:
        """Yield the blocks of a verb or step, that of the body first."""
        found: list[model.Block] = []
        block: list[model.Statement] = []
        for part in linked:
            if isinstance(part, tuple):
                found.append(part)
            elif isinstance(part, model.Step):
                block.append(part)  # type: ignore[arg-type]
            elif isinstance(part, model.Node):
                self._note_read(part)
        if block:
            yield tuple(block)
        yield from reversed(found)

    # ------------------------------------------------------------------------------------- one step

    def _statement(
        self, statement: model.Statement, names: dict[str, Owner]
    ) -> Iterator[Diagnostic]:
        for head in visitor.parts(statement):
            self._note_read(head)
            yield from self._chance(statement, head, names)
        ownership = self.ownership
        match statement:
            case model.Let(name=name, value=value):
                names[name] = ownership.of(value, names)
            case model.Choose(name=name, source=source) | model.ForEach(name=name, source=source):
                names[name] = ownership.of(source, names)
            case model.Add(place=place):
                self._adds(place, names)
            case model.Move(things=things, zone=zone, to=to):
                whose = ownership.of(things, names) if things else ownership.of_place(zone, names)
                if whose == SHARED:
                    taken = things or zone
                    assert taken is not None
                    label = "this is not the player's alone"
                    yield self._several(taken.span, _words(taken.span), label, BEFORE)
                self._adds(to, names)
            case model.Split(name=name):
                names[name] = None
            case model.Create(to=to):
                self._adds(to, names)
            case model.Destroy(things=things):
                if ownership.of(things, names) == SHARED:
                    label = "this is not the player's alone"
                    yield self._several(things.span, _words(things.span), label, BEFORE)
            case model.As() if not _is_of_me(statement):
                label = "here it would be the turn of others"
                yield self._message("RW621", statement.span, label, BEFORE)
            case model.Until():
                label = "the others would not know of it"
                yield self._message("RW623", statement.span, label, "say it when all are done")
            case model.Stop(target=tuple()):
                self.stops.append(statement)
            case model.NamedStep(id=id):
                self.running.add(id)
            case model.CallVerb(verb=verb, arguments=arguments):
                given = tuple(ownership.of_argument(one, names) for one in arguments)
                yield from self._verb(verb, given, statement.span)
            case model.Do(value=value):
                for verb in sorted(self.effects.done_by(value)):
                    yield from self._verb(verb, self._given(value, verb, names), statement.span)
            case _ if isinstance(statement, model.Effect):
                for place in visitor.places_in(statement):
                    yield from self._own(place, names)

    def _given(
        self, value: model.Expression, verb: str, names: Mapping[str, Owner]
    ) -> tuple[Owner, ...]:
        """Return whose the objects are that a verb gets which is a value."""
        parameters = self.game.verbs[verb].parameters
        if isinstance(value, model.VerbOf) and len(value.arguments) == len(parameters):
            return tuple(self.ownership.of_argument(one, names) for one in value.arguments)
        return (None,) * len(parameters)

    def _verb(self, id: str, given: tuple[Owner, ...], span: Span) -> Iterator[Diagnostic]:
        """Look at a verb that is done inside."""
        self.running.add(id)
        if (id, given) in self.done:
            return
        self.done.add((id, given))
        for field in self.effects.fresh.get(id, ()):
            if field.holder != "Player":
                label = f"begins `{field.name}` anew, for all"
                yield self._several(span, field.name, label, BEFORE)
        verb, call = self.game.verbs[id], self.call
        if call is None and library.is_standard(verb.span.source.name):
            self.call = span
        names = {one.name: owner for one, owner in zip(verb.parameters, given, strict=True)}
        for block in self._content(self.effects.content(id)):
            yield from self._block(block, names)
        self.call = call

    # ------------------------------------------------------------------------------------ its rules

    def _own(self, place: model.Place, names: Owners) -> Iterator[Diagnostic]:
        """Yield a message if a place is not the player's own."""
        if self.ownership.of_place(place, names) == SHARED:
            yield self._several(place.span, _words(place.span), "not the player's alone", OWN)

    def _several(self, span: Span, name: str, label: str, help: str) -> Diagnostic:
        return self._message("RW624", span, label, help, name=name)

    def _adds(self, place: model.Place, names: Owners) -> None:
        """Note that something is added to a place, to which others may add, too."""
        if self.ownership.of_place(place, names) != MINE:
            for field in self.effects.fields_at(place):
                self.added.setdefault(field, place.span)

    def _chance(
        self, statement: model.Statement, head: model.Node, names: Owners
    ) -> Iterator[Diagnostic]:
        """Yield a message for chance whose outcome the others see."""
        for part in visitor.nodes_in(head):
            if isinstance(part, model.Chance) and not self._is_secret(statement, names):
                yield self._message("RW625", part.span, "others see what comes", HIDDEN)

    def _is_secret(self, statement: model.Statement, names: Owners) -> bool:
        match statement:
            case model.Set(place=place) | model.Add(place=place) | model.Move(to=place):
                fields = self.effects.fields_at(place)
                secret = all(
                    self.game.fields[field].viewers.who in ("owner", "nobody") for field in fields
                )
                return secret and self.ownership.of_place(place, names) != SHARED
        return False


def _is_of_me(statement: model.As) -> bool:
    match statement.players:
        case model.Me() | model.ListOf(items=(model.Me(),)):
            return not statement.together
    return False


def _words(span: Span) -> str:
    return " ".join(span.text.split())
