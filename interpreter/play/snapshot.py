"""A state as bytes and back, for search, replay and servers: `record` is the form for people.

    codec = snapshots_of(program)                     # made once for a loaded game
    data = codec.pack(store)
    store = codec.unpack(data)

| bytes | what |
| --- | --- |
| 38 | the head: `RWSN`, number of the form, number of players, digests of rules, options, names |
| 1 | flags: explicit chance, strict |
| 8 | the state of the generator, lowest byte first |
| … | the columns, section by section (`pack`) |
| … | JSON: frames, transaction, viewer, dictated outcomes, counters, other columns, past, log; where several act at once, their branches |
| 8 | BLAKE2b of all bytes before |

Equal positions with equal counters have equal bytes. A trial is no state, and a budget belongs to a
step, so neither is written, as `Store.clone` leaves them behind.

Nothing is believed: reading checks the head, that nothing was damaged, that every entry is one that
its field may hold, that every thing lies in one place, that what is undecided of a pile is as a
shuffle leaves it, that the running rules exist and wait for somebody. Nothing is executed. Whatever
is wrong is a `RecordError` of one line. The checksum is no signature: bytes that somebody made up on
purpose may still say that a rule runs with names it would not have, and to play on from there may
fail. What is made in memory is bounded by the bytes (some twenty times as much, at the worst), of which
there are at most `LARGEST`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from struct import Struct, error
from typing import Any

import attrs

from rulewright.interpreter.engine.load import ROOT
from rulewright.interpreter.ir.machine import DEEPEST
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.play.pack import PackPlan, plan_of
from rulewright.interpreter.program import branch_codec
from rulewright.interpreter.program.encoding import Plain, ValueCodec, field_fits
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.until import check_records
from rulewright.interpreter.state.created_things import gone_of, lay_out, take_in
from rulewright.interpreter.state.errors import MOST_CREATED, PlayError, RecordError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import EVENTS, RANDOM, SCALAR_COUNT, SCALARS
from rulewright.interpreter.state.log import Event, Log, Numbers, longer
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Closure, PlaceClosure, Thing, Value, VerbValue

FORMAT = 3
"""The number of this form; bytes with another one are from another version."""

LARGEST = 16_000_000
"""How many bytes a snapshot may have."""

MAGIC = b"RWSN"
CHECK = 8
EXPLICIT, STRICT = 1, 2

_HEAD = Struct("<4sBB16s8s8s")
_FRONT = Struct("<BQ")

_encoded = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decoded = json.JSONDecoder().decode


@attrs.frozen
class StatePast:
    """What led to a position: a state knows it, its store does not."""

    seed: int | str = 0
    answers: tuple[Answer, ...] = ()


class Snapshots:
    """Packs and unpacks the states of one loaded game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = layout = program.layout
        self.codec = ValueCodec(layout)
        self.plan: PackPlan = plan_of(layout)
        self.units = (ROOT, *sorted(program.plans))
        self.unit_numbers = {unit: number for number, unit in enumerate(self.units)}
        options = {name: self.codec.encode(value) for name, value in layout.options.items()}
        names = [seat.name for seat in layout.players]
        self.head = _HEAD.pack(
            MAGIC,
            FORMAT,
            len(names),
            _digest(program.game.digest, 16),
            _digest(json.dumps(options, sort_keys=True), 8),
            _digest(json.dumps(names), 8),
        )
        ranges = (
            (slot, field, program.evaluator.range_check(field.id))
            for slot, field in layout.fields.items()
            if slot < layout.size
        )
        self.ranges = tuple((slot, field.span, check) for slot, field, check in ranges if check)
        self.piles = tuple(layout.bag_slots.items())
        self.form = branch_codec.BranchForm(self._frame, self._frames, self._event, self._events)

    # ---------------------------------------------------------------------------------------- write

    def pack(self, store: Store, log: bool = False, past: StatePast | None = None) -> bytes:
        """Return a state that stands at a decision, at chance, or at the end.

        With `log` its events are written, too; without, only how many there were. Raises
        `ValueError` for a store inside a trial or in the middle of a step.
        """
        if store.trail is not None:
            raise ValueError("a trial cannot be packed")
        if not self._waits(store):
            raise ValueError("a game that waits for nobody cannot be packed")
        store, fork, at = branch_codec.split(store)
        store.count_events()
        columns, encode = store.columns, self.codec.encode
        scalars = columns[SCALARS]
        flags = EXPLICIT * store.explicit_chance + STRICT * store.strict
        parts = [self.head, _FRONT.pack(flags, scalars[RANDOM])]
        parts += [section.pack(columns) for section in self.plan.sections]
        rest = [
            [self._frame(frame) for frame in store.frames],
            encode(store.transaction),
            encode(store.viewer),
            encode(store.dictated),
            encode(tuple(scalars[RANDOM + 1 :])),
            [encode(tuple(columns[slot])) for slot in self.plan.others],
            None if past is None else self._past(past),
            [self._event(event) for event in store.events()] if log else None,
            [
                [kind, gone_of(store, kind), encode(store.things(kind))]
                for kind in self.layout.living_slots
            ],
        ]
        if fork is not None:
            rest.append(branch_codec.encode(fork, at, self.codec, self.form))
        parts.append(_encoded(rest).encode("ascii"))
        data = b"".join(parts)
        if len(data) + CHECK > LARGEST:
            raise ValueError(f"this state is too large: {len(data):,} bytes")
        return data + blake2b(data, digest_size=CHECK).digest()

    def _frame(self, frame: Frame) -> list[Plain]:
        encode, locals = self.codec.encode, frame.locals
        # Equal frames may have got their names in different orders.
        named = [[name, encode(locals[name])] for name in sorted(locals)]
        return [self.unit_numbers[frame.unit], frame.node, encode(frame.me), named]

    def _past(self, past: StatePast) -> list[Plain]:
        encode = self.codec.encode
        answers = [
            [
                *(answer.events, answer.player, answer.site, encode(answer.value), answer.label),
                *([True] if answer.whole else []),
            ]
            for answer in past.answers
        ]
        return [past.seed, answers]

    def _event(self, event: Event) -> list[Plain]:
        encode = self.codec.encode
        witnesses = map(_bits, (event.seers, event.counters, event.strangers))
        return [event.kind, encode(event.actor), encode(event.data), *witnesses]

    # ----------------------------------------------------------------------------------------- read

    def unpack(self, data: bytes) -> Store:
        """Return the state that was packed; without its log, unless that was packed, too.

        Raises `RecordError` if the bytes are damaged, or not of this game with these players.
        """
        return self.read(data)[0]

    def read(self, data: bytes) -> tuple[Store, StatePast]:
        """Return the state that was packed, and what led to it, as `unpack` does."""
        if not data.startswith(self.head):
            raise RecordError(self._other(data))
        body = data[:-CHECK]
        if len(data) > LARGEST or data[-CHECK:] != blake2b(body, digest_size=CHECK).digest():
            raise RecordError("this snapshot is damaged")
        try:
            return self._store(body)
        except Exception as wrong:
            # The checksum is right, so somebody made it up. What may go wrong with such bytes is
            # anything that tables, JSON and the range of a field raise: all of it means the same.
            told = wrong.diagnostic().headline if isinstance(wrong, PlayError) else str(wrong)
            short = " ".join(told.split())[:200] or type(wrong).__name__
            raise RecordError(f"this snapshot cannot be read: {short}") from None

    def _other(self, data: bytes) -> str:
        """Return why bytes with another head are not for this game."""
        try:
            magic, form, players, *digests = _HEAD.unpack_from(data)
        except (error, TypeError):
            return "this is no snapshot"
        _, own_form, own_players, *own = _HEAD.unpack(self.head)
        if magic != MAGIC:
            return "this is no snapshot"
        if form != own_form:
            return f"this snapshot is of another version (form {form})"
        if digests[0] != own[0]:
            return "this snapshot was made under other rules than these"
        if players != own_players:
            return f"this snapshot is of a game of {players} players, not of {own_players}"
        if digests[1] != own[1]:
            return "this snapshot was made with other options"
        return "this snapshot is of a game of players with other names"

    def _store(self, body: bytes) -> tuple[Store, StatePast]:
        layout = self.layout
        at = len(self.head)
        flags, random = _FRONT.unpack_from(body, at)
        at += _FRONT.size
        columns: list[list[Value]] = [[]] * layout.size
        for section in self.plan.sections:
            at = section.unpack(body, at, columns)
        for slot, count in self.plan.bare:
            columns[slot] = [None] * count
        plain = _decoded(body[at:].decode("ascii"))
        frames, transaction, viewer, dictated, scalars, others, past, log, living, *fork = plain
        columns[SCALARS] = self._scalars(random, scalars)
        store = Store(layout, columns)
        gone = self._gone(living)
        for kind, left in gone.items():
            columns[layout.place_slots[kind]] = [None] * len(left)
        self._others(columns, others)
        for kind, left, things in living:
            take_in(store, kind, self._tuple(things), left)
        lay_out(store, self.plan.loose, gone)
        self._check(store)
        store.frames = self._frames(frames)
        store.transaction = self._transaction(transaction, len(frames))
        store.viewer = self._player(viewer)
        store.dictated = self._tuple(dictated)
        if flags > EXPLICIT + STRICT:
            raise ValueError("the flags are unknown")
        store.explicit_chance = bool(flags & EXPLICIT)
        store.strict = bool(flags & STRICT)
        if log is not None:
            store.log = store.counted = self._log(log, columns[SCALARS][EVENTS])
        self.codec.counts = None
        if fork:
            (together,) = fork
            branch_codec.restore(together, store, self.program, self.form)
        if not self._waits(store):
            raise ValueError("the game waits for nobody")
        return store, StatePast() if past is None else self._read_past(past)

    def _waits(self, store: Store) -> bool:
        if not store.frames or store.explicit_chance:
            return True
        return self.program.op(store.frames[-1]).kind in ("decide", "chance")

    # --------------------------------------------------------------------------------------- columns

    def _scalars(self, random: int, plain: Plain) -> list[Value]:
        scalars = [random, *self._tuple(plain)]
        _, ending, decisions, events, awake, lasting, opened, *_ = scalars
        if len(scalars) != SCALAR_COUNT or type(awake) is not bool:
            raise ValueError("the counters are incomplete")
        if not (ending is None or isinstance(ending, str)):
            raise ValueError("the reason of the end is no text")
        if not (_is_count(decisions) and _is_count(events)):
            raise ValueError("the counters do not fit")
        if not branch_codec.fits_offers(self.program, opened):
            raise ValueError("it does not fit whether offers are open")
        check_records(self.program.game, lasting)
        self._know(lasting)
        return scalars

    def _gone(self, plain: list[Plain]) -> dict[str, list[int]]:
        """Return what has left the game, and note how many things there have been."""
        layout = self.layout
        found: dict[str, list[int]] = {}
        for kind, left, _ in plain:
            if not all(type(seers) is int for seers in left):
                raise ValueError("who saw it is a number")
            found[kind] = left
        counts = {kind: len(left) for kind, left in found.items()}
        if list(found) != list(layout.living_slots) or any(
            not 0 <= count - layout.tabled[kind] <= MOST_CREATED for kind, count in counts.items()
        ):
            raise ValueError("it does not say which things there are")
        self.codec.counts = counts
        for kind, count in counts.items():
            if count:
                layout.thing(kind, count - 1)
        return found

    def _others(self, columns: list[list[Value]], plain: list[Plain]) -> None:
        layout = self.layout
        counts = self.codec.counts or {}
        owners = {slot: kind for kind, slot in layout.owner_slots.items()}
        bags = {bag: layout.fields[slot].holder for slot, bag in layout.bag_slots.items()}
        for slot, held in zip(self.plan.others, plain, strict=True):
            columns[slot] = column = list(self._tuple(held))
            kind = owners.get(slot) or bags.get(slot)
            if kind is not None:
                if len(column) != counts[kind]:
                    raise ValueError(f"what belongs to {kind} is not as it should be")
                if slot in bags and not all(_is_count(number) for number in column):
                    raise ValueError("what is undecided is a number")
                if slot in owners:
                    for owner in column:
                        self._owner(owner)
                continue
            field = layout.fields[slot]
            if len(column) != counts.get(field.holder or "", layout.length(field)):
                raise ValueError(f"`{field.id}` is not as it should be")
            for value in column:
                if not field_fits(layout, field, value):
                    raise ValueError(f"`{field.id}` cannot hold {value!r}")

    def _check(self, store: Store) -> None:
        """Check that numbers are in the ranges of their fields, and piles as they are shuffled."""
        layout, columns = self.layout, store.columns
        for slot, span, check in self.ranges:
            for place, value in zip(layout.places[slot], columns[slot], strict=False):
                check(store, place.holder, value, span)
        for slot, bag in self.piles:
            for count, cards in zip(columns[bag], columns[slot], strict=True):
                if count:
                    numbers = [card.number for card in cards[:count]]
                    if len(numbers) != count or numbers != sorted(numbers):
                        raise ValueError(f"`{layout.fields[slot].id}` has {count} undecided cards")

    # ---------------------------------------------------------------------------------------- values

    def _tuple(self, plain: Plain) -> tuple[Value, ...]:
        value = self.codec.decode(plain)
        if not isinstance(value, tuple):
            raise ValueError(f"{plain!r} is no list")
        return value

    def _player(self, plain: Plain) -> Thing | None:
        return self._owner(self.codec.decode(plain))

    def _owner(self, value: Value) -> Thing | None:
        if value is None or (isinstance(value, Thing) and value.kind == "Player"):
            return value
        raise ValueError(f"{value!r} is no player")

    def _transaction(self, plain: Plain, frames: int) -> tuple[Any, ...] | None:
        value = self.codec.decode(plain)
        match value:
            case None:
                return None
            case (Thing(kind="Player"), int(depth), int()) if 0 <= depth < max(frames, 1):
                return value  # type: ignore[no-any-return]
        raise ValueError("what is decided together is not as it should be")

    def _frames(self, plain: list[Plain]) -> list[Frame]:
        if len(plain) > DEEPEST:
            raise ValueError("too many rules run inside each other")
        # The code of all of them first: what they hand on is known by then.
        for number, node, _, _ in plain:
            if not (_is_count(number) and _is_count(node)):
                raise ValueError("a rule has a number")
            if node >= len(self.program.code[self.units[number]]):
                raise ValueError(f"there is no rule {self.units[number]}#{node}")
        return [
            Frame(self.units[number], node, self._locals(locals), self._player(me))
            for number, node, me, locals in plain
        ]

    def _locals(self, plain: list[Plain]) -> dict[str, Value]:
        decode = self.codec.decode
        locals = {}
        for name, held in plain:
            if type(name) is not str:
                raise ValueError("names are texts")
            locals[name] = value = decode(held)
            if type(held) is list or type(held) is dict:
                self._know(value)
        return locals

    def _know(self, value: Value) -> None:
        """Check that the code of what is handed on exists; compile it if need be."""
        match value:
            case Closure(lambda_id, locals):
                self._know_code(lambda_id, self.program.evaluator.lambdas)
                self._know(tuple(held for _, held in locals))
            case PlaceClosure(lambda_id, locals):
                self._know_code(lambda_id, self.program.evaluator.place_lambdas)
                self._know(tuple(held for _, held in locals))
            case VerbValue(_, _, arguments):
                self._know(arguments)
            case tuple():
                for item in value:
                    if type(item) not in _BARE:
                        self._know(item)

    def _know_code(self, id: str, known: Mapping[str, object]) -> None:
        if id not in known:
            # Whoever handed it on has returned: it may be any of them.
            for unit in self.program.plans:
                _ = self.program.code[unit]
        if id not in known:
            raise ValueError(f"there is no code {id}")

    # ------------------------------------------------------------------------------------- the past

    def _read_past(self, plain: list[Plain]) -> StatePast:
        seed, answers = plain
        if type(seed) is not int and type(seed) is not str:
            raise ValueError("a seed is a number or a text")
        return StatePast(seed, tuple([self._answer(answer) for answer in answers]))

    def _answer(self, plain: list[Plain]) -> Answer:
        match plain:
            case [int(events), None | int() as player, str(site), value, str(label), *whole]:
                if whole in ([], [True]) and player in (None, *range(len(self.layout.players))):
                    return Answer(
                        events, player, site, self.codec.decode(value), label, bool(whole)
                    )
        raise ValueError("an answer is not as it should be")

    def _log(self, plain: list[Plain], most: int) -> Log | None:
        if len(plain) > most:
            raise ValueError("there are more events than have happened")
        log: Log | None = None
        for event in self._events(plain):
            log = longer(log, event)
        return log

    def _events(self, plain: list[Plain]) -> Iterator[Event]:
        numbers = _PlayerSets(len(self.layout.players))
        for kind, actor, data, *witnesses in plain:
            if type(kind) is not str:
                raise ValueError("the kind of an event is a text")
            seers, counters, strangers = map(numbers.__getitem__, witnesses)
            yield Event(kind, self._player(actor), self._tuple(data), seers, counters, strangers)


class _PlayerSets(dict[int, Numbers]):
    """The sets of players by their bits; equal ones are one object."""

    def __init__(self, players: int) -> None:
        self.players = players

    def __missing__(self, bits: int) -> Numbers:
        if not (_is_count(bits) and bits < 1 << self.players):
            raise ValueError("an event was seen by nobody of these")
        found = frozenset(seat for seat in range(self.players) if bits >> seat & 1)
        self[bits] = found
        return found


_BARE = frozenset({Thing, int, bool, str, type(None)})


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _digest(text: str, size: int) -> bytes:
    return blake2b(text.encode(), digest_size=size).digest()


def snapshots_of(program: Program) -> Snapshots:
    """Return what packs and unpacks the states of a program; it is made once."""
    if program.snapshots is None:
        program.snapshots = Snapshots(program)
    found: Snapshots = program.snapshots
    return found
