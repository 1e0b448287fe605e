"""`rulewright list` and `rulewright explain`: what there is, and what a message means."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.dsl.files.disk import no_file
from rulewright.interpreter.cli.arguments import UsageError, add_language, unknown, words_for
from rulewright.interpreter.terminal.screen import width
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.dsl.files.library import GameTarget
    from rulewright.interpreter.terminal.shelf import ShelfDemand, ShelfEntry, ShelfOption
    from rulewright.interpreter.words.translation import Words

INDENT = " " * 4


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `list`."""
    parser.add_argument(
        "games",
        nargs="*",
        metavar="GAME",
        help="only these: games of the shelf, folders, or files; the whole shelf if none is given",
    )
    add_language(parser)


def run_list(arguments: argparse.Namespace) -> int:
    """Print the shelf: games, players, variants, options and rulings."""
    from rulewright.dsl.files import disk
    from rulewright.interpreter.terminal import shelf

    names = disk.shelf()
    chosen = arguments.games or names
    own = {name: _folder(name) for name in chosen if name not in names}
    on_shelf = [one for one in shelf.entries() if one.name in chosen]
    files = {name: Path(name) if Path(name).is_file() else None for name in own}
    variants = {name: path for name, path in files.items() if path and shelf.game_of(path)}
    shown = [
        *on_shelf,
        *(shelf.entry(name, folder, variants.get(name)) for name, folder in own.items()),
    ]
    say = _speaker(arguments, own)
    blocks = ["\n".join(_lines(one, say(one.name))) for one in shown]
    sys.stdout.write("\n\n".join(blocks) + "\n")
    return FINE


def _speaker(arguments: argparse.Namespace, own: Mapping[str, Path]) -> Callable[[str], Words]:
    """Return what gives the words for a game in the language that is asked for."""
    from rulewright.dsl.files import disk
    from rulewright.interpreter.terminal import shelf
    from rulewright.interpreter.words import translation

    language = arguments.language
    if language is None:
        return lambda name: translation.ENGLISH

    def texts(name: str) -> Mapping[str, str]:
        folder = own[name] if name in own else disk.packaged("games") / name
        return shelf.texts(folder, language)

    known = translation.phrases(language)
    if not known and not any(texts(name) for name in arguments.games or disk.shelf()):
        words_for(None, arguments)  # says what there is
    return lambda name: translation.Words({**known, **texts(name)})


def _folder(named: str) -> Path:
    """Return the folder of a game that is no game of the shelf."""
    from rulewright.dsl.files import library

    kind = no_file(Path(named))
    if kind is not None:
        raise UsageError(f"`{named}` is {kind}; rules are read from files")
    try:
        target, problems = library.find_target(named)
    except (OSError, ValueError):
        raise unknown("game of the shelf", named, library.shelf()) from None
    if target is None and problems[0].code.code == "RW012":
        raise unknown("game of the shelf", named, library.shelf(), "`rulewright list` shows all")
    if target is None or target.game is None:
        help = problems[0].help if problems else None
        wrong = problems[0].headline if problems else f"`{named}` is no game"
        raise UsageError(wrong + (f"; {help}" if help else ""))
    return _game_of(named, target)


def _game_of(named: str, target: GameTarget) -> Path:
    """Return the folder of a game, also if a variant of it is named that lies anywhere."""
    from rulewright.dsl.files import library
    from rulewright.interpreter.terminal import shelf

    path = target.variant or target.game
    name = None if path is None or path.name == "game.rules" else shelf.game_of(path)
    if path is None or name is None:
        return target.folder
    found = library.game_folder(name, path.resolve())
    if found is None:
        raise UsageError(f"`{named}` is a variant of `{name}`, which is not found")
    return found


def _lines(entry: ShelfEntry, say: Words) -> Iterator[str]:
    players = how_many(entry.least_players, entry.most_players, say)
    yield printable(f"{entry.name}: {say.name(entry.title)}, {players}")
    for question in entry.questions:
        yield from _question(question, INDENT, say)
    for demand in entry.demands:
        yield from _demand(demand, INDENT, say)
    for variant in entry.variants:
        title = say('variant "{title}"', title=say.name(variant.title))
        players = f", {how_many(*variant.players, say)}" if variant.players else ""
        yield printable(f"{INDENT}{title} ({variant.file}){players}")
        for relation in variant.relations:
            yield printable(f"{INDENT * 2}{relation}")
        for question in variant.questions:
            yield from _question(question, INDENT * 2, say)
        for demand in variant.demands:
            yield from _demand(demand, INDENT * 2, say)


def how_many(least: int, most: int, say: Words) -> str:
    """Return how many can play."""
    if least < most:
        return say("{low} to {high} players", low=least, high=most)
    return say("1 player") if least == 1 else say("{number} players", number=least)


def _question(question: ShelfOption, indent: str, say: Words) -> Iterator[str]:
    others = ", ".join(question.others())
    head = f"{say(question.word)} {question.name} = {question.default}"
    text = "from {others}" if question.type.startswith("number") else "or {others}"
    further = f" ({say(text, others=others)})" if others else ""
    yield printable(f"{indent}{head}{further}")
    yield from _text(question.text, indent + INDENT, say)


def _demand(demand: ShelfDemand, indent: str, say: Words) -> Iterator[str]:
    yield from textwrap.wrap(
        printable(demand.condition),
        width(),
        initial_indent=indent,
        subsequent_indent=indent + INDENT * 2,
        break_on_hyphens=False,
    )
    yield from _text(demand.text, indent + INDENT, say)


def _text(text: str, indent: str, say: Words) -> Iterator[str]:
    yield from textwrap.wrap(
        printable(say.name(text)),
        width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("code", metavar="CODE", help="RW201, 201 or unknown-name")


def run_explain(arguments: argparse.Namespace) -> int:
    """Print the page of a code."""
    from rulewright.dsl.text import codes

    page = codes.hint(arguments.code)
    if page is None:
        near = codes.nearest_codes(arguments.code)
        hint = f"did you mean `{near[0]}`?" if near else "a code looks like RW201"
        raise UsageError(f"no code is called `{arguments.code}`; {hint}")
    sys.stdout.write(page if page.endswith("\n") else page + "\n")
    return FINE
