"""What is said to people, in their language.

In: words of the engine and of the rules. Out: the same in another language (`phrases/*.csv`), and
small help for texts.

    words("{name} is full")    # as the person at the table reads it

Open `translation` first.
"""
