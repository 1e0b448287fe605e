"""What a machine runs: the lists of operations that are made of action graphs (`dsl/ir`).

In: a plan, the action graph of a verb as plain data. Out: what a machine runs, or text for other programs.

    rulewright graph GAME VERB    # what the graphs look like

Open `machine` first (what an operation is, and the loop that walks them). `export` writes
graphs for other programs, `drawing` as a picture; which answers
everybody hears is said by `answers_aloud`.
"""
