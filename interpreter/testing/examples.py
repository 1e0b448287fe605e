"""Running worked examples: diagnostics of those that do not come out.

An example sets up what its `given` lines say on top of the start of a game, performs verbs as if
they were called from nowhere, and looks at what became of it. Its lines are carried out in order;
the first that fails ends it, with what was found instead.

`expect`, `allow` and `refuse` look at a copy on which everything has been answered that answers
itself, because an unanswered `may` counts as declined; the example itself stays open, so that a
later `do` can still answer.

Options are fixed when a game begins, so those that stand before anything happens are in force from
the beginning; one that is given later is in force from there on, in the same position of the game.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

import attrs

from rulewright.dsl import model
from rulewright.dsl.text.diagnostics import Label
from rulewright.dsl.text.source import Span
from rulewright.interpreter.engine.load import load_program
from rulewright.interpreter.engine.setup import start_store
from rulewright.interpreter.explain.findings import findings
from rulewright.interpreter.explain.viewpoint import Viewpoint
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.program.branches import seen_by
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.encoding import carried_over
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.semantics.closures import constant_of, text_of
from rulewright.interpreter.semantics.events import decide_cards
from rulewright.interpreter.state.errors import (
    TICKS_PER_STEP,
    IllegalActionError,
    PlayError,
    Undecided,
)
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import plan
from rulewright.interpreter.state.log import NOBODY, Event
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import EnumValue, Thing, Value
from rulewright.interpreter.testing.givens import GivenError, Givens
from rulewright.interpreter.testing.invariant_checks import compiled_checks, holds, why
from rulewright.interpreter.testing.scripting import Misfit, NotPossible, Script, site_of

SEED = 1
"""Without `chance` lines a fixed seed is used."""

MOST_DRAWN = 1000
MOST_TOLD = 6

Found = TypeVar("Found")


@attrs.frozen
class Failure(Exception):
    """A line that does not come out: where, the code, and what was found."""

    code: str
    span: Span
    label: str
    notes: tuple[str, ...] = ()
    secondary: tuple[Label, ...] = ()
    cause: PlayError | None = None
    """The rules error that has stopped the example."""

    reasons: tuple[str, ...] = ()
    """Of what is refused for another reason: the reasons."""

    line: model.ExampleLine | None = None
    viewpoint: Viewpoint | None = None
    """From where an `expect` was evaluated."""

    impossible: bool = False
    """Whether an answer, or what a line begins, is not possible."""

    misfit: Misfit | None = None
    """What was met where a line answers something else."""


class DoesNotApply(Exception):
    """A variant rules out that as many play as in an example, or with these options."""


class Runner:
    """Runs the examples of one game; games with the same players and options are loaded once."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.programs: dict[object, Program] = {}

    def first(self, example: model.Example) -> Failure | None:
        """Return what is wrong with an example: the first line that does not come out."""
        try:
            return next(self.failures(example), None)
        except DoesNotApply:
            return None

    def failures(self, example: model.Example) -> Iterator[Failure]:
        """Yield all that does not come out, as far as an example can be carried out.

        Raises `DoesNotApply` if a variant rules it out.
        """
        least, most = self.game.least_players, self.game.most_players
        if not least <= len(example.players) <= most:
            found = f"{len(example.players)} players, not {least} to {most}"
            yield Failure("RW413", example.span, found)
            return
        scene: Scene | None = None
        options: dict[str, Value] = {}
        givens = model.GivenField | model.GivenZone | model.GivenOption
        first = itertools.takewhile(lambda line: isinstance(line, givens), example.lines)
        # Options that are given before anything happens are in force from the beginning.
        early = [line for line in first if isinstance(line, model.GivenOption)]
        late = [line for line in example.lines if not any(line is one for one in early)]
        sound = True
        try:
            for option in early:
                options[option.option] = self._option(option)
            scene = Scene(self.program(example, options), example)
        except Failure as failure:
            yield failure
            return
        for line in late:
            try:
                if isinstance(line, model.GivenOption):
                    options[line.option] = self._option(line)
                    scene.go_over_to(self.program(example, options), line)
                else:
                    scene.carry_out(line)
            except Failure as failure:
                yield attrs.evolve(failure, line=line)
                sound = False
                looks = isinstance(line, LOOKS | model.DoLine)
                if not looks or (isinstance(line, model.DoLine) and line.word == "do"):
                    return
        # A variant may ask less of chance than its game does.
        if sound and example.about.issuperset(self.game.variants):
            yield from scene.never_drawn()

    def _option(self, line: model.GivenOption) -> Value:
        known, value = constant_of(line.value, plan(self.game))
        if not known:
            text = f"`{text_of(line.value.span)}` is not fixed at the beginning"
            raise Failure("RW413", line.span, "this option", (text,))
        return value.value if isinstance(value, EnumValue) else value

    def program(self, example: model.Example, options: Mapping[str, Value]) -> Program:
        """Return the game loaded for the players of an example."""
        names = example.players
        key = (names, tuple(sorted(options.items(), key=lambda pair: pair[0])))
        if key not in self.programs:
            try:
                self.programs[key] = load_program(self.game, len(names), options, names)
            except (PlayError, ValueError) as error:
                if isinstance(error, PlayError) and error.code == "RW509":
                    # A variant may ask for so many players; the examples of others do not know.
                    if error.span.source.name != example.span.source.name:
                        raise DoesNotApply from None
                text = error.diagnostic().headline if isinstance(error, PlayError) else str(error)
                raise Failure("RW413", example.span, "cannot begin", (text,)) from None
        return self.programs[key]


LOOKS = model.ExpectLine | model.SeesLine | model.ToldLine


class Scene:
    """The state of an example while it is carried out."""

    def __init__(self, program: Program, example: model.Example) -> None:
        self.program = program
        self.example = example
        self.players = self._seated(program)
        self.store = start_store(program.evaluator, SEED)
        self.store.strict = True
        self.givens = Givens(program.evaluator, self.store.clone(), self.players)
        self.checks = compiled_checks(program, always=True)
        self.dictated: list[tuple[model.ChanceLine, model.Expression]] = []
        """The outcomes of the `chance` lines so far, one after the other."""
        self.drawn = 0
        """So many of them were drawn, be it by an `allow`, `refuse` or `expect`."""

    def _seated(self, program: Program) -> Mapping[str, Thing]:
        return dict(zip(self.example.players, program.layout.players, strict=True))

    def go_over_to(self, program: Program, line: model.GivenOption) -> None:
        """Go on in the same position, but under other options."""
        self._close(line)
        layout = program.layout
        try:
            store = carried_over(self.store, layout)
            start = carried_over(self.givens.start, layout)
            used = {layout.by_key[thing.key] for thing in self.givens.used}
        except (ValueError, KeyError):
            text = "this option changes what there is: give it first"
            raise Failure("RW413", line.span, "this option", (text,)) from None
        self.program, self.store, self.players = program, store, self._seated(program)
        self.givens = Givens(program.evaluator, start, self.players)
        self.givens.used = used
        self.checks = compiled_checks(program, always=True)

    def carry_out(self, line: model.ExampleLine) -> None:
        """Carry out one line, or raise the `Failure` that it is."""
        try:
            match line:
                case model.GivenField():
                    self._close(line)
                    self.givens.field(self.store, line)
                case model.GivenZone():
                    self._close(line)
                    self.givens.zone(self.store, line)
                case model.ChanceLine():
                    self._dictate(line)
                case model.DoLine(word="do"):
                    self._do(line)
                case model.DoLine(word="allow"):
                    self._allow(line)
                case model.DoLine():
                    self._refuse(line)
                case model.ExpectLine():
                    self._expect(line)
                case model.SeesLine():
                    self._sees(line)
                case model.ToldLine():
                    self._told(line)
        except NotPossible as error:
            raise Failure(
                "RW413",
                line.span,
                "this line",
                (str(error),),
                reasons=tuple(error.reasons),
                impossible=True,
            ) from None
        except Misfit as error:
            notes = (str(error),)
            raise Failure("RW413", line.span, "this line", notes, misfit=error) from None
        except (GivenError, IllegalActionError) as error:
            raise Failure("RW413", line.span, "this line", (str(error),)) from None
        except PlayError as error:
            raise _play_failure(line.span, error) from None
        self._count_drawn(self.store)

    def never_drawn(self) -> Iterator[Failure]:
        """Yield a failure for each `chance` line of which something never comes."""
        if self.drawn < len(self.dictated):
            # What cannot go on behind the last line is no matter of the example.
            with contextlib.suppress(PlayError, IllegalActionError, NotPossible, Misfit):
                self._count_drawn(self._settled())
        for line, left in itertools.groupby(self.dictated[self.drawn :], lambda pair: pair[0]):
            span = next(left)[1].span
            yield Failure("RW413", span, "nothing draws this", line=line)

    def _count_drawn(self, store: Store) -> None:
        self.drawn = max(self.drawn, len(self.dictated) - len(store.dictated))

    def _do(self, line: model.DoLine) -> None:
        """Carry out a `do` line, under every `check always` that holds when it begins.

        One that does not hold then is not the fault of the rules: `given` can set up anything.
        """
        checks = [one for one in self.checks if holds(self.store, one)]
        for _ in self._script(self.store).steps(line):
            for checked in checks:
                if not holds(self.store, checked):
                    self._report(line, checked.check)

    def _report(self, line: model.DoLine, check: model.Check) -> None:
        raise Failure(
            "RW412",
            line.span,
            f"breaks the check `{check.label}`",
            why(self.program.evaluator, self.store, check),
            (Label(check.condition.span, "must always hold"),),
        )

    def _script(self, store: Store) -> Script:
        return Script(self.program, store, self.players)

    def _close(self, line: model.GivenField | model.GivenZone | model.GivenOption) -> None:
        """Check that nothing is left to decide, before something else is given."""
        self._script(self.store).settle()
        open_decision = pending(self.program, self.store)
        if open_decision is not None:
            script = self._script(self.store)
            who = script.words(open_decision.player)
            text = f"`{site_of(open_decision.site)}` of {who} has not been answered"
            label, misfit = "something is still asked", Misfit(text, script)
            raise Failure("RW413", line.span, label, (text,), misfit=misfit)
        self.program.decision_cache = None

    def _dictate(self, line: model.ChanceLine) -> None:
        """Say what chance brings next; a list is one outcome after the other."""
        for outcome in line.outcomes:
            value = self._decided(self.store, outcome)
            values = value if isinstance(value, tuple) else (value,)
            self.store.dictated += values
            self.dictated += [(line, outcome)] * len(values)

    # ------------------------------------------------------------------- what is looked at

    def _settled(self) -> Store:
        copy = self.store.clone()
        self._script(copy).settle()
        return copy

    def _allow(self, line: model.DoLine) -> None:
        copy = self.store.clone()
        try:
            self._script(copy).perform(line)
        except (NotPossible, Misfit) as error:
            raise Failure(
                "RW412",
                line.span,
                "not possible",
                (str(error),),
                reasons=() if isinstance(error, Misfit) else error.reasons,
                misfit=error if isinstance(error, Misfit) else None,
            ) from None
        finally:
            self._count_drawn(copy)

    def _refuse(self, line: model.DoLine) -> None:
        copy = self.store.clone()
        try:
            self._script(copy).perform(line)
        except NotPossible as error:
            self._compare_reasons(line, error)
        except Misfit as error:
            if error.is_slip:
                notes = (f"that it is refused says nothing: {error}",)
                raise Failure("RW413", line.span, "this line", notes) from None
            if line.reason is not None:
                notes = (f"it is refused without a reason: {error}",)
                raise Failure("RW412", line.span, "another reason", notes, misfit=error) from None
        else:
            raise Failure("RW412", line.span, "this is possible")
        finally:
            self._count_drawn(copy)

    def _compare_reasons(self, line: model.DoLine, error: NotPossible) -> None:
        if line.reason is None:
            return
        player = self._script(self.store).value(line.player, None)
        wanted = str(self._script(self.store).value(line.reason, player))
        if wanted not in error.reasons:
            notes = tuple(f'the reason is "{reason}"' for reason in error.reasons)
            notes = notes or (f"it is refused without a reason: {error}",)
            raise Failure(
                "RW412", line.span, "another reason", notes, reasons=tuple(error.reasons)
            ) from None

    def _expect(self, line: model.ExpectLine) -> None:
        store = seen_by(self._settled(), None)
        if self._decided(store, line.condition):
            return
        viewpoint = Viewpoint(self.program.evaluator, store, None, dict(self.players))
        notes = tuple(str(finding) for finding in findings(line.condition, viewpoint))
        raise Failure("RW412", line.span, "this does not hold", notes, viewpoint=viewpoint)

    def _sees(self, line: model.SeesLine) -> None:
        """Ask of each value whether a player sees it, as his observation would show it."""
        player = self.players[_name_of(line.player)]
        store = seen_by(self._settled(), player)
        viewpoint = Viewpoint(self.program.evaluator, store, None, dict(self.players), player)
        for value in line.values:
            found = self._with_decided(store, partial(viewpoint.sees, value))
            if found != {line.seen}:
                name = _name_of(line.player)
                some = "some of this only" if len(found) > 1 else "this"
                said = f"{name} does not see" if line.seen else f"{name} sees"
                label = f"{name} sees {some}" if len(found) > 1 else f"{said} {some}"
                raise Failure("RW412", value.span, label, line=line)

    def _told(self, line: model.ToldLine) -> None:
        """Ask whether a text stands in what a player has noticed since the example began."""
        name = _name_of(line.player)
        player = self.players[name]
        store = seen_by(self._settled(), player)
        text = str(self._decided(store, line.text))
        happened = events_since(store, 0, player)
        reader = EventNarrator(self.program, store, player)
        told = [said.strip() for said in reader.lines(happened)]
        if any(text in said for said in told) is line.told:
            if line.told or self._would_be_told(reader, happened, text):
                return
            label, notes = "nothing that happened is told like this", _last(told)
        elif line.told:
            label, notes = f"{name} is not told this", _last(told)
        else:
            label, notes = f"{name} is told this", _last([one for one in told if text in one])
        raise Failure("RW412", line.span, label, notes)

    def _would_be_told(self, reader: EventNarrator, happened: Sequence[Event], text: str) -> bool:
        """Return whether somebody who notices everything would be told a text: that one does not hear
        what nobody says tells nothing."""
        all = self.program.witnesses.everybody
        openly = (one._replace(seers=all, counters=all, strangers=NOBODY) for one in happened)
        return any(text in said for said in reader.lines(openly))

    def _decided(self, store: Store, expression: model.Expression) -> Value:
        """Return a value; cards of a shuffled pile that it looks at are decided by chance."""
        code = self.program.evaluator.expression(expression)
        return self._with_decided(store, lambda: code(store, None, dict(self.players)))

    def _with_decided(self, store: Store, read: Callable[[], Found]) -> Found:
        """Return what is read; cards of a shuffled pile that it looks at are decided by chance."""
        for _ in range(MOST_DRAWN):
            store.allowance = TICKS_PER_STEP, None
            try:
                found = read()
                self._count_drawn(store)
                return found
            except Undecided as met:
                frame = store.frames[-1] if store.frames else Frame("", 0, {}, None)
                decide_cards(store, frame, met.slot, met.index, met.how_many)
        raise AssertionError("a pile has no end")


def _name_of(player: model.Expression) -> str:
    assert isinstance(player, model.Local), "an example names its players"
    return player.name


def _last(told: Sequence[str]) -> tuple[str, ...]:
    """Return the last lines of what was told, as notes."""
    return tuple(f"told: {one}" for one in told[-MOST_TOLD:])


def _play_failure(span: Span, error: PlayError) -> Failure:
    """Return the failure of a line at which the rules could not be carried on."""
    found = error.diagnostic()
    place = error.span.shown()
    notes = [f"{place.source.name}:{place.line}: {found.headline}"]
    notes += [f"because: {reason.text}" for reason in getattr(error, "reasons", ())]
    return Failure("RW413", span, "the rules stop here", tuple(notes), cause=error)
