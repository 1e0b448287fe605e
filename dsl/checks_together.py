"""What may happen in `as ps together`: a checked game in, messages about what one of several players
must not do while the others act, too.

Each player begins in the same state, and nobody learns of the others before all are done. So what
they do is put together afterwards, and must not depend on an order: everybody changes what is his
own, adds to what is not, and reads nothing that the others add to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulewright.dsl import model, walk
from rulewright.dsl.diagnostics import Diagnostic, Label, diagnostic
from rulewright.dsl.flow import Flow
from rulewright.dsl.source import Span


def problems(game: model.Game) -> Iterator[Diagnostic]:
    """Yield what must not stand in a block that several players run at once."""
    flow = Flow(game)
    told: set[tuple[str, int, str]] = set()
    for block in walk.all_blocks(game):
        for statement in walk.statements_in(block):
            if isinstance(statement, model.As) and statement.together:
                for problem in _Branch(game, flow, statement).problems():
                    # Several blocks may come to the same verb: it is one mistake.
                    place = problem.primary.span
                    key = place.source.name, place.start, problem.code.code
                    if key not in told:
                        told.add(key)
                        yield problem


@attrs.frozen
class _Branch:
    """The block of one `as ps together`, with all that it does."""

    game: model.Game
    flow: Flow
    fork: model.As

    @property
    def head(self) -> Label:
        first = self.fork.span.text.partition("\n")[0]
        return Label(self.fork.span.slice(0, len(first)), "several act at once here")

    def problems(self) -> Iterator[Diagnostic]:
        """Yield what is wrong with it."""
        yield from self._leaving()
        for statement in self.statements():
            if isinstance(statement, model.As) and not _is_of_me(statement):
                yield self._message(
                    "RW621",
                    statement.span,
                    "here it would be the turn of others",
                    "do it before all act at once, or after",
                )
            elif isinstance(statement, model.Until):
                label = "the others would not know of it"
                yield self._message("RW623", statement.span, label, "say it when all are done")

    def statements(self) -> Iterator[model.Step]:
        """Yield all steps that may run inside, through verbs and amendments."""
        yield from self._inside(self.fork.block)
        seen: set[str] = set()
        waiting = sorted(self.flow.called(self.fork.block))
        while waiting:
            verb = waiting.pop()
            if verb not in seen:
                seen.add(verb)
                yield from self._inside(self.flow.content(verb))
                waiting += sorted(self.flow.callees(verb) - seen)

    def _inside(self, content: Iterable[object]) -> Iterator[model.Step]:
        for part in self.flow.running(tuple(content)):
            if isinstance(part, model.Step):
                yield part

    def _leaving(self) -> Iterator[Diagnostic]:
        """Yield a message for each stop that leads out of the block."""
        help = "make the block a verb of its own: what stops that is done, the others are not"
        for own in walk.statements_in(self.fork.block):
            if isinstance(own, model.Stop) and own.target is None:
                yield self._message("RW622", own.span, "leaves the verb around it", help)
            elif isinstance(own, model.Choose) and own.or_stop:
                label = "`or stop` would leave the verb around it"
                yield self._message("RW622", own.span, label, help)
        own_steps = walk.statements_in(self.fork.block)
        running = {one.id for one in own_steps if isinstance(one, model.NamedStep)}
        for verb in self.flow.called(self.fork.block):
            running |= self.flow.reached(verb)
        for statement in self.statements():
            if isinstance(statement, model.Stop) and statement.target is not None:
                # A step is told by the verb that it stands in.
                verbs = {one.rpartition(".")[0] for one in statement.target}
                if not running & {*verbs, *statement.target}:
                    yield self._message("RW622", statement.span, "has begun before", help)

    def _message(self, code: str, span: Span, label: str, help: str, **names: str) -> Diagnostic:
        first = span.slice(0, len(span.text.partition("\n")[0].rstrip()))
        return diagnostic(code, first, label, help=help, secondary=(self.head,), **names)


def _is_of_me(statement: model.As) -> bool:
    match statement.players:
        case model.Me() | model.ListOf(items=(model.Me(),)):
            return not statement.together
    return False
