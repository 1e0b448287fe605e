"""What is sure about Python expressions that are written: which cannot fail, which stay the same in a
loop, and so how much of a list has to be looked at.

Where only a part of a list is looked at, nothing may go wrong with the rest of it: that would be an
error of the rules.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

import attrs

from rulewright.interpreter.printing.emit import Function, Made, Part
from rulewright.interpreter.printing.templates import expression, variable

PLAIN = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.expr_context,
    ast.cmpop,
    ast.boolop,
    ast.unaryop,
)
"""What only reads."""


@attrs.frozen(eq=False)
class Picked:
    """A list of the items of another list of which something is true."""

    item: str
    items: ast.expr
    tests: list[ast.expr]
    outer: list[ast.comprehension]
    """The loops around it, where each has a list of its own."""

    def also(self, condition: ast.expr) -> ast.expr:
        """Return the tree of those of which something else is true, too."""
        return attrs.evolve(self, tests=[*self.tests, condition]).of(self.items)

    def of(self, items: ast.expr) -> ast.expr:
        """Return the tree of what is picked from other items."""
        tests = self.tests
        test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        trees = {"items": items, "condition": test}
        tree = expression("[item for item in items if condition]", item=self.item, **trees)
        assert isinstance(tree, ast.ListComp)
        tree.generators = [*self.outer, *tree.generators]
        return tree


def picked(part: Part) -> Picked | None:
    """Return what a list is picked from, if it is written as one expression that nobody else reads."""
    match part:
        case Made(tree=ast.ListComp(elt=ast.Name(id=elt), generators=[*outer, last])):
            match last:
                case ast.comprehension(target=ast.Name(id=item), iter=items, ifs=tests):
                    return Picked(item, items, tests, outer) if item == elt else None
    return None


def is_picked_surely(function: Function, found: Picked) -> bool:
    """Return whether nothing can go wrong when items are picked from one list."""
    return not found.outer and len(found.tests) == 1 and is_sure(function, found.tests[0])


def _easily(function: Function, part: Part) -> dict[str, ast.expr | str] | None:
    """Return the trees of a list of which only the first item need be looked for."""
    found = picked(part)
    if found is None or not is_picked_surely(function, found):
        return None
    return {"item": found.item, "items": found.items, "condition": found.tests[0]}


def is_sure(function: Function, tree: ast.expr) -> bool:
    """Return whether an expression cannot fail."""
    things = function.names.things

    def sure(tree: ast.expr) -> bool:
        match tree:
            case ast.Constant() | ast.Name():
                return True
            case ast.Compare(left=left, ops=ops, comparators=others):
                equal = all(isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) for op in ops)
                return equal and sure(left) and all(map(sure, others))
            case ast.BoolOp(values=values):
                return all(map(sure, values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return sure(operand)
            case ast.Subscript(value=column, slice=ast.Attribute(ast.Name(id=name), "number")):
                return name in things and _is_column(function, column)
        return False

    return sure(tree)


def _is_column(function: Function, tree: ast.expr) -> bool:
    """Return whether a tree is a column of the store or a printed one."""
    match tree:
        case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant()):
            return True
        case ast.Name(id=name):
            return name in function.columns.values() or isinstance(
                function.names.space.get(name), tuple
            )
    return False


def taken_out(function: Function, block: list[ast.stmt], item: str) -> list[ast.stmt]:
    """Write before a loop what is the same in each pass; return what is left of the pass.

    If that fails although there is no pass, the walker finds out that nothing is wrong.
    """
    if not all(isinstance(one, ast.Assign) and _reads(one.value) for one in block):
        return block
    changing = {item}
    left: list[ast.stmt] = []
    for one in block:
        names = {part.id for part in ast.walk(one) if isinstance(part, ast.Name)}
        if names.isdisjoint(changing):
            function.block.append(one)
        else:
            left.append(one)
            assert isinstance(one, ast.Assign)
            changing |= {part.id for part in one.targets if isinstance(part, ast.Name)}
    return left


def _reads(tree: ast.expr) -> bool:
    return all(isinstance(part, PLAIN) for part in ast.walk(tree))


def some(function: Function, part: Made) -> ast.expr | None:
    """Write whether a list that is not needed otherwise has an item; None if that is not faster than
    to write the list."""
    return _found(function, part, ast.Constant(False), lambda item: ast.Constant(True))


def leave(function: Function, part: Part) -> None:
    """Write that a function returns True if a list has an item, which is not needed otherwise."""
    trees = _easily(function, part)
    if trees is None:
        function.write("if items:\n    return True", items=function.items(part))
        return
    function.write("for item in items:\n    if condition:\n        return True", **trees)


def one_of(function: Function, part: Part) -> Made | None:
    """Write the first item of a list that is not needed otherwise, or none; None if that is not
    faster than to write the list."""
    found = _found(function, part, ast.Constant(None), variable)
    return None if found is None else Made(found)


def _found(
    function: Function, part: Part, nothing: ast.expr, what: Callable[[str], ast.expr]
) -> ast.expr | None:
    """Write a loop that ends at the first item of a list; return the variable of what comes of it."""
    trees = _easily(function, part)
    if trees is None:
        return None
    name = function.keep(nothing)
    function.write(
        "for item in items:\n    if condition:\n        name = value\n        break",
        **trees,
        name=name,
        value=what(str(trees["item"])),
    )
    return variable(name)


def renamed(tree: ast.expr, old: str, new: str) -> ast.expr:
    """Return a tree with another name for a variable."""
    made = copy.deepcopy(tree)
    for part in ast.walk(made):
        if isinstance(part, ast.Name) and part.id == old:
            part.id = new
    return made
