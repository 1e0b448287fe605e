"""What a person may type at a prompt."""

import pytest

from rulewright.interpreter.terminal.replies import Menu, Unclear, read

WAYS = Menu(("Fly north", "Fly south", "Rest"))
CARDS = Menu(("red 1", "red 2", "blue 3", "blue 4"), low=0, high=4, several=True)
PAIR = Menu(("red 1", "red 2", "blue 3"), low=2, high=2, several=True)
VERBS = Menu(("Head north", "Have a rest", "Rest of them"), names=("fly_north", "rest", "all_rest"))
COLUMNS = Menu(("1", "2", "4", "7"))
BIDS = Menu(("3", "-1", "10", "Pass"))
DICE = Menu(("5", "3", "5", "2"), low=0, high=4, several=True)


@pytest.mark.parametrize(
    ("menu", "reply", "places"),
    [
        (WAYS, "2", (1,)),
        (WAYS, " 03 ", (2,)),
        (WAYS, "rest", (2,)),
        (WAYS, "R", (2,)),
        (WAYS, "fly   NORTH", (0,)),
        (VERBS, "fly_north", (0,)),
        (VERBS, "Fly North", (0,)),
        (VERBS, "rest", (1,)),
        (VERBS, "rest o", (2,)),
        (COLUMNS, "4", (2,)),
        (COLUMNS, "07", (3,)),
        (BIDS, "3", (0,)),
        (BIDS, "-1", (1,)),
        (BIDS, "pass", (3,)),
        (DICE, "5 2", (0, 3)),
        (DICE, "5, 5", (0, 2)),
        (DICE, "2-3", (1, 3)),
        (DICE, "2..3", (1, 3)),
        (DICE, "all", (0, 1, 2, 3)),
        (Menu(("-2", "4", "-1"), 1, 2, several=True), "4 -2", (0, 1)),
        (Menu(("30", "20", "10"), 3, 3, several=True, ordered=True), "10 30 20", (2, 0, 1)),
        (CARDS, "none", ()),
        (CARDS, "all", (0, 1, 2, 3)),
        (CARDS, "4 1", (0, 3)),
        (CARDS, "1,3", (0, 2)),
        (CARDS, "2-4", (1, 2, 3)),
        (CARDS, "1..2, 4", (0, 1, 3)),
        (CARDS, "2 - 3", (1, 2)),
        (CARDS, "blue 4", (3,)),
        (PAIR, "1 3", (0, 2)),
        (Menu(("a", "b", "c"), 3, 3, several=True, ordered=True), "3 1 2", (2, 0, 1)),
        (
            Menu(
                ("Ann, Ben", "Ann"),
            ),
            "ann",
            (1,),
        ),
    ],
)
def test_a_reply_is_understood(menu: Menu, reply: str, places: tuple[int, ...]) -> None:
    assert read(menu, reply) == places


@pytest.mark.parametrize(
    ("labels", "misleading"),
    [(("1", "2", "3"), False), (("1", "3"), True), (("a", "b"), False), (("2", "stop"), True)],
)
def test_a_number_is_explained_only_where_it_could_be_a_place(
    labels: tuple[str, ...], misleading: bool
) -> None:
    assert Menu(labels).misleading is misleading


@pytest.mark.parametrize(
    ("menu", "reply", "words"),
    [
        (WAYS, "4", "the options are 1 to 3"),
        (WAYS, "0", "the options are 1 to 3"),
        (WAYS, "9" * 5000, "the options are 1 to 3"),
        (WAYS, "fly", "1 (Fly north), 2 (Fly south)"),
        (WAYS, "rets", "did you mean `Rest`?"),
        (WAYS, "", "is no option"),
        (WAYS, "none", "is no option"),
        (VERBS, "fly", "is no option"),
        (WAYS, "1 2", "is no option"),
        (WAYS, "²", "is no option"),
        (COLUMNS, "3", "3 is not possible here: the numbers are 1, 2, 4, 7"),
        (COLUMNS, "-1", "-1 is not possible here: the numbers are 1, 2, 4, 7"),
        (WAYS, "-1", "there is no option -1: the options are 1 to 3"),
        (CARDS, "-3", "there is no option -3: the options are 1 to 4"),
        (BIDS, "4", "4 is not possible here: the numbers are 3, -1, 10"),
        (DICE, "1", "1 is not possible here: the numbers are 5, 3, 5, 2"),
        (DICE, "2-5", "4 is not possible here"),
        (DICE, "2-900000000", "not all of 2-900000000 are possible here"),
        (DICE, "5-2", "runs backwards"),
        (DICE, "3 3", "3 is given too often"),
        (DICE, "1.5", "`1.5` is no number and no stretch"),
        (CARDS, "5", "the options are 1 to 4"),
        (CARDS, "1 1", "1 is given twice"),
        (CARDS, "1-2 2", "2 is given twice"),
        (CARDS, "3-2", "runs backwards"),
        (CARDS, "1-", "is no number"),
        (CARDS, "red", "fits 1 (red 1), 2 (red 2)"),
        (PAIR, "1", "2 are wanted, not 1"),
        (PAIR, "none", "2 are wanted, not 0"),
        (PAIR, "1-3", "2 are wanted, not 3"),
        (Menu(tuple("abcdef"), 1, 3, several=True), "none", "1 to 3 are wanted"),
        (Menu(tuple("abcdef"), 0, 3, several=True), "1-4", "up to 3 are wanted"),
    ],
)
def test_an_unclear_reply_is_answered_in_one_line(menu: Menu, reply: str, words: str) -> None:
    with pytest.raises(Unclear) as caught:
        read(menu, reply)

    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
