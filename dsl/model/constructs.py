"""What the register of constructs says of each: how it is written, and what it does with its parts.

    register.construct(node)     the row of an expression or place
    visitor.used(node)           its parts, each with what it does with it
    visitor.handed_on(node)      the parts whose things, or one of them, are what it gives

A row is data, named by the fields of its class. Every pass that asks who sees an item, where it lies,
whether there is one, whether its order matters or what a name stands for reads it there, so that a new
construct is one row, and no pass has a list of classes. `register` holds the rows of expressions and
places, `builtins` those of core functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

import attrs

HandsOn: TypeAlias = Literal["nothing", "value", "one", "all", "some", "inner", "item"]
OrderOf: TypeAlias = Literal["read", "kept", "free"]
Sign: TypeAlias = Literal["any", "natural", "kept"]
Length: TypeAlias = Literal["unknown", "same", "most"]
Result: TypeAlias = Literal["number", "numbers", "x", "xs", "lists"]
Depends: TypeAlias = Literal["parts", "fields", "me", "places", "given", "more"]


@attrs.frozen
class Use:
    """What a construct does with one of its parts, for every pass that asks; of a core function, with the
    list that is its last argument.

    `hands_on`: what comes out as it was: nothing (the result is worked out), the value itself, one item
    of the list (or several, with a number before the list), all items, some of them, the items of the
    lists in it, or the value as an item. Who may see an item, where it lies, whose it is and what is known
    of its fields is then true of the result.
    """

    hands_on: HandsOn = "nothing"
    order: OrderOf = "read"
    """The order of the list decides what comes out, or is handed on, or makes no difference."""

    once: bool = False
    """Nothing stands in the result twice if nothing stands in the list twice."""

    filled: bool = False
    """The result is a list, and empty only if the list is."""

    lacking: bool = False
    """It may find nothing: none, or a rules error where something is needed."""

    drops_none: bool = False
    """The result holds no none although the list may."""

    counts: bool = False
    """Only how many items there are decides the result, so that nobody has to see them."""

    apart: bool = False
    """Each item is treated without a look at the others: of two lists put together the result is both
    results put together, in some order."""

    end: Literal["front", "back"] | None = None
    """The end of the list from which it takes."""

    length: Length = "unknown"
    """The result is as long as the list, or at most."""


READ = Use()
VALUE = Use("value", order="kept", once=True, length="same")


@attrs.frozen
class Binds:
    """Which name an expression binds, by the fields that hold it."""

    name: str
    source: str | None
    """What the name stands for; None beside the parameter of what is handed on."""

    over: str
    """The part in which the name means it."""

    each: bool = True
    """It stands for each item of a list, one after the other, not for the value."""


def _forms(written: str | tuple[str, ...]) -> tuple[str, ...]:
    return (written,) if isinstance(written, str) else written


@attrs.frozen(slots=False, eq=False)
class Construct:
    """A row of the register. Without forms it is nothing that is written as it is: it is made of a name, say."""

    key: type | str
    """The class of the model; of a core function the name."""

    forms: tuple[str, ...] = attrs.field(converter=_forms)
    """As an author writes it."""

    gives: str
    doc: str
    example: str
    """An expression in which it stands, or lines of a rule file with one in them."""

    uses: Mapping[str, Use] = attrs.field(factory=dict)
    """What is done with the parts, by the fields of the class; the others are read. Of a pair it is about
    the second, of the arguments of a function about the last; the order of each matters alike."""

    binds: Binds | None = None
    depends: Depends = "parts"
    """What decides the value beside its parts: nothing, fields, who acts, where things lie, what is handed
    over where it is asked, or more than that."""

    sometimes: tuple[str, ...] = ()
    """The fields of the parts that are worked out only if the others do not decide, and of a list that is
    left as soon as an item decides what is asked about each."""

    lacks: bool = False
    """It may be none although its type says otherwise, whatever its parts are."""

    full: bool = False
    """No item of the list is none: what is stored has been looked at before."""

    @cached_property
    def handed(self) -> tuple[tuple[str, Use], ...]:
        """The fields of the parts that it hands on."""
        return tuple((name, use) for name, use in self.uses.items() if use.hands_on != "nothing")

    @cached_property
    def counted(self) -> str | None:
        """The field of the list of which it asks only how many items it has."""
        return next((name for name, use in self.uses.items() if use.counts), None)


@attrs.frozen(slots=False, eq=False)
class Function(Construct):
    """A core function. Its `key` is its name."""

    lists: Use = READ
    """What it does with the list that is its last argument."""

    chance: bool = False
    sign: Sign = "any"
    """Of a number: it may be negative; it never is; it is not if no number in the list is."""

    steps: int = 0
    """So often, roughly, it applies an expression handed to it, to go from item to item."""

    result: Result | None = None
    """The type that comes out, of a function whose arguments are typed by their names in the forms: `xs`
    and `pile` are lists of things or values as x, `n` is a number, what follows x is like it, `next`,
    `good` and `neighbours` are about x. None where the checker has a rule of its own."""

    most: int = 0
    """How many arguments it may have, if the forms do not tell."""

    uses: Mapping[str, Use] = attrs.field(
        default=attrs.Factory(
            lambda self: {"source" if self.chance else "arguments": self.lists}, takes_self=True
        )
    )

    @property
    def name(self) -> str:
        """The name."""
        assert isinstance(self.key, str)
        return self.key

    @cached_property
    def arguments(self) -> tuple[int, int]:
        """How many arguments there are at least and at most."""
        found = [len(parameters_of(form)) for form in self.forms]
        return min(found), self.most or max(found)

    @property
    def takes(self) -> str:
        """How many arguments, in words."""
        least, most = self.arguments
        if least == most:
            return f"{least} argument{'' if least == 1 else 's'}"
        return f"{least} arguments or more" if self.most else f"{least} or {most} arguments"

    @cached_property
    def of_several(self) -> Function:
        """The row of the form with a number before the list: it gives as many."""
        lists = self.lists
        if lists.hands_on != "one":
            return self
        some = attrs.evolve(lists, hands_on="some", lacking=False)
        return attrs.evolve(self, lists=some, uses=dict.fromkeys(self.uses, some))


def parameters_of(form: str) -> list[str]:
    """Return the names between the brackets of a form."""
    return form.partition("(")[2][:-1].split(", ")
