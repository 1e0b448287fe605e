"""Circles through `can`: whether a verb can be done may not depend on whether it can be done."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.analysis.verb_values import Verbs, VerbValues, heads_of
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, diagnostic


@attrs.frozen
class _CanQuestion:
    """A place in a verb that asks `can`."""

    verb: str
    node: model.Node
    about: Verbs


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a message for each `can` about a verb that comes back to the same `can`."""
    if not any(_asks(game)):
        return
    values = VerbValues(game)
    leads: dict[str, set[str]] = {}
    questions: list[_CanQuestion] = []
    for verb in game.verbs.values():
        leads[verb.id] = set().union(*values.called(verb))
        for node, about in values.asked(verb):
            questions.append(_CanQuestion(verb.id, node, about))
            leads[verb.id] |= about
    seen: set[str] = set()
    for question in questions:
        way = _way(leads, question)
        if way and not seen & {question.verb, *way}:
            seen |= {question.verb, *way}
            yield _message(game, question, way)


def _asks(game: model.Game) -> Iterator[bool]:
    heads: list[model.Node] = [one for verb in game.verbs.values() for one in heads_of(game, verb)]
    for define in game.defines.values():
        heads += visitor.bodies_of(define)
    for head in heads:
        yield any(isinstance(one, model.Can) for one in visitor.nodes_in(head))


def _way(leads: dict[str, set[str]], question: _CanQuestion) -> tuple[str, ...]:
    """Return the verbs through which a question comes back to its verb, or nothing."""
    came: dict[str, str | None] = dict.fromkeys(sorted(question.about))
    waiting = list(came)
    while waiting:
        verb = waiting.pop(0)
        if verb == question.verb:
            way = [verb]
            while (before := came[way[-1]]) is not None:
                way.append(before)
            return tuple(way[::-1])
        for other in sorted(leads.get(verb, ())):
            if other not in came:
                came[other] = verb
                waiting.append(other)
    return ()


def _message(game: model.Game, question: _CanQuestion, way: tuple[str, ...]) -> Diagnostic:
    names = [game.verbs[id].name for id in (question.verb, *way)]
    leads_on = ", which leads to ".join(f"`{name}`" for name in names[1:])
    return diagnostic(
        "RW318",
        question.node.span,
        f"asked in `{names[0]}`",
        name=names[1],
        notes=[f"`{names[0]}` asks for {leads_on}"],
        help="put what both need into a `define`",
    )
