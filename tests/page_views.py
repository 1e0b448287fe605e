"""Real states for the tests of pages: games of the shelf and of the laws, played at random by what a page sends."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import brief

from rulewright.dsl.files import disk
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.tableau.answers import Accepted, Given, Mistake, read_answer
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.tableau.view_model import as_json

LAWS = Path(__file__).resolve().parent / "laws" / "games"
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gita", "Hugo")

View = Mapping[str, Any]

SHELF = tuple(disk.shelf())
GAMES = (*SHELF, *(str(one) for one in sorted(LAWS.iterdir()) if one.is_dir()))
"""What the pages are tried on."""


def name_of(game: str) -> str:
    """Return how a game is called in a list of tests."""
    return Path(game).name


@cache
def loaded(name: str) -> Game:
    """Return a game that ends whatever its players do."""
    found = load_game(name)
    options = brief.options_of(found.model)
    return load_game(name, options=options, names=NAMES[: found.num_players])


@attrs.define
class Table:
    """A state with what each seat and the watchers remember."""

    state: State
    handles: dict[int | None, Handles]

    @classmethod
    def of(cls, name: str, seed: int = 1) -> Table:
        """Return a table of a game that has just begun."""
        state = loaded(name).new_initial_state(seed=seed)
        seats: tuple[int | None, ...] = (None, *range(state.game.num_players))
        return cls(state, {seat: Handles() for seat in seats})

    def view(self, seat: int | None, language: str = "en") -> View:
        """Return what a seat is shown."""
        view: View = as_json(
            tableau(self.state, seat, self.handles[seat], self.state.game.spoken(language))
        )
        return view

    def answer(self, seat: int, given: Given) -> Mistake | None:
        """Let a seat answer; all others notice what they can."""
        found = read_answer(self.state, seat, given, self.handles[seat])
        if isinstance(found, Mistake):
            return found
        assert isinstance(found, Accepted)
        self.state = found.after
        for one, handles in self.handles.items():
            notice(self.state, one, handles)
        return None


def some_answer(view: View, chance: Generator) -> Given:
    """Return an answer that a person who does not know the rules could give."""
    question = view["question"]
    n, options = question["n"], question["options"]
    if question["targets"]:
        amounts = dict.fromkeys((one["index"] for one in question["targets"]), 0)
        for _ in range(question["left"]):
            amounts[chance.pick(list(amounts))] += 1
        return Given(n, amounts=amounts)
    if question["range"]:
        low, high = question["range"]
        return Given(n, number=low + chance.below(high - low + 1))
    ids = [one["id"] for one in options if one["kind"] != "offer"] or [options[0]["id"]]
    if not question["whole"]:
        return Given(n, options=(chance.pick(ids),))
    low, high = question["low"], min(question["high"], len(ids))
    count = min(low, high) + chance.below(max(high - low, 0) + 1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(chance.pick([one for one in ids if one not in chosen]))
    return Given(n, options=tuple(chosen))


def played(name: str, most: int, seed: int = 1, tries: int = 60) -> Iterator[tuple[Table, int]]:
    """Yield a table before each of its first decisions with the seat that is asked, and at its end or
    where it is left with seat 0."""
    table, chance = Table.of(name, seed), Generator(seed)
    for _ in range(most):
        if table.state.is_terminal():
            break
        seat = table.state.current_players()[0]
        yield table, seat
        for _ in range(tries):
            if table.answer(seat, some_answer(table.view(seat), chance)) is None:
                break
        else:
            break
    yield table, 0


def option(id: int, label: str, **more: Any) -> dict[str, Any]:
    """Return an option."""
    return {
        "id": id, "label": label, "kind": "choose", "refs": [], "touches": [], "verb": None,
        "unproved": False, "number": None, **more,
    }  # fmt: skip


def with_question(**more: Any) -> dict[str, Any]:
    """Return a view in which something is asked."""
    view = copy.deepcopy(dict(Table.of("tic_tac_toe").view(0)))
    view["question"] = {**view["question"], "options": [], "cannot": [], **more}
    return view


def ended(game: str, most: int) -> Table | None:
    """Return a table where a game has ended after so many random decisions; None if it has not."""
    table, chance = Table.of(game, 3), Generator(3)
    for _ in range(most):
        if table.state.is_terminal():
            return table
        (seat, *_) = table.state.current_players()
        table.state.apply_action(chance.pick(table.state.legal_actions(seat)), seat)
    return None
