"""The front door: what a user names goes in, a checked model or diagnostics come out.

    compilation = compile_game("jump_gate", variants=("Sun Dial",))
    compilation.game          # the model, or None if there are errors
    compilation.diagnostics   # all that was found, in order
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import attrs

from rulewright.dsl import checks, library, link, model, nodes
from rulewright.dsl.diagnostics import Diagnostic, Report, RulesError, diagnostic, has_errors
from rulewright.dsl.parser import parse
from rulewright.dsl.scope import World
from rulewright.dsl.source import Source
from rulewright.dsl.suggest import nearest


@attrs.frozen
class VariantFile:
    """A variant of a game: its title and its file."""

    title: str
    path: Path
    file: nodes.File


@attrs.frozen
class Compilation:
    """A game as read: the model if nothing is wrong, the diagnostics, and what else was read."""

    target: library.Target
    game: model.Game | None
    diagnostics: tuple[Diagnostic, ...]
    variants: tuple[VariantFile, ...]
    """All variants of the game that can be read, on or off."""
    world: World | None = attrs.field(default=None, repr=False)

    def model_or_raise(self) -> model.Game:
        """Return the model, or raise `RulesError` with what is wrong."""
        if self.game is None or has_errors(self.diagnostics):
            raise RulesError(self.diagnostics)
        return self.game


class _Files:
    """Reads files once, keeps their hash, and collects what is wrong with them."""

    def __init__(self, folder: Path, report: Report) -> None:
        self.folder = folder
        self.report = report
        self.hash = hashlib.sha256()
        self.parsed: dict[Path, nodes.File | None] = {}
        self.sources: dict[Path, Source | None] = {}

    def source(self, path: Path) -> Source | None:
        if path not in self.sources:
            source, problems = library.read_source(path)
            self.report.extend(problems)
            if source is not None:
                self.hash.update(f"{path.name}\0{source.text}\0".encode())
            self.sources[path] = source
        return self.sources[path]

    def file(self, path: Path) -> nodes.File | None:
        if path not in self.parsed:
            source = self.source(path)
            if source is None:
                self.parsed[path] = None
            else:
                self.parsed[path], problems = parse(source)
                self.report.extend(problems)
        return self.parsed[path]

    def module(self, word: nodes.Word) -> nodes.File | None:
        path = library.find_module(word.text, self.folder)
        if path is None:
            names = [*library.standard_modules(), *_modules_in(self.folder)]
            near = nearest(word.text, names)
            help = f"did you mean `{near[0]}`?" if near else None
            self.report.add(
                diagnostic("RW010", word.span, "no such module", help=help, name=word.text)
            )
            return None
        return self.file(path)

    def table(self, named: nodes.Text) -> Source | None:
        path = library.find_inside(named.raw, self.folder)
        if path is None:
            self.report.add(diagnostic("RW013", named.span, name=named.raw))
            return None
        if not path.is_file():
            known = [one.name for one in sorted(self.folder.glob("*.csv"))]
            near = nearest(named.raw, known)
            help = f"did you mean `{near[0]}`?" if near else None
            problem = diagnostic("RW001", named.span, help=help, name=named.raw)
            if problem not in self.report.sorted():
                self.report.add(problem)
            return None
        return self.source(path)


def _modules_in(folder: Path) -> list[str]:
    return [path.stem for path in sorted(folder.glob("*.rules"))]


def compile_game(named: str, variants: Sequence[str] = ()) -> Compilation:
    """Read, check and link a game, linked with variants given by title, file name or path."""
    target, problems = library.find_target(named)
    if target is None:
        nowhere = library.Target(named, Path(), None)
        return Compilation(nowhere, None, problems, ())
    return compile_target(target, variants)


def compile_target(target: library.Target, variants: Sequence[str] = ()) -> Compilation:
    """Read, check and link what `library.find_target` has found."""
    report = Report()
    files = _Files(target.folder, report)
    path = target.game
    if target.variant is not None:
        path, variants = _game_of_variant(files, target.variant, variants)
    if path is None:
        return Compilation(target, None, report.sorted(), ())
    game = files.file(path)
    if game is None:
        return Compilation(target, None, report.sorted(), ())
    if isinstance(game.header, nodes.VariantHeader):
        return _alone(files, target, game, path, variants)
    if isinstance(game.header, nodes.ModuleHeader):
        return Compilation(target, None, report.sorted(), ())
    if not isinstance(game.header, nodes.GameHeader):
        folder = library.game_folder(game.header.game.text, path)
        problem = diagnostic("RW012", game.header.game.span, name=game.header.game.text)
        if folder is None:
            report.add(problem)
            return Compilation(target, None, report.sorted(), ())
        game = files.file(folder / "game.rules")
        if game is None:
            return Compilation(target, None, report.sorted(), ())
    known = _variants(files, target.folder)
    chosen = _chosen(files, known, variants)
    examples = _examples(files, target.folder)
    parts = link.Parts(
        target.name,
        game,
        tuple(one.file for one in sorted(chosen, key=lambda one: one.title)),
        examples,
        files.module,
        files.table,
        files.hash.hexdigest(),
    )
    linked, world = link.link(parts, report)
    broken = bool(world.broken)
    if linked is not None and not broken:
        linked = attrs.evolve(linked, digest=files.hash.hexdigest())
        checks.check_all(checks.Context(linked, world, report, target.folder, files.source))
    found = report.sorted()
    playable = None if has_errors(found) else linked
    return Compilation(target, playable, found, known, world)


def _game_of_variant(
    files: _Files, variant: Path, variants: Sequence[str]
) -> tuple[Path | None, Sequence[str]]:
    file = files.file(variant)
    if file is None or not isinstance(file.header, nodes.VariantHeader):
        return None, variants
    folder = library.game_folder(file.header.game.text, variant.resolve())
    if folder is None:
        name = file.header.game.text
        near = nearest(name, library.shelf())
        help = f"did you mean `{near[0]}`?" if near else None
        files.report.add(diagnostic("RW012", file.header.game.span, help=help, name=name))
        return None, variants
    files.folder = folder
    return folder / "game.rules", (str(variant), *variants)


def _alone(
    files: _Files,
    target: library.Target,
    file: nodes.File,
    path: Path,
    variants: Sequence[str],
) -> Compilation:
    """A variant file that stands somewhere else: its game is on the shelf or beside it."""
    assert isinstance(file.header, nodes.VariantHeader)
    folder = library.game_folder(file.header.game.text, path.resolve())
    if folder is None:
        name = file.header.game.text
        near = nearest(name, library.shelf())
        help = f"did you mean `{near[0]}`?" if near else None
        files.report.add(diagnostic("RW012", file.header.game.span, help=help, name=name))
        return Compilation(target, None, files.report.sorted(), ())
    inner = library.Target(folder.name, folder, folder / "game.rules")
    return compile_target(inner, (str(path), *variants))


def _variants(files: _Files, folder: Path) -> tuple[VariantFile, ...]:
    """Return the variants of a game; one that cannot be read is left out without a report."""
    found: list[VariantFile] = []
    for path in library.variant_files(folder):
        source, _ = library.read_source(path)
        if source is None:
            continue
        file = files.parsed.get(path)
        if file is None:
            file, _ = parse(source)
        if file is not None and isinstance(file.header, nodes.VariantHeader):
            found.append(VariantFile(file.header.title.raw, path, file))
    return tuple(found)


def _chosen(
    files: _Files, known: tuple[VariantFile, ...], names: Sequence[str]
) -> list[VariantFile]:
    chosen: dict[str, VariantFile] = {}
    for name in names:
        found = next((one for one in known if name in (one.title, one.path.stem)), None)
        if found is None and (name.endswith(".rules") or Path(name).is_file()):
            file = files.file(Path(name))
            if file is not None and isinstance(file.header, nodes.VariantHeader):
                found = VariantFile(file.header.title.raw, Path(name), file)
            if file is None:
                continue
        if found is None:
            titles = [one.title for one in known]
            near = nearest(name, [*titles, *(one.path.stem for one in known)])
            help = f"did you mean `{near[0]}`?" if near else None
            if not near and titles:
                help = f"known variants: {', '.join(titles)}"
            place = Source("command line", "").end()
            files.report.add(diagnostic("RW503", place, help=help, name=name))
            continue
        # Read again through the files, so that what is wrong in it is reported and hashed.
        file = files.file(found.path)
        if file is not None:
            chosen[found.title] = attrs.evolve(found, file=file)
    return list(chosen.values())


def _examples(files: _Files, folder: Path) -> tuple[nodes.File, ...]:
    path = folder / "examples.rules"
    if not path.is_file():
        return ()
    file = files.file(path)
    return () if file is None else (file,)
