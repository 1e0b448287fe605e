"""Colours of values: what everybody expects, and otherwise always the same."""

import itertools
import re

import pytest

from rulewright.interpreter.web import colours
from rulewright.interpreter.web.colours import Palette, hues


def test_words_for_colours_have_theirs_in_both_languages() -> None:
    assert hues(["blue", "dark", "light"]) == ("h1", "hk", "hw")
    assert hues(["blau", "dunkel", "weiß"]) == ("h1", "hk", "hw")


def test_colour_words_come_before_natural_things_whatever_the_order() -> None:
    assert hues(["water", "blue"]) == ("h3", "h1")
    assert hues(["wood", "water"]) == ("h7", "h1")


@pytest.mark.parametrize("count", range(12))
def test_no_hue_comes_twice(count: int) -> None:
    assert len(set(hues([f"value {n}" for n in range(count)]))) == count


def test_a_palette_does_not_change_with_what_is_in_sight() -> None:
    values = ["one", "two", "blue"]
    known = Palette({"Sort": values})
    known.learn("Sort", 7, "nonsense")

    assert [known.hue("Sort", n) for n in range(3)] == list(hues(values))
    assert known.hue("Other", 0) == "plain"


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * one for one in digits)
    red, green, blue = (linear(int(digits[at : at + 2], 16) / 255) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def schemes() -> list[dict[str, str]]:
    """Return the variables of the style sheet, light and dark."""
    folder = colours.__file__.rpartition("/")[0]
    with open(f"{folder}/static/table.css", encoding="utf-8") as file:
        text = file.read()
    light, dark = re.findall(r":root \{(.*?)\}", text, re.DOTALL)[:2]
    pair = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{3,6})\s*;")
    bright = dict(pair.findall(light))
    return [bright, {**bright, **dict(pair.findall(dark))}]


def test_all_pairs_of_colours_can_be_read() -> None:
    hues_ = [*map(str, range(8)), "w", "k", "g2"]
    pairs = [(f"b{one}", f"f{one}") for one in hues_ if one != "g2"] + [("bg2", "fg2")]
    pairs += [("paper", f"s{n}") for n in range(8)] + [("bg", f"s{n}") for n in range(8)]
    pairs += list(itertools.product(("paper", "bg", "felt"), ("ink", "soft", "accent")))
    pairs += [("accent", "on-accent"), ("paper", "warn")]

    for number, scheme in enumerate(schemes()):
        for ground, text in pairs:
            assert contrast(scheme[ground], scheme[text]) >= 4.5, (number, ground, text)
