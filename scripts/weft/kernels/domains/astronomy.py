"""Astronomy: orbits by Kepler's equation, and the light of stars."""

from __future__ import annotations

from typing import Annotated

from weft.kernels.builder import Builder
from weft.kernels.constants import TWO_PI
from weft.kernels.expressions import bounded, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.program import Expr

orbit = Domain("orbit", index=("i", "orbit", "body"))

axis = Quantity("semi_major_axis", 0.5, 5.0)
eccentricity = Quantity("eccentricity", 0.02, 0.7, plural="eccentricities")
elapsed = Quantity("elapsed_time", 0.0, 3.0)
mean_anomaly = Quantity("mean_anomaly", 0.1, 6.1, plural="mean_anomalies", least=-200.0, most=200.0)
eccentric_anomaly = Quantity(
    "eccentric_anomaly", 0.1, 6.1, plural="eccentric_anomalies", least=-250.0, most=250.0
)
true_anomaly = Quantity("true_anomaly", 0.1, 6.1, plural="true_anomalies", least=-250.0, most=250.0)
distance = Quantity("distance", 0.3, 8.0, least=0.05, most=100.0)
speed = Quantity("orbital_speed", 0.3, 2.0, least=0.0, most=100.0)
period = Quantity("period", 2.0, 70.0, least=0.1, most=1e4)
balance_temperature = Quantity("balance_temperature", 80.0, 500.0, least=0.0, most=1e4)
plane_x = Quantity("plane_x", -5.0, 5.0, plural="plane_x_values", least=-1e3, most=1e3)
plane_y = Quantity("plane_y", -5.0, 5.0, plural="plane_y_values", least=-1e3, most=1e3)
angular_momentum = Quantity("angular_momentum", 0.5, 3.0, plural="angular_momenta", least=0.0, most=1e3)
phase = Quantity("phase", 0.0, 1.0)
zone = Quantity("zone", -1, 1, whole, least=-1, most=1)

Axis = Annotated[Expr, axis]
Eccentricity = Annotated[Expr, eccentricity]
Elapsed = Annotated[Expr, elapsed]
MeanAnomaly = Annotated[Expr, mean_anomaly]
EccentricAnomaly = Annotated[Expr, eccentric_anomaly]
TrueAnomaly = Annotated[Expr, true_anomaly]
Distance = Annotated[Expr, distance]
Period = Annotated[Expr, period]
CentralMass = Annotated[Expr, Setting(0.5, 2.0)]
VALLADO = "Vallado 2013"


@orbit.formula(source="Kepler 1619", goal=False)
def kepler_period(k: Builder, semi_major_axis: Axis, central_mass: CentralMass) -> Period:
    """Orbital period by Kepler's third law."""
    return bounded(TWO_PI * semi_major_axis * ops.sqrt(semi_major_axis / central_mass), 1.0, 200.0)


@orbit.formula(source=VALLADO, goal=False)
def period_anomaly(k: Builder, elapsed_time: Elapsed, period: Period) -> MeanAnomaly:
    """Mean anomaly from time and period."""
    return bounded(TWO_PI * elapsed_time / period, 0.0, 70.0)


@orbit.formula(source=VALLADO)
def wrapped_anomaly(
    k: Builder, elapsed_time: Elapsed, semi_major_axis: Axis, central_mass: CentralMass
) -> MeanAnomaly:
    """Mean anomaly, wrapped to one turn."""
    motion = ops.sqrt(central_mass / (semi_major_axis * semi_major_axis * semi_major_axis))
    turns = k.let("turns", motion * elapsed_time / TWO_PI)
    return bounded(TWO_PI * (turns - ops.floor(turns)), 0.0, 6.29)


@orbit.formula(source=VALLADO, teaches=("loop", "iteration"))
def kepler_newton(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    newton_steps: Annotated[Expr, Setting(3, 8, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by Newton's method."""
    guess = k.var("x", mean_anomaly + eccentricity * ops.sin(mean_anomaly), bounds=(-250.0, 250.0))
    with k.loop("_", 0, newton_steps):
        miss = k.let("residual", guess - eccentricity * ops.sin(guess) - mean_anomaly)
        k.set(guess, bounded(guess - miss / (1.0 - eccentricity * ops.cos(guess)), -250.0, 250.0))
    return guess


@orbit.formula(source="Danby 1987", teaches=("loop", "iteration"))
def kepler_halley(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    halley_steps: Annotated[Expr, Setting(2, 5, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by Halley's method."""
    guess = k.var("x", mean_anomaly + 0.85 * eccentricity, bounds=(-250.0, 250.0))
    with k.loop("_", 0, halley_steps):
        bend = k.let("bend", eccentricity * ops.sin(guess))
        miss = k.let("residual", guess - bend - mean_anomaly)
        slope = k.let("slope", 1.0 - eccentricity * ops.cos(guess))
        full = ops.max(slope - 0.5 * miss * bend / slope, 0.1)
        k.set(guess, bounded(guess - miss / full, -250.0, 250.0))
    return guess


@orbit.formula(source="Kepler 1609", teaches=("loop", "iteration"))
def kepler_fixed_point(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    rounds: Annotated[Expr, Setting(4, 12, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by fixed-point iteration."""
    guess = k.var("x", mean_anomaly, bounds=(-250.0, 250.0))
    with k.loop("_", 0, rounds):
        k.set(guess, bounded(mean_anomaly + eccentricity * ops.sin(guess), -250.0, 250.0))
    return guess


@orbit.formula(source="Meeus 1998", teaches=("loop", "iteration", "branch"))
def kepler_bisection(
    k: Builder,
    mean_anomaly: MeanAnomaly,
    eccentricity: Eccentricity,
    halvings: Annotated[Expr, Setting(8, 14, kind=whole)],
) -> EccentricAnomaly:
    """Eccentric anomaly from Kepler's equation, by bisection."""
    low = k.var("low", mean_anomaly - 1.0, bounds=(-250.0, 250.0))
    high = k.var("high", mean_anomaly + 1.0, bounds=(-250.0, 250.0))
    with k.loop("_", 0, halvings):
        middle = k.let("mid", bounded(0.5 * (low + high), -250.0, 250.0))
        with k.when(middle - eccentricity * ops.sin(middle) < mean_anomaly):
            k.set(low, middle)
        with k.otherwise():
            k.set(high, middle)
    return bounded(0.5 * (low + high), -250.0, 250.0)


@orbit.formula(source="Murray and Dermott 1999")
def kepler_series(k: Builder, mean_anomaly: MeanAnomaly, eccentricity: Eccentricity) -> EccentricAnomaly:
    """Series solution of Kepler's equation in the eccentricity."""
    square = k.let("square", eccentricity * eccentricity)
    first = (eccentricity - square * eccentricity / 8.0) * ops.sin(mean_anomaly)
    return bounded(
        mean_anomaly + first + 0.5 * square * ops.sin(2.0 * mean_anomaly)
        + 0.375 * square * eccentricity * ops.sin(3.0 * mean_anomaly),
        -250.0, 250.0,
    )  # fmt: skip


@orbit.formula(source=VALLADO)
def half_angle_anomaly(
    k: Builder, eccentric_anomaly: EccentricAnomaly, eccentricity: Eccentricity
) -> TrueAnomaly:
    """True anomaly from the eccentric anomaly."""
    half = k.let("half", 0.5 * eccentric_anomaly)
    upper = ops.sqrt(1.0 + eccentricity) * ops.sin(half)
    return bounded(2.0 * ops.atan2(upper, ops.sqrt(1.0 - eccentricity) * ops.cos(half)), -6.4, 6.4)


@orbit.formula(source="Murray and Dermott 1999")
def center_anomaly(k: Builder, mean_anomaly: MeanAnomaly, eccentricity: Eccentricity) -> TrueAnomaly:
    """True anomaly by the equation of the center."""
    square = k.let("square", eccentricity * eccentricity)
    first = (2.0 * eccentricity - 0.25 * square * eccentricity) * ops.sin(mean_anomaly)
    return bounded(mean_anomaly + first + 1.25 * square * ops.sin(2.0 * mean_anomaly), -250.0, 250.0)


@orbit.formula(source=VALLADO)
def conic_distance(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, true_anomaly: TrueAnomaly
) -> Distance:
    """Orbital radius from the true anomaly."""
    parameter = semi_major_axis * (1.0 - eccentricity * eccentricity)
    return bounded(parameter / ops.max(1.0 + eccentricity * ops.cos(true_anomaly), 0.1), 0.1, 9.0)


@orbit.formula(source=VALLADO)
def eccentric_distance(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Distance:
    """Orbital radius from the eccentric anomaly."""
    return bounded(semi_major_axis * (1.0 - eccentricity * ops.cos(eccentric_anomaly)), 0.1, 9.0)


@orbit.formula(source=VALLADO)
def plane_abscissa(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Annotated[Expr, plane_x]:
    """Orbital-plane x coordinate."""
    return semi_major_axis * (ops.cos(eccentric_anomaly) - eccentricity)


@orbit.formula(source=VALLADO)
def plane_ordinate(
    k: Builder, semi_major_axis: Axis, eccentricity: Eccentricity, eccentric_anomaly: EccentricAnomaly
) -> Annotated[Expr, plane_y]:
    """Orbital-plane y coordinate."""
    return semi_major_axis * ops.sqrt(1.0 - eccentricity * eccentricity) * ops.sin(eccentric_anomaly)


@orbit.formula(source="Newton 1687")
def vis_viva(
    k: Builder, distance: Distance, semi_major_axis: Axis, central_mass: CentralMass
) -> Annotated[Expr, speed]:
    """Orbital speed by the vis-viva equation."""
    square = central_mass * (2.0 / distance - 1.0 / semi_major_axis)
    return bounded(ops.sqrt(ops.max(square, 0.0)), 0.0, 30.0)
