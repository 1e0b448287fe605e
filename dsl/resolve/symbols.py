"""Declarations, the instances of files that hold them, and how names are found.

Every rule file that takes part is an `Instance`: the game, each variant, each `use` of a module with
its arguments. A module is a typed macro: its file is read again for each instance, with the
arguments in place of the parameters. A name is looked for in its own file first, then in the modules
that file uses, nearest first; a variant also sees the variants that it builds upon, and its game.
Verbs of all instances are found together, since the kinds of their arguments decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.model.types import ThingType, Type
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import Report
from rulewright.dsl.text.source import Source, Span
from rulewright.dsl.text.suggest import nearest


@attrs.frozen(eq=False, repr=False)
class KindBinding:
    """A module parameter of type `kind`, and the type that was given for it."""

    type: Type


@attrs.frozen(eq=False, repr=False)
class ExpressionBinding:
    """Any other module parameter: the expression given for it, to be read where it was written."""

    node: nodes.Expression
    scope: Instance
    type: Type
    low_level: bool = False


Binding = KindBinding | ExpressionBinding

MOST_COMPARISONS = 100_000  # the last of some thousand unknown names needs no suggestion


@attrs.define(eq=False, repr=False)
class FieldDeclaration:
    """A field or zone, as collected; `written` turns true when a step writes to it."""

    id: str
    name: str
    holder: str | None
    node: nodes.Field
    word: nodes.Word
    scope: Instance
    marks: tuple[nodes.Mark, ...]
    type: Type
    low: nodes.Expression | None = None
    high: nodes.Expression | None = None
    written: bool = False


def _things(holder: str | None) -> Type | None:
    """Return what `this` is in the block of a kind; a define about a player has him as `me`."""
    return None if holder in (None, "Player") else ThingType(holder or "")


@attrs.define(eq=False, repr=False)
class DefineDeclaration:
    """A define or tally; `instances` holds its checked forms by the types of its arguments."""

    id: str
    name: str
    holder: str | None
    node: nodes.Define | nodes.Tally
    scope: Instance
    parameter_types: tuple[Type | None, ...] = ()
    type: Type | None = None
    about: Type | None = attrs.Factory(lambda self: _things(self.holder), takes_self=True)
    """The type of `this`, in a block of a kind of things or of an enumeration."""
    instances: dict[tuple[Type, ...], DefineForm] = attrs.Factory(dict)
    changes: list[ChangeDeclaration] = attrs.Factory(list)
    line_changes: dict[str, list[ChangeDeclaration]] = attrs.Factory(dict)


@attrs.frozen(eq=False, repr=False)
class Power:
    """Whose power an amendment is: the head of its block, the file, the kind, a number of its own."""

    item: nodes.KindHas
    scope: Instance
    kind: str
    number: int


@attrs.frozen(eq=False, repr=False)
class UntilDeclaration:
    """An `until V ends …`, the file that says it, and the locals that it takes along."""

    node: nodes.Until
    scope: Instance
    number: int
    captured: dict[str, Type]
    """By the words that stand for them there: the types of the locals, in the order of the record."""


@attrs.frozen(eq=False, repr=False)
class During:
    """The `during` around an amendment: what must be running, and what must hold as well."""

    running: model.Expression
    guards: tuple[nodes.Expression, ...] = ()


Speaker = Power | UntilDeclaration | During
"""For what an amendment speaks that is not always in force."""


@attrs.frozen(eq=False, repr=False)
class ChangeDeclaration:
    """A `change`, the file that says it, its place in the order of all changes, and for what it
    speaks if it is the power of a thing or stands behind `until`."""

    node: nodes.Change
    scope: Instance
    order: int
    speaker: Speaker | None = None

    @property
    def is_guarded(self) -> bool:
        """Whether it holds at times only."""
        return not (self.node.guard is None and self.speaker is None)

    @property
    def level(self) -> int:
        """The scope in which it speaks."""
        return scope_of(self.scope, self.speaker)


def scope_of(scope: Instance, speaker: Speaker | None) -> int:
    """Return the scope in which an amendment of a file speaks."""
    match speaker:
        case Power():
            return model.POWERS
        case UntilDeclaration():
            return model.LASTING
    return scope.level


@attrs.define(eq=False, repr=False)
class DefineForm:
    """One checked form of a define; `open` while its body is being read, to find circles."""

    id: str
    types: tuple[Type, ...]
    type: Type
    needs_me: bool = False
    open: bool = True
    parameters: tuple[str, ...] = ()
    body: model.Expression | None = None
    lines: tuple[model.Line, ...] = ()
    changes: tuple[model.Changed, ...] = ()
    report: Report = attrs.Factory(Report)
    reported: bool = False


@attrs.define(eq=False, repr=False)
class Formulas:
    """A printed field of which some cells are formulas: the value that it has become, and a value
    for each formula."""

    field: FieldDeclaration
    define: DefineDeclaration
    cells: list[DefineDeclaration] = attrs.Factory(list)
    texts: list[str] = attrs.Factory(list)
    numbers: dict[tuple[Source, int], int] = attrs.Factory(dict)
    """Which formula, from 1, stands where."""


@attrs.define(eq=False, repr=False)
class VerbDeclaration:
    """A verb with the types of its parameters, object first."""

    id: str
    name: str
    node: nodes.Verb
    scope: Instance
    parameters: tuple[model.Parameter, ...] = ()
    prepositions: tuple[str, ...] = ()
    needs_me: bool = False
    me_span: nodes.Span | None = None
    calls: list[tuple[VerbDeclaration, nodes.Span]] = attrs.Factory(list)
    """Verbs that this one does as the same player, with the places."""
    used: bool = False
    block: model.Block = ()
    label: model.Expression | None = None
    choices: dict[str, Type] = attrs.Factory(dict)
    """Every `choose` name with its type, for examples."""
    set_at_end: frozenset[str] | None = None
    """The `choose` names that are set on every way to the end."""
    amendments: list[model.Amendment] = attrs.Factory(list)
    label_changes: list[model.Changed] = attrs.Factory(list)

    @property
    def has_object(self) -> bool:
        """Whether something stands directly behind the verb."""
        return self.node.object is not None


@attrs.define(eq=False, repr=False)
class OptionDeclaration:
    """An option or ruling."""

    node: nodes.Option
    scope: Instance
    type: Type
    low: nodes.Expression | None = None
    high: nodes.Expression | None = None


@attrs.define(eq=False, repr=False)
class NeutralDeclaration:
    """A player without a seat."""

    id: str
    node: nodes.Neutral
    scope: Instance


@attrs.define(eq=False, repr=False)
class Instance:
    """A rule file that takes part. `name` is "" for the game and variants; `title` a variant's."""

    name: str
    file: nodes.File
    outer: Instance | None
    title: str = ""
    level: int = 0
    arguments: dict[str, Binding] = attrs.Factory(dict)
    uses: list[Instance] = attrs.Factory(list)
    known: list[Instance] = attrs.Factory(list)
    """Of a variant: those that it includes or requires, whose names it may use."""
    aliases: dict[str, Instance] = attrs.Factory(dict)
    fields: dict[str, FieldDeclaration] = attrs.Factory(dict)
    defines: dict[str, DefineDeclaration] = attrs.Factory(dict)
    options: dict[str, OptionDeclaration] = attrs.Factory(dict)
    neutrals: dict[str, NeutralDeclaration] = attrs.Factory(dict)
    verbs: dict[str, list[VerbDeclaration]] = attrs.Factory(dict)
    aliased: bool = False
    word: nodes.Word | None = None
    """What the instance of a module is called, where it is used."""
    settled: tuple[tuple[tuple[int, Instance], ...], ...] | None = None
    """What is seen from here, as soon as that is settled."""

    @property
    def is_variant(self) -> bool:
        """Whether this is the file of a variant."""
        return isinstance(self.file.header, nodes.VariantHeader)

    @property
    def is_module(self) -> bool:
        """Whether this is an instance of a module."""
        return isinstance(self.file.header, nodes.ModuleHeader)

    def near(self) -> Iterable[tuple[int, Instance]]:
        """Return the instances whose names are seen here, with their distance, nearest first."""
        return self._seen(aliased=False) if self.settled is None else self.settled[0]

    def verb_scopes(self) -> Iterable[tuple[int, Instance]]:
        """Return the instances whose verbs are found without naming them: aliased ones, too."""
        return self._seen(aliased=True) if self.settled is None else self.settled[1]

    def settle(self) -> None:
        """Note what is seen here, once nothing more is used."""
        self.settled = tuple(self._seen(aliased=False)), tuple(self._seen(aliased=True))

    def _seen(self, *, aliased: bool) -> Iterator[tuple[int, Instance]]:
        seen: set[int] = set()
        layer: list[Instance] = [self]
        distance = 0
        while layer:
            following: list[Instance] = []
            for instance in layer:
                if id(instance) in seen:
                    continue
                seen.add(id(instance))
                yield distance, instance
                following.extend(used for used in instance.uses if aliased or not used.aliased)
                following.extend(instance.known)
                if instance.is_variant and instance.outer is not None:
                    following.append(instance.outer)
            layer = following
            distance += 1

    def instance_named(self, name: str) -> Instance | None:
        """Return the module instance of that name, seen from here."""
        for _, instance in self.near():
            if name in instance.aliases:
                return instance.aliases[name]
        return None


Named = FieldDeclaration | DefineDeclaration | OptionDeclaration | NeutralDeclaration


@attrs.define(eq=False, repr=False)
class KindDeclaration:
    """A kind of thing: its fields and defines by name, each with the instance that says so."""

    name: str
    fields: dict[str, list[FieldDeclaration]] = attrs.Factory(dict)
    defines: dict[str, list[DefineDeclaration]] = attrs.Factory(dict)
    order: list[FieldDeclaration] = attrs.Factory(list)
    declared: bool = False
    tables: list[nodes.Word] = attrs.Factory(list)
    """Where its tables name it."""
    multiplied: bool = False
    """Whether a table makes its things of ranges."""


@attrs.frozen
class Creation:
    """A new thing that rules make: its kind, the ids of the fields that it is given, and where."""

    kind: str
    given: frozenset[str]
    span: nodes.Span


@attrs.frozen
class MenuText:
    """The text of an arm, `may` or offer; `optional`: whether it can be declined."""

    text: str
    pattern: re.Pattern[str] | None
    """What the text may come out as, if it has placeholders."""
    optional: bool

    @staticmethod
    def of(node: nodes.Text, *, optional: bool) -> MenuText:
        """Return the label that is written so."""
        if all(isinstance(part, str) for part in node.parts):
            return MenuText(node.raw, None, optional)
        parts = (re.escape(part) if isinstance(part, str) else ".*" for part in node.parts)
        return MenuText(node.raw, re.compile("".join(parts), re.DOTALL), optional)

    def fits(self, text: str) -> bool:
        """Return whether the label may come out as that text."""
        return text == self.text if self.pattern is None else bool(self.pattern.fullmatch(text))


@attrs.define(eq=False, repr=False)
class World:
    """Everything collected from all files that take part."""

    report: Report
    game: Instance
    name: str = ""
    instances: list[Instance] = attrs.Factory(list)
    variants: list[Instance] = attrs.Factory(list)
    includes: dict[str, frozenset[str]] = attrs.Factory(dict)
    """The titles of the variants that each variant of the game, on or off, includes."""
    settled: frozenset[tuple[str, str]] = frozenset()
    """The pairs of variants of which it is said which comes first."""
    examples: list[Instance] = attrs.Factory(list)
    kinds: dict[str, KindDeclaration] = attrs.Factory(dict)
    field_ids: dict[str, FieldDeclaration] = attrs.Factory(dict)
    """Every field by its id."""
    enumerations: dict[str, tuple[str, ...]] = attrs.Factory(dict)
    units: set[str] = attrs.Factory(lambda: {"points"})
    type_words: dict[str, Span] = attrs.Factory(dict)
    """Where units and enumerations are declared."""
    thing_names: dict[str, Counter[str]] = attrs.Factory(dict)
    """How many things of a kind its tables give each name."""
    broken: set[str] = attrs.Factory(set)
    """The words of what could not be read: names that it may have declared are not reported."""
    incomplete: bool = False
    """Whether a module is missing: a name that nothing resembles may be one of its names."""
    steps: dict[str, list[StepDeclaration]] = attrs.Factory(dict)
    end_reasons: dict[str, nodes.Span] = attrs.Factory(dict)
    open_reasons: bool = False
    open_verbs: bool = False
    stopped: set[str] = attrs.Factory(set)
    """The names that some `stop` has behind it."""
    step_ids: dict[str, list[str]] = attrs.Factory(dict)
    """The ids of the steps of each name."""
    untils: list[UntilDeclaration] = attrs.Factory(list)
    """Every `until V ends …`, as far as they have been read."""
    formulas: dict[str, Formulas] = attrs.Factory(dict)
    """The fields of which some cells are formulas, by id."""
    tabled: set[str] = attrs.Factory(set)
    """Ids of the fields that a table gives."""
    creations: list[Creation] = attrs.Factory(list)
    destroyed: dict[str, nodes.Span] = attrs.Factory(dict)
    other_choices: dict[str, set[Type]] = attrs.Factory(dict)
    """The types of choices that stand in amendments, by name."""
    reading: list[DefineDeclaration] = attrs.Factory(list)
    """The defines that are being read, outer first: each asks for the next one."""
    comparisons: int = 0
    """How many names have been compared with misspelt ones."""
    expansions: int = 0
    """How often an argument of a module has been put in the place of its parameter."""
    exhausted: set[str] = attrs.Factory(set)
    """Which limits have been reported: each once."""
    players: tuple[int, int] = (1, 100)
    """The least and the greatest number of players."""
    labels: list[MenuText] = attrs.Factory(list)
    """The texts of all arms, `may`s and offers."""
    reads_ending: list[tuple[str, nodes.Span]] = attrs.Factory(list)

    def all_verbs(self) -> Iterator[VerbDeclaration]:
        """Yield every verb of every instance."""
        for instance in self.instances:
            for verbs in instance.verbs.values():
                yield from verbs

    def nearest(self, name: str, candidates: Iterable[str]) -> tuple[str, ...]:
        """Return what a name may be a slip of; after very many questions, nothing any more."""
        known = list(candidates)
        self.comparisons += len(known)
        return nearest(name, known) if self.comparisons < MOST_COMPARISONS else ()

    def too_deep(self, span: nodes.Span, name: str, limit: int, what: str) -> None:
        """Report that rules are nested deeper, or grow larger, than any game needs."""
        if what not in self.exhausted:
            self.exhausted.add(what)
            help = "the checker goes no further: say the same in fewer"
            expected = f"{limit} {what}"
            self.report.complain("RW315", span, help=help, name=name, expected=expected)

    def modules(self) -> Iterator[str]:
        """Yield the names of the modules that take part."""
        for instance in self.instances:
            if isinstance(instance.file.header, nodes.ModuleHeader):
                yield instance.file.header.name.text

    def may_declare(self, name: str, near: Collection[str]) -> bool:
        """Return whether what could not be read may declare a name; `near`: what resembles it."""
        return name in self.broken or (self.incomplete and not near)

    def of_other_variant(self, name: str, scope: Instance) -> str | None:
        """Return what to write so that a variant knows a name that another one has."""
        for other in self.variants if scope.is_variant else ():
            if other is not scope and any(
                name in table for table in (other.defines, other.options, other.verbs)
            ):
                return f'`{other.title}` has it, so write: `requires "{other.title}"`'
        return None

    def field_of(
        self, kind: str, name: str, scope: Instance, qualifier: Instance | None = None
    ) -> FieldDeclaration | None:
        """Return the field of a kind as seen from a file: its own wins, then the game's."""
        known = self.kinds.get(kind)
        found = _choose(known.fields.get(name, []) if known else [], scope, self.game, qualifier)
        return found if isinstance(found, FieldDeclaration) else None

    def define_of(
        self, kind: str, name: str, scope: Instance, qualifier: Instance | None = None
    ) -> DefineDeclaration | None:
        """Return the define of a kind, chosen as `field_of` does."""
        known = self.kinds.get(kind)
        found = _choose(known.defines.get(name, []) if known else [], scope, self.game, qualifier)
        return found if isinstance(found, DefineDeclaration) else None


@attrs.frozen(eq=False, repr=False)
class StepDeclaration:
    """A named step, the verb it stands in, and the `choose` names set before it."""

    id: str
    name: str
    verb: VerbDeclaration
    span: nodes.Span
    before: dict[str, Type]
    """The `choose` names that are set when it begins."""


def _choose(
    found: list[FieldDeclaration] | list[DefineDeclaration],
    scope: Instance,
    game: Instance,
    qualifier: Instance | None,
) -> FieldDeclaration | DefineDeclaration | None:
    if qualifier is not None:
        return next((one for one in found if one.scope is qualifier), None)
    for wanted in (scope, game):
        for one in found:
            if one.scope is wanted:
                return one
    near = {id(instance): distance for distance, instance in scope.near()}
    nearest: FieldDeclaration | DefineDeclaration | None = None
    at = 999
    for one in found:
        distance = near.get(id(one.scope), 998)
        if distance < at:
            nearest, at = one, distance
    return nearest
