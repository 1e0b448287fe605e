"""Words of made-up games (`made_up`), and what the checker says about the games."""

from __future__ import annotations

import tempfile
from pathlib import Path

import attrs

from rulewright.dsl import model
from rulewright.dsl.frontend.frontend import compile_game
from rulewright.dsl.text.codes import Severity
from rulewright.dsl.text.diagnostics import RulesError

MOST_REPAIRS = 6

WORLD = """language 1
game "Made up" for 1..4 players
use seats

kind Hue is one of [red, green]
each Token has
  size: number
table Token for each size in 1..5
each Card has
  rank:   number
  hue:    Hue
  effect: verb
  kin:    list of Hue
  mark:   flag = no, seen by players
  secret: number = 0, seen by owner
  on_it:  cards of Token, seen by {seen_3}
table Card
  | rank | hue   | effect | kin       | copies |
  | 1    | red   | {e0}   | red green | 2      |
  | 2    | green | {e1}   |           | 2      |
  | 3    | red   | {e2}   | red       | 2      |
  | 4    | green | {e0}   | green     | 1      |
  | 5    | green | {e1}   | red red   | 2      |
each Player has, seen by players
  f:      number = 0
  g:      number = 0, fresh each {fresh}
  h:      number = 0, seen by owner
  own:    number = 2, fresh each own turn
  friend: Player?
  open:   flag = no
  hand:   cards of Card, seen by {seen_0}
  line:   row of Card, seen by {seen_1}
  stash:  pile of Card, seen by {seen_2}
  held:   slot of Card, seen by {seen_0}
  per:    number per Hue = 0
  given:  number = 0
the game has, seen by players
  deck:   pile of Card = Card, seen by []
  table_top: row of Card
  dark:   cards of Card, seen by []
  place:  slot of Card
  bank:   cards of Token = Token
  n:      number = 3
  m:      number = 0
  k:      number = 5, seen by []
  w0:     number = 0
  w1:     number = 0
  w2:     number = 0
  each_one: number per Player = 1
  latest: Card?
  who:    Player?
  log:    list of number = []
  said:   list of number = []
  pot:    number = 0
  cards_seen: list of Card = []
  rounds: number = 7
  narrow: number in 0..{narrow} = 0
  free:   number from 0 = 4

define twice(x: number): number = 2 * x mod 50
define rich = my.f > 6
define weight(c: Card): number = c.rank + (if c.mark then 1 else 0)
define visible(c: Card): number = if c.hue is red then 2 else c.rank
define next_one(c: Card): Card = first(Card where its.rank is c.rank mod 5 + 1)
define beside(c: Card): list of Card =
  distinct((table_top where its.rank is c.rank + 1 or its.rank is c.rank - 1)
    + (table_top where its.hue is c.hue and its.rank is not c.rank)) without [c]
"""

SEEN = ("players", "owner", "[]", "others(owner)", "[owner, players[0]]",
        "if owner.open then players else [owner]")  # fmt: skip

ZONES = ("my.hand", "my.line", "my.stash", "table_top", "dark", "deck")
OPEN_LISTS = ("table_top", "Card where its.mark", "Card where its.rank > {a}", "present([latest])",
              "join(players each it.line)", "distinct(table_top + present([latest]))",
              "reversed(table_top)", "(Card where its.mark) where its.rank > {a}",
              "(table_top having most weight(it))", "beside(Card[1])", "(Card without table_top)",
              "join(players each table_top)")  # fmt: skip
NUMBERS = ("n", "m", "w0", "my.f", "my.g", "my.own", "count(my.hand)", "count(table_top)",
           "each_one[me]", "my.per[red]", "my.per[green]", "total(my.per)", "count(log)",
           "count(deck)", "sum(table_top as q each q.rank)", "count(players)", "twice(my.f)",
           "count(Card as q where q.mark)", "sum(table_top as q each weight(q))", "total(each_one)",
           "max(players as q each q.f)", "sum(Card as q each visible(q))",
           "count(walk(Card[1], next_one(it), not its.mark))", "count(beside(Card[3]))",
           "count(join(players each it.hand) where its.rank > 2)", "count(table_top without [latest])",
           "sum(present([first(Card where its.mark having fewest its.rank)]) each its.rank)",
           "sum(present([first(table_top having most weight(it))]) each its.rank)",
           "max([count(walk(Card[1], next_one(it), its.mark)), 1])")  # fmt: skip

ALONE = (
    "add 1 to my.f", "set my.open to not my.open", "add 2 to my.h", "add 1 to my.per[red]",
    "set my.h to random(1..3)", "add 1 to left_of(me).given", "add 1 to pot", "add my.h to said",
    "move my.held to my.stash", "move my.stash to my.line", "move my.line to table_top",
    "if my.hand is not empty|  move first(my.hand) to my.line",
    "if my.stash is not empty|  move top(my.stash) to my.hand|  add 1 to my.g",
    "if my.f > 20|  set my.f to 0|if my.f is 6|  {leave}",
)  # fmt: skip
"""What somebody may do while others act, with what is his own; lines are divided by bars."""

ASKED_ALONE = (
    "choose {name} from 1..3|add {name} to my.h",
    'choose {name} from 1..3|need {name} is not my.f else "no"|set my.f to {name}',
    "choose up to 2 {name} from my.line|move {name} to my.stash",
    "choose {name} from my.hand or stop|move {name} to my.line",
    'may "May {name}"|  add 1 to my.g',
    'either "Left"|  add 1 to left_of(me).given|or "Right" when my.f > 1|  add -1 to my.f',
)
"""The same where he is asked something."""


@attrs.define
class Scope:
    """What the names of a place are, by their type."""

    numbers: list[str] = attrs.field(factory=list)
    cards: list[str] = attrs.field(factory=list)
    lists: list[str] = attrs.field(factory=list)
    zones: list[str] = attrs.field(factory=list)
    places: list[str] = attrs.field(factory=list)
    players: list[str] = attrs.field(factory=list)
    verb: int = 0
    """Which verb this is; it calls only later ones."""

    steps: tuple[str, ...] = ()
    amendment: bool = False
    looped: bool = False
    quiet: bool = False
    """Whether nobody should decide anything."""

    at_once: bool = False
    """Whether others act at the same time."""

    def inner(self, **changes: object) -> Scope:
        """Return the names of a block inside."""
        copies = {
            name: list(getattr(self, name))
            for name in ("numbers", "cards", "lists", "zones", "places", "players")
        }
        return attrs.evolve(self, **copies, **changes)


PARAMETERS = (
    ("", ""),
    ("", ""),
    (" x: number", "numbers"),
    (" c: Card", "cards"),
    (" cs: list of Card", "lists"),
    (" z: cards of Card", "zones"),
    (" p: field of number", "places"),
    (" one: Player", "players"),
)


def accepted(text: str) -> tuple[str, model.Game]:
    """Return a text and its checked model, where every line that the checker refuses does something
    else; raise `RulesError` if that is not enough."""
    for _ in range(MOST_REPAIRS):
        try:
            return text, compiled(text)
        except RulesError as error:
            lines = text.split("\n")
            wrong = [one for one in error.diagnostics if one.severity is Severity.ERROR]
            for found in wrong:
                number = found.primary.span.line - 1
                lines[number] = repaired(lines[number], lines[number + 1])
            text = "\n".join(lines)
    return text, compiled(text)


def repaired(line: str, following: str) -> str:
    """Return a line that the checker takes in place of one that it does not take."""
    indent = len(line) - len(line.lstrip())
    if not indent and line.startswith(("during", "before", "after", "instead")):
        head, when, _ = line.partition(" when ")
        if line in ("during turn", "during play"):
            # Perhaps nobody decides anything in a turn.
            return "during play"
        return head if when else f"{line.split()[0].replace('instead', 'after')} turn"
    has_block = len(following) - len(following.lstrip()) > indent
    if line.strip().startswith("choose"):
        name = line.split(" from ")[0].split()[-1]
        source = "Card" if name.startswith("t") else "1..2"
        return " " * indent + f"choose {name} from {source}"
    return " " * indent + ("if me is players[0]" if has_block else "add 1 to my.f")


def compiled(text: str) -> model.Game:
    """Return the checked model of a text; raise `RulesError` if the checker refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        game = Path(folder) / "made_up"
        game.mkdir()
        (game / "game.rules").write_text(text, encoding="utf-8")
        return compile_game(str(game)).model_or_raise()
