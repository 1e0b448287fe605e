"""Names: which declaration a word means.

In: the syntax trees of a game, its modules and variants. Out: a `World` of declarations, whose
bodies are still unread, and the set of variants that take part.

    declare(world, …)    # fields, verbs, defines by their ids

Open `symbols` first (what a declaration is and how a name is found), then `declarations`.
"""
