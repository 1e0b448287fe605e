"""A set-up is told briefly, and what matters for a choice stands where one chooses."""

import re
from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.mark.parametrize("game", ["jump_drive --players 3", "jump_gate_2e", "jump_gate_2010"])
def test_a_deal_is_one_line(game: str, rulewright: Run) -> None:
    told = rulewright(f"play {game} --seed 3", "log all\nquit\n").stdout
    before, _, log = told.partition("the game\n")

    dealt = re.findall(r"^\d+ x \S+ go from pile to hand of all players$", before, re.MULTILINE)
    assert len(dealt) == 1
    assert not re.search("^P[1-9] moves .* from pile to hand", before, re.MULTILINE)
    # Nothing is lost: who wants to know asks for the log.
    assert re.search("^P1 moves .* from pile to hand", log, re.MULTILINE)


def test_what_a_card_costs_stands_where_one_chooses(rulewright: Run) -> None:
    told = rulewright("play jump_drive --seed 3", "quit\n").stdout
    options = told.partition("Discard 2 of your 7 cards")[2].splitlines()[1:8]
    hand = told.partition("  hand:\n")[2].splitlines()[:7]

    assert all("cost " in line for line in (*options, *hand))
    # The beginning of the name is the answer all the same.
    name = re.match(r"  1  ([^(]*) \(", options[0])[1]
    assert "Discard" in rulewright("play jump_drive --seed 3", f"why {name}\nquit\n").stdout


def test_a_number_that_most_cards_have_is_not_spelled_out(rulewright: Run) -> None:
    told = rulewright("play jump_drive --seed 3", "quit\n").stdout

    assert "chromosome 0" not in told and "military 0" not in told
