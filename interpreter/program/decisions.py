"""Answers: which are possible at the pending decision, and what an answer does to a store.

`options` are the answers as they stand; which of them live, only the look-ahead knows. An answer is
written into the top frame and leads to the next node; nothing else happens here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

import attrs

from rulewright.interpreter.ir.machine import CHANCE, DEAD, Op, me_of
from rulewright.interpreter.program.distribution import shares
from rulewright.interpreter.program.program import DecisionCache, Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion, Question, ask, fits, whole
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.events import ALIKE, ChanceStop, draw_one, meet_chance
from rulewright.interpreter.semantics.labels import told_apart
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, IllegalActionError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import DECISIONS, OPENED, SCALARS
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Thing, Value

MOVED = 0
"""The answer is complete; the frame stands at the next node."""

STAYS = 1
"""The answer was a piece; the decision goes on."""


@attrs.frozen
class Pending:
    """A decision that waits for an answer."""

    player: Thing
    op: Op
    site: str


def pending(program: Program, store: Store) -> Pending | None:
    """Return the decision that waits, or None: the game is over, or chance must be told."""
    if not store.frames:
        return None
    frame = store.frames[-1]
    op = program.op(frame)
    if op.kind != "decide" or store.transaction is None or ALIKE in frame.locals:
        return None
    if program.layout.is_neutral(me_of(frame)):
        # Chance decides, and a driver must say what it brings.
        return None
    return Pending(me_of(frame), op, op.site)


def open_transaction(program: Program, store: Store, me: Thing) -> None:
    """Begin a transaction, unless one of this player is running: it ends with the pass of the
    innermost `as` or `repeat` around here, counted through the calling verbs."""
    if store.transaction is not None and store.transaction[0] is me:
        return
    depth, loop = 0, -1
    for number in range(len(store.frames) - 1, -1, -1):
        cut = program.op(store.frames[number]).cut
        if cut >= 0:
            depth, loop = number, cut
            break
    store.transaction = (me, depth, loop)
    store.viewer = me
    if program.offers:
        store.columns[SCALARS][OPENED] = True


def question_of(op: Op) -> Question:
    """Return the question of a decision."""
    question: Question = op.question
    return question


def current(program: Program, store: Store) -> OpenQuestion:
    """Return the pending question with its options; worked out once."""
    asked: OpenQuestion = decision_cache(program, store).asked
    return asked


def decision_cache(program: Program, store: Store) -> DecisionCache:
    """Return what is known about the pending decision."""
    frame = store.frames[-1]
    decisions = store.columns[SCALARS][DECISIONS]
    cache = program.decision_cache
    if (
        cache is None
        or cache.store is not store
        or cache.frame is not frame
        or cache.node != frame.node
        or cache.decisions != decisions
    ):
        cache = cache_decision(program, store)
    return cache


def cache_decision(
    program: Program, store: Store, asked: OpenQuestion | None = None
) -> DecisionCache:
    """Begin anew with what is known about the pending decision; `asked` is its question if somebody has
    asked it already."""
    frame = store.frames[-1]
    # To look at what may be answered changes nothing, whatever it reads.
    viewer, transaction = store.viewer, store.transaction
    store.allowance = TICKS_PER_STEP, None
    if asked is None:
        asked = asked_openly(program, store, frame, question_of(program.op(frame)))
    offers = open_offers(program, store, frame) if program.offers else ()
    store.viewer, store.transaction = viewer, transaction
    decisions = store.columns[SCALARS][DECISIONS]
    cache = program.decision_cache = DecisionCache(store, frame, decisions, asked, offers)
    for refuted in store.refuted:
        cache.alive[refuted.value] = False
    return cache


def asked_openly(program: Program, store: Store, frame: Frame, question: Question) -> OpenQuestion:
    """Return a question with its options; a rules error if they depend on what its player does not
    see."""
    if not question.peeks or frame.me is not store.viewer:
        return ask(program.alike, store, frame, question)
    store.asking = question.op.span
    try:
        return ask(program.alike, store, frame, question)
    finally:
        store.asking = None


def open_offers(program: Program, store: Store, frame: Frame) -> tuple[Taken, ...]:
    """Return the offers whose guards hold beside the decision at which a frame on top stands: at a
    `pause`, or where nothing has been answered yet in the transaction and no offer is being carried
    out."""
    if question_of(program.op(frame)).taken is None and (
        not store.is_beginning or any(one.unit in program.offers for one in store.frames)
    ):
        return ()
    if frame.me not in program.layout.players:
        return ()
    closed: Container[str] = ()
    if store.fork is not None:
        # What they do could not be joined with what the others do at the same time.
        around = store.fork.frames[-1]
        closed = program.closed_in(around.unit, around.node)
    return tuple(
        one.value
        for id, one in program.offers.items()
        if id not in closed and one.open(store, frame.me, {})
    )


def offers(program: Program, store: Store) -> tuple[Taken, ...]:
    """Return the offers that stand beside the options of the pending decision."""
    return decision_cache(program, store).offers if program.offers else ()


def options(program: Program, store: Store) -> Sequence[Value]:
    """Return the answers as they stand, in their order; a big range of numbers stays one."""
    return current(program, store).options


def give(program: Program, store: Store, asked: OpenQuestion, frame: Frame, value: Value) -> int:
    """Write an answer into the frame; return `MOVED`, `STAYS`, `DEAD` or `CHANCE`."""
    question = asked.question
    if type(value) is Taken:
        if question.taken is not None:
            frame.node = question.taken
        store.frames.append(Frame(value.offer, 0, {}, frame.me))
        return MOVED
    match question.kind:
        case "may" | "either":
            frame.node = question.ways[int(value)]
            return MOVED
        case "numbers":
            frame.locals[question.name] = value
            frame.node = question.ways[0]
            return MOVED
    if value is DONE:
        return finish(store, asked, frame)
    if question.kind == "split":
        return _take(program, store, asked, frame, value)
    group = asked.group(value)
    if len(group) > 1 and program.alike.differ(store, group):
        # Somebody can tell them apart, but not the one who chooses: chance takes one.
        if store.trail is not None:
            raise Horizon
        meet_chance(store)
        meant = program.alike.meant(store, group)
        frame.locals[ALIKE] = meant
        return take_alike(program, store, asked, frame)
    return _take(program, store, asked, frame, value)


def take_alike(program: Program, store: Store, asked: OpenQuestion, frame: Frame) -> int:
    """Let chance say which of some alike things an answer means."""
    try:
        value = draw_one(store, frame.locals[ALIKE])
    except ChanceStop:
        return CHANCE
    del frame.locals[ALIKE]
    return _take(program, store, asked, frame, value)


def _take(program: Program, store: Store, asked: OpenQuestion, frame: Frame, value: Value) -> int:
    question = asked.question
    if question.kind == "one":
        frame.locals[question.name] = value
        frame.node = question.ways[0]
        return MOVED
    frame.locals[question.partial] = (*asked.picked, value)
    after = ask(program.alike, store, frame, question)
    if after.complete:
        return finish(store, after, frame)
    return STAYS if after.options else DEAD


def finish(store: Store, asked: OpenQuestion, frame: Frame) -> int:
    """Make what has been picked the value of the `choose`, if it meets its condition."""
    chosen = whole(store, asked)
    if asked.frame is not frame:
        asked.frame = frame
    if not fits(store, asked, chosen):
        return DEAD
    finish_with(asked, frame, chosen)
    return MOVED


def finish_with(asked: OpenQuestion, frame: Frame, chosen: Value) -> None:
    """Make something that meets the condition the value of the `choose`."""
    question = asked.question
    frame.locals.pop(question.partial, None)
    frame.locals[question.name] = chosen
    frame.node = question.ways[0]


def option_for(program: Program, store: Store, value: Value) -> Value:
    """Return the option that an answer means: of alike things any one may be named."""
    asked = current(program, store)
    if type(value) is Taken:
        if value in offers(program, store):
            return value
    elif isinstance(asked.options, range):
        # To Python 1.0 and True are in it, too.
        if type(value) is int and value in asked.options:
            return value
    else:
        for option in asked.options:
            if option == value or (option is not DONE and value in asked.named(option)):
                return option
    raise IllegalActionError(f"{value!r} is no answer at {asked.question.op.site}")


def prompt(program: Program, store: Store) -> str | None:
    """Return the text of `ask` of the pending decision, as its player sees it."""
    asked = current(program, store)
    code = asked.question.prompt
    if code is None:
        return None
    frame = store.frames[-1]
    text = str(_read_by(store, frame, asked.question, code))
    return program.evaluator.words.name(text)


def told(program: Program, store: Store, value: Value) -> str:
    """Return how an answer is told: of a distribution who gets what, as far as that is settled."""
    asked = current(program, store)
    (label,) = option_labels(program, store, [value])
    if asked.question.kind != "split" or value is DONE:
        return label
    before = store.frames[-1].locals.get(asked.question.partial, ())
    total = asked.left + sum(asked.picked)
    after = shares(total, asked.caps, (*asked.picked, value)).given
    named = tuple(zip(targets(program, store), after, strict=False))[len(before) :]
    return ", ".join(f"{name} {amount}" for name, amount in named if amount) or (
        program.evaluator.words("nothing")
    )


def targets(program: Program, store: Store) -> tuple[str, ...]:
    """Return among whom something is distributed, each by another name."""
    asked = current(program, store)
    return _told_apart(program, store, asked.items)


def target(program: Program, store: Store) -> str:
    """Return who gets the next part of a distribution."""
    return targets(program, store)[len(current(program, store).picked)]


def option_labels(program: Program, store: Store, values: Sequence[Value]) -> tuple[str, ...]:
    """Return the labels of answers to the pending decision: those of all options are different."""
    cache = decision_cache(program, store)
    found = cache.asked.options
    if isinstance(found, range):
        return tuple(_label(program, store, value) for value in values)
    if cache.labels is None:
        found = (*found, *cache.offers)
        every = _told_apart(program, store, found)
        cache.labels = dict(zip(found, every, strict=True))
    by_option = cache.labels
    return tuple(
        by_option[value] if value in by_option else _label(program, store, value)
        for value in values
    )


def _told_apart(program: Program, store: Store, values: Sequence[Value]) -> tuple[str, ...]:
    """Return the labels of values, all of them different."""
    found = [_label(program, store, value) for value in values]
    evaluator = program.evaluator
    if len(set(found)) < len(found):
        found = told_apart(found, values, store.frames[-1].me, store, evaluator)
    return labels.distinct(found, evaluator.words)


def _label(program: Program, store: Store, value: Value) -> str:
    asked = current(program, store)
    question, frame = asked.question, store.frames[-1]
    words = program.evaluator.words
    if value is DONE:
        return words("done")
    if type(value) is Taken:
        return offer_label(program, store, value)
    if question.taken is not None:
        return words("Pass")
    if question.kind == "either":
        code = question.labels[value]
        return words.name(str(_read_by(store, frame, question, code)))
    if question.kind == "may":
        text = _read_by(store, frame, question, question.labels[0])
        said = words.name(str(text))
        return said if value else words('no "{label}"', label=said)
    return labels.show(value, frame.me, store, program.evaluator)


def offer_label(program: Program, store: Store, value: Taken) -> str:
    """Return the label of an offer, for the one who decides."""
    label, me = program.offers[value.offer].label, store.frames[-1].me
    text = str(_looked_at(store, lambda: label(store, me, {})))
    return program.evaluator.words.name(text)


def _read_by(store: Store, frame: Frame, question: Question, code: Code) -> Value:
    """Return a text of a question; a rules error if it tells what its player does not see."""
    if not question.peeks:
        return _looked_at(store, lambda: code(store, frame.me, frame.locals))

    def read() -> Value:
        store.viewer, store.asking = frame.me, question.op.span
        try:
            return code(store, frame.me, frame.locals)
        finally:
            store.viewer = store.asking = None

    return _looked_at(store, read)


def _looked_at(store: Store, read: Callable[[], Value]) -> Value:
    """Return what a text reads, which is no look of the player of the transaction."""
    store.allowance = TICKS_PER_STEP, None
    return labels.looked_at(store, read)
