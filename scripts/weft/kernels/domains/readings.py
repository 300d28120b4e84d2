"""Readings of probes, which tables turn into temperatures and flows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.kernels.builder import Builder
from weft.kernels.domains.terms import Terms
from weft.kernels.expressions import bounded, convert, ops
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
gauge.quantity("flow", 0.0, 9.0, least=0.0, most=100.0)
gauge.quantity("opening", 0.0, 1.0)
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
VALVE: tuple[Table, Table] = (
    ((0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100), 0.01), ((2, 5, 8, 11, 16, 22, 32, 45, 64, 83, 100), 0.01)
)  # fmt: skip
"""Equal percentage flow of a valve, by its opening, both in percent."""


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
    ("valve_flow", "flow", "Valve flow from an interpolated characteristic", lambda k, opening, drop: (
        9.0 * interpolated(k, "valve", *VALVE, opening) * ops.sqrt(drop)
    ), {"source": "IEC 60534", **BRANCHED}),
)  # fmt: skip
