"""Which codes the options of a decision have: read from its step, once for each loaded game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.analysis.verb_values import VerbValues
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.nodes import Decide
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.knowledge.action_codes import (
    MOST_SEEN,
    Codes,
    ListedCodes,
    OptionalCodes,
    PlainCodes,
    PositionCodes,
    RangeCodes,
    ThingCodes,
    VerbCodes,
    VerbHead,
    name_of,
)
from rulewright.interpreter.knowledge.bounds import Bounds, Interval
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics.closures import constant_of
from rulewright.interpreter.state.values import Value

MOST_LISTED = 10_000
"""A range that holds more numbers, or a verb that can carry more, has no code for each."""


class SiteCodes:
    """Chooses the codes of the decisions of a loaded game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game, self.layout = program.game, program.layout
        self._verb_values = VerbValues(self.game)
        self._bounds: dict[str, Bounds] = {}
        self.hidden = frozenset(
            field.type.kind.kind
            for field in self.game.fields.values()
            if isinstance(field.type, types.ZoneType)
            and isinstance(field.type.kind, types.ThingType)
            and field.viewers.who != "everybody"
        )
        """The kinds whose things can lie where somebody does not see them."""

    def decisions(self) -> Iterator[tuple[Plan, int, Decide, Codes]]:
        """Yield all decisions of the game, by the ids of verbs and in reading order, with their codes:
        of several things those of one, without `done`."""
        for unit in sorted(self.program.plans):
            plan = self.program.plans[unit]
            for at, node in enumerate(plan.nodes):
                if isinstance(node, Decide):
                    yield plan, at, node, self._codes(unit, node.step)

    def _codes(self, unit: str, step: model.Statement) -> Codes:
        match step:
            case model.May(label=label):
                said = text_of(label) or "yes"
                return PlainCodes("no and yes", (f"not {said}" if said != "yes" else "no", said))
            case model.Either(arms=arms):
                names = [text_of(arm.label) or f"arm {one}" for one, arm in enumerate(arms, 1)]
                return PlainCodes("arms", names)
            case model.Split(total=total, limit=limit):
                most = self._in(unit).of(total)[1]
                if limit is not None:
                    caps = [most, self._in(unit).of(limit)[1]]
                    most = min((cap for cap in caps if cap is not None), default=None)
                return _range((0, most))
        assert isinstance(step, model.Choose), step
        return self._of_source(unit, step)

    def _in(self, unit: str) -> Bounds:
        if unit not in self._bounds:
            self._bounds[unit] = Bounds(self.program, unit)
        return self._bounds[unit]

    def _of_source(self, unit: str, step: model.Choose) -> Codes:
        source = step.source
        bounds = self._in(unit)
        if isinstance(source, model.Numbers):
            return _range(bounds.items(source))
        held = types.element(source.type) or types.UNKNOWN
        listed = self._listed(source)
        if isinstance(held, types.OptionalType):
            return OptionalCodes(self._of_type(unit, source, held.inner, listed))
        if isinstance(held, types.ThingType) and self._is_seen(source):
            return self._of_kind(held.kind, hidden=False)
        return self._of_type(unit, source, held, listed)

    def _is_seen(self, source: model.Expression) -> bool:
        """Return whether who is asked sees all that stands to choice where it lies: it is in a zone of
        his own, or in one that everybody sees."""
        match source:
            case model.Read(field=field, target=target):
                found = self.game.fields[field]
                if not isinstance(found.type, types.ZoneType):
                    return False
                if found.viewers.who == "owner" and found.holder == "Player":
                    return isinstance(target, model.Me)
                return found.viewers.who == "everybody"
        inside = visitor.handed_on(source)
        return bool(inside) and all(map(self._is_seen, inside))

    def _of_type(
        self, unit: str, source: model.Expression, held: types.Type, listed: Sequence[Value]
    ) -> Codes:
        match held:
            case types.EnumType(name):
                shown = [value.shown for value in self.layout.enums[name]]
                return Codes(f"values of {types.shown(held)}", shown)
            case types.FlagType():
                return PlainCodes("flags", ("no", "yes"))
            case types.ThingType(kind):
                return self._of_kind(kind, kind in self.hidden)
            case types.VerbType():
                return VerbCodes(self.program, self._heads(self._verb_values.within(unit, source)))
        if listed:
            return ListedCodes(listed, [str(value) for value in listed])
        if isinstance(held, types.NumberType):
            low, high = self._in(unit).items(source)
            if low is not None and high is not None and high - low < MOST_LISTED:
                return RangeCodes(low, high, bounded=True)
        return PositionCodes(self.program)

    def _of_kind(self, kind: str, hidden: bool) -> Codes:
        things = self.layout.things.get(kind, ())
        if kind in self.program.alike.unique and not hidden:
            if kind == "Player":
                return Codes("players", [thing.name for thing in things])
            if kind not in self.layout.carried:
                names = [name_of(thing, len(things)) for thing in things]
                return Codes(f"things of {kind}", names)
        return ThingCodes(self.program, kind, hidden)

    def _listed(self, source: model.Expression) -> tuple[Value, ...]:
        """Return the numbers, texts and flags that a list is made of, where they are written down."""
        values: dict[tuple[type, Value], Value] = {}
        waiting: list[model.Expression] = [source]
        while waiting:
            node = waiting.pop()
            known, value = constant_of(node, self.layout)
            if known and isinstance(value, int | str):
                values[type(value), value] = value
                continue
            inside = visitor.handed_on(node)
            if not inside:
                return ()
            waiting += reversed(inside)
        return tuple(values[key] for key in sorted(values, key=repr))

    # ------------------------------------------------------------------------------------- verbs

    def _heads(self, verbs: frozenset[str]) -> dict[tuple[object, ...], VerbHead]:
        """Return the verbs that an option may be, in the order of their ids."""
        written: dict[tuple[object, ...], tuple[types.Type, ...]] = {}
        for one in self._verb_values.written:
            if verbs.intersection(one.verbs):
                key = one.name, one.verbs, len(one.arguments)
                kinds = tuple(argument.type for argument in one.arguments)
                if written.get(key, kinds) != kinds:
                    kinds = (types.UNKNOWN,) * len(kinds)
                written[key] = kinds
        order = sorted(written, key=lambda key: (key[1], key[0], key[2]))
        return {key: VerbHead(str(key[0]), self._arguments(written[key])) for key in order}

    def _arguments(self, kinds: Sequence[types.Type]) -> tuple[Codes, ...] | None:
        found, ways = [], 1
        for kind in kinds:
            codes = self._of_argument(kind)
            if codes is None:
                return None
            found.append(codes)
            ways *= codes.size
        return tuple(found) if ways <= MOST_LISTED else None

    def _of_argument(self, kind: types.Type) -> Codes | None:
        """Return the codes of what a verb carries, if they hang on nothing else."""
        match kind:
            case types.OptionalType(inner):
                codes = self._of_argument(inner)
                return None if codes is None else OptionalCodes(codes)
            case types.EnumType(name):
                return Codes("", [value.shown for value in self.layout.enums[name]])
            case types.FlagType():
                return PlainCodes("", ("no", "yes"))
            case types.ThingType(name):
                codes = self._of_kind(name, name in self.hidden)
                return None if isinstance(codes, ThingCodes) else codes
        return None


def text_of(label: model.Expression) -> str:
    """Return a text of the rules, if it says the same in every state, else an empty one."""
    return label.value if isinstance(label, model.Constant) and type(label.value) is str else ""


def _range(found: Interval) -> Codes:
    low, high = found
    if low is not None and high is not None and high - low < MOST_LISTED:
        return RangeCodes(low, high, bounded=True)
    low = 0 if low is None else low
    return RangeCodes(low, low + MOST_SEEN, bounded=False)
