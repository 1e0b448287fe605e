"""Who sees what: finds rules about what a player may do that read what this player cannot see.

The menu itself would give the hidden thing away. So in a `need`, in the source and conditions of a
`choose`, in the guard of an arm and in the texts the chooser reads, only these are accepted: fields
and zones that everybody sees, the player's own that their owner sees, how many things lie in a
hidden zone (if that may be counted), whether it is empty, and a hidden zone as a whole to choose
from. Defines are looked into with the player they are asked about. What is decided by a list of
viewers that depends on the state is left to play.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model, walk
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.source import Span

COUNTING = ("count",)


@attrs.frozen
class _Found:
    """A hidden field or zone that an expression reads, and where."""

    field: model.Field
    span: Span


def hidden_reads(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each rule about a player's choices that reads what he cannot see."""
    reader = _Reader(game)
    for block in walk.all_blocks(game):
        yield from _in_block(game, reader, block, {})


def _in_block(
    game: model.Game, reader: _Reader, block: model.Block, tainted: dict[str, _Found]
) -> Iterator[Diagnostic]:
    for statement in block:
        for expression, offered in _judged(statement):
            found = reader.first(expression, offered, tainted)
            if found is not None:
                yield _message(expression, found)
        if isinstance(statement, model.Let):
            taint = reader.first(statement.value, False, tainted)
            tainted.pop(statement.name, None)
            if taint is not None:
                tainted[statement.name] = taint
        for inner in walk.blocks_in(statement):
            yield from _in_block(game, reader, inner, dict(tainted))


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


def _message(expression: model.Expression, found: _Found) -> Diagnostic:
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
        "hidden from who decides",
        name=name,
        secondary=secondary,
        help="counting it or asking whether it is empty is allowed",
    )


class _Reader:
    """Finds hidden reads in expressions; what defines read is worked out once."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.defines: dict[tuple[str, bool], _Found | None] = {}

    def first(
        self, node: model.Node, offered: bool, tainted: dict[str, _Found], own: bool = True
    ) -> _Found | None:
        """Return the first hidden read; `own`: whether `me` is the player who decides."""
        match node:
            case model.Read(field=field, target=target):
                seen = offered or self._seen(self.game.fields[field], target, own)
                if not seen:
                    return _Found(self.game.fields[field], node.span)
                return None if target is None else self.first(target, False, tainted, own)
            case model.IsEmpty(source=source) | model.Builtin(name="count", arguments=(source,)):
                counted = self._counted(source)
                if counted is not None:
                    return counted[0]
                return self.first(source, False, tainted, own)
            case model.Local(name=name):
                return tainted.get(name)
            case model.DefineCall():
                return self._define(node, offered, tainted, own)
            case model.Arithmetic(word="+", left=left, right=right) if offered:
                return self.first(left, True, tainted, own) or self.first(
                    right, True, tainted, own
                )
            case model.Can() | model.VerbOf():
                return None
        for part in walk.parts(node):
            found = self.first(part, False, tainted, own)
            if found is not None:
                return found
        return None

    def _counted(self, source: model.Expression) -> tuple[_Found | None] | None:
        """Return, for a zone counted as a whole, what is hidden about its number; else None."""
        if not isinstance(source, model.Read):
            return None
        field = self.game.fields[source.field]
        if field.count_viewers.who == "everybody":
            return (None,)
        return (_Found(field, source.span),)

    def _seen(self, field: model.Field, target: model.Expression | None, own: bool) -> bool:
        match field.viewers.who:
            case "everybody" | "some":
                return True
            case "owner":
                if field.holder != "Player":
                    return True
                return own and isinstance(target, model.Me)
        return field.printed

    def _define(
        self, call: model.DefineCall, offered: bool, tainted: dict[str, _Found], own: bool
    ) -> _Found | None:
        for argument in call.arguments:
            body = argument.body if isinstance(argument, model.Lambda) else argument
            found = self.first(body, False, tainted, own)
            if found is not None:
                return found
        about_me = own if call.me is None else isinstance(call.me, model.Me) and own
        key = (call.define, about_me)
        if key not in self.defines:
            self.defines[key] = None
            define = self.game.defines.get(call.define)
            if define is not None:
                self.defines[key] = self._body(define, offered, about_me)
        return self.defines[key]

    def _body(self, define: model.Define, offered: bool, own: bool) -> _Found | None:
        bodies: list[model.Expression] = [define.body, *(line.value for line in define.lines)]
        for change in define.changes:
            bodies.append(change.value)
            if change.guard is not None:
                bodies.append(change.guard)
        for body in bodies:
            found = self.first(body, offered, {}, own)
            if found is not None:
                return found
        return None
