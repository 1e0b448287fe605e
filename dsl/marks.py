"""Whose something is, told from the rules alone: an expression or a place in, a mark out.

A thing is the acting player's if it comes out of one of his zones, a place if it belongs to him, or
to a thing of his; both are shared if they belong to all, or to another player. Of anything else
nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import attrs

from rulewright.dsl import kinds, model, walk
from rulewright.dsl.flow import Flow

MINE: Final = "mine"
SHARED: Final = "shared"
ME: Final = "me"
"""It is the acting player himself."""

Mark: TypeAlias = str | None
Names: TypeAlias = Mapping[str, Mark]

PLAYER = "Player"


@attrs.frozen
class Marks:
    """Tells whose things and places are."""

    game: model.Game
    flow: Flow

    def of_argument(self, argument: model.Argument, names: Names) -> Mark:
        """Return whose the object of a verb is."""
        match argument:
            case model.FieldPlace() | model.EntryPlace() | model.LocalPlace():
                return self.of_place(argument, names)
            case model.AppliedPlace():
                return self.of_place(argument, names)
            case model.PlaceLambda():
                return None
        return self.of(argument, names)

    # -------------------------------------------------------------------------------------- places

    def of_place(self, place: model.Place | None, names: Names) -> Mark:
        """Return whose a field, entry of a family or zone is."""
        match place:
            case model.EntryPlace(key=key) if self.of(key, names) == ME:
                # An entry for each player: this one is his.
                return MINE
            case (
                model.FieldPlace(field=field, target=target)
                | model.EntryPlace(field=field, target=target)
            ):
                return self._of_field(field, target, names)
            case model.LocalPlace(name=name):
                return names.get(name)
            case model.AppliedPlace(function=model.PlaceLambda() as function, argument=argument):
                inner = {**names, function.parameter: self.of(argument, names)}
                return self.of_place(function.place, inner)
        return None

    def _of_field(self, id: str, target: model.Expression | None, names: Names) -> Mark:
        field = self.game.fields[id]
        if target is None:
            return SHARED if field.holder is None else None
        mark = self.of(target, names)
        if field.holder == PLAYER:
            return MINE if mark == ME else SHARED
        return mark

    # -------------------------------------------------------------------------------------- things

    def of(self, expression: model.Expression, names: Names) -> Mark:
        """Return whose the things are that an expression gives, or the thing."""
        match expression:
            case model.Me():
                return ME
            case model.Local(name=name):
                return names.get(name)
            case model.Read(field=field, target=target):
                if not isinstance(self.game.fields[field].type, kinds.ZoneType):
                    return None
                return self._of_field(field, target, names)
            case model.Contents(place=place):
                return self.of_place(place, names)
            case model.Everything() | model.NamedThing() | model.Seats():
                return SHARED
            case model.Where(source=source, condition=condition, name=name):
                mark = self.of(source, names)
                return MINE if mark == SHARED and _says_mine(condition, name) else mark
            case model.Builtin(name="last", arguments=(model.Everything(kind=kind),)) if (
                kind in self.game.created
            ):
                # The one just created is the player's own.
                return None
            case model.Builtin(arguments=(model.Each() as each,)) if walk.handed_on(expression):
                # `join`: of each the things in a zone of its own, say.
                return self.of(each.value, {**names, each.name: self.of(each.source, names)})
            case model.LetIn(name=name, value=value, body=body):
                return self.of(body, {**names, name: self.of(value, names)})
            case model.DefineCall():
                return self._of_define(expression, names)
        return _all_of(self.of(one, names) for one in walk.handed_on(expression))

    def _of_define(self, call: model.DefineCall, names: Names) -> Mark:
        define = self.game.defines[call.define]
        if define.changes or define.lines:
            return None
        if call.me is not None and self.of(call.me, names) != ME:
            # It speaks of another player.
            return None
        given = [self.of(one, names) for one in call.arguments]
        return self.of(define.body, dict(zip(define.parameters, given, strict=False)))


def _all_of(marks: Iterable[Mark]) -> Mark:
    """Return whose things are that come from several places."""
    found = set(marks)
    if SHARED in found:
        return SHARED
    return found.pop() if len(found) == 1 else None


def _says_mine(condition: model.Expression, name: str) -> bool:
    """Return whether only what is of the acting player meets a condition."""
    match condition:
        case model.And(left=left, right=right):
            return _says_mine(left, name) or _says_mine(right, name)
        case model.Compare(word="is", left=left, right=right):
            sides = (left, right)
            return any(isinstance(one, model.Me) for one in sides) and any(
                _is_about(one, name) for one in sides
            )
    return False


def _is_about(expression: model.Expression, name: str) -> bool:
    match expression:
        case (
            model.Read(target=model.Local(name=local))
            | model.OwnerOf(thing=model.Local(name=local))
        ):
            return local == name
    return False
