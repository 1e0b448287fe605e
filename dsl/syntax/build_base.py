"""From Lark's parse trees to nodes: what all constructs have in common, and texts.

How a rule or alias of the grammar is built stands under its name in `build_expressions`,
`build_statements` or `build_items`: a row that reads each child of the tree as a field of
the node (`Rules.node`), or a function where there is more to do (`Rules.add`). A token that is an
expression by itself (a name, a number) comes without a tree around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

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

Sections = tuple[nodes.Section, ...]
Rule = Callable[["TreeBuilder", Any, list[Any]], Any]
"""What builds a construct: gets the builder, the tree and its children."""

Reader = Callable[["TreeBuilder", Any], Any]
"""What makes a field of a node of one child of the tree; one that is missing is `None`."""

AnyRule = TypeVar("AnyRule", bound=Callable[..., Any])

_BOOK = re.compile(r"[ \t]*([a-z_]+):")
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


@attrs.frozen
class Rest:
    """A reader of all children that the other readers of a node leave, as a list."""

    read: Reader


class Rules(dict[str, Rule]):
    """The functions that build the rules and aliases of the grammar, by their names."""

    def add(self, function: AnyRule) -> AnyRule:
        """Add a function under its own name."""
        self[function.__name__] = function
        return function

    def node(self, rule: str, make: Callable[..., Any], /, **fields: Reader | Rest) -> None:
        """Add a rule whose children are the fields of a node, in their order.

        `make` is its class; one of the readers may be a `Rest`.
        """
        readers = [
            (name, how.read if isinstance(how, Rest) else how) for name, how in fields.items()
        ]
        rest = [isinstance(how, Rest) for how in fields.values()]
        before = rest.index(True) if True in rest else None

        def build(builder: TreeBuilder, tree: Any, children: list[Any]) -> Any:
            if before is not None:
                behind = len(children) - (len(readers) - before - 1)
                children = [*children[:before], children[before:behind], *children[behind:]]
            values = {"span": builder.span(tree)}
            for (name, reader), child in zip(readers, children, strict=True):
                values[name] = reader(builder, child)
            return make(**values)

        self[rule] = build


class TreeBuilder:
    """Builds the nodes of one text that starts at `offset` of its source."""

    def __init__(
        self, source: Source, rules: Mapping[str, Rule], offset: int = 0, depth: int = 0
    ) -> None:
        self.source = source
        self.rules = rules
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
        node = self.rules[part.data](self, part, part.children)
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
        inner = TreeBuilder(self.source, self.rules, span.start + 1, self._depth)
        value: nodes.Expression = inner.build(tree)
        self.diagnostics += inner.diagnostics
        return value

    # What several constructs have in common

    def type_node(self, part: Part) -> nodes.TypeNode:
        """Return the node of a type."""
        if not isinstance(part, str):
            node: nodes.TypeNode = self.build(part)
            return node
        make = nodes.KindType if part.type == "KIND" else nodes.NamedType
        return make(span=self.span(part), name=str(part))

    def optional_type(self, part: Part | None) -> nodes.TypeNode | None:
        """Return the node of a type that may be missing."""
        return None if part is None else self.type_node(part)

    def compared(self, part: Part) -> nodes.Expression:
        """Return what stands after `is`, where `empty` may stand."""
        if not isinstance(part, str) and part.data == "empty":
            return nodes.Empty(span=self.span(part))
        node: nodes.Expression = self.build(part)
        return node

    def arguments(self, parts: list[Any]) -> tuple[nodes.Argument, ...]:
        """Return the arguments between brackets; empty brackets come as one missing part."""
        return () if parts == [None] else tuple(map(self.build, parts))

    def see(self, *tokens: Token | None) -> Sections:
        """Return the sections that the citations of some lines name."""
        sections: list[nodes.Section] = []
        for token in tokens:
            if token is not None:
                sections += self.sections(token[len("see") :], (token.start_pos or 0) + len("see"))
        return tuple(sections)

    def sections(self, text: str, start: int) -> Sections:
        """Return the sections in a list of headings; a book holds until the next one."""
        sections = []
        book = None
        for piece in text.split(","):
            prefix = _BOOK.match(piece)
            if prefix:
                book = prefix.group(1)
            skipped = prefix.end() if prefix else 0
            sections.append(self._section(piece[skipped:], start + skipped, book))
            start += len(piece) + 1
        return tuple([section for section in sections if section is not None])

    def _section(self, text: str, start: int, book: str | None) -> nodes.Section | None:
        begin = start + len(text) - len(text.lstrip()) if text.strip() else start
        span = self.between(begin, begin + len(text.strip()))
        path = tuple([part.strip() for part in text.split("/")])
        if all(path):
            return nodes.Section(span=span, book=book, path=path)
        self.report(
            "RW101",
            span,
            "a heading is missing",
            help="write headings of the rule book: `see A, B/C`",
            found="this citation",
        )
        return None

    def parameters(self, parts: list[Any]) -> tuple[nodes.Parameter, ...]:
        """Return the parameters of a head: no brackets are `[]`, empty ones `[None]`."""
        return self.build_all(parts[0].children) if parts and parts[0] else ()

    def build_inner(self, tree: Tree[Token] | None) -> tuple[Any, ...]:
        """Return the nodes inside a tree, such as the steps of a block; a missing one has none."""
        return () if tree is None else tuple(map(self.build, tree.children))

    def inner_texts(self, tree: Any) -> tuple[nodes.Text, ...]:
        """Return the texts inside a tree that may be missing."""
        return () if tree is None else self.texts(tree.children)

    def keyword(self, part: Tree[Token] | Token) -> str:
        """Return a word of the language, or the first one of a tree, as it is written."""
        return str(part if isinstance(part, str) else part.children[0])

    def inner_words(self, tree: Any) -> tuple[nodes.Word, ...]:
        """Return the names inside a tree, with their places."""
        return self.words(tree.children)

    def is_there(self, part: Part | None) -> bool:
        """Return whether an optional word is written."""
        return part is not None


# What the children of a tree are, for the rows of `Rules.node`.
VALUE, OPTIONAL_VALUE = TreeBuilder.build, TreeBuilder.build_optional
WORD, OPTIONAL_WORD = TreeBuilder.word, TreeBuilder.optional_word
TEXT, OPTIONAL_TEXT = TreeBuilder.text, TreeBuilder.optional_text
TYPE, OPTIONAL_TYPE = TreeBuilder.type_node, TreeBuilder.optional_type
COMPARED = TreeBuilder.compared
NUMBER = TreeBuilder.number
KEYWORD = TreeBuilder.keyword
FLAG = TreeBuilder.is_there
SEE = TreeBuilder.see
BLOCK = INNER = TreeBuilder.build_inner
INNER_TEXTS, INNER_WORDS = TreeBuilder.inner_texts, TreeBuilder.inner_words
VALUES = Rest(TreeBuilder.build_all)
WORDS = Rest(TreeBuilder.words)
TEXTS = Rest(TreeBuilder.texts)
ARGUMENTS = Rest(TreeBuilder.arguments)
PARAMETERS = Rest(TreeBuilder.parameters)
