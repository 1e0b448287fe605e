"""Conflicts of variants: what two of them say about one target, and nobody says which of them counts.

    change limit to 5          in the variant "Short"
    change limit to 9          in the variant "Long"

Variants apply as a set, so that it must make no difference which of them is named first. A conflict is
settled if one of the two includes the other, if a third one includes both and speaks for itself, or if it
says which comes first. Where two meet, `meetings` finds out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import attrs

from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.scope import World
from rulewright.dsl.source import Span


@attrs.frozen
class Claim:
    """What one variant says about a target, and what is to be said about that place."""

    title: str
    span: Span
    text: str = ""


def between(
    world: World, name: str, own: str | None, claims: Sequence[Claim]
) -> Iterator[Diagnostic]:
    """Yield a message for every two claims about a target of which only one can hold.

    `own` is what a third variant may say to settle it, such as "a `ranking`".
    """
    speaking = {one.title for one in claims}
    for first, second in combinations(claims, 2):
        if first.title != second.title and not settled(world, first.title, second.title, speaking):
            yield conflict(name, own, first, second)


def conflict(
    name: str, own: str | None, first: Claim, second: Claim, *, ordered: bool = True
) -> Diagnostic:
    """Return the message that two claims about a target do not go together.

    `own` is what a third variant may say instead; `ordered`: whether an order would settle it.
    """
    both = f'"{first.title}", "{second.title}"'
    ways = [f"includes {both} and has {own} of its own"] if own else []
    ways += [f"says which comes first: `includes ordered {both}`"] if ordered else []
    apart = f'keep them apart: `excludes "{first.title}"`'
    help = f"write a variant that {', or '.join(ways)}; or {apart}" if ways else apart
    return diagnostic(
        "RW502",
        second.span,
        second.text or f"`{second.title}` says this",
        secondary=(Label(first.span, first.text or f"`{first.title}` says this"),),
        help=help,
        name=name,
    )


def settled(world: World, first: str, second: str, speaking: Collection[str] = ()) -> bool:
    """Return whether it is said which of two variants speaks last; `speaking`: who else says something
    that stands in place of both."""
    pair = {first, second}
    if pair & (world.includes[first] | world.includes[second]):
        return True
    if {(first, second), (second, first)} & world.settled:
        return True
    return any(pair <= world.includes[third] for third in speaking)
