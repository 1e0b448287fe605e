"""Amendments (`change`, `before`, `after`, `instead of`, `as soon as`) of all files that take part, each put
where it acts, in the order in which they run.

Scope 0 is the game and its modules (a module's own before those of the file that uses it), scope 1
the variants. A target is found as seen from the file: `collect`, `navcomps.renew`, `turn.mark` for a
step, `score.gems` for a line of a tally, `fly.label`, `Player.level`. An amendment sees the
parameters and the chosen things of its target, and nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import (
    ChangeDeclaration,
    DefineDeclaration,
    During,
    Instance,
    OptionDeclaration,
    Power,
    Speaker,
    StepDeclaration,
    UntilDeclaration,
    VerbDeclaration,
    World,
    scope_of,
)
from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.visitor import steps_in
from rulewright.dsl.text.source import Span
from rulewright.dsl.typecheck import constants, defines, name_lookup, powers, statements
from rulewright.dsl.typecheck.block_writes import Writes
from rulewright.dsl.typecheck.context import Body, Readers
from rulewright.dsl.typecheck.during import OfferReader, RunningUnits, guarded, targets_of, within
from rulewright.dsl.typecheck.facts import tested
from rulewright.dsl.typecheck.until import captured, with_captured

Amending = nodes.Change | nodes.Around | nodes.AsSoonAs | nodes.During


class AmendmentLinker:
    """Hangs the amendments of all files on their targets."""

    def __init__(self, world: World, readers: Readers, filled: frozenset[Span]) -> None:
        self.world = world
        self.report = world.report
        self.readers = readers
        self.watches: list[model.Watch] = []
        self.step_amendments: dict[str, list[model.Amendment]] = {}
        self.option_changes: dict[str, list[model.Changed]] = {}
        self.count = 0
        self.running = RunningUnits()
        self.offers = OfferReader()
        self.writes = Writes(world, filled)

    def body(self, scope: Instance, kind: str = "amendment") -> Body:
        """Return a fresh context for a body of that file."""
        return Body(
            self.world,
            scope,
            self.report,
            self.readers,
            kind_of_place=kind,
            writes=self.writes,
        )

    def changes(self) -> None:
        """Hang every `change` on its define, line, option or label; bodies are read later."""
        self.amendments = list(self._all())
        for order, (scope, node, speaker) in enumerate(self.amendments):
            if isinstance(node, nodes.Change):
                self._change(ChangeDeclaration(node, scope, order, speaker))

    def blocks(self) -> None:
        """Read every `before`, `after`, `instead of`, `as soon as` and offer."""
        for order, (scope, node, speaker) in enumerate(self.amendments):
            match node:
                case nodes.Around():
                    for target in node.targets:
                        self._around(scope, node, target, order, speaker)
                case nodes.AsSoonAs():
                    self._watch(scope, node, speaker)
                case nodes.Offer():
                    assert isinstance(speaker, During), "an offer stands in a `during`"
                    self.offers.read(self._beside(scope, speaker), node, speaker)
                case _:
                    pass
        self._lasting_blocks()
        for verb in self.world.all_verbs():
            verb.amendments.sort(key=_running_order)
        for amendments in self.step_amendments.values():
            amendments.sort(key=_running_order)

    def _beside(self, scope: Instance, speaker: During) -> Body:
        """Return the context of an offer: it reads no names of what is running."""
        body = self.body(scope, "offer")
        running = set(targets_of(speaker.running))
        for verb in self.world.all_verbs():
            if verb.id in running:
                body.hidden_names |= hidden_names(verb, {})
        return body

    def _lasting_blocks(self) -> None:
        """Read the blocks behind `until`; in them there may be more of the same."""
        for until in self.world.untils:
            if isinstance(until.node.change, nodes.Around):
                for target in until.node.change.targets:
                    self._around(until.scope, until.node.change, target, until.number, until)

    def lasting_changes(self) -> None:
        """Hang every `change` behind `until` on its value, when all of them have been read."""
        for until in self.world.untils:
            node = until.node.change
            if not isinstance(node, nodes.Change):
                continue
            found = self._valued(until.scope, node.target)
            change = ChangeDeclaration(node, until.scope, until.number, until)
            if isinstance(found, OptionDeclaration | VerbDeclaration):
                self._no_power_over(node.target, found)
            elif isinstance(found, DefineDeclaration) and self._line(found, node.target):
                defines.add_lasting(self.world, found, change, self.readers)

    def _all(self) -> Iterator[tuple[Instance, Amending | nodes.Offer, Speaker | None]]:
        """Yield all amendments and offers, each with that for which it speaks."""
        for scope, item, speaker in self._written():
            if isinstance(item, nodes.During):
                yield from self._inside(scope, item, None)
            else:
                yield scope, item, speaker

    def _inside(
        self, scope: Instance, node: nodes.During, outer: During | None
    ) -> Iterator[tuple[Instance, Amending | nodes.Offer, During]]:
        during = within(outer, self._running(scope, node), node)
        for item in node.items:
            if isinstance(item, nodes.During):
                yield from self._inside(scope, item, during)
            else:
                yield scope, item, during

    def _running(self, scope: Instance, node: nodes.During) -> model.Expression:
        """Return whether one of the targets of a `during` is running."""
        units: list[str] = []
        for target in node.targets:
            words = list(target.words)
            found = [verb.id for verb in self._verbs(scope, words)] or self._step_ids(scope, words)
            if not found:
                self._unknown_verb(scope, words)
            units += found
        first, last = node.targets[0].span, node.targets[-1].span
        span = Span(first.source, first.start, last.end)
        return self.running.condition(list(dict.fromkeys(units)), span)

    def _step_ids(self, scope: Instance, words: list[nodes.Word]) -> list[str]:
        found = self.world.step_ids.get(words[-1].text, [])
        if len(words) == 1:
            return found
        verbs = {verb.id for verb in self._verbs(scope, words[:-1])}
        return [one for one in found if one.rpartition(".")[0] in verbs]

    def _written(self) -> Iterator[tuple[Instance, Amending, Power | None]]:
        modules = [one for one in reversed(self.world.instances) if one.is_module]
        rest = [one for one in self.world.instances if not one.is_module]
        number = 1
        for scope in (*modules, *rest):
            for item in scope.file.items:
                if isinstance(item, nodes.KindHas) and item.selects:
                    body = self.body(scope)
                    for power, node in powers.amendments(self.world, scope, item, body, number):
                        yield scope, node, power
                        number = power.number + 1
                elif isinstance(item, nodes.KindHas | nodes.GameHas):
                    for member in item.members:
                        if isinstance(member, Amending):
                            yield scope, member, None
                elif isinstance(item, Amending):
                    yield scope, item, None

    # ------------------------------------------------------------------------------------ change

    def _change(self, change: ChangeDeclaration) -> None:
        scope, node = change.scope, change.node
        found = self._valued(scope, node.target)
        if isinstance(change.speaker, During):
            if isinstance(found, OptionDeclaration):
                self._no_option(node.target)
                return
        elif change.speaker is not None and isinstance(found, OptionDeclaration | VerbDeclaration):
            self._no_power_over(node.target, found)
            return
        if isinstance(found, DefineDeclaration):
            line = node.target.words[-1].text
            if not self._line(found, node.target):
                return
            if isinstance(found.node, nodes.Tally) and line != found.name:
                found.line_changes.setdefault(line, []).append(change)
            else:
                found.changes.append(change)
        elif isinstance(found, OptionDeclaration):
            body = self.body(scope)
            body.me = False
            changed = defines.changed(body, change, found.type, None)
            if node.how == "to":
                constants.check(body, changed.value, found.low, found.high, found.node.name.span)
            self.option_changes.setdefault(found.node.name.text, []).append(changed)
        elif isinstance(found, VerbDeclaration):
            body = self.body(scope)
            for parameter in found.parameters:
                body.seen_names[parameter.name] = parameter.type
            found.label_changes.append(defines.changed(body, change, types.TEXT, None))

    def _line(self, found: DefineDeclaration, target: nodes.Target) -> bool:
        """Return whether a tally has the line that a target names; if not, that is reported."""
        word = target.words[-1]
        if isinstance(found.node, nodes.Tally) and word.text != found.name:
            lines = [one.name.text for one in found.node.lines]
            if word.text not in lines:
                self._unknown(word, "line", lines)
                return False
        return True

    def _no_power_over(
        self, target: nodes.Target, found: OptionDeclaration | VerbDeclaration
    ) -> None:
        """Report the power of a thing over what does not change while the game runs."""
        name = ".".join(word.text for word in target.words)
        what = "option" if isinstance(found, OptionDeclaration) else "label"
        self.report.complain(
            "RW203", target.span, name=name, kind="value that a power changes", found=what
        )

    def _no_option(self, target: nodes.Target) -> None:
        kind, label = "value that can change in the game", "it is fixed before the game begins"
        name = target.words[-1].text
        self.report.complain("RW203", target.span, label, name=name, kind=kind, found="option")

    def _valued(
        self, scope: Instance, target: nodes.Target
    ) -> DefineDeclaration | OptionDeclaration | VerbDeclaration | None:
        body = self.body(scope)
        words = list(target.words)
        if len(words) > 1 and words[0].text[:1].isupper():
            return self._of_kind(scope, words[0], words[1])
        if len(words) > 1 and words[-1].text == "label":
            verbs = self._verbs(scope, words[:-1])
            if not verbs:
                self._unknown(words[0], "verb", [one.name for one in self.world.all_verbs()])
            return verbs[0] if verbs else None
        at = scope
        if len(words) > 1:
            instance = scope.instance_named(words[0].text)
            if instance is not None:
                at = instance
                words = words[1:]
        with body.elsewhere(at, []):
            named = name_lookup.find_named(body, words[0])
        if isinstance(named, DefineDeclaration | OptionDeclaration):
            return named
        kindly = [
            one for kind in self.world.kinds.values() for one in kind.defines.get(words[0].text, ())
        ]
        if named is None and len(kindly) == 1:
            return kindly[0]
        names = [
            name
            for _, one in scope.near()
            for table in (one.defines, one.options)
            for name in table
        ]
        names += [name for kind in self.world.kinds.values() for name in kind.defines]
        if not self._of_other_kind(scope, words[0], "value"):
            self._unknown(words[0], "value", names, scope)
        return None

    def _of_kind(
        self, scope: Instance, kind: nodes.Word, value: nodes.Word
    ) -> DefineDeclaration | None:
        type_ = self.body(scope).types.kind_type(kind, scope)
        if isinstance(type_, types.EnumType):
            name = type_.name
        elif isinstance(type_, types.ThingType):
            name = type_.kind
        else:
            return None
        known = self.world.kinds.get(name)
        found = self.world.define_of(name, value.text, scope)
        if found is None and known is not None and value.text in known.fields:
            help = "a field is changed by steps: `set`, `add`"
            self.report.complain(
                "RW203", value.span, help=help, name=value.text, kind="value", found="field"
            )
        elif found is None:
            self._unknown(value, "value", [] if known is None else list(known.defines))
        return found

    def _unknown(
        self, word: nodes.Word, kind: str, names: list[str], scope: Instance | None = None
    ) -> None:
        near = self.world.nearest(word.text, names)
        if self.world.may_declare(word.text, near):
            return
        help = f"did you mean `{near[0]}`?" if near else None
        if scope is not None:
            help = self.world.of_other_variant(word.text, scope) or help
        self.report.complain(
            "RW209", word.span, "no such target", help=help, kind=kind, name=word.text
        )

    def _of_other_kind(self, scope: Instance, word: nodes.Word, wanted: str) -> bool:
        """Report a target that is something else than what can be amended in this way."""
        found = name_lookup.what_is(self.body(scope), word)
        if found is None:
            return False
        help = {
            "field": "a field is changed by steps: `set`, `add`",
            "zone": "a zone is changed by steps: `move`",
            "verb": f"write `before {word.text}`, `after {word.text}` or `instead of {word.text}`",
            "value": f"write `change {word.text} to …`",
            "option": f"write `change {word.text} to …`",
        }.get(found)
        self.report.complain(
            "RW203", word.span, help=help, name=word.text, kind=wanted, found=found
        )
        return True

    # ------------------------------------------------------------------------------------ blocks

    def _verbs(self, scope: Instance, words: list[nodes.Word]) -> tuple[VerbDeclaration, ...]:
        body = self.body(scope)
        if len(words) == 1:
            return name_lookup.find_verbs(body, words[0].text)
        instance = scope.instance_named(words[0].text)
        if instance is not None and len(words) == 2:
            return tuple(instance.verbs.get(words[1].text, ()))
        return ()

    def _steps(self, scope: Instance, words: list[nodes.Word]) -> list[StepDeclaration]:
        found = self.world.steps.get(words[-1].text, [])
        if len(words) == 1:
            return found
        verbs = {verb.id for verb in self._verbs(scope, words[:-1])}
        return [one for one in found if one.verb.id in verbs]

    def _around(
        self,
        scope: Instance,
        node: nodes.Around,
        target: nodes.Target,
        order: int,
        speaker: Speaker | None,
    ) -> None:
        words = list(target.words)
        verbs = self._verbs(scope, words)
        for verb in verbs:
            self._amend_verb(scope, node, verb, order, speaker)
        if verbs:
            return
        steps = self._steps(scope, words)
        for step in steps:
            self._amend_step(scope, node, step, order, speaker)
        if not steps:
            self._unknown_verb(scope, words)

    def _unknown_verb(self, scope: Instance, words: list[nodes.Word]) -> None:
        if len(words) == 1 and self._of_other_kind(scope, words[0], "verb"):
            return
        instance = scope.instance_named(words[0].text) if len(words) > 1 else None
        verbs = [one.name for one in self.world.all_verbs()]
        if instance is not None:
            self._unknown(words[-1], "verb", list(instance.verbs))
        elif len(words) > 1 and not self._verbs(scope, words[:1]):
            aliases = [alias for _, one in scope.near() for alias in one.aliases]
            self._unknown(words[0], "verb", [*aliases, *verbs])
        else:
            self._unknown(words[-1], "verb", [*verbs, *self.world.step_ids], scope)

    def _amend_verb(
        self,
        scope: Instance,
        node: nodes.Around,
        verb: VerbDeclaration,
        order: int,
        speaker: Speaker | None,
    ) -> None:
        names = {parameter.name: parameter.type for parameter in verb.parameters}
        if node.timing == "after":
            for name in verb.set_at_end or ():
                names[name] = verb.choices[name]
        verb.amendments.append(self._read(scope, node, verb, names, order, speaker))

    def _amend_step(
        self,
        scope: Instance,
        node: nodes.Around,
        step: StepDeclaration,
        order: int,
        speaker: Speaker | None,
    ) -> None:
        names = {parameter.name: parameter.type for parameter in step.verb.parameters}
        names |= step.before
        amendment = self._read(scope, node, step.verb, names, order, speaker)
        self.step_amendments.setdefault(step.id, []).append(amendment)

    def _read(
        self,
        scope: Instance,
        node: nodes.Around,
        verb: VerbDeclaration,
        names: dict[str, Type],
        order: int,
        speaker: Speaker | None,
    ) -> model.Amendment:
        self.count += 1
        suffix = f"~{self.count}"
        body = self.body(scope)
        body.verb, body.amending = verb, True
        body.seen_names = dict(names)
        body.hidden_names = hidden_names(verb, names)
        body.rename = lambda name: name + suffix
        bearers = defines.bearers_of(body, speaker)
        guard = guarded(body, speaker, node.guard)
        body.known = frozenset() if guard is None else tested(guard)
        block = statements.block(body, node.block)
        if isinstance(speaker, UntilDeclaration):
            given = captured(body, speaker, frozenset(names))
            guard = None if guard is None else with_captured(guard, given)
            span = speaker.node.span
            lets = [model.Let(span=span, name=name, value=value) for name, value in given]
            block = (*lets, *block)
        if body.uses_me and not verb.needs_me:
            verb.needs_me, verb.me_span = True, body.me_span
        return model.Amendment(
            timing=node.timing,
            guard=guard,
            block=block,
            scope=scope_of(scope, speaker),
            order=order,
            title=scope.title,
            span=node.span,
            see=node.see,
            bearers=bearers,
        )

    def _watch(self, scope: Instance, node: nodes.AsSoonAs, speaker: Speaker | None) -> None:
        body = self.body(scope, "watch")
        body.calls = []
        condition = guarded(body, speaker, node.condition)
        assert condition is not None, "a condition is written"
        body.known = tested(condition)
        block = statements.block(body, node.block)
        needs_me = body.uses_me or any(verb.needs_me for verb, _ in body.calls)
        identity = f"{scope.name or scope.title or 'game'}.{len(self.watches) + 1}"
        self.watches.append(
            model.Watch(
                id=identity,
                condition=condition,
                block=block,
                needs_me=needs_me,
                title=scope.title,
                span=node.span,
                see=node.see,
            )
        )


def hidden_names(verb: VerbDeclaration, names: dict[str, Type]) -> frozenset[str]:
    """Return the locals of a verb that an amendment may not use: its `let`s, loops, late choices."""
    found = {*verb.choices, *(one.name for one in verb.parameters)}
    for node in steps_in(verb.node.block):
        if isinstance(node, nodes.Let | nodes.ForEach):
            found.add(node.name.text)
    return frozenset(found) - frozenset(names)


def _running_order(amendment: model.Amendment) -> tuple[int, int, int]:
    timings = {"before": 0, "instead": 1, "after": 2}
    return timings[amendment.timing], amendment.scope, amendment.order
