"""A saved game under other rules: it goes as far as it goes, and the first difference has its place."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from duel import DUEL, duel, say, started
from written import linked

from rulewright.interpreter.play import record, save_format
from rulewright.interpreter.play.api import Game, State, game_of
from rulewright.interpreter.play.replay import Replay
from rulewright.interpreter.state.errors import RecordError

CHOICES = """
each Player has, seen by players
  money: number = 5
  tokens: number = 0
each Coin has
  worth: number
table Coin for each worth in 1..4
the game has, seen by players
  row: row of Coin = Coin
  lists: list of number = []
to play
  repeat 3 times
    as players
      turn
to turn
  either "Earn"
    add 1 to my.money
  or "Spend"
    need my.money > 1 else "you are poor"
    add -1 to my.money
  or "Take some"
    choose up to 2 coins from row
    let taken = coins
    add count(taken) to my.tokens
  or "Share"
    choose split given of 3 over players
    for each p in players
      add given[p] to p.money
  or "Lists"
    choose any found from [[1], [], [2, 3]]
    set lists to if count(found) > 0 then first(found) else [9]
ranking
  most my.money
"""


def choices(*changes: tuple[str, str]) -> Game:
    """Return the game of this module, with other words at some places."""
    text = CHOICES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return game_of(linked(text), 2, names=("ann", "ben"))


def under(state: State, game: Game) -> Replay:
    """Return what becomes of a game that is saved and played under other rules."""
    return record.played(save_format.read(record.save(state)), game)


def places(found: Replay) -> list[str]:
    """Return the lines that make the difference."""
    assert found.difference is not None
    return [span.text.strip().partition("\n")[0] for span in found.difference.places]


def told(found: Replay) -> tuple[int, str]:
    """Return at which answer the difference is, and what it is."""
    assert found.difference is not None
    return found.difference.number, found.difference.text


# ------------------------------------------------------------------------------------------- the same


def test_every_way_to_answer_is_played_once_more() -> None:
    state = choices().new_initial_state(2)
    say(state, "Take some")
    state.answer_whole([1, 3])
    say(state, "Share")
    state.answer_whole({"ann": 2, "ben": 1})
    say(state, "Take some", 0, "done")
    say(state, "Lists")
    state.answer_whole([])
    say(state, "Lists")
    state.answer_whole([1])
    say(state, "Lists", 1)

    loaded = record.load(record.save(state), state.game)

    assert loaded.store == state.store and loaded.history() == state.history()


def test_what_was_answered_can_be_taken_back_behind_the_loading() -> None:
    state = say(choices().new_initial_state(2), "Take some", 0)

    loaded = record.load(record.save(state), state.game)
    assert loaded.can_undo()
    loaded.undo()

    assert len(loaded.history()) == 1


def test_other_words_are_no_difference() -> None:
    state = say(choices().new_initial_state(2), "Earn", "Spend", "Earn")

    found = under(state, choices(('"Earn"', '"Work for it"'), ("you are poor", "no money")))

    assert found.difference is None and not found.changed and found.same_rules
    assert found.state.history()[0].label == "Work for it"


def test_an_arm_is_known_by_its_label_where_there_are_others_now() -> None:
    state = say(choices().new_initial_state(2), "Spend", "Earn")

    first = '  either "Sleep"\n    nothing\n  or "Earn"'
    found = under(state, choices(('  either "Earn"', first)))

    assert found.difference is None
    assert found.changed == ("verb turn",) and found.same_rules is False
    assert [one.label for one in found.state.history()] == ["Spend", "Earn"]


# -------------------------------------------------------------------------------------- what is not


def test_an_arm_that_is_gone_is_the_first_difference() -> None:
    state = say(choices().new_initial_state(2), "Earn", "Spend", "Earn")

    found = under(state, choices(('"Spend"', '"Burn"'), ("add -1 to", "add -2 to")))

    assert told(found) == (2, "this cannot be chosen here")
    assert len(found.state.history()) == 1
    say(found.state, "Burn")


def test_a_requirement_that_is_not_met_is_told_with_its_line() -> None:
    state = say(choices().new_initial_state(2), "Earn", "Spend")

    found = under(state, choices(("need my.money > 1", "need my.money > 5")))

    assert told(found) == (2, "this is not possible: you are poor")
    assert places(found) == ['need my.money > 5 else "you are poor"']


def test_what_happens_in_another_way_is_told_with_the_line_that_does_it() -> None:
    state = say(choices().new_initial_state(2), "Earn", "Spend", "Earn")

    found = under(state, choices(("add -1 to my.money", "add -2 to my.money")))

    assert told(found) == (2, "something else happens")
    assert found.difference is not None
    assert found.difference.then is not None and found.difference.then.data[1] == -1
    assert found.difference.now is not None and found.difference.now.data[1] == -2
    assert places(found)[0] == "add -2 to my.money"
    assert len(found.state.history()) == 2


def test_what_happens_no_more_is_told_with_the_changed_rule() -> None:
    state = say(choices().new_initial_state(2), "Earn", "Spend", "Earn")

    found = under(state, choices(("    add -1 to my.money", "    nothing")))

    assert found.difference is not None
    assert found.difference.number == 2 and found.difference.now is None
    assert found.changed == ("verb turn",) and places(found)


def test_a_game_that_begins_in_another_way_has_no_answer_to_blame() -> None:
    state = say(duel().new_initial_state(1), "Lay")
    rules = DUEL.replace("move top(hand_size, deck)", "move top(1, deck)")

    found = under(state, game_of(linked(rules), None, {}, ("ann", "ben")))

    assert told(found) == (0, "the game begins in another way")
    assert found.changed == ("verb play",)
    assert "move top(1, deck) to my.hand" in places(found)


def test_a_game_that_is_over_sooner_is_told() -> None:
    state = say(choices().new_initial_state(2), *["Earn"] * 3)

    found = under(state, choices(("repeat 3 times", "repeat 1 times")))

    assert told(found) == (2, "something else happens") or told(found) == (3, "the game is over")


def test_rules_that_go_wrong_by_now_are_told() -> None:
    state = say(choices().new_initial_state(2), "Earn")

    with pytest.raises(RecordError, match="go wrong when the game begins"):
        under(state, choices(("add 1 to my.money", "add 1 / (my.money - 5) to my.money")))
    late = "if my.money > 5\n      add 1 / 0 to my.money\n    add -1 to my.money"
    state = say(choices().new_initial_state(2), "Earn", "Earn", "Spend")

    found = under(state, choices(("add -1 to my.money", late)))

    assert told(found)[0] == 3 and "divided by zero" in told(found)[1]


def test_options_that_are_new_or_gone_are_no_matter_by_themselves() -> None:
    state = say(choices().new_initial_state(2), "Earn")
    option = "option speed: number in 1..2 = 1\nto play"

    assert under(state, choices(("to play", option))).difference is None


def test_chance_in_the_hands_of_a_driver_is_played_once_more() -> None:
    state = started(
        "each Player has, seen by players\n  n: number = 0\n"
        "to play\n  as players\n    add random(1..6) to my.n\n    choose m from 1..2\n"
        "ranking\n  most my.n",
        explicit=True,
    )
    state.apply_chance(4)
    state.apply_action(0)

    loaded = record.load(record.save(state), state.game)

    assert loaded.is_chance_node() and loaded.store == state.store
    saved = save_format.read(record.save(state))
    other = attrs.evolve(saved, answers=[attrs.evolve(saved.answers[0], value=9), saved.answers[1]])
    with pytest.raises(RecordError, match="chance cannot bring this"):
        record.restore(other, state.game)


def test_a_save_knows_its_rules_wherever_they_lie(tmp_path: Path) -> None:
    text = f'language 1\ngame "Test" for 2..2 players\n{CHOICES}'
    games = []
    for name, more in (("here", ""), ("there", "# a comment\n\n")):
        folder = tmp_path / name / "tested"
        folder.mkdir(parents=True)
        (folder / "game.rules").write_text(text.replace("to turn", f"{more}to turn"))
        games.append(record.load_game(str(folder), names=["ann", "ben"]))
    state = say(games[0].new_initial_state(3), "Earn")

    found = under(state, games[1])

    assert found.difference is None and found.same_rules
