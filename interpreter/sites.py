"""Decisions for generated code: what stands to choice, as functions.

Which things are alike for a player is found out beforehand where it can be: things that are all
different, or lie where the player sees them and differ in their printed fields only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.dsl import kinds, model
from rulewright.interpreter.emit import (
    Function,
    Known,
    Locals,
    Made,
    NotGenerated,
    Part,
    Scope,
    Slow,
)
from rulewright.interpreter.emit_reads import ANY_ORDER, read_field
from rulewright.interpreter.emit_units import Units
from rulewright.interpreter.machine import Op
from rulewright.interpreter.program import Program
from rulewright.interpreter.questions import DONE
from rulewright.interpreter.store import Frame, Store
from rulewright.interpreter.templates import expression, statements, variable
from rulewright.interpreter.values import Thing, Value

Options = Callable[[Store, Frame], Sequence[Value]]


class Site:
    """A decision, for the fast lane."""

    __slots__ = ("name", "op", "options", "question", "way")

    def __init__(self, op: Op, options: Options | None) -> None:
        self.op = op
        self.question = op.question
        self.options = options
        self.name = op.question.name
        self.way = op.question.ways[0] if op.question.ways else 0


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
    items: Sequence[Thing], places: Sequence[Any], slots: frozenset[int], unique: bool
) -> None:
    """Test that all things lie where everybody sees and tells them apart."""
    for item in items:
        place = places[item.number]
        if place is None:
            if not unique:
                raise Slow
        elif place.slot not in slots:
            raise Slow


def has_no_doubles(game: model.Game, source: model.Expression, depth: int = 5) -> bool:
    """Return whether nothing can stand in a list twice, as far as that is seen."""
    match source:
        case model.Where(source=inner) | model.Without(source=inner) | model.LetIn(body=inner):
            return has_no_doubles(game, inner, depth)
        case model.Conditional(then=one, otherwise=other):
            return has_no_doubles(game, one, depth) and has_no_doubles(game, other, depth)
        case model.DefineCall(define=id) if depth:
            define = game.defines[id]
            plain = not define.changes and not define.lines
            return plain and has_no_doubles(game, define.body, depth - 1)
        case model.Read():
            return isinstance(source.type, kinds.ZoneType)
    return isinstance(source, model.Everything | model.Seats | model.EnumValues | model.Numbers)


def pieces(
    items: Sequence[Value], picked: tuple[Value, ...], low: int, high: int
) -> Sequence[Value]:
    """Return the pieces of a selection that may be picked next, and `DONE`, as `questions.ask`
    does for things of which no two are alike."""
    if len(picked) >= high or low > high:
        return ()
    free = items[items.index(picked[-1]) + 1 :] if picked else items
    needed = low - len(picked)
    if needed > 1:
        free = free[: max(len(free) - needed + 1, 0)]
    return (*free, DONE) if free and needed <= 0 else free


class Sites:
    """The decisions of one loaded game."""

    def __init__(self, program: Program, units: Units) -> None:
        self.program = program
        self.units = units
        self.known: dict[tuple[str, int], Site] = {}

    def at(self, frame: Frame) -> Site:
        key = frame.unit, frame.node
        site = self.known.get(key)
        if site is None:
            op = self.program.code[frame.unit][frame.node]
            site = self.known[key] = Site(op, self.options(op))
        return site

    def options(self, op: Op) -> Options | None:
        """Return what lists the options of a decision, if that can be generated."""
        step = op.step
        if isinstance(step, model.May):
            return lambda store, frame: (True, False)
        names = self.units.names
        if names.broken:
            return None
        function = Function(names, self.units.handlers)
        scope = Scope(Made(variable("me")), Locals())
        try:
            if isinstance(step, model.Either):
                result = self.arms(function, step, scope)
            elif step.or_stop or step.such_that is not None or step.word == "ordered":
                return None
            elif step.word == "one":
                result = self.things(function, step, scope)
            else:
                result = self.selection(function, step, scope)
            name = names.fresh("options_")
            made = function.finished(name, ["S", "F"], result)
            made.body = statements("L = F.locals\nme = F.me") + made.body
            names.functions.append(made)
            names.compile()
        except (NotGenerated, RecursionError):
            return None
        options: Options = names.space[name]
        return options

    def arms(self, function: Function, step: model.Either, scope: Scope) -> Any:
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

    def things(self, function: Function, step: model.Choose, scope: Scope) -> Any:
        source = step.source
        if isinstance(source, model.Numbers):
            low, high = function.parts((source.low, source.high), scope)
            return expression(
                "range(low, high + 1)", low=function.tree(low), high=function.tree(high)
            )
        part = self.blind(function, source, scope)
        if isinstance(part, Known) and self.alike(step)[0] == "nothing":
            return function.names.constant(tuple(dict.fromkeys(part.value)))
        items = self.different(function, step, part)
        if has_no_doubles(self.program.game, source):
            return items
        return expression("list(dict.fromkeys(items))", items=items)

    def selection(self, function: Function, step: model.Choose, scope: Scope) -> ast.expr:
        """Return the tree of what stands to choice, and how many may be chosen."""
        how, _ = self.alike(step)
        if how == "looks" or not has_no_doubles(self.program.game, step.source):
            raise NotGenerated("alike things")
        items = function.kept(self.blind(function, step.source, scope))
        tree = self.different(function, step, items)
        low: ast.expr = ast.Constant(0)
        if step.low is not None:
            low = function.tree(function.kept(function.part(step.low, scope)))
        high = expression("len(items)", items=tree)
        if step.high is not None:
            most = function.value(step.high, scope)
            high = expression("min(size, most)", size=high, most=most)
        return ast.Tuple([tree, low, high], ast.Load())

    def blind(self, function: Function, source: model.Expression, scope: Scope) -> Part:
        if isinstance(source, model.Read) and isinstance(source.type, kinds.ZoneType):
            slot = function.layout.slots[source.field]
            if slot in self.units.doing.open:
                return read_field(function, source, scope, ANY_ORDER)
            if isinstance(source.target, model.Me):
                return Made(
                    expression(
                        "column[me.number]",
                        column=function.column(slot),
                        me=function.tree(scope.me),
                    )
                )
            raise NotGenerated("hidden things")
        return function.part(source, scope)

    def alike(self, step: model.Choose) -> tuple[str, Any]:
        """Return what must be done so that no two options are alike: `nothing`, `looks` (merge the
        things of a kind by their looks) or `seen` (test that all lie in some columns, where they
        are different); raise if that is not known beforehand."""
        source = step.source
        while isinstance(source, model.Where):
            source = source.source
        kind = kinds.element(source.type)
        kind = None if kind is None else kinds.without_none(kind)
        if isinstance(kind, kinds.VerbType) or isinstance(
            source, model.EnumValues | model.Seats | model.Numbers
        ):
            return "nothing", None
        if not isinstance(kind, kinds.ThingType):
            raise NotGenerated("values that may be alike")
        name = kind.kind
        alike, doing = self.program.alike, self.units.doing
        unique = name in alike.unique
        if unique and name not in doing.hiding:
            return "nothing", None
        layout = self.program.layout
        if isinstance(source, model.Read) and isinstance(source.type, kinds.ZoneType):
            slot = layout.slots[source.field]
            field = layout.fields[slot]
            own = isinstance(source.target, model.Me)
            if slot in doing.open or (
                own and field.viewers.who == "owner" and field.holder == "Player"
            ):
                if unique or slot not in layout.unordered:
                    return "nothing", None
                if not alike.states.get(name) and not alike.references.get(name):
                    return "looks", name
        return "seen", (
            name,
            frozenset(slot for slot in doing.open if unique or slot not in layout.unordered),
            unique,
        )

    def different(self, function: Function, step: model.Choose, part: Part) -> ast.expr:
        """Return the tree of the options, of which no two are alike."""
        how, what = self.alike(step)
        items = function.items(part)
        space = function.names.space
        if how == "looks":
            looks = function.names.helper("looks", self.program.alike.looks[what])
            space.setdefault("merged", merged)
            return expression("merged(items, looks)", items=items, looks=looks)
        if how == "seen":
            name, slots, unique = what
            space.setdefault("all_seen", all_seen)
            items = variable(function.keep(items))
            function.write(
                "all_seen(items, places, slots, unique)",
                items=items,
                places=function.column(self.program.layout.place_slots[name]),
                slots=function.names.helper("slots", slots),
                unique=ast.Constant(unique),
            )
        return items
