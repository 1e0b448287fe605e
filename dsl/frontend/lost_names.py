"""Names that nobody knows because the line that declares them cannot be read.

    to pay cost: list of Good      (left out, or its name cannot be read)
      remove cost from my.goods    error: the line above takes no block
    to buy
      pay [wood]                   (no verb is called `pay`: nothing of its own)

Such a line declares one name, so it explains one, wherever that is used; a second one is a mistake of
its own. A line whose name can be read, and which others use, explains only that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rulewright.dsl.syntax import foreign_words
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.text.suggest import nearest

NAMES = frozenset(("RW107", "RW201", "RW205", "RW206", "RW207", "RW208", "RW408"))
"""Messages about a name that something declares."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_STEPS = frozenset((*foreign_words.STEPS, *foreign_words.CORE_VERBS)) - frozenset(
    foreign_words.MEMBERS
)
_HEADS = frozenset(("to", "define", "tally", "kind", "each", "unit", "option", "use"))
_HOLDERS = re.compile(r"(?:each|the)\b")
NO_BLOCK = "the line above takes no block"


def lost_names(unread: Iterable[Diagnostic], found: Sequence[Diagnostic]) -> frozenset[str]:
    """Return the names that are missing because of lines that could not be read, in small letters.

    `unread` are the messages about such lines, `found` are all.
    """
    missing: dict[str, list[Diagnostic]] = {}
    for item in found:
        if item.code.code in NAMES:
            missing.setdefault(item.arguments.get("name", "").casefold(), []).append(item)
    lost: set[str] = set()
    words: dict[Source, Counter[str]] = {}
    for item in unread:
        left = {name: uses for name, uses in missing.items() if name and name not in lost}
        if not left:
            break
        own, is_gone = _declares(item.primary.span, item.primary.text == NO_BLOCK)
        if not is_gone and own is None:
            continue
        if own is not None and _is_used(own, found, words):
            continue
        meant = _meant(own, left)
        if meant is not None:
            lost.add(meant)
    return frozenset(lost)


def _declares(span: Span, orphan: bool) -> tuple[str | None, bool]:
    """Return the name that a line declares, if it has one that can be read, and whether it has none
    although it must: its head is gone, or what stands there is no name."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : len(text) if end < 0 else end].partition("#")[0]
    pieces = list(_WORD.finditer(line))
    first = pieces[0].group() if pieces else ""
    if line[:1].strip():
        if first not in _HEADS:
            return None, False
        name = pieces[1] if len(pieces) > 1 else None
        if name is None or span.start - start <= name.start():
            return None, True
        return name.group(), False
    if orphan or (first in _STEPS and _HOLDERS.match(_head(text, start))):
        return None, True
    if first == "define" and len(pieces) > 1:
        return pieces[1].group(), False
    indent = len(line) - len(line.lstrip())
    is_field = ":" in line and _HOLDERS.match(_head(text, start)) is not None
    return None, is_field and span.start - start <= indent


def _head(text: str, start: int) -> str:
    """Return the text from the unindented line on in whose item a line stands."""
    at = start
    while at > 0 and not text[at : at + 1].strip(" \t\n#"):
        at = text.rfind("\n", 0, at - 1) + 1
    return text[at:start]


def _is_used(name: str, found: Iterable[Diagnostic], words: dict[Source, Counter[str]]) -> bool:
    """Whether a name stands anywhere else in the files that messages are about."""
    for item in found:
        source = item.primary.span.source
        if source not in words:
            words[source] = Counter(_WORD.findall(source.text))
    return sum(counts[name] for counts in words.values()) > 1


def _meant(own: str | None, missing: dict[str, list[Diagnostic]]) -> str | None:
    """Return which of the missing names a line may have declared."""
    if own is not None:
        small = own.casefold()
        near = nearest(small, missing)
        like = near or tuple(one for one in missing if small.startswith(one))
        return like[0] if like else None
    # A name that resembles another is a slip of that one, if nothing else is missing.
    strange = [name for name, uses in missing.items() if not any(map(_is_slip, uses))]
    return next(iter(strange or missing), None)


def _is_slip(item: Diagnostic) -> bool:
    """Whether something of another name seems to be meant."""
    return item.help is not None and not item.help.startswith(("the module", "declare it"))
