"""Readings that tables turn into what they mean: probes with curves, accounts with brackets, tides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels.builder import Builder
from weft.kernels.constants import TWO_PI
from weft.kernels.domains.terms import Terms
from weft.kernels.domains.weather import METERS_PER_KELVIN
from weft.kernels.expressions import bounded, convert, lift, ops
from weft.kernels.formulas import Domain, whole
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr, Name
from weft.kernels.types import I32

TABLE, LOOPED, BRANCHED = {"teaches": ("table",)}, {"teaches": ("table", "loop")}, {
    "teaches": ("table", "loop", "branch", "iteration")
}  # fmt: skip


Looked = Callable[[Expr | int], Expr]
Table = tuple[Sequence[int], float]
"""Whole numbers, and the unit that they count."""


def numbers(k: Builder, name: str, table: Table) -> Looked:
    """What a table of whole numbers has at a place, in the units of the kernel."""
    values, unit = table
    stored = k.input(name, I32, [str(len(values))], {"list": list(values)}, "constant")

    def at(place: Expr | int) -> Expr:
        count = convert(k.real, stored[place])
        return count if unit == 1.0 else count * unit

    return at


def segment(k: Builder, places: Looked, count: int, value: Expr) -> Expr:
    """The interval of a rising table that a value lies in, by a search from below or by halves."""
    if k.once("search", lambda: k.rng.chance(0.5)):
        found = k.var("segment", 0, type=I32, bounds=(0, count - 2))
        with k.loop("s", 1, count - 1) as s, k.when(value >= places(s)):
            k.set(found, s)
    else:
        found = k.var("segment", 0, type=I32, bounds=(0, count - 2))
        high = k.var("high", count - 1, type=I32, bounds=(0, count - 1))
        with k.repeat(high - found > 1, 5):
            middle = k.let("mid", bounded((found + high) // 2, 0, count - 1))
            with k.when(places(middle) <= value):
                k.set(found, bounded(middle + 0, 0, count - 2))
            with k.otherwise():
                k.set(high, middle)
    return Name(I32, Interval(0, count - 2, True), found.name)


def interpolated(k: Builder, of: str, places: Table, values: Table, at: Expr) -> Expr:
    """What a table has at a place, by lines between its points."""
    xs, ys = numbers(k, f"{of}_places", places), numbers(k, f"{of}_values", values)
    s = segment(k, xs, len(places[0]), at)
    low, high = k.let("start", xs(s)), k.let("end", xs(s + 1))
    share = bounded((at - low) / bounded(high - low, 0.01, 1e5), -1e4, 1e4)
    share = k.let("share", ops.clamp(share, 0.0, 1.0))
    first = k.let("first", ys(s))
    least, most = (values[1] * end for end in (min(values[0]), max(values[0])))
    return bounded(first + share * (ys(s + 1) - first), least, most)


probe = Domain("probe", index=("i", "p", "probe"))
gauge = Terms(probe)
gauge.quantity("raw_code", 300, 3600, whole, least=0, most=4095)
gauge.quantity("resistance", 500.0, 60000.0, least=100.0, most=1e6)
gauge.quantity("voltage", 0.0, 20.0, least=-1.0, most=60.0)
gauge.quantity("junction_temperature", 10.0, 40.0)
gauge.quantity("temperature", -20.0, 120.0, least=-100.0, most=1000.0, extremal=True)
gauge.quantity("pressure", 60.0, 1010.0, least=1.0, most=2000.0)
gauge.quantity("altitude", 0.0, 19000.0, least=-1e3, most=1e5, extremal=True)
gauge.quantity("flow", 0.0, 9.0, least=0.0, most=100.0)
gauge.quantity("opening", 0.0, 1.0)
gauge.quantity("alarm_level", 0, 3, whole, most=3)
gauge.settings(supply=(3.0, 5.0), series_resistance=(5000.0, 15000.0), drop=(0.5, 4.0))

THERMISTOR: tuple[Table, Table] = (
    ((600, 1800, 3600, 5300, 10000, 19900, 32650, 55300), 1.0), ((105, 70, 50, 40, 25, 10, 0, -10), 1.0)
)  # fmt: skip
"""A thermistor of 10 kiloohms with B = 3950: degrees by ohms."""
TYPE_K: tuple[Table, Table] = (
    ((-1000, 0, 1000, 2023, 4096, 8138, 12209, 16397, 20644), 0.001),
    ((-26, 0, 25, 50, 100, 200, 300, 400, 500), 1.0),
)
"""Type K by NIST's reference tables: degrees by microvolts."""
LAYERS: tuple[Table, ...] = (
    ((0, 11000), 1.0), ((101325, 22632), 0.01), ((28815, 21665), 0.01), ((-65, 0), 0.0001)
)  # fmt: skip
"""The two lowest layers of the standard atmosphere: heights, pressures, temperatures, lapse rates."""
VALVE: tuple[Table, Table] = (
    ((0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100), 0.01), ((2, 5, 8, 11, 16, 22, 32, 45, 64, 83, 100), 0.01)
)  # fmt: skip
"""Equal percentage flow of a valve, by its opening, both in percent."""


def _standard_altitude(k: Builder, pressure: Expr) -> Expr:
    heights, bases, warmth, lapses = (
        numbers(k, f"layer_{name}", values)
        for name, values in zip(("heights", "pressures", "temperatures", "lapses"), LAYERS, strict=True)
    )
    layer = k.var("layer", 0, type=I32, bounds=(0, 1))
    with k.when(pressure < bases(1)):
        k.set(layer, 1)
    here = Name(I32, Interval(0, 1, True), layer.name)
    ratio = k.let("ratio", bounded(pressure / bases(here), 0.02, 100.0))
    found = k.var("rise", 0.0, bounds=(-1e5, 1e5))
    lapse = k.let("lapse_rate", lapses(here))
    with k.when(ops.abs(lapse) < 1e-6):
        k.set(found, bounded(-(METERS_PER_KELVIN * warmth(here)) * ops.log(ratio), -1e5, 1e5))
    with k.otherwise():
        safe = Name(lapse.type, Interval(-0.0065, -0.0001), lapse.name)
        power = ops.pow(ratio, -(METERS_PER_KELVIN * lapse))
        k.set(found, bounded(warmth(here) / safe * (bounded(power, 0.0, 1e3) - 1.0), -1e5, 1e5))
    return heights(here) + found


def _classed(k: Builder, temperature: Expr) -> Expr:
    limits, level = (
        numbers(k, "alarm_limits", ((40, 70, 95), 1.0)),
        k.var("level", 0, type=I32, bounds=(0, 3)),
    )
    with k.loop("s", 0, 3) as s, k.when(temperature > limits(s)):
        k.set(level, bounded(s + 1, 0, 3))
    return level


gauge.table(
    ("divider_resistance", "resistance", "Resistance in a voltage divider, from the ADC code",
     lambda k, raw_code, series_resistance: (
        bounded(series_resistance / (4096.0 / convert(k.real, raw_code) - 1.0), 100.0, 1e6)
    ), {"source": "Horowitz and Hill 2015"}),
    ("thermistor_temperature", "temperature", "Thermistor temperature from a resistance table",
     lambda k, resistance: interpolated(k, "thermistor", *THERMISTOR, resistance),
     {"source": "IEC 60539", **BRANCHED}),
    ("thermocouple_temperature", "temperature", "Thermocouple temperature from a voltage table",
     lambda k, voltage, junction_temperature: (
         interpolated(k, "type_k", *TYPE_K, k.let("whole_voltage", voltage + 0.0403 * junction_temperature))
     ), {"source": "IEC 60584", **BRANCHED}),
    ("standard_altitude", "altitude", "Pressure altitude in the standard atmosphere", _standard_altitude,
     {"source": "ICAO 1993", "within": (-1e3, 1e5), **BRANCHED}),
    ("valve_flow", "flow", "Valve flow from an interpolated characteristic", lambda k, opening, drop: (
        9.0 * interpolated(k, "valve", *VALVE, opening) * ops.sqrt(drop)
    ), {"source": "IEC 60534", **BRANCHED}),
    ("temperature_alarm", "alarm_level", "Temperature alarm level", _classed, {**BRANCHED}),
)  # fmt: skip

account = Domain("account", index=("i", "a", "account"))
book = Terms(account)
book.quantity("income", 5000.0, 250000.0, least=0.0, most=1e7)
book.quantity("deduction", 0.0, 20000.0)
book.quantity("taxable_income", 5000.0, 250000.0, least=0.0, most=1e7, derived=True)
book.quantity("tax", 0.0, 80000.0, plural="taxes", most=1e7, additive=True)
book.quantity("tax_rate", 0.0, 0.4, most=1.0)
book.quantity("net_income", 5000.0, 200000.0, least=-1e7, most=1e7, additive=True)
book.quantity("balance", 100.0, 50000.0, least=0.0, most=1e7)
book.quantity("interest", 0.0, 2000.0, plural="interests", most=1e6, additive=True)
book.quantity("term", 0.3, 28.0)
book.quantity("zero_rate", 0.005, 0.05, least=0.0, most=0.5)
book.quantity("discount", 0.3, 1.0, least=0.05, most=1.0)
book.quantity("claim", 1000.0, 50000.0)
book.quantity("present_value", 500.0, 50000.0, least=0.0, most=1e7, additive=True)
book.settings(allowance=(1000.0, 10000.0))

BRACKETS: tuple[Table, Table] = ((0, 11000, 44725, 95375, 182100), 1.0), ((10, 12, 22, 24, 32), 0.01)
TIERS: tuple[Table, Table] = ((0, 1000, 10000, 25000), 1.0), ((10, 50, 120, 200), 0.0001)
CURVE: tuple[Table, Table] = (
    ((3, 6, 12, 24, 36, 60, 84, 120, 240, 360), 1.0 / 12.0),
    ((150, 170, 190, 220, 240, 280, 300, 320, 360, 370), 0.0001),
)
"""A yield curve: basis points by months."""


def _tiered(k: Builder, of: str, table: tuple[Table, Table], value: Expr) -> Expr:
    """Each part of a value at the rate of the bracket that it lies in."""
    starts, rates = numbers(k, f"{of}_starts", table[0]), numbers(k, f"{of}_rates", table[1])
    last, total = len(table[0][0]) - 1, k.var("total", 0.0)
    with k.loop("b", 0, last + 1) as b:
        part = k.var("part", bounded(ops.max(value - starts(b), 0.0), 0.0, 1e7), bounds=(0.0, 1e7))
        with k.when(b < last):
            k.set(part, ops.min(part, bounded(starts(b + 1) - starts(b), 0.0, 1e6)))
        k.add(total, rates(b) * part)
    return bounded(total, 0.0, 1e6)


def _marginal(k: Builder, taxable_income: Expr) -> Expr:
    starts, rates = numbers(k, "tax_starts", BRACKETS[0]), numbers(k, "tax_rates", BRACKETS[1])
    return rates(segment(k, starts, len(BRACKETS[0][0]), taxable_income))


book.table(
    ("taxable_part", "taxable_income", "Taxable income",
     lambda income, deduction, allowance: (
         bounded(ops.max(income - deduction - allowance, 0.0), 0.0, 1e7)
     ), {"goal": False}),
    ("bracket_tax", "tax", "Income tax by brackets", lambda k, taxable_income: (
        _tiered(k, "tax", BRACKETS, taxable_income)
    ), {"source": "IRS, Rev. Proc. 2022-38", **BRANCHED}),
    ("marginal_tax_rate", "tax_rate", "Marginal tax rate", _marginal,
     {**BRANCHED}),
    ("income_after_tax", "net_income", "Net income after tax", lambda income, tax: income - tax),
    ("tiered_interest", "interest", "Tiered interest", lambda k, balance: (
        _tiered(k, "interest", TIERS, balance)
    ), BRANCHED),
    ("curve_rate", "zero_rate", "Zero rate from an interpolated yield curve", lambda k, term: (
        interpolated(k, "curve", *CURVE, term)
    ), {"source": "Hull 2018", **BRANCHED}),
    ("continuous_discount", "discount", "Continuously compounded discount factor", lambda zero_rate, term: (
        ops.exp(-zero_rate * term)
    ), {"source": "Hull 2018", "within": (0.05, 1.0)}),
    ("discounted_claim", "present_value", "Present value of a claim",
     lambda claim, discount: claim * discount),
)  # fmt: skip

harbor = Domain("harbor", index=("i", "h", "harbor"))
water = Terms(harbor)
water.quantity("hour", 0.0, 48.0)
water.quantity("mean_level", 1.0, 4.0)
water.quantity("tide", -3.0, 3.0, extremal=True)
water.quantity("water_level", 0.0, 6.0, least=-10.0, most=20.0, extremal=True)
water.quantity("current", -1.0, 1.0, extremal=True, signed=True)
water.quantity("clearance", -2.0, 4.0, least=-50.0, most=50.0)
water.quantity("passable", 0, 1, whole, told="passable flag", plural="passable_flags", additive=True)
water.settings(draft=(1.0, 4.0), margin=(0.2, 0.6))
PERIODS = (12421, 12000, 12658, 23934, 25819, 11967), 0.001
"""The periods of M2, S2, N2, K1, O1 and K2, in thousandths of an hour."""


def _tidal(k: Builder, hour: Expr, wave: str) -> Expr:
    """The sum over the constituents, or what it changes by in an hour."""
    periods = numbers(k, "periods", PERIODS)
    heights = numbers(k, "amplitudes", ((120, 40, 25, 15, 10, 11), 0.01))
    delays = numbers(k, "delays", ((31, 47, 26, 79, 123, 45), 0.1))
    total = k.var("total", 0.0)
    with k.loop("c", 0, len(PERIODS[0])) as c:
        speed = k.let("speed", TWO_PI / bounded(periods(c), 10.0, 30.0))
        phase = k.let("phase", speed * (hour - delays(c)))
        k.add(total, heights(c) * (ops.cos(phase) if wave == "height" else -(speed * ops.sin(phase))))
    return bounded(total, -3.0, 3.0)


water.table(
    ("constituent_tide", "tide", "Tide height from its harmonic constituents",
     lambda k, hour: _tidal(k, hour, "height"),
     {"source": "Pugh 1987", **LOOPED}),
    ("tidal_current", "current", "Tidal current from the harmonic constituents",
     lambda k, hour: 0.5 * _tidal(k, hour, "rise"),
     {"source": "Pugh 1987", **LOOPED}),
    ("level_over_datum", "water_level", "Water level over the chart datum",
     lambda mean_level, tide: mean_level + tide,
     {"source": "Pugh 1987"}),
    ("keel_clearance", "clearance", "Clearance under the keel",
     lambda water_level, draft: water_level - draft,
     {"source": "PIANC 2014"}),
    ("passable_harbor", "passable", "Passable flag from the keel clearance", lambda k, clearance, margin: (
        ops.where(clearance > margin, lift(1, I32), lift(0, I32))
    )),
)  # fmt: skip
