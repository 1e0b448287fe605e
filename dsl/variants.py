"""Which variants take part: the variants that a user names go in, the whole set comes out.

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
from pathlib import Path

import attrs

from rulewright.dsl import nodes
from rulewright.dsl.diagnostics import Report, diagnostic
from rulewright.dsl.suggest import nearest


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
        _judge(variant, closed, by_title, report)
    ordered = sorted(closed, key=lambda title: (levels[title], title))
    for variant in closed.values():
        for relation in _relations(variant, "includes"):
            if relation.ordered:
                ordered = _arranged(ordered, [text.raw for text in relation.titles])
    return tuple(Chosen(closed[title], levels[title], included(title, closed)) for title in ordered)


def judge_examples(
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
    report.add(diagnostic("RW503", text.span, help=help, name=text.raw))


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
                report.add(diagnostic("RW508", text.span, "a circle", help=help, name=text.raw))
            elif text.raw in closed:
                inner = _level(text.raw, closed, levels, (*chain, title), report)
                below = max(below, inner)
    levels[title] = below + 1
    return below + 1


def _judge(
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
            report.add(
                diagnostic(
                    "RW504",
                    text.span,
                    "is not switched on",
                    help=help,
                    name=variant.title,
                    expected=text.raw,
                )
            )
    for relation in _relations(variant, "excludes"):
        for text in relation.titles:
            if text.raw in closed:
                report.add(
                    diagnostic(
                        "RW505",
                        text.span,
                        "is switched on, too",
                        help="switch one of the two off",
                        name=variant.title,
                        found=text.raw,
                    )
                )
            elif text.raw not in by_title and nearest(text.raw, by_title):
                _unknown(text, by_title, report)


def _arranged(titles: list[str], wanted: Sequence[str]) -> list[str]:
    """Return the titles with those of `wanted` in that order, at the places where they stood."""
    rest = iter([title for title in wanted if title in titles])
    return [next(rest) if title in wanted else title for title in titles]
