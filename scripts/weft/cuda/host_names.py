"""Names in the host part of a program, and how they keep clear of the user's."""

from __future__ import annotations

from collections.abc import Iterable

TOP_LEVEL = frozenset(
    {
        "Array",
        "Branch",
        "ImageTexture",
        "LinearTexture",
        "Buffer",
        "CUDA_CHECK",
        "Member",
        "Options",
        "Random",
        "StoredArray",
        "check_cuda",
        "fill",
        "find_array",
        "floor_div",
        "floor_mod",
        "main",
        "make_texture",
        "parse_dims",
        "parse_options",
        "read_value",
        "refuse_file",
        "set_values",
        "shape_text",
        "unpack",
    }
)
"""Functions, types and macros of the host part: nothing in the device code may have these names."""

MAIN_LOCALS = frozenset(
    {
        "argc",
        "argv",
        "axis",
        "begin_event",
        "count",
        "cudaEventCreate",
        "cudaEventDestroy",
        "cudaEventElapsedTime",
        "cudaEventRecord",
        "cudaEventSynchronize",
        "cudaEvent_t",
        "elapsed",
        "element",
        "end_event",
        "file",
        "i",
        "milliseconds",
        "needed",
        "options",
        "run",
        "size",
        "int64_t",
        "uint32_t",
    }
)
"""What `main` uses, its variables and others: parameters and sizes of these names get an underscore there."""

LAUNCHER_LOCALS = ("block", "grid", "stream")


def fresh(name: str, taken: Iterable[str]) -> str:
    """`name`, with underscores behind it until it is none of `taken`."""
    others = set(taken)
    while name in others:
        name += "_"
    return name


def fresh_size(name: str, taken: Iterable[str]) -> str:
    """The variable of a named size: its name, or `{name}_size` where a parameter has that name."""
    others = set(taken)
    return fresh(f"{name}_size", others) if name in others else name
