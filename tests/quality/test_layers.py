"""The order of the modules: each may import only what stands above it."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# One line each: add a module at the place where it belongs. The facades come last.
LAYERS = {
    "dsl": (
        "source",
        "codes",
        "diagnostics",
        "suggest",
        "pages",
        "disk",
        "folders",
        "replacement",
        "vault",
        "nodes_base",
        "nodes_values",
        "nodes_steps",
        "nodes_items",
        "nodes",
        "foreign",
        "slips",
        "lexing",
        "grammar",
        "build_base",
        "build_expressions",
        "build_steps",
        "build",
        "lines",
        "mistakes",
        "cutting",
        "recover",
        "parser",
        "library",
        "kept",
        "digest",
        "kinds",
        "registry",
        "model_base",
        "model_values",
        "model_steps",
        "model_examples",
        "model_game",
        "model",
        "walk",
        "meaning",
        "flow",
        "unread",
        "meant",
        "scope",
        "blocks",
        "writes",
        "read_types",
        "of_values",
        "body",
        "durings",
        "ranges",
        "variants",
        "instances",
        "declare",
        "cells",
        "sheets",
        "formulas",
        "tables",
        "tables_of_values",
        "texts",
        "powers",
        "lasting",
        "forms",
        "lookup",
        "infer_lists",
        "infer_names",
        "infer_lookup",
        "infer_calls",
        "infer_fields",
        "constants",
        "infer",
        "places",
        "pauses",
        "creation",
        "commands",
        "choices",
        "temporary",
        "statements",
        "offering",
        "conflicts",
        "players",
        "speaking",
        "amend",
        "read_fields",
        "citations",
        "read_checks",
        "read_examples",
        "outcome",
        "link",
        "exclusive",
        "apart",
        "list_order",
        "meetings",
        "idle",
        "replaced_names",
        "loading_order",
        "checks_options",
        "marks",
        "checks_together",
        "offers_at_once",
        "openness",
        "terms",
        "handovers",
        "proofs",
        "hidden_names",
        "hidden",
        "peeking",
        "checks_visibility",
        "possible",
        "checks_stuck",
        "checks_flow",
        "checks_can",
        "checks_neutral",
        "checks_offers",
        "checks",
        "splices",
        "sections",
        "rulebook",
        "languages",
        "provenance",
        "export",
        "render",
        "format",
        "lost_names",
        "condense",
        "compile",
        "ready",
        "offers",
        "scaffold",
        "__init__",
    ),
    "interpreter": (
        "values",
        "chance",
        "errors",
        "wording",
        "layout",
        "serials",
        "positions",
        "log",
        "store",
        "visibility",
        "templates",
        "needs",
        "compiling",
        "fixed",
        "memo",
        "labels",
        "likenesses",
        "evaluate_reads",
        "evaluate_needs",
        "evaluate_values",
        "evaluate_places",
        "evaluate_calls",
        "paths",
        "changes",
        "lowering",
        "lower_powers",
        "lower_steps",
        "plans",
        "graph",
        "draw",
        "machine",
        "eyes",
        "breakdown",
        "findings",
        "quoting",
        "shelf",
        "replies",
        "fields",
        "filters",
        "evaluate_lists",
        "wholes",
        "builtins",
        "evaluate",
        "aggregates",
        "three_valued",
        "events",
        "renumbering",
        "forks",
        "retaking",
        "drawing",
        "creating",
        "effects",
        "calls",
        "control",
        "watching",
        "alike",
        "splitting",
        "questions",
        "totals",
        "growing",
        "budgets",
        "encoding",
        "packing",
        "roster",
        "laws",
        "givens",
        "scoring",
        "loaded",
        "lasting",
        "decisions",
        "certain",
        "amended",
        "reasons",
        "numbers_ahead",
        "orders",
        "needs_ahead",
        "lookahead",
        "beside",
        "observation",
        "spoken_answers",
        "recollection",
        "setbacks",
        "dead_ends",
        "neutral",
        "actions",
        "explain",
        "options",
        "tables",
        "together",
        "program",
        "branching",
        "snapshot",
        "execute",
        "outcomes",
        "emit_python",
        "emit_straight",
        "emit_again",
        "emit",
        "emit_places",
        "emit_tables",
        "emit_sure",
        "emit_lines",
        "emit_values",
        "emit_reads",
        "emit_lists",
        "emit_orders",
        "emit_changes",
        "emit_calls",
        "emit_walks",
        "emit_wholes",
        "emit_builtins",
        "moving",
        "doing",
        "emit_moves",
        "emit_effects",
        "emit_units",
        "picking",
        "origins",
        "sites",
        "emit_decisions",
        "emit_passes",
        "emit_joins",
        "emit_probes",
        "emit_frames",
        "emit_ways",
        "emit_forks",
        "emit_rounds",
        "emit_verbs",
        "emit_tracks",
        "emit_picks",
        "tracks",
        "lane",
        "generated",
        "emit_engine",
        "emit_native",
        "native",
        "building",
        "selecting",
        "loading",
        "copies",
        "questions_ahead",
        "scripting",
        "engine",
        "saved",
        "replay",
        "record",
        "arguments",
        "screen",
        "table",
        "chronicle",
        "checking",
        "examples",
        "answering",
        "mending",
        "blaming",
        "restating",
        "learning",
        "agents",
        "playout",
        "sightings",
        "verify",
        "points",
        "counting",
        "variant_sets",
        "marks",
        "maps",
        "board",
        "picture",
        "ending",
        "sitting",
        "transcript",
        "talk",
        "terminal",
        "repl_commands",
        "resuming",
        "repl",
        "commands_shelf",
        "commands_check",
        "commands_graph",
        "commands_replay",
        "commands_play",
        "commands_state",
        "commands_why",
        "commands_playout",
        "commands_build",
        "commands_rules",
        "commands_coverage",
        "commands_new",
        "cli",
        "__init__",
        "__main__",
    ),
}

# Third-party packages and the only modules that know of them; attrs is welcome everywhere.
CONFINED = {
    "lark": {
        "dsl.lexing",
        "dsl.grammar",
        "dsl.build_base",
        "dsl.build_expressions",
        "dsl.build_steps",
        "dsl.build",
    },
    "networkx": {"interpreter.graph", "interpreter.draw"},
    "cattrs": {"interpreter.saved"},
    "tomli_w": {"interpreter.saved"},
    "prompt_toolkit": {"interpreter.terminal"},
    "rich": {"interpreter.terminal"},
    "platformdirs": {"dsl.vault", "interpreter.terminal"},
}

# The parse tree and the AST stay inside dsl; the interpreter sees the model only.
INSIDE_DSL = {
    *(
        "nodes_base",
        "nodes",
        "foreign",
        "slips",
        "lexing",
        "grammar",
        "build_base",
        "build_expressions",
    ),
    *("build_steps", "build", "lines", "mistakes", "recover", "parser"),
}

ROOT = Path(__file__).resolve().parent.parent.parent
MODULES = [path for folder in LAYERS for path in sorted((ROOT / folder).rglob("*.py"))]


def name_of(path: Path) -> str:
    """Return a module as `dsl.source`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


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


def imported_module(name: str) -> tuple[str, str] | None:
    """Return folder and module of one of our own imports; none for other packages."""
    parts = name.split(".")
    if parts[0] != "rulewright":
        return None
    assert len(parts) > 1, "import a module of rulewright, not the namespace"
    folder = parts[1]
    module = parts[2] if len(parts) > 2 else "__init__"
    # `from rulewright.dsl import compile_text` takes a name of the facade.
    return folder, module if module in LAYERS.get(folder, ()) else "__init__"


@pytest.mark.parametrize("folder", LAYERS)
def test_every_module_has_its_place_in_the_order(folder: str) -> None:
    modules = {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*.py")}

    unlisted = modules - {f"{module}.py" for module in LAYERS[folder]}

    assert not unlisted, f"list in LAYERS of {Path(__file__).name}: {sorted(unlisted)}"
    assert len(LAYERS[folder]) == len(set(LAYERS[folder]))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_what_stands_above_it(path: Path) -> None:
    folder, module = path.parent.name, path.stem
    if module not in LAYERS[folder]:
        pytest.fail(f"{name_of(path)} is not listed in LAYERS")
    wrong = []
    for line, name in imports_of(path):
        target = imported_module(name)
        if target is None:
            continue
        other_folder, other = target
        if other_folder not in LAYERS:
            continue
        if other_folder == folder:
            below = LAYERS[folder].index(other) >= LAYERS[folder].index(module)
        else:
            below = folder == "dsl" or other in INSIDE_DSL
        if below:
            wrong.append(f"line {line}: {name}")

    assert not wrong, f"{name_of(path)} imports against the order: {wrong}"


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


@pytest.mark.parametrize("folder", ["games", "stdlib", "seeds"])
def test_data_folders_hold_no_python_but_a_docstring(folder: str) -> None:
    modules = sorted((ROOT / folder).rglob("*.py"))

    assert [name_of(path) for path in modules] == [f"{folder}.__init__"]
    body = ast.parse(modules[0].read_text(encoding="utf-8")).body
    assert len(body) == 1 and isinstance(body[0], ast.Expr)
