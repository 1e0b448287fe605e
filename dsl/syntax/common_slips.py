"""What authors write instead of the words of the language: a table, read from above by `messages`.

A row says where it holds (what was found, what stood before, which word the line begins with, what
the parser could have taken there), and the message. In labels and helps `{found}`, `{before}`,
`{after}` and `{first}` stand for the words of the line.
"""

from __future__ import annotations

import attrs


def _words(words: str) -> tuple[str, ...]:
    return tuple(words.split())


@attrs.frozen
class Slip:
    """A row: the message and its conditions, of which all that are given must hold."""

    label: str
    help: str | None = None
    found: tuple[str, ...] = attrs.field(default="", converter=_words, kw_only=True)
    """Words and signs as written, or `NAME KIND TEXT NUMBER END` (the end of the line)."""
    before: tuple[str, ...] = attrs.field(default="", converter=_words, kw_only=True)
    """The same for the piece before."""
    first: tuple[str, ...] = attrs.field(default="", converter=_words, kw_only=True)
    """Words that the line may begin with."""
    wants: tuple[str, ...] = attrs.field(default="", converter=_words, kw_only=True)
    """What the parser could have taken: one of these must be among it."""
    only: bool = attrs.field(default=False, kw_only=True)
    """And nothing but these."""
    place: tuple[str, ...] = attrs.field(default="", converter=_words, kw_only=True)
    """Where the line stands: `item step member example criterion value`, …"""
    at: int | None = attrs.field(default=None, kw_only=True)
    """The number of the piece in its line, from 0."""
    last: bool = attrs.field(default=False, kw_only=True)
    """Nothing follows in the line."""
    having: str = attrs.field(default="", kw_only=True)
    """A word that stands in the line."""
    lacking: str = attrs.field(default="", kw_only=True)
    """A word that stands nowhere in the line."""


SLIPS: tuple[Slip, ...] = (
    # Colons, `then` and other signs of a block.
    Slip(
        "no colon here",
        "take it out: what is indented below belongs to the line",
        found=":",
        last=True,
    ),
    Slip(
        "the steps stand below",
        "take `{found}` out and indent the steps below",
        first="if else repeat for",
        found="then do",
        wants="_NL",
        last=True,
    ),
    Slip(
        "the steps stand below",
        "take `then` out and indent the steps below",
        place="step",
        first="if else",
        found="then",
        wants="_NL",
    ),
    Slip(
        "no `if` above it",
        "indent `else` like the `if` that it belongs to",
        place="step definition",
        found="else",
        at=0,
    ),
    Slip(
        "no `either` above it",
        "indent `or` like the `either` that it belongs to",
        place="step",
        found="or",
        at=0,
    ),
    Slip(
        "a text is missing",
        'write what the player reads: `{first} "…"`',
        first="either or may",
        found="END :",
        wants="STRING",
    ),
    # `=`, `is` and `to`.
    Slip(
        "`set` says `to`",
        "write `set … to …`",
        place="step",
        first="set",
        found="= is NAME NUMBER END",
        lacking="to",
    ),
    Slip(
        "`add` says `to`",
        "write `add … to …`",
        place="step",
        first="add",
        found="NAME NUMBER END =",
        lacking="to",
    ),
    Slip(
        "no step begins like this",
        "write `let {first} = …` for a new name, `set {first} to …` for a field",
        place="step",
        found="=",
        at=1,
    ),
    Slip(
        "no step begins like this",
        "write `set … to …`",
        place="step",
        found="=",
        before="NAME",
        at=3,
        having=".",
    ),
    Slip(
        "`{before}` is a kind",
        "a value of it is changed: `change {before}.… to …`",
        first="change",
        found="to by",
        before="KIND",
        at=2,
    ),
    Slip(
        "expected `to` or `by`",
        "write `change … to …` or `change … by …`",
        first="change",
        found="= is by NAME NUMBER",
        wants="to",
    ),
    Slip(
        "kinds begin with a capital",
        "write `{before} {Found}`",
        first="given",
        found="NAME",
        before="NUMBER",
        having="holds",
    ),
    Slip(
        "how many, in figures",
        "write `3 {found}`",
        first="given",
        found="KIND",
        before="NAME",
        having="holds",
    ),
    Slip(
        "where do they lie?",
        "write whose zone it is: `given ann.hand holds {found} {after}`",
        first="given",
        found="NUMBER",
        before="holds",
        at=2,
    ),
    Slip("things lie in a zone: `holds`", "write `holds`", first="given", found="has have", at=4),
    Slip("things lie in a zone: `holds`", "write `holds`", first="given", found="has have", at=2),
    Slip(
        "things lie in a zone: `holds`",
        "write `given … holds {before} {found}`",
        first="given",
        found="KIND",
        before="NUMBER",
        having="is",
    ),
    Slip("a value is given by `is`", "write `is`", first="given", found="="),
    Slip(
        "`.` is missing",
        "write `{before}.{found}`",
        first="given",
        found="NAME",
        before="NAME",
        at=2,
    ),
    Slip(
        "expected `is` or `holds`",
        "write `given … is …` or `given … holds …`",
        first="given",
        found="= NAME NUMBER KIND TEXT to END",
        wants="is",
    ),
    Slip(
        "a name is one word",
        "write `{before}_{found}`",
        first="define let",
        found="NAME",
        at=2,
        having="=",
    ),
    Slip("`=` is missing", "write `let … = …`", first="let", wants="=", only=True),
    Slip("`=` is missing", "write `define … = …`", first="define", wants="="),
    # Requirements, loops and choices.
    Slip(
        '`else "…"` is missing',
        'say why not: `need … else "…"`',
        first="need",
        found="END TEXT",
        wants="else",
    ),
    Slip(
        "a text is missing",
        'say why not: `need … else "…"`',
        first="need",
        before="else",
        wants="STRING",
    ),
    Slip(
        "`else` is missing",
        "a value says both: `if … then … else …`",
        found="END",
        wants="else",
        having="if",
    ),
    Slip("`then` is missing", "write `if … then … else …`", wants="then", having="if"),
    Slip("`has` is missing", "write `every x in xs has …`", wants="has", having="in"),
    Slip("`each` is missing", "write `for each … in …`", first="for", wants="each", only=True),
    Slip("`in` is missing", "write `for each … in …`", first="for", wants="in", only=True),
    Slip(
        "`times` is missing",
        "write `repeat … times`, `repeat while …` or `repeat until …`",
        first="repeat",
        found="END",
        wants="times",
    ),
    Slip(
        "a condition is not said so",
        "write `where …` for each thing, `such that …` for the whole choice",
        first="choose",
        found="when if",
    ),
    Slip(
        "no clause of its own",
        "write it behind the list: `choose … from … where …`",
        place="clause",
        found="where",
        at=0,
    ),
    Slip(
        "expected `from`", "write `choose … from …`", first="choose", found="in of", lacking="from"
    ),
    Slip(
        "`from` is missing",
        "write `choose … from …`",
        first="choose",
        wants="from NAME",
        lacking="from",
    ),
    Slip("`of` is missing", "write `instead of …`", first="instead", wants="of"),
    Slip("expected `soon as`", "write `as soon as …`", first="as", wants="soon", only=True),
    Slip(
        "not after `until`",
        "`until` takes `change`, `before`, `after` or `instead of`",
        first="until",
        found="as during",
    ),
    Slip("`ends` is missing", "write `until … ends …`", first="until", wants="ends"),
    Slip(
        "a quantifier inside needs brackets",
        "write `({found} … in … has …)`",
        found="every some",
        before="and or not",
    ),
    Slip(
        "a quantifier inside needs brackets",
        "write `({before} {found} in … has …)`",
        found="NAME",
        before="no",
        having="has",
    ),
    # Items.
    Slip(
        "a citation ends a line",
        "write it at the end of the line that it is about",
        found="END",
        at=0,
    ),
    Slip(
        "expected `no rules in …`",
        "write `no rules in Section, Section`",
        place="item",
        found="no",
        at=0,
    ),
    Slip("a text stands in quotes", 'write `book "…"`', first="book", wants="STRING"),
    Slip("expected `also has` or `has`", "write `each … also has`", first="each the", found="has"),
    Slip("`has` is missing", "write `{first} … has`", first="each the", wants="has"),
    Slip("the word is `is`", "write `kind … is one of [...]`", first="kind", found="="),
    Slip("expected `one of [...]`", "write `kind … is one of [...]`", first="kind", wants="one"),
    Slip(
        "expected `one of [...]`",
        "write `kind … is one of [...]`",
        first="kind",
        found="[ NAME",
        before="is one",
    ),
    Slip(
        "arguments stand in brackets",
        "write `use {before}({found})`",
        first="use",
        found="NAME KIND",
        at=2,
    ),
    Slip(
        "the value is missing",
        "write the value behind the type: `… = …`",
        first="option ruling",
        found="END",
        wants="=",
    ),
    Slip(
        "the question is missing",
        'write the question behind the value: `ruling … = … "…?"`',
        first="ruling",
        found="END",
        wants="STRING",
    ),
    Slip(
        "the type is missing",
        "write `{first} {before}: number = …`",
        first="option ruling",
        found="=",
    ),
    Slip(
        "`for … players` is missing", 'write `game "…" for 2..4 players`', first="game", wants="for"
    ),
    Slip(
        "`players` is missing", 'write `game "…" for 2..4 players`', first="game", wants="players"
    ),
    Slip(
        "a file has one title line",
        "take it out, or make it a file of its own",
        place="item",
        found="game variant module examples",
        at=0,
    ),
    Slip("said on the first line already", "take it out", place="item", found="language", at=0),
    Slip(
        "this word is `when`",
        "write `when …`",
        first="change before after instead during may or either",
        found="if where",
        wants="when",
    ),
    Slip("verbs have no brackets", "write `to {before} thing: Kind`", first="to", found="("),
    Slip(
        "no blank before the bracket",
        "write `{before}(`",
        first="define use tally module",
        found="(",
        before="NAME",
    ),
    # Fields, lines of tables, tallies and examples.
    Slip(
        "a name is one word",
        "write `{before}_{found}`",
        place="member",
        found="NAME",
        at=1,
        having=":",
    ),
    Slip(
        "`:` is missing",
        "write `{before}: …`",
        place="member tally",
        found="NAME KIND NUMBER",
        at=1,
    ),
    Slip("`:` is missing", "write `{before}: …`", place="member tally", found="=", at=1),
    Slip(
        "`,` is missing",
        "write `, {found} …`",
        place="member item",
        found="seen fresh active count",
        wants=",",
    ),
    Slip(
        "not in a type", "write `Kind?` if it may be none", place="member", found="or", having=":"
    ),
    Slip(
        "not in a type",
        "write `{before} in 1..6`",
        place="member",
        found="NUMBER",
        before="NAME",
        having=":",
    ),
    Slip(
        "`of` is missing",
        "write `{before} of {found}`",
        place="member",
        found="KIND",
        before="list pile row cards slot",
    ),
    Slip("a row begins with `|`", "write `| … | … |`", place="row"),
    Slip(
        "expected `most` or `fewest`",
        "write `most …` or `fewest …`",
        place="criterion",
        wants="most",
        at=0,
    ),
    Slip(
        "`:` is missing",
        "write `{first} ann: …`",
        place="example",
        first="do refuse allow",
        wants=":",
    ),
    Slip(
        "`because` is missing",
        'write `refuse …: … because "…"`',
        first="refuse",
        found="TEXT else",
        wants="because",
    ),
    Slip(
        "a define says what is so",
        "steps stand in verbs: `to …`",
        place="definition",
        found="NAME KIND NUMBER TEXT",
        wants="_NL",
        at=1,
    ),
    Slip(
        "one criterion a line", "write it on a line of its own", place="criterion", found="then ,"
    ),
    Slip(
        "expected an amendment or `may`",
        'write `change …`, `before …`, `after …` or `may "…" when …`',
        place="during",
        at=0,
    ),
    Slip("verbs and steps begin small", "write `{small}`", place="step", at=0, found="KIND"),
    Slip(
        "a type is written the other way round",
        "write `{found} of {before}`",
        place="member",
        found="cards pile row slot list",
        before="KIND number text flag",
    ),
    Slip(
        "no word of a type",
        "write `{found}?` if it may be none",
        place="member",
        found="KIND number text flag",
        before="optional maybe nullable",
    ),
    Slip(
        "a preposition is missing",
        "write `from {found}…`, `to {found}…` or the like",
        place="step",
        found="NAME KIND",
        wants="from",
    ),
    Slip("this name begins small", "write `{small}`", place="member tally", at=0, found="KIND"),
    Slip("a name begins with a letter", place="member tally", at=0, found="NUMBER"),
    Slip(
        "verbs have no brackets",
        "write a blank: `{found} …`",
        place="step",
        at=0,
        found="NAME",
        having="(",
    ),
    Slip("verbs have no brackets", "write a blank: `{first} …`", place="step", at=3, found=","),
    Slip("a step begins with a word", place="step", at=0, found="NUMBER TEXT ROW"),
    # Signs and names.
    Slip("the word is `in`", "turn it round: `x in xs`", found="contains"),
    Slip("`,` is missing", "write `, then`", found="then", wants="_COMMA_THEN"),
    Slip("a comparison is written `is`", "write `is`", found="="),
    Slip("`:` is missing", 'write `check "…": …`', first="check", before="TEXT", wants=":"),
    Slip("numbers are whole numbers", "count in the smallest unit", found="NUMBER", before="."),
    Slip("names have no hyphen", "write `{before}_{after}`", found="-", before="NAME", wants=": ="),
    Slip("no blank before the bracket", "write `{before}(`", found="(", before="NAME KIND"),
    Slip("a text stands in quotes", 'write `"…"`', found="NAME KIND", wants="STRING", only=True),
    Slip("a name begins with a letter", found="NUMBER", wants="NAME CALL", only=True),
    Slip("kinds begin with a capital", "write `{Found}`", found="NAME", wants="KIND", only=True),
    Slip("this name begins small", "write `{small}`", found="KIND", wants="NAME CALL", only=True),
)
