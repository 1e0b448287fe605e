"""The front end: rule text in, a checked game or diagnostics out.

In: the name of a game, a folder or a file, and the titles of variants. Out: a `Compilation`: the
model of the game, or none, and what is wrong.

    compile_game("kuhn_poker", ["Some variant"])    # dsl/frontend/frontend.py

The passes are the folders: `files`, `syntax`, `resolve`, `typecheck`, `link`, `checks`; `frontend`
calls them. All use `text` and `model`; `analysis` answers questions about a checked game, `tools`
serves authors. `dsl/README.md` says which file answers which question. Nothing here imports the
interpreter.
"""
