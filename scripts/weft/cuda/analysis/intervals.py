"""Intervals: what arithmetic gives for operands that lie in intervals.

Integers wrap around where a result does not fit into its type, as in Warp and in CUDA: then nothing is known
of it. Floats are rounded.
"""

from __future__ import annotations

import functools
import math

from weft.types import SIGNIFICAND_BITS, Scalar, Type, Vector

Number = int | float
Interval = tuple[Number, Number]
"""The least and the greatest value; infinite where none is known."""

UNKNOWN: Interval = (-math.inf, math.inf)


@functools.cache
def limits(type: Type) -> Interval:
    """All values of a type, or of a vector's components; of a float, without a limit."""
    if isinstance(type, Vector):
        type = type.scalar
    return UNKNOWN if not isinstance(type, Scalar) or type.is_float else type.limits


def within(range: Interval, type: Type) -> bool:
    """Whether a type holds every number of a range."""
    low, high = limits(type)
    return low <= range[0] and range[1] <= high


def fitted(range: Interval, type: Type) -> Interval:
    """What is known of a result of this type, where arithmetic without limits would lie in `range`."""
    if isinstance(type, Scalar) and type.is_float:
        slack = 2.0 ** (1 - SIGNIFICAND_BITS[type.name])
        return range[0] - abs(range[0]) * slack if range[0] > -math.inf else range[0], (
            range[1] + abs(range[1]) * slack if range[1] < math.inf else range[1]
        )
    return range if within(range, type) else limits(type)


def common(one: Interval, other: Interval) -> Interval:
    """Where a number lies that lies in both."""
    return max(one[0], other[0]), min(one[1], other[1])


def hull(one: Interval, other: Interval) -> Interval:
    """The least range that holds both."""
    return min(one[0], other[0]), max(one[1], other[1])


def negated(operand: Interval) -> Interval:
    """The range of -x."""
    return -operand[1], -operand[0]


def magnitude(operand: Interval) -> Interval:
    """The range of |x|."""
    low, high = operand
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def of_binary(operator: str, left: Interval, right: Interval, type: Type) -> Interval:
    """The range of an operation whose result and operands are of this type."""
    exact = _float_range if isinstance(type, Scalar) and type.is_float else _integer_range
    found = exact(operator, left, right)
    return limits(type) if found is None else fitted(found, type)


def _float_range(operator: str, left: Interval, right: Interval) -> Interval | None:
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*" if left[0] >= 0 and right[0] >= 0:
            return left[0] * right[0], _product(left[1], right[1])
        case "*":
            corners = [_product(a, b) for a in left for b in right]
            return min(corners), max(corners)
        case "/" if left[0] >= 0 and right[0] >= 0:
            return 0, left[1] / right[0] if right[0] > 0 else math.inf
        case _:
            return None


def _product(left: Number, right: Number) -> Number:
    return 0 if left == 0 or right == 0 else left * right


def _integer_range(operator: str, left: Interval, right: Interval) -> Interval | None:
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)
        case "/":
            return _quotient(left, right, towards_zero=True)
        case "//":
            return _quotient(left, right, towards_zero=False)
        case "%":
            return _remainder(left, right)
        case _:
            return _bits_range(operator, left, right)


def _quotient(left: Interval, right: Interval, *, towards_zero: bool) -> Interval | None:
    """A quotient; a division by zero has no result."""
    units = [one for one in (-1, 1) if right[0] <= one <= right[1]]
    divisors = [divisor for divisor in (*right, *units) if divisor]
    if not divisors:
        return None
    corners = [_divided(a, d, towards_zero) for a in left for d in divisors]
    return min(corners), max(corners)


def _divided(left: Number, right: Number, towards_zero: bool) -> Number:
    if towards_zero and (left < 0) != (right < 0):
        return -(abs(left) // abs(right))
    return left // right


def _remainder(left: Interval, right: Interval) -> Interval | None:
    """What `%` of C++ leaves: its sign is that of the left operand."""
    most = max(abs(right[0]), abs(right[1])) - 1
    if most < 0:
        return None
    return (max(left[0], -most) if left[0] < 0 else 0), (min(left[1], most) if left[1] > 0 else 0)


def _bits_range(operator: str, left: Interval, right: Interval) -> Interval | None:
    natural = left[0] >= 0 and right[0] >= 0
    match operator:
        case "&" if natural:
            return 0, min(left[1], right[1])
        case "&" if left[0] >= 0 or right[0] >= 0:
            return 0, left[1] if left[0] >= 0 else right[1]
        case "|" | "^" if natural:
            return 0, (1 << max(int(left[1]), int(right[1])).bit_length()) - 1
        case ">>" if right[0] >= 0 and right[1] < 32 and all(map(math.isfinite, left)):
            corners = [int(a) >> int(b) for a in left for b in right]
            return min(corners), max(corners)
        case ">>":
            return min(left[0], 0), max(left[1], -1 if left[1] < 0 else 0)
        case "<<" if right[0] >= 0 and right[1] < 64:
            corners = [int(a) << int(b) for a in left for b in right]
            return min(corners), max(corners)
        case _:
            return None
