"""Expressions and effects as Python text, for generated code.

In: nodes of the model. Out: Python that does what the closures of `semantics` do.

    rulewright graph GAME --format python    # all of it

Open `emit` first; each `emit_X` prints one family of constructs, or makes what is printed shorter.
"""
