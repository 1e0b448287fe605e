"""Expressions and effects as Python text, for generated code.

In: nodes of the model. Out: Python that does what the closures of `semantics` do.

    rulewright graph GAME --format python    # all of it

Open `emit` first; `emit_X` prints what module X of `semantics` executes.
"""
