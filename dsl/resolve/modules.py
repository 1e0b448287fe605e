"""Instances of modules: every `use` makes one, with its arguments bound.

The same `use` twice is one instance; with other arguments it needs another name. Arguments are
bound once the names of all kinds are known, since a module may be given a kind that another one
declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import attrs

from rulewright.dsl.model import types
from rulewright.dsl.model.types import ThingType
from rulewright.dsl.resolve.symbols import (
    ExpressionBinding,
    Instance,
    KindBinding,
    KindDeclaration,
    World,
)
from rulewright.dsl.resolve.type_names import TypeReader
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.suggest import nearest

ModuleFinder = Callable[[nodes.Word], nodes.File | None]
"""Gives the file of a module by its name, or None after having reported why not."""


MOST_MODULES = 200
MOST_CHAINED = 20
"""How many modules take part in a game, and how many may use one another in a row."""


@attrs.frozen
class _UsedModule:
    """A `use` that has become an instance, and the file that says it."""

    instance: Instance
    node: nodes.Use
    outer: Instance
    header: nodes.ModuleHeader


class Instances:
    """Makes the instances of modules that the files of a world use, and binds their arguments."""

    def __init__(self, world: World, find_module: ModuleFinder) -> None:
        self._world = world
        self._report = world.report
        self._find_module = find_module
        self._types = TypeReader(world)
        self._shared: dict[tuple[object, ...], Instance] = {}
        self._uses: list[_UsedModule] = []

    def of(self, instance: Instance, chain: tuple[str, ...] = ()) -> None:
        """Make the instances that a file uses, and those that they use; `chain`: what is open."""
        for item in instance.file.items:
            if isinstance(item, nodes.Use):
                self._use(instance, item, chain)

    def _use(self, outer: Instance, item: nodes.Use, chain: tuple[str, ...]) -> None:
        name = item.module.text
        if name in chain:
            self._report.complain("RW011", item.module.span, "used by itself", name=name)
            return
        if len(self._world.instances) >= MOST_MODULES or len(chain) >= MOST_CHAINED:
            deep = len(chain) >= MOST_CHAINED
            limit = MOST_CHAINED if deep else MOST_MODULES
            what = "modules that use one another" if deep else "modules"
            self._world.too_deep(item.module.span, name, limit, what)
            self._world.incomplete = True
            return
        file = self._find_module(item.module)
        if file is None or not isinstance(file.header, nodes.ModuleHeader):
            self._world.incomplete = True
            return
        word = item.alias or item.module
        # Arguments mean something else in every file; without any, all files share one instance.
        where = id(outer) if item.arguments else None
        key = (name, item.alias.text if item.alias else None, item.arguments, where)
        found = self._shared.get(key)
        if found is None:
            found = Instance(
                word.text, file, outer, title=outer.title, aliased=item.alias is not None, word=word
            )
            self._shared[key] = found
            self._world.instances.append(found)
            self._uses.append(_UsedModule(found, item, outer, file.header))
            self.of(found, (*chain, name))
        elif found in outer.uses:
            return
        other = outer.aliases.get(word.text)
        if other is not None and other is not found:
            self._twice(word, other)
        outer.aliases[word.text] = found
        outer.uses.append(found)

    def _twice(self, word: nodes.Word, other: Instance) -> None:
        first = other.word.span if other.word is not None else other.file.header.span
        self._report.complain(
            "RW202",
            word.span,
            "declared again",
            secondary=(Label(first, "first declared here"),),
            help="with other arguments it needs another name: `use … as …`",
            kind="instance",
            name=word.text,
        )

    def bind(self) -> None:
        """Give every module its arguments."""
        for use in self._uses:
            given = self._given(use)
            for parameter in use.header.parameters:
                self._bind(use, parameter, given.get(parameter.name.text))

    def _given(self, use: _UsedModule) -> Mapping[str, nodes.Expression]:
        """Return the arguments of a `use` by the names of the parameters."""
        module = use.node.module
        names = [parameter.name.text for parameter in use.header.parameters]
        given: dict[str, nodes.Expression] = {}
        positional = 0
        misnamed = False
        for argument in use.node.arguments:
            if not isinstance(argument, nodes.Pair):
                if positional < len(names):
                    given[names[positional]] = argument
                positional += 1
                continue
            key = argument.key
            name = key.text if isinstance(key, nodes.Name) else argument.span.text
            span = argument.span if key is None else key.span
            if name not in names:
                near = nearest(name, names)
                help = f"did you mean `{near[0]}`?" if near else f"it has {', '.join(names)}"
                self._report.complain("RW216", span, help=help, where=module.text, name=name)
                misnamed = True
            elif name in given:
                self._report.complain("RW202", span, "given twice", kind="argument", name=name)
            else:
                given[name] = argument.value
        if not misnamed:
            self._check_number(use, given, positional)
        return given

    def _check_number(
        self, use: _UsedModule, given: Mapping[str, nodes.Expression], positional: int
    ) -> None:
        parameters = use.header.parameters
        needed = [one.name.text for one in parameters if one.default is None]
        missing = [name for name in needed if name not in given]
        if not missing and positional <= len(parameters):
            return
        name = use.node.module.text
        least, most = len(needed), len(parameters)
        expected = counted(most, "argument") if least == most else f"{least} to {most} arguments"
        found = positional if positional > most else len(given)
        self._report.complain(
            "RW014",
            use.node.module.span,
            f"`{missing[0]}` is missing" if missing else "too many",
            secondary=(Label(use.header.span, "declared here"),),
            help=f"write `use {name}({', '.join(needed)})`" if needed else f"write `use {name}`",
            name=name,
            expected=expected,
            found=str(found),
        )

    def _bind(
        self, use: _UsedModule, parameter: nodes.Parameter, given: nodes.Expression | None
    ) -> None:
        name, wanted, instance = parameter.name.text, parameter.type, use.instance
        node, scope = (parameter.default, instance) if given is None else (given, use.outer)
        if isinstance(wanted, nodes.NamedType) and wanted.name == "kind":
            instance.arguments[name] = KindBinding(
                types.UNKNOWN if node is None else self._kind(use, name, node, scope)
            )
            return
        type_ = self._types.read(wanted, instance) if wanted is not None else types.ANYTHING
        if node is None or (type_ == types.UNKNOWN and name[:1].isupper()):
            # Nobody knows what it is, which has been reported: nothing in the module depends on it any more.
            instance.arguments[name] = KindBinding(types.UNKNOWN)
        else:
            instance.arguments[name] = ExpressionBinding(node, scope, type_)

    def _kind(
        self, use: _UsedModule, parameter: str, node: nodes.Expression, scope: Instance
    ) -> types.Type:
        """Return the kind that a module is given; one whose things it makes is thereby declared."""
        if not isinstance(node, nodes.KindName):
            text = node.span.text
            self._report.complain("RW205", node.span, "expected a kind", name=text)
            return types.UNKNOWN
        found = self._types.kind_named(node, scope)
        if found is not None:
            return found
        makes = any(kind == parameter for kind in _made_kinds(use.instance.file))
        if makes and not nearest(node.text, self._types.known_kinds()):
            self._world.kinds.setdefault(node.text, KindDeclaration(node.text)).declared = True
            return ThingType(node.text)
        self._types.kind_type(nodes.Word(span=node.span, text=node.text), scope)
        self._world.broken.add(node.text)
        return types.UNKNOWN


def _made_kinds(file: nodes.File) -> Iterator[str]:
    """Yield the kinds whose things, or first fields, a module declares."""
    for item in file.items:
        match item:
            case nodes.Table(kind=kind) | nodes.TableProduct(kind=kind):
                yield kind.text
            case nodes.KindHas(kind=kind, also=False):
                yield kind.text
            case _:
                pass


def used_twice(world: World, kind: str, one: Instance, other: Instance) -> None:
    """Report that two modules make things of a kind, where the author uses the second one."""
    used = [_by_author(scope) for scope in (one, other)]
    first, second = sorted(dict.fromkeys(used), key=world.instances.index)
    if first.word is None or second.word is None:
        return
    header = second.file.header
    assert isinstance(header, nodes.ModuleHeader), "only modules are used"
    help = "take it out: what it declares is seen here anyway"
    if first.outer is not second.outer and first.outer is not world.game:
        help = "take it out here, or there: two variants cannot both use it"
    world.report.complain(
        "RW202",
        second.word.span,
        f"makes things of {kind} once more",
        secondary=(Label(first.word.span, "this one makes them"),),
        help=help,
        kind=f"module for {kind}",
        name=header.name.text,
    )


def _by_author(scope: Instance) -> Instance:
    """Return the instance of a module that a game or variant uses, by which a module is used."""
    while scope.outer is not None and scope.outer.is_module:
        scope = scope.outer
    return scope
