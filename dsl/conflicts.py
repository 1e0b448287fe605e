"""Conflicts of variants: two amendments of one target that do not commute.

    change limit to 5          in the variant "Short"
    change limit to 9          in the variant "Long"

Variants apply as a set, so that it must make no difference which of them is named first. Two that
say what a value is, or what a verb does instead, contradict each other, unless one includes the
other, a third one includes both and speaks for itself, or says which comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import attrs

from rulewright.dsl import model, nodes
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.scope import ChangeDeclaration, World
from rulewright.dsl.source import Span


@attrs.frozen
class Claim:
    """What one variant says about a target."""

    title: str
    span: Span
    word: str | None = None
    """`and` or `or`, if it only adds to what is there: such claims commute with each other."""


def of_changes(world: World, changes: Sequence[ChangeDeclaration]) -> Iterator[Diagnostic]:
    """Yield the conflicts between the changes of one target."""
    claims = [
        Claim(change.scope.title, change.node.target.span, _adds(change.node.value))
        for change in changes
        if change.scope.is_variant and change.node.how == "to" and change.speaker is None
    ]
    if claims:
        name = ".".join(word.text for word in changes[0].node.target.words)
        yield from between(world, name, claims)


def of_blocks(
    world: World, name: str, amendments: Sequence[model.Amendment]
) -> Iterator[Diagnostic]:
    """Yield the conflicts between the amendments of one verb or step."""
    titles = {one.title for one in world.variants}
    claims = [
        Claim(one.title, _first_line(one.span))
        for one in amendments
        if one.timing == "instead" and one.title in titles and one.bearers is None
    ]
    yield from between(world, name, claims)


def between(world: World, name: str, claims: Sequence[Claim]) -> Iterator[Diagnostic]:
    """Yield a message for every two claims about a target that contradict each other."""
    for first, second in combinations(claims, 2):
        if first.title == second.title or (first.word and first.word == second.word):
            continue
        if not _settled(world, first.title, second.title, {one.title for one in claims}):
            help = f'say it in a variant that includes both, or write: excludes "{first.title}"'
            yield diagnostic(
                "RW502",
                second.span,
                f"`{second.title}` says this",
                secondary=(Label(first.span, f"`{first.title}` says this"),),
                help=help,
                name=name,
            )


def _settled(world: World, first: str, second: str, speaking: set[str]) -> bool:
    pair = {first, second}
    if (
        pair & (world.includes[first] | world.includes[second])
        or {
            (first, second),
            (second, first),
        }
        & world.settled
    ):
        return True
    return any(pair <= world.includes[third] for third in speaking)


def _adds(value: nodes.Expression) -> str | None:
    if isinstance(value, nodes.Binary) and value.word in ("and", "or"):
        inner: nodes.Expression = value
        while isinstance(inner, nodes.Binary) and inner.word == value.word:
            inner = inner.left
        return value.word if isinstance(inner, nodes.Original) else None
    return None


def _first_line(span: Span) -> Span:
    return span.slice(0, len(span.text.partition("\n")[0]))


def never_run(
    amendments: Sequence[model.Amendment], of_step: Sequence[model.Amendment], name: str
) -> Iterator[Diagnostic]:
    """Yield the amendments of a step that stands in a verb whose whole block is replaced."""
    replaced = [one for one in amendments if one.timing == "instead" and not one.sometimes]
    for amendment in of_step if replaced else ():
        yield diagnostic(
            "RW501",
            _first_line(amendment.span),
            "the step is never reached",
            secondary=(Label(_first_line(replaced[0].span), "this replaces the whole verb"),),
            name=name,
        )
