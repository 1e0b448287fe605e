"""Our games in other libraries.

In: a game, by its name or path, with players, variants and options. Out: a game of the other library.

    game = load_game("kuhn_poker"); game.new_initial_state()

Each needs the package for which it is (an extra of ours), and nothing imports it but who uses it:
the interpreter installs and plays without any of them. Open `extent` first: what such libraries want to be told
of a game before it is played. `openspiel` makes games of nodes (`nodes`), in which what a player remembers is
a digest (`recall`), and what chance brings that comes to the same is one (`outcomes`). `pettingzoo` makes environments, whose pictures `raster` turns into pixels.
"""
