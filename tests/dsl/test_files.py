"""What was asked of the disk is noted, and asked again later."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.dsl.files import files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file and a link to it; it is the current one."""
    (tmp_path / "a.rules").write_text("a", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(folder: Path) -> files.Questions:
    """Ask everything that can be asked."""
    with files.recorded() as questions:
        assert files.is_file(folder / "a.rules")
        assert not files.is_file(folder / "b.rules")
        assert files.is_folder(folder)
        assert not files.exists(folder / "c")
        assert files.size(folder / "a.rules") == 1
        assert files.contents(folder / "a.rules") == b"a"
        assert files.matching(folder, "*.rules") == (folder / "a.rules",)
        assert files.matching(folder / "none", "*.rules") == ()
        with pytest.raises(OSError):
            files.contents(folder / "d")
    return questions


def test_the_same_answers_mean_that_nothing_has_changed(folder: Path) -> None:
    assert files.unchanged(ask(folder))


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
    assert files.unchanged(questions) == (change == "a folder that was missing")


def test_a_file_that_is_written_again_has_not_changed(folder: Path) -> None:
    questions = ask(folder)

    (folder / "a.rules").write_text("a", encoding="utf-8")
    os.utime(folder / "a.rules", (1, 1))

    assert files.unchanged(questions)


def test_the_same_words_mean_another_file_in_another_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with files.recorded() as questions:
        files.contents(Path("a.rules"))
    (folder / "below").mkdir()
    (folder / "below" / "a.rules").write_text("a", encoding="utf-8")

    assert files.unchanged(questions)
    monkeypatch.chdir(folder / "below")
    assert not files.unchanged(questions)


def test_a_link_that_leads_elsewhere_is_noticed(folder: Path) -> None:
    link = folder / "link"
    link.symlink_to(folder / "a.rules")
    with files.recorded() as questions:
        assert files.resolved(link) == (folder / "a.rules").resolve()

    assert files.unchanged(questions)
    link.unlink()
    link.symlink_to(folder)
    assert not files.unchanged(questions)


def test_what_changes_between_two_questions_never_comes_back(folder: Path) -> None:
    with files.recorded() as questions:
        files.contents(folder / "a.rules")
        (folder / "a.rules").write_text("b", encoding="utf-8")
        files.contents(folder / "a.rules")

    assert not files.unchanged(questions)
    (folder / "a.rules").write_text("a", encoding="utf-8")
    assert not files.unchanged(questions)


def test_what_is_asked_inside_is_noted_and_nothing_else(folder: Path) -> None:
    files.is_file(folder / "before")
    with files.recorded() as questions:
        files.is_file(folder / "inside")
        with files.recorded() as inner:
            files.is_file(folder / "further in")
    files.is_file(folder / "after")

    assert [path for _, path in questions] == [str(folder / "inside"), str(folder / "further in")]
    assert [path for _, path in inner] == [str(folder / "further in")]
