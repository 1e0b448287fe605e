"""The text of a file, and places in it: spans with lines and columns.

A `Source` is the text of one file under the name that messages show. A `Span` is a stretch of it,
as two offsets; lines and columns are worked out only when somebody looks, because a parse makes
tens of thousands of spans and a message shows two.
"""

from bisect import bisect_right

import attrs


def _line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    position = text.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = text.find("\n", position + 1)
    return tuple(starts)


@attrs.frozen(eq=False)
class Source:
    """The text of one file; two sources are the same only if they are the same object."""

    name: str
    """The path as messages show it."""

    text: str = attrs.field(repr=False)

    line_starts: tuple[int, ...] = attrs.field(init=False, repr=False)
    """The offset of the first character of every line."""

    @line_starts.default
    def _find_line_starts(self) -> tuple[int, ...]:
        return _line_starts(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1; columns count characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """Return the text of a line, counted from 1, without its end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def span(self, start: int, end: int) -> "Span":
        """Return the span between two offsets."""
        return Span(self, start, end)

    def whole(self) -> "Span":
        """Return the span of the whole text."""
        return Span(self, 0, len(self.text))

    def end(self) -> "Span":
        """Return the empty span after the last character."""
        return Span(self, len(self.text), len(self.text))


@attrs.frozen
class Span:
    """A stretch of a source, from `start` up to but not including `end`: offsets from 0.

    >>> (found,) = compile_game("tic_tac_toe").diagnostics
    >>> found.primary.span.text, found.primary.span.column
    ('choose cell from Cell where its.mark is none', 3)
    """

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the offset behind the last character, from 1."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column behind the last character, from 1."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def slice(self, start: int, end: int) -> "Span":
        """Return a part of the span; both offsets count from its first character."""
        return Span(self.source, self.start + start, min(self.start + end, self.end))

    def first_line(self) -> "Span":
        """Return the part of the span in its first line, without white space at the end."""
        return self.slice(0, len(self.text.partition("\n")[0].rstrip()))

    def shown(self) -> "Span":
        """Return the part of the span that a message points at.

        Blocks end with line breaks that nobody sees, and the end of a file lies in an empty line
        after the last one: a message points at the last visible character, or just behind it.
        """
        text = self.source.text
        if self.start >= len(text):
            after_last = len(text.rstrip())
            return Span(self.source, after_last, after_last)
        length = len(self.text.rstrip())
        return Span(self.source, self.start, self.start + length)


def join(first: Span, last: Span) -> Span:
    """Return the span from the beginning of `first` to the end of `last`."""
    if first.source is not last.source:
        raise ValueError(f"spans of {first.source.name} and {last.source.name} cannot be joined")
    return Span(first.source, min(first.start, last.start), max(first.end, last.end))


class Described:
    """Shows an attrs class with its fields, spans left out. One method for all, since a generated
    one for each of two hundred classes makes every start of the program slower."""

    __slots__ = ()

    def __repr__(self) -> str:
        names = [field.name for field in attrs.fields(type(self)) if field.repr]  # type: ignore[arg-type]
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__name__}({inside})"


class Compared(Described):
    """Compares an attrs class by its fields, those without `eq` left out: see `Described`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        names = _compared(type(self))
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), *[getattr(self, name) for name in _compared(type(self))]))


_COMPARED: dict[type, tuple[str, ...]] = {}


def _compared(kind: type) -> tuple[str, ...]:
    if kind not in _COMPARED:
        _COMPARED[kind] = tuple(field.name for field in attrs.fields(kind) if field.eq)
    return _COMPARED[kind]
