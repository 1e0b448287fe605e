"""Every answer has a number that follows from the rules alone."""

import pytest
from written import Table, begun, loaded, played

import rulewright
from rulewright.interpreter.knowledge.action_codes import MOST_SEEN
from rulewright.interpreter.knowledge.action_numbers import ActionNumbers, action_numbers
from rulewright.interpreter.knowledge.bounds import Bounds
from rulewright.interpreter.program.decisions import current
from rulewright.interpreter.state.errors import ActionNumberError, InvalidActionError

CARDS = """
kind Suit is one of [hearts, spades]
each Card has
  rank: number
table Card
  | copies | rank |
  | 2      | 1    |
  | 1      | 2    |
  | 2      | 3    |
the game has
  box: cards of Card = Card, seen by []
  shop: row of Card, seen by players
  tray: row of Card, seen by []
  all_out: flag = no, seen by players
each Player has
  hand: cards of Card, seen by owner
  money: number in 0..9 = 5, seen by players
  debts: number = 0, seen by players
"""


def numbering(table: Table) -> ActionNumbers:
    return action_numbers(table.program)


def menu(table: Table) -> dict[str, int]:
    """Return the codes of the options at the pending decision, by their labels."""
    numbers = numbering(table)
    asked = current(table.program, table.store)
    values = list(asked.options)
    site = next(one for one in numbers.sites if one.name == asked.question.op.site)
    found = numbers.numbers(table.store, asked, values)
    return dict(zip(table.labels(values), (one - site.first for one in found), strict=True))


def kinds(*rules: str, players: int = 2) -> list[tuple[int, str]]:
    """Return how many numbers each decision has, and of which kind."""
    sites = action_numbers(loaded(CARDS, *rules, players=players)).sites
    return [(site.size, site.kind) for site in sites]


def deciding(step: str) -> str:
    return f"""
    to play
      as first(players)
        {step}
    """


@pytest.mark.parametrize(
    ("name", "size"), [("kuhn_poker", 6), ("tic_tac_toe", 9), ("connect_four", 7)]
)
def test_a_small_game_has_as_many_numbers_as_there_are_answers(name: str, size: int) -> None:
    assert rulewright.load_game(name).action_numbers.size == size


@pytest.mark.parametrize(
    ("step", "size", "kind"),
    [
        ("choose n from 1..7", 7, "numbers 1..7"),
        ("choose n from -2..count(players)", 5, "numbers -2..2"),
        ("choose n from 0..my.money", 10, "numbers 0..9"),
        ("choose n from 1..min([my.debts, 3])", 3, "numbers 1..3"),
        ("choose n from 0..my.money / 2 + 1", 6, "numbers 0..5"),
        ("choose n from 0..count(Card where its.rank > 1)", 6, "numbers 0..5"),
        ("choose n from 0..my.debts", MOST_SEEN + 1, "numbers 0..64, no bound known"),
        ("choose n from [3, 5, 5]", 2, "listed values"),
        ('choose n from ["left", "right"]', 2, "listed values"),
        ("choose n from [my.money, my.money + 3]", 13, "numbers 0..12"),
        ("choose n from [my.debts]", MOST_SEEN, "positions"),
        ("choose n from Suit", 2, "values of Suit"),
        ("choose n from players", 2, "players"),
        ("choose any n from Suit", 3, "values of Suit"),
        ("choose n from shop", 5, "things of Card"),
        ("choose n from my.hand", 5, "things of Card"),
        ("choose n from box", 10, "things of Card and 5 face down"),
        ("choose n from Card", 10, "things of Card and 5 face down"),
        ("choose split n of 3 over Suit", 4, "numbers 0..3"),
        ("choose split n of my.debts over Suit up to my.money", 10, "numbers 0..9"),
        ('may "Do it"\n          nothing', 2, "no and yes"),
    ],
)
def test_the_numbers_of_a_decision_follow_from_its_step(step: str, size: int, kind: str) -> None:
    assert kinds(deciding(step)) == [(size, kind)]


def test_what_is_not_known_is_never_guessed() -> None:
    program = loaded(
        CARDS,
        """
        define grown = my.debts + 1
        to play
          as first(players)
            let n = 1
            repeat 3 times
              let n = n + 1
            choose most from n..grown
        """,
    )
    (step,) = (data.step for data in program.plans["play"].nodes if data.kind == "decide")

    assert Bounds(program, "play").items(step.source) == (None, None)


def test_a_number_is_offset_by_the_low_end() -> None:
    table = played(CARDS, deciding("choose n from -2..1"))

    assert menu(table) == {"-2": 0, "-1": 1, "0": 2, "1": 3}


def test_done_comes_last() -> None:
    table = played(CARDS, deciding("choose any n from Suit"))

    assert menu(table) == {"hearts": 0, "spades": 1, "done": 2}
    table.say("hearts")
    assert menu(table) == {"spades": 1, "done": 2}


def test_copies_are_counted_whichever_they_are() -> None:
    table = played(
        CARDS,
        """
        to play
          let ones = Card where its.rank is 1
          move last(ones) to shop
          move first(Card where its.rank is 2) to shop
          move first(ones) to shop
          as first(players)
            choose card from shop
        """,
    )

    assert list(menu(table).values()) == [0, 2, 1]


def test_a_copy_keeps_its_number_while_others_are_picked() -> None:
    table = played(
        CARDS,
        """
        to play
          move Card where its.rank is 1 to shop
          as first(players)
            choose 2 cards from shop
        """,
    )
    (first, *_), before = table.all, menu(table)
    table.say(first)

    assert before == {first: 0}
    assert list(menu(table).values()) == [1]


def test_what_lies_hidden_is_counted_by_its_place() -> None:
    table = played(
        CARDS,
        """
        to play
          move last(Card) to tray
          move first(Card) to tray
          as first(players)
            choose card from tray
        """,
    )

    assert list(menu(table).values()) == [5, 6]


def test_hidden_things_that_look_alike_are_one_number() -> None:
    table = played(
        CARDS,
        """
        to play
          move Card to (last(players)).hand
          as first(players)
            choose card from (last(players)).hand
        """,
    )

    assert list(menu(table).values()) == [5]


def test_verbs_have_a_number_each_and_one_for_each_thing_they_can_carry() -> None:
    rules = """
    to sing
      nothing
    to greet whom: Player
      nothing
    to pick card: Card
      nothing
    to play
      as first(players)
        choose deed from [sing] + (players each greet(it)) + (box each pick(it))
        do deed
    """
    table = played(CARDS, rules)
    numbers = numbering(table)

    assert numbers.sites[0].positional
    assert numbers.size == 2 + MOST_SEEN + 1
    assert [numbers.name(number) for number in (0, 1, 2, MOST_SEEN + 2)] == [
        "play.deed: greet ann",
        "play.deed: greet ben",
        "play.deed: pick, option 1",
        "play.deed: sing",
    ]
    assert len(set(menu(table).values())) == len(menu(table))


FLEETS = """
each Fleet has
  size: number
the game has, seen by players
  sea: row of Fleet
"""


def fleets(number: int) -> Table:
    return played(
        FLEETS,
        f"""
        to play
          for each n in 1..{number}
            create Fleet(size: n) into sea
          as first(players)
            choose fleet from Fleet
        """,
    )


def test_created_things_are_counted() -> None:
    table = fleets(MOST_SEEN)

    assert list(menu(table).values()) == list(range(MOST_SEEN))
    assert numbering(table).sites[0].positional
    assert numbering(table).name(2) == "play.fleet: Fleet, created 3"


def test_more_created_things_than_are_counted_are_one_clear_error() -> None:
    with pytest.raises(
        ActionNumberError, match=r"^play.fleet: more than 64 created things of Fleet"
    ):
        menu(fleets(MOST_SEEN + 1))


def test_a_number_beyond_those_without_a_bound_is_one_clear_error() -> None:
    table = played(
        CARDS,
        "to play\n  as first(players)\n    set my.debts to 70\n    choose n from 60..my.debts",
    )
    numbers = numbering(table)

    with pytest.raises(ActionNumberError, match=r"^play.n: 125 is none of the numbers 60 to 124"):
        numbers.numbers(table.store, current(table.program, table.store), [125])
    assert numbers.value_of(table.store, 0) == 60


@pytest.mark.parametrize("number", [-1, 3, True, "0", 1.0, None])
def test_a_number_that_there_is_not_is_refused(number: object) -> None:
    table = played(CARDS, deciding("choose n from 1..3"))

    with pytest.raises(
        InvalidActionError, match=r"^there is no action number .*; they are 0 to 2$"
    ):
        numbering(table).value_of(table.store, number)  # type: ignore[arg-type]


def test_a_number_of_another_answer_is_refused_with_its_meaning() -> None:
    table = played(
        CARDS,
        """
        to play
          as first(players)
            choose n from 1..2
            choose m from Suit
        """,
    )

    said = r"^action number 3 \(play.m: spades\) is no answer at play.n$"
    with pytest.raises(InvalidActionError, match=said):
        numbering(table).value_of(table.store, 3)


def test_offers_come_last() -> None:
    table = played(
        CARDS,
        """
        during play
          may "Shout" when my.debts is 0
            add 1 to my.debts
        to play
          as first(players)
            choose n from 1..2
        """,
    )
    numbers = numbering(table)

    assert numbers.sites[-1].name == "offers"
    assert numbers.legal(table.store) == [0, 1, 2]
    assert numbers.name(2) == "offers: Shout"
    assert numbers.value_of(table.store, 2).offer


def test_the_digest_tells_rules_players_and_options_apart() -> None:
    rules = deciding("choose n from 1..3")
    same = action_numbers(loaded(CARDS, "# nothing new", rules))
    first = action_numbers(loaded(CARDS, rules))
    others = {
        action_numbers(loaded(CARDS, rules, players=3)).digest,
        action_numbers(
            loaded(CARDS, deciding("choose n from 1..3\n        add n to my.debts"))
        ).digest,
        rulewright.load_game("kuhn_poker").action_numbers.digest,
    }

    assert same.digest == first.digest
    assert len(others) == 3 and first.digest not in others


def test_nothing_is_legal_where_nothing_is_asked() -> None:
    table = begun(CARDS, "to play\n  nothing")

    assert numbering(table).legal(table.store) == []
    assert numbering(table).size == 0
