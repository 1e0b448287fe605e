"""What each player sees, and what each remembers."""

import pytest
from duel import duel, say, started

from rulewright.interpreter.knowledge.observation import observation
from rulewright.interpreter.state.store import Store

pytestmark = pytest.mark.quick

SECRETS = """
kind Colour is one of [red, blue]
each Card has
  colour: Colour
  rank: number
  hint: Player?, seen by players
table Card for each colour in Colour, rank in 1..3
each Space has
  name: text
  guest: Player?, seen by players
  under: row of Card, seen by []
table Space
  | name |
  | Bay  |
  | Cape |
each Player has
  hand: cards of Card, seen by owner
  bids: cards of Card, seen by owner, count seen by owner
  notes: list of Card = [], seen by owner
the game has
  deck: pile of Card = Card, seen by []
  line: row of Card, seen by players
  stock: number per Player = 1, seen by players
  whisper: number = 3, seen by [players[1]]
  favourite: Card?, seen by players
to play
  move top(deck) to line
  move top(deck) to Space("Bay").under
  move top(deck) to Space("Bay").under
  set last(Space("Bay").under).hint to players[1]
  as players[0]
    move first(deck) to my.hand
    move last(deck) to my.hand
    move top(deck) to my.bids
    set my.notes to [line[0]]
    set Space("Cape").guest to me
  set favourite to Space("Bay").under[0]
  as players
    either "Show"
      show my.hand to players
    or "Turn"
      move Space("Bay").under to line
    or "Wait"
"""


def test_a_player_sees_what_the_rules_say() -> None:
    state = started(SECRETS)

    ann, ben = state.observation(0), state.observation(1)

    assert ann == {
        "you": "ann",
        "running": ["play"],
        "waiting for": ["ann"],
        "game": {
            "deck": {"count": 0},
            "line": [{"thing": "Card (blue, rank 3)", "hint": None}],
            "stock": {"ann": 1, "ben": 1},
            "favourite": "a Card",
        },
        "players": {
            "ann": {
                "hand": [
                    {"thing": "Card (red, rank 1)", "hint": None},
                    {"thing": "Card (red, rank 3)", "hint": None},
                ],
                "bids": [{"thing": "Card (red, rank 2)", "hint": None}],
                "notes": ["Card (blue, rank 3)"],
            },
            "ben": {"hand": {"count": 0}},
        },
        "things": {
            "Space": [
                {
                    "thing": "Bay",
                    "guest": None,
                    "under": {"count": 2, "notes": {"1": {"hint": "ben"}}},
                },
                {"thing": "Cape", "guest": "ann", "under": {"count": 0}},
            ]
        },
        "ending": None,
    }
    assert ben["game"] == {**ann["game"], "whisper": 3}
    assert ben["players"] == {
        "ann": {"hand": {"count": 2}},
        "ben": {"hand": [], "bids": [], "notes": []},
    }


def test_everybody_sees_what_every_seat_sees() -> None:
    state = started(SECRETS)

    seen = observation(state.game.program, state.store, None)

    ann = state.observation(0)
    assert seen == {
        **ann,
        "you": None,
        "players": {"ann": {"hand": {"count": 2}}, "ben": {"hand": {"count": 0}}},
    }


def test_unordered_zones_show_no_order() -> None:
    state = duel(options={"hand_size": 3}).new_initial_state(4)
    layout = state.game.program.layout
    slot = layout.slots["Player.hand"]
    turned = state.clone()
    column = turned.store.columns[slot]
    column[0] = tuple(reversed(column[0]))

    assert turned.store != state.store
    for player in (0, 1):
        assert turned.observation(player) == state.observation(player)


def test_what_is_hidden_changes_no_observation() -> None:
    state = started(SECRETS)
    other = state.clone()
    _exchange(other.store)

    assert other.observation(1) == state.observation(1)
    assert other.observation(0) != state.observation(0)
    assert other.information_state(1) == state.information_state(1)


def _exchange(store: Store) -> None:
    """Exchange a card of ann's hand with one that lies face down for everybody."""
    layout = store.layout
    hand, under = layout.slots["Player.hand"], layout.slots["Space.under"]
    mine, lying = store.columns[hand][0], store.columns[under][0]
    store.columns[hand][0] = (lying[0], *mine[1:])
    store.columns[under][0] = (mine[0], *lying[1:])
    places = store.columns[layout.place_slots["Card"]]
    one, two = mine[0].number, lying[0].number
    places[one], places[two] = places[two], places[one]
    favourite = layout.slots["favourite"]
    store.columns[favourite][0] = mine[0]


def test_the_cards_of_a_bag_have_no_order_even_for_those_who_know_them() -> None:
    state = started(
        """
        each Card has
          rank: number
        table Card for each rank in 1..3
        the game has
          deck: pile of Card, seen by players
        to play
          move reversed(Card) to deck
          shuffle deck
          as players
            either "A"
            or "B"
        """
    )

    assert state.observation(0)["game"]["deck"] == {
        "undecided": ["Card (rank 1)", "Card (rank 2)", "Card (rank 3)"],
        "above": [],
    }


def test_two_fields_of_one_name_are_told_apart() -> None:
    state = started(
        """
        use once_per(turn)
        use once_per(play) as game_wide
        to play
          as players
            turn
        to turn
          once "x"
          either "A"
          or "B"
        """
    )

    assert {name for name in state.observation(0)["players"]["ann"] if "used" in name} != {"used"}


def test_a_player_remembers_what_he_noticed_and_what_he_said() -> None:
    state = duel().new_initial_state(1)
    own = state.observation(0)["players"]["ann"]["hand"]
    say(state, "Lay", own[0], "1", "guess")

    ann, ben = state.information_state(0), state.information_state(1)

    to_ann = {"event": "move", "by": "ann", "from": "deck", "to": "hand of ann"}
    (drawn,) = (entry for entry in ann if entry.get("to") == "hand of ann")
    assert sorted(drawn["things"]) == sorted(own)
    assert {**drawn, "things": ""} == {**to_ann, "things": ""}
    assert [entry for entry in ben if entry.get("to") == "hand of ann"] == [
        {**to_ann, "things": "2 x Card"}
    ]
    assert [entry["answer"] for entry in ann if "answer" in entry] == [
        "Lay a card",
        own[0],
        "1",
    ]
    assert [entry["answer"] for entry in ben if "answer" in entry] == ["guess"]
    laid = {
        "event": "move",
        "by": "ann",
        "things": [own[0]],
        "from": "hand of ann",
        "to": "table of ann",
    }
    assert laid in ann and laid in ben
    # Answers stand before what they brought about.
    assert ann.index({"answer": "1", "at": "lay.price"}) < ann.index(laid)
    assert {"event": "begin", "by": "ann", "verb": "lay"} in ben


def test_what_is_said_of_a_face_down_thing_does_not_name_it() -> None:
    state = started(SECRETS)

    told = state.information_state(0)

    assert {"event": "set", "place": "hint of a Card", "value": "ben"} in told
    assert {"event": "set", "place": "favourite", "value": "a Card"} in told
    assert all("whisper" not in str(entry) for entry in told)


def test_showing_is_seen_by_those_it_is_for() -> None:
    state = say(started(SECRETS, players=3), "Show")

    told = [entry for entry in state.information_state(2) if entry.get("event") == "show"]

    assert told == [
        {
            "event": "show",
            "by": "ann",
            "value": ["Card (red, rank 1)", "Card (red, rank 3)"],
            "to": ["ann", "ben", "cat"],
        }
    ]


def test_things_that_are_turned_face_up_are_seen() -> None:
    state = say(started(SECRETS), "Turn")

    assert state.observation(1)["game"]["line"] == [
        {"thing": "Card (blue, rank 3)", "hint": None},
        {"thing": "Card (blue, rank 2)", "hint": None},
        {"thing": "Card (blue, rank 1)", "hint": "ben"},
    ]
    assert state.observation(1)["waiting for"] == ["ben"]
    assert say(state, "Wait").observation(1)["waiting for"] == []
