"""What lies in the cache folder is the user's own and whole, or it is not used; nothing in it runs."""

import hashlib
import os
import pickle
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import attrs
import platformdirs
import pytest

from rulewright.dsl.files import cache
from rulewright.dsl.model.types import NumberType
from rulewright.dsl.text.source import Source, Span

KEY = hashlib.sha256(b"key").digest()
UNIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="a matter of Unix")
SPAN = Span(Source("a.rules", "language 1\n"), 2, 5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The place of a file of the cache."""
    return tmp_path / "game-1.pickle"


# -------------------------------------------------------------------------------------------- files


def test_what_is_kept_is_found_by_its_key_alone(path: Path) -> None:
    cache.keep(path, KEY, b"content")

    assert cache.kept(path, KEY) == b"content"
    with pytest.raises(ValueError):
        cache.kept(path, hashlib.sha256(b"another").digest())


@pytest.mark.parametrize("size", [0, 10, 40, 70])
def test_a_file_that_was_cut_is_not_used(size: int, path: Path) -> None:
    cache.keep(path, KEY, b"content")
    path.write_bytes(path.read_bytes()[:size])

    with pytest.raises(ValueError):
        cache.kept(path, KEY)


def test_a_file_with_another_letter_is_not_used(path: Path) -> None:
    cache.keep(path, KEY, b"content")
    path.write_bytes(path.read_bytes().replace(b"content", b"contend"))

    with pytest.raises(ValueError):
        cache.kept(path, KEY)


@UNIX
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_to_is_not_used(mode: int, path: Path) -> None:
    cache.keep(path, KEY, b"content")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(mode)

    with pytest.raises(ValueError):
        cache.kept(path, KEY)


@UNIX
def test_a_file_of_somebody_else_is_not_used(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep(path, KEY, b"content")
    somebody = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody)

    with pytest.raises(ValueError):
        cache.kept(path, KEY)


@UNIX
def test_a_link_and_a_pipe_are_not_used(path: Path, tmp_path: Path) -> None:
    cache.keep(tmp_path / "elsewhere", KEY, b"content")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        cache.kept(path, KEY)

    path.unlink()
    os.mkfifo(path)
    with pytest.raises((OSError, ValueError)):
        cache.kept(path, KEY)


def test_writing_leaves_nothing_else_behind(path: Path) -> None:
    cache.keep(path, KEY, b"one")
    cache.keep(path, KEY, b"two")

    assert [found.name for found in path.parent.iterdir()] == [path.name]
    assert cache.kept(path, KEY) == b"two"


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(path: Path) -> None:
    path.mkdir()
    (path / "something").touch()

    with pytest.raises(OSError):
        cache.keep(path, KEY, b"content")

    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_writers_at_the_same_time_do_not_mix(path: Path) -> None:
    contents = [bytes([number]) * 200_000 for number in range(4)]
    cache.keep(path, KEY, contents[0])
    wrong: list[object] = []

    def work(content: bytes) -> None:
        try:
            for _ in range(20):
                cache.keep(path, KEY, content)
                if cache.kept(path, KEY) not in contents:
                    wrong.append("mixed")
        except (OSError, ValueError) as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert len(list(path.parent.iterdir())) == 1


# ----------------------------------------------------------------------------------------- the folder


def test_the_oldest_files_are_deleted_when_there_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGEST_FOLDER", 3500)
    for number in range(4):
        file = tmp_path / f"game-{number}.pickle"
        file.write_bytes(bytes(1000))
        os.utime(file, (1000 + number, 1000 + number))
    foreign = tmp_path / "letters.txt"
    foreign.write_bytes(bytes(9000))
    os.utime(foreign, (1, 1))

    cache.keep(tmp_path / "tree-9.pickle", KEY, bytes(1000))

    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == ["game-2.pickle", "game-3.pickle", "letters.txt", "tree-9.pickle"]


def test_unfinished_files_that_nobody_will_finish_are_deleted(path: Path, tmp_path: Path) -> None:
    fresh, old = (tmp_path / f"game-{word}.pickle.1-1{cache.UNFINISHED}" for word in ("a", "b"))
    for file in (fresh, old):
        file.touch()
    long_ago = time.time() - 2 * cache.FORGOTTEN
    os.utime(old, (long_ago, long_ago))

    cache.keep(path, KEY, b"content")

    assert fresh.exists() and not old.exists()


@UNIX
def test_the_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "below" / "rulewright"
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))

    assert cache.cache_folder() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o770)
    assert cache.cache_folder() is None


@pytest.mark.skipif(sys.platform != "linux", reason="where the variable counts")
def test_the_environment_says_where_the_folder_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert cache.cache_folder() == tmp_path / "rulewright"


def test_a_place_where_no_folder_can_be_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "file" / "a"))

    assert cache.cache_folder() is None


def test_who_wants_to_do_without_gets_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "a"))

    with cache.unused():
        assert cache.cache_folder() is None
    assert list(tmp_path.iterdir()) == []
    assert cache.cache_folder() == tmp_path / "a"


# ------------------------------------------------------------------------------------------ objects


def test_objects_of_known_classes_come_back() -> None:
    read = cache.unpacked(
        cache.packed((SPAN, {"a": NumberType("points")})), {"text.source", "model.types"}
    )

    assert read[1] == {"a": NumberType("points")}
    assert (read[0].text, read[0].source.name) == ("ngu", "a.rules")


def test_a_name_stands_for_an_object() -> None:
    data = cache.packed(SPAN, {"text": SPAN.source})

    assert b"a.rules" not in data
    assert cache.unpacked(data, {"text.source"}, {"text": SPAN.source}) == SPAN
    with pytest.raises(KeyError):
        cache.unpacked(data, {"text.source"})


class Runs:
    """Runs something when it is read."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.parts = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.parts


@attrs.frozen
class Foreign:
    """A plain class that is none of ours."""


@pytest.mark.parametrize(
    "hostile",
    [
        Runs(os.mkdir, "ran"),
        Runs(eval, "__import__('os').mkdir('ran')"),
        Runs(getattr, "ran", "upper"),
        Runs(cache.write, Path("ran"), b""),
        Foreign(),
        Path("ran"),
        stat.S_ISREG,
    ],
)
def test_nothing_that_a_file_names_is_run(
    hostile: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = pickle.dumps(hostile)
    modules = {"text.source", "model.types", "files.cache", "files.library", "test_cache", "os"}
    monkeypatch.chdir(tmp_path)

    with pytest.raises(pickle.UnpicklingError):
        cache.unpacked(data, modules)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("rulewright.dsl.text.source", "join"),  # a function
        ("rulewright.dsl.text.source", "bisect_right"),  # imported from elsewhere
        ("rulewright.dsl.text.source", "Described"),  # a class that is no record
        ("rulewright.dsl.text.source", "Span.text"),
        ("rulewright.dsl.text.source", "attrs"),
        ("rulewright.dsl.syntax.node", "Span"),  # a record of another module
        ("rulewright.dsl.files.library", "find_target"),
        ("rulewright.interpreter.state.values", "Thing"),
        ("builtins", "eval"),
        ("os", "system"),
    ],
)
def test_only_records_of_the_modules_are_known(module: str, name: str) -> None:
    data = pickle.PROTO + b"\x05" + b"c" + f"{module}\n{name}\n".encode() + pickle.STOP

    with pytest.raises(pickle.UnpicklingError):
        cache.unpacked(data, {"text.source", "model.types", "syntax.node"})


def test_a_file_cannot_change_a_class() -> None:
    changes = pickle.PROTO + b"\x05crulewright.dsl.text.source\nSpan\n"
    changes += pickle.dumps((None, {"text": "changed"}))[2:-1] + pickle.BUILD + pickle.STOP
    before = Span.text

    with pytest.raises((TypeError, AttributeError)):
        cache.unpacked(changes, {"text.source"})
    assert Span.text is before
