"""Which games the laws are about, and how they are played at random.

Every game on the shelf is found, alone and with its variants, and so are the small games in the
folder `games` beside this file, which have what the shelf may not have yet: hidden rows, marks on
face-down cards, choices of several things. The long runs add the games of the corpus that can be
played.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import attrs
import brief
import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from sharing import is_large, shared_out

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.frontend import checked_cache
from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.play.api import Game
from rulewright.interpreter.program.decisions import Pending, pending
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value

HERE = Path(__file__).resolve().parent
OWN = HERE / "games"
CORPUS = HERE.parent / "dsl" / "corpus" / "games"

MOST_DECISIONS = 3000
"""A random game is left when it is longer."""


# ------------------------------------------------------------------------------------------ profiles


@attrs.frozen
class Size:
    """How much is tried: the small runs are for every change, the large ones for the night."""

    factor: float

    def tries(self, examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Return the decorator of a property that is tried so often, the same way every time."""
        return settings(
            max_examples=max(1, round(examples * self.factor)),
            database=None,
            deadline=None,
            derandomize=True,
            # A game of a thousand decisions is played again for each step of shrinking.
            phases=(Phase.generate,),
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )


SMALL = Size(1)
SMALLER = Size(0.5)
"""For games with variants, which are hardly other games."""

SMALLEST = Size(0.25)
"""For games with many verbs, which take long: one game for most laws, and many in the long runs."""

MANY_VERBS = 40

LARGE = Size(6)


# ------------------------------------------------------------------------------------------- games


@attrs.frozen
class Rules:
    """A game with some of its variants."""

    path: Path
    variants: tuple[str, ...] = ()
    turns: int = brief.FEW
    """A game that chance need not end is broken off after so many turns."""

    def __str__(self) -> str:
        return "+".join((self.path.name, *self.variants))


@cache
def discovered(*, all_of_them: bool = False) -> tuple[Rules, ...]:
    """Return the games to try: each alone, the small ones with all their variants, too; or all with
    each variant and every pair of them."""
    folders = [found.folder for name in library.shelf() if (found := _target(name)) is not None]
    folders += sorted(path.parent for path in OWN.glob("*/game.rules"))
    if all_of_them:
        names = {folder.name for folder in folders}
        folders += sorted(
            path.parent for path in CORPUS.glob("*/game.rules") if path.parent.name not in names
        )
    turns = brief.MANY if all_of_them else brief.FEW
    return tuple(
        Rules(folder, chosen, turns) for folder in folders for chosen in _sets(folder, all_of_them)
    )


def shared_games(law: str) -> Iterator[tuple[Rules, Sequence[pytest.MarkDecorator]]]:
    """Yield games with the marks that they have in a law: each law leaves two of three to CI, and not
    every law the same; every other law tries one that has many rules."""
    large = [rules for rules in discovered() if is_large(rules.path)]
    yield from shared_out([rules for rules in discovered() if rules not in large], law)
    yield from shared_out(large, law, tests=2 * len(large))


def _target(name: str) -> library.GameTarget | None:
    return library.find_target(name)[0]


def _sets(folder: Path, pairs: bool) -> Iterator[tuple[str, ...]]:
    names = sorted(path.stem for path in library.variant_files(folder))
    yield ()
    if pairs:
        yield from ((name,) for name in names)
        yield from itertools.combinations(names, 2)
    if len(names) > (2 if pairs else 0) and (pairs or folder.parent == OWN):
        yield tuple(names)


class CannotBePlayed(Exception):
    """The rules need what the language does not play yet, or the variants exclude each other."""


@cache
def linked(rules: Rules) -> model.Game:
    """Return the checked model of a game."""
    named = str(rules.path)
    known = checked_cache.known(named, rules.variants)
    if known is not None:
        return known.game
    try:
        return checked_cache.compiled(named, rules.variants).model_or_raise()
    except RulesError as error:
        codes = {found.code.code for found in error.diagnostics}
        in_corpus = rules.path.is_relative_to(CORPUS)
        if in_corpus or (len(rules.variants) > 1 and any(code[2] == "5" for code in codes)):
            raise CannotBePlayed(str(error)) from None
        raise


def size_of(rules: Rules) -> Size:
    """Return how much of a game is tried for every change."""
    try:
        large = len(linked(rules).verbs) > MANY_VERBS
    except CannotBePlayed:
        large = False
    if large:
        return SMALLEST
    return SMALLER if rules.variants else SMALL


@cache
def loaded(rules: Rules, players: int) -> Program:
    """Return a game ready for so many players."""
    return loaded_anew(rules, players)


def loaded_anew(rules: Rules, players: int) -> Program:
    """Return the same with things of its own."""
    game = linked(rules)
    return load_program(game, players, brief.options_of(game, rules.turns))


def player_counts(rules: Rules) -> range:
    """Return how many may play."""
    game = linked(rules)
    return range(game.least_players, game.most_players + 1)


# ------------------------------------------------------------------------------------------ playing


@attrs.frozen
class Start:
    """What a random game depends on."""

    rules: Rules
    players: int
    seed: int
    agents: int
    """The seed of those who answer."""

    @property
    def program(self) -> Program:
        """The loaded game."""
        return loaded(self.rules, self.players)

    @property
    def game(self) -> Game:
        """The same, as programs see it."""
        names = tuple(seat.name for seat in self.program.layout.players)
        return Game(self.program.game, self.program, names, self.rules.path)


def starts(rules: Rules) -> st.SearchStrategy[Start]:
    """Return random games of some rules, for any number of players."""
    small = st.integers(0, 2**16)
    counts = st.sampled_from(player_counts(rules))
    return st.builds(Start, st.just(rules), counts, small, small)


@attrs.frozen(eq=False)
class Moment:
    """A state in which somebody is asked, and what was answered then."""

    store: Store
    player: Thing
    site: str
    answer: Value


@attrs.frozen
class Played:
    """A game that was played at random."""

    start: Start
    moments: list[Moment]
    end: Store
    over: bool

    @property
    def program(self) -> Program:
        """The loaded game."""
        return self.start.program


def steps(
    start: Start, most: int = MOST_DECISIONS, strict: bool = False
) -> Iterator[tuple[Store, Pending | None]]:
    """Play a game at random; yield the running state at each decision and, last, at the end."""
    program = start.program
    store = executor.begin(program, start.seed)
    store.strict = strict
    executor.advance(program, store)
    agents = Generator(start.agents)
    for _ in range(most):
        waiting = pending(program, store)
        yield store, waiting
        if waiting is None:
            return
        value = lookahead.pick_random(program, store, agents)
        executor.answer(program, store, value, trusted=True)
    yield store, pending(program, store)


def play(start: Start, most: int = MOST_DECISIONS) -> Played:
    """Play a game at random and keep a copy of each state in which somebody is asked."""
    program = start.program
    store = executor.begin(program, start.seed)
    executor.advance(program, store)
    agents = Generator(start.agents)
    moments: list[Moment] = []
    while len(moments) < most:
        waiting = pending(program, store)
        if waiting is None:
            break
        before = store.clone()
        value = lookahead.pick_random(program, store, agents)
        moments.append(Moment(before, waiting.player, waiting.site, value))
        executor.answer(program, store, value, trusted=True)
    return Played(start, moments, store, executor.is_over(store))


def branches(store: Store) -> str:
    """Return what players have done who act at once, as a text, with the types of all values."""
    fork = store.fork
    if fork is None:
        return ""
    told = [
        (
            *(branch.player, branch.phase, branch.cells, branch.random, branch.events),
            *(branch.transaction, branch.viewer, branch.opened, branch.ending),
            [_running(frame) for frame in branch.frames],
        )
        for branch in fork.branches
    ]
    shared = [_running(frame) for frame in fork.frames]
    return repr((fork.columns, shared, told, fork.at, fork.begun))


def _running(frame: Frame) -> tuple[str, int, Thing | None, list[tuple[str, Value]]]:
    return frame.unit, frame.node, frame.me, sorted(frame.locals.items())


def some_moments(data: st.DataObject, played: Played, count: int) -> list[Moment]:
    """Return some of the moments of a game, the last one (where most has happened) among them."""
    if not played.moments:
        hypothesis.reject()
    last = len(played.moments) - 1
    numbers = data.draw(st.lists(st.integers(0, last), min_size=count, max_size=count))
    return [played.moments[number] for number in sorted({*numbers, last})]
