"""How many mistakes of an author does `check` find? Games of the shelf with one slip each.

    python tests/authors_mistakes.py -n 300 --seed 1 --jobs 2 [--game jump_drive] [--class visibility]

A mistake is plausible: it still reads like a rule. A number is off by one or two, a comparison is
turned, a player, a zone or a word of order is another, a step is missing or comes too early, a
condition is turned or missing, a secret is seen by more or by fewer. It is made at a random place in the rules of a
game or of one of its variants, outside of examples, texts, comments and citations. The game is then
checked as `rulewright check` does it: an error or a warning means that the mistake is caught. What survives is played
side by side with the original (`plays_alike`), and printed with its line and what is seen of it:

- every definition means the same, and no difference is seen: it is no mistake, and not counted;
- no difference is seen: it may be none (`current` in place of `me` where they are the same), or is rarely seen;
- it plays differently, and how.

Two shares are told: what is caught of all, and of those that are not known to play alike (what is
caught is not played).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import random
import re
import shutil
import signal
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import plays_alike

from rulewright.dsl.files import cache, library
from rulewright.interpreter.cli.main import main as rulewright
from rulewright.interpreter.cli.variant_sets import linked_with_needed
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.testing.examples import Runner

SECONDS = 120
"""A check that takes more processor time is given up."""


@attrs.frozen
class Mistake:
    """One line of a file of a game, and what stands there by mistake."""

    kind: str
    game: str
    file: str
    number: int
    """The number of the line, from 1."""

    old: str
    new: tuple[str, ...]
    """The lines that take its place: none if it is missing."""

    lines: int = 1
    """How many lines they take the place of."""

    def __str__(self) -> str:
        new = " / ".join(line.strip() for line in self.new) or "(missing)"
        return f"{self.kind}: games/{self.game}/{self.file}:{self.number}\n  - {self.old.strip()}\n  + {new}"


# ------------------------------------------------------------------------------------- lines of rules

_TEXT = re.compile(r'"[^"]*"')
_BEHIND = re.compile(r"(?:^|\s{2,}|\s)(?:see [A-Z].*|#.*)$")
_EXAMPLE = re.compile(r"(?:example|check|table)\b")
_HEAD = re.compile(r"(?:language|game|variant|book|use|includes|requires|excludes|no rules)\b")
_DECLARES = re.compile(r"(?:each|the game|kind|table|option|ruling)\b")


def masked(line: str) -> str:
    """Return a line in which texts, comments and citations are blanks: all else stays in its place."""
    line = _TEXT.sub(lambda found: '"' + " " * (len(found.group()) - 2) + '"', line)
    return _BEHIND.sub(lambda found: " " * len(found.group()), line)


@attrs.frozen
class Line:
    """A line of the rules of a game, which is no part of an example."""

    game: str
    file: str
    number: int
    text: str
    mask: str
    declares: bool
    """Whether it stands in a declaration, not in steps or values."""

    def mistake(self, kind: str, found: re.Match[str], new: str) -> Mistake:
        """Return the mistake that puts something else where a match stands."""
        text = self.text[: found.start()] + new + self.text[found.end() :]
        return Mistake(kind, self.game, self.file, self.number, self.text, (text,))


def rule_lines(game: str, folder: Path) -> Iterator[Line]:
    """Yield the lines of a game in which an author may go wrong."""
    for path in sorted(folder.rglob("*.rules")):
        top = ""
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            mask = masked(text)
            if not mask.strip():
                continue
            if not text.startswith(" "):
                top = mask
            if _EXAMPLE.match(top) or _HEAD.match(top):
                continue
            name = path.relative_to(folder).as_posix()
            yield Line(game, name, number, text, mask, bool(_DECLARES.match(top)))


# ------------------------------------------------------------------------------------------ mistakes

Maker = Callable[[Sequence[Line]], Iterator[Mistake]]

_COMPARISONS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "is not": ("is",),
    "is": ("is not",),
}
_PLAYERS = {
    "me": ("current", "first(others(me))"),
    "my.": ("current.", "first(others(me))."),
    "others(me)": ("players", "[me]"),
    "players": ("others(me)",),
    "current": ("me", "next_player"),
    "next_player": ("current",),
    "owner": ("me",),
}
_ORDER = {
    "and": ("or",),
    "or": ("and",),
    "first": ("last",),
    "last": ("first",),
    "most": ("fewest",),
    "fewest": ("most",),
    "min": ("max",),
    "max": ("min",),
    "every": ("some",),
    "some": ("every", "no"),
    "no": ("some",),
    "yes": ("no",),
    "before": ("after",),
    "after": ("before",),
    "top": ("bottom",),
}


def _words(kind: str, table: Mapping[str, Sequence[str]], pattern: str) -> Maker:
    search = re.compile(pattern)

    def make(lines: Sequence[Line]) -> Iterator[Mistake]:
        for line in lines:
            for found in search.finditer(line.mask):
                for new in table[" ".join(found.group().split())]:
                    yield line.mistake(kind, found, new)

    return make


def numbers(lines: Sequence[Line]) -> Iterator[Mistake]:
    """Yield numbers that are off by one or two."""
    for line in lines:
        for found in re.finditer(r"(?<![\w.])\d+(?!\w)|(?<=\.\.)\d+", line.mask):
            number = int(found.group())
            for new in {number + 1, number + 2, max(0, number - 1)} - {number}:
                yield line.mistake("number", found, str(new))


def zones(lines: Sequence[Line]) -> Iterator[Mistake]:
    """Yield zones that are others of the same holder, with things of the same kind."""
    declared: defaultdict[tuple[str, str, str], set[str]] = defaultdict(set)
    holder = ""
    for line in lines:
        if not _depth(line.text):
            words = line.mask.replace(",", " ").split()
            holder = words[1] if len(words) > 1 else ""
        for found in re.finditer(r"(\w+):\s+(?:cards|row|pile) of (\w+)", line.mask):
            declared[line.game, holder, found.group(2)].add(found.group(1))
    others: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for (game, _, _), names in declared.items():
        for name in names:
            others[game, name] |= names - {name}
    for line in lines:
        if line.declares:
            continue
        for found in re.finditer(r"\b\w+\b", line.mask):
            for new in sorted(others.get((line.game, found.group()), ())):
                yield line.mistake("zone", found, new)
        for found in re.finditer(r"\.(pile|discards)\b", line.mask):
            new = ".discards" if found.group(1) == "pile" else ".pile"
            yield line.mistake("zone", found, new)


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip())


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[Line, int, Line | None]]:
    """Yield each step, how many lines it has with what stands in it, and the step behind it."""
    for at, line in enumerate(lines):
        depth = _depth(line.text)
        if line.declares or not depth:
            continue
        end = at + 1
        while end < len(lines) and _same_file(line, lines[end]) and _depth(lines[end].text) > depth:
            end += 1
        if lines[end - 1].number - line.number != end - 1 - at:
            continue
        following = lines[end] if end < len(lines) and _same_file(line, lines[end]) else None
        if following is not None and _depth(following.text) != depth:
            following = None
        yield line, end - at, following


def _same_file(one: Line, other: Line) -> bool:
    return (one.game, one.file) == (other.game, other.file)


def steps(lines: Sequence[Line]) -> Iterator[Mistake]:
    """Yield steps that are missing, and steps that come one step too early."""
    for line, length, following in _blocks(lines):
        yield Mistake("step", line.game, line.file, line.number, line.text, (), length)
        if length == 1 and following is not None and following.number == line.number + 1:
            new = following.text, line.text
            yield Mistake("step", line.game, line.file, line.number, line.text, new, 2)


def conditions(lines: Sequence[Line]) -> Iterator[Mistake]:
    """Yield conditions that are turned, or missing."""
    for line in lines:
        for found in re.finditer(r"\b(?:if|need|repeat while|when)\s+(?!not\b)", line.mask):
            if not re.search(r"\b(?:then|else)\b", line.mask):
                rest = line.mask[found.end() :].rstrip()
                text = line.text
                end = found.end() + len(rest)
                new = f"{text[: found.end()]}not ({text[found.end() : end]}){text[end:]}"
                yield Mistake("condition", line.game, line.file, line.number, text, (new,))
        for found in re.finditer(r"\s(?:where|when)\s[^,()\[\]]*(?=\s*$)", line.mask.rstrip()):
            yield line.mistake("condition", found, "")


def visibility(lines: Sequence[Line]) -> Iterator[Mistake]:
    """Yield secrets that more or fewer see."""
    for line in lines:
        for found in re.finditer(r"seen by (?:players|owner|\[[^\]]*\])(?=[\s,]|$)", line.mask):
            for new in ("seen by players", "seen by others(me)", "seen by owner", "seen by []"):
                if new != found.group():
                    yield line.mistake("visibility", found, new)
        for found in re.finditer(r"(?<=\bshow )(.+) to (\S+)(?=\s*$)", line.mask.rstrip()):
            for new in ("players", "me", "others(me)"):
                if new != found.group(2):
                    yield line.mistake("visibility", found, f"{found.group(1)} to {new}")


KINDS: Mapping[str, Maker] = {
    "number": numbers,
    "comparison": _words(
        "comparison", _COMPARISONS, r"(?<=\s)(?:<=|>=|<|>|is not|is(?! one of))(?=\s)"
    ),
    "player": _words(
        "player",
        _PLAYERS,
        r"\bothers\(me\)|\bmy\.|(?<!set )(?<!seen by )\b(?:me|players|current|next_player|owner)\b(?!\()",
    ),
    "order": _words("order", _ORDER, rf"\b(?:{'|'.join(_ORDER)})\b(?!:)"),
    "zone": zones,
    "step": steps,
    "condition": conditions,
    "visibility": visibility,
}
"""The kinds of mistakes; each is as likely as the others."""


def mistakes(games: Iterable[str], kinds: Iterable[str]) -> dict[str, list[Mistake]]:
    """Return all mistakes that can be made in some games, by kind."""
    lines = [line for game in games for line in rule_lines(game, _folder(game))]
    return {kind: list(KINDS[kind](lines)) for kind in kinds}


def _folder(game: str) -> Path:
    target = library.find_target(game)[0]
    assert target is not None, game
    return target.folder


# ------------------------------------------------------------------------------------------- checking


def damaged(mistake: Mistake, folder: Path) -> Path:
    """Copy the game of a mistake into a folder, make it there, and return where the copy lies."""
    copy = folder / mistake.game
    shutil.copytree(_folder(mistake.game), copy)
    path = copy / mistake.file
    lines = path.read_text(encoding="utf-8").split("\n")
    at = mistake.number - 1
    lines[at : at + mistake.lines] = mistake.new
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return copy


@attrs.frozen
class Verdict:
    """What becomes of a mistake."""

    said: str
    """The first error or warning of `check`; nothing if it survives."""

    likeness: plays_alike.Likeness | None = None
    """How it plays, if it survives."""

    def __str__(self) -> str:
        return self.said or f"SURVIVES, {self.likeness}"

    @property
    def is_none(self) -> bool:
        """Whether it is no mistake at all."""
        return self.likeness is not None and self.likeness.same_meaning and self.plays_alike

    @property
    def plays_alike(self) -> bool:
        """Whether it survives, and nobody has seen a difference."""
        return self.likeness is not None and not self.likeness.difference


def judged(mistake: Mistake) -> Verdict:
    """Return what becomes of a mistake."""
    said = says(mistake)
    if said:
        return Verdict(said)
    with tempfile.TemporaryDirectory() as folder, cache.unused():
        copy = damaged(mistake, Path(folder))
        return Verdict("", plays_alike.compare(_folder(mistake.game), copy, mistake.file))


def says(mistake: Mistake) -> str:
    """Return the first error or warning of `check` about a mistake, or nothing if it survives."""
    with tempfile.TemporaryDirectory() as folder, cache.unused():
        copy = damaged(mistake, Path(folder))
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            return _said_of_one_set(copy, mistake.file) or _said_of_all(copy)
        except TimeoutError:
            return f"nothing within {SECONDS} s of processor time"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _said_of_one_set(copy: Path, file: str) -> str:
    """Return the first error of the compiler or of an example in the smallest set of variants in which
    a file is read: `check` tells it as well, but looks at all sets before."""
    compilation = linked_with_needed(str(copy), plays_alike.sets(copy, file)[0])
    if compilation is None:
        return ""
    for problem in compilation.diagnostics:
        if problem.severity.value != "note":
            return f"{problem.severity.value}[{problem.code.code}]: {problem.headline}"
    game = compilation.game
    runner = None if game is None else Runner(game)
    for example in () if game is None else game.examples:
        failure = None if runner is None else runner.first(example)
        if failure is not None:
            return f"error[{failure.code}]: the example `{example.title}` fails"
    return ""


def _said_of_all(copy: Path) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = rulewright(["check", str(copy), "--format", "short"])
    said = (out.getvalue() + err.getvalue()).splitlines()
    found = [line for line in said if ": error[" in line or ": warning[" in line]
    if found:
        return found[0].split(": ", 1)[1]
    # Else a check that breaks down would look like one that finds nothing.
    assert status == FINE, f"check of {copy} breaks down: {said}"
    return ""


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError


def main() -> None:
    """Make mistakes, check them, and print how many were caught and what survived."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("-n", type=int, default=60, help="how many mistakes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--game", action="append", choices=library.shelf())
    parser.add_argument("--class", dest="kind", action="append", choices=list(KINDS))
    parser.add_argument("--all", action="store_true", help="every mistake there is, not n of them")
    parser.add_argument("--caught", action="store_true", help="print what is caught, too")
    arguments = parser.parse_args()
    found = mistakes(arguments.game or library.shelf(), arguments.kind or KINDS)
    generator = random.Random(arguments.seed)
    chosen = [mistake for made in found.values() for mistake in made]
    if not arguments.all:
        kinds = [kind for kind in found if found[kind]]
        drawn = (generator.choice(found[generator.choice(kinds)]) for _ in range(100_000))
        chosen = list(dict.fromkeys(drawn))[: arguments.n]
    print(
        f"seed {arguments.seed}: {len(chosen)} of {sum(map(len, found.values()))} mistakes",
        flush=True,
    )
    begun = time.monotonic()
    caught: Counter[str] = Counter()
    made: Counter[str] = Counter()
    alike = 0
    with multiprocessing.Pool(arguments.jobs, maxtasksperchild=20) as pool:
        for mistake, verdict in zip(chosen, pool.imap(judged, chosen), strict=True):
            if not verdict.said or arguments.caught:
                print(f"{mistake}\n  = {verdict}", flush=True)
            if not verdict.is_none:
                made[mistake.kind] += 1
                caught[mistake.kind] += bool(verdict.said)
                alike += verdict.plays_alike
    for kind in made:
        print(f"{kind}: {caught[kind]} of {made[kind]} caught")
    known, different = caught.total(), made.total() - alike
    print(f"no mistake, since it means the same: {len(chosen) - made.total()}")
    print(f"all: {known} of {made.total()} caught, {_share(known, made.total())}")
    print(
        f"without {alike} that play alike: {known} of {different} caught, "
        f"{_share(known, different)} ({time.monotonic() - begun:.0f} s)"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f} %"


if __name__ == "__main__":
    main()
