"""Fields on grids: heat, transport by a flow, Burgers' equation and waves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.domains.cells import (
    POSITIVE,
    Dt,
    Dx,
    Factor,
    NewVelocity,
    Share,
    Small,
    Temperature,
    Temperatures,
    Velocities,
    Velocity,
    along,
    axes,
    beside,
    define,
    flow,
    from_middle,
    laplacians,
    letter,
    slopes,
    square,
    temperature,
    total,
    vector,
)
from weft.kernels.expressions import bounded, conditional, convert, ops
from weft.kernels.formulas import Domain, Quantity, Setting
from weft.kernels.intervals import Interval
from weft.kernels.neighbors import around, interpolated
from weft.kernels.program import Expr

fields = Domain("cell", index=("i", "cell"), ranks=(1, 2, 3))

conductivity = Quantity("conductivity", 0.2, 2.0)
heat_source = Quantity("heat_source", 0.0, 2.0)
temperature_rate = Quantity("temperature_rate", -10.0, 10.0)
temperature_gradient = Quantity("temperature_gradient", -5.0, 5.0, flow)
heat_flux = Quantity("heat_flux", -5.0, 5.0, flow, plural="heat_fluxes")
new_temperature = Quantity("new_temperature", 0.0, 1.0, least=-1e5, most=1e5, updates=temperature)
speed = Quantity("speed", 0.0, 2.0, extremal=True)
concentration = Quantity("concentration", 0.0, 1.0)
advection_rate = Quantity("advection_rate", -5.0, 5.0)
new_concentration = Quantity("new_concentration", 0.0, 1.0, least=-1e5, most=1e5, updates=concentration)
departure = Quantity("departure_point", 0.0, 30.0, flow, least=-1e6, most=1e6)
displacement = Quantity("displacement", -1.0, 1.0)
old_displacement = Quantity("old_displacement", -1.0, 1.0)
wave_acceleration = Quantity("wave_acceleration", -10.0, 10.0, computed=True)
new_displacement = Quantity("new_displacement", -1.0, 1.0)
displacement_rate = Quantity("displacement_rate", -2.0, 2.0)
wave_energy = Quantity("wave_energy", 0.0, 5.0, plural="wave_energies", additive=True)
laplacian = laplacians(fields, temperature, concentration, displacement)

Conductivity = Annotated[Expr, conductivity]
Conductivities = Annotated[ArrayHandle, conductivity]
HeatSource = Annotated[Expr, heat_source]
TemperatureRate = Annotated[Expr, temperature_rate]
TemperatureGradient = Annotated[Expr, temperature_gradient]
HeatFlux = Annotated[Expr, heat_flux]
NewTemperature = Annotated[Expr, new_temperature]
Concentration = Annotated[Expr, concentration]
Concentrations = Annotated[ArrayHandle, concentration]
AdvectionRate = Annotated[Expr, advection_rate]
NewConcentration = Annotated[Expr, new_concentration]
DeparturePoint = Annotated[Expr, departure]
Displacement = Annotated[Expr, displacement]
Displacements = Annotated[ArrayHandle, displacement]
OldDisplacement = Annotated[Expr, old_displacement]
WaveAcceleration = Annotated[Expr, wave_acceleration]
NewDisplacement = Annotated[Expr, new_displacement]
DisplacementRate = Annotated[Expr, displacement_rate]
WaveEnergy = Annotated[Expr, wave_energy]
TemperatureLaplacian = Annotated[Expr, laplacian[temperature]]
DisplacementLaplacian = Annotated[Expr, laplacian[displacement]]


@fields.formula()
def temperature_slope(k: Builder, temperatures: Temperatures, dx: Dx) -> TemperatureGradient:
    """Temperature gradient by central differences. Cells are dx apart."""
    return vector(k, slopes(k, temperatures, dx))


@fields.formula()
def diffusion_rate(
    k: Builder, temperature_laplacian: TemperatureLaplacian, diffusivity: Share
) -> TemperatureRate:
    """Rate of heat diffusion. It is the diffusivity times the Laplacian."""
    return diffusivity * temperature_laplacian


@fields.formula()
def heated_diffusion_rate(
    k: Builder,
    temperature_laplacian: TemperatureLaplacian,
    heat_source: HeatSource,
    diffusivity: Share,
    heat_capacity: Factor,
) -> TemperatureRate:
    """Rate of the heat equation with a source term. It is the diffusivity times the Laplacian, plus the
    source over the heat capacity.
    """
    return diffusivity * temperature_laplacian + heat_source / heat_capacity


@fields.formula()
def conductive_rate(
    k: Builder,
    temperature: Temperature,
    temperatures: Temperatures,
    conductivity: Conductivity,
    conductivities: Conductivities,
    dx: Dx,
) -> TemperatureRate:
    """Rate of heat conduction with harmonic-mean conductivities. Faces between cells conduct by the harmonic
    mean of both.
    """
    warm, leads = around(k, temperatures, POSITIVE), around(k, conductivities, POSITIVE)
    limits = {one: (k.real, Interval(1e-4, 1e5)) for one in "ab"}
    mean = k.function(
        "harmonic_mean",
        "Return the harmonic mean.",
        limits,
        lambda _, a, b: 2.0 * a * b / (a + b),
    )
    terms = [
        bounded(mean(conductivity, lead), 1e-4, 100.0) * (there - temperature)
        for axis in axes(k)
        for there, lead in zip(warm.pair(axis), leads.pair(axis), strict=True)
    ]
    return total(terms) / (dx * dx)


@fields.formula()
def heated_temperature(
    k: Builder, temperature: Temperature, temperature_rate: TemperatureRate, dt: Dt
) -> NewTemperature:
    """Explicit Euler step of the temperature. The step is stable if dt is small against dx^2 over the
    diffusivity.
    """
    return temperature + dt * temperature_rate


@fields.formula()
def jacobi_temperature(
    k: Builder, temperatures: Temperatures, heat_source: HeatSource, thermal_conductivity: Factor, dx: Dx
) -> NewTemperature:
    """Jacobi iteration of the steady heat equation. Each cell gets the mean of its neighbors plus dx^2 q /
    (2 d k), for the heat source q and the conductivity k in d dimensions.
    """
    source = dx * dx * heat_source / thermal_conductivity
    return (total(beside(k, temperatures)) + source) / (2.0 * len(k.shape))


@fields.formula()
def fourier_flux(
    k: Builder, conductivity: Conductivity, temperature_gradient: TemperatureGradient
) -> HeatFlux:
    """Heat flux by Fourier's law. Heat flows down the temperature gradient."""
    return -conductivity * temperature_gradient


def _upwind(k: Builder, speed: Expr, own: Expr, before: Expr, after: Expr) -> Expr:
    return conditional(speed > 0.0, speed * (own - before), speed * (after - own))


def _split(k: Builder, speed: Expr, own: Expr, before: Expr, after: Expr) -> Expr:
    return ops.max(speed, 0.0) * (own - before) + ops.min(speed, 0.0) * (after - own)


def _diffusive(k: Builder, speed: Expr, own: Expr, before: Expr, after: Expr) -> Expr:
    return 0.5 * speed * (after - before) - 0.5 * ops.abs(speed) * (before + after - 2.0 * own)


def _transported(
    k: Builder,
    velocity: Expr,
    concentration: Expr,
    concentrations: ArrayHandle,
    dx: Expr,
    term: Callable[..., Expr],
) -> Expr:
    near = around(k, concentrations)
    terms = [term(k, along(k, velocity, axis), concentration, *near.pair(axis)) for axis in axes(k)]
    named = (
        [k.let(f"transport_{letter(k, axis)}", one) for axis, one in enumerate(terms)] if terms[1:] else terms
    )
    return -total(named) / dx


for _name, _how, _term in (
    ("upwind_transport", "Upwind advection term. Differences are taken from where the flow comes", _upwind),
    (
        "split_upwind_transport",
        "Split-velocity upwind advection term. "
        "Positive and negative velocities take differences of opposite sides",
        _split,
    ),
    (
        "diffusive_upwind_transport",
        "Upwind advection term, as central differences plus numerical diffusion",
        _diffusive,
    ),
):
    define(
        fields,
        _name,
        f"{_how}.",
        lambda k, _term=_term, **of: _transported(k, **of, term=_term),
        AdvectionRate,
        {"velocity": Velocity, "concentration": Concentration, "concentrations": Concentrations, "dx": Dx},
    )


@fields.formula()
def advected_concentration(
    k: Builder, concentration: Concentration, advection_rate: AdvectionRate, dt: Dt
) -> NewConcentration:
    """Advect the concentration by one explicit step. Differences are of first order, upwind."""
    return concentration + dt * advection_rate


@fields.formula(source="Stam 1999", ranks=(1, 2, 3))
def traced_departure(
    k: Builder, velocity: Velocity, dt: Annotated[Expr, Setting(0.2, 1.0)], dx: Dx
) -> DeparturePoint:
    """Semi-Lagrangian departure point. It is where the flow that arrives at a cell started."""
    return vector(
        k, (convert(k.real, k.index[axis]) - dt / dx * along(k, velocity, axis) for axis in axes(k))
    )


@fields.formula(source="Stam 1999")
def semi_lagrangian_concentration(
    k: Builder, departure_point: DeparturePoint, concentrations: Concentrations
) -> NewConcentration:
    """Advect the concentration by the semi-Lagrangian method. Each cell takes the value interpolated at its
    departure point, which is in grid units.
    """
    return interpolated(k, concentrations, [along(k, departure_point, axis) for axis in axes(k)])


@fields.formula(ranks=(1,))
def viscous_burgers_velocity(
    k: Builder, velocity: Velocity, velocities: Velocities, viscosity: Small, dt: Dt, dx: Dx
) -> NewVelocity:
    """Viscous Burgers step. Advection and diffusion are by central differences."""
    before, after = around(k, velocities).pair(0)
    advection = k.let("advection", velocity * (after - before) / (2.0 * dx))
    diffusion = k.let("diffusion", viscosity * (before + after - 2.0 * velocity) / (dx * dx))
    return velocity + dt * (diffusion - advection)


@fields.formula()
def elastic_acceleration(
    k: Builder, displacement_laplacian: DisplacementLaplacian, wave_speed: Factor
) -> WaveAcceleration:
    """Acceleration from the wave equation. It is the squared wave speed times the Laplacian."""
    return wave_speed * wave_speed * displacement_laplacian


@fields.formula()
def damped_acceleration(
    k: Builder,
    displacement_laplacian: DisplacementLaplacian,
    displacement_rate: DisplacementRate,
    wave_speed: Factor,
    damping: Share,
) -> WaveAcceleration:
    """Acceleration from the damped wave equation. Damping is proportional to the velocity."""
    return wave_speed * wave_speed * displacement_laplacian - damping * displacement_rate


@fields.formula()
def leapfrog_displacement(
    k: Builder,
    displacement: Displacement,
    old_displacement: OldDisplacement,
    wave_acceleration: WaveAcceleration,
    dt: Dt,
) -> NewDisplacement:
    """Leapfrog step of the displacement. It needs the displacements of the last two steps."""
    return 2.0 * displacement - old_displacement + dt * dt * wave_acceleration


@fields.formula()
def elastic_wave_energy(
    k: Builder, displacement_rate: DisplacementRate, displacements: Displacements, wave_speed: Factor, dx: Dx
) -> WaveEnergy:
    """Wave energy density. For unit mass density, it is half the squared velocity plus half the squared wave
    speed times the squared slope, by central differences.
    """
    strain = [k.let(f"slope_{letter(k, axis)}", one) for axis, one in enumerate(slopes(k, displacements, dx))]
    potential = wave_speed * wave_speed * total(square(one) for one in strain)
    return bounded(0.5 * (square(displacement_rate) + potential), 0.0, 1e5)


@fields.formula(ranks=(1, 2, 3))
def gaussian_temperature(k: Builder, sigma: Share, peak: Share) -> Temperature:
    """Initialize the temperature with a Gaussian bump. The bump is in the middle of the grid, and sigma is a
    fraction of the length of each side.
    """
    away = k.let("exponent", from_middle(k) / (2.0 * sigma * sigma))
    return bounded(peak * ops.exp(-bounded(away, 0.0, 50.0)), 0.0, 1.0)


@fields.formula(ranks=(1, 2, 3))
def pulse_displacement(k: Builder, pulse_width: Share) -> Annotated[Expr, displacement]:
    """Initialize the displacement with a Ricker pulse. The pulse is in the middle of the grid, and its width
    is a fraction of the length of each side.
    """
    away = k.let("exponent", bounded(from_middle(k) / (pulse_width * pulse_width), 0.0, 75.0))
    return bounded((1.0 - away) * ops.exp(-0.5 * away), -1.0, 1.0)
