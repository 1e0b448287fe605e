"""The checked model: what all of it has, and expressions that are written out (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.types import Type
from rulewright.dsl.syntax.node import Section
from rulewright.dsl.text.source import Compared, Span


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Written(Compared):
    """Base: where it is written."""

    span: Span = attrs.field(eq=False, repr=False)


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Cited(Written):
    """Base of what may cite sections of the rule book."""

    see: tuple[Section, ...] = ()


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Node(Written):
    """Base of expressions and places: the type of the value."""

    type: Type


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Constant(Node):
    """A number, flag, text without placeholders, or none."""

    value: int | bool | str | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EnumConstant(Node):
    """A value of the enumeration named by the type."""

    enum: str
    value: str
