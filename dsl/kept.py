"""Syntax trees of the files that come with the package, kept in the user's cache folder.

The library and the games of the shelf are read again and again and hardly ever change. A tree is
used only for the very text, and the very version of this package and of Python, that it was made
with; reading one can make nothing but nodes of a tree. Whatever is wrong with the folder or a file,
we silently do without it.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import Any

from rulewright.dsl import nodes
from rulewright.dsl.diagnostics import Diagnostic
from rulewright.dsl.grammar import cache_folder
from rulewright.dsl.source import Source

Parsed = tuple[nodes.File | None, tuple[Diagnostic, ...]]

SOURCE = "source"
"""What stands for the text in a tree that is kept."""


def parsed(source: Source) -> Parsed:
    """Return the syntax tree of a file of the package and what is wrong with it, as `parse`."""
    path = _place(source)
    # A damaged file fails in any way it likes.
    with suppress(Exception):
        return _read(b"" if path is None else path.read_bytes(), source), ()
    # Lark is a large part of a short run: it is imported only where something is to be parsed.
    from rulewright.dsl.parser import parse

    tree, problems = parse(source)
    if path is not None and tree is not None and not problems:
        with suppress(OSError):
            _keep(tree, source, path)
    return tree, problems


def _place(source: Source) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    name = hashlib.sha256(source.name.encode()).hexdigest()
    return folder / f"tree-{name[:20]}.pickle"


def _keep(tree: nodes.File, source: Source, path: Path) -> None:
    """Write a tree under another name first: nobody shall find half a file."""
    buffer = io.BytesIO()
    _Writer(buffer, source).dump(tree)
    unfinished = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    unfinished.write_bytes(_key(source) + buffer.getvalue())
    unfinished.replace(path)


def _read(data: bytes, source: Source) -> nodes.File:
    key = _key(source)
    if data[: len(key)] != key:
        raise ValueError("a tree of another text")
    tree = _Reader(io.BytesIO(data[len(key) :]), source).load()
    if not isinstance(tree, nodes.File):
        raise ValueError("no tree")
    return tree


def _key(source: Source) -> bytes:
    return hashlib.sha256(f"{_version()}\n{source.name}\n{source.text}".encode()).digest()


@cache
def _version() -> str:
    """Return what changes whenever the front end does."""
    found = [sys.version]
    for entry in sorted(resources.files("rulewright.dsl").iterdir(), key=lambda entry: entry.name):
        if isinstance(entry, Path) and entry.suffix in (".py", ".lark"):
            status = entry.stat()
            found.append(f"{entry} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(found)


class _Writer(pickle.Pickler):
    """Writes a tree without its text."""

    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file, protocol=5)
        self.source = source

    def persistent_id(self, value: Any) -> str | None:
        """Return what stands for the text."""
        return SOURCE if value is self.source else None


class _Reader(pickle.Unpickler):
    """Reads a tree: nodes and spans, and nothing else."""

    def __init__(self, file: io.BytesIO, source: Source) -> None:
        super().__init__(file)
        self.source = source

    def persistent_load(self, name: Any) -> Source:
        """Return the text."""
        if name != SOURCE:
            raise pickle.UnpicklingError(f"{name!r} is no text")
        return self.source

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of nodes."""
        package, _, last = module.rpartition(".")
        if package != "rulewright.dsl" or not (last == "source" or last.startswith("nodes")):
            raise pickle.UnpicklingError(f"{module}.{name} is no node")
        found = getattr(import_module(module), name)
        if not isinstance(found, type):
            raise pickle.UnpicklingError(f"{module}.{name} is no class")
        return found
