"""The table in a browser: one for every game, for friends who join by a link.

In: a game, who sits where, and what browsers send. Out: pages, and a file in which nothing is lost.

    rulewright serve GAME

Open `app` first: which addresses there are, and to whom a request goes. It runs no rules: each table belongs to one
of a few processes (`workers`, asked by way of `driver` and in the words of `exchange`), where `desk` has the tables (`table`, made
by `opening` of `games`) and writes all that is done to the file (`storage`). Agents think in others (`thinking`). Pages hear of it
by `news`. How much strangers may ask: `limits`, `guard`, `bodies`. Links: `tokens`; what is said to people: `messages`;
the program itself: `serving`.

What a browser is shown: `pages`, a function for each page, of plain data; no server is needed for them. What stands
where: `arrangement`, for maps `boards`, in the colours of `colours`. Templates are filled in by `rendering`, with texts of
`own_words`; the rule book comes from `rulebook`, and `forms` reads what is sent back.
"""
