"""Taking back while others act, too: answers of a player in, what can still be taken back out.

Until all are done nobody has noticed anything of what a player has answered. So he may take it back,
also when he is done already, unless chance or something that he did not see before has answered him:
then he would decide once more with what he knows now.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulewright.interpreter.program.branches import own_branch, taken_back
from rulewright.interpreter.state.layout import DECISIONS, SCALARS
from rulewright.interpreter.state.log import latest_first
from rulewright.interpreter.state.store import Branch, Store
from rulewright.interpreter.state.values import Thing


@attrs.frozen
class Answered:
    """An answer in a branch: what the branch was before, and how many decisions it has taken."""

    before: Branch
    decisions: int


Retakes = Mapping[int, tuple[Answered, ...]]
"""What each player can take back, oldest first."""


def retakes(past: Retakes, before: Store, after: Store, player: Thing) -> Retakes:
    """Return what can be taken back after an answer of a player; nothing where nobody acts while
    others do."""
    old, new = before.fork, after.fork
    if new is None:
        return {}
    if old is None or old.columns is not new.columns:
        past = {}
    was, now = own_branch(before, player), own_branch(after, player)
    if old is None or was is None or now is None or old.columns is not new.columns:
        return past
    number = player.number
    if now.learned != was.learned or _shown(was, now, player):
        return {**past, number: ()}
    made = after.columns[SCALARS][DECISIONS] - before.columns[SCALARS][DECISIONS]
    return {**past, number: (*past.get(number, ()), Answered(was, made))}


def _shown(was: Branch, now: Branch, player: Thing) -> bool:
    """Return whether a player was shown something on the way from one to the other."""
    for event in latest_first(now.log, was.log):
        if event.kind == "show" and player.number in event.seers:
            return True
    return False


def take_back(past: Retakes, store: Store, player: int) -> Retakes:
    """Take back the last answer of a player; return what can be taken back then."""
    *earlier, last = past[player]
    taken_back(store, last.before, last.decisions)
    return {**past, player: tuple(earlier)}
