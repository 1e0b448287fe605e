"""What a loaded game offers to programs that learn: numbers of answers, and what is seen as floats.

Neither is loaded before somebody asks for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.interpreter.program.program import Program

if TYPE_CHECKING:
    from rulewright.interpreter.knowledge.action_numbers import ActionNumbers
    from rulewright.interpreter.knowledge.observation_vector import ObservationVector


class Encodings:
    """Base of `api.Game`."""

    program: Program

    @property
    def action_numbers(self) -> ActionNumbers:
        """A number for every answer that the game can ask for, the same in every state and process."""
        from rulewright.interpreter.knowledge.action_numbers import action_numbers

        return action_numbers(self.program)

    @property
    def observation_vector(self) -> ObservationVector:
        """What makes one flat vector of floats of what a player sees."""
        from rulewright.interpreter.knowledge.observation_vector import observation_vector

        return observation_vector(self.program)
