"""Who sees what: finds rules about what a player may do that read what this player cannot see.

The menu itself would give the hidden thing away. So in a `need`, in the source and conditions of a
`choose`, in the guard of an arm and in the texts the chooser reads, only these are accepted: fields
and zones that everybody sees, the player's own that their owner sees, how many things lie in a
hidden zone (if that may be counted), whether it is empty, and hidden things as such, to choose from
or to be counted. What is printed on a thing needs sight of it; a state field is seen as it says,
even if the thing lies hidden.

An expression is looked at in one of two ways: for its *value*, or only as a *reference* to things
that need not be seen. Names remember what they stand for, until the thing has moved; defines are
looked into with the player they are asked about. What is decided by a list of viewers that depends
on the state is left to play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import attrs

from rulewright.dsl import kinds, model, walk
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.source import Span


@attrs.frozen
class _Found:
    """A hidden field or zone that an expression reads, and where."""

    field: model.Field
    span: Span


@attrs.frozen
class _Mark:
    """What a name stands for: `value`: worked out from what is hidden; `thing`: a thing that lies
    hidden; `anywhere`: one of a whole kind, which may lie hidden."""

    found: _Found
    what: str


@attrs.frozen(eq=False)
class _Names:
    """What names stand for at a place, and what has been worked out there already.

    A list is looked at for its value and as a reference, and so are the lists inside it: without
    the memory, the work would double with every level.
    """

    marks: Mapping[str, _Mark] = attrs.Factory(dict)
    results: dict[object, _Found | None] = attrs.Factory(dict)
    inner: dict[object, _Names] = attrs.Factory(dict)

    def giving(self, name: str, mark: _Mark | None) -> _Names:
        """Return the names where one of them stands for something else."""
        if mark is None and name not in self.marks:
            return self
        marks = {key: value for key, value in self.marks.items() if key != name}
        return _Names(marks if mark is None else {**marks, name: mark})

    def without(self, names: Collection[str]) -> _Names:
        """Return the names without some of them."""
        if not names:
            return self
        return _Names({key: value for key, value in self.marks.items() if key not in names})


# These give things of the list that they are handed, and tell no more about them than their place.
_PASS_ON = frozenset(("first", "last", "top", "only", "the", "reversed", "present", "join"))


def hidden_reads(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each rule about a player's choices that reads what he cannot see."""
    reader = _Reader(game)
    for block in walk.all_blocks(game):
        yield from _in_block(reader, block, _Names())
    for verb in game.verbs.values():
        # The label of a verb stands in menus and in the log: everybody reads it.
        labels = [] if verb.label is None else [verb.label]
        for label in (*labels, *(change.value for change in verb.label_changes)):
            found = reader.first(label, False, _Names(), own=False)
            if found is not None:
                yield _message(label, found, "everybody reads it")


def _in_block(reader: _Reader, block: model.Block, names: _Names) -> Iterator[Diagnostic]:
    for statement in block:
        if isinstance(statement, model.Choose):
            # The condition on the selection speaks of it by its name.
            names = names.giving(statement.name, reader.mark(statement.source, names))
        for expression, offered in _judged(statement):
            found = reader.first(expression, offered, names)
            if found is not None:
                yield _message(expression, found)
        if isinstance(statement, model.Let):
            names = names.giving(statement.name, reader.mark(statement.value, names))
        inside = names
        if isinstance(statement, model.ForEach):
            inside = names.giving(statement.name, reader.mark(statement.source, names))
        if isinstance(statement, model.ForEach | model.Repeat | model.As):
            # What one pass works out, the next one knows.
            inside = _set_inside(reader, statement, _set_inside(reader, statement, inside))
        for inner in walk.blocks_in(statement):
            yield from _in_block(reader, inner, inside)
        names = _set_inside(reader, statement, names)
        names = names.without(reader.moved(statement, names))


def _set_inside(reader: _Reader, statement: model.Statement, names: _Names) -> _Names:
    """Return the names with what the blocks of a statement may have let them stand for: a name that
    is set under a condition tells something about the condition."""
    if isinstance(statement, model.ForEach):
        names = names.giving(statement.name, reader.mark(statement.source, names))
    for condition, block in _conditions(statement):
        # How often a loop over a whole zone goes round, its number tells, which is public.
        whole = isinstance(statement, model.ForEach)
        found = None if condition is None else reader.first(condition, whole, names)
        for inner in block:
            if isinstance(inner, model.Let):
                mark = reader.mark(inner.value, names)
                if mark is None and found is not None:
                    mark = _Mark(found, "value")
                if mark is not None:
                    names = names.giving(inner.name, mark)
            names = _set_inside(reader, inner, names)
    return names


def _conditions(
    statement: model.Statement,
) -> Iterator[tuple[model.Expression | None, model.Block]]:
    """Yield the blocks of a statement, each with what decides whether, or how often, it happens."""
    match statement:
        case model.If(branches=branches, otherwise=otherwise):
            for branch in branches:
                yield branch.condition, branch.block
            for branch in branches:
                yield branch.condition, otherwise
        case model.Repeat(value=value, block=block):
            yield value, block
        case model.ForEach(source=source, block=block):
            yield source, block
        case _:
            for block in walk.blocks_in(statement):
                yield None, block


def _judged(statement: model.Statement) -> Iterator[tuple[model.Expression, bool]]:
    """Yield the expressions that decide what a player may do; and whether things are offered."""
    match statement:
        case model.Need(condition=condition, reason=reason):
            yield condition, False
            yield reason, False
        case model.Choose():
            yield statement.source, True
            for one in (statement.such_that, statement.low, statement.high, statement.ask):
                if one is not None:
                    yield one, False
        case model.May(label=label):
            yield label, False
        case model.Either(arms=arms):
            for arm in arms:
                yield arm.label, False
                if arm.guard is not None:
                    yield arm.guard, False
        case _:
            pass


def _message(
    expression: model.Expression, found: _Found, label: str = "hidden from who decides"
) -> Diagnostic:
    field = found.field
    name = f"{field.holder}.{field.name}" if field.holder else field.id
    who = {"nobody": "nobody sees it", "owner": "only its owner sees it"}
    secondary = [Label(field.span, who.get(field.viewers.who, "not everybody sees it"))]
    inside = found.span.source is expression.span.source and (
        expression.span.start <= found.span.start <= expression.span.end
    )
    if not inside:
        secondary.append(Label(found.span, "read here"))
    return diagnostic(
        "RW411",
        found.span if inside else expression.span,
        label,
        name=name,
        secondary=secondary,
        help="counting it or asking whether it is empty is allowed",
    )


class _Reader:
    """Finds hidden reads in expressions; what defines read is worked out once."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.defines: dict[object, _Found | None] = {}
        self.hiding = {
            field.type.kind: field
            for field in reversed(game.fields.values())
            if isinstance(field.type, kinds.ZoneType) and field.viewers.who != "everybody"
        }
        """A zone for each kind, if there is one, in which its things are not seen by all."""

    # ------------------------------------------------------------------------------------- names

    def mark(self, value: model.Expression, names: _Names, own: bool = True) -> _Mark | None:
        """Return what a name for that value stands for, if there is something to remember."""
        found = self.first(value, True, names, own)
        if found is not None:
            return _Mark(found, "value")
        found = self.first(value, False, names, own)
        if found is not None:
            return _Mark(found, "thing" if _is_thing(value.type) else "value")
        zone = self._anywhere(value, names)
        return None if zone is None else _Mark(_Found(zone, value.span), "anywhere")

    def moved(self, statement: model.Statement, names: _Names) -> list[str]:
        """Return the names of things that may lie elsewhere, or have been shown, from here on."""
        match statement:
            case model.CallVerb() | model.Do():
                return [name for name, mark in names.marks.items() if mark.what == "thing"]
            case model.Move() | model.Show() | model.Swap():
                parts = [
                    one for head in walk.heads_in(statement) for one in walk.everything_in(head)
                ]
                fields = {
                    one.field for one in parts if isinstance(one, model.Read | model.FieldPlace)
                }
                locals_ = {one.name for one in parts if isinstance(one, model.Local)}
                return [
                    name
                    for name, mark in names.marks.items()
                    if mark.what == "thing" and (name in locals_ or mark.found.field.id in fields)
                ]
        return []

    def _anywhere(self, node: model.Expression, names: _Names) -> model.Field | None:
        """Return a zone in which a thing may lie hidden that is found by its kind alone."""
        match node:
            case model.Everything() | model.NamedThing():
                return self.hiding.get(kinds.ThingType(node.kind))
            case model.Local(name=name) if name in names.marks:
                mark = names.marks[name]
                return mark.found.field if mark.what == "anywhere" else None
            case model.Where(source=source) | model.Having(source=source):
                return self._anywhere(source, names)
            case model.Sorted(source=source) | model.Item(items=source):
                return self._anywhere(source, names)
            case model.Builtin(name=name, arguments=arguments) if name in _PASS_ON:
                return self._anywhere(arguments[-1], names)
        return None

    def _inside(self, name: str, source: model.Expression, names: _Names, own: bool) -> _Names:
        """Return the names where one of them stands for the things of a list."""
        key = (id(source), name, own)
        if key not in names.inner:
            names.inner[key] = names.giving(name, self.mark(source, names, own))
        return names.inner[key]

    # ------------------------------------------------------------------------------- expressions

    def first(
        self, node: model.Node, offered: bool, names: _Names, own: bool = True
    ) -> _Found | None:
        """Return the first hidden read, or None.

        `offered`: things are only referred to; `own`: `me` is the player who decides.
        """
        key = (id(node), offered, own)
        if key not in names.results:
            names.results[key] = self._first(node, offered, names, own)
        return names.results[key]

    def _first(self, node: model.Node, offered: bool, names: _Names, own: bool) -> _Found | None:
        match node:
            case model.Read():
                return self._read(node, offered, names, own)
            case model.IsEmpty(source=source) | model.Builtin(name="count", arguments=(source,)):
                return self._count(source, names, own)
            case model.Local(name=name):
                return self._name(name, offered, names)
            case model.DefineCall():
                return self._define(node, offered, names, own)
            case model.Where(source=source, name=name, condition=condition):
                return self._list(source, name, (condition,), offered, names, own)
            case model.Having(source=source, name=name, keys=keys):
                values = tuple(key.value for key in keys)
                return self._list(source, name, values, offered, names, own)
            case model.Sorted(source=source, name=name, keys=keys):
                values = tuple(key.value for key in keys)
                return self._list(source, name, values, offered, names, own)
            case model.Quantified(source=source, name=name, condition=condition):
                return self._list(source, name, (condition,), True, names, own)
            case model.Each(source=source, name=name, value=value):
                inside = self._inside(name, source, names, own)
                return self.first(source, True, names, own) or self.first(
                    value, offered, inside, own
                )
            case model.LetIn(name=name, value=value, body=body):
                return self.first(body, offered, self._inside(name, value, names, own), own)
            case model.OwnerOf(thing=thing) | model.LiesAt(thing=thing):
                zone = self._anywhere(thing, names)
                if zone is not None:
                    return _Found(zone, node.span)
                return self.first(thing, False, names, own)
            case model.Can() | model.VerbOf():
                return None
        referred = {id(part) for part in self._referred(node)} if offered else ()
        for part in walk.parts(node):
            found = self.first(part, id(part) in referred, names, own)
            if found is not None:
                return found
        return None

    def _referred(self, node: model.Node) -> tuple[model.Node, ...]:
        """Return the parts of an expression that it hands on as they are."""
        match node:
            case model.Builtin(name=name, arguments=arguments) if name in _PASS_ON:
                return arguments[-1:]
            case model.Arithmetic(word="+", left=left, right=right):
                return (left, right)
            case model.Conditional(then=then, otherwise=otherwise):
                return (then, otherwise)
            case model.Without(source=source, other=other):
                return (source, other)
            case model.ListOf(items=items):
                return items
            case model.Item(items=source) | model.SlotThing(slot=source):
                return (source,)
        return ()

    def _name(self, name: str, offered: bool, names: _Names) -> _Found | None:
        mark = names.marks.get(name)
        if mark is None or mark.what == "anywhere" or (offered and mark.what == "thing"):
            return None
        return mark.found

    def _read(self, node: model.Read, offered: bool, names: _Names, own: bool) -> _Found | None:
        field, target = self.game.fields[node.field], node.target
        if not (offered or self._seen(field, field.viewers, target, own)):
            return _Found(field, node.span)
        if target is None:
            return None
        # What is printed is seen with the thing; what can change is seen as it says.
        found = self.first(target, not field.printed, names, own)
        if found is not None and isinstance(target, model.Local):
            return _Found(found.field, node.span)
        return found

    def _count(self, source: model.Expression, names: _Names, own: bool) -> _Found | None:
        if isinstance(source, model.Read):
            field = self.game.fields[source.field]
            if not self._seen(field, field.count_viewers, source.target, own):
                return _Found(field, source.span)
        return self.first(source, True, names, own)

    def _list(
        self,
        source: model.Expression,
        name: str,
        values: tuple[model.Expression, ...],
        offered: bool,
        names: _Names,
        own: bool,
    ) -> _Found | None:
        """Judge a list whose things are looked at one by one."""
        found = self.first(source, True, names, own)
        if found is not None:
            return found
        inside = self._inside(name, source, names, own)
        for value in values:
            found = self.first(value, False, inside, own)
            if found is not None:
                return found
        return None if offered else self.first(source, False, names, own)

    def _seen(
        self,
        field: model.Field,
        viewers: model.Viewers,
        target: model.Expression | None,
        own: bool,
    ) -> bool:
        match viewers.who:
            case "everybody" | "some":
                return True
            case "owner":
                if field.holder != "Player":
                    return True
                return own and isinstance(target, model.Me)
        return field.printed

    # ----------------------------------------------------------------------------------- defines

    def _define(
        self, call: model.DefineCall, offered: bool, names: _Names, own: bool
    ) -> _Found | None:
        define = self.game.defines.get(call.define)
        if define is None:
            return None
        inside = _Names()
        for parameter, argument in zip(define.parameters, call.arguments, strict=True):
            value = argument.body if isinstance(argument, model.Lambda) else argument
            found = self.first(value, True, names, own)
            if found is not None:
                return found
            inside = inside.giving(parameter, self.mark(value, names, own))
        about_me = own if call.me is None else isinstance(call.me, model.Me) and own
        hidden = tuple(
            (name, mark.what, mark.found.field.id) for name, mark in inside.marks.items()
        )
        key = (call.define, about_me, offered, hidden)
        if key not in self.defines:
            self.defines[key] = None
            self.defines[key] = self._body(define, offered, inside, about_me)
        return self.defines[key]

    def _body(self, define: model.Define, offered: bool, names: _Names, own: bool) -> _Found | None:
        bodies: list[model.Expression] = [define.body, *(line.value for line in define.lines)]
        for change in define.changes:
            bodies.append(change.value)
            if change.guard is not None:
                bodies.append(change.guard)
        for body in bodies:
            found = self.first(body, offered, names, own)
            if found is not None:
                return found
        return None


def _is_thing(type_: kinds.Type) -> bool:
    plain = kinds.without_none(type_)
    return isinstance(kinds.element(plain) or plain, kinds.ThingType)
