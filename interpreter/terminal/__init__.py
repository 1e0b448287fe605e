"""The table in a terminal: one for every game.

In: a game and who sits there. Out: what each person sees, menus, maps, what happened.

    rulewright play GAME

Open `repl` first (the prompt, its menu and commands), then `session` (who may see what). What is asked: `menus`. What is typed:
`replies`, `commands`, `hints`. What lies on the table: `table`; maps: `maps`, then `board` for text or `svg` for
a picture, with the letters of `map_symbols`. Where lines break: `screen`; colours and keys: `console`.
How a game ended: `ending`; which games there are: `shelf`. A game between programs: `transcript`. How a
command ends: `status`.
"""
