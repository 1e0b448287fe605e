"""The table in a terminal: one for every game.

In: a game and who sits there. Out: what each person sees, menus, maps, what happened.

    rulewright play GAME

Open `repl` first, then `session`; `table` and `board` draw, `replies` and `commands` read what is
typed.
"""
