"""Between which numbers an expression lies, as far as the rules alone say.

What is written down, the chosen options, the ranges of fields and how many things there are bound a
number in every state. What is not known is None: nothing here is ever guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.analysis.verb_values import Binders, binders_of, blocks_of, heads_of
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.values import Value

Interval: TypeAlias = tuple[int | None, int | None]
"""The least and the greatest number; None where nothing is known."""

UNKNOWN: Interval = (None, None)

Known: TypeAlias = Mapping[str, Interval]
"""The bounds of some names."""


class Bounds:
    """Bounds the numbers of one unit of a loaded game: of a verb or a watched condition."""

    def __init__(self, program: Program, unit: str) -> None:
        self.game = program.game
        self.layout = program.layout
        self._binders: Binders = {}
        self._running: set[str] = set()
        """The names and defines that are being looked at: what hangs on itself is not known."""

        verb = self.game.verbs.get(unit)
        if verb is not None:
            handed = {parameter.name for parameter in verb.parameters}
            handed |= {
                one.parameter
                for head in heads_of(self.game, verb)
                for one in visitor.nodes_in(head)
                if isinstance(one, model.Lambda | model.PlaceLambda)
            }
            found = binders_of(blocks_of(self.game, verb))
            self._binders = {name: held for name, held in found.items() if name not in handed}

    def of(self, node: model.Node, known: Known | None = None) -> Interval:
        """Return the bounds of a number."""
        known = {} if known is None else known
        match node:
            case model.Constant(value=value):
                return _exactly(value)
            case model.OptionValue(name=name):
                return _exactly(self.layout.options.get(name))
            case model.Negative(operand=inner):
                low, high = self.of(inner, known)
                return _minus(high), _minus(low)
            case model.Arithmetic():
                return _calculated(node.word, self.of(node.left, known), self.of(node.right, known))
            case model.LetIn(name=name, value=value, body=body):
                return self.of(body, {**known, name: self.of(value, known)})
            case model.Local(name=name):
                return known[name] if name in known else self._local(name)
            case model.Read(field=field) | model.Entry(family=model.Read(field=field)):
                return self.field(self.game.fields[field])
            case model.DefineCall():
                return self._define(node, known)
            case model.Builtin():
                return self._builtin(node, known)
        return self._handed(node, known)

    def _handed(self, node: model.Node, known: Known) -> Interval:
        found = [
            self.of(part, known) if use.hands_on == "value" else self.items(part, known)
            for part, use in visitor.handed(node)
        ]
        return _either(found) if found else UNKNOWN

    def items(self, node: model.Node, known: Known | None = None) -> Interval:
        """Return the bounds of the numbers in a list."""
        known = {} if known is None else known
        match node:
            case model.Numbers(low=low, high=high):
                return self.of(low, known)[0], self.of(high, known)[1]
            case model.ListOf(items=items):
                return _either(self.of(item, known) for item in items)
            case model.Each(value=value):
                return self.of(value, known)
            case model.Chance(word="roll", source=sides):
                return 1, self.of(sides, known)[1]
        handed = visitor.handed_on(node)
        return _either(self.items(one, known) for one in handed) if handed else UNKNOWN

    def most(self, node: model.Node) -> int | None:
        """Return how many items a list can have at most."""
        match node:
            case model.Seats():
                return len(self.layout.players)
            case model.Everything(kind=kind):
                return self.layout.known_count(kind)
            case model.EnumValues(enum=enum):
                return len(self.layout.enums[enum])
            case model.ListOf(items=items):
                return len(items)
            case model.Read(field=field):
                zone = self.game.fields[field].type
                if isinstance(zone, types.ZoneType) and isinstance(zone.kind, types.ThingType):
                    return self.layout.known_count(zone.kind.kind)
            case model.DefineCall(define=name) if name not in self._running:
                define = self.game.defines.get(name)
                if define is not None and not define.changes and not define.lines:
                    self._running.add(name)
                    found = self.most(define.body)
                    self._running.discard(name)
                    return found
        of_parts = [self.most(part) for part, use in visitor.used(node) if use.length != "unknown"]
        known = [one for one in of_parts if one is not None]
        return max(known) if known and len(known) == len(of_parts) else None

    def _local(self, name: str) -> Interval:
        if name not in self._binders or name in self._running:
            return UNKNOWN
        self._running.add(name)
        found = _either(
            self.items(source) if types.element(source.type) is not None else self.of(source)
            for source in self._binders[name]
        )
        self._running.discard(name)
        return found

    def field(self, field: model.Field) -> Interval:
        """Return the bounds of what stands in a field, or in each entry of a family."""
        values = self.layout.printed.get(self.layout.slots[field.id])
        if values is not None:
            numbers = [value for value in values if type(value) is int]
            return (min(numbers), max(numbers)) if numbers else UNKNOWN
        if field.printed:
            return UNKNOWN
        low = None if field.low is None else self.of(field.low)[0]
        high = None if field.high is None else self.of(field.high)[1]
        return low, high

    def _define(self, call: model.DefineCall, known: Known) -> Interval:
        define = self.game.defines.get(call.define)
        if define is None or define.changes or define.id in self._running:
            return UNKNOWN
        given = dict(
            zip(define.parameters, (self.of(one, known) for one in call.arguments), strict=False)
        )
        self._running.add(define.id)
        found = self._body(define, given)
        self._running.discard(define.id)
        return found

    def _body(self, define: model.Define, given: Known) -> Interval:
        # Names of the verb mean nothing inside: all that are not given are unknown there.
        outside, self._binders = self._binders, {}
        try:
            if not define.lines:
                return self.of(define.body, given)
            found: Interval = (0, 0)
            for line in define.lines:
                one = UNKNOWN if line.changes else self.of(line.value, given)
                found = _calculated("+", found, one)
            return found
        finally:
            self._binders = outside

    def _builtin(self, call: model.Builtin, known: Known) -> Interval:
        listed = call.arguments[-1]
        match call.name:
            case "count":
                return 0, self.most(listed)
            case "position" | "path_length":
                return 0, None
            case "min" | "max":
                return self._extreme(call.name, listed, known)
            case "sum" | "total":
                low, _ = self.items(listed, known)
                return (0 if low is not None and low >= 0 else None), None
        return self._handed(call, known)

    def _extreme(self, name: str, listed: model.Node, known: Known) -> Interval:
        if not isinstance(listed, model.ListOf) or not listed.items:
            low, high = self.items(listed, known)
            # Of nothing it is 0.
            return _either(((low, high), (0, 0)))
        found = [self.of(item, known) for item in listed.items]
        low, high = _either(found)
        if name == "min":
            highs = [one for _, one in found if one is not None]
            return low, min(highs, default=None)
        lows = [one for one, _ in found if one is not None]
        return max(lows, default=None), high


def _exactly(value: Value) -> Interval:
    return (value, value) if type(value) is int else UNKNOWN


def _minus(number: int | None) -> int | None:
    return None if number is None else -number


def _either(found: Iterable[Interval]) -> Interval:
    """Return the bounds of what is one of several things."""
    intervals = list(found)
    lows = [low for low, _ in intervals]
    highs = [high for _, high in intervals]
    return (
        None if not lows or None in lows else min(low for low in lows if low is not None),
        None if not highs or None in highs else max(high for high in highs if high is not None),
    )


def _calculated(word: str, left: Interval, right: Interval) -> Interval:
    (low, high), (other_low, other_high) = left, right
    match word:
        case "+":
            return _sum(low, other_low), _sum(high, other_high)
        case "-":
            return _sum(low, _minus(other_high)), _sum(high, _minus(other_low))
        case "*":
            ends = [
                one * other
                for one in left
                for other in right
                if one is not None and other is not None
            ]
            if len(ends) == len(left) * len(right):
                return min(ends), max(ends)
            natural = low is not None and other_low is not None and min(low, other_low) >= 0
            return (_times(low, other_low) if natural else None), None
        case "/" if other_low is not None and other_low > 0 and low is not None and low >= 0:
            least = 0 if other_high is None else low // other_high
            return least, None if high is None else high // other_low
        case "mod" if other_low is not None and other_low > 0:
            return 0, None if other_high is None else other_high - 1
    return UNKNOWN


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _times(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one * other
