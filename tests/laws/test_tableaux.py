"""What a page shows to a seat: it is what the seat may see, and a game can be played by it alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, strategies as st
from playing import Rules, Size, Start, starts

from rulewright.interpreter.play.api import State
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.tableau.answers import (
    Accepted,
    Given,
    Mistake,
    play_record,
    read_answer,
)
from rulewright.interpreter.tableau.handles import Handles
from rulewright.interpreter.tableau.noticing import notice
from rulewright.interpreter.tableau.tableau import tableau
from rulewright.interpreter.tableau.view_model import as_json

MOST = 400
"""A game is left when it has more answers."""

LOOKED_AT = 25
"""So many views of a game are looked at closely."""

TRIES = 40
"""So often other things are sent until something is accepted."""

Plain = Any


class Table:
    """A state with the memories of all seats and of the watchers."""

    def __init__(self, start: Start) -> None:
        self.state = start.game.new_initial_state(start.seed)
        self.handles: dict[int | None, Handles] = {
            seat: Handles() for seat in (None, *range(self.state.game.num_players))
        }
        self.notice()

    def notice(self) -> None:
        """Let all seats notice what has happened."""
        for seat, handles in self.handles.items():
            notice(self.state, seat, handles)

    def view(self, seat: int | None, lines: int = 5) -> dict[str, Plain]:
        """Return what a seat is shown."""
        return as_json(tableau(self.state, seat, self.handles[seat], lines=lines))

    def answer(self, seat: int, given: Given) -> Accepted | Mistake:
        """Let a seat answer."""
        found = read_answer(self.state, seat, given, self.handles[seat])
        if isinstance(found, Accepted):
            self.state = found.after
            self.notice()
        return found


def some_answer(question: dict[str, Plain], agents: Generator) -> Given:
    """Return something that a person could send, not knowing the rules."""
    n, options = question["n"], question["options"]
    offers = [one["id"] for one in options if one["kind"] == "offer"]
    answers = [one["id"] for one in options if one["kind"] != "offer"]
    if offers and agents.below(8) == 0:
        return Given(n, options=(agents.pick(offers),))
    if question["targets"]:
        amounts = dict.fromkeys(range(len(question["targets"])), 0)
        for _ in range(question["left"]):
            amounts[agents.below(len(amounts))] += 1
        return Given(n, amounts=amounts)
    if question["range"]:
        low, high = question["range"]
        return Given(n, number=low + agents.below(high - low + 1))
    if question["whole"]:
        low, high = question["low"], min(question["high"], len(answers))
        count = low + agents.below(max(high - low, 0) + 1)
        return Given(n, options=tuple(agents.shuffled(answers)[:count]))
    return Given(n, options=(agents.pick(answers or offers),))


def play_on(table: Table, agents: Generator) -> bool:
    """Let somebody who is asked answer by what he is shown; return whether the game goes on."""
    state = table.state
    if state.is_terminal():
        return False
    seat = agents.pick(state.current_players())
    question = table.view(seat)["question"]
    assert question is not None
    for _ in range(TRIES):
        found = table.answer(seat, some_answer(question, agents))
        if isinstance(found, Accepted):
            return True
        assert not found.stale, found
        assert found.text
    # Of several things or amounts few may fit: take what the engine finds.
    state = state.clone()
    while seat in state.current_players():
        before = len(state.history())
        state.apply_action(agents.pick(state.legal_actions(seat)), seat)
        if len(state.history()) > before:
            break
    table.state = state
    table.notice()
    return True


def test_a_game_is_played_to_its_end_by_what_seats_are_shown(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        table, agents = Table(start), Generator(start.agents)
        again = start.game.new_initial_state(start.seed)
        for _ in range(MOST):
            if table.state.is_terminal():
                break
            seat = agents.pick(table.state.current_players())
            question = table.view(seat)["question"]
            for _ in range(TRIES):
                found = table.answer(seat, some_answer(question, agents))
                if isinstance(found, Accepted):
                    break
                assert not found.stale and found.text, found
            else:
                return
            # What was written down comes to the same, and so does a state that is answered directly.
            record = json.loads(json.dumps(found.record))
            again = play_record(again, seat, record)
            assert again.store == table.state.store
        assert [one.label for one in again.history()] == [
            one.label for one in table.state.history()
        ]
        if table.state.is_terminal():
            end = table.view(0)["end"]
            assert end["returns"] == list(again.returns())
            assert end["winners"] == list(again.winners())
            assert all(table.view(seat)["question"] is None for seat in table.handles)

    holds()


# -------------------------------------------------------------------- view and observation


def test_a_view_and_an_observation_show_the_same(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        table, agents = Table(start), Generator(start.agents)
        for number in range(LOOKED_AT * 4):
            if number % 4 == 0:
                for seat in range(table.state.game.num_players):
                    view = table.view(seat)
                    Comparison(table.state, seat).compare(view)
                    references_are_shown(view)
            if not play_on(table, agents):
                break

    holds()


class Comparison:
    """Compares what a seat is shown with what it observes."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.observed = state.observation(seat)
        self.say = state.game.program.evaluator.words

    def compare(self, view: dict[str, Plain]) -> None:
        """Look at all parts of a view."""
        seen = self.observed
        self.holder(view["shared"], seen["game"], "g")
        assert [one["name"] for one in view["seats"]] == list(seen["players"])
        for one in view["seats"]:
            self.holder(one, seen["players"][one["name"]], f"p{one['seat']}")
        acting = [one["name"] for one in view["seats"] if one["acting"]]
        assert acting == list(seen["waiting for"])
        assert view["running"] == [self.say.name(one) for one in seen["running"]]
        drawn = {
            kind: [
                one["thing"]
                for found in view["maps"]
                if found["kind"] == kind
                for one in found["places"]
            ]
            for kind in {found["kind"] for found in view["maps"]}
        }
        for kind, things in seen["things"].items():
            shown = view["loose"].get(kind) or drawn[kind]
            assert sorted(map(name_of, things)) == sorted(
                self.told(one, name_of(thing))
                for one, thing in zip(in_order(shown, things), things, strict=True)
            )

    def holder(self, view: dict[str, Plain], seen: dict[str, Plain], id: str) -> None:
        """Compare zones and facts of the game, a seat or a thing."""
        zones = {one["id"].removeprefix(f"{id}."): one for one in view["zones"]}
        facts = [one["name"] for one in view["facts"]]
        found = {name: one for name, one in seen.items() if is_zone(one) and name in zones}
        assert list(found) == list(zones)
        for name, content in found.items():
            self.zone(zones[name], content)
        fields = [name for name in seen if name not in zones and name != "thing"]
        told = [name for name in fields if id[0] != "t" or not says_nothing(seen[name])]
        assert facts == [self.say.name(name.replace(".", " ").replace("_", " ")) for name in told]

    def zone(self, view: dict[str, Plain], seen: Plain) -> None:
        """Compare a zone: how many things, which, in which order."""
        if isinstance(seen, dict) and "count" in seen:
            assert view["see"] == "count" and view["count"] == seen["count"] and not view["things"]
            noted = seen.get("notes", {})
            loose = len(noted.get("somewhere", ()))
            assert len(view["notes"]) == len([one for one in noted if one != "somewhere"]) + loose
            return
        below = seen["undecided"] if isinstance(seen, dict) else []
        above = seen["above"] if isinstance(seen, dict) else seen
        assert view["see"] == "all" and view["undecided"] == len(below)
        assert view["count"] == len(view["things"]) == len(below) + len(above)
        ordered = view["ordered"]
        first, last = view["things"][: len(below)], view["things"][len(below) :]
        for things, shown, order in ((below, first, False), (above, last, ordered)):
            shown = shown if order else in_order(shown, things)
            for thing, one in zip(things, shown, strict=True):
                assert self.told(one, name_of(thing)) == name_of(thing)
                if isinstance(thing, dict):
                    self.holder(one, thing, one["id"])

    def told(self, view: dict[str, Plain], name: str) -> str:
        """Return the name that an observation gives a thing, if it is the one of the view."""
        return (
            name
            if name == view["label"] or name.startswith(f"{view['label']} (")
            else (view["label"])
        )


def in_order(shown: list[Plain], things: list[Plain]) -> list[Plain]:
    """Return shown things in the order of an observation: alike ones may stand in any."""
    left, found = list(shown), []
    for thing in things:
        name = name_of(thing)
        fitting = [
            one for one in left if name == one["label"] or name.startswith(f"{one['label']} (")
        ]
        best = max(fitting, key=lambda one: (len(one["label"]), fits(one, thing)))
        left.remove(best)
        found.append(best)
    return found


def fits(view: dict[str, Plain], thing: Plain) -> bool:
    """Return whether a shown thing has the facts of an observed one."""
    if not isinstance(thing, dict):
        return not view["facts"]
    texts = {
        name.replace(".", " ").replace("_", " "): value
        for name, value in thing.items()
        if name != "thing" and not is_zone(value) and not says_nothing(value)
    }
    if {one["name"] for one in view["facts"]} != set(texts):
        return False
    return all(
        str(texts[one["name"]]) == one["text"]
        for one in view["facts"]
        if one["type"] in ("number", "player", "thing", "enum", "text")
    ) and all(
        len(zone["things"]) == len(content)
        for zone in view["zones"]
        if isinstance(content := thing.get(zone["id"].partition(".")[2]), list)
    )


def name_of(thing: Plain) -> str:
    """Return the name of an observed thing."""
    return str(thing["thing"]) if isinstance(thing, dict) else str(thing)


def is_zone(content: Plain) -> bool:
    """Return whether this may be the content of a zone."""
    return isinstance(content, list) or (
        isinstance(content, dict) and bool({"count", "undecided"} & content.keys())
    )


def says_nothing(value: Plain) -> bool:
    """Return whether a field says nothing about a thing."""
    if isinstance(value, dict):
        return all(says_nothing(one) for one in value.values())
    return value in (None, False, 0, "", [])


# ---------------------------------------------------------------------------- references


def things_in(view: Plain) -> Iterator[dict[str, Plain]]:
    """Yield all things of a view."""
    if isinstance(view, dict):
        if "printed" in view:
            yield view
        for one in view.values():
            yield from things_in(one)
    elif isinstance(view, list):
        for one in view:
            yield from things_in(one)


def zones_in(view: Plain) -> Iterator[dict[str, Plain]]:
    """Yield all zones of a view."""
    if isinstance(view, dict):
        if "shape" in view and "see" in view:
            yield view
        for one in view.values():
            yield from zones_in(one)
    elif isinstance(view, list):
        for one in view:
            yield from zones_in(one)


def refs_in(view: Plain) -> Iterator[str]:
    """Yield all references of a view."""
    if isinstance(view, dict):
        for name, one in view.items():
            if name in ("refs", "touches", "context"):
                yield from one
            elif name == "ref":
                yield one
            else:
                yield from refs_in(one)
    elif isinstance(view, list):
        for one in view:
            yield from refs_in(one)


def references_are_shown(view: dict[str, Plain]) -> None:
    """Each reference names something in the view, and of alike options each has one of its own."""
    table = [view["shared"], view["seats"], view["maps"], view["loose"]]
    things = {one["id"] for one in things_in(table)}
    zones = {one["id"]: one for one in zones_in(table)}
    seats = {f"p{one['seat']}" for one in view["seats"]}
    for ref in refs_in(view):
        if ":" in ref:
            continue
        place, _, number = ref.partition("/")
        if number:
            assert place in zones and int(number) < zones[place]["count"], ref
        else:
            assert ref in things or ref in zones or ref in seats, ref
    question = view["question"]
    if question is not None and question["whole"]:
        taken = [ref for one in question["options"] for ref in one["refs"] if ref in things]
        assert len(set(taken)) == len(taken)


# ------------------------------------------------------------------------------- answers


def test_every_option_can_be_answered(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        table, agents = Table(start), Generator(start.agents)
        for _ in range(LOOKED_AT):
            if table.state.is_terminal():
                break
            seat = agents.pick(table.state.current_players())
            question = table.view(seat)["question"]
            single = not (question["whole"] or question["targets"])
            for option in question["options"]:
                if not (single or option["kind"] == "offer"):
                    continue
                given = Given(question["n"], options=(option["id"],))
                found = read_answer(table.state, seat, given, table.handles[seat])
                assert isinstance(found, Accepted), (option, found)
                assert play_record(table.state, seat, found.record).store == found.after.store
            wrong = [
                Given(question["n"] - 1, options=(0,)),
                Given(question["n"] + 1, options=(0,)),
                Given(question["n"], options=(len(question["options"]),)),
                Given(question["n"], options=(-1,)),
                Given(question["n"], options=(0, 0)),
                Given(question["n"], number=10**30),
                Given(question["n"], amounts={10**6: 1}),
                Given(question["n"], amounts={0: -1}),
            ]
            before = table.state.pack(log=True)
            for given in wrong:
                found = read_answer(table.state, seat, given, table.handles[seat])
                assert isinstance(found, Mistake) and found.text, given
            for other in range(table.state.game.num_players):
                if other not in table.state.current_players():
                    n = table.view(other)["n"]
                    given = Given(n, options=(0,))
                    found = read_answer(table.state, other, given, table.handles[other])
                    assert isinstance(found, Mistake) and found.stale
            assert table.state.pack(log=True) == before
            play_on(table, agents)

    holds()


def test_an_answer_that_is_taken_back_gives_a_new_number(rules: Rules, size: Size) -> None:
    @size.tries(2)
    @given(starts(rules))
    def holds(start: Start) -> None:
        table, agents = Table(start), Generator(start.agents)
        numbers: dict[int | None, int] = {}
        for _ in range(LOOKED_AT * 4):
            if table.state.is_terminal():
                break
            seat = agents.pick(table.state.current_players())
            question = table.view(seat)["question"]
            found = table.answer(seat, some_answer(question, agents))
            if isinstance(found, Mistake):
                continue
            here = table.view(seat)
            assert here["n"] > question["n"]
            if here["undo"]:
                found = table.answer(seat, Given(here["n"], undo=True))
                assert isinstance(found, Accepted)
                back = table.view(seat)
                assert back["n"] > here["n"] and back["question"] is not None
                assert back["question"]["prompt"] == question["prompt"]
            for one in table.handles:
                n = table.view(one)["n"]
                assert n >= numbers.get(one, 0)
                numbers[one] = n

    holds()


# -------------------------------------------------------------------------------- others


def test_nothing_moves_while_others_act_at_once(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules), st.integers(0, 2**16))
    def holds(start: Start, seed: int) -> None:
        table, agents = Table(start), Generator(start.agents)
        for _ in range(MOST // 2):
            if table.state.is_terminal():
                break
            fork = table.state.store.fork
            before = {one: table.view(one) for one in table.handles} if fork is not None else {}
            seat = agents.pick(table.state.current_players())
            question = table.view(seat)["question"]
            found = table.answer(seat, some_answer(question, agents))
            if isinstance(found, Mistake):
                continue
            if fork is None or table.state.store.fork is None:
                continue
            if table.state.store.fork.columns is not fork.columns:
                continue
            for one, view in before.items():
                if one != seat:
                    assert table.view(one) == view

    holds()


def test_a_watcher_is_shown_what_every_seat_sees(rules: Rules, size: Size) -> None:
    @size.tries(1)
    @given(starts(rules))
    def holds(start: Start) -> None:
        table, agents = Table(start), Generator(start.agents)
        for _ in range(LOOKED_AT):
            watched = table.view(None)
            assert watched["question"] is None and not watched["undo"]
            seen = {one["id"]: one for one in zones_in([watched["shared"], watched["seats"]])}
            # Who acts while others do has done things that nobody else sees yet.
            at_once = table.state.store.fork is not None
            for seat in () if at_once else range(table.state.game.num_players):
                view = table.view(seat)
                own = {one["id"]: one for one in zones_in([view["shared"], view["seats"]])}
                for id, zone in seen.items():
                    if id[0] == "t":
                        continue
                    assert id in own and own[id]["count"] == zone["count"]
                    assert zone["see"] == "count" or own[id]["see"] == "all"
            if not play_on(table, agents):
                break

    holds()
