"""Jump Gate, second rule set, written by hand: what an answer does to the state.

`ANSWERS` at the end says for each decision what an answer to it does.
"""

from __future__ import annotations

from collections.abc import Callable

from handwritten.jump_gate_components import ACTIONS, BLACK_HOLE, HAND_SIZE, HOLE_LIMIT, NONE
from handwritten.jump_gate_options import (
    ACTION,
    CODES,
    DONE,
    END_TURN,
    FLY,
    FLY_TO,
    FREE_MARKER,
    HARVEST,
    HARVESTED,
    JUMP,
    JUMP_CARD,
    JUMP_TO,
    LAND,
    MARK,
    MAY_MARK,
    MAY_TAKE,
    MAY_TAKE_MARKED,
    PAYMENT,
    RESEARCH,
    SCAN,
    SCAN_CARD,
    TAKE,
    UNWANTED,
    Options,
)

# What goes on when a marker has been placed.
NEXT_ACTION, NEXT_MARKED, CLAIM, CLAIMED = range(4)


class JumpGate(Options):
    """A game that is going on, or over."""

    __slots__ = ()

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.ending is not None

    def apply(self, answer: int) -> None:
        """Give one of the possible answers, and go on to the next decision."""
        ANSWERS[self.asked](self, answer)

    # --------------------------------------------------------------------------------------- actions

    def _act(self, action: int) -> None:
        if action == RESEARCH:
            self.picked = []
            if self.hands[self.player]:
                self.asked = UNWANTED
            else:
                self._research()
        elif action == END_TURN:
            self._end_turn()
        else:
            if action == LAND:
                self.picked = []
            self.asked = FIRST_ASKED[action]

    def _fly_to(self, planet: int) -> None:
        self.place[self.player] = planet
        self._end_action()

    def _jump_with(self, card: int) -> None:
        self.card = card
        self.asked = JUMP_TO

    def _jump_to(self, planet: int) -> None:
        self._discard(self.card)
        self.place[self.player] = planet
        self._end_action()

    def _scan_with(self, card: int) -> None:
        me = self.player
        here = self.place[me]
        self._discard(card)
        self.outside[here].append(self.inside[here].pop())
        if self.markers[me] > 0 or self._marks_at(here, me):
            self.asked = MAY_MARK
        else:
            self._end_action()

    def _may_mark(self, yes: int) -> None:
        if yes:
            self.asked = MARK
        else:
            self._end_action()

    def _mark(self, card: int) -> None:
        for marked in self._marks_at(self.place[self.player], self.player):
            self._take_mark(marked)
        self.marked_by[card] = self.player
        self.markers[self.player] -= 1
        self._end_action()

    def _pay_with(self, card: int) -> None:
        self._discard(card)
        self.asked = HARVESTED

    def _harvest(self, card: int) -> None:
        self._collect(card, NEXT_ACTION)

    def _pick_unwanted(self, card: int) -> None:
        if card != DONE:
            self.picked.append(card)
            if card != self.hands[self.player][-1]:
                return
        self._research()

    def _research(self) -> None:
        hand = self.hands[self.player]
        for card in self.picked:
            self._discard(card)
        while len(hand) < HAND_SIZE and self.pile:
            hand.append(self._draw(self.pile) if self.shuffled else self.pile.pop())
            if not self.pile:
                # The discards are turned over, so that the oldest is on top.
                self.pile = self.discards[::-1]
                self.discards = []
                self.shuffled = False
        self._end_action()

    def _discard(self, card: int) -> None:
        self.hands[self.player].remove(card)
        self.discards.append(card)

    # -------------------------------------------------------------------------------- land and claim

    def _pick_code(self, card: int) -> None:
        self.picked.append(card)
        if len(self.picked) < 2:
            return
        for picked in self.picked:
            self._discard(picked)
        first = self.current + 1
        self.waiting = [(first + seat) % self.players for seat in range(self.players)]
        self._next_marked()

    def _next_marked(self) -> None:
        """Ask the next player who has marked a resource; after them the claimer may take one."""
        here = self.place[self.current]
        while self.waiting:
            self.player = self.waiting.pop(0)
            for card in self._marks_at(here, self.player):
                self._take_mark(card)
                self.card = card
                self.asked = MAY_TAKE_MARKED
                return
        self.player = self.current
        if self.outside[here]:
            self.asked = MAY_TAKE
        else:
            self._claim()

    def _may_take_marked(self, yes: int) -> None:
        if yes:
            self._collect(self.card, NEXT_MARKED)
        else:
            self._next_marked()

    def _may_take(self, yes: int) -> None:
        if yes:
            self.asked = TAKE
        else:
            self._claim()

    def _take(self, card: int) -> None:
        self._collect(card, CLAIM)

    def _claim(self) -> None:
        self.goes_on = CLAIMED
        self._place_marker()

    # --------------------------------------------------------------------------------------- markers

    def _take_mark(self, card: int) -> None:
        """Give the marker on a resource back to the player who decides."""
        self.marked_by[card] = NONE
        self.markers[self.player] += 1

    def _collect(self, card: int, goes_on: int) -> None:
        if self.marked_by[card] != NONE:
            self._take_mark(card)
        self.outside[self.place[self.current]].remove(card)
        self.collections[self.player].append(card)
        self.goes_on = goes_on
        if BLACK_HOLE[card]:
            self._place_marker()
        else:
            self._go_on()

    def _place_marker(self) -> None:
        """Place a marker; who has none left takes back a mark for it."""
        if self.markers[self.player] < 1 and self._my_marks():
            self.asked = FREE_MARKER
        else:
            self._marker_placed()

    def _free_marker(self, card: int) -> None:
        self._take_mark(card)
        self._marker_placed()

    def _marker_placed(self) -> None:
        self.markers[self.player] -= 1
        if self.goes_on == CLAIMED:
            self.claim[self.place[self.player]] = self.player
            if NONE not in self.claim and self.turns_left == NONE:
                self.turns_left = self.players + 1
            self._end_action()
        else:
            self.hole[self.player] += 1
            self._go_on()

    def _go_on(self) -> None:
        if self.goes_on == NEXT_MARKED:
            self._next_marked()
        elif self.goes_on == CLAIM:
            self._claim()
        else:
            self._end_action()

    # ----------------------------------------------------------------------------------------- turns

    def _end_action(self) -> None:
        self.actions_left -= 1
        if sum(self.hole) >= HOLE_LIMIT:
            self.ending = "Black Hole"
        elif not any(self.inside) and not any(self.outside):
            self.ending = "no resources left"
        elif self.actions_left == 0:
            self._end_turn()
        else:
            self.asked = ACTION

    def _end_turn(self) -> None:
        if self.turns_left != NONE:
            self.turns_left -= 1
            if self.turns_left == 0:
                self.ending = "last turn taken"
                return
        self.current = self.player = (self.current + 1) % self.players
        self.actions_left = ACTIONS
        self.asked = ACTION


FIRST_ASKED = {FLY: FLY_TO, JUMP: JUMP_CARD, SCAN: SCAN_CARD, LAND: CODES, HARVEST: PAYMENT}
"""What an action asks first."""

ANSWERS: tuple[Callable[[JumpGate, int], None], ...] = (
    JumpGate._act,
    JumpGate._fly_to,
    JumpGate._jump_with,
    JumpGate._jump_to,
    JumpGate._scan_with,
    JumpGate._may_mark,
    JumpGate._mark,
    JumpGate._pick_code,
    JumpGate._may_take_marked,
    JumpGate._may_take,
    JumpGate._take,
    JumpGate._pay_with,
    JumpGate._harvest,
    JumpGate._pick_unwanted,
    JumpGate._free_marker,
)
