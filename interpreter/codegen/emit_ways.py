"""Generating tracks: the way of a track, and what is known on it.

The whole stack of running verbs is known where a track begins, and so is the transaction: where it
ends, and whether it is still running for sure. `emit_tracks`, `emit_rounds` and `emit_verbs` write
branches, loops and verbs; `emit_tracks` puts them together.
"""

from __future__ import annotations

import ast
from typing import Protocol, TypeAlias

from rulewright.interpreter.codegen.emit_frames import Frames
from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import Function, Known, Made, Names, NotGenerated, Part
from rulewright.interpreter.printing.templates import expression, number, variable
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.layout import OPENED

MARK = "rule: "
"""So begins a text that stands for a line of the rules in source for readers."""

LONGEST_TRACK = 150
"""So many operations stand in one function."""

UNSET = object()
"""Stands in the variable of a name that has no value."""

Stands: TypeAlias = tuple[tuple[str, int], ...]
"""Unit and node of each frame."""

Cut: TypeAlias = tuple[int, int]
"""The frame and the loop whose end is the end of a transaction."""

Until: TypeAlias = tuple[int, int]
"""How many frames there are, and the node of the last one, where a way ends."""


class Tracks(Protocol):
    """What knows the names of other tracks (`tracks.Tracks`)."""

    program: Program
    names: Names
    units: Units
    values: frozenset[str]
    """The verbs that `do` may begin."""

    def track(self, stands: Stands, cut: Cut) -> str:
        """Return the name of the track of a decision."""

    def block(self, stands: Stands, cut: Cut | None, inside: bool, sure: bool) -> str:
        """Return the name of the track that begins at an operation."""


class Ways:
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
        self.at_once = any(
            self.program.code[level.unit][loop].kind == "fork"
            for level in self.frames.levels
            for loop in level.running
        )
        """Whether this is in the branch of a player who acts while others do (`program/branches`)."""

        if inside:
            top = self.frames.top
            top.running |= {top.node}
        self.cut = cut
        """Where the running transaction ends; None if there is none."""

        self.sure = True
        """Whether it is certainly still running."""

        self.player = self.frames.top.me
        """Whose it is."""

        self.looping = 0
        self.count = 0
        self.settled = "", -1, 0
        """Where a verb came back that has looked at the watched conditions itself, and how many
        operations had been written then."""

        self.heads: set[tuple[int, str, int]] = set()
        """The loops whose body has been written in this function."""

        self.tell()

    # -------------------------------------------------------------------------------- transactions

    def tell(self) -> None:
        """Tell the function what it need not guard."""
        self.function.blind = self.cut is None and not self.at_once
        player = self.player
        self.function.seer = (
            player.tree.id
            if isinstance(player, Made) and isinstance(player.tree, ast.Name) and self.cut
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
            # In a branch it is still watched what its player looks at (`Store.end_pass`).
            self.function.write(
                "S.transaction = None" if self.at_once else "S.viewer = S.transaction = None"
            )
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
                "S.transaction = (me, depth, loop)\nS.viewer = me",
                me=self.function.tree(self.frames.top.me),
                depth=number(cut[0]),
                loop=number(cut[1]),
            )
            if self.program.offers:
                self.function.write("C[0][opened] = True", opened=number(OPENED))
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
            if self.names.kept_source is not None and op.label:
                self.function.block.append(ast.Expr(ast.Constant(MARK + op.label)))
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

    def written(self, op: Op, until: Until | None) -> int | None:
        """Write one operation, if that can be done; return the next node, or None if the function
        ends here."""
        raise NotImplementedError

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

    def give(self, name: str, part: Part) -> None:
        """Give a local its value."""
        function, top = self.function, self.frames.top
        if isinstance(part, Made) and part.listed:
            part = Made(function.tree(part), length=part.length)
        if name in top.carried:
            found = top.names[name]
            assert isinstance(found, Made)
            assert isinstance(found.tree, ast.Name)
            function.write("name = value", name=found.tree.id, value=function.tree(part))
            top.give(name, found)
        elif top.carried and isinstance(part, Made):
            # The variable that it is now may be another one's, who changes it.
            top.give(name, Made(variable(function.keep(part.tree)), length=part.length))
        else:
            top.give(name, function.kept(part))

    def locals(self) -> ast.expr:
        """Return the tree of the locals of the frame on top."""
        found = self.frames.top.names.locals
        assert found is not None, "no frame"
        return found


def same(one: Part, other: Part) -> bool:
    """Return whether two parts are the same for sure."""
    if isinstance(one, Known) and isinstance(other, Known):
        return type(one.value) is type(other.value) and bool(one.value == other.value)
    if isinstance(one, Made) and isinstance(other, Made):
        return ast.dump(one.tree) == ast.dump(other.tree)
    return False


def item_of(state: ast.expr, place: int) -> ast.expr:
    """Return the tree of a part of the state of a loop."""
    if isinstance(state, ast.Tuple):
        return state.elts[place]
    return expression("state[place]", state=state, place=number(place))
