"""Draws in which something was wrong once: what `test_many_samples` told, seen once more."""

from __future__ import annotations

import pytest
from playing import OWN, Rules, Start, play
from test_many_samples import Law, Point, broken_laws, seen_through


@pytest.mark.parametrize(
    ("law", "start", "moment", "seat", "draw"),
    [
        # A list that a pause went through was lost with what others have picked.
        (broken_laws, ("taps", 2, 1809895682, 1424699400), 3, 1, 826950147),
        # A name that no rule read any more was unknown in one world and not in the other.
        (seen_through, ("alarms", 2, 1555392994, 632935698), 3, 0, 1644043113),
        # Somebody looked at a tile who cannot take one: the guessed verb came from elsewhere.
        (broken_laws, ("face_down", 2, 3907224873, 3339762215), 1, 1, 2743356395),
        # A bid of an evening that has ended was guessed before anybody could bid.
        (broken_laws, ("stalls", 2, 1180953642, 2599043894), 0, 1, 3080915309),
        # What the question says shows a number that no like moment of the random games had.
        (broken_laws, ("whispers", 3, 2412, 32), 9, 0, 0),
        # A loop went through other dishes than those that its verb was handed.
        (broken_laws, ("kitchens", 2, 360103103, 658842370), 17, 0, 2724649163),
        # What was chosen had gone with an offer, so that it stood to choice no more.
        (broken_laws, ("taps", 3, 3478473153, 7071603), 27, 1, 3992814271),
        # The name of what a field points at told whether it lies in a hand or in a pile.
        (broken_laws, ("marked_cards", 2, 3113125959, 264216155), 16, 1, 2655834638),
    ],
)
def test_it_is_right_now(
    law: Law, start: tuple[str, int, int, int], moment: int, seat: int, draw: int
) -> None:
    name, players, seed, agents = start
    played = play(Start(Rules(OWN / name), players, seed, agents))
    point = Point(played, moment, played.program.layout.players[seat])

    assert not list(law(point, range(draw, draw + 1)))
