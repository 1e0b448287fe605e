"""What each construct means when it is executed.

In: expressions and effects of the model. Out: closures over a store, a player and the locals.

    count(my.hand)    # a function from a state to a number

Open `evaluate` first, then `closures` (the shape of compiled code). Each family of expressions has a
module: `scalars`, `fields`, `lists`, `filters`, `calls`, `places`, and `builtins` for the core functions.
What steps write is in `effects`, `create` and `destroy` in `lifetime`. `events` draw (also which card of an
undecided pile comes), and say what happened and who may know it; `labels` say what a thing is called;
`memo` remembers what defines say.
"""
