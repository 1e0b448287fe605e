"""Offers that can never be taken, or again and again; and conditions that are looked at too late.

    during score                       # nobody decides anything there
      may "Sell" when my.coins < 9
        add 1 to my.points             # and this could be done for ever

While several players act at once (`together`) offers are closed: what these do is joined by rules of its
own. An offer comes to an end if it writes something that decides whether it is possible: what its guard
reads, a requirement, what stands to choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl import model, walk
from rulewright.dsl.checks_flow import verb_of
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.flow import Flow, watch_unit
from rulewright.dsl.meant import blocks_of
from rulewright.dsl.source import Span

PLAY = "play"


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the offers of a game, and with what stands in a `during`."""
    if not game.running:
        return
    flow = Flow(game)
    where = _Where(flow)
    for offer in game.offers:
        name = offer.label.span.text.strip('"')
        if offer.targets and not any(map(where.is_open, offer.targets)):
            yield _never_open(offer, name, where)
        elif not _ends(flow, offer):
            help = 'let it cost something that its guard asks for, or limit it: `once "…"`'
            yield diagnostic(
                "RW630", _first_line(offer.span), "it changes nothing it asks", help=help, name=name
            )
    for watch in game.watches:
        if _is_late(game, flow, watch.condition):
            yield diagnostic(
                "RW501",
                _first_line(watch.span),
                "nobody decides anything there: it is over when conditions are looked at",
                help="look at it in a block: `after …`",
                name="as soon as",
            )


def _never_open(offer: model.Offer, name: str, where: _Where) -> Diagnostic:
    running = " ".join(offer.running.span.text.split())
    label = f"nobody decides anything during {running}"
    help = "write `pause` where others may speak, or name a verb in which somebody decides"
    forks = [fork for target in offer.targets for fork in where.forks(target)]
    if not forks:
        return diagnostic("RW631", offer.running.span, label, help=help, name=name)
    return diagnostic(
        "RW631",
        offer.running.span,
        f"all that is decided during {running} is decided at once",
        secondary=(
            Label(_first_line(forks[0].span), "offers are closed while several act at once"),
        ),
        help="let it be a `may` in this block; or write `pause` before it or behind it, during the"
        " same verb",
        name=name,
    )


class _Where:
    """In which verbs and steps somebody decides something on his own, and in which only several at
    once."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.steps = {
            one.id: one
            for block in walk.all_blocks(flow.game)
            for one in walk.statements_in(block)
            if isinstance(one, model.NamedStep)
        }
        self.inside = frozenset(_begun(flow, [fork.block for fork in _forks(flow, self._all())]))
        """The verbs and steps that several begin at once."""

        roots = [self.flow.content(PLAY)] if PLAY in flow.game.verbs else []
        roots += [flow.content(watch_unit(watch)) for watch in flow.game.watches]
        roots += [flow.content(offer.id) for offer in flow.game.offers]
        self.outside = frozenset((PLAY, *_begun(flow, roots, alone=True)))

    def _all(self) -> tuple[object, ...]:
        return tuple(walk.all_blocks(self.flow.game))

    def is_open(self, target: str) -> bool:
        """Return whether an offer may be open while a verb or step is running."""
        if target not in self.flow.game.verbs and target not in self.steps:
            return True
        if target in self.inside and target not in self.outside:
            return False
        return any(_decides(self.flow, self._content(target)))

    def forks(self, target: str) -> tuple[model.As, ...]:
        """Return where several act at once while a verb or step is running, or around it."""
        found = _forks(self.flow, self._content(target))
        if found or target not in self.inside:
            return found
        return tuple(
            fork
            for fork in _forks(self.flow, self._all())
            if target in _begun(self.flow, [fork.block])
        )

    def _content(self, target: str) -> tuple[object, ...]:
        step = self.steps.get(target)
        if step is not None:
            return (step,)
        return self.flow.content(target) if target in self.flow.game.verbs else ()


def _running(flow: Flow, content: object, alone: bool = False) -> Iterator[object]:
    """Yield all that runs in a block with what it calls, each verb once; with `alone` without what
    several do at once."""
    waiting: list[object] = [content]
    begun: set[str] = set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
            continue
        if alone and isinstance(part, model.As) and part.together:
            continue
        if isinstance(part, model.NamedStep):
            yield part
            waiting.append(flow.linked(part.id, part.block))
        elif isinstance(part, model.Step):
            yield part
            verbs: frozenset[str] = frozenset()
            if isinstance(part, model.CallVerb):
                verbs = frozenset({part.verb})
            elif isinstance(part, model.Do):
                verbs = flow.done_by(part.value)
            waiting.extend(flow.content(verb) for verb in sorted(verbs - begun))
            begun |= verbs
            waiting.extend(walk.blocks_in(part))  # type: ignore[arg-type]


def _begun(flow: Flow, contents: Sequence[object], alone: bool = False) -> Iterator[str]:
    for part in _running(flow, tuple(contents), alone):
        match part:
            case model.NamedStep(id=id):
                yield id
            case model.CallVerb(verb=verb):
                yield verb
            case model.Do(value=value):
                yield from flow.done_by(value)


def _decides(flow: Flow, content: object) -> Iterator[bool]:
    for part in _running(flow, content, alone=True):
        if isinstance(part, model.Choose | model.Split | model.May | model.Either):
            yield True


def _forks(flow: Flow, content: object) -> tuple[model.As, ...]:
    found = (part for part in _running(flow, content) if isinstance(part, model.As))
    return tuple(part for part in found if part.together)


def _ends(flow: Flow, offer: model.Offer) -> bool:
    game = flow.game
    asked: list[model.Expression | None] = [offer.guard]
    for unit in flow.reached(offer.id):
        for block in blocks_of(game, game.verbs[unit]):
            for statement in walk.statements_in(block):
                match statement:
                    case model.Need(condition=condition):
                        asked.append(condition)
                    case model.Choose():
                        asked += [statement.source, statement.such_that]
                        asked += [statement.low, statement.high]
                    case model.Either(arms=arms):
                        asked += [arm.guard for arm in arms]
                    case model.If(branches=branches):
                        asked += [branch.condition for branch in branches]
                    case model.EndGame():
                        return True
                    case model.Stop(target=target) if target is not None:
                        return True
    reads = flow.reads(tuple(one for one in asked if one is not None))
    return bool(reads & flow.unit(offer.id).writes)


def _is_late(game: model.Game, flow: Flow, condition: model.Expression) -> bool:
    """Return whether a condition holds only while something atomic is running."""
    match condition:
        case model.And(left=left, right=right):
            return _is_late(game, flow, left) or _is_late(game, flow, right)
        case model.Or(left=left, right=right):
            return _is_late(game, flow, left) and _is_late(game, flow, right)
        case model.Compare(left=model.Read(field=field)) if field.startswith(model.RUNNING):
            verb = verb_of(game, field.removeprefix(model.RUNNING))
            return verb in game.verbs and not flow.asks(verb)
    return False


def _first_line(span: Span) -> Span:
    return span.slice(0, len(span.text.partition("\n")[0]))
