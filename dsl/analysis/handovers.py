"""What is still known after a step: things may have changed hands, and fields their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import effects_of
from rulewright.dsl.analysis.terms import Facts, Term, holds_within
from rulewright.dsl.model import types, visitor


class Handovers:
    """Tells what steps change of what is known, in one linked game."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.effects = effects_of(game)
        self._given: dict[tuple[str, bool], bool] = {}
        self._writes: dict[int, tuple[model.Statement, frozenset[str]]] = {}

    def after(self, statement: model.Statement, facts: Facts) -> Facts:
        """Return what is still known after a step."""
        if not facts:
            return facts
        key = id(statement)
        if key not in self._writes:
            # The step is kept, so that its id is that of no other one.
            self._writes[key] = statement, self.effects.statement(statement).writes
        _, writes = self._writes[key]
        if not writes:
            return facts
        changed = _changed(writes, self._gives((statement,), True))
        return frozenset(fact for fact in facts if not holds_within(fact, changed))

    def _gives(self, block: Iterable[model.Statement], own: bool) -> bool:
        """Return whether things may get another owner in a block; `own`: `me` is the player who
        decides, and what he gets remains his."""
        for statement in visitor.statements_in(tuple(block)):
            match statement:
                case model.Move(to=to) | model.Create(to=to):
                    if self._is_given(to, own):
                        return True
                case model.Swap(first=first, second=second):
                    if isinstance(first.type, types.ZoneType):
                        if self._is_given(first, False) or self._is_given(second, False):
                            return True
                case model.CallVerb(verb=verb):
                    if self._verb_gives(verb, own):
                        return True
                case model.Do(value=value):
                    if any(self._verb_gives(verb, own) for verb in self.effects.done_by(value)):
                        return True
                case model.As(players=players, block=inner) if not _is_just_me(players):
                    if self._gives(inner, False):
                        return True
                case model.NamedStep(id=id):
                    if any(
                        self._gives(one.block, own) for one in self.effects.amendments.get(id, ())
                    ):
                        return True
        return False

    def _verb_gives(self, id: str, own: bool) -> bool:
        key = id, own
        if key not in self._given:
            self._given[key] = False
            verb = self.game.verbs[id]
            blocks = (verb.block, *(one.block for one in verb.amendments))
            self._given[key] = any(self._gives(block, own) for block in blocks)
        return self._given[key]

    def _is_given(self, to: model.Place, own: bool) -> bool:
        """Return whether what comes to a place may be another player's then."""
        match to:
            case model.FieldPlace(field=field, target=target):
                mine = own and isinstance(target, model.Me)
                return self.game.fields[field].holder == "Player" and not mine
        return any(is_zone_of_player(self.game, id) for id in self.effects.fields_at(to))


def _is_just_me(players: model.Expression) -> bool:
    match players:
        case model.Me() | model.ListOf(items=(model.Me(),)):
            return True
    return False


def _changed(writes: Collection[str], moved: bool) -> Callable[[Term], bool]:
    def found(term: Term) -> bool:
        match term:
            case ("read", field, *_):
                return field in writes
            case ("owner", *_) | ("lies at", *_):
                return moved
        return False

    return found


def without_owner(game: model.Game) -> Iterator[model.Field]:
    """Yield the fields that only an owner sees, of things that can have none."""
    owned = {
        field.type.kind
        for field in game.fields.values()
        if isinstance(field.type, types.ZoneType) and is_zone_of_player(game, field.id)
    }
    for field in game.fields.values():
        if field.holder in game.kinds and field.holder != "Player" and not field.printed:
            viewers = (field.viewers, field.count_viewers)
            if any(map(_asks_for_owner, viewers)) and types.ThingType(field.holder) not in owned:
                yield field


def _asks_for_owner(viewers: model.Viewers) -> bool:
    # In a list of viewers `owner` is `me`.
    return viewers.who == "owner" or (
        viewers.expression is not None
        and any(isinstance(one, model.Me) for one in visitor.nodes_in(viewers.expression))
    )


def is_zone_of_player(game: model.Game, id: str) -> bool:
    """Return whether what lies in a field belongs to the player who has the field."""
    field = game.fields[id]
    return field.holder == "Player" and isinstance(field.type, types.ZoneType)
