"""What is said to people, in their language.

In: words of the engine and of the rules. Out: the same in another language (`phrases/*.csv`), and
small help for texts.

    words("{name} is full", name=pile)    # as the person at the table reads it

Open `translation` first. A new sentence is said by way of `Words` and gets a row in each language;
lists of names, counted things, and what may be printed at all are in `text`.
"""
