"""What the commands share: reads games, options and numbers that are named on the command line.

Whatever is wrong with the command line is a `UsageError` with one line of text; whatever is wrong
with the rules is printed with its place and ends in `Refused`. Importing this module is cheap:
what reads rules is imported where it is needed, so that `rulewright --version` does not wait for a
parser.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rulewright.dsl.files.disk import no_file
from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.terminal.status import RULES_WRONG, Refused
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.dsl import model
    from rulewright.dsl.frontend.checked_cache import CheckedGame
    from rulewright.dsl.frontend.frontend import Compilation
    from rulewright.dsl.text.diagnostics import Diagnostic
    from rulewright.interpreter.play.api import Game
    from rulewright.interpreter.words.translation import Words


UNREADABLE_FILES = ("RW001", "RW002", "RW003", "RW004", "RW005")
UNKNOWN_GAME = "RW012"
UNKNOWN_VARIANT = "RW503"
UNREADABLE = (*UNREADABLE_FILES, UNKNOWN_GAME, UNKNOWN_VARIANT)
"""The codes that blame the command line, if what they speak of was named there."""

NOT_TOGETHER = ("RW504", "RW505")
"""The codes that say that a set of variants is no legal one."""

LARGEST_SEED = 2**64 - 1
LARGEST_COUNT = 10**9
MOST_MEANT = 3
LEAST_BEGINNING = 3
"""The beginning of a name with a slip in it is recognised if it is longer than this."""


class UsageError(Exception):
    """The command cannot be understood; its text is one line.

    `diagnostics` say the same for programs, where there is a code for it.
    """

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(text)


def unknown(kind: str, name: str, candidates: Iterable[str], otherwise: str = "") -> UsageError:
    """Return the error that nothing of a kind has this name, with the name that was meant."""
    hint = did_you_mean(name, candidates) or otherwise
    return UsageError(f"no {kind} is called `{name}`" + (f"; {hint}" if hint else ""))


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """Return the question whether one of the candidates was meant, or None."""
    found = meant(name, candidates)
    return f"did you mean {' or '.join(f'`{one}`' for one in found)}?" if found else None


def meant(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return the candidate that a name is a slip of, or the few that begin with it."""
    candidates = tuple(candidates)
    near = nearest(name, candidates)
    begun = tuple(one for one in candidates if _plain(one).startswith(_plain(name)))
    # The beginning of several may be nearer to one of them only because that one is shorter.
    if len(name) > 1 and 1 <= len(begun) <= MOST_MEANT and (not near or near[0] in begun):
        return begun
    if near:
        return near[:1]
    # The end of a long name is what one leaves out, so a slip in its beginning is looked for, too.
    long = [one for one in candidates if len(one) > len(name) > LEAST_BEGINNING]
    close = nearest(name, [one[: len(name)] for one in long])[:1]
    return tuple(one for one in long if one[: len(name)] in close)[:MOST_MEANT]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in "_- ")


# ---------------------------------------------------------------------------- types for argparse


def whole_number(text: str) -> int:
    """Return a number written in digits."""
    return _number(text, 0)


def positive(text: str) -> int:
    """Return a number of at least one."""
    return _number(text, 1)


def _number(text: str, least: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise UsageError(f"`{text}` is no whole number")
    if digits != text or len(text) > 20 or not least <= int(text) <= LARGEST_COUNT:
        raise UsageError(
            f"`{text}` is out of range: it is a number from {least} to {LARGEST_COUNT}"
        )
    return int(text)


def seed(text: str) -> int:
    """Return a seed; a larger number would be the same as a smaller one."""
    if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) > LARGEST_SEED:
        wanted = f"a whole number from 0 to {LARGEST_SEED}"
        raise UsageError(f"`{text}` is no seed: a seed is {wanted}")
    return int(text)


class WordArgument:
    """The type of an argument that is one of a few words, with a did-you-mean."""

    def __init__(self, kind: str, words: Sequence[str]) -> None:
        self.kind = kind
        self.words = tuple(words)

    def __call__(self, text: str) -> str:
        if text not in self.words:
            raise unknown(self.kind, text, self.words, f"known: {', '.join(self.words)}")
        return text


# -------------------------------------------------------------------------------- common options


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the game and what is chosen before it starts."""
    add_game_alone(parser)
    add_variants(parser)
    add_options(parser)
    add_players(parser)
    parser.add_argument(
        "--seed", type=seed, metavar="S", default=None, help="the same seed, the same game"
    )


def add_game_alone(parser: argparse.ArgumentParser) -> None:
    """Add the game."""
    parser.add_argument("game", metavar="GAME", help="a game of the shelf, a folder or a file")


def add_players(parser: argparse.ArgumentParser) -> None:
    """Add the number of players."""
    parser.add_argument("--players", type=positive, metavar="N", help="how many play")


def add_limit(parser: argparse.ArgumentParser, limit: int, stopped: str = "a game ") -> None:
    """Add after how many decisions a game is stopped."""
    help = f"stop {stopped}after N decisions ({limit:,} if nothing is said)"
    parser.add_argument("--limit", type=positive, default=limit, metavar="N", help=help)


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str], help: str) -> None:
    """Add the format of what is printed; the first one is the default."""
    parser.add_argument(
        "--format",
        type=WordArgument("format", formats),
        default=formats[0],
        metavar="|".join(formats),
        help=help,
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what is decided before a game starts."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="decide an option or ruling; may be given several times",
    )


def add_variants(parser: argparse.ArgumentParser) -> None:
    """Add the variants that are linked with a game."""
    parser.add_argument(
        "--variant",
        action="append",
        default=[],
        metavar="V",
        help="link this variant (title or file) with it; may be given several times",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="read everything anew: neither use nor fill the cache folder",
    )


def compiled(named: str, variants: Sequence[str] = ()) -> Compilation:
    """Return what the compiler says about a game; what cannot be found, and variants that do not go
    together, are wrong usage."""
    from rulewright.dsl.frontend.frontend import compile_game

    return together(_compiled(named, variants, compile_game))


def linked(
    named: str, variants: Sequence[str] = (), more: Mapping[Path, str] | None = None
) -> Compilation:
    """Return the same, whether or not the variants go together; `more` as in `compile_game`."""
    from rulewright.dsl.frontend.frontend import compile_game

    return _compiled(named, variants, partial(compile_game, more=more or {}))


def playable(named: str, variants: Sequence[str] = ()) -> CheckedGame:
    """Return a game that is to be played, from the cache folder if nothing has changed since it was
    checked; wrong rules are printed."""
    from rulewright.dsl.frontend import checked_cache

    _check_names(named, variants)
    found = checked_cache.known(named, tuple(variants))
    if found is not None:
        return found
    compilation = together(_compiled(named, variants, checked_cache.compiled))
    return checked_cache.CheckedGame(sound(compilation, named), compilation.target.folder)


def sound(compilation: Compilation, named: str) -> model.Game:
    """Return the game of a compilation; if its rules are wrong, say what is."""
    if compilation.game is not None:
        return compilation.game
    # Who wants to play is not interested in notes about other places of the rules.
    errors = errors_of(compilation)
    if not errors:
        raise UsageError(f"`{named}` is a module: it is played as part of a game")
    complain(errors)
    raise Refused(RULES_WRONG)


def errors_of(compilation: Compilation) -> list[Diagnostic]:
    """Return what stops the game, without warnings and notes."""
    return [item for item in compilation.diagnostics if item.severity.value == "error"]


def together(compilation: Compilation) -> Compilation:
    """Return a compilation, unless its variants do not go together."""
    for problem in compilation.diagnostics:
        if problem.code.code in NOT_TOGETHER:
            raise UsageError(f"{problem.headline}; {problem.help}", [problem])
    return compilation


def _check_names(named: str, variants: Sequence[str]) -> None:
    if not named.strip():
        raise UsageError("no game is named")
    for name in (named, *variants):
        _refuse_devices(name)


def _compiled(
    named: str, variants: Sequence[str], compile: Callable[[str, Sequence[str]], Compilation]
) -> Compilation:
    """Return what one of the compilers says; what was named and cannot be read is wrong usage."""
    _check_names(named, variants)
    try:
        compilation = compile(named, tuple(variants))
    except OSError as error:
        raise UsageError(f"`{named}` cannot be read: {error.strerror}") from None
    for problem in compilation.diagnostics:
        if problem.code.code in UNREADABLE and _was_named(problem, compilation, named, variants):
            raise _unreadable(problem)
    return compilation


def _refuse_devices(named: str) -> None:
    """Raise the error for what has a place among the files and is none."""
    dead = dead_link(Path(named))
    if dead is not None:
        raise UsageError(f"`{named}` cannot be read: {dead}")
    kind = no_file(Path(named))
    if kind is not None:
        from rulewright.dsl.text.diagnostics import diagnostic
        from rulewright.dsl.text.source import Source

        help = f"it is {kind}, and rules are read from files only"
        problem = diagnostic("RW001", Source(named, "").end(), help=help, name=named)
        raise UsageError(f"error[RW001]: `{named}` is {kind}; rules are read from files", [problem])


def dead_link(path: Path) -> str | None:
    """Return what is wrong with a link, here or on the way, that leads nowhere."""
    for one in (path, path / "game.rules", *path.parents):
        try:
            if not one.is_symlink():
                continue
        except (OSError, ValueError):
            return None
        try:
            one.stat()
        except FileNotFoundError:
            return f"`{one}` is a link to `{one.readlink()}`, and nothing is there"
        except (OSError, ValueError) as error:
            return f"`{one}` is a link: {getattr(error, 'strerror', None) or error}"
    return None


def _unreadable(problem: Diagnostic) -> UsageError:
    code, help = problem.code.code, problem.help
    if code == UNKNOWN_GAME:
        import attrs

        from rulewright.dsl.files.library import shelf

        help = did_you_mean(problem.arguments["name"], shelf()) or help
        problem = attrs.evolve(problem, help=help)
    if code == UNKNOWN_VARIANT and Path(f"{problem.arguments['name']}.rules").is_file():
        help = f"did you mean the file `./{problem.arguments['name']}.rules`?"
    if code == "RW001" and help is None:
        near = _file_beside(problem.arguments["name"])
        help = f"did you mean `{near}`?" if near else None
    blamed = f"error[{code}]: " if code in UNREADABLE_FILES else ""
    return UsageError(f"{blamed}{problem.headline}" + (f"; {help}" if help else ""), [problem])


def _file_beside(named: str) -> str | None:
    """Return the rule file, or folder of a game, beside it that a path is a slip of."""
    path = Path(named)
    try:
        known = [
            one.name
            for one in sorted(path.parent.iterdir())
            if one.suffix == ".rules" or (one / "game.rules").is_file()
        ]
    except (OSError, ValueError):
        return None
    near = meant(path.name, known)
    return str(path.parent / near[0]) if near else None


def _was_named(
    problem: Diagnostic, compilation: Compilation, named: str, variants: Sequence[str]
) -> bool:
    from rulewright.dsl.files.library import shown_name

    place = problem.primary.span.source
    if place.text:
        return False
    target = compilation.target
    files = [path for path in (target.game, target.variant) if path is not None]
    # A variant that is named by its title is no file here, and its name is as good as another.
    shown = (shown_name(path) for path in (*files, *map(Path, variants)))
    return place.name in {"command line", named, *variants, *shown}


def complain(diagnostics: Iterable[Diagnostic]) -> None:
    """Print what is wrong with the rules."""
    from rulewright.dsl.text.render import render

    sys.stderr.write(render(diagnostics, colour=has_colours(sys.stderr)))


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream leads to a terminal whose owner likes colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def add_names(parser: argparse.ArgumentParser) -> None:
    """Add the names of the seats."""
    parser.add_argument("--names", metavar="ann,ben", help="what the players are called")


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the language in which people are spoken to."""
    parser.add_argument(
        "--language",
        metavar="L",
        help="say what is translated in this language: de, for example; the rest stays as it is",
    )


def words_for(game: model.Game | None, arguments: argparse.Namespace) -> Words:
    """Return the words of the language that is asked for."""
    from rulewright.interpreter.words.translation import ENGLISH, LanguageError, phrases, words_of

    language = arguments.language
    try:
        words = words_of(game, language)
    except LanguageError as error:
        raise UsageError(str(error)) from None
    if game is not None and words is not ENGLISH:
        silent = [] if language in game.languages else [f"`{printable(game.title)}`"]
        silent += [] if phrases(language) else ["the program itself"]
        for one in silent:
            sys.stderr.write(f"note: {one} says nothing in `{language}`, so that stays as it is\n")
    return words


def spoken(game: Game, arguments: argparse.Namespace) -> Game:
    """Return a game in the language that is asked for."""
    from rulewright.interpreter.words.translation import ENGLISH

    words = words_for(game.model, arguments)
    return game if words is ENGLISH else game.spoken(arguments.language)


def loaded(arguments: argparse.Namespace) -> Game:
    """Return the game that is named, with its variants, options, players and names."""
    found = playable(arguments.game, arguments.variant)
    given = getattr(arguments, "names", None)
    names = None if given is None else given.split(",")
    return loaded_for(found.game, arguments.players, arguments.option, names, found.folder)


def loaded_for(
    linked: model.Game,
    players: int | None,
    options: Iterable[str],
    names: Sequence[str] | None = None,
    folder: Path | None = None,
) -> Game:
    """Return a linked game for so many players, with the options that are named."""
    from rulewright.interpreter.play import api, loading

    try:
        return api.game_of(linked, players, options_of(options), names, folder)
    except (loading.PlayersError, loading.OptionError) as error:
        raise UsageError(str(error)) from None


def heading(game: Game, further: str) -> list[str]:
    """Return the lines that say which game this is, and what was decided otherwise than usual."""
    from rulewright.interpreter.engine.setup import decided, in_words

    linked, say = game.model, game.program.evaluator.words
    variants = ", ".join(map(say.name, linked.variants))
    title = say.name(linked.title)
    if variants:
        title = say("{title} with {variants}", title=title, variants=variants)
    lines = [f"{title}{further}"]
    chosen = decided(game.program.layout)
    if chosen:
        words = (f"{name}={in_words(value)}" for name, value in chosen.items())
        lines.append(say("options: {listed}", listed=", ".join(words)))
    return [printable(line) for line in lines]


def options_of(given: Iterable[str]) -> dict[str, str]:
    """Return the options written `name=value`; what they mean is checked where they are known."""
    chosen: dict[str, str] = {}
    for text in given:
        name, equals, written = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"`{text}` is no option: write --option name=value")
        chosen[name] = written
    return chosen


def pairs(texts: Iterable[str], what: str) -> Mapping[int, str]:
    """Return `2=random` and the like as a mapping from seat numbers to words."""
    found: dict[int, str] = {}
    for text in texts:
        number, equals, word = text.partition("=")
        if not equals or not (number.isascii() and number.isdigit() and len(number) < 4):
            raise UsageError(f"`{text}` is no {what}: write --{what} 2=random")
        if int(number) in found:
            raise UsageError(
                f"--{what} {int(number)} is given twice: {found[int(number)]} and {word}"
            )
        found[int(number)] = word
    return found
