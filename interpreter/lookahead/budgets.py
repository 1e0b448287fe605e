"""How much a look-ahead may try out: counted in operations, never in time, so that replays agree."""

from __future__ import annotations

from rulewright.interpreter.program.questions import Asked

TRIAL_LIMIT = 20_000
"""How many operations the trials for one option may run, where nothing else is asked."""

MENU_LIMIT = 200_000
"""How many operations the trials for all options of one menu may run. Each has the same part of it,
so what is found out about an option does not depend on which others have been looked at before."""

LEAST_TRIAL = 1000
"""So many operations each option of a long menu may run all the same."""

QUESTION_LIMIT = 2_000_000
"""What may be tried out for one menu at all, in operations and items looked at: a menu may have a
billion options. What is left is unproved."""

SEARCH_COST = 20
"""What it costs to try out an option at all."""

LOOKS_PER_OPERATION = 40
"""How many items the expressions of a trial may look at for each operation that it may run."""

DEEPEST_CAN = 10
"""How many searches for `can` may run inside each other."""

DEEPEST_TRIAL = 120
"""How many decisions one trial may go through."""

MOST_PASSED = 50
"""So many steps straight behind a question are read for what they require of its answers."""

MANY = 1000
"""A range of numbers up to this length is drawn from without repetition."""


def share(asked: Asked, spent: int) -> int:
    """Return how many operations the trial for one of the options of a menu may run, for which so
    much has been spent already."""
    if spent > QUESTION_LIMIT:
        return 0
    return min(TRIAL_LIMIT, max(MENU_LIMIT // max(len(asked.options), 1), LEAST_TRIAL))
