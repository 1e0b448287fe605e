"""Native code for random games: a loaded game in, the same game on what `building` has compiled.

The functions of a game are written when they are first called. So a *recipe* says in which order
random games have asked for them; who asks for them in this order again gets the same functions under
the same names, and beside them the objects of this very game that they use. If what Python has
compiled them to is the same as it was when the library was built, the library takes their places.

A library is code, so it is loaded only if it is the user's own file and nobody else can write to it
(`dsl.files.cache`), and if it is the very file that was built for these rules, this version of the engine and
this Python. Whatever is wrong with it, we silently do without.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import attrs

from rulewright.dsl.files import cache as user_cache
from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.codegen.writing_budget import WritingBudget
from rulewright.interpreter.native.emit_native import LANE, STAYS
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.random import below, draw
from rulewright.interpreter.state.values import VerbValue

__all__ = ["below", "cell", "draw", "given", "part", "use"]

WORTH = 20
"""From so many games on a library is used: before, asking for all functions costs more."""

LONGEST_RECIPE = 10_000

_given: Mapping[str, Any] | None = None
_taken: set[str] = set()
"""The libraries that serve a game of this process: they hold its objects, and no others."""


@attrs.frozen
class Recipe:
    """What random games have asked for, in its order: the number of a promise, where a game stood
    at a decision or where it was resumed, or the probe of an option."""

    asked: tuple[Any, ...]

    def plain(self) -> list[Any]:
        """Return the same as JSON can hold it."""
        return list(self.asked)


def recipe_of(plain: Any) -> Recipe:
    """Return the recipe that `plain` gave; raise anything if it is none."""
    if not isinstance(plain, list) or len(plain) > LONGEST_RECIPE:
        raise ValueError("no recipe")
    return Recipe(tuple([one if isinstance(one, int) else _stand(*one) for one in plain]))


def _stand(stands: Any, cut: Any, *inside: Any) -> tuple[Any, ...]:
    if stands == "probe":
        frames, value = inside
        if isinstance(value, list):
            name, verbs = value
            value = str(name), tuple([str(verb) for verb in verbs])
        elif not (value is None or isinstance(value, int)):
            raise ValueError("no option")
        return stands, int(cut), tuple([(str(unit), int(node)) for unit, node in frames]), value
    frames = tuple([(str(unit), int(node)) for unit, node in stands])
    where = None if cut is None else (int(cut[0]), int(cut[1]))
    return frames, where, *map(bool, inside)


def written(program: Program) -> Recipe:
    """Return what the games that a program has played have asked for."""
    return Recipe(tuple(program.lane.tracks.history))


def rewritten(program: Program, recipe: Recipe, source: bool = False) -> Units:
    """Generate code anew and ask for all that a recipe names; what was written is kept, as code and
    (if that is wanted) as syntax trees."""
    units = generate(program)
    units.names.space[LANE] = program.lane
    units.names.kept_code = []
    units.names.kept_source = [] if source else None
    tracks = program.lane.tracks
    for asked in recipe.asked:
        if isinstance(asked, int):
            tracks.promised[asked]()
        elif asked[0] == "probe":
            option = asked[3]
            program.lane.prepared(
                asked[1:3], VerbValue(*option) if isinstance(option, tuple) else option
            )
        elif len(asked) == 2:
            tracks.track(*asked)
        else:
            tracks.block(*asked, True)
    return units


def digest(codes: Sequence[CodeType]) -> str:
    """Return what tells functions from others: what Python has made of them, which is found sooner
    than their text."""
    found = hashlib.sha256()
    for code in codes:
        # References would depend on who else holds an object.
        found.update(marshal.dumps(code, 2))
    return found.hexdigest()


# ------------------------------------------------------------------------------------ where it lies


@cache
def _engine() -> str:
    """Return what changes whenever the interpreter or Python does."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    return "\n".join((sys.version, suffix, *user_cache.versions(folder, (".py", ".h"))))


@attrs.frozen
class Place:
    """Where the library of a game lies, and what is said about it."""

    name: str
    """The name of the module."""

    library: Path
    manifest: Path
    key: bytes


def place_of(program: Program) -> Place | None:
    """Return where the library of a loaded game lies, if it was built; None without a folder."""
    folder = user_cache.cache_folder()
    if folder is None:
        return None
    layout = program.layout
    options = sorted(
        (name, str(getattr(value, "value", value))) for name, value in layout.options.items()
    )
    key = user_cache.key_of(
        "native", _engine(), program.game.digest, repr(len(layout.players)), repr(options)
    )
    name = f"native-{key.hex()[:20]}"
    return Place(
        f"rulewright_{key.hex()[:20]}", folder / f"{name}.library", folder / f"{name}.json", key
    )


def keep(place: Place, recipe: Recipe, code: str, functions: Sequence[str], library: bytes) -> None:
    """Put a library into the folder; raise `OSError` if that is not possible."""
    manifest = {
        "recipe": recipe.plain(),
        "code": code,
        "functions": list(functions),
        "library": hashlib.sha256(library).hexdigest(),
    }
    user_cache.write(place.library, library)
    user_cache.keep(place.manifest, place.key, json.dumps(manifest).encode())


# ------------------------------------------------------------------------------------------ its use


def use(program: Program) -> bool:
    """Let a program play on its library from now on; return whether there is one that fits."""
    try:
        place = place_of(program)
        if place is None or place.name in _taken or not place.manifest.is_file():
            return False
        manifest = json.loads(user_cache.kept(place.manifest, place.key))
        if hashlib.sha256(user_cache.read(place.library)).hexdigest() != manifest["library"]:
            return False
        recipe = recipe_of(manifest["recipe"])
    except Exception:
        return False
    try:
        units = rewritten(program, recipe)
        codes = units.names.kept_code
        units.names.kept_code = None
        if codes is None or digest(codes) != manifest["code"]:
            return False
        _settle(program, units, _loaded(place, units.names.space), manifest["functions"])
    except Exception:
        # Half of it may have come to something.
        generate(program, WritingBudget())
        return False
    return True


def _loaded(place: Place, space: Mapping[str, Any]) -> ModuleType:
    """Return the library of a game, with the objects of this one."""
    _taken.add(place.name)
    loader = ExtensionFileLoader(place.name, str(place.library))
    spec = spec_from_file_location(place.name, str(place.library), loader=loader)
    assert spec is not None
    with _giving(space):
        module = module_from_spec(spec)
        loader.exec_module(module)
    return module


def given() -> dict[str, Any]:
    """Return the space of the game for which a library is being loaded (it asks for it)."""
    if _given is None:
        raise ImportError("no game is being loaded")
    return dict(_given)


def part(module: str, name: str) -> Any:
    """Return a global name of a module of the interpreter."""
    return getattr(import_module(f"rulewright.interpreter.{module}"), name)


def cell(function: FunctionType, name: str) -> Any:
    """Return what a function has bound."""
    cells = function.__closure__ or ()
    return dict(zip(function.__code__.co_freevars, cells, strict=True))[name].cell_contents


@contextmanager
def _giving(space: Mapping[str, Any]) -> Iterator[None]:
    global _given
    _given = space
    try:
        yield
    finally:
        _given = None


def _settle(program: Program, units: Units, module: ModuleType, functions: Sequence[str]) -> None:
    """Put the functions of a library into the places of those that were written."""
    space, lane = units.names.space, program.lane
    tracks = lane.tracks
    found = [
        (name, getattr(module, name))
        for name in functions
        if name in space and not name.startswith(STAYS)
    ]
    others = {}
    for name, made in found:
        others[space[name]] = made
        if space[name] in tracks.decisions:
            tracks.decisions.add(made)
    for name, made in found:
        tracks.settle(name, made, made in tracks.decisions)
    lane.along = partial(module.along, getattr(module, "along_tracks", lane.along))
    for entries in tracks.tables.values():
        for entry in entries:
            entry[0] = others.get(entry[0], entry[0])
    for place, (probe, name) in lane.found.items():
        lane.found[place] = others.get(probe, probe), name
