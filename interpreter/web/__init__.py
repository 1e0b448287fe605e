"""The table in a browser: one for every game, for friends who join by a link.

In: a game, who sits where, and what browsers send. Out: pages, and a file in which nothing is lost.

    rulewright serve GAME

The event loop never runs rules: each table belongs to one of a few worker processes. Open `tokens` first: what a
link is, and what is kept of it. How much strangers may ask: `limits`.

What a browser is shown: `pages`, a function for each page, of plain data; no server is needed for them. What stands
where: `arrangement`, for maps `boards`, in the colours of `colours`. Templates are filled in by `rendering`, with texts of
`own_words`; the rule book comes from `rulebook`, and `forms` reads what is sent back.
"""
