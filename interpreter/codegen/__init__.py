"""Generated code for whole ways through the rules, from a decision to the next.

In: a loaded game and where it stands. Out: functions that play on, look ahead and pick.

    generate(program)    # what the fast way of the program consists of

Open `generated` first, then `tracks` (ways that are played), `emit_probes` (ways that are only
tried), and `lane` (playing on both). What a game is worth at its end says `ending_values`, how long
writing may take `writing_budget`.
"""
