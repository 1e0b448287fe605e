"""Parse trees go in, nodes come out: what all constructs have in common, and texts.

Every method of a builder is called like the rule or alias of the grammar that it builds, and is
found by that name. A token that is an expression by itself (a name, a number) comes without a tree
around it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.syntax.parse_tree import Fault, read
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source, Span

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

DEEPEST = 200
"""How many constructs may stand inside one another; later passes walk the nodes recursively."""

LARGEST = 10**15
"""The largest number that can be written."""

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")


class TooDeep(Exception):
    """More constructs inside one another than `DEEPEST`; the argument is the place."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


def too_deep(span: Span) -> Diagnostic:
    """Return the message about too many constructs inside one another."""
    return diagnostic(
        "RW101",
        span,
        f"more than {DEEPEST} levels",
        help="give a part of it a name with `let` or `define`",
        found="so much inside one another",
    )


class TreeBuilder:
    """Builds the nodes of one text that starts at `offset` of its source."""

    def __init__(self, source: Source, offset: int = 0, depth: int = 0) -> None:
        self.source = source
        self.offset = offset
        self.diagnostics: list[Diagnostic] = []
        self._depth = depth

    def build(self, part: Part) -> Any:
        """Return the node of a tree, or the expression of a token."""
        if isinstance(part, str):
            return self._token(part)
        if self._depth >= DEEPEST:
            raise TooDeep(self.span(part))
        self._depth += 1
        node = getattr(self, part.data)(part, part.children)
        self._depth -= 1
        return node

    def build_all(self, parts: Sequence[Part]) -> tuple[Any, ...]:
        """Return the nodes of several parts."""
        return tuple(map(self.build, parts))

    def build_optional(self, part: Part | None) -> Any:
        """Return the node of a part that may be missing."""
        return None if part is None else self.build(part)

    def report(self, code: str, span: Span, label: str = "", **arguments: Any) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(diagnostic(code, span, label, **arguments))

    # Places

    def span(self, part: Part) -> Span:
        """Return the place of a tree or a token."""
        if isinstance(part, str):
            return self.between(part.start_pos or 0, part.end_pos or 0)
        return self.between(part.meta.start_pos, part.meta.end_pos)

    def between(self, start: int, end: int) -> Span:
        """Return the place between two offsets of the parsed text."""
        return Span(self.source, start + self.offset, end + self.offset)

    def word(self, token: Token) -> nodes.Word:
        """Return a name with its place."""
        return nodes.Word(span=self.span(token), text=str(token))

    def words(self, tokens: Sequence[Token]) -> tuple[nodes.Word, ...]:
        """Return several names with their places."""
        return tuple([self.word(token) for token in tokens])

    def optional_word(self, token: Token | None) -> nodes.Word | None:
        """Return a name that may be missing."""
        return None if token is None else self.word(token)

    # Tokens

    def _token(self, token: Token) -> nodes.Expression:
        kind = token.type
        if kind in ("NAME", "KIND"):
            if token in foreign_words.VALUES and not self._is_declared(token):
                return self._foreign_value(token)
            make = nodes.Name if kind == "NAME" else nodes.KindName
            return make(span=self.span(token), text=str(token))
        if kind == "NUMBER":
            return nodes.Number(span=self.span(token), value=self.number(token))
        return self.text(token)

    def _is_declared(self, word: str) -> bool:
        """Whether the file itself gives a meaning to a word such as `true`."""
        declaration = rf"^\s*(\w+, *)*{word} *[,:]|one of \[[^]]*\b{word}\b|define {word}\b"
        return re.search(declaration, self.source.text, re.MULTILINE) is not None

    def _foreign_value(self, token: Token) -> nodes.Expression:
        """Report a value of another language, and return what it means."""
        ours = foreign_words.VALUES[token]
        span = self.span(token)
        label = f"this value is called `{ours}`"
        self.report("RW101", span, label, help=f"write `{ours}`", found=f"`{token}`")
        if ours == "none":
            return nodes.NoneValue(span=span)
        return nodes.Flag(span=span, value=ours == "yes")

    def number(self, token: Token) -> int:
        """Return the value of a number; one that is too large is reported and cut."""
        digits = token.lstrip("0")
        if len(digits) <= 16 and (value := int(digits or "0")) <= LARGEST:
            return value
        self.report(
            "RW312",
            self.span(token),
            found="this number",
            expected=f"0 to {LARGEST}",
        )
        return LARGEST

    # Texts

    def optional_text(self, token: Token | None) -> nodes.Text | None:
        """Return a text that may be missing."""
        return None if token is None else self.text(token)

    def texts(self, tokens: Sequence[Token]) -> tuple[nodes.Text, ...]:
        """Return several texts."""
        return tuple([self.text(token) for token in tokens])

    def text(self, token: Token) -> nodes.Text:
        """Return a text with its placeholders read as expressions."""
        raw = token[1:-1]
        parts: tuple[str | nodes.Expression, ...] = (raw,) if raw else ()
        if "{" in raw or "}" in raw:
            parts = self._parts(raw, (token.start_pos or 0) + 1)
        return nodes.Text(span=self.span(token), parts=parts, raw=raw)

    def _parts(self, raw: str, start: int) -> tuple[str | nodes.Expression, ...]:
        parts: list[str | nodes.Expression] = []
        literal = ""
        position = 0
        for found in _PLACEHOLDER.finditer(raw):
            literal += raw[position : found.start()]
            position = found.end()
            piece = found.group()
            if piece in ("{{", "}}"):
                literal += piece[0]
                continue
            value = self._placeholder(piece, start + found.start())
            if value is None:
                literal += piece
                continue
            if literal:
                parts.append(literal)
                literal = ""
            parts.append(value)
        literal += raw[position:]
        return (*parts, literal) if literal else tuple(parts)

    def _placeholder(self, piece: str, start: int) -> nodes.Expression | None:
        span = self.between(start, start + len(piece))
        if len(piece) == 1:
            self.report(
                "RW110",
                span,
                "this brace has no partner",
                help=f"write `{piece * 2}` for a brace in the text",
                name=piece,
            )
            return None
        try:
            tree = read(piece[1:-1], "formula")
        except Fault:
            label = "not a value" if piece[1:-1].strip() else "nothing between the braces"
            help = "write one value between `{` and `}`, or `{{` and `}}` for braces"
            self.report("RW110", span, label, help=help, name=piece)
            return None
        inner = type(self)(self.source, span.start + 1, self._depth)
        value: nodes.Expression = inner.build(tree)
        self.diagnostics += inner.diagnostics
        return value
