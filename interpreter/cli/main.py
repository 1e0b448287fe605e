"""The command line: parses the arguments, runs a command and returns its exit status.

Status 0: fine. 1: the rules are wrong. 2: the command was wrong. Whatever goes wrong is one line on
stderr (or, if it is in the rules, their diagnostics), never a traceback; a mistake of ours is shown
with its traceback if the environment variable RULEWRIGHT_TRACEBACK is set.

Nothing slow is imported here: each command imports what it needs when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.cli.arguments import UsageError, complain
from rulewright.interpreter.terminal.status import (
    FINE,
    INTERRUPTED,
    RULES_WRONG,
    WRONG_USAGE,
    Refused,
    rules_error,
)
from rulewright.interpreter.words.text import printable, shortened

PROGRAM = "rulewright"
OWN_MISTAKE = 70
NO_READER = 141
NO_OUTPUT = 74


class Command:
    """A sub-command: its summary, an example, and the module with its functions.

    `{game}` in the example stands for some game of the shelf. Of the command `play` they are called
    `add_play`, which adds its arguments to a parser, and `run_play`; the module is imported when
    one of them is called.
    """

    def __init__(self, name: str, summary: str, example: str, module: str) -> None:
        self.name = name
        self.summary = summary
        self.example = example
        self.module = module

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command."""
        self._function("add")(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the command and return its exit status."""
        status: int = self._function("run")(arguments)
        return status

    def _function(self, prefix: str) -> Callable[..., Any]:
        module = import_module(f"rulewright.interpreter.cli.{self.module}")
        found: Callable[..., Any] = getattr(module, f"{prefix}_{self.name}")
        return found


COMMANDS = (
    Command(
        "list",
        "show the games of the shelf with their variants, options and rulings",
        "list {game}",
        "shelf",
    ),
    Command(
        "play",
        "play a game at the keyboard, or let programs play it",
        "play {game} --agents random --seed 7",
        "play",
    ),
    Command(
        "serve",
        "open tables in the browser, for friends who join by a link",
        "serve {game}",
        "serve",
    ),
    Command(
        "replay",
        "play the answers of a saved game once more, to the first difference under other rules",
        "replay game.save --rules {game}",
        "replay",
    ),
    Command(
        "state",
        "show the table as a seat sees it, or draw its map as a picture",
        "state {game} --seed 7",
        "play",
    ),
    Command(
        "check",
        "find everything that is wrong with rule files, their examples and variants",
        "check {game}",
        "check",
    ),
    Command(
        "playout",
        "play random games and show how they end, how long they are, and who wins",
        "playout {game} -n 20 --seed 7",
        "playout",
    ),
    Command(
        "arena",
        "let agents play each other, and show who wins how often, and how sure that is",
        "arena {game} --agents search:50,random -n 2 --seed 7",
        "arena",
    ),
    Command(
        "build",
        "compile what is generated for a game, so that many random games run faster",
        "build {game} --players 2",
        "compiled",
    ),
    Command(
        "coverage",
        "find sections without a rule, rules without a section, and what random games never show",
        "coverage {game} -n 20",
        "coverage",
    ),
    Command(
        "graph",
        "draw the action graphs of a game, with its variants spliced in",
        "graph {game} --format mermaid",
        "compiled",
    ),
    Command(
        "rules",
        "show the rules as they are with variants, and who says what",
        "rules {game}",
        "rules",
    ),
    Command(
        "new",
        "write a variant or a game to start from",
        'new variant "House rule" of {game}',
        "new",
    ),
    Command(
        "why",
        "say why something is possible or not, and by which rule",
        "why {game} --seed 7",
        "play",
    ),
    Command(
        "explain",
        "explain the code of a message",
        "explain RW411",
        "shelf",
    ),
)


def _command(name: str) -> Command:
    return next(command for command in COMMANDS if command.name == name)


def example(template: str) -> str:
    """Return an example as it can be typed."""
    from rulewright.dsl.files import disk

    game = next(iter(disk.shelf()), "GAME")
    return f"{PROGRAM} {template.format(game=game)}"


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    example = ""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def format_help(self) -> str:
        return f"{super().format_help()}\nexample: {example(self.example)}\n"


def _parsers() -> tuple[_Parser, dict[str, _Parser]]:
    parser = _Parser(
        prog=PROGRAM,
        description="Board and card games as plain-text rule files, checked and played.",
        allow_abbrev=False,
    )
    parser.example = "play {game} --seed 7"
    parser.add_argument("--version", action="store_true", help="show the version and leave")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    parsers = {}
    for command in COMMANDS:
        parsers[command.name] = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.summary[0].upper() + command.summary[1:] + ".",
            allow_abbrev=False,
        )
        parsers[command.name].example = command.example
    return parser, parsers


def _parse(words: Sequence[str]) -> argparse.Namespace:
    parser, parsers = _parsers()
    at = next((at for at, word in enumerate(words) if not word.startswith("-")), len(words))
    arguments, rest = parser.parse_known_args(words[:at])
    if rest:
        _complain_of_rest(rest, parser)
    if at == len(words) or arguments.version:
        return arguments
    if words[at] not in parsers:
        near = nearest(words[at], parsers)
        hint = f"did you mean `{near[0]}`?" if near else f"commands: {', '.join(parsers)}"
        raise UsageError(f"no command is called `{words[at]}`; {hint}")
    chosen = parsers[words[at]]
    _command(words[at]).add(chosen)
    # Arguments may stand before, between and behind options.
    arguments, rest = chosen.parse_known_intermixed_args(_joined(words[at + 1 :]))
    if rest:
        _complain_of_rest(rest, chosen)
    arguments.command, arguments.version = words[at], False
    return arguments


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words with `--seat -1=human` as one, so that -1 is not taken for an option."""
    joined: list[str] = []
    for word in words:
        if re.match(r"-\d", word) and joined and re.fullmatch(r"--[a-z]+", joined[-1]):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _complain_of_rest(rest: Sequence[str], parser: argparse.ArgumentParser) -> NoReturn:
    """Raise the error for what no argument takes."""
    word = next((word for word in rest if word.startswith("-")), None)
    if word is None:
        raise UsageError(f"`{rest[0]}` is one argument too many (see `{parser.prog} --help`)")
    option = word.partition("=")[0]
    known = [name for action in parser._actions for name in action.option_strings]
    near = nearest(option, known)
    hint = f"did you mean `{near[0]}`?" if near else f"see `{parser.prog} --help`"
    raise UsageError(f"`{parser.prog}` has no option `{option}`; {hint}")


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version(PROGRAM)
    except PackageNotFoundError:
        number = "from a folder that is not installed"
    sys.stdout.write(f"{PROGRAM} {number}\n")
    return FINE


def run(words: Sequence[str]) -> int:
    """Run a command line and return its exit status; only `main` catches what goes wrong."""
    arguments = _parse(words)
    if arguments.version:
        return _version()
    if arguments.command is None:
        _parsers()[0].print_help()
        return FINE
    command = _command(arguments.command)
    if not getattr(arguments, "no_cache", False):
        return command.run(arguments)

    from rulewright.dsl.files import cache

    # Not even the trees of the library, nor the tables of the grammar.
    with cache.unused():
        return command.run(arguments)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (or that of the process) and return its exit status."""
    _prepare_streams()
    if words is None:
        # Trees, models and graphs stay: searching them for garbage costs a tenth of the time.
        gc.set_threshold(100_000, 20, 20)
    try:
        status = run(sys.argv[1:] if words is None else words)
        sys.stdout.flush()
    except UsageError as error:
        status = _fail(str(error), WRONG_USAGE)
    except Refused as error:
        status = error.status
    except SystemExit as leaving:  # from --help
        status = leaving.code if isinstance(leaving.code, int) else FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _drop_output()
        return NO_READER
    except OSError as error:
        _drop_output()
        wrong = error.errno in (errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)
        name = str(error.filename)[:60] if wrong and error.filename else ""
        status = (
            _fail(f"`{name}`: {error.strerror}", WRONG_USAGE)
            if name
            else _fail(f"cannot go on: {error.strerror or error}", NO_OUTPUT)
        )
    except Exception as error:
        status = _unexpected(error)
    return status


def _drop_output() -> None:
    """Let Python not try again, at the end of the program, to write what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"{PROGRAM}: {shortened(printable(message))}\n")
    return status


def _unexpected(error: Exception) -> int:
    """Report a rules error that ended a game, or a mistake of ours."""
    from rulewright.dsl.text.diagnostics import RulesError
    from rulewright.interpreter.state.errors import PlayError

    if os.environ.get("RULEWRIGHT_TRACEBACK"):
        raise error
    if isinstance(error, PlayError | RulesError):
        sys.stdout.flush()
        complain([rules_error(error)] if isinstance(error, PlayError) else error.diagnostics)
        return RULES_WRONG
    text = str(error).partition("\n")[0]
    return _fail(
        f"a mistake of ours: {type(error).__name__}: {text}"
        " (set RULEWRIGHT_TRACEBACK=1 to see where, and please report it)",
        OWN_MISTAKE,
    )


def _prepare_streams() -> None:
    """Let nothing that a terminal or a file cannot show end the program, nor a closed stream."""
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
