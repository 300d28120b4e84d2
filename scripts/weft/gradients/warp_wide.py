"""Kernels compiled in float64 throughout, adjoints included, and launched as if they had been written so."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import warp as wp

from weft.ir.warp_inside.cpu_text import compiling_by
from weft.reference.twin import widened_module

_NARROW = (wp.float16, wp.bfloat16, wp.float32, float)


def widened_text() -> AbstractContextManager[None]:
    """Let Warp compile, instead of the text that it makes for the CPU, the same in float64."""
    return compiling_by(lambda text, attempt: attempt(widened_module(text)))


def widen_parameters(kernels: Mapping[str, Any]) -> None:
    """Let loaded kernels take what their text in float64 takes; structs that they share stay one type."""
    structs: dict[Any, Any] = {}
    for kernel in kernels.values():
        for argument in kernel.adj.args:
            argument.type = _wide(argument.type, structs)


def _wide(kind: Any, structs: dict[Any, Any]) -> Any:
    """A parameter's type with float64 for every narrower float."""
    if hasattr(kind, "cls"):
        if kind.hash not in structs:
            structs[kind.hash] = _wide_struct(kind, structs)
        return structs[kind.hash]
    if hasattr(kind, "ndim") and hasattr(kind, "dtype"):
        wide = copy.copy(kind)
        wide.dtype = _wide(kind.dtype, structs)
        return wide
    if kind in _NARROW:
        return wp.float64
    scalar = getattr(kind, "_wp_scalar_type_", None)
    if scalar not in _NARROW:
        return kind
    match getattr(kind, "_wp_generic_type_str_", None):
        case "vec_t":
            return wp.types.vector(length=kind._length_, dtype=wp.float64)
        case "mat_t":
            return wp.types.matrix(shape=kind._shape_, dtype=wp.float64)
        case "quat_t":
            return wp.quatd
        case "transform_t":
            return wp.transformd
    return kind


def _wide_struct(kind: Any, structs: dict[Any, Any]) -> Any:
    fields = {name: _wide(variable.type, structs) for name, variable in kind.vars.items()}
    return wp.struct(type(kind.cls.__name__, (), {"__annotations__": fields, "__module__": __name__}))
