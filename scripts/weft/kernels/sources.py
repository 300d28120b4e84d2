"""Sources: a user's own file as a category. Neither Warp nor the user's code is imported."""

from __future__ import annotations

from pathlib import Path

from weft.files import sha256
from weft.source_files import files_of, kernels_in, parse_source, read_source

__all__ = ["files_of", "kernels_in", "manifest_text"]


def manifest_text(file: Path, category: str) -> str:
    """The kernels file of a source category (docs/formats.md): which file, its hashes, the kernels found.

    Raises UserError if a file cannot be read or has a syntax error.
    """
    kernels = kernels_in(parse_source(file, read_source(file)))
    hashes = {path.as_posix(): sha256(path.read_bytes()) for path in sorted(files_of(file))}
    return "\n".join(
        [
            f'"""Category {category}: the kernels of {file.as_posix()}."""',
            "",
            "SOURCE = {",
            f'    "file": {_quoted(file.as_posix())},',
            '    "files": {',
            *(f'        {_quoted(name)}: "{digest}",' for name, digest in hashes.items()),
            "    },",
            '    "kernels": [',
            *(f"        {_quoted(name)}," for name in kernels),
            "    ],",
            "}",
            "",
        ]
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
