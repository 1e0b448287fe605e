"""Rules from anybody whose texts want to be more than texts: what they print is harmless."""

from __future__ import annotations

import io
import re
import textwrap
import unicodedata
from pathlib import Path

import networkx as nx
import pytest
from alarm import _alarm  # noqa: F401

from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.cli import main
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.ir import export
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending

HOSTILE = 'E\x1b[31m\x1b]0;x\x07\x9b2J\u202eabc\u200b <b>&amp;|x|]-->"/>`rm`$(x);#%%{{ [red]end'


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a game whose texts want to be more than texts."""
    written = HOSTILE.replace("\\", "").replace('"', "'").replace("{{", "(")
    folder = tmp_path / "hostile"
    folder.mkdir()
    rules = f"""
        each Card has
          name: text
        table Card from "cards.csv"
        each Player has, seen by players
          n: number = 0
        the game has, seen by players
          z: cards of Card = Card
        to play
          as players
            if z is not empty
              choose card from z ask "{written} {{z}}"
              either "{written}"
                add 1 to my.n
              or "{written} x" when my.n is 0
              do sing
            need my.n >= 0 else "{written}"
          end game "{written}"
        to sing "{written}"
          show "{written} {{me}}" to players
        ranking
          most my.n
        """
    head = f'language 1\ngame "{written}" for 1..2 players\n'
    (folder / "game.rules").write_text(head + textwrap.dedent(rules), encoding="utf-8")
    quoted = HOSTILE.replace('"', '""')
    (folder / "cards.csv").write_text(f'name\n"{quoted}"\nab\n', encoding="utf-8")
    return folder


def graphs_of(folder: Path) -> dict[str, object]:
    """Return the action graphs of a game."""
    return load_program(compile_game(str(folder)).model_or_raise(), 2).graphs


def unseen_in(text: str) -> set[str]:
    """Return the characters of a text that can do something to a terminal."""
    return {
        sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign != "\n"
    }


def test_hostile_texts_stay_texts_in_a_dot_file(hostile: Path) -> None:
    text = export.to_dot(graphs_of(hostile))

    assert not unseen_in(text)
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    assert re.fullmatch(r'[\w\s{}\[\];=>"-]*', outside)
    assert "rm" not in outside


def test_hostile_texts_stay_texts_in_a_mermaid_chart(hostile: Path) -> None:
    text = export.to_mermaid(graphs_of(hostile))

    assert not unseen_in(text)
    for line in text.splitlines():
        assert line.count('"') in (0, 2), line
        inside = line.split('"')[1] if '"' in line else ""
        assert not re.search(r"[<>&|`\[\]{}()]", inside.replace("<br>", "")), line
        assert not re.search(r"#(?!\d+;)", inside), line


def test_hostile_texts_stay_texts_in_graphml(hostile: Path) -> None:
    graphs = graphs_of(hostile)
    text = export.to_graphml(graphs)

    assert not unseen_in(text)
    read = nx.read_graphml(io.BytesIO(text.encode()))
    assert len(read) == sum(len(graph) for graph in graphs.values())  # type: ignore[arg-type]
    assert any("<b>" in label for _, label in read.nodes(data="label"))


def test_no_text_gets_control_of_the_terminal(
    hostile: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (
        ["play", str(hostile), "--agents", "random", "--players", "2", "--seed", "1"],
        ["play", str(hostile), "--players", "2", "--seed", "1"],
        ["check", str(hostile)],
        ["playout", str(hostile), "-n", "2"],
        ["graph", str(hostile)],
        ["why", str(hostile), "sing"],
    )
    for command in commands:
        typed = "state\nlog all\nwhy sing\n?\nrules sing\n1\n1\nhint\nlog all\n1\n1\nquit\n"
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))

        main.main(command)

        shown = capsys.readouterr()
        assert shown.out or shown.err, command
        assert not unseen_in(shown.out + shown.err), command


def test_hostile_texts_do_not_break_a_game(hostile: Path) -> None:
    program = load_program(compile_game(str(hostile)).model_or_raise(), 2)
    store = executor.begin(program, 1)
    executor.advance(program, store)

    while pending(program, store) is not None:
        labels = decisions.option_labels(program, store, list(lookahead.living(program, store)))
        assert len(set(labels)) == len(labels)
        executor.answer(program, store, next(lookahead.living(program, store)))

    assert executor.is_over(store)
