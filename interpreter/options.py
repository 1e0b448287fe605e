"""Options and rulings: what the players chose in, the values that a game is loaded with out.

What nobody chose has its default, as the variants that are on amend it. A default may read other
options, and tables (`dsl.loading_order`).
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulewright.dsl import kinds, model
from rulewright.dsl.source import Span
from rulewright.interpreter.errors import PlayError
from rulewright.interpreter.evaluate import Evaluator
from rulewright.interpreter.layout import Layout
from rulewright.interpreter.store import blank
from rulewright.interpreter.values import Value

FLAGS: Mapping[str, bool] = {"yes": True, "no": False}


def give_options(layout: Layout, given: Mapping[str, Value]) -> None:
    """Fill in the options that somebody has chosen."""
    options = layout.game.options
    for name in given:
        if name not in options:
            raise ValueError(f"no option or ruling is called `{name}`")
    for name, value in given.items():
        layout.options[name] = option_value(layout, options[name], value)


def default_option(layout: Layout, name: str) -> None:
    """Fill in an option that nobody has chosen; all that it reads is known."""
    if name not in layout.options:
        layout.options[name] = _default(layout, layout.game.options[name])


def check_options(layout: Layout, given: Mapping[str, Value]) -> None:
    """Raise `PlayError` for an option that is out of its range."""
    for name, option in layout.game.options.items():
        changes = layout.game.option_changes.get(name, ())
        span = changes[-1].span if changes and name not in given else option.span
        _check_range(layout, option, layout.options[name], span)


def option_value(layout: Layout, option: model.OptionItem, given: Value) -> Value:
    """Return a chosen value as a value of the rules; words and digits are understood."""
    match option.type:
        case kinds.EnumType(name):
            for value in layout.enums[name]:
                if given is value or given == value.value:
                    return value
        case kinds.FlagType():
            if isinstance(given, bool):
                return given
            if given in FLAGS:
                return FLAGS[given]
        case kinds.NumberType():
            if isinstance(given, int) and not isinstance(given, bool):
                return given
            if isinstance(given, str) and given.removeprefix("-").isdecimal():
                return int(given)
        case kinds.TextType():
            if isinstance(given, str):
                return given
        case kinds.OptionalType(inner):
            if given is None or given == "none":
                return None
            return option_value(layout, attrs.evolve(option, type=inner), given)
        case _:
            return given
    raise PlayError("RW507", option.span, found=given, name=option.name)


def decided(layout: Layout) -> dict[str, Value]:
    """Return the options of a loaded game that are not as they would be if nobody had chosen."""
    return {
        name: layout.options[name]
        for name, option in layout.game.options.items()
        if layout.options[name] != _default(layout, option)
    }


def in_words(value: Value) -> str:
    """Return the value of an option as it can be written on a command line."""
    if isinstance(value, bool):
        return next(word for word, flag in FLAGS.items() if flag is value)
    return "none" if value is None else str(getattr(value, "value", value))


def _default(layout: Layout, option: model.OptionItem) -> Value:
    evaluator = Evaluator(layout.game, layout)
    code = evaluator.changed(
        evaluator.expression(option.default),
        layout.game.option_changes.get(option.name, ()),
    )
    return code(blank(layout), None, {})


def _check_range(layout: Layout, option: model.OptionItem, value: Value, span: Span) -> None:
    """Raise `PlayError` if a value is outside of its range; `span` is what says the value."""
    evaluator, store = Evaluator(layout.game, layout), blank(layout)
    for bound, below in ((option.low, True), (option.high, False)):
        if bound is None or value is None:
            continue
        limit = evaluator.expression(bound)(store, None, {})
        if limit is not None and (value < limit if below else value > limit):
            raise PlayError("RW507", span, found=value, name=option.name)
