"""Control between frames: calls, `do`, returns, stops and the end of the game, as bound handlers.

A caller stands at its call until the called verb returns. A stop sends every frame that it leaves to
what still has to be done there (its *finish*: the `after` amendments of the steps and verbs that are
left), from the inside out; the frames then return one after the other, as always.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import PLAY
from rulewright.dsl.model import types
from rulewright.interpreter.ir.machine import (
    BEGUN,
    DEEPEST,
    OVER,
    STOPPING,
    SWITCH,
    Op,
    Run,
    unwind,
)
from rulewright.interpreter.semantics import events
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import Horizon, PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import ENDING, OPENED, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, PlaceValue, Thing, Value, VerbValue


class Calls:
    """Compiles calls and stops of one loaded game."""

    def __init__(
        self, evaluator: Evaluator, witnesses: events.Witnesses, code: dict[str, list[Op]]
    ) -> None:
        self.evaluator = evaluator
        self.layout = evaluator.layout
        self.game = evaluator.game
        self.witnesses = witnesses
        self.code = code
        """The operations of all units; complete only when all are compiled."""

        self.arrived: Callable[[Store, tuple[Value] | None], int]
        """Ends one of several branches, with the reason of the end of the game (`engine/control`)."""

    # ------------------------------------------------------------------------------ calls and returns

    def call(self, op: Op, step: model.CallVerb) -> Run:
        """A verb with its arguments"""
        verb = self.game.verbs[step.verb]
        codes = [
            (parameter.name, self._argument(argument, parameter.type))
            for parameter, argument in zip(verb.parameters, step.arguments, strict=True)
        ]
        unit, node, tells = verb.id, op.node, verb.label is not None

        def run(store: Store, frame: Frame) -> int:
            me, locals = frame.me, frame.locals
            given = {name: code(store, me, locals) for name, code in codes}
            frame.node = node
            if tells and store.trail is None:
                self.tell_begin(store, me, unit, given)
            enter(store, Frame(unit, 0, given, me), op)
            return SWITCH

        return run

    def _argument(self, argument: model.Argument, wanted: types.Type) -> Code:
        code = self.evaluator.argument(argument)
        if isinstance(wanted, types.ListType) and types.element(argument.type) is None:
            # One thing where a list is wanted.
            return lambda store, me, locals: _listed(code(store, me, locals))
        return code

    def do(self, op: Op, step: model.Do) -> Run:
        """`do v`: the overload that fits the arguments"""
        code, node = self.evaluator.expression(step.value), op.node

        def run(store: Store, frame: Frame) -> int:
            value = code(store, frame.me, frame.locals)
            if value is None:
                raise PlayError("RW715", step.value.span, name=step.value.span.text)
            verb, given = self.resolve(store, value)
            frame.node = node
            if store.trail is None:
                self.tell_begin(store, frame.me, verb, given)
                if self.game.verbs[verb].label is None:
                    given[BEGUN] = True
            enter(store, Frame(verb, 0, given, frame.me), op)
            return SWITCH

        return run

    def resolve(self, store: Store, value: VerbValue) -> tuple[str, Locals]:
        """Return the verb that a value means, and its parameters with the arguments; a rules error if
        none fits, which checked rules cannot come to."""
        for id in value.verbs:
            parameters = self.game.verbs[id].parameters
            if len(parameters) != len(value.arguments):
                continue
            if len(value.verbs) > 1 and not all(
                self._fits(argument, parameter.type)
                for argument, parameter in zip(value.arguments, parameters, strict=True)
            ):
                continue
            return id, {
                parameter.name: self._adapted(store, argument, parameter.type)
                for argument, parameter in zip(value.arguments, parameters, strict=True)
            }
        span = self.game.verbs[value.verbs[0]].span
        raise PlayError("RW307", span, name=value.name)

    def _adapted(self, store: Store, argument: Value, wanted: types.Type) -> Value:
        if isinstance(wanted, types.ListType):
            if isinstance(argument, PlaceValue):
                argument = self.evaluator.contents(store, argument)
            return _listed(argument)
        return argument

    def _fits(self, argument: Value, wanted: types.Type) -> bool:
        match wanted:
            case types.OptionalType(inner):
                return argument is None or self._fits(argument, inner)
            case types.ListType(inner):
                if isinstance(argument, PlaceValue):
                    zone = self.layout.zone(argument.slot)
                    return zone is not None and types.fits(zone.kind, inner)
                items = argument if isinstance(argument, tuple) else (argument,)
                return all(self._fits(item, inner) for item in items)
            case types.ThingType(kind):
                return isinstance(argument, Thing) and argument.kind == kind
            case types.EnumType(name):
                return getattr(argument, "enum", None) == name
            case types.NumberType():
                return isinstance(argument, int) and not isinstance(argument, bool)
            case types.FlagType():
                return isinstance(argument, bool)
            case types.TextType():
                return isinstance(argument, str)
            case types.ZoneType():
                if not isinstance(argument, PlaceValue):
                    return False
                return types.fits(self.layout.fields[argument.slot].type, wanted)
        return True

    def returns(self, op: Op) -> Run:
        """The end of a verb"""
        code, unit = self.code, op.unit
        verb = self.game.verbs.get(unit)
        tells = verb is not None and verb.label is not None
        if any(offer.id == unit for offer in self.game.offers):
            return self._offer_returns

        def run(store: Store, frame: Frame) -> int:
            frames = store.frames
            transaction = store.transaction
            if transaction is not None and transaction[1] == len(frames) - 1:
                store.end_pass()
            frames.pop()
            if store.trail is None and verb is not None and (tells or BEGUN in frame.locals):
                self._tell_finish(store, frame, verb)
            if not frames:
                store.forget_lasting()
                return OVER
            caller = frames[-1]
            caller.node = code[caller.unit][caller.node].resume
            return SWITCH

        return run

    def _offer_returns(self, store: Store, frame: Frame) -> int:
        """The end of an offer: what was asked is asked anew, as if nothing had been answered.

        The transaction goes on: the offer must leave a way to answer the question.
        """
        if store.trail is None:
            store.columns[SCALARS][OPENED] = True
        frames = store.frames
        frames.pop()
        if not frames:
            return OVER
        caller = frames[-1]
        caller.node = self.code[caller.unit][caller.node].resume
        return SWITCH

    def tell_begin(self, store: Store, me: Thing | None, verb: str, given: Locals) -> None:
        """Note that a verb begins."""
        events.begun(self.witnesses, store, "begin", me, verb, tuple(given.values()))

    def _tell_finish(self, store: Store, frame: Frame, verb: model.Verb) -> None:
        given = tuple(frame.locals.get(parameter.name) for parameter in verb.parameters)
        events.begun(self.witnesses, store, "finish", frame.me, verb.id, given)

    # ------------------------------------------------------------------------------------------ stops

    def stop(self, op: Op, loops: tuple[int, ...], final: int | None) -> Run:
        """`stop` out of what is known where it stands"""
        following = op.edges["next"]

        def run(store: Store, frame: Frame) -> int:
            left(store, len(store.frames) - 1, loops)
            unwind(store, frame, loops)
            if final is not None:
                frame.locals[STOPPING] = final
            return following

        return run

    def stop_running(self, op: Op, targets: tuple[str, ...]) -> Run:
        """`stop V` out of the innermost running V, wherever it was called from"""

        def run(store: Store, frame: Frame) -> int:
            frame.node = op.node
            depth, level = self._running(store, targets, op)
            frames = store.frames
            for number in range(len(frames) - 1, depth - 1, -1):
                self._leave(store, number, level if number == depth else 0)
            return SWITCH

        return run

    def _running(self, store: Store, targets: tuple[str, ...], op: Op) -> tuple[int, int]:
        frames = store.frames
        for depth in range(len(frames) - 1, -1, -1):
            levels = self.code[frames[depth].unit][frames[depth].node].levels
            for level in range(len(levels) - 1, -1, -1):
                if levels[level][0] in targets:
                    return depth, level
        if any(frame.unit == PLAY for frame in frames):
            raise PlayError("RW706", op.span, name=op.label)
        # In an example the verb may run without the one that is stopped: that ends the `do`.
        outside = 0 if self.code[frames[0].unit][frames[0].node].levels else 1
        return outside, 0

    def _leave(self, store: Store, depth: int, level: int) -> None:
        """Send a frame to what stands after the level, through the steps on the way."""
        frame = store.frames[depth]
        op = self.code[frame.unit][frame.node]
        if op.kind == "watch":
            frame.locals.pop(f"#{op.node}", None)
        inner = [entry for entry in reversed(op.levels[level + 1 :]) if entry[0]]
        way = [*inner, op.levels[level]]
        _, finish, around = way[0]
        loops = op.loops[len(around) :]
        left(store, depth, loops)
        unwind(store, frame, loops)
        if len(way) > 1:
            frame.locals[STOPPING] = way[-1][1]
        else:
            frame.locals.pop(STOPPING, None)
        frame.node = finish

    def step_end(self, op: Op) -> Run:
        """The end of a named step, where a stop may be on its way out"""
        following, levels = op.edges["next"], op.levels

        def run(store: Store, frame: Frame) -> int:
            final = frame.locals.get(STOPPING)
            if final is None:
                return following
            for id, finish, around in reversed(levels):
                if id or finish == final:
                    loops = op.loops[len(around) :]
                    left(store, len(store.frames) - 1, loops)
                    unwind(store, frame, loops)
                    if finish == final:
                        del frame.locals[STOPPING]
                    return finish
            return following

        return run

    def end(self, op: Op, step: model.EndGame, after_play: int | None) -> Run:
        """`end game`: everything is left, and `after play` still runs"""
        code = None if step.reason is None else self.evaluator.expression(step.reason)
        witnesses = self.witnesses

        def run(store: Store, frame: Frame) -> int:
            reason = None if code is None else code(store, frame.me, frame.locals)
            if store.trail is not None:
                raise Horizon
            if store.fork is not None:
                # It counts when all are done.
                return self.arrived(store, (reason,))
            return end_game(witnesses, store, frame.me, reason, after_play)

        return run


def end_game(
    witnesses: events.Witnesses,
    store: Store,
    me: Thing | None,
    reason: Value,
    after_play: int | None,
) -> int:
    """End the game; what stands `after play` still runs."""
    store.viewer = store.transaction = None
    store.write(SCALARS, ENDING, reason)
    events.ended(witnesses, store, me, reason)
    store.frames = []
    store.forget_lasting()
    store.nothing_runs()
    if after_play is None:
        return OVER
    store.frames.append(Frame(PLAY, after_play, {}, None))
    return SWITCH


def enter(store: Store, frame: Frame, op: Op) -> None:
    """Put a frame on top."""
    if len(store.frames) >= DEEPEST:
        raise PlayError("RW711", op.span, name=frame.unit, expected=DEEPEST)
    store.frames.append(frame)


def left(store: Store, depth: int, loops: tuple[int, ...]) -> None:
    """Note that loops of a frame are left without being done."""
    transaction = store.transaction
    if transaction is not None and transaction[1] == depth and transaction[2] in loops:
        store.end_pass()


def _listed(value: Value) -> Value:
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)
