"""Which values in running verbs a player may not know: what was chosen in secret, came by chance that he
did not see, or was worked out from such; and where a verb stands, if that hangs on it.

It is found out from the rules alone, once for each loaded game: for those who only look on, and for the one
who acts. What nobody reads any more (`live`) says nothing, so it need not be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.openness import Openness
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.engine.load import is_used_openly
from rulewright.interpreter.ir.action_graph import Plan
from rulewright.interpreter.ir.answers_aloud import public_kinds, spoken_sites
from rulewright.interpreter.knowledge.dominators import END, dominators, meetings
from rulewright.interpreter.knowledge.live_locals import heads, live_locals, names_set
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import Log, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

LOOKING_ON, ACTING = False, True
"""For whom something is known: for anybody, or for the one who acts."""


@attrs.frozen
class Unknown:
    """What a player does not know of the running verbs."""

    names: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """For the numbers of frames: the locals that are still read, and may hold what he does not know."""

    dead: Mapping[int, frozenset[str]] = attrs.field(factory=dict)
    """The same for locals that nobody reads any more."""

    clouded: frozenset[int] = frozenset()
    """The frames of which he may not know where they stand, or that they run."""

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
        names = _Names(program)
        changed = True
        while changed:
            count = names.size()
            for unit in plans:
                names.follow(unit)
            changed = names.size() > count
        self.names = names
        self.secret = names.secret
        self.clouded = names.clouded
        self.live = {unit: live_locals(plan) for unit, plan in plans.items()}
        self.calls = _calls(program)
        self.prompted = {unit: names.prompted(unit) for unit in plans}
        self.picked = {unit: [_picked(node) for node in plan.nodes] for unit, plan in plans.items()}
        self.shown = {unit: _shown_locals(plan) for unit, plan in plans.items()}

    def of(self, stack: Sequence[Frame], log: Log | None, player: Thing, asked: bool) -> Unknown:
        """Return what a player does not know of running verbs; `asked`: whether he is in the last one. With a
        log he knows what was shown to him."""
        names: dict[int, frozenset[str]] = {}
        dead: dict[int, frozenset[str]] = {}
        clouded = set()
        handed: frozenset[str] = frozenset()
        for depth, frame in enumerate(stack):
            handed = self._handed(stack[depth - 1], handed, frame.unit) if depth else handed
            if frame.unit not in self.live:
                continue
            own = frame.me is player
            following = stack[depth + 1].unit if depth + 1 < len(stack) else None
            if frame.node in self.clouded[own][frame.unit] and not (
                asked if following is None else self.calls[frame.unit, following] == 1
            ):
                clouded.add(depth)
            secret = frozenset(
                name
                for name in frame.locals
                if name not in handed
                and self._is_secret(frame, name, own)
                and not self._was_shown(log, frame, name, player)
            )
            live = self.live[frame.unit].get(frame.node, frozenset())
            if not own or not asked:
                # Others have begun to pick, or have not: that is not told before they are done.
                live -= self.picked[frame.unit][frame.node]
            if secret & live:
                names[depth] = secret & live
            if secret - live:
                dead[depth] = secret - live
        return Unknown(names, dead, frozenset(clouded))

    def _handed(self, caller: Frame, known: frozenset[str], unit: str) -> frozenset[str]:
        """Return the parameters of a verb of which everybody knows what it was handed by a caller of which
        the parameters in `known` are known, though another one might have handed it a secret."""
        if caller.unit not in self.live:
            return frozenset()
        clouded = caller.node in self.clouded[LOOKING_ON][caller.unit]
        if clouded and self.calls[caller.unit, unit] != 1:
            return frozenset()
        node = self.names.plans[caller.unit].nodes[caller.node]
        step, verb = node["step"], self.names.program.game.verbs.get(unit)
        if verb is None or not isinstance(step, model.CallVerb) or step.verb != unit:
            return frozenset()
        return frozenset(
            parameter.name
            for parameter, argument in zip(verb.parameters, step.arguments, strict=True)
            if len(self.names.set_in[unit][parameter.name]) == 1
            and self.names.knows(caller.unit, caller.node, argument, LOOKING_ON, known)
        )

    def _is_secret(self, frame: Frame, name: str, own: bool) -> bool:
        unit = frame.unit
        if (unit, name) not in self.secret[LOOKING_ON]:
            return False
        if own and name in self.prompted[unit][frame.node]:
            return False
        if not own or (unit, name) in self.secret[ACTING]:
            return True
        acts = self.names.acts[unit]
        return any(acts[at] != acts[frame.node] for at in self.names.set_in[unit].get(name, ()))

    def _was_shown(self, log: Log | None, frame: Frame, name: str, player: Thing) -> bool:
        """Return whether the things in a local were shown to a player, as the verb says."""
        value = frame.locals[name]
        return name in self.shown[frame.unit] and any(
            event.kind == "show" and player.number in event.seers and event.data[0] == value
            for event in latest_first(log)
        )


class _Names(Openness):
    """Follows what may be secret from verb to verb, until nothing more is."""

    def __init__(self, program: Program) -> None:
        super().__init__(program.effects)
        self.program = program
        self.plans = program.plans
        self.spoken = spoken_sites(program.game)
        self.open_kinds = public_kinds(program.game)
        self.secret: tuple[set[tuple[str, str]], set[tuple[str, str]]] = (set(), set())
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
        self.regions: dict[tuple[str, int], frozenset[int]] = {}
        self.ends = {unit: meetings(_following(plan)) for unit, plan in self.plans.items()}

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
                    if level is ACTING and node["kind"] == "decide":
                        acts = self.acts[unit]
                        region = frozenset(one for one in region if acts[one] != acts[at])
                    self.clouded[level][unit] |= region
                for name in names_set(node, at):
                    asked = level is ACTING and node["kind"] == "decide"
                    # Who acts is told, so it is known that somebody does.
                    asked |= (
                        node["kind"] == "as" and types.element(node["step"].players.type) is None
                    )
                    clouded = at in self.clouded[level][unit] and not asked
                    if clouded or not self._is_told(unit, at, node, level):
                        self.secret[level].add((unit, name))
                self._call(unit, at, node, level)

    # ------------------------------------------------------------------------------ what nodes tell

    def _tells_the_way(self, unit: str, at: int, node: dict[str, Any], level: bool) -> bool:
        """Return whether it is known which way is taken behind a node."""
        if len(self.plans[unit].edges[at]) < 2:
            return True
        step = node["step"]
        match node["kind"]:
            case "decide":
                return bool(self.spoken.get(node["site"]))
            case "branch":
                return self.knows(unit, at, step, level)
            case "loop" | "as" | "fork":
                return self._is_told(unit, at, node, level)
        return True

    def _is_told(self, unit: str, at: int, node: dict[str, Any], level: bool) -> bool:
        """Return whether what a node writes into locals is known."""
        step = node["step"]
        match node["kind"]:
            case "let":
                return self.knows(unit, at, step.value, level)
            case "chance":
                return self._is_drawn_openly(unit, at, step, level)
            case "decide":
                return level is ACTING or self.spoken.get(node["site"]) == "value"
            case "loop" if isinstance(step, model.ForEach):
                return self.knows(unit, at, step.source, level)
            case "loop":
                return step.value is None or self.knows(unit, at, step.value, level)
            case "as" if types.element(step.players.type) is None:
                # Who acts then is told.
                return True
            case "as" | "fork":
                return self.knows(unit, at, step.players, level)
        return True

    def _is_drawn_openly(self, unit: str, at: int, step: model.Chance, level: bool) -> bool:
        following = self.plans[unit].edges[at].get("next")
        user = None if following is None else self.plans[unit].nodes[following]["step"]
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

    def _call(self, unit: str, at: int, node: dict[str, Any], level: bool) -> None:
        """Note what verbs are handed, and whether it is secret that they run."""
        step, game = node["step"], self.program.game
        hidden = at in self.clouded[level][unit]
        if node["kind"] == "call" and isinstance(step, model.CallVerb):
            told = game.verbs[step.verb].label is not None
            self._hand(unit, at, step.verb, step.arguments, told, level)
        elif node["kind"] == "watch":
            for watch in game.watches:
                if watch.id in node["watches"] and not (
                    not hidden and self.knows(unit, at, watch.condition, LOOKING_ON)
                ):
                    self.reached[level].add(f"watch:{watch.id}")
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
                self.secret[level].add((verb, parameter.name))

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
                return self._knows_name(unit, at, name, level)
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

    def _knows_name(self, unit: str, at: int, name: str, level: bool) -> bool:
        if (unit, name) not in self.secret[LOOKING_ON]:
            return True
        if level is LOOKING_ON or (unit, name) in self.secret[ACTING]:
            return False
        acts = self.acts[unit]
        return all(acts[one] == acts[at] for one in self.set_in[unit].get(name, ()))

    def prompted(self, unit: str) -> list[frozenset[str]]:
        """Return, for each node, which names the one who acts has been told by what he was asked."""
        plan, acts = self.plans[unit], self.acts[unit]
        before = dominators(_following(plan), 0)

        def passed(at: int) -> Iterator[int]:
            one: int | None = at
            while one is not None:
                yield one
                one = before.get(one)

        def told(at: int) -> Iterator[str]:
            if plan.nodes[at]["kind"] == "decide":
                for name in self._interpolated(plan.nodes[at]["step"]):
                    places = self.set_in[unit].get(name, ())
                    if len(places) == 1 and places[0] in passed(at):
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
            plan, meeting = self.plans[unit], self.ends[unit].get(at, END)
            found: set[int] = set()
            waiting = [one for one in plan.edges[at].values() if one != meeting]
            while waiting:
                one = waiting.pop()
                if one not in found and one != at:
                    found.add(one)
                    waiting += [next_ for next_ in plan.edges[one].values() if next_ != meeting]
            self.regions[key] = frozenset(found)
        return self.regions[key]


def _calls(program: Program) -> Counter[tuple[str, str]]:
    """Count the nodes at which one verb may call another: which verbs run everybody knows."""
    return Counter(
        [
            (unit, called)
            for unit, plan in program.plans.items()
            for node in plan.nodes
            for called in (
                *node.get("verbs", ()),
                *[f"watch:{watch}" for watch in node.get("watches", ())],
            )
        ]
    )


def _picked(node: dict[str, Any]) -> frozenset[str]:
    """Return the names that hold what has been picked so far at a node."""
    step = node["step"]
    if node["kind"] == "decide" and isinstance(step, model.Choose | model.Split):
        return frozenset((f"@{step.name}",))
    return frozenset()


def _shown_locals(plan: Plan) -> frozenset[str]:
    """Return the names of a verb whose values it shows to somebody."""
    return frozenset(
        node["step"].value.name
        for node in plan.nodes
        if isinstance(node["step"], model.Show) and isinstance(node["step"].value, model.Local)
    )


def _acting(plan: Plan, at: int) -> tuple[int, ...]:
    loops = plan.nodes[at]["loops"]
    return tuple([loop for loop in loops if plan.nodes[loop]["kind"] in ("as", "fork")])


def _following(plan: Plan) -> dict[int, list[int]]:
    return {at: [*edges.values()] for at, edges in enumerate(plan.edges)}


def _set_in(program: Program, unit: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, node in enumerate(program.plans[unit].nodes):
        for name in names_set(node, at):
            found.setdefault(name, []).append(at)
    verb = program.game.verbs.get(unit)
    for parameter in () if verb is None else verb.parameters:
        found.setdefault(parameter.name, []).append(0)
    return found
