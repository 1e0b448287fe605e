"""The register of diagnostics: one row for each code, with its severity and its headline.

Passes state data (a code, places and arguments); the sentences are here, side by side, so that they
stay alike. The hundreds are the passes: 0 files and modules, 1 syntax, 2 names, 3 kinds,
4 structure, 5 variants, 6 action graphs, 7 play, 8 what cannot be played yet. A code is never
renumbered or reused, because people search for it.

A headline is a `str.format` template: lower case, no full stop, at most 70 characters. `{name}` is
the name in question; `{kind}`, `{found}` and `{expected}` are words for what was wanted or met, and
`{a_kind}`, `{a_found}`, `{a_expected}` are the same with their article. An argument that a pass
leaves out gets a plain word, so that building a message can never fail.
"""

import enum
from collections.abc import Mapping
from importlib.resources import files

import attrs

from rulewright.dsl.text.suggest import nearest


class Severity(enum.Enum):
    """How much a diagnostic matters: errors stop, warnings and notes do not.

    >>> [item.severity for item in compile_game("nowhere").diagnostics]
    [<Severity.ERROR: 'error'>]
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.frozen
class Code:
    """One kind of diagnostic."""

    code: str
    """`RW` and three digits."""

    slug: str
    """The same in words."""

    severity: Severity
    headline: str
    """The template of the first line of the message."""

    def format(self, arguments: Mapping[str, str]) -> str:
        """Return the headline with the arguments filled in; missing ones get a plain word."""
        return self.headline.format_map(
            _HeadlineArguments((name, _clipped(words)) for name, words in arguments.items())
        )


def with_article(words: str) -> str:
    """Return `words` after "a" or "an", unless they have an article or another such word already.

    >>> with_article("option")
    'an option'
    """
    first, _, rest = words.partition(" ")
    needless = first.lower() in (_ARTICLES if rest else _PRONOUNS)
    if not words or needless or not words[0].isalpha():
        return words
    vowel = words[0].lower() in "aeiou" and not words.lower().startswith(("uni", "use", "one"))
    return f"{'an' if vowel else 'a'} {words}"


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(0, "argument"), counted(1, "argument"), counted(2, "argument")
    ('no arguments', '1 argument', '2 arguments')
    """
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


_ARTICLES = frozenset(
    ("a", "an", "the", "this", "no", "one", "two", "three", "some", "any", "nothing", "something")
)
_PRONOUNS = frozenset(("anything", "nothing", "something", "this"))

LONGEST_ARGUMENT = 60
"""How many characters of a name or text a headline shows."""

_DEFAULTS: Mapping[str, str] = {
    "name": "this",
    "kind": "thing",
    "found": "something else",
    "expected": "something else",
    "where": "this file",
    "construct": "this",
}


class _HeadlineArguments(dict[str, str]):
    """The arguments of a headline; answers for those that nobody gave."""

    def __missing__(self, key: str) -> str:
        if key.startswith("a_"):
            return with_article(self[key[2:]])
        return _DEFAULTS.get(key, "...")


def _clipped(words: str) -> str:
    # A headline stays one line, whatever name an author comes up with.
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_ARGUMENT else line[: LONGEST_ARGUMENT - 3] + "..."


def _error(code: str, slug: str, headline: str) -> Code:
    return Code(code, slug, Severity.ERROR, headline)


def _warning(code: str, slug: str, headline: str) -> Code:
    return Code(code, slug, Severity.WARNING, headline)


def _note(code: str, slug: str, headline: str) -> Code:
    return Code(code, slug, Severity.NOTE, headline)


CODES: tuple[Code, ...] = (
    # Files, modules and books.
    _error("RW001", "file-not-found", "there is no file `{name}`"),
    _error("RW002", "not-utf8", "`{name}` is not written in UTF-8"),
    _error("RW003", "is-a-directory", "`{name}` is a folder, not a file"),
    _error("RW004", "file-too-large", "`{name}` is too large for a rule file"),
    _error("RW005", "not-a-rule-file", "`{name}` does not hold text"),
    _error("RW006", "missing-language-line", "the first line does not say `language 1`"),
    _error("RW007", "unknown-language-version", "language version `{name}` is not known here"),
    _error("RW010", "unknown-module", "no module is called `{name}`"),
    _error("RW011", "use-cycle", "module `{name}` uses itself in a circle"),
    _error("RW012", "unknown-game", "no game is called `{name}`"),
    _error("RW013", "outside-folder", "`{name}` lies outside the folder of the game"),
    _error("RW014", "module-arguments", "module `{name}` takes {expected}, not {found}"),
    _error("RW020", "book-not-found", "there is no rule book `{name}`"),
    # Tables.
    _error("RW021", "behind-quote", "`{found}` stands behind a closing quote"),
    _error("RW022", "other-separator", "the cells are parted by {found}, not by {expected}"),
    _error("RW023", "row-twice", "the row of `{name}` is there already"),
    _error("RW024", "head-twice", "the row that names the columns stands there again"),
    _error("RW025", "too-many-variants", "`{name}` has more than {expected} variants"),
    # Syntax.
    _error("RW101", "unexpected-word", "{found} cannot stand here"),
    _error("RW102", "bad-indentation", "this line is indented to no level that is open"),
    _error("RW103", "tab-in-indentation", "this line is indented with a tab"),
    _error("RW104", "unclosed-bracket", "the bracket `{name}` has no partner"),
    _error("RW105", "unclosed-text", "this text has no closing quote"),
    _error("RW106", "unexpected-end", "the file ends in the middle of {a_kind}"),
    _error("RW107", "unknown-step", "no step or verb begins with `{name}`"),
    _error("RW108", "reserved-name", "`{name}` is a reserved word and cannot name {a_kind}"),
    _error("RW109", "bad-character", "the character `{name}` cannot stand here"),
    _error("RW110", "bad-placeholder", "the placeholder `{name}` cannot be read"),
    _error("RW111", "missing-block", "nothing is indented below `{name}`"),
    _error("RW112", "unknown-item", "no item of a rule file begins with `{name}`"),
    _note("RW113", "and-more", "there are more mistakes; the first {expected} are shown"),
    # Names.
    _error("RW201", "unknown-name", "nothing is called `{name}` here"),
    _error("RW202", "duplicate-name", "{a_kind} called `{name}` is there already"),
    _error("RW203", "wrong-kind-of-name", "`{name}` is {a_found}, not {a_kind}"),
    _warning("RW204", "unused-verb", "the verb `{name}` is never done or offered"),
    _error("RW205", "unknown-kind", "no kind is called `{name}`"),
    _error("RW206", "unknown-field", "{a_kind} has no `{name}`"),
    _error("RW207", "unknown-verb", "no verb is called `{name}`"),
    _error("RW208", "unknown-zone", "no zone is called `{name}`"),
    _error("RW209", "unknown-target", "there is no {kind} `{name}` to amend"),
    _error("RW210", "not-visible-to-amendment", "an amendment cannot see `{name}`"),
    _error("RW211", "unknown-thing", "no {kind} is named `{name}`"),
    _error("RW212", "unknown-heading", "the rule book has no section `{name}`"),
    _error("RW213", "uncovered-section", "the section `{name}` is never cited"),
    _error("RW214", "ambiguous-heading", "several sections are called `{name}`"),
    _error("RW215", "unknown-value", "`{name}` is no value of `{kind}`"),
    _error("RW216", "unknown-parameter", "`{where}` has no parameter `{name}`"),
    _error("RW217", "unset-name", "`{name}` is not set on every way to this place"),
    _error("RW218", "ambiguous-name", "`{name}` can mean several things here"),
    _error("RW219", "unknown-step-name", "no verb or step called `{name}` runs here"),
    # Kinds.
    _error("RW301", "kind-mismatch", "expected {a_expected}, found {a_found}"),
    _error("RW302", "wrong-number-of-arguments", "`{name}` takes {expected}, not {found}"),
    _error("RW303", "none-not-tested", "`{name}` may be none here"),
    _error("RW304", "units-differ", "{expected} and {found} do not go together"),
    _error("RW305", "me-where-nobody-acts", "`{name}` has no meaning where nobody acts"),
    _error("RW306", "it-outside", "`{name}` has nothing to stand for here"),
    _error("RW307", "no-fitting-verb", "no verb `{name}` fits these objects and places"),
    _error("RW308", "not-a-place", "{a_found} is no place that a step can write to"),
    _error("RW309", "printed-field-written", "`{name}` is printed and never changes"),
    _error("RW310", "chance-in-value", "`{name}` is chance and cannot stand inside a value"),
    _error("RW311", "not-comparable", "{a_expected} and {a_found} cannot be compared"),
    _error("RW312", "out-of-range", "{found} is outside of {expected}"),
    _error("RW313", "circular-define", "`{name}` is defined by itself"),
    _warning("RW314", "needs-brackets", "`{name}` reaches further than it looks"),
    _error("RW315", "too-deep", "`{name}` leads through more than {expected}"),
    _error("RW316", "always-same", "the answer to `{name}` is always the same"),
    _error("RW317", "lookup-incomplete", "`lookup` has no answer for {found}"),
    _error("RW318", "circular-can", "whether `{name}` can be done depends on itself"),
    _error("RW321", "new-thing", "a new {kind} is not given its `{name}`"),
    _error("RW322", "new-thing-in-value", "a new {name} cannot be made here"),
    _error("RW323", "cannot-come-or-go", "{name} cannot be created or destroyed"),
    # Structure.
    _error("RW401", "without-visibility", "nothing says who sees `{name}`"),
    _error("RW402", "no-play", "the game has no verb `play` to start with"),
    _error("RW403", "check-failed", "the check `{name}` does not hold"),
    _error("RW404", "player-range", "the number of players cannot be {found}"),
    _error("RW405", "missing-column", "the table of `{kind}` has no column `{name}`"),
    _error("RW406", "unknown-column", "`{kind}` has no field for the column `{name}`"),
    _error("RW407", "bad-cell", "the cell `{found}` is not {a_expected}"),
    _error("RW408", "table-without-kind", "there is a table of `{name}`, but no such kind"),
    _error("RW409", "in-two-zones", "`{name}` starts in two zones"),
    _error("RW410", "unknown-end-reason", "no `end game` gives the reason `{name}`"),
    _error("RW411", "hidden-read", "what `me` may do depends on `{name}`, which is hidden"),
    _error("RW412", "example-failed", "the example `{name}` does not come out"),
    _error("RW413", "example-wrong", "the example `{name}` cannot be carried out"),
    _note("RW414", "reconstructed-data", "reconstructed data in the table of `{name}`: {found}"),
    _warning("RW415", "ranking-missing", "nothing says who wins"),
    _error("RW416", "stop-without-target", "`stop` has nothing to leave here"),
    _error("RW417", "fresh-wrong", "`{name}` cannot be fresh each `{where}`"),
    _error("RW418", "duplicate-example", "two examples are called `{name}`"),
    _error("RW419", "short-row", "the row has {found}, the table has {expected}"),
    _error("RW420", "missing-start", "`{name}` changes but has no start value"),
    _error("RW421", "active-hidden", "`{name}` is active, and not everybody sees it"),
    _warning("RW422", "starts-nowhere", "{found} things of the kind `{name}` start in no zone"),
    _error("RW423", "nobody-owns-it", "only its owner sees `{name}`, and nobody owns a {found}"),
    _error("RW424", "nothing-to-see", "`{name}` is nothing that somebody sees or not"),
    _error("RW428", "not-of-a-value", "a value of `{kind}` cannot have {a_found}"),
    _error("RW429", "missing-row", "the table of `{kind}` has no row for `{name}`"),
    _warning("RW431", "stale-translation", "no text of the game is `{name}`"),
    _error(
        "RW432", "placeholders-differ", "`{name}` is not the same in a text and its translation"
    ),
    _note("RW433", "not-translated", "{found} are not translated into `{name}`"),
    _error("RW434", "no-language", "`{name}` is no language"),
    _warning("RW435", "drawn-and-told", "`{name}` tells everybody what chance finds in `{found}`"),
    # Variants.
    _error("RW501", "nothing-to-amend", "the amendment of `{name}` can never apply"),
    _error("RW502", "variants-conflict", "two variants disagree about `{name}`"),
    _error("RW503", "unknown-variant", "no variant is called `{name}`"),
    _error("RW504", "variant-requires", "the variant `{name}` needs `{expected}`"),
    _error("RW505", "variant-excludes", "the variants `{name}` and `{found}` exclude each other"),
    _error("RW506", "unknown-option", "no option or ruling is called `{name}`"),
    _error("RW507", "option-value", "`{found}` is no value of the option `{name}`"),
    _error("RW508", "includes-cycle", "the variant `{name}` includes itself in a circle"),
    _error("RW509", "not-playable-so", "{name}"),
    _error("RW510", "never-playable", "no number of players meets what the rules require"),
    _note("RW511", "variants-meet", "two variants meet at `{name}`"),
    _error("RW512", "changes-nothing", "the amendment of `{name}` changes nothing"),
    _error("RW513", "example-changed", "`{name}` changes {found} without saying so"),
    # Action graphs.
    _error("RW601", "unreachable-step", "this step can never be reached"),
    _warning("RW602", "no-way-to-end", "nothing lets the game end"),
    _error("RW603", "loop-without-decision", "this loop can run for ever without a decision"),
    _note("RW604", "may-be-stuck", "it is assumed that `{name}` is always possible"),
    _error("RW605", "ends-after-the-end", "`end game` cannot stand in what follows the end"),
    _note("RW606", "neutral-left-out", "`{name}` is compared without `{where}`, who shares in it"),
    _warning("RW607", "idle-step", "`{name}` changes nothing"),
    _error("RW621", "turn-inside-together", "nobody else acts while several act at once"),
    _error("RW622", "stop-out-of-together", "`stop` would leave what the others are doing, too"),
    _error(
        "RW623", "until-inside-together", "`until` cannot hold for one of several who act at once"
    ),
    _error("RW624", "not-his-alone", "several players may change `{name}` at once"),
    _error("RW625", "chance-at-once", "others see chance before they are done"),
    _error("RW626", "read-at-once", "`{name}` is read while others change it"),
    _error("RW630", "offer-without-end", "the offer `{name}` can be taken again and again"),
    _error("RW631", "offer-never-open", "the offer `{name}` is never open"),
    _note(
        "RW632", "offer-closed-at-once", "the offer `{name}` is closed while several act at once"
    ),
    _note("RW633", "result-unsaid", "nothing says whether that is a victory or a defeat"),
    _warning("RW640", "never-read", "`{name}` has no effect"),
    _note("RW641", "line-of-nothing", "`{name}` counts nothing"),
    _warning("RW642", "nobody-decides", "nobody ever decides anything in this game"),
    # Play.
    _error("RW701", "stuck", "nobody can go on: `{name}` is not possible"),
    _error("RW702", "step-limit", "the rules ran {expected} steps without a decision"),
    _error("RW703", "search-limit", "the search for legal answers at `{name}` is too large"),
    _error("RW704", "division-by-zero", "a number is divided by zero"),
    _error("RW705", "bad-index", "there is no place {found} in a list of {expected}"),
    _error("RW706", "nothing-there", "`{name}` finds nothing there"),
    _error("RW707", "range-left", "`{name}` becomes {found}, outside of {expected}"),
    _error("RW708", "zone-full", "`{name}` is full"),
    _error("RW709", "list-too-long", "a list grows beyond {expected}"),
    _error("RW710", "number-too-large", "a number grows beyond {expected}"),
    _error("RW711", "recursion-limit", "`{name}` calls itself more than {expected} deep"),
    _note("RW712", "turn-limit", "the game was stopped after {expected}"),
    _error("RW713", "text-too-long", "a text grows beyond {expected}"),
    _error("RW714", "trigger-loop", "`{name}` becomes true again and again"),
    _error("RW715", "unexpected-none", "`{name}` is none where something is needed"),
    _error("RW716", "changed-at-once", "several players change `{name}` at the same time"),
    _error("RW718", "formula-without-owner", "nobody owns `{name}`, and its formula asks for `my`"),
    _error("RW721", "out-of-the-game", "`{name}` is out of the game"),
    _error("RW722", "too-many-things", "more than {expected} are created"),
    _error("RW723", "not-empty", "`{name}` of what leaves the game is not empty"),
    _error("RW724", "negative-split", "{found} cannot be distributed"),
    _error("RW735", "peeks", "this question depends on what its player does not see"),
)
"""Every code, in order."""

BY_CODE: Mapping[str, Code] = {code.code: code for code in CODES}
"""The codes by their names."""


def find_code(text: str) -> Code | None:
    """Return the code written as `RW201`, `rw201`, `201` or `unknown-name`."""
    wanted = text.strip().upper()
    if wanted.isdigit():
        wanted = f"RW{wanted.zfill(3)}"
    if wanted in BY_CODE:
        return BY_CODE[wanted]
    slug = text.strip().lower().replace("_", "-")
    return next((code for code in CODES if code.slug == slug), None)


def hint(code: str) -> str | None:
    """Return the page of a code, in Markdown; none if there is no such code."""
    found = find_code(code)
    if found is None:
        return None
    page = files("rulewright.dsl.text").joinpath("hints", f"{found.code}.md")
    return page.read_text(encoding="utf-8") if page.is_file() else None


def nearest_codes(text: str) -> tuple[str, ...]:
    """Return the codes or slugs that `text` may be a slip of."""
    candidates = [code.code for code in CODES] + [code.slug for code in CODES]
    return nearest(text.strip(), candidates)
