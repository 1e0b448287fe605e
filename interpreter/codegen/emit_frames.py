"""Frames while a track is written: those that stand in the store, and those that need not yet.

A verb that is called has a frame only if a decision is reached in it: until then its names are
Python variables. `Frames.sync` writes what the walker would have in its frames by then; the frames
of verbs that have returned are used again.
"""

from __future__ import annotations

import ast
from typing import TypeAlias

import attrs

from rulewright.interpreter.printing.emit import Function, Locals, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.templates import expression, number, statements, variable


class Places(Locals):
    """The names of a frame: what is not known as a variable stands in the frame."""

    def __init__(
        self,
        locals: ast.expr | None,
        known: Locals | None = None,
        function: Function | None = None,
    ) -> None:
        super().__init__(known or {})
        self.locals = locals
        self.function = function
        """The function at whose beginning the frame was there."""

        self.written: set[str] = known.written if isinstance(known, Places) else set()
        """The names that may mean something else by now than at the beginning."""

    def __missing__(self, name: str) -> Part:
        if self.locals is None:
            raise NotGenerated("a name without a value")
        function = self.function
        if (
            function is not None
            and function.loops
            and name not in self.written
            and isinstance(self.locals, ast.Name)
        ):
            key = self.locals.id, name
            if key not in function.hoisted:
                function.hoisted[key] = function.names.fresh("t")
            return Made(variable(function.hoisted[key]))
        return Made(expression("L[name]", L=self.locals, name=ast.Constant(name)))

    def copy(self) -> Places:
        """Return names of their own with the same meaning."""
        return Places(self.locals, self, self.function)


@attrs.define(eq=False)
class Level:
    """A running verb or watch."""

    unit: str
    node: int
    """Where it is; while it calls, the node of the call."""

    me: Part
    names: Places
    at: str | None = None
    """The variable of its frame in the store; None if it has none yet."""

    stands: int = -1
    """The node that is written in that frame."""

    began: int = -1
    """Where that frame stood when the track began."""

    dirty: dict[str, None] = attrs.field(factory=dict)
    """The names whose values are not in the frame yet, in the order in which they were given."""

    gone: dict[str, None] = attrs.field(factory=dict)
    unsure: frozenset[str] = frozenset()
    """The names that have a value on some ways only: on the others their variable is `UNSET`."""

    carried: frozenset[str] = frozenset()
    """The names that one pass of a Python loop hands over to the next: each has one variable."""

    moved: bool = False
    """Whether `me` is not in the frame yet."""

    running: frozenset[int] = frozenset()
    """The loops whose passes are under way."""

    @property
    def scope(self) -> Scope:
        """What names mean here."""
        return Scope(self.me, self.names)

    def give(self, name: str, part: Part) -> None:
        """Give a name its value."""
        self.names[name] = part
        self.names.written.add(name)
        self.unsure -= {name}
        self.gone.pop(name, None)
        self.dirty[name] = None

    def drop(self, name: str) -> None:
        """Forget a name."""
        self.names.pop(name, None)
        self.names.written.add(name)
        self.unsure -= {name}
        self.dirty.pop(name, None)
        self.gone[name] = None

    def act(self, me: Part) -> None:
        """Let somebody else act."""
        self.me = me
        self.moved = True

    def copy(self) -> Level:
        """Return a level of its own with the same content."""
        return attrs.evolve(
            self, names=self.names.copy(), dirty=self.dirty.copy(), gone=self.gone.copy()
        )


Lain: TypeAlias = dict[int, tuple[str, int]]
Stack: TypeAlias = tuple[list[Level], int, dict[int, str], Lain]


class Frames:
    """The stack of a track, in the store and in the code that is being written."""

    def __init__(self, function: Function, stands: tuple[tuple[str, int], ...]) -> None:
        self.function = function
        self.levels = [
            Level(
                unit,
                node,
                Made(variable(f"me{depth}")),
                Places(variable(f"L{depth}"), function=function),
            )
            for depth, (unit, node) in enumerate(stands)
        ]
        for depth, level in enumerate(self.levels):
            level.at = f"F{depth}"
            level.stands = level.began = level.node
        self.actual = len(stands)
        """How many frames there are in the store."""

        self.variables = {depth: f"F{depth}" for depth in range(len(stands))}
        """The variables of those frames."""

        self.lain = dict(enumerate(stands))
        """The unit and the node that are written in those frames."""

    @property
    def top(self) -> Level:
        """The running verb."""
        return self.levels[-1]

    def push(self, unit: str, me: Part, names: dict[str, Part]) -> None:
        """Begin a verb."""
        self.levels.append(Level(unit, 0, me, Places(None, Locals(names))))

    def sync(self) -> None:
        """Write the frames into the store as the walker has them."""
        function = self.function
        for depth, level in enumerate(self.levels):
            if level.at is None:
                self._make(depth, level)
            else:
                self._update(depth, level)
            level.stands = level.node
            level.dirty, level.gone, level.moved = {}, {}, False
        if self.actual > len(self.levels):
            function.write("del frames[size:]", size=number(len(self.levels)))
            for depth in range(len(self.levels), self.actual):
                self.lain.pop(depth, None)
        self.actual = len(self.levels)

    def _make(self, depth: int, level: Level) -> None:
        function = self.function
        sure = [name for name in level.names if name not in level.unsure]
        given = ast.Dict(
            [ast.Constant(name) for name in sure],
            [function.tree(level.names[name]) for name in sure],
        )
        content = {
            "unit": ast.Constant(level.unit),
            "node": number(level.node),
            "given": given,
            "me": function.tree(level.me),
        }
        if depth < self.actual:
            level.at = self.variables[depth]
            unit, node = self.lain.get(depth, ("", -1))
            template = "F.locals = given\nF.me = me"
            if node != level.node:
                template = f"F.node = node\n{template}"
            if unit != level.unit:
                template = f"F.unit = unit\n{template}"
            function.write(template, F=level.at, **content)
        else:
            level.at = self.variables[depth] = function.names.fresh("f")
            function.write(
                "F = Frame(unit, node, given, me)\nframes.append(F)", F=level.at, **content
            )
        self.lain[depth] = level.unit, level.node
        level.names.locals = expression("F.locals", F=level.at)
        for name in level.names:
            if name in level.unsure:
                self.put(level, name)

    def put(self, level: Level, name: str) -> None:
        """Write a name into the frame of a level."""
        function = self.function
        with function.aside() as block:
            function.write(
                "L[name] = value",
                L=level.names.locals,
                name=ast.Constant(name),
                value=function.tree(level.names[name]),
            )
        if name in level.unsure:
            value = function.tree(level.names[name])
            block = statements("if value is not UNSET:\n    block", value=value, block=block)
        function.block += block

    def _update(self, depth: int, level: Level) -> None:
        function = self.function
        assert level.at is not None
        assert level.names.locals is not None
        for name in level.gone:
            function.write("L.pop(name, None)", L=level.names.locals, name=ast.Constant(name))
        for name in level.dirty:
            self.put(level, name)
        if level.moved:
            function.write("F.me = me", F=level.at, me=function.tree(level.me))
        if level.node != level.stands:
            function.write("F.node = node", F=level.at, node=number(level.node))
            self.lain[depth] = level.unit, level.node

    def forget(self) -> None:
        """Forget what the names of the running verb are: a handler may have changed them."""
        level = self.top
        assert level.at is not None, "no frame"
        level.names = Places(level.names.locals)
        level.unsure = frozenset()

    # ---------------------------------------------------------------------------------- two ways

    def copy(self) -> Stack:
        """Return what there is now, to come back to."""
        levels = [level.copy() for level in self.levels]
        return levels, self.actual, self.variables.copy(), self.lain.copy()

    def back(self, kept: Stack) -> None:
        """Come back to what there was."""
        levels, self.actual, variables, lain = kept
        self.levels = [level.copy() for level in levels]
        self.variables, self.lain = variables.copy(), lain.copy()
