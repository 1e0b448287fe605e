"""Decisions that are assumed to be possible: what may leave the rules stuck.

A step that may fail is a `choose`, an `either`, a `do` or a `need` that is not proved possible. Where
no decision has come before in the transaction, it is stuck itself. Behind the first decision the
look-ahead refuses all options that lead to it; so that one is stuck if all do. Both are listed, as
notes with their places, unless there is another way: an arm that is sure to live, the no of a `may`,
`or stop`, a verb behind a test that it `can` be done.

A *state* says what may have come before a step: nothing (`FRESH`), or first decisions that would be
stuck if it failed. Each verb is summed up once: what state it leaves, and whether it may fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.analysis.sure_options import (
    Tested,
    can_be_done,
    chosen_ways,
    failing,
    holding,
    is_zone,
    known_behind,
    may_be_nothing,
    met,
    possible,
    tests_of_names,
)
from rulewright.dsl.analysis.watched_questions import WatchedQuestions
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic

State = frozenset[int]
"""`FRESH`, and the ids of first decisions."""

FRESH, OUTER, PROBED = 0, -1, -2
"""No decision yet; one of who does the verb; one before an arm that is looked at by itself."""

NOTHING: State = frozenset()
AT_START: State = frozenset({FRESH})
SHOWN = 3
"""So many first decisions are shown with a note."""


def assumed(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a note for each step that is not proved possible and that may leave somebody stuck."""
    effects = _Fixpoint(game)
    effects.settle()
    yield from effects.notes()


@attrs.frozen(kw_only=True)
class _Summary:
    """What a verb makes of a state: the state behind it if nothing has been decided before, if
    something has, and if nothing matters; whether it may fail before a horizon."""

    fresh: State = NOTHING
    outer: State = NOTHING
    own: State = NOTHING
    fails: bool = False


class _Fixpoint:
    """Follows the states through all verbs, until nothing new is found."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.effects = GameEffects(game)
        self.watched = WatchedQuestions(game)
        self.summaries = dict.fromkeys(game.verbs, _Summary())
        self.entries: dict[str, State] = dict.fromkeys(game.verbs, NOTHING)
        self.found: dict[int, State] = {}
        self.steps: dict[int, model.Statement] = {}
        self.failing: State = NOTHING
        self.stopped: State = NOTHING
        self.listing = False
        self._cutting: dict[int, bool] = {}
        self._sure: dict[tuple[int, Tested], bool] = {}
        self._given: dict[str, model.Choose | model.Split] = {}
        self._tests: dict[str, list[model.If]] = {}
        self._tested: dict[str, dict[str, list[model.If]]] = {}

    def settle(self) -> None:
        """Sum up all verbs, then work out in which states they begin."""
        self._repeat(self._sum_up)
        if "play" in self.entries:
            self.entries["play"] = AT_START
        self.listing = True
        self._repeat(self._enter)

    def _repeat(self, work: Callable[[str, model.Verb], None]) -> None:
        while True:
            self._sure.clear()
            before = dict(self.summaries), dict(self.entries)
            for id, verb in self.game.verbs.items():
                work(id, verb)
            if before == (self.summaries, self.entries):
                return

    def _sum_up(self, id: str, verb: model.Verb) -> None:
        own, fresh = self._verb(verb, NOTHING), self._verb(verb, AT_START)
        self.failing = NOTHING
        outer = self._verb(verb, frozenset({OUTER}))
        self.summaries[id] = _Summary(
            fresh=fresh, outer=outer, own=own, fails=OUTER in self.failing
        )

    def _enter(self, id: str, verb: model.Verb) -> None:
        self._verb(verb, self.entries[id])

    def notes(self) -> Iterator[Diagnostic]:
        """Yield the notes, when all has been settled."""
        for watch in self.game.watches:
            self._block(watch.block, AT_START, frozenset())
        for id, state in self.found.items():
            yield self._note(self.steps[id], state)

    def _note(self, statement: model.Statement, state: State) -> Diagnostic:
        said, help = "may find nothing", "test it first, or write `or stop` behind it"
        span = statement.span
        match statement:
            case model.Need():
                said, help = "may not be met", "test it with an `if`, or where the choice is made"
            case model.Either():
                said, help = "may have no arm", "add an arm without a condition"
                span = statement.arms[0].span if statement.arms else span
            case model.Do():
                said, help = "may not be possible", "test it first: `if can(…)`"
        labels: tuple[Label, ...] = ()
        if FRESH not in state:
            first = sorted((self.steps[one].span for one in state), key=lambda one: one.start)
            labels = tuple(Label(one, "needs it to go on") for one in first[:SHOWN])
        return diagnostic("RW604", span, said, name=_named(statement), help=help, secondary=labels)

    # ----------------------------------------------------------------------------------- the states

    def _fail(self, statement: model.Statement, state: State) -> None:
        """Note that a step in such a state may fail."""
        if not state:
            return
        self.failing |= state
        if self.listing and PROBED not in state:
            self.steps[id(statement)] = statement
            self.found[id(statement)] = self.found.get(id(statement), NOTHING) | state

    def _decided(self, statement: model.Statement, state: State, listed: bool = False) -> State:
        """Return the state behind a decision. What is listed as a first one itself needs no more
        notes: it is assumed to be possible with all that depends on it."""
        self.steps[id(statement)] = statement
        first = {id(statement)} if FRESH in state and not listed else set()
        return (state - AT_START) | first

    def _verb(self, verb: model.Verb, state: State) -> State:
        self._given.clear()
        if verb.id not in self._tested:
            self._tested[verb.id] = tests_of_names(verb)
        self._tests = self._tested[verb.id]
        stopped, self.stopped = self.stopped, NOTHING
        state = self._amended(verb.amendments, verb.block, state, frozenset())
        state, self.stopped = state | self.stopped, stopped
        return state

    def _amended(
        self,
        amendments: tuple[model.Amendment, ...],
        block: model.Block,
        state: State,
        tested: Tested,
    ) -> State:
        """Return the state behind a block with what amends it."""
        for one in amendments:
            if one.timing == "before":
                state |= self._block(one.block, state, frozenset())
        inside = self._block(block, state, tested)
        for one in amendments:
            if one.timing == "instead":
                inside |= self._block(one.block, state, frozenset())
        for one in amendments:
            if one.timing == "after":
                inside |= self._block(one.block, inside, frozenset())
        return inside

    def _block(self, block: model.Block, state: State, tested: Tested) -> State:
        """Walk a block; return the state behind it."""
        for statement in block:
            state = self._statement(statement, state, tested)
            match statement:
                case model.Need(condition=condition):
                    tested |= holding(condition)
                case model.If(branches=branches, otherwise=otherwise):
                    tested = known_behind(branches, tested)
                    # What a branch does that leaves is not done where it goes on.
                    blocks = (*(one.block for one in branches), otherwise)
                    for inner in blocks:
                        tested = tested if visitor.leaves(inner) else self._kept(tested, inner)
                case model.Let(name=name):
                    tested = frozenset(one for one in tested if not _speaks_of(one, name))
                case model.Show():
                    pass
                case _:
                    # What could be done may not be possible any more.
                    tested = frozenset(one for one in tested if not isinstance(one, model.Can))
                    tested = self._kept(tested, (statement,))
        return state

    def _kept(self, tested: Tested, block: model.Block) -> Tested:
        """Return what has been found out that still holds when a block has been done."""
        if not tested or not block:
            return tested
        touched = self.effects.block(block)
        return frozenset(
            one
            for one in tested
            # What is moved to a zone does not empty it.
            if not (touched.sets if is_zone(one, self.game) else touched.writes)
            & self.effects.reads(one)
        )

    def _statement(self, statement: model.Statement, state: State, tested: Tested) -> State:
        match statement:
            case model.Choose() | model.Split():
                return self._choose(statement, self._cut(statement, state), tested)
            case model.Need(condition=condition):
                state = self._cut(statement, state)
                if not met(condition, tested, self.game):
                    self._fail(statement, state)
                return state
            case model.May(block=block):
                behind = self._decided(statement, self._cut(statement, state))
                return behind | self._block(block, NOTHING, tested)
            case model.Either():
                return self._either(statement, self._cut(statement, state), tested)
            case model.If():
                return self._if(statement, self._cut(statement, state), tested)
            case model.Repeat() | model.As():
                return self._pass(statement, state)
            case model.ForEach():
                return self._for_each(statement, self._cut(statement, state), tested)
            case model.NamedStep(id=identity, block=block):
                amendments = self.game.step_amendments.get(identity, ())
                return self._amended(amendments, block, state, tested)
            case model.CallVerb(verb=verb):
                state = self._cut(statement, state)
                return self._call(verb, state, can_be_done(statement, tested))
            case model.Do():
                return self._do(statement, self._cut(statement, state), tested)
            case model.Pause():
                return state | AT_START
            case model.Stop(target=target):
                self.stopped |= state
                return NOTHING if target is None else state
            case model.EndGame():
                return NOTHING
        return self._cut(statement, state)

    def _choose(self, statement: model.Choose | model.Split, state: State, tested: Tested) -> State:
        self._given[statement.name] = statement
        if statement.or_stop:
            # If nothing goes on from here, it stops.
            self.stopped |= state
            return NOTHING
        proved = possible(statement, tested, self.game)
        if not proved:
            self._fail(statement, state)
        return self._decided(statement, state, listed=not proved)

    def _either(self, statement: model.Either, state: State, tested: Tested) -> State:
        sure = [one for one in statement.arms if self._is_sure(one, tested)]
        open_ = any(_is_open(one, tested, self.game) for one in statement.arms)
        if not open_:
            self._fail(statement, state)
        behind = self._decided(statement, state, listed=not open_)
        ends = NOTHING
        for arm in statement.arms:
            # Where another arm lives, this one may be refused.
            needed = behind if arm in sure or (open_ and not sure) else NOTHING
            ends |= self._block(arm.block, needed, tested)
        return ends if open_ else ends | behind

    def _is_sure(self, arm: model.Arm, tested: Tested) -> bool:
        """Return whether an arm can always be taken and comes to its end."""
        if not _is_open(arm, tested, self.game):
            return False
        return self._lives(arm.block, tested)

    def _lives(self, block: model.Block, tested: Tested) -> bool:
        """Return whether a block has nothing in it that may fail."""
        key = id(block), tested
        if key not in self._sure:
            kept = self.failing, self.stopped, self.listing
            self.failing, self.listing = NOTHING, False
            self._block(block, frozenset({PROBED}), tested)
            self._sure[key] = PROBED not in self.failing
            self.failing, self.stopped, self.listing = kept
        return self._sure[key]

    def _for_each(self, statement: model.ForEach, state: State, tested: Tested) -> State:
        # If nothing need be chosen, there is an answer for which nothing is done here.
        spared = may_be_nothing(statement.source, self._given)
        inside = state & AT_START if spared else state
        tested = self._kept(tested, statement.block)
        once = self._block(statement.block, inside, tested)
        if not once <= inside:
            # Once more, behind what has been decided the first time.
            once |= self._block(statement.block, inside | once, tested)
        return state | once

    def _if(self, statement: model.If, state: State, tested: Tested) -> State:
        blocks = (*(branch.block for branch in statement.branches), statement.otherwise)
        known: list[Tested] = []
        for branch in statement.branches:
            known.append(tested | holding(branch.condition))
            tested |= failing(branch.condition)
        known.append(tested)
        way = next(
            (
                number
                for number in self._ways(statement)
                if self._lives(blocks[number], known[number])
            ),
            None,
        )
        ends = NOTHING
        for number, (block, one) in enumerate(zip(blocks, known, strict=True)):
            # Who can choose a branch that lives does not need the others.
            needed = state if way in (None, number) else state & AT_START
            ends |= self._block(block, needed, one)
        return ends

    def _ways(self, statement: model.If) -> tuple[int, ...]:
        """Return the branches that an earlier answer can be chosen for (the last one: otherwise)."""
        name, ways = chosen_ways(statement, self._given, self.game)
        if not ways or len(self._tests.get(name, ())) > 1:
            # Of two tests of one answer, each may want another one.
            return ()
        return ways

    def _pass(self, statement: model.Repeat | model.As, state: State) -> State:
        """A pass of its own: what is begun in it ends with it, and in it a transaction may begin."""
        tested: Tested = frozenset()
        inside = state | AT_START
        match statement:
            case model.Repeat(word="while", value=value) if value is not None:
                tested = holding(value)
            case model.Repeat(word="until", value=value) if value is not None:
                tested = failing(value)
            case model.As(together=True):
                inside = AT_START
        self._block(statement.block, inside, tested)
        return inside | state

    def _call(self, verb: str, state: State, possible: bool) -> State:
        """Return the state behind a verb; `possible`: it has been found that it can be done."""
        summary = self.summaries.get(verb, _Summary())
        others = state - AT_START
        if not possible:
            if self.listing:
                self.entries[verb] |= state
            if summary.fails:
                self.failing |= others
        behind = summary.own | (summary.fresh if FRESH in state else NOTHING)
        if others:
            behind |= summary.outer - {OUTER} | (others if OUTER in summary.outer else NOTHING)
        return behind

    def _do(self, statement: model.Do, state: State, tested: Tested) -> State:
        """The same for a verb that is a value."""
        if isinstance(statement.value, model.VerbOf):
            ends = [self._call(one, state, False) for one in statement.value.verbs]
            return NOTHING.union(*ends)
        verbs, proved = self._verbs_of(statement.value)
        proved = proved or any(
            isinstance(one, model.Can) and one.verb == statement.value for one in tested
        )
        if not proved:
            self._fail(statement, state)
        ends = [self._call(one, state, True) for one in verbs]
        return NOTHING.union(*ends) if ends else state

    def _verbs_of(self, value: model.Expression) -> tuple[list[str], bool]:
        """Return the verbs that a value may be, as far as they are known, and whether one of them
        can be chosen and is sure to be possible."""
        sources: list[model.Expression] = []
        if isinstance(value, model.Local):
            given = self._given.get(value.name)
            if isinstance(given, model.Choose):
                sources.append(given.source)
        verbs: list[str] = []
        proved = False
        for source in sources:
            for one in visitor.through_defines(self.game, source):
                if isinstance(one, model.Can):
                    proved = True
                if isinstance(one, model.VerbOf):
                    verbs += one.verbs
                    proved = proved or not any(self.summaries[verb].fails for verb in one.verbs)
        return list(dict.fromkeys(verbs)), proved

    def _cut(self, statement: model.Statement, state: State) -> State:
        """Return the state at a statement that may depend on chance or on what is hidden."""
        key = id(statement)
        if key not in self._cutting:
            # Who decides sees what he is asked: other checks say so.
            is_asked = isinstance(statement, model.Choose | model.Split | model.May | model.Either)
            self._cutting[key] = any(
                _is_drawn(head) or (not is_asked and self.watched.may_peek(head))
                for head in visitor.parts(statement)
            )
        return state | AT_START if self._cutting[key] else state


def _is_drawn(head: model.Node) -> bool:
    for node in visitor.nodes_in(head):
        if isinstance(node, model.Chance):
            return True
        if isinstance(node, model.Builtin) and node.name == "top":
            return True
    return False


def _is_open(arm: model.Arm, tested: Tested, game: model.Game) -> bool:
    """Return whether an arm is always there."""
    return arm.guard is None or met(arm.guard, tested, game)


def _speaks_of(node: model.Node, name: str) -> bool:
    return any(isinstance(one, model.Local) and one.name == name for one in visitor.nodes_in(node))


def _named(statement: model.Statement) -> str:
    """Return what a step is called in a note."""
    match statement:
        case model.Choose(name=name) | model.Split(name=name):
            return f"choose {name.partition('~')[0]}"
        case model.Need():
            return "need"
        case model.Either():
            return "either"
    return "do"
