"""Choices that are assumed to be possible: the first decision of a transaction is not covered by any
look-ahead, so a `choose` there that finds nothing would leave the rules stuck.

What can be proved is left out: a list that cannot be empty, one that a dominating test has found not
to be empty, a number of 0 or more, `or stop`, a verb behind a test that it `can` be done. The rest is listed, as a note with its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl import model, walk
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.registry import FUNCTION_BY_NAME

Tested = frozenset[model.Expression]


def assumed(game: model.Game) -> Iterator[Diagnostic]:
    """Yield a note for each `choose` that may be the first decision and is not proved possible."""
    flow = _Flow(game)
    flow.settle()
    for verb in game.verbs.values():
        yield from flow.notes(verb.block, verb.id in flow.fresh)
        for amendment in verb.amendments:
            yield from flow.notes(amendment.block, verb.id in flow.fresh)


class _Flow:
    """Finds where a transaction may begin: behind chance, hidden things, and each pass of a loop.

    `fresh` holds the verbs that may be begun where no decision has come before.
    """

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self.fresh: set[str] = {"play"}
        self.found: list[Diagnostic] = []
        self.listing = False

    def settle(self) -> None:
        """Work out which verbs may begin a transaction."""
        before = -1
        while before != len(self.fresh):
            before = len(self.fresh)
            for verb in self.game.verbs.values():
                self._block(verb.block, verb.id in self.fresh, frozenset())

    def notes(self, block: model.Block, fresh: bool) -> list[Diagnostic]:
        """Return the notes of one block."""
        self.listing, self.found = True, []
        self._block(block, fresh, frozenset())
        self.listing = False
        return self.found

    def _block(self, block: model.Block, fresh: bool, tested: Tested) -> bool:
        """Walk a block; return whether a transaction may begin behind it."""
        for statement in block:
            fresh = self._statement(statement, fresh, tested)
            match statement:
                case model.Need(condition=condition):
                    tested |= _holding(condition)
                case model.If(branches=branches):
                    tested = _behind(branches, tested)
                case model.Let() | model.Show():
                    pass
                case _:
                    # What could be done may not be possible any more.
                    tested = frozenset(one for one in tested if not isinstance(one, model.Can))
        return fresh

    def _statement(self, statement: model.Statement, fresh: bool, tested: Tested) -> bool:
        match statement:
            case model.Choose() | model.Split():
                if fresh and self.listing and not possible(statement, tested, self.game):
                    self.found.append(
                        diagnostic(
                            "RW604",
                            statement.span,
                            "may find nothing",
                            name=f"choose {statement.name.partition('~')[0]}",
                            help="test it first, or write `or stop` behind it",
                        )
                    )
                return False
            case model.May(block=block):
                self._block(block, False, tested)
                return False
            case model.Either(arms=arms):
                for arm in arms:
                    self._block(arm.block, False, tested)
                return False
            case model.If():
                ends = []
                for branch in statement.branches:
                    ends.append(
                        self._block(branch.block, fresh, tested | _holding(branch.condition))
                    )
                    tested |= _failing(branch.condition)
                ends.append(self._block(statement.otherwise, fresh, tested))
                return any(ends)
            case model.Repeat(word="while", value=value, block=block) if value is not None:
                self._block(block, True, _holding(value))
                return True
            case model.Repeat(word="until", value=value, block=block) if value is not None:
                self._block(block, True, _failing(value))
                return True
            case model.As(block=block) | model.Repeat(block=block):
                self._block(block, True, frozenset())
                return True
            case model.ForEach(block=block) | model.NamedStep(block=block):
                return self._block(block, fresh, tested) or fresh
            case model.CallVerb(verb=verb):
                if fresh and not _can_be_done(statement, tested):
                    self.fresh.add(verb)
                return fresh or self._cuts(statement)
            case model.Do():
                return fresh
            case model.Pause():
                return True
        return fresh or self._cuts(statement)

    def _cuts(self, statement: model.Statement) -> bool:
        """Return whether a statement depends on chance or on what is hidden from everybody."""
        for head in walk.heads_in(statement):
            for node in walk.everything_in(head):
                if isinstance(node, model.Chance):
                    return True
                if isinstance(node, model.Builtin) and node.name == "top":
                    return True
        return False


def _behind(branches: tuple[model.Branch, ...], tested: Tested) -> Tested:
    """Return what has been found out behind an `if`: what makes all branches fail that come to their
    end. A branch that does something may spoil what could be done."""
    open_ends = [branch for branch in branches if not walk.leaves(branch.block)]
    if open_ends:
        tested = frozenset(one for one in tested if not isinstance(one, model.Can))
        return tested
    for branch in branches:
        tested |= _failing(branch.condition)
    return tested


def _holding(condition: model.Expression) -> Tested:
    """Return the lists that are not empty, and the verbs that can be done, if a condition holds."""
    match condition:
        case model.And(left=left, right=right):
            return _holding(left) | _holding(right)
        case model.Not(operand=operand):
            return _failing(operand)
        case model.IsEmpty(source=source, negated=True):
            return frozenset({source})
        case model.Can():
            return frozenset({condition})
        case model.Compare(word=word, left=left, right=right):
            return _counted(word, left, right)
    return frozenset()


def _failing(condition: model.Expression) -> Tested:
    """Return the same if a condition does not hold."""
    match condition:
        case model.Or(left=left, right=right):
            return _failing(left) | _failing(right)
        case model.Not(operand=operand):
            return _holding(operand)
        case model.IsEmpty(source=source, negated=False):
            return frozenset({source})
        case model.Compare(word=word, left=left, right=right) if word in _OPPOSITE:
            return _counted(_OPPOSITE[word], left, right)
    return frozenset()


_OPPOSITE = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _counted(word: str, left: model.Expression, right: model.Expression) -> Tested:
    """Return the list of which a comparison tells that there is something in it."""
    if isinstance(left, model.Constant) and word in _TURNED:
        left, right, word = right, left, _TURNED[word]
    match left, right:
        case (
            model.Builtin(name="count", arguments=(source,)),
            model.Constant(value=int(number)),
        ):
            some = {">": number >= 0, ">=": number > 0, "is": number > 0, "is not": number == 0}
            return frozenset({source}) if some.get(word, False) else frozenset()
    return frozenset()


def _can_be_done(call: model.CallVerb, tested: Tested) -> bool:
    """Return whether it has just been asked whether this can be done."""
    for one in tested:
        match one:
            case model.Can(verb=model.VerbOf(verbs=(verb,), arguments=arguments)):
                if verb == call.verb and arguments == call.arguments:
                    return True
    return False


def possible(choose: model.Choose | model.Split, tested: Tested, game: model.Game) -> bool:
    """Return whether a `choose` is proved to have an option."""
    if isinstance(choose, model.Split):
        if choose.or_stop or (isinstance(choose.total, model.Constant) and not choose.total.value):
            return True
        if choose.limit is not None or choose.such_that is not None:
            return False
        return _is_tested(choose.source, tested) or never_empty(choose.source, game)
    if choose.or_stop or choose.word in ("any", "up_to", "ordered"):
        return True
    if choose.word == "count":
        low = choose.low
        return isinstance(low, model.Constant) and low.value == 0
    return _is_tested(choose.source, tested) or never_empty(choose.source, game)


def never_empty(source: model.Expression, game: model.Game) -> bool:
    """Return whether a list can be seen to hold something."""
    match source:
        case model.ListOf(items=items):
            return bool(items)
        case model.EnumValues() | model.Seats():
            return True
        case model.Everything(kind=kind):
            return kind not in game.created | game.destroyed
        case model.Arithmetic(word="+", left=left, right=right):
            return never_empty(left, game) or never_empty(right, game)
        case model.Numbers(low=model.Constant(value=low), high=model.Constant(value=high)):
            return isinstance(low, int) and isinstance(high, int) and low <= high
        case model.Having() | model.Sorted() | model.Builtin():
            inner = same_filling(source)
            return inner is not None and never_empty(inner, game)
        case model.Conditional(then=then, otherwise=otherwise):
            return never_empty(then, game) and never_empty(otherwise, game)
    return False


def same_filling(source: model.Expression) -> model.Expression | None:
    """Return a list that is empty if and only if this one is, if there is one in it."""
    match source:
        case model.Having(source=inner) | model.Sorted(source=inner):
            return inner
        case model.Builtin(name=name, arguments=arguments) if FUNCTION_BY_NAME[name].lists.filled:
            return arguments[-1]
    return None


def _is_tested(source: model.Expression, tested: Tested) -> bool:
    """Return whether a list has been found not to be empty, or one that is empty only with it."""
    filled: model.Expression | None = source
    while filled is not None:
        if filled in tested:
            return True
        filled = same_filling(filled)
    return False
