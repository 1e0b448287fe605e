"""Values in words, as a player sees them: `Cinder`, `Code (number 3)`, `a face-down Resource`.

A thing that the reader does not see where it lies is never named. Texts for everybody (`viewer` is
None) name what every seat sees.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.text.codes import with_article
from rulewright.interpreter.semantics.closures import THIS, Compiler, constant_of
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, PlayError, Undecided
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import (
    GONE,
    Closure,
    EnumValue,
    Locals,
    PlaceClosure,
    PlaceValue,
    Thing,
    Value,
    VerbValue,
)
from rulewright.interpreter.words.translation import ENGLISH, Words

UNDECIDED = "…"


def looked_at(store: Store, read: Callable[[], Value]) -> Value:
    """Return what a text reads. Nobody looks at anything by being told a name or a label, so a text
    ends no transaction, and what chance has not decided stays undecided: `…`."""
    viewer, store.viewer = store.viewer, None
    try:
        return read()
    except Undecided:
        return UNDECIDED
    finally:
        store.viewer = viewer


def show(value: Value, viewer: Thing | None, store: Store, compiler: Compiler) -> str:
    """Return a value in words, as a player sees it; None: as everybody does."""
    words = compiler.words
    match value:
        case None:
            return words("none")
        case bool():
            return words("yes" if value else "no")
        case int():
            return str(value)
        case str():
            return words.filled(value)
        case Thing():
            return show_thing(value, viewer, store, compiler)
        case EnumValue():
            return words.name(value.shown)
        case tuple():
            listed = ", ".join(show(item, viewer, store, compiler) for item in value)
            return listed or words("nothing")
        case VerbValue():
            return show_verb(value, viewer, store, compiler)
        case PlaceValue():
            return show_place(value, viewer, store, compiler)
        case Closure() | PlaceClosure():
            return words("an expression")
    raise TypeError(f"{value!r} is no value")


def in_words(name: str) -> str:
    """Return a name of the rules as words: `take_action` is `take action`."""
    return name.rpartition(".")[2].replace("_", " ")


def show_thing(thing: Thing, viewer: Thing | None, store: Store, compiler: Compiler) -> str:
    """Return the name of a thing, or its kind and printed fields, or what a reader sees of it."""
    seen = compiler.visibility.sees_thing(store, thing, viewer)
    return named(thing, viewer, store, compiler) if seen else unseen(thing.kind, compiler)


def unseen(kind: str, compiler: Compiler) -> str:
    """Return what can be said of a hidden thing of a kind: that it lies face down if it does wherever it may lie hidden,
    so that nobody is told where it lies."""
    words = compiler.words
    if kind in compiler.layout.face_down:
        return words("a face-down {kind}", kind=words.name(kind))
    return one_of(kind, words)


def one_of(kind: str, words: Words) -> str:
    """Return `a Code`: some thing of a kind."""
    name = words.name(in_words(kind))
    # An article belongs to its language; one that has a phrase of its own says it.
    own = words.name("a {kind}")
    return with_article(name) if own == "a {kind}" else own.format(kind=name)


def named(thing: Thing, viewer: Thing | None, store: Store, compiler: Compiler) -> str:
    """Return the name of a thing that is seen: its name, or its kind and printed fields."""
    kind = compiler.game.kinds.get(thing.kind)
    if kind is not None and kind.name_define is not None:
        me = thing if thing.kind == "Player" else viewer
        code = compiler.define(kind.name_define)
        value = looked_at(store, lambda: code(store, me, {THIS: thing}))
        return show(value, viewer, store, compiler)
    if thing.name or kind is None:
        # Players are called what they call themselves.
        named_so = thing.name or thing.key
        return named_so if thing in compiler.layout.players else compiler.words.name(named_so)
    for id in kind.fields:
        field = compiler.game.fields[id]
        if field.name == "name" and compiler.layout.slots[id] < compiler.layout.size:
            slot = compiler.layout.slots[id]
            return show(store.columns[slot][thing.number], viewer, store, compiler)
    listed = printed(thing, viewer, store, compiler)
    said = compiler.words.name(thing.kind)
    return f"{said} ({listed})" if listed else said


def printed(
    thing: Thing,
    viewer: Thing | None,
    store: Store,
    compiler: Compiler,
    *,
    worked_out: bool = False,
    numbers: bool = True,
    besides: str = "",
) -> str:
    """Return what is printed on a thing besides its name: `jump 1, scan 4, landing 2 + 3`.

    What stands as a word in `besides`, a name that the rules have made up, is not said again.

    Of a formula nothing is said; with `worked_out` its value, or `?` unless the viewer sees all that it
    reads.
    """
    details = []
    kind = compiler.game.kinds.get(thing.kind)
    for id in () if kind is None else kind.fields:
        field = compiler.game.fields[id]
        counted = isinstance(field.type, types.NumberType)
        if field.printed and field.name != "name" and (numbers or not counted):
            slot = compiler.layout.slots[id]
            column = compiler.layout.printed.get(slot) or store.columns[slot]
            value = column[thing.number]
            formula = formula_of(thing, field, compiler)
            if formula is None:
                if value == 0 and counted and _is_usual(kind, 0, column, compiler):
                    continue
            else:
                known, value = False, None
                if worked_out:
                    known, value = seen_value(thing, field, viewer, store, compiler)
                if not known:
                    if worked_out:
                        details.append(f"{compiler.words.name(in_words(field.name))} ?")
                    continue
            if besides and says(besides, show(value, viewer, store, compiler)):
                continue
            details.append(detail(field, value, viewer, store, compiler))
    return ", ".join(detail for detail in details if detail)


def _is_usual(
    kind: model.Kind | None, value: Value, column: Sequence[Value], compiler: Compiler
) -> bool:
    """Return whether a number says nothing about a thing that has a name: it is the most frequent one."""
    if kind is None:
        return False
    named = kind.name_define is not None or any(
        compiler.game.fields[id].name == "name" for id in kind.fields
    )
    return named and Counter(column).most_common(1)[0][0] == value


def says(name: str, value: str) -> bool:
    """Return whether a name says the words of a value."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", name) is not None


def formula_of(thing: Thing, field: model.Field, compiler: Compiler) -> model.Formula | None:
    """Return the formula that gives a field of a thing, if one does."""
    if not field.formulas:
        return None
    layout = compiler.layout
    slot = layout.slots[f"{field.id}`"]
    numbers = layout.printed.get(slot) or layout.table_values.get(slot, ())
    # What is created is given its values.
    number = numbers[thing.number] if thing.number < len(numbers) else 0
    return field.formulas[number - 1] if number else None


def seen_value(
    thing: Thing, field: model.Field, viewer: Thing | None, store: Store, compiler: Compiler
) -> tuple[bool, Value]:
    """Return whether a player (None: everybody) sees all that the formula of a thing reads, and its
    value. Nothing is written and nobody looks at anything."""
    code, value = compiler.define(field.id), None
    before = store.viewer, store.trail, store.allowance
    try:
        for seat in compiler.layout.players if viewer is None else (viewer,):
            # A trial ends at what its player does not see.
            store.viewer, store.trail, store.allowance = (
                seat,
                store.trail or [],
                (TICKS_PER_STEP, None),
            )
            value = code(store, None, {THIS: thing})
    except (Horizon, Undecided, PlayError):
        return False, None
    finally:
        store.viewer, store.trail, store.allowance = before
    return True, value


def printed_value(
    thing: Thing, field: model.Field, viewer: Thing | None, store: Store, compiler: Compiler
) -> Value:
    """Return what is printed on a thing; of a formula its value, or None unless the viewer sees all that
    it reads."""
    if formula_of(thing, field, compiler) is not None:
        return seen_value(thing, field, viewer, store, compiler)[1]
    slot = compiler.layout.slots[field.id]
    return (compiler.layout.printed.get(slot) or store.columns[slot])[thing.number]


def detail(
    field: model.Field, value: Value, viewer: Thing | None, store: Store, compiler: Compiler
) -> str:
    """Return what a field of a thing holds as `cost 3`; nothing if it holds nothing."""
    if value is None or value == ():
        return ""
    name = compiler.words.name(in_words(field.name))
    match value:
        case bool():
            return name if value else ""
        case EnumValue():
            return compiler.words.name(value.shown)
        case VerbValue():
            return compiler.words.name(in_words(value.name))
    if isinstance(field.type, types.FamilyType):
        return show_family(field.name, field.type, value, viewer, store, compiler)
    if isinstance(value, tuple):
        return f"{name} {' + '.join(show(one, viewer, store, compiler) for one in value)}"
    return f"{name} {show(value, viewer, store, compiler)}"


def show_family(
    name: str,
    kind: types.FamilyType,
    value: Value,
    viewer: Thing | None,
    store: Store,
    compiler: Compiler,
) -> str:
    """Return a family as `cost white 2, black 1`, without the entries that hold nothing."""
    start = compiler.layout.start_value(kind.value)
    entries = [
        f"{show(key, viewer, store, compiler)} {show(entry, viewer, store, compiler)}"
        for key, entry in zip(compiler.layout.keys(kind.key), value, strict=False)
        if entry != start
    ]
    return f"{compiler.words.name(in_words(name))} {', '.join(entries)}" if entries else ""


def show_verb(value: VerbValue, viewer: Thing | None, store: Store, compiler: Compiler) -> str:
    """Return the label of a verb with the arguments it carries, or its name in words."""
    arguments = value.arguments
    for id in value.verbs:
        verb = compiler.game.verbs[id]
        if verb.label is None or 0 < len(arguments) != len(verb.parameters):
            continue
        names = [parameter.name for parameter in verb.parameters]
        given = dict(zip(names, arguments, strict=False))
        plain, _ = constant_of(verb.label, compiler.layout)
        if not plain and len(given) < len(names):
            # A label about parameters, of a verb that has none yet.
            break
        label = compiler.words.name(str(_label_of(id, viewer, given, store, compiler)))
        return label + _listed(arguments, viewer, store, compiler) if plain else label
    named_so = compiler.words.name(in_words(value.name))
    return named_so + _listed(arguments, viewer, store, compiler)


def _label_of(
    verb: str, viewer: Thing | None, given: Locals, store: Store, compiler: Compiler
) -> Value:
    code = compiler.verb_label(verb)
    return looked_at(store, lambda: code(store, viewer, given))


def _listed(
    arguments: tuple[Value, ...], viewer: Thing | None, store: Store, compiler: Compiler
) -> str:
    # The instance that a verb of a module belongs to is none at run time.
    shown = tuple(value for value in arguments if value is not None)
    return f" ({show(shown, viewer, store, compiler)})" if shown else ""


def show_place(place: PlaceValue, viewer: Thing | None, store: Store, compiler: Compiler) -> str:
    """Return a place in words: `hand of ann`."""
    name = compiler.words.name(in_words(compiler.layout.fields[place.slot].name))
    if place.holder is None:
        return name
    holder = show(place.holder, viewer, store, compiler)
    return compiler.words("{place} of {holder}", place=name, holder=holder)


def with_words(name: str, words: str) -> str:
    """Return a name with more words in its brackets."""
    return f"{name[:-1]}, {words})" if name.endswith(")") else f"{name} ({words})"


def distinct(labels: Sequence[str], say: Words = ENGLISH) -> tuple[str, ...]:
    """Return the labels of one decision with ` (number 2)` and so on behind repeated ones."""
    seen: Counter[str] = Counter()
    taken = set(labels)
    result = []
    for label in labels:
        seen[label] += 1
        text = label
        while seen[label] > 1:
            text = with_words(label, say("number {number}", number=seen[label]))
            if text not in taken:
                break
            seen[label] += 1
        taken.add(text)
        result.append(text)
    return tuple(result)


# ------------------------------------------------------------------- alike things, told apart


def told_apart(
    names: Sequence[str],
    values: Sequence[Value],
    viewer: Thing | None,
    store: Store,
    compiler: Compiler,
) -> list[str]:
    """Return the names of values; things of the same name each say what only some of them have, and
    where they lie."""
    found = list(names)
    teller = _Distinguisher(viewer, store, compiler)
    for tell in (teller.having, teller.lying, teller.standing):
        groups: dict[str, list[int]] = {}
        for number, (name, value) in enumerate(zip(found, values, strict=True)):
            if isinstance(value, Thing):
                groups.setdefault(name, []).append(number)
        for name, numbers in groups.items():
            if len(numbers) < 2:
                continue
            said = tell([value for at in numbers if isinstance(value := values[at], Thing)])
            for at, words in zip(numbers, said, strict=True):
                if words:
                    found[at] = with_words(name, words)
    return found


class _Distinguisher:
    def __init__(self, viewer: Thing | None, store: Store, compiler: Compiler) -> None:
        self.viewer = viewer
        self.store = store
        self.compiler = compiler
        self.layout = compiler.layout

    def having(self, things: Sequence[Thing]) -> list[str]:
        """Return what things of one name have: what is printed on them, if that differs, and what their
        fields hold."""
        printed = [dict(self._printed(thing)) if self._sees(thing) else {} for thing in things]
        counted = Counter((name, text) for one in printed for name, text in one.items())
        return [
            ", ".join(
                [
                    *(
                        text
                        for name, text in one.items()
                        if text and counted[name, text] < len(things)
                    ),
                    *(self._held(thing) if self._sees(thing) else ()),
                ]
            )
            for thing, one in zip(things, printed, strict=True)
        ]

    def lying(self, things: Sequence[Thing]) -> list[str]:
        """Return where things of one name lie, if that tells them apart."""
        places = [self._place(thing) for thing in things]
        return ["" if len(set(places)) == 1 else place for place in places]

    def standing(self, things: Sequence[Thing]) -> list[str]:
        """Return which ones of their rows hidden things are: the same number as long as nothing moves,
        whatever else can be chosen."""
        return ["" if self._sees(thing) else self._number(thing) for thing in things]

    def _number(self, thing: Thing) -> str:
        place = self.store.columns[self.layout.place_slots[thing.kind]][thing.number]
        number = number_in_row(self.store, self.layout, thing)
        if number is None or self.viewer is None:
            return ""
        if not self.compiler.visibility.sees_count(self.store, place, self.viewer):
            return ""
        return self.compiler.words("number {number}", number=number)

    def _sees(self, thing: Thing) -> bool:
        return self.viewer is not None and self.compiler.visibility.sees_thing(
            self.store, thing, self.viewer
        )

    def _fields(self, thing: Thing) -> Iterator[model.Field]:
        kind = self.compiler.game.kinds.get(thing.kind)
        for id in () if kind is None else kind.fields:
            field = self.compiler.game.fields[id]
            if field.name != "name" and not field.internal:
                yield field

    def _printed(self, thing: Thing) -> Iterator[tuple[str, str]]:
        """Yield what is printed on a thing, by the names of the fields."""
        for field in self._fields(thing):
            if field.printed:
                value = printed_value(thing, field, self.viewer, self.store, self.compiler)
                yield field.name, self._detail(field, value)

    def _held(self, thing: Thing) -> Iterator[str]:
        for field in self._fields(thing):
            if field.printed or isinstance(field.type, types.ZoneType):
                continue
            place = self.layout.places[self.layout.slots[field.id]][thing.number]
            value = self.store.columns[place.slot][place.index]
            if value == self.layout.start_value(field.type) or self.viewer is None:
                continue
            if self.compiler.visibility.sees(self.store, place, self.viewer):
                told = self._detail(field, value)
                if told:
                    yield told

    def _detail(self, field: model.Field, value: Value) -> str:
        return detail(field, value, self.viewer, self.store, self.compiler)

    def _place(self, thing: Thing) -> str:
        """Return where a thing lies, as far as who chooses may know: the thing at which it lies, or the
        zone."""
        place = self.store.columns[self.layout.place_slots[thing.kind]][thing.number]
        if not isinstance(place, PlaceValue) or place.slot == GONE or self.viewer is None:
            return ""
        if not self._sees(thing) and place.slot in self.layout.unordered:
            return ""
        holder = place.holder
        if holder is None or holder.kind == "Player":
            return show_place(place, self.viewer, self.store, self.compiler)
        if not self._sees(holder):
            return ""
        return show(holder, self.viewer, self.store, self.compiler)


def number_in_row(store: Store, layout: Layout, thing: Thing) -> int | None:
    """Return which one of a row a thing is, counted from 1; None if it lies in no row."""
    place = store.columns[layout.place_slots[thing.kind]][thing.number]
    zone = None if place is None else layout.zone(place.slot)
    if zone is None or zone.shape != "row":
        return None
    return list(store.columns[place.slot][place.index]).index(thing) + 1
