"""The table as a seat sees it, as data for a page.

In: a state and a seat, and what the seat sends. Out: all that it is shown, and the state after its answer.

    tableau(state, 0, handles).question.options

Open `tableau` first: a state -> what a seat is shown. What each part of that has to say, also as JSON:
`view_model`. Things and zones: `things`, the values of their fields: `facts`; boards and rings: `drawn`. What is
asked: `questions`, where an option would change something: `touches`, why something is not possible: `reasons`.
The log: `entries`, with what can have been `followed`; how a game came out: `ending`. What a table keeps for a seat from one view to the next:
`handles`, and how its own count goes on: `noticing`. What a seat sends: `answers`.
"""
