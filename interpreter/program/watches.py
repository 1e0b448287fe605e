"""Watched conditions: `as soon as c` runs its block when c goes from false to true.

The store keeps for each condition (with `me` for each player) whether it was true at the last look.
A `watch` node looks again at the conditions that the step before it may have changed; what has
become true waits in the locals of the frame and is run, one block after the other, if it is still
true when its turn comes. Then everything is looked at again, until nothing is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import watch_unit
from rulewright.interpreter.ir.machine import SWITCH, Op, Run
from rulewright.interpreter.program.calls import enter
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import AWAKE, DECISIONS, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

MOST_ROUNDS = 100

Fired = tuple[int, Thing | None]
"""The number of a watch and the player about whom it is."""


@attrs.frozen(eq=False)
class WatchedCondition:
    """A condition with its code and the column of its flags."""

    watch: model.Watch
    code: Code
    slot: int


class Watches:
    """Looks at the watched conditions of one loaded game."""

    def __init__(self, evaluator: Evaluator) -> None:
        layout = evaluator.layout
        self.players = layout.players
        self.all = tuple(
            WatchedCondition(
                watch, evaluator.expression(watch.condition), layout.watch_slots[watch.id]
            )
            for watch in evaluator.game.watches
        )
        self.numbers = {watched.watch.id: number for number, watched in enumerate(self.all)}

    def set_flags(self, store: Store) -> None:
        """Note what is true now; nothing fires."""
        store.write(SCALARS, AWAKE, True)
        viewer, store.viewer = store.viewer, None
        try:
            self.look(store, None, range(len(self.all)))
        finally:
            store.viewer = viewer

    def look(self, store: Store, me: Thing | None, numbers: Iterable[int]) -> tuple[Fired, ...]:
        """Note what is true now; return what has become true, players in seat order from `me`."""
        found = []
        for number in numbers:
            watched = self.all[number]
            players: Sequence[Thing | None] = (
                self.in_order(me) if watched.watch.needs_me else (None,)
            )
            for player in players:
                index = 0 if player is None else player.number
                truth = bool(watched.code(store, player, {}))
                if truth is not store.columns[watched.slot][index]:
                    found.append((number, player, watched.slot, index, truth))
        # Only now: a condition may meet undecided cards, and then all is looked at once more.
        for _, _, slot, index, truth in found:
            store.write(slot, index, truth)
        return tuple((number, player) for number, player, _, _, truth in found if truth)

    def in_order(self, me: Thing | None) -> Sequence[Thing]:
        """Return the seats, beginning with the acting player if he has one."""
        if me not in self.players:
            return self.players
        first = self.players.index(me)
        return self.players[first:] + self.players[:first]

    def watch(self, op: Op, ids: Sequence[str]) -> Run:
        """Return the handler of a `watch` node."""
        affected = tuple(self.numbers[id] for id in ids)
        everything = range(len(self.all))
        key, node, following = f"#{op.node}", op.node, op.edges["next"]

        def run(store: Store, frame: Frame) -> int:
            state = frame.locals.get(key)
            scalars = store.columns[SCALARS]
            decisions = scalars[DECISIONS]
            if state is None:
                if not scalars[AWAKE]:
                    return following
                waiting, rounds = self.look(store, frame.me, affected), 0
                if not waiting:
                    return following
            else:
                waiting, rounds, counted = state
                if counted != decisions:
                    rounds = 0
            while waiting:
                number, player = waiting[0]
                waiting = waiting[1:]
                watched = self.all[number]
                if watched.code(store, player, {}):
                    frame.locals[key] = (waiting, rounds, decisions)
                    frame.node = node
                    enter(store, Frame(watch_unit(watched.watch), 0, {}, player), op)
                    return SWITCH
                if not waiting:
                    break
            waiting = self.look(store, frame.me, everything)
            if not waiting:
                frame.locals.pop(key, None)
                return following
            if rounds >= MOST_ROUNDS:
                watch = self.all[waiting[0][0]].watch
                raise PlayError("RW714", watch.span, name=watch.condition.span.text)
            frame.locals[key] = (waiting, rounds + 1, decisions)
            return node

        return run

    def sleep(self, op: Op) -> Run:
        """Return the handler at the beginning of `set_up`."""
        following = op.edges["next"]

        def run(store: Store, frame: Frame) -> int:
            store.write(SCALARS, AWAKE, False)
            return following

        return run

    def wake(self, op: Op) -> Run:
        """Return the handler at the end of `set_up`."""
        following = op.edges["next"]

        def run(store: Store, frame: Frame) -> int:
            self.set_flags(store)
            return following

        return run
