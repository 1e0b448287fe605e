"""The back end: a checked game in; games that are played, explained and recorded out.

In: a game from `dsl`, a number of players, options. Out: states.

For programs there is `import rulewright` (`public`), described in `interpreter/API.md`.

    state = load_game("kuhn_poker").new_initial_state(seed=1)

The way of a game: `ir` makes graphs of its verbs, `semantics` closures of its expressions, `program` holds
both; `engine` runs from one decision to the next on a store (`state`), and `lookahead` says which answers
live. `printing`, `codegen` and `native` do the same faster. `play`, `testing`, `terminal` and `cli` are
what is used. `interpreter/README.md` says which file answers which question. Nothing is imported here, so
that the command line starts at once.
"""
