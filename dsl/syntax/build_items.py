"""The parse tree of a file goes in, its syntax tree comes out; nobody else sees Lark's trees.

Every method is called like the rule or alias of the grammar that it builds, and gets the tree and
its children. Spans leave out what is no part of a construct: citations, comments and line breaks.
`build_expressions` holds expressions, types and texts, `build_statements` what stands inside of items;
here are files, items, tables and examples.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_statements import Sections, StepBuilder

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

# A bar outside of backquotes, with the comment behind it: a `#` at the beginning of a cell.
_BAR = re.compile(r"`[^`]*`|\|(?:[ \t]*(?:see\b[^#|]*)?#.*)?")
_ROW_END = re.compile(r"\s*(?:see\b([^#]*))?(?:#.*)?")


class FileBuilder(StepBuilder):
    """Builds files, headers and items."""

    def start(self, tree: Part, children: list[Any]) -> nodes.File:
        _language, header, *items = children
        return nodes.File(
            span=self.source.whole(), header=self.build(header), items=self.build_all(items)
        )

    # Headers

    def game_header(self, tree: Part, children: list[Any]) -> nodes.GameHeader:
        title, players, see = children
        return nodes.GameHeader(
            span=self.span(tree),
            title=self.text(title),
            players=self.build(players),
            see=self.see(see),
        )

    def variant_header(self, tree: Part, children: list[Any]) -> nodes.VariantHeader:
        title, game, players, see = children
        return nodes.VariantHeader(
            span=self.span(tree),
            title=self.text(title),
            game=self.word(game),
            players=None if players is None else self.build(players),
            see=self.see(see),
        )

    def module_header(self, tree: Part, children: list[Any]) -> nodes.ModuleHeader:
        name, *params, see = children
        return nodes.ModuleHeader(
            span=self.span(tree),
            name=self.word(name),
            parameters=self.parameters(params),
            see=self.see(see),
        )

    def examples_header(self, tree: Part, children: list[Any]) -> nodes.ExamplesHeader:
        game, see = children
        return nodes.ExamplesHeader(span=self.span(tree), game=self.word(game), see=self.see(see))

    # Modules, books, variants and options

    def use(self, tree: Part, children: list[Any]) -> nodes.Use:
        name, *arguments, alias, see = children
        return nodes.Use(
            span=self.span(tree),
            module=self.word(name),
            arguments=self.arguments(arguments),
            alias=self.optional_word(alias),
            see=self.see(see),
        )

    def book(self, tree: Part, children: list[Any]) -> nodes.Book:
        word, path, see = children
        return nodes.Book(
            span=self.span(tree),
            word=self.optional_word(word),
            path=self.text(path),
            see=self.see(see),
        )

    def no_rules(self, tree: Part, children: list[Any]) -> nodes.NoRules:
        token = children[0]
        start, words = token.start_pos, len("no rules in")
        return nodes.NoRules(
            span=self.between(start, start + len(token.rstrip())),
            sections=self.sections(token[words:], start + words),
        )

    def includes(self, tree: Part, children: list[Any]) -> nodes.Relation:
        ordered, *titles = children
        return self._relation("includes", tree, titles, ordered is not None)

    def excludes(self, tree: Part, children: list[Any]) -> nodes.Relation:
        return self._relation("excludes", tree, children)

    def requires(self, tree: Part, children: list[Any]) -> nodes.Relation:
        return self._relation("requires", tree, children)

    def requirement(self, tree: Part, children: list[Any]) -> nodes.Requirement:
        condition, text, see = children
        return nodes.Requirement(
            span=self.span(tree),
            condition=self.build(condition),
            text=self.text(text),
            see=self.see(see),
        )

    def _relation(
        self,
        word: Literal["includes", "excludes", "requires"],
        tree: Part,
        children: list[Any],
        ordered: bool = False,
    ) -> nodes.Relation:
        *titles, see = children
        return nodes.Relation(
            span=self.span(tree),
            word=word,
            ordered=ordered,
            titles=self.texts(titles),
            see=self.see(see),
        )

    def option(self, tree: Part, children: list[Any], ruling: bool = False) -> nodes.Option:
        name, value_type, default, question, see = children
        return nodes.Option(
            span=self.span(tree),
            ruling=ruling,
            name=self.word(name),
            type=self.type_node(value_type),
            default=self.build(default),
            question=self.optional_text(question),
            see=self.see(see),
        )

    def ruling(self, tree: Part, children: list[Any]) -> nodes.Option:
        return self.option(tree, children, ruling=True)

    # Kinds and fields

    def kind_is(self, tree: Part, children: list[Any]) -> nodes.KindIs:
        name, values, see = children
        return nodes.KindIs(
            span=self.span(tree),
            name=self.word(name),
            type=self.type_node(values),
            see=self.see(see),
        )

    def unit(self, tree: Part, children: list[Any]) -> nodes.Unit:
        *names, see = children
        return nodes.Unit(span=self.span(tree), names=self.words(names), see=self.see(see))

    def kind_has(self, tree: Part, children: list[Any]) -> nodes.KindHas:
        kind, selected, also, marks, see, *members = children
        named, where = self._selected(selected)
        return nodes.KindHas(
            span=self.span(tree),
            kind=self.word(kind),
            named=named,
            where=where,
            also=also is not None,
            marks=self.marks_of(marks),
            members=self.build_all(members),
            see=self.see(see),
        )

    def _selected(self, part: Any) -> tuple[tuple[nodes.Text, ...], nodes.Expression | None]:
        if part is None:
            return (), None
        if part.data == "named":
            return self.texts(part.children), None
        return (), self.build(part.children[0])

    def game_has(self, tree: Part, children: list[Any]) -> nodes.GameHas:
        also, marks, see, *members = children
        return nodes.GameHas(
            span=self.span(tree),
            also=also is not None,
            marks=self.marks_of(marks),
            members=self.build_all(members),
            see=self.see(see),
        )

    def field(self, tree: Part, children: list[Any]) -> nodes.Field:
        names, value_type, default, marks, see = children
        return nodes.Field(
            span=self.span(tree),
            names=self.words(names.children),
            type=self.type_node(value_type),
            default=self.build_optional(default),
            marks=self.marks_of(marks),
            see=self.see(see),
        )

    def marks_of(self, tree: Tree[Token] | None) -> tuple[nodes.Mark, ...]:
        """Return the marks of a field or of a block; there may be none."""
        return () if tree is None else self.build_all(tree.children)

    def seen_by(self, tree: Part, children: list[Any]) -> nodes.SeenBy:
        return nodes.SeenBy(span=self.span(tree), count=False, viewers=self.build(children[0]))

    def count_seen_by(self, tree: Part, children: list[Any]) -> nodes.SeenBy:
        return nodes.SeenBy(span=self.span(tree), count=True, viewers=self.build(children[0]))

    def fresh(self, tree: Part, children: list[Any]) -> nodes.Fresh:
        return nodes.Fresh(span=self.span(tree), verb=self.word(children[0]), own=False)

    def fresh_own(self, tree: Part, children: list[Any]) -> nodes.Fresh:
        return nodes.Fresh(span=self.span(tree), verb=self.word(children[0]), own=True)

    def active(self, tree: Part, children: list[Any]) -> nodes.Active:
        return nodes.Active(span=self.span(tree))

    def neutral(self, tree: Part, children: list[Any]) -> nodes.Neutral:
        name, label, see = children
        return nodes.Neutral(
            span=self.span(tree), name=self.word(name), label=self.text(label), see=self.see(see)
        )

    # Tables

    def table(self, tree: Part, children: list[Any]) -> nodes.Table:
        kind, path, see, *rows = children
        return nodes.Table(
            span=self.span(tree),
            kind=self.word(kind),
            path=self.optional_text(path),
            rows=tuple([self._row(row) for row in rows if row is not None]),
            see=self.see(see),
        )

    def _row(self, token: Token) -> nodes.Row:
        start = token.start_pos or 0
        bars = [found.start() for found in _BAR.finditer(token) if found.group()[0] == "|"]
        cells = [
            self._cell(token[left + 1 : right], start + left + 1)
            for left, right in itertools.pairwise(bars)
        ]
        end = bars[-1] + 1
        return nodes.Row(
            span=self.between(start, start + end),
            cells=tuple(cells),
            see=self._row_end(token[end:], start + end),
        )

    def _cell(self, text: str, start: int) -> nodes.Word:
        trimmed = text.strip()
        begin = start + (len(text) - len(text.lstrip()) if trimmed else 0)
        return nodes.Word(span=self.between(begin, begin + len(trimmed)), text=trimmed)

    def _row_end(self, text: str, start: int) -> Sections:
        """Return the citation behind the last bar."""
        end = _ROW_END.fullmatch(text)
        if end is None:
            self.report(
                "RW101",
                self._cell(text, start).span,
                "a row ends with `|`",
                help="write `|` after the last cell",
                found="a text without a bar",
            )
            return ()
        return () if end.group(1) is None else self.sections(end.group(1), start + end.start(1))

    def table_product(self, tree: Part, children: list[Any]) -> nodes.TableProduct:
        kind, *ranges, see = children
        return nodes.TableProduct(
            span=self.span(tree),
            kind=self.word(kind),
            ranges=self.build_all(ranges),
            see=self.see(see),
        )

    def range_of(self, tree: Part, children: list[Any]) -> nodes.Range:
        name, values = children
        return nodes.Range(span=self.span(tree), name=self.word(name), values=self.build(values))

    # Checks and the ranking

    def check(self, tree: Part, children: list[Any], always: bool = False) -> nodes.Check:
        label, condition, see = children
        return nodes.Check(
            span=self.span(tree),
            always=always,
            label=self.optional_text(label),
            condition=self.build(condition),
            see=self.see(see),
        )

    def check_always(self, tree: Part, children: list[Any]) -> nodes.Check:
        return self.check(tree, children, always=True)

    def ranking(self, tree: Part, children: list[Any]) -> nodes.Ranking:
        see, *criteria = children
        lines = [criterion.children for criterion in criteria]
        return nodes.Ranking(
            span=self.span(tree),
            keys=self.build_all([key for key, _ in lines]),
            see=self.see(see, *[cited for _, cited in lines]),
        )

    # Examples

    def example(self, tree: Part, children: list[Any]) -> nodes.Example:
        title, present, absent, see, *lines = children
        return nodes.Example(
            span=self.span(tree),
            title=self.text(title),
            present=() if present is None else self.texts(present.children),
            absent=() if absent is None else self.texts(absent.children),
            lines=self.build_all(lines),
            see=self.see(see),
        )

    def example_players(self, tree: Part, children: list[Any]) -> nodes.ExamplePlayers:
        *names, see = children
        return nodes.ExamplePlayers(
            span=self.span(tree), names=self.words(names), see=self.see(see)
        )

    def given(self, tree: Part, children: list[Any]) -> nodes.Given:
        place, value, see = children
        return nodes.Given(
            span=self.span(tree),
            place=self.build(place),
            value=self.compared(value),
            see=self.see(see),
        )

    def given_holds(self, tree: Part, children: list[Any]) -> nodes.GivenHolds:
        place, *holdings, see = children
        return nodes.GivenHolds(
            span=self.span(tree),
            place=self.build(place),
            holdings=self.build_all(holdings),
            see=self.see(see),
        )

    def some_of(self, tree: Part, children: list[Any]) -> nodes.SomeOf:
        number, kind, condition = children
        return nodes.SomeOf(
            span=self.span(tree),
            number=self.number(number),
            kind=self.word(kind),
            condition=self.build_optional(condition),
        )

    def some_new(self, tree: Part, children: list[Any]) -> nodes.SomeNew:
        number, kind, *arguments = children
        span = self.span(tree)
        thing = nodes.New(
            span=span.slice(span.text.index(kind.value), len(span.text)),
            kind=self.word(kind),
            arguments=self.arguments(arguments),
        )
        return nodes.SomeNew(span=span, number=self.number(number), thing=thing)

    def chance(self, tree: Part, children: list[Any]) -> nodes.ChanceLine:
        *outcomes, see = children
        return nodes.ChanceLine(
            span=self.span(tree), outcomes=self.build_all(outcomes), see=self.see(see)
        )

    def do(self, tree: Part, children: list[Any]) -> nodes.Do:
        player, answers, see = children
        return nodes.Do(
            span=self.span(tree),
            player=self.word(player),
            answers=self.build_all(answers.children),
            see=self.see(see),
        )

    def allow(self, tree: Part, children: list[Any]) -> nodes.Allow:
        player, answers, see = children
        return nodes.Allow(
            span=self.span(tree),
            player=self.word(player),
            answers=self.build_all(answers.children),
            see=self.see(see),
        )

    def refuse(self, tree: Part, children: list[Any]) -> nodes.Refuse:
        player, answers, reason, see = children
        return nodes.Refuse(
            span=self.span(tree),
            player=self.word(player),
            answers=self.build_all(answers.children),
            reason=self.optional_text(reason),
            see=self.see(see),
        )

    def expect(self, tree: Part, children: list[Any]) -> nodes.Expect:
        condition, see = children
        return nodes.Expect(
            span=self.span(tree), condition=self.build(condition), see=self.see(see)
        )

    def expect_seen(self, tree: Part, children: list[Any]) -> nodes.ExpectSeen:
        return self._expect_seen(tree, children, seen=True)

    def expect_unseen(self, tree: Part, children: list[Any]) -> nodes.ExpectSeen:
        return self._expect_seen(tree, children, seen=False)

    def _expect_seen(self, tree: Part, children: list[Any], seen: bool) -> nodes.ExpectSeen:
        player, *values, see = children
        return nodes.ExpectSeen(
            span=self.span(tree),
            player=self.word(player),
            values=self.build_all(values),
            seen=seen,
            see=self.see(see),
        )

    def expect_told(self, tree: Part, children: list[Any]) -> nodes.ExpectTold:
        return self._expect_told(tree, children, told=True)

    def expect_untold(self, tree: Part, children: list[Any]) -> nodes.ExpectTold:
        return self._expect_told(tree, children, told=False)

    def _expect_told(self, tree: Part, children: list[Any], told: bool) -> nodes.ExpectTold:
        player, text, see = children
        return nodes.ExpectTold(
            span=self.span(tree),
            player=self.word(player),
            text=self.text(text),
            told=told,
            see=self.see(see),
        )

    def named_answer(self, tree: Part, children: list[Any]) -> nodes.NamedAnswer:
        name, value = children
        return nodes.NamedAnswer(
            span=self.span(tree), name=self.word(name), value=self.build(value)
        )

    def decline(self, tree: Part, children: list[Any]) -> nodes.Decline:
        return nodes.Decline(span=self.span(tree), label=self.text(children[0]))
