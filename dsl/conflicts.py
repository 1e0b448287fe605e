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

from rulewright.dsl import nodes
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
            yield conflict(world, name, own, first, second)


def conflict(
    world: World, name: str, own: str | None, first: Claim, second: Claim, *, ordered: bool = True
) -> Diagnostic:
    """Return the message that two claims about a target do not go together.

    `own` is what a third variant may say instead; `ordered`: whether an order would settle it.
    """
    return diagnostic(
        "RW502",
        second.span,
        second.text or f"`{second.title}` says this",
        secondary=(Label(first.span, first.text or f"`{first.title}` says this"),),
        help=_help(world, own, first.title, second.title, ordered),
        name=name,
        expected=first.title,
        found=second.title,
    )


def _help(world: World, own: str | None, first: str, second: str, ordered: bool) -> str:
    """Return what would settle it: nothing that goes against what the files say of each other."""
    pair = {first, second}
    on = {one.title for one in world.variants}
    including = [title for title, titles in world.includes.items() if pair <= titles]
    off = [title for title in including if title not in on]
    if off and len(off) == len(including):
        return f'switch on "{off[0]}", too: it includes both'
    for inner, outer in ((first, second), (second, first)):
        if outer in needed(world, inner) and ordered:
            return f'let "{inner}" say `includes "{outer}"`, not `requires`, so that it speaks last'
    both = next((title for title in sorted(on) if pair <= needed(world, title)), None)
    if not ordered:
        apart = f'keep them apart: `excludes "{first}"`'
        return apart if both is None else f'let "{second}" set the name itself, or not use it'
    titles = f'"{first}", "{second}"'
    ways = [f"includes {titles} and has {own} of its own"] if own else []
    ways.append(f"says which comes first: `includes ordered {titles}`")
    if both is not None:
        return f'change "{both}" so that it {", or ".join(ways)}'
    apart = f'keep them apart: `excludes "{first}"`'
    return f"write a variant that {', or '.join(ways)}; or {apart}"


def needed(world: World, title: str) -> frozenset[str]:
    """Return a variant and all that are on with it because it includes or requires them."""
    files = {one.title: one.file for one in world.variants}
    found = {title}
    waiting = [title]
    while waiting:
        file = files.get(waiting.pop())
        for item in () if file is None else file.items:
            if isinstance(item, nodes.Relation) and item.word != "excludes":
                fresh = {text.raw for text in item.titles} - found
                found |= fresh
                waiting.extend(fresh)
    return frozenset(found)


def settled(world: World, first: str, second: str, speaking: Collection[str] = ()) -> bool:
    """Return whether it is said which of two variants speaks last; `speaking`: who else says something
    that stands in place of both."""
    pair = {first, second}
    if pair & (world.includes[first] | world.includes[second]):
        return True
    if {(first, second), (second, first)} & world.settled:
        return True
    return any(pair <= world.includes[third] for third in speaking)
