"""Which questions are answered aloud at the table, so that everybody knows the answer.

An answer need not have an effect that somebody sees to be known. Not so where the rules keep it: it is
secret if something hidden may hang on it (a field or zone that not everybody sees is written behind it, or
the options are made of such), if it names something that may lie hidden, and if several act at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, effects_of
from rulewright.dsl.analysis.openness import Openness
from rulewright.dsl.ir.action_graph import plans_of
from rulewright.dsl.ir.nodes import Decide, Fork
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.state.values import Taken, Value, VerbValue

WORDS, VALUE = "words", "value"
"""What is answered: words of the rules, or a value."""

_SPOKEN_SITES: WeakKeyDictionary[model.Game, Mapping[str, str]] = WeakKeyDictionary()
"""Worked out once for each game that is there: it is asked after every answer, of many games in turn."""


def heard(game: model.Game, site: str, value: Value) -> str:
    """Return what everybody hears of an answer to a question: `WORDS`, a `VALUE`, or nothing (""). A
    verb that is chosen is told by its beginning."""
    if isinstance(value, Taken) or _has_verb(value):
        return ""
    return spoken_sites(game).get(site, "")


def _has_verb(value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return any(isinstance(item, VerbValue) for item in items)


def spoken_sites(game: model.Game) -> Mapping[str, str]:
    """Return the place names of the questions that are answered aloud, and what is answered there."""
    found = _SPOKEN_SITES.get(game)
    if found is None:
        found = _SPOKEN_SITES[game] = _spoken_sites(game)
    return found


def _spoken_sites(game: model.Game) -> Mapping[str, str]:
    effects = effects_of(game)
    spoken = _SpokenAnswers(game, effects)
    together = _together(game, effects)
    found: dict[str, str] = {}
    silent = set()
    for unit, plan in plans_of(game).items():
        for node in plan.nodes:
            if not isinstance(node, Decide):
                continue
            at_once = unit in together or any(
                isinstance(plan.nodes[loop], Fork) for loop in node.loops
            )
            what = "" if at_once else spoken.heard(unit, node.step)
            if what and found.setdefault(node.site, what) == what:
                continue
            silent.add(node.site)
    return {site: what for site, what in found.items() if site not in silent}


def public_kinds(game: model.Game) -> frozenset[str]:
    """Return the kinds whose things lie where everybody sees them, wherever they lie."""
    return frozenset(
        kind
        for kind in game.kinds
        if all(
            _is_open(field)
            for field in game.fields.values()
            if isinstance(field.type, types.ZoneType)
            and field.type.kind in (types.ThingType(kind), types.ANYTHING)
        )
    )


def _together(game: model.Game, effects: GameEffects) -> frozenset[str]:
    """Return the verbs that may run while several act at once."""
    found: set[str] = set()
    for block in visitor.all_blocks(game):
        for step in visitor.statements_in(block):
            if isinstance(step, model.As) and step.together:
                for verb in effects.called(step.block):
                    found |= {verb, *effects.reached(verb)}
    return frozenset(found)


class _SpokenAnswers:
    """Decides of single questions whether they are answered aloud."""

    def __init__(self, game: model.Game, effects: GameEffects) -> None:
        self.game = game
        self.effects = effects
        self.openness = Openness(effects)
        self.public_kinds = public_kinds(game)

    def heard(self, unit: str, step: object) -> str:
        """Return what everybody hears of the answer to the question of a step."""
        match step:
            # Where somebody may take an offer, that he does not is told by what follows.
            case model.Either(arms=arms, taken=None):
                labels = [arm.label for arm in arms]
                blocks = [arm.block for arm in arms]
            case model.May(label=label, block=block):
                labels, blocks = [label], [block]
            case model.Choose() | model.Split():
                return VALUE if self._is_open_choice(unit, step) else ""
            case _:
                return ""
        if not all(self._is_plain(unit, label) for label in labels):
            return ""
        # What is left out by a stop tells as much as what is done.
        stops = any(isinstance(part, model.Stop) for part in self.effects.running(tuple(blocks)))
        touched = self.effects.unit(unit).writes if stops else frozenset()
        for block in blocks:
            touched |= self.effects.block(block).writes
        return WORDS if self._are_open(touched) else ""

    def _is_open_choice(self, unit: str, step: model.Choose | model.Split) -> bool:
        parts = [step.source, step.such_that]
        parts += (
            [step.low, step.high] if isinstance(step, model.Choose) else [step.total, step.limit]
        )
        element = types.element(step.source.type)
        if element is not None and not self._is_public_type(types.without_none(element)):
            return False
        if not self.openness.is_public(unit, *parts):
            return False
        return self._are_open(self.effects.unit(unit).writes)

    def _is_public_type(self, found: types.Type) -> bool:
        if isinstance(found, types.ThingType):
            return found.kind == "Player" or found.kind in self.public_kinds
        return isinstance(found, types.NumberType | types.FlagType | types.EnumType)

    def _is_plain(self, unit: str, label: model.Expression) -> bool:
        """Return whether a label tells nothing but what everybody sees: no name of the verb either, since
        that may have been chosen in secret."""
        return self.openness.is_public(unit, label) and not any(
            isinstance(part, model.Local)
            or (
                isinstance(types.without_none(part.type), types.ThingType)
                and not self._is_public_type(types.without_none(part.type))
            )
            for part in visitor.through_defines(self.game, label)
        )

    def _are_open(self, touched: frozenset[str]) -> bool:
        fields = self.game.fields
        return all(_is_open(fields[name]) for name in touched if name in fields)


def _is_open(field: model.Field) -> bool:
    if field.printed or field.internal:
        return True
    return field.viewers.who == field.count_viewers.who == "everybody"
