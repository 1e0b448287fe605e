"""How far generated code reaches: what used to be a matter of the walker is on tracks and in probes.

That it is played in the same way is a law (`tests/laws/test_lockstep.py`).
"""

from __future__ import annotations

import attrs
import pytest
import written

from rulewright.interpreter.codegen.generated import generate, source
from rulewright.interpreter.codegen.lane import Lane
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.executor import advance, begin
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead import lookahead, search
from rulewright.interpreter.lookahead.lookahead import living
from rulewright.interpreter.state.random import Generator

CARDS = """
each Card has
  rank: number
table Card
  | rank | copies |
  | 1    | 8      |
  | 2    | 8      |
each Player has
  hand:  cards of Card, seen by owner
  spare: slot of Card, seen by owner
  laid:  cards of Card, seen by owner
  done:  cards of Card, seen by players
  paid:  number = 0, seen by players
the game has
  deck: pile of Card = Card, seen by []
  used: pile of Card, seen by []

to play
  shuffle deck
  as players
    move top(3, deck) to my.hand
    move top(deck) to my.spare
  round
  end game
"""

AT_ONCE = """
to round
  as players together
    either "Lay"
      choose card from my.hand
      move card to my.laid
      choose kept from my.hand
      need kept.rank <= card.rank else "too high"
    or "Pass"
      nothing
"""

CAN = """
to round
  as players
    choose card from my.hand
    need can(pay(card)) else "too dear"
    pay card

to pay card: Card
  need card.rank <= count(my.hand) else "too few cards"
  move card to my.done
  choose card.rank paid from my.hand
  move paid to used
"""

TWO_ZONES = """
to round
  as players
    choose 1..2 chosen from my.hand + my.spare such that sum(chosen each its.rank) < 4
    move chosen to my.done
    need my.hand is not empty else "none left"
"""

TO_A_ZONE = """
to round
  as players
    choose card from my.hand
    give card to my.done
    need count(my.done where its.rank is 1) < 9 else "too many"

to give card: Card to z: cards of Card
  move card to z
"""

RARELY = """
to round
  as players
    choose card from my.hand
    if card.rank > 2
      move used to my.hand
    need card.rank < 9 else "too high"
    move card to my.done
"""


PRINTED_VERBS = """
each Order has
  deed: verb
table Order
  | deed    | copies |
  | keep    | 2      |
  | give_up | 2      |
each Player has
  orders: row of Order, seen by players
the game has
  orders: pile of Order = Order, seen by players

to round
  as players
    move top(2, orders) to my.orders
  as players
    choose order from my.orders
    do order.deed
    need my.hand is not empty else "no card"

to keep
  choose card from my.hand
  need card.rank < 9 else "too high"
  move card to my.done

to give_up
  swap my.hand with my.done
  choose card from my.done
  need card.rank < 9 else "too high"
  move card to my.hand
"""

STEPS = "\n".join(
    f"    if card.rank is {number % 3}\n      add 1 to my.paid\n    else\n      add 2 to my.paid"
    for number in range(12)
)

MANY_BRANCHES = f"""
to round
  as players
    choose card from my.hand
{STEPS}
    need my.paid < 99 else "too much"
    move card to my.done
"""


@attrs.define
class Walked:
    """How often the walker was asked."""

    trials: int = 0
    answers: int = 0


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> Walked:
    """Count what goes to the walker."""
    found = Walked()
    tries, slowly = search.try_out, Lane.slowly

    def trial(*given: object) -> bool:
        found.trials += 1
        return tries(*given)  # type: ignore[arg-type]

    def answers(*given: object) -> object:
        found.answers += 1
        return slowly(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(lookahead, "try_out", trial)
    monkeypatch.setattr(Lane, "slowly", answers)
    return found


def quick(rules: str) -> Program:
    """Return a game that plays on generated code."""
    program = load_program(written.linked(CARDS, rules), 2)
    generate(program)
    return program


@pytest.mark.parametrize(
    "rules",
    [AT_ONCE, CAN, TWO_ZONES, TO_A_ZONE, RARELY, PRINTED_VERBS, MANY_BRANCHES],
    ids=["at once", "can", "two zones", "to a zone", "rarely", "printed verbs", "many branches"],
)
def test_the_walker_is_not_asked(walked: Walked, rules: str) -> None:
    program = quick(rules)
    decisions = 0
    for seed in range(8):
        store = begin(program, seed)
        decisions += program.lane.play(store, Generator(f"agents {seed}"), 1000)
        assert store.frames == []

    assert decisions >= 16
    assert walked == Walked()
    assert program.lane.given_up == 0


def test_a_sum_of_known_lists_is_known() -> None:
    rules = """
    define deeds = [keep]
    to round
      as players
        choose deed from deeds + [give_up]
        do deed
    to keep
      set my.paid to 1
    to give_up
      set my.paid to 2
    """

    text = source(load_program(written.linked(CARDS, rules), 2), ("round",))

    # Each answer has a way of its own.
    assert "if which:" in text
    assert "[which]" not in text
    assert "(*" not in text


def test_a_player_who_acts_at_once_stays_on_tracks(monkeypatch: pytest.MonkeyPatch) -> None:
    program = quick(AT_ONCE)
    store = begin(program, 3)
    advance(program, store)
    assert store.fork is not None and store.fork.begun
    # From here on there is no decision for the executor.
    monkeypatch.setattr(executor, "give", None)
    program.lane.play(store, Generator("agents"), 1000)

    assert store.frames == []


@pytest.mark.parametrize("rules", [AT_ONCE, CAN, TWO_ZONES], ids=["at once", "can", "two zones"])
def test_the_executor_asks_probes_which_options_live(walked: Walked, rules: str) -> None:
    program = quick(rules)
    plain = load_program(program.game, 2)
    for seed in range(4):
        store, other = begin(program, seed), begin(plain, seed)
        advance(program, store)
        found = [str(value) for value in living(program, store)]
        assert walked.trials == 0
        advance(plain, other)
        assert found == [str(value) for value in living(plain, other)]
        walked.trials = 0


MANY = """
each Leaf has
  number: number
  marks: list of Player = [], seen by players
table Leaf for each number in 1..60
to round
  for each leaf in Leaf
    add players[0] to leaf.marks
    add players[1] to leaf.marks
  as players
    choose n from 1..2
    count_up
to count_up
  for each leaf in Leaf
    let others = distinct(leaf.marks) without [me]
    add count(others) to my.paid
"""


def test_a_list_that_may_be_long_is_counted_as_long_as_it_is() -> None:
    program = quick(MANY)
    store = begin(program, 3)

    assert program.lane.play(store, Generator("agents"), 100) == 2
    assert store.columns[program.layout.slots["Player.paid"]] == [60, 60]
    assert program.lane.given_up == 0


NONE_YET = """
each Player has, seen by players
  latest: Card?
to round
  as players
    either "Look"
      set my.latest to first(my.done)
      move first(my.hand) to my.done
    or "Pass"
      nothing
"""


def test_a_thing_that_is_none_is_noted_on_the_track() -> None:
    program = quick(NONE_YET)
    noted = []
    for seed in range(4):
        store = begin(program, seed)
        program.lane.play(store, Generator(seed), 100)
        noted += [event.data[1] for event in store.events() if event.kind == "set"]

    assert noted and set(noted) == {None}
    assert program.lane.given_up == 0


SOMETIMES_SEEN = """
define low(p: Player) = min(p.cards_laid each its.rank)
each Player has
  taken: number = 0, seen by players
  open:  flag = no, seen by players
  cards_laid: cards of Card, seen by if owner.open then players else [owner]
to round
  as players
    move top(2, deck) to my.cards_laid
  repeat 3 times
    as players
      turn
to turn
  for each one in players
    choose n from [1, 2, 3] as wish where wish is 2 or (one is me and low(one) < wish) or (one.open and low(one) < wish)
    add n to my.paid
during turn
  may "Take" when my.taken < 5
    add 1 to my.taken
"""


def test_offers_are_open_again_where_a_question_has_ended_the_transaction() -> None:
    program = quick(SOMETIMES_SEEN)
    plain = load_program(program.game, 2)
    taken = []
    for seed in range(20):
        store, other = begin(program, seed), begin(plain, seed)
        players, agents = Generator(seed), Generator(seed)
        program.lane.play(store, players, 1000)
        advance(plain, other)
        while other.frames:
            executor.answer(plain, other, lookahead.pick_random(plain, other, agents), trusted=True)

        assert store.count_events() == other.count_events()
        assert (repr(store.columns), players.state) == (repr(other.columns), agents.state)
        taken += store.columns[program.layout.slots["Player.taken"]]

    # Twice as often as a transaction begins in the loop.
    assert max(taken) > 3 and program.lane.given_up == 0
