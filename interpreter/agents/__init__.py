"""Who decides for a seat at which nobody sits.

In: what a seat may know. Out: an answer, and whole games and matches between agents.

    arena(game, ["search:800", "random"], seeds=range(20)).standings

Open `agent` first: what an agent is, and those that need no knowledge of the game. `seat` is what an agent gets
instead of the state, `evaluation` says what results are worth. `greedy` looks one answer ahead, `search` is
information-set Monte Carlo tree search. Agents by their names: `specs`. Matches: `arena`, and how sure
they are: `intervals`; whether playouts came to an end: `rollouts`; in several processes: `processes`. What cannot be asked for is said by `errors`.
"""
