"""Blocks of made-up games (`made_up`): values, places and statements at random."""

from __future__ import annotations

import random
from collections.abc import Callable

from made_up_words import ALONE, ASKED_ALONE, NUMBERS, OPEN_LISTS, ZONES, Scope


class Blocks:
    """Writes the blocks of one game."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.count = 0
        self.verbs: list[tuple[str, str, str]] = []
        """Name, parameter and its type of each verb, `turn` first."""

        self.steps: list[tuple[str, int]] = []
        self.size = 0

    # ------------------------------------------------------------------------------------ small parts

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def one(self, *options: str) -> str:
        return self.dice.choice(options)

    def number(self, scope: Scope, depth: int = 1) -> str:
        roll = self.dice.random()
        if roll < 0.25:
            return str(self.dice.randint(0, 5))
        if roll < 0.6 and scope.numbers:
            return self.dice.choice(scope.numbers)
        if roll < 0.7 and scope.cards:
            return f"{self.dice.choice(scope.cards)}.rank"
        if roll < 0.75 and scope.lists:
            return f"count({self.dice.choice(scope.lists)})"
        if roll < 0.9 or not depth:
            return self.dice.choice(NUMBERS)
        left, right = self.number(scope, 0), self.number(scope, 0)
        return self.one(
            f"({left} + {right})", f"({left} - {right})", f"({left} * 2 mod 7)",
            f"(if {self.test(scope, 0)} then {left} else {right})", f"max([{left}, {right}])",
        )  # fmt: skip

    def test(self, scope: Scope, depth: int = 1) -> str:
        if depth and self.dice.random() < 0.2:
            left, right = self.test(scope, 0), self.test(scope, 0)
            return self.one(f"({left} and {right})", f"({left} or {right})", f"(not ({left}))")
        roll = self.dice.random()
        if roll < 0.6:
            sign = self.one(">", "<", "is", "is not", ">=")
            left, right = self.number(scope, 0), self.number(scope, 0)
            return f"{left} {sign} {right if right != left and not left.isdigit() else 'my.f'}"
        if roll < 0.7 and scope.cards:
            card = self.dice.choice(scope.cards)
            return self.one(f"{card}.mark", f"{card}.hue is red", f"{card}.rank > 2")
        return self.one(
            "rich", "my.open", "table_top is empty", "deck is not empty", "place is empty",
            "latest is none", "who is me", "(some q in table_top has q.rank > 3)",
            "(every q in players has q.f > 1)", "me is players[0]", "n mod 2 is 0",
            "(no q in Card has q.mark)", "my.f mod 3 is 1", "beside(Card[2]) is not empty",
            "count(table_top where its.rank > 2) > 0", "count(Card where its.mark) >= 2",
            "(some q in join(players each it.line) has q.mark)", "first(beside(Card[4])) is latest",
            "first(table_top having most its.rank) is latest", "table_top where its.mark is empty",
        )  # fmt: skip

    def list_of_cards(self, scope: Scope, hidden: bool = False) -> str:
        if scope.lists and self.dice.random() < 0.3:
            return self.dice.choice(scope.lists)
        if hidden and self.dice.random() < 0.4:
            return self.one(
                *ZONES, "top(2, deck)", "my.hand where its.rank > 2", "last(2, my.line)",
                "my.stash", "first(1, my.hand)", "cards_seen",
            )  # fmt: skip
        found = self.dice.choice(OPEN_LISTS).format(a=self.number(scope, 0))
        if self.dice.random() < 0.2:
            found = f"{found} sorted by most its.rank, then fewest its.hue is red"
        return found

    def zone(self, scope: Scope) -> str:
        if scope.zones and self.dice.random() < 0.4:
            return self.dice.choice(scope.zones)
        return self.dice.choice(ZONES)

    def field(self, scope: Scope) -> str:
        if scope.places and self.dice.random() < 0.5:
            return self.dice.choice(scope.places)
        found = self.one("my.f", "my.g", "my.own", "my.h", "n", "m", "k", "each_one[me]",
                         "my.per[red]", "my.per[green]")  # fmt: skip
        if scope.cards and self.dice.random() < 0.3:
            return f"{self.dice.choice(scope.cards)}.secret"
        if scope.players and self.dice.random() < 0.3:
            return f"{self.dice.choice(scope.players)}.f"
        return found

    # --------------------------------------------------------------------------------------- blocks

    def block(self, scope: Scope, depth: int, most: int = 4) -> list[str]:
        """Write a block, indented by nothing."""
        lines: list[str] = []
        inner = scope.inner()
        for _ in range(self.dice.randint(1, most)):
            written = self.statement(inner, depth)
            lines += written
            if "repeat" in written:
                # A `stop` leaves the verb: what stands behind would never be reached.
                break
        return lines

    def nested(self, head: str, scope: Scope, depth: int, *before: str) -> list[str]:
        """Write a statement with a block."""
        block = [*before, *self.block(scope, depth - 1, 3)]
        return [head, *("  " + line for line in block)]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement, and note the names that it gives."""
        self.size += 1
        if self.size > 140:
            return ["add 1 to my.f"]
        if scope.at_once and self.dice.random() < 0.6:
            return self.alone(scope, depth)
        kinds: list[Callable[[Scope, int], list[str]]] = [
            self.plain, self.plain, self.let, self.let, self.move, self.call,
        ]  # fmt: skip
        if not scope.quiet:
            kinds += [self.choose, self.choose_things]
        if depth > 0:
            kinds += [self.branch, self.branch, self.loop, self.loop, self.acting, self.step]
            if not scope.quiet:
                kinds += [self.may, self.either]
        return self.dice.choice(kinds)(scope, depth)

    def plain(self, scope: Scope, depth: int) -> list[str]:
        field, number = self.field(scope), self.number(scope)
        if scope.cards and self.dice.random() < 0.2:
            card = self.dice.choice(scope.cards)
            return [
                self.one(
                    f"set {card}.mark to not {card}.mark", f"set latest to {card}",
                    f"show {card} to players", f"show {card} to [left_of(me)]",
                    f"set {card}.secret to {card}.rank", f"add [{card}] to cards_seen",
                    f"remove {card} from cards_seen", f"set who to {card}.owner",
                )
            ]  # fmt: skip
        return [
            self.one(
                f"set {field} to {number}", f"set {field} to ({number}) mod 20",
                f"add 1 to {field}", f"add {number} mod 5 to {field}", "add 1 to w0",
                "add 1 to w1", "add 2 to w2", f"add {number} mod 9 to log", "remove 1 from log",
                "set my.friend to left_of(me)", "set who to me", "set my.open to not my.open",
                "set each_one to 1", "shuffle deck", "shuffle my.stash", "shuffle my.line",
                "swap n with m", "add 1 to narrow", "add 2 to free", "add -1 to free", "set narrow to free",
                "set free to 6", "set narrow to 0", "swap my.hand with left_of(me).hand", "swap my.line with table_top",
                f'show "{{me}} says {{{number}}}" to players', "show my.hand to [left_of(me)]",
                "set latest to first(table_top)", "set latest to top(deck)",
                "set n to random(1..3)", "set m to random([0, 2, 7])",
                "set n to n mod 10", "set m to m mod 10", "set log to []",
                "set cards_seen to my.hand", "add first(2, table_top) to cards_seen", "set cards_seen to []",
                "move first(bank) to bank", "set my.per to 2",
            )
        ]  # fmt: skip

    def alone(self, scope: Scope, depth: int) -> list[str]:
        """Write what somebody may do while others act: with what is his own."""
        asks = not scope.quiet and self.dice.random() < 0.4
        found = self.one(*(ASKED_ALONE if asks else ALONE))
        return found.format(name=self.fresh("c"), leave=self.leave(scope)).split("|")

    def let(self, scope: Scope, depth: int) -> list[str]:
        roll = self.dice.random()
        if roll < 0.03:
            name = self.fresh("dice")
            scope.numbers.append(f"sum({name})")
            return [f"let {name} = roll(2, 3)"]
        if roll < 0.45 and scope.numbers:
            name = self.dice.choice(scope.numbers)
            return [f"let {name} = {self.number(scope)}"] if name.startswith("v") else ["nothing"]
        if roll < 0.75:
            value, name = self.number(scope), self.fresh("v")
            if self.dice.random() < 0.15:
                value = self.one("random(1..4)", "random([1, 5, 9])")
            scope.numbers.append(name)
            return [f"let {name} = {value}"]
        if roll < 0.9:
            value, name = self.list_of_cards(scope, True), self.fresh("vs")
            scope.lists.append(name)
            if self.dice.random() < 0.2:
                value = f"shuffled({value})"
            return [f"let {name} = {value}"]
        source, name = self.list_of_cards(scope, True), self.fresh("vc")
        inner = scope.inner()
        inner.cards.append(name)
        then = self.block(inner, 0, 2)
        return [
            f"let {name} = {self.one('first', 'last', 'random')}({source})",
            f"if {name} is not none",
            *("  " + line for line in then),
        ]

    def move(self, scope: Scope, depth: int) -> list[str]:
        zone, roll = self.zone(scope), self.dice.random()
        if scope.cards and roll < 0.35:
            card = self.dice.choice(scope.cards)
            if self.dice.random() < 0.03:
                return [f"move {card} to place"]
            if self.dice.random() < 0.2:
                slot = self.one("place", "my.held")
                return [f"if {slot} is empty", f"  move {card} to {slot}"]
            if self.dice.random() < 0.2:
                return ["if bank is not empty", f"  move first(bank) to {card}.on_it"]
            return [f"move {card} to {zone}"]
        if roll < 0.45:
            return [f"move {self.one('place', 'my.held')} to {zone}"]
        if roll < 0.5:
            return ["for each c in Card where count(its.on_it) > 0", "  move c.on_it to bank"]
        if roll < 0.6:
            return [f"move {self.zone(scope)} to {zone}"]
        if roll < 0.75:
            if self.dice.random() < 0.1:
                return [f"move top(deck) to {zone}"]
            return ["if deck is not empty", f"  move top(deck) to {zone}"]
        return [f"move {self.list_of_cards(scope, True)} to {zone}"]

    def call(self, scope: Scope, depth: int) -> list[str]:
        later = self.verbs[scope.verb + 1 :]
        if scope.quiet:
            later = [verb for verb in later if verb[0].startswith("quiet")]
        if not later:
            return ["nothing"]
        name, _, kind = self.dice.choice(later)
        match kind:
            case "numbers":
                return [f"{name} {self.number(scope, 0)} mod 4"]
            case "cards" if scope.cards:
                return [f"{name} {self.dice.choice(scope.cards)}"]
            case "cards":
                return ["if table_top is not empty", f"  {name} first(table_top)"]
            case "lists":
                return [f"{name} {self.list_of_cards(scope, True)}"]
            case "zones":
                return [f"{name} {self.one('my.hand', 'dark', *scope.zones)}"]
            case "places":
                return [f"{name} {self.one('my.f', 'n', 'my.h', 'each_one[me]', *scope.places)}"]
            case "players":
                return [f"{name} {self.one('me', 'left_of(me)', 'players[0]', *scope.players)}"]
        if self.dice.random() < 0.3:
            plain = [one for one, _, inner in later if not inner]
            if len(plain) > 1 and not scope.quiet and self.dice.random() < 0.6:
                deed = self.fresh("deed")
                return [f"choose {deed} from [{', '.join(plain[:3])}]", f"do {deed}"]
            return [f"do {name}"]
        if not scope.verb and scope.cards and self.dice.random() < 0.3 and not scope.quiet:
            return [f"do {self.dice.choice(scope.cards)}.effect"]
        return [name]

    def choose(self, scope: Scope, depth: int) -> list[str]:
        name, high = self.fresh("c"), self.dice.randint(2, 4)
        lines = [f"choose {name} from 1..{high}"]
        if self.dice.random() < 0.2:
            lines = [f"choose {name} from [1, 3, 5] as o where o is 3 or {self.test(scope, 0)}"]
        if self.dice.random() < 0.35:
            lines.append(f'need {name} is not 2 else "not two"')
        elif self.dice.random() < 0.25:
            lines.append(f'need {self.test(scope, 0)} or {name} is 1 or {name} is 3 else "no"')
        scope.numbers.append(name)
        return lines

    def choose_things(self, scope: Scope, depth: int) -> list[str]:
        name, roll = self.fresh("t"), self.dice.random()
        source = self.list_of_cards(scope)
        if roll < 0.2:
            scope.players.append(name)
            return [
                f"choose {name} from {self.one('players', 'others(me) or stop', 'players where its.f >= my.f')}"
            ]
        if roll < 0.35:
            hidden = self.one("left_of(me).hand", "dark", "my.hand", "my.line", "left_of(me).line")
            scope.cards.append(name)
            return [f"choose {name} from {hidden} or stop"]
        if roll < 0.6:
            scope.cards.append(name)
            return [f"choose {name} from {source} or stop"]
        if roll < 0.7:
            scope.lists.append(name)
            return [f"choose up to 2 {name} from {source}"]
        if roll < 0.8:
            scope.lists.append(name)
            return [f"choose any {name} from first(3, {source}) such that count({name}) is not 1"]
        if roll < 0.9:
            scope.lists.append(name)
            return [f"choose ordered {name} from first(2, {source})"]
        scope.lists.append(name)
        return [f"choose 1..2 {name} from {source} or stop"]

    def branch(self, scope: Scope, depth: int) -> list[str]:
        lines = self.nested(f"if {self.test(scope)}", scope, depth)
        if self.dice.random() < 0.25:
            lines += self.nested(f"else if {self.test(scope)}", scope, depth)
        if self.dice.random() < 0.5:
            lines += self.nested("else", scope, depth)
        elif self.dice.random() < 0.25:
            lines[1:] = ["  " + self.leave(scope)]
        return lines

    def leave(self, scope: Scope) -> str:
        """Write a step that leaves something."""
        targets = ["stop", *(f"stop {step}" for step in scope.steps)]
        if not scope.amendment:
            targets += [f"stop {name}" for name, _, _ in self.verbs[:1] if scope.verb]
            targets += [f"stop {self.verbs[scope.verb][0]}"]
        if self.dice.random() < 0.05:
            return 'end game "early"'
        return self.dice.choice(targets)

    def loop(self, scope: Scope, depth: int) -> list[str]:
        roll = self.dice.random()
        inner = scope.inner(looped=True)
        if roll < 0.25:
            name = self.fresh("i")
            inner.numbers.append(name)
            source = self.one("1..3", "[4, 2, 2]", f"1..{self.number(scope, 0)} mod 4", "log")
            return self.nested(f"for each {name} in {source}", inner, depth)
        if roll < 0.45:
            name = self.fresh("ic")
            inner.cards.append(name)
            return self.nested(
                f"for each {name} in first(3, {self.list_of_cards(scope, True)})", inner, depth
            )
        if roll < 0.55:
            name = self.fresh("ip")
            inner.players.append(name)
            return self.nested(f"for each {name} in players", inner, depth)
        if roll < 0.7:
            return self.nested(f"repeat {self.number(scope, 0)} mod 4 times", inner, depth)
        if roll < 0.8:
            return self.nested("repeat 2 times", inner, depth)
        name = self.fresh("v")
        word, test = self.one("while <", "until >=").split()
        limit = self.dice.randint(2, 4)
        if roll < 0.95:
            inner.numbers.append(f"({name} + 0)")
            head = f"repeat {word} {name} {test} {limit}"
            return [f"let {name} = 0", *self.nested(head, inner, depth, f"let {name} = {name} + 1")]
        leave = [f"let {name} = {name} + 1", f"if {name} > {limit}", "  stop"]
        return [f"let {name} = 0", *self.nested("repeat", inner, depth, *leave)]

    def acting(self, scope: Scope, depth: int) -> list[str]:
        who = self.one(
            "players", "players", "players[0]", "left_of(me)", "others(me)",
            "players where its.f > 1", "players sorted by most its.f", "[me]",
            "players having most its.f", *scope.players,
        )  # fmt: skip
        if not scope.at_once and self.dice.random() < 0.35:
            who = self.one("players", "players", "players where its.f > 1", "others(me)")
            inner = scope.inner(looped=True, at_once=True)
            return self.nested(f"as {who} together", inner, depth)
        return self.nested(f"as {who}", scope.inner(looped=True), depth)

    def step(self, scope: Scope, depth: int) -> list[str]:
        if scope.amendment:
            return self.branch(scope, depth)
        name = self.fresh("s")
        self.steps.append((name, scope.verb))
        return self.nested(f"step {name}", scope.inner(steps=(*scope.steps, name)), depth)

    def may(self, scope: Scope, depth: int) -> list[str]:
        before = [] if self.dice.random() < 0.7 else [f'need {self.test(scope, 0)} else "no"']
        return self.nested(f'may "May {self.fresh("m")}"', scope, depth, *before)

    def either(self, scope: Scope, depth: int) -> list[str]:
        lines = self.nested('either "A"', scope, depth)
        if self.dice.random() < 0.5:
            lines += self.nested(f'or "B" when {self.test(scope, 0)}', scope, depth)
        return [*lines, *self.one('or "C"', 'or "C"|  add 1 to my.f', 'or "C"|  stop').split("|")]
