"""The state of a game, and what it is made of.

In: a linked game and a number of players. Out: a `Layout` of columns, and a `Store` that holds
their values, the stack of running verbs, the log and the generator: the only thing that changes in
play.

    store.columns[number][entry]    # one value

Open `values` first, then `layout` (where everything stands) and `store`. Who sees it: `visibility`.
Random numbers: `random`. What has happened: `log`. What runs, and branches of several players: `frames`.
Things that come and go: `created_things`. Whether two stores hold the same: `position_key`. Everything that the
interpreter raises, and its limits: `errors`.
"""
