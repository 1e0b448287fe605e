"""What a player has noticed of what others did at once with him, once all was joined.

While such a block is played once more, others are held to that at each of their events, not only at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat

import attrs

from rulewright.interpreter.knowledge.information_state import noticed
from rulewright.interpreter.knowledge.observation import Plain
from rulewright.interpreter.knowledge.renaming import things_in
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import DONE
from rulewright.interpreter.state.log import Event, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing


@attrs.frozen
class Joined:
    """How much a player has noticed of one block in which several acted at once."""

    own: int
    """Of what he did himself; it comes first."""

    all: int


def joins_of(events: Sequence[Event], player: Thing) -> list[Joined]:
    """Return the blocks in the order in which they were joined."""
    found = []
    for number, event in enumerate(events):
        if event.kind == "join":
            players, counts = event.data
            first, own = number - sum(counts), 0
            for one, count in zip(players, counts, strict=True):
                if one is player:
                    own = _count(events[first : first + count], player)
                first += count
            found.append(Joined(own, _count(events[number - sum(counts) : number], player)))
    return found


def _count(events: Iterable[Event], player: Thing) -> int:
    return sum(player.number in event.seers | event.counters for event in events)


class Others:
    """Compares what others do at once with what a player noticed of it later."""

    def __init__(
        self, program: Program, player: Thing, told: Sequence[Plain], joins: Sequence[Joined]
    ) -> None:
        self.program = program
        self.player = player
        self.told = told
        self.joins = joins
        self.created = frozenset(program.layout.living_slots)
        """The kinds whose things may be called otherwise when all is joined."""

    def noticed(self, store: Store, joins: int, before: int) -> int | None:
        """Return how much the player will have noticed of what others have done in the block that is going
        on, after so many blocks, when he had noticed so much; None if it is not the same."""
        fork = store.fork
        assert fork is not None, "nobody acts at once"
        if joins >= len(self.joins):
            return 0
        block = self.joins[joins]
        at, end = before + block.own, before + block.all
        start = at
        for number, branch in enumerate(fork.branches):
            if branch.player is self.player:
                continue
            log = store.log if number == fork.at else branch.log
            events = [
                event
                for event in [*latest_first(log, fork.log)][::-1]
                if self.player.number in event.seers | event.counters
            ]
            wanted = self.told[at : min(at + len(events), end)]
            if len(wanted) < len(events) or not all(
                map(self._are_alike, repeat(store), events, wanted)
            ):
                return None
            at += len(events)
            if branch.phase != DONE:
                # Where the next one begins is not known before this one is done.
                return at - start
        return at - start if at == end else None

    def _are_alike(self, store: Store, event: Event, wanted: Plain) -> bool:
        if wanted["event"] != event.kind:
            return False
        if any(thing.kind in self.created for thing in things_in(event.data)):
            return True
        return noticed(self.program, store, self.player, (event,)) == [wanted]
