"""Python syntax trees from templates: fixed source with placeholders in, trees out.

A template is a string literal of this package, parsed once. Its names that are given as arguments
are replaced by trees; what stands in a rule file only ever comes in as such a tree, so no name and
no text of a rule file can become code.

    expression("column[thing.number]", column=c, thing=t)
    statements("if items:\n    block", items=x, block=[...])
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any, TypeAlias

Tree: TypeAlias = ast.expr | list[ast.stmt] | str
"""What a placeholder stands for: an expression, statements, or the name of a variable."""


@cache
def _expression(template: str) -> ast.expr:
    return ast.parse(template, mode="eval").body


@cache
def _statements(template: str) -> tuple[ast.stmt, ...]:
    return tuple(ast.parse(template).body)


def expression(template: str, **trees: Tree) -> ast.expr:
    """Return the tree of an expression."""
    made: ast.expr = _filled(_expression(template), trees)
    return made


def statements(template: str, **trees: Tree) -> list[ast.stmt]:
    """Return the trees of statements; a placeholder that is a line of its own may be several."""
    made: list[ast.stmt] = []
    for statement in _statements(template):
        made += _lines(statement, trees)
    return made


def variable(name: str) -> ast.Name:
    """Return a variable that is read."""
    return ast.Name(name, ast.Load())


def number(value: int) -> ast.expr:
    """Return a number."""
    return ast.Constant(value)


def _lines(statement: ast.stmt, trees: dict[str, Tree]) -> list[ast.stmt]:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name):
        tree = trees.get(statement.value.id)
        if isinstance(tree, list):
            return tree
    return [_filled(statement, trees)]


def _filled(node: Any, trees: dict[str, Tree]) -> Any:
    if isinstance(node, ast.Name) and node.id in trees:
        tree = trees[node.id]
        if isinstance(tree, str):
            return ast.Name(tree, node.ctx)
        return tree
    if isinstance(node, list):
        filled: list[Any] = []
        for item in node:
            filled += _lines(item, trees) if isinstance(item, ast.stmt) else [_filled(item, trees)]
        return filled
    if not isinstance(node, ast.AST) or isinstance(node, ast.expr_context):
        return node
    if _names_in(node).isdisjoint(trees):
        # Nothing in it is replaced, so the template itself will do.
        return node
    fields = {name: _filled(value, trees) for name, value in ast.iter_fields(node)}
    if isinstance(node, ast.arg) and isinstance(trees.get(node.arg), str):
        fields["arg"] = trees[node.arg]
    if isinstance(node, ast.FunctionDef) and isinstance(trees.get(node.name), str):
        fields["name"] = trees[node.name]
    if fields.get("body") == []:
        fields["body"] = [ast.Pass()]
    return type(node)(**fields)


def _names_in(node: ast.AST) -> frozenset[str]:
    """Return what could be a placeholder in a part of a template; worked out once."""
    found: frozenset[str] | None = node.__dict__.get("_names")
    if found is None:
        names = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                names.add(part.id)
            elif isinstance(part, ast.arg):
                names.add(part.arg)
            elif isinstance(part, ast.FunctionDef):
                names.add(part.name)
        found = node.__dict__["_names"] = frozenset(names)
    return found


def locate(node: ast.AST) -> None:
    """Give a tree places, which Python wants to see; parts that have one are passed over."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        content = part.__dict__
        if "lineno" in content:
            continue
        if "lineno" in part._attributes:
            content["lineno"] = content["end_lineno"] = 1
            content["col_offset"] = content["end_col_offset"] = 0
        for field in part._fields:
            value = content.get(field)
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting += [item for item in value if isinstance(item, ast.AST)]


def flag(tree: ast.expr) -> ast.expr:
    """Return the tree of the same truth as True or False."""
    return tree if _is_flag(tree) else expression("bool(truth)", truth=tree)


def _is_flag(tree: ast.expr) -> bool:
    """Return whether a tree gives True or False, and not only something like it."""
    match tree:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=True | False):
            return True
        case ast.BoolOp(values=values):
            return all(_is_flag(value) for value in values)
    return False
