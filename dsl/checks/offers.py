"""Offers that can never be taken, or again and again; and conditions that are looked at too late.

    during score                       # nobody decides anything there
      may "Sell" when my.coins < 9
        add 1 to my.points             # and this could be done for ever

An offer comes to an end if it writes something that decides whether it is possible: what its guard
reads, a requirement, what stands to choice. Where several act at once it may be closed
(`offers_in_branches`).
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects, effects_of
from rulewright.dsl.analysis.verb_values import blocks_of
from rulewright.dsl.checks.offers_in_branches import OffersInBranches
from rulewright.dsl.ir.graph import unit_of
from rulewright.dsl.model import visitor
from rulewright.dsl.text.diagnostics import Diagnostic, Label, diagnostic


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the offers of a game, and with what stands in a `during`."""
    if not game.running:
        return
    effects = effects_of(game)
    at_once = OffersInBranches(effects)
    for offer in game.offers:
        name = offer.label.span.text.strip('"')
        if not at_once.is_open(offer):
            yield _never_open(offer, name, at_once)
            continue
        closed = at_once.refused(offer)
        if closed is not None:
            yield _closed(offer, name, *closed)
        if not _ends(effects, offer):
            help = 'let it cost something that its guard asks for, or limit it: `once "…"`'
            yield diagnostic(
                "RW630", offer.span.first_line(), "it changes nothing it asks", help=help, name=name
            )
    for watch in game.watches:
        if _is_late(game, effects, watch.condition):
            yield diagnostic(
                "RW501",
                watch.span.first_line(),
                "nobody decides anything there: it is over when conditions are looked at",
                help="look at it in a block: `after …`",
                name="as soon as",
            )


def _never_open(offer: model.Offer, name: str, at_once: OffersInBranches) -> Diagnostic:
    running = " ".join(offer.running.span.text.split())
    found = at_once.refused(offer)
    if found is None:
        return diagnostic(
            "RW631",
            offer.running.span,
            f"nobody decides anything during {running}",
            help="write `pause` where others may speak, or name a verb in which somebody decides",
            name=name,
        )
    return diagnostic(
        "RW631",
        offer.running.span,
        f"all that is decided during {running} is decided at once, and there it is closed",
        secondary=_behind(*found),
        help="let it do only what may be done at once; or write `pause` before these decisions or"
        " behind them, during the same verb",
        name=name,
    )


def _closed(offer: model.Offer, name: str, fork: model.As, problem: Diagnostic) -> Diagnostic:
    return diagnostic(
        "RW632",
        offer.span.first_line(),
        "closed while several act at once",
        secondary=_behind(fork, problem),
        help="elsewhere it is open; write `pause` before these decisions if it shall be taken then",
        name=name,
    )


def _behind(fork: model.As, problem: Diagnostic) -> tuple[Label, Label]:
    """Return where several act at once, and what an offer does that does not go there."""
    wrong = problem.primary
    told = f"{problem.headline}: {wrong.text}"
    return Label(fork.span.first_line(), "several act at once here"), Label(wrong.span, told)


def _ends(effects: GameEffects, offer: model.Offer) -> bool:
    game = effects.game
    asked: list[model.Expression | None] = [offer.guard]
    for unit in effects.reached(offer.id):
        for block in blocks_of(game, game.verbs[unit]):
            for statement in visitor.statements_in(block):
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
    reads = effects.reads(tuple(one for one in asked if one is not None))
    return bool(reads & effects.unit(offer.id).writes)


def _is_late(game: model.Game, effects: GameEffects, condition: model.Expression) -> bool:
    """Return whether a condition holds only while something atomic is running."""
    match condition:
        case model.And(left=left, right=right):
            return _is_late(game, effects, left) or _is_late(game, effects, right)
        case model.Or(left=left, right=right):
            return _is_late(game, effects, left) and _is_late(game, effects, right)
        case model.Compare(left=model.Read(field=field)) if field.startswith(model.RUNNING):
            verb = unit_of(game, field.removeprefix(model.RUNNING))
            return verb in game.verbs and not effects.asks(verb)
    return False
