"""Operators on rotations, transforms and spatial vectors, one record each, as in `operators`.

A quaternion whose components lie in [-1, 1] stands for a rotation; its author keeps it at unit length. The
bounds of a transform hold for its translation, and reach at least to 1 for its rotation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels.intervals import Interval
from weft.kernels.operators import Operator
from weft.kernels.types import scalar_of
from weft.types import Matrix, Quaternion, Scalar, Transform, Type, Vector

Shape = Callable[[Scalar], Type]

_SHAPES: dict[str, Shape] = {
    "number": lambda scalar: scalar,
    "vector": lambda scalar: Vector(3, scalar),
    "rotation": Quaternion,
    "matrix": lambda scalar: Matrix(3, 3, scalar),
    "spatial matrix": lambda scalar: Matrix(6, 6, scalar),
    "transform": Transform,
    "spatial": lambda scalar: Vector(6, scalar),
}


def _signature(result: str, *operands: str) -> Callable[[Sequence[Type]], Type | None]:
    def type_of(types: Sequence[Type]) -> Type | None:
        scalar = scalar_of(types[0])
        return _SHAPES[result](scalar) if list(types) == [_SHAPES[one](scalar) for one in operands] else None

    return type_of


def _within(magnitude: float) -> Interval:
    return Interval(-magnitude, magnitude)


def _unit(*_: Interval) -> Interval:
    return _within(1.0)


def _is_unit(a: Interval, *_: Interval) -> bool:
    return a.within(-1.0, 1.0)


def _turned(_: Interval, v: Interval) -> Interval:
    return _within(2.0 * v.magnitude)


def chained(a: Interval, b: Interval) -> Interval:
    """Bounds of a transform after another, or of a point."""
    return _within(a.magnitude + 2.0 * b.magnitude)


def _crossed(a: Interval, b: Interval) -> Interval:
    return _within(4.0 * a.magnitude * b.magnitude)


SPATIAL: dict[str, Operator] = {
    "quat_from_axis_angle": Operator(_signature("rotation", "vector", "number"), _unit, _is_unit),
    "quat_rpy": Operator(_signature("rotation", "number", "number", "number"), _unit),
    "quat_inverse": Operator(_signature("rotation", "rotation"), _unit, _is_unit),
    "quat_rotate": Operator(_signature("vector", "rotation", "vector"), _turned, _is_unit),
    "quat_rotate_inv": Operator(_signature("vector", "rotation", "vector"), _turned, _is_unit),
    "quat_slerp": Operator(
        _signature("rotation", "rotation", "rotation", "number"),
        _unit,
        lambda a, b, _: a.within(-1, 1) and b.within(-1, 1),
    ),
    "quat_to_matrix": Operator(_signature("matrix", "rotation"), _unit, _is_unit),
    "quat_from_matrix": Operator(_signature("rotation", "matrix"), _unit, _is_unit),
    "transform_point": Operator(_signature("vector", "transform", "vector"), chained),
    "transform_vector": Operator(_signature("vector", "transform", "vector"), _turned),
    "transform_inverse": Operator(
        _signature("transform", "transform"), lambda a: _within(max(1.0, 2.0 * a.magnitude))
    ),
    "transform_multiply": Operator(_signature("transform", "transform", "transform"), chained),
    "transform_get_translation": Operator(_signature("vector", "transform"), lambda a: a),
    "transform_get_rotation": Operator(_signature("rotation", "transform"), _unit),
    "spatial_top": Operator(_signature("vector", "spatial"), lambda a: a),
    "spatial_bottom": Operator(_signature("vector", "spatial"), lambda a: a),
    "spatial_cross": Operator(_signature("spatial", "spatial", "spatial"), _crossed),
    "spatial_cross_dual": Operator(_signature("spatial", "spatial", "spatial"), _crossed),
    "spatial_adjoint": Operator(
        _signature("spatial matrix", "matrix", "matrix"), lambda r, s: r.hull(s).hull(Interval(0.0, 0.0))
    ),
    "spatial_dot": Operator(
        _signature("number", "spatial", "spatial"), lambda a, b: _within(6.0 * a.magnitude * b.magnitude)
    ),
}
