"""Games and tables at hand: what is alike is loaded once, what has changed is loaded again, and not too much is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.interpreter.web import table_worker
from rulewright.interpreter.web.exchange import NewTable, Request
from rulewright.interpreter.web.games import LoadedGames, Recent, served
from rulewright.interpreter.web.storage import Setup, Storage, located
from rulewright.interpreter.web.table_worker import TableWorker

RULES = """\
language 1
game "Little Piles" for 2 players
use turns(turn)
use winner
option most: number in 1..3 = 2 "How many at most?"
the game has, seen by players
  pile: number = 0
to play
  play_in_turns
to turn
  choose coins from 1..most
  add coins to pile
  if pile >= 12
    win me
"""
NAMES = ("Ann", "Ben")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a game."""
    found = tmp_path / "piles" / "game.rules"
    found.parent.mkdir()
    found.write_text(RULES)
    (found.parent / "texts").mkdir()
    (found.parent / "texts" / "de.csv").write_text("text,translation\nLittle Piles,Kleine Haufen\n")
    return found


@pytest.fixture
def games(path: Path) -> LoadedGames:
    """The games of the shelf and that one."""
    return LoadedGames(served(str(path.parent)))


def test_tables_that_are_set_up_alike_share_a_game(games: LoadedGames) -> None:
    setup = Setup((), {"most": "3"}, NAMES)
    found = games.load("piles", setup)

    assert games.load("piles", Setup((), {"most": "3"}, NAMES)) is found
    others = [
        games.load("piles", Setup((), {}, NAMES)),
        games.load("piles", Setup((), {"most": "3"}, NAMES[::-1])),
    ]
    assert all(one is not found and one.model is found.model for one in others)
    assert [len(one.new_initial_state(1).legal_actions()) for one in (found, *others)] == [3, 2, 3]


def test_a_game_whose_file_has_changed_is_loaded_again(games: LoadedGames, path: Path) -> None:
    setup = Setup((), {}, NAMES)
    before = games.load("piles", setup)

    path.write_text(RULES.replace("= 2 ", "= 1 "))

    after = games.load("piles", setup)
    assert [len(one.new_initial_state(1).legal_actions()) for one in (before, after)] == [2, 1]
    assert games.load("piles", setup) is after


def test_each_game_is_told_in_a_language_with_its_own_options(games: LoadedGames) -> None:
    ones = [games.load("piles", Setup((), given, NAMES)) for given in ({}, {"most": "3"})]

    spoken = [games.spoken(one, "de") for one in ones]

    assert [one.program.evaluator.words.name(one.title) for one in spoken] == ["Kleine Haufen"] * 2
    for one, told in zip(ones, spoken, strict=True):
        assert told.program.layout is one.program.layout
        assert games.spoken(one, "de") is told
    assert games.spoken(ones[0], "en") is ones[0]


def test_what_has_not_been_asked_for_is_forgotten(path: Path) -> None:
    games = LoadedGames(served(str(path.parent)), rules=1, games=2)
    setups = [Setup((), {}, ("Ann", name)) for name in ("Ben", "Cleo", "Dora")]
    first, second, _ = (games.load("piles", one) for one in setups)

    assert (len(games.games.kept), len(games.rules.kept)) == (2, 1)
    assert games.load("piles", setups[1]) is second
    assert games.load("piles", setups[0]) is not first


def test_what_was_asked_for_last_stays() -> None:
    recent: Recent[str, int] = Recent(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3)):
        recent.put(key, value)

    recent.put("c", 4)

    assert [recent.get(key) for key in "abc"] == [3, None, 4]


# --------------------------------------------------------------------------------------------- tables


@pytest.fixture
def storage(folder: Path) -> Iterator[Storage]:
    """An empty file for tables."""
    found = Storage(located(folder))
    yield found
    found.close()


def made(here: TableWorker, name: str) -> None:
    """Make a table for two."""
    fields = (("game", "tic_tac_toe"), ("seat-1", "me"), ("seat-2", "link"))
    assert (
        here(Request(action="make", table=name, fields=fields, new=NewTable(name, None))).made
        is not None
    )


def asked(here: TableWorker, action: str, table: str, seat: int, **fields: Any) -> Any:
    """Return what a worker says to a seat."""
    told = tuple((key, str(value)) for key, value in fields.items())
    return here(Request(action=action, table=table, seat=seat, fields=told))


def test_not_too_many_tables_are_at_hand(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    here = TableWorker(served(), storage)
    monkeypatch.setattr(table_worker, "TABLES_KEPT", 3)
    names = [f"table{number:03}" for number in range(5)]
    for name in names:
        made(here, name)
        asked(here, "page", name, 0)
    assert [*here.tables] == names[2:]

    # One that is not at hand is read again.
    assert asked(here, "page", names[0], 0).status == 200
    assert [*here.tables] == [*names[3:], names[0]]
    assert len({id(one.game) for one in here.tables.values()}) == 1


def test_not_too_many_answers_are_at_hand(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = TableWorker(served(), storage)
    monkeypatch.setattr(table_worker, "ANSWERS_KEPT", 4)
    for name in ("table001", "table002"):
        made(here, name)
        for number in range(4):
            n = here._table(Request(action="view", table=name)).handles[number % 2].n
            assert asked(here, "answer", name, number % 2, n=n, option=0).status == 303
    assert [*here.tables] == ["table001", "table002"]

    made(here, "table003")
    asked(here, "page", "table003", 0)

    assert [*here.tables] == ["table002", "table003"]
    asked(here, "page", "table001", 0)
    assert len(here.tables["table001"].session.answered) == 4


def test_who_opens_a_page_again_waits_for_nobody_who_writes(storage: Storage) -> None:
    here = TableWorker(served(), storage)
    made(here, "table001")
    storage.keep("browser", "table001", 0, True, b"token")

    with closing(
        sqlite3.connect(storage.base.execute("pragma database_list").fetchone()[2])
    ) as other:
        other.execute("begin immediate")
        # Without that it would wait for seconds, and raise.
        storage.base.execute("pragma busy_timeout=0")
        storage.keep("browser", "table001", 0, True, b"token")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            storage.keep("browser", "table001", 1, True, b"token")

    assert [one.seat for one in storage.kept("browser")] == [0]
