"""How many can play: the header of a game, or that of a variant which says otherwise.

game "Tag" for 2..5 players
variant "Tag alone" of tag for 1..1 players
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rulewright.dsl import conflicts, nodes
from rulewright.dsl.diagnostics import Diagnostic, diagnostic
from rulewright.dsl.scope import Instance, World

MOST_PLAYERS = 100


def players_of(world: World) -> tuple[int, int]:
    """Return the least and the greatest number of players; what is wrong with them is reported."""
    header = world.game.file.header
    assert isinstance(header, nodes.GameHeader), "only a game is linked"
    found = _read(world, header.players)
    claims: list[tuple[conflicts.Claim, tuple[int, int]]] = []
    # The inner variant stands last, and speaks last.
    for variant in world.variants:
        said = _said_by(variant)
        if said is not None:
            found = _read(world, said)
            claims.append((conflicts.Claim(variant.title, said.span), found))
    for problem in _problems(world, claims):
        world.report.add(problem)
    return found


def _problems(
    world: World, claims: Sequence[tuple[conflicts.Claim, tuple[int, int]]]
) -> Iterator[Diagnostic]:
    """Yield what is wrong with numbers of players that variants say: those that have none in common
    exclude each other, and those that say the same agree."""
    speaking = {claim.title for claim, _ in claims}
    for (first, one), (second, other) in combinations(claims, 2):
        if one == other or conflicts.settled(world, first.title, second.title, speaking):
            continue
        if one[1] < other[0] or other[1] < one[0]:
            label, help = "for other numbers of players", "switch one of the two off"
            span, found = second.span, first.title
            yield diagnostic("RW505", span, label, help=help, name=second.title, found=found)
        else:
            yield conflicts.conflict(world, "players", "`for … players`", first, second)


def _said_by(instance: Instance) -> nodes.Expression | None:
    header = instance.file.header
    return header.players if isinstance(header, nodes.VariantHeader) else None


def is_passed_over(world: World, instance: Instance, example: nodes.Example) -> bool:
    """Return whether an example is for so many players as a variant does not allow, which its own
    file could not know."""
    least, most = world.players
    if _said_by(instance) is not None or not any(map(_said_by, world.variants)):
        return False
    return any(
        isinstance(line, nodes.ExamplePlayers) and not least <= len(line.names) <= most
        for line in example.lines
    )


def _read(world: World, node: nodes.Expression) -> tuple[int, int]:
    low = high = node
    if isinstance(node, nodes.Binary) and node.word == "..":
        low, high = node.left, node.right
    if isinstance(low, nodes.Number) and isinstance(high, nodes.Number):
        if 1 <= low.value <= high.value <= MOST_PLAYERS:
            return low.value, high.value
    help = "write the least and the most, such as `for 2..4 players`"
    if isinstance(high, nodes.Number) and high.value > MOST_PLAYERS:
        help = f"at most {MOST_PLAYERS} can play"
    elif isinstance(low, nodes.Number) and isinstance(high, nodes.Number) and high.value:
        help = f"write `for {high.value}..{low.value} players`"
    world.report.add(diagnostic("RW404", node.span, help=help, found=node.span.text))
    return 1, MOST_PLAYERS
