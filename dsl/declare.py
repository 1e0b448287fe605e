"""Collecting: the files of a game go in, a `World` of declarations comes out, bodies still unread.

Three sweeps over all files, because nothing in a rule file depends on order: first the instances of
modules, then the names of kinds and enumerations, then fields, options, defines and verbs with their
types. What is written twice is reported with both places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.dsl import kinds, model, nodes
from rulewright.dsl.diagnostics import Label, diagnostic
from rulewright.dsl.kinds import EnumType, ThingType
from rulewright.dsl.read_types import TypeReader
from rulewright.dsl.registry import CANNOT_BE_DECLARED, FUNCTION_BY_NAME
from rulewright.dsl.scope import (
    DefineDeclaration,
    ExpressionBinding,
    FieldDeclaration,
    Instance,
    KindBinding,
    KindDeclaration,
    OptionDeclaration,
    VerbDeclaration,
    World,
)

ModuleFinder = Callable[[nodes.Word], nodes.File | None]
"""Gives the file of a module by its name, or None after having reported why not."""


def declare(
    world: World,
    variants: tuple[nodes.File, ...],
    examples: tuple[nodes.File, ...],
    find_module: ModuleFinder,
) -> None:
    """Fill the world with everything that its game, the variants and the modules declare."""
    collector = _Collector(world, find_module)
    world.instances.append(world.game)
    for file in variants:
        header = file.header
        assert isinstance(header, nodes.VariantHeader)
        variant = Instance("", file, world.game, title=header.title.raw, level=1)
        world.variants.append(variant)
        world.instances.append(variant)
    for file in examples:
        world.examples.append(Instance("", file, world.game))
    for instance in tuple(world.instances):
        collector.instances_of(instance, ())
    for instance in world.instances:
        world.broken |= instance.file.broken
        collector.names_of_kinds(instance)
    collector.bind_kinds()
    for instance in world.instances:
        collector.declarations_of(instance)


class _Collector:
    def __init__(self, world: World, find_module: ModuleFinder) -> None:
        self.world = world
        self.report = world.report
        self.find_module = find_module
        self.types = TypeReader(world)
        self.shared: dict[tuple[object, ...], Instance] = {}
        self.pending: list[tuple[Instance, nodes.Use, Instance]] = []
        world.kinds["Player"] = KindDeclaration("Player", declared=True)

    # -------------------------------------------------------------------------------- instances

    def instances_of(self, instance: Instance, chain: tuple[str, ...]) -> None:
        for item in instance.file.items:
            if isinstance(item, nodes.Use):
                self._use(instance, item, chain)

    def _use(self, outer: Instance, item: nodes.Use, chain: tuple[str, ...]) -> None:
        name = item.module.text
        if name in chain:
            self.report.add(diagnostic("RW011", item.module.span, "used by itself", name=name))
            return
        file = self.find_module(item.module)
        if file is None or not isinstance(file.header, nodes.ModuleHeader):
            return
        alias = item.alias.text if item.alias else name
        key = (name, item.alias.text if item.alias else None, item.arguments, outer_key(outer, item))
        found = self.shared.get(key)
        if found is None:
            found = Instance(alias, file, outer, level=0, aliased=item.alias is not None)
            found.title = outer.title
            self.shared[key] = found
            self.world.instances.append(found)
            self.pending.append((found, item, outer))
            self.instances_of(found, (*chain, name))
        elif found in outer.uses:
            return
        if alias in outer.aliases and outer.aliases[alias] is not found:
            self._twice(item.alias or item.module, "instance", None)
        outer.aliases[alias] = found
        outer.uses.append(found)

    def bind_kinds(self) -> None:
        """Give every module its arguments, once the names of kinds are known."""
        for instance, item, outer in self.pending:
            header = instance.file.header
            assert isinstance(header, nodes.ModuleHeader)
            given: dict[str, nodes.Expression] = {}
            names = [parameter.name.text for parameter in header.parameters]
            for number, argument in enumerate(item.arguments):
                if isinstance(argument, nodes.Pair):
                    key = argument.key
                    name = key.text if isinstance(key, nodes.Name) else ""
                    if name not in names:
                        self.report.add(
                            diagnostic("RW216", argument.span, where=item.module.text, name=name)
                        )
                        continue
                    given[name] = argument.value
                elif number < len(names):
                    given[names[number]] = argument
            positional = sum(not isinstance(one, nodes.Pair) for one in item.arguments)
            missing = [
                parameter.name.text
                for parameter in header.parameters
                if parameter.default is None and parameter.name.text not in given
            ]
            if positional > len(names) or missing:
                wanted = ", ".join(names) or "nothing"
                self.report.add(
                    diagnostic(
                        "RW014",
                        item.span,
                        name=item.module.text,
                        expected=wanted,
                        found=f"{positional} of them",
                        help=f"write `use {item.module.text}({wanted})`" if names else None,
                    )
                )
            for parameter in header.parameters:
                self._bind(instance, outer, parameter, given.get(parameter.name.text))

    def _bind(
        self,
        instance: Instance,
        outer: Instance,
        parameter: nodes.Parameter,
        given: nodes.Expression | None,
    ) -> None:
        name, wanted = parameter.name.text, parameter.type
        node, scope = (given, outer) if given is not None else (parameter.default, instance)
        if isinstance(wanted, nodes.NamedType) and wanted.name == "kind":
            if isinstance(node, nodes.KindName) and _declares(instance.file, name):
                if node.text not in scope.arguments:
                    self._kind(node.text).has_table = True
            found = self.types.kind_named(node, scope) if node is not None else None
            if node is not None and found is None:
                self.report.add(
                    diagnostic("RW205", node.span, "expected a kind", name=_word(node))
                )
            instance.arguments[name] = KindBinding(found or kinds.UNKNOWN)
            return
        type_ = self.types.read(wanted, instance) if wanted is not None else kinds.ANYTHING
        if node is not None:
            instance.arguments[name] = ExpressionBinding(node, scope, type_)

    # ------------------------------------------------------------------------------ kinds, units

    def names_of_kinds(self, instance: Instance) -> None:
        parameters = _parameters(instance)
        for item in instance.file.items:
            match item:
                case nodes.KindIs(name=name, type=nodes.OneOfType(values=values)):
                    if name.text in self.world.enumerations and instance.arguments is not None:
                        if self.world.enumerations[name.text] != _texts(values):
                            self._twice(name, "kind", None)
                    self.world.enumerations[name.text] = _texts(values)
                case nodes.KindIs(name=name):
                    self.world.enumerations[name.text] = ()
                case nodes.Unit(names=names):
                    self.world.units |= {word.text for word in names}
                case nodes.KindHas(kind=kind, also=also) if kind.text not in parameters:
                    declared = self._kind(kind.text)
                    declared.declared |= not also
                case nodes.Table(kind=kind) | nodes.TableProduct(kind=kind):
                    if kind.text not in parameters:
                        self._kind(kind.text).has_table = True

    def _kind(self, name: str) -> KindDeclaration:
        return self.world.kinds.setdefault(name, KindDeclaration(name))

    # ------------------------------------------------------------------------------ declarations

    def declarations_of(self, instance: Instance) -> None:
        for item in instance.file.items:
            match item:
                case nodes.Option():
                    type_, low, high = self.types.read_field(item.type, instance, item.name.text)
                    self._unique(instance, item.name, "option")
                    instance.options[item.name.text] = OptionDeclaration(
                        item, instance, type_, low, high
                    )
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
                case nodes.TableProduct() | nodes.Table():
                    type_found = self.types.kind_type(item.kind, instance)
                    if isinstance(type_found, ThingType):
                        self._kind(type_found.kind).has_table = True
                case _:
                    pass

    def _members_of_kind(self, instance: Instance, item: nodes.KindHas) -> None:
        type_ = self.types.kind_type(item.kind, instance)
        if isinstance(type_, EnumType):
            kind = self._kind(type_.name)
        elif isinstance(type_, ThingType):
            kind = self._kind(type_.kind)
        else:
            return
        if item.named or item.where is not None:
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
                if other.scope is instance:
                    self._twice(word, "field", other.word)
            prefix = f"{kind.name}."
            identity = prefix + name
            if known:
                identity = f"{prefix}{instance.name or instance.title or 'game'}.{name}"
            declaration = self._field(identity, kind.name, word, node, instance, marks)
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
        return FieldDeclaration(
            identity, word.text, holder, node, word, instance, both, type_, low, high
        )

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
            if other.scope is instance:
                self._twice(node.name, "value", other.node.name)
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
        types = tuple(
            None if parameter.type is None else self.types.read(parameter.type, instance)
            for parameter in node.parameters
        )
        result = None if node.type is None else self.types.read(node.type, instance)
        return DefineDeclaration(
            identity, node.name.text, holder, node, instance, types, result
        )

    def _verb(self, instance: Instance, node: nodes.Verb) -> None:
        name = node.name.text
        if name in CANNOT_BE_DECLARED and name not in FUNCTION_BY_NAME:
            self.report.add(
                diagnostic("RW202", node.name.span, "a core verb", kind="core verb", name=name)
            )
        known = instance.verbs.setdefault(name, [])
        prefix = f"{instance.name}." if instance.name else ""
        suffix = f"/{len(known) + 1}" if known else ""
        if not suffix and instance.is_variant and name in self.world.game.verbs:
            suffix = f"~{instance.title}"
        declaration = VerbDeclaration(prefix + name + suffix, name, node, instance)
        heads = [("", node.object)] if node.object is not None else []
        heads += [(place.preposition, place.parameter) for place in node.places]
        parameters: list[model.Parameter] = []
        for _, parameter in heads:
            if parameter.type is None:
                self.report.add(
                    diagnostic(
                        "RW301",
                        parameter.span,
                        expected="type",
                        found="nothing",
                        help=f"write `{parameter.name.text}: number`, or a kind",
                    )
                )
            type_ = (
                self.types.read(parameter.type, instance) if parameter.type else kinds.UNKNOWN
            )
            parameters.append(model.Parameter(name=parameter.name.text, type=type_))
        declaration.parameters = tuple(parameters)
        declaration.prepositions = tuple(place.preposition for place in node.places)
        for other in known:
            same = [one.type for one in other.parameters] == [one.type for one in parameters]
            if same and other.prepositions == declaration.prepositions:
                self._twice(node.name, "verb", other.node.name)
        known.append(declaration)
        for word in step_words(node.block):
            self.world.step_ids.setdefault(word.text, []).append(f"{declaration.id}.{word.text}")

    def _unique(self, instance: Instance, word: nodes.Word, kind: str) -> None:
        if word.text in CANNOT_BE_DECLARED:
            self.report.add(
                diagnostic("RW202", word.span, "a built-in name", kind="built-in", name=word.text)
            )
        for table in (instance.fields, instance.defines, instance.options):
            other = table.get(word.text)
            if other is not None:
                first = other.word if isinstance(other, FieldDeclaration) else other.node.name
                self._twice(word, kind, first)

    def _twice(self, word: nodes.Word, kind: str, first: nodes.Word | None) -> None:
        secondary = () if first is None else (Label(first.span, "first declared here"),)
        self.report.add(
            diagnostic(
                "RW202", word.span, "declared again", secondary=secondary, kind=kind, name=word.text
            )
        )


def outer_key(outer: Instance, item: nodes.Use) -> object:
    """Return what tells two `use`s of the same words apart: where their arguments are read."""
    return id(outer) if item.arguments else None


def step_words(block: nodes.Block) -> Iterator[nodes.Word]:
    """Yield the names of the steps inside a block."""
    for node in block:
        match node:
            case nodes.StepBlock(name=name, block=inner):
                yield name
                yield from step_words(inner)
            case nodes.May(block=inner) | nodes.ForEach(block=inner) | nodes.Repeat(block=inner):
                yield from step_words(inner)
            case nodes.As(block=inner):
                yield from step_words(inner)
            case nodes.Either(arms=arms):
                for arm in arms:
                    yield from step_words(arm.block)
            case nodes.If(branches=branches, otherwise=otherwise):
                for branch in branches:
                    yield from step_words(branch.block)
                yield from step_words(otherwise)
            case _:
                pass


def _is_count(mark: nodes.Mark) -> bool:
    return isinstance(mark, nodes.SeenBy) and mark.count


def _texts(words: tuple[nodes.Word, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _parameters(instance: Instance) -> frozenset[str]:
    header = instance.file.header
    if not isinstance(header, nodes.ModuleHeader):
        return frozenset()
    return frozenset(parameter.name.text for parameter in header.parameters)


def _declares(file: nodes.File, parameter: str) -> bool:
    """Return whether a module declares the kind that it is given: it makes the things itself."""
    return any(
        (isinstance(item, nodes.Table | nodes.TableProduct)
        and item.kind.text == parameter)
        or (isinstance(item, nodes.KindHas) and not item.also and item.kind.text == parameter)
        for item in file.items
    )


def _word(node: nodes.Expression) -> str:
    return node.text if isinstance(node, nodes.KindName | nodes.Name) else node.span.text
