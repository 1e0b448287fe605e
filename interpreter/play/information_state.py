"""All that a player has seen and done so far, as plain data, for perfect recall.

The information state of a player is the list of his own answers, of those of others that everybody has
heard (`by`), and of the events he noticed, in the order in which they came:

    [{"event": "begin", "by": "ann", "verb": "draw"},
     {"event": "move", "by": "ann", "things": "2 x Code", "from": "pile", "to": "hand of ann"},
     {"answer": "Claim a planet", "at": "turn.either"}]

Who saw an event was settled when it happened: a *seer* knows all of it, a *counter* only that
something of the kind took place (`events`). Others get nothing: there is not even a gap.

An answer need not have an effect that somebody sees, and still everybody knows it: it was given aloud at
the table. Not so where the rules keep it: an answer is secret if something hidden may hang on it (a
field or zone that not everybody sees is written behind it, or the options are made of such), if it
names something that may lie hidden, and if several act at once (`spoken_sites`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.analysis.openness import Openness
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.ir.action_graph import KEPT, effects_of, plans_of
from rulewright.interpreter.play.observation import Plain
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.semantics.events import in_order_of
from rulewright.interpreter.state.log import Event, latest_first
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Taken, Thing, Value, VerbValue


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
    store = seen_by(store, player)
    own = [
        answer
        for answer in answers
        if answer.player == player.number
        or (answer.player is not None and heard(program.game, answer.site, answer.value))
    ]
    witness = _Witness(program, store, player)
    told: list[Plain] = []
    noticed = in_order_of(store.events(), player)
    # The log of a state that was unpacked without it begins in the middle of the game.
    first = store.count_events() - len(noticed)
    for number, event in enumerate(noticed, first):
        while own and own[0].events <= number:
            told.append(witness.answered(own.pop(0)))
        seen = witness.of(event)
        if seen is not None:
            told.append(seen)
    return told + [witness.answered(answer) for answer in own]


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


def reveals(program: Program, before: Store, after: Store) -> bool:
    """Return whether somebody may have learned something between two states of a game."""
    if after.transaction is None or after.transaction is not before.transaction:
        return True
    witnesses = program.witnesses
    for event in latest_first(after.log, before.log):
        if event.kind in ("chance", "show"):
            return True
        if event.kind == "move":
            _, source, target = event.data
            if witnesses.seers(after, target) - witnesses.seers(before, source):
                return True
    return False


WORDS, VALUE = "words", "value"
"""What is answered: words of the rules, or a value."""


def heard(game: model.Game, site: str, value: Value) -> str:
    """Return what everybody hears of an answer to a question: `WORDS`, a `VALUE`, or nothing (""). A
    verb that is chosen is told by its beginning."""
    if isinstance(value, Taken) or _has_verb(value):
        return ""
    return spoken_sites(game).get(site, "")


def _has_verb(value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return any(isinstance(item, VerbValue) for item in items)


@lru_cache(maxsize=KEPT)
def spoken_sites(game: model.Game) -> Mapping[str, str]:
    """Return the place names of the questions that are answered aloud, and what is answered there."""
    effects = effects_of(game)
    judge = _SpokenAnswers(game, effects)
    together = _together(game, effects)
    found: dict[str, str] = {}
    silent = set()
    for unit, plan in plans_of(game).items():
        for node in plan.nodes:
            if node["kind"] != "decide":
                continue
            site = node["site"]
            at_once = unit in together or any(
                plan.nodes[loop]["kind"] == "fork" for loop in node["loops"]
            )
            what = "" if at_once else judge.heard(unit, node["step"])
            if what and found.setdefault(site, what) == what:
                continue
            silent.add(site)
    return {site: what for site, what in found.items() if site not in silent}


def _together(game: model.Game, effects: GameEffects) -> frozenset[str]:
    """Return the verbs that may run while several act at once."""
    found: set[str] = set()
    for block in visitor.all_blocks(game):
        for step in visitor.statements_in(block):
            if isinstance(step, model.As) and step.together:
                for verb in effects.called(step.block):
                    found |= {verb, *effects.reached(verb)}
    return frozenset(found)


class _SpokenAnswers:
    """Decides of single questions whether they are answered aloud."""

    def __init__(self, game: model.Game, effects: GameEffects) -> None:
        self.game = game
        self.effects = effects
        self.openness = Openness(effects)
        self.public_kinds = frozenset(
            kind
            for kind in game.kinds
            if all(
                _is_open(field)
                for field in game.fields.values()
                if isinstance(field.type, types.ZoneType)
                and field.type.kind in (types.ThingType(kind), types.ANYTHING)
            )
        )

    def heard(self, unit: str, step: object) -> str:
        """Return what everybody hears of the answer to the question of a step."""
        match step:
            # Where somebody may take an offer, that he does not is told by what follows.
            case model.Either(arms=arms, taken=None):
                labels = [arm.label for arm in arms]
                blocks = [arm.block for arm in arms]
            case model.May(label=label, block=block):
                labels, blocks = [label], [block]
            case model.Choose() | model.Split():
                return VALUE if self._is_open_choice(unit, step) else ""
            case _:
                return ""
        if not all(self._is_plain(unit, label) for label in labels):
            return ""
        # What is left out by a stop tells as much as what is done.
        stops = any(isinstance(part, model.Stop) for part in self.effects.running(tuple(blocks)))
        touched = self.effects.unit(unit).writes if stops else frozenset()
        for block in blocks:
            touched |= self.effects.block(block).writes
        return WORDS if self._are_open(touched) else ""

    def _is_open_choice(self, unit: str, step: model.Choose | model.Split) -> bool:
        parts = [step.source, step.such_that]
        parts += (
            [step.low, step.high] if isinstance(step, model.Choose) else [step.total, step.limit]
        )
        element = types.element(step.source.type)
        if element is not None and not self._is_public_type(types.without_none(element)):
            return False
        if not self.openness.is_public(unit, *parts):
            return False
        return self._are_open(self.effects.unit(unit).writes)

    def _is_public_type(self, found: types.Type) -> bool:
        if isinstance(found, types.ThingType):
            return found.kind == "Player" or found.kind in self.public_kinds
        return isinstance(found, types.NumberType | types.FlagType | types.EnumType)

    def _is_plain(self, unit: str, label: model.Expression) -> bool:
        """Return whether a label tells nothing but what everybody sees: no name of the verb either, since
        that may have been chosen in secret."""
        return self.openness.is_public(unit, label) and not any(
            isinstance(part, model.Local)
            or (
                isinstance(types.without_none(part.type), types.ThingType)
                and not self._is_public_type(types.without_none(part.type))
            )
            for part in self._parts(label)
        )

    def _parts(self, label: model.Expression) -> Iterator[model.Node]:
        return visitor.through_defines(self.game, label)

    def _are_open(self, touched: frozenset[str]) -> bool:
        fields = self.game.fields
        return all(_is_open(fields[name]) for name in touched if name in fields)


def _is_open(field: model.Field) -> bool:
    if field.printed or field.internal:
        return True
    return field.viewers.who == field.count_viewers.who == "everybody"
