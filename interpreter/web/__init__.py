"""The table in a browser: one for every game, for friends who join by a link.

In: a game, who sits where, and what browsers send. Out: pages, and a file in which nothing is lost.

    rulewright serve GAME

Open `app` first: which addresses there are; what they do is in `table_routes` and `new_table_routes`, with what they share in
`routing`. None of it runs rules: each table belongs to one of a few processes (`workers`, asked by way of `dispatcher` and in the
words of `exchange`), where a `table_worker` has the tables (`table`, made by `new_tables` of `games`) and writes all that is done
to the file (`storage`). Agents think in others (`thinking`). Pages hear of it by `news`. How much strangers may ask: `limits`,
`guard`, `request_bodies`. Links: `tokens`, and `public_url` behind a proxy; what is said to people: `messages`; the program
itself: `serving`, which has its folder for itself (`folder_lock`) and ends `connections` that say nothing.

What a browser is shown: `pages`, a function for each page, of plain data; no server is needed for them. What stands
where: `arrangement`, for maps `boards` and `rings`, in the colours of `colours`. Templates are filled in by `rendering`, with texts of
`own_words`; the rule book comes from `rulebook`, and `forms` reads what is sent back.
"""
