"""Every operator at the edges of its domain: what its record promises is what Warp computes.

The cases come from the table itself: for each operand all intervals between some telling numbers, as far as
`requires` allows them. Builtins of Warp are called on values at the ends of the intervals.
"""

import dataclasses
import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from weft.kernels.emit import expression
from weft.kernels.expressions import apply, call, limited
from weft.kernels.intervals import Interval, whole
from weft.kernels.operators import ARITHMETIC, FUNCTIONS, Operator
from weft.kernels.program import Expr, Name, Undefined
from weft.kernels.rng import Random
from weft.kernels.types import BOOL, F32, I32, LIMITS, MAT22, MAT33, QUAT, U32, VEC2, VEC3, warp_name
from weft.types import Matrix, Quaternion, Scalar, Type, Vector

FLOATS = (-1e4, -80.0, -40.0, -1.5, -1.0, -1e-3, 0.0, 1e-6, 1e-3, 1.0, 1.5, 8.0, 40.0, 1e4)
WHOLES = (-1000, -31, -2, -1, 0, 1, 2, 3, 31, 255, 1000)
OPERANDS = (
    (F32,), (F32, F32), (F32, F32, F32), (VEC3,), (VEC3, VEC3), (VEC2, VEC2), (MAT33,), (MAT33, MAT33),
    (MAT22,),
    (QUAT,), (QUAT, VEC3), (VEC3, F32), (QUAT, QUAT), (I32,), (I32, I32), (I32, I32, I32), (U32,), (U32, U32),
    (BOOL, F32, F32),
)  # fmt: skip
CASES = 60


def operands_of(name: str, record: Operator) -> list[tuple[Type, ...]]:
    """The lists of types that the record allows and Warp knows."""
    import warp as wp

    def known(types: tuple[Type, ...]) -> bool:
        try:
            if record.result(types) is None:
                return False
            record.requires(*[Interval(0.5, 0.75)] * len(types))
            record.interval(*[Interval(0.5, 0.75)] * len(types))
            getattr(wp, name)(*[value_of(one, Interval(1.0, 1.0), Random("one", 1, 0, 0)) for one in types])
        except (TypeError, ValueError, IndexError, AttributeError, RuntimeError, OverflowError):
            return False
        return True

    return [types for types in OPERANDS if known(types)]


def value_of(type: Type, interval: Interval, rng: Random) -> object:
    """A Warp value whose components are ends of the interval."""
    import warp as wp

    def component() -> float:
        return rng.pick(interval.lo, interval.hi)

    if type == BOOL:
        return bool(rng.below(2))
    if isinstance(type, Scalar):
        return int(component()) if type.is_integer else float(component())
    make = getattr(wp, warp_name(type).removeprefix("wp."))
    count = {Vector: 0, Matrix: 0, Quaternion: 4}[type.__class__]
    if isinstance(type, Vector):
        count = type.length
    elif isinstance(type, Matrix):
        count = type.rows * type.columns
    value = make(*[component() for _ in range(count)])
    return wp.normalize(value) if isinstance(type, Quaternion) else value


def intervals_of(type: Type) -> list[Interval]:
    """All intervals between the numbers that tell, within what the type holds."""
    if type == BOOL:
        return [whole(0, 1)]
    if isinstance(type, Quaternion):
        return [Interval(-1.0, 1.0)]
    if isinstance(type, Scalar) and type.is_integer:
        low, _ = LIMITS[type.name]
        numbers = [one for one in WHOLES if one >= low]
        return [whole(a, b) for a, b in itertools.combinations_with_replacement(numbers, 2)]
    return [Interval(a, b) for a, b in itertools.combinations_with_replacement(FLOATS, 2)]


def domain(record: Operator, types: tuple[Type, ...], rng: Random) -> Iterator[tuple[Interval, ...]]:
    """Bounds of the operands that the record allows, the widest ones first."""
    choices = [intervals_of(one) for one in types]
    if len(types) == 1:
        found = [(one,) for one in choices[0] if record.requires(one)]
        yield from sorted(found, key=lambda one: one[0].lo - one[0].hi)[:CASES]
        return
    for _ in range(CASES * 4):
        ranges = tuple(one[rng.below(len(one))] for one in choices)
        if record.requires(*ranges):
            yield ranges


def numbers_in(value: object) -> list[float]:
    return [float(one) for one in np.asarray(value, dtype=np.float64).reshape(-1)]


def violations(name: str, record: Operator) -> list[str]:
    """Where Warp computes what the record rules out: not finite, or outside of the bounds."""
    import warp as wp

    rng = Random(name, 1, 0, 0)
    found = []
    for types in operands_of(name, record):
        for ranges in domain(record, types, rng):
            bounds = record.interval(*ranges)
            if bounds.magnitude > 1e30:
                continue
            if name == "dot":
                bounds = Interval(3 * min(bounds.lo, 0), 3 * max(bounds.hi, 0))
            slack = 1e-5 + 1e-4 * bounds.magnitude
            for _ in range(4):
                values = [value_of(one, limits, rng) for one, limits in zip(types, ranges, strict=True)]
                for number in numbers_in(getattr(wp, name)(*values)):
                    if not bounds.lo - slack <= number <= bounds.hi + slack:
                        found.append(f"{name}{tuple(values)} = {number}, not in {bounds}")
    return found


@pytest.mark.parametrize("name", [one for one in FUNCTIONS if one != "rand_init"])
def test_a_builtin_stays_within_its_bounds_on_its_whole_domain(name: str) -> None:
    assert violations(name, FUNCTIONS[name])[:3] == []


BROKEN = {
    "a domain that is too wide": (
        "sqrt",
        {"requires": lambda a: True, "interval": lambda a: Interval(0, 200)},
    ),
    "bounds that are too narrow": ("exp", {"interval": lambda a: Interval(0, 100)}),
    "a sign that is forgotten": ("sin", {"interval": lambda a: Interval(0, 1)}),
    "an edge that is left out": ("atan2", {"interval": lambda a, b: Interval(-1.6, 1.6)}),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_record_that_is_wrong_is_caught(fault: str) -> None:
    name, changes = BROKEN[fault]
    broken = dataclasses.replace(FUNCTIONS[name], **changes)
    assert violations(name, broken), fault


COMPUTED = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: int(math.fmod(a, b)),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}


@pytest.mark.parametrize("operator", COMPUTED)
def test_integer_arithmetic_is_refused_or_stays_within_its_bounds(operator: str) -> None:
    """At the ends of all pairs of intervals: what is allowed neither divides by zero nor leaves 32 bits."""
    numbers = (-(2**31), -70000, -1, 0, 1, 2, 31, 32, 65535, 2**31 - 1)
    ranges = [whole(a, b) for a, b in itertools.combinations_with_replacement(numbers, 2)]
    allowed = 0
    for first, second in itertools.product(ranges, ranges):
        try:
            node = apply(operator, Name(I32, first, "a"), Name(I32, second, "b"))
        except Undefined:
            continue
        allowed += 1
        for a, b in itertools.product((first.lo, first.hi), (second.lo, second.hi)):
            value = COMPUTED[operator](int(a), int(b))
            assert node.interval.lo <= value <= node.interval.hi, (first, second, node.interval)
            assert -(2**31) <= value < 2**31
    assert allowed


def test_every_operator_of_the_table_is_tried() -> None:
    """No record is so narrow, or so new, that the cases above pass it by."""
    assert set(COMPUTED) | {"/", "@"} == set(ARITHMETIC)
    silent = [name for name, record in FUNCTIONS.items() if not operands_of(name, record)]
    assert set(silent) <= {"rand_init", "where"}


def number(low: float, high: float, name: str = "x") -> Name:
    return Name(F32, Interval(low, high), name)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (call("max", number(0.5, 2.0), 0.1), "x"),
        (call("max", number(0.5, 2.0), 0.5), "wp.max(x, 0.5)"),
        (call("min", number(0.5, 2.0), 1.0), "wp.min(x, 1.0)"),
        (call("min", 3.0, number(0.5, 2.0)), "x"),
        (call("clamp", number(-0.5, 2.0), 0.0, 3.0), "wp.max(x, 0.0)"),
        (call("clamp", number(0.5, 2.0), 0.0, 1.0), "wp.min(x, 1.0)"),
        (call("clamp", number(0.5, 2.0), 0.0, 3.0), "x"),
        (call("clamp", number(0.0, 1.0), 0.0, 1.0), "wp.clamp(x, 0.0, 1.0)"),  # rounding may lead beyond
        (call("max", number(0.5, 2.0), number(0.0, 0.1, "y")), "wp.max(x, y)"),
        (call("max", Name(I32, whole(1, 9), "i"), 1), "wp.max(i, 1)"),
        (limited(number(0.5, 2.0), 0.0, 3.0), "wp.clamp(x, 0.0, 3.0)"),
    ],
)
def test_a_limit_that_can_never_act_is_left_out(made: Expr, expected: str) -> None:
    assert expression(made) == expected
