"""The state of Jump Gate, second rule set: setting up, copying, and the points in the end.

A planet is its place in the ring. Between two decisions all that is going on stands in the fields
`asked`, `player`, `card`, `picked`, `waiting` and `goes_on`.
"""

from __future__ import annotations

from typing import Self

from handwritten.jump_gate_components import (
    ACTIONS,
    FAME,
    HAND_SIZE,
    HOLE_LIMIT,
    MARKERS,
    NAVCOMPS,
    NONE,
    PLANETS,
    RESOURCES,
    RING_SIZE,
    SORT,
)
from handwritten.jump_gate_scoring import points
from rulewright.interpreter.state.random import below, seeded


class Position:
    """What lies on the table, and what is asked."""

    __slots__ = (
        "actions_left",
        "asked",
        "card",
        "claim",
        "collections",
        "current",
        "discards",
        "ending",
        "goes_on",
        "hands",
        "hidden",
        "hole",
        "inside",
        "jump_codes",
        "landing_codes",
        "marked_by",
        "markers",
        "outside",
        "picked",
        "pile",
        "place",
        "player",
        "players",
        "random",
        "scan_codes",
        "shuffled",
        "turns_left",
        "waiting",
    )

    def __init__(self, players: int = 2, seed: int | str = 0) -> None:
        self.random = seeded(seed)
        self.players = players
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.hidden: list[list[int]] = [[] for _ in range(players)]
        self.collections: list[list[int]] = [[] for _ in range(players)]
        self.place = [NONE] * players
        """Where the ships are; NONE: on the Jump Gate."""

        self.markers = [MARKERS] * players
        """How many markers each player has left."""

        self.hole = [0] * players
        self.marked_by = [NONE] * len(RESOURCES)
        self._set_up()
        self.current = self._below(players)
        """Whose turn it is; `player` is who decides."""

        self.player = self.current
        self.actions_left = ACTIONS
        self.turns_left = NONE
        """NONE: the last round has not been announced."""

        self.asked = 0
        """Which decision is pending; the numbers are those of the rules."""

        self.card = NONE
        """The card that is being used, or the resource that is being collected."""

        self.picked: list[int] = []
        """Of several cards those that have been picked so far."""

        self.waiting: list[int] = []
        """Who will be asked about a marked resource of the planet that is claimed."""

        self.goes_on = 0
        """What is to be done when a marker has been placed."""

        self.ending: str | None = None

    # ----------------------------------------------------------------------------------- setting up

    def _below(self, bound: int) -> int:
        self.random, number = below(self.random, bound)
        return number

    def _draw(self, cards: list[int]) -> int:
        """Return a card from a shuffled pile: which one, nobody has known until now."""
        return cards.pop(self._below(len(cards)))

    def _set_up(self) -> None:
        planets = list(range(len(PLANETS)))
        ring = [self._draw(planets) for _ in range(RING_SIZE[self.players])]
        self.jump_codes = tuple(PLANETS[planet][0] for planet in ring)
        self.scan_codes = tuple(PLANETS[planet][1] for planet in ring)
        self.landing_codes = tuple(PLANETS[planet][2:] for planet in ring)
        self.claim = [NONE] * len(ring)
        resources = self._deal_hidden(list(range(len(RESOURCES))))
        self.inside: list[list[int]] = []
        self.outside: list[list[int]] = []
        for _ in ring:
            self.inside.append([self._draw(resources) for _ in range(3)])
            self.outside.append([self._draw(resources)])
        self.pile = list(range(len(NAVCOMPS)))
        """The draw deck, the top last, unless it is `shuffled`: then its order is open."""

        self.shuffled = True
        self.discards: list[int] = []
        for hand in self.hands:
            hand.extend(self._draw(self.pile) for _ in range(HAND_SIZE))

    def _deal_hidden(self, deck: list[int]) -> list[int]:
        """Deal everybody cards that are no Fame, and return the deck."""
        count = 3 if self.players == 2 else 2
        given_back: list[int] = []
        for cards in self.hidden:
            while len(cards) < count:
                cards.extend(self._draw(deck) for _ in range(count - len(cards)))
                given_back += [card for card in cards if SORT[card] == FAME]
                cards[:] = [card for card in cards if SORT[card] != FAME]
        return sorted(deck + given_back)

    # -------------------------------------------------------------------------------------- copies

    def clone(self) -> Self:
        """Return a game of its own at the same point."""
        copy = object.__new__(type(self))
        copy.random = self.random
        copy.players = self.players
        copy.jump_codes = self.jump_codes
        copy.scan_codes = self.scan_codes
        copy.landing_codes = self.landing_codes
        copy.hands = [hand.copy() for hand in self.hands]
        copy.hidden = self.hidden
        copy.collections = [cards.copy() for cards in self.collections]
        copy.inside = [cards.copy() for cards in self.inside]
        copy.outside = [cards.copy() for cards in self.outside]
        copy.place = self.place.copy()
        copy.claim = self.claim.copy()
        copy.markers = self.markers.copy()
        copy.hole = self.hole.copy()
        copy.marked_by = self.marked_by.copy()
        copy.pile = self.pile.copy()
        copy.shuffled = self.shuffled
        copy.discards = self.discards.copy()
        copy.current = self.current
        copy.player = self.player
        copy.actions_left = self.actions_left
        copy.turns_left = self.turns_left
        copy.asked = self.asked
        copy.card = self.card
        copy.picked = self.picked.copy()
        copy.waiting = self.waiting.copy()
        copy.goes_on = self.goes_on
        copy.ending = self.ending
        return copy

    # -------------------------------------------------------------------------------------- the end

    def _scoring_cards(self, player: int) -> list[int]:
        cards = self.collections[player]
        if self.ending is None:
            return cards
        if sum(self.hole) >= HOLE_LIMIT and self.hole[player] == max(self.hole):
            return cards
        return cards + self.hidden[player]

    def scores(self) -> tuple[int, ...]:
        """Return the points of each player."""
        return tuple(
            points(self._scoring_cards(player), self.claim.count(player))
            for player in range(self.players)
        )

    def winners(self) -> tuple[int, ...]:
        """Return who has won."""
        keys = [
            (
                score,
                self.claim.count(player),
                len(self._scoring_cards(player)),
                -self.hole[player],
            )
            for player, score in enumerate(self.scores())
        ]
        first = tuple(player for player, key in enumerate(keys) if key == max(keys))
        return () if len(first) == self.players else first

    def returns(self) -> tuple[float, ...]:
        """Return the result of each player: losers pay 1, which the winners share."""
        winners = self.winners()
        if not winners:
            return (0.0,) * self.players
        share = (self.players - len(winners)) / len(winners)
        return tuple(share if player in winners else -1.0 for player in range(self.players))
