"""The syntax tree, what the model speaks of as well: the base of all nodes, and citations.

They stand here so that who needs the model alone does not wait for the classes of all constructs.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.text.source import Compared, Span


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Node(Compared):
    """Base of all nodes: where it stands."""

    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Section(Node):
    """One section of a citation: `C inside B` is `("B", "C")`."""

    book: str | None
    path: tuple[str, ...]
