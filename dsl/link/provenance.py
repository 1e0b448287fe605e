"""Which rule of the book a message is about: messages go in, the same with their sections come out.

A line of a rule file cites what it implements, or stands in an item that does. So a designer who
reads no code can look the paragraph up.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Span

MOST_SECTIONS = 3


def with_rules(
    found: Iterable[Diagnostic], files: Iterable[nodes.File], title: str
) -> tuple[Diagnostic, ...]:
    """Return errors and warnings with the nearest citation at their place."""
    by_source = {file.span.source: file for file in files}
    return tuple(_with_rule(item, by_source.get(item.primary.span.source), title) for item in found)


def _with_rule(item: Diagnostic, file: nodes.File | None, title: str) -> Diagnostic:
    if file is None or item.rule or item.severity is Severity.NOTE:
        return item
    span = item.primary.span
    sections: tuple[nodes.Section, ...] = ()
    node: nodes.Node | None = file
    while node is not None:
        if isinstance(node, nodes.Cited) and node.see:
            sections = node.see
        if any(_covers(section.span, span) for section in sections):
            return item  # it is about the citation itself
        node = next((inner for inner in visitor.children(node) if _covers(inner.span, span)), None)
    rule = tuple(f'{title}, "{shown(section)}"' for section in sections[:MOST_SECTIONS])
    return attrs.evolve(item, rule=rule)


def shown(section: nodes.Section) -> str:
    """Return a citation as a text: `Setup/Cards`, `english: Setup`."""
    return (f"{section.book}: " if section.book else "") + "/".join(section.path)


def _covers(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
