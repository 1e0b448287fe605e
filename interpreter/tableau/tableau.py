"""The table as a seat sees it (`view_model`), made of a state."""

from __future__ import annotations

import attrs

from rulewright.interpreter.knowledge.observation import PLAYER, running
from rulewright.interpreter.knowledge.sight import waiting
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.tableau.drawn import map_view, maps_of
from rulewright.interpreter.tableau.ending import end_of
from rulewright.interpreter.tableau.entries import entries
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.tableau.questions import QuestionBuilder
from rulewright.interpreter.tableau.reasons import reason_view
from rulewright.interpreter.tableau.things import Viewer
from rulewright.interpreter.tableau.view_model import (
    CannotView,
    EntryView,
    HolderView,
    SeatView,
    Tableau,
    ThingView,
)
from rulewright.interpreter.words.text import legible, printable

LOG_SHOWN = 60
"""So many lines of the log are part of a view."""


def tableau(
    state: State,
    seat: int | None,
    handles: Handles,
    spoken: Game | None = None,
    *,
    undo: bool | None = None,
    lines: int = LOG_SHOWN,
) -> Tableau:
    """Return what a seat is shown; None: what a watcher is, which is what every seat sees.

    `handles` is changed. `spoken` is the game in the language of the seat (`Game.spoken`). `undo`
    says whether it can take back its answer, if the table knows more about that than the state does.
    Raises `ValueError` if there is no such seat, `PlayError` if rules go wrong in what is asked.
    """
    n = notice(state, seat, handles)
    can_undo = can_take_back(state, seat) if undo is None else undo
    setback = state.setback if _was_set_back(state, seat) else ()
    said = state.told_by(spoken or state.game)
    whole = _WholeTable(said, seat, handles)
    viewer = whole.viewer
    question = None
    if seat is not None and seat in state.current_players():
        question = QuestionBuilder(said, seat, viewer).question(n, whole.drawn, can_undo)
    log = entries(said, seat, viewer, handles.noticed, lines)
    viewer.naming.keep()
    say = viewer.facts.named
    return Tableau(
        game=legible(said.game.title),
        n=n,
        seat=seat,
        together=viewer.store.fork is not None,
        running=tuple(map(say, running(said.game.program, viewer.store))),
        shared=whole.shared,
        seats=whole.seats,
        maps=whole.maps,
        loose=whole.loose,
        question=question,
        log=log,
        end=end_of(said),
        undo=can_undo,
        setback=tuple(map(printable, setback)),
        enums={name: one.values for name, one in said.game.model.enumerations.items()},
    )


def _viewer(said: State, seat: int | None, handles: Handles) -> Viewer:
    player = None if seat is None else said.seat(seat)
    return Viewer(said.game.program, said.seen_by(seat), player, handles)


def looked_at(state: State, seat: int, handles: Handles) -> Viewer:
    """Return the viewer of a seat that has gone over the whole table; `handles` stay as they are."""
    return _WholeTable(state, seat, attrs.evolve(handles)).viewer


class _WholeTable:
    """All parts of a table as a seat sees them."""

    def __init__(self, said: State, seat: int | None, handles: Handles) -> None:
        viewer = self.viewer = _viewer(said, seat, handles)
        found = maps_of(viewer)
        self.shared = HolderView(*viewer.holder(None))
        self.seats = _seats(said, seat, viewer)
        self.drawn = {place.thing: None for one in found for place in one.places}
        loose: dict[str, list[ThingView]] = {}
        for kind, thing in viewer.elsewhere():
            if thing not in self.drawn:
                loose.setdefault(kind, []).append(viewer.thing(thing))
        self.loose = {kind: tuple(things) for kind, things in loose.items()}
        self.maps = tuple(map_view(viewer, one) for one in found)


def _seats(said: State, seat: int | None, viewer: Viewer) -> tuple[SeatView, ...]:
    layout = viewer.layout
    acting = {one.number for one in waiting(viewer.program, viewer.store, viewer.player)}
    return tuple(
        SeatView(
            player.number,
            viewer.facts.words(player),
            player.number == seat,
            player.number in acting,
            *viewer.holder(player),
            neutral=layout.is_neutral(player),
        )
        for player in layout.things.get(PLAYER, layout.players)
    )


def can_take_back(state: State, seat: int | None) -> bool:
    """Return whether a seat can take back its last answer, as far as the state knows."""
    if seat is None or not state.can_undo(seat):
        return False
    given = state.history()
    return state.store.fork is not None or (bool(given) and given[-1].player == seat)


def _was_set_back(state: State, seat: int | None) -> bool:
    return bool(state.setback) and state.store.setback.player.number == seat


def log_entries(
    state: State,
    seat: int | None,
    handles: Handles,
    spoken: Game | None = None,
    lines: int | None = None,
) -> tuple[EntryView, ...]:
    """Return the log as a seat is told it, or its last lines; without references to things that the last
    view has not shown."""
    said = state.told_by(spoken or state.game)
    viewer = _viewer(said, seat, handles)
    return entries(said, seat, viewer, handles.noticed, lines)


def why(state: State, seat: int, label: str, spoken: Game | None = None) -> CannotView:
    """Return why what is called so (an option of the question of the seat, or a verb) is not possible,
    with all reasons; none if it is possible.

    Raises `InvalidActionError` or `AmbiguousActionError`, if nothing or too much is called so.
    """
    found = state.told_by(spoken or state.game).why(label, seat)
    return CannotView(printable(found.subject), (), tuple(map(reason_view, found.reasons)))
