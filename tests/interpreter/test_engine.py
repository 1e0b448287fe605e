"""Loading, playing, cloning and undoing through the programming interface."""

import pytest
from duel import DUEL, duel, labels, say, started
from written import linked

from rulewright.dsl.text.diagnostics import RulesError
from rulewright.interpreter.engine.actions import Action
from rulewright.interpreter.play import course
from rulewright.interpreter.play.api import State, game_of, load_game
from rulewright.interpreter.play.loading import OptionError, PlayersError
from rulewright.interpreter.state.errors import (
    AmbiguousActionError,
    IllegalActionError,
    InvalidActionError,
    PlayError,
)

pytestmark = pytest.mark.quick

LAY = "Lay a card"

# ------------------------------------------------------------------------------------------ loading


def test_a_game_of_the_shelf_is_loaded_by_name() -> None:
    game = load_game("tic_tac_toe", variants=["Misère"], names=["cross", "nought"])

    assert game.name == "tic_tac_toe"
    assert game.model.variants == ("Misère",)
    assert game.names == ("cross", "nought")
    assert game.num_players == 2


def test_without_a_number_the_least_number_of_players_plays() -> None:
    assert game_of(linked(DUEL)).names == ("P1",)


def test_an_unknown_game_is_a_rules_error_with_a_hint() -> None:
    with pytest.raises(RulesError) as error:
        load_game("tic_tac_tow")

    (found,) = error.value.diagnostics
    assert (found.code.code, found.help) == ("RW012", "did you mean `tic_tac_toe`?")


@pytest.mark.parametrize(
    ("players", "names", "message"),
    [
        (5, None, "Test is for 1 to 4 players, not for 5"),
        (0, None, "Test is for 1 to 4 players, not for 0"),
        (2, ["ann"], "1 names are too many or too few for 2 players"),
        (None, ["ann", "ann"], "two players are called ann"),
        (None, ["ann", " "], "'' cannot be the name of a player"),
        (None, ["ann", "\x1b[2J"], "'\\x1b[2J' cannot be the name of a player"),
    ],
)
def test_players_that_cannot_be(players: int | None, names: list[str] | None, message: str) -> None:
    with pytest.raises(PlayersError) as error:
        game_of(linked(DUEL), players, names=names)

    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stile": "wild"}, "Test has no option or ruling `stile`; did you mean `style`?"),
        ({"x": 1}, "Test has no option or ruling `x`; there are hand_size, style"),
        ({"style": "wile"}, "`wile` is no value of `style`; did you mean `wild`?"),
        ({"style": "x"}, "`x` is no value of `style`; it is one of calm, wild"),
        ({"hand_size": 4}, "`4` is no value of `hand_size`; it is one of 1, 2, 3"),
        ({"hand_size": "two"}, "`two` is no value of `hand_size`; it is one of 1, 2, 3"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as error:
        duel(options=options)

    assert str(error.value) == message


def test_options_have_their_defaults_or_what_was_chosen_or_what_a_variant_says() -> None:
    assert duel().options["hand_size"] == 2
    assert duel(options={"hand_size": "3"}).options["hand_size"] == 3
    assert str(duel(options={"style": "wild"}).options["style"]) == "wild"
    assert duel(variants={"V": "change hand_size to 1\n"}).options["hand_size"] == 1


# ------------------------------------------------------------------------------------------ playing


@pytest.fixture
def state() -> State:
    """The beginning of a duel."""
    return duel().new_initial_state(1)


def test_a_state_says_who_is_asked_what(state: State) -> None:
    decision = state.decision()

    assert state.current_players() == (0,)
    assert decision is not None
    assert (decision.player, decision.site, decision.kind) == (0, "turn.action", "one")
    assert state.prompt() == "Choose action"
    assert labels(state) == [LAY, "swap two", "guess"]
    assert state.legal_actions(1) == ()
    assert not state.is_terminal() and not state.is_chance_node()
    assert state.returns() == (0.0, 0.0) and state.ending is None


def test_an_action_is_given_by_itself_its_number_or_its_label(state: State) -> None:
    for given in (state.legal_actions()[0], 0, LAY, "lay a card", "LAY", "l"):
        copy = state.clone()
        copy.apply_action(given)
        assert copy.prompt() == "Which card?"
        assert [answer.label for answer in copy.history()] == [LAY]


def test_a_number_is_given_by_its_label_and_a_place_by_an_integer(state: State) -> None:
    say(state, LAY, 0)
    action = state.legal_actions()[2]

    assert (action.kind, action.label, action.value) == ("number", "2", 2)
    assert labels(state) == ["0", "1", "2"]
    say(state, "2")
    assert state.history()[-1].value == 2


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("fly", InvalidActionError, "no action is called 'fly'"),
        ("", InvalidActionError, "no action is called ''"),
        ("gess", InvalidActionError, "no action is called 'gess'; did you mean 'guess'?"),
        (3, InvalidActionError, "there is no action 3; they are 0 to 2"),
        (-1, InvalidActionError, "there is no action -1; they are 0 to 2"),
        (True, InvalidActionError, "True is no action"),
        (None, InvalidActionError, "None is no action"),
        ("pay", IllegalActionError, "Pay 2 tokens is not possible: you are poor"),
        (
            Action(0, "nonsense", "", "choose"),
            IllegalActionError,
            "'nonsense' is no answer at turn.action",
        ),
    ],
)
def test_an_answer_that_is_none(
    state: State, given: object, error: type[Exception], message: str
) -> None:
    before = state.clone()

    with pytest.raises(error) as raised:
        state.apply_action(given)  # type: ignore[arg-type]

    assert str(raised.value) == message
    assert state.store == before.store and state.history() == ()


def test_an_illegal_action_carries_its_reasons(state: State) -> None:
    with pytest.raises(IllegalActionError) as error:
        state.apply_action("Pay")

    assert [reason.text for reason in error.value.reasons] == ["you are poor"]  # type: ignore[attr-defined]


def test_the_beginning_of_several_labels_is_ambiguous() -> None:
    state = started(
        """
        to play
          as players
            either "Stay here"
            or "Stay there"
            or "stay here"
        """
    )

    with pytest.raises(AmbiguousActionError) as error:
        state.apply_action("Stay")
    assert error.value.candidates == ("Stay here", "Stay there", "stay here")
    state.apply_action("stay here")
    assert state.history()[0].value == 2


def test_a_number_out_of_a_big_range() -> None:
    state = started(
        """
        each Player has
          bid: number = 0, seen by players
        to play
          as players
            choose bid from 0..1000000
            set my.bid to bid
        """
    )

    assert len(state.legal_actions()) == 10_000
    state.apply_action("999999")
    assert state.history()[0].value == 999_999
    for given, message in (("x", "'x' is no number"), ("-1", "-1 is not one of 0 to 1000000")):
        with pytest.raises(ValueError, match=message):
            state.apply_action(given)


def test_a_game_comes_to_its_end() -> None:
    state = say(duel().new_initial_state(1), LAY, 0, "1", "guess", LAY, 0, "1", LAY, 0, "2")

    assert state.is_terminal() and state.current_players() == ()
    assert state.legal_actions() == () and state.decision() is None and state.prompt() == ""
    assert state.ending == "two rounds"
    assert state.ranking() == (1, 2)
    assert state.winners() == (0,)
    assert state.returns() == (1.0, -1.0)
    assert [(line.name, line.values) for line in state.score_sheet()] == [
        ("laid", (6, 3)),
        ("left", (0, 0)),
        ("score", (6, 3)),
    ]
    with pytest.raises(IllegalActionError, match="no decision is waiting"):
        state.apply_action(0)


def test_equal_players_share_a_place() -> None:
    state = say(duel().new_initial_state(1), *["guess"] * 4)

    assert state.ranking() == (1, 1)
    assert state.winners() == () and state.returns() == (0.0, 0.0)


def test_a_rules_error_leaves_the_state_as_it_was() -> None:
    state = started(
        """
        each Player has
          share: number = 0, seen by players
        to play
          as players
            choose n from 0..2
            set my.share to 10
            set my.share to 6 / n
        """
    )
    before = state.clone()

    with pytest.raises(PlayError) as error:
        state.apply_action("0")

    assert error.value.code == "RW704"
    assert state.store == before.store and state.history() == ()
    say(state, "2")
    assert state.current_players() == (1,)


# ------------------------------------------------------------------------------------ several things


def test_several_things_are_answered_piece_by_piece_or_at_once(state: State) -> None:
    say(state, "swap two")
    decision = state.decision()
    assert decision is not None
    assert (decision.kind, decision.low, decision.high) == ("several", 2, 2)
    assert decision.prompt == "Choose 2 cards"

    assert [action.kind for action in state.legal_actions()] == ["piece"]
    assert len(state.items()) == 2

    pieces, whole = state.clone(), state.clone()
    say(pieces, 0, 0)
    whole.answer_whole([1, state.items()[0].label])

    assert whole.store.frames == pieces.store.frames
    assert whole.prompt() == "Keep it in mind?"
    assert len(whole.history()) == 2 and len(pieces.history()) == 3


def test_a_selection_that_is_not_possible_changes_nothing() -> None:
    state = started(
        """
        each Player has
          score: number = 0, seen by players
        to play
          as players
            choose 1..2 picked from [1, 2, 3, 4] such that sum(picked) > 3
            set my.score to sum(picked)
        """
    )
    before = state.clone()
    listed = state.items()

    assert [action.label for action in listed] == ["1", "2", "3", "4"]
    unmet = "this selection is not possible: picked must be such that `sum(picked) > 3`"
    for given, message in (
        ([listed[0]], unmet),
        (["1", "2"], unmet),
        (["1", "2", "3"], "picked: 1 to 2 are wanted, not 3"),
        (["1", "1"], "this cannot be chosen as picked"),
    ):
        with pytest.raises(IllegalActionError) as error:
            state.answer_whole(given)
        assert str(error.value) == message
        assert state.store == before.store
    with pytest.raises(InvalidActionError):
        state.answer_whole(["7"])
    state.answer_whole(["4", "1"])
    assert state.history()[0].label == "4, 1"
    assert state.current_players() == (1,)
    with pytest.raises(InvalidActionError, match="no choice of several things"):
        duel().new_initial_state(1).answer_whole([0])


# --------------------------------------------------------------------------------------------- chance


def test_a_driver_may_say_what_chance_brings() -> None:
    state = duel().new_initial_state(1, explicit_chance=True)

    assert state.is_chance_node() and state.current_players() == ()
    outcomes = state.chance_outcomes()
    assert [outcome.label for outcome in outcomes][:2] == [
        "Card (red, rank 1)",
        "Card (red, rank 2)",
    ]
    assert sum(outcome.probability for outcome in outcomes) == pytest.approx(1)
    for given in (outcomes[5], 0, "Card (blue, rank 2)"):
        state.apply_chance(given)
    with pytest.raises(InvalidActionError):
        state.apply_chance("Card (blue, rank 3)")
    state.apply_chance("Card (red, rank 3)")
    assert not state.is_chance_node() and state.chance_outcomes() == ()
    hand = state.observation(0)["players"]["ann"]["hand"]
    assert hand == ["Card (red, rank 1)", "Card (blue, rank 3)"]
    with pytest.raises(IllegalActionError):
        state.apply_chance(0)


def test_the_same_seed_gives_the_same_game() -> None:
    def cards(seed: int | str) -> object:
        return duel().new_initial_state(seed).observation(0)["players"]["ann"]["hand"]

    assert cards(3) == cards(3) and cards("x") == cards("x")
    assert len({str(cards(seed)) for seed in range(12)}) > 3


# ----------------------------------------------------------------------------------- clone and undo


def test_a_clone_shares_nothing(state: State) -> None:
    copy = state.clone()

    say(copy, LAY, 0, "1")

    assert state.prompt() == "Choose action" and state.history() == ()
    assert copy.current_players() == (1,) and len(copy.history()) == 3


def test_answers_of_a_transaction_are_taken_back_one_by_one(state: State) -> None:
    start = state.clone()
    say(state, LAY)
    middle = state.clone()
    say(state, 0)

    assert state.can_undo()
    state.undo()
    assert state.store == middle.store and state.history() == middle.history()
    state.undo()
    assert state.store == start.store and state.history() == ()
    assert not state.can_undo()
    say(state, LAY, 0, "0")
    assert state.current_players() == (1,)


def test_nothing_is_taken_back_when_somebody_has_learned_something(state: State) -> None:
    say(state, LAY, 0, "1")

    assert not state.can_undo()
    with pytest.raises(IllegalActionError, match="nothing can be taken back"):
        state.undo()


def test_undo_stops_where_a_card_was_shown_in_the_middle_of_a_transaction() -> None:
    state = started(
        """
        each Card has
          rank: number
        table Card for each rank in 1..3
        each Player has
          hand: cards of Card, seen by owner
          table: row of Card, seen by players
        the game has
          deck: pile of Card = Card, seen by []
        to play
          as players
            move top(deck) to my.hand
          as players
            either "A"
            or "B"
            move my.hand to my.table
            either "C"
            or "D"
        """
    )
    say(state, "A")
    assert not state.can_undo()


def test_why_is_asked_of_a_state(state: State) -> None:
    assert state.why("pay").reasons[0].text == "you are poor"
    assert state.why("lay", player=1).possible
    with pytest.raises(ValueError, match="there is no player 2"):
        state.observation(2)


def test_after_many_answers_the_same_goes_on_with_generated_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    histories = []
    for many in (3, 10**9):
        monkeypatch.setattr(course, "MANY_ANSWERS", many)
        game = load_game("jump_gate_2e", 2)
        state = game.new_initial_state(7)
        for number in range(40):
            actions = state.legal_actions()
            state.apply_action(actions[number % len(actions)])
        histories.append((repr(state.history()), repr(state.observation(0))))
        assert (game.program.lane is not None) is (many == 3)

    assert histories[0] == histories[1]


def test_without_a_seed_each_game_is_another_one_and_tells_its_seed() -> None:
    game = duel()

    states = [game.new_initial_state() for _ in range(4)]

    assert len({state.seed for state in states}) == 4
    for state in states:
        assert game.new_initial_state(state.seed).store == state.store
