"""Several players at once: each acts for himself, nobody learns of the others, and in the end all of
it is put together, whoever has answered first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import pytest
from written import linked

from rulewright.interpreter import record
from rulewright.interpreter.engine import Game, State, game_of
from rulewright.interpreter.errors import IllegalActionError, InvalidActionError, PlayError

NAMES = ("ann", "ben", "cem")

BIDS = """
    each Player has
      money:  number from 0 = 5, seen by players
      sealed: number = 0, seen by owner
      gifts:  number = 0, seen by players
      givers: list of Player = [], seen by players
    the game has, seen by players
      pot:    number = 0
      richer: number = 0
    to play
      as players together
        bid
      add 100 to pot
      as players together
        choose last from 1..2
    to bid
      choose amount from 0..my.money
      set my.sealed to amount
      add -amount to my.money
      add amount to pot
      if amount > 2
        choose rival from players without [me]
        add 1 to rival.gifts
        add me to rival.givers
    as soon as pot > 5
      add 1 to richer
    ranking
      most my.money
    """


def begun(*rules: str, players: int = 3, seed: int = 1) -> State:
    """Return a game at its first decision."""
    return loaded(rules, players).new_initial_state(seed)


@cache
def loaded(rules: tuple[str, ...], players: int) -> Game:
    """Return a game; states of the same one can be compared."""
    return game_of(linked(*rules), players, names=NAMES[:players])


def value(state: State, field: str, player: int | None = None) -> object:
    """Return what a field holds."""
    layout = state.game.program.layout
    return state.seen_by(None).columns[layout.slots[field]][player or 0]


def answer(state: State, order: Sequence[int], labels: dict[int, list[str]]) -> None:
    """Let each player give his next answer when it is his turn in the order."""
    left = {player: list(said) for player, said in labels.items()}
    for player in order:
        state.apply_action(left[player].pop(0), player)


# ------------------------------------------------------------------------------------- who is asked


def test_all_are_asked_at_once_and_each_his_own_question() -> None:
    state = begun(BIDS)

    assert state.current_players() == (0, 1, 2)
    for player in range(3):
        asked = state.decision(player)
        assert asked is not None and asked.player == player
        assert [action.label for action in state.legal_actions(player)] == list("012345")

    state.apply_action("3", 1)

    assert state.prompt(1) == "Choose rival"
    assert [action.label for action in state.legal_actions(1)] == ["ann", "cem"]
    assert state.prompt(0) == state.prompt(2) == "Choose amount"


def test_who_is_meant_must_be_said() -> None:
    state = begun(BIDS)

    for ask in (state.decision, state.legal_actions, lambda: state.apply_action("1")):
        with pytest.raises(InvalidActionError, match=r"at once \(ann, ben, cem\)"):
            ask()
    state.apply_action("1", 0)
    state.apply_action("1", 1)

    assert state.legal_actions(0) == () and state.decision(0) is None
    with pytest.raises(IllegalActionError, match="player 0 has nothing to decide now"):
        state.apply_action("1", 0)

    state.apply_action("1")

    assert state.current_players() == (0, 1, 2)
    assert value(state, "pot") == 103


def test_several_can_be_answered_for_at_once_or_not_at_all() -> None:
    state = begun(BIDS)
    before = state.clone()

    with pytest.raises(InvalidActionError):
        state.apply_actions({0: "1", 1: "2", 2: "seven"})

    assert state.store == before.store and state.history() == ()
    state.apply_actions({2: "2", 0: "0", 1: "1"})
    assert [one.player for one in state.history()] == [0, 1, 2]
    assert value(state, "pot") == 103
    with pytest.raises(IllegalActionError, match="player 7"):
        state.apply_actions({7: "1"})


# ------------------------------------------------------------------------------------ what comes of it


SAID = {0: ["3", "ben"], 1: ["4", "ann"], 2: ["5", "ben"]}


def test_the_order_of_the_answers_makes_no_difference() -> None:
    orders = set(itertools.permutations([0, 0, 1, 1, 2, 2]))
    states = []
    for order in sorted(orders):
        state = begun(BIDS)
        answer(state, order, SAID)
        states.append(state)

    first = states[0]
    for state in states:
        assert state.store == first.store
        assert state.store.key() == first.store.key()
        assert list(state.store.events()) == list(first.store.events())
        for player in range(3):
            assert state.information_state(player) == first.information_state(player)
            assert state.observation(player) == first.observation(player)
    assert value(first, "pot") == 112
    assert [value(first, "Player.gifts", player) for player in range(3)] == [1, 2, 0]
    givers = value(first, "Player.givers", 1)
    assert [one.name for one in givers] == ["ann", "cem"]  # type: ignore[attr-defined]


def test_in_the_middle_too_equal_states_are_equal() -> None:
    one, other = begun(BIDS), begun(BIDS)
    answer(one, [2, 0, 0, 1], SAID)
    answer(other, [0, 1, 0, 2], SAID)

    assert one.store == other.store
    assert one.store.key() == other.store.key()
    one.apply_action("ann", 1)
    assert one.store != other.store and one.store.key() != other.store.key()


def test_nobody_sees_anything_of_the_others() -> None:
    state = begun(BIDS)
    seen = [state.observation(player) for player in range(3)]
    known = [state.information_state(player) for player in range(3)]
    asked = [state.legal_actions(player) for player in range(3)]

    answer(state, [1, 2, 2], SAID)

    assert state.observation(0) == seen[0]
    assert state.information_state(0) == known[0]
    assert state.legal_actions(0) == asked[0]
    assert state.observation(1) != seen[1]
    # Also who is done already is not known.
    assert state.current_players() == (0, 1)
    assert state.observation(1)["waiting for"] == ["ann", "ben", "cem"]
    assert state.observation(2)["waiting for"] == ["ann", "ben"]
    assert state.observation(2)["players"]["cem"]["money"] == 0
    assert state.observation(1)["players"]["cem"]["money"] == 5


def test_what_one_knows_only_grows() -> None:
    state = begun(BIDS)
    answers = {player: list(said) for player, said in SAID.items()}
    known = {player: state.information_state(player) for player in range(3)}
    for player in (1, 2, 1, 0, 2, 0):
        state.apply_action(answers[player].pop(0), player)
        for seat, before in known.items():
            now = state.information_state(seat)
            assert now[: len(before)] == before
            known[seat] = now
    # After the join everybody knows what everybody has added to the pot.
    for seat in range(3):
        told = [one for one in known[seat] if one.get("place") == "pot"]
        assert sorted(one["value"] for one in told) == [3, 4, 5, 100]


def test_conditions_are_looked_at_when_all_is_joined() -> None:
    state = begun(BIDS)
    answer(state, [0, 0, 1, 1], SAID)
    assert value(state, "richer") == 0

    answer(state, [2, 2], {2: ["5", "ben"]})

    assert value(state, "richer") == 1


def test_a_game_is_saved_in_the_middle() -> None:
    state = begun(BIDS)
    answer(state, [2, 1, 2], SAID)

    loaded = record.load(record.save(state), state.game)
    unpacked = state.game.unpack(state.pack(log=True))

    for other in (loaded, unpacked):
        assert other.store == state.store
        assert other.current_players() == state.current_players()
        for player in range(3):
            assert other.information_state(player) == state.information_state(player)
        other.apply_action("ann", 1)
        answer(other, [0, 0], SAID)
        assert value(other, "pot") == 112


def test_a_save_that_says_what_cannot_be_is_refused() -> None:
    state = begun(BIDS)
    answer(state, [2, 1], SAID)
    form = record.read(record.save(state))

    for spoil in (
        lambda together: together.update(at=7),
        lambda together: together["branches"].append(together["branches"][0]),
        lambda together: together["branches"][1].update(phase="done"),
        lambda together: together["branches"][1]["changed"][0].__setitem__(2, True),
        lambda together: together["branches"][1]["changed"][0].__setitem__(0, "Player.name"),
        lambda together: together["branches"][1]["changed"][0].__setitem__(1, 99),
        lambda together: together["branches"][1]["frames"][0].update(node=0),
        lambda together: together["branches"][1].update(eyes="Player:1"),
        lambda together: together["branches"][0].pop("log"),
    ):
        saved = record.read(record.save(state))
        spoil(saved.together)
        assert saved != form
        with pytest.raises(record.RecordError):
            record.restore(saved, state.game)


# ---------------------------------------------------------------------------------- ends and mistakes


FINISH = """
    each Player has
      points: number = 0, seen by players
      secret: number = 0, seen by owner
    each Die has
      face: number
    table Die for each face in 1..6
    each Player also has
      own: pile of Die, seen by []
      rolled: row of Die, seen by owner
    the game has, seen by players
      taken: number in 0..9 = 0
      holder: slot of Die
    """


def test_the_first_in_order_says_why_the_game_ends_and_all_count() -> None:
    rules = """
    to play
      as reversed(players) together
        choose n from 1..3
        add n to my.points
        if n > 1
          end game "{me} has had enough"
        add 10 to my.points
    after play
      as players
        add 100 to my.points
    """
    for order in itertools.permutations(range(3)):
        state = begun(FINISH, rules)
        for player in order:
            assert not state.is_terminal()
            state.apply_action(str(player + 1), player)

        assert state.is_terminal()
        assert state.ending == "cem has had enough"
        assert [value(state, "Player.points", player) for player in range(3)] == [111, 102, 103]


def test_a_verb_that_is_stopped_ends_for_one_player_only() -> None:
    rules = """
    to play
      as players together
        say_it
        add 1 to my.points
      as players[0]
        choose last from 1..2
    to say_it
      choose n from 0..2
      if n is 0
        stop
      add 10 * n to my.points
    """
    state = begun(FINISH, rules)
    state.apply_actions({0: "0", 1: "2", 2: "0"})

    assert [value(state, "Player.points", player) for player in range(3)] == [1, 21, 1]


def test_nobody_and_one_alone_and_who_is_named_twice() -> None:
    rules = """
    to play
      as players where no together
        add 1 to my.points
      as [players[1], players[1]] together
        choose n from 1..2
        add n to my.points
      as players[2] together
        add 7 to my.points
      as players[0]
        choose last from 1..2
    """
    state = begun(FINISH, rules)
    assert state.current_players() == (1,)
    state.apply_action("2")

    assert state.current_players() == (0,)
    assert [value(state, "Player.points", player) for player in range(3)] == [0, 2, 7]


def test_who_has_nothing_to_decide_is_done() -> None:
    rules = """
    to play
      as players together
        if me is players[1]
          choose n from 1..2
          add n to my.points
        else
          add 5 to my.points
      as players[0]
        choose last from 1..2
    """
    state = begun(FINISH, rules)
    assert state.current_players() == (1,)
    # What the others have done without being asked, nobody is shown.
    assert state.observation(1)["players"]["ann"]["points"] == 0
    assert state.observation(1)["waiting for"] == ["ann", "ben", "cem"]
    assert state.observation(0)["players"]["ann"]["points"] == 5

    state.apply_action("2")

    assert [value(state, "Player.points", player) for player in range(3)] == [5, 2, 5]


def test_everybody_has_a_stream_of_chance_of_his_own() -> None:
    rules = """
    to set_up
      for each p in players
        move Die where it in first(2, Die) and p is players[0] to p.own
      move Die where its.face in [3, 4] to players[1].own
      move Die where its.face in [5, 6] to players[2].own
    to play
      set_up
      for each p in players
        shuffle p.own
      as players together
        choose n from 1..2
        move top(my.own) to my.rolled
        shuffle my.own
        choose m from 1..2
      as players[0]
        choose last from 1..2
    """
    ends = []
    for order in ([0, 1, 2, 0, 1, 2], [2, 2, 1, 0, 1, 0], [1, 0, 2, 2, 0, 1]):
        state = begun(FINISH, rules, seed=5)
        for player in order:
            state.apply_action("1", player)
        ends.append(state)

    for state in ends:
        assert state.store == ends[0].store
        assert list(state.store.events()) == list(ends[0].store.events())
    seeds = []
    for seed in range(12):
        state = begun(FINISH, rules, seed=seed)
        for player in (0, 1, 2, 0, 1, 2):
            state.apply_action("1", player)
        faces = [value(state, "Player.rolled", player)[0].number % 2 for player in range(3)]  # type: ignore[index]
        seeds.append(tuple(faces))
    # Their streams have nothing to do with each other.
    assert len(set(seeds)) > 3


def test_what_several_have_changed_cannot_be_joined() -> None:
    rules = """
    each Pet has
      name: text
      mood: text = "calm", seen by players
    table Pet
      | name |
      | Rex  |
      | Tom  |
    each Player also has
      pet: Pet = Pet("Rex"), seen by players
    to play
      set players[1].pet to Pet("Tom")
      as first(2, players) together
        choose n from 1..2
        set my.pet.mood to "angry"
      as players together
        choose n from 1..2
        set my.pet.mood to "sleepy"
    """
    state = begun(FINISH, rules)
    state.apply_actions({0: "1", 1: "1"})
    state.apply_actions({0: "1", 1: "1"})
    before = state.clone()

    with pytest.raises(PlayError, match="several players change `mood` at the same time") as caught:
        state.apply_action("1", 2)

    assert caught.value.code == "RW716"
    assert state.store == before.store


def test_what_all_have_added_must_be_in_its_range() -> None:
    rules = """
    to play
      as players together
        choose n from 1..5
        add n to taken
      as players[0]
        choose last from 1..2
    """
    state = begun(FINISH, rules)
    state.apply_actions({0: "5", 1: "3"})

    with pytest.raises(PlayError) as caught:
        state.apply_action("2")

    assert caught.value.code == "RW707"
    state.apply_action("1")
    assert value(state, "taken") == 9


def test_a_slot_takes_one_thing_only() -> None:
    rules = """
    to play
      for each p in players
        move Die[position(p, players)] to p.own
      as players together
        may "Show it"
          move my.own to holder
      as players[0]
        choose last from 1..2
    """
    state = begun(FINISH, rules)
    state.apply_actions({0: "Show it", 1: 'no "Show it"'})

    with pytest.raises(PlayError) as caught:
        state.apply_action("Show it")

    assert caught.value.code == "RW708"


def test_look_ahead_is_alone_and_ends_with_the_block() -> None:
    rules = """
    to play
      as players together
        choose n from 1..4
        add n to my.points
        choose m from 1..2
        add m to taken
        need my.points + m < 5 else "too much"
        need taken < 3 else "taken"
      as players[0]
        need taken < 1 else "never asked for"
        choose last from 1..2
    """
    state = begun(FINISH, rules)
    for player in range(3):
        assert [one.label for one in state.legal_actions(player)] == ["1", "2", "3"]
    state.apply_action("3", 0)
    assert [one.label for one in state.legal_actions(0)] == ["1"]
    assert [one.label for one in state.legal_actions(1)] == ["1", "2", "3"]
    why = state.why("4", 1)
    assert not why.possible and [one.text for one in why.reasons] == ["too much"]
