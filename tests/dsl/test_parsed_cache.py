"""Trees of the package's own files are kept in the user's cache folder, and never believed blindly."""

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulewright.dsl.files import cache
from rulewright.dsl.frontend import parsed_cache
from rulewright.dsl.syntax.parser import parse
from rulewright.dsl.text.source import Source

TEXT = "language 1\nmodule little\n\ndefine twice(n: number) = n + n\n"
SOURCE = Source("stdlib/little.rules", TEXT)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder that holds nothing."""
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    yield tmp_path


def only_file(folder: Path) -> Path:
    """Return the file that is kept."""
    (path,) = folder.iterdir()
    return path


def test_a_tree_that_was_kept_is_that_of_the_parser(folder: Path) -> None:
    first = parsed_cache.parsed(SOURCE)
    second = parsed_cache.parsed(SOURCE)

    assert first == second == parse(SOURCE)
    assert second[0] is not first[0]


def test_a_tree_that_was_kept_speaks_of_the_text_in_hand(folder: Path) -> None:
    parsed_cache.parsed(Source(SOURCE.name, TEXT))

    tree, _ = parsed_cache.parsed(SOURCE)

    assert tree is not None
    assert tree.header.span.source is SOURCE


def test_another_text_is_parsed(folder: Path) -> None:
    parsed_cache.parsed(SOURCE)
    other = Source(SOURCE.name, TEXT.replace("n + n", "2 * n"))

    assert parsed_cache.parsed(other) == parse(other)
    assert len(list(folder.iterdir())) == 1


def test_a_text_with_mistakes_is_not_kept(folder: Path) -> None:
    _, problems = parsed_cache.parsed(Source(SOURCE.name, TEXT + "define = 3\n"))

    assert problems != ()
    assert list(folder.iterdir()) == []


class Evil:
    """Runs something when it is read."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch ran",)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def sealed(key: bytes, content: bytes) -> bytes:
    """Return a whole file for a key, as somebody who knows its form would make it."""
    return key + hashlib.sha256(content).digest() + content


def evil(data: bytes) -> bytes:
    return sealed(data[:32], pickle.dumps(Evil()))


def another_version(data: bytes) -> bytes:
    return b"\0" * 32 + data[32:]


def no_tree(data: bytes) -> bytes:
    return sealed(data[:32], pickle.dumps(("no", "tree")))


def another_letter(data: bytes) -> bytes:
    return data.replace(b"twice", b"thric")


@pytest.mark.parametrize(
    "damage", [cut, evil, another_version, no_tree, another_letter, lambda data: b""]
)
def test_what_is_wrong_with_a_file_does_not_matter(
    damage: Callable[[bytes], bytes], folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parsed_cache.parsed(SOURCE)
    path = only_file(folder)
    path.write_bytes(damage(path.read_bytes()))
    monkeypatch.chdir(tmp_path)

    assert parsed_cache.parsed(SOURCE) == parse(SOURCE)
    assert not (tmp_path / "ran").exists()


def test_without_a_folder_everything_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: None)

    assert parsed_cache.parsed(SOURCE) == parse(SOURCE)
