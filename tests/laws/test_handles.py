"""No handle tells which of two alike things it was that moved, or was drawn.

Where two things could change places without any difference, a game can go on in two ways that nobody can tell apart: what
happens to one of them happens to the other. A seat that has watched the table all along is shown the same then,
to the byte.
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Container, Iterator
from pathlib import Path

import attrs
import pytest
from histories import Telling, Turn, begun, turns
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, starts
from worlds import Exchange, Renaming, changed_lines

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import option_for, option_labels, pending
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value
from rulewright.interpreter.tableau import entries, noticing
from rulewright.interpreter.tableau.handles import Handles, Naming, thing_key
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.tableau.view_model import as_json

MOST_PAIRS = 30
"""So many pairs are tried until two are found that are alike."""


@attrs.define
class Watcher:
    """Takes down what all seats, and who watches, are shown whenever somebody is asked."""

    start: Start
    handles: dict[int | None, Handles]
    views: list[str] = attrs.field(factory=list)

    @classmethod
    def new(cls, start: Start) -> Watcher:
        """Return one who has seen nothing yet."""
        seats = (None, *range(start.players))
        return cls(start, {seat: Handles() for seat in seats})

    def look(self, telling: Telling) -> None:
        """Look at the table, if it waits for somebody: chance decides before anybody gets a page."""
        start = self.start
        if pending(start.program, telling.store) is None and not executor.is_over(telling.store):
            return
        state = State(start.game, telling.store, start.seed, tuple(telling.answers))
        for seat, handles in self.handles.items():
            view = as_json(tableau(state, seat, handles, undo=False, lines=12))
            self.views.append(json.dumps(view, indent=0, ensure_ascii=False))
        start.program.decision_cache = None

    def forked(self) -> Watcher:
        """Return one who remembers the same and sees something else from now on."""
        return Watcher(self.start, copy.deepcopy(self.handles))


def cells(program: Program, store: Store) -> Iterator[object]:
    """Yield all that a state holds, but for the order of what lies in none."""
    layout = program.layout
    for slot, column in enumerate(store.columns):
        bag = layout.bag_slots.get(slot)
        for index, held in enumerate(column):
            if slot in layout.unordered:
                yield slot, index, frozenset(held)
            elif bag is not None:
                count = store.columns[bag][index]
                yield slot, index, frozenset(held[:count]), held[count:]
            else:
                yield slot, index, held
    yield [
        (one.unit, one.node, one.me, sorted(one.locals.items(), key=str)) for one in store.frames
    ]
    yield store.dictated


def is_mirror(program: Program, here: Store, there: Store, exchange: Exchange) -> bool:
    """Return whether a state is the other one with things exchanged."""
    if here.fork is not None or there.fork is not None:
        return False
    mirrored = Renaming(program, exchange).store(here)
    return all(
        one == other
        for one, other in itertools.zip_longest(cells(program, mirrored), cells(program, there))
    )


def swapped(program: Program, store: Store, exchange: Exchange) -> Store:
    """Return a state with things exchanged after all that has happened: where one of several is taken
    for all, it is another one."""
    other = Renaming(program, exchange).store(store)
    other.log, other.counted = store.log, store.counted
    return other


def alike(
    program: Program, store: Store, generator: Generator, remembered: Container[str]
) -> Exchange:
    """Return two things that could change places without any difference, if some are found soon; first
    those of which one alone has been in sight before."""
    layout, found = program.layout, dict[object, list[Thing]]()
    for slot in {*layout.unordered, *layout.bag_slots}:
        for index, things in enumerate(store.columns[slot]):
            for thing in things:
                look = program.alike.look(store, thing)
                found.setdefault((slot, index, thing.kind, look), []).append(thing)
    pairs = [
        pair
        for things in found.values()
        for pair in itertools.combinations(generator.shuffled(things)[:6], 2)
    ]
    ordered = sorted(
        generator.shuffled(pairs),
        key=lambda pair: len({thing_key(one) in remembered for one in pair}),
        reverse=True,
    )
    for one, other in ordered[:MOST_PAIRS]:
        exchange = {one: other, other: one}
        if is_mirror(program, store, store, exchange):
            return exchange
    return {}


def go_on(program: Program, telling: Telling, turn: Turn, value: Value) -> bool:
    """Let something else happen in the other game; false if it cannot."""
    store = telling.store
    if turn.player is None:
        if value not in executor.chance_outcomes(program, store):
            return False
        executor.answer_chance(program, store, value)
        return True
    waiting = pending(program, store)
    if waiting is None or waiting.player is not turn.player:
        return False
    if isinstance(value, Thing) and option_for(program, store, value) is not value:
        # Of alike things one is asked about for all, in both games the same.
        return False
    (label,) = option_labels(program, store, [value])
    events = store.count_events()
    try:
        executor.answer(program, store, value, trusted=False)
    except IllegalActionError:
        return False
    telling.answers.append(Answer(events, turn.player.number, waiting.site, value, label))
    return True


def compare(start: Start, generator: Generator, before: int, after: int) -> int:
    """Play a game, and go on with two alike things exchanged; return how many views were compared."""
    program, watcher = start.program, Watcher.new(start)
    here, exchange = begun(start, []), dict[Thing, Thing]()
    at_chance = generator.pick((True, False))
    there, compared = here, 0
    other = watcher
    for number, turn in enumerate(turns(start, here)):
        # The game stands where this turn is about to be done.
        if exchange:
            if not is_mirror(program, here.store, there.store, exchange):
                return compared
            watcher.look(here)
            other.look(there)
            assert len(watcher.views) == len(other.views)
            for one, two in zip(watcher.views, other.views, strict=True):
                said = f"{exchange} can be told apart by the {number}th turn"
                assert one == two, (said, changed_lines(one, two))
            compared += len(watcher.views)
            watcher.views, other.views = [], []
        else:
            watcher.look(here)
            # Where chance is about to draw, what went into the bag by the same answer still has a handle.
            if number >= before and not (at_chance and turn.player):
                exchange = dict(
                    alike(program, here.store, generator, watcher.handles[None].numbers)
                )
            if exchange:
                watcher.views = []
                other = watcher.forked()
                there = Telling(swapped(program, here.store, exchange), [*here.answers], [])
        if number >= before + after:
            return compared
        if exchange:
            value = Renaming(program, exchange).value(turn.value)
            if not go_on(program, there, turn, value):
                return compared
    return compared


def test_no_handle_tells_which_of_two_alike_things_something_is(rules: Rules, size: Size) -> None:
    compared = 0

    @size.tries(4)
    @given(starts(rules), st.integers(0, 30), st.integers(0, 2**16))
    def holds(start: Start, before: int, seed: int) -> None:
        nonlocal compared
        compared += compare(start, Generator(seed), before, 30)

    holds()
    if not compared:
        pytest.skip("no two things could change places, or no game could go on so")


# ----------------------------------------------------------------------------- leaks are found

GAME = """\
language 1
game "Coins" for 2..2 players
use turns(turn)
each Coin has
  metal: text
table Coin
  | copies | metal  |
  | 6      | copper |
  | 3      | silver |
each Player has, seen by players
  purse: cards of Coin
the game has, seen by players
  bag:    pile of Coin = Coin, seen by []
  market: cards of Coin
  tray:   pile of Coin
  days:   number = 30
to play
  shuffle bag
  repeat 3 times
    move top(bag) to market
  repeat 2 times
    move top(bag) to tray
  play_in_turns
to turn
  add -1 to days
  if days <= 0
    end game "over"
  either "Take one" when market is not empty
    choose coin from market
    move coin to my.purse
  or "Give them back" when my.purse is not empty
    move my.purse to bag
    shuffle bag
    move top(bag) to market
  or "Stir the tray"
    shuffle tray
ranking
  most count(my.purse)
"""


@pytest.fixture
def coins(tmp_path: Path) -> Rules:
    """A game in which alike things are taken, put together, mixed and drawn before everybody's eyes."""
    (tmp_path / "coins").mkdir()
    (tmp_path / "coins" / "game.rules").write_text(GAME, encoding="utf-8")
    return Rules(tmp_path / "coins")


def try_all(rules: Rules, seeds: int = 40) -> int:
    """Return how many views were compared in some games."""
    found = 0
    for seed in range(seeds):
        found += compare(Start(rules, 2, seed, seed), Generator(seed), seed % 20, 12)
    return found


def test_alike_things_are_told_apart_by_nothing(coins: Rules) -> None:
    assert try_all(coins) > 100


def of_the_thing(self: Naming, thing: Thing) -> int:
    """Return a handle that stays with the very thing."""
    known = self._handles.numbers.get(thing_key(thing))
    if known is None:
        known = self._handles.next
        self._handles.next += 1
    return known


def test_a_handle_that_stays_with_its_copy_is_found(
    coins: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Naming, "_allotted", of_the_thing)

    with pytest.raises(AssertionError, match="told apart"):
        try_all(coins)


def test_a_handle_that_outlasts_a_bag_is_found(
    coins: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticing, "_out_of_sight", lambda *given: ())

    with pytest.raises(AssertionError, match="told apart"):
        try_all(coins)


def test_what_is_shuffled_before_all_eyes_has_new_handles(coins: Rules) -> None:
    start = Start(coins, 2, 1, 1)
    state, handles = start.game.new_initial_state(1), Handles()

    def tray() -> set[str]:
        (found,) = (one for one in tableau(state, 0, handles).shared.zones if one.name == "tray")
        return {one.id for one in found.things}

    before = tray()
    state.apply_action("Stir the tray", state.current_players()[0])
    after = tray()

    assert len(before) == len(after) == 2
    assert before.isdisjoint(after)


def test_a_log_that_speaks_of_what_nobody_can_have_followed_is_found(
    coins: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "followed_since", lambda *given: {})

    with pytest.raises(AssertionError, match="told apart"):
        try_all(coins)


def test_an_order_that_comes_from_the_copies_is_found(
    coins: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Naming, "rank", lambda self, thing: thing.number)
    monkeypatch.setattr(Naming, "within", lambda self, thing: thing.number)
    monkeypatch.setattr(Naming, "_allotted", of_the_thing)

    with pytest.raises(AssertionError, match="told apart"):
        try_all(coins)
