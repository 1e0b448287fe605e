"""Terms and facts: what an expression stands for, and what is known of it at a place.

A *term* is the form of an expression without its place in the text. A *fact* is a term: one by
itself is the player who decides; `("not", t)` is not him, `("in", t)` is a list with him in it,
`("true", t)` and `("false", t)` are conditions, and `("each", t, f)` is the fact f about each item
of a list, which is called `EACH` in it. `proofs` makes them out of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types

Term: TypeAlias = tuple[object, ...]
Facts: TypeAlias = frozenset[Term]

ME: Final[Term] = ("me",)
"""The player who decides."""

SOMEBODY: Final[Term] = ("somebody",)
"""Whoever is `me` where it is not the player who decides."""

EACH: Final[Term] = ("each item",)
NOTHING_KNOWN: Final[Facts] = frozenset()

DEEPEST = 8
"""So many defines are looked into, one inside the other."""


@attrs.frozen
class Known:
    """What `me` and names stand for at a place, and what is known there."""

    facts: Facts = NOTHING_KNOWN
    me: Term | None = ME
    terms: Mapping[str, Term] = attrs.Factory(dict)
    depth: int = 0
    """How many defines are looked into."""

    def is_me(self, term: Term | None) -> bool:
        """Return whether a term is known to be the player who decides."""
        return term is not None and (term == ME or term in self.facts)

    def knowing(self, facts: Facts) -> Known:
        """Return the same with more facts."""
        return attrs.evolve(self, facts=self.facts | facts) if facts else self

    def naming(self, name: str, term: Term) -> Known:
        """Return the same where a name stands for a term."""
        return attrs.evolve(self, terms={**self.terms, name: term})


def replaced(term: Term, old: Term, new: Term) -> Term:
    """Return a term, or a fact, in which one stands in the place of another."""
    if term == old:
        return new
    return tuple(replaced(part, old, new) if isinstance(part, tuple) else part for part in term)


def holds_within(term: Term, found: Callable[[Term], bool]) -> bool:
    """Return whether a term or one of its parts is what is looked for."""
    return (bool(term) and found(term)) or any(
        isinstance(part, tuple) and holds_within(part, found) for part in term
    )


def about(facts: Facts, old: Term, new: Term) -> Facts:
    """Return what is known about a term, said of another one."""
    return frozenset(
        replaced(fact, old, new) for fact in facts if holds_within(fact, lambda one: one == old)
    )


def local(name: str) -> Term:
    """Return the term of a local."""
    return ("local", name)


def mentions(term: Term, wanted: Collection[Term]) -> bool:
    """Return whether a term is one of some others, or has one of them in it."""
    return holds_within(term, lambda one: one in wanted)


def without_local(facts: Facts, name: str) -> Facts:
    """Return what is known where a name stands for something else."""
    gone = local(name)
    return frozenset(fact for fact in facts if not holds_within(fact, lambda one: one == gone))


def beyond(facts: Facts, names: Collection[str] = ()) -> Facts:
    """Return what is known also where other names are used: of no locals but some."""
    kept = {local(name) for name in names}

    def is_other(term: Term) -> bool:
        return term[0] == "local" and term not in kept

    return frozenset(fact for fact in facts if not holds_within(fact, is_other))


FactsOfValue: TypeAlias = Callable[[model.Node, Known, Term], Facts]
"""What is known about a value at a place, where it is called by a term."""


class Terms:
    """Gives the terms of the expressions of one linked game."""

    def __init__(self, game: model.Game, facts_of_value: FactsOfValue) -> None:
        self.game = game
        self._facts_of_value = facts_of_value

    def term(self, node: model.Node, where: Known) -> Term | None:
        """Return the form of an expression, None if it has none that could be compared."""
        match node:
            case model.Me():
                return where.me
            case model.Local(name=name):
                return where.terms.get(name, local(name))
            case model.Seats():
                return ("players",)
            case model.Everything(kind=kind):
                return ("all", kind)
            case model.Constant(value=value):
                return ("value", value)
            case model.EnumConstant(enum=enum, value=word):
                return ("value", enum, word)
            case model.NamedThing(kind=kind, name=name):
                return ("thing", kind, name)
            case model.OptionValue(name=name):
                return ("option", name)
            case model.Read(field=field, target=target):
                return self._made("read", () if target is None else (target,), where, field)
            case model.OwnerOf(thing=thing):
                if types.without_none(thing.type) == types.PLAYER:
                    return self.term(thing, where)
                return self._made("owner", (thing,), where)
            case model.LiesAt(thing=thing):
                return self._made("lies at", (thing,), where)
            case model.SlotThing(slot=slot):
                return self._made("slot", (slot,), where)
            case model.Contents(place=model.FieldPlace(field=field, target=target)):
                parts = () if target is None else (target,)
                return self._made("read", parts, where, field)
            case model.Entry(family=left, key=right) | model.Item(items=left, index=right):
                return self._made("entry", (left, right), where)
            case model.Builtin(name=name, arguments=arguments):
                return self._made("call", arguments, where, name)
            case model.Without(source=left, other=right):
                return self._made("without", (left, right), where)
            case model.ListOf(items=items):
                return self._made("list", items, where)
            case (
                model.Arithmetic(word=word, left=left, right=right)
                | model.Compare(word=word, left=left, right=right)
            ):
                return self._made("both", (left, right), where, word)
            case model.IsEmpty(source=source, negated=negated):
                return self._made("empty", (source,), where, negated)
            case model.DefineCall():
                inside = self.inside(node, where)
                return None if inside is None else self.term(*inside)
            case model.LetIn(name=name, value=value, body=body):
                term = self.term(value, where)
                return None if term is None else self.term(body, where.naming(name, term))
        return None

    def _made(
        self, word: str, parts: Iterable[model.Node], where: Known, more: object = None
    ) -> Term | None:
        terms: list[Term] = []
        for part in parts:
            term = self.term(part, where)
            if term is None:
                return None
            terms.append(term)
        return (word, *(() if more is None else (more,)), *terms)

    def inside(self, call: model.DefineCall, where: Known) -> tuple[model.Expression, Known] | None:
        """Return the body of a define that nothing amends, and where it is read."""
        define = self.game.defines.get(call.define)
        if define is None or define.changes or define.lines or where.depth >= DEEPEST:
            return None
        terms: dict[str, Term] = {}
        facts = where.facts
        for parameter, argument in zip(define.parameters, call.arguments, strict=True):
            term = self.term(argument, where)
            # What cannot be compared is itself only, and what is known of it.
            name: Term = ("argument", where.depth + 1, parameter)
            if term is None and not isinstance(argument, model.Lambda):
                facts |= self._facts_of_value(argument, where, name)
            terms[parameter] = name if term is None else term
        me = where.me if call.me is None else self.term(call.me, where)
        return define.body, Known(facts, me, terms, where.depth + 1)
