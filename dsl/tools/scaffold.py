"""A variant to start from: a file with every kind of amendment that changes nothing yet.

All that can be touched stands in it as comments, with amendments of which each, alone or with all the
others of its group, links with this very game: they are tried before they are written.

    scaffold = variant_text("porch", "Frost", compilation)
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from rulewright.dsl.files.library import GameTarget
from rulewright.dsl.frontend.frontend import Compilation, compile_target
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import Diagnostic, RulesError
from rulewright.dsl.tools.amendable import (
    INSTEAD,
    INSTEAD_OF_STEP,
    TOGETHER,
    AnyAmendment,
    Chapter,
    Lines,
    chapters,
)

ROUNDS = 4
TRIED = "tried.rules"


@attrs.frozen
class AmendmentText:
    """An amendment in the wording that links."""

    amending: AnyAmendment
    number: int
    """Which of its wordings; the number behind the last if none links."""

    @property
    def lines(self) -> Lines:
        """The rule text; nothing if no wording links."""
        wordings = self.amending.wordings
        return wordings[self.number] if self.number < len(wordings) else ()


@attrs.frozen
class Scaffold:
    """The text of a variant's file, and how much it offers."""

    text: str
    offers: int
    amendments: tuple[Lines, ...]


def variant_text(named: str, title: str, file: str, compilation: Compilation) -> Scaffold:
    """Return the file of a new variant of a linked game; `named` is how the user calls the game, and
    `file` the path of what will be written.

    Raises `RulesError` if not even an empty variant links, as where its game cannot be named.
    """
    assert compilation.world is not None and compilation.game is not None, "the game is linked"
    game, folder = compilation.game, compilation.target.name
    found = chapters(compilation.world, game)
    header = ("language 1", f'variant "{title}" of {folder}')
    amendings = [one for chapter in found for offer in chapter.offers for one in offer.amendings]
    linking = _TrialLinker(compilation.target, header)
    empty = linking.errors(header)
    if empty:
        raise RulesError(empty)
    written = {
        id(one.amending): one
        for group in (TOGETHER, INSTEAD, INSTEAD_OF_STEP)
        for one in linking.good([AmendmentText(one, 0) for one in amendings if one.group == group])
    }
    lines = [
        *header,
        "",
        f"## A variant of {game.title}. What stands here changes the game; so far that is nothing.",
        "## Lines with ## tell what there is. Lines with a single # are rules: take the # and the blank",
        "## behind it away from those that you want, and change them. Each of them fits this game.",
        "## The rest can be deleted.",
        "##",
        f"##   rulewright check {file}              with every set of the other variants, too",
        f"##   rulewright check {file} --restate    writes examples of the game that it changes",
        f"##   rulewright rules {named} --variant {file}",
        f"##   rulewright play {named} --variant {file}",
        "##",
        "## A test of what you mean, run by `check`:",
        '##   example "What it shows"',
        "##     players ann, ben",
        "##     do ann: …",
        "##     expect …",
        '## How it comes out with another variant:   example "What it shows" with "Other Variant"',
        *_chapters(found, written),
    ]
    kept = tuple(one.lines for one in written.values() if one.lines)
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return Scaffold(text, sum(len(chapter.offers) for chapter in found), kept)


def _chapters(found: Sequence[Chapter], written: dict[int, AmendmentText]) -> Iterator[str]:
    for chapter in found:
        yield ""
        yield f"# {'-' * 66} {chapter.title}"
        for number, offer in enumerate(chapter.offers):
            if number:
                yield ""
            yield from (f"## {line}" for line in offer.told)
            for amending in offer.amendings:
                lines = written[id(amending)].lines if id(amending) in written else ()
                yield from (f"# {line}" for line in lines)


class _TrialLinker:
    """Tries which amendments link with a game."""

    def __init__(self, target: GameTarget, header: Lines) -> None:
        self.target = target
        self.header = header

    def good(self, wanted: Sequence[AmendmentText]) -> list[AmendmentText]:
        """Return the amendments in wordings that link, all of them together."""
        trying = list(wanted)
        for _ in range(ROUNDS):
            trying = [one for one in trying if one.lines]
            wrong = self._wrong(trying)
            if wrong is None:
                return trying
            if not wrong:
                break
            trying = [
                attrs.evolve(one, number=one.number + 1) if number in wrong else one
                for number, one in enumerate(trying)
            ]
        return self._halved([one for one in trying if one.lines])

    def _halved(self, trying: Sequence[AmendmentText]) -> list[AmendmentText]:
        """Return those that link, where the messages do not tell which are to blame."""
        if not trying or self._wrong(trying) is None:
            return list(trying)
        if len(trying) == 1:
            return []
        half = len(trying) // 2
        return [*self._halved(trying[:half]), *self._halved(trying[half:])]

    def _wrong(self, trying: Sequence[AmendmentText]) -> set[int] | None:
        """Return which amendments have errors at their lines; None if all is well."""
        lines, owners = list(self.header), [-1] * len(self.header)
        for number, one in enumerate(trying):
            lines += one.lines
            owners += [number] * len(one.lines)
        errors = self.errors(lines)
        if not errors:
            return None
        spans = [one.primary.span for one in errors if one.primary.span.source.name.endswith(TRIED)]
        found = {owners[min(span.line, len(owners)) - 1] for span in spans}
        return found - {-1}

    def errors(self, lines: Sequence[str]) -> list[Diagnostic]:
        """Return what is wrong with a variant of these lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / TRIED
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            compilation = compile_target(self.target, (str(path),))
        return [one for one in compilation.diagnostics if one.severity is Severity.ERROR]
