"""Requirements that stand straight behind a question: whether an answer can still meet them.

Of a selection they are joined with its `such that`, and decided together with it. Between the question
and a requirement only names may be given to values: then it reads the state in which the question is
asked. What cannot be read by its structure ends the way: a look-ahead might end there, too, at what its
player does not see, and never come to what is behind it.

Numbers may be chosen one after the other before a requirement. Of those that are still to be chosen it is
known between which numbers they lie (`three_valued_logic`). Where that does not decide, or something is
hidden, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.lookahead.completions import Completions, completions
from rulewright.interpreter.program.aggregates import (
    SelectionFormula,
    SelectionRequirement,
    requirement,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion, Question
from rulewright.interpreter.program.three_valued_logic import (
    Bounds,
    ThreeValuedConditions,
    Truth,
    not_known,
)
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing

MOST_PASSED = 50
"""So many steps straight behind a question are read for what they require of its answers."""


def completions_of(
    program: Program, store: Store, asked: OpenQuestion, ahead: bool = True
) -> Completions | None:
    """Return the completions of what has been picked, as `completions` does; with `ahead`
    only those that meet the requirements behind it (why one is not met is found where it stands)."""
    found = later_requirement(program, asked.question) if ahead else None
    return completions(program.alike, store, asked, found)


def later_requirement(program: Program, question: Question) -> SelectionRequirement | None:
    """Return the condition of a question about several things with the requirements behind it; None
    if there is nothing more than the condition."""
    key = question.op.unit, question.op.node
    if key not in program.ahead:
        program.ahead[key] = _joint_requirement(program, question)
    found: SelectionRequirement | None = program.ahead[key]
    return found


def _joint_requirement(program: Program, question: Question) -> SelectionRequirement | None:
    if question.kind != "several" or question.ordered or question.stop is not None:
        return None
    if question.such_that is not None and question.requirement is None:
        return None
    evaluator = program.evaluator
    formulas: list[SelectionFormula] = []
    named: list[model.Let] = []
    values: list[model.Expression] = []
    for op in _straight_behind(program, question.op.unit, question.ways[0]):
        if op.kind == "let" and isinstance(op.step, model.Let):
            values.append(_with_names(op.step.value, named))
            named.append(op.step)
        elif op.kind == "need":
            condition = _with_names(op.step.condition, named)
            made_of = requirement(evaluator, question.name, condition)
            if made_of is None:
                break
            formulas.append(made_of.formula)
        else:
            break
    if not formulas:
        return None
    if question.requirement is not None:
        formulas.insert(0, question.requirement.formula)
    formula = formulas[0] if len(formulas) == 1 else SelectionFormula("and", parts=tuple(formulas))
    return SelectionRequirement(evaluator, question.name, formula, tuple(values))


def _straight_behind(program: Program, unit: str, node: int) -> Iterator[Op]:
    """Yield the operations from a node on; who asks stops at one that he cannot read."""
    for _ in range(MOST_PASSED):
        op = program.code[unit][node]
        yield op
        node = op.edges["next"]


def _with_names(value: model.Expression, named: list[model.Let]) -> model.Expression:
    """Return an expression in which names stand for values."""
    for one in reversed(named):
        value = model.LetIn(
            type=value.type, span=value.span, name=one.name, value=one.value, body=value
        )
    return value


Step = tuple[str, Bounds | None, Bounds | None, Truth | None]
"""A name with what says between which numbers it lies, or a requirement."""


class UnknownNumber:
    """A number that is not known yet; whoever asks for more meets something that is not known."""

    def __init__(self, low: int, high: int) -> None:
        self.ends = low, high

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = __bool__ = not_known
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __index__ = not_known
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __len__ = __iter__ = __str__ = not_known


class NumberConditions(ThreeValuedConditions):
    """Reads conditions in which numbers are not known yet."""

    def bounds(self, expression: model.Expression) -> Bounds:
        """Return what says between which numbers a number lies."""
        if not isinstance(expression, model.Local):
            return super().bounds(expression)
        name, known = expression.name, super().bounds(expression)

        def bounds(store: Store, me: Thing | None, locals: Locals) -> tuple[int, int] | None:
            value = locals.get(name)
            return value.ends if isinstance(value, UnknownNumber) else known(store, me, locals)

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
        locals[name] = UnknownNumber(one[0], other[1])
    return False


def _steps(program: Program, unit: str, node: int) -> Sequence[Step]:
    """Return what stands straight behind a node, up to the last requirement."""
    reader = NumberConditions(program.evaluator)
    found: list[Step] = []
    last = 0
    for op in _straight_behind(program, unit, node):
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
    return found[:last]
