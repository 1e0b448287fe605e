"""Diagnostics as values: a pass states what is wrong and where, and hands it back.

Passes never raise for an author's mistake. They add to a `Report`, or return a tuple, and go on, so
that one run shows all that is wrong. The words are in `codes`, the drawing is in `render`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulewright.dsl.text.codes import BY_CODE, Code, Severity
from rulewright.dsl.text.source import Span


@attrs.frozen(eq=False, repr=False)
class Arguments(Mapping[str, str]):
    """The named arguments of a headline: a mapping that never changes and can be a key."""

    pairs: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, key: str) -> str:
        for name, value in self.pairs:
            if name == key:
                return value
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __hash__(self) -> int:
        return hash(frozenset(self.pairs))

    def __repr__(self) -> str:
        return f"Arguments({dict(self.pairs)!r})"


def _arguments(given: Mapping[str, object]) -> Arguments:
    if isinstance(given, Arguments):
        return given
    return Arguments(tuple((name, str(value)) for name, value in given.items()))


@attrs.frozen
class Label:
    """A place in the text and what to say beside it (at most six words, or nothing).

    >>> [found.primary.text for found in compile_game("tic_tac_toe").diagnostics]
    ['may find nothing']
    """

    span: Span
    text: str = ""


@attrs.frozen
class Diagnostic:
    """One message about one mistake.

    >>> (found,) = compile_game("kuhn_pokr").diagnostics
    >>> found.code.code, found.headline, found.help
    ('RW012', 'no game is called `kuhn_pokr`', 'did you mean `kuhn_poker`?')
    """

    code: Code
    primary: Label
    """The place that has to change."""

    arguments: Arguments = attrs.field(factory=Arguments, converter=_arguments)
    """What the headline fills in."""

    secondary: tuple[Label, ...] = ()
    """Other places that are involved, such as an earlier declaration."""

    help: str | None = None
    """One thing to do, ideally the text to write."""

    notes: tuple[str, ...] = ()
    """Why the rule exists."""

    rule: tuple[str, ...] = ()
    """The sections of the rule book that the line implements, as `Title, "Section"`."""

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.code.severity

    @property
    def headline(self) -> str:
        """The first line of the message, in words."""
        return self.code.format(self.arguments)

    def one_line(self) -> str:
        """Return `path:line:column: error[RW201]: headline`, the form that editors jump on."""
        place = self.primary.span.shown()
        return (
            f"{place.source.name}:{place.line}:{place.column}: "
            f"{self.severity.value}[{self.code.code}]: {self.headline}"
        )


def diagnostic(
    code: str,
    span: Span,
    label: str = "",
    *,
    help: str | None = None,
    notes: Iterable[str] = (),
    secondary: Iterable[Label] = (),
    rule: Iterable[str] = (),
    **arguments: object,
) -> Diagnostic:
    """Return the diagnostic `code` at `span`; the other named arguments fill the headline.

    >>> diagnostic("RW208", span, "expected a zone", help="did you mean `discard`?", name="discrad")
    """
    return Diagnostic(
        code=BY_CODE[code],
        primary=Label(span, label),
        arguments=_arguments(arguments),
        secondary=tuple(secondary),
        help=help,
        notes=tuple(notes),
        rule=tuple(rule),
    )


class TooManyDiagnostics(Exception):
    """More has been found than anybody reads."""

    def __init__(self, found: tuple[Diagnostic, ...]) -> None:
        super().__init__(len(found))
        self.found = found


class Report:
    """Collects diagnostics inside a pass; `most`: with so many there is no use in going on."""

    def __init__(self, diagnostics: Iterable[Diagnostic] = (), most: int | None = None) -> None:
        self._diagnostics: list[Diagnostic] = list(diagnostics)
        self._most = most

    def add(self, diagnostic: Diagnostic) -> None:
        """Take in one diagnostic."""
        self._diagnostics.append(diagnostic)
        if self._most is not None and len(self._diagnostics) >= self._most:
            raise TooManyDiagnostics(tuple(self._diagnostics))

    def complain(self, code: str, span: Span, label: str = "", **more: Any) -> None:
        """Take in a new diagnostic, made as `diagnostic` makes it."""
        self.add(diagnostic(code, span, label, **more))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take in several diagnostics."""
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __len__(self) -> int:
        return len(self._diagnostics)

    @property
    def has_errors(self) -> bool:
        """Whether anything in here stops the game."""
        return has_errors(self._diagnostics)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return all by file, place and code, each of them once."""
        return in_order(self._diagnostics)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics by file, place and code, without exact repeats."""
    # A file that was read twice gives two sources: compare what a reader would see.
    seen: dict[object, Diagnostic] = {}
    for item in diagnostics:
        seen.setdefault(_as_seen(item), item)
    return tuple(
        sorted(
            seen.values(),
            key=lambda item: (
                item.primary.span.source.name,
                item.primary.span.start,
                item.code.code,
            ),
        )
    )


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether one of the diagnostics is an error."""
    return any(item.severity is Severity.ERROR for item in diagnostics)


class RulesError(Exception):
    """The rules are wrong; for callers who want an exception instead of a result. `diagnostics` say what.

    >>> load_game("nowhere")
    Traceback (most recent call last):
    RulesError: command line:1:1: error[RW012]: no game is called `nowhere`
    """

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = in_order(diagnostics)
        super().__init__("\n".join(item.one_line() for item in self.diagnostics))

    def __reduce__(self) -> tuple[type["RulesError"], tuple[tuple[Diagnostic, ...]]]:
        return (RulesError, (self.diagnostics,))


def _as_seen(item: Diagnostic) -> tuple[object, ...]:
    labels = tuple(
        (label.span.source.name, label.span.start, label.span.end, label.text)
        for label in (item.primary, *item.secondary)
    )
    return (item.code.code, labels, item.arguments, item.help, item.notes, item.rule)
