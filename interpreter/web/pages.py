"""The pages of the web table as HTML text: pure functions of data, without a server.

    table_page(view, PageContext("/t/ID/TOKEN/", "en", ENGLISH))

All that the data say is text: nothing of it becomes a tag or an attribute of its own. Pages hold no
script, no style and no handler inside, so that a policy may forbid them.

Forms of a table post to `BASE/answer` (fields: see `forms.read_form`), `BASE/hint` (the same
fields, so that picks are kept), `BASE/again` (a new table with the same seats); that of `new_table_page` to
`/tables`. Links: `BASE/rules`, `BASE/record`, `BASE/replay?step=N`, `BASE/news` (events), and `?lang=CODE` on
every page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import attrs

from rulewright.interpreter.web import rendering
from rulewright.interpreter.web.arrangement import FEW_NUMBERS, Arrangement, initials
from rulewright.interpreter.web.own_words import page_words
from rulewright.interpreter.web.rulebook import anchor
from rulewright.interpreter.words.translation import ENGLISH, Words

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
"""The languages of the pages, each by its own name."""

ONLY_HERE = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "::"}
"""Links with these names lead each machine to itself."""

AROUND = 60
"""So many letters are shown before and behind what was searched for."""

Json = Mapping[str, Any]
"""Data as `as_json` of the view model gives them."""


@attrs.frozen
class HintLine:
    """One of the best answers: in words, what it is worth (0 to 100, None: not known), how often it was tried."""

    answer: str
    value: int | None = None
    playouts: int = 0
    options: tuple[int, ...] = ()
    """The numbers of the options of which it consists, if they are known: they are marked."""


@attrs.frozen
class Hint:
    """What a hint has found; with `thinking`, that it is still looking."""

    lines: tuple[HintLine, ...] = ()
    playouts: int = 0
    thinking: bool = False
    noticed: str = ""
    """What has to be known about the figures, in words."""


@attrs.frozen(kw_only=True)
class PageContext:
    """What a page needs besides its data."""

    base: str = attrs.field(default="/", kw_only=False)
    """The address of the table as one seat or watcher has it; it ends with a slash."""

    language: str = attrs.field(default="en", kw_only=False)
    words: Words = attrs.field(default=ENGLISH, kw_only=False)
    """Those of the game; the pages have their own for what they say themselves."""

    languages: Mapping[str, str] = attrs.field(factory=lambda: dict(LANGUAGES))
    """Those that can be switched to, by code, each by its own name."""

    home: str = "/"
    static: str = "/static/"
    message: str | None = None
    """Why an answer was refused, or that it came too late: read out at once."""

    notice: str | None = None
    """What somebody else has done with the table: `Ben took back "Fly"`, an agent that thinks."""

    consent: tuple[int, str] | None = None
    """Somebody asks whether an answer may be taken back: a number that the form sends, and in words."""

    picked: Sequence[int] = ()
    """Options of a refused answer, or of one half made, in their order: they are shown as chosen."""

    amounts: Mapping[int, int] = attrs.field(factory=dict)
    """Amounts of a refused distribution, by target."""

    number: int | None = None
    """The number of a refused answer."""

    hint: Hint | None = None
    can_hint: bool = False
    news: bool = True
    """Whether the page listens for news; where scripts are off it is loaded again now and then."""

    connected: frozenset[int] | None = None
    """The seats whose pages are open; None: nothing is said about it."""

    links: bool = False
    """Whether there is a page with the links of the table, at `BASE/links`."""

    again: str | None = None
    """Who plays again with the same seats, at the table to which `BASE/next` leads."""


@attrs.frozen
class TableLine:
    """A table in the lobby."""

    address: str
    game: str
    seats: Sequence[tuple[str, bool]]
    """Names, and whether it is the reader."""

    state: str
    """`yours`, `together`, `theirs` or `over`."""

    says: str = ""
    """The prompt, who is to move, or who has won."""


@attrs.frozen
class Question:
    """An option or a ruling of a game."""

    name: str
    word: str
    """`option` or `ruling`."""

    text: str
    kind: str
    """`flag`, `one` (of `choices`) or `number` (from `low` to `high`, each may be None)."""

    value: str
    """What holds if nothing is said, or what has been said."""

    choices: Sequence[str] = ()
    low: int | None = None
    high: int | None = None
    variant: str | None = None
    """The variant in which alone it comes up."""


@attrs.frozen
class Variant:
    """A variant on the shelf."""

    title: str
    file: str
    relations: Sequence[str] = ()
    """What it includes, requires and excludes, in words."""

    chosen: bool = False


@attrs.frozen
class GameEntry:
    """A game on the shelf."""

    name: str
    title: str
    least: int
    most: int
    variants: Sequence[Variant] = ()
    questions: Sequence[Question] = ()


@attrs.frozen
class SeatChoice:
    """Who sits on a seat of a table to be made: `me`, `link`, `none`, or the name of an agent."""

    who: str = "link"
    name: str = ""


@attrs.frozen
class SeatLink:
    """A link to hand out: of a seat, or of the watchers (`seat` None)."""

    address: str
    name: str
    seat: int | None = None
    yours: bool = False
    agent: str | None = None
    """The agent that plays here; it needs no link."""

    taken: bool = False
    """Whether somebody has opened it."""


@attrs.frozen
class Replay:
    """Where in an ended game a page stands."""

    step: int
    steps: int
    entries: Sequence[Json] = ()
    """What happened in this step, as entries of a log."""


def table_page(view: Json, context: PageContext) -> str:
    """Return the page of a seat or, where `view["seat"]` is None, of those who watch."""
    return _render(
        "table",
        context,
        outcome=_outcome(view, page_words(context.language)),
        **_table(view, context),
    )


def replay_page(view: Json, replay: Replay, context: PageContext) -> str:
    """Return one step of a game, as the seat of the view saw it; nothing can be answered there."""
    still = {**view, "question": None, "end": None, "undo": False, "setback": ()}
    return _render("replay", context, r=replay, **_table(still, context))


def log_page(view: Json, context: PageContext, entries: Sequence[Json]) -> str:
    """Return the whole log of a seat on a page of its own (`BASE/log`)."""
    return _render("log", context, entries=entries, title=view["game"], **_table(view, context))


def why_page(view: Json, no: Json, context: PageContext) -> str:
    """Return why something cannot be chosen, with all reasons (`BASE/why?option=LABEL`); `no` is what
    `why` of the view model says."""
    return _render("why", context, no=no, title=view["game"], **_table(view, context))


def lobby_page(
    tables: Sequence[TableLine],
    games: Sequence[GameEntry],
    context: PageContext,
    *,
    can_import: bool = False,
) -> str:
    """Return the shelf and one's own tables. Each game links to `/new/NAME` and `/rules/NAME`; with
    `can_import` a form posts the text of a saved game as `record` to `/import`."""
    return _render(
        "lobby",
        context,
        tables=tables,
        games=games,
        can_import=can_import,
        seats_of=_seats_of,
        players_of=_players_of(page_words(context.language)),
    )


def new_table_page(
    game: GameEntry,
    seats: Sequence[SeatChoice],
    agents: Mapping[str, str],
    context: PageContext,
    conflicts: Sequence[str] = (),
    *,
    checked: bool = False,
) -> str:
    """Return the form of a new table; `agents`: what an empty seat may be given, by name, in words.

    It posts `game`, `variant`… (titles), `option-NAME` (also of variants that are not chosen), `seat-N`
    (`me`, `link`, `none`, an agent), `name-N`, and `check=1` for the button that only asks what
    fits together; `conflicts` say what does not, and `checked` that it was asked for.
    """
    return _render(
        "new_table",
        context,
        g=game,
        seats=seats,
        agents=agents,
        conflicts=conflicts,
        checked=checked,
        players_of=_players_of(page_words(context.language)),
    )


def links_page(
    game: str, links: Sequence[SeatLink], context: PageContext, variants: Sequence[str] = ()
) -> str:
    """Return the links of a table that has been made, to be handed out."""
    seats = [one for one in links if one.seat is not None]
    signs = dict(
        zip((one.seat for one in seats), initials([one.name for one in seats]), strict=True)
    )
    hosts = {urlsplit(one.address).hostname for one in links}
    return _render(
        "links",
        context,
        title=game,
        links=links,
        variants=variants,
        initials=signs,
        only_here=bool(hosts & ONLY_HERE),
    )


def rules_page(book: Json, context: PageContext, query: str = "", *, back: bool = True) -> str:
    """Return the rule book in force with what was searched for in it.

    `book` is what `rulebook.book_data` gives; without `back` it belongs to no table.
    """
    query = query.strip()
    found = _found(book, query) if query else []
    return _render("rules", context, book=book, query=query, found=found, back=back)


def changed_page(text: str, context: PageContext, *, can_renew: bool) -> str:
    """Return the page of a table whose rules have changed; with `can_renew` a form posts to `BASE/renew`."""
    return _render("changed", context, text=text, can_renew=can_renew)


def delete_page(title: str, names: Sequence[str], context: PageContext) -> str:
    """Return the page that asks whether a table is to be deleted; its form posts to `BASE/delete`."""
    return _render("delete", context, title=title, names=names)


def error_page(
    status: int,
    text: str,
    language: str = "en",
    words: Words = ENGLISH,
    *,
    static: str = "/static/",
    home: str = "/",
) -> str:
    """Return a page that says what is wrong and leads back."""
    context = PageContext("/", language, words, static=static, home=home, languages={})
    return _render("error", context, status=status, text=text)


# ------------------------------------------------------------------------------------------ inside


def _render(template: str, context: PageContext, **data: Any) -> str:
    return rendering.render(
        template,
        page_words(context.language),
        c=context,
        anchor=anchor,
        few_numbers=FEW_NUMBERS,
        **data,
    )


def _table(view: Json, context: PageContext) -> dict[str, Any]:
    hinted = () if context.hint is None else [line.options for line in context.hint.lines]
    return {"view": view, "p": Arrangement(view, context.picked, hinted)}


def _outcome(view: Json, tell: Words) -> str:
    """Return who has won, for the title of a page."""
    end = view["end"]
    if end is None:
        return ""
    if not end["tells_winners"]:
        return tell("The game is over.")
    names = ", ".join(view["seats"][seat]["name"] for seat in end["winners"])
    if not names:
        return tell("Nobody has won")
    return tell("{who} has won" if len(end["winners"]) == 1 else "{who} have won", who=names)


def _seats_of(table: TableLine) -> list[tuple[str, str, bool]]:
    signs = initials([name for name, _ in table.seats])
    return [(sign, *seat) for sign, seat in zip(signs, table.seats, strict=True)]


def _players_of(tell: Words) -> Any:
    def players(game: GameEntry) -> str:
        if game.least == game.most:
            alone = game.most == 1
            return tell("1 player") if alone else tell("{number} players", number=game.most)
        return tell("{low} to {high} players", low=game.least, high=game.most)

    return players


def _found(book: Json, query: str) -> list[dict[str, str]]:
    """Return where a text stands in a rule book, with what stands around it."""
    lines = [
        (one["anchor"], book_["title"], text)
        for book_ in book["books"]
        for one in book_["sections"]
        for text in (one["title"], *one["says"])
    ]
    lines += [
        (line["anchor"], part["title"], line["text"])
        for part in book["parts"]
        for line in part["lines"]
    ]
    found = []
    wanted = re.compile(re.escape(query), re.IGNORECASE)
    for at, title, text in lines:
        hit = wanted.search(text)
        if hit is not None:
            before, after = text[: hit.start()].lstrip(), text[hit.end() :]
            found.append(
                {
                    "anchor": at,
                    "part": title,
                    "before": before if len(before) <= AROUND else f"…{before[-AROUND:]}",
                    "hit": hit[0],
                    "after": after if len(after) <= AROUND else f"{after[:AROUND]}…",
                }
            )
    return found
