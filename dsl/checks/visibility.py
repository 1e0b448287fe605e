"""Rules about what a player may do that read what this player cannot see.

The menu itself would give the hidden thing away. So in a `need`, in the source and conditions of a
`choose`, in the guard of an arm and in the texts the chooser reads, only these are accepted: fields
and zones that everybody sees, the player's own that their owner sees, how many things lie in a
hidden zone (if that may be counted), whether it is empty, and hidden things as such, to choose from
or to be counted. What is printed on a thing needs sight of it; a state field is seen as it says,
even if the thing lies hidden. The labels of verbs and the names of things are read by everybody.

Blocks are walked with what their names stand for, once with the eyes of the player who decides and once
with those of everybody (`Sights`). What a verb is handed, by whatever call, its parameters stand for; verbs
are walked again until no call hands on anything new. `analysis/hidden_reads` reads expressions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.handovers import without_owner
from rulewright.dsl.analysis.hidden_names import (
    STRENGTH,
    Binding,
    Bindings,
    HiddenRead,
    deciding_expressions,
    is_thing,
)
from rulewright.dsl.analysis.hidden_reads import HiddenReads
from rulewright.dsl.analysis.terms import NOTHING_KNOWN, Facts, beyond
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

EVERYBODY_READS = "everybody reads it"

Messages = Generator[Diagnostic, None, "Sights"]


@attrs.frozen(eq=False)
class Sights:
    """What names stand for at a place, for the player who decides and for everybody."""

    reader: HiddenReads
    mine: Bindings = attrs.Factory(Bindings)
    public: Bindings = attrs.Factory(lambda: Bindings(everybody=True))

    def each(self, name: str, value: model.Expression, of_list: bool = True) -> Sights:
        """Return the same where a name stands for a value, or for the things of a list."""
        mine, public = (self.reader.binding(value, names) for names in (self.mine, self.public))
        facts = self.reader.facts(name, value, self.mine, each=of_list)
        return self.giving(name, mine, public, facts)

    def chosen(self, statement: model.Choose) -> Sights:
        """Return the same after a choice. What is chosen from what one sees is said openly; only
        the things stay hidden where they lie."""
        source = statement.source
        mine, public = (self.reader.binding(source, names) for names in (self.mine, self.public))
        if public is not None and public.what == "value" and mine is None:
            public = Binding(public.found, "thing") if is_thing(source.type) else None
        name = statement.name
        facts = self.reader.facts(name, source, self.mine, each=statement.word == "one")
        if statement.word == "one" and statement.such_that is not None:
            known = self.mine.giving(name, mine, facts)
            facts |= self.reader.facts_where(statement.such_that, known)
        return self.giving(name, mine, public, facts)

    def giving(
        self, name: str, mine: Binding | None, public: Binding | None, facts: Facts = NOTHING_KNOWN
    ) -> Sights:
        """Return the same where a name stands for something else, of which facts are known."""
        public_names = self.public.giving(name, public)
        return Sights(self.reader, self.mine.giving(name, mine, facts), public_names)

    def where(self, condition: model.Expression, holds: bool = True) -> Sights:
        """Return the same where a condition holds, or does not."""
        facts = self.reader.facts_where(condition, self.mine, holds)
        return Sights(self.reader, self.mine.knowing(self.mine.facts | facts), self.public)

    def after(self, statement: model.Statement) -> Sights:
        """Return the same after a step that may have moved or shown things, or changed fields."""
        mine, public = (
            names.without(self.reader.moved(statement, names)) for names in (self.mine, self.public)
        )
        facts = self.reader.handovers.after(statement, mine.facts)
        return Sights(self.reader, mine.knowing(facts), public)

    def of(self, statement: model.Statement) -> Sights:
        """Return what names stand for inside a statement: for other players, if it is an `as`, all
        is hidden that not everybody sees."""
        match statement:
            case model.As(players=model.Me() | model.ListOf(items=(model.Me(),))):
                return self
            case model.As(players=players):
                facts = self.reader.proofs.facts_of_actor(players, self.mine.known(True))
                mine = Bindings(False, {**self.public.bindings, **self.mine.bindings}, facts)
                return Sights(self.reader, mine, self.public)
        return self


def seen_by_no_owner(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each field that only the owner of a thing sees, where nobody can be."""
    for field in without_owner(game):
        yield diagnostic(
            "RW423",
            field.span,
            f"no {field.holder} has an owner",
            name=f"{field.holder}.{field.name}",
            found=field.holder,
            help="write `seen by players`, `seen by []` or a list of players: a thing belongs to "
            "the player in whose zone it lies, and no player has one for these",
        )


def hidden_reads(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each rule about a player's choices that reads what he cannot see."""
    yield from _VerbWalk(game).messages()


class _VerbWalk:
    """Walks verbs until it is known what each is handed."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.reader = HiddenReads(game)
        self.handed: dict[tuple[str, bool], dict[str, Binding]] = {}
        """What the parameters of verbs stand for, by verb and whether everybody reads it."""

        self.facts: dict[str, Facts] = {}
        """What is known wherever a verb is done, as far as its callers have been walked."""

        self.waiting: dict[str, None] = {}
        self.drawn: set[str] = set()
        """The names that stand for an outcome of chance."""

    def messages(self) -> Iterator[Diagnostic]:
        """Yield the messages of the whole game."""
        found: dict[str, list[Diagnostic]] = {id: [] for id in self.game.verbs}
        rest = list(self._others())
        # What is known in a verb depends on those who do it: they come first.
        begun_by_values = self.reader.handovers.effects.values
        for id, verb in self.game.verbs.items():
            if verb.name == "play" or (id in begun_by_values and not verb.parameters):
                self._know(id, NOTHING_KNOWN)
        for last in self.game.verbs:
            self._walk(found)
            if last not in self.facts:
                self._know(last, NOTHING_KNOWN)
        self._walk(found)
        for of_verb in found.values():
            yield from of_verb
        yield from rest
        for kind in self.game.kinds.values():
            yield from self._names_of(kind)

    def _walk(self, found: dict[str, list[Diagnostic]]) -> None:
        """Walk the verbs that wait, and those of which this tells something new."""
        while self.waiting:
            id = next(iter(self.waiting))
            del self.waiting[id]
            found[id] = list(self._verb(self.game.verbs[id]))

    def _know(self, id: str, facts: Facts) -> None:
        """Note what is known where a verb is done: only what is known wherever it is done counts."""
        before = self.facts.get(id)
        known = facts if before is None else before & facts
        if known != before:
            self.facts[id] = known
            self.waiting[id] = None

    def _others(self) -> Iterator[Diagnostic]:
        """Walk watches, the heads of offers, and what amends steps that stand nowhere."""
        sights = Sights(self.reader)
        for offer in self.game.offers:
            # It is shown to whom it is open, like the arm of an `either`.
            arm = model.Arm(span=offer.span, label=offer.label, guard=offer.guard, block=())
            yield from self._block((model.Either(span=offer.span, arms=(arm,)),), sights)
        for watch in self.game.watches:
            self._hand_all(watch.condition, sights)
            yield from self._block(watch.block, sights.where(watch.condition))
        there = visitor.named_steps(visitor.all_blocks(self.game))
        for id, amendments in self.game.step_amendments.items():
            if id not in there:
                yield from self._amendments(amendments, sights, sights)

    def _verb(self, verb: model.Verb) -> Iterator[Diagnostic]:
        sights = Sights(
            self.reader,
            Bindings(False, dict(self.handed.get((verb.id, False), {})), self.facts[verb.id]),
            Bindings(True, dict(self.handed.get((verb.id, True), {}))),
        )
        yield from self._label(verb, sights.public)
        behind = yield from self._block(verb.block, sights)
        yield from self._amendments(verb.amendments, sights, behind)

    def _amendments(
        self, amendments: tuple[model.Amendment, ...], ahead: Sights, behind: Sights
    ) -> Iterator[Diagnostic]:
        for amendment in amendments:
            sights = behind if amendment.timing == "after" else ahead
            if amendment.bearers is not None:
                self._hand_all(amendment.bearers.those, sights)
                sights = sights.each(amendment.bearers.name, amendment.bearers.those)
            if amendment.guard is not None:
                self._hand_all(amendment.guard, sights)
                sights = sights.where(amendment.guard)
            yield from self._block(amendment.block, sights)

    # --------------------------------------------------------------------- what everybody reads

    def _label(self, verb: model.Verb, names: Bindings) -> Iterator[Diagnostic]:
        """The label of a verb stands in menus and in the log, with what the verb is handed."""
        if verb.label is None:
            return
        parts = [verb.label]
        for change in verb.label_changes:
            parts += [change.value, *([] if change.guard is None else [change.guard])]
        for part in parts:
            found = self.reader.first(part, False, names, own=False)
            if found is not None:
                yield _message(part, found, EVERYBODY_READS)
        if isinstance(verb.label, model.Constant):
            for parameter in verb.parameters:
                binding = names.bindings.get(parameter.name)
                if binding is not None and binding.what == "value":
                    told = f"everybody reads it with `{parameter.name}` behind it"
                    yield _message(verb.label, binding.found, told)

    def _names_of(self, kind: model.Kind) -> Iterator[Diagnostic]:
        """The name of a thing stands in menus, in the log and wherever the state is shown."""
        if kind.name_define is None:
            for id in kind.fields:
                field = self.game.fields[id]
                hidden = not field.printed and field.viewers.who != "everybody"
                if field.name == "name" and hidden:
                    name = f"{kind.name}.name"
                    yield diagnostic(
                        "RW411", field.span, "it names the thing: everybody reads it", name=name
                    )
            return
        define = self.game.defines[kind.name_define]
        names = Bindings(everybody=True)
        zone = self.reader.hiding.get(types.ThingType(kind.name))
        if zone is not None:
            # What is named is seen, but a name in the log is read when it lies elsewhere.
            for parameter in define.parameters[:1]:
                names = names.giving(parameter, Binding(HiddenRead(zone, define.span), "named"))
        for body in visitor.bodies_of(define):
            found = self.reader.first(body, False, names, own=False)
            if found is not None:
                yield _message(body, found, EVERYBODY_READS)

    # ---------------------------------------------------------------------------------- blocks

    def _block(self, block: model.Block, sights: Sights) -> Messages:
        for statement in block:
            self._hand(statement, sights)
            if isinstance(statement, model.Choose):
                # The condition on the selection speaks of it by its name.
                sights = sights.chosen(statement)
            for expression, offered in deciding_expressions(statement):
                found = self.reader.first(expression, offered, sights.mine)
                if found is not None:
                    yield _message(expression, found)
            if isinstance(statement, model.Set | model.Add):
                yield from self._drawn(statement, sights.public)
            if isinstance(statement, model.Let):
                self._note_drawn(statement)
                sights = sights.each(statement.name, statement.value, of_list=False)
            if isinstance(statement, model.Until):
                yield from self._taken_along(statement, sights.mine)
            inside = sights
            if isinstance(statement, model.ForEach):
                inside = sights.each(statement.name, statement.source)
            if isinstance(statement, model.ForEach | model.Repeat | model.As):
                # What one pass works out, the next one knows.
                inside = _set_inside(statement, _set_inside(statement, inside))
            ahead = inside
            for inner, there in _inside(statement, inside.of(statement)):
                behind = yield from self._block(inner, there)
            sights = _behind(statement, _set_inside(statement, sights).after(statement))
            if isinstance(statement, model.NamedStep):
                amendments = self.game.step_amendments.get(statement.id, ())
                yield from self._amendments(amendments, ahead, behind)
        return sights

    def _note_drawn(self, statement: model.Let) -> None:
        """Note which names stand for an outcome of chance."""
        change = set.add if isinstance(statement.value, model.Chance) else set.discard
        change(self.drawn, statement.name)

    def _drawn(self, statement: model.Set | model.Add, names: Bindings) -> Iterator[Diagnostic]:
        """What chance has taken out of hidden values is told where everybody sees it."""
        place, value = statement.place, statement.value
        if not isinstance(place, model.FieldPlace | model.EntryPlace) or is_thing(value.type):
            return
        field = self.game.fields[place.field]
        drawn = isinstance(value, model.Local) and value.name in self.drawn
        if field.viewers.who != "everybody" or not (drawn or isinstance(value, model.Chance)):
            return
        read = value.source if isinstance(value, model.Chance) else value
        found = self.reader.first(read, False, names, own=False)
        if found is not None:
            hidden = _named(found.field)
            yield diagnostic(
                "RW435",
                value.span,
                f"everybody sees `{field.name}`, but not `{hidden}`",
                name=field.name,
                found=hidden,
                help="draw the thing, `show` it, and write down what it says",
            )

    def _taken_along(self, statement: model.Until, names: Bindings) -> Iterator[Diagnostic]:
        """What an amendment takes along is read wherever it acts, also where it decides."""
        for name in statement.captured:
            binding = names.bindings.get(name)
            if binding is not None and binding.what == "value":
                local = model.Local(type=types.ANYTHING, span=statement.span, name=name)
                yield _message(local, binding.found, f"`{name.partition('~')[0]}` is taken along")

    def _hand(self, statement: model.Statement, sights: Sights) -> None:
        """Note what a statement hands to verbs: to the one it does, and to those it speaks of."""
        if isinstance(statement, model.CallVerb):
            for names in (sights.mine, sights.public):
                self._hand_to(statement.verb, statement.arguments, names, True)
        for head in visitor.parts(statement):
            self._hand_all(head, sights)

    def _hand_all(self, expression: model.Node, sights: Sights) -> None:
        for names in (sights.mine, sights.public):
            for verb, inside, own in self.reader.verbs_in(expression, names):
                for id in verb.verbs:
                    self._hand_to(id, verb.arguments, inside, own)

    def _hand_to(
        self, id: str, arguments: tuple[model.Argument, ...], names: Bindings, own: bool
    ) -> None:
        parameters = self.game.verbs[id].parameters
        if len(arguments) != len(parameters):
            return
        if not names.everybody:
            facts = beyond(names.facts) if own else NOTHING_KNOWN
            for parameter, argument in zip(parameters, arguments, strict=True):
                if own and not isinstance(argument, model.Lambda | model.PlaceLambda):
                    said = self.reader.facts(parameter.name, argument, names, own)
                    facts |= beyond(said, (parameter.name,))
            self._know(id, facts)
        known = self.handed.setdefault((id, names.everybody), {})
        for parameter, argument in zip(parameters, arguments, strict=True):
            binding = self.reader.handed(argument, names, own)
            before = known.get(parameter.name)
            if binding is None or (before and STRENGTH[before.what] >= STRENGTH[binding.what]):
                continue
            found = binding.found
            if found.handed is None:
                found = HiddenRead(found.field, found.span, argument.span)
            known[parameter.name] = Binding(found, binding.what)
            self.waiting[id] = None


def _inside(statement: model.Statement, sights: Sights) -> Iterator[tuple[model.Block, Sights]]:
    """Yield the blocks of a statement, each with what is known in it."""
    match statement:
        case model.If(branches=branches, otherwise=otherwise):
            for branch in branches:
                yield branch.block, sights.where(branch.condition)
                sights = sights.where(branch.condition, holds=False)
            yield otherwise, sights
        case model.Either(arms=arms, taken=taken):
            for arm in arms:
                yield arm.block, sights if arm.guard is None else sights.where(arm.guard)
            if taken is not None:
                yield taken, sights
        case model.ForEach() | model.Repeat():
            # The next pass knows what the one before has left.
            for inner in visitor.blocks_in(statement):
                yield inner, sights.after(statement)
        case _:
            for inner in visitor.blocks_in(statement):
                yield inner, sights


def _behind(statement: model.Statement, sights: Sights) -> Sights:
    """Return what is known behind a statement because it has not stopped there."""
    match statement:
        case model.Need(condition=condition):
            return sights.where(condition)
        case model.If(branches=branches, otherwise=()) if all(
            visitor.leaves(branch.block) for branch in branches
        ):
            for branch in branches:
                sights = sights.where(branch.condition, holds=False)
    return sights


def _set_inside(statement: model.Statement, sights: Sights) -> Sights:
    """Return what names stand for with what the blocks of a statement may have let them stand for:
    a name that is set under a condition tells something about the condition."""
    if isinstance(statement, model.ForEach):
        sights = sights.each(statement.name, statement.source)
    if isinstance(statement, model.As):
        return _set_by_others(statement, sights)
    # How often a loop over a whole zone goes round, its number tells, which is public.
    whole = isinstance(statement, model.ForEach)
    for condition, block in _conditions(statement):
        decides = [
            None if condition is None else sights.reader.first(condition, whole, names)
            for names in (sights.mine, sights.public)
        ]
        for inner in block:
            if isinstance(inner, model.Let):
                bindings = [
                    sights.reader.binding(inner.value, names)
                    or (None if found is None else Binding(found, "value"))
                    for found, names in zip(decides, (sights.mine, sights.public), strict=True)
                ]
                sights = sights.giving(
                    inner.name,
                    bindings[0] or sights.mine.bindings.get(inner.name),
                    bindings[1] or sights.public.bindings.get(inner.name),
                )
            sights = _set_inside(inner, sights)
    return sights


def _set_by_others(statement: model.As, sights: Sights) -> Sights:
    """What other players let names stand for out of what they see is hidden from this one."""
    inside = sights.of(statement)
    for inner in statement.block:
        if isinstance(inner, model.Let):
            bindings = [
                sights.reader.binding(inner.value, names) or names.bindings.get(inner.name)
                for names in (inside.mine, inside.public)
            ]
            inside = inside.giving(inner.name, bindings[0], bindings[1])
        inside = _set_inside(inner, inside)
    for name, binding in inside.public.bindings.items():
        if binding is not sights.public.bindings.get(name):
            sights = sights.giving(name, binding, binding)
    return sights


def _conditions(
    statement: model.Statement,
) -> Iterator[tuple[model.Expression | None, model.Block]]:
    """Yield the blocks of a statement, each with what decides whether, or how often, it happens."""
    match statement:
        case model.If(branches=branches, otherwise=otherwise):
            for branch in branches:
                yield branch.condition, branch.block
            for branch in branches:
                yield branch.condition, otherwise
        case model.Repeat(value=value, block=block):
            yield value, block
        case model.ForEach(source=source, block=block):
            yield source, block
        case _:
            for block in visitor.blocks_in(statement):
                yield None, block


def _named(field: model.Field) -> str:
    return f"{field.holder}.{field.name}" if field.holder else field.id


def _message(
    expression: model.Expression, found: HiddenRead, label: str = "hidden from who decides"
) -> Diagnostic:
    field = found.field
    name = _named(field)
    who = {"nobody": "nobody sees it", "owner": "only its owner sees it"}
    secondary = [Label(field.span, who.get(field.viewers.who, "not everybody sees it"))]
    inside = _within(found.span, expression.span)
    if found.handed is not None:
        secondary.append(Label(found.handed, "handed over here"))
    if not inside and (found.handed is None or not _within(found.span, found.handed)):
        secondary.append(Label(found.span, "read here"))
    return diagnostic(
        "RW411",
        found.span if inside else expression.span,
        label,
        name=name,
        secondary=secondary,
        help="counting it or asking whether it is empty is allowed",
    )


def _within(span: Span, other: Span) -> bool:
    return span.source is other.source and other.start <= span.start <= other.end
