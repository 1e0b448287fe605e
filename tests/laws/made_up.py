"""Small games that nobody wrote: rule texts put together at random out of the language's constructs.

They make no sense, but nearly all of them are legal, and they nest what no author nests: loops in
branches in amendments, stops through several verbs, decisions in watched conditions, verbs as
values, zones that not everybody sees into, offers to those who act at once.
"""

from __future__ import annotations

from made_up_blocks import Blocks
from made_up_words import PARAMETERS, SEEN, WORLD, Scope


class Author(Blocks):
    """Writes one game."""

    def game(self) -> str:
        """Write the text of a game."""
        dice = self.dice
        self.verbs = [("turn", "", "")]
        for number in range(dice.randint(2, 5)):
            parameter, kind = dice.choice(PARAMETERS)
            self.verbs.append((f"verb{number}", parameter, kind))
        self.verbs += [("quiet0", *dice.choice(PARAMETERS)), ("quiet1", *dice.choice(PARAMETERS))]
        self.verbs += [("plain0", "", ""), ("plain1", "", ""), ("quiet2", "", "")]
        items = [self.verb(number) for number in range(len(self.verbs))]
        items.append(self.recursion())
        items += self.amendments()
        items += self.watches()
        items += self.offers()
        seen = {f"seen_{number}": self.seen(number) for number in range(4)}
        effects = {f"e{number}": self.one("plain0", "plain1", "quiet2") for number in range(3)}
        world = WORLD.format(
            narrow=self.one("9", "99", "999"),
            fresh=self.one("turn", "plain0", "quiet2"),
            **seen,
            **effects,
        )
        return (
            "\n\n".join(
                [
                    world + "\nranking\n  most my.f\n  most my.given\n  most n + pot",
                    self.play(),
                    *items,
                ]
            )
            + "\n"
        )

    def seen(self, number: int) -> str:
        if number == 3:
            return self.one("players", "[]", "owner")
        return self.one("players", "owner", *SEEN)

    def play(self) -> str:
        lines = ["to play", "  shuffle deck" if self.dice.random() < 0.6 else "  nothing"]
        lines += [
            "  as players",
            "    move top(2, deck) to my.hand",
            "    move top(deck) to my.line",
            # So that offers are open somewhere, whatever becomes of the rest.
            "    choose start from 1..2",
        ]
        lines += ["  move top(2, deck) to table_top"]
        lines += [
            "  repeat until rounds is 0",
            "    add -1 to rounds",
            "    as players",
            "      turn",
        ]
        if self.dice.random() < 0.4:
            lines += ["after play", "  as players"]
            lines += ["    " + line for line in self.block(Scope(verb=99, amendment=True), 1, 2)]
        return "\n".join(lines)

    def verb(self, number: int) -> str:
        name, parameter, kind = self.verbs[number]
        scope = Scope(verb=number, quiet=name.startswith("quiet"))
        if kind:
            getattr(scope, kind).append(parameter.split(":")[0].strip())
        label = ""
        if self.dice.random() < 0.3 or name.startswith("plain"):
            label = f' "Do {name}"'
        lines = self.block(scope, 3 if number < 4 else 2, 6 if number < 2 else 4)
        if number == 0 and self.dice.random() < 0.6:
            lines.append(f"again {self.dice.randint(1, 4)}")
        return "\n".join([f"to {name}{parameter}{label}", *("  " + line for line in lines)])

    def recursion(self) -> str:
        scope = Scope(numbers=["x"], verb=1)
        before, after = self.block(scope, 1, 2), self.block(scope, 1, 2)
        lines = ["to again x: number", "  if x > 0"]
        lines += ["    " + line for line in before]
        lines += ["    again x - 1"]
        lines += ["    " + line for line in after]
        return "\n".join(lines)

    def amendments(self) -> list[str]:
        items = []
        targets = [(name, number, "") for name, number in self.steps]
        targets += [(name, number, kind) for number, (name, _, kind) in enumerate(self.verbs)]
        self.dice.shuffle(targets)
        self.size = 40
        for name, number, kind in targets[: self.dice.randint(1, 5)]:
            timing = self.one("before", "after", "after", "instead of")
            guard = f" when {self.test(Scope())}" if self.dice.random() < 0.5 else ""
            scope = Scope(verb=number, amendment=True, quiet=name.startswith("quiet"))
            if kind:
                own = self.verbs[number][1].split(":")[0].strip()
                getattr(scope, kind).append(own)
            if scope.quiet and name.startswith("quiet") and self.dice.random() < 0.2:
                scope.quiet = False
            lines = self.block(scope, 2, 3)
            if self.dice.random() < 0.15:
                lines += ["if my.f mod 2 is 1", "  stop"]
            items.append("\n".join([f"{timing} {name}{guard}", *("  " + line for line in lines)]))
        return items

    def watches(self) -> list[str]:
        items = []
        self.size = 80
        for number in range(self.dice.randint(0, 3)):
            condition = f"w{number} >= {self.dice.randint(1, 4)}"
            lines = [f"set w{number} to 0"]
            if self.dice.random() < 0.3:
                condition, lines = "my.f > 7", ["set my.f to 0"]
            block = self.block(Scope(verb=99, amendment=True, quiet=self.dice.random() < 0.4), 2, 3)
            block = [line.replace("to w", "to each_one[me] # w") for line in block]
            if condition.startswith("w"):
                who = self.one("players", "players", "players[0]")
                block = [f"as {who}", *("  " + line for line in block)]
            lines += block
            items.append("\n".join([f"as soon as {condition}", *("  " + line for line in lines)]))
        return items

    def offers(self) -> list[str]:
        """Write what holds during a verb, offers in it, and a pause."""
        if self.dice.random() < 0.5:
            return []
        items, self.size = [], 90
        names = [name for name, *_ in self.verbs if not name.startswith(("quiet", "plain"))]
        for number in range(self.dice.randint(1, 2)):
            name, other = self.dice.choice([*names, "turn"]), self.dice.choice(names)
            lines = [f"during {name}" + self.one("", "", f" when {self.test(Scope())}")]
            for word in "AB"[: self.dice.randint(1, 2)]:
                scope = Scope(verb=99, amendment=True, at_once=self.dice.random() < 0.8)
                block = self.block(scope, 1, 2)
                lines += [f'  may "{word}{number}" when my.taken < {self.dice.randint(1, 3)}']
                lines += ["    add 1 to my.taken", *("    " + line for line in block)]
            block = self.block(Scope(verb=99, amendment=True), 1, 2)
            lines += [f"  {self.one('before', 'after')} {other}"]
            items.append("\n".join([*lines, *("    " + line for line in block)]))
            items.append(f"{self.one('before', 'after')} {name}\n  {self.one('pause', 'nothing')}")
        items.append("each Player has\n  taken: number = 0, seen by players, fresh each turn")
        return items


def made_up(seed: int) -> str:
    """Return the text of a game."""
    return Author(seed).game()
