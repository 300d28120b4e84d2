"""The files whose edit can change what a script does.

A small file per stage names them with their hashes, and is an input of the stage's jobs: an edited module
rebuilds its stage and what follows, and nothing else. As inputs of every job, hundreds of files would cost
Snakemake more time than many jobs take.
"""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from weft.workflow.versions import write_if_changed


def library_path(results: Path, stage: str) -> Path:
    """The file that `write_libraries` writes for a stage."""
    return results / "versions/library" / f"{stage}.json"


def write_libraries(root: Path, results: Path) -> None:
    """Write, for each stage, the SHA-256 of every file behind it; only what is not there as it should be.

    A stage is a script that has a room of its name.
    """
    digests: dict[str, str] = {}
    for script in sorted((root / "scripts").glob("*.py")):
        stage = script.stem
        if not (root / "scripts/weft" / stage).is_dir():
            continue
        files = library_files(root, stage)
        for file in files:
            if file not in digests:
                digests[file] = hashlib.sha256((root / file).read_bytes()).hexdigest()
        content = {"schema": 1, "stage": stage, "files": {file: digests[file] for file in files}}
        write_if_changed(library_path(results, stage), content)


def library_files(root: Path, stage: str) -> list[str]:
    """The files of the room `stage` and every weft module that they or the stage's script import.

    Paths are relative to `root`, the folder that holds `scripts/`, and sorted. Files that are not Python
    (headers, templates) belong to the room that they lie in. Kernel categories, their idioms, domains and
    workloads are left out: they are inputs of their own shards only (`category_files`).
    """
    scripts = root / "scripts"
    first = scripts / f"{stage}.py"
    reached = _reached(
        scripts, [first, *_room(scripts / "weft" / stage)], lambda path: not _of_categories(path)
    )
    return sorted(str(path.relative_to(root)) for path in reached - {first})


def category_files(root: Path, category: str) -> list[str]:
    """The file of a category of kernels, its workloads, and the idioms and domains that it imports, directly
    or not; sorted.

    Everything else that these import is in the library of the stage `kernels`.
    """
    kernels = root / "scripts/weft/kernels"
    first = [kernels / "categories" / f"{category}.py", *_room(kernels / "workloads" / category)]
    return sorted(str(path.relative_to(root)) for path in _reached(root / "scripts", first, _of_categories))


def _reached(scripts: Path, waiting: list[Path], counts: Callable[[Path], bool]) -> set[Path]:
    """The files in `waiting` and what they import, of those that count."""
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not counts(path):
            continue
        seen.add(path)
        if path.suffix == ".py":
            waiting.extend(_imported(scripts, path, path.stat().st_mtime_ns))
    return seen


def _room(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    ]


def _of_categories(path: Path) -> bool:
    """Is it a category, a workload, or in the folders of idioms and domains?"""
    is_category = path.parent.name == "categories" and not path.name.startswith("_")
    is_workload = path.parent.parent.name == "workloads"
    return is_category or is_workload or "idioms" in path.parts or "domains" in path.parts


@functools.cache
def _imported(scripts: Path, path: Path, modified: int) -> list[Path]:
    """The files of the weft modules that the Python file `path` imports, wherever in its text.

    A file with a syntax error imports nothing here: the job that runs it will point at the error.
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError:
        return []
    result: dict[Path, None] = {}
    for name in _names(tree):
        parts = name.split(".")
        if parts[0] != "weft":
            continue
        prefixes = [scripts.joinpath(*parts[:count]) for count in range(1, len(parts) + 1)]
        result |= dict.fromkeys(prefix.with_suffix(".py") for prefix in prefixes)
        result |= dict.fromkeys(prefix / "__init__.py" for prefix in prefixes)
        result |= dict.fromkeys(data for prefix in prefixes[1:] for data in _data_files(prefix))
    return [path for path in result if path.is_file()]


def _names(tree: ast.Module) -> Iterator[str]:
    for statement in _statements(tree.body):
        match statement:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)


def _statements(body: list[Any]) -> Iterator[ast.AST]:
    """The statements of a body, and those within them; expressions too would take ten times as long.

    Those for type checkers alone are left out: they never run.
    """
    for one in body:
        if isinstance(one, ast.If) and isinstance(one.test, ast.Name) and one.test.id == "TYPE_CHECKING":
            continue
        yield one
        for part in ("body", "handlers", "cases", "orelse", "finalbody"):
            yield from _statements(getattr(one, part, []))


@functools.cache
def _data_files(package: Path) -> list[Path]:
    return [path for path in _room(package) if path.suffix != ".py"] if package.is_dir() else []
