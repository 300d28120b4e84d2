"""Reading and writing artifacts: canonical JSON, and files that appear whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write `content` beside `path` and rename: a killed writer leaves no half file.

    The temporary name holds the process id, so that an orphan of a killed build and the job of the
    build that follows never write the same file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    data = content.encode() if isinstance(content, str) else content
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values: sorted keys, one-space indent, final newline.

    Raises ValueError for NaN and infinity, which JSON does not have.
    """
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Write canonical JSON atomically."""
    write_atomically(path, canonical_json(value))


def read_json(path: Path) -> Any:
    """The value of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def sample_id(category: str, seed: int, index: int) -> str:
    """Identity of a sample, as in `vector-0000-0003`."""
    return f"{category}-{seed:04d}-{index:04d}"
