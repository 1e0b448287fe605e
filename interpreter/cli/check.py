"""`rulewright check`: finds everything that is wrong with rule files.

A game is linked alone, and with sets of its variants (`variant_sets`). Each linked game must pass the
static checks, its own `check` lines for every number of players, its worked examples, and as many random
games as are asked for. What is wrong several times is said once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_format,
    add_options,
    add_variants,
    complain,
    errors_of,
    has_colours,
    linked,
    options_of,
    together,
    unknown,
    whole_number,
)
from rulewright.interpreter.cli.variant_sets import (
    VariantLinker,
    in_no_set,
    legal_sets,
    linked_with_needed,
)
from rulewright.interpreter.terminal.status import FINE, RULES_WRONG, WRONG_USAGE
from rulewright.interpreter.words.text import listed, printable

if TYPE_CHECKING:
    from rulewright.dsl import model
    from rulewright.dsl.frontend.frontend import Compilation
    from rulewright.dsl.text.diagnostics import Diagnostic

FORMATS = ("text", "short", "json")
NOTES_SHOWN = 8


class CheckedTarget:
    """What is known about one game (or module) that was named."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_linked = True
        """Whether it is a game that could be linked, so that there is more to be said about it."""

        self.diagnostics: list[Diagnostic] = []
        self.variants = 0
        self.sets = 1
        """How many sets of variants were linked, the empty one included."""

        self.examples = 0
        self.checks = 0
        self.playouts = 0

    def is_wrong(self) -> bool:
        """Return whether there is an error."""
        from rulewright.dsl.text.diagnostics import has_errors

        return has_errors(self.diagnostics)

    def summary(self) -> str:
        """Return the last line: what was looked at, and how it came out."""
        from rulewright.dsl.text.render import summary

        said = summary(item for item in self.diagnostics if item.severity.value != "note")
        if not self.is_linked:
            return f"{self.name}: {said or 'a module that can be read'}"
        counts = [
            _counted(self.examples, "example"),
            _counted(self.checks, "check"),
            _counted(self.variants, "variant") + (f" in {self.sets} sets" if self.sets > 2 else ""),
            *([_counted(self.playouts, "random game")] if self.playouts else []),
        ]
        return f"{self.name}: {', '.join(counts)}: {said or 'fine'}"


def _counted(number: int, word: str) -> str:
    return f"{number or 'no'} {word}" + ("" if number == 1 else "s")


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    parser.add_argument(
        "games", nargs="+", metavar="FILE-or-GAME", help="games of the shelf, folders or files"
    )
    add_variants(parser)
    add_options(parser)
    add_format(parser, FORMATS, "text for people (the default), a line each, or JSON")
    parser.add_argument(
        "--playouts",
        type=whole_number,
        default=0,
        metavar="N",
        help="also play N random games with every number of players, under all laws",
    )
    parser.add_argument(
        "--secrets",
        action="store_true",
        help="also say of each field and zone who sees it, as it is in some random games",
    )
    parser.add_argument(
        "--restate",
        action="store_true",
        help="write the examples of the game that come out differently with these variants",
    )


def run_check(arguments: argparse.Namespace) -> int:
    """Check what was named and print what is wrong."""
    from rulewright.dsl.text.render import render

    if arguments.restate:
        return _restate(arguments)
    status = FINE
    everything: list[Diagnostic] = []
    for named in arguments.games:
        try:
            options = options_of(arguments.option)
            checked = examine(named, arguments.variant, arguments.playouts, options)
        except UsageError as error:
            if arguments.format == "text" or not error.diagnostics:
                raise
            # A program reads what we print: it gets the message where it looks for messages.
            everything += error.diagnostics
            status = WRONG_USAGE
            continue
        everything += checked.diagnostics
        status = max(status, RULES_WRONG if checked.is_wrong() else FINE)
        if arguments.format == "text":
            sys.stdout.write("".join(f"{line}\n" for line in _text(checked)))
            if arguments.secrets and not checked.is_wrong():
                lines = _secrets(named, arguments.variant)
                sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
            sys.stdout.flush()
    if arguments.format != "text":
        sys.stdout.write(render(everything, arguments.format))
    return status


def _secrets(named: str, variants: Sequence[str]) -> Iterator[str]:
    """Yield who sees each field and zone of a game."""
    from rulewright.interpreter.testing.visibility_counts import visibility_counts

    game = _named(named, variants).game
    return iter(()) if game is None else visibility_counts(game)


def _restate(arguments: argparse.Namespace) -> int:
    """Print what the files of variants say of the examples that they change."""
    from rulewright.dsl.text.diagnostics import has_errors
    from rulewright.interpreter.state.errors import PlayError

    for named in arguments.games:
        compilation = _named(named, arguments.variant)
        if has_errors(compilation.diagnostics) or compilation.game is None:
            complain(errors_of(compilation))
            return RULES_WRONG
        if not compilation.game.variants:
            raise UsageError('--restate is about variants: name them, as in --variant "Sun Dial"')
        try:
            sys.stdout.write(said_anew(named, compilation, arguments.variant))
        except PlayError as error:
            complain([error.diagnostic()])
            return RULES_WRONG
    return FINE


def _named(named: str, variants: Sequence[str]) -> Compilation:
    """Return what the compiler says about what is to be checked: of the file of a variant with what
    it requires."""
    compilation = linked(named, variants)
    if compilation.chosen and not variants:
        compilation = linked_with_needed(named, variants) or compilation
    return together(compilation)


def said_anew(named: str, compilation: Compilation, on: Sequence[str]) -> str:
    """Return what the file of a variant has to say so that all examples come out in all legal sets of
    variants with those that are on: of one that does not lie with the game, or of the last one."""
    from rulewright.interpreter.testing.blame import speaker
    from rulewright.interpreter.testing.restate import restated, text_of

    game, linker = compilation.model_or_raise(), VariantLinker(compilation)
    variant = speaker(game.titled).title
    sets = {frozenset(game.variants)}
    for found in legal_sets(named, compilation, on):
        if found.game is not None:
            sets.add(frozenset(found.game.variants))

    def link(titles: frozenset[str], more: str) -> Compilation:
        return linker.compilation(titles, variant, more)

    outcome = restated(variant, sets, link)
    counted = {1: "the only set", 2: "both sets"}.get(len(sets), f"all {len(sets)} sets")
    counted += " of variants"
    head = f"# examples that come out differently with {variant}, for {counted}\n"
    if not outcome.written and not outcome.unsaid:
        head = f"# All examples of {game.title} come out with {variant}, in {counted}.\n"
    return head + "".join(one.text for one in outcome.unsaid) + text_of(outcome.written)


def examine(
    named: str,
    variants: Sequence[str],
    playouts: int = 0,
    options: Mapping[str, str] = MappingProxyType({}),
) -> CheckedTarget:
    """Return what is known about a game after all checks; the `options` are those of random games (in
    sets of variants that have them), and of how a game begins. Examples say themselves what they need.
    """
    from rulewright.dsl.checks import unread
    from rulewright.dsl.text.diagnostics import in_order

    compilation = _named(named, variants)
    checked = CheckedTarget(printable(named))
    checked.diagnostics += compilation.diagnostics
    if compilation.game is None:
        checked.is_linked = False
        return checked
    games = [compilation.game]
    if not variants and compilation.target.variant is None:
        for found in legal_sets(named, compilation):
            checked.diagnostics += found.diagnostics
            games += [found.game] if found.game is not None else []
        checked.diagnostics += in_no_set(named, compilation, games)
        checked.diagnostics += _unread(compilation)
        if not checked.is_wrong() and not compilation.game.variants:
            checked.diagnostics += unread.problems(games)
    checked.variants = len({title for game in games for title in game.variants})
    checked.sets = len(games)
    # What is wrong in a small set is wrong in those around it.
    games.sort(key=lambda game: len(game.variants))
    _check_options(games, options)
    tried = _play_through(games, playouts, options, checked)
    checked.diagnostics += _examples(games, tried, compilation, checked)
    checked.diagnostics = list(in_order(checked.diagnostics))
    return checked


def _unread(compilation: Compilation) -> Iterator[Diagnostic]:
    """Yield what is wrong with files beside a game that cannot be read as its variants, as if each were
    checked alone."""
    from rulewright.dsl.files import library
    from rulewright.dsl.frontend.frontend import compile_game

    known = {variant.path.name for variant in compilation.variants}
    for path in library.files_of_variants(compilation.target.folder):
        if path.name not in known:
            source, problems = library.read_source(path)
            yield from problems if source is None else compile_game(str(path)).diagnostics


def _check_options(games: Iterable[model.Game], options: Mapping[str, str]) -> None:
    """Raise the error for an option that no set of variants has."""
    known = dict.fromkeys(name for game in games for name in game.options)
    for name in options:
        if name not in known:
            raise unknown("option", name, known, f"known: {listed(known)}" if known else "")


def _play_through(
    games: Iterable[model.Game], playouts: int, options: Mapping[str, str], checked: CheckedTarget
) -> Sequence[model.Game]:
    """Run the checks and some random games of each linked game. Those are returned in which the rules do
    not run on and on: they are not run again in larger sets, and wait with their examples."""
    from rulewright.interpreter.play.loading import OptionError
    from rulewright.interpreter.testing.verify import is_exhausting, verify

    tried: list[model.Game] = []
    endless: list[frozenset[str]] = []
    checks: set[str] = set()
    for game in games:
        checks.update(check.label for check in game.checks)
        titles = frozenset(game.variants)
        if any(other <= titles for other in endless):
            continue
        own = {name: value for name, value in options.items() if name in game.options}
        try:
            found = verify(game, playouts=playouts, examples=False, options=own)
        except OptionError as error:
            raise UsageError(str(error)) from None
        checked.diagnostics += found
        checked.playouts += playouts * (game.most_players - game.least_players + 1)
        if is_exhausting(found):
            endless.append(titles)
        else:
            tried.append(game)
    checked.checks = len(checks)
    return tried


def _examples(
    games: Sequence[model.Game],
    tried: Sequence[model.Game],
    compilation: Compilation,
    checked: CheckedTarget,
) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the examples in those sets that are tried."""
    from rulewright.interpreter.testing.blame import VariantSets, messages, place_of

    titles = {(one.source, one.title, one.about) for game in games for one in game.examples}
    checked.examples = len(titles)
    sets = VariantSets(games, VariantLinker(compilation).game)
    known = {place_of(item) for item in checked.diagnostics}
    return messages((one for game in tried for one in sets.failed(game)), known)


def _text(checked: CheckedTarget) -> Iterator[str]:
    from rulewright.dsl.text.render import render

    colour = has_colours(sys.stdout)
    others: list[Diagnostic] = []
    notes: list[Diagnostic] = []
    for item in checked.diagnostics:
        (notes if item.severity.value == "note" else others).append(item)
    if others:
        # The counts at the end of the rendering are in our last line as well.
        yield from render(others, "text", colour).rstrip("\n").split("\n")[:-1]
    for note in notes[:NOTES_SHOWN]:
        yield printable(note.one_line())
    if len(notes) > NOTES_SHOWN:
        yield f"... and {len(notes) - NOTES_SHOWN} more notes"
    yield checked.summary()
