"""Particles in motion: time steps, walls, speeds and energies, which several domains of particles have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.along import slots
from weft.kernels.expressions import bounded, construct, ops
from weft.kernels.formulas import Domain, Quantity, Setting, space
from weft.kernels.program import Expr, Number
from weft.kernels.types import I32
from weft.types import Type, Vector

motion = Domain("particle", index=("i", "p", "particle"))

position = Quantity("position", -1.0, 1.0, space)
previous_position = Quantity("previous_position", -1.0, 1.0, space)
velocity = Quantity("velocity", -2.0, 2.0, space)
mass = Quantity("mass", 0.2, 0.5, plural="masses")
acceleration = Quantity("acceleration", -5.0, 5.0, space)
previous_acceleration = Quantity("previous_acceleration", -5.0, 5.0, space)
new_velocity = Quantity("new_velocity", -3.0, 3.0, space, plural="new_velocities", updates=velocity)
new_position = Quantity("new_position", -2.0, 2.0, space, updates=position)
contained_position = Quantity("contained_position", -2.0, 2.0, space, updates=position)
rebound_velocity = Quantity(
    "rebound_velocity", -3.0, 3.0, space, plural="rebound_velocities", updates=velocity
)
speed = Quantity("speed", 0.0, 4.0, extremal=True)
momentum = Quantity("momentum", -3.0, 3.0, space)
kinetic_energy = Quantity("kinetic_energy", 0.0, 6.0, additive=True)
potential_energy = Quantity("potential_energy", -6.0, 6.0, additive=True)
wall_distance = Quantity("wall_distance", -1.0, 2.0)

Position = Annotated[Expr, position]
Positions = Annotated[ArrayHandle, position]
PreviousPosition = Annotated[Expr, previous_position]
Velocity = Annotated[Expr, velocity]
Velocities = Annotated[ArrayHandle, velocity]
Mass = Annotated[Expr, mass]
Masses = Annotated[ArrayHandle, mass]
Acceleration = Annotated[Expr, acceleration]
PreviousAcceleration = Annotated[Expr, previous_acceleration]
NewVelocity = Annotated[Expr, new_velocity]
NewPosition = Annotated[Expr, new_position]
ContainedPosition = Annotated[Expr, contained_position]
ReboundVelocity = Annotated[Expr, rebound_velocity]
Speed = Annotated[Expr, speed]
KineticEnergy = Annotated[Expr, kinetic_energy]
PotentialEnergy = Annotated[Expr, potential_energy]
WallDistance = Annotated[Expr, wall_distance]

Dt = Annotated[Expr, Setting(0.001, 0.05, "p")]
Damping = Annotated[Expr, Setting(0.1, 2.0)]
HalfWidth = Annotated[Expr, Setting(0.4, 0.8)]
Restitution = Annotated[Expr, Setting(0.3, 0.9)]
Direction = Annotated[Expr, Setting(0.2, 1.0, "p", space)]


def zero(k: Builder) -> Expr:
    """The vector of zeros in the kernel's plane or space."""
    return construct(Vector(k.dimension, k.real), *[0.0] * k.dimension)


def turning(k: Builder) -> Type:
    """A curl or an axis: a number in the plane, a vector in space."""
    return Vector(3, k.real) if k.dimension == 3 else k.real


def turned(k: Builder, arm: Expr, axis: Expr) -> Expr:
    """The cross product of a vector and an axis."""
    if k.dimension == 3:
        return ops.cross(arm, axis)
    return axis * construct(Vector(2, k.real), arm[1], -arm[0])


def upwards(k: Builder, height: Expr | Number) -> Expr:
    """A vector along the second axis."""
    return construct(
        Vector(k.dimension, k.real), *(height if axis == 1 else 0.0 for axis in range(k.dimension))
    )


def each_neighbor(k: Builder, visit: Callable[[Expr], None]) -> None:
    """Visit the neighbours that a list of every particle has; it ends with -1, or has a length."""
    (i,) = k.index
    k.sizes["max_neighbors"] = k.once("max_neighbors", lambda: k.rng.pick("8", "12", "16"))
    counted = k.once("neighbor lists have a length", lambda: k.rng.chance(0.5))
    slot_name, name = k.once("neighbor", lambda: k.rng.pick(("slot", "j"), ("slot", "neighbor"), ("s", "j")))
    recipe = {"integers": [0 if counted else -1, "n"]}
    lists = slots(k, "neighbors", I32, "max_neighbors", recipe)
    lists.tell(k, "neighbor", "particle", "neighbor_counts" if counted else None)
    if counted:
        counts = k.input("neighbor_counts", I32, ["n"], {"integers": [0, "max_neighbors"]})
        with k.loop(slot_name, 0, counts[i]) as slot:
            visit(k.let(name, lists[i, slot]))
        return
    with k.loop(slot_name, 0, k.size("max_neighbors", "max_neighbors")) as slot:
        j = k.let(name, lists[i, slot])
        with k.when(j < 0):
            k.jump("break")
        visit(j)


@motion.formula()
def euler_velocity(k: Builder, velocity: Velocity, acceleration: Acceleration, dt: Dt) -> NewVelocity:
    """Explicit Euler velocity update. It adds dt times the acceleration."""
    return bounded(velocity + dt * acceleration, -1e3, 1e3)


@motion.formula()
def damped_velocity(
    k: Builder, velocity: Velocity, acceleration: Acceleration, damping: Damping, dt: Dt
) -> NewVelocity:
    """Update velocities with implicit linear drag. Dividing by 1 + damping dt keeps the drag stable for any
    time step.
    """
    return bounded((velocity + dt * acceleration) / (1.0 + damping * dt), -1e3, 1e3)


@motion.formula()
def exponentially_damped_velocity(
    k: Builder, velocity: Velocity, acceleration: Acceleration, damping: Damping, dt: Dt
) -> NewVelocity:
    """Update velocities with exponential damping. Velocities shrink by exp(-damping dt)."""
    return bounded((velocity + dt * acceleration) * ops.exp(-damping * dt), -1e3, 1e3)


@motion.formula(source="Swope et al. 1982, velocity Verlet")
def verlet_velocity(
    k: Builder,
    velocity: Velocity,
    previous_acceleration: PreviousAcceleration,
    acceleration: Acceleration,
    dt: Dt,
) -> NewVelocity:
    """Velocity Verlet update. It finishes a step, in which the positions have moved already, with the mean of
    the accelerations before and after.
    """
    return bounded(velocity + 0.5 * dt * (previous_acceleration + acceleration), -1e3, 1e3)


@motion.formula()
def symplectic_position(k: Builder, position: Position, new_velocity: NewVelocity, dt: Dt) -> NewPosition:
    """Symplectic Euler position update. It uses the new velocity."""
    return position + dt * new_velocity


@motion.formula()
def midpoint_position(
    k: Builder, position: Position, velocity: Velocity, new_velocity: NewVelocity, dt: Dt
) -> NewPosition:
    """Trapezoidal position update. It moves by the mean of the old and the new velocity."""
    return position + 0.5 * dt * (velocity + new_velocity)


@motion.formula(source="Verlet 1967")
def verlet_position(
    k: Builder, position: Position, previous_position: PreviousPosition, acceleration: Acceleration, dt: Dt
) -> NewPosition:
    """Position Verlet update. It needs the last two positions, and no velocity."""
    return bounded(2.0 * position - previous_position + dt * dt * acceleration, -1e3, 1e3)


def by_axis(k: Builder, value: Callable[[int], Expr]) -> Expr:
    """A vector of the kernel's plane or space from its components."""
    return construct(Vector(k.dimension, k.real), *(value(axis) for axis in range(k.dimension)))


@motion.formula()
def clamped_position(k: Builder, new_position: NewPosition, half_width: HalfWidth) -> ContainedPosition:
    """Clamp positions to a box. The box reaches from -half_width to half_width."""
    return by_axis(k, lambda axis: ops.clamp(new_position[axis], -half_width, half_width))


@motion.formula()
def periodic_position(
    k: Builder, new_position: NewPosition, box_size: Annotated[Expr, Setting(1.2, 2.0)]
) -> ContainedPosition:
    """Wrap positions into the periodic box. The box begins at the origin."""
    return bounded(
        by_axis(k, lambda axis: new_position[axis] - box_size * ops.floor(new_position[axis] / box_size)),
        -0.1,
        2.1,
    )


@motion.formula()
def mirrored_position(k: Builder, new_position: NewPosition, half_width: HalfWidth) -> ContainedPosition:
    """Reflect positions at the walls of a box. The box reaches from -half_width to half_width."""
    place = k.var("reflected", new_position)
    with k.loop("axis", 0, k.dimension) as axis:
        with k.when(place[axis] > half_width):
            k.set(place[axis], 2.0 * half_width - place[axis])
        with k.orwhen(place[axis] < -half_width):
            k.set(place[axis], -2.0 * half_width - place[axis])
    return bounded(place, -1e3, 1e3)


@motion.formula()
def box_rebound(
    k: Builder,
    new_position: NewPosition,
    new_velocity: NewVelocity,
    half_width: HalfWidth,
    restitution: Restitution,
) -> ReboundVelocity:
    """Bounce off the walls of a box. The velocity turns around at each wall that it runs into."""
    after = k.var("after", new_velocity)
    with k.loop("axis", 0, k.dimension) as axis:
        outward = k.let("outward", new_position[axis] * new_velocity[axis])
        with k.when((ops.abs(new_position[axis]) > half_width) & (outward > 0.0)):
            k.set(after[axis], -restitution * new_velocity[axis])
    return bounded(after, -1e3, 1e3)


@motion.formula()
def plane_distance(
    k: Builder, new_position: NewPosition, direction: Direction, level: Annotated[Expr, Setting(-0.3, 0.3)]
) -> WallDistance:
    """Signed distance from a plane. It is positive on the side that the normal points to."""
    return bounded(ops.dot(new_position, ops.normalize(direction)) - level, -1e4, 1e4)


@motion.formula()
def plane_rebound(
    k: Builder,
    new_velocity: NewVelocity,
    wall_distance: WallDistance,
    direction: Direction,
    restitution: Restitution,
    friction: Annotated[Expr, Setting(0.05, 0.5)],
) -> ReboundVelocity:
    """Bounce off a plane with restitution and friction. Particles behind the plane that move away from it
    turn back. The restitution scales the normal velocity, and the friction is the share of the tangential
    velocity that is lost.
    """
    normal = k.let("normal", ops.normalize(direction))
    approach = k.let("normal_speed", ops.dot(new_velocity, normal))
    after = k.var("after", new_velocity)
    with k.when((wall_distance < 0.0) & (approach < 0.0)):
        tangential = k.let("tangential", new_velocity - approach * normal)
        k.set(after, (1.0 - friction) * tangential - restitution * approach * normal)
    return bounded(after, -1e4, 1e4)


@motion.formula()
def particle_speed(k: Builder, velocity: Velocity) -> Speed:
    """Speed. It is the length of the velocity."""
    return ops.length(velocity)


@motion.formula()
def particle_kinetic_energy(k: Builder, mass: Mass, velocity: Velocity) -> KineticEnergy:
    """Kinetic energy. It is half the mass times the squared speed."""
    return 0.5 * mass * ops.dot(velocity, velocity)
