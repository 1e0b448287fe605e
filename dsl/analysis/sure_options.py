"""Whether a decision is proved to have an option: a list that cannot be empty, one that has been tested
not to be empty, a number of 0 or more, `or stop`, a verb that has been asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.dsl.model.builtins import FUNCTION_BY_NAME
from rulewright.dsl.model.types import ZoneType

Tested = frozenset[model.Expression]


def holding(condition: model.Expression) -> Tested:
    """Return the lists that are not empty, and the verbs that can be done, if a condition holds."""
    match condition:
        case model.Needed(value=value):
            return holding(value)
        case model.And(left=left, right=right):
            return holding(left) | holding(right)
        case model.Not(operand=operand):
            return failing(operand)
        case model.IsEmpty(source=source, negated=True):
            return frozenset({source})
        case model.Can():
            return frozenset({condition})
        case model.Compare(word=word, left=left, right=right):
            return _counted(word, left, right)
    return frozenset()


def failing(condition: model.Expression) -> Tested:
    """Return the same if a condition does not hold."""
    match condition:
        case model.Needed(value=value):
            return failing(value)
        case model.Or(left=left, right=right):
            return failing(left) | failing(right)
        case model.Not(operand=operand):
            return holding(operand)
        case model.IsEmpty(source=source, negated=False):
            return frozenset({source})
        case model.Compare(word=word, left=left, right=right) if word in _OPPOSITE:
            return _counted(_OPPOSITE[word], left, right)
    return frozenset()


_OPPOSITE = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _counted(word: str, left: model.Expression, right: model.Expression) -> Tested:
    """Return the list of which a comparison tells that there is something in it."""
    if isinstance(left, model.Constant) and word in _TURNED:
        left, right, word = right, left, _TURNED[word]
    match left, right:
        case (
            model.Builtin(name="count", arguments=(source,)),
            model.Constant(value=int(number)),
        ):
            some = {">": number >= 0, ">=": number > 0, "is": number > 0, "is not": number == 0}
            return frozenset({source}) if some.get(word, False) else frozenset()
    return frozenset()


def can_be_done(call: model.CallVerb, tested: Tested) -> bool:
    """Return whether it has just been asked whether this can be done."""
    given = tuple(one.value if isinstance(one, model.Needed) else one for one in call.arguments)
    for one in tested:
        match one:
            case model.Can(verb=model.VerbOf(verbs=(call.verb,), arguments=arguments)):
                if arguments == given:
                    return True
    return False


def possible(choose: model.Choose | model.Split, tested: Tested, game: model.Game) -> bool:
    """Return whether a `choose` is proved to have an option."""
    if isinstance(choose, model.Split):
        if choose.or_stop or (isinstance(choose.total, model.Constant) and not choose.total.value):
            return True
        if choose.limit is not None or choose.such_that is not None:
            return False
        return _is_tested(choose.source, tested) or never_empty(choose.source, game)
    if choose.or_stop:
        return True
    if choose.such_that is not None:
        return False
    if choose.word in ("any", "up_to", "ordered", "count"):
        at_least_0 = choose.high is None or not_negative(choose.high, game)
        none = choose.word != "count"
        if isinstance(choose.low, model.Constant):
            none = choose.low.value == 0
        return at_least_0 and none
    return _is_tested(choose.source, tested) or never_empty(choose.source, game)


def never_empty(source: model.Expression, game: model.Game) -> bool:
    """Return whether a list can be seen to hold something."""
    match source:
        case model.ListOf(items=items):
            return bool(items)
        case model.EnumValues() | model.Seats():
            return True
        case model.Everything(kind=kind):
            return kind not in game.created | game.destroyed
        case model.Arithmetic(word="+", left=left, right=right):
            return never_empty(left, game) or never_empty(right, game)
        case model.Numbers(low=model.Constant(value=low), high=model.Constant(value=high)):
            return isinstance(low, int) and isinstance(high, int) and low <= high
        case model.Numbers(low=model.Constant(value=0), high=high):
            return not_negative(high, game)
        case model.Conditional(then=then, otherwise=otherwise):
            return never_empty(then, game) and never_empty(otherwise, game)
    inner = same_filling(source)
    return inner is not None and never_empty(inner, game)


def same_filling(source: model.Expression) -> model.Expression | None:
    """Return a list that is empty if and only if this one is, if there is one in it."""
    return next((part for part, use in visitor.used(source) if use.filled), None)


def is_zone(source: model.Expression, game: model.Game) -> bool:
    """Return whether a list is all that lies in a zone."""
    return isinstance(source, model.Read) and isinstance(game.fields[source.field].type, ZoneType)


def not_negative(number: model.Expression, game: model.Game) -> bool:
    """Return whether a number is seen to be 0 or more."""
    match number:
        case model.Constant(value=int(value)):
            return value >= 0
        case model.Builtin(name=name) if FUNCTION_BY_NAME[name].sign == "natural":
            return True
        case model.Builtin(name=name, arguments=(model.ListOf(items=items),)):
            kept = FUNCTION_BY_NAME[name].sign == "kept"
            return kept and all(not_negative(one, game) for one in items)
        case model.Read(field=field):
            low = game.fields[field].low
        case model.OptionValue(name=name) if not game.option_changes.get(name):
            low = game.options[name].low
        case model.Arithmetic(word="+" | "*" | "/", left=left, right=right):
            return not_negative(left, game) and not_negative(right, game)
        case model.Conditional(then=then, otherwise=otherwise):
            return not_negative(then, game) and not_negative(otherwise, game)
        case model.DefineCall(define=define) if define in game.defines:
            called = game.defines[define]
            plain = not (called.changes or called.lines or _calls_more(called.body))
            return plain and not_negative(called.body, game)
        case _:
            return False
    return low is not None and not_negative(low, game)


def _calls_more(body: model.Expression) -> bool:
    # One step deep is enough, and a circle of defines has no end.
    return any(isinstance(one, model.DefineCall) for one in visitor.nodes_in(body))


def is_open(arm: model.Arm, tested: Tested, game: model.Game) -> bool:
    """Return whether an arm is always there."""
    return arm.guard is None or met(arm.guard, tested, game)


def _is_tested(source: model.Expression, tested: Tested) -> bool:
    """Return whether a list has been found not to be empty, or one that is empty only with it."""
    filled: model.Expression | None = source
    while filled is not None:
        if filled in tested:
            return True
        filled = same_filling(filled)
    return False


def met(condition: model.Expression, tested: Tested, game: model.Game) -> bool:
    """Return whether a condition is proved to hold."""
    match condition:
        case model.Constant(value=value):
            return value is True
        case model.Needed(value=inner):
            return met(inner, tested, game)
        case model.And(left=left, right=right):
            return met(left, tested, game) and met(right, tested, game)
        case model.Or(left=left, right=right):
            return met(left, tested, game) or met(right, tested, game)
        case model.IsEmpty(source=source, negated=True):
            return _is_tested(source, tested) or never_empty(source, game)
        case model.Can():
            return condition in tested
    return False


# ---------------------------------------------------------------------------- what has been chosen

NamedChoices = Mapping[str, model.Choose | model.Split]
"""The choices that names of a verb stand for."""


def may_be_nothing(value: model.Expression, given: NamedChoices) -> bool:
    """Return whether a list has been chosen, and nothing could be chosen as well."""
    if not isinstance(value, model.Local):
        return False
    chosen = given.get(value.name)
    return chosen is not None and _may_be_nothing(chosen)


def _may_be_nothing(chosen: model.Choose | model.Split) -> bool:
    match chosen:
        case model.Choose(word="any" | "up_to", such_that=None):
            return True
    return False


def chosen_ways(
    conditions: Sequence[model.Expression], chosen: model.Choose | model.Split, game: model.Game
) -> Collection[int]:
    """Return the numbers of the conditions, tested one after the other, of which one can be chosen that it is
    the first to hold of it (that behind the last one: none holds). No numbers if that cannot be seen."""
    wanted: list[object] = []
    for condition in conditions:
        match condition:
            case model.IsEmpty(source=model.Local(name=chosen.name), negated=negated):
                alone = len(conditions) == 1 and _may_be_nothing(chosen)
                return (1 if negated else 0,) if alone else ()
            case model.Compare(
                word="is",
                left=model.Local(name=chosen.name),
                right=model.Constant(value=value) | model.EnumConstant(value=value),
            ):
                wanted.append(value)
            case _:
                return ()
    match chosen:
        case model.Choose(word="one", such_that=None, source=source):
            choices = _written_out(source, game)
        case _:
            return ()
    ways = [n for n, one in enumerate(wanted) if one in choices and one not in wanted[:n]]
    if any(one not in wanted for one in choices):
        ways.append(len(wanted))
    return ways


def _written_out(source: model.Expression, game: model.Game) -> Sequence[object]:
    """Return the values in a list that is written out, or none."""
    match source:
        case model.EnumValues(enum=enum):
            return game.enumerations[enum].values
        case model.Numbers(
            low=model.Constant(value=int(low)), high=model.Constant(value=int(high))
        ):
            return range(low, high + 1)
        case model.ListOf(items=items):
            return [
                one.value for one in items if isinstance(one, model.Constant | model.EnumConstant)
            ]
    return ()
