"""Fluids as particles: smoothed particle hydrodynamics, and the motion of its particles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.formulas import Domain, Quantity, Setting, space
from weft.kernels.idioms.pairs import zero
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

fluid = Domain("particle", index=("i", "p", "particle"))

position = Quantity("position", -1.0, 1.0, space)
velocity = Quantity("velocity", -2.0, 2.0, space)
mass = Quantity("mass", 0.5, 1.5, plural="masses")
density = Quantity("density", 0.6, 1.8, plural="densities")
pressure = Quantity("pressure", 0.0, 4.0)
acceleration = Quantity("acceleration", -5.0, 5.0, space)
new_velocity = Quantity("new_velocity", -3.0, 3.0, space, plural="new_velocities", updates=velocity)
new_position = Quantity("new_position", -2.0, 2.0, space, updates=position)
speed = Quantity("speed", 0.0, 4.0, extremal=True)
kinetic_energy = Quantity("kinetic_energy", 0.0, 6.0, plural="kinetic_energies", additive=True)
temperature = Quantity("temperature", 0.2, 1.0)
viscosity_force = Quantity("viscosity_force", -5.0, 5.0, space)
pressure_force = Quantity("pressure_force", -5.0, 5.0, space)
sound_speed = Quantity("sound_speed", 0.5, 3.0)
time_step = Quantity("time_step", 0.001, 0.1)

Position = Annotated[Expr, position]
Positions = Annotated[ArrayHandle, position]
Velocity = Annotated[Expr, velocity]
Velocities = Annotated[ArrayHandle, velocity]
Mass = Annotated[Expr, mass]
Masses = Annotated[ArrayHandle, mass]
Density = Annotated[Expr, density]
Densities = Annotated[ArrayHandle, density]
Pressure = Annotated[Expr, pressure]
Pressures = Annotated[ArrayHandle, pressure]
Acceleration = Annotated[Expr, acceleration]
NewVelocity = Annotated[Expr, new_velocity]
NewPosition = Annotated[Expr, new_position]
Speed = Annotated[Expr, speed]
KineticEnergy = Annotated[Expr, kinetic_energy]
Temperature = Annotated[Expr, temperature]
ViscosityForce = Annotated[Expr, viscosity_force]
PressureForce = Annotated[Expr, pressure_force]
SoundSpeed = Annotated[Expr, sound_speed]
TimeStep = Annotated[Expr, time_step]

Radius = Annotated[Expr, Setting(0.6, 1.2)]
Dt = Annotated[Expr, Setting(0.001, 0.05, "p")]
Stiffness = Annotated[Expr, Setting(0.5, 3.0)]
RestDensity = Annotated[Expr, Setting(0.8, 1.2)]
Viscosity = Annotated[Expr, Setting(0.05, 0.5)]


def each_neighbor(k: Builder, visit: Callable[[Expr], None]) -> None:
    """Visit the neighbours that a list of every particle has; it ends with -1, or has a length."""
    (i,) = k.index
    k.sizes["max_neighbors"] = k.once("max_neighbors", lambda: k.rng.pick("8", "12", "16"))
    counted = k.once("neighbor lists have a length", lambda: k.rng.chance(0.5))
    recipe = {"integers": [0 if counted else -1, "n"]}
    lists = k.input("neighbors", I32, ["n", "max_neighbors"], recipe)
    if counted:
        counts = k.input("neighbor_counts", I32, ["n"], {"integers": [0, "max_neighbors"]})
        with k.loop("slot", 0, counts[i]) as slot:
            visit(k.let("j", lists[i, slot]))
        return
    with k.loop("slot", 0, k.size("max_neighbors", "max_neighbors")) as slot:
        j = k.let("j", lists[i, slot])
        with k.when(j < 0):
            k.jump("break")
        visit(j)


def poly6(k: Builder, square: Expr, radius: Expr) -> Expr:
    """(h² - r²)³, up to its factor; zero beyond the radius (Müller et al. 2003)."""
    gap = ops.max(radius * radius - square, 0.0)
    gap = k.let("gap", gap)
    return gap * gap * gap


def spiky_slope(k: Builder, distance: Expr, radius: Expr) -> Expr:
    """(h - r)², the slope of the spiky kernel up to its factor."""
    gap = k.let("gap", ops.max(radius - distance, 0.0))
    return gap * gap


@fluid.formula(source="Müller, Charypar and Gross 2003")
def poly6_density(
    k: Builder, position: Position, positions: Positions, masses: Masses, smoothing_radius: Radius
) -> Density:
    """Estimate the density of each particle from its neighbors' masses under the poly6 kernel."""
    (i,) = k.index
    total = k.var("total", masses[i] * 0.5)

    def visit(j: Expr) -> None:
        offset = k.let("offset", positions[j] - position)
        k.add(total, masses[j] * poly6(k, ops.dot(offset, offset), smoothing_radius))

    each_neighbor(k, visit)
    return bounded(total, 0.2, 100.0)


@fluid.formula(source="Monaghan 1994")
def tait_pressure(k: Builder, density: Density, stiffness: Stiffness, rest_density: RestDensity) -> Pressure:
    """Compute the pressure of each particle by Tait's equation of state."""
    compression = k.let("compression", density / rest_density)
    square = k.let("square", compression * compression)
    return bounded(ops.max(stiffness * (square * square * square * compression - 1.0), 0.0), 0.0, 1e4)


@fluid.formula(source="Müller, Charypar and Gross 2003")
def excess_pressure(
    k: Builder, density: Density, stiffness: Stiffness, rest_density: RestDensity
) -> Pressure:
    """Compute the pressure of each particle from the excess over the rest density."""
    return stiffness * ops.max(density - rest_density, 0.0)


@fluid.formula()
def ideal_gas_pressure(
    k: Builder, density: Density, temperature: Temperature, gas_constant: Annotated[Expr, Setting(0.3, 2.0)]
) -> Pressure:
    """Compute the pressure of each particle as that of an ideal gas."""
    return gas_constant * density * temperature


@fluid.formula(source="Monaghan 1992")
def symmetric_pressure_force(
    k: Builder,
    position: Position,
    positions: Positions,
    pressure: Pressure,
    pressures: Pressures,
    densities: Densities,
    masses: Masses,
    smoothing_radius: Radius,
) -> PressureForce:
    """Sum the pressure force of each particle symmetrically, so that momentum is conserved."""
    (i,) = k.index
    own = k.let("own_term", pressure / (densities[i] * densities[i]))
    total = k.var("total", zero(Vector(k.dimension, k.real)))

    def visit(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        distance = k.let("distance", ops.max(ops.length(offset), 1e-3))
        other = k.let("other_term", pressures[j] / (densities[j] * densities[j]))
        slope = spiky_slope(k, distance, smoothing_radius)
        k.add(total, masses[j] * (own + other) * slope / distance * offset)

    each_neighbor(k, visit)
    return bounded(total, -1e4, 1e4)


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
    """Sum the viscosity force of each particle from the neighbors' relative velocities."""
    total = k.var("total", zero(Vector(k.dimension, k.real)))

    def visit(j: Expr) -> None:
        distance = k.let("distance", ops.length(positions[j] - position))
        with k.when(distance < smoothing_radius):
            weight = k.let("weight", masses[j] / densities[j] * (smoothing_radius - distance))
            k.add(total, weight * (velocities[j] - velocity))

    each_neighbor(k, visit)
    return bounded(viscosity * total, -1e4, 1e4)


@fluid.formula()
def fluid_acceleration(
    k: Builder,
    pressure_force: PressureForce,
    viscosity_force: ViscosityForce,
    density: Density,
    gravity: Annotated[Expr, Setting(5.0, 10.0)],
) -> Acceleration:
    """Compute the acceleration of each particle under pressure, viscosity and gravity."""
    down = construct(
        Vector(k.dimension, k.real), *(gravity if one == 1 else 0.0 for one in range(k.dimension))
    )
    return bounded((pressure_force + viscosity_force) / density - down, -1e4, 1e4)


@fluid.formula()
def euler_velocity(k: Builder, velocity: Velocity, acceleration: Acceleration, dt: Dt) -> NewVelocity:
    """Advance the velocity of each particle by one explicit Euler step."""
    return bounded(velocity + dt * acceleration, -1e3, 1e3)


@fluid.formula()
def damped_velocity(
    k: Builder,
    velocity: Velocity,
    acceleration: Acceleration,
    damping: Annotated[Expr, Setting(0.1, 2.0)],
    dt: Dt,
) -> NewVelocity:
    """Advance the velocity of each particle by one step with linear drag taken implicitly."""
    return bounded((velocity + dt * acceleration) / (1.0 + damping * dt), -1e3, 1e3)


@fluid.formula()
def symplectic_position(k: Builder, position: Position, new_velocity: NewVelocity, dt: Dt) -> NewPosition:
    """Advance the position of each particle with the new velocity."""
    return position + dt * new_velocity


@fluid.formula()
def particle_speed(k: Builder, velocity: Velocity) -> Speed:
    """Compute the speed of each particle as the length of the velocity."""
    return ops.length(velocity)


@fluid.formula()
def particle_kinetic_energy(k: Builder, mass: Mass, velocity: Velocity) -> KineticEnergy:
    """Compute the kinetic energy of each particle."""
    return 0.5 * mass * ops.dot(velocity, velocity)


@fluid.formula()
def speed_of_sound(k: Builder, stiffness: Stiffness, density: Density) -> SoundSpeed:
    """Compute the speed of sound of each particle from stiffness and density."""
    return bounded(ops.sqrt(7.0 * stiffness / density), 1e-3, 1e3)


@fluid.formula()
def courant_step(
    k: Builder,
    speed: Speed,
    sound_speed: SoundSpeed,
    smoothing_radius: Radius,
    courant_number: Annotated[Expr, Setting(0.2, 0.5)],
) -> TimeStep:
    """Find the time step of each particle that the Courant condition allows."""
    return courant_number * smoothing_radius / (sound_speed + speed)
