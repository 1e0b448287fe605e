"""What the file of a variant has to say of examples: all legal sets with it in, the examples as they come
out in these sets out.

The sets are gone through from the smallest to the largest. An example that does not come out in one
is mended (see `mending`) and said anew for that set, which is then linked with all that is written so
far, until every example comes out. Where another variant says already how it is, what is written
speaks `without` that one. What cannot be mended is marked and left to the author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.compile import Compilation
from rulewright.dsl.scope import World
from rulewright.dsl.speaking import built_upon
from rulewright.interpreter.blaming import Sets, Titles, head
from rulewright.interpreter.errors import EXHAUSTING
from rulewright.interpreter.examples import DoesNotApply, Failure, Runner
from rulewright.interpreter.mending import Mend, by_hand, mends_of, with_mends

MOST_ROUNDS = 16
"""So often the examples of one set are mended: each time one more question of a `do` is answered."""

Link = Callable[[Titles, str], Compilation]
"""Links the game with a set of variants, with more text at the end of the variant's file."""


@attrs.define(eq=False)
class Written:
    """An example that is said anew; `present`: with which other variants."""

    title: str
    present: tuple[str, ...]
    cited: str
    lines: str
    absent: tuple[str, ...] = ()
    is_whole: bool = True
    """Whether nothing is left to be mended by hand."""

    @property
    def text(self) -> str:
        """The example as it stands in the file."""
        first = head(self.title, self.present, self.absent)
        return f"{first} {self.cited}".rstrip() + f"\n{self.lines}\n"


@attrs.frozen
class _Spoken:
    """An example that is run in a set, and what is wrong with it."""

    example: model.Example
    failures: tuple[Failure, ...]


def restated(variant: str, sets: Iterable[Titles], link: Link) -> tuple[Written, ...]:
    """Return what the file of a variant has to say anew, so that all examples come out in all sets.

    Raises the rules error if the rules run on and on in one of them.
    """
    return _Restating(variant, link).run(sets)


class _Restating:
    def __init__(self, variant: str, link: Link) -> None:
        self.variant = variant
        self.link = link
        self.written: list[Written] = []
        self.given_up: set[str] = set()
        self.bare = Sets((), lambda titles: link(titles, "").game)
        """The sets as they are without what is written now."""

    def run(self, sets: Iterable[Titles]) -> tuple[Written, ...]:
        for titles in sorted(sets, key=lambda titles: (len(titles), sorted(titles))):
            for _ in range(MOST_ROUNDS):
                if not self._round(titles):
                    break
        titles_in_order = list(dict.fromkeys(one.title for one in self.written))
        return tuple(sorted(self.written, key=lambda one: titles_in_order.index(one.title)))

    def _round(self, titles: Titles) -> bool:
        """Mend what does not come out in a set; return whether there was anything to be mended."""
        compilation = self.link(titles, text_of(self.written))
        game, world = compilation.game, compilation.world
        if game is None or world is None:
            return False
        found: dict[str, list[_Spoken]] = {}
        runner = Runner(game)
        for example in game.examples:
            try:
                failures = tuple(runner.failures(example))
            except DoesNotApply:
                continue
            for failure in failures:
                if failure.cause is not None and failure.cause.code in EXHAUSTING:
                    raise failure.cause
            found.setdefault(example.title, []).append(_Spoken(example, failures))
        mended = False
        for title, spoken in found.items():
            wrong = [
                one for one in spoken if one.failures and not self._is_wrong_anyway(one, titles)
            ]
            if wrong and title not in self.given_up:
                self._mend(title, spoken, wrong, titles, world)
                mended = True
        return mended

    def _is_wrong_anyway(self, one: _Spoken, titles: Titles) -> bool:
        """Return whether an example does not come out without the variant either."""
        if self.variant in one.example.about or one.example.about == titles:
            return False
        span = one.example.span
        return (span.source.name, span.start) in self.bare.failures_in(titles - {self.variant})

    def _mend(
        self,
        title: str,
        spoken: Sequence[_Spoken],
        wrong: Sequence[_Spoken],
        titles: Titles,
        world: World,
    ) -> None:
        present = _needed(world, titles - built_upon(world, (self.variant,)))
        own = next(
            (one for one in self.written if (one.title, one.present) == (title, present)), None
        )
        about = built_upon(world, (self.variant, *present))
        if own is not None:
            exact = next((one for one in wrong if one.example.about == about), wrong[0])
            own.lines, own.is_whole = _lines(exact)
            if not own.is_whole:
                self.given_up.add(title)
            return
        if len(wrong) < len(spoken) and self._step_back(wrong, titles):
            return
        best = min(spoken, key=lambda one: (*_costs(one), one.example.source != self.variant))
        lines, whole = _lines(best)
        self.written.append(Written(title, present, _cited(best.example), lines, (), whole))
        if not whole:
            self.given_up.add(title)

    def _step_back(self, wrong: Sequence[_Spoken], titles: Titles) -> bool:
        """Let examples that are written now be silent where another variant says how it is."""
        found: list[tuple[Written, str]] = []
        for one in wrong:
            others = sorted(titles - one.example.about)
            own = [
                written
                for written in self.written
                if written.title == one.example.title
                and self.variant == one.example.source
                and {*written.present} <= one.example.about
                and written.absent == one.example.absent
            ]
            if len(others) != 1 or len(own) != 1:
                return False
            found.append((own[0], others[0]))
        for written, other in found:
            written.absent = (*written.absent, other)
        return True


def text_of(written: Iterable[Written]) -> str:
    """Return examples as they stand in a file."""
    return "".join(f"\n{one.text}" for one in written)


def _needed(world: World, titles: Titles) -> tuple[str, ...]:
    """Return the variants of a set that bring all others with them, in their order."""
    brought = {other for title in titles for other in built_upon(world, (title,)) if other != title}
    return tuple(one.title for one in world.variants if one.title in titles - brought)


def _costs(one: _Spoken) -> tuple[bool, int]:
    found = [mends_of(failure, one.example) for failure in one.failures]
    return None in found, sum(len(mends or ()) for mends in found)


def _lines(one: _Spoken) -> tuple[str, bool]:
    """Return the lines of an example as they come out, and whether nothing is left to be mended."""
    mends: list[Mend] = []
    whole = True
    for failure in one.failures:
        found = mends_of(failure, one.example)
        if found is None:
            whole = False
            found = [by_hand(failure)]
        mends += found
    text = with_mends(one.example.span, mends)
    return text.partition("\n")[2].rstrip(), whole


def _cited(example: model.Example) -> str:
    """Return what the head of an example cites, and its comment."""
    first = example.span.text.partition("\n")[0]
    found = re.search(r'"[^"]*"\s*(see\b.*|#.*)$', first)
    return found[1] if found is not None else ""
