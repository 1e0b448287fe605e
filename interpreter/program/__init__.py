"""A loaded game: what it asks, of whom, and with which options.

In: a linked game as operations, and a `Store`. Out: the open decision, its options as they stand
before any look-ahead, and what an answer writes; several players at once are branches of one state.

    options(program, store)

Open `program` first, then `questions` (what a step asks) and `decisions` (what is offered, and what an
answer does). Going from verb to verb: `calls`. Several players at once: `branches`. Watched conditions:
`watches`. Who has won, ranking and ties: `scoring`. Options that a player cannot tell apart:
`equivalent_options`. Conditions on a whole selection: `aggregates`; when something in them is hidden:
`three_valued_logic`. Amounts for several targets: `distribution`. The zones where items lie: `origins`.
What holds `until` something ends: `until`. Values as plain data: `encoding`, branches: `branch_codec`. What
must hold in every state: `invariants`.
"""
