"""Tracks: a place where a game can stand in, the Python function that plays on from there out.

A function gets the store and the generator of the players and returns the function that goes on,
or None when the game is over. It is written when it is first called. A decision belongs to a
context: where all frames stand, and where the running transaction ends.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import attrs

from rulewright.dsl.ir.nodes import Do
from rulewright.interpreter.codegen.emit_again import remembering, spared, straightened
from rulewright.interpreter.codegen.emit_picks import Answering
from rulewright.interpreter.codegen.emit_probes import Probes
from rulewright.interpreter.codegen.emit_tracks import NOBODY, Track
from rulewright.interpreter.codegen.emit_units import Units
from rulewright.interpreter.codegen.emit_ways import UNSET, Cut, Stands
from rulewright.interpreter.codegen.picking import pieces_or_done
from rulewright.interpreter.codegen.sites import Site, Sites
from rulewright.interpreter.codegen.writing_budget import WritingBudget
from rulewright.interpreter.lookahead.safe_decisions import Key, is_certain_at
from rulewright.interpreter.printing.emit import FAILED, Function, Known, NotGenerated
from rulewright.interpreter.printing.templates import number, statements, variable
from rulewright.interpreter.program.decisions import open_offers
from rulewright.interpreter.program.questions import DONE, Question
from rulewright.interpreter.state.errors import TICKS_PER_STEP, Horizon, Undecided
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value

Step: TypeAlias = Callable[[Store, Generator], Any]
"""Plays on, and returns what goes on; None: the game is over."""

MOST_TRACKS = 3000

OF_FRAME = re.compile(r"(?:F|L|me)(\d+)")
"""The variables of a frame that stands when a track begins: itself, its locals, who acts."""


@attrs.frozen(eq=False)
class Text:
    """A track as trees, after the functions that were written for it."""

    kind: str
    """`track` of a decision, `answer` to one, or `block`."""

    stands: Stands
    value: Any
    """Of an answer: what it is."""

    functions: tuple[ast.stmt, ...]


class Slowly(Protocol):
    """What goes on where there is no track (`lane.Lane`)."""

    def anywhere(self, store: Store, agents: Generator) -> Step | None:
        """Run to the next decision in the way of the executor."""

    def at_fork(self, store: Store, agents: Generator) -> Step | None:
        """Begin, change or join the branches of players who act at once."""

    def slowly(self, store: Store, agents: Generator) -> Step:
        """Answer the pending decision in the way of the executor."""

    def by_chance(self, store: Store, agents: Generator) -> Step | None:
        """Let chance decide for a player without a seat."""

    def picks(
        self, store: Store, frame: Frame, site: Site, asked: Sequence[Any], agents: Generator
    ) -> Any:
        """Return what will be picked next of a selection."""

    def carried(self, store: Store, frame: Frame, value: Value) -> bool:
        """Return whether an option can be carried on, as the executor finds it out."""

    def probe(self, key: Key, value: Value) -> tuple[Any, str]:
        """Return the probe of an option, and the name of what asks it."""


class Tracks:
    """The tracks of one loaded game."""

    def __init__(
        self, lane: Slowly, units: Units, sites: Sites, probes: Probes, budget: WritingBudget
    ) -> None:
        self.lane = lane
        self.program = units.program
        self.units = units
        self.sites = sites
        self.probes = probes
        self.budget = budget
        self.names = units.names
        self.space = units.names.space
        self.known: dict[Any, str] = {}
        """The names of what has been asked for, by what it is."""

        self.beginnings: dict[tuple[str, int], str] = {}
        """The names of the functions that begin where one verb runs and nothing has a name yet."""

        self.asking: set[str] = set()
        """The names of the functions that begin at a decision."""

        self.decisions: set[Step] = set()
        """These functions, as far as there are any."""

        self.tables: dict[str, list[list[Any]]] = {}
        """The entries of tables in which a function stands."""

        self.texts: list[Text] | None = None
        """What has been written, if anybody wants to read it."""

        self.promised: list[Callable[[], Step]] = []
        """What writes the functions, in the order in which they were asked for."""

        self.history: list[Any] = []
        """What was asked for from outside, in its order: the number of a function that was to be
        written, or where a store stood (`native.Recipe`)."""

        self.space.update(
            picks=lane.picks,
            anywhere=lane.anywhere,
            at_fork=lane.at_fork,
            resume=self.resume,
            slow=lane.slowly,
            by_chance=lane.by_chance,
            carried=lane.carried,
            FAILED=FAILED,
            UNSEEN=(Horizon, Undecided),
            pieces=pieces_or_done,
            DONE=DONE,
            Frame=Frame,
            UNSET=UNSET,
        )
        self.values = frozenset(
            verb
            for plan in self.program.plans.values()
            for data in plan.nodes
            if isinstance(data, Do)
            for verb in data.begins
        )
        """The verbs that `do` may begin."""

    # -------------------------------------------------------------------------------- what there is

    def resume(self, store: Store) -> Step:
        """Return what plays on from the operation at which a store stands."""
        frames = store.frames
        top = frames[-1]
        # All games begin at the same place.
        plain = len(frames) == 1 and store.transaction is None and not top.locals
        if plain:
            name = self.beginnings.get((top.unit, top.node))
            if name is not None:
                begins: Step = self.space[name]
                return begins
        stands = tuple([(frame.unit, frame.node) for frame in frames])
        cut = None if store.transaction is None else store.transaction[1:]
        inside = f"#{top.node}" in top.locals
        key = "block", stands, cut, inside, True
        if key not in self.known:
            self.history.append((stands, cut, inside))
            self.block(stands, cut, inside, True)
        if plain:
            self.beginnings[top.unit, top.node] = self.known[key]
        step: Step = self.space[self.known[key]]
        return step

    def at(self, store: Store) -> Step:
        """Return the track of the decision at which a store stands."""
        assert store.transaction is not None
        _, depth, loop = store.transaction
        stands = tuple([(frame.unit, frame.node) for frame in store.frames])
        key = "track", stands, (depth, loop)
        if key not in self.known:
            self.history.append((stands, (depth, loop)))
            self.track(stands, (depth, loop))
        step: Step = self.space[self.known[key]]
        return step

    def track(self, stands: Stands, cut: Cut) -> str:
        """Return the name of the track of a decision."""
        key = "track", stands, cut
        if key not in self.known:

            def write(function: Function) -> None:
                Answering(self, function, stands, cut).write()

            self._promise(key, write, self.lane.slowly, decision=True)
        return self.known[key]

    def block(self, stands: Stands, cut: Cut | None, inside: bool, sure: bool) -> str:
        """Return the name of the track that begins at an operation."""
        key = "block", stands, cut, inside, sure
        if key not in self.known:

            def write(function: Function) -> None:
                track = Track(self, function, stands, cut, inside)
                track.sure = sure
                if cut is not None:
                    # Whose transaction it is, the store knows.
                    track.player = NOBODY
                    track.tell()
                track.way(stands[-1][1])

            self._promise(key, write, self.lane.anywhere)
        return self.known[key]

    def answer(self, stands: Stands, cut: Cut, node: int, name: str, value: Value) -> str:
        """Return the name of the track behind an answer: where it leads to, and what it is."""
        key = "answer", stands, cut, node, name, value
        if key not in self.known:

            def write(function: Function) -> None:
                track = Track(self, function, stands, cut, inside=False)
                if name:
                    track.give(name, Known(value))
                track.way(node)

            def otherwise(store: Store, agents: Generator) -> Any:
                frame = store.frames[-1]
                if name:
                    frame.locals[name] = value
                frame.node = node
                return self.lane.anywhere

            self._promise(key, write, otherwise)
        return self.known[key]

    def table(self, entries: list[tuple[str, Value, str]]) -> str:
        """Return the name of a list of probe, value and track of each answer."""
        table: list[Any] = []
        for probe, value, way in entries:
            entry = [self.space.get(probe), value, self.space[way]]
            table.append(entry)
            self.tables.setdefault(way, []).append(entry)
        return self.names.helper("ways", table)

    def site(self, site: Site) -> str:
        """Return the name of a decision."""
        key = "site", site.op.unit, site.op.node
        if key not in self.known:
            self.known[key] = self.names.helper("site", site)
        return self.known[key]

    def _promise(
        self, key: Any, write: Callable[[Function], None], otherwise: Step, decision: bool = False
    ) -> None:
        """Put a function into the space that writes itself when it is called and the budget has room; `otherwise`
        stands in until then, and for what cannot be written."""
        name = self.names.fresh("track_")
        if decision:
            self.asking.add(name)
        self.known[key] = name
        step = otherwise
        if len(self.known) <= MOST_TRACKS:
            number = len(self.promised)

            def written() -> Step:
                if self.space[name] is step:
                    self.history.append(number)
                    with self.budget.writing():
                        made = self._make(name, write, decision, len(key[1])) or otherwise
                    self._show(key)
                    self.settle(name, made, decision)
                found: Step = self.space[name]
                return found

            # Whoever has got hold of it keeps it (native code does).
            def step(store: Store, agents: Generator) -> Any:
                if self.space[name] is step and not self.budget.has_room():
                    return otherwise(store, agents)
                return written()(store, agents)

            self.promised.append(written)
        self.settle(name, step, decision)

    def _show(self, key: Any) -> None:
        """Keep what has been written for readers, if there are any."""
        source = self.names.kept_source
        if self.texts is not None and source is not None:
            shown = sum(len(text.functions) for text in self.texts)
            self.texts.append(Text(key[0], key[1], key[-1], tuple(source[shown:])))

    def settle(self, name: str, made: Step, decision: bool) -> None:
        """Let a name stand for a function from now on."""
        self.space[name] = made
        for entry in self.tables.get(name, ()):
            entry[2] = made
        if decision:
            self.decisions.add(made)

    def _make(
        self, name: str, write: Callable[[Function], None], decision: bool, depth: int
    ) -> Step | None:
        names = self.names
        function = Function(names, self.units.handlers)
        function.decides = True
        try:
            write(function)
            start: list[ast.stmt] = []
            if decision:
                left = TICKS_PER_STEP - function.cost
                start = statements("S.budget = left\nS.paid = None", left=number(left))
                function.cost = 0
            made = function.finished(name, ["S", "A"], variable("anywhere"))
            made.body = remembering(straightened(spared(made.body, self.asking)))
            made.body = [*start, *_prologue(made, function.hoisted, depth), *made.body]
            names.functions.append(made)
            names.compile()
        except (NotGenerated, RecursionError):
            return None
        step: Step = self.space[name]
        return step

    # ---------------------------------------------------------------------------------- look-ahead

    def has_offers(self, store: Store, frame: Frame) -> bool:
        """Return whether an offer is open beside the decision at which a frame on top stands, as
        far as guards know."""
        viewer, transaction = store.viewer, store.transaction
        found = open_offers(self.program, store, frame)
        store.viewer, store.transaction = viewer, transaction
        return bool(found)

    def is_certain(self, context: Key, question: Question) -> bool:
        """Return whether nothing can fail after any answer."""
        return is_certain_at(self.program, context, question)

    def prober(self, context: Key, value: Value) -> str:
        """Return the name of what says whether an option lives: it gets the store, the frame and
        the option."""
        return self.lane.probe(context, value)[1]


def _prologue(
    made: ast.FunctionDef, hoisted: Mapping[tuple[str, str], str], depth: int
) -> list[ast.stmt]:
    """Return the statements that give the variables of the frames their values, as far as the
    function uses them; so many frames there are when it begins."""
    used = {
        part.id
        for statement in made.body
        for part in ast.walk(statement)
        if isinstance(part, ast.Name)
    }
    used |= {locals for locals, _ in hoisted}
    body = []
    depths = {int(found[1]) for found in map(OF_FRAME.fullmatch, used) if found}
    top = depth - 1
    if "me" in used:
        depths.add(top)
    if depths or "frames" in used:
        body += statements("frames = S.frames")
    # Four steps for each that is picked out, or one for each of them all.
    at_once = 4 * len(depths) > depth + 2
    if at_once:
        names = [f"F{place}" if place in depths else "_" for place in range(depth)]
        given = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        body.append(ast.Assign([given], variable("frames")))
    for place in sorted(depths):
        if not at_once:
            body += statements("F = frames[depth]", F=f"F{place}", depth=ast.Constant(place))
        if f"L{place}" in used:
            body += statements("L = F.locals", L=f"L{place}", F=f"F{place}")
        if f"me{place}" in used:
            body += statements("me = F.me", me=f"me{place}", F=f"F{place}")
        if "me" in used and place == top:
            body += statements("me = F.me", me="me", F=f"F{place}")
    for (locals, name), value in hoisted.items():
        body += statements("value = L.get(name)", value=value, L=locals, name=ast.Constant(name))
    return body
