"""The order of the folders: each may import only what stands above it, and inside a folder nothing goes in a circle."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = (
    # rule text -> checked game, or diagnostics
    "dsl/text",
    "dsl/files",
    "dsl/syntax",
    "dsl/model",
    "dsl/resolve",
    "dsl/typecheck",
    "dsl/link",
    "dsl/analysis",
    "dsl/ir",
    "dsl/checks",
    "dsl/frontend",
    "dsl/tools",
    "dsl",
    # checked game -> played, explained, recorded
    "interpreter/words",
    "interpreter/state",
    "interpreter/ir",
    "interpreter/semantics",
    "interpreter/explain",
    "interpreter/program",
    "interpreter/lookahead",
    "interpreter/engine",
    "interpreter/printing",
    "interpreter/codegen",
    "interpreter/native",
    "interpreter/knowledge",
    "interpreter/play",
    "interpreter/agents",
    "interpreter/testing",
    "interpreter/terminal",
    "interpreter/tableau",
    "interpreter/bridges",
    "interpreter/web",
    "interpreter/cli",
    "interpreter",
    # the package `rulewright` itself
    "interpreter/public",
)

# The folders of which the other half knows nothing.
INSIDE = ("dsl/syntax",)

# Third-party packages and the only modules that know of them; attrs is welcome everywhere.
CONFINED = {
    "lark": {
        "dsl.syntax.parse_tree",
        "dsl.syntax.build_base",
        "dsl.syntax.build_expressions",
        "dsl.syntax.build_statements",
        "dsl.syntax.build_items",
    },
    "jinja2": {"interpreter.web.rendering"},
    "markupsafe": {"interpreter.web.rendering"},
    "networkx": {"dsl.ir.graph"},
    "cattrs": {"interpreter.play.save_format"},
    "tomli_w": {"interpreter.play.save_format"},
    "prompt_toolkit": {"interpreter.terminal.console"},
    "pyspiel": {"interpreter.bridges.openspiel"},
    "rich": {"interpreter.terminal.console"},
    "gymnasium": {"interpreter.bridges.pettingzoo"},
    "numpy": {
        "interpreter.bridges.openspiel",
        "interpreter.bridges.pettingzoo",
        "interpreter.bridges.raster",
    },
    "pettingzoo": {"interpreter.bridges.pettingzoo"},
    "PIL": {"interpreter.bridges.raster"},
    "resvg_py": {"interpreter.bridges.raster"},
    "platformdirs": {"dsl.files.cache", "interpreter.cli.serve", "interpreter.terminal.console"},
    "starlette": {
        "interpreter.web.app",
        "interpreter.web.guard",
        "interpreter.web.new_table_routes",
        "interpreter.web.request_bodies",
        "interpreter.web.routing",
        "interpreter.web.serving",
        "interpreter.web.table_routes",
    },
    "uvicorn": {"interpreter.web.serving", "interpreter.web.connections"},
}

DATA = ("games", "stdlib", "seeds")

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = [path for half in ("dsl", "interpreter") for path in sorted((ROOT / half).rglob("*.py"))]


def name_of(path: Path) -> str:
    """Return a module as `dsl.text.source`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


NAMES = {name_of(path).removesuffix(".__init__") for path in MODULES}
PUBLIC = "interpreter.public"


def folder_of(path: Path) -> str:
    """Return the folder of a module as `dsl/text`."""
    return path.parent.relative_to(ROOT).as_posix()


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and full name of every import, also of those inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def own_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and module (`dsl.text.source`) of every import of a module of ours."""
    for line, name in imports_of(path):
        if name.partition(".")[0] == "rulewright":
            module = name.removeprefix("rulewright").removeprefix(".")
            while module and module not in NAMES and module not in DATA:
                module = module.rpartition(".")[0]
            # What is in no folder is a name of the package itself.
            yield line, module or PUBLIC


def place_of(module: str) -> str:
    """Return the folder in which a module stands."""
    path = ROOT.joinpath(*module.split("."))
    return folder_of(path / "__init__.py" if path.is_dir() else path)


def test_every_folder_has_its_place_in_the_order() -> None:
    found = {folder_of(path) for path in MODULES}

    assert found == set(FOLDERS)
    assert len(FOLDERS) == len(set(FOLDERS))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_what_stands_above_its_folder(path: Path) -> None:
    folder = folder_of(path)
    half = folder.partition("/")[0]
    wrong = []
    for line, module in own_imports(path):
        other = place_of(module)
        if other.partition("/")[0] not in ("dsl", "interpreter"):
            continue
        crossing = other.partition("/")[0] != half
        if FOLDERS.index(other) > FOLDERS.index(folder) or (crossing and other in INSIDE):
            wrong.append(f"line {line}: {module}")

    assert not wrong, f"{name_of(path)} imports against the order: {wrong}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_inside_a_folder_nothing_goes_in_a_circle(folder: str) -> None:
    inside = {
        name_of(path).removesuffix(".__init__"): path
        for path in MODULES
        if folder_of(path) == folder
    }
    uses = {
        name: {module for _, module in own_imports(path) if module in inside and module != name}
        for name, path in inside.items()
    }

    # What uses nothing of what is left goes first, until nothing is left.
    while free := {name for name, used in uses.items() if not used & set(uses)}:
        for name in free:
            del uses[name]

    assert not uses, f"these use one another: {sorted(uses)}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_third_party_package_stays_in_its_modules(path: Path) -> None:
    wrong = []
    for line, name in imports_of(path):
        package = name.split(".")[0]
        if package in sys.stdlib_module_names or package in ("rulewright", "attrs"):
            continue
        if name_of(path) not in CONFINED.get(package, set()):
            wrong.append(f"line {line}: {package}")

    assert not wrong, f"{name_of(path)} may not import {wrong}"


@pytest.mark.parametrize("folder", DATA)
def test_data_folders_hold_no_python_but_a_docstring(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))

    assert [name_of(path) for path in modules] == [f"{folder}.__init__"]
    body = ast.parse(modules[0].read_text(encoding="utf-8")).body
    assert len(body) == 1 and isinstance(body[0], ast.Expr)
