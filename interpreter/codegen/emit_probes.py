"""Generating look-ahead: a decision where it stands in, functions out that say which options live.

A *probe* follows the operations after an answer the way a trial does, but as one Python function:
requirements are conditions, a further decision of the same player is a loop over its options that
ends with the first that succeeds, and where nothing can fail any more (`lookahead/safe_decisions`) it has succeeded.
A probe belongs to a decision in a context: the frames below it and the loop that ends the
transaction. What it cannot follow is left to the trials of the walker.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.ir.nodes import Stop, Watch
from rulewright.dsl.model import types
from rulewright.interpreter.codegen.emit_decisions import Common, FrameLocals, Level
from rulewright.interpreter.codegen.emit_passes import RUNNING, Joins, begun, without
from rulewright.interpreter.codegen.emit_units import Units, unwatched
from rulewright.interpreter.codegen.picking import selections, too_many, too_many_orders
from rulewright.interpreter.codegen.sites import Sites
from rulewright.interpreter.ir.machine import STOPPING, Op
from rulewright.interpreter.lookahead.safe_decisions import Key
from rulewright.interpreter.printing.emit import (
    FAILED,
    Function,
    Known,
    Locals,
    Made,
    NotGenerated,
    Part,
    Scope,
    Slow,
    Variables,
)
from rulewright.interpreter.printing.emit_reads import place_part
from rulewright.interpreter.printing.templates import expression, flag, number, statements, variable
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.three_valued_logic import has_parts
from rulewright.interpreter.state.errors import Horizon, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import LASTING
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value, VerbValue

Probe = Callable[[Store, Frame, Value], bool]
"""Of several things the value is made of all whole selections that an answer can grow into."""

LONGEST_PROBE = 1200

FEW_WATCHES = 8
MOST_TRIED = 2 * LONGEST_PROBE
"""So many operations are written for one probe, also where ways that are too long are given up: there
may be very many of them inside each other."""


BEGIN = "L = F.locals\nme = F.me\ndepth[0] = 0"


class Probes(Common):
    """Writes the probes of one loaded game."""

    def __init__(self, units: Units, sites: Sites) -> None:
        super().__init__(units.program, units, sites)
        self.touches = False
        """Whether the last probe writes something, or reads what may be the horizon."""

        self.names.can = self.can
        self.names.space.update(
            depth=[0],
            selections=selections,
            permutations=permutations,
            too_many=too_many,
            too_many_orders=too_many_orders,
        )

    def of(self, context: Key, value: Value) -> Probe | None:
        """Return the probe of an option of the decision on which a context ends; for a verb as a
        value one of its own."""
        op = self._decision(context)
        try:
            name = self._written(context, op, value)
            self.names.compile()
        except (NotGenerated, RecursionError):
            return None
        probe: Probe = self.names.space[name]
        return probe

    def can(self, id: str) -> str:
        """Return the name of the function that says whether a verb can be begun and carried to its
        end or the horizon: it gets the store, who acts, and the arguments."""
        key = "can", id
        kept = self.names.kept
        if key not in kept:
            kept[key] = name = self.names.fresh("can_")
            probe = self.names.fresh("probe_")
            self.names.space[name] = asking(self.program, self.names.space, id, probe)
            verb = self.program.game.verbs[id]
            function = Function(self.names, self.units.handlers)
            function.seer = "me"
            scope = Scope(Made(variable("me")), Variables(self.names))
            given = [self.names.fresh("a") for _ in verb.parameters]
            for parameter, variable_name in zip(verb.parameters, given, strict=True):
                scope = scope.having(parameter.name, Made(variable(variable_name)))
            writing = Writing(self, function, (-1, ()))
            try:
                writing.way([], id, scope, 0)
                writing.made(probe, ["S", "L", "me", *given], "pass")
            except (NotGenerated, RecursionError):
                self.names.space[probe] = left_to_trials
        return str(kept[key])

    def _decision(self, context: Key) -> Op:
        unit, node = context[1][-1]
        return self.program.code[unit][node]

    def _written(self, context: Key, op: Op, value: Value) -> str:
        function = Function(self.names, self.units.handlers)
        # The trial of an option is a look of the player who decides.
        function.seer = "me"
        scope = Scope(Made(variable("me")), Locals(begun(op)))
        step = op.step
        frames = context[1]
        stack = []
        for place, (unit, node) in enumerate(frames[:-1]):
            depth = len(frames) - 1 - place
            below = self.program.code[unit][node]
            names = FrameLocals(depth, begun(below))
            me = expression("S.frames[place].me", place=number(-1 - depth))
            stack.append(Level(unit, below.resume, Scope(Made(variable("me")), names), me))
        writing = Writing(self, function, context)
        if isinstance(step, model.Split):
            raise NotGenerated("a distribution")
        if isinstance(step, model.Choose):
            target = op.edges["next"]
            if step.word != "one":
                writing.grown(stack, scope, op)
                self.touches = True
                return writing.finished(["S", "F", "x"], BEGIN)
            part: Part = Made(variable("x"))
            if isinstance(value, VerbValue):
                part = Known(value)
            scope = scope.having(step.name, part)
        elif isinstance(step, model.May):
            target = op.edges["yes" if value else "no"]
        else:
            target = op.edges[f"arm{value}"]
        writing.way(stack, op.unit, scope, target)
        name = writing.finished(["S", "F", "x"], BEGIN)
        self.touches = writing.touches
        if not self.touches:
            made = self.names.functions[-1]
            assert isinstance(made, ast.FunctionDef)
            made.body = statements(
                "try:\n    body\nexcept FAILED:\n    return carried(S, F, x)", body=made.body
            )
        return name


def left_to_trials(store: Store, *given: Value) -> bool:
    """Stand for a probe that could not be written."""
    raise Slow


def asking(program: Program, space: dict[str, Any], id: str, probe: str) -> Callable[..., bool]:
    """Return what asks whether a verb can be done: by its probe, or, where that does not know, by a
    trial of the walker."""
    value_of = program.game.verbs[id].name

    def can(store: Store, me: Thing | None, *given: Value) -> bool:
        kept = store.frames, store.transaction, store.viewer, store.trail, store.allowance
        if store.trail is None:
            store.trail = []
        mark = len(store.trail)
        store.frames, store.transaction, store.viewer = [], (me, 0, -1), me
        try:
            return bool(space[probe](store, {}, me, *given))
        except (Horizon, Undecided):
            return True
        except FAILED:
            # What has been paid for meanwhile is paid no more.
            store.allowance = kept[4][0], None
        finally:
            store.undo_to(mark)
            store.frames, store.transaction, store.viewer, store.trail, _ = kept
        return program.evaluator.can(store, VerbValue(value_of, (id,), given), me)

    return can


class Writing(Joins):
    """A probe, or a part of one, that is being written."""

    # --------------------------------------------------------------------------------------- the way

    def grown(self, stack: list[Level], scope: Scope, op: Op) -> None:
        """Write that some whole selection is possible."""
        function, step = self.function, op.step
        target = op.edges["next"]
        inner = scope.having(step.name, Made(variable("chosen")))
        function.loops += 1
        with function.aside() as block:
            if step.such_that is not None:
                test = function.tree(function.part(step.such_that, inner))
                function.write("if not test:\n    continue", test=test)
            if self.is_over(stack, op.unit, target):
                function.write("return True")
            else:
                self.attempt(stack, op.unit, inner, target)
        function.loops -= 1
        function.write("for chosen in x:\n    block", block=block)

    def way(self, stack: list[Level], unit: str, scope: Scope, node: int) -> None:
        """Write what happens from a node on, to success or failure."""
        others: list[tuple[int, int]] = []
        self._way(stack, unit, scope, node, others)
        for own, cost in others:
            self.own, self.function.cost = max(self.own, own), max(self.function.cost, cost)

    def _way(
        self,
        stack: list[Level],
        unit: str,
        scope: Scope,
        node: int,
        others: list[tuple[int, int]],
    ) -> None:
        """Write it; `others` gets the lengths and costs of the ways that turn off."""
        function = self.function
        while True:
            self.count += 1
            self.own += 1
            self.tried[0] += 1
            if self.count > LONGEST_PROBE or self.tried[0] > MOST_TRIED:
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
                    self.effect(scope, op)
                    node = op.edges["next"]
                case "need":
                    unwatched(function, op.step)
                    self.need(scope, op.step.condition)
                    node = op.edges["next"]
                case "branch":
                    test_part = function.part(op.step, scope)
                    if isinstance(test_part, Known):
                        node = op.edges["yes" if test_part.value else "no"]
                        continue
                    meet = self.meeting(op)
                    if meet is not None:
                        self.joined(scope, op, test_part.tree, meet)
                        node = meet
                        continue
                    here = self.own, function.cost
                    with function.aside() as block:
                        self.way_or_trial(list(stack), unit, scope, op.edges["yes"])
                    others.append((self.own, function.cost))
                    self.own, function.cost = here
                    function.write("if test:\n    block", test=test_part.tree, block=block)
                    node = op.edges["no"]
                case "decide":
                    unwatched(function, op.step)
                    self.decision(stack, unit, scope, op)
                    return
                case "call":
                    scope, unit, node = self.call(stack, scope, op)
                case "do":
                    value = function.kept(function.part(op.step.value, scope))
                    if not isinstance(value, Known):
                        self.do_some(stack, scope, op, function.tree(value))
                        return
                    scope, unit, node = self.do(stack, scope, op, value.value)
                case "return":
                    if not stack:
                        # What has begun the transaction is over: the horizon.
                        function.write("return True")
                        return
                    level = stack.pop()
                    scope, unit, node = level.scope, level.unit, level.resume
                    if level.me is not None:
                        scope = scope.acting(Made(variable(function.keep(level.me))))
                case "loop" | "as":
                    self.loop(stack, unit, scope, op)
                    return
                case "mark" if not self.common.units.has_role(op):
                    node = op.edges["next"]
                case "step_end" | "nothing" | "step_begin":
                    self.step_end(scope, op)
                    node = op.edges["next"]
                case "lasting":
                    # What there are records for, a trial finds out.
                    function.slow_if(
                        expression("C[0][lasting] is not None", lasting=number(LASTING))
                    )
                    node = op.edges["next"]
                case "watch":
                    scope = self.watch(scope, op)
                    node = op.edges["next"]
                case "stop" if self.leaves_transaction(stack, unit, op):
                    function.write("return True")
                    return
                case "stop" if "next" in op.edges:
                    self.stop(stack, unit, scope, op)
                    return
                case "chance" | "end" | "fork":
                    function.write("return True")
                    return
                case _:
                    raise NotGenerated(op.kind)

    def need(self, scope: Scope, condition: model.Expression) -> None:
        """Write that a requirement is met. Where that depends on something that its player does not see, a
        trial finds out whether that matters."""
        function = self.function
        with function.aside() as block:
            test = function.tree(function.part(condition, scope))
            function.write("if not test:\n    return False", test=test)
        calls = (one for part in block for one in ast.walk(part) if isinstance(one, ast.Call))
        if has_parts(condition) and next(calls, None) is not None:
            function.write("try:\n    block\nexcept UNSEEN:\n    raise Slow", block=block)
        else:
            function.block += block

    def step_end(self, scope: Scope, op: Op) -> None:
        """Leave a stop that passes here to a trial."""
        names = scope.names
        if len(op.edges) == 1 or isinstance(names, Variables):
            return
        locals = names.tree() if isinstance(names, FrameLocals) else variable("L")
        self.function.slow_if(
            expression("stopping in locals", stopping=ast.Constant(STOPPING), locals=locals)
        )

    def watch(self, scope: Scope, op: Op) -> Scope:
        """Look at conditions; if one has become true, a trial finds out what follows."""
        watching = self.program.watching
        assert isinstance(op.source, Watch)
        ids = tuple(watching.numbers[watch] for watch in op.source.watches)
        function = self.function
        self.writes = self.touches = True
        state = f"#{op.node}"
        if scope.names.get(state) is RUNNING:
            # What it has called comes back here: others may wait, and everything is looked at.
            scope = without(scope, state)
            waits = expression("state[0]", state=function.tree(scope.names[state]))
            function.slow_if(waits)
            ids = tuple(range(len(watching.all)))
        function.names.space.setdefault("watching", watching)
        with function.aside() as looking:
            function.write(
                "if changed and watching.look(S, me, ids):\n    raise Slow",
                changed=self.changed(ids),
                me=function.tree(scope.me),
                ids=function.names.constant(ids),
            )
        self.common.units.if_awake(function, looking)
        return scope

    def changed(self, ids: Sequence[int]) -> ast.expr:
        """Return what says whether a look may change anything: seldom does a condition."""
        function = self.function
        found: list[ast.expr] = []
        watches = [self.program.watching.all[number] for number in ids]
        if len(watches) > FEW_WATCHES or any(one.watch.needs_me for one in watches):
            return ast.Constant(True)
        with function.aside() as block:
            for one in watches:
                try:
                    truth = function.value(one.watch.condition, Scope(Known(None), {}, {}))
                except NotGenerated:
                    return ast.Constant(True)
                flags = function.column(one.slot)
                differs = expression("flags[0] is not truth", flags=flags, truth=flag(truth))
                found.append(variable(function.keep(differs)))
        function.block += block
        return found[0] if len(found) == 1 else ast.BoolOp(ast.Or(), found)

    def leaves_transaction(self, stack: Sequence[Level], unit: str, op: Op) -> bool:
        """Return whether a stop leaves the loop that ends the transaction."""
        loop, frames = self.context
        if not isinstance(op.source, Stop) or op.source.targets is None or loop < 0:
            return False
        targets = op.source.targets
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
            if isinstance(argument, model.FieldPlace | model.LocalPlace):
                parts.append((parameter.name, place_part(function, argument, scope)))
                continue
            if isinstance(parameter.type, types.ZoneType | types.PlaceType | types.FunctionType):
                raise NotGenerated("a place as an argument")
            part = function.kept(function.part(argument, scope))
            if isinstance(parameter.type, types.ListType):
                if types.element(argument.type) is None:
                    tree = ast.Tuple([function.tree(part)], ast.Load())
                    part = function.kept(Made(tree, length=1))
                elif isinstance(part, Made) and part.listed:
                    part = function.kept(Made(function.tree(part), length=part.length))
            parts.append((parameter.name, part))
        return self.entered(stack, scope, op, verb.id, dict(parts))

    def do(self, stack: list[Level], scope: Scope, op: Op, value: Value) -> tuple[Scope, str, int]:
        if value is None or value.arguments:
            raise NotGenerated("a verb that takes something")
        fitting = [verb for verb in value.verbs if not self.program.game.verbs[verb].parameters]
        if not fitting:
            raise NotGenerated("a verb that takes something")
        return self.entered(stack, scope, op, fitting[0], {})

    def do_some(self, stack: list[Level], scope: Scope, op: Op, value: ast.expr) -> None:
        """Write for each verb that a value may mean what happens then."""
        function = self.function
        for id in self.meant(op):
            if self.program.game.verbs[id].parameters:
                continue
            levels = list(stack)
            inner, unit, node = self.entered(levels, scope, op, id, {})
            with function.aside() as block:
                self.way_or_trial(levels, unit, inner, node)
            function.write(
                "if id in value.verbs and not value.arguments:\n    block",
                id=ast.Constant(id),
                value=value,
                block=block,
            )
        function.write("raise Slow")

    def meant(self, op: Op) -> Iterable[str]:
        """Return the verbs that a `do` may begin: of a printed field only those that are printed."""
        layout, value = self.program.layout, op.step.value
        printed = None
        if isinstance(value, model.Read):
            printed = layout.printed.get(layout.slots[value.field])
        if printed is None:
            return op.source.begins
        return dict.fromkeys(id for one in printed if one is not None for id in one.verbs)

    def entered(
        self, stack: list[Level], scope: Scope, op: Op, verb: str, given: dict[str, Part]
    ) -> tuple[Scope, str, int]:
        stack.append(Level(op.unit, op.resume, scope))
        inner = Scope(scope.me, Variables(self.function.names))
        for name, part in given.items():
            inner = inner.having(name, part)
        return inner, verb, 0
