"""New tables: what a form asks for, a saved game that somebody brings, one more game with the same seats; and tables
whose rules are others by now."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.specs import RANDOM, SEARCH, make_agent, read_budget
from rulewright.interpreter.play import record as saves, save_format
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.state.errors import PlayError, RecordError
from rulewright.interpreter.web.exchange import Made, Reply, Request
from rulewright.interpreter.web.games import LoadedGames, Recent, game_entry
from rulewright.interpreter.web.messages import in_words, words_in
from rulewright.interpreter.web.pages import (
    GameEntry,
    PageContext,
    SeatChoice,
    changed_page,
    error_page,
    new_table_page,
)
from rulewright.interpreter.web.rulebook import book_data
from rulewright.interpreter.web.storage import (
    WATCHER,
    SeatRow,
    Setup,
    Storage,
    TableRow,
)
from rulewright.interpreter.web.table import OtherRulesError, Table, rules_of
from rulewright.interpreter.web.tokens import (
    SEALED,
    SealError,
    hashed,
    new_token,
    unsealed,
)
from rulewright.interpreter.words.translation import Words

AGENTS: Mapping[str, str] = {
    "random": "by chance",
    "greedy": "looks one answer ahead",
    "search:100": "thinks a little",
    "search": "thinks",
    "search:2s": "thinks for two seconds",
}
"""What an empty seat may be given."""

MOST_ITERATIONS, MOST_SECONDS = 2_000, 5.0
ME, LINK, NONE = "me", "link", "none"
LONGEST_NAME = 40
MOST_SEATS = 50
BOOKS_KEPT = 6

_SEAT = re.compile(r"(seat|name)-(\d{1,2})", re.ASCII)


class NewTables:
    """Makes tables."""

    def __init__(self, games: LoadedGames, storage: Storage) -> None:
        self.games = games
        self.served = games.served
        self.storage = storage
        self.books: Recent[Any, tuple[Game, Mapping[str, Any]]] = Recent(BOOKS_KEPT)

    # ---------------------------------------------------------------------------------------- forms

    def form(self, request: Request) -> Reply:
        """Return the form of a new table of the game in the field `game`."""
        name = request.field("game") or ""
        if name not in self.served.folders:
            return self._refused(request, 404, "There is nothing here. Is the link complete?")
        entry = game_entry(self.served.entry(name))
        seats = [SeatChoice(ME)] + [SeatChoice(LINK)] * (max(entry.least, 1) - 1)
        seats += [SeatChoice(NONE)] * (entry.most - len(seats))
        return self._form(request, entry, seats)

    def _form(
        self,
        request: Request,
        entry: GameEntry,
        seats: Sequence[SeatChoice],
        conflicts: Sequence[str] = (),
        status: int = 200,
        checked: bool = False,
    ) -> Reply:
        words = words_in(request.language)
        agents = {name: words(text) for name, text in AGENTS.items()}
        # What the game says of its variants and options is in its own words.
        known = self._words_of(entry.name, request.language)
        context = PageContext(base="/", language=request.language, words=known)
        body = new_table_page(entry, seats, agents, context, conflicts, checked=checked)
        return Reply(status=status, body=body)

    def make(self, request: Request) -> Reply:
        """Make the table that a form asks for, or show the form with what does not fit together."""
        name = request.field("game") or ""
        if name not in self.served.folders:
            return self._refused(request, 404, "There is nothing here. Is the link complete?")
        entry = game_entry(self.served.entry(name))
        titles = {one.title for one in entry.variants} & {
            value for key, value in request.fields if key == "variant"
        }
        known = {one.name: one.value for one in entry.questions}
        chosen = {
            one.name: value
            for one in entry.questions
            if (value := request.field(f"option-{one.name}")) is not None
            and value != one.value
            and (one.variant is None or one.variant in titles)
        }
        seats = _seats(request.fields)
        entry = attrs.evolve(
            entry,
            variants=[attrs.evolve(one, chosen=one.title in titles) for one in entry.variants],
            questions=[
                attrs.evolve(one, value=chosen.get(one.name, known[one.name]))
                for one in entry.questions
            ],
        )
        sitting = [one for one in seats if one.who != NONE]
        # In the order of the shelf: that in which they are sent says nothing.
        variants = tuple(one.title for one in entry.variants if one.title in titles)
        setup = Setup(variants, chosen, _names(sitting))
        try:
            for one in sitting:
                _check_agent(one.who)
            if not sitting:
                raise ValueError("nobody sits at this table")
            game = self.games.load(name, setup)
            game.new_initial_state(0)
        except Exception as error:
            said = in_words(error, words_in(request.language))
            return self._form(request, entry, seats, [said], 422)
        if request.field("check") is not None:
            return self._form(request, entry, seats, checked=True)
        return self._made(request, name, setup, game, [one.who for one in sitting])

    def _made(
        self,
        request: Request,
        name: str,
        setup: Setup,
        game: Game,
        who: Sequence[str],
    ) -> Reply:
        assert request.new is not None, "a table is to be made"
        seed = secrets.randbits(64)
        row = _row(request.new.id, name, setup, game, seed, {})
        return self._add(row, who, request.new.maker)

    def _add(
        self,
        row: TableRow,
        who: Sequence[str],
        maker: str | None,
        done: Sequence[Any] = (),
    ) -> Reply:
        tokens = {WATCHER: new_token()}
        seats: list[tuple[int, str, str | None, str | None]] = [
            (WATCHER, "", None, hashed(tokens[WATCHER]))
        ]
        for seat, (name, one) in enumerate(zip(row.setup.names, who, strict=True)):
            if one in (ME, LINK):
                tokens[seat] = new_token()
                seats.append((seat, name, None, hashed(tokens[seat])))
            else:
                seats.append((seat, name, one, None))
        self.storage.add_table(row, seats, maker, done)
        mine = [seat for seat, one in enumerate(who) if one == ME]
        return Reply(status=303, made=Made(row.id, tokens, mine))

    def again(self, request: Request, row: TableRow) -> Reply:
        """Make a table with the rules and seats of another one."""
        game = self.games.load(row.game, row.setup)
        seats = [one for one in self.storage.seats(row.id) if one.seat != WATCHER]
        who = [_who(one, request.seat) for one in seats]
        return self._made(request, row.game, row.setup, game, who)

    # ------------------------------------------------------------------------------------ saved games

    def import_game(self, request: Request) -> Reply:
        """Make a table of a saved game; the first seat is that of who brings it, or the one he names."""
        assert request.new is not None, "a table is to be made"
        text = request.given
        try:
            if text.startswith(SEALED):
                text = unsealed(self.storage.key(), text)
            saved = save_format.read(text)
            if saved.game not in self.served.folders:
                raise RecordError(f"the game `{saved.game[:60]}` is not served here")
            if saved.explicit_chance:
                raise RecordError("in this game somebody said what chance brings")
            words = {name: saves.option_word(value) for name, value in saved.options.items()}
            setup = Setup(tuple(saved.variants), words, tuple(saved.players))
            game = self.games.load(saved.game, setup)
            state = saves.restore(saved, game)
        except (SealError, RecordError) as error:
            return self._refused(request, 422, str(error))
        places = save_format.agents_of(saved)
        who = [RANDOM if seat in places else LINK for seat in range(len(saved.players))]
        row = _row(request.new.id, saved.game, setup, game, saved.seed, places)
        given = [one for one in who if one == LINK]
        who[who.index(LINK) if given else 0] = ME
        done = Table.brought(row, game, state)
        return self._add(row, who, request.new.maker, done)

    # ------------------------------------------------------------------------------------ rule books

    def book(self, name: str, setup: Setup | None, language: str) -> Mapping[str, Any]:
        """Return the rule book of a game as it was set up; None: as it is on the shelf."""
        setup = self._plain(name) if setup is None else setup
        game = self.games.load(name, setup)
        # As long as it is this one its rules are the same.
        found = self.books.get((id(game), language))
        if found is None:
            found = game, self._book(name, setup.variants, game, language)
            self.books.put((id(game), language), found)
        return found[1]

    def _book(
        self, name: str, variants: tuple[str, ...], game: Game, language: str
    ) -> Mapping[str, Any]:
        found = compile_game(self.served.named(name), variants)
        return book_data(found, self.games.spoken(game, language), self._words(game, language))

    def _plain(self, name: str) -> Setup:
        """Return how a game is set up as it is on the shelf."""
        least = max(self.served.entry(name).least_players, 1)
        return Setup((), {}, tuple(f"P{number + 1}" for number in range(least)))

    def _words_of(self, name: str, language: str) -> Words:
        """Return the words of the pages and of a game; of one whose rules are wrong, those of the pages."""
        try:
            return self._words(self.games.load(name, self._plain(name)), language)
        except (RulesError, PlayError, RecordError, OSError):
            return words_in(language)

    def _words(self, game: Game, language: str) -> Words:
        words, spoken = words_in(language), self.games.spoken(game, language)
        if spoken is game:
            return words
        return Words({**words.known, **spoken.program.evaluator.words.known})

    # ------------------------------------------------------------------------------------ other rules

    def other_rules(self, request: Request, row: TableRow, other: OtherRulesError) -> Reply:
        """Say that the rules of a table are others by now, and offer to go on."""
        words = words_in(request.language)
        text = words(
            "The rules of this table have changed since it was played. {done} of {whole} answers can be"
            " given again under the rules of today.",
            done=other.done,
            whole=other.whole,
        )
        if request.action == "line":
            names = [(name, seat == request.seat) for seat, name in enumerate(row.setup.names)]
            return Reply(line=(row.game, names, "theirs", words("Other rules")))
        context = PageContext(request.base, request.language, words, news=False)
        can_renew = request.seat != WATCHER
        return Reply(status=409, body=changed_page(text, context, can_renew=can_renew))

    def renew(self, row: TableRow, other: OtherRulesError) -> None:
        """Let a table go on under the rules of today."""
        game = self.games.load(row.game, row.setup)
        digest, rules = rules_of(game)
        self.storage.change_rules(row.id, digest, rules, other.done)

    def _refused(self, request: Request, status: int, text: str) -> Reply:
        words = words_in(request.language)
        return Reply(status=status, body=error_page(status, words(text), request.language, words))


def _row(
    id: str,
    name: str,
    setup: Setup,
    game: Game,
    seed: int | str,
    places: Mapping[int, int],
) -> TableRow:
    digest, rules = rules_of(game)
    return TableRow(id, name, setup, seed, digest, rules, places)


def _who(seat: SeatRow, mine: int) -> str:
    if seat.agent is not None:
        return seat.agent
    return ME if seat.seat == mine else LINK


def _seats(fields: Sequence[tuple[str, str]]) -> list[SeatChoice]:
    """Return who is to sit where, in the order of the seats."""
    found: dict[int, dict[str, str]] = {}
    for key, value in fields:
        if match := _SEAT.fullmatch(key):
            found.setdefault(int(match[2]), {}).setdefault(match[1], value)
    numbers = sorted(found)[:MOST_SEATS]
    return [
        SeatChoice(
            found[one].get("seat", NONE),
            " ".join(found[one].get("name", "").split())[:LONGEST_NAME],
        )
        for one in numbers
    ]


def _names(sitting: Sequence[SeatChoice]) -> tuple[str, ...]:
    """Return what the players are called; who gives no name gets one."""
    given = [one.name for one in sitting]
    names = []
    for number, name in enumerate(given, 1):
        free = (f"P{one}" for one in range(number, number + MOST_SEATS * 2))
        names.append(name or next(one for one in free if one not in given and one not in names))
    return tuple(names)


def only_agents(fields: Sequence[tuple[str, str]]) -> bool:
    """Return whether a form asks for a table at which nobody but agents sits."""
    who = {one.who for one in _seats(fields)} - {NONE}
    return bool(who) and not who & {ME, LINK}


def _check_agent(who: str) -> None:
    """Raise `AgentError` for what can play no seat here."""
    if who in (ME, LINK):
        return
    make_agent(who)
    kind, colon, budget = who.partition(":")
    if kind == SEARCH and colon:
        iterations, seconds = read_budget(budget)
        if (iterations or 0) > MOST_ITERATIONS or (seconds or 0.0) > MOST_SECONDS:
            raise AgentError(
                f"an agent may think for {MOST_SECONDS:g} seconds here, or play {MOST_ITERATIONS:,} times"
            )
