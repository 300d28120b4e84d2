"""Floats as words of bits: taken apart, estimated, rounded to narrow formats; and doubles as two floats."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, convert, hexadecimal, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, of, single, whole
from weft.kernels.intervals import EVERYTHING, Interval
from weft.kernels.program import Call, Callee, Expr
from weft.kernels.types import ANY, F16, F32, F64, I32, I64, LIMITS, U16, U32, VEC2, warp_name
from weft.types import Scalar

floating = Domain("float", index=("i", "idx"), ranks=(1, 2), single=True)

WORD = (0, 2**32 - 1)

number = Quantity("number", -8.0, 8.0, single)
reference = Quantity("reference", -8.0, 8.0, single)
positive = Quantity("positive_number", 0.05, 40.0, single)
noise = Quantity("noise", *WORD, bits, plural="noise_words")
exponent = Quantity("exponent", -12, 12, whole, least=-127, most=255)
significand = Quantity("significand", 1.0, 2.0, single, least=1.0, most=2.0)
sort_key = Quantity("sort_key", *WORD, bits, least=0, most=2**32)
ulp_distance = Quantity("ulp_distance", 0, 2**32, of(I64), least=0, most=2**33)
neighbor = Quantity("neighbor", -8.0, 8.0, single)
spacing = Quantity("spacing", 0.0, 1e-6, single, least=0.0)
logarithm = Quantity("logarithm", -5.0, 6.0, single)
power = Quantity("power", 0.01, 100.0, single, least=0.0, most=3e6)
root = Quantity("root", 0.2, 8.0, single, least=0.0)
inverse_root = Quantity("inverse_root", 0.1, 5.0, single)
scaled = Quantity("scaled_number", -8.0, 8.0, single)
brain = Quantity("bfloat16_code", 0, 2**16 - 1, of(U16), least=0, most=2**16)
rounded = Quantity("rounded_number", -8.0, 8.0, single, derived=True)
rounding_error = Quantity("rounding_error", -0.1, 0.1, single, extremal=True)
squared_error = Quantity("squared_error", 0.0, 0.1, single, additive=True)

Number = Annotated[Expr, number]
Reference = Annotated[Expr, reference]
Positive = Annotated[Expr, positive]
Noise = Annotated[Expr, noise]
Exponent = Annotated[Expr, exponent]
Significand = Annotated[Expr, significand]
Key = Annotated[Expr, sort_key]
Logarithm = Annotated[Expr, logarithm]
InverseRoot = Annotated[Expr, inverse_root]
Brain = Annotated[Expr, brain]
Rounded = Annotated[Expr, rounded]
Error = Annotated[Expr, rounding_error]


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
    raised = k.let("raised", word + mask((1 << (dropped - 1)) - 1) + odd)
    return bounded(raised >> dropped, 0, 2 ** (32 - dropped) - 1)


@floating.formula(source="IEEE 754")
def float_exponent(k: Builder, number: Number) -> Exponent:
    """Extract the exponent of each float."""
    return convert(I32, (word_of(k, number) >> 23) & 255) - 127


@floating.formula(source="frexp")
def unit_significand(k: Builder, number: Number) -> Annotated[Expr, significand]:
    """Compute the significand of each float by giving the fraction the exponent zero."""
    fraction = k.let("fraction", word_of(k, number) & mask(0x7FFFFF))
    return as_float(fraction | mask(0x3F800000), 1.0, 2.0)


@floating.formula(source="Herf 2001", teaches=("branch",))
def radix_key(k: Builder, number: Number) -> Key:
    """Compute the sort key of each float so that unsigned words sort as the floats do."""
    word = word_of(k, number)
    flip = ops.where((word >> 31).equals(1), mask(0xFFFFFFFF), mask(0x80000000))
    return word ^ k.let("flip", flip)


@floating.formula(source="Dawson 2012")
def units_in_last_place(k: Builder, sort_key: Key, reference: Reference) -> Annotated[Expr, ulp_distance]:
    """Compute the ulp distance of each float to a reference."""
    other = k.let("reference_word", cast(reference, U32))
    flip = ops.where((other >> 31).equals(1), mask(0xFFFFFFFF), mask(0x80000000))
    return ops.abs(convert(I64, sort_key) - convert(I64, other ^ flip))


@floating.formula(source="nextafter", teaches=("branch",))
def next_above(k: Builder, number: Number) -> Annotated[Expr, neighbor]:
    """Compute the upper neighbor of each float by counting the bits up or down by one."""
    word = word_of(k, number)
    return as_float(ops.where(number > 0.0, word + 1, word - 1), -8.0, 8.01)


@floating.formula(source="Goldberg 1991")
def unit_of_last_place(k: Builder, exponent: Exponent) -> Annotated[Expr, spacing]:
    """Compute the spacing of each float from the exponent."""
    shifted = convert(U32, bounded(ops.clamp(exponent, -100, 100) + 104, 4, 204))
    return as_float(shifted << 23, 0.0, 1e3)


@floating.formula(source="ldexp", teaches=("parameters",))
def scaled_by_power(
    k: Builder, number: Number, shift: Annotated[Expr, Setting(-6, 6, "p", whole)]
) -> Annotated[Expr, scaled]:
    """Scale the number of each float by a power of two that is made of bits."""
    power = k.let("power_of_two", as_float(convert(U32, bounded(shift + 127, 121, 133)) << 23, 0.01, 64.0))
    return number * power


@floating.formula(source="Lomont 2003")
def fast_inverse_root(
    k: Builder, positive_number: Positive, newton_steps: Annotated[Expr, Setting(2, 3, "p", whole)]
) -> InverseRoot:
    """Estimate the inverse square root of each float from the halved exponent and Newton steps."""
    guess = mask(0x5F3759DF) - (word_of(k, positive_number) >> 1)
    estimate = k.var("estimate", as_float(guess, 0.1, 5.0), bounds=(0.1, 5.0))
    with k.loop("_", 0, newton_steps):
        k.set(estimate, bounded(estimate * (1.5 - 0.5 * positive_number * estimate * estimate), 0.1, 5.0))
    return estimate


@floating.formula()
def root_by_inverse(
    k: Builder, positive_number: Positive, inverse_root: InverseRoot
) -> Annotated[Expr, root]:
    """Estimate the square root of each float from the inverse root."""
    return bounded(positive_number * inverse_root, 0.0, 200.0)


@floating.formula(source="Mineiro 2011")
def fast_logarithm(k: Builder, positive_number: Positive) -> Logarithm:
    """Estimate the binary logarithm of each float from the exponent and a rational function."""
    word = word_of(k, positive_number)
    m = k.let("mantissa", as_float((word & mask(0x7FFFFF)) | mask(0x3F000000), 0.5, 1.0))
    scaled_word = convert(F32, word) * 1.1920929e-7
    return bounded(scaled_word - 124.225515 - 1.4980303 * m - 1.72588 / (0.35208872 + m), -10.0, 10.0)


@floating.formula(source="Turner 2000", teaches=("loop", "branch"))
def logarithm_by_squaring(k: Builder, positive_number: Positive) -> Logarithm:
    """Compute the binary logarithm of each float by squarings that give a bit of the fraction each."""
    word = word_of(k, positive_number)
    y = k.var("mantissa", as_float((word & mask(0x7FFFFF)) | mask(0x3F800000), 1.0, 2.0), bounds=(1.0, 2.0))
    result = k.var(
        "logarithm", convert(F32, bounded(convert(I32, word >> 23), 0, 255) - 127), bounds=(-128.0, 129.0)
    )
    share = k.var("share", 0.5, bounds=(0.0, 1.0))
    with k.loop("_", 0, k.rng.pick(12, 16, 20)):
        squared = k.let("squared", y * y)
        k.set(y, bounded(ops.where(squared >= 2.0, 0.5 * squared, squared), 1.0, 2.0))
        with k.when(squared >= 2.0):
            k.set(result, bounded(result + share, -128.0, 129.0))
        k.set(share, bounded(0.5 * share, 0.0, 1.0))
    return result


@floating.formula(source="Schraudolph 1999")
def fast_power_of_two(k: Builder, number: Number) -> Annotated[Expr, power]:
    """Estimate the power of two of each float by writing the shifted exponent into the bits."""
    shifted = k.let("shifted", (number + 126.94269) * 8388608.0)
    return as_float(convert(U32, shifted), 1e-7, 2e6)


@floating.formula(source="Gupta et al. 2015")
def stochastic_bfloat16(k: Builder, number: Number, noise: Noise) -> Brain:
    """Compute the bfloat16 code of each float by stochastic rounding with 16 bits of noise."""
    return convert(U16, (word_of(k, number) + (noise & mask(0xFFFF))) >> 16)


@floating.formula(source="NVIDIA 2020")
def tf32_value(k: Builder, number: Number) -> Rounded:
    """Round the number of each float to the ten fraction bits of TF32."""
    return as_float(to_nearest_even(k, word_of(k, number), 13) << 13, -8.1, 8.1)


@floating.formula()
def error_of_rounding(k: Builder, number: Number, rounded_number: Rounded) -> Error:
    """Compute the rounding error of each float."""
    return ops.abs(number - rounded_number)


@floating.formula(goal=False)
def squared_rounding_error(k: Builder, rounding_error: Error) -> Annotated[Expr, squared_error]:
    """Square the rounding error of each float."""
    return rounding_error * rounding_error


# Doubles, and pairs of floats that stand for them.

double = Domain("number", index=("i", "idx"), single=True)

wide = Quantity("number", -4.0, 4.0, of(F64))
left = Quantity("left_factor", -2.0, 2.0, single)
right = Quantity("right_factor", -2.0, 2.0, single)
pair = Quantity("float_pair", -4.0, 4.0, of(VEC2))
addend = Quantity("addend", -4.0, 4.0, of(F64))
addend_pair = Quantity("addend_pair", -4.0, 4.0, of(VEC2))
pair_sum = Quantity("pair_sum", -8.0, 8.0, of(VEC2))
exact = Quantity("exact_value", -8.0, 8.0, of(F64), additive=True)
halved = Quantity("half_number", -4.0, 4.0, of(F16))
error = Quantity("storage_error", 0.0, 0.01, of(F64), extremal=True)

Wide = Annotated[Expr, wide]
Left = Annotated[Expr, left]
Right = Annotated[Expr, right]
Pair = Annotated[Expr, pair]
PairSum = Annotated[Expr, pair_sum]
Exact = Annotated[Expr, exact]
Halved = Annotated[Expr, halved]
DEKKER = "Dekker 1971"


def split_in_two(k: Builder, number: Expr) -> Expr:
    """A double as the nearest float and what it leaves over."""
    high = k.let("high", convert(F32, number))
    return construct(VEC2, high, convert(F32, number - convert(F64, high)))


@double.formula(source=DEKKER)
def float_pair_of_double(k: Builder, number: Wide) -> Pair:
    """Split the float pair of each number into the nearest float32 and the rest."""
    return split_in_two(k, number)


@double.formula(source=DEKKER)
def float_pair_of_addend(k: Builder, addend: Annotated[Expr, addend]) -> Annotated[Expr, addend_pair]:
    """Split the addend of each number into the nearest float32 and the rest."""
    return split_in_two(k, addend)


def two_sum(k: Builder, a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """A sum, and what rounding took from it."""
    total = k.let("total", a + b)
    part = k.let("part", total - a)
    return total, k.let("residue", (a - (total - part)) + (b - part))


@double.formula(source="Knuth 1969")
def exact_sum(k: Builder, left_factor: Left, right_factor: Right) -> Exact:
    """Compute the exact sum of each number from a rounded sum and the error that TwoSum finds."""
    total, residue = two_sum(k, left_factor, right_factor)
    return convert(F64, total) + convert(F64, residue)


@double.formula(source=DEKKER)
def exact_product(k: Builder, left_factor: Left, right_factor: Right) -> Exact:
    """Compute the exact product of each number from factors split into parts of 12 bits."""
    product = k.let("product", left_factor * right_factor)
    halves = []
    for name, factor in (("left", left_factor), ("right", right_factor)):
        scaled = k.let(f"scaled_{name}", 4097.0 * factor)
        upper = k.let(f"{name}_upper", scaled - (scaled - factor))
        halves.append((upper, k.let(f"{name}_lower", factor - upper)))
    (a, b), (c, d) = halves
    residue = k.let("residue", ((a * c - product) + a * d + b * c) + b * d)
    return convert(F64, product) + convert(F64, bounded(residue, -1e-6, 1e-6))


@double.formula()
def wide_product_of_floats(k: Builder, left_factor: Left, right_factor: Right) -> Exact:
    """Compute the exact product of each number from two floats in double precision."""
    return convert(F64, left_factor) * convert(F64, right_factor)


@double.formula(source="Thall 2006")
def sum_of_float_pairs(k: Builder, float_pair: Pair, addend_pair: Annotated[Expr, addend_pair]) -> PairSum:
    """Compute the sum of each number from two pairs of floats."""
    total, residue = two_sum(k, float_pair[0], addend_pair[0])
    tail = k.let("tail", residue + (float_pair[1] + addend_pair[1]))
    return construct(VEC2, bounded(total, -8.0, 8.0), bounded(tail, -1e-4, 1e-4))


@double.formula(source=DEKKER)
def joined_double(k: Builder, pair_sum: PairSum) -> Exact:
    """Compute the exact value of each number from the pair of floats."""
    return convert(F64, pair_sum[0]) + convert(F64, pair_sum[1])


@double.formula()
def stored_half(k: Builder, number: Wide) -> Halved:
    """Compute the half precision value of each number."""
    return convert(F16, number)


@double.formula()
def error_in_half(k: Builder, number: Wide, half_number: Halved) -> Annotated[Expr, error]:
    """Compute the storage error of each number in half precision."""
    return ops.abs(number - convert(F64, half_number))


@double.formula()
def error_in_single(k: Builder, number: Wide) -> Annotated[Expr, error]:
    """Compute the storage error of each number in single precision."""
    return ops.abs(number - convert(F64, convert(F32, number)))
