"""From the parse tree of a file to its syntax tree: files, headers, items and tables; all rules together.

Spans leave out what is no part of a construct: citations, comments and line breaks.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import build_examples, build_expressions, build_statements, nodes
from rulewright.dsl.syntax.build_base import Rules, Sections, TreeBuilder
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


@RULES.add
def game_header(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.GameHeader:
    title, players, see = children
    return nodes.GameHeader(
        span=builder.span(tree),
        title=builder.text(title),
        players=builder.build(players),
        see=builder.see(see),
    )


@RULES.add
def variant_header(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.VariantHeader:
    title, game, players, see = children
    return nodes.VariantHeader(
        span=builder.span(tree),
        title=builder.text(title),
        game=builder.word(game),
        players=None if players is None else builder.build(players),
        see=builder.see(see),
    )


@RULES.add
def module_header(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ModuleHeader:
    name, *params, see = children
    return nodes.ModuleHeader(
        span=builder.span(tree),
        name=builder.word(name),
        parameters=builder.parameters(params),
        see=builder.see(see),
    )


@RULES.add
def examples_header(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.ExamplesHeader:
    game, see = children
    return nodes.ExamplesHeader(
        span=builder.span(tree), game=builder.word(game), see=builder.see(see)
    )


# -------------------------------------------------------------- modules, books, variants and options


@RULES.add
def use(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Use:
    name, *arguments, alias, see = children
    return nodes.Use(
        span=builder.span(tree),
        module=builder.word(name),
        arguments=builder.arguments(arguments),
        alias=builder.optional_word(alias),
        see=builder.see(see),
    )


@RULES.add
def book(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Book:
    word, path, see = children
    return nodes.Book(
        span=builder.span(tree),
        word=builder.optional_word(word),
        path=builder.text(path),
        see=builder.see(see),
    )


@RULES.add
def no_rules(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.NoRules:
    token = children[0]
    start, words = token.start_pos, len("no rules in")
    return nodes.NoRules(
        span=builder.between(start, start + len(token.rstrip())),
        sections=builder.sections(token[words:], start + words),
    )


@RULES.add
def includes(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Relation:
    ordered, *titles = children
    return _relation(builder, "includes", tree, titles, ordered is not None)


@RULES.add
def excludes(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Relation:
    return _relation(builder, "excludes", tree, children)


@RULES.add
def requires(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Relation:
    return _relation(builder, "requires", tree, children)


@RULES.add
def requirement(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Requirement:
    condition, text, see = children
    return nodes.Requirement(
        span=builder.span(tree),
        condition=builder.build(condition),
        text=builder.text(text),
        see=builder.see(see),
    )


def _relation(
    builder: TreeBuilder,
    word: Literal["includes", "excludes", "requires"],
    tree: Part,
    children: list[Any],
    ordered: bool = False,
) -> nodes.Relation:
    *titles, see = children
    return nodes.Relation(
        span=builder.span(tree),
        word=word,
        ordered=ordered,
        titles=builder.texts(titles),
        see=builder.see(see),
    )


@RULES.add
def option(
    builder: TreeBuilder, tree: Part, children: list[Any], ruling: bool = False
) -> nodes.Option:
    name, value_type, default, question, see = children
    return nodes.Option(
        span=builder.span(tree),
        ruling=ruling,
        name=builder.word(name),
        type=builder.type_node(value_type),
        default=builder.build(default),
        question=builder.optional_text(question),
        see=builder.see(see),
    )


@RULES.add
def ruling(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Option:
    return option(builder, tree, children, ruling=True)


# ---------------------------------------------------------------------------------- kinds and fields


@RULES.add
def kind_is(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.KindIs:
    name, values, see = children
    return nodes.KindIs(
        span=builder.span(tree),
        name=builder.word(name),
        type=builder.type_node(values),
        see=builder.see(see),
    )


@RULES.add
def unit(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Unit:
    *names, see = children
    return nodes.Unit(span=builder.span(tree), names=builder.words(names), see=builder.see(see))


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
        marks=_marks_of(builder, marks),
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


@RULES.add
def game_has(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.GameHas:
    also, marks, see, *members = children
    return nodes.GameHas(
        span=builder.span(tree),
        also=also is not None,
        marks=_marks_of(builder, marks),
        members=builder.build_all(members),
        see=builder.see(see),
    )


@RULES.add
def field(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Field:
    names, value_type, default, marks, see = children
    return nodes.Field(
        span=builder.span(tree),
        names=builder.words(names.children),
        type=builder.type_node(value_type),
        default=builder.build_optional(default),
        marks=_marks_of(builder, marks),
        see=builder.see(see),
    )


def _marks_of(builder: TreeBuilder, tree: Tree[Token] | None) -> tuple[nodes.Mark, ...]:
    """Return the marks of a field or of a block; there may be none."""
    return () if tree is None else builder.build_all(tree.children)


@RULES.add
def seen_by(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.SeenBy:
    return nodes.SeenBy(span=builder.span(tree), count=False, viewers=builder.build(children[0]))


@RULES.add
def count_seen_by(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.SeenBy:
    return nodes.SeenBy(span=builder.span(tree), count=True, viewers=builder.build(children[0]))


@RULES.add
def fresh(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Fresh:
    return nodes.Fresh(span=builder.span(tree), verb=builder.word(children[0]), own=False)


@RULES.add
def fresh_own(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Fresh:
    return nodes.Fresh(span=builder.span(tree), verb=builder.word(children[0]), own=True)


@RULES.add
def active(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Active:
    return nodes.Active(span=builder.span(tree))


@RULES.add
def neutral(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Neutral:
    name, label, see = children
    return nodes.Neutral(
        span=builder.span(tree),
        name=builder.word(name),
        label=builder.text(label),
        see=builder.see(see),
    )


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


@RULES.add
def table_product(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.TableProduct:
    kind, *ranges, see = children
    return nodes.TableProduct(
        span=builder.span(tree),
        kind=builder.word(kind),
        ranges=builder.build_all(ranges),
        see=builder.see(see),
    )


@RULES.add
def range_of(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Range:
    name, values = children
    return nodes.Range(
        span=builder.span(tree), name=builder.word(name), values=builder.build(values)
    )


# ---------------------------------------------------------------------------- checks and the ranking


@RULES.add
def check(
    builder: TreeBuilder, tree: Part, children: list[Any], always: bool = False
) -> nodes.Check:
    label, condition, see = children
    return nodes.Check(
        span=builder.span(tree),
        always=always,
        label=builder.optional_text(label),
        condition=builder.build(condition),
        see=builder.see(see),
    )


@RULES.add
def check_always(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Check:
    return check(builder, tree, children, always=True)


@RULES.add
def ranking(builder: TreeBuilder, tree: Part, children: list[Any]) -> nodes.Ranking:
    see, *criteria = children
    lines = [criterion.children for criterion in criteria]
    return nodes.Ranking(
        span=builder.span(tree),
        keys=builder.build_all([key for key, _ in lines]),
        see=builder.see(see, *[cited for _, cited in lines]),
    )


ALL_RULES = {
    **build_expressions.RULES,
    **build_statements.RULES,
    **build_examples.RULES,
    **RULES,
}


def file_builder(source: Source, offset: int = 0) -> TreeBuilder:
    """Return what builds the nodes of a text that starts at an offset of its source."""
    return TreeBuilder(source, ALL_RULES, offset)
