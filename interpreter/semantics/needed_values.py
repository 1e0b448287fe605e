"""Compiling values that must be there (`needs`): none is a rules error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.dsl import model
from rulewright.interpreter.semantics.closures import Code, Compiler, nothing_there
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


def needed(compiler: Compiler, expression: model.Needed) -> Code:
    """A value that must be there"""
    return there(expression, compiler.expression(expression.value))


def there(expression: model.Needed, code: Code) -> Code:
    """Return code that raises a rules error for none, or for none in a list."""
    asked = expression.value
    if not expression.items:

        def one(store: Store, me: Thing | None, locals: Locals) -> Value:
            value = code(store, me, locals)
            if value is None:
                raise nothing_there(asked)
            return value

        return one

    def all_of_them(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = code(store, me, locals)
        if value is None or None in value:
            raise nothing_there(asked)
        return value

    return all_of_them


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {model.Needed: needed}
