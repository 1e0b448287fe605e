"""Where amendments act, as places in the text: what is put on which line of which file.

A `before` stands behind the head of its verb, an `instead of` in front of the block that it replaces,
an `after` behind it, a `change` behind the value that it changes; the fields that a variant adds stand
behind those of the game. `effective_rulebook` puts the lines of the files and these together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

import attrs

from rulewright.dsl import model
from rulewright.dsl.resolve.example_speakers import candidates, innermost_first, speaking
from rulewright.dsl.resolve.symbols import ChangeDeclaration, DefineDeclaration, Instance, World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.typecheck import powers

WAYS = ("to", "by", "at most", "at least")

_ORIGINAL = re.compile(r"\boriginal\b")


@attrs.frozen
class Author:
    """Who says something: a variant by its title, or a file of the game; and where."""

    name: str
    place: str
    """`file:line`."""

    marked: bool
    """Whether it is worth a mark: a variant says it, or a file about the verb of another file."""


@attrs.frozen
class Splice:
    """A stretch of some file that acts at a line of this one."""

    after: int
    """The line behind which it stands."""

    indent: int
    span: Span
    author: Author
    changes: bool = False
    """Whether it changes a value; otherwise it adds steps or fields."""

    otherwise: bool = False
    """Whether what stands behind it still holds where its guard does not."""

    during: tuple[str, ...] = ()
    """The heads of the `during`s in which it stands."""

    replaced_by: Author | None = None
    """Who says something else in its place, so that it never acts."""


@attrs.frozen
class Replaced:
    """Lines of this file that hold no longer."""

    first: int
    last: int
    author: Author


@attrs.define(eq=False)
class AnnotatedFile:
    """What is hung on the lines of one file that takes part."""

    instance: Instance
    splices: list[Splice] = attrs.Factory(list)
    replaced: list[Replaced] = attrs.Factory(list)

    @property
    def source(self) -> Source:
        """The text of the file."""
        return self.instance.file.span.source

    @property
    def is_amended(self) -> bool:
        """Whether something is hung on it that is worth a mark."""
        authors = [one.author for one in self.splices]
        authors += [one.author for one in self.replaced]
        return any(author.marked for author in authors)


@attrs.define(eq=False)
class Splices:
    """The sheets of all files that take part, and where each amendment acts."""

    sheets: dict[int, AnnotatedFile]
    acts_on: dict[tuple[Source, int], list[str]] = attrs.Factory(dict)
    """By source and offset of an amendment: what it is hung on, in words."""

    def of(self, instance: Instance) -> AnnotatedFile:
        """Return the sheet of a file."""
        return self.sheets[id(instance)]


def place_of(span: Span) -> str:
    """Return where something is written, as `file:line`."""
    return f"{span.source.name}:{span.line}"


def last_line(span: Span) -> int:
    """Return the line of the last visible character of a span."""
    return span.shown().end_line


def file_name(instance: Instance, game: model.Game) -> str:
    """Return a file that takes part in words: the title of the game or variant, the module's name."""
    header = instance.file.header
    if isinstance(header, nodes.ModuleHeader):
        alias = f" as {instance.name}" if instance.aliased else ""
        return f"module {header.name.text}{alias}"
    return instance.title or game.title


def splices_of(world: World, game: model.Game) -> Splices:
    """Return what is hung on the lines of each file of a linked game."""
    found = Splices({id(one): AnnotatedFile(one) for one in (*world.instances, *world.examples)})
    hanger = _SplicePlacer(world, game, found)
    hanger.verbs()
    hanger.steps()
    hanger.offers()
    hanger.defines()
    hanger.options()
    hanger.fields()
    hanger.rankings()
    hanger.examples()
    hanger.checks()
    return found


class _SplicePlacer:
    def __init__(self, world: World, game: model.Game, found: Splices) -> None:
        self.world = world
        self.game = game
        self.found = found
        self.names = {id(one.file.span.source): file_name(one, game) for one in world.instances}
        self.powers = {
            (member.span.source, member.span.start): powers.label_of(item)
            for one in world.instances
            for item in one.file.items
            if isinstance(item, nodes.KindHas) and item.selects
            for member in item.members
        }
        """Whose power is written where."""
        self.lasting = {
            (one.span.source, one.span.start): around
            for instance in world.instances
            for item in instance.file.items
            for one, around in _in_durings(item)
        }
        """What stands in a `during`, and all of them around it, outer first."""

    def author(self, span: Span, title: str, sheet: AnnotatedFile | None) -> Author:
        """Return who says what stands there, about something on that sheet."""
        power = self.powers.get((span.source, span.start))
        if power is not None:
            return Author(" · ".join(filter(None, (title, power))), place_of(span), True)
        marked = bool(title) or (sheet is not None and span.source is not sheet.source)
        name = title or self.names.get(id(span.source), self.game.title)
        return Author(name, place_of(span), marked)

    def note(self, span: Span, target: str) -> None:
        """Remember what an amendment acts on."""
        acts_on = self.found.acts_on.setdefault((span.source, span.start), [])
        if target not in acts_on:
            acts_on.append(target)
        around = self.lasting.get((span.source, span.start))
        if around is not None and not _has_watch(around[0]):
            # All of the block is shown where it acts.
            self.note(around[0].span, target)

    def heads(self, span: Span) -> tuple[str, ...]:
        """Return the heads of the `during`s around something."""
        around = self.lasting.get((span.source, span.start), ())
        return tuple(" ".join(one.span.text.partition("\n")[0].split()) for one in around)

    # --------------------------------------------------------------------------------------- verbs

    def verbs(self) -> None:
        """Hang the amendments of verbs and their labels."""
        for verb in self.world.all_verbs():
            sheet = self.found.of(verb.scope)
            head = verb.node.name.span.line
            self._changes(sheet, head, 2, verb.label_changes, f"{verb.name}.label")
            self._around(sheet, verb.node, verb.node.block, verb.amendments, f"to {verb.name}")

    def steps(self) -> None:
        """Hang the amendments of named steps."""
        for name, declared in self.world.steps.items():
            for step in declared:
                amendments = self.game.step_amendments.get(step.id, ())
                node = _step_node(step.verb.node, step.span)
                if node is None or not amendments:
                    continue
                sheet = self.found.of(step.verb.scope)
                self._around(
                    sheet, node, node.block, amendments, f"step {name} of {step.verb.name}"
                )

    def offers(self) -> None:
        """Hang offers where the verbs and steps begin during which they are open."""
        verbs = {verb.id: verb for verb in self.world.all_verbs()}
        steps = {step.id: step for steps in self.world.steps.values() for step in steps}
        for offer in self.game.offers:
            for target in offer.targets:
                step = steps.get(target)
                verb = verbs[target] if step is None else step.verb
                node = verb.node if step is None else _step_node(verb.node, step.span)
                if node is None or not node.block:
                    continue
                first = node.block[0].span
                name = f"to {verb.name}" if step is None else f"step {step.name} of {verb.name}"
                lines = first.line - 1, first.column - 1
                self._splice(self.found.of(verb.scope), *lines, offer, name)

    def _around(
        self,
        sheet: AnnotatedFile,
        node: nodes.Node,
        block: nodes.Block,
        amendments: Iterable[model.Amendment],
        target: str,
    ) -> None:
        if not block:
            return
        first, last = block[0].span.line, last_line(node.span)
        head, indent = first - 1, block[0].span.column - 1
        # What holds for a while is told by the step that says it.
        amendments = [one for one in amendments if one.scope != model.LASTING]
        # Of several `instead of` the innermost speaks, and it is the last of them.
        replacing = [one for one in reversed(amendments) if one.timing == "instead"]
        for one in amendments:
            if one.timing == "before":
                self._splice(sheet, head, indent, one, target)
        ruled_out: Author | None = None
        for one in replacing:
            otherwise = one.sometimes and ruled_out is None
            author = self._splice(
                sheet, head, indent, one, target, otherwise=otherwise, replaced_by=ruled_out
            )
            if not one.sometimes and ruled_out is None:
                ruled_out = author
        if ruled_out is not None:
            sheet.replaced.append(Replaced(first, last, ruled_out))
        for one in amendments:
            if one.timing == "after":
                self._splice(sheet, last, indent, one, target)

    def _splice(
        self,
        sheet: AnnotatedFile,
        after: int,
        indent: int,
        one: model.Amendment | model.Offer | _ChangeText,
        target: str,
        **more: Any,
    ) -> Author:
        """Hang what acts on a target behind a line, and return who says it."""
        author = self.author(one.span, one.title, sheet)
        self.note(one.span, target)
        during = self.heads(one.span)
        sheet.splices.append(Splice(after, indent, one.span, author, during=during, **more))
        return author

    # -------------------------------------------------------------------------------------- values

    def defines(self) -> None:
        """Hang the changes of defines, tallies and their lines."""
        for define in self._all_defines():
            sheet = self.found.of(define.scope)
            node = define.node
            indent = node.span.column + 1
            self._changes(
                sheet, last_line(node.span), indent, define.changes, define.name, node.span
            )
            for name, changes in define.line_changes.items():
                lines = node.lines if isinstance(node, nodes.Tally) else ()
                line = next((one for one in lines if one.name.text == name), None)
                if line is not None:
                    target = f"{define.name}.{name}"
                    self._changes(sheet, last_line(line.span), 4, changes, target, line.span)

    def _all_defines(self) -> Iterator[DefineDeclaration]:
        for instance in self.world.instances:
            yield from instance.defines.values()
        for kind in self.world.kinds.values():
            for defines in kind.defines.values():
                yield from defines

    def options(self) -> None:
        """Hang the changes of options and rulings."""
        for instance in self.world.instances:
            for name, option in instance.options.items():
                changes = self.game.option_changes.get(name, ())
                span = option.node.span
                sheet = self.found.of(instance)
                self._changes(sheet, last_line(span), 2, changes, name, span)

    def _changes(
        self,
        sheet: AnnotatedFile,
        line: int,
        indent: int,
        changes: Iterable[ChangeDeclaration | model.Changed],
        target: str,
        replaces: Span | None = None,
    ) -> None:
        """Hang changes of one value, in the order in which they apply."""
        ordered = sorted((_ChangeText.of(one) for one in changes), key=lambda one: one.rank())
        for one in ordered:
            author = self._splice(sheet, line, indent, one, target, changes=True)
            if one.replaces and replaces is not None:
                sheet.replaced.append(Replaced(replaces.line, last_line(replaces), author))
                replaces = None

    # ------------------------------------------------------------------------------------- the rest

    def fields(self) -> None:
        """Hang what a variant adds to a kind or to the game behind what the game says of it."""
        base: dict[str, nodes.KindHas | nodes.GameHas] = {}
        for item in self.world.game.file.items:
            if _declares(item):
                base[_holder(item)] = item
        sheet = self.found.of(self.world.game)
        for variant in self.world.variants:
            for item in variant.file.items:
                if not _declares(item):
                    continue
                known = base.get(_holder(item))
                if known is None:
                    continue
                author = self.author(item.span, variant.title, sheet)
                sheet.splices.append(Splice(last_line(known.span), 0, item.span, author))
                holder = "the game" if isinstance(item, nodes.GameHas) else f"each {_holder(item)}"
                self.note(item.span, holder)

    def rankings(self) -> None:
        """Mark the rankings that a file further in replaces: the innermost speaks."""
        said: tuple[Instance, nodes.Ranking] | None = None
        for instance in innermost_first(self.world):
            for item in instance.file.items:
                if not isinstance(item, nodes.Ranking):
                    continue
                if said is None:
                    said = instance, item
                elif item is not said[1]:
                    sheet = self.found.of(instance)
                    author = self.author(said[1].span, said[0].title, sheet)
                    lines = item.span.line, last_line(item.span)
                    sheet.replaced.append(Replaced(*lines, author))

    def examples(self) -> None:
        """Mark the examples in whose place a variant says another one."""
        found = speaking(self.world)
        for one in candidates(self.world):
            title = one.node.title.raw
            others = [other for other in found if other.node.title.raw == title]
            exact = next(filter(one.is_less_exact, others), None)
            if exact is not None:
                self._replaced(one.instance, one.node.span, exact.instance, exact.node.span)

    def checks(self) -> None:
        """Mark the checks that a variant says anew."""
        restated: dict[str, tuple[Instance, Span]] = {}
        for instance in (*reversed(self.world.variants), self.world.game):
            own: dict[str, tuple[Instance, Span]] = {}
            for item in instance.file.items:
                if not isinstance(item, nodes.Check) or item.label is None:
                    continue
                known = restated.get(item.label.raw)
                if known is not None and not instance.is_variant:
                    self._replaced(instance, item.span, *known)
                own[item.label.raw] = instance, item.span
            if instance.is_variant:
                restated = own | restated

    def _replaced(self, instance: Instance, span: Span, other: Instance, said: Span) -> None:
        sheet = self.found.of(instance)
        author = self.author(said, other.title, sheet)
        sheet.replaced.append(Replaced(span.line, last_line(span), author))


@attrs.frozen
class _ChangeText:
    how: str
    span: Span
    title: str
    level: int
    order: int
    replaces: bool
    """Whether nothing is left of the value so far."""

    @staticmethod
    def of(one: ChangeDeclaration | model.Changed) -> _ChangeText:
        if isinstance(one, model.Changed):
            alone = not one.sometimes and not _ORIGINAL.search(one.value.span.text)
            whole = one.how == "to" and alone
            return _ChangeText(one.how, one.span, one.title, one.scope, one.order, whole)
        node, scope = one.node, one.scope
        inside = map(type, visitor.nodes_in(node.value))
        whole = node.how == "to" and not one.is_guarded and nodes.Original not in inside
        return _ChangeText(node.how, node.span, scope.title, one.level, one.order, whole)

    def rank(self) -> tuple[int, int, int, int]:
        """Limits come after everything else; a scope says all `to` and then all `by`."""
        way = WAYS.index(self.how)
        return (max(way - 1, 0), self.level if way < 2 else 0, way, self.order)


def _declares(item: nodes.Item) -> TypeGuard[nodes.KindHas | nodes.GameHas]:
    """Return whether an item gives fields to things of a kind, or to the game."""
    if isinstance(item, nodes.KindHas):
        return not item.selects
    return isinstance(item, nodes.GameHas)


def _in_durings(
    item: nodes.Node, around: tuple[nodes.During, ...] = ()
) -> Iterator[tuple[nodes.Node, tuple[nodes.During, ...]]]:
    """Yield what stands in the `during`s of an item, with all of them around it."""
    if isinstance(item, nodes.KindHas | nodes.GameHas):
        for member in item.members:
            yield from _in_durings(member, around)
    elif isinstance(item, nodes.During):
        for inner in item.items:
            yield from _in_durings(inner, (*around, item))
    elif around:
        yield item, around


def _has_watch(item: nodes.During) -> bool:
    return any(isinstance(one, nodes.AsSoonAs) for one, _ in _in_durings(item))


def _holder(item: nodes.KindHas | nodes.GameHas) -> str:
    return item.kind.text if isinstance(item, nodes.KindHas) else ""


def _step_node(verb: nodes.Verb, word: Span) -> nodes.StepBlock | None:
    """Return the step whose name stands there."""
    for step in visitor.steps_in(verb.block):
        if isinstance(step, nodes.StepBlock) and step.name.span == word:
            return step
    return None
