"""What ends or costs something on a track, written only where it matters.

*Budgets* begin anew at a decision, so what a pass of a loop costs is not counted right before one.

*Ends of transactions.* An operation that ends the transaction is often followed by a decision, which
begins another one. So what says that it has ended is moved down, past all that neither asks for it
nor can be left, and left out where something else is written over it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Set

from rulewright.interpreter.printing.templates import statements

ENDED = "S.eyes = S.transaction = None"

HARMLESS = frozenset({"Frame", "len", "max", "min", "range", "sorted", "sum", "tuple", "zip"})
"""Functions that do not look at a transaction."""

OF_LISTS = frozenset({"append", "extend", "get", "index", "pop"})
"""Methods that do not either, of whatever is not the store."""

OF_TRANSACTION = frozenset({"eyes", "transaction"})


def straightened(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a track with ends of transactions where they matter; they are left
    alone."""
    lines, ended = _moved(block, False)
    return [*lines, *statements(ENDED)] if ended else lines


def spared(block: list[ast.stmt], asking: Set[str]) -> list[ast.stmt]:
    """Return the statements of a track without what the last pass of a loop costs where a decision
    follows in any case: there the budget begins anew. `asking` are the names of the tracks that begin
    at a decision."""
    lines: list[ast.stmt] = []
    for statement in block:
        if isinstance(statement, ast.If):
            made = copy.copy(statement)
            made.body = spared(statement.body, asking)
            made.orelse = spared(statement.orelse, asking)
            statement = made
        lines.append(statement)
    match lines:
        case [*_, ast.Return(value=ast.Name(id=name))] if name in asking:
            place = len(lines) - 2
            # For readers there are texts between.
            while place > 0 and isinstance(lines[place], ast.Assign | ast.Delete | ast.Expr):
                place -= 1
            match lines[max(place - 1, 0) : place + 1]:
                case [ast.AugAssign(target=ast.Attribute(attr="budget")), ast.If()]:
                    del lines[place - 1 : place + 1]
    return lines


def _moved(block: list[ast.stmt], ended: bool | None) -> tuple[list[ast.stmt], bool | None]:
    """Return statements that come after an end that is not written yet (`ended`) or not, and whether
    there is such an end behind them; None if nothing comes there."""
    lines: list[ast.stmt] = []
    place = 0
    while place < len(block):
        statement = block[place]
        place += 1
        if _is_end(statement):
            ended = True
        elif isinstance(statement, ast.If):
            if ended and not _is_harmless(statement.test):
                lines += statements(ENDED)
                ended = False
            made, ended = _branched(statement, bool(ended))
            lines.append(made)
        elif ended and _is_begin(block[place - 1 : place + 1]):
            lines += block[place - 1 : place + 1]
            place += 1
            ended = False
        elif isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break):
            # Where something is wrong, all is done once more.
            if ended and not isinstance(statement, ast.Raise):
                lines += statements(ENDED)
            return [*lines, statement], None
        else:
            if ended and not _is_harmless(statement):
                lines += statements(ENDED)
                ended = False
            lines.append(statement)
        if ended is None:
            break
    return lines, ended


def _branched(statement: ast.If, ended: bool) -> tuple[ast.If, bool | None]:
    made = copy.copy(statement)
    made.body, first = _moved(statement.body, ended)
    made.orelse, second = _moved(statement.orelse, ended)
    if first is not None and second is not None and first != second:
        for lines, pending in ((made.body, first), (made.orelse, second)):
            if pending:
                lines += statements(ENDED)
        first = second = False
    made.body = made.body or [ast.Pass()]
    if first is None or second is None:
        return made, second if first is None else first
    return made, first


def _is_end(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(
            targets=[
                ast.Attribute(value=ast.Name(id="S"), attr="eyes"),
                ast.Attribute(value=ast.Name(id="S"), attr="transaction"),
            ],
            value=ast.Constant(value=None),
        ):
            return True
    return False


def _is_begin(pair: list[ast.stmt]) -> bool:
    """Return whether two statements write a transaction and whose it is."""
    match pair:
        case [
            ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="S"), attr="transaction")],
                value=ast.Tuple() as running,
            ),
            ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="S"), attr="eyes")],
                value=ast.Name() | ast.Constant(),
            ),
        ]:
            return _is_harmless(running)
    return False


def _is_harmless(node: ast.AST) -> bool:
    """Return whether something neither looks at the transaction nor can be left."""
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Name(id="S"), attr=attr) if attr in OF_TRANSACTION:
                return False
            case ast.Call() if not is_simple_call(part):
                return False
            case ast.Return() | ast.Try() | ast.FunctionDef() | ast.Lambda() | ast.With():
                return False
    return True


def is_simple_call(call: ast.Call) -> bool:
    """Return whether a call neither looks at the store nor changes it."""
    if call.keywords:
        return False
    match call.func:
        case ast.Name(id=name):
            return name in HARMLESS
        case ast.Attribute(value=ast.Name(id="S")):
            return False
        case ast.Attribute(attr=name):
            return name in OF_LISTS
    return False
