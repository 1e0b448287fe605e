"""How secrets get from verb to verb: which locals may hold something that was chosen in secret, came by chance
that nobody saw, or was worked out from such; and where a verb may stand because of one.

It is found out from the rules alone: for those who only look on, and for the one who acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import watch_unit
from rulewright.dsl.analysis.openness import Openness
from rulewright.dsl.ir.action_graph import Plan
from rulewright.dsl.ir.definitions import (
    PARAMETER,
    UNSET,
    Definitions,
    reaching_definitions,
)
from rulewright.dsl.ir.dominators import END, dominators, meetings
from rulewright.dsl.ir.live_locals import heads, names_set
from rulewright.dsl.ir.nodes import (
    Acting,
    Branch,
    Call,
    Decide,
    Draw,
    Edge,
    Fork,
    Let,
    Loop,
    Node,
    Watch,
)
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.engine.load import is_used_openly
from rulewright.interpreter.ir.answers_aloud import public_kinds, spoken_sites
from rulewright.interpreter.program.program import Program

LOOKING_ON, ACTING = False, True
"""For whom something is known: for anybody, or for the one who acts."""

Secrets = set[tuple[str, str, int]]
"""Verbs with their locals, and the nodes that write something secret into them."""


def secret_flow(program: Program) -> SecretFlow:
    """Return how secrets get through the verbs of a game: followed until nothing more is found."""
    flow = SecretFlow(program)
    before = -1
    while flow.size() > before:
        before = flow.size()
        for unit in flow.plans:
            flow.follow(unit)
    return flow


class SecretFlow(Openness):
    """Follows what may be secret from verb to verb, until nothing more is."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.effects)
        self.program = program
        self.plans = program.plans
        self.spoken = spoken_sites(program.game)
        self.open_kinds = public_kinds(program.game)
        self.secret: tuple[Secrets, Secrets] = (set(), set())
        self.clouded: tuple[dict[str, set[int]], dict[str, set[int]]] = (
            {unit: set() for unit in self.plans},
            {unit: set() for unit in self.plans},
        )
        """The nodes at which a verb may stand because of something secret, for each verb."""

        self.reached: tuple[set[str], set[str]] = (set(), set())
        """The conditions that may act because of something secret. Which verbs run is told."""

        self.acts = {
            unit: [_acting(plan, at) for at in range(len(plan.nodes))]
            for unit, plan in self.plans.items()
        }
        """For each node the loops that say who acts there."""

        self.set_in: dict[str, dict[str, list[int]]] = {
            unit: _set_in(program, unit) for unit in self.plans
        }
        self.definitions: dict[str, Sequence[Definitions]] = {}
        self.regions: dict[tuple[str, int], frozenset[int]] = {}
        self.following = {unit: _following(plan) for unit, plan in self.plans.items()}
        self.ends = {unit: meetings(graph) for unit, graph in self.following.items()}

    def size(self) -> int:
        """Return how much has been found."""
        nodes = sum(len(nodes) for level in self.clouded for nodes in level.values())
        return nodes + sum(map(len, self.secret)) + sum(map(len, self.reached))

    def follow(self, unit: str) -> None:
        """Look through a verb once more."""
        plan = self.plans[unit]
        for level in (LOOKING_ON, ACTING):
            if unit in self.reached[level]:
                self.clouded[level][unit].update(range(len(plan.nodes)))
            for at, node in enumerate(plan.nodes):
                if not self._tells_the_way(unit, at, node, level):
                    region = self._region(unit, at)
                    if level is ACTING and isinstance(node, Decide):
                        acts = self.acts[unit]
                        region = frozenset(one for one in region if acts[one] != acts[at])
                    self.clouded[level][unit] |= region
                for name in names_set(node, at):
                    asked = level is ACTING and isinstance(node, Decide)
                    # Who acts is told, so it is known that somebody does.
                    asked |= isinstance(node, Acting) and _is_for_one(node.step)
                    clouded = at in self.clouded[level][unit] and not asked
                    if clouded or not self._is_told(unit, at, node, level):
                        self.secret[level].add((unit, name, at))
                self._call(unit, at, node, level)

    # ------------------------------------------------------------------------------ what nodes tell

    def _tells_the_way(self, unit: str, at: int, node: Node, level: bool) -> bool:
        """Return whether it is known which way is taken behind a node."""
        if len(self.plans[unit].edges[at]) < 2:
            return True
        match node:
            case Decide(site=site):
                return bool(self.spoken.get(site))
            case Branch(step=condition):
                return self.knows(unit, at, condition, level)
            case Loop() | Acting() | Fork():
                return self._is_told(unit, at, node, level)
        return True

    def _is_told(self, unit: str, at: int, node: Node, level: bool) -> bool:
        """Return whether what a node writes into locals is known."""
        match node:
            case Let(step=model.Let(value=value)):
                return self.knows(unit, at, value, level)
            case Draw(step=step):
                return self._is_drawn_openly(unit, at, step, level)
            case Decide(site=site):
                return level is ACTING or self.spoken.get(site) == "value"
            case Loop(step=model.ForEach(source=source)):
                return self.knows(unit, at, source, level)
            case Loop(step=model.Repeat(value=value)):
                return value is None or self.knows(unit, at, value, level)
            case Acting(step=step) if _is_for_one(step):
                # Who acts then is told.
                return True
            case Acting(step=step) | Fork(step=step):
                return self.knows(unit, at, step.players, level)
        return True

    def _is_drawn_openly(self, unit: str, at: int, step: model.Chance, level: bool) -> bool:
        following = self.plans[unit].edges[at].get("next")
        user = None if following is None else self.plans[unit].nodes[following].step
        return (
            isinstance(user, model.Let)
            and is_used_openly(self.program, unit, user.name)
            and self.is_public(unit, step.source, step.count)
            and self._are_seen(types.element(step.source.type) or step.source.type)
            and all(
                self.knows(unit, at, part, level)
                for part in (step.source, step.count)
                if part is not None
            )
        )

    def _call(self, unit: str, at: int, node: Node, level: bool) -> None:
        """Note what verbs are handed, and whether it is secret that they run."""
        step, game = node.step, self.program.game
        hidden = at in self.clouded[level][unit]
        if isinstance(node, Call):
            step = node.step
            told = game.verbs[step.verb].label is not None
            self._hand(unit, at, step.verb, step.arguments, told, level)
        elif isinstance(node, Watch):
            for watch in game.watches:
                if watch.id in node.watches and not (
                    not hidden and self.knows(unit, at, watch.condition, LOOKING_ON)
                ):
                    self.reached[level].add(watch_unit(watch))
        if step is not None:
            parts = [*visitor.walk(heads(node))]
            # What is only tried never runs while somebody decides.
            tried = {id(part.verb) for part in parts if isinstance(part, model.Can)}
            for part in parts:
                if isinstance(part, model.VerbOf) and id(part) not in tried:
                    for verb in part.verbs:
                        self._hand(unit, at, verb, part.arguments, True, level)

    def _hand(
        self, unit: str, at: int, verb: str, arguments: tuple[Any, ...], told: bool, level: bool
    ) -> None:
        parameters = self.program.game.verbs[verb].parameters
        if len(parameters) != len(arguments):
            return
        for parameter, argument in zip(parameters, arguments, strict=True):
            if told and self._are_seen(parameter.type):
                continue
            if at in self.clouded[level][unit] or not self.knows(unit, at, argument, level):
                self.secret[level].add((verb, parameter.name, PARAMETER))

    def _are_seen(self, kind: types.Type) -> bool:
        """Return whether everybody sees what values of a type speak of."""
        kind = types.without_none(kind)
        held = types.element(kind)
        if held is not None:
            return self._are_seen(held)
        if isinstance(kind, types.ThingType):
            return kind.kind == "Player" or kind.kind in self.open_kinds
        return isinstance(kind, types.NumberType | types.FlagType | types.EnumType | types.TextType)

    # --------------------------------------------------------------------------------- expressions

    def knows(
        self,
        unit: str,
        at: int,
        expression: Any,
        level: bool,
        known: frozenset[str] = frozenset(),
    ) -> bool:
        """Return whether it is known what an expression gives at a node, where some names are known."""
        return all(
            (isinstance(part, model.Local) and part.name in known)
            or self._is_known(unit, at, part, level)
            for part in self._read(expression)
        )

    def _is_known(self, unit: str, at: int, part: model.Node, level: bool) -> bool:
        match part:
            case model.Read(field=field, target=target):
                return self._is_open(frozenset({field})) or self._is_owners(field, target, level)
            case model.Contents(place=model.FieldPlace(field=field, target=target)):
                return self._is_open(frozenset({field})) or self._is_owners(field, target, level)
            case model.Contents(place=place):
                return self._is_open(self.effects.fields_at(place))
            case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                return self._are_seen(thing.type)
            case model.Local(name=name):
                return not self.is_secret(unit, at, name, level)
            case model.Can(verb=verb):
                reads = {
                    field
                    for one in self.effects.done_by(verb)
                    for field in self.effects.unit(one).reads
                }
                return all(
                    self._is_open(frozenset({one})) or self._is_owners(one, model.Me, level)
                    for one in reads & self.program.game.fields.keys()
                )
        return True

    def _is_owners(self, field: str, target: Any, level: bool) -> bool:
        found = self.program.game.fields[field]
        return (
            level is ACTING
            and (target is model.Me or isinstance(target, model.Me))
            and found.holder == "Player"
            and found.viewers.who == "owner"
        )

    def is_secret(self, unit: str, at: int, name: str, level: bool) -> bool:
        """Return whether a local may hold something secret at a node, for those who look on or for the one who
        acts there."""
        defined = self.defined(unit, at, name)
        if not any((unit, name, one) in self.secret[LOOKING_ON] for one in defined):
            return False
        if level is LOOKING_ON:
            return True
        if any((unit, name, one) in self.secret[ACTING] for one in defined):
            return True
        acts = self.acts[unit]
        return any(acts[max(one, 0)] != acts[at] for one in defined)

    def defined(self, unit: str, at: int, name: str) -> frozenset[int]:
        """Return the nodes that may have written what a local holds at a node."""
        return self.written_at(unit, at, name) or frozenset(self.set_in[unit].get(name, ()))

    def written_at(self, unit: str, at: int, name: str) -> frozenset[int]:
        """Return the same; none if nothing can have written it on the way there."""
        if unit not in self.definitions:
            verb = self.program.game.verbs.get(unit)
            names = [one.name for one in verb.parameters] if verb is not None else ()
            self.definitions[unit] = reaching_definitions(self.plans[unit], names)
        return self.definitions[unit][at].get(name, frozenset()) - {UNSET}

    def prompted(self, unit: str) -> list[frozenset[str]]:
        """Return, for each node, which names the one who acts has been told by what he was asked."""
        plan, acts = self.plans[unit], self.acts[unit]
        before = dominators(self.following[unit], 0)

        def passed(at: int) -> Iterator[int]:
            one: int | None = at
            while one is not None:
                yield one
                one = before.get(one)

        def told(at: int) -> Iterator[str]:
            if isinstance(plan.nodes[at], Decide):
                for name in self._interpolated(plan.nodes[at].step):
                    places = self.set_in[unit].get(name, ())
                    if len(places) == 1 and max(places[0], 0) in passed(at):
                        yield name

        return [
            frozenset(name for one in passed(at) if acts[one] == acts[at] for name in told(one))
            for at in range(len(plan.nodes))
        ]

    def _interpolated(self, step: Any) -> Iterator[str]:
        match step:
            case model.Either(ask=ask, arms=arms):
                texts = (ask, *[arm.label for arm in arms])
            case model.May(label=label):
                texts = (label,)
            case model.Choose(ask=ask) | model.Split(ask=ask):
                texts = (ask,)
            case _:
                texts = ()
        for text in texts:
            for part in text.parts if isinstance(text, model.TextOf) else ():
                if isinstance(part, model.Local) and self._are_seen(part.type):
                    yield part.name

    # --------------------------------------------------------------------------------------- ways

    def _region(self, unit: str, at: int) -> frozenset[int]:
        """Return the nodes that are passed on some of the ways behind a node only."""
        key = unit, at
        if key not in self.regions:
            meeting = self.ends[unit].get(at, END)
            found: set[int] = set()
            following = self.following[unit]
            waiting = [one for one in following[at] if one != meeting]
            while waiting:
                one = waiting.pop()
                if one not in found and one != at:
                    found.add(one)
                    waiting += [next_ for next_ in following[one] if next_ != meeting]
            self.regions[key] = frozenset(found)
        return self.regions[key]


def _acting(plan: Plan, at: int) -> tuple[int, ...]:
    loops = plan.nodes[at].loops
    return tuple([loop for loop in loops if isinstance(plan.nodes[loop], Acting | Fork)])


def _is_for_one(step: model.As) -> bool:
    """Return whether the rules name the one player who acts, not a list."""
    return isinstance(step.players, model.ListOf) and len(step.players.items) == 1


def _following(plan: Plan) -> dict[int, list[int]]:
    """Return the nodes that follow each: not where a requirement fails, for nobody goes there."""
    return {
        at: [target for label, target in edges.items() if label != Edge.FAIL]
        for at, edges in enumerate(plan.edges)
    }


def _set_in(program: Program, unit: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, node in enumerate(program.plans[unit].nodes):
        for name in names_set(node, at):
            found.setdefault(name, []).append(at)
    verb = program.game.verbs.get(unit)
    for parameter in () if verb is None else verb.parameters:
        found.setdefault(parameter.name, []).append(PARAMETER)
    return found
