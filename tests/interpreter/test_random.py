"""The generator is splitmix64 to the last bit, and draws are even."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from rulewright.interpreter.state import random


def test_the_generator_gives_the_published_numbers() -> None:
    state, outputs = random.seeded(1234567), []
    for _ in range(5):
        state, output = random.step(state)
        outputs.append(output)

    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_text_is_a_seed_like_a_number() -> None:
    assert random.seeded("a") == random.seeded("a")
    assert random.seeded("a") != random.seeded("b")
    assert random.seeded(-1) == random.MASK


@given(st.integers(0, random.MASK), st.integers(1, 10**6))
def test_a_number_below_a_bound_is_below_it(state: int, bound: int) -> None:
    _, number = random.below(state, bound)

    assert 0 <= number < bound


def test_outputs_beyond_the_last_multiple_are_rejected() -> None:
    # For this bound nearly half of all outputs have to be thrown away.
    bound = 2**63 + 1
    state, rejected = random.seeded(3), 0
    for _ in range(50):
        before = state
        state, number = random.below(state, bound)
        first = random.step(before)[1]
        rejected += first >= bound
        assert number == first or first >= bound

    assert rejected > 10


def test_nothing_is_below_zero() -> None:
    with pytest.raises(ValueError, match="below 0"):
        random.below(1, 0)


def test_one_outcome_takes_no_randomness() -> None:
    assert random.below(42, 1) == (42, 0)


@given(st.integers(0, random.MASK), st.lists(st.integers(), max_size=20))
def test_a_shuffle_keeps_all_items(state: int, items: list[int]) -> None:
    _, order = random.shuffled(state, items)

    assert Counter(order) == Counter(items)


def test_a_draw_keeps_the_order_of_what_is_left() -> None:
    state = random.seeded(5)
    after, drawn = random.draw(state, "abcd", 2)
    middle, first = random.below(state, 4)
    end, second = random.below(middle, 3)
    left = [letter for letter in "abcd" if letter != "abcd"[first]]

    assert drawn == ("abcd"[first], left[second])
    assert after == end


def test_more_than_all_cannot_be_drawn() -> None:
    assert sorted(random.draw(1, [1, 2], 5)[1]) == [1, 2]


def test_dice_are_even() -> None:
    _, faces = random.roll(random.seeded(9), 6000, 6)
    counts = Counter(faces)

    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert all(850 < count < 1150 for count in counts.values())


def test_a_generator_remembers_its_state() -> None:
    generator, other = random.Generator(4), random.Generator(4)
    first = [generator.below(100) for _ in range(3)]

    assert first == [other.below(100) for _ in range(3)]
    assert generator.state == other.state
    assert generator.pick("abc") == other.pick("abc")
    assert generator.shuffled("abcdef") == other.shuffled("abcdef")
    assert generator.draw("abcdef", 3) == other.draw("abcdef", 3)
