"""What `check --restate` writes: the examples of a game as they come out with a variant."""

import textwrap

import written

from rulewright.interpreter.examples import run_examples
from rulewright.interpreter.restating import restated

GAME = """
each Card has
  name: text
table Card
  | name |
  | Ace  |
  | King |
each Player has, seen by players
  coins: number = 0
  best:  Card?
  hand:  cards of Card
define worth = 2
define open = yes
to play
  as players
    take
to take "Take"
  need open else "closed"
  choose card from Card
  set my.best to card
  add worth to my.coins
ranking
  most my.coins
"""
EXAMPLE = """
example "Taking"
  players ann, ben
  allow ann: take
  do ann: take, card = Card("Ace")
  expect ann.coins is 2
  expect ann.best is Card("Ace")                 # a comment stays
  expect ann.coins > 1 and ben.coins is 0
  expect ann.hand is empty
"""


REFUSED = """
example "Not open"
  players ann, ben
  given ann.hand holds Card("King")
  refuse ann: take because "closed"
  refuse ben: take
  expect count(ann.hand) is 1
"""


def changed(variant: str, example: str) -> list[str]:
    """Return the lines that are written otherwise, and hold the whole to be true."""
    game = written.linked(GAME, example, variants={"V": variant})
    (found,) = restated(game)
    if found.is_whole:
        again = written.linked(
            GAME, example, variants={"V": textwrap.dedent(variant) + "\n" + found.text}
        )
        assert run_examples(again) == ()
    before = textwrap.dedent(example).strip().splitlines()
    return [line for line in found.text.splitlines() if line not in before]


def test_numbers_are_said_anew_and_the_rest_stays() -> None:
    assert changed("change worth to 5", EXAMPLE) == ["  expect ann.coins is 5"]


def test_what_is_not_compared_is_turned_round() -> None:
    variant = """
    change worth to 1
    after take
      move Card("King") to my.hand
    """

    assert changed(variant, EXAMPLE) == [
        "  expect ann.coins is 1",
        "  expect not (ann.coins > 1 and ben.coins is 0)",
        "  expect ann.hand is not empty",
    ]


def test_what_cannot_be_done_any_more_is_left_to_the_author() -> None:
    first, second = changed("change open to no", EXAMPLE)

    assert first == "  refuse ann: take"
    assert second.startswith('  do ann: take, card = Card("Ace")    # to be mended by hand: ')


def test_refusals_become_permissions() -> None:
    assert changed("change open to original and my.coins is 0", REFUSED) == [
        "  allow ann: take",
        "  allow ben: take",
    ]


def test_another_reason_is_said() -> None:
    variant = """
    before take
      need my.coins > 9 else "too poor"
    """
    refused = REFUSED.replace('"closed"', '"rich"')

    assert changed(variant, refused) == ['  refuse ann: take because "too poor"']


def test_examples_that_come_out_are_not_written() -> None:
    game = written.linked(GAME, EXAMPLE, variants={"V": 'change take.label to "Grab"'})

    assert list(restated(game)) == []
