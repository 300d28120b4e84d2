"""What is known of the C++ functions that translated code calls, CUDA's own and helpers: the one table of it.

A function that is not in the table gives any value of its type. What it does beside that stands in its call.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from weft.cuda.analysis.intervals import UNKNOWN, Interval, fitted, magnitude, of_binary
from weft.cuda.tree import Call, Literal

Range = Callable[[Call, Sequence[Interval]], Interval]


@dataclasses.dataclass(frozen=True)
class DeviceFunction:
    """What holds of a function.

    `range` gives the interval of its result for those of its arguments. `even`: it gives the same for 0 and
    for -0. `chooses`: its result is one of its arguments, perhaps without its sign. `alike` takes the same
    arguments and is easily taken for it.
    """

    range: Range | None = None
    even: bool = False
    chooses: bool = False
    alike: str = ""


@dataclasses.dataclass(frozen=True)
class Atomic:
    """An operation on elements of arrays.

    `function` is CUDA's, which takes the types in `direct` as they are; helpers take the others in `types`.
    `operator` is that of a plain update, '' for an assignment, None where there is none. `bounded` is one
    that leads at least as far from zero, where nothing is negative. `reduction` combines several values.
    """

    function: str
    types: frozenset[str]
    direct: frozenset[str]
    operator: str | None
    bounded: str
    reduction: str = ""


_WORDS = frozenset({"int32", "uint32"})
_INTEGERS = _WORDS | {"int64", "uint64"}
_NUMBERS = _INTEGERS | {"float32", "float64"}
_ALL = _NUMBERS | {"float16", "bfloat16"}

ATOMICS = {
    "add": Atomic("atomicAdd", _ALL, _ALL - {"int64", "uint64"}, "+", "+", "sum"),
    "sub": Atomic("atomicSub", _ALL, frozenset({"int32"}), "-", "-", "sum"),
    "min": Atomic("atomicMin", _NUMBERS | {"bfloat16"}, _WORDS, None, "&", "min"),
    "max": Atomic("atomicMax", _NUMBERS | {"bfloat16"}, _WORDS, None, "|", "max"),
    "and": Atomic("atomicAnd", _INTEGERS, _WORDS, "&", "&"),
    "or": Atomic("atomicOr", _INTEGERS, _WORDS, "|", "|"),
    "xor": Atomic("atomicXor", _INTEGERS, _WORDS, "^", "|"),
    "exchange": Atomic("atomicExch", _NUMBERS, _WORDS | {"float32"}, "", ""),
    "compare": Atomic("atomicCAS", _NUMBERS, _WORDS, None, ""),
}
"""Atomics, by what they do."""

BY_OPERATOR = {atomic.operator: operation for operation, atomic in ATOMICS.items() if atomic.operator}

_BY_FUNCTION = {
    function: operation
    for operation, atomic in ATOMICS.items()
    for function in (atomic.function, f"{operation}_atomically", f"fetch_{operation}")
}


def atomic_of(function: str) -> Atomic | None:
    """The atomic that a function is, be it CUDA's own or a helper."""
    return ATOMICS[_BY_FUNCTION[function]] if function in _BY_FUNCTION else None


def _greatest(call: Call, given: Sequence[Interval]) -> Interval:
    return max(low for low, _ in given), max(high for _, high in given)


def _least(call: Call, given: Sequence[Interval]) -> Interval:
    return min(low for low, _ in given), min(high for _, high in given)


def _magnitude(call: Call, given: Sequence[Interval]) -> Interval:
    return fitted(magnitude(given[0]), call.type)


def _whole(call: Call, given: Sequence[Interval]) -> Interval:
    low, high = given[0]
    return (
        math.floor(low) if math.isfinite(low) else low,
        math.ceil(high) if math.isfinite(high) else high,
    )


def _remainder(call: Call, given: Sequence[Interval]) -> Interval:
    low, high = given[0]
    return (0, high) if low >= 0 else UNKNOWN


def _quotient(call: Call, given: Sequence[Interval]) -> Interval:
    return of_binary("//", given[0], given[1], call.type)


def _random_float(call: Call, given: Sequence[Interval]) -> Interval:
    if len(given) == 1:
        return 0, 1
    _, (low, _), (_, high) = given
    ordered = all(isinstance(end, Literal) for end in call.arguments[1:]) and low <= high
    return fitted((low, high), call.type) if ordered else UNKNOWN


def _random_int(call: Call, given: Sequence[Interval]) -> Interval:
    if len(given) < 3:
        return UNKNOWN
    _, (low, _), (_, high) = given
    return low, max(low, high - 1)


def _always(low: float, high: float) -> Range:
    return lambda call, given: (low, high)


_BITS = _always(0, 64)
_INDEX = _always(0, 2**31 - 2)
_NATURAL = _always(0, math.inf)

_OF_FLOATS = {
    "fmin": DeviceFunction(_least, chooses=True, alike="fmax"),
    "fmax": DeviceFunction(_greatest, chooses=True, alike="fmin"),
    "fabs": DeviceFunction(_magnitude, even=True, chooses=True),
    "fmod": DeviceFunction(_remainder),
    "floor": DeviceFunction(_whole, alike="ceil"),
    "ceil": DeviceFunction(_whole, alike="floor"),
    "round": DeviceFunction(_whole),
    "rint": DeviceFunction(_whole),
    "trunc": DeviceFunction(_whole),
    "sqrt": DeviceFunction(_NATURAL),
    "exp": DeviceFunction(_NATURAL, even=True),
    "sin": DeviceFunction(alike="cos"),
    "cos": DeviceFunction(even=True, alike="sin"),
    "cosh": DeviceFunction(even=True),
}
"""C's functions of double; those of float end in f."""

DEVICE_FUNCTIONS = {
    **_OF_FLOATS,
    **{
        f"{name}f": dataclasses.replace(one, alike=one.alike and f"{one.alike}f")
        for name, one in _OF_FLOATS.items()
    },
    "min": DeviceFunction(_least, alike="max"),
    "max": DeviceFunction(_greatest, alike="min"),
    "abs": DeviceFunction(_magnitude),
    "floor_divide": DeviceFunction(_quotient),
    "__popc": DeviceFunction(_BITS),
    "__popcll": DeviceFunction(_BITS),
    "look_up": DeviceFunction(_INDEX),
    "place_in_buckets": DeviceFunction(_INDEX),
    "wrap_index": DeviceFunction(_INDEX),
    "random_float": DeviceFunction(_random_float),
    "random_int": DeviceFunction(_random_int),
    "atomicMin": DeviceFunction(alike="atomicMax"),
    "atomicMax": DeviceFunction(alike="atomicMin"),
    "atomicAnd": DeviceFunction(alike="atomicOr"),
    "atomicOr": DeviceFunction(alike="atomicAnd"),
    "min_atomically": DeviceFunction(alike="max_atomically"),
    "max_atomically": DeviceFunction(alike="min_atomically"),
    "block_min": DeviceFunction(alike="block_max"),
    "block_max": DeviceFunction(alike="block_min"),
}

_OTHER = DeviceFunction()


def device_function(name: str) -> DeviceFunction:
    """What is known of a function."""
    return DEVICE_FUNCTIONS.get(name, _OTHER)
