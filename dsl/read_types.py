"""Reading types: a type as written goes in, the type it means comes out.

A module reads `Card` as the kind it was given; a kind that is declared nowhere is reported once,
with the nearest names.
"""

from __future__ import annotations

from rulewright.dsl import foreign, kinds, nodes
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.kinds import EnumType, FamilyType, OptionalType, ThingType, Type, ZoneType
from rulewright.dsl.scope import Instance, KindBinding, World
from rulewright.dsl.suggest import nearest

_PLAIN: dict[str, Type] = {
    "number": kinds.NUMBER,
    "flag": kinds.FLAG,
    "text": kinds.TEXT,
    "verb": kinds.VERB,
    "anything": kinds.ANYTHING,
}
_OF = ("list", "field", *kinds.ZONE_SHAPES)

_OF_PARAMETERS = (kinds.FunctionType, kinds.PlaceType, kinds.AnythingType, kinds.InstanceType)
_THINGS = (ThingType,)

Bounded = tuple[Type, nodes.Expression | None, nodes.Expression | None]


class TypeReader:
    """Turns written types into types, in the words of one file."""

    def __init__(self, world: World) -> None:
        self.world = world

    def read_field(
        self, node: nodes.TypeNode, scope: Instance, name: str, holder: str | None = None
    ) -> Bounded:
        """Return the type of a field or option with its range, if it has one."""
        if isinstance(node, nodes.RangeType):
            return self._number(node.base, node, scope), node.low, node.high
        if isinstance(node, nodes.PerType) and isinstance(node.value, nodes.RangeType):
            inner, low, high = self.read_field(node.value, scope, name)
            return FamilyType(inner, self._key(node.key, scope)), low, high
        if isinstance(node, nodes.OneOfType):
            return self.one_of(node, name if holder is None else f"{holder}.{name}"), None, None
        found = self._read(node, scope)
        if isinstance(found, _OF_PARAMETERS):
            # What is handed to a verb or module; nothing can be kept of it.
            label, what = "only parameters have it", "type of a field"
            self.world.report.add(
                diagnostic(
                    "RW203",
                    node.span,
                    label,
                    name=node.span.text,
                    found="type of a parameter",
                    kind=what,
                )
            )
            return kinds.UNKNOWN, None, None
        return found, None, None

    def read(self, node: nodes.TypeNode, scope: Instance) -> Type:
        """Return the type that is written, or `UNKNOWN` after a report."""
        return self._read(node, scope)

    def one_of(self, node: nodes.OneOfType, name: str) -> EnumType:
        """Return the enumeration that a field or option declares in place."""
        label = f"{kinds.IN_PLACE} {name}"
        self.world.enumerations[label] = tuple(word.text for word in node.values)
        return EnumType(label)

    def kind_named(self, node: nodes.Expression, scope: Instance) -> Type | None:
        """Return the type that an argument of type `kind` names, or None."""
        if not isinstance(node, nodes.KindName):
            return None
        return self._lookup(node.text, scope)

    def kind_type(self, word: nodes.Word, scope: Instance) -> Type | None:
        """Return the kind that a head names, or None after a report."""
        found = self._lookup(word.text, scope)
        if found is None:
            self._unknown(word.text, word.span)
        return found

    def _lookup(self, name: str, scope: Instance) -> Type | None:
        binding = scope.arguments.get(name)
        if isinstance(binding, KindBinding):
            return binding.type
        if name in self.world.enumerations:
            return EnumType(name)
        known = self.world.kinds.get(name)
        if known is not None and known.declared:
            return ThingType(name)
        return None

    def known_kinds(self) -> list[str]:
        """Return the names of all kinds and enumerations, for did-you-mean."""
        found = [name for name, kind in self.world.kinds.items() if kind.declared]
        return found + [
            name for name in self.world.enumerations if not kinds.declared_in_place(name)
        ]

    def _unknown(self, name: str, span: nodes.Span) -> None:
        near = self.world.nearest(name, self.known_kinds())
        if self.world.may_declare(name, near):
            return
        help = f"did you mean `{near[0]}`?" if near else f"declare it: each {name} has …"
        self.world.report.add(diagnostic("RW205", span, "expected a kind", help=help, name=name))

    def _read(self, node: nodes.TypeNode, scope: Instance) -> Type:
        match node:
            case nodes.KindType(name=name):
                found = self._lookup(name, scope)
                if found is None:
                    self._unknown(name, node.span)
                return found or kinds.UNKNOWN
            case nodes.NamedType(name="this") if scope.is_module:
                return kinds.InstanceType(scope.name)
            case nodes.NamedType(name="this"):
                help = "only a module has instances, which `this` could be"
                self.world.report.add(diagnostic("RW205", node.span, help=help, name="this"))
                return kinds.UNKNOWN
            case nodes.NamedType(name=name):
                return self._number(name, node, scope)
            case nodes.OfType(word=word, inner=inner):
                return self._of(word, inner, node, scope)
            case nodes.OptionalType(inner=inner):
                return OptionalType(self._read(inner, scope))
            case nodes.PerType(value=value, key=key):
                return FamilyType(self._read(value, scope), self._key(key, scope))
            case nodes.FunctionType(parameter=parameter, result=result):
                return kinds.FunctionType(self._read(parameter, scope), self._read(result, scope))
            case nodes.OneOfType():
                return self.one_of(node, f"place {node.span.start}")
            case nodes.RangeType(base=base):
                return self._number(base, node, scope)

    def _key(self, node: nodes.TypeNode, scope: Instance) -> Type:
        """Return what a family has a value for: the things of a kind, or the values of one."""
        return self._only(self._read(node, scope), (*_THINGS, EnumType), "kind", node)

    def _only(
        self, found: Type, fitting: tuple[type, ...], expected: str, node: nodes.TypeNode
    ) -> Type:
        if isinstance(found, (*fitting, kinds.AnythingType, kinds.UnknownType)):
            return found
        words = f"type `{kinds.shown(found)}`"
        self.world.report.add(diagnostic("RW301", node.span, expected=expected, found=words))
        return kinds.UNKNOWN

    def _number(self, name: str, node: nodes.TypeNode, scope: Instance) -> Type:
        if name in _PLAIN:
            return _PLAIN[name]
        if name in self.world.units:
            return kinds.NumberType(name)
        alike = [kind for kind in self.known_kinds() if kind.casefold() == name.casefold()]
        near = (*alike, *self.world.nearest(name, [*_PLAIN, *sorted(self.world.units)]))
        if self.world.may_declare(name, near):
            return kinds.UNKNOWN
        help = f"did you mean `{near[0]}`?" if near else "kinds begin with a capital"
        if name in foreign.TYPES:
            help = f"write `{foreign.TYPES[name]}`"
        elif name in _OF or name in foreign.HOLDERS:
            help = f"say of what: `{foreign.HOLDERS.get(name, name)} of …`"
        self.world.report.add(
            diagnostic("RW205", node.span, "expected a type", help=help, name=name)
        )
        return kinds.UNKNOWN

    def _of(self, word: str, inner: nodes.TypeNode, node: nodes.TypeNode, scope: Instance) -> Type:
        held = self._read(inner, scope)
        if word == "list":
            return kinds.ListType(held)
        if word == "field":
            return kinds.PlaceType(held)
        if word in kinds.ZONE_SHAPES:
            return ZoneType(word, self._only(held, _THINGS, "kind of things", inner))
        near, what = nearest(word, _OF), inner.span.text
        help = (
            f"zones are `cards of {what}`, `pile of`, `row of`, `slot of`; values `list of {what}`"
        )
        if word in foreign.HOLDERS:
            help = f"write `{foreign.HOLDERS[word]} of {what}`; {help}"
        elif near:
            help = f"did you mean `{near[0]} of {what}`?"
        self.world.report.add(
            diagnostic("RW205", node.span, "expected a type", help=help, name=word)
        )
        return kinds.UNKNOWN
