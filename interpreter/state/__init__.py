"""The state of a game, and what it is made of.

In: a linked game and a number of players. Out: a `Layout` of columns, and a `Store` that holds
their values, the stack of running verbs, the log and the generator: the only thing that changes in
play.

    store.columns[number][entry]    # one value

Open `values` first, then `layout` and `store`; `visibility` says who sees it, `random` is the
generator.
"""
