"""The files whose edit can change what a script does.

A small file per stage names them with their hashes, and is an input of the stage's jobs: an edited module
rebuilds its stage and what follows, and nothing else. As inputs of every job, hundreds of files would cost
Snakemake more time than many jobs take.
"""

from __future__ import annotations

import functools
import hashlib
import os
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
    scripts = str(root / "scripts")
    first = f"{stage}.py"
    reached = _reached(
        scripts, [first, *_room(scripts, f"weft/{stage}")], lambda path: not _of_categories(path)
    )
    return sorted(f"scripts/{path}" for path in reached - {first})


def category_files(root: Path, category: str) -> list[str]:
    """The file of a category of kernels, its workloads, and the idioms and domains that it imports, directly
    or not; sorted.

    Everything else that these import is in the library of the stage `kernels`.
    """
    scripts, kernels = str(root / "scripts"), "weft/kernels"
    first = [f"{kernels}/categories/{category}.py", *_room(scripts, f"{kernels}/workloads/{category}")]
    return sorted(f"scripts/{path}" for path in _reached(scripts, first, _of_categories))


# Every start of Snakemake comes through here: paths are strings relative to `scripts`, and the folder is
# listed once, for as a Path each file would cost more than reading it.


def _reached(scripts: str, waiting: list[str], counts: Callable[[str], bool]) -> set[str]:
    """The files in `waiting` and what they import, of those that count."""
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not counts(path):
            continue
        seen.add(path)
        if path.endswith(".py"):
            waiting.extend(_imported(scripts, path, Path(scripts, path).stat().st_mtime_ns))
    return seen


@functools.cache
def _listed(scripts: str) -> dict[str, set[str]]:
    """The files in each folder below `scripts`, but for hidden ones and those that Python makes."""
    found: dict[str, set[str]] = {}
    for folder, folders, files in os.walk(scripts):
        folders[:] = [one for one in folders if one != "__pycache__"]
        within = folder[len(scripts) + 1 :]
        found[within] = {f"{within}/{file}" for file in files if not file.startswith(".")}
    return found


def _is_file(scripts: str, path: str) -> bool:
    return path in _listed(scripts).get(path.rpartition("/")[0], ())


def _room(scripts: str, folder: str) -> list[str]:
    """The files in a folder, at any depth."""
    inside = (files for one, files in _listed(scripts).items() if f"{one}/".startswith(f"{folder}/"))
    return [path for files in inside for path in files]


def _of_categories(path: str) -> bool:
    """Is it a category, a workload, or in the folders of idioms and domains?"""
    folder, _, name = path.rpartition("/")
    is_category = folder.endswith("/categories") and not name.startswith("_")
    return is_category or _is_workload(path) or "/idioms/" in path or "/domains/" in path


def _is_workload(path: str) -> bool:
    return path.split("/")[-3:-2] == ["workloads"]


@functools.cache
def _imported(scripts: str, path: str, modified: int) -> list[str]:
    """The files of the weft modules that the Python file `path` imports, wherever in its text.

    Imports for type checkers alone are left out: they never run. One in a docstring counts, too: every start
    of Snakemake reads hundreds of files, and Python's parser would take seconds.
    """
    text = Path(scripts, path).read_text(encoding="utf-8")
    if "TYPE_CHECKING" in text:
        text = _FOR_TYPE_CHECKERS.sub("", text)
    result: dict[str, None] = {}
    for module, members, modules in _IMPORT.findall(text):
        names = [f"{module}.{name}" for name in _NAME.findall(members)] if module else _NAME.findall(modules)
        for name in names:
            result |= dict.fromkeys(_files(scripts, name))
    return list(result)


@functools.cache
def _files(scripts: str, name: str) -> tuple[str, ...]:
    """The files that the import of a name from weft reads: those of its packages, and its own."""
    package, _, _ = name.rpartition(".")
    if not package:
        return ("weft/__init__.py",) if name == "weft" else ()
    above = _files(scripts, package)
    folder = name.replace(".", "/")
    if not above or f"{package.replace('.', '/')}.py" in above:
        return above  # not weft's, or something that a module defines
    own = (f"{folder}.py", f"{folder}/__init__.py")
    return (*above, *(path for path in own if _is_file(scripts, path)), *_data_files(scripts, folder))


@functools.cache
def _data_files(scripts: str, package: str) -> list[str]:
    """The files of a package that are no Python. No import reads workloads: their category does."""
    return [path for path in _room(scripts, package) if not path.endswith(".py") and not _is_workload(path)]
