"""Why something is not possible: reasons, and what a requirement came to that is not met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import Section, visitor
from rulewright.dsl.text.source import Span
from rulewright.interpreter.explain.breakdown import breakdown
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion
from rulewright.interpreter.semantics.closures import Compiler, text_of
from rulewright.interpreter.state.errors import Horizon, PlayError, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


@attrs.frozen
class Reason:
    """Why an answer, or a decision, is not possible."""

    text: str
    op: Op = attrs.field(eq=False)
    span: Span = attrs.field(eq=False)
    see: tuple[Section, ...] = attrs.field(eq=False)
    kind: str
    """`need`, `choose` or `either`."""

    values: tuple[tuple[str, Value], ...] = attrs.field(default=(), eq=False)
    """What the parts of the condition of a `need` were: (rule text, value)."""

    behind: tuple[Reason, ...] = attrs.field(default=(), eq=False)
    """Of a `need` that asks whether something `can` be done: why that is not possible."""

    changes: tuple[str, ...] = attrs.field(default=(), eq=False)
    """How the amended values in it came about."""


def text_of_need(program: Program, store: Store, op: Op, frame: Frame) -> str:
    """Return why a requirement is not met, in the author's words; a rules error if that tells the
    player what he does not see."""
    reason, me = op.step.reason, frame.me
    code = program.evaluator.expression(reason)
    viewer, asking = store.viewer, store.asking
    store.viewer = None
    if me is not None and program.evaluator.watched_questions.may_peek(reason):
        store.viewer, store.asking = me, op.span
    try:
        return str(code(store, me, frame.locals))
    finally:
        store.viewer, store.asking = viewer, asking


def values_of(
    program: Program,
    store: Store,
    condition: model.Expression,
    me: Thing | None,
    locals: Locals,
) -> Iterator[tuple[str, Value]]:
    """Yield what the parts of a condition are: the sides of its comparisons, as rule text."""
    match condition:
        case model.And(left=left, right=right) | model.Or(left=left, right=right):
            yield from values_of(program, store, left, me, locals)
            yield from values_of(program, store, right, me, locals)
        case model.Not(operand=operand):
            yield from values_of(program, store, operand, me, locals)
        case model.Compare(left=left, right=right):
            for side in (left, right):
                if isinstance(side, model.Constant | model.EnumConstant):
                    continue
                try:
                    value = program.evaluator.expression(side)(store, me, locals)
                except (PlayError, Undecided, Horizon):
                    # What a part further left has kept from being read, or nobody may know.
                    continue
                if isinstance(side, model.DefineCall):
                    # How it came about is a text, and so a value.
                    value = (
                        breakdown(side, Viewpoint(program.evaluator, store, me, locals, me))
                        or value
                    )
                yield " ".join(side.span.text.split()), value


def nothing_there(program: Program, asked: OpenQuestion) -> Reason:
    """Return why no option of a decision is possible."""
    question, words = asked.question, program.evaluator.words
    if question.kind == "either":
        op = question.op
        return Reason(words("no arm is possible"), op, op.span, op.see, "either")
    if question.kind == "split":
        if asked.items:
            return nothing_fits(program, asked)
        return _lacking(program, asked, "nobody to give it to: {name}")
    if question.kind != "several":
        return _lacking(program, asked, "nothing to choose: {name}")
    if asked.low <= len(asked.items):
        return nothing_fits(program, asked)
    return _lacking(program, asked, "not enough for {name}")


def nothing_fits(program: Program, asked: OpenQuestion) -> Reason:
    """Return that no selection meets its condition."""
    return _lacking(program, asked, "no selection for {name}")


def _lacking(program: Program, asked: OpenQuestion, text: str) -> Reason:
    op, word, words = asked.question.op, asked.question.word, program.evaluator.words
    name = words.known.get(word.replace("_", " "), word)
    return Reason(words(text, name=name), op, op.span, op.see, "choose")


def in_source_order(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return reasons as they stand in the rules."""
    return tuple(sorted(reasons, key=lambda reason: (reason.span.source.name, reason.span.start)))


# --------------------------------------------------------------------------------------- amended by


MOST_LINES = 6
DEEPEST = 6


def amended_values_in(expression: model.Node, viewpoint: Viewpoint) -> tuple[str, ...]:
    """Return how the amended values came about that an expression reads, each once."""
    return tuple(dict.fromkeys(_lines(expression, viewpoint, DEEPEST)))[:MOST_LINES]


def amended_values_at(compiler: Compiler, store: Store, step: model.Statement) -> tuple[str, ...]:
    """Return how the values came about at which the innermost frame cannot go on."""
    frame = store.frames[-1]
    viewpoint = Viewpoint(compiler, store, frame.me, dict(frame.locals), frame.me)
    match step:
        case model.Need(condition=expression) | model.Choose(source=expression):
            return amended_values_in(expression, viewpoint)
    return ()


def place_of(span: Span) -> str:
    """Return where something is written, as `file:line`."""
    return f"{span.source.name}:{span.line}"


def _lines(expression: model.Node, viewpoint: Viewpoint, deep: int) -> Iterator[str]:
    if not deep:
        return
    game = viewpoint.compiler.game
    for part in visitor.nodes_in(expression):
        match part:
            case model.DefineCall():
                define = game.defines[part.define]
                if define.changes:
                    yield _of_call(part, define.changes, viewpoint)
                nodes = [define.body, *(line.value for line in define.lines)]
                nodes += [change.value for change in define.changes]
                inner = _inside(part, define, viewpoint)
                for node in nodes:
                    yield from _lines(node, inner, deep - 1)
            case model.OptionValue(name=name):
                changes = game.option_changes.get(name, ())
                if changes:
                    yield f"{name} ({_authors(changes, game)})"


def _of_call(call: model.DefineCall, changes: Sequence[model.Changed], viewpoint: Viewpoint) -> str:
    name = text_of(call.span)
    try:
        steps = breakdown(call, viewpoint)
    except KeyError:
        steps = None  # a name of a list that is gone through, or of a choice still to come
    if steps is None:
        return f"{name} ({_authors(changes, viewpoint.compiler.game)})"
    places = ", ".join(dict.fromkeys(place_of(change.span) for change in changes))
    return f"{viewpoint.compiler.words('{text} is {value}', text=name, value=steps)} ({places})"


def _authors(changes: Sequence[model.Changed], game: model.Game) -> str:
    said = (f"{one.title or game.title}, {place_of(one.span)}" for one in changes)
    return "; ".join(dict.fromkeys(said))


def _inside(call: model.DefineCall, define: model.Define, viewpoint: Viewpoint) -> Viewpoint:
    """Return what is known inside a define that is asked: about whom, and its parameters so far as they
    can be told."""
    me = viewpoint.me
    if call.me is not None:
        known, asked = _value(call.me, viewpoint)
        me = asked if known and asked is not None else me
    given = {}
    for name, argument in zip(define.parameters, call.arguments, strict=True):
        if not isinstance(argument, model.Lambda | model.PlaceLambda | model.Place):
            known, value = _value(argument, viewpoint)
            if known:
                given[name] = value
    return attrs.evolve(viewpoint, me=me, locals=given)


def _value(expression: model.Expression, viewpoint: Viewpoint) -> tuple[bool, Value]:
    try:
        return viewpoint.value(expression)
    except KeyError:
        return False, None
