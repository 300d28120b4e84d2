"""Indexed arrays and arrays in buckets, made of their parts as Warp makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from weft.array_parts import INDICES, PLACES, STARTS
from weft.errors import KernelError

_FABRIC_SCALARS = {
    wp.bool: "b",
    wp.int8: "i1",
    wp.int16: "i2",
    wp.int32: "i4",
    wp.int64: "i8",
    wp.uint8: "u1",
    wp.uint16: "u2",
    wp.uint32: "u4",
    wp.uint64: "u8",
    wp.float16: "f2",
    wp.float32: "f4",
    wp.float64: "f8",
}
"""What Warp calls scalars in the interface of Fabric (warp.fabricarray)."""


def whole_arrays(types: Mapping[str, Any], leaves: Mapping[str, Any]) -> dict[str, Any]:
    """The leaves, with the whole array in place of its elements where they have tables (weft.array_parts).

    `types` are Warp's, by leaf. Raises KernelError for tables or elements of which Warp makes no array.
    """
    result = dict(leaves)
    for name, kind in types.items():
        if name not in leaves or not hasattr(kind, "ndim"):
            continue
        whole = leaves[name]
        if f"{name}.{STARTS}" in leaves:
            whole = _in_buckets(name, whole, leaves[f"{name}.{STARTS}"], leaves[f"{name}.{PLACES}"])
        lists = [f"{name}.{axis}" for axis in INDICES[kind.ndim]]
        if lists[0] in leaves:
            indices = [leaves[one] for one in lists]
            if isinstance(whole, wp.fabricarray):
                whole = wp.indexedfabricarray(fa=whole, indices=indices[0])
            elif whole is not None:
                whole = wp.indexedarray(data=whole, indices=indices)
        result[name] = whole
    return result


def _in_buckets(name: str, elements: Any, starts: Any, places: Any) -> Any:
    """A Fabric array over pieces of an array."""
    bounds = starts.numpy()
    counts = np.diff(bounds)
    fits = len(counts) == len(places) and bounds[0] == 0 and (counts >= 0).all()
    if not fits:
        raise KernelError(
            "invalid_launch",
            f"{name}.{STARTS} must rise from 0, with one element more than {name}.{PLACES}, "
            f"these are {bounds.tolist()}",
        )
    size = wp.types.type_size_in_bytes(elements.dtype)
    attribute = {
        "type": _fabric_type(name, elements.dtype),
        "access": 2,
        "pointers": [elements.ptr + int(place) * size for place in places.numpy()],
        "counts": [int(count) for count in counts],
    }
    interface = {"version": 1, "device": "cpu", "attribs": {name: attribute}}
    return wp.fabricarray(data=interface, attrib=name)


def _fabric_type(name: str, dtype: Any) -> tuple[bool, str, int, int, str]:
    """An element type as the interface of Fabric has it: scalar, number of components, depth and role."""
    scalar = getattr(dtype, "_wp_scalar_type_", dtype)
    shape: tuple[int, ...] = getattr(dtype, "_shape_", ())
    square = len(shape) < 2 or shape[0] == shape[1]
    if scalar not in _FABRIC_SCALARS or not square or wp.types.type_is_transformation(dtype):
        raise KernelError("unsupported", f"Warp makes no array in buckets of what {name!r} holds")
    role = "quat" if wp.types.type_is_quaternion(dtype) else ("", "vector", "matrix")[len(shape)]
    return (True, _FABRIC_SCALARS[scalar], getattr(dtype, "_length_", 1), 0, role)
