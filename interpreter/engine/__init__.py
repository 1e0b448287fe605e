"""Running a game: from one decision to the next.

In: a linked game, players and options; then answers. Out: the store at the next decision, or the end.

    answer(program, store, value)    # what it writes, and on to the next question

Open `executor` first. `load` makes a program out of a game, and `control` runs branches, loops and
requirements; `setup` makes the things and the first state. `actions` are the answers with numbers and
labels, `whole_selections` makes single answers of an answer that names several things. `setbacks` takes
back dead ends that no look-ahead has foreseen, and `neutral` decides for players without a seat.
"""
