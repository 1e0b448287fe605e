"""A game with people at the table: the state, who plays each seat, and what each has been told.

The one place that decides what a person may see: everything is asked for a seat, and answered with
its eyes. `repl` prints it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, groupby, islice
from typing import TypeAlias

import attrs

from rulewright.dsl import model
from rulewright.dsl.model.visitor import all_blocks, statements_in
from rulewright.interpreter.agents.agent import Agent, generators, go_on_from, let_answer
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.play.history import EventNarrator, events_since
from rulewright.interpreter.play.learning import learned
from rulewright.interpreter.play.undo import is_dead_end
from rulewright.interpreter.program.decisions import current
from rulewright.interpreter.program.distribution import largest_first
from rulewright.interpreter.semantics.labels import printed, with_words
from rulewright.interpreter.state.errors import IllegalActionError, PlayError
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.terminal.board import boards
from rulewright.interpreter.terminal.menus import OpenMenu, open_menu
from rulewright.interpreter.terminal.svg import picture
from rulewright.interpreter.terminal.table import state_lines
from rulewright.interpreter.words.translation import Words

SPLITS_TRIED = 10
"""So many distributions are tried to find one for an example."""


@attrs.frozen(eq=False)
class AnsweredQuestion:
    """A question that a person has answered: the game as it was then, and where the generators of
    agents stood."""

    seat: int
    state: State
    generators: Mapping[int, int]
    moved: int = 0
    """How many answers before it have been taken back since, where several act at once."""

    @property
    def answers(self) -> int:
        """How many answers had been given."""
        return len(self.state.history()) - self.moved


@attrs.frozen
class ReturnPoint:
    """A question that can be asked again: the game as it is then, and which other people have answered
    since, so that they are to be asked."""

    question: AnsweredQuestion
    state: State
    others: tuple[int, ...] = ()


def _give(state: State, actions: Sequence[Action], whole: bool, player: int) -> None:
    if whole:
        state.answer_whole(actions, player)
    else:
        state.apply_action(actions[0], player)


Point: TypeAlias = tuple[int, int]
"""How far a game is: how many events have happened, and how many answers have been given."""


def _told(state: State) -> dict[int, Point]:
    """Return what each seat has been told: all that had happened when it was asked last."""
    told = dict.fromkeys(range(state.game.num_players), (0, 0))
    told.update(
        (one.player, (one.events, number))
        for number, one in enumerate(state.history())
        if one.player is not None
    )
    return told


class TableSession:
    """A game with people at the table."""

    def __init__(
        self, state: State, agents: Mapping[int, Agent], spoken: Game | None = None
    ) -> None:
        self.state = state
        self.spoken = spoken or state.game
        """The game in the language of those who sit there."""

        self.agents = agents
        """What plays the seats at which nobody sits."""

        self.told = _told(state)
        """How far each seat has been told of the game."""

        self.given = state.history()
        """What had been answered before the last answer."""

        self.answered: list[AnsweredQuestion] = []
        """The questions that people have answered."""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats at which somebody sits."""
        seats = range(self.state.game.num_players)
        return tuple(seat for seat in seats if seat not in self.agents)

    @property
    def words(self) -> Words:
        """The language of those who sit there."""
        return self.spoken.program.evaluator.words

    def told_state(self) -> State:
        """Return the state in that language, to be looked at."""
        return self.state.told_by(self.spoken)

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        return self.state.game.names[seat]

    def continue_with(self, state: State) -> None:
        """Go on with another state of the same game."""
        self.state = state
        self.told = _told(state)
        self.answered = []

    @cached_property
    def keeps_secrets(self) -> bool:
        """Return whether somebody may see, answer or be shown what another one must not know."""
        rules = self.state.game.model
        steps = chain.from_iterable(map(statements_in, all_blocks(rules)))
        return any(
            viewers.who not in ("everybody", "nobody")
            for field in rules.fields.values()
            for viewers in (field.viewers, field.count_viewers)
        ) or any(
            (isinstance(step, model.As) and step.together)
            or (isinstance(step, model.Show) and not isinstance(step.viewers, model.Seats))
            for step in steps
        )

    @cached_property
    def hides(self) -> bool:
        """Return whether there is anything that not everybody sees, or nobody."""
        fields = self.state.game.model.fields.values()
        return self.keeps_secrets or any(one.viewers.who != "everybody" for one in fields)

    # ------------------------------------------------------------------------------ what one sees

    def view(self, seat: int, *, briefly: bool = False) -> list[str]:
        """Return the lines of the table as a seat sees it; `briefly`: without what is not there."""
        state = self.told_state()
        drawn = boards(state.game.program, state.seen_by(seat), state.seat(seat))
        return state_lines(state.observation(seat), drawn, say=self.words, briefly=briefly)

    def picture(self, seat: int) -> str | None:
        """Return the boards and rings as an SVG file; None if the game has none."""
        state = self.told_state()
        return picture(state.game.program, state.seen_by(seat), state.seat(seat))

    def news(self, seat: int) -> list[str]:
        """Return the lines of what a seat has noticed since it was told last."""
        lines = self.story(seat, self.told[seat], briefly=True)
        self.told[seat] = self._point(seat)
        return lines

    def last_news(self, seat: int) -> list[str]:
        """Return the same at the end of the game, when all who sit there look at the screen."""
        return self.story(seat if len(self.people) == 1 else None, self.told[seat])

    def _point(self, seat: int) -> Point:
        return self.state.seen_by(seat).count_events(), len(self.state.history())

    def story(self, seat: int | None, since: Point = (0, 0), *, briefly: bool = False) -> list[str]:
        """Return the lines of what a seat (None: every seat) has noticed; the same several times is
        one line. `briefly`: long runs of moves are one, too."""
        state = self.told_state()
        viewer = None if seat is None else state.seat(seat)
        store = state.seen_by(seat)
        reader = EventNarrator(state.game.program, store, viewer)
        number, answers = since
        happened = events_since(store, number, viewer)
        number = store.count_events() - len(happened)
        given = state.history()[answers:]
        dealt: list[Event] = []
        if briefly and not number:
            # What has happened before anybody was asked is seen on the table.
            begun = given[0].events if given else len(happened)
            dealt, happened = reader.dealt(happened[:begun]), happened[begun:]
            number = begun
        with_answers = chain(dealt, reader.with_answers(happened, number, given))
        told = groupby(reader.lines(with_answers, briefly=briefly))
        counted = ((line, sum(1 for _ in same)) for line, same in told)
        return [line if times == 1 else self.repeated(line, times) for line, times in counted]

    def repeated(self, line: str, times: int) -> str:
        """Return a line that came several times."""
        return f"{line} {self.words('({number} times)', number=times)}"

    # --------------------------------------------------------------------------- what one is asked

    def open_menu(self, seat: int | None = None) -> OpenMenu:
        """Return what the game waits for (of a seat), as who is asked sees it."""
        return open_menu(self.told_state(), seat)

    def whole_split(self, seat: int) -> tuple[int, ...] | None:
        """Return a distribution that would be accepted, with as much as possible for the first; None if
        none of the nearest ones would be."""
        store = self.state.asking(seat)
        assert store is not None, "nobody is asked"
        asked = current(self.state.game.program, store)
        for whole in islice(largest_first(asked.left, asked.caps), SPLITS_TRIED):
            with suppress(ValueError, PlayError):
                self.state.clone().answer_whole(whole, seat)
                return whole
        return None

    def told_option(self, action: Action, number: int) -> str:
        """Return an option as a seat is told it: its label, and what is printed on a card besides; of a
        space of a board only its name."""
        state = self.told_state()
        thing, program, seat = action.value, state.game.program, state.seat(number)
        store = state.seen_by(number)
        if not isinstance(thing, Thing) or not program.evaluator.sees_thing(store, thing, seat):
            return action.label
        if store.columns[program.layout.place_slots[thing.kind]][thing.number] is None:
            return action.label
        kind = state.game.model.kinds.get(thing.kind)
        made_up = kind is not None and kind.name_define is not None
        shown = printed(
            thing,
            seat,
            store,
            program.evaluator,
            worked_out=True,
            besides=action.label if made_up else "",
        )
        more = ", ".join(part for part in shown.split(", ") if part not in action.label)
        return with_words(action.label, more) if more else action.label

    def note_question(self, seat: int) -> None:
        """Note that a person answers now: `undo` leads back to here."""
        self.answered.append(AnsweredQuestion(seat, self.state.clone(), generators(self.agents)))

    def answer(self, open_menu: OpenMenu, chosen: Sequence[int]) -> None:
        """Give the answer that consists of these options; a refusal speaks the language of the table."""
        self.given = self.state.history()
        actions = [open_menu.actions[place] for place in chosen]
        taken = any(action.kind == "offer" for action in actions)
        whole = open_menu.menu.several and not taken
        try:
            _give(self.state, actions, whole, open_menu.decision.player)
        except IllegalActionError:
            if self.spoken is not self.state.game:
                _give(self.told_state().clone(), actions, whole, open_menu.decision.player)
            raise

    def note_setback(self) -> None:
        """If the last answer was taken back, forget what has not happened: nobody is told of it, and
        no `undo` leads there."""
        if is_dead_end(self.state.store):
            seat, given = self.state.store.setback.player.number, self.state.history()
            left = {id(one) for one in given}
            removed = [place for place, one in enumerate(self.given) if id(one) not in left]
            own = sum(one.player == seat for one in given)
            kept = []
            for one in self.answered:
                before = sum(answer.player == seat for answer in self.given[: one.answers])
                if one.seat != seat or before < own:
                    moved = sum(place < one.answers for place in removed)
                    kept.append(attrs.evolve(one, moved=one.moved + moved))
            self.answered = kept
            self._told_no_more()

    def _told_no_more(self) -> None:
        """Forget that seats have been told what was taken back."""
        for one, told in self.told.items():
            self.told[one] = min(told, self._point(one))

    def let_agent_answer(self, seat: int) -> None:
        """Let the program of a seat that is asked decide."""
        self.given = self.state.history()
        let_answer(self.agents[seat], self.state, seat)

    def way_back(self, seat: int) -> ReturnPoint | None:
        """Return the way back to the last question that a seat has answered, and who has answered since;
        None if there was none, or a person has learned something hidden since."""
        way = self.last_way(seat)
        if way is not None and self.state.store.fork is None:
            since = self.state.history()[way.question.answers :]
            if learned(way.question.state, since, self.people):
                return None
        return way

    def last_way(self, seat: int) -> ReturnPoint | None:
        """Return the same, whatever people who do not act at once have learned since."""
        given = self.state.history()
        found = [one for one in self.answered if one.seat == seat and one.answers < len(given)]
        if not found:
            return None
        question = found[-1]
        since = given[question.answers :]
        if self.state.store.fork is not None:
            state = self.state.clone()
            for _ in range(sum(one.player == seat for one in since)):
                if not state.can_undo(seat):
                    return None
                state.undo(seat)
            return ReturnPoint(question, state)
        others = {one.player for one in since if one.player is not None} - {seat}
        return ReturnPoint(question, question.state.clone(), tuple(sorted(others & {*self.people})))

    def go_back(self, way: ReturnPoint) -> None:
        """Take back what was answered since a question, and what programs have answered."""
        removed = len(self.state.history()) - len(way.state.history())
        if self.state.store.fork is None:
            self.answered = self.answered[: self.answered.index(way.question)]
            go_on_from(self.agents, way.question.generators)
        else:
            self.answered.remove(way.question)
            self.answered = [
                attrs.evolve(one, moved=one.moved + removed * (one.answers > way.question.answers))
                for one in self.answered
            ]
        self.state = way.state
        self.state.store.setback = None
        self._told_no_more()
