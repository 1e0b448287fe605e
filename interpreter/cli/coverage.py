"""`rulewright coverage`: what the book says and no rule does, and what the rules say and no game shows.

First the book and the rules side by side, which is certain; then what random games never came by, which
is a hint: a rule that never ran may be rare, or can never run. Status 1: a section has no rule, or a
rule no section.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_game,
    add_limit,
    compiled,
    complain,
    errors_of,
    loaded_for,
    whole_number,
)
from rulewright.interpreter.cli.variant_sets import legal_sets
from rulewright.interpreter.terminal.screen import width
from rulewright.interpreter.terminal.status import FINE, RULES_WRONG, Refused, rules_error
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.dsl import model
    from rulewright.dsl.frontend.frontend import Compilation
    from rulewright.dsl.tools.book_coverage import BookComparison
    from rulewright.interpreter.testing.coverage import CoverageCounts, PointKey
    from rulewright.interpreter.testing.coverage_points import CoveragePoint

GAMES = 10
LIMIT = 5000
MOST_SETS = 16
NAMES_SHOWN = 12
UNCOVERED = "RW213"
CITATIONS = frozenset({UNCOVERED, "RW212", "RW214"})
"""Errors about citations: they are what this command is asked about, and no game fails for them."""

UNKNOWN = (
    "What this cannot know: whether a rule that never ran can ever run (random players seldom do what"
    " is clever or absurd, and a rule may belong to another answer to an option or ruling: try more"
    " games or --option, or write an example); whether a define, a `change` that is no power of a"
    " thing, or a printed field made a difference, since they are only read; and whether a rule says"
    " what its section says."
)


def add_coverage(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `coverage`."""
    add_game(parser)
    parser.add_argument(
        "--all-variants",
        action="store_true",
        help=f"count the games of all legal sets of variants together (the first {MOST_SETS})",
    )
    parser.add_argument(
        "-n",
        type=whole_number,
        default=GAMES,
        metavar="N",
        help=f"random games with every number of players ({GAMES} if missing; 0: only the book)",
    )
    add_limit(parser, LIMIT)
    parser.add_argument(
        "--counts", action="store_true", help="tell of everything how often it came up"
    )
    parser.add_argument(
        "--library", action="store_true", help="tell what never ran of the library as well"
    )


def run_coverage(arguments: argparse.Namespace) -> int:
    """Print what is not covered."""
    from rulewright.dsl.tools.book_coverage import compared

    if arguments.all_variants and arguments.variant:
        raise UsageError("--all-variants goes through all sets of variants: leave out --variant")
    compilation = compiled(arguments.game, arguments.variant)
    linked = _linked(compilation, arguments.game)
    wrong = [one for one in errors_of(compilation) if one.code.code != UNCOVERED]
    assert compilation.world is not None, "what has been linked has a world"
    on = {one.title for one in compilation.world.variants}
    others = [one.file for one in compilation.variants if one.title not in on]
    found = compared(compilation.world, compilation.target.folder, others)
    games, left_out = _games(arguments, compilation, linked)
    _print(_book_lines(linked, found))
    sys.stdout.flush()
    if arguments.n:
        counts, players = _counted(arguments, games)
        _print(_count_lines(arguments, counts, games, players, left_out))
    if wrong:
        sys.stdout.flush()
        complain(wrong)
    return FINE if found.is_complete and not wrong else RULES_WRONG


def _print(lines: Iterable[str]) -> None:
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))


def _linked(compilation: Compilation, named: str) -> model.Game:
    """Return the linked game, also if nothing but its citations is wrong."""
    errors = errors_of(compilation)
    if any(item.code.code not in CITATIONS for item in errors):
        complain(errors)
        raise Refused(RULES_WRONG)
    if compilation.draft is None:
        raise UsageError(f"`{named}` is a module: it is played as part of a game")
    return compilation.draft


def _games(
    arguments: argparse.Namespace, compilation: Compilation, linked: model.Game
) -> tuple[list[model.Game], bool]:
    """Return what is to be played, and whether there is more of it."""
    if not arguments.all_variants:
        return [linked], False
    sets = legal_sets(arguments.game, compilation)
    found = [linked, *(_linked(one, arguments.game) for one in islice(sets, MOST_SETS - 1))]
    return found, next(sets, None) is not None


# ------------------------------------------------------------------------------------------ the book


def _book_lines(game: model.Game, found: BookComparison) -> Iterator[str]:
    variants = f" with {', '.join(game.variants)}" if game.variants else ""
    yield f"{game.title}{variants}: the book and the rules"
    if not found.books:
        yield '  The game names no rule book (book "….md"), so there is nothing to compare.'
        return
    for book in found.books:
        counted = [one for one in book.sections if not one.excused]
        ruled = sum(1 for one in counted if one.places)
        yield f"  {book.title} ({book.file}): {_part(ruled, len(counted))} sections have a rule"
        excused = [one.name for one in book.sections if one.excused]
        if excused:
            yield f"    excused (no rules in): {', '.join(excused)}"
        for section in book.open:
            yield f"    without a rule: {section.name}"
    cited = found.rules - len(found.uncited)
    yield f"  {_part(cited, found.rules)} rules of the game cite a section"
    for rule in found.uncited:
        yield f"    without a section: {rule.place}  {rule.text}"
    if found.of_variants:
        places = ", ".join(rule.place for rule in found.of_variants)
        yield from _wrapped("  House rules of variants, without a section", places)


def _part(some: int, whole: int) -> str:
    percent = f" ({100 * some / whole:.0f} %)" if whole else ""
    return f"{some:,} of {whole:,}{percent}"


# ----------------------------------------------------------------------------------------- the games


def _counted(
    arguments: argparse.Namespace, games: Sequence[model.Game]
) -> tuple[CoverageCounts, tuple[int, ...]]:
    """Play the random games; return what was counted and the numbers of players."""
    from rulewright.dsl.text.codes import counted
    from rulewright.interpreter.state.errors import PlayError
    from rulewright.interpreter.testing import coverage

    counts = coverage.CoverageCounts()
    first = arguments.seed or 0
    numbers: tuple[int, ...] = ()
    for game in games:
        every = tuple(range(game.least_players, game.most_players + 1))
        numbers = (arguments.players,) if arguments.players else every
        for number in numbers:
            loaded = loaded_for(game, number, arguments.option)
            seeds = range(first, first + arguments.n)
            told = _Progress(len(games) * len(numbers) * arguments.n, counts)
            try:
                coverage.count_games(loaded, seeds, counts, arguments.limit, told)
            except PlayError as error:
                seed = first + counts.games % arguments.n
                note = f"in the random game of {counted(number, 'player')} with seed {seed}"
                complain([rules_error(error, note)])
                raise Refused(RULES_WRONG) from None
            finally:
                told.clear()
    return counts, numbers


class _Progress:
    """Says on a terminal how far it is."""

    def __init__(self, games: int, counts: CoverageCounts) -> None:
        self.games = games
        self.counts = counts

    def __call__(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{self.counts.games} of {self.games} games")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take away what was said."""
        if sys.stderr.isatty():
            sys.stderr.write("\r" + " " * 40 + "\r")
            sys.stderr.flush()


def _count_lines(
    arguments: argparse.Namespace,
    counts: CoverageCounts,
    games: Sequence[model.Game],
    players: Sequence[int],
    left_out: bool,
) -> Iterator[str]:
    from rulewright.interpreter.testing.coverage_points import KINDS

    first = arguments.seed or 0
    with_players = ", ".join(map(str, players))
    yield ""
    yield (
        f"{counts.games:,} random games with {with_players} players (seeds {first} to"
        f" {first + arguments.n - 1}): {counts.decisions:,} decisions"
    )
    if len(games) > 1:
        shown = "; ".join(" and ".join(game.variants) or "no variant" for game in games)
        yield from _wrapped("Sets of variants", shown + ("; and more" if left_out else ""))
    own = {key for key, point in counts.points.items() if arguments.library or _is_told(point)}
    for kind, words in KINDS.items():
        keys = [key for key in counts.of_kind(kind) if key in own]
        if keys:
            came = sum(1 for key in keys if counts.passed[key])
            yield f"  {_part(came, len(keys))} {words} came up"
    kinds = dict.fromkeys(kind for kind, _ in counts.things)
    for kind in kinds:
        used = [number for (of, _), number in counts.things.items() if of == kind]
        yield f"  {_part(sum(1 for one in used if one), len(used))} sorts of {kind} were used"
    ends = counts.endings.most_common()
    yield from _wrapped("Ends", ", ".join(f"{reason} ({number:,})" for reason, number in ends))
    if arguments.counts:
        yield ""
        yield "How often it came up:"
        for key in sorted(own - counts.unknown):
            point = counts.points[key]
            yield f"  {counts.passed[key]:>9,}  {point.place}  {point.text}"
        for (kind, name), number in counts.things.items():
            yield f"  {number:>9,}  games used {kind} {name}"
    yield from _never(counts, own)
    yield ""
    yield from textwrap.wrap(UNKNOWN, width())
    if counts.only_read:
        yield from _wrapped("Kinds that are only read", ", ".join(sorted(counts.only_read)))
    quiet = sum(1 for key in counts.unknown if key in own and not counts.passed[key])
    if quiet:
        yield f"Ways that do nothing, so that nobody can tell whether they were taken: {quiet}."


def _is_told(point: CoveragePoint) -> bool:
    """Return whether a point is a rule of the game: of the library only the ends count."""
    from rulewright.dsl.files.library import is_standard

    return point.kind == "end" or not is_standard(point.span.source.name)


def _never(counts: CoverageCounts, own: set[PointKey]) -> Iterator[str]:
    """Yield what never came up, with its line and its section."""
    from rulewright.interpreter.program.program import cited

    never = [point for point in counts.never() if point.key() in own]
    unused: dict[str, list[str]] = {}
    for (kind, name), number in counts.things.items():
        if not number:
            unused.setdefault(kind, []).append(name)
    options = [name for name in counts.offered if not counts.chosen[name]]
    yield ""
    if not (never or unused or options):
        yield "Nothing was left out: all of it came up at least once."
        return
    yield "Never came up:"
    for point in never:
        yield f"  {point.place}  {point.text}"
        for section in dict.fromkeys(cited(point.see)):
            yield f"      see {section}"
    for name in options:
        yield f"  {name} as an option: listed {counts.offered[name]:,} times, never taken"
    for kind, names in unused.items():
        more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
        yield from _wrapped(f"  {kind} never used", ", ".join(names[:NAMES_SHOWN]) + more)


def _wrapped(head: str, text: str) -> Iterator[str]:
    indent = " " * (len(head) - len(head.lstrip()))
    yield from textwrap.wrap(
        f"{head.strip()}: {text}",
        width(),
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )
