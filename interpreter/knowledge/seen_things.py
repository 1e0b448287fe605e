"""What a player can tell of things: which row a thing is of, whether it is shown, which slot it has.

A *slot* stands for a thing that is shown: for the k-th copy of a row, whichever of the copies it is; of a kind of
which things are created for the k-th that is shown. Copies are counted by where they lie as the player
sees it, then by their fields, so that a slot tells nothing of which copy it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.knowledge.action_codes import MOST_SEEN
from rulewright.interpreter.program.program import Program
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import GONE, EnumValue, PlaceValue, Thing, Value, VerbValue

PLAYER = "Player"
SPREAD = 1 << 48


class Kinds:
    """The rows and slots of all kinds of a loaded game."""

    def __init__(self, program: Program) -> None:
        self.program = program
        layout = self.layout = program.layout
        self.rows: dict[str, int] = {}
        """How many things of a kind look different; 0 where things are created."""

        self.slots: dict[str, int] = {}
        self.firsts: dict[str, list[int]] = {}
        """The slot of the first copy of each row."""

        self.fields: dict[str | None, list[tuple[int, model.Field]]] = {}
        """The columns that are told of a holder, in their order."""

        for kind in layout.things:
            if kind in layout.carried:
                self.rows[kind], self.slots[kind] = 0, layout.count(kind) + MOST_SEEN
                continue
            looks = program.alike.looks.get(kind, ())
            self.rows[kind] = len(set(looks))
            self.slots[kind] = len(looks)
            counts = [looks.count(row) for row in range(self.rows[kind])]
            self.firsts[kind] = [sum(counts[:row]) for row in range(len(counts))]
        for slot, field in layout.fields.items():
            if slot < layout.size and not field.internal:
                self.fields.setdefault(field.holder, []).append((slot, field))
        self.hiding = frozenset(
            field.type.kind.kind
            for field in program.game.fields.values()
            if isinstance(field.type, types.ZoneType)
            and isinstance(field.type.kind, types.ThingType)
            and field.viewers.who != "everybody"
        )
        """The kinds whose things can lie where somebody does not see them."""

        visibility = program.evaluator.visibility
        self.open = frozenset(slot for slot in layout.fields if visibility.seer(slot) is None)
        """The columns that everybody sees."""


class Eyes:
    """Looks at one state with the eyes of a player."""

    def __init__(self, kinds: Kinds, store: Store, player: Thing) -> None:
        self.kinds = kinds
        self.layout = kinds.layout
        self.store = store
        self.player = player
        self.marks: Callable[[Eyes, Thing], Sequence[float]] = lambda eyes, thing: ()
        """What is told of the fields of a thing, to put copies in order."""

        self._seats = len(self.layout.players)
        self._sees: dict[PlaceValue, bool] = {}
        self._slots: dict[str, dict[Thing, int]] = {}
        self._shown: dict[str, list[Thing | None]] = {}
        self._unseen: dict[str, list[tuple[tuple[int, ...], Thing]]] = {}
        self._face_down: dict[str, list[Thing]] = {}

    def seat(self, player: Thing) -> int:
        """Return the number of a player, counted from who looks; those without a seat come last."""
        number = player.number
        return (number - self.player.number) % self._seats if number < self._seats else number

    def at_seat(self, seat: int) -> int:
        """Return the number of the player at a seat counted from who looks."""
        return (seat + self.player.number) % self._seats if seat < self._seats else seat

    def sees(self, place: PlaceValue) -> bool:
        """Return whether the player sees what is at a place."""
        if place.slot in self.kinds.open:
            return True
        found = self._sees.get(place)
        if found is None:
            visibility = self.kinds.program.evaluator.visibility
            found = self._sees[place] = visibility.sees(self.store, place, self.player)
        return found

    def counts(self, place: PlaceValue) -> bool:
        """Return whether the player knows how much lies in a zone."""
        visibility = self.kinds.program.evaluator.visibility
        return self.sees(place) or visibility.sees_count(self.store, place, self.player)

    def place(self, thing: Thing) -> PlaceValue | None:
        """Return where a thing lies."""
        found: PlaceValue | None = self.store.columns[self.layout.place_slots[thing.kind]][
            thing.number
        ]
        return found

    def is_seen(self, thing: Thing) -> bool:
        """Return whether the player sees a thing where it lies; what lies nowhere is seen."""
        place = self.place(thing)
        return place is None or self.sees(place)

    def row(self, thing: Thing) -> int:
        """Return the row of a thing of the tables."""
        return self.kinds.program.alike.looks[thing.kind][thing.number]

    # ------------------------------------------------------------------------------------- slots

    def slots(self, kind: str) -> Sequence[Thing | None]:
        """Return the things that are shown by their slots; None where there is none."""
        if kind not in self._shown:
            self._fill(kind)
        return self._shown[kind]

    def slot(self, thing: Thing) -> int | None:
        """Return the slot of a thing that is shown; None if it has none."""
        if thing.kind not in self._shown:
            self._fill(thing.kind)
        return self._slots[thing.kind].get(thing)

    def _fill(self, kind: str) -> None:
        shown: list[Thing | None] = [None] * self.kinds.slots[kind]
        # Whoever asks while this is found out gets none.
        self._shown[kind], self._slots[kind] = shown, {}
        seen = [
            thing
            for thing in self.store.things(kind)
            if (place := self.place(thing)) is None or (place.slot != GONE and self.sees(place))
        ]
        if kind not in self.layout.carried and kind in self.kinds.program.alike.unique:
            firsts = self.kinds.firsts[kind]
            self._slots[kind] = {thing: firsts[self.row(thing)] for thing in seen}
        else:
            taken: dict[int, int] = {}
            for thing in self._in_order(seen):
                row = -1 if kind in self.layout.carried else self.row(thing)
                first = 0 if row < 0 else self.kinds.firsts[kind][row]
                slot = first + taken.get(row, 0)
                taken[row] = taken.get(row, 0) + 1
                if slot < len(shown):
                    self._slots[kind][thing] = slot
        for thing, slot in self._slots[kind].items():
            shown[slot] = thing

    def unseen(self, kind: str) -> Sequence[tuple[tuple[int, ...], Thing]]:
        """Return the things that the player does not see but knows to be in some zone, with where they
        lie as far as he can tell, in the order of that."""
        if kind not in self._unseen:
            self._unseen[kind] = []
            unseen = self._in_order(self.face_down(kind))
            self._unseen[kind] = [(self.path(thing), thing) for thing in unseen]
        return self._unseen[kind]

    def face_down(self, kind: str) -> list[Thing]:
        """Return the same things in no order."""
        if kind not in self._face_down:
            self._face_down[kind] = list(filter(self._lies_face_down, self.store.things(kind)))
        return self._face_down[kind]

    def _lies_face_down(self, thing: Thing) -> bool:
        place = self.place(thing)
        if place is None or place.slot == GONE:
            return False
        return not self.sees(place) and self.counts(place)

    def _in_order(self, things: Iterable[Thing]) -> list[Thing]:
        """Return things in an order that tells nothing but where they lie and what stands on them."""
        return sorted(
            things,
            key=lambda thing: (self.path(thing), tuple(self.marks(self, thing)), thing.number),
        )

    def path(self, thing: Thing) -> tuple[int, ...]:
        """Return where a thing lies as the player sees it: zone, holder, and place from 1, or 0 where
        places cannot be told apart."""
        place = self.place(thing)
        if place is None:
            return 0, 0, 0
        return place.slot, self._holder(place.holder), self._position(place, thing)

    def _position(self, place: PlaceValue, thing: Thing) -> int:
        if place.slot in self.layout.unordered:
            return 0
        bag = self.layout.bag_slots.get(place.slot)
        undecided = 0 if bag is None else self.store.columns[bag][place.index]
        position: int = self.store.columns[place.slot][place.index].index(thing)
        return 0 if position < undecided else position + 1

    def _holder(self, holder: Thing | None) -> int:
        if holder is None:
            return 0
        if holder.kind == PLAYER:
            return 1 + self.seat(holder)
        slot = self.slot(holder)
        if slot is not None:
            return 1 + slot
        for number, (_, thing) in enumerate(self.unseen(holder.kind)):
            if thing is holder:
                return 1 + self.kinds.slots[holder.kind] + number
        return 0

    # -------------------------------------------------------------------------------- descriptions

    def described(self, value: Value) -> str:
        """Return what the player knows of a value, as a text that is the same in every language."""
        match value:
            case Thing(kind="Player"):
                return f"player {self.seat(value)}"
            case Thing(kind=kind):
                if not self.is_seen(value):
                    return kind
                slot = self.slot(value) if kind in self.layout.carried else self.row(value)
                return f"{kind}:{slot}"
            case EnumValue():
                return f"{value.enum}.{value.value}"
            case VerbValue(verbs=verbs, arguments=arguments):
                return f"{verbs}({self.described(arguments)})"
            case tuple():
                return f"[{', '.join(map(self.described, value))}]"
            case None | bool() | int() | str():
                return repr(value)
        return type(value).__name__

    def fingerprint(self, value: Value) -> float:
        """Return a number from 0 to 1 that is another one for almost every other value."""
        hashed = blake2b(self.described(value).encode("utf-8", "surrogatepass"), digest_size=6)
        return (int.from_bytes(hashed.digest(), "big") + 1) / SPREAD
