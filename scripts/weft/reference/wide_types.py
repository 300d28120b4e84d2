"""Types with float64 for every narrower float: what a float64 twin takes and gives."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from weft import bfloat16
from weft.reference.layout import Packed
from weft.types import Array, Matrix, Quaternion, Scalar, Struct, Structs, Transform, Type, Vector


def wide_type(kind: Type) -> Type:
    """The type with float64 in place of its narrower floats; structs keep their name (see `wide_structs`)."""
    match kind:
        case Scalar():
            return Scalar("float64") if kind.is_float else kind
        case Struct():
            return kind
        case Array():
            return dataclasses.replace(kind, element=wide_type(kind.element))
        case Vector() | Matrix() | Quaternion() | Transform():
            return dataclasses.replace(
                kind, scalar=Scalar("float64") if kind.scalar.is_float else kind.scalar
            )
    raise ValueError(f"{kind} has no wide form")


def wide_structs(structs: Structs) -> dict[str, list[tuple[str, Type]]]:
    """The structs with wide fields."""
    return {name: [(field, wide_type(kind)) for field, kind in fields] for name, fields in structs.items()}


def to_wide(packed: Packed, wide: np.dtype[Any]) -> Packed:
    """Packed elements with their floats as doubles: exact."""
    names = packed.dtype.names or ()
    if len({packed.dtype[name] for name in names}) == 1 and packed.dtype[names[0]].kind == "f":
        return packed.view(packed.dtype[names[0]]).astype("<f8").view(wide)
    result = np.empty(len(packed), dtype=wide)
    for name in names:
        column = packed[name]
        result[name] = bfloat16.as_floats(column) if bfloat16.is_float(packed.dtype[name]) else column
    return result
