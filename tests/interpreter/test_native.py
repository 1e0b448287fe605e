"""The optional native build: it plays the same games, and nothing is loaded that is not its own."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import platformdirs
import pytest
import written

from rulewright.dsl.files import cache as user_cache, library
from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine.executor import begin
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.native import building, native
from rulewright.interpreter.native.emit_native import chosen, module
from rulewright.interpreter.play.api import Game, load_game
from rulewright.interpreter.play.playout import expect, playout
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator

RULES = """
each Player has
  points: number = 0, seen by players
  hand: cards of Card, seen by owner
each Card has
  rank: number
table Card for each rank in 1..6
the game has, seen by players
  deck: pile of Card = Card
  turns: number = 0
define worth(c: Card) = c.rank * 2
to play
  shuffle deck
  for each p in players
    repeat 2 times
      move top(deck) to p.hand
  repeat
    as players
      take_turn
    add 1 to turns
    if turns > 3
      end game "enough"
to take_turn
  choose c from my.hand
  add worth(c) to my.points
  either "Bet"
    need my.points > 4 else "too little"
    add 1000000000000 to my.points
  or "Pass"
    nothing
"""

WRONG = RULES.replace("add 1000000000000 to my.points", "add 400000000000000 to my.points")
"""Some games of it come to numbers that are too large."""

PLAYERS = 2
SEEDS = 40


def tools() -> bool:
    """Return whether libraries can be built here."""
    try:
        building.require_tools()
    except building.CannotBuild:
        return False
    return True


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of each test's own."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin as a process does."""
    monkeypatch.setattr(native, "_taken", set())


def fresh(rules: str = RULES) -> Program:
    """Load the game."""
    return load_program(written.linked(rules), PLAYERS)


def outcomes(program: Program, seeds: int = SEEDS) -> list[Any]:
    """Return how random games end: with which state and events, or with which error."""
    found: list[Any] = []
    for seed in range(seeds):
        store, agents = begin(program, seed), Generator(f"agents {seed}")
        try:
            made = program.lane.play(store, agents, 1000, lambda seed=seed: begin(program, seed))
        except PlayError as error:
            found.append((error.code, error.span, error.arguments))
            continue
        found.append((made, agents.state, repr(store.columns), repr(list(store.events()))))
    return found


def expected(rules: str = RULES, seeds: int = SEEDS) -> list[Any]:
    """Return the same of generated code."""
    program = fresh(rules)
    generate(program)
    return outcomes(program, seeds)


# ------------------------------------------------------------------------------------ the recipe

AGAIN = """
import sys
from rulewright.interpreter.native import building, native
from rulewright.interpreter.play.api import load_game
name = sys.argv[1]
building.QUIET_GAMES = 3
recipe, _ = building.asked(load_game(name).program)
units = native.rewritten(load_game(name).program, recipe)
print(len(recipe.asked), native.digest(units.names.kept_code))
"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "connect_four" else pytest.mark.slow)
        for name in library.shelf()
    ],
)
def test_the_same_functions_are_written_under_any_hash_seed(name: str) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", AGAIN, name],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "20")
    ]

    assert said[0] == said[1] == said[2]
    assert int(said[0].split()[0]) > 1


def test_a_recipe_is_plain_data() -> None:
    recipe, games = building.asked(fresh())

    assert games >= building.QUIET_GAMES
    assert native.recipe_of(json.loads(json.dumps(recipe.plain()))) == recipe


def test_a_recipe_names_verbs_that_stand_to_choice() -> None:
    recipe = native.Recipe((("probe", 0, (("turn", 3),), ("draw", ("draw",))),))

    assert native.recipe_of(json.loads(json.dumps(recipe.plain()))) == recipe


@pytest.mark.parametrize("wrong", [None, {}, ["x"], [[1, 2]], [[[["play", "x"]], [0, 0]]], [None]])
def test_a_recipe_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        native.recipe_of(wrong)


# ------------------------------------------------------------------- the module, in plain Python


@pytest.fixture
def machine_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for what comes with mypyc."""
    monkeypatch.setitem(sys.modules, "mypy_extensions", SimpleNamespace(i64=int))


def in_python(program: Program, recipe: native.Recipe) -> list[str]:
    """Let a program play on the text that mypyc would get; return its functions."""
    units = native.rewritten(program, recipe, source=True)
    taken = chosen(units.names.kept_source or (), units.names.space)
    pieces, names = module(taken, units.names.space)
    made = ModuleType("made")
    with native._giving(units.names.space):
        exec("\n".join(pieces), made.__dict__)
    # The generator of machine words is only right in machine words.
    made.along = lambda play, store, agents, limit: play(store, agents, limit)  # type: ignore[attr-defined]
    native._settle(program, units, made, [one.name for one in taken])
    return names


@pytest.mark.usefixtures("machine_words")
@pytest.mark.parametrize("rules", [RULES, WRONG], ids=["fine", "wrong"])
def test_the_module_does_what_the_functions_do(rules: str) -> None:
    recipe, _ = building.asked(fresh(rules))
    program = fresh(rules)

    names = in_python(program, recipe)

    assert outcomes(program) == expected(rules)
    assert any(name.startswith("e_printing_moving") for name in names), (
        "nothing of the engine is taken"
    )


@pytest.mark.usefixtures("machine_words")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name.startswith("jump") else ())
        for name in library.shelf()
    ],
)
def test_the_module_of_a_game_of_the_shelf_plays_the_same(name: str) -> None:
    program, plain = load_game(name).program, load_game(name).program
    generate(plain)
    recipe, _ = building.asked(load_game(name).program)

    in_python(program, recipe)

    assert outcomes(program, 5) == outcomes(plain, 5)
    assert program.lane.given_up == 0


def test_what_was_not_asked_for_before_is_written_later(machine_words: None) -> None:
    recipe, _ = building.asked(fresh())
    program = fresh()

    in_python(program, native.Recipe(recipe.asked[:2]))

    assert outcomes(program) == expected()


# ------------------------------------------------------------------------------- the real thing


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder in which the libraries of both games lie."""
    if not tools():
        pytest.skip("mypyc or a C compiler is missing")
    folder = tmp_path_factory.mktemp("built")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(platformdirs, "user_cache_dir", lambda name: str(folder))
        # Fast to make, not fast to run.
        patch.setattr(building, "OPTIMISED", "0")
        building.build(lambda: fresh(WRONG))
    yield folder


@pytest.fixture
def cache_of_built(built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the library."""
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(built))
    return built


def test_native_code_plays_the_same_games_with_the_same_errors(cache_of_built: Path) -> None:
    program = fresh(WRONG)
    assert native.use(program)
    assert "built-in" in repr(program.lane.tracks.resume(begin(program)))

    found = outcomes(program)

    assert found == expected(WRONG)
    assert {len(one) for one in found} == {3, 4}, "some games end with an error, some do not"

    # It holds the objects of this game, so no other one gets it.
    assert not native.use(fresh(WRONG))


@pytest.mark.slow
@pytest.mark.parametrize("name", library.shelf())
def test_the_games_of_the_shelf_are_the_same_on_native_code(name: str) -> None:
    if not tools():
        pytest.skip("mypyc or a C compiler is missing")
    plain, program = load_game(name).program, load_game(name).program
    generate(plain)
    building.build(lambda: load_game(name).program)

    assert native.use(program)

    assert outcomes(program, SEEDS) == outcomes(plain, SEEDS)
    assert program.lane.given_up == 0


def test_only_its_own_game_uses_a_library(cache_of_built: Path) -> None:
    assert not native.use(fresh(RULES))
    assert not native.use(load_program(written.linked(WRONG), 3))
    with user_cache.unused():
        assert not native.use(fresh(WRONG))


def test_few_games_are_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[Program] = []
    monkeypatch.setattr(native, "use", lambda program: used.append(program) or True)
    game = Game(written.linked(RULES), fresh(), ("ann", "ben"))

    assert not expect(game, native.WORTH - 1)
    assert expect(game, native.WORTH)
    assert used == [game.program]


# ------------------------------------------------------------------------ what is never loaded


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> native.Place:
    """Where a library lies that would fit, if it were one; loading anything is an error."""
    recipe, _ = building.asked(fresh())
    units = native.rewritten(fresh(), recipe)
    place = native.place_of(fresh())
    assert place is not None
    native.keep(place, recipe, native.digest(units.names.kept_code or ()), [], b"no library")
    loads: list[Any] = []

    def load(*arguments: Any) -> ModuleType:
        loads.append(arguments)
        raise AssertionError("loaded")

    monkeypatch.setattr(native, "_loaded", load)
    monkeypatch.setattr(native, "loads", loads, raising=False)
    return place


def loads() -> int:
    """Return how often something was loaded."""
    return len(native.loads)  # type: ignore[attr-defined]


def test_what_fits_is_loaded(kept: native.Place) -> None:
    # Otherwise the tests below would show nothing.
    assert not native.use(fresh())
    assert loads() == 1


def change_library(place: native.Place) -> None:
    place.library.write_bytes(b"another one")


def open_library(place: native.Place) -> None:
    place.library.chmod(0o666)


def open_manifest(place: native.Place) -> None:
    place.manifest.chmod(0o622)


def open_folder(place: native.Place) -> None:
    place.library.parent.chmod(0o777)


def link_library(place: native.Place) -> None:
    other = place.library.with_name("other")
    place.library.rename(other)
    place.library.symlink_to(other)


def no_library(place: native.Place) -> None:
    place.library.unlink()


def damage_manifest(place: native.Place) -> None:
    data = bytearray(place.manifest.read_bytes())
    data[-3] ^= 1
    place.manifest.write_bytes(bytes(data))


def other_key(place: native.Place) -> None:
    data = bytearray(place.manifest.read_bytes())
    data[0] ^= 1
    place.manifest.write_bytes(bytes(data))


def manifest_of(place: native.Place, **more: Any) -> None:
    manifest = json.loads(user_cache.kept(place.manifest, place.key))
    user_cache.keep(place.manifest, place.key, json.dumps(manifest | more).encode())


def other_code(place: native.Place) -> None:
    manifest_of(place, code=hashlib.sha256(b"").hexdigest())


def strange_recipe(place: native.Place) -> None:
    manifest_of(place, recipe=[0, 99_999])


def strange_stand(place: native.Place) -> None:
    manifest_of(place, recipe=[0, [[["no_such_verb", 3]], [0, 1]]])


def empty_manifest(place: native.Place) -> None:
    user_cache.keep(place.manifest, place.key, b"[]")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
@pytest.mark.parametrize(
    "harm",
    [
        change_library,
        open_library,
        open_manifest,
        open_folder,
        link_library,
        no_library,
        damage_manifest,
        other_key,
        other_code,
        strange_recipe,
        strange_stand,
        empty_manifest,
    ],
)
def test_nothing_else_is_loaded(harm: Any, kept: native.Place) -> None:
    harm(kept)
    program = fresh()

    assert not native.use(program)

    assert loads() == 0
    if program.lane is None:
        generate(program)
    assert outcomes(program, 5) == expected(RULES, 5)


def test_a_library_that_is_none_is_done_without(kept: native.Place, monkeypatch: Any) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(kept.library.parent))
    program = fresh()

    assert not native.use(program)

    assert outcomes(program, 5) == expected(RULES, 5)
    assert playout(Game(program.game, program, ("ann", "ben")), 1).finished


# ------------------------------------------------------------------------------ what is missing


def test_without_mypyc_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "find_spec", lambda name: None)

    with pytest.raises(building.CannotBuild, match=r"pip install 'rulewright\[native\]'"):
        building.build(fresh)


def test_without_a_compiler_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "find_spec", lambda name: object())
    monkeypatch.setenv("CC", "no_such_compiler -O2")

    with pytest.raises(building.CannotBuild, match="no_such_compiler"):
        building.build(fresh)


def test_a_compiler_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "require_tools", lambda: None)
    monkeypatch.setattr(building, "SCRIPT", "raise SystemExit('error: it is monday')")

    with pytest.raises(building.CannotBuild, match="it is monday"):
        building.build(fresh)


def test_without_a_folder_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "require_tools", lambda: None)

    with user_cache.unused(), pytest.raises(building.CannotBuild, match="cache folder"):
        building.build(fresh)


def test_functions_that_mypyc_refuses_are_found() -> None:
    said = "made.py:1: error: x\nmade.py:4: error: y\nmade.py:5: note: z\nmade.py:10: error: w\n"
    pieces = ["a\nb\n", "c\nd\n", "e\nf\n", "g\n"]

    assert building._refused("made", pieces, said) == {1}
