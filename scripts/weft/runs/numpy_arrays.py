"""From NumPy arrays to array files, and back.

- A scalar passed by value has its own dtype and the shape `()`; Python numbers and booleans are converted.
- `array<float32,2>`: dtype float32, exactly, and shape `(rows, columns)`.
- Vectors, matrices, quaternions and transforms have the dtype of their components, and after the array's
  shape `(N,)`, `(R, C)`, `(4,)` for x, y, z, w, and `(7,)` for position, then rotation.
- Structs: a structured dtype, aligned or packed, with the members by name. A member has the
  dtype of its scalar, with a subarray shape for vectors and matrices; for a struct it is structured itself.
- bfloat16 is uint16 bits, or ml_dtypes.bfloat16. An array with strides is its storage, one dimension.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.bfloat16 import is_bfloat16, to_bits
from weft.errors import UserError
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


class ArgumentError(UserError, ValueError):
    """An argument that does not fit its parameter."""


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
    raise ArgumentError(f"values of type {element} cannot be given as NumPy arrays")


def pack(name: str, value: Any, kind: Type, structs: Structs) -> PackedArray:
    """The argument `name` of type `kind` as an array file holds it; None is an array without elements.

    Raises ArgumentError, saying what is wrong and what is allowed, for another dtype or shape.
    """
    element = kind.element if isinstance(kind, Array) else kind
    dtype = element_dtype(element, structs)
    ndim = kind.ndim if isinstance(kind, Array) else 0
    if value is None:
        if not isinstance(kind, Array):
            raise ArgumentError(f"{name}: None is for arrays; this is {kind}, passed by value")
        value = np.empty((0,) * ndim + dtype.shape, dtype.base)
    array = _with_dtype(name, value, dtype.base, by_value=not isinstance(kind, Array))
    if array.shape[ndim:] != dtype.shape or array.ndim != ndim + len(dtype.shape):
        wanted = ", ".join([*(["…"] * ndim), *map(str, dtype.shape)])
        raise ArgumentError(f"{name}: shape {array.shape} for {kind}; expected ({wanted})")
    shape = array.shape[:ndim]
    data = np.frombuffer(np.ascontiguousarray(array).tobytes(), dtype=np.uint8)
    return PackedArray(name, element, shape, data.reshape(math.prod(shape), -1 if data.size else 0))


def _with_dtype(name: str, value: Any, dtype: np.dtype[Any], *, by_value: bool) -> npt.NDArray[Any]:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ArgumentError(f"{name}: {error}; expected dtype {_dtype_text(dtype)}") from error
    if dtype.names is not None:
        members = _member_names(array.dtype, dtype)
        if members is None:
            raise ArgumentError(f"{name}: dtype {array.dtype}; expected the structured {_dtype_text(dtype)}")
        result = np.zeros(array.shape, dtype)
        for own, given in members.items():
            member = array[given]
            if member.shape[array.ndim :] != dtype[own].shape:
                shape = member.shape[array.ndim :]
                raise ArgumentError(f"{name}.{own}: shape {shape}; expected {dtype[own].shape}")
            result[own] = _with_dtype(f"{name}.{own}", member, dtype[own].base, by_value=False)
        return result
    if array.dtype.name == "bfloat16":
        array = array.view(np.uint16)
    if array.dtype.newbyteorder("<") == dtype and not (by_value and _is_plain(value)):
        return array.astype(dtype, copy=False)
    if not (by_value and _is_plain(value) and array.dtype.kind in "biuf"):
        raise ArgumentError(f"{name}: dtype {array.dtype}; expected {_dtype_text(dtype)}")
    return _converted(name, value, array, dtype)


def _member_names(given: np.dtype[Any], dtype: np.dtype[Any]) -> dict[str, str] | None:
    """Which member is given for which; None unless they are the same. C++ has claims on names, which then end
    in an underscore in the program.
    """
    plain = {re.sub("__+", "_", name).strip("_"): name for name in given.names or ()}
    own = {name: re.sub("__+", "_", name).strip("_") for name in dtype.names or ()}
    if len(plain) != len(own) or set(plain) != set(own.values()):
        return None
    return {name: plain[stem] for name, stem in own.items()}


def _is_plain(value: Any) -> bool:
    """Whether this is a number or a list of Python's, which has no dtype to insist on."""
    return isinstance(value, bool | int | float | list | tuple)


def _converted(name: str, value: Any, array: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Python's numbers as what the parameter has; floats are rounded, and what does not fit is refused."""
    if is_bfloat16(dtype):
        return to_bits(array)
    with np.errstate(over="ignore", invalid="ignore"):
        converted = array.astype(dtype)
    fits = np.isfinite(converted) | ~np.isfinite(array) if dtype.kind == "f" else converted == array
    if not np.all(fits):
        raise ArgumentError(f"{name}: {value!r} is not {dtype.name}")
    return converted


def _dtype_text(dtype: np.dtype[Any]) -> str:
    """A dtype as `np.dtype(…)` takes it."""
    if dtype.names is None:
        return "uint16 (the bits of bfloat16)" if is_bfloat16(dtype) else dtype.name
    return f"[{', '.join(_member_text(name, dtype[name]) for name in dtype.names)}]"


def _member_text(name: str, dtype: np.dtype[Any]) -> str:
    base = _dtype_text(dtype.base) if dtype.base.names else f"{_dtype_text(dtype.base)!r}"
    return f"({name!r}, {base}, {dtype.shape})" if dtype.shape else f"({name!r}, {base})"


def unpack(packed: PackedArray, structs: Structs, given: Any = None) -> npt.NDArray[Any]:
    """An array of an array file for NumPy: shape and dtype as in the table above, packed. If an array was
    `given`, members have its names.
    """
    dtype = _named(element_dtype(packed.type, structs), np.asarray(given).dtype)
    content = np.frombuffer(packed.elements.tobytes(), dtype=dtype.base)
    return content.reshape(packed.shape + dtype.shape).copy()


def _named(dtype: np.dtype[Any], given: np.dtype[Any]) -> np.dtype[Any]:
    """`dtype` with the names of the members of `given`."""
    members = _member_names(given, dtype)
    if not members:
        return dtype
    return np.dtype([(name, _named(dtype[own], given[name])) for own, name in members.items()])
