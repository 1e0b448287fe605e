"""Games that are played through the programming interface: rule text in, states out."""

from __future__ import annotations

from collections.abc import Mapping

from written import linked

from rulewright.interpreter.play.api import Game, State, game_of
from rulewright.interpreter.state.values import Value

DUEL = """
kind Colour is one of [red, blue]
each Card has
  colour: Colour
  rank: number
table Card for each colour in Colour, rank in 1..3
each Player has
  hand: cards of Card, seen by owner
  table: row of Card, seen by players
  tokens: number = 2, seen by players
  secret: number = 0, seen by owner
the game has
  deck: pile of Card = Card, seen by []
  trophy: Card?, seen by players
option hand_size: number in 1..3 = 2 "How many cards has a hand?"
option style: one of [calm, wild] = calm "How is it played?"
define most_tokens = 9

to play
  shuffle deck
  as players
    move top(hand_size, deck) to my.hand
  repeat 2 times
    as players
      turn
  end game "two rounds"
to turn
  choose action from [lay, pay, swap_two, guess]
  do action
to lay "Lay a card"
  choose card from my.hand ask "Which card?"
  choose price from 0..3
  need price <= my.tokens else "you have {my.tokens} tokens"
  add -price to my.tokens
  move card to my.table
to pay "Pay {my.tokens} tokens"
  need my.tokens > 5 else "you are poor"
  need my.tokens < most_tokens else "you are too rich"
  set my.tokens to 0
to swap_two
  choose 2 cards from my.hand
  may "Keep it in mind"
    set my.secret to 7
  move cards to deck
to guess
  if deck is not empty
    let face = top(deck)
    if face.rank > 1
      set trophy to face
ranking
  most my.score
  most count(my.table)
tally score
  laid: 3 * count(my.table)
  left: my.tokens
"""


def duel(
    *more: str,
    players: int = 2,
    options: Mapping[str, Value] | None = None,
    variants: Mapping[str, str] | None = None,
) -> Game:
    """Return the game of this module for ann, ben and so on."""
    names = ("ann", "ben", "cat", "dan")[:players]
    return game_of(linked(DUEL, *more, variants=variants), players, options, names)


def started(*rules: str, players: int = 2, seed: int = 0, explicit: bool = False) -> State:
    """Return the first state of a game that is written as rule text."""
    names = ("ann", "ben", "cat", "dan")[:players]
    return game_of(linked(*rules), players, names=names).new_initial_state(seed, explicit)


def labels(state: State) -> list[str]:
    """Return the labels of the possible actions."""
    return [action.label for action in state.legal_actions()]


def say(state: State, *answers: int | str) -> State:
    """Give answers one after the other."""
    for answer in answers:
        state.apply_action(answer)
    return state
