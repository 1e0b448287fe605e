"""Games put to the test: examples, checks, random games, coverage.

In: a linked game. Out: diagnostics.

    rulewright check GAME --playouts 5

Open `verify` first. Worked examples: `examples`, set up by `givens` and answered by `scripting`; which
variant is to blame when one fails: `blame`; how it is written anew: `repair` (with `answer_readings`)
and `restate`. Checks in play: `invariant_checks`. What random games have run: `coverage`, of the points
in `coverage_points`; who saw what in them: `visibility_counts`.
"""
