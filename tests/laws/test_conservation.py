"""Nothing is lost and nothing is doubled: every thing lies in one place, and that is known."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from playing import Rules, Size, Start, discovered, starts, steps
from worlds import zones

from rulewright.dsl.model import types
from rulewright.interpreter.engine.load import Program
from rulewright.interpreter.program.invariants import breaches
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GonePlace, PlaceValue, Thing


def census(program: Program, store: Store) -> list[str]:
    """Return what is wrong with where the things of a state lie."""
    layout = program.layout
    wrong: list[str] = []
    lying: dict[Thing, PlaceValue] = {}
    for place, things in zones(program, store):
        field = layout.fields[place.slot]
        assert isinstance(field.type, types.ZoneType)
        wrong += [f"{thing} lies twice" for thing in things if thing in lying]
        wrong += [
            f"{thing} is in {field.id}"
            for thing in things
            if types.ThingType(thing.kind) != field.type.kind
        ]
        lying.update(dict.fromkeys(things, place))
        if len(set(things)) < len(things):
            wrong.append(f"{field.id} of {place.holder} holds a thing twice")
        if field.type.shape == "slot" and len(things) > 1:
            wrong.append(f"{field.id} of {place.holder} holds {len(things)} things")
        if place.slot in layout.bag_slots:
            undecided = store.columns[layout.bag_slots[place.slot]][place.index]
            if not 0 <= undecided <= len(things):
                wrong.append(f"{field.id} of {place.holder} has a bag of {undecided}")
    for kind, things in layout.things.items():
        column = store.columns[layout.place_slots[kind]]
        for thing, noted in zip(things, column, strict=False):
            if isinstance(noted, GonePlace):
                if thing in lying or thing in store.things(kind):
                    wrong.append(f"{thing} has left the game and is there")
                continue
            if thing not in store.things(kind):
                wrong.append(f"{thing} is neither in the game nor out of it")
            if noted is not lying.get(thing):
                wrong.append(f"{thing} lies in {lying.get(thing)}, noted is {noted}")
            owner = store.columns[layout.owner_slots[kind]][thing.number]
            if owner is not None and owner not in layout.things["Player"]:
                wrong.append(f"{thing} belongs to {owner}")
            if noted is not None and noted.holder in layout.players and owner is not noted.holder:
                wrong.append(f"{thing} lies at {noted.holder} and belongs to {owner}")
    return wrong


def population(program: Program, store: Store) -> Counter[str]:
    """Return how many things of each kind lie somewhere."""
    return Counter(thing.kind for _, things in zones(program, store) for thing in things)


def test_things_are_conserved(rules: Rules, size: Size) -> None:
    @size.tries(3)
    @given(starts(rules))
    def holds(start: Start) -> None:
        program = start.program
        things = {kind: tuple(held) for kind, held in program.layout.things.items()}
        population_before: Counter[str] = Counter()
        for number, (store, _) in enumerate(steps(start)):
            assert not census(program, store)
            if number % 20 == 0:
                # What `check` looks at in random games must agree.
                assert not list(breaches(store))
            if store.fork is not None:
                # What one player creates, the others do not see before all are done.
                continue
            # What lay somewhere lies somewhere, unless it was taken out of the game.
            here = population(program, store)
            if not population_before <= here:
                assert any(event.kind == "destroy" for event in store.events())
            population_before = here
        assert {
            kind: held[: len(things[kind])] for kind, held in program.layout.things.items()
        } == {kind: type(program.layout.things[kind])(held) for kind, held in things.items()}

    holds()


def test_the_census_finds_what_is_wrong() -> None:
    rules = next(rules for rules in discovered() if rules.path.name == "marked_cards")
    start = Start(rules, 2, 0, 0)
    store, _ = next(iter(steps(start)))
    pile = start.program.layout.slots["cards.pile"]
    first, second, *others = store.columns[pile][0]

    store.columns[pile][0] = (first, first, *others)

    wrong = census(start.program, store)
    assert f"{first} lies twice" in " ".join(wrong) or "holds a thing twice" in " ".join(wrong)
    assert any(str(second) in line for line in wrong)
