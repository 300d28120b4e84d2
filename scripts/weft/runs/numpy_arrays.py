"""NumPy arrays as array files hold them, and back.

- A scalar passed by value has its own dtype and the shape `()`; Python numbers and booleans are converted.
- `array<float32,2>`: dtype float32, exactly, and shape `(rows, columns)`.
- Vectors, matrices, quaternions and transforms have the dtype of their components, and after the array's
  shape `(N,)`, `(R, C)`, `(4,)` for x, y, z, w, and `(7,)` for position, then rotation.
- Structs: a structured dtype, aligned or packed, with the members in declaration order. A member has the
  dtype of its scalar, with a subarray shape for vectors and matrices; for a struct it is structured itself.
- bfloat16 is uint16 bits, or ml_dtypes.bfloat16. An array with strides is its storage, one dimension.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.inputs import numpy_scalar
from weft.runs.arrays import PackedArray
from weft.types import (
    Array,
    Matrix,
    Quaternion,
    Scalar,
    Struct,
    Structs,
    Transform,
    Type,
    Vector,
)


def element_dtype(element: Type, structs: Structs) -> np.dtype[Any]:
    """The packed NumPy type of a value, with a subarray shape for vectors and matrices."""
    match element:
        case Scalar():
            return numpy_scalar(element)
        case Vector(length, scalar):
            return np.dtype((numpy_scalar(scalar), (length,)))
        case Matrix(rows, columns, scalar):
            return np.dtype((numpy_scalar(scalar), (rows, columns)))
        case Quaternion(scalar):
            return np.dtype((numpy_scalar(scalar), (4,)))
        case Transform(scalar):
            return np.dtype((numpy_scalar(scalar), (7,)))
        case Struct(name):
            return np.dtype([(field, element_dtype(kind, structs)) for field, kind in structs[name]])
    raise ValueError(f"values of type {element} cannot be given as NumPy arrays")


def pack(name: str, value: Any, kind: Type, structs: Structs) -> PackedArray:
    """The argument `name` of type `kind` as an array file holds it; None is an array without elements.

    Raises ValueError, saying what is wrong and what is allowed, for another dtype or shape.
    """
    element = kind.element if isinstance(kind, Array) else kind
    dtype = element_dtype(element, structs)
    ndim = kind.ndim if isinstance(kind, Array) else 0
    if value is None:
        if not isinstance(kind, Array):
            raise ValueError(f"{name}: None is for arrays; this is {kind}, passed by value")
        value = np.empty((0,) * ndim + dtype.shape, dtype.base)
    array = _with_dtype(name, value, dtype.base, by_value=not isinstance(kind, Array))
    if array.shape[ndim:] != dtype.shape or array.ndim != ndim + len(dtype.shape):
        wanted = ", ".join([*(["…"] * ndim), *map(str, dtype.shape)])
        raise ValueError(f"{name}: shape {array.shape} for {kind}; expected ({wanted})")
    shape = array.shape[:ndim]
    data = np.frombuffer(np.ascontiguousarray(array).tobytes(), dtype=np.uint8)
    return PackedArray(name, element, shape, data.reshape(math.prod(shape), -1 if data.size else 0))


def _with_dtype(name: str, value: Any, dtype: np.dtype[Any], *, by_value: bool) -> npt.NDArray[Any]:
    array = np.asarray(value)
    if dtype.names is not None:
        if array.dtype.names is None or len(array.dtype.names) != len(dtype.names):
            members = ", ".join(dtype.names)
            raise ValueError(
                f"{name}: dtype {array.dtype}; expected a structured one with the members {members}"
            )
        result = np.zeros(array.shape, dtype)
        for own, given in zip(dtype.names, array.dtype.names, strict=True):
            member = array[given]
            if member.shape[array.ndim :] != dtype[own].shape:
                raise ValueError(f"{name}.{own}: shape {member.shape[array.ndim :]}, not {dtype[own].shape}")
            result[own] = _with_dtype(f"{name}.{own}", member, dtype[own].base, by_value=False)
        return result
    if array.dtype.name == "bfloat16":
        array = array.view(np.uint16)
    if array.dtype.newbyteorder("<") == dtype:
        return array.astype(dtype, copy=False)
    plain = isinstance(value, bool | int | float | list | tuple)
    if not (by_value and plain):
        raise ValueError(f"{name}: dtype {array.dtype}; expected {dtype.name}")
    converted = array.astype(dtype)
    if dtype.kind in "iub" and not np.array_equal(converted, array):
        raise ValueError(f"{name}: {value!r} is no {dtype.name}")
    return converted


def unpack(packed: PackedArray, structs: Structs) -> npt.NDArray[Any]:
    """An array of an array file as NumPy has it: shape and dtype as in the table above, packed."""
    dtype = element_dtype(packed.type, structs)
    content = np.frombuffer(packed.elements.tobytes(), dtype=dtype.base)
    return content.reshape(packed.shape + dtype.shape).copy()
