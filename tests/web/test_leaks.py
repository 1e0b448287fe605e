"""Nothing that a seat must not know is in any byte that it is sent, and what it is sent does not depend on it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (extra `web`)")
pytest.importorskip("jinja2", reason="Jinja2 is not installed (extra `web`)")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "laws"))

from histories import Diverged, Telling, history, replayed
from playing import OWN, Rules, Start, discovered, player_counts
from sharing import LEFT_OUT, is_large, shared_out
from web_here import Here
from web_leaks import SEED, SeenThings, Watched, hides, leaks
from worlds import Renaming, changed_lines, exchanged

from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.visibility import Visibility
from rulewright.interpreter.web import table_worker
from rulewright.interpreter.web.storage import WATCHER
from rulewright.interpreter.web.table import Table

MANY = int(os.environ.get("LEAKS", "2"))
"""So many games of each are played in the long run."""

FIRST = int(os.environ.get("SEED", "1"))
ANSWERS, LOOKS = 12, 1
"""A game is left after so many answers; so often all pages are looked at after the first time."""

FIRST_LOOK = 4
"""All pages are looked at for the first time before so many answers."""

BESIDE = 8
"""So many answers are given where several act at once."""


def games(test: str) -> list[Any]:
    """Return the games with marks: by default a few small ones, and the rest in CI."""
    small = [rules for rules in discovered() if not is_large(rules.path)]
    found = [
        pytest.param(rules, marks=marks, id=str(rules))
        for rules, marks in shared_out(small, test, tests=12)
    ]
    large = [rules for rules in discovered() if is_large(rules.path)]
    return found + [pytest.param(rules, marks=LEFT_OUT, id=str(rules)) for rules in large]


def needs_secrets(rules: Rules) -> None:
    """Leave out a game in which everybody sees everything."""
    if not hides(rules):
        pytest.skip("everything is seen by everybody")


def counts(rules: Rules, random: Random) -> int:
    """Return a number of players."""
    return random.choice(player_counts(rules)[:3])


def look_for_leaks(folder: Path, rules: Rules, seed: int, answers: int, looks: int) -> int:
    """Play a game at random, and look for secrets in what all seats are sent; return how often it was
    looked at."""
    random = Random(f"leaks {rules} {seed}")
    watched = Watched.made(folder, rules, counts(rules, random), marks=True)
    seen, looked = SeenThings(watched.table.state), 0
    every = max(1, answers // looks)
    # At any time, and early, for many games are short.
    due = random.randrange(FIRST_LOOK)
    for number in range(answers + 1):
        over = watched.table.state.is_terminal()
        if over or number == due:
            due += random.randint(1, 2 * every)
            for seat in watched.seats:
                found = leaks(watched, seen, seat, watched.sent(seat))
                assert not found, (f"{rules}, seed {seed}, answer {number}, seat {seat}", found)
                looked += 1
        if over:
            break
        watched.answer(random)
        seen.look(watched.table.state)
    watched.worker.storage.close()
    return looked


@pytest.mark.parametrize("rules", games("names"))
def test_no_byte_names_what_a_seat_has_not_seen(rules: Rules, folder: Path) -> None:
    needs_secrets(rules)

    assert look_for_leaks(folder, rules, 0, ANSWERS, LOOKS)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(one, id=str(one)) for one in discovered()])
def test_no_byte_names_it_in_many_games(rules: Rules, tmp_path: Path) -> None:
    needs_secrets(rules)
    looked = 0

    for seed in range(FIRST, FIRST + MANY):
        looked += look_for_leaks(tmp_path / str(seed), rules, seed, 300, 12)

    print(f"{rules}: {MANY} games, {looked} times all that a seat is sent")


# ------------------------------------------------------------------------------------ two worlds


def sequence(folder: Path, start: Start, past: Any, exchange: Any, seat: int) -> list[str]:
    """Return all that a seat, and who watches, is sent in a game with other cards."""
    watched, found, number = Watched.of(folder, start.game), [], 0
    table = watched.table
    every = max(1, len(past.turns) // LOOKS)

    def watch(telling: Telling) -> None:
        nonlocal number
        state = State(start.game, telling.store, SEED, tuple(telling.answers))
        table.session.state = state
        table._count()
        # Chance decides before anybody gets a page.
        if state.current_players() and number % every == 0:
            for one in (seat, WATCHER):
                found.extend(f"{part}\n{text}" for part, text in watched.sent(one).items())
        found.extend(table.stamp(one) for one in (seat, WATCHER))
        number += 1
        state.game.program.decision_cache = None

    replayed(
        start, past, Renaming(start.program, exchange), start.program.layout.players[seat], watch
    )
    watched.worker.storage.close()
    return found


def compare_worlds(folder: Path, rules: Rules, seed: int, length: int) -> bool:
    """Play a game twice, with cards exchanged that a seat has never seen: all bytes and all news are
    the same. Return whether the game could be played so."""
    random = Random(f"worlds {rules} {seed}")
    start = Start(rules, counts(rules, random), random.randrange(2**16), seed)
    player = random.choice(start.program.layout.players)
    past = history(start, player, random.randrange(1, length))
    exchange = exchanged(past.unseen, Generator(seed), swaps=2)
    if not exchange:
        return False
    try:
        there = sequence(folder / "there", start, past, exchange, player.number)
    except Diverged:
        return False
    here = sequence(folder / "here", start, past, {}, player.number)
    assert len(here) == len(there)
    for one, other in zip(here, there, strict=True):
        said = f"{rules}, seed {seed}: {player} can tell the worlds apart"
        assert one == other, (said, changed_lines(one, other))
    return True


@pytest.mark.parametrize("rules", games("worlds"))
def test_two_tables_that_a_seat_cannot_tell_apart_send_the_same(
    rules: Rules, tmp_path: Path
) -> None:
    needs_secrets(rules)

    done = [compare_worlds(tmp_path / str(seed), rules, seed, 20) for seed in range(3)]

    if not any(done):
        pytest.skip("no game could be played again with other cards")


@pytest.mark.slow
@pytest.mark.parametrize("rules", [pytest.param(one, id=str(one)) for one in discovered()])
def test_they_send_the_same_in_many_games(rules: Rules, tmp_path: Path) -> None:
    needs_secrets(rules)

    seeds = range(FIRST, FIRST + MANY)
    done = sum(compare_worlds(tmp_path / str(seed), rules, seed, 100) for seed in seeds)

    print(f"{rules}: {done} of {MANY} games played again with other cards")
    if not done:
        pytest.skip("no game could be played again with other cards")


# --------------------------------------------------------------------------------- all at once


AT_ONCE = Rules(OWN / "at_once")


def forks(rules: Rules) -> bool:
    """Return whether several may act at once in a game."""
    return (
        "together" in (rules.path / "game.rules").read_text()
        or "as players" in (rules.path / "game.rules").read_text()
    )


def answer_at_once(folder: Path, rules: Rules, seed: int, answers: int) -> int:
    """Play a game at random; while several act at once, an answer of one changes nothing that the others
    are sent. Return how often that was so."""
    random = Random(f"at once {rules} {seed}")
    watched = Watched.made(folder, rules, counts(rules, random))
    compared, now = 0, dict[int, dict[str, str]]()
    for _ in range(answers):
        state = watched.table.state
        if state.is_terminal():
            break
        fork = state.store.fork
        seats = () if fork is None else watched.seats
        before = {seat: now.get(seat) or watched.sent(seat) for seat in seats}
        now = {}
        undo = fork is not None and random.random() < 0.3
        who = None
        if undo:
            able = [seat for seat in watched.table.people if watched.table.can_take_back(seat)]
            who = random.choice(able) if able else None
            undo = who is not None and watched.table.take_back(who) == "undone"
        if not undo:
            who = watched.answer(random)
        now_open = watched.table.state.store.fork
        if fork is not None and now_open is not None and now_open.log is fork.log:
            compared += 1
            for seat, sent in before.items():
                if seat != who:
                    now[seat] = watched.sent(seat)
                    wrong = {part for part in sent if sent[part] != now[seat].get(part)}
                    said = f"{rules}, seed {seed}: seat {seat} notices that {who} has answered"
                    assert not wrong, (said, wrong)
    watched.worker.storage.close()
    return compared


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [pytest.param(one, id=str(one)) for one in discovered() if forks(one)]
)
def test_nobody_notices_them_in_many_games(rules: Rules, tmp_path: Path) -> None:
    seeds = range(FIRST, FIRST + MANY)

    done = sum(answer_at_once(tmp_path / str(seed), rules, seed, 200) for seed in seeds)

    print(f"{rules}: {done} answers beside others in {MANY} games")


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(AT_ONCE, id="at_once"),
        *(
            pytest.param(rules, id=str(rules), marks=LEFT_OUT)
            for rules in discovered()
            if forks(rules) and rules != AT_ONCE
        ),
    ],
)
def test_nobody_notices_answers_while_several_act_at_once(rules: Rules, tmp_path: Path) -> None:
    answers = BESIDE if rules == AT_ONCE else 40

    done = answer_at_once(tmp_path, rules, 1, answers)

    if not done:
        pytest.skip("nobody has answered beside others")


# ----------------------------------------------------------------------------- leaks are found


KUHN = next(rules for rules in discovered() if rules.path.name == "kuhn_poker")


def test_pages_that_show_too_much_are_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Visibility, "sees", lambda self, store, place, player: True)

    with pytest.raises(AssertionError, match="Card"):
        look_for_leaks(folder, KUHN, 0, 4, 4)


def test_a_seed_in_a_page_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = table_worker.table_page
    monkeypatch.setattr(
        table_worker, "table_page", lambda *given: f"{plain(*given)}<!-- {SEED} -->"
    )

    with pytest.raises(AssertionError, match="the seed"):
        look_for_leaks(folder, KUHN, 0, 4, 4)


def test_worlds_that_are_told_apart_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visibility, "sees", lambda self, store, place, player: True)

    with pytest.raises(AssertionError, match="apart"):
        for seed in range(20):
            compare_worlds(tmp_path / str(seed), KUHN, seed, 3)


def test_news_of_answers_beside_others_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "stamp", lambda self, seat: f"{self.n}.0")

    with pytest.raises(AssertionError, match="notices"):
        for seed in range(5):
            answer_at_once(tmp_path / str(seed), AT_ONCE, seed, 10)


# ------------------------------------------------------------------------------- the application


async def headers_and_links(here: Here) -> None:
    """Look at all that comes over the wire of a table of two."""
    table = await here.table("kuhn_poker", "me", "link")
    ((seed,),) = here.rows("select seed from tables where id=?", table.table)
    parts = (
        "",
        "view.json",
        "log",
        "log.json",
        "why?option=x",
        "rules",
        "record",
        "links",
        "news",
        "x",
    )
    for seat, link in table.links.items():
        others = [one.split("/")[3].encode() for one in table.links.values() if one != link]
        for part in parts:
            for got in (await here.get(link + part), await here.post(link + part, n=-1)):
                assert seed.encode() not in got.sent, (seat, part)
                assert not [one for one in others if one in got.sent], (seat, part)


def test_no_header_and_no_page_tells_a_seed_or_the_link_of_somebody_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(headers_and_links(Here(folder, monkeypatch)))


def test_what_is_saved_with_all_secrets_cannot_be_played_on_from(folder: Path) -> None:
    for seed in range(20):
        watched = Watched.made(folder / str(seed), KUHN, 2)
        random = Random(seed)
        while not watched.table.state.is_terminal():
            last = watched.answer(random)
        able = watched.table.can_take_back(last)
        watched.sent(1 - last)

        assert not watched.table.can_take_back(last)
        assert watched.table.take_back(last) == "learned"
        if able:
            again = Table.opened(watched.table.row, watched.table.game, watched.worker.storage)
            assert again.is_open and again.take_back(last) == "learned"
            return
    pytest.fail("nothing could have been taken back")
