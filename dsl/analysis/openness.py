"""Whether an expression reads only what everybody may know.

Names are followed to where they are set: by a `let`, by a loop, and by all that do the verb. What a
player has chosen counts as said openly. Things are not looked at here: who sees one, where it lies
tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.analysis.effects import GameEffects
from rulewright.dsl.model import visitor


class Openness:
    """Answers questions about one linked game; answers are kept."""

    def __init__(self, effects: GameEffects) -> None:
        self.effects = effects
        self._names: dict[tuple[str, str], bool] = {}
        self._set: dict[str, dict[str, list[model.Node]]] = {}

    def is_public(self, unit: str, *nodes: model.Node | None) -> bool:
        """Return whether expressions of a verb (or watch) read only what everybody sees."""
        return all(self._is_public(unit, node) for node in nodes if node is not None)

    def _is_public(self, unit: str, node: model.Node) -> bool:
        for part in self._read(node):
            match part:
                case model.Read(field=field):
                    if not self._is_open(frozenset({field})):
                        return False
                case model.Contents(place=place):
                    if not self._is_open(self.effects.fields_at(place)):
                        return False
                case model.OwnerOf() | model.LiesAt():
                    return False
                case model.Local(name=name):
                    if not self._is_public_name(unit, name):
                        return False
        return True

    def _read(self, node: model.Node) -> Iterator[model.Node]:
        """Yield what an expression reads, also in the defines that it asks; not what is only
        counted, if everybody may count it."""
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            one = waiting.pop()
            source = visitor.counted(one)
            if source is not None and self._is_counted_openly(source):
                # Only which zone it is is read.
                waiting += visitor.parts(source)
                continue
            if isinstance(one, model.DefineCall) and one.define not in seen:
                seen.add(one.define)
                define = self.effects.game.defines.get(one.define)
                waiting += () if define is None else visitor.bodies_of(define)
            yield one
            waiting += visitor.parts(one)

    def _is_counted_openly(self, source: model.Node) -> bool:
        match source:
            case model.Read(field=field):
                fields = frozenset({field})
            case model.Contents(place=model.FieldPlace() | model.LocalPlace() as place):
                fields = self.effects.fields_at(place)
            case _:
                return False
        known = self.effects.game.fields
        return all(known[one].count_viewers.who == "everybody" for one in fields)

    def _is_open(self, fields: frozenset[str]) -> bool:
        known = self.effects.game.fields
        return all(known[one].printed or known[one].viewers.who == "everybody" for one in fields)

    # -------------------------------------------------------------------------------------- names

    def _is_public_name(self, unit: str, name: str) -> bool:
        key = unit, name
        if key not in self._names:
            # What a name is set to out of itself tells nothing new.
            self._names[key] = True
            self._names[key] = all(
                self._is_public(unit, value) for value in self._values(unit).get(name, ())
            ) and self._is_handed_openly(unit, name)
        return self._names[key]

    def _values(self, unit: str) -> dict[str, list[model.Node]]:
        """Return what the names of a verb are set to in it."""
        if unit not in self._set:
            found: dict[str, list[model.Node]] = {}
            for part in self.effects.running(self.effects.content(unit)):
                match part:
                    case model.Let(name=name, value=value):
                        found.setdefault(name, []).append(value)
                    case model.ForEach(name=name, source=source):
                        found.setdefault(name, []).append(source)
            self._set[unit] = found
        return self._set[unit]

    def _is_handed_openly(self, unit: str, name: str) -> bool:
        verb = self.effects.game.verbs.get(unit)
        names = () if verb is None else tuple(one.name for one in verb.parameters)
        if name not in names:
            return True
        number = names.index(name)
        return all(
            self._is_public(caller, arguments[number])
            for caller, arguments in self._calls.get(unit, ())
            if len(arguments) == len(names)
        )

    @cached_property
    def _calls(self) -> dict[str, list[tuple[str, tuple[Any, ...]]]]:
        """What verbs are handed, and by which."""
        found: dict[str, list[tuple[str, tuple[Any, ...]]]] = {}
        game = self.effects.game
        bodies: list[tuple[str, Any]] = [(id, self.effects.content(id)) for id in game.verbs]
        bodies += [("", tuple(visitor.bodies_of(one))) for one in game.defines.values()]
        bodies += [("", watch.block) for watch in game.watches]
        for unit, body in bodies:
            for part in visitor.walk(body):
                match part:
                    case model.CallVerb(verb=verb, arguments=arguments):
                        found.setdefault(verb, []).append((unit, arguments))
                    case model.VerbOf(verbs=verbs, arguments=arguments):
                        for verb in verbs:
                            found.setdefault(verb, []).append((unit, arguments))
        return found
