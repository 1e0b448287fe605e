"""The examples of each game say who sees what: whoever widens or narrows a `seen by` is told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulewright.dsl import model
from rulewright.dsl.files.disk import packaged, shelf, variant_files
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.model import types
from rulewright.interpreter.testing.examples import Runner

GAMES = tuple(shelf())
NOBODY = model.Viewers(who="nobody")
OWNER = model.Viewers(who="owner")

Mutant = tuple[str, model.Game]
"""What has been changed, and the game with it."""


def linked(name: str) -> Iterator[tuple[str, model.Game]]:
    """Yield the game, and with each variant that declares fields of its own."""
    game = compile_game(name).model_or_raise()
    yield "", game
    for path in variant_files(packaged("games") / name):
        with_it = compile_game(name, [path.stem]).model_or_raise()
        if any(is_of(field, with_it, path.stem) for field in with_it.fields.values()):
            yield path.stem, with_it


def mutants(game: model.Game, variant: str) -> Iterator[Mutant]:
    """Yield the game with each field that its file, or that of the variant, declares, seen by others
    than it says; and with each `show` to others."""
    for field in game.fields.values():
        if field.printed or field.internal or not is_of(field, game, variant):
            continue
        for viewers in (model.EVERYBODY, NOBODY, OWNER):
            if viewers.who == field.viewers.who or (viewers is OWNER and field.holder is None):
                continue
            # Nobody owns what lies in no zone of a player.
            if viewers is OWNER and field.viewers.who == "nobody" and not is_owned(game, field):
                continue
            changed = attrs.evolve(field, viewers=viewers)
            yield f"{field.id} seen by {viewers.who}", with_field(game, changed)
        for viewers in (model.EVERYBODY, NOBODY):
            if field.count_viewers.who not in ("everybody", viewers.who):
                changed = attrs.evolve(field, count_viewers=viewers)
                yield f"{field.id} count seen by {viewers.who}", with_field(game, changed)


def is_of(field: model.Field, game: model.Game, variant: str) -> bool:
    """Return whether the file that is looked at declares a field: that of the game or the variant."""
    file = f"variants/{variant}.rules" if variant else f"{game.name}/game.rules"
    return field.span.source.name.endswith(file)


def is_owned(game: model.Game, field: model.Field) -> bool:
    """Return whether the things that have a field can belong to somebody."""
    wanted = types.ThingType(str(field.holder))
    return field.holder == "Player" or any(
        isinstance(one.type, types.ZoneType) and one.holder == "Player" and one.type.kind == wanted
        for one in game.fields.values()
    )


def with_field(game: model.Game, field: model.Field) -> model.Game:
    """Return a game with another field in the place of that of the same id."""
    return attrs.evolve(game, fields={**game.fields, field.id: field})


def is_caught(game: model.Game) -> bool:
    """Return whether one of the examples about who sees what does not come out."""
    runner = Runner(game)
    return any(
        runner.first(example) is not None
        for example in game.examples
        if any(isinstance(line, model.SeesLine | model.ToldLine) for line in example.lines)
    )


def secret(game: model.Game, id: str) -> bool:
    """Return whether something is not seen by all, or everything of it is."""
    return game.fields[id].viewers.who != "everybody"


@pytest.mark.parametrize("name", GAMES)
def test_who_sees_what_is_held_by_examples(name: str) -> None:
    game = compile_game(name).model_or_raise()
    ids = [field for field in game.fields if secret(game, field)]

    found = [
        what
        for what, mutant in mutants(game, "")
        if what.partition(" ")[0] in (ids or game.fields) and not is_caught(mutant)
    ]

    assert not found


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_whoever_sees_more_or_less_than_before_is_told(name: str) -> None:
    found = [
        f"{variant} {what}"
        for variant, game in linked(name)
        for what, mutant in mutants(game, variant)
        if not is_caught(mutant)
    ]

    assert not found


SHOWN = re.compile(r"^(\s+show .* to )players\b", re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_shown_to_all_is_held_by_examples(name: str, tmp_path: Path) -> None:
    text = (packaged("games") / name / "game.rules").read_text(encoding="utf-8")
    folder = tmp_path / name

    for number, shown in enumerate(SHOWN.finditer(text)):
        shutil.copytree(packaged("games") / name, folder / str(number) / name)
        file = folder / str(number) / name / "game.rules"
        file.write_text(
            f"{text[: shown.start()]}{shown[1]}[]{text[shown.end() :]}", encoding="utf-8"
        )

        assert is_caught(compile_game(str(file)).model_or_raise()), shown[0]
