"""The nodes of an action graph: one frozen class for each kind, with exactly what belongs to it.

A reader distinguishes them with `match`; `Node.kind` is the word under which people see them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar, TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import WATCH
from rulewright.dsl.model import Section
from rulewright.dsl.text.source import Span

Level: TypeAlias = tuple[str, int, tuple[int, ...]]
"""What a stop can leave: the verb or step ("" for an amendment), the node to go on at, the loops around that."""


class Edge(StrEnum):
    """What is said of an edge; an arm of an `either` has a number, and so has a second way out (`leave 2`)."""

    NEXT = "next"
    YES = "yes"
    NO = "no"
    FAIL = "fail"
    BODY = "body"
    DONE = "done"
    NONE = "none"
    TAKEN = "taken"
    LEAVE = "leave"


def arm(number: int) -> str:
    """Return what is said of the edge to an arm, the first one being 0."""
    return f"arm{number}"


@attrs.frozen(kw_only=True, eq=False)
class Node:
    """A node of an action graph."""

    kind: ClassVar[str]

    label: str
    """The rule text in one line."""

    span: Span
    see: tuple[Section, ...]
    """What it cites, or the rule around it."""

    title: str
    """The variant whose text it is, or ""."""

    loops: tuple[int, ...]
    """The `Loop`, `Acting` and `Fork` nodes around it, outermost first."""

    levels: tuple[Level, ...]
    """What a stop can leave here, outermost first."""

    step: Any = None
    """The statement or expression of the model that it carries out."""

    @property
    def begins(self) -> tuple[str, ...]:
        """The units that may run inside it."""
        return ()


@attrs.frozen(kw_only=True, eq=False)
class Effect(Node):
    """Writes, moves, creates or shows something."""

    kind = "effect"
    step: model.Effect


@attrs.frozen(kw_only=True, eq=False)
class Let(Node):
    """Gives a value a name."""

    kind = "let"
    step: model.Let


@attrs.frozen(kw_only=True, eq=False)
class Draw(Node):
    """Lets chance decide; the outcome gets a name that no author can write."""

    kind = "chance"
    step: model.Chance
    name: str


@attrs.frozen(kw_only=True, eq=False)
class Need(Node):
    """A requirement."""

    kind = "need"
    step: model.Need


@attrs.frozen(kw_only=True, eq=False)
class Decide(Node):
    """A decision of the player who acts; `site` is its place name, `verb.step.name`."""

    kind = "decide"
    step: model.Choose | model.Split | model.May | model.Either
    site: str


@attrs.frozen(kw_only=True, eq=False)
class Branch(Node):
    """Goes one of two ways."""

    kind = "branch"
    step: model.Expression


@attrs.frozen(kw_only=True, eq=False)
class Loop(Node):
    """The head of a loop."""

    kind = "loop"
    step: model.ForEach | model.Repeat


@attrs.frozen(kw_only=True, eq=False)
class Acting(Node):
    """The head of the loop in which players act, one after the other."""

    kind = "as"
    step: model.As


@attrs.frozen(kw_only=True, eq=False)
class Fork(Node):
    """The head of what several players do at once."""

    kind = "fork"
    step: model.As


@attrs.frozen(kw_only=True, eq=False)
class Calling(Node):
    """Begins one of some verbs, and goes on when it returns."""

    verbs: tuple[str, ...]

    @property
    def begins(self) -> tuple[str, ...]:
        """The verbs."""
        return self.verbs


@attrs.frozen(kw_only=True, eq=False)
class Call(Calling):
    """Begins the verb that is named."""

    kind = "call"
    step: model.CallVerb


@attrs.frozen(kw_only=True, eq=False)
class Do(Calling):
    """Begins the verb that a value is; `verbs` are those that it may be."""

    kind = "do"
    step: model.Do


@attrs.frozen(kw_only=True, eq=False)
class Until(Node):
    """Makes an amendment that holds until a verb ends."""

    kind = "until"
    step: model.Until


@attrs.frozen(kw_only=True, eq=False)
class Lasting(Node):
    """A verb at whose end amendments run out begins (`starts`) or ends; `numbers` are those amendments."""

    kind = "lasting"
    starts: bool
    numbers: tuple[int, ...]


@attrs.frozen(kw_only=True, eq=False)
class Stop(Node):
    """Leaves loops, and perhaps what has begun them."""

    kind = "stop"
    step: model.Statement
    targets: tuple[str, ...] | None = None
    """The verbs or steps that are stopped, if that is known only when it runs."""

    unwind: tuple[int, ...] = ()
    """The loops that it leaves."""

    final: int | None = None
    """Where it goes in the end if it passes steps on the way."""


@attrs.frozen(kw_only=True, eq=False)
class End(Node):
    """Ends the game."""

    kind = "end"
    step: model.EndGame


@attrs.frozen(kw_only=True, eq=False)
class Watch(Node):
    """Looks at watched conditions."""

    kind = "watch"
    watches: tuple[str, ...]

    @property
    def begins(self) -> tuple[str, ...]:
        """What happens as soon as one is met."""
        return tuple(f"{WATCH}{watch}" for watch in self.watches)


@attrs.frozen(kw_only=True, eq=False)
class Reset(Node):
    """Gives the `fresh` fields of a verb their first values."""

    kind = "reset"
    fields: tuple[str, ...]


@attrs.frozen(kw_only=True, eq=False)
class Mark(Node):
    """Does nothing but say where an amendment or an `as soon as` begins (`step`)."""

    kind = "mark"


@attrs.frozen(kw_only=True, eq=False)
class Sleep(Node):
    """From here on watched conditions are not looked at."""

    kind = "mark"


@attrs.frozen(kw_only=True, eq=False)
class Wake(Node):
    """From here on watched conditions are looked at again."""

    kind = "mark"


@attrs.frozen(kw_only=True, eq=False)
class StepBegin(Node):
    """A named step begins."""

    kind = "step_begin"
    step: model.NamedStep


@attrs.frozen(kw_only=True, eq=False)
class StepEnd(Node):
    """A named step has ended."""

    kind = "step_end"
    step: model.NamedStep


@attrs.frozen(kw_only=True, eq=False)
class Skip(Node):
    """Does nothing."""

    kind = "nothing"


@attrs.frozen(kw_only=True, eq=False)
class Return(Node):
    """The end of the unit."""

    kind = "return"


@attrs.frozen(kw_only=True, eq=False)
class Dead(Node):
    """Where requirements lead that are not met."""

    kind = "dead"
