"""The shelf is read without a parser, and says the same as the checked models."""

from pathlib import Path

import pytest

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.model import types
from rulewright.interpreter.cli.main import main
from rulewright.interpreter.terminal import shelf

pytestmark = pytest.mark.quick

ENTRIES = {entry.name: entry for entry in shelf.entries()}


def as_written(option: model.OptionItem, game: model.Game) -> tuple[str, str, str, set[str]]:
    """Return what the shelf says about an option of a model."""
    word = "ruling" if option.ruling else "option"
    default = option.default
    if isinstance(default, model.EnumConstant):
        assert isinstance(option.type, types.EnumType)
        others = set(game.enumerations[option.type.name].values) - {default.value}
        return word, default.value, option.question, others
    assert isinstance(default, model.Constant)
    if isinstance(default.value, bool):
        words = ("no", "yes")
        return word, words[default.value], option.question, {words[not default.value]}
    return word, str(default.value), option.question, set()


def test_every_game_of_the_shelf_is_listed() -> None:
    assert tuple(ENTRIES) == library.shelf()


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_agrees_with_the_model(name: str) -> None:
    entry = ENTRIES[name]
    compilation = compile_game(name)
    game = compilation.model_or_raise()

    questions = {
        one.name: (one.word, one.default, one.text, set(one.others())) for one in entry.questions
    }
    expected = {one: as_written(option, game) for one, option in game.options.items()}
    for one, (*_, others) in expected.items():
        if not others:
            # A number: the shelf shows its bounds.
            questions[one] = (*questions[one][:3], set())

    assert (entry.title, entry.least_players, entry.most_players) == (
        game.title,
        game.least_players,
        game.most_players,
    )
    assert questions == expected
    assert [one.text for one in entry.demands] == [one.text for one in game.requirements]
    assert {variant.title for variant in entry.variants} == {
        variant.title for variant in compilation.variants
    }


@pytest.mark.parametrize("name", ENTRIES)
def test_the_questions_of_a_variant_are_its_own(name: str) -> None:
    for variant in ENTRIES[name].variants:
        game = compile_game(name, (variant.title,)).game

        assert game is not None
        # A variant may include others, which bring their own.
        linked = [one for one in ENTRIES[name].variants if one.title in game.variants]
        own = {question.name for one in linked for question in one.questions}
        base = {question.name for question in ENTRIES[name].questions}

        assert variant in linked
        assert base | own == set(game.options)


def test_a_broken_game_is_listed_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(
        'language 1\ngame "Half # done" for 1..3 players # a comment\n'
        "option speed: one of [slow,\n  fast] = slow\n"
        '  "How fast?" # or not\nto play\n  set ((\n',
        encoding="utf-8",
    )

    entry = shelf.entry("half_done", tmp_path)

    assert (entry.title, entry.least_players, entry.most_players) == ("Half # done", 1, 3)
    assert [(one.name, one.others(), one.text) for one in entry.questions] == [
        ("speed", ("fast",), "How fast?")
    ]


def test_a_game_that_cannot_be_read_has_its_name(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_bytes(b"\0\xff")

    assert shelf.entry("lost", tmp_path).title == "lost"


def test_a_variant_of_ones_own_is_listed_with_its_game_and_what_it_needs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "crowd.rules"
    file.write_text(
        'language 1\nvariant "Crowd" of connect_four\nrequires "Wide"\nexcludes "Narrow"\n'
        'ruling loud: flag = no "Is it loud?"\n'
        'requires count(players) is 2 or loud  # always\n  else "a crowd is loud"\n',
        "utf-8",
    )

    assert main(["list", str(file)]) == 0

    game, _, variant = capsys.readouterr().out.partition("    variant")
    assert game == f"{file}: Connect four, 2 players\n"
    assert variant.splitlines() == [
        ' "Crowd" (crowd)',
        '        requires "Wide"',
        '        excludes "Narrow"',
        "        ruling loud = no (or yes)",
        "            Is it loud?",
        "        requires count(players) is 2 or loud",
        "            a crowd is loud",
    ]


def test_a_variant_of_a_game_that_is_nowhere_is_not_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "crowd.rules"
    file.write_text('language 1\nvariant "Crowd" of nowhere\n', "utf-8")

    assert main(["list", str(file)]) == 2

    assert "is a variant of `nowhere`, which is not found" in capsys.readouterr().err
