"""Particles that attract, repel, collide, flock, drift in fields, and meet grids."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.composition import Composition, elements
from weft.kernels.constants import PI, Known
from weft.kernels.domains.motion import (
    Acceleration,
    Dt,
    Mass,
    NewPosition,
    NewVelocity,
    Position,
    Positions,
    PotentialEnergy,
    Velocities,
    Velocity,
    each_neighbor,
    kinetic_energy,
    mass,
    momentum,
    motion,
    position,
    potential_energy,
    turned,
    turning,
    upwards,
    zero,
)
from weft.kernels.expressions import bounded, construct, convert, ops, random_number
from weft.kernels.formulas import Argument, Domain, Quantity, Setting, space, whole
from weft.kernels.program import Expr
from weft.kernels.telling import models, with_models
from weft.kernels.types import F32, I32
from weft.kernels.words import lowered, plural
from weft.types import Type, Vector

particles = Domain("particle", index=("i", "p", "particle"), formulas=[*motion.formulas])

charge = Quantity("charge", -1.0, 1.0)
radius = Quantity("radius", 0.1, 0.3, plural="radii")
force = Quantity("force", -3.0, 3.0, space)
drag_force = Quantity("drag_force", -1.0, 1.0, space)
net_force = Quantity("net_force", -3.0, 3.0, space)
virial = Quantity("virial", -3.0, 3.0, additive=True)
potential = Quantity("potential", -1.0, 1.0)
electric_field = Quantity("electric_field", -1.0, 1.0, space)
magnetic_field = Quantity("magnetic_field", 0.2, 1.5, turning, least=-1e5)
flow_velocity = Quantity("flow_velocity", -1.0, 1.0, space, plural="flow_velocities")
drift = Quantity("drift_velocity", -1.0, 1.0, space, plural="drift_velocities")
reynolds = Quantity("reynolds_number", 0.1, 2000.0, least=0.0)
separation = Quantity("separation", -2.0, 2.0, space)
alignment = Quantity("alignment", -2.0, 2.0, space)
cohesion = Quantity("cohesion", -2.0, 2.0, space)
steering = Quantity("steering", -2.0, 2.0, space)
cell = Quantity("cell", 0, 255, whole)
nearest = Quantity("nearest_neighbor", 0, 100, whole, least=-1.0)

Charge = Annotated[Expr, charge]
Charges = Annotated[ArrayHandle, charge]
ParticleRadius = Annotated[Expr, radius]
Force = Annotated[Expr, force]
DragForce = Annotated[Expr, drag_force]
NetForce = Annotated[Expr, net_force]
Virial = Annotated[Expr, virial]
Potential = Annotated[Expr, potential]
ElectricField = Annotated[Expr, electric_field]
MagneticField = Annotated[Expr, magnetic_field]
FlowVelocity = Annotated[Expr, flow_velocity]
Reynolds = Annotated[Expr, reynolds]
Separation = Annotated[Expr, separation]
Alignment = Annotated[Expr, alignment]
Cohesion = Annotated[Expr, cohesion]
Steering = Annotated[Expr, steering]
Cell = Annotated[Expr, cell]
Nearest = Annotated[Expr, nearest]

Cutoff = Annotated[Expr, Setting(0.6, 1.0)]
WellDepth = Annotated[Expr, Setting(0.3, 1.5)]
Diameter = Annotated[Expr, Setting(0.15, 0.3)]
Strength = Annotated[Expr, Setting(0.2, 2.0)]
Length = Annotated[Expr, Setting(0.2, 0.8)]
Rate = Annotated[Expr, Setting(2.0, 5.0)]
Thermal = Annotated[Expr, Setting(0.2, 1.5)]
Seed = Annotated[Expr, Setting(1, 1000, "p", whole)]
Origin = Annotated[Expr, Setting(-1.2, -1.0, "p", space)]
PerUnit = Annotated[Expr, Setting(4.0, 8.0)]
Softening = Annotated[Expr, Setting(0.05, 0.2)]
DragRate = Annotated[Expr, Setting(0.2, 2.0)]
Range = Annotated[Expr, Setting(0.4, 1.0)]
Fluidity = Annotated[Expr, Setting(0.05, 0.5)]

Law = Callable[..., Expr]


@dataclasses.dataclass(frozen=True, eq=False)
class PairLaw:
    """How two particles act on each other at a distance.

    `force` is positive where they repel; it and `energy` take the builder, the distance and the settings.
    So does `virial`, the force times the distance, where that is simpler. What is `finite` ends by itself and
    needs no cutoff.
    """

    name: str
    words: str
    source: str
    settings: dict[str, Any]
    force: Law
    energy: Law
    virial: Law | None = None
    finite: bool = False


MIN_DISTANCE = Known("MIN_DISTANCE", 0.15)
"""What smaller distances count as."""


def _sixth(k: Builder, distance: Expr, diameter: Expr) -> Expr:
    """(diameter / distance)⁶, under a name."""
    inverse = k.let("inverse", diameter / distance)
    cube = k.let("cube", inverse * inverse * inverse)
    return k.let("sixth", cube * cube)


def _lennard_jones_virial(k: Builder, distance: Expr, well_depth: Expr, diameter: Expr) -> Expr:
    sixth = _sixth(k, distance, diameter)
    return 24.0 * well_depth * sixth * (2.0 * sixth - 1.0)


def _lennard_jones_force(k: Builder, distance: Expr, well_depth: Expr, diameter: Expr) -> Expr:
    return _lennard_jones_virial(k, distance, well_depth, diameter) / distance


def _lennard_jones_energy(k: Builder, distance: Expr, well_depth: Expr, diameter: Expr) -> Expr:
    sixth = _sixth(k, distance, diameter)
    return 4.0 * well_depth * sixth * (sixth - 1.0)


def _decay(k: Builder, exponent: Expr) -> Expr:
    return k.let("decay", ops.exp(exponent))


def _morse_force(k: Builder, distance: Expr, well_depth: Expr, steepness: Expr, bond_length: Expr) -> Expr:
    decay = _decay(k, steepness * (bond_length - distance))
    return 2.0 * well_depth * steepness * decay * (decay - 1.0)


def _morse_energy(k: Builder, distance: Expr, well_depth: Expr, steepness: Expr, bond_length: Expr) -> Expr:
    decay = _decay(k, steepness * (bond_length - distance))
    return well_depth * decay * (decay - 2.0)


def _yukawa_force(k: Builder, distance: Expr, strength: Expr, screening_length: Expr) -> Expr:
    energy = k.let("energy", strength * ops.exp(-distance / screening_length) / distance)
    return energy * (1.0 / distance + 1.0 / screening_length)


def _overlap(k: Builder, distance: Expr, diameter: Expr) -> Expr:
    return k.let("overlap", ops.max(diameter - distance, 0.0))


PAIR_LAWS = (
    PairLaw(
        "lennard_jones",
        "Lennard-Jones",
        "Lennard-Jones 1931",
        {"well_depth": WellDepth, "diameter": Diameter},
        _lennard_jones_force,
        _lennard_jones_energy,
        _lennard_jones_virial,
    ),
    PairLaw(
        "morse",
        "Morse",
        "Morse 1929",
        {"well_depth": WellDepth, "steepness": Rate, "bond_length": Length},
        _morse_force,
        _morse_energy,
    ),
    PairLaw(
        "yukawa",
        "Yukawa",
        "Yukawa 1935",
        {"strength": Strength, "screening_length": Length},
        _yukawa_force,
        lambda k, distance, strength, screening_length: (
            strength * ops.exp(-distance / screening_length) / distance
        ),
    ),
    PairLaw(
        "soft_sphere",
        "Soft-sphere",
        "O'Hern et al. 2003",
        {"stiffness": Rate, "diameter": Range},
        lambda k, distance, stiffness, diameter: stiffness * _overlap(k, distance, diameter),
        lambda k, distance, stiffness, diameter: (
            0.5 * stiffness * (gap := _overlap(k, distance, diameter)) * gap
        ),
        finite=True,
    ),
)


def each_pair(
    k: Builder,
    position: Expr,
    positions: ArrayHandle,
    cutoff: Expr | None,
    visit: Callable[[Expr, Expr], None],
) -> None:
    """Visit each neighbour, within the cutoff if there is one, with the offset from it and their distance."""

    def at(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        distance = k.let("distance", ops.max(ops.length(offset), MIN_DISTANCE))
        if cutoff is None:
            visit(offset, distance)
            return
        with k.when(distance < cutoff):
            visit(offset, distance)

    each_neighbor(k, at)


def _pair_formula(name: str, doc: str, law: PairLaw, result: Any, function: Callable[..., Expr]) -> None:
    """Add a formula over the neighbours under a pair law, whose settings its signature has as well."""

    def formula(k: Builder, position: Expr, positions: ArrayHandle, **settings: Expr) -> Expr:
        return function(k, position, positions, settings)

    formula.__name__, formula.__doc__ = f"{law.name}_{name}", doc
    formula.__annotations__ = {
        "position": Position,
        "positions": Positions,
        **({} if law.finite else {"cutoff": Cutoff}),
        **law.settings,
        "return": result,
    }
    particles.formula(source=law.source)(formula)


def _pair_formulas(law: PairLaw) -> None:
    def force(k: Builder, position: Expr, positions: ArrayHandle, settings: dict[str, Expr]) -> Expr:
        total = k.var("total", zero(k))
        each_pair(
            k,
            position,
            positions,
            settings.pop("cutoff", None),
            lambda offset, distance: k.add(total, law.force(k, distance, **settings) / distance * offset),
        )
        return bounded(total, -1e5, 1e5)

    def energy(k: Builder, position: Expr, positions: ArrayHandle, settings: dict[str, Expr]) -> Expr:
        total = k.var("energy_sum", 0.0)
        each_pair(
            k,
            position,
            positions,
            settings.pop("cutoff", None),
            lambda _, distance: k.add(total, law.energy(k, distance, **settings)),
        )
        return bounded(0.5 * total, -1e5, 1e5)

    def pair_virial(k: Builder, distance: Expr, **settings: Expr) -> Expr:
        return (
            law.virial(k, distance, **settings)
            if law.virial
            else distance * law.force(k, distance, **settings)
        )

    def virial(k: Builder, position: Expr, positions: ArrayHandle, settings: dict[str, Expr]) -> Expr:
        total = k.var("virial_sum", 0.0)
        each_pair(
            k,
            position,
            positions,
            settings.pop("cutoff", None),
            lambda _, distance: k.add(total, pair_virial(k, distance, **settings)),
        )
        return bounded(0.5 * total, -1e5, 1e5)

    doc = f"{law.words} force. Distances below {float(MIN_DISTANCE)} count as {float(MIN_DISTANCE)}."
    _pair_formula("force", doc, law, Force, force)
    floor = f"Distances below {float(MIN_DISTANCE)} count as {float(MIN_DISTANCE)}"
    within = "" if law.finite else " within the cutoff"
    doc = f"{law.words} potential energy. Each particle gets half of a pair's energy. {floor}."
    _pair_formula("energy", doc, law, PotentialEnergy, energy)
    doc = f"{law.words} virial. It is half the sum of distance times force over the neighbors{within}. "
    doc += f"{floor}."
    _pair_formula("virial", doc, law, Virial, virial)


for _law in PAIR_LAWS:
    _pair_formulas(_law)


def _sum_of_charges(
    k: Builder, position: Expr, positions: ArrayHandle, charges: ArrayHandle, softening: Expr
) -> Expr:
    """What the neighbors' charges add up to by Coulomb's law, softened at short distances."""
    field = k.var("field_sum", zero(k))

    def visit(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        square = k.let("square", ops.dot(offset, offset) + softening * softening)
        k.add(field, charges[j] / (square * ops.sqrt(square)) * offset)

    each_neighbor(k, visit)
    return field


@particles.formula(source="Coulomb 1785")
def coulomb_force(
    k: Builder,
    position: Position,
    positions: Positions,
    charge: Charge,
    charges: Charges,
    coupling: Strength,
    softening: Softening,
) -> Force:
    """Softened Coulomb force. The softening keeps it finite for close charges."""
    return bounded(coupling * charge * _sum_of_charges(k, position, positions, charges, softening), -1e5, 1e5)


@particles.formula(source="Coulomb 1785")
def coulomb_potential(
    k: Builder,
    position: Position,
    positions: Positions,
    charges: Charges,
    coupling: Strength,
    softening: Softening,
) -> Potential:
    """Softened Coulomb potential. The softening keeps it finite for close charges."""
    total = k.var("charge_sum", 0.0)

    def visit(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        k.add(total, charges[j] / ops.sqrt(ops.dot(offset, offset) + softening * softening))

    each_neighbor(k, visit)
    return bounded(coupling * total, -1e4, 1e4)


def each_body(k: Builder, visit: Callable[[Expr, Expr], None]) -> None:
    """Visit the massive bodies of the system, each with its mass and position."""
    k.sizes["bodies"] = k.once("bodies", lambda: k.rng.pick("8", "16", "24", "32"))
    places = k.input("body_positions", Vector(k.dimension, k.real), ["bodies"], uniform(-1.0, 1.0))
    masses = k.input("body_masses", k.real, ["bodies"], uniform(0.5, 2.0))
    with k.loop("body", 0, k.size("bodies", "bodies")) as body:
        visit(masses[body], places[body])


@particles.formula(source="Plummer 1911", ranks=(1,))
def plummer_acceleration(
    k: Builder, position: Position, gravitation: Strength, softening: Softening
) -> Acceleration:
    """Plummer-softened gravity. The softening keeps close encounters finite."""
    pull = k.var("force_sum", zero(k))

    def visit(mass: Expr, place: Expr) -> None:
        offset = k.let("offset", place - position)
        square = k.let("square", ops.dot(offset, offset) + softening * softening)
        k.add(pull, mass / (square * ops.sqrt(square)) * offset)

    each_body(k, visit)
    return bounded(gravitation * pull, -1e5, 1e5)


@particles.formula()
def newton_acceleration(k: Builder, force: Force, mass: Mass) -> Acceleration:
    """Acceleration. It is the force over the mass."""
    return bounded(force / mass, -1e5, 1e5)


@particles.formula()
def net_acceleration(
    k: Builder, net_force: NetForce, mass: Mass, gravity: Annotated[Expr, Setting(5.0, 10.0)]
) -> Acceleration:
    """Acceleration under net force and gravity."""
    return bounded(net_force / mass - upwards(k, gravity), -1e5, 1e5)


@particles.formula(source="Lorentz 1895")
def lorentz_force(
    k: Builder,
    charge: Charge,
    velocity: Velocity,
    electric_field: ElectricField,
    magnetic_field: MagneticField,
) -> Force:
    """Lorentz force. It is q (E + v x B)."""
    return bounded(charge * (electric_field + turned(k, velocity, magnetic_field)), -1e5, 1e5)


@particles.formula(source="Boris 1970")
def boris_velocity(
    k: Builder,
    velocity: Velocity,
    electric_field: ElectricField,
    magnetic_field: MagneticField,
    charge_to_mass: Strength,
    dt: Dt,
) -> NewVelocity:
    """Boris push. It is half a kick by the electric field, a rotation by the magnetic one, and the other half
    of the kick.
    """
    half = k.let("half_factor", 0.5 * charge_to_mass * dt)
    minus = k.let("velocity_minus", velocity + half * electric_field)
    turn = k.let("t", half * magnetic_field)
    size = ops.dot(turn, turn) if k.dimension == 3 else turn * turn
    prime = k.let("velocity_prime", minus + turned(k, minus, turn))
    back = k.let("back", 2.0 / (1.0 + size) * turn)
    plus = k.let("velocity_plus", minus + turned(k, prime, back))
    return bounded(plus + half * electric_field, -1e4, 1e4)


@particles.formula(source="Stokes 1851")
def stokes_drag(
    k: Builder, velocity: Velocity, flow_velocity: FlowVelocity, radius: ParticleRadius, viscosity: Fluidity
) -> DragForce:
    """Stokes drag. It is 6 pi times viscosity, radius and the velocity of the flow relative to the
    particle.
    """
    return bounded(6.0 * (PI * viscosity * radius) * (flow_velocity - velocity), -1e5, 1e5)


def gaussian_noise(k: Builder, seed: Expr) -> Expr:
    """A vector of normal random numbers of the thread's own."""
    (i,) = k.index
    state = k.let("state", ops.rand_init(seed, i))
    drawn = [random_number("randn", state) for _ in range(k.dimension)]
    parts = drawn if k.real == F32 else [convert(k.real, one) for one in drawn]
    return k.let("noise", construct(space(k), *parts))


@particles.formula(source="Langevin 1908; Bussi and Parrinello 2007", ranks=(1,))
def langevin_velocity(
    k: Builder,
    velocity: Velocity,
    mass: Mass,
    drag_rate: DragRate,
    temperature: Thermal,
    dt: Dt,
    seed: Seed,
) -> NewVelocity:
    """Langevin thermostat. Friction and random kicks keep the temperature."""
    kept = bounded(k.let("decay", ops.exp(-drag_rate * dt)), 0.0, 1.0)
    spread = k.let("spread", ops.sqrt((1.0 - kept * kept) * temperature / mass))
    return bounded(kept * velocity + spread * gaussian_noise(k, seed), -1e3, 1e3)


@particles.formula(source="Berendsen et al. 1984")
def berendsen_velocity(
    k: Builder,
    velocity: Velocity,
    acceleration: Acceleration,
    measured_temperature: Annotated[Expr, Setting(0.4, 1.2, "p")],
    target_temperature: Thermal,
    coupling_time: Annotated[Expr, Setting(0.1, 0.5)],
    dt: Dt,
) -> NewVelocity:
    """Berendsen thermostat. Particles accelerate for dt, and their velocities are then scaled towards the
    target temperature.
    """
    excess = k.let("excess", target_temperature / measured_temperature - 1.0)
    scale = k.let("scale", ops.sqrt(ops.max(1.0 + dt / coupling_time * excess, 0.25)))
    return bounded(scale * (velocity + dt * acceleration), -1e4, 1e4)


@particles.formula(source="Ermak and McCammon 1978", ranks=(1,))
def brownian_position(
    k: Builder, position: Position, force: Force, mobility: Fluidity, temperature: Thermal, dt: Dt, seed: Seed
) -> NewPosition:
    """Brownian dynamics step. Particles drift by mobility times force, with Gaussian noise. Inertia is
    neglected, and the temperature is in units of energy.
    """
    spread = k.let("spread", ops.sqrt(2.0 * mobility * temperature * dt))
    return bounded(position + mobility * dt * force + spread * gaussian_noise(k, seed), -1e4, 1e4)


def weighted_neighbors(
    k: Builder, visit: Callable[[Expr], Expr], position: Expr, positions: ArrayHandle, sight: Expr
) -> tuple[Expr, Expr]:
    """The sum of what each neighbour in sight has, and how many there are."""
    total, count = k.var("neighbor_sum", zero(k)), k.var("in_sight", 0.0)

    def at(j: Expr) -> None:
        with k.when(ops.length(positions[j] - position) < sight):
            k.add(total, visit(j))
            k.add(count, 1.0)

    each_neighbor(k, at)
    return total, count


@particles.formula(source="Reynolds 1987")
def flock_separation(k: Builder, position: Position, positions: Positions, comfort: Range) -> Separation:
    """Separation from close neighbors. Nearer neighbors push more."""
    total = k.var("total", zero(k))

    def visit(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        square = k.let("square", ops.dot(offset, offset))
        with k.when((square > 1e-6) & (square < comfort * comfort)):
            k.add(total, offset / square)

    each_neighbor(k, visit)
    return bounded(total, -1e5, 1e5)


@particles.formula(source="Reynolds 1987")
def flock_alignment(
    k: Builder,
    position: Position,
    positions: Positions,
    velocity: Velocity,
    velocities: Velocities,
    sight: Range,
) -> Alignment:
    """Alignment with neighbors in sight. It is their mean velocity minus the particle's own, or zero if there
    are none.
    """
    total, count = weighted_neighbors(k, lambda j: velocities[j], position, positions, sight)
    result = k.var("curl", zero(k))
    with k.when(count > 0.0):
        k.set(result, total / bounded(count + 0.0, 1.0, 64.0) - velocity)
    return bounded(result, -1e2, 1e2)


@particles.formula(source="Reynolds 1987")
def flock_cohesion(k: Builder, position: Position, positions: Positions, sight: Range) -> Cohesion:
    """Cohesion towards neighbors in sight. The pull is towards their mean position, and zero without any."""
    total, count = weighted_neighbors(k, lambda j: positions[j], position, positions, sight)
    result = k.var("towards", zero(k))
    with k.when(count > 0.0):
        k.set(result, total / bounded(count + 0.0, 1.0, 64.0) - position)
    return bounded(result, -1e2, 1e2)


@particles.formula(source="Reynolds 1987")
def boid_steering(
    k: Builder,
    separation: Separation,
    alignment: Alignment,
    cohesion: Cohesion,
    separation_weight: Strength,
    alignment_weight: Strength,
    cohesion_weight: Strength,
) -> Steering:
    """Boids steering. Separation, alignment and cohesion are weighted and added."""
    return bounded(
        separation_weight * separation + alignment_weight * alignment + cohesion_weight * cohesion, -1e5, 1e5
    )


@particles.formula()
def closest_neighbor(k: Builder, position: Position, positions: Positions, cutoff: Cutoff) -> Nearest:
    """Nearest neighbor within a cutoff. The result is -1 if there is none."""
    best = k.var("closest", -1, type=I32)
    least = k.var("min_distance_sq", cutoff * cutoff)

    def visit(j: Expr) -> None:
        offset = k.let("offset", position - positions[j])
        square = k.let("square", ops.dot(offset, offset))
        with k.when(square < least):
            k.set(least, square)
            k.set(best, j)

    each_neighbor(k, visit)
    best.interval = dataclasses.replace(best.interval, lo=-1, hi=1e5)
    return best


def grid_axes(k: Builder) -> list[str]:
    """The names of a grid's extents along the axes of space, the first one's first."""
    names = ["width", "height", "depth"][: k.dimension]
    for name in names:
        k.sizes[name] = k.once(f"grid {name}", lambda: k.rng.pick("12", "16", "20", "24"))
    return names


def grid_coordinate(k: Builder, position: Expr, origin: Expr, cells_per_unit: Expr) -> Expr:
    """The position in units of a grid's cells."""
    return k.let("local", (position - origin) * cells_per_unit)


def grid_cell(k: Builder, local: Expr, names: list[str]) -> list[Expr]:
    """The indices of the cell of a place, clamped to the grid."""
    return [
        k.let(
            f"cell_{'xyz'[axis]}", ops.clamp(convert(I32, ops.floor(local[axis])), 0, k.size(name, name) - 1)
        )
        for axis, name in enumerate(names)
    ]


@particles.formula(ranks=(1,))
def row_major_cell(k: Builder, position: Position, origin: Origin, cells_per_unit: PerUnit) -> Cell:
    """Row-major cell index. The first axis varies fastest."""
    names = grid_axes(k)
    *slow, fast = reversed(
        list(
            zip(grid_cell(k, grid_coordinate(k, position, origin, cells_per_unit), names), names, strict=True)
        )
    )
    number, _ = slow[0]
    for one, name in [*slow[1:], fast]:
        number = number * k.size(name, name) + one
    return number


@particles.formula(source="Teschner et al. 2003")
def hashed_cell(
    k: Builder,
    position: Position,
    cells_per_unit: PerUnit,
    buckets: Annotated[Expr, Setting(64, 256, "p", whole)],
) -> Cell:
    """Spatial hash cell. Cell coordinates times primes are combined by exclusive or, modulo the number of
    buckets.
    """
    code: Expr | None = None
    for axis, prime in zip(range(k.dimension), (73856093, 19349663, 83492791), strict=False):
        index = convert(I32, ops.floor((position[axis] + 2.0) * cells_per_unit))
        term = bounded(k.let(f"cell_{'xyz'[axis]}", index), 0, 25) * prime
        code = term if code is None else code ^ term
    assert code is not None
    return code % buckets


@dataclasses.dataclass(frozen=True, eq=False)
class Shape:
    """How a particle is spread over the nodes of a grid: over `reach` along each axis, weighed by offset."""

    name: str
    words: str
    reach: int
    shift: float
    weight: Callable[[Builder, Expr, str], Expr]


def _quadratic(k: Builder, offset: Expr, axis: str) -> Expr:
    offset = k.let(f"near_{axis}", offset)
    far = k.let(f"far_{axis}", 1.5 - offset)
    return ops.where(offset < 0.5, 0.75 - offset * offset, 0.5 * far * far)


SHAPES = (
    Shape("cloud_in_cell", "Cloud-in-cell", 2, 0.0, lambda k, offset, _: 1.0 - offset),
    Shape("quadratic", "Quadratic-spline", 3, -0.5, _quadratic),
)


def each_node(
    k: Builder, local: Expr, shape: Shape, names: list[str], visit: Callable[[tuple[Expr, ...], Expr], None]
) -> None:
    """Visit the grid's nodes around a place in units of cells, with the weight of each."""
    first = [
        k.let(
            f"first_{'xyz'[axis]}",
            ops.clamp(
                convert(I32, ops.floor(local[axis] + shape.shift)), 0, k.size(name, name) - shape.reach
            ),
        )
        for axis, name in enumerate(names)
    ]

    def along(axis: int, place: tuple[Expr, ...], weight: Expr | None) -> None:
        if axis < 0:
            assert weight is not None
            visit(place, weight)
            return
        letter = "xyz"[axis]
        product = f"weight_{'xyz'[axis : len(names)]}" if axis > 0 else "weight"
        with k.loop(f"d{letter}", 0, shape.reach) as step:
            node = k.let(letter, first[axis] + step)
            away = k.let(f"distance_{letter}", ops.abs(local[axis] - convert(k.real, node)))
            near = bounded(ops.min(away, 0.5 * shape.reach), 0.0, 0.5 * shape.reach)
            own = shape.weight(k, near, letter)
            share = k.let(product, own if weight is None else weight * own)
            along(axis - 1, (*place, node), share)

    along(len(names) - 1, (), None)


def _gather(shape: Shape, what: str, result: Any, kind: Callable[[Builder], Type]) -> None:
    def gathered(k: Builder, position: Position, origin: Origin, cells_per_unit: PerUnit) -> ElectricField:
        names = grid_axes(k)
        grid = k.input(f"grid_{plural(what)}", kind(k), names[::-1], uniform(-1.0, 1.0))
        local = grid_coordinate(k, position, origin, cells_per_unit)
        total = k.var("gathered", zero(k) if isinstance(kind(k), Vector) else 0.0)
        each_node(k, local, shape, names, lambda place, weight: k.add(total, weight * grid[place]))
        return bounded(total, -30.0, 30.0)

    gathered.__name__ = f"{shape.name}_{what}"
    title = f"{shape.words} gather of the {what.replace('_', ' ')}"
    gathered.__doc__ = f"{title}. The first coordinate is the last index of the grid."
    gathered.__annotations__["return"] = result
    particles.formula(source="Birdsall and Langdon 1985", ranks=(1,))(gathered)


for _shape in SHAPES:
    _gather(_shape, "electric_field", ElectricField, space)
    _gather(_shape, "flow_velocity", FlowVelocity, space)
    _gather(_shape, "potential", Potential, lambda k: k.real)


@particles.formula(source="Zhu and Bridson 2005")
def flip_velocity(
    k: Builder,
    velocity: Velocity,
    flow_velocity: FlowVelocity,
    velocity_change: Annotated[Expr, Quantity("velocity_change", -0.5, 0.5, space)],
    flip_share: Annotated[Expr, Setting(0.8, 0.99)],
) -> NewVelocity:
    """PIC/FLIP velocity blend. It mixes the grid's velocity (PIC) with the particle's plus the grid's change
    (FLIP).
    """
    return bounded(flip_share * (velocity + velocity_change) + (1.0 - flip_share) * flow_velocity, -1e2, 1e2)


def deposit(k: Builder) -> None:
    """What each particle has is added to the nodes of a grid around it, by atomic additions."""
    k.dimension = k.rng.pick(2, 3)
    shape = k.rng.pick(*SHAPES)
    what = k.rng.pick(mass, charge, momentum, kinetic_energy, potential_energy)
    told = what.name.replace("_", " ")
    k.name, *k.other_names = k.rng.shuffled(
        [f"deposit_{what.name}", f"scatter_{what.name}", f"{shape.name}_{what.name}", f"{what.name}_to_grid"]
    )
    made = Composition(k, particles)
    elements(k, particles, (1,))

    def supplied(name: str, of: Quantity | Setting) -> Expr:
        value = made.supply(Argument(name, of, False), 0, of is position)
        assert isinstance(value, Expr)
        return value

    value = supplied(what.name, what)
    origin, per_unit = (typing.get_args(one)[1] for one in (Origin, PerUnit))
    names = grid_axes(k)
    local = grid_coordinate(
        k, supplied("position", position), supplied("origin", origin), supplied("cells_per_unit", per_unit)
    )
    k.equality = "bounded"
    grid = k.array(f"grid_{plural(what.name)}", value.type, names[::-1], {"constant": 0.0}, "inout")
    each_node(k, local, shape, names, lambda place, weight: k.atomic("add", grid, place, weight * value))
    sentence = k.rng.pick(
        f"Deposit the {told} of each particle on a grid with {lowered(shape.words)} weights",
        f"Scatter the {told} of each particle to a grid with {lowered(shape.words)} weights",
    )
    k.doc = with_models(sentence, models(made.told))
    k.notes.append("The origin is the position of the first grid point")
    k.notes.append(f"`{grid.name}` must start at zero")
