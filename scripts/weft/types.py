"""The types that kernels use, as data: no Warp, no NumPy.

The written form is defined in docs/formats/types.md.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence

SCALAR_BYTES = {
    "bool": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "size_t": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
}

_FLOATS = frozenset(name for name in SCALAR_BYTES if "float" in name)
_SIGNED = frozenset(name for name in SCALAR_BYTES if name.startswith("int"))
_UNSIGNED = frozenset(name for name in SCALAR_BYTES if name.startswith("uint")) | {"size_t"}
_INTEGERS = _SIGNED | _UNSIGNED

SIGNIFICAND_BITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
"""Binary digits of each float type: 2 to minus so many is its unit roundoff."""


@dataclasses.dataclass(frozen=True)
class Scalar:
    """A number or a boolean."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def is_float(self) -> bool:
        return self.name in _FLOATS

    @property
    def is_signed(self) -> bool:
        return self.name in _SIGNED

    @property
    def is_unsigned(self) -> bool:
        return self.name in _UNSIGNED

    @property
    def is_integer(self) -> bool:
        return self.name in _INTEGERS

    @property
    def bytes(self) -> int:
        return SCALAR_BYTES[self.name]

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest value, of a type that is no float."""
        bits = 1 if self.name == "bool" else 8 * self.bytes
        return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if self.is_signed else (0, 2**bits - 1)


@dataclasses.dataclass(frozen=True)
class Vector:
    """A column of `length` scalars."""

    length: int
    scalar: Scalar

    def __str__(self) -> str:
        return f"vec<{self.length},{self.scalar}>"


@dataclasses.dataclass(frozen=True)
class Matrix:
    """A row-major matrix of scalars."""

    rows: int
    columns: int
    scalar: Scalar

    def __str__(self) -> str:
        return f"mat<{self.rows},{self.columns},{self.scalar}>"


@dataclasses.dataclass(frozen=True)
class Quaternion:
    """A quaternion, components in the order x, y, z, w."""

    scalar: Scalar

    def __str__(self) -> str:
        return f"quat<{self.scalar}>"


@dataclasses.dataclass(frozen=True)
class Transform:
    """A translation (3 scalars) followed by a rotation (a quaternion)."""

    scalar: Scalar

    def __str__(self) -> str:
        return f"transform<{self.scalar}>"


@dataclasses.dataclass(frozen=True)
class Struct:
    """A struct, by name; its fields stand in the record that uses it."""

    name: str

    def __str__(self) -> str:
        return f"struct<{self.name}>"


@dataclasses.dataclass(frozen=True)
class Array:
    """An array parameter or a view of one."""

    element: Type
    ndim: int

    def __str__(self) -> str:
        return f"array<{self.element},{self.ndim}>"


@dataclasses.dataclass(frozen=True)
class Reference:
    """A place in memory that holds a value: what `a[i]` and `s.x` are before they are read."""

    value: Type

    def __str__(self) -> str:
        return f"ref<{self.value}>"


@dataclasses.dataclass(frozen=True)
class Tuple:
    """Several values together: the result of a function that returns more than one."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple<{','.join(map(str, self.items))}>"


@dataclasses.dataclass(frozen=True)
class Function:
    """A function used as a value."""

    name: str

    def __str__(self) -> str:
        return f"func<{self.name}>"


@dataclasses.dataclass(frozen=True)
class IndexedArray(Array):
    """An array that is read and written through lists of indices, one per dimension or none."""

    def __str__(self) -> str:
        return f"indexed_array<{self.element},{self.ndim}>"


@dataclasses.dataclass(frozen=True)
class BucketArray(Array):
    """An array whose elements lie in several buckets, each a piece of memory (Warp: fabricarray)."""

    def __str__(self) -> str:
        return f"bucket_array<{self.element},{self.ndim}>"


@dataclasses.dataclass(frozen=True)
class IndexedBucketArray(Array):
    """An array in buckets that is read and written through a list of indices (Warp: indexedfabricarray)."""

    def __str__(self) -> str:
        return f"indexed_bucket_array<{self.element},{self.ndim}>"


@dataclasses.dataclass(frozen=True)
class Tile:
    """An array of constant shape that the threads of a block share."""

    element: Type
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"tile<{self.element},{','.join(map(str, self.shape))}>"

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)


@dataclasses.dataclass(frozen=True)
class Opaque:
    """A Warp type that this language lacks: meshes, textures, …"""

    name: str

    def __str__(self) -> str:
        return f"opaque<{self.name}>"


Type = (
    Scalar
    | Vector
    | Matrix
    | Quaternion
    | Transform
    | Struct
    | Array
    | Tile
    | Reference
    | Tuple
    | Function
    | Opaque
)

Fields = Sequence[tuple[str, Type]]
Structs = Mapping[str, Fields]

_ARRAYS = {
    "array": Array,
    "indexed_array": IndexedArray,
    "bucket_array": BucketArray,
    "indexed_bucket_array": IndexedBucketArray,
}

_TOKEN = re.compile(r"[^\W\d][\w.]*|\d+|[<>,]")


@functools.lru_cache(maxsize=4096)
def parse_type(text: str) -> Type:
    """The type that `text` writes. Raises ValueError if it is not one."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != text:
        raise ValueError(f"not a type: {text!r}")
    position = 0

    def take() -> str:
        nonlocal position
        if position == len(tokens):
            raise ValueError(f"not a type: {text!r}")
        position += 1
        token: str = tokens[position - 1]
        return token

    def expect(token: str) -> None:
        if take() != token:
            raise ValueError(f"not a type: {text!r}")

    def number() -> int:
        token = take()
        if not token.isdigit():
            raise ValueError(f"not a type: {text!r} (expected a number in place of {token!r})")
        return int(token)

    def scalar() -> Scalar:
        name = take()
        if name not in SCALAR_BYTES:
            raise ValueError(f"not a scalar type: {name!r} in {text!r}")
        return Scalar(name)

    def one() -> Type:
        head = take()
        if head in SCALAR_BYTES:
            return Scalar(head)
        expect("<")
        result: Type
        if head == "vec":
            length = number()
            expect(",")
            result = Vector(length, scalar())
        elif head == "mat":
            rows = number()
            expect(",")
            columns = number()
            expect(",")
            result = Matrix(rows, columns, scalar())
        elif head == "quat":
            result = Quaternion(scalar())
        elif head == "transform":
            result = Transform(scalar())
        elif head == "struct":
            result = Struct(take())
        elif head == "func":
            result = Function(take())
        elif head == "opaque":
            result = Opaque(take())
        elif head == "ref":
            result = Reference(one())
        elif head in _ARRAYS:
            element = one()
            expect(",")
            result = _ARRAYS[head](element, number())
        elif head == "tile":
            element = one()
            shape = []
            while position < len(tokens) and tokens[position] == ",":
                take()
                shape.append(number())
            result = Tile(element, tuple(shape))
        elif head == "tuple":
            items = [one()]
            while position < len(tokens) and tokens[position] == ",":
                take()
                items.append(one())
            result = Tuple(tuple(items))
        else:
            raise ValueError(f"not a type: {text!r}")
        expect(">")
        return result

    result = one()
    if position != len(tokens):
        raise ValueError(f"not a type: {text!r}")
    return result


def strip_reference(type: Type) -> Type:
    """The type of the value that an expression of this type gives when it is read."""
    return type.value if isinstance(type, Reference) else type


def component_scalars(type: Type, structs: Structs) -> Iterator[Scalar]:
    """The scalars of one packed value of `type`, in order.

    Raises ValueError for types that are not values (arrays, functions).
    """
    match type:
        case Scalar():
            yield type
        case Vector(length, scalar):
            yield from [scalar] * length
        case Matrix(rows, columns, scalar):
            yield from [scalar] * (rows * columns)
        case Quaternion(scalar):
            yield from [scalar] * 4
        case Transform(scalar):
            yield from [scalar] * 7
        case Struct(name):
            for _, field in structs[name]:
                yield from component_scalars(field, structs)
        case _:
            raise ValueError(f"{type} is not a value type")


def index_lengths(type: Type) -> tuple[int | None, ...]:
    """Among how many each index of `type` picks: components, or None for the elements of an array."""
    match type:
        case Vector(length):
            return (length,)
        case Matrix(rows, columns):
            return (rows, columns)
        case Quaternion():
            return (4,)
        case Transform():
            return (7,)
        case Array(element, ndim):
            return (None,) * ndim + index_lengths(element)
    return ()


def packed_bytes(type: Type, structs: Structs) -> int:
    """Bytes of one packed value of `type`."""
    if isinstance(type, Struct):
        return sum(packed_bytes(field, structs) for _, field in structs[type.name])
    return _bytes_without_structs(type)


@functools.lru_cache(maxsize=256)
def _bytes_without_structs(type: Type) -> int:
    return sum(scalar.bytes for scalar in component_scalars(type, {}))
