"""What has no effect: declarations that nothing reads, in the game linked with each set of its
variants.

    option pace: number = 2            # no rule asks for it
    define bonus = 3                   # nor for this
    unit wood                          # nothing is counted in it
    each Player has
      debt: number = 0, seen by []     # written, but nobody reads or sees it

What only an example, a check or a variant reads is read. Modules are left alone: who uses one need not use
all of it; so is what the interpreter looks for by its name, and what players may see on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import effects_of
from rulewright.dsl.ir.action_graph import PLAY
from rulewright.dsl.model import types, visitor
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.text.source import Source, Span

SHOWN = frozenset(("won", "payoff", "name", "across", "up", "around"))
"""Defines that are looked for by their names."""

_MODULE = re.compile(r"^module\b", re.MULTILINE)


def problems(games: Sequence[model.Game]) -> Iterator[Diagnostic]:
    """Yield a message for each thing that no game of these reads; all are one game, linked with
    different variants."""
    found: dict[tuple[str, int], Diagnostic] = {}
    read: set[tuple[str, int]] = set()
    own = _OwnFiles()
    for game in games:
        named = {_place(span) for span in _spans(game)}
        if named <= read:
            continue
        wrong: dict[tuple[str, int], Diagnostic] = {}
        for item in _declared(game, own):
            wrong.setdefault(_place(item.primary.span), item)
        read |= named - wrong.keys()
        found = {**wrong, **found}
    yield from (item for key, item in found.items() if key not in read)


def _place(span: Span) -> tuple[str, int]:
    return span.source.name, span.start


def _spans(game: model.Game) -> Iterator[Span]:
    """Yield where everything stands of which `problems` speaks."""
    yield from game.type_words.values()
    yield from (one.span.first_line() for one in game.options.values())
    yield from (one.span.first_line() for one in game.fields.values())
    yield from (one.span.first_line() for one in game.defines.values())
    for define in game.defines.values():
        for line in define.lines:
            yield line.value.span
    if PLAY in game.verbs:
        yield game.verbs[PLAY].span.first_line()


def _declared(game: model.Game, own: _OwnFiles) -> Iterator[Diagnostic]:
    """Yield what one linked game does not read."""
    reading = _ModelUses()
    reading.visit(game)
    for name, span in game.type_words.items():
        if name not in reading.types and own.has(span):
            yield _unread("nothing is of this kind", name, span)
    for option in game.options.values():
        if option.name not in reading.options and own.has(option.span):
            yield _unread("no rule reads it", option.name, option.span)
    for define in game.defines.values():
        if not define.span.text.startswith(("define", "tally")):
            # A column of a kind: what is printed is there to be seen.
            continue
        special = define.name in SHOWN or define.id in (game.won, game.payoff, game.score)
        plain = re.fullmatch(r"[\w.]+", define.id) is not None
        if plain and not special and define.id not in reading.defines and own.has(define.span):
            yield _unread("nothing asks for it", define.name, define.span)
        for line in define.lines if own.has(define.span) else ():
            value = line.value
            if not line.changes and isinstance(value, model.Constant) and value.value == 0:
                yield diagnostic("RW641", value.span, "always 0", name=f"{define.name}.{line.name}")
    for field in game.fields.values():
        aside = field.printed or field.internal or isinstance(field.type, types.ZoneType)
        if aside or field.id in reading.read or not own.has(field.span):
            continue
        if field.id not in reading.written and field.holder in (None, types.PLAYER.kind):
            yield _unread("nothing reads or writes it", field.name, field.span)
        elif field.id in reading.written and field.viewers.who == "nobody":
            yield _unread("it is written, but nobody reads or sees it", field.name, field.span)
    if PLAY in game.verbs and not game.offers and not effects_of(game).asks(PLAY):
        yield diagnostic(
            "RW642", game.verbs[PLAY].span.first_line(), "no `choose`, `may` or `either`"
        )


def _unread(label: str, name: str, span: Span) -> Diagnostic:
    return diagnostic("RW640", span.first_line(), label, name=name)


class _OwnFiles:
    """The files of the game and its variants, without modules; each is looked through once, since a
    file may declare thousands of things."""

    def __init__(self) -> None:
        self._known: dict[Source, bool] = {}

    def has(self, span: Span) -> bool:
        """Return whether a place is in one of these files."""
        if span.source not in self._known:
            self._known[span.source] = _MODULE.search(span.source.text) is None
        return self._known[span.source]


class _ModelUses:
    """What is read and written anywhere in a model."""

    def __init__(self) -> None:
        self.options: set[str] = set()
        self.defines: set[str] = set()
        self.read: set[str] = set()
        self.types: set[str] = set()
        """Units and enumerations."""
        self.written: set[str] = set()

    def visit(self, root: object) -> None:
        """Note all that stands in a model."""
        stack: list[Any] = [root]
        seen: set[int] = set()
        while stack:
            one = stack.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            match one:
                case types.EnumType(name) | types.NumberType(str(name)):
                    self.types.add(name)
                case model.OptionValue(name=name):
                    self.options.add(name)
                case model.DefineCall(define=define):
                    self.defines.add(define)
                case (
                    model.Read(field=field)
                    | model.FieldPlace(field=field)
                    | model.EntryPlace(field=field)
                ):
                    self.read.add(field)
                case model.Formula(define=define):
                    self.defines.add(define)
                case (
                    model.Set(place=place) | model.Add(place=place) | model.Remove(place=place)
                ) if isinstance(place, model.FieldPlace | model.EntryPlace):
                    self.written.add(place.field)
                    stack += (one.value, place.target, getattr(place, "key", None))
                    continue
            stack.extend(visitor.held(one))
