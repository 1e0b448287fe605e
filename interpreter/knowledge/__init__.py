"""What a player can know of a game.

In: a loaded game, a state, a player. Out: what he can tell of it, and nothing else.

    other = Knowledge(program, store, player).sample(generator)

Open `determinization` first: a state that a player cannot tell from the real one. What he does not see is
in `sight`, what he can take for what in `mixing`, which `past` reads from the log (things that he sees again:
`sightings`; what stands on things: `attributes`; what fields point at: `references`); the other state is written by
`rewriting` and `renaming`.
Hidden numbers and choices come from the game played once more (`replays`, `joins`), or are guessed (`guesses`; things by
where they lie: `locations`). So do values that running verbs hold (`secret_locals`;
which they are: `secret_flow`; `guessed_locals`, `possible_values`); what he is asked must be the same (`asked`), and the rules must be able to go on (`running`).

What he sees now is his `observation`, what he has noticed and answered so far his `information_state`.
Numbers of answers: `action_numbers` (the table), `action_sites` (which codes a decision has), `action_codes`,
`bounds`. What is seen, as floats: `observation_vector`, with `vector_values` and `seen_things`.
"""
