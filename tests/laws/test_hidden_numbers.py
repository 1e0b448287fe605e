"""Hidden numbers and secret choices: drawn by playing the game once more, or guessed, never the true ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playing import OWN, Rules, Start
from test_determinization import play_on, told_apart
from worlds import recollection

from rulewright.interpreter.agents.seat import Seat
from rulewright.interpreter.knowledge.determinization import Knowledge, Sample
from rulewright.interpreter.knowledge.guesses import possible_rows
from rulewright.interpreter.knowledge.secret_locals import NOTHING
from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator

GAMES = ("sealed", "signs", "dealt_bids", "ledgers", "trades", "minefield", "whispers")
HARD = ("at_once", "stalls", "kitchens", "colonies", "pointers", "marked_cards")
"""Games in which many states are not found again."""

SEEDS = 2
MOST_ANSWERS = 60
LOOKED_AT = 6

Draw = Callable[[State, int, int], Sample]


def moments(name: str, players: int, seed: int) -> Iterator[tuple[State, int]]:
    """Yield some states of a game that is played at random, each with a player who is asked."""
    state = Start(Rules(OWN / name), players, seed, seed).game.new_initial_state(seed)
    generator = Generator(seed)
    found = []
    while not state.is_terminal() and len(found) < MOST_ANSWERS:
        player = generator.pick(state.current_players())
        found.append((state.clone(), player))
        state.apply_action(generator.pick(state.legal_actions(player)), player)
    yield from found[:: max(1, len(found) // LOOKED_AT)]


def known(state: State, player: int) -> Knowledge:
    """Return what an agent knows."""
    return Knowledge(state.game.program, state.store, state.seat(player), state.history())


def honest(state: State, player: int, seed: int) -> Sample:
    """Draw as agents do."""
    return known(state, player).draw(Generator(seed), log=True)


def keeps_numbers(state: State, player: int, seed: int) -> Sample:
    """Leave hidden numbers what they are."""
    knowledge = known(state, player)
    knowledge.guesses.places, knowledge.replays = [], None
    return knowledge.draw(Generator(seed), log=True)


def keeps_locals(state: State, player: int, seed: int) -> Sample:
    """Leave what running verbs hold what it is."""
    knowledge = known(state, player)
    knowledge.locals.unknown, knowledge.unknown, knowledge.replays = NOTHING, NOTHING, None
    return knowledge.draw(Generator(seed), log=True)


def differ(draw: Draw, state: State, player: int) -> bool:
    """Return whether something else is drawn in another world that the player cannot tell from this."""
    other = state.determinized(player, 7, log=True)
    return any(
        draw(state, player, seed).store != draw(other, player, seed).store for seed in range(SEEDS)
    )


@pytest.mark.parametrize(
    "name", [*GAMES, *[pytest.param(name, marks=pytest.mark.slow) for name in HARD]]
)
def test_a_player_cannot_tell_hidden_numbers_from_the_true_ones(name: str) -> None:
    exact = 0
    for state, player in moments(name, 2, 1):
        program, seat = state.game.program, state.seat(player)
        sample = honest(state, player, 3)
        exact += not sample.guessed

        assert not told_apart(program, state.store, sample.store, seat)
        if not sample.guessed:
            answers = state.history()
            other = state.determinized(player, 3, log=True)
            assert recollection(program, other.store, seat, other.history()) == recollection(
                program, state.store, seat, answers
            )
        play_on(program, sample.store, Generator(1))
    assert exact


@pytest.mark.parametrize(
    "name", [*GAMES, *[pytest.param(name, marks=pytest.mark.slow) for name in HARD]]
)
def test_hidden_numbers_hang_on_nothing_that_the_player_does_not_know(name: str) -> None:
    for state, player in moments(name, 2, 2):
        assert not differ(honest, state, player)


@pytest.mark.parametrize(
    ("name", "cheat"),
    [("sealed", keeps_numbers), ("pointers", keeps_numbers), ("whispers", keeps_locals)],
)
def test_who_keeps_the_truth_is_caught(name: str, cheat: Draw) -> None:
    assert any(
        differ(cheat, state, player)
        for seed in range(3)
        for state, player in moments(name, 2, seed)
    )


@pytest.mark.slow
@pytest.mark.bounded
def test_a_secret_bid_is_one_that_explains_what_has_happened() -> None:
    seen = set()
    for state, player in moments("sealed", 2, 1):
        program = state.game.program
        bid, trap = (
            next(slot for slot, field in program.layout.fields.items() if field.id == name)
            for name in ("Player.bid", "trap")
        )
        for seed in range(6):
            sample = honest(state, player, seed)
            seen.add((sample.store.columns[bid][1 - player], sample.store.columns[trap][0]))
    assert len(seen) > 6


def test_what_is_only_guessed_is_named() -> None:
    state, player = list(moments("sealed", 2, 1))[3]
    program, seat = state.game.program, state.seat(player)

    guessed = Knowledge(program, state.store, seat).draw(Generator(1)).guessed

    assert "trap" in guessed
    fields = program.layout.fields
    assert set(guessed) <= {
        fields[slot].id for rows in possible_rows(program).values() for slot in rows[0]
    }
    asked = Seat(state, player)
    asked.sample(Generator(1))
    assert asked.guessed in ((), guessed)
