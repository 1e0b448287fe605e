"""Linking: one model out of the game, its modules and the variants that take part.

The passes in order: collect declarations, hang up `change`s, read the tables, read every verb, the
other amendments, ranking, checks and examples; then everything that was declared becomes part of
the model. Defines are read when something first asks for them, and at the end those that nothing
asked for, so that a mistake in them is found, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.link import outcome
from rulewright.dsl.link.amendments import AmendmentLinker
from rulewright.dsl.link.fields import FieldReader
from rulewright.dsl.model.types import NUMBER, TEXT, UNKNOWN, EnumType, ThingType, Type
from rulewright.dsl.resolve import example_speakers
from rulewright.dsl.resolve.declarations import declare
from rulewright.dsl.resolve.modules import ModuleFinder
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    ExpressionBinding,
    Instance,
    VerbDeclaration,
    World,
)
from rulewright.dsl.resolve.variants import Chosen, is_passed_over, players_of, settled_pairs
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Report
from rulewright.dsl.text.source import Span
from rulewright.dsl.text.suggest import nearest
from rulewright.dsl.typecheck import (
    constants,
    creation,
    enumeration_tables,
    formulas,
    places,
    statements,
    tables,
    until,
)
from rulewright.dsl.typecheck.block_writes import filled
from rulewright.dsl.typecheck.context import Body, Readers
from rulewright.dsl.typecheck.defines import read_form, reported_form
from rulewright.dsl.typecheck.examples import read_example
from rulewright.dsl.typecheck.names import check_argument
from rulewright.dsl.typecheck.operators import HANDLERS

READERS = Readers(HANDLERS, read_form, places.still_argument)


Item = TypeVar("Item", bound=nodes.Node)


@attrs.frozen
class LinkInput:
    """The files that take part, and how to find what they name."""

    name: str
    game: nodes.File
    variants: tuple[Chosen, ...]
    examples: tuple[nodes.File, ...]
    find_module: ModuleFinder
    find_source: tables.SourceFinder
    digest: str
    others: Mapping[str, frozenset[str]] = MappingProxyType({})
    """The variants that take no part, and which ones they include."""


def link(parts: LinkInput, report: Report) -> tuple[model.Game | None, World]:
    """Return the model (None only if the file is no game) and what was collected on the way.

    Whether a step can set a field to none is known when its value has been read. If something was
    taken for none that has been tested, all is read again with what is known by then.
    """
    sure: frozenset[Span] = frozenset()
    while True:
        trial = Report(most=MOST_FOUND)
        game, world = _linked(parts, trial, sure)
        more = sure
        if game is not None and any(one.code.code == "RW303" for one in trial.sorted()):
            more = sure | filled(game)
        if more == sure:
            report.extend(trial.sorted())
            world.report = report
            return game, world
        sure = more


def _linked(
    parts: LinkInput, report: Report, sure: frozenset[Span]
) -> tuple[model.Game | None, World]:
    world = World(report, Instance("", parts.game, None), name=parts.name)
    world.includes.update(parts.others)
    world.settled = settled_pairs(parts.variants)
    declare(world, parts.variants, parts.examples, parts.find_module)
    return _Link(parts, world, sure).run(), world


MOST_FOUND = 400
"""After so many messages the rest is not read."""

MOST_NESTED = 100
"""How deep blocks are certain to be read; deeper ones may be."""


class _Link:
    def __init__(self, parts: LinkInput, world: World, sure: frozenset[Span]) -> None:
        self.parts = parts
        self.world = world
        self.report = world.report
        self.linker = AmendmentLinker(world, READERS, sure)
        self.files = tables.TableFiles(parts.find_source, world.report)
        self.tables: list[model.Table] = []
        self.values = enumeration_tables.TablesOfValues(world)

    def body(self, scope: Instance, kind: str) -> Body:
        return self.linker.body(scope, kind)

    def run(self) -> model.Game | None:
        header = self.parts.game.header
        if not isinstance(header, nodes.GameHeader):
            return None
        low, high = self.world.players = players_of(self.world)
        self._heads_of_tables()
        self._arguments()
        self._start()
        self.linker.changes()
        for verb in self.world.all_verbs():
            self._verb(verb)
        self.linker.blocks()
        self._needs_me()
        ranking = outcome.ranking(self.linker)
        checks = outcome.checks(self.linker)
        requirements = outcome.requirements(self.linker)
        self._read_tables()
        examples = self._examples()
        fields = FieldReader(self.linker).fields() | formulas.fields(self.world)
        creation.check_creations(self.world, fields)
        self._remaining_defines()
        self.linker.lasting_changes()
        outcome.check_end_reasons(self.world)
        needing_me = {verb.id for verb in self.world.all_verbs() if verb.needs_me}
        return model.Game(
            name=self.parts.name,
            title=header.title.raw,
            least_players=low,
            most_players=high,
            variants=tuple(one.title for one in self.world.variants),
            titled=tuple(map(_titled, self.parts.variants)),
            enumerations={
                name: model.Enumeration(
                    name=name,
                    values=values,
                    shown=self.values.shown(name),
                    words=self.values.words(name),
                )
                for name, values in self.world.enumerations.items()
            },
            type_words=self.world.type_words,
            kinds=self._kinds(),
            fields=fields | self.linker.running.fields(),
            tables=tuple(self.tables),
            options=self._options(),
            option_changes={
                name: tuple(changes) for name, changes in self.linker.option_changes.items()
            },
            defines=self._defines(),
            verbs=self._verbs() | self.linker.offers.verbs,
            step_amendments={
                name: _in_force(found, name.rpartition(".")[0] in needing_me)
                for name, found in self.linker.step_amendments.items()
            },
            watches=tuple(self.linker.watches),
            ranking=ranking,
            won=outcome.form_of(self.linker, "won"),
            payoff=outcome.form_of(self.linker, "payoff"),
            checks=checks,
            requirements=requirements,
            examples=examples,
            end_reasons=tuple(self.world.end_reasons),
            books=tuple(
                (item.word.text if item.word else "", item.path.raw)
                for item in self.parts.game.items
                if isinstance(item, nodes.Book)
            ),
            score=outcome.score(ranking, self._all_defines()),
            digest=self.parts.digest,
            neutrals=self._neutrals(),
            offers=tuple(self.linker.offers.read_so_far),
            running=self.linker.running.counters,
            created=frozenset(made.kind for made in self.world.creations),
            destroyed=frozenset(self.world.destroyed),
        )

    # ----------------------------------------------------------------------------------- arguments

    def _neutrals(self) -> tuple[model.Neutral, ...]:
        return tuple(
            model.Neutral(
                id=found.id, title=found.node.label.raw, span=found.node.span, see=found.node.see
            )
            for instance in self.world.instances
            for found in instance.neutrals.values()
        )

    def _arguments(self) -> None:
        """Read what modules are given: a module may not use all of it, and mistakes are mistakes."""
        for instance in self.world.instances:
            for binding in instance.arguments.values():
                if isinstance(binding, ExpressionBinding):
                    body = self.body(instance, "argument")
                    check_argument(body, binding)

    # ------------------------------------------------------------------------------------ tables

    def _heads_of_tables(self) -> None:
        """Note which fields tables give, and the names of things: steps and values ask for both."""
        names: dict[str, list[str]] = {kind: [] for kind in self.world.kinds}
        for instance in self.world.instances:
            body = self.body(instance, "table")
            for item in instance.file.items:
                if not isinstance(item, nodes.Table | nodes.TableProduct):
                    continue
                kind = tables.kind_of(self.world, instance, item.kind, body)
                if kind is None:
                    continue
                given = set(tables.columns_of(self.world, instance, item, kind, self.files))
                self.world.tabled |= given
                if isinstance(item, nodes.Table) and kind not in self.world.enumerations:
                    tables.note_formulas(self.world, instance, item, kind, self.files)
                named = tables.names_in(item, self.files) if isinstance(item, nodes.Table) else None
                if kind in names and named is not None:
                    names[kind] += named
                elif "name" in self.world.kinds[kind].fields:
                    # A product works the names out when it is built; and where a column or a whole
                    # file is missing, that is what is reported, not every use of a name.
                    names.pop(kind, None)
        self.world.thing_names = {kind: Counter(found) for kind, found in names.items()}

    def _read_tables(self) -> None:
        for instance in self.world.instances:
            for item in instance.file.items:
                body = self.body(instance, "table")
                body.me = False
                if isinstance(item, nodes.Table | nodes.TableProduct):
                    if self.values.read(instance, item, self.files, body):
                        continue
                if isinstance(item, nodes.Table):
                    table = tables.read_table(self.world, instance, item, self.files, body)
                elif isinstance(item, nodes.TableProduct):
                    table = self._product(instance, item, body)
                else:
                    continue
                if table is not None:
                    self.tables.append(table)

        self.values.check_complete()

    def _product(
        self, instance: Instance, item: nodes.TableProduct, body: Body
    ) -> model.Table | None:
        kind = tables.kind_of(self.world, instance, item.kind, body)
        return None if kind is None else tables.read_product(self.world, instance, item, kind, body)

    # ------------------------------------------------------------------------------------- verbs

    def _verb(self, verb: VerbDeclaration) -> None:
        body = self.body(verb.scope, "verb")
        body.verb = verb
        for parameter in verb.parameters:
            body.locals[parameter.name] = parameter.type
        if verb.node.label is not None:
            # A label is read by everybody, before anything is chosen: it has no `me` of its own.
            uses, span = body.uses_me, body.me_span
            verb.label = body.typed(verb.node.label, TEXT)
            body.uses_me, body.me_span = uses, span
        try:
            verb.block = statements.block(body, verb.node.block)
        except RecursionError:
            what = "blocks inside one another"
            self.world.too_deep(verb.node.name.span, verb.name, MOST_NESTED, what)
        verb.needs_me, verb.me_span = body.uses_me, body.me_span
        names = frozenset(body.chosen - body.unset)
        verb.set_at_end = names if verb.set_at_end is None else verb.set_at_end & names

    def _needs_me(self) -> None:
        """A verb that does a verb about the acting player is about him, too."""
        changed = True
        while changed:
            changed = False
            for verb in self.world.all_verbs():
                for other, span in verb.calls:
                    if other.needs_me and not verb.needs_me:
                        verb.needs_me, verb.me_span, changed = True, span, True
        for verb in self.world.game.verbs.get("play", ()):
            if verb.needs_me and verb.me_span is not None:
                self.report.complain(
                    "RW305",
                    verb.me_span,
                    "nobody acts here",
                    name=verb.me_span.text.split("\n")[0],
                    help="put it inside `as players`",
                )

    def _start(self) -> None:
        """Report that there is no `play`: once, and not where others amend it."""
        verbs = self.world.game.verbs
        if verbs.get("play") or "play" in self.world.broken:
            return
        help = "write a verb `to play` that says how the game goes"
        near = nearest("play", [name for name, found in verbs.items() if not found[0].parameters])
        span = self.parts.game.header.span
        if near:
            help = f"write `to play`: did you mean that by `to {near[0]}`?"
            span = verbs[near[0]][0].node.name.span
        self.report.complain("RW402", span, help=help)
        self.world.broken.add("play")

    def _verbs(self) -> dict[str, model.Verb]:
        return {
            verb.id: model.Verb(
                id=verb.id,
                name=verb.name,
                instance=verb.scope.name,
                parameters=verb.parameters,
                label=verb.label,
                label_changes=tuple(verb.label_changes),
                block=verb.block,
                needs_me=verb.needs_me,
                amendments=_in_force(verb.amendments, verb.needs_me),
                span=verb.node.span,
                see=verb.node.see,
            )
            for verb in self.world.all_verbs()
        }

    # ---------------------------------------------------------------------------- kinds, options

    def _kinds(self) -> dict[str, model.Kind]:
        found: dict[str, model.Kind] = {}
        for name, kind in self.world.kinds.items():
            if name in self.world.enumerations:
                continue
            named = kind.defines.get("name", [])
            found[name] = model.Kind(
                name=name,
                fields=tuple(field.id for field in kind.order),
                name_define=self._form_without_arguments(named[0]) if named else None,
            )
        return found

    def _form_without_arguments(self, found: DefineDeclaration) -> str | None:
        holder = found.holder
        types = () if holder in (None, "Player") else (ThingType(holder or ""),)
        if len(types) != len(found.parameter_types) + len(types):
            return None
        return reported_form(self.world, found, types, READERS).id

    def _options(self) -> dict[str, model.OptionItem]:
        found: dict[str, model.OptionItem] = {}
        for instance in self.world.instances:
            for name, option in instance.options.items():
                body = self.body(instance, "option")
                body.me = False
                node = option.node
                default = body.typed(node.default, option.type)
                constants.check_order(body, option.low, option.high)
                constants.check(body, default, option.low, option.high)
                found[name] = model.OptionItem(
                    name=name,
                    type=option.type,
                    default=default,
                    low=None if option.low is None else body.typed(option.low, NUMBER),
                    high=None if option.high is None else body.typed(option.high, NUMBER),
                    question=node.question.raw if node.question else "",
                    ruling=node.ruling,
                    span=node.span,
                    see=node.see,
                )
        return found

    # ----------------------------------------------------------------------------------- defines

    def _remaining_defines(self) -> None:
        """Read the defines that nothing asked for, so that their mistakes are found as well."""
        for declaration in self._all_defines():
            types = declaration.parameter_types
            if any(form.reported for form in declaration.instances.values()):
                continue
            own: list[Type] = []
            for parameter, type_ in zip(declaration.node.parameters, types, strict=True):
                own.append(type_ if type_ is not None else self._kind_like(parameter.name.text))
            if UNKNOWN in own:
                continue
            if declaration.about is not None:
                own.insert(0, declaration.about)
            reported_form(self.world, declaration, tuple(own), READERS)

    def _kind_like(self, name: str) -> Type:
        kind = name[:1].upper() + name[1:]
        if kind in self.world.enumerations:
            return EnumType(kind)
        return ThingType(kind) if kind in self.world.kinds else UNKNOWN

    def _all_defines(self) -> list[DefineDeclaration]:
        found = [
            define for instance in self.world.instances for define in instance.defines.values()
        ]
        for kind in self.world.kinds.values():
            for defines in kind.defines.values():
                found.extend(defines)
        for one in self.world.formulas.values():
            found += [one.define, *one.cells]
        return found

    def _defines(self) -> dict[str, model.Define]:
        found: dict[str, model.Define] = {}
        for declaration in self._all_defines():
            for form in declaration.instances.values():
                if form.body is None:
                    continue
                found[form.id] = model.Define(
                    id=form.id,
                    name=declaration.name,
                    holder=declaration.holder,
                    parameters=form.parameters,
                    parameter_types=form.types,
                    type=form.type,
                    body=form.body,
                    lines=form.lines,
                    needs_me=form.needs_me,
                    changes=form.changes,
                    span=declaration.node.span,
                    see=declaration.node.see,
                )
        return found | {define.id: define for define in self.values.defines()}

    # ---------------------------------------------------------------------------------- examples

    def _examples(self) -> tuple[model.Example, ...]:
        found: list[model.Example] = []
        example_speakers.check(self.world)
        for one in example_speakers.speaking(self.world):
            if is_passed_over(self.world, one.instance, one.node):
                continue
            body = self.body(example_speakers.scope_of(self.world, one), "example")
            found.append(read_example(body, one.node, one.instance.title, one.on))
        return tuple(found)


def _titled(one: Chosen) -> model.VariantTitle:
    header = one.variant.file.header
    span = header.title.span if isinstance(header, nodes.VariantHeader) else header.span
    return model.VariantTitle(title=one.variant.title, guest=one.guest, span=span)


def _in_force(amendments: Sequence[model.Amendment], needs_me: bool) -> tuple[model.Amendment, ...]:
    """Return amendments where those behind `until` know whether they hold for all players."""
    if needs_me:
        return tuple(amendments)
    return tuple(attrs.evolve(one, bearers=until.of_anybody(one.bearers)) for one in amendments)
