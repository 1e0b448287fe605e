"""Text and messages: where something stands in a file, and what is said about it.

In: the text of a file. Out: `Source` and `Span` (places), `Diagnostic` (what is wrong, as a value),
lines for people, editors and programs.

    diagnostic("RW201", span, "unknown name", name="cofee")    # a message, not an exception

Open `source` first, then `diagnostics`. A new message is a row in `codes` and a page in
`hints/`; how messages look is `render`; which name was probably meant, `suggest`.
"""
