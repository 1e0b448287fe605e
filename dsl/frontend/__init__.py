"""The front door: from what a user names to a checked game.

In: the name of a game or file, and variants. Out: a `Compilation`: a model, or what is wrong.

    compile_game("kuhn_poker")    # parse, resolve, type check, link, check, report

Open `frontend` first; `report` makes one message of one mistake, `checked_cache` keeps games that
have been checked.
"""
