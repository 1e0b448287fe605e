"""Numbers that are chosen one after the other, and the requirements behind them: whether an answer can still
meet them, whatever the later ones are.

Straight behind a question stand further questions for numbers, names for values, and requirements. Of what
is still to be chosen it is known between which numbers it lies (`three_valued_logic`). Where that does not
decide, or something is hidden, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import model
from rulewright.interpreter.lookahead.budgets import MOST_PASSED
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.three_valued_logic import Bounds, Conditions, Truth, not_known
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing

Step = tuple[str, Bounds | None, Bounds | None, Truth | None]
"""A name with what says between which numbers it lies, or a requirement."""


class Between:
    """A number that is not known yet; whoever asks for more meets something that is not known."""

    def __init__(self, low: int, high: int) -> None:
        self.ends = low, high

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __bool__ = not_known
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __index__ = not_known
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __len__ = __iter__ = __str__ = not_known


class Numbers(Conditions):
    """Reads conditions in which numbers are not known yet."""

    def bounds(self, expression: model.Expression) -> Bounds:
        """Return what says between which numbers a number lies."""
        if not isinstance(expression, model.Local):
            return super().bounds(expression)
        name, known = expression.name, super().bounds(expression)

        def bounds(store: Store, me: Thing | None, locals: Locals) -> tuple[int, int] | None:
            value = locals.get(name)
            return value.ends if isinstance(value, Between) else known(store, me, locals)

        return bounds


def numbers_fail(program: Program, store: Store) -> bool:
    """Return whether requirements that stand straight behind an answer cannot be met any more; the frame
    on top stands behind it, in a trial."""
    frame = store.frames[-1]
    key = frame.unit, frame.node, "numbers"
    if key not in program.ahead:
        program.ahead[key] = _steps(program, frame.unit, frame.node)
    steps: Sequence[Step] = program.ahead[key]
    if not steps:
        return False
    locals, me = frame.locals.copy(), frame.me
    for name, low, high, needed in steps:
        if needed is not None:
            met = needed(store, me, locals)
            if met is not True:
                return met is False
            continue
        assert low is not None and high is not None
        one, other = low(store, me, locals), high(store, me, locals)
        if one is None or other is None:
            return False
        locals[name] = Between(one[0], other[1])
    return False


def _steps(program: Program, unit: str, node: int) -> Sequence[Step]:
    """Return what stands straight behind a node, up to the last requirement."""
    code, reader = program.code[unit], Numbers(program.evaluator)
    found: list[Step] = []
    last = 0
    for _ in range(MOST_PASSED):
        op = code[node]
        step = op.step
        if op.kind == "need":
            found.append(("", None, None, reader.condition(step.condition)))
            last = len(found)
        elif op.kind == "let" and isinstance(step, model.Let):
            value = reader.bounds(step.value)
            found.append((step.name, value, value, None))
        elif op.kind == "decide" and op.question.kind == "numbers" and op.question.stop is None:
            source = step.source
            low, high = reader.bounds(source.low), reader.bounds(source.high)
            found.append((step.name, low, high, None))
        else:
            break
        node = op.edges["next"]
    return found[:last]
