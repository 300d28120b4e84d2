"""What a CUDA program does, for a reader who has it before them: the computation, the threads, the call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from weft.dataset.computation import computation, size_words
from weft.dataset.views import launcher_declaration
from weft.dataset.words import docstrings
from weft.plurals import listed

_HELD = {"in": "read", "out": "written", "inout": "read and changed"}
_BLOCK = re.compile(
    r"^ +const(?:expr unsigned|\s+dim3) block(?: = |\()(?P<extents>[\d, ]+)\)?;", re.MULTILINE
)
_SHARED = re.compile(r"^ +__shared__ [\w ]+ (?P<name>\w+)\[", re.MULTILINE)
_CONSTANT = re.compile(r"^__constant__ [\w ]+ (?P<name>\w+)\[", re.MULTILINE)
_ATOMIC = re.compile(r"\batomic[A-Z]\w*\(&?(?P<name>\w+)")
_RETURN = re.compile(r"^ +if \((?P<condition>[^{}\n]+)\) return (?P<status>cuda\w+);$", re.MULTILINE)
_PRECONDITION = re.compile(r"^// Preconditions?: (?P<text>.*(?:\n// .*)*)", re.MULTILINE)
_OF_HELPERS = {"partial"}
"""Shared memory of the functions that join the values of a block's threads."""


def explanation(record: Mapping[str, Any], view: str, kernel: str) -> str:
    """The explanation of a record's CUDA, whose launcher is that of `kernel`."""
    what, *more = docstrings(record)
    lines = [f"`{kernel}`: {what}", *more]
    if told := computation(record):
        lines += ["", *told]
    lines += ["", " ".join(_threads(view)), "", *_call(record, view, kernel)]
    return "\n".join(lines)


def _threads(view: str) -> Iterator[str]:
    """How the work is spread over threads, and what they share."""
    blocks = dict.fromkeys(found["extents"].replace(", ", " x ") for found in _BLOCK.finditer(view))
    if blocks:
        yield f"Blocks have {' or '.join(blocks)} threads."
    if "gridDim." in view:
        yield "If the grid has fewer threads than there are elements, each thread strides over several."
    shared = [one for one in _names(_SHARED, view) if one not in _OF_HELPERS]
    if shared:
        waits = ", with barriers between writing and reading it" if "__syncthreads" in view else ""
        yield f"The threads of a block share {_quoted(shared)} in shared memory{waits}."
    if "__shfl" in view:
        yield "The threads of a warp combine their values with shuffles."
    if changed := [one for one in _names(_ATOMIC, view) if one not in shared and one != "address"]:
        yield f"Several threads may update the same element of {_quoted(changed)}, so they use atomics."


def _call(record: Mapping[str, Any], view: str, kernel: str) -> Iterator[str]:
    """How the launcher is called, and what it returns."""
    declaration = launcher_declaration(view, kernel)
    yield f"`launch_{kernel}` takes pointers to device memory, and may return before the work is done:"
    described = record["launch"]["parameters"]
    for given in declaration[declaration.index("(") + 1 : declaration.rindex(")")].split(", "):
        type, _, name = given.strip().rpartition(" ")
        if name != "nullptr" and "cudaStream_t" not in type:
            yield f"- `{name}`: {_argument(type, described.get(name))}"
    launcher = view[view.index(declaration.partition("(")[0] + "(") :]
    empty = [found["condition"] for found in _RETURN.finditer(launcher) if found["status"] == "cudaSuccess"]
    refused = {
        found["condition"]: found["status"]
        for found in _RETURN.finditer(launcher)
        if found["status"] != "cudaSuccess"
    }
    for name in _names(_CONSTANT, view):
        yield f"- `{name}` is in constant memory; the caller fills it with `cudaMemcpyToSymbol`"
    for condition in empty:
        yield f"Nothing is launched if `{condition}`."
    for condition, status in refused.items():
        yield f"It returns `{status}` if `{condition}`."
    texts = (" ".join(found["text"].split("\n// ")) for found in _PRECONDITION.finditer(view))
    if needed := [text.rstrip(".") for text in texts]:
        yield f"The caller must make sure that {', and that '.join(dict.fromkeys(needed))}."


def _argument(type: str, described: Mapping[str, Any] | None) -> str:
    if described is None:
        return f"{type}, a size" if type in ("int", "int64_t", "unsigned") else type
    if described["shape"]:
        extents = f"({', '.join(map(size_words, described['shape']))})"
        if "*" not in type:
            return f"{type}, of shape {extents}, {_HELD[described['role']]}"
        element = type.removeprefix("const ").rstrip("*").strip()
        return f"{element}, of shape {extents}, {_HELD[described['role']]}"
    match described["values"]:
        case {"size": size}:
            return f"{type}, the size {size_words(size)}"
    return type


def _names(pattern: re.Pattern[str], view: str) -> list[str]:
    return list(dict.fromkeys(found["name"] for found in pattern.finditer(view)))


def _quoted(names: list[str]) -> str:
    return listed([f"`{one}`" for one in names])
