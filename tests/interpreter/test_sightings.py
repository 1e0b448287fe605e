"""What a player sees again later must be there then, whatever way it went."""

from __future__ import annotations

import pytest

from rulewright.interpreter.knowledge.mixing import Group, Mixing
from rulewright.interpreter.knowledge.sightings import held_to
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Thing

A, B, C = (Thing("Card", number, name) for number, name in enumerate("ABC"))


def test_what_is_seen_in_one_place_only_may_have_gone_every_way() -> None:
    groups = [Group(0, (A, B, C)), Group(1, (A, C)), Group(3, (A, B))]

    found = held_to(groups, {B: [4]})

    assert [one.held for one in found] == [
        {B: {A: 0.25, B: 0.5, C: 0.25}},
        {B: {A: 0.5}},
        {B: {B: 1.0}},
    ]


def test_nothing_comes_by_way_of_what_is_seen_to_be_something_else() -> None:
    groups = [Group(0, (A, B, C)), Group(1, (A, C)), Group(3, (A, B))]

    found = held_to(groups, {A: [2], B: [4]})

    assert [one.lines for one in found] == [(A, C), (A, C)]
    assert [set(one.held) for one in found] == [{A}, {A}]


@pytest.mark.parametrize("number", range(20))
def test_what_is_drawn_of_a_long_game_keeps_to_all_that_was_seen(number: int) -> None:
    generator = Generator(number)
    lines = [Thing("Card", one, str(one)) for one in range(16)]
    groups = [
        Group(time, tuple(generator.draw(lines, generator.pick(range(2, 6)))))
        for time in range(0, 160, 2)
    ]
    seen = {time: generator.draw(lines, 1) for time in range(21, 160, 4)}
    sightings: dict[Thing, list[int]] = {}
    for time, things in seen.items():
        for thing in things:
            sightings.setdefault(thing, []).append(time)
    mixing = Mixing(tuple(held_to(groups, sightings)), ())

    drawn = mixing.draw(generator)

    # All is as it really was in one way at least, so a way can be found.
    assert drawn is not None
    now = {line: line for line in lines}
    steps = iter([*drawn.steps, (160, {})])
    time, step = next(steps)
    for moment, things in seen.items():
        while time <= moment:
            now.update(step)
            time, step = next(steps)
        assert [now[thing] for thing in things] == list(things)
