"""What a player sees again later must be there then, whatever way it went."""

from __future__ import annotations

from rulewright.interpreter.knowledge.mixing import Group
from rulewright.interpreter.knowledge.sightings import held_to
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
