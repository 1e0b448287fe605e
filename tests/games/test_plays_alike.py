"""Does `plays_alike` see whether a changed game is another one?"""

import shutil
from pathlib import Path

import plays_alike
import pytest

from rulewright.dsl.files import library

FILE = "game.rules"


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a game that is to be changed; a few games will do here."""
    monkeypatch.setattr(plays_alike, "GAMES", 5)
    return Path(shutil.copytree(original(), tmp_path / "kuhn_poker"))


def original() -> Path:
    target = library.find_target("kuhn_poker")[0]
    assert target is not None
    return target.folder


def compared(changed: Path, old: str, new: str) -> plays_alike.Likeness:
    path = changed / FILE
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return plays_alike.compare(original(), changed, FILE)


def test_what_differs_in_its_examples_only_means_the_same(changed: Path) -> None:
    found = compared(changed, 'example "Check, bet, fold"', 'example "Three answers"')
    assert found.same_meaning and not found.difference
    assert found.games == plays_alike.GAMES


def test_what_is_the_same_by_chance_plays_alike(changed: Path) -> None:
    found = compared(changed, "let best = first(", "let best = last(")
    assert not found.same_meaning and not found.difference


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("add 1 to my.paid", "add 2 to my.paid", "sees /players"),
        ("if me in winners", "if me not in winners", "the result is"),
        ('or "Check"', 'or "Pass"', "the answers are others"),
        (
            "hand: cards of Card, seen by owner",
            "hand: cards of Card, seen by players",
            "sees /players",
        ),
        ("show p.hand to players", "show p.hand to [players[0]]", "is told"),
    ],
)
def test_a_difference_is_seen(changed: Path, old: str, new: str, said: str) -> None:
    assert said in compared(changed, old, new).difference
