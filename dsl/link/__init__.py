"""One model out of many files: the game, its modules and the variants that are on.

In: a `World`. Out: `model.Game`, in which every amendment hangs where it acts.

    before fly …    # in a variant: a part of that verb from here on

Open `link` first; `amendments` puts them in their places, `outcome` reads how a game ends.
"""
