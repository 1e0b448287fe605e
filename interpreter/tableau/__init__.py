"""The table as a seat sees it, as data for a page.

| module | what it does |
| --- | --- |
| `tableau` | a state and a seat -> all that it is shown |
| `view_model` | what each part of that has to say; as JSON |
| `handles` | what a table keeps for a seat: names of things, its own count |
| `answers` | what a browser sends -> the state then, or a mistake |
"""
