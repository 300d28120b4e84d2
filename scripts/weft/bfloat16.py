"""bfloat16 in NumPy, which lacks it: the upper half of a float32, held as uint16 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

BITS: np.dtype[Any] = np.dtype("<u2", metadata={"scalar": "bfloat16"})
"""What stands for bfloat16 in structured types; its metadata tells it from uint16."""

NAN_BITS = 0x7FC0


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether this is BITS, not uint16, which compares equal."""
    return dtype.metadata is not None and dtype.metadata.get("scalar") == "bfloat16"


def name(dtype: np.dtype[Any]) -> str:
    """The name of a scalar type, NumPy's own or bfloat16."""
    return "bfloat16" if is_bfloat16(dtype) else dtype.name


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether elements of this type are floats, bfloat16 included."""
    return dtype.kind == "f" or is_bfloat16(dtype)


def to_bits(values: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    """The nearest bfloat16 of numbers, rounded once; ties go to even."""
    floats = values if values.dtype == np.float32 else _rounded_to_odd(values.astype(np.float64))
    bits = floats.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    return np.where(nan, np.uint32(NAN_BITS), rounded).astype(BITS)


def _rounded_to_odd(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """float32s whose last bit is 1 where they are not exact, so that rounding them again errs no further.

    (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", IEEE Trans. Computers 57(4), 2008.)
    """
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float32)
    bits = nearest.view(np.uint32)
    inexact = (nearest != values) & ~np.isnan(values) & (bits & np.uint32(1) == 0)
    outwards = np.where(np.abs(nearest) < np.abs(values), np.uint32(1), np.uint32(0xFFFFFFFF))
    return np.where(inexact, bits + outwards, bits).astype(np.uint32).view(np.float32)


def as_floats(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Floats as NumPy can compute with them: bfloat16 as the equal float32, others as they are."""
    if not is_bfloat16(column.dtype):
        return column
    return (column.astype(np.uint32) << np.uint32(16)).view(np.float32)
