"""Generating look-ahead: the further decisions of a probe, as loops over their options.

The first option that succeeds is enough; what a failing one has written is taken back. The order is
that of a trial, so that what is wrong with the rules turns up in both or in none.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

import attrs

from rulewright.dsl import model
from rulewright.interpreter.codegen.sites import Sites
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.lookahead.safe_decisions import Key, is_safe
from rulewright.interpreter.lookahead.search import TRIAL_LIMIT
from rulewright.interpreter.printing.emit import (
    CHEAP,
    Function,
    Known,
    Locals,
    Made,
    NotGenerated,
    Part,
    Scope,
)
from rulewright.interpreter.printing.emit_sure import leave
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import TICKS_PER_STEP

if TYPE_CHECKING:
    from rulewright.interpreter.codegen.emit_units import Units

OPERATION = TICKS_PER_STEP // TRIAL_LIMIT
"""What an operation of a probe costs, so that none runs longer than a trial may."""

MOST_DECISIONS = 60
"""So many may come one after the other in loops; a trial of the walker gives up later."""


class FrameLocals(Locals):
    """The names of a frame below the top one."""

    def __init__(self, depth: int, known: Mapping[str, Part] | None = None) -> None:
        super().__init__(known or {})
        self.depth = depth
        """How many frames stand above it."""

    def __missing__(self, name: str) -> Part:
        return Made(expression("locals[name]", locals=self.tree(), name=ast.Constant(name)))

    def tree(self) -> ast.expr:
        """Return the tree of the locals."""
        return expression("S.frames[place].locals", place=number(-1 - self.depth))

    def copy(self) -> FrameLocals:
        """Return names of their own with the same meaning."""
        return FrameLocals(self.depth, self)


@attrs.frozen(eq=False)
class Level:
    """A frame of a probe: where it goes on when what it has called returns."""

    unit: str
    resume: int
    scope: Scope
    me: ast.expr | None = None
    """Who acts in it, if it is a frame of the store."""


@attrs.frozen(eq=False)
class Pass:
    """A loop whose passes are being written as a function that calls itself."""

    name: str
    scope: Scope
    """What the names mean around it."""

    handed: tuple[str, ...]
    carried: tuple[str, ...]
    """The names that a pass changes for the next one."""


class Common:
    """What all kinds of probes are written for."""

    def __init__(self, program: Program, units: Units, sites: Sites) -> None:
        self.program = program
        self.units = units
        self.sites = sites
        self.names = units.names


def _given(statement: ast.Assign, read: Set[str]) -> bool:
    """Return whether a statement gives a variable that is read its value."""
    return any(isinstance(one, ast.Name) and one.id in read for one in statement.targets)


class Decisions:
    """A probe, or a part of one, that is being written: its decisions."""

    def __init__(self, common: Common, function: Function, context: Key) -> None:
        self.common = common
        self.program = common.program
        self.function = function
        self.context = context
        self.count = 0
        """The operations that have been written."""

        self.tried = [0]
        """How many have been written in all, with what was given up again; all parts share it."""

        self.own = 0
        """Those on the longest way through this function."""

        self.repeated = False
        """Whether this function may run many times in one trial."""

        self.writes = False
        """Whether anything is written to the store."""

        self.touches = False
        """Whether the probe writes something, or reads what may be the horizon."""

        self.deep = False
        """Whether it is counted how many decisions are tried inside each other."""

        self.passes: dict[tuple[int, str, int], Pass] = {}

    def way(self, stack: list[Level], unit: str, scope: Scope, node: int) -> None:
        """Write what happens from a node on, to success or failure."""
        raise NotImplementedError

    def inner(self, function: Function) -> Decisions:
        """Return what writes a part of the probe as a function of its own."""
        writing = type(self)(self.common, function, self.context)
        writing.count, writing.passes = self.count, self.passes
        writing.tried = self.tried
        writing.repeated = self.repeated or self.function.loops > 0
        return writing

    def took(self, writing: Decisions) -> None:
        """Note what has been written as a function of its own."""
        self.count = writing.count
        self.writes = self.writes or writing.writes
        self.touches = self.touches or writing.touches
        self.deep = self.deep or writing.deep
        if writing.repeated:
            writing.function.cost += OPERATION * (writing.own + 1)
        if writing.function.cost <= CHEAP:
            # What is dearer counts for itself.
            self.function.cost += writing.function.cost

    def finished(self, parameters: list[str], prologue: str) -> str:
        names = self.function.names
        name = names.fresh("probe_")
        self.made(name, parameters, prologue)
        return name

    def made(self, name: str, parameters: list[str], prologue: str) -> None:
        """End a function."""
        self.touches = self.touches or self.function.looks
        made = self.function.finished(name, parameters, ast.Constant(False))
        read = {part.id for part in ast.walk(made) if isinstance(part, ast.Name)}
        # A question whether a verb can be done may count them, too.
        deep = self.deep or any(name.startswith("can_") for name in read)
        made.body = [
            statement
            for statement in statements(prologue)
            if not isinstance(statement, ast.Assign)
            or (
                deep if isinstance(statement.targets[0], ast.Subscript) else _given(statement, read)
            )
        ] + made.body
        self.function.names.functions.append(made)

    def is_over(self, stack: Sequence[Level], unit: str, node: int) -> bool:
        """Return whether nothing can fail from here on."""
        loop, _ = self.context
        levels = [*((level.unit, level.resume) for level in stack), (unit, node)]
        for depth, (name, start) in enumerate(levels):
            if not is_safe(self.program, name, start, loop if depth == 0 else -1):
                return False
        return True

    # ------------------------------------------------------------------------------- the decisions

    def decision(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        """Write a decision and all that follows."""
        me = scope.me
        if not (isinstance(me, Made) and isinstance(me.tree, ast.Name) and me.tree.id == "me"):
            # A decision of another player is the horizon.
            tree = self.function.tree(me)
            self.function.write("if player is not me:\n    return True", player=tree)
        step = op.step
        match step:
            case model.May():
                self.either(stack, unit, scope, [(None, op.edges["no"]), (None, op.edges["yes"])])
            case model.Either():
                arms = [(arm.guard, op.edges[f"arm{place}"]) for place, arm in enumerate(step.arms)]
                self.either(stack, unit, scope, arms)
            case model.Choose(word="one"):
                self.choose(stack, unit, scope, op)
            case model.Choose():
                self.select(stack, unit, scope, op)
            case _:
                raise NotGenerated("a decision")

    def either(
        self,
        stack: list[Level],
        unit: str,
        scope: Scope,
        arms: list[tuple[model.Expression | None, int]],
    ) -> None:
        function = self.function
        # What cannot fail comes first; all arms are only looked at.
        over = [arm for arm in arms if self.is_over(stack, unit, arm[1])]
        for guard, target in over + [arm for arm in arms if arm not in over]:
            with function.aside() as block:
                if (guard, target) in over:
                    function.write("return True")
                else:
                    self.attempt(stack, unit, scope, target)
            if guard is None:
                function.block += block
            else:
                test = function.tree(function.part(guard, scope))
                function.write("if test:\n    block", test=test, block=block)
        function.write("return False")

    def attempt(
        self,
        stack: list[Level],
        unit: str,
        scope: Scope,
        target: int,
        failed: Sequence[ast.stmt] = (),
    ) -> None:
        """Write that what follows an answer is tried; if it fails, that it is taken back."""
        function = self.function
        before, self.writes = self.writes, False
        call = self.apart(stack, unit, scope, target)
        if self.passes:
            self.deep = True
            function.write(
                "depth[0] += 1\nif depth[0] > most:\n    raise Slow", most=number(MOST_DECISIONS)
            )
            failed = [*statements("depth[0] -= 1"), *failed]
        if self.writes:
            mark = function.names.fresh("t")
            function.write(
                "mark = len(S.trail)\nif call:\n    return True\nS.undo_to(mark)",
                mark=mark,
                call=call,
            )
        else:
            function.write("if call:\n    return True", call=call)
        function.block += failed
        self.writes = self.writes or before

    def otherwise(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        """Write what happens if no option succeeds."""
        stop = op.edges.get("none")
        if stop is None:
            self.function.write("return False")
        else:
            self.way(list(stack), unit, scope, stop)

    def choose(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        function = self.function
        step = op.step
        target = op.edges["next"]
        source = self.source(function, step, scope)
        over = self.is_over(stack, unit, target)
        if over and step.such_that is None:
            leave(function, source)
            self.otherwise(stack, unit, scope, op)
            return
        item = function.names.fresh("x")
        inner = scope.having(step.name, Made(variable(item)))
        source = function.kept(source)
        with function.looping(source) as block:
            if step.such_that is not None:
                test = function.tree(function.part(step.such_that, inner))
                function.write("if not test:\n    continue", test=test)
            if over:
                function.write("return True")
            else:
                self.attempt(stack, unit, inner, target)
        function.write(
            "for item in items:\n    block", item=item, items=function.items(source), block=block
        )
        self.otherwise(stack, unit, scope, op)

    def source(self, function: Function, step: model.Choose, scope: Scope) -> Part:
        """Write what stands to choice; of alike things one is as good as the other."""
        if isinstance(step.source, model.Numbers):
            low, high = function.parts((step.source.low, step.source.high), scope)
            return Made(
                expression("range(low, high + 1)", low=function.tree(low), high=function.tree(high))
            )
        sites = self.common.sites
        part = sites.blind(function, step.source, scope)
        how, _ = sites.alike(step)
        if how == "seen":
            part = function.kept(part)
            sites.different(function, step, part, any_of_alike=True)
        return part

    def select(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        function = self.function
        step = op.step
        target = op.edges["next"]
        over = self.is_over(stack, unit, target)
        source = function.kept(self.source(function, step, scope))
        items = function.items(source)
        low, high = self.bounds(step, items, scope)
        if over and step.such_that is None:
            function.write(
                "if low <= high and low <= len(items):\n    return True",
                low=low,
                high=high,
                items=items,
            )
            self.otherwise(stack, unit, scope, op)
            return
        chosen = function.names.fresh("x")
        inner = scope.having(step.name, Made(variable(chosen)))
        if step.word == "ordered":
            function.slow_if(expression("too_many_orders(len(items))", items=items))
            every = expression("permutations(items)", items=items)
        else:
            trees = {"items": items, "low": low, "high": high}
            function.slow_if(expression("too_many(len(items), low, high)", **trees))
            every = expression("selections(items, low, high)", **trees)
        with function.looping(source) as block:
            if step.such_that is not None:
                test = function.tree(function.part(step.such_that, inner))
                function.write("if not test:\n    continue", test=test)
            if over:
                function.write("return True")
            else:
                self.attempt(stack, unit, inner, target, self.passed_over(op, chosen, items, high))
        function.write("for chosen in every:\n    block", chosen=chosen, every=every, block=block)
        self.otherwise(stack, unit, scope, op)

    def passed_over(
        self, op: Op, chosen: str, items: ast.expr, high: ast.expr
    ) -> Sequence[ast.stmt]:
        """Return what happens if nothing is chosen because nothing can be, and that fails."""
        if op.edges.get("none") is None:
            return ()
        return statements(
            "if not chosen and (high <= 0 or not items):\n    return False",
            chosen=chosen,
            high=high,
            items=items,
        )

    def bounds(
        self, step: model.Choose, items: ast.expr, scope: Scope
    ) -> tuple[ast.expr, ast.expr]:
        """Write how many may be chosen."""
        function = self.function
        size = expression("len(items)", items=items)
        if step.word == "ordered":
            return size, size
        low: ast.expr = number(0)
        if step.low is not None:
            low = function.tree(function.kept(function.part(step.low, scope)))
        if step.high is None:
            return low, size
        high = function.tree(function.kept(function.part(step.high, scope)))
        most = function.keep(expression("min(high, size)", high=high, size=size))
        return low, variable(most)

    # ------------------------------------------------------------------------- functions of their own

    def handed(self, stack: Sequence[Level], scope: Scope) -> dict[str, ast.expr]:
        """Return the variables that a function of its own must be given."""
        found: dict[str, ast.expr] = {}
        for one in (scope, *(level.scope for level in stack)):
            for part in (one.me, *one.names.values()):
                if isinstance(part, Known) or isinstance(part.tree, ast.Constant):
                    continue
                if not isinstance(part.tree, ast.Name):
                    raise NotGenerated("a name that is no variable")
                if part.tree.id != "me":
                    found[part.tree.id] = part.tree
        for running in self.passes.values():
            # At the end of its pass it wants them back.
            found.update((name, variable(name)) for name in running.handed)
        return found

    def apart(self, stack: list[Level], unit: str, scope: Scope, target: int) -> ast.expr:
        """Write what follows an answer as a function of its own; return the call of it."""
        names = self.function.names
        function = Function(names, self.function.handlers)
        function.seer = self.function.seer
        writing = self.inner(function)
        handed = self.handed(stack, scope)
        writing.way(list(stack), unit, scope, target)
        self.took(writing)
        name = writing.finished(["S", "L", "me", *handed], "pass")
        trees = [variable("S"), variable("L"), variable("me"), *handed.values()]
        return ast.Call(variable(name), trees, keywords=[])
