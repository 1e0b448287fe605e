"""What changes nothing in play changes no digest, and what does changes those of its definition."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from rulewright.dsl import model
from rulewright.dsl.analysis.meaning import definitions, digest_of
from rulewright.dsl.frontend.frontend import compile_game

RULES = """language 1
game "Test" for 2..4 players
kind Colour is one of [red, blue]
each Card has
  colour: Colour
  rank: number
table Card
  | colour | rank | copies |
  | red    | 1    | 2      |
  | blue   | 2    | 2      |
each Player has
  hand: cards of Card, seen by owner
  money: number = 2, seen by players
  poor: list of number = [], seen by players
the game has, seen by players
  deck: pile of Card = Card, seen by []
define goal = 3
define wealth(p: Player) = p.money * 2
define rich = Player where wealth(it) > goal
option start: number in 1..3 = 2 "How many?"
to play
  as players
    turn
to turn
  either "Pay"
    need my.money > 0 else "you are poor"
    add -1 to my.money
  or "Wait"
    choose n from 1..start ask "How long?"
to rest
  nothing
before turn
  until turn ends change goal by 1
as soon as some p in players has p.money > 9
  end game "rich"
during turn
  may "Beg" when my.money is 0
    add 1 to my.money
ranking
  most my.money
"""


def linked(folder: Path, rules: str, **files: str) -> model.Game:
    """Return the game of a folder that holds these rules, and other files."""
    home = folder / "test"
    home.mkdir(exist_ok=True)
    (home / "game.rules").write_bytes(rules.encode())
    for name, text in files.items():
        (home / "variants").mkdir(exist_ok=True)
        (home / "variants" / f"{name}.rules").write_text(text)
    return compile_game(str(home)).model_or_raise()


SAME: Mapping[str, Callable[[str], str]] = {
    "a comment": lambda text: text.replace("to turn\n", "# how it goes\nto turn  # so\n"),
    "blank lines": lambda text: text.replace("\nto ", "\n\n\nto ").replace("define", "\ndefine"),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "a define elsewhere": lambda text: text.replace("define goal = 3\n", "") + "define goal = 3\n",
    "a verb elsewhere": lambda text: (
        text.replace("to rest\n  nothing\n", "") + "to rest\n  nothing\n"
    ),
    "an amendment elsewhere": lambda text: (
        text.replace(text[text.index("before turn") : text.index("as soon")], "")
        + text[text.index("before turn") : text.index("as soon")]
    ),
    "other words": lambda text: (
        text.replace('"Pay"', '"Pay one"')
        .replace("you are poor", "you have none")
        .replace("How long", "For how long")
        .replace("How many", "With how many")
    ),
    "an example": lambda text: (
        text + 'example "nothing"\n  players ann, ben\n  expect ann.money is 2\n'
    ),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_changes_nothing_changes_no_digest(
    change: Callable[[str], str], tmp_path: Path
) -> None:
    before = definitions(linked(tmp_path, RULES))

    text = change(RULES)
    after = linked(tmp_path, text)

    assert text != RULES
    assert {name: one.digest for name, one in definitions(after).items()} == {
        name: one.digest for name, one in before.items()
    }


def test_a_variant_that_is_not_chosen_changes_nothing(tmp_path: Path) -> None:
    before = linked(tmp_path, RULES)

    other = 'language 1\nvariant "Other" of test\ninstead of rest\n  stop\n'
    after = linked(tmp_path, RULES, other=other)

    assert digest_of(before) == digest_of(after)
    with_it = compile_game(str(tmp_path / "test"), ["Other"]).model_or_raise()
    assert set(definitions(with_it)) - set(definitions(after)) == {"instead of rest (Other)"}


OTHER = {
    "define goal": ("goal = 3", "goal = 4"),
    "verb turn": ("add -1", "add -2"),
    "table Card": ("| blue   | 2 ", "| blue   | 3 "),
    "field Player.money": ("money: number = 2", "money: number = 3"),
    "option start": ("1..3 = 2", "1..3 = 1"),
    "change of goal": ("change goal by 1", "change goal by 2"),
    "as soon as": ("p.money > 9", "p.money > 8"),
    "offer in turn": ("my.money is 0", "my.money is 1"),
    "ranking": ("  most my.money", "  fewest my.money"),
    "define wealth": ("p.money * 2", "p.money * 3"),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_means_something_else_is_known_by_name(name: str, tmp_path: Path) -> None:
    before = definitions(linked(tmp_path, RULES))

    after = definitions(linked(tmp_path, RULES.replace(*OTHER[name])))

    changed = {one for one in before if after[one].digest != before[one].digest}
    assert changed == {name}
