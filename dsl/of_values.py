"""What the values of an enumeration cannot have: they are words, and nothing can lie in a word."""

from __future__ import annotations

from rulewright.dsl import kinds, nodes
from rulewright.dsl.diagnostics import diagnostic
from rulewright.dsl.scope import FieldDeclaration, World


def judge(world: World, enum: str, field: FieldDeclaration) -> None:
    """Report a zone or a family that changes; an enumeration has one value for each field."""
    if isinstance(field.type, kinds.ZoneType):
        found = "zone"
        help = "things lie in zones of the game, of players and of other things"
    elif isinstance(field.type, kinds.FamilyType) and _changes(field):
        found = "family that changes"
        value, key = kinds.shown(field.type.value), kinds.shown(field.type.key)
        help = f"put it the other way round: `each {key} has`, `{field.name}: {value} per {enum}`"
    else:
        return
    world.report.add(diagnostic("RW428", field.word.span, help=help, kind=enum, found=found))
    field.type = kinds.UNKNOWN


def judge_name(world: World, item: nodes.KindHas) -> None:
    """Report a define called `name`: words are shown as a table says, or as they are written."""
    for member in item.members:
        if isinstance(member, nodes.Define | nodes.Tally) and member.name.text == "name":
            help = "write `name: text` and a column `name` in the table of the values"
            found = "name that is worked out"
            span = member.name.span
            world.report.add(diagnostic("RW428", span, help=help, kind=item.kind.text, found=found))


def _changes(field: FieldDeclaration) -> bool:
    """Return whether a field says how it starts or who sees it, as fields that change do."""
    return field.node.default is not None or any(
        isinstance(mark, nodes.SeenBy) for mark in field.marks
    )
