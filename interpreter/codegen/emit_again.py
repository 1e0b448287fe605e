"""Reading again what has just been read or written: a variable that holds it will do.

Only what is sure is remembered: entries of columns (`C[3][0]`, `c3[t5]`) and numbers of things
(`x.number`), by the variables that hold them. Whatever may change an entry, or a variable, makes
forget it; so does whatever may do anything at all.

What ends or costs something on a track is written only where it matters:

*Budgets* begin anew at a decision, so what a pass of a loop costs is not counted right before one.

*Ends of transactions.* An operation that ends the transaction is often followed by a decision, which
begins another one. So what says that it has ended is moved down, past all that neither asks for it
nor can be left, and left out where something else is written over it.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Set
from typing import TypeAlias

from rulewright.interpreter.printing.templates import statements

ENDED = "S.viewer = S.transaction = None"

HARMLESS = frozenset({"Frame", "len", "max", "min", "range", "sorted", "sum", "tuple", "zip"})
"""Functions that do not look at a transaction."""

OF_LISTS = frozenset({"append", "extend", "get", "index", "pop"})
"""Methods that do not either, of whatever is not the store."""

OF_TRANSACTION = frozenset({"viewer", "transaction"})


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
                ast.Attribute(value=ast.Name(id="S"), attr="viewer"),
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
                targets=[ast.Attribute(value=ast.Name(id="S"), attr="viewer")],
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


Key: TypeAlias = tuple[str, ...]
"""`number` and a variable; or `entry`, a column and an index."""

Held: TypeAlias = dict[Key, str]
"""The variables that hold something."""

COLUMN = re.compile(r"c(\d+)")
LOCALS = re.compile(r"L\d*")
SHUT = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.NamedExpr)
"""What has variables of its own, or changes some."""


def remembering(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a track, which are left alone, with variables for what they would
    read again."""
    return _block(block, {})[0]


def _block(block: list[ast.stmt], held: Held) -> tuple[list[ast.stmt], Held | None]:
    """Return statements before which something is held, and what is held behind them; None if
    nothing comes there."""
    lines: list[ast.stmt] = []
    known: Held | None = held.copy()
    for statement in block:
        if known is None:
            break
        match statement:
            case ast.If():
                made = copy.copy(statement)
                made.test = read(statement.test, known)
                _forget(statement.test, known)
                made.body, first = _block(statement.body, known)
                made.orelse, second = _block(statement.orelse, known)
                match made.test:
                    case ast.Constant(value=bool() as sure):
                        lines += made.body if sure else made.orelse
                        known = first if sure else second
                        continue
                made.body = made.body or [ast.Pass()]
                lines.append(made)
                if first is None or second is None:
                    known = second if first is None else first
                else:
                    known = {key: name for key, name in first.items() if second.get(key) == name}
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                lines.append(statement)
                known = None
            case ast.Assign(targets=[target]):
                made_one = copy.copy(statement)
                kept = isinstance(target, ast.Name) and _key(statement.value) is not None
                number = isinstance(statement.value, ast.Attribute)
                # What a number is, mypyc sees best where it is read.
                if not (kept and number):
                    made_one.value = read(statement.value, known)
                lines.append(made_one)
                _forget(statement, known)
                _hold(target, statement.value, known)
            case _:
                lines.append(statement)
                _forget(statement, known)
    return lines, known


def _hold(target: ast.expr, value: ast.expr, held: Held) -> None:
    """Note which variable holds what, after an assignment."""
    match target, value:
        case ast.Name(id=name), ast.Subscript() | ast.Attribute():
            key = _key(value)
            if key is not None and name not in key:
                held.setdefault(key, name)
        case ast.Subscript(), ast.Name(id=name):
            key = _key(target)
            if key is not None:
                held[key] = name


def _key(tree: ast.expr) -> Key | None:
    """Return what is remembered of an expression."""
    match tree:
        case ast.Attribute(value=ast.Name(id=name), attr="number"):
            return "number", name
        case ast.Subscript(value=column, slice=ast.Name(id=index)):
            slot = _slot(column)
            return None if slot is None else ("entry", slot, index)
        case ast.Subscript(value=column, slice=ast.Constant(value=int() as place)):
            slot = _slot(column)
            return None if slot is None else ("entry", slot, str(place))
    return None


def _slot(tree: ast.expr) -> str | None:
    """Return which column an expression is."""
    match tree:
        case ast.Name(id=name) if found := COLUMN.fullmatch(name):
            return found[1]
        case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant(value=int() as slot)):
            return str(slot)
    return None


def read(tree: ast.expr, held: Held) -> ast.expr:
    """Return an expression with variables for what is held; the same one if there are none."""
    if not held or isinstance(tree, SHUT):
        return tree
    made = tree
    for field, value in ast.iter_fields(tree):
        new: object = value
        if isinstance(value, ast.expr):
            new = read(value, held)
        elif isinstance(value, list):
            parts = [read(one, held) if isinstance(one, ast.expr) else one for one in value]
            if any(one is not other for one, other in zip(parts, value, strict=True)):
                new = parts
        if new is not value:
            if made is tree:
                made = copy.copy(tree)
            setattr(made, field, new)
    if isinstance(made, ast.Compare) and made is not tree:
        return _compared(made, tree)
    key = _key(made)
    return ast.Name(held[key], ast.Load()) if key in held else made


def _compared(made: ast.Compare, tree: ast.expr) -> ast.expr:
    """Return a comparison; of a variable with itself there is none (a C compiler refuses it)."""
    match made:
        case ast.Compare(left=ast.Name(id=one), ops=[how], comparators=[ast.Name(id=other)]):
            if one == other:
                if isinstance(how, ast.Is | ast.Eq):
                    return ast.Constant(True)
                return ast.Constant(False) if isinstance(how, ast.IsNot | ast.NotEq) else tree
    return made


def _forget(node: ast.AST, held: Held) -> None:
    """Forget what may be something else after a statement or expression."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                for key in [key for key, by in held.items() if by == name or name in key[1:]]:
                    del held[key]
            case ast.Subscript(value=base, ctx=ast.Store() | ast.Del()):
                slot = _slot(base)
                if slot is not None:
                    _forget_entries(held, slot)
                elif not (isinstance(base, ast.Name) and LOCALS.fullmatch(base.id)):
                    _forget_entries(held)
            case ast.Call() if not is_simple_call(part):
                _forget_entries(held)
            case ast.FunctionDef() | ast.Global() | ast.Nonlocal():
                held.clear()


def _forget_entries(held: Held, slot: str | None = None) -> None:
    for key in [key for key in held if key[0] == "entry" and slot in (None, key[1])]:
        del held[key]
