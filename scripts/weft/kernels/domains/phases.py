"""Reactions that diffuse, phases and level sets on grids."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.cells import (
    POSITIVE,
    Dt,
    Dx,
    Share,
    Small,
    axes,
    centered,
    define,
    from_middle,
    laplacians,
    letter,
    second_order,
    slopes,
    square,
    total,
)
from weft.kernels.expressions import bounded, conditional, construct, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, vector
from weft.kernels.intervals import Interval
from weft.kernels.neighbors import around
from weft.kernels.program import Expr
from weft.types import Vector

phases = Domain("cell", index=("i", "cell"), ranks=(1, 2, 3))

mixture = Quantity("mixture", 0.05, 1.0, vector(2))
reaction = Quantity("reaction", -1.0, 1.0, vector(2))
new_mixture = Quantity("new_mixture", 0.05, 1.0, vector(2), least=-1e5, updates=mixture)
phase = Quantity("phase", -1.0, 1.0)
chemical_potential = Quantity("chemical_potential", -2.0, 2.0)
new_phase = Quantity("new_phase", -1.0, 1.0, updates=phase)
free_energy = Quantity("free_energy", 0.0, 2.0, plural="free_energies", additive=True)
well_slope = Quantity("well_slope", -2.0, 2.0)
level = Quantity("phi", -1.0, 1.0, plural="phi_field")
front_slope = Quantity("front_slope", 0.0, 5.0, computed=True)
level_slope = Quantity("grad_norm", 0.0, 5.0)
curvature = Quantity("curvature", -4.0, 4.0)
front_speed = Quantity("front_speed", -1.0, 1.0)
new_level = Quantity("new_phi", -1.0, 1.0, plural="new_phi_field", updates=level)
laplacian = laplacians(phases, phase, mixture)

Mixture = Annotated[Expr, mixture]
Reaction = Annotated[Expr, reaction]
NewMixture = Annotated[Expr, new_mixture]
MixtureLaplacian = Annotated[Expr, laplacian[mixture]]
Phase = Annotated[Expr, phase]
Phases = Annotated[ArrayHandle, phase]
ChemicalPotential = Annotated[Expr, chemical_potential]
ChemicalPotentials = Annotated[ArrayHandle, chemical_potential]
NewPhase = Annotated[Expr, new_phase]
FreeEnergy = Annotated[Expr, free_energy]
WellSlope = Annotated[Expr, well_slope]
Level = Annotated[Expr, level]
Levels = Annotated[ArrayHandle, level]
SlopeNorm = Annotated[Expr, level_slope]
Curvature = Annotated[Expr, curvature]
FrontSpeed = Annotated[Expr, front_speed]
NewLevel = Annotated[Expr, new_level]
PhaseLaplacian = Annotated[Expr, laplacian[phase]]


CONSTANTS = {
    "feed": (0.02, 0.06),
    "kill": (0.05, 0.07),
    "stimulus": (0.1, 0.6),
    "recovery": (0.05, 0.2),
    "a": (0.5, 1.5),
    "b": (1.5, 3.0),
    "production": (0.5, 1.5),
    "decay": (0.3, 1.0),
    "growth": (0.3, 1.2),
    "predation": (0.5, 1.5),
    "mortality": (0.2, 0.8),
}
TOLD = {
    "gray_scott": "Two units of the second species turn one of the first into a third of their kind",
    "fitzhugh_nagumo": "The first species excites itself, and the second recovers slowly",
    "brusselator": "The steady state is (a, b / a)",
    "schnakenberg": "The second species feeds the first, which decays",
    "gierer_meinhardt": "The first species activates itself, and the second inhibits it",
    "lotka_volterra": "The first species is prey, the second a predator",
}
"""What a reader should know of each reaction."""
REACTIONS: tuple[tuple[str, str, str, Callable[..., tuple[Expr, Expr]]], ...] = (
    (
        "gray_scott",
        "Gray-Scott",
        "Pearson 1993",
        lambda u, v, feed, kill: (feed * (1.0 - u) - u * v * v, u * v * v - (feed + kill) * v),
    ),
    (
        "fitzhugh_nagumo",
        "FitzHugh-Nagumo",
        "FitzHugh 1961",
        lambda u, v, stimulus, recovery: (u - u * u * u / 3.0 - v + stimulus, recovery * (u + 0.7 - 0.8 * v)),
    ),
    (
        "brusselator",
        "Brusselator",
        "Prigogine and Lefever 1968",
        lambda u, v, a, b: (a - (b + 1.0) * u + u * u * v, b * u - u * u * v),
    ),
    (
        "schnakenberg",
        "Schnakenberg",
        "Schnakenberg 1979",
        lambda u, v, feed, production: (feed - u + u * u * v, production - u * u * v),
    ),
    (
        "gierer_meinhardt",
        "Gierer-Meinhardt",
        "Gierer and Meinhardt 1972",
        lambda u, v, production, decay: (production * u * u / v - decay * u, production * u * u - v),
    ),
    (
        "lotka_volterra",
        "Lotka-Volterra",
        "Lotka 1925",
        lambda u, v, growth, predation, mortality: (
            growth * u - predation * u * v,
            predation * u * v - mortality * v,
        ),
    ),
)
for _name, _how, _source, _rates in REACTIONS:

    def _reaction(k: Builder, mixture: Expr, _rates: Any = _rates, **constants: Expr) -> Expr:
        activator, inhibitor = k.let("activator", mixture[0]), k.let("inhibitor", mixture[1])
        rates = _rates(activator, inhibitor, **constants)
        return bounded(construct(Vector(2, k.real), *rates), -1e3, 1e3)

    define(
        phases,
        f"{_name}_reaction",
        f"{_how} reaction. {TOLD[_name]}.",
        _reaction,
        Reaction,
        {"mixture": Mixture}
        | {
            one: Annotated[Expr, Setting(*CONSTANTS[one])]
            for one in inspect.signature(_rates).parameters
            if one in CONSTANTS
        },
        source=_source,
    )


@phases.formula()
def diffused_mixture(
    k: Builder,
    mixture: Mixture,
    mixture_laplacian: MixtureLaplacian,
    reaction: Reaction,
    diffusivity: Annotated[Expr, Setting(0.05, 0.3, "p", vector(2))],
    dt: Dt,
) -> NewMixture:
    """Reaction-diffusion step. It is an explicit Euler step of two species: the diffusivity of each times its
    Laplacian, plus its reaction.
    """
    return mixture + dt * (ops.cw_mul(diffusivity, mixture_laplacian) + reaction)


@phases.formula(source="Cahn and Hilliard 1958")
def cahn_hilliard_potential(
    k: Builder, well_slope: WellSlope, phase_laplacian: PhaseLaplacian, gradient_energy: Small
) -> ChemicalPotential:
    """Cahn-Hilliard chemical potential. It is the slope of the double well minus the gradient term."""
    return well_slope - gradient_energy * phase_laplacian


@phases.formula()
def quartic_well_slope(k: Builder, phase: Phase) -> WellSlope:
    """Derivative of the double-well potential. It is phase^3 - phase, with wells at -1 and 1."""
    return bounded(phase * phase * phase - phase, -1e4, 1e4)


@phases.formula(source="Cahn and Hilliard 1958")
def cahn_hilliard_phase(
    k: Builder,
    phase: Phase,
    chemical_potential: ChemicalPotential,
    chemical_potentials: ChemicalPotentials,
    mobility: Share,
    dt: Dt,
    dx: Dx,
) -> NewPhase:
    """Cahn-Hilliard step. The phase changes at the rate of the mobility times the Laplacian of the chemical
    potential, which conserves its total.
    """
    return phase + dt * mobility * second_order(k, chemical_potentials, chemical_potential, dx)


@phases.formula(source="Allen and Cahn 1979")
def allen_cahn_phase(
    k: Builder,
    phase: Phase,
    phase_laplacian: PhaseLaplacian,
    well_slope: WellSlope,
    interface_width: Share,
    dt: Dt,
) -> NewPhase:
    """Allen-Cahn step. The phase moves to the wells while its interface shrinks."""
    return phase + dt * (phase_laplacian - well_slope / (interface_width * interface_width))


@phases.formula()
def landau_energy(k: Builder, phase: Phase, phases: Phases, gradient_energy: Small, dx: Dx) -> FreeEnergy:
    """Ginzburg-Landau free energy. It is the double-well energy plus that of the gradient."""
    well = k.let("well", phase * phase - 1.0)
    steps = [k.let(f"slope_{letter(k, axis)}", one) for axis, one in enumerate(slopes(k, phases, dx))]
    return bounded(0.25 * well * well + 0.5 * gradient_energy * total(map(square, steps)), 0.0, 1e5)


def godunov(k: Builder, level: Expr, levels: ArrayHandle, dx: Expr, speed: Expr) -> Expr:
    """The norm of the slope from the differences that lie upwind of a front, which moves outwards where its
    speed is positive.
    """
    near = around(k, levels, POSITIVE)
    limits = {one: (k.real, Interval(-1e6, 1e6)) for one in ("backward", "forward", "speed")}
    upwind = k.once(
        f"godunov in {k.name}",
        lambda: k.function(
            "godunov_slope",
            "Return the size of the slope upwind of a front with a speed, from both one-sided differences.",
            limits,
            lambda _, backward, forward, speed: conditional(
                speed > 0.0,
                ops.max(ops.max(backward, -forward), 0.0),
                ops.max(ops.max(-backward, forward), 0.0),
            ),
        ),
    )
    squares = []
    for axis in axes(k):
        before, after = near.pair(axis)
        slope = upwind((level - before) / dx, (after - level) / dx, speed)
        squares.append(square(k.let(f"slope_{letter(k, axis)}", slope)))
    return bounded(ops.sqrt(bounded(total(squares), 0.0, 1e10)), 0.0, 1e5)


@phases.formula(source="Osher and Sethian 1988", goal=False)
def godunov_front_slope(
    k: Builder, phi: Level, phi_field: Levels, front_speed: FrontSpeed, dx: Dx
) -> Annotated[Expr, front_slope]:
    """Upwind gradient norm by Godunov's scheme."""
    return godunov(k, phi, phi_field, dx, front_speed)


@phases.formula(source="Sussman, Smereka and Osher 1994")
def godunov_slope_norm(k: Builder, phi: Level, phi_field: Levels, dx: Dx) -> SlopeNorm:
    """Level-set gradient norm by Godunov's scheme. Differences are taken on the upwind side."""
    return godunov(k, phi, phi_field, dx, phi)


@phases.formula()
def central_slope_norm(k: Builder, phi_field: Levels, dx: Dx) -> SlopeNorm:
    """Level-set gradient norm by central differences. It is 1 where the level set is a distance."""
    steps = [k.let(f"slope_{letter(k, axis)}", one) for axis, one in enumerate(slopes(k, phi_field, dx))]
    if len(steps) == 1:
        return ops.abs(steps[0])
    return bounded(ops.sqrt(bounded(total(map(square, steps)), 0.0, 1e10)), 0.0, 1e5)


@phases.formula(source="Osher and Sethian 1988")
def propagated_level(
    k: Builder, phi: Level, front_speed: FrontSpeed, front_slope: Annotated[Expr, front_slope], dt: Dt
) -> NewLevel:
    """Level-set propagation step. Slopes are taken upwind as Godunov does, and positive speeds move the front
    along its normal.
    """
    return phi - dt * front_speed * front_slope


@phases.formula(source="Sussman, Smereka and Osher 1994")
def reinitialized_level(k: Builder, phi: Level, grad_norm: SlopeNorm, dt: Dt, dx: Dx) -> NewLevel:
    """Level-set reinitialization step. Repeated steps turn the level set back into a signed distance."""
    sign = k.let("smooth_sign", bounded(phi / ops.sqrt(phi * phi + dx * dx), -1.0, 1.0))
    return phi - dt * sign * (grad_norm - 1.0)


@phases.formula(ranks=(2,))
def level_curvature(k: Builder, phi: Level, phi_field: Levels, dx: Dx) -> Curvature:
    """Level-set curvature. It is the divergence of the unit normal, clamped to 1 / dx, the most that the grid
    resolves.
    """
    near = around(k, phi_field, POSITIVE)
    (up, down), (left, right) = near.pair(0), near.pair(1)
    phi_x, phi_y = (
        k.let("phi_x", (right - left) / (2.0 * dx)),
        k.let("phi_y", (down - up) / (2.0 * dx)),
    )
    phi_xx = k.let("phi_xx", (left + right - 2.0 * phi) / (dx * dx))
    phi_yy = k.let("phi_yy", (up + down - 2.0 * phi) / (dx * dx))
    phi_xy = near.at(1, 1) - near.at(1, -1) - near.at(-1, 1) + near.at(-1, -1)
    phi_xy = k.let("phi_xy", phi_xy / (4.0 * dx * dx))
    squares = k.let("squares", square(phi_x) + square(phi_y) + 1e-4)
    bending = phi_xx * phi_y * phi_y - 2.0 * phi_xy * phi_x * phi_y + phi_yy * phi_x * phi_x
    return ops.clamp(bending / (squares * ops.sqrt(squares)), -1.0 / dx, 1.0 / dx)


@phases.formula(ranks=(1, 2, 3))
def ball_level(k: Builder, radius: Annotated[Expr, Setting(0.15, 0.4)]) -> Level:
    """Initialize the level set with a ball. Values are negative inside."""
    return ops.sqrt(from_middle(k)) - radius


@phases.formula(ranks=(1, 2, 3))
def drop_phase(
    k: Builder, radius: Annotated[Expr, Setting(0.15, 0.4)], front_width: Annotated[Expr, Setting(0.02, 0.1)]
) -> Phase:
    """Initialize the phase field with a drop. The drop is in the middle of the grid, whose sides have
    length 1. The phase is the hyperbolic tangent of the radius minus the distance from the middle, over the
    front width.
    """
    distance = k.let("distance", ops.sqrt(from_middle(k)))
    return ops.tanh((radius - distance) / front_width)


@phases.formula(ranks=(1, 2, 3))
def seeded_mixture(k: Builder, half_size: Annotated[Expr, Setting(0.05, 0.2)]) -> Mixture:
    """Initialize a mixture with a seed. The seed, in the middle of the grid, has more of the second
    species.
    """
    first, *rest = (ops.abs(one) < half_size for one in (centered(k, axis) for axis in axes(k)))
    inside = first
    for one in rest:
        inside = inside & one
    seed = k.let("seed", conditional(inside, lift(0.5, k.real), 0.1))
    return bounded(construct(Vector(2, k.real), 1.0 - seed, 0.5 * seed), 0.05, 1.0)
