"""What authors ask for: the rules as they are with variants, and files to start from.

In: a linked game. Out: text.

    rulewright rules GAME --variant V    # the effective rule book

Open `effective_rulebook` first; where amendments stand in it is `effective_text`. The others serve one
command each: `book_coverage` (coverage), `scaffold` and `amendable` (new variant).
"""
