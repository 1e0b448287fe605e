"""Places, winners and pay follow the ranking, or what the game says itself."""

import handmade as h
import pytest
from handmade import Played, compare, game, number, played
from written import linked

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.state.layout import ENDING, SCALARS

COINS = h.read("Player.coins", h.ME)
PURSE = h.read("Player.purse", h.ME)


def ended(*coins: int, reason: str | None = None, **parts: object) -> Played:
    one = played(game(**parts), players=len(coins))
    for seat, amount in zip(one.evaluator.layout.players, coins, strict=True):
        one.set("Player.coins", amount, seat)
    one.store.columns[SCALARS][ENDING] = reason
    return one


def winners(one: Played) -> list[str]:
    return [seat.name for seat in one.scoring.standing(one.store).winners]


def test_equal_players_share_a_place() -> None:
    one = ended(5, 9, 5, 2)

    assert one.scoring.standing(one.store).places == (2, 1, 2, 4)
    assert [seat.name for seat in one.scoring.standing(one.store).order] == [
        "ben",
        "ann",
        "cid",
        "dan",
    ]


def test_the_first_criterion_that_differs_decides() -> None:
    one = ended(5, 5, 4, ranking=(h.most(COINS), h.fewest(PURSE)))
    one.set("Player.purse", 1, one.ann)

    assert one.scoring.standing(one.store).places == (2, 1, 3)


def test_it_is_the_player_as_well() -> None:
    leads = compare("is", h.read("leader"), h.local("it", h.PLAYER))
    one = ended(5, 5, ranking=(h.most(leads),))
    one.set("leader", one.ben)

    assert one.scoring.standing(one.store).places == (2, 1)


def test_none_is_below_all() -> None:
    limit = h.field("Player.bid", types.OptionalType(types.NUMBER))
    bid = model.Read(type=limit.type, span=h.SPAN, field="Player.bid", target=h.ME)
    most = ended(0, 0, fields=[limit], ranking=(h.most(bid),))
    fewest = ended(0, 0, fields=[limit], ranking=(h.fewest(bid),))
    for one in (most, fewest):
        one.set("Player.bid", -7, one.ben)

    assert most.scoring.standing(most.store).places == (2, 1)
    assert fewest.scoring.standing(fewest.store).places == (1, 2)


def test_words_of_an_enumeration_rank_by_declaration() -> None:
    suit = h.field("Player.suit", h.SUIT)
    read = model.Read(type=h.SUIT, span=h.SPAN, field="Player.suit", target=h.ME)
    one = ended(0, 0, fields=[suit], ranking=(h.most(read),))
    one.set("Player.suit", one.suit("red"), one.ann)
    one.set("Player.suit", one.suit("blue"), one.ben)

    assert one.scoring.standing(one.store).places == (2, 1)


@pytest.mark.parametrize(
    ("coins", "reason", "names", "payoff"),
    [
        ((5, 3), "over", ["ann"], (1.0, -1.0)),
        ((5, 5), "over", [], (0.0, 0.0)),
        ((5, 3), "draw", [], (0.0, 0.0)),
        ((5, 5, 3), "over", ["ann", "ben"], (0.5, 0.5, -1.0)),
        ((5, 3, 2), None, ["ann"], (2.0, -1.0, -1.0)),
        ((5,), "over", [], (0.0,)),
        ((5,), "draw", [], (0.0,)),
    ],
)
def test_who_has_won_and_what_it_pays(
    coins: tuple[int, ...], reason: str | None, names: list[str], payoff: tuple[float, ...]
) -> None:
    one = ended(*coins, reason=reason)

    assert winners(one) == names
    assert one.scoring.standing(one.store).payoff == payoff


@pytest.mark.parametrize(
    ("least", "names", "payoff"),
    [(0, ["ann", "ben"], (1.0, 1.0)), (9, [], (-1.0, -1.0)), (4, ["ann"], (1.0, -1.0))],
)
def test_the_game_may_say_who_has_won(
    least: int, names: list[str], payoff: tuple[float, ...]
) -> None:
    won = h.define("won", compare(">", COINS, number(least)))

    one = ended(5, 3, reason="over", defines=[won], won="won")

    assert winners(one) == names
    assert one.scoring.standing(one.store).payoff == payoff


def test_won_may_be_amended_from_its_usual_meaning() -> None:
    usual = model.Won(type=types.FLAG, span=h.SPAN, player=h.ME)
    change = h.change("to", h.both(h.ORIGINAL, compare(">", COINS, number(5))))
    won = h.define("won", usual, changes=[change])

    assert winners(ended(6, 3, defines=[won], won="won")) == ["ann"]
    assert winners(ended(5, 3, defines=[won], won="won")) == []


def test_the_game_may_say_what_it_pays() -> None:
    payoff = h.define("payoff", h.arithmetic("-", COINS, number(4)))

    one = ended(5, 3, defines=[payoff], payoff="payoff")

    assert one.scoring.standing(one.store).payoff == (1.0, -1.0)


def test_results_are_values_as_well() -> None:
    one = ended(3, 5)
    won = model.Won(type=types.FLAG, span=h.SPAN, player=h.local("p", h.PLAYER))

    assert one.value(won, p=one.ann) is False
    assert one.value(won, p=one.ben) is True
    assert one.value(model.FinalOrder(type=h.PLAYERS, span=h.SPAN)) == (one.ben, one.ann)


def test_the_score_sheet_shows_the_lines_and_the_sum() -> None:
    lines = tuple(
        model.Line(name=name, value=value, changes=())
        for name, value in (("coins", COINS), ("bonus", number(2)))
    )
    score = h.define("score", number(0), lines=lines)
    one = ended(5, 3, defines=[score], score="score")

    assert [(line.name, line.values) for line in one.scoring.sheet(one.store)] == [
        ("coins", (5, 3)),
        ("bonus", (2, 2)),
        ("score", (7, 5)),
    ]
    assert [line.values for line in one.scoring.criteria(one.store)] == [(5, 3)]


def test_a_game_without_a_score_has_no_sheet() -> None:
    one = ended(5, 3)

    assert one.scoring.sheet(one.store) == ()


def test_without_a_ranking_all_share_the_first_place() -> None:
    one = ended(5, 3, ranking=())

    assert one.scoring.standing(one.store).places == (1, 1)
    assert winners(one) == []


def test_a_variant_that_only_includes_others_leaves_the_ranking_to_them() -> None:
    rules = """
    each Player has, seen by players
      coins: number = 0
    to play
      as players
        nothing
    ranking
      most my.coins
    """
    poor = "ranking\n  fewest my.coins\n"

    game = linked(rules, variants={"Both": 'includes "Poor"\n', "Poor": poor})

    assert game.ranking == linked(rules, variants={"Poor": poor}).ranking


@pytest.mark.parametrize(
    ("flags", "names", "payoff"),
    [
        ((True, False), ["ann"], (1.0, -1.0)),
        ((True, True), ["ann", "ben"], (1.0, 1.0)),
        ((False, False), [], (0.0, 0.0)),
        ((True,), ["ann"], (1.0,)),
        ((False,), [], (-1.0,)),
    ],
)
def test_a_ranking_that_begins_with_a_flag_says_who_has_won(
    flags: tuple[bool, ...], names: list[str], payoff: tuple[float, ...]
) -> None:
    rich = compare(">", COINS, number(4))

    one = ended(*(5 if flag else 3 for flag in flags), reason="over", ranking=(h.most(rich),))

    assert winners(one) == names
    assert one.scoring.standing(one.store).payoff == payoff


def test_a_later_criterion_does_not_make_a_defeat_a_win() -> None:
    rich = compare(">", COINS, number(4))

    one = ended(1, 2, reason="over", ranking=(h.most(rich), h.most(COINS)))

    assert one.scoring.standing(one.store).places == (2, 1)
    assert winners(one) == []


def test_points_are_the_first_number_of_the_ranking_if_there_is_no_sheet() -> None:
    rich = compare(">", COINS, number(4))

    assert ended(5, 3).scoring.standing(ended(5, 3).store).points == (5, 3)
    one = ended(5, 3, ranking=(h.most(rich), h.fewest(COINS)))
    assert one.scoring.standing(one.store).points == (5, 3)
    one = ended(5, 3, ranking=(h.most(number(1)),))
    assert one.scoring.standing(one.store).points == ()
