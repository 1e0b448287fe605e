"""A linked game put to the test: tables, checks, examples and random games.

- the tables are built for every number of players: nothing out of its range, nothing in two zones
- every `check` holds for every number of players, and the game comes to its first decision
- every worked example comes out
- random games come to an end, under every `check always`, and under the laws that hold in all games

A rules error in a random game is reported with the seed with which it happens again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.codes import counted
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic, in_order
from rulewright.interpreter.engine.setup import start_store
from rulewright.interpreter.play.api import Game, game_of
from rulewright.interpreter.play.loading import NotPlayableError
from rulewright.interpreter.play.playout import LIMIT, Playout, limit_reached, outcome, states
from rulewright.interpreter.program.decisions import current, option_labels, pending, prompt
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import EXHAUSTING, PlayError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value
from rulewright.interpreter.testing.blame import Place, place_of, run_examples
from rulewright.interpreter.testing.invariant_checks import broken, compiled_checks

Columns = list[list[Value]]


class LawBroken(AssertionError):
    """A law of the interpreter does not hold: a mistake of ours, not of an author."""


def verify(
    game: model.Game,
    players: Iterable[int] | None = None,
    playouts: int = 0,
    seed: int = 0,
    limit: int = LIMIT,
    examples: bool = True,
    options: Mapping[str, Value] | None = None,
) -> tuple[Diagnostic, ...]:
    """Return all that is wrong with a game that has passed the static checks.

    `examples`: whether those of the game are run. `players` are the numbers of players that are tried
    (every possible one); for each of them so many random games are played, with seeds from `seed` on,
    and with these `options`.

    >>> verify(compile_game("kuhn_poker").model_or_raise(), playouts=3)
    ()
    """
    found: dict[Place, Diagnostic] = {}
    numbers = range(game.least_players, game.most_players + 1) if players is None else players
    refused: list[PlayError] = []
    playable = False
    for number in numbers:
        try:
            loaded = game_of(game, number, options)
            start = start_store(loaded.program.evaluator, seed)
        except NotPlayableError as found_out:
            refused.append(found_out.error)
            continue
        except PlayError as error:
            _add(found, (error.diagnostic(),))
            continue
        playable = True
        _add(found, _nowhere(loaded, start))
        checks = [compiled_checks(loaded.program, always) for always in (False, True)]
        for checked in itertools.chain(*checks):
            when = f"with {counted(number, 'player')}"
            _add(found, broken(loaded.program, start, checked, when))
        _add(found, play_under_laws(loaded, range(seed, seed + playouts), limit))
        if not playouts:
            # Setting up needs no luck: one game is enough to try it.
            _add(found, play_under_laws(loaded, [seed], 0))
        if is_exhausting(found.values()):
            # With more players, and in examples, it would be found again, after as long a time.
            return in_order(found.values())
    if refused and not playable:
        _add(found, (_never_playable(refused),))
    return in_order((*found.values(), *(run_examples(game, found) if examples else ())))


def is_exhausting(found: Iterable[Diagnostic]) -> bool:
    """Return whether something was found that takes long to find: it is mended first."""
    return any(item.code.code in EXHAUSTING for item in found)


def _nowhere(game: Game, start: Store) -> Iterable[Diagnostic]:
    """Yield a warning for each kind with things that lie nowhere at the start, though the kind has a
    zone that is hidden: what lies nowhere is seen by all, which is mostly forgotten."""
    zones: dict[str, list[model.Field]] = {}
    for field in game.model.fields.values():
        if isinstance(field.type, types.ZoneType) and isinstance(field.type.kind, types.ThingType):
            zones.setdefault(field.type.kind.kind, []).append(field)
    layout = game.program.layout
    for kind, fields in zones.items():
        hidden = [field for field in fields if field.viewers.who != "everybody"]
        places = start.columns[layout.place_slots[kind]]
        things = layout.things[kind]
        lost = [thing for thing in things if places[thing.number] is None]
        table = next((one for one in game.model.tables if one.kind == kind), None)
        if not hidden or not lost or table is None:
            continue
        zone = hidden[0]
        example = f"`{kind.lower()}s: pile of {kind} = {kind}, seen by []`"
        if zone.holder is None:
            example = f"`{zone.name}: {_zone_type(zone)} = {kind}`"
        yield diagnostic(
            "RW422",
            table.span,
            "everybody sees them, for they lie nowhere",
            secondary=(Label(zone.span, "here not everybody sees them"),),
            help=f"say where they lie at the beginning, as in {example}",
            name=kind,
            found=f"{len(lost)} of {len(things)}",
        )


def _zone_type(zone: model.Field) -> str:
    """Return the type of a zone as it is written."""
    assert isinstance(zone.type, types.ZoneType)
    return f"{zone.type.shape} of {types.shown(zone.type.kind)}"


def _never_playable(refused: Sequence[PlayError]) -> Diagnostic:
    """Return the message that every number of players is refused, with all that refuses some."""
    by_span = {error.span: f'here: "{error.arguments["name"]}"' for error in refused}
    (span, text), *others = by_span.items()
    secondary = tuple(Label(*other) for other in others)
    help = "let one of them allow more, or leave one of the variants out"
    return diagnostic("RW510", span, text, secondary=secondary, help=help)


def _add(found: dict[Place, Diagnostic], more: Iterable[Diagnostic]) -> None:
    """Add what is new: what is wrong for two players and for three is said once."""
    for item in more:
        found.setdefault(place_of(item), item)


# ------------------------------------------------------------------------------------ random games


def play_under_laws(
    game: Game, seeds: Sequence[int | str], limit: int = LIMIT
) -> tuple[Diagnostic, ...]:
    """Return what goes wrong in random games; each kind of trouble once.

    With a `limit` of 0 they are only begun.

    Raises `LawBroken` if the interpreter itself has lost or doubled something.
    """
    found: dict[Place, Diagnostic] = {}
    stopped: list[Playout] = []
    checks = compiled_checks(game.program, always=True)
    for seed in seeds:
        decisions = 0
        try:
            store, before = None, Columns()
            for store in states(game.program, seed, limit):
                decisions += 1
                if store.setback is not None:
                    before = Columns()
                    note = _when(game, seed, decisions)
                    _add(found, (_dead_end(game, store, note),))
                before = _check_laws(game, store, seed, decisions, before)
                _read(game.program, store)
                for checked in checks:
                    when = _when(game, seed, decisions)
                    _add(found, broken(game.program, store, checked, when))
            assert store is not None, "a game has a first state"
            result = outcome(game.program, store, seed, decisions - 1)
        except PlayError as error:
            note = _when(game, seed, decisions + bool(error.answered))
            item = error.diagnostic()
            reasons = tuple(reason.text for reason in getattr(error, "reasons", ()))
            item = attrs.evolve(item, notes=(*item.notes, *reasons, note))
            _add(found, (item,))
            if is_exhausting((item,)):
                break
            continue
        if limit and not result.finished:
            stopped.append(result)
    return (*found.values(), *limit_reached(game.model, stopped))


def _read(program: Program, store: Store) -> None:
    """Read what a player reads who is asked, where it must be watched what he sees of it."""
    if pending(program, store) is not None and current(program, store).question.peeks:
        prompt(program, store)
        asked = current(program, store)
        if not isinstance(asked.options, range):
            option_labels(program, store, asked.options)


def _dead_end(game: Game, store: Store, when: str) -> Diagnostic:
    """Return the message that an option was a dead end which the look-ahead had not found."""
    op = store.setback.op
    reasons = tuple(reason.text for reason in store.setback.reasons)
    error = PlayError("RW703", op.span, name=op.site or op.label)
    return attrs.evolve(error.diagnostic(), notes=(*reasons, when))


def _when(game: Game, seed: int | str, states: int) -> str:
    """Return when something happened: how far a game was, by the states that it has come to."""
    game_of_how_many = f"in a random game of {counted(game.num_players, 'player')} with seed {seed}"
    if states < 2:
        return f"before the first decision, {game_of_how_many}"
    return f"after {counted(states - 1, 'decision')}, {game_of_how_many}"


def _check_laws(
    game: Game, store: Store, seed: int | str, decisions: int, before: Columns
) -> Columns:
    """Raise `LawBroken` if a state breaks a law; return its columns, for the next state."""
    for breach in breaches(store, before):
        raise LawBroken(f"{game.name}, seed {seed}, decision {decisions}: {breach}")
    return [column.copy() for column in store.columns]
