"""Memory layout of structs in C++: where there is padding, and which members a packed element is made of.

Sizes and alignments are those of the x86-64 System V ABI and of CUDA's vector types (CUDA C++ Programming
Guide, "Built-in Vector Types").
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from weft.cuda.c_types import is_cuda_vector
from weft.types import Matrix, Quaternion, Scalar, Struct, Transform, Type, Vector, component_scalars

Members = tuple[tuple[str, str, Type], ...]
StructFields = Mapping[str, Members]


@dataclasses.dataclass(frozen=True)
class Layout:
    """Bytes and alignment of a type in memory, and its bytes without padding."""

    bytes: int
    alignment: int
    packed: int

    @property
    def padded(self) -> bool:
        return self.bytes != self.packed


def layout(type: Type, c_type: str, fields: StructFields) -> Layout:
    """The layout of a value of `type`, whose C++ type is `c_type`."""
    match type:
        case Scalar():
            return Layout(type.bytes, type.bytes, type.bytes)
        case Vector(length, scalar) if is_cuda_vector(type) and length != 3:
            return Layout(length * scalar.bytes, min(length * scalar.bytes, 16), length * scalar.bytes)
        case Vector() | Matrix() | Quaternion() | Transform():
            scalars = list(component_scalars(type, {}))
            total = sum(scalar.bytes for scalar in scalars)
            return Layout(total, scalars[0].bytes, total)
        case Struct():
            return _struct_layout([layout(member, name, fields) for _, name, member in fields[c_type]])
        case _:
            raise ValueError(f"{type} is not a value type")


def _struct_layout(members: list[Layout]) -> Layout:
    offset = 0
    for member in members:
        offset = _round_up(offset, member.alignment) + member.bytes
    alignment = max((member.alignment for member in members), default=1)
    return Layout(_round_up(offset, alignment), alignment, sum(member.packed for member in members))


def _round_up(value: int, multiple: int) -> int:
    return (value + multiple - 1) // multiple * multiple


def packed_members(c_type: str, fields: StructFields) -> list[tuple[str, str]]:
    """Path and C++ type of each member of a struct that has no padding inside, in declaration order."""
    members = []
    for name, member_c_type, member in fields[c_type]:
        if layout(member, member_c_type, fields).padded:
            inner = packed_members(member_c_type, fields)
            members += [(f"{name}.{path}", leaf) for path, leaf in inner]
        else:
            members.append((name, member_c_type))
    return members
