"""Which variants take part: those that a user names, with those that they need.

    variant "Both" of little_jump
    includes "Toll", "Maze"          # are switched on as well, one scope further out
    includes ordered "Toll", "Maze"  # and Toll comes first
    requires "Harbours"              # must be on
    excludes "Peace"                 # must not be on

They apply as a set, in the order of their depth and their titles: how they are named makes no
difference. The depth of a variant is the longest chain of variants that it includes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import attrs

from rulewright.dsl.resolve.symbols import Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic, Label, Report, diagnostic
from rulewright.dsl.text.source import Span
from rulewright.dsl.text.suggest import nearest


@attrs.frozen
class VariantFile:
    """A variant of a game: its title and its file."""

    title: str
    path: Path
    file: nodes.File


@attrs.frozen
class Chosen:
    """A variant that takes part: its file and its scope, from 1; the inner scope speaks last."""

    variant: VariantFile
    level: int
    includes: frozenset[str]
    """The titles of all variants that lie further out because of it."""
    guest: bool = False
    """Whether its file lies elsewhere than in the folder of the game."""


def chosen_set(
    named: Sequence[VariantFile], known: Sequence[VariantFile], report: Report
) -> tuple[Chosen, ...]:
    """Return all variants that take part, in the order in which they apply."""
    by_title = {one.title: one for one in (*known, *named)}
    closed = _closure(named, by_title, report)
    levels: dict[str, int] = {}
    for title in closed:
        _level(title, closed, levels, (), report)
    for variant in closed.values():
        _check_relations(variant, closed, by_title, report)
    ordered = sorted(closed, key=lambda title: (levels[title], title))
    for variant in closed.values():
        for relation in _relations(variant, "includes"):
            if relation.ordered:
                ordered = _arranged(ordered, [text.raw for text in relation.titles])
    return tuple(Chosen(closed[title], levels[title], included(title, closed)) for title in ordered)


def check_examples(
    files: Sequence[tuple[nodes.File, bool]], titles: Collection[str], report: Report
) -> None:
    """Report titles in the heads of examples that no variant has.

    With each file: whether it is one of the game's own, which can know no variants but those. Another
    one may mean the file of somebody, which lies anywhere.
    """
    for file, own in files:
        for item in file.items:
            for text in (*item.present, *item.absent) if isinstance(item, nodes.Example) else ():
                if text.raw not in titles and (own or nearest(text.raw, titles)):
                    _unknown(text, titles, report)


def settled_pairs(chosen: Sequence[Chosen]) -> frozenset[tuple[str, str]]:
    """Return the pairs of titles of which some variant says that the first comes first."""
    return frozenset(
        (first.raw, second.raw)
        for one in chosen
        for relation in _relations(one.variant, "includes")
        if relation.ordered
        for number, first in enumerate(relation.titles)
        for second in relation.titles[number + 1 :]
    )


def included(title: str, known: Mapping[str, VariantFile]) -> frozenset[str]:
    """Return the titles of those variants of some known ones that are on because one of them is."""
    found: set[str] = set()
    waiting = [title]
    while waiting:
        for relation in _relations(known[waiting.pop()], "includes"):
            fresh = {text.raw for text in relation.titles if text.raw in known} - found
            found |= fresh
            waiting.extend(fresh)
    return frozenset(found - {title})


def speaks(variant: VariantFile) -> bool:
    """Return whether a variant says more than which others are on: an order may settle what they say."""
    return any(
        not isinstance(item, nodes.Relation) or item.word != "includes" or item.ordered
        for item in variant.file.items
    )


def _relations(variant: VariantFile, word: str) -> Iterator[nodes.Relation]:
    for item in variant.file.items:
        if isinstance(item, nodes.Relation) and item.word == word:
            yield item


def _closure(
    named: Sequence[VariantFile], by_title: Mapping[str, VariantFile], report: Report
) -> dict[str, VariantFile]:
    closed: dict[str, VariantFile] = {}
    waiting = list(named)
    while waiting:
        variant = waiting.pop(0)
        if variant.title in closed:
            continue
        closed[variant.title] = variant
        for relation in _relations(variant, "includes"):
            for text in relation.titles:
                found = by_title.get(text.raw)
                if found is None:
                    _unknown(text, by_title, report)
                else:
                    waiting.append(found)
    return closed


def _unknown(text: nodes.Text, titles: Iterable[str], report: Report) -> None:
    known = [title for title in titles if title != text.raw]
    near = nearest(text.raw, known)
    told = f"known variants: {', '.join(known)}" if known else "the game has no variants"
    help = f"did you mean `{near[0]}`?" if near else told
    report.complain("RW503", text.span, help=help, name=text.raw)


def _level(
    title: str,
    closed: Mapping[str, VariantFile],
    levels: dict[str, int],
    chain: tuple[str, ...],
    report: Report,
) -> int:
    if title in levels:
        return levels[title]
    below = 0
    for relation in _relations(closed[title], "includes"):
        for text in relation.titles:
            if text.raw in (*chain, title):
                help = "take it out here, or there"
                report.complain("RW508", text.span, "a circle", help=help, name=text.raw)
            elif text.raw in closed:
                inner = _level(text.raw, closed, levels, (*chain, title), report)
                below = max(below, inner)
    levels[title] = below + 1
    return below + 1


def _check_relations(
    variant: VariantFile,
    closed: Mapping[str, VariantFile],
    by_title: Mapping[str, VariantFile],
    report: Report,
) -> None:
    """Report what a variant needs and is not on, or excludes and is; and slips in their titles."""
    for relation in _relations(variant, "requires"):
        for text in relation.titles:
            if text.raw in closed:
                continue
            if text.raw not in by_title and nearest(text.raw, by_title):
                _unknown(text, by_title, report)
                continue
            help = f"switch on {text.raw}, too"
            if text.raw not in by_title:
                # It may be the file of somebody, which lies anywhere.
                help = (
                    "no variant of the game has this title: if it is a file of yours, name it, too"
                )
            report.complain(
                "RW504",
                text.span,
                "is not switched on",
                help=help,
                name=variant.title,
                expected=text.raw,
            )
    for relation in _relations(variant, "excludes"):
        for text in relation.titles:
            if text.raw in closed:
                report.complain(
                    "RW505",
                    text.span,
                    "is switched on, too",
                    help="switch one of the two off",
                    name=variant.title,
                    found=text.raw,
                )
            elif text.raw not in by_title and nearest(text.raw, by_title):
                _unknown(text, by_title, report)


def _arranged(titles: list[str], wanted: Sequence[str]) -> list[str]:
    """Return the titles with those of `wanted` in that order, at the places where they stood."""
    rest = iter([title for title in wanted if title in titles])
    return [next(rest) if title in wanted else title for title in titles]


# ---------------------------------------------------------------------------------------- conflicts


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


# ------------------------------------------------------------------------------------------ players


MOST_PLAYERS = 100


def players_of(world: World) -> tuple[int, int]:
    """Return the least and the greatest number of players; what is wrong with them is reported."""
    header = world.game.file.header
    assert isinstance(header, nodes.GameHeader), "only a game is linked"
    found = _read(world, header.players)
    claims: list[tuple[Claim, tuple[int, int]]] = []
    # The inner variant stands last, and speaks last.
    for variant in world.variants:
        said = _said_by(variant)
        if said is not None:
            found = _read(world, said)
            claims.append((Claim(variant.title, said.span), found))
    for problem in _problems(world, claims):
        world.report.add(problem)
    return found


def _problems(
    world: World, claims: Sequence[tuple[Claim, tuple[int, int]]]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with numbers of players that variants say: those that have none in common
    exclude each other, and those that say the same agree."""
    speaking = {claim.title for claim, _ in claims}
    for (first, one), (second, other) in combinations(claims, 2):
        if one == other or settled(world, first.title, second.title, speaking):
            continue
        if one[1] < other[0] or other[1] < one[0]:
            label, help = "for other numbers of players", "switch one of the two off"
            span, found = second.span, first.title
            yield diagnostic("RW505", span, label, help=help, name=second.title, found=found)
        else:
            yield conflict(world, "players", "`for … players`", first, second)


def _said_by(instance: Instance) -> nodes.Expression | None:
    header = instance.file.header
    return header.players if isinstance(header, nodes.VariantHeader) else None


def is_passed_over(world: World, instance: Instance, example: nodes.Example) -> bool:
    """Return whether an example is for so many players as a variant does not allow, which its own
    file could not know."""
    least, most = world.players
    if _said_by(instance) is not None or not any(map(_said_by, world.variants)):
        return False
    return any(
        isinstance(line, nodes.ExamplePlayers) and not least <= len(line.names) <= most
        for line in example.lines
    )


def _read(world: World, node: nodes.Expression) -> tuple[int, int]:
    low = high = node
    if isinstance(node, nodes.Binary) and node.word == "..":
        low, high = node.left, node.right
    if isinstance(low, nodes.Number) and isinstance(high, nodes.Number):
        if 1 <= low.value <= high.value <= MOST_PLAYERS:
            return low.value, high.value
    help = "write the least and the most, such as `for 2..4 players`"
    if isinstance(high, nodes.Number) and high.value > MOST_PLAYERS:
        help = f"at most {MOST_PLAYERS} can play"
    elif isinstance(low, nodes.Number) and isinstance(high, nodes.Number) and high.value:
        help = f"write `for {high.value}..{low.value} players`"
    world.report.complain("RW404", node.span, help=help, found=node.span.text)
    return 1, MOST_PLAYERS
