"""The game played once more, as far as a player noticed it: what he did not see comes another way.

    replays = Replays(program, store, player, answers)
    other = replays.play(drawn, generator)

From the first moment on, he answers what he answered, others what everybody heard them answer; the cards
go the way that was drawn (`mixing`). All else, secret choices and numbers that chance brought, is chosen
at random, and taken back at the first difference that he notices: then it is tried anew from where he
noticed something last, later from further back. So hidden numbers are what they may be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import islice

import attrs

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.whole_selections import answer_selection, answer_split
from rulewright.interpreter.ir.answers_aloud import heard
from rulewright.interpreter.knowledge.asked import asked as asked_of
from rulewright.interpreter.knowledge.information_state import (
    Answer,
    information_state,
    known_answers,
    noticed,
)
from rulewright.interpreter.knowledge.joins import Others, joins_of
from rulewright.interpreter.knowledge.mixing import Drawn
from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.knowledge.renaming import Renaming, things_in
from rulewright.interpreter.knowledge.sight import tracked_kinds
from rulewright.interpreter.lookahead.lookahead import alive, pick_random
from rulewright.interpreter.program.branches import deciding, seen_by, settle, turn_to
from rulewright.interpreter.program.decisions import current, options, pending, told
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.state.errors import IllegalActionError, PlayError
from rulewright.interpreter.state.layout import DECISIONS, RANDOM, SCALARS
from rulewright.interpreter.state.log import Event, latest_first, length
from rulewright.interpreter.state.random import MASK, Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_TRIES = 100
"""So often is it tried from one moment on; then from an earlier one."""

FEWEST_TRIES = 16
"""At first not so often; twice as often whenever it is begun anew, and then again."""

MOST_REPEATED = 15
"""So many tries in a row that come to what has been tried from there are enough, too."""

MOST_STEPS = 4000
"""So many answers and outcomes of chance are tried for one state."""

AHEAD = 12
"""So many events ahead it is looked where the cards go."""


@attrs.define
class _Run:
    """A game that is being played once more."""

    store: Store
    noticed: int = 0
    """How much of what the player noticed has happened."""

    events: int = 0
    """How many events have been looked at."""

    given: dict[int, int] = attrs.field(factory=dict)
    """How many of the known answers each player has given."""

    answers: tuple[Answer, ...] = ()
    dealt: frozenset[int] = frozenset()
    """Which events with cards have come."""

    beside: int = 0
    """How much he will have noticed of what others do at once with him."""

    joined: int = 0
    """How many blocks in which several acted at once are over."""

    tries: int = 0
    repeated: int = 0
    failed: set[tuple[Value, ...]] = attrs.field(factory=set)
    """What others have answered and chance has brought from here on, where it did not lead here."""

    def copy(self) -> _Run:
        """Return a run that goes on from here."""
        return attrs.evolve(
            self,
            store=self.store.clone(),
            given=self.given.copy(),
            tries=0,
            repeated=0,
            failed=set(),
        )


class Replays:
    """Plays one game once more, as often as is needed."""

    def __init__(
        self,
        program: Program,
        store: Store,
        player: Thing,
        answers: Iterable[Answer],
        question: object = None,
    ) -> None:
        """`question` is what the player is asked, if more hangs on it than what he sees."""
        self.question = question
        answers = tuple(answers)
        self.program = program
        self.player = player
        self.kinds = frozenset(tracked_kinds(program.layout))
        self.store = store
        self.here = here = seen_by(store, player)
        events = list(here.events())
        self.known: dict[int, list[Answer]] = {}
        for answer in known_answers(program, player, answers):
            if answer.player is not None:
                self.known.setdefault(answer.player, []).append(answer)
        common = events if store.fork is None else events[: length(store.fork.log)]
        self.told = noticed(program, here, player, common)
        self.places = [
            number
            for number, event in enumerate(common)
            if player.number in event.seers or player.number in event.counters
        ]
        self.guides = [
            number
            for number, event in enumerate(events)
            if self._guides(event) or player.number in event.seers | event.counters
        ]
        """The events that say how cards go, or that he has noticed: what others have written in secret says
        nothing."""

        self.joins = sum(event.kind == "join" for event in common)
        self.before = {
            (who, number): bisect_left(self.places, answer.events)
            for who, said in self.known.items()
            for number, answer in enumerate(said)
        }
        """How much he had noticed when a known answer was given; not in a block in which several act at once."""

        self.others = Others(program, player, self.told, joins_of(common, player))
        self.information = information_state(program, here, player, answers)
        self.observation = observation(program, here, player)

    def _guides(self, event: Event) -> bool:
        match event.kind, event.data:
            case "chance", (_, Thing() as card):
                return card.kind in self.kinds
        return event.kind in ("move", "create", "destroy", "swap")

    def play(
        self, drawn: Drawn, events: Sequence[Event], generator: Generator
    ) -> tuple[Store, tuple[Answer, ...]] | None:
        """Return a state to which a game can come in which the cards go as they were drawn (`events` are
        those of that game), and the answers of it that are known; None if none was found."""
        program = self.program
        replay = _Replay(self, drawn, events, generator)
        store = executor.begin(program, generator.below(MASK))
        store.explicit_chance = True
        try:
            executor.advance(program, store)
            run = replay.search(_Run(store))
        except PlayError:
            return None
        finally:
            program.decision_cache = None
        if run is None:
            return None
        found = run.store
        if found.fork is not None:
            settle(found)
        found.explicit_chance, found.dictated = False, ()
        found.given = found.setback = None
        found.columns[SCALARS][DECISIONS] = 0
        found.columns[SCALARS][RANDOM] = generator.below(MASK)
        return found, run.answers

    def is_here(self, run: _Run) -> bool:
        """Return whether the player cannot tell a run from the real game."""
        program, store, player = self.program, run.store, self.player
        if run.noticed < len(self.told) or (store.fork is None) is not (self.store.fork is None):
            return False
        if any(run.given.get(who, 0) < len(said) for who, said in self.known.items()):
            return False
        program.decision_cache = None
        asked, really = pending(program, store), pending(program, self.store)
        if (asked is None) is not (really is None):
            return False
        if asked is not None and really is not None and store.fork is None:
            if asked.player is not really.player:
                return False
            if asked.player is player and asked.site != really.site:
                return False
        seen = seen_by(store, player)
        if self.question is not None and asked_of(program, seen, player) != self.question:
            return False
        return (
            observation(program, seen, player) == self.observation
            and information_state(program, seen, player, run.answers) == self.information
        )


class _Replay:
    """One game, played once more with cards that go one way."""

    def __init__(
        self, replays: Replays, drawn: Drawn, events: Sequence[Event], generator: Generator
    ) -> None:
        self.replays = replays
        self.program = replays.program
        self.player = replays.player
        self.drawn = drawn
        self.events = events
        self.generator = generator
        self.steps = 0
        self.chosen: list[Value] = []

    def search(self, start: _Run) -> _Run | None:
        """Return where the game comes to be as it is; None if that is not found."""
        first = self._look(start)
        if first is None:
            return None
        points = [start]
        furthest, back, most = 0, 1, FEWEST_TRIES
        while self.steps < MOST_STEPS:
            point = points[-1]
            if point.tries >= most or point.repeated >= MOST_REPEATED:
                # What is wrong may have been chosen long before it shows: ever further back.
                del points[max(1, len(points) - back) :]
                points[-1].tries = points[-1].repeated = 0
                back *= 2
                if len(points) == 1:
                    furthest, back = 0, 1
                    most = most * 2 if most < MOST_TRIES else FEWEST_TRIES
                continue
            point.tries += 1
            run = point.copy()
            if self.replays.is_here(run):
                return run
            self.chosen = []
            if self._goes_on(run, point.tries % 3 != 0):
                points.append(run)
                if run.noticed + run.beside > furthest:
                    furthest, back = run.noticed + run.beside, 1
            else:
                way = tuple(self.chosen)
                point.repeated = point.repeated + 1 if way in point.failed else 0
                point.failed.add(way)
        return None

    def _goes_on(self, run: _Run, guided: bool) -> bool:
        """Play until the player notices something, and return whether it is the same as it was; or until
        all is as it is."""
        while self.steps < MOST_STEPS:
            self.steps += 1
            try:
                if not self._step(run, guided):
                    return False
            except (PlayError, IllegalActionError, ValueError):
                return False
            more = self._look(run)
            if more is None:
                return False
            if more or self.replays.is_here(run):
                return True
        return False

    def _look(self, run: _Run) -> bool | None:
        """Return whether the player has noticed something; None if it is not the same as it was."""
        # What has happened in a fork is noticed when all are joined.
        log = run.store.log if run.store.fork is None else run.store.fork.log
        count = length(log)
        fresh: list[Event] = []
        for event in latest_first(log):
            if len(fresh) == count - run.events:
                break
            fresh.append(event)
        run.events = count
        replays = self.replays
        told = noticed(self.program, run.store, self.player, fresh[::-1])
        end = run.noticed + len(told)
        if replays.told[run.noticed : end] != told:
            return None
        run.noticed = end
        run.joined += sum(event.kind == "join" for event in fresh)
        if run.store.fork is None or self._is_now(run.store):
            run.beside = 0
            return bool(told)
        beside = replays.others.noticed(run.store, run.joined, end)
        if beside is None:
            return None
        more, run.beside = beside > run.beside, beside
        return bool(told) or more

    # ----------------------------------------------------------------------------------- one step

    def _step(self, run: _Run, guided: bool) -> bool:
        """Answer, or let chance come; return whether that was possible."""
        program, store = self.program, run.store
        program.decision_cache = None
        asked = pending(program, store)
        if asked is None:
            outcomes = executor.chance_outcomes(program, store)
            if not outcomes:
                return False
            outcome = self._outcome(run, outcomes)
            self.chosen.append(outcome)
            executor.answer_chance(program, store, outcome)
            return True
        who = asked.player
        if store.fork is not None and self._is_now(store):
            # What others do at this moment has not happened yet.
            if self.player not in deciding(store):
                return False
            turn_to(store, self.player)
            who = self.player
            asked = pending(program, store)
            assert asked is not None, "nothing is asked"
        known = self._next(run, who)
        if known is not None and known.site == asked.site:
            number = run.given.get(who.number, 0)
            if store.fork is None and run.noticed != self.replays.before[who.number, number]:
                return False
            return self._repeat(run, known)
        if who is self.player:
            return False
        value = self._free(run, who, guided)
        self.chosen.append(value)
        if heard(program.game, asked.site, value):
            return False
        executor.answer(program, store, value, trusted=True)
        return True

    def _is_now(self, store: Store) -> bool:
        replays = self.replays
        if replays.store.fork is None:
            return False
        assert store.fork is not None, "nobody acts at once"
        joins = sum(event.kind == "join" for event in latest_first(store.fork.log))
        return joins == replays.joins

    def _next(self, run: _Run, who: Thing) -> Answer | None:
        said = self.replays.known.get(who.number, ())
        number = run.given.get(who.number, 0)
        return said[number] if number < len(said) else None

    def _repeat(self, run: _Run, known: Answer) -> bool:
        """Let somebody answer what he has answered."""
        program, store = self.program, run.store
        assert known.player is not None, "chance has no seat"
        run.given[known.player] = run.given.get(known.player, 0) + 1
        run.answers = (*run.answers, attrs.evolve(known, events=store.count_events()))
        value = self._then(known)
        if known.whole:
            if current(program, store).question.kind == "split":
                answer_split(program, store, value)
            else:
                answer_selection(program, store, value)
            return True
        asked = current(program, store)
        if value not in asked.options and not isinstance(asked.options, range):
            alike = [one for one in asked.options if told(program, store, one) == known.label]
            value = alike[0] if alike else value
        if not alive(program, store, value):
            return False
        executor.answer(program, store, value, trusted=True)
        return True

    def _then(self, known: Answer) -> Value:
        """Return an answer with the things that they were when it was given."""
        if not things_in(known.value):
            return known.value
        now: dict[Thing, Thing] = {}
        for number, step in self.drawn.steps:
            if number > known.events:
                break
            now.update(step)
        return Renaming(self.program.layout, now).value(known.value)

    # ------------------------------------------------------------------------------ what is not known

    def _coming(self, run: _Run, who: Thing | None = None) -> Sequence[tuple[int, Event]]:
        """Return the next events of the game in which the cards go as they were drawn; only what somebody
        does if he is given."""
        places = self.replays.places
        first = places[run.noticed - 1] + 1 if run.noticed else 0
        guides = self.replays.guides
        at = bisect_left(guides, first)
        coming = (
            (number, self.events[number])
            for number in islice(guides, at, None)
            if number not in run.dealt
        )
        if who is not None:
            coming = ((number, event) for number, event in coming if event.actor in (who, None))
        return list(islice(coming, AHEAD))

    def _outcome(self, run: _Run, outcomes: Sequence[Value]) -> Value:
        """Return what chance brings: the card that was drawn, and what the player has seen."""
        frame = run.store.frames[-1]
        drawn = frame.locals.get(f"#{frame.node}", ())
        for number, event in self._coming(run):
            if event.kind != "chance":
                continue
            _, value = event.data
            seen = self.player.number in event.seers
            last = True
            if seen and isinstance(value, tuple):
                # Several come one after the other.
                if len(drawn) >= len(value) or value[: len(drawn)] != drawn:
                    continue
                last = len(drawn) + 1 == len(value)
                value = value[len(drawn)]
            if (seen or self._is_card(value)) and value in outcomes:
                if seen and not drawn and self.generator.below(2):
                    # Perhaps another one comes first, of which he did not know.
                    break
                if last:
                    run.dealt |= {number}
                return value
        return self.generator.pick(outcomes)

    def _is_card(self, value: Value) -> bool:
        return isinstance(value, Thing) and value.kind in self.replays.kinds

    def _free(self, run: _Run, who: Thing, guided: bool) -> Value:
        """Return what somebody else answers of which the player has not heard."""
        program, store = self.program, run.store
        found = options(program, store)
        if guided and not isinstance(found, range) and any(map(self._is_card, found)):
            picked = current(program, store).picked
            for _, event in self._coming(run, who):
                if event.kind not in ("move", "show", "destroy", "set", "add", "begin"):
                    continue
                things = things_in(event.data)
                for value in things:
                    if value in found and alive(program, store, value):
                        return value
                if any(thing in picked for thing in things):
                    break
            if DONE in found and alive(program, store, DONE):
                return DONE
        return pick_random(program, store, self.generator)
