"""Generated code compiled by mypyc, for many random games.

In: a loaded game. Out: a library in the user's cache folder, and the same game played by it.

    rulewright build GAME --players 4

Open `native` first (using a library), then `building` (making one).
"""
