"""Sources: a user's own file as a category. Neither Warp nor the user's code is imported."""

from __future__ import annotations

import ast
from pathlib import Path

from weft.files import sha256
from weft.source_files import files_of, parse_source, read_source

__all__ = ["files_of", "kernels_in", "manifest_text"]


def kernels_in(tree: ast.Module) -> list[str]:
    """Names of the functions that a module decorates as Warp kernels, in order."""

    def is_kernel(decorator: ast.expr) -> bool:
        if isinstance(decorator, ast.Call):
            decorator = decorator.func
        return (isinstance(decorator, ast.Attribute) and decorator.attr == "kernel") or (
            isinstance(decorator, ast.Name) and decorator.id == "kernel"
        )

    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if any(is_kernel(decorator) for decorator in f.decorator_list)]


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
