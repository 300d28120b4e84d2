"""Lattices in the plane: the lattice Boltzmann method, and automata of cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform
from weft.kernels.coefficients import whole as whole_numbers
from weft.kernels.constants import SQRT_3
from weft.kernels.domains.cells import Factor, Share, Small, beside, define, derivative, square, total
from weft.kernels.expressions import bounded, conditional, construct, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector, whole
from weft.kernels.idioms.pairs import zero
from weft.kernels.intervals import Interval
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector

lattices = Domain("cell", ranks=(2,))

INSIDE = ("clamped", "periodic")
Index = tuple[Expr, ...]

MOORE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]

density = Quantity("density", 0.5, 1.5, plural="densities", most=100.0)
momentum = Quantity("momentum", -0.3, 0.3, vector(2), plural="momenta")
velocity = Quantity("velocity", -0.2, 0.2, vector(2), derived=True)
forced_velocity = Quantity("forced_velocity", -0.2, 0.2, vector(2), plural="forced_velocities")
force = Quantity("force", -0.02, 0.02, vector(2))
mach_number = Quantity("mach_number", 0.0, 0.5, extremal=True)
lattice_pressure = Quantity("pressure", 0.2, 0.5, least=0.0)
kinetic_energy = Quantity("kinetic_energy", 0.0, 0.1, plural="kinetic_energies", additive=True)
imbalance = Quantity("imbalance", 0.0, 0.5, extremal=True)
shear_stress = Quantity("shear_stress", -0.1, 0.1, plural="shear_stresses")
entropy = Quantity("entropy", -5.0, 0.0, plural="entropies", most=1e5, additive=True)
relaxation_time = Quantity("relaxation_time", 0.55, 1.5)
vorticity = Quantity("vorticity", -0.4, 0.4, plural="vorticities")
state = Quantity("state", 0, 1, whole)
new_state = Quantity("new_state", 0, 1, whole, updates=state)
phase = Quantity("phase", 0, 3, whole)
new_phase = Quantity("new_phase", 0, 3, whole, least=0, most=3, updates=phase)
spin = Quantity("spin", -1, 1, whole)
spin_sum = Quantity("spin_sum", -4, 4, whole, least=-8, most=8, derived=True)
bond_energy = Quantity("bond_energy", -4.0, 4.0, plural="bond_energies", additive=True)
energy_change = Quantity("energy_change", -8.0, 8.0, derived=True)
flip_probability = Quantity("flip_probability", 0.0, 1.0, plural="flip_probabilities", derived=True)
chance = Quantity("random_number", 0.0, 1.0)
new_spin = Quantity("new_spin", -1, 1, whole, updates=spin)
land = Quantity("land", 0, 2, whole, plural="lands")
new_land = Quantity("new_land", 0, 2, whole, least=0, most=2, plural="new_lands", updates=land)
infected = Quantity("infected_share", 0.0, 1.0)
susceptible = Quantity("susceptible_share", 0.0, 1.0)
infection = Quantity("infection_pressure", 0.0, 1.0, most=10.0)
new_infected = Quantity("new_infected_share", 0.0, 1.0, updates=infected)
grains = Quantity("grain_count", 0, 7, whole)
new_grains = Quantity("new_grain_count", 0, 7, whole, least=0, most=100, updates=grains)
unhappiness = Quantity("unlike_share", 0.0, 1.0, additive=True)

Density = Annotated[Expr, density]
Momentum = Annotated[Expr, momentum]
Velocity = Annotated[Expr, velocity]
Velocities = Annotated[ArrayHandle, velocity]
ForcedVelocity = Annotated[Expr, forced_velocity]
RelaxationTime = Annotated[Expr, relaxation_time]
State = Annotated[Expr, state]
States = Annotated[ArrayHandle, state]
NewState = Annotated[Expr, new_state]
Phase = Annotated[Expr, phase]
Phases = Annotated[ArrayHandle, phase]
NewPhase = Annotated[Expr, new_phase]
Spin = Annotated[Expr, spin]
Spins = Annotated[ArrayHandle, spin]
SpinSum = Annotated[Expr, spin_sum]
EnergyChange = Annotated[Expr, energy_change]
FlipProbability = Annotated[Expr, flip_probability]
Chance = Annotated[Expr, chance]
Land = Annotated[Expr, land]
Lands = Annotated[ArrayHandle, land]
InfectedShares = Annotated[ArrayHandle, infected]
InfectionPressure = Annotated[Expr, infection]


def weights(k: Builder) -> ArrayHandle:
    """The weight of each direction."""
    return k.input("weights", k.real, ["directions"], uniform(0.02, 0.45))


def velocity_of(k: Builder, q: Expr) -> Expr:
    """The lattice velocity of a direction: a vector of a table, or a whole number of each of two."""
    if k.once("lattice velocities are vectors", lambda: k.rng.chance(0.5)):
        vectors = k.input("lattice_velocities", Vector(2, k.real), ["directions"], uniform(-1.0, 1.0))
        return vectors[q]
    x, y = (k.input(name, I32, ["directions"], whole_numbers(-1, 1)) for name in ("shift_x", "shift_y"))
    return construct(Vector(2, k.real), convert(k.real, x[q]), convert(k.real, y[q]))


def equilibrium(k: Builder, weight: Expr, direction: Expr, density: Expr, velocity: Expr) -> Expr:
    """The equilibrium population of a direction (Qian, d'Humières and Lallemand 1992)."""

    def body(b: Builder, weight: Expr, direction: Expr, density: Expr, velocity: Expr) -> Expr:
        along = b.let("along", ops.dot(direction, velocity))
        speed = b.let("speed", ops.dot(velocity, velocity))
        share = 1.0 + 3.0 * along + 4.5 * along * along - 1.5 * speed
        return bounded(weight * density * share, -1e4, 1e4)

    given = {"weight": weight, "direction": direction, "density": density, "velocity": velocity}
    limits = {name: (one.type, Interval(one.interval.lo, one.interval.hi)) for name, one in given.items()}
    call = k.function("equilibrium", "Equilibrium population of one direction.", limits, body)
    return call(*given.values())


def populations_of(k: Builder) -> tuple[ArrayHandle, Callable[[Index, Expr], Index]]:
    """The populations of a lattice of five or nine directions, and how a cell and a direction index them."""
    shape, place = layout(k)
    return k.input("populations", k.real, shape, uniform(0.05, 0.2)), place


def layout(k: Builder) -> tuple[list[str], Callable[[Index, Expr], Index]]:
    """The shape of populations, with directions first or last, and how they are indexed."""
    k.sizes["directions"] = k.once("directions", lambda: k.rng.pick("5", "9", "9"))
    if k.once("directions come first", lambda: k.rng.chance(0.5)):
        return ["directions", *k.shape], lambda cell, q: (q, *cell)
    return [*k.shape, "directions"], lambda cell, q: (*cell, q)


def each_direction(k: Builder, visit: Callable[[Expr, Expr], None]) -> None:
    """Visit the directions with the populations of the thread's cell."""
    populations, place = populations_of(k)
    with k.loop("q", 0, k.size("directions", "directions")) as q:
        visit(q, populations[place(k.index, q)])


@lattices.formula(source="Qian, d'Humières and Lallemand 1992", ranks=(2,))
def lattice_density(k: Builder) -> Density:
    """Lattice Boltzmann density."""
    mass = k.var("mass", 0.0)
    each_direction(k, lambda q, one: k.add(mass, one))
    return bounded(mass, 0.05, 20.0)


@lattices.formula(source="Qian, d'Humières and Lallemand 1992", ranks=(2,))
def lattice_momentum(k: Builder) -> Momentum:
    """Lattice Boltzmann momentum."""
    carried = k.var("momentum", zero(Vector(2, k.real)))
    each_direction(k, lambda q, one: k.add(carried, one * velocity_of(k, q)))
    return bounded(carried, -20.0, 20.0)


@lattices.formula(goal=False)
def lattice_velocity(k: Builder, momentum: Momentum, density: Density) -> Velocity:
    """Velocity from the momentum."""
    return momentum / density


@lattices.formula(source="Shan and Chen 1993")
def shifted_velocity(
    k: Builder,
    velocity: Velocity,
    density: Density,
    force: Annotated[Expr, force],
    relaxation_time: RelaxationTime,
) -> ForcedVelocity:
    """Lattice Boltzmann velocity with a shift for the force."""
    return velocity + relaxation_time / density * force


@lattices.formula(source="Guo, Zheng and Shi 2002")
def halfway_velocity(
    k: Builder, momentum: Momentum, density: Density, force: Annotated[Expr, force]
) -> ForcedVelocity:
    """Lattice Boltzmann velocity with half the force."""
    return (momentum + 0.5 * force) / density


@lattices.formula()
def viscous_relaxation(k: Builder, vorticity: Annotated[Expr, vorticity], viscosity: Small) -> RelaxationTime:
    """Relaxation time from viscosity and vorticity."""
    return 3.0 * viscosity * (1.0 + ops.abs(vorticity)) + 0.5


@lattices.formula(source="Hou et al. 1996")
def smagorinsky_relaxation(
    k: Builder,
    shear_stress: Annotated[Expr, shear_stress],
    density: Density,
    molecular_time: Annotated[Expr, Setting(0.55, 1.0)],
    smagorinsky: Annotated[Expr, Setting(0.1, 0.2)],
) -> RelaxationTime:
    """Smagorinsky relaxation time."""
    strain = k.let("strain", 18.0 * (smagorinsky * smagorinsky) * ops.abs(shear_stress) / density)
    return 0.5 * (molecular_time + ops.sqrt(molecular_time * molecular_time + strain))


@lattices.formula(ranks=(2,))
def lattice_shear_stress(k: Builder, density: Density, velocity: Velocity) -> Annotated[Expr, shear_stress]:
    """Shear stress from the nonequilibrium populations."""
    stress = k.var("stress", 0.0)

    def visit(q: Expr, one: Expr) -> None:
        direction = k.let("direction", velocity_of(k, q))
        excess = k.let("excess", one - equilibrium(k, weights(k)[q], direction, density, velocity))
        k.add(stress, direction[0] * direction[1] * excess)

    each_direction(k, visit)
    return bounded(stress, -1e4, 1e4)


@lattices.formula(ranks=(2,))
def lattice_imbalance(k: Builder, density: Density, velocity: Velocity) -> Annotated[Expr, imbalance]:
    """Distance of the populations from equilibrium."""
    distance = k.var("distance", 0.0)

    def visit(q: Expr, one: Expr) -> None:
        k.add(distance, ops.abs(one - equilibrium(k, weights(k)[q], velocity_of(k, q), density, velocity)))

    each_direction(k, visit)
    return bounded(distance, 0.0, 1e5)


@lattices.formula(source="Karlin, Ferrante and Öttinger 1999", ranks=(2,))
def lattice_entropy(k: Builder) -> Annotated[Expr, entropy]:
    """Lattice Boltzmann entropy."""
    disorder = k.var("disorder", 0.0)
    each_direction(k, lambda q, one: k.add(disorder, one * ops.log(one / weights(k)[q])))
    return bounded(disorder, -1e4, 1e4)


@lattices.formula(goal=False)
def lattice_equation_of_state(k: Builder, density: Density) -> Annotated[Expr, lattice_pressure]:
    """Lattice Boltzmann equation of state."""
    return density / 3.0


@lattices.formula(source="Shan and Chen 1993")
def shan_chen_pressure(
    k: Builder, density: Density, cohesion: Annotated[Expr, Setting(-0.6, -0.2)]
) -> Annotated[Expr, lattice_pressure]:
    """Shan-Chen equation of state."""
    potential = k.let("potential", 1.0 - ops.exp(-density * 0.5))
    return ops.max(density / 3.0 + cohesion / 6.0 * potential * potential, 0.0)


@lattices.formula(source="Shan and Chen 1993")
def shan_chen_force(
    k: Builder,
    density: Density,
    densities: Annotated[ArrayHandle, density],
    cohesion: Annotated[Expr, Setting(-0.6, -0.2)],
) -> Annotated[Expr, force]:
    """Shan-Chen interaction force."""
    near = around(k, densities, INSIDE)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    pull_x, pull_y = ops.exp(-left) - ops.exp(-right), ops.exp(-up) - ops.exp(-down)
    return bounded(
        -cohesion * (1.0 - ops.exp(-density)) / 3.0 * (construct(Vector(2, k.real), pull_x, pull_y)),
        -10.0,
        10.0,
    )


@lattices.formula()
def lattice_mach_number(k: Builder, velocity: Velocity) -> Annotated[Expr, mach_number]:
    """Lattice Mach number."""
    return SQRT_3 * ops.length(velocity)


@lattices.formula()
def lattice_kinetic_energy(
    k: Builder, density: Density, forced_velocity: ForcedVelocity
) -> Annotated[Expr, kinetic_energy]:
    """Kinetic energy density."""
    return bounded(0.5 * density * square(forced_velocity), 0.0, 1e5)


@lattices.formula()
def lattice_vorticity(k: Builder, velocities: Velocities) -> Annotated[Expr, vorticity]:
    """Vorticity by central differences."""
    near = around(k, velocities)
    half = lift(0.5, k.real)
    return derivative(k, near, 1, 1, half) - derivative(k, near, 0, 0, half)


def looped_count(k: Builder, state: Expr, states: ArrayHandle) -> Expr:
    """The living among the eight neighbours, by a loop over the window."""
    near = around(k, states, INSIDE)
    alive = k.var("live_neighbors", -state)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b:
        k.add(alive, near.moved(a, b))
    return bounded(alive, 0, 8)


def skipping_count(k: Builder, state: Expr, states: ArrayHandle) -> Expr:
    """The living among the eight neighbours, by a loop that leaves out the cell itself."""
    near = around(k, states, INSIDE)
    alive = k.var("live_neighbors", lift(0, I32))
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b, k.when(a.differs(0) | b.differs(0)):
        k.add(alive, near.moved(a, b))
    return bounded(alive, 0, 8)


def listed_count(k: Builder, state: Expr, states: ArrayHandle) -> Expr:
    """The living among the eight neighbours, one by one."""
    near = around(k, states)
    return k.let("live_neighbors", total(near.at(a, b) for a, b in MOORE))


def counted(*numbers: int) -> Callable[[Expr], Expr]:
    """Is a number one of these?"""

    def condition(count: Expr) -> Expr:
        found = count.equals(numbers[0])
        for one in numbers[1:]:
            found = found | count.equals(one)
        return found

    return condition


for _name, _how, _born, _kept in (
    ("life", "Game of Life", counted(3), counted(2, 3)),
    ("high_life", "HighLife automaton", counted(3, 6), counted(2, 3)),
    ("maze", "Maze automaton", counted(3), lambda n: (n >= 1) & (n <= 5)),
    ("coral", "Coral automaton", counted(3), lambda n: n >= 4),
    ("replicator", "Replicator automaton", counted(1, 3, 5, 7), counted(1, 3, 5, 7)),
    ("majority_vote", "Majority vote automaton", lambda n: n > 4, lambda n: n >= 4),
    ("assimilation", "Assimilation automaton", counted(3, 4, 5), lambda n: (n >= 4) & (n <= 7)),
):

    def _next(
        k: Builder,
        state: Expr,
        states: ArrayHandle,
        _born: Callable[[Expr], Expr] = _born,
        _kept: Callable[[Expr], Expr] = _kept,
    ) -> Expr:
        count = k.rng.pick(looped_count, skipping_count, listed_count)(k, state, states)
        if k.rng.chance(0.5):
            living = conditional(state.equals(1), _kept(count), _born(count))
            return conditional(k.let("alive", living), lift(1, I32), 0)
        alive = k.var("alive", lift(0, I32), (0, 1))
        with k.when(state.equals(1)), k.when(_kept(count)):
            k.set(alive, 1)
        with k.orwhen(_born(count)):
            k.set(alive, 1)
        return alive

    define(
        lattices,
        f"{_name}_step",
        f"{_how} step.",
        _next,
        NewState,
        {"state": State, "states": States},
    )


@lattices.formula()
def fractal_step(k: Builder, state: State, states: States) -> NewState:
    """Fractal growth cellular automaton step."""
    count = k.let("live_neighbors", total(beside(k, states)))
    return conditional(state.equals(1) | count.equals(1), lift(1, I32), 0)


@lattices.formula()
def hexagonal_step(k: Builder, state: State, states: States) -> NewState:
    """Parity automaton step on a hexagonal lattice."""
    near = around(k, states)
    count = [*beside(k, states), near.at(-1, 1), near.at(1, -1)]
    return (state + total(count)) % 2


@lattices.formula()
def seeds_step(k: Builder, state: State, states: States) -> NewState:
    """Seeds cellular automaton step."""
    count = k.rng.pick(looped_count, listed_count)(k, state, states)
    return conditional(state.equals(0) & count.equals(2), lift(1, I32), 0)


@lattices.formula(source="Silverman 1984")
def brain_step(k: Builder, phase: Phase, phases: Phases) -> NewPhase:
    """Brian's brain cellular automaton step."""
    near = around(k, phases, INSIDE)
    firing = k.var("firing", lift(0, I32))
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b, k.when(near.moved(a, b).equals(1)):
        k.add(firing, 1)
    fires = phase.equals(0) & firing.equals(2)
    return conditional(fires, lift(1, I32), conditional(phase.equals(1), lift(2, I32), 0))


@lattices.formula(source="Greenberg and Hastings 1978")
def excitable_step(k: Builder, phase: Phase, phases: Phases) -> NewPhase:
    """Greenberg-Hastings excitable medium step."""
    excited = [one.equals(1) for one in beside(k, phases)]
    caught = k.let("excited", excited[0] | excited[1] | excited[2] | excited[3])
    return conditional(phase > 0, (phase + 1) % 4, conditional(caught, lift(1, I32), 0))


@lattices.formula(source="Fisch, Gravner and Griffeath 1991")
def cyclic_step(k: Builder, phase: Phase, phases: Phases) -> NewPhase:
    """Cyclic cellular automaton step."""
    following = k.let("next_phase", (phase + 1) % 4)
    ahead = [one.equals(following) for one in beside(k, phases)]
    return conditional(ahead[0] | ahead[1] | ahead[2] | ahead[3], following, phase)


@lattices.formula(source="Drossel and Schwabl 1992")
def forest_fire_step(
    k: Builder,
    land: Land,
    lands: Lands,
    random_number: Chance,
    growth: Small,
    lightning: Annotated[Expr, Setting(0.002, 0.02)],
) -> Annotated[Expr, new_land]:
    """Forest fire model step."""
    burning = [one.equals(2) for one in beside(k, lands)]
    result = k.var("land_next", lift(0, I32), (0, 2))
    with k.when(land.equals(0) & (random_number < growth)):
        k.set(result, 1)
    with k.orwhen(land.equals(1)):
        kindled = burning[0] | burning[1] | burning[2] | burning[3] | (random_number < lightning)
        k.set(result, conditional(kindled, lift(2, I32), 1))
    return result


@lattices.formula(source="Ising 1925", goal=False)
def neighbor_spins(k: Builder, spins: Spins) -> SpinSum:
    """Sum of the four neighboring spins."""
    return total(beside(k, spins))


@lattices.formula(goal=False)
def triangular_spins(k: Builder, spins: Spins) -> SpinSum:
    """Sum of the six neighboring spins."""
    near = around(k, spins, INSIDE)
    return total(beside(k, spins)) + near.at(-1, 1) + near.at(1, -1)


@lattices.formula(source="Ising 1925")
def ising_energy(
    k: Builder, spin: Spin, spin_sum: SpinSum, coupling: Factor, field: Share
) -> Annotated[Expr, bond_energy]:
    """Ising bond energy."""
    own = k.let("own_spin", convert(k.real, spin))
    return -own * (0.5 * coupling * convert(k.real, spin_sum) + field)


@lattices.formula(source="Metropolis et al. 1953")
def flip_cost(k: Builder, spin: Spin, spin_sum: SpinSum, coupling: Factor, field: Share) -> EnergyChange:
    """Energy change of an Ising spin flip."""
    return 2.0 * convert(k.real, spin) * (coupling * convert(k.real, spin_sum) + field)


@lattices.formula(source="Metropolis et al. 1953")
def metropolis_probability(
    k: Builder, energy_change: EnergyChange, temperature: Annotated[Expr, Setting(1.0, 4.0)]
) -> FlipProbability:
    """Metropolis flip probability."""
    return bounded(ops.exp(-ops.max(energy_change, 0.0) / temperature), 0.0, 1.0)


@lattices.formula(source="Glauber 1963")
def glauber_probability(
    k: Builder, energy_change: EnergyChange, temperature: Annotated[Expr, Setting(1.0, 4.0)]
) -> FlipProbability:
    """Glauber flip probability."""
    return bounded(1.0 / (1.0 + ops.exp(energy_change / temperature)), 0.0, 1.0)


@lattices.formula()
def flipped_spin(
    k: Builder, spin: Spin, flip_probability: FlipProbability, random_number: Chance
) -> Annotated[Expr, new_spin]:
    """Flip an Ising spin with a given probability."""
    return conditional(random_number < flip_probability, -spin, spin)


@lattices.formula(ranks=(2,))
def checkerboard_spin(
    k: Builder,
    spin: Spin,
    flip_probability: FlipProbability,
    random_number: Chance,
    parity: Annotated[Expr, Setting(0, 1, "p", whole)],
) -> Annotated[Expr, new_spin]:
    """Checkerboard update of an Ising spin."""
    chosen = ((k.index[0] + k.index[1]) % 2).equals(parity)
    return conditional(chosen & (random_number < flip_probability), -spin, spin)


@lattices.formula(source="Kermack and McKendrick 1927")
def contact_infection(
    k: Builder, infected_share: Annotated[Expr, infected], infected_shares: InfectedShares, mobility: Share
) -> InfectionPressure:
    """Infection pressure from the surrounding cells."""
    mean = 0.25 * total(beside(k, infected_shares))
    return ops.lerp(infected_share, k.let("mean_around", mean), mobility)


@lattices.formula(source="Kermack and McKendrick 1927")
def spread_infection(
    k: Builder,
    infected_share: Annotated[Expr, infected],
    susceptible_share: Annotated[Expr, susceptible],
    infection_pressure: InfectionPressure,
    infection_rate: Share,
    recovery_rate: Small,
) -> Annotated[Expr, new_infected]:
    """Spatial SIR step of the infected fraction."""
    caught = k.let("infected", infection_rate * susceptible_share * infection_pressure)
    return ops.clamp(infected_share + caught - recovery_rate * infected_share, 0.0, 1.0)


@lattices.formula(source="Bak, Tang and Wiesenfeld 1987")
def toppled_grains(
    k: Builder, grain_count: Annotated[Expr, grains], grain_counts: Annotated[ArrayHandle, grains]
) -> Annotated[Expr, new_grains]:
    """Abelian sandpile step."""
    received = total(_toppling(one) for one in beside(k, grain_counts))
    return bounded(grain_count - 4 * _toppling(grain_count) + received, 0, 11)


def _toppling(count: Expr) -> Expr:
    return conditional(count >= 4, lift(1, I32), 0)


@lattices.formula(source="Schelling 1971")
def unlike_neighbors(k: Builder, phase: Phase, phases: Phases) -> Annotated[Expr, unhappiness]:
    """Fraction of unlike neighbors."""
    near = around(k, phases, INSIDE)
    unlike = k.var("unlike", 0.0)
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b, k.when(near.moved(a, b).differs(phase)):
        k.add(unlike, 1.0)
    return bounded(unlike / 8.0, 0.0, 1.0)


@lattices.formula(source="Clifford and Sudbury 1973")
def voter_phase(k: Builder, phases: Phases, random_number: Chance) -> NewPhase:
    """Voter model step."""
    up, down, left, right = beside(k, phases)
    sideways = conditional(random_number < 0.75, left, right)
    return conditional(random_number < 0.25, up, conditional(random_number < 0.5, down, sideways))
