"""Bodies: from syntax to checked expressions and statements.

In: a piece of syntax and the context it stands in. Out: a node of `dsl/model` with its type, or
diagnostics.

    1 + my.coins    # model.Arithmetic, type number

Open `context` first (what is known at a place, and the tools to read on). Each module reads one family:
`operators`, `names`, `fields`, `calls`, `lists` read expressions; `statements`, `choices`, `core_verbs`
(also steps whose verb nobody knows), `creation`, `pause` read steps; `places` what a step writes to,
`block_writes` what whole blocks write; `defines` their bodies; `examples` their lines. Components:
`tables` (rows and columns), `sheets` (cells, CSV files), `formulas` (cells that are worked out),
`enumeration_tables`. Amendments that hold for a time: `until`, `during`, and `powers` of things. What a
word stands for is found by `name_lookup`, what is known not to be none by `facts`, what never varies by
`constants`.
"""
