"""The generic table: one prompt for every game, whoever sits there.

A person sees what the seat may see, the question, and numbered options in the author's words, and
answers with a number, several numbers, or the beginning of a label. What begins with a word of
`COMMANDS` is a command instead. Wrong input gets one line and the same question again.

Several people may share the keyboard: before another of them is asked, the screen is cleared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.dsl.text.render import render
from rulewright.interpreter.agents.agent import Agent
from rulewright.interpreter.play.api import Game, State
from rulewright.interpreter.state.errors import (
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    PlayError,
)
from rulewright.interpreter.terminal import commands, hints
from rulewright.interpreter.terminal.console import Dialog, Leave
from rulewright.interpreter.terminal.ending import GameResult, stopped
from rulewright.interpreter.terminal.menus import OpenMenu
from rulewright.interpreter.terminal.replies import (
    Menu,
    Unclear,
    how_many,
    read,
    read_amounts,
    read_number,
)
from rulewright.interpreter.terminal.session import TableSession
from rulewright.interpreter.terminal.status import RULES_WRONG, Refused, rules_error
from rulewright.interpreter.terminal.table import STEP, in_columns, wrapped
from rulewright.interpreter.words.text import printable

LONG_MENU = 12
"""A menu of more options stands in several columns, if they are short enough."""

Command = Callable[[commands.CommandContext, str], None]

WHAT = "X"
"""An option or a verb."""

COMMANDS: Mapping[str, tuple[Command, str, str]] = {
    "?": (commands.show_help, "[COMMAND]", "this help, or what is said of one command"),
    "state": (
        commands.show_state,
        "[--svg FILE]",
        "the table as you see it, or its map as a picture",
    ),
    "log": (commands.show_log, "[all]", "what has happened, as far as you noticed it"),
    "why": (commands.show_why, WHAT, "why an option or verb is possible or not"),
    "rules": (commands.show_rules, WHAT, "the rules of an option or verb, and what they cite"),
    "hint": (hints.show_hint, hints.BUDGET, "the best answers found in N playouts, or in 2s"),
    "undo": (
        commands.undo,
        "",
        "go back to your last answer, if nothing hidden was shown since",
    ),
    "save": (commands.save, "FILE", "write the game to a file"),
    "load": (commands.load, "FILE", "go on with a saved game"),
    "quit": (commands.leave, "", "leave the game"),
}
"""What can be typed besides an answer: the command, what stands behind it, what it does."""

OTHER_NAMES = {"help": "?", "exit": "quit"}


class Repl(commands.CommandContext):
    """Asks people, lets programs decide, and tells each seat what it may know."""

    help: Mapping[str, tuple[str, str]] = {
        word: (wants, does) for word, (_, wants, does) in COMMANDS.items()
    }

    def __init__(
        self,
        state: State,
        agents: Mapping[int, Agent],
        dialog: Dialog,
        limit: int,
        spoken: Game | None = None,
        known_seed: int | str | None = None,
    ) -> None:
        super().__init__(TableSession(state, agents, spoken), dialog)
        self.limit = limit
        self.known_seed = known_seed
        """The seed that was told when they sat down; any other one is told when the game is over."""

        self.explained = False
        """Whether it has been said how numbers are answered with."""

    # --------------------------------------------------------------------------------- the game

    def run(self) -> None:
        """Play until the game is over or the last person has left."""
        while not self.over:
            try:
                self._play()
                return
            except (Leave, KeyboardInterrupt):
                pass
            except PlayError as error:
                people = self.session.people
                self._say_error(error, people, answered=False)
                text = "The rules cannot go on from here; the game is as it was before."
                self.complain(self.say(text))
                self._leave(going_on=False)
                raise Refused(RULES_WRONG) from None
            self._leave()

    def _play(self) -> None:
        decisions = 0
        while not self.over and not self.session.state.is_terminal():
            decisions += 1
            if decisions > self.limit:
                self.dialog.say(stopped(self.say, self.limit), "note")
                return
            # Of several who decide at once one after the other: nobody sees what the others do.
            seat = self.session.state.current_players()[0]
            if seat in self.session.agents:
                self.viewed = -1
                self.session.let_agent_answer(seat)
            else:
                self._ask(seat)
                self._say_setback()
            self.session.note_setback()
        if not self.over:
            self._end()

    def _ask(self, seat: int) -> None:
        """Let a person answer, or do anything else, once."""
        session = self.session
        self._sit_down(seat)
        self.open_menu = open_menu = session.open_menu(seat)
        for line in session.news(seat):
            self.tell(line, "event")
        if open_menu.is_forced:
            label = ", ".join(action.label for action in open_menu.actions) or self.say("nothing")
            question = open_menu.decision.prompt
            question = question if question.endswith("?") else f"{question}:"
            text = "({question} {label}, the only way to go on)"
            self.tell(self.say(text, question=question, label=label), "note")
            try:
                session.answer(open_menu, range(len(open_menu.actions)))
                return
            except PlayError as error:
                # He may go back from here, or save the game.
                self._refuse(error)
        if self.viewed != seat:
            commands.show_changes(self)
        self.viewed = seat
        self._show(open_menu)
        while not self._answered(open_menu):
            pass

    def _answered(self, open_menu: OpenMenu) -> bool:
        """Take in one line; return whether the game has changed by it."""
        session = self.session
        reply = self.dialog.ask(f"{self.name}> ", [*COMMANDS, *open_menu.menu.labels]).strip()
        if not reply:
            self._show(open_menu)
            return False
        state = session.state
        try:
            if self._commanded(reply):
                return self.over or session.state is not state
            if open_menu.decision.kind == "split" and (amounts := read_amounts(reply)):
                session.note_question(open_menu.decision.player)
                state.answer_whole(amounts, open_menu.decision.player)
            elif open_menu.numbers is not None and not _means_offer(open_menu, reply):
                number = read_number(open_menu.numbers, reply)
                session.note_question(open_menu.decision.player)
                state.apply_value(number, open_menu.decision.player)
            else:
                chosen = read(open_menu.menu, reply, COMMANDS)
                session.note_question(open_menu.decision.player)
                session.answer(open_menu, chosen)
        except PlayError as error:
            self._refuse(error)
            return False
        except Unclear as unclear:
            self.complain(unclear.told(self.say))
            return False
        except IllegalActionError as error:
            self.complain(self.say(error.message, **error.values) if error.values else str(error))
            return False
        except (InvalidActionError, AmbiguousActionError) as error:
            self.complain(str(error))
            return False
        return True

    def _commanded(self, reply: str) -> bool:
        """Carry out a command; return whether it was one."""
        word, _, rest = reply.partition(" ")
        word = OTHER_NAMES.get(word.casefold(), word.casefold())
        if word.startswith("?") and len(word) > 1:
            word, rest = "?", word[1:]
        if word not in COMMANDS:
            return False
        command, wants, _ = COMMANDS[word]
        rest = rest.strip()
        if word == "?":
            rest = OTHER_NAMES.get(rest.casefold(), rest.casefold())
        if word == "?" and rest and rest not in COMMANDS:
            # `Help the others` is an option, too.
            return False
        switch = wants.startswith("[-")
        if rest and (not wants or (switch and not rest.startswith("-"))):
            # `State the obvious` is an option, not a command.
            return False
        if rest and wants == hints.BUDGET and not rest[0].isdigit() and rest[0] != "-":
            # So is `Hint at the red card`.
            return False
        if not rest and wants and not wants.startswith("["):
            self.complain(self.say("write `{form}`", form=f"{word} {wants}"))
            if wants == WHAT:
                self.complain(commands.what_can_be_asked(self))
            return True
        command(self, rest)
        return True

    # --------------------------------------------------------------------------------- telling

    @property
    def name(self) -> str:
        """What the one who looks at the screen is called."""
        return printable(self.session.name(self.seat))

    def _sit_down(self, seat: int) -> None:
        """Hide what another person has seen, before this one looks."""
        if self.seat not in (-1, seat):
            who = printable(self.session.name(seat))
            self.viewed, self.shown = -1, []
            if self.session.keeps_secrets:
                self.dialog.hide()
                text = self.say("---- It is up to {who}. Nobody else should look. ----", who=who)
                self.dialog.say(text, "head")
                self.dialog.ask(self.say("Press Enter. "))
                self.dialog.hide()
            else:
                self.dialog.say()
                self.dialog.say(self.say("---- It is up to {who}. ----", who=who), "head")
        # Not before: who leaves here and comes back has not sat down.
        self.seat = seat

    def _say_setback(self) -> None:
        """Say to the one who has answered why he has to choose again, if he has."""
        found = self.session.state.setback
        if found:
            text = self.say("That could not be carried out: choose again.")
            for line in (text, *(f"  {reason}" for reason in found)):
                self.tell(line, "note")

    def _refuse(self, error: PlayError) -> None:
        """Say why the rules cannot carry out what the one at the screen wants: nothing has changed."""
        self._say_error(error, (self.seat,), answered=True)
        text = "The rules cannot carry that out; the game is as it was before."
        self.complain(self.say(text))

    def _say_error(self, error: PlayError, readers: Sequence[int], answered: bool) -> None:
        """Print a rules error, but for what those who read it do not see."""
        whole = not self.session.hides
        told = rules_error(error) if whole else error.told_to(frozenset(readers), answered)
        for line in render([told]).rstrip().splitlines()[: -len(("", "1 error"))]:
            self.dialog.say(line, "wrong")

    def _show(self, open_menu: OpenMenu) -> None:
        """Show the question and its options."""
        self.dialog.say()
        amount = self._amount(open_menu.menu)
        self.tell(f"{open_menu.decision.prompt}{amount}", "head")
        if open_menu.decision.kind == "split" and not open_menu.decision.picked:
            items = self.session.state.items(open_menu.decision.player)
            among = ", ".join(action.label for action in items)
            self.tell(f"  {self.say('among {listed}', listed=among)}", "option")
            fitting = (
                self.session.whole_split(open_menu.decision.player) if len(items) > 1 else None
            )
            if fitting is not None:
                whole = " ".join(map(str, fitting))
                text = self.say("(or for all of them at once: {answer})", answer=whole)
                self.tell(f"  {text}", "note")
        if open_menu.numbers is not None:
            low, high = open_menu.numbers[0], open_menu.numbers[-1]
            self.tell(f"  {self.say('a number from {low} to {high}', low=low, high=high)}")
            for label in open_menu.menu.labels:
                self.tell(f"  {self.say('or {label}', label=printable(label))}", "option")
        elif open_menu.menu.numeric:
            numbers = open_menu.menu.numbers
            self.tell(f"  {', '.join(numbers)}", "option")
            for label in open_menu.menu.labels:
                if label not in numbers:
                    text = self.say("or {label}", label=printable(label))
                    self.tell(f"  {text}", "option")
            for label in open_menu.menu.beside:
                text = self.say("or {label}", label=printable(label))
                self.tell(f"  {text}", "option")
            unproved = [printable(one.label) for one in open_menu.actions if one.unproved]
            if unproved:
                text = self.say("(may lead nowhere: {listed})", listed=", ".join(unproved))
                self.tell(f"  {text}", "note")
            if open_menu.menu.misleading and not self.explained:
                self.explained = True
                text = self.say("(answer with a number itself, not with its place)")
                self.tell(f"  {text}", "note")
        else:
            places = len(str(len(open_menu.actions)))
            entries = []
            for number, action in enumerate(open_menu.actions, 1):
                told = printable(self.session.told_option(action, open_menu.decision.player))
                alone = f" {self.say('(alone)')}" if number > len(open_menu.menu.labels) else ""
                unsure = f" {self.say('(may lead nowhere)')}" if action.unproved else ""
                entries.append(f"{number:>{places}}  {told}{unsure}{alone}")
            if len(entries) > LONG_MENU:
                for line in in_columns(entries):
                    self.tell(f"  {line}", "option")
                return
            for entry in entries:
                for line in wrapped("", entry, indent=STEP, step=" " * (places + 2)):
                    self.dialog.say(line, "option")

    def _end(self) -> None:
        """Tell everybody how the game came out."""
        session = self.session
        if self.seat < 0:
            # Nobody was ever asked.
            self.seat = session.people[0]
        for line in session.last_news(self.seat):
            self.tell(line, "event")
        if len(session.people) == 1 or not session.keeps_secrets:
            commands.show_changes(self, whole=False)
        outcome = GameResult(session.spoken.program, session.state.store)
        for line in outcome.lines():
            self.tell(line)
        if session.state.seed != self.known_seed:
            self.dialog.say(self.say("(the seed was {number})", number=session.state.seed), "note")

    def _leave(self, going_on: bool = True) -> None:
        """Let who wants to leave save the game if it would be lost, or go on with it all the same."""
        self.over = True
        if not self.dialog.is_live or self.saved == len(self.session.state.history()):
            return
        back = self.say("back")
        text = "Save the game? A file name, Enter to leave without, `{back}` to play on: "
        if not going_on:
            text = "Save the game? A file name, or Enter to leave: "
        while True:
            try:
                name = self.dialog.ask(self.say(text, back=back)).strip()
            except (Leave, KeyboardInterrupt):
                return
            if going_on and name.casefold() in ("back", back.casefold()):
                self.over = False
                return
            if name:
                commands.save(self, name)
            if not name or self.saved == len(self.session.state.history()):
                return

    def _amount(self, menu: Menu) -> str:
        """Return how many options are wanted, as it stands behind a question."""
        if not menu.several:
            return ""
        if (menu.low, menu.high) == (0, 1):
            return self.say(" (one, or none)")
        amount = how_many(menu, self.say)
        if menu.ordered:
            amount += self.say(", in your order")
        most = min(menu.high, len(menu.labels))
        few = range(min(max(menu.low, 2), most))
        shown = " ".join(menu.labels[place] if menu.numeric else str(place + 1) for place in few)
        if menu.low == 0:
            shown = self.say("{some}, or none", some=shown) if shown else self.say("none")
        return self.say(" ({amount}, for example {answer})", amount=amount, answer=shown)


def _means_offer(open_menu: OpenMenu, reply: str) -> bool:
    """Return whether a reply to a question about a number is no number, and offers stand beside it."""
    return bool(open_menu.menu.labels) and not reply.lstrip("-").isdigit()
