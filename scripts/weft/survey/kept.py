"""What a survey keeps between runs, so that one that was interrupted goes on where it was.

A result is used again only where everything that it follows from is the same; what that is, is hashed.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.errors import UserError
from weft.files import canonical_json, read_json, sha256, write_json

_LIBRARY = Path(__file__).parents[1]
_JUDGING = ("ptx", "reference", "runs")
"""The rooms that decide what comes of a kernel once it is translated."""


def read_kept(path: Path, key: str) -> Any | None:
    """What `keep` wrote under the same key, None if nothing did."""
    try:
        content = read_json(path)
    except UserError:
        return None
    return content["kept"] if content["key"] == key else None


def keep(path: Path, key: str, value: Any) -> None:
    """Write a result, whole or not at all."""
    write_json(path, {"key": key, "kept": value})


def ir_key() -> str:
    """Everything that decides the IR of a source, except for the source."""
    return _digest(_LIBRARY, ("ir",))


def module_key(module: str) -> str:
    """What a module's IR follows from: the files of its package, and how Weft makes IR."""
    package = importlib.util.find_spec(module.partition(".")[0])
    folders = tuple(map(Path, package.submodule_search_locations or ())) if package else ()
    return sha256("".join([ir_key(), *(_digest(one, None) for one in folders)]).encode())


def chain_key(ir: Mapping[str, Any], program: str, tools: Sequence[str]) -> str:
    """What a shard's outcomes follow from: its IR, its translation, the tools, and how Weft compares."""
    return sha256("\n".join([canonical_json(ir), program, *tools, _digest(_LIBRARY, _JUDGING)]).encode())


@functools.cache
def _digest(folder: Path, rooms: tuple[str, ...] | None) -> str:
    """The hash of all text below a folder; with `rooms`, of these folders in it and of its own files."""
    found = folder.rglob("*") if rooms is None else _of_rooms(folder, rooms)
    files = sorted(path for path in found if path.suffix in (".py", ".h", ".cpp", ".cu") and path.is_file())
    hashes = [f"{path.relative_to(folder).as_posix()} {sha256(path.read_bytes())}" for path in files]
    return sha256("\n".join(hashes).encode())


def _of_rooms(folder: Path, rooms: Sequence[str]) -> list[Path]:
    return [*folder.glob("*"), *(path for room in rooms for path in (folder / room).rglob("*"))]
