"""C++ types of Weft's types: CUDA's own where it has one, small structs elsewhere.

Fixed-width names (`int64_t`) need `<cstdint>`, `__half` and `__nv_bfloat16` headers of their own. Vectors of
two to four components are CUDA's vector types, except `double4`, `longlong4` and `ulonglong4`, which CUDA 13
deprecates for their alignment, and `__half2`, whose alignment is that of two halves together; those, and all
other lengths, are own structs with the same members or an array.
"""

from __future__ import annotations

import re

from weft.types import Array, Matrix, Quaternion, Reference, Scalar, Struct, Transform, Type, Vector

SCALARS = {
    "bool": "bool",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "size_t": "size_t",
    "float16": "__half",
    "bfloat16": "__nv_bfloat16",
    "float32": "float",
    "float64": "double",
}

_CUDA_VECTORS = {
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "longlong",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ulonglong",
    "float32": "float",
    "float64": "double",
}

_LETTERS = {
    "bool": "b",
    "int8": "i8",
    "int16": "i16",
    "int32": "i",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u",
    "uint64": "u64",
    "float16": "h",
    "bfloat16": "bf",
    "float32": "f",
    "float64": "d",
}


def is_cuda_vector(type: Type) -> bool:
    """True for vectors that CUDA itself defines and Weft uses: `float3` but not `double4`."""
    return (
        isinstance(type, Vector)
        and type.scalar.name in _CUDA_VECTORS
        and (2 <= type.length <= 3 or (type.length == 4 and type.scalar.bytes < 8))
    )


def c_type(type: Type) -> str:
    """The C++ type that holds a value of `type`; for an array, a pointer to its elements.

    Structs keep their name (`struct_fields` of DeviceCode is keyed by the name after renaming).
    Raises ValueError for types that have none here (tuples, functions).
    """
    match type:
        case Scalar(name) if name in SCALARS:
            return SCALARS[name]
        case Vector(length, scalar) if is_cuda_vector(type):
            return f"{_CUDA_VECTORS[scalar.name]}{length}"
        case Vector(length, scalar) if scalar.name in _LETTERS:
            return f"Vec{length}{_LETTERS[scalar.name]}"
        case Matrix(rows, columns, scalar) if scalar.name in _LETTERS:
            size = f"{rows}" if rows == columns else f"{rows}x{columns}"
            return f"Mat{size}{_LETTERS[scalar.name]}"
        case Quaternion(scalar) if scalar.name in _LETTERS:
            return f"Quat{_LETTERS[scalar.name]}"
        case Transform(scalar) if scalar.name in _LETTERS:
            return f"Transform{_LETTERS[scalar.name]}"
        case Struct(name):
            return name
        case Array(element, _):
            return f"{c_type(element)}*"
        case Reference(value):
            return c_type(value)
        case _:
            raise ValueError(f"{type} has no C++ type")


_OWN = re.compile(r"Vec(?P<length>\d+)|Mat(?P<rows>\d+)(?:x(?P<columns>\d+))?|Quat|Transform")
_VALUES: dict[str, Type] = {
    **{name: Scalar(scalar) for scalar, name in SCALARS.items()},
    **{
        f"{name}{length}": Vector(length, Scalar(scalar))
        for scalar, name in _CUDA_VECTORS.items()
        for length in (2, 3, 4)
    },
}
_SCALAR_OF_LETTERS = {letters: Scalar(scalar) for scalar, letters in _LETTERS.items()}


def value_type(name: str) -> Type | None:
    """The type whose values have the C++ type `name` (see `c_type`); None for a struct of the user's."""
    if name in _VALUES:
        return _VALUES[name]
    match = _OWN.match(name)
    scalar = _SCALAR_OF_LETTERS.get(name[match.end() :]) if match else None
    if match is None or scalar is None:
        return None
    if match["length"]:
        return Vector(int(match["length"]), scalar)
    if match["rows"]:
        return Matrix(int(match["rows"]), int(match["columns"] or match["rows"]), scalar)
    return Quaternion(scalar) if match[0] == "Quat" else Transform(scalar)


def component_names(type: Type) -> tuple[str, ...]:
    """How the scalar components of a vector, matrix, quaternion or transform are reached, in packed order.

    Each is what follows the value: `.x`, `.v[4]`, `.m[1][2]`, `.p.x`, `.q.w`.
    Raises ValueError for other types.
    """
    match type:
        case Vector(length, _) if 2 <= length <= 4:
            return tuple(f".{name}" for name in "xyzw"[:length])
        case Vector(length, _):
            return tuple(f".v[{i}]" for i in range(length))
        case Matrix(rows, columns, _):
            return tuple(f".m[{i}][{j}]" for i in range(rows) for j in range(columns))
        case Quaternion():
            return (".x", ".y", ".z", ".w")
        case Transform():
            return (".p.x", ".p.y", ".p.z", ".q.x", ".q.y", ".q.z", ".q.w")
        case _:
            raise ValueError(f"{type} has no components")


LIMITS = {
    "int32": ("INT_MIN", "INT_MAX"),
    "uint32": ("0u", "UINT_MAX"),
    "int64": ("LLONG_MIN", "LLONG_MAX"),
    "uint64": ("0ull", "ULLONG_MAX"),
}
"""The least and the largest integer of a type, as <climits> calls them."""

HEADERS = {
    **{f"{sign}int{bits}": "<cstdint>" for sign in ("", "u") for bits in (8, 16, 64)},
    "uint32": "<cstdint>",
    "float16": "<cuda_fp16.h>",
    "bfloat16": "<cuda_bf16.h>",
}
"""The header that a scalar type's name needs, if any."""

HALVES = ("float16", "bfloat16")
"""Floats of 16 bits. They add, subtract, multiply, divide and compare; C's functions take float."""
