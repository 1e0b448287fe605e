"""Spaces with coordinates as a drawing: a state and a seat in, the lines of a board out.

Any kind whose things lie nowhere and have printed numbers `x` and `y` is a board:

    Cell
      2   .   ben
      1  ann   .
          1    2

What stands in a space is what the seat sees of its fields and zones, if they hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import kinds, model
from rulewright.interpreter import labels
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.store import Store
from rulewright.interpreter.table import WIDTH, centred
from rulewright.interpreter.values import Thing, Value

AXES = ("x", "y")
EMPTY = "."
MOST = 50
"""Rows and columns; a larger board is no help to anybody."""


def boards(program: Program, store: Store, seat: Thing) -> dict[str, list[str]]:
    """Return the drawing of each kind that is a board."""
    found = {}
    for kind in program.game.kinds.values():
        lines = _board(program, store, seat, kind)
        if lines:
            found[kind.name] = [kind.name, *lines]
    return found


def _board(program: Program, store: Store, seat: Thing, kind: model.Kind) -> list[str]:
    spaces = _spaces(program, store, kind)
    columns = sorted({x for x, _ in spaces})
    rows = sorted({y for _, y in spaces}, reverse=True)
    if not spaces or max(len(columns), len(rows)) > MOST:
        return []
    drawn = {
        at: "+".join(_contents(program, store, seat, thing)) or EMPTY
        for at, thing in spaces.items()
    }
    cells = [[str(y), *(drawn.get((x, y), "") for x in columns)] for y in rows]
    cells.append(["", *map(str, columns)])
    lines = centred(cells, "  ")
    return lines if max(map(len, lines)) <= WIDTH else []


def _spaces(program: Program, store: Store, kind: model.Kind) -> dict[tuple[int, int], Thing]:
    """Return the things of a kind by their coordinates; none if it is no board."""
    layout, game = program.layout, program.game
    printed = {game.fields[id].name: id for id in kind.fields if game.fields[id].printed}
    things = layout.things.get(kind.name, ())
    if kind.name == "Player" or not all(axis in printed for axis in AXES):
        return {}
    columns = [layout.printed[layout.slots[printed[axis]]] for axis in AXES]
    places = store.columns[layout.place_slots[kind.name]]
    spaces: dict[tuple[int, int], Thing] = {}
    for thing in things:
        at = columns[0][thing.number], columns[1][thing.number]
        numbers = all(isinstance(number, int) for number in at)
        if not numbers or at in spaces or places[thing.number] is not None:
            return {}
        spaces[at] = thing
    return spaces


def _contents(program: Program, store: Store, seat: Thing, thing: Thing) -> Iterator[str]:
    """Yield what a seat sees in a space."""
    layout, compiler = program.layout, program.evaluator
    for id in program.game.kinds[thing.kind].fields:
        field = program.game.fields[id]
        if field.printed:
            continue
        place = layout.places[layout.slots[id]][thing.number]
        value: Value = store.columns[place.slot][place.index]
        if value == layout.start_value(field.type) or value in (None, False, 0, ()):
            continue
        zone = isinstance(field.type, kinds.ZoneType)
        if compiler.visibility.sees(store, place, seat):
            shown = labels.in_words(field.name)
            yield shown if value is True else labels.show(value, seat, store, compiler)
        elif zone and compiler.visibility.sees_count(store, place, seat):
            yield f"{len(value)}?"
