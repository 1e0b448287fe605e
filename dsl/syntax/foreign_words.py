"""Words and signs: which ones begin a line, and what authors bring along from other languages.

They are looked up only for a line that cannot be read, so all foreign words are free as names.
"""

# -------------------------------------------------------------------------------- words by place

HEADERS = ("game", "variant", "module", "examples")
ITEMS = (
    *("use", "book", "no", "includes", "excludes", "requires", "option", "ruling", "kind", "unit"),
    *("each", "the", "neutral", "table", "define", "tally", "to", "change", "before", "after"),
    *("instead", "during", "as", "ranking", "check", "example"),
)
STEPS = (
    *("let", "choose", "may", "either", "or", "if", "else", "for", "repeat", "as", "need", "step"),
    *("until", "do", "end", "stop"),
)
BLOCK_WORDS = ("may", "either", "or", "if", "else", "for", "repeat", "as", "step")
EXAMPLE_LINES = ("players", "given", "chance", "do", "expect", "refuse", "allow")
MEMBERS = (*("define", "tally", "to", "change", "before", "after", "instead", "during", "as"),)

# They are verbs like others, but near enough to steps to be taken for a slip of one.
CORE_VERBS = frozenset(
    (
        *("set", "add", "remove", "swap", "move", "shuffle", "create", "destroy", "show", "pause"),
        "nothing",
    )
)

# Numbers in words, where figures are wanted.
NUMBERS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten".split(), start=2)
}
ONE = ("one", "a", "an", "the")

# What others call a type, or what holds things on a real table.
TYPES = {
    "int": "number",
    "integer": "number",
    "bool": "flag",
    "boolean": "flag",
    "string": "text",
    "str": "text",
}
HOLDERS = {
    "hand": "cards",
    "zone": "cards",
    "bag": "cards",
    "deck": "pile",
    "stack": "pile",
    "line": "row",
    "board": "row",
    "queue": "row",
    "array": "list",
    "set": "list",
}

# Words of programming languages and of daily language at the beginning of a line, and what to
# write. They are looked up only when the line cannot be read, so all of them are free as names.
STEP_WORDS = {
    "my": "set my.… to …",
    "its": "set its.… to …",
    "while": "repeat while …",
    "loop": "repeat",
    "foreach": "for each … in …",
    "elif": "else if …",
    "elsif": "else if …",
    "elseif": "else if …",
    "otherwise": "else",
    "unless": "if not …",
    "when": "if …",
    "whenever": "if …",
    "switch": 'either "…"',
    "case": 'or "…"',
    "return": "stop",
    "break": "stop",
    "pass": "nothing",
    "print": "show … to players",
    "var": "let … = …",
    "const": "let … = …",
    "pick": "choose … from …",
    "select": "choose … from …",
    "require": 'need … else "…"',
    "requires": 'need … else "…"',
    "assert": 'need … else "…"',
    "must": 'need … else "…"',
    "call": "do …",
    "perform": "do …",
    "optional": 'may "…"',
    "optionally": 'may "…"',
    "increase": "add … to …",
    "define": "let … = …",
}
ITEM_WORDS = {
    "def": "define … = …",
    "function": "define … = …",
    "func": "define … = …",
    "fn": "define … = …",
    "let": "define … = …",
    "var": "define … = …",
    "const": "define … = …",
    "value": "define … = …",
    "verb": "to …",
    "action": "to …",
    "procedure": "to …",
    "method": "to …",
    "class": "each … has",
    "struct": "each … has",
    "every": "each … has",
    "type": "kind … is one of [...]",
    "enum": "kind … is one of [...]",
    "import": "use …",
    "include": "use …",
    "from": "use …",
    "test": 'example "…"',
    "assert": 'check "…": …',
    "rule": "to …",
    "rules": "to …",
    "scoring": "tally score: points",
    "winner": "ranking",
    "when": "as soon as …",
    "whenever": "as soon as …",
    "if": "as soon as …",
    "replace": "instead of …",
    "setup": "to set_up",
}
LINE_WORDS = {
    "assume": "given … is …",
    "let": "given … is …",
    "set": "given … is …",
    "setup": "given … is …",
    "player": "players …",
    "assert": "expect …",
    "then": "expect …",
    "check": "expect …",
    "when": "do …: …",
    "forbid": "refuse …: …",
    "deny": "refuse …: …",
    "need": "expect …",
    "roll": "chance …",
}

# Names that mean a value in other languages; see `build_base`.
VALUES = {
    "true": "yes",
    "True": "yes",
    "false": "no",
    "False": "no",
    "null": "none",
    "nil": "none",
    "None": "none",
}

# Words between two values.
OPERATORS = {
    "equals": "is",
    "equal": "is",
    "isnt": "is not",
    "plus": "+",
    "minus": "-",
    "modulo": "mod",
    "div": "/",
    "filter": "where",
    "map": "each",
    "except": "without",
    "minimum": "fewest",
    "highest": "most",
    "largest": "most",
    "greatest": "most",
    "max": "most",
    "more": "most",
    "lowest": "fewest",
    "least": "fewest",
    "smallest": "fewest",
    "min": "fewest",
    "less": "fewest",
    "of": "in",
    "foreach": "each",
    "unless": "when not",
    "otherwise": "else",
}

# ------------------------------------------------------------------------------------- characters

# (label, help) for characters that stand nowhere outside of texts.
CHARACTERS = {
    **dict.fromkeys(
        "\u201c\u201d\u201e\u201f\u00ab\u00bb", ("a curly quote", 'write straight quotes: `"…"`')
    ),
    **dict.fromkeys(
        "\u2018\u2019\u201a\u201b\u00b4`'",
        ("not a quote here", 'texts stand in straight quotes: `"…"`'),
    ),
    **dict.fromkeys(
        "\u2010\u2011\u2012\u2013\u2014\u2015\u2212",
        ("not a minus sign", "write `-`, or `..` between two bounds"),
    ),
    **dict.fromkeys(
        "{}", ("a brace outside of a text", "blocks are indented; lists stand in `[…]`")
    ),
    "\u2026": ("one character, not two dots", "write `..`"),
    "\u00d7": ("a sign of printed books", "write `*`"),
    "\u00f7": ("a sign of printed books", "write `/`"),
    "\u2264": ("a sign of printed books", "write `<=`"),
    "\u2265": ("a sign of printed books", "write `>=`"),
    "\u2260": ("a sign of printed books", "write `is not`"),
    "\u2192": ("a sign of printed books", "write the word: `to`, `then`"),
    ";": ("a step ends with its line", "take it out"),
    "\u00a0": ("a blank that is none", "write an ordinary blank"),
    "\r": ("a line break of another kind", "save the file with ordinary line breaks"),
}

# Signs of other languages, in one piece: (label, help).
SIGNS = {
    "==": ("a comparison is written `is`", "write `is`"),
    "===": ("a comparison is written `is`", "write `is`"),
    "!=": ("a comparison is written `is not`", "write `is not`"),
    "<>": ("a comparison is written `is not`", "write `is not`"),
    "=<": ("the sign is `<=`", "write `<=`"),
    "&": ("this word is `and`", "write `and`"),
    "&&": ("this word is `and`", "write `and`"),
    "|": ("this word is `or`", "write `or`"),
    "||": ("this word is `or`", "write `or`"),
    "!": ("this word is `not`", "write `not`"),
    "%": ("this word is `mod`", "write `mod`"),
    "+=": ("steps begin with a verb", "write `add … to …`"),
    "-=": ("steps begin with a verb", "write `add -… to …`"),
    "++": ("steps begin with a verb", "write `add 1 to …`"),
    ":=": ("steps begin with a verb", "write `let … = …` or `set … to …`"),
    "->": ("no arrow is known", "write `=>` between types, or a preposition"),
    "**": ("powers have no sign", "write a product"),
    "^": ("powers have no sign", "write a product"),
    "//": ("comments begin with `#`", "write `#`"),
    "--": ("comments begin with `#`", "write `#`"),
    "/*": ("comments begin with `#`", "write `#` on each line"),
    "...": ("a range has two dots", "write `..`"),
}
