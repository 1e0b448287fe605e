"""Codes of the options at one decision: numbers from 0 that mean the same in every state.

What kind of codes a decision has follows from its rules (`action_numbers`). A code says what the player
who is asked can tell of an option, and nothing else: of things that look the same the first that stands to
choice has the code of the first copy, whichever it is, and what lies hidden is counted by its place.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from rulewright.interpreter.ir.machine import me_of
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.program.questions import OpenQuestion
from rulewright.interpreter.semantics.labels import in_words
from rulewright.interpreter.state.errors import TICKS_PER_STEP
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Thing, Value, VerbValue

MOST_SEEN = 64
"""So many options have codes where the rules do not say how many there can be: created things, numbers
without a bound, values that cannot be listed."""


class NoCode(Exception):
    """An option has no code: `text` says why, in one line."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


class Codes:
    """Numbers the options of a decision. This one by a number that each of them has of its own:
    values of enumerations, players, things of which each looks different and is seen by all."""

    positional = False
    """Whether some option is known only by its place among those that stand to choice."""

    def __init__(self, kind: str, names: Sequence[str]) -> None:
        self.kind = kind
        self.names = names
        self.size = len(names)

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        """Return the codes of some options of a question; raises `NoCode`."""
        return [value.number for value in values]

    def name(self, code: int) -> str:
        """Return what a code means, in words."""
        return self.names[code]


class PlainCodes(Codes):
    """Codes of the arms of an `either`, of no and yes."""

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        return [int(value) for value in values]


class RangeCodes(Codes):
    """Codes of numbers in a range."""

    def __init__(self, low: int, high: int, bounded: bool) -> None:
        self.low, self.high = low, max(low, high)
        self.kind = f"numbers {self.low}..{self.high}" + ("" if bounded else ", no bound known")
        self.size = self.high - self.low + 1

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        low, high = self.low, self.high
        for value in values:
            if not low <= value <= high:
                raise NoCode(f"{value} is none of the numbers {low} to {high}")
        return [value - low for value in values]

    def name(self, code: int) -> str:
        return str(self.low + code)


class ListedCodes(Codes):
    """Codes of values that the rules list: numbers, texts, flags."""

    def __init__(self, values: Sequence[Value], names: Sequence[str]) -> None:
        super().__init__("listed values", names)
        self._codes = {(type(value), value): code for code, value in enumerate(values)}

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        try:
            return [self._codes[type(value), value] for value in values]
        except KeyError as missing:
            raise NoCode(f"{missing} is none of the values that the rules list") from None


class OptionalCodes(Codes):
    """Codes of values or none: none comes first."""

    def __init__(self, inner: Codes) -> None:
        self.inner = inner
        self.kind = f"none, {inner.kind}"
        self.size = 1 + inner.size
        self.positional = inner.positional

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        there = [value for value in values if value is not None]
        found = iter(self.inner.codes(store, asked, there))
        return [0 if value is None else 1 + next(found) for value in values]

    def name(self, code: int) -> str:
        return self.inner.name(code - 1) if code else "none"


class GroupedCodes(Codes):
    """Base of codes that depend on what else stands to choice. They are worked out once for a question,
    for all that stands to choice there, and not only for what can still be picked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: tuple[OpenQuestion | None, Mapping[Value, int]] = (None, {})

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        question, known = self._known
        if question is not asked:
            # Who sees a zone may have to be worked out.
            store.allowance = TICKS_PER_STEP, None
            known = self.worked_out(store, asked)
            self._known = asked, known
        try:
            return [known[value] for value in values]
        except KeyError:
            raise NoCode(self.beyond()) from None

    def groups(self, store: Store, asked: OpenQuestion) -> Sequence[tuple[Value, ...]]:
        """Return all that stands to choice, in groups of what the player cannot tell apart."""
        me = me_of(asked.frame)
        return self.program.alike.groups(store, me, asked.items)

    def worked_out(self, store: Store, asked: OpenQuestion) -> dict[Value, int]:
        """Return the codes of all that stands to choice, as far as there are codes."""
        raise NotImplementedError

    def beyond(self) -> str:
        """Return why an option has no code."""
        return f"more than {MOST_SEEN} different options stand to choice"


class PositionCodes(GroupedCodes):
    """Codes of what cannot be listed: the place among all that stands to choice."""

    positional = True

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.kind = "positions"
        self.size = MOST_SEEN

    def worked_out(self, store: Store, asked: OpenQuestion) -> dict[Value, int]:
        groups = self.groups(store, asked)[:MOST_SEEN]
        return {value: code for code, group in enumerate(groups) for value in group}

    def name(self, code: int) -> str:
        return f"option {code + 1}"


class ThingCodes(GroupedCodes):
    """Codes of things of a kind that has copies, can lie hidden, or comes and goes.

    First one for each thing of the tables, then those of created things, then those of what the player
    does not see.
    """

    def __init__(self, program: Program, kind: str, hidden: bool) -> None:
        super().__init__(program)
        layout = program.layout
        things = [layout.thing(kind, number) for number in range(layout.count(kind))]
        created = kind in layout.carried
        self.things = kind
        self.names = [name_of(thing, len(things)) for thing in things]
        self.listed = len(things)
        self.created = MOST_SEEN if created else 0
        self.hidden = self.listed + self.created if hidden else 0
        self.size = self.listed + self.created + self.hidden
        self.positional = created
        more = [f"{MOST_SEEN} created"] if created else []
        more += [f"{self.hidden} face down"] if hidden else []
        self.kind = " and ".join((f"things of {kind}", *more))
        self._rows: dict[Hashable, list[int]] = {}
        """The codes of the copies of each row, by what they look like."""

        for thing in things:
            self._rows.setdefault(self._printed(thing), []).append(thing.number)
        self._alone = frozenset(
            numbers[0] for numbers in self._rows.values() if len(numbers) == 1 and not created
        )

    def _printed(self, thing: Thing) -> Hashable:
        """Return what is printed on a thing of the tables."""
        layout = self.program.layout
        carried = layout.carried.get(thing.kind)
        if carried is None:
            return self.program.alike.looks[thing.kind][thing.number]
        return tuple(layout.table_values[slot][thing.number] for slot in carried)

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        column = store.columns[self.program.layout.place_slots[self.things]]
        sees, me, alone = self.program.evaluator.sees, me_of(asked.frame), self._alone
        seen = None
        for value in values:
            number = value.number
            if number not in alone:
                break
            place = column[number]
            if place is not None and place is not seen:
                if not sees(store, place, me):
                    break
                seen = place
        else:
            return [value.number for value in values]
        return super().codes(store, asked, values)

    def _all_different(self, store: Store, asked: OpenQuestion) -> dict[Value, int] | None:
        """Return the codes of things that are all seen and look different, or None."""
        sees, look, me = self.program.evaluator.sees, self.program.alike.look, me_of(asked.frame)
        column = store.columns[self.program.layout.place_slots[self.things]]
        looks: set[Hashable] = set()
        known: dict[Value, int] = {}
        seen = None
        for thing in asked.items:
            if thing is None:
                continue
            place = column[thing.number]
            if place is not None and place is not seen:
                if not sees(store, place, me):
                    return None
                seen = place
            row = look(store, thing)
            if row in looks or row not in self._rows:
                return None
            looks.add(row)
            known[thing] = self._rows[row][0]
        return known

    def worked_out(self, store: Store, asked: OpenQuestion) -> dict[Value, int]:
        simple = self._all_different(store, asked)
        if simple is not None:
            return simple
        program, me = self.program, me_of(asked.frame)
        column = store.columns[program.layout.place_slots[self.things]]
        copies: dict[Hashable, int] = {}
        others, unseen = self.listed, self.listed + self.created
        known: dict[Value, int] = {}
        for group in self.groups(store, asked):
            thing = group[0]
            if thing is None:
                continue
            place = column[thing.number]
            if self.hidden and place is not None and not program.evaluator.sees(store, place, me):
                code, unseen, end = unseen, unseen + 1, self.size
            else:
                look = program.alike.look(store, thing)
                rows, copy = self._rows.get(look, ()), copies.get(look, 0)
                copies[look] = copy + 1
                if copy < len(rows):
                    code, end = rows[copy], self.size
                else:
                    code, others, end = others, others + 1, self.listed + self.created
            if code < end:
                known.update(dict.fromkeys(group, code))
        return known

    def beyond(self) -> str:
        return f"more than {MOST_SEEN} created things of {self.things} stand to choice"

    def name(self, code: int) -> str:
        if code < self.listed:
            return self.names[code]
        if code < self.listed + self.created:
            return f"{in_words(self.things)}, created {code - self.listed + 1}"
        return f"{in_words(self.things)}, face down {code - self.listed - self.created + 1}"


class VerbHead:
    """A verb as a value, with arguments that can be listed, or with others."""

    def __init__(self, name: str, arguments: Sequence[Codes] | None) -> None:
        self.name = in_words(name)
        self.arguments = arguments
        """The codes of each argument; None: the options with this verb are counted."""

        self.first = 0
        self.size = 1
        if arguments is None:
            self.size = MOST_SEEN
        else:
            for codes in arguments:
                self.size *= codes.size


class VerbCodes(GroupedCodes):
    """Codes of verbs: one for each, and of those that carry something one for each that it can be."""

    def __init__(self, program: Program, heads: Mapping[tuple[object, ...], VerbHead]) -> None:
        super().__init__(program)
        self.heads = heads
        self.kind = "verbs"
        self.size = 0
        for head in heads.values():
            head.first = self.size
            self.size += head.size
        self.positional = any(head.arguments is None for head in heads.values())
        self._plain = {key: head.first for key, head in heads.items() if head.arguments == ()}

    def codes(self, store: Store, asked: OpenQuestion, values: Sequence[Value]) -> list[int]:
        plain = self._plain
        try:
            return [plain[value.name, value.verbs, len(value.arguments)] for value in values]
        except KeyError:
            return super().codes(store, asked, values)

    def worked_out(self, store: Store, asked: OpenQuestion) -> dict[Value, int]:
        known: dict[Value, int] = {}
        counted: dict[int, int] = {}
        for value in asked.items:
            if not isinstance(value, VerbValue) or value in known:
                continue
            head = self.heads.get((value.name, value.verbs, len(value.arguments)))
            if head is None:
                continue
            if head.arguments is None:
                place = counted.get(head.first, 0)
                counted[head.first] = place + 1
            else:
                place = 0
                for codes, argument in zip(head.arguments, value.arguments, strict=True):
                    place = place * codes.size + codes.codes(store, asked, (argument,))[0]
            if place < head.size:
                known[value] = head.first + place
        return known

    def name(self, code: int) -> str:
        head = [head for head in self.heads.values() if head.first <= code][-1]
        place, said = code - head.first, []
        if head.arguments is None:
            return f"{head.name}, option {place + 1}"
        for codes in reversed(head.arguments):
            place, own = divmod(place, codes.size)
            said.append(codes.name(own))
        return " ".join((head.name, *reversed(said)))


def name_of(thing: Thing, among: int) -> str:
    """Return what a thing is called where no state is known."""
    name = thing.name or f"{in_words(thing.kind)} {thing.row}"
    return f"{name} ({thing.copy})" if thing.copy > 1 else name
