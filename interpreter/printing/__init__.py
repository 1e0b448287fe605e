"""Expressions and effects as Python text, for generated code.

In: nodes of the model. Out: Python that does what the closures of `semantics/` do.

    rulewright graph GAME --format python    # all of it

Open `emit` first; each `emit_values` or the like prints one family of constructs, and the others make
what is printed shorter. `templates` makes syntax trees, `moving` is what generated code calls.
"""
