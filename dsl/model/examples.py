"""The checked model, examples: their lines, in their order (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.base import Cited, Written
from rulewright.dsl.model.expressions import Expression, Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Answer(Written):
    """One answer of a `do`: `value` (an expression; players' names are locals), or the label of an
    arm, `may` or offer as `text`; `name` of the choice if it was given; `declined`: `no "text"`."""

    name: str | None = None
    value: Expression | None = None
    text: Expression | None = None
    declined: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GivenField(Written):
    """`given f is v` (a whole family where the value is a `FamilyOf`)."""

    place: Place
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GivenOption(Written):
    """`given immediate_end is at_once`."""

    option: str
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Holding(Written):
    """`3 Resource where c` (`number`, `kind`, `name` bound in `condition`, if there is one), or a `value`:
    a thing or list of things."""

    number: int = 0
    kind: str
    name: str = ""
    condition: Expression | None = None
    value: Expression | None = None
    cells: tuple[tuple[str, Expression], ...] | None = None
    """What new things are given (`2 Man(side: ann)`); None if it takes things that are there."""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class GivenZone(Written):
    """`given z holds …`."""

    place: Place
    holdings: tuple[Holding, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ChanceLine(Written):
    """`chance 6, 5`."""

    outcomes: tuple[Expression, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class DoLine(Written):
    """`do ann: scan, …`; `word` is do, allow or refuse; `reason` of a refusal, if given. The first
    answer is a `VerbOf` when a verb is begun."""

    word: str
    player: Expression
    answers: tuple[Answer, ...]
    reason: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ExpectLine(Written):
    """`expect c`."""

    condition: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class SeesLine(Written):
    """`expect ben sees x, y` (each of them), or `does not see` (none of them)."""

    player: Expression
    values: tuple[Expression, ...]
    seen: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ToldLine(Written):
    """`expect ben is told "…"`, or `is not told`: what stands in a line of what he has noticed."""

    player: Expression
    text: Expression
    told: bool


ExampleLine = (
    GivenField | GivenOption | GivenZone | ChanceLine | DoLine | ExpectLine | SeesLine | ToldLine
)


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Example(Cited):
    """A worked example; `players` are the names of the seats (locals of all its expressions)."""

    title: str
    players: tuple[str, ...]
    lines: tuple[ExampleLine, ...]
    source: str
    """Title of the variant that says it, "" for the game."""
    about: frozenset[str] = frozenset()
    """Titles of the variants that are on of which it knows: that which says it, those with which it
    is said to be, and what these build upon."""
    absent: tuple[str, ...] = ()
    """Titles of the variants without which it is said to be."""
