"""Columns to bytes and back: every sort of column, every width, and nothing that is none."""

from collections.abc import Iterator

import pytest
from duel import started

from rulewright.interpreter.play.api import State
from rulewright.interpreter.play.pack import IndexSection, NumberSection, ZoneSection, plan_of
from rulewright.interpreter.state.layout import SCALARS

SORTS = """
kind Suit is one of [moon, star]
each Card has
  rank: number
  next: Card?, seen by players
  suit: Suit?, seen by players
table Card for each rank in 1..{cards}
each Player has
  hand: cards of Card, seen by owner
  likes: Card? per Suit, seen by players
  tricks: number per Suit = 0, seen by players
  out: flag, seen by players
the game has, seen by players
  deck: pile of Card = Card, seen by []
  score: number = 0
  names: list of text = []
to play
  as players
    choose card from deck
    move card to my.hand
    set card.next to card
    set card.suit to moon
    set my.likes[moon] to card
    add 1 to my.tricks[star]
    set my.out to yes
    add 1 to score
    add "a name" to names
"""


def state_with(cards: int) -> State:
    """Return a game with so many cards, in the middle of it."""
    state = started(SORTS.replace("{cards}", str(cards)))
    state.apply_action(0)
    return state


@pytest.mark.parametrize("cards", [1, 2, 254, 255, 256, 300])
def test_columns_come_back_however_many_things_there_are(cards: int) -> None:
    state = started(SORTS.replace("{cards}", str(cards)))
    layout, columns = state.game.program.layout, state.store.columns
    things = layout.things["Card"]
    columns[layout.slots["Card.next"]][0] = things[-1]
    columns[layout.slots["Player.likes"]][1] = (things[-1], None)
    columns[layout.slots["Player.out"]][1] = True
    plan = plan_of(layout)

    back: list[list[object]] = [[]] * layout.size
    data = b"".join(section.pack(columns) for section in plan.sections)
    at = 0
    for section in plan.sections:
        at = section.unpack(data, at, back)
    for slot, count in plan.bare:
        back[slot] = [None] * count

    assert at == len(data)
    left = {SCALARS, *plan.others}
    assert [repr(one) for slot, one in enumerate(back) if slot not in left] == [
        repr(one) for slot, one in enumerate(columns) if slot not in left
    ]


def test_every_column_has_exactly_one_place() -> None:
    layout = state_with(3).game.program.layout
    plan = plan_of(layout)

    def slots() -> Iterator[int]:
        yield SCALARS
        yield from plan.others
        yield from (slot for slot, _ in plan.bare)
        for section in plan.sections:
            match section:
                case (
                    IndexSection(plain=plain, families=families)
                    | NumberSection(plain=plain, families=families)
                ):
                    yield from (part.slot for part in (*plain, *families))
                case ZoneSection():
                    yield section.place_slot
                    yield from (part.slot for part in section.parts)

    assert sorted(slots()) == list(range(layout.size))
    assert plan.others == (layout.slots["names"],)


@pytest.mark.parametrize(
    ("number", "width"),
    [(0, 1), (255, 1), (256, 4), (-1, 4), (-(2**31), 4), (2**31, 8), (10**15, 8), (-(10**15), 8)],
)
def test_numbers_are_as_wide_as_the_widest(number: int, width: int) -> None:
    state = state_with(3)
    layout, columns = state.game.program.layout, state.store.columns
    (section,) = (one for one in plan_of(layout).sections if isinstance(one, NumberSection))
    columns[layout.slots["score"]][0] = number
    columns[layout.slots["Player.tricks"]][1] = (number, 7)

    data = section.pack(columns)
    back: list[list[object]] = [[]] * layout.size
    end = section.unpack(b"..." + data, 3, back)

    assert len(data) == 1 + section.count * width and end == 3 + len(data)
    assert back[layout.slots["score"]] == [number]
    assert back[layout.slots["Player.tricks"]] == [(0, 1), (number, 7)]


def test_what_is_none_of_the_values_is_refused() -> None:
    state = state_with(3)
    columns = state.store.columns
    back: list[list[object]] = [[]] * state.game.program.layout.size
    for section in plan_of(state.game.program.layout).sections:
        data = section.pack(columns)
        for at in range(len(data)):
            broken = bytearray(data)
            broken[at] = 200
            if isinstance(section, NumberSection) and at:
                section.unpack(bytes(broken), 0, back)
                continue
            with pytest.raises((ValueError, IndexError)):
                section.unpack(bytes(broken), 0, back)
        for length in range(len(data)):
            with pytest.raises((ValueError, IndexError)):
                section.unpack(data[:length], 0, back)
