"""What the pages themselves say, in each language: `phrases/de.csv`, beside the phrases of the engine.

They are kept apart from those, as short words (`Back`, `Last`) would turn up among the names of a game.
"""

from __future__ import annotations

import csv
import functools
import io
from collections.abc import Mapping
from pathlib import Path

from rulewright.interpreter.words import translation
from rulewright.interpreter.words.translation import ENGLISH, Words

FOLDER = Path(__file__).parent / "phrases"


def languages() -> tuple[str, ...]:
    """Return the languages that the pages speak besides English."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))


@functools.cache
def own(language: str) -> Mapping[str, str]:
    """Return what the pages say in a language, by what it is in English."""
    if language not in languages():
        return {}
    text = (FOLDER / f"{language}.csv").read_text(encoding="utf-8")
    return {row[0]: row[1] for row in list(csv.reader(io.StringIO(text)))[1:] if row}


@functools.cache
def page_words(language: str) -> Words:
    """Return the words of the pages in a language; of an unknown one, English."""
    known = {**translation.phrases(language), **own(language)}
    return Words(known) if known else ENGLISH
