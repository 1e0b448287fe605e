"""Saved games: a game that is going on in, a TOML text out, and back.

A save is plain data: a header that says which rules it belongs to, then the fields, zones and
frames of the state, the answers so far and the log of events; and, if a table says so, where the
generators of its random players stand, so that they go on as they would have. Nothing in it is ever executed, and
nothing is believed: reading checks the format, the rules (by their digest), that the text has not
been changed, that every value is one of this game, that every thing lies in one place, and that the
game waits for somebody at a decision. Whatever is wrong is a `RecordError` of one line.

What a field holds at the start of its type is left out; things are written by their keys. The
values themselves are the matter of `encoding`.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from typing import Any

import attrs
import cattrs
import tomli_w

from rulewright.dsl.diagnostics import RulesError
from rulewright.interpreter import branching
from rulewright.interpreter.encoding import Codec, Plain, field_fits
from rulewright.interpreter.engine import Game, State, load_game
from rulewright.interpreter.errors import PlayError, RecordError
from rulewright.interpreter.lasting import check_records
from rulewright.interpreter.layout import (
    EVENTS,
    LASTING,
    OPENED,
    RANDOM,
    SCALAR_COUNT,
    SCALARS,
    Layout,
)
from rulewright.interpreter.log import Event, Log, length, longer
from rulewright.interpreter.program import ROOT
from rulewright.interpreter.recollection import Answer
from rulewright.interpreter.roster import gone_of, lay_out, make_room, take_in
from rulewright.interpreter.store import Frame, Store, blank
from rulewright.interpreter.values import Thing, Value

FORMAT = 3
"""The number of this form; a text with a greater one is from a later version.

Form 1 was the same without `agents`, form 2 without `opened` of a branch, at first without `begun`, too: while several acted at once
offers were closed.
"""

FLAG_FOR_OFFERS = 3
"""The first form in which the scalar `OPENED` is a flag."""

LARGEST_TEXT = 50_000_000


@attrs.frozen
class SavedFrame:
    """A running verb."""

    unit: str
    node: int
    me: Plain
    locals: list[list[Plain]]


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


@attrs.frozen
class Saved:
    """All that a save holds."""

    format: int
    game: str
    title: str
    variants: list[str]
    players: list[str]
    seed: int | str
    digest: str
    options: dict[str, Plain]
    generator: str
    scalars: list[Plain]
    transaction: Plain
    eyes: Plain
    explicit_chance: bool
    fields: dict[str, list[Plain]]
    undecided: dict[str, list[int]]
    owners: dict[str, list[Plain]]
    watched: dict[str, list[bool]]
    frames: list[SavedFrame]
    answers: list[SavedAnswer]
    events: list[SavedEvent]
    living: dict[str, list[Plain]] = attrs.field(factory=dict)
    """Of kinds whose things come and go: those that are in the game."""
    gone: dict[str, list[int]] = attrs.field(factory=dict)
    """And for each that there has ever been who saw it leave (`roster`)."""
    agents: dict[str, str] = attrs.field(factory=dict)
    """Where the generators of random players stand, by the numbers of their seats, from 1."""

    together: dict[str, Plain] = attrs.field(factory=dict)
    """What several players have done who act at once (`branching`)."""


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


# ------------------------------------------------------------------------------------------- write


def save(state: State, agents: Mapping[int, int] | None = None) -> str:
    """Return a game that is going on as a text.

    `agents` says where the generators of random players stand, by seats counted from 0. Raises
    `RecordError` for a state that was unpacked without its log: that would be lost for good.
    """
    saved = CONVERTER.unstructure(_saved(state, agents or {}))
    for name in ("living", "gone", "agents", "together"):
        if not saved[name]:
            del saved[name]
    return tomli_w.dumps({"seal": _seal(saved), **saved})


def _seal(saved: Mapping[str, Plain]) -> str:
    text = json.dumps(saved, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _saved(state: State, agents: Mapping[int, int]) -> Saved:
    game = state.game
    store, fork, at = branching.split(state.store)
    if length(store.log) != store.count_events():
        raise RecordError("this game was unpacked without its log and cannot be saved")
    layout = game.program.layout
    codec = Codec(layout)
    encode = codec.encode
    fresh = blank(layout)

    def column(slot: int) -> list[Plain] | None:
        held = store.columns[slot]
        return None if held == fresh.columns[slot] else [encode(value) for value in held]

    def columns(slots: Mapping[str, int]) -> dict[str, list[Plain]]:
        found = {name: column(slot) for name, slot in slots.items()}
        return {name: held for name, held in found.items() if held is not None}

    scalars = list(store.columns[SCALARS])
    scalars[RANDOM] = 0
    return Saved(
        format=FORMAT,
        game=game.name,
        title=game.model.title,
        variants=list(game.model.variants),
        players=list(game.names),
        seed=state.seed,
        digest=game.model.digest,
        options={name: encode(value) for name, value in layout.options.items()},
        generator=f"{store.random_state:#018x}",
        scalars=[encode(value) for value in scalars],
        transaction=encode(store.transaction),
        eyes=encode(store.eyes),
        explicit_chance=store.explicit_chance,
        fields=columns(_field_slots(layout)),
        undecided=columns(_bag_slots(layout)),
        owners=columns(layout.owner_slots),
        watched=columns(layout.watch_slots),
        frames=[_saved_frame(frame, codec) for frame in store.frames],
        answers=[
            SavedAnswer(
                answer.events,
                -1 if answer.player is None else answer.player,
                answer.site,
                encode(answer.value),
                answer.label,
            )
            for answer in state.history()
        ],
        events=[_saved_event(event, codec) for event in store.events()],
        living={
            kind: [encode(thing) for thing in store.things(kind)] for kind in layout.living_slots
        },
        gone={kind: gone_of(store, kind) for kind in layout.living_slots},
        agents={str(seat + 1): f"{place:#018x}" for seat, place in sorted(agents.items())},
        together={} if fork is None else branching.encode(fork, at, codec, _form(game, codec)),
    )


def _saved_frame(frame: Frame, codec: Codec) -> SavedFrame:
    # Equal frames may have got their names in different orders.
    locals = [[name, codec.encode(frame.locals[name])] for name in sorted(frame.locals)]
    return SavedFrame(frame.unit, frame.node, codec.encode(frame.me), locals)


def _saved_event(event: Event, codec: Codec) -> SavedEvent:
    return SavedEvent(
        event.kind,
        codec.encode(event.actor),
        [codec.encode(value) for value in event.data],
        sorted(event.seers),
        sorted(event.counters),
        sorted(event.strangers),
    )


def _form(game: Game, codec: Codec) -> branching.Form:
    """Return how the frames and events of branches are written and read."""

    def frames(plain: list[Plain]) -> list[Frame]:
        return [_frame(CONVERTER.structure(one, SavedFrame), game, codec) for one in plain]

    def events(plain: list[Plain]) -> list[Event]:
        return [_event(CONVERTER.structure(one, SavedEvent), codec) for one in plain]

    return branching.Form(
        frame=lambda frame: CONVERTER.unstructure(_saved_frame(frame, codec)),
        frames=frames,
        event=lambda event: CONVERTER.unstructure(_saved_event(event, codec)),
        events=events,
    )


def _field_slots(layout: Layout) -> dict[str, int]:
    return {id: slot for id, slot in layout.slots.items() if slot < layout.size}


def _bag_slots(layout: Layout) -> dict[str, int]:
    return {layout.fields[slot].id: bag for slot, bag in layout.bag_slots.items()}


# -------------------------------------------------------------------------------------------- read


def read(text: str) -> Saved:
    """Return what a saved text holds; it may be of any game."""
    if len(text) > LARGEST_TEXT:
        raise RecordError("this is too large for a saved game")
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        raise RecordError("this is no saved game") from None
    form, seal = plain.get("format"), plain.pop("seal", None)
    if type(form) is not int or seal is None:
        raise RecordError("this is no saved game")
    if form > FORMAT:
        raise RecordError(f"this game was saved by a later version (form {form})")
    try:
        saved = CONVERTER.structure(plain, Saved)
    except Exception as error:
        # cattrs raises whatever its hooks and constructors raise: all of it means the same here.
        raise RecordError(f"this saved game cannot be read: {_short(error)}") from None
    if seal != _seal(plain):
        raise RecordError("this saved game has been changed since it was saved")
    return saved


def load(text: str, game: Game | None = None) -> State:
    """Return the game that was saved, with its rules: the given ones, or those on the shelf.

    Raises `RecordError` if it is no saved game, or one of other rules.
    """
    return restore(read(text), game)


def restore(saved: Saved, game: Game | None = None) -> State:
    """Return the game that was read, as `load` does."""
    if game is None:
        words = {name: option_word(value) for name, value in saved.options.items()}
        try:
            game = load_game(
                saved.game,
                players=len(saved.players),
                variants=saved.variants,
                options=words,
                names=saved.players,
            )
        except RulesError as error:
            raise RecordError(f"its rules are not here: {error.diagnostics[0].headline}") from None
        except ValueError as error:
            raise RecordError(f"its rules are not as they were: {error}") from None
    return _state(saved, game)


def agents_of(saved: Saved) -> dict[int, int]:
    """Return where the generators of random players stood, by seats counted from 0."""
    found = {}
    for seat, text in saved.agents.items():
        try:
            number, place = int(seat), int(text, 16)
        except ValueError:
            raise RecordError(f"the random player of seat {_short(seat)} is no number") from None
        if not 1 <= number <= len(saved.players) or not 0 <= place < 2**64:
            raise RecordError(f"there is no random player of seat {_short(seat)}")
        found[number - 1] = place
    return found


def option_word(value: Plain) -> Plain:
    """Return the value of an option as `load_game` understands it."""
    match value:
        case {"text": text}:
            return text
        case str():
            return value.rpartition(".")[2]
    return value


def _state(saved: Saved, game: Game) -> State:
    layout = game.program.layout
    codec = Codec(layout)
    if saved.digest != game.model.digest:
        if saved.title != game.model.title:
            raise RecordError(f"this is a saved game of {saved.title}, not of {game.model.title}")
        if tuple(saved.variants) != tuple(game.model.variants):
            raise RecordError(f"it was saved {_with(saved.variants)}")
        raise RecordError(f"{saved.title} was saved under other rules than these")
    if tuple(saved.players) != game.names:
        raise RecordError(f"it was saved with the players {', '.join(saved.players)}")
    agents_of(saved)
    options = {name: codec.encode(value) for name, value in layout.options.items()}
    for name in options:
        if saved.options.get(name) != options[name]:
            choice = option_word(saved.options.get(name))
            word = ("no", "yes")[choice] if isinstance(choice, bool) else choice
            raise RecordError(f"it was saved with {name}={word}")
    try:
        store = _store(saved, game, codec)
        answers = [_answer(saved_answer, codec) for saved_answer in saved.answers]
    except (ValueError, KeyError, TypeError, PlayError) as error:
        raise RecordError(f"this saved game cannot be read: {_short(error)}") from None
    return State(game, store, saved.seed, answers)


def _with(variants: list[str]) -> str:
    return f"with {', '.join(variants)}" if variants else "without variants"


def _short(error: Exception | str) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


def _store(saved: Saved, game: Game, codec: Codec) -> Store:
    layout = codec.layout
    store = blank(layout)
    codec.counts = {kind: len(gone) for kind, gone in saved.gone.items()}
    make_room(store, codec.counts)
    _read_scalars(store, saved, codec)
    if saved.format < FLAG_FOR_OFFERS:
        branching.without_offers(store, saved.together, bool(game.model.offers))
    if not branching.fits_offers(game.program, store.columns[SCALARS][OPENED]):
        raise ValueError("it does not fit whether offers are open")
    check_records(game.model, store.columns[SCALARS][LASTING])
    _read_columns(store, saved.fields, _field_slots(layout), codec)
    _read_columns(store, saved.undecided, _bag_slots(layout), codec)
    _read_columns(store, saved.owners, layout.owner_slots, codec)
    _read_columns(store, saved.watched, layout.watch_slots, codec)
    for kind, gone in saved.gone.items():
        take_in(store, kind, codec.decode(saved.living.get(kind, [])), gone)
    _check_fields(store, game)
    lay_out(store, layout.place_slots, saved.gone)
    store.frames = [_frame(frame, game, codec) for frame in saved.frames]
    store.log = store.counted = _log(saved.events, codec)
    store.explicit_chance = saved.explicit_chance
    store.eyes = _player(codec.decode(saved.eyes))
    store.transaction = codec.decode(saved.transaction)
    if not isinstance(store.transaction, tuple | None):
        raise ValueError("what is decided together is no list")
    # Branches, and what was answered in them, may speak of things that only they know.
    codec.counts = None
    if saved.together:
        branching.restore(saved.together, store, game.program, _form(game, codec))
    if store.frames and game.program.op(store.frames[-1]).kind not in ("decide", "chance"):
        if not saved.explicit_chance:
            raise ValueError("the game waits for nobody")
    return store


def _read_scalars(store: Store, saved: Saved, codec: Codec) -> None:
    scalars = [codec.decode(value) for value in saved.scalars]
    if len(scalars) != SCALAR_COUNT:
        raise ValueError("the counters are incomplete")
    scalars[RANDOM] = int(saved.generator, 16)
    if not 0 <= scalars[RANDOM] < 2**64 or scalars[EVENTS] != len(saved.events):
        raise ValueError("the counters do not fit")
    store.columns[SCALARS] = scalars


def _read_columns(
    store: Store, saved: Mapping[str, list[Plain]], slots: Mapping[str, int], codec: Codec
) -> None:
    for name, held in saved.items():
        if name not in slots or len(held) != len(store.columns[slots[name]]):
            raise ValueError(f"`{name}` is not as it should be")
        store.columns[slots[name]] = [codec.decode(value) for value in held]


def _check_fields(store: Store, game: Game) -> None:
    """Check that every field holds what it may hold, and every pile no more cards than it has."""
    layout, evaluator = store.layout, game.program.evaluator
    for slot, field in layout.fields.items():
        if slot >= layout.size:
            continue
        check = evaluator.range_check(field.id)
        for place, value in zip(layout.places[slot], store.columns[slot], strict=False):
            if not field_fits(layout, field, value):
                raise ValueError(f"`{field.id}` cannot hold {value!r}")
            if check is not None:
                check(store, place.holder, value, field.span)
    for slot, bag in layout.bag_slots.items():
        for count, cards in zip(store.columns[bag], store.columns[slot], strict=True):
            if not 0 <= count <= len(cards):
                raise ValueError(f"`{layout.fields[slot].id}` has {count} undecided cards")
    for kind, slot in layout.owner_slots.items():
        if not all(owner is None or _player(owner) for owner in store.columns[slot]):
            raise ValueError(f"only players own a {kind}")


def _frame(saved: SavedFrame, game: Game, codec: Codec) -> Frame:
    program = game.program
    known = saved.unit == ROOT or saved.unit in program.plans
    code = program.code[saved.unit] if known else []
    if not 0 <= saved.node < len(code):
        raise ValueError(f"there is no rule {saved.unit}#{saved.node}")
    locals: dict[str, Value] = {}
    for pair in saved.locals:
        match pair:
            case [str(name), value]:
                locals[name] = codec.decode(value)
            case _:
                raise ValueError(f"the names of {saved.unit} are no pairs")
    return Frame(saved.unit, saved.node, locals, _player(codec.decode(saved.me)))


def _player(value: Value) -> Thing | None:
    if value is None or (isinstance(value, Thing) and value.kind == "Player"):
        return value
    raise ValueError(f"{value!r} is no player")


def _answer(saved: SavedAnswer, codec: Codec) -> Answer:
    player = None if saved.player < 0 else saved.player
    return Answer(saved.events, player, saved.site, codec.decode(saved.value), saved.label)


def _log(saved: list[SavedEvent], codec: Codec) -> Log | None:
    log: Log | None = None
    for event in saved:
        log = longer(log, _event(event, codec))
    return log


def _event(saved: SavedEvent, codec: Codec) -> Event:
    data = tuple(codec.decode(value) for value in saved.data)
    actor = _player(codec.decode(saved.actor))
    numbers = map(frozenset, (saved.seers, saved.counters, saved.strangers))
    return Event(saved.kind, actor, data, *numbers)
