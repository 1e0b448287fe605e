"""Generating tracks: what happens from one decision to the next, through all verbs, as one function.

The whole stack of running verbs is known where a track begins, and so is the transaction. So calls
and returns are no more than the code that follows, a verb that only passes by has no frame, and a
transaction is written where it begins and ends. A track ends by returning the one that goes on.

Where something is not generated the track ends, too: the executor runs to the next decision. When
the rules turn out to be wrong it raises something (`SLOW`), and the whole game is played once more
by the executor, which says what it is.
"""

from __future__ import annotations

import ast

from rulewright.interpreter.codegen.emit_forks import Forks
from rulewright.interpreter.codegen.emit_rounds import Rounds
from rulewright.interpreter.codegen.emit_units import unwatched
from rulewright.interpreter.codegen.emit_verbs import Verbs
from rulewright.interpreter.codegen.emit_ways import Until, same
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Known, Made, NotGenerated, Scope, free_names
from rulewright.interpreter.printing.emit_effects import effect
from rulewright.interpreter.printing.templates import expression, flag, number, variable
from rulewright.interpreter.state.layout import LASTING

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
                left = self.program.plans[op.unit].nodes[op.node]["unwind"]
                self.frames.top.running = frozenset(op.loops) - frozenset(left)
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
        if self.frames.top.began == op.node:
            raise NotGenerated("a look that is going on")
        with function.aside() as looking:
            for call in op.calls:
                watched = watching.all[watching.numbers[call.removeprefix("watch:")]]
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
