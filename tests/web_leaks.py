"""All that a seat of a web table is sent, and what must not be in it.

Things get names that are found nowhere else (`marked`). Which of them a seat has come to see is worked out from the
declarations and the events (`laws/worlds.py`), not by the modules that make the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import attrs
from playing import Rules, loaded_anew, player_counts
from worlds import has_secrets, hidden, told

from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.tableau.answers import Given
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.web.exchange import Request
from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.storage import WATCHER, Setup, Storage, TableRow, located
from rulewright.interpreter.web.table import Table, rules_of
from rulewright.interpreter.web.table_worker import TableWorker
from rulewright.interpreter.web.tokens import hashed

SEED = 918273645546372819
ID = "AAAAbbbb"
TRIES = 50
SHOWN = (("page", False), ("view", True), ("log", False), ("log", True), ("record", False))
"""What a seat may open at any time, as a page or as data."""

MOST_WHYS = 3


@attrs.frozen
class Watched:
    """A table in this process, and what sends its pages."""

    worker: TableWorker
    table: Table
    tokens: Mapping[int, str]

    @property
    def program(self) -> Program:
        """The loaded game."""
        return self.table.game.program

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats, and that of watchers."""
        return tuple(self.table.handles)

    @classmethod
    def made(cls, folder: Path, rules: Rules, players: int, *, marks: bool = False) -> Watched:
        """Return a new table of people."""
        program = loaded_anew(rules, players)
        if marks:
            _mark(program)
        names = tuple(seat.name for seat in program.layout.players)
        return cls.of(folder, Game(program.game, program, names, rules.path))

    @classmethod
    def of(cls, folder: Path, game: Game) -> Watched:
        """Return a new table of a game."""
        storage = Storage(located(folder))
        digest, rules = rules_of(game)
        row = TableRow(ID, game.name, Setup((), {}, game.names), SEED, digest, rules, {})
        seats = (WATCHER, *range(game.num_players))
        tokens = {seat: f"tokenOfSeat{seat:+03d}".ljust(24, "x") for seat in seats}
        rows = [
            (seat, "" if seat == WATCHER else game.names[seat], None, hashed(token))
            for seat, token in tokens.items()
        ]
        storage.add_table(row, rows, "somebody")
        worker = TableWorker(served(), storage)
        table = Table(row, storage.seats(ID), game, storage)
        worker.tables[ID] = table
        return cls(worker, table, tokens)

    def sent(self, seat: int) -> dict[str, str]:
        """Return all that a seat can get now, by what it asks for; of a sealed game its size."""
        found: dict[str, str] = {}
        base = f"/t/{ID}/{self.tokens[seat]}/"
        for action, json in SHOWN:
            reply = self.worker(Request(action=action, table=ID, seat=seat, base=base, json=json))
            assert reply.status == 200, reply.body
            told = f"{reply.kind} {reply.file} {reply.said} "
            is_sealed = reply.file.endswith(".sealed")
            found[f"{action} {json}"] = told + (str(len(reply.body)) if is_sealed else reply.body)
        if seat != WATCHER:
            line = self.worker(Request(action="line", table=ID, seat=seat)).line
            found["lobby"] = repr(line)
            for option in self._cannot(seat):
                request = Request(
                    action="why", table=ID, seat=seat, base=base, fields=(("option", option),)
                )
                found[f"why {option}"] = self.worker(request).body
        found["news"] = self.table.stamp(seat)
        return found

    def _cannot(self, seat: int) -> list[str]:
        question = tableau(self.table.state, seat, self.table.handles[seat]).question
        labels = () if question is None else [one.label for one in question.cannot]
        return [*labels[:MOST_WHYS], "xyz"]

    def answer(self, random: Random) -> int:
        """Let somebody who is asked answer by chance; return his seat."""
        table = self.table
        seat = random.choice(table.state.current_players())
        question = tableau(table.state, seat, table.handles[seat]).question
        assert question is not None
        if question.kind == "split":
            store = table.session.whole_split(seat)
            assert store is not None
            assert table.answer(seat, Given(question.n, amounts=dict(enumerate(store)))) is None
            return seat
        for _ in range(TRIES):
            given = Given(question.n, number=random.randint(*(question.range or (0, 0))))
            if question.range is None:
                low = question.low if question.whole else 1
                most = question.high if question.whole else 1
                count = min(random.randint(low, most), len(question.options))
                given = Given(question.n, (*random.sample(range(len(question.options)), count),))
            if table.answer(seat, given) is None:
                return seat
        action = random.choice(table.state.legal_actions(seat))
        after = table.state.clone()
        after.apply_action(action, seat)
        table.session.state = after
        table._count()
        return seat


# ------------------------------------------------------------------------------------- what is hidden


def mark(thing: Thing) -> str:
    """Return the name of a marked thing: letters that stand nowhere else."""
    number, letters = thing.number, ""
    for _ in range(4):
        number, one = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[one] + letters
    return f"Zq{letters}{thing.kind}qZ"


def _mark(program: Program) -> None:
    """Give all things that may lie hidden a name of their own."""
    for kind, things in program.layout.things.items():
        if kind != "Player":
            for thing in things:
                thing.name = mark(thing)


class SeenThings:
    """Which things each seat has come to see so far."""

    def __init__(self, state: State) -> None:
        self.seen: dict[int, set[Thing]] = {seat: set() for seat in range(state.game.num_players)}
        self.look(state)

    def look(self, state: State) -> None:
        """Take in a state."""
        program = state.game.program
        for seat, seen in self.seen.items():
            store, player = state.seen_by(seat), state.seat(seat)
            unseen = set(hidden(program, store, player))
            for things in program.layout.things.values():
                seen.update(one for one in things if one not in unseen)

    def secrets(self, state: State, seat: int) -> Iterator[Thing]:
        """Yield the things that a seat has never seen; those who watch see what all seats do."""
        program = state.game.program
        for one in [seat] if seat != WATCHER else self.seen:
            self.seen[one] |= told(program, state.seen_by(one), state.seat(one))
        for things in program.layout.things.values():
            for thing in things:
                if seat == WATCHER:
                    if not all(thing in seen for seen in self.seen.values()):
                        yield thing
                elif thing not in self.seen[seat]:
                    yield thing


def leaks(watched: Watched, seen: SeenThings, seat: int, sent: Mapping[str, str]) -> list[str]:
    """Return what was sent to a seat that must not be."""
    state, found = watched.table.state, []
    forbidden = {mark(one): f"{one!r}" for one in seen.secrets(state, seat)}
    kinds = "|".join(map(re.escape, watched.program.layout.things))
    never = {
        token: f"the token of seat {one}" for one, token in watched.tokens.items() if one != seat
    }
    if not state.is_terminal():
        never |= {str(SEED): "the seed", f"{SEED:x}": "the seed"}
    for part, text in sent.items():
        if state.is_terminal() and part.startswith("record"):
            # It tells everything, as it says.
            continue
        named = re.finditer(r"Zq[A-Za-z]+?qZ", text)
        found += [
            f"{part}: {forbidden[one[0]]}, {_near(text, one)}"
            for one in named
            if one[0] in forbidden
        ]
        found += [f"{part}: {what}" for one, what in never.items() if one in text]
        numbers = re.finditer(rf"\b(?:{kinds}):\d+\.\d+\b", text)
        found += [f"{part}: the number of a thing, {_near(text, one)}" for one in numbers]
    return found


def _near(text: str, found: re.Match[str]) -> str:
    return "near " + text[max(0, found.start() - 100) : found.end() + 20]


def hides(rules: Rules) -> bool:
    """Return whether a game hides anything from anybody."""
    return has_secrets(loaded_anew(rules, player_counts(rules)[0]))
