"""Why something is possible or not, with reasons in the author's words.

The words name an option of the pending decision (also one that is not offered), or a verb. For an
option that dies in the look-ahead, the requirements are named at which the longest attempts ended,
with the values of their parts; for a thing that was not even among the options, the condition that
keeps it out. Each reason says where it is written, which variant says it, which amendments change
its values, and what the cited section of the rule book states.

Only what the player may know is told: requirements read nothing else, and the values are shown with
his eyes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.source import Span
from rulewright.dsl.text.suggest import nearest
from rulewright.interpreter.engine.actions import MOST_LISTED, matching
from rulewright.interpreter.explain.citations import Books, Citation, Quote
from rulewright.interpreter.explain.findings import Finding, findings
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.lookahead.lookahead import alive, explain_dead
from rulewright.interpreter.lookahead.reasons import Reason, amended_values_in, place_of
from rulewright.interpreter.lookahead.search import can_begin
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import (
    current,
    offer_label,
    offers,
    option_labels,
    pending,
)
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.errors import PlayError, Unnamed
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value, VerbValue
from rulewright.interpreter.words.translation import ENGLISH, Words


@attrs.frozen
class Why:
    """One reason: what the author says, and what it came from."""

    text: str
    rule: str
    """The line of the rules, as it is written."""

    place: str
    """`file:line`."""

    variant: str = ""
    """The title of the variant that says it, "" for the game."""

    values: tuple[Finding, ...] = ()
    changed_by: tuple[str, ...] = ()
    """How the amended values in it came about: `limit is 3 + 1 Sun Dial = 4 (file:line)`."""

    quotes: tuple[Quote, ...] = ()
    behind: tuple[Why, ...] = ()
    """Where it asks whether something can be done: why that is not possible."""


@attrs.frozen
class Explanation:
    """Why something is possible or not.

    >>> found = state.why("bet")
    >>> found.subject, found.possible, found.reasons
    ('Bet', True, ())
    """

    subject: str
    possible: bool
    """Whether what it needs itself is there, now."""

    reasons: tuple[Why, ...] = ()
    asked: str = ""
    """Of a verb that cannot be answered with now: why not, in words."""

    running: bool = False
    """Of a verb: whether it is being done now."""

    unknown: str = ""
    """Why nobody can tell whether it is possible, in words."""

    def text(self, say: Words = ENGLISH) -> str:
        """Return the explanation as lines for a person."""
        return "\n".join(self._lines(say))

    def _lines(self, say: Words) -> Iterator[str]:
        if self.running:
            yield say("{what}: this is being done now.", what=self.subject)
        elif self.asked:
            yield f"{self.subject}: {self.asked}"
            if self.unknown:
                yield f"  {self.unknown}"
            elif self.possible:
                yield f"  {say('All that it needs itself is there.')}"
            else:
                yield f"  {say('And something that it needs itself is not there:')}"
        elif self.possible:
            yield say("{what}: this is possible.", what=self.subject)
        elif not self.reasons:
            yield say("{what}: this is not possible here.", what=self.subject)
        else:
            yield say("{what}: this is not possible.", what=self.subject)
        for reason in self.reasons:
            yield from _told(reason, "    " if self.asked else "  ", say)


def _told(reason: Why, indent: str, say: Words) -> Iterator[str]:
    yield f"{indent}{reason.text}"
    further = indent + "  "
    for one in reason.behind:
        yield from _told(one, further, say)
    known = {}
    for finding in reason.values:
        line = say("{text} is {value}", text=finding.text, value=finding.value)
        known[line] = finding.text
        yield further + line
    for changed in reason.changed_by:
        line, _, places = changed.rpartition(" (")
        # How it came about has been told: what is left is where.
        what = f"{known[line]} ({places}" if line in known else changed
        yield further + say("changed: {what}", what=what)
    if reason.variant:
        yield further + say("the variant {what} says so:", what=reason.variant)
    yield f"{further}{reason.place}  {reason.rule}"
    for quote in reason.quotes:
        yield f'{further}{quote.book}, "{quote.section}"'
        for statement in quote.statements:
            yield f"{further}  - {statement}"
        if quote.more:
            yield f"{further}  {say('({number} more)', number=quote.more)}"


def explain(
    program: Program, store: Store, player: Thing, text: str, books: Books | None = None
) -> Explanation:
    """Return why what is named by its label, or a verb, is possible for a player or not."""
    asker = _WhyExplainer(program, seen_by(store, player), player, books)
    words = " ".join(text.split())
    found = (
        asker.option(words) or asker.not_listed(words) or asker.verb(words) or asker.kept_out(words)
    )
    if found is not None:
        return found
    raise Unnamed(words, nearest(words, asker.names()))


@attrs.frozen
class _WhyExplainer:
    program: Program
    store: Store
    player: Thing
    books: Books | None

    def _is_asked(self) -> bool:
        waiting = pending(self.program, self.store)
        return waiting is not None and waiting.player is self.player

    def _viewpoint(self) -> Viewpoint:
        frame = self.store.frames[-1]
        evaluator = self.program.evaluator
        return Viewpoint(evaluator, self.store, frame.me, dict(frame.locals), self.player)

    def names(self) -> Iterator[str]:
        """Yield all that can be asked about, as far as it can be listed."""
        if self._is_asked():
            yield from option_labels(self.program, self.store, self._options())
        for verb in self._verbs():
            yield labels.in_words(verb.name)
            yield self._label(verb)

    # ------------------------------------------------------------------------------ options

    def _options(self) -> tuple[Value, ...]:
        options = islice(current(self.program, self.store).options, MOST_LISTED)
        return (*options, *offers(self.program, self.store))

    def option(self, words: str) -> Explanation | None:
        """Explain an option of the pending decision, by its label or as a verb by its name."""
        if not self._is_asked():
            return None
        values = self._options()
        shown = option_labels(self.program, self.store, values)
        found = matching(shown, words)
        if found is None:
            found = next(
                (
                    number
                    for number, value in enumerate(values)
                    if isinstance(value, VerbValue) and _same_name(value.name, words)
                ),
                None,
            )
        if found is None:
            return None
        if alive(self.program, self.store, values[found]):
            return Explanation(shown[found], True)
        reasons = explain_dead(self.program, self.store, values[found])
        return Explanation(shown[found], False, self._whys(reasons))

    def not_listed(self, words: str) -> Explanation | None:
        """Explain a verb that can be begun, but is not among the verbs that are offered here."""
        if not self._is_asked():
            return None
        asked = current(self.program, self.store)
        op = asked.question.op
        values = self._options()
        if not isinstance(op.step, model.Choose) or not values:
            return None
        if not all(isinstance(value, VerbValue) and not value.arguments for value in values):
            return None
        verb = self._named(words)
        if verb is None or verb.parameters or not verb.needs_me or verb.id in self._running():
            return None
        if not self._needs(verb).possible:
            return None
        why = self._condition(op.step.source, self._viewpoint(), op.see, "it is not among these")
        return Explanation(self._label(verb), False, (why,))

    def kept_out(self, words: str) -> Explanation | None:
        """Explain what is no option because a condition keeps it out: a thing that the source of a
        `choose` leaves out, an arm whose guard does not hold."""
        if not self._is_asked():
            return None
        asked = current(self.program, self.store)
        op, viewpoint = asked.question.op, self._viewpoint()
        closed = self._closed_offer(words)
        if closed is not None:
            return closed
        match op.step:
            case model.Either(arms=arms):
                for number, arm in enumerate(arms):
                    (label,) = option_labels(self.program, self.store, [number])
                    if arm.guard is not None and label.casefold() == words.casefold():
                        why = self._condition(arm.guard, viewpoint, op.see)
                        return Explanation(label, False, (why,))
            case model.Choose(source=source, such_that=such_that, name=name):
                found = self._left_out(source, words, viewpoint)
                if found is None and such_that is not None and asked.question.kind == "one":
                    found = self._rejected(asked.items, name, such_that, words, viewpoint)
                if found is not None:
                    label, condition, inner = found
                    why = self._condition(condition, inner, op.see)
                    return Explanation(label, False, (why,))
        return None

    def _closed_offer(self, words: str) -> Explanation | None:
        """Explain an offer that is not open here."""
        evaluator = self.program.evaluator
        for one in self.program.offers.values():
            label = offer_label(self.program, self.store, one.value)
            if label.casefold() != words.casefold() or one.value in self._options():
                continue
            offer = one.offer
            viewpoint = Viewpoint(evaluator, self.store, self.player, {}, self.player)
            if offer.guard is not None and not viewpoint.value(offer.guard)[1]:
                why = self._condition(offer.guard, viewpoint, offer.see)
            elif not viewpoint.value(offer.running)[1]:
                why = self._plain(offer, f"only during {_first_line(offer.running.span)}")
            else:
                text = "offers are open only before you have decided anything here, and at a pause"
                fork = self.store.fork
                if fork is not None:
                    at = fork.frames[-1]
                    wrong = self.program.closed_in(at.unit, at.node).get(offer.id)
                    if wrong is not None:
                        text = f"closed while several act at once: {wrong.headline}"
                why = self._plain(offer, text)
            return Explanation(label, False, (why,))
        return None

    def _plain(self, offer: model.Offer, text: str) -> Why:
        return Why(
            text=text,
            rule=_first_line(offer.span),
            place=place_of(offer.span),
            quotes=self._quotes(offer.see),
        )

    def _left_out(
        self, source: model.Expression, words: str, viewpoint: Viewpoint
    ) -> tuple[str, model.Expression, Viewpoint] | None:
        """Return the condition of a `where` that leaves out the thing of that name."""
        while isinstance(source, model.Where):
            known, items = viewpoint.value(source.source)
            if known:
                found = self._rejected(items, source.name, source.condition, words, viewpoint)
                if found is not None:
                    return found
            source = source.source
        return None

    def _rejected(
        self,
        items: Sequence[Value],
        name: str,
        condition: model.Expression,
        words: str,
        viewpoint: Viewpoint,
    ) -> tuple[str, model.Expression, Viewpoint] | None:
        for item in items:
            inner = viewpoint.with_name(name, item)
            label = labels.show(item, self.player, self.store, self.program.evaluator)
            if label.casefold() != words.casefold():
                continue
            known, holds = inner.value(condition)
            if known and not holds:
                return label, condition, inner
        return None

    # -------------------------------------------------------------------------------- verbs

    def _verbs(self) -> Iterator[model.Verb]:
        for verb in self.program.game.verbs.values():
            if verb.id not in self.program.offers:
                yield verb

    def _label(self, verb: model.Verb) -> str:
        """Return what a verb is called in menus, or its name if that depends on its objects."""
        if verb.parameters:
            return self.program.evaluator.words.name(labels.in_words(verb.name))
        value = VerbValue(verb.name, (verb.id,))
        return labels.show(value, self.player, self.store, self.program.evaluator)

    def _named(self, words: str) -> model.Verb | None:
        """Return the verb of a name or label."""
        found = next((one for one in self._verbs() if _same_name(one.name, words)), None)
        if found is not None:
            return found
        for verb in self._verbs():
            if verb.label is not None and self._label(verb).casefold() == words.casefold():
                return verb
        return None

    def verb(self, words: str) -> Explanation | None:
        """Explain a verb that is no answer to what is asked, by its name or label: that it is not asked
        now, and whether what it needs itself is there."""
        verb = self._named(words)
        if verb is None:
            return None
        say = self.program.evaluator.words
        if verb.id in self._running():
            return Explanation(self._label(verb), True, running=True)
        return attrs.evolve(self._needs(verb), asked=say("this is not asked now."))

    def _running(self) -> frozenset[str]:
        return frozenset(frame.unit for frame in self.store.frames)

    def _needs(self, verb: model.Verb) -> Explanation:
        """Return whether a verb could be begun now, whoever asks for it."""
        label, say = self._label(verb), self.program.evaluator.words
        if verb.parameters:
            names = ", ".join(say.name(labels.in_words(one.name)) for one in verb.parameters)
            text = say("Whether all that it needs is there depends on: {names}", names=names)
            return Explanation(label, False, unknown=text)
        try:
            # Also where nobody acts: what he does not see is not looked at.
            possible, reasons = can_begin(self.program, self.store, verb.id, (), self.player)
        except PlayError:
            # Rules are written for the time at which they are asked for.
            text = say("Whether all that it needs is there can be told only when it is asked.")
            return Explanation(label, False, unknown=text)
        return Explanation(label, possible, self._whys(reasons))

    # ------------------------------------------------------------------------------ reasons

    def _whys(self, reasons: Iterable[Reason]) -> tuple[Why, ...]:
        return tuple(self._why(reason) for reason in reasons)

    def _why(self, reason: Reason) -> Why:
        shown = tuple(
            Finding(text, labels.show(value, self.player, self.store, self.program.evaluator))
            for text, value in reason.values
        )
        return Why(
            text=reason.text,
            rule=_first_line(reason.span),
            place=place_of(reason.span),
            variant=self._variant(reason.span),
            values=tuple(dict.fromkeys(shown)),
            changed_by=reason.changes,
            quotes=self._quotes(reason.see),
            behind=self._whys(reason.behind),
        )

    def _condition(
        self,
        condition: model.Expression,
        viewpoint: Viewpoint,
        see: Iterable[Citation],
        text: str = "the condition does not hold",
    ) -> Why:
        return Why(
            text=self.program.evaluator.words(text),
            rule=_first_line(condition.span),
            place=place_of(condition.span),
            variant=self._variant(condition.span),
            values=findings(condition, viewpoint),
            changed_by=amended_values_in(condition, viewpoint),
            quotes=self._quotes(see),
        )

    def _variant(self, span: Span) -> str:
        """Return the title of the variant in whose file a rule stands."""
        game = self.program.game
        said: list[model.Watch | model.Amendment | model.Changed] = [*game.watches]
        said += [one for found in game.step_amendments.values() for one in found]
        for verb in game.verbs.values():
            said += [*verb.amendments, *verb.label_changes]
        for define in game.defines.values():
            said += [*define.changes, *(one for line in define.lines for one in line.changes)]
        said += [one for found in game.option_changes.values() for one in found]
        names = {one.span.source.name: one.title for one in said}
        return names.get(span.source.name, "")

    def _quotes(self, see: Iterable[Citation]) -> tuple[Quote, ...]:
        return () if self.books is None else self.books.quotes(see)


def _same_name(name: str, words: str) -> bool:
    return labels.in_words(name).casefold() == words.replace("_", " ").casefold()


def _first_line(span: Span) -> str:
    lines = span.text.strip().splitlines()
    return " ".join(lines[0].split()) if lines else ""
