"""Who has changed the values that an expression reads: an expression and where it is read in, a line for
each amended value out.

    limit is 3 + 1 Sun Dial = 4 (sun_dial.rules:4)

Defines are followed into the defines that they ask, so that a number is found that stands three values
deep. The steps to a number are those of `breakdown`; of what is no number, or cannot be told here (a value of
each thing of a list), only who amends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model, walk
from rulewright.dsl.source import Span
from rulewright.interpreter.breakdown import breakdown
from rulewright.interpreter.compiling import Compiler, text_of
from rulewright.interpreter.eyes import Eyes
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value

MOST_LINES = 6
DEEPEST = 6


def told(expression: model.Node, eyes: Eyes) -> tuple[str, ...]:
    """Return how the amended values came about that an expression reads, each once."""
    return tuple(dict.fromkeys(_lines(expression, eyes, DEEPEST)))[:MOST_LINES]


def at_step(compiler: Compiler, store: Store, step: model.Statement) -> tuple[str, ...]:
    """Return how the values came about at which the innermost frame cannot go on."""
    frame = store.frames[-1]
    eyes = Eyes(compiler, store, frame.me, dict(frame.locals), frame.me)
    match step:
        case model.Need(condition=expression) | model.Choose(source=expression):
            return told(expression, eyes)
    return ()


def place_of(span: Span) -> str:
    """Return where something is written, as `file:line`."""
    return f"{span.source.name}:{span.line}"


def _lines(expression: model.Node, eyes: Eyes, deep: int) -> Iterator[str]:
    if not deep:
        return
    game = eyes.compiler.game
    for part in walk.everything_in(expression):
        match part:
            case model.DefineCall():
                define = game.defines[part.define]
                if define.changes:
                    yield _of_call(part, define.changes, eyes)
                nodes = [define.body, *(line.value for line in define.lines)]
                nodes += [change.value for change in define.changes]
                inner = _inside(part, define, eyes)
                for node in nodes:
                    yield from _lines(node, inner, deep - 1)
            case model.OptionValue(name=name):
                changes = game.option_changes.get(name, ())
                if changes:
                    yield f"{name} ({_authors(changes, game)})"


def _of_call(call: model.DefineCall, changes: Sequence[model.Changed], eyes: Eyes) -> str:
    name = text_of(call.span)
    try:
        steps = breakdown(call, eyes)
    except KeyError:
        steps = None  # a name of a list that is gone through, or of a choice still to come
    if steps is None:
        return f"{name} ({_authors(changes, eyes.compiler.game)})"
    places = ", ".join(dict.fromkeys(place_of(change.span) for change in changes))
    return f"{eyes.compiler.words('{text} is {value}', text=name, value=steps)} ({places})"


def _authors(changes: Sequence[model.Changed], game: model.Game) -> str:
    said = (f"{one.title or game.title}, {place_of(one.span)}" for one in changes)
    return "; ".join(dict.fromkeys(said))


def _inside(call: model.DefineCall, define: model.Define, eyes: Eyes) -> Eyes:
    """Return what is known inside a define that is asked: about whom, and its parameters so far as they
    can be told."""
    me = eyes.me
    if call.me is not None:
        known, asked = _value(call.me, eyes)
        me = asked if known and asked is not None else me
    given = {}
    for name, argument in zip(define.parameters, call.arguments, strict=True):
        if not isinstance(argument, model.Lambda | model.PlaceLambda | model.Place):
            known, value = _value(argument, eyes)
            if known:
                given[name] = value
    return attrs.evolve(eyes, me=me, locals=given)


def _value(expression: model.Expression, eyes: Eyes) -> tuple[bool, Value]:
    try:
        return eyes.value(expression)
    except KeyError:
        return False, None
