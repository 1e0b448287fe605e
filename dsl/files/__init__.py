"""Everything that touches the disk: rule files, the library, writing, the user's cache folder.

In: paths and names. Out: texts, folders of games, the sections of a restated rule book; nothing
outside of a game's folder and the library is ever read, and no file is ever half written.

    find_target("kuhn_poker")    # its folder and game file, or a diagnostic

Open `disk` first: each question to the disk, with a record of its answer. What a name means is
`library`, what can be made again is kept by `cache`, and rule books are read by `rulebook_sections`.
"""
