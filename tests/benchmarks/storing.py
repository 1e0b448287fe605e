"""A state in the middle of Jump Gate: copies of it, snapshots, and saving and loading."""

from __future__ import annotations

import copy

from handwritten.jump_gate import JumpGate
from measuring import Costs, Table, figure, interleaved, ratios, repeated, spread, times

from rulewright.interpreter.lookahead.lookahead import pick_random
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.snapshot import snapshots_of
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store

PLAYERS = 3
DECISIONS = 300
BASE = "Store.clone"


def mid_game(game: Game, decisions: int = DECISIONS) -> State:
    """Return a state after so many random decisions."""
    state = game.new_initial_state(1)
    agents = Generator("agents 1")
    for _ in range(decisions):
        state.apply_value(pick_random(game.program, state.store, agents))
    return state


def mid_game_written(decisions: int = DECISIONS) -> JumpGate:
    """Return a hand-written state after so many random decisions."""
    state = JumpGate(PLAYERS, 1)
    agents = Generator("agents 1")
    for _ in range(decisions):
        state.apply(agents.pick(state.legal()))
    return state


def deep_copy(store: Store, shares_things: bool) -> object:
    """Copy a store in depth. Layout and, if wanted, the things are shared; the log is left out, as
    it is a chain too long for `deepcopy`."""
    bare = store.clone()
    bare.log = bare.counted = None
    shared: list[object] = [store.layout]
    if shares_things:
        shared += [thing for things in store.layout.things.values() for thing in things]
    return copy.deepcopy(bare, {id(one): one for one in shared})


def measure(rounds: int, seconds: float) -> Costs:
    """Return what each way of copying costs."""
    game = load_game("jump_gate_2e", PLAYERS)
    state, by_hand = mid_game(game), mid_game_written()
    text = record.save(state)
    codec, store = snapshots_of(game.program), state.store
    data, told = codec.pack(store), state.pack(log=True)
    works = {
        BASE: repeated(state.store.clone, 100),
        "State.clone": repeated(state.clone, 100),
        "clone, written by hand": repeated(by_hand.clone, 100),
        "deepcopy of the store": repeated(lambda: deep_copy(state.store, False)),
        "the same, things shared": repeated(lambda: deep_copy(state.store, True)),
        "pack": repeated(lambda: codec.pack(store), 10),
        "unpack": repeated(lambda: codec.unpack(data), 10),
        "pack and unpack": repeated(lambda: codec.unpack(codec.pack(store)), 10),
        "State.pack, log=True": repeated(lambda: state.pack(log=True)),
        "Game.unpack, with the log": repeated(lambda: game.unpack(told)),
        "record.save": repeated(lambda: record.save(state)),
        "record.load (300 answers played once more)": repeated(lambda: record.load(text, game)),
    }
    return interleaved(works, rounds, seconds)


def table(costs: Costs) -> Table:
    """Return what has been measured as a table."""
    rows = tuple(
        (
            name,
            figure(spread(costs[name]).median),
            "1" if name == BASE else times(ratios(costs, name, BASE)),
        )
        for name in costs
    )
    title = f"Jump Gate, {PLAYERS} players, after {DECISIONS} decisions"
    return Table(title, ("what", "µs", f"times {BASE}"), rows)
