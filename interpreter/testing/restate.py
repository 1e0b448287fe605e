"""What the file of a variant has to say of examples: all legal sets with it in, the examples as they come
out in these sets out.

The sets are gone through from the smallest to the largest. An example that does not come out in one
is mended (see `repair`) and said anew for that set, which is then linked with all that is written so
far, until every example comes out. Where another variant says already how it is, what is written
speaks `without` that one. What cannot be mended is marked and left to the author: so is an example that
does not come out in the very set of which it speaks, for its author has meant something else. What is
written is run once more in all sets before it is handed out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.frontend.frontend import Compilation
from rulewright.dsl.resolve.example_speakers import built_upon
from rulewright.dsl.resolve.symbols import World
from rulewright.interpreter.state.errors import EXHAUSTING
from rulewright.interpreter.testing.blame import Titles, VariantSets, head
from rulewright.interpreter.testing.examples import DoesNotApply, Failure, Runner
from rulewright.interpreter.testing.repair import TextEdit, by_hand, edits_of, with_edits

MOST_ROUNDS = 16
"""So often the examples of one set are mended: each time one more question of a `do` is answered."""

Link = Callable[[Titles, str], Compilation]
"""Links the game with a set of variants, with more text at the end of the variant's file."""


@attrs.define(eq=False)
class RestatedExample:
    """An example that is said anew; `present`: with which other variants."""

    example: model.Example
    """As it has been so far."""

    present: tuple[str, ...]
    cited: str
    lines: str
    absent: tuple[str, ...] = ()
    is_whole: bool = True
    """Whether nothing is left to be mended by hand."""

    @property
    def title(self) -> str:
        """Its title, which stays."""
        return self.example.title

    def says(self, example: model.Example) -> bool:
        """Return whether an example of a linked game is this one, as it was read."""
        return example.span.text.rstrip() == self.text.strip()

    @property
    def text(self) -> str:
        """The example as it stands in the file."""
        first = head(self.title, self.present, self.absent)
        return f"{first} {self.cited}".rstrip() + f"\n{self.lines}\n"


@attrs.frozen
class _ExampleRun:
    """An example that is run in a set, and what is wrong with it."""

    example: model.Example
    failures: tuple[Failure, ...]


@attrs.frozen
class NotRestated:
    """An example that is not said anew, and why."""

    example: model.Example
    why: str

    @property
    def text(self) -> str:
        """A comment about it."""
        place = self.example.span.shown()
        where = f"{place.source.name.rpartition('/')[2]}:{place.line}"
        return f'# not restated: "{self.example.title}" ({where}): {" ".join(self.why.split())}\n'


@attrs.frozen
class Restatement:
    """What the file of a variant has to say, and which examples it is not worked out for."""

    written: tuple[RestatedExample, ...]
    unsaid: tuple[NotRestated, ...]


def restated(variant: str, sets: Iterable[Titles], link: Link) -> Restatement:
    """Return what the file of a variant has to say anew, so that all examples come out in all sets.

    Raises the rules error if the rules run on and on in one of them.
    """
    return _Restater(variant, link).run(sets)


class _Restater:
    def __init__(self, variant: str, link: Link) -> None:
        self.variant = variant
        self.link = link
        self.written: list[RestatedExample] = []
        self.given_up: set[str] = set()
        self.unsaid: dict[object, NotRestated] = {}
        self.bare = VariantSets((), lambda titles: link(titles, "").game)
        """The sets as they are without what is written now."""

    def run(self, sets: Iterable[Titles]) -> Restatement:
        in_order = sorted(sets, key=lambda titles: (len(titles), sorted(titles)))
        for titles in in_order:
            for _ in range(MOST_ROUNDS):
                if not self._round(titles):
                    break
        for titles in in_order:
            self._try_out(titles)
        titles_in_order = list(dict.fromkeys(one.title for one in self.written))
        written = sorted(self.written, key=lambda one: titles_in_order.index(one.title))
        return Restatement(tuple(written), tuple(self.unsaid.values()))

    def _try_out(self, titles: Titles) -> None:
        """Run what is written in a set; what does not come out there is marked, and what cannot be read
        is left out."""
        if self.link(titles, text_of(self.written)).game is None:
            for one in tuple(self.written):
                if self.link(titles, one.text).game is None:
                    self.written.remove(one)
                    self._leave(one.example, "what comes out cannot be written in an example")
        game = self.link(titles, text_of(self.written)).game
        for run in self._runs(game) if game is not None else ():
            if not run.failures:
                continue
            mine = [one for one in self.written if one.is_whole and one.says(run.example)]
            for one in mine:
                one.is_whole = False
                edits = [by_hand(failure) for failure in run.failures]
                one.lines = _body(with_edits(run.example.span, edits))
            if not mine and not any(one.says(run.example) for one in self.written):
                example = run.example
                if not self._is_wrong_itself(run) and not self._is_wrong_anyway(run, titles):
                    among = ", ".join(sorted(titles - {self.variant}))
                    self._leave(example, f"it does not come out with {among or self.variant}")

    def _leave(self, example: model.Example, why: str) -> None:
        self.unsaid.setdefault(
            (example.span.source.name, example.span.start), NotRestated(example, why)
        )

    def _round(self, titles: Titles) -> bool:
        """Mend what does not come out in a set; return whether there was anything to be mended."""
        compilation = self.link(titles, text_of(self.written))
        game, world = compilation.game, compilation.world
        if game is None or world is None:
            return False
        found: dict[str, list[_ExampleRun]] = {}
        for run in self._runs(game):
            found.setdefault(run.example.title, []).append(run)
        mended = False
        for title, runs in found.items():
            wrong = [
                one
                for one in runs
                if one.failures
                and not self._is_wrong_itself(one)
                and not self._is_wrong_anyway(one, titles)
            ]
            if wrong and title not in self.given_up:
                self._mend(title, runs, wrong, titles, world)
                mended = True
        return mended

    def _runs(self, game: model.Game) -> Iterator[_ExampleRun]:
        """Yield the examples of a game with what is wrong with each.

        Raises the rules error if the rules run on and on.
        """
        runner = Runner(game)
        for example in game.examples:
            try:
                failures = tuple(runner.failures(example))
            except DoesNotApply:
                continue
            for failure in failures:
                if failure.cause is not None and failure.cause.code in EXHAUSTING:
                    raise failure.cause
            yield _ExampleRun(example, failures)

    def _is_wrong_itself(self, one: _ExampleRun) -> bool:
        """Return whether an example of a variant does not come out in the set of which it speaks; that
        is told, if it is one of the variant that is asked about."""
        example = one.example
        if not example.about:
            return False
        key = (example.span.source.name, example.span.start)
        failed = self.bare.failures_in(frozenset(example.about)).get(key)
        if failed is not None and example.source == self.variant:
            failure = failed[1]
            found = "; ".join((failure.label, *failure.notes))
            self._leave(example, f"it does not come out as it stands ({found})")
        return failed is not None

    def _is_wrong_anyway(self, one: _ExampleRun, titles: Titles) -> bool:
        """Return whether an example does not come out without the variant either."""
        if self.variant in one.example.about or one.example.about == titles:
            return False
        span = one.example.span
        found = (span.source.name, span.start) in self.bare.failures_in(titles - {self.variant})
        if found:
            self._leave(one.example, f"it does not come out without {self.variant} either")
        return found

    def _mend(
        self,
        title: str,
        runs: Sequence[_ExampleRun],
        wrong: Sequence[_ExampleRun],
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
        if len(wrong) < len(runs) and self._step_back(wrong, titles):
            return
        best = min(runs, key=lambda one: (*_costs(one), one.example.source != self.variant))
        lines, whole = _lines(best)
        self.written.append(
            RestatedExample(best.example, present, _cited(best.example), lines, (), whole)
        )
        if not whole:
            self.given_up.add(title)

    def _step_back(self, wrong: Sequence[_ExampleRun], titles: Titles) -> bool:
        """Let examples that are written now be silent where another variant says how it is."""
        found: list[tuple[RestatedExample, str]] = []
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


def text_of(written: Iterable[RestatedExample]) -> str:
    """Return examples as they stand in a file."""
    return "".join(f"\n{one.text}" for one in written)


def _needed(world: World, titles: Titles) -> tuple[str, ...]:
    """Return the variants of a set that bring all others with them, in their order."""
    brought = {other for title in titles for other in built_upon(world, (title,)) if other != title}
    return tuple(one.title for one in world.variants if one.title in titles - brought)


def _costs(one: _ExampleRun) -> tuple[bool, int]:
    found = [edits_of(failure, one.example) for failure in one.failures]
    return None in found, sum(len(edits or ()) for edits in found)


def _lines(one: _ExampleRun) -> tuple[str, bool]:
    """Return the lines of an example as they come out, and whether nothing is left to be mended."""
    edits: list[TextEdit] = []
    whole = True
    for failure in one.failures:
        found = edits_of(failure, one.example)
        if found is None:
            whole = False
            found = [by_hand(failure)]
        edits += found
    return _body(with_edits(one.example.span, edits)), whole


def _body(text: str) -> str:
    """Return the lines of an example without its head."""
    return text.partition("\n")[2].rstrip()


def _cited(example: model.Example) -> str:
    """Return what the head of an example cites, and its comment."""
    first = example.span.text.partition("\n")[0]
    found = re.search(r'"[^"]*"\s*(see\b.*|#.*)$', first)
    return found[1] if found is not None else ""
