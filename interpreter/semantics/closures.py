"""What the parts of the evaluator share: the shape of compiled code, and the compiler behind it.

An expression of the model becomes a Python closure once, when the game is loaded; playing calls
closures only. `Code` gets the store, the acting player (or None) and the locals of the running verb
or define. It never writes, so it can be run again at any time.

What an author could not prove (that there is a first one, that a field is not none) is tried, and
reported when Python raises: a `try` costs nothing as long as nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from rulewright.dsl import model
from rulewright.dsl.ir.needs import NoneAnalysis
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.builtins import list_use
from rulewright.dsl.text.source import Span
from rulewright.interpreter.state.errors import (
    LARGEST_NUMBER,
    LONGEST_LIST,
    TICKS_PER_STEP,
    PlayError,
)
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    EnumValue,
    Locals,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.state.visibility import Visibility
from rulewright.interpreter.words.translation import Words

Code: TypeAlias = Callable[[Store, Thing | None, Locals], Value]
PlaceCode: TypeAlias = Callable[[Store, Thing | None, Locals], PlaceValue]
Function: TypeAlias = Callable[[Value], Value]
FunctionCode: TypeAlias = Callable[[Store, Thing | None, Locals], Function]
"""Code that makes a function of one value, for `walk` and the like."""

CanHook: TypeAlias = Callable[[Store, VerbValue, Thing | None], bool]
WonHook: TypeAlias = Callable[[Store, Thing], bool]
SpokenHook: TypeAlias = Callable[[model.Changed, Value], None]
OrderHook: TypeAlias = Callable[[Store], tuple[Thing, ...]]

ORIGINAL = "original"
"""The local that holds `original`; a reserved word, so no author's name."""

THIS = "this"
LONGEST_NAME = 40

BULK = 16
"""So many items that Python copies or compares on its own count as one that the rules look at."""


class Compiler(Protocol):
    """What a part of the evaluator may ask of the whole."""

    game: model.Game
    layout: Layout
    visibility: Visibility
    public: bool
    """Whether texts are compiled for everybody instead of for `me`."""

    words: Words
    """The language in which texts are written."""

    can: CanHook
    won: WonHook
    final_order: OrderHook
    heard: SpokenHook | None
    """What is told of each power that has changed a value, while that is counted."""
    lambdas: dict[str, tuple[str, Code]]
    place_lambdas: dict[str, tuple[str, PlaceCode]]

    def expression(self, expression: model.Expression) -> Code:
        """Return the code of an expression."""

    needs: NoneAnalysis

    def needed(self, expression: model.Expression, wanted: types.Type = types.NUMBER) -> Code:
        """Return the code of a value that is kept or counted with: none is a rules error, unless a
        value of the wanted type may be none."""

    def unordered(self, expression: model.Expression) -> Code:
        """Return the code of a list whose order does not matter where it stands."""

    def place(self, place: model.Place) -> PlaceCode:
        """Return code that finds a place to write to."""

    def argument(self, argument: model.Argument) -> Code:
        """Return the code of what is handed to a verb or define: a value or a place."""

    def function(self, expression: model.Expression) -> FunctionCode:
        """Return code that makes a function of an expression about `it`."""

    def define(self, define: str) -> Code:
        """Return the code of a define; its locals are its parameters."""

    def whole(self, define: str, how: Callable[[Compiler, model.Expression], Code]) -> Code:
        """Return the code of a define that is a list and is taken as it is (see `semantics/lists`)."""

    def verb_label(self, verb: str) -> Code:
        """Return the code of the label of a verb that has one; its locals are its parameters."""

    def apply(self, closure: Closure, argument: Value, store: Store, me: Thing | None) -> Value:
        """Apply a handed-on expression to a value."""

    def apply_place(
        self, closure: PlaceClosure, argument: Value, store: Store, me: Thing | None
    ) -> PlaceValue:
        """Apply a handed-on place to a value."""


# ------------------------------------------------------------------------------------ rules errors


def text_of(span: Span) -> str:
    """Return the author's words in one short line, as the name of a message."""
    words = " ".join(span.text.split())
    return words if len(words) <= LONGEST_NAME else words[: LONGEST_NAME - 2] + " …"


def nothing_there(expression: model.Expression | model.Place) -> PlayError:
    """Return the error for a value that is none where something is needed."""
    code = "RW715"
    if isinstance(expression, model.Builtin) and list_use(expression.name).lacking:
        code = "RW706"
    return PlayError(code, expression.span, name=text_of(expression.span))


def number_too_large(span: Span) -> PlayError:
    """Return the error for a number beyond the limit."""
    return PlayError("RW710", span, expected=f"{LARGEST_NUMBER:,}")


def list_too_long(span: Span) -> PlayError:
    """Return the error for a list beyond the limit."""
    return PlayError("RW709", span, expected=f"{LONGEST_LIST:,} items")


def tick(store: Store, count: int, span: Span) -> None:
    """Count items that are looked at; too many in one step are a rules error."""
    store.budget -= count
    if store.budget < 0:
        raise PlayError("RW702", span, expected=f"{TICKS_PER_STEP:,}")


def tick_bulk(store: Store, count: int, span: Span) -> None:
    """Count items that are only copied or compared: many are as much work as one looked at."""
    if count > BULK:
        tick(store, count // BULK, span)


# -------------------------------------------------------------------------- what is known at loading


def constant_of(expression: model.Expression, layout: Layout) -> tuple[bool, Value]:
    """Return whether the value is known when the game is loaded, and the value."""
    match expression:
        case model.Constant(value=value):
            return True, value
        case model.EnumConstant(enum=enum, value=word):
            return True, enum_value(layout, enum, word)
        case model.NamedThing(kind=kind, name=name):
            found = layout.by_name.get((kind, name))
            return found is not None, found
        case model.OptionValue(name=name):
            return name in layout.options, layout.options.get(name)
        case model.Everything(kind=kind) if kind not in layout.living_slots:
            return True, layout.things.get(kind, ())
        case model.Seats():
            return True, layout.players
        case model.EnumValues(enum=enum):
            return True, layout.enums[enum]
        case model.Negative(operand=model.Constant(value=int(value))):
            return True, -value
    return False, None


def enum_value(layout: Layout, enum: str, word: str) -> EnumValue:
    """Return the value of an enumeration by its word."""
    for value in layout.enums[enum]:
        if value.value == word:
            return value
    raise KeyError(f"{enum} has no value {word}")


def constant(value: Value) -> Code:
    """Return code that gives always the same value."""

    def known(store: Store, me: Thing | None, locals: Locals) -> Value:
        return value

    return known


def may_be_listed(expression: model.Expression) -> bool:
    """Return whether the value is a list: of its own type, or as a zone."""
    return types.element(types.without_none(expression.type)) is not None


def names_in(node: object) -> tuple[str, ...]:
    """Return the locals that an expression speaks of, in alphabetical order."""
    names: set[str] = set()
    for part in visitor.walk(node):
        match part:
            case model.Local(name=name) | model.LocalPlace(name=name):
                names.add(name)
            case model.OriginalValue():
                names.add(ORIGINAL)
    return tuple(sorted(names))


def free_names(node: object) -> tuple[str, ...]:
    """Return the locals that an expression reads and does not bind itself."""
    bound = {found[0] for found in map(visitor.binding, visitor.walk(node)) if found is not None}
    return tuple(name for name in names_in(node) if name not in bound)


def speaks_of(node: model.Node, name: str) -> bool:
    """Return whether an expression reads a local."""
    return name in names_in(node)


def needed_value(compiler: Compiler, expression: model.Needed) -> Code:
    """A value that must be there"""
    return must_be_there(expression, compiler.expression(expression.value))


def must_be_there(expression: model.Needed, code: Code) -> Code:
    """Return code that raises a rules error for none, or for none in a list."""
    inner = expression.value
    if not expression.items:

        def one(store: Store, me: Thing | None, locals: Locals) -> Value:
            value = code(store, me, locals)
            if value is None:
                raise nothing_there(inner)
            return value

        return one

    def all_of_them(store: Store, me: Thing | None, locals: Locals) -> Value:
        value = code(store, me, locals)
        if value is None or None in value:
            raise nothing_there(inner)
        return value

    return all_of_them
