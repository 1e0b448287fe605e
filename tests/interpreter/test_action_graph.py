"""Verbs become graphs: what follows what, where amendments stand, where conditions are looked at."""

from typing import Any

import networkx as nx
import pytest
from written import linked, loaded

from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.ir.graph import graphs_of
from rulewright.dsl.ir.nodes import Decide, Effect, Return, Sleep, Wake

BASE = """
the game has, seen by players
  a: number = 0
  b: number = 0
  log: list of number = []
each Player has
  points: number = 0, seen by players
"""


def graphs(*rules: str, variants: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the graphs of a game."""
    return graphs_of(linked(BASE, *rules, variants=variants))


def lines(graph: Any) -> list[str]:
    """Return a graph as `number kind label -> edges`, in the order of the numbers."""
    found = []
    for node, data in graph.nodes(data="node"):
        edges = " ".join(
            f"{label}->{target}" for _, target, label in graph.out_edges(node, keys=True)
        )
        found.append(" ".join(f"{node} {data.kind} {data.label} | {edges}".split()))
    return found


def kinds(graph: Any) -> list[str]:
    """Return the kinds of the nodes in the order of their numbers."""
    return [data.kind for _, data in graph.nodes(data="node")]


def test_steps_follow_each_other_and_blocks_join() -> None:
    rules = """
    to play
      as players
        choose n from 1..3
        if n is 1
          add 1 to a
        else
          add 2 to a
        for each x in [1, 2]
          add x to log
        need a > 0 else "none"
    """

    assert lines(graphs(rules)["play"]) == [
        "0 as as players | body->1 done->8",
        "1 decide choose n from 1..3 | next->2",
        "2 branch if n is 1 | yes->3 no->4",
        "3 effect add 1 to a | next->5",
        "4 effect add 2 to a | next->5",
        "5 loop for each x in [1, 2] | body->6 done->7",
        "6 effect add x to log | next->5",
        '7 need need a > 0 else "none" | next->0 fail->9',
        "8 return |",
        "9 dead |",
    ]


def test_arms_and_may_have_edges_of_their_own() -> None:
    rules = """
    to play
      as players[0]
        either "One"
          set a to 1
        or "Two"
        or "Three"
        may "Four"
          set a to 4
    """
    found = lines(graphs(rules)["play"])

    assert found[1:7] == [
        '1 decide either "One" or "Two" or "Three" | arm0->2 arm1->3 arm2->4',
        "2 effect set a to 1 | next->3",
        '3 decide may "Four" | yes->5 no->0',
        "4 nothing | next->3",
        "5 effect set a to 4 | next->0",
        "6 return |",
    ]


def test_order_at_a_verb_with_amendments_of_a_variant() -> None:
    rules = """
    the game has, seen by players
      left: number = 3, fresh each work
    to play
      work
    to work
      add 1 to log
    after work
      add 2 to log
    """
    variant = {
        "Other": """
        before work when a > 0
          add 3 to log
        instead of work when b > 0
          add 4 to log
        """
    }
    graph = graphs(rules, variants=variant)["work"]

    assert lines(graph) == [
        "0 reset fresh left | next->1",
        "1 branch when a > 0 | yes->2 no->4",
        "2 mark before work when a > 0 | next->3",
        "3 effect add 3 to log | next->4",
        "4 branch when b > 0 | yes->5 no->7",
        "5 mark instead of work when b > 0 | next->6",
        "6 effect add 4 to log | next->8",
        "7 effect add 1 to log | next->8",
        "8 mark after work | next->9",
        "9 effect add 2 to log | next->10",
        "10 return |",
    ]
    assert [graph.nodes[node]["node"].title for node in (3, 6, 7, 9)] == ["Other", "Other", "", ""]
    assert graph.nodes[5]["node"].title == graph.nodes[4]["node"].title == "Other"
    assert graph.graph["plan"].finish == 8


def test_a_replaced_body_is_not_there() -> None:
    rules = "to play\n  work\nto work\n  as players[0]\n    choose n from 1..2\n"
    game = linked(BASE, rules, variants={"Other": "instead of work\n  add 4 to log\n"})

    assert kinds(graphs_of(game)["work"]) == ["mark", "effect", "return"]
    assert not GameEffects(game).asks("play")


def test_stop_leads_to_what_stands_after() -> None:
    rules = """
    to play
      work
    to work
      step inner
        if a > 0
          stop
      add 1 to log
    after work.inner
      add 2 to log
    after work
      add 3 to log
    """
    graph = graphs(rules)["work"]

    assert lines(graph) == [
        "0 step_begin step inner | next->1",
        "1 branch if a > 0 | yes->2 no->3",
        "2 stop stop | next->3",
        "3 mark after work.inner | next->4",
        "4 effect add 2 to log | next->5",
        "5 step_end step inner | next->6 leave->7",
        "6 effect add 1 to log | next->7",
        "7 mark after work | next->8",
        "8 effect add 3 to log | next->9",
        "9 return |",
    ]
    assert graph.graph["plan"].steps == {"work.inner": 3}
    assert graph.nodes[2]["node"].levels == (("work", 7, ()), ("work.inner", 3, ()))


def test_chance_stands_in_nodes_of_its_own() -> None:
    rules = """
    to play
      set a to random(1..6)
      twice random(1..2), random(3..4)
    to twice x: number with y: number
      add x + y to log
    """
    found = lines(
        graphs(rules.replace("random(1..2), random(3..4)", "random(1..2) with random(3..4)"))[
            "play"
        ]
    )

    assert found == [
        "0 chance random(1..6) | next->1",
        "1 effect set a to random(1..6) | next->2",
        "2 chance random(1..2) | next->3",
        "3 chance random(3..4) | next->4",
        "4 call twice random(1..2) with random(3..4) | next->5",
        "5 return |",
    ]


def test_or_stop_leads_to_a_stop() -> None:
    rules = """
    to play
      as players
        work
    to work
      choose n from 1..3 or stop
      add n to a
    """

    assert lines(graphs(rules)["work"]) == [
        "0 decide choose n from 1..3 or stop | none->1 next->2",
        "1 stop or stop | next->3",
        "2 effect add n to a | next->3",
        "3 return |",
    ]


def test_nodes_know_their_loops_and_places() -> None:
    rules = """
    to play
      as players
        step inner
          repeat 2 times
            choose n from 1..3
            choose n from 1..2
            may "Go"
              nothing
    """
    graph = graphs(rules)["play"]
    sites = {
        data.site: data.loops for _, data in graph.nodes(data="node") if isinstance(data, Decide)
    }

    assert sites == {
        "play.inner.n": (0, 2),
        "play.inner.n#2": (0, 2),
        "play.inner.may": (0, 2),
    }
    assert all(data.span.text for _, data in graph.nodes(data="node") if data.kind == "decide")


WATCHED = "as soon as a > 0 and b is 0\n  add 7 to log\n"


def test_conditions_are_looked_at_behind_what_may_make_them_true() -> None:
    rules = """
    to play
      as players[0]
        set a to 1
        add 1 to log
        choose n from 1..1
        set b to 1
    """
    graph = graphs(WATCHED, rules)["play"]

    assert kinds(graph) == [
        "as",
        "effect",
        "watch",
        "effect",
        "decide",
        "effect",
        "watch",
        "return",
    ]


def test_conditions_wait_for_the_end_of_an_atomic_verb() -> None:
    rules = """
    to play
      as players[0]
        work
        rest
        choose n from 1..1
        asks
    to work
      set a to 1
      set b to 0
    to rest
      add 1 to log
    to asks
      choose m from 1..1
      work
    """
    found = graphs(WATCHED, rules)

    assert kinds(found["work"]) == ["effect", "effect", "return"]
    assert kinds(found["asks"]) == ["decide", "call", "watch", "return"]
    assert kinds(found["play"]) == ["as", "call", "watch", "call", "decide", "call", "return"]


def test_conditions_are_looked_at_through_defines_and_zones() -> None:
    rules = """
    each Card has
      rank: number
    table Card for each rank in 1..3
    the game has, seen by players
      deck: pile of Card = Card
      open: row of Card
    define used_up = deck is empty
    as soon as used_up
      nothing
    to play
      as players[0]
        move top(deck) to open
        add 1 to a
        choose n from 1..1
    """
    graph = graphs(rules)["play"]

    assert kinds(graph)[1:4] == ["effect", "watch", "effect"]


def test_a_look_follows_the_reset_of_fresh_fields() -> None:
    rules = """
    the game has, seen by players
      c: number = 2, fresh each work
    as soon as c is 2
      nothing
    to play
      work
    to work
      as players[0]
        choose n from 1..1
    """

    assert kinds(graphs(rules)["work"])[:2] == ["reset", "watch"]


def test_set_up_sends_conditions_to_sleep() -> None:
    rules = """
    to play
      set_up
      as players[0]
        choose n from 1..2
        set a to n
    to set_up
      set a to 1
    """
    graph = graphs(WATCHED, rules)["set_up"]

    assert [type(data) for _, data in graph.nodes(data="node")] == [Sleep, Effect, Wake, Return]


def test_the_block_of_a_condition_is_a_graph() -> None:
    found = graphs(WATCHED, "to play\n  set a to 1\n")
    (unit,) = [name for name in found if name.startswith("watch:")]

    assert kinds(found[unit]) == ["mark", "effect", "return"]


@pytest.mark.parametrize(
    ("steps", "reads", "writes", "asks"),
    [
        ("set a to b", {"b"}, {"a"}, False),
        ("add 1 to a", {"a"}, {"a"}, False),
        ("choose n from 1..b\nset a to n", {"b"}, {"a"}, True),
        ("other", {"b", "log"}, {"log"}, False),
        ('if a > 0\n  end game "x"', {"a"}, {"@ending"}, False),
        ("set a to random(1..2)", {"@chance"}, {"a", "@chance"}, False),
    ],
)
def test_flow(steps: str, reads: set[str], writes: set[str], asks: bool) -> None:
    indented = "\n".join(f"    {line}" for line in steps.splitlines())
    rules = f"to play\n  as players[0]\n{indented}\nto other\n  add b to log\n"
    touch = GameEffects(linked(BASE, rules)).unit("play")

    assert (touch.reads, touch.writes, touch.asks) == (reads, writes, asks)


def test_edges_of_a_program_skip_what_only_marks_a_place() -> None:
    rules = """
    to play
      step inner
        nothing
        add 1 to a
      add 2 to a
    """
    program = loaded(BASE, rules)
    code = program.code["play"]

    assert [op.kind for op in code] == [
        "step_begin",
        "nothing",
        "effect",
        "step_end",
        "effect",
        "return",
    ]
    assert code[0].edges == {"next": 2}
    assert nx.is_directed_acyclic_graph(program.graphs["play"])
