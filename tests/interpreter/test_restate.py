"""What `check --restate` writes: the examples of a game as they come out with a variant."""

import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest
import written

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.cli.arguments import compiled
from rulewright.interpreter.cli.check import said_anew as said_anew_by_check
from rulewright.interpreter.cli.variant_sets import VariantLinker, legal_sets
from rulewright.interpreter.testing.blame import VariantSets, messages, run_examples
from rulewright.interpreter.testing.restate import RestatedExample, restated

GAME = """
each Card has
  name: text
table Card
  | name |
  | Ace  |
  | King |
each Player has, seen by players
  coins: number = 0
  best:  Card?
  hand:  cards of Card
define worth = 2
define open = yes
to play
  as players
    take
to take "Take"
  need open else "closed"
  choose card from Card
  set my.best to card
  add worth to my.coins
ranking
  most my.coins
"""
EXAMPLE = """
example "Taking"
  players ann, ben
  allow ann: take
  do ann: take, card = Card("Ace")
  expect ann.coins is 2
  expect ann.best is Card("Ace")                 # a comment stays
  expect ann.coins > 1 and ben.coins is 0
  expect ann.hand is empty
"""


REFUSED = """
example "Not open"
  players ann, ben
  given ann.hand holds Card("King")
  refuse ann: take because "closed"
  refuse ben: take
  expect count(ann.hand) is 1
"""


def said_anew(folder: Path, game: str, variants: Mapping[str, str]) -> tuple[RestatedExample, ...]:
    """Return what the last variant has to say, whose file lies apart from the game, so that all examples
    come out in all sets with it; whether they do is tried."""
    home = folder / "tested"
    (home / "variants").mkdir(parents=True)
    (home / "game.rules").write_text(written.HEAD + textwrap.dedent(game))
    *others, mine = variants
    for number, title in enumerate(others):
        text = f'language 1\nvariant "{title}" of tested\n{textwrap.dedent(variants[title])}'
        (home / "variants" / f"{number}.rules").write_text(text)
    path = folder / "mine.rules"
    path.write_text(f'language 1\nvariant "{mine}" of tested\n{textwrap.dedent(variants[mine])}')
    named = str(home)
    on = (str(path),)
    compilation = compiled(named, on)
    games = [compilation.model_or_raise()]
    games += [one.model_or_raise() for one in legal_sets(named, compilation, on)]
    sets = [frozenset(game.variants) for game in games]
    linker = VariantLinker(compilation)
    found = restated(
        mine, sets, lambda titles, more: linker.compilation(titles, mine, more)
    ).written
    if all(one.is_whole for one in found):
        path.write_text("\n".join([path.read_text(), *(one.text for one in found)]))
        for titles in sets:
            game_again = VariantLinker(compiled(named, on)).game(titles)
            assert game_again is not None
            assert run_examples(game_again) == ()
    return found


CLOSED = GAME.replace("open = yes", "open = no")


def changed(variant: str, example: str, game: str = GAME) -> list[str]:
    """Return the lines that are written otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        (found,) = said_anew(Path(folder), game + textwrap.dedent(example), {"V": variant})
    before = textwrap.dedent(example).strip().splitlines()
    return [line for line in found.text.splitlines() if line not in before]


def test_numbers_are_said_anew_and_the_rest_stays() -> None:
    assert changed("change worth to 5", EXAMPLE) == ["  expect ann.coins is 5"]


def test_each_part_of_a_condition_is_said_anew() -> None:
    variant = """
    change worth to 1
    after take
      move Card("King") to my.hand
    """

    assert changed(variant, EXAMPLE) == [
        "  expect ann.coins is 1",
        "  expect ann.coins is 1 and ben.coins is 0",
        "  expect ann.hand is not empty",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "every p in [ann] has (yes and p.coins is 2)",
            "every p in [ann] has (yes and p.coins is 5)",
        ),
        ("some p in players has p.coins is 2", "no p in players has p.coins is 2"),
        ("no p in players has p.coins > 4", "some p in players has p.coins > 4"),
        ("not (ann.coins > 4)", "ann.coins > 4"),
        ("ann.coins > 1 or ben.coins is 5", ""),
        ("(ann.coins + 0) < 3", "(ann.coins + 0) is 5"),
        ("ann.coins is not 5", "ann.coins is 5"),
        ("ann.coins in [1, 2, 3]", "ann.coins is 5"),
        ("ann.coins not in [5]", "ann.coins in [5]"),
        ("2 is ann.coins", "5 is ann.coins"),
        ("ann.coins is (2)", "ann.coins is 5"),
        ("(players each its.coins) is [2, 0]", "(players each its.coins) is [5, 0]"),
        ("ann.coins is worth_before", "ann.coins is 5 and worth_before is 2"),
        ("ann.coins < 3 or ann.coins is 4", "not (ann.coins < 3 or ann.coins is 4)"),
        ("poor(ann)", "not poor(ann)"),
    ],
)
def test_conditions_that_do_not_hold(old: str, new: str) -> None:
    game = "define worth_before = 2\ndefine poor(p: Player) = p.coins < 5\n"
    example = (
        f'example "It"\n  players ann, ben\n  do ann: take, card = Card("Ace")\n  expect {old}\n'
        "  expect ann.coins is 2\n"
    )
    found = changed("change worth to 5", game + example)

    assert found[:-1] == ([f"  expect {new}"] if new else [])


def test_what_is_not_possible_any_more_is_refused() -> None:
    first, second, *rest = changed("change open to no", EXAMPLE)

    assert first == '  refuse ann: take because "closed"'
    assert second == '  refuse ann: take, card = Card("Ace") because "closed"'
    assert rest == [
        "  expect ann.coins is 0",
        "  expect ann.best is none                 # a comment stays",
        "  expect ann.coins is 0 and ben.coins is 0",
    ]


ASKING = """
example "Taking"
  players ann, ben
  given ann.hand holds Card("King")
  do ann: take, card = Card("Ace")
  given ben.coins is 3
  do ann: take, card = Card("Ace")
  expect ann.coins is 4
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (
            "before take\n  choose n from 1..3\n  add n to my.coins\n",
            [
                '  do ann: take, n = 1, card = Card("Ace")',
                '  do ann: take, n = 1, card = Card("Ace")',
                "  expect ann.coins is 6",
            ],
        ),
        (
            'after take\n  either "Left"\n    nothing\n  or "Right"\n    add 1 to my.coins\n',
            [
                '  do ann: take, card = Card("Ace"), "Left"',
            ],
        ),
        (
            "after take\n  choose 1..2 gifts from Card\n  nothing\n",
            [
                '  do ann: take, card = Card("Ace"), gifts = [Card("Ace")]',
            ],
        ),
        (
            "after take\n  as players without [me]\n    choose card from Card\n    set my.best to card\n",
            [
                '  do ben: card = Card("Ace")',
            ],
        ),
        (
            "instead of take\n  add 7 to my.coins\n",
            [
                "  do ann: take",
                "  do ann: take",
                "  expect ann.coins is 14",
            ],
        ),
    ],
)
def test_what_is_asked_in_between_is_answered(variant: str, expected: list[str]) -> None:
    assert changed(variant, ASKING) == expected


def test_what_nothing_asks_for_is_left_out() -> None:
    variant = """
    after take
      end game "over"
    """
    example = EXAMPLE + '  do ann: take, card = Card("Ace")\n'

    assert changed(variant, example) == []


def test_a_rules_error_is_left_to_the_author() -> None:
    (line,) = changed(
        "after take\n  add 1 / my.coins - 1 / ben_coins to my.coins\ndefine ben_coins = 0\n",
        EXAMPLE,
    )

    assert line.startswith('  do ann: take, card = Card("Ace")    # to be mended by hand: ')
    assert line.endswith("a number is divided by zero")


def test_refusals_become_permissions() -> None:
    assert changed("change open to my.coins is 0", REFUSED, CLOSED) == [
        "  allow ann: take",
        "  allow ben: take",
    ]


def test_another_reason_is_said() -> None:
    variant = """
    before take
      need my.coins > 9 else "too poor"
    """

    assert changed(variant, REFUSED, CLOSED) == ['  refuse ann: take because "too poor"']


def test_examples_that_come_out_are_not_written(tmp_path: Path) -> None:
    assert said_anew(tmp_path, GAME + EXAMPLE, {"V": 'change take.label to "Grab"'}) == ()


# ------------------------------------------------------------------------------- several variants

HOUSE = """
define hand = 5
define planets = 8
to play
  as players
    nothing
example "The deal"                               # as in the book
  players ann, ben
  expect planets is 8
example "Hands"
  players ann, ben
  expect hand + planets > 0
  expect hand is 5
"""
DIAL = """
change planets to 12
example "The deal"
  players ann, ben
  expect planets is 12
"""


def heads(found: tuple[RestatedExample, ...]) -> list[str]:
    """Return the first lines of what is written."""
    return [one.text.partition("\n")[0] for one in found]


def test_what_another_variant_says_is_left_to_it(tmp_path: Path) -> None:
    mine = "change planets by 1\n"
    found = said_anew(tmp_path, HOUSE, {"Dial": DIAL, "Mine": mine})

    # With both it is neither as the game says nor as either of them.
    assert heads(found) == [
        'example "The deal" # as in the book',
        'example "The deal" with "Dial" # as in the book',
    ]
    assert [one.lines.splitlines()[-1] for one in found] == [
        "  expect planets is 9",
        "  expect planets is 13",
    ]


def test_an_example_speaks_without_the_variant_that_says_how_it_is(tmp_path: Path) -> None:
    game = HOUSE.replace("  expect planets is 8\n", "  expect planets is 8 and hand is 5\n")
    found = said_anew(tmp_path, game, {"Dial": DIAL, "Mine": "change hand to 6\n"})

    assert heads(found) == [
        'example "The deal" without "Dial" # as in the book',
        'example "Hands"',
    ]


def test_a_new_example_stands_beside_one_that_is_there(tmp_path: Path) -> None:
    game = HOUSE.replace("  expect planets is 8\n", "  expect planets is 8 and hand is 5\n")
    mine = """
    change hand to 6
    example "The deal"
      players ann, ben
      expect planets is 8 and hand is 6
    example "Hands"
      players ann, ben
      expect hand is 6
    """

    assert heads(said_anew(tmp_path, game, {"Dial": DIAL, "Mine": mine})) == [
        'example "The deal" with "Dial"'
    ]


def test_an_example_of_another_variant_is_said_anew_for_it(tmp_path: Path) -> None:
    dial = DIAL + 'example "All"\n  players ann, ben\n  expect planets + hand is 17\n'
    found = said_anew(tmp_path, HOUSE, {"Dial": dial, "Mine": "change hand to 6\n"})

    assert heads(found) == ['example "Hands"', 'example "All" with "Dial"']
    assert found[-1].lines.splitlines()[-1] == "  expect planets + hand is 18"


def test_one_that_needs_three_variants(tmp_path: Path) -> None:
    game = """
    define a = 0
    define b = 0
    define c = 0
    define all = if a + b + c is 3 then yes else no
    to play
      as players
        nothing
    example "Never"
      players ann, ben
      expect not all
    """
    variants = {"A": "change a to 1\n", "B": "change b to 1\n", "C": "change c to 1\n"}

    assert heads(said_anew(tmp_path, game, variants)) == ['example "Never" with "A", "B"']


# ------------------------------------------------------------------------------------- who is blamed


def blamed(folder: Path, mine: str) -> list[tuple[str, str, str]]:
    """Return of each message its code, what it points at, and its label, for all sets with a variant."""
    home = folder / "tested"
    (home / "variants").mkdir(parents=True)
    (home / "game.rules").write_text(written.HEAD + HOUSE)
    (home / "variants" / "dial.rules").write_text(f'language 1\nvariant "Dial" of tested\n{DIAL}')
    path = folder / "a.rules"
    path.write_text(f'language 1\nvariant "A" of tested\n{textwrap.dedent(mine)}')
    compilation = compile_game(str(home), (str(path),))
    games = [compilation.model_or_raise()]
    games += [one.model_or_raise() for one in legal_sets(str(home), compilation, (str(path),))]
    sets = VariantSets(games, VariantLinker(compilation).game)
    found = messages(one for game in games for one in sets.failed(game))
    return [(one.code.code, one.primary.span.text, one.primary.text) for one in found]


def test_the_author_who_can_do_something_is_blamed_once(tmp_path: Path) -> None:
    assert blamed(tmp_path, "change hand to 6\nchange planets by 1\n") == [
        ("RW513", '"A"', "its file does not say how they come out")
    ]


def test_an_example_that_does_not_know_of_another_variant(tmp_path: Path) -> None:
    mine = 'define both = hand + planets\nexample "Both"\n  players ann, ben\n  expect both is 13\n'

    assert blamed(tmp_path, mine) == [
        ("RW412", "expect both is 13", "this does not hold with `Dial`")
    ]


def test_two_that_say_the_same_example_are_one_mistake(tmp_path: Path) -> None:
    mine = """
    change planets by 1
    example "The deal"
      players ann, ben
      expect planets is 9
    """

    assert blamed(tmp_path, mine) == [
        ("RW412", "expect planets is 9", "this does not hold with `Dial`")
    ]


def test_what_is_wrong_without_any_variant_is_nobody_elses_fault(tmp_path: Path) -> None:
    mine = 'define one = 1\nexample "One"\n  players ann, ben\n  expect one is 2\n'

    assert blamed(tmp_path, mine) == [("RW412", "expect one is 2", "this does not hold")]


OWN = """
change worth to 3
example "Twice"
  players ann, ben
  do ann: take, card = Card("Ace")
  do ann: take, card = Card("Ace"), card = Card("King")
  expect ann.coins is 6
example "Too much"
  players ann, ben
  do ann: take, card = Card("Ace")
  expect ann.coins is 7
"""


def test_what_a_variant_says_of_itself_is_not_said_anew(tmp_path: Path) -> None:
    home = tmp_path / "tested"
    (home / "variants").mkdir(parents=True)
    (home / "game.rules").write_text(written.HEAD + GAME + EXAMPLE)
    (home / "variants" / "a.rules").write_text(f'language 1\nvariant "A" of tested\n{OWN}')
    compilation = compiled(str(home), ("A",))

    text = said_anew_by_check(str(home), compilation, ("A",))

    assert '# not restated: "Twice" (a.rules:5): it does not come out as it stands' in text
    assert '# not restated: "Too much" (a.rules:10)' in text and "ann.coins is 3)" in text
    assert text.count("\nexample ") == 1 and "expect ann.coins is 3" in text


def test_what_comes_out_without_the_variant_neither_is_told(tmp_path: Path) -> None:
    home = tmp_path / "tested"
    (home / "variants").mkdir(parents=True)
    wrong = EXAMPLE.replace("coins is 2", "coins is 1")
    (home / "game.rules").write_text(written.HEAD + GAME + wrong)
    head = 'language 1\nvariant "A" of tested\n'
    (home / "variants" / "a.rules").write_text(head + "change worth to 3\n")
    compilation = compiled(str(home), ("A",))

    text = said_anew_by_check(str(home), compilation, ("A",))

    assert "(game.rules:27): it does not come out without A either" in text
    assert "\nexample " not in text
