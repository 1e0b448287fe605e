"""What the fields of a form mean."""

import pytest

from rulewright.interpreter.web.forms import MOST_FIELDS, Form, read_form


def test_options_come_as_they_were_clicked() -> None:
    fields = [("n", "7"), ("option", "1"), ("option", "2"), ("option", "4"), ("order", "4,1,2")]

    assert read_form(fields) == Form(7, (4, 1, 2))


def test_without_a_script_places_say_the_order() -> None:
    fields = [("n", "7"), ("place-0", "2"), ("place-1", ""), ("place-3", "1"), ("order", "")]

    assert read_form(fields).options == (3, 0)


def test_what_is_ticked_without_a_place_comes_last() -> None:
    fields = [("option", "5"), ("place-3", "1"), ("place-5", "")]

    assert read_form(fields).options == (3, 5)


def test_an_order_chooses_nothing_by_itself() -> None:
    assert read_form([("option", "1"), ("order", "2,1,1")]).options == (1,)


def test_an_option_that_is_sent_twice_is_one() -> None:
    # A box stands on a tile and in the list.
    assert read_form([("option", "1"), ("option", "1")]).options == (1,)


def test_amounts_and_a_number() -> None:
    found = read_form([("amount-0", "2"), ("amount-3", "-1"), ("number", "40"), ("undo", "1")])

    assert found.amounts == {0: 2, 3: -1}
    assert (found.number, found.undo, found.hint) == (40, True, False)


@pytest.mark.parametrize("text", ["", "x", "1.5", "²", "٣", "1e3", "9" * 40, "--1", "1 2"])
def test_what_is_no_number_is_not_there(text: str) -> None:
    fields = [
        ("n", text),
        ("option", text),
        ("number", text),
        ("amount-1", text),
        (f"amount-{text}", "1"),
    ]

    assert read_form(fields) == Form()


def test_no_more_fields_are_read_than_a_page_has() -> None:
    assert len(read_form([("option", str(n)) for n in range(9999)]).options) == MOST_FIELDS
