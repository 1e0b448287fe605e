"""`rulewright graph` and `rulewright build`: what a game is compiled to.

`graph` prints the action graphs of a game, with its variants spliced in, as text to draw, or the Python
that is generated from them; `build` compiles that Python, so that random games run faster.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulewright.interpreter.cli.arguments import (
    UsageError,
    add_format,
    add_game,
    add_game_alone,
    add_variants,
    loaded,
    playable,
    unknown,
)
from rulewright.interpreter.terminal.status import FINE
from rulewright.interpreter.words.text import listed

if TYPE_CHECKING:
    from rulewright.dsl import model
    from rulewright.interpreter.program.program import Program


FORMATS = ("dot", "mermaid", "graphml", "svg", "python")


def add_graph(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `graph`."""
    add_game_alone(parser)
    parser.add_argument("verb", nargs="?", metavar="VERB", help="only this verb; all if missing")
    add_variants(parser)
    add_format(
        parser,
        FORMATS,
        "Graphviz (the default), Mermaid, GraphML, a picture, or the Python that plays it",
    )
    parser.add_argument(
        "--analysis",
        action="store_true",
        help="with colours and notes: what cannot fail, who may act at once, loops, dominators",
    )


def run_graph(arguments: argparse.Namespace) -> int:
    """Print the graphs of one verb or of all."""
    game = playable(arguments.game, arguments.variant).game
    units = None if arguments.verb is None else units_of(game, arguments.verb)

    if arguments.format == "python":
        if arguments.analysis:
            raise UsageError("`--analysis` is for drawings, not for Python")
        sys.stdout.write(_python(game, units or tuple(game.verbs)))
        return FINE

    from rulewright.dsl.ir.graph import graphs_of
    from rulewright.dsl.ir.notes import notes_of
    from rulewright.interpreter.ir import drawing, export

    write = {
        "dot": export.to_dot,
        "mermaid": export.to_mermaid,
        "graphml": export.to_graphml,
        "svg": drawing.to_svg,
    }
    notes = notes_of(game) if arguments.analysis else {}
    sys.stdout.write(write[arguments.format](graphs_of(game), units, notes))
    return FINE


def _python(game: model.Game, units: Iterable[str]) -> str:
    """Return the Python for as few players as may play."""
    from rulewright.interpreter.codegen.generated import source
    from rulewright.interpreter.play.loading import from_model

    return source(from_model(game).program, units)


def units_of(game: model.Game, named: str) -> tuple[str, ...]:
    """Return the graphs that belong to a verb: its overloads, or those of a watched condition."""
    word = named.replace(" ", "_")
    verbs = tuple(verb.id for verb in game.verbs.values() if word in (verb.id, verb.name))
    if not verbs:
        # `discard` of an instance is called `codes.discard`; its last part may be unique.
        verbs = tuple(
            verb.id for verb in game.verbs.values() if verb.name.rpartition(".")[2] == word
        )
    from rulewright.dsl.analysis.effects import watch_unit

    watches = tuple(map(watch_unit, game.watches))
    if not verbs and named in watches:
        return (named,)
    if not verbs:
        raise unknown_verb(named, (verb.name for verb in game.verbs.values()), watches)
    return verbs


def unknown_verb(named: str, verbs: Iterable[str], others: Iterable[str] = ()) -> Exception:
    """Return the error that there is no such verb."""
    names = [*dict.fromkeys(verbs), *others]
    return unknown("verb", named, names, f"verbs: {listed(names)}")


def add_build(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `build`."""
    add_game(parser)


def run_build(arguments: argparse.Namespace) -> int:
    """Build the library of a game and say so."""
    from rulewright.interpreter.native import building

    if arguments.no_cache:
        raise UsageError("what is built is kept in the cache folder: `--no-cache` leaves no place")
    try:
        building.require_tools()
        game = loaded(arguments)

        def fresh() -> Program:
            return loaded(arguments).program

        built = building.build(fresh)
    except building.CannotBuild as error:
        raise UsageError(f"nothing was built: {error}") from None
    sys.stdout.write(
        f"{game.model.title}, {game.num_players} players: {built.functions} functions compiled"
        f" ({built.size / 1e6:.1f} MB), after {built.games} random games\n"
    )
    return FINE
