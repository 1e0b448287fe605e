"""No view of a whole game tells a seat anything of what it has not seen: not by names, orders or numbers.

A game is played once more in a world in which cards that a seat has not seen are others. Then all that
it was shown, from the first view to the last, is the same to the byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from histories import (
    Diverged,
    History,
    Telling,
    begun,
    history,
    replayed,
    traced,
)
from hypothesis import given, strategies as st
from playing import Rules, Size, Start, loaded, player_counts, starts
from worlds import Exchange, Renaming, changed_lines, exchanged, has_secrets, hidden, told

from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.tableau.view_model import as_json


@pytest.fixture(autouse=True)
def _with_secrets(rules: Rules) -> None:
    if not has_secrets(loaded(rules, player_counts(rules)[0])):
        pytest.skip("everything is seen by everybody")


class Watch:
    """Takes down what a seat, and a watcher, is shown at each turn of a game."""

    def __init__(self, start: Start, player: Thing) -> None:
        self.game, self.seed, self.seat = start.game, start.seed, player.number
        self.handles: dict[int | None, Handles] = {self.seat: Handles(), None: Handles()}
        self.views: list[str] = []

    def __call__(self, telling: Telling) -> None:
        state = State(self.game, telling.store, self.seed, tuple(telling.answers))
        for seat, handles in self.handles.items():
            view = as_json(tableau(state, seat, handles, undo=False, lines=8))
            self.views.append(json.dumps(view, indent=0, ensure_ascii=False))
        state.game.program.decision_cache = None


def sequence(start: Start, past: History, exchange: Exchange, player: Thing) -> list[str]:
    """Return what a seat is shown in a game with other cards."""
    watch = Watch(start, player)
    replayed(start, past, Renaming(start.program, exchange), player, watch, mirrored=True)
    return watch.views


def assert_same(here: list[str], there: list[str], who: Thing) -> None:
    """All views are the same."""
    assert len(here) == len(there)
    for number, (one, other) in enumerate(zip(here, there, strict=True)):
        assert one == other, (f"{who} can tell the worlds apart", number, changed_lines(one, other))


def compared_with(start: Start, past: History, exchange: Exchange, player: Thing) -> bool:
    """A game with other cards shows the seat the same; false if it cannot be played."""
    if not exchange:
        return False
    try:
        there = sequence(start, past, exchange, player)
    except Diverged:
        return False
    assert_same(sequence(start, past, {}, player), there, player)
    return True


def test_views_do_not_depend_on_cards_that_were_never_seen(rules: Rules, size: Size) -> None:
    compared = 0

    @size.tries(8)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        nonlocal compared
        player = data.draw(st.sampled_from(start.program.layout.players))
        past = history(start, player, data.draw(st.integers(1, 40)))
        exchange = exchanged(past.unseen, Generator(seed), swaps=2)

        compared += compared_with(start, past, exchange, player)

    holds()
    if not compared:
        pytest.skip("no game could be played again with other cards")


def copies(start: Start, player: Thing) -> Iterator[list[Thing]]:
    """Yield things that look the same and lie mixed in a pile that a player does not see."""
    program = start.program
    with traced(program) as way:
        store = begun(start, way).store
    unseen = set(hidden(program, store, player)) - told(program, store, player)
    found: dict[object, list[Thing]] = {}
    for slot in program.layout.bag_slots:
        for index in range(len(store.columns[slot])):
            for thing in store.undecided(slot, index):
                if thing in unseen:
                    look = thing.kind, program.alike.look(store, thing)
                    found.setdefault(look, []).append(thing)
    yield from (things for things in found.values() if len(things) > 1)


def test_views_do_not_tell_which_of_several_copies_something_is(rules: Rules, size: Size) -> None:
    compared = 0

    @size.tries(8)
    @given(starts(rules), st.data(), st.integers(0, 2**16))
    def holds(start: Start, data: st.DataObject, seed: int) -> None:
        nonlocal compared
        player = data.draw(st.sampled_from(start.program.layout.players))
        generator = Generator(seed)
        exchange: dict[Thing, Thing] = {}
        for things in copies(start, player):
            mixed = generator.shuffled(things)
            exchange |= {
                one: other for one, other in zip(things, mixed, strict=True) if one is not other
            }
        if not exchange:
            return
        past = history(start, player, data.draw(st.integers(1, 60)))

        compared += compared_with(start, past, exchange, player)

    holds()
    if not compared:
        pytest.skip("there are no copies, or no game could be played again with others")
