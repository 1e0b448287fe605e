"""A table: what was done is in the file before it is shown, and comes out of it as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

from rulewright.interpreter.tableau.answers import Given
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.web import table as tables
from rulewright.interpreter.web.games import Served, served
from rulewright.interpreter.web.storage import (
    WATCHER,
    Setup,
    Storage,
    TableRow,
    TakenError,
    located,
)
from rulewright.interpreter.web.table import OtherRulesError, Table, rules_of

ROOT = Path(__file__).parent.parent.parent
GAMES = ROOT / "tests" / "laws" / "games"
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay")

Maker = Callable[..., Table]


@pytest.fixture
def storage(folder: Path) -> Iterator[Storage]:
    """An empty file for tables."""
    found = Storage(located(folder))
    yield found
    found.close()


def made(
    storage: Storage,
    where: Served,
    name: str,
    players: int = 2,
    agents: dict[int, str] | None = None,
) -> Table:
    """Return a new table."""
    setup = Setup((), {}, NAMES[:players])
    game = where.load(name, setup)
    digest, rules = rules_of(game)
    row = TableRow("table", name, setup, 7, digest, rules, {})
    seats: list[Any] = [(WATCHER, "", None, "watch")]
    for seat in range(players):
        agent = (agents or {}).get(seat)
        seats.append((seat, NAMES[seat], agent, None if agent else f"token {seat}"))
    storage.add_table(row, seats, "somebody")
    return reopened(storage, where)


def reopened(storage: Storage, where: Served) -> Table:
    """Return the table as a process that begins finds it."""
    row = storage.table("table")
    assert row is not None
    return Table.opened(row, where.load(row.game, row.setup), storage)


def own(folder: str) -> Served:
    """Return what is served with a game of the tests."""
    return served(str(GAMES / folder))


def n_of(table: Table, seat: int) -> int:
    """Return the number of the question of a seat."""
    return notice(table.state, seat, table.handles[seat])


def answer(table: Table, seat: int, *options: int) -> None:
    """Let a seat answer."""
    assert table.answer(seat, Given(n_of(table, seat), options)) is None


def any_answer(table: Table, seat: int, random: Random) -> None:
    """Let a seat give an answer that is possible, by chance."""
    question = tableau(table.state, seat, table.handles[seat]).question
    assert question is not None
    n = question.n
    if question.kind == "split":
        store = table.session.whole_split(seat)
        assert store is not None
        assert table.answer(seat, Given(n, amounts=dict(enumerate(store)))) is None
        return
    if question.range is not None:
        number = random.randint(*question.range)
        assert table.answer(seat, Given(n, number=number)) is None
        return
    for _ in range(200):
        count = 1 if not question.whole else random.randint(question.low, question.high)
        chosen = random.sample(range(len(question.options)), min(count, len(question.options)))
        if table.answer(seat, Given(n, tuple(chosen))) is None:
            return
    raise AssertionError("nothing can be chosen")


def shown(table: Table) -> list[Any]:
    """Return what everybody sees and may do: all but the handles, which may be others."""
    found: list[Any] = [[one.label for one in table.state.history()], table.asked, table.notices]
    for seat in range(table.game.num_players):
        view = tableau(table.state, seat, table.handles[seat])
        asked = view.question
        labels = None if asked is None else (asked.prompt, [one.label for one in asked.options])
        found.append((view.n, table.stamp(seat), table.can_take_back(seat), labels))
        found.append([one.text for one in view.log])
        found.append(table.state.observation(seat))
    return [*found, table.stamp(WATCHER), table.state.setback, table.state.returns()]


def play_and_reopen(
    table: Table, storage: Storage, where: Served, answers: int, every: int
) -> None:
    """Play by chance, with steps back, and look whether the table is the same when it is read again."""
    random = Random(3)
    for number in range(answers):
        if table.state.is_terminal():
            break
        seat = random.choice(table.state.current_players())
        any_answer(table, seat, random)
        if random.random() < 0.2 and table.can_take_back(seat):
            table.take_back(seat)
        if number % every == 0 or table.state.is_terminal():
            assert shown(reopened(storage, where)) == shown(table)


@pytest.mark.parametrize("name", ["dealt_bids", "sealed", "goofspiel", "bargains"])
def test_a_table_is_the_same_when_it_is_read_again(
    storage: Storage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PACKED_EVERY", 4)
    where = own(name)

    play_and_reopen(made(storage, where, name), storage, where, 24, 3)


@pytest.mark.slow
@pytest.mark.bounded
@pytest.mark.parametrize(
    "name", [*served().names(), *sorted(path.name for path in GAMES.iterdir())]
)
def test_every_table_is_the_same_when_it_is_read_again(
    storage: Storage, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PACKED_EVERY", 7)
    where = own(name) if (GAMES / name).is_dir() else served()
    entry = where.entry(name)

    play_and_reopen(made(storage, where, name, entry.least_players), storage, where, 80, 9)


def test_a_pack_is_written_and_used(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PACKED_EVERY", 3)
    where = served()
    table = made(storage, where, "connect_four")
    for column in (0, 1, 2, 3, 4):
        answer(table, table.state.current_players()[0], column)

    pack = storage.pack("table")

    assert pack is not None and pack.n == 3
    assert len(reopened(storage, where).session.answered) == 2
    assert shown(reopened(storage, where)) == shown(table)


def test_what_was_before_a_pack_can_be_taken_back(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = served()
    table = made(storage, where, "connect_four", agents={1: "random"})
    answer(table, 0, 3)
    monkeypatch.setattr(tables, "PACKED_EVERY", 1)
    storage.write("table", [], table._packed())
    table = reopened(storage, where)

    assert table.session.answered == [] and table.can_take_back(0)
    assert table.take_back(0) == "undone"
    assert table.state.history() == ()
    assert shown(reopened(storage, where)) == shown(table)


def test_a_pack_of_another_version_is_left_aside(storage: Storage, monkeypatch: Any) -> None:
    monkeypatch.setattr(tables, "PACKED_EVERY", 2)
    where = served()
    table = made(storage, where, "connect_four")
    for column in (0, 1, 2):
        answer(table, table.state.current_players()[0], column)
    storage.base.execute("update packs set bytes=x'00'")

    assert shown(reopened(storage, where)) == shown(table)


# ------------------------------------------------------------------------------------------- kills

KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_table as here
from rulewright.interpreter.web.games import served
from rulewright.interpreter.web.storage import Storage

storage, when = Storage(Path(sys.argv[2])), sys.argv[3]
table = here.reopened(storage, served())
write = storage.write

def killed(*given):
    if when == "after":
        write(*given)
    elif when == "within":
        storage.base.execute("begin immediate")
        storage.base.execute("update tables set ended=1")
    os.kill(os.getpid(), signal.SIGKILL)

storage.write = killed
here.answer(table, 0, 3)
"""


@pytest.mark.parametrize(("when", "kept"), [("before", 0), ("within", 0), ("after", 1)])
def test_a_kill_at_any_moment_loses_nothing_that_was_written(
    storage: Storage, folder: Path, when: str, kept: int
) -> None:
    where = served()
    old = n_of(made(storage, where, "connect_four"), 0)
    storage.close()

    here = str(Path(__file__).parent)
    path = str(located(folder))
    done = subprocess.run([sys.executable, "-c", KILLED, here, path, when])

    assert done.returncode == -9
    storage = Storage(located(folder))
    table = reopened(storage, where)
    assert len(table.state.history()) == kept
    # Who got no reply sends it once more: it counts once.
    found = table.answer(0, Given(old, (3,)))
    assert (found is None) == (kept == 0)
    assert len(table.state.history()) == 1
    storage.close()


def test_two_processes_never_go_on_from_the_same_point(storage: Storage, folder: Path) -> None:
    where = served()
    table = made(storage, where, "connect_four")
    other = Storage(located(folder))
    late = reopened(other, where)
    answer(table, 0, 3)

    with pytest.raises(TakenError):
        late.answer(0, Given(n_of(late, 0), (2,)))

    assert late.state.history() == ()
    assert [one.label for one in reopened(other, where).state.history()] == [
        one.label for one in table.state.history()
    ]
    other.close()


def test_what_cannot_be_written_has_not_happened(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = served()
    table = made(storage, where, "connect_four")
    before = shown(table)
    storage.base.execute("pragma query_only=on")

    with pytest.raises(Exception, match="readonly"):
        table.answer(0, Given(n_of(table, 0), (3,)))

    storage.base.execute("pragma query_only=off")
    assert shown(table) == before
    answer(table, 0, 3)


# ----------------------------------------------------------------------------------------- steps back


def test_an_answer_is_taken_back_and_the_others_are_told(storage: Storage) -> None:
    where = served()
    table = made(storage, where, "connect_four")
    answer(table, 0, 3)
    n, stamp = n_of(table, 1), table.stamp(1)

    assert table.take_back(0) == "undone"

    assert table.state.history() == () and table.state.current_players() == (0,)
    assert table.notices[1] == ("undo", 0) and WATCHER in table.notices and 0 not in table.notices
    assert n_of(table, 1) != n and table.stamp(1) != stamp
    assert shown(reopened(storage, where)) == shown(table)


def test_who_has_answered_since_is_asked(storage: Storage) -> None:
    where = served()
    table = made(storage, where, "connect_four")
    answer(table, 0, 3)
    answer(table, 1, 3)

    assert table.take_back(0) == "asked"
    assert table.asked is not None and table.asked.others == (1,)
    assert len(table.state.history()) == 2
    table = reopened(storage, where)
    table.agree(0, True)
    assert len(table.state.history()) == 2
    table.agree(1, True)

    assert table.state.history() == () and table.asked is None
    assert shown(reopened(storage, where)) == shown(table)


def test_who_is_asked_can_refuse(storage: Storage) -> None:
    where = served()
    table = made(storage, where, "connect_four")
    answer(table, 0, 3)
    answer(table, 1, 3)
    table.take_back(0)

    table.agree(1, False)

    assert table.asked is None and len(table.state.history()) == 2
    assert table.notices[0] == ("refuse", 1)
    assert shown(reopened(storage, where)) == shown(table)


def test_an_agent_is_not_asked(storage: Storage) -> None:
    table = made(storage, served(), "connect_four", agents={1: "random"})
    answer(table, 0, 3)

    assert table.due() == 1
    assert table.take_back(0) == "undone" and table.state.history() == ()


def test_what_has_taught_somebody_something_stays(storage: Storage) -> None:
    table = made(storage, own("sealed"), "sealed", 2)
    random = Random(1)
    while table.state.store.fork is None:
        any_answer(table, table.state.current_players()[0], random)
    any_answer(table, 0, random)
    any_answer(table, 1, random)

    assert table.take_back(1) == "learned"


def test_of_those_who_act_at_once_nobody_hears_of_the_others(storage: Storage) -> None:
    table = made(storage, own("goofspiel"), "goofspiel")
    assert set(table.state.current_players()) == {0, 1}
    before = n_of(table, 1), table.stamp(1), table.stamp(WATCHER)

    answer(table, 0, 0)
    assert (n_of(table, 1), table.stamp(1), table.stamp(WATCHER)) == before
    assert table.take_back(0) == "undone"

    assert (n_of(table, 1), table.stamp(1), table.stamp(WATCHER)) == before
    assert 1 not in table.notices


# ---------------------------------------------------------------------------------------- other rules

RULES = """language 1
game "Piles" for 2 players
use turns(turn)
use winner
the game has, seen by players
  pile: number = 0
to play
  play_in_turns
to turn
  choose coins from 1..3
  add coins to pile
  if pile >= 12
    win me
"""


def test_other_rules_are_noticed_and_the_table_can_go_on(storage: Storage, tmp_path: Path) -> None:
    path = tmp_path / "piles" / "game.rules"
    path.parent.mkdir()
    path.write_text(RULES)
    where = served(str(path.parent))
    table = made(storage, where, "piles")
    for seat, option in ((0, 0), (1, 0), (0, 2)):
        answer(table, seat, option)

    path.write_text(RULES.replace("1..3", "1..2"))
    with pytest.raises(OtherRulesError) as found:
        reopened(storage, where)
    assert (found.value.done, found.value.whole) == (2, 3)

    row = storage.table("table")
    assert row is not None
    digest, rules = rules_of(where.load("piles", row.setup))
    storage.change_rules("table", digest, rules, found.value.done)
    assert len(reopened(storage, where).state.history()) == 2
    # What counts no longer is still there.
    assert len(storage.base.execute("select * from dropped").fetchall()) == 1


def test_rules_that_mean_the_same_change_nothing(storage: Storage, tmp_path: Path) -> None:
    path = tmp_path / "piles" / "game.rules"
    path.parent.mkdir()
    path.write_text(RULES)
    where = served(str(path.parent))
    table = made(storage, where, "piles")
    answer(table, 0, 1)

    path.write_text(RULES.replace("to play", "# a remark\n\n\nto play"))

    assert shown(reopened(storage, where)) == shown(table)
