"""Generated Python for a loaded game: a program in, the same program with a fast lane out.

The walker stays what it is, the definition; generated code does the same in the same state, frames
and log, and both can take over from each other at every decision. A unit is generated when it is
first run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from rulewright.interpreter import (
    emit_builtins,
    emit_calls,
    emit_lists,
    emit_reads,
    emit_values,
)
from rulewright.interpreter.doing import Doing
from rulewright.interpreter.effects import Effects
from rulewright.interpreter.emit import Handlers
from rulewright.interpreter.emit_units import Units
from rulewright.interpreter.lane import Lane
from rulewright.interpreter.loaded import Program

HANDLERS = Handlers(
    parts={
        **emit_values.HANDLERS,
        **emit_reads.HANDLERS,
        **emit_lists.HANDLERS,
        **emit_calls.HANDLERS,
        **emit_builtins.HANDLERS,
    },
    unordered=emit_lists.UNORDERED,
)

_PLACE = re.compile(r"^\s*(?:F\.node|N) = (\d+)$")


def generate(program: Program) -> Units:
    """Let a program run generated code from now on; return what writes it."""
    effects = Effects(program.evaluator, program.witnesses)
    units = Units(program, HANDLERS, Doing(effects, program.witnesses))
    program.lane = Lane(program, units)
    return units


def source(program: Program, names: Iterable[str]) -> str:
    """Return the Python source that is generated for some units, with the rule texts beside it.

    The functions of defines that are written for a unit come first. What leads to no function is
    left to the walker.
    """
    units = generate(program)
    lines: list[str] = []
    for unit in names:
        units.names.kept_source = []
        units.unit(unit)
        lines.append(f"# {unit}")
        for function in units.names.kept_source:
            for line in ast.unparse(function).splitlines():
                found = _PLACE.match(line)
                label = "" if found is None else program.code[unit][int(found.group(1))].label
                lines.append(f"{line}  # {label}" if label else line)
            lines += ["", ""]
    return "\n".join(lines).rstrip() + "\n"
