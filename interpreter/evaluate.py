"""The evaluator: expressions of the model in, closures out."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import model
from rulewright.interpreter.compiling import CanHook, Code, PlaceCode
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import (
    Closure,
    Locals,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)


class Evaluator:
    """Compiles and keeps the expressions of one loaded game."""

    def __init__(self, game: model.Game, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.can: CanHook
        """Set by the look-ahead."""
        self.won: Callable[[Store, Thing], bool]
        self.final_order: Callable[[Store], tuple[Thing, ...]]
        """Set by `scoring`."""

    def compile(
        self, expression: model.Expression, *, blind: bool = False, public: bool = False
    ) -> Code:
        """Return the code of an expression.

        With `blind`, an expression that is nothing but a zone is read without asking who sees it
        (the source of a `choose`: hidden things may be offered). With `public`, texts are written
        for everybody (labels), otherwise for `me`.
        """
        raise NotImplementedError

    def expression(self, expression: model.Expression) -> Code:
        """Return the code of an expression."""
        raise NotImplementedError

    def place(self, place: model.Place) -> PlaceCode:
        """Return code that finds a place to write to."""
        raise NotImplementedError

    def argument(self, argument: model.Argument) -> Code:
        """Return the code of what is handed to a verb or define: a value, a `PlaceValue` or a
        `PlaceClosure`."""
        raise NotImplementedError

    def define(self, define: str) -> Code:
        """Return the code of a define, amendments included; its locals are its parameters."""
        raise NotImplementedError

    def changed(self, code: Code, changes: tuple[model.Changed, ...]) -> Code:
        """Return the code of a value with its amendments (for labels of verbs)."""
        raise NotImplementedError

    def apply(self, closure: Closure, argument: Value, store: Store, me: Thing | None) -> Value:
        """Apply a handed-on expression to a value."""
        raise NotImplementedError

    def apply_place(
        self, closure: PlaceClosure, argument: Value, store: Store, me: Thing | None
    ) -> PlaceValue:
        """Apply a handed-on place to a value."""
        raise NotImplementedError

    def contents(self, store: Store, place: PlaceValue) -> Value:
        """Return what stands or lies at a place, without asking who sees it."""
        raise NotImplementedError

    def sees(self, store: Store, place: PlaceValue, player: Thing) -> bool:
        """Return whether the player sees the content of a zone or field."""
        raise NotImplementedError

    def sees_count(self, store: Store, place: PlaceValue, player: Thing) -> bool:
        """Return whether the player knows how many things lie in a zone."""
        raise NotImplementedError

    def sees_thing(self, store: Store, thing: Thing, player: Thing) -> bool:
        """Return whether the player sees a thing where it lies; things that lie nowhere are seen."""
        raise NotImplementedError


__all__ = ["Evaluator", "Locals", "VerbValue"]
