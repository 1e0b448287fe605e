"""What the parts of the evaluator share: the shape of compiled code, and the compiler behind it.

An expression of the model becomes a Python closure once, when the game is loaded; playing calls
closures only. `Code` gets the store, the acting player (or None) and the locals of the running verb
or define. It never writes, so it can be run again at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from rulewright.dsl import model
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Locals, PlaceValue, Thing, Value, VerbValue

Code: TypeAlias = Callable[[Store, Thing | None, Locals], Value]
PlaceCode: TypeAlias = Callable[[Store, Thing | None, Locals], PlaceValue]
CanHook: TypeAlias = Callable[[Store, VerbValue, Thing | None], bool]


class Compiler(Protocol):
    """What a part of the evaluator may ask of the whole."""

    game: model.Game
    layout: Layout

    def expression(self, expression: model.Expression) -> Code:
        """Return the code of an expression."""

    def place(self, place: model.Place) -> PlaceCode:
        """Return code that finds a place to write to."""

    def argument(self, argument: model.Argument) -> Code:
        """Return the code of what is handed to a verb or define: a value or a place."""
