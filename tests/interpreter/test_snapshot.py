"""Snapshots: states as bytes, exact in every kind of state."""

import pytest
from duel import duel, labels, say
from wide import codec_of, played, wide

from rulewright.interpreter.engine import executor
from rulewright.interpreter.play import record, snapshot
from rulewright.interpreter.play.api import load_game
from rulewright.interpreter.play.snapshot import snapshots_of
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.state.values import Closure, PlaceClosure, PlaceValue, VerbValue

# -------------------------------------------------------------------------------- what comes back


def test_whatever_can_stand_in_a_frame_comes_back() -> None:
    seen: set[type] = set()
    names: set[str] = set()
    for seed in range(6):
        for explicit in (False, True):
            state = wide(seed, explicit)
            while not state.is_terminal():
                back = codec_of(state).unpack(codec_of(state).pack(state.store))
                assert back == state.store
                assert [frame.locals for frame in back.frames] == [
                    frame.locals for frame in state.store.frames
                ]
                for frame in state.store.frames:
                    names.update(frame.locals)
                    seen.update(map(type, frame.locals.values()))
                for column in state.store.columns:
                    seen.update(type(one) for held in column if type(held) is tuple for one in held)
                played(state, 1, seed)

    # Otherwise this test has lost what it is about.
    assert {Closure, PlaceClosure, PlaceValue, VerbValue, tuple, int} <= seen
    assert {"@picks", "#bag"} <= names
    assert any(name.startswith("#") and name[1:].isdigit() for name in names)


def test_places_and_things_are_the_objects_of_the_game() -> None:
    state = played(duel().new_initial_state(1), 3)
    layout = state.game.program.layout

    back = codec_of(state).unpack(codec_of(state).pack(state.store))

    for slot in layout.place_slots.values():
        for old, new in zip(state.store.columns[slot], back.columns[slot], strict=True):
            assert old is new
    assert back.transaction is not None and state.store.transaction is not None
    assert back.transaction[0] is state.store.transaction[0] is back.viewer


def test_what_a_driver_has_dictated_comes_back() -> None:
    state = played(duel().new_initial_state(1), 2)
    layout = state.game.program.layout
    state.store.dictated = (layout.things["Card"][2], 4, True, "text", None)
    state.store.strict = True

    back = codec_of(state).unpack(codec_of(state).pack(state.store))

    assert repr(back.dictated) == repr(state.store.dictated) and back.strict
    assert back.dictated[0] is state.store.dictated[0]


def test_neither_copy_touches_the_other() -> None:
    state = played(wide(), 4)
    data = state.pack()
    back = state.game.unpack(data)

    played(back, 20)

    assert state.pack() == data
    assert state.game.unpack(data).store == state.store


def test_locals_in_another_order_have_the_same_bytes() -> None:
    state = played(wide(), 2)
    data = state.pack()
    frame = state.store.frames[-1]
    assert len(frame.locals) > 1

    frame.locals = dict(reversed(frame.locals.items()))

    assert state.pack() == data


def test_what_is_no_state_is_not_packed() -> None:
    game = duel()
    state = game.new_initial_state(1)
    state.store.trail = []
    with pytest.raises(ValueError, match="a trial cannot be packed"):
        state.pack()

    with pytest.raises(ValueError, match="waits for nobody"):
        snapshots_of(game.program).pack(executor.begin(game.program, 1))


def test_a_state_that_is_too_large_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = duel().new_initial_state(1)
    data = state.pack()
    monkeypatch.setattr(snapshot, "LARGEST", len(data) - 1)

    with pytest.raises(ValueError, match="too large"):
        state.pack()
    with pytest.raises(RecordError, match="damaged"):
        state.game.unpack(data)


def test_a_codec_is_made_once_for_a_program() -> None:
    game = duel()

    assert snapshots_of(game.program) is snapshots_of(game.program)
    assert snapshots_of(game.program) is not snapshots_of(duel().program)


# --------------------------------------------------------------------------------- states and logs


def test_a_state_with_its_log_remembers_everything() -> None:
    state = played(load_game("jump_gate_2e", 3).new_initial_state("a seed"), 40)

    back = state.game.unpack(state.pack(log=True))

    assert back.seed == "a seed"
    assert back.history() == state.history()
    assert list(back.store.events()) == list(state.store.events())
    assert [back.information_state(seat) for seat in range(3)] == [
        state.information_state(seat) for seat in range(3)
    ]
    assert record.save(back) == record.save(state)
    assert not back.can_undo()


def test_a_state_without_its_log_tells_what_comes_from_then_on() -> None:
    state = played(wide(), 6)
    told = [len(state.information_state(seat)) for seat in range(2)]

    back = state.game.unpack(state.pack())

    assert (back.seed, back.history(), list(back.store.events())) == (1, (), [])
    assert back.store.columns[0] == state.store.columns[0]
    for one in (state, back):
        played(one, 5, seed=2)
    for seat in range(2):
        assert back.information_state(seat) == state.information_state(seat)[told[seat] :]
    assert back.pack() == state.pack()
    assert back.game.unpack(back.pack(log=True)).history() == back.history() != ()


def test_a_state_without_its_log_is_not_saved_as_a_text() -> None:
    state = played(duel().new_initial_state(1), 2)
    back = state.game.unpack(state.pack())

    with pytest.raises(RecordError, match="unpacked without its log"):
        record.save(back)


def test_a_state_goes_on_after_an_action_that_fails() -> None:
    state = say(duel().new_initial_state(1), "Lay")
    back = state.game.unpack(state.pack())

    with pytest.raises(ValueError, match="no action"):
        back.apply_action("nothing of the kind")

    assert labels(back) == labels(state)
    assert back.pack() == state.pack()
