"""A game that is kept in the cache folder has its action graphs: who plays makes none."""

from pathlib import Path

import pytest

from rulewright.dsl.files import cache as user_cache
from rulewright.dsl.frontend import checked_cache
from rulewright.dsl.ir import action_graph
from rulewright.dsl.model import visitor

GAME = """language 1
game "Little" for 2..2 players
use turns(turn)
use winner
to play
  play_in_turns
to turn
  either "Win"
    win me
  or "Wait"
    step wait
      nothing
before wait
  nothing
"""


def test_a_kept_game_has_its_action_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setattr(user_cache, "cache_folder", lambda: folder)
    (tmp_path / "little").mkdir()
    (tmp_path / "little" / "game.rules").write_text(GAME, encoding="utf-8")
    named = str(tmp_path / "little")
    made = action_graph.plans_of(checked_cache.checked(named).game)

    monkeypatch.setattr(action_graph, "_plans", None)
    kept = checked_cache.known(named)
    assert kept is not None
    found = action_graph.plans_of(kept.game)

    assert [plan.edges for plan in found.values()] == [plan.edges for plan in made.values()]
    for unit, plan in found.items():
        kinds = [(node.kind, node.label) for node in plan.nodes]
        assert kinds == [(node.kind, node.label) for node in made[unit].nodes]
    # What a node carries out is what stands in the model.
    steps = {id(statement) for statement, _ in found["turn"].starts}
    blocks = tuple(visitor.all_blocks(kept.game))
    assert steps <= {id(part) for part in visitor.walk(blocks)}
