"""Warp's public builtins and the concrete signatures that they take, read from Warp itself."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import warp as wp
from warp._src import context
from warp._src import types as warp_types

from weft.ir.warp_inside.names import Names
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector, parse_type

INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
FLOATS = ("float16", "bfloat16", "float32", "float64")
SCALARS = (*INTEGERS, *FLOATS)
FAMILIES = ("tile", "untile", "mesh_", "volume_", "bvh_", "hash_grid_", "texture_")
"""By these the names begin of the builtins that work on objects: tiles, meshes, volumes and so on."""

_LENGTHS = (2, 3, 4, 5)
_SHAPES = ((2, 2), (3, 3), (4, 4), (2, 3), (5, 5))


def public() -> dict[str, list[Any]]:
    """The overloads that Warp documents, by the builtin's name: 300 builtins in Warp 1.19."""
    shown = {
        name: [one for one in getattr(function, "overloads", [function]) if not one.hidden]
        for name, function in context.builtin_functions.items()
    }
    return {name: overloads for name, overloads in sorted(shown.items()) if overloads}


def core() -> dict[str, list[Any]]:
    """The public builtins outside the families of objects: the 177 that Weft means to translate."""
    return {name: overloads for name, overloads in public().items() if not name.startswith(FAMILIES)}


@dataclasses.dataclass(frozen=True)
class Signature:
    """Types that one call takes, by parameter, and those of its results (none where it changes arguments)."""

    builtin: str
    parameters: tuple[tuple[str, Type], ...]
    results: tuple[Type, ...]


def signatures(name: str, overload: Any) -> Iterator[Signature]:
    """What an overload takes, for each scalar type and some lengths and shapes.

    Nothing where it takes arrays, types, tuples or any number of arguments.
    """
    kinds = {
        parameter: kind
        for parameter, kind in overload.input_types.items()
        if parameter not in overload.defaults or overload.defaults[parameter] is not None
    }
    if overload.variadic or any(_kind(kind) is None for kind in kinds.values()):
        return
    generic = {scalar for kind in kinds.values() for scalar in _scalars(kind)}
    for scalar in SCALARS if generic else (None,):
        if any(scalar not in allowed for allowed in generic):
            continue
        # Two generic matrices or vectors may differ in shape, where Warp lets them.
        choices = [list(_concrete(kind, scalar)) for kind in kinds.values()]
        for chosen in itertools.product(*choices):
            signature = _checked(name, overload, dict(zip(kinds, chosen, strict=True)))
            if signature is not None:
                yield signature


def _checked(name: str, overload: Any, types: dict[str, Any]) -> Signature | None:
    """The signature with these Warp types, if the overload takes them."""
    try:
        result = overload.value_func(types, {})
    except Exception:
        return None
    items = result if isinstance(result, list | tuple) else [result]
    written = Names()
    results = tuple(parse_type(written.type(item)) for item in items if item is not None)
    return Signature(name, tuple((p, parse_type(written.type(t))) for p, t in types.items()), results)


def _kind(kind: Any) -> str | None:
    """What sort of parameter this is: a scalar, a vector, …; None for what the table does by hand."""
    if kind in (warp_types.Scalar, warp_types.Float, warp_types.Int):
        return "scalar"
    if kind in (int, float, bool):
        return "scalar"
    hint = getattr(kind, "_wp_generic_type_str_", None)
    if hint is not None:
        return str(hint)
    return "scalar" if getattr(kind, "__name__", "") in (*SCALARS, "bool") else None


def _scalars(kind: Any) -> Iterator[tuple[str, ...]]:
    """The scalar types that a generic parameter allows."""
    scalar = getattr(kind, "_wp_scalar_type_", kind)
    if scalar is warp_types.Float:
        yield FLOATS
    elif scalar is warp_types.Int:
        yield INTEGERS
    elif scalar is warp_types.Scalar:
        yield SCALARS


def _concrete(kind: Any, scalar: str | None) -> Iterator[Any]:
    hint = getattr(kind, "_wp_generic_type_str_", None)
    if hint is None:
        builtin = {int: wp.int32, float: wp.float32, bool: wp.bool}
        yield getattr(wp, scalar) if next(_scalars(kind), None) and scalar else builtin.get(kind, kind)
        return
    generic = next(_scalars(kind), None) is not None
    element = getattr(wp, scalar) if generic and scalar else kind._wp_scalar_type_
    if hint == "vec_t":
        for length in (kind._length_,) if kind._length_ else _LENGTHS:
            yield wp.types.vector(length=length, dtype=element)
    elif hint == "mat_t":
        for shape in (kind._shape_,) if kind._shape_[0] else _SHAPES:
            yield wp.types.matrix(shape=shape, dtype=element)
    elif hint == "quat_t":
        yield wp.types.quaternion(dtype=element)
    else:
        yield wp.types.transformation(dtype=element)


def annotation(type: Type) -> str:
    """The type as a user writes it."""
    match type:
        case Scalar(name):
            return f"wp.{name}"
        case Vector(length, scalar):
            return f"wp.types.vector(length={length}, dtype=wp.{scalar})"
        case Matrix(rows, columns, scalar):
            return f"wp.types.matrix(shape=({rows}, {columns}), dtype=wp.{scalar})"
        case Quaternion(scalar):
            return f"wp.types.quaternion(dtype=wp.{scalar})"
        case Transform(scalar):
            return f"wp.types.transformation(dtype=wp.{scalar})"
        case _:
            raise ValueError(f"no kernel of the table takes {type}")
