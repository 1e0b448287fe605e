"""Control flow: steps that can never be reached, and loops that never come to a decision.

These checks ask the action graphs of the verbs (`ir/action_graph`), and the graph of the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import CHANCE, GameEffects, effects_of, watch_unit
from rulewright.dsl.checks import empty_choices
from rulewright.dsl.ir import graph
from rulewright.dsl.ir.action_graph import PLAY, Plan, plans_of
from rulewright.dsl.ir.nodes import Call, Edge, End, Node, Return, Stop
from rulewright.dsl.model import visitor
from rulewright.dsl.model.types import FLAG
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the flow of a game."""
    effects = effects_of(game)
    yield from circles(game)
    yield from _unreachable(game)
    endless = [
        found
        for block in visitor.all_blocks(game)
        for statement in visitor.statements_in(block)
        if isinstance(statement, model.Repeat)
        for found in _endless(effects, statement)
    ]
    yield from endless
    yield from _rounds(game)
    if not endless:
        yield from _no_end(game)
    yield from _ends_again(game)
    yield from _stops(game)
    yield from _without_result(game)
    yield from empty_choices.assumed(game)


def _unreachable(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for the first step of each block to which no way leads."""
    reached: set[int] = set()
    lost: set[int] = set()
    for plan in plans_of(game).values():
        unreached = graph.unreached(plan)
        for statement, at in plan.starts:
            (lost if at in unreached else reached).add(id(statement))
    for block in visitor.all_blocks(game):
        yield from _first_of(block, frozenset(lost - reached))


def _first_of(block: model.Block, lost: frozenset[int]) -> Iterator[Diagnostic]:
    for number, statement in enumerate(block):
        if number and id(statement) in lost:
            yield diagnostic("RW601", statement.span, "never reached")
            return
        for inner in visitor.blocks_in(statement):
            yield from _first_of(inner, lost)


def circles(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what an `until` says of a value by means of that value itself: other circles are found
    when values are read, but these amendments come when all have been."""
    for define in game.defines.values():
        changes = [*define.changes, *(one for line in define.lines for one in line.changes)]
        for change in changes:
            if change.scope != model.LASTING:
                continue
            parts = [change.value, *(() if change.guard is None else (change.guard,))]
            if any(
                isinstance(one, model.DefineCall) and one.define == define.id
                for part in parts
                for one in visitor.through_defines(game, part)
            ):
                help = "write `original` for the value so far"
                yield diagnostic("RW313", change.value.span, help=help, name=define.name)


def _endless(effects: GameEffects, loop: model.Repeat) -> Iterator[Diagnostic]:
    block = _with_woken(effects, loop.block)
    touched = effects.block(block)
    if loop.word == "times" or touched.asks or _may_leave(effects, block):
        return
    if loop.value is not None:
        read = effects.reads(loop.value)
        names = {one.name for one in visitor.walk(loop.value) if isinstance(one, model.Local)}
        lets = (one for one in visitor.statements_in(loop.block) if isinstance(one, model.Let))
        if CHANCE in read or read & touched.writes or names & {one.name for one in lets}:
            return
    help = "let somebody decide in it, or let something change that ends it"
    yield diagnostic("RW603", loop.span, "runs for ever", help=help)


def _with_woken(effects: GameEffects, block: model.Block) -> model.Block:
    """Return a block with what each `as soon as` does that it may wake."""
    sleeping = list(effects.game.watches)
    while True:
        writes = effects.block(block).writes
        woken = [one for one in sleeping if effects.reads(one.condition) & writes]
        if not woken:
            return block
        sleeping = [one for one in sleeping if one not in woken]
        block = (*block, *(statement for one in woken for statement in one.block))


def _may_leave(effects: GameEffects, block: model.Block) -> bool:
    """Return whether something is stopped or ended in a block or in what it calls."""
    called = {one for verb in effects.called(block) for one in effects.reached(verb)}
    parts = (block, *map(effects.content, sorted(called)))
    return any(isinstance(one, model.Stop | model.EndGame) for one in effects.running(parts))


def _rounds(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each verb that is certain to begin itself again before anybody decides."""
    doing = {
        unit: dict(_certain_calls(plan)) for unit, plan in plans_of(game).items() if plan.atomic
    }
    reported: set[str] = set()
    for name in doing:
        way = [name]
        while True:
            # Each verb is followed along the first call that leads on: one way round is enough.
            following = next((one for one in doing[way[-1]] if one in doing), None)
            if following is None or following in way:
                break
            way.append(following)
        if following == name and not reported & set(way):
            reported |= set(way)
            help = "let somebody decide in it, or test something before"
            yield diagnostic("RW603", doing[way[-1]][name], "begins it again", help=help)


def _certain_calls(plan: Plan) -> Iterator[tuple[str, Span]]:
    """Yield the verbs that a unit is certain to do, with the places: what stands before the first branch."""
    at: int | None = 0
    while at is not None:
        node = plan.nodes[at]
        if isinstance(node, Call):
            yield node.step.verb, node.span
        way = plan.edges[at].keys() - {Edge.FAIL}
        at = plan.edges[at][Edge.NEXT] if way == {Edge.NEXT} else None


def _stops(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each `stop V` at a place where V never runs."""
    calls = graph.call_graph(game)
    seen: set[int] = set()
    for unit, plan in plans_of(game).items():
        for node in plan.nodes:
            if not isinstance(node, Stop) or node.targets is None or id(node.step) in seen:
                continue
            seen.add(id(node.step))
            # A step is told by the verb that it stands in.
            targets = {graph.unit_of(game, one) for one in node.targets}
            if not targets & graph.leading_to(calls, unit):
                help = "only what has begun and not ended can be stopped"
                word = node.targets[0].rpartition(".")[2].partition("/")[0]
                yield diagnostic("RW219", node.span, "does not run", help=help, name=word)


def _ends_again(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each `end game` in what stands `after play`: it would begin that again."""
    play = game.verbs.get(PLAY)
    after = () if play is None else [one for one in play.amendments if one.timing == "after"]
    for amendment in after:
        for node in plans_of(game)[PLAY].nodes:
            ending = _ending(game, node) if _lies_in(node.span, amendment.span) else None
            if ending is not None:
                place = node.span
                labels = () if place is ending else (Label(ending, "this ends the game"),)
                help = "the game has ended: take it out"
                yield diagnostic("RW605", place, "after the end", help=help, secondary=labels)


def _lies_in(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start < outer.end


def _ending(game: model.Game, node: Node) -> Span | None:
    """Return where the game is ended at a node, or in what it begins."""
    if isinstance(node, End):
        return node.span
    if node.begins:
        plans, calls = plans_of(game), graph.call_graph(game)
        for unit in sorted(graph.reached_from(calls, *node.begins)):
            lost = graph.unreached(plans[unit])
            for at, one in enumerate(plans[unit].nodes):
                if isinstance(one, End) and at not in lost:
                    return one.span
    return None


def _no_end(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for the first loop that nothing leaves, if the game has no end because of it."""
    if PLAY not in game.verbs:
        return
    whole = graph.supergraph(game)
    begins = (PLAY, *map(watch_unit, game.watches), *(offer.id for offer in game.offers))
    reached = graph.reached_from(whole, *((unit, 0) for unit in begins))
    nodes = {place: whole.nodes[place]["node"] for place in reached}
    if any(
        isinstance(node, End) or (isinstance(node, Return) and unit == PLAY)
        for (unit, _), node in nodes.items()
    ):
        return
    for unit, plan in plans_of(game).items():
        for at, node in enumerate(plan.nodes):
            step = node.step
            if (unit, at) in nodes and isinstance(step, model.Repeat) and step.word == "for ever":
                help = 'write `end game "…"` where the game ends'
                yield diagnostic("RW602", step.span, "nothing leaves this loop", help=help)
                return


def _without_result(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a note at the first `end game` if the ranking can never tell whether that is a victory: it
    puts all players on the same place, or there is one only, without points."""
    if game.won is not None or not game.ranking:
        return
    first = game.ranking[0]
    if first.most and first.value.type == FLAG:
        return
    alone = game.most_players == 1 and game.score is None
    if not alone and any(_is_about_players(game, one.value) for one in game.ranking):
        return
    blocks = list(visitor.all_blocks(game))
    ends = [
        one
        for block in blocks
        for one in visitor.statements_in(block)
        if isinstance(one, model.EndGame) and not _says_draw(one)
    ]
    if ends:
        said = "nobody else is in the game" if alone else "the ranking is the same for all players"
        yield diagnostic(
            "RW633",
            ends[0].span,
            "won or lost?",
            secondary=(Label(first.value.span, said),),
            help="let a flag say it: `define won = …`, or `most …` with a flag as the first criterion",
        )


def _says_draw(end: model.EndGame) -> bool:
    return isinstance(end.reason, model.Constant) and end.reason.value == "draw"


def _is_about_players(game: model.Game, value: model.Expression) -> bool:
    return any(
        isinstance(one, model.Me | model.Local) for one in visitor.through_defines(game, value)
    )
