"""Why something is possible or not, in the author's words."""

import re
from pathlib import Path

import pytest
from duel import duel, say, started

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.explain.citations import statements
from rulewright.interpreter.explain.findings import Finding
from rulewright.interpreter.play.api import State, game_of, load_game
from rulewright.interpreter.state.errors import InvalidActionError

BOOK = """# The Book of Toll

## Passing

1. Who passes pays 3 coins.
2. Nobody passes twice
   in one turn.

## Swimming

Whoever cannot swim stays.

It is allowed at night.
"""

GAME = """language 1
game "Toll" for 1..2 players
book "toll.md"
each Player has, seen by players
  coins: number = 2
  passed: flag = no
each Bridge has
  name: text
  open: flag
table Bridge                              see Passing
  | name  | open |
  | North | yes  |
  | South | no   |
define toll = 3                           see Passing
to play
  as players
    choose action from [pass_on, swim]
    do action
  end game "over"
to pass_on "Pass the bridge"              see Passing
  need my.coins >= toll else "the toll is {toll}, you have {my.coins}"
  choose bridge from Bridge where its.open
  set my.passed to yes
to swim "Swim"                            see Swimming
  either "Quickly" when my.coins > 5
    nothing
  or "Slowly"
    nothing
ranking
  most my.coins
"""


@pytest.fixture
def toll(tmp_path: Path) -> State:
    """A game with a rule book and a variant that changes a number."""
    folder = tmp_path / "toll"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.rules").write_text(GAME, encoding="utf-8")
    (folder / "toll.md").write_text(BOOK, encoding="utf-8")
    (folder / "variants" / "dear.rules").write_text(
        'language 1\nvariant "Dear" of toll\nchange toll by 1   see Passing\n', encoding="utf-8"
    )
    compilation = compile_game(str(folder), ["Dear"])
    game = game_of(compilation.model_or_raise(), names=["ann"], folder=compilation.target.folder)
    return game.new_initial_state(0)


def test_a_dead_option_is_explained_with_values_amendments_and_the_book(toll: State) -> None:
    found = toll.why("pass the bridge")

    assert (found.subject, found.possible) == ("Pass the bridge", False)
    (why,) = found.reasons
    assert why.text == "the toll is 4, you have 2"
    assert why.values == (Finding("my.coins", "2"), Finding("toll", "3 + 1 Dear = 4"))
    assert why.rule == 'need my.coins >= toll else "the toll is {toll}, you have {my.coins}"'
    assert why.place.endswith("game.rules:21")
    (changed,) = why.changed_by
    assert re.fullmatch(r"toll is 3 \+ 1 Dear = 4 \(.*dear\.rules:3\)", changed)
    (quote,) = why.quotes
    assert (quote.book, quote.section) == ("The Book of Toll", "Passing")
    assert quote.statements == (
        "Who passes pays 3 coins.",
        "Nobody passes twice in one turn.",
    )


def test_an_explanation_is_rendered_in_lines(toll: State) -> None:
    lines = toll.why("pass_on").text().splitlines()

    assert lines[0] == "Pass the bridge: this is not possible."
    assert lines[1:4] == [
        "  the toll is 4, you have 2",
        "    my.coins is 2",
        "    toll is 3 + 1 Dear = 4",
    ]
    assert lines[-3:] == [
        '    The Book of Toll, "Passing"',
        "      - Who passes pays 3 coins.",
        "      - Nobody passes twice in one turn.",
    ]


def test_what_is_possible_is_said_to_be(toll: State) -> None:
    assert toll.why("swim").text() == "Swim: this is possible."


def test_an_arm_whose_guard_does_not_hold(toll: State) -> None:
    toll.apply_action("Swim")

    (why,) = toll.why("quickly").reasons

    assert (why.text, why.rule) == ("the condition does not hold", "my.coins > 5")
    assert why.values == (Finding("my.coins", "2"),)


def test_a_thing_that_a_condition_leaves_out() -> None:
    state = started(
        """
        each Bridge has
          name: text
          width: number
        table Bridge
          | name  | width |
          | North | 3     |
          | South | 1     |
          | East  | 2     |
        to play
          as players
            choose bridge from Bridge where its.width > 1 where its.name is not "East"
        """
    )

    (south,) = state.why("south").reasons
    (east,) = state.why("East").reasons

    assert (south.rule, south.values) == ("its.width > 1", (Finding("its.width", "1"),))
    assert east.values == (Finding("its.name", "East"),)
    assert state.why("North").possible


def test_a_verb_that_is_no_option_now_is_tried_from_its_beginning() -> None:
    state = say(duel().new_initial_state(1), "Lay")

    assert not state.why("Pay 2 tokens").possible
    assert [why.text for why in state.why("pay").reasons] == ["you are poor"]
    assert state.why("swap_two").possible


def test_all_reasons_of_the_longest_attempts_are_told() -> None:
    state = started(
        """
        each Player has
          coins: number = 1, seen by players
        to play
          as players
            choose action from [buy, leave]
            do action
        to buy
          choose price from 2..3
          if price is 2
            need my.coins > 4 else "not enough for two"
          need my.coins > 5 else "not enough at all"
        to leave
          nothing
        """
    )

    assert [why.text for why in state.why("buy").reasons] == [
        "not enough for two",
        "not enough at all",
    ]


def test_what_nobody_can_do_is_not_explained(toll: State) -> None:
    with pytest.raises(InvalidActionError, match="did you mean 'Swim'"):
        toll.why("swym")
    with pytest.raises(InvalidActionError, match=r"is called 'xyz'$"):
        toll.why("xyz")


def test_a_game_that_is_over_still_explains_its_verbs(toll: State) -> None:
    say(toll, "Swim", "Slowly")

    assert toll.is_terminal()
    assert not toll.why("pass_on").possible


def test_statements_are_items_of_a_list_or_paragraphs() -> None:
    assert list(statements("1. One\n2. Two\n   goes on\n\nThree\nand more\n\n- Four")) == [
        "One",
        "Two goes on",
        "Three and more",
        "Four",
    ]
    assert list(statements("")) == []
    assert len(next(statements("x" * 1000))) == 300


def test_what_can_not_be_done_later_says_why(tmp_path: Path) -> None:
    (tmp_path / "orders").mkdir()
    (tmp_path / "orders" / "game.rules").write_text(
        """language 1
game "Orders" for 1..2 players
each Ware has
  name: text
  cost: number
table Ware
  | name  | cost |
  | Ox    | 4    |
  | Apple | 1    |
each Player has, seen by players
  coins: number = 2
to play
  as players
    choose ware from Ware
    need my.coins >= 0 and can(pay(ware)) else "you could not pay for this"
    pay ware
  end game "over"
to pay ware: Ware
  need my.coins >= ware.cost else "{ware} costs {ware.cost}, you have {my.coins}"
  add -ware.cost to my.coins
ranking
  most my.coins
"""
    )
    compiled = compile_game(str(tmp_path / "orders"))
    state = game_of(compiled.model_or_raise(), names=["ann", "ben"]).new_initial_state(0)

    told = state.why("Ox", 0)

    assert [reason.text for reason in told.reasons] == ["you could not pay for this"]
    (behind,) = told.reasons[0].behind
    assert behind.text == "Ox costs 4, you have 2"
    assert Finding("ware.cost", "4") in behind.values
    assert "    Ox costs 4, you have 2\n" in told.text()
    assert state.why("Apple", 0).possible


def with_variants(folder: Path, *rules: str) -> State:
    """Return the game without its book, begun with variants A, B, ... all on."""
    (folder / "toll" / "variants").mkdir(parents=True)
    base = "\n".join(
        line.partition("  see ")[0] for line in GAME.splitlines() if "book" not in line
    )
    (folder / "toll" / "game.rules").write_text(base + "\n", encoding="utf-8")
    titles = [chr(ord("A") + number) for number in range(len(rules))]
    for title, text in zip(titles, rules, strict=True):
        path = folder / "toll" / "variants" / f"{title.lower()}.rules"
        path.write_text(f'language 1\nvariant "{title}" of toll\n{text}\n', encoding="utf-8")
    compilation = compile_game(str(folder / "toll"), titles)
    return game_of(compilation.model_or_raise(), names=["ann"]).new_initial_state(0)


def test_what_only_a_variant_forbids_names_the_variant_and_its_line(tmp_path: Path) -> None:
    rule = 'change toll to 1\nbefore swim\n  need my.coins > 2 else "the water is cold"'
    found = with_variants(tmp_path, rule).why("swim")

    (why,) = found.reasons
    assert (why.text, why.variant) == ("the water is cold", "A")
    assert why.place.endswith("a.rules:5")
    assert "    the variant A says so:" in found.text().splitlines()


def test_a_verb_that_a_variant_takes_from_the_menu_is_not_possible(tmp_path: Path) -> None:
    rules = """
change toll to 1
change menu to original without [pass_on]
define menu = [pass_on, swim]
instead of play
  as players
    choose action from menu
    do action
  end game "over"
"""
    found = with_variants(tmp_path, rules).why("pass_on")

    assert not found.possible
    (why,) = found.reasons
    assert (why.text, why.variant) == ("it is not among these", "A")
    (changed,) = why.changed_by
    assert re.fullmatch(r"menu \(A, .*a\.rules:5\)", changed)


def test_a_number_is_told_step_by_step_through_the_defines_that_it_asks(tmp_path: Path) -> None:
    first = """
change toll to 10 when my.coins > 1
change toll to at most 9
change toll to at least 2
define fee(n: number) = n * rate
define rate = 1
before pass_on
  need my.coins > fee(4) else "no"
"""
    second = """
requires "A"
change toll by -1
change rate by 2 when my.coins > 5
change rate by 3
"""
    found = with_variants(tmp_path, first, second)
    (fee,) = found.why("pass_on").reasons
    assert re.fullmatch(r"rate is 1 \+ 3 B = 4 \(.*b\.rules:6, .*b\.rules:7\)", fee.changed_by[0])

    paid = with_variants(
        tmp_path / "again", first.partition("define fee")[0], second.partition("change rate")[0]
    )
    (toll,) = paid.why("pass_on").reasons
    assert re.fullmatch(
        r"toll is 3 \(to 10: A\) - 1 B = 9 \(.*a\.rules:4, .*b\.rules:5\)", toll.changed_by[0]
    )


def test_of_every_verb_it_is_said_whether_it_is_asked_and_what_it_needs() -> None:
    state = started(
        """
        each Player has
          coins: number = 1, seen by players
          foes: number = 0, seen by players
        each Card has
          name: text
        table Card
          | name |
          | Ace  |
        to play
          as players
            turn
        to turn
          choose n from 1..2
          rest
          if n > 5
            pay
            spy
            show_off first(Card)
        to pay "Pay"
          need my.coins > 2 else "you have {my.coins}"
        to rest "Rest"
          nothing
        to show_off card: Card "Show {card}"
          need card.name is "Ace" else "no"
        to spy "Spy"
          need 10 mod my.foes > 1 else "too many"
        to deal
          need players[1].foes > 3 else "ben has {players[1].foes}"
        """
    )

    assert state.why("turn").text() == "turn: this is being done now."
    assert state.why("rest").text().splitlines() == [
        "Rest: this is not asked now.",
        "  All that it needs itself is there.",
    ]
    pay = state.why("Pay").text().splitlines()
    assert pay[:3] == [
        "Pay: this is not asked now.",
        "  And something that it needs itself is not there:",
        "    you have 1",
    ]
    assert state.why("show_off").text().splitlines()[1:] == [
        "  Whether all that it needs is there depends on: card"
    ]
    # Nobody does it, and it divides by none: neither is a mistake here.
    assert "    ben has 0" in state.why("deal").text()
    assert state.why("spy").text().splitlines()[1:] == [
        "  Whether all that it needs is there can be told only when it is asked."
    ]


@pytest.mark.parametrize("name", sorted(library.shelf()))
def test_every_verb_of_a_game_can_be_asked_about(name: str) -> None:
    state = load_game(name).new_initial_state(1)
    player = state.current_players()[0]
    possible = {one.label for one in state.legal_actions(player)}

    for verb in state.game.model.verbs.values():
        if verb.id not in state.game.program.offers:
            found = state.why(verb.name, player)
            assert found.text()
            if found.text().endswith("this is possible."):
                assert found.subject in possible
