"""Who decides for a seat at which nobody sits.

In: a state that waits for an answer. Out: an answer, and whole games between agents.

    play(game.new_initial_state(seed=1), [RandomAgent(1), RandomAgent(2)])

Open `agent` first: what an agent is, and those that need no knowledge of the game. `seat` is what it gets
instead of the state, and `evaluation` says what results are worth. `greedy` looks one answer ahead, `search`
is information-set Monte Carlo tree search.
"""
