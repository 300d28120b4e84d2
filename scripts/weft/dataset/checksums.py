"""Whether the files of a dataset are those that a build wrote; nothing here reads Parquet."""

from __future__ import annotations

import hashlib
from pathlib import Path

from weft.errors import UserError
from weft.files import damaged, read_text, write_atomically

CHECKSUMS = "checksums.sha256"
"""Of every other file, in the form that `sha256sum --check` reads in the folder."""


def write_checksums(folder: Path) -> None:
    """Write the digests of all files of a dataset."""
    lines = [f"{digest(folder / name)}  {name}\n" for name in _names(folder)]
    write_atomically(folder / CHECKSUMS, "".join(lines))


def check_files(folder: Path) -> None:
    """Raises UserError for a file that is missing, cut off or not listed."""
    lines = read_text(folder / CHECKSUMS).splitlines()
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in sorted({*listed, *_names(folder)}):
        path = folder / name
        if name not in listed:
            raise UserError(f"{path}: is not in {CHECKSUMS}; no build wrote it")
        if not path.is_file() or digest(path) != listed[name]:
            raise damaged(path, f"it is missing, or is not what {CHECKSUMS} says")


def _names(folder: Path) -> list[str]:
    """The files of a dataset, less the checksums and hidden files: Snakemake leaves one in each folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return [name for path in found if (name := str(path.relative_to(folder))) != CHECKSUMS]


def digest(path: Path) -> str:
    """Hexadecimal SHA-256 of a file of any size."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
