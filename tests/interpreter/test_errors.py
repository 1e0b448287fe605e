"""A rules error says where the rules are wrong and what was running."""

import handmade as h

from rulewright.interpreter.state.errors import PlayError, RunningRule


def test_the_rule_stack_is_part_of_the_message() -> None:
    error = PlayError("RW708", h.SPAN, name="rest")
    inner = RunningRule("scan", h.SPAN.slice(0, 4))
    outer = RunningRule("turn", h.SPAN.slice(5, 8))
    error.at([inner, outer], ["Rules, Scan"]).at([outer])
    message = error.diagnostic()

    assert message.headline == "`rest` is full"
    assert [label.text for label in message.secondary] == ["in scan", "in turn"]
    assert message.rule == ("Rules, Scan",)
    assert "RW708" in str(error)
