"""Inputs that reach special cases: for each scalar type, and for arguments that need care."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from weft.types import Scalar, Type, component_scalars

COUNT = 1024

_FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, -0.3, 3.7, 3.141592653589793, -1.5707963267948966,
    7.25,    100.25, -1234.5, 1e-3, 0.999999, 1.000001, float("inf"), float("-inf"), float("nan"), 1e-7, -6e4,
)  # fmt: skip
_WIDE = {
    "float16": (65504.0, -65504.0, 6.103515625e-05, 5.9604644775390625e-08, -3.0517578125e-05),
    "bfloat16": (3.3895313892515355e38, -1e30, 1.1754943508222875e-38, 9.183549615799121e-41, 1e10),
    "float32": (3.4028234663852886e38, -1e30, 1.1754943508222875e-38, 1.401298464324817e-45, 16777217.0),
    "float64": (1.7976931348623157e308, -1e300, 2.2250738585072014e-308, 5e-324, 9007199254740993.0),
}


def bits_of(values: npt.NDArray[np.float64], scalar: str) -> npt.NDArray[Any]:
    """Numbers as the scalar type; bfloat16 as its bits, rounded to nearest even."""
    with np.errstate(over="ignore"):
        if scalar != "bfloat16":
            return values.astype(np.bool_ if scalar == "bool" else scalar)
        bits = values.astype(np.float32).view(np.uint32)
        rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
        return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def pool(scalar: str, care: str) -> npt.NDArray[Any]:
    """The special values of a scalar type, those that the care leaves out excepted."""
    if scalar == "bool":
        return np.array([False, True])
    if scalar in _WIDE and care == "ordinary":
        return bits_of(np.array([value for value in _FLOATS if value and value == value]), scalar)
    if scalar in _WIDE:
        return bits_of(np.array(_FLOATS + _WIDE[scalar]), scalar)
    limits = np.iinfo(scalar)
    wide = [
        0,
        1,
        2,
        3,
        5,
        7,
        16,
        31,
        100,
        -1,
        -2,
        -7,
        -100,
        limits.max,
        limits.max - 1,
        limits.min,
        limits.min + 1,
    ]
    values = sorted({value for value in wide if limits.min <= value <= limits.max})
    match care:
        case "shift":
            values = [0, 1, 2, 3, limits.bits - 1]
        case "dividend":
            values = [value for value in values if value != limits.min or limits.min == 0]
        case "divisor":
            values = [value for value in values if value != 0]
        case "small":
            values = [value for value in (-100, -7, 0, 3) if value >= limits.min]
        case "large":
            values = [10, 11, 1000]
        case "period":
            values = [1, 2, 3, 5]
        case _:
            pass
    return np.array(values, dtype=scalar)


def _axes() -> tuple[npt.NDArray[Any], ...]:
    """Sequences of three axes, neighbours different."""
    number = np.arange(COUNT, dtype=np.int32)
    first = number % 3
    second = (first + 1 + number // 3 % 2) % 3
    return first, second, (second + 1 + number // 6 % 2) % 3


def elements(type: Type, care: str, position: int) -> npt.NDArray[Any]:
    """[COUNT, components] of one argument, numbers as weft packs them (bfloat16 as bits).

    Scalars at position 0 and 1 go through all pairs of their pools; components of others are drawn, the
    second half of them tame, and the last eighth of those of compounds -1, 0 or 1.
    """
    scalars = list(component_scalars(type, {}))
    scalar = scalars[0].name
    values = pool(scalar, care)
    rng = np.random.default_rng([position, len(scalars), len(str(type)), len(care)])
    if care == "sorted":
        tame = np.sort(rng.integers(-40, 40, COUNT) if scalar[0] != "u" else rng.integers(0, 90, COUNT))
        return bits_of(tame.astype(np.float64), scalar).reshape(COUNT, 1)
    if care == "cdf":
        return np.sort(rng.random(COUNT)).astype(np.float32).reshape(COUNT, 1)
    if care == "rate":
        rates = (rng.random(COUNT) * 40.0).astype(np.float32).reshape(COUNT, 1)
        rates[0] = 0.0
        return rates
    if care == "axis":
        return _axes()[position - 1].reshape(COUNT, 1)
    drawn = rng.choice(values, (COUNT, len(scalars)))
    if isinstance(type, Scalar) and position < 2:
        index = np.arange(COUNT) // (len(values) if position else 1) % len(values)
        drawn[:, 0] = values[index]
    is_float = scalar in _WIDE
    if is_float and (care == "tame" or not isinstance(type, Scalar)):
        tame = bits_of(rng.normal(size=(COUNT, len(scalars))) * rng.choice([1.0, 10.0], (COUNT, 1)), scalar)
        first = 0 if care == "tame" else COUNT // 2
        drawn[first:] = tame[first:]
    if is_float and not isinstance(type, Scalar):
        # Singular matrices, zero vectors, equal and parallel ones are rare among the others.
        last = COUNT - COUNT // 8
        drawn[last:] = bits_of(rng.integers(-1, 2, (COUNT - last, len(scalars))).astype(np.float64), scalar)
        drawn[-1] = 0
    return np.ascontiguousarray(drawn)
