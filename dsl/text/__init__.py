"""Text and messages: where something stands in a file, and what is said about it.

In: the text of a file. Out: `Source` and `Span` (places), `Diagnostic` (what is wrong, as a value),
lines for a terminal.

    diagnostic("RW201", span, "unknown name", name="cofee")    # a message, not an exception

Open `source` first, then `diagnostics`; `codes` has a row for each message, `hints/` a page.
"""
