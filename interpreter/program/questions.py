"""What a decision asks: its step compiled, and its options as they stand, before any look-ahead.

A decision is made of elementary answers. A `choose` of one thing takes one, as do `may` and
`either`; several things are picked piece by piece, in the order of their source, until `DONE`, or
until as many are picked as may be. What has been picked so far stands in the frame, in the local
`@` and the name. Things that are alike for the player are one option.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.ir.machine import Op, me_of
from rulewright.interpreter.program.aggregates import SelectionRequirement, requirement
from rulewright.interpreter.program.distribution import family, random_share, shares
from rulewright.interpreter.program.equivalent_options import Equivalence, Group
from rulewright.interpreter.semantics.closures import Code, tick, tick_bulk
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_DRAWN = 1000
"""So many random parts of a distribution are tried."""


class Done:
    """The answer that no further thing is wanted."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "done"


DONE = Done()


@attrs.frozen(eq=False)
class Question:
    """The compiled step of a decision."""

    kind: str
    """`one`, `numbers` (one out of a range), `several`, `split`, `may` or `either`."""

    op: Op
    name: str = ""
    source: Code | None = None
    low: Code | None = None
    high: Code | None = None
    total: Code | None = None
    limit: Code | None = None
    item: str = ""
    keys: str | None = None
    """Of a `split`: what is distributed, what each can get at most and the local that stands for it
    there, and the kind of those that get it (None: values of an enumeration)."""

    such_that: Code | None = None
    requirement: SelectionRequirement | None = None
    """Of a condition on several things, the order of which does not matter: what it is made of."""

    ordered: bool = False
    stop: int | None = None
    """Where `or stop` leads to."""

    guards: tuple[Code | None, ...] = ()
    """Of an `either`."""

    ways: tuple[int, ...] = ()
    """Where the answers lead to: of `may` no and yes, of `either` each arm, otherwise one way."""

    taken: int | None = None
    """Of a `pause`: where a taken offer leads to. Elsewhere the question is asked anew."""

    peeks: bool = False
    """Whether it must be watched that its player sees what it reads."""

    prompt: Code | None = None
    labels: tuple[Code, ...] = ()
    """Of `may` its label, of `either` those of the arms; for everybody."""

    @property
    def word(self) -> str:
        """What the choice is called in the rules; in an amendment its local has a longer name."""
        return self.name.partition("~")[0]

    @property
    def partial(self) -> str:
        """The local that holds what has been picked so far."""
        return f"@{self.name}"


def compile_question(evaluator: Evaluator, op: Op) -> Question:
    """Return the question of a `decide` node."""
    question = _compile(evaluator, op)
    return attrs.evolve(question, peeks=evaluator.watched_questions.asks(op.step))


def _compile(evaluator: Evaluator, op: Op) -> Question:
    step = op.step
    match step:
        case model.May():
            label = evaluator.compile(step.label, public=True)
            yes, no = op.edges["yes"], op.edges["no"]
            return Question(kind="may", op=op, ways=(no, yes), labels=(label,))
        case model.Either():
            guards = tuple(
                None if arm.guard is None else evaluator.expression(arm.guard) for arm in step.arms
            )
            ways = tuple(op.edges[f"arm{number}"] for number in range(len(step.arms)))
            labels = tuple(evaluator.compile(arm.label, public=True) for arm in step.arms)
            taken = op.edges.get("taken")
            return Question(
                kind="either",
                op=op,
                guards=guards,
                ways=ways,
                labels=labels,
                taken=taken,
                prompt=None if step.ask is None else evaluator.expression(step.ask),
            )
    if isinstance(step, model.Split):
        return _compile_split(evaluator, op, step)
    assert isinstance(step, model.Choose), op
    such_that = None if step.such_that is None else evaluator.expression(step.such_that)
    kind, low, high, source = "several", step.low, step.high, None
    if step.word == "one":
        kind = "one"
        if isinstance(step.source, model.Numbers):
            kind, low, high = "numbers", step.source.low, step.source.high
    if kind != "numbers":
        source = evaluator.compile(step.source, blind=True)
    made_of = None
    if kind == "several" and step.such_that is not None and step.word != "ordered":
        made_of = requirement(evaluator, step.name, step.such_that)
    return Question(
        kind=kind,
        op=op,
        name=step.name,
        source=source,
        low=None if low is None else evaluator.needed(low),
        high=None if high is None else evaluator.needed(high),
        such_that=such_that,
        requirement=made_of,
        ordered=step.word == "ordered",
        stop=op.edges.get("none"),
        ways=(op.edges["next"],),
        prompt=None if step.ask is None else evaluator.expression(step.ask),
    )


def _compile_split(evaluator: Evaluator, op: Op, step: model.Split) -> Question:
    held = types.without_none(types.element(step.source.type) or types.UNKNOWN)
    return Question(
        kind="split",
        op=op,
        name=step.name,
        source=evaluator.expression(step.source),
        total=evaluator.needed(step.total),
        limit=None if step.limit is None else evaluator.needed(step.limit),
        item=step.item,
        keys=held.kind if isinstance(held, types.ThingType) else None,
        such_that=None if step.such_that is None else evaluator.expression(step.such_that),
        stop=op.edges.get("none"),
        ways=(op.edges["next"],),
        prompt=None if step.ask is None else evaluator.expression(step.ask),
    )


class OpenQuestion:
    """A question at a moment of the game: everything it depends on has been evaluated."""

    __slots__ = (
        "_items",
        "block_of",
        "blocks",
        "caps",
        "frame",
        "high",
        "items",
        "left",
        "low",
        "options",
        "picked",
        "question",
    )

    def __init__(self, question: Question, frame: Frame) -> None:
        self.question = question
        self.frame = frame
        self.items: Sequence[Value] = ()
        """What stands to choice, before alike things are merged."""

        self.options: Sequence[Value] = ()
        """The answers that are possible here and now; a big range stays one."""

        self.picked: tuple[Value, ...] = ()
        self.low = 0
        self.high = 0
        """Of several: the least and the greatest number."""

        self.left = 0
        self.caps: Sequence[int] = ()
        """Of a `split`: what is still to be distributed, and how much each can get at most."""

        self.blocks: list[tuple[tuple[int, ...], Group]] = []
        self.block_of: dict[Value, int] = {}
        """Of several: the places of alike things that can still be picked, and all that are alike,
        such that behind each block stand those that can be picked after it; and the block for which
        an option stands."""

        self._items: dict[Value, Group] = {}

    def group(self, value: Value) -> Group:
        """Return the things for which an option stands."""
        return self._items.get(value, (value,))

    def named(self, value: Value) -> Sequence[Value]:
        """Return what an answer may name to mean an option: any of the things that are alike.

        Of several also those that have been picked: which of the alike things was named when one was
        picked is not known.
        """
        block = self.block_of.get(value)
        return self.group(value) if block is None else self.blocks[block][1]

    @property
    def complete(self) -> bool:
        """Whether enough has been picked and nothing more can be."""
        if self.question.kind == "split":
            return not self.left and len(self.picked) == len(self.items)
        if self.options or self.question.kind != "several":
            return False
        return self.low <= len(self.picked) <= self.high


def ask(alike: Equivalence, store: Store, frame: Frame, question: Question) -> OpenQuestion:
    """Return a question with its options."""
    asked = OpenQuestion(question, frame)
    me, locals = frame.me, frame.locals
    match question.kind:
        case "may":
            asked.options = (True, False)
        case "either":
            asked.options = tuple(
                number
                for number, guard in enumerate(question.guards)
                if guard is None or guard(store, me, locals)
            )
        case "numbers":
            assert question.low is not None and question.high is not None
            numbers = range(question.low(store, me, locals), question.high(store, me, locals) + 1)
            asked.items = asked.options = numbers
            if question.such_that is not None:
                asked.options = tuple(_fitting(question, store, frame, numbers))
        case "one":
            assert question.source is not None
            listed = _listed(question.source(store, me, locals))
            asked.items = alike.as_seen(store, me_of(frame), listed)
            fitting = asked.items
            if question.such_that is not None:
                fitting = tuple(_fitting(question, store, frame, asked.items))
            _merge(asked, alike.groups(store, me_of(frame), fitting))
        case "split":
            _ask_split(asked, store, frame, question)
        case "several":
            assert question.source is not None
            listed = _listed(question.source(store, me, locals))
            asked.items = alike.as_seen(store, me_of(frame), listed)
            asked.picked = locals.get(question.partial, ())
            tick_bulk(store, len(asked.items), question.op.span)
            _bounds(asked, question, store, frame)
            find_pieces(asked, alike.groups(store, me_of(frame), asked.items))
            if asked.options and asked.low <= len(asked.picked):
                if fits(store, asked, selection(asked, asked.picked)):
                    asked.options = (*asked.options, DONE)
    return asked


def _ask_split(asked: OpenQuestion, store: Store, frame: Frame, question: Question) -> None:
    assert question.source is not None and question.total is not None
    me, locals, span = frame.me, frame.locals, question.op.span
    total = question.total(store, me, locals)
    if total < 0:
        raise PlayError("RW724", span, found=total)
    targets = tuple(dict.fromkeys(question.source(store, me, locals)))
    if None in targets:
        raise PlayError("RW715", span, name=question.word)
    tick(store, len(targets), span)
    asked.items = targets
    asked.caps = (total,) * len(targets)
    if question.limit is not None:
        inner = locals.copy()
        caps = []
        for target in targets:
            inner[question.item] = target
            caps.append(question.limit(store, me, inner))
        asked.caps = caps
    found = shares(total, asked.caps, locals.get(question.partial, ()))
    asked.picked, asked.left, asked.options = found.given, found.left, found.options


def _fitting(
    question: Question, store: Store, frame: Frame, items: Sequence[Value]
) -> Iterator[Value]:
    such_that = question.such_that
    assert such_that is not None
    locals, span = frame.locals.copy(), question.op.span
    for item in items:
        tick(store, 1, span)
        locals[question.name] = item
        if such_that(store, frame.me, locals):
            yield item


def _merge(asked: OpenQuestion, groups: list[Group]) -> None:
    options = []
    for group in groups:
        option = group[0]
        if len(group) > 1:
            option = first_in_table(group)
            asked._items[option] = group
        options.append(option)
    asked.options = options


def _bounds(asked: OpenQuestion, question: Question, store: Store, frame: Frame) -> None:
    most = len(asked.items)
    if question.ordered:
        asked.low = asked.high = most
        return
    if question.low is not None:
        asked.low = question.low(store, frame.me, frame.locals)
    asked.high = most
    if question.high is not None:
        asked.high = min(most, question.high(store, frame.me, frame.locals))


def find_pieces(asked: OpenQuestion, groups: list[Group]) -> None:
    """Find the pieces that may be picked next: each can be completed as far as numbers go.

    Every selection can be picked in one way only: of alike things the earlier ones first, and each
    piece behind the last one, unless the order is what is asked for.
    """
    if len(asked.picked) >= asked.high or asked.low > asked.high:
        return
    of_group: dict[Value, int] = {}
    places: list[list[int]] = [[] for _ in groups]
    for number, group in enumerate(groups):
        for item in group:
            of_group[item] = number
    for place, item in enumerate(asked.items):
        places[of_group[item]].append(place)
    taken = [0] * len(groups)
    last = -1
    for item in asked.picked:
        number = of_group[item]
        last = places[number][taken[number]]
        taken[number] += 1
    if asked.question.ordered:
        last = -1
    free = sorted(
        (places[number][taken[number]], number)
        for number in range(len(groups))
        if taken[number] < len(places[number])
    )
    free = [entry for entry in free if entry[0] > last]
    needed = asked.low - len(asked.picked)
    # How many can still be picked if this is the next one: it, and all that stand behind it.
    behind = 0
    options = []
    for block in range(len(free) - 1, -1, -1):
        number = free[block][1]
        behind += len(places[number]) - taken[number]
        if asked.question.ordered or behind >= needed:
            option = _piece(asked, groups[number])
            asked.block_of[option] = block
            options.append(option)
    for _, number in free:
        asked.blocks.append((tuple(places[number][taken[number] :]), groups[number]))
    asked.options = options[::-1]


def _piece(asked: OpenQuestion, group: Group) -> Value:
    if len(group) == 1:
        return group[0]
    left = left_of(asked, group)
    option = first_in_table(left)
    asked._items[option] = tuple(left)
    return option


def left_of(asked: OpenQuestion, group: Group) -> list[Value]:
    """Return those of some alike things that have not been picked."""
    left = list(group)
    for item in asked.picked:
        if item in left:
            left.remove(item)
    return left


def first_in_table(group: Sequence[Value]) -> Value:
    """Return the thing that stands for all of a group."""
    if isinstance(group[0], Thing):
        return min(group, key=lambda thing: thing.number)
    return group[0]


def selection(asked: OpenQuestion, picked: Sequence[Value]) -> tuple[Value, ...]:
    """Return what was picked as the value of the `choose`: in the order of the source."""
    if asked.question.ordered:
        return tuple(picked)
    places: dict[Value, list[int]] = {}
    for place, item in enumerate(asked.items):
        places.setdefault(item, []).append(place)
    order = sorted((places[item].pop(0), number) for number, item in enumerate(picked))
    return tuple(picked[number] for _, number in order)


def likely_first(asked: OpenQuestion) -> Iterator[Value]:
    """Yield the options in the order in which they are tried: the shortest way first."""
    values = asked.options
    if values and not isinstance(values, range) and values[-1] is DONE:
        yield DONE
        values = values[:-1]
    elif asked.question.kind == "may":
        values = (False, True)
    yield from values


def random_shares(asked: OpenQuestion, random: Generator) -> Iterator[int]:
    """Yield random parts of a distribution; nothing for other questions."""
    if asked.question.kind == "split" and isinstance(asked.options, range):
        for _ in range(MOST_DRAWN):
            others = len(asked.items) - len(asked.picked)
            yield random_share(asked.options, asked.left, others, random)


def whole(store: Store, asked: OpenQuestion) -> Value:
    """Return all that has been picked as the value of the `choose`."""
    question = asked.question
    if question.kind != "split":
        return selection(asked, asked.picked)
    if question.keys is not None:
        size = store.counts(question.keys)
    else:
        size = max((target.number for target in asked.items), default=-1) + 1
        step = question.op.step
        held = types.element(step.source.type)
        if isinstance(held, types.EnumType):
            size = len(store.layout.enums[held.name])
    return family(size, asked.items, asked.picked)


def fits(store: Store, asked: OpenQuestion, chosen: tuple[Value, ...]) -> bool:
    """Return whether a whole selection meets its condition."""
    question = asked.question
    if question.such_that is None:
        return True
    locals = asked.frame.locals.copy()
    locals.pop(question.partial, None)
    locals[question.name] = chosen
    return bool(question.such_that(store, asked.frame.me, locals))


def _listed(value: Value) -> tuple[Value, ...]:
    found: tuple[Value, ...] = value
    return found
