"""Steps of the lattice Boltzmann method that write all populations of a cell: collision and streaming."""

from __future__ import annotations

from collections.abc import Callable

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.coefficients import uniform, whole
from weft.kernels.domains.lattices import (
    Index,
    each_direction,
    equilibrium,
    layout,
    populations_of,
    velocity_of,
    weights,
)
from weft.kernels.expressions import bounded
from weft.kernels.grids import threads
from weft.kernels.idioms.pairs import zero
from weft.kernels.program import Expr
from weft.kernels.types import I32
from weft.types import Vector


def bgk_collision(k: Builder) -> None:
    """Populations relax towards equilibrium, at one rate or at two (Bhatnagar, Gross and Krook 1954)."""
    _start(k, "bgk_collision", "collide_populations", "relax_populations")
    density, momentum = k.var("density", 0.0), k.var("momentum", zero(Vector(2, k.real)))

    def gather(q: Expr, one: Expr) -> None:
        population = k.let("population", one)
        k.add(density, population)
        k.add(momentum, population * velocity_of(k, q))

    each_direction(k, gather)
    velocity = k.let("velocity", bounded(momentum, -2.0, 2.0) / bounded(density, 0.2, 2.0))
    varied = k.rng.chance(0.4)
    if varied:
        times = k.input("relaxation_times", k.real, k.shape, uniform(0.55, 1.5))
        time = k.let("relaxation_time", times[k.index])
    else:
        time = k.scalar("relaxation_time", k.real, uniform(0.55, 1.5))
    new, place = _new(k)

    def relax(q: Expr, one: Expr) -> None:
        rest = k.let("rest", equilibrium(k, weights(k)[q], velocity_of(k, q), density, velocity))
        population = k.let("population", one)
        k.store(new, place(k.target, q), population - (population - rest) / time)

    each_direction(k, relax)
    k.doc = "Relax the populations of each cell towards equilibrium."
    if varied:
        k.doc += " Each cell has a relaxation time of its own."


def stream_populations(k: Builder) -> None:
    """Populations move to the next cell in their direction, around the ends of a periodic lattice."""
    _start(k, "stream_populations", "pull_populations", "streaming_step")
    _stream(k, lambda populations, place, source, q: populations[place(source, q)])
    k.doc = "Stream the populations of each cell from the neighbors upstream. The lattice is periodic."


def bounce_back(k: Builder) -> None:
    """Populations move to the next cell, and back where they come from a solid one (half-way bounce-back)."""
    _start(k, "bounce_back", "stream_with_walls", "stream_and_bounce")
    layout(k)
    solid = k.input("solid", I32, k.shape, whole(0, 1))
    opposite = k.input("opposite", I32, ["directions"], {"integers": [0, "directions"]})

    def arriving(
        populations: ArrayHandle, place: Callable[[Index, Expr], Index], source: Index, q: Expr
    ) -> Expr:
        arrives = k.var("arrives", populations[place(source, q)])
        with k.when(solid[source].equals(1)):
            k.set(arrives, populations[place(k.index, opposite[q])])
        return arrives

    _stream(k, arriving)
    k.doc = "Stream the populations of each cell, and reflect those that would come out of a solid neighbor."
    k.doc += " The lattice is periodic."


def _stream(
    k: Builder, arriving: Callable[[ArrayHandle, Callable[[Index, Expr], Index], Index, Expr], Expr]
) -> None:
    populations, place = populations_of(k)
    new, _ = _new(k)
    steps = [k.input(name, I32, ["directions"], whole(-1, 1)) for name in ("step_y", "step_x")]
    with k.loop("q", 0, k.size("directions", "directions")) as q:
        source = tuple(
            k.let(f"from_{name}", (index - step[q] + k.extent(axis)) % k.extent(axis))
            for axis, (name, index, step) in enumerate(zip(k.axes, k.index, steps, strict=True))
        )
        k.store(new, place(k.target, q), arriving(populations, place, source, q))


def _start(k: Builder, *names: str) -> None:
    k.name, *k.other_names = names
    k.in_struct = False
    threads(k, 2)


def _new(k: Builder) -> tuple[ArrayHandle, Callable[[Index, Expr], Index]]:
    shape, place = layout(k)
    return k.array("new_populations", k.real, shape, None, "out"), place
