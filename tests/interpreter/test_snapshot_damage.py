"""Snapshots of other games, damaged ones, and bytes that somebody has made up: all are refused."""

import json
import random
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from duel import duel, labels, say
from wide import WIDE, codec_of, played, wide

from rulewright.interpreter.play.api import Game, State, load_game
from rulewright.interpreter.play.snapshot import CHECK
from rulewright.interpreter.state.errors import RecordError

# --------------------------------------------------------------------------------- what is refused


def refused(game: Game, data: bytes) -> str:
    """Return why bytes are refused, in one line."""
    with pytest.raises(RecordError) as error:
        game.unpack(data)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_other_rules_options_and_players_are_told_apart() -> None:
    state = duel().new_initial_state(1)
    data = state.pack()

    assert "under other rules" in refused(load_game("tic_tac_toe"), data)
    assert "under other rules" in refused(duel("to dance\n  nothing"), data)
    assert refused(duel(players=3), data) == ("this snapshot is of a game of 2 players, not of 3")
    assert "with other options" in refused(duel(options={"hand_size": 1}), data)
    assert duel(options={"hand_size": 2}).unpack(data).store.key()


def test_players_with_other_names_are_other_players() -> None:
    data = load_game("tic_tac_toe", names=["ann", "ben"]).new_initial_state(1).pack()

    assert "other names" in refused(load_game("tic_tac_toe"), data)
    assert load_game("tic_tac_toe", names=["ann", "ben"]).unpack(data).store.key()


def test_a_variant_is_other_rules() -> None:
    data = load_game("jump_gate_2e").new_initial_state(1).pack()

    assert "under other rules" in refused(
        load_game("jump_gate_2e", variants=["Calm Black Hole"]), data
    )


@pytest.mark.parametrize("data", [b"", b"RWSN", b"hello" * 100, b"\x80\x04N.", bytes(1000)])
def test_foreign_bytes_are_refused(data: bytes) -> None:
    assert refused(duel(), data) == "this is no snapshot"


def test_another_form_is_refused() -> None:
    state = duel().new_initial_state(1)
    data = bytearray(state.pack())
    data[4] += 1

    assert refused(state.game, bytes(data)) == "this snapshot is of another version (form 4)"


def test_every_bit_counts() -> None:
    state = played(wide(), 5)
    data = state.pack(log=True)
    for at in range(len(data)):
        for bit in range(8):
            broken = bytearray(data)
            broken[at] ^= 1 << bit
            with pytest.raises(RecordError):
                state.game.unpack(bytes(broken))


def test_what_is_cut_off_or_added_is_noticed() -> None:
    state = played(wide(), 5)
    data = state.pack(log=True)
    for length in range(len(data)):
        with pytest.raises(RecordError):
            state.game.unpack(data[:length])
    with pytest.raises(RecordError):
        state.game.unpack(data + b"\x00")


# ----------------------------------------------------------------------- what somebody has made up


def sealed(body: bytes) -> bytes:
    """Return bytes with the checksum that belongs to them."""
    return body + blake2b(body, digest_size=CHECK).digest()


def test_made_up_bytes_never_raise_anything_else() -> None:
    generator = random.Random(3)
    state = played(wide(), 9)
    codec = codec_of(state)
    body = codec.pack(state.store, log=True)[:-CHECK]
    first = len(codec.head)
    refusals = 0
    for _ in range(3000):
        made_up = bytearray(body)
        for _ in range(generator.choice((1, 1, 1, 2, 5))):
            at = generator.randrange(first, len(made_up))
            match generator.randrange(4):
                case 0:
                    made_up[at] = generator.randrange(256)
                case 1:
                    made_up[at] = generator.choice(b'0129-[]{},"entru\\.')
                case 2:
                    del made_up[at : at + generator.choice((1, 3, 40))]
                case 3:
                    made_up[at:at] = generator.choice((b"[", b"9", b"[],", b'"none",', b"\x00"))
        try:
            back = codec.unpack(sealed(bytes(made_up)))
        except RecordError:
            refusals += 1
        else:
            # It is some state of this game: then it is one in every respect.
            assert codec.unpack(codec.pack(back, log=True)) == back
    assert refusals > 2000


@pytest.mark.parametrize("middle", ["[" * 100_000, "9" * 100_000, '"' + "x" * 100_000 + '"', "{}"])
def test_deep_and_long_bytes_are_refused(middle: str) -> None:
    state = duel().new_initial_state(1)
    body, _ = split(state)

    assert "cannot be read" in refused(state.game, sealed(body + middle.encode()))


def split(state: State, log: bool = False) -> tuple[bytes, list[Any]]:
    """Return a snapshot in two parts: columns, and what is JSON."""
    data = state.pack(log=log)[:-CHECK]
    at = data.index(b"[[[", len(codec_of(state).head))
    return data[:at], json.loads(data[at:])


FRAMES, TRANSACTION, VIEWER, DICTATED, SCALARS, OTHERS, PAST, LOG = range(8)

Change = Callable[[list[Any]], object]

CHANGES: dict[str, tuple[Change, str]] = {
    "a part too few": (lambda plain: plain.pop(), "not enough values"),
    "a part too many": (lambda plain: plain.append(None), "no place where several act at once"),
    "an unknown rule": (lambda plain: plain[FRAMES][-1].__setitem__(0, 9999), "out of range"),
    "a rule from behind": (lambda plain: plain[FRAMES][-1].__setitem__(0, -1), "has a number"),
    "a flag for a number": (lambda plain: plain[FRAMES][-1].__setitem__(1, True), "has a number"),
    "a rule that ends before": (
        lambda plain: plain[FRAMES][-1].__setitem__(1, 10**6),
        "there is no rule lay#1000000",
    ),
    "a rule where nobody decides": (
        lambda plain: plain[FRAMES][-1].__setitem__(1, 2),
        "the game waits for nobody",
    ),
    "rules without end": (
        lambda plain: plain[FRAMES].extend(plain[FRAMES][-1:] * 200),
        "too many rules",
    ),
    "an acting card": (
        lambda plain: plain[FRAMES][-1].__setitem__(2, "Card:1.1"),
        "Card:1.1 is no player",
    ),
    "names that are none": (
        lambda plain: plain[FRAMES][-1].__setitem__(3, [[1, 2]]),
        "names are texts",
    ),
    "an unknown thing": (
        lambda plain: plain[FRAMES][-1].__setitem__(3, [["x", "Card:9.9"]]),
        "'Card:9.9' is nothing of this game",
    ),
    "unknown code": (
        lambda plain: plain[FRAMES][-1].__setitem__(3, [["x", {"closure": "os", "locals": []}]]),
        "there is no code os",
    ),
    "objects that no form of a verb takes": (
        lambda plain: plain[FRAMES][-1].__setitem__(
            3, [["x", [{"verb": "lay", "ids": ["lay"], "with": [1]}]]]
        ),
        "no verb 'lay' takes 1 objects",
    ),
    "unknown code far inside": (
        lambda plain: plain[FRAMES][-1].__setitem__(3, [["x", [1, [[closure("y")]]]]]),
        "there is no code y",
    ),
    "a transaction of nobody": (lambda plain: plain.__setitem__(TRANSACTION, []), "together"),
    "a transaction elsewhere": (
        lambda plain: plain.__setitem__(TRANSACTION, ["Player:1", 99, 0]),
        "together",
    ),
    "viewer who is a card": (lambda plain: plain.__setitem__(VIEWER, "Card:1.1"), "is no player"),
    "chance that is no list": (lambda plain: plain.__setitem__(DICTATED, 3), "is no list"),
    "too few counters": (lambda plain: plain[SCALARS].pop(), "incomplete"),
    "a counter below 0": (lambda plain: plain[SCALARS].__setitem__(1, -1), "do not fit"),
    "a fraction": (lambda plain: plain[SCALARS].__setitem__(1, 1.5), "nothing of this game"),
    "a number for a flag": (lambda plain: plain[SCALARS].__setitem__(3, 1), "incomplete"),
    "an end without words": (lambda plain: plain[SCALARS].__setitem__(0, 7), "no text"),
    "a column too many": (lambda plain: plain[OTHERS].append([]), "longer"),
    "a seed that is none": (lambda plain: plain[PAST].__setitem__(0, True), "a seed"),
    "an answer of a stranger": (
        lambda plain: plain[PAST][1][0].__setitem__(1, 2),
        "an answer is not as it should be",
    ),
    "a witness who does not play": (
        lambda plain: plain[LOG][-1].__setitem__(2 + 1, 4),
        "seen by nobody of these",
    ),
    "an event that did not happen": (
        lambda plain: plain[LOG].append(plain[LOG][-1]),
        "more events than have happened",
    ),
    "an event of a kind that is none": (lambda plain: plain[LOG][0].__setitem__(0, 1), "a text"),
}


def closure(id: str) -> dict[str, Any]:
    """Return an expression that is handed on, as it is written."""
    return {"closure": id, "locals": []}


@pytest.mark.parametrize(("change", "message"), CHANGES.values(), ids=CHANGES)
def test_what_is_not_of_this_game_is_refused(change: Change, message: str) -> None:
    state = say(duel().new_initial_state(1), "Lay")
    columns, plain = split(state, log=True)

    change(plain)

    assert message in refused(state.game, sealed(columns + json.dumps(plain).encode()))


def test_unknown_flags_are_refused() -> None:
    state = duel().new_initial_state(1)
    body = bytearray(state.pack()[:-CHECK])
    body[len(codec_of(state).head)] = 4

    assert "the flags are unknown" in refused(state.game, sealed(bytes(body)))


def test_what_a_field_cannot_hold_is_refused() -> None:
    state = wide()
    codec = codec_of(state)
    layout = state.game.program.layout
    store = state.store.clone()

    def broken(field: str, index: int, value: object) -> str:
        other = store.clone()
        other.columns[layout.slots[field]][index] = value
        return refused(state.game, codec.pack(other))

    assert "cannot hold 7" in broken("Player.note", 0, 7)
    assert "cannot hold (1,)" in broken("Player.done", 1, (1,))
    assert "`free` becomes 10, outside of -9..9" in broken("Player.free", 0, 10)
    assert "too large" in broken("bank", 0, 10**15 + 1)
    cards = store.columns[layout.slots["deck"]][0]
    assert "two places" in broken("deck", 0, (cards[0], cards[0]))
    assert "not so many things of Card" in broken("open", 0, (cards[0],))
    hand = store.columns[layout.slots["Player.hand"]][0]
    store.columns[layout.slots["Player.hand"]][0] = ()
    assert len(hand) > 1
    assert "lie where one may" in broken("Player.shown", 0, hand)
    store.columns[layout.slots["Player.hand"]][0] = hand
    assert "undecided cards" in broken("deck", 0, cards[::-1])
    assert "undecided cards" in broken("deck", 0, ())
    with pytest.raises(ValueError, match="too large"):
        broken("bank", 0, 10**30)


def test_code_that_is_handed_on_is_the_same_wherever_the_rules_lie(tmp_path: Path) -> None:
    games = []
    for name in ("here", "there"):
        folder = tmp_path / name / "tested"
        folder.mkdir(parents=True)
        text = f'language 1\ngame "Test" for 1..4 players\n{WIDE}'
        (folder / "game.rules").write_text(text, encoding="utf-8")
        games.append(load_game(str(folder), 2))
    here, there = games
    state = here.new_initial_state(1)
    assert "closure" in str(split(state)[1])

    back = there.unpack(state.pack())

    assert labels(played(back, 3)) == labels(played(state, 3))
