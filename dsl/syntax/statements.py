"""The syntax tree, second part: steps and amendments (see `nodes`)."""

from __future__ import annotations

from typing import Literal

import attrs

from rulewright.dsl.syntax.expressions import Cited, Expression, Text, Word
from rulewright.dsl.syntax.node import Node

Block = tuple["Step", ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Let(Cited):
    """`let planet = here`"""

    name: Word
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Place(Node):
    """`to my.hand`: a preposition and what follows it"""

    preposition: str
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Command(Cited):
    """`draw 5 from navcomps to my.hand`, `red.discard card`"""

    instance: Word | None
    verb: Word
    object: Expression | None
    places: tuple[Place, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Quantity(Node):
    """How many: `2` and `1..2` (`count`), `up to n` (`up_to`), `any`, `ordered`"""

    word: Literal["count", "up_to", "any", "ordered"]
    value: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Choose(Cited):
    """`choose 2 codes from my.hand such that … ask "…" or stop`"""

    quantity: Quantity | None
    name: Word
    source: Expression
    such_that: Expression | None
    ask: Text | None
    or_stop: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ChooseSplit(Cited):
    """`choose split paid of 4 over Sort up to my.stock[it]`"""

    name: Word
    total: Expression
    over: Expression
    cap: Expression | None
    such_that: Expression | None
    ask: Text | None
    or_stop: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class May(Cited):
    """`may "Mark a resource"` and its block"""

    label: Text
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Arm(Cited):
    """One arm of an `either`; without a block it does nothing"""

    label: Text
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Either(Cited):
    """`either "A" … or "B" …`, behind `ask "…"` or not"""

    ask: Text | None
    arms: tuple[Arm, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Branch(Cited):
    """One condition of an `if` with its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class If(Cited):
    """`if c` … `else if d` … `else` …"""

    branches: tuple[Branch, ...]
    otherwise: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ForEach(Cited):
    """`for each card in my.hand`"""

    name: Word
    source: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Repeat(Cited):
    """`repeat 2 times`, `repeat while c`, `repeat until c`, `repeat`"""

    word: Literal["times", "while", "until", "for ever"]
    value: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class As(Cited):
    """`as players`, `as players together`"""

    players: Expression
    together: bool
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Need(Cited):
    """`need here is not none else "your ship is still on the Jump Gate"`"""

    condition: Expression
    reason: Text


@attrs.frozen(kw_only=True, eq=False, repr=False)
class StepBlock(Cited):
    """`step mark` and its block"""

    name: Word
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Until(Cited):
    """`until turn ends change level by 1`"""

    target: Target
    change: Change | Around


@attrs.frozen(kw_only=True, eq=False, repr=False)
class DoValue(Cited):
    """`do action`"""

    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EndGame(Cited):
    """`end game "Black Hole"`"""

    reason: Text | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Stop(Cited):
    """`stop`, `stop turn`"""

    target: Word | None


Step = (
    Let
    | Command
    | Choose
    | ChooseSplit
    | May
    | Either
    | If
    | ForEach
    | Repeat
    | As
    | Need
    | StepBlock
    | Until
    | DoValue
    | EndGame
    | Stop
)

# ------------------------------------------------------------------------------------- amendments


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Target(Node):
    """`turn`, `navcomps.renew`, `Player.level`, `fly.label`: words joined by dots"""

    words: tuple[Word, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Change(Cited):
    """`change claim_points to original + 1 when …`"""

    target: Target
    how: Literal["to", "by", "at most", "at least"]
    value: Expression
    guard: Expression | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Around(Cited):
    """`before turn`, `after collect when c`, `instead of navcomps.renew`, and the block"""

    timing: Literal["before", "after", "instead"]
    targets: tuple[Target, ...]
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class AsSoonAs(Cited):
    """`as soon as pile is empty` and its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Offer(Cited):
    """`may "Sell" when c` and its block, inside a `during`"""

    label: Text
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class During(Cited):
    """`during draw_phase` and its amendments and offers"""

    targets: tuple[Target, ...]
    guard: Expression | None
    items: tuple[Amendment | Offer, ...]


Amendment = Change | Around | AsSoonAs | During
