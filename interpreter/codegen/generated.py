"""Generated Python for a loaded game: a program in, the same program with a fast lane out.

The walker stays what it is, the definition; generated code does the same in the same state, frames
and log, and both can take over from each other at every decision. A track is written when a game
first comes along.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable

from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.codegen.emit_ways import MARK
from rulewright.interpreter.codegen.ending_values import EndingValues
from rulewright.interpreter.codegen.lane import Lane
from rulewright.interpreter.codegen.tracks import Text
from rulewright.interpreter.codegen.writing_budget import WritingBudget, unlimited
from rulewright.interpreter.engine.executor import begin
from rulewright.interpreter.printing import (
    emit_builtins,
    emit_calls,
    emit_lists,
    emit_orders,
    emit_reads,
    emit_values,
    emit_wholes,
)
from rulewright.interpreter.printing.emit import Handlers
from rulewright.interpreter.printing.moving import Doing
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics.effects import EffectCompiler
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.random import Generator

HANDLERS = Handlers(
    parts={
        **emit_values.HANDLERS,
        **emit_reads.HANDLERS,
        **emit_lists.HANDLERS,
        **emit_orders.HANDLERS,
        **emit_calls.HANDLERS,
        **emit_wholes.HANDLERS,
        **emit_builtins.HANDLERS,
    },
    unordered=emit_lists.UNORDERED,
)

SHOWN_GAMES = 20
SHOWN_DECISIONS = 400
"""Of so many games as many decisions are played to see which tracks there are."""


def use_generated_code(program: Program) -> None:
    """Let a program run generated code, unless it does already; writing it may take a share of the time."""
    if program.lane is None:
        generate(program, WritingBudget())


def generate(program: Program, budget: WritingBudget | None = None) -> Units:
    """Let a program run generated code from now on; return what writes it. Without a budget all is written
    as soon as a game comes along."""
    effects = EffectCompiler(program.evaluator, program.witnesses)
    units = Units(program, HANDLERS, Doing(effects, program.witnesses))
    budget = budget or unlimited()
    program.lane = Lane(program, units, budget)
    program.scoring.use(EndingValues(program.evaluator, HANDLERS, budget).code)
    return units


def source(program: Program, names: Iterable[str]) -> str:
    """Return the Python source of the tracks that begin in some units, with the rule texts above
    what is made of them.

    Tracks are written when they are needed: what is shown is what some random games have needed.
    What leads to no track is left to the walker.
    """
    wanted = frozenset(names)
    units = generate(program)
    units.names.kept_source = []
    lane: Lane = program.lane
    texts: list[Text] = []
    lane.tracks.texts = texts
    for seed in range(SHOWN_GAMES):
        with contextlib.suppress(PlayError):
            lane.play(begin(program, seed), Generator(f"agents {seed}"), SHOWN_DECISIONS)
    lines: list[str] = []
    for text in texts:
        if text.stands[-1][0] not in wanted:
            continue
        lines += ["", "", f"# {_title(program, text)}"]
        for function in text.functions:
            lines += ["", *_readable(function)]
    return "\n".join(lines).strip() + "\n"


def _title(program: Program, text: Text) -> str:
    """Return where a track begins: the running verbs, and the operation."""
    unit, node = text.stands[-1]
    way = " > ".join(unit for unit, _ in text.stands)
    begins = {"track": "", "answer": "an answer to ", "block": "from "}[text.kind]
    value = f" ({text.value})" if text.kind == "answer" and text.value is not None else ""
    title = f"{way}: {begins}{program.code[unit][node].label or 'here'}{value}"
    return " ".join(title.split())


def _readable(function: ast.stmt) -> list[str]:
    """Return the lines of a function; a text that stands for a rule becomes a comment."""
    lines: list[str] = []
    for line in ast.unparse(function).splitlines():
        plain = line.lstrip()
        indent = line[: len(line) - len(plain)]
        rule = _rule(plain)
        if rule is not None:
            lines.append(f"{indent}# {rule}")
            continue
        lines += _empty(lines, indent)
        lines.append(line)
    return lines + _empty(lines, "")


def _rule(line: str) -> str | None:
    """Return the rule for which a text stands that is a line of its own."""
    if line[:1] in ("'", '"'):
        with contextlib.suppress(SyntaxError, ValueError):
            found = ast.literal_eval(line)
            if isinstance(found, str) and found.startswith(MARK):
                return " ".join(found.removeprefix(MARK).split())
    return None


def _empty(lines: list[str], indent: str) -> list[str]:
    """Return the statement that a block needs in which nothing but comments stands."""
    block = ""
    for line in reversed(lines):
        plain = line.lstrip()
        if not plain.startswith("#"):
            return [f"{block}pass"] if plain.endswith(":") and len(block) > len(indent) else []
        block = line[: len(line) - len(plain)]
    return []
