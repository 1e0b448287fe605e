"""Jump Gate, second rule set, written by hand: what is asked, and what may be answered.

A decision is a number; `OPTIONS` at the end says for each what its options are. None of them leads to
a dead end: the conditions look as far ahead as they must.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handwritten.jump_gate_components import CARD_JUMP, CARD_LANDING, CARD_SCAN, NONE, WILD
from handwritten.jump_gate_state import Position

FLY, JUMP, SCAN, LAND, HARVEST, RESEARCH, END_TURN = range(7)
YES_OR_NO = (1, 0)
DONE = -1

# What is asked.
ACTION, FLY_TO, JUMP_CARD, JUMP_TO, SCAN_CARD, MAY_MARK, MARK, CODES = range(8)
MAY_TAKE_MARKED, MAY_TAKE, TAKE, PAYMENT, HARVESTED, UNWANTED, FREE_MARKER = range(8, 15)


def are_pair(card: int, other: int) -> bool:
    """Return whether cards that fit one of two landing codes each fit both together."""
    return CARD_LANDING[card] != CARD_LANDING[other] or CARD_LANDING[card] == WILD


class Options(Position):
    """The options of each decision."""

    __slots__ = ()

    def legal(self) -> Sequence[int]:
        """Return the possible answers; none leads to a dead end."""
        return OPTIONS[self.asked](self)

    # --------------------------------------------------------------------------------- what there is

    def _marks_at(self, planet: int, player: int) -> list[int]:
        return [card for card in self.outside[planet] if self.marked_by[card] == player]

    def _unmarked_at(self, planet: int) -> list[int]:
        return [card for card in self.outside[planet] if self.marked_by[card] == NONE]

    def _my_marks(self) -> list[int]:
        marked_by, player = self.marked_by, self.player
        return [card for cards in self.outside for card in cards if marked_by[card] == player]

    def _harvestable(self) -> list[int]:
        here = self.place[self.player]
        found = self._marks_at(here, self.player)
        if not found and not self.inside[here]:
            found = self._unmarked_at(here)
        return found

    def _codes(self) -> list[int]:
        """Return the cards of the hand with a landing code of the planet."""
        wanted = (WILD, *self.landing_codes[self.place[self.player]])
        return [card for card in self.hands[self.player] if CARD_LANDING[card] in wanted]

    # --------------------------------------------------------------------------------------- options

    def _actions(self) -> list[int]:
        here = self.place[self.player]
        hand = self.hands[self.player]
        found = []
        if here != NONE:
            found.append(FLY)
        if any(CARD_JUMP[card] != NONE and self._jumps(card) for card in hand):
            found.append(JUMP)
        if here != NONE:
            if self.inside[here]:
                if self._scan_cards():
                    found.append(SCAN)
            elif self.claim[here] == NONE and self._first_codes():
                found.append(LAND)
            if hand and self._harvestable():
                found.append(HARVEST)
        found += (RESEARCH, END_TURN)
        return found

    def _neighbours(self) -> list[int]:
        here, size = self.place[self.player], len(self.claim)
        return [(here - 1) % size, (here + 1) % size]

    def _jump_cards(self) -> list[int]:
        return [
            card
            for card in self.hands[self.player]
            if CARD_JUMP[card] != NONE and self._jumps(card)
        ]

    def _jumps(self, card: int) -> list[int]:
        """Return where a card with a jump code leads to."""
        here, wanted = self.place[self.player], CARD_JUMP[card]
        return [
            planet
            for planet, code in enumerate(self.jump_codes)
            if planet != here and wanted in (WILD, code)
        ]

    def _targets(self) -> list[int]:
        return self._jumps(self.card)

    def _scan_cards(self) -> list[int]:
        wanted = (WILD, self.scan_codes[self.place[self.player]])
        return [card for card in self.hands[self.player] if CARD_SCAN[card] in wanted]

    def _yes_or_no(self) -> Sequence[int]:
        return YES_OR_NO

    def _unmarked_here(self) -> list[int]:
        return self._unmarked_at(self.place[self.player])

    def _first_codes(self) -> list[int]:
        """Return the cards behind which there is another one to go with them."""
        codes = self._codes()
        return [
            card
            for number, card in enumerate(codes)
            if any(are_pair(card, other) for other in codes[number + 1 :])
        ]

    def _next_code(self) -> list[int]:
        if not self.picked:
            return self._first_codes()
        first = self.picked[0]
        codes = self._codes()
        return [card for card in codes[codes.index(first) + 1 :] if are_pair(first, card)]

    def _outside_here(self) -> list[int]:
        return self.outside[self.place[self.player]]

    def _hand(self) -> list[int]:
        return self.hands[self.player]

    def _next_unwanted(self) -> list[int]:
        hand = self.hands[self.player]
        behind = hand.index(self.picked[-1]) + 1 if self.picked else 0
        return [*hand[behind:], DONE]


OPTIONS: tuple[Callable[[Options], Sequence[int]], ...] = (
    Options._actions,
    Options._neighbours,
    Options._jump_cards,
    Options._targets,
    Options._scan_cards,
    Options._yes_or_no,
    Options._unmarked_here,
    Options._next_code,
    Options._yes_or_no,
    Options._yes_or_no,
    Options._outside_here,
    Options._hand,
    Options._harvestable,
    Options._next_unwanted,
    Options._my_marks,
)
