"""What a rule file names lies in the folder of its game or among what is shipped, or is not read."""

import os
from pathlib import Path

import pytest

from rulewright.dsl.frontend.frontend import Compilation, compile_game

GAME = """language 1
game "Untrusted" for 2..4 players
{line}
each Card has
  name: text
to play
  nothing
ranking
  most 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game, beside files that are none of its business."""
    (tmp_path / "secret.csv").write_text("name\nSecret\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("# Secret\n## Diary\nText.\n", encoding="utf-8")
    (tmp_path / "secret.rules").write_text("language 1\nmodule secret\n", encoding="utf-8")
    folder = tmp_path / "untrusted"
    folder.mkdir()
    return folder


def compiled(folder: Path, line: str) -> Compilation:
    (folder / "game.rules").write_text(GAME.format(line=line), encoding="utf-8")
    return compile_game(str(folder))


def codes(compilation: Compilation) -> list[str]:
    return [item.code.code for item in compilation.diagnostics]


def outside(folder: Path, name: str) -> list[str]:
    """Return ways to name a file beside the folder of the game."""
    absolute = (folder.parent / name).as_posix()
    return [f"../{name}", f"./../{name}", f"x/../../{name}", f"{folder}/../{name}", absolute]


def test_a_table_cannot_leave_the_folder(folder: Path) -> None:
    for path in outside(folder, "secret.csv"):
        assert codes(compiled(folder, f'table Card from "{path}"')) == ["RW013"], path


def test_a_book_cannot_leave_the_folder(folder: Path) -> None:
    for path in [*outside(folder, "secret.md"), "seeds/../../secret.md"]:
        assert codes(compiled(folder, f'book "{path}"')) == ["RW013"], path

    assert codes(compiled(folder, 'book "seeds/../secret.md"')) == ["RW020"]


@pytest.mark.parametrize(
    "line", ['table Card from "link.csv"', 'table Card from "inner/secret.csv"']
)
def test_a_table_cannot_leave_the_folder_through_a_link(folder: Path, line: str) -> None:
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "inner").symlink_to(folder.parent, target_is_directory=True)

    assert codes(compiled(folder, line)) == ["RW013"]


def test_a_book_cannot_leave_the_folder_through_a_link(folder: Path) -> None:
    (folder / "link.md").symlink_to(folder.parent / "secret.md")

    assert codes(compiled(folder, 'book "link.md"')) == ["RW013"]


def test_a_link_inside_the_folder_is_followed(folder: Path) -> None:
    (folder / "cards.csv").write_text("name\nAce\n", encoding="utf-8")
    (folder / "link.csv").symlink_to(folder / "cards.csv")

    assert codes(compiled(folder, 'table Card from "link.csv"')) == []


def test_a_circle_of_links_is_no_file(folder: Path) -> None:
    (folder / "a.csv").symlink_to(folder / "b.csv")
    (folder / "b.csv").symlink_to(folder / "a.csv")

    assert codes(compiled(folder, 'table Card from "a.csv"')) in (["RW001"], ["RW013"])


@pytest.mark.parametrize(
    "path", ["", ".", "..", "/", "~", "~/secret.csv", "\\\\host\\share", "con", "a\tb", "%2e%2e/x"]
)
def test_strange_names_of_tables_are_messages(folder: Path, path: str) -> None:
    found = codes(compiled(folder, f'table Card from "{path}"'))

    assert found and set(found) <= {"RW001", "RW003", "RW013"}


def test_a_file_without_end_is_not_read(folder: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes with names")
    os.mkfifo(folder / "pipe.csv")

    assert codes(compiled(folder, 'table Card from "pipe.csv"')) == ["RW001"]


def test_modules_are_words_and_come_from_the_folder_or_the_library(folder: Path) -> None:
    assert codes(compiled(folder, "use secret")) == ["RW010"]
    assert "RW101" in codes(compiled(folder, 'use "../secret"'))
    assert codes(compiled(folder, "use seats")) == []


def test_a_module_cannot_leave_the_folder_through_a_link(folder: Path) -> None:
    (folder.parent / "linked.rules").write_text("language 1\nmodule linked\n", encoding="utf-8")
    (folder / "linked.rules").symlink_to(folder.parent / "linked.rules")

    assert codes(compiled(folder, "use linked")) == ["RW010"]


def test_a_variant_cannot_be_read_through_a_link(folder: Path) -> None:
    (folder / "variants").mkdir()
    text = 'language 1\nvariant "Linked" of untrusted\n'
    (folder.parent / "linked.rules").write_text(text, encoding="utf-8")
    (folder / "variants" / "linked.rules").symlink_to(folder.parent / "linked.rules")
    (folder / "game.rules").write_text(GAME.format(line=""), encoding="utf-8")

    assert codes(compile_game(str(folder), ["Linked"])) == ["RW503"]


def test_a_file_that_is_no_text_is_a_message(folder: Path) -> None:
    (folder / "bytes.csv").write_bytes(b"name\n\0\0\n")
    (folder / "latin.csv").write_bytes("name\nÄ\n".encode("latin-1"))
    (folder / "large.csv").write_bytes(b"x" * 3_000_000)

    assert codes(compiled(folder, 'table Card from "bytes.csv"')) == ["RW005"]
    assert codes(compiled(folder, 'table Card from "latin.csv"')) == ["RW002"]
    assert codes(compiled(folder, 'table Card from "large.csv"')) == ["RW004"]


def test_control_characters_of_a_rule_file_do_not_reach_the_terminal(folder: Path) -> None:
    from rulewright.dsl.text.render import render

    compilation = compiled(folder, 'table Card from "\x1b[2Jmissing.csv"')

    assert compilation.diagnostics
    assert "\x1b" not in render(compilation.diagnostics)
