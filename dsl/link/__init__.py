"""One model out of many files: the game, its modules and the variants that are on.

In: the files that take part. Out: `model.Game`, in which every amendment hangs where it acts, and the
`World` of what was declared.

    before fly ...    # in a variant: a part of that verb from here on

Open `link` first: it calls the type checker for each body, in order. `amendments` puts `change`,
`before`, `after` and their like in their places, `fields` reads declarations of fields, `outcome` how a
game ends, and `loading_order` what must be known before what.
"""
