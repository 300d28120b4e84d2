"""Floats as words of bits: taken apart, sorted, estimated, rounded."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, convert, hexadecimal, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, of, single, whole
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Call, Callee, Expr
from weft.kernels.types import ANY, F32, I32, I64, LIMITS, U32, warp_name
from weft.types import Scalar

floating = Domain("float", index=("i", "idx"), ranks=(1, 2), single=True, things=False)

WORD = (0, 2**32 - 1)

number = Quantity("number", -8.0, 8.0, single)
reference = Quantity("reference", -8.0, 8.0, single)
positive = Quantity("positive_number", 0.05, 40.0, single)
exponent = Quantity("exponent", -12, 12, whole, least=-127, most=255)
sort_key = Quantity("sort_key", *WORD, bits, least=0, most=2**32)
ulp_distance = Quantity("ulp_distance", 0, 2**32, of(I64), least=0, most=2**33)
logarithm = Quantity("logarithm", -5.0, 6.0, single)
root = Quantity("root", 0.2, 8.0, single, least=0.0)
inverse_root = Quantity("inverse_root", 0.1, 5.0, single)
rounded = Quantity("rounded_number", -8.0, 8.0, single, derived=True)

Number = Annotated[Expr, number]
Reference = Annotated[Expr, reference]
Positive = Annotated[Expr, positive]
Exponent = Annotated[Expr, exponent]
Key = Annotated[Expr, sort_key]
Logarithm = Annotated[Expr, logarithm]
InverseRoot = Annotated[Expr, inverse_root]
Rounded = Annotated[Expr, rounded]


def cast(value: Expr, target: Scalar, interval: Interval | None = None) -> Expr:
    """The same bits as another type: `wp.cast(value, wp.uint32)`."""
    if interval is None:
        interval = Interval(*LIMITS[target.name], integral=True)
    return Call(target, interval, "wp.cast", (value, Callee(ANY, EVERYTHING, warp_name(target))))


def as_float(value: Expr, low: float, high: float) -> Expr:
    """The float32 that a word is the bits of; the author knows its bounds."""
    return cast(value, F32, Interval(low, high))


def mask(value: int, like: Scalar = U32) -> Expr:
    """A mask or a magic number."""
    return hexadecimal(value, like)


def word_of(k: Builder, number: Expr) -> Expr:
    """The bits of a number, which get a name once."""
    word: Expr = k.once("word of the number", lambda: k.let("word", cast(number, U32)))
    return word


def to_nearest_even(k: Builder, word: Expr, dropped: int) -> Expr:
    """A word without its last bits, rounded to the nearest, ties to even; it must not be near the top."""
    odd = k.let("odd", (word >> dropped) & 1)
    raised = k.let("new_total", word + mask((1 << (dropped - 1)) - 1) + odd)
    return bounded(raised >> dropped, 0, 2 ** (32 - dropped) - 1)


@floating.formula(source="IEEE 754")
def float_exponent(k: Builder, number: Number) -> Exponent:
    """Unbiased exponent of a float. It is -127 for zero and subnormal numbers."""
    return convert(I32, (word_of(k, number) >> 23) & 255) - 127


@floating.formula(source="Herf 2001", teaches=("branch",))
def radix_key(k: Builder, number: Number) -> Key:
    """Order-preserving integer key of a float, for radix sort. Keys order as floats do, as unsigned
    integers.
    """
    word = word_of(k, number)
    flip = ops.where((word >> 31).equals(1), mask(0xFFFFFFFF), mask(0x80000000))
    return word ^ k.let("flip", flip)


@floating.formula(source="Dawson 2012")
def units_in_last_place(k: Builder, sort_key: Key, reference: Reference) -> Annotated[Expr, ulp_distance]:
    """Distance in units in the last place. It is counted from the reference: sort keys order as floats do,
    and those of neighboring floats differ by one.
    """
    other = k.let("reference_word", cast(reference, U32))
    flip = ops.where((other >> 31).equals(1), mask(0xFFFFFFFF), mask(0x80000000))
    reference_key = k.let("reference_key", other ^ k.let("flip", flip))
    return ops.abs(convert(I64, sort_key) - convert(I64, reference_key))


@floating.formula(source="Lomont 2003")
def fast_inverse_root(
    k: Builder, positive_number: Positive, newton_steps: Annotated[Expr, Setting(2, 3, "p", whole)]
) -> InverseRoot:
    """Fast inverse square root with Newton refinement. The first guess comes from the bits of the float."""
    guess = mask(0x5F3759DF) - (word_of(k, positive_number) >> 1)
    estimate = k.var("estimate", as_float(guess, 0.1, 5.0), bounds=(0.1, 5.0))
    with k.loop("_", 0, newton_steps):
        k.set(estimate, bounded(estimate * (1.5 - 0.5 * positive_number * estimate * estimate), 0.1, 5.0))
    return estimate


@floating.formula(source="Mineiro 2011")
def fast_logarithm(k: Builder, positive_number: Positive) -> Logarithm:
    """Fast base-2 logarithm from the exponent and a rational fit. The bits of the float, read as an integer,
    give a first estimate.
    """
    word = word_of(k, positive_number)
    m = k.let("mantissa", as_float((word & mask(0x7FFFFF)) | mask(0x3F000000), 0.5, 1.0))
    scaled_word = convert(F32, word) * 1.1920929e-7
    return bounded(scaled_word - 124.225515 - 1.4980303 * m - 1.72588 / (0.35208872 + m), -10.0, 10.0)


@floating.formula(source="NVIDIA 2020")
def tf32_value(k: Builder, number: Number) -> Rounded:
    """Round to TF32. Ten bits of the fraction are kept, rounded to nearest even."""
    return as_float(to_nearest_even(k, word_of(k, number), 13) << 13, -8.1, 8.1)
