"""Where none is a mistake: what is stored, handed on or acts must be there, unless its type is `T?`.

An author need not prove that a list has a first item (`first(xs)`, `xs[i]`, a define), so the type of an
expression says less than its place: `demanded` gives what makes none there a rules error. What is
surely there costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.constructs import Use
from rulewright.dsl.model.register import construct
from rulewright.dsl.model.types import Type

UNWRITTEN = model.Place | model.PlaceLambda | model.Lambda
"""What is handed on and is no value."""

_GIVEN = ("value", "one")

Nodes: TypeAlias = Sequence[tuple[Any, Mapping[str, Any]]]
"""The steps of the nodes of a graph, with what else is said of each."""


class NoneAnalysis:
    """Answers which expressions of a game may turn out none although their type says otherwise."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self._defines: dict[tuple[str, bool], bool] = {}

    def demanded(
        self, value: model.Argument, wanted: Type, sure: frozenset[str] = frozenset()
    ) -> model.Argument:
        """Return a value for a place of the wanted type, so that none is a rules error if it can be
        none and must not; `sure` are locals that are there."""
        if isinstance(value, UNWRITTEN) or not _demands(wanted):
            return value
        lacks = self.lacks(value, sure)
        held = types.element(wanted)
        listed = types.element(types.without_none(value.type)) is not None
        items = held is not None and listed and _demands(held) and self.holds(value, sure)
        if not lacks and not items:
            return value
        return model.Needed(type=value.type, span=value.span, value=value, items=items)

    def lacks(self, value: model.Expression, sure: frozenset[str]) -> bool:
        """Return whether a value may turn out none."""
        match value:
            case model.Constant(value=known):
                return known is None
            case model.Local(name=name):
                return name not in sure
            case model.LetIn(name=name, value=named, body=body):
                inner = sure - {name} if self.lacks(named, sure) else sure | {name}
                return self.lacks(body, inner)
            case model.DefineCall(define=define):
                return self._define(define, False)
        handed = [(part, use) for part, use in visitor.handed(value) if use.hands_on in _GIVEN]
        if handed and all(use.hands_on == "value" for _, use in handed):
            return any(self.lacks(part, sure) for part, _ in handed)
        # What gives an item of a list gives none if that is one.
        return (
            construct(value).lacks
            or any(use.lacking or self.holds(part, sure) for part, use in handed)
            or isinstance(value.type, types.OptionalType | types.NothingType)
        )

    def holds(self, value: model.Expression, sure: frozenset[str]) -> bool:
        """Return whether an item of a list may be none."""
        match value:
            case model.Local(name=name):
                return name not in sure
            case model.LetIn(name=name):
                sure = sure - {name}
            case model.DefineCall(define=define):
                return self._define(define, True)
            case model.ListOf(items=()):
                return False
        handed = list(visitor.handed(value))
        if not handed:
            return not construct(value).full
        return any(self._hands_none(part, use, sure) for part, use in handed)

    def _hands_none(self, part: model.Expression, use: Use, sure: frozenset[str]) -> bool:
        if use.hands_on == "item":
            return self.lacks(part, sure)
        of_items = use.hands_on in ("value", "all", "some")
        return not use.drops_none and (not of_items or self.holds(part, sure))

    def _define(self, define: str, items: bool) -> bool:
        key = define, items
        if key not in self._defines:
            # A define does not lead to itself; one that is being looked at adds nothing.
            self._defines[key] = False
            found = self.game.defines[define]
            ask = self.holds if items else self.lacks
            values = [found.body, *(change.value for change in found.changes)]
            nothing: frozenset[str] = frozenset()
            self._defines[key] = not found.lines and any(ask(one, nothing) for one in values)
        return self._defines[key]

    def sure_of(self, parameters: Iterable[model.Parameter], nodes: Nodes) -> frozenset[str]:
        """Return the locals of a unit that are there wherever they are set: parameters, what was
        chosen, items of lists, and what a `let` has taken from something that is there."""
        named: dict[str, list[model.Expression]] = {}
        sure = {one.name for one in parameters if _demands(one.type)}
        optional = {one.name for one in parameters if not _demands(one.type)}
        for step, more in nodes:
            match step:
                case model.Let(name=name, value=value):
                    named.setdefault(name, []).append(value)
                case model.Choose(name=name):
                    held = types.element(step.source.type)
                    (sure if held is None or _demands(held) else optional).add(name)
                case model.Chance() if step.word != "pick":
                    # Only the one that is picked of nothing is none.
                    sure.add(more["name"])
                case model.ForEach(name=name, source=source):
                    held = types.element(source.type)
                    (sure if held is not None and _demands(held) else optional).add(name)
        sure -= {*named, *optional}
        for _ in range(len(named)):
            found = {
                name
                for name, values in named.items()
                if name not in sure and name not in optional
                if not any(self._unsure(value, frozenset(sure)) for value in values)
            }
            if not found:
                break
            sure |= found
        return frozenset(sure)

    def _unsure(self, value: model.Expression, sure: frozenset[str]) -> bool:
        listed = types.element(value.type) is not None
        return self.lacks(value, sure) or (listed and self.holds(value, sure))


def _demands(wanted: Type) -> bool:
    """Return whether a place of a type must not be none."""
    return not isinstance(
        wanted,
        types.OptionalType
        | types.NothingType
        | types.AnythingType
        | types.UnknownType
        | types.FunctionType
        | types.PlaceType
        | types.InstanceType,
    )


class RequiredValues:
    """Says for the steps of one unit which of their values must be there."""

    def __init__(
        self, needs: NoneAnalysis, parameters: Iterable[model.Parameter], nodes: Nodes
    ) -> None:
        self.needs = needs
        self.sure = needs.sure_of(parameters, nodes)

    def step(self, step: Any) -> Any:
        """Return a step, or the condition of a branch, with none as a rules error where it is a
        mistake."""
        value = self._value
        match step:
            case model.Set(place=place, whole_family=True):
                of = place.type.value if isinstance(place.type, types.FamilyType) else place.type
                return _with(step, value=value(step.value, of))
            case model.Set():
                return _with(step, value=value(step.value, step.place.type))
            case model.Add():
                wanted = types.without_none(step.place.type)
                held = types.element(wanted) if step.append else None
                if held is not None and not types.fits(step.value.type, wanted):
                    wanted = held
                return _with(step, value=value(step.value, wanted))
            case model.CallVerb(verb=verb):
                wanted_types = [one.type for one in self.needs.game.verbs[verb].parameters]
                given = zip(step.arguments, wanted_types, strict=True)
                return _with(step, arguments=tuple(value(one, type_) for one, type_ in given))
            case model.Repeat() if step.value is not None:
                wanted = types.NUMBER if step.word == "times" else types.FLAG
                return _with(step, value=value(step.value, wanted))
            case model.As():
                return _with(step, players=value(step.players, types.ListType(types.PLAYER)))
            case model.ForEach() | model.Choose():
                held = types.element(types.without_none(step.source.type)) or types.ANYTHING
                return _with(step, source=value(step.source, types.ListType(held)))
            case model.Show():
                return _with(step, viewers=value(step.viewers, types.ListType(types.PLAYER)))
            case model.EndGame() if step.reason is not None:
                return _with(step, reason=value(step.reason, types.TEXT))
            case model.Need():
                return _with(step, condition=value(step.condition, types.FLAG))
        return step

    def condition(self, condition: model.Expression) -> model.Expression:
        """Return the condition of a branch in the same way."""
        stated: model.Expression = self._value(condition, types.FLAG)
        return stated

    def _value(self, value: Any, wanted: Type) -> Any:
        if isinstance(value, model.ListOf):
            # One thing where a list is wanted.
            held = types.element(wanted)
            if held is not None and len(value.items) == 1:
                return _with(value, items=(self.needs.demanded(value.items[0], held, self.sure),))
        return self.needs.demanded(value, wanted, self.sure)


def _with(node: Any, **parts: Any) -> Any:
    """Return a node with other parts; the same one if they are the same."""
    same = all(
        getattr(node, name) is part or getattr(node, name) == part for name, part in parts.items()
    )
    return node if same else attrs.evolve(node, **parts)
