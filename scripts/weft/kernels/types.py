"""Short names for the types that generated kernels use, and Warp's own names for them."""

from __future__ import annotations

from weft.types import Matrix, Opaque, Quaternion, Scalar, Struct, Tile, Transform, Type, Vector

BOOL = Scalar("bool")
I8 = Scalar("int8")
I16 = Scalar("int16")
I32 = Scalar("int32")
I64 = Scalar("int64")
U8 = Scalar("uint8")
U16 = Scalar("uint16")
U32 = Scalar("uint32")
U64 = Scalar("uint64")
F16 = Scalar("float16")
F32 = Scalar("float32")
F64 = Scalar("float64")

VEC2 = Vector(2, F32)
VEC3 = Vector(3, F32)
MAT22 = Matrix(2, 2, F32)
MAT33 = Matrix(3, 3, F32)
MAT44 = Matrix(4, 4, F32)
QUAT = Quaternion(F32)
TRANSFORM = Transform(F32)
SPATIAL_VECTOR = Vector(6, F32)
SPATIAL_MATRIX = Matrix(6, 6, F32)

ANY = Opaque("Any")

LIMITS: dict[str, tuple[int, int]] = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint8": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
}

_SUFFIXES = {"float16": "h", "float32": "", "float64": "d"}
_SUFFIXES |= {"int8": "b", "int16": "s", "int32": "i", "int64": "l"}
_SUFFIXES |= {"uint8": "ub", "uint16": "us", "uint32": "ui", "uint64": "ul"}

_COMPOUND = (Vector, Matrix, Quaternion, Transform)


def scalar_of(type: Type) -> Scalar:
    """The scalar that a value of `type` is made of. Raises TypeError for what has none."""
    if isinstance(type, Scalar):
        return type
    if isinstance(type, _COMPOUND):
        return type.scalar
    if isinstance(type, Tile):
        return scalar_of(type.element)
    raise TypeError(f"{type} has no scalar type")


def is_texel(type: Type) -> bool:
    """Does a texture hold such elements?"""
    components = type.length if isinstance(type, Vector) else 1
    return scalar_of(type) in (U8, I32, U32, F32) and components in (1, 2, 4)


def warp_name(type: Type) -> str:
    """How a Warp program writes `type`, as in `wp.vec3` or `wp.float64`."""
    match type:
        case Scalar(name):
            return f"wp.{name}"
        case Vector(6, scalar):
            return f"wp.spatial_vector{_SUFFIXES[scalar.name]}"
        case Matrix(6, 6, scalar):
            return f"wp.spatial_matrix{_SUFFIXES[scalar.name]}"
        case Vector(length, scalar):
            return f"wp.vec{length}{_SUFFIXES[scalar.name]}"
        case Matrix(rows, columns, scalar):
            return f"wp.mat{rows}{columns}{_SUFFIXES[scalar.name]}"
        case Quaternion(scalar):
            return f"wp.quat{_SUFFIXES[scalar.name]}"
        case Transform(scalar):
            return f"wp.transform{_SUFFIXES[scalar.name]}"
        case Struct(name):
            return name
        case _:
            raise TypeError(f"no Warp name for {type}")
