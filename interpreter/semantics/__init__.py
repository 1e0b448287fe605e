"""What each construct means when it is executed.

In: expressions and statements of the model. Out: closures over a store, a player and the locals.

    count(my.hand)    # a function from a state to a number

Open `evaluate` first; each family of constructs has a module (`reads`, `lists`, `calls`, `scalars`,
`effects`), events and labels say what happened and what a thing is called.
"""
