"""Saved games: exact at every decision, and nothing else is taken for one."""

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from duel import duel, labels, say, started
from sharing import LEFT_OUT

from rulewright.interpreter.agents.agent import RandomAgent, let_answer
from rulewright.interpreter.play import record, save_format
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.save_format import seal_of
from rulewright.interpreter.state.errors import RecordError

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
    assert one.store.viewer is other.store.viewer
    assert list(one.store.events()) == list(other.store.events())
    assert one.history() == other.history()
    assert labels(one) == labels(other)
    assert one.prompt() == other.prompt()


@pytest.mark.parametrize("made", games())
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=LEFT_OUT)])
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
        let_answer(agent, state, state.current_players()[0])
        let_answer(other_agent, loaded, loaded.current_players()[0])
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
    moved = next(one for one in plain["events"] if one["kind"] == "move")
    assert moved["data"][0][0].startswith("Card:")
    assert set(plain["options"]) == set()
    assert plain["game"] == "tested" and plain["players"] == ["ann", "ben"]


# --------------------------------------------------------------------------------- what is refused


SAVES = Path(__file__).parent / "saves"


def text_of(plain: dict[str, Any]) -> str:
    """Return a save that was written by somebody who knows how to seal it."""
    return tomli_w.dumps({"seal": seal_of(plain), **plain})


def sealed(change: Callable[[dict[str, Any]], object]) -> str:
    """Return a saved duel that was changed by him."""
    plain = tomllib.loads(record.save(say(duel().new_initial_state(1), "Lay")))
    del plain["seal"]
    change(plain)
    return text_of(plain)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no saved game"),
        ("hello", "this is no saved game"),
        ("a = 1", "this is no saved game"),
        ("format = true\nseal = 1", "this is no saved game"),
        ('format = 5\nseal = "x"', "this game was saved by a later version (form 5)"),
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
    "a field that is missing": (lambda plain: plain.pop("answers"), "cannot be read"),
    "a field too many": (lambda plain: plain.update(code="import os"), "cannot be read"),
    "a number that is a text": (lambda plain: plain.update(seed=1.5), "cannot be read"),
    "a text that is no list": (lambda plain: plain.update(players="ab"), "cannot be read"),
    "a list that is no table": (lambda plain: plain.update(options=[]), "cannot be read"),
    "a form before the first": (lambda plain: plain.update(format=0), "cannot be read"),
    "a number for an event": (lambda plain: plain.update(events=[0]), "cannot be read"),
    "a number for an answer": (lambda plain: plain["answers"].append(7), "cannot be read"),
    "a part of an event too few": (lambda plain: plain["events"][0].pop("seers"), "cannot be read"),
    "a witness who is a text": (
        lambda plain: plain["events"][0].update(seers=["0"]),
        "cannot be read",
    ),
    "a folder instead of a game": (lambda plain: plain.update(game="../test"), "cannot be read"),
    "another game": (
        lambda plain: plain.update(title="Chess"),
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
    "another seed": (lambda plain: plain.update(seed=2), "it does not follow from its answers"),
    "an unknown thing": (
        lambda plain: plain["answers"][0].update(value="Card:9.9"),
        "at answer 1 of 1 (ann: Lay a card): this cannot be chosen here",
    ),
    "a value of another kind": (
        lambda plain: plain["answers"][0].update(value=True),
        "this cannot be chosen here",
    ),
    "an answer of a stranger": (
        lambda plain: plain["answers"][0].update(player=7),
        "(somebody: Lay a card): nobody asks this: ann decides",
    ),
    "chance where none is": (
        lambda plain: plain["answers"][0].update(player=-1),
        "the game does not wait for chance",
    ),
    "an answer too many": (
        lambda plain: plain["answers"].append(dict(plain["answers"][0])),
        "at answer 1 of 2 (ann: Lay a card): something else happens",
    ),
    "an answer too few": (lambda plain: plain["answers"].clear(), "in another way"),
    "an event that did not happen": (
        lambda plain: plain["events"].append(plain["events"][0]),
        "something else happens",
    ),
    "an event that is missing": (lambda plain: plain["events"].pop(), "something else happens"),
    "a card at another place": (
        lambda plain: plain["events"][1]["data"].__setitem__(0, ["Card:1.1", "Card:2.2"]),
        "the game begins in another way",
    ),
    "branches where there are none": (
        lambda plain: plain.update(branches={"Player:1": []}),
        "something else happens",
    ),
    "lists without end": (
        lambda plain: plain["answers"][0].update(value=nested(60)),
        "cannot be chosen",
    ),
    "an unknown verb": (
        lambda plain: plain["answers"][0].update(value={"verb": "fly", "ids": ["fly"], "with": []}),
        "cannot be chosen",
    ),
    "unknown code": (
        lambda plain: plain["answers"][0].update(value={"closure": "os", "locals": []}),
        "cannot be chosen",
    ),
    "an unknown place": (
        lambda plain: plain["answers"][0].update(value={"place": "Player.hand", "of": "none"}),
        "cannot be chosen",
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


@pytest.mark.parametrize("form", [1, 2, 3])
def test_a_save_of_an_earlier_form_still_loads(form: int) -> None:
    plain = tomllib.loads((SAVES / "form_3.save").read_text(encoding="utf-8"))
    del plain["seal"]
    plain["format"] = form
    if form == 1:
        del plain["agents"]
    saved = save_format.read(text_of(plain))
    game = duel()

    loaded = record.restore(saved, game)

    assert loaded.store == say(game.new_initial_state(1), "Lay").store
    assert save_format.agents_of(saved) == ({} if form == 1 else {1: 7})
    # What it says of the state, nobody believes.
    plain["frames"] = plain["fields"] = 7
    assert record.load(text_of(plain), game).store == loaded.store


def test_random_players_are_saved_with_the_place_of_their_generator() -> None:
    state = duel().new_initial_state(1)

    saved = save_format.read(record.save(state, {1: 2**64 - 1, 0: 7}))

    assert save_format.agents_of(saved) == {0: 7, 1: 2**64 - 1}
    assert tomllib.loads(record.save(state, {1: 10}))["agents"] == {"2": "0x000000000000000a"}


@pytest.mark.parametrize(
    "agents", [{"3": "0x1"}, {"0": "0x1"}, {"x": "0x1"}, {"1": "0x1" + "0" * 16}, {"1": "-0x1"}]
)
def test_random_players_that_cannot_be_are_refused(agents: dict[str, str]) -> None:
    with pytest.raises(RecordError, match="random player of seat"):
        record.load(sealed(lambda plain: plain.update(agents=agents)), duel())


@pytest.mark.parametrize("named", ["{path}", "elsewhere.rules"])
def test_a_save_makes_nobody_read_a_file(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret"
    path.write_text("my secret")
    monkeypatch.chdir(tmp_path)
    plain = tomllib.loads(record.save(load_game("kuhn_poker").new_initial_state(1)))
    del plain["seal"]
    plain["variants"] = [named.format(path=path)]

    with pytest.raises(RecordError, match="which kuhn_poker has not"):
        record.load(text_of(plain))


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
