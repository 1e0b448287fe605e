"""A game with whatever can stand in a state: for tests of what carries states elsewhere."""

import random

from duel import started

from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.snapshot import Snapshots, snapshots_of

# What can stand in a frame while somebody is asked, and in columns that are in no section.
WIDE = """
kind Mood is one of [glad, sad]
each Card has
  mood: Mood
  rank: number
table Card for each mood in Mood, rank in 1..3
each Player has
  hand: cards of Card, seen by owner
  shown: slot of Card, seen by players
  stock: number per Mood = 0, seen by players
  liked: flag per Mood, seen by players
  note: text = "τ", seen by players
  best: number?, seen by players
  done: list of verb = [], seen by players
  free: number in -9..9 = 0, seen by players
the game has, seen by players
  deck: pile of Card = Card, seen by []
  open: row of Card
  mood: Mood?
  bank: number = 0
to play
  shuffle deck
  as players
    move top(2, deck) to my.hand
  repeat 3 times
    for each mood in Mood
      as players
        let least = 1
        turn mood by its.rank >= least at its.stock[mood] from my.hand
to turn m: Mood by test: Card => flag at entry: Player => field of number from zone: cards of Card
  step first
    choose up to 2 picks from my.hand + open where test(it)
    if picks is not empty
      add 1 to entry(me)
    add 1 to my.stock[m]
  either "Say {m}"
    set my.note to "{m} 'said' {my.note}"
    set my.liked[m] to yes
  or "Do"
    choose way from [wave(m), nod(m)]
    add way to my.done
    do way
  or "Count"
    choose n from -3..4
    set my.best to n
    set my.free to n
    add 1000000 * n to bank
to wave m: Mood "Wave"
  set mood to m
  if deck is not empty
    move top(deck) to open
to nod m: Mood "Nod"
  may "Deeply"
    set mood to none
as soon as my.stock[sad] > 2
  choose price from 1..2
  set my.stock[sad] to price - 1
"""


def wide(seed: int = 1, explicit: bool = False) -> State:
    """Return the first state of the game of this module."""
    return started(WIDE, seed=seed, explicit=explicit)


def played(state: State, decisions: int, seed: int = 1) -> State:
    """Answer at random."""
    generator = random.Random(seed)
    for _ in range(decisions):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_chance(generator.randrange(len(state.chance_outcomes())))
        else:
            state.apply_action(generator.randrange(len(state.legal_actions())))
    return state


def codec_of(state: State) -> Snapshots:
    """Return what packs and unpacks the states of a game."""
    return snapshots_of(state.game.program)
