"""Generating tracks: branches, and what two ways have in common where they meet."""

from __future__ import annotations

import ast
from typing import Any

from rulewright.interpreter.codegen.emit_frames import Level, Places, Stack
from rulewright.interpreter.codegen.emit_ways import Until, Ways, same
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Known, Made, NotGenerated, Part
from rulewright.interpreter.printing.templates import expression, number, statements, variable


class Forks(Ways):
    """A track that is being written: its branches."""

    def branch(self, op: Op, until: Until | None) -> int | None:
        """Write a branch up to where its ways meet again."""
        function, frames = self.function, self.frames
        test = function.part(op.step, frames.top.scope)
        self.looked()
        yes, no = op.edges["yes"], op.edges["no"]
        if isinstance(test, Known):
            return yes if test.value else no
        unit, depth = frames.top.unit, len(frames.levels)
        node = self.tracks.units.meeting(unit).get(op.node)
        meet = until if node is None else (depth, node)
        before, state = frames.copy(), (self.cut, self.sure, self.player)
        ends = []
        for target in (yes, no):
            frames.back(before)
            self.cut, self.sure, self.player = state
            self.tell()
            with function.aside() as block:
                alive = self.way(target, meet)
            ends.append((alive, block, frames.copy(), (self.cut, self.sure, self.player)))
        first, second = ends
        after: list[ast.stmt] = []
        if first[0] and second[0]:
            assert meet is not None
            after = self._merge(first, second, meet[1])
        elif first[0] or second[0]:
            _, _, stack, (self.cut, self.sure, self.player) = first if first[0] else second
            frames.back(stack)
            self.tell()
        function.write("if test:\n    then", test=test.tree, then=first[1])
        made = function.block[-1]
        assert isinstance(made, ast.If)
        made.orelse = second[1]
        function.block += after
        if not first[0] and not second[0]:
            return None
        assert meet is not None
        return meet[1]

    def _merge(self, first: Any, second: Any, node: int) -> list[ast.stmt]:
        """Let two ways that meet leave the same behind; return what stands behind both."""
        after: list[ast.stmt] = []
        frames, function = self.frames, self.function
        (_, block, stack, state), (_, other_block, other_stack, other_state) = first, second
        if _shape(stack) != _shape(other_stack):
            # At least one of them has had to write its frames: so does the other.
            for code, kept in ((block, stack), (other_block, other_stack)):
                frames.back(kept)
                with function.aside() as more:
                    self.sync(self.op(node))
                code += more
            names = [self.names.fresh("f") for _ in frames.levels]
            for depth, (level, name) in enumerate(zip(frames.levels, names, strict=True)):
                after += statements("F = S.frames[depth]", F=name, depth=number(depth))
                frames.variables[depth] = level.at = name
                level.names = Places(expression("F.locals", F=name))
                level.me = Made(expression("F.me", F=name))
            stack = other_stack = frames.copy()
        levels: list[Level] = []
        for level, other in zip(stack[0], other_stack[0], strict=True):
            levels.append(self._merged(level, block, other, other_block))
        lain = dict(set(stack[3].items()) & set(other_stack[3].items()))
        frames.back((levels, stack[1], stack[2], lain))
        (cut, sure, player), (other_cut, other_sure, other_player) = state, other_state
        if cut is None and other_cut is None:
            self.cut = None
        elif cut is None or other_cut is None or cut == other_cut:
            self.cut = other_cut if cut is None else cut
            self.sure = cut == other_cut and sure and other_sure
            self.player = other_player if cut is None else player
        else:
            raise NotGenerated("two transactions")
        self.tell()
        return after

    def _merged(
        self, level: Level, block: list[ast.stmt], other: Level, other_block: list[ast.stmt]
    ) -> Level:
        merged = level.copy()
        if not same(level.me, other.me):
            merged.me = self._either(level.me, block, other.me, other_block)
        merged.moved = level.moved or other.moved
        merged.names.written |= other.names.written
        unsure = level.unsure | other.unsure
        for name in {**level.names, **other.names}:
            mine, theirs = level.names.get(name), other.names.get(name)
            if mine is not None and theirs is not None:
                if not same(mine, theirs):
                    merged.names[name] = self._either(mine, block, theirs, other_block)
                if name in level.dirty or name in other.dirty:
                    merged.dirty[name] = None
                continue
            if level.at is None:
                # Only on one way it has a value.
                unset = Made(variable("UNSET"))
                merged.give(name, self._either(mine or unset, block, theirs or unset, other_block))
                unsure |= {name}
                continue
            # Only one of them knows it: from now on it is read where it stands.
            merged.names.pop(name, None)
            merged.names.written.add(name)
            merged.dirty.pop(name, None)
            unsure -= {name}
            for one, code in ((level, block), (other, other_block)):
                if name in one.dirty:
                    with self.function.aside() as more:
                        self.frames.put(one, name)
                    code += more
        merged.unsure = unsure
        for one, code in ((level, block), (other, other_block)):
            for name in one.gone:
                if one.at is not None and (name not in level.gone or name not in other.gone):
                    merged.gone.pop(name, None)
                    with self.function.aside() as more:
                        self.function.write(
                            "F.locals.pop(name, None)", F=one.at, name=ast.Constant(name)
                        )
                    code += more
        return merged

    def _either(
        self, one: Part, block: list[ast.stmt], other: Part, other_block: list[ast.stmt]
    ) -> Part:
        name = self.names.fresh("t")
        for part, code in ((one, block), (other, other_block)):
            with self.function.aside() as more:
                self.function.write("name = value", name=name, value=self.function.tree(part))
            code += more
        return Made(variable(name))


def _shape(stack: Stack) -> Any:
    levels, actual, variables, _ = stack
    return (
        [(level.unit, level.at, level.stands, level.running) for level in levels],
        actual,
        variables,
    )
