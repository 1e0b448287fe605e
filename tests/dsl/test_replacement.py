"""A file is written as a whole or not at all, and nothing unfinished stays behind."""

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.dsl.files import disk

UNIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="a matter of Unix")


def names(folder: Path) -> list[str]:
    """Return what lies in a folder."""
    return sorted(one.name for one in folder.iterdir())


def test_a_file_is_written_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "game.save"

    disk.write(path, "one\n")
    disk.write(path, "zwei ä\n")

    assert path.read_bytes() == "zwei ä\n".encode()
    assert names(tmp_path) == ["game.save"]


def test_a_new_file_is_never_written_over_another(tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    disk.write(path, "one", new=True)

    with pytest.raises(FileExistsError):
        disk.write(path, "two", new=True)

    assert path.read_text() == "one" and names(tmp_path) == ["game.rules"]


@UNIX
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "real", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)

    disk.write(link, "new")

    assert link.is_symlink() and target.read_text() == "new"
    assert names(tmp_path / "there") == ["real"]


@UNIX
def test_a_link_to_nothing_is_no_new_file_and_a_circle_none_at_all(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")

    with pytest.raises(FileExistsError):
        disk.write(tmp_path / "nowhere", "x", new=True)
    with pytest.raises(OSError):
        disk.write(tmp_path / "circle", "x")

    disk.write(tmp_path / "nowhere", "x")
    assert names(tmp_path) == ["circle", "missing", "nowhere"]


def test_a_folder_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()

    with pytest.raises(IsADirectoryError):
        disk.write(tmp_path / "here", "x")

    assert names(tmp_path) == ["here"]


@UNIX
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="no file"):
        disk.write(tmp_path / "pipe", "x")


def test_a_folder_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        disk.write(tmp_path / "missing" / "file", "x")


@UNIX
@pytest.mark.skipif(os.geteuid() == 0, reason="root may do anything")
def test_what_is_protected_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o400)

    with pytest.raises(PermissionError):
        disk.write(path, "new")

    assert path.read_text() == "old" and names(tmp_path) == ["file"]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_older_file(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    disk.write(path, "old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError, match="No space left"):
        disk.write(path, "new")

    assert path.read_text() == "old" and names(tmp_path) == ["file"]


@UNIX
def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual_ones(tmp_path: Path) -> None:
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.write_text("x")
    old.chmod(0o640)
    usual.write_text("x")

    disk.write(old, "y")
    disk.write(new, "y")

    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_long_name_is_no_hindrance(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 120)

    disk.write(path, "x")

    assert names(tmp_path) == [path.name]


def test_what_a_killed_process_has_left_is_deleted_later(tmp_path: Path) -> None:
    old = tmp_path / "file.17-0a1b2c3d.part"
    fresh = tmp_path / f"file.{os.getpid()}-0a1b2c3d.part"
    other = tmp_path / "file.notes.part"
    for one in (old, fresh, other):
        one.write_text("half")
    long_ago = time.time() - 2 * disk.FORGOTTEN
    os.utime(old, (long_ago, long_ago))
    os.utime(other, (long_ago, long_ago))

    disk.write(tmp_path / "file", "x")

    assert names(tmp_path) == ["file", fresh.name, other.name]


@UNIX
def test_what_a_killed_process_has_left_of_a_users_file_is_deleted_at_once(tmp_path: Path) -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    left = tmp_path / f"file.{done.pid}-0a1b2c3d.part"
    left.write_text("half")

    disk.put(tmp_path / "file", b"x", lasting=False)
    assert names(tmp_path) == ["file", left.name], "another machine may be writing it"
    disk.write(tmp_path / "file", "x")
    assert names(tmp_path) == ["file"]


@UNIX
def test_nobody_else_reads_what_is_unfinished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("old")
    modes: list[int] = []
    opened = os.open

    def noted(path: object, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith(disk.UNFINISHED):
            modes.append(mode)
        return opened(path, flags, mode)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", noted)
    disk.write(tmp_path / "file", "new")
    disk.write(tmp_path / "other", "new")

    assert modes == [0o600, 0o600]
