"""What people are told in their language; rules, answers and records never meet a translation."""

import ast
import string
from pathlib import Path

import pytest

from rulewright import interpreter
from rulewright.dsl import model
from rulewright.interpreter.play import record
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.words import translation
from rulewright.interpreter.words.translation import ENGLISH, LanguageError, Words, words_of

FAIR = Path(__file__).resolve().parent.parent / "cli" / "files" / "fair"
SOURCES = Path(next(iter(interpreter.__path__)))


@pytest.fixture(name="fair")
def _fair() -> Game:
    return load_game(str(FAIR), names=["ann", "ben"])


def began(game: Game) -> State:
    """Return the state in which ann chooses a ware."""
    state = game.new_initial_state(seed=1)
    state.apply_action(0)
    return state


# ------------------------------------------------------------------------------------- the engine


def said_in(source: str) -> set[str]:
    """Return the texts that a module says by way of `words(…)` or `say(…)`."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        name = getattr(getattr(node, "func", None), "attr", "") or getattr(
            getattr(node, "func", None), "id", ""
        )
        if isinstance(node, ast.Call) and name in ("words", "say", "Unclear") and node.args:
            chosen = node.args[0]
            either = [chosen.body, chosen.orelse] if isinstance(chosen, ast.IfExp) else [chosen]
            found |= {
                one.value
                for one in either
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return {text for text in found if any(map(str.isalpha, string_without_fields(text)))}


def string_without_fields(text: str) -> str:
    return "".join(part for part, _, _, _ in string.Formatter().parse(text))


def constants_in(source: str) -> set[str]:
    return {
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("language", translation.spoken())
def test_the_engine_says_everything_and_nothing_else_in_each_language(language: str) -> None:
    # What a web table says besides is in files of its own, with tests of their own.
    paths = [path for path in SOURCES.rglob("*.py") if path.relative_to(SOURCES).parts[0] != "web"]
    sources = [path.read_text(encoding="utf-8") for path in paths]
    said = set().union(*map(said_in, sources))
    written = set().union(*map(constants_in, sources))

    known = translation.phrases(language)

    assert said, "nothing is said by way of `words`"
    assert said <= set(known)
    assert set(known) <= written


@pytest.mark.parametrize("language", translation.spoken())
def test_a_phrase_has_the_same_holes_in_each_language(language: str) -> None:
    for text, said in translation.phrases(language).items():
        holes = [field for _, field, _, _ in string.Formatter().parse(text) if field]
        others = [field for _, field, _, _ in string.Formatter().parse(said) if field]
        assert sorted(holes) == sorted(others), text


# ------------------------------------------------------------------------------------------ words


def test_placeholders_of_a_translation_stand_in_its_order() -> None:
    words = Words({"{a} of { b + 1 }": "{b + 1} von {a}"})
    a, b = (model.Me(type=None, span=None) for _ in range(2))  # type: ignore[arg-type]

    parts = words.parts("{a} of { b + 1 }", [a, " of ", b])

    assert parts == [b, " von ", a]
    assert parts[0] is b


def test_a_text_that_is_not_translated_keeps_its_parts() -> None:
    assert ENGLISH.parts("x {a}", ["x ", "…"]) == ["x ", "…"]


def test_a_filled_text_is_taken_apart_by_the_form_that_says_most() -> None:
    words = Words(
        {"{a} is {b}": "{a} ist {b}", "{a} is glad of {b}": "{b} erfreut {a}", "Cap": "Kappe"}
    )

    assert words.filled("ann is glad of Cap") == "Kappe erfreut ann"
    assert words.filled("Cap is Cap, Cap") == "Kappe ist Kappe, Kappe"
    assert words.filled("nothing of this") == "nothing of this"


def test_braces_in_what_is_filled_in_are_plain_text() -> None:
    assert ENGLISH("Choose {name}", name="{0}") == "Choose {0}"


def test_an_unknown_language_says_what_there_is(fair: Game) -> None:
    with pytest.raises(LanguageError, match=r"nothing is said in `dee`; did you mean `de`\?"):
        words_of(fair.model, "dee")
    assert fair.spoken("en") is fair.spoken(None) is fair


# ------------------------------------------------------------------------------------------ games


def test_a_state_is_told_in_another_language(fair: Game) -> None:
    state = began(fair)

    told = state.told_by(fair.spoken("de"))

    assert told.prompt() == "Mit 5 Münzen: welches?"
    assert [action.label for action in told.legal_actions()][:2] == ["Apfel", "Apfel (Nummer 2)"]
    assert told.observation(0)["game"]["stall"][0] == "Apfel (süß, Preis 1)"
    assert state.prompt() == "Which one, with 5 coins?"


def test_reasons_are_told_in_another_language() -> None:
    game = load_game(str(FAIR), names=["ann", "ben"], options={"coins_each": 3})
    state = began(game)

    told = state.told_by(game.spoken("de")).why("Cap")

    assert told.reasons[0].text == "du hast 3, Cap kostet 4"


def test_an_action_of_another_language_is_an_answer(fair: Game) -> None:
    state = began(fair)

    state.apply_action(state.told_by(fair.spoken("de")).legal_actions()[3])

    assert state.history()[-1].label == "Honey"


def test_records_are_the_same_whoever_reads_them(fair: Game) -> None:
    german = fair.spoken("de")
    state, other = began(fair), began(fair)

    other.told_by(german).legal_actions()
    for one in (state, other):
        one.apply_value(one.told_by(german).legal_actions()[0].value)

    assert record.save(state) == record.save(other)
    assert "Apfel" not in record.save(state)


def test_a_translation_is_no_part_of_the_rules(tmp_path: Path, fair: Game) -> None:
    (tmp_path / "fair").mkdir()
    (tmp_path / "fair" / "game.rules").write_text((FAIR / "game.rules").read_text())

    plain = load_game(str(tmp_path / "fair"))

    assert plain.model.digest == fair.model.digest
    assert "Walk about" not in plain.model.languages["de"]
    assert plain.model.languages["de"]["Apple"] == "Apfel"
