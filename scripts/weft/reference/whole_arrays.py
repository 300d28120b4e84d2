"""Warp's types of leaves; indexed arrays and arrays in buckets, made of their parts as Warp makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from weft.array_parts import INDICES, PLACES, ROW_LENGTHS, ROW_PLACES, STARTS
from weft.errors import KernelError


def leaf_types(name: str, kind: Any) -> dict[str, Any]:
    """Warp's type of every leaf of a parameter, and of the structs that hold them."""
    types = {name: kind}
    if hasattr(kind, "cls"):
        for field, variable in kind.vars.items():
            types |= leaf_types(f"{name}.{field}", variable.type)
    return types


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
            whole = _in_buckets(name, whole, leaves)
            if (one_list := f"{name}.{INDICES[1][0]}") in leaves:
                whole = wp.indexedfabricarray(fa=whole, indices=leaves[one_list])
        elif (lists := [f"{name}.{axis}" for axis in INDICES[kind.ndim]])[0] in leaves and whole is not None:
            whole = wp.indexedarray(data=whole, indices=[leaves[one] for one in lists])
        result[name] = whole
    return result


def _in_buckets(name: str, elements: Any, leaves: Mapping[str, Any]) -> Any:
    """A Fabric array over pieces of an array, or over a table of its rows."""
    bounds = leaves[f"{name}.{STARTS}"].numpy()
    places = leaves[f"{name}.{PLACES}"].numpy()
    counts = np.diff(bounds)
    if len(counts) != len(places) or bounds[0] != 0 or (counts < 0).any():
        raise KernelError(
            "invalid_launch",
            f"{name}.{STARTS} must rise from 0, with one element more than {name}.{PLACES}, "
            f"these are {bounds.tolist()}",
        )
    size = wp.types.type_size_in_bytes(elements.dtype)
    # Of what type the elements are is said below: the interface has no words for all types.
    attribute = {"access": 2, "counts": counts.tolist(), "type": (True, "u1", 1, 0, "")}
    rows: tuple[Any, ...] = ()
    if f"{name}.{ROW_PLACES}" in leaves:
        first = leaves[f"{name}.{ROW_PLACES}"].numpy().astype(np.uint64)
        lengths = leaves[f"{name}.{ROW_LENGTHS}"].numpy().astype(np.uint64)
        rows = (np.uint64(elements.ptr) + first * np.uint64(size), lengths)
        pointers, array_lengths = ([table.ctypes.data + 8 * int(at) for at in places] for table in rows)
        attribute |= {"pointers": pointers, "array_lengths": array_lengths, "type": (True, "u1", 1, 1, "")}
    else:
        attribute["pointers"] = [elements.ptr + size * int(at) for at in places]
    array = wp.fabricarray(data={"version": 1, "device": "cpu", "attribs": {name: attribute}}, attrib=name)
    array.dtype = elements.dtype
    array.rows = rows  # Warp keeps pointers only.
    return array
