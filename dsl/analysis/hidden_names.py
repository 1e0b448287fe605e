"""What names stand for where hidden things are concerned, and which expressions of a step decide.

`hidden_reads` works out with these what an expression reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.terms import ME, NOTHING_KNOWN, SOMEBODY, Facts, Known, without_local
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span


@attrs.frozen
class HiddenRead:
    """A hidden field or zone that an expression reads, and where; `handed`: where it is handed to
    the verb that reads it, if this is another one."""

    field: model.Field
    span: Span
    handed: Span | None = None

    def at(self, span: Span) -> HiddenRead:
        """Return the same, read somewhere else."""
        return HiddenRead(self.field, span, self.handed)


@attrs.frozen
class Binding:
    """What a name stands for: `value`: worked out from what is hidden; `thing`: a thing that lies
    hidden; `anywhere`: one of a whole kind, which may lie hidden; `named`: the thing itself that is
    named, which whoever reads the name has seen, wherever it lies now; `zone`: a place whose content
    is hidden; `sealed`: not even how much lies there is known."""

    found: HiddenRead
    what: str


STRENGTH = {"named": 0, "anywhere": 0, "thing": 1, "zone": 2, "sealed": 3, "value": 4}


@attrs.frozen(eq=False)
class Bindings:
    """What names stand for at a place, and what has been worked out there already.

    A list is looked at for its value and as a reference, and so are the lists inside it: without
    the memory, the work would double with every level.
    """

    everybody: bool = False
    """Whether everybody reads it, not only the player who decides."""

    bindings: Mapping[str, Binding] = attrs.Factory(dict)
    facts: Facts = NOTHING_KNOWN
    """What is known of them, and of the player who decides."""

    results: dict[object, HiddenRead | None] = attrs.Factory(dict)
    inner: dict[object, Bindings] = attrs.Factory(dict)

    def giving(self, name: str, binding: Binding | None, facts: Facts = NOTHING_KNOWN) -> Bindings:
        """Return the names where one of them stands for something else, of which facts are known."""
        known = without_local(self.facts, name) | facts
        if binding is None and name not in self.bindings and known == self.facts:
            return self
        bindings = {key: value for key, value in self.bindings.items() if key != name}
        return Bindings(
            self.everybody, bindings if binding is None else {**bindings, name: binding}, known
        )

    def without(self, names: Collection[str]) -> Bindings:
        """Return the names without some of them."""
        if not names:
            return self
        bindings = {key: value for key, value in self.bindings.items() if key not in names}
        return Bindings(self.everybody, bindings, self.facts)

    def knowing(self, facts: Facts) -> Bindings:
        """Return the same where this is known, and no more."""
        return self if facts == self.facts else Bindings(self.everybody, self.bindings, facts)

    def known(self, own: bool) -> Known:
        """Return what is known where `me` is the player who decides, or is not."""
        if self.everybody:
            return Known(me=SOMEBODY)
        return Known(self.facts, ME if own else SOMEBODY)


def deciding_expressions(statement: model.Statement) -> Iterator[tuple[model.Expression, bool]]:
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
        case model.Split():
            # Who distributes something sees to whom: no target is taken by chance.
            for one in (
                statement.source,
                statement.total,
                statement.limit,
                statement.such_that,
                statement.ask,
            ):
                if one is not None:
                    yield one, False
        case model.May(label=label):
            yield label, False
        case model.Either(ask=ask, arms=arms):
            if ask is not None:
                yield ask, False
            for arm in arms:
                yield arm.label, False
                if arm.guard is not None:
                    yield arm.guard, False
        case _:
            pass


def is_thing(type_: types.Type) -> bool:
    """Return whether a value is a thing or a list of things."""
    plain = types.without_none(type_)
    return isinstance(types.element(plain) or plain, types.ThingType)


def is_one_thing(type_: types.Type) -> bool:
    """Return whether a value is a thing."""
    return isinstance(types.without_none(type_), types.ThingType)
