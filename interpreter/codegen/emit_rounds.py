"""Generating tracks: loops.

A loop in which nobody decides is a Python loop. Of any other one the next pass is written where the
last one ends, once in a function; a loop over a short list that is always the same is written out.
"""

from __future__ import annotations

import ast
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.codegen.emit_ways import Ways, item_of
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Known, Made, NotGenerated, Part
from rulewright.interpreter.printing.templates import expression, number, variable

MOST_PASSES = 6
"""Loops over known lists that are not longer are written out."""


class Rounds(Ways):
    """A track that is being written: its loops."""

    def loop(self, op: Op) -> int | None:
        """Write a loop."""
        top, step = self.frames.top, op.step
        inside = op.node in top.running
        if not inside and self.tracks.units.simple_loop(op):
            with self.function.aside() as block:
                kept, state = self.frames.copy(), (self.cut, self.sure, self.player)
                loops = self.looping, self.function.loops
                try:
                    self.python_loop(op)
                    done = True
                except NotGenerated:
                    self.looping, self.function.loops = loops
                    if self.looping:
                        raise
                    self.frames.back(kept)
                    self.cut, self.sure, self.player = state
                    self.tell()
                    done = False
            if done:
                self.function.block += block
                return int(op.edges["done"])
            top = self.frames.top
        if self.looping:
            raise NotGenerated("a decision in a loop")
        key = len(self.frames.levels), op.unit, op.node
        single = isinstance(step, model.As) and _is_one(step.players)
        if inside and not single and not self.is_counted(op):
            if key in self.heads:
                self.go_to(op)
                return None
            self.heads.add(key)
        if not isinstance(step, model.ForEach):
            self.passed(op)
        if isinstance(step, model.Repeat):
            return self.repeat(op, inside)
        return self.each(op, inside, single)

    def is_counted(self, op: Op) -> bool:
        """Return whether it is known how often a loop will still be passed."""
        state = self.frames.top.names.get(f"#{op.node}")
        match state:
            case Known():
                return True
            case Made(tree=ast.Tuple(elts=[items, ast.Constant(), *_])):
                return self.listed(items) is not None
        return False

    def listed(self, items: ast.expr) -> tuple[Any, ...] | None:
        """Return the items of a list that is always the same."""
        if isinstance(items, ast.Name):
            value = self.names.space.get(items.id)
            if isinstance(value, tuple) and len(value) <= MOST_PASSES:
                return value
        return None

    def each(self, op: Op, inside: bool, single: bool) -> int | None:
        """Write the beginning of a pass of a loop over a list, or its end."""
        function, top, step = self.function, self.frames.top, op.step
        acting = isinstance(step, model.As)
        state = f"#{op.node}"
        done, body = op.edges["done"], op.edges["body"]
        if inside:
            found = top.names[state]
            if not (isinstance(found, Made) and isinstance(found.tree, ast.Tuple)):
                found = function.kept(found)
            tree = function.tree(found)
            before = item_of(tree, 2) if acting else number(0)
            if single:
                top.drop(state)
                top.act(function.kept(Made(before)))
                top.running -= {op.node}
                return done
            items = Made(item_of(tree, 0))
            index: ast.expr = item_of(tree, 1)
        else:
            part = function.part(step.players if acting else step.source, top.scope)
            self.looked()
            before = function.tree(top.me)
            index = number(0)
            if single:
                if isinstance(part, Made) and isinstance(part.tree, ast.Tuple):
                    part = Made(part.tree.elts[0])
                elif isinstance(part, Known) and isinstance(part.value, tuple):
                    part = Known(part.value[0])
                player = function.kept(part)
                items = Made(ast.Tuple([function.tree(player)], ast.Load()))
                top.give(state, self.state(items.tree, number(1), before))
                top.act(player)
                top.running |= {op.node}
                return body
            items = Made(function.tree(part))
        kept_items, position = function.kept(items), function.kept(Made(index))
        tree, index = function.items(kept_items), function.tree(position)
        known = self.listed(tree)
        if known is not None and isinstance(index, ast.Constant):
            assert isinstance(index.value, int)
            if index.value < len(known):
                one = Known(known[index.value])
                parts = (tree, number(index.value + 1))
                top.give(state, self.state(*parts, *((before,) if acting else ())))
                if acting:
                    top.act(one)
                else:
                    top.give(step.name, one)
                top.running |= {op.node}
                return body
            if index.value:
                top.drop(state)
                if not acting:
                    top.drop(step.name)
            if acting and index.value:
                top.act(function.kept(Made(before)))
            top.running -= {op.node}
            return done
        kept, kept_state = self.frames.copy(), (self.cut, self.sure, self.player)
        with function.aside() as block:
            following = expression("index + 1", index=index)
            if isinstance(index, ast.Constant):
                assert isinstance(index.value, int)
                following = number(index.value + 1)
            next_one = function.kept(Made(expression("items[index]", items=tree, index=index)))
            parts = (tree, following, *((before,) if acting else ()))
            top.give(state, self.state(*parts))
            if acting:
                top.act(next_one)
            else:
                top.give(step.name, next_one)
            top.running |= {op.node}
            self.way(body)
        function.write(
            "if index < len(items):\n    block",
            index=index,
            items=tree,
            block=block,
        )
        self.frames.back(kept)
        self.cut, self.sure, self.player = kept_state
        self.tell()
        top = self.frames.top
        if inside:
            top.drop(state)
            if acting:
                top.act(function.kept(Made(before)))
            else:
                top.drop(step.name)
            top.running -= {op.node}
        return done

    def state(self, *parts: ast.expr) -> Part:
        """Return the state of a loop."""
        return Made(ast.Tuple(list(parts), ast.Load()))

    def repeat(self, op: Op, inside: bool) -> int | None:
        """Write the beginning of a pass of a `repeat`."""
        function, top, step = self.function, self.frames.top, op.step
        state = f"#{op.node}"
        body = op.edges["body"]
        if step.word != "times":
            if inside:
                self.tracks.units.count_pass(function, op)
            top.running |= {op.node}
            if step.value is None:
                return body
            test = function.part(step.value, top.scope)
            self.looked()
            while_ = step.word == "while"
            if isinstance(test, Known):
                goes_on = bool(test.value) is while_
                if not goes_on:
                    top.running -= {op.node}
                return body if goes_on else op.edges["done"]
            condition = test.tree if while_ else expression("not test", test=test.tree)
        else:
            left = top.names[state] if inside else function.part(step.value, top.scope)
            left = function.kept(left)
            self.looked()
            if isinstance(left, Known):
                if left.value > 0:
                    top.give(state, Known(left.value - 1))
                    top.running |= {op.node}
                    return body
                top.drop(state)
                top.running -= {op.node}
                return op.edges["done"]
            condition = expression("left > 0", left=left.tree)
        kept, kept_state = self.frames.copy(), (self.cut, self.sure, self.player)
        with function.aside() as block:
            if step.word == "times":
                fewer = function.kept(Made(expression("left - 1", left=function.tree(left))))
                top.give(state, fewer)
                top.running |= {op.node}
            self.way(body)
        function.write("if test:\n    block", test=condition, block=block)
        self.frames.back(kept)
        self.cut, self.sure, self.player = kept_state
        self.tell()
        top = self.frames.top
        if inside and step.word == "times":
            top.drop(state)
        top.running -= {op.node}
        return op.edges["done"]

    def python_loop(self, op: Op) -> None:
        """Write a loop that Python runs: nothing in it waits, stops or leaves it."""
        function, frames, step = self.function, self.frames, op.step
        top = frames.top
        acting = isinstance(step, model.As)
        depth = len(frames.levels)
        if isinstance(step, model.Repeat):
            self.sure = False
            self._python_repeat(op)
            return
        part = function.part(step.players if acting else step.source, top.scope)
        self.looked()
        # What the passes read may end the transaction.
        self.sure = False
        if acting and types.element(step.players.type) is None:
            part = Made(ast.Tuple([function.tree(part)], ast.Load()), length=1)
        source = function.kept(part)
        item = self.names.fresh("v")
        before = self.carry(op)
        kept = frames.copy()
        with function.looping(source) as block:
            self.looping += 1
            if acting:
                top.act(Made(variable(item)))
            else:
                top.give(step.name, Made(variable(item)))
            self.way(op.edges["body"], (depth, op.node))
            self.looping -= 1
        frames.back(kept)
        frames.top.carried = before
        function.write(
            "for item in items:\n    block", item=item, items=function.items(source), block=block
        )

    def carry(self, op: Op) -> frozenset[str]:
        """Give each name that the passes of a loop set a variable of its own; return those that
        had one already."""
        function, top = self.function, self.frames.top
        inside = [one for one in self.program.code[op.unit] if op.node in one.loops]
        own = {one.step.name for one in (op, *inside) if isinstance(one.step, model.ForEach)}
        before = top.carried
        given = {one.step.name: None for one in inside if one.kind == "let"}
        for name in given:
            if name in own or name in before:
                continue
            found, unsure = top.names.get(name), name in top.unsure
            if found is None:
                unsure = True
                found = Made(variable("UNSET"))
                if top.at is not None and name not in top.gone:
                    L, key = self.locals(), ast.Constant(name)
                    found = Made(expression("L.get(name, UNSET)", L=L, name=key))
            top.give(name, Made(variable(function.keep(function.tree(found)))))
            top.carried |= {name}
            if unsure:
                top.unsure |= {name}
        return before

    def _python_repeat(self, op: Op) -> None:
        function, frames, step = self.function, self.frames, op.step
        until = len(frames.levels), op.node
        count_pass = self.tracks.units.count_pass
        counted = step.word == "times"
        times = None
        if counted:
            times = function.kept(function.part(step.value, frames.top.scope))
        before = self.carry(op)
        kept = frames.copy()
        function.loops += 1
        self.looping += 1
        once = isinstance(times, Known) and times.value == 1
        with function.aside() as block:
            if not once:
                count_pass(function, op)
            if not counted:
                test = function.tree(function.part(step.value, frames.top.scope))
                function.write("if not test:\n    break", test=test)
            self.way(op.edges["body"], until)
        self.looping -= 1
        function.loops -= 1
        frames.back(kept)
        frames.top.carried = before
        if once:
            function.block += block
        elif times is not None:
            function.write(
                "for count in range(times):\n    block",
                count=self.names.fresh("v"),
                times=function.tree(times),
                block=block,
            )
        else:
            function.write("while True:\n    block", block=block)


def _is_one(players: model.Expression) -> bool:
    """Return whether an expression stands for one player."""
    if isinstance(players, model.ListOf):
        return len(players.items) == 1
    return types.element(players.type) is None
