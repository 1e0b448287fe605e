"""A game played twice: as it was, and in a world in which some cards are others.

Chance is told from outside, so that a whole game, from its beginning, can be played again with other
cards where a player never saw which they were. Everything that the rules have worked out on the way
is then worked out anew; so this finds what a permutation of a single state cannot find.

Where the other cards make the game go another way (somebody else cannot answer as he did, a rule
depends on a hidden card, or tells something about it), the two games say nothing about each other:
`Diverged`. To know that, the way of control through the rules is noted down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs
from playing import Start
from worlds import Renaming, hidden, told

from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.ir.machine import Run
from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program.decisions import option_for, option_labels, pending
from rulewright.interpreter.state.errors import IllegalActionError
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

MOST_TURNS = 2000


class Diverged(Exception):
    """The game went another way."""


class CannotAnswer(AssertionError):
    """A player is asked something else, or cannot answer as he did: he can tell the worlds apart."""


Way = list[tuple[str, int, Thing | None]]
"""The operations that were run, with their acting players."""


@attrs.frozen
class Turn:
    """An answer of a player, or an outcome of chance (no player)."""

    player: Thing | None
    value: Value


@attrs.define
class Telling:
    """A game that goes on: its state, the answers so far, and the way to here."""

    store: Store
    answers: list[Answer]
    way: Way


@contextmanager
def traced(program: Program) -> Iterator[Way]:
    """Note down the operations that are run, but for those of trials."""
    plain = program.runs
    noting = _Noting(plain)
    program.runs = noting
    try:
        yield noting.way
    finally:
        program.runs = plain


class _Noting(dict[str, list[Run]]):
    """The handlers of a program, each of which notes down that it was run."""

    def __init__(self, plain: dict[str, list[Run]]) -> None:
        super().__init__()
        self.plain = plain
        self.way: Way = []

    def __missing__(self, unit: str) -> list[Run]:
        # Units are compiled when they are needed, so they are not known beforehand.
        runs = [self.noting(unit, node, run) for node, run in enumerate(self.plain[unit])]
        self[unit] = runs
        return runs

    def noting(self, unit: str, node: int, run: Run) -> Run:
        """Return a handler that notes down that it was run."""

        def handler(store: Store, frame: Frame) -> int:
            if store.trail is None:
                self.way.append((unit, node, frame.me))
            return run(store, frame)

        return handler


def compare_ways(program: Program, here: Way, there: Way, player: Thing) -> None:
    """Do nothing if the second game went the way of the first, as far as it has come."""
    if here == there:
        return
    pairs = enumerate(zip(here, there, strict=False))
    forked = next((at for at, (one, other) in pairs if one != other), min(len(here), len(there)))
    unit, node, me = here[forked - 1]
    if me is player and program.code[unit][node].kind == "decide":
        raise CannotAnswer(f"{player} is asked at {unit}#{node}, or not, for no reason he can see")
    raise Diverged


def begun(start: Start, way: Way) -> Telling:
    """Return a game at its first decision or draw."""
    store = executor.begin(start.program, start.seed)
    store.explicit_chance = True
    executor.advance(start.program, store)
    return Telling(store, [], way)


def _answer(program: Program, telling: Telling, player: Thing, value: Value, trusted: bool) -> None:
    store = telling.store
    waiting = pending(program, store)
    assert waiting is not None
    (label,) = option_labels(program, store, [value])
    events = store.count_events()
    executor.answer(program, store, value, trusted=trusted)
    telling.answers.append(Answer(events, player.number, waiting.site, value, label))


def turns(start: Start, telling: Telling) -> Iterator[Turn]:
    """Play on at random; yield what is about to happen, then let it happen."""
    program, store = start.program, telling.store
    agents = Generator(start.agents)
    for _ in range(MOST_TURNS):
        waiting = pending(program, store)
        if waiting is not None:
            value = lookahead.pick_random(program, store, agents)
            yield Turn(waiting.player, value)
            _answer(program, telling, waiting.player, value, trusted=True)
            continue
        outcomes = executor.chance_outcomes(program, store)
        if not outcomes:
            return
        value = agents.pick(outcomes)
        yield Turn(None, value)
        executor.answer_chance(program, store, value)


@attrs.frozen
class History:
    """A game up to a moment, and what a player did not see of any thing until then."""

    telling: Telling
    turns: list[Turn]
    unseen: list[Thing]


def history(start: Start, player: Thing, length: int) -> History:
    """Play a game at random for so many turns (or to the turn before its end)."""
    program = start.program
    past: list[Turn] = []
    with traced(program) as way:
        telling = begun(start, way)
        unseen = set(hidden(program, telling.store, player))
        for turn in turns(start, telling):
            unseen.intersection_update(hidden(program, telling.store, player))
            if len(past) == length:
                break
            past.append(turn)
    unseen.intersection_update(hidden(program, telling.store, player))
    unseen -= told(program, telling.store, player)
    ordered = sorted(unseen, key=lambda thing: (thing.kind, thing.number))
    return History(telling, past, ordered)


def replayed(
    start: Start,
    past: History,
    renaming: Renaming,
    player: Thing,
    watch: Callable[[Telling], None] = lambda telling: None,
    *,
    mirrored: bool = False,
) -> Telling:
    """Play the same game with other cards; the player must be able to answer as he did. `watch` is called
    whenever somebody is about to answer or chance to decide, and at last. `mirrored`: of alike things
    the very one must be taken that stands for the one of the first game."""
    program = start.program
    here = past.telling.way
    with traced(program) as way:
        telling = begun(start, way)
        for turn in past.turns:
            compare_ways(program, here[: len(way)], way, player)
            watch(telling)
            waiting = pending(program, telling.store)
            if (None if waiting is None else waiting.player) is not turn.player:
                raise Diverged
            _repeat(program, telling, turn, renaming.value(turn.value), player, mirrored)
    compare_ways(program, here, way, player)
    watch(telling)
    if _published(past.telling.store, telling.store, renaming, player):
        raise Diverged
    return telling


def _published(here: Store, there: Store, renaming: Renaming, player: Thing) -> bool:
    """Return whether a rule has told the player something about what he does not see: an effect is
    another one even if the cards in it are exchanged (`set my.points to count(foe.hand …)`)."""
    for one, other in zip(here.events(), there.events(), strict=True):
        sees = any(player.number in event.seers | event.counters for event in (one, other))
        if sees and _known(renaming.event(one)) != _known(other):
            return True
    return False


def _known(event: Event) -> tuple[Value, ...]:
    if event.kind != "move":
        return event.kind, event.actor, event.data
    # What lies in a shuffled pile is in no order.
    things, *places = event.data
    return event.kind, event.actor, frozenset(things), *places


def _repeat(
    program: Program,
    telling: Telling,
    turn: Turn,
    value: Value,
    player: Thing,
    mirrored: bool,
) -> None:
    """Let happen what happened in the other game."""
    store = telling.store
    if turn.player is None:
        if value not in executor.chance_outcomes(program, store):
            raise Diverged
        executor.answer_chance(program, store, value)
        return
    try:
        # A list in the order of the tables may begin with another one: it is taken just as well, but
        # from then on this is no mirror of the first game.
        if mirrored and option_for(program, store, value) is not value and isinstance(value, Thing):
            raise Diverged
        _answer(program, telling, turn.player, value, trusted=False)
    except IllegalActionError as error:
        if turn.player is player:
            raise CannotAnswer(f"{player}: {error}") from None
        raise Diverged from None
