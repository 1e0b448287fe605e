"""Rule files with one slip each, and what the checker makes of them.

A batch follows from its seed. Each file is checked within limits of CPU time and memory; what breaks
one is told with the seed, its number in the batch and the lines that were changed.
"""

from __future__ import annotations

import contextlib
import difflib
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
from mutations import SINGLE_SLIPS

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.diagnostics import Diagnostic, Severity

try:
    import resource
    import signal
except ImportError:  # Windows has neither limits nor timers
    resource = signal = None  # type: ignore[assignment]

SECONDS = 5.0
"""CPU time that the checker may take for one file."""

MEMORY = 1 << 30
"""Bytes of memory that may be added for one file."""

TESTS = Path(__file__).parent
COMMONEST = 12
"""How many of the sets of codes said together are printed for a kind."""


@attrs.frozen
class Original:
    """A file that gets slips, in the folder of its game with the files beside it."""

    game: str
    file: str
    files: tuple[tuple[str, str], ...]
    variants: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the file as it is without a slip."""
        return dict(self.files)[self.file]


@attrs.frozen
class Slip:
    """One file with a slip, as number `number` of the batch of a seed."""

    seed: int
    number: int
    kind: str
    original: Original
    text: str

    def __str__(self) -> str:
        """Return where it comes from and what is changed."""
        old, new = self.original.text.splitlines(), self.text.splitlines()
        lines = [
            line
            for line in difflib.unified_diff(old, new, n=0, lineterm="")
            if not line.startswith(("---", "+++"))
        ]
        place = f"{self.original.game}/{self.original.file}"
        return "\n".join(
            [f"seed {self.seed}, number {self.number}: {self.kind} in {place}", *lines]
        )


@attrs.frozen
class Outcome:
    """What the checker said about a slip."""

    slip: Slip
    sound: bool
    """Whether nothing is wrong with the original."""

    errors: tuple[Diagnostic, ...]
    seconds: float
    """CPU time."""


class OutOfTime(BaseException):
    """The checker took too long; nothing but the one who waits may catch it."""


# ------------------------------------------------------------------------------------- originals


def _files(folder: Path) -> tuple[tuple[str, str], ...]:
    return tuple(
        (path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".rules", ".csv", ".md") and path.name != "README.md"
    )


def _of_game(folder: Path) -> Iterator[Original]:
    files = _files(folder)
    for name, _ in files:
        if name.endswith(".rules"):
            chosen = (Path(name).stem,) if name.startswith("variants/") else ()
            yield Original(folder.name, name, files, chosen)


def _modules(folder: Path, game: str) -> Iterator[Original]:
    """Yield the modules of a folder, each beside the small game that uses it."""
    for path in sorted(folder.glob("*.rules")):
        use = TESTS / "stdlib" / path.name
        if use.is_file():
            text = path.read_text(encoding="utf-8")
            files = (("game.rules", use.read_text(encoding="utf-8")), (path.name, text))
            yield Original(f"{game}_{path.stem}", path.name, files)


def _alone(folder: Path) -> Iterator[Original]:
    for path in sorted(folder.glob("*.rules")):
        yield Original(path.stem, "game.rules", (("game.rules", path.read_text("utf-8")),))


def originals() -> tuple[tuple[Original, ...], ...]:
    """Return the files of the shelf, those of the corpus, and those of the library."""
    shelf = [library.find_target(name)[0].folder for name in library.shelf()]  # type: ignore[union-attr]
    drafts = sorted((TESTS / "corpus" / "games").iterdir())
    modules = TESTS.parent.parent / "stdlib"
    return (
        tuple(one for folder in shelf for one in _of_game(folder)),
        (
            *(one for folder in drafts for one in _of_game(folder)),
            *_alone(TESTS / "corpus"),
            *_modules(TESTS / "corpus" / "stdlib", "draft"),
        ),
        (*_alone(TESTS / "stdlib"), *_modules(modules, "module")),
    )


def slips(number: int, seed: int, groups: Sequence[Sequence[Original]]) -> Iterator[Slip]:
    """Yield so many slips, drawn from a seed, as many from one group of originals as from another."""
    chance = random.Random(seed)
    for at in range(number):
        original = chance.choice(chance.choice(groups))
        slip = chance.choice(SINGLE_SLIPS)
        yield Slip(seed, at, slip.__name__, original, slip(original.text, chance.choice))


# ----------------------------------------------------------------------------------------- limits


@contextlib.contextmanager
def limits(seconds: float = SECONDS, memory: int = MEMORY) -> Iterator[None]:
    """Raise `OutOfTime` or `MemoryError` in what takes too much, where the system can do that."""
    if resource is None or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise OutOfTime(f"more than {seconds} seconds of CPU time")

    pages = Path("/proc/self/statm")
    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGPROF, stop)
    try:
        if pages.is_file():
            used = int(pages.read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + memory, before[1]))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def peak() -> float:
    """Return the most memory this process has used so far, in MiB (0 where nobody knows)."""
    if resource is None:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --------------------------------------------------------------------------------------- outcomes


def _errors(folder: Path, original: Original, text: str) -> tuple[Diagnostic, ...]:
    """Return the errors in a game in which one file has another text."""
    base = folder / original.game
    for name, own in original.files:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name == original.file else own, encoding="utf-8", newline="\n")
    found = compile_game(str(base), original.variants).diagnostics
    return tuple(item for item in found if item.severity is Severity.ERROR)


def outcomes(
    folder: Path, number: int, seed: int, groups: Sequence[Sequence[Original]]
) -> Iterator[Outcome]:
    """Yield what is said about each slip of a batch; fail with the slip if anything goes wrong."""
    sound: dict[Original, bool] = {}
    for slip in slips(number, seed, groups):
        original = slip.original
        home = folder / f"{original.file.replace('/', '_')}_{len(original.files)}"
        if original not in sound:
            sound[original] = not _errors(home, original, original.text)
        start = time.process_time()
        try:
            with limits():
                errors = _errors(home, original, slip.text)
        except (Exception, OutOfTime) as problem:
            raise AssertionError(f"{slip}\n{problem!r}") from problem
        yield Outcome(slip, sound[original], errors, time.process_time() - start)


@attrs.define
class Tally:
    """How many slips of each kind are wrong, how many of these give one error, and what else."""

    wrong: Counter[str] = attrs.field(factory=Counter)
    single: Counter[str] = attrs.field(factory=Counter)
    together: Counter[tuple[str, tuple[str, ...]]] = attrs.field(factory=Counter)
    """By kind and codes: how often more than one error was said."""

    slowest: Outcome | None = None

    def add(self, outcome: Outcome) -> None:
        """Count one outcome; what is drawn from a file with faults of its own says nothing."""
        if self.slowest is None or outcome.seconds > self.slowest.seconds:
            self.slowest = outcome
        kind, codes = outcome.slip.kind, tuple(item.code.code for item in outcome.errors)
        if not outcome.sound or not codes:
            return
        self.wrong[kind] += 1
        if len(codes) == 1:
            self.single[kind] += 1
        else:
            self.together[kind, tuple(sorted(dict.fromkeys(codes)))] += 1

    @property
    def share(self) -> float:
        """The share of wrong files with exactly one error."""
        return self.single.total() / max(1, self.wrong.total())

    def lines(self) -> Iterator[str]:
        """Yield the tables: the share of each kind, and which codes are said together."""
        for kind in sorted(self.wrong):
            share = self.single[kind] / self.wrong[kind]
            yield f"{kind:16} {self.wrong[kind]:6} wrong, {share:6.1%} one error"
        yield f"{'all':16} {self.wrong.total():6} wrong, {self.share:6.1%} one error"
        for (kind, codes), count in self.together.most_common(COMMONEST):
            yield f"{kind:16} {count:6} times {' '.join(codes)}"
        if self.slowest is not None:
            yield f"slowest: {self.slowest.seconds:.2f} s of CPU time, {self.slowest.slip}"
        yield f"peak of memory: {peak():.0f} MiB"
