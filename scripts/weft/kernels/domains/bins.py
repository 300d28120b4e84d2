"""Bins: which one a sample falls into, by value, digit, place, direction, colour or pattern."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.expressions import bounded, convert, lift, ops, within
from weft.kernels.formulas import Domain, Quantity, Setting, bits, vector, whole
from weft.kernels.program import Expr
from weft.kernels.types import I32, U32
from weft.types import Vector

samples = Domain("sample", index=("i", "sample", "idx"), single=True, things=False)

value = Quantity("value", 0.0, 1.0)
reading = Quantity("reading", -1.0, 1.0)
other_value = Quantity("other_value", 0.0, 1.0)
code = Quantity("code", 0, 2**31 - 1, bits)
duration = Quantity("duration", 1, 100_000, whole)
pixel = Quantity("pixel", 0, 2**24 - 1, bits)
gradient = Quantity("gradient", -1.0, 1.0, vector(2))
point = Quantity("point", -1.0, 1.0, vector(2))
truth = Quantity("true_class", 0, 9, whole, plural="true_classes")
guess = Quantity("predicted_class", 0, 9, whole, plural="predicted_classes")
bin_index = Quantity("bin_index", 0, 63, whole, least=0, most=65535)

amount = Quantity("amount", 1, 999_999, whole)
sample_hash = Quantity("sample_hash", 0, 2**31 - 1, bits, plural="sample_hashes")
normal = Quantity("normal", -1.0, 1.0, vector(3))
timestamp = Quantity("timestamp", 0, 2**31 - 1, whole)
character = Quantity("character", 32, 126, whole)

Value = Annotated[Expr, value]
Reading = Annotated[Expr, reading]
OtherValue = Annotated[Expr, other_value]
Code = Annotated[Expr, code]
GrayValues = Annotated[ArrayHandle, Quantity("gray_value", 0, 65535, whole)]
Duration = Annotated[Expr, duration]
Pixel = Annotated[Expr, pixel]
Gradient = Annotated[Expr, gradient]
Point = Annotated[Expr, point]
BinIndex = Annotated[Expr, bin_index]
Amount = Annotated[Expr, amount]
SampleHash = Annotated[Expr, sample_hash]
Normal = Annotated[Expr, normal]
Timestamp = Annotated[Expr, timestamp]
Character = Annotated[Expr, character]


_ORDERED = ("ordered",)
"""What formulas teach whose bins follow each other, so that medians and running sums make sense."""


def fixed(k: Builder, count: int) -> int:
    """So many bins, a number of the text."""
    k.sizes["num_bins"] = str(count)
    return count


def drawn(k: Builder, *counts: int) -> Expr:
    """The number of bins, which is one of these, as a constant of the module."""
    count = fixed(k, k.once("bins", lambda: k.rng.pick(*counts)))
    return k.once("number of bins", lambda: k.constant("num_bins", I32, count))


def share_bin(k: Builder, share: Expr, count: Expr | int) -> Expr:
    """The bin of a number in [0, 1], the last one for 1 itself."""
    scale = float(count) if isinstance(count, int) else convert(k.real, count)
    return ops.min(convert(I32, bounded(share * scale, 0.0, 4096.0)), count - 1)


def square_cell(coordinate: Expr, side: int) -> Expr:
    """The row or column of a coordinate from -1 to 1 in a square of `side` by `side` cells."""
    return ops.min(convert(I32, bounded((coordinate + 1.0) * (0.5 * side), 0.0, 4096.0)), side - 1)


@samples.formula(teaches=_ORDERED)
def unit_bin(k: Builder, value: Value) -> BinIndex:
    """Bin of a value. Bins on [0, 1] are of equal width, and the last one includes 1."""
    return share_bin(k, value, drawn(k, 8, 16, 32, 64, 128, 256))


@samples.formula(teaches=_ORDERED)
def magnitude_bin(k: Builder, reading: Reading) -> BinIndex:
    """Bin of the magnitude of a reading. Bins on [0, 1] are of equal width, and the last one includes 1."""
    return share_bin(k, ops.abs(reading), drawn(k, 8, 16, 32, 64))


@samples.formula(source="Cover and Thomas 2006, Elements of Information Theory")
def joint_bin(k: Builder, value: Value, other_value: OtherValue) -> BinIndex:
    """Joint histogram bin of two values. Bins on [0, 1] are numbered row by row, and the first
    value chooses the row.
    """
    count = k.once("side", lambda: k.rng.pick(8, 16, 32))
    fixed(k, count * count)
    side = k.once("bins along an axis", lambda: k.constant("bins_per_axis", I32, count))
    row, column = (
        k.let(name, share_bin(k, one, side)) for name, one in (("row", value), ("column", other_value))
    )
    return row * side + column


@samples.formula(source="Haralick, Shanmugam and Dinstein 1973")
def cooccurrence_bin(k: Builder, gray_values: GrayValues) -> BinIndex:
    """Gray-level co-occurrence bin of two neighboring samples. The level of a 16-bit sample is its top four
    bits, and the last sample is paired with the first.
    """
    (i,) = k.index
    fixed(k, 256)
    here, after = gray_values[i], gray_values[(i + 1) % k.extent(0)]
    return k.let("level", here >> 12) * 16 + (after >> 12)


@samples.formula(source="Knuth 1973, radix sorting")
def digit_bin(k: Builder, code: Code, shift: Annotated[Expr, Setting(0, 24, "p", whole)]) -> BinIndex:
    """Radix digit of a key. The digit begins at bit `shift`."""
    count = fixed(k, k.once("bins", lambda: k.rng.pick(4, 16, 64, 256)))
    return convert(I32, (code >> convert(U32, shift)) & (count - 1))


@samples.formula(source="Knuth 1973, multiplicative hashing")
def hashed_bin(k: Builder, code: Code) -> BinIndex:
    """Fibonacci hash of a code. It is the top bits of the code times 2^32 over the golden ratio, modulo 2^32,
    as many as the bin index has.
    """
    width = k.once("width", lambda: k.rng.pick(3, 4, 5, 6, 8))
    fixed(k, 1 << width)
    return bounded(convert(I32, (code * 2654435769) >> (32 - width)), 0, (1 << width) - 1)


@samples.formula(source="Gil Tene's HdrHistogram", teaches=_ORDERED)
def log_bin(k: Builder, duration: Duration) -> BinIndex:
    """Power-of-two bin of a duration. It is the base-2 logarithm, rounded down, and 0 below 2."""
    fixed(k, 17)
    power, rest = (
        k.var("power", 0, type=I32, bounds=(0, 16)),
        k.var("remaining", duration, bounds=(0, 100_000)),
    )
    with k.repeat(rest > 1, 17):
        k.set(rest, rest >> 1)
        k.set(power, bounded(power + 1, 0, 16))
    return power


@samples.formula(teaches=_ORDERED)
def searched_bin(k: Builder, duration: Duration) -> BinIndex:
    """Bin of a duration by binary search in the bin edges. A bin includes its lower edge."""
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


def channels(k: Builder, pixel: Expr) -> tuple[Expr, Expr, Expr]:
    """The three bytes of a packed pixel."""
    red, green, blue = (
        k.let(name, convert(I32, (pixel >> shift if shift else pixel) & 255))
        for name, shift in (("red", 16), ("green", 8), ("blue", 0))
    )
    return red, green, blue


@samples.formula(source="Swain and Ballard 1991")
def color_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Color-cube bin of a packed pixel. The top bits of red, green and blue are joined, in this order."""
    width = k.once("bits a channel", lambda: k.rng.pick(2, 3, 4))
    fixed(k, 1 << (3 * width))
    red, green, blue = channels(k, pixel)
    shift = 8 - width
    cell = ((red >> shift) << (2 * width)) | ((green >> shift) << width) | (blue >> shift)
    return bounded(cell, 0, (1 << (3 * width)) - 1)


@samples.formula()
def hue_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Hue sextant of a packed pixel. Sextants are numbered from red by way of yellow and green."""
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


@samples.formula(source="Dalal and Triggs 2005")
def orientation_bin(k: Builder, gradient: Gradient) -> BinIndex:
    """Nearest gradient orientation, as in HOG. Opposite directions share a bin."""
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
    """Grid cell of a point in the square [-1, 1]^2. Cells are numbered row by row."""
    side = k.once("side", lambda: k.rng.pick(8, 16, 32))
    fixed(k, side * side)
    x, y = (k.let(name, square_cell(point[axis], side)) for axis, name in enumerate(("column", "row")))
    return y * side + x


@samples.formula(source="Morton 1966")
def morton_bin(k: Builder, point: Point) -> BinIndex:
    """Morton-code bin of a point. Bits of x and y alternate, with that of x in the lowest place."""
    fixed(k, 256)
    x, y = (k.let(name, square_cell(point[axis], 16)) for axis, name in enumerate(("x", "y")))
    code = k.var("morton", 0, type=I32, bounds=(0, 255))
    with k.loop("b", 0, 4) as b:
        pair = ((x >> b) & 1) | (((y >> b) & 1) << 1)
        k.set(code, bounded(code | (pair << (2 * b)), 0, 255))
    return code


@samples.formula(source="Lloyd 1982")
def nearest_center_bin(k: Builder, value: Value) -> BinIndex:
    """Nearest of a few bin centers. The first of several centers at the same distance is taken."""
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
    """Confusion-matrix entry of true and predicted class. Entries are numbered row by row, with a row for
    each of ten true classes.
    """
    fixed(k, 100)
    return true_class * 10 + predicted_class


@samples.formula(source="Benford 1938, The Law of Anomalous Numbers")
def leading_digit_bin(k: Builder, amount: Amount) -> BinIndex:
    """Leading digit of an amount. Benford's law predicts more ones than nines."""
    fixed(k, 10)
    digit = k.var("digit", amount, bounds=(0, 999_999))
    with k.repeat(digit > 9, 6):
        k.set(digit, digit // 10)
    return bounded(digit, 0, 9)


@samples.formula(source="ITU-R BT.601", teaches=_ORDERED)
def luminance_bin(k: Builder, pixel: Pixel) -> BinIndex:
    """Luminance bin of a packed pixel. Pixels are packed as 0xRRGGBB, and the weights of Rec. 601 are in
    units of 1/256.
    """
    count = fixed(k, k.once("bins", lambda: k.rng.pick(16, 32, 64, 256)))
    red, green, blue = channels(k, pixel)
    luminance = bounded((77 * red + 150 * green + 29 * blue) >> 8, 0, 255)
    return luminance if count == 256 else k.let("luminance", luminance) // (256 // count)


@samples.formula(source="Flajolet et al. 2007, HyperLogLog")
def rank_bin(k: Builder, sample_hash: SampleHash) -> BinIndex:
    """HyperLogLog rank of a hash. It is the position of the first set bit, counted from one."""
    fixed(k, 32)
    rank, rest = (
        k.var("rank", 1, type=I32, bounds=(0, 31)),
        k.var("remaining", sample_hash, type=U32, bounds=(0, 2**31 - 1)),
    )
    with k.repeat((rest & 1).equals(0) & (rank < 31), 32):
        k.set(rest, rest >> 1)
        k.set(rank, bounded(rank + 1, 0, 31))
    return rank


@samples.formula(teaches=("loop",))
def popcount_bin(k: Builder, code: Code) -> BinIndex:
    """Number of set bits of a code."""
    fixed(k, 33)
    count = k.var("set_bits", 0, type=I32, bounds=(0, 32))
    with k.loop("bit", 0, 32) as bit:
        k.set(count, bounded(count + convert(I32, (code >> convert(U32, bit)) & 1), 0, 32))
    return count


@samples.formula()
def octant_bin(k: Builder, normal: Normal) -> BinIndex:
    """Octant of a normal vector. Each bit tells the sign of a component."""
    fixed(k, 8)
    octant = k.var("octant", 0, type=I32, bounds=(0, 7))
    for axis in range(3):
        with k.when(normal[axis] < 0.0):
            k.set(octant, bounded(octant + (1 << axis), 0, 7))
    return octant


@samples.formula(source="cube mapping, OpenGL 4.6 specification, section 8.13")
def cube_face_bin(k: Builder, normal: Normal) -> BinIndex:
    """Cube-map face of a direction. The component of largest magnitude decides it."""
    fixed(k, 6)
    x, y, z = (k.let(f"a{name}", ops.abs(normal[axis])) for axis, name in enumerate("xyz"))
    face = k.var("face", 0, type=I32, bounds=(0, 5))
    sides = [ops.where(normal[axis] < 0.0, 2 * axis + 1, lift(2 * axis, I32)) for axis in range(3)]
    with k.when((x >= y) & (x >= z)):
        k.set(face, sides[0])
    with k.orwhen(y >= z):
        k.set(face, sides[1])
    with k.otherwise():
        k.set(face, sides[2])
    return face


@samples.formula(source="Gil Tene's HdrHistogram", teaches=_ORDERED)
def latency_bin(k: Builder, duration: Duration) -> BinIndex:
    """Log-linear latency bucket. Each power of two has four buckets of equal width."""
    fixed(k, 68)
    power, mantissa = (
        k.var("power", 0, type=I32, bounds=(0, 15)),
        k.var("mantissa", duration, bounds=(0, 100_000)),
    )
    with k.repeat(mantissa >= 8, 17):
        k.set(mantissa, mantissa >> 1)
        k.set(power, bounded(power + 1, 0, 15))
    return bounded(4 * power + mantissa, 0, 67)


@samples.formula(teaches=_ORDERED)
def hour_bin(k: Builder, timestamp: Timestamp) -> BinIndex:
    """Hour of day of a timestamp. Timestamps are in seconds, in UTC."""
    fixed(k, 24)
    return bounded(timestamp % 86_400 // 3600, 0, 23)


@samples.formula()
def weekday_bin(k: Builder, timestamp: Timestamp) -> BinIndex:
    """Weekday of a Unix timestamp. Monday is zero, and the epoch was a Thursday."""
    fixed(k, 7)
    day = k.let("day", timestamp // 86_400)
    return bounded((day + 3) % 7, 0, 6)


@samples.formula()
def character_bin(k: Builder, character: Character) -> BinIndex:
    """Class of an ASCII character. Letters count regardless of case, then come digits and all others."""
    fixed(k, 28)
    kind = k.var("letter", 27, type=I32, bounds=(0, 27))
    with k.when((character >= 97) & (character <= 122)):
        k.set(kind, bounded(character - 97, 0, 25))
    with k.orwhen((character >= 65) & (character <= 90)):
        k.set(kind, bounded(character - 65, 0, 25))
    with k.orwhen((character >= 48) & (character <= 57)):
        k.set(kind, 26)
    return kind
