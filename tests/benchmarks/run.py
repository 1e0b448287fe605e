"""Measure what playing from rules costs:  python tests/benchmarks/run.py [names] [--rounds N]

Names are games (ttt c4 kuhn jump2 jump3 jump4 jump5) and sections (copies start growth variants powers
environments); without names all are measured. The result is printed as Markdown.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from datetime import date

import environments
import growing
import linking
import powers
import rates
import starting
import storing
from candidates import CANDIDATES, NATIVE
from measuring import Table

from rulewright.dsl.files import library

SECTIONS = ("copies", "start", "growth", "variants", "powers", "environments")
NAMES = (*rates.GAMES, *SECTIONS)


def tables(names: Sequence[str], rounds: int, seconds: float) -> list[Table]:
    """Measure what is named and return the tables."""
    found = []
    games = [name for name in rates.GAMES if name in names]
    if games:
        measured = {name: rates.measure(name, rounds, seconds) for name in games}
        found.append(rates.table(measured))
    if "copies" in names:
        found.append(storing.table(storing.measure(rounds, seconds)))
    if "start" in names:
        found.append(starting.table(starting.measure(rounds)))
    if "growth" in names:
        series = {name: growing.measure(name, rounds, seconds) for name in growing.SERIES}
        found.append(growing.table(series))
    if "variants" in names:
        found.append(linking.table(linking.measure(rounds, seconds)))
    if "powers" in names:
        found.append(powers.table(powers.measure(rounds, seconds)))
    if "environments" in names and environments.IS_HERE:
        shelf = {name: environments.measure(name, rounds, seconds) for name in library.shelf()}
        found.append(environments.table(shelf))
    return found


def machine() -> str:
    """Return on what is measured."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{date.today()}, {python}, {platform.machine()}, {os.cpu_count()} cores"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of these: {' '.join(NAMES)}")
    parser.add_argument("--rounds", type=int, default=7, help="how many rounds (7)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="what a candidate gets in a round (0.3)"
    )
    parser.add_argument("--native", action="store_true", help="native code, too; builds take long")
    given = parser.parse_args(arguments)
    if given.native:
        CANDIDATES.update(NATIVE)
    for name in given.names:
        if name not in NAMES:
            parser.error(f"{name!r} is none of {' '.join(NAMES)}")
    if given.rounds < 1:
        parser.error("there must be a round")
    found = tables(given.names or NAMES, given.rounds, given.seconds)
    shown = [f"{machine()}; rounds: {given.rounds}", *(table.markdown() for table in found)]
    print("\n\n".join(shown))
    return 0


if __name__ == "__main__":
    sys.exit(main())
