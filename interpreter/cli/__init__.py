"""The commands.

In: the arguments of the command line. Out: text, and an exit status: 0 fine, 1 the rules are wrong,
2 wrong usage.

    rulewright check kuhn_poker

Open `main` first (the list of commands), then `arguments` (what they share). A command is in the module of
its name: `check`, `play` (with `state` and `why`), `playout`, `arena`, `serve`, `rules`, `coverage`, `new`; `list`
and `explain` in `shelf`, `graph` and `build` in `compiled`. What commands that play many games print alike is
in `reports`. Saved games are opened by `replay`, all legal sets
of variants linked by `variant_sets`. A command imports what reads rules when it runs.
"""
