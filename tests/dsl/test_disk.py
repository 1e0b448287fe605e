"""What was asked of the disk is noted, and asked again later."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.dsl.files import disk


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file and a link to it; it is the current one."""
    (tmp_path / "a.rules").write_text("a", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(folder: Path) -> disk.Questions:
    """Ask everything that can be asked."""
    with disk.recorded() as questions:
        assert disk.is_file(folder / "a.rules")
        assert not disk.is_file(folder / "b.rules")
        assert disk.is_folder(folder)
        assert not disk.exists(folder / "c")
        assert disk.size(folder / "a.rules") == 1
        assert disk.contents(folder / "a.rules") == b"a"
        assert disk.matching(folder, "*.rules") == (folder / "a.rules",)
        assert disk.matching(folder / "none", "*.rules") == ()
        with pytest.raises(OSError):
            disk.contents(folder / "d")
    return questions


def test_the_same_answers_mean_that_nothing_has_changed(folder: Path) -> None:
    assert disk.unchanged(ask(folder))


CHANGES: dict[str, Callable[[Path], object]] = {
    "another text": lambda folder: (folder / "a.rules").write_text("b", encoding="utf-8"),
    "a longer text": lambda folder: (folder / "a.rules").write_text("ab", encoding="utf-8"),
    "a file is gone": lambda folder: (folder / "a.rules").unlink(),
    "a file that was missing": lambda folder: (folder / "b.rules").touch(),
    "another file that matches": lambda folder: (folder / "e.rules").touch(),
    "something at a path": lambda folder: (folder / "c").mkdir(),
    "a file that could not be read": lambda folder: (folder / "d").touch(),
    "a folder that was missing": lambda folder: (folder / "none" / "f.rules").parent.mkdir(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_answer_means_that_something_has_changed(change: str, folder: Path) -> None:
    questions = ask(folder)

    CHANGES[change](folder)

    # An empty folder matches as little as none.
    assert disk.unchanged(questions) == (change == "a folder that was missing")


def test_a_file_that_is_written_again_has_not_changed(folder: Path) -> None:
    questions = ask(folder)

    (folder / "a.rules").write_text("a", encoding="utf-8")
    os.utime(folder / "a.rules", (1, 1))

    assert disk.unchanged(questions)


def test_the_same_words_mean_another_file_in_another_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with disk.recorded() as questions:
        disk.contents(Path("a.rules"))
    (folder / "below").mkdir()
    (folder / "below" / "a.rules").write_text("a", encoding="utf-8")

    assert disk.unchanged(questions)
    monkeypatch.chdir(folder / "below")
    assert not disk.unchanged(questions)


def test_a_link_that_leads_elsewhere_is_noticed(folder: Path) -> None:
    link = folder / "link"
    link.symlink_to(folder / "a.rules")
    with disk.recorded() as questions:
        assert disk.resolved(link) == (folder / "a.rules").resolve()

    assert disk.unchanged(questions)
    link.unlink()
    link.symlink_to(folder)
    assert not disk.unchanged(questions)


def test_what_changes_between_two_questions_never_comes_back(folder: Path) -> None:
    with disk.recorded() as questions:
        disk.contents(folder / "a.rules")
        (folder / "a.rules").write_text("b", encoding="utf-8")
        disk.contents(folder / "a.rules")

    assert not disk.unchanged(questions)
    (folder / "a.rules").write_text("a", encoding="utf-8")
    assert not disk.unchanged(questions)


def test_what_is_asked_inside_is_noted_and_nothing_else(folder: Path) -> None:
    disk.is_file(folder / "before")
    with disk.recorded() as questions:
        disk.is_file(folder / "inside")
        with disk.recorded() as inner:
            disk.is_file(folder / "further in")
    disk.is_file(folder / "after")

    assert [path for _, path in questions] == [str(folder / "inside"), str(folder / "further in")]
    assert [path for _, path in inner] == [str(folder / "further in")]
