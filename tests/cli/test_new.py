"""Files to start from: they link as they are, tell all that can be touched, and spare what is there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sharing import LEFT_OUT, large_games

from rulewright.dsl.files import library
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.tools.scaffold import variant_text

PORCH = str(Path(__file__).parent / "files" / "porch")
LARGE = large_games()
GAMES = [
    pytest.param(
        game, marks=LEFT_OUT if game == LARGE[0] else pytest.mark.slow if game in LARGE else ()
    )
    for game in (*library.shelf(), PORCH)
]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("game", GAMES)
def test_a_new_variant_passes_check_as_it_is(
    game: str, elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    written = rulewright(["new", "variant", "House rule", "of", game])

    assert written.status == 0, written.stderr
    done = rulewright(["check", game, "--variant", "./house_rule.rules"])
    assert done.status == 0 and "1 variant: fine" in done.stdout
    # The next command is said, and it is the one that was just run.
    assert "rulewright check ./house_rule.rules" in written.stdout


def test_the_folder_of_the_first_variant_is_made(
    elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    rulewright(["new", "game", "Porch"])

    written = rulewright("new variant Late of ./porch --folder porch/variants")

    assert written.status == 0, written.stderr
    assert rulewright("check ./porch --variant late").status == 0
    assert (
        "no folder `porch/variant`"
        in rulewright("new variant Late of ./porch --folder porch/variant").stderr
    )


def tried(game: str, lines: tuple[str, ...], folder: Path) -> list[str]:
    """Return what is wrong with a variant of these lines."""
    compilation = compile_game(game)
    path = folder / "tried.rules"
    header = ["language 1", f'variant "Tried" of {compilation.target.name}']
    path.write_text("\n".join([*header, *lines]) + "\n", "utf-8")
    found = compile_game(game, [str(path)]).diagnostics
    return [one.one_line() for one in found if one.severity.value == "error"]


def amendments(game: str) -> tuple[tuple[str, ...], ...]:
    return variant_text(game, "Tried", "./tried.rules", compile_game(game)).amendments


@pytest.mark.parametrize("game", GAMES)
def test_amendments_that_are_offered_link_by_themselves(game: str, tmp_path: Path) -> None:
    offered = amendments(game)

    words = {lines[0].split()[0] for lines in offered}
    assert {"before", "after", "instead"} <= words
    for lines in offered[:: max(1, len(offered) // 4)]:
        assert not tried(game, lines, tmp_path), lines


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_amendment_that_is_offered_links_by_itself(game: str, tmp_path: Path) -> None:
    for lines in amendments(game):
        assert not tried(game, lines, tmp_path), lines


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_can_be_touched_is_told(game: str) -> None:
    compilation = compile_game(game)
    world, linked = compilation.world, compilation.game
    assert world is not None and linked is not None

    text = variant_text(game, "Tried", "./tried.rules", compilation).text

    told = [line.removeprefix("## ") for line in text.split("\n") if line.startswith("## ")]
    for name in linked.options:
        assert any(re.match(rf"(option|ruling) {name}:", line) for line in told), name
    for name in world.game.defines:
        assert any(re.match(rf"(define|tally) {name}\b", line) for line in told), name
    for name in world.game.verbs:
        assert any(re.match(rf"to {name}\b", line) for line in told), name
        assert f"# before {name}\n" in text and f"# instead of {name}\n" in text
    for name, steps in world.steps.items():
        for step in steps:
            if step.verb.scope is world.game:
                assert any(line.startswith(f"step {name} of {step.verb.name}") for line in told)
    for field in world.field_ids.values():
        if field.scope is world.game:
            shown = re.compile(rf"  (\w+, )*{field.name}(, \w+)*:")
            assert any(shown.match(line) for line in told), field.id
    for table in linked.tables:
        assert any(line.startswith(f"table {table.kind}") for line in told) or (
            table.span.source is not world.game.file.span.source
        )


def test_citations_are_told(rulewright: Callable[..., Any]) -> None:
    text = variant_text(PORCH, "Tried", "./tried.rules", compile_game(PORCH)).text

    assert "## define limit = 2   see The end\n# change limit to 3\n" in text
    assert '## to eat "Eat an apple"   see Apples\n##   after it, also apple (Apple)\n' in text
    assert "# instead of eat\n#   choose apple from my.hand\n" in text
    assert "## step act of turn   see Turns\n" in text
    # The names of steps belong to the verb that is replaced.
    assert (
        "# instead of turn\n#   choose action from [eat, rest]\n#   do action\n"
        "#   if hole_in_fence                                       # never so\n"
        '#     end game "the goat came"\n'
    ) in text


def test_nothing_is_overwritten_without_being_told(
    elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    path = elsewhere / "house_rule.rules"
    path.write_text("mine", "utf-8")

    done = rulewright('new variant "House rule" of tic_tac_toe')

    assert done.status == 2 and "--force overwrites it" in done.stderr
    assert path.read_text("utf-8") == "mine"
    assert rulewright('new variant "House rule" of tic_tac_toe --force').status == 0
    assert path.read_text("utf-8").startswith("language 1\nvariant")


def test_a_new_game_can_be_checked_played_and_varied(
    elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    done = rulewright('new game "My Own Game"')

    assert done.status == 0, done.stderr
    assert (elsewhere / "my_own_game" / "game.rules").is_file()
    checked = rulewright("check ./my_own_game --playouts 2")
    assert checked.status == 0 and "fine" in checked.stdout
    assert rulewright("play my_own_game --agents random --seed 1").status == 0
    assert rulewright('new variant "Short" of ./my_own_game --folder my_own_game').status == 0
    assert rulewright('new game "My Own Game"').status == 2


def test_a_game_is_not_called_by_a_reserved_word(
    elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    assert rulewright('new game "End"').status == 0
    assert rulewright('new variant "Short" of end_game').status == 0


def test_names_become_file_names(elsewhere: Path, rulewright: Callable[..., Any]) -> None:
    for title, file in (
        ("Misère!", "misere.rules"),
        ("  3 in a row ", "_3_in_a_row.rules"),
        ("风", "untitled.rules"),
    ):
        path = elsewhere / file
        if title == "Misère!":
            done = rulewright(["new", "variant", title, "of", "tic_tac_toe"])
        else:
            done = rulewright(["new", "variant", title, "of", PORCH])
        assert done.status == 0, done.stderr
        assert path.is_file()


def test_wrong_usage_is_one_line(elsewhere: Path, rulewright: Callable[..., Any]) -> None:
    variant = elsewhere / "odd.rules"
    variant.write_text('language 1\nvariant "Odd" of tic_tac_toe\n', "utf-8")
    (elsewhere / "my game").mkdir()
    (elsewhere / "my game" / "game.rules").write_bytes(Path(PORCH, "game.rules").read_bytes())
    (elsewhere / "my game" / "apples.csv").write_bytes(Path(PORCH, "apples.csv").read_bytes())
    (elsewhere / "my game" / "book.md").write_bytes(Path(PORCH, "book.md").read_bytes())
    for words, message in (
        (["variant", "X", "tic_tac_toe"], "a variant has a name and a game; write `rulewright new"),
        (["variant", "X", "in", "tic_tac_toe"], "a variant has a name and a game"),
        (["variant", "X", "of", "tic_tac_teo"], "did you mean `tic_tac_toe`?"),
        (["variant", "Misère", "of", "tic_tac_toe"], "has a variant `Misère` already"),
        (["variant", "", "of", "tic_tac_toe"], "the name is empty"),
        (["variant", 'a"b', "of", "tic_tac_toe"], "a name cannot contain '\"'"),
        (["variant", "X", "of", "./my game"], "rename the folder"),
        (["variant", "X", "of", "./odd.rules"], "`./odd.rules` is a variant"),
        (["variant", "X", "of", "tic_tac_toe", "--folder", "nowhere"], "no folder `nowhere`"),
        (["varaint", "X", "of", "tic_tac_toe"], "did you mean `variant`?"),
        (["game", "X", "of", "tic_tac_toe"], "a game has a name and nothing else"),
        (["variant"], "the following arguments are required"),
    ):
        done = rulewright(["new", *words])
        assert done.status == 2 and message in done.stderr, (words, done.stderr)
        assert done.stderr.count("\n") == 1 and not done.stdout
    assert list(elsewhere.glob("*.rules")) == [variant]


def test_the_folder_of_a_translation_is_made(
    elsewhere: Path, rulewright: Callable[..., Any]
) -> None:
    written = rulewright("new translation de of tic_tac_toe --folder texts")

    assert written.status == 0, written.stderr
    assert (elsewhere / "texts" / "de.csv").is_file()
    deep = rulewright("new translation de of tic_tac_toe --folder nowhere/texts")
    assert (deep.status, deep.stderr) == (2, "rulewright: there is no folder `nowhere`\n")
