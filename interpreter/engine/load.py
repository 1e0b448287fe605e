"""Loading: makes a program that can be run of a linked game and a number of players.

Each node of a plan becomes an operation with a bound handler, when its verb is first done. Nodes that
only mark a place are skipped: edges lead past them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import effects_of
from rulewright.dsl.analysis.openness import Openness
from rulewright.dsl.ir import nodes
from rulewright.dsl.ir.action_graph import PLAY, Plan, plans_of
from rulewright.dsl.ir.nodes import Edge
from rulewright.dsl.model import types, visitor
from rulewright.interpreter.engine.control import Control, SeersOf, SimultaneousControl
from rulewright.interpreter.engine.setup import load_layout, start_store
from rulewright.interpreter.ir.machine import Op, Run
from rulewright.interpreter.lookahead.search import look_ahead
from rulewright.interpreter.program import until
from rulewright.interpreter.program.calls import Calls
from rulewright.interpreter.program.equivalent_options import Equivalence
from rulewright.interpreter.program.program import LazyDict, OpenOffer, Program, cited
from rulewright.interpreter.program.questions import compile_question
from rulewright.interpreter.program.scoring import Scoring
from rulewright.interpreter.program.watches import Watches
from rulewright.interpreter.semantics.effects import EffectCompiler
from rulewright.interpreter.semantics.evaluate import Evaluator
from rulewright.interpreter.semantics.events import Witnesses
from rulewright.interpreter.state.errors import PlayError
from rulewright.interpreter.state.layout import Layout
from rulewright.interpreter.state.log import NOBODY
from rulewright.interpreter.state.values import Value
from rulewright.interpreter.words.translation import ENGLISH, Words

__all__ = ["ROOT", "Program", "load_program", "program_on"]

ROOT = "@root"
"""The unit under a verb that is begun from outside and asks nothing: it looks at the watched
conditions when the verb has ended."""

SKIPPED = (nodes.Mark, nodes.Skip, nodes.StepBegin)


def load_program(
    game: model.Game,
    players: int,
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] = (),
) -> Program:
    """Return the program of a game for so many players; see `setup.load_layout`."""
    program = program_on(game, load_layout(game, players, options, names))
    _require(game, program.evaluator)
    return program


def program_on(game: model.Game, layout: Layout, words: Words = ENGLISH) -> Program:
    """Return the program of a game that has been laid out, with texts in some language.

    Programs of one layout share their states: what one of them plays, another can tell.
    """
    evaluator = Evaluator(game, layout)
    evaluator.words = words
    witnesses = Witnesses(evaluator)
    code: LazyDict[list[Op]] = LazyDict()
    program = Program(
        game=game,
        layout=layout,
        evaluator=evaluator,
        scoring=Scoring(evaluator),
        effects=effects_of(game),
        plans=plans_of(game),
        alike=Equivalence(evaluator),
        witnesses=witnesses,
        watching=Watches(evaluator),
        calls=Calls(evaluator, witnesses, code),
        offers={offer.id: OpenOffer(offer, evaluator) for offer in game.offers},
        code=code,
    )
    evaluator.can = look_ahead(program)
    compiler = _OperationCompiler(program)
    code.make = compiler.unit
    program.runs.make = lambda unit: [op.run for op in code[unit]]
    return program


def _require(game: model.Game, evaluator: Evaluator) -> None:
    """Raise `PlayError` RW509 if the number of players or the options are not what the rules
    require."""
    if not game.requirements:
        return
    store = start_store(evaluator)
    for one in game.requirements:
        if not evaluator.expression(one.condition)(store, None, {}):
            raise PlayError("RW509", one.span, name=one.text).at(
                (), [f'{game.title}, "{section}"' for section in cited(one.see)]
            )


def _operations(unit: str, plan: Plan) -> list[Op]:
    operations = []
    for number, node in enumerate(plan.nodes):
        edges = {
            label: _destination(plan, target)
            for label, target in plan.edges[number].items()
            if label != Edge.FAIL
        }
        operations.append(Op(unit, number, node, edges))
    for op in operations:
        op.cut = next((loop for loop in reversed(op.loops) if _has_passes(plan.nodes[loop])), -1)
        if isinstance(op.source, nodes.Calling):
            op.resume = op.edges[Edge.NEXT]
    return operations


def _has_passes(node: nodes.Node) -> bool:
    """Return whether what is begun in a pass of a loop ends with that pass: it is no `for each`."""
    return not isinstance(node.step, model.ForEach)


def _destination(plan: Plan, at: int) -> int:
    """Return where an edge leads to when what only marks a place is skipped."""
    seen = set()
    while at not in seen and isinstance(plan.nodes[at], SKIPPED):
        seen.add(at)
        at = next(iter(plan.edges[at].values()))
    return at


def _root(program: Program) -> list[Op]:
    whole = program.game.verbs.get(PLAY) or next(iter(program.game.verbs.values()), None)
    if whole is None:
        return []
    plain: dict[str, Any] = {"label": "", "see": (), "title": "", "loops": (), "levels": ()}
    watches = tuple(watch.id for watch in program.game.watches)
    return [
        Op(ROOT, 0, nodes.Watch(span=whole.span, watches=watches, **plain), {Edge.NEXT: 1}),
        Op(ROOT, 1, nodes.Return(span=whole.span, **plain), {}),
    ]


class _OperationCompiler:
    """Chooses the handler of each operation."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.control = Control(program.evaluator)
        self.effects = EffectCompiler(program.evaluator, program.witnesses)
        self.together = SimultaneousControl(program, self.effects)
        self._openness = Openness(program.effects)
        program.calls.arrived = self.together.arrived
        play = program.plans.get(PLAY)
        if play is not None and play.finish is not None:
            if not isinstance(play.nodes[play.finish], nodes.Return):
                program.after_play = play.finish

    def unit(self, unit: str) -> list[Op]:
        """Return the operations of a unit with their handlers."""
        program = self.program
        operations = _root(program) if unit == ROOT else _operations(unit, program.plans[unit])
        # Its operations look at each other while they are compiled.
        program.code[unit] = operations
        for op in operations:
            op.run = self.handler(op)
        return operations

    def handler(self, op: Op) -> Run:
        """Return what runs an operation."""
        control, calls, watching = self.control, self.program.calls, self.program.watching
        match op.source:
            case nodes.Effect():
                return self.effects.compile(op, op.edges[Edge.NEXT])
            case nodes.Let(step=step):
                return control.let(op, step)
            case nodes.Draw(step=step, name=name):
                return control.chance(op, step, name, self._seers(op, name))
            case nodes.Need(step=step):
                return control.need(op, step)
            case nodes.Decide():
                op.question = compile_question(self.program.evaluator, op)
                return control.decide(op)
            case nodes.Branch(step=condition):
                return control.branch(op, condition)
            case nodes.Loop(step=model.ForEach() as step):
                return control.for_each(op, step)
            case nodes.Loop(step=model.Repeat() as step):
                return control.repeat(op, step)
            case nodes.Acting(step=step):
                return control.acting(op, step)
            case nodes.Fork(step=step):
                return self.together.fork(op, step)
            case nodes.Call(step=step):
                return calls.call(op, step)
            case nodes.Do(step=step):
                return calls.do(op, step)
            case nodes.Stop(targets=tuple() as targets):
                return calls.stop_running(op, targets)
            case nodes.Stop(unwind=unwind, final=final):
                return calls.stop(op, unwind, final)
            case nodes.StepEnd():
                return calls.step_end(op)
            case nodes.Until(step=step):
                return until.until(self.program, op, step)
            case nodes.Lasting(starts=True, numbers=numbers):
                return until.begins(self.program, op, numbers)
            case nodes.Lasting():
                return until.ends(op)
            case nodes.End(step=step):
                return calls.end(op, step, self.program.after_play)
            case nodes.Watch(watches=watches):
                return watching.watch(op, watches)
            case nodes.Reset(fields=fields):
                return control.reset(op, fields)
            case nodes.Return():
                return calls.returns(op)
            case nodes.Dead():
                return _nowhere
            case nodes.Sleep():
                return watching.sleep(op)
            case nodes.Wake():
                return watching.wake(op)
        return control.skip(op)

    # ------------------------------------------------------------------- who learns what chance brings

    def _seers(self, op: Op, name: str) -> SeersOf:
        """Return who sees an outcome: who sees what it is written to; of a thing, who sees it."""
        witnesses, evaluator = self.program.witnesses, self.program.evaluator
        user = self.program.code[op.unit][op.edges["next"]].step
        match user:
            case model.Set(place=place) | model.Add(place=place):
                written = evaluator.place(place)
                return lambda store, frame, outcome: witnesses.of_values(
                    store, (written(store, frame.me, frame.locals), outcome)
                )
            case model.Move(to=place):
                where = evaluator.place(place)
                return lambda store, frame, outcome: witnesses.seers(
                    store, where(store, frame.me, frame.locals)
                )
            case model.Let() if is_used_openly(
                self.program, op.unit, user.name
            ) and self._openness.is_public(op.unit, op.step.source, op.step.count):
                # Who sees a thing where it lies does not learn that it is the one that was drawn.
                everybody = witnesses.everybody
                return lambda store, frame, outcome: (
                    everybody if witnesses.of_values(store, (outcome,)) == everybody else NOBODY
                )
        return lambda store, frame, outcome: NOBODY


def is_used_openly(program: Program, unit: str, name: str) -> bool:
    """Return whether a local of a unit is used in nothing that is written secretly."""
    for op in program.code[unit]:
        match op.step:
            case model.Set(place=place, value=value) | model.Add(place=place, value=value):
                secret = not all(
                    program.game.fields[field].viewers.who == "everybody"
                    for field in program.effects.fields_at(place)
                )
                if secret and _speaks_of(value, name):
                    return False
            case model.CallVerb(arguments=arguments):
                if _speaks_of(arguments, name) and not _are_things(arguments, name):
                    return False
    return True


def _speaks_of(node: Any, name: str) -> bool:
    return any(isinstance(part, model.Local) and part.name == name for part in visitor.walk(node))


def _are_things(arguments: Any, name: str) -> bool:
    return all(
        isinstance(types.without_none(part.type), types.ThingType)
        for part in visitor.walk(arguments)
        if isinstance(part, model.Local) and part.name == name
    )


def _nowhere(store: Any, frame: Any) -> int:
    raise AssertionError("a dead end is never entered")
