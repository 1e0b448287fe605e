"""Who has to mend an example: messages about examples that do not come out in some sets of variants.

An example of the game that fails under a variant is not wrong: the variant changes it and does not say
how it comes out then. Which variants are the cause is found out in smaller sets. The message stands in
the file of the one that is blamed: of a variant whose file does not lie with the game, since its author
cannot change the others, or else of the last one in the order of the set. What one file has to
say anew is one message.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic, in_order
from rulewright.interpreter.program.program import cited
from rulewright.interpreter.state.errors import EXHAUSTING
from rulewright.interpreter.testing.examples import Failure, Runner

LONGEST_TITLE = 40
"""A longer title is not said again in a help."""

LISTED = 8
"""So many examples that a variant changes are listed."""

FEW = 4
"""Of so many variants all sets are tried to find the smallest one in which an example fails."""

SHOWN = 2
"""So many titles stand in a message about several examples."""

Place = tuple[str, str, int]
"""The code of a message, and where it stands."""

Titles = frozenset[str]
"""A set of variants."""


def place_of(item: Diagnostic) -> Place:
    """Return what a message is about: two with the same place are one mistake."""
    span = item.primary.span
    return item.code.code, span.source.name, span.start


@attrs.frozen(eq=False)
class FailedExample:
    """An example that does not come out, the game in which it was found, and the smallest set of
    variants in which it fails."""

    game: model.Game
    example: model.Example
    failure: Failure
    variants: Titles

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it another mistake: the example and the variants."""
        span = self.example.span
        return span.source.name, span.start, self.variants

    @property
    def causes(self) -> tuple[str, ...]:
        """The variants of which the example does not know."""
        return self._ordered(self.variants - self.example.about)

    def blamed(self) -> model.VariantTitle | None:
        """Return the variant that has to say how the example comes out, if it fails because of one."""
        if not self.causes:
            return None
        return speaker([one for one in self.game.titled if one.title in self.variants])

    def head(self, said_by: str) -> str:
        """Return the head of the example that a variant has to say; the title is in the message."""
        title = self.example.title if len(self.example.title) <= LONGEST_TITLE else "…"
        return head(title, self._ordered(self.variants - {said_by}))

    def found(self) -> str:
        """Return what was found, and where."""
        place = self.failure.span.shown()
        label = self.failure.label if self.failure.code == "RW412" else ""
        found = "; ".join(filter(None, (label, *self.failure.notes[:1])))
        return f"{place.source.name}:{place.line}: `{self.example.title}`: {found}"

    def _ordered(self, titles: Titles) -> tuple[str, ...]:
        return tuple(title for title in self.game.variants if title in titles)


def speaker(titled: Sequence[model.VariantTitle]) -> model.VariantTitle:
    """Return which of some variants has to say how an example comes out: one that does not lie with
    the game, or the last one."""
    guests = [one for one in titled if one.guest]
    return (guests or titled)[-1]


def head(title: str, present: Sequence[str], absent: Sequence[str] = ()) -> str:
    """Return the first line of an example about sets of variants, without what it cites."""
    words = [f'example "{title}"']
    for word, titles in (("with", present), ("without", absent)):
        if titles:
            words.append(f"{word} " + ", ".join(f'"{one}"' for one in titles))
    return " ".join(words)


def _by_size(titles: Titles) -> tuple[int, list[str]]:
    return len(titles), sorted(titles)


class VariantSets:
    """A game linked with several sets of its variants: what fails in which, each found out once."""

    def __init__(
        self, games: Iterable[model.Game], link: Callable[[Titles], model.Game | None] | None = None
    ) -> None:
        self.games: dict[Titles, model.Game | None] = {
            frozenset(game.variants): game for game in games
        }
        self.link = link
        self._failures: dict[Titles, Mapping[object, tuple[model.Example, Failure]]] = {}
        self._endless: list[Titles] = []
        """The sets in which an example makes the rules run on and on: they are not tried further."""

    def failed(self, game: model.Game) -> Iterator[FailedExample]:
        """Yield the examples that do not come out in a set, with the smallest set in which they fail;
        none if a smaller one has been given up."""
        titles = frozenset(game.variants)
        if any(other < titles for other in self._endless):
            return
        self.games.setdefault(titles, game)
        for key, (example, _) in self.failures_in(titles).items():
            smallest = self._smallest(key, example, titles)
            # What is told is what happens there, not with more variants.
            yield FailedExample(
                self.games[smallest] or game, *self.failures_in(smallest)[key], smallest
            )

    def _smallest(self, key: object, example: model.Example, titles: Titles) -> Titles:
        """Return the smallest set within one in which an example fails; of many variants, one out of
        which none can be taken."""
        if self.link is None:
            return titles
        tried = (one for one in tuple(self.games) if one < titles and key in self.failures_in(one))
        found = min(tried, key=_by_size, default=titles)
        while True:
            smaller = self._without_one(key, example, found)
            if smaller is None:
                break
            found = smaller
        rest = sorted(found - example.about)
        if len(rest) <= FEW:
            # One that includes others cannot go without them, nor they without it.
            for chosen in chain.from_iterable(
                combinations(rest, size) for size in range(len(rest))
            ):
                smaller = example.about & found | frozenset(chosen)
                if key in self.failures_in(smaller):
                    return smaller
        return found

    def _without_one(self, key: object, example: model.Example, titles: Titles) -> Titles | None:
        for title in sorted(titles - example.about):
            if key in self.failures_in(titles - {title}):
                return titles - {title}
        return None

    def failures_in(self, titles: Titles) -> Mapping[object, tuple[model.Example, Failure]]:
        """Return what fails in a set, by where the examples stand; nothing if there is no such set."""
        if titles not in self._failures:
            game = self._game(titles)
            found: dict[object, tuple[model.Example, Failure]] = {}
            runner = None if game is None else Runner(game)
            for example in () if game is None else game.examples:
                failure = None if runner is None else runner.first(example)
                if failure is not None:
                    found[example.span.source.name, example.span.start] = example, failure
                    if failure.cause is not None and failure.cause.code in EXHAUSTING:
                        self._endless.append(titles)
                        break
            self._failures[titles] = found
        return self._failures[titles]

    def _game(self, titles: Titles) -> model.Game | None:
        """Return the game with just these variants; none if there is no such set."""
        if titles not in self.games:
            game = None if self.link is None else self.link(titles)
            legal = game is not None and frozenset(game.variants) == titles
            self.games[titles] = game if legal else None
        return self.games[titles]


def run_examples(game: model.Game, known: Container[Place] = ()) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the examples of a game, in their order.

    A rules error that stops several of them is reported once, and not at all if it is `known`.
    """
    return messages(VariantSets([game]).failed(game), known)


def messages(
    failed: Iterable[FailedExample], known: Container[Place] = ()
) -> tuple[Diagnostic, ...]:
    """Return what is to be said of examples that fail, each mistake once."""
    unique = {one.key: one for one in failed}
    wrong: dict[object, list[FailedExample]] = {}
    changed: dict[str, list[FailedExample]] = {}
    stopped: dict[Place, list[FailedExample]] = {}
    for one in unique.values():
        blamed = one.blamed()
        if one.failure.cause is not None:
            stopped.setdefault(place_of(one.failure.cause.diagnostic()), []).append(one)
        elif blamed is None or blamed.title == one.example.source:
            wrong.setdefault(one.key[:2], []).append(one)
        else:
            changed.setdefault(blamed.title, []).append(one)
    said = {(one.example.title, one.variants) for several in wrong.values() for one in several}
    found = [_wrong(several) for several in wrong.values()]
    found += _stopped(stopped, known)
    for title, several in changed.items():
        # What is said of an example of its own is mended by the same words.
        rest = [one for one in several if (one.example.title, one.variants) not in said]
        if rest:
            found.append(_changed(title, rest))
    return in_order(found)


def _wrong(several: Sequence[FailedExample]) -> Diagnostic:
    """Return the message about an example that its own file has to mend."""
    one, *others = sorted(several, key=lambda one: len(one.variants))
    failure, notes, help = one.failure, list(one.failure.notes), None
    label = failure.label
    if one.causes:
        names = _named(one.causes)
        label = f"{label} with {names}" if label else f"with {names}"
        own = one.head(one.example.source)
        help = f"say how it comes out then: `{own}`; `check` with --restate writes it"
        if len(one.causes) == 1:
            help += f'; or let this one speak only `without "{one.causes[0]}"`'
        notes += [f"with {_named(other.causes)}: {other.found()}" for other in others]
    return diagnostic(
        failure.code,
        failure.span,
        label,
        notes=notes,
        secondary=failure.secondary,
        help=help,
        rule=_rule(one),
        name=one.example.title,
    )


def _changed(title: str, several: Sequence[FailedExample]) -> Diagnostic:
    """Return the message about the examples that a variant has to say anew."""
    one, *others = several
    span = next(said.span for said in one.game.titled if said.title == title)
    failure = one.failure
    notes = list(failure.notes)
    if others:
        count = f"{len(others)} others do" if len(others) > 1 else "another one does"
        notes.append(f"{count} not come out either:")
        notes += [_with(other, title) + other.found() for other in others[:LISTED]]
    if len(others) > LISTED:
        notes.append(f"and {len(others) - LISTED} more")
    how = "how they come out" if others else "how it comes out"
    own = "" if others else f": `{one.head(title)}`"
    help = f"if that is meant, say {how} in this file{own}"
    return diagnostic(
        "RW513",
        span,
        f"its file does not say {how}",
        secondary=(Label(failure.span, failure.label), *failure.secondary),
        notes=notes,
        help=f"{help}; `check` with --restate writes it",
        rule=_rule(one),
        name=title,
        found=f"the example `{one.example.title}`" if not others else f"{len(several)} examples",
    )


def _with(one: FailedExample, title: str) -> str:
    """Return which other variants have a part in it."""
    others = [cause for cause in one.causes if cause != title]
    return f"with {_named(others)}, too: " if others else ""


def _named(titles: Sequence[str]) -> str:
    return " and ".join(f"`{title}`" for title in titles)


def _stopped(
    stopped: Mapping[Place, Sequence[FailedExample]], known: Container[Place]
) -> Iterator[Diagnostic]:
    for place, several in stopped.items():
        one = several[0]
        titles = list(dict.fromkeys(other.example.title for other in several))
        if place in known or one.failure.cause is None:
            continue
        if len(titles) == 1 and not one.causes:
            yield _wrong(several[:1])
            continue
        cause = one.failure.cause.diagnostic()
        yield attrs.evolve(cause, notes=(*cause.notes, _stopping(titles)))


def _stopping(titles: Sequence[str]) -> str:
    shown = ", ".join(f"`{title}`" for title in titles[:SHOWN])
    more = f" and {len(titles) - SHOWN} more" if len(titles) > SHOWN else ""
    counted = f"{len(titles)} examples:" if len(titles) > 1 else "the example"
    return f"it stops {counted} {shown}{more}"


def _rule(one: FailedExample) -> tuple[str, ...]:
    return tuple(f'{one.game.title}, "{section}"' for section in cited(one.example.see))
