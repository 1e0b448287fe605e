"""The front door: from what a user names to a checked model, or diagnostics.

compilation = compile_game("jump_gate", variants=("Sun Dial",))
compilation.game          # the model, or None if there are errors
compilation.diagnostics   # all that was found, in order
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType

import attrs

from rulewright.dsl import model
from rulewright.dsl.checks import all_checks
from rulewright.dsl.files import disk, library
from rulewright.dsl.frontend import parsed_cache, translations
from rulewright.dsl.frontend.report import condensed, with_rules
from rulewright.dsl.link import link
from rulewright.dsl.resolve.symbols import World
from rulewright.dsl.resolve.variants import (
    Chosen,
    VariantFile,
    check_examples,
    chosen_set,
    included,
)
from rulewright.dsl.syntax import nodes
from rulewright.dsl.text.diagnostics import (
    Diagnostic,
    Label,
    Report,
    RulesError,
    TooManyDiagnostics,
    diagnostic,
    has_errors,
)
from rulewright.dsl.text.source import Source
from rulewright.dsl.text.suggest import nearest


@attrs.frozen
class Compilation:
    """A game as read: the model if nothing is wrong, the diagnostics, and what else was read.

    >>> found = compile_game("tic_tac_toe")
    >>> found.model_or_raise().title, [one.title for one in found.variants]
    ('Tic-tac-toe', ['Misère'])
    """

    target: library.GameTarget
    game: model.Game | None
    diagnostics: tuple[Diagnostic, ...]
    variants: tuple[VariantFile, ...]
    """All variants of the game that can be read, on or off."""
    chosen: tuple[Chosen, ...] = ()
    """The variants that are on, in their order."""
    world: World | None = attrs.field(default=None, repr=False)
    draft: model.Game | None = attrs.field(default=None, repr=False)
    """The model as far as it goes, also if there are errors: who asks must know which of them matter."""

    def model_or_raise(self) -> model.Game:
        """Return the model, or raise `RulesError` with what is wrong."""
        if self.game is None or has_errors(self.diagnostics):
            raise RulesError(self.diagnostics)
        return self.game


# A game is linked alone and with each set of its variants; its files are read anew, since they may
# have changed, but the same text has the same tree.
KEPT = 512
MOST_VARIANTS = 64
MOST_ERRORS = 100


@lru_cache(maxsize=KEPT)
def _kept(name: str, text: str) -> Source:
    return Source(name, text)


@lru_cache(maxsize=KEPT)
def _parsed(source: Source, packaged: bool) -> tuple[nodes.File | None, tuple[Diagnostic, ...]]:
    if packaged:
        return parsed_cache.parsed(source)
    from rulewright.dsl.syntax.parser import parse

    return parse(source)


class _FileReader:
    """Reads files once, keeps their hash, and collects what is wrong with them."""

    def __init__(self, folder: Path, report: Report, more: Mapping[Path, str]) -> None:
        self.folder = folder
        self.report = report
        self.more = more
        self.hash = hashlib.sha256()
        self.parsed: dict[Path, nodes.File | None] = {}
        self.sources: dict[Path, Source | None] = {}

    def source(self, path: Path) -> Source | None:
        if path not in self.sources:
            source, problems = library.read_source(path)
            self.report.extend(problems)
            if source is not None:
                added = self.more.get(path, "")
                source = _kept(source.name, f"{source.text}\n{added}" if added else source.text)
                self.hash.update(f"{path.name}\0{source.text}\0".encode())
            self.sources[path] = source
        return self.sources[path]

    def unhashed(self, report: Report, path: Path) -> Source | None:
        """Return the text of a file that changes no rule, so that it is no part of the hash."""
        source, problems = library.read_source(path)
        report.extend(problems)
        return source

    def file(self, path: Path) -> nodes.File | None:
        if path not in self.parsed:
            source = self.source(path)
            if source is None:
                self.parsed[path] = None
            else:
                self.parsed[path], problems = _parsed(source, library.is_packaged(path))
                self.report.extend(problems)
        return self.parsed[path]

    def module(self, word: nodes.Word) -> nodes.File | None:
        path = library.find_module(word.text, self.folder)
        if path is None:
            own = [path.stem for path in disk.matching(self.folder, "*.rules")]
            names = [*library.standard_modules(), *own]
            near = nearest(word.text, names)
            help = f"did you mean `{near[0]}`?" if near else None
            self.report.complain("RW010", word.span, "no such module", help=help, name=word.text)
            # The one that is meant is read all the same: its names are not unknown.
            return self.module(attrs.evolve(word, text=near[0])) if near else None
        file = self.file(path)
        if file is None:
            return None
        header = file.header
        if not isinstance(header, nodes.ModuleHeader) or header.name.text != word.text:
            self.report.complain(
                "RW010",
                word.span,
                "the file is another one",
                secondary=(Label(header.span, f"this should say `module {word.text}`"),),
                name=word.text,
            )
            # Nothing else can be meant: its names are not unknown.
            return file if isinstance(header, nodes.ModuleHeader) else None
        return file

    def table(self, named: nodes.Text) -> Source | None:
        path = library.find_inside(named.raw, self.folder)
        if path is None:
            advice = "put the file into the folder of the game"
            self.report.complain("RW013", named.span, help=advice, name=named.raw)
            return None
        if not disk.is_file(path):
            known = [one.name for one in disk.matching(self.folder, "*.csv")]
            help = _did_you_mean(named.raw, known)
            self.report.complain("RW001", named.span, help=help, name=named.raw)
            return None
        return self.source(path)


def _did_you_mean(name: str, known: Iterable[str]) -> str | None:
    near = nearest(name, known)
    return f"did you mean `{near[0]}`?" if near else None


def compile_game(
    named: str, variants: Sequence[str] = (), more: Mapping[Path, str] = MappingProxyType({})
) -> Compilation:
    """Read, check and link a game, linked with variants given by title, file name or path.

    `named` is a game of the shelf, or the path of a folder or file. What is wrong is told in the
    `diagnostics`, never raised. `more` is text that is read as if it stood at the end of the file of a
    variant.

    >>> [item.one_line() for item in compile_game("nowhere").diagnostics]
    ['command line:1:1: error[RW012]: no game is called `nowhere`']
    """
    target, problems = library.find_target(named)
    if target is None:
        nowhere = library.GameTarget(named, Path(), None)
        return Compilation(nowhere, None, problems, ())
    return compile_target(target, variants, more)


def compile_target(
    target: library.GameTarget,
    variants: Sequence[str] = (),
    more: Mapping[Path, str] = MappingProxyType({}),
) -> Compilation:
    """Read, check and link what `library.find_target` has found."""
    report = Report()
    files = _FileReader(target.folder, report, more)
    wanted = list(variants)
    found_game = _game(files, target, wanted)
    if found_game is None:
        return Compilation(target, None, report.sorted(), ())
    target, game = found_game
    known = _variants(files)
    chosen = _chosen(files, known, wanted)
    examples = _examples(files)
    _check_examples((game, *examples), known, chosen, report)
    titles = {one.variant.title for one in chosen}
    by_title = {one.title: one for one in known}
    parts = link.LinkInput(
        target.name,
        game,
        chosen,
        examples,
        files.module,
        files.table,
        files.hash.hexdigest(),
        {title: included(title, by_title) for title in by_title if title not in titles},
    )
    others = tuple(one.file for one in known if one.title not in titles)
    linked, world = _linked(files, parts, others, report)
    found = _first_ones(condensed(report.sorted(), world))
    if world is not None and isinstance(game.header, nodes.GameHeader):
        read = [one.file for one in (*world.instances, *world.examples)]
        found = with_rules(found, read, game.header.title.raw)
    playable = None if has_errors(found) else linked
    return Compilation(target, playable, found, known, chosen, world, linked)


def _first_ones(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the messages as far as anybody reads them, and that there are more."""
    if len(found) <= MOST_ERRORS or not has_errors(found[:MOST_ERRORS]):
        return found
    place = found[MOST_ERRORS].primary.span
    return (*found[:MOST_ERRORS], diagnostic("RW113", place, expected=str(MOST_ERRORS)))


def _linked(
    files: _FileReader, parts: link.LinkInput, others: tuple[nodes.File, ...], report: Report
) -> tuple[model.Game | None, World | None]:
    try:
        linked, world = link.link(parts, report)
        if linked is not None and not world.broken:
            # What is wrong with translations keeps no check of the rules from being made.
            told = Report()
            words = translations.translated(
                linked, world, files.folder, others, partial(files.unhashed, told), told
            )
            linked = attrs.evolve(linked, digest=files.hash.hexdigest(), languages=words)
            context = all_checks.CheckContext(
                linked, world, report, files.folder, files.source, others
            )
            all_checks.check_all(context)
            report.extend(told.sorted())
    except TooManyDiagnostics as problem:
        report.extend(problem.found)
        return None, None
    except RecursionError:
        # The passes have limits of their own; this is for what is just below all of them.
        if any(item.code.code == "RW315" for item in report.sorted()):
            return None, None
        help = "give parts of what is nested names of their own"
        expected = "Python's depth of recursion"
        span = parts.game.header.span
        report.complain("RW315", span, help=help, name=parts.name, expected=expected)
        return None, None
    return linked, world


def _game(
    files: _FileReader, target: library.GameTarget, variants: list[str]
) -> tuple[library.GameTarget, nodes.File] | None:
    """Return the file of the game that is meant: a variant, or examples, name theirs.

    What stands for its game is added to the variants; files are looked for in the game's folder.
    """
    path = target.variant or target.game
    file = None if path is None else files.file(path)
    if path is None or file is None or isinstance(file.header, nodes.ModuleHeader):
        return None
    if isinstance(file.header, nodes.GameHeader):
        return target, file
    folder = library.game_folder(file.header.game.text, disk.resolved(path))
    game = None if folder is None else folder / "game.rules"
    if folder is None or game is None or disk.resolved(game) == disk.resolved(path):
        _unknown_game(files.report, file.header)
        return None
    if isinstance(file.header, nodes.VariantHeader):
        variants.insert(0, str(path))
    files.folder = folder
    found = files.file(game)
    if found is None:
        return None
    if not isinstance(found.header, nodes.GameHeader):
        help = 'a game begins with `game "…" for 2..4 players`'
        files.report.complain("RW012", found.header.span, help=help, name=folder.name)
        return None
    return attrs.evolve(target, name=disk.resolved(folder).name, folder=folder, game=game), found


def _unknown_game(report: Report, header: nodes.VariantHeader | nodes.ExamplesHeader) -> None:
    name = header.game.text
    help = _did_you_mean(name, library.shelf())
    report.complain("RW012", header.game.span, "no such game", help=help, name=name)


def _belongs(files: _FileReader, header: nodes.VariantHeader | nodes.ExamplesHeader) -> bool:
    """Return whether a file is about the game in whose folder it stands; if not, report it."""
    name, folder = header.game.text, disk.resolved(files.folder).name
    if name == folder:
        return True
    near = nearest(name, [folder])
    help = f"did you mean `{folder}`?" if near else f"the game of this folder is `{folder}`"
    files.report.complain("RW012", header.game.span, "another game", help=help, name=name)
    return False


def _variants(files: _FileReader) -> tuple[VariantFile, ...]:
    """Return the variants of a game; one that cannot be read is left out without a report."""
    found: list[VariantFile] = []
    paths = tuple(library.variant_files(files.folder))
    if len(paths) > MOST_VARIANTS:
        name, place = disk.resolved(files.folder).name, Source(str(paths[MOST_VARIANTS]), "").end()
        files.report.complain("RW025", place, name=name, expected=str(MOST_VARIANTS))
    for path in paths[:MOST_VARIANTS]:
        source, _ = library.read_source(path)
        if source is None:
            continue
        file = files.parsed.get(path)
        if file is None:
            file, _ = _parsed(_kept(source.name, source.text), library.is_packaged(path))
        if file is not None and isinstance(file.header, nodes.VariantHeader):
            found.append(VariantFile(file.header.title.raw, path, file))
    return tuple(found)


def _chosen(
    files: _FileReader, known: tuple[VariantFile, ...], names: Sequence[str]
) -> tuple[Chosen, ...]:
    """Return the variants that take part: those that are named, and those that these include."""
    named: dict[str, VariantFile] = {}
    for name in names:
        found = next((one for one in known if name in (one.title, one.path.stem)), None)
        if found is None and _is_unreadable(files, name):
            continue
        if found is None and (name.endswith(".rules") or disk.is_file(Path(name))):
            file = files.file(Path(name))
            if file is not None and isinstance(file.header, nodes.VariantHeader):
                found = VariantFile(file.header.title.raw, Path(name), file)
            if file is None:
                continue
        if found is None:
            titles = [one.title for one in known]
            help = _did_you_mean(name, [*titles, *(one.path.stem for one in known)])
            if help is None and titles:
                help = f"known variants: {', '.join(titles)}"
            place = Source("command line", "").end()
            files.report.complain("RW503", place, help=help, name=name)
            continue
        named[found.title] = found
    chosen: list[Chosen] = []
    home = {disk.resolved(other.path) for other in known}
    for one in chosen_set(tuple(named.values()), known, files.report):
        # Read again through the files, so that what is wrong in it is reported and hashed.
        file = files.file(one.variant.path)
        if file is None or not isinstance(file.header, nodes.VariantHeader):
            continue
        _check_title(files.report, one.variant, known)
        if _belongs(files, file.header):
            guest = disk.resolved(one.variant.path) not in home
            variant = attrs.evolve(one.variant, file=file)
            chosen.append(attrs.evolve(one, variant=variant, guest=guest))
    return tuple(chosen)


def _is_unreadable(files: _FileReader, name: str) -> bool:
    """Return whether a variant has a file of this name that cannot be read; it is then reported."""
    paths = library.variant_files(files.folder)
    path = next((one for one in paths if one.stem == name), None)
    return path is not None and files.file(path) is None


def _check_examples(
    files: Iterable[nodes.File],
    known: Iterable[VariantFile],
    chosen: Iterable[Chosen],
    report: Report,
) -> None:
    """Report variants for which examples say how they come out, and which nobody knows."""
    own = [(file, True) for file in files]
    own += [(one.variant.file, not one.guest) for one in chosen]
    titles = dict.fromkeys((*(one.title for one in known), *(one.variant.title for one in chosen)))
    check_examples(own, titles, report)


def _check_title(report: Report, variant: VariantFile, known: Iterable[VariantFile]) -> None:
    """Report a title that another variant has as well: nobody knows which of them is meant."""
    for other in known:
        if other.title != variant.title or disk.resolved(other.path) == disk.resolved(variant.path):
            continue
        first, second = sorted((variant, other), key=lambda one: str(one.path))
        place = Label(first.file.header.span, "the first one")
        help = "give each a title of its own"
        span = second.file.header.span
        report.complain(
            "RW202", span, help=help, secondary=(place,), kind="variant", name=variant.title
        )
        return


def _examples(files: _FileReader) -> tuple[nodes.File, ...]:
    """Return the file of further examples of the game, if there is one."""
    path = library.examples_file(files.folder)
    file = None if path is None else files.file(path)
    if file is None:
        return ()
    if not isinstance(file.header, nodes.ExamplesHeader):
        help = f"begin it with `examples of {disk.resolved(files.folder).name}`"
        files.report.complain("RW101", file.header.span, help=help, found="this header")
        return ()
    for item in file.items:
        if not isinstance(item, nodes.Example):
            help = "this file holds examples only; the rest belongs into `game.rules`"
            files.report.complain("RW101", item.span, help=help, found="this")
    return (file,) if _belongs(files, file.header) else ()
