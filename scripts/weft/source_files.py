"""The user's own Python files: reading them, and following their imports without running anything.

Imports are followed in the syntax trees: a module belongs to the user if it lies beside the file or in a
package there; installed packages do not count. Neither Warp nor the user's code is imported.
"""

from __future__ import annotations

import ast
import dataclasses
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.errors import Place, UserError
from weft.files import check_whole
from weft.recursion import deep_recursion


@dataclasses.dataclass(frozen=True)
class Source:
    """A Python file of the user's: `name` is its dotted name as a module below the folder `root`."""

    path: Path
    root: Path
    name: str
    named: bool = False
    """Whether the user gave the module's name, not the file's."""
    installed: bool = False
    """Whether Python finds it anyway: `root` is not the user's own."""

    @classmethod
    def of(cls, path: Path) -> Source:
        """The file as a module of the outermost package that it lies in."""
        parts = [] if path.stem == "__init__" else [path.stem]
        root = path.parent
        while root.name and (root / "__init__.py").exists():
            parts.insert(0, root.name)
            root = root.parent
        return cls(path, root, ".".join(parts))

    @property
    def package(self) -> str:
        """The package that relative imports start from; empty for a module that lies in none."""
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]

    def shown(self, path: Path) -> str:
        """How artifacts name one of its files: without the place where packages are installed."""
        return (path.relative_to(self.root) if self.installed else path).as_posix()

    def module(self, name: str) -> Source | None:
        """The user's module of that dotted name, if there is one: a file, or the __init__ of a package.

        Warp is never the user's, not even where the file lies beside it; beside an installed package others
        lie that are not.
        """
        package = name.partition(".")[0]
        if package == "warp" or (self.installed and package != self.name.partition(".")[0]):
            return None
        folder = self.root.joinpath(*name.split("."))
        for path in (folder.with_suffix(".py"), folder / "__init__.py"):
            if path.is_file():
                return Source(path, self.root, name, self.named, self.installed)
        return None

    def absolute(self, statement: ast.ImportFrom) -> str:
        """The dotted name that `from … import` starts from, relative imports resolved."""
        if not statement.level:
            return statement.module or ""
        parts = self.package.split(".") if self.package else []
        base = parts[: len(parts) - statement.level + 1]
        return ".".join([*base, *([statement.module] if statement.module else [])])


def read_source(path: Path) -> str:
    """The text of a Python file as Python reads it: in the encoding that it declares, its lines ended by \\n.

    Raises UserError if it cannot be read, or is no text.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except SyntaxError as error:
        raise UserError(f"cannot read {path}: {error.msg}") from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{path}:{line}: byte 0x{content[error.start]:02x} is not {encoding} text; expected UTF-8, "
            "or the encoding that a comment such as '# -*- coding: latin-1 -*-' in the first line names"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise UserError(f"{path}:{line}: a NUL character, which Python source may not contain")
    if text:
        check_whole(path, text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_or_none(path: Path) -> str | None:
    """The text of a Python file, None for one that is no text. Raises UserError if it is missing."""
    try:
        return read_source(path)
    except UserError:
        if not path.is_file():
            raise
        return None


def parse_source(path: Path, text: str) -> ast.Module:
    """The syntax tree of a Python file. Raises UserError pointing at a syntax error."""
    try:
        with deep_recursion():
            return ast.parse(text, filename=str(path))
    except SyntaxError as error:
        place = Place(str(path), error.lineno or 1, error.offset or 1, (error.text or "").rstrip("\n"))
        raise UserError(f"{place}\nsyntax error: {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        raise UserError(
            f"{_too_deep(path, text)}\nthis is nested too deeply: Python's own compiler gives up"
        ) from error


def _too_deep(path: Path, text: str) -> Place:
    """The first line of the first definition, or other statement of a module, that cannot be parsed."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if re.match(r"[^\W\d]|@", line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        part = "\n".join(lines[start:end])
        try:
            with deep_recursion():
                ast.parse(part)
        except SyntaxError:
            continue
        except (RecursionError, MemoryError):
            return Place(str(path), start + 1, 1, lines[start])
    return Place(str(path), 1, 1, lines[0])


def literal(tree: ast.Module, name: str) -> tuple[Any, ast.expr] | None:
    """The module-level literal `name` and its node, or None. Raises ValueError if it is no literal."""
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name(target)], value) if target == name:
                return ast.literal_eval(value), value
            case ast.AnnAssign(ast.Name(target), _, ast.expr() as value) if target == name:
                return ast.literal_eval(value), value
    return None


def imported_sources(source: Source, tree: ast.Module) -> Iterator[Source]:
    """The user's modules that a file imports itself, packages on the way included."""
    for node in _statements(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = source.absolute(node)
            names = [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in filter(None, names):
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                if found := source.module(".".join(parts[:length])):
                    yield found


_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)


def imported_names(text: str) -> Iterator[str]:
    """The first parts of the absolute names that a file imports, by its lines alone, for packages are large.

    A sentence in a docstring may look like an import, too.
    """
    for found in _IMPORT.finditer(text):
        names = [found[1]] if found[1] else found[2].split(",")
        yield from (name.strip().partition(" ")[0].partition(".")[0] for name in names)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, without the walk through expressions that ast.walk would take."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, ()):
            if isinstance(child, ast.stmt):
                yield child
            yield from _statements(child)


def files_of(start: Source) -> list[Path]:
    """A source's file and every module of the user's that it imports, directly or not, as they are found.

    A file with a syntax error, or that is no text, counts as importing nothing: the stage that reads it will
    point at the error. Raises UserError if a file is missing.
    """
    files: dict[Path, None] = {}
    pending = [start]
    while pending:
        source = pending.pop(0)
        if source.path in files:
            continue
        files[source.path] = None
        text = text_or_none(source.path)
        if text is None:
            continue
        try:
            tree = parse_source(source.path, text)
        except UserError:
            continue
        pending += imported_sources(source, tree)
    return list(files)
