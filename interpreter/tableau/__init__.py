"""The table as a seat sees it, as data for a page.

In: a state and a seat, and what the seat sends. Out: all that it is shown, and the state after its answer.

    tableau(state, 0, handles).question.options

Open `tableau` first: a state -> what a seat is shown. What each part of that has to say, also as JSON:
`view_model`. What a table keeps for a seat from one view to the next: `handles`. What a seat sends: `answers`.
"""
