"""Decisions that are assumed to be possible: what may leave the rules stuck.

A step that may fail is a `choose`, an `either`, a `do` or a `need` that is not proved possible by what is known
where it stands. Where no decision has come before in the transaction, it is stuck itself. Behind the first
decision the look-ahead refuses all options that lead to it; so that one is stuck if all do. Both are listed, as
notes with their places, unless there is another way: an arm that is sure to live, the no of a `may`,
`or stop`, a verb behind a test that it `can` be done.

A *state* says what may have come before a node: nothing (`FRESH`), or first decisions that would be stuck if it
failed. The states of a verb are worked out in words of the one in which it begins (`ENTRY`, `OUTER`). So what it
makes of a state is the state at its end.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import effects_of, watch_unit
from rulewright.dsl.analysis.sure_options import (
    can_be_done,
    chosen_ways,
    is_open,
    may_be_nothing,
    met,
    possible,
)
from rulewright.dsl.analysis.watched_questions import watched_questions_of
from rulewright.dsl.ir import dataflow
from rulewright.dsl.ir.action_graph import PLAY, Plan, plans_of
from rulewright.dsl.ir.dominators import dominators
from rulewright.dsl.ir.graph import stopped_by_name
from rulewright.dsl.ir.known_facts import KnownFacts
from rulewright.dsl.ir.nodes import (
    Acting,
    Branch,
    Call,
    Decide,
    Do,
    Draw,
    Edge,
    Fork,
    Loop,
    Mark,
    Need,
    Node,
    Return,
    Stop,
    arm,
)
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

State = frozenset[int]
"""`FRESH`, `ENTRY`, `OUTER`, and the numbers of first decisions; less than 0: it is a first one if the verb begins
with none before it."""

FRESH, ENTRY, OUTER = 0, 1, 2
"""No decision yet; none if there was none when the verb began; those that there were then."""

NOTHING: State = frozenset()
AT_START: State = frozenset({FRESH})
BEGINNING: State = frozenset({FRESH, ENTRY})
UNCHANGED: State = frozenset({ENTRY, OUTER})
SHOWN = 3
"""So many first decisions are shown with a note."""


def assumed(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a note for each step that is not proved possible and that may leave somebody stuck."""
    whole = _Whole(game)
    decisions = {number: span for span, number in whole.numbers.items()}
    found: dict[Span, tuple[model.Statement, State]] = {}
    for step, state in whole.failures():
        if state:
            _, before = found.get(step.span, (step, NOTHING))
            found[step.span] = step, before | state
    for _, (step, state) in sorted(found.items(), key=lambda one: one[0].start):
        yield _note(step, [] if FRESH in state else [decisions[one] for one in state])


def _note(step: model.Statement, first: list[Span]) -> Diagnostic:
    """Return the note about a step that some first decisions need."""
    named, span = "do", step.span
    said, help = "may find nothing", "test it first, or write `or stop` behind it"
    match step:
        case model.Choose(name=name) | model.Split(name=name):
            named = f"choose {name.partition('~')[0]}"
        case model.Need():
            named, said = "need", "may not be met"
            help = "test it with an `if`, or where the choice is made"
        case model.Either(arms=arms):
            named, said, help = "either", "may have no arm", "add an arm without a condition"
            span = arms[0].span if arms else span
        case model.Do():
            said, help = "may not be possible", "test it first: `if can(…)`"
    first.sort(key=lambda one: one.start)
    labels = tuple(Label(one, "needs it to go on") for one in first[:SHOWN])
    return diagnostic("RW604", span, said, name=named, help=help, secondary=labels)


def _after(state: State, summary: State) -> State:
    """Return the state behind what is begun in one; `summary`: its end, in words of how it begins."""
    found: set[int] = set()
    for one in summary:
        if one == OUTER:
            found |= state - BEGINNING
        elif one == ENTRY:
            found |= state & BEGINNING
        elif one >= 0:
            found.add(one)
        else:
            found |= {one} if ENTRY in state else NOTHING
            found |= {-one} if FRESH in state else NOTHING
    return frozenset(found)


class _Whole:
    """All verbs of a game, and what they make of one another."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.watched = watched_questions_of(game)
        self.known = KnownFacts(game, effects_of(game))
        self.stopped = stopped_by_name(game)
        self.failing: set[str] = set()
        """The verbs in which something may fail before a horizon."""

        self.summaries = dict.fromkeys(plans_of(game), NOTHING)
        self.numbers: dict[Span, int] = {}
        """Of decisions."""

        self.units = {name: _Unit(self, plan) for name, plan in plans_of(game).items()}
        self._repeat(self._fails)
        self._repeat(self._sum_up)

    def _repeat(self, work: Callable[[str, _Unit], bool]) -> None:
        """Do some work on all verbs until nothing new is found."""
        while True in [work(name, unit) for name, unit in self.units.items()]:
            pass

    def number(self, decision: Span) -> int:
        """Return the number of a decision."""
        return self.numbers.setdefault(decision, OUTER + 1 + len(self.numbers))

    def _fails(self, name: str, unit: _Unit) -> bool:
        unit.sure.clear()
        new = name not in self.failing and not unit.is_sure(0)
        self.failing |= {name} if new else set()
        return new

    def _sum_up(self, name: str, unit: _Unit) -> bool:
        unit.work_out()
        before = self.summaries[name]
        self.summaries[name] = before.union(*unit.ends())
        return self.summaries[name] != before

    def failures(self) -> Iterator[tuple[model.Statement, State]]:
        """Yield the steps that may fail, with what may have come before."""
        begun = {PLAY, *map(watch_unit, self.game.watches)}
        entries = {name: AT_START if name in begun else NOTHING for name in self.units}
        waiting = list(self.units)
        while waiting:
            name = waiting.pop()
            for verb, state in self.units[name].calls():
                entry = entries[verb] | _after(entries[name], state)
                if entry != entries[verb]:
                    entries[verb] = entry
                    waiting.append(verb)
        for name, unit in self.units.items():
            for at, node in enumerate(unit.plan.nodes):
                if unit.is_assumed(at):
                    yield node.step, _after(entries[name], unit.state(at))


class _Unit:
    """One verb or watched condition."""

    def __init__(self, whole: _Whole, plan: Plan) -> None:
        self.whole = whole
        self.plan = plan
        self.edges = plan.followers(whole.stopped)
        self.ways_to = Counter(target for ways in self.edges for target in ways.values())
        self.before = dominators({at: [*ways.values()] for at, ways in enumerate(self.edges)}, 0)
        self.known = whole.known.at_nodes(plan, self.edges)
        self.given = {
            node.step.name: node.step
            for node in plan.nodes
            if isinstance(node, Decide) and isinstance(node.step, model.Choose | model.Split)
        }
        self.choosable = dict(self._choosable())
        self.sure: dict[int, bool] = {}
        self.needed: Sequence[Collection[str]] = ()
        self.states: Sequence[State] = ()
        self.is_cut = [self._is_cut(node) for node in plan.nodes]

    # ------------------------------------------------------------------------------ what may fail

    def is_assumed(self, at: int) -> bool:
        """Return whether it is not proved that a step can be done, but for what it calls."""
        node, known, game = self.plan.nodes[at], self.known[at], self.whole.game
        match node:
            case Decide(step=model.Choose() | model.Split() as step):
                return not possible(step, known, game)
            case Decide(step=model.Either(arms=arms)):
                return not any(is_open(one, known, game) for one in arms)
            case Need(step=model.Need(condition=condition)):
                return not met(condition, known, game)
            case Do(step=model.Do(value=value)) if not isinstance(value, model.VerbOf):
                asked = (one.verb for one in known if isinstance(one, model.Can))
                return value not in asked and not self._is_chosen(value)
        return False

    def _is_chosen(self, value: model.Expression) -> bool:
        """Return whether a value is an answer for which a verb could be chosen that is sure to be possible."""
        chosen = self.given.get(value.name) if isinstance(value, model.Local) else None
        if not isinstance(chosen, model.Choose):
            return False
        return any(
            isinstance(one, model.Can)
            or (isinstance(one, model.VerbOf) and self.whole.failing.isdisjoint(one.verbs))
            for one in visitor.through_defines(self.whole.game, chosen.source)
        )

    def _fails(self, at: int) -> bool:
        """Return whether a step may fail, or what it calls."""
        match self.plan.nodes[at]:
            case Call(step=step):
                return step.verb in self.whole.failing and not can_be_done(step, self.known[at])
            case Do(step=model.Do(value=model.VerbOf(verbs=verbs))):
                return not self.whole.failing.isdisjoint(verbs)
        return self.is_assumed(at)

    def is_sure(self, start: int) -> bool:
        """Return whether nothing may fail behind a node, as far as all ways there lead through it."""
        if start not in self.sure:
            seen, waiting = {start}, [start]
            while waiting and not self._fails(waiting[-1]):
                at = waiting.pop()
                ways = {self.edges[at][label] for label in self._needed(at)} - seen
                new = [one for one in ways if self._is_behind(one, start)]
                seen.update(new)
                waiting += new
            self.sure[start] = not waiting
        return self.sure[start]

    def _is_behind(self, at: int, start: int) -> bool:
        while at != start and at in self.before:
            at = self.before[at]
        return at == start

    def _lives(self, at: int, label: str) -> bool:
        """Return whether nothing may fail in the block behind an edge."""
        target = self.edges[at][label]
        # What is come to on other ways, too, stands behind the block.
        return self.ways_to[target] > 1 or self.is_sure(target)

    def _needed(self, at: int) -> Collection[str]:
        """Return the ways out of a node on which it must be possible to go on; where there is another one, the rest
        need not be."""
        node, edges = self.plan.nodes[at], self.edges[at]
        match node:
            case Decide(step=model.May()):
                return (Edge.NO,)
            case Decide(step=model.Choose(or_stop=True) | model.Split(or_stop=True)):
                # If nothing goes on from here, it stops.
                return (Edge.NONE,)
            case Decide(step=model.Either(arms=arms)):
                known, game = self.known[at], self.whole.game
                ways = [arm(n) for n, one in enumerate(arms) if is_open(one, known, game)]
                sure = [one for one in ways if self._lives(at, one)]
                return sure or edges.keys() - {Edge.TAKEN}
            case Loop(step=model.ForEach(source=source)) if may_be_nothing(source, self.given):
                # There is an answer for which nothing is done here.
                return (Edge.DONE,)
            case Branch():
                ways = self.choosable.get(at, [])
                return next(([one] for one in ways if self._lives(at, one)), edges)
        return edges

    def _choosable(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the tests of an earlier answer, each with the ways out for which that can be chosen."""
        tests: dict[str, list[int]] = {}
        for at, node in enumerate(self.plan.nodes):
            parts = visitor.nodes_in(node.step) if isinstance(node, Branch) else ()
            for name in {one.name for one in parts if isinstance(one, model.Local)}:
                tests.setdefault(name, []).append(at)
        for name in self.given.keys() & tests.keys():
            # Of two tests of one answer, each may want another one.
            if all(
                self.edges[one][Edge.NO] == other and self.ways_to[other] == 1
                for one, other in pairwise(tests[name])
            ):
                conditions = [self.plan.nodes[at].step for at in tests[name]]
                ways = chosen_ways(conditions, self.given[name], self.whole.game)
                for number, at in enumerate(tests[name]):
                    later: list[str] = [Edge.NO] if any(one > number for one in ways) else []
                    yield at, [Edge.YES, *later] if number in ways else later

    # --------------------------------------------------------------------------------- the states

    def work_out(self) -> None:
        """Work out the states, with what is known of other verbs."""
        if not self.needed:
            self.needed = [self._needed(at) for at in range(len(self.edges))]
        found = dataflow.forward(self.edges, UNCHANGED, self._behind, operator.or_)
        self.states = [one or NOTHING for one in found]

    def state(self, at: int) -> State:
        """Return the state at a node."""
        return self.states[at] | AT_START if self.is_cut[at] else self.states[at]

    def _is_cut(self, node: Node) -> bool:
        """Return whether a node depends on chance or on what is hidden: nobody looks ahead through that."""
        if isinstance(node, Draw | Mark) or node.step is None:
            return isinstance(node, Draw)
        heads = (node.step,) if isinstance(node, Branch) else visitor.parts(node.step)
        # Who decides sees what he is asked: other checks say so.
        sees = isinstance(node, Decide)
        return any(
            _is_drawn(head) or (not sees and self.whole.watched.may_peek(head)) for head in heads
        )

    def _behind(self, at: int, label: str, state: State) -> State:
        node, needed = self.plan.nodes[at], label in self.needed[at]
        target = self.edges[at][label]
        if target in node.loops and not isinstance(self.plan.nodes[target].step, model.ForEach):
            # What is begun in a pass of its own ends with it.
            return NOTHING
        if self.is_cut[at]:
            state |= AT_START
        match node:
            case Fork() if label == Edge.BODY:
                return AT_START
            case Fork() | Acting() | Loop(step=model.Repeat()):
                return state | AT_START
            case Call() | Do():
                ends = [_after(state, self.whole.summaries[one]) for one in node.verbs]
                return NOTHING.union(*ends)
            case Decide() if not needed:
                return NOTHING
            case Decide() if label != Edge.NONE:
                # What is listed as a first one itself needs no more notes: it is assumed to be possible
                # with all that depends on it.
                first = () if self.is_assumed(at) else (-self.whole.number(node.span),)
                return _after(state, frozenset({OUTER, *first}))
        return state if needed else state & BEGINNING

    def ends(self) -> Iterator[State]:
        """Yield the states in which the verb ends."""
        for at, node in enumerate(self.plan.nodes):
            if isinstance(node, Return) or (isinstance(node, Stop) and node.targets is not None):
                yield self.state(at)

    def calls(self) -> Iterator[tuple[str, State]]:
        """Yield the verbs that it begins, with the states, but for those that are known to be possible."""
        for at, node in enumerate(self.plan.nodes):
            match node:
                case Call(step=step) if not can_be_done(step, self.known[at]):
                    yield step.verb, self.state(at)
                case Do(step=model.Do(value=model.VerbOf(verbs=verbs))):
                    yield from ((one, self.state(at)) for one in verbs)


def _is_drawn(head: model.Node) -> bool:
    return any(
        isinstance(one, model.Chance) or (isinstance(one, model.Builtin) and one.name == "top")
        for one in visitor.nodes_in(head)
    )
