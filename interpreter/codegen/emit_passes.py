"""Generating look-ahead: the loops of a probe, as functions that call themselves.

Such a function is one pass and all that follows it. Where a trial begins in the middle of a loop the
function is given what stands in the frame.

Where only effects stand on the ways of a branch, what follows is written once, behind the place where
they meet; otherwise each way has what follows for itself, since a later requirement may fail on the
one and not on the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.nodes import Stop
from rulewright.dsl.model import types
from rulewright.interpreter.codegen.emit_decisions import Decisions, Level, Pass
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import (
    Function,
    Known,
    Made,
    NotGenerated,
    Scope,
)
from rulewright.interpreter.printing.emit_effects import effect
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.semantics.closures import free_names

RUNNING = Known("running")
"""Under `#` and the number of a node: it has begun in the frame before the probe."""

HOLDING = ("step_begin", "step_end", "mark", "watch", "reset", "stop")
"""The kinds of operations that read no names, whatever stands in their steps."""


def named(op: Op) -> str:
    """Return the name that an operation gives something, or ""."""
    naming = model.Let | model.Choose | model.Split | model.ForEach
    return op.step.name if isinstance(op.step, naming) else ""


def read_by(op: Op) -> tuple[str, ...]:
    """Return the names that an operation reads in a trial."""
    if op.kind in HOLDING:
        return ()
    match op.step:
        case model.May() | None:
            return ()
        case model.Either(arms=arms):
            return free_names(tuple(arm.guard for arm in arms))
        case model.Choose(source=source, low=low, high=high, such_that=such_that, name=name):
            chosen = tuple(one for one in free_names(such_that) if one != name)
            return (*free_names((source, low, high)), *chosen)
        case model.Split(source=source, total=total, limit=limit, such_that=such_that):
            about = tuple(one for one in free_names(limit) if one != op.step.item)
            chosen = tuple(one for one in free_names(such_that) if one != op.step.name)
            return (*free_names((source, total)), *about, *chosen)
        case model.ForEach(source=source):
            return free_names(source)
        case model.As(players=players):
            return free_names(players)
        case model.Repeat(value=value):
            return free_names(value)
    return free_names(op.step)


def is_read(code: Sequence[Op], name: str, start: int) -> bool:
    """Return whether a name may be read from an operation on, as it was before."""
    waiting, seen = [start], set[int]()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        op = code[node]
        if name in read_by(op):
            return True
        if isinstance(op.step, model.ForEach) and op.kind == "loop" and op.step.name == name:
            # Only in its passes it has a new meaning.
            waiting += [target for label, target in op.edges.items() if label != "body"]
        elif named(op) != name:
            waiting += op.edges.values()
        elif "none" in op.edges:
            waiting.append(op.edges["none"])
    return False


def begun(op: Op) -> dict[str, Known]:
    """Return the names of what runs at an operation at which a frame stands."""
    nodes = (*op.loops, op.node) if op.kind == "watch" else op.loops
    return {f"#{node}": RUNNING for node in nodes}


class Passes(Decisions):
    """A probe, or a part of one, that is being written: its loops."""

    def loop(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        """Write a loop and all that follows it."""
        key = len(stack), unit, op.node
        if key in self.passes:
            self.again(self.passes[key], scope, op)
            return
        state = f"#{op.node}"
        running = scope.names.get(state) is RUNNING
        if running:
            scope = without(scope, state)
        function = self.function
        own, carried = self.within(op)
        start = self.state(scope, op, running)
        if running and isinstance(op.step, model.As):
            before = function.kept(Made(start.pop()))
            scope = scope.acting(before)
        start += [function.tree(scope.names[name]) for name in carried]
        # Each pass gives the other names of its steps a meaning of their own.
        scope = without(scope, *own, *carried)
        names = function.names
        state_names = [names.fresh("v") for _ in start]
        handed = self.handed(stack, scope)
        one = Pass(names.fresh("probe_"), scope, tuple(handed), carried)
        for name, value in zip(carried, state_names[len(start) - len(carried) :], strict=True):
            scope = scope.having(name, Made(variable(value)))
        inner = Function(names, function.handlers)
        inner.seer = function.seer
        writing = self.inner(inner)
        assert isinstance(writing, Passes)
        writing.repeated = True
        writing.one_pass(stack, unit, scope, op, one, state_names)
        self.took(writing)
        writing.made(one.name, ["S", "L", "me", *state_names, *handed], "pass")
        call = called(one, start, handed.values())
        function.write("return call", call=call)

    def stop(self, stack: list[Level], unit: str, scope: Scope, op: Op) -> None:
        """Write a stop within a unit, and what follows where it leads to."""
        stop = op.source
        assert isinstance(stop, Stop)
        if stop.final is not None:
            raise NotGenerated("a stop through steps")
        gone = stop.unwind
        if not stack and self.context[0] in gone:
            self.function.write("return True")
            return
        code, outer = self.program.code[unit], self.passes
        for node in reversed(gone):
            if isinstance(code[node].step, model.As):
                one = outer.get((len(stack), unit, node))
                if one is None:
                    raise NotGenerated("a stop out of a loop that runs already")
                scope = scope.acting(one.scope.me)
            scope = without(scope, f"#{node}", *(f"#{node} {place}" for place in range(2)))
        left = {(len(stack), unit, node) for node in gone}
        self.passes = {key: one for key, one in outer.items() if key not in left}
        self.way(list(stack), unit, scope, op.edges["next"])
        self.passes = outer

    def within(self, op: Op) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the names that mean something within one pass only, and those that a pass hands
        to the next one, or to what follows."""
        key = "within", op.unit, op.node
        kept = self.function.names.kept
        if key not in kept:
            code = self.program.code[op.unit]
            names = {named(inner) for inner in code if op.node in inner.loops} - {""}
            own = {named(op)} - {""}
            done = [op.edges["done"]] if "done" in op.edges else []
            carried = {
                name
                for name in names
                if any(is_read(code, name, start) for start in (op.edges["body"], *done))
                or (isinstance(op.step, model.Repeat) and name in read_by(op))
            }
            if own & names or any(is_read(code, name, start) for name in own for start in done):
                raise NotGenerated("a name that a loop changes")
            kept[key] = frozenset(names | own) - carried, tuple(sorted(carried))
        found: tuple[frozenset[str], tuple[str, ...]] = kept[key]
        return found

    def state(self, scope: Scope, op: Op, running: bool) -> list[ast.expr]:
        """Write where a loop stands when the probe comes to it."""
        function = self.function
        step = op.step
        if running:
            if isinstance(step, model.Repeat) and step.word != "times":
                return []
            kept = function.keep(function.tree(scope.names[f"#{op.node}"]))
            if isinstance(step, model.Repeat):
                return [variable(kept)]
            items = function.keep(_item(kept, 0))
            index = function.keep(_item(kept, 1))
            if isinstance(step, model.As):
                return [variable(items), variable(index), _item(kept, 2)]
            return [variable(items), variable(index)]
        if isinstance(step, model.Repeat):
            if step.word != "times":
                return []
            assert step.value is not None, "repeat how often?"
            return [function.tree(function.kept(function.part(step.value, scope)))]
        acting = isinstance(step, model.As)
        part = function.part(step.players if acting else step.source, scope)
        tree = function.tree(part)
        if acting and types.element(step.players.type) is None:
            tree = ast.Tuple([tree], ast.Load())
        return [variable(function.keep(tree)), number(0)]

    def one_pass(
        self, stack: list[Level], unit: str, scope: Scope, op: Op, one: Pass, state: list[str]
    ) -> None:
        """Write one pass and what follows the last one."""
        function = self.function
        step = op.step
        within = scope
        for place, name in enumerate(state[: len(state) - len(one.carried)]):
            within = within.having(f"#{op.node} {place}", Made(variable(name)))
        outer = self.passes
        self.passes = {**outer, (len(stack), unit, op.node): one}
        with function.aside() as block:
            if isinstance(step, model.Repeat):
                self.way(list(stack), unit, within, op.edges["body"])
            else:
                item = function.names.fresh("x")
                function.write("item = items[index]", item=item, items=state[0], index=state[1])
                here = Made(variable(item))
                if isinstance(step, model.As):
                    within = within.acting(here)
                else:
                    within = within.having(step.name, here)
                self.way(list(stack), unit, within, op.edges["body"])
        self.passes = outer
        if isinstance(step, model.Repeat):
            if step.value is None:
                function.block += block
                return
            if step.word == "times":
                function.write("if left > 0:\n    block", left=state[0], block=block)
            else:
                test = function.tree(function.part(step.value, scope))
                template = (
                    "if test:\n    block" if step.word == "while" else "if not test:\n    block"
                )
                function.write(template, test=test, block=block)
        else:
            function.write(
                "if index < len(items):\n    block", index=state[1], items=state[0], block=block
            )
        self.way(list(stack), unit, scope, op.edges["done"])

    def again(self, one: Pass, scope: Scope, op: Op) -> None:
        """Write the end of a pass: the next one begins."""
        for name, part in one.scope.names.items():
            if scope.names.get(name) is not part:
                raise NotGenerated("a name that a loop changes")
        state: list[ast.expr] = []
        function = self.function
        while isinstance(value := scope.names.get(f"#{op.node} {len(state)}"), Made):
            state.append(value.tree)
        if state:
            template = "left - 1" if isinstance(op.step, model.Repeat) else "left + 1"
            state[-1] = expression(template, left=state[-1])
        state += [function.tree(scope.names[name]) for name in one.carried]
        handed = [variable(name) for name in one.handed]
        function.write("return call", call=called(one, state, handed))


def called(one: Pass, state: list[ast.expr], handed: Iterable[ast.expr]) -> ast.expr:
    """Return the call of a pass."""
    trees = [variable("S"), variable("L"), variable("me"), *state, *handed]
    return ast.Call(variable(one.name), trees, keywords=[])


def without(scope: Scope, *gone: str) -> Scope:
    """Return a scope without some names."""
    names = scope.names.copy()  # type: ignore[attr-defined]
    for name in gone:
        names.pop(name, None)
    return attrs.evolve(scope, names=names)


def _item(name: str, place: int) -> ast.expr:
    return expression("state[place]", state=name, place=number(place))


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
