"""What the generator knows about a value: numeric bounds, and bounds in terms of a named size.

For vectors and matrices the bounds hold for every component.
"""

from __future__ import annotations

import dataclasses
import math

INFINITY = math.inf


@dataclasses.dataclass(slots=True, unsafe_hash=True)
class Interval:
    """lo <= value <= hi, and value <= size + offset where `size` (a size expression) is given.

    `exact`: the value *is* size + offset. `integral`: it is a whole number, also if its type is a float.
    Intervals are shared and never changed; `frozen` would say so, but make each ten times as slow to make.
    """

    lo: float
    hi: float
    integral: bool = False
    size: str | None = None
    offset: int = 0
    exact: bool = False

    @property
    def is_constant(self) -> bool:
        return self.lo == self.hi

    @property
    def magnitude(self) -> float:
        return max(abs(self.lo), abs(self.hi))

    def within(self, low: float, high: float) -> bool:
        return low <= self.lo and self.hi <= high

    def contains(self, other: Interval) -> bool:
        return self.lo <= other.lo and other.hi <= self.hi

    def hull(self, other: Interval) -> Interval:
        same = self.size is not None and self.size == other.size
        return Interval(
            min(self.lo, other.lo),
            max(self.hi, other.hi),
            self.integral and other.integral,
            self.size if same else None,
            max(self.offset, other.offset) if same else 0,
        )

    def meet(self, other: Interval) -> Interval:
        """Both hold; the later bound by a size wins unless it is the weaker."""
        sharper = other.size is not None and (other.size != self.size or other.offset < self.offset)
        first = other if sharper else self
        return Interval(
            max(self.lo, other.lo),
            min(self.hi, other.hi),
            self.integral or other.integral,
            first.size,
            first.offset,
            self.exact,
        )


EVERYTHING = Interval(-INFINITY, INFINITY)


def whole(low: float, high: float) -> Interval:
    """Whole numbers from `low` to `high`."""
    return Interval(low, high, integral=True)


def _products(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    values = [0.0 if 0.0 in (x, y) else x * y for x, y in ((a, c), (a, d), (b, c), (b, d))]
    return min(values), max(values)


def add(a: Interval, b: Interval) -> Interval:
    """Sum; a bound by a size moves along."""
    if a.size is None and b.size is not None:
        a, b = b, a
    size = a.size if b.hi < INFINITY else None
    offset = a.offset + int(b.hi) if size else 0
    return Interval(
        a.lo + b.lo, a.hi + b.hi, a.integral and b.integral, size, offset, a.exact and b.is_constant
    )


def negative(a: Interval) -> Interval:
    """Negation."""
    return Interval(-a.hi, -a.lo, a.integral)


def subtract(a: Interval, b: Interval) -> Interval:
    """Difference; `size - x` is bounded below where x is bounded by the size."""
    result = add(a, Interval(-b.hi, -b.lo, b.integral))
    if a.exact and not b.is_constant and b.size == a.size:
        low = max(result.lo, a.offset - b.offset)
        return Interval(low, result.hi, result.integral, result.size, result.offset, result.exact)
    return result


def multiply(a: Interval, b: Interval) -> Interval:
    """Product; a whole factor scales a bound by a size."""
    lo, hi = _products(a.lo, a.hi, b.lo, b.hi)
    integral = a.integral and b.integral
    if a.is_constant and b.size is not None:
        a, b = b, a
    if integral and a.size is not None and b.is_constant and b.lo >= 1:
        factor = int(b.lo)
        return Interval(lo, hi, integral, f"{factor} * {a.size}", factor * a.offset, a.exact)
    return Interval(lo, hi, integral)


def square(a: Interval) -> Interval:
    """Product of a value with itself."""
    high = a.magnitude**2
    low = 0.0 if a.lo <= 0.0 <= a.hi else min(a.lo * a.lo, a.hi * a.hi)
    return Interval(low, high, a.integral)


def divide(a: Interval, b: Interval) -> Interval:
    """Quotient of floats; b does not hold zero."""
    lo, hi = _products(a.lo, a.hi, 1.0 / b.hi, 1.0 / b.lo)
    return Interval(lo, hi)


def divide_whole(a: Interval, b: Interval) -> Interval:
    """Quotient of integers, a >= 0 and b >= 1."""
    size = a.size if not a.exact or b.is_constant else None
    return Interval(a.lo // b.hi, a.hi // b.lo, True, size, max(a.offset, 0) if a.offset >= 0 else -1)


def divide_truncating(a: Interval, b: Interval) -> Interval:
    """C's quotient of integers, b >= 1: rounded towards zero."""
    low = -(-a.lo // b.lo) if a.lo < 0 else a.lo // b.hi
    return Interval(low, a.hi // b.lo if a.hi >= 0 else -(-a.hi // b.hi), True)


def remainder(a: Interval, b: Interval) -> Interval:
    """C's remainder for b >= 1: the sign of a."""
    low = 0 if a.lo >= 0 else -min(-a.lo, b.hi - 1)
    high = min(max(a.hi, 0), b.hi - 1)
    if b.exact:
        return Interval(low, high, True, b.size, b.offset - 1)
    return Interval(low, high, True, a.size if a.lo >= 0 else None, a.offset)


def minimum(a: Interval, b: Interval) -> Interval:
    """The smaller; one bound by a size is enough."""
    first = a if b.size is None or (a.size is not None and a.offset <= b.offset) else b
    return Interval(min(a.lo, b.lo), min(a.hi, b.hi), a.integral and b.integral, first.size, first.offset)


def maximum(a: Interval, b: Interval) -> Interval:
    """Sizes are at least 1, so a constant c is at most size + (c - 1)."""
    if a.size is None and b.size is not None:
        a, b = b, a
    size, offset = None, 0
    if a.size is not None and b.size is None and b.hi < INFINITY and b.integral:
        size, offset = a.size, max(a.offset, int(b.hi) - 1)
    return Interval(max(a.lo, b.lo), max(a.hi, b.hi), a.integral and b.integral, size, offset)


def absolute(a: Interval) -> Interval:
    """Magnitude."""
    low = 0.0 if a.lo <= 0.0 <= a.hi else min(abs(a.lo), abs(a.hi))
    return Interval(int(low) if a.integral else low, a.magnitude, a.integral)
