"""Fields on grids: heat, transport by a flow, Burgers' equation and waves."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Annotated, Any

from weft.kernels.arrays import ArrayHandle
from weft.kernels.builder import Builder
from weft.kernels.constants import PI, TWO_PI
from weft.kernels.domains.cells import (
    GRIDS,
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
    centered,
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
from weft.kernels.expressions import bounded, conditional, convert, lift, ops
from weft.kernels.formulas import Domain, Quantity, Setting, whole
from weft.kernels.intervals import Interval
from weft.kernels.neighbors import around, interpolated
from weft.kernels.program import Expr
from weft.types import Vector

fields = Domain("cell", index=("i", "cell"), ranks=(1, 2, 3))

conductivity = Quantity("conductivity", 0.2, 2.0)
heat_source = Quantity("heat_source", 0.0, 2.0)
temperature_rate = Quantity("temperature_rate", -10.0, 10.0)
temperature_gradient = Quantity("temperature_gradient", -5.0, 5.0, flow)
heat_flux = Quantity("heat_flux", -5.0, 5.0, flow, plural="heat_fluxes")
heat_flow = Quantity("heat_flow", 0.0, 10.0, extremal=True)
new_temperature = Quantity("new_temperature", 0.0, 1.0, least=-1e5, most=1e5, updates=temperature)
thermal_energy = Quantity("thermal_energy", 0.0, 10.0, additive=True, least=-1e5)
speed = Quantity("speed", 0.0, 2.0, extremal=True)
courant_number = Quantity("courant_number", 0.0, 1.0, most=1e5, extremal=True)
concentration = Quantity("concentration", 0.0, 1.0)
advection_rate = Quantity("advection_rate", -5.0, 5.0)
new_concentration = Quantity("new_concentration", 0.0, 1.0, least=-1e5, most=1e5, updates=concentration)
slope_ratio = Quantity("slope_ratio", -2.0, 4.0)
limiter = Quantity("limiter", 0.0, 2.0)
limited_slope = Quantity("limited_slope", -1.0, 1.0)
face_concentration = Quantity("face_concentration", 0.0, 1.0, least=-1e5, most=1e5)
face_flux = Quantity("face_flux", -1.0, 1.0, plural="face_fluxes")
burgers_flux = Quantity("burgers_flux", -0.5, 1.0, plural="burgers_fluxes")
departure = Quantity("departure_point", 0.0, 30.0, flow, least=-1e6, most=1e6)
displacement = Quantity("displacement", -1.0, 1.0)
old_displacement = Quantity("old_displacement", -1.0, 1.0)
wave_acceleration = Quantity("wave_acceleration", -10.0, 10.0)
new_displacement = Quantity("new_displacement", -1.0, 1.0)
displacement_rate = Quantity("displacement_rate", -2.0, 2.0)
wave_energy = Quantity("wave_energy", 0.0, 5.0, plural="wave_energies", additive=True)
depth = Quantity("depth", 0.5, 2.0)
current = Quantity("current", -0.5, 0.5, flow)
laplacian = laplacians(fields, temperature, concentration, displacement)

Conductivity = Annotated[Expr, conductivity]
Conductivities = Annotated[ArrayHandle, conductivity]
HeatSource = Annotated[Expr, heat_source]
TemperatureRate = Annotated[Expr, temperature_rate]
TemperatureGradient = Annotated[Expr, temperature_gradient]
HeatFlux = Annotated[Expr, heat_flux]
HeatFlow = Annotated[Expr, heat_flow]
NewTemperature = Annotated[Expr, new_temperature]
ThermalEnergy = Annotated[Expr, thermal_energy]
Concentration = Annotated[Expr, concentration]
Concentrations = Annotated[ArrayHandle, concentration]
AdvectionRate = Annotated[Expr, advection_rate]
NewConcentration = Annotated[Expr, new_concentration]
SlopeRatio = Annotated[Expr, slope_ratio]
Limiter = Annotated[Expr, limiter]
LimitedSlope = Annotated[Expr, limited_slope]
FaceConcentration = Annotated[Expr, face_concentration]
FaceFlux = Annotated[Expr, face_flux]
FaceFluxes = Annotated[ArrayHandle, face_flux]
BurgersFlux = Annotated[Expr, burgers_flux]
BurgersFluxes = Annotated[ArrayHandle, burgers_flux]
DeparturePoint = Annotated[Expr, departure]
Displacement = Annotated[Expr, displacement]
Displacements = Annotated[ArrayHandle, displacement]
OldDisplacement = Annotated[Expr, old_displacement]
WaveAcceleration = Annotated[Expr, wave_acceleration]
NewDisplacement = Annotated[Expr, new_displacement]
DisplacementRate = Annotated[Expr, displacement_rate]
WaveEnergy = Annotated[Expr, wave_energy]
Current = Annotated[Expr, current]
TemperatureLaplacian = Annotated[Expr, laplacian[temperature]]
ConcentrationLaplacian = Annotated[Expr, laplacian[concentration]]
DisplacementLaplacian = Annotated[Expr, laplacian[displacement]]


@fields.formula()
def temperature_slope(k: Builder, temperatures: Temperatures, dx: Dx) -> TemperatureGradient:
    """Temperature gradient by central differences."""
    return vector(k, slopes(k, temperatures, dx))


@fields.formula()
def diffusion_rate(
    k: Builder, temperature_laplacian: TemperatureLaplacian, diffusivity: Share
) -> TemperatureRate:
    """Heat diffusion."""
    return diffusivity * temperature_laplacian


@fields.formula()
def heated_diffusion_rate(
    k: Builder,
    temperature_laplacian: TemperatureLaplacian,
    heat_source: HeatSource,
    diffusivity: Share,
    heat_capacity: Factor,
) -> TemperatureRate:
    """Heat equation with a source term."""
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
    """Heat conduction with harmonic-mean conductivities."""
    warm, leads = around(k, temperatures, POSITIVE), around(k, conductivities, POSITIVE)
    limits = {one: (k.real, Interval(1e-4, 1e5)) for one in "ab"}
    mean = k.function(
        "harmonic_mean", "Harmonic mean of two numbers.", limits, lambda _, a, b: 2.0 * a * b / (a + b)
    )
    terms = [
        bounded(mean(conductivity, lead), 1e-4, 100.0) * (there - temperature)
        for axis in axes(k)
        for there, lead in zip(warm.pair(axis), leads.pair(axis), strict=True)
    ]
    return total(terms) / (dx * dx)


@fields.formula()
def mean_conductive_rate(
    k: Builder,
    temperature: Temperature,
    temperatures: Temperatures,
    conductivity: Conductivity,
    conductivities: Conductivities,
    dx: Dx,
) -> TemperatureRate:
    """Heat conduction with arithmetic-mean conductivities."""
    warm, leads = around(k, temperatures), around(k, conductivities)
    terms = [
        (conductivity + lead) * (there - temperature)
        for axis in axes(k)
        for there, lead in zip(warm.pair(axis), leads.pair(axis), strict=True)
    ]
    return 0.5 * total(terms) / (dx * dx)


@fields.formula(ranks=GRIDS)
def anisotropic_rate(
    k: Builder,
    temperature: Temperature,
    temperatures: Temperatures,
    diffusivity: Annotated[Expr, Setting(0.05, 0.5, "p", flow)],
    dx: Dx,
) -> TemperatureRate:
    """Anisotropic heat diffusion."""
    near = around(k, temperatures)
    terms = []
    for axis in axes(k):
        before, after = near.pair(axis)
        terms.append(along(k, diffusivity, axis) * (before + after - 2.0 * temperature))
    return total(terms) / (dx * dx)


@fields.formula()
def radiative_source(k: Builder, temperature: Temperature, emissivity: Share, absorbed: Factor) -> HeatSource:
    """Radiative heat balance of a surface."""
    square = k.let("square", temperature * temperature)
    return ops.max(absorbed - emissivity * square * square, 0.0)


@fields.formula()
def joule_source(k: Builder, current: Current, resistance: Factor) -> HeatSource:
    """Joule heating."""
    return resistance * square(current)


@fields.formula()
def arrhenius_source(
    k: Builder, temperature: Temperature, prefactor: Factor, activation_energy: Factor
) -> HeatSource:
    """Arrhenius heat release of combustion."""
    return prefactor * ops.exp(-activation_energy / ops.max(temperature, 0.05))


@fields.formula()
def heated_temperature(
    k: Builder, temperature: Temperature, temperature_rate: TemperatureRate, dt: Dt
) -> NewTemperature:
    """Explicit Euler step of the temperature."""
    return temperature + dt * temperature_rate


@fields.formula()
def jacobi_temperature(
    k: Builder, temperatures: Temperatures, heat_source: HeatSource, conductance: Factor, dx: Dx
) -> NewTemperature:
    """Jacobi iteration of the steady heat equation."""
    return (total(beside(k, temperatures)) + dx * dx * heat_source / conductance) / (2.0 * len(k.shape))


@fields.formula()
def fourier_flux(
    k: Builder, conductivity: Conductivity, temperature_gradient: TemperatureGradient
) -> HeatFlux:
    """Heat flux by Fourier's law."""
    return -conductivity * temperature_gradient


@fields.formula()
def softened_conductivity(
    k: Builder, temperature: Temperature, base_conductivity: Factor, slope: Share
) -> Conductivity:
    """Temperature-dependent conductivity."""
    return base_conductivity * (1.0 + slope * temperature)


@fields.formula()
def heat_flow_size(k: Builder, heat_flux: HeatFlux) -> HeatFlow:
    """Magnitude of the heat flux."""
    return ops.length(heat_flux) if isinstance(heat_flux.type, Vector) else ops.abs(heat_flux)


@fields.formula()
def stored_heat(k: Builder, temperature: Temperature, heat_capacity: Factor) -> ThermalEnergy:
    """Stored thermal energy."""
    return heat_capacity * temperature


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
    ("upwind_transport", "Upwind advection term", _upwind),
    ("split_upwind_transport", "First-order upwind advection with a split velocity", _split),
    (
        "diffusive_upwind_transport",
        "Upwind advection as central differences plus numerical diffusion",
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
def centered_transport(
    k: Builder, velocity: Velocity, concentrations: Concentrations, dx: Dx
) -> AdvectionRate:
    """Central-difference advection term."""
    steps = slopes(k, concentrations, dx)
    return -total(along(k, velocity, axis) * one for axis, one in enumerate(steps))


@fields.formula()
def advected_concentration(
    k: Builder, concentration: Concentration, advection_rate: AdvectionRate, dt: Dt
) -> NewConcentration:
    """Advect the concentration by one explicit step."""
    return concentration + dt * advection_rate


@fields.formula()
def transported_concentration(
    k: Builder,
    concentration: Concentration,
    advection_rate: AdvectionRate,
    concentration_laplacian: ConcentrationLaplacian,
    diffusivity: Small,
    decay: Share,
    dt: Dt,
) -> NewConcentration:
    """Advection, diffusion and decay of a concentration."""
    change = advection_rate + diffusivity * concentration_laplacian - decay * concentration
    return concentration + dt * k.let("change", change)


SCHEMES: tuple[tuple[str, str, Callable[..., Expr]], ...] = (
    (
        "lax_wendroff",
        "Lax-Wendroff advection step",
        lambda c, left, own, right: own - 0.5 * c * (right - left) + 0.5 * c * c * (left - 2.0 * own + right),
    ),
    (
        "lax_friedrichs",
        "Lax-Friedrichs advection step",
        lambda c, left, right: 0.5 * (left + right) - 0.5 * c * (right - left),
    ),
    ("upwind", "First-order upwind advection step", lambda c, left, own: own - c * (own - left)),
    (
        "viscous_central",
        "Central advection step with artificial viscosity",
        lambda c, left, own, right: own - 0.5 * c * (right - left) + 0.05 * (left - 2.0 * own + right),
    ),
)
for _name, _how, _scheme in SCHEMES:

    def _advanced(
        k: Builder, concentrations: ArrayHandle, courant_number: Expr, _scheme: Any = _scheme, **own: Expr
    ) -> Expr:
        near = around(k, concentrations)
        read = {"left": -1, "right": 1}
        needs = [one for one in inspect.signature(_scheme).parameters if one in read]
        sides = {one: near.side(0, read[one]) for one in needs}
        values = dict(zip(["own"], own.values(), strict=False)) | sides
        return bounded(_scheme(courant_number, **values), -1e4, 1e4)

    define(
        fields,
        f"{_name}_step",
        f"{_how}.",
        _advanced,
        NewConcentration,
        ({"concentration": Concentration} if "own" in inspect.signature(_scheme).parameters else {})
        | {"concentrations": Concentrations, "courant_number": Share},
        ranks=(1,),
    )


@fields.formula(ranks=(1,), source="Leonard 1979")
def quick_face(k: Builder, concentration: Concentration, concentrations: Concentrations) -> FaceConcentration:
    """QUICK face interpolation."""
    before, after = around(k, concentrations).pair(0)
    return 0.375 * after + 0.75 * concentration - 0.125 * before


@fields.formula(ranks=(1,))
def smoothness_ratio(k: Builder, concentration: Concentration, concentrations: Concentrations) -> SlopeRatio:
    """Ratio of consecutive differences for a flux limiter."""
    before, after = around(k, concentrations).pair(0)
    backward = k.let("backward", concentration - before)
    forward = k.let("forward", after - concentration)
    return backward * forward / (forward * forward + 1e-4)


LIMITERS: tuple[tuple[str, str, str, Callable[[Expr], Expr]], ...] = (
    ("minmod", "Minmod", "Roe 1986", lambda r: ops.clamp(r, 0.0, 1.0)),
    (
        "superbee",
        "Superbee",
        "Roe 1986",
        lambda r: ops.max(ops.max(ops.min(2.0 * r, 1.0), ops.min(r, 2.0)), 0.0),
    ),
    (
        "van_leer",
        "Van Leer",
        "van Leer 1974",
        lambda r: bounded((r + ops.abs(r)) / (1.0 + ops.abs(r)), 0.0, 2.0),
    ),
    (
        "van_albada",
        "Van Albada",
        "van Albada 1982",
        lambda r: bounded(ops.max((r * r + r) / (r * r + 1.0), 0.0), 0.0, 2.0),
    ),
    (
        "monotonized_central",
        "Monotonized central",
        "van Leer 1977",
        lambda r: ops.max(ops.min(ops.min(2.0 * r, 0.5 * (1.0 + r)), 2.0), 0.0),
    ),
    (
        "koren",
        "Koren",
        "Koren 1993",
        lambda r: ops.max(ops.min(ops.min(2.0 * r, (1.0 + 2.0 * r) / 3.0), 2.0), 0.0),
    ),
    ("osher", "Osher", "Chakravarthy and Osher 1983", lambda r: ops.clamp(r, 0.0, 1.5)),
    (
        "ospre",
        "Ospre",
        "Waterson and Deconinck 1995",
        lambda r: bounded(ops.max(1.5 * (r * r + r) / bounded(r * r + r + 1.0, 0.75, 2e10), 0.0), 0.0, 2.0),
    ),
)
for _name, _how, _source, _curve in LIMITERS:
    define(
        fields,
        f"{_name}_limiter",
        f"{_how} flux limiter.",
        lambda k, slope_ratio, _curve=_curve: _curve(slope_ratio),
        Limiter,
        {"slope_ratio": SlopeRatio},
        source=_source,
    )


@fields.formula(ranks=(1,), source="van Leer 1979")
def limited_difference(
    k: Builder, concentration: Concentration, concentrations: Concentrations, limiter: Limiter
) -> LimitedSlope:
    """Limited slope from the forward difference."""
    after = around(k, concentrations).side(0, 1)
    return limiter * (after - concentration)


@fields.formula(ranks=(1,), source="Roe 1986")
def minmod_slope(k: Builder, concentration: Concentration, concentrations: Concentrations) -> LimitedSlope:
    """Minmod slope."""
    before, after = around(k, concentrations).pair(0)
    backward = k.let("backward", concentration - before)
    forward = k.let("forward", after - concentration)
    slope = k.var("slope", 0.0)
    with k.when(backward * forward > 0.0):
        k.set(slope, conditional(ops.abs(backward) < ops.abs(forward), backward, forward))
    return bounded(slope, -1.0, 1.0)


@fields.formula(ranks=(1,), source="van Leer 1979")
def muscl_face(
    k: Builder, concentration: Concentration, limited_slope: LimitedSlope, courant: Share
) -> FaceConcentration:
    """MUSCL face reconstruction."""
    return concentration + 0.5 * (1.0 - courant) * limited_slope


@fields.formula(ranks=(1,))
def transported_face_flux(k: Builder, face_concentration: FaceConcentration, flow_speed: Factor) -> FaceFlux:
    """Advective face flux of a uniform flow."""
    return flow_speed * face_concentration


@fields.formula(ranks=(1,))
def rusanov_face_flux(
    k: Builder,
    velocity: Velocity,
    velocities: Velocities,
    concentration: Concentration,
    concentrations: Concentrations,
) -> FaceFlux:
    """Rusanov advection flux."""
    next_velocity = around(k, velocities).side(0, 1)
    after = around(k, concentrations).side(0, 1)
    fastest = k.let("fastest", ops.max(ops.abs(velocity), ops.abs(next_velocity)))
    mean = 0.5 * (velocity * concentration + next_velocity * after)
    return mean - 0.5 * fastest * (after - concentration)


@fields.formula(ranks=(1,))
def conserved_concentration(
    k: Builder, concentration: Concentration, face_fluxes: FaceFluxes, dt: Dt, dx: Dx
) -> NewConcentration:
    """Finite-volume step from face fluxes."""
    (i,) = k.index
    inflow = k.let("inflow", around(k, face_fluxes).side(0, -1))
    return concentration - dt / dx * (face_fluxes[i] - inflow)


@fields.formula(source="Stam 1999", ranks=(1, 2, 3))
def traced_departure(
    k: Builder, velocity: Velocity, dt: Annotated[Expr, Setting(0.2, 1.0)], dx: Dx
) -> DeparturePoint:
    """Semi-Lagrangian departure point."""
    return vector(
        k, (convert(k.real, k.index[axis]) - dt / dx * along(k, velocity, axis) for axis in axes(k))
    )


@fields.formula(source="Stam 1999")
def semi_lagrangian_concentration(
    k: Builder, departure_point: DeparturePoint, concentrations: Concentrations
) -> NewConcentration:
    """Semi-Lagrangian advection of the concentration."""
    return interpolated(k, concentrations, [along(k, departure_point, axis) for axis in axes(k)])


@fields.formula(source="Stam 1999", ranks=GRIDS)
def semi_lagrangian_velocity(
    k: Builder, departure_point: DeparturePoint, velocities: Velocities
) -> NewVelocity:
    """Semi-Lagrangian advection of the velocity."""
    return interpolated(k, velocities, [along(k, departure_point, axis) for axis in axes(k)])


def _godunov(k: Builder, here: Expr, there: Expr) -> Expr:
    rising, falling = k.let("rising", ops.max(here, 0.0)), k.let("falling", ops.min(there, 0.0))
    return 0.5 * ops.max(rising * rising, falling * falling)


def _engquist(k: Builder, here: Expr, there: Expr) -> Expr:
    rising, falling = k.let("rising", ops.max(here, 0.0)), k.let("falling", ops.min(there, 0.0))
    return 0.5 * (rising * rising + falling * falling)


def _rusanov(k: Builder, here: Expr, there: Expr) -> Expr:
    fastest = k.let("fastest", ops.max(ops.abs(here), ops.abs(there)))
    return 0.25 * (here * here + there * there) - 0.5 * fastest * (there - here)


def _roe(k: Builder, here: Expr, there: Expr) -> Expr:
    return bounded(0.5 * conditional(here + there > 0.0, here * here, there * there), 0.0, 2.0)


for _name, _how, _flux in (
    ("godunov", "Godunov", _godunov),
    ("engquist_osher", "Engquist-Osher", _engquist),
    ("rusanov", "Rusanov", _rusanov),
    ("roe", "Roe", _roe),
):

    def _through_face(k: Builder, velocity: Expr, velocities: ArrayHandle, _flux: Any = _flux) -> Expr:
        flux: Expr = _flux(k, velocity, around(k, velocities).side(0, 1))
        return flux

    define(
        fields,
        f"{_name}_burgers_flux",
        f"{_how} flux of Burgers' equation.",
        _through_face,
        BurgersFlux,
        {"velocity": Velocity, "velocities": Velocities},
        ranks=(1,),
    )


@fields.formula(ranks=(1,))
def burgers_velocity(
    k: Builder, velocity: Velocity, burgers_fluxes: BurgersFluxes, dt: Dt, dx: Dx
) -> NewVelocity:
    """Finite-volume Burgers step from face fluxes."""
    (i,) = k.index
    inflow = k.let("inflow", around(k, burgers_fluxes).side(0, -1))
    return velocity - dt / dx * (burgers_fluxes[i] - inflow)


@fields.formula(ranks=(1,))
def viscous_burgers_velocity(
    k: Builder, velocity: Velocity, velocities: Velocities, viscosity: Small, dt: Dt, dx: Dx
) -> NewVelocity:
    """Viscous Burgers step."""
    before, after = around(k, velocities).pair(0)
    advection = k.let("advection", velocity * (after - before) / (2.0 * dx))
    diffusion = k.let("diffusion", viscosity * (before + after - 2.0 * velocity) / (dx * dx))
    return velocity + dt * (diffusion - advection)


@fields.formula()
def elastic_acceleration(
    k: Builder, displacement_laplacian: DisplacementLaplacian, wave_speed: Factor
) -> WaveAcceleration:
    """Wave equation."""
    return wave_speed * wave_speed * displacement_laplacian


@fields.formula()
def klein_gordon_acceleration(
    k: Builder,
    displacement: Displacement,
    displacement_laplacian: DisplacementLaplacian,
    wave_speed: Factor,
    rest_mass: Factor,
) -> WaveAcceleration:
    """Klein-Gordon equation."""
    return wave_speed * wave_speed * displacement_laplacian - rest_mass * rest_mass * displacement


@fields.formula()
def sine_gordon_acceleration(
    k: Builder, displacement: Displacement, displacement_laplacian: DisplacementLaplacian
) -> WaveAcceleration:
    """Sine-Gordon equation."""
    return displacement_laplacian - ops.sin(displacement)


@fields.formula()
def damped_acceleration(
    k: Builder,
    displacement_laplacian: DisplacementLaplacian,
    displacement_rate: DisplacementRate,
    wave_speed: Factor,
    damping: Share,
) -> WaveAcceleration:
    """Damped wave equation."""
    return wave_speed * wave_speed * displacement_laplacian - damping * displacement_rate


@fields.formula()
def leapfrog_displacement(
    k: Builder,
    displacement: Displacement,
    old_displacement: OldDisplacement,
    wave_acceleration: WaveAcceleration,
    dt: Dt,
) -> NewDisplacement:
    """Leapfrog step of the displacement."""
    return 2.0 * displacement - old_displacement + dt * dt * wave_acceleration


@fields.formula(ranks=GRIDS)
def sponge_displacement(
    k: Builder,
    displacement: Displacement,
    old_displacement: OldDisplacement,
    wave_acceleration: WaveAcceleration,
    layer: Annotated[Expr, Setting(4, 12, "lp", whole)],
    dt: Dt,
) -> NewDisplacement:
    """Leapfrog step with an absorbing sponge layer."""
    distance = k.let("border_distance", ops.min(k.index[0], k.extent(0) - 1 - k.index[0]))
    for axis in axes(k)[1:]:
        nearer = ops.min(k.index[axis], k.extent(axis) - 1 - k.index[axis])
        distance = k.let(f"border_distance_{letter(k, axis)}", ops.min(distance, nearer))
    stepped = k.let(
        "undamped", displacement + (displacement - old_displacement) + dt * dt * wave_acceleration
    )
    depth = k.let("layer_depth", convert(k.real, ops.max(layer - distance, 0)) / convert(k.real, layer))
    return bounded(stepped * ops.exp(-bounded(depth * depth, 0.0, 1.0)), -1e5, 1e5)


@fields.formula()
def backward_displacement_rate(
    k: Builder, displacement: Displacement, old_displacement: OldDisplacement, dt: Dt
) -> DisplacementRate:
    """Velocity by a backward difference in time."""
    return (displacement - old_displacement) / dt


@fields.formula()
def elastic_wave_energy(
    k: Builder, displacement_rate: DisplacementRate, displacements: Displacements, wave_speed: Factor, dx: Dx
) -> WaveEnergy:
    """Wave energy density."""
    strain = [k.let(f"slope_{letter(k, axis)}", one) for axis, one in enumerate(slopes(k, displacements, dx))]
    potential = wave_speed * wave_speed * total(square(one) for one in strain)
    return bounded(0.5 * (square(displacement_rate) + potential), 0.0, 1e5)


@fields.formula(ranks=(1, 2, 3))
def gaussian_temperature(k: Builder, width: Share, peak: Share) -> Temperature:
    """Initialize the temperature with a Gaussian bump."""
    away = k.let("exponent", from_middle(k) / (2.0 * width * width))
    return bounded(peak * ops.exp(-bounded(away, 0.0, 50.0)), 0.0, 1.0)


@fields.formula(ranks=(1, 2, 3))
def heated_wall_temperature(k: Builder, decay: Annotated[Expr, Setting(2.0, 8.0)]) -> Temperature:
    """Initialize the temperature with decay from a hot wall."""
    across = centered(k, axes(k)[-1])
    return bounded(ops.exp(-decay * (across + 0.5)), 0.0, 1.0)


@fields.formula(ranks=(1, 2, 3))
def slab_concentration(k: Builder, half_width: Annotated[Expr, Setting(0.1, 0.4)]) -> Concentration:
    """Initialize the concentration with a slab."""
    across = centered(k, axes(k)[-1])
    return conditional(ops.abs(across) < half_width, lift(1.0, k.real), 0.0)


@fields.formula(ranks=(1, 2, 3))
def cosine_concentration(k: Builder, width: Annotated[Expr, Setting(0.3, 0.6)]) -> Concentration:
    """Initialize the concentration with a cosine bell."""
    distance = k.let("distance", ops.sqrt(from_middle(k)))
    share = k.let("share", ops.min(distance / width, 1.0))
    return bounded(0.5 + 0.5 * ops.cos(PI * share), 0.0, 1.0)


@fields.formula(ranks=(1, 2, 3))
def standing_displacement(
    k: Builder, waves: Annotated[Expr, Setting(1, 6, "lp", whole)]
) -> Annotated[Expr, displacement]:
    """Initialize the displacement with a standing wave."""
    wave_number = k.let("wave_number", TWO_PI * convert(k.real, waves))
    waves_along = [ops.cos(wave_number * centered(k, axis)) for axis in axes(k)]
    return bounded(functools.reduce(operator.mul, waves_along), -1.0, 1.0)


@fields.formula(ranks=(1, 2, 3))
def pulse_displacement(k: Builder, width: Share) -> Annotated[Expr, displacement]:
    """Initialize the displacement with a Ricker pulse."""
    away = k.let("exponent", bounded(from_middle(k) / (width * width), 0.0, 75.0))
    return bounded((1.0 - away) * ops.exp(-0.5 * away), -1.0, 1.0)
