"""What is known of the C++ functions that translated code calls, CUDA's own and helpers: the one table of it.

A function that is not in the table gives any value of its type. What it does beside that stands in its call.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence

from weft.cuda.analysis.intervals import UNKNOWN, Interval, Number, fitted, magnitude, of_binary
from weft.cuda.tree import Call, Literal

Range = Callable[[Call, Sequence[Interval]], Interval]


SINE_AND_COSINE = {"sinf": "sincosf", "cosf": "sincosf", "sin": "sincos", "cos": "sincos"}
"""The function that gives both, sine first."""


@dataclasses.dataclass(frozen=True)
class DeviceFunction:
    """What holds of a function.

    `range` gives the interval of its result for those of its arguments. `even`: it gives the same for 0 and
    for -0 as its last argument. `chooses`: its result is one of its arguments, perhaps without its sign.
    `signless`: it never gives -0. `never_zero`: it gives neither 0 nor -0. `breaks_ties`: it
    chooses among equal elements as Warp does on the CPU, though Warp leaves open which.
    """

    range: Range | None = None
    even: bool = False
    chooses: bool = False
    signless: bool = False
    never_zero: bool = False
    breaks_ties: bool = False


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

BY_FUNCTION = {
    function: atomic
    for operation, atomic in ATOMICS.items()
    for function in (atomic.function, f"{operation}_atomically", f"fetch_{operation}")
}
"""Atomics, by their names in CUDA: its own and those of helpers."""


def _ends(choose: Callable[[Iterable[Number]], Number]) -> Range:
    return lambda call, given: (choose(low for low, _ in given), choose(high for _, high in given))


def _always(low: Number, high: Number) -> Range:
    return lambda call, given: (low, high)


def _whole(down: Callable[[Number], int], up: Callable[[Number], int]) -> Range:
    def range(call: Call, given: Sequence[Interval]) -> Interval:
        low, high = given[0]
        return down(low) if math.isfinite(low) else low, up(high) if math.isfinite(high) else high

    return range


def _within_one(call: Call, given: Sequence[Interval]) -> Interval:
    # Of an infinity, sin and cos give no number.
    return (-1, 1) if all(map(math.isfinite, given[0])) else UNKNOWN


def _root(high: Number) -> Number:
    return math.sqrt(high) if high > 0 else 0


def _random_float(call: Call, given: Sequence[Interval]) -> Interval:
    if len(given) == 1:
        return 0, 1
    _, (low, _), (_, high) = given
    ordered = all(isinstance(end, Literal) for end in call.arguments[1:]) and low <= high
    return fitted((low, high), call.type) if ordered else UNKNOWN


def _random_int(call: Call, given: Sequence[Interval]) -> Interval:
    return (given[1][0], max(given[1][0], given[2][1] - 1)) if len(given) == 3 else UNKNOWN


_FAMILIES = {
    "min": DeviceFunction(_ends(min)),
    "max": DeviceFunction(_ends(max)),
    "fmin fminf": DeviceFunction(_ends(min), chooses=True),
    "fmax fmaxf": DeviceFunction(_ends(max), chooses=True),
    "abs": DeviceFunction(lambda call, given: fitted(magnitude(given[0]), call.type)),
    "fabs fabsf": DeviceFunction(
        lambda call, given: fitted(magnitude(given[0]), call.type), even=True, chooses=True, signless=True
    ),
    "fmod fmodf": DeviceFunction(lambda call, given: (0, given[0][1]) if given[0][0] >= 0 else UNKNOWN),
    "floor_divide": DeviceFunction(lambda call, given: of_binary("//", given[0], given[1], call.type)),
    "floor floorf": DeviceFunction(_whole(math.floor, math.floor)),
    "ceil ceilf": DeviceFunction(_whole(math.ceil, math.ceil)),
    "trunc truncf": DeviceFunction(_whole(math.trunc, math.trunc)),
    "round roundf rint rintf": DeviceFunction(_whole(math.floor, math.ceil)),
    "sin sinf tanh tanhf erf erff": DeviceFunction(_within_one),
    "cos cosf": DeviceFunction(_within_one, even=True),
    "sqrt sqrtf": DeviceFunction(lambda call, given: fitted((0, _root(given[0][1])), call.type)),
    "exp expf": DeviceFunction(_always(0, math.inf), even=True, signless=True),
    "pow powf": DeviceFunction(even=True),
    "cosh coshf erfc erfcf log logf log2 log2f log10 log10f": DeviceFunction(even=True, signless=True),
    "sign": DeviceFunction(never_zero=True),
    "__popc __popcll": DeviceFunction(_always(0, 64)),
    "block_argmin block_argmax warp_argmin warp_argmax": DeviceFunction(
        _always(0, 2**31 - 2), breaks_ties=True
    ),
    "block_sort warp_sort": DeviceFunction(breaks_ties=True),
    "look_up place_in_buckets wrap_index": DeviceFunction(_always(0, 2**31 - 2)),
    "random_float": DeviceFunction(_random_float),
    "random_int": DeviceFunction(_random_int),
}
DEVICE_FUNCTIONS = {name: one for names, one in _FAMILIES.items() for name in names.split()}

_BY_BLOCKS = "{0}_atomically block_{0} block_reduce_{0}"
_ONE = f"min fmin fminf sin sinf floor floorf atomicMin atomicAnd {_BY_BLOCKS.format('min')}".split()
_OTHER = f"max fmax fmaxf cos cosf ceil ceilf atomicMax atomicOr {_BY_BLOCKS.format('max')}".split()

ALIKE = dict(zip(_ONE + _OTHER, _OTHER + _ONE, strict=True))
"""Functions that are easily taken for each other: they have the same arguments."""


def device_function(name: str) -> DeviceFunction:
    """What is known of a function."""
    return DEVICE_FUNCTIONS.get(name, DeviceFunction())


SHORT_NAMES = {
    "determinant": "det",
    "diagonal": "diag",
    "distance": "dist",
    "inverse": "inv",
    "length": "len",
    "length_squared": "len_sq",
    "transpose": "transposed",
}
"""What variables are called that hold the results of functions, beside those."""
