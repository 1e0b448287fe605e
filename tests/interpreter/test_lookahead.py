"""No offered option leads to a dead end, up to the horizon and not beyond it (guide, section 7)."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written import Table, begun, played

from rulewright.dsl.compile import compile_game
from rulewright.interpreter import decisions, execute, lookahead
from rulewright.interpreter.chance import Generator
from rulewright.interpreter.errors import IllegalActionError, PlayError
from rulewright.interpreter.lookahead import Stuck
from rulewright.interpreter.program import Program, load_program
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Value

GAMES = Path(__file__).resolve().parent.parent.parent / "games"

GAME = """
each Card has
  rank: number
table Card for each rank in 1..6
each Player has
  hand:   cards of Card, seen by owner
  secret: cards of Card, seen by []
  points: number = 0, seen by players
the game has, seen by players
  deck:   pile of Card = Card, seen by []
  faces:  pile of Card
  lane:   row of Card
  n:      number = 0
  hidden: number = 3, seen by []
  log:    list of number = []
"""


def play(rules: str, **more: object) -> Table:
    """Play the game with cards, the body of `play` in front."""
    return played(GAME, rules, **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ nothing dead


def test_an_option_is_offered_if_it_can_be_carried_out() -> None:
    rules = """
    to play
      as players
        choose k from 1..4
        set n to k
        need n > 2 else "{n} is too little"
    """
    table = play(rules)

    assert table.menu == ["3", "4"]
    assert table.all == ["1", "2", "3", "4"]
    assert table.why("1") == ["1 is too little"]
    with pytest.raises(IllegalActionError) as caught:
        table.say("2")
    assert [reason.text for reason in caught.value.reasons] == ["2 is too little"]


def test_a_trial_leaves_no_trace() -> None:
    rules = """
    to play
      as players
        choose k from 1..4
        set n to k
        move deck to players[1].secret
        need n > 2 else "{n} is too little"
        choose m from 1..2
        need m is 2 else "two"
    """
    table = play(rules)
    before = table.store.clone()
    assert table.menu == ["3", "4"]
    table.why("1")

    assert table.store == before
    assert len(table.told) == len(list(before.events()))
    assert table.store.trail is None


def test_all_later_decisions_of_mine_are_searched() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        choose b from 1..3 where it > a
        choose c from 1..3 where it > b
        set n to c
    """
    table = play(rules)

    assert table.menu == ["1"]
    assert table.say("1").menu == ["2"]


def test_a_witness_may_need_several_decisions() -> None:
    rules = """
    to play
      as players
        choose a from 0..3
        choose b from 0..3
        choose c from 0..3
        need a + 4 * b + 16 * c is 27 or a + 4 * b + 16 * c is 62 else "no"
    """
    table = play(rules)

    assert table.menu == ["2", "3"]
    assert table.say("3").menu == ["2"]
    assert table.say("2").menu == ["1"]


def test_a_choice_that_finds_nothing_is_a_dead_end() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        choose b from lane where its.rank is a
    after play
      nothing
    before play
      move deck to lane
      move lane where its.rank is 2 to faces
    """
    table = play(rules)

    assert table.menu == ["1", "3"]
    assert table.why("2") == ["nothing to choose: b"]


def test_an_either_without_an_arm_is_a_dead_end() -> None:
    rules = """
    to play
      as players
        choose a from 1..3
        either "High" when a is 3
          nothing
        or "Low" when a is 1
          nothing
    """
    table = play(rules)

    assert table.menu == ["1", "3"]
    assert table.why("2") == ["no arm is possible"]


def test_menus_of_verbs_offer_what_can_be_done() -> None:
    rules = """
    define actions = [rest, pay, cheat]
    to play
      as players
        choose action from actions
        do action
        turn_over
    to rest "Rest"
      nothing
    to pay "Pay"
      need my.points > 0 else "you have nothing"
    to cheat "Cheat"
      set n to 1
    to turn_over
      need n is 0 else "found out"
    """
    table = play(rules)

    assert table.menu == ["Rest"]
    assert table.why("Pay") == ["you have nothing"]
    assert table.why("Cheat") == ["found out"]


def test_end_game_on_the_way_is_a_success() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          end game "over"
        need no else "never"
    """

    assert play(rules).menu == ["1"]


# ----------------------------------------------------------------------------------------- horizons


def beyond(steps: str) -> list[str]:
    """Return which of two answers live, if both fail behind some steps but for those steps."""
    indented = "\n".join(f"        {line}" for line in steps.splitlines())
    rules = f"""
    to play
      as players
        choose a from 1..2
{indented}
        need n > 5 else "dead"
    to draw_one
      move top(deck) to my.hand
    to other_decides
      as players[1]
        may "Do it"
          need no else "never"
    """
    table = begun(GAME, rules)
    table.store.dictated = ()
    try:
        execute.advance(table.program, table.store)
    except Stuck:
        return []
    return table.menu


@pytest.mark.parametrize(
    "steps",
    [
        "let x = random(1..6)",
        "set n to random(1..6)",
        "move random(2, Card) to lane",
        "move top(deck) to my.hand",
        "draw_one",
        "let x = top(deck)",
        "show top(deck) to players",
        "if hidden > 2\n  nothing",
        "for each x in players[1].hand\n  nothing",
        "let x = count(players[1].hand where its.rank is 2)",
        "repeat hidden times\n  nothing",
        "repeat until hidden is 3\n  add 1 to hidden",
        "shuffle faces",
        "move deck to faces",
        "other_decides",
        "as players[1]\n  choose b from 1..1",
    ],
)
def test_what_i_cannot_know_is_a_horizon(steps: str) -> None:
    assert beyond(steps) == ["1", "2"]


@pytest.mark.parametrize(
    "steps",
    [
        "set n to a",
        "let x = count(deck)",
        "if deck is empty\n  nothing",
        "shuffle deck",
        "move deck to players[1].secret",
        "for each x in my.hand\n  nothing",
        "for each x in [1, 2]\n  set n to x",
        "let x = count(my.hand where its.rank is 2)",
        "as players[1]\n  add 1 to my.points",
        "repeat 2 times\n  set n to a",
        "as me\n  choose b from 1..2",
        "set hidden to 2",
    ],
)
def test_what_follows_from_what_i_know_is_none(steps: str) -> None:
    assert beyond(steps) == []


def test_the_end_of_the_pass_of_an_as_is_the_horizon() -> None:
    rules = """
    to play
      as players
        work
      need n > 5 else "dead"
    to work
      choose a from 1..2
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    table.say("1")
    with pytest.raises(Stuck):
        table.say("1")


def test_without_an_as_or_repeat_the_end_of_the_game_is_the_horizon() -> None:
    rules = """
    to play
      nothing
    to work
      choose a from 1..2
      inner
      need n is 2 else "dead"
    to inner
      choose b from 1..3
      set n to b
    """
    table = played(GAME, rules, verb="work", me="ann")

    assert table.menu == ["1", "2"]
    assert table.say("1").menu == ["2"]


def test_a_repeat_cuts_a_turn_into_actions() -> None:
    rules = """
    to play
      as players
        repeat 2 times
          choose a from 1..2
          add a to my.points
        need my.points is 4 else "dead"
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    table.say("1")
    with pytest.raises(PlayError) as caught:
        table.say("1")
    assert caught.value.code == "RW701"


def test_a_repeat_behind_my_first_decision_does_not_cut() -> None:
    rules = """
    to play
      as players
        choose first_one from 1..2
        repeat 2 times
          choose a from 1..2
          add a to my.points
        need my.points is 4 else "dead"
    """
    table = play(rules)

    assert table.menu == ["1", "2"]
    assert table.say("1").menu == ["2"]
    assert table.say("2").menu == ["2"]


def test_for_each_steps_and_verbs_do_not_cut() -> None:
    rules = """
    to play
      as players
        for each x in [1, 2]
          step inner
            work x
        need my.points is 4 else "dead"
    to work x: number
      choose a from 1..2
      add a to my.points
    """
    table = play(rules)

    assert table.menu == ["2"]
    assert table.say("2").menu == ["2"]


def test_the_pass_ends_too_when_stop_leaves_it() -> None:
    rules = """
    to play
      work
      need n > 5 else "dead"
    to work
      as players
        choose a from 1..2
        if a is 1
          stop
        stop_it
    to stop_it
      if n is 0
        stop work
    """

    assert play(rules).menu == ["1", "2"]


def test_a_verb_value_with_a_loop_of_its_own_ends_with_its_pass() -> None:
    rules = """
    to play
      as players
        turn
        need n > 5 else "dead"
    to turn
      repeat while n < 2
        action
    to action
      choose a from 1..2
      add 1 to n
      need a is 2 else "two"
    """

    assert play(rules).menu == ["2"]


def test_a_list_of_viewers_that_depends_on_the_state_is_asked_in_play() -> None:
    rules = """
    the game has
      vault: cards of Card = [], seen by players where its.points > 0
    to play
      set players[1].points to 1
      as players
        choose a from 1..2
        if count(vault where its.rank > 2) > 0
          nothing
        need n > 5 or me is players[0] else "dead"
    """
    table = play(rules)

    # To ann it is hidden, so that she may do anything; ben sees that he is lost.
    assert table.menu == ["1", "2"]
    with pytest.raises(Stuck):
        table.say("1")


# ------------------------------------------------------------------------------------ may and either


def test_a_may_that_cannot_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Pay"
          need my.points > 0 else "poor"
        choose a from 1..1
    """

    assert play(rules).asked == "ann: play.a"


def test_a_may_that_must_be_done_is_not_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn"
          set n to 1
        need n is 1 else "poor"
        choose a from 1..1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 1


def test_a_may_with_both_is_asked() -> None:
    rules = """
    to play
      as players[0]
        may "Earn {1 + 1}"
          set n to 2
    """
    table = play(rules)

    assert table.menu == ["Earn 2", 'no "Earn 2"']
    assert table.say("Earn 2").at("n") == 2


def test_arms_that_cannot_be_carried_out_are_hidden() -> None:
    rules = """
    to play
      as players[0]
        either "Pay"
          need my.points > 0 else "poor"
        or "Wait"
        or "Guarded" when n > 0
          nothing
    """
    table = play(rules)

    assert table.menu == ["Wait"]
    assert table.all == ["Pay", "Wait"]
    assert table.why("Pay") == ["poor"]


def test_or_stop_is_taken_when_nothing_lives() -> None:
    rules = """
    to play
      as players[0]
        work
        choose a from 1..1
    to work
      choose b from 1..3 or stop
      need b > 7 else "too little"
      set n to 1
    """
    table = play(rules)

    assert table.asked == "ann: play.a"
    assert table.at("n") == 0


def test_or_stop_is_not_taken_by_wish() -> None:
    rules = """
    to play
      as players[0]
        work
    to work
      choose b from 1..3 or stop
      need b > 2 else "too little"
    """

    assert play(rules).menu == ["3"]


def test_or_stop_counts_in_a_trial() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..2
        work a
    to work a: number
      choose b from 1..3 where it > 2 * a or stop
      need b is 3 else "three"
    after work
      need a is 2 else "two"
    """

    assert play(rules).menu == ["2"]


# ----------------------------------------------------------------------------------------------- can


CAN = """
    to pay p: number
      choose card from my.hand where its.rank >= p
      need n is 0 else "not now"
      set n to 1
      move card to lane
    to play
      move Card where its.rank is 3 to players[0].hand
      as players[0]
        choose a from 1..5 where can(pay(it))
    """


def test_can_is_a_search_as_a_value() -> None:
    table = play(CAN)

    assert table.menu == ["1", "2", "3"]
    assert table.at("n") == 0


def test_can_begin_tells_why_not() -> None:
    table = play(CAN)
    program, store = table.program, table.store
    pay = next(verb.id for verb in program.game.verbs.values() if verb.name == "pay")

    assert lookahead.can_begin(program, store, pay, (2,), table.seat("ann")) == (True, ())
    possible, reasons = lookahead.can_begin(program, store, pay, (4,), table.seat("ann"))
    assert not possible
    assert [reason.text for reason in reasons] == ["nothing to choose: card"]


def test_can_ends_with_the_verb() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..2
        need can(work(a)) else "no"
        need a is 2 else "two"
    to work a: number
      repeat 2 times
        choose b from 1..3
        add b to n
      need n is 6 else "six"
    """

    assert play(rules).menu == ["2"]


# -------------------------------------------------------------------------------------------- reasons


def test_the_reasons_are_those_of_the_trials_that_came_furthest() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          either "Early"
            need no else "early"
          or "Late"
            need n is 0 else "never shown"
            need no else "late"
          or "Also late"
            need n is 0 else "never shown"
            need no else "also late"
    """

    assert play(rules).why("1") == ["late", "also late"]


def test_answers_count_more_than_needs() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        if a is 1
          either "Many needs"
            need n is 0 else "1"
            need n is 0 else "2"
            need n is 1 else "needs"
          or "One answer"
            choose b from 1..2
            need n is 1 else "answer"
    """

    assert play(rules).why("1") == ["answer"]


def test_sets_say_what_is_missing() -> None:
    rules = """
    to play
      move Card where its.rank < 4 to players[0].hand
      as players[0]
        either "Four"
          choose 4 cards from my.hand
        or "Seven"
          choose 2 pair from my.hand such that sum(pair each its.rank) is 7
        or "Five"
          choose 2 pair from my.hand such that sum(pair each its.rank) is 5
    """
    table = play(rules)

    assert table.menu == ["Five"]
    assert table.why("Four") == ["not enough for cards"]
    assert table.why("Seven") == ["no selection for pair"]


def test_a_reason_knows_its_rule_and_the_values() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        need my.points + a >= 2 and n is 0 else "poor"
    """
    table = play(rules)
    (reason,) = lookahead.explain_dead(table.program, table.store, 1)

    assert reason.kind == "need"
    assert reason.span.text.startswith("need my.points")
    assert reason.values == (("my.points + a", 1), ("n", 0))


# ----------------------------------------------------------------------------------- stuck and budgets


def test_a_decision_that_must_be_made_without_an_option_is_stuck() -> None:
    rules = """
    to play
      as players
        choose a from 1..2
        need n > 2 else "n is {n}"
    """
    with pytest.raises(Stuck) as caught:
        play(rules)

    assert caught.value.code == "RW701"
    assert [reason.text for reason in caught.value.reasons] == ["n is 0"]
    assert caught.value.stack[0].text == "choose a from 1..2"


def test_a_need_behind_the_horizon_is_stuck_with_its_reason() -> None:
    table = begun(GAME, 'to play\n  need n > 1 else "n is {n}"\n')
    with pytest.raises(Stuck) as caught:
        execute.advance(table.program, table.store)

    assert [reason.text for reason in caught.value.reasons] == ["n is 0"]


LARGE = """
    to play
      as players[0]
        choose a from 1..9
        choose b from 1..9
        choose c from 1..9
        choose d from 1..9
        choose e from 1..9
        choose f from 1..9
        need a + b + c + d + e > 99 else "never"
    """


def test_a_search_that_grows_too_large_is_an_error_in_tests() -> None:
    with pytest.raises(PlayError) as caught:
        play(LARGE)

    assert caught.value.code == "RW703"


def test_in_play_what_is_unproved_is_offered() -> None:
    table = begun(GAME, LARGE)
    table.store.strict = False
    execute.advance(table.program, table.store)

    assert table.menu == [str(number) for number in range(1, 10)]


def test_a_mistake_of_the_rules_is_one_in_a_trial_too() -> None:
    rules = """
    to play
      as players[0]
        choose a from 0..2
        set n to 2 / a
        need n > 0 else "no"
    """
    with pytest.raises(PlayError) as caught:
        play(rules)

    assert caught.value.code == "RW704"
    assert [rule.text for rule in caught.value.stack][-1].startswith("play") or caught.value.stack


# --------------------------------------------------------------------------------------- random answers


def test_a_random_answer_is_any_that_lives() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..6
        need a mod 2 is 0 else "odd"
    """
    table = play(rules)
    random = Generator(1)
    found = {lookahead.pick_random(table.program, table.store, random) for _ in range(60)}

    assert found == {2, 4, 6}


def test_a_big_range_stays_one() -> None:
    rules = """
    to play
      as players[0]
        choose a from 1..1000000
        need a > 10 else "little"
    """
    table = play(rules)

    assert decisions.options(table.program, table.store) == range(1, 1_000_001)
    assert lookahead.pick_random(table.program, table.store, Generator(1)) > 10


def test_watched_conditions_count_in_a_trial() -> None:
    rules = """
    as soon as n is 1
      set n to 7
    to play
      as players[0]
        choose a from 1..2
        set n to a
        need n is 7 else "seven"
    """

    assert play(rules).menu == ["1"]


# --------------------------------------------------------------------- against brute force, on the shelf

Block = list["Step"]
Step = tuple[str, int, list[Block]]


def blocks(depth: int) -> st.SearchStrategy[Block]:
    """Generate blocks of steps that add to a number, ask, branch and require."""
    plain = st.tuples(st.sampled_from(["choose", "need", "mix"]), st.integers(1, 4), st.just([]))
    if depth == 0:
        return st.lists(plain, max_size=3)
    inner = blocks(depth - 1)
    nested = st.tuples(
        st.sampled_from(["either", "if"]),
        st.integers(1, 4),
        st.lists(inner, min_size=2, max_size=2),
    ) | st.tuples(st.just("may"), st.integers(1, 4), st.lists(inner, min_size=1, max_size=1))
    return st.lists(plain | nested, max_size=3)


def written(block: Block, indent: str) -> str:
    """Return a block as rule text."""
    text = ""
    for word, k, inner in block or [("mix", 1, [])]:
        match word:
            case "choose":
                text += f"{indent}choose x from 0..{k}\n{indent}set n to (3 * n + x) mod 13\n"
            case "need":
                text += f'{indent}need n mod {k + 1} is not {k} else "no"\n'
            case "mix":
                text += f"{indent}set n to (2 * n + {k}) mod 13\n"
            case "either":
                text += f'{indent}either "A"\n{written(inner[0], indent + "  ")}'
                text += f'{indent}or "B" when n > {k}\n{written(inner[1], indent + "  ")}'
            case "if":
                text += f"{indent}if n > {2 * k}\n{written(inner[0], indent + '  ')}"
                text += f"{indent}else\n{written(inner[1], indent + '  ')}"
            case "may":
                text += f'{indent}may "C"\n{written(inner[0], indent + "  ")}'
    return text


def lives(steps: Block, n: int) -> bool:
    """Return whether some answers lead through all steps."""
    if not steps:
        return True
    (word, k, inner), rest = steps[0], steps[1:]
    match word:
        case "choose":
            return any(lives(rest, (3 * n + x) % 13) for x in range(k + 1))
        case "need":
            return n % (k + 1) != k and lives(rest, n)
        case "mix":
            return lives(rest, (2 * n + k) % 13)
        case "either":
            return lives(body(inner[0]) + rest, n) or (n > k and lives(body(inner[1]) + rest, n))
        case "if":
            return lives(body(inner[0 if n > 2 * k else 1]) + rest, n)
    return lives(rest, n) or lives(body(inner[0]) + rest, n)


def body(block: Block) -> Block:
    """Return what an empty block is written as."""
    return block or [("mix", 1, [])]


@settings(max_examples=80, deadline=None)
@given(blocks(2), st.integers(0, 12))
def test_the_menu_is_that_of_brute_force(block: Block, start: int) -> None:
    text = written([("choose", 4, []), *block], "        ")
    rules = f"""
    to play
      set n to {start}
      as players[0]
{text}
    """
    expected = [x for x in range(5) if lives(block, (3 * start + x) % 13)]
    try:
        table = play(rules)
    except Stuck:
        assert expected == []
        return

    assert [int(label) for label in table.menu] == expected
    for x in set(range(5)) - set(expected):
        assert table.why(str(x))


def shelf_games() -> list[str]:
    """Return the names of the games of the shelf."""
    return sorted(path.parent.name for path in GAMES.glob("*/game.rules"))


def tried(program: Program, store: Store, value: Value) -> bool:
    """Return whether the trial of an option succeeds, even if no trial is necessary."""
    asked = decisions.current(program, store)
    return lookahead.attempt(program, store, lambda search: search.answer(asked, value)) is None


@pytest.mark.parametrize("name", shelf_games())
def test_games_of_the_shelf_are_played_without_a_trace_of_trials(name: str) -> None:
    game = compile_game(name).model_or_raise()
    program = load_program(game, game.least_players)
    for seed in range(3):
        store = execute.begin(program, seed)
        store.strict = True
        execute.advance(program, store)
        random = Generator(seed)
        for number in range(150):
            if execute.pending(program, store) is None:
                break
            before = store.clone()
            living = list(lookahead.living(program, store))
            assert all(tried(program, store, value) for value in living[:3])
            if number % 10 == 0:
                for value in list(decisions.options(program, store))[:20]:
                    dead = bool(lookahead.explain_dead(program, store, value))
                    assert dead is (value not in living)
            assert store == before
            value = lookahead.pick_random(program, store, random)
            assert value in living
            execute.answer(program, store, value, trusted=True)
