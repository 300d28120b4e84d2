"""Names in the host part of a program, and how they keep clear of the user's."""

from __future__ import annotations

from collections.abc import Iterable

from weft.cuda.fresh_names import fresh

TOP_LEVEL = frozenset(
    {
        "Array",
        "Branch",
        "CUDA_CHECK",
        "check_cuda",
        "fill_integers",
        "fill_permutation",
        "fill_uniform",
        "main",
        "normalize_each",
        "pcg",
        "print_output",
        "random_double",
        "random_integer",
        "random_uniform",
        "scale_to_unit_length",
        "to_double",
    }
)
"""Functions, types and macros of the host part: nothing in the device code may have these names."""

MAIN_LOCALS = frozenset(
    {
        "cudaArray_t",
        "cudaChannelFormatDesc",
        "cudaCreateChannelDesc",
        "cudaResourceDesc",
        "cudaTextureDesc",
        "cudaTextureObject_t",
        "i",
        "int64_t",
        "k",
        "size_t",
    }
)
"""What `main` uses, its variables and others: parameters and sizes of these names get an underscore there."""

LAUNCHER_LOCALS = {"block": "threads_per_block", "grid": "num_blocks", "stream": "launch_stream"}
"""The launcher's own variables, and what they are called beside a parameter of that name."""


def fresh_size(name: str, taken: Iterable[str]) -> str:
    """The variable of a named size: its name, or `{name}_size` where a parameter has that name."""
    others = set(taken)
    return fresh(f"{name}_size", others) if name in others else name
