"""The user's files: loading a kernels file, and places in it."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from weft.errors import Place, UserError
from weft.files import sha256


@dataclasses.dataclass(frozen=True)
class Source:
    """A Python file with kernels: `path` as it was given, `name` dotted, importable from `root`."""

    path: Path
    root: Path
    name: str

    @classmethod
    def of(cls, path: Path) -> Source:
        """The file as a module of the outermost package that it lies in."""
        parts = [path.stem]
        root = path.parent
        while (root / "__init__.py").exists() and root.name:
            parts.insert(0, root.name)
            root = root.parent
        if path.stem == "__init__":
            parts.pop()
        return cls(path, root, ".".join(parts))

    def display(self, filename: str) -> str:
        """How artifacts name a file: like this source where it lies beside it, else from its installed package."""
        absolute = Path(filename).resolve()
        root = self.root.resolve()
        if absolute.is_relative_to(root):
            return (self.root / absolute.relative_to(root)).as_posix()
        for folder in sys.path:
            if folder and absolute.is_relative_to(Path(folder).resolve()):
                return absolute.relative_to(Path(folder).resolve()).as_posix()
        return absolute.name


def read_source(path: Path) -> str:
    """The text of a Python file. Raises UserError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def parse_source(path: Path, text: str) -> ast.Module:
    """The syntax tree of a Python file. Raises UserError pointing at a syntax error."""
    try:
        return ast.parse(text, filename=str(path))
    except SyntaxError as error:
        line = (error.text or "").rstrip("\n")
        place = Place(str(path), error.lineno or 1, error.offset or 1, line)
        raise UserError(f"{place}\nsyntax error: {error.msg}") from error


def literal(tree: ast.Module, name: str) -> tuple[Any, ast.expr] | None:
    """The value of the module-level literal `name` and its node, or None. Raises ValueError if it is no literal."""
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name(target)], value) if target == name:
                return ast.literal_eval(value), value
            case ast.AnnAssign(ast.Name(target), _, ast.expr() as value) if target == name:
                return ast.literal_eval(value), value
    return None


def follow_manifest(path: Path) -> Path:
    """The file that a source manifest stands for, or `path` itself if it is a module.

    Raises UserError if a file that the manifest lists is missing or has changed since.
    """
    try:
        found = literal(parse_source(path, read_source(path)), "SOURCE")
    except ValueError:
        found = None
    if found is None:
        return path
    manifest = found[0]
    for name, digest in manifest["files"].items():
        file = Path(name)
        if not file.exists():
            raise UserError(f"{path} lists {name}, which does not exist")
        if sha256(file.read_bytes()) != digest:
            raise UserError(f"{name} has changed since {path} was written; run scripts/kernels.py again")
    return Path(manifest["file"])


def load_module(source: Source) -> ModuleType:
    """Import the source. Raises UserError at the user's line where the import fails.

    Modules that it brings in from its own folder are forgotten afterwards, so that another source may have
    modules of the same names.
    """
    with _importable(source):
        spec = importlib.util.spec_from_file_location(source.name, source.path.resolve())
        if spec is None or spec.loader is None:
            raise UserError(f"{source.path}: not a Python file (expected a name that ends in .py)")
        module = importlib.util.module_from_spec(spec)
        sys.modules[source.name] = module
        try:
            spec.loader.exec_module(module)
        except SyntaxError as error:
            place = Place(
                source.display(error.filename or ""), error.lineno or 1, error.offset or 1, error.text or ""
            )
            raise UserError(f"{place}\nsyntax error: {error.msg}") from error
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            raise UserError(_import_failure(source, error)) from error
    return module


def _import_failure(source: Source, error: BaseException) -> str:
    root = source.root.resolve()
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).resolve().is_relative_to(root) and frame.line is not None:
            text = Path(frame.filename).read_text(encoding="utf-8").splitlines()[(frame.lineno or 1) - 1]
            place = Place(
                source.display(frame.filename), frame.lineno or 1, character(text, frame.colno or 0) + 1, text
            )
            return f"{place}\nimport failed: {message}"
    return f"{source.path}: import failed: {message}"


@contextmanager
def _importable(source: Source) -> Iterator[None]:
    root = str(source.root.resolve())
    before = set(sys.modules)
    shadowed = sys.modules.get(source.name)
    sys.path.insert(0, root)
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes_bytecode
        sys.path.remove(root)
        own = root + os.sep
        for name in set(sys.modules) - before:
            if (getattr(sys.modules[name], "__file__", None) or "").startswith(own):
                del sys.modules[name]
        if shadowed is not None:
            sys.modules[source.name] = shadowed


def character(line: str, byte: int) -> int:
    """The character offset in `line` of a UTF-8 byte offset, as syntax trees count columns."""
    return len(line.encode()[:byte].decode(errors="ignore"))


def place_in(filename: str, line: int, byte: int, display: Callable[[str], str]) -> Place:
    """The place at a line (from 1) and a byte column (from 0) of a file."""
    text = linecache.getline(filename, line).rstrip("\n")
    return Place(display(filename), line, character(text, byte) + 1, text)
