"""Which offers are open while several players act at once (`together`), and why others are not.

An offer is closed if what it does could not be joined; so it may never be open at all:

    to bidding
      as players together              # here a player may take what is offered to him, before he bids
        choose bid from 0..my.coins
        set my.bid to bid
    during bidding
      may "Borrow" when my.debts < 3   # open: it does nothing that the block could not do, too
        add 1 to my.debts
        add 5 to my.coins
      may "Draw" when my.coins > 0     # closed: of the pile everybody would take the same card
        add -1 to my.coins
        draw 1 from cards to my.hand

What an offer does there belongs to the branch of the player who takes it. So it is open where all that
it does may be done there (`simultaneous`), and where nothing that it adds to is read by the block or
by another offer, nor the other way round; of two offers that get into each other's way both are closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, watch_unit
from rulewright.dsl.checks.simultaneous import ParallelBlock
from rulewright.dsl.ir.action_graph import PLAY
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic

BlockPlace: TypeAlias = tuple[str, int]
"""Where a block stands: the name of its file, and how far from the beginning of that."""


class OffersInBranches:
    """Answers for the offers of one linked game."""

    def __init__(self, effects: GameEffects) -> None:
        self.effects = effects
        self._closed: dict[int, Mapping[str, Diagnostic]] = {}
        """By the identity of the forks, which are kept beside."""

        self._kept: list[model.As] = []
        self._in_forks: dict[BlockPlace, frozenset[str]] = {}
        self._around: dict[str, frozenset[BlockPlace]] = {}

    def closed(self, fork: model.As) -> Mapping[str, Diagnostic]:
        """Return the offers that may not be taken in a block which several run at once, by their ids,
        each with what does not go there."""
        if id(fork) not in self._closed:
            self._kept.append(fork)
            found: dict[str, Diagnostic] = {}
            for offer, problem in self._found_closed(fork):
                found.setdefault(offer, problem)
            self._closed[id(fork)] = found
        return self._closed[id(fork)]

    def _found_closed(self, fork: model.As) -> Iterator[tuple[str, Diagnostic]]:
        effects = self.effects
        block = ParallelBlock(effects.game, effects, fork)
        for _ in block.walk():
            pass
        parts: dict[str, ParallelBlock] = {}
        for offer in effects.game.offers:
            if not self._may_run(offer.running, fork):
                continue
            part = ParallelBlock(effects.game, effects, fork)
            problems = [
                *part.walk_offer(offer),
                *part.leaves(block.running | part.running),
                *_against(part, part),
                *_against(part, block),
            ]
            if problems:
                yield offer.id, problems[0]
            else:
                parts[offer.id] = part
        for id, part in parts.items():
            for other in parts.values():
                for problem in _against(part, other):
                    yield id, problem

    # ---------------------------------------------------------------------------------------- where

    def is_open(self, offer: model.Offer) -> bool:
        """Return whether an offer may be open somewhere."""
        return not offer.targets or any(self._is_open(offer, one) for one in offer.targets)

    def _is_open(self, offer: model.Offer, target: str) -> bool:
        if target not in self.effects.game.verbs and target not in self.steps:
            return True
        if target not in self.inside or target in self.outside:
            if any(_decides(self.effects, self._content(target))):
                return True
        return any(offer.id not in self.closed(fork) for fork in self._asking(target))

    def refused(self, offer: model.Offer) -> tuple[model.As, Diagnostic] | None:
        """Return where several act at once and somebody is asked something while an offer is closed,
        and why it is; None if there is no such place."""
        for target in offer.targets or (PLAY,):
            for fork in self._asking(target):
                if offer.id in self.closed(fork):
                    return fork, self.closed(fork)[offer.id]
        return None

    def _asking(self, target: str) -> Iterator[model.As]:
        """Yield where several act at once, and somebody is asked something while a verb or step is
        running."""
        for fork in self.forks:
            if _place(fork) in self._forks_in(target):
                if any(_decides(self.effects, fork.block)):
                    yield fork
            elif target in self._begun_in(fork):
                if any(_decides(self.effects, self._content(target))):
                    yield fork

    def _may_run(self, running: model.Expression, fork: model.As) -> bool:
        """Return whether what a `during` speaks of may be running in a block of several at once."""
        match running:
            case model.And(left=left, right=right):
                return self._may_run(left, fork) and self._may_run(right, fork)
            case model.Or(left=left, right=right):
                return self._may_run(left, fork) or self._may_run(right, fork)
            case model.Compare(left=model.Read(field=field)):
                target = field.removeprefix(model.RUNNING)
                if target not in self.effects.game.verbs and target not in self.steps:
                    return True
                return target in self._begun_in(fork) or _place(fork) in self._forks_in(target)
        return True

    # ------------------------------------------------------------------------------------ what runs

    @cached_property
    def steps(self) -> Mapping[str, model.NamedStep]:
        """The named steps of the game."""
        return visitor.named_steps(visitor.all_blocks(self.effects.game))

    @cached_property
    def forks(self) -> tuple[model.As, ...]:
        """The blocks that several run at once; while an offer is carried out no other is open."""
        offered = [self.effects.game.verbs[offer.id].block for offer in self.effects.game.offers]
        mine = {_place(fork) for fork in _forks(offered)}
        found = _forks(list(visitor.all_blocks(self.effects.game)))
        return tuple(fork for fork in found if _place(fork) not in mine)

    @cached_property
    def inside(self) -> frozenset[str]:
        """The verbs and steps that several begin at once."""
        return frozenset().union(*map(self._begun_in, self.forks))

    @cached_property
    def outside(self) -> frozenset[str]:
        """The verbs and steps that somebody may begin alone."""
        effects = self.effects
        roots = [effects.content(PLAY)] if PLAY in effects.game.verbs else []
        roots += [effects.content(watch_unit(watch)) for watch in effects.game.watches]
        roots += [effects.content(offer.id) for offer in effects.game.offers]
        return frozenset((PLAY, *_begun(effects, roots, alone=True)))

    def _begun_in(self, fork: model.As) -> frozenset[str]:
        place = _place(fork)
        if place not in self._in_forks:
            # Another use of the module may begin other verbs there.
            everywhere = _forks(list(visitor.all_blocks(self.effects.game)))
            blocks = [one.block for one in everywhere if _place(one) == place]
            self._in_forks[place] = frozenset(_begun(self.effects, [fork.block, *blocks]))
        return self._in_forks[place]

    def _forks_in(self, target: str) -> frozenset[BlockPlace]:
        """Return where several act at once while a verb or step is running that began before."""
        if target not in self._around:
            found = _running(self.effects, self._content(target))
            forks = (one for one in found if isinstance(one, model.As) and one.together)
            self._around[target] = frozenset(map(_place, forks))
        return self._around[target]

    def _content(self, target: str) -> tuple[object, ...]:
        step = self.steps.get(target)
        if step is not None:
            return (step,)
        return self.effects.content(target) if target in self.effects.game.verbs else ()


def _against(one: ParallelBlock, other: ParallelBlock) -> Iterator[Diagnostic]:
    """Yield where one reads what the other adds to."""
    yield from one.reads_what_is_added(other.added)
    yield from other.reads_what_is_added(one.added)


def _place(fork: model.As) -> BlockPlace:
    # A block of a module that is used twice stands there twice: it is one place.
    return fork.span.source.name, fork.span.start


def _running(effects: GameEffects, content: object, alone: bool = False) -> Iterator[object]:
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
            waiting.append(effects.linked(part.id, part.block))
        elif isinstance(part, model.Step):
            yield part
            verbs: frozenset[str] = frozenset()
            if isinstance(part, model.CallVerb):
                verbs = frozenset({part.verb})
            elif isinstance(part, model.Do):
                verbs = effects.done_by(part.value)
            waiting.extend(effects.content(verb) for verb in sorted(verbs - begun))
            begun |= verbs
            waiting.extend(visitor.blocks_in(part))


def _begun(effects: GameEffects, contents: Sequence[object], alone: bool = False) -> Iterator[str]:
    for part in _running(effects, tuple(contents), alone):
        match part:
            case model.NamedStep(id=id):
                yield id
            case model.CallVerb(verb=verb):
                yield verb
            case model.Do(value=value):
                yield from effects.done_by(value)


def _decides(effects: GameEffects, content: object) -> Iterator[bool]:
    for part in _running(effects, content, alone=True):
        if isinstance(part, model.Choose | model.Split | model.May | model.Either):
            yield True


def _forks(blocks: Sequence[model.Block]) -> Iterator[model.As]:
    for block in blocks:
        for one in visitor.statements_in(block):
            if isinstance(one, model.As) and one.together:
                yield one
