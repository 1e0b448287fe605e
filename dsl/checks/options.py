"""Options: what they depend on must be known before the game begins, and must not go in a circle.

    option hand_size: number = count(leader.hand)    # nobody has a hand yet
    option first: number = second
    option second: number = first                    # neither has a value

Options and rulings are fixed when a game starts; they may read one another, printed fields, and who
plays.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.link.loading_order import option_values
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the values of options."""
    for name in game.options:
        for expression in _expressions(game, name):
            yield from _state(game, expression)
    seen: set[str] = set()
    for name in game.options:
        circle = _circle(game, name)
        if circle and not seen & set(circle):
            seen |= set(circle)
            notes = [f"`{name}` reads {', which reads '.join(f'`{one}`' for one in circle)}"]
            span = game.options[name].span
            help = "in a change, the value so far is called `original`"
            yield diagnostic("RW313", span, help=help, notes=notes, name=name)


def _expressions(game: model.Game, name: str) -> Iterator[model.Expression]:
    yield from option_values(game, name)
    for bound in (game.options[name].low, game.options[name].high):
        if bound is not None:
            yield bound


def _state(game: model.Game, expression: model.Expression) -> Iterator[Diagnostic]:
    for node in visitor.through_defines(game, expression):
        field = game.fields[node.field] if isinstance(node, model.Read) else None
        if field is not None and not field.printed:
            yield diagnostic(
                "RW203",
                expression.span,
                "options are fixed before the game begins",
                secondary=(Label(field.span, "this changes in the game"),),
                name=field.name,
                found="field that changes",
                kind="value for an option",
            )
            return


def _circle(game: model.Game, name: str) -> tuple[str, ...]:
    """Return the options that an option reads in a row until it comes back to itself."""
    waiting: list[tuple[str, ...]] = [(name,)]
    seen: set[str] = set()
    while waiting:
        way = waiting.pop(0)
        for other in _read_by(game, way[-1]):
            if other == name:
                return (*way[1:], name)
            if other not in seen:
                seen.add(other)
                waiting.append((*way, other))
    return ()


def _read_by(game: model.Game, name: str) -> Iterator[str]:
    for expression in _expressions(game, name):
        for node in visitor.through_defines(game, expression):
            if isinstance(node, model.OptionValue) and node.name in game.options:
                yield node.name
