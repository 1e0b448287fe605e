"""Generating moves and shuffles.

Where a thing lies is known only when it is moved. The way from there is looked up where the move
stands; whatever is not as usual about it is left to the mover (`moving`), which finds out, too, what
a way needs that was not gone before.
"""

from __future__ import annotations

import ast
import contextlib
from typing import Any

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.interpreter.printing.emit import Function, Made, NotGenerated, Part, Scope
from rulewright.interpreter.printing.emit_builtins import pile_place
from rulewright.interpreter.printing.emit_reads import place_of, place_part, target_of
from rulewright.interpreter.printing.moving import NUMBER, Doing
from rulewright.interpreter.printing.templates import expression, number, statements, variable
from rulewright.interpreter.state.layout import RANDOM, SCALARS
from rulewright.interpreter.state.log import SECRET


def move(
    function: Function,
    step: model.Move,
    things: model.Expression,
    scope: Scope,
    doing: Doing,
    real: bool,
) -> None:
    """Write that things go into a zone; `real` where nothing is only tried out."""
    if real and _deal(function, step, things, scope, doing):
        return
    moved = function.part(things, scope)
    single = types.element(things.type) is None
    if isinstance(moved, Made) and isinstance(moved.tree, ast.Tuple) and len(moved.tree.elts) == 1:
        moved = Made(moved.tree.elts[0])
        single = True
    moved = function.kept(moved)
    kind = types.without_none(types.element(things.type) or things.type)
    space, names = function.names.space, function.names
    target = None
    if isinstance(kind, types.ThingType):
        with contextlib.suppress(NotGenerated), function.aside() as block:
            target = target_of(function, step.to, scope)
    if target is not None and isinstance(kind, types.ThingType):
        function.block += block
        slot, _, index = target
        key = "mover", kind.kind, slot, single
        if key not in names.kept:
            names.kept[key] = names.helper("move", doing.mover(kind.kind, slot, not single))
        tree, me = function.tree(moved), function.tree(scope.me)
        calling = statements(
            "mover(S, me, thing, index, step)",
            mover=names.kept[key],
            me=me,
            thing=tree,
            index=index,
            step=names.helper("step", step),
        )
        often = single or isinstance(things, model.Local)
        if real and often and isinstance(tree, ast.Name) and doing.is_plain(slot):
            _at_once(function, kind.kind, target, (tree, single), me, calling, doing)
        else:
            function.block += calling
    else:
        space.setdefault("doing", doing)
        function.write(
            "doing.put(S, me, things, where, step)",
            me=function.tree(scope.me),
            things=function.tree(moved),
            where=function.tree(place_part(function, step.to, scope)),
            step=names.helper("step", step),
        )
    if not isinstance(kind, types.ThingType) or kind.kind in doing.hiding:
        function.looks = True


def _deal(
    function: Function,
    step: model.Move,
    things: model.Expression,
    scope: Scope,
    doing: Doing,
) -> bool:
    """Write that the topmost card of a pile goes into a zone, if that can be done at once."""
    names = function.names
    if isinstance(things, model.ListOf) and len(things.items) == 1:
        things = things.items[0]
    match things:
        case model.Builtin(name="top" | "last", arguments=(model.Read() as pile,)):
            pass
        case _:
            return False
    kind = types.without_none(things.type)
    # Nothing that chance decides may be read between the card and the zone.
    near = isinstance(step.to, model.LocalPlace) or (
        isinstance(step.to, model.FieldPlace) and isinstance(step.to.target, model.Me | None)
    )
    if not (near and function.decides and isinstance(kind, types.ThingType)):
        return False
    try:
        with function.aside() as block:
            source, at = pile_place(function, pile, scope)
            slot, _, index = target_of(function, step.to, scope)
    except NotGenerated:
        return False
    key = "dealing", kind.kind, source, slot
    if key not in names.kept:
        names.kept[key] = doing.dealing(kind.kind, source, slot)
    dealing = names.kept[key]
    if dealing is None:
        return False
    function.block += block
    function.looks = True
    me = function.tree(function.kept(scope.me))
    card = _topmost(function, source, at, dealing.bag, me)
    place, goal, owner, told = _way(function, key, at, index)
    owners = []
    if dealing.owners is not None:
        owners = statements(
            "owners[card.number] = owner",
            owners=function.column(dealing.owners),
            card=card,
            owner=owner,
        )
    function.write(
        "places[card.number] = goal\nowners\n"
        "zones[index] = (*zones[index], card)\n"
        "S.log = (S.log, 'move', me, ((card,), place, goal), told)",
        places=function.column(dealing.places),
        owners=owners,
        zones=function.column(slot),
        card=card,
        index=index,
        me=me,
        place=place,
        goal=goal,
        told=told,
    )
    return True


TOPMOST = """
cards = pile[at]
left = bags[at]
if left < len(cards):
    card = cards[-1]
    pile[at] = cards[:-1]
else:
    met
    scalars[random], which = below(scalars[random], left)
    card = cards[which]
    pile[at] = cards[:which] + cards[which + 1:]
    bags[at] = left - 1
    S.log = (S.log, 'chance', me, ('', card), SECRET)
"""

MET = """
S.viewer = S.transaction = None
if S.fork is not None:
    S.meet_hidden()
"""


def _topmost(function: Function, source: int, at: ast.expr, bag: int, me: ast.expr) -> ast.expr:
    """Write that the topmost card of a pile is taken away; chance decides which one it is, where
    nobody has. Return the variable of the card."""
    names = function.names
    names.space.update(SECRET=SECRET)
    card = names.fresh("t")
    function.write(
        TOPMOST,
        met=[] if function.blind else statements(MET),
        cards=names.fresh("t"),
        left=names.fresh("t"),
        which=names.fresh("t"),
        card=card,
        pile=function.column(source),
        bags=function.column(bag),
        scalars=function.column(SCALARS),
        random=number(RANDOM),
        at=at,
        me=me,
    )
    return variable(card)


def _way(function: Function, key: Any, at: ast.expr, index: ast.expr) -> list[ast.expr]:
    """Return the trees of place, goal, owner and witnesses of a move; `key` says which dealing it
    is."""
    names = function.names
    ways = names.kept[key].ways
    if isinstance(at, ast.Constant) and isinstance(index, ast.Constant):
        found = *key, at.value, index.value
        if found not in names.kept:
            place, goal, owner, told = ways[at.value][index.value]
            helpers = [names.helper("place", place), names.helper("place", goal)]
            names.kept[found] = *helpers, names.constant(owner), names.helper("told", told)
        place, goal, owner, told = names.kept[found]
        return [variable(place), variable(goal), owner, variable(told)]
    table = *key, "ways"
    if table not in names.kept:
        names.kept[table] = names.helper("ways", ways)
    way = [names.fresh("t") for _ in range(4)]
    function.write(
        "place, goal, owner, told = ways[at][index]",
        **dict(zip(("place", "goal", "owner", "told"), way, strict=True)),
        ways=names.kept[table],
        at=at,
        index=index,
    )
    return [variable(one) for one in way]


AT_ONCE = """
number = thing.number
place = places[number]
way = ways.get(id(place))
if way is None:
    calling
else:
    source, at, blind, told = way
    look
    column = C[source]
    zone = column[at]
    if zone[-1] is thing:
        column[at] = zone[:-1]
    else:
        where = zone.index(thing)
        column[at] = zone[:where] + zone[where + 1:]
    target[index] = (*target[index], thing)
    places[number] = goal
    own
    S.log = (S.log, "move", me, ((thing,), place, goal), told)
"""

NAMES = (
    *("number", "place", "way", "source", "at", "blind", "told"),
    *("column", "zone", "where"),
)


def _at_once(
    function: Function,
    kind: str,
    to: tuple[int, Part | None, ast.expr],
    moved: tuple[ast.expr, bool],
    me: ast.expr,
    calling: list[ast.stmt],
    doing: Doing,
) -> None:
    """Write a move of one thing whose way may be known, and the call of the mover for others."""
    (slot, holder, index), (tree, single) = to, moved
    layout, names = function.layout, function.names
    key: tuple[Any, ...] = ("ways", kind, slot)
    if isinstance(index, ast.Constant):
        key = *key, index.value
    if key not in names.kept:
        ways: Any = doing.plain_ways(kind, slot)
        if isinstance(index, ast.Constant):
            ways = ways[index.value]
        names.kept[key] = names.helper("ways", ways)
    ways = variable(names.kept[key])
    if not isinstance(index, ast.Constant):
        ways = expression("ways[index]", ways=ways, index=index)
    thing: ast.expr | str = tree if single else names.fresh("t")
    trees: dict[str, Any] = {name: names.fresh("t") for name in NAMES}
    trees["look"] = trees["own"] = []
    if kind in doing.hiding:
        trees["look"] = statements(
            "if blind and S.viewer in blind:\n    S.meet_hidden()", blind=trees["blind"]
        )
    if holder is not None and layout.fields[slot].holder == "Player":
        trees["own"] = statements(
            "owners[number] = owner",
            owners=function.column(layout.owner_slots[kind]),
            number=trees["number"],
            owner=function.tree(holder),
        )
    block = statements(
        AT_ONCE,
        thing=thing,
        places=function.column(layout.place_slots[kind]),
        ways=ways,
        calling=calling,
        target=function.column(slot),
        index=index,
        goal=place_of(function, slot, index),
        me=me,
        **trees,
    )
    if single:
        function.block += block
    else:
        function.write(
            "if len(things) == 1:\n    thing = things[0]\n    block\nelse:\n    calling",
            things=tree,
            thing=thing,
            block=block,
            calling=calling,
        )


def shuffle(function: Function, zone: model.Place, scope: Scope, doing: Doing) -> None:
    """Write that a pile is shuffled; not in a trial."""
    slot, _, index = target_of(function, zone, scope)
    names = function.names
    key = "shuffler", slot
    if key not in names.kept:
        names.kept[key] = names.helper("shuffle", doing.shuffler(slot))
    function.looks = True
    me = function.tree(function.kept(scope.me))
    calling = statements("shuffle(S, me, index)", shuffle=names.kept[key], me=me, index=index)
    shuffled = _shuffled(function, slot, index, doing)
    if shuffled is None:
        function.block += calling
        return
    names.space.update(NUMBER=NUMBER)
    pile = function.column(slot)
    shuffling = statements(
        "pile[index] = tuple(sorted(pile[index], key=NUMBER))\n"
        "bags[index] = len(pile[index])\n"
        "S.log = (S.log, 'shuffle', me, where, told)",
        pile=pile,
        bags=function.column(function.layout.bag_slots[slot]),
        index=index,
        me=me,
        where=shuffled[0],
        told=shuffled[1],
    )
    if function.blind:
        function.block += shuffling
        return
    function.write(
        "if S.viewer is None:\n    shuffling\nelse:\n    calling",
        shuffling=shuffling,
        calling=calling,
    )


def _shuffled(
    function: Function, slot: int, index: ast.expr, doing: Doing
) -> tuple[ast.expr, ast.expr] | None:
    """Return the trees of what is noted when a zone is shuffled, if that is known."""
    if not isinstance(index, ast.Constant):
        return None
    names = function.names
    key = "shuffled", slot, index.value
    if key not in names.kept:
        assert isinstance(index.value, int)
        found = doing.shuffled(slot, index.value)
        names.kept[key] = found and tuple([variable(names.helper("told", one)) for one in found])
    trees: tuple[ast.expr, ast.expr] | None = names.kept[key]
    return trees
