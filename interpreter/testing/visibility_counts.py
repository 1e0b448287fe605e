"""Who sees what, counted in random games: a line for each field and zone.

In every state in which somebody decides it is asked of each field which seats see it, with the
question from which observations are made. `sometimes` means: in some of these states, or for some
holders.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.play.api import game_of
from rulewright.interpreter.play.playout import states
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

GAMES = 5
MOST_STATES = 200
"""So many states of each game are looked at."""

Counts = dict[tuple[str, str], list[int]]
"""By field and by who looks: how often it was seen, and how often asked."""


def visibility_counts(
    game: model.Game, options: Mapping[str, Value] | None = None
) -> Iterator[str]:
    """Yield for each field and zone that its games change who sees it."""
    players = min(max(2, game.least_players), game.most_players)
    program = game_of(game, players, options).program
    counts: Counts = {}
    for seed in range(GAMES):
        # Where rules go wrong, `--playouts` says so; here the game ends there.
        with contextlib.suppress(PlayError):
            for store in itertools.islice(states(program, seed), MOST_STATES):
                _count(program, store, counts)
    for id, field in game.fields.items():
        if field.printed or field.internal:
            continue
        told = _told(counts, id)
        if isinstance(field.type, types.ZoneType):
            told += f"; how many: {_told(counts, f'count {id}')}"
        yield f"{id}: {told}"


def _count(program: Program, store: Store, counts: Counts) -> None:
    layout, seer = program.layout, program.evaluator.visibility.seer
    for slot, field in layout.fields.items():
        if slot >= layout.size or field.printed or field.internal:
            continue
        questions = [(field.id, seer(slot))]
        if isinstance(field.type, types.ZoneType):
            questions.append((f"count {field.id}", seer(slot, True)))
        for place in layout.places[slot][: len(store.columns[slot])]:
            holder = owner = place.holder
            if holder is not None and holder.kind != "Player":
                owner = store.columns[layout.owner_slots[holder.kind]][holder.number]
            for name, sees in questions:
                for seat in layout.players:
                    who = "the others" if owner is not seat else "its owner"
                    if owner is None:
                        who = "players"
                    found = counts.setdefault((name, who), [0, 0])
                    found[0] += sees is None or sees(store, place.index, seat)
                    found[1] += 1


def _told(counts: Counts, name: str) -> str:
    parts = {
        who: "always" if seen == total else "sometimes" if seen else "never"
        for (one, who), (seen, total) in counts.items()
        if one == name
    }
    if not parts:
        return "no such thing came up"
    if set(parts.values()) == {"always"}:
        return "everybody, always"
    if set(parts.values()) == {"never"}:
        return "nobody"
    return ", ".join(f"{who} {parts[who]}" for who in sorted(parts))
