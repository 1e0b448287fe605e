"""Where two variants change the same thing, and must say which of them counts.

Two amendments of one target go together if it makes no difference which comes first. That is so for
`by` and `by`, for limits, for conditions that are only added to, for guards that never hold together,
and for blocks of which neither writes what the other reads or writes. What a block touches is known
through everything that it does (`analysis/effects`).

An error asks for a decision; where the order is defined but may surprise, there is a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import (
    CHANCE,
    ENDING,
    KINDS,
    LASTING,
    SHOWN,
    Touch,
    effects_of,
    kind_of_place,
)
from rulewright.dsl.analysis.exclusive_guards import ExclusiveGuards
from rulewright.dsl.analysis.list_order import where_order_matters
from rulewright.dsl.model import types, visitor
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.resolve.variants import Claim, conflict, settled
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.typecheck.constants import folded

_FREE = frozenset((CHANCE, SHOWN))
"""What two may write in either order: who draws first is a note, what is shown changes nothing."""

MOST_NAMES = 3

A = TypeVar("A", model.Changed, model.Amendment)


def problems(game: model.Game, world: World) -> Iterator[Diagnostic]:
    """Yield what the variants of a game must settle, and what is worth knowing."""
    meetings = _Meetings(game, world)
    meetings.values()
    meetings.blocks()
    meetings.replaced()
    yield from meetings.found.values()


class _Meetings:
    def __init__(self, game: model.Game, world: World) -> None:
        self.game = game
        self.world = world
        self.titles = {one.title for one in world.variants}
        self.effects = effects_of(game)
        self.guards = ExclusiveGuards(game, self.effects)
        self.found: dict[tuple[object, ...], Diagnostic] = {}
        """By code and places: an amendment of several targets meets another one once."""

    def _pairs(self, amendments: Iterable[A]) -> Iterator[tuple[A, A]]:
        """Yield what different variants say in one place: for as long as they are on, as powers of
        things, or until a verb ends. The later of these three comes after the others, whoever says it."""
        own = [one for one in amendments if one.title in self.titles]
        own.sort(key=lambda one: (one.scope, one.order))
        for first, second in combinations(own, 2):
            if first.title != second.title and _layer(first) == _layer(second):
                yield first, second

    def add(self, item: Diagnostic) -> None:
        places = [item.primary.span, *(label.span for label in item.secondary)]
        key = (item.code.code, *[(span.source, span.start) for span in places])
        self.found.setdefault(key, item)

    def note(self, name: str, first: Claim, second: Claim, help: str) -> None:
        self.add(
            diagnostic(
                "RW511",
                second.span,
                second.text,
                secondary=(Label(first.span, first.text),),
                help=help,
                name=name,
            )
        )

    # ------------------------------------------------------------------------------------- values

    def values(self) -> None:
        """Look at the changes of defines, lines of tallies, labels and options."""
        game = self.game
        for define in game.defines.values():
            self._changes(define.name, define, define.changes)
            for line in define.lines:
                self._changes(f"{define.name}.{line.name}", None, line.changes)
        for verb in game.verbs.values():
            self._changes(f"{verb.name}.label", None, verb.label_changes)
        for name, changes in game.option_changes.items():
            self._changes(name, None, changes)

    def _changes(
        self, name: str, define: model.Define | None, changes: Sequence[model.Changed]
    ) -> None:
        plain = [one for one in changes if one.title in self.titles and _is_plain(one)]
        speaking = {one.title for one in plain if one.how == "to"}
        for first, second in self._pairs(changes):
            # Beside powers and what `until` says, a plain `change` of a third variant is nothing.
            third = speaking if _is_plain(first) else set()
            if settled(self.world, first.title, second.title, third):
                continue
            own = f"a `change {name} to …`" if _is_plain(first) else None
            ways = {first.how, second.how}
            if ways == {"to"} and not self._agree(first, second):
                self.add(conflict(self.world, name, own, _says(first), _says(second)))
            elif ways == {"to", "by"}:
                to, by = (first, second) if first.how == "to" else (second, first)
                self.note(
                    name,
                    Claim(to.title, to.span.first_line(), f"`{to.title}` says what it is"),
                    Claim(by.title, by.span.first_line(), f"`{by.title}` adds to that"),
                    help="`to` comes first, then `by`: the addition stays",
                )
            elif ways == {"by"} and define is not None:
                self._lists(name, define, first, second)

    def _agree(self, first: model.Changed, second: model.Changed) -> bool:
        """Return whether two `to` of one value may come in either order."""
        word = _added_with(first.value)
        if word is not None and word == _added_with(second.value):
            return True
        if _reads_original(first.guard) or _reads_original(second.guard):
            return False
        if folded(first.value) == folded(second.value) and not _reads_original(first.value):
            return True
        return self.guards.never_together(first, second)

    def _lists(
        self, name: str, define: model.Define, first: model.Changed, second: model.Changed
    ) -> None:
        if not isinstance(define.type, types.ListType):
            return
        place = where_order_matters(self.game, define.name)
        if place is not None and not self.guards.never_together(first, second):
            found = conflict(
                self.world,
                name,
                f"a `change {name} to …`" if _is_plain(first) else None,
                Claim(first.title, first.span.first_line(), f"`{first.title}` appends this"),
                Claim(second.title, second.span.first_line(), f"`{second.title}` appends this"),
            )
            because = Label(place, "here it matters which comes first")
            self.add(attrs.evolve(found, secondary=(*found.secondary, because)))

    # ------------------------------------------------------------------------------------- blocks

    def blocks(self) -> None:
        """Look at the blocks that hang on one verb or step."""
        for verb in self.game.verbs.values():
            self._around(verb.name, verb.amendments)
        for identity, amendments in self.game.step_amendments.items():
            self._around(self._step(identity), amendments)

    def _step(self, identity: str) -> str:
        verb, _, step = identity.rpartition(".")
        known = self.game.verbs.get(verb)
        return step if known is None else f"{known.name}.{step}"

    def _around(self, name: str, amendments: Sequence[model.Amendment]) -> None:
        replacing = {
            one.title
            for one in amendments
            if one.title in self.titles and _is_plain(one) and one.timing == "instead"
        }
        for first, second in self._pairs(amendments):
            plain = _is_plain(first)
            if not plain and self.guards.in_turn(first, second):
                continue
            timings = {first.timing, second.timing}
            # In a third variant, another block stands beside these two, but one `instead of` in place
            # of theirs.
            speaking = replacing if "instead" in timings and plain else set()
            if settled(self.world, first.title, second.title, speaking):
                continue
            if timings == {"instead"}:
                if not self.guards.never_together(first, second):
                    own_block = f"an `instead of {name}`" if plain else None
                    self.add(conflict(self.world, name, own_block, _says(first), _says(second)))
            elif timings != {"before", "after"}:
                self._beside(name, first, second, speaking)

    def _beside(
        self, name: str, first: model.Amendment, second: model.Amendment, replacing: set[str]
    ) -> None:
        """Look at two blocks of which one comes before the other."""
        one, other = self._touch(first), self._touch(second)
        if self.guards.never_together(first, second):
            reads = [self.effects.reads((each.bearers, each.guard)) for each in (first, second)]
            if not (_told(reads[0] & other.writes) or _told(reads[1] & one.writes)):
                return
        own = f"an `instead of {name}`" if replacing else None
        said = self._clash(first, one, second, other)
        if said is not None:
            self.add(conflict(self.world, name, own, *said))
            return
        if first.timing != second.timing:
            return
        for does, both in (
            ("asks", one.asks and other.asks),
            ("draws", CHANCE in one.sets and CHANCE in other.sets),
        ):
            if both:
                self.note(
                    name,
                    Claim(first.title, first.span.first_line(), f"`{first.title}` {does} first"),
                    Claim(second.title, second.span.first_line(), f"`{second.title}` {does} then"),
                    help="the order is that of their titles; a variant that includes both can say"
                    f' another: `includes ordered "{second.title}", "{first.title}"`',
                )
                return

    def _touch(self, amendment: model.Amendment) -> Touch:
        return self.effects.block((amendment.bearers, amendment.guard, *amendment.block))

    def _clash(
        self, first: model.Amendment, one: Touch, second: model.Amendment, other: Touch
    ) -> tuple[Claim, Claim] | None:
        """Return what is to be said of two blocks that get into each other's way."""
        for leaving, staying in ((first, second), (second, first)):
            if self.effects.leaves(leaving.block) and leaving.timing == staying.timing:
                claims = {
                    leaving.title: "may end it here",
                    staying.title: "is left out then, or was done before",
                }
                return _claims(first, second, claims)
        for writer, by_writer, reader, by_reader in (
            (first, one, second, other),
            (second, other, first, one),
        ):
            read = ((by_writer.sets | by_writer.adds_to) & by_reader.looks_at) | (
                by_writer.sets & by_reader.adds_to
            )
            names = self._names(_told(read))
            if names:
                return _claims(
                    first, second, {writer.title: f"writes {names}", reader.title: f"reads {names}"}
                )
        names = self._names(_told(one.sets & other.sets))
        if names:
            written = f"writes {names}"
            return _claims(first, second, {first.title: written, second.title: written})
        return None

    def _names(self, touched: frozenset[str]) -> str:
        """Return the names of fields in words, as many as one reads."""
        kept = sorted(touched)
        named = [one for one in kept if one in self.game.fields]
        shown = list(dict.fromkeys(f"`{self.game.fields[one].name}`" for one in named))
        if not shown:
            shown = list(dict.fromkeys(map(self._in_words, kept)))
        more = len(shown) - MOST_NAMES
        return ", ".join(shown[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")

    def _in_words(self, touched: str) -> str:
        """Return in words what is no field."""
        if touched == ENDING:
            return "how the game ends"
        if touched.startswith(LASTING):
            number = int(touched.removeprefix(LASTING))
            verbs = [id for id, numbers in self.effects.lasting.items() if number in numbers]
            return f"what holds until `{self.game.verbs[verbs[0]].name}` ends"
        if touched.startswith(KINDS):
            return f"which things of the kind {touched.removeprefix(KINDS)} there are"
        return f"where each {kind_of_place(touched)} lies"

    # ----------------------------------------------------------------------------------- replaced

    def replaced(self) -> None:
        """Look at the steps of verbs whose whole block is replaced."""
        for identity, amendments in self.game.step_amendments.items():
            verb = self.game.verbs.get(identity.rpartition(".")[0])
            if verb is None:
                continue
            for replacing in verb.amendments:
                if replacing.timing == "instead":
                    for amendment in amendments:
                        self._in_replaced(self._step(identity), replacing, amendment)

    def _in_replaced(
        self, name: str, replacing: model.Amendment, amendment: model.Amendment
    ) -> None:
        verb = name.rpartition(".")[0]
        ours = amendment.span.first_line()
        theirs = replacing.span.first_line()
        pair = replacing.title, amendment.title
        of_two = len(set(pair) & self.titles) == 2
        if of_two and settled(self.world, *pair, {replacing.title}):
            return
        if not replacing.sometimes and of_two:
            first = Claim(replacing.title, theirs, f"`{replacing.title}` replaces all of `{verb}`")
            second = Claim(amendment.title, ours, f"so that this of `{amendment.title}` never runs")
            self.add(conflict(self.world, name, f"an `instead of {verb}`", first, second))
        elif not replacing.sometimes:
            whole = Label(theirs, "this replaces the whole verb")
            text = "the step is never reached"
            self.add(diagnostic("RW501", ours, text, secondary=(whole,), name=name))
        elif of_two and not self.guards.never_together(replacing, amendment):
            self.note(
                name,
                Claim(replacing.title, theirs, f"`{replacing.title}` replaces all of `{verb}`"),
                Claim(amendment.title, ours, f"this of `{amendment.title}` does not run then"),
                help=f"if it should, hang it on `{verb}`, or settle it in a variant that includes both",
            )


def _layer(one: model.Changed | model.Amendment) -> int:
    """Return where an amendment stands: with the rules, with the powers of things, or until something
    ends."""
    return one.scope if one.scope in (model.POWERS, model.LASTING) else 0


def _is_plain(one: model.Changed | model.Amendment) -> bool:
    return _layer(one) == 0


def _told(touched: frozenset[str]) -> frozenset[str]:
    """Return what matters of what two touch; how often a verb is running is as before when it ends."""
    return frozenset(one for one in touched - _FREE if not one.startswith(model.RUNNING))


def _says(one: model.Changed | model.Amendment) -> Claim:
    text = f"`{one.title}` says this"
    if one.bearers is not None:
        power = one.scope == model.POWERS
        text += f" of each {one.bearers.label}" if power else f" {one.bearers.label}"
    return Claim(one.title, one.span.first_line(), text)


def _claims(
    first: model.Amendment, second: model.Amendment, does: dict[str, str]
) -> tuple[Claim, Claim]:
    one, other = (
        Claim(each.title, each.span.first_line(), f"`{each.title}` {does[each.title]}")
        for each in (first, second)
    )
    return one, other


def _added_with(value: model.Expression) -> str | None:
    """Return `and` or `or`, if a value only adds to the one so far with that word."""
    for kind, word in ((model.And, "and"), (model.Or, "or")):
        inner = value
        while isinstance(inner, kind):
            inner = inner.left
        if inner is not value and isinstance(inner, model.OriginalValue):
            return word
    return None


def _reads_original(guard: model.Expression | None) -> bool:
    parts: Iterable[model.Node] = () if guard is None else visitor.nodes_in(guard)
    return any(isinstance(one, model.OriginalValue) for one in parts)
