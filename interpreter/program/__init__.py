"""A loaded game: what it asks, of whom, and with which options.

In: a linked game as operations, and a `Store`. Out: the open decision, its options as they stand
before any look-ahead, and what an answer writes; several players at once are branches of one state.

    options(program, store)

Open `program` first, then `questions` (what is asked) and `decisions` (what is offered); `branches`
for `together`.
"""
