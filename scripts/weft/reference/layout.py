"""Packed elements (files, hashes) and native ones (what a compiled kernel sees in memory).

They differ for structs only: Warp lays these out as C does, with padding. Warp's vectors, matrices,
quaternions and transforms are aligned like their scalar (`vec4` to 4 bytes), so they are packed anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.inputs import numpy_scalar
from weft.types import Scalar, Struct, Structs, Type, component_scalars

Packed = npt.NDArray[Any]
"""Packed elements, flat: the structured type of weft.inputs.packed_dtype."""


def native_dtype(element: Type, structs: Structs) -> np.dtype[Any]:
    """The type of one native element, with the fields c0, c1, … of the packed one at their native offsets."""
    size, _ = _size_and_alignment(element, structs)
    placed = list(_components(element, structs, 0))
    return np.dtype(
        {
            "names": [f"c{i}" for i in range(len(placed))],
            "formats": [numpy_scalar(scalar) for scalar, _ in placed],
            "offsets": [offset for _, offset in placed],
            "itemsize": size,
        }
    )


def _size_and_alignment(element: Type, structs: Structs) -> tuple[int, int]:
    if isinstance(element, Struct):
        end, alignment = 0, 1
        for _, field in structs[element.name]:
            size, field_alignment = _size_and_alignment(field, structs)
            end = _round_up(end, field_alignment) + size
            alignment = max(alignment, field_alignment)
        return max(_round_up(end, alignment), 1), alignment
    scalars = list(component_scalars(element, structs))
    return sum(scalar.bytes for scalar in scalars), max(scalar.bytes for scalar in scalars)


def _components(element: Type, structs: Structs, start: int) -> Iterator[tuple[Scalar, int]]:
    if isinstance(element, Struct):
        offset = start
        for _, field in structs[element.name]:
            size, alignment = _size_and_alignment(field, structs)
            offset = _round_up(offset, alignment)
            yield from _components(field, structs, offset)
            offset += size
        return
    offset = start
    for scalar in component_scalars(element, structs):
        yield scalar, offset
        offset += scalar.bytes


def _round_up(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def to_native(packed: Packed, native: np.dtype[Any]) -> npt.NDArray[np.uint8]:
    """The native bytes of packed elements, flat, with zero as padding; without padding, the same memory."""
    return _copy_components(packed, native).view(np.uint8)


def to_packed(native_bytes: npt.NDArray[np.uint8], native: np.dtype[Any], packed: np.dtype[Any]) -> Packed:
    """Packed elements (a copy) from flat native bytes."""
    result = _copy_components(native_bytes.view(native), packed)
    return result.copy() if np.may_share_memory(result, native_bytes) else result


def _copy_components(elements: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    if elements.dtype.itemsize == dtype.itemsize:
        return elements.view(dtype)
    result = np.zeros(len(elements), dtype=dtype)
    for name in dtype.names or ():
        result[name] = elements[name]
    return result


def differs(a: Packed, b: Packed) -> npt.NDArray[np.bool_]:
    """Where components have different bits: bool [elements, components]."""
    names = a.dtype.names or ()
    widths = {a.dtype[name].itemsize for name in names}
    if len(widths) == 1:
        unsigned = np.dtype(f"u{widths.pop()}")
        shape = (len(a), len(names))
        return np.asarray(a.view(unsigned) != b.view(unsigned)).reshape(shape)
    columns = []
    for name in names:
        unsigned = np.dtype(f"u{a.dtype[name].itemsize}")
        columns.append(np.asarray(a[name].view(unsigned) != b[name].view(unsigned)))
    return np.stack(columns, axis=1)
