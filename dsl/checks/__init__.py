"""Rules about a checked game that go beyond types: one file for each subject.

In: a linked game with its context. Out: diagnostics; no check stops another.

    check_all(context)    # each in turn reports into the context

Open `all_checks` first: it lists the functions that are run, so a new check is a file here and a row
there. The larger ones: `visibility` (who must see what), `reachability`, `empty_choices` (decisions that
may have no option), `simultaneous`, `variant_conflicts`, `citations`, `unread` (declarations without
effect). The smaller: `idle_rules` (that change nothing), `unset_names` (where blocks are replaced),
`offers` (that end or never open; `offers_in_branches` also answers the interpreter), `can_cycles`,
`neutral_players`. What a check needs to know about a game, and others as well, is asked in `analysis/`.
"""
