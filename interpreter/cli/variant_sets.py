"""The legal sets of variants of a game: links a game with each of them.

Of a few variants these are all sets that go together. Of many it is each alone (with what it
requires), and all together; if some exclude each other, every pair.

Two that disagree are no legal set by themselves if another variant of the game includes both to settle it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING

import attrs

from rulewright.dsl.resolve.variants import included, speaks
from rulewright.interpreter.cli.arguments import NOT_TOGETHER, linked

if TYPE_CHECKING:
    from rulewright.dsl import model
    from rulewright.dsl.frontend.frontend import Compilation
    from rulewright.dsl.text.diagnostics import Diagnostic

NEEDED, EXCLUDED = NOT_TOGETHER
CONFLICT = "RW502"

FEW = 4
"""Of so many variants, not counting those that are no more than others together, all sets are
tried."""


def legal_sets(
    named: str, compilation: Compilation, on: Sequence[str] = ()
) -> Iterator[Compilation]:
    """Yield a game linked with each legal set of its variants but the empty one, each set once; what
    could not be linked is yielded as well, with its diagnostics.

    `compilation` is that of the game alone, or with the variants that are `on` in all sets.
    """
    titles = [variant.title for variant in compilation.variants]
    single = [variant.title for variant in compilation.variants if speaks(variant)]
    done: set[frozenset[str]] = set()
    for title in titles:
        yield from _new(_without_settled(linked_with_needed(named, (*on, title))), done)
    if len(titles) < 2:
        return
    if len(single) <= FEW:
        sizes = range(2, len(single) + 1)
        for chosen in chain.from_iterable(combinations(single, size) for size in sizes):
            if frozenset(chosen) not in done:
                found = linked_with_needed(named, (*on, *chosen))
                yield from _new(_without_settled(found), done)
        return
    together = linked_with_needed(named, (*on, *titles))
    if together is not None:
        yield from _new(together, done)
        return
    for pair in combinations(titles, 2):
        found = linked_with_needed(named, (*on, *pair))
        yield from _new(_without_settled(found), done)


def _without_settled(found: Compilation | None) -> Compilation | None:
    """Return a linked game without the conflicts that are the matter of another variant, which includes
    both and is off: whether it settles them is found out where it is on."""
    if found is None:
        return None
    known = {one.title: one for one in (*found.variants, *[one.variant for one in found.chosen])}
    on = {one.variant.title for one in found.chosen}

    def is_settled(problem: Diagnostic) -> bool:
        if problem.code.code != CONFLICT or "found" not in problem.arguments:
            return False
        pair = {problem.arguments["expected"], problem.arguments["found"]}
        including = {title for title in known if pair <= included(title, known)}
        return bool(including) and not including & on

    rest = tuple(one for one in found.diagnostics if not is_settled(one))
    return attrs.evolve(found, diagnostics=rest)


class VariantLinker:
    """Links a game with variants by their titles, also with those that were named as files."""

    def __init__(self, compilation: Compilation) -> None:
        self.paths = {one.title: one.path for one in compilation.variants}
        self.names = {title: title for title in self.paths}
        for one in compilation.chosen:
            if one.guest:
                self.paths[one.variant.title] = one.variant.path
                self.names[one.variant.title] = str(one.variant.path)
        self.folder = str(compilation.target.folder)

    def compilation(
        self, titles: Collection[str], speaker: str = "", more: str = ""
    ) -> Compilation:
        """Return the game with a set of variants, with `more` text in the file of one of them."""
        added = {self.paths[speaker]: more} if more else {}
        return linked(self.folder, [self.names[title] for title in sorted(titles)], added)

    def game(self, titles: Collection[str]) -> model.Game | None:
        """Return the game with a set of variants; none if it cannot be linked."""
        return self.compilation(titles).game


def _new(found: Compilation | None, done: set[frozenset[str]]) -> Iterator[Compilation]:
    if found is None:
        return
    if found.game is not None:
        variants = frozenset(found.game.variants)
        if variants in done:
            return
        done.add(variants)
    yield found


def linked_with_needed(named: str, chosen: Iterable[str]) -> Compilation | None:
    """Return the game linked with variants and with those that they need, as far as the game has
    them; None if some exclude each other."""
    compilation = _with_needed(named, chosen)
    found = {problem.code.code for problem in compilation.diagnostics}
    return None if EXCLUDED in found else compilation


def in_no_set(
    named: str, compilation: Compilation, tried: Iterable[model.Game]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the variants of a game that no legal set holds: in their own text, and
    why they can never be on."""
    titles = {title for game in tried for title in game.variants}
    for variant in compilation.variants:
        if variant.title in titles:
            continue
        found = _with_needed(named, [variant.title])
        if EXCLUDED in {problem.code.code for problem in found.diagnostics}:
            yield from found.diagnostics


def _with_needed(named: str, chosen: Iterable[str]) -> Compilation:
    titles = list(chosen)
    while True:
        compilation = linked(named, titles)
        known = {variant.title for variant in compilation.variants}
        found = {problem.code.code for problem in compilation.diagnostics}
        needed = [
            problem.arguments["expected"]
            for problem in compilation.diagnostics
            if problem.code.code == NEEDED and problem.arguments["expected"] not in titles
        ]
        needed = [title for title in needed if title in known]
        if EXCLUDED in found or not needed:
            return compilation
        titles += needed[:1]
