"""A program of a user, with types: mypy checks it in strict mode, and a test runs it."""

from collections.abc import Sequence

import rulewright
from rulewright import Action, Decision, Diagnostic, Game, Outcome, Seat, State


class Cautious:
    """An agent that takes the last possible answer."""

    def choose(self, seat: Seat) -> Action:
        """Return one answer."""
        actions: Sequence[Action] = seat.actions
        return actions[-1]


def play_together(game: Game, agents: Sequence[rulewright.Agent]) -> State:
    """Play a game with one agent for each seat, with chance in our hands, and saved in the middle."""
    state = game.new_initial_state(seed=7, explicit_chance=True)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes: Sequence[Outcome] = state.chance_outcomes()
            state.apply_chance(max(outcomes, key=lambda one: one.probability))
            continue
        asked: Decision | None = state.decision()
        if asked is None:
            break
        seen: dict[str, object] = state.observation(asked.player)
        assert seen["you"] == game.names[asked.player]
        given = agents[asked.player].choose(Seat(state, asked.player))
        assert isinstance(given, Action)
        state.apply_action(given, asked.player)
        state = rulewright.load_state(rulewright.save_state(state), game)
    return state


def what_is_wrong(name: str) -> list[str]:
    """Return what is wrong with the rules of a game."""
    compilation: rulewright.Compilation = rulewright.compile_game(name)
    found: tuple[Diagnostic, ...] = compilation.diagnostics
    if compilation.game is not None:
        found += rulewright.verify(compilation.game)
    grave = [item for item in found if item.severity is rulewright.Severity.ERROR]
    return [f"{item.primary.span.line}: {item.headline}" for item in grave]


def refused(state: State, answer: str) -> str:
    """Return why an answer is not taken."""
    try:
        state.clone().apply_action(answer)
    except rulewright.AmbiguousActionError as error:
        return f"one of {', '.join(error.candidates)}?"
    except rulewright.IllegalActionError as error:
        return "; ".join(f"{reason.text} (line {reason.span.line})" for reason in error.reasons)
    except rulewright.InvalidActionError as error:
        return str(error)
    except rulewright.PlayError as error:
        return rulewright.render([error.diagnostic()])
    return ""


def main() -> None:
    """Play and print."""
    game = rulewright.load_game("kuhn_poker", names=["ann", "ben"])
    end = play_together(game, [Cautious(), rulewright.RandomAgent(seed=1)])
    returns: tuple[float, ...] = end.returns()
    print(end.ending, returns, [game.names[winner] for winner in end.winners()])
    print(refused(game.new_initial_state(seed=7), "raise"))
    many: rulewright.Statistics = rulewright.statistics(game, range(10))
    print(sum(many.wins), what_is_wrong("kuhn_poker"), what_is_wrong("nowhere"))
    try:
        rulewright.load_game("kuhn_poker", players=9)
    except (rulewright.PlayersError, rulewright.OptionError) as error:
        print(error)


if __name__ == "__main__":
    main()
