"""Questions about a checked game, each asked by several checks or by the interpreter.

In: a `model.Game` or a piece of it. Out: facts, never messages.

    Flow(game).reads(expression)    # the fields that it reads; also what is written, asked, drawn

Open `effects` first; `hidden_reads` and `proofs` say who sees what an expression reads, `meaning`
what a rule means.
"""
