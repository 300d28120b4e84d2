"""Bins: which one a sample falls into, by value, digit, place, direction, colour or pattern."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, lift, limited, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, bits, vector, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32, U32
from weft.types import Vector

samples = Domain("sample", index=("i", "sample", "idx"), things=False)

value = Quantity("value", 0.0, 1.0)
reading = Quantity("reading", -1.0, 1.0)
other_value = Quantity("other_value", 0.0, 1.0)
score = Quantity("score", 0, 100, whole)
code = Quantity("code", 0, 2**31 - 1, bits)
key = Quantity("key", 0, 65535, whole)
duration = Quantity("duration", 1, 100_000, whole)
pixel = Quantity("pixel", 0, 2**24 - 1, bits)
gradient = Quantity("gradient", -1.0, 1.0, vector(2))
point = Quantity("point", -1.0, 1.0, vector(2))
arrival = Quantity("arrival_second", 0, 86_399, whole)
scheduled = Quantity("scheduled_second", 0, 86_399, whole)
truth = Quantity("true_class", 0, 9, whole, plural="true_classes")
guess = Quantity("predicted_class", 0, 9, whole, plural="predicted_classes")
letter = Quantity("letter", 97, 122, whole)
bin_index = Quantity("bin_index", 0, 63, whole, least=0, most=65535)

Value = Annotated[Expr, value]
Values = Annotated[ArrayHandle, value]
Reading = Annotated[Expr, reading]
Readings = Annotated[ArrayHandle, reading]
OtherValue = Annotated[Expr, other_value]
Score = Annotated[Expr, score]
Code = Annotated[Expr, code]
Key = Annotated[Expr, key]
Keys = Annotated[ArrayHandle, key]
Duration = Annotated[Expr, duration]
Pixel = Annotated[Expr, pixel]
Gradient = Annotated[Expr, gradient]
Point = Annotated[Expr, point]
Arrival = Annotated[Expr, arrival]
Letters = Annotated[ArrayHandle, letter]
BinIndex = Annotated[Expr, bin_index]


_ORDERED = ("ordered",)
"""What formulas teach whose bins follow each other, so that medians and running sums make sense."""


def fixed(k: Builder, count: int) -> int:
    """So many bins, a number of the text."""
    k.sizes["num_bins"] = str(count)
    return count


def drawn(k: Builder, *counts: int) -> Expr | int:
    """One of these numbers of bins: in the text, or a parameter."""
    fixed(k, k.once("bins", lambda: k.rng.pick(*counts)))
    if k.once("literal bins", lambda: k.rng.chance(0.4)):
        return int(k.sizes["num_bins"])
    return k.size("num_bins", "num_bins")


def share_bin(k: Builder, share: Expr, count: Expr | int) -> Expr:
    """The bin of a number in [0, 1], the last one for 1 itself."""
    scale = float(count) if isinstance(count, int) else convert(k.real, count)
    return ops.min(convert(I32, bounded(share * scale, 0.0, 4096.0)), count - 1)


@samples.formula(teaches=_ORDERED)
def unit_bin(k: Builder, value: Value) -> BinIndex:
    """Histogram bin on [0, 1]."""
    return share_bin(k, value, drawn(k, 8, 16, 32, 64, 128, 256))


@samples.formula(teaches=_ORDERED)
def symmetric_bin(k: Builder, reading: Reading) -> BinIndex:
    """Histogram bin on [-1, 1]."""
    return share_bin(k, 0.5 * (reading + 1.0), drawn(k, 8, 16, 32, 64, 128))


@samples.formula(teaches=_ORDERED)
def clipped_bin(k: Builder, reading: Reading, low: Annotated[Expr, Setting(-0.8, -0.4, "p")]) -> BinIndex:
    """Histogram bin with outliers in the end bins."""
    count = drawn(k, 16, 32, 64)
    place = convert(I32, ops.floor((reading - low) * 32.0))
    return ops.clamp(place, 0, count - 1)


@samples.formula(teaches=_ORDERED)
def magnitude_bin(k: Builder, reading: Reading) -> BinIndex:
    """Histogram bin of the magnitude of a reading."""
    return share_bin(k, ops.abs(reading), drawn(k, 8, 16, 32, 64))


@samples.formula(source="Cover and Thomas 2006, Elements of Information Theory")
def joint_bin(k: Builder, value: Value, other_value: OtherValue) -> BinIndex:
    """Joint histogram bin of two values."""
    side = k.once("side", lambda: k.rng.pick(8, 16, 32))
    fixed(k, side * side)
    row, column = (
        k.let(name, share_bin(k, one, side)) for name, one in (("row", value), ("column", other_value))
    )
    return row * side + column


@samples.formula(teaches=_ORDERED)
def change_bin(k: Builder, values: Values) -> BinIndex:
    """Bin of the change since the previous sample."""
    (i,) = k.index
    change = values[i] - values[ops.max(i - 1, 0)]
    return share_bin(k, bounded(0.5 * (change + 1.0), 0.0, 1.0), drawn(k, 16, 32, 64))


@samples.formula(source="Haralick, Shanmugam and Dinstein 1973")
def cooccurrence_bin(k: Builder, keys: Keys) -> BinIndex:
    """Gray-level co-occurrence bin of two neighboring samples."""
    (i,) = k.index
    fixed(k, 256)
    here, after = keys[i], keys[(i + 1) % k.extent(0)]
    return k.let("level", here >> 12) * 16 + (after >> 12)


@samples.formula(source="Knuth 1973, radix sorting")
def digit_bin(k: Builder, code: Code, shift: Annotated[Expr, Setting(0, 24, "p", whole)]) -> BinIndex:
    """Radix digit of a key."""
    count = fixed(k, k.once("bins", lambda: k.rng.pick(4, 16, 64, 256)))
    return convert(I32, (code >> convert(U32, shift)) & (count - 1))


@samples.formula(source="Knuth 1973, multiplicative hashing")
def hashed_bin(k: Builder, code: Code) -> BinIndex:
    """Multiplicative-hash bin of a code."""
    width = k.once("width", lambda: k.rng.pick(3, 4, 5, 6, 8))
    fixed(k, 1 << width)
    return bounded(convert(I32, (code * 2654435769) >> (32 - width)), 0, (1 << width) - 1)


@samples.formula(source="Fowler, Noll and Vo 1991")
def fnv_bin(k: Builder, code: Code) -> BinIndex:
    """FNV-1a hash bin of a 32-bit code."""
    count = fixed(k, k.once("bins", lambda: k.rng.pick(16, 64, 128)))
    state = k.var("state", 2166136261, type=U32, bounds=(0, 2**32 - 1))
    with k.loop("byte", 0, 4) as byte:
        k.set(state, (state ^ ((code >> (convert(U32, byte) * 8)) & 255)) * 16777619)
    return convert(I32, state % count)


@samples.formula()
def modular_bin(k: Builder, key: Key) -> BinIndex:
    """Bin of a key, modulo the number of bins."""
    return within(key % drawn(k, 7, 16, 31, 64, 97), "num_bins")


@samples.formula(source="Gil Tene's HdrHistogram", teaches=_ORDERED)
def log_bin(k: Builder, duration: Duration) -> BinIndex:
    """Power-of-two bin of a duration."""
    fixed(k, 17)
    power, rest = (
        k.var("power", 0, type=I32, bounds=(0, 16)),
        k.var("remaining", duration, bounds=(0, 100_000)),
    )
    with k.repeat(rest > 1, 17):
        k.set(rest, rest >> 1)
        k.set(power, bounded(power + 1, 0, 16))
    return power


@samples.formula(source="Benford 1938")
def leading_digit(k: Builder, duration: Duration) -> BinIndex:
    """Leading decimal digit of a duration."""
    fixed(k, 10)
    rest = k.var("leading", duration, bounds=(0, 100_000))
    with k.repeat(rest >= 10, 5):
        k.set(rest, rest // 10)
    return bounded(rest, 0, 9)


@samples.formula(teaches=_ORDERED)
def searched_bin(k: Builder, duration: Duration) -> BinIndex:
    """Histogram bin by binary search in the bin edges."""
    count = 1 << k.once("depth", lambda: k.rng.pick(3, 4, 5))
    fixed(k, count)
    step = 100_000 // count
    edges = k.input("bin_edges", I32, ["num_bins"], {"offsets": [step, step]})
    low, high = (
        k.var("low", 0, type=I32, bounds=(0, count - 1)),
        k.var("high", count, type=I32, bounds=(0, count)),
    )
    with k.repeat(low + 1 < high, 6):
        middle = k.let("mid", bounded((low + high) // 2, 0, count - 1))
        with k.when(edges[middle] <= duration):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return low


@samples.formula(teaches=_ORDERED)
def grade_bin(k: Builder, score: Score) -> BinIndex:
    """Grade bin of a score."""
    fixed(k, 5)
    first = k.once("pass", lambda: k.rng.pick(45, 50, 60))
    grade = k.var("grade", 0, type=I32, bounds=(0, 4))
    with k.when(score >= 90):
        k.set(grade, 4)
    for value, limit in ((3, 80), (2, 70), (1, first)):
        with k.orwhen(score >= limit):
            k.set(grade, value)
    return grade


@samples.formula(teaches=_ORDERED)
def hour_bin(k: Builder, arrival_second: Arrival) -> BinIndex:
    """Part of the day of an arrival."""
    minutes = k.once("minutes", lambda: k.rng.pick(15, 30, 60, 120))
    fixed(k, 1440 // minutes)
    return arrival_second // (60 * minutes)


@samples.formula(teaches=_ORDERED)
def delay_bin(k: Builder, arrival_second: Arrival, scheduled_second: Annotated[Expr, scheduled]) -> BinIndex:
    """Delay bin of an arrival."""
    width = k.once("width", lambda: k.rng.pick(1800, 3600))
    bins = fixed(k, 86_400 // width)
    # An arrival before its time counts as one without delay; a day or more is in the last bin.
    delay = ops.max(arrival_second - scheduled_second, 0)
    return limited(delay // width, 0, bins - 1)


@samples.formula(source="OpenCV's calcHist", teaches=_ORDERED)
def luma_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Luma bin of a packed pixel."""
    fixed(k, 256)
    red, green, blue = channels(k, pixel)
    return bounded((77 * red + 150 * green + 29 * blue) >> 8, 0, 255)


def channels(k: Builder, pixel: Expr) -> tuple[Expr, Expr, Expr]:
    """The three bytes of a packed pixel."""
    red, green, blue = (
        k.let(name, convert(I32, (pixel >> shift if shift else pixel) & 255))
        for name, shift in (("red", 16), ("green", 8), ("blue", 0))
    )
    return red, green, blue


@samples.formula(source="Swain and Ballard 1991")
def color_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Color-cube bin of a packed pixel."""
    width = k.once("bits a channel", lambda: k.rng.pick(2, 3, 4))
    fixed(k, 1 << (3 * width))
    red, green, blue = channels(k, pixel)
    shift = 8 - width
    cell = ((red >> shift) << (2 * width)) | ((green >> shift) << width) | (blue >> shift)
    return bounded(cell, 0, (1 << (3 * width)) - 1)


@samples.formula()
def hue_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Hue sextant of a packed pixel."""
    fixed(k, 6)
    red, green, blue = channels(k, pixel)
    sextant = k.var("sextant", 0, type=I32, bounds=(0, 5))
    with k.when((red >= green) & (green >= blue)):
        k.set(sextant, 0)
    for value, test in enumerate(
        (
            (green >= red) & (red >= blue),
            (green >= blue) & (blue >= red),
            (blue >= green) & (green >= red),
            (blue >= red) & (red >= green),
        ),
        1,
    ):
        with k.orwhen(test):
            k.set(sextant, value)
    with k.otherwise():
        k.set(sextant, 5)
    return sextant


@samples.formula(source="Freeman 1961")
def octant_bin(k: Builder, gradient: Gradient) -> BinIndex:
    """Gradient octant."""
    fixed(k, 8)
    x, y = k.let("x", gradient[0]), k.let("y", gradient[1])
    steep, left, down = (
        ops.where(test, lift(one, I32), 0)
        for test, one in ((ops.abs(y) > ops.abs(x), 1), (x < 0.0, 2), (y < 0.0, 4))
    )
    return bounded(steep + left + down, 0, 7)


@samples.formula(source="Dalal and Triggs 2005")
def orientation_bin(k: Builder, gradient: Gradient) -> BinIndex:
    """Nearest gradient orientation, as in HOG."""
    fixed(k, k.once("bins", lambda: k.rng.pick(6, 8, 9)))
    directions = k.input("directions", Vector(2, k.real), ["num_bins"], uniform(-1.0, 1.0))
    count = drawn(k, int(k.sizes["num_bins"]))
    best, largest = k.var("best", 0, type=I32), k.var("largest", 0.0, bounds=(0.0, 2.0))
    with k.loop("b", 0, count) as b:
        along = k.let("along", ops.abs(ops.dot(gradient, directions[b])))
        with k.when(along > largest):
            k.set(largest, along)
            k.set(best, b)
    return within(bounded(best, 0, int(k.sizes["num_bins"]) - 1), "num_bins")


@samples.formula()
def cell_bin(k: Builder, point: Point) -> BinIndex:
    """Grid cell of a point."""
    side = k.once("side", lambda: k.rng.pick(8, 16, 32))
    fixed(k, side * side)
    x, y = (
        k.let(name, share_bin(k, 0.5 * (point[axis] + 1.0), side))
        for axis, name in enumerate(("column", "row"))
    )
    return y * side + x


@samples.formula(source="Morton 1966")
def morton_bin(k: Builder, point: Point) -> BinIndex:
    """Morton-code bin of a point."""
    fixed(k, 256)
    x, y = (k.let(name, share_bin(k, 0.5 * (point[axis] + 1.0), 16)) for axis, name in enumerate(("x", "y")))
    code = k.var("morton", 0, type=I32, bounds=(0, 255))
    with k.loop("b", 0, 4) as b:
        pair = ((x >> b) & 1) | (((y >> b) & 1) << 1)
        k.set(code, bounded(code | (pair << (2 * b)), 0, 255))
    return code


@samples.formula(teaches=_ORDERED)
def ring_bin(k: Builder, point: Point) -> BinIndex:
    """Square ring around the origin that a point lies in."""
    reach = ops.max(ops.abs(point[0]), ops.abs(point[1]))
    return share_bin(k, reach, drawn(k, 8, 16, 32))


@samples.formula(source="Bandt and Pompe 2002")
def ordinal_bin(k: Builder, readings: Readings) -> BinIndex:
    """Ordinal pattern of three readings."""
    fixed(k, 8)
    (i,) = k.index
    last = k.extent(0) - 1
    a, b, c = (
        k.let(name, readings[ops.min(i + step, last) if step else i])
        for step, name in enumerate(("first", "second", "third"))
    )
    one, two, four = (
        ops.where(test, lift(weight, I32), 0) for test, weight in ((a < b, 1), (b < c, 2), (a < c, 4))
    )
    return bounded(one + two + four, 0, 7)


@samples.formula(source="Ojala, Pietikäinen and Mäenpää 2002")
def pattern_bin(k: Builder, readings: Readings) -> BinIndex:
    """Local binary pattern of a reading."""
    reach = k.once("reach", lambda: k.rng.pick(2, 3, 4))
    fixed(k, 1 << (2 * reach))
    (i,) = k.index
    count = k.extent(0)
    center, pattern = (
        k.let("center", readings[i]),
        k.var("pattern", 0, type=I32, bounds=(0, (1 << 2 * reach) - 1)),
    )
    with k.loop("step", 1, reach + 1) as step:
        for place in ((i + step) % count, (i + reach * count - step) % count):
            bit = ops.where(readings[place] >= center, lift(1, I32), 0)
            k.set(pattern, bounded(pattern * 2 + bit, 0, (1 << 2 * reach) - 1))
    return pattern


@samples.formula(source="Kernighan and Ritchie 1988", teaches=_ORDERED)
def popcount_bin(k: Builder, code: Code) -> BinIndex:
    """Population count of a code."""
    fixed(k, 33)
    rest, count = k.var("remaining", code, bounds=(0, 2**32 - 1)), k.var("count", 0, type=I32, bounds=(0, 32))
    with k.repeat(rest > 0, 32):
        k.set(rest, bounded(rest & (rest - 1), 0, 2**32 - 1))
        k.set(count, bounded(count + 1, 0, 32))
    return count


@samples.formula(source="Lloyd 1982")
def nearest_center_bin(k: Builder, value: Value) -> BinIndex:
    """Nearest of a few bin centers."""
    fixed(k, k.once("bins", lambda: k.rng.pick(4, 6, 8, 12)))
    centers = k.input("centers", k.real, ["num_bins"], uniform(0.0, 1.0))
    best, least = (
        k.var("best", 0, type=I32),
        k.var("min_distance", ops.abs(value - centers[0]), bounds=(0.0, 2.0)),
    )
    with k.loop("c", 1, drawn(k, int(k.sizes["num_bins"]))) as c:
        distance = k.let("distance", ops.abs(value - centers[c]))
        with k.when(distance < least):
            k.set(least, distance)
            k.set(best, c)
    return within(bounded(best, 0, int(k.sizes["num_bins"]) - 1), "num_bins")


@samples.formula(source="scikit-learn's confusion_matrix")
def confusion_bin(
    k: Builder, true_class: Annotated[Expr, truth], predicted_class: Annotated[Expr, guess]
) -> BinIndex:
    """Confusion-matrix entry of a true and a predicted class."""
    fixed(k, 100)
    return true_class * 10 + predicted_class


@samples.formula(source="Shannon 1948")
def bigram_bin(k: Builder, letters: Letters) -> BinIndex:
    """Bigram bin of a pair of letters."""
    fixed(k, 676)
    (i,) = k.index
    here, after = (
        k.let(name, letters[place] - 97) for name, place in (("here", i), ("after", (i + 1) % k.extent(0)))
    )
    return here * 26 + after
