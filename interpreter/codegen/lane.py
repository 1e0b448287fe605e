"""Play on generated code: the same games as with the walker, without its ceremony.

The lane goes from track to track (`tracks`). Where there is none, or a track cannot know, it goes the
way of the executor; and where the rules turn out to be wrong, the executor does it all once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.interpreter.codegen.emit_picks import NOTHING, drawn
from rulewright.interpreter.codegen.emit_probes import Probe, Probes
from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.codegen.sites import Site, Sites
from rulewright.interpreter.codegen.tracks import Step, Tracks
from rulewright.interpreter.codegen.writing_budget import WritingBudget
from rulewright.interpreter.engine.executor import advance, answer, passed_over, went_on
from rulewright.interpreter.engine.setbacks import decided
from rulewright.interpreter.ir.machine import DECIDE, LIMIT, OVER, RESTS, STEP_LIMIT, me_of, run
from rulewright.interpreter.lookahead.lookahead import pick_random, trial
from rulewright.interpreter.lookahead.safe_decisions import Key, certain_key, is_certain
from rulewright.interpreter.printing.emit import FAILED, SLOW, NotGenerated, Slow
from rulewright.interpreter.program.decisions import current, give, open_transaction
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.semantics.events import decide_cards
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import DECISIONS, OPENED, SCALARS
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value, VerbValue

MANY_STEPS = 50
"""So many steps are made before somebody looks how far it has come."""

MOST_IDLE = 5000
"""After so many steps without a decision the executor looks whether this ends."""


OFTEN = 20
NEVER = -1

NOBODY = Generator(0)
"""Who picks where nothing is picked."""


class Lane:
    """Plays random games on generated code, and runs it for the executor."""

    def __init__(self, program: Program, units: Units, budget: WritingBudget) -> None:
        self.program = program
        self.budget = budget
        self.sites = Sites(program, units)
        self.probes = Probes(units, self.sites)
        self.found: dict[tuple[Key, Value], tuple[Probe | None, str]] = {}
        """The probes of options in their contexts, as far as they are needed (None: there is none),
        and the names of what asks them."""

        self.visits: dict[tuple[str, int], int] = {}
        """How often tracks have ended at an operation; `NEVER` if none begins behind it."""

        self.given_up = 0
        """How many games the executor had to play."""

        self.certain: dict[Key, bool] = {}
        self.along = self._along_tracks
        """Goes from track to track; native code has its own way."""

        self.tracks = Tracks(self, units, self.sites, self.probes, budget)

    def play(
        self,
        store: Store,
        agents: Generator,
        limit: int,
        again: Callable[[], Store] | None = None,
    ) -> int:
        """Play on until the game is over or the limit is reached; return the decisions made.

        The generator is that of the players; each takes a possible answer, as `pick_random` does.
        `again` makes the same store once more; without it a copy is kept. No driver says what
        chance brings.
        """
        if again is None:
            again = store.clone().clone
        seed = agents.state
        try:
            return self.along(store, agents, limit)
        except (PlayError, Undecided, Horizon, RecursionError, *SLOW):
            # Something is wrong with the rules: the executor says what.
            self.given_up += 1
            restored(store, again())
            agents.state = seed
            return self.plainly(store, agents, limit)

    def _along_tracks(self, store: Store, agents: Generator, limit: int) -> int:
        scalars = store.columns[SCALARS]
        first = scalars[DECISIONS]
        idle = 0
        step: Step | None = None
        if store.frames:
            step = self.tracks.resume(store) if store.fork is None else self.rested(store)
        while step is not None:
            made = scalars[DECISIONS]
            steps = limit - (made - first)
            # A step makes one decision at most.
            if steps > MANY_STEPS:
                steps = MANY_STEPS
            elif steps < 1:
                if step in self.tracks.decisions:
                    break
                steps = 1
            for _ in range(steps):
                step = step(store, agents)
                if step is None:
                    return int(scalars[DECISIONS] - first)
            idle = 0 if scalars[DECISIONS] > made else idle + steps
            if idle > MOST_IDLE:
                raise Slow
        return int(scalars[DECISIONS] - first)

    def run(self, store: Store, limit: int) -> tuple[int, int]:
        """Run to the next decision, as `machine.run` does."""
        if self.program.op(store.frames[-1]).kind == "decide":
            return DECIDE, 1
        kept = store.clone()
        decisions = self.tracks.decisions
        step: Step | None = self.tracks.resume(store)
        try:
            for used in range(limit):
                if step is None:
                    return OVER, used
                if step in decisions:
                    return DECIDE, used
                if step == self.at_fork:
                    break
                step = step(store, NOBODY)
            else:
                raise Slow
        except (PlayError, Undecided, Horizon, NotGenerated, *SLOW):
            # Something is wrong with the rules: the walker says what.
            self.given_up += 1
            restored(store, kept)
        return run(self.program.runs, store, limit)

    def anywhere(self, store: Store, agents: Generator) -> Step | None:
        """Run to the next decision in the way of the executor."""
        program = self.program
        program.decision_cache = None
        store.allowance = TICKS_PER_STEP, None
        if not store.frames:
            return None
        try:
            signal = LIMIT
            place = store.frames[-1].unit, store.frames[-1].node
            if self.is_often(place):
                signal, _ = run(program.runs, store, 1)
                back = self.back_on_track(store) if signal == LIMIT else None
                if back is not None:
                    return back
                self.visits[place] = NEVER
            if signal == LIMIT:
                signal, _ = run(program.runs, store, STEP_LIMIT)
        except Undecided as met:
            decide_cards(store, store.frames[-1], met.slot, met.index, met.how_many)
            return self.tracks.resume(store)
        if signal == OVER:
            return None
        if signal == RESTS:
            return self.rested(store)
        if signal != DECIDE:
            raise Slow
        if store.fork is not None and not store.fork.begun:
            advance(program, store)
            return self.rested(store)
        me = me_of(store.frames[-1])
        if program.layout.is_neutral(me):
            return self.by_chance
        open_transaction(program, store, me)
        return self.tracks.at(store)

    def is_often(self, place: tuple[str, int]) -> bool:
        """Return whether tracks have ended often at an operation, and one may begin behind it."""
        visits = self.visits.get(place, 0)
        if 0 <= visits < OFTEN:
            self.visits[place] = visits + 1
        return visits == OFTEN

    def back_on_track(self, store: Store) -> Step | None:
        """Return the track that begins where a store stands, if there is one."""
        if store.fork is not None and not store.fork.begun:
            return None
        step = self.tracks.resume(store)
        return None if step == self.anywhere else step

    def at_fork(self, store: Store, agents: Generator) -> Step | None:
        """Begin, change or join the branches of players who act at once."""
        program = self.program
        program.decision_cache = None
        store.allowance = TICKS_PER_STEP, None
        signal, _ = run(program.runs, store, 1)
        if signal == LIMIT and (store.fork is None or store.fork.begun):
            return self.tracks.resume(store)
        if signal == LIMIT:
            # The executor goes with each to his first decision.
            advance(program, store)
        elif signal == OVER:
            return None
        elif signal != RESTS:
            raise Slow
        return self.rested(store)

    def by_chance(self, store: Store, agents: Generator) -> Step:
        """Let chance decide for a player without a seat, in the way of the executor."""
        self.program.decision_cache = None
        try:
            passed_over(self.program, store)
        except Undecided as met:
            decide_cards(store, store.frames[-1], met.slot, met.index, met.how_many)
        self.program.decision_cache = None
        return self.anywhere

    def rested(self, store: Store) -> Step | None:
        """Return what goes on from a decision to which the executor has come."""
        return self.tracks.at(store) if store.frames else None

    def plainly(self, store: Store, agents: Generator, limit: int) -> int:
        """Do what `play` does in the way of the executor, up to the error that it finds."""
        program = self.program
        advance(program, store)
        first, given = decided(store), 0
        while given < limit and store.frames:
            answer(program, store, pick_random(program, store, agents), trusted=True)
            given += 1
        # What was taken back is no decision.
        return decided(store) - first

    def is_certain(self, store: Store, site: Site, key: Key) -> bool:
        """Return whether nothing can fail after any answer."""
        found = self.certain.get(key)
        if found is None:
            found = self.certain[key] = is_certain(self.program, store, site.question)
        return found

    def picks(
        self, store: Store, frame: Frame, site: Site, asked: Sequence[Any], agents: Generator
    ) -> tuple[tuple[Value, ...], bool, bool] | None:
        """Do the same as `pick`; where that is not possible nothing has been drawn."""
        state = agents.state
        found = None
        with contextlib.suppress(*SLOW):
            found = self.pick(store, frame, site, asked, agents)
        if found is None:
            agents.state = state
        return found

    def pick(
        self, store: Store, frame: Frame, site: Site, asked: Sequence[Any], agents: Generator
    ) -> tuple[tuple[Value, ...], bool, bool] | None:
        """Return what will be picked then, whether that is all, and whether it was a decision."""
        items, low, high = asked
        picked = frame.locals.get(site.question.partial, ())
        options = site.pieces(store, frame, asked, picked)
        if store.transaction is None:
            # What is read here ends the transaction, and so it will after the answer.
            return None
        if not options:
            complete = not picked and low <= 0 <= high and site.meets(store, frame, ())
            return ((), True, False) if complete else None
        key = certain_key(store)
        if self.is_certain(store, site, key):
            value = options[agents.below(len(options))]
        else:
            value = drawn(store, frame, agents, options, self.growing(site, key, asked))
        if value is NOTHING:
            return None
        if value is not DONE:
            picked = (*picked, value)
            # As far as numbers go, every piece can be completed.
            if len(picked) < low or site.pieces(store, frame, asked, picked):
                return picked, False, True
        whole = site.picks.whole(frame, items, picked)
        return (whole, True, True) if site.meets(store, frame, whole) else None

    def growing(self, site: Site, key: Key, asked: Sequence[Any]) -> Probe:
        """Return what says whether a piece of a selection can grow into one that lives."""
        probe, _ = self.probe(key, None)
        self.program.decision_cache = None

        def grows(store: Store, frame: Frame, value: Value) -> bool:
            given = site.grown(store, frame, asked, value)
            if probe is None or given is None:
                # What the walker knows about one piece helps it with the next one.
                return trial(self.program, store, value)
            return self.tried(probe, store, frame, given, value)

        return grows

    def lives(self, store: Store, asked: OpenQuestion, value: Value) -> bool | None:
        """Return whether an option of the pending decision lives; None if there is no probe (yet)."""
        frame = store.frames[-1]
        question = asked.question
        which = None if question.kind in ("one", "several") else value
        if question.kind == "split" or type(value) is Taken:
            return None
        if type(value) is VerbValue:
            if value.arguments:
                # There may be many of them.
                return None
            which = value
        group = asked.group(value)
        if len(group) > 1 and self.program.alike.differ(store, group):
            # Chance will take one of them.
            return True
        key = certain_key(store)
        if (key, which) not in self.found:
            if not self.budget.has_room():
                return None
            plain = (which.name, which.verbs) if isinstance(which, VerbValue) else which
            self.tracks.history.append(("probe", *key, plain))
        probe, site = self.prepared(key, which)
        given: Any = value
        if site is not None:
            if not site.known:
                return None
            given = site.grown(store, frame, (asked.items, asked.low, asked.high), value)
        if probe is None or given is None:
            return None
        cache = self.program.decision_cache
        found = self.tried(probe, store, frame, given, value)
        asked_again = self.program.decision_cache
        if cache is not None and asked_again is not None and asked_again is not cache:
            cache.unproved |= asked_again.unproved
        self.program.decision_cache = cache
        return found

    def prepared(self, key: Key, value: Value) -> tuple[Probe | None, Site | None]:
        """Return the probe of an option (None: there is none), and of a decision about several
        things how its pieces are picked."""
        probe, _ = self.probe(key, value)
        unit, node = key[1][-1]
        if self.program.code[unit][node].question.kind != "several":
            return probe, None
        try:
            return probe, self.sites.of(unit, node)
        except NotGenerated:
            return None, None

    def probe(self, key: Key, value: Value) -> tuple[Probe | None, str]:
        """Return the probe of an option, and the name of what says whether the option lives: a
        function of the store, the frame on top and the option."""
        place = key, value
        if place not in self.found:
            with self.budget.writing():
                probe = self.probes.of(key, value)
            name = "carried"
            if probe is not None:
                name = probe.__name__
                if self.probes.touches:
                    name = self.probes.names.helper("tried", self._asking(name))
            self.found[place] = probe, name
        return self.found[place]

    def _asking(self, probe: str) -> Probe:
        space = self.probes.names.space

        def asked(store: Store, frame: Frame, value: Value) -> bool:
            # The name may stand for a native function by now.
            return self.tried(space[probe], store, frame, value)

        return asked

    def tried(
        self, probe: Probe, store: Store, frame: Frame, given: Any, value: Value = NOTHING
    ) -> bool:
        """Return whether an option lives, by a probe whose writes are taken back; `value` is the
        option if the probe is given something else."""
        trail: list[Any] = []
        store.trail = trail
        kept, depth = (store.viewer, store.allowance), len(store.frames)
        store.paid = None
        try:
            return probe(store, frame, given)
        except (Horizon, Undecided):
            return True
        except FAILED:
            pass
        finally:
            del store.frames[depth:]
            if trail:
                store.undo_to(0)
            store.trail = None
            store.viewer, store.allowance = kept
        return self.carried(store, frame, given if value is NOTHING else value)

    def carried(self, store: Store, frame: Frame, value: Value) -> bool:
        """Return whether an option can be carried on, as the executor finds it out."""
        self.program.decision_cache = None
        # A probe has written nothing when it asks this. What may be answered is asked outside of any
        # trial, since there it ends at what the player does not see.
        kept, store.trail = store.trail, None
        try:
            return trial(self.program, store, value)
        finally:
            store.trail = kept

    def slowly(self, store: Store, agents: Generator) -> Step:
        """Answer the pending decision in the way of the executor."""
        program = self.program
        program.decision_cache = None
        if not passed_over(program, store):
            value = pick_random(program, store, agents)
            asked = current(program, store)
            store.columns[SCALARS][DECISIONS] += 1
            if program.offers:
                store.columns[SCALARS][OPENED] = False
            program.decision_cache = None
            went_on(program, store, give(program, store, asked, store.frames[-1], value))
        return self.anywhere


def restored(store: Store, before: Store) -> None:
    """Make a store what another one is, which is not used any more."""
    for name in Store.__slots__:
        setattr(store, name, getattr(before, name))
