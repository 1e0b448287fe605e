"""A linked game put to the test: its tables, checks, examples and random games in, diagnostics out.

- the tables are built for every number of players: nothing out of its range, nothing in two zones
- every `check` holds for every number of players
- every worked example comes out
- random games come to an end, under every `check always`, and under the laws that hold in all games

A rules error in a random game is reported with the seed with which it happens again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.diagnostics import Diagnostic, diagnostic, in_order
from rulewright.interpreter.compiling import Code
from rulewright.interpreter.engine import Game, game_of
from rulewright.interpreter.errors import TICKS_PER_STEP, PlayError, Undecided
from rulewright.interpreter.examples import run_examples
from rulewright.interpreter.findings import Eyes, findings
from rulewright.interpreter.laws import breaches
from rulewright.interpreter.loaded import cited
from rulewright.interpreter.playout import LIMIT, Playout, limit_reached, outcome, states
from rulewright.interpreter.store import Store
from rulewright.interpreter.tables import start_store
from rulewright.interpreter.values import Value


class LawBroken(AssertionError):
    """A law of the interpreter does not hold: a mistake of ours, not of an author."""


def verify(
    game: model.Game,
    players: Iterable[int] | None = None,
    playouts: int = 0,
    seed: int = 0,
    limit: int = LIMIT,
) -> tuple[Diagnostic, ...]:
    """Return all that is wrong with a game that has passed the static checks.

    `players` are the numbers of players that are tried (every possible one); for each of them so
    many random games are played, with seeds from `seed` on.
    """
    found: dict[object, Diagnostic] = {}
    numbers = range(game.least_players, game.most_players + 1) if players is None else players
    for number in numbers:
        try:
            loaded = game_of(game, number)
            start = start_store(loaded.program.evaluator, seed)
        except PlayError as error:
            _add(found, (error.diagnostic(),))
            continue
        _add(found, broken_checks(loaded, start, always=False))
        _add(found, broken_checks(loaded, start, always=True))
        _add(found, play_under_laws(loaded, range(seed, seed + playouts), limit))
    return in_order((*found.values(), *run_examples(game)))


def _add(found: dict[object, Diagnostic], more: Iterable[Diagnostic]) -> None:
    """Add what is new: what is wrong for two players and for three is said once."""
    for item in more:
        span = item.primary.span
        found.setdefault((item.code.code, span.source.name, span.start), item)


# ------------------------------------------------------------------------------------------ checks


@attrs.frozen
class _Checked:
    check: model.Check
    code: Code


def _compiled(game: Game, always: bool) -> tuple[_Checked, ...]:
    evaluator = game.program.evaluator
    return tuple(
        _Checked(check, evaluator.expression(check.condition))
        for check in game.model.checks
        if check.always is always
    )


def broken_checks(game: Game, store: Store, always: bool) -> Iterator[Diagnostic]:
    """Yield the checks of one sort that do not hold in a state."""
    for checked in _compiled(game, always):
        yield from _broken(game, store, checked, f"with {game.num_players} players")


def _broken(game: Game, store: Store, checked: _Checked, when: str) -> Iterator[Diagnostic]:
    check = checked.check
    try:
        if _holds(store, checked.code):
            return
    except PlayError as error:
        yield error.diagnostic()
        return
    eyes = Eyes(game.program.evaluator, store, None, {})
    yield diagnostic(
        "RW403",
        check.condition.span,
        "this does not hold",
        notes=(when, *(str(finding) for finding in findings(check.condition, eyes))),
        rule=tuple(f'{game.model.title}, "{section}"' for section in cited(check.see)),
        name=check.label,
    )


def _holds(store: Store, code: Code) -> Value:
    store.budget = TICKS_PER_STEP
    eyes, store.eyes = store.eyes, None
    try:
        return code(store, None, {})
    except Undecided:
        # It looks at cards whose places nobody knows yet: there is nothing to be wrong.
        return True
    finally:
        store.eyes = eyes


# ------------------------------------------------------------------------------------ random games


def play_under_laws(
    game: Game, seeds: Sequence[int | str], limit: int = LIMIT
) -> tuple[Diagnostic, ...]:
    """Return what goes wrong in random games; each kind of trouble once.

    Raises `LawBroken` if the interpreter itself has lost or doubled something.
    """
    found: dict[object, Diagnostic] = {}
    stopped: list[Playout] = []
    checks = _compiled(game, always=True)
    for seed in seeds:
        decisions = 0
        try:
            store = None
            for store in states(game.program, seed, limit):
                decisions += 1
                _check_laws(game, store, seed, decisions)
                for checked in checks:
                    when = f"after {decisions - 1} decisions, {_how(game, seed)}"
                    _add(found, _broken(game, store, checked, when))
            assert store is not None, "a game has a first state"
            result = outcome(game.program, store, seed, decisions - 1)
        except PlayError as error:
            note = f"after {decisions - 1} decisions, {_how(game, seed)}"
            item = error.diagnostic()
            reasons = tuple(reason.text for reason in getattr(error, "reasons", ()))
            item = attrs.evolve(item, notes=(*item.notes, *reasons, note))
            _add(found, (item,))
            continue
        if not result.finished:
            stopped.append(result)
    return (*found.values(), *limit_reached(game.model, stopped))


def _how(game: Game, seed: int | str) -> str:
    return f"in a random game of {game.num_players} players with seed {seed}"


def _check_laws(game: Game, store: Store, seed: int | str, decisions: int) -> None:
    for breach in breaches(store):
        raise LawBroken(f"{game.name}, seed {seed}, decision {decisions}: {breach}")
