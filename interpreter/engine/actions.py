"""Answers as a driver meets them: numbered actions with labels for the pending decision.

An answer can be given as an action that was listed, by its number, or by its label, of which the
beginning is enough if no other begins so. What cannot be read is an `InvalidActionError`, what
fits several an `AmbiguousActionError`, and what is not possible now an `IllegalActionError` that
says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.lookahead.lookahead import alive, explain_dead, living
from rulewright.interpreter.program.decisions import (
    current,
    decision_cache,
    offers,
    option_for,
    option_labels,
    pending,
    prompt,
    target,
    targets,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.semantics.labels import in_words
from rulewright.interpreter.state.errors import (
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
)
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Taken, Value


def living_offers(program: Program, store: Store) -> Iterator[Taken]:
    """Yield the offers beside the pending decision that live, in their order."""
    return (value for value in offers(program, store) if alive(program, store, value))


def has_offer(program: Program, store: Store) -> bool:
    """Return whether some offer beside the pending decision can be taken."""
    return any(True for _ in living_offers(program, store))


def offers_at(program: Program, stands: tuple[tuple[str, int], ...]) -> tuple[model.Offer, ...]:
    """Return the offers that may be open at a decision where frames stand, whatever the state is."""
    if not program.offers:
        return ()
    question = program.code[stands[-1][0]][stands[-1][1]].question
    if question.taken is None and any(unit in program.offers for unit, _ in stands):
        return ()
    running = {level for unit, node in stands for level, *_ in program.code[unit][node].levels}
    closed = {
        offer
        for unit, node in stands
        for loop in program.code[unit][node].loops
        if program.code[unit][loop].kind == "fork"
        for offer in program.closed_in(unit, loop)
    }
    return tuple(
        one.offer
        for id, one in program.offers.items()
        if id not in closed and _runs(one.offer.running, running)
    )


def _runs(condition: model.Expression, running: Set[str]) -> bool:
    """Return whether what a `during` speaks of is among what is running."""
    match condition:
        case model.And(left=left, right=right):
            return _runs(left, running) and _runs(right, running)
        case model.Or(left=left, right=right):
            return _runs(left, running) or _runs(right, running)
        case model.Compare(left=model.Read(field=field)):
            return field.removeprefix(model.RUNNING) in running
    return True


# ------------------------------------------------------------------------------------------ actions


MOST_LISTED = 10_000
"""More actions are not listed; numbers beyond can still be given by their label."""

CANDIDATES_SHOWN = 5


class Unseen:
    """Stands in an action for a thing that its player does not see where it lies."""

    def __repr__(self) -> str:
        return "UNSEEN"


UNSEEN = Unseen()


@attrs.frozen
class Action:
    """One possible answer to the pending decision.

    >>> state.legal_actions()[0]
    Action(index=0, label='Bet', kind='arm', unproved=False)
    """

    index: int
    value: Value = attrs.field(repr=False)
    label: str
    kind: str
    """`choose`, `number`, `piece` (of several things), `done`, `yes`, `no`, `arm` or `offer`."""

    unproved: bool = False
    """Whether the look-ahead has not come to its end: if it turns out to be a dead end, the game goes
    back to this menu."""


Whole: TypeAlias = "Iterable[Action | int | str] | Mapping[Action | int | str, int]"
"""Several things at once; or what each gets of what is distributed."""


@attrs.frozen
class Outcome:
    """What chance may bring, and how likely it is.

    >>> [one.probability for one in game.new_initial_state(explicit_chance=True).chance_outcomes()]
    [0.3333333333333333, 0.3333333333333333, 0.3333333333333333]
    """

    index: int
    value: Value = attrs.field(repr=False)
    label: str
    probability: float


@attrs.frozen
class Decision:
    """What is asked, without the options: these are worked out when somebody wants them.

    >>> asked = state.decision()
    >>> asked.player, asked.site, asked.kind, asked.prompt
    (0, 'play.either', 'either', 'Choose one')
    """

    player: int
    site: str
    """The place name: `verb.step.name`."""

    name: str
    """The name of the choice; `may` or `either` for those."""

    kind: str
    """`one`, `numbers`, `several`, `split`, `may` or `either`."""

    prompt: str
    low: int = 1
    high: int = 1
    """Of several: the least and the greatest number, as it was when nothing was picked yet."""

    left: int = 0
    """Of a `split`: what is still to be distributed."""

    ordered: bool = False
    picked: tuple[str, ...] = ()
    """Of several: what has been picked so far. Of a `split`: what each has got so far."""


def decision(program: Program, store: Store) -> Decision | None:
    """Return the pending decision, or None: the game is over or chance must be told."""
    waiting = pending(program, store)
    if waiting is None:
        return None
    asked = current(program, store)
    question = asked.question
    several = question.kind == "several"
    picked: tuple[str, ...] = ()
    if several:
        picked = option_labels(program, store, asked.picked)
    elif question.kind == "split":
        picked = tuple(map(str, asked.picked))
    return Decision(
        player=waiting.player.number,
        site=waiting.site,
        name=question.word or question.kind,
        kind=question.kind,
        prompt=_prompt(program, store, asked),
        low=asked.low if several else 1,
        high=asked.high if several else 1,
        ordered=question.ordered,
        left=asked.left,
        picked=picked,
    )


def question_text(program: Program, store: Store) -> str:
    """Return what is asked, of a `split` without whom the next amount is for."""
    asked = current(program, store)
    return prompt(program, store) or _default_prompt(program, store, asked)


def _prompt(program: Program, store: Store, asked: OpenQuestion) -> str:
    said = question_text(program, store)
    if asked.question.kind != "split":
        return said
    return program.evaluator.words(
        "{question}: how many for {whom}, {number} left",
        question=said,
        whom=target(program, store),
        number=asked.left,
    )


def _default_prompt(program: Program, store: Store, asked: OpenQuestion) -> str:
    question, words = asked.question, program.evaluator.words
    name = words.name(in_words(question.word))
    match question.kind:
        case "may":
            (label,) = option_labels(program, store, [True])
            return f"{label}?"
        case "either" if question.taken is not None:
            verb = program.game.verbs.get(store.frames[-1].unit)
            if verb is None:
                return words("Take an offer, or pass")
            return words("Take an offer, or pass ({verb})", verb=words.name(in_words(verb.name)))
        case "either":
            return words("Choose one")
        case "split":
            return words("Distribute {name}", name=name)
        case "several" if question.ordered:
            return words("Put {name} in order", name=name)
        case "several" if asked.low == asked.high:
            return words("Choose {number} {name}", number=asked.low, name=name)
        case "several":
            return words("Choose {low} to {high} {name}", low=asked.low, high=asked.high, name=name)
    return words("Choose {name}", name=name)


def legal(program: Program, store: Store) -> tuple[Action, ...]:
    """Return the possible answers to the pending decision, and behind them the offers."""
    values: tuple[Value, ...] = tuple(islice(living(program, store), MOST_LISTED))
    values += tuple(living_offers(program, store))
    cache = decision_cache(program, store)
    kind, unproved = cache.asked.question.kind, cache.unproved
    return tuple(
        Action(index, value, label, _kind(kind, value), value in unproved)
        for index, (value, label) in enumerate(
            zip(values, option_labels(program, store, values), strict=True)
        )
    )


def beside(program: Program, store: Store) -> tuple[Action, ...]:
    """Return the offers that can be taken instead of an answer."""
    found = tuple(living_offers(program, store))
    return tuple(
        Action(index, value, label, "offer")
        for index, (value, label) in enumerate(
            zip(found, option_labels(program, store, found), strict=True)
        )
    )


def items(program: Program, store: Store) -> tuple[Action, ...]:
    """Return all things that stand to choice where several are chosen, not the next pieces only; of
    a `split` all among whom it is distributed."""
    asked = current(program, store)
    if asked.question.kind == "split":
        return tuple(
            Action(index, value, label, "piece")
            for index, (value, label) in enumerate(
                zip(asked.items, targets(program, store), strict=True)
            )
        )
    if asked.question.kind != "several":
        return ()
    return tuple(
        Action(index, value, label, "piece")
        for index, (value, label) in enumerate(
            zip(asked.items, option_labels(program, store, asked.items), strict=True)
        )
    )


def _kind(question: str, value: Value) -> str:
    if value is DONE:
        return "done"
    if isinstance(value, Taken):
        return "offer"
    match question:
        case "may":
            return "yes" if value else "no"
        case "either":
            return "arm"
        case "numbers" | "split":
            return "number"
    return "piece" if question == "several" else "choose"


# ------------------------------------------------------------------------------------- reading them


def read_answer(program: Program, store: Store, given: Action | int | str) -> Value:
    """Return the value that is meant; it is possible now, or an error is raised."""
    if pending(program, store) is None:
        raise IllegalActionError("no decision is waiting")
    match given:
        case Action(value=Unseen()):
            return by_number(legal(program, store), given.index).value
        case Action():
            value = given.value
        case bool():
            raise InvalidActionError(f"{given} is no action")
        case int():
            return by_number(legal(program, store), given).value
        case str():
            value = _by_label(program, store, given)
        case _:
            raise InvalidActionError(f"{given!r} is no action")
    return proved(program, store, value)


def proved(program: Program, store: Store, value: Value) -> Value:
    """Return the option that a value means, if it can be carried out."""
    if pending(program, store) is None:
        raise IllegalActionError("no decision is waiting")
    option = option_for(program, store, value)
    if alive(program, store, option):
        return option
    reasons = explain_dead(program, store, option)
    (label,) = option_labels(program, store, [option])
    told = "; ".join(reason.text for reason in reasons)
    raise IllegalActionError(f"{label} is not possible: {told}", reasons)


def by_number(actions: Sequence[Action], number: int) -> Action:
    """Return an action by its number, counted from 0."""
    if 0 <= number < len(actions):
        return actions[number]
    last = f"0 to {len(actions) - 1}" if len(actions) > 1 else "0"
    raise InvalidActionError(f"there is no action {number}; they are {last}")


def _by_label(program: Program, store: Store, given: str) -> Value:
    values = current(program, store).options
    words = " ".join(given.split())
    open_here = offers(program, store)
    if isinstance(values, range):
        found = matching(option_labels(program, store, open_here), words)
        return _number(values, words) if found is None else open_here[found]
    values = (*islice(values, MOST_LISTED), *open_here)
    alone = tuple(value for value in values if alive(program, store, value))
    found = matching(option_labels(program, store, alone), words)
    if found is not None:
        return alone[found]
    dead = tuple(value for value in values if value not in alone)
    found = matching(option_labels(program, store, dead), words)
    if found is not None:
        return dead[found]
    near = nearest(words, option_labels(program, store, alone))
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InvalidActionError(f"no action is called {words!r}{hint}")


def _number(values: range, words: str) -> int:
    try:
        number = int(words)
    except ValueError:
        raise InvalidActionError(f"{words!r} is no number") from None
    if number in values:
        return number
    raise IllegalActionError(f"{number} is not one of {values.start} to {values.stop - 1}")


def matching(labels: Sequence[str], words: str) -> int | None:
    """Return the place of the label that is meant, or None if none begins so."""
    for number, label in enumerate(labels):
        if label == words:
            return number
    folded = words.casefold()
    alike = [number for number, label in enumerate(labels) if label.casefold() == folded]
    begun = [number for number, label in enumerate(labels) if label.casefold().startswith(folded)]
    found = alike or (begun if folded else [])
    if len(found) > 1:
        shown = [labels[number] for number in found[:CANDIDATES_SHOWN]]
        text = f"{words!r} can mean several actions: {', '.join(shown)}"
        raise AmbiguousActionError(text, [labels[number] for number in found])
    return found[0] if found else None


def listed_place(actions: Sequence[Action], given: Action | int | str) -> int:
    """Return the place of one of some listed actions."""
    if isinstance(given, Action):
        return given.index
    return place_of_label(given, [action.label for action in actions])


def amounts(listed: Sequence[Action], given: Whole) -> list[int]:
    """Return what each target of a distribution gets: all amounts, or those of some targets."""
    found: list[object] = [0] * len(listed)
    if isinstance(given, Mapping):
        for whom, amount in given.items():
            found[listed_place(listed, whom)] = amount
    else:
        found = list(given)
    numbers = [amount for amount in found if type(amount) is int]
    if len(numbers) < len(found):
        raise InvalidActionError("a distribution is made of numbers")
    return numbers


def split_label(program: Program, store: Store, numbers: Sequence[int]) -> str:
    """Return a whole distribution in words."""
    pairs = zip(targets(program, store), numbers, strict=False)
    listed = ", ".join(f"{name} {number}" for name, number in pairs if number)
    return listed or program.evaluator.words("nothing")


def listed_value(actions: Sequence[Action], given: Action | int | str) -> Value:
    """Return the value of one of some listed actions."""
    if isinstance(given, Action):
        return given.value
    return actions[place_of_label(given, [action.label for action in actions])].value


def place_of_label(given: object, words: Sequence[str]) -> int:
    """Return which of some labels is meant, by its number or its text."""
    match given:
        case Outcome(index=number) | int(number) if not isinstance(given, bool):
            by_number([Action(place, None, word, "") for place, word in enumerate(words)], number)
            return number
        case str():
            found = matching(words, " ".join(given.split()))
            if found is not None:
                return found
    raise InvalidActionError(f"{given!r} is none of these")
