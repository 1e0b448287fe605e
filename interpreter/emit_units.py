"""Generating units: the operations of a verb or watch in, what runs at each of its nodes out.

At the nodes where blocks begin (see `emit_steps`) stand generated functions, at the others the
handlers of the walker: wherever a frame stands, the unit can go on.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from rulewright.dsl import kinds
from rulewright.interpreter.doing import Doing
from rulewright.interpreter.emit import (
    Function,
    Handlers,
    Locals,
    Made,
    Names,
    NotGenerated,
    Scope,
    Variables,
)
from rulewright.interpreter.emit_loops import Writing
from rulewright.interpreter.emit_steps import Steps
from rulewright.interpreter.errors import Undecided
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.machine import SWITCH, Op, Run
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.templates import number, statements, variable
from rulewright.interpreter.values import Value


class Units:
    """Writes the units of one loaded game."""

    def __init__(self, program: Program, handlers: Handlers, doing: Doing) -> None:
        self.program = program
        self.handlers = handlers
        self.doing = doing
        self.names = Names(program.evaluator)
        self.actions: dict[str, str | None] = {}
        self.local_names: dict[str, dict[str, str]] = {}
        self.steps = Steps(program, self.names, doing, self.action)
        space = self.names.space
        space.update(
            doing=doing,
            Frame=Frame,
            Undecided=Undecided,
            EVERYBODY=doing.everybody,
            rescued=self.rescued,
            failed=self.failed,
        )

    # ------------------------------------------------------------------------------------- a unit

    def unit(self, unit: str) -> list[Run]:
        """Return what runs at each node of a unit."""
        ops = self.program.code[unit]
        runs: list[Run] = [op.run for op in ops]
        try:
            self._fill(unit, ops, runs)
        except (NotGenerated, RecursionError):
            return [op.run for op in ops]
        return runs

    def _fill(self, unit: str, ops: Sequence[Op], runs: list[Run]) -> None:
        """Put blocks where they begin."""
        waiting, done = [0], set()
        while waiting:
            node = waiting.pop()
            if node in done or not self.can_begin(ops[node]):
                if node not in done:
                    done.add(node)
                    waiting += self.steps.targets(ops[node])
                continue
            done.add(node)
            written = self.block(unit, ops, node)
            if written is None:
                waiting += self.steps.targets(ops[node])
                continue
            name, following = written
            self.names.compile()
            runs[node] = self.names.space[name]
            waiting += following

    def can_begin(self, op: Op) -> bool:
        """Return whether a block may begin with an operation: it does something here."""
        return op.kind not in ("decide", "dead", "do")

    def block(self, unit: str, ops: Sequence[Op], node: int) -> tuple[str, list[int]] | None:
        """Write the block that begins at a node; return its name and the nodes where it ends."""
        names = self.names
        if names.broken:
            return None
        function = Function(names, self.handlers)
        writing = Writing(unit, ops, function, Scope(Made(variable("me")), Locals()), action=False)
        function.decides = True
        following: list[int] = []
        try:
            self.steps.way(writing, node, None, following)
        except NotGenerated:
            return None
        name = names.fresh("block_")
        made = function.finished(name, ["S", "F"], number(SWITCH))
        body = statements("L = F.locals\nme = F.me") + made.body
        made.body = statements(
            "try:\n    body\nexcept SLOW:\n    return rescued(S, F)",
            body=body,
        )
        names.functions.append(made)
        return name, following

    def rescued(self, store: Store, frame: Frame) -> int:
        """Do with the walker what generated code has stumbled over."""
        op = self.program.code[frame.unit][frame.node]
        result = op.run(store, frame)
        assert not any(
            self.steps.simple_loop(self.program.code[frame.unit][loop]) for loop in op.loops
        ), f"the walker finds nothing wrong at {op}"
        if result >= 0:
            frame.node = result
            return SWITCH
        return result

    def failed(
        self, store: Store, unit: str, node: int, variables: dict[str, Value], me: Any
    ) -> None:
        """Let the walker say what is wrong at a node of an action."""
        names = self.local_names[unit]
        locals = {names[name]: value for name, value in variables.items() if name in names}
        frame = Frame(unit, node, locals, me)
        store.frames.append(frame)
        self.program.code[unit][node].run(store, frame)
        raise AssertionError(f"the walker finds nothing wrong at {unit}#{node}")

    # ------------------------------------------------------------------------------------- actions

    def action(self, unit: str) -> str | None:
        """Return the name of the function of a unit that needs no frame, or None."""
        if unit not in self.actions:
            self.actions[unit] = None
            self.actions[unit] = self.written_action(unit)
        return self.actions[unit]

    def written_action(self, unit: str) -> str | None:
        verb = self.program.game.verbs[unit]
        flow = self.program.flow
        if verb.label is not None or flow.asks(unit) or unit in self.stopped:
            return None
        names = self.names
        function = Function(names, self.handlers)
        function.decides = True
        scope = Scope(Made(variable("me")), Variables(names))
        parameters = []
        for parameter in verb.parameters:
            if isinstance(parameter.type, kinds.FunctionType):
                return None
            local = scope.names[parameter.name]
            assert isinstance(local, Made) and isinstance(local.tree, ast.Name)
            parameters.append(local.tree.id)
        ops = self.program.code[unit]
        writing = Writing(unit, ops, function, scope, action=True)
        try:
            self.steps.way(writing, 0, None, [])
        except NotGenerated:
            return None
        name = names.fresh("action_")
        made = function.finished(name, ["S", "me", *parameters], ast.Constant(None))
        made.body = statements(
            "N = 0\ntry:\n    body\nexcept SLOW:\n    failed(S, unit, N, locals(), me)",
            body=made.body,
            unit=ast.Constant(unit),
        )
        self.local_names[unit] = {
            part.tree.id: local
            for local, part in scope.names.items()
            if isinstance(part, Made) and isinstance(part.tree, ast.Name)
        }
        names.functions.append(made)
        return name

    @property
    def stopped(self) -> frozenset[str]:
        """The units that can be stopped by name."""
        if "stopped" not in self.names.kept:
            found: set[str] = set()
            for plan in self.program.plans.values():
                for data in plan.nodes:
                    found.update(data.get("targets", ()))
            self.names.kept["stopped"] = frozenset(found)
        stopped: frozenset[str] = self.names.kept["stopped"]
        return stopped
