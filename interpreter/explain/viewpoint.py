"""Where a condition is read, and for whom it is told: an explanation holds what its reader sees."""

from __future__ import annotations

import attrs

from rulewright.dsl import model
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.closures import Compiler
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value


@attrs.frozen
class Viewpoint:
    """Where a condition is read: the state, who acts, the names, and for whom it is told."""

    compiler: Compiler
    store: Store
    me: Thing | None
    locals: Locals
    reader: Thing | None = None

    def value(self, expression: model.Expression) -> tuple[bool, Value]:
        """Return whether the value can be told, and the value."""
        store = self.store
        before = store.viewer, store.trail, store.allowance
        # A trial ends at what its player does not see; nothing is written, so nothing is undone.
        if self.reader is not None:
            store.viewer, store.trail = self.reader, store.trail or []
        store.allowance = TICKS_PER_STEP, None
        try:
            return True, self.compiler.expression(expression)(store, self.me, self.locals)
        except (Horizon, Undecided, PlayError):
            return False, None
        finally:
            store.viewer, store.trail, store.allowance = before

    def sees(self, expression: model.Expression) -> frozenset[bool]:
        """Return whether the reader sees what an expression reads: of several things yes, no or both.

        Of a field it is asked who sees the field; a thing is seen where it lies.
        """
        store, reader = self.store, self.reader
        assert reader is not None, "nobody looks"
        before = store.viewer, store.trail, store.allowance
        store.viewer, store.trail, store.allowance = (
            reader,
            store.trail or [],
            (TICKS_PER_STEP, None),
        )
        try:
            value = self.compiler.expression(expression)(store, self.me, self.locals)
            things = _things(value)
            if isinstance(expression, model.Read | model.Entry):
                field = _field_of(expression)
                fields = self.compiler.layout.game.fields
                if field is None or not fields[field.field].printed:
                    things = ()
                elif field.target is not None:
                    things = _things(
                        self.compiler.expression(field.target)(store, self.me, self.locals)
                    )
        except Horizon:
            return frozenset({False})
        finally:
            store.viewer, store.trail, store.allowance = before
        sees = self.compiler.visibility.sees_thing
        return frozenset(sees(store, thing, reader) for thing in things) or frozenset({True})

    def words(self, value: Value) -> str:
        """Return a value in words; for an author nothing is hidden."""
        if self.reader is None:
            return openly(value, self.store, self.compiler)
        return labels.show(value, self.reader, self.store, self.compiler)

    def with_names(self, names: Locals) -> Viewpoint:
        """Return the same with more names."""
        return attrs.evolve(self, locals={**self.locals, **names})

    def asking(self, me: Thing | None, names: Locals) -> Viewpoint:
        """Return the same inside of what is asked: about a player, with these names only."""
        return attrs.evolve(self, me=me, locals=names)

    def with_name(self, name: str, value: Value) -> Viewpoint:
        """Return the same with one more name."""
        return attrs.evolve(self, locals={**self.locals, name: value})


def openly(value: Value, store: Store, compiler: Compiler) -> str:
    """Return a value in words for somebody from whom nothing is hidden."""
    match value:
        case Thing():
            return labels.named(value, None, store, compiler)
        case tuple():
            return ", ".join(openly(item, store, compiler) for item in value) or "nothing"
    return labels.show(value, None, store, compiler)


def _things(value: Value) -> tuple[Thing, ...]:
    """Return the things that are a value, or in it; players are no secret."""
    items = value if isinstance(value, tuple) else (value,)
    return tuple(one for one in items if isinstance(one, Thing) and one.kind != "Player")


def _field_of(expression: model.Expression) -> model.Read | None:
    """Return the field that is read, also if it is an entry of it."""
    while isinstance(expression, model.Entry):
        expression = expression.family
    return expression if isinstance(expression, model.Read) else None
