"""Generating loops: those that Python runs, and those of which the frame knows where they stand.

A loop in which nobody decides is a Python loop. Any other one keeps its place in the locals of the
frame, as with the walker: a pass ends with a look there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import attrs

from rulewright.dsl import kinds, model
from rulewright.interpreter.emit import Function, Known, Made, Names, NotGenerated, Scope
from rulewright.interpreter.errors import TICKS_PER_STEP, PlayError
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import STEP_LIMIT, SWITCH, Op
from rulewright.interpreter.templates import number, variable


@attrs.define(eq=False)
class Writing:
    """A function that is being written out of operations."""

    unit: str
    ops: Sequence[Op]
    function: Function
    scope: Scope
    action: bool
    """Whether it runs without a frame."""

    count: int = 0
    loops: tuple[int, ...] = ()
    """The loops around, which Python runs."""

    heads: tuple[int, ...] = ()
    """The loops whose passes have begun in this function."""


class Loops:
    """Writes the loops of one loaded game; `emit_steps.Steps` writes what stands in them."""

    program: Program
    names: Names

    def way(self, writing: Writing, node: int, until: int | None, following: list[int]) -> None:
        """Write the operations from a node to another one, or to where the function ends."""
        raise NotImplementedError

    def here(self, writing: Writing, op: Op) -> None:
        """Write the node into the frame: what comes can raise."""
        raise NotImplementedError

    def action(self, unit: str) -> str | None:
        """Return the name of the function of a unit that needs no frame, or None."""
        raise NotImplementedError

    def go_to(self, writing: Writing, node: int, following: list[int]) -> None:
        """End the block: another one, or a handler, goes on."""
        if writing.action or writing.loops:
            raise NotGenerated("a way out")
        writing.function.write(
            "F.node = node\nreturn switch", node=number(node), switch=number(SWITCH)
        )
        following.append(node)

    # ------------------------------------------------------------------------------- run by Python

    def simple_loop(self, op: Op) -> bool:
        """Return whether Python can run a loop: nothing in it waits, stops or leaves it."""
        key = "simple", op.unit, op.node
        if key not in self.names.kept:
            self.names.kept[key] = self._is_simple(op)
        return bool(self.names.kept[key])

    def _is_simple(self, op: Op) -> bool:
        if not isinstance(op.step, model.ForEach | model.As) and not (
            isinstance(op.step, model.Repeat) and op.step.word in ("times", "while")
        ):
            return False
        ops = self.program.code[op.unit]
        for inner in ops:
            if op.node not in inner.loops:
                continue
            if inner.kind in ("let", "branch", "nothing", "step_begin"):
                continue
            if inner.kind == "effect" and isinstance(
                inner.step, model.Set | model.Add | model.Move
            ):
                continue
            if inner.kind in ("loop", "as") and self.simple_loop(inner):
                continue
            if inner.kind == "call" and self.action(inner.step.verb) is not None:
                continue
            return False
        return True

    def loop(self, writing: Writing, op: Op, following: list[int]) -> int:
        """Write a loop that Python runs."""
        function = writing.function
        step = op.step
        self.here(writing, op)
        scope = writing.scope
        if isinstance(step, model.Repeat):
            self.repeat(writing, op, following)
            return op.edges["done"]
        acting = isinstance(step, model.As)
        part = function.part(step.players if acting else step.source, scope)
        if acting and kinds.element((step.players).type) is None:
            part = Made(ast.Tuple([function.tree(part)], ast.Load()), length=1)
        source = function.kept(part)
        item = self.names.fresh("v")
        with function.looping(source) as block:
            if acting:
                writing.scope = scope.acting(Made(variable(item)))
                if not writing.action:
                    function.write("F.me = item", item=variable(item))
            else:
                writing.scope = scope.having(step.name, Made(variable(item)))
                if not writing.action:
                    function.write(
                        "L[name] = item", name=ast.Constant(step.name), item=variable(item)
                    )
            self.body(writing, op, following)
        writing.scope = scope
        function.write(
            "for item in items:\n    block", item=item, items=function.items(source), block=block
        )
        if not writing.action:
            if acting:
                function.write("F.me = me", me=function.tree(scope.me))
            else:
                function.write("L.pop(name, None)", name=ast.Constant(step.name))
        return op.edges["done"]

    def body(self, writing: Writing, op: Op, following: list[int]) -> None:
        """Write the body of a loop."""
        writing.loops = (*writing.loops, op.node)
        self.way(writing, op.edges["body"], op.node, following)
        writing.loops = writing.loops[:-1]

    def repeat(self, writing: Writing, op: Op, following: list[int]) -> None:
        """Write `repeat n times` or `repeat while c`; each pass is counted."""
        function = writing.function
        step = op.step
        if step.word == "times":
            times = function.tree(function.kept(function.part(step.value, writing.scope)))
            count = self.names.fresh("v")
            function.loops += 1
            with function.aside() as block:
                self.count_pass(function, op)
                self.body(writing, op, following)
            function.loops -= 1
            function.write(
                "for count in range(times):\n    block", count=count, times=times, block=block
            )
            return
        function.loops += 1
        with function.aside() as block:
            self.count_pass(function, op)
            test = function.tree(function.part(step.value, writing.scope))
            function.write("if not test:\n    break", test=test)
            self.body(writing, op, following)
        function.loops -= 1
        function.write("while True:\n    block", block=block)

    def count_pass(self, function: Function, op: Op) -> None:
        """Write the end of a loop without end: as many passes as the walker allows operations."""
        key = "endless", op.unit, op.node
        if key not in self.names.kept:

            def endless() -> PlayError:
                return PlayError("RW702", op.span, expected=f"{STEP_LIMIT:,}")

            self.names.kept[key] = self.names.helper("endless", endless)
        function.write(
            "S.budget -= cost\nif S.budget < 0:\n    raise endless()",
            cost=number(TICKS_PER_STEP // STEP_LIMIT),
            endless=self.names.kept[key],
        )

    # --------------------------------------------------------------------------- kept in the frame

    def passes(self, writing: Writing, op: Op, following: list[int]) -> int | None:
        """Write the beginning of a loop and the end of a pass; return where it goes on when the
        loop is done."""
        if op.node in writing.heads:
            self.go_to(writing, op.node, following)
            return None
        writing.heads = (*writing.heads, op.node)
        function = writing.function
        step = op.step
        self.here(writing, op)
        if not isinstance(step, model.ForEach):
            self._passed(function, op)
        if isinstance(step, model.Repeat):
            return self._repeated(writing, op, following)
        acting = isinstance(step, model.As)
        key = ast.Constant(f"#{op.node}")
        fresh = self.names.fresh
        state, items, index, before = fresh("t"), fresh("t"), fresh("t"), fresh("t")
        with function.aside() as entry:
            part = function.part(step.players if acting else step.source, writing.scope)
            tree = function.tree(part)
            if acting and kinds.element(step.players.type) is None:
                tree = ast.Tuple([tree], ast.Load())
            function.write("items = tree\nindex = 0", items=items, tree=tree, index=index)
            if acting:
                function.write("before = me", before=before)
        function.write(
            "state = L.get(key)\n"
            "if state is None:\n    entry\n"
            + (
                "else:\n    items, index, before = state"
                if acting
                else "else:\n    items, index = state"
            ),
            state=state,
            key=key,
            entry=entry,
            items=items,
            index=index,
            before=before,
        )
        with function.aside() as block:
            function.write(
                "me = F.me = items[index]\nL[key] = (items, index + 1, before)"
                if acting
                else "L[name] = items[index]\nL[key] = (items, index + 1)",
                items=items,
                index=index,
                key=key,
                before=before,
                name=ast.Constant("" if acting else step.name),
            )
            self.way(writing, op.edges["body"], None, following)
        function.write(
            "if index < len(items):\n    block\nif index:\n    del L[key]",
            index=index,
            items=items,
            block=block,
            key=key,
        )
        if acting:
            function.write("me = F.me = before", before=before)
        else:
            function.write("if index:\n    del L[name]", index=index, name=ast.Constant(step.name))
        return op.edges["done"]

    def _passed(self, function: Function, op: Op) -> None:
        """Write that a pass has ended: perhaps a transaction ends, too."""
        transaction = self.names.fresh("t")
        function.write(
            "transaction = S.transaction\n"
            "if transaction is not None and transaction[2] == node"
            " and transaction[1] == len(S.frames) - 1:\n"
            "    S.meet_hidden()",
            transaction=transaction,
            node=number(op.node),
        )

    def _repeated(self, writing: Writing, op: Op, following: list[int]) -> int | None:
        function = writing.function
        step = op.step
        body = op.edges["body"]
        if step.word == "times":
            key = ast.Constant(f"#{op.node}")
            left = self.names.fresh("t")
            with function.aside() as entry:
                times = function.value(step.value, writing.scope)
                function.write("left = times", left=left, times=times)
            with function.aside() as block:
                function.write("L[key] = left - 1", key=key, left=left)
                self.way(writing, body, None, following)
            function.write(
                "left = L.get(key)\n"
                "if left is None:\n    entry\n"
                "if left > 0:\n    block\n"
                "L.pop(key, None)",
                left=left,
                key=key,
                entry=entry,
                block=block,
            )
            return op.edges["done"]
        if step.value is None:
            self.way(writing, body, None, following)
            return None
        test = function.part(step.value, writing.scope)
        goes_on = test.value is (step.word == "while") if isinstance(test, Known) else None
        if goes_on is not None:
            return body if goes_on else op.edges["done"]
        assert isinstance(test, Made)
        with function.aside() as block:
            self.way(writing, body, None, following)
        template = "if test:\n    block" if step.word == "while" else "if not test:\n    block"
        function.write(template, test=test.tree, block=block)
        return op.edges["done"]
