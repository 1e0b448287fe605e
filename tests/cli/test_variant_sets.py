"""Which sets of variants `check` and `coverage` try."""

from pathlib import Path

import pytest

from rulewright.interpreter.arguments import compiled
from rulewright.interpreter.variant_sets import legal_sets

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


def sets(folder: Path, **variants: str) -> set[tuple[str, ...]]:
    """Return the sets that are tried of a game with these variants."""
    game = folder / "little"
    (game / "variants").mkdir(parents=True)
    (game / "game.rules").write_text(GAME)
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
