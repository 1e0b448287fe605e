"""`rulewright rules`: the effective rule book, for somebody who reads it beside the printed one.

What is decided before the game comes first, with the value in force; then the rules in the order of
the game's file, every amendment at the place where it acts.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    add_format,
    add_game_alone,
    add_language,
    add_options,
    add_players,
    add_variants,
    compiled,
    loaded_for,
    sound,
    words_for,
)
from rulewright.interpreter.cli.shelf import how_many
from rulewright.interpreter.terminal.screen import width
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.dsl.tools.effective_rulebook import RuleBook, RuleFile, RuleLine
    from rulewright.dsl.tools.effective_text import Author
    from rulewright.interpreter.play.api import Game
    from rulewright.interpreter.words.translation import Words

FORMATS = ("text", "markdown")
MARKS = {"": " ", "added": "+", "changed": "~", "replaced": "-"}
LEGEND = (
    "Lines with + are added, those with ~ change a value, those with - hold no longer;"
    " the line with > above them says by whom, and where that is written."
)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `rules`."""
    add_game_alone(parser)
    add_variants(parser)
    add_options(parser)
    add_language(parser)
    add_players(parser)
    parser.add_argument(
        "--library", action="store_true", help="show the modules of the library as well"
    )
    parser.add_argument(
        "--examples", action="store_true", help="show the worked examples, not their titles alone"
    )
    add_format(parser, FORMATS, "plain text (the default) or Markdown")


def run_rules(arguments: argparse.Namespace) -> int:
    """Print the rules of a game as they are with its variants."""
    from rulewright.dsl.tools.effective_rulebook import rule_book

    compilation = compiled(arguments.game, arguments.variant)
    linked = sound(compilation, arguments.game)
    loaded = loaded_for(linked, arguments.players, arguments.option)
    assert compilation.world is not None, "a game that is linked has a world"
    folder = compilation.target.folder
    book = rule_book(compilation.world, linked, folder, modules=arguments.library)
    write = _MarkdownWriter if arguments.format == "markdown" else _TextWriter
    words = words_for(linked, arguments)
    lines = write(book, loaded, words, examples=arguments.examples).lines()
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FINE


# ------------------------------------------------------------------------------------------ writing


class _TextWriter:
    """Writes a rule book as plain text."""

    def __init__(self, book: RuleBook, loaded: Game, words: Words, *, examples: bool) -> None:
        self.book = book
        self.loaded = loaded
        self.words = words
        self.examples = examples
        self.author: Author | None = None

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self.head()
        yield from self.questions()
        for part in self.book.parts:
            yield from self.part(part)

    def title(self, text: str, level: int) -> Iterator[str]:
        """Yield a heading: of the book (0), of a part (1), inside a part (2)."""
        text = printable(text)
        if level:
            yield ""
        yield text
        yield ("=" if level < 2 else "-") * len(text)

    def paragraph(self, text: str) -> Iterator[str]:
        """Yield text for people."""
        yield from textwrap.wrap(printable(text), width(), break_on_hyphens=False)

    def item(self, text: str) -> Iterator[str]:
        """Yield one item of a list."""
        yield from textwrap.wrap(
            printable(text),
            width(),
            initial_indent="  ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )

    def opened(self) -> Iterator[str]:
        """Yield what stands above rule text."""
        return iter(())

    def closed(self) -> Iterator[str]:
        """Yield what stands below rule text."""
        return iter(())

    def head(self) -> Iterator[str]:
        """Yield title, players and variants."""
        game, say = self.book.game, self.words
        players = how_many(game.least_players, game.most_players, say)
        title = say.name(game.title)
        yield from self.title(say("{title}, for {players}", title=title, players=players), 0)
        if self.book.variants:
            yield from self.paragraph(say("With the variants:"))
            for title, file in self.book.variants:
                yield from self.item(f"{say.name(title)}, {file}")
        if any(line.mark for part in self.book.parts for line in part.lines):
            yield ""
            yield from self.paragraph(say(LEGEND))

    def questions(self) -> Iterator[str]:
        """Yield the options and rulings with their values in force."""
        from rulewright.interpreter.engine.setup import in_words

        options = self.book.game.options
        if not options:
            return
        say = self.words
        yield from self.title(say("Decided before the game"), 1)
        values = self.loaded.program.layout.options
        for name, option in options.items():
            value, default = in_words(values[name]), " ".join(option.default.span.text.split())
            usual = "" if value == default else f" ({say('otherwise {value}', value=default)})"
            word = say("ruling" if option.ruling else "option")
            text = f" {say.name(option.question)}" if option.question else ""
            yield from self.item(f"{word} {name} = {value}{usual}.{text}")

    # ----------------------------------------------------------------------------------- the parts

    def part(self, part: RuleFile) -> Iterator[str]:
        """Yield the lines of one file."""
        words = {
            "game": "The rules",
            "variant": "Added by {title}",
            "module": "Library: {title}",
            "examples": "Worked examples: {title}",
        }
        head = self.words(words[part.kind], title=self.words.name(part.title))
        yield from self.title(f"{head} ({part.place})", 1)
        self.author = None
        shown = part.lines
        if part.kind == "examples" and not self.examples:
            shown = tuple(line for line in shown if line.text.startswith("example"))
        yield from self.opened()
        waiting = False  # a blank line, which is written if something follows
        begun = False
        for line in shown:
            if not line.text:
                waiting = begun
                continue
            if line.heading:
                yield from self.closed()
                yield from self.title(line.heading, 2)
                yield from self.opened()
                self.author = None
                waiting = begun = False
                continue
            if waiting:
                yield ""
            waiting, begun = False, True
            yield from self.rule(line)
        yield from self.closed()

    def rule(self, line: RuleLine) -> Iterator[str]:
        """Yield a line of the rules, with who changes it if that is another one than above."""
        if line.author is not None and line.author != self.author:
            word = "replaced by " if line.mark == "replaced" else ""
            yield printable(f"> {word}{line.author.name}, {line.author.place}")
        self.author = line.author
        mark = MARKS[line.mark]
        for text in _wrapped(line, self.words):
            yield f"{mark} {printable(text)}"


def _said(text: str, words: Words) -> str:
    """Return a line of the rules with its texts in another language."""
    return re.sub(r'"([^"]*)"', lambda quoted: f'"{words.name(quoted[1])}"', text)


def _wrapped(line: RuleLine, words: Words) -> Iterator[str]:
    """Yield a line of the rules; what is too long is broken, first before its citation."""
    cited = line.cited if line.cited > 0 else len(line.text)
    told = _said(line.text[:cited], words)
    whole = told + line.text[cited:]
    if line.elsewhere:
        places = ", ".join(f"`{place}`" for place in line.elsewhere)
        whole = f"{whole}   -> shown at {places}"
    room = width() - len("+ ")
    if len(whole) <= room:
        yield whole
        return
    indent = " " * (len(whole) - len(whole.lstrip()))
    cut = len(told) if line.cited > 0 else len(whole)
    yield from textwrap.wrap(
        whole[:cut].strip(),
        room,
        initial_indent=indent,
        subsequent_indent=indent + " " * 6,
        break_on_hyphens=False,
        break_long_words=False,
    )
    yield from textwrap.wrap(
        re.sub(r"\s+", " ", whole[cut:]).strip(),
        room,
        initial_indent=indent + " " * 8,
        subsequent_indent=indent + " " * 12,
        break_on_hyphens=False,
        break_long_words=False,
    )


class _MarkdownWriter(_TextWriter):
    """Writes a rule book as Markdown; rule text is a `diff`, so that marked lines are coloured."""

    def title(self, text: str, level: int) -> Iterator[str]:
        if level:
            yield ""
        yield f"{'#' * (level + 1)} {printable(text)}"
        yield ""

    def item(self, text: str) -> Iterator[str]:
        yield f"- {printable(text)}"

    def opened(self) -> Iterator[str]:
        yield "```diff"

    def closed(self) -> Iterator[str]:
        yield "```"
