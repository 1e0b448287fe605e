"""How a game came out, in words: reason of the end, score sheet, ranking, winners.

    The game is over: all claimed

    score     ann  ben
    planets     8    4
    score      11    9

    Ranking: most my.score
      1. ann  11
      2. ben   9
    ann wins.

Of the criteria of the ranking those are shown that were needed to tell the players apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.scoring import SheetLine
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value
from rulewright.interpreter.terminal.table import columns, words
from rulewright.interpreter.words.text import printable
from rulewright.interpreter.words.translation import Words


def stopped(say: Words, limit: int) -> str:
    """Return that a game was stopped after so many decisions."""
    if limit == 1:
        return say("The game was stopped after 1 decision.")
    return say("The game was stopped after {number} decisions.", number=limit)


class GameResult:
    """How one game came out."""

    def __init__(self, program: Program, store: Store) -> None:
        self.program = program
        self.store = store
        self.seats = program.layout.players
        self.words = program.evaluator.words

    def lines(self) -> list[str]:
        """Return all lines: reason, score sheet, ranking, who has won."""
        blocks = [list(block) for block in (self.reason(), self.sheet(), self.ranking())]
        return [line for block in blocks if block for line in ("", *block)]

    def shown(self, value: Value) -> str:
        """Return a value in words; at the end of a game nothing that counts is hidden."""
        return labels.show(value, None, self.store, self.program.evaluator)

    def name(self, seat: Thing) -> str:
        """Return the name of a seat."""
        return printable(labels.show(seat, seat, self.store, self.program.evaluator))

    def reason(self) -> Iterator[str]:
        """Yield why the game is over."""
        ending, words = self.store.ending, self.words
        if ending is None:
            yield words("The game is over.")
        else:
            yield words("The game is over: {reason}", reason=printable(words.filled(ending)))

    def sheet(self) -> Iterator[str]:
        """Yield the score sheet: a line for each category, the sum last."""
        lines = self.program.scoring.sheet(self.store)
        if not lines:
            return
        names = [self.name(seat) for seat in self.seats]
        rows = [["", *names]]
        rows += (
            [self.words.name(words(line.name)), *map(self.shown, line.values)] for line in lines
        )
        yield from columns(rows)

    def ranking(self) -> Iterator[str]:
        """Yield the places with the values that decided, and who has won."""
        scoring = self.program.scoring
        criteria = scoring.criteria(self.store)
        standing = scoring.standing(self.store)
        needed = criteria[: needed_criteria(criteria)]
        # Who has won is said anyway: a table of yes and no would say it once more.
        if criteria and not (scoring.is_flag and len(needed) == 1):
            told = (self._criterion(number) for number in range(len(needed)))
            yield self.words("Ranking: {criteria}", criteria=self.words("; then ").join(told))
            order = standing.order
            rows = [self._row(seat, standing.places, needed) for seat in order]
            yield from columns(rows, "  ")
        if scoring.tells_winners:
            yield self._winners()
        if self.program.game.payoff is not None:
            paid = zip(self.seats, standing.payoff, strict=True)
            listed = ", ".join(f"{self.name(seat)} {number:+g}" for seat, number in paid)
            yield self.words("Result: {listed}", listed=listed)

    def _criterion(self, number: int) -> str:
        criterion = self.program.game.ranking[number]
        text = " ".join(printable(criterion.value.span.text).split())
        return self.words("most {what}" if criterion.most else "fewest {what}", what=text)

    def _row(
        self, seat: Thing, places: Sequence[int], needed: Sequence[SheetLine]
    ) -> Sequence[str]:
        place = places[seat.number]
        shared = f" {self.words('(shared)')}" if list(places).count(place) > 1 else ""
        cells = (self.shown(line.values[seat.number]) for line in needed)
        return (f"{place}. {self.name(seat)}{shared}", *cells)

    def _winners(self) -> str:
        names = [self.name(seat) for seat in self.program.scoring.standing(self.store).winners]
        if not names:
            return self.words("Nobody wins.")
        if len(names) == 1:
            return self.words("{who} wins.", who=names[0])
        others = ", ".join(names[:-1])
        return self.words("{others} and {last} win.", others=others, last=names[-1])


def needed_criteria(criteria: Sequence[SheetLine]) -> int:
    """Return how many of the criteria tell apart whom they can tell apart, at least one."""
    for number in range(1, len(criteria)):
        keys = list(zip(*(line.values for line in criteria[:number]), strict=True))
        everything = list(zip(*(line.values for line in criteria), strict=True))
        if len(set(keys)) == len(set(everything)):
            return number
    return len(criteria)
