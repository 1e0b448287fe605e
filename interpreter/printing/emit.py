"""Generated code: what an expression has become, where it stands, and the names it uses.

While code is generated an expression is either *known* (its value is fixed when the game is loaded:
options, printed fields of a named thing, what follows from them) or *made*: a Python expression.
`Function` is the Python function that is being written: a list of statements with a place where the
next one goes. What cannot be written as an expression (a loop, a guard) becomes statements before
it, so whoever makes two parts of which the second has statements keeps the first one in a variable:
the order in which things are read is that of the walker.

Generated code is optimistic. Wherever a rules error would be raised it raises something, `Slow` or
what Python raises by itself (`SLOW`); the caller then runs the closures of the walker, which change
nothing and find the right error. So there is only one text for each error.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.dsl.text.source import Span
from rulewright.interpreter.printing.templates import (
    expression,
    locate,
    number,
    statements,
    variable,
    written_out,
)
from rulewright.interpreter.semantics.closures import free_names
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import LARGEST_NUMBER, PlayError
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.random import below
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

CHEAP = 256
"""A function that looks at no more items than this counts none of them, unless nobody counts them for it."""

DEAR = 1_000
"""A loop that may look at more items than this counts them one by one."""

MOST_REMEMBERED = 500_000
"""How many results of defines are remembered in all."""

MOST_TREES = 20_000
"""How large a generated function may become."""


class Slow(Exception):
    """Something is wrong with the rules here: the walker finds out what."""


SLOW = (Slow, AttributeError, TypeError, IndexError, KeyError, ZeroDivisionError, ValueError)
"""What generated code raises where the rules are wrong."""


FAILED = (*SLOW, PlayError, RecursionError)
"""With what a probe ends that has met something wrong; the walker finds out what."""


class NotGenerated(Exception):
    """This cannot be written as Python; the closures of the walker do it."""


@attrs.frozen(eq=False)
class Known:
    """A value that is fixed when the game is loaded."""

    value: Value


@attrs.frozen(eq=False)
class Made:
    """A Python expression."""

    tree: ast.expr
    listed: bool = False
    """Whether it makes a Python list where the rules have a list: a tuple, as soon as somebody keeps
    it."""

    length: int | None = None
    """Of a list: how many items it has at most, if that is known."""

    most: int = LARGEST_NUMBER
    """Of a number, or the numbers of a list: how far it can be from 0."""

    place: tuple[int, Part | None, ast.expr] | None = None
    """Of a place that is handed on: its column, its holder, and the tree of the index."""


Part: TypeAlias = Known | Made
Handler: TypeAlias = Callable[["Function", Any, "Scope"], Part]


@attrs.frozen(eq=False)
class Bound:
    """An expression about `it` with the scope in which it was written."""

    expression: model.Lambda
    scope: Scope


@attrs.frozen(eq=False)
class Scope:
    """What the names of the rules mean at some place."""

    me: Part
    names: Mapping[str, Part] = attrs.field(factory=dict)
    functions: Mapping[str, Bound] = attrs.field(factory=dict)
    """The parameters that take an expression about `it`."""

    def having(self, name: str, part: Part) -> Scope:
        """Return this scope with one more name."""
        names = self.names.copy()  # type: ignore[attr-defined]
        names[name] = part
        return attrs.evolve(self, names=names)

    def acting(self, me: Part) -> Scope:
        """Return this scope with another acting player."""
        return attrs.evolve(self, me=me)


class Names:
    """The global names of generated code: constants, columns of printed fields, helpers."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout: Layout = evaluator.layout
        self.space: dict[str, Any] = {"Slow": Slow, "SLOW": SLOW, "below": below}
        self.space["room"] = [MOST_REMEMBERED]
        self.memo = evaluator.memo.separate(_counted)
        """What memoised defines have said to generated code."""

        self.functions: list[ast.FunctionDef] = []
        """The functions that are not compiled yet."""

        self.kept: dict[Any, Any] = {}
        """What has been written already, by whatever says what it is."""

        self.things = set[str]()
        """The variables in which surely stands a thing."""

        self.refused = 0
        """How many functions Python could not take."""

        self.kept_source: list[ast.stmt] | None = None
        """What is written from now on, for readers; None if nobody asks for it."""

        self.kept_code: list[CodeType] | None = None
        """The same as Python has compiled it."""

        self.can: Callable[[str], str] | None = None
        """Gives the name of the function that says whether a verb can be done (`emit_probes`)."""

        self._constants: dict[tuple[type, Any], str] = {}
        self._count = 0

    def fresh(self, prefix: str) -> str:
        """Return a name that is not used yet."""
        self._count += 1
        return f"{prefix}{self._count}"

    def constant(self, value: Value) -> ast.expr:
        """Return the tree of a known value."""
        if value is None or isinstance(value, bool | int | str):
            return ast.Constant(value)
        key = type(value), value
        if key not in self._constants:
            prefix = value.key if isinstance(value, Thing) else getattr(value, "value", "k")
            self._constants[key] = self.helper(_readable(prefix), value)
        return variable(self._constants[key])

    def helper(self, name: str, value: Any) -> str:
        """Return a new global name for an object."""
        name = self.fresh(f"{name}_")
        self.space[name] = value
        return name

    def compile(self) -> None:
        """Make what has been written callable.

        Python knows some limits of its own. What it does not take leaves the game to the executor
        when it is called; `NotGenerated` is raised if that is the function that was written last.
        """
        functions, self.functions = self.functions, []
        if not functions or self._takes(functions):
            return
        taken = [self._takes([function]) for function in functions]
        self.refused += taken.count(False)
        for function, fine in zip(functions, taken, strict=True):
            if not fine:
                self.space[function.name] = _refused
        if not taken[-1]:
            raise NotGenerated("more than Python takes")

    def _takes(self, functions: list[ast.FunctionDef]) -> bool:
        """Compile functions; return whether Python takes them."""
        module = ast.Module([written_out(function) for function in functions], [])
        try:
            locate(module)
            code = compile(module, "<rules>", "exec")
        except (SyntaxError, RecursionError, MemoryError, ValueError):
            return False
        if self.kept_source is not None:
            locate(ast.Module(list[ast.stmt](functions), []))
            self.kept_source += functions
        if self.kept_code is not None:
            self.kept_code.append(code)
        exec(code, self.space)
        return True


def _refused(*_: object) -> None:
    raise Slow


def _counted(store: Store, count: int, span: Span) -> None:
    store.budget -= count
    if store.budget < 0:
        raise Slow


def _readable(text: str) -> str:
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in text)
    return f"k_{plain[:24]}"


@attrs.frozen(eq=False)
class Handlers:
    """What writes each class of expressions."""

    parts: Mapping[type, Handler]
    unordered: Mapping[type, Handler]
    """Lists whose order does not matter where they stand; others are written as always."""


class Function:
    """A Python function that is being written."""

    def __init__(self, names: Names, handlers: Handlers) -> None:
        self.names = names
        self.layout = names.layout
        self.evaluator = names.evaluator
        self.handlers = handlers
        self.block: list[ast.stmt] = []
        self.columns: dict[int, str] = {}
        """The columns that are looked up once, at the beginning."""

        self.hoisted: dict[tuple[str, str], str] = {}
        """The locals of frames that are looked up once, at the beginning: by the variable of the
        locals and the name."""

        self.ways: dict[str, Any] = {}
        """The walks whose ways are known, and the lines that are counted (`emit_lines`), by the
        variables that hold what they are."""

        self.loops = 0
        self.decides = False
        """Whether chance decides at once what lies where in a pile; otherwise that is said to the
        executor, which evaluates again."""

        self.cost = 0
        """How many items it looks at, at most."""

        self.trees = 0
        self.blind = False
        """Whether no transaction is running here: nothing has to be guarded."""

        self.seer: str | None = None
        """The variable of the player whose transaction is running, if one is."""

        self.looks = False
        """Whether something was read that may end a transaction."""

    # ------------------------------------------------------------------------------------- parts

    def part(self, node: model.Expression, scope: Scope) -> Part:
        """Write an expression."""
        return self._written(self.handlers.parts.get(type(node)), node, scope)

    def unordered(self, node: model.Expression, scope: Scope) -> Part:
        """Write a list whose order does not matter where it stands."""
        handler = self.handlers.unordered.get(type(node))
        return self.part(node, scope) if handler is None else self._written(handler, node, scope)

    def _written(self, handler: Handler | None, node: model.Expression, scope: Scope) -> Part:
        self.trees += 1
        if self.trees > MOST_TREES:
            raise NotGenerated("too much")
        if handler is None:
            return self.walked(node, scope)
        cost, outer = self.cost, self.block
        with self.aside() as block:
            try:
                part = handler(self, node, scope)
            except NotGenerated:
                self.cost = cost
                block.clear()
                part = self.walked(node, scope)
        outer += block
        return part

    def walked(self, node: model.Expression, scope: Scope) -> Part:
        """Leave an expression to the closures of the walker."""
        names = free_names(node)
        if any(name in scope.functions or name not in scope.names for name in names):
            raise NotGenerated(type(node).__name__)
        if self.decides and self.may_be_undecided(node):
            raise NotGenerated("a pile")
        self.looks = True
        locals = ast.Dict(
            [ast.Constant(name) for name in names],
            [self.tree(scope.names[name]) for name in names],
        )
        key = "walked", id(node)
        if key not in self.names.kept:
            # The node is kept, too: its id is its name.
            code = self.evaluator.expression(node)
            self.names.kept[key] = self.names.helper("walked", code), node
        name, _ = self.names.kept[key]
        me = self.tree(scope.me)
        return Made(expression("code(S, me, locals)", code=name, me=me, locals=locals))

    def may_be_undecided(self, node: object) -> bool:
        """Return whether the walker may ask what lies where in a pile."""
        slots, bags, kept = self.layout.slots, self.layout.bag_slots, self.names.kept
        if not bags:
            return False
        for part in visitor.walk(node):
            match part:
                case model.Read(field=field) if slots[field] in bags:
                    return True
                case model.Contents():
                    return True
                case model.DefineCall(define=id):
                    key = "undecided", id
                    if key not in kept:
                        define = self.evaluator.game.defines[id]
                        kept[key] = self.may_be_undecided(
                            (define.body, define.lines, define.changes)
                        )
                    if kept[key]:
                        return True
        return False

    def parts(self, nodes: Any, scope: Scope) -> list[Part]:
        """Write expressions that are read one after the other."""
        made: list[tuple[Part, list[ast.stmt]]] = []
        for node in nodes:
            with self.aside() as block:
                part = self.part(node, scope)
            made.append((part, block))
        found: list[Part] = []
        for place, (part, block) in enumerate(made):
            self.block += block
            if any(later for _, later in made[place + 1 :]):
                part = self.kept(part)
            found.append(part)
        return found

    def value(self, node: model.Expression, scope: Scope) -> ast.expr:
        """Write an expression; return the tree of its value, with tuples for lists."""
        return self.tree(self.part(node, scope))

    def tree(self, part: Part) -> ast.expr:
        """Return the tree of a value that somebody keeps: lists are tuples."""
        if isinstance(part, Known):
            return self.names.constant(part.value)
        return expression("tuple(items)", items=part.tree) if part.listed else part.tree

    def items(self, part: Part) -> ast.expr:
        """Return the tree of a list that is only looked through."""
        return self.names.constant(part.value) if isinstance(part, Known) else part.tree

    def kept(self, part: Part) -> Part:
        """Keep a part in a variable, unless it is as simple as one."""
        if isinstance(part, Known) or isinstance(part.tree, ast.Name | ast.Constant):
            return part
        return attrs.evolve(part, tree=variable(self.keep(part.tree)))

    def keep(self, tree: ast.expr) -> str:
        """Keep a value in a new variable; return its name."""
        name = self.names.fresh("t")
        self.write("name = tree", name=name, tree=tree)
        return name

    # -------------------------------------------------------------------------------- statements

    def write(self, template: str, **trees: Any) -> None:
        """Add statements."""
        self.block += statements(template, **trees)

    @contextlib.contextmanager
    def aside(self) -> Iterator[list[ast.stmt]]:
        """Collect the statements that are written meanwhile."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    @contextlib.contextmanager
    def looping(self, over: Part) -> Iterator[list[ast.stmt]]:
        """Collect the statements of a loop over a list, and count what it looks at."""
        length = len(over.value) if isinstance(over, Known) else over.length
        before, self.cost = self.cost, 0
        self.loops += 1
        try:
            with self.aside() as block:
                yield block
        finally:
            self.loops -= 1
            inner = self.cost + 1
            self.cost = before
        if length is not None and length * inner <= DEAR:
            self.cost += length * inner
        else:
            self.count(expression("len(items) * cost", items=self.items(over), cost=number(inner)))

    def count(self, items: ast.expr) -> None:
        """Count items that are looked at; too many in one step are an error of the rules."""
        self.write("S.budget -= items\nif S.budget < 0:\n    raise Slow", items=items)

    def slow_if(self, condition: ast.expr) -> None:
        """Leave it to the walker if something is wrong."""
        self.write("if condition:\n    raise Slow", condition=condition)

    def column(self, slot: int) -> ast.expr:
        """Return the tree of a column of the store."""
        if slot in self.columns:
            return variable(self.columns[slot])
        if self.loops:
            name = self.columns[slot] = f"c{slot}"
            return variable(name)
        return expression("C[slot]", slot=number(slot))

    def finished(
        self, name: str, parameters: list[str], result: ast.expr, uncounted: int = CHEAP
    ) -> ast.FunctionDef:
        """Return the whole function; one that looks at so few items counts none."""
        body: list[ast.stmt] = []
        if self.cost > uncounted:
            outer, self.block = self.block, body
            self.count(number(self.cost))
            self.block = outer
        body += statements("C = S.columns")
        for slot, column in self.columns.items():
            body += statements("column = C[slot]", column=column, slot=number(slot))
        body += self.block
        if not body or not isinstance(body[-1], ast.Return):
            body.append(ast.Return(result))
        arguments = [ast.arg(parameter) for parameter in parameters]
        signature = ast.arguments(
            posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        return ast.FunctionDef(name, signature, body, [])


# ------------------------------------------------------------------------------------------- names


class Locals(dict[str, Part]):
    """Names that stand in the locals of a frame."""

    def __missing__(self, name: str) -> Part:
        return Made(expression("L[name]", name=ast.Constant(name)))

    def __contains__(self, name: object) -> bool:
        return True

    def copy(self) -> Locals:
        """Return names of their own with the same meaning."""
        return Locals(self)


class Variables(Locals):
    """Names that are all Python variables."""

    def __init__(self, names: Names, known: Mapping[str, Part] | None = None) -> None:
        super().__init__(known or {})
        self.names = names

    def __missing__(self, name: str) -> Part:
        made = self[name] = Made(variable(self.names.fresh("v")))
        return made

    def copy(self) -> Variables:
        """Return names of their own with the same meaning."""
        return Variables(self.names, self)
