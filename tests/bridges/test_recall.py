"""What a player remembers, as a digest: the same in two states if, and only if, his information state is."""

import random
from collections.abc import Iterator

import pytest
from sharing import shelf_for

import rulewright
from rulewright import State
from rulewright.interpreter.bridges.nodes import CHANCE, OVER, Node, Request, Tree, tree_of

ANSWERS = 40


def walk(tree: Tree, seed: int) -> Iterator[tuple[Node, State]]:
    """Yield the nodes of a random game, each with the state of the API in which the same has happened."""
    generator = random.Random(seed)
    node = tree.root
    state = tree.game.new_initial_state(0, explicit_chance=tree.has_chance)
    yield node, state
    while node.player != OVER:
        action = generator.choice(node.legal())
        if node.player == CHANCE:
            state.apply_chance(node.label(action))
        else:
            assert node.simulation is not None
            state.apply_value(node.simulation.value(action, node.player), node.player)
        node = node.child(action)
        yield node, state


@pytest.mark.parametrize("name", shelf_for("test_digests_are_the_same"))
def test_digests_are_the_same_where_information_states_are(name: str) -> None:
    tree = tree_of(Request(name, longest=ANSWERS))
    told: dict[tuple[int, str], str] = {}
    digests: dict[tuple[int, str], str] = {}

    for seed in range(2):
        for node, state in walk(tree, seed):
            for player in range(tree.game.num_players):
                digest = node.information_state(player).split()[1]
                known = repr(state.information_state(player))

                assert told.setdefault((player, digest), known) == known
                assert digests.setdefault((player, known), digest) == digest


def test_two_nodes_that_a_player_cannot_tell_apart_have_one_digest_for_him() -> None:
    tree = tree_of(Request("kuhn_poker"))
    first = tree.root.child(0)

    found = {first.child(number).information_state(0) for number in first.legal()}
    others = {first.child(number).information_state(1) for number in first.legal()}

    assert (len(found), len(others)) == (1, 2)


def test_an_edge_is_kept_on_which_somebody_goes_again() -> None:
    # A tree of its own: others may have gone there already.
    root = Tree(Request("tic_tac_toe"), rulewright.load_game("tic_tac_toe")).root
    square = root.legal()[0]

    first, second, third = (root.child(square) for _ in range(3))

    assert second is third and first is not second
