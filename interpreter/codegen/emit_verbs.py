"""Generating tracks: verbs that begin and end, stops, and the end of the game."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import PLAY
from rulewright.dsl.ir.needs import UNWRITTEN
from rulewright.dsl.ir.nodes import Stop
from rulewright.dsl.model import types
from rulewright.interpreter.codegen.emit_ways import Ways, item_of
from rulewright.interpreter.ir.machine import BEGUN, DEEPEST, STOPPING, Op
from rulewright.interpreter.printing.emit import Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.emit_reads import place_part
from rulewright.interpreter.printing.templates import expression, number
from rulewright.interpreter.state.layout import ENDING, LASTING, OPENED


class Verbs(Ways):
    """A track that is being written: its verbs."""

    def call(self, op: Op) -> int:
        """Write the call of a verb."""
        step = op.step
        verb = self.program.game.verbs[step.verb]
        parts = self.arguments(step, verb, self.frames.top.scope)
        self.looked()
        if verb.label is not None:
            self.event("begin", verb, parts)
        named = zip(verb.parameters, parts, strict=True)
        self.enter(verb.id, {parameter.name: part for parameter, part in named})
        return 0

    def enter(self, verb: str, names: dict[str, Part]) -> None:
        """Begin a verb."""
        if len(self.frames.levels) >= DEEPEST:
            raise NotGenerated("too many frames")
        self.frames.push(verb, self.frames.top.me, names)

    def do(self, op: Op) -> int | None:
        """Write `do v`; if v is not known, the function ends with it."""
        value = self.function.part(op.step.value, self.frames.top.scope)
        if not isinstance(value, Known):
            self.sync(op)
            self.names.space.setdefault("doing", self.tracks.units.doing)
            self.function.write(
                "doing.handled(S, run, F)\nreturn resume(S)",
                run=self.tracks.units.run(op),
                F=self.frames.top.at or "",
            )
            return None
        if value.value is None or value.value.arguments:
            raise NotGenerated("a verb that takes something")
        for id in value.value.verbs:
            verb = self.program.game.verbs[id]
            if not verb.parameters:
                self.event("begin", verb, [])
                self.enter(id, {})
                if verb.label is None:
                    self.frames.top.give(BEGUN, Known(True))
                return 0
        raise NotGenerated("a verb that takes something")

    def returns(self, op: Op) -> int | None:
        """Write the end of a verb."""
        frames, function = self.frames, self.function
        depth = len(frames.levels) - 1
        if self.cut is not None and self.cut[0] == depth:
            self.meets()
        if op.unit in self.program.offers:
            function.write("C[0][opened] = True", opened=number(OPENED))
        top = frames.top
        verb = self.program.game.verbs.get(op.unit)
        if verb is not None:
            known = top.names.get(BEGUN) is not None
            with function.aside() as block:
                given = [top.names[parameter.name] for parameter in verb.parameters]
                self.event("finish", verb, given)
            if verb.label is not None or known:
                function.block += block
            elif top.at is not None and op.unit in self.tracks.values:
                function.write(
                    "if begun in L:\n    block",
                    begun=ast.Constant(BEGUN),
                    L=self.locals(),
                    block=block,
                )
        if depth == 0:
            function.write(
                "del frames[:]\nif C[0][lasting] is not None:\n    C[0][lasting] = None\nreturn None",
                lasting=number(LASTING),
            )
            return None
        if self.looping and top.at is not None:
            raise NotGenerated("a return in a loop")
        frames.levels.pop()
        caller = frames.top
        following = self.program.code[caller.unit][caller.node].resume
        if verb is not None and not self.program.plans[op.unit].atomic:
            self.settled = caller.unit, following, self.count
        return following

    def event(self, kind: str, verb: model.Verb, parts: Sequence[Part]) -> None:
        """Write that a verb begins or is finished."""
        function = self.function
        me = function.tree(self.frames.top.me)
        given = ast.Tuple([function.tree(part) for part in parts], ast.Load())
        doing = self.tracks.units.doing
        if all(self._is_open(parameter.type) for parameter in verb.parameters):
            function.write(
                "S.log = (S.log, kind, me, (verb, given), OPEN)",
                kind=ast.Constant(kind),
                me=me,
                verb=ast.Constant(verb.id),
                given=given,
            )
            return
        self.names.space.setdefault("doing", doing)
        function.write(
            "doing.begun(S, kind, me, verb, given)",
            kind=ast.Constant(kind),
            me=me,
            verb=ast.Constant(verb.id),
            given=given,
        )

    def _is_open(self, kind: types.Type) -> bool:
        """Return whether everybody sees all values of a type."""
        kind = types.without_none(kind)
        inner = types.element(kind)
        if inner is not None:
            return not isinstance(kind, types.ZoneType) and self._is_open(inner)
        if isinstance(kind, types.ThingType):
            return kind == types.PLAYER or kind.kind not in self.tracks.units.doing.hiding
        return isinstance(kind, types.NumberType | types.FlagType | types.EnumType | types.TextType)

    def arguments(self, step: model.CallVerb, verb: model.Verb, scope: Scope) -> list[Part]:
        """Write the arguments of a verb."""
        return [
            self._argument(argument, parameter, scope)
            for argument, parameter in zip(step.arguments, verb.parameters, strict=True)
        ]

    def _argument(self, argument: model.Argument, parameter: model.Parameter, scope: Scope) -> Part:
        function = self.function
        if isinstance(argument, model.FieldPlace | model.LocalPlace):
            return place_part(function, argument, scope)
        if isinstance(argument, UNWRITTEN) or isinstance(parameter.type, types.FunctionType):
            raise NotGenerated("a place as an argument")
        part = function.part(argument, scope)
        if isinstance(parameter.type, types.ListType) and types.element(argument.type) is None:
            if isinstance(argument.type, types.OptionalType):
                raise NotGenerated("one thing or none as a list")
            part = Made(ast.Tuple([function.tree(part)], ast.Load()))
        if isinstance(part, Made) and isinstance(part.tree, ast.Tuple) and len(part.tree.elts) == 1:
            one = function.tree(function.kept(Made(part.tree.elts[0])))
            return Made(ast.Tuple([one], ast.Load()), length=1)
        if isinstance(part, Made) and part.listed:
            part = Made(function.tree(part), length=part.length)
        return function.kept(part)

    # --------------------------------------------------------------------------------------- stops

    def stop_running(self, op: Op) -> int:
        """`stop V` out of the innermost running V, wherever it was called from"""
        assert isinstance(op.source, Stop) and op.source.targets is not None
        targets = op.source.targets
        levels = self.frames.levels
        for depth in range(len(levels) - 1, -1, -1):
            entries = self.program.code[levels[depth].unit][levels[depth].node].levels
            for place in range(len(entries) - 1, -1, -1):
                if entries[place][0] in targets:
                    for inner in range(len(levels) - 1, depth - 1, -1):
                        self._leave(inner, place if inner == depth else 0)
                    return levels[-1].node
        raise NotGenerated("nothing to stop")

    def _leave(self, depth: int, place: int) -> None:
        """Send a frame to what stands after a level, through the steps on the way."""
        level = self.frames.levels[depth]
        op = self.program.code[level.unit][level.node]
        if op.kind == "watch":
            level.drop(f"#{op.node}")
        inner = [entry for entry in reversed(op.levels[place + 1 :]) if entry[0]]
        way = [*inner, op.levels[place]]
        _, finish, around = way[0]
        self._unwind(depth, op.loops[len(around) :])
        if len(way) > 1:
            level.give(STOPPING, Known(way[-1][1]))
        else:
            level.drop(STOPPING)
        level.node = finish
        level.running = frozenset(self.program.code[level.unit][finish].loops)

    def _unwind(self, depth: int, loops: tuple[int, ...]) -> None:
        """Leave loops, outermost first: `me` is again who it was before."""
        level = self.frames.levels[depth]
        if self.cut is not None and self.cut[0] == depth and self.cut[1] in loops:
            self.meets()
        restored = False
        for loop in loops:
            if not restored and self.program.code[level.unit][loop].kind == "as":
                state = level.names[f"#{loop}"]
                level.act(self.function.kept(Made(item_of(self.function.tree(state), 2))))
                restored = True
            level.drop(f"#{loop}")

    def step_end(self, op: Op) -> int:
        """The end of a named step, where a stop may be on its way out"""
        top = self.frames.top
        final = top.names.get(STOPPING)
        if isinstance(final, Known):
            for id, finish, around in reversed(op.levels):
                if id or finish == final.value:
                    self._unwind(len(self.frames.levels) - 1, op.loops[len(around) :])
                    if finish == final.value:
                        top.drop(STOPPING)
                    top.running = frozenset(self.op(finish).loops)
                    return finish
            return op.edges["next"]
        stopping: ast.expr | None = None
        if final is not None:
            stopping = expression("final is not UNSET", final=self.function.tree(final))
        elif top.at is not None and STOPPING not in top.gone:
            stopping = expression("key in L", key=ast.Constant(STOPPING), L=self.locals())
        if stopping is not None:
            with self.function.aside() as block:
                kept = self.frames.copy()
                self.leave(op)
                self.frames.back(kept)
            self.function.write(
                "if stopping:\n    block",
                stopping=stopping,
                block=block,
            )
        return op.edges["next"]

    def end(self, op: Op) -> None:
        """Write the end of the game."""
        function, top, step = self.function, self.frames.top, op.step
        if self.looping:
            raise NotGenerated("the end in a loop")
        if self.at_once:
            # It counts when all are done: a matter of the executor.
            self.leave(op)
            return
        reason = function.tree(function.part(step.reason, top.scope)) if step.reason else None
        function.write(
            "S.viewer = S.transaction = None\n"
            "C[0][ending] = reason\n"
            "S.log = (S.log, 'end', me, (reason,), OPEN)\n"
            "C[0][lasting] = None\n"
            "S.frames = []",
            ending=number(ENDING),
            lasting=number(LASTING),
            reason=reason or ast.Constant(None),
            me=function.tree(top.me),
        )
        for slot in self.program.layout.counters:
            function.write("C[slot][0] = 0", slot=number(slot))
        after = self.program.after_play
        if after is None:
            function.write("return None")
        else:
            function.write(
                "S.frames.append(Frame(play, after, {}, None))\nreturn anywhere",
                play=ast.Constant(PLAY),
                after=number(after),
            )
