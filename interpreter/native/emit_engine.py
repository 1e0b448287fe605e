"""Functions of the engine that generated code calls, as functions of the module for mypyc.

A mover, the methods of `moving`, the draw among options that live: all of them are Python with an
object or a closure behind it, and both are fixed when a game is loaded. So their own source is taken
once more, with global names for what belongs to the object or closure, and a call of one of them
from another becomes a call within the module. What cannot be taken stays what it is, a call of
Python. Which version of the engine a library was built of is part of its key.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

import attrs

from rulewright.interpreter.state.store import Store

PACKAGE = "rulewright.interpreter."
MOST_BORROWED = 300

PLAYERS = frozenset({"A", "agents"})
"""What the generator of the players is called."""

DRAW = "draw_below"
"""The function of the module that draws for them."""

GENERATED = "<rules>"
"""Where Python believes that generated functions stand."""

NOT_TAKEN = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.Yield,
    ast.YieldFrom,
    ast.Await,
    ast.Global,
    ast.Nonlocal,
    ast.GeneratorExp,
    ast.NamedExpr,
    ast.Starred,
    ast.With,
    ast.Match,
)
"""A function with one of these is left as it is, except where a display is unpacked."""


@attrs.frozen(eq=False)
class Found:
    """A value that is fixed when a game is loaded, and the text that gives it."""

    value: Any
    text: str


Names = Callable[[str], Found | None]
"""What the global names of a function mean."""


class Engine:
    """The functions that are taken for one module."""

    def __init__(self, space: Mapping[str, Any], given: str, without: frozenset[str]) -> None:
        self.space = space
        self.given = given
        self.without = without
        self.finals: dict[str, str] = {}
        """Global names, each with the text of its value."""

        self.functions: dict[str, ast.FunctionDef | None] = {}
        """What was taken, by its name in the module; None while it is being taken, or if it cannot
        be."""

        self.failed: set[str] = set()
        """What could not be taken after all: the module must be made anew without it."""

        self._named: dict[tuple[int, str], str] = {}
        self._kept: list[Any] = []
        self._arity: dict[str, int] = {}

    def in_space(self, name: str) -> Found | None:
        """Return what a global name of generated code means."""
        if name not in self.space:
            return None
        return Found(self.space[name], f"{self.given}[{name!r}]")

    def final(self, found: Found, name: str) -> str:
        """Return the global name of a value."""
        key = id(found.value), name
        if key not in self._named:
            self._kept.append(found.value)
            self._named[key] = f"g{len(self._named)}_{name}"
            self.finals[self._named[key]] = found.text
        return self._named[key]

    def adapted(self, function: ast.FunctionDef, names: Names, own: set[str]) -> ast.FunctionDef:
        """Return a function that calls what was taken; `own` are functions of the module."""
        stores = {"S"} | {
            argument.arg
            for argument in function.args.args
            if isinstance(argument.annotation, ast.Name) and argument.annotation.id == "Store"
        }
        made = _Adapting(self, names, own, frozenset(stores)).visit(function)
        assert isinstance(made, ast.FunctionDef)
        return made

    # ------------------------------------------------------------------------------------- taking

    def callee(self, found: Found, arguments: int) -> tuple[str, Found | None] | None:
        """Return the function of the module that does what a value does if it is called with so
        many arguments, and the object that is its first one (if there is one)."""
        value = found.value
        if isinstance(value, MethodType):
            inner = Found(value.__self__, f"{found.text}.__self__")
            return self.method(inner, value.__name__, arguments)
        if not isinstance(value, FunctionType) or not _is_ours(value):
            return None
        label = f"e_{_label(value)}"
        if value.__closure__:
            # One for each closure: what it has bound is global here.
            label = f"{label}_{self.final(found, 'of')}"
        name = self._taken(label, value, found, arguments)
        return None if name is None else (name, None)

    def method(
        self, owner: Found, attribute: str, arguments: int
    ) -> tuple[str, Found | None] | None:
        """Return the same of a method of an object."""
        method = inspect.getattr_static(type(owner.value), attribute, None)
        if attribute in getattr(owner.value, "__dict__", ()) or not isinstance(
            method, FunctionType
        ):
            return None
        if not _is_ours(method) or method.__closure__:
            return None
        name = self._taken(
            f"e_{_label(method)}_{self.final(owner, 'of')}", method, owner, arguments, owner
        )
        return None if name is None else (name, None)

    def of_store(self, attribute: str, arguments: int) -> str | None:
        """Return the same of a method of a store, which is the first argument."""
        method = inspect.getattr_static(Store, attribute, None)
        if not isinstance(method, FunctionType):
            return None
        found = Found(method, "")
        return self._taken(f"e_{_label(method)}", method, found, arguments + 1)

    def _taken(
        self,
        name: str,
        value: FunctionType,
        found: Found,
        arguments: int,
        owner: Found | None = None,
    ) -> str | None:
        if name not in self.functions:
            self.functions[name] = None
            if name not in self.without and len(self.functions) <= MOST_BORROWED:
                self.functions[name] = self._written(name, value, found, owner)
                if self.functions[name] is None:
                    self.failed.add(name)
        made = self.functions[name]
        if made is None and name not in self._arity:
            return None
        return name if self._arity[name] == arguments else None

    def _written(
        self, name: str, value: FunctionType, found: Found, owner: Found | None
    ) -> ast.FunctionDef | None:
        """Take a function."""
        made = _source(value)
        if made is None:
            return None
        if owner is not None:
            first = made.args.args.pop(0).arg
        bound = {
            free: Found(cell.cell_contents, f"native.cell({found.text}, {free!r})")
            for free, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        }

        def names(wanted: str) -> Found | None:
            if owner is not None and wanted == first:
                return owner
            if wanted in bound:
                return bound[wanted]
            if wanted in value.__globals__:
                module = value.__module__.removeprefix(PACKAGE)
                return Found(value.__globals__[wanted], f"native.part({module!r}, {wanted!r})")
            return None

        made.name = name
        self._arity[name] = len(made.args.args)
        adapted = self.adapted(made, names, set())
        naming = _Naming(self, names, _own(adapted))
        adapted = naming.visit(adapted)
        return None if naming.unknown else adapted


def _own(function: ast.FunctionDef) -> set[str]:
    """Return the variables of a function."""
    own = {argument.arg for argument in function.args.args}
    for part in ast.walk(function):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                own.add(name)
            case ast.ExceptHandler(name=str(name)):
                own.add(name)
    return own


def _is_ours(value: FunctionType) -> bool:
    if value.__code__.co_filename == GENERATED:
        return False
    return (value.__module__ or "").startswith(PACKAGE)


def _label(value: FunctionType) -> str:
    words = f"{value.__module__.removeprefix(PACKAGE)}_{value.__qualname__}"
    return "".join(letter if letter.isalnum() else "_" for letter in words)


def _source(value: FunctionType) -> ast.FunctionDef | None:
    """Return the syntax tree of a function without its documentation, if it can be taken."""
    if value.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
        return None
    if tree.args.kwonlyargs or tree.args.posonlyargs:
        return None
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    displays = {
        id(item)
        for part in ast.walk(tree)
        if isinstance(part, ast.Tuple | ast.List)
        for item in part.elts
    }
    for statement in tree.body:
        for part in ast.walk(statement):
            if isinstance(part, NOT_TAKEN) and id(part) not in displays:
                return None
    tree.args.defaults = []
    tree.body = [_without_types(statement) for statement in tree.body]
    return tree


def _without_types(statement: ast.stmt) -> ast.stmt:
    return _Untyping().visit(statement)  # type: ignore[no-any-return]


class _Untyping(ast.NodeTransformer):
    """Leaves out the types of variables."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Leave out one."""
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)


class _Adapting(ast.NodeTransformer):
    """Lets calls go to functions of the module."""

    def __init__(self, engine: Engine, names: Names, own: set[str], stores: frozenset[str]) -> None:
        self.engine = engine
        self.names = names
        self.own = own
        self.stores = stores
        self.variables: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Note what the variables are."""
        self.variables = _own(node)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Change one call."""
        self.generic_visit(node)
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            return node
        count = len(node.args)
        match node.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self.stores:
                taken = self.engine.of_store(attribute, count)
                if taken is not None:
                    return _call(taken, [node.func.value, *node.args])
            case ast.Attribute(value=ast.Name(id=name), attr="below") if name in PLAYERS:
                return _call(DRAW, [node.func.value, *node.args])
            case ast.Attribute(value=owner, attr=attribute):
                found = self.fixed(owner)
                if found is not None:
                    return self.changed(node, self.of_attribute(found, attribute, count))
            case ast.Name():
                found = self.fixed(node.func)
                if found is not None and node.func.id not in self.own:
                    return self.changed(node, self.engine.callee(found, count))
        return node

    def of_attribute(
        self, owner: Found, attribute: str, count: int
    ) -> tuple[str, Found | None] | None:
        """Return what an attribute of something fixed is as a function of the module."""
        if isinstance(owner.value, ModuleType):
            value = getattr(owner.value, attribute, None)
            return self.engine.callee(Found(value, f"{owner.text}.{attribute}"), count)
        return self.engine.method(owner, attribute, count)

    def changed(self, node: ast.Call, taken: tuple[str, Found | None] | None) -> ast.Call:
        """Return a call of what was taken, if that was possible."""
        return node if taken is None else _call(taken[0], node.args)

    def fixed(self, node: ast.expr) -> Found | None:
        """Return what an expression always is."""
        match node:
            case ast.Name(id=name):
                return None if name in self.variables else self.names(name)
            case ast.Attribute(value=inner, attr=attribute):
                owner = self.fixed(inner)
                # Objects of the engine keep the parts with which they were made.
                if owner is not None and attribute in getattr(owner.value, "__dict__", ()):
                    value = owner.value.__dict__[attribute]
                    if type(value).__module__.startswith(PACKAGE):
                        return Found(value, f"{owner.text}.{attribute}")
        return None


def _call(name: str, arguments: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), arguments, [])


class _Naming(ast.NodeTransformer):
    """Gives what a function of the engine takes from outside a global name."""

    def __init__(self, engine: Engine, names: Names, own: set[str]) -> None:
        self.engine = engine
        self.names = names
        self.own = own
        self.unknown = False
        """Whether something is no global name at all."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename one."""
        if node.id in self.own or node.id in self.engine.functions or node.id == DRAW:
            return node
        found = self.names(node.id)
        if found is None:
            self.unknown |= not hasattr(builtins, node.id)
            return node
        return ast.Name(self.engine.final(found, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Leave out its type, which is of no use."""
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Leave out the type of the result."""
        node.returns = None
        node.args = self.visit(node.args)
        node.body = [self.visit(statement) for statement in node.body]
        return node
