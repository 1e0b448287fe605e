"""Declared fields, with start values, ranges, viewers and resets.

This runs after every step has been read, because a field without a start value is printed only if no
step writes to it.
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.link.amendments import AmendmentLinker
from rulewright.dsl.model import types
from rulewright.dsl.model.types import ListType, ThingType, ZoneType
from rulewright.dsl.resolve.symbols import FieldDeclaration
from rulewright.dsl.syntax import nodes
from rulewright.dsl.typecheck import constants, formulas, powers
from rulewright.dsl.typecheck.context import Body
from rulewright.dsl.typecheck.tables import has_viewers


class FieldReader:
    """Turns the declared fields of all files into fields of the model."""

    def __init__(self, linker: AmendmentLinker) -> None:
        self.linker = linker
        self.world = linker.world
        self.report = linker.world.report

    def fields(self) -> dict[str, model.Field]:
        """Return every field by its id, in the order of declaration."""
        found = [field for instance in self.world.instances for field in instance.fields.values()]
        for kind in self.world.kinds.values():
            found.extend(kind.order)
        # What the tables of an enumeration give is no field: it is a value that never changes.
        found = [
            field for field in found if not (self._of_value(field) and self._is_printed(field))
        ]
        return {field.id: self._field(field) for field in found}

    def _of_value(self, field: FieldDeclaration) -> bool:
        """Return whether values of an enumeration have the field."""
        return field.holder in self.world.enumerations

    def _is_printed(self, field: FieldDeclaration) -> bool:
        """Return whether a table of the enumeration gives the field, or should."""
        if field.id in self.world.tabled:
            return True
        changes = field.written or field.node.default is not None or has_viewers(field)
        return not changes and bool(self.world.kinds[field.holder or ""].tables)

    def _field(self, field: FieldDeclaration) -> model.Field:
        is_zone = isinstance(field.type, ZoneType)
        default = self._default(field)
        of_value = self._of_value(field)
        printed = not is_zone and field.node.default is None and not field.written and not of_value
        viewers, counted = self._viewers(field, printed)
        if printed and field.holder in (None, "Player"):
            # Nothing prints a field of the game or of a player: it keeps the start value.
            printed, default = False, default or self._start(field)
        elif not printed and not is_zone and default is None:
            default = self._start(field)
        fresh, own = self._fresh(field)
        self.report.extend(powers.check_active(field, (viewers, counted)))
        self._ranges(field, default)
        low = None if field.low is None else self._bound(field, field.low)
        high = None if field.high is None else self._bound(field, field.high)
        return model.Field(
            id=field.id,
            name=field.name,
            holder=None if of_value else field.holder,
            type=self._family(field) if of_value else field.type,
            printed=printed,
            default=default,
            low=low,
            high=high,
            viewers=viewers,
            count_viewers=counted,
            fresh=fresh,
            fresh_own=own,
            span=field.word.span,
            see=field.node.see,
            formulas=formulas.of_field(self.world, field.id),
        )

    def _ranges(self, field: FieldDeclaration, default: model.Expression | None) -> None:
        body = self.linker.body(field.scope, "field")
        if field.node.default is None and default is not None:
            help = "it starts with 0 unless it says something else: write `= …` behind the type"
            constants.check(body, default, field.low, field.high, help=help)
            return
        constants.check_order(body, field.low, field.high)
        if default is not None:
            constants.check(body, default, field.low, field.high)

    def _bound(self, field: FieldDeclaration, node: nodes.Expression) -> model.Expression:
        body = self.linker.body(field.scope, "field")
        body.me = False
        return body.typed(node, types.NUMBER)

    def _family(self, field: FieldDeclaration) -> types.FamilyType:
        """Return what a field of the values of an enumeration is: a family of the game."""
        return types.FamilyType(field.type, types.EnumType(field.holder or ""))

    def _about_holder(self, field: FieldDeclaration) -> Body:
        body = self.linker.body(field.scope, "field")
        if self._of_value(field):
            body.me = False
            return body
        body.me = field.holder is not None
        if field.holder is not None and field.holder != "Player":
            body.this = model.Local(type=ThingType(field.holder), span=field.word.span, name="this")
        return body

    def _default(self, field: FieldDeclaration) -> model.Expression | None:
        node = field.node.default
        if node is None:
            return None
        if self._of_value(field) and "this" in node.span.text:
            return self._for_each_value(field, node)
        body = self._about_holder(field)
        if isinstance(field.type, types.FamilyType):
            value = body.expression(node, field.type)
            if isinstance(value.type, types.FamilyType):
                return body.adapt(value, field.type)
            return body.adapt(value, field.type.value)
        if isinstance(field.type, ZoneType):
            return body.typed(node, ListType(field.type.kind))
        return body.typed(node, field.type)

    def _for_each_value(self, field: FieldDeclaration, node: nodes.Expression) -> model.Expression:
        """Return a start value that depends on the value of the enumeration that has the field."""
        family = self._family(field)
        pairs: list[tuple[model.Expression, model.Expression]] = []
        for word in self.world.enumerations[field.holder or ""]:
            body = self._about_holder(field)
            this = model.EnumConstant(
                type=family.key, span=field.word.span, enum=field.holder or "", value=word
            )
            body.this = this
            if pairs:
                # What is wrong with one is wrong with all.
                with body.quietly():
                    pairs.append((this, body.typed(node, field.type)))
            else:
                pairs.append((this, body.typed(node, field.type)))
        return model.FamilyOf(type=family, span=node.span, pairs=tuple(pairs))

    def _start(self, field: FieldDeclaration) -> model.Expression | None:
        """The start value of a field that says none: none, zero, no, or an empty list."""
        span = field.word.span
        type_ = field.type.value if isinstance(field.type, types.FamilyType) else field.type
        match type_:
            case types.OptionalType():
                return model.Constant(type=types.NOTHING, span=span, value=None)
            case types.NumberType():
                return model.Constant(type=type_, span=span, value=0)
            case types.FlagType():
                return model.Constant(type=type_, span=span, value=False)
            case types.ListType():
                return model.ListOf(type=type_, span=span, items=())
            case types.UnknownType():
                return None
        if self._comes_only_later(field):
            return None
        self.report.complain(
            "RW420",
            span,
            "starts with no value",
            name=field.name,
            help=f"give it a start value, or write `{types.shown(type_)}?`",
        )
        return None

    def _comes_only_later(self, field: FieldDeclaration) -> bool:
        """Return whether all things that have the field are created in play, where it is given."""
        kind = self.world.kinds.get(field.holder or "")
        created = any(made.kind == field.holder for made in self.world.creations)
        return kind is not None and created and not kind.tables

    def _viewers(
        self, field: FieldDeclaration, printed: bool
    ) -> tuple[model.Viewers, model.Viewers]:
        seen: model.Viewers | None = None
        counted: model.Viewers | None = None
        for mark in field.marks:
            if isinstance(mark, nodes.SeenBy):
                viewers = self._seen_by(field, mark)
                if mark.count:
                    counted = viewers
                else:
                    seen = viewers
        if printed and field.holder not in (None, "Player"):
            return model.EVERYBODY, model.EVERYBODY
        if seen is None:
            owned = field.holder is not None and not self._of_value(field)
            owner = ", `, seen by owner`" if owned else ""
            help = f"add `, seen by players`{owner} or `, seen by []`"
            self.report.complain(
                "RW401", field.word.span, "who sees it?", name=field.name, help=help
            )
            seen = model.EVERYBODY
        return seen, counted or model.EVERYBODY

    def _seen_by(self, field: FieldDeclaration, mark: nodes.SeenBy) -> model.Viewers:
        node = mark.viewers
        if isinstance(node, nodes.Name) and node.text == "owner":
            if field.holder is None or self._of_value(field):
                help = "write `seen by players` or `seen by []`"
                label = "the game has no owner" if field.holder is None else "a word has no owner"
                self.report.complain("RW201", node.span, label, help=help, name="owner")
            return model.Viewers(who="owner")
        if isinstance(node, nodes.Name) and node.text == "players":
            return model.EVERYBODY
        if isinstance(node, nodes.ListValue) and not node.items:
            return model.Viewers(who="nobody")
        body = self._about_holder(field)
        if field.holder is not None and not self._of_value(field):
            # Whose view is asked for is `me` here: the holder, or the owner of what holds it.
            body.owner = model.Me(type=types.PLAYER, span=node.span)
        found = body.typed(node, ListType(types.PLAYER))
        match found:
            case model.Seats():
                return model.EVERYBODY
            case model.ListOf(items=()):
                return model.Viewers(who="nobody")
        return model.Viewers(who="some", expression=found)

    def _fresh(self, field: FieldDeclaration) -> tuple[tuple[str, ...], bool]:
        verbs: list[str] = []
        own = False
        for mark in field.marks:
            if not isinstance(mark, nodes.Fresh):
                continue
            own = own or mark.own
            if mark.own and field.holder != "Player":
                help = "only what each player has can begin anew for one of them"
                self.report.complain(
                    "RW417", mark.span, help=help, name=field.name, where=f"own {mark.verb.text}"
                )
            body = self.linker.body(field.scope, "field")
            with body.quietly() as trial:
                found = body.expression(
                    nodes.Name(span=mark.verb.span, text=mark.verb.text), types.VERB
                )
            if not trial.has_errors and isinstance(found.type, types.VerbType | types.UnknownType):
                verbs.extend(found.verbs if isinstance(found, model.VerbOf) else ())
                continue
            if mark.verb.text in field.scope.arguments:
                # The argument is wrong, not the line of the module that asks for it.
                self.report.extend(trial.sorted())
                continue
            known = [verb for verb in self.world.all_verbs() if verb.name == mark.verb.text]
            verbs.extend(verb.id for verb in known if verb.scope is field.scope or not verbs)
            if not known:
                names = [verb.name for verb in self.world.all_verbs()]
                body.unknown_name("RW207", mark.verb, names)
        return tuple(dict.fromkeys(verbs)), own
