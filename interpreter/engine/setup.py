"""A game, the number of players and the options in; all things, printed values and the start out.

Cells and ranges are expressions, and a cell may name a thing of a table that comes later. So the
things of all rows are made first, with their names; then come options, products of ranges and the
other cells, each behind what it reads. A fresh evaluator is made for each stage, since an evaluator
takes printed values for granted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from rulewright.dsl import model
from rulewright.dsl.link import loading_order
from rulewright.dsl.model import types
from rulewright.dsl.text.source import Span
from rulewright.interpreter.semantics.closures import Code
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.state.errors import LONGEST_LIST, PlayError
from rulewright.interpreter.state.layout import RANDOM, SCALARS, Layout, plan, settle
from rulewright.interpreter.state.random import seeded
from rulewright.interpreter.state.store import Store, blank
from rulewright.interpreter.state.values import Locals, Thing, Value

FLAGS: Mapping[str, bool] = {"yes": True, "no": False}


def give_options(layout: Layout, given: Mapping[str, Value]) -> None:
    """Fill in the options that somebody has chosen."""
    options = layout.game.options
    for name in given:
        if name not in options:
            raise ValueError(f"no option or ruling is called `{name}`")
    for name, value in given.items():
        layout.options[name] = option_value(layout, options[name], value)


def default_option(layout: Layout, name: str) -> None:
    """Fill in an option that nobody has chosen; all that it reads is known."""
    if name not in layout.options:
        layout.options[name] = _default(layout, layout.game.options[name])


def check_options(layout: Layout, given: Mapping[str, Value]) -> None:
    """Raise `PlayError` for an option that is out of its range."""
    for name, option in layout.game.options.items():
        changes = layout.game.option_changes.get(name, ())
        span = changes[-1].span if changes and name not in given else option.span
        _check_range(layout, option, layout.options[name], span)


def option_value(layout: Layout, option: model.OptionItem, given: Value) -> Value:
    """Return a chosen value as a value of the rules; words and digits are understood."""
    match option.type:
        case types.EnumType(name):
            for value in layout.enums[name]:
                if given is value or given == value.value:
                    return value
        case types.FlagType():
            if isinstance(given, bool):
                return given
            if given in FLAGS:
                return FLAGS[given]
        case types.NumberType():
            if isinstance(given, int) and not isinstance(given, bool):
                return given
            if isinstance(given, str) and given.removeprefix("-").isdecimal():
                return int(given)
        case types.TextType():
            if isinstance(given, str):
                return given
        case types.OptionalType(inner):
            if given is None or given == "none":
                return None
            return option_value(layout, attrs.evolve(option, type=inner), given)
        case _:
            return given
    raise PlayError("RW507", option.span, found=given, name=option.name)


def decided(layout: Layout) -> dict[str, Value]:
    """Return the options of a loaded game that are not as they would be if nobody had chosen."""
    return {
        name: layout.options[name]
        for name, option in layout.game.options.items()
        if layout.options[name] != _default(layout, option)
    }


def in_words(value: Value) -> str:
    """Return the value of an option as it can be written on a command line."""
    if isinstance(value, bool):
        return next(word for word, flag in FLAGS.items() if flag is value)
    return "none" if value is None else str(getattr(value, "value", value))


def _default(layout: Layout, option: model.OptionItem) -> Value:
    changes = layout.game.option_changes.get(option.name, ())
    if isinstance(option.default, model.Constant) and not changes:
        return option.default.value
    evaluator = Evaluator(layout.game, layout)
    code = evaluator.changed(evaluator.expression(option.default), changes)
    return code(blank(layout), None, {})


def _check_range(layout: Layout, option: model.OptionItem, value: Value, span: Span) -> None:
    """Raise `PlayError` if a value is outside of its range; `span` is what says the value."""
    if option.low is None and option.high is None:
        return
    evaluator, store = Evaluator(layout.game, layout), blank(layout)
    for bound, below in ((option.low, True), (option.high, False)):
        if bound is None or value is None:
            continue
        limit = evaluator.expression(bound)(store, None, {})
        if limit is not None and (value < limit if below else value > limit):
            raise PlayError("RW507", span, found=value, name=option.name)


# -------------------------------------------------------------------------------------------- setup


def load_layout(
    game: model.Game,
    players: int,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] = (),
) -> Layout:
    """Return the layout of a game for so many players, with all its things.

    `options` gives chosen values (an enumeration value may be given by its word), the others have
    their defaults; `names` are the names of the seats, `P1` and so on if missing.
    """
    if not game.least_players <= players <= game.most_players:
        wanted = f"{game.least_players} to {game.most_players}"
        raise ValueError(f"{game.title} is for {wanted} players, not for {players}")
    layout = plan(game)
    layout.players = tuple(
        Thing(
            "Player",
            number,
            row=number + 1,
            key=f"Player:{number + 1}",
            name=names[number] if number < len(names) else f"P{number + 1}",
        )
        for number in range(players)
    )
    layout.neutrals = tuple(
        Thing("Player", number, row=number + 1, key=f"Player:{one.id}", name=one.title)
        for number, one in enumerate(game.neutrals, players)
    )
    everybody = layout.players + layout.neutrals
    layout.things = dict.fromkeys(game.kinds, ()) | {"Player": everybody}
    give_options(layout, options or {})
    loader = _TableLoader(layout)
    loader.make_rows()
    for stage in loading_order.tables_and_options(game).items:
        if isinstance(stage, str):
            default_option(layout, stage)
        elif game.tables[stage].ranges:
            loader.make_product(stage)
        else:
            loader.fill_cells(stage)
    check_options(layout, options or {})
    loader.give_keys()
    for kind in layout.living_slots:
        # From now on it grows when a game has more things than any before.
        layout.tabled[kind] = len(layout.things[kind])
        layout.things[kind] = list(layout.things[kind])
    settle(layout)
    return layout


class _TableLoader:
    """Makes the things of all tables and their printed values."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.tables = layout.game.tables
        self.rows: list[list[list[Thing]]] = [[] for _ in self.tables]
        """For each table its rows, for each row its copies."""

        self.values: dict[str, dict[Thing, Value]] = {
            field.id: {} for field in layout.game.fields.values() if field.printed
        }
        self.names: dict[str, str] = {}
        """For each kind the id of its printed field `name`, if it has one."""

        for field in layout.game.fields.values():
            if field.printed and field.name == "name" and field.holder is not None:
                self.names[field.holder] = field.id
        if "Player" in self.names:
            self.values[self.names["Player"]] = {
                seat: seat.name for seat in layout.things["Player"]
            }
        self.publish()

    def make_rows(self) -> None:
        """Make the things of all rows, and their names."""
        for table, rows in zip(self.tables, self.rows, strict=True):
            evaluator, store = self.evaluator()
            seats = iter(self.layout.players)
            for row in table.rows:
                if table.kind == "Player":
                    # There are as many as play, and they have names already.
                    rows.append([seat for seat in (next(seats, None),) if seat is not None])
                    continue
                name = ""
                for field, cell in row.cells:
                    if field == self.names.get(table.kind):
                        name = evaluator.expression(cell)(store, None, {}) or ""
                rows.append([Thing(table.kind, 0, name=name) for _ in range(row.copies)])
        self.publish()

    def make_product(self, number: int) -> None:
        """Make the things of a product of ranges."""
        table, rows = self.tables[number], self.rows[number]
        evaluator, store = self.evaluator()
        codes = [evaluator.expression(values) for _, _, values in table.ranges]
        for chosen in self.combinations(table, codes, store, {}):
            if len(rows) >= LONGEST_LIST:
                expected = f"{LONGEST_LIST:,} things"
                raise PlayError("RW709", table.span, expected=expected)
            thing = Thing(table.kind, 0)
            rows.append([thing])
            for local, field, _ in table.ranges:
                self.values[field][thing] = chosen[local]
                if field == self.names.get(table.kind):
                    thing.name = str(chosen[local])
        self.publish()

    def combinations(
        self, table: model.Table, codes: Sequence[Code], store: Store, chosen: Locals
    ) -> Iterator[Locals]:
        """Yield the values of the ranges, the last one running fastest."""
        level = len(chosen)
        if level == len(codes):
            yield chosen
            return
        for value in codes[level](store, None, chosen):
            inner = {**chosen, table.ranges[level][0]: value}
            yield from self.combinations(table, codes, store, inner)

    def fill_cells(self, number: int) -> None:
        """Evaluate the cells of all rows of a table, one value for all copies of a row."""
        table = self.tables[number]
        if not table.rows:
            return
        evaluator, store = self.evaluator()
        filled: dict[str, None] = {}
        for row, copies in zip(table.rows, self.rows[number], strict=True):
            for field, cell in row.cells:
                if table.kind == "Player" and field == self.names.get("Player"):
                    continue
                if isinstance(cell, model.Constant):
                    value: Value = cell.value
                else:
                    value = evaluator.expression(cell)(store, None, {})
                values = self.values[field]
                for thing in copies:
                    values[thing] = value
                filled[field] = None
        self.write_down(filled)

    def evaluator(self) -> tuple[Evaluator, Store]:
        """Return an evaluator of what is known so far, and a store to go with it."""
        return Evaluator(self.layout.game, self.layout), blank(self.layout)

    def publish(self) -> None:
        """Number the things made so far, and write down their printed values."""
        layout = self.layout
        made: dict[str, list[Thing]] = {kind: [] for kind in layout.things if kind != "Player"}
        for table, rows in zip(self.tables, self.rows, strict=True):
            if table.kind != "Player":
                made[table.kind] += [thing for copies in rows for thing in copies]
        layout.by_name = {}
        for kind, things in made.items():
            for number, thing in enumerate(things):
                thing.number = number
            layout.things[kind] = tuple(things)
        for kind, listed in layout.things.items():
            for thing in listed:
                if thing.name:
                    layout.by_name.setdefault((kind, thing.name), thing)
        for neutral, thing in zip(layout.game.neutrals, layout.neutrals, strict=True):
            layout.by_name["Player", neutral.id] = thing
        self.write_down(self.values)

    def write_down(self, fields: Iterable[str]) -> None:
        """Write down what is known of the printed values of some fields."""
        layout = self.layout
        for id in fields:
            field, values = layout.game.fields[id], self.values[id]
            missing = layout.start_value(field.type)
            held = layout.printed if layout.slots[id] >= layout.size else layout.table_values
            things = layout.holders(field)
            held[layout.slots[id]] = (
                (missing,)
                if field.holder is None
                else tuple([values.get(one, missing) for one in things])
            )

    def give_keys(self) -> None:
        """Give each thing its row and copy, and its key: by its name, if no other has that."""
        counts: Counter[str] = Counter()
        for table, rows in zip(self.tables, self.rows, strict=True):
            if table.kind == "Player":
                continue
            for copies in rows:
                counts[table.kind] += 1
                for copy, thing in enumerate(copies, 1):
                    thing.row, thing.copy = counts[table.kind], copy
        for kind, things in self.layout.things.items():
            named = Counter(thing.name for thing in things)
            for thing in things:
                if kind != "Player":
                    alone = thing.name and named[thing.name] == 1
                    last = thing.name if alone else f"{thing.row}.{thing.copy}"
                    thing.key = f"{kind}:{last}"
                self.layout.by_key[thing.key] = thing


# ----------------------------------------------------------------------------------------- the start


def start_store(evaluator: Evaluator, seed: int | str = 0) -> Store:
    """Return the start of a game: all fields and zones as declared."""
    if evaluator.start_columns is None:
        evaluator.start_columns = _started(evaluator).columns
    store = Store(evaluator.layout, [column.copy() for column in evaluator.start_columns])
    store.columns[SCALARS][RANDOM] = seeded(seed)
    return store


def _started(evaluator: Evaluator) -> Store:
    layout = evaluator.layout
    store = blank(layout)
    for id in loading_order.starts(layout.game).items:
        field = layout.game.fields[id]
        if field.printed or field.default is None:
            continue
        slot, start = layout.slots[field.id], evaluator.start(field.id)
        check = evaluator.range_check(field.id)
        holders: Sequence[Thing | None] = (None,)
        if field.holder is not None:
            holders = layout.holders(field)[: layout.length(field)]
        for index, holder in enumerate(holders):
            value = start(store, holder)
            if isinstance(field.type, types.ZoneType):
                _lay_out(store, field, index, _listed(value))
                continue
            if check is not None:
                check(store, holder, value, field.default.span)
            store.write(slot, index, value)
    return store


def _listed(value: Value) -> tuple[Thing, ...]:
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def _lay_out(store: Store, field: model.Field, index: int, things: tuple[Thing, ...]) -> None:
    """Put the things of a start value into a zone; each may start in one zone only."""
    layout, zone, default = store.layout, field.type, field.default
    assert isinstance(zone, types.ZoneType) and default is not None
    slot = layout.slots[field.id]
    place = layout.places[slot][index]
    if zone.shape == "slot" and len(things) > 1:
        raise PlayError("RW708", default.span, name=field.name)
    for thing in things:
        places = layout.place_slots[thing.kind]
        if store.columns[places][thing.number] is not None:
            name = thing.name or thing.key
            raise PlayError("RW409", default.span, name=name)
        store.write(places, thing.number, place)
        if field.holder == "Player":
            store.write(layout.owner_slots[thing.kind], thing.number, place.holder)
    store.write(slot, index, things)
