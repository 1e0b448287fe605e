"""Every file, folder and module that a document names is there.

Looked at are the links of all pages, paths in backquotes (`dsl/text/codes.py`, `link/link`), and, where
a text is about one folder, single words in backquotes: in a docstring of `__init__.py`, and in a section
of `interpreter/INTERNALS.md` called like a folder, `orders` is a module of that folder or a word of the
language. `store.Store` is a name in a module, `Store.given` one in the module of a class, and a call is
what is called. Several words are a command, or words of the language with names of an author.

What rule books say (`seeds/`) and what has changed long ago (`CHANGELOG.md`) is left out.
"""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import attrs
import pytest

from rulewright.dsl.model import builtins
from rulewright.interpreter.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
INTERNALS = ROOT / "interpreter" / "INTERNALS.md"

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
QUOTED = re.compile(r"`((?:[^`\n]|\n(?!\n))+)`")
PATH = re.compile(r"[\w.<>*-]+(?:/[\w.<>*-]+)*\.(?:py|md|lark|h|svg)")
FOLDER_OR_MODULE = re.compile(r"[a-z_]+(?:/[a-z_0-9<>]+)*/?")
WORD = re.compile(r"[a-z_]+")
CLASS = re.compile(r"[A-Z]\w+")
MEMBER = re.compile(r"(?:\w+\.)?(\w+)\.(\w+)")
CALL = re.compile(r"(?:with )?([\w.]+)\([^()]*\):?")
NAME_WITH_PLACEHOLDER = re.compile(r"[a-z_]+<\w+>")
PLACEHOLDER = re.compile(r"<\w+>|nnn")

GRAMMAR = (ROOT / "dsl" / "syntax" / "grammar.lark").read_text("utf-8")
LANGUAGE = (
    builtins.RESERVED
    | {name for name, *_ in (one.form.split() for one in builtins.VERBS)}
    | {one.name for one in builtins.FUNCTIONS}
    | set(re.findall(r'"([a-z_]+)"', GRAMMAR))
    | {"it", "its", "my", "this", "Player"}
)
"""The words of the language."""

GENERATED = {"codegen", "printing", "native"}
"""Folders in which a name says what a module prints."""

TYPED = {command.name for command in COMMANDS} | {"load_game", "mypyc"}
"""Commands, and what a program calls."""

AUTHORS = {"V", "ps", "…"}
"""What stands for names of an author in words of the language."""

AS_IT_IS = {"import rulewright", "Planet:Cinder"}
"""A line of a program, and the key of a thing."""


def files() -> Iterator[Path]:
    """Yield all files of the repository, as far as they are kept."""
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for part in ("dsl", "interpreter", "stdlib", "games", "seeds", "tests"):
        for path in sorted((ROOT / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


FILES = tuple(files())


def pages() -> list[Path]:
    """Return the pages of the repository."""
    left_out = ("CHANGELOG.md", "seeds/", "tests/dsl/")
    named = ((path, path.relative_to(ROOT).as_posix()) for path in FILES if path.suffix == ".md")
    return [path for path, name in named if not name.startswith(left_out)]


def packages() -> list[Path]:
    """Return the `__init__.py` of each folder; that of the public API speaks of names, not of modules."""
    found = [path for part in ("dsl", "interpreter") for path in (ROOT / part).rglob("__init__.py")]
    return [path for path in found if path.parent.name != "public"]


LISTING = [path for path in packages() if path.parent.name not in GENERATED]
"""Those of folders that list their modules; in the others a module is found by its name."""


@attrs.frozen
class Passage:
    """A text, and the folder of which it speaks."""

    name: str
    text: str
    folder: Path

    def quoted(self) -> list[str]:
        """Return what stands in backquotes."""
        return [" ".join(name.split()) for name in QUOTED.findall(FENCED.sub("", self.text))]


def docstring(path: Path) -> Passage:
    """Return the docstring of a package."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return Passage(path.relative_to(ROOT).as_posix(), text, path.parent)


def sections() -> Iterator[Passage]:
    """Yield the sections of the internals, each with its folder."""
    found = re.split(r"^## (\w+)$", INTERNALS.read_text("utf-8"), flags=re.MULTILINE)
    for name, text in zip(found[1::2], found[2::2], strict=True):
        yield Passage(name, text, INTERNALS.parent / name)


SECTIONS = tuple(sections())
ABOUT_FOLDERS = (*map(docstring, packages()), *SECTIONS)
EVERYTHING = (
    *(
        Passage(page.relative_to(ROOT).as_posix(), page.read_text("utf-8"), page.parent)
        for page in pages()
    ),
    *map(docstring, packages()),
)


def is_there(name: str, folder: Path) -> bool:
    """Return whether there is a file or folder of that name, as a text about the folder writes it: from
    the top, from the folder, or from one of the two halves. Of a file its bare name is enough."""
    pattern = PLACEHOLDER.sub("*", name.rstrip("/"))
    places = (ROOT, folder, ROOT / "dsl", ROOT / "interpreter")
    if any(any(place.glob(one)) for place in places for one in (pattern, f"{pattern}.py")):
        return True
    inside = (path.name for path in FILES if folder != ROOT and path.is_relative_to(folder))
    return PATH.fullmatch(name) is not None and any(fnmatchcase(one, pattern) for one in inside)


def begins_like_a_path(name: str) -> bool:
    """Return whether a name with slashes begins with a folder of the repository."""
    first = name.split("/")[0]
    return any((ROOT / part / first).is_dir() for part in ("", "dsl", "interpreter"))


def named_paths(passage: Passage) -> Iterator[str]:
    """Yield the files, and the folders and modules with slashes, that a text names."""
    for name in passage.quoted():
        is_module = FOLDER_OR_MODULE.fullmatch(name) and "/" in name and begins_like_a_path(name)
        if PATH.fullmatch(name) or is_module:
            yield name


def defining(name: str) -> list[str]:
    """Return the sources of the modules that define a name at their top."""
    head = re.compile(rf"^(?:class |def )?{name}\b", re.MULTILINE)
    return [text for text in SOURCES.values() if head.search(text)]


SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for part in ("dsl", "interpreter")
    for path in (ROOT / part).rglob("*.py")
}


def is_command(words: list[str]) -> bool:
    """Return whether words are a command, or an option of commands, with what stands behind it."""
    if words[0] == "rulewright":
        words = words[1:]
    options = [word for word in words if word.startswith("--")]
    if words[0] not in TYPED and words != options:
        return False
    return all(any(f'"{option}"' in text for text in SOURCES.values()) for option in options)


def is_said_in_rules(words: list[str]) -> bool:
    """Return whether words are words of the language and names of an author."""
    return all(word.split(".")[0] in LANGUAGE | AUTHORS for word in words)


def means_something(word: str, folder: Path) -> bool:
    """Return whether a word in backquotes, in a text about a folder, names something that there is."""
    call = CALL.fullmatch(word)
    if call is not None:
        word = call[1]
    if word in AS_IT_IS:
        return True
    if NAME_WITH_PLACEHOLDER.fullmatch(word):
        return bool(defining(PLACEHOLDER.sub(r"\\w+", word)))
    if PATH.fullmatch(word) or "/" in word or "*" in word:
        return is_there(word, folder)
    if " " in word or word.startswith("--"):
        words = word.split()
        return is_command(words) or is_said_in_rules(words)
    if WORD.fullmatch(word):
        return word in LANGUAGE | TYPED or is_there(word, folder)
    if CLASS.fullmatch(word):
        return bool(defining(word))
    member = MEMBER.fullmatch(word)
    if member is None:
        return False
    if member[1] in LANGUAGE:
        return True
    if CLASS.fullmatch(member[1]):
        texts = defining(member[1])
    else:
        module = re.compile(rf"/{member[1]}(?:/\w+)?\.py$")
        texts = [text for path, text in SOURCES.items() if module.search(path)]
    return any(re.search(rf"\b{member[2]}\b", text) for text in texts)


def leads_somewhere(page: Path, path: str, heading: str) -> bool:
    """Return whether there is the file of a link, and in it the heading, as pages on the web call it."""
    target = page.parent / path if path else page
    if not heading:
        return target.exists()
    headings = HEADING.findall(FENCED.sub("", target.read_text("utf-8")))
    return heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    links = LINK.findall(FENCED.sub("", page.read_text("utf-8")))

    assert [link for link in links if not leads_somewhere(page, *link)] == []


@pytest.mark.parametrize("passage", EVERYTHING, ids=lambda passage: passage.name)
def test_every_file_that_is_named_exists(passage: Passage) -> None:
    missing = [name for name in named_paths(passage) if not is_there(name, passage.folder)]

    assert missing == []


@pytest.mark.parametrize("passage", ABOUT_FOLDERS, ids=lambda passage: passage.name)
def test_every_module_that_is_named_exists(passage: Passage) -> None:
    assert passage.folder.is_dir()

    strange = [word for word in passage.quoted() if not means_something(word, passage.folder)]

    assert strange == [], "neither a module of this folder nor a word of the language"


@pytest.mark.parametrize("package", packages(), ids=lambda path: path.parent.name)
def test_a_folder_says_what_goes_in_and_out_and_what_to_open(package: Path) -> None:
    passage = docstring(package)
    opened = re.findall(r"Open `(\w+)` first", passage.text)

    assert re.search(r"^In: .*Out: ", passage.text, re.MULTILINE | re.DOTALL)
    assert re.search(r"^    \S", passage.text, re.MULTILINE), "an example"
    if package.parent.parent != ROOT:
        assert len(opened) == 1
        assert (package.parent / f"{opened[0]}.py").is_file()


@pytest.mark.parametrize("package", LISTING, ids=lambda path: path.parent.name)
def test_a_folder_names_each_of_its_modules(package: Path) -> None:
    named = set(docstring(package).quoted())

    modules = {path.stem for path in package.parent.glob("*.py")} - {"__init__", "__main__"}

    assert modules <= named


def test_the_internals_have_a_section_for_each_folder() -> None:
    folders = {path.parent.name for path in (ROOT / "interpreter").glob("*/__init__.py")}

    assert {passage.name for passage in SECTIONS} == folders - {"public"}


def test_what_is_not_there_is_found() -> None:
    folder = ROOT / "interpreter" / "engine"
    text = (
        "`executor`, `executor.begin(program)`, `seen by`, `check --playouts`, `run_<command>`, "
        "`vanished`, `engine/vanished`, `dsl/vanished.py`, `Vanished`, `Store.vanished`, "
        "`executor.vanished(program)`, `seen vanished`, `vanish --playouts`, `check --vanished`, "
        "`vanished_<command>`, `+`"
    )
    passage = Passage("made up", text, folder)

    assert [name for name in named_paths(passage) if not is_there(name, folder)] == [
        "engine/vanished",
        "dsl/vanished.py",
    ]
    assert [word for word in passage.quoted() if not means_something(word, folder)] == [
        *("vanished", "engine/vanished", "dsl/vanished.py", "Vanished", "Store.vanished"),
        *("executor.vanished(program)", "seen vanished", "vanish --playouts", "check --vanished"),
        *("vanished_<command>", "+"),
    ]
