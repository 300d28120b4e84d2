"""Builtins for one purpose each, as in `operators`: special functions, norms, samples, frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels.intervals import Interval
from weft.kernels.operators import Operator
from weft.kernels.types import F32, I32, MAT44, QUAT, SPATIAL_VECTOR, TRANSFORM, U32, VEC2, VEC3, scalar_of
from weft.types import Matrix, Quaternion, Scalar, Type, Vector

Signature = Callable[[Sequence[Type]], Type | None]


def _exactly(result: Type, *operands: Type) -> Signature:
    return lambda types: result if tuple(types) == operands else None


def _floats(count: int) -> Signature:
    """So many floats of one type, that of the result."""

    def type_of(types: Sequence[Type]) -> Type | None:
        one = types[0]
        alike = len(types) == count and types.count(one) == count
        return one if alike and isinstance(one, Scalar) and one.is_float else None

    return type_of


def _vector(result: Callable[[Vector], Type], *numbers: int) -> Signature:
    """A vector of floats, and with it as many numbers of its kind as `numbers` has."""

    def type_of(types: Sequence[Type]) -> Type | None:
        one = types[0]
        if not isinstance(one, Vector) or not one.scalar.is_float:
            return None
        return result(one) if list(types[1:]) == [one.scalar] * len(numbers) else None

    return type_of


def _stacked(types: Sequence[Type]) -> Type | None:
    one = types[0]
    square = isinstance(one, Vector) and types.count(one) == len(types) == one.length
    return Matrix(one.length, one.length, one.scalar) if square and isinstance(one, Vector) else None


def _rotation(result: Callable[[Scalar], Type], *operands: Callable[[Scalar], Type]) -> Signature:
    def type_of(types: Sequence[Type]) -> Type | None:
        scalar = scalar_of(types[0])
        return result(scalar) if list(types) == [one(scalar) for one in operands] else None

    return type_of


def _within(magnitude: float, *, low: float | None = None) -> Callable[..., Interval]:
    return lambda *_: Interval(-magnitude if low is None else low, magnitude)


def _norm(factor: float) -> Callable[..., Interval]:
    return lambda v, *_: Interval(0.0, factor * v.magnitude)


def _space(scalar: Scalar) -> Type:
    return Vector(3, scalar)


def _number(scalar: Scalar) -> Type:
    return scalar


def _hull(first: Interval, *others: Interval) -> Interval:
    for one in others:
        first = first.hull(one)
    return first


def _moved(t: Interval, v: Interval) -> Interval:
    return Interval(-4 * v.magnitude * (1 + t.magnitude), 4 * v.magnitude * (1 + t.magnitude))


_POINTS = {
    "sample_triangle": (VEC2, 0.0),
    "sample_unit_ring": (VEC2, -1.0),
    "sample_unit_disk": (VEC2, -1.0),
    "sample_unit_square": (VEC2, -0.5),
    "sample_unit_cube": (VEC3, -0.5),
    "sample_unit_sphere": (VEC3, -1.0),
    "sample_unit_sphere_surface": (VEC3, -1.0),
    "sample_unit_hemisphere": (VEC3, -1.0),
    "sample_unit_hemisphere_surface": (VEC3, -1.0),
}

SPECIAL: dict[str, Operator] = {
    "copysign": Operator(_floats(2), lambda a, _: Interval(-a.magnitude, a.magnitude)),
    "erfc": Operator(_floats(1), _within(2.0, low=0.0)),
    "erfinv": Operator(_floats(1), _within(2.5), lambda a: a.within(-0.999, 0.999)),
    "erfcinv": Operator(_floats(1), _within(2.5), lambda a: a.within(0.001, 1.999)),
    "nonzero": Operator(_floats(1), lambda _: Interval(0, 1, True)),
    "argmin": Operator(_vector(lambda _: U32), lambda _: Interval(0, 3, True)),
    "argmax": Operator(_vector(lambda _: U32), lambda _: Interval(0, 3, True)),
    "norm_l1": Operator(_vector(lambda v: v.scalar), _norm(4.0)),
    "norm_l2": Operator(_vector(lambda v: v.scalar), _norm(2.0)),
    "norm_huber": Operator(_vector(lambda v: v.scalar, 1), lambda v, d: Interval(0.0, 4.0 * v.magnitude**2)),
    "norm_pseudo_huber": Operator(_vector(lambda v: v.scalar, 1), _norm(4.0)),
    "smooth_normalize": Operator(_vector(lambda v: v, 1), _within(1.0)),
    "matrix_from_rows": Operator(_stacked, _hull),
    "matrix_from_cols": Operator(_stacked, _hull),
    "quat_twist": Operator(_rotation(Quaternion, _space, Quaternion), _within(1.0)),
    "quat_twist_angle": Operator(_rotation(_number, _space, Quaternion), _within(3.2)),
    "quat_twist_angle_signed": Operator(_rotation(_number, _space, Quaternion), _within(3.2)),
    "quat_to_rpy": Operator(_rotation(_space, Quaternion), _within(3.2)),
    "quat_to_euler": Operator(_exactly(VEC3, QUAT, I32, I32, I32), _within(3.2)),
    "quat_from_euler": Operator(_exactly(QUAT, VEC3, I32, I32, I32), _within(1.0)),
    "transform_twist": Operator(_exactly(SPATIAL_VECTOR, TRANSFORM, SPATIAL_VECTOR), _moved),
    "transform_wrench": Operator(_exactly(SPATIAL_VECTOR, TRANSFORM, SPATIAL_VECTOR), _moved),
    "velocity_at_point": Operator(
        _exactly(VEC3, SPATIAL_VECTOR, VEC3),
        lambda q, r: Interval(-q.magnitude * (1 + 2 * r.magnitude), q.magnitude * (1 + 2 * r.magnitude)),
    ),
    "transform_to_matrix": Operator(_exactly(MAT44, TRANSFORM), lambda t: Interval(-1, 1).hull(t)),
    "transform_compose": Operator(
        _exactly(MAT44, VEC3, QUAT, VEC3), lambda p, _, s: p.hull(Interval(-2 * s.magnitude, 2 * s.magnitude))
    ),
    "transform_from_matrix": Operator(_exactly(TRANSFORM, MAT44), lambda m: m),
    "closest_point_edge_edge": Operator(
        _exactly(VEC3, VEC3, VEC3, VEC3, VEC3, F32),
        lambda *points: Interval(0, 4 * max(p.magnitude for p in points)),
    ),
    "intersect_tri_tri": Operator(_exactly(I32, *[VEC3] * 6), lambda *_: Interval(0, 1, True)),
    "poisson": Operator(
        _exactly(U32, U32, F32), lambda _, rate: Interval(0, 200, True), lambda _, rate: rate.within(0.1, 8.0)
    ),
    "randu": Operator(_exactly(U32, U32), lambda _: Interval(0, 2**32 - 1, True)),
    "noise": Operator(
        lambda types: F32 if types[0] == U32 and types[1] in (F32, VEC2, VEC3) else None, _within(1.5)
    ),
    "pnoise": Operator(
        lambda types: F32 if list(types[1:]) in ([F32, I32], [VEC2, I32, I32]) else None, _within(1.5)
    ),
    "curlnoise": Operator(
        lambda types: types[1] if list(types) in ([U32, VEC2], [U32, VEC3]) else None, _within(10.0)
    ),
    **{
        name: Operator(_exactly(space, U32), _within(1.0 if low != -0.5 else 0.5, low=low))
        for name, (space, low) in _POINTS.items()
    },
}
