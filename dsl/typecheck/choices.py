"""What players are asked: `choose` in all its forms.

What a step sets is a name of the verb from then on (`set_local`), and what is chosen on every way
may be used by what stands `after` the verb (`may_end_here`).
"""

from __future__ import annotations

from rulewright.dsl import model
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, NUMBER, TEXT, ListType, Type
from rulewright.dsl.syntax import foreign_words, nodes
from rulewright.dsl.text.codes import with_article
from rulewright.dsl.typecheck import constants, lists
from rulewright.dsl.typecheck.context import Body, element_facts, mismatch
from rulewright.dsl.typecheck.name_lookup import what_is


def set_local(body: Body, word: nodes.Word, type_: Type) -> str:
    """Set a local and return its name; a name set before keeps its type."""
    before = body.locals.get(word.text)
    if word.text in body.seen_names:
        before = body.seen_names[word.text]
    if before is not None and word.text not in body.unset:
        both = types.common(before, type_)
        if both is None:
            label = f"{with_article(types.words(before))} until now"
            help = "give the new value a name of its own"
            body.report.add(mismatch(word.span, type_, before, label, help))
        type_ = both or before
    body.forget_local(body.local_name(word.text))
    if word.text in body.seen_names:
        body.seen_names[word.text] = type_
    else:
        body.locals[word.text] = type_
    body.unset.discard(word.text)
    return body.local_name(word.text)


def may_end_here(body: Body) -> None:
    """Note which choices are set where the verb may end: what stands `after` it sees no others."""
    if body.verb is not None and not body.amending:
        chosen = frozenset(body.chosen - body.unset)
        before = body.verb.set_at_end
        body.verb.set_at_end = chosen if before is None else before & chosen


def choose(body: Body, node: nodes.Choose) -> model.Statement:
    body.use_me(node.span, "choose")
    quantity = node.quantity
    if quantity is not None and _is_one(body, quantity):
        quantity = None
    word, low, high = _quantity(body, quantity)
    source, held = lists.source_of(body, node.source, coming=node.name.text)
    facts = element_facts(body, source)
    held = types.without_none(held)
    one = word == "one"
    such_that: model.Expression | None = None
    type_ = held if one else ListType(held)
    name = set_local(body, node.name, type_)
    body.facts = {**body.facts, name: facts}
    if node.or_stop:
        may_end_here(body)
    if node.such_that is not None:
        such_that = body.typed(node.such_that, FLAG)
    ask = None if node.ask is None else body.typed(node.ask, TEXT)
    _known_outside(body, node.name.text, type_)
    return model.Choose(
        span=node.span,
        see=node.see,
        name=name,
        word=word,
        low=low,
        high=high,
        source=source,
        such_that=such_that,
        ask=ask,
        or_stop=node.or_stop,
    )


def choose_split(body: Body, node: nodes.ChooseSplit) -> model.Statement:
    body.use_me(node.span, "choose")
    total = body.expression(node.total, NUMBER)
    if not isinstance(total.type, types.NumberType | types.UnknownType):
        total = body.typed(node.total, NUMBER)
    constants.check(body, total, nodes.Number(span=node.total.span, value=0), None)
    source, held = lists.source_of(body, node.over)
    facts = element_facts(body, source)
    held = types.without_none(held)
    if not isinstance(held, types.ThingType | types.EnumType | types.UnknownType):
        help = "it goes to things, to players, or to the values of an enumeration"
        body.mismatch(source, ListType(types.ANYTHING), "nothing to give it to", help)
        held = types.UNKNOWN
    with body.binding(None, held, facts) as item:
        limit = None if node.cap is None else body.typed(node.cap, NUMBER)
    known = not isinstance(held, types.UnknownType)
    value = total.type if isinstance(total.type, types.NumberType) else NUMBER
    type_: Type = types.FamilyType(value, held) if known else types.UNKNOWN
    name = set_local(body, node.name, type_)
    if node.or_stop:
        may_end_here(body)
    such_that = None if node.such_that is None else body.typed(node.such_that, FLAG)
    ask = None if node.ask is None else body.typed(node.ask, TEXT)
    _known_outside(body, node.name.text, type_)
    return model.Split(
        span=node.span,
        see=node.see,
        name=name,
        total=total,
        source=source,
        item=item,
        limit=limit,
        such_that=such_that,
        ask=ask,
        or_stop=node.or_stop,
    )


def _known_outside(body: Body, name: str, type_: Type) -> None:
    """Note a name that amendments and examples may use."""
    if body.verb is not None and not body.amending:
        body.verb.choices[name] = type_
    else:
        body.world.other_choices.setdefault(name, set()).add(type_)
    body.chosen.add(name)


def _is_one(body: Body, node: nodes.Quantity) -> bool:
    """Whether a quantity is one in words, which is reported: without a number it is one."""
    value = node.value
    if not isinstance(value, nodes.Name) or value.text not in foreign_words.ONE:
        return False
    if what_is(body, nodes.Word(span=value.span, text=value.text)) is not None:
        return False
    help = "take it out: without a number one is chosen"
    body.unknown_name("RW201", value, (), "no number", help=help)
    return True


def _quantity(
    body: Body, node: nodes.Quantity | None
) -> tuple[str, model.Expression | None, model.Expression | None]:
    if node is None:
        return "one", None, None
    if node.word in ("any", "ordered"):
        return node.word, None, None
    assert node.value is not None
    if node.word == "up_to":
        return "up_to", None, _how_many(body, node.value)
    value = node.value
    if isinstance(value, nodes.Binary) and value.word == "..":
        constants.check_order(body, value.left, value.right)
        return "count", _how_many(body, value.left), _how_many(body, value.right)
    exact = _how_many(body, value)
    return "count", exact, exact


def _how_many(body: Body, node: nodes.Expression) -> model.Expression:
    found = body.typed(node, NUMBER)
    constants.check(body, found, nodes.Number(span=node.span, value=0), None)
    return found
