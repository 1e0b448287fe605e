"""What `until V ends` says while it holds: the records of an `until` as bearers of its amendment.

    let world = …
    until place ends change price by -2 when card is world

The step makes a record: who says it, and the locals that the amendment speaks of, by value. The
amendment hangs where any other hangs; it speaks once for each record that holds for who reads, and
finds the locals in the record.
"""

from __future__ import annotations

import attrs

from rulewright.dsl import kinds, model
from rulewright.dsl.body import Body
from rulewright.dsl.kinds import ListType
from rulewright.dsl.scope import Speaker, UntilDeclaration
from rulewright.dsl.source import Span

CAPTURED = 3
"""Where the captured values begin in a record: behind number, maker and run."""

RECORD = ListType(kinds.ANYTHING)


def bearers(body: Body, until: UntilDeclaration) -> model.Bearers:
    """Return what bears the amendment of an `until`; from here on its locals can be read, unless the
    target has parameters of the same names."""
    for word, type_ in until.captured.items():
        if word == "this":
            name = body.local_name(f"this~u{until.number}")
            body.this = model.Local(type=type_, span=until.node.span, name=name)
        elif word not in body.seen_names:
            body.locals.setdefault(word, type_)
    span = _first_line(until.node.span)
    records = model.Lasting(type=ListType(RECORD), span=span, number=until.number)
    return model.Bearers(
        name=f"record~{until.number}",
        those=records,
        source=records,
        condition=None,
        label=f"until {'.'.join(word.text for word in until.node.target.words)} ends",
    )


def captured(
    body: Body, until: UntilDeclaration, taken: frozenset[str]
) -> list[tuple[str, model.Expression]]:
    """Return the locals of an `until` by their names in its amendment, each with its place in the
    record; not those of the names `taken`, which mean something of the target."""
    span = _first_line(until.node.span)
    record = model.Local(type=RECORD, span=span, name=f"record~{until.number}")
    found: list[tuple[str, model.Expression]] = []
    for place, (word, type_) in enumerate(until.captured.items(), CAPTURED):
        index = model.Constant(type=kinds.NUMBER, span=span, value=place)
        value = model.Item(type=type_, span=span, items=record, index=index)
        if word == "this" and isinstance(body.this, model.Local):
            found.append((body.this.name, value))
        elif word not in taken:
            found.append((body.local_name(word), value))
    return found


def with_captured(
    value: model.Expression, given: list[tuple[str, model.Expression]]
) -> model.Expression:
    """Return an expression in which the captured locals can be read."""
    for name, item in reversed(given):
        value = model.LetIn(type=value.type, span=value.span, name=name, value=item, body=value)
    return value


def of_anybody(bearers: model.Bearers | None) -> model.Bearers | None:
    """Return the same where the records of all players hold: what they amend needs no `me`."""
    if bearers is None or not isinstance(bearers.those, model.Lasting):
        return bearers
    records = attrs.evolve(bearers.those, anybody=True)
    return attrs.evolve(bearers, those=records, source=records)


def lasts(speaker: Speaker | None) -> bool:
    """Return whether an amendment stands behind `until`."""
    return isinstance(speaker, UntilDeclaration)


def _first_line(span: Span) -> Span:
    return span.slice(0, len(span.text.partition("\n")[0].rstrip()))
