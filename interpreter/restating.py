"""Examples of a game as they come out with a variant: what a variant rightly changes it must say anew,
and this writes it.

An `expect x is 4` that finds 5 becomes `expect x is 5`, what is refused or allowed otherwise says so. What
cannot be written in this way gets a comment, and from a `do` on that is not possible any more nothing can
be told: that is left to the author.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.source import Span
from rulewright.interpreter.examples import DoesNotApply, Failure, Runner
from rulewright.interpreter.values import EnumValue, Thing, Value, VerbValue

MEND = "    # to be mended by hand: "


@attrs.frozen
class Restated:
    """An example that comes out differently, as it can be written into the file of the variant."""

    title: str
    source: str
    """The title of the variant that says it now, "" for the game."""

    text: str
    is_whole: bool
    """Whether nothing is left to be mended by hand."""


def restated(game: model.Game) -> Iterator[Restated]:
    """Yield the examples of a game that do not come out with its variants, as they do come out."""
    runner = Runner(game)
    for example in game.examples:
        mends: list[tuple[Span, str]] = []
        whole = True
        try:
            for failure in runner.failures(example):
                text = _mended(failure, failure.found)
                whole &= text is not None
                span, new = text if text is not None else (failure.span, _by_hand(failure))
                mends.append((span, new))
        except DoesNotApply:
            continue
        if mends:
            yield Restated(example.title, example.source, _with(example.span, mends), whole)


def _with(span: Span, mends: list[tuple[Span, str]]) -> str:
    """Return the text of an example with some stretches put in place of others."""
    text, start = span.source.text, span.start
    pieces: list[str] = []
    for mend, new in sorted(mends, key=lambda one: one[0].start):
        pieces += [text[start : mend.start], new]
        start = mend.start + len(mend.text)
    pieces.append(text[start : span.start + len(span.text)])
    return "".join(pieces).rstrip() + "\n"


def _by_hand(failure: Failure) -> str:
    first, _, rest = failure.span.text.partition("\n")
    said = "; ".join((failure.label, *failure.notes)) or "does not come out"
    return f"{first.rstrip()}{MEND}{said}" + (f"\n{rest}" if rest else "")


def _mended(failure: Failure, value: Value) -> tuple[Span, str] | None:
    """Return what stands in place of what in a line that does not come out, if that can be said."""
    line = failure.line
    match line:
        case model.ExpectLine(condition=model.Compare(word="is", right=right)):
            new = written(value)
            return None if new is None else (right.span, new)
        case model.ExpectLine(condition=model.IsEmpty(span=span, negated=negated)):
            old, new = ("is not empty", "is empty") if negated else ("is empty", "is not empty")
            return (span, span.text[: -len(old)] + new) if span.text.endswith(old) else None
        case model.ExpectLine(condition=model.Not(span=span, operand=operand)):
            return span, operand.span.text
        case model.ExpectLine(condition=condition):
            return condition.span, f"not ({condition.span.text})"
        case model.DoLine(word="refuse", reason=None):
            return _word(line.span, "refuse", "allow")
        case model.DoLine(word="refuse", reason=reason) if reason is not None:
            if failure.reasons:
                return reason.span, f'"{failure.reasons[0]}"'
            text = line.span.text
            before, because, _ = text.rpartition(" because ")
            if not because:
                return None
            return line.span, before.rstrip().replace("refuse", "allow", 1)
        case model.DoLine(word="allow"):
            return _word(line.span, "allow", "refuse")
    return None


def _word(span: Span, old: str, new: str) -> tuple[Span, str] | None:
    return (span.slice(0, len(old)), new) if span.text.startswith(old) else None


def written(value: Value) -> str | None:
    """Return a value as it is written in an example; None if it has no words of its own."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case str():
            return f'"{value}"'
        case EnumValue():
            return value.value
        case Thing(kind="Player"):
            return value.name
        case Thing():
            return f'{value.kind}("{value.name}")' if value.name else None
        case VerbValue():
            return value.name
        case tuple():
            items = [written(item) for item in value]
            return None if None in items else f"[{', '.join(item for item in items if item)}]"
    return None
