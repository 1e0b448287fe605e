"""Rule text to syntax tree, or messages in the words of its author.

In: a `Source`. Out: a `File` of nodes, each with its span; what cannot be read is told, and the rest
is read.

    parse(source)    # a tree and diagnostics

Open `parser` first. A new construct: `grammar.lark`; its node in `expressions`, `statements` or
`items` (handed on by `nodes`); how the node is built in `build_items` and its sisters. `parse_tree`
is all there is of Lark. If Lark gives up, `recovery` reads the file item by item (`logical_lines` says
where they begin), and `messages` finds the words for a line that cannot be read, with `common_slips` and
`foreign_words`. The sisters of `build_items`: `build_base`, `build_expressions`, `build_statements`.
`node` is the base of all nodes, `visitor` walks them. Only `dsl` knows these trees.
"""
