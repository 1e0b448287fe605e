"""What lies beside a game and is no variant that can be played is reported by `check`."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GAME = """language 1
game "Little" for 2..4 players
option size: number = 1 "How large?"
each Player has, seen by players
  n: number = 0
to play
  as players
    may "Go on"
      add size to my.n
  end game "gone"
ranking
  most my.n
"""
A, B = 'language 1\nvariant "A" of little\n', 'language 1\nvariant "B" of little\n'


def written(folder: Path, **variants: str | bytes) -> Path:
    """Write a game with files in its folder of variants, and return where it is."""
    game = folder / "little"
    (game / "variants").mkdir(parents=True)
    (game / "game.rules").write_text(GAME, encoding="utf-8")
    for name, text in variants.items():
        content = text if isinstance(text, bytes) else text.encode()
        (game / "variants" / f"{name}.rules").write_bytes(content)
    return game


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('language 1\nvariant "C" little\n', "RW101"),
        ("option x: number = 1\n", "RW006"),
        (b'language 1\nvariant "\xe4" of little\n', "RW002"),
        ('language 1\nvariant "C" of litle\n', "RW012"),
    ],
)
def test_a_file_that_is_no_variant(
    rulewright: Callable[..., Any], tmp_path: Path, text: str | bytes, code: str
) -> None:
    game = written(tmp_path, c=text)

    together = rulewright(["check", str(game), "--format", "short"])
    alone = rulewright(["check", str(game / "variants" / "c.rules"), "--format", "short"])

    assert together.status == 1
    assert code in together.output
    assert code in alone.output


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_what_is_no_file_at_all(rulewright: Callable[..., Any], tmp_path: Path) -> None:
    game = written(tmp_path)
    (game / "variants" / "folder.rules").mkdir()
    (game / "variants" / "link.rules").symlink_to(tmp_path / "nowhere.rules")
    os.mkfifo(game / "variants" / "pipe.rules")

    found = rulewright(["check", str(game), "--format", "short"])

    assert found.status == 1
    for name in ("folder", "link", "pipe"):
        assert found.output.count(f"{name}.rules:1:1") == 1
    for command in ("list", "rules", "playout"):
        assert "Traceback" not in rulewright([command, str(game)]).output


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        (f'{A}requires "B"\nchange sizes to 2\n', f'{B}excludes "A"\nchange size to 2\n', "RW505"),
        (f'{A}requires "B"\nexcludes "B"\nchange sizes to 2\n', f"{B}change size to 2\n", "RW505"),
        (f'{A}requires "Nowhere"\nchange size to 2\n', f"{B}change size to 2\n", "RW504"),
    ],
)
def test_a_variant_that_can_never_be_on(
    rulewright: Callable[..., Any], tmp_path: Path, first: str, second: str, code: str
) -> None:
    found = rulewright(["check", str(written(tmp_path, a=first, b=second)), "--format", "short"])

    assert found.status == 1
    assert f"error[{code}]" in found.output
    assert ("`sizes`" in found.output) is ("sizes" in first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("change size to 2\n", "change size to 1 + 1\n"),
        ("change size to 2\n", "change size to 2\n"),
        ("change size to 3 - 1 when count(players) is 2\n", "change size to 2\n"),
    ],
)
def test_two_variants_that_say_the_same_agree(
    rulewright: Callable[..., Any], tmp_path: Path, first: str, second: str
) -> None:
    found = rulewright(["check", str(written(tmp_path, a=A + first, b=B + second))])

    assert found.status == 0, found.output


def test_variants_for_other_numbers_of_players_are_never_together(
    rulewright: Callable[..., Any], tmp_path: Path
) -> None:
    two = A.replace("little", "little for 2..2 players") + "change size to 2\n"
    three = B.replace("little", "little for 3..4 players") + "change size to 3\n"
    game = str(written(tmp_path, a=two, b=three))

    assert rulewright(["check", game]).status == 0
    both = rulewright(["playout", game, "--variant", "A", "--variant", "B"])
    assert (both.status, "exclude each other" in both.output) == (2, True)
