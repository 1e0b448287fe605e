"""Generating answers: the beginning of a track, where a player picks one of the options that live.

Where nothing can fail after any option (`lookahead/safe_decisions`), one is drawn. Otherwise options are drawn until
one lives, as the players of `pick_random` do, and a probe says which do. An answer that decides
which way a verb goes (a verb that is done next, `may`, `either`) has a track of its own.
"""

from __future__ import annotations

import ast
from typing import Any, Protocol

from rulewright.dsl import model
from rulewright.interpreter.codegen.emit_tracks import Track
from rulewright.interpreter.codegen.emit_units import unwatched
from rulewright.interpreter.codegen.emit_ways import Cut, Stands, Tracks
from rulewright.interpreter.codegen.sites import Site, Sites
from rulewright.interpreter.engine.actions import offers_at
from rulewright.interpreter.ir.machine import Op
from rulewright.interpreter.lookahead.lookahead import MANY
from rulewright.interpreter.lookahead.safe_decisions import Key
from rulewright.interpreter.printing.emit import Function, Known, Locals, Made, NotGenerated, Scope
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.program.questions import Question
from rulewright.interpreter.state.frames import Frame
from rulewright.interpreter.state.layout import DECISIONS, OPENED
from rulewright.interpreter.state.store import Store
from rulewright.interpreter.state.values import Value, VerbValue

COUNTED = f"C[0][{DECISIONS}] += 1"

ANSWERED = f"{COUNTED}; C[0][{OPENED}] = False"
"""The same where there are offers: they are open until something has been answered."""

MOST_WAYS = 40
"""So many verbs as options get a track each."""


class Deciding(Tracks, Protocol):
    """What knows the decisions, too (`tracks.Tracks`)."""

    sites: Sites

    def answer(self, stands: Stands, cut: Cut, node: int, name: str, value: Value) -> str:
        """Return the name of the track behind an answer: where it leads to, and what it is."""

    def table(self, entries: list[tuple[str, Value, str]]) -> str:
        """Return the name of a list of probe, value and track of each answer."""

    def site(self, site: Site) -> str:
        """Return the name of a decision."""

    def has_offers(self, store: Store, frame: Frame) -> bool:
        """Return whether an offer is open beside a decision, as far as guards know."""

    def is_certain(self, context: Key, question: Question) -> bool:
        """Return whether nothing can fail after any answer."""

    def prober(self, context: Key, value: Value) -> str:
        """Return the name of what says whether an option lives: it gets the store, the frame and
        the option."""


class Answering:
    """The pick of one decision, while its track is written."""

    def __init__(self, tracks: Deciding, function: Function, stands: Stands, cut: Cut) -> None:
        self.tracks = tracks
        self.function = function
        self.stands = stands
        self.track = Track(tracks, function, stands, cut, inside=False)
        self.op: Op = self.track.op(stands[-1][1])
        depth, loop = cut
        self.context: Key = (loop, stands[depth:])
        self.certain = tracks.is_certain(self.context, self.op.question)
        top = self.track.frames.top
        self.frame = top.at or ""
        self.counted = ANSWERED if tracks.program.offers else COUNTED
        self.scope = top.scope

    def write(self) -> None:
        """Write the pick, and what follows it."""
        step = self.op.step
        unwatched(self.function, step)
        self.offers()
        if self.op.question.taken is not None:
            # Nobody is asked whose only answer is to pass.
            self.function.write("return way", way=self.answer(self.op.question.ways[0]))
            return
        match step:
            case model.May():
                self.may()
            case model.Either():
                self.either(step)
            case model.Choose(word="one"):
                self.one(step)
            case model.Choose():
                self.several(step)
            case _:
                raise NotGenerated("a decision")

    def offers(self) -> None:
        """Write that the executor answers if an offer is open beside the question."""
        found = offers_at(self.tracks.program, self.stands)
        if not found:
            return
        function = self.function
        try:
            with function.aside() as guards:
                for offer in found:
                    self.guard(offer)
        except NotGenerated:
            function.looks = False
            function.names.space.setdefault("has_offers", self.tracks.has_offers)
            with function.aside() as guards:
                function.write("if has_offers(S, F):\n    return slow", F=self.frame)
        with function.aside() as block:
            function.write("try:\n    guards\nexcept SLOW:\n    return slow", guards=guards)
        if self.op.question.taken is None:
            block = statements("if C[0][opened]:\n    block", opened=number(OPENED), block=block)
        function.block += block

    def guard(self, offer: model.Offer) -> None:
        """Write that the executor answers if the guard of an offer holds."""
        function = self.function
        if offer.guard is None:
            function.write("return slow")
            return
        test = function.tree(function.part(offer.guard, Scope(self.scope.me, Locals())))
        if function.looks:
            raise NotGenerated("what may be hidden")
        function.write("if test:\n    return slow", test=test)

    # ---------------------------------------------------------------------------------- the options

    def may(self) -> None:
        """`may`: yes or no"""
        write = self.function.write
        if self.certain:
            self.one_of_two([(way, "", None) for way in self.op.question.ways[::-1]])
            return
        no, yes = (self.answer(way) for way in self.op.question.ways)
        context = self.context
        for name, value in (("lives", True), ("spared", False)):
            probe = self.tracks.prober(context, value)
            write(
                "name = probe(S, F, x)", name=name, probe=probe, F=self.frame, x=ast.Constant(value)
            )
        write(
            f"if lives and spared:\n    {self.counted}\n    which = A.below(2)\n"
            "    return no if which else yes\n"
            "if lives:\n    return yes\nif spared:\n    return no\nreturn slow",
            no=no,
            yes=yes,
        )

    def either(self, step: model.Either) -> None:
        """`either`: one of the arms"""
        ways = self.op.question.ways
        free = all(arm.guard is None for arm in step.arms)
        if free and self.certain and len(ways) == 2:
            self.one_of_two([(way, "", None) for way in ways])
            return
        entries = [
            (self.prober(number), number, self.answer(way)) for number, way in enumerate(ways)
        ]
        if free:
            self.one_of(entries)
            return
        function = self.function
        table = self.tracks.table(entries)
        with function.aside() as block:
            found = self.tracks.sites.arms(function, step, self.scope)
            function.write("found = [table[n] for n in arms]", table=table, arms=found)
        self.asked(block)
        self.drawn(variable("found"))

    def one(self, step: model.Choose) -> None:
        """`choose x from xs`"""
        function = self.function
        with function.aside() as block:
            items = self.tracks.sites.things(function, step, self.scope)
            options = self.listed(items)
        found = self.known(options)
        if found is not None and any(isinstance(value, VerbValue) for value in found):
            target = self.op.edges["next"]
            if self.certain and len(found) == 2:
                self.one_of_two([(target, step.name, value) for value in found])
                return
            self.one_of(
                [
                    (self.prober(value), value, self.answer(target, step.name, value))
                    for value in found
                ]
            )
            return
        self.asked(block)
        size = len(found) if found else 0
        if not size:
            stop = self.op.question.stop
            otherwise = "slow" if stop is None else self.answer(stop)
            function.write(
                "n = len(options)\nif not n:\n    return otherwise",
                options=options,
                otherwise=otherwise,
            )
            if isinstance(step.source, model.Numbers):
                function.write("if n > many:\n    return slow", many=number(MANY))
        how_many: ast.expr = number(size) if size else variable("n")
        if self.certain:
            function.write(
                f"which = A.below(n)\nx = options[which]\n{self.counted}",
                options=options,
                n=how_many,
            )
        else:
            self.draws()
            function.write(
                "state = A.state\nwhich = A.below(n)\nx = options[which]\n"
                "if not probe(S, F, x):\n"
                "    x = redrawn(S, F, A, options, probe, which, state)\n"
                f"    if x is NOTHING:\n        return slow\n{self.counted}",
                F=self.frame,
                options=options,
                n=how_many,
                probe=self.prober(None),
            )
        self.track.give(step.name, Made(variable("x")))
        self.follow(self.op.edges["next"])

    def several(self, step: model.Choose) -> None:
        """`choose 2 x from xs`: one piece after the other"""
        function, question = self.function, self.op.question
        site = self.tracks.sites.of(*self.stands[-1])
        if question.stop is not None:
            raise NotGenerated("a selection")
        with function.aside() as block:
            asked = self.tracks.sites.selection(function, step, self.scope)
            function.write("items, low, high = asked", asked=asked)
        self.asked(block)
        top = self.track.frames.top
        locals = top.names.locals
        assert locals is not None
        with function.aside() as going_on:
            function.write(
                "L[partial] = picked\nreturn track",
                L=locals,
                partial=ast.Constant(question.partial),
                track=self.tracks.track(self.stands, self.track.cut or (0, -1)),
            )
        if self.certain and site.plain and step.low is step.high is None and not question.ordered:
            # Any number of them: one of those behind the last one, or that it is enough.
            function.write(
                "picked = L.get(partial, ())\n"
                "start = items.index(picked[-1]) + 1 if picked else 0\n"
                "n = len(items) - start\n"
                "if n > 0:\n"
                "    which = A.below(n + 1)\n"
                f"    {self.counted}\n"
                "    if which < n:\n"
                "        picked = (*picked, items[start + which])\n"
                "        if which + 1 < n:\n"
                "            going_on\n"
                "elif picked:\n"
                "    return slow",
                L=locals,
                partial=ast.Constant(question.partial),
                going_on=going_on,
            )
        elif self.certain and site.plain:
            function.write(
                "picked = L.get(partial, ())\n"
                "options = pieces(items, picked, low, high)\n"
                "if options:\n"
                "    which = A.below(len(options))\n"
                "    x = options[which]\n"
                f"    {self.counted}\n"
                "    if x is not DONE:\n"
                "        picked = (*picked, x)\n"
                "        if pieces(items, picked, low, high):\n"
                "            going_on\n"
                # Of nothing one picks nothing: that is no decision.
                "elif picked or low > 0:\n"
                "    return slow",
                L=locals,
                partial=ast.Constant(question.partial),
                going_on=going_on,
            )
        else:
            function.write(
                "found = picks(S, F, site, (items, low, high), A)\n"
                "if found is None:\n    return slow\n"
                "picked, complete, decided = found\n"
                f"if decided:\n    {self.counted}\n"
                "if not complete:\n    going_on",
                F=self.frame,
                site=self.tracks.site(site),
                going_on=going_on,
            )
        top.drop(question.partial)
        self.track.give(step.name, Made(variable("picked")))
        self.follow(self.op.edges["next"])

    def listed(self, items: ast.expr) -> ast.expr:
        """Return the tree of a list that is looked at more than once."""
        if isinstance(items, ast.Name | ast.Constant):
            return items
        return variable(self.function.keep(items))

    def known(self, tree: ast.expr) -> tuple[Value, ...] | None:
        """Return the options that are always the same."""
        if isinstance(tree, ast.Name):
            value = self.function.names.space.get(tree.id)
            if isinstance(value, tuple) and len(value) <= MOST_WAYS:
                return value
        return None

    def asked(self, block: list[ast.stmt]) -> None:
        """Write what lists the options; if it fails the executor asks."""
        function, track = self.function, self.track
        if not block:
            return
        function.block += statements("try:\n    block\nexcept SLOW:\n    return slow", block=block)
        if not function.looks:
            return
        # What the options read may have ended the transaction: one begins with this decision.
        new = track.new_cut()
        if new != track.cut:
            raise NotGenerated("a transaction that ends at its first decision")
        function.looks = False
        with function.aside() as fresh:
            function.block += track.open(new)
            # With it offers are open again.
            self.offers()
        function.write("if S.transaction is None:\n    fresh", fresh=fresh)

    # ---------------------------------------------------------------------------------- the answers

    def prober(self, value: Value) -> str:
        """Return the name of what says whether an option lives."""
        return "" if self.certain else self.tracks.prober(self.context, value)

    def answer(self, node: int, name: str = "", value: Value = None) -> str:
        """Return the name of the track behind an answer."""
        cut = self.track.cut
        assert cut is not None
        return self.tracks.answer(self.stands, cut, node, name, value)

    def one_of_two(self, answers: list[tuple[int, str, Value]]) -> None:
        """Draw one of two answers that surely live, and write what follows them: where each leads
        to, and what it is."""
        blocks = []
        for node, name, value in answers:
            track = Track(self.tracks, self.function, self.stands, self.track.cut, inside=False)
            with self.function.aside() as block:
                if name:
                    track.give(name, Known(value))
                track.way(node)
            blocks.append(block)
        self.function.write(
            f"{self.counted}\nwhich = A.below(2)\nif which:\n    second\nelse:\n    first",
            first=blocks[0],
            second=blocks[1],
        )

    def one_of(self, entries: list[tuple[str, Value, str]]) -> None:
        """Draw one of some answers that have tracks of their own, and go on there: such a track
        makes no decision, so this is still one step."""
        self.drawn(variable(self.tracks.table(entries)), number(len(entries)))

    def drawn(self, entries: ast.expr, size: ast.expr | None = None) -> None:
        """Draw one of the entries of a table, whose size may be known."""
        write = self.function.write
        if size is None:
            write("if not found:\n    return slow", found=entries)
            size = expression("len(found)", found=entries)
        if self.certain:
            write(
                f"{self.counted}\nwhich = A.below(n)\nreturn found[which][2](S, A)",
                found=entries,
                n=size,
            )
            return
        self.draws()
        write(
            "state = A.state\nwhich = A.below(n)\nentry = found[which]\n"
            "if not entry[0](S, F, entry[1]):\n"
            "    entry = redrawn(S, F, A, found, None, which, state)\n"
            "    if entry is NOTHING:\n        return slow\n"
            f"{self.counted}\nreturn entry[2](S, A)",
            F=self.frame,
            found=entries,
            n=size,
        )

    def draws(self) -> None:
        """Say that the function draws among options that live."""
        self.function.names.space.update(redrawn=redrawn, NOTHING=NOTHING)

    def follow(self, node: int) -> None:
        """Write what follows the answer."""
        self.track.looked()
        self.track.way(node)


NOTHING = object()
"""What is drawn if no option lives."""


def drawn(store: Any, frame: Any, agents: Any, options: Any, lives: Any) -> Any:
    """Return an option that lives, each with the same chance, as `pick_random` does; if there is
    none nothing has been drawn."""
    if not options:
        return NOTHING
    state = agents.state
    number = agents.below(len(options))
    option = options[number]
    if lives(store, frame, option):
        return option
    return redrawn(store, frame, agents, options, lives, number, state)


def redrawn(
    store: Any, frame: Any, agents: Any, options: Any, lives: Any, number: int, state: int
) -> Any:
    """Return the same where the option of a number, which was drawn first, does not live; `state` is
    that of the generator before. With nothing that says which live, the options are the entries of a
    table, and each has its own."""
    left = list(options)
    while True:
        left[number] = left[-1]
        left.pop()
        if not left:
            agents.state = state
            return NOTHING
        number = agents.below(len(left))
        option = left[number]
        alive = option[0](store, frame, option[1]) if lives is None else lives(store, frame, option)
        if alive:
            return option
