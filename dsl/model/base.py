"""The checked model: what all expressions have, and those that are written out (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.types import Type
from rulewright.dsl.text.source import Compared, Span


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Node(Compared):
    """Base: the type of the value and where it is written."""

    type: Type
    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Constant(Node):
    """A number, flag, text without placeholders, or none."""

    value: int | bool | str | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EnumConstant(Node):
    """A value of the enumeration named by the type."""

    enum: str
    value: str
