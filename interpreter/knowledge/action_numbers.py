"""Action numbers: a number for every answer that a game can ask for, the same in every state.

The number of an answer is the first number of its decision and the code of the option (`action_codes`).
Both come from the checked rules, the options and the number of players alone, so they are the same in
every process, after loading and unpacking, and in states that the player cannot tell apart: what a policy
has learned about a number stays true. Behind the decisions stand the offers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from itertools import islice

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis import meaning
from rulewright.interpreter.engine.actions import MOST_LISTED, living_offers
from rulewright.interpreter.engine.setup import in_words
from rulewright.interpreter.knowledge.action_codes import Codes, NoCode, RangeCodes
from rulewright.interpreter.knowledge.action_sites import SiteCodes, text_of
from rulewright.interpreter.lookahead.lookahead import living
from rulewright.interpreter.program.decisions import current, offers, pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.state.errors import ActionNumberError, InvalidActionError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value

OFFERS = "offers"
"""What the last entry of the table is called."""


@attrs.frozen
class NumberedSite:
    """The numbers of one decision of the rules, or of all offers.

    >>> [(site.name, site.first, site.size, site.kind) for site in game.action_numbers.sites][:1]
    [('bet.either', 0, 2, 'arms')]
    """

    name: str
    """The place name, as `Decision.site` says it."""

    first: int
    size: int
    kind: str
    """What the options are, in words."""

    positional: bool = False
    """Whether some option is known only by its place among those that stand to choice, as the rules do
    not say which there can be."""


class _Site:
    """A decision with its codes."""

    __slots__ = ("codes", "done", "first", "name")

    def __init__(self, name: str, first: int, codes: Codes, done: bool) -> None:
        self.name = name
        self.first = first
        self.codes = codes
        self.done = codes.size if done else -1

    @property
    def size(self) -> int:
        return self.codes.size + (self.done >= 0)


class ActionNumbers:
    """The action numbers of a loaded game (`Game.action_numbers`).

    >>> numbers = game.action_numbers
    >>> numbers.size, numbers.name(0)
    (6, 'bet.either: Call')
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sites: dict[tuple[str, int], _Site] = {}
        first = 0
        taken: dict[str, int] = {}
        for plan, at, node, codes in SiteCodes(program).decisions():
            step, name = node.step, node.site
            # Two verbs may be called alike.
            taken[name] = count = taken.get(name, 0) + 1
            name = name if count == 1 else f"{name} ({count})"
            done = isinstance(step, model.Choose) and step.word != "one"
            site = self._sites[plan.unit, at] = _Site(name, first, codes, done)
            first += site.size
        self._offers = {offer: first + code for code, offer in enumerate(program.offers)}
        self.size = first + len(self._offers)
        """How many numbers there are: 0 to one less."""

        self._listed = tuple(self._sites.values())
        self._firsts = [site.first for site in self._listed]
        self._options: tuple[OpenQuestion | None, dict[int, Value]] = (None, {})

    # --------------------------------------------------------------------------------- the table

    @cached_property
    def sites(self) -> tuple[NumberedSite, ...]:
        """The table: which numbers belong to which decision, in their order."""
        found = [
            NumberedSite(site.name, site.first, site.size, site.codes.kind, site.codes.positional)
            for site in self._listed
        ]
        if self._offers:
            first = self.size - len(self._offers)
            found.append(NumberedSite(OFFERS, first, len(self._offers), OFFERS))
        return tuple(found)

    @property
    def decisions(self) -> tuple[tuple[str, int], ...]:
        """The decisions in the order of their numbers, each with its unit and node."""
        return tuple(self._sites)

    @cached_property
    def digest(self) -> str:
        """Tells whether numbers mean the same: of the table, of what the rules mean, of the options and
        the number of players. A policy that was trained with another digest is not for this game."""
        layout = self.program.layout
        told = [
            meaning.digest_of(self.program.game),
            str(len(layout.players)),
            *(f"{name} {in_words(value)}" for name, value in sorted(layout.options.items())),
            *(f"{site.name} {site.first} {site.size} {site.kind}" for site in self.sites),
        ]
        return blake2b("\n".join(told).encode(), digest_size=16).hexdigest()

    def name(self, number: int) -> str:
        """Return what a number means, in words: the decision and the option.

        Raises `InvalidActionError` if there is no such number."""
        site = self._site_of(number)
        if site is None:
            return f"{OFFERS}: {self._offer_names[number]}"
        code = number - site.first
        said = "done" if code == site.done else site.codes.name(code)
        return f"{site.name}: {said}"

    @cached_property
    def _offer_names(self) -> dict[int, str]:
        named = {offer.id: text_of(offer.label) for offer in self.program.game.offers}
        first = self.size - len(self._offers)
        return {
            number: named[id] or f"offer {number - first + 1}"
            for id, number in self._offers.items()
        }

    def _site_of(self, number: int) -> _Site | None:
        if type(number) is not int or not 0 <= number < self.size:
            text = f"there is no action number {number!r}; they are 0 to {self.size - 1}"
            raise InvalidActionError(text)
        if number >= self.size - len(self._offers):
            return None
        return self._listed[bisect_right(self._firsts, number) - 1]

    # ------------------------------------------------------------------------------- at a decision

    def numbers(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        """Return the numbers of some options, or offers, of the pending decision of a state, in their
        order: all of them different.

        Raises `ActionNumberError` if an option has none: where the rules bound nothing, numbers end.
        """
        op = asked.question.op
        site = self._sites[op.unit, op.node]
        first = site.first
        special = site.done >= 0 or self._offers
        try:
            if not special or not any(type(one) is Taken or one is DONE for one in values):
                return [first + code for code in site.codes.codes(store, asked, values)]
            plain = [one for one in values if not (type(one) is Taken or one is DONE)]
            found = iter(site.codes.codes(store, asked, plain))
        except NoCode as error:
            raise ActionNumberError(f"{site.name}: {error.text}") from None
        return [
            first + site.done
            if one is DONE
            else (self._offers[one.offer] if type(one) is Taken else first + next(found))
            for one in values
        ]

    def numbered(
        self, store: Store, asked: OpenQuestion, values: Sequence[Value]
    ) -> dict[int, Value]:
        """Return some options, or offers, of the pending decision by their numbers, without those that have
        none.

        Raises `ActionNumberError` if none of them has one.
        """
        try:
            return dict(zip(self.numbers(store, asked, values), values, strict=True))
        except ActionNumberError:
            found: dict[int, Value] = {}
            for value in values:
                with suppress(ActionNumberError):
                    found[self.numbers(store, asked, (value,))[0]] = value
            if not found:
                raise
            return found

    def counted(
        self, store: Store, asked: OpenQuestion, values: Sequence[Value]
    ) -> dict[int, Value]:
        """Return all options, or offers, of the pending decision by their numbers. Those that have none are
        counted on from the end of the table, for programs that play without it: numbers by what they are,
        others by where they stand."""
        try:
            return dict(zip(self.numbers(store, asked, values), values, strict=True))
        except ActionNumberError:
            found: dict[int, Value] = {}
            for place, value in enumerate(values):
                try:
                    (number,) = self.numbers(store, asked, (value,))
                except ActionNumberError:
                    number = self.size + (value if type(value) is int and value >= 0 else place)
                    while number in found:
                        number += 1
                found[number] = value
            return found

    def legal(self, store: Store) -> list[int]:
        """Return the numbers of the answers that are possible at the pending decision of a state, those
        of offers last; [] if no decision is pending. Answers that have no number are left out.

        Raises `ActionNumberError` if none of them has one."""
        program = self.program
        if pending(program, store) is None:
            return []
        values = (*islice(living(program, store), MOST_LISTED), *living_offers(program, store))
        return list(self.numbered(store, current(program, store), values))

    def value_of(self, store: Store, number: int) -> Value:
        """Return the option of the pending decision of a state that has a number.

        Raises `InvalidActionError` if no option has it here."""
        site = self._site_of(number)
        if pending(self.program, store) is None:
            raise InvalidActionError(f"no decision is waiting, so {number} is no answer")
        asked = current(self.program, store)
        options = asked.options
        op = asked.question.op
        if site is None:
            for offer in offers(self.program, store):
                if self._offers[offer.offer] == number:
                    return offer
        elif self._sites[op.unit, op.node] is site:
            if isinstance(options, range) and isinstance(site.codes, RangeCodes):
                value = site.codes.low + number - site.first
                if value in options:
                    return value
                raise self._not_here(number, op.site)
            known, by_number = self._options
            if known is not asked:
                by_number = self.numbered(store, asked, options)
                self._options = asked, by_number
            if number in by_number:
                return by_number[number]
        raise self._not_here(number, op.site)

    def _not_here(self, number: int, site: str) -> InvalidActionError:
        told = f"action number {number} ({self.name(number)}) is no answer at {site}"
        return InvalidActionError(told)


def action_numbers(program: Program) -> ActionNumbers:
    """Return the action numbers of a loaded game; made once."""
    found: ActionNumbers | None = program.numbers
    if found is None:
        found = program.numbers = ActionNumbers(program)
    return found
