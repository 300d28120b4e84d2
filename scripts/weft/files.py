"""Reading and writing artifacts: canonical JSON, and files that appear whole or not at all.

A file that was cut off afterwards (a full disk, a crash of the machine) shows: every kind has an end of its
own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.errors import UserError

_FIRST = "weft shard\n"
_LAST = "end of weft shard\n"
"""The lines around the text of a shard, behind a comment sign: they show whether it is whole."""
_DIGESTS = "digests.json"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` beside `path` and rename: a killed writer leaves no half file.

    The temporary name holds the process id, so that an orphan of a killed build and the job of the
    build that follows never write the same file. Raises UserError where nothing can be written (a full disk).
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    data = content.encode() if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values: sorted keys, one-space indent, final newline.

    Raises ValueError for NaN and infinity, which JSON does not have.
    """
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_read(value: Any) -> Any:
    """A value as `read_json` gives it once it is written: with the keys of mappings in order, on which a
    program's text can depend.
    """
    return json.loads(canonical_json(value))


def write_json(path: Path, value: Any) -> None:
    """Write canonical JSON atomically."""
    write_atomically(path, canonical_json(value))


def read_json(path: Path) -> Any:
    """The value of a JSON file. Raises UserError if it is missing, cut off or no JSON."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise damaged(path, f"it is not JSON, from line {error.lineno} on ({error.msg})") from error


def read_text(path: Path) -> str:
    """The text of an artifact. Raises UserError if it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise damaged(path, f"it is not UTF-8 from byte {error.start} on") from error


def damaged(path: Path, why: str) -> UserError:
    """The error of an artifact that is not as Weft wrote it, with what to do."""
    return UserError(
        f"{path}: cut off or damaged: {why}; delete it, and run the same command to make it again"
    )


def write_shard(path: Path, text: str) -> None:
    """Write the text of a shard atomically, between lines that show whether it is whole.

    They are comments of Python for `.py`, and of C++ for others.
    """
    comment = _comment(path)
    write_atomically(path, f"{comment} {_FIRST}{text}{comment} {_LAST}")


def read_shard(path: Path) -> str:
    """The text that `write_shard` wrote. Raises UserError if it cannot be read, or its end is missing."""
    text = read_text(path)
    check_whole(path, text)
    comment = _comment(path)
    return text.removeprefix(f"{comment} {_FIRST}").removesuffix(f"{comment} {_LAST}")


def check_whole(path: Path, text: str) -> None:
    """Raises UserError for a text that begins as a shard and does not end as one, or is empty.

    A text that does not begin so is somebody's own, and is theirs to end.
    """
    comment = _comment(path)
    if not text:
        raise damaged(path, "it is empty")
    if text.startswith(f"{comment} {_FIRST}") and not text.endswith(f"{comment} {_LAST}"):
        raise damaged(path, f"its last line is not '{comment} {_LAST.strip()}'")


def is_whole(path: Path) -> bool:
    """Whether an artifact has its end: JSON the last brace, npz its directory, a shard the last line, Parquet
    its magic word.
    """
    if path.suffix == ".npz":
        return zipfile.is_zipfile(path)
    with path.open("rb") as file:
        if path.suffix == ".parquet":
            return file.read(4) == b"PAR1" and file.seek(-4, 2) >= 8 and file.read() == b"PAR1"
        first = file.readline(100).decode(errors="replace")
        file.seek(max(0, path.stat().st_size - 100))
        end = file.read().decode(errors="replace")
    if path.suffix == ".json":
        # As Weft writes it, that brace alone begins a line; other JSON has to be read.
        return (first.startswith("{") and end.rstrip().endswith("\n}")) or _is_json(path)
    comment = _comment(path)
    return end.endswith(f"{comment} {_LAST}") if first == f"{comment} {_FIRST}" else bool(first)


def _comment(path: Path) -> str:
    return "#" if path.suffix == ".py" else "//"


def _is_json(path: Path) -> bool:
    try:
        read_json(path)
    except UserError:
        return False
    return True


def fill_folder(folder: Path, make: Callable[[Path], None]) -> None:
    """Let `make` fill an empty folder, and put the result into `folder`, with a file of digests.

    Raises UserError where nothing can be written (a full disk).
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=folder) as name:
            make(Path(name))
            files = sorted(Path(name).iterdir())
            digests = {file.name: sha256(file.read_bytes()) for file in files}
            for file in files:
                file.replace(folder / file.name)
    except OSError as error:
        raise UserError(f"{folder} cannot be filled: {(error.strerror or str(error)).lower()}") from error
    write_json(folder / _DIGESTS, {"schema": 1, "files": digests})


def check_folder(folder: Path) -> None:
    """Raises UserError if a file in a folder that `fill_folder` filled is missing or has other bytes."""
    if not (folder / _DIGESTS).is_file():
        return
    for name, digest in read_json(folder / _DIGESTS)["files"].items():
        file = folder / name
        if not file.is_file() or sha256(file.read_bytes()) != digest:
            raise UserError(f"{file}: missing, cut off or damaged; delete {folder} to rebuild it")


def made_files(folder: Path) -> list[Path]:
    """What `make` made in a folder that `fill_folder` filled. Raises UserError for another one."""
    return [folder / name for name in read_json(folder / _DIGESTS)["files"]]


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def sample_id(category: str, seed: int, index: int) -> str:
    """Identity of a sample, as in `vector-0000-0003`."""
    return f"{category}-{seed:04d}-{index:04d}"
