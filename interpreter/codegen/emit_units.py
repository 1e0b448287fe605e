"""What all generated code of a loaded game shares: names, effects, and what is known about units."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import SET_UP
from rulewright.dsl.ir.dominators import END, meetings
from rulewright.dsl.ir.nodes import Sleep, Wake
from rulewright.interpreter.ir.machine import STEP_LIMIT, Op
from rulewright.interpreter.printing.emit import SLOW, Function, Handlers, Names, NotGenerated
from rulewright.interpreter.printing.moving import Doing
from rulewright.interpreter.printing.templates import number
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import TICKS_PER_STEP, PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import AWAKE

PLAIN = frozenset({"let", "branch", "nothing", "step_begin", "step_end", "effect", "return"})
"""Operations at which nothing waits, stops or is left."""


class Units:
    """The units of one loaded game, for those who write code."""

    def __init__(self, program: Program, handlers: Handlers, doing: Doing) -> None:
        self.program = program
        self.handlers = handlers
        self.doing = doing
        self.names = Names(program.evaluator)
        self.always_awake = SET_UP not in program.game.verbs and not any(
            op.kind == "fork" for code in program.code.values() for op in code
        )
        """Whether watched conditions never sleep."""

        self._alone: dict[str, bool] = {}
        self._simple: dict[tuple[str, int], bool] = {}
        self._meetings: dict[str, dict[int, int]] = {}
        self.names.space.update(doing=doing, Frame=Frame, OPEN=doing.openly, SLOW=SLOW)

    def run(self, op: Op) -> str:
        """Return the name of the handler of an operation."""
        key = "run", op.unit, op.node
        kept = self.names.kept
        if key not in kept:
            kept[key] = self.names.helper("run", op.run)
        return str(kept[key])

    def has_role(self, op: Op) -> bool:
        """Return whether a mark does something."""
        return isinstance(op.source, Sleep | Wake)

    def meeting(self, unit: str) -> dict[int, int]:
        """Return for each node the first one through which every way from it leads."""
        if unit not in self._meetings:
            ops = self.program.code[unit]
            found = meetings({at: tuple(op.edges.values()) for at, op in enumerate(ops)})
            self._meetings[unit] = {at: meet for at, meet in found.items() if meet != END}
        return self._meetings[unit]

    # --------------------------------------------------------------------------------------- loops

    def simple_loop(self, op: Op) -> bool:
        """Return whether Python can run a loop: nothing in it waits, stops or leaves it."""
        key = op.unit, op.node
        if key not in self._simple:
            step = op.step
            counted = isinstance(step, model.Repeat) and step.word in ("times", "while")
            inner = (one for one in self.program.code[op.unit] if op.node in one.loops)
            self._simple[key] = (
                isinstance(step, model.ForEach | model.As) or counted
            ) and self._are_plain(inner)
        return self._simple[key]

    def _are_plain(self, ops: Iterable[Op]) -> bool:
        for op in ops:
            if op.kind in ("loop", "as"):
                if not self.simple_loop(op):
                    return False
            elif op.kind == "call":
                if not self.alone(op.step.verb):
                    return False
            elif op.kind not in PLAIN and not (op.kind == "mark" and not self.has_role(op)):
                return False
        return True

    def alone(self, unit: str) -> bool:
        """Return whether a verb runs to its end whatever happens."""
        if unit not in self._alone:
            # One that calls itself is none.
            self._alone[unit] = False
            self._alone[unit] = self._are_plain(self.program.code[unit])
        return self._alone[unit]

    def if_awake(self, function: Function, looking: list[ast.stmt]) -> None:
        """Write a look at watched conditions."""
        if self.always_awake:
            function.block += looking
        else:
            function.write("if C[0][awake]:\n    looking", awake=number(AWAKE), looking=looking)

    def count_pass(self, function: Function, op: Op) -> None:
        """Write the end of a loop without end: as many passes as the walker allows operations."""
        key = "endless", op.unit, op.node
        if key not in self.names.kept:

            def endless() -> PlayError:
                return PlayError("RW702", op.span, expected=f"{STEP_LIMIT:,}")

            self.names.kept[key] = self.names.helper("endless", endless)
        function.write(
            "S.budget -= cost\nif S.budget < 0:\n    raise endless()",
            cost=number(TICKS_PER_STEP // STEP_LIMIT),
            endless=self.names.kept[key],
        )


def unwatched(function: Function, step: model.Statement) -> None:
    """Leave a question to the walker if it must be watched whether its player sees all of it."""
    if function.evaluator.watched_questions.asks(step):
        raise NotGenerated("a question that is watched")
