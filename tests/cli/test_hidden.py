"""Nobody reads at the table what the seat cannot see: whatever is typed, whatever is asked."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from rulewright.interpreter.agents.agent import RandomAgent, let_answer
from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.state.errors import AmbiguousActionError, InvalidActionError
from rulewright.interpreter.state.values import Thing
from rulewright.interpreter.terminal.console import Leave
from rulewright.interpreter.terminal.repl import COMMANDS, Repl
from rulewright.interpreter.terminal.session import TableSession

FILES = Path(__file__).parent / "files"
SEEDS = range(3)
REPLIES = 200
STATES = 25
COMMANDS_TRIED = (
    *("state", "log", "log all", "hint", "undo", "?", "", "why 1", "why 2", "rules 1", "help"),
    *("why lay_down", "why swap_secret", "why pass", "rules pass", "why Sirius", "rules zzz"),
)


class Fingers:
    """A person who types whatever is possible, and asks a lot."""

    is_live = False

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.left = REPLIES
        self.lines: list[tuple[int, str]] = []
        """What was printed, with the seat that looked at it; -1 while nobody should look."""

        self.repl: Repl
        self.hiding = False

    def say(self, line: str = "", style: str = "") -> None:
        """Note a line."""
        self.lines.append((-1 if self.hiding else self.repl.seat, line))

    def hide(self) -> None:
        """Note that somebody else sits down, or has sat down."""
        self.hiding = not self.hiding

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        """Type something."""
        self.left -= 1
        open_menu = self.repl.open_menu
        if self.left < 0:
            raise Leave
        if self.hiding or open_menu is None:
            return ""
        if self.random.random() < 0.3:
            return self.random.choice(COMMANDS_TRIED)
        if open_menu.numbers is not None:
            return str(self.random.choice(open_menu.numbers))
        count = len(open_menu.menu.labels)
        if not open_menu.menu.several:
            return str(self.random.randint(1, count))
        wanted = self.random.randint(open_menu.menu.low, min(open_menu.menu.high, count))
        places = self.random.sample(range(1, count + 1), wanted)
        return " ".join(map(str, places)) or "none"


class WatchedSession(TableSession):
    """A session that notes what every seat can see whenever something is asked or answered."""

    seen: list[set[str]]

    def open_menu(self, seat=None):  # type: ignore[no-untyped-def]
        """Look at the table before a question."""
        look(self.state, self.seen)
        return super().open_menu(seat)

    def let_agent_answer(self, seat: int) -> None:
        """Look at the table before and after the answer of an agent."""
        look(self.state, self.seen)
        super().let_agent_answer(seat)
        look(self.state, self.seen)

    def news(self, seat: int) -> list[str]:
        """Look at the table before it is told what has happened."""
        look(self.state, self.seen)
        return super().news(seat)


def look(state: State, seen: list[set[str]]) -> None:
    """Add the names of all cards that lie where a seat sees them, by the rules of the test game."""
    layout = state.game.program.layout
    for card in layout.things["Card"]:
        place = state.store.columns[layout.place_slots["Card"]][card.number]
        field = layout.fields[place.slot].name
        for seat, names in enumerate(seen):
            own = place.holder is layout.players[seat] and field in ("hand", "secret")
            if own or field == "shown":
                names.add(card.name)


@pytest.fixture(scope="module")
def hands() -> Game:
    """A game of cards with names that occur nowhere else."""
    return load_game(str(FILES / "hidden"), players=3)


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_name_is_printed_that_the_seat_has_never_seen(
    hands: Game, seed: int, people: int
) -> None:
    fingers = Fingers(seed)
    seen: list[set[str]] = [set() for _ in range(3)]
    agents = {seat: RandomAgent(seed) for seat in range(people, 3)}
    fingers.repl = repl = Repl(hands.new_initial_state(seed), agents, fingers, 10_000)
    repl.session = WatchedSession(repl.session.state, agents)
    repl.session.seen = seen
    names = {card.name for card in hands.program.layout.things["Card"]}

    repl.run()

    look(repl.session.state, seen)
    told: list[set[str]] = [set() for _ in range(3)]
    for seat, line in fingers.lines:
        found = {name for name in names if name in line}
        if seat < 0:
            assert not found
        else:
            told[seat] |= found
    assert any(told)
    for seat in range(3):
        # `why Sirius` may repeat what was typed, and that is all.
        assert told[seat] - seen[seat] <= {"Sirius"}, f"seat {seat} was told too much"


def test_every_command_was_tried() -> None:
    tried = {command.partition(" ")[0] for command in COMMANDS_TRIED}

    assert set(COMMANDS) - tried <= {"save", "load", "quit"}


# ------------------------------------------------------------------------- exchanging what is hidden


def hidden_pairs(state: State, seat: Thing) -> Iterator[tuple[Thing, Thing]]:
    """Yield pairs of things that lie in different zones, neither of which the seat sees."""
    layout, store = state.game.program.layout, state.store
    visibility = state.game.program.evaluator.visibility
    for kind, things in layout.things.items():
        places = store.columns[layout.place_slots[kind]]
        hidden = [
            thing
            for thing in things
            if places[thing.number] is not None
            and layout.bag_slots.get(places[thing.number].slot) is None
            and not visibility.sees_thing(store, thing, seat)
        ]
        for first, second in zip(hidden, hidden[1:] + hidden[:1], strict=True):
            if places[first.number] is not places[second.number]:
                yield first, second


def exchange(state: State, first: Thing, second: Thing) -> None:
    """Let two things of a kind change places."""
    layout, columns = state.game.program.layout, state.store.columns
    places = columns[layout.place_slots[first.kind]]
    for thing, other in ((first, second), (second, first)):
        place = places[thing.number]
        zone = list(columns[place.slot][place.index])
        zone[zone.index(thing)] = None if thing is first else other
        columns[place.slot][place.index] = tuple(zone)
        if thing is first:
            hole = place
    zone = list(columns[hole.slot][hole.index])
    zone[zone.index(None)] = second
    columns[hole.slot][hole.index] = tuple(zone)
    for slot in (layout.place_slots[first.kind], layout.owner_slots[first.kind]):
        column = columns[slot]
        column[first.number], column[second.number] = column[second.number], column[first.number]


def told(state: State) -> list[str]:
    """Return all that the one who is asked can find out at the table."""
    session = TableSession(state, {})
    (seat,) = state.current_players()
    open_menu = session.open_menu()
    lines = [
        *session.view(seat),
        *session.story(seat),
        open_menu.decision.prompt,
        *open_menu.menu.labels,
    ]
    for verb in state.game.model.verbs.values():
        try:
            lines.append(state.why(verb.name, seat).text())
        except (InvalidActionError, AmbiguousActionError) as error:
            lines.append(str(error))
    return lines


@pytest.mark.parametrize("name", ["jump_gate_2e", str(FILES / "hidden")])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_seat_cannot_see_changes_nothing_that_it_is_told(name: str, seed: int) -> None:
    game = load_game(name, players=3)
    state = game.new_initial_state(seed)
    agent = RandomAgent(seed)
    choice = random.Random(seed)
    exchanged = 0

    for _ in range(STATES):
        if state.is_terminal():
            break
        pairs = list(hidden_pairs(state, state.seat(state.current_players()[0])))
        if pairs:
            other = state.clone()
            exchange(other, *choice.choice(pairs))
            exchanged += 1
            assert told(other) == told(state)
        let_answer(agent, state, state.current_players()[0])

    assert exchanged > STATES // 3
