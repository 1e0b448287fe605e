"""The front door: from what a user names to a checked game.

In: the name of a game or file, and variants. Out: a `Compilation`: a model, or what is wrong.

    compile_game("kuhn_poker")    # parse, resolve, type check, link, check, report

Open `frontend` first: all passes in a row. `report` makes one message of one mistake (a name that is
misspelt everywhere, say, or that several variants read); `consequences` leaves out what only follows from
another message, `lost_names` what a line would have declared that cannot be read. `checked_cache` and
`parsed_cache` keep what was read before (`files/disk` says when that is out of date); `translations` reads
a game's texts in other languages.
"""
