"""Bodies: from syntax to checked expressions and statements.

In: a piece of syntax and the context it stands in. Out: a node of `dsl/model` with its type, or
diagnostics.

    1 + my.coins    # model.Arithmetic, type number

Open `context` first (what is known at a place), then `operators` for expressions and `statements`
for steps; each other module reads one family of constructs.
"""
