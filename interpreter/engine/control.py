"""Control inside a frame: branches, requirements, loops, chance, `fresh` fields, as bound handlers.

Iterators live in the locals of the frame under `#` and the number of their node; a handler is
entered for the first time if there is none. The end of a pass of `repeat` or `as` is where a
transaction may end, whichever way control takes out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.ir.machine import CHANCE, DEAD, DECIDE, RESTS, SWITCH, Op, Run
from rulewright.interpreter.program import branches
from rulewright.interpreter.program.calls import end_game
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.three_valued_logic import ThreeValuedConditions, Truth
from rulewright.interpreter.semantics import events
from rulewright.interpreter.semantics.closures import (
    list_too_long,
    number_too_large,
    tick,
    tick_bulk,
)
from rulewright.interpreter.semantics.effects import EffectCompiler
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.events import (
    ChanceStop,
    draw_many,
    left_of,
    meet_chance,
    roll_many,
)
from rulewright.interpreter.state.errors import (
    LARGEST_NUMBER,
    LONGEST_LIST,
    Horizon,
    PlayError,
    Undecided,
)
from rulewright.interpreter.state.frames import DONE, NEW, Fork, Frame
from rulewright.interpreter.state.log import Numbers
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value


class Control:
    """Compiles the control of one loaded game."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout = evaluator.layout
        self.game = evaluator.game

    # ------------------------------------------------------------------------------------ plain ones

    def let(self, op: Op, step: model.Let) -> Run:
        """`let x = e`"""
        code, name, following = self.evaluator.expression(step.value), step.name, op.edges["next"]

        def run(store: Store, frame: Frame) -> int:
            frame.locals[name] = code(store, frame.me, frame.locals)
            return following

        return run

    def branch(self, op: Op, condition: model.Expression) -> Run:
        """`if c`, and the `when c` of an amendment"""
        code, yes, no = self.evaluator.expression(condition), op.edges["yes"], op.edges["no"]

        def run(store: Store, frame: Frame) -> int:
            return yes if code(store, frame.me, frame.locals) else no

        return run

    def need(self, op: Op, step: model.Need) -> Run:
        """`need c else "why"`"""
        code, following = self.evaluator.expression(step.condition), op.edges["next"]
        parts: list[Truth] = []

        def whatever_is_hidden(store: Store, frame: Frame) -> bool | None:
            if not parts:
                parts.append(ThreeValuedConditions(self.evaluator).condition(step.condition))
            return parts[0](store, frame.me, frame.locals)

        def run(store: Store, frame: Frame) -> int:
            try:
                holds = code(store, frame.me, frame.locals)
            except (Horizon, Undecided):
                holds = None if store.trail is None else whatever_is_hidden(store, frame)
                if holds is None:
                    raise
            if holds:
                return following
            frame.node = op.node
            return DEAD

        def watched(store: Store, frame: Frame) -> int:
            if frame.me is not store.viewer:
                return run(store, frame)
            store.asking = op.span
            try:
                return run(store, frame)
            finally:
                store.asking = None

        questions = self.evaluator.watched_questions
        if questions.may_peek(step.condition) or questions.may_peek(step.reason):
            return watched
        return run

    def decide(self, op: Op) -> Run:
        """`choose`, `may`, `either`: a stop"""
        node = op.node

        def run(store: Store, frame: Frame) -> int:
            frame.node = node
            return DECIDE

        return run

    def skip(self, op: Op) -> Run:
        """What does nothing"""
        following = op.edges["next"]
        return lambda store, frame: following

    def reset(self, op: Op, fields: tuple[str, ...]) -> Run:
        """The `fresh` fields of a verb"""
        layout, following = self.layout, op.edges["next"]
        resets = []
        for id in fields:
            field = self.game.fields[id]
            own = field.fresh_own and field.holder == "Player"
            resets.append((layout.slots[id], self.evaluator.start(id), field.holder, own))

        def run(store: Store, frame: Frame) -> int:
            # Who acts while others do begins anew for himself alone.
            alone = store.fork is not None
            for slot, start, kind, own in resets:
                column = store.columns[slot]
                holders: Sequence[Thing | None] = (
                    (None,)
                    if kind is None and not alone
                    else (frame.me,)
                    if own or alone
                    else store.things(kind or "")
                )
                for holder in holders:
                    index = 0 if holder is None else holder.number
                    value = start(store, holder)
                    if column[index] != value:
                        store.write(slot, index, value)
            return following

        return run

    # ----------------------------------------------------------------------------------------- chance

    def chance(self, op: Op, step: model.Chance, name: str, seers: SeersOf) -> Run:
        """`random`, `shuffled`, `roll`: single draws, then a local with the outcome"""
        source = self.evaluator.needed(step.source, step.source.type)
        count = None if step.count is None else self.evaluator.needed(step.count)
        key, following, word, span = f"#{op.node}", op.edges["next"], step.word, op.span

        def asked(store: Store, frame: Frame) -> tuple[Sequence[Value], int]:
            items = source(store, frame.me, frame.locals)
            number = 1 if count is None else count(store, frame.me, frame.locals)
            if word == "roll":
                if max(items, number) > LONGEST_LIST:
                    raise list_too_long(span)
                return range(1, items + 1), number if items > 0 else 0
            number = len(items) if word == "shuffled" else min(number, len(items))
            return items, number

        def run(store: Store, frame: Frame) -> int:
            meet_chance(store)
            items, number = asked(store, frame)
            tick(store, max(number, 0), span)
            if word != "roll":
                # What has been drawn is taken out of the list.
                tick_bulk(store, number * len(items), span)
            draw = roll_many if word == "roll" else draw_many
            try:
                drawn = draw(store, frame, key, items, number)
            except ChanceStop:
                frame.node = op.node
                return CHANCE
            outcome: Value = drawn
            if word == "pick":
                outcome = drawn[0] if drawn else None
            frame.locals[name] = outcome
            events.drawn(store, frame.me, op.label, outcome, seers(store, frame, outcome))
            return following

        def outcomes(store: Store, frame: Frame) -> tuple[Value, ...]:
            items, _ = asked(store, frame)
            drawn = frame.locals.get(key, ())
            return tuple(items if word == "roll" else left_of(items, drawn))

        op.outcomes = outcomes
        return run

    # ------------------------------------------------------------------------------------------ loops

    def for_each(self, op: Op, step: model.ForEach) -> Run:
        """`for each x in xs`: over the list as it was at the beginning"""
        code, name = self.evaluator.expression(step.source), step.name
        key, body, done = f"#{op.node}", op.edges["body"], op.edges["done"]

        def run(store: Store, frame: Frame) -> int:
            locals = frame.locals
            state = locals.get(key)
            items, index = (code(store, frame.me, locals), 0) if state is None else state
            if index < len(items):
                locals[name] = items[index]
                locals[key] = (items, index + 1)
                return body
            if index:
                del locals[key], locals[name]
            return done

        return run

    def repeat(self, op: Op, step: model.Repeat) -> Run:
        """`repeat`, `repeat n times`, `repeat while c`, `repeat until c`"""
        key, node, body = f"#{op.node}", op.node, op.edges["body"]
        done = op.edges.get("done", -1)
        code = None if step.value is None else self.evaluator.expression(step.value)
        until = step.word == "until"

        def counted(store: Store, frame: Frame) -> int:
            passed(store, node)
            left = frame.locals.get(key)
            if left is None:
                assert code is not None, "repeat how often?"
                left = code(store, frame.me, frame.locals)
            if left > 0:
                frame.locals[key] = left - 1
                return body
            frame.locals.pop(key, None)
            return done

        def tested(store: Store, frame: Frame) -> int:
            passed(store, node)
            assert code is not None, "repeat while what?"
            return done if bool(code(store, frame.me, frame.locals)) is until else body

        def endless(store: Store, frame: Frame) -> int:
            passed(store, node)
            return body

        if step.word == "times":
            return counted
        return endless if code is None else tested

    def acting(self, op: Op, step: model.As) -> Run:
        """`as ps`: the players of the list as it was, one after the other"""
        code, node = self.evaluator.expression(step.players), op.node
        key, body, done = f"#{op.node}", op.edges["body"], op.edges["done"]

        def run(store: Store, frame: Frame) -> int:
            passed(store, node)
            locals = frame.locals
            state = locals.get(key)
            if state is None:
                players, index, before = code(store, frame.me, locals), 0, frame.me
                if not isinstance(players, tuple):
                    players = (players,)
            else:
                players, index, before = state
            if index < len(players):
                frame.me = players[index]
                locals[key] = (players, index + 1, before)
                return body
            if index:
                del locals[key]
            frame.me = before
            return done

        return run


SeersOf = Callable[[Store, Frame, Value], Numbers]
"""Who learns the outcome of a chance node."""


def passed(store: Store, node: int) -> None:
    """Note that a pass of a loop has ended (or that it begins): perhaps a transaction ends, too."""
    transaction = store.transaction
    if (
        transaction is not None
        and transaction[2] == node
        and transaction[1] == len(store.frames) - 1
    ):
        store.end_pass()


# --------------------------------------------------------------------------------------------- fork


class SimultaneousControl:
    """Runs the forks of one loaded game."""

    def __init__(self, program: Program, effects: EffectCompiler) -> None:
        self.program = program
        self.layout = program.layout
        self.effects = effects

    def fork(self, op: Op, step: model.As) -> Run:
        """Return the handler of a fork: all come by here at their beginning and at their end."""
        code = self.program.evaluator.expression(step.players)
        body, done = op.edges["body"], op.edges["done"]

        def run(store: Store, frame: Frame) -> int:
            if store.trail is not None:
                # What the others do is nothing that anybody can know.
                raise Horizon
            if store.fork is not None:
                if not _is_end(store, store.fork, op):
                    raise PlayError("RW621", op.span)
                return self.arrived(store)
            found = code(store, frame.me, frame.locals)
            players = tuple(dict.fromkeys(found if isinstance(found, tuple) else (found,)))
            if not players:
                return done
            store.viewer = store.transaction = None
            frame.node = op.node
            branches.begin(store, players, body)
            return self.next(store)

        return run

    def arrived(self, store: Store, ending: tuple[Value] | None = None) -> int:
        """Note that the branch in which a store stands is done, and go on with the next one."""
        branches.park(store, DONE, ending)
        return self.next(store)

    def next(self, store: Store) -> int:
        """Go into the next branch, or join them."""
        phase = branches.go_on(store)
        if phase == DONE:
            return self.join(store)
        return SWITCH if phase == NEW else RESTS

    def join(self, store: Store) -> int:
        """Join the branches, and go on behind them."""
        fork = store.fork
        assert fork is not None, "nobody acts at once"
        op = self.program.op(fork.frames[-1])
        try:
            branches.join(store)
        except branches.Collision as met:
            raise PlayError("RW716", op.span, name=self.name(met.slot, met.index)) from None
        store.frames[-1].node = op.edges["done"]
        self.check(store, fork, op.span)
        for branch in fork.branches:
            if branch.ending is not None:
                witnesses, after = self.program.witnesses, self.program.after_play
                return end_game(witnesses, store, branch.player, branch.ending[0], after)
        return SWITCH

    def check(self, store: Store, fork: Fork, span: Span) -> None:
        """Check that everything several players have changed is in its range."""
        written: set[tuple[int, int]] = set()
        for branch in fork.branches:
            for slot, index, _ in branch.cells:
                if (slot, index) in written and slot in self.layout.fields:
                    self._check(store, slot, index, span)
                written.add((slot, index))

    def _check(self, store: Store, slot: int, index: int, span: Span) -> None:
        value = store.columns[slot][index]
        check = self.effects.ranges.get(slot)
        entries = value if isinstance(value, tuple) else (value,)
        zone = self.layout.zone(slot)
        if zone is not None and zone.shape == "slot" and len(value) > 1:
            raise PlayError("RW708", span, name=self.layout.fields[slot].name)
        if len(entries) > LONGEST_LIST:
            raise list_too_long(span)
        kind = self.layout.fields[slot].type
        entry_kind = kind.value if isinstance(kind, types.FamilyType) else kind
        if isinstance(entry_kind, types.NumberType):
            for entry in entries:
                if not -LARGEST_NUMBER <= entry <= LARGEST_NUMBER:
                    raise number_too_large(span)
                if check is not None:
                    check(store, self.layout.places[slot][index].holder, entry, span)

    def name(self, slot: int, index: int) -> str:
        """Return what a column is called in the rules; of where things lie, the thing."""
        field = self.layout.fields.get(slot)
        if field is not None:
            return field.name
        for kind in self.layout.place_slots:
            if slot in (self.layout.place_slots[kind], self.layout.owner_slots[kind]):
                return self.layout.things[kind][index].kind
        return "a shuffled pile"


def _is_end(store: Store, fork: Fork, op: Op) -> bool:
    """Return whether a branch has come back to its fork, and not to another one."""
    at = fork.frames[-1]
    return len(store.frames) == len(fork.frames) and (at.unit, at.node) == (op.unit, op.node)
