"""What a seat is asked: the options, what each of them stands for, and what is not possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import attrs

from rulewright.interpreter.engine.actions import MOST_LISTED, Action, question_text
from rulewright.interpreter.knowledge.observation import PLAYER
from rulewright.interpreter.lookahead.lookahead import alive, explain_dead
from rulewright.interpreter.play.api import State
from rulewright.interpreter.program.decisions import current, option_labels
from rulewright.interpreter.program.questions import DONE, OpenQuestion
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    GONE,
    EnumValue,
    PlaceValue,
    Taken,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.tableau.things import Viewer, seat_ref
from rulewright.interpreter.tableau.touches import MOST_TOUCHING, touched
from rulewright.interpreter.tableau.view_model import (
    CannotView,
    OptionView,
    QuestionView,
    ReasonView,
    TargetView,
)
from rulewright.interpreter.terminal.menus import OpenMenu, open_menu
from rulewright.interpreter.words.text import legible, printable

MOST_EXPLAINED = 12
"""Of so many options that are not possible the first reason is worked out beforehand."""

MOST_NOT_POSSIBLE = 100
"""So many options that are not possible are listed."""


def menu_of(state: State, seat: int, viewer: Viewer) -> OpenMenu:
    """Return what a seat is asked, with its options in the order in which the page numbers them: things
    that lie in no order stand as they are shown."""
    found = open_menu(state, seat)
    if found.decision.ordered or found.decision.picked:
        return found
    first = [one for one in found.actions if one.kind != "offer"]
    things = [one.value for one in first]
    if len(things) < 2 or not all(
        isinstance(one, Thing) and one in viewer.things for one in things
    ):
        return found
    if not _lie_in_no_order(viewer, things):
        return found
    asking = state.asking(seat)
    assert asking is not None, "nothing is asked"
    handles = one_each(viewer, current(state.game.program, asking), things)
    places = {one.id: number for number, one in enumerate(viewer.things.values())}
    first.sort(key=lambda one: places[handles[one.value]])
    actions = (*first, *(one for one in found.actions if one.kind == "offer"))
    return attrs.evolve(found, actions=actions)


def one_each(viewer: Viewer, asked: OpenQuestion, things: Sequence[Thing]) -> dict[Thing, str]:
    """Return a handle for each of some things that are shown; to those that look the same in the order in
    which they stand to choice, as their labels are given."""
    if len(things) > 1 and asked.question.kind == "several":
        places = {value: number for number, value in enumerate(asked.items)}
        things = sorted(things, key=lambda one: places.get(one, len(places)))
    return viewer.naming.one_each(things)


def _lie_in_no_order(viewer: Viewer, things: Sequence[Thing]) -> bool:
    """Return whether all of some things lie in one zone without an order."""
    slots = viewer.layout.place_slots
    found = {viewer.store.columns[slots[one.kind]][one.number] for one in things}
    place = found.pop()
    return not found and place is not None and place.slot in viewer.layout.unordered


class QuestionBuilder:
    """Shows the question of a seat. `asking` is the state in which it is asked."""

    def __init__(self, state: State, seat: int, viewer: Viewer) -> None:
        asking = state.asking(seat)
        assert asking is not None, "nothing is asked"
        self.state, self.seat, self.viewer = state, seat, viewer
        self.store: Store = asking
        self.program = state.game.program
        self.asked: OpenQuestion = current(self.program, asking)

    def question(self, n: int, drawn: Iterable[Thing], undo: bool) -> QuestionView:
        """Return what is asked; `drawn` are the places of maps."""
        menu = menu_of(self.state, self.seat, self.viewer)
        decision, numbers = menu.decision, menu.numbers
        alone = self._one_each(menu.actions) if menu.menu.several else {}
        options = tuple(self._option(*one, alone) for one in enumerate(menu.actions))
        if decision.kind == "split":
            # All are asked for at once; the first target alone is no answer.
            options = tuple(one for one in options if one.kind == "offer")
        options = self._with_touches(menu, options, frozenset(drawn))
        return QuestionView(
            n=n,
            kind=decision.kind,
            site=decision.site,
            prompt=legible(question_text(self.program, self.store)),
            low=menu.menu.low if menu.menu.several else decision.low,
            high=menu.menu.high if menu.menu.several else decision.high,
            left=decision.left,
            ordered=decision.ordered,
            whole=menu.menu.several,
            picked=tuple(map(printable, decision.picked)),
            range=None if numbers is None else (numbers[0], numbers[-1]),
            targets=tuple(self._targets()) if decision.kind == "split" else (),
            context=tuple(self._context()),
            pause=self.asked.question.taken is not None,
            forced=menu.is_forced,
            undo=undo,
            options=options,
            cannot=tuple(islice(self._not_possible(menu), MOST_NOT_POSSIBLE)),
        )

    def _one_each(self, actions: Iterable[Action]) -> dict[Thing, str]:
        """Return a handle for each of the things that stand to choice together."""
        values = [one.value for one in actions if isinstance(one.value, Thing)]
        return one_each(
            self.viewer, self.asked, [one for one in values if one in self.viewer.things]
        )

    def _option(self, number: int, action: Action, alone: Mapping[Thing, str]) -> OptionView:
        value = action.value
        known = isinstance(value, Thing) and value in alone
        is_number = type(value) is int and action.kind in ("number", "choose", "piece")
        return OptionView(
            id=number,
            label=legible(action.label),
            kind=action.kind,
            refs=(alone[value],) if known else tuple(dict.fromkeys(self.refs(value))),
            verb=value.name if isinstance(value, VerbValue) else None,
            unproved=action.unproved,
            number=value if is_number else None,
        )

    # ------------------------------------------------------------------------------- references

    def refs(self, value: Value) -> Iterator[str]:
        """Yield references to all for which an option stands."""
        if value is DONE or value is None or isinstance(value, bool | int | str | Taken):
            return
        if not isinstance(value, Thing):
            yield from self._refs_of(value)
            return
        group = self.asked.group(value) if value in self.asked.options else (value,)
        yield from self.viewer.naming.of_some(one for one in group if one in self.viewer.things)
        for one in group:
            if one not in self.viewer.things:
                yield from self._refs_of(one)

    def _refs_of(self, value: Value) -> Iterator[str]:
        match value:
            case Thing() if value.kind == PLAYER:
                yield seat_ref(value)
            case Thing() if self.viewer.facts.sees(value):
                # What is out of the game is on no page.
                if self.viewer.naming.is_named(value):
                    yield from self.viewer.naming.alike(value)
            case Thing():
                yield from self._hidden(value)
            case EnumValue():
                yield f"{value.enum}:{value.value}"
            case VerbValue():
                for one in value.arguments:
                    yield from self._refs_of(one)
            case tuple():
                for one in value:
                    yield from self._refs_of(one)
            case PlaceValue():
                id = self.viewer.zone_id(value) if value.slot >= 0 else None
                if id is not None:
                    yield id

    def _hidden(self, thing: Thing) -> Iterator[str]:
        """Yield the reference to where a thing lies hidden, as far as that can be told."""
        layout, store = self.viewer.layout, self.viewer.store
        place = store.columns[layout.place_slots[thing.kind]][thing.number]
        if place is None or place.slot == GONE:
            return
        id = self.viewer.zone_id(place)
        visibility = self.program.evaluator.visibility
        if id is None or not visibility.sees_count(store, place, self.viewer.player):
            return
        things = store.columns[place.slot][place.index]
        kind = layout.zone(place.slot)
        told_apart = kind is not None and kind.shape in ("row", "slot")
        yield f"{id}/{things.index(thing)}" if told_apart else id

    def _context(self) -> Iterator[str]:
        """Yield references to the things that have been named so far in what the seat is doing."""
        named = [
            value
            for name, value in self.store.frames[-1].locals.items()
            if not name.startswith(("#", "@"))
            and isinstance(value, Thing)
            and value in self.viewer.things
        ]
        # What has been chosen is the first of those that look the same.
        yield from self.viewer.naming.one_each(list(dict.fromkeys(named))).values()

    # ------------------------------------------------------------------------- distributions

    def _targets(self) -> Iterator[TargetView]:
        """Yield among whom something is distributed, alike ones with the same group."""
        items, caps = self.state.items(self.seat), self.asked.caps
        player = self.viewer.player
        assert player is not None
        values = [one.value for one in items]
        groups = self.program.alike.groups(self.store, player, values)
        group_of = {value: number for number, group in enumerate(groups) for value in group}
        first: dict[int, str] = {}
        shown = [one for one in values if isinstance(one, Thing) and one in self.viewer.things]
        alone = self.viewer.naming.one_each(shown)
        for index, (item, cap) in enumerate(zip(items, caps, strict=True)):
            group = group_of[item.value]
            label = legible(item.label)
            yield TargetView(
                index=index,
                label=label,
                refs=(alone[item.value],)
                if item.value in alone
                else tuple(dict.fromkeys(self._refs_of(item.value))),
                high=max(cap, 0),
                group=group,
                title=first.setdefault(group, label),
            )

    # ------------------------------------------------------------------------------- touches

    def _with_touches(
        self, menu: OpenMenu, options: tuple[OptionView, ...], drawn: frozenset[Thing]
    ) -> tuple[OptionView, ...]:
        """Return the options with the places at which they would change something, if they refer to
        nothing themselves."""
        kind = menu.decision.kind
        if not drawn or kind not in ("one", "numbers") or not 0 < len(options) <= MOST_TOUCHING:
            return options
        if any(one.refs or one.verb is not None for one in options):
            return options
        return tuple(
            option
            if option.kind == "offer"
            else attrs.evolve(
                option,
                touches=tuple(
                    self.viewer.naming.handle(place)
                    for place in touched(self.program, self.store, self.viewer, action.value, drawn)
                ),
            )
            for option, action in zip(options, menu.actions, strict=True)
        )

    # -------------------------------------------------------------------------- not possible

    def _not_possible(self, menu: OpenMenu) -> Iterator[CannotView]:
        """Yield what stands to choice but is no option now."""
        asked, store = self.asked, self.store
        if isinstance(asked.options, range) or asked.question.kind in ("may", "split"):
            return
        several = menu.menu.several
        values = asked.items if several else asked.options
        left = islice((one for one in values if one is not DONE), MOST_LISTED)
        possible = {action.value for action in menu.actions}
        dead = [one for one in left if one not in possible]
        if several:
            dead = [one for one in dead if not self._stands_for_possible(one, possible)]
        else:
            dead = [one for one in dead if not alive(self.program, store, one)]
        found = option_labels(self.program, store, dead)
        for number, (value, label) in enumerate(zip(dead, found, strict=True)):
            refs = tuple(dict.fromkeys(self.refs(value)))
            # Why a thing belongs to no selection is a long story.
            explained = not several and number < MOST_EXPLAINED
            reasons = explain_dead(self.program, store, value) if explained else ()
            told = tuple(ReasonView(printable(one.text)) for one in reasons[:1])
            yield CannotView(printable(label), refs, told)

    def _stands_for_possible(self, value: Value, possible: set[Value]) -> bool:
        """Return whether a thing is like one that can be chosen."""
        return value in self.asked.options and any(
            one in possible for one in self.asked.group(value)
        )
