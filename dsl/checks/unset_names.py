"""Names that are not set any more, since the block that sets them is replaced.

    to turn
      step pick
        choose card from my.hand
      discard card                     # no card, where `instead of pick` holds

Which names are set is settled when a verb is type-checked, where nobody knows yet what variants replace.
So the linked verbs are gone through once more without the replaced blocks, and a name that is not set
any more is reported where it is replaced, for that is where it must be mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.resolve.variants import Claim, conflict
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

SetNames = frozenset[str] | None
"""The names that are set; None where nothing comes any more."""


def problems(game: model.Game, world: World) -> Iterator[Diagnostic]:
    """Yield a message for each name that a replaced block does not set any more."""
    for verb in game.verbs.values():
        for target in (None, *visitor.named_steps((verb.block,))):
            amendments = verb.amendments if target is None else game.step_amendments.get(target, ())
            replacing = [one for one in amendments if one.timing == "instead"]
            if replacing:
                yield from _missing(game, world, verb, target, replacing[-1])


def _missing(
    game: model.Game,
    world: World,
    verb: model.Verb,
    target: str | None,
    replacing: model.Amendment,
) -> Iterator[Diagnostic]:
    whole = _NamesInOrder(game, verb, None, with_all=True).uses()
    left = _NamesInOrder(game, verb, target, with_all=False).uses()
    seen: set[str] = set()
    for use in left:
        if use in whole or use.name in seen:
            continue
        seen.add(use.name)
        place = replacing.span.first_line()
        if use.title and replacing.title and use.title != replacing.title:
            first = Claim(replacing.title, place, f"`{replacing.title}` replaces what sets it")
            second = Claim(use.title, use.span, f"`{use.title}` uses `{use.name}`")
            yield conflict(world, verb.name, None, first, second, ordered=False)
            continue
        yield diagnostic(
            "RW217",
            place,
            f"this replaces what sets `{use.name}`",
            secondary=(Label(use.span, f"`{use.name}` is used here"),),
            help="what an amendment chooses stays inside it: replace what uses the name as well",
            name=use.name,
        )


@attrs.frozen
class _UseOfName:
    """A place where a name is used that is not set; `title`: the variant that says so."""

    name: str
    span: Span
    title: str


class _NamesInOrder:
    """Goes through a verb with its amendments in the order in which they run.

    `target` is the step that is replaced, None for the verb; with `with_all` nothing is.
    """

    def __init__(
        self, game: model.Game, verb: model.Verb, target: str | None, *, with_all: bool
    ) -> None:
        self.game = game
        self.verb = verb
        self.target = target
        self.with_all = with_all
        self.found: list[_UseOfName] = []
        self.title = ""

    def uses(self) -> list[_UseOfName]:
        """Return the uses of names of the verb that are not set there."""
        verb = self.verb
        known: SetNames = frozenset(one.name for one in verb.parameters)
        self._amendments(verb.amendments, "before", known)
        ends = self._block(verb.block, known)
        if not self.with_all and self.target is None:
            ends = known
        self._amendments(verb.amendments, "instead", known)
        self._amendments(verb.amendments, "after", ends)
        return self.found

    def _amendments(
        self, amendments: Sequence[model.Amendment], timing: str, known: SetNames
    ) -> None:
        for one in amendments:
            if one.timing == timing:
                self.title = one.title
                if one.guard is not None:
                    self._read(one.guard, known)
                self._block(one.block, known)
                self.title = ""

    def _read(self, node: model.Node, known: SetNames) -> None:
        bindings = filter(None, map(visitor.binding, visitor.nodes_in(node)))
        bound = {name for name, _ in bindings}
        for one in visitor.nodes_in(node):
            if isinstance(one, model.Local) and known is not None:
                # The names of amendments are their own: they are numbered.
                if one.name not in known | bound and "~" not in one.name:
                    self.found.append(_UseOfName(one.name, one.span, self.title))

    def _block(self, block: model.Block, known: SetNames) -> SetNames:
        for statement in block:
            for head in visitor.parts(statement):
                self._read(head, self._inside(statement, known))
            known = self._step(statement, known)
        return known

    def _inside(self, statement: model.Statement, known: SetNames) -> SetNames:
        """Return what is known in the conditions of a `choose`: the selection itself, too."""
        if isinstance(statement, model.Choose) and known is not None:
            return known | {statement.name}
        return known

    def _step(self, statement: model.Statement, known: SetNames) -> SetNames:
        match statement:
            case model.Let(name=name) | model.Choose(name=name):
                return None if known is None else known | {name}
            case model.Stop() | model.EndGame():
                return None
            case model.If():
                ends = [self._block(one.block, known) for one in statement.branches]
                return _both(*ends, self._block(statement.otherwise, known))
            case model.Either():
                return _both(*(self._block(arm.block, known) for arm in statement.arms))
            case model.ForEach(name=name):
                self._block(statement.block, None if known is None else known | {name})
                return known
            case model.NamedStep():
                return self._named(statement, known)
        for inner in visitor.blocks_in(statement):
            self._block(inner, known)
        return known

    def _named(self, step: model.NamedStep, known: SetNames) -> SetNames:
        amendments = self.game.step_amendments.get(step.id, ())
        self._amendments(amendments, "before", known)
        ends = self._block(step.block, known)
        if not self.with_all and step.id == self.target:
            ends = known
        self._amendments(amendments, "instead", known)
        self._amendments(amendments, "after", known)
        return ends


def _both(*ends: SetNames) -> SetNames:
    left = [one for one in ends if one is not None]
    return frozenset.intersection(*left) if left else None
