"""Fluids as particles: smoothed particle hydrodynamics."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.constants import Known
from weft.kernels.domains.motion import (
    Acceleration,
    Dt,
    Masses,
    Position,
    Positions,
    Velocities,
    Velocity,
    each_neighbor,
    motion,
    position,
    turning,
    upwards,
    velocity,
    zero,
)
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.formulas import Domain, Quantity, Setting, space
from weft.kernels.intervals import Interval
from weft.kernels.program import Expr
from weft.types import Vector

fluid = Domain("particle", index=("i", "p", "particle"), formulas=[*motion.formulas])


density = Quantity("density", 0.6, 1.8, plural="densities")
pressure = Quantity("pressure", 0.0, 4.0)
temperature = Quantity("temperature", 0.2, 1.0)
pressure_force = Quantity("pressure_force", -5.0, 5.0, space)
viscosity_force = Quantity("viscosity_force", -5.0, 5.0, space)
vorticity = Quantity("vorticity", -2.0, 2.0, turning, plural="vorticities")
divergence = Quantity("divergence", -2.0, 2.0)
density_rate = Quantity("density_rate", -3.0, 3.0)
new_density = Quantity("new_density", 0.5, 2.0, plural="new_densities", updates=density, least=-1e5)
density_error = Quantity("density_error", -0.5, 0.5, extremal=True, signed=True)
multiplier = Quantity("multiplier", -0.5, 0.5)
correction = Quantity("position_correction", -0.2, 0.2, space)
corrected_position = Quantity("corrected_position", -1.0, 1.0, space, updates=position)
smoothed_velocity = Quantity(
    "smoothed_velocity", -2.0, 2.0, space, plural="smoothed_velocities", updates=velocity
)
viscosity = Quantity("viscosity", 0.05, 0.5, plural="viscosities")
sound_speed = Quantity("sound_speed", 0.5, 3.0, extremal=True)
volume = Quantity("volume", 0.05, 0.3, additive=True)

Density = Annotated[Expr, density]
Densities = Annotated[ArrayHandle, density]
Pressure = Annotated[Expr, pressure]
Pressures = Annotated[ArrayHandle, pressure]
Temperature = Annotated[Expr, temperature]
PressureForce = Annotated[Expr, pressure_force]
ViscosityForce = Annotated[Expr, viscosity_force]
Vorticity = Annotated[Expr, vorticity]
Divergence = Annotated[Expr, divergence]
DensityRate = Annotated[Expr, density_rate]
NewDensity = Annotated[Expr, new_density]
DensityError = Annotated[Expr, density_error]
Multiplier = Annotated[Expr, multiplier]
Multipliers = Annotated[ArrayHandle, multiplier]
Correction = Annotated[Expr, correction]
CorrectedPosition = Annotated[Expr, corrected_position]
SmoothedVelocity = Annotated[Expr, smoothed_velocity]
Viscosity = Annotated[Expr, viscosity]
SoundSpeed = Annotated[Expr, sound_speed]

Radius = Annotated[Expr, Setting(0.6, 1.2)]
Stiffness = Annotated[Expr, Setting(0.5, 3.0)]
RestDensity = Annotated[Expr, Setting(0.8, 1.2)]
Gravity = Annotated[Expr, Setting(5.0, 10.0)]
Share = Annotated[Expr, Setting(0.1, 0.6)]


@dataclasses.dataclass(frozen=True, eq=False)
class Smoothing:
    """A smoothing kernel of compact support: W(r) = factor / h^d f(r / h), by the share q = r / h.

    `factors` are those of the plane and of space, `slope` is f'(q), which is never positive.
    """

    name: str
    words: str
    source: str
    factors: tuple[Known, Known]
    value: Callable[[Builder, Expr], Expr]
    slope: Callable[[Builder, Expr], Expr]


def power(k: Builder, base: Expr, exponent: int) -> Expr:
    """A base to a small whole power, by multiplications."""
    square = base * base
    if exponent == 2:
        return square
    square = k.let("square", square)
    if exponent == 3:
        return square * base
    return square * square if exponent == 4 else square * square * base


def rest(k: Builder, q: Expr) -> Expr:
    """1 - q, under a name."""
    return bounded(k.let("one_minus_q", 1.0 - q), 0.0, 1.0)


def spline(k: Builder, q: Expr) -> Expr:
    """The cubic spline, in two pieces."""
    near = 6.0 * (q - 1.0) * q * q + 1.0
    far = rest(k, q)
    return ops.where(q < 0.5, near, 2.0 * far * far * far)


def spline_slope(k: Builder, q: Expr) -> Expr:
    """The derivative of the cubic spline."""
    far = rest(k, q)
    return ops.where(q < 0.5, (18.0 * q - 12.0) * q, -6.0 * far * far)


def norms(name: str, plane: float, space: float) -> tuple[Known, Known]:
    """What makes the integral of a smoothing kernel one, in the plane and in space."""
    return Known(f"{name}_NORM_2D", plane), Known(f"{name}_NORM_3D", space)


SMOOTHINGS = (
    Smoothing(
        "poly6",
        "the poly6 kernel",
        "Müller, Charypar and Gross 2003",
        norms("POLY6", 4.0 / math.pi, 315.0 / (64.0 * math.pi)),
        lambda k, q: power(k, k.let("one_minus_q2", 1.0 - q * q), 3),
        lambda k, q: -6.0 * q * power(k, k.let("one_minus_q2", 1.0 - q * q), 2),
    ),
    Smoothing(
        "spiky",
        "the spiky kernel",
        "Desbrun and Gascuel 1996",
        norms("SPIKY", 10.0 / math.pi, 15.0 / math.pi),
        lambda k, q: power(k, rest(k, q), 3),
        lambda k, q: -3.0 * power(k, rest(k, q), 2),
    ),
    Smoothing(
        "spline",
        "the cubic spline kernel",
        "Monaghan 1992",
        norms("SPLINE", 40.0 / (7.0 * math.pi), 8.0 / math.pi),
        spline,
        spline_slope,
    ),
    Smoothing(
        "wendland",
        "Wendland's C2 kernel",
        "Wendland 1995",
        norms("WENDLAND", 7.0 / math.pi, 21.0 / (2.0 * math.pi)),
        lambda k, q: power(k, rest(k, q), 4) * (4.0 * q + 1.0),
        lambda k, q: -20.0 * q * power(k, rest(k, q), 3),
    ),
)


def _function(k: Builder, one: Smoothing, kind: str) -> Callable[[Expr, Expr], Expr]:
    """A kernel's value or slope as a function of distance and radius, written out or called."""

    def body(k: Builder, distance: Expr, radius: Expr) -> Expr:
        q = bounded(k.let("q", ops.min(distance / radius, 1.0)), 0.0, 1.0)
        factor = one.factors[k.dimension - 2]
        volume = radius * radius if k.dimension == 2 else radius * radius * radius
        if kind == "value":
            return bounded(factor / volume * one.value(k, q), 0.0, 40.0)
        volume = volume * radius
        return bounded(factor / volume * one.slope(k, q), -300.0, 0.0)

    if not k.once("smoothing kernels are functions", lambda: k.rng.chance(0.5)):
        return lambda distance, radius: body(k, distance, radius)
    words = "Evaluate" if kind == "value" else "Return the derivative of"
    limits = (k.real, Interval(0.0, 100.0)), (k.real, Interval(0.5, 1.5))
    return k.function(
        f"{one.name}_{'weight' if kind == 'value' else 'slope'}",
        f"{words} {one.words} at a distance.",
        dict(zip(("distance", "radius"), limits, strict=True)),
        body,
    )


def smoothing(k: Builder, kind: str, one: Smoothing | None = None) -> Callable[[Expr, Expr], Expr]:
    """The weight (`value`) or `slope` of a smoothing kernel: of `one`, or of the program's own."""
    if one is None:
        one = k.once("smoothing kernel", lambda: k.rng.pick(*SMOOTHINGS))
        k.notes.append(f"Smoothing uses {one.words}")
    chosen = one
    return k.once(f"{one.name} {kind} in {k.name}", lambda: _function(k, chosen, kind))


def each_gradient(
    k: Builder,
    position: Expr,
    positions: ArrayHandle,
    radius: Expr,
    visit: Callable[[Expr, Expr, Expr], None],
) -> None:
    """Visit each neighbour with the offset from it and the gradient of the smoothing kernel there."""
    slope = smoothing(k, "slope")

    def at(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        distance = k.let("distance", ops.max(ops.length(offset), 1e-4))
        gradient = bounded(slope(distance, radius) / distance * offset, -300.0, 300.0)
        visit(j, offset, k.let("gradient", gradient))

    each_neighbor(k, at)


def each_weight(
    k: Builder, position: Expr, positions: ArrayHandle, radius: Expr, visit: Callable[[Expr, Expr], None]
) -> None:
    """Visit each neighbour with the weight that the smoothing kernel gives it."""
    weight = smoothing(k, "value")

    def at(j: Expr) -> None:
        distance = k.let("distance", ops.length(position - positions[j]))
        visit(j, k.let("weight", weight(distance, radius)))

    each_neighbor(k, at)


def _density(one: Smoothing) -> None:
    @fluid.formula(
        name=f"{one.name}_density",
        doc=f"SPH density with {one.words}. Each particle counts itself, too.",
        source=one.source,
    )
    def estimate(
        k: Builder, position: Position, positions: Positions, masses: Masses, smoothing_radius: Radius
    ) -> Density:
        (i,) = k.index
        radius = smoothing_radius
        volume = radius * radius if k.dimension == 2 else radius * radius * radius
        total = k.var("total", masses[i] * (one.factors[k.dimension - 2] / volume))
        weight = smoothing(k, "value", one)

        def visit(j: Expr) -> None:
            distance = k.let("distance", ops.length(position - positions[j]))
            k.add(total, masses[j] * weight(distance, radius))

        each_neighbor(k, visit)
        return bounded(total, 0.03, 100.0)


for _one in SMOOTHINGS:
    _density(_one)


@fluid.formula(source="Monaghan 1994")
def tait_pressure(k: Builder, density: Density, stiffness: Stiffness, rest_density: RestDensity) -> Pressure:
    """Tait equation of state. It is stiff, so that the fluid is nearly incompressible."""
    compression = k.let("compression", density / rest_density)
    cube = k.let("cube", compression * compression * compression)
    return bounded(ops.max(stiffness * (cube * cube * compression - 1.0), 0.0), 0.0, 1e5)


@fluid.formula(source="Müller, Charypar and Gross 2003")
def excess_pressure(
    k: Builder, density: Density, stiffness: Stiffness, rest_density: RestDensity
) -> Pressure:
    """Linear equation of state. There is no tension below the rest density."""
    return stiffness * ops.max(density - rest_density, 0.0)


@fluid.formula()
def ideal_gas_pressure(
    k: Builder, density: Density, temperature: Temperature, gas_constant: Annotated[Expr, Setting(0.3, 2.0)]
) -> Pressure:
    """Ideal gas pressure. It is the gas constant times density times temperature."""
    return gas_constant * density * temperature


@fluid.formula(source="Monaghan 1992")
def symmetric_pressure_force(
    k: Builder,
    position: Position,
    positions: Positions,
    density: Density,
    densities: Densities,
    pressure: Pressure,
    pressures: Pressures,
    masses: Masses,
    smoothing_radius: Radius,
) -> PressureForce:
    """Symmetric SPH pressure force. It is a force per volume, in the form that conserves momentum."""
    own = k.let("own_term", pressure / (density * density))
    total = k.var("pressure_sum", zero(k))

    def visit(j: Expr, _: Expr, gradient: Expr) -> None:
        other = k.let("other_term", pressures[j] / (densities[j] * densities[j]))
        k.add(total, masses[j] * (own + other) * gradient)

    each_gradient(k, position, positions, smoothing_radius, visit)
    return bounded(-density * total, -1e5, 1e5)


PRESSURE_TERMS: tuple[tuple[str, str, str, Callable[[Builder, Expr, Expr], Expr]], ...] = (
    (
        "mean_pressure_force",
        "SPH pressure force from mean pressures (Müller). Each neighbor contributes minus the mean of both"
        " pressures, times its volume (mass over density), times the gradient of the smoothing kernel",
        "Müller, Charypar and Gross 2003",
        lambda k, own, other: k.let("mean_pressure", 0.5 * (own + other)),
    ),
    (
        "difference_pressure_force",
        "SPH pressure force from pressure differences. Equal pressures give no force",
        "Monaghan 1992",
        lambda k, own, other: other - own,
    ),
)
"""Pressure forces by what each neighbor takes away along the gradient, from both pressures."""


def _pressure_force(name: str, how: str, source: str, term: Callable[[Builder, Expr, Expr], Expr]) -> None:
    @fluid.formula(name=name, doc=f"{how}.", source=source)
    def pressure_force(
        k: Builder,
        position: Position,
        positions: Positions,
        pressure: Pressure,
        pressures: Pressures,
        densities: Densities,
        masses: Masses,
        smoothing_radius: Radius,
    ) -> PressureForce:
        total = k.var("total", zero(k))

        def visit(j: Expr, _: Expr, gradient: Expr) -> None:
            k.add(total, term(k, pressure, pressures[j]) * masses[j] / densities[j] * gradient, "-")

        each_gradient(k, position, positions, smoothing_radius, visit)
        return bounded(total, -1e5, 1e5)


for _terms in PRESSURE_TERMS:
    _pressure_force(*_terms)


@fluid.formula(source="Müller, Charypar and Gross 2003")
def laplacian_viscosity(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    densities: Densities,
    masses: Masses,
    viscosity: Viscosity,
    smoothing_radius: Radius,
) -> ViscosityForce:
    """SPH viscosity force (Müller). It pulls velocities towards those of the neighbors."""
    total = k.var("velocity_sum", zero(k))

    def visit(j: Expr) -> None:
        distance = k.let("distance", ops.length(positions[j] - position))
        with k.when(distance < smoothing_radius):
            share = k.let("weight", masses[j] / densities[j] * (smoothing_radius - distance))
            k.add(total, share * (velocities[j] - velocity))

    each_neighbor(k, visit)
    return bounded(viscosity * total, -1e5, 1e5)


@fluid.formula(source="Monaghan and Gingold 1983")
def artificial_viscosity(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    density: Density,
    densities: Densities,
    masses: Masses,
    sound_speed: SoundSpeed,
    strength: Annotated[Expr, Setting(0.1, 1.0)],
    smoothing_radius: Radius,
) -> ViscosityForce:
    """Monaghan artificial viscosity. It acts on pairs that approach each other."""
    total = k.var("viscous_sum", zero(k))

    def visit(j: Expr, offset: Expr, gradient: Expr) -> None:
        approach = k.let("v_dot_r", ops.dot(velocity - velocities[j], offset))
        with k.when(approach < 0.0):
            square = ops.dot(offset, offset) + 0.01 * smoothing_radius * smoothing_radius
            rate = k.let("rate", smoothing_radius * approach / square)
            k.add(
                total, masses[j] * 2.0 * strength * sound_speed * rate / (density + densities[j]) * gradient
            )

    each_gradient(k, position, positions, smoothing_radius, visit)
    return bounded(density * total, -1e5, 1e5)


@fluid.formula(source="Monaghan 1992")
def velocity_divergence(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    densities: Densities,
    masses: Masses,
    smoothing_radius: Radius,
) -> Divergence:
    """SPH velocity divergence. A neighbor's volume is its mass over its density."""
    total = k.var("total", 0.0)

    def visit(j: Expr, _: Expr, gradient: Expr) -> None:
        k.add(total, masses[j] / densities[j] * ops.dot(velocities[j] - velocity, gradient))

    each_gradient(k, position, positions, smoothing_radius, visit)
    return bounded(total, -1e4, 1e4)


@fluid.formula(source="Monaghan 1994")
def summed_density_rate(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    masses: Masses,
    smoothing_radius: Radius,
) -> DensityRate:
    """SPH density rate from relative velocities. Neighbors that come closer raise the density."""
    total = k.var("total", 0.0)
    each_gradient(
        k,
        position,
        positions,
        smoothing_radius,
        lambda j, _, gradient: k.add(total, masses[j] * ops.dot(velocity - velocities[j], gradient)),
    )
    return bounded(total, -1e5, 1e5)


@fluid.formula(source="Shepard 1968")
def shepard_density(
    k: Builder,
    position: Position,
    positions: Positions,
    density: Density,
    densities: Densities,
    masses: Masses,
    smoothing_radius: Radius,
) -> NewDensity:
    """Shepard filter of the density. It divides by the sum of the kernel weights."""
    total, norm = k.var("mass_total", 0.0), k.var("norm", 0.0)

    def visit(j: Expr, weight: Expr) -> None:
        k.add(total, masses[j] * weight)
        k.add(norm, masses[j] / densities[j] * weight)

    each_weight(k, position, positions, smoothing_radius, visit)
    filtered = bounded(total / bounded(ops.max(norm, 1e-6), 1e-6, 1e4), 0.0, 1e4)
    return ops.where(norm > 1e-6, filtered, density)


@fluid.formula(source="Macklin and Müller 2013")
def density_constraint(k: Builder, density: Density, rest_density: RestDensity) -> DensityError:
    """Density constraint of position-based fluids. It is zero at the rest density."""
    return bounded(density / rest_density - 1.0, -1.0, 1e4)


@fluid.formula(source="Macklin and Müller 2013")
def density_multiplier(
    k: Builder,
    position: Position,
    positions: Positions,
    masses: Masses,
    density_error: DensityError,
    rest_density: RestDensity,
    relaxation: Annotated[Expr, Setting(0.1, 1.0)],
    smoothing_radius: Radius,
) -> Multiplier:
    """Constraint multiplier of position-based fluids. It scales the gradients of the density constraint."""
    own, squares = k.var("own_gradient", zero(k)), k.var("squares", 0.0)

    def visit(j: Expr, _: Expr, gradient: Expr) -> None:
        scaled = k.let("scaled", masses[j] / rest_density * gradient)
        k.add(own, scaled)
        k.add(squares, ops.dot(scaled, scaled))

    each_gradient(k, position, positions, smoothing_radius, visit)
    norm = bounded(squares + ops.dot(own, own), 0.0, 1e6)
    return bounded(-density_error / (norm + relaxation), -1e5, 1e5)


@fluid.formula(source="Macklin and Müller 2013")
def density_correction(
    k: Builder,
    position: Position,
    positions: Positions,
    multiplier: Multiplier,
    multipliers: Multipliers,
    masses: Masses,
    rest_density: RestDensity,
    smoothing_radius: Radius,
) -> Correction:
    """Position correction of position-based fluids. It moves particles along the gradients of their
    constraints.
    """
    total = k.var("correction_sum", zero(k))
    each_gradient(
        k,
        position,
        positions,
        smoothing_radius,
        lambda j, _, gradient: k.add(total, masses[j] * (multiplier + multipliers[j]) * gradient),
    )
    return bounded(total / rest_density, -1e4, 1e4)


@fluid.formula(source="Macklin and Müller 2013")
def position_based_velocity(
    k: Builder, corrected_position: CorrectedPosition, position: Position, dt: Dt
) -> SmoothedVelocity:
    """Velocity from the change of position. It is the change of position divided by dt."""
    return bounded((corrected_position - position) / dt, -1e4, 1e4)


@fluid.formula(source="Monaghan 1989")
def xsph_velocity(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    density: Density,
    densities: Densities,
    masses: Masses,
    blend: Share,
    smoothing_radius: Radius,
) -> SmoothedVelocity:
    """XSPH velocity smoothing. It mixes the velocity with the mean of the neighbors."""
    total = k.var("velocity_sum", zero(k))

    def visit(j: Expr, weight: Expr) -> None:
        mean = k.let("mean_density", 0.5 * (density + densities[j]))
        k.add(total, masses[j] / mean * weight * (velocities[j] - velocity))

    each_weight(k, position, positions, smoothing_radius, visit)
    return bounded(velocity + blend * total, -1e4, 1e4)


@fluid.formula(source="Monaghan 1992")
def velocity_curl(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    densities: Densities,
    masses: Masses,
    smoothing_radius: Radius,
) -> Vorticity:
    """SPH vorticity. A neighbor's volume is its mass over its density."""
    start = construct(Vector(3, k.real), 0.0, 0.0, 0.0) if k.dimension == 3 else 0.0
    total = k.var("total", start)

    def visit(j: Expr, _: Expr, gradient: Expr) -> None:
        change = k.let("change", velocities[j] - velocity)
        volume = masses[j] / densities[j]
        if k.dimension == 3:
            k.add(total, volume * ops.cross(gradient, change))
        else:
            k.add(total, volume * (gradient[0] * change[1] - gradient[1] * change[0]))

    each_gradient(k, position, positions, smoothing_radius, visit)
    return bounded(total, -1e4, 1e4)


@fluid.formula(source="Müller, Charypar and Gross 2003")
def fluid_acceleration(
    k: Builder,
    pressure_force: PressureForce,
    viscosity_force: ViscosityForce,
    density: Density,
    gravity: Gravity,
) -> Acceleration:
    """Acceleration under pressure, viscosity and gravity. Pressure and viscosity forces are per volume."""
    return bounded((pressure_force + viscosity_force) / density - upwards(k, gravity), -1e4, 1e4)


@fluid.formula(source="Cole 1948")
def tait_sound_speed(k: Builder, stiffness: Stiffness, density: Density) -> SoundSpeed:
    """Speed of sound in the Tait model. It follows from the stiffness and the density."""
    return bounded(ops.sqrt(7.0 * stiffness / density), 1e-3, 1e3)
