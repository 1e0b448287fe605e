"""Running a game: from one decision to the next.

In: a linked game, players and options (`load`, `setup`); then answers. Out: the store at the next
decision, or the end.

    advance(program, store)    # up to the next question

Open `load` and `executor` first; `setbacks` takes dead ends back that no look-ahead has foreseen.
"""
