"""Questions about a checked game, each asked by several checks or by the interpreter.

In: a `model.Game` or a piece of it. Out: facts, never messages.

    effects_of(game).reads(expression)    # the fields that it reads; also what is written, asked, drawn

Open `effects` first. Who sees what an expression reads: `hidden_reads`, `proofs`, `openness`. What
changes hands in a step: `handovers`. Which verb a value is: `verb_values`. Whether two guards
exclude each other: `exclusive_guards`. Whether a decision has an option for sure, by what is known to hold: `sure_options`. What a
rule means, whatever it looks like: `meaning`. What an expression stands for and what is known of it at a
place: `terms`; which names stand for something hidden: `hidden_names`. Whether the order of a list matters:
`list_order`. Questions that play has to look at once more: `watched_questions`.
"""
