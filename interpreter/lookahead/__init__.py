"""Look-ahead: which answers can be carried to the horizon, and why the others cannot.

In: an open decision and an answer. Out: yes, no with reasons, or: not to be known.

    alive(program, store, option)

Open `lookahead` first, then `search`, which tries answers out on the store. Selections are not tried out
but decided by what their conditions are made of: `completions` and `reachable_totals` for sums and
counts, `ordered_selections` for orders, `later_requirements` for what stands behind the question.
`safe_decisions` need none of it; `reasons` say what was not met.
"""
