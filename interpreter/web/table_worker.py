"""What a worker does for tables: it has them at hand, reads answers, writes them down, and makes pages.

Each method `do_X` carries out a request with the action X. What somebody has done wrong is a reply with a
status, never an exception.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.bridges.extent import has_chance, has_secrets
from rulewright.interpreter.play import record as saves
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.save_format import saved_answer
from rulewright.interpreter.state.errors import (
    AmbiguousActionError,
    InvalidActionError,
    PlayError,
    RecordError,
)
from rulewright.interpreter.tableau.answers import Given, Mistake
from rulewright.interpreter.tableau.tableau import log_entries, tableau, why
from rulewright.interpreter.tableau.view_model import EntryView, as_json
from rulewright.interpreter.web.exchange import JSON, TOML, Reply, Request
from rulewright.interpreter.web.forms import read_form
from rulewright.interpreter.web.games import LoadedGames, Served
from rulewright.interpreter.web.messages import in_a_line, told, words_in
from rulewright.interpreter.web.new_tables import NewTables
from rulewright.interpreter.web.pages import (
    PageContext,
    Replay,
    error_page,
    links_page,
    log_page,
    replay_page,
    rules_page,
    table_page,
    why_page,
)
from rulewright.interpreter.web.storage import WATCHER, Storage, TableRow, TakenError
from rulewright.interpreter.web.table import OtherRulesError, Table
from rulewright.interpreter.web.thinking import Task
from rulewright.interpreter.web.tokens import sealed

TABLES_KEPT = 500
ANSWERS_KEPT = 10_000
"""So many tables are at hand, with so many answers that can be taken back; others are read again when somebody
comes. A table takes some 100 kB, and up to 40 kB for each answer of a person."""

_STEP = re.compile(r"\d{1,18}", re.ASCII)


@attrs.frozen
class Begun:
    """What a worker is begun with."""

    served: Served
    path: Path


class Refusal(Exception):
    """A request that leads to a page which says why it cannot be done."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(text)


def begin(begun: Begun) -> TableWorker:
    """Return what answers requests in a process of its own."""
    return TableWorker(begun.served, Storage(begun.path))


class TableWorker:
    """The tables that belong to one process."""

    def __init__(self, served: Served, storage: Storage) -> None:
        self.served = served
        self.storage = storage
        self.games = LoadedGames(served)
        self.new_tables = NewTables(self.games, storage)
        self.tables: OrderedDict[str, Table] = OrderedDict()

    def __call__(self, request: Request) -> Reply:
        """Carry out a request."""
        action: Callable[[Request], Reply] = getattr(self, f"do_{request.action}")
        try:
            try:
                return action(request)
            except TakenError:
                # Another process has gone on from here, one that was thought to be gone.
                self.tables.pop(request.table, None)
                return self._after(self._table(request), "late")
        except Refusal as refusal:
            return self._refused(request, refusal.status, refusal.text)
        except OtherRulesError as other:
            return self._other_rules(request, other)
        except (RulesError, RecordError, PlayError, ValueError) as error:
            return self._refused(request, 422, in_a_line(error))

    def _refused(self, request: Request, status: int, text: str) -> Reply:
        words = words_in(request.language)
        body = error_page(status, words(text), request.language, words)
        return Reply(status=status, body=body)

    # -------------------------------------------------------------------------------------- tables

    def _table(self, request: Request) -> Table:
        table = self.tables.get(request.table)
        if table is None:
            row = self._row(request)
            table = Table.opened(row, self.games.load(row.game, row.setup), self.storage)
            self.tables[request.table] = table
            self._let_go()
        self.tables.move_to_end(request.table)
        return table

    def _let_go(self) -> None:
        """Forget the tables at which nobody has been for the longest time, if there are too many at hand."""
        answers = sum(len(one.session.answered) for one in self.tables.values())
        while len(self.tables) > 1 and (len(self.tables) > TABLES_KEPT or answers > ANSWERS_KEPT):
            _, gone = self.tables.popitem(last=False)
            answers -= len(gone.session.answered)

    def _row(self, request: Request) -> TableRow:
        row = self.storage.table(request.table)
        if row is None:
            raise Refusal(404, "There is nothing here. Is the link complete?")
        return row

    def _spoken(self, table: Table, language: str) -> Game:
        return self.games.spoken(table.game, language)

    def _context(self, request: Request, table: Table, **more: Any) -> PageContext:
        words = self._spoken(table, request.language).program.evaluator.words
        return PageContext(
            base=request.base,
            language=request.language,
            words=words,
            connected=request.connected,
            links=request.links,
            **{"message": told(request.said, words_in(request.language)), **more},
        )

    def _seat(self, request: Request, table: Table) -> int:
        """Return the seat of a person; raise `Refusal` for those who watch."""
        if request.seat not in table.people:
            raise Refusal(403, "Who watches cannot do that.")
        return request.seat

    def _after(self, table: Table, said: str = "", midway: bool = False) -> Reply:
        """Return what has come of something that was done at a table."""
        task = self._task(table)
        return Reply(status=303, said=said, stamps=_stamps(table), task=task, midway=midway)

    def _task(self, table: Table) -> Task | None:
        """Return what an agent is to think about now."""
        seat = table.due()
        if seat is None:
            return None
        names = tuple(table.named.get(one, "random") for one in table.handles if one != WATCHER)
        place = getattr(getattr(table.session.agents[seat], "generator", None), "state", None)
        return Task(
            table.row,
            table.n,
            table.state.pack(log=True),
            seat,
            names,
            place,
            alone=not table.people,
        )

    # --------------------------------------------------------------------------------------- pages

    def do_page(self, request: Request) -> Reply:
        """Show a table as a seat sees it."""
        table = self._table(request)
        return self._page(request, table, 200)

    def _page(self, request: Request, table: Table, status: int, **more: Any) -> Reply:
        seen = self._view(request, table)
        can_hint = seen["question"] is not None and request.seat in table.people
        shown: dict[str, Any] = {
            "hint": request.hint,
            "can_hint": can_hint,
            "notice": self._notice(request, table),
            "consent": self._consent(request, table),
            "again": self._again(request, table),
        }
        context = self._context(request, table, **{**shown, **more})
        return attrs.evolve(self._after(table), status=status, body=table_page(seen, context))

    def _view(self, request: Request, table: Table) -> dict[str, Any]:
        seat = None if request.seat == WATCHER else request.seat
        undo = seat in table.people and table.can_take_back(request.seat)
        found = tableau(
            table.state,
            seat,
            table.handles[request.seat],
            self._spoken(table, request.language),
            undo=undo,
        )
        return dict(as_json(found))

    def _notice(self, request: Request, table: Table) -> str | None:
        """Return what somebody else has done with the table, in words."""
        words = words_in(request.language)
        names, asked = table.game.names, table.asked
        if request.waits:
            return told("waits", words)
        if asked is not None and request.seat in asked.others:
            return None
        if asked is not None:
            who = ", ".join(names[one] for one in asked.others)
            return words("{who}: may that be taken back?", who=who)
        kind, seat = table.notices.get(request.seat, ("", 0))
        if kind == "undo":
            return words("{who} has taken back an answer.", who=names[seat])
        if kind == "refuse":
            return words("{who} would not have it taken back.", who=names[seat])
        return None

    def _again(self, request: Request, table: Table) -> str | None:
        """Return who plays again, at another table."""
        found = self.storage.followed_by(request.table)
        return None if found is None else table.game.names[found[1]]

    def _consent(self, request: Request, table: Table) -> tuple[int, str] | None:
        """Return what somebody asks of a seat."""
        asked, words = table.asked, words_in(request.language)
        if asked is None or request.seat not in asked.others:
            return None
        text = words("{who} would like to take back an answer.", who=table.game.names[asked.seat])
        return table.stamps, text

    def do_view(self, request: Request) -> Reply:
        """Return what a seat sees as JSON."""
        return _json(self._view(request, self._table(request)))

    def do_log(self, request: Request) -> Reply:
        """Show the whole log of a seat."""
        table = self._table(request)
        entries = [as_json(one) for one in self._entries(request, table)]
        if request.json:
            return _json(entries)
        context = self._context(request, table, news=False)
        return Reply(body=log_page(self._view(request, table), context, entries))

    def _entries(self, request: Request, table: Table) -> Sequence[EntryView]:
        seat = None if request.seat == WATCHER else request.seat
        spoken = self._spoken(table, request.language)
        return log_entries(table.state, seat, table.handles[request.seat], spoken)

    def do_why(self, request: Request) -> Reply:
        """Show why something is not possible."""
        table = self._table(request)
        spoken, label = self._spoken(table, request.language), request.field("option") or ""
        try:
            found = as_json(why(table.state, self._seat(request, table), label[:200], spoken))
        except (InvalidActionError, AmbiguousActionError) as error:
            raise Refusal(404, str(error)) from None
        if request.json:
            return _json(found)
        context = self._context(request, table, news=False)
        return Reply(body=why_page(self._view(request, table), found, context))

    def do_replay(self, request: Request) -> Reply:
        """Show a step of a game that is over, as a seat saw it."""
        table = self._table(request)
        if not table.state.is_terminal():
            raise Refusal(403, "The game is not over yet.")
        given = table.state.history()
        asked = request.field("step") or "0"
        step = min(int(asked), len(given)) if _STEP.fullmatch(asked) else 0
        state = before = table.game.new_initial_state(table.row.seed)
        for answer in given[:step]:
            before, state = state, table.giver.given(state, saved_answer(answer, table.codec))
        seat = None if request.seat == WATCHER else request.seat
        spoken, handles = self._spoken(table, request.language), type(table.handles[WATCHER])()
        earlier = 0
        if step:
            earlier = sum(one.count for one in log_entries(before, seat, handles, spoken))
        seen = as_json(tableau(state, seat, handles, spoken, undo=False))
        entries = log_entries(state, seat, handles, spoken)
        new, count = [], 0
        for one in entries:
            count += one.count
            if count > earlier:
                new.append(as_json(one))
        context = self._context(request, table, news=False)
        return Reply(body=replay_page(seen, Replay(step, len(given), new), context))

    def do_rules(self, request: Request) -> Reply:
        """Show the rules in force at a table."""
        table = self._table(request)
        book = self.new_tables.book(table.row.game, table.row.setup, request.language)
        query = (request.field("q") or "")[:200]
        return Reply(body=rules_page(book, self._context(request, table), query))

    def do_book(self, request: Request) -> Reply:
        """Show the rules of a game on the shelf."""
        name = request.field("game") or ""
        if name not in self.served.folders:
            raise Refusal(404, "There is nothing here. Is the link complete?")
        book = self.new_tables.book(name, None, request.language)
        context = PageContext("/", request.language, words_in(request.language), news=False)
        query = (request.field("q") or "")[:200]
        return Reply(body=rules_page(book, context, query, back=False))

    def do_links(self, request: Request) -> Reply:
        """Show the links of a table to the one who has made it."""
        table = self._table(request)
        body = links_page(
            table.game.title,
            request.given,
            self._context(request, table),
            table.game.model.variants,
        )
        return attrs.evolve(self._after(table), status=200, body=body)

    def do_line(self, request: Request) -> Reply:
        """Return what the lobby says of a table."""
        table = self._table(request)
        state, words = table.state, self._spoken(table, request.language).program.evaluator.words
        names = [(name, seat == request.seat) for seat, name in enumerate(table.game.names)]
        title = words.name(table.game.title)
        acting = state.current_players()
        if state.is_terminal():
            who = ", ".join(table.game.names[one] for one in state.winners())
            kind, says = "over", words("{who} won", who=who) if who else ""
        elif request.seat in acting:
            kind = "yours"
            says = state.told_by(self._spoken(table, request.language)).prompt(request.seat)
        elif state.store.fork is not None:
            kind, says = "together", ""
        else:
            kind, says = "theirs", ", ".join(table.game.names[one] for one in acting)
        return attrs.evolve(self._after(table), line=(title, names, kind, says))

    # ------------------------------------------------------------------------------------- answers

    def do_answer(self, request: Request) -> Reply:
        """Take in what a person answers."""
        table = self._table(request)
        seat, form = self._seat(request, table), read_form(request.fields)
        if form.n < 0:
            raise Refusal(422, "That cannot be read.")
        if form.undo:
            return self._undo(table, seat, form.n)
        given = Given(form.n, form.options, form.amounts, form.number)
        spoken = self._spoken(table, request.language)
        try:
            found = table.answer(seat, given, spoken)
        except PlayError as error:
            hides = table.session.hides
            said = error.told_to(frozenset([seat]), True) if hides else error.diagnostic()
            text = words_in(request.language)(
                "The rules cannot carry that out; the game is as it was before."
            )
            found = Mistake(f"{text} {said.headline}")
        if found is None:
            return self._after(table)
        if found.stale:
            return self._after(table, "late")
        return self._page(
            request,
            table,
            422,
            message=found.text,
            picked=found.picked or given.options,
            amounts=given.amounts,
            number=given.number,
        )

    def _undo(self, table: Table, seat: int, n: int) -> Reply:
        if n != table.handles[seat].n:
            return self._after(table, "late")
        return self._after(table, table.take_back(seat))

    def do_agree(self, request: Request) -> Reply:
        """Take in whether somebody agrees that an answer is taken back."""
        table = self._table(request)
        seat, says = self._seat(request, table), request.field("agree")
        if says not in ("yes", "no"):
            raise Refusal(422, "That cannot be read.")
        if table.asked is None or request.field("asked") != str(table.stamps):
            return self._after(table, "late")
        table.agree(seat, says == "yes")
        return self._after(table)

    def do_thought(self, request: Request) -> Reply:
        """Take in what an agent has decided."""
        table = self._table(request)
        thought = request.given
        try:
            table.think(thought)
        except (PlayError, InvalidActionError, RecordError, LookupError) as error:
            raise Refusal(422, in_a_line(error)) from None
        asked = (
            table.state.decision(thought.seat)
            if thought.seat in table.state.current_players()
            else None
        )
        midway = asked is not None and bool(asked.picked)
        return self._after(table, midway=midway)

    def do_due(self, request: Request) -> Reply:
        """Tell what an agent is to think about."""
        return self._after(self._table(request))

    def do_hint(self, request: Request) -> Reply:
        """Return what a hint is to be found for."""
        table = self._table(request)
        seat = self._seat(request, table)
        if seat not in table.state.current_players():
            # Whatever an agent is to think about is no hint for this seat.
            return attrs.evolve(self._after(table, "late"), task=None)
        task = Task(
            table.row,
            table.n,
            table.state.pack(log=True),
            seat,
            language=request.language,
            hint=request.hinted,
        )
        return attrs.evolve(self._after(table), task=task, status=200)

    # -------------------------------------------------------------------------------- making tables

    def do_make(self, request: Request) -> Reply:
        """Make a table, or say what does not fit together."""
        return self.new_tables.make(request)

    def do_new(self, request: Request) -> Reply:
        """Show the form of a new table."""
        return self.new_tables.form(request)

    def do_import(self, request: Request) -> Reply:
        """Make a table of a saved game that somebody brings."""
        return self.new_tables.import_game(request)

    def do_again(self, request: Request) -> Reply:
        """Make a table like one that is over."""
        self._seat(request, self._table(request))
        return self.new_tables.again(request, self._row(request))

    def do_record(self, request: Request) -> Reply:
        """Return a table as a saved game: sealed, as long as it would tell secrets."""
        table = self._table(request)
        name = f"{table.game.name}-{table.row.id}"
        if table.state.is_terminal():
            table.open_up()
            # Nobody can take anything back from now on: the others see it.
            return Reply(body=table.saved(), kind=TOML, file=f"{name}.save", stamps=_stamps(table))
        if not has_chance(table.game.model) and not has_secrets(table.game.program):
            # Nothing hangs on its seed, so another one tells the same game, and nothing of ours.
            state = table.state
            bare = State(state.game, state.store, 0, state.history())
            return Reply(body=saves.save(bare), kind=TOML, file=f"{name}.save")
        body = sealed(self.storage.key(), table.saved())
        return Reply(body=body, kind="text/plain; charset=utf-8", file=f"{name}.sealed")

    def _other_rules(self, request: Request, other: OtherRulesError) -> Reply:
        return self.new_tables.other_rules(request, self._row(request), other)

    def do_delete(self, request: Request) -> Reply:
        """Delete a table for ever: if it has been left alone since then, where a time is given."""
        since = request.given
        if since is None or self.storage.touched(request.table) < since:
            self.tables.pop(request.table, None)
            self.storage.delete_table(request.table)
        return Reply(status=303)

    def do_renew(self, request: Request) -> Reply:
        """Go on with a table under other rules, as far as what was done there can be done again."""
        row = self._row(request)
        try:
            self._table(request)
        except OtherRulesError as other:
            self.new_tables.renew(row, other)
        return self._after(self._table(request))


def _json(plain: Mapping[str, Any] | list[Any]) -> Reply:
    return Reply(body=json.dumps(plain, ensure_ascii=False), kind=JSON)


def _stamps(table: Table) -> dict[int, str]:
    return {seat: table.stamp(seat) for seat in table.handles}
