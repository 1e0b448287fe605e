"""What a machine runs: the lists of operations that are made of action graphs (`dsl/ir`).

    rulewright graph GAME VERB    # what the graphs look like

Open `machine` first (what an operation is, and the loop that walks them). `export` draws graphs; which answers
everybody hears is said by `answers_aloud`.
"""
