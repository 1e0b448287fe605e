"""Python syntax trees from templates: fixed source with placeholders in, trees out.

A template is a string literal of this package, parsed once. Its names that are given as arguments
are replaced by trees; what stands in a rule file only ever comes in as such a tree, so no name and
no text of a rule file can become code.

    expression("column[thing.number]", column=c, thing=t)
    statements("if items:\n    block", items=x, block=[...])

Some things are written in another way for Python than for people who read it, and for mypyc.

*Draws.* Random games are full of them. `random.below` says what a draw is; here its step stands without
a call, where readers see `A.below(n)` if a player draws, and `below` if the game does.

*Lists.* Before Python 3.12 a comprehension is a function that is made and called, and what it reads of
the function around it is slower to read there, too. So the lists that are made in a statement of
their own, which are short as a rule, are made in a loop.
"""

from __future__ import annotations

import ast
import copy
import sys
from functools import cache
from typing import Any, TypeAlias, TypeVar

from rulewright.interpreter.state.random import FIRST_FACTOR, GOLDEN, MASK, SECOND_FACTOR

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


Part = TypeVar("Part", bound=ast.AST)

SURE = MASK - 2**32
"""Outputs up to here have the same chance for every bound that a list may have; a greater one, once
in four billion draws, is looked at by `below`."""

STEP = f"""
seed = old + {GOLDEN} & {MASK}
mixed = (seed ^ seed >> 30) * {FIRST_FACTOR} & {MASK}
mixed = (mixed ^ mixed >> 27) * {SECOND_FACTOR} & {MASK}
mixed ^= mixed >> 31
"""
"""A step of the generator, as in `random.step`."""

DRAW = f"""{STEP.replace("old", "A.state")}
if mixed <= {SURE}:
    A.state = seed
    which = mixed % bound
else:
    A.state, which = below(A.state, bound)
"""

DEAL = f"""{STEP}
if bound > 1 and mixed <= {SURE}:
    new = seed
    which = mixed % bound
else:
    drawn
"""
"""The same with the generator of the game, whose state stands in the store."""

MAYBE = "if bound > 1:\n    draw\nelse:\n    which = 0"
"""Of one thing, none is drawn."""

LIST = "made = []\nfor item in items:\n    if test:\n        made.append(item)"
INLINE = sys.version_info >= (3, 12)
"""Whether Python writes such a list without calling a function."""


def written_out(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function with its draws `which = A.below(bound)` and its lists
    `made = [item for item in items if test]` written out; it is left alone. The bound of a draw is
    the length of a list that has an item. (Where the game draws, `state, which = below(state, bound)`,
    it may be 0.)"""
    return _in(function)


def _in(part: Part) -> Part:
    made = part
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(part, name, None)
        if isinstance(block, list) and block:
            lines = _source_lines(block)
            if lines is not block:
                if made is part:
                    made = copy.copy(part)
                setattr(made, name, lines)
    return made


def _source_lines(block: list[ast.stmt]) -> list[ast.stmt]:
    lines: list[ast.stmt] = []
    for statement in block:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=which)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id="A"), attr="below"), args=[bound]
                ),
            ):
                lines += _drawn(which, bound)
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Subscript() as state, ast.Name(id=which)])],
                value=ast.Call(func=ast.Name(id="below"), args=[old, ast.Name() as bound]),
            ):
                drawn: list[ast.stmt] = [statement]
                lines += statements(DEAL, old=old, new=state, which=which, bound=bound, drawn=drawn)
            case ast.Assign(
                targets=[ast.Name(id=made)],
                value=ast.ListComp(
                    elt=ast.Name(id=element),
                    generators=[
                        ast.comprehension(target=ast.Name(id=item), iter=items, ifs=[test])
                    ],
                ),
            ) if element == item and not (INLINE or _speaks_of(made, items, test)):
                lines += statements(LIST, made=made, item=item, items=items, test=test)
            case _:
                lines.append(_in(statement))
    same = len(lines) == len(block) and all(map(lambda one, other: one is other, lines, block))
    return block if same else lines


def _drawn(which: str, bound: ast.expr) -> list[ast.stmt]:
    lines: list[ast.stmt] = []
    match bound:
        case ast.Constant(value=int(size)) if size > 1:
            return statements(DRAW, which=which, bound=bound)
        case ast.Name():
            pass
        case _:
            lines = statements("which = bound", which=which, bound=bound)
            bound = ast.Name(which, ast.Load())
    draw = statements(DRAW, which=which, bound=bound)
    return [*lines, *statements(MAYBE, which=which, bound=bound, draw=draw)]


def _speaks_of(name: str, *trees: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Name) and part.id == name for tree in trees for part in ast.walk(tree)
    )
