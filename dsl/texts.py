"""What players are told: rule files in, the texts and names out that can be said in another language.

A text is known by its words: as it stands between its quotes, with its placeholders. A name of the
rules is known by its words, too: `military_world` is `military world`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulewright.dsl import blocks, model, nodes

PLAIN = (nodes.Book, nodes.NoRules, nodes.Check, nodes.Example, nodes.Relation)
"""Items whose texts are for authors, or say again what stands elsewhere."""


@attrs.frozen
class Told:
    """A text or name that can be translated."""

    text: str
    is_shown: bool = True
    """Whether a player may read it; a text that is only compared with others is none."""


def in_words(name: str) -> str:
    """Return a name of the rules as it is shown."""
    return name.replace("_", " ")


def told_in(file: nodes.File) -> Iterator[Told]:
    """Yield what a rule file lets players read, in its order."""
    if isinstance(file.header, nodes.GameHeader | nodes.VariantHeader):
        yield Told(file.header.title.raw)
    for item in file.items:
        if not isinstance(item, PLAIN):
            yield from _inside(item)


def _inside(node: nodes.Node) -> Iterator[Told]:
    yield from _names(node)
    skipped: tuple[nodes.Node, ...] = ()
    match node:
        case nodes.Text(raw=raw):
            yield Told(raw)
        case nodes.Compare():
            # What a value is compared with is no text for players.
            skipped = tuple(one for one in blocks.children(node) if isinstance(one, nodes.Text))
        case nodes.KindHas(named=named):
            skipped = named
        case nodes.Table(path=nodes.Text() as path):
            skipped = (path,)
    for one in skipped:
        assert isinstance(one, nodes.Text), one
        yield Told(one.raw, is_shown=False)
    for one in blocks.children(node):
        if not any(one is other for other in skipped):
            yield from _inside(one)


def _names(node: nodes.Node) -> Iterator[Told]:
    """Yield the names that a node declares and that are shown as they are."""
    match node:
        case nodes.Field(names=names):
            # A name is not introduced by the word "name".
            yield from (Told(in_words(one.text), one.text != "name") for one in names)
        case nodes.Verb(name=name, label=None):
            # Most of them are never shown.
            yield Told(in_words(name.text), is_shown=False)
        case nodes.Tally(name=name) | nodes.TallyLine(name=name):
            yield Told(in_words(name.text))
        case nodes.KindHas(kind=kind):
            yield Told(kind.text)
        case nodes.Choose(name=name):
            yield Told(in_words(name.text))


def told_of(game: model.Game) -> Iterator[Told]:
    """Yield what a linked game shows besides the texts of its files: values of enumerations, and
    what stands in the tables."""
    for enumeration in game.enumerations.values():
        shown = enumeration.shown or tuple(map(in_words, enumeration.values))
        yield from (Told(value) for value in shown)
    for table in game.tables:
        for row in table.rows:
            for id, cell in row.cells:
                if isinstance(cell, model.Constant) and isinstance(cell.value, str):
                    yield Told(cell.value, is_shown=game.fields[id].name == "name")


def collected(files: Iterable[nodes.File], game: model.Game) -> dict[str, bool]:
    """Return all texts of a game in their order, and whether players read them."""
    found: dict[str, bool] = {}
    for file in files:
        for one in told_in(file):
            found[one.text] = found.get(one.text, False) or one.is_shown
    for one in told_of(game):
        found[one.text] = found.get(one.text, False) or one.is_shown
    return {text: shown for text, shown in found.items() if any(map(str.isalpha, text))}
