"""The intermediate form: action graphs, and the lists of operations that run.

In: the blocks of verbs and amendments. Out: for each verb a graph of operations (`action_graph`),
as text for other programs (`export`), and what a machine runs (`machine`).

    rulewright graph GAME VERB    # what it looks like

Open `action_graph` first; `lower` makes nodes of steps, `builder` joins them.
"""
