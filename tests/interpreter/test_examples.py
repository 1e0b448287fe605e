"""Worked examples: what makes them come out, and what is said of those that do not."""

import textwrap

import attrs
import pytest
from written import linked

from rulewright.dsl.text.diagnostics import Diagnostic
from rulewright.interpreter.testing.blame import place_of, run_examples

pytestmark = pytest.mark.quick

TOY = """
kind Colour is one of [red, blue]
each Card has
  colour: Colour
  rank: number
table Card for each colour in Colour, rank in 1..3
each Player has
  hand: cards of Card, seen by owner
  shown: row of Card, seen by players
  crown: slot of Card, seen by players
  score: number from 0 = 0, seen by players
the game has, seen by players
  deck: pile of Card = Card, seen by []
  bonus: number per Player = 0
  rounds: number = 0
option limit: number in 1..3 = 2 "How many cards may be shown?"
ruling strict: flag = no "Is only red shown?"
define worth(card: Card) = card.rank * (if card.colour is red then 1 else 10)

to play
  shuffle deck
  as players
    move top(2, deck) to my.hand
  repeat
    as players
      turn
to turn
  add 1 to rounds
  either "Show"
    show_one
  or "Pass"
  or "Give" when my.score > 0
    add -1 to my.score
to show_one "Show a card"
  need count(my.shown) < limit else "you have shown {count(my.shown)} of {limit}"
  choose card from my.hand where not strict or its.colour is red
  move card to my.shown
  may "Score it"
    add worth(card) to my.score
to trade
  choose 2 pair from my.hand such that pair[0].rank is pair[1].rank
  move pair to my.shown
to number_game
  choose n from 1..5
  choose m from 1..5 where it > n
  set my.score to 10 * n + m
to roll_dice
  let dice = roll(2, 6)
  set my.score to 10 * dice[0] + dice[1]
to roll_and_take
  roll_dice
  choose n from 1..my.score
to take_unseen
  choose card from deck + my.shown
  move card to my.hand
  add 1 to my.score
to take_two
  move first(2, deck) to my.hand
to all_answer
  as players
    may "Join"
      add 1 to bonus[me]
to break_down
  set my.score to 1 / (my.score - my.score)
to win_now
  end game "won"
ranking
  most my.score
  fewest bonus[me]
"""


def run(lines: str, players: str = "ann, ben") -> tuple[Diagnostic, ...]:
    """Return what is wrong with one example of the toy game."""
    body = textwrap.indent(textwrap.dedent(lines).strip(), "  ")
    return run_examples(linked(TOY, f'example "It"\n  players {players}\n{body}\n'))


def failure(lines: str, players: str = "ann, ben") -> tuple[str, str, tuple[str, ...]]:
    """Return code, line and notes of an example that must fail."""
    (found,) = run(lines, players)
    return found.code.code, found.primary.span.text.strip(), found.notes


GOOD = {
    "answers by name, by value and by text": """
        given ann.hand holds 2 Card where its.colour is red
        do ann: turn, "Show", card = first(ann.hand), "Score it"
        expect ann.score is 1
        do ann: show_one, Card[1], no "Score it"
        expect ann.score is 1 and count(ann.shown) is 2
        """,
    "an answer names a card that its player does not see": """
        given deck holds Card[5]
        do ann: take_unseen, card = top(deck)
        expect ann.hand is [Card[5]]
        expect ann.score is 1
        do ann: take_unseen, first(deck)
        expect count(deck) is 4 and Card[4] not in ann.hand
        """,
    "a decision with one option answers itself": """
        given ann.hand holds 1 Card where its.rank is 3
        do ann: show_one, "Score it"
        expect ann.score is 3
        """,
    "an unanswered may is declined": """
        given ann.hand holds 1 Card where its.rank is 3
        do ann: show_one
        expect ann.score is 0
        do ben: win_now
        expect ending is "won"
        """,
    "a later line goes on with an open decision, also after an expect": """
        given ann.hand holds 1 Card where its.rank is 3
        do ann: show_one
        expect ann.score is 0
        do ann: "Score it"
        expect ann.score is 3
        """,
    "others are passed over as far as they may decline": """
        do ann: all_answer
        do cem: "Join"
        expect bonus is [ann: 0, ben: 0, cem: 1]
        """,
    "a decision may stay open at the end": """
        do ann: number_game, n = 3
        expect ann.score is 0
        """,
    "options are fixed for the whole example": """
        given limit is 1
        given strict is yes
        given ann.hand holds 1 Card where its.colour is blue, 1 Card where its.colour is red
        do ann: show_one
        expect first(ann.shown).colour is red
        refuse ann: show_one because "you have shown 1 of 1"
        """,
    "an option that is given later is in force from there on": """
        given ann.hand holds Card[0], Card[3], Card[4]
        do ann: show_one, Card[3], "Score it"
        given ann.hand holds 1 Card where yes
        given strict is yes
        expect ann.hand is [Card[0], Card[4], Card[1]] and ann.score is 10
        refuse ann: show_one, Card[4]
        given limit is 1
        refuse ann: show_one because "you have shown 1 of 1"
        given ben.hand holds 1 Card where yes
        expect ben.hand is [Card[2]]
        """,
    "what lies in a zone already comes to lie on top": """
        given deck holds 1 Card where its.rank is 2
        expect top(deck) is Card[1] and count(deck) is 6
        """,
    "fields, entries and whole families": """
        given ann.score is 7
        given bonus[ben] is 4
        expect bonus is [ann: 0, ben: 4, cem: 0]
        given bonus is [ann: 1, cem: 2]
        expect bonus is [ann: 1, ben: 0, cem: 2]
        given bonus is 5
        expect total(bonus) is 15 and ann.score is 7
        """,
    "zones take what is not used yet, in table order": """
        given ann.hand holds 2 Card where yes, 1 Card where its.colour is blue
        given ben.hand holds 1 Card where yes, Card[5]
        expect same_items(ann.hand, [Card[0], Card[1], Card[3]])
        expect same_items(ben.hand, [Card[2], Card[5]])
        expect deck is [Card[4]]
        expect Card[4].owner is none and Card[5].owner is ben
        """,
    "a thing that a verb has moved is used": """
        do ann: take_two
        given ben.hand holds 1 Card where its.colour is red
        expect ben.hand is [Card[2]]
        """,
    "chance is dictated": """
        chance 6, 2
        do ann: roll_dice
        expect ann.score is 62
        chance [1, 3]
        do ben: roll_dice
        expect ben.score is 13
        """,
    "what only an `allow`, a `refuse` or an `expect` draws is drawn": """
        chance 6, 2
        allow ann: roll_dice
        do ann: roll_dice
        chance 3, 4
        refuse ann: roll_and_take, n = 35
        """,
    "cards are drawn as dictated": """
        chance Card[4], Card[0], Card[2], Card[1]
        do ann: play, "Pass"
        expect same_items(ann.hand, [Card[4], Card[0]])
        expect same_items(ben.hand, [Card[2], Card[1]])
        """,
    "several things": """
        given ann.hand holds Card[0], Card[1], Card[3]
        allow ann: trade, pair = [Card[3], Card[0]]
        refuse ann: trade, pair = [Card[0], Card[1]]
        do ann: trade
        expect ann.shown is [Card[0], Card[3]]
        refuse ann: trade because "not enough for pair"
        """,
    "the first answer fits an open decision": """
        do ann: number_game, n = 1
        do ann: 4
        expect ann.score is 14
        """,
    "allow and refuse change nothing": """
        given ann.hand holds Card
        allow ann: turn, "Show", card = Card[0], "Score it"
        refuse ann: turn, "Give"
        allow ann: show_one
        expect count(ann.hand) is 6 and rounds is 0
        given ann.score is 1
        allow ann: turn, "Give"
        """,
    "a dead end is refused": """
        allow ann: number_game, n = 4
        refuse ann: number_game, n = 5 because "nothing to choose: m"
        """,
    "the final order": """
        given ann.score is 3
        given ben.score is 5
        given cem.score is 3
        given bonus[ann] is 1
        expect ranking is [ben, cem, ann]
        """,
}


@pytest.mark.parametrize("lines", GOOD.values(), ids=GOOD)
def test_an_example_that_comes_out(lines: str) -> None:
    players = "ann, ben, cem" if "cem" in lines else "ann, ben"
    assert run(lines, players) == ()


BAD = {
    "a wrong value": (
        "expect ann.score is 9",
        ("RW412", "expect ann.score is 9", ("ann.score is 0",)),
    ),
    "both sides of a comparison": (
        "given ann.score is 2\nexpect ann.score is ben.score + 1",
        (
            "RW412",
            "expect ann.score is ben.score + 1",
            ("ann.score is 2", "ben.score + 1 is 1"),
        ),
    ),
    "the first that spoils it": (
        "given ben.score is 2\nexpect every p in players has p.score is 0",
        (
            "RW412",
            "expect every p in players has p.score is 0",
            ("p is ben", "p.score is 2"),
        ),
    ),
    "only the wrong half": (
        "given ben.score is 2\nexpect ann.score is 0 and ben.score < 2",
        ("RW412", "expect ann.score is 0 and ben.score < 2", ("ben.score is 2",)),
    ),
    "an answer that is left over": (
        "do ann: win_now, 5",
        ("RW413", "do ann: win_now, 5", ("nothing is asked any more that `5` could answer",)),
    ),
    "an answer to another question": (
        "do ann: number_game, 7",
        (
            "RW413",
            "do ann: number_game, 7",
            ("`7` does not answer `number_game.n`: 1, 2, 3, 4",),
        ),
    ),
    "an answer that is not possible": (
        "do ann: number_game, n = 5",
        (
            "RW413",
            "do ann: number_game, n = 5",
            ("5 is not possible: nothing to choose: m",),
        ),
    ),
    "a question that is still open": (
        "do ann: number_game\ndo ben: win_now",
        ("RW413", "do ben: win_now", ("`number_game.n` of ann has not been answered",)),
    ),
    "something given meanwhile": (
        "do ann: number_game\ngiven ann.score is 1",
        ("RW413", "given ann.score is 1", ("`number_game.n` of ann has not been answered",)),
    ),
    "a verb that is not possible": (
        "do ann: show_one",
        (
            "RW413",
            "do ann: show_one",
            ("`show_one` is not possible: nothing to choose: card",),
        ),
    ),
    "a refusal of what is possible": (
        "refuse ann: number_game",
        ("RW412", "refuse ann: number_game", ()),
    ),
    "a refusal for another reason": (
        'refuse ann: show_one because "no"',
        (
            "RW412",
            'refuse ann: show_one because "no"',
            ('the reason is "nothing to choose: card"',),
        ),
    ),
    "a refusal without a reason": (
        'refuse ann: turn, "Give" because "no"',
        (
            "RW412",
            'refuse ann: turn, "Give" because "no"',
            ('it is refused without a reason: `"Give"` is not possible at `turn.either`: Pass',),
        ),
    ),
    "leave for what is not possible": (
        "allow ann: trade",
        (
            "RW412",
            "allow ann: trade",
            ("`trade` is not possible: not enough for pair",),
        ),
    ),
    "a full slot": (
        "given ann.crown holds 2 Card where yes",
        ("RW413", "given ann.crown holds 2 Card where yes", ("`crown` is full",)),
    ),
    "too few things": (
        "given ann.hand holds 4 Card where its.colour is red",
        (
            "RW413",
            "given ann.hand holds 4 Card where its.colour is red",
            ("only 3 of these are left",),
        ),
    ),
    "a number out of its range": (
        "given ann.score is -1",
        (
            "RW413",
            "given ann.score is -1",
            ("`score` becomes -1, outside of 0 and more",),
        ),
    ),
    "a printed field": (
        "given first(Card).rank is 2",
        ("RW413", "given first(Card).rank is 2", ("`rank` is printed and cannot be given",)),
    ),
    "chance that cannot come": (
        "chance 9\ndo ann: roll_dice",
        ("RW413", "do ann: roll_dice", ("chance cannot bring 9 here",)),
    ),
    "chance that nothing draws": (
        "chance 5, 6\ngiven ben.score is 1\nexpect ben.score is 1",
        ("RW413", "5", ()),
    ),
    "more chance than is drawn": ("chance 6, 2, 3\ndo ann: roll_dice", ("RW413", "3", ())),
    "a list of more chance than is drawn": (
        "chance [6, 2, 3]\nallow ann: roll_dice",
        ("RW413", "[6, 2, 3]", ()),
    ),
    "a verb after the end": (
        "do ann: win_now\ndo ben: win_now",
        ("RW413", "do ben: win_now", ("the game is over: won",)),
    ),
}


@pytest.mark.parametrize(("lines", "expected"), BAD.values(), ids=BAD)
def test_an_example_that_does_not_come_out(
    lines: str, expected: tuple[str, str, tuple[str, ...]]
) -> None:
    assert failure(lines) == expected


def test_a_rules_error_is_told_with_its_place() -> None:
    code, line, notes = failure("do ann: break_down")

    assert (code, line) == ("RW413", "do ann: break_down")
    assert notes[0].endswith("a number is divided by zero")
    assert "game.rules:" in notes[0]


def test_an_example_for_too_many_players() -> None:
    game = linked(TOY, 'example "It"\n  players ann, ben\n  expect yes\n')
    (example,) = game.examples
    crowd = attrs.evolve(example, players=("ann", "ben", "cat", "dan", "eve"))

    (found,) = run_examples(attrs.evolve(game, examples=(crowd,)))

    assert found.code.code == "RW413"
    assert found.primary.text == "5 players, not 1 to 4"


def test_a_failure_ends_its_example_only() -> None:
    game = linked(
        TOY,
        """
        example "One"
          players ann, ben
          expect ann.score is 1
          expect ann.score is 2
        example "Two"
          players ann, ben
          expect ben.score is 3
        """,
    )

    found = run_examples(game)

    assert [item.arguments["name"] for item in found] == ["One", "Two"]


def test_a_rules_error_that_stops_several_examples_is_said_once() -> None:
    body = "\n  players ann, ben\n  do ann: break_down\n"
    texts = [f'example "{title}"{body}' for title in ("One", "Two", "Three")]
    other = 'example "Four"\n  players ann, ben\n  expect ann.score is 1\n'
    game = linked(TOY, "\n".join([*texts, other]))

    found = {item.code.code: item for item in run_examples(game)}

    assert sorted(found) == ["RW412", "RW704"]
    assert found["RW704"].notes[-1] == "it stops 3 examples: `One`, `Two` and 1 more"
    known = {place_of(found["RW704"])}
    assert [item.code.code for item in run_examples(game, known)] == ["RW412"]


def test_a_variant_may_draw_less_than_its_game() -> None:
    rolled = 'example "It"\n  players ann, ben\n  chance 6, 2\n  do ann: roll_dice\n'
    variant = "instead of roll_dice\n  add 1 to my.score\n"

    assert run_examples(linked(TOY, rolled, variants={"V": variant})) == ()

    own = rolled.replace("It", "Its own")
    (found,) = run_examples(linked(TOY, rolled, variants={"V": f"{variant}\n{own}"}))
    assert (found.code.code, found.primary.span.text) == ("RW413", "6")


def test_an_example_of_a_variant_replaces_that_of_the_game() -> None:
    example = """
    example "It"
      players ann, ben
      do ann: win_now
      expect ann.score is {score}
    """
    variant = 'before win_now\n  add 5 to my.score\n\nexample "It"\n  players ann, ben\n'
    variant += "  do ann: win_now\n  expect ann.score is 5\n"

    assert run_examples(linked(TOY, example.format(score=0))) == ()
    assert run_examples(linked(TOY, example.format(score=0), variants={"V": variant})) == ()
    assert len(run_examples(linked(TOY, example.format(score=5)))) == 1
    (changed,) = run_examples(
        linked(TOY, example.format(score=0), variants={"V": variant.partition("example")[0]})
    )
    assert changed.code.code == "RW513"
    assert changed.primary.span.text == '"V"'
    assert changed.help is not None
    assert 'say how it comes out in this file: `example "It"`' in changed.help
    (wrong,) = run_examples(linked(TOY, example.format(score=5)))
    assert wrong.help is None


def test_a_check_that_must_always_hold_is_tried_after_each_answer() -> None:
    check = 'check always "low scores": every p in players has p.score < 4\n'
    example = """
    example "It"
      players ann, ben
      given {given}
      given ann.hand holds 3 Card where its.colour is red
      do ann: show_one, first(ann.hand)
      do ann: "Score it"
      do ann: show_one, card = first(ann.hand), "Score it"
      expect ann.score is {score}
    """
    fine = run_examples(linked(TOY, check, example.format(given="ben.score is 0", score=3)))
    over = run_examples(linked(TOY, check, example.format(given="ann.score is 2", score=5)))
    before = run_examples(linked(TOY, check, example.format(given="ben.score is 9", score=3)))

    assert fine == before == ()
    (found,) = over
    assert found.code.code == "RW412"
    assert found.primary.span.text == 'do ann: show_one, card = first(ann.hand), "Score it"'
    assert found.primary.text == "breaks the check `low scores`"
    assert found.notes == ("p is ann", "p.score is 5")
    assert [label.text for label in found.secondary] == ["must always hold"]
