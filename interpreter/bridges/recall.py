"""What each player remembers of a game, short: a digest that grows with what he does and notices.

An information state tells everything from the beginning, so it grows with the game and is made anew each time.
Here what is remembered already is a digest, and only what has come since is looked at. A player who
cannot tell two states apart has the same digest in both; if he can, they differ.
"""

from __future__ import annotations

from hashlib import blake2b

import attrs

from rulewright.interpreter.knowledge.information_state import Answer, told_since
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.log import length
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

SIZE = 16
"""How many bytes a digest has."""


@attrs.frozen
class Given:
    """An answer that somebody has given."""

    player: int
    number: int
    """Its action number."""

    site: str
    events: int
    """How many events its player had seen or not seen before."""

    heard: str = ""
    """What everybody has heard; "" if nobody has."""


@attrs.frozen
class Memory:
    """What a player remembers up to a moment."""

    digest: bytes = b""
    events: int = 0
    """How many events had happened then. While several act at once, up to where they began."""

    own: int = 0
    """How many of his own events are in the digest that have happened while several act at once: he has
    them before those of all others."""

    answers: int = 0
    """How many answers had been given then."""


@attrs.frozen
class Recall:
    """What all players remember, and the answers that have been given. It does not change."""

    memories: tuple[Memory, ...]
    answers: tuple[Given, ...] = ()

    @classmethod
    def empty(cls, players: int) -> Recall:
        """Return what so many players remember before a game."""
        return cls((Memory(),) * players)

    def after(self, given: Given) -> Recall:
        """Return what is remembered when an answer has been given."""
        return Recall(self.memories, (*self.answers, given))

    def up_to(self, program: Program, store: Store, player: int) -> Recall:
        """Return the same with all that a player remembers in a state in his digest."""
        memories = list(self.memories)
        memories[player] = self._now(program, store, program.layout.players[player])
        return Recall(tuple(memories), self.answers)

    def after_dead_end(
        self, program: Program, before: Store, store: Store, player: int, number: int
    ) -> Recall:
        """Return what is remembered when an answer has led to a dead end and was taken back: who gave it
        knows that he has tried. `before` is the state in which it was given, `store` the one to which the game
        has come back."""
        count = store.count_events()
        answers = tuple(one for one in self.answers if one.events <= count)
        memories = []
        for seat in program.layout.players:
            digest = self._now(program, before, seat).digest
            if seat.number == player:
                digest = longer(digest, {"tried": number})
            memories.append(_ending_now(store, seat, digest, len(answers)))
        return Recall(tuple(memories), answers)

    def of_one(self, player: int) -> Recall:
        """Return what one player knows of it: his memory, and the answers that he has given or heard. What
        others remember begins anew."""
        known = tuple(one for one in self.answers if one.player == player or one.heard)
        memories = [Memory()] * len(self.memories)
        memories[player] = attrs.evolve(self.memories[player], answers=len(known))
        return Recall(tuple(memories), known)

    def _now(self, program: Program, store: Store, seat: Thing) -> Memory:
        memory = self.memories[seat.number]
        answers = [
            Answer(
                one.events,
                one.player,
                one.site,
                None,
                str(one.number) if one.player == seat.number else one.heard,
            )
            for one in self.answers[memory.answers :]
            if one.player == seat.number or one.heard
        ]
        digest = memory.digest
        view = seen_by(store, seat)
        for one in told_since(program, view, seat, answers, memory.events, memory.own):
            digest = longer(digest, one)
        return _ending_now(store, seat, digest, len(self.answers))


def _ending_now(store: Store, seat: Thing, digest: bytes, answers: int) -> Memory:
    view = seen_by(store, seat)
    own = 0 if store.fork is None else length(view.log, store.fork.log)
    return Memory(digest, view.count_events() - own, own, answers)


def longer(digest: bytes, told: object) -> bytes:
    """Return the digest of what was remembered and one thing more."""
    return blake2b(digest + repr(told).encode(), digest_size=SIZE).digest()
