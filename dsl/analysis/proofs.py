"""Whether it can be shown that the player who decides is among those who see something.

A list of viewers is followed through `+`, `if`, `where`, `without` and defines; what is known of a
thing comes from the list that it is taken out of, from conditions (`its.owner is me`), and from
where a place stands. Nothing here guesses: what is not shown is not seen. `terms` says what facts
look like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.handovers import is_zone_of_player
from rulewright.dsl.analysis.terms import (
    DEEPEST,
    EACH,
    ME,
    NOTHING_KNOWN,
    SOMEBODY,
    Facts,
    Known,
    Term,
    Terms,
    about,
    mentions,
    replaced,
)
from rulewright.dsl.model import types, visitor

THAT: Final[Term] = ("that",)
"""Whose field is asked about."""

_OPPOSITE = {
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


class Proofs:
    """Shows things about the expressions of one linked game."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.terms = Terms(game, self.facts_of_value)

    # ------------------------------------------------------------------------------- who sees what

    def sees(
        self,
        field: model.Field,
        viewers: model.Viewers,
        target: model.Expression | None,
        where: Known,
    ) -> bool:
        """Return whether it is shown that the player who decides sees a field of a holder."""
        match viewers.who:
            case "everybody":
                return True
            case "nobody":
                return False
        owner: Term | None = None
        if target is not None:
            where = where.knowing(self.facts_of_value(target, where, THAT))
            owner = THAT if field.holder == "Player" else ("owner", THAT)
        if viewers.who == "owner":
            return where.is_me(owner)
        assert viewers.expression is not None, field.id
        return self.contains(
            viewers.expression, attrs.evolve(where, me=owner, terms={"this": THAT})
        )

    # -------------------------------------------------------------------------------------- lists

    def contains(self, node: model.Node, where: Known) -> bool:
        """Return whether it is shown that the player who decides is in a list."""
        match node:
            case model.Seats() | model.Everything(kind="Player"):
                return True
            case model.ListOf(items=items):
                return any(where.is_me(self.terms.term(item, where)) for item in items)
            case model.Conditional(condition=condition, then=then, otherwise=otherwise):
                if self.holds(condition, where):
                    return self.contains(then, where)
                if self.refuted(condition, where):
                    return self.contains(otherwise, where)
                yes = where.knowing(self.facts_if(condition, where))
                no = where.knowing(self.facts_unless(condition, where))
                return self.contains(then, yes) and self.contains(otherwise, no)
            case model.Where(source=source, name=name, condition=condition):
                inside = where.naming(name, ME)
                return self.contains(source, where) and self.holds(condition, inside)
            case model.Without(source=source, other=other):
                return self.contains(source, where) and self.excludes(other, where)
            case model.DefineCall():
                return self._each_value(node, where, self.contains)
            case model.OriginalValue():
                # What amends a list is looked at beside the list itself.
                return True
            case model.LetIn(name=name, value=value, body=body):
                return self.contains(body, self._let(name, value, where))
        for part, use in visitor.handed(node):
            # A player is never none.
            if (use.hands_on == "all" or use.drops_none) and self.contains(part, where):
                return True
        term = self.terms.term(node, where)
        return term is not None and ("in", term) in where.facts

    def _each_value(
        self,
        call: model.DefineCall,
        where: Known,
        shown: Callable[[model.Expression, Known], bool],
    ) -> bool:
        """Return whether something is shown of a define, and of all that it can be amended to."""
        define = self.game.defines.get(call.define)
        if define is None or define.lines:
            return False
        plain = self.terms.inside(attrs.evolve(call), where) if not define.changes else None
        if plain is not None:
            return shown(*plain)
        if where.depth >= DEEPEST or call.arguments or call.me is not None:
            return False
        inside = Known(where.facts, where.me, {}, where.depth + 1)
        return shown(define.body, inside) and all(
            change.how == "to" and change.bearers is None and shown(change.value, inside)
            for change in define.changes
        )

    def excludes(self, node: model.Node, where: Known) -> bool:
        """Return whether it is shown that the player who decides is not in a list."""
        match node:
            case model.ListOf(items=items):
                return all(self._is_another(item, where) for item in items)
            case model.Where(source=source, name=name, condition=condition):
                inside = where.naming(name, ME)
                return self.excludes(source, where) or self.refuted(condition, inside)
            case model.Without(source=source, other=other):
                return self.excludes(source, where) or self.contains(other, where)
        lists = _lists_of_items(node)
        return bool(lists) and all(self.excludes(one, where) for one in lists)

    def _is_another(self, node: model.Node, where: Known) -> bool:
        term = self.terms.term(node, where)
        return term is not None and ("not", term) in where.facts

    def _let(self, name: str, value: model.Expression, where: Known) -> Known:
        term = self.terms.term(value, where) or ("let", name)
        return where.knowing(self.facts_of_value(value, where, term)).naming(name, term)

    # --------------------------------------------------------------------------------- conditions

    def holds(self, node: model.Node, where: Known) -> bool:
        """Return whether it is shown that a condition holds."""
        match node:
            case model.And(left=left, right=right):
                return self.holds(left, where) and self.holds(right, where)
            case model.Or(left=left, right=right):
                if self.holds(left, where) or self.holds(right, where):
                    return True
            case model.Not(operand=operand):
                return self.refuted(operand, where)
            case model.Constant(value=value):
                return value is True
            case model.Compare(word=word, left=left, right=right):
                if self._compares(word, left, right, where):
                    return True
            case model.DefineCall():
                inside = self.terms.inside(node, where)
                if inside is not None and self.holds(*inside):
                    return True
        term = self.terms.term(node, where)
        return term is not None and ("true", term) in where.facts

    def refuted(self, node: model.Node, where: Known) -> bool:
        """Return whether it is shown that a condition does not hold."""
        match node:
            case model.And(left=left, right=right):
                return self.refuted(left, where) or self.refuted(right, where)
            case model.Or(left=left, right=right):
                return self.refuted(left, where) and self.refuted(right, where)
            case model.Not(operand=operand):
                return self.holds(operand, where)
            case model.Constant(value=value):
                return value is False
            case model.Compare(word=word, left=left, right=right) if word in _OPPOSITE:
                if self._compares(_OPPOSITE[word], left, right, where):
                    return True
        term = self.terms.term(node, where)
        return term is not None and ("false", term) in where.facts

    def _compares(
        self, word: str, left: model.Expression, right: model.Expression, where: Known
    ) -> bool:
        one, other = self.terms.term(left, where), self.terms.term(right, where)
        match word:
            case "is":
                same = one is not None and one == other
                return same or (where.is_me(one) and where.is_me(other))
            case "is not":
                return any(
                    where.is_me(mine) and ("not", his) in where.facts
                    for mine, his in ((one, other), (other, one))
                )
            case "in":
                return where.is_me(one) and self.contains(right, where)
            case "not in":
                return where.is_me(one) and self.excludes(right, where)
        return False

    # -------------------------------------------------------------------------------------- facts

    def facts_if(self, node: model.Node, where: Known) -> Facts:
        """Return what is known where a condition holds."""
        found = NOTHING_KNOWN
        match node:
            case model.And(left=left, right=right):
                first = self.facts_if(left, where)
                return first | self.facts_if(right, where.knowing(first))
            case model.Or(left=left, right=right):
                found = self.facts_if(left, where) & self.facts_if(right, where)
            case model.Not(operand=operand):
                return self.facts_unless(operand, where)
            case model.Compare(word=word, left=left, right=right):
                found = self._facts_compared(word, left, right, where)
            case model.DefineCall():
                inside = self.terms.inside(node, where)
                if inside is not None:
                    found = self.facts_if(*inside)
        term = self.terms.term(node, where)
        return found if term is None else found | {("true", term)}

    def facts_unless(self, node: model.Node, where: Known) -> Facts:
        """Return what is known where a condition does not hold."""
        found = NOTHING_KNOWN
        match node:
            case model.Or(left=left, right=right):
                first = self.facts_unless(left, where)
                return first | self.facts_unless(right, where.knowing(first))
            case model.And(left=left, right=right):
                found = self.facts_unless(left, where) & self.facts_unless(right, where)
            case model.Not(operand=operand):
                return self.facts_if(operand, where)
            case model.Compare(word=word, left=left, right=right) if word in _OPPOSITE:
                found = self._facts_compared(_OPPOSITE[word], left, right, where)
        term = self.terms.term(node, where)
        return found if term is None else found | {("false", term)}

    def _facts_compared(
        self, word: str, left: model.Expression, right: model.Expression, where: Known
    ) -> Facts:
        one, other = self.terms.term(left, where), self.terms.term(right, where)
        found: set[Term] = set()
        if word in ("is", "is not"):
            for mine, his in ((one, other), (other, one)):
                if where.is_me(mine) and his is not None:
                    found.add(his if word == "is" else ("not", his))
        if word == "in" and one is not None:
            found |= self.facts_of_items(right, where, one)
            if where.is_me(one) and other is not None:
                found.add(("in", other))
        return frozenset(found)

    def facts_of_items(self, node: model.Node, where: Known, item: Term) -> Facts:
        """Return what is known about each item of a list, which is called `item` in it."""
        match node:
            case model.Where(source=source, name=name, condition=condition):
                known = self.facts_of_items(source, where, item)
                inside = where.knowing(known).naming(name, item)
                return known | self.facts_if(condition, inside)
            case model.Without(source=source, other=other):
                known = self.facts_of_items(source, where, item)
                return known | {("not", item)} if self.contains(other, where) else known
            case model.ListOf(items=items) if items:
                return frozenset.intersection(
                    *(self.facts_of_value(one, where, item) for one in items)
                )
            case model.Each(source=source, name=name, value=value):
                inner: Term = ("each", where.depth, name)
                known = self.facts_of_items(source, where, inner)
                return self.facts_of_value(value, where.knowing(known).naming(name, inner), item)
            case model.DefineCall():
                opened = self.terms.inside(node, where)
                return NOTHING_KNOWN if opened is None else self.facts_of_items(*opened, item)
            case model.LetIn(name=name, value=value, body=body):
                return self.facts_of_items(body, self._let(name, value, where), item)
            case (
                model.Contents(place=model.FieldPlace(field=field, target=target))
                | model.Read(field=field, target=target)
            ) if target is not None and is_zone_of_player(self.game, field):
                if where.is_me(self.terms.term(target, where)):
                    return frozenset({("owner", item)})
        handed = visitor.handed_on(node)
        if handed:
            return frozenset.intersection(
                *(self.facts_of_items(one, where, item) for one in handed)
            )
        list_term = self.terms.term(node, where)
        return frozenset(
            replaced(fact[2], EACH, item)
            for fact in where.facts
            if fact[0] == "each" and fact[1] == list_term and isinstance(fact[2], tuple)
        )

    def facts_of_value(self, node: model.Node, where: Known, item: Term) -> Facts:
        """Return what is known about a value, which is called `item` in it."""
        found: set[Term] = set()
        term = self.terms.term(node, where)
        if term is not None and term != ME:
            found |= about(where.facts, term, item)
        if where.is_me(term):
            found.add(item)
        if isinstance(node, model.Node) and types.element(types.without_none(node.type)):
            each = self.facts_of_items(node, where, EACH)
            return frozenset(found) | {("each", item, fact) for fact in each}
        match node:
            case model.DefineCall():
                inside = self.terms.inside(node, where)
                if inside is not None:
                    found |= self.facts_of_value(*inside, item)
            case model.LetIn(name=name, value=value, body=body):
                found |= self.facts_of_value(body, self._let(name, value, where), item)
            case _:
                handed = [
                    self.facts_of_value(part, where, item)
                    if use.hands_on == "value"
                    else self.facts_of_items(part, where, item)
                    for part, use in visitor.handed(node)
                ]
                found |= frozenset.intersection(*handed) if handed else NOTHING_KNOWN
        return frozenset(found)

    def facts_of_actor(self, players: model.Expression, where: Known) -> Facts:
        """Return what is known inside an `as`, where each of some players is the one who decides."""
        new: Term = ("new",)
        known = self.facts_of_items(players, where, new)
        found = {
            fact
            for fact in where.facts | known
            if fact[0] in ("true", "false") and not mentions(fact, (ME, SOMEBODY))
        }
        facts = {replaced(fact, new, ME) for fact in found}
        for fact in tuple(facts):
            match fact:
                case (
                    "true",
                    ("both", "is" | "is not" as word, tuple() as one, tuple() as other),
                ) if ME in (one, other):
                    term = other if one == ME else one
                    facts.add(term if word == "is" else ("not", term))
        facts |= self._named_alone(players, where)
        return frozenset(facts)

    def _named_alone(self, players: model.Expression, where: Known) -> Facts:
        """Return who each of some players is, or is not, because the list names him."""
        match players:
            case model.ListOf(items=(one,)):
                return self._named((one,), where)
            case model.Without(source=source, other=model.ListOf(items=items)):
                others = frozenset(("not", term) for term in self._named(items, where))
                return others | self._named_alone(source, where)
        match _lists_of_items(players):
            case [source]:
                return self._named_alone(source, where)
        return NOTHING_KNOWN

    def _named(self, items: Iterable[model.Expression], where: Known) -> Facts:
        terms = [self.terms.term(item, where) for item in items]
        return frozenset(
            term for term in terms if term is not None and not mentions(term, (ME, SOMEBODY))
        )


def _lists_of_items(node: model.Node) -> list[model.Expression]:
    """Return the lists out of which the items of a list are."""
    return [part for part, use in visitor.handed(node) if use.hands_on in ("all", "some")]
