"""Whether an answer of an example could be one at all: where the rules stand and the answer in, yes or no out.

From where an answer was expected the action graphs are followed along every edge, whatever their guards
say, into the verbs and watched conditions that may run and back up the stack. An answer that no
decision on the way could have had, by its name, its text or its type, is a slip of the example: that
it is not possible says nothing about the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from rulewright.dsl import kinds, model, walk
from rulewright.dsl.flow import watch_unit
from rulewright.interpreter.loaded import Program
from rulewright.interpreter.plans import Plan
from rulewright.interpreter.store import Frame

Node = tuple[str, int]
"""A node of an action graph: unit and number."""


def begun(verbs: Iterable[str]) -> tuple[Node, ...]:
    """Return where the verbs begin, one of which an example begins."""
    return tuple((verb, 0) for verb in verbs)


def behind(program: Program, frames: Sequence[Frame]) -> tuple[Node, ...]:
    """Return where it goes on once the units on top of a stack have ended; the frames stand at calls."""
    plans = program.plans
    standing = [frame for frame in frames if frame.unit in plans]
    return tuple(
        (frame.unit, after)
        for frame in standing
        for after in plans[frame.unit].edges[frame.node].values()
    )


def after(program: Program, frames: Sequence[Frame], way: str | None) -> tuple[Node, ...]:
    """Return where it goes on after an answer to the open decision; `way`: the edge that the answer
    takes, None if that is not known."""
    if not frames or frames[-1].unit not in program.plans:
        return behind(program, frames)
    top = frames[-1]
    edges = program.plans[top.unit].edges[top.node]
    if way in edges:
        return ((top.unit, edges[way]), *behind(program, frames[:-1]))
    return ((top.unit, top.node), *behind(program, frames))


def could_answer(program: Program, start: Iterable[Node], answer: model.Answer, text: str) -> bool:
    """Return whether some decision ahead could have an answer; `text` is what its text comes out as."""
    for step in _met(program, start):
        if answer.text is not None and any(_reads(label, text) for label in _labels(step)):
            return True
        if isinstance(step, model.Choose | model.Split) and _takes(program, step, answer):
            return True
    return False


def _met(program: Program, start: Iterable[Node]) -> Iterator[model.Step | model.Offer]:
    """Yield the decisions ahead, and the offers beside them."""
    plans: dict[str, Plan] = program.plans
    watches = tuple(watch_unit(watch) for watch in program.game.watches)
    ids = {watch.id: watch_unit(watch) for watch in program.game.watches}
    offers = program.game.offers
    open = [*start]
    if open:
        open += begun(watches)  # when a verb has ended they are looked at
    seen: set[Node] = set()
    while open:
        node = open.pop()
        if node in seen or node[0] not in plans:
            continue
        seen.add(node)
        unit, number = node
        data = plans[unit].nodes[number]
        if data["kind"] == "decide":
            yield data["step"]
            yield from offers
            open += begun(offer.id for offer in offers)
        open += begun(data.get("verbs", ()))
        open += begun(ids[watch] for watch in data.get("watches", ()))
        open += ((unit, target) for target in plans[unit].edges[number].values())


def _labels(step: model.Step | model.Offer) -> tuple[model.Expression, ...]:
    match step:
        case model.May(label=label) | model.Offer(label=label):
            return (label,)
        case model.Either(arms=arms):
            return tuple(arm.label for arm in arms)
    return ()


def _reads(label: model.Expression, text: str) -> bool:
    """Return whether a label may come out as a text."""
    if isinstance(label, model.Constant):
        return label.value == text
    if not isinstance(label, model.TextOf):
        return True
    parts = (re.escape(part) if isinstance(part, str) else ".*" for part in label.parts)
    return re.fullmatch("".join(parts), text, re.DOTALL) is not None


def _takes(program: Program, step: model.Choose | model.Split, answer: model.Answer) -> bool:
    """Return whether a `choose` could have an answer, by its name or the type of its value."""
    if answer.name is not None and answer.name != step.name:
        return False
    if isinstance(answer.value, model.VerbOf):
        return bool({*answer.value.verbs} & _verbs_of(program, step.source))
    if answer.name is not None:
        return True
    item = kinds.element(step.source.type) or step.source.type
    if answer.value is None:
        return isinstance(step, model.Choose) and kinds.fits(kinds.TEXT, item)
    found = answer.value.type
    if isinstance(step, model.Split):
        inner = found.value if isinstance(found, kinds.FamilyType) else kinds.element(found)
        return inner is not None and kinds.fits(inner, kinds.NUMBER)
    if kinds.fits(found, item):
        return True
    held = kinds.element(found)
    return step.word != "one" and held is not None and kinds.fits(held, item)


def _verbs_of(program: Program, source: model.Expression) -> Set[str]:
    """Return the verbs that a list may hold: those that it names, itself or through defines; if it comes
    from somewhere else, all that are values anywhere."""
    own = [*walk.everything_in(source)]
    bound = {one.name for one in own if isinstance(one, model.Where | model.Each | model.Having)}
    bound |= {one.name for one in own if isinstance(one, model.Sorted | model.LetIn)}
    inside = [*walk.through_defines(program.game, source)]
    for one in inside:
        if isinstance(one, model.Read | model.Entry | model.OptionValue) and _is_verb(one):
            return program.flow.values
    if any(isinstance(one, model.Local) and _is_verb(one) and one.name not in bound for one in own):
        return program.flow.values
    return {verb for one in inside if isinstance(one, model.VerbOf) for verb in one.verbs}


def _is_verb(value: model.Node) -> bool:
    """Return whether a value is a verb, or a list or family of verbs."""
    found = value.type
    if isinstance(found, kinds.FamilyType):
        found = found.value
    found = kinds.without_none(found)
    return isinstance(kinds.element(found) or found, kinds.VerbType)
