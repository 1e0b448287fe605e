"""A checked game is used again exactly as long as nothing has changed that it was made from."""

import io
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sharing import shelf_for

from rulewright.dsl import model
from rulewright.dsl.files import cache as user_cache, disk, library
from rulewright.dsl.frontend import checked_cache, frontend
from rulewright.dsl.text.source import Source

FILES = {
    "game.rules": """language 1
game "Little" for 2..2 players
book "book.md"
use turns(turn)                                          see Turns
use own
use winner
table Card from "cards.csv"
each Card has
  worth: number
define whole = sum(Card each its.worth)
to play
  play_in_turns
to turn
  either "Win"
    win me
  or "Wait"
    nothing_at_all
check "the cards": whole is 3
""",
    "own.rules": 'language 1\nmodule own\nto nothing_at_all\n  end game "waited"\n',
    "cards.csv": "copies,worth\n1,1\n1,2\n",
    "book.md": "# Little\n\n## Turns\n\n1. They take turns.\n",
    "examples.rules": """language 1
examples of little
example "Win"
  players ann, ben
  do ann: turn, "Win"
  expect winners is [ann]
""",
    "variants/poor.rules": """language 1
variant "Poor" of little
instead of win
  end game "nobody"
""",
    "variants/rich.rules": 'language 1\nvariant "Rich" of little\ninstead of turn\n  win me\n',
}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder that holds nothing."""
    (folder := tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setattr(user_cache, "cache_folder", lambda: folder)
    yield folder


@pytest.fixture
def game(tmp_path: Path, cache: Path) -> Path:
    """The folder of a game that has a file of each sort."""
    folder = tmp_path / "little"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def kept_games(cache: Path) -> list[Path]:
    return sorted(cache.glob("game-*.pickle"))


def spans_of(game: model.Game) -> bytes:
    """Return a game with its spans and texts to compare it; equal sets may be walked in any order."""
    pickler = pickle.Pickler(written := io.BytesIO())
    pickler.persistent_id = lambda one: sorted(one) if isinstance(one, frozenset) else None
    pickler.dump(pickle.loads(pickle.dumps(game)))
    return written.getvalue()


# ----------------------------------------------------------------------------------------------- hits


@pytest.mark.parametrize("name", shelf_for("test_a_kept_game_is_that_of_the_compiler"))
def test_a_kept_game_is_that_of_the_compiler(name: str, cache: Path) -> None:
    assert checked_cache.known(name) is None
    compilation = checked_cache.compiled(name)

    found = checked_cache.known(name)

    assert found is not None and compilation.game is not None
    assert found.game is not compilation.game
    assert found.folder == compilation.target.folder
    assert spans_of(found.game) == spans_of(compilation.game)


@pytest.mark.parametrize("variants", [(), ("Poor",), ("poor", "Rich")])
def test_a_game_of_the_user_is_kept_with_its_variants(
    variants: tuple[str, ...], game: Path
) -> None:
    compilation = checked_cache.compiled(str(game), variants)
    assert compilation.diagnostics == ()

    found = checked_cache.known(str(game), variants)

    assert found is not None and compilation.game is not None
    assert found.game.variants == compilation.game.variants
    assert found.game.digest == compilation.game.digest
    assert spans_of(found.game) == spans_of(compilation.game)
    others = {(), ("Poor",), ("poor", "Rich")} - {variants}
    assert [checked_cache.known(str(game), other) for other in others] == [None, None]


def test_nothing_is_compiled_where_a_game_is_known(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked_cache.compiled(str(game))
    monkeypatch.setattr(frontend, "compile_game", None)

    assert checked_cache.known(str(game)) is not None


@pytest.mark.parametrize("named", ["game.rules", "variants/poor.rules", "examples.rules", ".", ""])
def test_a_game_may_be_named_in_any_way(
    named: str, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game if named else game.parent)
    named = named or "little"
    compilation = checked_cache.compiled(named)

    found = checked_cache.known(named)

    assert found is not None and compilation.game is not None
    assert found.game.variants == compilation.game.variants
    assert spans_of(found.game) == spans_of(compilation.game)


def test_a_game_of_the_shelf_is_known_everywhere(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = library.shelf()[0]
    checked_cache.compiled(name)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")

    assert checked_cache.known(name) is not None


def test_the_same_words_in_another_folder_are_another_game(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "below" / "little"
    other.mkdir(parents=True)
    for name, text in FILES.items():
        (other / name).parent.mkdir(exist_ok=True)
        (other / name).write_text(text.replace('"Little"', '"Other"'), encoding="utf-8")
    checked_cache.compiled("little")
    monkeypatch.chdir(tmp_path / "below")
    assert checked_cache.known("little") is None
    checked_cache.compiled("little")

    found = checked_cache.known("little")
    monkeypatch.chdir(tmp_path)
    before = checked_cache.known("little")

    assert found is not None and found.game.title == "Other"
    assert before is not None and before.game.title == "Little"


# --------------------------------------------------------------------------------------------- misses


def change(name: str) -> Callable[[Path], object]:
    """Return what adds a comment, or a line that changes nothing, to a file."""
    end = {".csv": "\n", ".md": "\n2. One after the other.\n"}.get(Path(name).suffix, "# new\n")
    return lambda game: (game / name).write_text(FILES[name] + end, encoding="utf-8")


def shadow(game: Path) -> None:
    """Put a module into the folder that was found in the library before."""
    text = library.find_module("winner", game)
    assert text is not None
    (game / "winner.rules").write_text(text.read_text(encoding="utf-8"), encoding="utf-8")


MISSES: dict[str, Callable[[Path], object]] = {
    **{f"another {name}": change(name) for name in FILES},
    **{
        f"no {name}": lambda game, name=name: (game / name).unlink()  # type: ignore[misc]
        for name in FILES
    },
    "a module before that of the library": shadow,
    "another variant": lambda game: (game / "variants" / "new.rules").write_text(
        'language 1\nvariant "New" of little\n', encoding="utf-8"
    ),
    "a variant that cannot be read": lambda game: (game / "variants" / "no.rules").mkdir(),
    "a file that is a folder now": lambda game: (
        (game / "cards.csv").unlink(),
        (game / "cards.csv").mkdir(),
    ),
    "a folder of another name": lambda game: game.rename(game.with_name("large")),
}


@pytest.mark.parametrize("miss", MISSES)
def test_a_game_that_has_changed_is_not_known(miss: str, game: Path) -> None:
    checked_cache.compiled(str(game), ["Poor"])
    assert checked_cache.known(str(game), ["Poor"]) is not None

    MISSES[miss](game)

    assert checked_cache.known(str(game), ["Poor"]) is None


def test_a_game_that_is_as_it_was_is_known_again(game: Path) -> None:
    checked_cache.compiled(str(game))
    text = (game / "game.rules").read_text(encoding="utf-8")
    (game / "game.rules").write_text(text + "# new\n", encoding="utf-8")
    assert checked_cache.known(str(game)) is None

    (game / "game.rules").write_text(text, encoding="utf-8")

    assert checked_cache.known(str(game)) is not None


def test_a_game_that_was_changed_and_compiled_is_the_new_one(game: Path) -> None:
    checked_cache.compiled(str(game))
    text = FILES["game.rules"].replace('"Little"', '"Big"')
    (game / "game.rules").write_text(text, encoding="utf-8")
    checked_cache.compiled(str(game))

    found = checked_cache.known(str(game))

    assert found is not None and found.game.title == "Big"


def test_a_file_of_the_library_that_changes_is_noticed(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = disk.packaged
    modules = tmp_path / "stdlib"
    modules.mkdir()
    for path in packaged("stdlib").glob("*.rules"):
        (modules / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(
        disk, "packaged", lambda part: modules if part == "stdlib" else packaged(part)
    )
    checked_cache.compiled(str(game))
    assert checked_cache.known(str(game)) is not None

    with (modules / "winner.rules").open("a", encoding="utf-8") as file:
        file.write("# new\n")

    assert checked_cache.known(str(game)) is None


def test_another_version_does_not_know_it(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked_cache.compiled(str(game))
    monkeypatch.setattr(user_cache, "version", lambda: "another")

    assert checked_cache.known(str(game)) is None


def test_the_version_is_that_of_the_modules_and_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = tmp_path / "grammar.lark"
    monkeypatch.setattr(user_cache, "__file__", str(tmp_path / "files" / "cache.py"))
    versions = [user_cache.version.__wrapped__()]
    grammar.touch()
    versions.append(user_cache.version.__wrapped__())
    grammar.write_text("a", encoding="utf-8")
    versions.append(user_cache.version.__wrapped__())
    monkeypatch.setattr(sys, "version", "4.0")
    versions.append(user_cache.version.__wrapped__())

    assert len(set(versions)) == 4


# --------------------------------------------------------------------------------- what is not kept


def test_a_game_with_a_mistake_is_not_kept(game: Path, cache: Path) -> None:
    text = FILES["game.rules"].replace("win me", "winn me")
    (game / "game.rules").write_text(text, encoding="utf-8")

    compilation = checked_cache.compiled(str(game))

    assert compilation.game is None and compilation.diagnostics
    assert checked_cache.known(str(game)) is None
    assert kept_games(cache) == []


@pytest.mark.parametrize("named", ["no_such_game", "own.rules", "a\0b"])
def test_what_is_no_game_is_not_kept(
    named: str, game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(game)

    checked_cache.compiled(named)

    assert checked_cache.known(named) is None
    assert kept_games(cache) == []


def test_a_game_with_warnings_is_kept_and_compiled_with_them(game: Path) -> None:
    text = FILES["game.rules"].replace('book "book.md"\n', "").replace("see Turns", "")
    text = text.replace("use winner\n", "").replace("    win me\n", '    end game "won"\n')
    (game / "game.rules").write_text(text, encoding="utf-8")
    (game / "examples.rules").unlink()

    first = checked_cache.compiled(str(game))

    assert {item.severity.value for item in first.diagnostics} == {"warning"}
    assert checked_cache.known(str(game)) is not None
    assert checked_cache.compiled(str(game)).diagnostics == first.diagnostics


def test_a_game_that_changes_while_it_is_read_is_not_kept(
    game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = library.read_source

    def slowly(path: Path) -> object:
        found = read(path)
        if path.is_relative_to(game):
            with path.open("a", encoding="utf-8") as file:
                file.write("\n")
        return found

    monkeypatch.setattr(library, "read_source", slowly)

    assert checked_cache.compiled(str(game)).game is not None
    monkeypatch.undo()
    monkeypatch.setattr(user_cache, "cache_folder", lambda: cache)
    assert checked_cache.known(str(game)) is None


# ------------------------------------------------------------------------------------ damaged files


class Evil:
    """Runs something when it is read."""

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, ("ran",)


def parts(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the key of a file, its questions with their length, and its game."""
    end = user_cache.HEAD + 8 + int.from_bytes(data[user_cache.HEAD : user_cache.HEAD + 8])
    return data[: user_cache.HEAD // 2], data[user_cache.HEAD : end], data[end:]


def sealed(key: bytes, content: bytes) -> bytes:
    """Return a whole file, as somebody who knows its form would make it."""
    return key + user_cache.HASH(content).digest() + content


def evil_game(data: bytes) -> bytes:
    key, questions, _ = parts(data)
    return sealed(key, questions + pickle.dumps(Evil()))


def evil_questions(data: bytes) -> bytes:
    key, _, game = parts(data)
    asked = pickle.dumps(Evil())
    return sealed(key, len(asked).to_bytes(8) + asked + game)


def evil_question(data: bytes) -> bytes:
    key, _, game = parts(data)
    asked = user_cache.packed((((("__import__", "os"), "x"),), "folder"))
    return sealed(key, len(asked).to_bytes(8) + asked + game)


def no_game(data: bytes) -> bytes:
    key, questions, _ = parts(data)
    return sealed(key, questions + user_cache.packed(Source("a", "b")))


def short_length(data: bytes) -> bytes:
    key, questions, game = parts(data)
    return sealed(key, (2**60).to_bytes(8) + questions[8:] + game)


def half_a_game(data: bytes) -> bytes:
    key, questions, game = parts(data)
    return sealed(key, questions + game[: len(game) // 2])


DAMAGES: list[Callable[[bytes], bytes]] = [
    evil_game,
    evil_questions,
    evil_question,
    no_game,
    short_length,
    half_a_game,
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1],
    lambda data: data + b"\0",
    lambda data: b"",
    lambda data: b"rubbish" * 1000,
    lambda data: pickle.dumps(Evil()),
    lambda data: data.replace(b"Little", b"Lottle"),
    lambda data: b"\0" * user_cache.HEAD + data[user_cache.HEAD :],
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_used_and_made_anew(
    damage: Callable[[bytes], bytes], game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is run by mistake would leave something here.
    (game.parent / "here").mkdir()
    monkeypatch.chdir(game.parent / "here")
    first = checked_cache.compiled(str(game)).model_or_raise()
    (path,) = kept_games(cache)
    whole = path.read_bytes()
    assert checked_cache.known(str(game)) is not None
    path.write_bytes(damage(whole))

    assert path.read_bytes() != whole
    assert checked_cache.known(str(game)) is None
    checked_cache.compiled(str(game))
    found = checked_cache.known(str(game))

    assert found is not None and spans_of(found.game) == spans_of(first)
    assert kept_games(cache) == [path]
    assert list(Path.cwd().iterdir()) == []


def test_a_whole_file_that_was_made_by_hand_is_read(game: Path, cache: Path) -> None:
    # Otherwise the tests above would prove nothing.
    checked_cache.compiled(str(game))
    (path,) = kept_games(cache)
    key, questions, packed = parts(path.read_bytes())
    path.write_bytes(sealed(key, questions + packed))

    assert checked_cache.known(str(game)) is not None


def test_a_file_for_another_game_is_not_used(game: Path, cache: Path) -> None:
    checked_cache.compiled(str(game))
    (path,) = kept_games(cache)
    checked_cache.compiled(str(game), ["Poor"])
    (other,) = set(kept_games(cache)) - {path}
    path.write_bytes(other.read_bytes())

    assert checked_cache.known(str(game)) is None


# --------------------------------------------------------------------------------------- the folder


def test_without_a_folder_games_are_compiled(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "cache_folder", lambda: None)

    assert checked_cache.compiled(str(game)).game is not None
    assert checked_cache.known(str(game)) is None


def test_a_folder_that_cannot_be_written_to_is_no_error(
    game: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not a matter of permissions: who runs the tests may be allowed everything.
    cache.rmdir()
    cache.touch()

    assert checked_cache.compiled(str(game)).game is not None
    assert checked_cache.known(str(game)) is None


def test_processes_at_the_same_time_all_get_the_game(game: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from rulewright.dsl.frontend import checked_cache as ready\n"
        "for _ in range(5):\n"
        "    found = ready.known(sys.argv[1]) or ready.compiled(sys.argv[1])\n"
        "    assert found.game.title == 'Little'\n"
        "    ready.compiled(sys.argv[1])\n"
        "assert ready.known(sys.argv[1]) is not None\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "shared")}
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(game)], env=environment) for _ in range(3)
    ]

    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    if sys.platform == "linux":
        left = [path.name for path in (tmp_path / "shared" / "rulewright").iterdir()]
        assert len([name for name in left if name.startswith("game-")]) == 1
