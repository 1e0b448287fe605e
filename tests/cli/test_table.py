"""Plain observations as text."""

import re

from rulewright.interpreter.program.scoring import SheetLine
from rulewright.interpreter.terminal.ending import needed_criteria
from rulewright.interpreter.terminal.table import columns, in_columns, shown, state_lines, wrapped


def test_an_observation_is_shown_with_what_lies_in_what() -> None:
    observation = {
        "you": "ann",
        "game": {
            "circle": [
                {"thing": "Anno", "claim": None, "inside": {"count": 2}, "open": ["red", "red"]},
                {"thing": "Cinder", "claim": "ann", "inside": {"count": 0}, "open": []},
            ],
            "gate": {"ann": 1, "ben": 0},
            "codes.pile": {"count": 7},
        },
        "players": {
            "ann": {"hand": ["Code 3", "Code 5", "Code 5"], "passed": False},
            "ben": {"hand": {"count": 4}, "passed": True},
        },
        "things": {"SpaceStation": [{"thing": "Alpha", "crew": 3}, {"thing": "Beta", "crew": 3}]},
        "ending": None,
    }

    assert state_lines(observation) == [
        "the game",
        "  circle:",
        "    Anno, inside: 2 unseen; open: 2 x red",
        "    Cinder, claim: ann",
        "  gate: ann 1, ben 0; codes pile: 7 unseen",
        "SpaceStation",
        "  crew: 3: Alpha, Beta",
        "you (ann)",
        "  hand: Code 3, 2 x Code 5; passed: no",
        "ben",
        "  hand: 4 unseen; passed: yes",
    ]


def test_what_is_empty_or_not_there_is_listed_behind_all_others() -> None:
    holder = {"place": None, "hand": {"count": 0}, "points": 0, "marks": [], "friend": None}
    observation = {"you": "ann", "game": {}, "players": {"ann": holder}, "things": {}}

    assert state_lines(observation) == [
        "you (ann)",
        "  points: 0",
        "  empty: hand, marks; none: place, friend",
    ]


def test_hidden_things_may_bear_what_all_can_see() -> None:
    hidden = {"count": 3, "notes": {"1": {"hints": ["red"]}, "somewhere": [{"marked": True}]}}

    assert shown(hidden) == "3 unseen; number 2: hints red; one of them: marked yes"


def test_a_pile_whose_order_is_not_decided_says_so() -> None:
    pile = {"undecided": ["Code 1", "Code 2"], "above": ["Code 9"]}

    assert shown(pile) == "in an order that nobody knows: Code 1, Code 2; above: Code 9"
    assert shown({"undecided": [], "above": ["Code 9"]}) == "Code 9"
    assert shown({"undecided": [], "above": []}) == "nothing"


def test_of_a_long_family_only_what_holds_something_is_shown() -> None:
    family = {f"good {number}": 0 for number in range(9)} | {"good 4": 2}

    assert shown(family) == "good 4 2"
    assert shown(dict.fromkeys(family, 0)) == "nothing"


def test_a_long_hand_is_a_small_table() -> None:
    hand = [f"Card {name} (cost {name}, red, worth {9 - name})" for name in range(7)]
    holder = {"hand": hand, "lots": ["Coin (side red)"] * 2 + ["Coin (side blue)"] * 30}
    observation = {"you": "ann", "game": {}, "players": {"ann": holder}, "things": {}}

    lines = state_lines(observation)

    assert lines[1:4] == [
        "  hand:",
        "    Card 0  cost 0, red, worth 9",
        "    Card 1  cost 1, red, worth 8",
    ]
    assert lines[-1] == "  lots: 2 x Coin (side red), 30 x Coin (side blue)"


def test_of_the_families_of_a_thing_only_what_holds_something_is_shown() -> None:
    thing = {"thing": "Cinder", "scans": {"ann": 0, "ben": 2}, "gates": {"ann": 0, "ben": 0}}

    assert shown([thing]) == "Cinder, scans: ben 2"


def test_long_lines_are_broken_and_indented() -> None:
    observation = {
        "you": "ann",
        "game": {},
        "players": {"ann": {"hand": [f"a card with a long name {number}" for number in range(9)]}},
        "things": {},
        "ending": None,
    }

    lines = state_lines(observation)

    assert len(lines) > 3
    assert max(map(len, lines)) <= 100
    assert all(line.startswith("      ") for line in lines[2:])


def test_control_characters_of_rules_are_not_shown() -> None:
    observation = {"you": "a", "game": {"x": "\x1b[2J"}, "players": {}, "things": {}}

    assert state_lines(observation) == ["the game", "  x:  [2J"]


def test_numbers_stand_below_each_other() -> None:
    rows = [["", "ann", "ben"], ["planets", "8", "16"], ["score", "8", "116"]]

    assert columns(rows) == ["         ann  ben", "planets    8   16", "score      8  116"]


def test_as_many_criteria_are_shown_as_tell_the_players_apart() -> None:
    def needed(*values: tuple[int, ...]) -> int:
        return needed_criteria([SheetLine("", line) for line in values])

    assert needed((3, 2, 1), (0, 0, 0)) == 1
    assert needed((3, 3, 1), (1, 2, 0), (5, 5, 5)) == 2
    assert needed((3, 3, 1), (2, 2, 0), (5, 5, 5)) == 1
    assert needed((3, 3, 1), (2, 2, 0), (5, 4, 5)) == 3


def test_short_entries_stand_in_columns_from_the_top_to_the_bottom() -> None:
    assert in_columns(["1  A", "2  B", "3  CC", "4  D", "5  E"], room=18) == [
        "1  A    4  D",
        "2  B    5  E",
        "3  CC",
    ]
    assert in_columns(["a long entry", "b"], room=18) == ["a long entry", "b"]


def test_a_line_is_broken_neither_in_brackets_nor_between_a_number_and_what_it_counts() -> None:
    hand = "Card (jump 1, scan 3), Long Name (jump 2), 3 x Card (3 unseen), 12 tokens, cost 14"

    for room in range(24, 90):
        for line in wrapped("hand", hand, room):
            assert len(line) <= room
            assert line.count("(") == line.count(")")
            assert not re.search(r"\d$|^ *tokens|x$|cost$", line) or line.endswith("cost 14")


def test_brackets_that_find_no_room_in_a_line_are_broken_between_their_parts() -> None:
    assert wrapped("", "Rebel Base (military world, cost 6, rebels)", 20) == [
        "Rebel Base",
        "    (military world,",
        "    cost 6, rebels)",
    ]


def test_brackets_begin_a_new_line_with_what_they_belong_to() -> None:
    assert wrapped("", "box: Survey Team (cost 1, income 1), empty", 35) == [
        "box:",
        "    Survey Team (cost 1, income 1),",
        "    empty",
    ]
    assert wrapped("", "box: Survey Team (cost 1), empty", 26) == [
        "box: Survey Team (cost 1),",
        "    empty",
    ]


def test_what_is_short_between_semicolons_stays_whole() -> None:
    assert wrapped("", "n nothing; @c place of cleo; l# landing code", 22) == [
        "n nothing;",
        "    @c place of cleo;",
        "    l# landing code",
    ]


def test_things_of_one_name_stand_side_by_side_where_they_need_more_than_two_lines() -> None:
    hand = [f"Card (jump {number}, scan 3)" for number in range(6)]
    observation = {"you": "ann", "game": {}, "players": {"ann": {"hand": hand}}, "things": {}}

    assert state_lines(observation, room=60) == [
        "you (ann)",
        "  hand:",
        "    Card (jump 0, scan 3)   Card (jump 3, scan 3)",
        "    Card (jump 1, scan 3)   Card (jump 4, scan 3)",
        "    Card (jump 2, scan 3)   Card (jump 5, scan 3)",
    ]
