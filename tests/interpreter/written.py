"""Games written as rule text for one test, and a table at which they are played.

table = played('''
each Player has
  points: number = 0, seen by players
to play
  as players
    choose n from 1..3
    add n to my.points
''')
assert table.menu == ["1", "2", "3"]
table.say("2")
"""

from __future__ import annotations

import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rulewright.dsl import model
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.interpreter.codegen.generated import generate
from rulewright.interpreter.engine import executor
from rulewright.interpreter.engine.load import Program, load_program
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.lookahead import lookahead
from rulewright.interpreter.program import decisions
from rulewright.interpreter.program.decisions import pending
from rulewright.interpreter.program.questions import DONE
from rulewright.interpreter.semantics import labels
from rulewright.interpreter.state.log import Event
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import PlaceValue, Thing, Value

GENERATED = False
"""Whether games run on Python that is generated from the rules; a test may say so."""

HEAD = 'language 1\ngame "Test" for 1..4 players\n'


def linked(*rules: str, variants: Mapping[str, str] | None = None) -> model.Game:
    """Return the model of a game, with all the variants (title -> rules) switched on."""
    return _linked(_joined(rules), tuple((variants or {}).items()))


def _joined(rules: Sequence[str]) -> str:
    """Return pieces of rule text, each indented as it likes, as one."""
    return "\n".join(textwrap.dedent(piece) for piece in rules)


@cache
def _linked(rules: str, variants: tuple[tuple[str, str], ...]) -> model.Game:
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "tested"
        (game / "variants").mkdir(parents=True)
        (game / "game.rules").write_text(HEAD + rules, encoding="utf-8")
        for number, (title, text) in enumerate(variants):
            head = f'language 1\nvariant "{title}" of tested\n'
            path = game / "variants" / f"variant_{number}.rules"
            path.write_text(head + textwrap.dedent(text), encoding="utf-8")
        compilation = compile_game(str(game), [title for title, _ in variants])
        return compilation.model_or_raise()


@cache
def _loaded(
    rules: str, players: int, variants: tuple[tuple[str, str], ...], generated: bool
) -> Program:
    names = ("ann", "ben", "cat", "dan")[:players]
    program = load_program(_linked(rules, variants), players, names=names)
    if generated:
        generate(program)
    return program


def loaded(*rules: str, players: int = 2, variants: Mapping[str, str] | None = None) -> Program:
    """Return a game ready to be played by ann, ben, cat and dan."""
    return _loaded(_joined(rules), players, tuple((variants or {}).items()), GENERATED)


class Table:
    """A running game, spoken to in labels."""

    def __init__(self, program: Program, store: Store) -> None:
        self.program = program
        self.store = store

    # ---------------------------------------------------------------------------------- the decision

    @property
    def asked(self) -> str:
        """Who is asked what: `ann: play.n`; empty if no decision waits."""
        waiting = pending(self.program, self.store)
        return "" if waiting is None else f"{waiting.player.name}: {waiting.site}"

    @property
    def values(self) -> list[Value]:
        """The options that live."""
        return list(lookahead.living(self.program, self.store))

    @property
    def menu(self) -> list[str]:
        """The labels of the options that live."""
        return self.labels(self.values)

    @property
    def all(self) -> list[str]:
        """The labels of all options as they stand."""
        return self.labels(list(decisions.options(self.program, self.store)))

    def labels(self, values: Sequence[Value]) -> list[str]:
        """Return the labels of options."""
        return list(decisions.option_labels(self.program, self.store, values))

    def value(self, label: str) -> Value:
        """Return the option of a label."""
        values = list(decisions.options(self.program, self.store))
        return dict(zip(self.labels(values), values, strict=True))[label]

    def say(self, *answers: str) -> Table:
        """Give answers by their labels."""
        for label in answers:
            executor.answer(self.program, self.store, self.value(label))
        return self

    def why(self, label: str) -> list[str]:
        """Return why an option does not live."""
        reasons = lookahead.explain_dead(self.program, self.store, self.value(label))
        return [reason.text for reason in reasons]

    # -------------------------------------------------------------------------------------- the state

    def seat(self, name: str) -> Thing:
        """Return a player by name."""
        return next(seat for seat in self.program.layout.players if seat.name == name)

    def at(self, field: str, holder: str | None = None) -> Value:
        """Return what a field of the game, of a player or of a thing holds, things as names."""
        layout = self.program.layout
        slot = layout.slots[field]
        index = 0
        if holder is not None:
            kind = layout.fields[slot].holder
            assert kind is not None
            index = next(
                thing.number for thing in layout.things[kind] if self.named(thing) == holder
            )
        return self.named(self.store.columns[slot][index])

    def named(self, value: Value) -> Value:
        """Return a value with things, places and enumerations as texts."""
        if isinstance(value, tuple):
            return [self.named(item) for item in value]
        if isinstance(value, PlaceValue):
            name = self.program.layout.fields[value.slot].name
            return name if value.holder is None else f"{self.named(value.holder)}.{name}"
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, Thing) and value.kind == "Player":
            return value.name
        shown = labels.named if isinstance(value, Thing) else labels.show
        return shown(value, None, self.store, self.program.evaluator)

    @property
    def told(self) -> list[Event]:
        """All events so far."""
        return list(self.store.events())

    @property
    def over(self) -> bool:
        """Whether nothing is left to run."""
        return executor.is_over(self.store)

    @property
    def ending(self) -> str | None:
        """The reason of the end."""
        return self.store.ending


def begun(
    *rules: str,
    players: int = 2,
    verb: str = "play",
    me: str | None = None,
    variants: Mapping[str, str] | None = None,
    seed: int = 0,
    chance: Sequence[Value] = (),
    explicit: bool = False,
) -> Table:
    """Return a table at which a verb is about to begin."""
    program = loaded(*rules, players=players, variants=variants)
    store = executor.begin(program, seed)
    table = Table(program, store)
    executor.begin_verb(program, store, verb, (), None if me is None else table.seat(me))
    store.strict = True
    store.dictated = tuple(chance)
    store.explicit_chance = explicit
    return table


def played(
    *rules: str,
    players: int = 2,
    verb: str = "play",
    me: str | None = None,
    variants: Mapping[str, str] | None = None,
    seed: int = 0,
    chance: Sequence[Value] = (),
    explicit: bool = False,
) -> Table:
    """Return a table at which a verb has run to its first decision."""
    table = begun(
        *rules,
        players=players,
        verb=verb,
        me=me,
        variants=variants,
        seed=seed,
        chance=chance,
        explicit=explicit,
    )
    executor.advance(table.program, table.store)
    return table


def operations(program: Program, unit: str, kind: str) -> list[Op]:
    """Return the operations of one kind of a unit."""
    return [op for op in program.code[unit] if op.kind == kind]


__all__ = ["DONE", "HEAD", "Table", "begun", "linked", "loaded", "operations", "played"]
