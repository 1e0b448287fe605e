"""Control flow: steps that can never be reached, and loops that never come to a decision.

These checks look at the steps as they are written; the action graph of the interpreter is drawn
from the same statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.dsl import model
from rulewright.dsl.analysis.verb_values import blocks_of
from rulewright.dsl.checks import empty_choices
from rulewright.dsl.model import visitor
from rulewright.dsl.model.types import FLAG, ZoneType
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the flow of a game."""
    yield from circles(game)
    for block in visitor.all_blocks(game):
        yield from unreachable(block)
    asking = asking_verbs(game)
    endless: list[Diagnostic] = []
    for block in visitor.all_blocks(game):
        for statement in visitor.statements_in(block):
            if isinstance(statement, model.Repeat):
                endless += _endless(game, statement, asking)
    yield from endless
    yield from _rounds(game, asking)
    if not endless:
        yield from _no_end(game)
    yield from _ends_again(game)
    yield from _stops(game)
    yield from _without_result(game)
    yield from empty_choices.assumed(game)


def unreachable(block: model.Block) -> Iterator[Diagnostic]:
    """Yield a message for the first step behind one that always leaves."""
    for number, statement in enumerate(block):
        for inner in visitor.blocks_in(statement):
            yield from unreachable(inner)
        if visitor.leaves((statement,)) and number + 1 < len(block):
            following = block[number + 1]
            yield diagnostic("RW601", following.span, "never reached")
            return


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


def calls_in(game: model.Game, block: model.Block) -> Iterator[str]:
    """Yield the ids of the verbs that a block does, or may do through a value."""
    for statement in visitor.statements_in(block):
        if isinstance(statement, model.CallVerb):
            yield statement.verb
        for head in visitor.parts(statement):
            for node in visitor.nodes_in(head):
                if isinstance(node, model.VerbOf):
                    yield from node.verbs


def asks(block: model.Block) -> bool:
    """Return whether a block asks somebody itself, or may do so through a value."""
    decisions = model.Choose | model.Split | model.May | model.Either | model.Do
    return any(isinstance(one, decisions) for one in visitor.statements_in(block))


def asking_verbs(game: model.Game) -> frozenset[str]:
    """Return the ids of the verbs in which somebody may have to decide."""
    found = {
        verb.id
        for verb in game.verbs.values()
        if any(asks(block) for block in blocks_of(game, verb))
    }
    changed = True
    while changed:
        changed = False
        for verb in game.verbs.values():
            if verb.id in found:
                continue
            called = {name for block in blocks_of(game, verb) for name in calls_in(game, block)}
            if called & found:
                found.add(verb.id)
                changed = True
    return frozenset(found)


def _called(game: model.Game, block: model.Block) -> Iterator[model.Block]:
    """Yield a block and the blocks of all verbs that are done from it."""
    yield block
    seen: set[str] = set()
    waiting = list(calls_in(game, block))
    while waiting:
        name = waiting.pop()
        verb = game.verbs.get(name)
        if name in seen or verb is None:
            continue
        seen.add(name)
        for inner in blocks_of(game, verb):
            yield inner
            waiting.extend(calls_in(game, inner))


def _endless(game: model.Game, loop: model.Repeat, asking: frozenset[str]) -> Iterator[Diagnostic]:
    if loop.word == "times" or asks(loop.block):
        return
    if any(name in asking for name in calls_in(game, loop.block)):
        return
    blocks = tuple(_called(game, loop.block))
    statements = [one for block in blocks for one in visitor.statements_in(block)]
    if any(isinstance(one, model.Stop | model.EndGame) for one in statements):
        return
    if loop.value is not None and _may_change(game, loop.value, statements):
        return
    help = "let somebody decide in it, or let something change that ends it"
    yield diagnostic("RW603", loop.span, "runs for ever", help=help)


def _rounds(game: model.Game, asking: frozenset[str]) -> Iterator[Diagnostic]:
    """Yield a message for each verb that is certain to begin itself again before anybody decides."""
    doing = {
        verb.id: dict(_certain_calls(verb.block))
        for verb in game.verbs.values()
        if verb.id not in asking
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


def _certain_calls(block: model.Block) -> Iterator[tuple[str, Span]]:
    """Yield the verbs that a block is certain to do, with the places."""
    for statement in block:
        if isinstance(statement, model.CallVerb):
            yield statement.verb, statement.span
        elif isinstance(statement, model.NamedStep):
            yield from _certain_calls(statement.block)
        if visitor.leaves((statement,)) or visitor.blocks_in(statement):
            # Behind a branch or a loop nothing is certain: it may have left.
            return


def _may_change(
    game: model.Game, condition: model.Expression, statements: list[model.Statement]
) -> bool:
    """Return whether some step may write what a condition reads."""
    fields, names = reads(game, condition)
    for statement in statements:
        if isinstance(statement, model.Let) and statement.name in names:
            return True
        if isinstance(statement, model.Create | model.Destroy):
            return True
        if isinstance(statement, model.Move | model.Shuffle) and any(
            _is_zone(game, field) for field in fields
        ):
            return True
        for head in visitor.parts(statement):
            if isinstance(head, model.FieldPlace | model.EntryPlace) and head.field in fields:
                return True
            if isinstance(head, model.LocalPlace | model.AppliedPlace) and fields:
                return True
    return False


def _is_zone(game: model.Game, field: str) -> bool:
    return isinstance(game.fields[field].type, ZoneType)


def reads(game: model.Game, node: model.Node) -> tuple[frozenset[str], frozenset[str]]:
    """Return the fields and the locals that an expression reads, through defines."""
    fields: set[str] = set()
    names: set[str] = set()
    for one in visitor.through_defines(game, node):
        if isinstance(one, model.Read):
            fields.add(one.field)
        elif isinstance(one, model.Local):
            names.add(one.name)
        elif isinstance(one, model.LiesAt):
            fields.update(name for name in game.fields if _is_zone(game, name))
    return frozenset(fields), frozenset(names)


def _stops(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each `stop V` at a place where V never runs."""
    values = {
        name
        for block in visitor.all_blocks(game)
        for statement in visitor.statements_in(block)
        for head in visitor.parts(statement)
        for name in _verbs_in(game, head)
    }
    callers: dict[str, set[str]] = {name: set() for name in game.verbs}
    for verb in game.verbs.values():
        for block in blocks_of(game, verb):
            called = set(calls_in(game, block))
            if any(isinstance(one, model.Do) for one in visitor.statements_in(block)):
                called |= values
            for name in called & callers.keys():
                callers[name].add(verb.id)
    for offer in game.offers:
        # It is taken inside what the `during` speaks of, wherever that has led to.
        inside = _reached(game, {verb_of(game, target) for target in offer.targets}, values)
        callers[offer.id] |= inside
    for verb in game.verbs.values():
        running = _closed(verb.id, callers)
        for block in blocks_of(game, verb):
            for statement in visitor.statements_in(block):
                if not isinstance(statement, model.Stop) or statement.target is None:
                    continue
                # A step is told by the verb that it stands in.
                targets = {verb_of(game, one) for one in statement.target}
                if not targets & running:
                    help = "only what has begun and not ended can be stopped"
                    word = statement.target[0].rpartition(".")[2].partition("/")[0]
                    yield diagnostic("RW219", statement.span, "does not run", help=help, name=word)


def verb_of(game: model.Game, target: str) -> str:
    """Return the verb that a target is, or in which a step stands."""
    return target if target in game.verbs else target.rpartition(".")[0]


def _reached(game: model.Game, verbs: set[str], values: set[str]) -> set[str]:
    """Return some verbs and all that may run inside them."""
    found: set[str] = set()
    waiting = list(verbs & game.verbs.keys())
    while waiting:
        name = waiting.pop()
        if name in found or name not in game.verbs:
            continue
        found.add(name)
        for block in blocks_of(game, game.verbs[name]):
            waiting += calls_in(game, block)
            if any(isinstance(one, model.Do) for one in visitor.statements_in(block)):
                waiting += values
    return found


def _ends_again(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each `end game` in what stands `after play`: it would begin that again."""
    play = game.verbs.get("play")
    after = () if play is None else [one for one in play.amendments if one.timing == "after"]
    for amendment in after:
        for place, ending in _endings(game, amendment.block, set()):
            labels = () if place is ending else (Label(ending, "this ends the game"),)
            help = "the game has ended: take it out"
            yield diagnostic("RW605", place, "after the end", help=help, secondary=labels)


def _endings(game: model.Game, block: model.Block, seen: set[str]) -> Iterator[tuple[Span, Span]]:
    """Yield the places in a block that end the game, each with the `end game` itself."""
    for statement in visitor.statements_in(block):
        if isinstance(statement, model.EndGame):
            yield statement.span, statement.span
        elif isinstance(statement, model.CallVerb) and statement.verb not in seen:
            seen.add(statement.verb)
            for _, ending in _endings(game, game.verbs[statement.verb].block, seen):
                yield statement.span, ending


def _verbs_in(game: model.Game, node: model.Node) -> Iterator[str]:
    """Yield the verbs that a value may be, through defines."""
    for one in visitor.through_defines(game, node):
        if isinstance(one, model.VerbOf):
            yield from one.verbs


def _closed(name: str, callers: Mapping[str, set[str]]) -> set[str]:
    """Return a verb and all verbs from which it may have been begun."""
    found = {name}
    waiting = [name]
    while waiting:
        fresh = callers[waiting.pop()] - found
        found |= fresh
        waiting.extend(fresh)
    return found


def _no_end(game: model.Game) -> Iterator[Diagnostic]:
    play = game.verbs.get("play")
    if play is None:
        return
    blocks = tuple(block for one in blocks_of(game, play) for block in _called(game, one))
    blocks += tuple(watch.block for watch in game.watches)
    blocks += tuple(
        block for one in game.offers for block in _called(game, game.verbs[one.id].block)
    )
    statements = [one for block in blocks for one in visitor.statements_in(block)]
    endless = [
        one
        for one in statements
        if isinstance(one, model.Repeat)
        and one.word == "for ever"
        and not any(isinstance(inner, model.Stop) for inner in visitor.statements_in(one.block))
    ]
    if endless and not any(isinstance(one, model.EndGame) for one in statements):
        help = 'write `end game "…"` where the game ends'
        yield diagnostic("RW602", endless[0].span, "nothing leaves this loop", help=help)


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
