"""Several players at once as plain data: writes a fork as lists, texts and numbers, and reads it back.

`snapshot` writes the state in which the branches began as it writes any other, and what each branch
has made of it in this form. Reading believes nothing: a branch is laid over that state,
and what comes out must be a state as it can be in a game. What is wrong is a `ValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from rulewright.interpreter.program.branches import beginning, enter, park, seen_by, write_cells
from rulewright.interpreter.program.encoding import ValueCodec
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.until import check_records
from rulewright.interpreter.state.frames import DONE, HERE, NEW, WAITS, Branch, Fork, Frame
from rulewright.interpreter.state.layout import LASTING, SCALARS, Layout
from rulewright.interpreter.state.log import Event, Log, longer
from rulewright.interpreter.state.position_key import Cell
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)

Plain: TypeAlias = Any

LASTS = "until"
"""What is said until a verb ends is the only one of the scalars that a branch changes."""

PHASES = (NEW, HERE, WAITS, DONE)


@attrs.frozen
class BranchForm:
    """How frames and events are written and read."""

    frame: Callable[[Frame], Plain]
    frames: Callable[[list[Plain]], list[Frame]]
    event: Callable[[Event], Plain]
    events: Callable[[list[Plain]], Iterable[Event]]


def column_names(layout: Layout) -> dict[str, int]:
    """Return the columns by names that people can read."""
    return {
        **{field.id: slot for slot, field in layout.fields.items() if slot < layout.size},
        **{f"undecided {layout.fields[slot].id}": bag for slot, bag in layout.bag_slots.items()},
        **{f"place of {kind}": slot for kind, slot in layout.place_slots.items()},
        **{f"owner of {kind}": slot for kind, slot in layout.owner_slots.items()},
        **{f"watched {watch}": slot for watch, slot in layout.watch_slots.items()},
        LASTS: SCALARS,
        **{f"things of {kind}": slot for kind, slot in layout.living_slots.items()},
    }


def fits_offers(program: Program, opened: Value) -> bool:
    """Return whether a value can say whether offers are open in a game (`layout.OPENED`)."""
    return opened is None or (type(opened) is bool and bool(program.offers))


def split(store: Store) -> tuple[Store, Fork | None, int]:
    """Return the state in which the branches began (that of a store where nobody acts at once), the
    fork with all that they have done, and in which of them the store stands."""
    fork = store.fork
    if fork is None:
        return store, None, -1
    parked = store.clone()
    park(parked, HERE)
    return seen_by(store, None), parked.fork, fork.at


def encode(fork: Fork, at: int, codec: ValueCodec, form: BranchForm) -> dict[str, Plain]:
    """Return a fork as plain data."""
    names = {slot: name for name, slot in column_names(codec.layout).items()}
    return {
        "at": at,
        "begun": fork.begun,
        "branches": [_encoded(fork, one, codec, form, names) for one in fork.branches],
    }


def _encoded(
    fork: Fork, branch: Branch, codec: ValueCodec, form: BranchForm, names: Mapping[int, str]
) -> dict[str, Plain]:
    write = codec.encode
    return {
        "player": branch.player.key,
        "phase": branch.phase,
        "generator": f"{branch.random:#018x}",
        "events": branch.events,
        "transaction": write(branch.transaction),
        "eyes": write(branch.viewer),
        "opened": write(branch.opened),
        "ending": [] if branch.ending is None else [write(branch.ending[0])],
        "frames": [form.frame(frame) for frame in branch.frames],
        "changed": [[names[slot], index, write(value)] for slot, index, value in branch.cells],
        "log": [form.event(event) for event in fork.own_events(branch)],
    }


def restore(plain: Mapping[str, Plain], store: Store, program: Program, form: BranchForm) -> None:
    """Let a store that stands at a fork be in the branches again."""
    reader = _BranchReader(program, store, form)
    branches = tuple(reader.branch(one) for one in plain["branches"])
    at = plain["at"]
    if len({branch.player for branch in branches}) != len(branches):
        raise ValueError("nobody acts twice at once")
    if type(at) is not int or not 0 <= at < len(branches) or branches[at].phase != HERE:
        raise ValueError("the game is in no branch")
    if sum(branch.phase == HERE for branch in branches) != 1:
        raise ValueError("the game is in several branches")
    begun, new = plain["begun"], any(branch.phase == NEW for branch in branches)
    # While a driver says what chance brings before the first decision of the last one, none is new.
    if type(begun) is not bool or (new and begun) or not (new or begun or store.explicit_chance):
        raise ValueError("it does not fit who has begun")
    store.fork = reader.fork.having(branches=branches, begun=begun)
    enter(store, at)


class _BranchReader:
    """Reads the branches of a store."""

    def __init__(self, program: Program, store: Store, form: BranchForm) -> None:
        self.program = program
        self.codec = ValueCodec(store.layout)
        self.form = form
        self.slots = column_names(store.layout)
        self.fork = Fork(
            columns=beginning(store),
            frames=tuple(store.frames),
            branches=(),
            log=store.log,
        )
        if not store.frames or program.op(store.frames[-1]).kind != "fork":
            raise ValueError("the rules are at no place where several act at once")
        self.store = store

    def branch(self, plain: Mapping[str, Plain]) -> Branch:
        """Return one branch."""
        decode = self.codec.decode
        player, phase, events = decode(plain["player"]), plain["phase"], plain["events"]
        random = int(plain["generator"], 16)
        if not isinstance(player, Thing) or player.kind != "Player" or phase not in PHASES:
            raise ValueError("a branch is of a player")
        if type(events) is not int or not 0 <= random < 2**64:
            raise ValueError("the counters of a branch do not fit")
        transaction, viewer = decode(plain["transaction"]), decode(plain["eyes"])
        if viewer is not None and viewer is not player:
            raise ValueError(f"{player.key} acts with other eyes")
        opened = decode(plain["opened"])
        if not fits_offers(self.program, opened) or (phase in (NEW, DONE) and opened is not None):
            raise ValueError("it does not fit whether offers are open")
        log: Log | None = self.fork.log
        for event in self.form.events(plain["log"]):
            log = longer(log, event)
        branch = Branch(
            player=player,
            phase=phase,
            frames=tuple(self.frames(plain["frames"], player, phase)),
            cells=tuple(self.cells(plain["changed"])),
            random=random,
            events=events,
            transaction=self.transaction(transaction, player, len(plain["frames"])),
            viewer=viewer,
            opened=opened,
            ending=self.ending(plain["ending"]),
            log=log,
        )
        self.check(branch)
        return branch

    def frames(self, plain: list[Plain], player: Thing, phase: str) -> Iterator[Frame]:
        """Yield the frames of a branch, the first of which is at the fork itself."""
        found = self.form.frames(plain)
        if (phase == DONE) != (not found):
            raise ValueError("a branch runs until it is done")
        shared = self.fork.frames[-1]
        node = shared.node
        if found and found[0].unit != shared.unit:
            raise ValueError("a branch is of another verb")
        if found and node not in self.program.op(found[0]).loops:
            raise ValueError("a branch is at another place than its fork")
        if phase in (WAITS, HERE):
            kind = self.program.op(found[-1]).kind
            if kind != "decide" and not self.store.explicit_chance:
                raise ValueError("a branch waits for nobody")
        yield from found

    def transaction(self, value: Value, player: Thing, own: int) -> tuple[Any, ...] | None:
        """Return what is decided together in a branch."""
        most = len(self.fork.frames) - 1 + own
        match value:
            case None:
                return None
            case (Thing() as acting, int(depth), int()) if acting is player and 0 <= depth < most:
                return value  # type: ignore[no-any-return]
        raise ValueError("what is decided together in a branch is not as it should be")

    def ending(self, plain: list[Plain]) -> tuple[Value] | None:
        """Return the reason with which a branch has ended the game."""
        if not plain:
            return None
        (reason,) = map(self.codec.decode, plain)
        if not (reason is None or isinstance(reason, str)):
            raise ValueError("the reason of the end is no text")
        return (reason,)

    def cells(self, plain: list[Plain]) -> Iterator[Cell]:
        """Yield what a branch has changed."""
        last = (SCALARS, 0)
        growing = {
            slot: len(self.fork.columns[slot])
            for kind in self.store.layout.living_slots
            for slot in self.store.layout.columns_of(kind)
        }
        for name, index, value in plain:
            slot = self.slots.get(name, -1) if type(name) is str else -1
            if type(index) is not int or (slot, index) <= last:
                raise ValueError(f"{name!r} is nothing that a branch can change")
            if index == growing.get(slot):
                growing[slot] += 1
            elif not 0 <= index < len(self.fork.columns[slot]):
                raise ValueError(f"`{name}` has no entry {index}")
            last = slot, index
            yield slot, index, self.codec.decode(value)

    def check(self, branch: Branch) -> None:
        """Check that the state of a branch is one that can be."""
        copy = self.store.clone()
        write_cells(copy.columns, branch.cells)
        layout = copy.layout
        for kind in layout.living_slots:
            if len({len(copy.columns[slot]) for slot in layout.columns_of(kind)}) > 1:
                raise ValueError(f"things of {kind} are not as they should be")
        held = ([frame.locals.values() for frame in branch.frames], branch.cells)
        if any(thing.number >= copy.counts(thing.kind) for thing in _things_in(held)):
            raise ValueError("a branch speaks of what is not there")
        for breach in breaches(copy):
            raise ValueError(breach)
        for slot, index, value in branch.cells:
            if slot in layout.owner_slots.values():
                if value is not None and not (isinstance(value, Thing) and value.kind == "Player"):
                    raise ValueError(f"{value!r} owns nothing")
            elif slot == SCALARS:
                self.check_lasting(index, value)
            elif slot in layout.watch_slots.values():
                raise ValueError("conditions sleep in a branch")
            field = layout.fields.get(slot)
            check = None if field is None else self.program.evaluator.range_check(field.id)
            if field is not None and check is not None:
                check(copy, layout.places[slot][index].holder, value, field.span)

    def check_lasting(self, index: int, value: Value) -> None:
        """Check that nothing is said in a branch that was not said before."""
        check_records(self.program.game, value)
        before = {_said(one) for one in self.fork.columns[SCALARS][LASTING] or ()}
        if index != LASTING or not before.issuperset(map(_said, value or ())):
            raise ValueError("what is said until a verb ends is not of this game")


def _said(record: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return a record without the run of the verb for which it waits."""
    return (*record[:2], *record[3:])


def _things_in(value: Any) -> Iterator[Thing]:
    match value:
        case Thing():
            yield value
        case PlaceValue(holder=holder):
            yield from _things_in(holder)
        case VerbValue(arguments=arguments):
            yield from _things_in(arguments)
        case Closure(locals=locals) | PlaceClosure(locals=locals):
            yield from _things_in(locals)
        case str() | int() | None:
            return
        case Iterable():
            for item in value:
                yield from _things_in(item)
