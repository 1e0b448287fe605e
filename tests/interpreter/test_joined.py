"""Several players at once: what comes of it in the end, and what cannot be put together."""

from __future__ import annotations

import itertools

import pytest
from at_once import begun, value

from rulewright.interpreter.play import record
from rulewright.interpreter.state.errors import PlayError

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


def test_what_is_said_until_a_verb_ends_holds_in_the_branch_of_its_maker() -> None:
    rules = """
    define bonus = 1
    to play
      as players[0]
        until say_it ends change bonus by 10
      as players[1]
        until play ends change bonus by 100
      as players together
        say_it
      as players
        add bonus to my.secret
      as players[0]
        choose last from 1..2
    to say_it
      choose n from 1..2
      add bonus to my.points
    """
    ends = []
    for order in itertools.permutations(range(3)):
        state = begun(FINISH, rules)
        for number, player in enumerate(order):
            state.apply_action("1", player)
            if number == 1:
                state = record.load(record.save(state), state.game)
                state = state.game.unpack(state.pack(log=True))
        ends.append(state)

    for state in ends:
        assert state.store == ends[0].store
        assert [value(state, "Player.points", player) for player in range(3)] == [111, 111, 111]
        assert [value(state, "Player.secret", player) for player in range(3)] == [101, 101, 101]
