"""Who decides for a seat at which nobody sits.

In: a state that waits for an answer. Out: an answer, and whole games between agents.

    play(game.new_initial_state(seed=1), [RandomAgent(1), RandomAgent(2)])

Open `agent` first: what an agent is, and those that need no knowledge of the game.
"""
