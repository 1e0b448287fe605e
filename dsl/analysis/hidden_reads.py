"""Expressions that read what somebody cannot see: the reader behind `checks/visibility`.

An expression is looked at in one of two ways: for its *value*, or only as a *reference* to things
that need not be seen; and with one of two pairs of eyes: those of the player who decides, or those
of everybody. Names remember what they stand for, until the thing has moved; defines are looked into
with the player they are asked about. Whether it is shown that those eyes see something, `proofs` says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.dsl import model
from rulewright.dsl.analysis.handovers import Handovers, without_owner
from rulewright.dsl.analysis.hidden_names import (
    STRENGTH,
    Binding,
    Bindings,
    HiddenRead,
    deciding_expressions,
    is_one_thing,
    is_thing,
)
from rulewright.dsl.analysis.proofs import Proofs
from rulewright.dsl.analysis.terms import SOMEBODY, Facts, about, beyond, local
from rulewright.dsl.analysis.verb_values import VerbValues
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.builtins import list_use


class HiddenReads:
    """Finds hidden reads in expressions; what defines read is worked out once."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.defines: dict[object, HiddenRead | None] = {}
        self.hiding = {
            field.type.kind: field
            for field in reversed(game.fields.values())
            if isinstance(field.type, types.ZoneType) and field.viewers.who != "everybody"
        }
        """A zone for each kind, if there is one, in which its things are not seen by all."""

        self.verb_values = VerbValues(game)
        self.proofs = Proofs(game)
        self.handovers = Handovers(game)
        self._reported = {field.id for field in without_owner(game)}
        self._in_progress: set[str] = set()
        self._with_verbs: dict[int, bool] = {}

    # ------------------------------------------------------------------------------------- names

    def binding(self, value: model.Expression, names: Bindings, own: bool = True) -> Binding | None:
        """Return what a name for that value stands for, if there is something to remember."""
        found = self.first(value, True, names, own)
        if found is not None:
            return Binding(found, "value")
        found = self.first(value, False, names, own)
        if found is not None:
            return Binding(found, "thing" if is_thing(value.type) else "value")
        zone = self._anywhere(value, names)
        return None if zone is None else Binding(HiddenRead(zone, value.span), "anywhere")

    def facts(
        self,
        name: str,
        value: model.Node,
        names: Bindings,
        own: bool = True,
        each: bool = False,
    ) -> Facts:
        """Return what is known of a name that stands for a value, or for each item of a list."""
        known = names.known(own)
        find = self.proofs.facts_of_items if each else self.proofs.facts_of_value
        return find(value, known, local(name))

    def facts_where(self, condition: model.Node, names: Bindings, holds: bool = True) -> Facts:
        """Return what is known where a condition holds, or does not."""
        find = self.proofs.facts_if if holds else self.proofs.facts_unless
        return find(condition, names.known(True))

    def handed(self, argument: model.Argument, names: Bindings, own: bool = True) -> Binding | None:
        """Return what a parameter stands for that is handed this."""
        match argument:
            case model.Lambda(body=body):
                return self.binding(body, names, own)
            case model.PlaceLambda(place=place):
                return self._place(place, names, own)
        if isinstance(argument, model.Place):
            return self._place(argument, names, own)
        return self.binding(argument, names, own)

    def moved(self, statement: model.Statement, names: Bindings) -> list[str]:
        """Return the names of things that may lie elsewhere, or have been shown, from here on."""
        match statement:
            case model.CallVerb() | model.Do():
                return [name for name, binding in names.bindings.items() if binding.what == "thing"]
            case model.Show(viewers=model.ListOf(items=(model.Me(),))) if names.everybody:
                return []
            case model.Move() | model.Show() | model.Swap():
                parts = [one for head in visitor.parts(statement) for one in visitor.nodes_in(head)]
                fields = {
                    one.field for one in parts if isinstance(one, model.Read | model.FieldPlace)
                }
                locals_ = {one.name for one in parts if isinstance(one, model.Local)}
                return [
                    name
                    for name, binding in names.bindings.items()
                    if binding.what == "thing"
                    and (name in locals_ or binding.found.field.id in fields)
                ]
        return []

    def _anywhere(self, node: model.Expression, names: Bindings) -> model.Field | None:
        """Return a zone in which a thing may lie hidden that is found by its kind alone."""
        match node:
            case model.Everything() | model.NamedThing():
                return self.hiding.get(types.ThingType(node.kind))
            case model.Local(name=name) if name in names.bindings:
                binding = names.bindings[name]
                return binding.found.field if binding.what in ("anywhere", "named") else None
        for part in visitor.handed_on(node):
            zone = self._anywhere(part, names)
            if zone is not None:
                return zone
        return None

    def _inside(
        self, name: str, source: model.Expression, names: Bindings, own: bool, each: bool = True
    ) -> Bindings:
        """Return the names where one of them stands for the things of a list, or for a value."""
        key = (id(source), name, own)
        if key not in names.inner:
            facts = self.facts(name, source, names, own, each)
            names.inner[key] = names.giving(name, self.binding(source, names, own), facts)
        return names.inner[key]

    def _where(
        self, condition: model.Expression, holds: bool, names: Bindings, own: bool
    ) -> Bindings:
        """Return the names where a condition holds, or does not."""
        key = (id(condition), holds, own)
        if key not in names.inner:
            find = self.proofs.facts_if if holds else self.proofs.facts_unless
            facts = names.facts | find(condition, names.known(own))
            names.inner[key] = names.knowing(facts)
        return names.inner[key]

    # ------------------------------------------------------------------------------- expressions

    def first(
        self, node: model.Node, offered: bool, names: Bindings, own: bool = True
    ) -> HiddenRead | None:
        """Return the first hidden read, or None.

        `offered`: things are only referred to; `own`: `me` is the player who decides.
        """
        key = (id(node), offered, own)
        if key not in names.results:
            names.results[key] = self._first(node, offered, names, own)
        return names.results[key]

    def _first(
        self, node: model.Node, offered: bool, names: Bindings, own: bool
    ) -> HiddenRead | None:
        counted = visitor.counted(node)
        if counted is not None:
            return self._count(counted, names, own)
        match node:
            case model.Read():
                return self._read(node, offered, names, own)
            case model.Contents():
                return self._contents(node, offered, names, own)
            case model.Local(name=name):
                return self._name(node, name, offered, names)
            case model.DefineCall():
                return self._define(node, offered, names, own)
            case model.Each(source=source, name=name, value=value):
                inside = self._inside(name, source, names, own)
                return self.first(source, True, names, own) or self.first(
                    value, offered, inside, own
                )
            case model.LetIn(name=name, value=value, body=body):
                inside = self._inside(name, value, names, own, each=False)
                return self.first(body, offered, inside, own)
            case model.And(left=left, right=right) | model.Or(left=left, right=right):
                holds = isinstance(node, model.And)
                return self.first(left, False, names, own) or self.first(
                    right, False, self._where(left, holds, names, own), own
                )
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                return (
                    self.first(condition, False, names, own)
                    or self.first(then, offered, self._where(condition, True, names, own), own)
                    or self.first(
                        otherwise, offered, self._where(condition, False, names, own), own
                    )
                )
            case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                zone = self._anywhere(thing, names)
                if zone is not None:
                    return HiddenRead(zone, node.span)
                return self.first(thing, False, names, own)
            case model.Without(source=source, other=other):
                # To be taken away from what is seen tells where a thing lies.
                hidden = self.first(source, False, names, own) is not None
                return self.first(source, offered, names, own) or self.first(
                    other, offered and hidden, names, own
                )
            case model.TextOf(parts=parts):
                return self._text(parts, names, own)
            case model.Can(verb=verb):
                return self._can(node, verb) if names.everybody or not own else None
            case model.VerbOf(verbs=verbs, arguments=arguments):
                # What a verb without a label carries stands behind its name.
                if any(self.game.verbs[verb].label is not None for verb in verbs):
                    return None
                return self._any(
                    [one for one in arguments if not isinstance(one, model.Place)], True, names, own
                )
        match visitor.binding(node):
            case str(name), model.Node() as source:
                return self._list(node, name, source, offered, names, own)
        referred = {id(part) for part in _referred(node)} if offered else ()
        for part in visitor.parts(node):
            found = self.first(part, id(part) in referred, names, own)
            if found is not None:
                return found
        return None

    def _any(
        self, nodes: Collection[model.Node], offered: bool, names: Bindings, own: bool
    ) -> HiddenRead | None:
        for node in nodes:
            found = self.first(node, offered, names, own)
            if found is not None:
                return found
        return None

    def _name(
        self, node: model.Node, name: str, offered: bool, names: Bindings
    ) -> HiddenRead | None:
        binding = names.bindings.get(name)
        if binding is None or binding.what in ("anywhere", "named", "zone", "sealed"):
            return None
        if offered and binding.what == "thing":
            return None
        return binding.found if binding.found.handed is None else binding.found.at(node.span)

    def _text(
        self, parts: tuple[str | model.Expression, ...], names: Bindings, own: bool
    ) -> HiddenRead | None:
        # A thing in a text is named to those who see it; the others read "a Card".
        read = [
            part
            for part in parts
            if not isinstance(part, str)
            and not (isinstance(part, model.Local) and is_one_thing(part.type))
        ]
        named = [part for part in parts if isinstance(part, model.Local) and part not in read]
        return self._any(named, True, names, own) or self._any(read, False, names, own)

    def _read(
        self, node: model.Read, offered: bool, names: Bindings, own: bool
    ) -> HiddenRead | None:
        field, target = self.game.fields[node.field], node.target
        # The things of a zone can be referred to, what a field says is always read.
        referred = offered and isinstance(node.type, types.ZoneType | types.UnknownType)
        if not (referred or self._seen(field, field.viewers, target, names, own)):
            return HiddenRead(field, node.span)
        if target is None:
            return None
        if field.printed and field.holder in self.game.created and not _is_named(target, names):
            # What the rules have made is known to those who see it, not from a table.
            zone = self._anywhere(target, names)
            if zone is not None:
                return HiddenRead(zone, node.span)
        # What is printed is seen with the thing; what can change is seen as it says.
        found = self.first(target, not field.printed, names, own)
        if found is not None and isinstance(target, model.Local):
            return found.at(node.span)
        return found

    def _contents(
        self, node: model.Contents, offered: bool, names: Bindings, own: bool
    ) -> HiddenRead | None:
        binding = self._place(node.place, names, own)
        if binding is None:
            return None
        if binding.what != "value" and offered and isinstance(node.type, types.ZoneType):
            return None
        return binding.found.at(node.span)

    def _place(self, place: model.Node, names: Bindings, own: bool) -> Binding | None:
        """Return what is hidden at a place, or about which place it is."""
        match place:
            case model.LocalPlace(name=name) | model.Local(name=name):
                binding = names.bindings.get(name)
                return binding if binding is not None and STRENGTH[binding.what] >= 2 else None
            case model.AppliedPlace(function=function, argument=argument):
                found = self.first(argument, True, names, own)
                if found is not None:
                    return Binding(found, "value")
                return self._place(function, names, own)
            case model.PlaceLambda(place=inner):
                return self._place(inner, names, own)
            case model.FieldPlace() | model.EntryPlace():
                parts = () if place.target is None else (place.target,)
                found = self._any(parts, True, names, own)
                if found is None and isinstance(place, model.EntryPlace):
                    found = self.first(place.key, False, names, own)
                if found is not None:
                    return Binding(found, "value")
                field = self.game.fields[place.field]
                if self._seen(field, field.viewers, place.target, names, own):
                    return None
                counted = self._seen(field, field.count_viewers, place.target, names, own)
                return Binding(HiddenRead(field, place.span), "zone" if counted else "sealed")
        return None

    def _count(self, source: model.Expression, names: Bindings, own: bool) -> HiddenRead | None:
        if isinstance(source, model.Read):
            field = self.game.fields[source.field]
            if not self._seen(field, field.count_viewers, source.target, names, own):
                return HiddenRead(field, source.span)
        if isinstance(source, model.Contents):
            binding = self._place(source.place, names, own)
            if binding is not None and binding.what == "sealed":
                return binding.found.at(source.span)
        if isinstance(source, model.Builtin):
            for part in visitor.handed_on(source):
                found = self._count(part, names, own)
                if found is not None:
                    return found
        return self.first(source, True, names, own)

    def _list(
        self,
        node: model.Node,
        name: str,
        source: model.Expression,
        offered: bool,
        names: Bindings,
        own: bool,
    ) -> HiddenRead | None:
        """Judge a list whose things are looked at one by one."""
        found = self.first(source, True, names, own)
        if found is not None:
            return found
        inside = self._inside(name, source, names, own)
        found = self._any(visitor.bound_in(node), False, inside, own)
        if found is not None or offered or not visitor.handed_on(node):
            return found
        return self.first(source, False, names, own)

    def _seen(
        self,
        field: model.Field,
        viewers: model.Viewers,
        target: model.Expression | None,
        names: Bindings,
        own: bool,
    ) -> bool:
        if field.printed or viewers.who == "everybody" or field.id in self._reported:
            return True
        return self.proofs.sees(field, viewers, target, names.known(own))

    # ------------------------------------------------------------------------- defines and verbs

    def _define(
        self, call: model.DefineCall, offered: bool, names: Bindings, own: bool
    ) -> HiddenRead | None:
        define = self.game.defines.get(call.define)
        if define is None:
            return None
        for argument in call.arguments:
            value = argument.body if isinstance(argument, model.Lambda) else argument
            found = self.first(value, True, names, own)
            if found is not None:
                return found
        inside, about_me, key = self._asked_with(define, call, names, own)
        key = (*key, offered)
        if key not in self.defines:
            self.defines[key] = None
            self.defines[key] = self._any(visitor.bodies_of(define), offered, inside, about_me)
        return self.defines[key]

    def _asked_with(
        self, define: model.Define, call: model.DefineCall, names: Bindings, own: bool
    ) -> tuple[Bindings, bool, tuple[object, ...]]:
        """Return the names inside a define, whether `me` is still the same, and what tells this
        way of asking from others."""
        inside = Bindings(names.everybody)
        known = names.known(own)
        player = None if call.me is None else self.proofs.terms.term(call.me, known)
        about_me = own if call.me is None else known.is_me(player)
        if not names.everybody:
            facts = beyond(names.facts)
            if call.me is not None:
                facts -= about(facts, SOMEBODY, SOMEBODY)
                if not about_me:
                    facts |= beyond(self.proofs.facts_of_value(call.me, known, SOMEBODY))
            inside = inside.knowing(facts)
        for parameter, argument in zip(define.parameters, call.arguments, strict=True):
            value = argument.body if isinstance(argument, model.Lambda) else argument
            facts = beyond(self.facts(parameter, value, names, own), (parameter,))
            inside = inside.giving(parameter, self.binding(value, names, own), facts)
        hidden = tuple(
            (name, binding.what, binding.found.field.id, binding.found.span, binding.found.handed)
            for name, binding in inside.bindings.items()
        )
        return inside, about_me, (define.id, about_me, names.everybody, hidden, inside.facts)

    def _can(self, node: model.Can, verb: model.Expression) -> HiddenRead | None:
        """Whether a verb can be done tells what its requirements read."""
        for id in sorted(self.verb_values.may_be(verb)):
            if id in self._in_progress:
                continue
            self._in_progress.add(id)
            try:
                found = self._required(self.game.verbs[id])
            finally:
                self._in_progress.remove(id)
            if found is not None:
                return found.at(node.span)
        return None

    def _required(self, verb: model.Verb) -> HiddenRead | None:
        names = Bindings(True)
        for block in (verb.block, *(one.block for one in verb.amendments)):
            for statement in visitor.statements_in(block):
                for expression, offered in deciding_expressions(statement):
                    found = self.first(expression, offered, names)
                    if found is not None:
                        return found
        return None

    def verbs_in(
        self, node: model.Node, names: Bindings, own: bool = True
    ) -> Iterator[tuple[model.VerbOf, Bindings, bool]]:
        """Yield the verbs that an expression speaks of, also those in the defines it asks; each
        with what the names in its arguments stand for."""
        yield from self._verbs_in(node, names, own, set())

    def _verbs_in(
        self, node: model.Node, names: Bindings, own: bool, seen: set[object]
    ) -> Iterator[tuple[model.VerbOf, Bindings, bool]]:
        if not self._speaks_of_verbs(node):
            return
        inside, bound = names, {id(one) for one in visitor.bound_in(node)}
        match node:
            case model.VerbOf():
                yield node, names, own
            case model.DefineCall(define=called) if called in self.game.defines:
                define = self.game.defines[called]
                within, about_me, key = self._asked_with(define, node, names, own)
                if key not in seen:
                    seen.add(key)
                    for body in visitor.bodies_of(define):
                        yield from self._verbs_in(body, within, about_me, seen)
        match visitor.binding(node):
            case str(name), model.Node() as source:
                each = not isinstance(node, model.LetIn)
                inside = self._inside(name, source, names, own, each)
        for part in visitor.parts(node):
            yield from self._verbs_in(part, inside if id(part) in bound else names, own, seen)

    def _speaks_of_verbs(self, node: model.Node) -> bool:
        key = id(node)
        if key not in self._with_verbs:
            self._with_verbs[key] = any(
                isinstance(one, model.VerbOf) and one.arguments
                for one in visitor.through_defines(self.game, node)
            )
        return self._with_verbs[key]


def _is_named(target: model.Expression, names: Bindings) -> bool:
    """Return whether it is the thing whose name is looked at."""
    binding = names.bindings.get(target.name) if isinstance(target, model.Local) else None
    return binding is not None and binding.what == "named"


def _referred(node: model.Node) -> tuple[model.Node, ...]:
    """Return the parts of an expression that it hands on as they are: they are only referred to."""
    if isinstance(node, model.Builtin) and list_use(node.name).hands_on == "inner":
        return node.arguments
    return visitor.handed_on(node)
