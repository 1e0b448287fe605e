"""What a saved game consists of: the form of its text, read with nothing believed.

A save says which game it is, with which players, variants and options, from which seed it began, what
was answered, and what happened then. The state is not in it: it is what comes of the answers (`replay`).
So whatever stands in a save, what is played on from it is a state of the game. The shape of every
nested part is checked here; whatever is wrong is a `RecordError` of one line.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_origin

import attrs
import cattrs
import tomli_w

from rulewright.interpreter.knowledge.information_state import Answer
from rulewright.interpreter.program.encoding import Plain, ValueCodec
from rulewright.interpreter.state.errors import RecordError
from rulewright.interpreter.state.log import Event

FORMAT = 4
"""The number of this form; a text with a greater one is from a later version.

Earlier forms also held the state, and the digest was that of the text of the rules. Their answers are
played like those of this one.
"""

BY_MEANING = 4
"""The first form whose digest is that of what the rules mean, and that says what was answered as a
whole."""

STATE = (
    "eyes fields frames generator gone living owners scalars together transaction undecided watched"
).split()
"""What earlier forms say about the state, which nobody needs."""

BYTE_ORDER_MARK = "\ufeff"
LARGEST_TEXT = 50_000_000
MOST_ANSWERS = 100_000


@attrs.frozen
class SavedEvent:
    """An event, with the numbers of those who saw it."""

    kind: str
    actor: Plain
    data: list[Plain]
    seers: list[int]
    counters: list[int]
    strangers: list[int]


@attrs.frozen
class SavedAnswer:
    """A decision, or (player -1) what a driver chose for chance."""

    events: int
    player: int
    site: str
    value: Plain
    label: str
    whole: bool = False
    """Whether these are several things at once, not the next one of them."""


@attrs.frozen
class Saved:
    """All that a save holds.

    >>> saved = read_save(save_state(state))
    >>> saved.game, saved.variants, saved.seed, saved.answers
    ('kuhn_poker', [], 7, [])
    """

    format: int
    game: str
    title: str
    variants: list[str]
    players: list[str]
    seed: int | str
    digest: str
    options: dict[str, Plain]
    explicit_chance: bool
    answers: list[SavedAnswer]
    events: list[SavedEvent]
    branches: dict[str, list[SavedEvent]] = attrs.field(factory=dict)
    """Where several act at once: what has happened for each of them, by their keys."""

    agents: dict[str, str] = attrs.field(factory=dict)
    """Where the generators of random players stand, by the numbers of their seats, from 1."""

    rules: dict[str, str] = attrs.field(factory=dict)
    """The digests of the definitions (`meaning`)."""


CONVERTER = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)


@CONVERTER.register_structure_hook
def _seed(value: Any, _: type) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("a seed is a number or a text")
    return value


def _exactly(wanted: type) -> Any:
    def structure(value: Any, _: type) -> Any:
        # A text of digits is no number here, and a number is no flag.
        if type(value) is not wanted:
            raise ValueError(f"{value!r} is no {wanted.__name__}")
        return value

    return structure


for _plain in (int, str, bool):
    CONVERTER.register_structure_hook(_plain, _exactly(_plain))


def _items(value: Any, kind: Any) -> Any:
    """Return a list of what its items stand for; a text is no list of letters."""
    if type(value) is not list:
        raise ValueError(f"{short(repr(value))} is no list")
    (inner,) = get_args(kind)
    return value if inner is Any else [CONVERTER.structure(item, inner) for item in value]


def _entries(value: Any, kind: Any) -> Any:
    if type(value) is not dict:
        raise ValueError(f"{short(repr(value))} is no table")
    _, inner = get_args(kind)
    if inner is Any:
        return value
    return {name: CONVERTER.structure(item, inner) for name, item in value.items()}


def _is(wanted: type) -> Callable[[Any], bool]:
    return lambda kind: bool(get_origin(kind) == wanted)


CONVERTER.register_structure_hook_func(_is(list), _items)
CONVERTER.register_structure_hook_func(_is(dict), _entries)


def text_of(saved: Saved) -> str:
    """Return a save as a text."""
    plain = CONVERTER.unstructure(saved)
    for answer in plain["answers"]:
        if not answer["whole"]:
            del answer["whole"]
    for name in ("branches", "agents", "rules"):
        if not plain[name]:
            del plain[name]
    return tomli_w.dumps({"seal": seal_of(plain), **plain})


def seal_of(plain: Mapping[str, Plain]) -> str:
    """Return what tells whether a save was changed by accident; it is no signature."""
    text = json.dumps(plain, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def read(text: str) -> Saved:
    """Return what a saved text holds; it may be of any game. Raises `RecordError` if it is no save, or
    one that somebody has damaged.

    >>> read_save(save_state(state)).players
    ['P1', 'P2']
    """
    if len(text) > LARGEST_TEXT:
        raise RecordError("this is too large for a saved game")
    try:
        # Some editors begin a text with a mark.
        plain = tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except (ValueError, RecursionError):
        # Python refuses numbers of thousands of digits by a ValueError of its own.
        raise RecordError("this is no saved game") from None
    form, seal = plain.get("format"), plain.pop("seal", None)
    if type(form) is not int or seal is None:
        raise RecordError("this is no saved game")
    if form > FORMAT:
        raise RecordError(f"this game was saved by a later version (form {form})")
    try:
        if seal != seal_of(plain):
            raise RecordError("this saved game has been changed since it was saved")
        if form < BY_MEANING:
            plain = {name: held for name, held in plain.items() if name not in STATE}
        saved = CONVERTER.structure(plain, Saved)
        _validate(saved)
    except RecordError:
        raise
    except Exception as error:
        # cattrs raises whatever its hooks and constructors raise: all of it means the same here.
        raise RecordError(f"this saved game cannot be read: {short(error)}") from None
    return saved


def _validate(saved: Saved) -> None:
    """Raise `ValueError` for what has the right shape and can be no game."""
    if saved.format < 1:
        raise ValueError(f"there is no form {saved.format}")
    if not saved.game or saved.game in (".", "..") or any(one in saved.game for one in "/\\\0"):
        # Where its rules are looked for is no matter of a save.
        raise ValueError(f"a game has a name, not {short(repr(saved.game))}")
    if len(saved.answers) > MOST_ANSWERS:
        raise ValueError(f"it has more than {MOST_ANSWERS:,} answers")
    agents_of(saved)


def agents_of(saved: Saved) -> dict[int, int]:
    """Return where the generators of random players stood, by seats counted from 0."""
    found = {}
    for seat, text in saved.agents.items():
        try:
            number, place = int(seat), int(text, 16)
        except ValueError:
            raise RecordError(f"the random player of seat {short(seat)} is no number") from None
        if not 1 <= number <= len(saved.players) or not 0 <= place < 2**64:
            raise RecordError(f"there is no random player of seat {short(seat)}")
        found[number - 1] = place
    return found


def short(error: Exception | str) -> str:
    """Return what is wrong in one line that is not too long."""
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


# -------------------------------------------------------------------------------- answers and events


def saved_answer(answer: Answer, codec: ValueCodec) -> SavedAnswer:
    """Return an answer as it is saved."""
    return SavedAnswer(
        answer.events,
        -1 if answer.player is None else answer.player,
        answer.site,
        unplaced(codec.encode(answer.value)),
        answer.label,
        answer.whole,
    )


def saved_event(event: Event, codec: ValueCodec) -> SavedEvent:
    """Return an event as it is saved."""
    return SavedEvent(
        event.kind,
        codec.encode(event.actor),
        [unplaced(codec.encode(value)) for value in event.data],
        sorted(event.seers),
        sorted(event.counters),
        sorted(event.strangers),
    )


def unplaced(plain: Plain) -> Plain:
    """Return a value without the ids of code that is handed on: they follow from where it stands."""
    match plain:
        case list():
            return [unplaced(item) for item in plain]
        case {"closure": _, "locals": locals}:
            return {"closure": "", "locals": unplaced(locals)}
        case {"place_closure": _, "locals": locals}:
            return {"place_closure": "", "locals": unplaced(locals)}
        case {"verb": _, "with": carried}:
            return {**plain, "with": unplaced(carried)}
    return plain
