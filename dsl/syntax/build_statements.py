"""Parse trees of amendments, steps and lines of examples go in, nodes come out; part of `build_items`.

The children of a tree are positional: an optional part that is missing is `None`. Each line ends
with its citation or `None`, so most methods take that off first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from rulewright.dsl.syntax import nodes
from rulewright.dsl.syntax.build_expressions import ExpressionBuilder
from rulewright.dsl.text.source import join

if TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token

Sections = tuple[nodes.Section, ...]

_HOW: dict[str, Literal["to", "by", "at most", "at least"]] = {
    "to": "to",
    "by": "by",
    "to at most": "at most",
    "to at least": "at least",
}
_TIMING: dict[str, Literal["before", "after", "instead"]] = {
    "before": "before",
    "after": "after",
    "instead": "instead",
}
_BOOK = re.compile(r"[ \t]*([a-z_]+):")


class StepBuilder(ExpressionBuilder):
    """Builds what stands inside of items, and citations."""

    # Citations

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

    # Definitions

    def define(self, tree: Part, children: list[Any]) -> nodes.Define:
        name, *params, value_type, body = children
        head, *lets, value, last = self._body(body)
        return nodes.Define(
            span=self.span(tree),
            name=self.word(name),
            parameters=self.parameters(params),
            type=self.optional_type(value_type),
            lets=self.build_all(lets),
            value=self.build(value),
            see=self.see(head, last),
        )

    def _body(self, body: Tree[Token]) -> list[Any]:
        # A body of one line has no line for its head to cite in.
        return body.children if body.data == "body_block" else [None, *body.children]

    def tally(self, tree: Part, children: list[Any]) -> nodes.Tally:
        first = next(i for i, child in enumerate(children) if _is_tree(child, "tally_line"))
        name, *params, value_type, see = children[:first]
        return nodes.Tally(
            span=self.span(tree),
            name=self.word(name),
            parameters=self.parameters(params),
            type=self.optional_type(value_type),
            lines=self.build_all(children[first:]),
            see=self.see(see),
        )

    def tally_line(self, tree: Part, children: list[Any]) -> nodes.TallyLine:
        name, value, see = children
        return nodes.TallyLine(
            span=self.span(tree), name=self.word(name), value=self.build(value), see=self.see(see)
        )

    def parameters(self, parts: list[Any]) -> tuple[nodes.Parameter, ...]:
        """Return the parameters of a head: no brackets are `[]`, empty ones `[None]`."""
        return self.build_all(parts[0].children) if parts and parts[0] else ()

    def param(self, tree: Part, children: list[Any]) -> nodes.Parameter:
        name, value_type, default = children
        return nodes.Parameter(
            span=self.span(tree),
            name=self.word(name),
            type=self.optional_type(value_type),
            default=self.build_optional(default),
        )

    def verb(self, tree: Part, children: list[Any]) -> nodes.Verb:
        name, param, *places, label, see, block = children
        return nodes.Verb(
            span=self.span(tree),
            name=self.word(name),
            object=self.build_optional(param),
            places=self.build_all(places),
            label=self.optional_text(label),
            block=self.block_of(block),
            see=self.see(see),
        )

    def verb_place(self, tree: Part, children: list[Any]) -> nodes.VerbPlace:
        preposition, parameter = children
        return nodes.VerbPlace(
            span=self.span(tree),
            preposition=str(preposition.children[0]),
            parameter=self.build(parameter),
        )

    # Amendments

    def as_soon_as(self, tree: Part, children: list[Any]) -> nodes.AsSoonAs:
        condition, see, block = children
        return nodes.AsSoonAs(
            span=self.span(tree),
            condition=self.build(condition),
            block=self.block_of(block),
            see=self.see(see),
        )

    def during(self, tree: Part, children: list[Any]) -> nodes.During:
        targets, guard, see, *items = children
        return nodes.During(
            span=self.span(tree),
            targets=self.build_all(targets.children),
            guard=self.build_optional(guard),
            items=self.build_all(items),
            see=self.see(see),
        )

    def change(self, tree: Part, children: list[Any]) -> nodes.Change:
        target, how, value, guard, see = children
        return nodes.Change(
            span=self.span(tree),
            target=self.build(target),
            how=_HOW[" ".join(how.children)],
            value=self.build(value),
            guard=self.build_optional(guard),
            see=self.see(see),
        )

    def around(self, tree: Part, children: list[Any]) -> nodes.Around:
        timing, targets, guard, see, block = children
        return nodes.Around(
            span=self.span(tree),
            timing=_TIMING[timing.children[0]],
            targets=self.build_all(targets.children),
            guard=self.build_optional(guard),
            block=self.block_of(block),
            see=self.see(see),
        )

    def offer(self, tree: Part, children: list[Any]) -> nodes.Offer:
        label, guard, see, block = children
        return nodes.Offer(
            span=self.span(tree),
            label=self.text(label),
            guard=self.build_optional(guard),
            block=self.block_of(block),
            see=self.see(see),
        )

    def target(self, tree: Part, children: list[Any]) -> nodes.Target:
        return nodes.Target(span=self.span(tree), words=self.words(children))

    # Steps

    def block_of(self, tree: Tree[Token] | None) -> nodes.Block:
        """Return the steps of a block; a block that is missing has none."""
        return () if tree is None else tuple(map(self.build, tree.children))

    def let(self, tree: Part, children: list[Any]) -> nodes.Let:
        name, value, see = children
        return nodes.Let(
            span=self.span(tree), name=self.word(name), value=self.build(value), see=self.see(see)
        )

    def command(self, tree: Part, children: list[Any]) -> nodes.Command:
        return self._command(tree, None, children)

    def command_of(self, tree: Part, children: list[Any]) -> nodes.Command:
        return self._command(tree, self.word(children[0]), children[1:])

    def _command(
        self, tree: Part, instance: nodes.Word | None, children: list[Any]
    ) -> nodes.Command:
        verb, thing, *places, see = children
        if _is_tree(thing, "grouped") and verb.end_pos == thing.meta.start_pos:
            self.report(
                "RW101",
                self.between(verb.end_pos, verb.end_pos + 1),
                "verbs have no brackets",
                help=f"write a blank: `{verb} …`",
                found="`(`",
            )
        return nodes.Command(
            span=self.span(tree),
            instance=instance,
            verb=self.word(verb),
            object=self.build_optional(thing),
            places=self.build_all(places),
            see=self.see(see),
        )

    def place(self, tree: Part, children: list[Any]) -> nodes.Place:
        preposition, value = children
        return nodes.Place(
            span=self.span(tree),
            preposition=str(preposition.children[0]),
            value=self.build(value),
        )

    def choose(self, tree: Part, children: list[Any]) -> nodes.Choose:
        quantity, name, source, *clauses = children
        return nodes.Choose(
            span=self.span(tree),
            quantity=self.build_optional(quantity),
            name=self.word(name),
            source=self.build(source),
            **self._clauses(clauses),
        )

    def choose_split(self, tree: Part, children: list[Any]) -> nodes.ChooseSplit:
        name, total, over, cap, *clauses = children
        return nodes.ChooseSplit(
            span=self.span(tree),
            name=self.word(name),
            total=self.build(total),
            over=self.build(over),
            cap=None if cap is None else self.build(cap.children[0]),
            **self._clauses(clauses),
        )

    def _clauses(self, parts: list[Any]) -> dict[str, Any]:
        """Return the clauses of a `choose` and the citations of its lines, by field."""
        found: dict[str, Any] = {"such_that": None, "ask": None, "or_stop": False}
        for part in parts:
            if part is None or isinstance(part, str):
                continue
            if part.data == "such_that":
                found["such_that"] = self._both(found["such_that"], self.build(part.children[0]))
                continue
            if found[part.data]:
                self._said_twice(part, part.data.replace("_", " "))
            found[part.data] = part.data == "or_stop" or self.text(part.children[0])
        found["see"] = self.see(*[part for part in parts if not hasattr(part, "data")])
        return found

    def _both(self, first: nodes.Expression | None, second: nodes.Expression) -> nodes.Expression:
        # Every `such that` must hold; on lines of their own they read better than one long `and`.
        if first is None:
            return second
        span = join(first.span, second.span)
        return nodes.Binary(span=span, word="and", left=first, right=second)

    def _said_twice(self, part: Part, words: str) -> None:
        self.report(
            "RW101",
            self.span(part),
            "said twice",
            help=f"take one `{words}` out",
            found=f"a second `{words}`",
        )

    def exactly(self, tree: Part, children: list[Any]) -> nodes.Quantity:
        value = self.build(children[0])
        return nodes.Quantity(span=self.span(tree), word="count", value=value)

    def up_to(self, tree: Part, children: list[Any]) -> nodes.Quantity:
        value = self.build(children[0])
        return nodes.Quantity(span=self.span(tree), word="up_to", value=value)

    def any_number(self, tree: Part, children: list[Any]) -> nodes.Quantity:
        return nodes.Quantity(span=self.span(tree), word="any", value=None)

    def in_order(self, tree: Part, children: list[Any]) -> nodes.Quantity:
        return nodes.Quantity(span=self.span(tree), word="ordered", value=None)

    def may(self, tree: Part, children: list[Any]) -> nodes.May:
        label, see, block = children
        return nodes.May(
            span=self.span(tree),
            label=self.text(label),
            block=self.block_of(block),
            see=self.see(see),
        )

    def either(self, tree: Part, children: list[Any]) -> nodes.Either:
        question, *arms = children
        ask, see = (None, ()) if question is None else self.build(question)
        return nodes.Either(span=self.span(tree), ask=ask, arms=self.build_all(arms), see=see)

    def question(self, tree: Part, children: list[Any]) -> tuple[nodes.Text, Sections]:
        text, see = children
        return self.text(text), self.see(see)

    def arm(self, tree: Part, children: list[Any]) -> nodes.Arm:
        label, guard, see, block = children
        return nodes.Arm(
            span=self.span(tree),
            label=self.text(label),
            guard=self.build_optional(guard),
            block=self.block_of(block),
            see=self.see(see),
        )

    def if_(self, tree: Part, children: list[Any]) -> nodes.If:
        *branches, otherwise = children
        see, block = otherwise.children if otherwise is not None else (None, None)
        return nodes.If(
            span=self.span(tree),
            branches=self.build_all(branches),
            otherwise=self.block_of(block),
            see=self.see(see),
        )

    def branch(self, tree: Part, children: list[Any]) -> nodes.Branch:
        condition, see, block = children
        return nodes.Branch(
            span=self.span(tree),
            condition=self.build(condition),
            block=self.block_of(block),
            see=self.see(see),
        )

    def for_each(self, tree: Part, children: list[Any]) -> nodes.ForEach:
        name, source, see, block = children
        return nodes.ForEach(
            span=self.span(tree),
            name=self.word(name),
            source=self.build(source),
            block=self.block_of(block),
            see=self.see(see),
        )

    def repeat(self, tree: Part, children: list[Any]) -> nodes.Repeat:
        loop, see, block = children
        return nodes.Repeat(
            span=self.span(tree),
            word="for ever" if loop is None else loop.data.removeprefix("loop_"),
            value=None if loop is None else self.build(loop.children[0]),
            block=self.block_of(block),
            see=self.see(see),
        )

    def as_(self, tree: Part, children: list[Any]) -> nodes.As:
        players, together, see, block = children
        return nodes.As(
            span=self.span(tree),
            players=self.build(players),
            together=together is not None,
            block=self.block_of(block),
            see=self.see(see),
        )

    def need(self, tree: Part, children: list[Any]) -> nodes.Need:
        condition, reason, see = children
        return nodes.Need(
            span=self.span(tree),
            condition=self.build(condition),
            reason=self.text(reason),
            see=self.see(see),
        )

    def step_block(self, tree: Part, children: list[Any]) -> nodes.StepBlock:
        name, see, block = children
        return nodes.StepBlock(
            span=self.span(tree),
            name=self.word(name),
            block=self.block_of(block),
            see=self.see(see),
        )

    def until(self, tree: Part, children: list[Any]) -> nodes.Until:
        target, change = children
        return nodes.Until(
            span=self.span(tree), target=self.build(target), change=self.build(change)
        )

    def do_value(self, tree: Part, children: list[Any]) -> nodes.DoValue:
        value, see = children
        return nodes.DoValue(span=self.span(tree), value=self.build(value), see=self.see(see))

    def end_game(self, tree: Part, children: list[Any]) -> nodes.EndGame:
        reason, see = children
        return nodes.EndGame(
            span=self.span(tree), reason=self.optional_text(reason), see=self.see(see)
        )

    def stop(self, tree: Part, children: list[Any]) -> nodes.Stop:
        target, see = children
        return nodes.Stop(
            span=self.span(tree), target=self.optional_word(target), see=self.see(see)
        )


def _is_tree(part: Any, data: str) -> bool:
    return getattr(part, "data", None) == data
