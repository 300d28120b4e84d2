"""Warp's types and values as the Python text that makes them, for a module that imports Warp as wp."""

from __future__ import annotations

import enum
import math
import typing
from typing import Any

import warp
from warp._src import codegen, context
from warp._src import types as warp_types

from weft.ir.warp_inside.names import Names

_PLAIN = {
    warp.float32: "float",
    float: "float",
    warp.int32: "int",
    int: "int",
    bool: "bool",
    warp.bool: "bool",
}
_ARRAYS = ("array", "indexedarray", "fabricarray", "indexedfabricarray")


class InexpressibleError(Exception):
    """A value that no short Python text makes."""


def type_text(warp_type: Any, structs: dict[Any, str]) -> str:
    """An annotation. `structs` names the structs by hash. Raises InexpressibleError."""
    t: Any = warp_type
    if codegen.is_reference(t):
        return f"wp.ref[{type_text(t.value_type, structs)}]"
    if warp_types.is_struct(t):
        t = warp_type._cls
    if isinstance(t, codegen.Struct):
        if t.hash not in structs:
            raise InexpressibleError(f"struct {t.key}")
        return structs[t.hash]
    if isinstance(t, type | typing.TypeVar) and t in _PLAIN:
        return _PLAIN[t]
    if warp_types.is_array(t):
        return _array_text(t, structs)
    if t is ...:
        return "..."
    if t is Any:
        return "Any"
    if getattr(warp, "Function", None) is t:
        return "wp.Function"
    if typing.get_origin(t) is tuple:
        return f"tuple[{', '.join(type_text(item, structs) for item in typing.get_args(t))}]"
    names = Names()
    short = names.constructor(t)
    if short.isidentifier() and warp_types.types_equal(getattr(warp, short, None), t):
        return f"wp.{short}"
    name = getattr(t, "__name__", None)
    if isinstance(name, str) and getattr(warp, name, None) is t:
        return f"wp.{name}"
    scalar = getattr(t, "_wp_scalar_type_", None)
    kind = getattr(t, "_wp_generic_type_str_", None)
    if kind == "vec_t" and isinstance(t._length_, int):
        return f"wp.types.vector(length={t._length_}, dtype={type_text(scalar, structs)})"
    if kind == "mat_t" and all(isinstance(extent, int) for extent in t._shape_):
        return f"wp.types.matrix(shape={tuple(t._shape_)}, dtype={type_text(scalar, structs)})"
    if kind == "quat_t":
        return f"wp.types.quaternion(dtype={type_text(scalar, structs)})"
    if kind == "transform_t":
        return f"wp.types.transformation(dtype={type_text(scalar, structs)})"
    raise InexpressibleError(f"type {t!r}")


def _array_text(t: Any, structs: dict[Any, str]) -> str:
    name = warp_types.concrete_array_type(t).__name__
    if name not in _ARRAYS:
        raise InexpressibleError(f"type {name}")
    element = type_text(t.dtype, structs)
    if name == "array" and 2 <= t.ndim <= 4:
        return f"wp.array{t.ndim}d(dtype={element})"
    return f"wp.{name}(dtype={element})" if t.ndim == 1 else f"wp.{name}(dtype={element}, ndim={t.ndim})"


def is_plain(value: Any) -> bool:
    """Whether a literal in the kernel's text stands for the same constant."""
    return isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value))


def value_text(value: Any, structs: dict[Any, str]) -> str:
    """An expression that makes a value, also lists and tables of such. Raises InexpressibleError."""
    if isinstance(value, enum.IntEnum | enum.IntFlag):
        return repr(int(value))
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else f'float("{value}")'
    if isinstance(value, list | tuple):
        items = ", ".join(value_text(item, structs) for item in value)
        if isinstance(value, list):
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, dict):
        pairs = (f"{value_text(k, structs)}: {value_text(v, structs)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if type(value) in warp_types.scalar_and_bool_types:
        return f"wp.{type(value).__name__}({value_text(value.value, structs)})"
    if hasattr(value, "_wp_scalar_type_") and hasattr(value, "_shape_"):
        components = Names().value(value)["components"]
        numbers = ", ".join(f'float("{c}")' if isinstance(c, str) else repr(c) for c in components)
        return f"{type_text(type(value), structs)}({numbers})"
    if isinstance(value, type | codegen.Struct) or warp_types.is_array(value):
        if warp_types.is_array(value) and not isinstance(value, type) and getattr(value, "ptr", None):
            raise InexpressibleError("an array")
        return type_text(value, structs)
    if isinstance(value, context.Function):
        raise InexpressibleError("a function")
    raise InexpressibleError(f"a value of type {type(value).__name__}")
