"""What a player is asked, as he sees it, and which answers are possible; to compare two states."""

from __future__ import annotations

from itertools import islice

from rulewright.interpreter.lookahead.lookahead import alive
from rulewright.interpreter.program.decisions import (
    current,
    offers,
    option_labels,
    pending,
    prompt,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing

MOST_OPTIONS = 200
"""So many answers are compared."""


def asked(program: Program, store: Store, player: Thing) -> object:
    """Return what a player is asked in a state that he has before him; None if he is not."""
    program.decision_cache = None
    waiting = pending(program, store)
    if waiting is None or waiting.player is not player:
        return None
    question = current(program, store)
    values = [*islice(question.options, MOST_OPTIONS), *offers(program, store)]
    labels = tuple(option_labels(program, store, values))
    lives = tuple([alive(program, store, value) for value in values])
    return waiting.site, prompt(program, store), labels, lives, len(question.options)
