"""What can fail: what look-ahead, and the notes of drawings, take from the graph."""

from __future__ import annotations

from written import linked

from rulewright.dsl.ir.certainty import certain_nodes
from rulewright.dsl.ir.graph import Graph, call_graph, graphs_of, leading_to, supergraph
from rulewright.dsl.ir.notes import AT_ONCE, UNREACHED, notes_of
from rulewright.dsl.model import Game

RULES = """
the game has, seen by players
  pot: number = 0
to play
  as players
    may "Look"
      look
    try_it
    either "More"
      need pot > 2 else "too few"
    or "Less"
      nothing
    add 1 to pot
  as players together
    choose n from 1..2
    look
  finish
to finish
  end game
to try_it
  choose n from 1..3 where it > pot
  look
to look
  add 1 to pot
"""


def certain(unit: str) -> list[bool]:
    """Return for each node of a verb whether nothing can fail from there on."""
    return list(certain_nodes(linked(RULES))[unit])


def test_a_choice_that_may_find_nothing_makes_uncertain_what_leads_to_it() -> None:
    assert certain("try_it")[0] is False
    assert all(certain("try_it")[1:])
    assert all(certain("look"))


def test_what_is_called_counts_and_of_later_decisions_one_way() -> None:
    game = linked(RULES)
    kinds = [node.kind for _, node in _graph(game, "play").nodes(data="node")]
    found = certain("play")

    # It leads to `try_it`, whose choice may find nothing.
    assert found[kinds.index("as")] is False
    either = [at for at, kind in enumerate(kinds) if kind == "decide"][1]
    assert kinds[either + 1] == "need"
    # The arm "Less" is always there; what stands behind comes back to the loop, which is uncertain again.
    assert found[either + 1] is False
    assert found[kinds.index("fork")] is True


def test_who_may_act_at_once_is_found_through_calls() -> None:
    notes = notes_of(linked(RULES))

    assert {note.mark for note in notes["look"]} == {AT_ONCE}
    assert AT_ONCE not in {note.mark for note in notes["try_it"]}


def test_where_no_way_leads_is_marked() -> None:
    notes = notes_of(linked(RULES))

    # Nothing comes back from the end of the game.
    assert [note.mark == UNREACHED for note in notes["finish"]] == [False, True]


def test_the_supergraph_goes_into_a_verb_and_back_to_where_its_caller_goes_on() -> None:
    game = linked(RULES)
    whole = supergraph(game)
    plays = _graph(game, "play")
    (call,) = [
        at
        for at, node in plays.nodes(data="node")
        if node.kind == "call" and "try_it" in node.begins
    ]
    behind = plays.out_edges(call)

    assert list(whole.successors(("play", call))) == [("try_it", 0)]
    ends = [at for at, node in _graph(game, "try_it").nodes(data="node") if node.kind == "return"]
    assert [("play", target) for _, target in behind] == list(whole.successors(("try_it", ends[0])))
    assert leading_to(call_graph(game), "look") == {"look", "try_it", "play"}


def _graph(game: Game, unit: str) -> Graph:

    return graphs_of(game)[unit]
