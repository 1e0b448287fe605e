"""What `until V ends` says while it holds: records are made, bound to a run of V, and taken away.

The records stand in one scalar (`layout.LASTING`), so that copies, saves and undo know of them
without a word. A record waits for the innermost running V of its maker, or for the next one that he
begins; the frame of that V carries the number of the run in a local, and takes the records of it
along when it ends. Nothing is done as long as there are no records.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.interpreter.ir.machine import Op, Run
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import LASTING, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

RUN = "#until"
"""The local of a frame that holds the number of its run."""

Records = tuple[tuple[Value, ...], ...]


def records_of(store: Store) -> Records:
    """Return all records."""
    return store.columns[SCALARS][LASTING] or ()


def keep(store: Store, records: Records) -> None:
    """Let the store have these records."""
    store.write(SCALARS, LASTING, records or None)


def until(program: Program, op: Op, step: model.Until) -> Run:
    """`until V ends …`: make a record"""
    following = op.edges["next"]
    captured = step.captured

    def run(store: Store, frame: Frame) -> int:
        records = records_of(store)
        number = None
        waited = _running(program, store, step.verbs, frame.me)
        if waited is not None:
            number = _run_of(waited, records)
        values = tuple([frame.locals[name] for name in captured])
        keep(store, (*records, (step.number, frame.me, number, *values)))
        return following

    return run


def _running(
    program: Program, store: Store, verbs: tuple[str, ...], maker: Thing | None
) -> Frame | None:
    """Return the frame of the innermost running verb of the maker, or of one that is nobody's."""
    for frame in reversed(store.frames):
        if frame.unit in verbs:
            whose = _begun_by(program, frame)
            if whose is maker or not program.game.verbs[frame.unit].needs_me:
                return frame
    return None


def _begun_by(program: Program, frame: Frame) -> Thing | None:
    """Return who acted when a verb began: inside `as` the frame has another `me`."""
    code = program.code[frame.unit]
    for loop in code[frame.node].loops:
        state = frame.locals.get(f"#{loop}")
        if code[loop].kind == "as" and state is not None:
            who: Thing | None = state[2]
            return who
    return frame.me


def _run_of(frame: Frame, records: Records) -> int:
    """Return the number of a run; it gets one when the first record waits for it."""
    if RUN not in frame.locals:
        frame.locals[RUN] = 1 + max([run or 0 for _, _, run, *_ in records], default=0)
    number: int = frame.locals[RUN]
    return number


def begins(program: Program, op: Op, numbers: tuple[int, ...]) -> Run:
    """The beginning of V: the records that have waited for it belong to this run"""
    following = op.edges["next"]
    anybody = not program.game.verbs[op.unit].needs_me

    def run(store: Store, frame: Frame) -> int:
        records = records_of(store)
        waiting = [
            one
            for one in records
            if one[2] is None and one[0] in numbers and (anybody or one[1] is frame.me)
        ]
        if waiting:
            number = _run_of(frame, records)
            keep(
                store,
                tuple(
                    (one[0], one[1], number, *one[3:]) if one in waiting else one for one in records
                ),
            )
        return following

    return run


def ends(op: Op) -> Run:
    """The end of V: its records go"""
    following = op.edges["next"]

    def run(store: Store, frame: Frame) -> int:
        number = frame.locals.get(RUN)
        if number is not None:
            keep(store, tuple(one for one in records_of(store) if one[2] != number))
        return following

    return run


def check_records(game: model.Game, records: Value) -> None:
    """Raise `ValueError` if these are no records of the game: a save is only a file."""
    if records is None:
        return
    captured = {
        statement.number: len(statement.captured)
        for block in visitor.all_blocks(game)
        for statement in visitor.statements_in(block)
        if isinstance(statement, model.Until)
    }
    if not isinstance(records, tuple) or not records:
        raise ValueError("what is said until a verb ends is no list")
    for one in records:
        match one:
            case (int(number), None | Thing(kind="Player"), None | int(), *values):
                if captured.get(number) == len(values):
                    continue
        raise ValueError("what is said until a verb ends is not of this game")
