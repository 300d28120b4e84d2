"""Lattices in the plane: the lattice Boltzmann method, and automata of cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.cells import Factor, Share, Small, beside, define, total
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.kernels.types import I32

lattices = Domain("cell", ranks=(2,))

INSIDE = ("clamped", "periodic")

MOORE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]

state = Quantity("state", 0, 1, whole)
new_state = Quantity("new_state", 0, 1, whole, updates=state)
phase = Quantity("phase", 0, 3, whole)
new_phase = Quantity("new_phase", 0, 3, whole, least=0, most=3, updates=phase)
spin = Quantity("spin", -1, 1, whole)
spin_sum = Quantity("spin_sum", -4, 4, whole, least=-8, most=8, derived=True)
spin_energy = Quantity("spin_energy", -4.0, 4.0, plural="spin_energies", additive=True)
energy_change = Quantity("energy_change", -8.0, 8.0, derived=True)
flip_probability = Quantity("flip_probability", 0.0, 1.0, plural="flip_probabilities", derived=True)
chance = Quantity("random_number", 0.0, 1.0)
new_spin = Quantity("new_spin", -1, 1, whole, updates=spin)
land = Quantity("land", 0, 2, whole, plural="lands")
new_land = Quantity("new_land", 0, 2, whole, least=0, most=2, plural="new_lands", updates=land)

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


for _name, _how, _rule, _born, _kept in (
    (
        "life",
        "Game-of-Life",
        "Cells are born with 3 live neighbors, and survive with 2 or 3",
        counted(3),
        counted(2, 3),
    ),
    (
        "high_life",
        "HighLife automaton",
        "Cells are born with 3 or 6 live neighbors, and survive with 2 or 3",
        counted(3, 6),
        counted(2, 3),
    ),
    (
        "maze",
        "Maze automaton",
        "Cells are born with 3 live neighbors, and survive with 1 to 5",
        counted(3),
        lambda n: (n >= 1) & (n <= 5),
    ),
    (
        "coral",
        "Coral automaton",
        "Cells are born with 3 live neighbors, and survive with 4 or more",
        counted(3),
        lambda n: n >= 4,
    ),
    (
        "majority_vote",
        "Majority vote automaton",
        "Cells take the state of the majority of the 3 x 3 window",
        lambda n: n > 4,
        lambda n: n >= 4,
    ),
    (
        "assimilation",
        "Assimilation automaton",
        "Cells are born with 3 to 5 live neighbors, and survive with 4 to 7",
        counted(3, 4, 5),
        lambda n: (n >= 4) & (n <= 7),
    ),
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
        f"{_how} step. {_rule}.",
        _next,
        NewState,
        {"state": State, "states": States},
    )


@lattices.formula(source="Fredkin")
def replicator_step(k: Builder, state: State, states: States) -> NewState:
    """Replicator automaton step. Cells live with an odd number of live neighbors."""
    return bounded(looped_count(k, state, states) & 1, 0, 1)


@lattices.formula(source="Silverman 1984")
def brain_step(k: Builder, phase: Phase, phases: Phases) -> NewPhase:
    """Brian's brain cellular automaton step. Cells fire, then rest, then are ready again."""
    near = around(k, phases, INSIDE)
    firing = k.var("firing", lift(0, I32))
    with k.loop("a", -1, 2) as a, k.loop("b", -1, 2) as b, k.when(near.moved(a, b).equals(1)):
        k.add(firing, 1)
    fires = phase.equals(0) & firing.equals(2)
    return conditional(fires, lift(1, I32), conditional(phase.equals(1), lift(2, I32), 0))


@lattices.formula(source="Greenberg and Hastings 1978")
def excitable_step(k: Builder, phase: Phase, phases: Phases) -> NewPhase:
    """Greenberg-Hastings excitable medium step. Cells are excited by neighbors, then recover step by step."""
    excited = [one.equals(1) for one in beside(k, phases)]
    caught = k.let("excited", excited[0] | excited[1] | excited[2] | excited[3])
    return conditional(phase > 0, (phase + 1) % 4, conditional(caught, lift(1, I32), 0))


@lattices.formula(source="Drossel and Schwabl 1992")
def forest_fire_step(
    k: Builder,
    land: Land,
    lands: Lands,
    random_number: Chance,
    growth: Small,
    lightning: Annotated[Expr, Setting(0.002, 0.02)],
) -> Annotated[Expr, new_land]:
    """Forest fire model step. Trees grow at random and burn beside burning ones."""
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


@lattices.formula(source="Ising 1925")
def ising_energy(
    k: Builder, spin: Spin, spin_sum: SpinSum, coupling: Factor, field: Share
) -> Annotated[Expr, spin_energy]:
    """Ising energy of a spin. Half of each bond counts, and the field acts on the spin itself."""
    own = k.let("own_spin", convert(k.real, spin))
    return -(own * (0.5 * coupling * convert(k.real, spin_sum) + field))


@lattices.formula(source="Metropolis et al. 1953")
def flip_cost(k: Builder, spin: Spin, spin_sum: SpinSum, coupling: Factor, field: Share) -> EnergyChange:
    """Energy change of an Ising spin flip. It is 2 s (J times the sum of the neighbors, plus the field)."""
    return 2.0 * convert(k.real, spin) * (coupling * convert(k.real, spin_sum) + field)


@lattices.formula(source="Metropolis et al. 1953")
def metropolis_probability(
    k: Builder, energy_change: EnergyChange, temperature: Annotated[Expr, Setting(1.0, 4.0)]
) -> FlipProbability:
    """Metropolis flip probability. It is min(1, exp(-dE / T)) for an energy change dE, with Boltzmann's
    constant 1.
    """
    return bounded(ops.exp(-ops.max(energy_change, 0.0) / temperature), 0.0, 1.0)


@lattices.formula(source="Glauber 1963")
def glauber_probability(
    k: Builder, energy_change: EnergyChange, temperature: Annotated[Expr, Setting(1.0, 4.0)]
) -> FlipProbability:
    """Glauber flip probability. It is 1 / (1 + exp(dE / T)) for an energy change dE, with Boltzmann's
    constant 1.
    """
    return bounded(1.0 / (1.0 + ops.exp(energy_change / temperature)), 0.0, 1.0)


@lattices.formula()
def flipped_spin(
    k: Builder, spin: Spin, flip_probability: FlipProbability, random_number: Chance
) -> Annotated[Expr, new_spin]:
    """Flip an Ising spin with a given probability. A spin flips where a random number is below the
    probability.
    """
    return conditional(random_number < flip_probability, -spin, spin)


@lattices.formula(ranks=(2,))
def checkerboard_spin(
    k: Builder,
    spin: Spin,
    flip_probability: FlipProbability,
    random_number: Chance,
    parity: Annotated[Expr, Setting(0, 1, "p", whole)],
) -> Annotated[Expr, new_spin]:
    """Checkerboard update of an Ising spin. Row plus column of spins that may flip is even for a parity of 0,
    and odd for 1.
    """
    chosen = ((k.index[0] + k.index[1]) % 2).equals(parity)
    return conditional(chosen & (random_number < flip_probability), -spin, spin)
