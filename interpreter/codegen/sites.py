"""Decisions for generated code: what stands to choice, as functions.

Which things are alike for a player is found out beforehand where it can be: things that are all
different, or lie where the player sees them and differ in their printed fields only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.codegen.picking import Groups, Picks
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.printing.emit import (
    Function,
    Known,
    Locals,
    Made,
    NotGenerated,
    Part,
    Scope,
    Slow,
)
from rulewright.interpreter.printing.emit_reads import ANY_ORDER, read_field
from rulewright.interpreter.printing.emit_wholes import offered
from rulewright.interpreter.printing.templates import expression, statements, variable
from rulewright.interpreter.program.equivalent_options import Equivalence
from rulewright.interpreter.program.origins import ELSEWHERE, origins
from rulewright.interpreter.program.questions import DONE, first_in_table
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

PLAIN = (types.NumberType, types.TextType, types.EnumType, types.FlagType)
"""Values that are what they look like."""

Fits = Callable[[Store, Frame, Value], bool]


class Site:
    """A decision about several things."""

    __slots__ = ("fits", "known", "op", "picks", "question")

    def __init__(self, op: Op) -> None:
        self.op = op
        self.question = op.question
        self.fits: Fits | None = None
        """Whether a whole selection meets its condition; None if there is none."""

        self.picks = Picks(op.question, None)
        """Which pieces may be picked next."""

        self.known = True
        """Whether it is known beforehand which things are alike; else a test must say so."""

    @property
    def plain(self) -> bool:
        """Whether any so many of the things in their order will do."""
        return self.fits is None and self.picks.groups is None and not self.picks.ordered

    def meets(self, store: Store, frame: Frame, chosen: tuple[Value, ...]) -> bool:
        """Return whether a whole selection meets its condition."""
        return self.fits is None or self.fits(store, frame, chosen)

    def pieces(
        self, store: Store, frame: Frame, asked: Sequence[Any], picked: tuple[Value, ...]
    ) -> Sequence[Value]:
        """Return the pieces of a selection that may be picked next, and `DONE`."""
        items, low, high = asked
        picks = self.picks
        options = picks.next(store, frame, items, picked, low, high)
        if options and len(picked) >= low:
            if self.fits is None or self.fits(store, frame, picks.whole(frame, items, picked)):
                return (*options, DONE)
        return options

    def grown(
        self, store: Store, frame: Frame, asked: Sequence[Any], value: Value
    ) -> Iterable[tuple[Value, ...]] | None:
        """Return the whole selections that are possible after a piece; None if they are many."""
        items, low, high = asked
        picked = frame.locals.get(self.question.partial, ())
        if value is DONE:
            return (self.picks.whole(frame, items, picked),)
        return self.picks.grown(store, frame, items, (*picked, value), low, high)


def merged(items: Sequence[Thing], looks: tuple[int, ...]) -> list[Thing]:
    """Return one thing for all that look the same: the first one in the table."""
    found: dict[int, Thing] = {}
    for item in items:
        look = looks[item.number]
        other = found.get(look)
        if other is None or item.number < other.number:
            found[look] = item
    return list(found.values())


def all_seen(
    items: Sequence[Thing],
    places: Sequence[Any],
    slots: frozenset[int],
    sees: Callable[[Any], bool] | None,
) -> None:
    """Test that all things lie where the player sees and tells them apart: in some columns, or, if
    no two look the same, where he sees them."""
    seen: Any = None
    for item in items:
        place = places[item.number]
        if place is None:
            if sees is None:
                raise Slow
        elif place.slot not in slots and place is not seen:
            if sees is None or not sees(place):
                raise Slow
            seen = place


def grouping(alike: Equivalence, kind: str, apart: bool) -> Groups:
    """Return what puts things that a player sees into groups of those that look the same; `apart`
    if they may lie in several zones."""
    looks, unordered = alike.looks[kind], alike.layout.unordered
    slot = alike.layout.place_slots[kind]

    def groups(store: Store, items: Sequence[Value]) -> list[tuple[Value, ...]]:
        found: dict[Any, list[Value]] = {}
        places = store.columns[slot]
        for item in items:
            key: Any = looks[item.number]
            if apart:
                place = places[item.number]
                key = (place, key) if place.slot in unordered else item
            found.setdefault(key, []).append(item)
        return [tuple(group) for group in found.values()]

    return groups


def merging(alike: Equivalence) -> Callable[[Store, Thing, Sequence[Value]], list[Value]]:
    """Return what merges things that are alike for a player, as the walker does."""

    def merge(store: Store, me: Thing, items: Sequence[Value]) -> list[Value]:
        groups = alike.groups(store, me, alike.as_seen(store, me, items))
        if any(len(group) > 1 and alike.differ(store, group) for group in groups):
            # Chance takes one of them.
            raise Slow
        return [first_in_table(group) for group in groups]

    return merge


class Sites:
    """The decisions of one loaded game."""

    def __init__(self, program: Program, units: Units) -> None:
        self.program = program
        self.units = units
        self.known: dict[tuple[str, int], Site] = {}

    def of(self, unit: str, node: int) -> Site:
        """Return the decision about several things at a node, with how its pieces are picked; raise
        `NotGenerated` if that is not known beforehand."""
        key = unit, node
        if key not in self.known:
            site = Site(self.program.code[unit][node])
            step = site.op.step
            if self.program.evaluator.watched_questions.asks(step):
                raise NotGenerated("a question that is watched")
            how, what = self.alike(step)
            listed = origins(self.program.game, step.source)
            site.known = how != "seen" and listed is not None
            if how in ("looks", "places"):
                groups = grouping(self.program.alike, what, how == "places")
                site.picks = Picks(site.question, groups)
            if step.such_that is not None:
                site.fits = self._fits(step)
            self.known[key] = site
        return self.known[key]

    def _fits(self, step: model.Choose) -> Fits:
        """Write what says whether a whole selection meets its condition."""
        assert step.such_that is not None, "no condition"
        names = self.units.names
        function = Function(names, self.units.handlers)
        scope = Scope(Made(variable("me")), Locals()).having(step.name, Made(variable("x")))
        tree = function.value(step.such_that, scope)
        name = names.fresh("fits_")
        made = function.finished(name, ["S", "F", "x"], tree)
        made.body = statements("L = F.locals\nme = F.me") + made.body
        names.functions.append(made)
        names.compile()
        fits: Fits = names.space[name]
        return fits

    def arms(self, function: Function, step: model.Either, scope: Scope) -> ast.expr:
        if all(arm.guard is None for arm in step.arms):
            return function.names.constant(tuple(range(len(step.arms))))
        found = function.keep(ast.List([], ast.Load()))
        for number, arm in enumerate(step.arms):
            if arm.guard is None:
                function.write("found.append(number)", found=found, number=ast.Constant(number))
                continue
            test = function.tree(function.part(arm.guard, scope))
            function.write(
                "if test:\n    found.append(number)",
                found=found,
                test=test,
                number=ast.Constant(number),
            )
        return variable(found)

    def things(self, function: Function, step: model.Choose, scope: Scope) -> ast.expr:
        source = step.source
        if isinstance(source, model.Numbers):
            low, high = function.parts((source.low, source.high), scope)
            numbers = expression(
                "range(low, high + 1)", low=function.tree(low), high=function.tree(high)
            )
            return function.items(self._fitting(function, step, Made(numbers), scope))
        part = self.blind(function, source, scope)
        if isinstance(part, Known) and step.such_that is None and self.alike(step)[0] == "nothing":
            return function.names.constant(tuple(dict.fromkeys(part.value)))
        listed = self._fitting(function, step, part, scope)
        how, what = self.alike(step)
        if how == "places" or (how == "seen" and not what[2]):
            merge = function.names.helper("merge", merging(self.program.alike))
            return expression(
                "merge(S, me, items)", merge=merge, items=function.items(function.kept(listed))
            )
        items = self.different(function, step, listed)
        if origins(self.program.game, source) is not None:
            return items
        return expression("list(dict.fromkeys(items))", items=items)

    def _fitting(self, function: Function, step: model.Choose, source: Part, scope: Scope) -> Part:
        """Write which of what stands to choice meets the condition."""
        if step.such_that is None:
            return source
        source = function.kept(source)
        found = function.keep(ast.List([], ast.Load()))
        item = function.names.fresh("x")
        with function.looping(source) as block:
            inner = scope.having(step.name, Made(variable(item)))
            test = function.tree(function.part(step.such_that, inner))
            function.write(
                "if test:\n    found.append(item)", test=test, found=found, item=variable(item)
            )
        function.write(
            "for item in items:\n    block", item=item, items=function.items(source), block=block
        )
        return Made(variable(found))

    def selection(self, function: Function, step: model.Choose, scope: Scope) -> ast.expr:
        """Return the tree of what stands to choice, and how many may be chosen."""
        how, _ = self.alike(step)
        if origins(self.program.game, step.source) is None:
            raise NotGenerated("alike things")
        items = function.kept(self.blind(function, step.source, scope))
        # Alike things are merged piece by piece.
        tree = (
            function.items(items)
            if how in ("looks", "places")
            else self.different(function, step, items)
        )
        if step.word == "ordered":
            size = expression("len(items)", items=tree)
            return ast.Tuple([tree, size, size], ast.Load())
        low: ast.expr = ast.Constant(0)
        if step.low is not None:
            low = function.tree(function.kept(function.part(step.low, scope)))
        high = expression("len(items)", items=tree)
        if step.high is not None:
            most = function.value(step.high, scope)
            high = expression("min(size, most)", size=high, most=most)
        return ast.Tuple([tree, low, high], ast.Load())

    def blind(self, function: Function, source: model.Expression, scope: Scope) -> Part:
        if isinstance(source, model.Read) and isinstance(source.type, types.ZoneType):
            slot = function.layout.slots[source.field]
            if slot in self.units.doing.open:
                return read_field(function, source, scope, ANY_ORDER)
            if isinstance(source.target, model.Me):
                return Made(expression("column[me.number]", column=function.column(slot)))
            raise NotGenerated("hidden things")
        return offered(function, source, scope)

    def alike(self, step: model.Choose) -> tuple[str, Any]:
        """Return what must be done so that no two options are alike: `nothing`, `looks` (merge the
        things of a kind by their looks), `places` (by their zones and looks) or `seen` (test that
        all lie in some columns, where they are different); raise if that is not known beforehand."""
        source = step.source
        while isinstance(source, model.Where | model.Without | model.Having | model.Sorted):
            source = source.source
        kind = types.element(source.type)
        kind = None if kind is None else types.without_none(kind)
        if isinstance(kind, types.VerbType) or isinstance(
            source, model.EnumValues | model.Seats | model.Numbers
        ):
            return "nothing", None
        while isinstance(kind, types.ListType):
            kind = types.without_none(kind.inner)
        if isinstance(kind, PLAIN):
            # Equal ones are the same option.
            return "nothing", None
        if not isinstance(kind, types.ThingType):
            raise NotGenerated("values that may be alike")
        name = kind.kind
        alike, doing = self.program.alike, self.units.doing
        unique = name in alike.unique
        if unique and name not in doing.hiding:
            return "nothing", None
        layout = self.program.layout
        seen = self._seen_zones(source)
        if seen is not None:
            if unique or all(slot not in layout.unordered for slot in seen):
                return "nothing", None
            plain = not alike.states.get(name) and not alike.references.get(name)
            if plain and name not in layout.carried:
                return ("looks" if len(seen) == 1 else "places"), name
        zones = origins(self.program.game, step.source)
        if zones and all(
            zone != ELSEWHERE
            and layout.slots[zone] in doing.open
            and (unique or layout.slots[zone] not in layout.unordered)
            for zone in zones
        ):
            return "nothing", None
        return "seen", (
            name,
            frozenset(slot for slot in doing.open if unique or slot not in layout.unordered),
            unique,
        )

    def _seen_zones(self, source: model.Expression) -> list[int] | None:
        """Return the columns of the zones of which a list is made, if a player sees them all."""
        match source:
            case model.Arithmetic(word="+", left=left, right=right):
                one, other = self._seen_zones(left), self._seen_zones(right)
                return None if one is None or other is None else [*one, *other]
            case model.Read(type=types.ZoneType()):
                slot = self.program.layout.slots[source.field]
                field = self.program.layout.fields[slot]
                own = isinstance(source.target, model.Me) and field.holder == "Player"
                if slot in self.units.doing.open or (own and field.viewers.who == "owner"):
                    return [slot]
        return None

    def different(
        self, function: Function, step: model.Choose, part: Part, any_of_alike: bool = False
    ) -> ast.expr:
        """Return the tree of the options, of which no two are alike; or, if any of those that are
        alike will do, that the player knows all about them."""
        how, what = self.alike(step)
        items = function.items(part)
        space = function.names.space
        if how == "places":
            merge = function.names.helper("merge", merging(self.program.alike))
            return expression("merge(S, me, items)", merge=merge, items=items)
        if how == "looks":
            looks = function.names.helper("looks", self.program.alike.looks[what])
            space.setdefault("merged", merged)
            return expression("merged(items, looks)", items=items, looks=looks)
        if how == "seen":
            name, slots, unique = what
            if any_of_alike and not self.program.alike.states.get(name):
                unique = True
            space.setdefault("all_seen", all_seen)
            space.setdefault("sees", self.program.evaluator.sees)
            items = variable(function.keep(items))
            sees = expression("lambda place: sees(S, place, me)") if unique else ast.Constant(None)
            function.write(
                "all_seen(items, places, slots, may_see)",
                items=items,
                places=function.column(self.program.layout.place_slots[name]),
                slots=function.names.helper("slots", slots),
                may_see=sees,
            )
        return items
