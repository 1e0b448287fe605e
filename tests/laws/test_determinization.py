"""States drawn for a player: he cannot tell them from the real one, and they can be played on."""

from __future__ import annotations

from hypothesis import given, strategies as st
from playing import Rules, Size, Start, play, player_counts, some_moments, starts
from worlds import changed_lines, differences, recollection, sees, view, zones

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

MOST_PLAYED_ON = 60


def test_a_player_cannot_tell_a_drawn_state_from_the_real_one(rules: Rules, size: Size) -> None:
    @size.tries(4)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played = play(start)
        program, generator = played.program, Generator(seed)
        for moment in some_moments(data, played, 1):
            for player in program.layout.players:
                drawn = Knowledge(program, moment.store, player).sample(generator, log=True)

                assert not told_apart(program, moment.store, drawn, player), player
                assert moved_out_of_sight(program, moment.store, drawn, player), player

    holds()


def test_a_drawn_state_can_be_played_on_and_shares_nothing_with_the_real_one(
    rules: Rules, size: Size
) -> None:
    @size.tries(4)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        played = play(start)
        generator = Generator(seed)
        for moment in some_moments(data, played, 1):
            before = moment.store.clone()
            for player in played.program.layout.players:
                drawn = Knowledge(played.program, moment.store, player).sample(generator)
                play_on(played.program, drawn, generator)

                assert moment.store == before
                assert moment.store.random_state == before.random_state

    holds()


def test_as_many_as_can_play_can_be_drawn_for_at_the_end(rules: Rules, size: Size) -> None:
    played = play(Start(rules, player_counts(rules)[-1], 5, 6))
    for player in played.program.layout.players if played.moments else ():
        knowledge = Knowledge(played.program, played.moments[-1].store, player)

        knowledge.sample(Generator(1))


def told_apart(program: Program, here: Store, there: Store, player: Thing) -> object:
    """Return in what a player can tell two states apart."""
    return differences(view(program, here, player), view(program, there, player)) or changed_lines(
        recollection(program, here, player), recollection(program, there, player)
    )


def moved_out_of_sight(program: Program, here: Store, there: Store, player: Thing) -> bool:
    """Return whether as many things lie in each zone, and the same where the player sees them."""
    one, other = (dict(zones(program, seen_by(store, player))) for store in (here, there))
    return one.keys() == other.keys() and all(
        things == other[place]
        if sees(program, here, place, player)
        else len(things) == len(other[place])
        for place, things in one.items()
    )


def play_on(program: Program, store: Store, generator: Generator) -> None:
    """Play a state on at random, to the end or for so many answers."""
    program.decision_cache = None
    for _ in range(MOST_PLAYED_ON):
        if pending(program, store) is None:
            break
        value = lookahead.pick_random(program, store, generator)
        executor.answer(program, store, value, trusted=True)
    program.decision_cache = None
