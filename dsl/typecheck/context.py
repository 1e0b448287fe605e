"""The context of type checking: what is known at a place of a body, and how its parts are checked.

A `Body` belongs to one verb, define, amendment or example line. It knows the file in whose words the body
is written, the locals that are set, the levels of `it`, and what has been tested for none. The readers of
single constructs (`operators`, `names`, `calls`, `statements` and others) get it handed in and call it for
the parts, so that they need not know each other.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from rulewright.dsl import model
from rulewright.dsl.files import library
from rulewright.dsl.model import types, visitor
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import (
    DefineDeclaration,
    DefineForm,
    Instance,
    VerbDeclaration,
    World,
)
from rulewright.dsl.resolve.type_names import TypeReader
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.codes import with_article
from rulewright.dsl.text.diagnostics import Diagnostic, Report, diagnostic
from rulewright.dsl.typecheck.block_writes import Writes, WrittenNames
from rulewright.dsl.typecheck.facts import facts_about, tested

LONGEST_ADVICE = 30
"""Up to how many letters of the author's text are written into a help."""

Handler = Callable[["Body", Any, "Type | None"], model.Expression]
"""Reads one class of expressions; the table of handlers says which."""


@attrs.frozen
class Readers:
    """What a body calls for its parts: handed in, so that those who read them need not know it."""

    handlers: Mapping[type, Handler]
    """Read an expression, by its class."""
    form: Callable[[World, DefineDeclaration, tuple[Type, ...], Readers], DefineForm]
    """Gives the form of a define for arguments of these types."""
    argument: Callable[[Body, nodes.Expression, Type], model.Argument]
    """Reads an object or place of a verb as its parameter takes it."""


@attrs.define(eq=False)
class Body:
    """Where we are while reading a body."""

    world: World
    scope: Instance
    report: Report
    readers: Readers
    locals: dict[str, Type] = attrs.Factory(dict)
    unset: set[str] = attrs.Factory(set)
    """Locals that not every way to this place has set."""
    its: list[model.Expression] = attrs.Factory(list)
    original: Type | None = None
    me: bool = True
    """Whether `me` may be used at all: not in checks and tables."""
    uses_me: bool = False
    me_span: nodes.Span | None = None
    known: frozenset[model.Expression] = frozenset()
    """Expressions that have been tested and are not none."""
    facts: dict[str, frozenset[str]] = attrs.Factory(dict)
    """For a local list, or a local thing: ids of fields that are not none there."""
    rename: Callable[[str], str] = str
    """How locals are called in the model; amendments keep theirs apart from the target's."""
    seen_names: dict[str, Type] = attrs.Factory(dict)
    """Locals of the target of an amendment, used by their own names."""
    verb: VerbDeclaration | None = None
    counter: Iterator[int] = attrs.Factory(itertools.count)
    kind_of_place: str = "verb"
    this: model.Expression | None = None
    owner: model.Expression | None = None
    """What `owner` means, in a `seen by`."""
    holder: str | None = None
    """The kind inside whose block the body stands: bare names may be its fields' `this`."""
    example: bool = False
    chosen: set[str] = attrs.Factory(set)
    """Locals that a `choose` has set: the public names of a verb."""
    amending: bool = False
    hidden_names: frozenset[str] = frozenset()
    coming: str = ""
    """The name that a list gets its things by once it has been read."""
    levels: list[str] = attrs.Factory(list)
    """The names of the things of the lists that are being looked through."""
    """Locals of the target that an amendment may not use."""
    calls: list[tuple[VerbDeclaration, nodes.Span]] | None = None
    silent: bool = False
    """Whether this is only a try: nothing may be noted down."""
    in_use: bool = False
    """Whether an argument of a module is being read."""
    writes: Writes | None = None
    """Tells what steps write; a body without steps needs none."""

    # ------------------------------------------------------------------------------- expressions

    def expression(self, node: nodes.Expression, wanted: Type | None = None) -> model.Expression:
        """Return the checked form of an expression; `wanted` helps to read bare words."""
        found = self.readers.handlers[type(node)](self, node, wanted)
        if isinstance(found.type, types.OptionalType) and self.is_known(found):
            return attrs.evolve(found, type=found.type.inner)
        return found

    def is_known(self, found: model.Expression) -> bool:
        """Return whether a value that may be none has been tested and is not."""
        return found in self.known or (isinstance(found, model.Read) and self._fact(found))

    def typed(self, node: nodes.Expression, wanted: Type) -> model.Expression:
        """Return an expression whose type must fit `wanted`, adapted to it."""
        found = self.expression(node, wanted)
        return self.adapt(found, wanted)

    def adapt(self, found: model.Expression, wanted: Type) -> model.Expression:
        """Return the value as the wanted type: a slot as its thing; or report that it cannot be."""
        if isinstance(found.type, types.ZoneType) and found.type.shape == "slot":
            plain = types.without_none(wanted)
            if not isinstance(plain, types.ListType | types.ZoneType | types.AnythingType):
                found = slot_thing(found)
        type_ = found.type
        if isinstance(type_, types.OptionalType) and not isinstance(
            wanted, types.OptionalType | types.AnythingType | types.UnknownType
        ):
            self.must_be_known(found)
            type_ = type_.inner
        if not types.fits(type_, wanted):
            self.mismatch(found, wanted)
            return self.unknown(found.span)
        return found

    def listed(self, found: model.Expression) -> Type:
        """Return what a list holds; anything that is no list is reported."""
        held = types.element(found.type)
        if held is None and isinstance(found.type, types.OptionalType):
            held = types.element(found.type.inner)
            self.must_be_known(found)
        if held is None:
            self.mismatch(found, types.ListType(types.ANYTHING))
            return types.UNKNOWN
        return held

    def must_be_known(self, found: model.Expression) -> None:
        """Report the use of a field, parameter or local that may be none and was not tested, or of
        a `none` that is written out as one of several values."""
        if not isinstance(found.type, types.OptionalType | types.NothingType):
            return
        if self.is_known(found):
            return
        if isinstance(found, model.Conditional | model.Lookup):
            for way in visitor.handed_on(found):
                self.must_be_known(way)
        if isinstance(found.type, types.NothingType):
            help = "give a value that is there, or make the place one of a type `T?`"
            self.complain("RW303", found.span, "this is none", name="none", help=help)
        elif isinstance(found, model.Local | model.Read | model.Entry):
            name = found.span.text
            self.complain(
                "RW303",
                found.span,
                "may be none",
                name=name,
                help=f"test it first: `if {name} is not none`",
            )

    def _fact(self, found: model.Read) -> bool:
        target = found.target
        return isinstance(target, model.Local) and found.field in self.facts.get(
            target.name, frozenset()
        )

    def mismatch(
        self, found: model.Expression, wanted: Type, label: str = "", help: str | None = None
    ) -> None:
        """Report that a value of another type stands where `wanted` is asked for."""
        if not isinstance(found.type, types.UnknownType):
            self.report.add(mismatch(found.span, found.type, wanted, label, help))

    def ordered(self, found: model.Expression) -> bool:
        """Return whether values of this type come before one another; if not, that is reported."""
        plain = types.without_none(found.type)
        ordered = types.NumberType | types.FlagType | types.EnumType
        if isinstance(plain, ordered | types.UnknownType | types.AnythingType):
            return True
        self.mismatch(found, types.NUMBER, "this has no order")
        return False

    def unknown(self, span: nodes.Span) -> model.Expression:
        """Return an expression that stands for something already reported."""
        return model.Constant(type=types.UNKNOWN, span=span, value=None)

    # --------------------------------------------------------------------------- tested for none

    def forget_written(self, steps: Iterable[nodes.Step]) -> None:
        """Forget the tests for none of what these steps may write."""
        if self.writes is None or not (self.known or any(self.facts.values())):
            return
        self._forget(self.writes.of(self.scope, steps))

    def forget_offered(self) -> None:
        """Forget the tests for none of what may be written where somebody decides, by an offer."""
        if self.writes is not None:
            self._forget(self.writes.offered)

    def _forget(self, written: WrittenNames) -> None:
        if written.names:
            self.known = frozenset(one for one in self.known if not _may_lack(one, written))
            self.facts = {
                local: frozenset(one for one in fields if _tail(one) not in written.lacking)
                for local, fields in self.facts.items()
            }

    def forget_local(self, name: str) -> None:
        """Forget what was known of a local that gets a new value."""
        self.known = frozenset(
            one
            for one in self.known
            if not any(
                isinstance(part, model.Local) and part.name == name
                for part in visitor.nodes_in(one)
            )
        )

    # -------------------------------------------------------------------------------------- names

    def fresh(self, word: str) -> str:
        """Return a name for a local that no author can write."""
        return f"{word}~{next(self.counter)}"

    def local_name(self, name: str) -> str:
        """Return what a local is called in the model."""
        return name if name in self.seen_names else self.rename(name)

    def use_me(self, span: nodes.Span, word: str = "me") -> None:
        """Note that `me` is needed here, or report that nobody acts."""
        if not self.me:
            help = None
            if self.example:
                help = f"name the player: `{next(iter(self.locals), 'ann')}`"
            self.complain("RW305", span, "nobody acts here", help=help, name=word)
            return
        if not self.uses_me:
            self.uses_me, self.me_span = True, span

    def complain(self, code: str, span: nodes.Span, label: str = "", **more: Any) -> None:
        """Report a problem, made as `diagnostic` makes it."""
        self.report.complain(code, span, label, **more)

    def no_value(
        self, code: str, span: nodes.Span, label: str = "", **more: Any
    ) -> model.Expression:
        """Report a problem, and return what stands for the value that cannot be read."""
        self.complain(code, span, label, **more)
        return self.unknown(span)

    def unknown_name(
        self,
        code: str,
        word: nodes.Word | nodes.Name | nodes.KindName,
        candidates: Iterable[str],
        label: str = "",
        help: str | None = None,
        kind: str = "",
        found: str = "",
    ) -> model.Expression:
        """Report a name that is not known, unless a broken line may have declared it."""
        near = self.world.nearest(word.text, candidates)
        if not self.world.may_declare(word.text, near):
            # A module that has this very name is meant rather than a name that resembles it.
            given = self._in_module(code, word)
            help = given or f"did you mean `{near[0]}`?" if near else help or given
            help = self.world.of_other_variant(word.text, self.scope) or help
            self.report.add(_unknown(code, word, label, help, kind, found))
        return self.unknown(word.span)

    def _in_module(self, code: str, word: nodes.Word | nodes.Name | nodes.KindName) -> str | None:
        """Return which module of the library gives a name, if a module can give it."""
        if code not in ("RW107", "RW201", "RW207", "RW208"):
            return None
        used = set(self.world.modules())
        verb = code in ("RW107", "RW207")
        found = library.modules_giving(word.text, verb=verb)
        giving = [name for name in found if name not in used]
        if not giving:
            return None
        return f"the module `{giving[0]}` gives it: `use {giving[0]}`"

    @property
    def types(self) -> TypeReader:
        """Return the reader of written types."""
        return TypeReader(self.world)

    # ----------------------------------------------------------------------------- other contexts

    @contextlib.contextmanager
    def elsewhere(
        self, scope: Instance, its: list[model.Expression], *, in_use: bool = False
    ) -> Iterator[None]:
        """Read in the words of another file, with no locals; `in_use`: an argument of a module."""
        saved = (self.scope, self.locals, self.its, self.seen_names, self.rename, self.in_use)
        self.scope, self.locals, self.its, self.seen_names = scope, {}, its, {}
        self.rename, self.in_use = str, in_use
        try:
            yield
        finally:
            self.scope, self.locals, self.its, self.seen_names, self.rename, self.in_use = saved

    @contextlib.contextmanager
    def binding(
        self, name: str | None, type_: Type, facts: frozenset[str], *, handed_on: bool = False
    ) -> Iterator[str]:
        """Open a level of `it`, or bind a name, for the part of an expression; yields its local.

        `handed_on`: the level is that of an expression handed to a function, which has `it` for
        itself wherever it stands.
        """
        local = self.rename(name) if name else self.fresh("given" if handed_on else "it")
        saved = self.facts
        self.facts = {**self.facts, local: facts}
        if name:
            before = self.locals.get(name)
            self.locals[name] = type_
            self.levels.append(name)
            yield local
            self.levels.pop()
            del self.locals[name]
            if before is not None:
                self.locals[name] = before
        else:
            self.its.append(model.Local(type=type_, span=self.scope.file.span, name=local))
            yield local
            self.its.pop()
        self.facts = saved

    def outer_it(self) -> model.Expression | None:
        """Return what else `it` may mean here: the level around an inner list without a name."""
        if len(self.its) < 2:
            return None
        inner = self.its[-1]
        own = isinstance(inner, model.Local) and inner.name.startswith("it~")
        return self.its[-2] if own else None

    @contextlib.contextmanager
    def knowing(self, more: frozenset[model.Expression]) -> Iterator[None]:
        """Read on where more has been tested for none."""
        saved = self.known
        self.known = saved | more
        try:
            yield
        finally:
            self.known = saved

    @contextlib.contextmanager
    def quietly(self) -> Iterator[Report]:
        """Try something: what is reported goes to a report of its own, and leaves no trace."""
        saved = (self.report, self.uses_me, self.me_span, self.silent)
        trial = Report()
        self.report, self.silent = trial, True
        try:
            yield trial
        finally:
            self.report, self.uses_me, self.me_span, self.silent = saved


def _unknown(
    code: str,
    word: nodes.Word | nodes.Name | nodes.KindName,
    label: str,
    help: str | None,
    kind: str,
    found: str,
) -> Diagnostic:
    words = {"kind": kind, "found": found}
    given = {name: text for name, text in words.items() if text}
    problem = diagnostic(code, word.span, label, help=help, name=word.text)
    return attrs.evolve(problem, arguments={**problem.arguments, **given})


def _may_lack(found: model.Expression, written: WrittenNames) -> bool:
    """Return whether a value that was not none may be none behind these writes: what is asked for has
    been set to none, or something else is asked for now."""
    match found:
        case model.Read(field=field, target=target):
            inner: tuple[model.Expression, ...] = () if target is None else (target,)
        case model.Entry(family=model.Read(field=field, target=target), key=key):
            inner = (key,) if target is None else (target, key)
        case _:
            return _reads_any(found, written.names)
    return _tail(field) in written.lacking or any(_reads_any(one, written.names) for one in inner)


def _reads_any(found: model.Expression, names: frozenset[str]) -> bool:
    """Return whether a value may depend on a field of one of these names."""
    return any(
        isinstance(one, model.DefineCall)
        or (isinstance(one, model.Read) and _tail(one.field) in names)
        for one in visitor.nodes_in(found)
    )


def _tail(field: str) -> str:
    return field.rpartition(".")[2]


def slot_thing(found: model.Expression) -> model.Expression:
    """Return the thing that lies in a slot, or none."""
    assert isinstance(found.type, types.ZoneType)
    return model.SlotThing(type=types.OptionalType(found.type.kind), span=found.span, slot=found)


def mismatch(
    span: nodes.Span, found: Type, wanted: Type, label: str = "", help: str | None = None
) -> Diagnostic:
    """Return the message that a value of type `found` stands where `wanted` is asked for."""
    given, expected = types.without_none(found), types.without_none(wanted)
    words = types.words(given)
    label = label or f"this is {with_article(words)}"
    if isinstance(given, types.NumberType) and isinstance(expected, types.NumberType):
        return diagnostic(
            "RW304",
            span,
            label,
            help=help,
            expected=types.shown(expected),
            found=types.shown(given),
        )
    return diagnostic(
        "RW301",
        span,
        label,
        help=help or _advice(span, given, expected),
        expected=types.words(wanted),
        found=words,
    )


def _advice(span: nodes.Span, found: Type, wanted: Type) -> str | None:
    """Return how to make of a value what is wanted."""
    held, needed = types.element(found), types.element(wanted)
    text = span.text if len(span.text) <= LONGEST_ADVICE and "\n" not in span.text else "…"
    if isinstance(found, types.FamilyType) and needed is not None:
        return f"a family is no list: its sum is `total({text})`"
    if held is None:
        lone = needed not in (None, types.ANYTHING) and types.fits(found, needed or wanted)
        return f"write `[{text}]`" if lone else None
    if isinstance(wanted, types.FlagType):
        return f"write `{text} is not empty`"
    if isinstance(wanted, types.NumberType):
        return f"how many they are: `count({text})`"
    if needed is None and types.fits(held, wanted):
        return f"for each of them: `for each x in {text}`; one of them: `first({text})`"
    return None


def element_facts(body: Body, source: model.Expression) -> frozenset[str]:
    """Return the ids of the fields that are not none in every item of a list."""
    match source:
        case model.Where(source=inner, name=name, condition=condition):
            return element_facts(body, inner) | facts_about(name, tested(condition))
        case model.Local(name=name):
            return body.facts.get(name, frozenset())
    handed = [element_facts(body, one) for one in visitor.handed_on(source)]
    return frozenset.intersection(*handed) if handed else frozenset()
