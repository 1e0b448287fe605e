"""Matches between agents: who sits where, what is counted, and that it comes again."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import Action, Game, KnowledgeError, Seat, load_game, load_state
from rulewright.interpreter.agents.agent import RandomAgent
from rulewright.interpreter.agents.arena import Arena, ArenaGame, Match, arena
from rulewright.interpreter.agents.errors import AgentError
from rulewright.interpreter.agents.greedy import Looks


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


def test_there_are_not_too_many_ways_to_sit_together(kuhn: Game) -> None:
    assert len(Match.of(kuhn, ["random"] * 100).seatings) == 9900

    with pytest.raises(AgentError, match="102 agents at 2 seats play 10,302 games with one seed"):
        Match.of(kuhn, ["random"] * 102)


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


class Lost:
    """Knows of no state that fits what it has seen."""

    def __init__(self, seed: str) -> None:
        pass

    def choose(self, seat: Seat) -> Action:
        raise KnowledgeError("none of 100 states that were drawn can go on")


def test_who_can_draw_no_state_is_helped_by_chance_and_that_is_told(kuhn: Game) -> None:
    match = arena(kuhn, [Lost, "random"], range(3))

    assert len(match.games) == 6 and not match.stopped
    assert all(1 <= one.fallbacks < one.decisions for one in match.games)
    assert match.fallbacks == sum(one.fallbacks for one in match.games)
    assert arena(kuhn, [Lost, "random"], range(3)) == match
    assert arena(kuhn, ["random", "random"], range(3)).fallbacks == 0


def test_where_greedy_sees_no_difference_is_told(kuhn: Game) -> None:
    match = arena(kuhn, ["greedy", "random"], range(6))

    assert 0 < match.looks.alike < match.looks.decisions
    # Who has two answers, and is paid at the end only, sees none with the first one of a game.
    assert match.looks.decisions <= sum(one.decisions for one in match.games)
    assert arena(kuhn, ["random", "random"], range(3)).looks == Looks()


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


@pytest.mark.parametrize(
    ("entrant", "words"),
    [
        (RandomAgent(1), "give the class, `RandomAgent`"),
        (None, "None makes no agents: an entrant is the name of an agent, or what makes one"),
        (len, "16 is no agent: it has no method `choose`"),
    ],
)
def test_who_makes_no_agents_is_one_line(kuhn: Game, entrant: object, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        arena(kuhn, ["random", entrant], [1])  # type: ignore[list-item]


def test_a_text_is_no_list_of_agents(kuhn: Game) -> None:
    with pytest.raises(AgentError, match=r"agents are a list: write \['random'\]"):
        arena(kuhn, "random", [1])


@pytest.mark.parametrize("wrong", [0, -1, "3", None, 1.5, True])
@pytest.mark.parametrize("name", ["limit", "jobs"])
def test_numbers_are_whole_and_above_zero(kuhn: Game, name: str, wrong: object) -> None:
    with pytest.raises(AgentError, match=f"^`{name}` is a whole number from 1"):
        arena(kuhn, ["random"], [1], **{name: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", ["zz", -1, 2, True])
def test_an_agent_that_is_asked_for_is_there(kuhn: Game, wrong: object) -> None:
    with pytest.raises(AgentError, match="the number of an agent is a whole number from 0 to 1"):
        arena(kuhn, ["random"], [1]).seconds(wrong)  # type: ignore[arg-type]


def test_what_goes_wrong_when_an_agent_is_made_says_in_which_game(kuhn: Game) -> None:
    with pytest.raises(TypeError) as caught:
        arena(kuhn, ["random", object], [7])

    (note,) = caught.value.__notes__
    assert note == "when `object` was called with a seed, a text, for the game with seed 7"


# ------------------------------------------------------------------------------------- processes


def test_who_cannot_be_sent_to_another_process_is_one_line(kuhn: Game) -> None:
    entrants = ["random", lambda seed: RandomAgent(seed)]

    with pytest.raises(AgentError, match=r"<lambda>.* with `jobs` an agent is a class or function"):
        arena(kuhn, entrants, [1], jobs=2)


def test_an_agent_that_ends_its_process_is_told_with_its_game(kuhn: Game) -> None:
    with pytest.raises(
        AgentError, match=r"a process has ended in the game with seed 7 \(random, exit\)"
    ):
        arena(kuhn, ["random", sys.exit], [7], jobs=2)  # type: ignore[list-item]


def test_what_goes_wrong_there_goes_wrong_here(kuhn: Game) -> None:
    with pytest.raises(TypeError) as caught:
        arena(kuhn, ["random", object], [7], jobs=2)

    assert "for the game with seed 7" in caught.value.__notes__[0]


# ----------------------------------------------------------------------------------- saved games


def test_the_folder_is_made_before_a_game_is_played(kuhn: Game, tmp_path: Path) -> None:
    folder = tmp_path / "some" / "games"

    Match.of(kuhn, ["random"], folder=folder)

    assert folder.is_dir()


def test_a_folder_that_cannot_be_is_told_before_a_game_is_played(
    kuhn: Game, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(OSError, match="file"):
        Match.of(kuhn, ["random"], folder=tmp_path / "file")
    with pytest.raises(AgentError, match="the folder has no name"):
        Match.of(kuhn, ["random"], folder="")


@pytest.mark.parametrize("kind", [list, iter])
def test_no_saved_game_is_replaced(
    kuhn: Game, tmp_path: Path, kind: Callable[[list[int]], list[int]]
) -> None:
    arena(kuhn, ["random"], [8], folder=tmp_path)
    before = {path: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert len(before) == 2
    path = tmp_path / "8-random-random_2.save"
    path.write_text("mine", "utf-8")

    with pytest.raises((AgentError, OSError)) as caught:
        arena(kuhn, ["random"], kind([8]), folder=tmp_path)

    assert str(path) in str(caught.value)
    assert path.read_text("utf-8") == "mine"
    # With other seeds it is another file.
    arena(kuhn, ["random"], [9], folder=tmp_path)


def test_nobody_plays_against_nobody() -> None:
    with pytest.raises(AgentError, match="two players or more"):
        arena(load_game("jump_drive", players=1, variants=["seven_rounds"]), ["random"], [1])
