"""The intermediate form: action graphs.

In: a checked game. Out: for each verb and watched condition a graph of what it does, with everything that amends
it spliced in.

    plans_of(game)["turn"]    # the nodes of a verb, and the edges between them

Open `nodes` first (what there is in a graph), then `action_graph`. `lower` makes nodes of steps, `lower_powers` of
the powers of things, and `builder` joins them. Where none is a rules error is said by `needs`. Questions about
graphs: `graph` asks networkx, for checks and drawings. What needs no library play asks, too: `dominators`, and by
`dataflow` which locals are still read (`live_locals`), who may have written them (`definitions`), what can
fail (`certainty`), and what is known to hold (`known_facts`). What a drawing says of all that: `notes`.
"""
