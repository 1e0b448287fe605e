"""Names: which declaration a word means.

In: the syntax trees of a game, its modules and variants. Out: a `World` of declarations, whose
bodies are still unread, and the set of variants that take part.

    declare(world, variants, examples, find_module)    # fields, verbs, defines by their ids

Open `symbols` first (what a declaration is, and which is nearest), then `declarations` (how they are
collected). Each `use` of a module is an instance of it: `modules`. Which variants take part, and in
which order, is decided in `variants`; which examples speak then, in `example_speakers`. Types as they
are written are read by `type_names`.
"""
