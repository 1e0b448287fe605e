"""Generating look-ahead: effects, and branches whose ways meet again.

Where only effects stand on the ways of a branch, what follows is written once, behind the place where
they meet; otherwise each way has what follows for itself, since a later requirement may fail on the
one and not on the other.
"""

from __future__ import annotations

import ast

from rulewright.interpreter.codegen.emit_decisions import Level
from rulewright.interpreter.codegen.emit_passes import Passes
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Known, NotGenerated, Scope, free_names
from rulewright.interpreter.printing.emit_effects import effect
from rulewright.interpreter.printing.templates import statements


class Joins(Passes):
    """A probe, or a part of one, that is being written: its effects and branches."""

    def effect(self, scope: Scope, op: Op) -> None:
        """Write an effect; what cannot be written the handler of the walker does."""
        function = self.function
        with function.aside() as block:
            try:
                effect(function, op.step, scope, self.common.units.doing)
            except NotGenerated:
                block.clear()
                names = free_names(op.step)
                values = [function.tree(scope.names[name]) for name in names]
                function.write(
                    "run(S, Frame('', 0, locals, me))",
                    run=self.common.units.run(op),
                    locals=ast.Dict([ast.Constant(name) for name in names], list(values)),
                    me=function.tree(scope.me),
                )
                function.looks = True
        function.block += block
        self.writes = self.touches = True

    def meeting(self, op: Op) -> int | None:
        """Return where the ways of a branch meet again, if there are only effects on them."""
        meet = self.common.units.meeting(op.unit).get(op.node)
        if meet is None:
            return None
        waiting, seen = list(op.edges.values()), {op.node, meet}
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            one = self.program.code[op.unit][node]
            if one.kind not in ("effect", "branch", "nothing") or one.loops != op.loops:
                return None
            waiting += one.edges.values()
        return meet

    def joined(self, scope: Scope, op: Op, test: ast.expr, meet: int) -> None:
        """Write both ways of a branch, up to where they meet."""
        function = self.function
        blocks = []
        for answer in ("yes", "no"):
            with function.aside() as block:
                try:
                    self.effects(scope, op.unit, op.edges[answer], meet)
                except NotGenerated:
                    block[:] = statements("raise Slow")
            blocks.append(block)
        yes, no = blocks
        if yes and no:
            function.write("if test:\n    yes\nelse:\n    no", test=test, yes=yes, no=no)
        elif yes:
            function.write("if test:\n    yes", test=test, yes=yes)
        elif no:
            function.write("if not test:\n    no", test=test, no=no)

    def effects(self, scope: Scope, unit: str, node: int, meet: int) -> None:
        """Write the effects from a node on, up to where ways meet."""
        function = self.function
        while node != meet:
            self.count += 1
            self.own += 1
            op = self.program.code[unit][node]
            if op.kind == "branch":
                part = function.part(op.step, scope)
                if isinstance(part, Known):
                    node = op.edges["yes" if part.value else "no"]
                    continue
                node = self.common.units.meeting(unit)[node]
                self.joined(scope, op, part.tree, node)
                continue
            if op.kind == "effect":
                self.effect(scope, op)
            node = op.edges["next"]

    def way_or_trial(self, stack: list[Level], unit: str, scope: Scope, node: int) -> None:
        """Write one of two ways; if it cannot be written, a trial finds out what comes of it."""
        function = self.function
        kept, loops, passes = function.block, function.loops, self.passes
        try:
            self.way(stack, unit, scope, node)
        except NotGenerated:
            function.block, function.loops, self.passes = kept, loops, passes
            function.block[:] = statements("raise Slow")
