"""Syntax trees of the files that come with the package, kept in the user's cache folder.

The library and the games of the shelf are read again and again and hardly ever change. A tree is
used only for the very text, and the very version of this package and of Python, that it was made
with; reading one can make nothing but nodes of a tree (see `files.cache`).
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from rulewright.dsl.files import cache
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.dsl.text.source import Source

Parsed = tuple[nodes.File | None, tuple[Diagnostic, ...]]

SOURCE = "source"
"""What stands for the text in a tree that is kept."""

MODULES = frozenset(
    {"text.source", "syntax.node", "syntax.expressions", "syntax.statements", "syntax.items"},
)
"""Where the classes are defined of which a tree is made."""


def parsed(source: Source) -> Parsed:
    """Return the syntax tree of a file of the package and what is wrong with it, as `parse`."""
    path = _place(source)
    # A damaged file fails in any way it likes.
    with suppress(Exception):
        return _read(path, source), ()
    # Lark is a large part of a short run: it is imported only where something is to be parsed.
    from rulewright.dsl.syntax.parser import parse

    tree, problems = parse(source)
    if path is not None and tree is not None and not problems:
        with suppress(OSError):
            cache.keep(path, _key(source), cache.packed(tree, {SOURCE: source}))
    return tree, problems


def _place(source: Source) -> Path | None:
    folder = cache.cache_folder()
    if folder is None:
        return None
    name = hashlib.sha256(source.name.encode()).hexdigest()
    return folder / f"tree-{name[:20]}.pickle"


def _read(path: Path | None, source: Source) -> nodes.File:
    data = b"" if path is None else cache.kept(path, _key(source))
    tree = cache.unpacked(data, MODULES, {SOURCE: source})
    if not isinstance(tree, nodes.File):
        raise ValueError("no tree")
    return tree


def _key(source: Source) -> bytes:
    return cache.key_of("tree", source.name, source.text)
