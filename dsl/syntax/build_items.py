"""From the parse tree of a file to its syntax tree: files, headers, items, tables and examples;
all rules together.

Spans leave out what is no part of a construct: citations, comments and line breaks.
"""

from __future__ import annotations

import itertools
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from rulewright.dsl.syntax import build_expressions, build_statements, nodes
from rulewright.dsl.syntax.build_base import (
    ARGUMENTS,
    COMPARED,
    FLAG,
    INNER,
    INNER_TEXTS,
    INNER_WORDS,
    NUMBER,
    OPTIONAL_TEXT,
    OPTIONAL_VALUE,
    OPTIONAL_WORD,
    PARAMETERS,
    SEE,
    TEXT,
    TEXTS,
    TYPE,
    VALUE,
    VALUES,
    WORD,
    WORDS,
    Rules,
    Sections,
    TreeBuilder,
)
from rulewright.dsl.text.source import Source

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

# A bar outside of backquotes, with the comment behind it: a `#` at the beginning of a cell.
_BAR = re.compile(r"`[^`]*`|\|(?:[ \t]*(?:see\b[^#|]*)?#.*)?")
_ROW_END = re.compile(r"\s*(?:see\b([^#]*))?(?:#.*)?")

RULES = Rules()
"""The functions of this module, by the rules of the grammar that they build."""


@RULES.add
def start(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.File:
    _language, header, *items = children
    return nodes.File(
        span=builder.source.whole(), header=builder.build(header), items=builder.build_all(items)
    )


# ------------------------------------------------------------------------------------------- headers


RULES.node("game_header", nodes.GameHeader, title=TEXT, players=VALUE, see=SEE)
RULES.node(
    "variant_header", nodes.VariantHeader, title=TEXT, game=WORD, players=OPTIONAL_VALUE, see=SEE
)
RULES.node("module_header", nodes.ModuleHeader, name=WORD, parameters=PARAMETERS, see=SEE)
RULES.node("examples_header", nodes.ExamplesHeader, game=WORD, see=SEE)


# -------------------------------------------------------------- modules, books, variants and options


RULES.node("use", nodes.Use, module=WORD, arguments=ARGUMENTS, alias=OPTIONAL_WORD, see=SEE)
RULES.node("book", nodes.Book, word=OPTIONAL_WORD, path=TEXT, see=SEE)


@RULES.add
def no_rules(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.NoRules:
    token = children[0]
    start, words = token.start_pos, len("no rules in")
    return nodes.NoRules(
        span=builder.between(start, start + len(token.rstrip())),
        sections=builder.sections(token[words:], start + words),
    )


RULES.node(
    "includes", partial(nodes.Relation, word="includes"), ordered=FLAG, titles=TEXTS, see=SEE
)
RULES.node(
    "excludes", partial(nodes.Relation, word="excludes", ordered=False), titles=TEXTS, see=SEE
)
RULES.node(
    "requires", partial(nodes.Relation, word="requires", ordered=False), titles=TEXTS, see=SEE
)
RULES.node("requirement", nodes.Requirement, condition=VALUE, text=TEXT, see=SEE)


for rule, is_ruling in (("option", False), ("ruling", True)):
    make_option = partial(nodes.Option, ruling=is_ruling)
    RULES.node(
        rule, make_option, name=WORD, type=TYPE, default=VALUE, question=OPTIONAL_TEXT, see=SEE
    )


# ---------------------------------------------------------------------------------- kinds and fields


RULES.node("kind_is", nodes.KindIs, name=WORD, type=TYPE, see=SEE)
RULES.node("unit", nodes.Unit, names=WORDS, see=SEE)


@RULES.add
def kind_has(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.KindHas:
    kind, selected, also, marks, see, *members = children
    named, where = _selected(builder, selected)
    return nodes.KindHas(
        span=builder.span(tree),
        kind=builder.word(kind),
        named=named,
        where=where,
        also=also is not None,
        marks=builder.build_inner(marks),
        members=builder.build_all(members),
        see=builder.see(see),
    )


def _selected(
    builder: TreeBuilder, part: Any
) -> tuple[tuple[nodes.Text, ...], nodes.Expression | None]:
    if part is None:
        return (), None
    if part.data == "named":
        return builder.texts(part.children), None
    return (), builder.build(part.children[0])


RULES.node("game_has", nodes.GameHas, also=FLAG, marks=INNER, see=SEE, members=VALUES)
RULES.node(
    "field", nodes.Field, names=INNER_WORDS, type=TYPE, default=OPTIONAL_VALUE, marks=INNER, see=SEE
)
RULES.node("seen_by", partial(nodes.SeenBy, count=False), viewers=VALUE)
RULES.node("count_seen_by", partial(nodes.SeenBy, count=True), viewers=VALUE)
RULES.node("fresh", partial(nodes.Fresh, own=False), verb=WORD)
RULES.node("fresh_own", partial(nodes.Fresh, own=True), verb=WORD)
RULES.node("active", nodes.Active)
RULES.node("neutral", nodes.Neutral, name=WORD, label=TEXT, see=SEE)


# -------------------------------------------------------------------------------------------- tables


@RULES.add
def table(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Table:
    kind, path, see, *rows = children
    return nodes.Table(
        span=builder.span(tree),
        kind=builder.word(kind),
        path=builder.optional_text(path),
        rows=tuple([_row(builder, row) for row in rows if row is not None]),
        see=builder.see(see),
    )


def _row(builder: TreeBuilder, token: Token) -> nodes.Row:
    start = token.start_pos or 0
    bars = [found.start() for found in _BAR.finditer(token) if found.group()[0] == "|"]
    cells = [
        _cell(builder, token[left + 1 : right], start + left + 1)
        for left, right in itertools.pairwise(bars)
    ]
    end = bars[-1] + 1
    return nodes.Row(
        span=builder.between(start, start + end),
        cells=tuple(cells),
        see=_row_end(builder, token[end:], start + end),
    )


def _cell(builder: TreeBuilder, text: str, start: int) -> nodes.Word:
    trimmed = text.strip()
    begin = start + (len(text) - len(text.lstrip()) if trimmed else 0)
    return nodes.Word(span=builder.between(begin, begin + len(trimmed)), text=trimmed)


def _row_end(builder: TreeBuilder, text: str, start: int) -> Sections:
    """Return the citation behind the last bar."""
    end = _ROW_END.fullmatch(text)
    if end is None:
        builder.report(
            "RW101",
            _cell(builder, text, start).span,
            "a row ends with `|`",
            help="write `|` after the last cell",
            found="a text without a bar",
        )
        return ()
    return () if end.group(1) is None else builder.sections(end.group(1), start + end.start(1))


RULES.node("table_product", nodes.TableProduct, kind=WORD, ranges=VALUES, see=SEE)
RULES.node("range_of", nodes.Range, name=WORD, values=VALUE)


# ---------------------------------------------------------------------------- checks and the ranking


for rule, always in (("check", False), ("check_always", True)):
    RULES.node(
        rule, partial(nodes.Check, always=always), label=OPTIONAL_TEXT, condition=VALUE, see=SEE
    )


@RULES.add
def ranking(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Ranking:
    see, *criteria = children
    lines = [criterion.children for criterion in criteria]
    return nodes.Ranking(
        span=builder.span(tree),
        keys=builder.build_all([key for key, _ in lines]),
        see=builder.see(see, *[cited for _, cited in lines]),
    )


# ------------------------------------------------------------------------------------------ examples


RULES.node(
    "example",
    nodes.Example,
    title=TEXT,
    present=INNER_TEXTS,
    absent=INNER_TEXTS,
    see=SEE,
    lines=VALUES,
)
RULES.node("example_players", nodes.ExamplePlayers, names=WORDS, see=SEE)
RULES.node("given", nodes.Given, place=VALUE, value=COMPARED, see=SEE)
RULES.node("given_holds", nodes.GivenHolds, place=VALUE, holdings=VALUES, see=SEE)
RULES.node("some_of", nodes.SomeOf, number=NUMBER, kind=WORD, condition=OPTIONAL_VALUE)


@RULES.add
def some_new(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.SomeNew:
    number, kind, *arguments = children
    span = builder.span(tree)
    thing = nodes.New(
        span=span.slice(span.text.index(kind.value), len(span.text)),
        kind=builder.word(kind),
        arguments=builder.arguments(arguments),
    )
    return nodes.SomeNew(span=span, number=builder.number(number), thing=thing)


RULES.node("chance", nodes.ChanceLine, outcomes=VALUES, see=SEE)
RULES.node("do", nodes.Do, player=WORD, answers=INNER, see=SEE)
RULES.node("allow", nodes.Allow, player=WORD, answers=INNER, see=SEE)
RULES.node("refuse", nodes.Refuse, player=WORD, answers=INNER, reason=OPTIONAL_TEXT, see=SEE)
RULES.node("expect", nodes.Expect, condition=VALUE, see=SEE)
RULES.node("expect_seen", partial(nodes.ExpectSeen, seen=True), player=WORD, values=VALUES, see=SEE)
RULES.node(
    "expect_unseen", partial(nodes.ExpectSeen, seen=False), player=WORD, values=VALUES, see=SEE
)
RULES.node("expect_told", partial(nodes.ExpectTold, told=True), player=WORD, text=TEXT, see=SEE)
RULES.node("expect_untold", partial(nodes.ExpectTold, told=False), player=WORD, text=TEXT, see=SEE)
RULES.node("named_answer", nodes.NamedAnswer, name=WORD, value=VALUE)
RULES.node("decline", nodes.Decline, label=TEXT)


ALL_RULES = {
    **build_expressions.RULES,
    **build_statements.RULES,
    **RULES,
}


def file_builder(source: Source, offset: int = 0) -> TreeBuilder:
    """Return what builds the nodes of a text that starts at an offset of its source."""
    return TreeBuilder(source, ALL_RULES, offset)
