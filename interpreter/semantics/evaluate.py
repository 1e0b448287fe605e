"""The evaluator: compiles the expressions of the model to closures, and keeps them.

`Evaluator` belongs to one loaded game. It chooses the handler of each expression by its class,
keeps what it has compiled (defines, labels, the code of expressions that are handed on), and holds
what other modules fill in: the look-ahead for `can`, the scoring for `won` and `ranking`.

    code = evaluator.compile(expression)
    value = code(store, me, locals)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import KEPT
from rulewright.dsl.analysis.watched_questions import watched_questions_of
from rulewright.dsl.ir.needs import NoneAnalysis
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.register import depending
from rulewright.interpreter.semantics import builtins, calls, fields, lists, places, scalars
from rulewright.interpreter.semantics.calls import changed
from rulewright.interpreter.semantics.closures import (
    CanHook,
    Code,
    Compiler,
    FunctionCode,
    OrderHook,
    PlaceCode,
    SpokenHook,
    WonHook,
    needed_value,
    tick,
)
from rulewright.interpreter.semantics.fields import RangeCheck, Start, compile_range, compile_start
from rulewright.interpreter.semantics.lists import Whole, body_of, offered
from rulewright.interpreter.semantics.memo import Memo
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    Closure,
    Locals,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.state.visibility import Visibility
from rulewright.interpreter.words.translation import ENGLISH

CHANGING = depending("me", "places", "given", "more")
"""What depends on more than printed fields and arguments."""


class ConstantDefines:
    """Tells which defines of a game never change."""

    def __init__(self, game: model.Game) -> None:
        self._game = game
        self._zones: dict[str, frozenset[str] | None] = {}

    def define(self, define: str) -> bool:
        """Return whether a define depends on printed fields and its arguments only."""
        return self.zones(define) == frozenset()

    def zones(self, define: str) -> frozenset[str] | None:
        """Return the zones of the game on which a define depends beside printed fields and its
        arguments; None if it depends on more."""
        if define not in self._zones:
            # A define that calls itself is refused by the checker.
            self._zones[define] = None
            found = self._game.defines[define]
            if not found.changes:
                self._zones[define] = self._zones_in((found.body, found.lines))
        return self._zones[define]

    def expression(self, written: Any) -> bool:
        """Return whether an expression depends on printed fields and its names only."""
        return self._zones_in(written) == frozenset()

    def _zones_in(self, written: Any) -> frozenset[str] | None:
        game = self._game
        zones = set[str]()
        for part in visitor.walk(written):
            match part:
                case model.Read(field=field, target=None, type=types.ZoneType()):
                    zones.add(field)
                case model.Read(field=field) if not game.fields[field].printed:
                    return None
                case model.Read(field=field) if game.fields[field].holder in game.created:
                    return None
                case model.Everything(kind=kind) if kind in game.created | game.destroyed:
                    return None
                case model.DefineCall(me=me) if me is not None:
                    return None
                case model.DefineCall(define=inner):
                    more = self.zones(inner)
                    if more is None:
                        return None
                    zones |= more
            if isinstance(part, CHANGING):
                return None
        return frozenset(zones)


# ----------------------------------------------------------------------------------------- evaluate


HANDLERS: Mapping[type, Callable[[Compiler, Any], Code]] = {
    **scalars.HANDLERS,
    model.Needed: needed_value,
    **fields.HANDLERS,
    **places.HANDLERS,
    **lists.HANDLERS,
    **calls.HANDLERS,
    **builtins.HANDLERS,
}

DEEPEST_CALL = 200

LIGHT = 64
"""A define that leads to no more calls than this is not counted when it is called."""

MOST_COUNTED = 10**9


MOST_REMEMBERED = 500_000
"""How many results of defines that never change are remembered in all."""


class Evaluator:
    """Compiles and keeps the expressions of one loaded game."""

    def __init__(self, game: model.Game, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.public = False
        self.words = ENGLISH
        self.visibility = Visibility(layout, self.expression)
        self.lambdas: dict[str, tuple[str, Code]] = {}
        """Parameter and code of each expression that is handed on, by id."""

        self.place_lambdas: dict[str, tuple[str, PlaceCode]] = {}
        self.can: CanHook = _no_look_ahead
        """Whether a verb can be carried out; set by the look-ahead."""

        self.won: WonHook = _no_winner
        """Whether a player has won in the usual meaning; set by `scoring`."""

        self.final_order: OrderHook = _no_order
        """The players from first to last place; set by `scoring`."""

        self.heard: SpokenHook | None = None
        """What is told of each power that has changed a value; set by who counts."""

        self.start_columns: list[list[Value]] | None = None
        """The columns of every game at its start, once they are known; only to be copied."""

        self._defines: dict[str, Code] = {}
        self._wholes: dict[tuple[str, Whole], Code] = {}
        self._weights = _weights_of(game)
        self.fixed = _constant_defines(game)
        self.memo = Memo(game, layout, self.visibility)
        self.watched_questions = watched_questions_of(game)
        self.needs = NoneAnalysis(game)
        self._room = MOST_REMEMBERED
        self._labels: dict[str, Code] = {}
        self._starts: dict[str, Start] = {}
        self._ranges: dict[str, RangeCheck | None] = {}

    # ------------------------------------------------------------------------------- compiling

    def compile(
        self, expression: model.Expression, *, blind: bool = False, public: bool = False
    ) -> Code:
        """Return the code of an expression.

        With `blind`, a list is read without asking who sees the things in it (the source of a
        `choose`: hidden things may be offered, see `semantics/lists`). With `public`, texts are written for
        everybody (labels), otherwise for `me`.
        """
        before = self.public
        self.public = public
        try:
            if blind:
                return offered(self, expression)
            return self.expression(expression)
        finally:
            self.public = before

    def expression(self, expression: model.Expression) -> Code:
        """Return the code of an expression."""
        handler = HANDLERS.get(type(expression))
        if handler is None:
            raise TypeError(f"{type(expression).__name__} is not evaluated but executed")
        return handler(self, expression)

    def needed(self, expression: model.Expression, wanted: types.Type = types.NUMBER) -> Code:
        """Return the code of a value that is kept or counted with: none is a rules error, unless a
        value of the wanted type may be none."""
        return self.argument(self.needs.demanded(expression, wanted))

    def unordered(self, expression: model.Expression) -> Code:
        """Return the code of a list whose order does not matter where it stands: what lies in a
        shuffled pile can be seen there without deciding the places."""
        match expression:
            case model.Read(type=types.ZoneType()):
                return fields.read_field(self, expression, ordered=False)
            case model.Contents(type=types.ZoneType()):
                return places.read_place(self, expression, ordered=False)
            case model.Where(source=source):
                return lists.filtered(self, expression, self.unordered(source))
            case model.Each(source=source):
                return lists.mapped(self, expression, self.unordered(source))
            case model.Without(source=source):
                return lists.lacking(self, expression, self.unordered(source))
        return self.expression(expression)

    def function(self, expression: model.Expression) -> FunctionCode:
        """Return code that makes a function of an expression about `it`."""
        return calls.bound_function(self, expression)

    def place(self, place: model.Place) -> PlaceCode:
        """Return code that finds a place to write to."""
        return places.PLACES[type(place)](self, place)

    def argument(self, argument: model.Argument) -> Code:
        """Return the code of what is handed to a verb or define: a value, a `PlaceValue` or a
        `PlaceClosure`."""
        if isinstance(argument, model.PlaceLambda):
            return calls.handed_on_place(self, argument)
        if type(argument) in places.PLACES:
            return self.place(argument)  # type: ignore[arg-type]
        return self.expression(argument)  # type: ignore[arg-type]

    def changed(self, code: Code, changes: tuple[model.Changed, ...]) -> Code:
        """Return the code of a value with its amendments."""
        return changed(self, code, changes)

    # ------------------------------------------------------------------------ parts of the game

    def define(self, define: str) -> Code:
        """Return the code of a define, amendments included; its locals are its parameters."""
        if define not in self._defines:
            # A define that calls itself is refused by the checker; should one come through, it
            # finds this and is stopped while running.
            self._defines[define] = self._later(define, lambda: self._defines[define])
            public, self.public = self.public, False
            try:
                self._defines[define] = self._compile_define(self.game.defines[define])
            finally:
                self.public = public
        return self._defines[define]

    def whole(self, define: str, how: Whole) -> Code:
        """Return the code of a define that is a list and is taken as it is (see `semantics/lists`)."""
        if self.memo.memoises(define):
            # Everybody sees all that it reads, so it is what it is everywhere.
            return self.define(define)
        key = define, how
        if key not in self._wholes:
            self._wholes[key] = self._later(define, lambda: self._wholes[key])
            public, self.public = self.public, False
            try:
                found = self.game.defines[define]
                self._wholes[key] = self._ticking(found, body_of(self, found, how))
            finally:
                self.public = public
        return self._wholes[key]

    def tally(self, define: str) -> tuple[tuple[str, Code], ...]:
        """Return the lines of a tally by name, amended; none for other defines."""
        lines = self.game.defines[define].lines
        return tuple(
            (line.name, self.changed(self.expression(line.value), line.changes)) for line in lines
        )

    def verb_label(self, verb: str) -> Code:
        """Return the code of the label of a verb that has one; its locals are its parameters."""
        if verb not in self._labels:
            found = self.game.verbs[verb]
            assert found.label is not None, verb
            label = self.compile(found.label, public=True)
            self._labels[verb] = self.changed(label, found.label_changes)
        return self._labels[verb]

    def start(self, field: str) -> Start:
        """Return what computes the start value of a field for a holder (None: the game)."""
        if field not in self._starts:
            self._starts[field] = compile_start(self, self.game.fields[field])
        return self._starts[field]

    def range_check(self, field: str) -> RangeCheck | None:
        """Return what raises a rules error if a value is out of the range of a field; None if the
        field has no range."""
        if field not in self._ranges:
            self._ranges[field] = compile_range(self, self.game.fields[field])
        return self._ranges[field]

    def _compile_define(self, define: model.Define) -> Code:
        code = self._compile_body(define)
        if define.parameters and self.fixed.define(define.id):
            code = self._remembering(define, code)
        elif self.memo.memoises(define.id):
            code = self.memo.code(define, code)
        return self._ticking(define, code)

    def _ticking(self, define: model.Define, code: Code) -> Code:
        if self._weight(define.id) <= LIGHT:
            return code
        # Sixty defines that use the next one twice are 2**60 calls: they are counted.
        span = define.span

        def counted(store: Store, me: Thing | None, locals: Locals) -> Value:
            tick(store, LIGHT, span)
            return code(store, me, locals)

        return counted

    def _remembering(self, define: model.Define, code: Code) -> Code:
        """Return code that remembers what it has said about the same arguments."""
        names, said = define.parameters, dict[Value, Value]()

        def remembering(store: Store, me: Thing | None, locals: Locals) -> Value:
            key = tuple([locals[name] for name in names])
            if key in said:
                return said[key]
            value = code(store, me, locals)
            if self._room > 0:
                self._room -= 1
                said[key] = value
            return value

        return remembering

    def _compile_body(self, define: model.Define) -> Code:
        if not define.lines:
            return self.changed(self.expression(define.body), define.changes)
        lines = [code for _, code in self.tally(define.id)]
        return self.changed(
            lambda store, me, locals: sum([line(store, me, locals) for line in lines]),
            define.changes,
        )

    def _weight(self, define: str) -> int:
        """Return how many calls of defines a call can lead to, without those in loops."""
        if define not in self._weights:
            self._weights[define] = 1
            found = self.game.defines[define]
            used = (
                part.define
                for part in visitor.walk((found.body, found.lines, found.changes))
                if isinstance(part, model.DefineCall)
            )
            self._weights[define] = min(1 + sum(map(self._weight, used)), MOST_COUNTED)
        return self._weights[define]

    def _later(self, define: str, found: Callable[[], Code]) -> Code:
        depth = 0

        def code(store: Store, me: Thing | None, locals: Locals) -> Value:
            nonlocal depth
            if depth >= DEEPEST_CALL:
                called = self.game.defines[define]
                raise PlayError("RW711", called.span, name=called.name, expected=DEEPEST_CALL)
            depth += 1
            try:
                return found()(store, me, locals)
            finally:
                depth -= 1

        return code

    # ------------------------------------------------------------------------- while the game runs

    def apply(self, closure: Closure, argument: Value, store: Store, me: Thing | None) -> Value:
        """Apply a handed-on expression to a value."""
        name, code = self.lambdas[closure.lambda_id]
        inner = dict(closure.locals)
        inner[name] = argument
        return code(store, me, inner)

    def apply_place(
        self, closure: PlaceClosure, argument: Value, store: Store, me: Thing | None
    ) -> PlaceValue:
        """Apply a handed-on place to a value."""
        name, code = self.place_lambdas[closure.lambda_id]
        inner = dict(closure.locals)
        inner[name] = argument
        return code(store, me, inner)

    def contents(self, store: Store, place: PlaceValue) -> Value:
        """Return what stands or lies at a place, without asking who sees it."""
        return places.contents(store, place)

    def sees(self, store: Store, place: PlaceValue, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) sees the content of a zone or field."""
        return self.visibility.sees(store, place, player)

    def sees_count(self, store: Store, place: PlaceValue, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) knows how many things lie in a zone."""
        return self.visibility.sees_count(store, place, player)

    def sees_thing(self, store: Store, thing: Thing, player: Thing | None) -> bool:
        """Return whether the player (None: every seat) sees a thing where it lies; what lies nowhere
        is seen."""
        return self.visibility.sees_thing(store, thing, player)


@lru_cache(maxsize=KEPT)
def _constant_defines(game: model.Game) -> ConstantDefines:
    return ConstantDefines(game)


@lru_cache(maxsize=KEPT)
def _weights_of(game: model.Game) -> dict[str, int]:
    """Return the weights of the defines of a game as far as they are known, for all who load it."""
    return {}


def _no_look_ahead(store: Store, verb: VerbValue, me: Thing | None) -> bool:
    raise RuntimeError("no look-ahead has been set")


def _no_winner(store: Store, player: Thing) -> bool:
    raise RuntimeError("no scoring has been set")


def _no_order(store: Store) -> tuple[Thing, ...]:
    raise RuntimeError("no scoring has been set")
