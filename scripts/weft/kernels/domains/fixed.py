"""Whole numbers of every width: fixed point, wide products, clocks and calendars."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.domains.floats import mask
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, bits, of, whole
from weft.kernels.program import Expr
from weft.kernels.types import F64, I16, I32, I64, LIMITS, U64
from weft.types import Scalar

# Fixed point.

fixed = Domain("number", index=("i", "idx"), ranks=(1, 2), single=True, things=False)

ONE = 65536
I32_MIN, I32_MAX = LIMITS["int32"]

q16 = Quantity("number", -16 * ONE, 16 * ONE, whole, least=I32_MIN, most=I32_MAX)
other_q16 = Quantity("other_number", -16 * ONE, 16 * ONE, whole, least=I32_MIN, most=I32_MAX)
divisor = Quantity("divisor", ONE // 4, 16 * ONE, whole, least=1, most=I32_MAX)
product = Quantity("product", -256 * ONE, 256 * ONE, whole, least=I32_MIN, most=I32_MAX)
quotient = Quantity("quotient", -64 * ONE, 64 * ONE, whole, least=I32_MIN, most=I32_MAX)
root = Quantity("root", 0, 8 * ONE, whole, least=0, most=I32_MAX)
q15 = Quantity("level", -32768, 32767, of(I16), least=-32768, most=32767)
other_q15 = Quantity("other_level", -32768, 32767, of(I16), least=-32768, most=32767)
new_q15 = Quantity("new_level", -32768, 32767, of(I16), least=-32768, most=32767, updates=q15)
factor = Quantity("factor", 0, 2**32 - 1, bits, least=0, most=2**32)
other_factor = Quantity("other_factor", 0, 2**32 - 1, bits, least=0, most=2**32)
wide = Quantity("wide_product", 2**60, 2**60 + 2**31, of(U64), least=0, most=2**64)
upper = Quantity("upper_word", 0, 2**32 - 1, bits, least=0, most=2**32)

Q16 = Annotated[Expr, q16]
Other16 = Annotated[Expr, other_q16]
Divisor = Annotated[Expr, divisor]
Product = Annotated[Expr, product]
Quotient = Annotated[Expr, quotient]
Root = Annotated[Expr, root]
Q15 = Annotated[Expr, q15]
Other15 = Annotated[Expr, other_q15]
New15 = Annotated[Expr, new_q15]
Factor = Annotated[Expr, factor]
OtherFactor = Annotated[Expr, other_factor]
Upper = Annotated[Expr, upper]
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
    """Q16.16 multiplication."""
    return convert(I32, widened(number, other_number) >> 16)


@fixed.formula(source=LIBFIXMATH)
def rounded_q16_product(k: Builder, number: Q16, other_number: Other16) -> Product:
    """Q16.16 multiplication with rounding."""
    return convert(I32, (widened(number, other_number) + ONE // 2) >> 16)


@fixed.formula(source=LIBFIXMATH)
def q16_quotient(k: Builder, number: Q16, divisor: Divisor) -> Quotient:
    """Q16.16 division."""
    return convert(I32, convert(I64, number) * ONE / convert(I64, divisor))


@fixed.formula(source=WARREN, teaches=("loop", "branch"))
def q16_root(k: Builder, divisor: Divisor) -> Root:
    """Q16.16 square root, bit by bit."""
    wide = k.let("wide_number", convert(I64, divisor) * ONE)
    root = k.var("root", lift(0, I64), bounds=(0, 2**20 - 1), type=I64)
    bit = k.var("bit", lift(2**18, I64), bounds=(0, 2**18), type=I64)
    with k.repeat(bit > 0, 19):
        trial = k.let("trial", root | bit)
        with k.when(trial * trial <= wide):
            k.set(root, bounded(trial, 0, 2**20 - 1))
        k.set(bit, bit >> 1)
    return convert(I32, root)


@fixed.formula(source="Volder 1959", teaches=("loop", "branch"))
def cordic_length(k: Builder, number: Q16, other_number: Other16) -> Root:
    """Vector length by CORDIC, in Q16.16."""
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
    """Rounding, saturating Q15 multiplication."""
    return saturated((convert(I32, level) * convert(I32, other_level) + 0x4000) >> 15, I16)


@fixed.formula(source=CMSIS)
def q15_sum(k: Builder, level: Q15, other_level: Other15) -> New15:
    """Saturating Q15 addition."""
    return saturated(convert(I32, level) + convert(I32, other_level), I16)


@fixed.formula(source=WARREN)
def exact_wide_product(k: Builder, factor: Factor, other_factor: OtherFactor) -> Annotated[Expr, wide]:
    """32 x 32 to 64 bit product."""
    return convert(U64, factor) * convert(U64, other_factor)


@fixed.formula(source=WARREN)
def upper_half_by_parts(k: Builder, factor: Factor, other_factor: OtherFactor) -> Upper:
    """Upper word of a 32-bit product, from 16-bit parts."""
    parts = []
    for name, one in (("left", factor), ("right", other_factor)):
        parts.append((k.let(f"{name}_upper", one >> 16), k.let(f"{name}_lower", one & mask(0xFFFF))))
    (a, b), (c, d) = parts
    middle = k.let("mid", a * d + ((b * d) >> 16))
    cross = k.let("cross", b * c + (middle & mask(0xFFFF)))
    return a * c + (middle >> 16) + (cross >> 16)


# Clocks and calendars.

event = Domain("event", index=("i", "event"), single=True)

START = 1_702_000_000_000
stamp = Quantity("timestamp", START, START + 4 * 10**9, of(I64), least=0, most=10**13)
start = Quantity("start_time", START, START + 4 * 10**9, of(I64), least=0, most=10**13)
seconds = Quantity("unix_time", 0, 4 * 10**9, of(I64), least=0, most=10**10)
day = Quantity("day_number", 0, 46_000, whole, least=0, most=200_000)
day_second = Quantity("second_of_day", 0, 86_399, whole, least=0, most=86_400)
weekday = Quantity("weekday", 0, 6, whole, least=0, most=6)
year = Quantity("year", 1970, 2096, whole, least=0, most=3000)
month = Quantity("month", 1, 12, whole, least=1, most=12)
duration = Quantity("duration", 0.0, 1e9, of(F64), least=-1e13, most=1e13, extremal=True)
tick = Quantity("tick", 0, 2**32 - 1, bits, least=0, most=2**32)
earlier_tick = Quantity("earlier_tick", 0, 2**32 - 1, bits, least=0, most=2**32)
elapsed = Quantity("elapsed_tick", 0, 2**32 - 1, bits, least=0, most=2**32)

Stamp = Annotated[Expr, stamp]
Start = Annotated[Expr, start]
Seconds = Annotated[Expr, seconds]
Day = Annotated[Expr, day]
DaySecond = Annotated[Expr, day_second]
Duration = Annotated[Expr, duration]
Tick = Annotated[Expr, tick]
Elapsed = Annotated[Expr, elapsed]
HINNANT = "Hinnant, chrono-compatible date algorithms"


@event.formula(goal=False)
def whole_seconds(k: Builder, timestamp: Stamp) -> Seconds:
    """Unix time from milliseconds."""
    return timestamp / 1000


@event.formula()
def days_since_epoch(k: Builder, unix_time: Seconds) -> Day:
    """Days since 1970."""
    return bounded(convert(I32, unix_time / 86_400), 0, 120_000)


@event.formula()
def second_of_utc_day(k: Builder, unix_time: Seconds) -> DaySecond:
    """Second of the UTC day."""
    return convert(I32, unix_time % 86_400)


@event.formula(source=HINNANT)
def weekday_of_event(k: Builder, day_number: Day) -> Annotated[Expr, weekday]:
    """Weekday, counted from Sunday."""
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
    """Gregorian month of a day number."""
    _, _, day = _civil(k, day_number)
    shifted = k.let("shifted_month", (5 * day + 2) / 153)
    return bounded(ops.where(shifted < 10, shifted + 3, shifted - 9), 1, 12)


@event.formula(source=HINNANT)
def year_of_event(k: Builder, day_number: Day) -> Annotated[Expr, year]:
    """Gregorian year of a day number."""
    era, year, day = _civil(k, day_number)
    return era * 400 + year + ops.where(day >= 306, lift(1, I32), lift(0, I32))


@event.formula()
def seconds_since_start(k: Builder, timestamp: Stamp, start_time: Start) -> Duration:
    """Elapsed seconds from millisecond timestamps."""
    return convert(F64, timestamp - start_time) * 1e-3


@event.formula()
def wrapped_difference(k: Builder, tick: Tick, earlier_tick: Annotated[Expr, earlier_tick]) -> Elapsed:
    """Elapsed ticks of a counter that may wrap."""
    return tick - earlier_tick
