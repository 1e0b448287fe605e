"""Which questions must be checked again in play, because more than their own words shows that whoever
is asked sees all that they read.

Whoever asks reads what he sees: `visibility` has shown that, often by where a question stands
(`if judge is me`). Where it takes more than the words of the question to show it, play looks once
more whether it is so.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import KEPT
from rulewright.dsl.analysis.hidden_names import Bindings, deciding_expressions
from rulewright.dsl.analysis.hidden_reads import HiddenReads
from rulewright.dsl.model import visitor


class WatchedQuestions:
    """Answers questions about one linked game; answers are kept."""

    def __init__(self, game: model.Game) -> None:
        self.game = game
        self._known: dict[tuple[int, bool], tuple[model.Node, bool]] = {}

    @cached_property
    def _reader(self) -> HiddenReads:
        return HiddenReads(self.game)

    def may_peek(self, node: model.Node | None, offered: bool = False) -> bool:
        """Return whether it takes more than an expression to show that its reader sees all of it;
        `offered`: its things are only referred to."""
        if node is None:
            return False
        key = id(node), offered
        if key not in self._known:
            # The node is kept, so that its id is that of no other one.
            peeks = self._looks_at_secrets(node)
            peeks = peeks and self._reader.first(node, offered, Bindings()) is not None
            self._known[key] = node, peeks
        return self._known[key][1]

    def asks(self, statement: model.Statement) -> bool:
        """Return whether a question may peek: its source, numbers, conditions, guards or texts."""
        return any(self.may_peek(one, offered) for one, offered in deciding_expressions(statement))

    def _looks_at_secrets(self, node: model.Node) -> bool:
        """Return whether an expression reads what not everybody sees, and not just his own."""
        for one in visitor.through_defines(self.game, node):
            match one:
                case model.Read(field=id, target=target):
                    field = self.game.fields[id]
                    own = isinstance(target, model.Me) and field.viewers.who == "owner"
                    own = own and field.holder == "Player"
                    if not (field.printed or field.viewers.who == "everybody" or own):
                        return True
                case model.Contents() | model.OwnerOf() | model.LiesAt():
                    return True
        return False


@lru_cache(maxsize=KEPT)
def watched_questions_of(game: model.Game) -> WatchedQuestions:
    """Return the answers for a game."""
    return WatchedQuestions(game)
