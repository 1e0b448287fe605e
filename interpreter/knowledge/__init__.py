"""What a player can know of a game.

In: a loaded game, a state, a player. Out: what he can tell of it, and nothing else.

    unseen = unseen_zones(program, store, program.layout.players[0])

Open `sight` first: what a player does not see. Numbers of answers: `action_numbers` (the table),
`action_sites` (which codes a decision has), `action_codes`, `bounds`. What is seen, as floats:
`observation_vector`, with `vector_values` and `seen_things`.
"""
