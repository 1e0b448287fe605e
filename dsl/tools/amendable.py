"""What a variant of a game can touch, as lines that a designer can start from.

Each *offer* is one thing that is there (a define, an option, a verb, a step, a field, a table), with its
citation, and amendments of it that can be written as they stand. They are guesses of what may be
wanted, made from what the game says; `scaffold` keeps those that link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulewright.dsl import model
from rulewright.dsl.frontend.report import citation
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.resolve.symbols import DefineDeclaration, Instance, VerbDeclaration, World
from rulewright.dsl.syntax import nodes, visitor
from rulewright.dsl.text.source import Span
from rulewright.dsl.tools.effective_text import last_line

Lines = tuple[str, ...]

TOGETHER, INSTEAD, INSTEAD_OF_STEP = "together", "instead", "instead of step"
"""What can stand in one variant: a step that is amended may not be in a verb that is replaced."""

WIDTH = 96
LONGEST_BODY = 30


@attrs.frozen
class AnyAmendment:
    """An amendment that a variant may say: the first of these wordings that links."""

    wordings: tuple[Lines, ...]
    group: str = TOGETHER


@attrs.frozen
class AmendablePoint:
    """One thing that can be touched."""

    told: Lines
    """What it is, with its citation."""

    amendings: tuple[AnyAmendment, ...] = ()


@attrs.frozen
class Chapter:
    """Offers of one sort."""

    title: str
    offers: tuple[AmendablePoint, ...]


def chapters(world: World, game: model.Game) -> tuple[Chapter, ...]:
    """Return all that a variant of a game can touch."""
    own = [world.game]
    modules = [one for one in world.instances if one.is_module]
    found = (
        Chapter("numbers and values", tuple(_values(world, game, own))),
        Chapter("options and rulings", tuple(_options(game))),
        Chapter("verbs and their steps", tuple(_verbs(world, own))),
        Chapter("what there is", tuple(_things(world))),
        Chapter("tables", tuple(_tables(game))),
        Chapter("who wins", tuple(_rankings(world))),
        Chapter(
            "from the library: values and verbs that the game uses",
            (*_values(world, game, modules), *_verbs(world, modules)),
        ),
    )
    return tuple(chapter for chapter in found if chapter.offers)


# ------------------------------------------------------------------------------------------- values


def _values(world: World, game: model.Game, scopes: Iterable[Instance]) -> Iterator[AmendablePoint]:
    scopes = tuple(scopes)
    ids = {id(scope) for scope in scopes}
    declared = [define for scope in scopes for define in scope.defines.values()]
    for kind in world.kinds.values():
        for defines in kind.defines.values():
            declared += [define for define in defines if id(define.scope) in ids]
    for define in declared:
        form = next(iter(define.instances.values()), None)
        if form is None or form.body is None:
            continue
        target = _target(define.scope, define.name)
        if define.holder is not None:
            target = f"{define.holder}.{define.name}"
        if isinstance(define.node, nodes.Tally):
            yield _tally(define, target)
            continue
        value = define.node.value
        said = form.body.value if isinstance(form.body, model.Constant) else value.span.text
        ways = tuple(_changes(target, form.type, form.body, said, game))
        yield AmendablePoint(_told(define.node.span, define.node.see), ways)


def _tally(define: DefineDeclaration, target: str) -> AmendablePoint:
    node = define.node
    assert isinstance(node, nodes.Tally), "asked for tallies only"
    told = [*_told(node.span, node.see, head_only=True)]
    ways = []
    for line in node.lines:
        told += [f"  {text}" for text in _told(line.span, line.see)]
        ways.append(AnyAmendment(((f"change {target}.{line.name.text} by 1",),)))
    return AmendablePoint(tuple(told), tuple(ways))


def _changes(
    target: str, type_: Type, body: model.Expression, said: object, game: model.Game
) -> Iterator[AnyAmendment]:
    match type_:
        case types.NumberType():
            if isinstance(body, model.Constant) and isinstance(said, int):
                yield AnyAmendment(((f"change {target} to {said + 1}",),))
            else:
                yield AnyAmendment(((f"change {target} by 1",),))
                yield AnyAmendment(((f"change {target} to at least 1",),))
        case types.FlagType():
            if isinstance(said, bool):
                yield AnyAmendment(((f"change {target} to {'no' if said else 'yes'}",),))
            else:
                yield AnyAmendment(((f"change {target} to not original",),))
        case types.TextType():
            yield AnyAmendment(((f'change {target} to "another text"',),))
        case types.EnumType(name):
            values = game.enumerations[name].values if name in game.enumerations else ()
            now = body.value if isinstance(body, model.EnumConstant) else ""
            for value in [one for one in values if one != now][:1]:
                yield AnyAmendment(((f"change {target} to {value}",),))
        case types.ListType():
            if isinstance(body, model.ListOf) and body.items:
                first = " ".join(body.items[0].span.text.split())
                yield AnyAmendment(((f"change {target} to original without [{first}]",),))
            else:
                yield AnyAmendment(((f"change {target} to reversed(original)",),))


def _options(game: model.Game) -> Iterator[AmendablePoint]:
    for name, option in game.options.items():
        told = _told(option.span, option.see)
        default = " ".join(option.default.span.text.split())
        others = [f"change {name} to {one}" for one in _answers(option, game) if one != default]
        yield AmendablePoint(
            told, (AnyAmendment(tuple((one,) for one in others)),) if others else ()
        )


def _answers(option: model.OptionItem, game: model.Game) -> Iterator[str]:
    match option.type:
        case types.FlagType():
            yield from ("yes", "no")
        case types.EnumType(name) if name in game.enumerations:
            yield from game.enumerations[name].values
        case types.NumberType():
            for bound in (option.low, option.high):
                if isinstance(bound, model.Constant):
                    yield str(bound.value)
            default = option.default.value if isinstance(option.default, model.Constant) else None
            if isinstance(default, int) and option.low is None:
                yield str(default + 1)


# -------------------------------------------------------------------------------------------- verbs


def _target(scope: Instance, name: str) -> str:
    return f"{scope.name}.{name}" if scope.aliased and scope.name else name


def _verbs(world: World, scopes: Iterable[Instance]) -> Iterator[AmendablePoint]:
    ids = {id(scope) for scope in scopes}
    told: set[str] = set()
    for verb in world.all_verbs():
        target = _target(verb.scope, verb.name)
        if id(verb.scope) not in ids or target in told:
            continue
        if verb.scope.is_module and not verb.used:
            continue
        told.add(target)
        yield _verb(verb, target)
        for declared in world.steps.values():
            for step in declared:
                if step.verb is verb:
                    yield _step(verb, target, step.name, step.span, step.before)


def _verb(verb: VerbDeclaration, target: str) -> AmendablePoint:
    node = verb.node
    told = [*_told(node.span, node.see, head_only=True)]
    names = {one.name: one.type for one in verb.parameters}
    if names:
        told.append(f"  an amendment may use {_listed(names)}")
    later = {name: verb.choices[name] for name in sorted(verb.set_at_end or ())}
    if later:
        told.append(f"  after it, also {_listed(later)}")
    ways = [
        AnyAmendment(((f"before {target}", f'  show "before {verb.name}" to players'),)),
        AnyAmendment(((f"after {target}", f'  show "after {verb.name}" to players'),)),
        AnyAmendment(
            (
                (f"instead of {target}", *_body(node.block, node.span)),
                (f"instead of {target}", f'  show "{verb.name} does nothing" to players'),
                (f"instead of {target}", "  nothing"),
            ),
            INSTEAD,
        ),
    ]
    if node.label is not None:
        ways.append(AnyAmendment(((f'change {target}.label to "Another label"',),)))
    return AmendablePoint(tuple(told), tuple(ways))


def _step(
    verb: VerbDeclaration, target: str, name: str, word: Span, before: dict[str, Type]
) -> AmendablePoint:
    node = next(
        one
        for one in visitor.steps_in(verb.node.block)
        if isinstance(one, nodes.StepBlock) and one.name.span == word
    )
    told = [f"step {name} of {verb.name}{_see(node.see)}"]
    if before:
        told.append(f"  an amendment may use {_listed(before)}")
    return AmendablePoint(
        tuple(told),
        (
            AnyAmendment(((f"before {target}.{name}", f'  show "before {name}" to players'),)),
            AnyAmendment(((f"after {target}.{name}", f'  show "after {name}" to players'),)),
            AnyAmendment(
                (
                    (f"instead of {target}.{name}", *_body(node.block, node.span)),
                    (f"instead of {target}.{name}", "  nothing"),
                ),
                INSTEAD_OF_STEP,
            ),
        ),
    )


def _body(block: nodes.Block, whole: Span) -> Lines:
    """Return the block of a verb or step as it is, to be changed; the names of its steps are left
    out, since they belong to what is replaced."""
    if not block:
        return ("  nothing",)
    source, column = block[0].span.source, block[0].span.column - 1
    numbers = range(block[0].span.line, last_line(whole) + 1)
    if len(numbers) > LONGEST_BODY:
        return ("  nothing",)
    further_in = dict.fromkeys(numbers, column)
    heads = set()
    for step in visitor.steps_in(block):
        if isinstance(step, nodes.StepBlock):
            heads.add(step.span.line)
            for number in range(step.span.line + 1, last_line(step.span) + 1):
                further_in[number] += step.block[0].span.column - step.span.column
    lines = []
    for number in numbers:
        text = source.line_text(number).rstrip()
        if text and number not in heads:
            lines.append("  " + text[min(further_in[number], len(text) - len(text.lstrip())) :])
    return tuple(lines)


def _listed(names: dict[str, Type]) -> str:
    return ", ".join(f"{name} ({types.shown(type_)})" for name, type_ in names.items())


# -------------------------------------------------------------------------------------------- things


def _things(world: World) -> Iterator[AmendablePoint]:
    taken = {field.name for field in world.field_ids.values()}
    name = next(one for one in ("extra", "extra_2", "extra_3", "extra_4") if one not in taken)
    offered: set[str] = set()
    for item in world.game.file.items:
        if not isinstance(item, nodes.KindHas | nodes.GameHas):
            continue
        if isinstance(item, nodes.KindHas) and item.selects:
            continue
        told = [*_told(item.span, item.see, head_only=True)]
        for member in item.members:
            if isinstance(member, nodes.Field):
                told += [f"  {text}" for text in _told(member.span, member.see)]
        holder = f"each {item.kind.text}" if isinstance(item, nodes.KindHas) else "the game"
        ways: tuple[AnyAmendment, ...] = ()
        if holder not in offered:
            offered.add(holder)
            head = f"{holder} also has, seen by players"
            ways = (AnyAmendment(((head, f"  {name}: number = 0"),)),)
        yield AmendablePoint(tuple(told), ways)


def _tables(game: model.Game) -> Iterator[AmendablePoint]:
    for table in game.tables:
        things = sum(row.copies for row in table.rows)
        head = _told(table.span, (), head_only=True)
        counted = f": {len(table.rows)} rows, {things} things" if table.rows else ""
        yield AmendablePoint((f"{head[0]}{counted}",), tuple(_rows(game, table)))


def _rows(game: model.Game, table: model.Table) -> Iterator[AnyAmendment]:
    """Yield a further row, like the first one but for its name."""
    for row in table.rows[:1]:
        cells = {
            game.fields[field].name: " ".join(cell.span.text.split()) for field, cell in row.cells
        }
        if "name" in cells:
            cells["name"] = f"Another {table.kind}"
        heads, values = " | ".join(cells), " | ".join(cells.values())
        yield AnyAmendment(((f"table {table.kind}", f"  | {heads} |", f"  | {values} |"),))


def _rankings(world: World) -> Iterator[AmendablePoint]:
    files = [one for _, one in world.game.near()]
    for instance in files:
        for item in instance.file.items:
            if isinstance(item, nodes.Ranking):
                lines = [
                    item.span.source.line_text(number).rstrip()
                    for number in range(item.span.line, last_line(item.span) + 1)
                ]
                told = f"ranking, the first criterion decides{_see(item.see)}"
                yield AmendablePoint((told,), (AnyAmendment((tuple(lines),)),))
                return


# --------------------------------------------------------------------------------------------- words


def _told(
    span: Span, see: tuple[nodes.Section, ...], *, head_only: bool = False
) -> tuple[str, ...]:
    """Return the text of a rule without its citation and comments, and then the citation."""
    first, last = span.line, span.line if head_only else last_line(span)
    column = span.column - 1
    lines = []
    for number in range(first, last + 1):
        text = _without(span.source.line_text(number))
        if text.strip():
            lines.append(text[min(column, len(text) - len(text.lstrip())) :])
    if lines:
        lines[0] += _see(see)
    return tuple(lines)


def _without(line: str) -> str:
    """Return a line without its comment and citation."""
    inside = False
    for at, letter in enumerate(line):
        if letter == '"' and line[at - 1 : at] != "\\":
            inside = not inside
        elif not inside and (letter == "#" or line[at:].startswith(" see ")):
            return line[:at].rstrip()
    return line.rstrip()


def _see(see: tuple[nodes.Section, ...]) -> str:
    return f"   see {', '.join(map(citation, see))}" if see else ""
