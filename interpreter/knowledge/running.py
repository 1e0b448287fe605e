"""Whether the rules can go on in a state in which running verbs were guessed.

What such a verb holds, and where it stands, comes from another game. Together with what the player sees the
rules might never come there: they asked something first that does not hold here. So a few answers are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from rulewright.interpreter.engine import executor
from rulewright.interpreter.lookahead.lookahead import alive, pick_random
from rulewright.interpreter.program.decisions import current, offers, pending
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.random import MASK, Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

MOST_OPTIONS = 4
"""So many answers to the first question are tried."""

MOST_TRIED = 100
"""Of more answers some are drawn."""

MOST_ANSWERS = 6
"""So many are given one after the other."""


def can_run(program: Program, store: Store, depth: int, generator: Generator) -> bool:
    """Return whether nothing goes wrong after some answers to what is asked, as long as the verb of the frame
    with the number `depth` runs. The state stays as it is."""
    program.decision_cache = None
    try:
        if pending(program, store) is None:
            return True
        for value in _some_options(program, store.clone(), generator):
            trial = store.clone()
            trial.write(SCALARS, RANDOM, generator.below(MASK))
            for _ in range(MOST_ANSWERS):
                program.decision_cache = None
                executor.answer(program, trial, value, trusted=True)
                if len(trial.frames) <= depth or pending(program, trial) is None:
                    break
                value = pick_random(program, trial, generator)
    except PlayError:
        return False
    finally:
        program.decision_cache = None
    return True


def _some_options(program: Program, store: Store, generator: Generator) -> list[Value]:
    found: Sequence[Value] = current(program, store).options
    if len(found) > MOST_TRIED:
        found = [generator.pick(found) for _ in range(MOST_OPTIONS)]
    mixed = generator.shuffled([*found, *offers(program, store)])
    return [*islice((one for one in mixed if alive(program, store, one)), MOST_OPTIONS)]
