"""Numbers as C++ literals: the shortest text that the compiler reads back as the same bits."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from weft.cuda.c_types import HALVES, SCALARS
from weft.types import Scalar


def float32(value: float) -> float:
    """`value` rounded to float32, as Warp does with Python floats. Overflow gives infinity."""
    try:
        result: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return result


def _reads_as_float32(text: str, expected: float) -> bool:
    """True if the decimal `text` rounds directly to `expected`, without a detour over float64."""
    value = float(text)
    if value == expected:
        return True  # For half a step of float64 is far less than half a step of float32.
    if abs(value) >= _SMALLEST_NORMAL and not _is_between_float32(value):
        return float32(value) == expected  # The detour goes wrong only where it ends half-way.
    exact, magnitude = abs(Fraction(text)), Fraction(abs(expected))
    bits = struct.unpack("<I", struct.pack("<f", abs(expected)))[0]
    high = (_from_bits(bits + 1) + magnitude) / 2
    low = (_from_bits(bits - 1) + magnitude) / 2 if bits else -high
    even = bits % 2 == 0
    return low <= exact <= high if even else low < exact < high


_SMALLEST_NORMAL = 2.0**-126


def _is_between_float32(value: float) -> bool:
    """True for a float64 that lies half-way between two normal neighbours of float32, of 29 digits less."""
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    return bits & (2**29 - 1) == 2**28


def _from_bits(bits: int) -> Fraction:
    """The float32 with these bits; the one above the largest is the power of two that it would be."""
    if bits == 0x7F800000:
        return Fraction(2) ** 128
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def _with_point(text: str) -> str:
    """`1` as `1.0`, `1e-06` as `1e-6`."""
    mantissa, exponent_mark, exponent = text.partition("e")
    if exponent_mark:
        return f"{mantissa}e{int(exponent)}"
    return text if "." in text else f"{text}.0"


def float_literal(value: float, scalar: Scalar) -> str:
    """The literal of a float; infinities and NaN by CUDA's and C's names. Halves are made of a float's."""
    if scalar.name in HALVES:
        return f"{SCALARS[scalar.name]}({float_literal(value, Scalar('float32'))})"
    if scalar.name == "float64":
        if math.isnan(value):
            return "NAN"
        if math.isinf(value):
            return "INFINITY" if value > 0 else "-INFINITY"
        return _with_point(repr(value))
    rounded = float32(value)
    if math.isnan(rounded):
        return "NAN"
    if math.isinf(rounded):
        return "INFINITY" if rounded > 0 else "-INFINITY"
    # What the user wrote, unless it has more digits than a float32.
    candidates = [f"{rounded:.{digits}g}" for digits in range(6, 10)]
    if sum(character.isdigit() for character in repr(value).partition("e")[0]) < 10:
        candidates.insert(0, repr(value))
    text = next(text for text in candidates if _reads_as_float32(text, rounded))
    return _with_point(text) + "f"


_SUFFIXES = {"int32": "", "uint32": "u", "int64": "ll", "uint64": "ull"}
_LIMITS = {"int32": 2**31, "int64": 2**63}


def of_spelling(spelling: str) -> int:
    """The number that the source writes so: hexadecimal, binary or `1 << n`."""
    one, shift, places = spelling.partition(" << ")
    return int(one, 0) << int(places) if shift else int(spelling, 0)


def integer_literal(value: int, scalar: Scalar, spelling: str = "") -> str:
    """The literal of an integer of type `scalar`. Smaller types than `int` have plain literals.

    `spelling` is that of the source, hexadecimal, binary or `1 << n`; a value that the type changed is
    decimal.
    """
    suffix = _SUFFIXES.get(scalar.name, "")
    if spelling and of_spelling(spelling) == value:
        if "<<" not in spelling:
            return spelling.replace("_", "'") + suffix
        if suffix or value < 2**31:
            return spelling.replace(" ", f"{suffix} ", 1)
    limit = _LIMITS.get(scalar.name)
    if limit is not None and value == -limit:
        return f"({value + 1}{suffix} - 1)"
    if scalar.is_unsigned and value < 0:
        value += 2 ** (8 * scalar.bytes)
    return f"{value}{suffix}"
