"""The file in which the tables lie: what has been done at each, and who may sit where.

SQLite with a write-ahead log and `synchronous=FULL`: what is written is there after a kill or a loss of power,
and what is not written has not happened. Each process has a connection of its own; a table is written to by one
of them, and a row that is there already is an error, so that two never go on from the same point.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from rulewright.interpreter.web.tokens import new_key

FILE = "tables.sqlite"
FORMAT = 1
BUSY_SECONDS = 10.0
WATCHER = -1
"""The seat of a link to watch."""

SCHEMA = """
create table settings (name text primary key, value blob not null) strict;
create table tables (
  id text primary key, game text not null, setup text not null, seed text not null, digest text not null,
  rules text not null, places text not null, made real not null, maker text, ended integer not null default 0
) strict;
create table seats (
  table_id text not null references tables(id) on delete cascade, seat integer not null, token_hash text unique,
  name text not null, agent text, opened integer not null default 0, primary key (table_id, seat)
) strict;
create table answers (
  table_id text not null references tables(id) on delete cascade, n integer not null, kind text not null,
  seat integer not null, given text not null, at real not null, primary key (table_id, n)
) strict;
create table packs (
  table_id text not null references tables(id) on delete cascade, n integer not null, bytes blob not null,
  beside text not null, primary key (table_id, n)
) strict;
create table dropped (
  table_id text not null references tables(id) on delete cascade, digest text not null, n integer not null,
  kind text not null, seat integer not null, given text not null, at real not null
) strict;
create table kept (
  browser text not null, table_id text not null references tables(id) on delete cascade, seat integer not null,
  own integer not null, token blob not null, at real not null, primary key (browser, table_id, seat, own)
) strict;
create index tables_made on tables(maker, made);
"""

LATER_SCHEMA = """
create table if not exists followed (
  table_id text primary key references tables(id) on delete cascade,
  next_id text not null references tables(id) on delete cascade, seat integer not null
) strict;
create table if not exists more_tokens (
  token_hash text primary key, table_id text not null references tables(id) on delete cascade, seat integer not null
) strict
"""
"""What files of an earlier version do not have: it only adds."""

_TOUCHED = """
select id, max(made, coalesce((select max(at) from answers where table_id=id), 0)) as touched from tables
"""


class StorageError(ValueError):
    """The file cannot be used; one clear line."""


class TakenError(Exception):
    """Somebody else has written what was to be written: the table has to be read again."""


@attrs.frozen
class Setup:
    """How a table was set up: in the words with which a game is loaded."""

    variants: tuple[str, ...]
    options: Mapping[str, Any]
    names: tuple[str, ...]


@attrs.frozen
class TableRow:
    """A table as it was made."""

    id: str
    game: str
    """By which name it is served."""

    setup: Setup
    seed: int | str
    digest: str
    """Of what its rules mean."""

    rules: Mapping[str, str]
    """The digests of its definitions."""

    places: Mapping[int, int]
    """Where the generators of agents stood when it was made, by seats."""

    made: float = 0.0
    ended: bool = False


@attrs.frozen
class SeatRow:
    """A seat of a table, or (`WATCHER`) the link for those who watch."""

    table: str
    seat: int
    name: str
    agent: str | None
    opened: bool
    """Whether somebody has followed its link."""


@attrs.frozen
class Done:
    """Something that was done at a table: an answer, or a step back."""

    n: int
    kind: str
    seat: int
    given: Mapping[str, Any]


@attrs.frozen
class Pack:
    """A state of a table, so that it need not be played from the beginning."""

    n: int
    """After how much that was done."""

    bytes: bytes
    beside: Mapping[str, Any]
    """What the table keeps beside the state."""


@attrs.frozen
class Kept:
    """A link that a browser has seen."""

    table: str
    seat: int
    own: bool
    """Whether it sits there; else it has only made the link."""

    token: bytes


def located(folder: Path) -> Path:
    """Return the file in a folder, which is made if it is not there. Raises `StorageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / FILE
        # Tokens are stored as hashes, but hands of cards are not: nobody else reads this file.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        told = error.strerror or "it cannot be opened"
        raise StorageError(f"`{folder}` cannot hold tables: {told}") from None
    return path


class Storage:
    """One process's connection to the file of the tables."""

    def __init__(self, path: Path) -> None:
        """Open the file, and make its tables if it is empty. Raises `StorageError`."""
        try:
            self.base = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self.base.execute("pragma journal_mode=wal")
            self.base.execute("pragma synchronous=full")
            self.base.execute("pragma foreign_keys=on")
            self._lay_out()
        except sqlite3.Error as error:
            raise StorageError(f"`{path}` cannot be used: {error}") from None

    def _lay_out(self) -> None:
        (form,) = self.base.execute("pragma user_version").fetchone()
        if form == 0:
            with self.writing():
                (form,) = self.base.execute("pragma user_version").fetchone()
                if form == 0:
                    for statement in SCHEMA.split(";"):
                        self.base.execute(statement)
                    self.base.execute("insert into settings values ('key', ?)", [new_key()])
                    self.base.execute(f"pragma user_version={FORMAT}")
                    form = FORMAT
        if form != FORMAT:
            raise StorageError(f"the tables were written by another version (form {form})")
        for statement in LATER_SCHEMA.split(";"):
            self.base.execute(statement)

    def close(self) -> None:
        """Close the connection."""
        self.base.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all of something, or nothing."""
        self.base.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.base.execute("rollback")
            raise
        self.base.execute("commit")

    def key(self) -> bytes:
        """Return the key with which this server seals texts."""
        (key,) = self.base.execute("select value from settings where name='key'").fetchone()
        return bytes(key)

    # --------------------------------------------------------------------------------------- tables

    def add_table(
        self,
        row: TableRow,
        seats: Sequence[tuple[int, str, str | None, str | None]],
        maker: str | None,
        done: Sequence[Done] = (),
    ) -> None:
        """Write a new table: its seats as number, name, agent and hash of the token; and what was done
        before it came here."""
        now = time.time()
        setup = row.setup
        with self.writing():
            self.base.execute(
                "insert into tables values (?,?,?,?,?,?,?,?,?,0)",
                [
                    *(row.id, row.game),
                    _text([list(setup.variants), dict(setup.options), list(setup.names)]),
                    *(_text(row.seed), row.digest, _text(dict(row.rules))),
                    *(_text({str(seat): place for seat, place in row.places.items()}), now, maker),
                ],
            )
            self.base.executemany(
                "insert into seats(table_id, seat, name, agent, token_hash) values (?,?,?,?,?)",
                [(row.id, *seat) for seat in seats],
            )
            for one in done:
                self._add_done(row.id, one, now)

    def table(self, id: str) -> TableRow | None:
        """Return a table; None if there is none of that name."""
        found = self.base.execute(
            "select id, game, setup, seed, digest, rules, places, made, ended from tables where id=?",
            [id],
        ).fetchone()
        if found is None:
            return None
        id, game, setup, seed, digest, rules, places, made, ended = found
        variants, options, names = json.loads(setup)
        return TableRow(
            id,
            game,
            Setup(tuple(variants), options, tuple(names)),
            json.loads(seed),
            digest,
            json.loads(rules),
            {int(seat): place for seat, place in json.loads(places).items()},
            made,
            bool(ended),
        )

    def count_tables(self, maker: str | None = None, since: float = 0.0) -> int:
        """Return how many tables there are, or how many somebody has made since then."""
        where = "1" if maker is None else "maker=?"
        given: list[Any] = [] if maker is None else [maker]
        asked = f"select count(*) from tables where {where} and made>=?"
        (count,) = self.base.execute(asked, [*given, since]).fetchone()
        return int(count)

    def touched(self, id: str) -> float:
        """Return when something was done at a table last; the end of time if there is none."""
        found = self.base.execute(f"{_TOUCHED} where id=?", [id]).fetchone()
        return math.inf if found is None else float(found[1])

    def untouched(self, since: float) -> tuple[str, ...]:
        """Return the tables at which nothing has been done since then."""
        found = self.base.execute(f"select id from ({_TOUCHED}) where touched<?", [since])
        return tuple(id for (id,) in found)

    def delete_table(self, id: str) -> None:
        """Delete a table, with its links and all that was done there."""
        self.base.execute("delete from tables where id=?", [id])

    def change_rules(self, id: str, digest: str, rules: Mapping[str, str], done: int) -> None:
        """Note that a table goes on under other rules after so much that was done; what came behind
        that counts no longer, and is laid aside."""
        with self.writing():
            self.base.execute(
                "insert into dropped select id, digest, n, kind, seat, given, at from answers"
                " join tables on id=table_id where table_id=? and n>=?",
                [id, done],
            )
            self.base.execute(
                "update tables set digest=?, rules=?, ended=0 where id=?",
                [digest, _text(dict(rules)), id],
            )
            self.base.execute("delete from packs where table_id=?", [id])
            self.base.execute("delete from answers where table_id=? and n>=?", [id, done])

    # ---------------------------------------------------------------------------------------- seats

    def seat_of(self, table: str, token_hash: str) -> SeatRow | None:
        """Return the seat to which a token belongs; None if it belongs to none."""
        found = self.base.execute(
            "select table_id, seat, name, agent, opened from seats"
            " where table_id=? and (token_hash=? or seat in"
            " (select seat from more_tokens where table_id=? and token_hash=?))",
            [table, token_hash, table, token_hash],
        ).fetchone()
        return None if found is None else _seat(found)

    def seats(self, table: str) -> tuple[SeatRow, ...]:
        """Return the seats of a table, those who watch first."""
        found = self.base.execute(
            "select table_id, seat, name, agent, opened from seats where table_id=? order by seat",
            [table],
        )
        return tuple(map(_seat, found))

    def note_opened(self, table: str, seat: int) -> None:
        """Note that somebody has followed the link of a seat."""
        self.base.execute(
            "update seats set opened=1 where table_id=? and seat=? and not opened", [table, seat]
        )

    # --------------------------------------------------------------------------------- playing again

    def follow(self, table: str, after: str, seat: int) -> None:
        """Note which table is played after another one, and who has made it."""
        self.base.execute("insert or replace into followed values (?,?,?)", [table, after, seat])

    def followed_by(self, table: str) -> tuple[str, int] | None:
        """Return the table that is played after another one, and the seat that has made it."""
        found = self.base.execute(
            "select next_id, seat from followed where table_id=?", [table]
        ).fetchone()
        return None if found is None else (found[0], found[1])

    def add_token(self, table: str, seat: int, token_hash: str) -> None:
        """Let one more token lead to a seat."""
        row = [token_hash, table, seat]
        self.base.execute("insert or ignore into more_tokens values (?,?,?)", row)

    # -------------------------------------------------------------------------------------- answers

    def done(self, table: str, since: int = 0) -> tuple[Done, ...]:
        """Return what was done at a table, in order, from a number on."""
        found = self.base.execute(
            "select n, kind, seat, given from answers where table_id=? and n>=? order by n",
            [table, since],
        )
        return tuple(Done(n, kind, seat, json.loads(given)) for n, kind, seat, given in found)

    def write(
        self, table: str, done: Sequence[Done], pack: Pack | None = None, ended: bool = False
    ) -> None:
        """Write what was done: it is safe when this returns. Raises `TakenError` if another process
        has written there."""
        now = time.time()
        try:
            with self.writing():
                for one in done:
                    self._add_done(table, one, now)
                if pack is not None:
                    self.base.execute("delete from packs where table_id=?", [table])
                    self.base.execute(
                        "insert or replace into packs values (?,?,?,?)",
                        [table, pack.n, pack.bytes, _text(dict(pack.beside))],
                    )
                self.base.execute("update tables set ended=? where id=?", [ended, table])
        except sqlite3.IntegrityError as error:
            raise TakenError(str(error)) from None

    def _add_done(self, table: str, one: Done, now: float) -> None:
        # The numbers have no gaps: what follows on nothing was made up from an old state.
        asked = "select coalesce(max(n) + 1, 0) from answers where table_id=?"
        (count,) = self.base.execute(asked, [table]).fetchone()
        if count != one.n:
            raise TakenError(f"{count} were done, not {one.n}")
        row = [table, one.n, one.kind, one.seat, _text(dict(one.given)), now]
        self.base.execute("insert into answers values (?,?,?,?,?,?)", row)

    def pack(self, table: str) -> Pack | None:
        """Return the newest pack of a table."""
        found = self.base.execute(
            "select n, bytes, beside from packs where table_id=? order by n desc limit 1", [table]
        ).fetchone()
        return None if found is None else Pack(found[0], found[1], json.loads(found[2]))

    # ----------------------------------------------------------------------------------------- kept

    def keep(self, browser: str, table: str, seat: int, own: bool, token: bytes) -> None:
        """Keep a link for a browser; one that is kept stays."""
        key = [browser, table, seat, own]
        asked = "select 1 from kept where browser=? and table_id=? and seat=? and own=?"
        if self.base.execute(asked, key).fetchone() is not None:
            # Who only reads never waits for those who write.
            return
        row = [*key, token, time.time()]
        self.base.execute("insert or ignore into kept values (?,?,?,?,?,?)", row)

    def kept(self, browser: str, table: str | None = None, most: int = 100) -> tuple[Kept, ...]:
        """Return the links that a browser has seen, the newest first; of all tables, or of one."""
        found = self.base.execute(
            "select table_id, seat, own, token from kept"
            " where browser=? and (? is null or table_id=?) order by at desc, seat limit ?",
            [browser, table, table, most],
        )
        return tuple(Kept(one[0], one[1], bool(one[2]), one[3]) for one in found)


def _seat(found: Sequence[Any]) -> SeatRow:
    table, seat, name, agent, opened = found
    return SeatRow(table, seat, name, agent, bool(opened))


def _text(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
