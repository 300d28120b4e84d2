"""Element-wise formulas: what each thread computes from its own numbers with + - * / and no branches."""

from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.program import Expr, Name
from weft.kernels.results import finish, output
from weft.kernels.types import I32, U32
from weft.kernels.vocabulary import coefficient, read, threads, whole

REVISION = 4
TEACHES = "element-wise arithmetic on floats and integers, polynomials, ratios, fixed point and bit mixing"


def damped_spring(k: Builder) -> None:
    """Energies and accelerations of damped springs."""
    threads(k)
    extension, velocity = read(k, "extension", -0.5, 0.5), read(k, "velocity", -2.0, 2.0)
    stiffness = coefficient(k, "stiffness", 5.0, 50.0)
    potential = k.rng.pick(0.5 * stiffness * extension * extension, 0.5 * stiffness * (extension * extension))
    mass = coefficient(k, "mass", 0.2, 3.0)
    if k.rng.chance(0.5):
        kinetic = k.let("kinetic", 0.5 * mass * velocity * velocity)
        finish(
            k,
            "energy",
            k.let("potential", potential) + kinetic,
            "Kinetic plus potential energy of each spring",
        )
    else:
        damping = coefficient(k, "damping", 0.1, 0.9)
        force = -stiffness * extension - damping * velocity
        finish(k, "acceleration", force / mass, "Acceleration of each damped spring")


def horner_polynomial(k: Builder) -> None:
    """Polynomials and rational functions."""
    threads(k)
    x = read(k, "x", -1.5, 1.5)
    degree = k.rng.integer(3, 5)
    letters = "abcdef"[: degree + 1]
    factors = [coefficient(k, f"c{position}", -2.0, 2.0, kinds="lp") for position in range(len(letters))]
    value = factors[0]
    for factor in factors[1:]:
        value = k.rng.pick(value * x + factor, factor + x * value)
    if k.rng.chance(0.35):
        divisor = 1.0 + k.rng.pick(x * x, ops.abs(x)) * coefficient(k, "pole", 0.2, 2.0, kinds="lp")
        finish(k, "ratio", value / divisor, f"Rational function with a numerator of degree {degree}")
    else:
        finish(k, "value", value, f"Polynomial of degree {degree} by Horner's rule")


def vegetation_index(k: Builder) -> None:
    """Indices from spectral bands."""
    threads(k)
    red, infrared = read(k, "red", 0.05, 0.6), read(k, "infrared", 0.2, 0.9)
    difference, total = infrared - red, ops.abs(infrared) + ops.abs(red)
    if k.rng.chance(0.5):
        difference = k.let("difference", difference)
    soil = coefficient(k, "soil", 0.1, 0.5, kinds="lp")
    match k.rng.below(3):
        case 0:
            finish(k, "index", difference / (total + soil), "Vegetation index from two bands")
        case 1:
            finish(k, "index", (1.0 + soil) * difference / (total + soil), "Soil-adjusted vegetation index")
        case _:
            blue = read(k, "blue", 0.02, 0.3)
            bottom = infrared + k.rng.number(5.0, 7.0) * ops.abs(red) + blue * k.rng.number(1.0, 7.0) + soil
            finish(k, "index", k.rng.number(2.0, 3.0) * difference / bottom, "Enhanced vegetation index")


def projectile_position(k: Builder) -> None:
    """Motion under constant pull."""
    threads(k)
    speed, time = read(k, "speed", -8.0, 8.0), read(k, "time", 0.0, 2.0)
    start, pull = read(k, "start", -1.0, 1.0), coefficient(k, "gravity", 1.5, 9.8)
    fall = 0.5 * pull * time * time
    match k.rng.below(3):
        case 0:
            finish(k, "height", start + speed * time - fall, "Height of a thrown body after some time")
        case 1:
            drag = coefficient(k, "drag", 0.05, 0.4)
            damped = k.let("damped_speed", speed / (1.0 + drag * time))
            finish(k, "height", start + damped * time - fall, "Height of a thrown body with simple drag")
        case _:
            end = k.let("end_speed", speed - pull * time)
            finish(k, "mean_height", start + 0.5 * (speed + end) * time, "Height from the mean of two speeds")


def quantize(k: Builder) -> None:
    """Rounding to a uniform grid."""
    threads(k)
    value = read(k, "sample", -4.0, 4.0)
    step = coefficient(k, "step", 0.05, 0.5)
    zero = coefficient(k, "zero_point", -0.5, 0.5)
    steps = k.let("multiple", ops.floor((value - zero) / step + 0.5))
    match k.rng.below(3):
        case 0:
            finish(k, "code", convert(I32, steps), "Integer code of each sample under uniform quantization")
        case 1:
            finish(k, "restored", steps * step + zero, "Each sample rounded to a uniform grid")
        case _:
            # Its sign would depend on how the quotient rounds where a sample lies between two steps.
            error = ops.abs(value - (steps * step + zero))
            finish(k, "error", error, "Magnitude of the rounding error of uniform quantization")


def color_bytes(k: Builder) -> None:
    """Fixed-point arithmetic on 8-bit channels."""
    threads(k)
    red, green, blue = (read(k, name, 0, 255, I32) for name in ("red", "green", "blue"))
    if k.rng.chance(0.4):
        factor = k.scalar("brightness", I32, whole(64, 255))
        red, green, blue = (
            k.let(f"dim_{word}", one * factor // 255)
            for word, one in (("red", red), ("green", green), ("blue", blue))
        )
        k.notes.append("Channels are dimmed first")
    match k.rng.below(5):
        case 4:
            keep = k.rng.integer(2, 6)
            mask = 256 - 2**keep
            coarse = ((red & mask) + (green & mask) + (blue & mask)) // 3
            finish(k, "gray", coarse, f"Mean of the channels without their {keep} lowest bits")
        case 0:
            weights = k.rng.pick((77, 150, 29), (54, 183, 19), (85, 86, 85))
            total = red * weights[0] + green * weights[1] + blue * weights[2]
            finish(k, "luma", k.rng.pick(total >> 8, total // 256), "Luma of 8-bit colors in fixed point")
        case 1:
            finish(
                k,
                "packed",
                (red << 16) | (green << 8) | blue,
                "Three 8-bit channels packed into one integer",
            )
        case 2:
            top, low = k.let("top", ops.max(red, ops.max(green, blue))), ops.min(red, ops.min(green, blue))
            finish(k, "chroma", top - low, "Spread between the largest and smallest channel")
        case _:
            bits = ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3)
            finish(k, "packed", bits, "Colors packed as RGB565")


def integer_hash(k: Builder) -> None:
    """Mixing the bits of a key."""
    threads(k)
    key = convert(U32, read(k, "key", 0, 1_000_000, I32))
    if k.rng.chance(0.4):
        salt = k.scalar("salt", U32, whole(1, 1_000_000))
        key = k.rng.pick(key ^ salt, key + salt, key * 31 + salt)
        k.notes.append("Keys have a salt")
    h = k.var("h", key, type=U32, bounds=(0, 2**32 - 1))
    factor = lift(k.rng.pick(0x7FEB352D, 0x45D9F3B, 0x2C1B3C6D, 0x297A2D39), U32)
    rounds = k.rng.integer(2, 5)
    if rounds > 3:
        with k.loop("_", 0, rounds):
            k.set(h, (h ^ (h >> k.rng.integer(11, 17))) * factor)
    else:
        for number in range(rounds):
            left = k.rng.chance(0.3)
            k.set(h, h + (h << k.rng.integer(3, 7)) if left else h ^ (h >> k.rng.integer(11, 17)))
            if number == 0 or k.rng.chance(0.7):
                k.set(h, h * factor)
    if k.rng.chance(0.5):
        k.set(h, h ^ (h >> k.rng.integer(13, 16)))
    if k.rng.chance(0.35):
        size = k.rng.pick(8, 12, 16)
        kept = k.let("kept", (h >> (32 - size)) if k.rng.chance(0.5) else h & (2**size - 1))
        finish(k, "tag", convert(I32, kept), f"Hash of each key in {size} bits")
        return
    buckets = k.rng.pick(64, 101, 256, 1000)
    bucket = convert(I32, h % buckets)
    finish(k, "bucket", bucket, f"Bucket of each key in a hash table of {buckets}")


def bilinear_surface(k: Builder) -> None:
    """Values between corners."""
    threads(k)
    u, v = read(k, "u", 0.0, 1.0), read(k, "v", -1.0, 1.0)
    names = ("southwest", "southeast", "northwest", "northeast")
    corners = [coefficient(k, name, -2.0, 2.0) for name in names[: k.rng.pick(3, 4)]]
    if len(corners) == 4:
        low, high = (
            k.let("low", corners[0] + u * (corners[1] - corners[0])),
            corners[2] * (1.0 - u) + corners[3] * u,
        )
        value = low + v * (high - low) if k.rng.chance(0.5) else low * (1.0 - v) + high * v
        finish(k, "surface", value, "Bilinear surface over four corners")
    else:
        rest = k.let("rest", 1.0 - u - v)
        value = u * corners[0] + v * corners[1] + rest * corners[2]
        finish(k, "plane", value, "Value at barycentric coordinates of a triangle")


def running_moments(k: Builder) -> None:
    """Mean and spread of what was seen so far."""
    threads(k)
    sample, mean = read(k, "sample", -2.0, 2.0), read(k, "mean", -1.0, 1.0)
    seen = convert(k.real, read(k, "count", 1, 50, I32, array="counts"))
    delta = k.let("delta", sample - mean)
    new = k.let("new_mean", mean + delta / (seen + 1.0))
    match k.rng.below(3):
        case 0:
            finish(k, "updated_mean", new, "Mean of each stream after one more sample")
        case 1:
            spread = read(k, "spread", 0.0, 4.0)
            k.store(output(k, "updated_means", k.real), k.target, new)
            finish(
                k, "sum_of_squares", spread + delta * (sample - new), "Welford's update of mean and spread"
            )
        case _:
            spread = read(k, "variance", 0.2, 2.0)
            score = delta * (sample - new) / (spread + k.rng.number(0.1, 0.5))
            finish(k, "surprise", score, "Squared deviation of each sample over the variance so far")


def unit_conversion(k: Builder) -> None:
    """Whole numbers with carries: clocks, angles, money."""
    threads(k)
    amount = _amount(k)
    kind = k.rng.pick("clock", "angle", "coins", "date")
    first, second = {"clock": (60, 60), "angle": (60, 60), "coins": (100, 20), "date": (24, 7)}[kind]
    small: Expr
    large: Expr
    if k.rng.chance(0.5):
        small, rest = k.let("small", amount % first), k.let("rest", amount // first)
        middle, large = k.let("middle", rest % second), rest // second
    else:
        large = k.let("large", amount // (first * second))
        rest = k.let("rest", bounded(amount - large * (first * second), 0, first * second - 1))
        middle, small = k.let("middle", rest // first), rest % first
    if k.rng.chance(0.4):
        small = small if isinstance(small, Name) else k.let("small", small)
        k.store(output(k, "remainders", I32), k.target, small)
        k.notes.append(f"What is left below {first} is stored as well")
    rate = k.rng.integer(2, 9)
    match k.rng.pick("decimal", "weighted", "digits", "rounded", "coins"):
        case "decimal":
            total, what = large * 10_000 + middle * 100 + small, "as one decimal number"
        case "weighted":
            total, what = (large + middle) * rate + small, f"weighted 1 and {rate}"
        case "digits":
            total = small // 10 + small % 10 + middle // 10 + middle % 10 + large
            what = "their digits added up"
        case "rounded":
            small = small if isinstance(small, Name) else k.let("small", small)
            up = conditional(small * 2 >= first, middle + 1, middle)
            total, what = large * second + up, f"rounded to whole ones of {first}"
        case _:
            total = large + middle // rate + middle % rate + small
            what = f"paid in the fewest pieces of {first * second}, {first * rate}, {first} and 1"
    doc = f"Parts of each amount in units of {first} and {first * second}, {what}"
    finish(k, "code", total, doc)


def _amount(k: Builder) -> Expr:
    """A whole number that is not negative: given, added up, or a number of larger units."""
    match k.rng.pick("given", "given", "sum", "gap", "units"):
        case "sum":
            first = read(k, "amount", 0, 250_000, I32, array="amounts")
            second = read(k, "addition", 0, 250_000, I32, array="additions", inline=True)
            return k.let("joint_amount", first + second)
        case "gap":
            start = read(k, "start", 0, 250_000, I32, array="starts", inline=True)
            end = read(k, "end", 0, 250_000, I32, array="ends", inline=True)
            return k.let("amount", ops.abs(end - start))
        case "units":
            unit = k.scalar("unit", I32, whole(2, 50))
            return k.let("amount", unit * read(k, "units", 0, 10_000, I32, array="units", inline=True))
        case _:
            return read(k, "amount", 0, 500_000, I32, array="amounts")


IDIOMS = (
    damped_spring,
    horner_polynomial,
    vegetation_index,
    projectile_position,
    quantize,
    color_bytes,
    integer_hash,
    bilinear_surface,
    running_moments,
    unit_conversion,
)
