"""Sources, spans, lines and columns."""

import pickle

import pytest
from hypothesis import given, strategies as st

from rulewright.dsl.text.source import Source, Span, join

TEXT = "language 1\n\neach Käse has\r\n  name: text"


def test_positions_count_lines_and_characters_from_one() -> None:
    source = Source("x.rules", TEXT)

    assert source.position(0) == (1, 1)
    assert source.position(TEXT.index("each")) == (3, 1)
    assert source.position(TEXT.index("has")) == (3, 11)
    assert source.position(len(TEXT)) == (4, 13)


def test_line_text_leaves_out_the_end_of_the_line() -> None:
    source = Source("x.rules", TEXT)

    lines = [source.line_text(line) for line in range(1, 5)]

    assert lines == ["language 1", "", "each Käse has", "  name: text"]


def test_a_span_knows_its_text_and_both_ends() -> None:
    source = Source("x.rules", TEXT)
    start = TEXT.index("each")

    span = source.span(start, TEXT.index(": text"))

    assert span.text == "each Käse has\r\n  name"
    assert (span.line, span.column) == (3, 1)
    assert (span.end_line, span.end_column) == (4, 7)


def test_a_slice_counts_from_the_first_character_of_the_span() -> None:
    source = Source("x.rules", TEXT)
    span = source.span(TEXT.index("each"), TEXT.index("\r"))

    assert span.slice(5, 9).text == "Käse"
    assert span.slice(5, 99).end == span.end


def test_join_reaches_from_the_first_to_the_last() -> None:
    source = Source("x.rules", TEXT)

    joined = join(source.span(12, 16), source.span(22, 25))

    assert joined == source.span(12, 25)


def test_spans_of_two_files_cannot_be_joined() -> None:
    one, other = Source("one", "abc"), Source("other", "abc")

    with pytest.raises(ValueError, match="one and other"):
        join(one.whole(), other.whole())


def test_sources_compare_by_identity_and_spans_by_place() -> None:
    one, other = Source("x", "abc"), Source("x", "abc")

    assert one != other
    assert one.span(0, 1) == Span(one, 0, 1)
    assert one.span(0, 1) != other.span(0, 1)
    assert len({one.span(0, 1), one.span(0, 1), other.span(0, 1)}) == 2


def test_spans_survive_pickling_with_one_common_source() -> None:
    source = Source("x", "abc")

    first, second = pickle.loads(pickle.dumps((source.span(0, 1), source.span(1, 2))))

    assert first.source is second.source
    assert first.source.line_starts == (0,)


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("abc\n  \n", 7, 7, (3, 3)),
        ("abc\ndef\n", 0, 8, (0, 7)),
        ("abc\n", 3, 4, (3, 3)),
        ("", 0, 0, (0, 0)),
        ("abc", 1, 2, (1, 2)),
    ],
)
def test_a_message_points_at_what_can_be_seen(
    text: str, start: int, end: int, shown: tuple[int, int]
) -> None:
    span = Source("x", text).span(start, end).shown()

    assert (span.start, span.end) == shown


@given(st.text(alphabet="ab\n\r\té"), st.data())
def test_position_and_line_starts_agree(text: str, data: st.DataObject) -> None:
    source = Source("x", text)
    offset = data.draw(st.integers(0, len(text)))

    line, column = source.position(offset)

    assert line == text.count("\n", 0, offset) + 1
    assert source.line_starts[line - 1] + column - 1 == offset
