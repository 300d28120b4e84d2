"""Importing the user's files, and places in them."""

from __future__ import annotations

import dataclasses
import importlib
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
from weft.ir.warp_inside import Made, cpu_for_gpus, definition_of, noting_kernels
from weft.source_files import Source
from weft.source_lines import character


def displayer(source: Source) -> Callable[[str], str]:
    """How artifacts name files: as the source is named where they lie beside it, else from their package."""

    def display(filename: str) -> str:
        absolute = Path(filename).resolve()
        root = source.root.resolve()
        if absolute.is_relative_to(root) and not source.installed:
            path = source.root / absolute.relative_to(root)
            within = path.is_absolute() and path.is_relative_to(Path.cwd())
            return (path.relative_to(Path.cwd()) if within else path).as_posix()
        for folder in (str(source.root), *sys.path):
            if folder and absolute.is_relative_to(Path(folder).resolve()):
                return absolute.relative_to(Path(folder).resolve()).as_posix()
        return absolute.name

    return display


@dataclasses.dataclass(frozen=True)
class Loaded:
    """An imported source, and every kernel that was made meanwhile."""

    module: ModuleType
    made: list[Made]


def load_module(source: Source) -> Loaded:
    """Import the source. Raises UserError at the user's line where the import fails.

    Modules that it brings in from its own folder or package are forgotten afterwards, so that another source
    may have modules of the same names. A script that ends by leaving Python has been imported up to there.
    """
    with _process_as_before(), _importable(source), cpu_for_gpus(), noting_kernels() as made:
        try:
            return Loaded(_imported(source), made)
        except SystemExit as error:
            left = None if source.named else sys.modules.get(source.name)
            if left is None or not any(one.module == source.name for one in made):
                why = f"importing the file ends Python with status {error.code}, before it has a kernel"
                raise UserError(import_failure(source, error, why)) from error
            return Loaded(left, made)
        except UserError:
            raise
        except BaseException as error:
            if not isinstance(error, SyntaxError) or not Path(error.filename or "").is_file():
                raise UserError(import_failure(source, error)) from error
            place = Place(
                displayer(source)(error.filename or ""),
                error.lineno or 1,
                error.offset or 1,
                (error.text or "").rstrip("\n"),
            )
            raise UserError(f"{place}\nsyntax error: {error.msg}") from error


def _imported(source: Source) -> ModuleType:
    if source.named:
        return importlib.import_module(source.name)
    spec = importlib.util.spec_from_file_location(source.name, source.path.resolve())
    if spec is None or spec.loader is None:
        raise UserError(f"{source.path}: not a Python file (expected a name that ends in .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[source.name] = module
    spec.loader.exec_module(module)
    return module


def import_failure(source: Source, error: BaseException, what: str = "import failed") -> str:
    """What went wrong in the user's code, and at which of its lines."""
    root = source.root.resolve()
    message = "" if isinstance(error, SystemExit) else f": {_words(error)}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_file() and file.resolve().is_relative_to(root) and frame.line is not None:
            text = linecache.getline(frame.filename, frame.lineno or 1).rstrip("\n")
            place = Place(
                displayer(source)(frame.filename),
                frame.lineno or 1,
                character(text, frame.colno or 0) + 1,
                text,
            )
            return f"{place}\n{what}{message}"
    return f"{source.shown(source.path)}: {what}{message}"


def _words(error: BaseException) -> str:
    """The type of an error, and what it says, if it can say anything."""
    kind = type(error).__name__
    try:
        said = str(error)
    except Exception:
        said = ""
    return f"{kind}: {said}" if said else kind


@contextmanager
def _process_as_before() -> Iterator[None]:
    """Undo what a module does to the working folder, the module path, the streams and recursion's limit."""
    folder, path, depth = Path.cwd(), list(sys.path), sys.getrecursionlimit()
    streams = sys.stdin, sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.setrecursionlimit(depth)
        os.chdir(folder)
        # What a module adds it may need; what it takes away we do.
        sys.path[:] = [*sys.path, *(entry for entry in path if entry not in sys.path)]


@contextmanager
def _importable(source: Source) -> Iterator[None]:
    root = str(source.root.resolve())
    before = set(sys.modules)
    shadowed = None if source.installed else sys.modules.get(source.name)
    if not source.installed:
        sys.path.insert(0, root)
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    # A script that reads its command line must not read ours.
    arguments, sys.argv = sys.argv, [str(source.path)]
    try:
        yield
    finally:
        sys.dont_write_bytecode, sys.argv = writes_bytecode, arguments
        if not source.installed and root in sys.path:
            sys.path.remove(root)
        for name in [name for name in set(sys.modules) - before if _is_own(source, root, name)]:
            del sys.modules[name]
        if shadowed is not None:
            sys.modules[source.name] = shadowed


def _is_own(source: Source, root: str, name: str) -> bool:
    """Whether a module that the source brought in is one of the user's: the next source imports it anew."""
    if source.installed:
        package = source.name.partition(".")[0]
        return name == source.name or (package != "warp" and name.partition(".")[0] == package)
    module = sys.modules[name]
    # A package without an __init__ has no file, but folders.
    places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
    return any(place.startswith(root + os.sep) for place in places)


def place_in(filename: str, line: int, byte: int, display: Callable[[str], str]) -> Place:
    """The place at a line (from 1) and a byte column (from 0) of a file."""
    text = linecache.getline(filename, line).rstrip("\n")
    return Place(display(filename), line, character(text, byte) + 1, text)


def place_of(kernel: Any, display: Callable[[str], str]) -> Place:
    """Where a kernel is defined."""
    origin = definition_of(kernel)
    return place_in(origin.filename, origin.line, origin.column, display)
