"""Made-up games (`made_up`) whose rules can go wrong: none where something is needed, divisions by zero,
places that a list does not have, numbers and ranges that are left, picks out of nothing, dead ends.

The checker takes them, as it takes what an author writes who forgets that a list may be empty.
"""

from __future__ import annotations

from made_up import Author
from made_up_words import Scope

WRONG_WORLD = """
the game also has, seen by players
  boss:   Player = players[0]
  tone:   Hue = red
  deed:   verb = plain0
  gang:   list of Player = []
  heads:  Player per Hue = players[0]
  best:   number? = none
  rows:   list of Card = []
each Player also has, seen by players
  ally:   Player = players[0]
  score:  number in 0..30 = 3

define chief: Player = first(players where its.f > n)
define second_to(p: Player): Player = first(others(p) where its.open)
define share(x: number): number = 12 / (x - 2)
define spread(x: number): number =
  let part = 12 / x
  let rest = first(log)
  if x is 0 then 0 else if x > 3 then part else part + rest
define drawn_one: Card = first(table_top where its.rank > n)
define bold: flag = first(players each it.open)

to hail p: Player
  add 1 to p.f
to hail_all ps: list of Player
  for each one in ps
    add 1 to one.f
to mark_with h: Hue for x: number
  set tone to h
  add x to m
to visit c: Card
  show c to players
  if count(table_top) > 3
    move c to my.hand
"""

WRONG_NUMBERS = (
    "(my.f / m)", "(my.g mod n)", "log[n]", "first(log)", "last(said)", "only(log)", "chief.f",
    "second_to(me).g", "first(table_top).rank", "top(deck).rank", "(n * 999999999999)", "share(my.f)",
    "spread(m)", "log[my.f - 1]", "drawn_one.rank", "each_one[chief]", "my.per[first(Card[0].kin)]",
    "(if my.f > 1 then first(log) else 1)", "players[my.f].f", "only(players where its.open).f",
    "lookup(m, 0: 1, 1: first(log), else: 2)", "count(players[n].hand)", "boss.ally.f", "heads[tone].f",
)  # fmt: skip

WRONG_TESTS = (
    "bold", "chief is me", "chief.open", "12 / n > my.f", "first(log) > 1", "(not bold)",
    "first(table_top).mark", "(some q in players has 6 / q.f > 2)", "second_to(me) is boss",
    "drawn_one.hue is red", "only(log) is 3", "(my.hand where its.rank > 6 / n) is empty",
    "can(hail(chief))", "can(visit(drawn_one))", "max(players each 9 / it.g) > 3",
)  # fmt: skip

WRONG_STEPS = (
    "set boss to chief", "set boss to second_to(me)", "set my.ally to only(players where its.open)",
    "add chief to gang", "set gang to (players each second_to(it))", "set gang to [me, chief]",
    "as chief|  add 1 to my.f", "as [me, second_to(me)]|  add 1 to my.f", "hail chief",
    "as gang|  add 1 to my.f", "as second_to(me)|  {asks}",
    "hail only(players where its.open)", "hail_all [chief, me]", "hail_all chief",
    "mark_with first(Card[0].kin) for first(log)", "visit drawn_one", "visit first(table_top)",
    "do only(Card where its.mark).effect", "do deed", "set deed to only(Card where its.mark).effect",
    "set deed to hail(chief)", "set tone to first(first(table_top).kin)",
    "set n to random(log)", "set tone to random(first(table_top).kin)", "hail random(gang)",
    "set best to first(log)", "add 1 to my.score", "add {number} to my.score", "set my.score to {number}",
    "set n to {number}", "set m to {number} / n", "set log to [first(log), {number}]", "add first(log) to log",
    "move first(my.stash) to my.line", "move top(deck) to place", "move drawn_one to place",
    "move my.hand to my.held", "show drawn_one to chief", "show my.hand to second_to(me)",
    "swap boss with my.ally", "set heads to chief", "set heads[tone] to chief", "set heads[first(Card[0].kin)] to me",
    "set chief.f to 2", "set each_one[chief] to 4", "remove chief from gang",
    "for each g{name} in [me, chief]|  add 1 to pot", "for each g{name} in gang|  add 1 to g{name}.f",
    "for each g{name} in (players as z each second_to(z))|  add 1 to pot",
    "repeat first(log) times|  add 1 to n", "repeat {number} times|  add 1 to pot",
    "if bold|  add 1 to n", "let g{name} = chief|if me is g{name}|  add 2 to my.f|hail g{name}",
    "let g{name} = first(table_top)|set rows to [g{name}]", "set rows to (players each first(it.line))",
    "let g{name} = random(gang)|set boss to g{name}", "let g{name} = first(log)|set best to g{name}",
    "set n to n * 100000", "set n to n * n", "set m to max(players each 9 / it.g)",
    "set my.friend to my.ally", "set my.g to my.f / my.g",
)  # fmt: skip

WRONG_QUESTIONS = (
    "choose g{name} from [me, chief]", "choose g{name} from gang", "choose g{name} from (players each second_to(it))",
    "choose g{name} from 1..n", "choose g{name} from 0..first(log)", "choose n g{name} from table_top or stop",
    "choose g{name} from log", "choose up to 2 g{name} from rows", "choose g{name} from table_top|set rows to [g{name}]",
    "choose g{name} from players where 6 / its.f > 1", "choose g{name} from 1..3|need 6 / (g{name} - 1) > 1 else \"no\"",
    "choose g{name} from 1..3|set boss to players[g{name}]", "choose g{name} from [hail(chief), hail(me)]|do g{name}",
    "either \"P\"|  hail chief|or \"Q\" when 6 / my.f > 1|  add 1 to my.f",
    "may \"R{name}\"|  set boss to second_to(me)", "choose any g{name} from first(3, table_top) such that 6 / count(g{name}) > 2",
    "choose g{name} from 1..3|need no else \"never\"", "choose g{name} from players|hail second_to(g{name})",
    "choose split g{name} of n over players|set my.f to g{name}[me]",
)  # fmt: skip

CHANGES = (
    "change chief to second_to(players[0]) when n mod 2 is 0", "change twice by first(log)",
    "change share to x / m when my.f > 3", "change second_to to only(players where its.f > m)",
    "change bold to only(players each it.open)", "change spread to at most share(m)",
)  # fmt: skip


class WrongAuthor(Author):
    """Writes one game whose rules can go wrong; `often`: how often something may."""

    def __init__(self, seed: int, often: float = 0.12) -> None:
        super().__init__(seed)
        self.often = often

    def wrong(self) -> bool:
        return self.dice.random() < self.often

    def number(self, scope: Scope, depth: int = 1) -> str:
        if self.wrong():
            return self.one(*WRONG_NUMBERS)
        return super().number(scope, depth)

    def test(self, scope: Scope, depth: int = 1) -> str:
        if self.wrong():
            return self.one(*WRONG_TESTS)
        return super().test(scope, depth)

    def statement(self, scope: Scope, depth: int) -> list[str]:
        if not self.wrong() or self.size > 140 or scope.at_once:
            return super().statement(scope, depth)
        self.size += 1
        asks = not scope.quiet and self.dice.random() < 0.3
        found = self.one(*(WRONG_QUESTIONS if asks else WRONG_STEPS))
        asking = "add 1 to my.g" if scope.quiet else f"choose {self.fresh('ga')} from 1..2"
        text = found.format(name=self.fresh("w"), number=self.number(scope), asks=asking)
        return text.split("|")

    def game(self) -> str:
        changes = [one for one in CHANGES if self.dice.random() < 0.15]
        return super().game() + WRONG_WORLD + "\n".join(["", *changes, ""])


def made_up_wrong(seed: int) -> str:
    """Return the text of a game whose rules can go wrong."""
    return WrongAuthor(seed, (0.05, 0.12, 0.2)[seed % 3]).game()
