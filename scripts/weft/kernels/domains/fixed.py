"""Whole numbers of every width: fixed point, wide products, audio samples, clocks and calendars."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.floats import mask
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, bits, of, whole
from weft.kernels.program import Expr
from weft.kernels.types import F64, I8, I16, I32, I64, LIMITS, U8, U16, U32, U64
from weft.types import Scalar

# Fixed point.

fixed = Domain("number", index=("i", "idx"), ranks=(1, 2), single=True)

ONE = 65536
I32_MIN, I32_MAX = LIMITS["int32"]

q16 = Quantity("number", -16 * ONE, 16 * ONE, whole, least=I32_MIN, most=I32_MAX)
other_q16 = Quantity("other_number", -16 * ONE, 16 * ONE, whole, least=I32_MIN, most=I32_MAX)
divisor = Quantity("divisor", ONE // 4, 16 * ONE, whole, least=1, most=I32_MAX)
share = Quantity("share", 0, ONE, whole, least=0, most=ONE)
product = Quantity("product", -256 * ONE, 256 * ONE, whole, least=I32_MIN, most=I32_MAX)
quotient = Quantity("quotient", -64 * ONE, 64 * ONE, whole, least=I32_MIN, most=I32_MAX)
root = Quantity("root", 0, 8 * ONE, whole, least=0, most=I32_MAX)
angle = Quantity("angle", 0, 65535, of(U16), least=0, most=65535)
sine = Quantity("sine", -ONE, ONE, whole, least=-2 * ONE, most=2 * ONE)
mean = Quantity("mean", -16 * ONE, 16 * ONE, whole, least=I32_MIN, most=I32_MAX)
q15 = Quantity("level", -32768, 32767, of(I16), least=-32768, most=32767)
other_q15 = Quantity("other_level", -32768, 32767, of(I16), least=-32768, most=32767)
new_q15 = Quantity("new_level", -32768, 32767, of(I16), least=-32768, most=32767, updates=q15)
factor = Quantity("factor", 0, 2**32 - 1, bits, least=0, most=2**32)
other_factor = Quantity("other_factor", 0, 2**32 - 1, bits, least=0, most=2**32)
wide = Quantity("wide_product", 2**60, 2**60 + 2**31, of(U64), least=0, most=2**64)
upper = Quantity("upper_word", 0, 2**32 - 1, bits, least=0, most=2**32)
residue = Quantity("residue", 0, 2**31 - 2, bits, least=0, most=2**32)

Q16 = Annotated[Expr, q16]
Other16 = Annotated[Expr, other_q16]
Divisor = Annotated[Expr, divisor]
Share = Annotated[Expr, share]
Product = Annotated[Expr, product]
Quotient = Annotated[Expr, quotient]
Root = Annotated[Expr, root]
Angle = Annotated[Expr, angle]
Sine = Annotated[Expr, sine]
Mean = Annotated[Expr, mean]
Q15 = Annotated[Expr, q15]
Other15 = Annotated[Expr, other_q15]
New15 = Annotated[Expr, new_q15]
Factor = Annotated[Expr, factor]
OtherFactor = Annotated[Expr, other_factor]
WideProduct = Annotated[Expr, wide]
Upper = Annotated[Expr, upper]
Residue = Annotated[Expr, residue]
LIBFIXMATH, CMSIS, WARREN = "libfixmath", "CMSIS-DSP", "Warren, Hacker's Delight"


def saturated(value: Expr, narrow: Scalar) -> Expr:
    """A value cut off at the limits of a narrower type."""
    low, high = LIMITS[narrow.name]
    return convert(narrow, ops.clamp(value, low, high))


def widened(a: Expr, b: Expr, wide: Scalar = I64) -> Expr:
    """The product of two numbers in a type that holds it."""
    return convert(wide, a) * convert(wide, b)


@fixed.formula(source=LIBFIXMATH)
def q16_product(k: Builder, number: Q16, other_number: Other16) -> Product:
    """Compute the product of each number from two factors in Q16.16."""
    return convert(I32, widened(number, other_number) >> 16)


@fixed.formula(source=LIBFIXMATH)
def rounded_q16_product(k: Builder, number: Q16, other_number: Other16) -> Product:
    """Compute the product of each number from two factors in Q16.16 with rounding."""
    return convert(I32, (widened(number, other_number) + ONE // 2) >> 16)


@fixed.formula(source=LIBFIXMATH)
def q16_quotient(k: Builder, number: Q16, divisor: Divisor) -> Quotient:
    """Compute the quotient of each number by a positive divisor in Q16.16."""
    return convert(I32, convert(I64, number) * ONE / convert(I64, divisor))


@fixed.formula(source=LIBFIXMATH, teaches=("loop",))
def q16_reciprocal(k: Builder, divisor: Divisor) -> Quotient:
    """Compute the quotient of each number from one by Newton's method in Q16.16."""
    wide = k.let("wide_divisor", convert(I64, divisor))
    inverse = k.var("inverse", lift(ONE // 16, I64), bounds=(0, 8 * ONE), type=I64)
    with k.loop("_", 0, 8):
        rest = k.let("rest", 2 * ONE - ((wide * inverse) >> 16))
        k.set(inverse, ops.clamp((inverse * rest) >> 16, 0, 8 * ONE))
    return convert(I32, inverse)


@fixed.formula(source=WARREN, teaches=("loop", "branch"))
def q16_root(k: Builder, divisor: Divisor) -> Root:
    """Compute the root of each number in Q16.16 bit by bit."""
    wide = k.let("wide_number", convert(I64, divisor) * ONE)
    root = k.var("root", lift(0, I64), bounds=(0, 2**20 - 1), type=I64)
    bit = k.var("bit", lift(2**18, I64), bounds=(0, 2**18), type=I64)
    with k.repeat(bit > 0, 19):
        trial = k.let("trial", root | bit)
        with k.when(trial * trial <= wide):
            k.set(root, bounded(trial, 0, 2**20 - 1))
        k.set(bit, bit >> 1)
    return convert(I32, root)


@fixed.formula(source=CMSIS)
def q16_interpolation(k: Builder, number: Q16, other_number: Other16, share: Share) -> Mean:
    """Interpolate the mean of each number between two others in Q16.16."""
    gap = k.let("gap", convert(I64, other_number - number))
    return number + convert(I32, (gap * convert(I64, share)) >> 16)


@fixed.formula(source="Capens 2006")
def corrected_q16_sine(k: Builder, angle: Angle) -> Sine:
    """Compute the sine of each number by a corrected parabola in Q16.16, 65536 steps a turn."""
    turned = k.let("turned", convert(I32, angle) - 32768)
    parabola = k.let("parabola", -((turned * (32768 - ops.abs(turned))) >> 12))
    excess = k.let("excess", (widened(parabola, ops.abs(parabola)) >> 16) - convert(I64, parabola))
    return bounded(parabola + convert(I32, (excess * 14746) >> 16), -ONE - 1, ONE)


@fixed.formula(source="Volder 1959", teaches=("loop", "branch"))
def cordic_length(k: Builder, number: Q16, other_number: Other16) -> Root:
    """Compute the length of each number from two components by ten rotations of CORDIC in Q16.16."""
    x = k.var("x", ops.abs(number), bounds=(-(2**26), 2**26))
    y = k.var("y", other_number, bounds=(-(2**26), 2**26))
    with k.loop("step", 0, 10) as step:
        dx, dy = k.let("dx", x >> step), k.let("dy", y >> step)
        with k.when(y > 0):
            k.set(x, bounded(x + dy, -(2**26), 2**26))
            k.set(y, bounded(y - dx, -(2**26), 2**26))
        with k.otherwise():
            k.set(x, bounded(x - dy, -(2**26), 2**26))
            k.set(y, bounded(y + dx, -(2**26), 2**26))
    return bounded(convert(I32, (convert(I64, x) * 39797) >> 16), 0, 2**26)


@fixed.formula(source="ARM SQRDMULH")
def rounded_q15_product(k: Builder, level: Q15, other_level: Other15) -> New15:
    """Compute the rounded Q15 product of each number from two levels with saturation."""
    return saturated((convert(I32, level) * convert(I32, other_level) + 0x4000) >> 15, I16)


@fixed.formula(source=CMSIS)
def q15_sum(k: Builder, level: Q15, other_level: Other15) -> New15:
    """Compute the Q15 sum of each number from two levels with saturation."""
    return saturated(convert(I32, level) + convert(I32, other_level), I16)


@fixed.formula(source=WARREN)
def exact_wide_product(k: Builder, factor: Factor, other_factor: OtherFactor) -> WideProduct:
    """Compute the wide product of each number from two words in 64 bits."""
    return convert(U64, factor) * convert(U64, other_factor)


@fixed.formula(source=WARREN, goal=False)
def upper_half(k: Builder, wide_product: WideProduct) -> Upper:
    """Compute the upper word of each number from the wide product."""
    return convert(U32, wide_product >> 32)


@fixed.formula(source=WARREN)
def upper_half_by_parts(k: Builder, factor: Factor, other_factor: OtherFactor) -> Upper:
    """Compute the upper word of each number from products of 16-bit parts."""
    parts = []
    for name, one in (("left", factor), ("right", other_factor)):
        parts.append((k.let(f"{name}_upper", one >> 16), k.let(f"{name}_lower", one & mask(0xFFFF))))
    (a, b), (c, d) = parts
    middle = k.let("middle", a * d + ((b * d) >> 16))
    cross = k.let("cross", b * c + (middle & mask(0xFFFF)))
    return a * c + (middle >> 16) + (cross >> 16)


@fixed.formula(source="Lemire 2019")
def scaled_to_range(k: Builder, factor: Factor, bins: Annotated[Expr, Setting(6, 1000, "p", whole)]) -> Upper:
    """Compute the bin of each number from the upper word of a product instead of a remainder."""
    return convert(U32, (convert(U64, factor) * convert(U64, bins)) >> 32)


@fixed.formula(source="Mersenne prime 2^31 - 1")
def mersenne_residue(k: Builder, wide_product: WideProduct) -> Residue:
    """Compute the residue of each number modulo the prime 2^31 - 1 by adding the upper bits to the lower."""
    prime = mask(0x7FFFFFFF, U64)
    folded = k.let("folded", (wide_product & prime) + (wide_product >> 31))
    again = k.let("folded_again", (folded & prime) + (folded >> 31))
    return convert(U32, conditional(again >= prime, again - prime, again))


@fixed.formula(source="Park and Miller 1988")
def lehmer_residue(k: Builder, residue: Residue) -> Residue:
    """Advance the residue of each number by the minimal standard generator in 64 bits."""
    return convert(U32, convert(U64, residue) * 48271 % 2147483647)


# Samples of sound.

pulse = Domain("sample", index=("i", "t"), single=True, sizes={"bytes": (3,)})

sample = Quantity("sample", -32768, 32767, of(I16), least=-32768, most=32767)
other_sample = Quantity("other_sample", -32768, 32767, of(I16), least=-32768, most=32767)
new_sample = Quantity("new_sample", -32768, 32767, of(I16), least=-32768, most=32767, updates=sample)
packed_byte = Quantity("packed_byte", 0, 255, of(U8), least=0, most=255, trailing=("bytes",))
triple = Quantity("packed_sample", -(2**23), 2**23 - 1, whole, least=-(2**23), most=2**23 - 1)
dither = Quantity("dither", -128, 127, of(I8), least=-128, most=127)
narrow = Quantity("narrow_sample", -128, 127, of(I8), least=-128, most=127)

Sample = Annotated[Expr, sample]
OtherSample = Annotated[Expr, other_sample]
NewSample = Annotated[Expr, new_sample]
Triple = Annotated[Expr, triple]
Narrow = Annotated[Expr, narrow]
Packed = Annotated[ArrayHandle, packed_byte]
GainQ12 = Annotated[Expr, Setting(2048, 8192, "p", whole)]


@pulse.formula()
def amplified_pcm(k: Builder, sample: Sample, gain: GainQ12) -> NewSample:
    """Compute the PCM value of each sample after a gain in Q12 with rounding and saturation."""
    return saturated((convert(I32, sample) * gain + 2048) >> 12, I16)


@pulse.formula()
def mixed_pcm(k: Builder, sample: Sample, other_sample: OtherSample) -> NewSample:
    """Mix the PCM values of each sample with another track with saturation."""
    return saturated(convert(I32, sample) + convert(I32, other_sample), I16)


@pulse.formula(source="Toth 2006", teaches=("branch",))
def soft_mixed_pcm(k: Builder, sample: Sample, other_sample: OtherSample) -> NewSample:
    """Mix the PCM values of each sample with another track, less the product where both have one sign."""
    a, b = k.let("first", convert(I32, sample)), k.let("second", convert(I32, other_sample))
    total = k.var("total", a + b, bounds=(-65536, 65534))
    with k.when((a > 0) & (b > 0)):
        k.set(total, bounded(a + b - convert(I32, widened(a, b) >> 15), 0, 32767))
    with k.orwhen((a < 0) & (b < 0)):
        k.set(total, bounded(a + b + convert(I32, widened(a, b) >> 15), -32768, 0))
    return convert(I16, bounded(total, -32768, 32767))


@pulse.formula()
def crossfaded_pcm(
    k: Builder,
    sample: Sample,
    other_sample: OtherSample,
    fade: Annotated[Expr, Setting(1000, 31000, "p", whole)],
) -> NewSample:
    """Crossfade the PCM values of each sample to another track in Q15."""
    mix = k.let("mix", convert(I32, sample) * (32768 - fade) + convert(I32, other_sample) * fade)
    return convert(I16, bounded(mix >> 15, -32768, 32767))


@pulse.formula()
def requantized_pcm(k: Builder, sample: Sample, dither: Annotated[Expr, dither]) -> Narrow:
    """Requantize the PCM value of each sample to 8 bits with dither and saturation."""
    return saturated((convert(I32, sample) + convert(I32, dither)) >> 8, I8)


@pulse.formula(teaches=("branch",))
def sign_extended_sample(k: Builder, packed_bytes: Packed) -> Triple:
    """Unpack the 24-bit value of each sample from three bytes, the lowest first."""
    low, middle, high = (convert(I32, packed_bytes[k.index[0], one]) for one in range(3))
    word = k.let("unsigned_sample", low | (middle << 8) | (high << 16))
    return bounded(ops.where(word >= 2**23, word - 2**24, word), -(2**23), 2**23 - 1)


@pulse.formula()
def pcm_of_triple(k: Builder, packed_sample: Triple) -> NewSample:
    """Round the PCM value of each sample from 24 to 16 bits with saturation."""
    return saturated((packed_sample + 128) >> 8, I16)


# Clocks and calendars.

event = Domain("event", index=("i", "event"), single=True)

SECOND = 1_000_000_000
START = 1_702_000_000_000
stamp = Quantity("timestamp", START, START + 4 * 10**9, of(I64), least=0, most=10**13)
start = Quantity("start_time", START, START + 4 * 10**9, of(I64), least=0, most=10**13)
seconds = Quantity("unix_time", 0, 4 * 10**9, of(I64), least=0, most=10**10)
subsecond = Quantity("nanosecond", 0, SECOND - 1, whole, least=0, most=SECOND)
millisecond = Quantity("millisecond", 0, 999, whole, least=0, most=999)
day = Quantity("day_number", 0, 46_000, whole, least=0, most=200_000)
day_second = Quantity("second_of_day", 0, 86_399, whole, least=0, most=86_400)
weekday = Quantity("weekday", 0, 6, whole, least=0, most=6)
year = Quantity("year", 1970, 2096, whole, least=0, most=3000)
month = Quantity("month", 1, 12, whole, least=1, most=12)
duration = Quantity("duration", 0.0, 1e9, of(F64), least=-1e13, most=1e13, extremal=True)
tick = Quantity("tick", 0, 2**32 - 1, bits, least=0, most=2**32)
earlier_tick = Quantity("earlier_tick", 0, 2**32 - 1, bits, least=0, most=2**32)
elapsed = Quantity("elapsed_tick", 0, 2**32 - 1, bits, least=0, most=2**32)
latency = Quantity("latency", 0.0, 1e3, of(F64), plural="latencies", least=0.0, most=1e9, extremal=True)
sequence = Quantity("sequence_number", 0, 65535, of(U16), least=0, most=65535)
lead = Quantity("lead", -32768, 32767, whole, least=-32768, most=32767)
fraction = Quantity("ntp_fraction", 0, 2**32 - 1, bits, least=0, most=2**32)
bucket = Quantity("bucket", 0, 2**31 - 1, of(I64), least=0, most=10**13)

Stamp = Annotated[Expr, stamp]
Start = Annotated[Expr, start]
Seconds = Annotated[Expr, seconds]
Subsecond = Annotated[Expr, subsecond]
Day = Annotated[Expr, day]
DaySecond = Annotated[Expr, day_second]
Duration = Annotated[Expr, duration]
Tick = Annotated[Expr, tick]
Elapsed = Annotated[Expr, elapsed]
Sequence = Annotated[Expr, sequence]
HINNANT = "Hinnant, chrono-compatible date algorithms"


@event.formula(goal=False)
def whole_seconds(k: Builder, timestamp: Stamp) -> Seconds:
    """Compute the Unix time of each event from milliseconds."""
    return timestamp / 1000


@event.formula()
def millisecond_of_second(k: Builder, timestamp: Stamp) -> Annotated[Expr, millisecond]:
    """Compute the millisecond of each event within the second."""
    return convert(I32, timestamp % 1000)


@event.formula()
def days_since_epoch(k: Builder, unix_time: Seconds) -> Day:
    """Compute the day number of each event since 1970."""
    return bounded(convert(I32, unix_time / 86_400), 0, 120_000)


@event.formula()
def second_of_utc_day(k: Builder, unix_time: Seconds) -> DaySecond:
    """Compute the second of the day of each event in UTC."""
    return convert(I32, unix_time % 86_400)


@event.formula(source=HINNANT)
def weekday_of_event(k: Builder, day_number: Day) -> Annotated[Expr, weekday]:
    """Compute the weekday of each event counted from Sunday."""
    return (day_number + 4) % 7


def _civil(k: Builder, day: Expr) -> tuple[Expr, Expr, Expr]:
    """Era of 400 years, year of it from March on, and day of that year."""
    shifted = k.let("shifted_day", day + 719_468)
    era = k.let("era", shifted / 146_097)
    rest = k.let("day_of_era", bounded(shifted - era * 146_097, 0, 146_096))
    leap = rest - rest / 1460 + rest / 36_524 - rest / 146_096
    year = k.let("year_of_era", bounded(leap / 365, 0, 399))
    return era, year, k.let("day_of_year", bounded(rest - (365 * year + year / 4 - year / 100), 0, 365))


@event.formula(source=HINNANT)
def month_of_event(k: Builder, day_number: Day) -> Annotated[Expr, month]:
    """Compute the month of each event in the Gregorian calendar."""
    _, _, day = _civil(k, day_number)
    shifted = k.let("shifted_month", (5 * day + 2) / 153)
    return bounded(ops.where(shifted < 10, shifted + 3, shifted - 9), 1, 12)


@event.formula(source=HINNANT)
def year_of_event(k: Builder, day_number: Day) -> Annotated[Expr, year]:
    """Compute the year of each event in the Gregorian calendar."""
    era, year, day = _civil(k, day_number)
    return era * 400 + year + ops.where(day >= 306, lift(1, I32), lift(0, I32))


@event.formula()
def seconds_since_start(k: Builder, timestamp: Stamp, start_time: Start) -> Duration:
    """Compute the duration of each event in seconds since a start from whole milliseconds."""
    return convert(F64, timestamp - start_time) * 1e-3


@event.formula()
def seconds_since_origin(
    k: Builder,
    unix_time: Seconds,
    nanosecond: Subsecond,
    origin: Annotated[Expr, Setting(0, 10**9, "p", whole)],
) -> Duration:
    """Compute the duration of each event in seconds since an origin from whole seconds and nanoseconds."""
    return convert(F64, unix_time - convert(I64, origin)) + convert(F64, nanosecond) * 1e-9


@event.formula()
def bucket_of_interval(
    k: Builder, timestamp: Stamp, interval: Annotated[Expr, Setting(10, 60_000, "p", whole)]
) -> Annotated[Expr, bucket]:
    """Compute the bucket of each event among intervals of some milliseconds."""
    return timestamp / convert(I64, interval)


@event.formula()
def wrapped_difference(k: Builder, tick: Tick, earlier_tick: Annotated[Expr, earlier_tick]) -> Elapsed:
    """Compute the elapsed ticks of each event from a counter that may have wrapped round."""
    return tick - earlier_tick


@event.formula()
def latency_of_ticks(
    k: Builder, elapsed_tick: Elapsed, ticks_per_us: Annotated[Expr, Setting(10, 4000, "p", whole)]
) -> Annotated[Expr, latency]:
    """Compute the latency of each event in microseconds from elapsed ticks."""
    return convert(F64, elapsed_tick) / convert(F64, ticks_per_us)


@event.formula(source="RFC 1982", teaches=("branch",))
def serial_lead(k: Builder, sequence_number: Sequence, expected_number: Sequence) -> Annotated[Expr, lead]:
    """Compute the lead of each event before the expected one in serial number arithmetic."""
    ahead = k.let("ahead", convert(I32, sequence_number - expected_number))
    return bounded(ops.where(ahead < 32768, ahead, ahead - 65536), -32768, 32767)


@event.formula(source="RFC 5905")
def nanosecond_of_ntp(k: Builder, ntp_fraction: Annotated[Expr, fraction]) -> Subsecond:
    """Compute the nanosecond of each event from the 32-bit fraction of NTP."""
    return convert(I32, bounded((convert(U64, ntp_fraction) * SECOND) >> 32, 0, SECOND - 1))


@event.formula(source="RFC 3550")
def rtp_ticks(k: Builder, timestamp: Stamp) -> Tick:
    """Compute the ticks of each event of a clock of 90 kHz, which wraps at 32 bits."""
    return convert(U32, timestamp * 90)
