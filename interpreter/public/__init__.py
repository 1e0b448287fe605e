"""The public API: rule text in, games that programs play, observe, save and check out.

    import rulewright

    game = rulewright.load_game("kuhn_poker")
    state = game.new_initial_state(seed=7)
    while not state.is_terminal():
        player = state.current_players()[0]
        state.apply_action(state.legal_actions(player)[0], player)
    state.returns()  # (-2.0, 2.0)

`interpreter/API.md` describes every name; whatever else the package holds may change without notice.
A name is imported from where it lies when it is first asked for: so `import rulewright` loads
nothing, and the command line starts at once.
"""

TYPE_CHECKING = False  # that of `typing`, without importing it
if TYPE_CHECKING:
    from rulewright.dsl.files.disk import shelf
    from rulewright.dsl.frontend.frontend import Compilation, compile_game
    from rulewright.dsl.text.codes import Severity
    from rulewright.dsl.text.diagnostics import Diagnostic, Label, RulesError
    from rulewright.dsl.text.render import render
    from rulewright.dsl.text.source import Span
    from rulewright.interpreter.agents.agent import Agent, RandomAgent, ScriptedAgent, play
    from rulewright.interpreter.agents.arena import Arena, ArenaGame, Standing, arena
    from rulewright.interpreter.agents.errors import AgentError
    from rulewright.interpreter.agents.greedy import GreedyAgent
    from rulewright.interpreter.agents.intervals import Estimate
    from rulewright.interpreter.agents.rollouts import Rollouts
    from rulewright.interpreter.agents.search import SearchAgent, Thought, Weighed
    from rulewright.interpreter.agents.seat import Seat
    from rulewright.interpreter.agents.specs import make_agent
    from rulewright.interpreter.engine.actions import Action, Decision, Outcome
    from rulewright.interpreter.knowledge.action_numbers import ActionNumbers, NumberedSite
    from rulewright.interpreter.knowledge.information_state import Answer
    from rulewright.interpreter.knowledge.observation_vector import ObservationVector, VectorPart
    from rulewright.interpreter.play.api import Game, State, load_game
    from rulewright.interpreter.play.loading import NotPlayableError, OptionError, PlayersError
    from rulewright.interpreter.play.playout import Playout, Spread, Statistics, playout, statistics
    from rulewright.interpreter.play.record import (
        load as load_state,
        played as replay,
        save as save_state,
    )
    from rulewright.interpreter.play.replay import Difference, Replay
    from rulewright.interpreter.play.save_format import Saved, read as read_save
    from rulewright.interpreter.play.simulation import Result, Simulation
    from rulewright.interpreter.play.why import Explanation
    from rulewright.interpreter.program.scoring import SheetLine
    from rulewright.interpreter.state.errors import (
        AmbiguousActionError,
        IllegalActionError,
        InvalidActionError,
        KnowledgeError,
        PlayError,
        RecordError,
    )
    from rulewright.interpreter.state.random import Generator
    from rulewright.interpreter.testing.verify import verify
    from rulewright.interpreter.words.translation import LanguageError

    __version__: str
else:
    # A type checker that saw this function would believe that the package has every name.
    def __getattr__(name):
        from importlib import import_module

        if name == "__version__":
            from importlib.metadata import version

            found = version("rulewright")
        elif name in _HOMES:
            module, _, original = _HOMES[name].partition(":")
            found = getattr(import_module(f"rulewright.{module}"), original or name)
        else:
            raise AttributeError(f"module 'rulewright' has no attribute {name!r}")
        globals()[name] = found
        return found


_HOMES = {
    "Action": "interpreter.engine.actions",
    "ActionNumbers": "interpreter.knowledge.action_numbers",
    "Agent": "interpreter.agents.agent",
    "AgentError": "interpreter.agents.errors",
    "AmbiguousActionError": "interpreter.state.errors",
    "Answer": "interpreter.knowledge.information_state",
    "Arena": "interpreter.agents.arena",
    "ArenaGame": "interpreter.agents.arena",
    "Compilation": "dsl.frontend.frontend",
    "Decision": "interpreter.engine.actions",
    "Diagnostic": "dsl.text.diagnostics",
    "Difference": "interpreter.play.replay",
    "Estimate": "interpreter.agents.intervals",
    "Explanation": "interpreter.play.why",
    "Game": "interpreter.play.api",
    "Generator": "interpreter.state.random",
    "GreedyAgent": "interpreter.agents.greedy",
    "IllegalActionError": "interpreter.state.errors",
    "InvalidActionError": "interpreter.state.errors",
    "KnowledgeError": "interpreter.state.errors",
    "Label": "dsl.text.diagnostics",
    "LanguageError": "interpreter.words.translation",
    "NotPlayableError": "interpreter.play.loading",
    "NumberedSite": "interpreter.knowledge.action_numbers",
    "ObservationVector": "interpreter.knowledge.observation_vector",
    "OptionError": "interpreter.play.loading",
    "Outcome": "interpreter.engine.actions",
    "PlayError": "interpreter.state.errors",
    "PlayersError": "interpreter.play.loading",
    "Playout": "interpreter.play.playout",
    "RandomAgent": "interpreter.agents.agent",
    "RecordError": "interpreter.state.errors",
    "Replay": "interpreter.play.replay",
    "Result": "interpreter.play.simulation",
    "Rollouts": "interpreter.agents.rollouts",
    "RulesError": "dsl.text.diagnostics",
    "Saved": "interpreter.play.save_format",
    "ScriptedAgent": "interpreter.agents.agent",
    "SearchAgent": "interpreter.agents.search",
    "Seat": "interpreter.agents.seat",
    "Severity": "dsl.text.codes",
    "SheetLine": "interpreter.program.scoring",
    "Simulation": "interpreter.play.simulation",
    "Span": "dsl.text.source",
    "Spread": "interpreter.play.playout",
    "Standing": "interpreter.agents.arena",
    "State": "interpreter.play.api",
    "Statistics": "interpreter.play.playout",
    "Thought": "interpreter.agents.search",
    "VectorPart": "interpreter.knowledge.observation_vector",
    "Weighed": "interpreter.agents.search",
    "arena": "interpreter.agents.arena",
    "compile_game": "dsl.frontend.frontend",
    "load_game": "interpreter.play.api",
    "load_state": "interpreter.play.record:load",
    "make_agent": "interpreter.agents.specs",
    "play": "interpreter.agents.agent",
    "playout": "interpreter.play.playout",
    "read_save": "interpreter.play.save_format:read",
    "render": "dsl.text.render",
    "replay": "interpreter.play.record:played",
    "save_state": "interpreter.play.record:save",
    "shelf": "dsl.files.disk",
    "statistics": "interpreter.play.playout",
    "verify": "interpreter.testing.verify",
}
"""The module of each name, and what it is called there if that is something else."""

__all__ = [
    "Action",
    "ActionNumbers",
    "Agent",
    "AgentError",
    "AmbiguousActionError",
    "Answer",
    "Arena",
    "ArenaGame",
    "Compilation",
    "Decision",
    "Diagnostic",
    "Difference",
    "Estimate",
    "Explanation",
    "Game",
    "Generator",
    "GreedyAgent",
    "IllegalActionError",
    "InvalidActionError",
    "KnowledgeError",
    "Label",
    "LanguageError",
    "NotPlayableError",
    "NumberedSite",
    "ObservationVector",
    "OptionError",
    "Outcome",
    "PlayError",
    "PlayersError",
    "Playout",
    "RandomAgent",
    "RecordError",
    "Replay",
    "Result",
    "Rollouts",
    "RulesError",
    "Saved",
    "ScriptedAgent",
    "SearchAgent",
    "Seat",
    "Severity",
    "SheetLine",
    "Simulation",
    "Span",
    "Spread",
    "Standing",
    "State",
    "Statistics",
    "Thought",
    "VectorPart",
    "Weighed",
    "__version__",
    "arena",
    "compile_game",
    "load_game",
    "load_state",
    "make_agent",
    "play",
    "playout",
    "read_save",
    "render",
    "replay",
    "save_state",
    "shelf",
    "statistics",
    "verify",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
