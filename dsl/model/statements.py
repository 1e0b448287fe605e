"""The checked model, second part: steps (see `model`)."""

from __future__ import annotations

import attrs

from rulewright.dsl.model.base import Cited
from rulewright.dsl.model.expressions import Argument, Expression, Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Step(Cited):
    """Base of steps."""


Block = tuple["Statement", ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Let(Step):
    """`let x = e`"""

    name: str
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Set(Step):
    """`set f to e`; `whole_family`: a plain value for every entry"""

    place: Place
    value: Expression
    whole_family: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Add(Step):
    """`add e to f`: to a number, or (`append`) at the end of a list field"""

    place: Place
    value: Expression
    append: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Remove(Step):
    """`remove e from f`: the first e of a list field"""

    place: Place
    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Swap(Step):
    """`swap f with g`"""

    first: Place
    second: Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Move(Step):
    """`move xs to z`: things (a list), or a whole zone (`zone` is set, `things` is not)"""

    things: Expression | None
    zone: Place | None
    to: Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Shuffle(Step):
    """`shuffle z`"""

    zone: Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Create(Step):
    """`create K(f: e, …) into z`: `cells` are the fields that are given, by their ids; a plain value
    for a family is one for every entry"""

    kind: str
    cells: tuple[tuple[str, Expression], ...]
    to: Place


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Destroy(Step):
    """`destroy xs`: `things` is a list (a single thing has been made one)"""

    things: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Show(Step):
    """`show x to ps`; a whole zone is its list"""

    value: Expression
    viewers: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Nothing(Step):
    """`nothing`"""


@attrs.frozen(kw_only=True, eq=False, repr=False)
class CallVerb(Step):
    """A verb with its arguments, object first, then the places in the order of its head"""

    verb: str
    arguments: tuple[Argument, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Do(Step):
    """`do v`"""

    value: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Choose(Step):
    """`choose …`: `word` is one, count, up_to, any or ordered; `low`/`high` bound the number (None:
    no bound). With `word` one the local is the value itself, otherwise a list."""

    name: str
    word: str
    low: Expression | None
    high: Expression | None
    source: Expression
    such_that: Expression | None
    ask: Expression | None
    or_stop: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Split(Step):
    """`choose split d of n over xs up to c`: the local becomes a family of numbers; `item` stands
    for a thing of the source in `limit`"""

    name: str
    total: Expression
    source: Expression
    item: str
    limit: Expression | None
    such_that: Expression | None
    ask: Expression | None
    or_stop: bool


@attrs.frozen(kw_only=True, eq=False, repr=False)
class May(Step):
    """`may "…"` + block"""

    label: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Arm(Step):
    """One arm of an `either`"""

    label: Expression
    guard: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Either(Step):
    """`either … or …`; `taken`: what follows if an offer is taken here instead. Without it the
    question is asked anew."""

    ask: Expression | None = None
    arms: tuple[Arm, ...]
    taken: Block | None = None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Branch(Step):
    """A condition of an `if` with its block"""

    condition: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class If(Step):
    """`if … else if … else …`"""

    branches: tuple[Branch, ...]
    otherwise: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class ForEach(Step):
    """`for each x in xs`"""

    name: str
    source: Expression
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Repeat(Step):
    """`repeat …`: `word` is times, while, until or for ever"""

    word: str
    value: Expression | None
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class As(Step):
    """`as ps`, `as ps together`: `players` is a list (a single player has been made one)"""

    players: Expression
    block: Block
    together: bool = False


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Need(Step):
    """`need c else "why"`"""

    condition: Expression
    reason: Expression


@attrs.frozen(kw_only=True, eq=False, repr=False)
class NamedStep(Step):
    """`step mark` + block; amendments of it hang in `Game.amendments` under `id`"""

    id: str
    name: str
    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Pause(Step):
    """`pause`; `block` says in other steps how everybody is asked (see `typecheck/pause`)"""

    block: Block


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Stop(Step):
    """`stop` (`target` None: the verb or amendment it stands in), `stop V` (`target`: the verb ids
    and step ids of that name, the innermost running one is meant)"""

    target: tuple[str, ...] | None


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Until(Step):
    """`until V ends …`: makes a record of who says it, until one of the `verbs` ends, with the
    values of the locals `captured`. The amendment hangs where it acts, with the records as its
    bearers."""

    number: int
    verbs: tuple[str, ...]
    captured: tuple[str, ...]


@attrs.frozen(kw_only=True, eq=False, repr=False)
class EndGame(Step):
    """`end game "reason"`"""

    reason: Expression | None


Effect = Set | Add | Remove | Swap | Move | Shuffle | Create | Destroy | Show
"""What writes, moves, creates or shows something."""

Statement = (
    Let
    | Effect
    | Nothing
    | CallVerb
    | Do
    | Choose
    | Split
    | May
    | Either
    | If
    | ForEach
    | Repeat
    | As
    | Need
    | NamedStep
    | Pause
    | Stop
    | Until
    | EndGame
)
