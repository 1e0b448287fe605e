"""What is drawn has the chances that it ought to have: against all histories of small games, counted.

Each history is a block of rules in which chance alone decides: what others do with hidden cards is done
with random ones. All ways in which chance can go are gone through, and those are kept in which the
player has noticed the same. How often each arrangement of the cards comes among them is what he knows.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import rulewright
from rulewright.interpreter.knowledge import determinization
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.state.random import Generator

SAMPLES = 600
LEAST = 1e-6

GAME = """\
language 1
game "Histories" for 3..3 players
each Card has
  rank: number
  dents: number = 0, seen by players
  stain: number = 0, seen by []
table Card for each rank in 1..{cards}
each Player has
  hand: cards of Card, seen by owner
  tray: row of Card, seen by []
  held: slot of Card, seen by owner
the game has, seen by players
  deck: pile of Card = Card, seen by []
  heap: pile of Card, seen by []
  box:  cards of Card, seen by []
  open: row of Card
  pointed: Card?

define ann = players[0]
define ben = players[1]
define cleo = players[2]

to play
{steps}
  as ann
    choose n from 1..2
"""

HISTORIES = {
    "one card each": (
        4,
        """
        shuffle deck
        move top(deck) to ann.hand
        move top(deck) to ben.hand
        move top(deck) to cleo.hand
        """,
    ),
    "two each": (
        5,
        """
        shuffle deck
        repeat 2 times
          move top(deck) to ann.hand
          move top(deck) to ben.hand
        """,
    ),
    "seen, shuffled, drawn": (
        4,
        """
        shuffle deck
        move top(deck) to ann.hand
        move (random(ann.hand)) to deck
        shuffle deck
        move top(deck) to ben.hand
        """,
    ),
    "a hand shown and shuffled in": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        move top(deck) to ben.hand
        show ben.hand to players
        move random(ben.hand) to deck
        shuffle deck
        move top(deck) to cleo.hand
        """,
    ),
    "passed face down": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        move top(deck) to ben.hand
        move random(ben.hand) to cleo.hand
        """,
    ),
    "passed on twice": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        move top(deck) to ben.hand
        move top(deck) to cleo.hand
        move random(ben.hand) to cleo.hand
        move random(cleo.hand) to box
        """,
    ),
    "known among unknown": (
        5,
        """
        shuffle deck
        move top(deck) to ann.hand
        move random(ann.hand) to ben.hand
        move top(deck) to ben.hand
        move random(ben.hand) to heap
        move top(deck) to heap
        """,
    ),
    "a marked card": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        move top(deck) to ben.hand
        let c = random(ben.hand)
        add 1 to c.dents
        move random(ben.hand) to cleo.hand
        """,
    ),
    "a marked card that was seen": (
        4,
        """
        shuffle deck
        move top(deck) to ann.hand
        let c = random(ann.hand)
        add 1 to c.dents
        move c to ben.hand
        move top(deck) to ben.hand
        move random(ben.hand) to cleo.hand
        """,
    ),
    "pointed at": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        move top(deck) to ben.hand
        let c = random(ben.hand)
        set pointed to c
        """,
    ),
    "pointed at, then mixed": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        let c = random(ben.hand)
        set pointed to c
        move top(deck) to ben.hand
        move random(ben.hand) to cleo.hand
        """,
    ),
    "a row that is shuffled": (
        4,
        """
        shuffle deck
        move top(deck) to ann.tray
        move top(deck) to ann.tray
        show ann.tray to players
        shuffle ann.tray
        move first(ann.tray) to ben.hand
        """,
    ),
    "hands exchanged": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        move top(deck) to cleo.hand
        swap ben.hand with cleo.hand
        move top(deck) to ben.hand
        move random(ben.hand) to box
        """,
    ),
    "put back and drawn past": (
        4,
        """
        shuffle deck
        move top(deck) to ann.hand
        move random(ann.hand) to deck
        move top(deck) to ben.hand
        move top(deck) to cleo.hand
        """,
    ),
    "a heap turned over": (
        4,
        """
        shuffle deck
        move top(deck) to open
        move top(deck) to open
        move open to heap
        shuffle heap
        move top(heap) to ben.hand
        """,
    ),
    "two boxes": (
        4,
        """
        shuffle deck
        move top(deck) to open
        move top(deck) to open
        move open to box
        move top(deck) to box
        move random(box) to ben.hand
        move random(box) to cleo.hand
        """,
    ),
    "shown to another": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        move top(deck) to ben.hand
        let c = random(ben.hand)
        show c to cleo
        move random(ben.hand) to box
        """,
    ),
    "shown again later": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        move top(deck) to ben.hand
        move random(ben.hand) to cleo.hand
        show ben.hand to players
        """,
    ),
    "seen again after it was passed": (
        4,
        """
        shuffle deck
        move top(deck) to ben.hand
        show ben.hand to players
        move top(deck) to ben.hand
        move random(ben.hand) to cleo.hand
        move top(deck) to cleo.hand
        move random(cleo.hand) to open
        """,
    ),
    "all of a hand thrown together": (
        5,
        """
        shuffle deck
        move top(deck) to ann.hand
        move top(deck) to ben.hand
        move ann.hand to deck
        move ben.hand to deck
        shuffle deck
        move top(deck) to ann.hand
        move top(deck) to ben.hand
        move top(deck) to cleo.hand
        """,
    ),
    "stained where nobody sees it, then mixed": (
        3,
        """
        shuffle deck
        move top(deck) to ann.tray
        move top(deck) to ann.tray
        add 1 to first(ann.tray).stain
        shuffle ann.tray
        add 1 to first(ann.tray).stain
        """,
    ),
    "looked at in between": (
        4,
        """
        shuffle deck
        move top(deck) to ben.held
        show ben.held to ann
        move ben.held to box
        move top(deck) to box
        move random(box) to cleo.hand
        move random(box) to cleo.hand
        move random(cleo.hand) to ben.held
        """,
    ),
}


def begun(folder: Path, name: str) -> rulewright.State:
    """Return the first state of a history, at which chance is asked."""
    cards, steps = HISTORIES[name]
    block = textwrap.indent(textwrap.dedent(steps).strip(), "  ")
    (folder / "game.rules").write_text(GAME.format(cards=cards, steps=block), "utf-8")
    game = rulewright.load_game(str(folder / "game.rules"), players=3)
    return game.new_initial_state(seed=1, explicit_chance=True)


def ends(state: rulewright.State, weight: Fraction) -> list[tuple[rulewright.State, Fraction]]:
    """Return all states to which chance can lead, with their chances."""
    if not state.is_chance_node():
        return [(state, weight)]
    found = []
    outcomes = state.chance_outcomes()
    for outcome in outcomes:
        other = state.clone()
        other.apply_chance(outcome)
        found += ends(other, weight / len(outcomes))
    return found


def arrangement(state: rulewright.State) -> str:
    """Return where all cards lie, with what is on them, and what is pointed at."""
    return repr(state.store.key()[1])


def noticed(state: rulewright.State) -> str:
    """Return what the first player knows."""
    return json.dumps([state.information_state(0), state.observation(0)])


def upper_tail(statistic: float, freedom: int) -> float:
    """Return the chance that a chi-square is at least so large."""
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    term = total = 1 / a
    for n in range(1, 10_000):
        term *= x / (a + n)
        total += term
        if term < total * 1e-15:
            break
    return max(0.0, 1 - total * math.exp(-x + a * math.log(x) - math.lgamma(a)))


@pytest.mark.parametrize("name", HISTORIES)
def test_what_is_drawn_has_the_chances_of_all_histories(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(determinization, "MOST_REPLAYS", SAMPLES)
    found = ends(begun(tmp_path, name), Fraction(1))
    generator = Generator(3)
    for real in {noticed(state): state for state, _ in generator.shuffled(found)[:3]}.values():
        chances: Counter[str] = Counter()
        for state, weight in found:
            if noticed(state) == noticed(real):
                chances[arrangement(state)] += weight
        total = sum(chances.values())
        program = real.game.program
        knowledge = Knowledge(program, real.store, real.seat(0), real.history())
        drawn = Counter(
            arrangement(rulewright.State(real.game, knowledge.sample(generator)))
            for _ in range(SAMPLES)
        )
        assert set(drawn) <= set(chances)
        statistic = sum(
            (drawn[one] - SAMPLES * weight / total) ** 2 / (SAMPLES * weight / total)
            for one, weight in chances.items()
        )
        if len(chances) > 1:
            assert upper_tail(float(statistic), len(chances) - 1) > LEAST, (drawn, chances)
