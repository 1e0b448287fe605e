"""How something came about, in the words of the rules.

In: a condition or value, and who looks. Out: its parts with their values, the sections of the
rule book.

    why land_and_claim    # at the table

Open `viewpoint` first (nothing is told that its reader may not see). What a requirement came to:
`findings`. By which amendments a value is what it is: `breakdown`. What the rule book says: `citations`.
"""
