"""The files whose edit can change what a script does.

A small file per stage names them with their hashes, and is an input of the stage's jobs: an edited module
rebuilds its stage and what follows, and nothing else. As inputs of every job, hundreds of files would cost
Snakemake more time than many jobs take.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

from weft.workflow.versions import write_if_changed

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(weft[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))$", re.MULTILINE
)
_FOR_TYPE_CHECKERS = re.compile(r"^([ \t]*)if TYPE_CHECKING:\n(?:\1[ \t]+.*\n|[ \t]*\n)*", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


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
    return is_category or _is_workload(path) or "idioms" in path.parts or "domains" in path.parts


def _is_workload(path: Path) -> bool:
    return path.parent.parent.name == "workloads"


@functools.cache
def _imported(scripts: Path, path: Path, modified: int) -> list[Path]:
    """The files of the weft modules that the Python file `path` imports, wherever in its text.

    Imports for type checkers alone are left out: they never run. One in a docstring counts, too: every start
    of Snakemake reads hundreds of files, and Python's parser would take seconds.
    """
    text = _FOR_TYPE_CHECKERS.sub("", path.read_text(encoding="utf-8"))
    result: dict[Path, None] = {}
    for module, members, modules in _IMPORT.findall(text):
        names = [f"{module}.{name}" for name in _NAME.findall(members)] if module else _NAME.findall(modules)
        for name in names:
            result |= dict.fromkeys(_files(scripts, name))
    return list(result)


@functools.cache
def _files(scripts: Path, name: str) -> tuple[Path, ...]:
    """The files that the import of a name from weft reads: those of its packages, and its own."""
    package, _, _ = name.rpartition(".")
    if not package:
        return (scripts / "weft/__init__.py",) if name == "weft" else ()
    above = _files(scripts, package)
    folder = scripts.joinpath(*name.split("."))
    if not above or folder.parent.with_suffix(".py") in above:
        return above  # not weft's, or something that a module defines
    own = (folder.with_suffix(".py"), folder / "__init__.py")
    return (*above, *(path for path in own if path.is_file()), *_data_files(folder))


@functools.cache
def _data_files(package: Path) -> list[Path]:
    """The files of a package that are no Python. No import reads workloads: their category does."""
    files = _room(package) if package.is_dir() else []
    return [path for path in files if path.suffix != ".py" and not _is_workload(path)]
