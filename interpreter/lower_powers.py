"""The powers of things in the graph of a verb: the lists and questions that stand around a block.

    for each this in my.empire where its.name is "Trade League"     # collected when the moment begins
      if this in my.empire                                          # one that has left is skipped
        …

Before and after a verb all powers that are borne by the same things speak in one loop, thing by
thing as they lie. `instead of` is said by one thing only, the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import kinds, model


def moments(
    amendments: Sequence[model.Amendment], timing: str
) -> Iterator[tuple[model.Amendment, ...]]:
    """Yield what runs at a moment, in order: powers of the same things speak together."""
    waiting: list[model.Amendment] = []
    for amendment in amendments:
        if amendment.timing != timing:
            continue
        if waiting and _borne_by(amendment) != _borne_by(waiting[0]):
            yield tuple(waiting)
            waiting = []
        if amendment.bearers is None:
            yield (amendment,)
        else:
            waiting.append(amendment)
    if waiting:
        yield tuple(waiting)


def _borne_by(amendment: model.Amendment) -> model.Expression | None:
    return None if amendment.bearers is None else amendment.bearers.those.source


def any_of(powers: Sequence[model.Bearers]) -> model.Where:
    """Return the things that bear one of some powers."""
    first = powers[0].those
    if len(powers) == 1:
        return first
    name = f"bearer{first.name}"
    one = model.Local(type=_thing(first), span=first.span, name=name)
    found: model.Expression | None = None
    for bearers in powers:
        condition: model.Expression = model.LetIn(
            type=kinds.FLAG,
            span=bearers.those.span,
            name=bearers.name,
            value=one,
            body=bearers.those.condition,
        )
        if found is not None:
            span = condition.span
            condition = model.Or(type=kinds.FLAG, span=span, left=found, right=condition)
        found = condition
    assert found is not None, "somebody bears them"
    return attrs.evolve(first, name=name, condition=found)


def meaning(bearers: model.Bearers, those: model.Where) -> model.Let:
    """Return the step that gives the thing looked at the name that it has in a power."""
    given = model.Local(type=_thing(those), span=those.span, name=those.name)
    return model.Let(span=bearers.those.span, name=bearers.name, value=given)


def still_lies(bearers: model.Bearers, those: model.Where) -> model.Expression:
    """Return whether the thing looked at bears a power, now that its turn has come."""
    own, span = bearers.those, bearers.those.span
    given = model.Local(type=_thing(own), span=span, name=own.name)
    lies = model.Compare(type=kinds.FLAG, span=span, word="in", left=given, right=own.source)
    if own is those:
        return lies
    return model.And(type=kinds.FLAG, span=span, left=lies, right=own.condition)


def last_of(
    bearers: model.Bearers, guard: model.Expression | None
) -> tuple[model.Let, model.Expression]:
    """Return the step that finds the thing that says what happens instead, and whether there is
    one."""
    those, span = bearers.those, bearers.those.span
    if guard is not None:
        both = model.And(type=kinds.FLAG, span=span, left=those.condition, right=guard)
        those = attrs.evolve(those, condition=both)
    thing = kinds.OptionalType(_thing(those))
    last = model.Builtin(type=thing, span=span, name="last", arguments=(those,))
    found = model.Compare(
        type=kinds.FLAG,
        span=span,
        word="is not",
        left=model.Local(type=thing, span=span, name=those.name),
        right=model.Constant(type=kinds.NOTHING, span=span, value=None),
    )
    return model.Let(span=span, name=those.name, value=last), found


def _thing(those: model.Where) -> kinds.Type:
    """Return what the items of the list are."""
    return kinds.element(those.type) or kinds.UNKNOWN
