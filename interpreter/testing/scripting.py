"""The answers of a worked example: `do` lines in, decisions answered one after the other.

Answers wait in a queue. A named answer goes to the next decision of that name, a text to the next
arm, `may` or offer of that text, a bare value to the next decision that has it as an option. What lies
between may be passed over if it answers itself: a decision with one option, or a `may`, which is
declined, as offers are. Nothing is passed over while the queue is empty, so that a later line can go on here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from rulewright.dsl import model
from rulewright.interpreter.engine.executor import advance, answer, begin_verb
from rulewright.interpreter.engine.whole_selections import (
    answer_selection,
    answer_split,
    can_select,
)
from rulewright.interpreter.lookahead.lookahead import alive, explain_dead, living
from rulewright.interpreter.lookahead.reasons import Reason
from rulewright.interpreter.lookahead.search import can_begin
from rulewright.interpreter.program.branches import deciding, settle, turn_to
from rulewright.interpreter.program.decisions import (
    current,
    offers,
    option_for,
    option_labels,
    pending,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion
from rulewright.interpreter.state.errors import TICKS_PER_STEP, IllegalActionError
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Locals, Thing, Value, VerbValue
from rulewright.interpreter.testing.answer_readings import (
    Node,
    after_answer,
    could_answer,
    readings,
    verb_starts,
)

MOST_PASSED = 10_000
"""How many decisions may be passed over in one go."""


class Misfit(Exception):
    """An answer fits no decision; the text says what was met instead. `script` is as things stand there,
    and so many answers of the line have been `given` before. `is_slip`: whether nothing that could be
    asked there could have had it, however things stand."""

    def __init__(self, text: str, script: Script, given: int = 0) -> None:
        self.script = script
        self.given = given
        self.is_slip = False
        super().__init__(text)


class NotPossible(Exception):
    """An answer, or the beginning of a verb, is not possible; `reasons` are the texts of why."""

    def __init__(self, text: str, reasons: Sequence[str] = ()) -> None:
        self.reasons = tuple(reasons)
        super().__init__(text)


def site_of(site: str) -> str:
    """Return what is asked, as it is called in the rules: of an amendment without its number."""
    return site.partition("~")[0]


class Script:
    """Carries out the answers of one player on a store."""

    def __init__(self, program: Program, store: Store, players: Mapping[str, Thing]) -> None:
        self.program = program
        self.store = store
        self.players = dict(players)

    # ------------------------------------------------------------------------------- whole lines

    def perform(self, line: model.DoLine) -> None:
        """Go on with an open decision if the first answer fits it, otherwise begin the verb."""
        for _ in self.steps(line):
            pass

    def steps(self, line: model.DoLine) -> Iterator[None]:
        """Perform a line, and stop after the beginning of its verb and after each answer."""
        player = self.value(line.player, None)
        queue = list(line.answers)
        self._turn_to(player)
        ahead = after_answer(self.program, self.store.frames, None)
        ended = self.store.ending is not None
        try:
            if queue and not self._goes_on(queue[0], player):
                verb = self._verb_of(queue[0], player)
                self._begin(verb, player)
                ahead = verb_starts([self.program.calls.resolve(self.store, verb)[0]])
                queue.pop(0)
                yield
            while queue:
                if not self._goes_on(queue[0], player):
                    raise Misfit(self._misfit(queue[0], player), self)
                ahead = self._behind(queue[0], player)
                self.give(queue.pop(0), player)
                self._rest()
                yield
        except Misfit as misfit:
            misfit.given = len(line.answers) - len(queue)
            misfit.is_slip = not (ended and misfit.given == 0) and not self._could_answer(
                ahead, queue[0], player
            )
            raise

    def _turn_to(self, player: Thing) -> None:
        if player in self._waiting():
            turn_to(self.store, player)

    def _behind(self, given: model.Answer, player: Thing) -> tuple[Node, ...]:
        """Return where the rules go on after an answer that fits the open decision."""
        asked, way = current(self.program, self.store), None
        if given.text is not None and self._answers_question(
            asked, given, self._text(given, player)
        ):
            value = self._answer_value(asked, given, player)
            if asked.question.kind == "either":
                way = f"arm{value}"
            elif asked.question.kind == "may":
                way = "yes" if value else "no"
        return after_answer(self.program, self.store.frames, way)

    def _could_answer(self, ahead: Sequence[Node], given: model.Answer, player: Thing) -> bool:
        text = "" if given.text is None else self._text(given, player)
        return could_answer(self.program, ahead, given, text)

    def settle(self) -> None:
        """Answer everything that answers itself, and decline what may be declined."""
        for _ in range(MOST_PASSED):
            if not self._pass_over() and not any(map(self._passes, self._waiting())):
                self._rest()
                return

    def _waiting(self) -> Sequence[Thing]:
        """Return the players who decide at once, if several do."""
        waiting = pending(self.program, self.store)
        return () if waiting is None or self.store.fork is None else deciding(self.store)

    def _passes(self, player: Thing) -> bool:
        """Answer an open decision of one of them, if it answers itself."""
        turn_to(self.store, player)
        return self._pass_over()

    def _rest(self) -> None:
        if self._waiting():
            settle(self.store)

    # -------------------------------------------------------------------------------- beginning

    def _verb_of(self, given: model.Answer, player: Thing) -> VerbValue:
        """Return the verb that an answer begins, if nothing else is to be done first."""
        waiting = pending(self.program, self.store)
        verb = self._verb(given, player)
        if verb is None:
            raise Misfit(self._misfit(given, player), self)
        if waiting is not None:
            who = self.words(waiting.player)
            raise Misfit(f"`{site_of(waiting.site)}` of {who} has not been answered", self)
        if self.store.ending is not None:
            raise Misfit(f"the game is over: {self.store.ending}", self)
        return verb

    def _verb(self, given: model.Answer, player: Thing) -> VerbValue | None:
        if given.name is not None or given.value is None:
            return None
        verbs = [
            value for value in self._meanings(given.value, player) if isinstance(value, VerbValue)
        ]
        if len(verbs) < 2:
            return verbs[0] if verbs else None
        return next((value for value in verbs if self._can_begin(value, player)[0]), verbs[0])

    def _can_begin(self, value: VerbValue, player: Thing) -> tuple[bool, Sequence[Reason]]:
        program, store = self.program, self.store
        verb, given = program.calls.resolve(store, value)
        program.watching.set_flags(store)
        return can_begin(program, store, verb, dict(given), player)

    def _begin(self, value: VerbValue, player: Thing) -> None:
        program, store = self.program, self.store
        possible, reasons = self._can_begin(value, player)
        if not possible:
            texts = [reason.text for reason in reasons]
            told = "; ".join(texts) or "it fails"
            raise NotPossible(f"`{value.name}` is not possible: {told}", texts)
        verb, given = program.calls.resolve(store, value)
        begin_verb(program, store, verb, given, player)
        advance(program, store)

    # --------------------------------------------------------------------------------- decisions

    def _goes_on(self, given: model.Answer, player: Thing) -> bool:
        """Return whether an answer fits a decision that is open, after what answers itself."""
        for _ in range(MOST_PASSED):
            self._turn_to(player)
            if self.fits(given, player):
                return True
            if not self._pass_over():
                return False
        return False

    def _misfit(self, given: model.Answer, player: Thing) -> str:
        shown = " ".join(given.span.text.split())
        waiting = pending(self.program, self.store)
        if waiting is None:
            return f"nothing is asked any more that `{shown}` could answer"
        if waiting.player is not player:
            return f"`{site_of(waiting.site)}` of {self.words(waiting.player)} comes first"
        return f"`{shown}` does not answer `{site_of(waiting.site)}`: {self._options()}"

    def _options(self) -> str:
        values = tuple(islice(living(self.program, self.store), 7))
        shown = option_labels(self.program, self.store, values)
        return ", ".join((*shown[:6], "…") if len(shown) > 6 else shown)

    def fits(self, given: model.Answer, player: Thing) -> bool:
        """Return whether an answer fits the open decision."""
        waiting = pending(self.program, self.store)
        if waiting is None or waiting.player is not player:
            return False
        asked = current(self.program, self.store)
        if given.text is not None:
            return self._text_fits(asked, given, player)
        if given.name is not None:
            return asked.question.word == given.name
        assert given.value is not None, "an answer is a text or a value"
        meanings = self._meanings(given.value, player, asked.items or asked.options)
        return any(self._is_option(asked, value) for value in meanings)

    def _text_fits(self, asked: OpenQuestion, given: model.Answer, player: Thing) -> bool:
        text = self._text(given, player)
        if self._answers_question(asked, given, text):
            return True
        return text in self._labels(offers(self.program, self.store))

    def _answers_question(self, asked: OpenQuestion, given: model.Answer, text: str) -> bool:
        match asked.question.kind:
            case "may":
                return text == self._labels([True])[0]
            case "either":
                arms = range(len(asked.question.labels))
                return not given.declined and text in self._labels(arms)
            case "one":
                # The value to choose is a text itself.
                return not given.declined and text in asked.options
        return False

    def _is_option(self, asked: OpenQuestion, value: Value) -> bool:
        match asked.question.kind:
            case "one":
                if isinstance(value, Thing):
                    return any(value in asked.named(option) for option in asked.options)
                return value in asked.options
            case "numbers":
                return isinstance(value, int) and value in asked.options
            case "several":
                return isinstance(value, tuple) and can_select(asked, value)
            case "split":
                return isinstance(value, tuple) and all(type(one) is int for one in value)
        return False

    def give(self, given: model.Answer, player: Thing) -> None:
        """Give an answer that fits the open decision."""
        program, store = self.program, self.store
        asked = current(program, store)
        if given.text is not None and not self._answers_question(
            asked, given, self._text(given, player)
        ):
            self._take(given, player)
            return
        if asked.question.kind == "split":
            self._distribute(asked, given, player)
            return
        if asked.question.kind == "several":
            assert given.value is not None, "several things are no text"
            wanted = self._meant(asked, given.value, player)
            try:
                answer_selection(program, store, _listed(wanted))
            except IllegalActionError as error:
                texts = [getattr(reason, "text", "") for reason in error.reasons]
                raise NotPossible(str(error), texts) from None
            return
        self._answer(asked, self._answer_value(asked, given, player), given)

    def _take(self, given: model.Answer, player: Thing) -> None:
        """Take an offer, or decline it: then it stays open."""
        beside = offers(self.program, self.store)
        value = beside[self._labels(beside).index(self._text(given, player))]
        if not given.declined:
            self._answer(current(self.program, self.store), value, given)

    def _answer(self, asked: OpenQuestion, value: Value, given: model.Answer) -> None:
        program, store = self.program, self.store
        try:
            option = option_for(program, store, value)
        except IllegalActionError:
            shown = " ".join(given.span.text.split())
            text = f"`{shown}` is not possible at `{site_of(asked.question.op.site)}`: {self._options()}"
            raise NotPossible(text) from None
        if not alive(program, store, option):
            texts = [reason.text for reason in explain_dead(program, store, option)]
            shown = self._labels([option])[0]
            raise NotPossible(f"{shown} is not possible: {'; '.join(texts)}", texts)
        answer(program, store, option, trusted=True)

    def _distribute(self, asked: OpenQuestion, given: model.Answer, player: Thing) -> None:
        assert given.value is not None, "a distribution is no text"
        keys = [target.number for target in asked.items]
        meanings = self._meanings(given.value, player, asked.items)
        family = next((one for one in meanings if _goes_to(one, keys)), meanings[0])
        amounts = [family[key] if key < len(family) else 0 for key in keys]
        others = sum(amount for key, amount in enumerate(family) if key not in keys)
        try:
            if others:
                word = asked.question.word
                raise IllegalActionError(f"{word}: some of it goes to what is no target")
            answer_split(self.program, self.store, amounts)
        except IllegalActionError as error:
            texts = [getattr(reason, "text", "") for reason in error.reasons]
            raise NotPossible(str(error), texts) from None

    def _answer_value(self, asked: OpenQuestion, given: model.Answer, player: Thing) -> Value:
        if given.text is None:
            assert given.value is not None, "an answer is a text or a value"
            return self._meant(asked, given.value, player)
        text = self._text(given, player)
        match asked.question.kind:
            case "may":
                return not given.declined
            case "either":
                return self._labels(range(len(asked.question.labels))).index(text)
        return text

    def _pass_over(self) -> bool:
        """Answer the open decision if it answers itself; return whether it did."""
        program, store = self.program, self.store
        if pending(program, store) is None:
            return False
        asked = current(program, store)
        if asked.question.kind == "may":
            answer(program, store, False)
            return True
        found = tuple(islice(living(program, store), 2))
        if len(found) != 1:
            return False
        answer(program, store, found[0], trusted=True)
        return True

    # ------------------------------------------------------------------------------------ values

    def value(
        self, expression: model.Expression, me: Thing | None, copies: Locals | None = None
    ) -> Value:
        """Return the value of an expression of the line, as things stand.

        An answer may name a card that its player cannot see: he does not look at it by that.
        """
        store = self.store
        store.allowance = TICKS_PER_STEP, None
        viewer, store.viewer = store.viewer, None
        try:
            return self.program.evaluator.expression(expression)(
                store, me, {**self.players, **(copies or {})}
            )
        finally:
            store.viewer = viewer

    def _meanings(
        self, expression: model.Expression, player: Thing, choice: Sequence[Value] = ()
    ) -> list[Value]:
        """Return the values that an answer may mean: of copies that have the same name, written
        `Card("Bolt")`, any; those that stand to choice come first."""
        answer, found = readings(expression, self.store, choice)
        return [self.value(answer, player, copies) for copies in found]

    def _meant(self, asked: OpenQuestion, expression: model.Expression, player: Thing) -> Value:
        """Return the value that an answer means at a decision: the first one that is possible there,
        otherwise the first one that is an option."""
        meanings = self._meanings(expression, player, asked.items or asked.options)
        if len(meanings) > 1:
            meanings = [one for one in meanings if self._is_option(asked, one)] or meanings[:1]
        if len(meanings) == 1:
            return meanings[0]
        return next((one for one in meanings if self._is_possible(asked, one)), meanings[0])

    def _is_possible(self, asked: OpenQuestion, value: Value) -> bool:
        program = self.program
        try:
            if asked.question.kind == "several":
                answer_selection(program, self.store.clone(), _listed(value))
                return True
            return alive(program, self.store, option_for(program, self.store, value))
        except IllegalActionError:
            return False

    def _text(self, given: model.Answer, player: Thing) -> str:
        assert given.text is not None, "no text is given"
        return str(self.value(given.text, player))

    def _labels(self, values: Sequence[Value]) -> tuple[str, ...]:
        """Return labels as they are written, also those of arms that are not open."""
        return tuple(option_labels(self.program, self.store, [value])[0] for value in values)

    def words(self, player: Thing) -> str:
        """Return what a player is called in the example."""
        return next((name for name, seat in self.players.items() if seat is player), player.name)


def _listed(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)


def _goes_to(family: Value, keys: Sequence[int]) -> bool:
    """Return whether a distribution gives nothing to what is no target."""
    return not any(amount for key, amount in enumerate(family) if key not in keys)
