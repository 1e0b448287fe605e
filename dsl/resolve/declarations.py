"""Collecting declarations: the files of a game make a `World`, whose bodies are not yet read.

Three sweeps, as nothing in a rule file depends on order: instances of modules, names of kinds and
enumerations, then fields, options, defines and verbs. A name declared twice is told with both places.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import model
from rulewright.dsl.model.builtins import CANNOT_BE_DECLARED, FUNCTION_BY_NAME
from rulewright.dsl.model.types import UNKNOWN, EnumType, ThingType
from rulewright.dsl.resolve.modules import Instances, ModuleFinder
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    FieldDeclaration,
    Instance,
    KindDeclaration,
    NeutralDeclaration,
    OptionDeclaration,
    VerbDeclaration,
    World,
)
from rulewright.dsl.resolve.type_names import TypeReader, check_field, check_name
from rulewright.dsl.resolve.variants import Chosen
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.suggest import nearest


def declare(
    world: World,
    variants: tuple[Chosen, ...],
    examples: tuple[nodes.File, ...],
    find_module: ModuleFinder,
) -> None:
    """Fill the world with everything that its game, the variants and the modules declare."""
    collector = _Collector(world)
    uses = Instances(world, find_module)
    world.instances.append(world.game)
    for chosen in variants:
        title, file = chosen.variant.title, chosen.variant.file
        variant = Instance("", file, world.game, title=title, level=chosen.level)
        world.variants.append(variant)
        world.includes[title] = chosen.includes
        world.instances.append(variant)
    _know_one_another(world)
    for file in examples:
        world.examples.append(Instance("", file, world.game))
    for instance in tuple(world.instances):
        uses.of(instance)
    for instance in world.instances:
        world.broken |= instance.file.broken
        world.incomplete |= "use" in instance.file.broken
        collector.names_of_kinds(instance)
    for instance in (*world.instances, *world.examples):
        instance.settle()
    uses.bind()
    collector.check_kinds()
    for instance in world.instances:
        collector.declarations_of(instance)
    collector.check_names()


def _know_one_another(world: World) -> None:
    """Note for each variant the ones that it builds upon."""
    titled = {one.title: one for one in world.variants}
    for variant in world.variants:
        for item in variant.file.items:
            if not isinstance(item, nodes.Relation) or item.word == "excludes":
                continue
            for text in item.titles:
                if text.raw in titled:
                    variant.known.append(titled[text.raw])
                else:
                    # It is reported that it is missing; its names are not reported as well.
                    world.incomplete = True


class _Collector:
    def __init__(self, world: World) -> None:
        self.world = world
        self.report = world.report
        self.types = TypeReader(world)
        self.enumerations: dict[str, nodes.Word] = {}
        self.heads: dict[str, nodes.Word] = {}
        self.units: dict[str, nodes.Word] = {}
        self.neutrals: list[NeutralDeclaration] = []
        world.kinds["Player"] = KindDeclaration("Player", declared=True)

    # ------------------------------------------------------------------------------ kinds, units

    def names_of_kinds(self, instance: Instance) -> None:
        parameters = _parameters(instance)
        for item in instance.file.items:
            match item:
                case nodes.KindIs(name=name, type=type_):
                    self._enumeration(name, type_)
                case nodes.Unit(names=names):
                    for word in names:
                        self._unit(word)
                case nodes.KindHas(selects=True):
                    pass  # powers of things declare nothing
                case nodes.KindHas(kind=kind, also=also) if kind.text not in parameters:
                    declared = self._kind(kind.text)
                    declared.declared |= not also
                    self.heads.setdefault(kind.text, kind)
                case nodes.Table(kind=kind) | nodes.TableProduct(kind=kind):
                    if kind.text not in parameters:
                        known = self._kind(kind.text)
                        known.tables.append(kind)
                        known.multiplied |= isinstance(item, nodes.TableProduct)

    def _enumeration(self, name: nodes.Word, type_: nodes.TypeNode) -> None:
        if not isinstance(type_, nodes.OneOfType):
            self._no_values(name, type_)
            return
        words = type_.values
        values = tuple(word.text for word in words)
        first = self.enumerations.setdefault(name.text, name)
        if first is not name and self.world.enumerations[name.text] != values:
            self._twice(name, "kind", first)
        for number, word in enumerate(words):
            other = next((one for one in words[:number] if one.text == word.text), None)
            if other is not None:
                self._twice(word, "value", other)
        self.world.enumerations.setdefault(name.text, values)
        self.world.type_words.setdefault(name.text, name.span)

    def _no_values(self, name: nodes.Word, type_: nodes.TypeNode) -> None:
        help = (
            f"write `kind {name.text} is one of [a, b]`; things with fields: `each {name.text} has`"
        )
        found = f"`{type_.span.text}`"
        label = "no list of values"
        self.report.complain("RW101", type_.span, label, help=help, found=found)
        self.world.broken.add(name.text)

    def _unit(self, word: nodes.Word) -> None:
        first = self.units.setdefault(word.text, word)
        if first is not word and first.span.source is word.span.source:
            self._twice(word, "unit", first)
        self.world.units.add(word.text)
        self.world.type_words.setdefault(word.text, word.span)

    def check_kinds(self) -> None:
        """Report kinds that have a table or more fields, but that nothing declares."""
        for name, kind in self.world.kinds.items():
            enumeration = self.enumerations.get(name)
            if enumeration is not None and kind.declared and kind.multiplied:
                # It has things, so it is no list of words.
                self._twice(enumeration, "kind", self.heads.get(name))
                del self.world.enumerations[name]
            if kind.declared or enumeration is not None or name in self.world.broken:
                continue
            if name in self.heads:
                self.types.kind_type(self.heads[name], self.world.game)
            elif kind.tables:
                near = nearest(name, self.types.known_kinds())
                help = f"did you mean `{near[0]}`?" if near else f"declare it: each {name} has …"
                self.report.complain(
                    "RW408", kind.tables[0].span, "no such kind", help=help, name=name
                )
            self.world.broken.add(name)

    def _kind(self, name: str) -> KindDeclaration:
        return self.world.kinds.setdefault(name, KindDeclaration(name))

    # ------------------------------------------------------------------------------ declarations

    def declarations_of(self, instance: Instance) -> None:
        for item in instance.file.items:
            match item:
                case nodes.Relation(word=word) if not instance.is_variant:
                    label, help = "only in a variant", "take it out: a game has no others"
                    self.report.complain("RW101", item.span, label, help=help, found=f"`{word}`")
                case nodes.Option():
                    type_, low, high = self.types.read_field(item.type, instance, item.name.text)
                    self._unique(instance, item.name, "option")
                    instance.options[item.name.text] = OptionDeclaration(
                        item, instance, type_, low, high
                    )
                case nodes.Neutral():
                    self._neutral(instance, item)
                case nodes.KindHas():
                    self._members_of_kind(instance, item)
                case nodes.GameHas():
                    for member in item.members:
                        if isinstance(member, nodes.Field):
                            self._game_fields(instance, member, item.marks)
                        elif isinstance(member, nodes.Define | nodes.Tally):
                            self._define(instance, member)
                        elif isinstance(member, nodes.Verb):
                            self._verb(instance, member)
                case nodes.Define() | nodes.Tally():
                    self._define(instance, item)
                case nodes.Verb():
                    self._verb(instance, item)
                case _:
                    pass

    def _neutral(self, instance: Instance, node: nodes.Neutral) -> None:
        name = node.name.text
        self._unique(instance, node.name, "neutral player")
        id = f"{instance.name}.{name}" if instance.name else name
        instance.neutrals[name] = NeutralDeclaration(id, node, instance)
        shown = node.label.raw
        held = next((part for part in node.label.parts if not isinstance(part, str)), None)
        if held is not None or not shown.strip():
            help = 'write its name as it is shown: `neutral old_empire "Old Empire"`'
            label = "it has no value yet" if held is not None else "no name"
            self.report.complain("RW101", node.label.span, label, help=help, found=f'`"{shown}"`')
        for other in self.neutrals:
            if other.node.label.raw == shown.strip() and other.node.name.text != name:
                self._twice_shown(node.label, other.node.label)
        self.neutrals.append(instance.neutrals[name])

    def _twice_shown(self, label: nodes.Text, first: nodes.Text) -> None:
        self.report.complain(
            "RW202",
            label.span,
            secondary=(Label(first.span, "first used here"),),
            kind="neutral player",
            name=label.raw,
        )

    def _members_of_kind(self, instance: Instance, item: nodes.KindHas) -> None:
        if item.selects:
            return
        type_ = self.types.kind_type(item.kind, instance)
        # A kind that is meant has what is declared here: its uses are no mistakes.
        near = nearest(item.kind.text, self.types.known_kinds())
        if isinstance(type_, EnumType):
            check_name(self.world, item)
            kind = self._kind(type_.name)
        elif isinstance(type_, ThingType):
            kind = self._kind(type_.kind)
        elif near and near[0] not in self.enumerations:
            kind = self._kind(near[0])
        else:
            return
        for member in item.members:
            if isinstance(member, nodes.Field):
                self._kind_fields(instance, kind, member, item.marks)
            elif isinstance(member, nodes.Define | nodes.Tally):
                self._kind_define(instance, kind, member)
            elif isinstance(member, nodes.Verb):
                self._verb(instance, member)

    def _kind_fields(
        self,
        instance: Instance,
        kind: KindDeclaration,
        node: nodes.Field,
        marks: tuple[nodes.Mark, ...],
    ) -> None:
        for word in node.names:
            name = word.text
            known = kind.fields.setdefault(name, [])
            for other in known:
                self._clash(instance, word, "field", other.scope, other.word)
            prefix = f"{kind.name}."
            identity = prefix + name
            if known:
                identity = f"{prefix}{instance.name or instance.title or 'game'}.{name}"
            declaration = self._field(identity, kind.name, word, node, instance, marks)
            if kind.name in self.world.enumerations:
                check_field(self.world, kind.name, declaration)
            known.append(declaration)
            kind.order.append(declaration)

    def _game_fields(
        self, instance: Instance, node: nodes.Field, marks: tuple[nodes.Mark, ...]
    ) -> None:
        for word in node.names:
            self._unique(instance, word, "field")
            identity = f"{instance.name}.{word.text}" if instance.name else word.text
            instance.fields[word.text] = self._field(identity, None, word, node, instance, marks)

    def _field(
        self,
        identity: str,
        holder: str | None,
        word: nodes.Word,
        node: nodes.Field,
        instance: Instance,
        marks: tuple[nodes.Mark, ...],
    ) -> FieldDeclaration:
        type_, low, high = self.types.read_field(node.type, instance, word.text, holder)
        own = {type(mark) for mark in node.marks if not _is_count(mark)}
        both = node.marks + tuple(
            mark for mark in marks if _is_count(mark) or type(mark) not in own
        )
        found = FieldDeclaration(
            identity, word.text, holder, node, word, instance, both, type_, low, high
        )
        return self.world.field_ids.setdefault(identity, found)

    def _define(self, instance: Instance, node: nodes.Define | nodes.Tally) -> None:
        self._unique(instance, node.name, "value")
        prefix = f"{instance.name}." if instance.name else ""
        declaration = self._declared_define(prefix + node.name.text, None, node, instance)
        instance.defines[node.name.text] = declaration

    def _kind_define(
        self, instance: Instance, kind: KindDeclaration, node: nodes.Define | nodes.Tally
    ) -> None:
        known = kind.defines.setdefault(node.name.text, [])
        for other in known:
            self._clash(instance, node.name, "value", other.scope, other.node.name)
        identity = f"{kind.name}.{node.name.text}"
        if known:
            identity = f"{kind.name}.{instance.name or instance.title or 'game'}.{node.name.text}"
        known.append(self._declared_define(identity, kind.name, node, instance))

    def _declared_define(
        self,
        identity: str,
        holder: str | None,
        node: nodes.Define | nodes.Tally,
        instance: Instance,
    ) -> DefineDeclaration:
        self._parameters(node.parameters)
        types = tuple(
            None if parameter.type is None else self.types.read(parameter.type, instance)
            for parameter in node.parameters
        )
        if isinstance(node, nodes.Tally):
            self._differ([line.name for line in node.lines], "line")
        result = None if node.type is None else self.types.read(node.type, instance)
        found = DefineDeclaration(identity, node.name.text, holder, node, instance, types, result)
        if holder in self.world.enumerations:
            found.about = EnumType(holder)
        return found

    def _verb(self, instance: Instance, node: nodes.Verb) -> None:
        name = node.name.text
        if name in CANNOT_BE_DECLARED and name not in FUNCTION_BY_NAME:
            self.report.complain(
                "RW202", node.name.span, "a core verb", kind="core verb", name=name
            )
            return  # so that every other `move` still means the core verb
        known = instance.verbs.setdefault(name, [])
        prefix = f"{instance.name}." if instance.name else ""
        suffix = f"/{len(known) + 1}" if known else ""
        if not suffix and instance.is_variant and name in self.world.game.verbs:
            suffix = f"~{instance.title}"
        declaration = VerbDeclaration(prefix + name + suffix, name, node, instance)
        heads = [("", node.object)] if node.object is not None else []
        heads += [(place.preposition, place.parameter) for place in node.places]
        parameters: list[model.Parameter] = []
        self._parameters([parameter for _, parameter in heads])
        for _, parameter in heads:
            if parameter.type is None:
                self.report.complain(
                    "RW301",
                    parameter.span,
                    "what is it?",
                    expected="type",
                    found="nothing",
                    help=f"write `{parameter.name.text}: number`, or a kind",
                )
            type_ = self.types.read(parameter.type, instance) if parameter.type else UNKNOWN
            parameters.append(model.Parameter(name=parameter.name.text, type=type_))
        declaration.parameters = tuple(parameters)
        declaration.prepositions = tuple(place.preposition for place in node.places)
        for other in known:
            same = [one.type for one in other.parameters] == [one.type for one in parameters]
            if same and other.prepositions == declaration.prepositions:
                self._twice(node.name, "verb", other.node.name)
                declaration.used = True
        known.append(declaration)
        for step in visitor.steps_in(node.block):
            if isinstance(step, nodes.StepBlock):
                name = step.name.text
                self.world.step_ids.setdefault(name, []).append(f"{declaration.id}.{name}")
            elif isinstance(step, nodes.Stop) and step.target is not None:
                self.world.stopped.add(step.target.text)

    def _parameters(self, parameters: Sequence[nodes.Parameter]) -> None:
        self._differ([parameter.name for parameter in parameters], "parameter")
        for parameter in parameters:
            if parameter.default is not None:
                help = "take it out, and say the value where it is used"
                span = parameter.default.span
                label = "only parameters of modules have one"
                self.report.complain("RW101", span, label, help=help, found="a default")

    def _differ(self, words: Sequence[nodes.Word], kind: str) -> None:
        first: dict[str, nodes.Word] = {}
        for word in words:
            if first.setdefault(word.text, word) is not word:
                self._twice(word, kind, first[word.text])

    def _unique(self, instance: Instance, word: nodes.Word, kind: str) -> None:
        """Report a field of the game, a value or an option whose name is taken."""
        if word.text in CANNOT_BE_DECLARED:
            self.report.complain(
                "RW202", word.span, "a built-in name", kind="built-in", name=word.text
            )
        others = [instance]
        if instance.is_variant:
            others += [self.world.game, *self.world.variants]
        for other in dict.fromkeys(others):
            for table in (other.fields, other.defines, other.options, other.neutrals):
                found = table.get(word.text)
                if found is not None:
                    first = found.word if isinstance(found, FieldDeclaration) else found.node.name
                    self._clash(instance, word, kind, other, first)
                    return

    def _clash(
        self, scope: Instance, word: nodes.Word, kind: str, other: Instance, first: nodes.Word
    ) -> None:
        """Report a name that two files may not both give; a module's may be given anew."""
        if other is scope:
            self._twice(word, kind, first)
        elif scope.is_variant and other is self.world.game:
            help = f"an amendment says what is different: `change {word.text} to …`"
            self._twice(word, kind, first, help if kind == "value" else "take another name")
        elif scope.is_variant and other.is_variant:
            self.report.complain(
                "RW502",
                word.span,
                f"new in `{scope.title}`",
                secondary=(Label(first.span, f"new in `{other.title}`"),),
                help="one of the two must take another name",
                name=word.text,
            )

    def _twice(
        self, word: nodes.Word, kind: str, first: nodes.Word | None, help: str | None = None
    ) -> None:
        secondary = () if first is None else (Label(first.span, "first declared here"),)
        self.report.complain(
            "RW202",
            word.span,
            "declared again",
            help=help,
            secondary=secondary,
            kind=kind,
            name=word.text,
        )

    def check_names(self) -> None:
        """Report defines that are called like a field of the things they are about.

        `x.f` would have two meanings; the define of a game is one about every player as well.
        """
        for kind in self.world.kinds.values():
            for name, defines in kind.defines.items():
                self._like_field(kind, name, defines)
        player = self.world.kinds["Player"]
        for instance in self.world.instances:
            if not instance.is_module:
                for name, define in instance.defines.items():
                    self._like_field(player, name, [define])

    def _like_field(
        self, kind: KindDeclaration, name: str, defines: Sequence[DefineDeclaration]
    ) -> None:
        for field in kind.fields.get(name, ()):
            for define in defines:
                if field.scope in (define.scope, self.world.game):
                    self.report.complain(
                        "RW202",
                        define.node.name.span,
                        f"a field of {kind.name}, too",
                        secondary=(Label(field.word.span, "first declared here"),),
                        help="give the value a name of its own",
                        kind=f"field of {kind.name}",
                        name=name,
                    )
                    return


def _is_count(mark: nodes.Mark) -> bool:
    return isinstance(mark, nodes.SeenBy) and mark.count


def _parameters(instance: Instance) -> frozenset[str]:
    header = instance.file.header
    if not isinstance(header, nodes.ModuleHeader):
        return frozenset()
    return frozenset(parameter.name.text for parameter in header.parameters)
