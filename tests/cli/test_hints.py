"""`hint`: the best answers with what they are worth, and nothing that the one who asks may not know."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.terminal.repl import Repl

Run = Callable[..., Any]

LINE = re.compile(r"^  (.+): worth (\d+) of 100 \((\d+) playouts?\)$", re.MULTILINE)


class Typist:
    """Types some lines, and notes what is printed."""

    is_live = False

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.said: list[str] = []

    def say(self, line: str = "", style: str = "") -> None:
        """Note a line."""
        self.said.append(line)

    def hide(self) -> None:
        """Nobody looks."""

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Type the next line."""
        return self.lines.pop(0) if self.lines else "quit"


def hinted(state: State, *lines: str) -> list[str]:
    """Return what is said at the table when somebody types some lines."""
    typist = Typist([*lines, "quit"])
    Repl(state.clone(), {}, typist, 100).run()
    return typist.said


def test_the_best_three_answers_are_told_with_their_worth(rulewright: Run) -> None:
    found = rulewright("play tic_tac_toe --seed 1", "hint 120\n").stdout

    told = LINE.findall(found)
    assert "The best after 120 playouts:" in found
    assert len(told) == 3
    visits = [int(number) for _, _, number in told]
    assert visits == sorted(visits, reverse=True) and sum(visits) <= 120
    assert all(0 <= int(worth) <= 100 for _, worth, _ in told)


def test_a_win_at_once_is_the_best_answer(rulewright: Run) -> None:
    line = "play tic_tac_toe --seed 1 --seat 2=human"

    found = rulewright(line, "A1\nB1\nA2\nB2\nhint\n").stdout

    assert LINE.findall(found)[0][:2] == ("A3", "100")


def test_a_hint_can_take_some_time(rulewright: Run) -> None:
    found = rulewright("play tic_tac_toe --seed 1", "hint 0.1s\n").stdout

    assert LINE.findall(found)


def test_several_things_are_told_as_a_whole_that_can_be_answered(rulewright: Run) -> None:
    line = "play jump_drive --players 2 --seed 7"
    found = rulewright(line, "hint 10\n").stdout
    (whole, *_), *_ = LINE.findall(found)
    pieces = whole.split(", ")
    numbers = [re.search(rf"^ +(\d+)  {piece}", found, re.MULTILINE) for piece in pieces]

    typed = " ".join(one[1] for one in numbers if one)
    answered = rulewright(line, f"{typed}\nlog all\n").stdout

    assert len(pieces) == 2 and len(typed.split()) == 2
    _, _, story = answered.partition("P1> log all\n")
    assert all(f"P1 moves {piece}" in " ".join(story.split()) for piece in pieces)


@pytest.mark.parametrize("budget", ["0", "-1", "0s", "1.5", "2 s"])
def test_what_is_no_budget_is_said_in_one_line(budget: str, rulewright: Run) -> None:
    found = rulewright("play tic_tac_toe --seed 1", f"hint {budget}\n").stdout

    assert f"P1> hint {budget}\nwrite `hint 800` or `hint 2s`\n" in found


def test_what_may_be_an_option_is_no_command(rulewright: Run) -> None:
    found = rulewright("play tic_tac_toe --seed 1", "hint at the red card\n").stdout

    assert "`hint at the red card` is no option" in found


def test_the_same_is_said_in_german(rulewright: Run) -> None:
    found = rulewright("play kuhn_poker --seed 1 --language de", "hint 10\n?\n").stdout

    assert "Die besten nach 10 Probepartien:" in found
    assert "von 100 wert" in found
    assert "die besten Antworten nach N Probepartien" in found


def test_playouts_that_were_cut_off_are_told() -> None:
    state = load_game("jump_gate_2e", players=2).new_initial_state(seed=1)

    (said,) = [line for line in hinted(state, "hint 8") if "cut off" in line]
    assert (
        said == "  8 of 8 playouts were cut off after 30 decisions: they count the ranking so far."
    )


@pytest.fixture(scope="module")
def kuhn() -> Game:
    """Return a game in which each of two sees one card."""
    return load_game("kuhn_poker")


def test_a_hint_is_the_same_whatever_the_others_have(kuhn: Game) -> None:
    by_own: dict[str, set[tuple[str, ...]]] = {}
    cards: dict[str, set[str]] = {}

    for seed in range(20):
        state = kuhn.new_initial_state(seed)
        own, other = (str(state.observation(one)["players"]["P1"]["hand"]) for one in (0, 1))
        theirs = str(state.observation(1)["players"]["P2"]["hand"])
        assert own != other
        cards.setdefault(own, set()).add(theirs)
        by_own.setdefault(own, set()).add(tuple(hinted(state, "hint 60", "hint 60")))

    assert all(len(found) == 2 for found in cards.values())
    assert all(len(said) == 1 for said in by_own.values())


def test_where_nothing_is_known_of_the_past_a_hint_is_drawn() -> None:
    game = load_game("jump_gate_2e", players=2)
    state = game.unpack(game.new_initial_state(seed=1).pack())

    said = hinted(state, "hint")

    assert any(line.startswith("You could answer: ") for line in said)
