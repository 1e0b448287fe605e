"""Generating tracks: what happens from one decision to the next, through all verbs, as one function.

The whole stack of running verbs is known where a track begins, and so is the transaction. So calls
and returns are no more than the code that follows, a verb that only passes by has no frame, and a
transaction is written where it begins and ends. A track ends by returning the one that goes on.

Where something is not generated the track ends, too: the executor runs to the next decision. When
the rules turn out to be wrong it raises something (`SLOW`), and the whole game is played once more
by the executor, which says what it is.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.dsl import kinds, model
from rulewright.interpreter.calls import PLAY
from rulewright.interpreter.emit import (
    Function,
    Known,
    Made,
    NotGenerated,
    Part,
    Scope,
    free_names,
)
from rulewright.interpreter.emit_calls import NOT_VALUES
from rulewright.interpreter.emit_effects import effect, place_part
from rulewright.interpreter.emit_frames import Frames, Level, Places
from rulewright.interpreter.events import NOBODY, Event
from rulewright.interpreter.layout import AWAKE, ENDING, EVENTS
from rulewright.interpreter.machine import BEGUN, STOPPING, Op
from rulewright.interpreter.templates import expression, number, statements, variable

if TYPE_CHECKING:
    from rulewright.interpreter.tracks import Tracks

LONGEST_TRACK = 150
"""So many operations stand in one function."""

MOST_PASSES = 6
"""Loops over known lists that are not longer are written out."""

SHORT_ACTION = 14
"""A verb in which nothing is asked and that has no more operations than this is written out."""

Stands: TypeAlias = tuple[tuple[str, int], ...]
"""Unit and node of each frame."""

Cut: TypeAlias = tuple[int, int]
"""The frame and the loop whose end is the end of a transaction."""

Until: TypeAlias = tuple[int, int]
"""How many frames there are, and the node of the last one, where a way ends."""


class Track:
    """A track that is being written."""

    def __init__(
        self, tracks: Tracks, function: Function, stands: Stands, cut: Cut | None, inside: bool
    ) -> None:
        self.tracks = tracks
        self.program = tracks.program
        self.names = tracks.names
        self.function = function
        self.frames = Frames(function, stands)
        for level in self.frames.levels:
            op = self.program.code[level.unit][level.node]
            level.running = frozenset(op.loops)
        if inside:
            top = self.frames.top
            top.running |= {top.node}
        self.cut = cut
        """Where the running transaction ends; None if there is none."""

        self.sure = True
        """Whether it is certainly still running."""

        self.player = self.frames.top.me
        """Whose it is."""

        self.after: list[ast.stmt] = []
        """What must be written behind a branch."""

        self.looping = 0
        self.count = 0
        self.heads: set[tuple[int, str, int]] = set()
        """The loops whose body has been written in this function."""

        self.tell()

    # -------------------------------------------------------------------------------- transactions

    def tell(self) -> None:
        """Tell the function what it need not guard."""
        self.function.blind = self.cut is None
        player = self.player
        self.function.seer = (
            player.tree.id
            if isinstance(player, Made) and isinstance(player.tree, ast.Name)
            else None
        )
        self.function.looks = False

    def looked(self) -> None:
        """Note that something has been read that may end the transaction."""
        if self.function.looks:
            self.sure = False
            self.function.looks = False

    def meets(self) -> None:
        """Write that the transaction ends here."""
        if self.cut is not None:
            self.function.write("S.eyes = S.transaction = None")
            self.cut = None
            self.tell()

    def passed(self, op: Op) -> None:
        """Write that a pass of a loop begins or ends."""
        if self.cut == (len(self.frames.levels) - 1, op.node):
            self.meets()

    def new_cut(self) -> Cut:
        """Return where a transaction ends that begins now."""
        levels = self.frames.levels
        for depth in range(len(levels) - 1, -1, -1):
            cut = self.program.code[levels[depth].unit][levels[depth].node].cut
            if cut >= 0:
                return depth, cut
        return 0, -1

    def open(self, cut: Cut) -> list[ast.stmt]:
        """Return the statements with which a transaction begins."""
        with self.function.aside() as block:
            self.function.write(
                "S.transaction = (me, depth, loop)\nS.eyes = me",
                me=self.function.tree(self.frames.top.me),
                depth=number(cut[0]),
                loop=number(cut[1]),
            )
        return block

    # ------------------------------------------------------------------------------------ the way

    def op(self, node: int) -> Op:
        """Return an operation of the running verb."""
        return self.program.code[self.frames.top.unit][node]

    def stands(self) -> Stands:
        """Return where the frames stand."""
        return tuple((level.unit, level.node) for level in self.frames.levels)

    def way(self, node: int, until: Until | None = None) -> bool:
        """Write the operations from a node on; return whether `until` is reached: otherwise the
        function has ended."""
        while until != (len(self.frames.levels), node):
            self.frames.top.node = node
            self.count += 1
            op = self.op(node)
            if self.count > LONGEST_TRACK:
                if self.looping:
                    raise NotGenerated("a long loop")
                self.go_to(op)
                return False
            following = self.operation(op, until)
            if following is None:
                return False
            node = following
        return True

    def operation(self, op: Op, until: Until | None) -> int | None:
        """Write one operation; return the next node, or None if the function ends here."""
        kept, state = self.frames.copy(), (self.cut, self.sure, self.player)
        loops = self.looping, self.function.loops
        try:
            with self.function.aside() as block:
                following = self.written(op, until)
        except NotGenerated:
            self.looping, self.function.loops = loops
            if self.looping:
                raise
            self.frames.back(kept)
            self.cut, self.sure, self.player = state
            self.tell()
            self.leave(op)
            return None
        self.function.block += block
        return following

    def leave(self, op: Op) -> None:
        """End the function: the executor goes on."""
        self.sync(op)
        self.function.write("return anywhere")

    def go_to(self, op: Op) -> None:
        """End the function: another one goes on."""
        inside = op.node in self.frames.top.running
        self.sync(op)
        name = self.tracks.block(self.stands(), self.cut if self.cut else None, inside, self.sure)
        self.function.write("return block", block=name)

    def sync(self, op: Op) -> None:
        """Write the frames as they are at an operation."""
        if self.looping:
            raise NotGenerated("a frame in a loop")
        self.frames.top.node = op.node
        self.frames.sync()

    def written(self, op: Op, until: Until | None) -> int | None:
        """Write one operation, if that can be done."""
        function, top = self.function, self.frames.top
        match op.kind:
            case "nothing" | "step_begin":
                return op.edges["next"]
            case "let":
                self.give(op.step.name, function.part(op.step.value, top.scope))
            case "effect":
                try:
                    with function.aside() as block:
                        effect(function, op.step, top.scope, self.tracks.units.doing, real=True)
                except NotGenerated:
                    performed = self.performed(op)
                    if performed is None:
                        return self.handled(op)
                    block = performed
                function.block += block
            case "need":
                test = function.part(op.step.condition, top.scope)
                if not isinstance(test, Known):
                    function.slow_if(expression("not test", test=test.tree))
                elif not test.value:
                    raise NotGenerated("what is never met")
            case "branch":
                return self.branch(op, until)
            case "decide":
                self.decide(op)
                return None
            case "call":
                return self.call(op)
            case "do":
                return self.do(op)
            case "return":
                return self.returns(op)
            case "loop" | "as":
                return self.loop(op)
            case "watch":
                return self.watch(op)
            case "step_end":
                return self.step_end(op)
            case "mark" if not self.tracks.units.steps.has_role(op):
                return op.edges["next"]
            case "mark" | "reset" | "chance":
                return self.handled(op)
            case "stop" if "next" in op.edges:
                following = self.handled(op)
                self.frames.top.act(Made(variable(function.keep(self.field("me")))))
                self.frames.top.moved = False
                self.frames.top.running = frozenset(self.op(following).loops)
                return following
            case "stop":
                return self.stop_running(op)
            case "end":
                self.end(op)
                return None
            case _:
                raise NotGenerated(op.kind)
        self.looked()
        return op.edges["next"]

    def field(self, name: str) -> ast.expr:
        """Return the tree of an attribute of the frame on top."""
        at = self.frames.top.at
        assert at is not None, "no frame"
        return ast.Attribute(variable(at), name, ast.Load())

    def give(self, name: str, part: Part) -> None:
        """Give a local its value."""
        function, top = self.function, self.frames.top
        if isinstance(part, Made) and part.listed:
            part = Made(function.tree(part), length=part.length)
        top.give(name, function.kept(part))
        if self.looping and top.at is not None:
            # After the loop nobody knows whether there was a pass.
            function.write(
                "F.locals[name] = value",
                F=top.at,
                name=ast.Constant(name),
                value=function.tree(top.names[name]),
            )

    def performed(self, op: Op) -> list[ast.stmt] | None:
        """Return the statements with which the handler of the walker does an effect, without a
        frame; None if it must have one."""
        function, top = self.function, self.frames.top
        names = free_names(op.step)
        with function.aside() as block:
            try:
                values = [function.tree(top.names[name]) for name in names]
            except NotGenerated:
                return None
            locals = ast.Dict([ast.Constant(name) for name in names], list[ast.expr](values))
            self.names.space.setdefault("doing", self.tracks.units.doing)
            function.write(
                "doing.perform(S, run, me, locals)",
                run=self.tracks.units.steps.run(op),
                me=function.tree(top.me),
                locals=locals,
            )
        function.looks = True
        return block

    def handled(self, op: Op) -> int:
        """Let the handler of the walker do an operation that nearly always leads to the next one."""
        following = op.edges["next"]
        self.sync(op)
        top = self.frames.top
        assert top.at is not None
        self.function.write(
            "result = run(S, F)\n"
            "if result != following:\n"
            "    if result >= 0:\n"
            "        F.node = result\n"
            "    return anywhere",
            result=self.names.fresh("t"),
            run=self.tracks.units.steps.run(op),
            F=top.at,
            following=number(following),
        )
        self.frames.forget()
        self.sure = False
        return following

    def end(self, op: Op) -> None:
        """Write the end of the game."""
        function, top, step = self.function, self.frames.top, op.step
        if self.looping:
            raise NotGenerated("the end in a loop")
        reason = function.tree(function.part(step.reason, top.scope)) if step.reason else None
        self.names.space.update(Event=Event, made=tuple.__new__, NOBODY=NOBODY)
        function.write(
            "S.eyes = S.transaction = None\n"
            "C[0][ending] = reason\n"
            "S.log = (S.log, made(Event, ('end', me, (reason,), EVERYBODY, EVERYBODY, NOBODY)))\n"
            "C[0][events] += 1\n"
            "S.frames = []",
            ending=number(ENDING),
            events=number(EVENTS),
            reason=reason or ast.Constant(None),
            me=function.tree(top.me),
        )
        after = self.program.after_play
        if after is None:
            function.write("return None")
        else:
            function.write(
                "S.frames.append(Frame(play, after, {}, None))\nreturn anywhere",
                play=ast.Constant(PLAY),
                after=number(after),
            )

    # -------------------------------------------------------------------------------- control flow

    def branch(self, op: Op, until: Until | None) -> int | None:
        """Write a branch up to where its ways meet again."""
        function, frames = self.function, self.frames
        test = function.part(op.step, frames.top.scope)
        self.looked()
        yes, no = op.edges["yes"], op.edges["no"]
        if isinstance(test, Known):
            return yes if test.value else no
        unit, depth = frames.top.unit, len(frames.levels)
        steps = self.tracks.units.steps
        node = steps.meeting(unit, self.program.code[unit]).get(op.node)
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
        if first[0] and second[0]:
            assert meet is not None
            self._merge(first, second, meet[1])
        elif first[0] or second[0]:
            _, _, stack, (self.cut, self.sure, self.player) = first if first[0] else second
            frames.back(stack)
            self.tell()
        function.write("if test:\n    then", test=test.tree, then=first[1] or [ast.Pass()])
        made = function.block[-1]
        assert isinstance(made, ast.If)
        made.orelse = second[1]
        function.block += self.after
        self.after = []
        if not first[0] and not second[0]:
            return None
        assert meet is not None
        return meet[1]

    def _merge(self, first: Any, second: Any, node: int) -> None:
        """Let two ways that meet leave the same behind."""
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
                self.after += statements("F = S.frames[depth]", F=name, depth=number(depth))
                frames.variables[depth] = level.at = name
                level.names = Places(expression("F.locals", F=name))
                level.me = Made(expression("F.me", F=name))
            stack = other_stack = frames.copy()
        levels = []
        for level, other in zip(stack[0], other_stack[0], strict=True):
            levels.append(self._merged(level, block, other, other_block))
        frames.back((levels, stack[1], stack[2]))
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

    def _merged(
        self, level: Level, block: list[ast.stmt], other: Level, other_block: list[ast.stmt]
    ) -> Level:
        merged = level.copy()
        if not _same(level.me, other.me):
            merged.me = self._either(level.me, block, other.me, other_block)
        merged.moved = level.moved or other.moved
        for name in {**level.names, **other.names}:
            mine, theirs = level.names.get(name), other.names.get(name)
            if mine is not None and theirs is not None:
                if not _same(mine, theirs):
                    merged.names[name] = self._either(mine, block, theirs, other_block)
                if name in level.dirty or name in other.dirty:
                    merged.dirty[name] = None
                continue
            # Only one of them knows it: from now on it is read where it stands.
            merged.names.pop(name, None)
            merged.dirty.pop(name, None)
            for one, code in ((level, block), (other, other_block)):
                if name in one.dirty and one.at is not None:
                    with self.function.aside() as more:
                        self.function.write(
                            "F.locals[name] = value",
                            F=one.at,
                            name=ast.Constant(name),
                            value=self.function.tree(one.names[name]),
                        )
                    code += more
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

    def stop_running(self, op: Op) -> int:
        """`stop V` out of the innermost running V, wherever it was called from"""
        targets = self.program.plans[op.unit].nodes[op.node]["targets"]
        levels = self.frames.levels
        for depth in range(len(levels) - 1, -1, -1):
            entries = self.program.code[levels[depth].unit][levels[depth].node].levels
            for place in range(len(entries) - 1, -1, -1):
                if entries[place][0] in targets:
                    for inner in range(len(levels) - 1, depth - 1, -1):
                        self._leave(inner, place if inner == depth else 0)
                    return levels[-1].node
        raise NotGenerated("nothing to stop")

    def _leave(self, depth: int, place: int) -> None:
        """Send a frame to what stands after a level, through the steps on the way."""
        level = self.frames.levels[depth]
        op = self.program.code[level.unit][level.node]
        if op.kind == "watch":
            level.drop(f"#{op.node}")
        inner = [entry for entry in reversed(op.levels[place + 1 :]) if entry[0]]
        way = [*inner, op.levels[place]]
        _, finish, around = way[0]
        self._unwind(depth, op.loops[len(around) :])
        if len(way) > 1:
            level.give(STOPPING, Known(way[-1][1]))
        else:
            level.drop(STOPPING)
        level.node = finish
        level.running = frozenset(self.program.code[level.unit][finish].loops)

    def _unwind(self, depth: int, loops: tuple[int, ...]) -> None:
        """Leave loops, outermost first: `me` is again who it was before."""
        level = self.frames.levels[depth]
        if self.cut is not None and self.cut[0] == depth and self.cut[1] in loops:
            self.meets()
        restored = False
        for loop in loops:
            if not restored and self.program.code[level.unit][loop].kind == "as":
                state = level.names[f"#{loop}"]
                level.act(self.function.kept(Made(_item(self.function.tree(state), 2))))
                restored = True
            level.drop(f"#{loop}")

    def step_end(self, op: Op) -> int:
        """The end of a named step, where a stop may be on its way out"""
        top = self.frames.top
        final = top.names.get(STOPPING)
        if isinstance(final, Known):
            for id, finish, around in reversed(op.levels):
                if id or finish == final.value:
                    self._unwind(len(self.frames.levels) - 1, op.loops[len(around) :])
                    if finish == final.value:
                        top.drop(STOPPING)
                    top.running = frozenset(self.op(finish).loops)
                    return finish
            return op.edges["next"]
        if top.at is not None and STOPPING not in top.gone:
            with self.function.aside() as block:
                kept = self.frames.copy()
                self.leave(op)
                self.frames.back(kept)
            self.function.write(
                "if stopping in L:\n    block",
                stopping=ast.Constant(STOPPING),
                L=self.locals(),
                block=block,
            )
        return op.edges["next"]

    def locals(self) -> ast.expr:
        """Return the tree of the locals of the frame on top."""
        found = self.frames.top.names.locals
        assert found is not None, "no frame"
        return found

    # --------------------------------------------------------------------------------------- verbs

    def call(self, op: Op) -> int:
        """Write the call of a verb."""
        step, top, function = op.step, self.frames.top, self.function
        verb = self.program.game.verbs[step.verb]
        ops = self.program.code[verb.id]
        parts = self.arguments(step, verb, top.scope)
        self.looked()
        action = self.tracks.units.action(verb.id) if len(ops) > SHORT_ACTION else None
        if action is not None:
            trees = [function.tree(part) for part in parts]
            me = function.tree(top.me)
            function.block.append(
                ast.Expr(ast.Call(variable(action), [variable("S"), me, *trees], keywords=[]))
            )
            self.sure = False
            return op.edges["next"]
        if verb.label is not None:
            self.event("begin", verb, parts)
        named = zip(verb.parameters, parts, strict=True)
        self.enter(verb.id, {parameter.name: part for parameter, part in named})
        return 0

    def enter(self, verb: str, names: dict[str, Part]) -> None:
        """Begin a verb."""
        if len(self.frames.levels) >= self.tracks.deepest:
            raise NotGenerated("too many frames")
        self.frames.push(verb, self.frames.top.me, names)

    def do(self, op: Op) -> int:
        """Write `do v`, if v is known."""
        value = self.function.part(op.step.value, self.frames.top.scope)
        if not isinstance(value, Known) or value.value is None or value.value.arguments:
            raise NotGenerated("a verb that is not known")
        for id in value.value.verbs:
            verb = self.program.game.verbs[id]
            if not verb.parameters:
                self.event("begin", verb, [])
                self.enter(id, {})
                if verb.label is None:
                    self.frames.top.give(BEGUN, Known(True))
                return 0
        raise NotGenerated("a verb that takes something")

    def returns(self, op: Op) -> int | None:
        """Write the end of a verb."""
        frames, function = self.frames, self.function
        depth = len(frames.levels) - 1
        if self.cut is not None and self.cut[0] == depth:
            self.meets()
        top = frames.top
        verb = self.program.game.verbs.get(op.unit)
        if verb is not None:
            known = top.names.get(BEGUN) is not None
            with function.aside() as block:
                given = [top.names[parameter.name] for parameter in verb.parameters]
                self.event("finish", verb, given)
            if verb.label is not None or known:
                function.block += block
            elif top.at is not None and op.unit in self.tracks.values:
                function.write(
                    "if begun in L:\n    block",
                    begun=ast.Constant(BEGUN),
                    L=self.locals(),
                    block=block,
                )
        if depth == 0:
            function.write("del frames[:]\nreturn None")
            return None
        if self.looping and top.at is not None:
            raise NotGenerated("a return in a loop")
        frames.levels.pop()
        caller = frames.top
        return self.program.code[caller.unit][caller.node].resume

    def event(self, kind: str, verb: model.Verb, parts: Sequence[Part]) -> None:
        """Write that a verb begins or is finished."""
        function = self.function
        me = function.tree(self.frames.top.me)
        given = ast.Tuple([function.tree(part) for part in parts], ast.Load())
        doing = self.tracks.units.doing
        if all(self._is_open(parameter.type) for parameter in verb.parameters):
            self.names.space.update(Event=Event, made=tuple.__new__, NOBODY=NOBODY)
            function.write(
                "S.log = (S.log, made(Event, (kind, me, (verb, given), EVERYBODY, EVERYBODY,"
                " NOBODY)))\nC[0][3] += 1",
                kind=ast.Constant(kind),
                me=me,
                verb=ast.Constant(verb.id),
                given=given,
            )
            return
        self.names.space.setdefault("doing", doing)
        function.write(
            "doing.begun(S, kind, me, verb, given)",
            kind=ast.Constant(kind),
            me=me,
            verb=ast.Constant(verb.id),
            given=given,
        )

    def _is_open(self, kind: kinds.Type) -> bool:
        """Return whether everybody sees all values of a type."""
        kind = kinds.without_none(kind)
        inner = kinds.element(kind)
        if inner is not None:
            return not isinstance(kind, kinds.ZoneType) and self._is_open(inner)
        if isinstance(kind, kinds.ThingType):
            return kind == kinds.PLAYER or kind.kind not in self.tracks.units.doing.hiding
        return isinstance(kind, kinds.NumberType | kinds.FlagType | kinds.EnumType | kinds.TextType)

    def arguments(self, step: model.CallVerb, verb: model.Verb, scope: Scope) -> list[Part]:
        """Write the arguments of a verb."""
        made: list[tuple[Part, list[ast.stmt]]] = []
        function = self.function
        for argument, parameter in zip(step.arguments, verb.parameters, strict=True):
            with function.aside() as block:
                made.append((self._argument(argument, parameter, scope), block))
        parts = []
        for part, block in made:
            function.block += block
            parts.append(part)
        return parts

    def _argument(self, argument: model.Argument, parameter: model.Parameter, scope: Scope) -> Part:
        function = self.function
        if isinstance(argument, model.FieldPlace | model.LocalPlace):
            return place_part(function, argument, scope)
        if isinstance(argument, NOT_VALUES) or isinstance(parameter.type, kinds.FunctionType):
            raise NotGenerated("a place as an argument")
        part = function.part(argument, scope)
        if isinstance(parameter.type, kinds.ListType) and kinds.element(argument.type) is None:
            if isinstance(argument.type, kinds.OptionalType):
                raise NotGenerated("one thing or none as a list")
            part = Made(ast.Tuple([function.tree(part)], ast.Load()))
        if isinstance(part, Made) and isinstance(part.tree, ast.Tuple) and len(part.tree.elts) == 1:
            one = function.tree(function.kept(Made(part.tree.elts[0])))
            return Made(ast.Tuple([one], ast.Load()), length=1)
        if isinstance(part, Made) and part.listed:
            part = Made(function.tree(part), length=part.length)
        return function.kept(part)

    # --------------------------------------------------------------------------------------- loops

    def loop(self, op: Op) -> int | None:
        """Write a loop."""
        top, step = self.frames.top, op.step
        inside = op.node in top.running
        if not inside and self.tracks.units.steps.simple_loop(op):
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
            before = _item(tree, 2) if acting else number(0)
            if single:
                top.drop(state)
                top.act(function.kept(Made(before)))
                top.running -= {op.node}
                return done
            items = Made(_item(tree, 0))
            index: ast.expr = _item(tree, 1)
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
                self.tracks.units.steps.count_pass(function, op)
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
        if acting and kinds.element(step.players.type) is None:
            part = Made(ast.Tuple([function.tree(part)], ast.Load()), length=1)
        source = function.kept(part)
        item = self.names.fresh("v")
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
        function.write(
            "for item in items:\n    block", item=item, items=function.items(source), block=block
        )

    def _python_repeat(self, op: Op) -> None:
        function, frames, step = self.function, self.frames, op.step
        kept = frames.copy()
        until = len(frames.levels), op.node
        count_pass = self.tracks.units.steps.count_pass
        counted = step.word == "times"
        times = None
        if counted:
            times = function.kept(function.part(step.value, frames.top.scope))
        function.loops += 1
        self.looping += 1
        with function.aside() as block:
            count_pass(function, op)
            if not counted:
                test = function.tree(function.part(step.value, frames.top.scope))
                function.write("if not test:\n    break", test=test)
            self.way(op.edges["body"], until)
        self.looping -= 1
        function.loops -= 1
        frames.back(kept)
        if times is not None:
            function.write(
                "for count in range(times):\n    block",
                count=self.names.fresh("v"),
                times=function.tree(times),
                block=block,
            )
        else:
            function.write("while True:\n    block", block=block)

    # ------------------------------------------------------------------------------------- watches

    def watch(self, op: Op) -> int:
        """Write a look at watched conditions; if one has changed, the executor goes on."""
        function, watching = self.function, self.program.watching
        with function.aside() as looking:
            for call in op.calls:
                watched = watching.all[watching.numbers[call.removeprefix("watch:")]]
                if watched.watch.needs_me:
                    raise NotGenerated("a condition about each player")
                truth = function.value(watched.watch.condition, Scope(Known(None), {}, {}))
                with function.aside() as block:
                    kept = self.frames.copy()
                    self.leave(op)
                    self.frames.back(kept)
                function.write(
                    "if flags[0] is not truth:\n    block",
                    flags=function.column(watched.slot),
                    truth=truth if _is_flag(truth) else expression("bool(truth)", truth=truth),
                    block=block,
                )
        function.write("if C[0][awake]:\n    looking", awake=number(AWAKE), looking=looking)
        self.looked()
        return int(op.edges["next"])

    # ----------------------------------------------------------------------------------- decisions

    def decide(self, op: Op) -> None:
        """End at a decision."""
        function = self.function
        self.sync(op)
        me = self.frames.top.me
        new = self.new_cut()
        stands = self.stands()
        fresh = self.open(new)
        at = self.tracks.track(stands, new)
        if self.cut is None:
            function.block += fresh
            function.write("return track", track=at)
            return
        old = self.tracks.track(stands, self.cut)
        if _same(me, self.player):
            if not self.sure:
                function.write(
                    "if S.transaction is None:\n    fresh\n    return at", fresh=fresh, at=at
                )
        else:
            function.write(
                "if S.transaction is None or S.transaction[0] is not me:\n    fresh\n    return at",
                me=function.tree(me),
                fresh=fresh,
                at=at,
            )
        function.write("return old", old=old)


def _is_one(players: model.Expression) -> bool:
    """Return whether an expression stands for one player."""
    if isinstance(players, model.ListOf):
        return len(players.items) == 1
    return kinds.element(players.type) is None


def _item(state: ast.expr, place: int) -> ast.expr:
    """Return the tree of a part of the state of a loop."""
    if isinstance(state, ast.Tuple):
        return state.elts[place]
    return expression("state[place]", state=state, place=number(place))


def _is_flag(tree: ast.expr) -> bool:
    """Return whether a tree gives True or False, and not only something like it."""
    match tree:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=True | False):
            return True
        case ast.BoolOp(values=values):
            return all(_is_flag(value) for value in values)
    return False


def _same(one: Part, other: Part) -> bool:
    """Return whether two parts are the same for sure."""
    if isinstance(one, Known) and isinstance(other, Known):
        return type(one.value) is type(other.value) and bool(one.value == other.value)
    if isinstance(one, Made) and isinstance(other, Made):
        return ast.dump(one.tree) == ast.dump(other.tree)
    return False


def _shape(stack: tuple[list[Level], int, dict[int, str]]) -> Any:
    levels, actual, variables = stack
    return (
        [(level.unit, level.at, level.stands, level.running) for level in levels],
        actual,
        variables,
    )
