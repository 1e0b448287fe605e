"""Generating tracks: what happens from one decision to the next, through all verbs, as one function.

The whole stack of running verbs is known where a track begins, and so is the transaction. So calls
and returns are no more than the code that follows, a verb that only passes by has no frame, and a
transaction is written where it begins and ends. A track ends by returning the one that goes on.

Where something is not generated the track ends, too: the executor runs to the next decision. When
the rules turn out to be wrong it raises something (`SLOW`), and the whole game is played once more
by the executor, which says what it is.

`Forks` writes branches, and what two ways have in common where they meet.
"""

from __future__ import annotations

import ast
from typing import Any

from rulewright.dsl.ir.nodes import Stop, Watch
from rulewright.interpreter.codegen.emit_frames import Level, Places, Stack
from rulewright.interpreter.codegen.emit_rounds import Rounds
from rulewright.interpreter.codegen.emit_units import unwatched
from rulewright.interpreter.codegen.emit_verbs import Verbs
from rulewright.interpreter.codegen.emit_ways import Until, Ways, same
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Known, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.emit_effects import effect
from rulewright.interpreter.printing.templates import expression, flag, number, statements, variable
from rulewright.interpreter.semantics.closures import free_names
from rulewright.interpreter.state.layout import LASTING


class Forks(Ways):
    """A track that is being written: its branches."""

    def branch(self, op: Op, until: Until | None) -> int | None:
        """Write a branch up to where its ways meet again."""
        function, frames = self.function, self.frames
        test = function.part(op.step, frames.top.scope)
        self.looked()
        yes, no = op.edges["yes"], op.edges["no"]
        if isinstance(test, Known):
            return yes if test.value else no
        unit, depth = frames.top.unit, len(frames.levels)
        node = self.tracks.units.meeting(unit).get(op.node)
        meet = until if node is None else (depth, node)
        before, state = frames.copy(), (self.cut, self.sure, self.player)
        ends = []
        for target in (yes, no):
            frames.back(before)
            self.cut, self.sure, self.player = state
            self.tell()
            with function.aside() as block:
                alive = self.way(target, meet)
            ends.append((alive, block, frames.copy(), (self.cut, self.sure, self.player)))
        first, second = ends
        after: list[ast.stmt] = []
        if first[0] and second[0]:
            assert meet is not None
            after = self._merge(first, second, meet[1])
        elif first[0] or second[0]:
            _, _, stack, (self.cut, self.sure, self.player) = first if first[0] else second
            frames.back(stack)
            self.tell()
        function.write("if test:\n    then", test=test.tree, then=first[1])
        made = function.block[-1]
        assert isinstance(made, ast.If)
        made.orelse = second[1]
        function.block += after
        if not first[0] and not second[0]:
            return None
        assert meet is not None
        return meet[1]

    def _merge(self, first: Any, second: Any, node: int) -> list[ast.stmt]:
        """Let two ways that meet leave the same behind; return what stands behind both."""
        after: list[ast.stmt] = []
        frames, function = self.frames, self.function
        (_, block, stack, state), (_, other_block, other_stack, other_state) = first, second
        if _shape(stack) != _shape(other_stack):
            # At least one of them has had to write its frames: so does the other.
            for code, kept in ((block, stack), (other_block, other_stack)):
                frames.back(kept)
                with function.aside() as more:
                    self.sync(self.op(node))
                code += more
            names = [self.names.fresh("f") for _ in frames.levels]
            for depth, (level, name) in enumerate(zip(frames.levels, names, strict=True)):
                after += statements("F = S.frames[depth]", F=name, depth=number(depth))
                frames.variables[depth] = level.at = name
                level.names = Places(expression("F.locals", F=name))
                level.me = Made(expression("F.me", F=name))
            stack = other_stack = frames.copy()
        levels: list[Level] = []
        for level, other in zip(stack[0], other_stack[0], strict=True):
            levels.append(self._merged(level, block, other, other_block))
        lain = dict(set(stack[3].items()) & set(other_stack[3].items()))
        frames.back((levels, stack[1], stack[2], lain))
        (cut, sure, player), (other_cut, other_sure, other_player) = state, other_state
        if cut is None and other_cut is None:
            self.cut = None
        elif cut is None or other_cut is None or cut == other_cut:
            self.cut = other_cut if cut is None else cut
            self.sure = cut == other_cut and sure and other_sure
            self.player = other_player if cut is None else player
        else:
            raise NotGenerated("two transactions")
        self.tell()
        return after

    def _merged(
        self, level: Level, block: list[ast.stmt], other: Level, other_block: list[ast.stmt]
    ) -> Level:
        merged = level.copy()
        if not same(level.me, other.me):
            merged.me = self._either(level.me, block, other.me, other_block)
        merged.moved = level.moved or other.moved
        merged.names.written |= other.names.written
        unsure = level.unsure | other.unsure
        for name in {**level.names, **other.names}:
            mine, theirs = level.names.get(name), other.names.get(name)
            if mine is not None and theirs is not None:
                if not same(mine, theirs):
                    merged.names[name] = self._either(mine, block, theirs, other_block)
                if name in level.dirty or name in other.dirty:
                    merged.dirty[name] = None
                continue
            if level.at is None:
                # Only on one way it has a value.
                unset = Made(variable("UNSET"))
                merged.give(name, self._either(mine or unset, block, theirs or unset, other_block))
                unsure |= {name}
                continue
            # Only one of them knows it: from now on it is read where it stands.
            merged.names.pop(name, None)
            merged.names.written.add(name)
            merged.dirty.pop(name, None)
            unsure -= {name}
            for one, code in ((level, block), (other, other_block)):
                if name in one.dirty:
                    with self.function.aside() as more:
                        self.frames.put(one, name)
                    code += more
        merged.unsure = unsure
        for one, code in ((level, block), (other, other_block)):
            for name in one.gone:
                if one.at is not None and (name not in level.gone or name not in other.gone):
                    merged.gone.pop(name, None)
                    with self.function.aside() as more:
                        self.function.write(
                            "F.locals.pop(name, None)", F=one.at, name=ast.Constant(name)
                        )
                    code += more
        return merged

    def _either(
        self, one: Part, block: list[ast.stmt], other: Part, other_block: list[ast.stmt]
    ) -> Part:
        name = self.names.fresh("t")
        for part, code in ((one, block), (other, other_block)):
            with self.function.aside() as more:
                self.function.write("name = value", name=name, value=self.function.tree(part))
            code += more
        return Made(variable(name))


def _shape(stack: Stack) -> Any:
    levels, actual, variables, _ = stack
    return (
        [(level.unit, level.at, level.stands, level.running) for level in levels],
        actual,
        variables,
    )


NOBODY = Made(variable("nobody"))
"""Whose transaction is running where only the store knows it."""


class Track(Forks, Rounds, Verbs):
    """A track that is being written."""

    def written(self, op: Op, until: Until | None) -> int | None:
        """Write one operation, if that can be done."""
        function, top = self.function, self.frames.top
        match op.kind:
            case "nothing" | "step_begin":
                return op.edges["next"]
            case "let":
                self.give(op.step.name, function.part(op.step.value, top.scope))
            case "effect":
                try:
                    with function.aside() as block:
                        effect(function, op.step, top.scope, self.tracks.units.doing, real=True)
                except NotGenerated:
                    performed = self.performed(op)
                    if performed is None:
                        return self.handled(op)
                    block = performed
                function.block += block
            case "need":
                unwatched(function, op.step)
                test = function.part(op.step.condition, top.scope)
                if not isinstance(test, Known):
                    function.slow_if(expression("not test", test=test.tree))
                elif not test.value:
                    raise NotGenerated("what is never met")
            case "branch":
                return self.branch(op, until)
            case "decide":
                unwatched(function, op.step)
                self.decide(op)
                return None
            case "call":
                return self.call(op)
            case "do":
                return self.do(op)
            case "return":
                return self.returns(op)
            case "loop" | "as":
                return self.loop(op)
            case "fork":
                self.sync(op)
                function.write("return at_fork")
                return None
            case "watch":
                return self.watch(op)
            case "step_end":
                return self.step_end(op)
            case "mark" if not self.tracks.units.has_role(op):
                return op.edges["next"]
            case "mark" | "reset" | "chance" | "until":
                return self.handled(op)
            case "lasting":
                return self.lasting(op)
            case "stop" if "next" in op.edges:
                following = self.handled(op)
                self.frames.top.act(Made(variable(function.keep(self.field("me")))))
                self.frames.top.moved = False
                # It may lead to the head of a loop that it has not left.
                assert isinstance(op.source, Stop)
                self.frames.top.running = frozenset(op.loops) - frozenset(op.source.unwind)
                return following
            case "stop":
                return self.stop_running(op)
            case "end":
                self.end(op)
                return None
            case _:
                raise NotGenerated(op.kind)
        self.looked()
        return op.edges["next"]

    def field(self, name: str) -> ast.expr:
        """Return the tree of an attribute of the frame on top."""
        at = self.frames.top.at
        assert at is not None, "no frame"
        return ast.Attribute(variable(at), name, ast.Load())

    def performed(self, op: Op) -> list[ast.stmt] | None:
        """Return the statements with which the handler of the walker does an effect, without a
        frame; None if it must have one."""
        function, top = self.function, self.frames.top
        names = free_names(op.step)
        with function.aside() as block:
            try:
                values = [function.tree(top.names[name]) for name in names]
            except NotGenerated:
                return None
            locals = ast.Dict([ast.Constant(name) for name in names], list[ast.expr](values))
            self.names.space.setdefault("doing", self.tracks.units.doing)
            function.write(
                "doing.perform(S, run, me, locals)",
                run=self.tracks.units.run(op),
                me=function.tree(top.me),
                locals=locals,
            )
        function.looks = True
        return block

    def handled(self, op: Op) -> int:
        """Let the handler of the walker do an operation that nearly always leads to the next one."""
        following = op.edges["next"]
        self.sync(op)
        top = self.frames.top
        assert top.at is not None
        self.names.space.setdefault("doing", self.tracks.units.doing)
        self.function.write(
            "result = doing.handled(S, run, F)\n"
            "if result != following:\n"
            "    if result >= 0:\n"
            "        F.node = result\n"
            "    return anywhere",
            result=self.names.fresh("t"),
            run=self.tracks.units.run(op),
            F=top.at,
            following=number(following),
        )
        self.frames.forget()
        self.sure = False
        return following

    def lasting(self, op: Op) -> int:
        """Write the beginning or end of a verb that `until` may wait for: if there are records, the
        executor goes on."""
        with self.function.aside() as block:
            kept = self.frames.copy()
            self.leave(op)
            self.frames.back(kept)
        self.function.write(
            "if C[0][lasting] is not None:\n    block", lasting=number(LASTING), block=block
        )
        return op.edges["next"]

    def watch(self, op: Op) -> int:
        """Write a look at watched conditions; if one has changed, the executor goes on."""
        function, watching = self.function, self.program.watching
        assert isinstance(op.source, Watch)
        if self.frames.top.began == op.node:
            raise NotGenerated("a look that is going on")
        with function.aside() as looking:
            for watch in op.source.watches:
                watched = watching.all[watching.numbers[watch]]
                if watched.watch.needs_me:
                    raise NotGenerated("a condition about each player")
                truth = function.value(watched.watch.condition, Scope(Known(None), {}, {}))
                with function.aside() as block:
                    kept = self.frames.copy()
                    self.leave(op)
                    self.frames.back(kept)
                function.write(
                    "if flags[0] is not truth:\n    block",
                    flags=function.column(watched.slot),
                    truth=flag(truth),
                    block=block,
                )
        if self.settled == (op.unit, op.node, self.count - 1) and not function.looks:
            # Here it is looked because of other verbs that might have run.
            return int(op.edges["next"])
        self.tracks.units.if_awake(function, looking)
        self.looked()
        return int(op.edges["next"])

    def decide(self, op: Op) -> None:
        """End at a decision."""
        function = self.function
        self.sync(op)
        me = self.frames.top.me
        if self.program.layout.neutrals:
            # Chance decides for those who have no seat.
            seats = len(self.program.layout.players)
            function.write(
                "if me.number >= seats:\n    return by_chance",
                me=function.tree(me),
                seats=number(seats),
            )
        new = self.new_cut()
        stands = self.stands()
        fresh = self.open(new)
        at = self.tracks.track(stands, new)
        if self.cut is None:
            function.block += fresh
            function.write("return track", track=at)
            return
        old = self.tracks.track(stands, self.cut)
        if same(me, self.player):
            if not self.sure:
                function.write(
                    "if S.transaction is None:\n    fresh\n    return at", fresh=fresh, at=at
                )
        else:
            template = "S.transaction is None or S.transaction[0] is not me"
            if self.sure and not same(self.player, NOBODY):
                template = "player is not me"
            function.write(
                f"if {template}:\n    fresh\n    return at",
                me=function.tree(me),
                player=function.tree(self.player),
                fresh=fresh,
                at=at,
            )
        function.write("return old", old=old)
