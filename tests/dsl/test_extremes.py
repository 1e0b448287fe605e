"""Rules that are larger or deeper than any game: they end in a model or in messages, and soon.

Nothing here measures time: what would take for ever would never come to its end.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulewright.dsl.checks import unread
from rulewright.dsl.frontend.frontend import Compilation, compile_game
from rulewright.dsl.link.link import MOST_FOUND
from rulewright.dsl.text.diagnostics import has_errors

HEAD = 'language 1\ngame "Extremes" for 2..4 players\n'
END = "ranking\n  most 1\n"
PLAY = "to play\n  nothing\n"


def lines(pattern: str, numbers: range) -> str:
    """Return one line for each number: `{0}` is the number, `{1}` the next one."""
    return "".join(pattern.format(number, number + 1) + "\n" for number in numbers)


def module(number: int, rest: str, parameter: str = "") -> tuple[str, str]:
    return f"m{number}.rules", f"language 1\nmodule m{number}{parameter}\n{rest}\n"


def compiled(folder: Path, text: str, files: Mapping[str, str] | None = None) -> Compilation:
    base = folder / "extremes"
    base.mkdir()
    for name, content in {"game.rules": HEAD + text + END, **(files or {})}.items():
        (base / name).write_text(content, encoding="utf-8")
    compilation = compile_game(str(base))
    assert (compilation.game is None) == has_errors(compilation.diagnostics)
    return compilation


def codes(compilation: Compilation) -> list[str]:
    return [item.code.code for item in compilation.diagnostics]


FINE: Mapping[str, str] = {
    "a long chain of values": "define v0 = 1\n"
    + lines("define v{1} = v{0} + 1", range(500))
    + PLAY,
    "a sum": f"define v = {' + '.join(['1'] * 190)}\n{PLAY}",
    "brackets": f"define v = {'(' * 190}1{')' * 190}\n{PLAY}",
    "list words": f"define v = players {'where it in players ' * 60}\n{PLAY}",
    "lists inside lists": (
        f"define v = {'(players where count(' * 40}players{') > 0)' * 40}\n{PLAY}"
    ),
    "a long list": f"define v = [{', '.join(['1'] * 5000)}]\n{PLAY}",
    "a long name": f"define {'v' * 50000} = 1\n{PLAY}",
    "many placeholders": f'define v = "{"{players}" * 300}"\n{PLAY}',
    "many verbs": (
        lines("to v{0}\n  nothing", range(500)) + "to play\n" + lines("  v{0}", range(500))
    ),
    "many overloads": (
        lines("each K{0} has, seen by players\n  n: number = 0", range(60))
        + lines("to v x: K{0}\n  set x.n to 1", range(60))
        + "to play\n"
        + lines("  for each k in K{0}\n    v k", range(60))
    ),
    "blocks inside blocks": (
        "to play\n"
        + "".join(f"{'  ' * depth}as players\n" for depth in range(1, 90))
        + f"{'  ' * 90}nothing\n"
    ),
    "doubled values": (
        lines("define v{0}(x) = v{1}(x) + v{1}(x)", range(30)) + "define v30(x) = x\n" + PLAY
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_large_but_not_too_large_is_fine(name: str, tmp_path: Path) -> None:
    assert codes(compiled(tmp_path, FINE[name])) == []


def test_a_chain_of_values_that_ask_for_one_another_has_a_limit(tmp_path: Path) -> None:
    text = lines("define v{0} = v{1} + 1", range(500)) + "define v500 = 1\n" + PLAY

    assert codes(compiled(tmp_path, text)) == ["RW315"]


def test_a_large_circle_of_values_is_reported_once(tmp_path: Path) -> None:
    text = lines("define v{0} = v{1} + 1", range(500)) + "define v500 = v0\n" + PLAY

    assert codes(compiled(tmp_path, text)) == ["RW315"]


def test_a_value_of_more_and_more_kinds_of_arguments_has_a_limit(tmp_path: Path) -> None:
    text = f"define f(x) = f([x])\ndefine v = f(1)\n{PLAY}"

    assert codes(compiled(tmp_path, text)) == ["RW315"]


def test_expressions_that_are_too_deep_are_reported(tmp_path: Path) -> None:
    text = f"define v = {' + '.join(['1'] * 1000)}\n{PLAY}"

    assert codes(compiled(tmp_path, text)) == ["RW101"]


def test_comparisons_inside_comparisons_take_no_time(tmp_path: Path) -> None:
    deep = "".join(f"x{number} is (" for number in range(60)) + "1" + ")" * 60

    found = set(codes(compiled(tmp_path, f"define v = {deep}\n{PLAY}")))

    assert found == {"RW201"}


def test_modules_in_a_row_have_a_limit(tmp_path: Path) -> None:
    files = dict(module(number, f"use m{number + 1}") for number in range(300))

    assert codes(compiled(tmp_path, f"use m0\n{PLAY}", files)) == ["RW315"]


def test_modules_that_use_two_others_have_a_limit(tmp_path: Path) -> None:
    files = dict(
        module(number, f"use m{number + 1}(x) as a\nuse m{number + 1}(x + 1) as b", "(x: number)")
        for number in range(15)
    ) | dict([module(15, "define v = x", "(x: number)")])

    assert codes(compiled(tmp_path, f"use m0(1)\n{PLAY}", files)) == ["RW315"]


def test_arguments_that_double_in_every_module_have_a_limit(tmp_path: Path) -> None:
    files = dict(
        module(number, f"use m{number + 1}(x + x)\ndefine v{number} = x", "(x: number)")
        for number in range(18)
    ) | dict([module(18, "define v = x", "(x: number)")])

    assert codes(compiled(tmp_path, f"use m0(1)\n{PLAY}", files)) == ["RW315"]


THINGS = 'each Card has\n  name: text\n  size: number\ntable Card from "cards.csv"\n'


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("".join(f"n{number},{number}\n" for number in range(9000)), []),
        ("".join(f"n{number},{number}\n" for number in range(12000)), ["RW709"]),
        ("x" * 200_000 + ",3\n", []),
        ("x" * 2_000_000 + ",3\n", ["RW004"]),
        ('"no end,3\nlast,4\n', ["RW105"]),
        ('"two\nlines",3\n', ["RW105"]),
        ("\n\n\n", []),
    ],
    ids=(
        "many",
        "too many",
        "a huge cell",
        "a huge file",
        "an open quote",
        "a cell of two lines",
        "blank",
    ),
)
def test_tables_of_every_size(rows: str, expected: list[str], tmp_path: Path) -> None:
    compilation = compiled(tmp_path, THINGS + PLAY, {"cards.csv": f"name,size\n{rows}"})

    assert codes(compilation) == expected


def test_copies_have_a_limit(tmp_path: Path) -> None:
    rows = "".join(f"n{number},1,9999\n" for number in range(100))

    compilation = compiled(tmp_path, THINGS + PLAY, {"cards.csv": f"name,size,copies\n{rows}"})

    assert codes(compilation) == ["RW709"]


def test_thousands_of_unknown_names_are_reported(tmp_path: Path) -> None:
    text = lines("define v{0} = nothing_{0}", range(2000)) + PLAY

    assert codes(compiled(tmp_path, text)) == ["RW201"] * 100 + ["RW113"]


def test_thousands_of_unknown_cells_are_reported(tmp_path: Path) -> None:
    rows = "".join(f"n{number},q{number}\n" for number in range(3000))
    text = THINGS.replace("size: number", "size: Card?") + PLAY

    compilation = compiled(tmp_path, text, {"cards.csv": f"name,size\n{rows}"})

    assert codes(compilation) == ["RW407"] * 100 + ["RW113"]


@pytest.mark.parametrize("size", ["1..99999999999999999999", "99999999999999999999"])
def test_numbers_of_players_have_a_limit(size: str, tmp_path: Path) -> None:
    base = tmp_path / "extremes"
    base.mkdir()
    text = f'language 1\ngame "X" for {size} players\n{PLAY}{END}'
    (base / "game.rules").write_text(text, encoding="utf-8")

    assert codes(compile_game(str(base))) == ["RW312"]


TOO_LARGE: Mapping[str, str] = {
    "verbs that nobody knows": "to play\n" + lines("  wrong{0} x", range(20_000)),
    "a sum in a line": f"define v = {' + '.join(['1'] * 200_000)}\n{PLAY}",
    "empty lines": PLAY + "\n" * 1_000_000,
    "options": lines('option o{0}: flag = no "?"', range(18_000)) + PLAY,
    "brackets": f"define v = {'(' * 100_000}1{')' * 100_000}\n{PLAY}",
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_file_that_is_longer_than_any_rules_is_not_read(name: str, tmp_path: Path) -> None:
    assert codes(compiled(tmp_path, TOO_LARGE[name])) == ["RW004"]


def test_only_the_first_messages_are_shown(tmp_path: Path) -> None:
    text = "to play\n" + lines("  wrong{0} x", range(3000)) + lines("  set a{0} to 3", range(3000))

    found = codes(compiled(tmp_path, text))

    assert len(found) == 101 and found[-1] == "RW113"


def test_lines_that_nobody_can_read_are_not_all_read(tmp_path: Path) -> None:
    found = codes(compiled(tmp_path, lines("jibber{0} jabber", range(1500)) + PLAY))

    assert set(found) == {"RW112"} and len(found) < 100


def test_a_table_has_a_limit_of_columns(tmp_path: Path) -> None:
    head = ",".join(f"c{number}" for number in range(100_000))

    compilation = compiled(tmp_path, THINGS + PLAY, {"cards.csv": f"{head}\n"})

    assert codes(compilation) == ["RW709"]


def test_a_game_has_a_limit_of_variants(tmp_path: Path) -> None:
    (tmp_path / "extremes" / "variants").mkdir(parents=True)
    for number in range(65):
        text = f'language 1\nvariant "V{number}" of extremes\n'
        (tmp_path / "extremes" / "variants" / f"v{number}.rules").write_text(text)
    (tmp_path / "extremes" / "game.rules").write_text(HEAD + PLAY + END)

    assert codes(compile_game(str(tmp_path / "extremes"))) == ["RW025"]


def test_thousands_of_mistakes_are_not_all_worked_out(tmp_path: Path) -> None:
    text = lines("define v{0} = unknown{0}", range(1000)) + PLAY

    assert len(codes(compiled(tmp_path, text))) <= MOST_FOUND


def test_a_file_is_looked_through_once_for_all_that_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compiled(tmp_path, lines("define v{0} = {0}", range(50)) + PLAY).model_or_raise()
    searched: list[str] = []

    class Pattern:
        def search(self, text: str) -> None:
            searched.append(text)

    monkeypatch.setattr(unread, "_MODULE", Pattern())

    assert len([one for one in unread.problems([game, game]) if one.code.code == "RW640"]) == 50
    assert len(searched) == len(set(searched))
