"""Look-ahead: which answers can be carried to the horizon, and why the others cannot.

In: an open decision and an answer. Out: yes, no with reasons, or: not to be known.

    alive(program, store, option)

Open `lookahead` first. Selections are not tried out but decided by what their conditions are made
of: `totals` and `growing` for sums and counts, `orders`, `numbers_ahead` and `needs_ahead` for what
stands behind the question.
"""
