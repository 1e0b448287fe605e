"""Players without a seat: a note where rules forget that one has a share in what is compared.

add 1 to claims[old_empire]                       # it has some
for each p in players having most claims[it]      # and is left out of those who have most
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.analysis.verb_values import heads_of
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.text.source import Span


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a note for each family that neutral players share in and that is compared over seats."""
    if not game.neutrals:
        return
    written = dict(_written(game))
    noted: set[str] = set()
    for field, span in _compared(game):
        if field in written and field not in noted:
            noted.add(field)
            place, who = written[field]
            yield diagnostic(
                "RW606",
                span,
                "only those who have a seat",
                secondary=[Label(place, "written for a neutral player")],
                help="compare `Player` if it counts, too",
                name=game.fields[field].name,
                where=who,
            )


def _written(game: model.Game) -> Iterator[tuple[str, tuple[Span, str]]]:
    """Yield the families that are written for a neutral player, with the place and who it is."""
    for block in visitor.all_blocks(game):
        for statement in visitor.statements_in(block):
            for head in visitor.parts(statement):
                if isinstance(head, model.EntryPlace) and _is_neutral(head.key):
                    assert isinstance(head.key, model.NamedThing)
                    yield head.field, (head.span, head.key.name)
            if isinstance(statement, model.As):
                for one in visitor.nodes_in(statement.players):
                    if _is_neutral(one):
                        assert isinstance(one, model.NamedThing)
                        yield from _written_by(game, statement.block, one.name, set())


def _written_by(
    game: model.Game, block: model.Block, who: str, seen: set[str]
) -> Iterator[tuple[str, tuple[Span, str]]]:
    """Yield the families in which the acting player writes what is his, through the verbs he does."""
    for statement in block:
        if isinstance(statement, model.As):
            continue
        for head in visitor.parts(statement):
            if isinstance(head, model.EntryPlace) and isinstance(head.key, model.Me):
                yield head.field, (head.span, who)
        if isinstance(statement, model.CallVerb) and statement.verb not in seen:
            seen.add(statement.verb)
            yield from _written_by(game, game.verbs[statement.verb].block, who, seen)
        for inner in visitor.blocks_in(statement):
            yield from _written_by(game, inner, who, seen)


def _is_neutral(node: model.Node) -> bool:
    return isinstance(node, model.NamedThing) and node.kind == "Player"


def _compared(game: model.Game) -> Iterator[tuple[str, Span]]:
    """Yield the families whose entries are compared over `players`, with the place."""
    roots = [head for verb in game.verbs.values() for head in heads_of(game, verb)]
    roots += [one for define in game.defines.values() for one in visitor.bodies_of(define)]
    roots += [
        head
        for watch in game.watches
        for statement in visitor.statements_in(watch.block)
        for head in visitor.parts(statement)
    ]
    for root in roots:
        for node in visitor.nodes_in(root):
            if isinstance(node, model.Having | model.Sorted) and _over_seats(node.source):
                for key in node.keys:
                    for one in visitor.nodes_in(key.value):
                        if (
                            isinstance(one, model.Entry)
                            and isinstance(one.family, model.Read)
                            and isinstance(one.key, model.Local)
                            and one.key.name == node.name
                        ):
                            yield one.family.field, node.span


def _over_seats(source: model.Expression) -> bool:
    while isinstance(source, model.Where):
        source = source.source
    return isinstance(source, model.Seats)
