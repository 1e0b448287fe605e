"""The intermediate form: action graphs, and the lists of operations that run.

In: the blocks of verbs and amendments. Out: for each verb a graph of operations, as text for other
programs, and what a machine runs.

    rulewright graph GAME VERB    # what it looks like

Open `action_graph` first (what a node and an edge are). `lower` makes nodes of steps, `lower_powers` of
the powers of things, and `builder` joins them; `machine` walks the operations, `export` draws them.
Where none is a rules error is said by `needs`, which answers everybody hears by `answers_aloud`.
"""
