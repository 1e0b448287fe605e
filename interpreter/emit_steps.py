"""Generating operations: a way through a unit in, the statements of a Python function out.

A *block* begins where a unit can be resumed and runs as far as Python can go without a frame of its
own: to the next decision, call or loop with a decision in it. What is not generated stays with the
handler of the walker, so block and handler can follow each other in any order, and the frames are
the same. A block writes the node into the frame before everything that can raise; what it raises
then finds the frame as the walker would have left it.

An *action* is a unit in which nothing can be asked, stopped or required: a Python function that is
called without a frame.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.dsl import kinds, model
from rulewright.interpreter.doing import Doing
from rulewright.interpreter.emit import Function, Known, Made, Names, NotGenerated, Part, Scope
from rulewright.interpreter.emit_calls import NOT_VALUES
from rulewright.interpreter.emit_effects import effect, place_tree
from rulewright.interpreter.emit_loops import Loops, Writing
from rulewright.interpreter.graph import meetings
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import DEAD, DECIDE, DEEPEST, SWITCH, Op
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.templates import number, variable

LONGEST_BLOCK = 120
"""So many operations stand in one block."""


class Steps(Loops):
    """Writes the operations of one loaded game."""

    def __init__(
        self,
        program: Program,
        names: Names,
        doing: Doing,
        action: Callable[[str], str | None],
    ) -> None:
        self.program = program
        self.names = names
        self.doing = doing
        self._action = action
        self._joins: dict[str, dict[int, int]] = {}

    def action(self, unit: str) -> str | None:
        """Return the name of the function of a unit that needs no frame, or None."""
        return self._action(unit)

    # --------------------------------------------------------------------------------------- a way

    def way(self, writing: Writing, node: int, until: int | None, following: list[int]) -> None:
        """Write the operations from a node to another one, or to where the function ends."""
        while node != until:
            op = writing.ops[node]
            writing.count += 1
            if writing.count > LONGEST_BLOCK:
                if writing.action:
                    raise NotGenerated("a long action")
                self.go_to(writing, node, following)
                return
            found = self.operation(writing, op, until, following)
            if found is None:
                return
            node = found

    def here(self, writing: Writing, op: Op) -> None:
        """Write the node into the frame: what comes can raise."""
        place = "N" if writing.action else "F.node"
        writing.function.write(f"{place} = node", node=number(op.node))

    def operation(
        self, writing: Writing, op: Op, until: int | None, following: list[int]
    ) -> int | None:
        """Write one operation; return the next node, or None if the function ends here."""
        function = writing.function
        match op.kind:
            case "let":
                self.here(writing, op)
                self.name(writing, op.step.name, function.part(op.step.value, writing.scope))
                return op.edges["next"]
            case "effect":
                self.here(writing, op)
                return self.effect(writing, op, following)
            case "need" if not writing.action:
                self.here(writing, op)
                test = function.part(op.step.condition, writing.scope)
                if isinstance(test, Known):
                    if test.value:
                        return op.edges["next"]
                    function.write("return dead", dead=number(DEAD))
                    return None
                function.write("if not test:\n    return dead", test=test.tree, dead=number(DEAD))
                return op.edges["next"]
            case "branch":
                return self.branch(writing, op, until, following)
            case "decide" if not writing.action and not writing.loops:
                function.write(
                    "F.node = node\nreturn decide", node=number(op.node), decide=number(DECIDE)
                )
                following += op.edges.values()
                return None
            case "loop" | "as" if self.simple_loop(op):
                return self.loop(writing, op, following)
            case "call":
                return self.call(writing, op, following)
            case "return":
                if writing.action:
                    if writing.loops:
                        raise NotGenerated("a way out")
                    function.write("return")
                else:
                    function.write(
                        "F.node = node\nreturn run(S, F)",
                        node=number(op.node),
                        run=self.run(op),
                    )
                return None
            case "step_end" if writing.action:
                return op.edges["next"]
            case "watch" | "reset" | "step_end" | "mark" if not writing.action:
                return self.one_way(writing, op, following)
            case "nothing" | "step_begin":
                return op.edges["next"]
            case "mark" if not self.has_role(op):
                return op.edges["next"]
        if writing.action or writing.loops:
            raise NotGenerated(op.kind)
        if op.kind in ("as", "loop"):
            return self.passes(writing, op, following)
        if op.kind == "do":
            self.go_to(writing, op.node, following)
            following += self.targets(op)
            return None
        self.handled(writing, op)
        following += op.edges.values()
        return None

    def handled(self, writing: Writing, op: Op) -> None:
        """Leave an operation to its handler, whatever comes of it."""
        writing.function.write(
            "F.node = node\nreturn handler(S, F)",
            node=number(op.node),
            handler=self.handler(op),
        )

    def handler(self, op: Op) -> str:
        key = "handler", op.unit, op.node
        kept = self.names.kept
        if key not in kept:
            run = op.run

            def handler(store: Store, frame: Frame) -> int:
                result = run(store, frame)
                if result >= 0:
                    frame.node = result
                    return SWITCH
                return result

            kept[key] = self.names.helper("handler", handler)
        return str(kept[key])

    def run(self, op: Op) -> str:
        """Return the name of the handler of an operation."""
        key = "run", op.unit, op.node
        kept = self.names.kept
        if key not in kept:
            kept[key] = self.names.helper("run", op.run)
        return str(kept[key])

    def one_way(self, writing: Writing, op: Op, following: list[int]) -> int | None:
        """Let the handler do an operation that nearly always leads to the next one."""
        if writing.loops:
            raise NotGenerated("a handler in a loop")
        target = op.edges["next"]
        result = self.names.fresh("t")
        writing.function.write(
            "F.node = node\n"
            "result = run(S, F)\n"
            "if result != target:\n"
            "    if result >= 0:\n"
            "        F.node = result\n"
            "        return switch\n"
            "    return result",
            node=number(op.node),
            result=result,
            run=self.run(op),
            target=number(target),
            switch=number(SWITCH),
        )
        # A block that was called here comes back to this node, or to where it leads.
        following += self.targets(op)
        return target

    def effect(self, writing: Writing, op: Op, following: list[int]) -> int | None:
        function = writing.function
        try:
            with function.aside() as block:
                effect(function, op.step, writing.scope, self.doing)
        except NotGenerated:
            if writing.action:
                raise
            return self.one_way(writing, op, following)
        function.block += block
        return op.edges["next"]

    def name(self, writing: Writing, name: str, part: Part) -> None:
        """Give a local its value: in the frame and as a variable."""
        function = writing.function
        if isinstance(part, Made) and part.listed:
            part = Made(function.tree(part), length=part.length)
        part = function.kept(part)
        if not writing.action:
            function.write("L[name] = value", name=ast.Constant(name), value=function.tree(part))
            return
        local = writing.scope.names[name]
        assert isinstance(local, Made) and isinstance(local.tree, ast.Name)
        function.write("local = value", local=local.tree.id, value=function.tree(part))

    # -------------------------------------------------------------------------------- control flow

    def branch(
        self, writing: Writing, op: Op, until: int | None, following: list[int]
    ) -> int | None:
        """Write a branch up to where its ways meet again."""
        function = writing.function
        self.here(writing, op)
        test = function.part(op.step, writing.scope)
        yes, no = op.edges["yes"], op.edges["no"]
        if isinstance(test, Known):
            return yes if test.value else no
        meet = self.meeting(writing.unit, writing.ops).get(op.node)
        if meet is None:
            meet = until
        blocks = []
        for target in (yes, no):
            with function.aside() as block:
                self.way(writing, target, meet, following)
            blocks.append(block)
        if not blocks[0]:
            blocks[0] = [ast.Pass()]
        function.write("if test:\n    then", test=test.tree, then=blocks[0])
        made = function.block[-1]
        assert isinstance(made, ast.If)
        made.orelse = blocks[1]
        return meet

    def meeting(self, unit: str, ops: Sequence[Op]) -> dict[int, int]:
        """Return for each node the first one through which every way from it leads."""
        if unit not in self._joins:
            self._joins[unit] = meetings([tuple(op.edges.values()) for op in ops])
        return self._joins[unit]

    # --------------------------------------------------------------------------------------- calls

    def call(self, writing: Writing, op: Op, following: list[int]) -> int | None:
        function = writing.function
        step = op.step
        verb = self.program.game.verbs[step.verb]
        action = self.action(step.verb)
        if action is None and (writing.action or writing.loops):
            raise NotGenerated("a call")
        self.here(writing, op)
        try:
            with function.aside() as block:
                arguments = self.arguments(writing, step, verb)
        except NotGenerated:
            if writing.action or writing.loops:
                raise
            self.handled(writing, op)
            following += self.targets(op)
            return None
        function.block += block
        me = function.tree(writing.scope.me)
        if action is not None:
            call = ast.Call(variable(action), [variable("S"), me, *arguments], keywords=[])
            function.block.append(ast.Expr(call))
            return op.edges["next"]
        given = ast.Dict([ast.Constant(parameter.name) for parameter in verb.parameters], arguments)
        frame = self.names.fresh("t")
        function.write(
            "frame = Frame(unit, 0, given, me)",
            frame=frame,
            unit=ast.Constant(verb.id),
            given=given,
            me=me,
        )
        if verb.label is not None:
            key = "begin"
            if key not in self.names.kept:
                self.names.kept[key] = self.names.helper(key, self.begun)
            function.write(
                "if S.trail is None:\n    begin(S, me, frame)",
                begin=self.names.kept[key],
                me=me,
                frame=frame,
            )
        function.write(
            "if len(S.frames) >= deepest:\n    raise Slow\nS.frames.append(frame)\nreturn switch",
            deepest=number(DEEPEST),
            frame=frame,
            switch=number(SWITCH),
        )
        following.append(op.resume)
        return None

    def begun(self, store: Store, me: Any, frame: Frame) -> None:
        """Note that a verb begins."""
        self.program.calls.tell_begin(store, me, frame.unit, frame.locals)

    def arguments(self, writing: Writing, step: model.CallVerb, verb: model.Verb) -> list[ast.expr]:
        """Write the arguments of a verb."""
        function = writing.function
        made: list[tuple[ast.expr, list[ast.stmt]]] = []
        for argument, parameter in zip(step.arguments, verb.parameters, strict=True):
            with function.aside() as block:
                tree = self.argument(function, writing.scope, argument, parameter)
            made.append((tree, block))
        trees = []
        for place, (tree, block) in enumerate(made):
            function.block += block
            if any(later for _, later in made[place + 1 :]):
                tree = variable(function.keep(tree))
            trees.append(tree)
        return trees

    def argument(
        self,
        function: Function,
        scope: Scope,
        argument: model.Argument,
        parameter: model.Parameter,
    ) -> ast.expr:
        """Write what is handed to a parameter."""
        if isinstance(argument, model.FieldPlace | model.LocalPlace):
            return place_tree(function, argument, scope)
        if isinstance(argument, NOT_VALUES) or isinstance(parameter.type, kinds.FunctionType):
            raise NotGenerated("a place as an argument")
        tree = function.value(argument, scope)
        if isinstance(parameter.type, kinds.ListType) and kinds.element(argument.type) is None:
            if isinstance(argument.type, kinds.OptionalType):
                raise NotGenerated("one thing or none as a list")
            return ast.Tuple([tree], ast.Load())
        return tree

    def has_role(self, op: Op) -> bool:
        """Return whether a mark does something."""
        return "role" in self.program.plans[op.unit].nodes[op.node]

    def targets(self, op: Op) -> list[int]:
        """Return where an operation leads to, also when what it has called returns."""
        found = list(op.edges.values())
        if op.kind in ("call", "do", "watch"):
            found.append(op.resume)
        return found
