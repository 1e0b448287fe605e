"""Amendments that change nothing or never act, and names that are lost where a block is replaced.

    define limit = 5
    change limit to 5                  # it is 5 already
    change limit by 0
    change limit to 6 when no
    instead of rest                    # and then what `rest` does anyway
    set my.coins to my.coins

A block that says `nothing` is taken at its word.

A verb or step is replaced, and something else still uses the name that was chosen in it:

    to turn
      step pick
        choose card from my.hand
      discard card                     # no card, where `instead of pick` holds

Which names are set is settled when a verb is type-checked, where nobody knows yet what variants replace.
So the linked verbs are gone through once more without the replaced blocks, and a name that is not set
any more is reported where it is replaced, for that is where it must be mended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.exclusive_guards import exclude
from rulewright.dsl.checks.variant_conflicts import line_of
from rulewright.dsl.model import visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.resolve.variants import Claim, conflict
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span

_NUMBERED = re.compile(r"(?<=')([\w.]+?)(?:~\d+)+(?=')")


def idle_amendments(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each amendment that changes nothing, or whose guard never holds."""
    for define in game.defines.values():
        yield from _changes(game, define.name, define.body, define.changes)
        for line in define.lines:
            yield from _changes(game, f"{define.name}.{line.name}", line.value, line.changes)
    for name, changes in game.option_changes.items():
        yield from _changes(game, name, game.options[name].default, changes)
    for verb in game.verbs.values():
        if verb.label is not None:
            yield from _changes(game, f"{verb.name}.label", verb.label, verb.label_changes)
        yield from _amendments(game, verb.name, verb.block, verb.amendments)
    steps = {
        step.id: step
        for block in visitor.all_blocks(game)
        for step in visitor.statements_in(block)
        if isinstance(step, model.NamedStep)
    }
    for target, amendments in game.step_amendments.items():
        block = steps[target].block if target in steps else ()
        yield from _amendments(game, target.rpartition(".")[2], block, amendments)
    for block in visitor.all_blocks(game):
        yield from _steps(block)


def _changes(
    game: model.Game, name: str, value: model.Expression, changes: Sequence[model.Changed]
) -> Iterator[Diagnostic]:
    for change in changes:
        why = None
        if change.how == "by" and _is_nothing(change.value):
            why = "this adds nothing"
        elif change.how == "to" and isinstance(change.value, model.OriginalValue):
            why = "`original` is what it is already"
        elif change.how == "to" and change.value == value and not _others(changes, change):
            why = "it is this already"
        if why is None:
            yield from _guard(game, name, change)
            continue
        before = (Label(value.span, "here"),) if why == "it is this already" else ()
        yield diagnostic(
            "RW512",
            change.value.span,
            why,
            secondary=before,
            help="take it out, or say what it should be",
            name=name,
        )


def _others(changes: Sequence[model.Changed], one: model.Changed) -> bool:
    """Return whether another `to` says something else, so that this one may take it back."""
    return any(change.how == "to" and change.value != one.value for change in changes)


def _amendments(
    game: model.Game, name: str, block: model.Block, amendments: Sequence[model.Amendment]
) -> Iterator[Diagnostic]:
    replacing = [one for one in amendments if one.timing == "instead"]
    for one in amendments:
        yield from _guard(game, name, one)
        if len(replacing) == 1 and one is replacing[0] and block and _alike(block, one.block):
            head = line_of(one.span)
            yield diagnostic(
                "RW607",
                head,
                "this is done anyway",
                secondary=(Label(line_of(block[0].span), "here"),),
                help="take it out, or say what is done instead",
                name=head.text,
            )


def _alike(one: model.Block, other: model.Block) -> bool:
    """Return whether two blocks say the same; the names of locals are longer in amendments."""
    if all(isinstance(step, model.Nothing) for step in other):
        return False
    first, second = (_NUMBERED.sub(r"\1", repr(block)) for block in (one, other))
    return first == second


def _steps(block: model.Block) -> Iterator[Diagnostic]:
    """Yield a warning for each step that changes nothing, whatever is so."""
    for step in visitor.statements_in(block):
        match step:
            case model.Set(place=place, value=value):
                idle = _reads(value, place)
                label = "it is this already"
            case model.Add(value=value) | model.Remove(value=value):
                idle = _is_nothing(value) and _stands_in(value, step)
                label = "this is nothing"
            case _:
                continue
        if idle:
            help = "take the step out, or say what it should do"
            yield diagnostic("RW607", value.span, label, help=help, name=line_of(step.span).text)


def _reads(value: model.Expression, place: model.Place) -> bool:
    """Return whether a value is that which stands in a place already."""
    match value, place:
        case model.Read(), model.FieldPlace():
            return (value.field, value.target) == (place.field, place.target)
        case model.Entry(family=model.Read() as family), model.EntryPlace():
            own = family.field, family.target, value.key
            return own == (place.field, place.target, place.key)
    return False


def _stands_in(value: model.Expression, step: model.Add | model.Remove) -> bool:
    return (
        value.span.source is step.span.source
        and step.span.start <= value.span.start < step.span.end
    )


def _is_nothing(added: model.Expression) -> bool:
    match added:
        case model.Constant(value=0):
            return added.value is not False
        case model.ListOf(items=()):
            return True
    return False


def _guard(
    game: model.Game, name: str, one: model.Changed | model.Amendment
) -> Iterator[Diagnostic]:
    guard = one.guard
    if guard is not None and exclude(game, guard, guard):
        yield diagnostic("RW501", line_of(guard.span), "this never holds", name=name)


# ----------------------------------------------------------------- names that go with what sets them


SetNames = frozenset[str] | None
"""The names that are set; None where nothing comes any more."""


def replaced_names(game: model.Game, world: World) -> Iterator[Diagnostic]:
    """Yield a message for each name that a replaced block does not set any more."""
    for verb in game.verbs.values():
        steps = [
            step for step in visitor.statements_in(verb.block) if isinstance(step, model.NamedStep)
        ]
        for target in (None, *(step.id for step in steps)):
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
        place = line_of(replacing.span)
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
