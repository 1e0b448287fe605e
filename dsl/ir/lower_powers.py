"""The powers of things in the graph of a verb: the lists and questions that stand around a block.

    for each this in my.empire where its.name is "Trade League"     # collected when the moment begins
      if this in my.empire                                          # one that has left is skipped
        …

Before and after a verb all powers that are borne by the same things speak in one loop, thing by
thing as they lie. `instead of` is said by one thing only, the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types


def moments(
    amendments: Sequence[model.Amendment], timing: str
) -> Iterator[tuple[model.Amendment, ...]]:
    """Yield what runs at a moment, in order: powers of the same things speak together."""
    groups: list[list[model.Amendment]] = []
    for amendment in amendments:
        if amendment.timing != timing:
            continue
        bearers = amendment.bearers
        for group in groups:
            same = group[0].bearers
            if bearers is not None and same is not None and same.source == bearers.source:
                group.append(amendment)
                break
        else:
            groups.append([amendment])
    yield from map(tuple, groups)


def any_of(powers: Sequence[model.Bearers]) -> tuple[str, model.Expression]:
    """Return the things that bear one of some powers, and the name for one of them."""
    first = powers[0]
    if len(powers) == 1:
        return first.name, first.those
    those = first.those
    name = f"bearer{first.name}"
    one = model.Local(type=_thing(those), span=those.span, name=name)
    found: model.Expression | None = None
    for bearers in powers:
        assert bearers.condition is not None, "powers have conditions"
        condition: model.Expression = model.LetIn(
            type=types.FLAG,
            span=bearers.those.span,
            name=bearers.name,
            value=one,
            body=bearers.condition,
        )
        if found is not None:
            span = condition.span
            condition = model.Or(type=types.FLAG, span=span, left=found, right=condition)
        found = condition
    assert found is not None, "somebody bears them"
    source = first.source
    return name, model.Where(
        type=those.type, span=those.span, source=source, name=name, condition=found
    )


def meaning(bearers: model.Bearers, name: str) -> model.Let:
    """Return the step that gives the thing looked at the name that it has in a power."""
    span = bearers.those.span
    given = model.Local(type=_thing(bearers.those), span=span, name=name)
    return model.Let(span=span, name=bearers.name, value=given)


def still_lies(bearers: model.Bearers, alone: bool) -> model.Expression:
    """Return whether the thing looked at bears a power, now that its turn has come; `alone`: only
    what bears this one is looked at."""
    span = bearers.those.span
    given = model.Local(type=_thing(bearers.those), span=span, name=bearers.name)
    lies = model.Compare(type=types.FLAG, span=span, word="in", left=given, right=bearers.source)
    if alone or bearers.condition is None:
        return lies
    return model.And(type=types.FLAG, span=span, left=lies, right=bearers.condition)


def last_of(
    bearers: model.Bearers, guard: model.Expression | None
) -> tuple[model.Let, model.Expression]:
    """Return the step that finds the thing that says what happens instead, and whether there is
    one."""
    those, span = bearers.those, bearers.those.span
    if guard is not None:
        those = model.Where(
            type=those.type, span=span, source=those, name=bearers.name, condition=guard
        )
    thing = types.OptionalType(_thing(those))
    last = model.Builtin(type=thing, span=span, name="last", arguments=(those,))
    found = model.Compare(
        type=types.FLAG,
        span=span,
        word="is not",
        left=model.Local(type=thing, span=span, name=bearers.name),
        right=model.Constant(type=types.NOTHING, span=span, value=None),
    )
    return model.Let(span=span, name=bearers.name, value=last), found


def _thing(those: model.Expression) -> types.Type:
    """Return what the items of the list are."""
    return types.element(those.type) or types.UNKNOWN
