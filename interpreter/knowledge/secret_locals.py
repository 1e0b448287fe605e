"""Which values in running verbs a player may not know: what was chosen in secret, came by chance that he
did not see, or was worked out from such; and where a verb stands, if that hangs on it.

Where secrets may get to is found out from the rules alone, once for each loaded game (`secret_flow`). What
nobody reads any more (`live`) says nothing, so it need not be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl import model
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.definitions import PARAMETER
from rulewright.dsl.ir.dominators import reached
from rulewright.dsl.ir.live_locals import live_locals
from rulewright.dsl.ir.nodes import Decide, Edge, Node
from rulewright.interpreter.knowledge.secret_flow import LOOKING_ON, secret_flow
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import Log, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing


@attrs.frozen
class Unknown:
    """What a player does not know of the running verbs."""

    names: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """For the numbers of frames: the locals that are still read, and may hold what he does not know."""

    dead: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """The same for locals that nobody reads any more."""

    shown: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """The locals that others may not know, but that were shown to him: he knows which things are in them."""

    clouded: frozenset[int] = frozenset()
    """The frames of which he may not know where they stand, or that they run."""

    handed: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """For those of them the parameters that he knows, wherever they stand."""

    def __bool__(self) -> bool:
        return bool(self.names or self.clouded)

    @property
    def held(self) -> frozenset[tuple[int, str]]:
        """All locals whose values he may not know."""
        several = (*self.names.items(), *self.dead.items())
        return frozenset((depth, name) for depth, names in several for name in names)

    def shape(self, frames: Iterable[Frame]) -> tuple[tuple[str, int, Thing | None], ...]:
        """Return what he knows of where running verbs stand."""
        return tuple(
            [
                (frame.unit, frame.node, frame.me)
                for depth, frame in enumerate(frames)
                if depth not in self.clouded
            ]
        )


NOTHING = Unknown()

_found: WeakKeyDictionary[Program, SecretLocals] = WeakKeyDictionary()


def is_asked(program: Program, store: Store, player: Thing) -> bool:
    """Return whether the last of the running verbs asks a player."""
    waiting = pending(program, store)
    return waiting is not None and waiting.player is player


def secret_locals(program: Program) -> SecretLocals:
    """Return what may be secret in the verbs of a game; found out once."""
    if program not in _found:
        _found[program] = SecretLocals(program)
    return _found[program]


class SecretLocals:
    """What may be secret in the verbs of one loaded game."""

    def __init__(self, program: Program) -> None:
        plans = program.plans
        self.flow = secret_flow(program)
        self.clouded = self.flow.clouded
        self.live = {unit: live_locals(plan) for unit, plan in plans.items()}
        self.calls = _calls(program)
        self.prompted = {unit: self.flow.prompted(unit) for unit in plans}
        self.picked = {unit: [_picked(node) for node in plan.nodes] for unit, plan in plans.items()}
        self.shows = {unit: _shows(plan) for unit, plan in plans.items()}

    def of(self, stack: Sequence[Frame], log: Log | None, player: Thing, asked: bool) -> Unknown:
        """Return what a player does not know of running verbs; `asked`: whether he is in the last one. With a
        log he knows what was shown to him."""
        names: dict[int, frozenset[str]] = {}
        dead: dict[int, frozenset[str]] = {}
        shown: dict[int, frozenset[str]] = {}
        clouded = set()
        kept: dict[int, frozenset[str]] = {}
        handed: frozenset[str] = frozenset()
        for depth, frame in enumerate(stack):
            handed = self._handed(stack[depth - 1], handed, frame) if depth else handed
            if frame.unit not in self.live:
                continue
            own = frame.me is player
            following = stack[depth + 1].unit if depth + 1 < len(stack) else None
            if frame.node in self.clouded[own][frame.unit] and not (
                asked if following is None else self.calls[frame.unit, following] == 1
            ):
                clouded.add(depth)
                set_in = self.flow.set_in[frame.unit]
                kept[depth] = frozenset(name for name in handed if set_in[name] == [PARAMETER])
            secret = frozenset(
                name
                for name in frame.locals
                if name not in handed and self._is_secret(frame, name, own)
            )
            seen = frozenset(name for name in secret if self._was_shown(log, frame, name, player))
            if seen:
                shown[depth] = seen
                secret -= seen
            live = self.live[frame.unit].get(frame.node, frozenset())
            if not own or not asked:
                # Others have begun to pick, or have not: that is not told before they are done.
                live -= self.picked[frame.unit][frame.node]
            if secret & live:
                names[depth] = secret & live
            if secret - live:
                dead[depth] = secret - live
        return Unknown(names, dead, shown, frozenset(clouded), kept)

    def _handed(self, caller: Frame, known: frozenset[str], frame: Frame) -> frozenset[str]:
        """Return the parameters of a verb of which everybody knows what it was handed by a caller of which
        the parameters in `known` are known, though another one might have handed it a secret."""
        unit = frame.unit
        if caller.unit not in self.live:
            return frozenset()
        clouded = caller.node in self.clouded[LOOKING_ON][caller.unit]
        if clouded and self.calls[caller.unit, unit] != 1:
            return frozenset()
        node = self.flow.plans[caller.unit].nodes[caller.node]
        step, verb = node.step, self.flow.program.game.verbs.get(unit)
        if verb is None or not isinstance(step, model.CallVerb) or step.verb != unit:
            return frozenset()
        return frozenset(
            parameter.name
            for parameter, argument in zip(verb.parameters, step.arguments, strict=True)
            if self.flow.defined(unit, frame.node, parameter.name) == {PARAMETER}
            and self.flow.knows(caller.unit, caller.node, argument, LOOKING_ON, known)
        )

    def _is_secret(self, frame: Frame, name: str, own: bool) -> bool:
        if own and name in self.prompted[frame.unit][frame.node]:
            return False
        return self.flow.is_secret(frame.unit, frame.node, name, own)

    def _was_shown(self, log: Log | None, frame: Frame, name: str, player: Thing) -> bool:
        """Return whether the things in a local were shown to a player, as the verb says: the last time that they were
        shown was behind where the local was written."""
        shows = self.shows[frame.unit].get(name)
        value = frame.locals[name]
        if not shows or self._may_pass_by(shows, frame, name):
            return False
        for event in latest_first(log):
            if event.kind == "show" and event.data[0] == value:
                return player.number in event.seers
        return False

    def _may_pass_by(self, shows: frozenset[int], frame: Frame, name: str) -> bool:
        """Return whether a way leads from where a local is written to where its verb stands past all nodes that show it;
        not where it would have to be empty, and is not."""
        plan = self.flow.plans[frame.unit]
        following: dict[int, list[int]] = {}
        for at, (node, edges) in enumerate(zip(plan.nodes, plan.edges, strict=True)):
            ways = {} if at in shows else dict(edges)
            match node.step:
                case model.IsEmpty(source=model.Local(name=tested), negated=negated) if (
                    tested == name and frame.locals[name]
                ):
                    ways.pop(Edge.NO if negated else Edge.YES, None)
            following[at] = [*ways.values()]
        written = self.flow.defined(frame.unit, frame.node, name)
        return any(frame.node in reached(following, max(one, 0)) for one in written)


def _calls(program: Program) -> Counter[tuple[str, str]]:
    """Count the nodes at which one verb may call another, or somebody may take it as an offer: which verbs run
    everybody knows."""
    return Counter(
        [
            (unit, called)
            for unit, plan in program.plans.items()
            for node in plan.nodes
            for called in (*node.begins, *(program.offers if isinstance(node, Decide) else ()))
        ]
    )


def _picked(node: Node) -> frozenset[str]:
    """Return the names that hold what has been picked so far at a node."""
    match node.step:
        case model.Choose(name=name) | model.Split(name=name):
            return frozenset((f"@{name}",))
    return frozenset()


def _shows(plan: Plan) -> Mapping[str, frozenset[int]]:
    """Return the nodes of a verb that show somebody what a local holds, by the names of the locals."""
    found: dict[str, frozenset[int]] = {}
    for at, node in enumerate(plan.nodes):
        match node.step:
            case model.Show(value=model.Local(name=name)):
                found[name] = found.get(name, frozenset()) | {at}
    return found
