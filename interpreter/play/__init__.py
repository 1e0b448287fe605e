"""The API: games, states and actions for programs, and all that is kept of a game.

In: the name of a game. Out: states that can be asked, answered, observed, saved and replayed.

    game = load_game("kuhn_poker"); state = game.new_initial_state(seed=1)

Open `api` first; `observation` and `information_state` say what a player sees and knows, `record`
and `replay` are saved games, `playout` random ones.
"""
