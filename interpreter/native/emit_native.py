"""Generated functions in, one Python module for mypyc out.

What mypyc makes fast is what it knows while it compiles: calls between functions of one module, and
global names that are `Final`. So everything that the functions use and that is no function of theirs
(constants, tables, movers) is such a name, and gets its value when the module is imported: it comes
from the space of a loaded game. Variables are lists, numbers or flags where that is sure, and
anything otherwise.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.interpreter.native.emit_engine import Engine

SPACE = "given_space"
"""The name of the mapping that holds the other globals."""

ITSELF = "itself_"
"""Before the name of a function that is handed on, not called."""

ROOTS = ("along_", "track_", "probe_")
"""How the names of functions begin that are called from outside."""

STAYS = ("action_",)
"""How the names of functions begin whose Python stays for those who call them from outside: it finds
out what is wrong, and native code leaves that to others."""

HEAD = f'''"""Generated: the rules of a game, for mypyc."""
from typing import Any, Final
import rulewright.interpreter.native.native as native
{SPACE}: Final[dict[str, Any]] = native.given()
'''

LANE = "the_lane"
"""The name of what plays (`lane.Lane`)."""

DRIVER = f"""
def along_tracks(S, A, limit):
    return {LANE}._along_tracks(S, A, limit)
"""
"""What goes from track to track."""

RUNTIME = '''
from mypy_extensions import i64

class Luck:
    """The generator of the players (`chance.Generator`) with its state in a machine word."""

    word: i64

    def __init__(self, state: int) -> None:
        self.state = state

    @property
    def state(self) -> int:
        state: int = int(self.word)
        return state if state >= 0 else state + 18446744073709551616

    @state.setter
    def state(self, state: int) -> None:
        low: int = state if state < 9223372036854775808 else state - 18446744073709551616
        self.word = low

    def below(self, bound: int) -> int:
        if bound <= 1 or bound > 1000000000:
            return self._slowly(bound)
        size: i64 = bound
        over: i64 = (9223372036854775807 % size * 2 + 2) % size
        while True:
            self.word += -7046029254386353131
            mixed: i64 = self.word
            mixed = (mixed ^ ((mixed >> 30) & 17179869183)) * -4658895280553007687
            mixed = (mixed ^ ((mixed >> 27) & 137438953471)) * -7723592293110705685
            mixed = mixed ^ ((mixed >> 31) & 8589934591)
            if mixed >= 0:
                return mixed % size
            if mixed < -over:
                return (mixed % size + over) % size

    def _slowly(self, bound: int) -> int:
        state, number = native.below(self.state, bound)
        self.state = state
        return number

    def pick(self, items: Any) -> Any:
        return items[self.below(len(items))]

    def draw(self, items: Any, count: int) -> Any:
        state, drawn = native.draw(self.state, items, count)
        self.state = state
        return drawn

    def shuffled(self, items: Any) -> Any:
        return self.draw(items, len(items))


def draw_below(agents: Any, bound: int) -> int:
    return agents.below(bound) if isinstance(agents, Luck) else agents.below(bound)


def along(play: Any, store: Any, agents: Any, limit: int) -> Any:
    luck = Luck(agents.state)
    try:
        return play(store, luck, limit)
    finally:
        agents.state = luck.state
'''
"""What stands in every module: the draws of the players, which random games are full of."""

NEEDS_FRAME = "locals"
"""A function that asks for its variables by this name asks Python's own frames."""


def chosen(
    functions: Iterable[ast.stmt], space: Mapping[str, Any], without: frozenset[str] = frozenset()
) -> list[ast.FunctionDef]:
    """Return the functions that are worth compiling: what leads from one decision to the next, what
    tries options out, and what these call; as they must be for it."""
    known = {
        made.name: made
        for made in map(_plain, (*functions, *ast.parse(DRIVER).body))
        if made is not None and made.name not in without
    }
    known = {
        name: made
        for name, made in known.items()
        if not any(
            used not in known and used not in space and not hasattr(builtins, used)
            for used in globals_of(made)
        )
    }
    waiting = [name for name in known if name.startswith(ROOTS)]
    reached = set(waiting)
    while waiting:
        for used in globals_of(known[waiting.pop()]):
            if used in known and used not in reached:
                reached.add(used)
                waiting.append(used)
    return [made for name, made in known.items() if name in reached]


def _plain(function: ast.stmt) -> ast.FunctionDef | None:
    """Return a function without the part in which it looks at its own variables: whoever calls it
    has another way to find out what was wrong."""
    if not isinstance(function, ast.FunctionDef):
        return None
    if NEEDS_FRAME not in globals_of(function):
        return function
    last = function.body[-1]
    if not isinstance(last, ast.Try) or last.orelse or last.finalbody:
        return None
    made = copy.copy(function)
    made.body = [*function.body[:-1], *last.body]
    return None if NEEDS_FRAME in globals_of(made) else made


def globals_of(function: ast.FunctionDef) -> set[str]:
    """Return the global names that a function uses."""
    own = {argument.arg for argument in function.args.args}
    used = set()
    for part in ast.walk(function):
        match part:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name):
                own.add(name)
            case ast.arg(arg=name):
                own.add(name)
    return used - own


def module(
    functions: Sequence[ast.FunctionDef],
    space: Mapping[str, Any],
    without: frozenset[str] = frozenset(),
) -> tuple[list[str], list[str]]:
    """Return the text of a module with these functions in pieces: the globals, then a piece for
    each function, then the names of functions that are handed on; and the names of the functions.

    Functions of the engine that they call come along, except those in `without`."""
    own = {function.name for function in functions}
    engine = Engine(space, SPACE, without)
    made = [engine.adapted(copy.deepcopy(one), engine.in_space, own) for one in functions]
    if engine.failed - without:
        return module(functions, space, without | engine.failed)
    made += [taken for taken in engine.functions.values() if taken is not None]
    own |= {one.name for one in made}
    others: dict[str, None] = {}
    handed: dict[str, None] = {}
    texts = []
    for function in made:
        for name in sorted(globals_of(function)):
            if name not in own and name in space:
                others[name] = None
        function = _Handing(own, handed).visit(function)
        _annotate(function)
        texts.append(ast.unparse(ast.fix_missing_locations(function)) + "\n")
    head = [HEAD, RUNTIME]
    head += [f"{name}: Final[{_type(space[name])}] = {SPACE}[{name!r}]\n" for name in others]
    head += [f"{name}: Final[Any] = {text}\n" for name, text in engine.finals.items()]
    tail = [f"{ITSELF}{name}: Final[Any] = {name}\n" for name in handed]
    return ["".join(head), *texts, "".join(tail)], [one.name for one in made]


class _Handing(ast.NodeTransformer):
    """Gives functions that are handed on a name of their own: to look one up in the module would
    take longer."""

    def __init__(self, own: set[str], handed: dict[str, None]) -> None:
        self.own = own
        self.handed = handed

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Leave the name of what is called."""
        if not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename what is handed on."""
        if node.id not in self.own:
            return node
        self.handed[node.id] = None
        return ast.Name(ITSELF + node.id, node.ctx)


def _type(value: Any) -> str:
    """Return the type of a global as mypyc can use it."""
    if type(value) is dict:
        return "dict[Any, Any]"
    if type(value) is list:
        return "list[Any]"
    return "tuple[Any, ...]" if type(value) is tuple else "Any"


# ---------------------------------------------------------------------------------------- variables


def _annotate(function: ast.FunctionDef) -> None:
    """Write the types of parameters and variables into a function."""
    for argument in function.args.args:
        argument.annotation = _name("Any")
    function.returns = _name("Any")
    given = {argument.arg for argument in function.args.args}
    values: dict[str, list[ast.expr | None]] = {}
    for name, value in _assigned(function.body):
        values.setdefault(name, []).append(value)
    declared: list[ast.stmt] = [
        ast.AnnAssign(ast.Name(name, ast.Store()), _name(_kind(name, found)), None, 1)
        for name, found in values.items()
        if name not in given
    ]
    function.body = [*declared, *function.body]


def _name(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the variables that are given values, with these as far as they stand there; what only
    lives within an expression is left out."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target.id, value
                    elif isinstance(target, ast.Tuple):
                        yield from ((name, None) for name in _names(target))
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name, None
            case ast.For(target=target):
                yield from ((name, None) for name in _names(target))
        if not isinstance(node, ast.expr):
            yield from _assigned(ast.iter_child_nodes(node))


def _names(target: ast.AST) -> Iterator[str]:
    return (
        part.id
        for part in ast.walk(target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def _kind(name: str, values: Sequence[ast.expr | None]) -> str:
    """Return the type of a variable that is given these values."""
    if all(isinstance(value, ast.List | ast.ListComp) for value in values):
        return "list[Any]"
    if all(_is_call(value, "len") for value in values):
        return "int"
    if all(isinstance(value, ast.Constant) and isinstance(value.value, bool) for value in values):
        return "bool"
    if all(_is_column(value) for value in values):
        return "list[Any]"
    if all(_is_attribute(value, "columns", "frames") for value in values):
        return "list[Any]"
    if all(_is_attribute(value, "number") for value in values):
        return "int"
    return "Any"


def _is_call(value: ast.expr | None, name: str) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=found)):
            return found == name
    return False


def _is_column(value: ast.expr | None) -> bool:
    match value:
        case ast.Subscript(value=ast.Name(id="C"), slice=ast.Constant()):
            return True
    return False


def _is_attribute(value: ast.expr | None, *names: str) -> bool:
    match value:
        case ast.Attribute(attr=name):
            return name in names
    return False
