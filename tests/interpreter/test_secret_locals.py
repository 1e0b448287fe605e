"""What somebody may not know of the locals of verbs that run."""

import attrs
import pytest
from small_games import deck
from written import played

from rulewright.interpreter.engine import executor
from rulewright.interpreter.knowledge import guessed_locals, guesses
from rulewright.interpreter.knowledge.determinization import Knowledge
from rulewright.interpreter.knowledge.secret_locals import Unknown, is_asked, secret_locals
from rulewright.interpreter.program.decisions import offers
from rulewright.interpreter.state.random import Generator

pytestmark = pytest.mark.quick

RULES = """
each Player has
  mine: number = 0, seen by owner
to play
  as players[0]
    {steps}
to ask_others
  as others(me)
    choose sign from 1..2
define others(p: Player) = players where it is not p
"""


def unknown(*steps: str, answers: int = 0) -> Unknown:
    """Return what the second player does not know when he is asked."""
    table = played(RULES.format(steps="\n    ".join(steps)), players=2)
    for _ in range(answers):
        table.say(table.menu[0])
    program, store = table.program, table.store
    player = program.layout.players[1]
    assert is_asked(program, store, player)
    return secret_locals(program).of(store.frames, store.log, player, True)


def test_a_number_that_was_chosen_in_secret_is_not_known() -> None:
    found = unknown(
        "choose n from 1..3", "set my.mine to n", "ask_others", "set my.mine to n", answers=1
    )

    assert found.held == {(0, "n")} and not found.dead


def test_what_nobody_reads_any_more_need_not_be_known() -> None:
    found = unknown("choose n from 1..3", "set my.mine to n", "ask_others", answers=1)

    assert not found and found.held == {(0, "n")}


def test_what_was_chosen_in_a_step_is_not_read_behind_it() -> None:
    found = unknown(
        "step digging",
        '  may "Dig"',
        "    let n = my.mine",
        "    set my.mine to n",
        "ask_others",
        "ask_others",
        answers=1,
    )

    assert not found and found.held == {(0, "n")}


def test_what_everybody_can_work_out_is_known() -> None:
    assert not unknown("let n = count(players)", "ask_others", "set my.mine to n").held


def test_what_is_worked_out_from_something_secret_is_not_known() -> None:
    found = unknown("let n = my.mine", "let m = n + 1", "ask_others", "set my.mine to m")

    assert found.names == {0: {"m"}} and found.dead == {0: {"n"}}


def test_where_a_verb_stands_is_not_known_if_it_was_chosen_in_secret() -> None:
    found = unknown(
        'either "High"',
        "  set my.mine to 1",
        "  ask_others",
        'or "Low"',
        "  set my.mine to 2",
        "  ask_others",
        answers=1,
    )

    assert found.clouded == {0}


def test_which_way_it_took_is_known_where_only_one_leads_to_what_runs() -> None:
    found = unknown(
        'either "High"', "  set my.mine to 1", "  ask_others", 'or "Low"', "  nothing", answers=1
    )

    assert not found


def test_what_the_question_says_is_known() -> None:
    found = unknown(
        "choose n from 1..3",
        "set my.mine to n",
        "as players[1]",
        '  may "Take {n}"',
        "    set my.mine to n",
        answers=1,
    )

    assert not found


HANDED = """
each Player has
  mine: number = 0, seen by owner
  all: number = 0, seen by players
to play
  as players[0]
    {step}
to tell n: number
  {trial}
  as players[1]
    choose sign from 1..2
  set my.all to n
"""


@pytest.mark.parametrize(
    ("step", "trial", "is_known"),
    [
        ("tell 2", "nothing", True),
        ("tell my.mine", "nothing", False),
        ('either "A"\n      tell my.mine\n    or "B"\n      tell 2', "nothing", False),
        # Only a trial is handed a secret.
        ('need can(tell(my.mine)) else "no"\n    tell 2', "nothing", True),
        # Others hand it a secret, this one does not.
        ("tell 2\n    tell my.mine", "nothing", True),
        ("tell 2", "let n = my.mine", False),
    ],
)
def test_what_a_verb_was_handed_openly_is_known(step: str, trial: str, is_known: bool) -> None:
    table = played(HANDED.format(step=step, trial=trial), players=2)
    while not is_asked(table.program, table.store, table.program.layout.players[1]):
        table.say(table.menu[0])

    for player in table.program.layout.players[1:]:
        found = secret_locals(table.program).of(table.store.frames, table.store.log, player, True)

        assert (not found.names) is is_known


def test_what_another_step_writes_into_the_same_name_is_not_what_it_holds() -> None:
    open_loop = ("for each n in [1, 2]", "  ask_others", "  set my.mine to n")
    secret = ("choose n from 1..3", "set my.mine to n")

    assert not unknown(*open_loop, *secret)
    # Whoever comes round once more finds what was chosen before.
    assert (
        unknown(
            "repeat 2 times", "  let n = 1", "  ask_others", *(f"  {one}" for one in secret)
        ).names
        == {}
    )
    assert unknown(*secret, "ask_others", "set my.mine to n", answers=1).names == {0: {"n"}}


def test_a_loop_that_no_random_game_came_to_is_guessed_as_something_that_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = (
        deck(2)
        + """
each Player has
  hand: cards of Card, seen by owner
  mine: number = 0, seen by owner
to play
  move cards.pile to players[0].hand
  as players[0]
    for each card in my.hand
      may "Go on"
        ask_others
        set my.mine to card.rank
to ask_others
  as others(me)
    choose sign from 1..2
define others(p: Player) = players where it is not p
"""
    )
    table = played(rules, players=2)
    while not is_asked(table.program, table.store, table.program.layout.players[1]):
        table.say(table.menu[0])
    nothing = attrs.evolve(guesses.met(table.program), stacks=())
    monkeypatch.setattr(guessed_locals, "met", lambda program: nothing)
    player, store = table.program.layout.players[1], table.store

    drawn = [Knowledge(table.program, store, player).sample(Generator(seed)) for seed in range(8)]

    found = {one.frames[0].locals["card"].name for one in drawn}
    assert found == {one.name for one in store.things("Card")}


SHOWN = (
    deck(4)
    + """
each Player has
  hand: cards of Card, seen by owner
to play
  shuffle cards.pile
  for each p in players
    move top(cards.pile) to p.hand
    move top(cards.pile) to p.hand
  as players[0]
    choose partner from others(me)
    choose card from my.hand
    show card to partner
    as partner
      either "Accept"
        move card to my.hand
      or "Decline"
        nothing
define others(p: Player) = players where it is not p
"""
)


def test_what_somebody_was_shown_is_that_very_card_for_him() -> None:
    table = played(SHOWN, players=2)
    while not is_asked(table.program, table.store, table.program.layout.players[1]):
        table.say(table.menu[0])
    program, store = table.program, table.store
    player = program.layout.players[1]
    found = secret_locals(program).of(store.frames, store.log, player, True)

    # It was chosen in secret, but he has seen it; and that he is the one who is asked.
    assert not found and found.shown == {0: {"card"}}
    card = store.frames[0].locals["card"]
    for seed in range(8):
        drawn = Knowledge(program, store, player).sample(Generator(seed), log=True)
        assert drawn.frames[0].locals["card"] is card
        assert card in drawn.columns[program.layout.slots["Player.hand"]][0]
        # Nor does he know less in what was drawn.
        again = secret_locals(program).of(drawn.frames, drawn.log, player, True)
        assert (again.names, again.shown) == (found.names, found.shown)


def test_where_a_verb_stands_is_known_if_an_offer_can_only_have_been_taken_there() -> None:
    rules = RULES.format(steps="pause") + "\n".join(
        (
            "during play",
            '  may "Dig" when my.mine is 0',
            "    choose n from 1..3",
            "    set my.mine to n",
            "    ask_others",
            "",
        )
    )
    table = played(rules, players=2)
    (dig,) = offers(table.program, table.store)
    executor.answer(table.program, table.store, dig)
    table.say("2")
    player = table.program.layout.players[1]
    assert is_asked(table.program, table.store, player)

    found = secret_locals(table.program).of(table.store.frames, table.store.log, player, True)

    assert not found


def test_nobody_stands_where_a_requirement_has_failed() -> None:
    found = unknown(
        'may "Dig"',
        '  need my.mine is 0 else "full"',
        "  set my.mine to 1",
        "for each n in [1, 2]",
        "  ask_others",
        "  set my.mine to n",
        answers=1,
    )

    assert not found


def test_where_a_verb_stands_is_guessed_also_if_no_random_game_came_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = (
        'either "High"',
        "  for each n in [1, 2]",
        "    ask_others",
        "    set my.mine to n",
        'or "Low"',
        "  ask_others",
    )
    places = []
    for answer in (0, 1):
        table = played(RULES.format(steps="\n    ".join(steps)), players=2)
        table.say(table.menu[answer])
        nothing = attrs.evolve(guesses.met(table.program), stacks=())
        with monkeypatch.context() as patched:
            patched.setattr(guessed_locals, "met", lambda program, found=nothing: found)
            player, store = table.program.layout.players[1], table.store
            knowledge = Knowledge(table.program, store, player)
            drawn = [knowledge.sample(Generator(seed)).frames[0] for seed in range(16)]
        places.append({frame.node for frame in drawn})
        for frame in drawn:
            loop = [
                held
                for name, held in frame.locals.items()
                if held == ((1, 2), frame.locals.get("n"))
            ]
            assert len(loop) == ("n" in frame.locals)

    assert places[0] == places[1] and len(places[0]) == 2


def test_where_a_verb_stands_does_not_hang_on_which_step_lets_somebody_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = """
each Player has
  mine: number = 0, seen by owner
to play
  as players[0]
    either "High"
      set my.mine to 1
    or "Low"
      set my.mine to 2
  if players[0].mine is 1
    as players[1]
      pick
  else
    as players[1]
      pick
to pick
  choose sign from 1..2
"""
    places = []
    for answer in (0, 1):
        table = played(rules, players=2)
        table.say(table.menu[answer])
        program, store = table.program, table.store
        watcher = program.layout.players[1]
        nothing = attrs.evolve(guesses.met(program), stacks=())
        with monkeypatch.context() as patched:
            patched.setattr(guessed_locals, "met", lambda program, found=nothing: found)
            knowledge = Knowledge(program, store, watcher)
            drawn = [knowledge.sample(Generator(seed)).frames[0] for seed in range(16)]
        places.append({frame.node for frame in drawn})
        for frame in drawn:
            ((players, passed, before),) = frame.locals.values()
            assert players[passed - 1] is frame.me is watcher and before is None

    assert places[0] == places[1] and len(places[0]) == 2


def test_what_was_shown_of_an_earlier_choice_is_not_what_was_chosen_now() -> None:
    rules = (
        deck(4)
        + """
each Player has
  hand: cards of Card, seen by owner
to play
  move cards.pile to players[0].hand
  offer_one
  offer_one
to offer_one
  as players[0]
    choose card from my.hand
    ask_others
    show card to others(me)
    ask_others
    move card to my.hand
to ask_others
  as others(me)
    choose sign from 1..2
define others(p: Player) = players where it is not p
"""
    )
    table = played(rules, players=2)
    program, watcher = table.program, table.program.layout.players[1]
    known = []
    for _ in range(2):
        table.say("Card (rank 1)")
        for _ in range(2):
            found = secret_locals(program).of(table.store.frames, table.store.log, watcher, True)
            known.append(not found)
            table.say(table.menu[0])

    assert known == [False, True, False, True]
