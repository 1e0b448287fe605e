"""Which examples are run with a set of variants, and in which order files have their say about
them.

    example "The deal"                       # in the game
    example "The deal"                       # in a variant: how it comes out there
    example "The deal" with "Toll"           # how it comes out with that variant, if "Toll" is on, too
    example "The deal" without "Toll"        # speaks only if "Toll" is off

Of examples of one title the one that speaks most exactly is run: the one that knows of more of the
variants that are on (its own, those that it builds upon, those that it names), or are off. Of two that
know of different variants both are run; if only one of them comes out, somebody has to say how it is
with both.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl.resolve.symbols import Instance, World
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Label


@attrs.frozen
class ExampleSpeakers:
    """An example that may be run: its file, and the variants of which it knows that they are on, and
    off."""

    instance: Instance
    node: nodes.Example
    on: frozenset[str]
    off: frozenset[str]

    def is_less_exact(self, other: ExampleSpeakers) -> bool:
        """Return whether another one knows all that this one knows, and more."""
        own, theirs = (self.on, self.off), (other.on, other.off)
        return own != theirs and self.on <= other.on and self.off <= other.off


def speaking(world: World) -> tuple[ExampleSpeakers, ...]:
    """Return the examples that are run in this set, in the order of their files."""
    found = candidates(world)
    by_title: dict[str, list[ExampleSpeakers]] = {}
    for one in found:
        by_title.setdefault(one.node.title.raw, []).append(one)
    return tuple(
        one for one in found if not any(map(one.is_less_exact, by_title[one.node.title.raw]))
    )


def candidates(world: World) -> tuple[ExampleSpeakers, ...]:
    """Return all examples that speak of this set, however exactly."""
    titles = {one.title for one in world.variants}
    found: list[ExampleSpeakers] = []
    for instance, item in _examples(world):
        named = {text.raw for text in item.present}
        off = frozenset(text.raw for text in item.absent)
        own = [instance.title] if instance.is_variant else []
        on = built_upon(world, (*own, *named))
        if named <= titles and not off & titles:
            found.append(ExampleSpeakers(instance, item, on, off))
    return tuple(found)


def check(world: World) -> None:
    """Report examples that say twice the same of one title, and those that can never speak."""
    known: dict[object, nodes.Example] = {}
    for instance, item in _examples(world):
        named, off = ({text.raw for text in texts} for texts in (item.present, item.absent))
        own = [instance.title] if instance.is_variant else []
        on = built_upon(world, (*own, *named))
        key = id(instance), item.title.raw, frozenset(named), frozenset(off)
        if key in known:
            first = Label(known[key].title.span, "the first one")
            world.report.complain("RW418", item.title.span, secondary=(first,), name=item.title.raw)
        known[key] = item
        for text in item.absent:
            if text.raw in {*on, *named}:
                label = f"it speaks only if `{text.raw}` is on"
                help = f'leave `"{text.raw}"` out'
                world.report.complain("RW413", text.span, label, help=help, name=item.title.raw)


def _examples(world: World) -> Iterator[tuple[Instance, nodes.Example]]:
    for instance in (*reversed(world.variants), world.game, *world.examples):
        for item in instance.file.items:
            if isinstance(item, nodes.Example):
                yield instance, item


def innermost_first(world: World) -> Iterator[Instance]:
    """Yield all files in the order in which they speak: variants with their modules, the last one
    first, then the game with its own."""
    base = [one for _, one in world.game.near()]
    known = {id(one) for one in base}
    for variant in reversed(world.variants):
        for _, one in variant.near():
            if id(one) not in known:
                known.add(id(one))
                yield one
    yield from base


def built_upon(world: World, titles: tuple[str, ...]) -> frozenset[str]:
    """Return titles with those of all variants that these include or require."""
    by_title = {one.title: one for one in world.variants}
    found: set[str] = set()
    waiting = list(titles)
    while waiting:
        title = waiting.pop()
        if title in by_title and title not in found:
            found.add(title)
            waiting += [one.title for one in by_title[title].known]
    return frozenset(found)


def scope_of(world: World, one: ExampleSpeakers) -> Instance:
    """Return the file as it is seen from an example: with the names of the variants that it names."""
    named = {text.raw for text in one.node.present}
    home = world.game if one.instance in world.examples else one.instance
    others = [other for other in world.variants if other.title in named and other is not home]
    if not others:
        return home
    known = [home, *home.known, *others]
    seen = attrs.evolve(home, known=known, settled=None)
    seen.settle()
    return seen
