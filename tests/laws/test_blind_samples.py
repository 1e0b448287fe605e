"""What is drawn for a player depends on nothing that he does not know: the same seed draws the same state
in two worlds that he cannot tell apart. Those who look at the truth are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs
import pytest
from hypothesis import given, strategies as st
from playing import OWN, Rules, Size, Start, play, some_moments, starts

from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.mixing import Mixing
from rulewright.interpreter.knowledge.secret_locals import NOTHING
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.layout import DECISIONS, RANDOM, SCALARS
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

Draw = Callable[[Program, Store, Thing, Generator], Store]
"""Draws a state for a player."""

SEEDS = 2


def honest(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Draw as agents do."""
    return Knowledge(program, store, player).sample(generator, log=True)


def differing(
    draw: Draw, program: Program, store: Store, player: Thing, seed: int
) -> Iterator[tuple[Store, Store]]:
    """Yield what is drawn in this world and in another one, where that is not the same."""
    other = honest(program, store, player, Generator(seed))
    for number in range(SEEDS):
        here = draw(program, store, player, Generator(number))
        there = draw(program, other, player, Generator(number))
        if here != there or here.columns[SCALARS] != there.columns[SCALARS]:
            yield here, there


def test_the_same_seed_draws_the_same_in_worlds_that_a_player_cannot_tell_apart(
    rules: Rules, size: Size
) -> None:
    @size.tries(4)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played = play(start)
        for moment in some_moments(data, played, 1):
            for player in played.program.layout.players:
                assert not list(differing(honest, played.program, moment.store, player, seed))

    holds()


# ------------------------------------------------------------------------------------------ cheats


def changed(knowledge: Knowledge, change: Callable[[Mixing], Mixing]) -> Knowledge:
    """Return knowledge that shuffles otherwise."""
    knowledge.mixing = change(knowledge.mixing)
    return knowledge


def keeps_a_card(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Leave one hidden card where it is."""

    def without_one(mixing: Mixing) -> Mixing:
        if not mixing.lines:
            return mixing
        kept = min(mixing.lines, key=lambda line: (line.kind, line.number))
        groups = [
            attrs.evolve(group, lines=tuple([line for line in group.lines if line is not kept]))
            for group in mixing.groups
        ]
        return attrs.evolve(mixing, groups=tuple(groups))

    return changed(Knowledge(program, store, player), without_one).sample(generator)


def sorts_by_the_truth(
    program: Program, store: Store, player: Thing, generator: Generator
) -> Store:
    """Number the lines of a group by which things they are."""

    def sorted_groups(mixing: Mixing) -> Mixing:
        groups = [
            attrs.evolve(group, lines=tuple(sorted(group.lines, key=lambda line: line.number)))
            for group in mixing.groups
        ]
        return attrs.evolve(mixing, groups=tuple(groups))

    return changed(Knowledge(program, store, player), sorted_groups).sample(generator)


def takes_the_stream(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Let chance go on as it will in the real game."""
    found = honest(program, store, player, generator)
    found.columns[SCALARS][RANDOM] = store.random_state
    return found


def draws_with_the_stream(
    program: Program, store: Store, player: Thing, generator: Generator
) -> Store:
    """Draw with the chance of the real game."""
    return honest(program, store, player, Generator(store.random_state))


def leaves_the_order(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Let hidden things lie in the order in which they really lie."""
    knowledge = Knowledge(program, store, player)
    if knowledge.at_once is None:
        knowledge.rewriter.unsorted.clear()
    return knowledge.sample(generator)


def shows_the_truth(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Give the real state."""
    found = store.clone()
    found.columns[SCALARS][RANDOM] = 0
    return found


def leaves_what_others_do(
    program: Program, store: Store, player: Thing, generator: Generator
) -> Store:
    """Let those who act at once have done what they have done."""
    found = honest(program, store, player, generator)
    return found if store.fork is None else shows_the_truth(program, store, player, generator)


def counts_what_others_do(
    program: Program, store: Store, player: Thing, generator: Generator
) -> Store:
    """Tell how often others have answered."""
    found = honest(program, store, player, generator)
    found.columns[SCALARS][DECISIONS] = store.columns[SCALARS][DECISIONS]
    return found


def keeps_locals(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Leave what running verbs of others hold what it is."""
    knowledge = Knowledge(program, store, player)
    knowledge.locals.unknown = knowledge.unknown = NOTHING
    return knowledge.sample(generator)


def keeps_references(program: Program, store: Store, player: Thing, generator: Generator) -> Store:
    """Let hidden fields point at what they point at."""
    knowledge = Knowledge(program, store, player)
    knowledge.guesses.places = []
    return knowledge.sample(generator)


CHEATS: dict[str, list[Draw]] = {
    "marked_cards": [
        keeps_a_card,
        sorts_by_the_truth,
        takes_the_stream,
        draws_with_the_stream,
        leaves_the_order,
        shows_the_truth,
        counts_what_others_do,
    ],
    "whispers": [keeps_locals],
    "pointers": [keeps_references],
    "at_once": [leaves_what_others_do, counts_what_others_do, keeps_a_card],
}


@pytest.mark.parametrize(
    ("name", "cheat"), [(name, one) for name, several in CHEATS.items() for one in several]
)
def test_who_looks_at_the_truth_is_caught(name: str, cheat: Draw) -> None:
    for seed in range(6):
        played = play(Start(Rules(OWN / name), 3, seed, seed))
        for moment in played.moments[:: max(1, len(played.moments) // 12)]:
            for player in played.program.layout.players:
                if any(differing(cheat, played.program, moment.store, player, seed)):
                    return
    pytest.fail("it was not noticed")
