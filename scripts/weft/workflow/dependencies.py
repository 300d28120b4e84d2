"""The files whose edit can change what a script does.

Workflow rules list them as inputs: an edited module then rebuilds its stage and what follows, and
nothing else.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path


def library_files(root: Path, stage: str) -> list[str]:
    """The files of the room `stage` and every weft module that they or the stage's script import.

    Paths are relative to `root`, the folder that holds `scripts/`, and sorted. Files that are not Python
    (headers, templates) belong to the room that they lie in. Kernel categories are left out: each is an
    input of its own shards only.
    """
    scripts = root / "scripts"
    seen: set[Path] = set()
    waiting = [scripts / f"{stage}.py", *_room(scripts / "weft" / stage)]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file() or _is_category(path):
            continue
        seen.add(path)
        if path.suffix == ".py":
            waiting.extend(_imported(scripts, path, path.stat().st_mtime_ns))
    seen.discard(scripts / f"{stage}.py")
    return sorted(str(path.relative_to(root)) for path in seen)


def _room(folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    ]


def _is_category(path: Path) -> bool:
    return path.parent.name == "categories" and not path.name.startswith("_")


@functools.cache
def _imported(scripts: Path, path: Path, modified: int) -> list[Path]:
    """The files of the weft modules that the Python file `path` imports, wherever in its text.

    A file with a syntax error imports nothing here: the job that runs it will point at the error.
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError:
        return []
    result: list[Path] = []
    for name in _names(tree):
        parts = name.split(".")
        if parts[0] != "weft":
            continue
        prefixes = [scripts.joinpath(*parts[:count]) for count in range(1, len(parts) + 1)]
        result.extend(prefix.with_suffix(".py") for prefix in prefixes)
        result.extend(prefix / "__init__.py" for prefix in prefixes)
        result.extend(data for prefix in prefixes[1:] for data in _data_files(prefix))
    return result


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                yield from (f"{module}.{alias.name}" for alias in names)


@functools.cache
def _data_files(package: Path) -> list[Path]:
    return [path for path in _room(package) if path.suffix != ".py"] if package.is_dir() else []
