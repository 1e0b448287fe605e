"""Matches between agents: who sits where, what is counted, and that it comes again."""

from pathlib import Path

import pytest

from rulewright import Action, Game, Seat, load_game, load_state
from rulewright.interpreter.agents.agent import RandomAgent
from rulewright.interpreter.agents.arena import Arena, ArenaGame, Match, arena
from rulewright.interpreter.agents.specs import AgentError


class First:
    """Takes the first answer."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def choose(self, seat: Seat) -> Action:
        """Return it."""
        return seat.actions[0]


@pytest.fixture(scope="module")
def kuhn() -> Game:
    """Return a game of two players with payoffs and without points."""
    return load_game("kuhn_poker")


@pytest.fixture(scope="module")
def gate() -> Game:
    """Return a game of three players with points."""
    return load_game("jump_gate_2e", players=3)


def came_out(places: tuple[int, ...], seats: tuple[int, ...], seed: int = 0) -> ArenaGame:
    """Return a game that came out so."""
    returns = tuple(float(place == 1) for place in places)
    points = tuple(10 - place for place in places)
    return ArenaGame(seed, seats, True, None, 5, places, returns, points, ((),) * len(seats))


def test_each_seed_is_played_in_every_rotation(gate: Game) -> None:
    match = Match.of(gate, ["random", "greedy", "search"])

    assert match.seatings == ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_the_last_one_plays_the_seats_that_are_left(gate: Game) -> None:
    match = Match.of(gate, ["search", "greedy"])

    assert match.names == ("search", "greedy", "greedy (2)")


def test_of_more_than_there_are_seats_all_that_can_sit_together_play(kuhn: Game) -> None:
    match = Match.of(kuhn, ["random", "greedy", First])

    assert match.names == ("random", "greedy", "First")
    assert match.seatings == ((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))


def test_the_same_seeds_give_the_same_result(kuhn: Game) -> None:
    one, other = (arena(kuhn, ["search:10", "random"], range(3, 6)) for _ in range(2))

    assert one == other
    assert [game.seed for game in one.games] == [3, 3, 4, 4, 5, 5]


def test_so_do_several_processes(kuhn: Game) -> None:
    alone = arena(kuhn, ["random", "random"], range(4))

    assert arena(kuhn, ["random", "random"], range(4), jobs=2) == alone


def test_rotations_of_a_seed_have_the_same_cards_and_agents_draw_anew(kuhn: Game) -> None:
    match = arena(kuhn, [First, First], range(30))

    # Who sits where makes no difference to agents that are the same.
    pairs = list(zip(match.games[::2], match.games[1::2], strict=True))
    assert all(one.returns == other.returns for one, other in pairs)
    match = arena(kuhn, ["random", "random"], range(30))
    pairs = list(zip(match.games[::2], match.games[1::2], strict=True))
    assert any(one.returns != other.returns for one, other in pairs)


def test_wins_draws_results_and_leads_are_counted() -> None:
    match = Arena(
        ("a", "b", "c"),
        (
            came_out((1, 2, 3), (0, 1, 2)),
            came_out((1, 1, 3), (1, 2, 0)),
            came_out((3, 1, 2), (2, 0, 1)),
        ),
    )

    first, second, third = match.standings
    assert (first.games, first.wins.value, first.draws.value) == (3, pytest.approx(2 / 3), 0)
    assert (second.wins.value, second.draws.value) == (0, pytest.approx(1 / 3))
    assert third.payoff is not None and third.payoff.value == pytest.approx(1 / 3)
    assert first.lead is not None and first.lead.value == pytest.approx((1 - 2 + 1) / 3)


def test_who_came_before_whom_is_counted() -> None:
    match = Arena(("a", "b"), (came_out((1, 2), (0, 1)), came_out((1, 1), (1, 0))))

    (own, ahead), (behind, _) = match.duels
    assert own is None
    assert ahead is not None and ahead.value == 0.75
    assert behind is not None and behind.value == 0.25


def test_a_game_that_does_not_end_counts_by_the_places_so_far(gate: Game) -> None:
    match = arena(gate, ["random", "random"], [1], limit=60)

    assert len(match.stopped) == len(match.games) == 3
    assert all(one.decisions == 60 and len(one.places) == 3 for one in match.games)
    assert all(one.payoff is None for one in match.standings)
    assert sum(one.wins.value for one in match.standings) <= 1


def test_games_are_saved_and_can_be_loaded(kuhn: Game, tmp_path: Path) -> None:
    match = arena(kuhn, ["search:5", "random"], [7], folder=tmp_path)

    saved = [tmp_path / "7-search_5-random.save", tmp_path / "7-random-search_5.save"]
    assert sorted(tmp_path.iterdir()) == sorted(saved)
    for path, one in zip(saved, match.games, strict=True):
        state = load_state(path.read_text("utf-8"), kuhn)
        assert state.is_terminal() and state.returns() == one.returns


def test_thinking_is_measured_and_does_not_tell_results_apart(kuhn: Game) -> None:
    match = arena(kuhn, ["search:20", "random"], [1, 2])

    middle, most = match.seconds(0)
    assert 0 < middle <= most
    assert match.seconds(1)[0] < middle


def test_an_agent_of_ones_own_plays(kuhn: Game) -> None:
    match = arena(kuhn, [First, RandomAgent], range(20))

    assert match.agents == ("First", "RandomAgent")


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        ([], "an arena needs agents"),
        (["random", "serach"], "did you mean `search`?"),
        (["search:0", "random"], "`0` is no budget"),
    ],
)
def test_what_cannot_be_played_is_one_line(kuhn: Game, agents: list[str], words: str) -> None:
    with pytest.raises(AgentError, match=words):
        arena(kuhn, agents, [1])


def test_nobody_plays_against_nobody() -> None:
    with pytest.raises(AgentError, match="two players or more"):
        arena(load_game("jump_drive", players=1, variants=["seven_rounds"]), ["random"], [1])
