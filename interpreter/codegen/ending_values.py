"""What a game says about its end, as generated code: an expression about `me` in, a Python function out.

It is written when it has been asked for some times. What it cannot say, or finds wrong, the walker says: each value
may look at as much as a step does.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.interpreter.codegen.writing_budget import WritingBudget
from rulewright.interpreter.printing.emit import (
    FAILED,
    Function,
    Handlers,
    Made,
    Names,
    NotGenerated,
    Scope,
)
from rulewright.interpreter.printing.templates import variable
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import TICKS_PER_STEP
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value

WORTH = 4
"""So often the walker says it before code is written: many games are loaded to play one."""


class EndingValues:
    """Writes the code of values at the end of a game."""

    def __init__(self, evaluator: Evaluator, handlers: Handlers, budget: WritingBudget) -> None:
        # Names of its own: those of the tracks are the same whoever has asked for an end meanwhile.
        self._names = Names(evaluator)
        self._handlers = handlers
        self._budget = budget

    def code(self, expression: model.Expression, walked: Code) -> Code:
        """Return code that says what that of the walker says, and soon is generated code."""
        asked = 0
        made: Code | None = None

        def said(store: Store, me: Thing | None, locals: Locals) -> Value:
            nonlocal asked, made
            if made is None:
                asked += 1
                if asked <= WORTH or not self._budget.has_room():
                    return walked(store, me, locals)
                made = self._written(expression, walked)
            return made(store, me, locals)

        return said

    def _written(self, expression: model.Expression, walked: Code) -> Code:
        names = self._names
        function = Function(names, self._handlers)
        me = Made(variable("me"))
        try:
            with self._budget.writing():
                result = function.value(expression, Scope(me, {"it": me}))
                name = names.fresh("ending_")
                names.functions.append(function.finished(name, ["S", "me"], result, 0))
                names.compile()
        except (NotGenerated, RecursionError):
            return walked
        generated = names.space[name]

        def said(store: Store, me: Thing | None, locals: Locals) -> Value:
            try:
                return generated(store, me)
            except FAILED:
                store.allowance = TICKS_PER_STEP, None
                return walked(store, me, locals)

        return said
