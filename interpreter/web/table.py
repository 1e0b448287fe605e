"""One table: its state, who sits there, and what was done, all of which is in the file before anybody sees it.

What was done is a list that only grows (`Done`): answers of people and agents, and steps back with all that is
said about them. A table is what comes of it, in the order in which it stands there. So after a kill it is as
it was: questions, links, numbers of questions, and what can be taken back.

| kind | what a seat has done | given |
| --- | --- | --- |
| `answer` | a person has answered | the answer, in the words of the rules |
| `agent` | an agent has | the same, and where its generator stands then |
| `brought` | it was answered before the game came here | the answer |
| `undo` | a person has taken back the last answer | |
| `ask` | a person asks those who have answered since whether it may be taken back | |
| `agree`, `refuse` | one of them says yes or no; when all have agreed it is taken back | |
| `opened` | somebody (no seat) has saved the ended game with all its secrets: nothing is taken back any more | |
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any

import attrs

from rulewright.dsl.analysis.meaning import definitions, digest_of
from rulewright.interpreter.agents.agent import Agent, generators, go_on_from
from rulewright.interpreter.agents.specs import RANDOM, make_agents
from rulewright.interpreter.bridges.extent import has_chance
from rulewright.interpreter.play import record as saves
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.replay import AnswerGiver
from rulewright.interpreter.play.save_format import (
    FORMAT,
    SavedAnswer,
    saved_answer,
    saved_event,
    unplaced,
)
from rulewright.interpreter.program.encoding import ValueCodec
from rulewright.interpreter.state.errors import (
    IllegalActionError,
    InvalidActionError,
    PlayError,
    RecordError,
)
from rulewright.interpreter.state.log import latest_first
from rulewright.interpreter.tableau.answers import (
    Accepted,
    Given,
    Mistake,
    play_record,
    read_answer,
)
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.terminal.session import AnsweredQuestion, ReturnPoint, TableSession
from rulewright.interpreter.web.storage import WATCHER, Done, Pack, SeatRow, Storage, TableRow

ANSWERS = ("answer", "agent", "brought")
PACKED_EVERY = 50
"""So much is done between two packs."""


class OtherRulesError(Exception):
    """What was done at a table cannot be done under the rules of today, or something else comes of it."""

    def __init__(self, done: int, whole: int) -> None:
        self.done = done
        """How much of it can be done again."""

        self.whole = whole
        super().__init__(f"{done} of {whole}")


class _TooEarly(Exception):
    """It needs what was before the pack."""


@attrs.frozen
class Asked:
    """Somebody asks whether an answer may be taken back."""

    seat: int
    others: tuple[int, ...]
    """Who has not said anything about it yet."""


@attrs.frozen
class Thought:
    """What an agent has decided."""

    n: int
    """After how much that was done it was asked."""

    seat: int
    answer: SavedAnswer

    place: int | None
    """Where its generator stands by now."""


class Table:
    """A table, as the process has it to which it belongs."""

    def __init__(
        self, row: TableRow, seats: Sequence[SeatRow], game: Game, storage: Storage
    ) -> None:
        self.row = row
        self.game = game
        self.storage = storage
        self.codec = ValueCodec(game.program.layout)
        self.giver = AnswerGiver(game, FORMAT)
        self.named = {one.seat: one.agent for one in seats if one.agent is not None}
        """The names of the agents, by seats."""

        self.session = TableSession(game.new_initial_state(row.seed), self._agents())
        go_on_from(self.session.agents, row.places)
        self.n = 0
        """How much has been done."""

        self.since_pack = 0
        self.earlier: frozenset[int] = frozenset()
        """The seats that have answered something before the pack from which this goes on."""

        self.handles = {seat: Handles() for seat in (WATCHER, *range(game.num_players))}
        self.asked: Asked | None = None
        self.notices: dict[int, tuple[str, int]] = {}
        """What a seat has not seen yet of what others did with the table: `undo`, `refuse`, and who."""

        self.stamps = 0
        """How often something was said about steps back, which is no part of the game."""

        self.is_open = False
        """Whether somebody may know all secrets: he has saved the game after its end."""

        self._count()

    def _agents(self) -> dict[int, Agent]:
        seats = range(len(self.row.setup.names))
        made = make_agents([self.named.get(seat, RANDOM) for seat in seats], self.row.seed)
        return {seat: agent for seat, agent in enumerate(made) if seat in self.named}

    @property
    def state(self) -> State:
        """The state now."""
        return self.session.state

    @property
    def people(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        return self.session.people

    # ------------------------------------------------------------------------------------- beginning

    @classmethod
    def opened(cls, row: TableRow, game: Game, storage: Storage, whole: bool = False) -> Table:
        """Return a table as it lies in the file. `whole`: played from its beginning.

        Raises `OtherRulesError` if it does not go as it went, `PlayError` if its rules go wrong at the
        beginning.
        """
        count = len(storage.done(row.id))
        if digest_of(game.model) != row.digest:
            raise OtherRulesError(cls._tried(row, game, storage), count)
        seats = storage.seats(row.id)
        pack = None if whole else storage.pack(row.id)
        if pack is not None:
            table = cls(row, seats, game, storage)
            # A pack of another version, or a step back over it: everything is played once more.
            with suppress(
                RecordError, _TooEarly, InvalidActionError, IllegalActionError, PlayError
            ):
                table._unpack(pack)
                table._redo(storage.done(row.id, pack.n))
                return table
        table = cls(row, seats, game, storage)
        table._redo(storage.done(row.id))
        return table

    @classmethod
    def _tried(cls, row: TableRow, game: Game, storage: Storage) -> int:
        """Return how much of what was done can be done under other rules, and comes to the same."""
        try:
            table = cls(row, storage.seats(row.id), game, storage)
            table._redo(storage.done(row.id))
        except OtherRulesError as other:
            return other.done
        except PlayError:
            return 0
        return table.n

    @classmethod
    def brought(cls, row: TableRow, game: Game, state: State) -> tuple[Done, ...]:
        """Return what was done in a game before it came here."""
        begun = game.new_initial_state(row.seed)
        giver, found = AnswerGiver(game, FORMAT), []
        for n, answer in enumerate(state.history()):
            assert answer.player is not None, "nobody has said what chance brings"
            told = saved_answer(answer, giver.codec)
            after = giver.given(begun, told)
            given = {"answer": attrs.asdict(told), "sum": happened(begun, after, giver.codec)}
            found.append(Done(n, "brought", answer.player, given))
            begun = after
        return tuple(found)

    def _redo(self, done: Sequence[Done]) -> None:
        for place, one in enumerate(done):
            try:
                same = self._play(one)
            except _TooEarly:
                raise
            except (
                IllegalActionError,
                InvalidActionError,
                PlayError,
                RecordError,
                ValueError,
                LookupError,
            ):
                same = False
            if not same:
                raise OtherRulesError(self.n, self.n + len(done) - place)
            self._done(one)

    def _unpack(self, pack: Pack) -> None:
        self.session.continue_with(self.game.unpack(pack.bytes))
        beside = pack.beside
        go_on_from(self.session.agents, {int(k): v for k, v in beside["places"].items()})
        self.handles = {int(k): Handles(**v) for k, v in beside["handles"].items()}
        self.notices = {int(k): (v[0], v[1]) for k, v in beside["notices"].items()}
        self.stamps = beside["stamps"]
        self.earlier = frozenset(beside["answered"])
        self.asked = None
        self.n = pack.n

    def _packed(self) -> Pack | None:
        """Return the state as it is stored now and then; None if it is not the time for that."""
        state = self.state
        if (
            self.since_pack < PACKED_EVERY
            or state.store.fork is not None
            or self.asked
            or state.setback
        ):
            return None
        beside = {
            "places": generators(self.session.agents),
            "handles": {seat: attrs.asdict(one) for seat, one in self.handles.items()},
            "notices": self.notices,
            "stamps": self.stamps,
            "answered": sorted({one.seat for one in self.session.answered} | self.earlier),
        }
        return Pack(self.n, state.pack(log=True), json.loads(json.dumps(beside)))

    # ------------------------------------------------------------------------------------- answering

    def answer(self, seat: int, given: Given, spoken: Game | None = None) -> Mistake | None:
        """Take in the answer of a person; return what is wrong with it, None if nothing is.

        Raises `PlayError` where the rules go wrong, and `TakenError`: then nothing has happened.
        """
        found = read_answer(self.state, seat, given, self.handles[seat], spoken)
        if isinstance(found, Mistake):
            return found
        told = self._told(found)
        self._write(Done(self.n, "answer", seat, told), found.after)
        return None

    def _told(self, found: Accepted) -> dict[str, Any]:
        """Return an answer as it is written down."""
        before, after = self.state.history(), found.after.history()
        if len(after) != len(before) + 1:
            # It led to a dead end and was taken back.
            return {"record": dict(found.record)}
        return {"answer": attrs.asdict(saved_answer(after[-1], self.codec))}

    def think(self, thought: Thought) -> bool:
        """Take in the answer of an agent; return whether it came in time."""
        seat = thought.seat
        if (
            thought.n != self.n
            or seat not in self.session.agents
            or seat not in self.state.current_players()
        ):
            return False
        after = self.giver.given(self.state, thought.answer)
        told = {"answer": attrs.asdict(thought.answer), "place": thought.place}
        self._write(Done(self.n, "agent", seat, told), after)
        return True

    def take_back(self, seat: int) -> str:
        """Take back the last answer of a person; return what has come of it: `undone`, `asked` (others
        have to agree), `nothing` (there is none), or `learned` (somebody has learned something)."""
        if self.is_open:
            return "learned"
        self._need_past(seat)
        if self.session.last_way(seat) is None:
            return "nothing" if self.state.store.fork is None else "learned"
        way = self.session.way_back(seat)
        if way is None:
            return "learned"
        kind = "ask" if way.others else "undo"
        self._write(Done(self.n, kind, seat, {}))
        return "asked" if way.others else "undone"

    def agree(self, seat: int, agrees: bool) -> None:
        """Let a person say whether an answer of somebody else may be taken back."""
        if self.asked is None or seat not in self.asked.others:
            return
        if agrees and len(self.asked.others) == 1:
            self._need_past(self.asked.seat)
        self._write(Done(self.n, "agree" if agrees else "refuse", seat, {}))

    def open_up(self) -> None:
        """Note that somebody is given all secrets of a game that is over, if it has any."""
        if not self.is_open and (self.session.hides or has_chance(self.game.model)):
            self._write(Done(self.n, "opened", WATCHER, {}))

    def can_take_back(self, seat: int) -> bool:
        """Return whether a person has answered something that can perhaps be taken back."""
        if self.is_open:
            return False
        answered = any(one.seat == seat for one in self.session.answered)
        if self.state.store.fork is not None:
            return answered and self.state.can_undo(seat)
        return answered or seat in self.earlier

    def _need_past(self, seat: int) -> None:
        """Have at hand what a seat has answered, also before the last pack."""
        if self.session.last_way(seat) is None and self.can_take_back(seat):
            whole = Table.opened(self.row, self.game, self.storage, whole=True)
            self.session, self.earlier = whole.session, frozenset()

    def _write(self, one: Done, after: State | None = None) -> None:
        """Write down what is done, and then do it."""
        if after is not None:
            one = attrs.evolve(one, given={**one.given, "sum": self._sum(after)})
        ended = one.kind == "opened" or (after is not None and after.is_terminal())
        pack = self._packed()
        self.storage.write(self.row.id, [one], pack, ended)
        self.since_pack = self.since_pack if pack is None else 0
        self._play(one, after)
        self._done(one)

    def _done(self, one: Done) -> None:
        self.n = one.n + 1
        self.since_pack += 1
        self._count()

    def _count(self) -> None:
        for seat, handles in self.handles.items():
            notice(self.state, None if seat == WATCHER else seat, handles)

    # ------------------------------------------------------------------------------------- playing

    def _play(self, one: Done, after: State | None = None) -> bool:
        """Let something happen that has been written down; return whether it is what happened then."""
        session, seat = self.session, one.seat
        if one.kind in ANSWERS:
            if after is None:
                after = self._after(one)
                if self._sum(after) != one.given["sum"]:
                    return False
            if one.kind == "answer":
                question = AnsweredQuestion(seat, session.state, generators(session.agents))
                session.answered.append(question)
                self.notices.pop(seat, None)
            elif one.given.get("place") is not None:
                go_on_from(session.agents, {seat: one.given["place"]})
            session.given = session.state.history()
            session.state = after
            session.note_setback()
            self.stamps += self.asked is not None
            self.asked = None
        elif one.kind == "undo":
            self._go_back(seat)
        elif one.kind == "ask":
            self.asked = Asked(seat, self._way(seat).others)
            self.stamps += 1
        elif one.kind == "opened":
            self.is_open, self.asked = True, None
            self.stamps += 1
        elif self.asked is not None:
            self._hear(seat, one.kind == "agree")
        return True

    def _after(self, one: Done) -> State:
        if "record" in one.given:
            return play_record(self.state, one.seat, one.given["record"])
        return self.giver.given(self.state, SavedAnswer(**one.given["answer"]))

    def _hear(self, seat: int, agrees: bool) -> None:
        assert self.asked is not None, "somebody asks"
        asker, self.stamps = self.asked.seat, self.stamps + 1
        others = tuple(other for other in self.asked.others if other != seat)
        if not agrees:
            self.asked, self.notices[asker] = None, ("refuse", seat)
        elif others:
            self.asked = Asked(asker, others)
        else:
            self._go_back(asker)

    def _way(self, seat: int) -> ReturnPoint:
        way = self.session.last_way(seat)
        if way is None:
            raise _TooEarly
        return way

    def _go_back(self, seat: int) -> None:
        together = self.state.store.fork is not None
        self.session.go_back(self._way(seat))
        self.asked = None
        self.notices.pop(seat, None)
        if not together:
            # Of those who act at once nobody knows what the others do.
            self.stamps += 1
            for other in self.handles:
                if other != seat:
                    self.notices[other] = ("undo", seat)

    def _sum(self, after: State) -> str:
        return happened(self.state, after, self.codec)

    # ------------------------------------------------------------------------------------- for others

    def stamp(self, seat: int) -> str:
        """Return what changes when a seat gets to see something new, and at no other time."""
        return f"{self.handles[seat].n}.{self.stamps}"

    def due(self) -> int | None:
        """Return the seat of an agent that is asked; None if none is."""
        if self.state.is_terminal():
            return None
        return next((one for one in self.state.current_players() if one in self.named), None)

    def saved(self) -> str:
        """Return the table as a saved game, which tells all its secrets."""
        return saves.save(self.state, generators(self.session.agents))


def rules_of(game: Game) -> tuple[str, Mapping[str, str]]:
    """Return the digest of what the rules of a game mean, and those of its definitions."""
    return digest_of(game.model), {
        name: one.digest for name, one in definitions(game.model).items()
    }


def happened(before: State, after: State, codec: ValueCodec) -> str:
    """Return in a few letters what has happened from one state to another; while several act at once
    nothing is told before all are done."""
    store, begun = after.store, before.store
    if store.fork is not None or after.setback:
        return ""
    log = begun.log if begun.fork is None else begun.fork.log
    events = [*latest_first(store.log, log)][::-1]
    told = [attrs.astuple(saved_event(event, codec)) for event in events]
    return blake2b(json.dumps(unplaced(told), default=list).encode(), digest_size=8).hexdigest()
