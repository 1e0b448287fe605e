"""Requirements on a selection that stand right behind its question: a question in, what they are made of
out, so that they are decided together with its `such that`.

Between the question and a requirement only names may be given to values: then it reads the state that
the question is asked in. What cannot be read by its structure ends the way: a look-ahead might end
there, too, at what its player does not see, and never come to what is behind it.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.interpreter.lookahead.budgets import MOST_PASSED
from rulewright.interpreter.lookahead.growing import Growth, growth
from rulewright.interpreter.program.aggregates import Formula, Requirement, requirement
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import Asked, Question
from rulewright.interpreter.state.store import Store


def growth_of(program: Program, store: Store, asked: Asked, ahead: bool = True) -> Growth | None:
    """Return what the selections of a question can grow into, as `growth` does; with `ahead` into
    those only that meet the requirements behind it (why one is not met is found where it stands)."""
    found = requirement_ahead(program, asked.question) if ahead else None
    return growth(program.alike, store, asked, found)


def requirement_ahead(program: Program, question: Question) -> Requirement | None:
    """Return the condition of a question about several things with the requirements behind it; None
    if there is nothing more than the condition."""
    key = question.op.unit, question.op.node
    if key not in program.ahead:
        program.ahead[key] = _found(program, question)
    found: Requirement | None = program.ahead[key]
    return found


def _found(program: Program, question: Question) -> Requirement | None:
    if question.kind != "several" or question.ordered or question.stop is not None:
        return None
    if question.such_that is not None and question.requirement is None:
        return None
    code, evaluator = program.code[question.op.unit], program.evaluator
    formulas: list[Formula] = []
    named: list[model.Let] = []
    values: list[model.Expression] = []
    node = question.ways[0]
    for _ in range(MOST_PASSED):
        op = code[node]
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
        node = op.edges["next"]
    if not formulas:
        return None
    if question.requirement is not None:
        formulas.insert(0, question.requirement.formula)
    formula = formulas[0] if len(formulas) == 1 else Formula("and", parts=tuple(formulas))
    return Requirement(evaluator, question.name, formula, tuple(values))


def _with_names(value: model.Expression, named: list[model.Let]) -> model.Expression:
    """Return an expression in which names stand for values."""
    for one in reversed(named):
        value = model.LetIn(
            type=value.type, span=value.span, name=one.name, value=one.value, body=value
        )
    return value
