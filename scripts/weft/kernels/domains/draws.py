"""Random draws: generators and sequences, distributions, directions, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.coefficients import whole as whole_numbers
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.bitmaps import WORD, as_word, mask, word_var
from weft.kernels.domains.elementary import as_float
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops, random_number
from weft.kernels.formulas import Domain, Quantity, Setting, bits, rotation, vector, whole
from weft.kernels.intervals import INFINITY, Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import F32, I32
from weft.types import Quaternion, Vector

sample = Domain("sample", index=("i", "idx", "tid"), ranks=(1, 1, 2), things=False)


def number_of_thread(k: Builder, _: str = "") -> Expr:
    """The thread's place among all elements."""
    number = k.index[0]
    for one, size in zip(k.index[1:], k.shape[1:], strict=True):
        number = number * k.size(size, size) + one
    return number


def stream(k: Builder) -> Name:
    """The thread's random state, from a seed and the thread's number; the same in all of a kernel."""

    def start() -> Name:
        seed = k.scalar("seed", I32, whole_numbers(0, 10_000))
        return k.let(k.rng.pick("state", "rng"), ops.rand_init(seed, number_of_thread(k)))

    return k.once(f"random state of {k.name}", start)


def drawn(k: Builder, kind: str = "randf", low: float | None = None, high: float | None = None) -> Expr:
    """A number of Warp's generator, as a float of the kernel's precision."""
    bounds = () if low is None or high is None else (low, high)
    value = random_number(kind, stream(k), *bounds)
    return value if k.real == F32 else convert(k.real, value)


def drawn_int(k: Builder, low: int, high: Expr | int) -> Expr:
    """A whole number from `low` to below `high`."""
    return random_number("randi", stream(k), low, high)


unit = Quantity("uniform_number", 0.0, 1.0, derived=True)
pair = Quantity("random_pair", 0.0, 1.0, vector(2), derived=True)
number = Quantity("sample_number", 0, 70_000, whole, least=0, most=70_000, load=number_of_thread)
normal = Quantity("normal_deviate", -3.0, 3.0, least=-20.0, most=20.0, derived=True)
wait = Quantity("waiting_time", 0.1, 5.0, least=0.0, most=200.0, additive=True)
deviate = Quantity("deviate", -3.0, 3.0, least=-1e3, most=1e3, generic=True)
size = Quantity("drawn_size", 0.1, 10.0, least=0.0, most=1e4, generic=True)
events = Quantity("event_count", 0, 8, whole, least=0, most=255, additive=True, generic=True)
choice = Quantity("choice", 0, 7, whole, least=0, most=63)
direction = Quantity("direction", -1.0, 1.0, vector(3), least=-1.1, most=1.1)
disk = Quantity("disk_point", -1.0, 1.0, vector(2), least=-1.1, most=1.1)
turn = Quantity("turn", -1.0, 1.0, rotation, least=-1.5, most=1.5)
signal = Quantity("signal", -1.0, 1.0)
noisy = Quantity("noisy_signal", -2.0, 2.0, least=-2e3, most=2e3)
kept = Quantity("kept_signal", -1.0, 1.0, least=-1e4, most=1e4)
position = Quantity("position", -1.0, 1.0, vector(3))
level = Quantity("gray_level", 0.0, 1.0)
cosine = Quantity("scattering_cosine", -1.0, 1.0, least=-1.001, most=1.001)
walk_end = Quantity("walk_end", -10, 10, whole, least=-128, most=128)
mean = Quantity("resampled_mean", -1.0, 1.0)

Unit = Annotated[Expr, unit]
Pair = Annotated[Expr, pair]
Number = Annotated[Expr, number]
Normal = Annotated[Expr, normal]
Wait = Annotated[Expr, wait]
Deviate = Annotated[Expr, deviate]
Size = Annotated[Expr, size]
Events = Annotated[Expr, events]
Choice = Annotated[Expr, choice]
Direction = Annotated[Expr, direction]
Disk = Annotated[Expr, disk]
Signal = Annotated[Expr, signal]
Noisy = Annotated[Expr, noisy]
Kept = Annotated[Expr, kept]
Cosine = Annotated[Expr, cosine]
Rate = Annotated[Expr, Setting(0.4, 2.0)]
Salt = Annotated[Expr, Setting(0, WORD, kind=bits)]
Spread = Annotated[Expr, Setting(0.05, 0.5)]
Share = Annotated[Expr, Setting(0.1, 0.6)]
DEVROYE, PHARR, WARP = "Devroye 1986", "Pharr, Jakob and Humphreys 2016", "NVIDIA Warp"


@sample.formula(source=WARP, goal=False)
def plain_uniform(k: Builder) -> Unit:
    """Uniform number."""
    return drawn(k)


@sample.formula(source=PHARR)
def hashed_uniform(k: Builder, sample_number: Number) -> Unit:
    """Uniform number from an integer hash. The top 24 bits of the hashed sample number give a number in [0,
    1).
    """
    state = k.let("word", as_word(sample_number) * mask(0x2C9277B5) + mask(0xAC564B05))
    mixed = k.let("mixed", ((state >> ((state >> 28) + 4)) ^ state) * 277803737)
    return bounded(convert(k.real, mixed >> 8) / 16777216.0, 0.0, 1.0)


def radical_inverse(k: Builder, number: Expr, base: int) -> Expr:
    """The digits of a number, mirrored at the point (Halton 1960)."""

    def body(b: Builder, number: Expr) -> Expr:
        rest = b.var("index", number, bounds=(0, 100_001))
        share, value = b.var("digit_weight", 1.0, bounds=(0.0, 1.0)), b.var("value", 0.0, bounds=(0.0, 1.0))
        with b.repeat(rest > 0, 17):
            b.set(share, bounded(share / float(base), 0.0, 1.0))
            b.set(value, bounded(value + share * convert(b.real, rest % base), 0.0, 1.0))
            b.set(rest, bounded(rest // base, 0, 100_001))
        return value

    def define() -> Callable[..., Expr]:
        doc = f"Return the radical inverse of a number: its digits in base {base}, mirrored at the point."
        limits = {"number": (I32, Interval(0, 100_001, integral=True))}
        return k.function(f"radical_inverse_{base}", doc, limits, body)

    return k.once(f"radical inverse {base}", define)(number)


@sample.formula(source="van der Corput 1935", teaches=("loop",))
def van_der_corput(k: Builder, sample_number: Number) -> Unit:
    """Van der Corput sequence. It is the radical inverse in base 2 of the sample's number, which counts from
    one.
    """
    return bounded(radical_inverse(k, sample_number + 1, 2), 1e-8, 1.0)


@sample.formula(source="Marsaglia 2003", teaches=("loop",))
def xorshift_uniform(
    k: Builder,
    sample_number: Number,
    seed: Annotated[Expr, Setting(0, WORD, kind=bits)],
    steps: Annotated[Expr, Setting(3, 8, kind=whole)],
) -> Unit:
    """Uniform number by xorshift, from a seed. The top 24 bits of the last state give a number in [0, 1)."""
    word = word_var(k, "word", (as_word(sample_number) * mask(0x9E3779B9) ^ seed) | 1)
    with k.loop("_", 0, steps):
        k.add(word, word << 13, "^")
        k.add(word, word >> 17, "^")
        k.add(word, word << 5, "^")
    return bounded(convert(k.real, word >> 8) / 16777216.0, 0.0, 1.0)


@sample.formula(source=WARP, goal=False)
def drawn_pair(k: Builder) -> Pair:
    """Pair of uniform numbers."""
    stream(k)
    return construct(Vector(2, k.real), k.let("u", drawn(k)), k.let("v", drawn(k)))


@sample.formula(source="Roberts 2018")
def plastic_pair(k: Builder, sample_number: Number, salt: Salt) -> Pair:
    """R2 low-discrepancy sequence. Steps come from the plastic number, and the salt shifts all points."""
    u, v = (
        convert(k.real, (as_word(sample_number) * mask(step) + salt) >> 8) / 16777216.0
        for step in (0xC13FA9A9, 0x91E10DA5)
    )
    return bounded(construct(Vector(2, k.real), u, v), 0.0, 1.0)


def tail(k: Builder, uniform_number: Expr) -> Expr:
    """The logarithm of a uniform number, which is finite for zero."""
    return ops.log(ops.max(uniform_number, 1e-8))


def centered(uniform_number: Expr) -> Expr:
    """A uniform number between the ends, so that quantiles are finite."""
    return bounded(1e-6 + 0.999998 * uniform_number, 1e-6, 0.999999)


@sample.formula(source="Box and Muller 1958")
def box_muller(k: Builder, random_pair: Pair) -> Normal:
    """Box-Muller normal sample. The first of two uniform numbers gives the radius, and the second
    the angle.
    """
    radius = k.let("radius", ops.sqrt(-2.0 * tail(k, random_pair[0])))
    return bounded(radius * ops.cos(TWO_PI * random_pair[1]), -6.0, 6.0)


@sample.formula(source="Marsaglia and Bray 1964", teaches=("loop", "branch"))
def polar_normal(k: Builder) -> Normal:
    """Normal sample by Marsaglia's polar method. Points of a square are drawn until one lies in the unit
    disk.
    """
    stream(k)
    u, v = (k.var(name, 0.0, bounds=(-1.0, 1.0)) for name in ("u", "v"))
    square = k.var("square", 2.0, bounds=(0.0, 2.0))
    with k.repeat((square >= 1.0) | (square < 1e-6), 40):
        k.set(u, 2.0 * drawn(k) - 1.0)
        k.set(v, 2.0 * drawn(k) - 1.0)
        k.set(square, u * u + v * v)
    inside = bounded(square + 0.0, 1e-6, 1.0)
    return bounded(u * ops.sqrt(-2.0 * ops.log(inside) / inside), -10.0, 10.0)


@sample.formula(source=WARP)
def warp_normal(k: Builder) -> Normal:
    """Normal sample."""
    return drawn(k, "randn")


@sample.formula(source=DEVROYE)
def exponential_wait(k: Builder, uniform_number: Unit, rate: Rate) -> Wait:
    """Exponential waiting time. Its mean is 1 / rate."""
    return bounded(-tail(k, uniform_number) / rate, 0.0, 200.0)


@sample.formula()
def scaled_normal(
    k: Builder, normal_deviate: Normal, center: Annotated[Expr, Setting(-1.0, 1.0)], spread: Spread
) -> Deviate:
    """Normal sample with a given mean and deviation. A standard normal sample is scaled and shifted."""
    return center + spread * normal_deviate


@sample.formula(source="Marsaglia and Tsang 2000", teaches=("loop", "branch"))
def gamma_size(k: Builder, shape: Annotated[Expr, Setting(1.5, 4.0)]) -> Size:
    """Gamma sample by Marsaglia and Tsang's method. The shape must be at least 1.
    If 16 candidates are all rejected, the sample is shape - 1/3.
    """
    stream(k)
    d = k.let("d", shape - 1.0 / 3.0)
    c = k.let("c", 1.0 / ops.sqrt(9.0 * d))
    value = k.var("value", d, bounds=(0.0, 1e3))
    with k.loop("_", 0, 16):
        x = k.let("x", drawn(k, "randn"))
        root = k.let("root", 1.0 + c * x)
        with k.when(root > 0.01):
            v = k.let("v", bounded(root * root * root, 1e-6, 1e3))
            with k.when(ops.log(1.0 - drawn(k)) < 0.5 * x * x + d * (1.0 - v + ops.log(v))):
                k.set(value, bounded(d * v, 0.0, 1e3))
                k.jump("break")
    return value


@sample.formula(source="Fox 2003", teaches=("table", "loop", "branch"))
def cumulative_choice(k: Builder, uniform_number: Unit) -> Choice:
    """Sample a class by inversion. Probabilities are added up until their sum exceeds a uniform number, and
    the last class takes what is missing from one.
    """
    shares = k.input("class_probabilities", k.real, ["8"], uniform(0.05, 0.15), "constant")
    total, found = k.var("total", 0.0, bounds=(0.0, 1.5)), k.var("choice", 7, type=I32, bounds=(0, 7))
    with k.loop("c", 0, 8) as c:
        k.set(total, bounded(total + shares[c], 0.0, 1.5))
        with k.when(uniform_number < total):
            k.set(found, c)
            k.jump("break")
    return found


@sample.formula(
    source="Walker 1977",
    teaches=(
        "table",
        "branch",
    ),
)
def alias_choice(k: Builder, random_pair: Pair) -> Choice:
    """Sample a class by the alias method. Each draw takes constant time."""
    shares = k.input("alias_thresholds", k.real, ["16"], uniform(0.1, 0.9), "constant")
    aliases = k.input("aliases", I32, ["16"], whole_numbers(0, 15), "constant")
    slot = k.let("slot", ops.min(convert(I32, 16.0 * random_pair[0]), 15))
    return conditional(random_pair[1] < shares[slot], slot, aliases[slot])


@sample.formula(source=PHARR)
def polar_disk_point(k: Builder, random_pair: Pair) -> Disk:
    """Uniform point in a disk, in polar coordinates. The radius is the root of a uniform number."""
    radius, angle = k.let("radius", ops.sqrt(random_pair[0])), k.let("angle", TWO_PI * random_pair[1])
    return bounded(construct(Vector(2, k.real), radius * ops.cos(angle), radius * ops.sin(angle)), -1.0, 1.0)


def lifted(k: Builder, z: Expr, angle: Expr) -> Expr:
    """The unit vector of a height and an angle."""
    ring = k.let("ring", ops.sqrt(ops.max(1.0 - z * z, 0.0)))
    return bounded(construct(Vector(3, k.real), ring * ops.cos(angle), ring * ops.sin(angle), z), -1.0, 1.0)


@sample.formula(source=PHARR)
def sphere_direction(k: Builder, random_pair: Pair) -> Direction:
    """Uniform direction on the sphere. Its height z is uniform."""
    return lifted(k, k.let("z", 1.0 - 2.0 * random_pair[0]), k.let("angle", TWO_PI * random_pair[1]))


@sample.formula(source="Malley 1988")
def cosine_direction(k: Builder, disk_point: Disk) -> Direction:
    """Cosine-weighted hemisphere direction. A uniform point in the unit disk is lifted to the hemisphere."""
    height = ops.sqrt(ops.max(1.0 - ops.dot(disk_point, disk_point), 0.0))
    return bounded(construct(Vector(3, k.real), disk_point[0], disk_point[1], height), -1.0, 1.0)


@sample.formula(source="Henyey and Greenstein 1941")
def henyey_greenstein_cosine(
    k: Builder, uniform_number: Unit, anisotropy: Annotated[Expr, Setting(0.3, 0.9)]
) -> Cosine:
    """Henyey-Greenstein scattering cosine. The anisotropy is between backward (-1) and forward (1)
    scattering.
    """
    square = k.let("square", anisotropy * anisotropy)
    ratio = k.let("ratio", (1.0 - square) / (1.0 - anisotropy + 2.0 * anisotropy * uniform_number))
    return bounded((1.0 + square - ratio * ratio) / (2.0 * anisotropy), -1.0, 1.0)


@sample.formula(source="Shoemake 1992")
def uniform_turn(k: Builder, random_pair: Pair) -> Annotated[Expr, turn]:
    """Uniform random rotation. Shoemake's method makes a rotation of three uniform numbers."""
    low, high = k.let("low", ops.sqrt(1.0 - random_pair[0])), k.let("high", ops.sqrt(random_pair[0]))
    first, last = k.let("first", TWO_PI * random_pair[1]), k.let("last", TWO_PI * drawn(k))
    parts = (low * ops.sin(first), low * ops.cos(first), high * ops.sin(last), high * ops.cos(last))
    return bounded(construct(Quaternion(k.real), *parts), -1.0, 1.0)


@sample.formula(source="Osada et al. 2002")
def triangle_weights(
    k: Builder, random_pair: Pair
) -> Annotated[Expr, Quantity("corner_weights", 0.0, 1.0, vector(3), plural="corner_weight_triples")]:
    """Uniform barycentric coordinates on a triangle. The root of the first number makes points uniform."""
    root = k.let("root", ops.sqrt(random_pair[0]))
    last = root * random_pair[1]
    return bounded(construct(Vector(3, k.real), 1.0 - root, root - last, last), 0.0, 1.0)


@sample.formula()
def additive_noise(k: Builder, signal: Signal, deviate: Deviate) -> Noisy:
    """Add noise to a signal."""
    return signal + deviate


@sample.formula(source="Goodman 1976")
def speckle_noise(k: Builder, signal: Signal, normal_deviate: Normal, spread: Spread) -> Noisy:
    """Add speckle noise to a signal. The signal is multiplied by 1 + spread z for a standard normal number z,
    so that the noise grows with it.
    """
    return signal * (1.0 + spread * normal_deviate)


@sample.formula(teaches=("branch",))
def impulse_noise(k: Builder, signal: Signal, uniform_number: Unit, probability: Share) -> Noisy:
    """Add salt-and-pepper noise. A value becomes -1 or 1 with the given probability, half each."""
    impulse = conditional(uniform_number < 0.5 * probability, lift(-1.0, k.real), 1.0)
    return conditional(uniform_number < probability, impulse, signal)


@sample.formula(source="Foi et al. 2008", law="poisson")
def shot_noise(
    k: Builder,
    event_count: Events,
    gain: Annotated[Expr, Setting(0.1, 0.5)],
    normal_deviate: Normal,
    read_noise: Spread,
) -> Noisy:
    """Add shot noise and read noise of a sensor. The shot noise counts photons."""
    return gain * convert(k.real, event_count) + read_noise * normal_deviate


@sample.formula(source="Croci et al. 2022")
def stochastic_rounding(
    k: Builder, signal: Signal, uniform_number: Unit, step: Annotated[Expr, Setting(0.05, 0.25)]
) -> Kept:
    """Stochastic rounding. The expected value is the number itself."""
    return bounded(ops.clamp(step * ops.floor(signal / step + uniform_number), -10.0, 10.0), -10.0, 10.0)


@sample.formula(source="Pearson 1905", teaches=("loop", "branch"))
def simple_walk(
    k: Builder,
    steps: Annotated[Expr, Setting(8, 32, kind=whole)],
    probability: Annotated[Expr, Setting(0.4, 0.6)],
) -> Annotated[Expr, walk_end]:
    """Simulate a simple random walk. Each step goes up by 1 with the given probability, else down by 1."""
    stream(k)
    place = k.var("position", 0, type=I32, bounds=(-128, 128))
    with k.loop("_", 0, steps):
        k.set(place, bounded(place + conditional(drawn(k) < probability, lift(1, I32), -1), -128, 128))
    return place


@sample.formula(source="Efron 1979", teaches=("loop",))
def bootstrap_mean(k: Builder, draws: Annotated[Expr, Setting(8, 32, kind=whole)]) -> Annotated[Expr, mean]:
    """Bootstrap mean. The sample is drawn with replacement."""
    stream(k)
    data = k.input("observations", k.real, ["64"], uniform(-1.0, 1.0))
    total = k.var("total", 0.0)
    with k.loop("_", 0, draws):
        k.add(total, data[drawn_int(k, 0, 64)])
    return bounded(total / as_float(k, draws), -1.0, 1.0)


@sample.formula(source="Glasserman 2003")
def correlated_normal(
    k: Builder, normal_deviate: Normal, correlation: Annotated[Expr, Setting(-0.9, 0.9)]
) -> Deviate:
    """Correlated normal sample. The given deviate is mixed with a fresh one."""
    rest = ops.sqrt(ops.max(1.0 - correlation * correlation, 0.0))
    return correlation * normal_deviate + rest * drawn(k, "randn")


event_rate = Quantity("event_rate", 0.5, 6.0)
EventRate = Annotated[Expr, event_rate]


@sample.formula(source="Knuth 1969", teaches=("loop",), law="poisson")
def knuth_poisson(k: Builder, event_rate: EventRate) -> Events:
    """Poisson sample by Knuth's method. Uniform numbers are multiplied until the product falls below
    exp(-mean).
    """
    stream(k)
    limit = k.let("limit", ops.exp(-event_rate))
    product = k.var("product", drawn(k), bounds=(0.0, 1.0))
    count = k.var("count", 0, type=I32)
    with k.repeat(product > limit, 40):
        k.set(product, bounded(product * drawn(k), 0.0, 1.0))
        k.add(count, 1)
    return bounded(count, 0, 40)


@sample.formula(source="Gumbel 1954", teaches=("table", "loop", "branch"))
def gumbel_choice(k: Builder, temperature: Annotated[Expr, Setting(0.5, 2.0)]) -> Choice:
    """Sample a class by the Gumbel-max trick. Class probabilities are softmax(logits / temperature): Gumbel
    noise is added to each quotient, and the largest sum wins.
    """
    stream(k)
    logits = k.input("logits", k.real, ["8"], uniform(-1.0, 1.0), "constant")
    best, chosen = (
        k.var("best", -INFINITY, bounds=(-1000.0, 1000.0)),
        k.var("chosen", 0, type=I32, bounds=(0, 7)),
    )
    with k.loop("c", 0, 8) as c:
        noise = -ops.log(-ops.log(centered(drawn(k))))
        score = k.let("score", bounded(logits[c] / temperature + noise, -1000.0, 1000.0))
        with k.when(score > best):
            k.set(best, score)
            k.set(chosen, c)
    return chosen


@sample.formula(source="Vitter 1985", teaches=("loop", "branch"))
def reservoir_choice(k: Builder, items: Annotated[Expr, Setting(8, 24, kind=whole)]) -> Choice:
    """Sample one item of a stream by reservoir sampling. Item number i replaces the one before with
    probability 1 / i.
    """
    stream(k)
    chosen = k.var("chosen", 0, type=I32, bounds=(0, 23))
    with k.loop("item", 1, items) as item, k.when(drawn_int(k, 0, item + 1).equals(0)):
        k.set(chosen, item)
    return chosen


@sample.formula(source="Redner 2001", teaches=("loop", "branch"), law="trials")
def first_passage(
    k: Builder, barrier: Annotated[Expr, Setting(1.0, 3.0)], spread: Annotated[Expr, Setting(0.3, 0.8)]
) -> Events:
    """First-passage time of a random walk. Walks stop after 50 steps."""
    stream(k)
    place, count = k.var("position", 0.0, bounds=(-500.0, 500.0)), k.var("count", 0, type=I32, bounds=(0, 50))
    with k.repeat((place < barrier) & (count < 50), 50):
        k.set(place, bounded(place + spread * drawn(k, "randn"), -500.0, 500.0))
        k.set(count, bounded(count + 1, 0, 50))
    return count
