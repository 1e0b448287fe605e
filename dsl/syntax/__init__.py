"""Rule text to syntax tree, or messages in the words of its author.

In: a `Source`. Out: `nodes.File`, every node with its span; what cannot be read is told, and the
rest is read.

    parse(source)    # a tree and diagnostics

The way: `parser`, `parse_tree` (Lark), `build_items`; if Lark gives up, `recovery` and `messages`.
The nodes are declared in `expressions`, `statements` and `items`, and handed on by `nodes`. Only
`dsl` knows these trees.
"""
