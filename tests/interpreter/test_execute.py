"""Steps run in the order that the guide says: verbs, amendments, loops, stops, watched conditions."""

from textwrap import dedent

import pytest
from written import begun, loaded, played

from rulewright.dsl.source import Span
from rulewright.interpreter import execute
from rulewright.interpreter.errors import IllegalActionError, PlayError
from rulewright.interpreter.values import Thing, VerbValue

LOG = """
the game has, seen by players
  log: list of number = []
each Player has, seen by players
  points: number = 0
"""


def log(*rules: str, **more: object) -> object:
    """Return what a game without decisions has written into its list."""
    return played(LOG, *rules, **more).at("log")  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ plain control


def test_branches_take_the_first_condition_that_holds() -> None:
    rules = """
    to play
      for each n in [1, 2, 3, 4]
        if n is 1
          add 10 to log
        else if n < 3
          add 20 to log
        else
          if n is 4
            add 40 to log
    """

    assert log(rules) == [10, 20, 40]


def test_a_loop_goes_over_the_list_as_it_was() -> None:
    rules = """
    to play
      set log to [1, 2]
      for each n in log
        add n + 10 to log
    """

    assert log(rules) == [1, 2, 11, 12]


def test_a_number_of_times_is_read_once() -> None:
    rules = """
    to play
      add 1 to log
      repeat count(log) + 1 times
        add 2 to log
      repeat 0 times
        add 3 to log
      repeat 1 - 3 times
        add 4 to log
    """

    assert log(rules) == [1, 2, 2]


def test_while_and_until_test_before_each_pass() -> None:
    rules = """
    to play
      repeat while count(log) < 2
        add 1 to log
      repeat until count(log) >= 2
        add 2 to log
    """

    assert log(rules) == [1, 1]


def test_me_is_who_it_was_after_an_as() -> None:
    rules = """
    to play
      as players[0]
        mark
        as players[1]
          mark
        mark
    to mark
      add position(me, players) to log
    """

    assert log(rules) == [0, 1, 0]


def test_a_verb_may_call_itself_with_locals_of_its_own() -> None:
    rules = """
    to play
      down 3
    to down n: number
      let here = n
      if n > 0
        down n - 1
      add here to log
    """

    assert log(rules) == [0, 1, 2, 3]


def test_a_verb_that_calls_itself_without_end_is_a_rules_error() -> None:
    rules = """
    to play
      again 1
    to again n: number
      if n > 0
        again n + 1
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW711"
    assert "again" in caught.value.stack[0].text


def test_steps_without_end_are_a_rules_error_that_names_the_rule() -> None:
    rules = """
    to play
      repeat while count(log) < 2
        set log to [1]
        remove 2 from log
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW702"
    assert isinstance(caught.value.span, Span)
    assert caught.value.stack


def test_a_verb_as_a_value_means_the_overload_that_fits() -> None:
    rules = """
    each Coin has
      value: number
    table Coin for each value in 1..2
    to take x: Coin
      add x.value to log
    to take x: Player
      add 100 to log
    to take x: Coin from p: Player
      nothing
    to play
      take first(Coin)
      take players[0]
      take first(Coin) from players[1]
    """
    program = loaded(LOG, rules)
    verbs = tuple(verb.id for verb in program.game.verbs.values() if verb.name == "take")
    store = begun(LOG, rules).store
    things = program.layout.things

    def meant(*arguments: Thing) -> str:
        return program.calls.resolve(store, VerbValue("take", verbs, arguments))[0]

    assert len(verbs) == 3
    assert meant(things["Coin"][0]) == verbs[0]
    assert meant(program.layout.players[0]) == verbs[1]
    assert meant(things["Coin"][0], program.layout.players[0]) == verbs[2]


def test_a_menu_of_verbs_does_what_is_chosen() -> None:
    rules = """
    to one "One"
      add 1 to log
    to two n: number
      add n to log
    define menu = [one, two(5)]
    to play
      for each way in menu
        do way
    """

    assert log(rules) == [1, 5]


# ------------------------------------------------------------------------------------- order at a verb


AMENDED = LOG + dedent("""
    the game has, seen by players
      counter: number = 7, fresh each work
    to play
      set counter to 1
      work
      add 99 to log
    before work
      add counter to log
    after work
      add 3 to log
    """)


def test_order_is_fresh_before_body_after() -> None:
    rules = "to work\n  add 2 to log\n"

    assert played(AMENDED, rules).at("log") == [7, 2, 3, 99]


def test_stop_of_the_body_does_not_skip_what_stands_after() -> None:
    rules = "to work\n  add 2 to log\n  if counter is 7\n    stop\n  add 4 to log\n"

    assert played(AMENDED, rules).at("log") == [7, 2, 3, 99]


def test_stop_in_an_amendment_leaves_only_that_amendment() -> None:
    rules = """
    to play
      work
    to work
      add 5 to log
    before work
      add 1 to log
      stop
    before work
      add 2 to log
    after work
      stop
    after work
      add 6 to log
    """

    assert log(rules) == [1, 2, 5, 6]


def test_the_innermost_instead_whose_guard_holds_replaces_the_body() -> None:
    rules = LOG + "to play\n  work 1\n  work 2\n  work 3\nto work n: number\n  add n to log\n"
    variant = {
        "Other": """
        instead of work when n is 2
          add 20 to log
          if n is 2
            stop
          add 21 to log
        after work
          add 0 to log
        """
    }

    assert played(rules, variants=variant).at("log") == [1, 0, 20, 0, 3, 0]


def test_guards_are_read_when_their_block_would_begin() -> None:
    rules = """
    to play
      work
    to work
      add 2 to log
    before work when log is empty
      add 1 to log
    before work when log is empty
      add 9 to log
    after work when count(log) is 2
      add 3 to log
    """

    assert log(rules) == [1, 2, 3]


def test_end_game_skips_what_stands_after_but_not_after_play() -> None:
    rules = 'to work\n  end game "over"\nafter play when ending is "over"\n  add 5 to log\n'
    table = played(AMENDED, rules)

    assert table.over
    assert table.ending == "over"
    assert table.at("log") == [7, 5]


def test_a_game_may_end_by_itself() -> None:
    table = played(LOG, "to play\n  add 1 to log\nafter play\n  add 2 to log\n")

    assert table.over
    assert table.ending is None
    assert table.at("log") == [1, 2]


def test_only_my_fields_start_anew_where_it_says_own() -> None:
    rules = """
    each Player has
      moves: number = 5, seen by players, fresh each own turn
    to play
      as players
        set my.moves to 1
      as players[1]
        turn
    to turn
      nothing
    """
    table = played(rules)

    assert (table.at("Player.moves", "ann"), table.at("Player.moves", "ben")) == (1, 5)


# --------------------------------------------------------------------------------------- named steps


STEPPED = """
    to play
      work
      add 99 to log
    to work
      step first_part
        add 1 to log
        if stops
          stop
        add 2 to log
      add 3 to log
    after work.first_part
      add 20 to log
    after work
      add 30 to log
    """


def test_a_step_is_amended_where_it_stands() -> None:
    rules = "define stops = no\nbefore work.first_part\n  add 0 to log\n"

    assert log(STEPPED, rules) == [0, 1, 2, 20, 3, 30, 99]


def test_stop_in_a_step_leaves_the_verb_through_what_stands_after_both() -> None:
    rules = "define stops = yes\n"

    assert log(STEPPED, rules) == [1, 20, 30, 99]


def test_an_instead_of_a_step_leaves_only_the_step() -> None:
    rules = "define stops = yes\n"
    variant = {"Other": "instead of work.first_part\n  add 5 to log\n  stop\n"}

    assert played(LOG, STEPPED, rules, variants=variant).at("log") == [5, 20, 3, 30, 99]


def test_stop_of_a_step_by_name_goes_on_behind_it() -> None:
    rules = """
    to play
      work
    to work
      step outer
        step inner
          add 1 to log
          if log is not empty
            stop outer
        add 2 to log
      add 3 to log
    after work.inner
      add 10 to log
    after work.outer
      add 20 to log
    """

    assert log(rules) == [1, 10, 20, 3]


# ------------------------------------------------------------------------------- stops across verbs


def test_stop_by_name_ends_all_begun_inside_from_the_inside_out() -> None:
    rules = """
    to play
      outer
      add 99 to log
    to outer
      repeat 5 times
        middle
        add 1 to log
      add 2 to log
    to middle
      inner
      add 3 to log
    to inner
      add 4 to log
      if log is not empty
        stop outer
    after inner
      add 40 to log
    after middle
      add 30 to log
    after outer
      add 20 to log
    """

    assert log(rules) == [4, 40, 30, 20, 99]


def test_stop_by_name_means_the_innermost_running_one() -> None:
    rules = """
    to play
      outer 2
    to outer n: number
      add n to log
      if n > 0
        outer n - 1
        add 10 + n to log
      else
        inner
    to inner
      stop outer
    """

    assert log(rules) == [2, 1, 0, 11, 12]


def test_a_stop_out_of_nested_as_restores_me() -> None:
    rules = """
    to play
      as players[0]
        work
        mark
    to work
      as players[1]
        as players[2]
          mark
          helper
      add 50 to log
    to helper
      as players[1]
        stop work
    after work
      mark
    to mark
      add position(me, players) to log
    """

    assert log(rules, players=3) == [2, 0, 0]


def test_a_plain_stop_out_of_an_as_restores_me() -> None:
    rules = """
    to play
      as players[0]
        work
        work
    to work
      as players
        add position(me, players) to log
        if me is players[1]
          stop
    after work
      add 10 + position(me, players) to log
    """

    assert log(rules, players=3) == [0, 1, 10, 0, 1, 10]


def test_a_loop_that_was_left_begins_anew() -> None:
    rules = """
    to play
      work
      work
    to work
      for each n in [1, 2, 3]
        add n to log
        if n is 2
          stop
    """

    assert log(rules) == [1, 2, 1, 2]


def test_stop_by_name_where_it_does_not_run_ends_the_do() -> None:
    rules = (
        LOG
        + "to play\n  outer\nto outer\n  inner\nto inner\n  if log is empty\n    stop outer\n  add 1 to log\n"
    )
    table = played(rules, verb="inner")

    assert table.over
    assert table.at("log") == []


# -------------------------------------------------------------------------------- fields and zones


CARDS = """
each Card has
  rank: number
table Card for each rank in 1..4
each Player has
  hand: cards of Card, seen by owner
  points: number = 0, seen by players
the game has, seen by players
  heap: pile of Card = Card
  lane: row of Card
  spot: slot of Card
  log: list of number = []
  level: number in 0..5 = 2
  per: number per Player = 0
"""


def test_moved_things_keep_their_order_and_the_last_lies_on_top() -> None:
    table = played(CARDS, "to play\n  move top(2, heap) to lane\n  move heap to lane\n")

    assert [card[-2] for card in table.at("lane")] == ["4", "3", "1", "2"]
    assert table.at("heap") == []


def test_a_thing_leaves_wherever_it_was() -> None:
    rules = """
    to play
      move first(heap) to players[0].hand
      move Card where its.rank is 1 to lane
      for each card in Card
        if card.lies_at is none
          add card.rank to log
    """
    table = played(CARDS, rules)

    assert table.at("Player.hand", "ann") == []
    assert len(table.at("lane")) == 1
    assert table.at("log") == [1, 2, 3, 4]


def test_the_owner_is_the_last_player_in_whose_zone_it_lay() -> None:
    rules = """
    to play
      move first(heap) to players[1].hand
      move players[1].hand to lane
      for each card in lane
        if card.owner is players[1] and card.lies_at is none
          add 7 to log
      if first(heap).owner is none
        add 8 to log
    """

    assert played(CARDS, rules).at("log") == [7, 8]


def test_a_full_slot_is_a_rules_error() -> None:
    rules = "to play\n  move first(heap) to spot\n  move first(heap) to spot\n"
    with pytest.raises(PlayError) as caught:
        played(CARDS, rules)

    assert caught.value.code == "RW708"


def test_leaving_a_range_is_a_rules_error() -> None:
    table = begun(CARDS, "to play\n  add 3 to level\n  add 1 to level\n")
    with pytest.raises(PlayError) as caught:
        execute.advance(table.program, table.store)

    assert caught.value.code == "RW707"
    assert table.at("level") == 5


def test_nothing_on_top_is_a_rules_error_in_a_move() -> None:
    with pytest.raises(PlayError) as caught:
        played(CARDS, "to play\n  move heap to lane\n  move top(heap) to lane\n")

    assert caught.value.code == "RW706"


def test_a_family_is_set_as_a_whole_or_by_entry() -> None:
    rules = """
    to play
      set per to 4
      add 2 to per[players[1]]
    """

    assert played(CARDS, rules).at("per") == [4, 6]


def test_lists_take_elements_and_lists_and_lose_the_first_equal_one() -> None:
    rules = """
    to play
      add 1 to log
      add [2, 1] to log
      remove 1 from log
      remove 5 from log
    """

    assert played(CARDS, rules).at("log") == [2, 1]


def test_swap_exchanges_fields_and_zones() -> None:
    rules = """
    to play
      set players[0].points to 3
      swap players[0].points with players[1].points
      swap players[1].points with players[1].points
      move top(heap) to lane
      swap heap with lane
      move lane to players[0].hand
    """
    table = played(CARDS, rules)

    assert [table.at("Player.points", name) for name in ("ann", "ben")] == [0, 3]
    assert len(table.at("heap")) == 1
    assert len(table.at("Player.hand", "ann")) == 3


# --------------------------------------------------------------------------------- watched conditions


WATCHED = """
the game has, seen by players
  a: number = 0
  b: number = 0
  log: list of number = []
as soon as a > 0 and b is 0
  add 7 to log
"""


def test_a_condition_fires_when_an_atomic_verb_has_ended() -> None:
    rules = """
    to play
      as players[0]
        both
        choose n from 1..1
        one
        add 9 to log
    to both
      set a to 1
      set b to 1
    to one
      set b to 0
      add 8 to log
    after one
      add 80 to log
    """
    table = played(WATCHED, rules).say("1")

    assert table.at("log") == [8, 80, 7, 9]


def test_a_condition_fires_after_each_step_of_a_verb_that_asks() -> None:
    rules = """
    to play
      as players[0]
        set a to 1
        set b to 1
        choose n from 1..1
    """

    assert played(WATCHED, rules).at("log") == [7]


def test_a_condition_fires_only_when_it_becomes_true() -> None:
    rules = """
    to play
      as players[0]
        set a to 1
        set a to 2
        set a to 0
        set a to 3
        choose n from 1..1
    """

    assert played(WATCHED, rules).at("log") == [7, 7]


def test_conditions_sleep_during_set_up() -> None:
    rules = """
    to play
      set_up
      as players[0]
        choose n from 1..1
        set a to 2
    to set_up
      as players[0]
        set a to 1
        choose m from 1..1
    """
    table = played(WATCHED, rules).say("1", "1")

    assert table.over
    assert table.at("log") == []


def test_a_condition_with_me_is_watched_for_each_player_in_seat_order() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    the game has, seen by players
      log: list of number = []
    as soon as my.points > 0
      add position(me, players) to log
    to play
      as players[1]
        give_all
        choose n from 1..1
    to give_all
      for each p in players
        set p.points to 1
    """

    assert played(rules, players=3).at("log") == [1, 2, 0]


def test_a_block_may_make_another_condition_true() -> None:
    rules = """
    as soon as b > 0
      add 8 to log
    as soon as a is 2
      set b to 5
    to play
      as players[0]
        set a to 2
        choose n from 1..1
    """
    table = played(WATCHED, rules)

    assert table.at("log") == [7, 8]


def test_a_block_does_not_run_if_its_condition_is_false_again() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
      log: list of number = []
    as soon as a > 0
      set a to 0
      add 1 to log
    as soon as a is 1
      add 2 to log
    to play
      as players[0]
        set a to 1
        choose n from 1..1
    """

    assert played(rules).at("log") == [1]


def test_conditions_that_fire_for_ever_are_a_rules_error() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
    as soon as a mod 2 is 1
      add 1 to a
    as soon as a mod 2 is 0
      add 1 to a
    to play
      as players[0]
        add 1 to a
        choose n from 1..1
    """
    with pytest.raises(PlayError) as caught:
        played(rules)

    assert caught.value.code == "RW714"


def test_an_atomic_verb_begun_from_outside_is_followed_by_a_look() -> None:
    rules = "to play\n  one\nto one\n  set a to 1\n"

    assert played(WATCHED, rules, verb="one").at("log") == [7]


def test_what_is_true_already_does_not_fire_when_a_verb_is_begun() -> None:
    rules = "to play\n  one\nto one\n  set a to 2\n"
    table = begun(WATCHED, rules)
    store, program = table.store, table.program
    store.write(program.layout.slots["a"], 0, 1)
    execute.begin_verb(program, store, "one")
    execute.advance(program, store)

    assert table.at("log") == []


def test_a_block_may_end_the_game() -> None:
    rules = """
    the game has, seen by players
      a: number = 0
    as soon as a > 0
      end game "full"
    to play
      as players[0]
        choose n from 1..1
        set a to 1
        add 5 to a
    """
    table = played(rules).say("1")

    assert table.ending == "full"
    assert table.at("a") == 1


def test_a_block_may_ask() -> None:
    rules = """
    each Player has
      points: number = 0, seen by players
    as soon as my.points > 1
      choose extra from 1..2
      set my.points to 1
    to play
      as players[0]
        take 2
        take 2
    to take n: number
      set players[1].points to n
      choose m from 1..1
    """
    table = played(rules)

    assert table.asked.startswith("ben: watch:")
    assert table.say("2").asked == "ann: take.m"
    assert table.say("1").asked.startswith("ben: watch:")


# ---------------------------------------------------------------------------------------------- chance


def test_dictated_outcomes_come_in_their_order() -> None:
    rules = """
    to play
      set log to roll(2, 6)
      add random([30, 40]) to log
      add random(2, [50, 60, 70]) to log
      add shuffled([1, 2]) to log
    """
    table = played(LOG, rules, chance=(6, 5, 40, 70, 50, 2))

    assert table.at("log") == [6, 5, 40, 70, 50, 2, 1]
    assert table.store.dictated == ()


def test_an_outcome_that_cannot_come_is_refused() -> None:
    with pytest.raises(IllegalActionError):
        played(LOG, "to play\n  set log to roll(2, 6)\n", chance=(7,))


def test_explicit_chance_stops_at_each_draw() -> None:
    table = played(LOG, "to play\n  set log to random(2, [1, 2, 3])\n", explicit=True)

    assert table.asked == ""
    assert execute.chance_outcomes(table.program, table.store) == (1, 2, 3)
    execute.answer_chance(table.program, table.store, 2)
    assert execute.chance_outcomes(table.program, table.store) == (1, 3)
    execute.answer_chance(table.program, table.store, 3)
    assert table.over
    assert table.at("log") == [2, 3]


def test_random_of_nothing_is_none() -> None:
    rules = """
    to play
      let x = random(players where count(log) > 0)
      if x is none
        add 1 to log
      let few = random(3, [5])
      for each n in few
        add n to log
    """

    assert log(rules) == [1, 5]


def test_same_seed_same_game() -> None:
    rules = "to play\n  set log to roll(20, 6)\n"

    assert log(rules, seed=3) == log(rules, seed=3)
    assert log(rules, seed=3) != log(rules, seed=4)


IDLE = "to play\n  nothing\n"
BAG = """
each Card has
  rank: number
table Card for each rank in 1..5
the game has
  deck: pile of Card = Card, seen by []
  open: row of Card, seen by players
  kept: pile of Card, seen by []
"""


def ranks(table: object, field: str) -> list[int]:
    """Return the ranks of the cards in a zone."""
    store, layout = table.store, table.program.layout  # type: ignore[attr-defined]
    printed = layout.printed[layout.slots["Card.rank"]]
    return [printed[card.number] for card in store.columns[layout.slots[field]][0]]


def test_a_shuffled_pile_is_decided_when_somebody_looks() -> None:
    rules = "to play\n  shuffle deck\n  move top(2, deck) to open\n"
    table = played(BAG, rules, explicit=True)
    program, store = table.program, table.store

    assert len(execute.chance_outcomes(program, store)) == 5
    card = execute.chance_outcomes(program, store)[2]
    execute.answer_chance(program, store, card)
    assert card not in execute.chance_outcomes(program, store)
    execute.answer_chance(program, store, execute.chance_outcomes(program, store)[0])
    assert table.over
    assert ranks(table, "open") == [3, 1]
    assert ranks(table, "deck") == [2, 4, 5]


def test_what_is_put_onto_a_bag_lies_decided_on_top() -> None:
    rules = """
    to play
      shuffle deck
      move top(deck) to open
      move open to deck
      move top(deck) to open
    """
    first = loaded(BAG, IDLE).layout.things["Card"][3]
    table = played(BAG, rules, chance=(first,))

    assert ranks(table, "open") == [4]


def test_a_whole_bag_stays_a_bag_in_an_empty_pile() -> None:
    rules = "to play\n  shuffle deck\n  move deck to kept\n  move top(kept) to open\n"
    card = loaded(BAG, IDLE).layout.things["Card"][1]
    table = played(BAG, rules, chance=(card,))

    assert ranks(table, "open") == [2]
    assert len(ranks(table, "kept")) == 4


def test_a_card_taken_out_of_a_bag_makes_it_smaller() -> None:
    rules = """
    to play
      shuffle deck
      move Card where its.rank is 2 to open
      move deck to open
    """
    cards = loaded(BAG, IDLE).layout.things["Card"]
    table = played(BAG, rules, chance=(cards[4], cards[0], cards[2]))

    # Decided from the top: 5, then 1, then 3; the last lies on top.
    assert ranks(table, "open") == [2, 4, 3, 1, 5]


def test_every_order_of_a_bag_can_come() -> None:
    orders = {
        tuple(ranks(played(BAG, "to play\n  shuffle deck\n  move deck to open\n", seed=n), "open"))
        for n in range(60)
    }

    assert len(orders) > 30


def test_a_row_is_shuffled_at_once() -> None:
    rules = "to play\n  move deck to open\n  shuffle open\n"
    cards = loaded(BAG, IDLE).layout.things["Card"]
    table = played(BAG, rules, chance=(cards[4], cards[0], cards[2], cards[1]))

    assert ranks(table, "open") == [5, 1, 3, 2, 4]


# ------------------------------------------------------------------------------------ answers and ends


def test_an_answer_that_is_no_option_is_refused() -> None:
    table = played(LOG, "to play\n  as players[0]\n    choose n from 1..3\n")
    with pytest.raises(IllegalActionError):
        execute.answer(table.program, table.store, 4)
    table.say("3")
    with pytest.raises(IllegalActionError):
        execute.answer(table.program, table.store, 3)


def test_a_copy_goes_on_by_itself() -> None:
    rules = "to play\n  as players\n    choose n from 1..3\n    add n to my.points\n"
    table = played(LOG, rules)
    copy = table.store.clone()
    table.say("2")
    execute.answer(table.program, copy, 3)

    assert copy != table.store
    execute.answer(table.program, copy, 1)
    assert table.at("Player.points", "ann") == 2
    assert execute.is_over(copy)
    assert not table.over


def test_an_error_tells_which_rules_were_running() -> None:
    rules = """
    to play
      as players
        outer
    to outer
      add 1 / count(log) to log
    """
    with pytest.raises(PlayError) as caught:
        log(rules)

    assert caught.value.code == "RW704"
    assert [rule.text for rule in caught.value.stack] == ["add 1 / count(log) to log", "outer"]
