"""Reading again what has just been read or written: a variable that holds it will do.

Only what is sure is remembered: entries of columns (`C[3][0]`, `c3[t5]`) and numbers of things
(`x.number`), by the variables that hold them. Whatever may change an entry, or a variable, makes
forget it; so does whatever may do anything at all.
"""

from __future__ import annotations

import ast
import copy
import re
from typing import TypeAlias

from rulewright.interpreter.codegen.emit_straight import is_simple_call

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
