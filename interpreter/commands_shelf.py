"""`rulewright list` and `rulewright explain`: what there is, and what a message means."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.interpreter.arguments import FINE, UsageError, no_file, printable, unknown

if TYPE_CHECKING:
    from rulewright.interpreter.shelf import Entry, Question

WIDTH = 96
INDENT = " " * 4


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `list`."""
    parser.add_argument(
        "games",
        nargs="*",
        metavar="GAME",
        help="only these: games of the shelf, or folders; the whole shelf if none is given",
    )


def run_list(arguments: argparse.Namespace) -> int:
    """Print the shelf: games, players, variants, options and rulings."""
    from rulewright.dsl import folders
    from rulewright.interpreter import shelf

    names = folders.shelf()
    chosen = arguments.games or names
    own = {name: _folder(name) for name in chosen if name not in names}
    on_shelf = [one for one in shelf.entries() if one.name in chosen]
    shown = [*on_shelf, *(shelf.entry(name, folder) for name, folder in own.items())]
    blocks = ["\n".join(_lines(one)) for one in shown]
    sys.stdout.write("\n\n".join(blocks) + "\n")
    return FINE


def _folder(named: str) -> Path:
    """Return the folder of a game that is no game of the shelf."""
    from rulewright.dsl import library

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
    return target.folder


def _lines(entry: Entry) -> Iterator[str]:
    players = f"{entry.least_players} to {entry.most_players} players"
    if entry.least_players == entry.most_players:
        players = "1 player" if entry.least_players == 1 else f"{entry.least_players} players"
    yield printable(f"{entry.name}: {entry.title}, {players}")
    for question in entry.questions:
        yield from _question(question, INDENT)
    for variant in entry.variants:
        yield printable(f'{INDENT}variant "{variant.title}" ({variant.file})')
        for question in variant.questions:
            yield from _question(question, INDENT * 2)


def _question(question: Question, indent: str) -> Iterator[str]:
    others = ", ".join(question.others())
    head = f"{question.word} {question.name} = {question.default}"
    word = "from" if question.type.startswith("number") else "or"
    yield printable(f"{indent}{head} ({word} {others})" if others else f"{indent}{head}")
    inner = indent + INDENT
    yield from textwrap.wrap(
        printable(question.text),
        WIDTH,
        initial_indent=inner,
        subsequent_indent=inner,
        break_on_hyphens=False,
    )


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    parser.add_argument("code", metavar="CODE", help="RW201, 201 or unknown-name")


def run_explain(arguments: argparse.Namespace) -> int:
    """Print the page of a code."""
    from rulewright.dsl import pages

    page = pages.hint(arguments.code)
    if page is None:
        near = pages.nearest_codes(arguments.code)
        hint = f"did you mean `{near[0]}`?" if near else "a code looks like RW201"
        raise UsageError(f"no code is called `{arguments.code}`; {hint}")
    sys.stdout.write(page if page.endswith("\n") else page + "\n")
    return FINE
