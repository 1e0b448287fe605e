"""Generating lines through a thing: how many there are on them, and whether there are enough.

A line is two walks in opposite directions whose ways are known (`emit_builtins`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

import attrs

from rulewright.interpreter.printing.emit import Function, Made
from rulewright.interpreter.printing.emit_sure import is_sure, renamed
from rulewright.interpreter.printing.emit_tables import looked_up
from rulewright.interpreter.printing.templates import variable
from rulewright.interpreter.state.values import Thing

LONGEST_RUN = 5
"""Of a longer run it is faster to count the things than to look at all places where it can be."""

SHORT = 2
"""Where a run needs more others than this, the places where it can be are grouped."""


@attrs.frozen(eq=False)
class Way:
    """A walk that has been written, whose way is known."""

    path: str
    """The table that says for each beginning where one comes through."""

    start: ast.expr
    here: str
    """The variable of a thing on the way."""

    good: ast.expr
    written: list[ast.stmt]

    def test(self) -> str:
        """Return what is tested on the way, whatever the variable is called."""
        return ast.dump(self.good).replace(f"id='{self.here}'", "id=''")


@attrs.frozen(eq=False)
class Line:
    """Two walks that have been written as the number of things on the line."""

    there: Way
    back: Way
    written: list[ast.stmt]


def length_of_both(function: Function, items: ast.expr) -> str | None:
    """Count the things of two walks in opposite directions: those of a line through a thing.

    If the walks have nothing but their beginning in common, they need not be listed. Return the name
    of their number; None if these are no such walks.
    """
    match items:
        case ast.List([ast.Starred(ast.Name(id=one)), ast.Starred(ast.Name(id=other))]):
            there, back = function.ways.get(one), function.ways.get(other)
        case _:
            return None
    if there is None or back is None or there.test() != back.test():
        return None
    written = [*there.written, *back.written]
    space = function.names.space
    if (
        function.block[-len(written) :] != written
        or ast.dump(there.start) != ast.dump(back.start)
        or not all(
            set(this[1:]).isdisjoint(that[1:])
            for this, that in zip(space[there.path], space[back.path], strict=True)
        )
    ):
        return None
    del function.block[-len(written) :]
    with function.aside() as counting:
        count = function.keep(ast.Constant(0))
        function.write(
            "here = start\n"
            "if good:\n"
            "    count = 1\n"
            "    for here in there[start.number]:\n"
            "        if not good:\n            break\n"
            "        count += 1\n"
            "    for here in back[start.number]:\n"
            "        if not good:\n            break\n"
            "        count += 1",
            here=there.here,
            start=there.start,
            good=there.good,
            count=count,
            there=_rest(function, there.path),
            back=_rest(function, back.path),
        )
    function.ways[count] = Line(there, back, counting)
    function.block += counting
    return count


def _rest(function: Function, path: str) -> str:
    """Return the name of a table of ways without their beginnings."""
    kept = function.names.kept
    key = "rest", path
    if key not in kept:
        ways = tuple(way[1:] for way in function.names.space[path])
        kept[key] = function.names.helper("rest", ways)
    name: str = kept[key]
    return name


def enough(function: Function, tree: ast.expr, wanted: int) -> Made | None:
    """Write whether a line is so long, or the longest of some, without counting the things on it;
    None if the tree is no such number.

    Where a run that long can be is known for each thing, so it is enough to look there. No thing is
    looked at that counting would not look at; of the others nothing may go wrong.
    """
    match tree:
        case ast.Call(func=ast.Name(id="max"), args=[ast.Tuple(elts=elts)]):
            found = [_line(function, one) for one in elts]
        case _:
            found = [_line(function, tree)]
    lines = [line for line in found if line is not None]
    if len(lines) < len(found) or not 2 <= wanted <= LONGEST_RUN:
        return None
    written = [statement for line in lines for statement in line.written]
    first = lines[0].there
    if (
        function.block[-len(written) :] != written
        or not isinstance(first.start, ast.Name)
        or any(ast.dump(line.there.start) != ast.dump(first.start) for line in lines)
        or any(line.there.test() != first.test() for line in lines)
        or not is_sure(function, first.good)
    ):
        return None
    runs = _runs(function, lines, wanted)
    del function.block[-len(written) :]
    by_number, things = _numbered(first.good, first.here), False
    if by_number is None:
        by_number, things = first.good, True
    members = [function.names.fresh("x") for _ in range(wanted - 1)]
    places = tuple(
        tuple(tuple(one if things else one.number for one in run) for run in found)
        for found in runs
    )
    tests = [renamed(by_number, first.here, name) for name in members]
    name = function.keep(ast.Constant(False))
    grouped = len(members) > SHORT
    with function.aside() as looking:
        rest = members[1:] if grouped else members
        test = tests[1:] if grouped else tests
        function.write(
            "for members in runs:\n    if test:\n        name = True\n        break",
            members=ast.Tuple([ast.Name(one, ast.Store()) for one in rest], ast.Store()),
            runs=(
                variable(members[0] + "s")
                if grouped
                else looked_up(function.names.helper("runs", places), first.start)
            ),
            test=test[0] if len(test) == 1 else ast.BoolOp(ast.And(), test),
            name=name,
        )
    if grouped:
        # Most of them end with the first thing, which is the same for several.
        groups = function.names.helper("runs", tuple(map(_by_first, places)))
        with function.aside() as outer:
            function.write(
                "for one, others in groups:\n    if test:\n        looking",
                one=members[0],
                others=members[0] + "s",
                groups=looked_up(groups, first.start),
                test=tests[0],
                looking=looking,
            )
        looking = outer
    good = renamed(first.good, first.here, first.start.id)
    function.write("if good:\n    looking", good=good, looking=looking)
    return Made(variable(name))


def _by_first(
    runs: tuple[tuple[object, ...], ...],
) -> tuple[tuple[object, tuple[tuple[object, ...], ...]], ...]:
    """Return runs in groups: the first one on them, and what is left of each."""
    groups: dict[object, list[tuple[object, ...]]] = {}
    for one, *others in runs:
        groups.setdefault(one, []).append(tuple(others))
    return tuple((one, tuple(others)) for one, others in groups.items())


def _line(function: Function, tree: ast.expr) -> Line | None:
    found = function.ways.get(tree.id) if isinstance(tree, ast.Name) else None
    return found if isinstance(found, Line) else None


def _runs(
    function: Function, lines: list[Line], wanted: int
) -> Iterator[tuple[tuple[Thing, ...], ...]]:
    """Return for each thing where a run of so many can be that it belongs to: the others on it, from
    the nearest on each side."""
    space = function.names.space
    ways = [(space[line.there.path], space[line.back.path]) for line in lines]
    for place in range(len(ways[0][0])):
        found: dict[tuple[Thing, ...], None] = {}
        for there, back in ways:
            ahead, behind = there[place][1:], back[place][1:]
            for taken in range(wanted):
                if taken <= len(ahead) and wanted - 1 - taken <= len(behind):
                    found[ahead[:taken] + behind[: wanted - 1 - taken]] = None
        yield tuple(found)


def _numbered(tree: ast.expr, name: str) -> ast.expr | None:
    """Return a tree with the number of a thing instead of the thing; None if it needs the thing."""
    made = _Numbers(name).visit(copy.deepcopy(tree))
    counted = sum(isinstance(part, ast.Name) and part.id == name for part in ast.walk(made))
    numbers = sum(
        isinstance(part, ast.Attribute)
        and part.attr == "number"
        and isinstance(part.value, ast.Name)
        and part.value.id == name
        for part in ast.walk(tree)
    )
    return made if counted == numbers else None


class _Numbers(ast.NodeTransformer):
    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr == "number" and isinstance(node.value, ast.Name):
            if node.value.id == self.name:
                return node.value
        self.generic_visit(node)
        return node
