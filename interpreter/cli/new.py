"""`rulewright new variant`, `new game` and `new translation`: files to start from, which link as they are."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.dsl.files import disk
from rulewright.interpreter.cli.arguments import UsageError, WordArgument, compiled, sound
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import printable

if TYPE_CHECKING:
    from rulewright.dsl.frontend.frontend import Compilation

THINGS = ("variant", "game", "translation")
USAGE = 'write `rulewright new variant "Name" of GAME` or `rulewright new game "Name"`'

GAME = """\
language 1
game "{title}" for 2..4 players                          # who can play
# book "book.md"                                         # the rule book, restated; then lines can end in: see Section
use turns(turn)                                          # one after the other; `turn` below says what a turn is

# ------------------------------------------------------------------ numbers that a variant may change
define goal = 5

# ------------------------------------------------------------------ what there is
each Player has, seen by players
  score: number = 0

# ------------------------------------------------------------------ what one does
to play                                                  # the game starts here
  play_in_turns

to turn
  choose action from [walk, take_a_chance]
  do action

to walk "Walk: one point"
  add 1 to my.score

to take_a_chance "Take a chance: none to three points"
  add random(0..3) to my.score

# ------------------------------------------------------------------ the end
after turn when my.score >= goal
  end game "the goal is reached"

ranking
  most my.score

# ------------------------------------------------------------------ worked examples: `check` runs them
example "Walking brings a point"
  players ann, ben
  do ann: walk
  expect ann.score is 1
"""


def add_new(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `new`."""
    parser.add_argument(
        "what",
        type=WordArgument("kind of file", THINGS),
        metavar="|".join(THINGS),
        help="what to write",
    )
    parser.add_argument(
        "words",
        nargs="+",
        metavar='"Name" [of GAME]',
        help="its title, of a translation its language (de); of both what they are of",
    )
    parser.add_argument("--folder", default=".", metavar="F", help="where to write it (here)")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")


def run_new(arguments: argparse.Namespace) -> int:
    """Write a file to start from, and say what to do with it."""
    folder = Path(arguments.folder)
    # The first variant of a game finds no folder yet; a translation lies in one of its own.
    is_first = folder.name == "variants" and (folder.parent / "game.rules").is_file()
    is_new = arguments.what == "translation" and folder.absolute().parent.is_dir()
    if not folder.is_dir() and not ((is_first or is_new) and not folder.exists()):
        missing = folder.parent if arguments.what == "translation" else arguments.folder
        raise UsageError(f"there is no folder `{missing}`")
    if arguments.what == "game":
        if len(arguments.words) != 1:
            raise UsageError(f"a game has a name and nothing else; {USAGE}")
        return _new_game(arguments.words[0], folder, arguments.force)
    if len(arguments.words) != 3 or arguments.words[1] != "of":
        if arguments.what == "translation":
            raise UsageError("write `rulewright new translation de of GAME`")
        raise UsageError(f"a variant has a name and a game; {USAGE}")
    title, _, named = arguments.words
    if arguments.what == "translation":
        return _new_translation(title, named, folder, arguments.force)
    return _new_variant(title, named, folder, arguments.force)


def _new_variant(title: str, named: str, folder: Path, force: bool) -> int:
    _check_title(title)
    compilation = compiled(named)
    _check_game(compilation, named, title)
    path = folder / f"{slug(title)}.rules"
    shown = _shown(path)
    _refuse_to_overwrite(path, shown, force)

    from rulewright.dsl.text.diagnostics import RulesError
    from rulewright.dsl.tools.scaffold import variant_text

    try:
        scaffold = variant_text(shlex.quote(named), title, shlex.quote(shown), compilation)
    except RulesError as error:
        name = compilation.target.name
        raise UsageError(
            f"a variant calls its game by its folder, and `{name}` cannot stand there"
            f" ({error.diagnostics[0].headline}); rename the folder"
        ) from None
    _write(path, shown, scaffold.text, force)
    _say(
        f"{shown}: a variant of {named} that changes nothing yet",
        f"{scaffold.offers} things that can be changed, {len(scaffold.amendments)} amendments to start from",
        f"rulewright check {shlex.quote(shown)}",
    )
    return FINE


def _new_translation(language: str, named: str, folder: Path, force: bool) -> int:
    """Write a table of all texts, with the translations that there are."""
    import csv
    import io

    from rulewright.dsl.frontend.translations import rows
    from rulewright.dsl.typecheck.tables import LANGUAGE

    if not LANGUAGE.fullmatch(language):
        raise UsageError(f"`{language}` is no language: write de, fr, pt_BR")
    compilation = compiled(named)
    game = sound(compilation, named)
    path = folder / f"{language}.csv"
    shown = _shown(path)
    _refuse_to_overwrite(path, shown, force)
    assert compilation.world is not None, "what has been linked has a world"
    others = [one.file for one in compilation.variants]
    found = rows(game, compilation.world, others, language)
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([("text", "translation"), *found])
    _write(path, shown, written.getvalue(), force)
    missing = sum(not translation for _, translation in found)
    _say(
        f"{shown}: the {len(found)} texts of {named}, {missing} of them not translated yet",
        "what is left empty stays as it is; it counts in the folder `texts` of the game",
        f"rulewright play {shlex.quote(named)} --language {language}",
    )
    return FINE


def _check_game(compilation: Compilation, named: str, title: str) -> None:
    """Raise the error for a game of which there can be no such variant."""
    if sound(compilation, named).variants:
        raise UsageError(f"`{named}` is a variant; a variant is one of a game")
    if title in {one.title for one in compilation.variants}:
        raise UsageError(f"{named} has a variant `{title}` already; give it another name")


def _new_game(title: str, folder: Path, force: bool) -> int:
    from rulewright.dsl.model.builtins import RESERVED

    _check_title(title)
    name = slug(title)
    # Variants call the game by its folder, so that may be no reserved word.
    home = folder / (f"{name}_game" if name in RESERVED else name)
    path = home / "game.rules"
    shown = _shown(path)
    _refuse_to_overwrite(path, shown, force)
    _write(path, shown, GAME.format(title=title), force)
    place = shlex.quote(shown.removesuffix("/game.rules"))
    _say(
        f"{shown}: a small game that can be played",
        f"rulewright check {place}",
        f"rulewright play {place}",
        f'rulewright new variant "House rule" of {place}',
    )
    return FINE


def _shown(path: Path) -> str:
    """Return a path so that a command takes it for one."""
    text = path.as_posix()
    return text if path.is_absolute() or text.startswith(".") else f"./{text}"


def slug(title: str) -> str:
    """Return a title as the name of a file or folder: small letters, digits and _."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    name = "_".join(words) or "untitled"
    return f"_{name}" if name[0].isdigit() else name


LONGEST_TITLE = 100
"""A title names a file as well."""


def _check_title(title: str) -> None:
    if not title.strip():
        raise UsageError("the name is empty")
    if len(title) > LONGEST_TITLE:
        raise UsageError(f"the name is too long: at most {LONGEST_TITLE} letters")
    wrong = next((one for one in title if one in '"{}\\' or not one.isprintable()), None)
    if wrong is not None:
        raise UsageError(f"a name cannot contain {wrong!r}")


def _refuse_to_overwrite(path: Path, shown: str, force: bool) -> None:
    try:
        is_there = path.exists()
    except OSError as error:
        raise UsageError(f"`{shown}` cannot be written: {error.strerror}") from None
    if is_there and not force:
        raise UsageError(f"`{shown}` is there already; --force overwrites it")


def _write(path: Path, shown: str, text: str, force: bool) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        disk.write(path, text, new=not force)
    except OSError as error:
        raise UsageError(f"`{shown}` cannot be written: {error.strerror}") from None


def _say(*lines: str) -> None:
    sys.stdout.write(f"{printable(lines[0])}\n")
    sys.stdout.write("".join(f"  {printable(line)}\n" for line in lines[1:]))
