"""Games of rule files in OpenSpiel (the extra `openspiel`).

    import pyspiel
    import rulewright.interpreter.bridges.openspiel
    game = pyspiel.load_game("rulewright(game=kuhn_poker)")

`load_game` says the same in Python words; `register` gives a game a short name of its own. What there is to say about
it, with a program: `interpreter/OPENSPIEL.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

try:
    import numpy
    import pyspiel
except ImportError as error:
    raise ImportError(
        f"OpenSpiel is not here ({error}); it comes with `pip install 'rulewright[openspiel]'`"
    ) from error

from rulewright.interpreter.bridges.nodes import CHANCE, OVER, Node, Request, Tree, tree_of
from rulewright.interpreter.state.random import Generator
from rulewright.interpreter.state.values import Value

SHORT_NAME = "rulewright"
MOST_PLAYERS = 10
EXPLICIT, SAMPLED = "explicit", "sampled"

Type = pyspiel.GameType

PARAMETERS: dict[str, Any] = {
    "game": "",
    "players": 0,
    "variants": "",
    "options": "",
    "names": "",
    "chance": EXPLICIT,
    "max_answers": 0,
    "utilities": "",
}
"""The parameters of a game with what stands for "not given"."""

LISTED, IS = ";", ":"
"""What stands between the items of a list, and between an option and its value."""


def load_game(
    name: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    names: Sequence[str] | None = None,
    chance: str = EXPLICIT,
    max_answers: int | None = None,
    utilities: tuple[float, float] | None = None,
) -> RulewrightGame:
    """Load a game of the shelf or of a file, as `rulewright.load_game` does, as a game of OpenSpiel.

    `chance`: "explicit" (a node for everything that chance decides) or "sampled" (drawn from a seed
    that is chosen before the game). `max_answers` is after how many answers a game is broken off;
    `utilities` the least and the greatest payoff. What of these is not given, and the rules do not say, is measured in random games (`RulewrightGame.measured`).

    Raises what `rulewright.load_game` does, and `ValueError`, with one clear line, if the rest cannot be.
    """
    request = _request(
        {
            "game": name,
            "players": players or 0,
            "variants": _list(variants),
            "options": _list(f"{key}{IS}{_word(value)}" for key, value in (options or {}).items()),
            "names": _list(names or ()),
            "chance": chance,
            "max_answers": 0 if max_answers is None else max_answers,
            "utilities": "" if utilities is None else _list(f"{one:g}" for one in utilities),
        }
    )
    return RulewrightGame(_parameters(request))


def register(
    short_name: str,
    name: str,
    players: int | None = None,
    variants: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    **more: Any,
) -> None:
    """Give a game a short name, under which `pyspiel.load_game` finds it and `pyspiel.registered_games`
    lists it with its type. Takes and raises what `load_game` does, and `ValueError` if the short name is taken.
    """
    if short_name in pyspiel.registered_names():
        raise ValueError(f"{short_name} is the name of another game")
    if not short_name.isidentifier():
        raise ValueError(f"{short_name!r} is no short name: letters, digits and _, please")
    found = load_game(name, players, variants, options, **more)
    usual = {**PARAMETERS, **found.get_parameters()}
    # No function of its own: OpenSpiel lets go of it when Python is gone already.
    pyspiel.register_game(_type_of(found.tree, short_name, usual), RulewrightGame)


# ------------------------------------------------------------------------------------------ parameters


def _list(words: Iterable[str]) -> str:
    return LISTED.join(words)


def _word(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(LISTED)) if text.strip() else ()


def _request(given: Mapping[str, Any]) -> Request:
    """Return what is asked for. Raises `ValueError` if it cannot be read."""
    for key, word in given.items():
        if isinstance(word, str) and any(sign in word for sign in "(),="):
            raise ValueError(
                f"OpenSpiel cannot keep {word!r} ({key}): leave out brackets, commas and ="
            )
    if not given["game"]:
        raise ValueError("which game? give its name or path as game=")
    chance = given["chance"]
    if chance not in (EXPLICIT, SAMPLED):
        raise ValueError(f"chance is {EXPLICIT} or {SAMPLED}, not {chance!r}")
    options = []
    for word in _words(given["options"]):
        name, sign, value = word.partition(IS)
        if not sign:
            raise ValueError(f"{word!r} is no option: name, colon, value")
        options.append((name.strip(), value.strip()))
    return Request(
        given["game"],
        given["players"] or None,
        _words(given["variants"]),
        tuple(options),
        _words(given["names"]) or None,
        chance == SAMPLED,
        given["max_answers"] or None,
        _range(given["utilities"]),
    )


def _range(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        least, most = map(float, _words(text))
    except ValueError:
        raise ValueError(f"{text!r} are no utilities: the least; the greatest") from None
    return least, most


def _parameters(request: Request) -> dict[str, Any]:
    """Return what is asked for as parameters of a game: only what is not as usual."""
    found: dict[str, Any] = {
        "game": request.name,
        "players": request.players or 0,
        "variants": _list(request.variants),
        "options": _list(f"{name}{IS}{value}" for name, value in request.options),
        "names": _list(request.names or ()),
        "chance": SAMPLED if request.sampled else EXPLICIT,
        "max_answers": request.longest or 0,
        "utilities": ""
        if request.payoffs is None
        else _list(f"{one:g}" for one in request.payoffs),
    }
    return {key: value for key, value in found.items() if value != PARAMETERS[key]}


def _type_of(tree: Tree, short_name: str, parameters: Mapping[str, Any]) -> Any:
    """Return of what type a game is."""
    players = tree.game.num_players
    chance = Type.ChanceMode.DETERMINISTIC
    if tree.has_chance:
        # A seed that is drawn before the game is an outcome like any other.
        chance = Type.ChanceMode.EXPLICIT_STOCHASTIC
    knows = Type.Information
    utility = Type.Utility.GENERAL_SUM
    if tree.extent.total is not None:
        utility = Type.Utility.CONSTANT_SUM if tree.extent.total else Type.Utility.ZERO_SUM
    return _game_type(
        short_name=short_name,
        long_name=tree.game.title,
        chance_mode=chance,
        information=knows.IMPERFECT_INFORMATION if tree.has_secrets else knows.PERFECT_INFORMATION,
        utility=utility,
        max_num_players=players,
        min_num_players=players,
        parameter_specification=dict(parameters),
        default_loadable=bool(parameters["game"]),
    )


def _game_type(**given: Any) -> Any:
    return Type(
        dynamics=Type.Dynamics.SEQUENTIAL,
        reward_model=Type.RewardModel.TERMINAL,
        provides_information_state_string=True,
        # How much a player may notice in a game has no bound.
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        **given,
    )


# ------------------------------------------------------------------------------------------------ game


class RulewrightGame(pyspiel.Game):
    """A game of a rule file as OpenSpiel sees it."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the game of some parameters. Raises what `load_game` does."""
        request = _request({**PARAMETERS, **(params or {})})
        self.tree = tree = tree_of(request)
        least, most = tree.extent.payoffs
        info = pyspiel.GameInfo(
            num_distinct_actions=tree.numbers.size,
            max_chance_outcomes=tree.most_outcomes,
            num_players=tree.game.num_players,
            min_utility=least,
            max_utility=most,
            utility_sum=tree.extent.total,
            max_game_length=tree.extent.longest,
        )
        kind = _type_of(tree, SHORT_NAME, PARAMETERS)
        super().__init__(kind, info, _parameters(request))

    @property
    def measured(self) -> tuple[str, ...]:
        """Which of `longest`, `payoffs` and `total` are not said by the rules nor given: random games came
        to them."""
        return self.tree.extent.measured

    def new_initial_state(self, *given: Any) -> RulewrightState:
        """Return the first state. Raises `ValueError` if it is asked for any other."""
        if given:
            raise ValueError("a game of a rule file begins in one state only")
        return RulewrightState(self, self.tree.root)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """Return what tells a player, in words and numbers, what he sees; with perfect recall, in words
        alone, all that he remembers. Raises `ValueError` if what is asked for is not told."""
        if params:
            raise ValueError(f"there are no parameters of observations: {', '.join(params)}")
        return Observer(self.tree, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class RulewrightState(pyspiel.State):
    """A state of such a game: a node of its tree, which does not change."""

    def __init__(self, game: RulewrightGame, node: Node | None = None) -> None:
        super().__init__(game)
        # All that is to be copied and kept: OpenSpiel does both with `__dict__`.
        self.node = game.tree.root if node is None else node

    def current_player(self) -> int:
        """Return who is to move."""
        player = self.node.player
        if player >= 0:
            return player
        found: int = pyspiel.PlayerId.CHANCE if player == CHANCE else pyspiel.PlayerId.TERMINAL
        return found

    def is_terminal(self) -> bool:
        """Return whether the game is over, or broken off."""
        return self.node.player == OVER

    def is_chance_node(self) -> bool:
        """Return whether chance is to move."""
        return self.node.player == CHANCE

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal() if player == self.node.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may bring: a number and its probability each."""
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.label(action)

    def returns(self) -> list[float]:
        """Return what the game pays each player; 0 as long as it goes on."""
        return self.node.returns()

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> RulewrightState:
        """Return a state that a player cannot tell from this one, drawn by numbers from 0 to 1."""
        draws = [int(probability_sampler() * 2**32) for _ in range(2)]
        sampled: RulewrightState = self.clone()
        sampled.node = self.node.sample(player, Generator(" ".join(map(str, draws))))
        return sampled

    def __str__(self) -> str:
        return f"{self.node.tree.game.title} after {self.history_str()}"


# ------------------------------------------------------------------------------------------- observing


class Observer:
    """Tells in words and numbers what a player sees, or, with perfect recall and in words alone, all that he
    remembers; without private information in words alone what every player sees."""

    def __init__(self, tree: Tree, kind: Any) -> None:
        """Raises `ValueError` for a kind of observation that is not told."""
        alone = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        everybody = kind.private_info == pyspiel.PrivateInfoType.NONE
        if not kind.public_info or not (alone or (everybody and not kind.perfect_recall)):
            raise ValueError(
                "what is told is what a player sees, what he remembers, and what every player sees"
            )
        self._remembers: bool = kind.perfect_recall
        self._everybody = everybody
        self.tensor: Any = None
        """What the player sees as numbers, after `set_from`."""

        self.dict: dict[str, Any] = {}
        """The parts of the tensor by their names."""

        if alone and not self._remembers:
            self.tensor = numpy.zeros(tree.vectors.size, numpy.float32)
            for name, first, shape in tree.vectors.layout:
                part = self.tensor[first : first + math.prod(shape)]
                self.dict[name] = part.reshape(shape)

    def set_from(self, state: RulewrightState, player: int) -> None:
        """Write what a player sees of a state."""
        if self.tensor is not None:
            self.tensor[:] = state.node.vector(player)

    def string_from(self, state: RulewrightState, player: int) -> str:
        """Return what a player sees of a state, or remembers in it."""
        if self._remembers:
            return state.node.information_state(player)
        return state.node.observation(None if self._everybody else player)


pyspiel.register_game(
    _game_type(
        short_name=SHORT_NAME,
        long_name="A game of a rule file",
        # What a game is, it says itself when it is loaded: this is the most that one may be.
        chance_mode=Type.ChanceMode.EXPLICIT_STOCHASTIC,
        information=Type.Information.IMPERFECT_INFORMATION,
        utility=Type.Utility.GENERAL_SUM,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    ),
    RulewrightGame,
)
