"""What the rules mean, as one short digest for each definition of a linked game.

What changes nothing in play is left out: where things are written and in which order definitions stand,
comments, citations, examples, checks, translations, and the texts that only people read (labels,
questions, reasons). Saved games carry these digests, so that it can be told which definitions are
others by now; whether a game goes as it did is found out by playing it (`replay`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.model.visitor import is_object
from rulewright.dsl.text.source import Span

DIGEST = 6
"""Bytes of the digest of a definition: it tells changes, it keeps nobody off."""

ONLY_TOLD = frozenset(
    """ask formulas label label_changes name_define names note question see shown status title
    words""".split()
)
POSITIONS = frozenset({"span", "scope", "order", "number"})
"""Fields of the model that say something to people, or follow from where something stands."""

LEFT_OUT = ONLY_TOLD | POSITIONS
MORE_LEFT_OUT: Mapping[type, frozenset[str]] = {
    model.Need: frozenset({"reason"}),
    model.Verb: frozenset({"amendments"}),
    model.Define: frozenset({"changes"}),
    model.Field: frozenset({"name"}),
}


@attrs.frozen
class Definition:
    """One definition: what it means, and where it stands (None: at several places)."""

    digest: str
    span: Span | None


@lru_cache(maxsize=8)
def definitions(game: model.Game) -> dict[str, Definition]:
    """Return the definitions of a game by names that people know: `verb turn`, `table Card`,
    `instead of win (Misère)`."""
    parts: dict[str, list[Any]] = {}
    spans: dict[str, Span | None] = {}
    for name, part, span in _parts(game):
        spans[name] = span if name not in parts else None
        parts.setdefault(name, []).append(part)
    return {name: Definition(_digest(found), spans[name]) for name, found in parts.items()}


def digest_of(game: model.Game) -> str:
    """Return the digest of all that a game means."""
    found = definitions(game)
    text = "\n".join(f"{name} {found[name].digest}" for name in sorted(found))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _parts(game: model.Game) -> Iterator[tuple[str, Any, Span | None]]:
    for enumeration in game.enumerations.values():
        yield f"kind {enumeration.name}", enumeration, None
    for kind in game.kinds.values():
        yield f"kind {kind.name}", sorted(kind.fields), None
    for field in game.fields.values():
        yield f"field {field.id}", field, field.span
    for table in game.tables:
        yield f"table {table.kind}", table, table.span
    for option in game.options.values():
        name = f"{'ruling' if option.ruling else 'option'} {option.name}"
        yield name, option, option.span
    for option_name, changes in game.option_changes.items():
        yield from _amending("change of", option_name, changes)
    for define in game.defines.values():
        yield f"define {define.id}", define, define.span
        yield from _amending("change of", define.id, define.changes)
    for verb in game.verbs.values():
        yield f"verb {verb.id}", verb, verb.span
        yield from _amending("", verb.id, verb.amendments)
    for step, amendments in game.step_amendments.items():
        yield from _amending("", step, amendments)
    for watch in game.watches:
        # Their order counts: they are looked at one after the other.
        yield "as soon as", (watch.condition, watch.block, watch.needs_me), watch.span
    for offer in game.offers:
        targets = sorted(offer.targets)
        yield f"offer in {', '.join(targets)}", (offer.guard, offer.running), offer.span
    for neutral in game.neutrals:
        yield f"neutral {neutral.id}", neutral.id, neutral.span
    yield "ranking", (game.ranking, game.won, game.payoff, game.score), None


def _amending(
    word: str, target: str, found: Iterable[model.Amendment | model.Changed]
) -> Iterator[tuple[str, Any, Span | None]]:
    for one in found:
        how = word or {"instead": "instead of"}.get(getattr(one, "timing", ""), one.timing)  # type: ignore[union-attr]
        yield f"{how} {target}{f' ({one.title})' if one.title else ''}", one, one.span


def _digest(parts: Any) -> str:
    hashed = blake2b(digest_size=DIGEST)
    for piece in _pieces(parts):
        hashed.update(piece.encode("utf-8", "surrogatepass"))
        hashed.update(b"\0")
    return hashed.hexdigest()


_NAMES: dict[type, tuple[tuple[str, Any], ...]] = {}
_NEEDED = object()


def _names_of(kind: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a class of the model that mean something, with what they hold usually."""
    if kind not in _NAMES:
        without = LEFT_OUT | MORE_LEFT_OUT.get(kind, frozenset())
        _NAMES[kind] = tuple(
            (one.name, _NEEDED if one.default is attrs.NOTHING else one.default)
            for one in attrs.fields(kind)
            if one.eq and one.name not in without
        )
    return _NAMES[kind]


def _pieces(value: Any) -> Iterator[str]:
    """Yield what a part of the model consists of."""
    if is_object(type(value)):
        yield type(value).__name__
        for name, default in _names_of(type(value)):
            held = getattr(value, name)
            # What says nothing is left out: a later version may have more that can be said.
            if held != default:
                yield name
                yield from _pieces(held)
        yield "."
    elif isinstance(value, tuple | list):
        yield f"[{len(value)}"
        for item in value:
            yield from _pieces(item)
    elif isinstance(value, dict):
        yield from _pieces(sorted(value.items()))
    elif isinstance(value, frozenset):
        yield from _pieces(sorted(value))
    else:
        yield repr(value)
