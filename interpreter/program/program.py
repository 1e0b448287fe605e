"""A loaded game: its code and everything that answers questions about it, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.checks.offers_in_branches import OffersInBranches
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.model import Section
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.interpreter.ir.machine import Op, Run, run
from rulewright.interpreter.program.calls import Calls
from rulewright.interpreter.program.equivalent_options import Equivalence
from rulewright.interpreter.program.questions import OpenQuestion
from rulewright.interpreter.program.scoring import Scoring
from rulewright.interpreter.program.watches import Watches
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.events import Witnesses
from rulewright.interpreter.state.errors import PlayError, RunningRule
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value

Item = TypeVar("Item")


class LazyDict(dict[str, Item]):
    """A dict that makes what is asked for first, as fast as a plain one afterwards."""

    make: Callable[[str], Item]

    def __missing__(self, name: str) -> Item:
        made = self[name] = self.make(name)
        return made


class OpenOffer:
    """An offer, ready to be looked at."""

    __slots__ = ("label", "offer", "open", "value")

    def __init__(self, offer: model.Offer, evaluator: Evaluator) -> None:
        self.offer = offer
        self.value = Taken(offer.id)
        self.label = evaluator.compile(offer.label, public=True)
        whole = offer.running
        if offer.guard is not None:
            whole = model.And(type=whole.type, span=whole.span, left=whole, right=offer.guard)
        self.open = evaluator.expression(whole)
        """Whether it is open for a player, as far as its guard knows."""


UNASKED = object()


class DecisionCache:
    """What has been found out about one pending decision; thrown away with the answer."""

    __slots__ = (
        "alive",
        "asked",
        "certain",
        "completions",
        "decisions",
        "frame",
        "labels",
        "node",
        "offers",
        "spent",
        "store",
        "unproved",
    )

    def __init__(
        self,
        store: Store,
        frame: Frame,
        decisions: int,
        asked: Any,
        offers: tuple[Taken, ...] = (),
    ) -> None:
        self.store = store
        self.frame = frame
        self.node = frame.node
        """A decision that is passed over counts as none, so the next one may follow in its frame."""

        self.decisions = decisions
        self.asked = asked
        """The question with its options (`questions.OpenQuestion`)."""

        self.offers = offers
        """The offers beside the question whose guards hold."""

        self.certain: bool | None = None
        """Whether nothing can fail after any of them."""

        self.labels: dict[Value, str] | None = None
        """The labels of all options and offers, as soon as somebody asks."""

        self.alive: dict[Value, bool] = {}
        self.completions: Any = UNASKED
        """Of several things: the completions of what has been picked (`completions.Completions`), as soon as
        somebody asks; None if that is not known."""

        self.unproved: set[Value] = set()
        """The options that are offered though the look-ahead has not come to an end."""

        self.spent = 0
        """How much has been tried out for all of them: operations, and items looked at."""


@attrs.define(eq=False)
class Program:
    """A game linked, loaded for a number of players, and ready to run."""

    game: model.Game
    layout: Layout
    evaluator: Evaluator
    scoring: Scoring
    effects: GameEffects
    plans: Mapping[str, Plan]
    """The action graphs by unit, from which the operations are made."""

    alike: Equivalence
    witnesses: Witnesses
    watching: Watches
    calls: Calls
    offers: dict[str, OpenOffer]
    """By the ids of their verbs, in the order in which they are listed."""

    code: LazyDict[list[Op]]
    """The operations of each unit; a unit is compiled when it is first asked for."""

    runs: LazyDict[list[Run]] = attrs.field(factory=LazyDict)
    """The handlers of `code` alone, for the loop."""

    opening: Store | None = None
    """A game before its first step; all games begin with a copy."""

    after_play: int | None = None
    """Where `play` goes on when the game has ended, if something stands there."""

    answered: int = 0
    """How many answers states have been given."""

    lane: Any = None
    """Plays on generated code, if there is any (`lane.Lane`)."""

    snapshots: Any = None
    """Packs its states, once somebody has asked for that (`snapshot.Snapshots`)."""

    numbers: Any = None
    """The numbers of all its answers, once somebody has asked for them
    (`action_numbers.ActionNumbers`)."""

    vectors: Any = None
    """Makes vectors of what its players see, likewise (`observation_vector.ObservationVector`)."""

    decision_cache: DecisionCache | None = None
    search: Any = None
    """The search that is running, so that a `can` inside it shares its budget."""

    ahead: dict[tuple[Any, ...], Any] = attrs.field(factory=dict)
    """What `later_requirements` has found behind questions, and how `ordered_selections` reads their
    conditions."""

    safe: dict[tuple[str, int, int], bool] = attrs.field(factory=dict)
    """What `lookahead/safe_decisions` has found out about stretches of code."""

    at_once: OffersInBranches = attrs.field(
        init=False,
        default=attrs.Factory(lambda self: OffersInBranches(self.effects), takes_self=True),
    )
    """Says which offers are open while several act at once."""

    def closed_in(self, unit: str, node: int) -> Mapping[str, Diagnostic]:
        """Return the offers that are closed in the branches which begin at a fork, and why."""
        return self.at_once.closed(self.code[unit][node].step)

    @property
    def graphs(self) -> Mapping[str, Any]:
        """The same as networkx graphs; for drawings and checks, never walked in play."""
        from rulewright.dsl.ir.graph import graphs_of

        return graphs_of(self.game)

    def run(self, store: Store, limit: int) -> tuple[int, int]:
        """Run to the next decision, as `machine.run` does; on generated code, if there is any, no
        driver says what chance brings, and those who act at once have all begun."""
        if self.lane is None or store.explicit_chance or store.dictated:
            return run(self.runs, store, limit)
        if store.fork is not None and not store.fork.begun:
            return run(self.runs, store, limit)
        found: tuple[int, int] = self.lane.run(store, limit)
        return found

    def lives(self, store: Store, asked: OpenQuestion, value: Value) -> bool | None:
        """Return whether an option of the pending decision can be carried on, as generated code
        finds it out; None if there is none, or it does not know."""
        if self.lane is None or store.explicit_chance or store.dictated or store.trail is not None:
            return None
        found: bool | None = self.lane.lives(store, asked, value)
        return found

    def op(self, frame: Frame) -> Op:
        """Return the operation at which a frame stands."""
        return self.code[frame.unit][frame.node]

    def stack(self, store: Store) -> Iterator[tuple[Frame, Op]]:
        """Yield the running frames with their operations, innermost first."""
        for frame in reversed(store.frames):
            yield frame, self.op(frame)

    def blame(self, error: PlayError, store: Store) -> PlayError:
        """Note in an error which rules were running."""
        ops = [op for _, op in self.stack(store)]
        rules = [RunningRule(op.label or op.unit, op.span) for op in ops]
        return error.at(rules, next((cited(op.see) for op in ops if op.see), ()))


def cited(sections: Iterable[Section]) -> tuple[str, ...]:
    """Return citations as texts: `Setup/Cards`, `english: Setup`."""
    return tuple(
        (f"{section.book}: " if section.book else "") + "/".join(section.path)
        for section in sections
    )
