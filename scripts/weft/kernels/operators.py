"""One record per operator: what it takes, what must hold of the operands, and what comes out.

`requires` keeps every operand inside the function's domain, so that no generated kernel divides by zero,
overflows an int, or makes a NaN. Adding an operator is adding one line to a table.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.kernels import intervals
from weft.kernels.intervals import Interval
from weft.kernels.types import BOOL, I32, U32
from weft.types import Matrix, Quaternion, Scalar, Tile, Transform, Type, Vector

SMALLEST_DIVISOR = 1e-6


@dataclasses.dataclass(frozen=True, slots=True)
class Operator:
    """`result` gives the type from the operands' types (None: not allowed), `interval` the bounds."""

    result: Callable[[Sequence[Type]], Type | None]
    interval: Callable[..., Interval]
    requires: Callable[..., bool] = lambda *_: True


def is_float(type: Type) -> bool:
    """Is it a float scalar?"""
    return isinstance(type, Scalar) and type.is_float


def is_integer(type: Type) -> bool:
    """Is it an integer scalar?"""
    return isinstance(type, Scalar) and type.is_integer


def _same(types: Sequence[Type]) -> Type | None:
    return types[0] if types.count(types[0]) == len(types) else None


def _same_floats(types: Sequence[Type]) -> Type | None:
    return _same(types) if is_float(types[0]) else None


def _same_integers(types: Sequence[Type]) -> Type | None:
    return _same(types) if is_integer(types[0]) else None


def same_numbers(types: Sequence[Type]) -> Type | None:
    """The type that all operands have, if it is a number's."""
    return _same(types) if is_float(types[0]) or is_integer(types[0]) else None


def _numbers_or_vectors(types: Sequence[Type]) -> Type | None:
    """Numbers, or vectors of floats component by component."""
    return same_numbers(types) or (_same(types) if is_float(getattr(types[0], "scalar", types[0])) else None)


_MULTIPLIED = (Scalar, Quaternion, Tile, Transform)
_SCALED = (Vector, Matrix, Quaternion)


def _product(types: Sequence[Type]) -> Type | None:
    left, right = types
    if isinstance(left, _MULTIPLIED) and left == right:
        return left
    if isinstance(left, Tile) and left.element == right:
        return left
    if isinstance(right, Tile) and right.element == left:
        return right
    if isinstance(left, _SCALED) and left.scalar == right:
        return left
    if isinstance(right, _SCALED) and right.scalar == left:
        return right
    return None


def _quotient(types: Sequence[Type]) -> Type | None:
    left, right = types
    if isinstance(left, (Scalar, Tile)) and left == right and left != BOOL:
        return left
    return left if isinstance(left, (Vector, Matrix)) and left.scalar == right else None


def _matrix_product(types: Sequence[Type]) -> Type | None:
    left, right = types
    if not isinstance(left, Matrix):
        return None
    if isinstance(right, Vector) and right == Vector(left.columns, left.scalar):
        return Vector(left.rows, left.scalar)
    if isinstance(right, Matrix) and right.rows == left.columns and right.scalar == left.scalar:
        return Matrix(left.rows, right.columns, left.scalar)
    return None


def _vectors_to_scalar(types: Sequence[Type]) -> Type | None:
    return types[0].scalar if isinstance(types[0], (Vector, Quaternion)) and _same(types) else None


def _vectors(types: Sequence[Type]) -> Type | None:
    return types[0] if isinstance(types[0], Vector) and _same(types) else None


def _matrix_to_scalar(types: Sequence[Type]) -> Type | None:
    (one,) = types
    return one.scalar if isinstance(one, Matrix) and one.rows == one.columns else None


def _monotonic(function: Callable[[float], float]) -> Callable[[Interval], Interval]:
    def interval(a: Interval) -> Interval:
        return Interval(function(a.lo), function(a.hi))

    return interval


def _whole_monotonic(function: Callable[[float], float]) -> Callable[[Interval], Interval]:
    def interval(a: Interval) -> Interval:
        if a.magnitude == math.inf:
            return Interval(a.lo, a.hi, integral=True)
        return Interval(function(a.lo), function(a.hi), integral=True)

    return interval


def _half_away_from_zero(x: float) -> float:
    return math.copysign(math.floor(abs(x) + 0.5), x)


def _constantly(low: float, high: float, *, integral: bool = False) -> Callable[..., Interval]:
    return lambda *_: Interval(low, high, integral)


def _divisor(a: Interval, b: Interval) -> bool:
    return b.lo >= SMALLEST_DIVISOR or b.hi <= -SMALLEST_DIVISOR


def _power(a: Interval, b: Interval) -> Interval:
    corners = [x**y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return Interval(min(corners), max(corners))


def _shift_left(a: Interval, b: Interval) -> Interval:
    return Interval(int(a.lo) << int(b.lo), int(a.hi) << int(b.hi), True)


def _shift_right(a: Interval, b: Interval) -> Interval:
    low = int(a.lo) >> int(b.lo if a.lo < 0 else b.hi)
    return Interval(low, int(a.hi) >> int(b.hi if a.hi < 0 else b.lo), True)


def _mask(a: Interval, b: Interval) -> Interval:
    return Interval(0, min(a.hi, b.hi), True)


def _bit_union(a: Interval, b: Interval) -> Interval:
    return Interval(0, (1 << int(max(a.hi, b.hi)).bit_length()) - 1, True)


def not_negative(*operands: Interval) -> bool:
    """Is no operand below zero?"""
    return all(one.lo >= 0 for one in operands)


def _shiftable(a: Interval, b: Interval) -> bool:
    return a.lo >= 0 and b.within(0, 63)


def _lerp(a: Interval, b: Interval, t: Interval) -> Interval:
    return intervals.add(
        intervals.multiply(a, intervals.subtract(Interval(1, 1), t)), intervals.multiply(b, t)
    )


def _clamp(x: Interval, low: Interval, high: Interval) -> Interval:
    return intervals.minimum(intervals.maximum(x, low), high)


def _hypotenuse(a: Interval, *, scale: float = 2.0) -> Interval:
    return Interval(0.0, scale * a.magnitude)


ARITHMETIC: dict[str, Operator] = {
    "+": Operator(_same, intervals.add),
    "-": Operator(_same, intervals.subtract),
    "*": Operator(_product, intervals.multiply),
    "/": Operator(_quotient, intervals.divide, _divisor),
    "//": Operator(_same_integers, intervals.divide_whole, lambda a, b: a.lo >= 0 and b.lo >= 1),
    "%": Operator(_same_integers, intervals.remainder, lambda a, b: b.lo >= 1),
    "@": Operator(_matrix_product, intervals.multiply),
    "&": Operator(_same_integers, _mask, not_negative),
    "|": Operator(_same_integers, _bit_union, not_negative),
    "^": Operator(_same_integers, _bit_union, not_negative),
    "<<": Operator(_same_integers, _shift_left, _shiftable),
    ">>": Operator(_same_integers, _shift_right, lambda a, b: b.within(0, 63)),
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

FUNCTIONS: dict[str, Operator] = {
    "abs": Operator(_numbers_or_vectors, intervals.absolute),
    "min": Operator(_numbers_or_vectors, intervals.minimum),
    "max": Operator(_numbers_or_vectors, intervals.maximum),
    "clamp": Operator(same_numbers, _clamp, lambda x, low, high: low.hi <= high.lo or high.exact),
    "sign": Operator(_same_floats, _constantly(-1, 1, integral=True)),
    "step": Operator(_same_floats, _constantly(0, 1, integral=True)),
    "sqrt": Operator(_same_floats, _monotonic(math.sqrt), lambda a: a.lo >= 0),
    "cbrt": Operator(_same_floats, lambda a: Interval(-1 - a.magnitude, 1 + a.magnitude)),
    "exp": Operator(_same_floats, _monotonic(math.exp), lambda a: a.hi <= 40),
    "log": Operator(_same_floats, _monotonic(math.log), lambda a: a.lo >= 1e-8),
    "log2": Operator(_same_floats, _monotonic(math.log2), lambda a: a.lo >= 1e-8),
    "log10": Operator(_same_floats, _monotonic(math.log10), lambda a: a.lo >= 1e-8),
    "pow": Operator(_same_floats, _power, lambda a, b: a.lo >= 1e-6 and b.within(-8, 8)),
    "sin": Operator(_same_floats, _constantly(-1, 1), lambda a: a.within(-1e4, 1e4)),
    "cos": Operator(_same_floats, _constantly(-1, 1), lambda a: a.within(-1e4, 1e4)),
    "tan": Operator(_same_floats, _monotonic(math.tan), lambda a: a.within(-1.5, 1.5)),
    "asin": Operator(_same_floats, _monotonic(math.asin), lambda a: a.within(-1, 1)),
    "acos": Operator(_same_floats, _constantly(0, math.pi), lambda a: a.within(-1, 1)),
    "atan": Operator(_same_floats, _monotonic(math.atan)),
    "atan2": Operator(_same_floats, _constantly(-math.pi, math.pi)),
    "sinh": Operator(_same_floats, _monotonic(math.sinh), lambda a: a.within(-40, 40)),
    "cosh": Operator(
        _same_floats, lambda a: Interval(1, math.cosh(a.magnitude)), lambda a: a.within(-40, 40)
    ),
    "tanh": Operator(_same_floats, _constantly(-1, 1)),
    "erf": Operator(_same_floats, _constantly(-1, 1)),
    "floor": Operator(_same_floats, _whole_monotonic(math.floor)),
    "ceil": Operator(_same_floats, _whole_monotonic(math.ceil)),
    "round": Operator(_same_floats, _whole_monotonic(_half_away_from_zero)),
    "rint": Operator(_same_floats, _whole_monotonic(float.__round__)),
    "trunc": Operator(_same_floats, _whole_monotonic(math.trunc)),
    "frac": Operator(_same_floats, _constantly(-1, 1)),
    "degrees": Operator(_same_floats, _monotonic(math.degrees)),
    "radians": Operator(_same_floats, _monotonic(math.radians)),
    "lerp": Operator(_same_floats, _lerp),
    "smoothstep": Operator(_same_floats, _constantly(0, 1), lambda low, high, x: low.hi < high.lo),
    "dot": Operator(_vectors_to_scalar, intervals.multiply),
    "cross": Operator(_vectors, lambda a, b: intervals.subtract(p := intervals.multiply(a, b), p)),
    "length": Operator(_vectors_to_scalar, _hypotenuse),
    "length_sq": Operator(_vectors_to_scalar, lambda a: Interval(0.0, 4.0 * a.magnitude**2)),
    "normalize": Operator(
        lambda t: t[0] if isinstance(t[0], Vector | Quaternion) else None, _constantly(-1, 1)
    ),
    "cw_mul": Operator(_vectors, intervals.multiply),
    "cw_div": Operator(_vectors, intervals.divide, _divisor),
    "outer": Operator(
        lambda t: (
            Matrix(t[0].length, t[1].length, t[0].scalar)
            if isinstance(t[0], Vector) and isinstance(t[1], Vector) and t[0].scalar == t[1].scalar
            else None
        ),
        intervals.multiply,
    ),
    "transpose": Operator(
        lambda t: Matrix(t[0].columns, t[0].rows, t[0].scalar) if isinstance(t[0], Matrix) else None,
        lambda a: a,
    ),
    "trace": Operator(
        _matrix_to_scalar, lambda a: Interval(4 * min(a.lo, 0.0), 4 * max(a.hi, 0.0), a.integral)
    ),
    "determinant": Operator(
        _matrix_to_scalar, lambda a: Interval(-24 * a.magnitude**4 - 1, 24 * a.magnitude**4 + 1)
    ),
    "inverse": Operator(
        lambda t: t[0] if isinstance(t[0], Matrix) and t[0].rows == t[0].columns else None,
        _constantly(-math.inf, math.inf),
    ),
    "ddot": Operator(
        lambda t: t[0].scalar if isinstance(t[0], Matrix) and _same(t) else None,
        lambda a, b: Interval(-16 * a.magnitude * b.magnitude, 16 * a.magnitude * b.magnitude),
    ),
    "diag": Operator(
        lambda t: Matrix(t[0].length, t[0].length, t[0].scalar) if isinstance(t[0], Vector) else None,
        lambda a: Interval(min(a.lo, 0.0), max(a.hi, 0.0), a.integral),
    ),
    "get_diag": Operator(
        lambda t: (
            Vector(t[0].rows, t[0].scalar) if _matrix_to_scalar(t) and isinstance(t[0], Matrix) else None
        ),
        lambda a: a,
    ),
    "skew": Operator(
        lambda t: Matrix(3, 3, t[0].scalar) if isinstance(t[0], Vector) and t[0].length == 3 else None,
        lambda a: Interval(-a.magnitude, a.magnitude, a.integral),
    ),
    "where": Operator(lambda t: t[1] if t[0] == BOOL and t[1] == t[2] else None, lambda c, a, b: a.hull(b)),
    "rand_init": Operator(
        lambda t: U32 if all(one == I32 for one in t) else None, _constantly(0, 2**32 - 1, integral=True)
    ),
}
