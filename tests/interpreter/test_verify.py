"""Putting a game to the test: tables, checks, examples, random games and laws."""

from collections.abc import Sequence

import pytest
from duel import DUEL, duel
from written import linked

from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.testing import verify as verifying
from rulewright.interpreter.testing.blame import VariantSets
from rulewright.interpreter.testing.verify import LawBroken, play_under_laws, verify

TABLES = """
each Card has
  rank: number
table Card for each rank in 1..5
each Player has
  hand: cards of Card, seen by owner
  tokens: number from 0 = 1, seen by players
the game has
  deck: pile of Card = Card, seen by []
to play
  as players
    move top(deck) to my.hand
    either "Pay"
      add -1 to my.tokens
    or "Pay twice"
      add -2 to my.tokens
    or "Earn"
      add 1 to my.tokens
"""


def shown(found: tuple[Diagnostic, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return codes, marked texts and notes."""
    return [(one.code.code, one.primary.span.text.strip(), one.notes) for one in found]


def test_a_sound_game_has_nothing_to_say() -> None:
    game = linked(
        DUEL,
        """
        check "6 cards": count(Card) is 6
        check always "no debts": every p in players has p.tokens >= 0
        example "It"
          players ann, ben
          do ann: guess
        """,
    )

    assert verify(game, playouts=5) == ()


def test_a_check_is_tried_for_every_number_of_players() -> None:
    game = linked(
        TABLES.replace("from 0", ""),
        """
        check "enough": count(Card) >= 2 * count(players)
        check "low": every card in Card has card.rank < 5
        check "fine": count(Card) is 5
        """,
    )

    assert shown(verify(game)) == [
        (
            "RW403",
            "count(Card) >= 2 * count(players)",
            ("with 3 players", "count(Card) is 5", "2 * count(players) is 6"),
        ),
        (
            "RW403",
            "every card in Card has card.rank < 5",
            ("with 1 player", "card is Card (rank 5)", "card.rank is 5"),
        ),
    ]


def test_only_the_numbers_that_are_asked_for() -> None:
    game = linked(TABLES, 'check "two": count(players) is 2')

    assert verify(game, players=[2]) == ()
    assert len(verify(game, players=[1, 2, 3])) == 1


def test_a_thing_that_starts_in_two_places() -> None:
    game = linked(TABLES.replace("to play", "  spare: row of Card = Card, seen by []\nto play"))

    found = verify(game)

    assert {one.code.code for one in found} == {"RW409"}


def test_an_example_that_fails_is_reported() -> None:
    game = linked(DUEL, 'example "It"\n  players ann\n  expect ann.tokens is 3')

    assert shown(verify(game)) == [
        ("RW412", "expect ann.tokens is 3", ("ann.tokens is 2",)),
    ]


def test_a_rules_error_in_a_random_game_is_reported_once_with_its_seed() -> None:
    game = linked(TABLES)

    found = verify(game, players=[1, 2], playouts=20)

    (error,) = (one for one in found if one.code.code == "RW707")
    assert error.primary.span.text == "add -2 to my.tokens"
    assert "seed" in error.notes[-1] and "random game of 1 player" in error.notes[-1]


def test_a_check_that_must_always_hold_is_looked_at_after_every_answer() -> None:
    game = linked(
        TABLES.replace("from 0", ""), 'check always "rich": sum(players each its.tokens) > 0'
    )

    found = verify(game, players=[1], playouts=20)

    (broken,) = found
    assert broken.code.code == "RW403" and broken.arguments["name"] == "rich"
    assert broken.notes[0].startswith("after 1 decision, in a random game of 1 player with seed")
    assert broken.notes[1].startswith("sum(players each its.tokens) is ")


def test_a_game_is_begun_for_every_number_of_players() -> None:
    set_up = "to set_up\n  if count(players) is 3\n    add 1 / (3 - count(players)) to players[0].tokens\n"

    found = verify(linked(TABLES.replace("  as players", "  set_up\n  as players"), set_up))

    (error,) = found
    assert error.code.code == "RW704"
    assert error.notes == ("before the first decision, in a random game of 3 players with seed 0",)
    assert [label.text for label in error.secondary][-1] == "in set_up"


ENDLESS = """
each Player has, seen by players
  coins: number = 0
to play
  repeat while some p in players has p.coins >= 0
    as players
      add 1 to my.coins
  choose_one
to choose_one
  as players
    may "Go on"
      nothing
example "It"
  players ann, ben
  expect ann.coins is 1
example "Play"
  players ann, ben
  do ann: play
"""


def test_rules_that_run_on_and_on_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    play = verifying.play_under_laws

    def counted(game: Game, seeds: Sequence[int], limit: int) -> tuple[Diagnostic, ...]:
        begun.append(game.num_players)
        return play(game, seeds, limit)

    monkeypatch.setattr(verifying, "play_under_laws", counted)
    found = verify(linked(ENDLESS), playouts=5)

    # The other numbers of players, further games and the examples wait until that is mended.
    assert [one.code.code for one in found] == ["RW702"]
    assert begun == [1]


def test_examples_that_run_on_and_on_are_tried_once() -> None:
    rules = ENDLESS.replace("to play\n  repeat", "to play\n  choose_one\nto loop\n  repeat")
    rules = rules.replace("      add 1 to my.coins\n  choose_one\n", "      add 1 to my.coins\n")
    loops = [f'example "{name}"\n  players ann, ben\n  do ann: loop\n' for name in "ABC"]
    last = 'example "Last"\n  players ann, ben\n  expect ann.coins is 1\n'
    game = linked(rules.partition("example")[0], *loops, last)

    sets = VariantSets([game])
    failed = list(sets.failed(game))

    assert [one.example.title for one in failed] == ["A"]
    assert failed[0].failure.cause is not None
    assert failed[0].failure.cause.code == "RW702"


def test_what_a_check_cannot_know_yet_is_not_wrong() -> None:
    game = linked(DUEL, 'check always "top": deck is empty or top(deck).rank > 0')

    assert verify(game, players=[2], playouts=3) == ()


def test_a_game_that_does_not_end_is_a_note() -> None:
    game = linked('to play\n  repeat\n    as players\n      either "On"\n      or "Off"\n')

    found = verify(game, players=[2], playouts=2, limit=30)

    assert [one.severity.value for one in found] == ["note"]
    assert found[0].code.code == "RW712"


# ---------------------------------------------------------------------------------------------- laws


def spoiled(change: str) -> Store:
    """Return the first state of a duel in which something has gone wrong."""
    store = duel().new_initial_state(1).store
    layout = store.layout
    hand, deck = layout.slots["Player.hand"], layout.slots["deck"]
    match change:
        case "doubled":
            store.columns[deck][0] += store.columns[hand][0][:1]
        case "lost":
            store.columns[hand][0] = store.columns[hand][0][1:]
        case "owner":
            store.columns[layout.owner_slots["Card"]] = [None] * 6
        case "type":
            store.columns[layout.slots["Player.tokens"]][1] = True
        case "bag":
            store.columns[layout.bag_slots[deck]][0] = 7
        case "order":
            store.to_bag(deck, 0)
            store.columns[deck][0] = tuple(reversed(store.columns[deck][0]))
    return store


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("doubled", "lies in deck and Player.hand"),
        ("lost", "lies in another place than is written down"),
        ("owner", "lies with Player:1 and belongs to None"),
        ("type", "Player.tokens of Player:2 holds True"),
        ("bag", "deck has 7 undecided cards of 2"),
        ("order", "the undecided cards of deck are in some order"),
    ],
)
def test_a_law_that_is_broken_is_told(change: str, text: str) -> None:
    store = spoiled(change)
    before = [column.copy() for column in duel().new_initial_state(1).store.columns]

    for found in (list(breaches(store)), list(breaches(store, before))):
        assert any(text in breach for breach in found)


def test_a_mistake_of_the_interpreter_is_no_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "breaches", lambda *given: iter(["a card is gone"]))

    with pytest.raises(LawBroken, match="tested, seed 4, decision 1: a card is gone"):
        play_under_laws(duel(), [4])
