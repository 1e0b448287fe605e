"""A game played twice: as it was, and in a world in which some cards are others.

Chance is told from outside, so that a whole game, from its beginning, can be played again with other
cards where a player never saw which they were. Everything that the rules have worked out on the way
is then worked out anew; so this finds what a permutation of a single state cannot find.

Where the other cards make the game go another way (somebody cannot answer as he did), the two games
say nothing about each other: `Diverged`.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs
from playing import Start
from worlds import Renaming, hidden, told

from rulewright.interpreter import execute, lookahead
from rulewright.interpreter.chance import Generator
from rulewright.interpreter.decisions import option_labels, pending
from rulewright.interpreter.errors import IllegalActionError
from rulewright.interpreter.layout import EVENTS, SCALARS
from rulewright.interpreter.program import Program
from rulewright.interpreter.recollection import Answer
from rulewright.interpreter.store import Store
from rulewright.interpreter.values import Thing, Value

MOST_TURNS = 2000


class Diverged(Exception):
    """The game went another way."""


class CannotAnswer(AssertionError):
    """What a player answered in one world is no answer in the other: he can tell them apart."""


Path = tuple[tuple[str, int], ...]


@attrs.frozen
class Turn:
    """An answer of a player, or an outcome of chance (no player)."""

    path: Path
    player: Thing | None
    value: Value


@attrs.define
class Telling:
    """A game that goes on: its state, and the answers so far."""

    store: Store
    answers: list[Answer]


def _path(store: Store) -> Path:
    return tuple((frame.unit, frame.node) for frame in store.frames)


def begun(start: Start) -> Telling:
    """Return a game at its first decision or draw."""
    store = execute.begin(start.program, start.seed)
    store.explicit_chance = True
    execute.advance(start.program, store)
    return Telling(store, [])


def _answer(program: Program, telling: Telling, player: Thing, value: Value, trusted: bool) -> None:
    store = telling.store
    waiting = pending(program, store)
    assert waiting is not None
    (label,) = option_labels(program, store, [value])
    events = store.columns[SCALARS][EVENTS]
    execute.answer(program, store, value, trusted=trusted)
    telling.answers.append(Answer(events, player.number, waiting.site, value, label))


def turns(start: Start, telling: Telling) -> Iterator[Turn]:
    """Play on at random; yield what is about to happen, then let it happen."""
    program, store = start.program, telling.store
    agents = Generator(start.agents)
    for _ in range(MOST_TURNS):
        waiting = pending(program, store)
        if waiting is not None:
            value = lookahead.pick_random(program, store, agents)
            yield Turn(_path(store), waiting.player, value)
            _answer(program, telling, waiting.player, value, trusted=True)
            continue
        outcomes = execute.chance_outcomes(program, store)
        if not outcomes:
            return
        value = agents.pick(outcomes)
        yield Turn(_path(store), None, value)
        execute.answer_chance(program, store, value)


@attrs.frozen
class History:
    """A game up to a moment, and what a player did not see of any thing until then."""

    telling: Telling
    turns: list[Turn]
    unseen: list[Thing]


def history(start: Start, player: Thing, length: int) -> History:
    """Play a game at random for so many turns (or to the turn before its end)."""
    program = start.program
    telling = begun(start)
    unseen = set(hidden(program, telling.store, player))
    past: list[Turn] = []
    for turn in turns(start, telling):
        unseen.intersection_update(hidden(program, telling.store, player))
        if len(past) == length:
            break
        past.append(turn)
    unseen.intersection_update(hidden(program, telling.store, player))
    unseen -= told(program, telling.store, player)
    ordered = sorted(unseen, key=lambda thing: (thing.kind, thing.number))
    return History(telling, past, ordered)


def replayed(start: Start, past: list[Turn], renaming: Renaming, player: Thing) -> Telling:
    """Play the same game with other cards; the player must be able to answer as he did."""
    program = start.program
    telling = begun(start)
    for turn in past:
        store = telling.store
        if _path(store) != turn.path:
            raise Diverged
        value = renaming.value(turn.value)
        if turn.player is None:
            if value not in execute.chance_outcomes(program, store):
                raise Diverged
            execute.answer_chance(program, store, value)
            continue
        try:
            _answer(program, telling, turn.player, value, trusted=False)
        except IllegalActionError as error:
            if turn.player is player:
                raise CannotAnswer(f"{player}: {error}") from None
            raise Diverged from None
    return telling
