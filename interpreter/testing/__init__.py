"""Games put to the test: examples, checks, random games, coverage.

In: a linked game. Out: diagnostics.

    rulewright check GAME --playouts 5

Open `verify` first; `examples` runs worked examples, `restate` writes what a variant changes in
them.
"""
