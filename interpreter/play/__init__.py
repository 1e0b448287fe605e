"""The API: games, states and actions for programs, and all that is kept of a game.

In: the name of a game. Out: states that can be asked, answered, observed, saved and replayed.

    game = load_game("kuhn_poker"); state = game.new_initial_state(seed=1)

Open `api` first; what a user asks for is read by `loading`, what an answer does to the past of a state
is in `course`. What happened, in words: `history`. Saved games: `record`, `save_format` (their form) and `replay`. Bytes: `snapshot`,
`pack`. Taking back: `undo`, `learning`. Random games: `playout`. For programs that search: `simulation`; that learn:
`encodings`. Why something is possible or not: `why`.
"""
