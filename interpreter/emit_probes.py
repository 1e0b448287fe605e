"""Generating look-ahead: a decision where it stands in, functions out that say which options live.

A *probe* follows the operations after an answer the way a trial does, but as one Python function:
requirements are conditions, a further decision of the same player is a loop over its options that
ends with the first that succeeds, and where nothing can fail any more (`certain`) it has succeeded.
A probe belongs to a decision in a context: the frames below it and the loop that ends the
transaction. What it cannot follow is left to the trials of the walker.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import attrs

from rulewright.dsl import kinds, model
from rulewright.interpreter.certain import Key, is_safe
from rulewright.interpreter.emit import (
    Function,
    Known,
    Locals,
    Made,
    NotGenerated,
    Part,
    Scope,
    Variables,
)
from rulewright.interpreter.emit_effects import effect
from rulewright.interpreter.emit_units import Units
from rulewright.interpreter.layout import AWAKE
from rulewright.interpreter.machine import Op
from rulewright.interpreter.sites import Sites
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.templates import expression, number, statements, variable
from rulewright.interpreter.values import Value, VerbValue

Probe = Callable[[Store, Frame, Value], bool]

LONGEST_PROBE = 200
MOST_SELECTIONS = 2000


@attrs.frozen(eq=False)
class Level:
    """A frame of a probe: where it goes on when what it has called returns."""

    unit: str
    resume: int
    scope: Scope


class Probes:
    """Writes the probes of one loaded game."""

    def __init__(self, units: Units, sites: Sites) -> None:
        self.units = units
        self.sites = sites
        self.program = units.program
        self.names = units.names
        self.names.space.update(combinations=combinations, too_many=too_many)

    def of(self, context: Key, value: Value) -> Probe | None:
        """Return the probe of an option of the decision on which a context ends; for a verb as a
        value one of its own."""
        if self.names.broken:
            return None
        op = self._decision(context)
        try:
            name = self._written(context, op, value)
            self.names.compile()
        except (NotGenerated, RecursionError):
            return None
        probe: Probe = self.names.space[name]
        return probe

    def _decision(self, context: Key) -> Op:
        unit, node = context[1][-1]
        return self.program.code[unit][node]

    def _written(self, context: Key, op: Op, value: Value) -> str:
        function = Function(self.names, self.units.handlers)
        scope = Scope(Made(variable("me")), Locals())
        step = op.step
        if isinstance(step, model.Choose):
            if step.word != "one":
                raise NotGenerated("a selection")
            part: Part = Made(variable("x"))
            if isinstance(value, VerbValue):
                part = Known(value)
            scope = scope.having(step.name, part)
            target = op.edges["next"]
        elif isinstance(step, model.May):
            target = op.edges["yes" if value else "no"]
        else:
            target = op.edges[f"arm{value}"]
        stack = [
            Level(unit, self.program.code[unit][node].resume, Scope(Made(variable("me")), {}))
            for unit, node in context[1][:-1]
        ]
        writing = Writing(self, function, context)
        writing.way(stack, op.unit, scope, target)
        return writing.finished(["S", "F", "x"], "L = F.locals\nme = F.me")


def too_many(count: int, low: int, high: int) -> bool:
    """Return whether there are too many selections to try them one by one."""
    return sum(comb(count, size) for size in range(low, min(high, count) + 1)) > MOST_SELECTIONS


class Writing:
    """A probe, or a part of one, that is being written."""

    def __init__(self, probes: Probes, function: Function, context: Key) -> None:
        self.probes = probes
        self.program = probes.program
        self.function = function
        self.context = context
        self.count = 0

    def finished(self, parameters: list[str], prologue: str) -> str:
        names = self.function.names
        name = names.fresh("probe_")
        made = self.function.finished(name, parameters, ast.Constant(False))
        made.body = statements(prologue) + made.body
        names.functions.append(made)
        return name

    # --------------------------------------------------------------------------------------- the way

    def is_over(self, stack: Sequence[Level], unit: str, node: int) -> bool:
        """Return whether nothing can fail from here on."""
        loop, _ = self.context
        levels = [*((level.unit, level.resume) for level in stack), (unit, node)]
        for depth, (name, start) in enumerate(levels):
            if not is_safe(self.program, name, start, loop if depth == 0 else -1):
                return False
        return True

    def way(self, stack: list[Level], unit: str, scope: Scope, node: int) -> None:
        """Write what happens from a node on, to success or failure."""
        function = self.function
        while True:
            self.count += 1
            if self.count > LONGEST_PROBE:
                raise NotGenerated("a long probe")
            if not stack and node == self.context[0]:
                function.write("return True")
                return
            if self.is_over(stack, unit, node):
                function.write("return True")
                return
            op = self.program.code[unit][node]
            match op.kind:
                case "let":
                    part = function.part(op.step.value, scope)
                    if isinstance(part, Made) and part.listed:
                        part = Made(function.tree(part), length=part.length)
                    scope = scope.having(op.step.name, function.kept(part))
                    node = op.edges["next"]
                case "effect":
                    effect(function, op.step, scope, self.probes.units.doing)
                    node = op.edges["next"]
                case "need":
                    test = function.tree(function.part(op.step.condition, scope))
                    function.write("if not test:\n    return False", test=test)
                    node = op.edges["next"]
                case "branch":
                    test_part = function.part(op.step, scope)
                    if isinstance(test_part, Known):
                        node = op.edges["yes" if test_part.value else "no"]
                        continue
                    with function.aside() as block:
                        self.way(list(stack), unit, scope, op.edges["yes"])
                    function.write("if test:\n    block", test=test_part.tree, block=block)
                    node = op.edges["no"]
                case "decide":
                    self.decision(stack, unit, scope, op)
                    return
                case "call":
                    scope, unit, node = self.call(stack, scope, op)
                case "do":
                    scope, unit, node = self.do(stack, scope, op)
                case "return":
                    if not stack:
                        # What has begun the transaction is over: the horizon.
                        function.write("return True")
                        return
                    level = stack.pop()
                    scope, unit, node = level.scope, level.unit, level.resume
                case "step_end" | "nothing" | "step_begin":
                    node = op.edges["next"]
                case "watch":
                    self.watch(scope, op)
                    node = op.edges["next"]
                case "stop" if self.leaves_transaction(stack, unit, op):
                    function.write("return True")
                    return
                case "chance" | "end":
                    function.write("return True")
                    return
                case _:
                    raise NotGenerated(op.kind)

    def watch(self, scope: Scope, op: Op) -> None:
        """Look at conditions; if one has become true, a trial finds out what follows."""
        watching = self.program.watching
        ids = tuple(watching.numbers[watch.removeprefix("watch:")] for watch in op.calls)
        function = self.function
        function.names.space.setdefault("watching", watching)
        function.write(
            "if C[0][awake] and watching.look(S, me, ids):\n    raise Slow",
            awake=number(AWAKE),
            me=function.tree(scope.me),
            ids=function.names.constant(ids),
        )

    def leaves_transaction(self, stack: Sequence[Level], unit: str, op: Op) -> bool:
        """Return whether a stop leaves the loop that ends the transaction."""
        loop, frames = self.context
        targets = self.program.plans[op.unit].nodes[op.node].get("targets")
        if targets is None or loop < 0:
            return False
        inner = [*(level.unit for level in stack[1:]), unit] if stack else []
        if any(name in targets for name in inner):
            return False
        base, node = frames[0]
        return loop in self.program.code[base][node].loops

    def call(self, stack: list[Level], scope: Scope, op: Op) -> tuple[Scope, str, int]:
        function = self.function
        verb = self.program.game.verbs[op.step.verb]
        parts = []
        for argument, parameter in zip(op.step.arguments, verb.parameters, strict=True):
            if isinstance(parameter.type, kinds.ZoneType | kinds.PlaceType | kinds.FunctionType):
                raise NotGenerated("a place as an argument")
            part = function.kept(function.part(argument, scope))
            if isinstance(parameter.type, kinds.ListType):
                if kinds.element(argument.type) is None:
                    tree = ast.Tuple([function.tree(part)], ast.Load())
                    part = function.kept(Made(tree, length=1))
                elif isinstance(part, Made) and part.listed:
                    part = function.kept(Made(function.tree(part), length=part.length))
            parts.append((parameter.name, part))
        return self.entered(stack, scope, op, verb.id, dict(parts))

    def do(self, stack: list[Level], scope: Scope, op: Op) -> tuple[Scope, str, int]:
        value = self.function.part(op.step.value, scope)
        if not isinstance(value, Known) or value.value is None or value.value.arguments:
            raise NotGenerated("a verb that is not known")
        fitting = [
            verb for verb in value.value.verbs if not self.program.game.verbs[verb].parameters
        ]
        if not fitting:
            raise NotGenerated("a verb that takes something")
        return self.entered(stack, scope, op, fitting[0], {})

    def entered(
        self, stack: list[Level], scope: Scope, op: Op, verb: str, given: dict[str, Part]
    ) -> tuple[Scope, str, int]:
        stack.append(Level(op.unit, op.resume, scope))
        inner = Scope(scope.me, Variables(self.function.names))
        for name, part in given.items():
            inner = inner.having(name, part)
        return inner, verb, 0

    # ---------------------------------------------------------------------------- further decisions

    def decision(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        step = op.step
        match step:
            case model.May():
                self.either(stack, unit, scope, [(None, op.edges["no"]), (None, op.edges["yes"])])
            case model.Either():
                arms = [(arm.guard, op.edges[f"arm{place}"]) for place, arm in enumerate(step.arms)]
                self.either(stack, unit, scope, arms)
            case model.Choose(word="one"):
                self.choose(stack, unit, scope, op)
            case model.Choose(word="any" | "count" | "up_to"):
                self.select(stack, unit, scope, op)
            case _:
                raise NotGenerated("an order")

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
                    call = self.apart(stack, unit, scope, target)
                    function.write("if call:\n    return True", call=call)
            if guard is None:
                function.block += block
            else:
                test = function.tree(function.part(guard, scope))
                function.write("if test:\n    block", test=test, block=block)
        function.write("return False")

    def choose(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        function = self.function
        step = op.step
        if op.edges.get("none") is not None:
            raise NotGenerated("or stop")
        target = op.edges["next"]
        source = self.source(function, step, scope)
        over = self.is_over(stack, unit, target)
        item = function.names.fresh("x")
        inner = scope.having(step.name, Made(variable(item)))
        if over and step.such_that is None:
            function.write("return len(items) > 0", items=function.items(source))
            return
        source = function.kept(source)
        with function.looping(source) as block:
            if step.such_that is not None:
                test = function.tree(function.part(step.such_that, inner))
                function.write("if not test:\n    continue", test=test)
            if over:
                function.write("return True")
            else:
                call = self.apart(stack, unit, inner, target)
                function.write("if call:\n    return True", call=call)
        function.write(
            "for item in items:\n    block\nreturn False",
            item=item,
            items=function.items(source),
            block=block,
        )

    def source(self, function: Function, step: model.Choose, scope: Scope) -> Part:
        """Write what stands to choice; of alike things one is as good as the other."""
        if isinstance(step.source, model.Numbers):
            low, high = function.parts((step.source.low, step.source.high), scope)
            return Made(
                expression("range(low, high + 1)", low=function.tree(low), high=function.tree(high))
            )
        sites = self.probes.sites
        part = function.kept(sites.blind(function, step.source, scope))
        how, _ = sites.alike(step)
        if how == "seen":
            sites.different(function, step, part)
        return part

    def select(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        function = self.function
        step = op.step
        if op.edges.get("none") is not None or not self.is_over(stack, unit, op.edges["next"]):
            raise NotGenerated("a selection and more")
        source = function.kept(self.source(function, step, scope))
        ends = []
        for end, default in ((step.low, number(0)), (step.high, None)):
            if end is None:
                ends.append(default or expression("len(items)", items=function.items(source)))
            else:
                ends.append(function.tree(function.kept(function.part(end, scope))))
        low, high = ends
        if step.such_that is None:
            function.write(
                "return low <= high and low <= len(items)",
                low=low,
                high=high,
                items=function.items(source),
            )
            return
        chosen = function.names.fresh("x")
        inner = scope.having(step.name, Made(variable(chosen)))
        size = function.names.fresh("x")
        function.slow_if(
            expression(
                "too_many(len(items), low, high)",
                items=function.items(source),
                low=low,
                high=high,
            )
        )
        with function.looping(source) as block:
            test = function.tree(function.part(step.such_that, inner))
            function.write("if test:\n    return True", test=test)
        function.write(
            "for size in range(low, min(high, len(items)) + 1):\n"
            "    for chosen in combinations(items, size):\n"
            "        block\n"
            "return False",
            size=size,
            low=low,
            high=high,
            items=function.items(source),
            chosen=chosen,
            block=block,
        )

    def apart(
        self,
        stack: list[Level],
        unit: str,
        scope: Scope,
        target: int,
    ) -> ast.expr:
        """Write what follows an answer as a function of its own; return the call of it."""
        names = self.function.names
        function = Function(names, self.function.handlers)
        writing = Writing(self.probes, function, self.context)
        writing.count = self.count
        handed: dict[str, ast.expr] = {}
        for level_scope in (scope, *(level.scope for level in stack)):
            _hand(level_scope, handed)
        writing.way(
            list(stack),
            unit,
            scope,
            target,
        )
        self.count = writing.count
        self.function.cost += function.cost
        name = writing.finished(["S", "L", "me", *handed], "pass")
        trees = [variable("S"), variable("L"), variable("me"), *handed.values()]
        return ast.Call(variable(name), trees, keywords=[])


def _hand(scope: Scope, handed: dict[str, ast.expr]) -> None:
    """Collect the variables that a function of its own must be given."""
    for part in scope.names.values():
        if isinstance(part, Made) and not isinstance(part.tree, ast.Constant):
            if not isinstance(part.tree, ast.Name):
                raise NotGenerated("a name that is no variable")
            handed[part.tree.id] = part.tree
