"""Which sets of variants `check` and `coverage` try."""

from pathlib import Path

import pytest

from rulewright.interpreter.cli.arguments import compiled
from rulewright.interpreter.cli.check import examine
from rulewright.interpreter.cli.variant_sets import legal_sets

GAME = """language 1
game "Little" for 1..2 players
option size: number = 1 "How large?"
to play
  as players
    may "Go on"
      end game "gone"
ranking
  most 1
"""


def sets(folder: Path, game_text: str = GAME, **variants: str) -> set[tuple[str, ...]]:
    """Return the sets that are tried of a game with these variants."""
    game = folder / "little"
    (game / "variants").mkdir(parents=True)
    (game / "game.rules").write_text(game_text)
    for name, text in variants.items():
        head = f'language 1\nvariant "{name}" of little\n'
        (game / "variants" / f"{name.lower()}.rules").write_text(head + text)
    found = legal_sets(str(game), compiled(str(game), ()))
    return {tuple(sorted(one.game.variants)) for one in found if one.game is not None}


def test_of_a_few_variants_all_sets_are_tried(tmp_path: Path) -> None:
    option = 'option {}: number = 1 "Why?"\n'
    found = sets(tmp_path, A=option.format("a"), B=option.format("b"), C=option.format("c"))

    assert found == {
        *(("A",), ("B",), ("C",)),
        *(("A", "B"), ("A", "C"), ("B", "C")),
        ("A", "B", "C"),
    }


def test_a_variant_that_is_others_together_adds_one_set(tmp_path: Path) -> None:
    option = 'option {}: number = 1 "Why?"\n'
    both = 'includes "A", "B"\n'
    found = sets(tmp_path, A=option.format("a"), B=option.format("b"), Both=both)

    assert found == {("A",), ("B",), ("A", "B"), ("A", "B", "Both")}


@pytest.mark.parametrize("relation", ["excludes", "requires"])
def test_what_does_not_go_together_is_left_out(tmp_path: Path, relation: str) -> None:
    option = 'option {}: number = 1 "Why?"\n'
    found = sets(tmp_path, A=option.format("a") + f'{relation} "B"\n', B=option.format("b"))

    assert found == ({("A",), ("B",)} if relation == "excludes" else {("A", "B"), ("B",)})


CONFLICT = {"A": "change size to 2\n", "B": "change size to 3\n"}
OTHERS = {f"X{number}": f'option x{number}: number = 1 "Why?"\n' for number in range(4)}


def wrong(folder: Path, **variants: str) -> list[str]:
    """Return the errors that `check` finds in a game with these variants."""
    sets(folder, **variants)
    found = examine(str(folder / "little"), ()).diagnostics
    return [one.code.code for one in found if one.severity.value == "error"]


@pytest.mark.parametrize("others", [{}, OTHERS], ids=["few", "many"])
@pytest.mark.parametrize(
    ("third", "codes"),
    [
        ('includes ordered "A", "B"\n', []),
        ('includes "A", "B"\nchange size to 7\n', []),
        ('includes "A", "B"\n', ["RW502"]),
        ('includes "A", "B"\nchange size by 1\n', ["RW502"]),
    ],
)
def test_a_third_variant_settles_what_two_disagree_about(
    tmp_path: Path, third: str, codes: list[str], others: dict[str, str]
) -> None:
    assert wrong(tmp_path, **CONFLICT, Third=third, **others) == codes


def test_where_none_includes_both_a_conflict_is_told(tmp_path: Path) -> None:
    assert wrong(tmp_path, **CONFLICT, Third='includes "A"\n') == ["RW502"]


def test_sets_with_what_settles_a_conflict_stand_for_those_without(tmp_path: Path) -> None:
    found = sets(tmp_path, **CONFLICT, Third='includes ordered "A", "B"\n', X=OTHERS["X1"])

    assert ("A", "B", "Third", "X") in found
    assert ("A", "B", "X") not in found


def test_an_example_is_blamed_on_the_smallest_set_in_which_it_fails(tmp_path: Path) -> None:
    example = 'example "Size"\n  players ann, ben\n  expect size is 1\n'
    variants = {
        "A": "change size by 5\n",
        "B": "change size to 3\n",
        "C": "change size to 4 when count(players) > 5\n",
        "F": 'includes ordered "B", "C"\noption f: number = 1 "Why?"\n',
        "G": 'option g: number = 1 "Why?"\n',
    }
    sets(tmp_path, GAME + example, **variants)

    found = examine(str(tmp_path / "little"), ()).diagnostics

    changed = [one for one in found if one.code.code == "RW513"]
    assert [one.arguments["name"] for one in changed] == ["A", "B"]
    assert [one.notes for one in changed] == [("size is 6",), ("size is 3",)]


def test_what_is_told_of_an_example_happens_in_the_smallest_set(tmp_path: Path) -> None:
    example = 'example "Size"\n  players ann, ben\n  expect size is 1\n'
    sets(tmp_path, GAME + example, A="change size by 5\n", B="change size to 3\n")

    found = examine(str(tmp_path / "little"), ()).diagnostics

    changed = {one.arguments["name"]: one.notes for one in found if one.code.code == "RW513"}
    assert changed == {"A": ("size is 6",), "B": ("size is 3",)}
