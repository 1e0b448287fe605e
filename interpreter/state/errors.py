"""Everything the interpreter raises: rules errors with the rules that led to them, and signals.

A *rules error* (`PlayError`) means that the rules are wrong, not the player: a division by zero, a
card taken from an empty pile. It carries the place in the author's text and the stack of rules that
were running. *Signals* (`Horizon`, `Undecided`) never leave the interpreter. The other exceptions
answer a driver who offered something that is no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Protocol

import attrs

from rulewright.dsl.text.codes import BY_CODE
from rulewright.dsl.text.diagnostics import Diagnostic, Label
from rulewright.dsl.text.source import Span

LARGEST_NUMBER = 10**15  # as large as one may be written: `LARGEST` of `dsl/syntax/build_base`
LONGEST_LIST = 100_000
LONGEST_TEXT = 10_000
MOST_CREATED = 20_000
"""How many things of one kind the rules may create in a game."""

TICKS_PER_STEP = 2_000_000
"""How many items the expressions of one step may look at."""

EXHAUSTING = frozenset({"RW702", "RW703"})
"""The codes of what takes long to find out: found once, it is not looked for again."""

STACK_SHOWN = 6

VALUES: Mapping[str, tuple[str, ...]] = {
    "RW705": ("found", "expected"),
    "RW707": ("found", "expected"),
    "RW718": ("name",),
    "RW724": ("found",),
}
"""The arguments of messages that say values of the game; all others say what stands in the rules."""

LEFT_OUT = "\u2026"
"""Stands for a value that a reader does not see."""


@attrs.frozen
class RunningRule:
    """One line of the rule stack: what was running, and where it stands."""

    text: str
    span: Span


class PlayError(Exception):
    """The rules cannot be carried on: the code and place of the mistake, and the running rules.

    >>> span = compile_game("nowhere").diagnostics[0].primary.span
    >>> PlayError("RW708", span, name="rank").diagnostic().headline
    '`rank` is full'
    """

    def __init__(self, code: str, span: Span, **arguments: object) -> None:
        self.code = code
        self.span = span
        self.arguments: dict[str, str] = {name: str(value) for name, value in arguments.items()}
        self.stack: tuple[RunningRule, ...] = ()
        """The running rules, innermost first; the executor fills it in."""

        self.rule: tuple[str, ...] = ()
        """The citations of the nearest rule that has some."""

        self.answered = ""
        """The answer that led there, with who gave it; whoever plays fills it in."""

        self.seers: Set[int] = frozenset()
        """Who sees the values that the message says, as far as that is known."""

        super().__init__(self.diagnostic().one_line())

    def at(self, stack: Iterable[RunningRule], rule: Iterable[str] = ()) -> PlayError:
        """Note the running rules, unless a deeper level has done so, and return the error."""
        self.stack = self.stack or tuple(stack)
        self.rule = self.rule or tuple(rule)
        return self

    def told_to(self, players: Set[int], answered: bool) -> Diagnostic:
        """Return the message for players at the table: without the values that not all of them see.
        `answered`: they may know after which answer it came."""
        found = self.diagnostic()
        if not answered:
            found = attrs.evolve(found, notes=())
        values = VALUES.get(self.code, ())
        if not values or players <= self.seers:
            return found
        arguments = {**self.arguments, **dict.fromkeys(values, LEFT_OUT)}
        return attrs.evolve(
            found,
            arguments=arguments,
            notes=(*found.notes, f"{LEFT_OUT} stands for what you do not see"),
        )

    def diagnostic(self) -> Diagnostic:
        """Return the error as a message that can be rendered."""
        # What begins with `@` has no name in the rules: it is the frame around the whole.
        callers = [
            entry
            for entry in self.stack
            if entry.span != self.span and not entry.text.startswith("@")
        ][:STACK_SHOWN]
        return Diagnostic(
            code=BY_CODE[self.code],
            primary=Label(self.span),
            arguments=self.arguments,
            secondary=tuple(Label(entry.span, f"in {entry.text}") for entry in callers),
            rule=self.rule,
            notes=(f"after the answer of {self.answered}",) if self.answered else (),
        )


def note_answer(error: BaseException, answered: str) -> None:
    """Note in a rules error after which answer it came."""
    if isinstance(error, PlayError):
        error.answered = answered


class Horizon(Exception):
    """A trial has come as far as its player can know: it was a success."""


class Undecided(Exception):
    """An expression looks at cards of a shuffled pile whose places chance has not decided yet.

    The executor lets chance decide `how_many` of them, from the top, and evaluates again.
    """

    def __init__(self, slot: int, index: int, how_many: int) -> None:
        self.slot = slot
        self.index = index
        """The number of the holder within its kind, 0 for a pile of the game."""

        self.how_many = how_many
        self.used = 1
        """How many operations have been run; the loop that walks them fills it in."""

        super().__init__(f"{how_many} undecided in column {slot}, holder {index}")


class InvalidActionError(ValueError):
    """What was given as an answer cannot be read.

    >>> state.apply_action("raise")
    Traceback (most recent call last):
    InvalidActionError: no action is called 'raise'
    """


class Unnamed(InvalidActionError):
    """Nothing that one can ask about has this name; `near` is what resembles it most."""

    def __init__(self, name: str, near: Iterable[str]) -> None:
        self.near = tuple(near)[:1]
        hint = "".join(f"; did you mean {one!r}?" for one in self.near)
        super().__init__(f"nothing that can be done is called {name!r}{hint}")


class ActionNumberError(InvalidActionError):
    """An option has no action number: the rules do not bound how many there can be, and here are more
    than are counted."""


class StatedReason(Protocol):
    """A reason why something is not possible, as far as a driver looks at it."""

    @property
    def text(self) -> str:
        """What it says, in the author's words."""

    @property
    def span(self) -> Span:
        """Where the rules say so."""


class IllegalActionError(ValueError):
    """The answer can be read, but is not possible now; `reasons` say why, where that is known. `values`
    stand for the names in the message, so that it can be said in another language.

    >>> state.apply_action("bet", player=1)
    Traceback (most recent call last):
    IllegalActionError: player 1 has nothing to decide now
    """

    def __init__(
        self, message: str, reasons: Iterable[StatedReason] = (), **values: object
    ) -> None:
        self.reasons: tuple[StatedReason, ...] = tuple(reasons)
        self.message, self.values = message, values
        super().__init__(message.format(**values) if values else message)


class RecordError(ValueError):
    """What is read is no saved game or snapshot, or not one of these rules; one line says why.

    >>> game.unpack(b"")
    Traceback (most recent call last):
    RecordError: this is no snapshot
    """


class KnowledgeError(ValueError):
    """Of this state it cannot be said what a player may take it for; one line says why.

    >>> unpacked = game.unpack(state.pack())
    >>> unpacked.determinized(0, 7)
    Traceback (most recent call last):
    KnowledgeError: what has happened is not known: the state was packed without its log
    """


class AmbiguousActionError(ValueError):
    """Several answers fit what was given; `candidates` are their texts.

    >>> load_game("tic_tac_toe").new_initial_state().apply_action("A")
    Traceback (most recent call last):
    AmbiguousActionError: 'A' can mean several actions: A1, A2, A3
    """

    def __init__(self, message: str, candidates: Iterable[str] = ()) -> None:
        self.candidates = tuple(candidates)
        super().__init__(message)
