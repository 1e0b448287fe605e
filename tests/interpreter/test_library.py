"""The modules of the library in play: at random in their small games, and where players tie."""

from pathlib import Path

import pytest
from written import played

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.engine.executor import advance, answer, begin
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.state.random import Generator

USES = Path(__file__).resolve().parents[1] / "dsl" / "stdlib"
MOST_DECISIONS = 60


@pytest.mark.parametrize("module", library.standard_modules())
def test_a_module_is_played_at_random_without_a_rules_error(module: str, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    text = (USES / f"{module}.rules").read_text(encoding="utf-8")
    (tmp_path / "small" / "game.rules").write_text(text, encoding="utf-8")
    game = compile_game(str(tmp_path / "small")).model_or_raise()

    for players in {game.least_players, game.most_players}:
        program = load_program(game, players)
        for seed in range(2):
            store, agents = begin(program, seed), Generator(seed)
            advance(program, store)
            for _ in range(MOST_DECISIONS):
                if pending(program, store) is None:
                    break
                answer(program, store, pick_random(program, store, agents), trusted=True)


def test_a_majority_for_which_all_tie_has_no_second_place() -> None:
    table = played("""
use majority
each Player has, seen by players
  cubes: number = 2
  won_here: number = 0
to play
  as players
    set my.won_here to majority_points(me, its.cubes, 6, 3)
  as players
    choose n from 1..2
ranking
  most my.won_here
""")

    assert table.at("Player.won_here", "ann") == table.at("Player.won_here", "ben") == 4
