"""All that a player has seen and done so far, as plain data, for perfect recall.

The information state of a player is the list of his own answers, of those of others that everybody has
heard (`by`), and of the events he noticed, in the order in which they came:

    [{"event": "begin", "by": "ann", "verb": "draw"},
     {"event": "move", "by": "ann", "things": "2 x Code", "from": "pile", "to": "hand of ann"},
     {"answer": "Claim a planet", "at": "turn.either"}]

Who saw an event was settled when it happened: a *seer* knows all of it, a *counter* only that
something of the kind took place (`events`). Others get nothing: there is not even a gap.
Which answers everybody has heard is said by `ir/answers_aloud`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

import attrs

from rulewright.dsl.model import types
from rulewright.interpreter.ir.answers_aloud import heard
from rulewright.interpreter.knowledge.observation import Plain
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.events import in_order_of
from rulewright.interpreter.state.log import Event, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value, VerbValue


@attrs.frozen
class Answer:
    """A decision as it was made, or an outcome that a driver chose for chance (no player).

    >>> state.apply_action("bet")
    >>> [(answer.player, answer.site, answer.label) for answer in state.history()]
    [(0, 'play.either', 'Bet')]
    """

    events: int
    """How many events had happened before."""

    player: int | None
    site: str
    """The place name of the decision: `verb.step.name`."""

    value: Value = attrs.field(repr=False)
    label: str
    """What was answered, in words."""

    whole: bool = False
    """Whether these are several things at once, not the next one of them."""

    made: int = attrs.field(default=1, eq=False, repr=False)
    """How many elementary decisions it was."""


def information_state(
    program: Program, store: Store, player: Thing, answers: Iterable[Answer] = ()
) -> list[Plain]:
    """Return the answers of a player, those of others that everybody has heard, and the events that he
    noticed."""
    return told_since(program, store, player, known_answers(program, player, answers))


def told_since(
    program: Program,
    store: Store,
    player: Thing,
    known: Iterable[Answer],
    events: int = 0,
    own: int = 0,
) -> list[Plain]:
    """Return the end of the information state of a player: what came after so many events; of a block in
    which several act at once, which began then, after so many that were his own. `known` are the
    answers since then that he knows of."""
    store = seen_by(store, player)
    waiting = list(known)
    witness = _Witness(program, store, player)
    told: list[Plain] = []
    latest = list(islice(latest_first(store.log), store.count_events() - events))
    noticed = in_order_of(reversed(latest), player)[own:]
    # The log of a state that was unpacked without it begins in the middle of the game.
    first = store.count_events() - len(noticed)
    for number, event in enumerate(noticed, first):
        while waiting and waiting[0].events <= number:
            told.append(witness.answered(waiting.pop(0)))
        seen = witness.of(event)
        if seen is not None:
            told.append(seen)
    return told + [witness.answered(answer) for answer in waiting]


def noticed(program: Program, store: Store, player: Thing, events: Iterable[Event]) -> list[Plain]:
    """Return what a player noticed of some events, in the order of the information state."""
    witness = _Witness(program, store, player)
    found = map(witness.of, in_order_of(events, player))
    return [event for event in found if event is not None]


def known_answers(program: Program, player: Thing, answers: Iterable[Answer]) -> list[Answer]:
    """Return the answers of a player, and those of others that everybody has heard."""
    return [
        answer
        for answer in answers
        if answer.player == player.number
        or (answer.player is not None and heard(program.game, answer.site, answer.value))
    ]


@attrs.frozen
class _Witness:
    program: Program
    store: Store
    player: Thing

    def answered(self, answer: Answer) -> Plain:
        """Return an answer: of somebody else with who gave it."""
        told = {"answer": answer.label, "at": answer.site}
        if answer.player is not None and answer.player != self.player.number:
            told["by"] = self.name(self.program.layout.players[answer.player])
        return told

    def of(self, event: Event) -> Plain | None:
        """Return an event in the form in which the player noticed it; None if he did not."""
        number = self.player.number
        seen = number in event.seers
        familiar = number not in event.strangers
        if not seen and number not in event.counters:
            return None
        told: dict[str, Plain] = {"event": event.kind}
        if event.actor is not None:
            told["by"] = self.name(event.actor)
        told.update(self._details(event, seen, familiar))
        return told

    def _details(self, event: Event, seen: bool, familiar: bool) -> dict[str, Plain]:
        match event.kind, event.data:
            case "move", (things, source, target):
                return {
                    "things": self.value(things) if seen else _how_many(things),
                    **({} if source is None else {"from": self.place(source, familiar)}),
                    "to": self.place(target, familiar),
                }
            case "create", (things, target):
                return {
                    "things": self.value(things) if seen else _how_many(things),
                    "to": self.place(target, familiar),
                }
            case "destroy", (things, source):
                return {
                    "things": self.value(things) if seen else _how_many(things),
                    **({} if source is None else {"from": self.place(source, familiar)}),
                }
            case "set" | "add" | "remove", (place, value):
                named = self.value(value) if seen else self.hidden(value)
                return {"place": self.place(place, seen), "value": named}
            case "swap", (first, second):
                return {"places": [self.place(first, seen), self.place(second, seen)]}
            case "shuffle", (place,):
                return {"place": self.place(place, seen)}
            case "chance", (_, outcome):
                return {"outcome": self.value(outcome)}
            case "show", (value, viewers, *whence):
                shown = {"value": self.value(value)} if seen else {}
                if seen and whence:
                    row, numbers = whence
                    shown |= {"from": self.place(row, familiar), "numbers": [*numbers]}
                return {**shown, "to": self.value(viewers)}
            case "begin" | "finish", (verb, arguments):
                name = labels.in_words(self.program.game.verbs[verb].name)
                if not seen or not arguments:
                    return {"verb": name}
                return {"verb": name, "with": [self.value(item) for item in arguments]}
            case "end", (reason,):
                return {"reason": reason}
        return {}

    def name(self, thing: Thing) -> str:
        return labels.named(thing, self.player, self.store, self.program.evaluator)

    def value(self, value: Value) -> Plain:
        """Return a value that the player knows; where it lies by now does not matter."""
        match value:
            case None | bool() | int() | str():
                return value
            case Thing():
                return self.name(value)
            case tuple():
                return [self.value(item) for item in value]
            case PlaceValue():
                return self.place(value, True)
            case VerbValue():
                return labels.in_words(value.name)
        return labels.show(value, self.player, self.store, self.program.evaluator)

    def hidden(self, value: Value) -> Plain:
        """Return a value of which the player must not learn which things it speaks of."""
        match value:
            case Thing() if value.kind != "Player":
                return f"a {labels.in_words(value.kind)}"
            case tuple():
                return [self.hidden(item) for item in value]
        return self.value(value)

    def place(self, place: PlaceValue, seen: bool) -> str:
        """Return a field or zone in words: `hand of ann`, `marked by of a Resource`."""
        field = self.program.layout.fields[place.slot]
        words = labels.in_words(field.name)
        if place.key_index is not None and isinstance(field.type, types.FamilyType):
            key = self.program.layout.keys(field.type.key)[place.key_index]
            words += f" for {self.value(key) if seen else self.hidden(key)}"
        if place.holder is None:
            return words
        holder = self.value(place.holder) if seen else self.hidden(place.holder)
        return f"{words} of {holder}"


def _how_many(things: Sequence[Thing]) -> str:
    kind = labels.in_words(things[0].kind) if things else "nothing"
    return f"{len(things)} x {kind}"
