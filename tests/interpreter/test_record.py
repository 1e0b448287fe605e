"""Saved games: exact at every decision, and nothing else is taken for one."""

import random
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import tomli_w
from duel import duel, labels, say, started

from rulewright.interpreter import record
from rulewright.interpreter.agents import RandomAgent
from rulewright.interpreter.engine import Game, State, load_game
from rulewright.interpreter.record import RecordError

ODD = """
kind Mood is one of [glad, sad]
each Card has
  name: text
  mood: Mood
  friend: Card?, seen by players
table Card
  | name     | mood |
  | Ace "A"  | glad |
  | Tau τ    | sad  |
  | Plain    | glad |
each Player has
  hand: cards of Card, seen by owner
  said: list of text = [], seen by players
  stock: number per Mood = 0, seen by players
  done: list of verb = [], seen by players
the game has, seen by players
  deck: pile of Card = Card, seen by []
  spot: slot of Card
  mood: Mood?
to play
  shuffle deck
  as players
    move top(deck) to my.hand
    set my.stock[sad] to 2
  move top(deck) to spot
  set spot.friend to spot
  repeat 2 times
    as players
      for each mood in Mood
        turn with mood
to turn with m: Mood
  set mood to m
  either "Say {m}"
    add "{m} 'quoted'\tτ" to my.said
  or "Count"
    choose n from 1..4
    add n to my.stock[m]
  or "Do"
    choose way from [wave(m), nod(m)]
    add way to my.done
    do way
  or "Swap"
    choose up to 2 cards from my.hand + spot such that some c in cards has c in my.hand
    let kept = cards
    may "Really"
      move kept to my.hand
    or_else kept
to or_else cards: list of Card
  stop
to wave m: Mood "Wave"
  nothing
to nod m: Mood "Nod"
  may "Deeply"
    set mood to none
as soon as my.stock[sad] > 5
  set my.stock[sad] to 0
"""


def games() -> list[Callable[[], Game]]:
    """Return what makes the games that are saved and loaded."""
    return [
        duel,
        lambda: started(ODD).game,
        lambda: load_game("tic_tac_toe", names=["cross", "nought"]),
        lambda: load_game("kuhn_poker"),
        lambda: load_game("jump_gate_2e", players=3, variants=["Calm Black Hole"]),
    ]


def same(one: State, other: State) -> None:
    """Check that two states cannot be told apart."""
    assert one.store == other.store
    assert one.store.eyes is other.store.eyes
    assert list(one.store.events()) == list(other.store.events())
    assert one.history() == other.history()
    assert labels(one) == labels(other)
    assert one.prompt() == other.prompt()


@pytest.mark.parametrize("made", games())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_saved_game_goes_on_as_if_nothing_had_happened(
    made: Callable[[], Game], seed: int
) -> None:
    game = made()
    state = game.new_initial_state(seed)
    agent, other_agent = RandomAgent(seed), RandomAgent(seed)
    loaded = state
    for _ in range(60):
        if state.is_terminal():
            break
        loaded = record.load(record.save(loaded), game)
        same(state, loaded)
        agent.answer(state)
        other_agent.answer(loaded)
    same(state, loaded)
    assert record.save(state) == record.save(record.load(record.save(state), game))


def test_a_saved_game_finds_its_rules_on_the_shelf() -> None:
    game = load_game(
        "jump_gate_2e",
        variants=["Calm Black Hole"],
        options={"who_begins": "first_seat", "landing_wildcards": 1},
        names=["ann", "ben"],
    )
    state = game.new_initial_state("seven")
    state.apply_action(0)

    loaded = record.load(record.save(state))

    assert loaded.game.names == ("ann", "ben") and loaded.seed == "seven"
    assert loaded.game.model.variants == ("Calm Black Hole",)
    assert loaded.game.options["landing_wildcards"] == 1
    assert record.save(loaded) == record.save(state)


def test_a_game_that_waits_for_chance_is_saved_too() -> None:
    game = duel()
    state = game.new_initial_state(1, explicit_chance=True)
    state.apply_chance(2)

    loaded = record.load(record.save(state), game)

    assert loaded.is_chance_node()
    assert [one.label for one in loaded.chance_outcomes()] == [
        one.label for one in state.chance_outcomes()
    ]


def test_a_game_that_is_over_is_saved_too() -> None:
    game = duel()
    state = say(game.new_initial_state(1), *["guess"] * 4)

    assert record.load(record.save(state), game).ending == "two rounds"


def test_things_are_written_by_their_keys() -> None:
    text = record.save(started(ODD))

    plain = tomllib.loads(text)
    assert plain["fields"]["spot"][0][0].startswith("Card:")
    assert set(plain["options"]) == set()
    assert plain["game"] == "tested" and plain["players"] == ["ann", "ben"]


# --------------------------------------------------------------------------------- what is refused


def sealed(change: Callable[[dict[str, Any]], object]) -> str:
    """Return a saved duel that was changed by somebody who knows how to seal it."""
    plain = tomllib.loads(record.save(say(duel().new_initial_state(1), "Lay")))
    del plain["seal"]
    change(plain)
    return tomli_w.dumps({"seal": record._seal(plain), **plain})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no saved game"),
        ("hello", "this is no saved game"),
        ("a = 1", "this is no saved game"),
        ("format = true\nseal = 1", "this is no saved game"),
        ('format = 4\nseal = "x"', "this game was saved by a later version (form 4)"),
        ("a = " + "[" * 5000, "this is no saved game"),
        ("[" * 100_000, "this is no saved game"),
    ],
)
def test_a_foreign_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        record.load(text, duel())

    assert str(error.value) == message


def test_a_text_that_was_changed_is_refused() -> None:
    text = record.save(duel().new_initial_state(1))

    with pytest.raises(RecordError, match="has been changed since it was saved"):
        record.load(text.replace("seed = 1", "seed = 2"), duel())


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a field that is missing": (lambda plain: plain.pop("frames"), "cannot be read"),
    "a field too many": (lambda plain: plain.update(code="import os"), "cannot be read"),
    "a number that is a text": (lambda plain: plain.update(seed=1.5), "cannot be read"),
    "other rules": (
        lambda plain: plain.update(digest="0"),
        "Test was saved under other rules than these",
    ),
    "another game": (
        lambda plain: plain.update(digest="0", title="Chess"),
        "this is a saved game of Chess, not of Test",
    ),
    "other players": (
        lambda plain: plain.update(players=["x", "y"]),
        "it was saved with the players x, y",
    ),
    "other options": (
        lambda plain: plain["options"].update(hand_size=3),
        "it was saved with hand_size=3",
    ),
    "an unknown field": (lambda plain: plain["fields"].update(x=[1]), "`x` is not as it should"),
    "a column that is too short": (
        lambda plain: plain["fields"].update({"Player.tokens": [1]}),
        "`Player.tokens` is not as it should be",
    ),
    "a value of another kind": (
        lambda plain: plain["fields"].update({"Player.tokens": [True, 1]}),
        "`Player.tokens` cannot hold True",
    ),
    "an unknown thing": (
        lambda plain: plain["fields"].update(trophy=["Card:9.9"]),
        "'Card:9.9' is nothing of this game",
    ),
    "a thing in two places": (
        lambda plain: plain["fields"]["Player.hand"][1].append(
            plain["fields"]["Player.hand"][0][0]
        ),
        "lies in two places",
    ),
    "more undecided cards than cards": (
        lambda plain: plain["undecided"].update(deck=[99]),
        "`deck` has 99 undecided cards",
    ),
    "an owner that is no player": (
        lambda plain: plain["owners"].update(Card=["Card:1.1"] * 6),
        "is no player",
    ),
    "an unknown rule": (
        lambda plain: plain["frames"][-1].update(unit="os.system"),
        "there is no rule os.system#",
    ),
    "a place in a rule where nobody decides": (
        lambda plain: plain["frames"][-1].update(node=2),
        "the game waits for nobody",
    ),
    "a rule that ends before": (
        lambda plain: plain["frames"][-1].update(node=10**6),
        "there is no rule lay#1000000",
    ),
    "names that are none": (
        lambda plain: plain["frames"][-1].update(locals=[[1, 2]]),
        "the names of lay are no pairs",
    ),
    "an acting card": (
        lambda plain: plain["frames"][-1].update(me="Card:1.1"),
        "Card:1.1 is no player",
    ),
    "a wrong counter": (lambda plain: plain["scalars"].__setitem__(3, 0), "do not fit"),
    "too few counters": (lambda plain: plain["scalars"].pop(), "the counters are incomplete"),
    "a generator that is none": (lambda plain: plain.update(generator="x"), "cannot be read"),
    "lists without end": (
        lambda plain: plain["fields"].update(trophy=[nested(60)]),
        "lists lie too deep inside each other",
    ),
    "an unknown verb": (
        lambda plain: plain["fields"].update(trophy=[{"verb": "fly", "ids": ["fly"], "with": []}]),
        "there is no verb 'fly'",
    ),
    "an unknown place": (
        lambda plain: plain["fields"].update(trophy=[{"place": "Player.hand", "of": "none"}]),
        "there is no place 'Player.hand' of None",
    ),
    "an entry of what has none": (
        lambda plain: plain["fields"].update(
            trophy=[{"place": "Player.hand", "of": "Player:1", "entry": 0}]
        ),
        "'Player.hand' has no entry 0",
    ),
}


def nested(depth: int) -> list[Any]:
    """Return a list in a list in a list."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_a_text_that_is_not_of_this_game_is_refused(
    change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(RecordError) as error:
        record.load(sealed(change), duel())

    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_save_of_the_first_form_still_loads() -> None:
    text = sealed(lambda plain: plain.update(format=1))

    assert "agents" not in tomllib.loads(text)
    assert record.agents_of(record.read(text)) == {}
    assert not record.load(text, duel()).is_terminal()


def test_random_players_are_saved_with_the_place_of_their_generator() -> None:
    state = duel().new_initial_state(1)

    saved = record.read(record.save(state, {1: 2**64 - 1, 0: 7}))

    assert record.agents_of(saved) == {0: 7, 1: 2**64 - 1}
    assert tomllib.loads(record.save(state, {1: 10}))["agents"] == {"2": "0x000000000000000a"}


@pytest.mark.parametrize(
    "agents", [{"3": "0x1"}, {"0": "0x1"}, {"x": "0x1"}, {"1": "0x1" + "0" * 16}, {"1": "-0x1"}]
)
def test_random_players_that_cannot_be_are_refused(agents: dict[str, str]) -> None:
    with pytest.raises(RecordError, match="random player of seat"):
        record.load(sealed(lambda plain: plain.update(agents=agents)), duel())


def test_a_game_that_is_not_on_the_shelf_cannot_be_found() -> None:
    with pytest.raises(RecordError, match="its rules are not here: no game is called `tested`"):
        record.load(record.save(duel().new_initial_state(1)))


def test_garbage_raises_nothing_else() -> None:
    state = say(duel().new_initial_state(1), "Lay")
    text = record.save(state)
    generator = random.Random(1)
    refused = 0
    for _ in range(150):
        at = generator.randrange(len(text))
        broken = text[:at] + generator.choice('x"[]=\n0{}\x00') + text[at + 1 :]
        try:
            # A blank more or less may make no difference.
            assert record.load(broken, state.game).store == state.store
        except RecordError:
            refused += 1
    assert refused > 120
