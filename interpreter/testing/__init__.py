"""Games put to the test: examples, checks, random games, coverage.

In: a linked game. Out: diagnostics.

    rulewright check GAME --playouts 5

Open `verify` first. Worked examples: `examples`, set up by `givens` and answered by `scripting`; whose
they are to mend, `blame`, and how they read then, `repair` (with `answer_readings`) and `restate`.
Checks in play: `invariant_checks`. What random games came by: `coverage`, of the points in
`coverage_points`; who saw what in them: `visibility_counts`.
"""
