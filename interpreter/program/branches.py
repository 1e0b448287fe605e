"""Several players at once: how a store goes from one branch to another, and what comes of them all.

`as ps together` runs its block once for each player, each on the state of the moment it began. The
store always stands in one of the branches: its columns, frames, log and stream of chance are those
of this branch, so that everything that looks at a store, or runs on it, needs to know nothing about
the others. At rest it stands in the branch of the first player, in seat order, who has something to
decide. Of the other branches `Store.fork` holds what they have made different.

When all are done they are joined, in the order of `ps`: what one of them has changed is as it left
it, numbers that several have changed grow by what each of them has added, and what several have put
at the end of a list or zone lies there one after the other. Nothing of this depends on the order in
which the players have answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright.dsl.model import types
from rulewright.interpreter.semantics import events
from rulewright.interpreter.state.created_things import renumbered
from rulewright.interpreter.state.frames import (
    DONE,
    HERE,
    NEW,
    NO_DEAD_ENDS,
    WAITS,
    Branch,
    Fork,
    Frame,
)
from rulewright.interpreter.state.layout import (
    AWAKE,
    DECISIONS,
    EVENTS,
    LASTING,
    OPENED,
    RANDOM,
    SCALARS,
    Layout,
)
from rulewright.interpreter.state.log import Log, longer
from rulewright.interpreter.state.position_key import Cell
from rulewright.interpreter.state.random import step
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

Change = tuple[Thing, Value]
"""Who has changed something, and what it is now."""


class Collision(Exception):
    """Several branches have changed what only one may change."""

    def __init__(self, slot: int, index: int) -> None:
        self.slot = slot
        self.index = index
        super().__init__(f"column {slot}, entry {index}")


# ------------------------------------------------------------------------------ begin and go around


def begin(store: Store, players: Sequence[Thing], body: int) -> None:
    """Let each of the players begin at a node of the frame on top; the store stands in none yet."""
    events = store.count_events()
    _, streams = _streams(store.random_state, len(players))
    new = [
        _new_branch(store.frames[-1], body, player, stream, events, store.log)
        for player, stream in zip(players, streams, strict=True)
    ]
    store.fork = Fork(
        columns=beginning(store),
        frames=tuple(store.frames),
        branches=tuple(new),
        log=store.log,
    )


def _new_branch(
    top: Frame, body: int, player: Thing, stream: int, events: int, log: Log | None
) -> Branch:
    frame = Frame(top.unit, body, top.locals.copy(), player)
    return Branch(player=player, phase=NEW, frames=(frame,), random=stream, events=events, log=log)


def begun_anew(fork: Fork, body: int, own: Branch | None) -> Fork:
    """Return a fork in which all have yet to begin, at a node of the frame that they share, but for the
    player who has done what is in his own branch. The store stands in none of them."""
    scalars = fork.columns[SCALARS]
    players = [branch.player for branch in fork.branches]
    _, streams = _streams(scalars[RANDOM], len(players))
    branches = [
        own
        if own is not None and player is own.player
        else _new_branch(fork.frames[-1], body, player, stream, scalars[EVENTS], fork.log)
        for player, stream in zip(players, streams, strict=True)
    ]
    return Fork(fork.columns, fork.frames, tuple(branches), log=fork.log)


def _streams(random: int, count: int) -> tuple[int, list[int]]:
    """Return where the generator of the game stands when so many streams have been made of it, and
    these."""
    streams = []
    for _ in range(count):
        random, stream = step(random)
        streams.append(stream)
    return random, streams


def beginning(store: Store) -> tuple[list[Value], ...]:
    """Return the columns of a store in which several begin to act at once."""
    columns = tuple([column.copy() for column in store.columns])
    # The decisions of all count together.
    columns[SCALARS][DECISIONS] = 0
    return columns


def park(store: Store, phase: str, ending: tuple[Value] | None = None) -> None:
    """Leave the branch in which the store stands; it stands in none until it enters another."""
    fork = store.fork
    assert fork is not None, "nobody acts at once"
    if fork.at < 0:
        return
    scalars = store.columns[SCALARS]
    left = Branch(
        player=fork.branches[fork.at].player,
        phase=phase,
        frames=() if phase == DONE else tuple(store.frames[len(fork.frames) - 1 :]),
        cells=tuple(different(fork.columns, store.columns)),
        random=scalars[RANDOM],
        events=store.count_events(),
        transaction=None if phase == DONE else store.transaction,
        viewer=None if phase == DONE else store.viewer,
        opened=None if phase == DONE else scalars[OPENED],
        ending=ending,
        learned=fork.learned,
        log=store.log,
        dead_ends=NO_DEAD_ENDS if phase == DONE else store.dead_ends,
    )
    store.fork = fork.having(branches=_with(fork, fork.at, left), at=-1)


def enter(store: Store, number: int) -> None:
    """Go into a branch; the store stands in none."""
    fork = store.fork
    assert fork is not None and fork.at < 0, "it stands somewhere"
    branch = fork.branches[number]
    _back(store, fork)
    _lay(store, fork, branch)
    here = Branch(branch.player)
    branches = _with(fork, number, here)
    store.fork = fork.having(branches=branches, at=number, learned=branch.learned)


def _with(fork: Fork, number: int, branch: Branch) -> tuple[Branch, ...]:
    return (*fork.branches[:number], branch, *fork.branches[number + 1 :])


def different(start: Sequence[list[Value]], columns: Sequence[list[Value]]) -> Iterator[Cell]:
    """Yield what is not as it was; of the scalars a branch has most for itself."""
    if start[SCALARS][LASTING] != columns[SCALARS][LASTING]:
        yield SCALARS, LASTING, columns[SCALARS][LASTING]
    for slot, (before, now) in enumerate(zip(start, columns, strict=True)):
        if slot != SCALARS and before != now:
            for index, (old, value) in enumerate(zip(before, now, strict=False)):
                if old is not value and old != value:
                    yield slot, index, value
            # What belongs to things that have been created meanwhile.
            for index in range(len(before), len(now)):
                yield slot, index, now[index]


def _back(store: Store, fork: Fork) -> None:
    """Let the columns be what they were when the branches began."""
    decisions = store.columns[SCALARS][DECISIONS]
    for column, start in zip(store.columns, fork.columns, strict=True):
        # Who plays holds on to the lists.
        column[:] = start
    store.columns[SCALARS][DECISIONS] = decisions


def _lay(store: Store, fork: Fork, branch: Branch) -> None:
    """Let a store in which all is as at the start be as it is in a branch."""
    columns = store.columns
    write_cells(columns, branch.cells)
    scalars = columns[SCALARS]
    scalars[RANDOM] = branch.random
    scalars[EVENTS] = branch.events
    scalars[OPENED] = branch.opened
    # Conditions sleep until all is joined.
    scalars[AWAKE] = False
    own = [frame.copy() for frame in branch.frames]
    store.frames = [*fork.frames[:-1], *own] if own else [frame.copy() for frame in fork.frames]
    store.log = store.counted = branch.log
    store.transaction, store.viewer = branch.transaction, branch.viewer
    store.dead_ends = branch.dead_ends


def write_cells(columns: list[list[Value]], cells: Iterable[Cell]) -> None:
    """Write what is different; columns grow where things have been created."""
    for slot, index, value in cells:
        if index == len(columns[slot]):
            columns[slot].append(value)
        else:
            columns[slot][index] = value


def go_on(store: Store) -> str:
    """Enter a branch that has not begun, or the first one, in seat order, that waits; return how far
    it was. If there is none, all are done, and the store stands in no branch."""
    fork = store.fork
    assert fork is not None, "nobody acts at once"
    for number, branch in enumerate(fork.branches):
        if branch.phase == NEW:
            enter(store, number)
            return NEW
    waiting = [
        (branch.player.number, number)
        for number, branch in enumerate(fork.branches)
        if branch.phase == WAITS
    ]
    store.fork = fork = fork.having(begun=True)
    if not waiting:
        return DONE
    enter(store, min(waiting)[1])
    return WAITS


def rests(store: Store) -> bool:
    """Return whether a store that has come to a decision may stay there. If some branch has not
    begun, it goes into that one; when all have, to the first that waits."""
    if store.fork is None or store.fork.begun:
        return True
    park(store, WAITS)
    return go_on(store) == WAITS


def turn_to(store: Store, player: Thing) -> None:
    """Let a store at rest stand in the branch of a player who has something to decide."""
    fork = store.fork
    if fork is not None and fork.player is not player:
        park(store, WAITS)
        enter(store, fork.branch_of(player))


def settle(store: Store) -> None:
    """Let a store that waits for an answer stand in the branch of the first player who has something
    to decide: so equal states are equal, whoever has answered last."""
    if store.fork is not None and store.fork.at >= 0:
        turn_to(store, deciding(store)[0])


# ------------------------------------------------------------------------------------------ looking


def deciding(store: Store) -> tuple[Thing, ...]:
    """Return who has something to decide in a fork at rest, in seat order; for those without a seat
    chance decides, when a driver says what it brings."""
    fork = store.fork
    assert fork is not None, "nobody acts at once"
    waiting = [branch.player for branch in fork.branches if branch.phase in (HERE, WAITS)]
    seated = [player for player in waiting if not store.layout.is_neutral(player)]
    return tuple(sorted(seated, key=lambda player: player.number))


def seen_by(store: Store, player: Thing | None) -> Store:
    """Return the state as a player has it before him: with what he has done himself while others act
    at the same time, and nothing of theirs. Nobody in particular sees the state as they began.

    It is a store to look at, not to go on with.
    """
    fork = store.fork
    if fork is None or (player is not None and fork.player is player):
        return store
    number = -1 if player is None else fork.branch_of(player)
    copy = Store(store.layout, [column.copy() for column in fork.columns])
    copy.columns[SCALARS][DECISIONS] = store.columns[SCALARS][DECISIONS]
    copy.explicit_chance, copy.strict = store.explicit_chance, store.strict
    # An example must learn which of its outcomes the copy draws, as it does from any other copy.
    copy.dictated = store.dictated
    copy.fork = fork.having(at=number)
    if number < 0:
        copy.frames = [frame.copy() for frame in fork.frames]
        copy.log = copy.counted = fork.log
    else:
        _lay(copy, fork, fork.branches[number])
    return copy


# -------------------------------------------------------------------------------------- taking back


def own_branch(store: Store, player: Thing) -> Branch | None:
    """Return what a player has done who acts while others do; None if he does not."""
    fork = store.fork
    number = -1 if fork is None else fork.branch_of(player)
    if fork is None or number < 0:
        return None
    if number != fork.at:
        return fork.branches[number]
    parked = store.clone()
    park(parked, WAITS)
    assert parked.fork is not None
    return parked.fork.branches[number]


def taken_back(store: Store, branch: Branch, decisions: int) -> None:
    """Let a branch be what it was so many decisions ago."""
    put_back(store, branch, decisions)
    go_on(store)


def put_back(store: Store, branch: Branch, decisions: int) -> None:
    """Do the same; the store stands in no branch then."""
    fork = store.fork
    assert fork is not None, "nobody acts at once"
    number = fork.branch_of(branch.player)
    park(store, WAITS)
    assert store.fork is not None
    store.fork = store.fork.having(branches=_with(store.fork, number, branch))
    store.columns[SCALARS][DECISIONS] -= decisions


# ------------------------------------------------------------------------------------------- joining


def join(store: Store) -> Fork:
    """Join the branches, which are all done, and return what they were; the store goes on where they
    began.

    Raises `Collision` if something was changed by several that only one may change.
    """
    fork = store.fork
    assert fork is not None and fork.at < 0, "somebody is not done"
    fork = renumbered(store.layout, fork)
    _back(store, fork)
    columns = store.columns
    write_cells(columns, sorted(joined(store.layout, fork), key=lambda cell: cell[:2]))
    log, counts = fork.log, []
    for branch in fork.branches:
        own = fork.own_events(branch)
        counts.append(len(own))
        for event in own:
            log = longer(log, event)
    store.log = store.counted = log
    random, streams = _streams(columns[SCALARS][RANDOM], len(fork.branches))
    if streams != [branch.random for branch in fork.branches]:
        # Chance has come somewhere: it is not to come in the same way once more.
        columns[SCALARS][RANDOM] = random
    columns[SCALARS][EVENTS] += sum(counts)
    events.joined(store, counts, [branch.player for branch in fork.branches])
    store.frames = [frame.copy() for frame in fork.frames]
    store.transaction = store.viewer = None
    store.fork = None
    return fork


def joined(layout: Layout, fork: Fork) -> Iterator[Cell]:
    """Yield everything that is different when the branches are joined."""
    changed: dict[tuple[int, int], list[Change]] = {}
    for branch in fork.branches:
        for slot, index, value in branch.cells:
            changed.setdefault((slot, index), []).append((branch.player, value))
    living = frozenset(layout.living_slots.values())
    for (slot, index), changes in changed.items():
        value = changes[0][1]
        if slot == SCALARS:
            # A verb for which something was said has ended in one of them.
            held = fork.columns[SCALARS][LASTING] or ()
            left = tuple(one for one in held if all(one in (now or ()) for _, now in changes))
            yield slot, index, left or None
            continue
        if len(changes) > 1 and slot in living:
            value = _those_there(fork.columns[slot][index], [value for _, value in changes])
        elif len(changes) > 1:
            field = layout.fields.get(slot)
            if field is None:
                raise Collision(slot, index)
            holder = layout.places[slot][index].holder
            try:
                value = _together(field.type, fork.columns[slot][index], changes, holder)
            except _Differ:
                raise Collision(slot, index) from None
        yield slot, index, value


class _Differ(Exception):
    pass


def _together(
    kind: types.Type, start: Value, changes: Sequence[Change], holder: Thing | None
) -> Value:
    """Return what several players have made of a value."""
    match kind:
        case types.NumberType():
            return start + sum(value - start for _, value in changes)
        case types.FamilyType(inner, _):
            return tuple(
                _entry(inner, old, [(player, values[number]) for player, values in changes], holder)
                for number, old in enumerate(start)
            )
        case types.ListType() | types.ZoneType():
            return _one_after_the_other(start, changes, holder)
    raise _Differ


def _entry(
    kind: types.Type, start: Value, changes: Sequence[Change], holder: Thing | None
) -> Value:
    own = [(player, value) for player, value in changes if value != start]
    if len(own) > 1:
        return _together(kind, start, own, holder)
    return own[0][1] if own else start


def _without_what_is_taken(
    start: tuple[Value, ...], values: Sequence[tuple[Value, ...]]
) -> tuple[Value, ...]:
    """Return a zone from which several have taken things of their own, and to whose end they may have
    added others. That two have taken the same is found where the thing itself lies."""
    before = set(start)
    if any(not isinstance(one, Thing) for one in start) or len(before) < len(start):
        raise _Differ
    for value in values:
        left = set(value)
        kept = tuple([one for one in start if one in left])
        if value[: len(kept)] != kept:
            raise _Differ
    return _those_there(start, values)


def _those_there(start: tuple[Value, ...], lists: Sequence[tuple[Value, ...]]) -> tuple[Value, ...]:
    """Return which things there are: without those that have left for somebody, and with those that
    have come for somebody."""
    before = set(start)
    stay = before.intersection(*lists)
    come = [thing for now in lists for thing in now if thing not in before]
    return (*(thing for thing in start if thing in stay), *come)


def _one_after_the_other(
    start: tuple[Value, ...], changes: Sequence[Change], holder: Thing | None
) -> tuple[Value, ...]:
    """Return a list to which several players have added something; one of them, to whom it belongs
    if anybody does, may have changed it in any way."""
    others = [change for change in changes if change[1][: len(start)] != start]
    if len(others) > 1:
        return _without_what_is_taken(start, [value for _, value in changes])
    first = others or [change for change in changes if change[0] is holder]
    value: tuple[Value, ...] = first[0][1] if first else start
    for change in changes:
        if not first or change is not first[0]:
            value += change[1][len(start) :]
    return value
