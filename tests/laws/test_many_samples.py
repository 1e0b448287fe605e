"""States drawn for a player, in bulk: what `test_determinization` and `test_blind_samples` try a few times, with
other seeds and on every game that hides something, with each variant, every pair of them and any number of players.

    SAMPLES=100000 SEED=7 pytest -s --slow tests/laws/test_many_samples.py

draws a hundred thousand states and ten thousand pairs, the same number for each game. What goes wrong is told with the
random game, the moment, the player and the number of the draw, all that is needed to see it once more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from math import ceil
from pathlib import Path

import attrs
import pytest
from playing import (
    OWN,
    CannotBePlayed,
    Moment,
    Played,
    Rules,
    Start,
    discovered,
    loaded,
    play,
    player_counts,
)
from test_blind_samples import differing, honest, shows_the_truth
from test_determinization import moved_out_of_sight
from worlds import changed_lines, differences, has_secrets, recollection, view

from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.play.simulation import Simulation
from rulewright.interpreter.state.errors import KnowledgeError
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Thing

SAMPLES = int(os.environ.get("SAMPLES", "2000"))
SEED = int(os.environ.get("SEED", "1"))

PAIRS = 10
"""One pair of worlds for so many samples."""

MOMENTS = 8
"""So many moments of a random game are looked at."""

DRAWN = 4
"""So many states are drawn for each player at each."""

LONGEST = 5000
"""A drawn state is left after so many decisions."""

MOST_FAULTS = 5
"""After so many faults a game is left."""


@attrs.frozen
class Point:
    """A player at a moment of a random game."""

    played: Played
    number: int
    player: Thing

    @property
    def moment(self) -> Moment:
        """The moment."""
        return self.played.moments[self.number]

    def __str__(self) -> str:
        start = self.played.start
        return (
            f"{start.rules}, {start.players} players, seed {start.seed}, agents {start.agents},"
            f" moment {self.number} of {len(self.played.moments)}, for {self.player.name}"
        )


@cache
def games() -> dict[Path, list[Rules]]:
    """Return the games that hide something, with their sets of variants, by their folders."""
    found: dict[Path, list[Rules]] = {}
    for rules in discovered(all_of_them=True):
        found.setdefault(rules.path, []).append(rules)
    return {folder: several for folder, several in found.items() if hides(several[0])}


def hides(rules: Rules) -> bool:
    """Return whether a game can be played, and hides anything from anybody."""
    try:
        return has_secrets(loaded(rules, player_counts(rules)[0]))
    except CannotBePlayed:
        return False


def share(rules: Rules) -> Fraction:
    """Return the share of a game in all samples: the same for each folder, and in it for each set of variants."""
    return Fraction(1, len(games()) * len(games()[rules.path]))


def points(rules: Rules, seed: int) -> Iterator[Point]:
    """Yield players at moments of random games, without end; all numbers of players in turn."""
    counts = player_counts(rules)
    number = 0
    while True:
        generator = Generator(f"{rules} {seed} {number}")
        start = Start(
            rules, counts[number % len(counts)], generator.below(2**32), generator.below(2**32)
        )
        number += 1
        played = play(start)
        if not played.moments:
            continue
        last = len(played.moments) - 1
        chosen = {last, *(generator.below(last + 1) for _ in range(MOMENTS - 1))}
        for moment in sorted(chosen):
            for player in played.program.layout.players:
                yield Point(played, moment, player)


def broken_laws(point: Point, drawn: range) -> Iterator[str]:
    """Yield what is wrong with states that are drawn for a player, one line each."""
    program, store, player = point.played.program, point.moment.store, point.player
    before = store.clone()
    here = view(program, store, player)
    remembered = recollection(program, store, player)
    knowledge = Knowledge(program, store, player)
    for number in drawn:
        generator = Generator(number)
        try:
            sample = knowledge.sample(generator, log=True)
        except KnowledgeError as error:
            yield f"{point}, draw {number}: {error}"
            continue
        told = differences(here, view(program, sample, player))
        if told:
            yield f"{point}, draw {number}: is told something else: {told}"
        lines = changed_lines(remembered, recollection(program, sample, player))
        if lines:
            yield f"{point}, draw {number}: remembers something else: {lines}"
        if not moved_out_of_sight(program, store, sample, player):
            yield f"{point}, draw {number}: other things lie where he sees or counts them"
        try:
            Simulation(program, sample).rollout(generator, LONGEST)
        except Exception as error:
            yield f"{point}, draw {number}: cannot be played on: {error!r}"
        if store != before or store.random_state != before.random_state:
            yield f"{point}, draw {number}: playing on has changed the real state"


def seen_through(point: Point, drawn: range) -> Iterator[str]:
    """Yield where the same seed does not draw the same in a world that the player cannot tell from this one, one line
    each."""
    program, store, player = point.played.program, point.moment.store, point.player
    for number in drawn:
        try:
            for _ in differing(honest, program, store, player, number):
                yield f"{point}, other world {number}: the same seed draws something else"
        except KnowledgeError as error:
            yield f"{point}, other world {number}: {error}"


Law = Callable[[Point, range], Iterator[str]]


def faults(law: Law, rules: Rules, seed: int, number: int) -> Iterator[str]:
    """Yield what is wrong in so many draws of a game."""
    made = 0
    for point in points(rules, seed):
        count = min(DRAWN, number - made)
        first = Generator(f"{point} {seed}").below(2**32)
        yield from law(point, range(first, first + count))
        made += count
        if made >= number:
            return


def judge(law: Law, rules: Rules, number: int) -> None:
    """Fail if anything is wrong in so many draws of a game."""
    found = list(islice(faults(law, rules, SEED, number), MOST_FAULTS))
    print(f"{rules}: {number} with seed {SEED}, {len(found)} faults", flush=True)
    assert not found, "\n".join(found)


LAWS: dict[str, tuple[Law, int]] = {"states": (broken_laws, 1), "pairs": (seen_through, PAIRS)}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rules", discovered(all_of_them=True), ids=str)
def test_nothing_is_told_apart_in_many_draws(rules: Rules, law: str) -> None:
    if not hides(rules):
        pytest.skip("everything is seen by everybody")
    judged, each = LAWS[law]
    judge(judged, rules, ceil(SAMPLES * share(rules) / each))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ["marked_cards", "at_once"])
def test_nothing_is_told_apart_in_some_draws(name: str, law: str) -> None:
    judge(LAWS[law][0], Rules(OWN / name), 40)


def test_a_state_that_differs_is_told_with_all_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = Rules(OWN / "marked_cards")
    begun = next(points(rules, 1)).moment.store
    monkeypatch.setattr(Knowledge, "sample", lambda *_, **__: begun.clone())

    with pytest.raises(
        AssertionError, match=r"players, seed \d+, agents .* is told something else"
    ):
        judge(broken_laws, rules, 100)


def test_a_draw_that_looks_at_the_truth_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "honest", shows_the_truth)

    with pytest.raises(AssertionError, match="the same seed draws something else"):
        judge(seen_through, Rules(OWN / "marked_cards"), 200)
