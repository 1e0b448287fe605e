"""What a type means that is written in rules.

A module reads `Card` as the kind it was given; a kind that is declared nowhere is reported once,
with the nearest names.
"""

from __future__ import annotations

from rulewright.dsl.model import types
from rulewright.dsl.model.types import EnumType, FamilyType, OptionalType, ThingType, Type, ZoneType
from rulewright.dsl.resolve.symbols import FieldDeclaration, Instance, KindBinding, World
from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.text.suggest import nearest

_PLAIN: dict[str, Type] = {
    "number": types.NUMBER,
    "flag": types.FLAG,
    "text": types.TEXT,
    "verb": types.VERB,
    "anything": types.ANYTHING,
}
_OF = ("list", "field", *types.ZONE_SHAPES)

_OF_PARAMETERS = (types.FunctionType, types.PlaceType, types.AnythingType, types.InstanceType)
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
            self.world.report.complain(
                "RW203",
                node.span,
                label,
                name=node.span.text,
                found="type of a parameter",
                kind=what,
            )
            return types.UNKNOWN, None, None
        return found, None, None

    def read(self, node: nodes.TypeNode, scope: Instance) -> Type:
        """Return the type that is written, or `UNKNOWN` after a report."""
        return self._read(node, scope)

    def one_of(self, node: nodes.OneOfType, name: str) -> EnumType:
        """Return the enumeration that a field or option declares in place."""
        label = f"{types.IN_PLACE} {name}"
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
            name for name in self.world.enumerations if not types.declared_in_place(name)
        ]

    def _unknown(self, name: str, span: nodes.Span) -> None:
        near = self.world.nearest(name, self.known_kinds())
        if self.world.may_declare(name, near):
            return
        help = f"did you mean `{near[0]}`?" if near else f"declare it: each {name} has …"
        self.world.report.complain("RW205", span, "expected a kind", help=help, name=name)

    def _read(self, node: nodes.TypeNode, scope: Instance) -> Type:
        match node:
            case nodes.KindType(name=name):
                found = self._lookup(name, scope)
                if found is None:
                    self._unknown(name, node.span)
                return found or types.UNKNOWN
            case nodes.NamedType(name="this") if scope.is_module:
                return types.InstanceType(scope.name)
            case nodes.NamedType(name="this"):
                help = "only a module has instances, which `this` could be"
                self.world.report.complain("RW205", node.span, help=help, name="this")
                return types.UNKNOWN
            case nodes.NamedType(name=name):
                return self._number(name, node, scope)
            case nodes.OfType(word=word, inner=inner):
                return self._of(word, inner, node, scope)
            case nodes.OptionalType(inner=inner):
                return OptionalType(self._read(inner, scope))
            case nodes.PerType(value=value, key=key):
                return FamilyType(self._read(value, scope), self._key(key, scope))
            case nodes.FunctionType(parameter=parameter, result=result):
                return types.FunctionType(self._read(parameter, scope), self._read(result, scope))
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
        if isinstance(found, (*fitting, types.AnythingType, types.UnknownType)):
            return found
        words = f"type `{types.shown(found)}`"
        self.world.report.complain("RW301", node.span, expected=expected, found=words)
        return types.UNKNOWN

    def _number(self, name: str, node: nodes.TypeNode, scope: Instance) -> Type:
        if name in _PLAIN:
            return _PLAIN[name]
        if name in self.world.units:
            return types.NumberType(name)
        alike = [kind for kind in self.known_kinds() if kind.casefold() == name.casefold()]
        near = (*alike, *self.world.nearest(name, [*_PLAIN, *sorted(self.world.units)]))
        if self.world.may_declare(name, near):
            return types.UNKNOWN
        help = f"did you mean `{near[0]}`?" if near else "kinds begin with a capital"
        if name in foreign_words.TYPES:
            help = f"write `{foreign_words.TYPES[name]}`"
        elif name in _OF or name in foreign_words.HOLDERS:
            help = f"say of what: `{foreign_words.HOLDERS.get(name, name)} of …`"
        self.world.report.complain("RW205", node.span, "expected a type", help=help, name=name)
        return types.UNKNOWN

    def _of(self, word: str, inner: nodes.TypeNode, node: nodes.TypeNode, scope: Instance) -> Type:
        held = self._read(inner, scope)
        if word == "list":
            return types.ListType(held)
        if word == "field":
            return types.PlaceType(held)
        if word in types.ZONE_SHAPES:
            return ZoneType(word, self._only(held, _THINGS, "kind of things", inner))
        near, what = nearest(word, _OF), inner.span.text
        help = (
            f"zones are `cards of {what}`, `pile of`, `row of`, `slot of`; values `list of {what}`"
        )
        if word in foreign_words.HOLDERS:
            help = f"write `{foreign_words.HOLDERS[word]} of {what}`; {help}"
        elif near:
            help = f"did you mean `{near[0]} of {what}`?"
        self.world.report.complain("RW205", node.span, "expected a type", help=help, name=word)
        return types.UNKNOWN


# ------------------------------------------------------------------------------- enumeration fields


def check_field(world: World, enum: str, field: FieldDeclaration) -> None:
    """Report a zone or a family that changes; an enumeration has one value for each field."""
    if isinstance(field.type, types.ZoneType):
        found = "zone"
        help = "things lie in zones of the game, of players and of other things"
    elif isinstance(field.type, types.FamilyType) and _changes(field):
        found = "family that changes"
        value, key = types.shown(field.type.value), types.shown(field.type.key)
        help = f"put it the other way round: `each {key} has`, `{field.name}: {value} per {enum}`"
    else:
        return
    world.report.complain("RW428", field.word.span, help=help, kind=enum, found=found)
    field.type = types.UNKNOWN


def check_name(world: World, item: nodes.KindHas) -> None:
    """Report a define called `name`: words are shown as a table says, or as they are written."""
    for member in item.members:
        if isinstance(member, nodes.Define | nodes.Tally) and member.name.text == "name":
            help = "write `name: text` and a column `name` in the table of the values"
            found = "name that is worked out"
            span = member.name.span
            world.report.complain("RW428", span, help=help, kind=item.kind.text, found=found)


def _changes(field: FieldDeclaration) -> bool:
    """Return whether a field says how it starts or who sees it, as fields that change do."""
    return field.node.default is not None or any(
        isinstance(mark, nodes.SeenBy) for mark in field.marks
    )
